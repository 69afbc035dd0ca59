#!/usr/bin/env bash
# Makes weft_gpu (one SM, 4 warps of 4 threads) and a kernel, runs the bench on them under Icarus.
# WEFT: the program, if not `cargo weft`. OUT: where to work.
# Arguments: +vcd to have ports.vcd written there.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
weft=${WEFT:-cargo weft}
out=${OUT:-$(mktemp -d)}
cd "$here/../.."
$weft verilog --unit gpu --config tiny -o "$out/verilog"
$weft asm examples/axi/saxpy.s -o "$out/kernel.bin"
cd "$out"
od -An -v -t x4 -w4 kernel.bin > kernel.hex
iverilog -g2012 -DWEFT_RAM_COLLISIONS -s bench -o bench.vvp "$here"/bench.v "$here"/../sm/axi_*.v "$out"/verilog/*.v
vvp -n bench.vvp "$@"
