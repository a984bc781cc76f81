#!/usr/bin/env bash
# The measurements of docs/performance.md, on whatever GPU there is:
#   benches/gpu.sh FOLDER [THRONG]      adds rows to CSV files in FOLDER; THRONG is the program (default: throng)
set -euo pipefail
folder=${1:?a folder for the results}
throng=${2:-throng}
mkdir -p "$folder"
bench() { "$throng" bench "$@" --engine gpu; }

bench circle --batches 8 --csv "$folder/circle.csv"
bench exit-bar --batches 8 --csv "$folder/exit-bar.csv"
bench exit-bar --scale 16 --steps 10 --batches 5 --csv "$folder/exit-bar-16.csv"
bench --solver 1024 --batches 8 --csv "$folder/solver-city.csv"
# The thesis's comparisons: orders of the solver's tiles, and searches for neighbours.
for solver in buckets selective all; do
  bench circle --set "model.solver=$solver" --csv "$folder/circle-$solver.csv"
done
for search in bins sweep all-pairs; do
  bench circle --set "model.neighbours=$search" --steps 8 --batches 3 --csv "$folder/circle-$search.csv"
done
# Drawing, offscreen.
bench circle --draw 1920x1080 --csv "$folder/draw-circle.csv"
bench exit-bar --draw 1920x1080 --csv "$folder/draw-exit-bar.csv"
bench exit-bar --scale 16 --draw 1920x1080 --steps 10 --batches 2 --csv "$folder/draw-exit-bar-16.csv"
# Drawing in three dimensions: what is asked for first, each line with its time.
"$(dirname "$0")/space.sh" "$folder" "$throng"
# How time grows with the world and with the crowd: the thesis's figures 57 and 58.
bench --sweep cells --csv "$folder/sweep-cells.csv" --plot "$folder/sweep-cells.png"
bench --sweep agents --csv "$folder/sweep-agents.csv" --plot "$folder/sweep-agents.png"
