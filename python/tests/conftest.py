"""What the tests share: devices, guard words around arrays, the repository's kernels."""

import os
import pathlib

import numpy as np
import pytest

import weft

ROOT = pathlib.Path(__file__).resolve().parents[2]
#: Threads of a warp on golden.
WIDTH = 32
#: 1, primes, a warp's threads and one more and less.
SIZES = [1, 2, 7, WIDTH - 1, WIDTH, WIDTH + 1, 61, 127, 509]
#: Elements before and behind an array that nobody may write.
GUARD = 16


@pytest.fixture(scope="session")
def golden():
    return weft.Device("golden")


@pytest.fixture(scope="session")
def verilated():
    """The hardware, where the test's runner says that its model can be made."""
    if not os.environ.get("WEFT_TEST_VERILATED"):
        pytest.skip("there is no Verilator")
    return weft.Device("verilated")


class Guarded:
    """An array on a device with guard words around it."""

    def __init__(self, device, values):
        self.values = np.asarray(values)
        self.edge = np.frombuffer(bytes([0xA5]) * (GUARD * self.values.itemsize), self.values.dtype)
        flat = self.values.ravel()
        self.whole = device.array(np.concatenate([self.edge, flat, self.edge]))
        self.array = self.whole[GUARD : GUARD + flat.size]

    def read(self):
        """The array's elements; nobody has written around them."""
        found = self.whole.to_numpy()
        before, flat, behind = found[:GUARD], found[GUARD:-GUARD], found[-GUARD:]
        assert before.tobytes() == self.edge.tobytes()
        assert behind.tobytes() == self.edge.tobytes()
        return flat.reshape(self.values.shape)


@pytest.fixture
def guarded(golden):
    return lambda values: Guarded(golden, values)


@pytest.fixture(scope="session")
def works(golden):
    """Behind anything that goes wrong: the next kernel runs on the same device, and the arrays are what they were."""
    module = weft.compile("kernel void next(global int *p) { p[get_global_id(0)] += 1; }", "opencl", golden)
    kept = golden.array(np.arange(1000, dtype=np.int32))
    runs = 0

    def check():
        nonlocal runs
        runs += 1
        module.next[40, 25](kept)
        assert (kept.to_numpy() == np.arange(1000) + runs).all()

    return check
