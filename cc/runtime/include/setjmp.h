/* Jumps out of functions: setjmp.h of programs that `weft cc` builds. */
#ifndef WEFT_SETJMP_H
#define WEFT_SETJMP_H

#ifdef __cplusplus
extern "C" {
#endif

/* ra, s0 to s11, sp */
typedef int jmp_buf[14];

int setjmp(jmp_buf to) __attribute__((returns_twice));
void longjmp(jmp_buf to, int value) __attribute__((noreturn));
#define setjmp(to) setjmp(to)

#ifdef __cplusplus
}
#endif
#endif
