/*
 * assert() for programs that `weft cc` builds: the thread stops, and `weft run` says where.
 * No include guard: NDEBUG counts anew.
 */
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) \
    ((condition) ? (void)0 : __weft_assert_failed(#condition, __FILE__, __LINE__, __func__))
#endif

#ifndef WEFT_ASSERT_H
#define WEFT_ASSERT_H
#ifdef __cplusplus
extern "C"
#else
#define static_assert _Static_assert
#endif
__attribute__((noreturn, cold)) void __weft_assert_failed(const char *condition, const char *file, int line,
                                                          const char *function);
#endif
