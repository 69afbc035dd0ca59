/*
 * Several kernels of one program in a queue without order, tied by events, with profiling and a callback: squares of numbers,
 * their sums by groups, and the scan of these by one group.
 */
#include "host.h"

static const char *TEXT =
    "kernel void squares(global uint *out, global const uint *in) { size_t i = get_global_id(0); out[i] = in[i] * in[i]; }\n"
    "kernel void sums(global uint *out, global const uint *in, local uint *part)\n"
    "{\n"
    "    size_t l = get_local_id(0);\n"
    "    part[l] = in[get_global_id(0)];\n"
    "    for (size_t n = get_local_size(0) / 2; n > 0; n /= 2) {\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        if (l < n)\n"
    "            part[l] += part[l + n];\n"
    "    }\n"
    "    if (l == 0)\n"
    "        out[get_group_id(0)] = part[0];\n"
    "}\n"
    "kernel void scan(global uint *a, uint n)\n"
    "{\n"
    "    for (uint step = 1; step < n; step *= 2) {\n"
    "        uint l = get_local_id(0), before = l >= step ? a[l - step] : 0;\n"
    "        barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "        a[l] += before;\n"
    "        barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "    }\n"
    "}\n";

enum { GROUP = 16, GROUPS = 8, ITEMS = GROUP * GROUPS };

static volatile int callbacks;

static void CL_CALLBACK over(cl_event event, cl_int status, void *user)
{
    (void)event;
    callbacks += status == CL_COMPLETE ? *(int *)user : 1000;
}

static cl_ulong cycles(cl_event event)
{
    cl_ulong times[4];
    const cl_profiling_info names[] = {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT, CL_PROFILING_COMMAND_START,
                                       CL_PROFILING_COMMAND_END};
    for (int k = 0; k < 4; k++) {
        CHECK(clGetEventProfilingInfo(event, names[k], sizeof times[k], &times[k], NULL));
        MUST(k == 0 || times[k] >= times[k - 1]);
    }
    return (times[3] - times[2]) / 20;
}

int main(void)
{
    gpu g = opened();
    cl_command_queue queue;
    MADE(queue, clCreateCommandQueue(g.context, g.device,
                                     CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code));
    cl_uint in[ITEMS], out[GROUPS], wanted[GROUPS] = {0}, n = GROUPS;
    for (cl_uint i = 0; i < ITEMS; i++) {
        in[i] = 3 * i + 1;
        wanted[i / GROUP] += in[i] * in[i];
    }
    for (int k = 1; k < GROUPS; k++)
        wanted[k] += wanted[k - 1];
    cl_mem in_, squares_, sums_;
    MADE(in_, clCreateBuffer(g.context, CL_MEM_READ_ONLY, sizeof in, NULL, &code));
    MADE(squares_, clCreateBuffer(g.context, CL_MEM_READ_WRITE, sizeof in, NULL, &code));
    MADE(sums_, clCreateBuffer(g.context, CL_MEM_READ_WRITE, sizeof out, NULL, &code));
    cl_program program = built(g, TEXT, "-cl-std=CL1.2 -Werror");
    cl_kernel kernels[3];
    cl_uint found;
    CHECK(clCreateKernelsInProgram(program, 3, kernels, &found));
    MUST(found == 3);
    cl_kernel squares = NULL, sums = NULL, scan = NULL;
    for (int k = 0; k < 3; k++) {
        char name[16];
        CHECK(clGetKernelInfo(kernels[k], CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL));
        *(strcmp(name, "squares") == 0 ? &squares : strcmp(name, "sums") == 0 ? &sums : &scan) = kernels[k];
    }
    CHECK(clSetKernelArg(squares, 0, sizeof squares_, &squares_));
    CHECK(clSetKernelArg(squares, 1, sizeof in_, &in_));
    CHECK(clSetKernelArg(sums, 0, sizeof sums_, &sums_));
    CHECK(clSetKernelArg(sums, 1, sizeof squares_, &squares_));
    CHECK(clSetKernelArg(sums, 2, GROUP * sizeof(cl_uint), NULL));
    CHECK(clSetKernelArg(scan, 0, sizeof sums_, &sums_));
    CHECK(clSetKernelArg(scan, 1, sizeof n, &n));

    /* Nothing begins before the gate is open. */
    size_t items = ITEMS, group = GROUP, last = GROUPS;
    cl_event gate, written, ran[3], read;
    MADE(gate, clCreateUserEvent(g.context, &code));
    CHECK(clEnqueueWriteBuffer(queue, in_, CL_FALSE, 0, sizeof in, in, 1, &gate, &written));
    CHECK(clEnqueueNDRangeKernel(queue, squares, 1, NULL, &items, NULL, 1, &written, &ran[0]));
    CHECK(clEnqueueNDRangeKernel(queue, sums, 1, NULL, &items, &group, 1, &ran[0], &ran[1]));
    CHECK(clEnqueueNDRangeKernel(queue, scan, 1, NULL, &last, &last, 1, &ran[1], &ran[2]));
    CHECK(clEnqueueReadBuffer(queue, sums_, CL_FALSE, 0, sizeof out, out, 1, &ran[2], &read));
    int one = 1;
    CHECK(clSetEventCallback(ran[2], CL_COMPLETE, over, &one));
    CHECK(clFlush(queue));
    cl_int status;
    CHECK(clGetEventInfo(read, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    MUST(status > CL_COMPLETE);
    CHECK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK(clWaitForEvents(1, &read));
    MUST(memcmp(out, wanted, sizeof out) == 0);
    CHECK(clFinish(queue));
    for (int tries = 0; callbacks == 0 && tries < 100000000; tries++)
        ;
    MUST(callbacks == 1);
    printf("%s: squares, sums and scan are right after %lu, %lu and %lu cycles\n", g.name, (unsigned long)cycles(ran[0]),
           (unsigned long)cycles(ran[1]), (unsigned long)cycles(ran[2]));
    for (int k = 0; k < 3; k++) {
        CHECK(clReleaseEvent(ran[k]));
        CHECK(clReleaseKernel(kernels[k]));
    }
    CHECK(clReleaseEvent(gate));
    CHECK(clReleaseEvent(written));
    CHECK(clReleaseEvent(read));
    CHECK(clReleaseMemObject(in_));
    CHECK(clReleaseMemObject(squares_));
    CHECK(clReleaseMemObject(sums_));
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseCommandQueue(queue));
    CHECK(clReleaseContext(g.context));
    return 0;
}
