#!/usr/bin/env bash
# The long runs of a release: every built-in scene in which nobody leaves for good, 10,000 steps on the CPU and 100,000 on a GPU. Ends with an
# error if one of them loses somebody, holds more and more memory, or is a worse crowd in the end than after its first thousand steps.
#
#   benches/long-runs.sh cpu|gpu FILE [LONG_RUN [SCENE…]]     adds rows to a CSV file; LONG_RUN is the example of that name (default: made with cargo)
set -uo pipefail
engine=${1:?cpu or gpu}
file=${2:?a CSV file}
long_run=${3:-}
scenes=("${@:4}")
[ ${#scenes[@]} -gt 0 ] || scenes=(corridor circle hills froblins froblins-65k congestion square characters)
steps=10000
[ "$engine" = cpu ] || steps=100000
if [ -z "$long_run" ]; then
  cargo build --release --locked -p throng --example long_run || exit 1
  long_run=target/release/examples/long_run
fi
failed=0
for scene in "${scenes[@]}"; do
  echo "$scene: $steps steps on the $engine" >&2
  rows=$("$long_run" "$scene" "$steps" "$engine") || { echo "$scene: not sound" >&2; failed=1; }
  if [ -s "$file" ]; then rows=$(tail -n +2 <<< "$rows"); fi
  echo "$rows" >> "$file"
done
exit $failed
