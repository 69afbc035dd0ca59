/* The rest of string.h, and ctype.h; what compilers call of themselves stands in libc.c. */
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int strncmp(const char *left, const char *right, size_t most)
{
    for (; most && *left && *left == *right; left++, right++)
        most--;
    return most ? (unsigned char)*left - (unsigned char)*right : 0;
}

char *strchr(const char *text, int character)
{
    for (;; text++) {
        if (*text == (char)character)
            return (char *)text;
        if (!*text)
            return NULL;
    }
}

char *strrchr(const char *text, int character)
{
    const char *last = NULL;
    do
        if (*text == (char)character)
            last = text;
    while (*text++);
    return (char *)last;
}

char *strcat(char *to, const char *from)
{
    strcpy(to + strlen(to), from);
    return to;
}

char *strncat(char *to, const char *from, size_t most)
{
    char *end = to + strlen(to);
    for (; most && *from; most--)
        *end++ = *from++;
    *end = 0;
    return to;
}

char *strncpy(char *to, const char *from, size_t bytes)
{
    size_t n = strnlen(from, bytes);
    memcpy(to, from, n);
    memset(to + n, 0, bytes - n);
    return to;
}

size_t strnlen(const char *text, size_t most)
{
    size_t n = 0;
    while (n < most && text[n])
        n++;
    return n;
}

char *stpcpy(char *to, const char *from)
{
    size_t n = strlen(from);
    memcpy(to, from, n + 1);
    return to + n;
}

char *strstr(const char *text, const char *wanted)
{
    size_t n = strlen(wanted);
    for (; strncmp(text, wanted, n); text++)
        if (!*text)
            return NULL;
    return (char *)text;
}

void *memchr(const void *from, int value, size_t bytes)
{
    const unsigned char *at = from;
    for (; bytes; bytes--, at++)
        if (*at == (unsigned char)value)
            return (void *)at;
    return NULL;
}

/* Characters of `text` at its beginning of which `among` has some (`in` 1) or none. */
static size_t span(const char *text, const char *among, int in)
{
    size_t n = 0;
    while (text[n] && (strchr(among, text[n]) != NULL) == in)
        n++;
    return n;
}

size_t strspn(const char *text, const char *accepted)
{
    return span(text, accepted, 1);
}

size_t strcspn(const char *text, const char *refused)
{
    return span(text, refused, 0);
}

char *strpbrk(const char *text, const char *among)
{
    text += span(text, among, 0);
    return *text ? (char *)text : NULL;
}

char *strtok_r(char *text, const char *between, char **rest)
{
    text = text ? text : *rest;
    text += strspn(text, between);
    if (!*text) {
        *rest = text;
        return NULL;
    }
    char *end = text + strcspn(text, between);
    *rest = *end ? end + 1 : end;
    *end = 0;
    return text;
}

static __thread char *token;
char *strtok(char *text, const char *between)
{
    return strtok_r(text, between, &token);
}

char *strdup(const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = malloc(bytes);
    return copy ? memcpy(copy, text, bytes) : NULL;
}

/* ASCII */

int isupper(int c) { return (unsigned)c - 'A' < 26; }
int islower(int c) { return (unsigned)c - 'a' < 26; }
int isalpha(int c) { return ((unsigned)c | 32) - 'a' < 26; }
int isdigit(int c) { return (unsigned)c - '0' < 10; }
int isalnum(int c) { return isalpha(c) || isdigit(c); }
int isxdigit(int c) { return isdigit(c) || ((unsigned)c | 32) - 'a' < 6; }
int isblank(int c) { return c == ' ' || c == '\t'; }
int isspace(int c) { return c == ' ' || (unsigned)c - '\t' < 5; }
int iscntrl(int c) { return (unsigned)c < 32 || c == 127; }
int isprint(int c) { return (unsigned)c - 32 < 95; }
int isgraph(int c) { return (unsigned)c - 33 < 94; }
int ispunct(int c) { return isgraph(c) && !isalnum(c); }
int tolower(int c) { return isupper(c) ? c | 32 : c; }
int toupper(int c) { return islower(c) ? c & ~32 : c; }
