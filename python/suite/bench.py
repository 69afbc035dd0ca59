"""What the kernels of the suite share: arrays with guards around them, launches with padded ranges, sums of counters."""

import pathlib

import numpy as np

KERNELS = pathlib.Path(__file__).resolve().parents[2] / "kernels/opencl"
#: Bytes before and behind an array that nobody may write: as many as a part of a buffer is aligned to.
GUARD = 128
#: Bytes of a beat of the memory port, and lanes of the hardware that the table is made on.
BEAT, LANES = 8, 4


class Array:
    """An array on the device, with guards around it."""

    def __init__(self, device, values):
        self.shape, kind = values.shape, values.dtype
        self.edge = np.frombuffer(bytes([0xA5]) * GUARD, kind)
        self.whole = device.array(np.concatenate([self.edge, values.ravel(), self.edge]))
        self.argument = self.whole[self.edge.size : self.edge.size + values.size]

    def read(self):
        """The elements; nobody has written around them."""
        found = self.whole.to_numpy()
        edge = self.edge.size
        before, flat, behind = found[:edge], found[edge:-edge], found[-edge:]
        assert before.tobytes() == behind.tobytes() == self.edge.tobytes(), "the guard words have been written"
        return flat.reshape(self.shape)


class Bench:
    """Runs the launches of one kernel's host by the package weft. `group` is how many work-items a group may have."""

    def __init__(self, device, group):
        self.device, self.group = device, group
        self.modules = {}
        self.clear()

    def clear(self):
        """Before the next kernel."""
        self.counts = {"cycles": 0, "instructions": 0, "thread_instructions": 0, "launches": 0}
        self.arrays = []
        self.read_bytes = self.written_bytes = 0

    def module(self, file, options):
        key = file, options
        if key not in self.modules:
            self.modules[key] = self.compile(KERNELS / file, options)
        return self.modules[key]

    def compile(self, path, options):
        import weft  # another OpenCL does without it

        return weft.compile(path, device=self.device, options=options)

    def launch(self, module, kernel, grid, group, given):
        return module[kernel][grid, group](*given)

    def array(self, values, kind=None):
        """What kernels read."""
        values = np.ascontiguousarray(values, kind)
        self.read_bytes += values.nbytes
        array = Array(self.device, values)
        self.arrays.append(array)
        return array

    def result(self, shape, kind=np.float32, fill=0):
        """What kernels write."""
        array = self.array(np.full(shape, fill, kind))
        self.read_bytes -= array.read().nbytes
        self.written_bytes += array.read().nbytes
        return array

    def both(self, values, kind=None):
        """What kernels change in place."""
        array = self.array(values, kind)
        self.written_bytes += array.read().nbytes
        return array

    def line(self, most=None):
        """A group in one direction."""
        return (min(self.group, most or self.group),)

    def square(self, edge=None):
        """A group in two directions that is no square, unless its edge is given."""
        if edge:
            return (edge, edge)
        across = 1 << (self.group.bit_length() // 2)
        return (across, self.group // across)

    def local(self, size):
        """Local memory."""
        import weft

        return weft.local(size)

    def run(self, file, kernel, items, group, *arguments, options=""):
        """Launches groups for at least so many work-items."""
        items = items if isinstance(items, tuple) else (items,)
        grid = tuple(max(1, -(-many // side)) for many, side in zip(items, group))
        given = [value.argument if isinstance(value, Array) else value for value in arguments]
        counters = self.launch(self.module(file, options), kernel, grid, group, given)
        for name in self.counts:
            self.counts[name] += counters[name] or 0

    def guarded(self):
        """No guard of any array has been written."""
        for array in self.arrays:
            array.read()

    def roofline(self, thread_instructions):
        """Cycles that nothing can beat: each lane works always, or a beat goes each way in every cycle."""
        beats = max(self.read_bytes, self.written_bytes) / BEAT
        return max(thread_instructions / LANES, beats)


def near(found, wanted, parts=2e-6):
    """To so many parts of the largest."""
    wanted = np.asarray(wanted, np.float64)
    assert found.shape == wanted.shape
    scale = max(1.0, np.abs(wanted).max(initial=0))
    error = np.abs(found - wanted).max(initial=0)
    assert error <= parts * scale, f"off by {error}, of {scale}"


def same(found, wanted):
    wanted = np.asarray(wanted)
    assert found.shape == wanted.shape and (found == wanted).all(), f"{found} and not {wanted}"


def numbers(n):
    return np.random.default_rng(n)


def floats(random, *shape):
    return (random.random(shape) * 3 - 1.5).astype(np.float32)
