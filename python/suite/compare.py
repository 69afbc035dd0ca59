"""The suite's kernels on Weft and on other OpenCL devices that PyOpenCL finds, such as PoCL: each result compared with numpy,
and Weft's with the other's, bit by bit (docs/opencl.md).

    python3 -m venv venv && venv/bin/pip install pyopencl numpy pocl-binary-distribution
    mkdir -p icd && eval "$(cargo weft cl env)" && echo "$OCL_ICD_VENDORS" > icd/weft.icd
    OCL_ICD_VENDORS=$PWD/icd venv/bin/python python/suite/compare.py
"""

import re
import sys

import elements
import grids
import groups
import matrices
import numpy as np
import pyopencl as cl
from bench import Bench

CASES = elements.CASES + matrices.CASES + grids.CASES + groups.CASES
SCALARS = {"int": np.int32, "uint": np.uint32, "float": np.float32}


class Buffer:
    """An array of a device, and parts of it."""

    def __init__(self, context, queue, values):
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
        self.queue, self.kind, self.count = queue, values.dtype, values.size
        self.buffer = cl.Buffer(context, flags, hostbuf=np.ascontiguousarray(values))

    def __getitem__(self, part):
        size = self.kind.itemsize
        return self.buffer.get_sub_region(part.start * size, (part.stop - part.start) * size)

    def to_numpy(self):
        found = np.empty(self.count, self.kind)
        cl.enqueue_copy(self.queue, found, self.buffer)
        return found


class Device:
    """What a bench asks of its device."""

    def __init__(self, device):
        self.context = cl.Context([device])
        self.queue = cl.CommandQueue(self.context)

    def array(self, values):
        return Buffer(self.context, self.queue, values)


class ClBench(Bench):
    """The same by PyOpenCL."""

    def __init__(self, device, group):
        super().__init__(Device(device), group)

    def local(self, size):
        return cl.LocalMemory(size)

    def compile(self, path, options):
        program = cl.Program(self.device.context, path.read_text())
        return program.build(f"{options} -cl-std=CL1.2 -cl-kernel-arg-info".strip())

    def launch(self, module, kernel, grid, group, given):
        function = cl.Kernel(module, kernel)
        values = [self.typed(function, at, value) for at, value in enumerate(given)]
        items = tuple(groups * side for groups, side in zip(grid, group))
        function(self.device.queue, items, group, *values)
        self.device.queue.finish()
        return dict.fromkeys(self.counts, 0)

    def typed(self, function, at, value):
        if isinstance(value, (cl.MemoryObject, cl.LocalMemory)):
            return value
        name, width = re.fullmatch(r"([a-z]+)(\d*)", function.get_arg_info(at, cl.kernel_arg_info.TYPE_NAME)).groups()
        if width:
            return getattr(cl.cltypes, f"make_{name}{width}")(*value)
        return SCALARS[name](value)


def results(case, bench, n):
    """All arrays as the case leaves them; it has compared its result with numpy."""
    bench.clear()
    case(bench, n)
    return [array.read() for array in bench.arrays]


def distance(one, other):
    """In units of the last place, of the largest difference; 0: the same bits."""
    if one.tobytes() == other.tobytes():
        return 0
    if one.dtype != np.float32:
        return float("inf")
    unit = np.spacing(np.maximum(np.abs(one), np.abs(other)).max())
    return float(np.abs(one.astype(float) - other).max() / unit)


def main():
    devices = [device for platform in cl.get_platforms() for device in platform.get_devices()]
    mine = [device for device in devices if device.name.startswith("Weft")]
    others = [device for device in devices if device not in mine]
    if not mine or not others:
        sys.exit(f"Weft and another device are wanted; there is {[device.name for device in devices]}")
    wrong = 0
    for other in others:
        same, close = [], {}
        for case in CASES:
            found = [results(case, ClBench(device, 16), 509) for device in (mine[0], other)]
            most = max(distance(a, b) for a, b in zip(*found, strict=True))
            if most == 0:
                same.append(case.__name__)
            else:
                close[case.__name__] = most
            print(f"{case.__name__:<20} {'the same bits' if most == 0 else f'{most:.2g} units of the largest'}", flush=True)
            wrong += most > 64
        print(f"{mine[0].name} and {other.name.strip()} ({other.platform.version.strip()}): {len(CASES)} kernels are right by",
              f"numpy on both; {len(same)} have the same bits, the others differ by {max(close.values(), default=0):.2g} units",
              "of the last place of the largest element at most")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
