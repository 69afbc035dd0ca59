#!/usr/bin/env bash
# Makes weft_control (4 warps of 4 threads), runs the bench on it under Icarus, and has its trace judged.
# WEFT: the program, if not `cargo weft`. OUT: where to work.
# DEFINE=HOLD_TOO_LONG: with a fault for the rules to notice.
# Arguments: +alone for one warp; +vcd to have ports.vcd written there.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
weft=${WEFT:-cargo weft}
out=${OUT:-$(mktemp -d)}
cd "$here/../.."
$weft verilog --config tiny -o "$out/verilog"
cd "$out"
iverilog -g2012 -DWEFT_RAM_COLLISIONS ${DEFINE:+-D"$DEFINE"} -s bench -o bench.vvp \
    "$here"/*.v "$out"/verilog/*.v "$out"/verilog/*_rules.sv
vvp -n bench.vvp "$@"
cd "$here/../.."
$weft judge "$out/trace.jsonl"
