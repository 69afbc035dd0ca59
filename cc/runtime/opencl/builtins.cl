/*
 * Bodies of the built-in functions of OpenCL C (docs/spec/opencl.md, CL-003).
 * Compiled once, to bitcode; the compiler takes from it what a kernel calls, before it optimises.
 */
#pragma OPENCL FP_CONTRACT OFF

#define OVERLOAD __attribute__((overloadable))
/* The result depends on nothing but the arguments and the launch. */
#define PURE __attribute__((overloadable, const))

#include "work.cl"
