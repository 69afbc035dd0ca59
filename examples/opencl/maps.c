/* Parts of a buffer, maps, rectangles and fills, memory of the host; a kernel that prints; errors that a host must be told. */
#include "host.h"

static const char *TEXT =
    "kernel void twice(global int *a) { a[get_global_id(0)] *= 2; }\n"
    "kernel void say(global const int *a, float2 v)\n"
    "{\n"
    "    size_t i = get_global_id(0);\n"
    "    printf(\"item %d has %d, %.1v2hlf\\n\", (int)i, a[i], v);\n"
    "}\n";

enum { W = 8, H = 6, PART = 64 };

int main(void)
{
    gpu g = opened();
    cl_command_queue queue;
    MADE(queue, clCreateCommandQueue(g.context, g.device, 0, &code));
    cl_program program = built(g, TEXT, "");
    cl_kernel twice, say;
    MADE(twice, clCreateKernel(program, "twice", &code));
    MADE(say, clCreateKernel(program, "say", &code));

    /* The second part alone is doubled. Parts begin at multiples of the device's alignment. */
    cl_uint bits;
    CHECK(clGetDeviceInfo(g.device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof bits, &bits, NULL));
    MUST(PART * sizeof(int) % (bits / 8) == 0);
    int own[2 * PART];
    for (int i = 0; i < 2 * PART; i++)
        own[i] = i;
    cl_mem whole, part;
    MADE(whole, clCreateBuffer(g.context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, sizeof own, own, &code));
    cl_buffer_region region = {PART * sizeof(int), PART * sizeof(int)};
    MADE(part, clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
    size_t items = PART;
    CHECK(clSetKernelArg(twice, 0, sizeof part, &part));
    CHECK(clEnqueueNDRangeKernel(queue, twice, 1, NULL, &items, NULL, 0, NULL, NULL));
    int *seen;
    MADE(seen, clEnqueueMapBuffer(queue, whole, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, sizeof own, 0, NULL, NULL, &code));
    MUST(seen == own);
    for (int i = 0; i < 2 * PART; i++)
        MUST(seen[i] == (i < PART ? i : 2 * i));
    seen[PART] = 7;
    CHECK(clEnqueueUnmapMemObject(queue, whole, seen, 0, NULL, NULL));

    /* What was written through the map is what the kernel prints. */
    cl_float2 v = {{1.5f, -2}};
    size_t two = 2;
    CHECK(clSetKernelArg(say, 0, sizeof part, &part));
    CHECK(clSetKernelArg(say, 1, sizeof v, &v));
    CHECK(clEnqueueNDRangeKernel(queue, say, 1, NULL, &two, NULL, 0, NULL, NULL));
    CHECK(clFinish(queue));

    /* A rectangle of 3 x 4 bytes of a plane of fives. */
    cl_mem plane;
    MADE(plane, clCreateBuffer(g.context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, W * H, NULL, &code));
    unsigned char five = 5, box[12], back[W * H];
    memset(box, 9, sizeof box);
    CHECK(clEnqueueFillBuffer(queue, plane, &five, 1, 0, W * H, 0, NULL, NULL));
    size_t at[3] = {2, 1, 0}, start[3] = {0, 0, 0}, size[3] = {3, 4, 1};
    CHECK(clEnqueueWriteBufferRect(queue, plane, CL_FALSE, at, start, size, W, 0, 3, 0, box, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(queue, plane, CL_TRUE, 0, sizeof back, back, 0, NULL, NULL));
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            MUST(back[y * W + x] == (x >= 2 && x < 5 && y >= 1 && y < 5 ? 9 : 5));

    /* What is wrong is told by the code of the standard, and nothing is done. */
    size_t odd = 3;
    MUST(clEnqueueNDRangeKernel(queue, twice, 1, NULL, &items, &odd, 0, NULL, NULL) == CL_INVALID_WORK_GROUP_SIZE);
    MUST(clSetKernelArg(say, 2, 4, &five) == CL_INVALID_ARG_INDEX);
    MUST(clSetKernelArg(say, 1, 4, &v) == CL_INVALID_ARG_SIZE);
    MUST(clEnqueueReadBuffer(queue, plane, CL_TRUE, W * H, 1, back, 0, NULL, NULL) == CL_INVALID_VALUE);

    CHECK(clReleaseMemObject(part));
    CHECK(clReleaseMemObject(whole));
    CHECK(clReleaseMemObject(plane));
    CHECK(clReleaseKernel(twice));
    CHECK(clReleaseKernel(say));
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseCommandQueue(queue));
    CHECK(clReleaseContext(g.context));
    printf("%s: parts, maps, rectangles and refusals are right\n", g.name);
    return 0;
}
