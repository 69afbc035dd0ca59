/*
 * Bodies of the built-in functions of OpenCL C (docs/spec/opencl.md, CL-003).
 * Compiled once, to bitcode; the compiler takes from it what a kernel calls, before it optimises.
 */
#define OVERLOAD __attribute__((overloadable))
/* The result depends on nothing but the arguments. */
#define PURE __attribute__((overloadable, const))

#include "vectors.h"

#include "work.cl"
#include "integer.cl"
#include "math.cl"
#include "math_gamma.cl"
#include "math_vectors.cl"
#include "common.cl"
#include "memory.cl"
