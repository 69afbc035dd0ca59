"""CL-044: the kernels of the suite at sizes and groups that fit nothing; docs/opencl.md has the table that it makes of them."""

import pathlib
import sys

import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "suite"))

import bench  # noqa: E402
import table  # noqa: E402

#: Sizes, 1, primes, a warp's threads and one more and less, each with a group that is no multiple of a warp or is one.
SIZES = [(1, 1), (7, 5), (31, 16), (32, 33), (33, 64), (61, 21)]


@pytest.fixture(scope="module")
def on_golden(golden):
    return bench.Bench(golden, 1)


@pytest.mark.parametrize("case", table.CASES, ids=lambda case: case.__name__)
def test_on_golden(on_golden, case):
    for n, group in SIZES:
        on_golden.clear()
        on_golden.group = group
        case(on_golden, n)
        on_golden.guarded()
        assert on_golden.counts["instructions"] > 0


@pytest.mark.parametrize("name", ["spmv", "lud", "radix_sort"])
def test_in_hardware(verilated, name):
    case = next(case for case in table.CASES if case.__name__ == name)
    on_hardware = bench.Bench(verilated, 8)
    case(on_hardware, 13)
    on_hardware.guarded()
    assert on_hardware.counts["cycles"] > on_hardware.counts["instructions"] > 0


def test_what_is_wrong_is_seen(golden):
    wrong = bench.Bench(golden, 4)

    def beyond(b, n):
        out = b.result(n, np.uint32)
        b.run("basic.cl", "stride", 4, b.line(), out, n + 1)

    def other(b, n):
        out = b.result(n, np.uint32)
        b.run("basic.cl", "stride", 4, b.line(), out, n)
        bench.same(out.read(), out.read() + 1)

    for case, said in ((beyond, "the guard words have been written"), (other, " and not ")):
        counts, why = table.measured(case, wrong, 9)
        assert counts is None and said in why
