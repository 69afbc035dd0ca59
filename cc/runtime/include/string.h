/* Memory and strings: string.h of programs that `weft cc` builds. */
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
void *memchr(const void *from, int value, size_t bytes);
size_t strlen(const char *text);
size_t strnlen(const char *text, size_t most);
int strcmp(const char *left, const char *right);
int strncmp(const char *left, const char *right, size_t most);
char *strcpy(char *to, const char *from);
char *strncpy(char *to, const char *from, size_t bytes);
char *stpcpy(char *to, const char *from);
char *strcat(char *to, const char *from);
char *strncat(char *to, const char *from, size_t most);
char *strchr(const char *text, int character);
char *strrchr(const char *text, int character);
char *strstr(const char *text, const char *wanted);
char *strpbrk(const char *text, const char *among);
size_t strspn(const char *text, const char *accepted);
size_t strcspn(const char *text, const char *refused);
/* Where it goes on is the thread's own. */
char *strtok(char *text, const char *between);
char *strtok_r(char *text, const char *between, char **rest);
/* By malloc. */
char *strdup(const char *text);

#ifdef __cplusplus
}
#endif
#endif
