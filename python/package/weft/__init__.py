"""Kernels in C and OpenCL C on numpy arrays, on a Weft GPU: its golden model, or its hardware in simulation.

    import numpy, weft

    module = weft.compile('''
        kernel void saxpy(float a, global const float *x, global float *y) {
            size_t i = get_global_id(0);
            y[i] += a * x[i];
        }''', language="opencl")
    x, y = numpy.arange(64, dtype=numpy.float32), numpy.ones(64, numpy.float32)
    counters = module.saxpy[4, 16](2.5, x, y)        # 4 CTAs of 16 threads

docs/python.md of the repository has the whole of it.
"""

from ._native import __version__
from .arguments import Parameter, local
from .device import Device, DeviceArray, default_device
from .errors import CompileError, Error, LaunchError, LimitError
from .module import Kernel, Launch, Module, compile

__all__ = [
    "CompileError",
    "Device",
    "DeviceArray",
    "Error",
    "Kernel",
    "Launch",
    "LaunchError",
    "LimitError",
    "Module",
    "Parameter",
    "__version__",
    "compile",
    "default_device",
    "local",
]
