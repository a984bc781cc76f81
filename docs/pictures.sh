#!/usr/bin/env bash
# Makes the pictures in docs/images with `throng render`: one of each built-in scene, a contact sheet, two fields, what drawing in three
# dimensions is made of, and a film.
#
#   docs/pictures.sh [THRONG [NAME…]]
#
# THRONG is the program; without it the one of this checkout is built. With names only those are made. On two cores it takes some six minutes. All
# runs are on the CPU, so that they are the same everywhere. Where ffmpeg is installed large pictures get a palette.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
only=("${@:2}")
if [ $# -gt 0 ]; then
  throng=("$1")
else
  cargo build --release --manifest-path "$here/../Cargo.toml" -p throng-cli
  throng=(cargo run --release --quiet --manifest-path "$here/../Cargo.toml" -p throng-cli --)
fi
mkdir -p "$here/images"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

most=300000

# As few colours as it takes to stay below that many bytes, but 48 at least.
reduce() {
  local colours
  for colours in 256 128 64 48; do
    ffmpeg -loglevel error -y -i "$1" -filter_complex \
      "split[a][b];[a]palettegen=max_colors=$colours:reserve_transparent=0[p];[b][p]paletteuse=dither=none" "$2"
    if [ "$(wc -c < "$2")" -le "$most" ]; then break; fi
  done
}

# Whether something of that name is to be made.
wanted() {
  [ ${#only[@]} -eq 0 ] || [[ " ${only[*]} " == *" $1 "* ]]
}

# picture NAME OPTION…
picture() {
  local name=$1 file=$here/images/$1.png
  wanted "$name" || return 0
  shift
  "${throng[@]}" render "$@" --engine cpu --quiet -o "$scratch/$name.png"
  if [ "$(wc -c < "$scratch/$name.png")" -gt "$most" ] && command -v ffmpeg >/dev/null; then
    reduce "$scratch/$name.png" "$file"
  else
    cp "$scratch/$name.png" "$file"
  fi
  echo "docs/images/$name.png: $(($(wc -c < "$file") / 1000)) kB"
}

# photo NAME OPTION…: one with as many colours as a lit landscape has, which no palette holds; without ffmpeg the old one stays.
photo() {
  local name=$1 file=$here/images/$1.jpg
  wanted "$name" && command -v ffmpeg >/dev/null || return 0
  shift
  "${throng[@]}" render "$@" --engine cpu --quiet -o "$scratch/$name.png"
  ffmpeg -loglevel error -y -i "$scratch/$name.png" -pix_fmt yuvj444p -q:v 4 -bitexact "$file"
  echo "docs/images/$name.jpg: $(($(wc -c < "$file") / 1000)) kB"
}

# Square worlds in wide pictures leave room beside them for title and legend.
picture office office --seconds 20 --colour speed --size 1200x800
# By group, for by goal a quarter always has one colour: the groups have turned by some degrees.
picture circle circle --seconds 120 --colour group --size 1200x800
# The river with its four bridges.
picture hills hills --seconds 60 --field discomfort --opacity agents=1 --view -8,52,112,132 --size 1200x800
# A corner of it: a million people are less than a pixel each.
picture exit-bar exit-bar --steps 50 --view -2,-2,28,18 --size 1200x800
# Half of its length, with room above for the legend.
picture corridor corridor --seconds 60 --colour group --centre 20,2.4 --zoom 60 --size 1200x360
picture crossing crossing --seconds 40 --view 2,6,38,34 --size 1200x800
picture bottleneck bottleneck --seconds 12 --colour speed --colour-limits 0 1 --field density --smooth \
  --opacity agents=1 --size 1200x720
# The train has come, and who got out is on the way to the stairs.
picture platform platform --seconds 36 --colour group --size 1200x360
picture froblins froblins --seconds 90 --colour state --field height --smooth --opacity agents=1 --size 1200x800
# At a gold mine: some mine, some carry, some come.
photo froblins-3d froblins --3d --seconds 40 --colour state --centre 23,112 --zoom 75 --tilt 16 --size 1200x675
# What drawing in three dimensions is made of, each with and without.
close=(froblins --3d --seconds 40 --colour state --centre 22.5,113 --zoom 95 --tilt 13 --no-caption --size 900x506)
photo space-close-ups "${close[@]}"
photo space-no-close-ups "${close[@]}" --without close-ups
photo space-edges "${close[@]}" --edges
near=(froblins --3d --seconds 40 --colour state --centre 23,112 --zoom 75 --tilt 16 --no-caption --size 600x338)
photo space-shadows "${near[@]}"
photo space-no-shadows "${near[@]}" --without shadows
photo space-cascades "${near[@]}" --tint cascade
far=(froblins --3d --seconds 40 --colour state --centre 40,100 --zoom 12 --tilt 20 --no-caption --size 600x338)
photo space-levels "${far[@]}" --tint detail
photo space-meshes "${far[@]}" --detail 152
photo space-impostors "${far[@]}" --detail impostor
photo space-far "${far[@]}" --detail far
if wanted froblins-film && command -v ffmpeg >/dev/null; then
  "${throng[@]}" render froblins --3d --colour state --centre 23,112 --zoom 45 --tilt 16 --size 640x360 --fps 25 --engine cpu --quiet \
    --from 34 --to 42 -o "$scratch/froblins.mp4"
  # Small enough for a repository.
  ffmpeg -loglevel error -y -i "$scratch/froblins.mp4" -c:v libx264 -preset veryslow -crf 31 -pix_fmt yuv420p -movflags +faststart \
    "$here/images/froblins.mp4"
  echo "docs/images/froblins.mp4: $(($(wc -c < "$here/images/froblins.mp4") / 1000)) kB"
fi
if wanted froblins-states; then
  "${throng[@]}" check froblins --picture "$here/images/froblins-states.png" > /dev/null
fi
picture square square --seconds 60 --colour group --size 1200x800
picture congestion congestion --seconds 60 --field occupancy --size 1200x800
# Figure 2 of the boundary-value planner's paper, and the map that somebody steers by.
picture paths paths --seconds 125 --opacity ribbons=1 --size 1200x800
picture characters characters --seconds 20 --follow 153 --zoom 60 --size 1200x800
picture fan fan --seconds 20 --opacity ribbons=1 --colour group --size 1200x800
picture empty empty --size 1200x720
# The view has room for title and legend above the building and for the scale below.
picture office-sheet office --sheet 0,20,40,60,90,120 --colour speed --view 0,-4,64,73.5 --text 0.8 --size 397x481
picture office-potential office --seconds 20 --field potential --opacity agents=0 --size 1200x800
picture office-gradient office --seconds 20 --field gradient --smooth --view 37,-0.5,64,17.5 --size 1200x800
# The scenes of a test: all weights 1, and each at 0 in turn.
if [ ${#only[@]} -eq 0 ] || [[ " ${only[*]} " == *" weights-"* ]]; then
  "${throng[@]}" verify weights --quick --quiet --scenes "$scratch/scenes"
fi
for weights in equal no-length no-time no-discomfort; do
  picture "weights-$weights" "$scratch/scenes/weights-$weights-seed1.toml" --seconds 10 --field discomfort --colour speed \
    --size 720x480
done
