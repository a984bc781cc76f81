#!/usr/bin/env bash
# All the set-up that testing needs, then the tests. Needs a Rust toolchain (see rust-version in Cargo.toml).
set -euo pipefail
cd "$(dirname "$0")"

command -v cargo >/dev/null || { echo "test.sh: cargo is missing: install Rust from https://rustup.rs" >&2; exit 1; }
if ! command -v cc >/dev/null; then
  # Some dependencies build with the system's linker.
  if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    apt-get update -qq && apt-get install -y -qq build-essential
  else
    echo "test.sh: a C compiler is missing: install gcc or clang" >&2
    exit 1
  fi
fi

# Property tests draw from a fixed seed here, so that a run can be repeated; without the variable they explore anew.
export PROPTEST_RNG_SEED="${PROPTEST_RNG_SEED:-1}"

# With optimisation and with overflow checks: the profile of Cargo.toml.
cargo test --workspace --locked "$@"
