"""Ten lines of PyOpenCL; nothing in them knows of Weft (docs/opencl.md)."""
import numpy as np
import pyopencl as cl

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)
program = cl.Program(context, """
kernel void saxpy(float a, global const float *x, global float *y) {
    size_t i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}""").build()
x, y = np.arange(1009, dtype=np.float32), np.ones(1009, dtype=np.float32)
flags = cl.mem_flags.COPY_HOST_PTR
x_, y_ = (cl.Buffer(context, cl.mem_flags.READ_WRITE | flags, hostbuf=v) for v in (x, y))
event = program.saxpy(queue, x.shape, None, np.float32(2), x_, y_)
result = np.empty_like(y)
cl.enqueue_copy(queue, result, y_)
assert (result == 2 * x + y).all()
print(context.devices[0].name, "saxpy of", len(x), "is right after",
      (event.profile.end - event.profile.start) // 20, "cycles")
