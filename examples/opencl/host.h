/* What the hosts in C share: every call is checked, and the first device of the first platform is taken. */
#ifndef HOST_H
#define HOST_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void checked(cl_int code, const char *what, int line)
{
    if (code != CL_SUCCESS) {
        fprintf(stderr, "line %d: %s: error %d\n", line, what, code);
        exit(1);
    }
}
/* A call that returns its code, and one that puts it into `code`. */
#define CHECK(call) checked(call, #call, __LINE__)
#define MADE(variable, call) \
    do { \
        cl_int code; \
        variable = call; \
        checked(code, #call, __LINE__); \
    } while (0)
#define MUST(condition) checked(condition ? CL_SUCCESS : 1, #condition, __LINE__)

typedef struct {
    cl_device_id device;
    cl_context context;
    char name[64];
} gpu;

static void CL_CALLBACK told(const char *text, const void *data, size_t size, void *user)
{
    (void)data, (void)size, (void)user;
    fprintf(stderr, "context: %s\n", text);
}

static gpu opened(void)
{
    gpu g;
    cl_platform_id platform;
    CHECK(clGetPlatformIDs(1, &platform, NULL));
    CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &g.device, NULL));
    CHECK(clGetDeviceInfo(g.device, CL_DEVICE_NAME, sizeof g.name, g.name, NULL));
    cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0};
    MADE(g.context, clCreateContext(properties, 1, &g.device, told, NULL, &code));
    return g;
}

/* The program, or what the compiler says of it. */
static cl_program built(gpu g, const char *text, const char *options)
{
    cl_program program;
    MADE(program, clCreateProgramWithSource(g.context, 1, &text, NULL, &code));
    cl_int code = clBuildProgram(program, 1, &g.device, options, NULL, NULL);
    if (code != CL_SUCCESS) {
        static char log[1 << 16];
        CHECK(clGetProgramBuildInfo(program, g.device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
        fprintf(stderr, "%s\n", log);
    }
    checked(code, "clBuildProgram", __LINE__);
    return program;
}

#endif
