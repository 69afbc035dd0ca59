/*
 * sprintf and its like: text made by the thread itself. What printf prints is formatted by `weft run` (libc.c); both
 * follow C, and floating-point numbers are rounded exactly.
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct out {
    char *to;
    size_t room, length;
};

static void put(struct out *out, char character)
{
    if (out->length < out->room)
        out->to[out->length] = character;
    out->length++;
}

static void repeat(struct out *out, char character, int times)
{
    while (times-- > 0)
        put(out, character);
}

static void text(struct out *out, const char *from, int length)
{
    while (length-- > 0)
        put(out, *from++);
}

enum { LEFT = 1, PLUS = 2, SPACE = 4, ALTERNATE = 8, ZERO = 16, UPPER = 32 };

struct spec {
    int flags, width, precision; /* precision -1: none */
};

/* Blanks or zeros, and the sign or prefix between them, before something of so many characters. */
static void before(struct out *out, const struct spec *s, const char *prefix, int length, int zeros)
{
    int fill = s->width - length - (int)strlen(prefix);
    if (!(s->flags & LEFT) && !zeros)
        repeat(out, ' ', fill);
    text(out, prefix, (int)strlen(prefix));
    if (!(s->flags & LEFT) && zeros)
        repeat(out, '0', fill);
}

static void behind(struct out *out, const struct spec *s, size_t begin)
{
    if (s->flags & LEFT)
        repeat(out, ' ', s->width - (int)(out->length - begin));
}

static const char *sign_of(int minus, int flags)
{
    return minus ? "-" : flags & PLUS ? "+" : flags & SPACE ? " " : "";
}

static void integer(struct out *out, const struct spec *s, uint64_t value, unsigned base, const char *prefix)
{
    char digits[24];
    int n = 0;
    size_t begin = out->length;
    const char *names = s->flags & UPPER ? "0123456789ABCDEF" : "0123456789abcdef";
    /* The upper half first comes to an end: 64-bit division is slow. */
    for (; value >> 32; value /= base)
        digits[n++] = names[value % base];
    for (uint32_t rest = (uint32_t)value; rest; rest /= base)
        digits[n++] = names[rest % base];
    int least = s->precision < 0 ? 1 : s->precision;
    if (base == 8 && s->flags & ALTERNATE && least <= n)
        least = n + (n || s->precision == 0);
    int zeros = least > n ? least - n : 0;
    before(out, s, prefix, n + zeros, s->flags & ZERO && s->precision < 0);
    repeat(out, '0', zeros);
    while (n)
        put(out, digits[--n]);
    behind(out, s, begin);
}

/*
 * The decimal digits of a double, one after the other, exactly: those of the integer part by division of a large number
 * by 10^9, those of the fraction by multiplication. A double has not much of both.
 */
struct digits {
    uint32_t big[36]; /* the fraction: 32 bits each, the highest first */
    uint32_t whole[36]; /* base 10^9, the lowest first */
    int bigs, wholes, at; /* at: digits of whole that are left */
    uint32_t power;
};

#define BILLION 1000000000u

static void digits_of(struct digits *d, uint64_t mantissa, int exponent)
{
    /* mantissa * 2^exponent */
    memset(d, 0, sizeof *d);
    if (exponent >= 0) {
        /* From the highest bit on: double and add, 16 at a time. */
        int words = 0;
        int bits = 64 + exponent;
        for (int done = 0; done < bits;) {
            int step = bits - done < 16 ? bits - done : 16;
            uint32_t carry = 0;
            for (int b = 0; b < step; b++) {
                int bit = 63 - (done + b);
                carry = carry << 1 | (bit >= 0 ? (uint32_t)(mantissa >> bit) & 1 : 0);
            }
            for (int i = 0; i < words; i++) {
                uint64_t value = ((uint64_t)d->whole[i] << step) + carry;
                carry = (uint32_t)(value / BILLION);
                d->whole[i] = (uint32_t)(value - (uint64_t)carry * BILLION);
            }
            if (carry)
                d->whole[words++] = carry;
            done += step;
        }
        d->wholes = words;
    } else {
        uint64_t whole = exponent > -64 ? mantissa >> -exponent : 0;
        while (whole) {
            d->whole[d->wholes++] = (uint32_t)(whole % BILLION);
            whole /= BILLION;
        }
        /* Bit k of the mantissa has the weight 2^(k + exponent). */
        for (int k = 0; k < 64; k++) {
            int place = -(k + exponent); /* 1: a half */
            if (place > 0 && mantissa >> k & 1) {
                d->big[(place - 1) / 32] |= 0x80000000u >> (place - 1) % 32;
                if ((place - 1) / 32 + 1 > d->bigs)
                    d->bigs = (place - 1) / 32 + 1;
            }
        }
    }
    d->at = 0;
    d->power = 1;
    if (d->wholes) {
        uint32_t top = d->whole[d->wholes - 1];
        d->at = 9 * (d->wholes - 1) + 1;
        while (top / d->power >= 10) {
            d->power *= 10;
            d->at++;
        }
    }
}

/* Behind the digits of the integer part come those of the fraction, without end. */
static int next_digit(struct digits *d)
{
    if (d->at) {
        int digit = (int)(d->whole[d->wholes - 1] / d->power % 10);
        d->at--;
        if (d->power == 1) {
            d->power = BILLION / 10;
            d->wholes--;
        } else {
            d->power /= 10;
        }
        return digit;
    }
    uint32_t carry = 0;
    for (int i = d->bigs; i-- > 0;) {
        uint64_t value = (uint64_t)d->big[i] * 10 + carry;
        d->big[i] = (uint32_t)value;
        carry = (uint32_t)(value >> 32);
    }
    while (d->bigs && !d->big[d->bigs - 1])
        d->bigs--;
    return (int)carry;
}

static int rest_is_zero(struct digits *d)
{
    while (d->at)
        if (next_digit(d))
            return 0;
    return d->bigs == 0;
}

struct decimal {
    struct digits d;
    uint64_t mantissa;
    int exponent;
    int first; /* power of ten of the first digit that is not 0 */
    int last;  /* the digit that rounding up adds 1 to; those behind it become 0. None: below everything */
    int up, carried;
};

/* Rounds behind the digit of 10^place, to even; then the digits come again. */
static void rounded(struct decimal *x, int place)
{
    struct digits *d = &x->d;
    digits_of(d, x->mantissa, x->exponent);
    int power = d->at - 1, last = 0, some = 0, digit = 0;
    /* In front of the first digit of a fraction stand zeros. */
    if (power < 0)
        power = -1;
    x->up = x->carried = 0;
    for (; power >= place; power--) {
        digit = next_digit(d);
        if (digit != 9) {
            last = power;
            some = 1;
        }
    }
    int odd = digit & 1, half = power < place - 1 ? 0 : next_digit(d);
    if (half > 5 || (half == 5 && (!rest_is_zero(d) || odd))) {
        x->up = 1;
        x->carried = !some;
        x->last = some ? last : place;
    }
    digits_of(d, x->mantissa, x->exponent);
}

static int digit_at(struct decimal *x, int power)
{
    int digit = next_digit(&x->d);
    if (x->up && power == x->last && !x->carried)
        return digit + 1;
    if (x->up && (power < x->last || x->carried))
        return 0;
    return digit;
}

static void decimal_of(struct decimal *x, double value)
{
    union { double number; uint64_t bits; } u = {value};
    int raw = (int)(u.bits >> 52 & 0x7ff);
    x->mantissa = (u.bits & 0xfffffffffffffull) | (raw ? 1ull << 52 : 0);
    x->exponent = (raw ? raw : 1) - 1075;
    x->up = x->carried = 0;
    x->first = 0;
    if (!x->mantissa)
        return;
    digits_of(&x->d, x->mantissa, x->exponent);
    if (x->d.at) {
        x->first = x->d.at - 1;
        return;
    }
    do
        x->first--;
    while (!next_digit(&x->d));
}

/* %f: so many digits behind the point, or, with `trim`, those without zeros at the end. */
static int fixed(struct out *out, struct decimal *x, int precision, int point, int length_only)
{
    rounded(x, -precision);
    int top = x->d.at - 1;
    int length = 0;
    if (top < 0) {
        /* The integer part is 0; rounding may make it 1. */
        top = -1;
        length++;
        if (!length_only)
            put(out, x->carried ? '1' : '0');
    } else if (x->carried) {
        length++;
        if (!length_only)
            put(out, '1');
    }
    for (int power = top; power >= -precision; power--) {
        if (power == -1 && precision > 0) {
            length++;
            if (!length_only)
                put(out, '.');
        }
        length++;
        if (!length_only)
            put(out, (char)('0' + digit_at(x, power)));
    }
    if (precision == 0 && point) {
        length++;
        if (!length_only)
            put(out, '.');
    }
    return length;
}

/* %e */
static int scientific(struct out *out, struct decimal *x, int precision, int point, int upper, int length_only)
{
    rounded(x, x->first - precision);
    int power = x->d.at - 1, exponent = x->first, length = 0;
    if (power < 0)
        power = -1;
    /* Zeros in front of the first digit; who rounds up may land on one of them. */
    int carried = x->up && (x->carried || x->last > x->first);
    if (carried)
        exponent++;
    for (int n = 0; n <= precision; n++) {
        int digit;
        if (carried) {
            digit = n == 0;
        } else {
            while (power > x->first) {
                digit_at(x, power);
                power--;
            }
            digit = x->mantissa ? digit_at(x, power--) : 0;
        }
        length++;
        if (!length_only)
            put(out, (char)('0' + digit));
        if (n == 0 && (precision > 0 || point)) {
            length++;
            if (!length_only)
                put(out, '.');
        }
    }
    int size = exponent < 0 ? -exponent : exponent;
    length += size >= 100 ? 5 : 4;
    if (!length_only) {
        put(out, upper ? 'E' : 'e');
        put(out, exponent < 0 ? '-' : '+');
        if (size >= 100)
            put(out, (char)('0' + size / 100));
        put(out, (char)('0' + size / 10 % 10));
        put(out, (char)('0' + size % 10));
    }
    return length;
}

static void real(struct out *out, const struct spec *s, double value, char conversion)
{
    union { double number; uint64_t bits; } u = {value};
    size_t begin = out->length;
    int upper = s->flags & UPPER, point = s->flags & ALTERNATE;
    const char *sign = sign_of((int)(u.bits >> 63), s->flags);
    if ((u.bits >> 52 & 0x7ff) == 0x7ff) {
        const char *name = u.bits & 0xfffffffffffffull ? (upper ? "NAN" : "nan") : (upper ? "INF" : "inf");
        before(out, s, sign, 3, 0);
        text(out, name, 3);
        behind(out, s, begin);
        return;
    }
    struct decimal x;
    decimal_of(&x, value);
    int precision = s->precision < 0 ? 6 : s->precision;
    int exponential = conversion == 'e';
    if (conversion == 'g') {
        int digits = precision ? precision : 1;
        rounded(&x, x.first - digits + 1);
        int exponent = x.first + (x.up && (x.carried || x.last > x.first));
        exponential = exponent < -4 || exponent >= digits;
        precision = exponential ? digits - 1 : digits - 1 - exponent;
        if (!point) {
            /* Zeros at the end go. */
            for (; precision > 0; precision--) {
                int place = exponential ? exponent - precision : -precision;
                /* The digit of 10^place of the rounded number. */
                rounded(&x, exponent - digits + 1);
                int digit = 0;
                int power = x.d.at - 1 < 0 ? -1 : x.d.at - 1;
                for (; power >= place; power--)
                    digit = digit_at(&x, power);
                if (digit)
                    break;
            }
        }
    }
    int length = exponential ? scientific(out, &x, precision, point, upper, 1) : fixed(out, &x, precision, point, 1);
    before(out, s, sign, length, s->flags & ZERO);
    if (exponential)
        scientific(out, &x, precision, point, upper, 0);
    else
        fixed(out, &x, precision, point, 0);
    behind(out, s, begin);
}

int vsnprintf(char *to, size_t room, const char *format, va_list arguments)
{
    struct out out = {to, room ? room - 1 : 0, 0};
    for (const char *f = format; *f; f++) {
        if (*f != '%') {
            put(&out, *f);
            continue;
        }
        const char *begin = f;
        struct spec s = {0, 0, -1};
        for (f++;; f++) {
            int flag = *f == '-' ? LEFT : *f == '+' ? PLUS : *f == ' ' ? SPACE : *f == '#' ? ALTERNATE : *f == '0' ? ZERO : 0;
            if (!flag)
                break;
            s.flags |= flag;
        }
        if (*f == '*') {
            s.width = va_arg(arguments, int);
            if (s.width < 0) {
                s.flags |= LEFT;
                s.width = -s.width;
            }
            f++;
        }
        for (; *f >= '0' && *f <= '9'; f++)
            s.width = 10 * s.width + (*f - '0');
        if (*f == '.') {
            s.precision = 0;
            if (*++f == '*') {
                s.precision = va_arg(arguments, int);
                f++;
            }
            for (; *f >= '0' && *f <= '9'; f++)
                s.precision = 10 * s.precision + (*f - '0');
        }
        int longs = 0, shorts = 0;
        for (;; f++) {
            if (*f == 'l')
                longs++;
            else if (*f == 'j')
                longs += 2;
            else if (*f == 'h')
                shorts++;
            else if (*f != 'z' && *f != 't')
                break;
        }
        switch (*f) {
        case 'd': case 'i': {
            int64_t value = longs >= 2 ? va_arg(arguments, int64_t) : va_arg(arguments, int32_t);
            value = shorts == 1 ? (short)value : shorts >= 2 ? (signed char)value : value;
            integer(&out, &s, value < 0 ? 0 - (uint64_t)value : (uint64_t)value, 10, sign_of(value < 0, s.flags));
            break;
        }
        case 'X':
            s.flags |= UPPER;
            __attribute__((fallthrough));
        case 'u': case 'x': case 'o': {
            uint64_t value = longs >= 2 ? va_arg(arguments, uint64_t) : va_arg(arguments, uint32_t);
            value = shorts == 1 ? (unsigned short)value : shorts >= 2 ? (unsigned char)value : value;
            int prefixed = s.flags & ALTERNATE && value && *f != 'u' && *f != 'o';
            integer(&out, &s, value, *f == 'u' ? 10 : *f == 'o' ? 8 : 16, !prefixed ? "" : *f == 'x' ? "0x" : "0X");
            break;
        }
        case 'p':
            integer(&out, &s, va_arg(arguments, uint32_t), 16, "0x");
            break;
        case 'c': {
            size_t at = out.length;
            before(&out, &s, "", 1, 0);
            put(&out, (char)va_arg(arguments, int));
            behind(&out, &s, at);
            break;
        }
        case 's': {
            const char *from = va_arg(arguments, const char *);
            from = from ? from : "(null)";
            size_t at = out.length;
            int length = (int)strnlen(from, s.precision < 0 ? ~(size_t)0 : (size_t)s.precision);
            before(&out, &s, "", length, 0);
            text(&out, from, length);
            behind(&out, &s, at);
            break;
        }
        case 'E': case 'F': case 'G':
            s.flags |= UPPER;
            __attribute__((fallthrough));
        case 'e': case 'f': case 'g':
            real(&out, &s, va_arg(arguments, double), (char)(*f | 32));
            break;
        case '%':
            put(&out, '%');
            break;
        default:
            /* No conversion: it stays as it is. */
            text(&out, begin, (int)(f - begin) + (*f != 0));
            if (!*f)
                f--;
        }
    }
    if (room)
        to[out.length < room ? out.length : room - 1] = 0;
    return (int)out.length;
}

int snprintf(char *to, size_t room, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(to, room, format, arguments);
    va_end(arguments);
    return length;
}

int vsprintf(char *to, const char *format, va_list arguments)
{
    return vsnprintf(to, ~(size_t)0 >> 1, format, arguments);
}

int sprintf(char *to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsprintf(to, format, arguments);
    va_end(arguments);
    return length;
}
