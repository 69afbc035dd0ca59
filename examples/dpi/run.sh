#!/usr/bin/env bash
# Builds the bench with Verilator and the C library of the judge, and runs it.
# VERILATOR_ROOT with bin/verilator_bin or verilator_bin in PATH; JUDGE: folder of libweft_judge.so; OUT: where to work.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
judge=${JUDGE:-$here/../../target/debug}
out=${OUT:-$(mktemp -d)}
root=${VERILATOR_ROOT:-$(verilator_bin --getenv VERILATOR_ROOT)}
verilator_bin --cc --exe --main -O0 --top-module bench --Mdir "$out" "$here/bench.sv"
cd "$out"
${CXX:-c++} -std=gnu++20 -O0 -w -DVERILATOR=1 -DVM_TRACE=0 -DVM_COVERAGE=0 -DVM_SC=0 -I. -I"$root/include" -I"$root/include/vltstd" \
    ./*.cpp "$root/include/verilated.cpp" "$root/include/verilated_dpi.cpp" "$root/include/verilated_threads.cpp" \
    -o bench -L"$judge" -lweft_judge -Wl,-rpath,"$judge" -pthread
./bench
