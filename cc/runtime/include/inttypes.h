/* Conversions of printf for the types of stdint.h: inttypes.h of programs that `weft cc` builds. */
#ifndef WEFT_INTTYPES_H
#define WEFT_INTTYPES_H

#include <stdint.h>

/* To Clang int32_t is int, to GCC it is long. */
#ifdef __clang__
#define WEFT_PRI32(conversion) #conversion
#else
#define WEFT_PRI32(conversion) "l" #conversion
#endif

#define PRId8 "hhd"
#define PRIi8 "hhi"
#define PRIo8 "hho"
#define PRIu8 "hhu"
#define PRIx8 "hhx"
#define PRIX8 "hhX"
#define PRId16 "hd"
#define PRIi16 "hi"
#define PRIo16 "ho"
#define PRIu16 "hu"
#define PRIx16 "hx"
#define PRIX16 "hX"
#define PRId32 WEFT_PRI32(d)
#define PRIi32 WEFT_PRI32(i)
#define PRIo32 WEFT_PRI32(o)
#define PRIu32 WEFT_PRI32(u)
#define PRIx32 WEFT_PRI32(x)
#define PRIX32 WEFT_PRI32(X)
#define PRId64 "lld"
#define PRIi64 "lli"
#define PRIo64 "llo"
#define PRIu64 "llu"
#define PRIx64 "llx"
#define PRIX64 "llX"
#define PRIdMAX "jd"
#define PRIiMAX "ji"
#define PRIoMAX "jo"
#define PRIuMAX "ju"
#define PRIxMAX "jx"
#define PRIXMAX "jX"
#define PRIdPTR "d"
#define PRIiPTR "i"
#define PRIoPTR "o"
#define PRIuPTR "u"
#define PRIxPTR "x"
#define PRIXPTR "X"

#endif
