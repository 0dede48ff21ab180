#!/usr/bin/env bash
# Fills fuzz/corpus/TARGET with the rulesheets of kif/ and of the folders named as further
# arguments, whole and cut into pieces; the targets hrg and rbg with the games of hrg/ and rbg/.
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
case "$target" in hrg | rbg) kind="$target" ;; esac
for folder in "$here/../$kind" "$@"; do
    for sheet in "$folder"/*."$kind"; do
        name="$(basename "$sheet" ".$kind")"
        cp "$sheet" "$corpus/$name"
        # A prefix that ends anywhere, and some lines of the middle.
        head -c $(($(wc -c <"$sheet") / 3)) "$sheet" >"$corpus/$name.head"
        sed -n '20,50p' "$sheet" >"$corpus/$name.middle"
    done
done
echo "$(find "$corpus" -type f | wc -l) files in $corpus"
