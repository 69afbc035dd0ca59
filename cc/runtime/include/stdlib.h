/* stdlib.h of programs that `weft cc` builds. */
#ifndef WEFT_STDLIB_H
#define WEFT_STDLIB_H

#include <alloca.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 0x7fffffff

/* The thread, and its warp, stop with a fault. */
__attribute__((noreturn, cold)) void abort(void);
/* The thread ends. The first code of a thread that is not 0 becomes that of `weft run`. */
__attribute__((noreturn)) void exit(int code);
int atexit(void (*function)(void));

/* A part of the heap for each thread of the grid; NULL when it is full. Any thread may free. */
void *malloc(size_t bytes);
void *calloc(size_t count, size_t bytes);
void *realloc(void *old, size_t bytes);
void free(void *old);

/* Numbers of the thread's own, from srand(1) on unless it says something else. */
int rand(void);
void srand(unsigned seed);

void qsort(void *base, size_t count, size_t bytes, int (*compare)(const void *, const void *));
void *bsearch(const void *key, const void *base, size_t count, size_t bytes,
              int (*compare)(const void *, const void *));

int atoi(const char *text);
long atol(const char *text);
long long atoll(const char *text);
long strtol(const char *text, char **end, int base);
unsigned long strtoul(const char *text, char **end, int base);
long long strtoll(const char *text, char **end, int base);
unsigned long long strtoull(const char *text, char **end, int base);

typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;
static inline int abs(int number) { return number < 0 ? -number : number; }
static inline long labs(long number) { return number < 0 ? -number : number; }
static inline long long llabs(long long number) { return number < 0 ? -number : number; }
static inline div_t div(int n, int by) { div_t both = {n / by, n % by}; return both; }
static inline ldiv_t ldiv(long n, long by) { ldiv_t both = {n / by, n % by}; return both; }
static inline lldiv_t lldiv(long long n, long long by) { lldiv_t both = {n / by, n % by}; return both; }

#ifdef __cplusplus
}
#endif
#endif
