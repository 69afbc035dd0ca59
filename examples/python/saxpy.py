"""A kernel on numpy arrays by the package weft (docs/python.md): pip install ./python, then python examples/python/saxpy.py"""
import numpy as np
import weft

module = weft.compile("""
kernel void saxpy(float a, global const float *x, global float *y) {
    size_t i = get_global_id(0);
    y[i] += a * x[i];
}""", language="opencl")
n = 1 << 20
x, y = np.arange(n, dtype=np.float32), np.ones(n, np.float32)
counters = module.saxpy[n // 512, 512](2, x, y)  # 2,048 CTAs of 512 threads
assert (y == 2 * x + 1).all()
print(f"saxpy of {n} is right after {counters['instructions']} instructions of warps,",
      f"{counters['simd_efficiency']:.1%} of the lanes at work")
