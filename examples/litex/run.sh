#!/usr/bin/env bash
# A kernel that a VexRiscv launches on weft_gpu, in a SoC of LiteX under Verilator.
# PYTHON: with `litex` 2024.12 and `pythondata-cpu-vexriscv`, and those that litex wants of a CPU's software
# (docs/litex.md); WEFT: the program; OUT: where to work; ZIG: a compiler for the host's program.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
out=${OUT:-$(mktemp -d)}
python=${PYTHON:-python3}
tools=$root/.tools
zig=${ZIG:-$tools/venv/bin/python -m ziglang}
verilator=${VERILATOR:-$tools/bin/verilator}
if [ -z "${VERILATOR:-}" ] && [ ! -x "$verilator" ] || [ -z "${ZIG:-}" ] && [ ! -d "$tools"/venv/lib/python*/site-packages/ziglang ]; then
    echo "Verilator or Zig is not in $tools: cargo xtask setup installs them" >&2
    exit 2
fi
if ! "$python" -c 'import litex, pythondata_cpu_vexriscv' 2>/dev/null; then
    echo "$python has no litex or pythondata_cpu_vexriscv: docs/litex.md says how to get them" >&2
    exit 2
fi
if [ -z "${WEFT:-}" ]; then
    cd "$root"
    weft() { cargo weft "$@"; }
else
    weft() { "$WEFT" "$@"; }
fi
weft verilog --unit gpu --config tiny -o "$out/verilog"
weft cc "$here/host/kernel.c" -o "$out/kernel.elf"
"$python" "$here/weft_gpu.py" "$out/verilog" "$out/soc" >"$out/headers.log" 2>&1
cd "$out"
$zig cc -target riscv32-freestanding-none -mcpu=generic_rv32+m -Os -std=c99 -ffreestanding -fno-sanitize=all -nostartfiles \
    -I soc -I verilog "$here/host/host.c" verilog/weft_gpu.c "$here/host/start.s" -T "$here/host/host.ld" -o host.elf
$zig objcopy -O binary host.elf host.bin
"$python" "$here/weft_gpu.py" "$out/verilog" "$out/soc" host.bin >"$out/soc.log" 2>&1
cd soc
"$verilator" --binary --timing -CFLAGS -fcoroutines -MAKEFLAGS VK_PCH_I_FAST= -MAKEFLAGS VK_PCH_I_SLOW= -Wno-fatal -Wno-lint -O1 --top-module bench -f soc.f "$here/host/bench.v" -j 2 >verilator.log 2>&1
obj_dir/Vbench
