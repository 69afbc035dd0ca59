/* Functions of the C library that end a thread. There is no heap. */
#ifndef WEFT_STDLIB_H
#define WEFT_STDLIB_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The thread, and its warp, stop with a fault. */
__attribute__((noreturn, cold)) void abort(void);
/* The thread ends; nobody is told the code. */
__attribute__((noreturn)) void exit(int code);
static inline int abs(int number) { return number < 0 ? -number : number; }

#ifdef __cplusplus
}
#endif
#endif
