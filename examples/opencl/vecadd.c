/* c = a + b: a platform, a device, a queue, three buffers, one kernel. Nothing in it knows of Weft. */
#include "host.h"

static const char *TEXT =
    "kernel void vecadd(global const float *a, global const float *b, global float *c, uint n)\n"
    "{\n"
    "    size_t i = get_global_id(0);\n"
    "    if (i < n)\n"
    "        c[i] = a[i] + b[i];\n"
    "}\n";

int main(int count, char **words)
{
    cl_uint n = count > 1 ? (cl_uint)atoi(words[1]) : 1000;
    size_t bytes = n * sizeof(float), group = 16, items = (n + group - 1) / group * group;
    gpu g = opened();
    cl_command_queue queue;
    MADE(queue, clCreateCommandQueue(g.context, g.device, 0, &code));
    float *a = malloc(bytes), *b = malloc(bytes), *c = malloc(bytes);
    for (cl_uint i = 0; i < n; i++)
        a[i] = (float)i, b[i] = 0.5f * (float)i;
    cl_mem a_, b_, c_;
    MADE(a_, clCreateBuffer(g.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, a, &code));
    MADE(b_, clCreateBuffer(g.context, CL_MEM_READ_ONLY, bytes, NULL, &code));
    MADE(c_, clCreateBuffer(g.context, CL_MEM_WRITE_ONLY, bytes, NULL, &code));
    CHECK(clEnqueueWriteBuffer(queue, b_, CL_FALSE, 0, bytes, b, 0, NULL, NULL));
    cl_program program = built(g, TEXT, "");
    cl_kernel kernel;
    MADE(kernel, clCreateKernel(program, "vecadd", &code));
    CHECK(clSetKernelArg(kernel, 0, sizeof a_, &a_));
    CHECK(clSetKernelArg(kernel, 1, sizeof b_, &b_));
    CHECK(clSetKernelArg(kernel, 2, sizeof c_, &c_));
    CHECK(clSetKernelArg(kernel, 3, sizeof n, &n));
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(queue, c_, CL_TRUE, 0, bytes, c, 0, NULL, NULL));
    for (cl_uint i = 0; i < n; i++)
        MUST(c[i] == 1.5f * (float)i);
    CHECK(clReleaseKernel(kernel));
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseMemObject(a_));
    CHECK(clReleaseMemObject(b_));
    CHECK(clReleaseMemObject(c_));
    CHECK(clReleaseCommandQueue(queue));
    CHECK(clReleaseContext(g.context));
    free(a), free(b), free(c);
    printf("%s: vecadd of %u is right\n", g.name, n);
    return 0;
}
