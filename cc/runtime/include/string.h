/* Functions of the C library on memory and strings that `weft cc` has. */
#ifndef WEFT_STRING_H
#define WEFT_STRING_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

void *memcpy(void *to, const void *from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int value, size_t bytes);
int memcmp(const void *left, const void *right, size_t bytes);
size_t strlen(const char *text);
int strcmp(const char *left, const char *right);
char *strcpy(char *to, const char *from);

#ifdef __cplusplus
}
#endif
#endif
