/*
 * stdio.h of programs that `weft cc` builds. A thread notes what it prints in a part of a buffer that is its own;
 * `weft run` formats it at the end and shows the threads' output in the order of their numbers.
 */
#ifndef WEFT_STDIO_H
#define WEFT_STDIO_H

#include <stdarg.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EOF (-1)

/* All conversions of C but %n, and no long double. Returns 0, or EOF when the thread's part of the buffer is full. */
int printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
int vprintf(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));
int puts(const char *text);
int putchar(int character);

/* There are no files but these two, which both go where printf's output goes. */
typedef struct weft_file FILE;
#define stdout ((FILE *)1)
#define stderr ((FILE *)2)
int fprintf(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
int vfprintf(FILE *file, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));
int fputs(const char *text, FILE *file);
int fputc(int character, FILE *file);
int putc(int character, FILE *file);
int fflush(FILE *file);

/* Made by the thread itself; all but %a and %n, and no long double. */
int snprintf(char *to, size_t room, const char *format, ...) __attribute__((format(printf, 3, 4)));
int vsnprintf(char *to, size_t room, const char *format, va_list arguments) __attribute__((format(printf, 3, 0)));
int sprintf(char *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
int vsprintf(char *to, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));

#ifdef __cplusplus
}
#endif
#endif
