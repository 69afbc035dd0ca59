"""What PyOpenCL makes kernels for by itself, against numpy: arrays, elementwise, reduction, scan, filters, random numbers;
and what a kernel prints, one that faults, one that does not compile (docs/opencl.md)."""
import sys

import numpy as np
import pyopencl as cl
import pyopencl.array as array
from pyopencl.algorithm import copy_if
from pyopencl.clrandom import PhiloxGenerator
from pyopencl.elementwise import ElementwiseKernel
from pyopencl.reduction import ReductionKernel
from pyopencl.scan import InclusiveScanKernel

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
group = context.devices[0].max_work_group_size
numbers = np.random.default_rng(1)


def sizes():
    """One, around a warp and a group, a prime."""
    return [1, 31, 33, group - 1, group + 1, 1009]


def arrays():
    for n in sizes():
        a, b = (numbers.random(n, dtype=np.float32) for _ in range(2))
        a_, b_ = array.to_device(queue, a), array.to_device(queue, b)
        assert np.allclose((a_ + 2 * b_ - a_ * b_).get(), a + 2 * b - a * b)
        assert (a_[n // 2:].get() == a[n // 2:]).all()


def elementwise():
    kernel = ElementwiseKernel(context, "int *x, int *y, int f", "y[i] = f * x[i] - y[i]", "line")
    for n in sizes():
        x, y = (numbers.integers(-1000, 1000, n).astype(np.int32) for _ in range(2))
        y_ = array.to_device(queue, y)
        kernel(array.to_device(queue, x), y_, np.int32(7))
        assert (y_.get() == 7 * x - y).all()


def reduction():
    dot = ReductionKernel(context, np.int32, neutral="0", reduce_expr="a+b", map_expr="x[i]*y[i]",
                          arguments="__global int *x, __global int *y")
    for n in sizes():
        x, y = (numbers.integers(-100, 100, n).astype(np.int32) for _ in range(2))
        assert dot(array.to_device(queue, x), array.to_device(queue, y)).get() == x @ y


def scan():
    kernel = InclusiveScanKernel(context, np.int32, "a+b", neutral="0")
    for n in [1, 33, 1009]:
        x = numbers.integers(0, 100, n).astype(np.int32)
        x_ = array.to_device(queue, x)
        kernel(x_)
        assert (x_.get() == np.cumsum(x)).all()


def filters():
    x = numbers.integers(0, 1000, 777).astype(np.int32)
    kept, count, _ = copy_if(array.to_device(queue, x), "ary[i] > 500")
    assert (kept.get()[:count.get()] == x[x > 500]).all()


def random():
    x = PhiloxGenerator(context, seed=3).uniform(queue, (4001,), np.float32).get()
    assert 0 <= x.min() and x.max() <= 1 and abs(x.mean() - 0.5) < 0.03


def prints():
    text = 'kernel void say(float x) { printf("work-item %d: %5.2f %v4d\\n", (int)get_global_id(0), x, (int4)(1,2,3,4)); }'
    cl.Program(context, text).build().say(queue, (2,), None, np.float32(1.5))
    queue.finish()


def faults():
    text = "kernel void bad(global int *p) {\n    p[0x30000000] = 1;\n}"
    word = array.zeros(queue, 1, np.int32)
    kernel = cl.Program(context, text).build().bad
    kernel(queue, (1,), None, word.data)
    try:
        queue.finish()
        raise AssertionError("nobody has been told")
    except cl.RuntimeError as error:
        assert error.code == cl.status_code.OUT_OF_RESOURCES, error
    assert (word + 5).get()[0] == 5


def errors():
    try:
        cl.Program(context, "kernel void k(global int *p) {\n    p[0] = nothing;\n}").build()
        raise AssertionError("it is built")
    except cl.RuntimeError as error:
        assert "<source>:2:12: error: use of undeclared identifier 'nothing'" in str(error), error


for test in [arrays, elementwise, reduction, scan, filters, random, prints, faults, errors]:
    test()
    print(test.__name__, "is right")
    sys.stdout.flush()
