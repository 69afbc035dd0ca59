/*
 * convert_T: from each type to each, with rounding and saturation. A file of its own, since there are some 4,500 of them: it is
 * linked when a source names one.
 */
#define PURE __attribute__((overloadable, const))

#define CONVERT_VECTORS(D, S, suffix) \
    PURE D##2 convert_##D##2##suffix(S##2 x) { return (D##2)(convert_##D##suffix(x.s0), convert_##D##suffix(x.s1)); } \
    PURE D##3 convert_##D##3##suffix(S##3 x) \
    { \
        return (D##3)(convert_##D##suffix(x.s0), convert_##D##suffix(x.s1), convert_##D##suffix(x.s2)); \
    } \
    PURE D##4 convert_##D##4##suffix(S##4 x) { return (D##4)(convert_##D##2##suffix(x.lo), convert_##D##2##suffix(x.hi)); } \
    PURE D##8 convert_##D##8##suffix(S##8 x) { return (D##8)(convert_##D##4##suffix(x.lo), convert_##D##4##suffix(x.hi)); } \
    PURE D##16 convert_##D##16##suffix(S##16 x) \
    { \
        return (D##16)(convert_##D##8##suffix(x.lo), convert_##D##8##suffix(x.hi)); \
    }
#define CONVERT(D, S, suffix, expression) \
    PURE D convert_##D##suffix(S x) { return expression; } \
    CONVERT_VECTORS(D, S, suffix)
/* With each rounding, which is said by 0 nearest even, 1 to zero, 2 up, 3 down. */
#define EACH_MODE(D, S, sat, M, usual) \
    CONVERT(D, S, sat, M(D, S, usual)) CONVERT(D, S, sat##_rte, M(D, S, 0)) CONVERT(D, S, sat##_rtz, M(D, S, 1)) \
    CONVERT(D, S, sat##_rtp, M(D, S, 2)) CONVERT(D, S, sat##_rtn, M(D, S, 3))

/* Bounds of what is converted to; of ulong the largest long. */
#define LEAST_char CHAR_MIN
#define MOST_char CHAR_MAX
#define BOUND_char CHAR_MAX
#define LEAST_uchar 0
#define MOST_uchar UCHAR_MAX
#define BOUND_uchar UCHAR_MAX
#define LEAST_short SHRT_MIN
#define MOST_short SHRT_MAX
#define BOUND_short SHRT_MAX
#define LEAST_ushort 0
#define MOST_ushort USHRT_MAX
#define BOUND_ushort USHRT_MAX
#define LEAST_int INT_MIN
#define MOST_int INT_MAX
#define BOUND_int INT_MAX
#define LEAST_uint 0
#define MOST_uint UINT_MAX
#define BOUND_uint UINT_MAX
#define LEAST_long LONG_MIN
#define MOST_long LONG_MAX
#define BOUND_long LONG_MAX
#define LEAST_ulong 0
#define MOST_ulong ULONG_MAX
#define BOUND_ulong LONG_MAX

static float rounded(float x, int mode)
{
    switch (mode) {
    case 0: return rint(x);
    case 2: return ceil(x);
    case 3: return floor(x);
    default: return x;
    }
}
static float next(float f, bool up) { return as_float(as_int(f) + (up == f > 0 ? 1 : -1)); }
static float from_unsigned(ulong x, int mode)
{
    float f = (float)x;
    bool above = f >= 0x1p64f || (ulong)f > x, below = !above && (ulong)f < x;
    return above && (mode == 1 || mode == 3) ? next(f, false) : below && mode == 2 ? next(f, true) : f;
}
static float from_signed(long x, int mode)
{
    /* Towards zero and away of the absolute value. */
    bool negative = x < 0;
    int of_absolute = !negative || mode < 2 ? mode : 5 - mode;
    float f = from_unsigned(negative ? -(ulong)x : (ulong)x, of_absolute);
    return negative ? -f : f;
}

#define PLAIN(D, S, mode) (D) x
#define FROM_SIGNED(D, S, mode) ((long)x < (long)LEAST_##D ? LEAST_##D : (long)x > (long)BOUND_##D ? BOUND_##D : (D)x)
#define FROM_UNSIGNED(D, S, mode) ((ulong)x > (ulong)MOST_##D ? MOST_##D : (D)x)
#define FROM_FLOAT(D, S, mode) ((D)rounded(x, mode))
#define FROM_FLOAT_SAT(D, S, mode) \
    (x != x ? 0 : rounded(x, mode) <= (float)LEAST_##D ? LEAST_##D : rounded(x, mode) >= (float)MOST_##D ? MOST_##D : (D)rounded(x, mode))
#define SIGNED_TO_FLOAT(D, S, mode) (mode ? from_signed(x, mode) : (float)x)
#define UNSIGNED_TO_FLOAT(D, S, mode) (mode ? from_unsigned(x, mode) : (float)x)

#define TO_INTEGER(D) \
    EACH_MODE(D, char, , PLAIN, 0) EACH_MODE(D, char, _sat, FROM_SIGNED, 0) \
    EACH_MODE(D, uchar, , PLAIN, 0) EACH_MODE(D, uchar, _sat, FROM_UNSIGNED, 0) \
    EACH_MODE(D, short, , PLAIN, 0) EACH_MODE(D, short, _sat, FROM_SIGNED, 0) \
    EACH_MODE(D, ushort, , PLAIN, 0) EACH_MODE(D, ushort, _sat, FROM_UNSIGNED, 0) \
    EACH_MODE(D, int, , PLAIN, 0) EACH_MODE(D, int, _sat, FROM_SIGNED, 0) \
    EACH_MODE(D, uint, , PLAIN, 0) EACH_MODE(D, uint, _sat, FROM_UNSIGNED, 0) \
    EACH_MODE(D, long, , PLAIN, 0) EACH_MODE(D, long, _sat, FROM_SIGNED, 0) \
    EACH_MODE(D, ulong, , PLAIN, 0) EACH_MODE(D, ulong, _sat, FROM_UNSIGNED, 0) \
    EACH_MODE(D, float, , FROM_FLOAT, 1) EACH_MODE(D, float, _sat, FROM_FLOAT_SAT, 1)
TO_INTEGER(char) TO_INTEGER(uchar) TO_INTEGER(short) TO_INTEGER(ushort)
TO_INTEGER(int) TO_INTEGER(uint) TO_INTEGER(long) TO_INTEGER(ulong)

EACH_MODE(float, char, , SIGNED_TO_FLOAT, 0) EACH_MODE(float, uchar, , UNSIGNED_TO_FLOAT, 0)
EACH_MODE(float, short, , SIGNED_TO_FLOAT, 0) EACH_MODE(float, ushort, , UNSIGNED_TO_FLOAT, 0)
EACH_MODE(float, int, , SIGNED_TO_FLOAT, 0) EACH_MODE(float, uint, , UNSIGNED_TO_FLOAT, 0)
EACH_MODE(float, long, , SIGNED_TO_FLOAT, 0) EACH_MODE(float, ulong, , UNSIGNED_TO_FLOAT, 0)
EACH_MODE(float, float, , PLAIN, 0)
