/* What threads have printed: see weft_gpu.h. The records are those of CC-020, the conversions those of CC-022
 * (docs/spec/toolchain.md). Numbers are made of single bits, so that no function of a compiler's library is needed. */
#include "weft_gpu.h"

#define CONSOLE 0x54464557u /* magic of `weft_console`, and its version */
#define VERSION 2u
#define HEAD 3u     /* words before a thread's records: used, lost, check */
#define RESERVED 5u /* words behind them, for a failed assertion */
#define WIDEST 4096u
#define LONGEST (1u << 20)
#define BY_ADDRESS 0xffffffffu

enum { PRINTF = 1, ASSERTION, ABORTED, EXITED };

/* Where the text goes. */
struct sink {
    void (*put)(void *context, const char *text, uint32_t bytes);
    void *context;
    uint32_t used;
    char text[64];
};

static void flush(struct sink *sink)
{
    if (sink->used)
        sink->put(sink->context, sink->text, sink->used);
    sink->used = 0;
}

static void letter(struct sink *sink, char c)
{
    if (sink->used == sizeof sink->text)
        flush(sink);
    sink->text[sink->used++] = c;
}

static void repeat(struct sink *sink, char c, uint32_t times)
{
    while (times--)
        letter(sink, c);
}

static void words(struct sink *sink, const char *text)
{
    while (*text)
        letter(sink, *text++);
}

/* Memory of the GPU from `at` to `end`, a word kept. */
struct memory {
    const struct weft_gpu *gpu;
    uint32_t at, end, kept;
    uint8_t bytes[4];
};

static struct memory memory(const struct weft_gpu *gpu, uint32_t at, uint32_t end)
{
    struct memory memory = {.gpu = gpu, .at = at, .end = end, .kept = 1};
    return memory;
}

/* Whether the GPU has a word there. */
static int is_there(const struct weft_gpu *gpu, uint32_t address)
{
    return address >= 0x1000u && address <= gpu->thread_end - 4;
}

/* The next byte; 0 at the end. */
static uint8_t byte(struct memory *memory)
{
    uint32_t word = memory->at & ~3u;
    if (memory->at >= memory->end || !is_there(memory->gpu, word))
        return 0;
    if (memory->kept != word) {
        memory->gpu->bus.read(memory->gpu->bus.context, word, memory->bytes, 4);
        memory->kept = word;
    }
    return memory->bytes[memory->at++ & 3];
}

static uint32_t word(struct memory *memory)
{
    uint32_t value = 0;
    for (unsigned shift = 0; shift < 32; shift += 8)
        value |= (uint32_t)byte(memory) << shift;
    return value;
}

static uint32_t word_at(const struct weft_gpu *gpu, uint32_t address)
{
    struct memory there = memory(gpu, address, address + 4);
    return word(&there);
}

/* A text that a record has: by its address, or byte for byte. It ends at its end, or with a 0 where it has one. */
static struct memory text(struct memory *record, int *ends_with_0)
{
    uint32_t length = word(record);
    *ends_with_0 = length == BY_ADDRESS;
    if (*ends_with_0) {
        uint32_t address = word(record);
        return memory(record->gpu, address, address < BY_ADDRESS - LONGEST ? address + LONGEST : BY_ADDRESS);
    }
    uint32_t room = record->end - record->at;
    if (length > room)
        length = room;
    struct memory there = memory(record->gpu, record->at, record->at + length);
    length = (length + 3) & ~3u;
    record->at += length < room ? length : room;
    return there;
}

/* How many bytes of it there are, `most` at most. */
static uint32_t length_of(struct memory text, int ends_with_0, uint32_t most)
{
    if (!ends_with_0)
        return text.end - text.at < most ? text.end - text.at : most;
    uint32_t length = 0;
    while (length < most && byte(&text))
        length++;
    return length;
}

/* ---- Decimal numbers: nine digits in each limb, those from POINT on behind the point. */

#define POINT 35
#define LIMBS (POINT + 120)
#define BILLION 1000000000u

struct decimal {
    int first, last; /* limbs that may be other than 0: first to last - 1 */
    uint32_t limbs[LIMBS];
};

static void twice(struct decimal *number, uint32_t carry)
{
    for (int n = number->last; n-- > number->first || (carry && n >= 0);) {
        uint32_t limb = 2 * number->limbs[n] + carry;
        carry = limb >= BILLION;
        number->limbs[n] = carry ? limb - BILLION : limb;
        if (n < number->first)
            number->first = n;
    }
}

static void by_two(struct decimal *number)
{
    uint32_t carry = 0;
    for (int n = number->first; n < number->last || (carry && n < LIMBS); n++) {
        uint32_t limb = number->limbs[n];
        number->limbs[n] = limb / 2 + (carry ? BILLION / 2 : 0);
        carry = limb & 1;
        if (n >= number->last)
            number->last = n + 1;
    }
}

/* high : low × 2 ^ exponent. */
static void set(struct decimal *number, uint32_t low, uint32_t high, int exponent)
{
    for (int n = 0; n < LIMBS; n++)
        number->limbs[n] = 0;
    number->first = number->last = POINT;
    for (int bit = 63; bit >= 0; bit--)
        twice(number, (bit > 31 ? high >> (bit - 32) : low >> bit) & 1);
    for (; exponent > 0; exponent--)
        twice(number, 0);
    for (; exponent < 0; exponent++)
        by_two(number);
}

static uint32_t power(int digits)
{
    uint32_t ten = 1;
    while (digits--)
        ten *= 10;
    return ten;
}

/* Limb and digit in it of the digit at 10 ^ place. */
static int limb_of(int place, int *within)
{
    *within = place >= 0 ? place % 9 : 8 - (-place - 1) % 9;
    return place >= 0 ? POINT - 1 - place / 9 : POINT + (-place - 1) / 9;
}

static uint32_t digit(const struct decimal *number, int place)
{
    int within, limb = limb_of(place, &within);
    return limb < 0 || limb >= LIMBS ? 0 : number->limbs[limb] / power(within) % 10;
}

/* Place of the first digit that is not 0; 0 of zero. */
static int top(const struct decimal *number)
{
    int place = 9 * POINT - 1, last = -9 * (LIMBS - POINT);
    while (place >= last && !digit(number, place))
        place--;
    return place < last ? 0 : place;
}

/* To the nearest with no digit behind `place`, the even one of two. */
static void round_at(struct decimal *number, int place)
{
    int within, limb = limb_of(place, &within);
    if (limb >= LIMBS)
        return;
    uint32_t next = digit(number, place - 1);
    int more = 0;
    for (int below = place - 2; !more && below >= -9 * (LIMBS - POINT); below--)
        more = digit(number, below) != 0;
    if (next < 5 || (next == 5 && !more && digit(number, place) % 2 == 0))
        return;
    uint32_t add = power(within);
    for (; limb >= 0 && add; limb--) {
        uint32_t sum = number->limbs[limb] + add;
        add = sum >= BILLION;
        number->limbs[limb] = add ? sum - BILLION : sum;
    }
}

/* ---- printf */

struct conversion {
    int left, plus, space, alternate, zero, exact; /* exact: a precision was said */
    uint32_t width, precision;
    char letter;
};

/* Opens a field for so many letters; what is to be said behind them. */
static uint32_t open_field(struct sink *sink, const struct conversion *as, uint32_t letters)
{
    uint32_t blanks = as->width > letters ? as->width - letters : 0;
    if (!as->left)
        repeat(sink, ' ', blanks);
    return as->left ? blanks : 0;
}

/* Sign, prefix and zeros of a number of so many digits; what is to be said behind it. */
static uint32_t open_number(struct sink *sink, const struct conversion *as, const char *sign, const char *prefix,
                            uint32_t digits, int zero)
{
    uint32_t letters = digits;
    for (const char *c = sign; *c; c++)
        letters++;
    for (const char *c = prefix; *c; c++)
        letters++;
    uint32_t zeros = zero && !as->left && as->width > letters ? as->width - letters : 0;
    uint32_t behind = open_field(sink, as, letters + zeros);
    words(sink, sign);
    words(sink, prefix);
    repeat(sink, '0', zeros);
    return behind;
}

static const char *sign_of(const struct conversion *as, int negative)
{
    return negative ? "-" : as->plus ? "+" : as->space ? " " : "";
}

/* So many bits of a number, from `bit` on. */
static uint32_t bits(uint32_t low, uint32_t high, int bit, int number)
{
    uint32_t value = 0;
    for (int n = number - 1; n >= 0; n--) {
        int at = bit + n;
        uint32_t one = at > 63 ? 0 : at > 31 ? high >> (at - 32) : low >> at;
        value = 2 * value + (one & 1);
    }
    return value;
}

static void integer(struct sink *sink, const struct conversion *as, uint32_t low, uint32_t high, int negative)
{
    const char *prefix = "", *digits = as->letter == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
    int each = as->letter == 'o' ? 3 : as->letter == 'x' || as->letter == 'X' || as->letter == 'p' ? 4 : 0;
    int some = low | high ? 1 : 0;
    if (as->letter == 'p' || (as->alternate && some))
        prefix = each == 3 ? "" : as->letter == 'X' ? "0X" : each ? "0x" : "";
    struct decimal number;
    uint32_t length = 0;
    if (each) {
        for (int n = 0; 3 * n < 66; n++)
            if (bits(low, high, each * n, each))
                length = (uint32_t)n + 1;
    } else {
        set(&number, low, high, 0);
        length = (uint32_t)top(&number) + 1;
    }
    if (!length)
        length = 1;
    if (!some && as->exact && !as->precision)
        length = 0;
    uint32_t zeros = as->exact && as->precision > length ? as->precision - length : 0;
    /* Of an octal number the first digit is 0, once. */
    if (each == 3 && as->alternate && !zeros && (some || !length))
        zeros = 1;
    const char *sign = as->letter == 'd' || as->letter == 'i' ? sign_of(as, negative) : "";
    uint32_t behind = open_number(sink, as, sign, prefix, length + zeros, as->zero && !as->exact);
    repeat(sink, '0', zeros);
    while (length--)
        letter(sink, each ? digits[bits(low, high, each * (int)length, each)]
                          : (char)('0' + digit(&number, (int)length)));
    repeat(sink, ' ', behind);
}

/* An exponent: its letter, its sign, `least` digits at least. */
static uint32_t exponent(struct sink *sink, char name, int value, uint32_t least)
{
    uint32_t size = (uint32_t)(value < 0 ? -value : value), length = 1;
    for (uint32_t rest = size; rest > 9; rest /= 10)
        length++;
    if (length < least)
        length = least;
    if (sink) {
        letter(sink, name);
        letter(sink, value < 0 ? '-' : '+');
        for (int n = (int)length; n-- > 0;)
            letter(sink, (char)('0' + size / power(n) % 10));
    }
    return length + 2;
}

/* %a: one digit before the point, 2 ^ 1023 : fraction. */
static void hexadecimal(struct sink *sink, const struct conversion *as, const char *sign, uint32_t low, uint32_t high)
{
    int raw = (int)(high >> 20 & 0x7ff);
    uint32_t first = raw ? 1 : 0, zero = !(low | (high & 0x7fffffffu));
    int value = zero ? 0 : raw ? raw - 1023 : -1022;
    high &= 0xfffffu;
    uint32_t length = 13;
    if (as->exact && as->precision < 13) {
        /* To even; what is carried goes to the first digit. */
        int cut = 4 * (13 - (int)as->precision);
        uint32_t up = bits(low, high, cut - 1, 1), even = !(as->precision ? bits(low, high, cut, 1) : first & 1);
        uint32_t more = 0;
        for (int bit = 0; bit < cut - 1; bit++)
            more |= bits(low, high, bit, 1);
        if (up && (more || !even)) {
            uint32_t add = cut < 32 ? 1u << cut : 0, sum = low + add;
            uint32_t above = high + (cut < 32 ? sum < low : cut < 52 ? 1u << (cut - 32) : 0);
            first += cut == 52 || above >> 20;
            low = sum;
            high = above & 0xfffffu;
        }
        value += first > 1;
        first = first ? 1 : 0;
        length = as->precision;
    } else {
        while (length && !bits(low, high, 4 * (13 - (int)length), 4))
            length--;
        if (as->exact)
            length = 13;
    }
    uint32_t zeros = as->exact && as->precision > 13 ? as->precision - 13 : 0;
    int upper = as->letter == 'A';
    const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
    uint32_t all = length + zeros, point = all || as->alternate;
    uint32_t letters = 1 + point + all + exponent(NULL, 'p', value, 1);
    uint32_t behind = open_number(sink, as, sign, upper ? "0X" : "0x", letters, as->zero);
    letter(sink, digits[first]);
    if (point)
        letter(sink, '.');
    for (uint32_t n = 0; n < length; n++)
        letter(sink, digits[bits(low, high, 4 * (12 - (int)n), 4)]);
    repeat(sink, '0', zeros);
    exponent(sink, upper ? 'P' : 'p', value, 1);
    repeat(sink, ' ', behind);
}

static void floating(struct sink *sink, const struct conversion *as, uint32_t low, uint32_t high)
{
    const char *sign = sign_of(as, (int)(high >> 31));
    char lower = (char)(as->letter | 0x20);
    int upper = as->letter != lower, raw = (int)(high >> 20 & 0x7ff);
    if (raw == 0x7ff) {
        int is_nan = (high & 0xfffffu) | low ? 1 : 0;
        uint32_t behind = open_number(sink, as, sign, "", 3, 0);
        words(sink, is_nan ? (upper ? "NAN" : "nan") : (upper ? "INF" : "inf"));
        repeat(sink, ' ', behind);
        return;
    }
    if (lower == 'a') {
        hexadecimal(sink, as, sign, low, high);
        return;
    }
    struct decimal number;
    set(&number, low, (high & 0xfffffu) | (raw ? 0x100000u : 0), (raw ? raw : 1) - 1075);
    int precision = as->exact ? (int)as->precision : 6, with_exponent = lower == 'e', value = top(&number);
    if (lower == 'g' && !precision)
        precision = 1;
    if (lower == 'f') {
        round_at(&number, -precision);
    } else {
        precision -= lower == 'g';
        round_at(&number, value - precision);
        value = top(&number);
        with_exponent |= value < -4 || value > precision;
        if (lower == 'g' && !with_exponent)
            precision -= value;
    }
    /* Digits from `begin` on, so many behind the point. */
    int begin = with_exponent ? value : top(&number) > 0 ? top(&number) : 0, point = with_exponent ? value : 0;
    if (lower == 'g' && !as->alternate)
        while (precision > 0 && !digit(&number, point - precision))
            precision--;
    uint32_t letters = (uint32_t)(begin - point + 1 + precision) + (precision > 0 || as->alternate) +
                       (with_exponent ? exponent(NULL, 'e', value, 2) : 0);
    uint32_t behind = open_number(sink, as, sign, "", letters, as->zero);
    for (int place = begin; place >= point; place--)
        letter(sink, (char)('0' + digit(&number, place)));
    if (precision > 0 || as->alternate)
        letter(sink, '.');
    for (int place = point - 1; place >= point - precision; place--)
        letter(sink, (char)('0' + digit(&number, place)));
    if (with_exponent)
        exponent(sink, upper ? 'E' : 'e', value, 2);
    repeat(sink, ' ', behind);
}

/* A number in the format, WIDEST at most. */
static uint32_t number_in(struct memory *format, uint8_t *next)
{
    uint32_t value = 0;
    for (; *next >= '0' && *next <= '9'; *next = byte(format))
        value = value > WIDEST ? value : 10 * value + (uint32_t)(*next - '0');
    return value;
}

static uint32_t at_most_widest(uint32_t value)
{
    return value < WIDEST ? value : WIDEST;
}

/* Takes the operands of one conversion out of the record, and prints them; 0: it is none. */
static int convert(struct sink *sink, struct conversion *as, struct memory *record, unsigned longs, unsigned shorts,
                   uint32_t most)
{
    uint32_t low, high = 0;
    int negative = 0;
    switch (as->letter) {
    case 'd': case 'i':
        low = word(record);
        if (longs > 1)
            high = word(record);
        else if (shorts)
            low = shorts > 1 ? (low & 0xff) ^ 0x80 : (low & 0xffff) ^ 0x8000;
        if (longs <= 1 && shorts)
            low -= shorts > 1 ? 0x80 : 0x8000;
        negative = (int)((longs > 1 ? high : low) >> 31);
        if (negative) {
            low = 0u - low;
            high = longs > 1 ? ~high + !low : 0;
        }
        integer(sink, as, low, high, negative);
        return 1;
    case 'u': case 'x': case 'X': case 'o': case 'p':
        low = word(record);
        if (longs > 1)
            high = word(record);
        else if (as->letter != 'p' && shorts)
            low &= shorts > 1 ? 0xff : 0xffff;
        integer(sink, as, low, high, 0);
        return 1;
    case 'c': {
        low = word(record);
        if (longs > 1)
            word(record);
        uint32_t behind = open_field(sink, as, 1);
        letter(sink, (char)(uint8_t)low);
        repeat(sink, ' ', behind);
        return 1;
    }
    case 's': {
        int ends;
        struct memory said = text(record, &ends);
        uint32_t length = length_of(said, ends, most), behind = open_field(sink, as, length);
        while (length--)
            letter(sink, (char)byte(&said));
        repeat(sink, ' ', behind);
        return 1;
    }
    case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A':
        low = word(record);
        high = word(record);
        floating(sink, as, low, high);
        return 1;
    default:
        return 0;
    }
}

static void print(struct sink *sink, struct memory *record)
{
    int ends;
    struct memory format = text(record, &ends);
    format.end = format.at + length_of(format, ends, LONGEST);
    while (format.at < format.end) {
        uint8_t next = byte(&format);
        if (next != '%') {
            letter(sink, (char)next);
            continue;
        }
        struct memory whole = format;
        struct conversion as = {0};
        for (;; ) {
            next = byte(&format);
            int *flag = next == '-' ? &as.left : next == '+' ? &as.plus : next == ' ' ? &as.space :
                        next == '#' ? &as.alternate : next == '0' ? &as.zero : NULL;
            if (!flag)
                break;
            *flag = 1;
        }
        if (next == '*') {
            as.width = word(record);
            if (as.width >> 31) {
                as.left = 1;
                as.width = 0u - as.width;
            }
            next = byte(&format);
        }
        if (next >= '0' && next <= '9')
            as.width = number_in(&format, &next);
        as.width = at_most_widest(as.width);
        uint32_t most = LONGEST;
        if (next == '.') {
            next = byte(&format);
            as.exact = 1;
            if (next == '*') {
                as.precision = word(record);
                as.exact = !(as.precision >> 31);
                next = byte(&format);
                number_in(&format, &next);
            } else {
                as.precision = number_in(&format, &next);
            }
            if (as.exact)
                most = as.precision < LONGEST ? as.precision : LONGEST;
            as.precision = at_most_widest(as.precision);
        }
        unsigned longs = 0, shorts = 0;
        for (; next == 'l' || next == 'j' || next == 'h' || next == 'z' || next == 't'; next = byte(&format)) {
            longs += next == 'l' ? 1 : next == 'j' ? 2 : 0;
            shorts += next == 'h';
        }
        as.letter = (char)next;
        if (next == '%')
            letter(sink, '%');
        else if (!next || !convert(sink, &as, record, longs, shorts, most)) {
            /* What is no conversion stays as it is. */
            letter(sink, '%');
            while (whole.at < format.at)
                letter(sink, (char)byte(&whole));
        }
    }
}

static void number(struct sink *sink, uint32_t value)
{
    struct conversion plain = {.letter = 'u'};
    integer(sink, &plain, value, 0, 0);
}

static void text_at(struct sink *sink, const struct weft_gpu *gpu, uint32_t address)
{
    struct memory text = memory(gpu, address, address < BY_ADDRESS - LONGEST ? address + LONGEST : BY_ADDRESS);
    for (uint8_t c; (c = byte(&text)) != 0;)
        letter(sink, (char)c);
}

/* Where a function's name begins as its source has it: WEFT_KERNEL puts something before that of a kernel. */
static uint32_t written_name(const struct weft_gpu *gpu, uint32_t address)
{
    static const char before[] = "weft_body_";
    const uint32_t length = sizeof before - 1;
    if (address > BY_ADDRESS - length)
        return address;
    struct memory text = memory(gpu, address, address + length);
    for (uint32_t n = 0; n < length; n++)
        if (byte(&text) != (uint8_t)before[n])
            return address;
    return address + length;
}

/* The records of one thread; 0 where they make no sense. */
static int records(struct sink *sink, const struct weft_gpu *gpu, uint32_t thread, uint32_t start, uint32_t used,
                   struct weft_printed *printed)
{
    for (uint32_t at = 0; at < used;) {
        struct memory record = memory(gpu, start + 4 * at, start + 4 * used);
        uint32_t head = word(&record), kind = head >> 24, length = head & 0xffffff;
        if (kind < PRINTF || kind > EXITED || !length || length > used - at)
            return 0;
        record.end = start + 4 * (at + length);
        at += length;
        if (kind == PRINTF) {
            print(sink, &record);
        } else if (kind == EXITED) {
            uint32_t code = word(&record);
            if (!printed->exit)
                printed->exit = code & 0xff;
        } else {
            printed->stopped++;
            uint32_t condition = 0;
            if (kind == ASSERTION) {
                condition = word(&record);
                text_at(sink, gpu, word(&record));
                letter(sink, ':');
                number(sink, word(&record));
                words(sink, ": ");
                text_at(sink, gpu, written_name(gpu, word(&record)));
                words(sink, ": ");
            }
            words(sink, "thread ");
            number(sink, thread);
            words(sink, kind == ASSERTION ? ": assertion failed: " : ": abort() was called");
            if (kind == ASSERTION)
                text_at(sink, gpu, condition);
            letter(sink, '\n');
        }
    }
    return 1;
}

int weft_printed(const struct weft_gpu *gpu, const struct weft_program *program, uint32_t threads,
                 void (*put)(void *context, const char *text, uint32_t bytes), void *context,
                 struct weft_printed *printed)
{
    struct weft_printed none = {0};
    *printed = none;
    if (!program->console_bytes)
        return WEFT_NO_SYMBOL;
    struct sink sink = {.put = put, .context = context};
    uint32_t part = program->console_bytes / 4 / (threads ? threads : 1);
    for (uint32_t thread = 0; part >= HEAD && thread < threads; thread++) {
        uint32_t start = program->console + 4 * thread * part;
        uint32_t used = word_at(gpu, start), lost = word_at(gpu, start + 4), check = word_at(gpu, start + 8);
        int whole = !(used | lost | check) || (check == ~(31 * used + lost) && used <= part - HEAD);
        if (whole)
            printed->lost += lost;
        else
            used = part - HEAD > RESERVED ? part - HEAD - RESERVED : 0;
        if (!records(&sink, gpu, thread, start + 4 * HEAD, used, printed) || !whole)
            printed->damaged++;
    }
    flush(&sink);
    return WEFT_OK;
}
