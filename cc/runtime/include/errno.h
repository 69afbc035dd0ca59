/* errno, each thread's own: errno.h of programs that `weft cc` builds. */
#ifndef WEFT_ERRNO_H
#define WEFT_ERRNO_H

#ifdef __cplusplus
extern "C" {
#endif

extern __thread int errno;
#define errno errno

#define ENOENT 2
#define EINTR 4
#define EIO 5
#define EAGAIN 11
#define ENOMEM 12
#define EFAULT 14
#define EBUSY 16
#define EINVAL 22
#define ENOSPC 28
#define EDOM 33
#define ERANGE 34
#define ENOSYS 38
#define EILSEQ 84
#define EOVERFLOW 75

#ifdef __cplusplus
}
#endif
#endif
