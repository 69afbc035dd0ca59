/* Functions of integers. */

#define EACH_SIGNED(M) M(char, uchar, short, 8) M(short, ushort, int, 16) M(int, uint, long, 32) M(long, ulong, long, 64)

/* Of one element; EACH_WIDTH makes those of vectors where the operators do. */
#define WIDE(n, T, U) \
    PURE T##n add_sat(T##n x, T##n y) { return __builtin_elementwise_add_sat(x, y); } \
    PURE T##n sub_sat(T##n x, T##n y) { return __builtin_elementwise_sub_sat(x, y); } \
    PURE T##n max(T##n x, T##n y) { return __builtin_elementwise_max(x, y); } \
    PURE T##n min(T##n x, T##n y) { return __builtin_elementwise_min(x, y); } \
    PURE T##n clamp(T##n x, T##n low, T##n high) { return min(max(x, low), high); } \
    PURE T##n hadd(T##n x, T##n y) { return (x >> (T##n)1) + (y >> (T##n)1) + (x & y & (T##n)1); } \
    PURE T##n rhadd(T##n x, T##n y) { return (x >> (T##n)1) + (y >> (T##n)1) + ((x | y) & (T##n)1); } \
    PURE T##n popcount(T##n x) { return __builtin_elementwise_popcount(x); }
#define WITH_SCALAR_BOUNDS(n, T) \
    PURE T##n max(T##n x, T y) { return max(x, (T##n)y); } \
    PURE T##n min(T##n x, T y) { return min(x, (T##n)y); } \
    PURE T##n clamp(T##n x, T low, T high) { return clamp(x, (T##n)low, (T##n)high); }

#define OF_BOTH(T, U, W, bits) \
    EACH_WIDTH(WIDE, T, U) \
    EACH_WIDTH(WIDE, U, U) \
    EACH_VECTOR(WITH_SCALAR_BOUNDS, T) \
    EACH_VECTOR(WITH_SCALAR_BOUNDS, U) \
    PURE U abs(T x) { return x < 0 ? -(U)x : (U)x; } \
    PURE U abs(U x) { return x; } \
    PURE U abs_diff(T x, T y) { return x > y ? (U)x - (U)y : (U)y - (U)x; } \
    PURE U abs_diff(U x, U y) { return x > y ? x - y : y - x; } \
    PURE U rotate(U x, U by) { return x << (by & (bits - 1)) | x >> (-by & (bits - 1)); } \
    PURE T rotate(T x, T by) { return (T)rotate((U)x, (U)by); } \
    PURE U clz(U x) { return x ? leading_##bits(x) : bits; } \
    PURE T clz(T x) { return (T)clz((U)x); } \
    PURE U ctz(U x) { return x ? trailing_##bits(x) : bits; } \
    PURE T ctz(T x) { return (T)ctz((U)x); } \
    PURE T mad_hi(T a, T b, T c) { return (T)((U)mul_hi(a, b) + (U)c); } \
    PURE U mad_hi(U a, U b, U c) { return mul_hi(a, b) + c; } \
    VECTORS1(U, abs, T) VECTORS1(U, abs, U) \
    VECTORS2(U, abs_diff, T, T) VECTORS2(U, abs_diff, U, U) \
    VECTORS2(T, rotate, T, T) VECTORS2(U, rotate, U, U) \
    VECTORS1(T, clz, T) VECTORS1(U, clz, U) VECTORS1(T, ctz, T) VECTORS1(U, ctz, U) \
    VECTORS2(T, mul_hi, T, T) VECTORS2(U, mul_hi, U, U) \
    VECTORS3(T, mad_hi, T, T, T) VECTORS3(U, mad_hi, U, U, U) \
    VECTORS3(T, mad_sat, T, T, T) VECTORS3(U, mad_sat, U, U, U)

#define leading_8(x) (__builtin_clz(x) - 24)
#define leading_16(x) (__builtin_clz(x) - 16)
#define leading_32(x) __builtin_clz(x)
#define leading_64(x) ((uint)(x >> 32) ? __builtin_clz((uint)(x >> 32)) : 32 + __builtin_clz((uint)x))
#define trailing_8(x) __builtin_ctz(x)
#define trailing_16(x) __builtin_ctz(x)
#define trailing_32(x) __builtin_ctz(x)
#define trailing_64(x) ((uint)x ? __builtin_ctz((uint)x) : 32 + __builtin_ctz((uint)(x >> 32)))

#define NARROW(T, U, W, UW, bits, most, least, umost) \
    PURE T mul_hi(T x, T y) { return (T)((W)x * (W)y >> bits); } \
    PURE U mul_hi(U x, U y) { return (U)((UW)x * (UW)y >> bits); } \
    PURE T mad_sat(T a, T b, T c) { long v = (long)a * (long)b + c; return v > most ? most : v < least ? least : (T)v; } \
    PURE U mad_sat(U a, U b, U c) { ulong v = (ulong)a * (ulong)b + c; return v > umost ? umost : (U)v; }
NARROW(char, uchar, int, uint, 8, CHAR_MAX, CHAR_MIN, UCHAR_MAX)
NARROW(short, ushort, int, uint, 16, SHRT_MAX, SHRT_MIN, USHRT_MAX)
NARROW(int, uint, long, ulong, 32, INT_MAX, INT_MIN, UINT_MAX)

PURE ulong mul_hi(ulong x, ulong y)
{
    ulong xl = (uint)x, xh = x >> 32, yl = (uint)y, yh = y >> 32;
    ulong low = xl * yl, a = xh * yl + (low >> 32), b = xl * yh + (uint)a;
    return xh * yh + (a >> 32) + (b >> 32);
}
PURE long mul_hi(long x, long y) { return (long)mul_hi((ulong)x, (ulong)y) - (x < 0 ? y : 0) - (y < 0 ? x : 0); }
PURE ulong mad_sat(ulong a, ulong b, ulong c)
{
    ulong low = a * b, sum = low + c;
    return mul_hi(a, b) || sum < low ? ULONG_MAX : sum;
}
PURE long mad_sat(long a, long b, long c)
{
    long high = mul_hi(a, b);
    ulong low = (ulong)a * (ulong)b, sum = low + (ulong)c;
    high += (c < 0 ? -1 : 0) + (sum < low);
    return high == (long)sum >> 63 ? (long)sum : high < 0 ? LONG_MIN : LONG_MAX;
}
EACH_SIGNED(OF_BOTH)

PURE int mul24(int x, int y) { return (x << 8 >> 8) * (y << 8 >> 8); }
PURE uint mul24(uint x, uint y) { return (x & 0xffffff) * (y & 0xffffff); }
PURE int mad24(int x, int y, int z) { return mul24(x, y) + z; }
PURE uint mad24(uint x, uint y, uint z) { return mul24(x, y) + z; }
VECTORS2(int, mul24, int, int) VECTORS2(uint, mul24, uint, uint)
VECTORS3(int, mad24, int, int, int) VECTORS3(uint, mad24, uint, uint, uint)

#define UPSAMPLE(R, T, U, bits) \
    PURE R upsample(T high, U low) { return (R)((R)high << bits | (R)low); } \
    VECTORS2(R, upsample, T, U)
UPSAMPLE(short, char, uchar, 8) UPSAMPLE(ushort, uchar, uchar, 8)
UPSAMPLE(int, short, ushort, 16) UPSAMPLE(uint, ushort, ushort, 16)
UPSAMPLE(long, int, uint, 32) UPSAMPLE(ulong, uint, uint, 32)
