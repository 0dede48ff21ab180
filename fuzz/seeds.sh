#!/usr/bin/env bash
# Fills fuzz/corpus/TARGET with the rulesheets of kif/ and of the folders named as further
# arguments, whole and cut into pieces; the targets hrg, rbg and abg with the games of their folders,
# and the target reader with those of operations/, too.
#
#   fuzz/seeds.sh reader
#   fuzz/seeds.sh playout ../more/rulesheets
set -euo pipefail
target="${1:?the name of a target}"
shift
here="$(cd "$(dirname "$0")" && pwd)"
corpus="$here/corpus/$target"
mkdir -p "$corpus"
kind=kif
case "$target" in hrg | rbg | abg) kind="$target" ;; esac
shopt -s nullglob
more=()
[ "$target" = reader ] && more=("$here/../operations")
for folder in "$here/../$kind" "${more[@]}" "$@"; do
    for sheet in "$folder"/*."$kind" "$folder"/*.epilog; do
        name="$(basename "$sheet")"
        cp "$sheet" "$corpus/$name"
        # A prefix that ends anywhere, and some lines of the middle.
        head -c $(($(wc -c <"$sheet") / 3)) "$sheet" >"$corpus/$name.head"
        sed -n '20,50p' "$sheet" >"$corpus/$name.middle"
    done
done
echo "$(find "$corpus" -type f | wc -l) files in $corpus"
