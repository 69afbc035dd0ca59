#!/usr/bin/env bash
# Makes weft_control (4 warps of 4 threads), runs the bench on it under Icarus, and has its trace judged.
# WEFT: the program, if not `cargo weft`. OUT: where to work.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
weft=${WEFT:-cargo weft}
out=${OUT:-$(mktemp -d)}
cd "$here/../.."
$weft verilog --config tiny -o "$out/verilog"
cd "$out"
iverilog -g2012 -s bench -o bench.vvp "$here"/*.v "$out"/verilog/*.v
vvp -n bench.vvp
cd "$here/../.."
$weft judge "$out/trace.jsonl"
