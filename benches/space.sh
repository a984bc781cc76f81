#!/usr/bin/env bash
# The measurements of docs/space.md, in three dimensions, on whatever GPU there is, the most important first:
#   benches/space.sh FOLDER [THRONG [CARD]]     adds rows to CSV files in FOLDER; THRONG is the program (default: throng), CARD the
#                                               example card (default: made with cargo)
# Each line ends after its number of seconds at the latest, and what it has measured by then is kept: a row is written as soon as it is there.
set -uo pipefail
folder=${1:?a folder for the results}
throng=${2:-throng}
card=${3:-}
mkdir -p "$folder"
within() {
  local seconds=$1 status=0
  shift
  timeout "$seconds" "$@" || status=$?
  [ "$status" -eq 0 ] || echo "status $status (124: its $seconds s were over): $*" >&2
}
draw() {
  local seconds=$1
  shift
  within "$seconds" "$throng" bench "$@" --draw 1920x1080 --3d --engine gpu
}

# All 3,000 on 32 × 32 m: in froblins as it is no place has so many near each other that 6 million triangles are in view.
gathered=(froblins --warmup 40)
for group in 0 1 2; do gathered+=(--set "agents.$group.start.rect=[53, 50, 85, 82]"); done

# What is asked for: see the targets in docs/space.md. In exit-bar people leave, so it is measured near its beginning.
draw 60 "${gathered[@]}" --steps 30 --views close --plain --csv "$folder/space-gathered.csv"
draw 60 froblins --steps 30 --views close,all --plain --csv "$folder/space-froblins.csv"
draw 60 froblins-65k --steps 20 --views all,close --plain --csv "$folder/space-65k.csv"
draw 60 froblins-65k --scale 0.25 --steps 20 --views all,close --plain --csv "$folder/space-16k.csv"
draw 120 exit-bar --steps 10 --warmup 48 --views all,close --plain --csv "$folder/space-million.csv"
# What the card can do at all.
if [ -n "$card" ]; then
  within 120 "$card" --csv "$folder/card.csv"
else
  within 600 cargo run --release -p throng-view --example card -- --csv "$folder/card.csv"
fi
# What each mechanism is worth: hundreds of skinned characters, then the paper's cylinders, then the rest.
draw 180 "${gathered[@]}" --steps 30 --views close --csv "$folder/space-gathered-close.csv"
draw 120 froblins-65k --steps 20 --views all --csv "$folder/space-65k-all.csv"
draw 180 froblins --steps 30 --csv "$folder/space-froblins-all.csv"
draw 120 froblins-65k --scale 0.25 --steps 20 --views all --csv "$folder/space-16k-all.csv"
draw 180 froblins-65k --steps 20 --views close --csv "$folder/space-65k-close.csv"
draw 180 exit-bar --steps 10 --warmup 48 --views all,near --csv "$folder/space-million-all.csv"
