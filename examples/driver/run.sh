#!/usr/bin/env bash
# Compiles the kernels with `weft cc`, the host with the C library of the driver, and runs it.
# WEFT: the program; DRIVER: folder of libweft_driver_c.so; OUT: where to work.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
out=${OUT:-$(mktemp -d)}
if [ -z "${WEFT:-}" ]; then
    # In the profile of `cargo weft`, which has compiled most of it.
    echo "building the C library of the driver"
    cargo build --quiet --release --manifest-path "$root/Cargo.toml" -p weft-driver-c
    weft() { cargo weft "$@"; }
    cd "$root"
else
    weft() { "$WEFT" "$@"; }
fi
driver=${DRIVER:-$root/target/release}
weft cc "$here/kernel.c" --cflag=-g -o "$out/kernel.elf"
${CC:-cc} -std=c99 -Wall -Wextra -O1 -I"$root/runtime/c/include" "$here/host.c" -o "$out/host" \
    -L"$driver" -lweft_driver_c -Wl,-rpath,"$driver"
"$out/host" "$out/kernel.elf"
