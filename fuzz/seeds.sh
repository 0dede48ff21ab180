#!/usr/bin/env bash
# Fills fuzz/corpus/TARGET with the rulesheets of kif/ and of the folders named as further
# arguments, whole and cut into pieces.
#
#   fuzz/seeds.sh reader
#   fuzz/seeds.sh playout ../more/rulesheets
set -euo pipefail
target="${1:?the name of a target}"
shift
here="$(cd "$(dirname "$0")" && pwd)"
corpus="$here/corpus/$target"
mkdir -p "$corpus"
for folder in "$here/../kif" "$@"; do
    for sheet in "$folder"/*.kif; do
        name="$(basename "$sheet" .kif)"
        cp "$sheet" "$corpus/$name"
        # A prefix that ends anywhere, and some lines of the middle.
        head -c $(($(wc -c <"$sheet") / 3)) "$sheet" >"$corpus/$name.head"
        sed -n '20,50p' "$sheet" >"$corpus/$name.middle"
    done
done
echo "$(find "$corpus" -type f | wc -l) files in $corpus"
