"""The hardware in simulation: one small case of each kind."""

import numpy as np
import pytest

import weft
from conftest import Guarded

TEXT = """
kernel void saxpy(float a, global const float *x, global float *y, uint n)
{
    size_t i = get_global_id(0);
    if (i < n)
        y[i] += a * x[i];
}
kernel void reduce(global int *sums, global const int *in, local int *part)
{
    uint l = get_local_id(0);
    part[l] = in[get_global_id(0)];
    for (uint n = get_local_size(0) / 2; n > 0; n /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < n)
            part[l] += part[l + n];
    }
    if (l == 0)
        sums[get_group_id(0)] = part[0];
}
kernel void fault(global int *p) {
    p[0x30000000] = 1;
}
"""
C_TEXT = """#include <weft_queue.h>
#include <stdio.h>
struct add { unsigned n; const int *x; int *y; };
WEFT_KERNEL(add)(unsigned thread, unsigned threads, struct add *k)
{
    for (unsigned i = thread; i < k->n; i += threads)
        k->y[i] += k->x[i];
    if (thread == 1)
        printf("%u threads\\n", threads);
}
WEFT_KERNEL(hang)(unsigned thread, unsigned threads)
{
    if (thread == 1)
        WEFT_BAR_WAIT(1, 0);
}
"""


def test_kernels_run_in_hardware_one_after_the_other(verilated, capsys):
    module = weft.compile(TEXT, "opencl", verilated)
    cycles = []
    for n in (1, 131):
        x = np.arange(n, dtype=np.float32)
        y = Guarded(verilated, np.ones(n, np.float32))
        counters = module.saxpy[-(-n // 4), 4](2.5, x, y.array, n)
        assert (y.read() == 2.5 * x + 1).all()
        assert counters["instructions"] > 0 and counters["simd_efficiency"] is None
        cycles.append(counters["cycles"])
    assert 100 < cycles[0] < cycles[1]

    values = np.arange(48, dtype=np.int32)
    sums = np.zeros(3, np.int32)
    module.reduce[3, 16](sums, values, weft.local(64))
    assert (sums == values.reshape(3, 16).sum(axis=1)).all()

    with pytest.raises(weft.LaunchError) as told:
        module.fault[1, 1](sums)
    assert (told.value.kind, told.value.kernel, told.value.line) == ("fault", "fault", 21)

    c_module = weft.compile(C_TEXT, "c", verilated)
    y = np.arange(17, dtype=np.int32)
    c_module.add[2, 4](17, np.full(17, 100, np.int32), y)
    assert (y == np.arange(17) + 100).all() and capsys.readouterr().out == "8 threads\n"
    kept = verilated.array(np.arange(5))
    with pytest.raises(weft.LaunchError, match="kernel hang: no thread can go on, at a barrier that does not open") as told:
        c_module.hang[1, 4]()
    assert (told.value.kind, told.value.cause) == ("hang", "no thread can go on")
    c_module.add[1, 5](5, np.full(5, 1, np.int32), y)
    assert (y[:5] == np.arange(5) + 101).all() and (kept.to_numpy() == np.arange(5)).all()
    with pytest.raises(ValueError, match="an SM of verilated has room for 16"):
        module.saxpy[1, 17]
