#!/usr/bin/env bash
# static.sh TARGET OUT: builds a program for Linux that needs no libraries, for an image from scratch.
#
#   TARGET  the build folder
#   OUT     gets retouch, and data/retouch, the empty folder for its data
#
# glibc is linked statically, which needs no toolchain besides Rust's own and a C++ compiler. The linker
# warns that getaddrinfo needs libraries at run time: that is true of name services such as LDAP, but
# /etc/hosts and DNS are part of glibc since version 2.34 (Debian 12).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

target=${1:?usage: static.sh TARGET OUT} out=${2:?usage: static.sh TARGET OUT}
triple=$(uname -m)-unknown-linux-gnu
# With a target, these flags are not used for the procedural macros, which are libraries.
RUSTFLAGS='-C target-feature=+crt-static' CARGO_TARGET_DIR=$target \
    cargo build --profile dist --locked --package retouch-server --bin retouch --target "$triple"
install -D --strip "$target/$triple/dist/retouch" "$out/retouch"
install -d -m 0700 "$out/data/retouch"
