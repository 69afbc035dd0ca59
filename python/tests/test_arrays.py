"""Devices and their arrays."""

import gc

import sys

import numpy as np
import pytest

import weft
from weft.device import DTYPES


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_what_is_copied_in_comes_out(golden, dtype):
    values = (np.random.default_rng(1).integers(0, 256, (3, 5, 7)) - 100).astype(dtype)
    array = golden.array(values)
    assert (array.shape, array.dtype, array.ndim) == (values.shape, values.dtype, 3)
    assert (len(array), array.size, array.nbytes) == (3, 105, values.nbytes)
    found = array.to_numpy()
    assert found.dtype == dtype and found.shape == (3, 5, 7) and (found == values).all()
    found += 1
    assert (array.to_numpy() == values).all()


def test_shapes_and_orders_are_those_of_numpy(golden):
    values = np.arange(24, dtype=np.int32).reshape(4, 6)
    for of in (values.T, values[::2, ::3], values[:0], values[1, 2], np.asfortranarray(values)):
        array = golden.array(of)
        assert array.shape == of.shape and (array.to_numpy() == of).all()
    assert golden.array([1, 2, 3], np.uint8).to_numpy().tolist() == [1, 2, 3]
    assert (golden.zeros((2, 3)).to_numpy() == np.zeros((2, 3), np.float32)).all()
    array = golden.empty(5, "i2")
    array.copy_from(np.arange(5, dtype=np.int8))
    assert array.to_numpy().tolist() == [0, 1, 2, 3, 4]
    assert (np.asarray(array) + 1).tolist() == [1, 2, 3, 4, 5]


def test_a_part_is_the_same_memory(golden):
    array = golden.array(np.arange(20, dtype=np.int32).reshape(5, 4))
    part = array[1:3]
    part.copy_from(np.full((2, 4), -1, np.int32))
    want = np.arange(20).reshape(5, 4)
    want[1:3] = -1
    assert (array.to_numpy() == want).all()
    assert part.address == array.address + 16 and len(part[5:]) == 0
    assert (part[-1:].to_numpy() == want[2:3]).all()
    del array
    gc.collect()
    others = [golden.zeros(20, np.int32) for _ in range(8)]
    assert (part.to_numpy() == -1).all(), others
    for wrong in (1, slice(0, 4, 2), slice(None, None, -1), (slice(1), slice(1)), Ellipsis):
        with pytest.raises(TypeError, match="part of a device's array"):
            part[wrong]


def test_what_is_dropped_is_free_again():
    with weft.Device("golden", memory=1 << 20, warps=1, threads=4) as device:
        array = device.empty(200_000)
        with pytest.raises(MemoryError, match="800000 bytes .* memory=N"):
            device.empty(200_000)
        part = array[10:]
        del array
        with pytest.raises(MemoryError):
            device.empty(200_000)
        del part
        for _ in range(10):
            assert device.zeros(200_000).to_numpy()[-1] == 0


def test_a_closed_device_is_told():
    with weft.Device("golden", memory=1 << 20) as device:
        module = weft.compile("kernel void k(global int *p) { *p = 1; }", "opencl", device)
        array = device.zeros(1, np.int32)
        module.k[1, 1](array)
        assert array.to_numpy()[0] == 1
    assert repr(device) == f"<weft.Device {device._number}, closed>"
    for use in (array.to_numpy, lambda: device.zeros(1), lambda: module.k[1, 1](array), lambda: array.address):
        with pytest.raises(RuntimeError, match="the device is closed"):
            use()
    device.close()


def test_what_a_device_has_not_is_refused(golden):
    with pytest.raises(TypeError, match="Python's numbers are float64: dtype=numpy.float32, or float64 if"):
        golden.array([0.5, 1.5])
    with pytest.raises(TypeError, match="i4: the bytes stand in the other order; .astype.numpy.int32"):
        golden.array(np.arange(3, dtype=">i4" if sys.byteorder == "little" else "<i4"))
    for text in ("ab", b"ab"):
        with pytest.raises(TypeError, match="frombuffer"):
            golden.array(text)
    for wrong in (np.array(["a"]), np.array([1j]), np.array([True]), np.array([1], np.float16)):
        with pytest.raises(TypeError, match="a device's array has elements of"):
            golden.array(wrong)
    with pytest.raises(ValueError, match="negative"):
        golden.empty(-1)
    with pytest.raises(MemoryError, match="32 bits"):
        golden.empty((1 << 20, 1 << 12))
    array = golden.zeros(4, np.int32)
    with pytest.raises(ValueError, match="shape"):
        array.copy_from(np.zeros(5, np.int32))
    for wrong, kind, what in [
        (np.zeros(4, np.float32), TypeError, "float32 into int32"),
        (np.zeros(4, np.int64), TypeError, "int64 into int32"),
        ([0.5, 1, 2, 3], TypeError, "float64 into int32"),
        ([1 << 31, 1, 2, 3], ValueError, "int32"),
    ]:
        with pytest.raises(kind, match=what):
            array.copy_from(wrong)
    golden.empty(2, np.uint8).copy_from([0, 255])
    with pytest.raises(TypeError, match="bytes are for elements of one byte"):
        array.copy_from(bytes(16))
    array.copy_from([-1, 1, 2, 3])
    assert array.to_numpy().tolist() == [-1, 1, 2, 3]
    with pytest.raises(ValueError, match="copied"):
        np.asarray(array, copy=False)


def test_sizes_are_checked():
    for wrong, what in [
        ({"threads": 12}, "power of two"),
        ({"warps": 0}, "warps=0: 1 to 64"),
        ({"sms": 9}, "sms=9"),
        ({"stack": 1000}, "stack=1000"),
        ({"limit": 0}, "limit=0"),
        ({"memory": 1 << 40}, "^memory=1099511627776: 65536 to 1073741824$"),
        ({"memory": -1}, "memory=-1: 65536"),
        ({"stack": 1 << 70}, r"stack=1180591620717411303424\): that is no size"),
        ({"memory": 1 << 30, "stack": 1 << 20, "warps": 64, "threads": 64},
         "memory=1073741824, stack=1048576 for each of 4096 threads, and .* 2 GiB at most"),
    ]:
        with pytest.raises(ValueError, match=what):
            weft.Device("golden", **wrong)
    with pytest.raises(ValueError, match='no device "gold"'):
        weft.Device("gold")
    with pytest.raises(TypeError, match="warp=…"):
        weft.Device("golden", warp=4)
    for wrong in (1.5, "4", True, None):
        with pytest.raises(TypeError, match=r"Device\(…, warps=.*\): a whole number"):
            weft.Device("golden", warps=wrong)
    assert weft.Device("golden", warps=np.int64(2), memory=1 << 20).sizes["warps"] == 2
    device = weft.Device("golden", warps=2, threads=8, memory=1 << 20)
    assert (device.sizes["warps"], device.sizes["threads"], device.name) == (2, 8, "golden")
