/*
 * The bits of a number. Who includes it says of which:
 *
 *     NUMBER, WORD         the type, and an unsigned integer of its size
 *     PLACES, BIAS         bits of the fraction; exponent of 1
 *     OF_BITS              name of the function from a word to the number
 */
static inline WORD bits_of(NUMBER x)
{
    union { NUMBER number; WORD bits; } u = {x};
    return u.bits;
}

static inline NUMBER OF_BITS(WORD bits)
{
    union { WORD bits; NUMBER number; } u = {bits};
    return u.number;
}

#define LEADING ((WORD)1 << PLACES)
#define FRACTION (LEADING - 1)
#define SIGN ((WORD)1 << (8 * sizeof(WORD) - 1))
#define INF ((WORD)(2 * BIAS + 1) << PLACES)
#define QUIET (INF | LEADING >> 1)
#define ONE ((WORD)BIAS << PLACES)

static inline int is_nan(WORD bits)
{
    return (bits & ~SIGN) > INF;
}

static inline int exponent_of(WORD bits)
{
    return (int)(bits >> PLACES) & (2 * BIAS + 1);
}
