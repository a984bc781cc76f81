#!/usr/bin/env bash
# All the set-up that testing needs, then the tests. Needs a Rust toolchain (see rust-version in Cargo.toml).
set -euo pipefail
cd "$(dirname "$0")"

# Installs packages of Debian's, or says what is missing.
need() {
  local what=$1
  shift
  if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"
  else
    echo "test.sh: $what is missing. On Debian or Ubuntu: sudo apt-get install $*" >&2
    exit 1
  fi
}

# Whether the system's loader finds all of these libraries.
has_libraries() {
  local list library
  list=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null || true)
  for library in "$@"; do
    [[ $list == *"$library"* ]] || return 1
  done
}

# Whether there is software Vulkan (Mesa's llvmpipe) and the library that finds it.
has_vulkan() {
  local drivers
  drivers=$(ls /usr/share/vulkan/icd.d /usr/local/share/vulkan/icd.d /etc/vulkan/icd.d 2>/dev/null || true)
  [[ $drivers == *lvp* ]] && has_libraries libvulkan.so.1
}

command -v cargo >/dev/null || { echo "test.sh: cargo is missing: install Rust from https://rustup.rs" >&2; exit 1; }
# Some dependencies build with the system's linker.
command -v cc >/dev/null || need "a C compiler" build-essential
# The GPU engine is tested on software Vulkan.
has_vulkan || need "software Vulkan" mesa-vulkan-drivers libvulkan1
# The window is tested on a screen that nobody sees; it loads these libraries when it opens.
command -v Xvfb >/dev/null || need "Xvfb" xvfb
has_libraries libxkbcommon-x11.so.0 libX11-xcb.so.1 libXcursor.so.1 libXi.so.6 libXrandr.so.2 ||
  need "what a window needs" libxkbcommon-x11-0 libx11-xcb1 libxcursor1 libxi6 libxrandr2
# Films are made by ffmpeg.
command -v ffmpeg >/dev/null || need "ffmpeg" ffmpeg

# Vulkan drivers complain without it.
if [ -z "${XDG_RUNTIME_DIR:-}" ]; then
  XDG_RUNTIME_DIR=$(mktemp -d)
  export XDG_RUNTIME_DIR
  trap 'rm -rf "$XDG_RUNTIME_DIR"' EXIT
fi

# Whatever tests draw at random they draw from a fixed seed here, so that a run can be repeated; .ci/explore tries a new one.
export PROPTEST_RNG_SEED="${PROPTEST_RNG_SEED:-1}"

# With optimisation and with overflow checks: the profile of Cargo.toml.
cargo test --workspace --locked "$@"
