//! The C library of programs (docs/spec/toolchain.md), by every compiler that is there, on the golden machine: compared
//! with Rust's own functions and with the host's arithmetic.

mod common;

use common::{families, try_build, xorshift, Program};
use std::fmt::Write as _;
use weft_cc::Family;

/// Points of all kinds: any bits, small numbers, integers and halves, and what is special.
fn points(count: usize, seed: u64) -> Vec<f32> {
    let special = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -0.5,
        1.5,
        2.5,
        -2.5,
        0.4999_9997,
        8_388_607.5,
        8_388_609.0,
        16_777_216.0,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        f32::MAX,
        f32::MIN_POSITIVE,
        1e-45,
        -1e-40,
        std::f32::consts::PI,
        1.570_796_4,
        88.72,
        -103.9,
        128.0,
        -149.0,
        1e22,
    ];
    let mut state = seed;
    let mut points: Vec<f32> = special.into();
    while points.len() < count {
        let bits = xorshift(&mut state);
        points.push(match bits >> 60 & 3 {
            0 => f32::from_bits(bits as u32),
            1 => (bits as i32 % 2001) as f32 / 8.0,
            2 => (bits as i32 % 200_001) as f32 / 1000.0,
            _ => f32::from_bits(0x3f80_0000 + (bits as u32 & 0xff_ffff) - 0x80_0000),
        });
    }
    points.truncate(count);
    points
}

/// Units in the last place between two numbers; all NaN are one.
fn apart(a: f32, b: f32) -> u32 {
    if a.is_nan() || b.is_nan() {
        return if a.is_nan() && b.is_nan() {
            0
        } else {
            u32::MAX
        };
    }
    let rank = |x: f32| match x.to_bits() as i32 {
        bits if bits < 0 => -i64::from(bits & i32::MAX),
        bits => i64::from(bits),
    };
    (rank(a) - rank(b)).unsigned_abs() as u32
}

type One = (&'static str, fn(f64) -> f64, Most);
type Two = (&'static str, fn(f32, f32) -> f32, Most);

/// Largest distance from the host's result, rounded to float, in units of the last place: of soft and of hard float.
type Most = (u32, u32);
const EXACT: Most = (0, 0);
const TWO: Most = (2, 2);
/// In soft float from a double that is exact enough.
const ROUNDED: Most = (1, 2);

const OF_ONE: &[One] = &[
    ("fabsf", f64::abs, EXACT),
    ("floorf", f64::floor, EXACT),
    ("ceilf", f64::ceil, EXACT),
    ("truncf", f64::trunc, EXACT),
    ("roundf", f64::round, EXACT),
    ("sqrtf", f64::sqrt, EXACT),
    ("expf", f64::exp, TWO),
    ("exp2f", f64::exp2, TWO),
    ("logf", f64::ln, TWO),
    ("log2f", f64::log2, TWO),
    ("log10f", f64::log10, TWO),
    ("sinf", f64::sin, TWO),
    ("cosf", f64::cos, TWO),
    ("tanf", f64::tan, (2, 3)),
    ("atanf", f64::atan, TWO),
    ("asinf", f64::asin, ROUNDED),
    ("acosf", f64::acos, ROUNDED),
    ("sinhf", f64::sinh, (1, 3)),
    ("coshf", f64::cosh, ROUNDED),
    ("tanhf", f64::tanh, (1, 3)),
    ("asinhf", f64::asinh, ROUNDED),
    ("acoshf", f64::acosh, ROUNDED),
    ("atanhf", f64::atanh, ROUNDED),
    ("expm1f", f64::exp_m1, ROUNDED),
    ("log1pf", f64::ln_1p, ROUNDED),
    ("cbrtf", f64::cbrt, ROUNDED),
];

const OF_TWO: &[Two] = &[
    ("copysignf", f32::copysign, EXACT),
    ("fminf", f32::min, EXACT),
    ("fmaxf", f32::max, EXACT),
    ("fmodf", |x, y| x % y, EXACT),
    (
        "atan2f",
        |y, x| f64::from(y).atan2(f64::from(x)) as f32,
        TWO,
    ),
    (
        "powf",
        |x, y| f64::from(x).powf(f64::from(y)) as f32,
        (2, 4),
    ),
    (
        "hypotf",
        |x, y| f64::from(x).hypot(f64::from(y)) as f32,
        ROUNDED,
    ),
];

#[test]
fn float_functions_are_as_exact_as_they_say() {
    const COUNT: usize = 192;
    let (x, y) = (
        points(COUNT, 77),
        points(COUNT, 78).into_iter().rev().collect::<Vec<_>>(),
    );
    let list = |values: &[f32]| -> String {
        values
            .iter()
            .map(|v| format!("{:#x},", v.to_bits()))
            .collect()
    };
    let mut calls = String::new();
    for (n, (name, ..)) in OF_ONE.iter().enumerate() {
        let _ = writeln!(calls, "r.f = {name}(x.f); out[{n}][i] = r.u;");
    }
    for (n, (name, ..)) in OF_TWO.iter().enumerate() {
        let _ = writeln!(
            calls,
            "r.f = {name}(x.f, y.f); out[{}][i] = r.u;",
            OF_ONE.len() + n
        );
    }
    let all = OF_ONE.len() + OF_TWO.len();
    let source = format!(
        "#include <math.h>\nunsigned xs[] = {{{}}}, ys[] = {{{}}}, out[{all}][{COUNT}];\n\
         void kernel(unsigned t, unsigned n) {{\n\
         for (unsigned i = t; i < {COUNT}; i += n) {{\n\
         union {{ unsigned u; float f; }} x = {{xs[i]}}, y = {{ys[i]}}, r;\n{calls}}}}}\n",
        list(&x),
        list(&y)
    );
    let mut hard_ones = 0;
    for family in families() {
        for float in ["float=soft", "float=hard"] {
            let built = try_build(family, &[("floats.c", &source)], &[], &[float]);
            // A GCC before 13 (CC-007).
            if float == "float=hard" && built.is_err() && family == Family::Gcc {
                continue;
            }
            let hard = float == "float=hard";
            hard_ones += u32::from(hard);
            let program = Program {
                hard_float: hard,
                ..Program::of(built.unwrap_or_else(|e| panic!("{family:?} {float}: {e}")))
            };
            let run = program.run_together(2, 16, 32);
            let words = run.words("out", (all * COUNT) as u32);
            let got = |function: usize, i: usize| f32::from_bits(words[function * COUNT + i]);
            let near = |name: &str, got: f32, want: f32, most: Most, of: &[f32]| {
                let most = if hard { most.1 } else { most.0 };
                let exact = most > 0 || got.is_nan() || got.to_bits() == want.to_bits();
                assert!(
                    exact && apart(got, want) <= most,
                    "{family:?} {float}: {name} of {of:?} = {got:e}, not {want:e}"
                );
            };
            for i in 0..COUNT {
                for (n, (name, of, most)) in OF_ONE.iter().enumerate() {
                    near(name, got(n, i), of(f64::from(x[i])) as f32, *most, &[x[i]]);
                }
                for (n, (name, of, most)) in OF_TWO.iter().enumerate() {
                    let got = got(OF_ONE.len() + n, i);
                    near(name, got, of(x[i], y[i]), *most, &[x[i], y[i]]);
                }
            }
        }
    }
    assert!(hard_ones > 0 || families() == [Family::Gcc]);
}

/// What a thread formats itself is what `weft run` formats for printf, which is compared with glibc elsewhere.
#[test]
fn sprintf_and_printf_make_the_same() {
    let [mut words, mut longs, mut doubles] = [(); 3].map(|()| String::new());
    let add = |list: &mut String, format: String, value: String| {
        let _ = writeln!(list, "{{\"{format}|\", {value}}},");
    };
    let mut state = 5;
    let mut flags = ["", "-", "0", "+", " ", "#", "-#", "+0", "#0"]
        .iter()
        .cycle();
    for n in 0..60 {
        let bits = xorshift(&mut state);
        let flag = flags.next().unwrap();
        let (width, precision) = (bits % 25, bits >> 8 & 7);
        let value = bits as i32 >> (bits >> 40 & 31);
        let conversion = ["d", "u", "x", "X", "o", "i"][n % 6];
        let format = format!("%{flag}{width}.{precision}{conversion}");
        add(&mut words, format, format!("{value}"));
        let long = bits as i64 >> (n % 60);
        add(
            &mut longs,
            format!("%{flag}{width}ll{conversion}"),
            format!("{long}ll"),
        );
    }
    for (format, value) in [
        ("%c", 120),
        ("%5c", 121),
        ("%p", 4660),
        ("%hhd", 511),
        ("%hu", 98304),
        ("100%%%d", 3),
    ] {
        add(&mut words, format.into(), value.to_string());
    }
    let numbers = [
        0.0,
        -0.0,
        1.0,
        9.5,
        0.5,
        1.5,
        2.5,
        999_999.5,
        0.000_099_999_95,
        123_456.789,
        1e15,
        1e22,
        1.0 / 3.0,
        5e-324,
        1.797e308,
        0.1,
        99.995,
        1e-5,
        100.0,
        12_345_678.0,
        -0.046_875,
    ];
    for (n, number) in numbers.iter().enumerate() {
        let flag = flags.next().unwrap();
        for (m, conversion) in ["f", "e", "g", "G", "E"].iter().enumerate() {
            // Beyond the text's room.
            if *conversion == "f" && *number > 1e30 {
                continue;
            }
            let precision = (n * 7 + m) % 12;
            let format = format!("%{flag}{}.{precision}{conversion}", n % 20);
            add(&mut doubles, format, format!("{number:e}"));
            add(
                &mut doubles,
                format!("%{conversion}"),
                format!("{number:e}"),
            );
        }
    }
    let source = format!(
        "#include <stdio.h>\n#include <string.h>\nunsigned bad;\n\
         static const struct {{ const char *format; int value; }} words[] = {{{words}}};\n\
         static const struct {{ const char *format; long long value; }} longs[] = {{{longs}}};\n\
         static const struct {{ const char *format; double value; }} doubles[] = {{{doubles}}};\n\
         #define EACH(list) for (unsigned i = 0; i < sizeof list / sizeof *list; i++) {{ \
         length = snprintf(text, sizeof text, list[i].format, list[i].value); bad += length != (int)strlen(text); \
         puts(text); printf(list[i].format, list[i].value); putchar('\\n'); }}\n\
         void kernel(unsigned t, unsigned n) {{\n\
         char text[160]; int length;\nEACH(words) EACH(longs) EACH(doubles)\n\
         bad += snprintf(text, 4, \"%d\", 123456) != 6 || strcmp(text, \"123\");\n\
         bad += snprintf(NULL, 0, \"%s\", \"four\") != 4 || sprintf(text, \"%5d\", -7) != 5 || strcmp(text, \"   -7\");\n\
         bad += sprintf(text, \"%-8.2s|%s\", \"text\", \"more\") != 13 || strcmp(text, \"te      |more\");\n}}\n"
    );
    for family in families() {
        let flags = ["-w", "console=1048576"];
        let program = Program::build(family, &[("print.c", &source)], &flags);
        let run = program.run(1, 4, 1);
        let printed = run.printed();
        let lines: Vec<&str> = printed.lines().collect();
        for pair in lines.chunks(2) {
            assert_eq!(pair[0], pair[1], "{family:?}: sprintf, then printf");
        }
        assert_eq!(lines.len(), 2 * (66 + 60 + 2 * (5 * 21 - 1)), "{family:?}");
        assert_eq!(run.words("bad", 1), [0], "{family:?}");
    }
}

/// Each line of it is false of a function that is wrong; the number of the first one is told.
#[test]
fn strings_characters_and_numbers_are_what_c_says() {
    let source = r#"
        #include <ctype.h>
        #include <errno.h>
        #include <limits.h>
        #include <stdlib.h>
        #include <string.h>
        unsigned wrong;
        unsigned char kinds[128];
        #define CHECK(what) do { if (!(what) && !wrong) wrong = __LINE__; } while (0)
        static int up(const void *a, const void *b) { return *(const int *)a < *(const int *)b ? -1 : *(const int *)a > *(const int *)b; }
        void kernel(unsigned t, unsigned n)
        {
            char text[64] = "one two", *end;
            CHECK(strncmp("abc", "abd", 2) == 0 && strncmp("abc", "abd", 3) < 0 && strncmp("", "", 9) == 0 && strncmp("b", "a", 0) == 0);
            CHECK(strncmp("a\xff", "a\x01", 5) > 0);
            CHECK(strchr(text, 'o') == text && strrchr(text, 'o') == text + 6 && !strchr(text, 'x') && *strchr(text, 0) == 0);
            CHECK(strrchr(text, 0) == text + 7 && !strrchr(text, 'x'));
            CHECK(!strcmp(strcat(text, ", three"), "one two, three") && !strcmp(strncat(text, "four", 2), "one two, threefo"));
            CHECK(strstr(text, "two") == text + 4 && !strstr(text, "twx") && strstr(text, "") == text && strstr(text, "threefo"));
            CHECK(strspn(text, "one") == 3 && strcspn(text, " ,") == 3 && strpbrk(text, ",") == text + 7 && !strpbrk(text, "z"));
            CHECK(memchr(text, 't', 4) == 0 && memchr(text, 't', 5) == text + 4 && !memchr(text, 'o', 0));
            memset(text, 'x', 16);
            CHECK(strncpy(text, "ab", 5) == text && !memcmp(text, "ab\0\0\0x", 6) && strncpy(text, "abcdef", 3) && text[3] == 0);
            CHECK(strnlen("abc", 2) == 2 && strnlen("abc", 9) == 3 && stpcpy(text, "path") == text + 4);
            strcpy(text, ",a,,bc,");
            CHECK(!strcmp(strtok(text, ","), "a") && !strcmp(strtok(0, ","), "bc") && !strtok(0, ","));
            if (t == 0)
                for (int c = 0; c < 128; c++)
                    kinds[c] = !!isalpha(c) | !!isdigit(c) << 1 | !!isspace(c) << 2 | !!isupper(c) << 3 | !!ispunct(c) << 4
                             | !!iscntrl(c) << 5 | !!isxdigit(c) << 6 | !!isgraph(c) << 7;
            CHECK(tolower('Q') == 'q' && tolower('1') == '1' && toupper('z') == 'Z' && toupper('{') == '{' && !isalpha(EOF_));
            CHECK(isalnum('5') && isalnum('g') && !isalnum('_') && isblank('\t') && !isblank('\n') && islower('a') && !islower('A') && isprint(' ') && !isprint(127));
            CHECK(atoi(" -42x") == -42 && atol("+7") == 7 && atoll("-9000000000") == -9000000000ll);
            CHECK(strtol("0x1fz", &end, 0) == 31 && *end == 'z' && strtol("077", &end, 0) == 63 && strtol("zz", &end, 36) == 35 * 36 + 35);
            const char *none = "  +"; CHECK(strtol(none, &end, 10) == 0 && end == none);
            const char *x = "0xg"; CHECK(strtol(x, &end, 16) == 0 && end == x + 1);
            errno = 0; CHECK(strtol("2147483647", 0, 10) == LONG_MAX && strtol("-2147483648", 0, 10) == LONG_MIN && errno == 0);
            CHECK(strtol("2147483648", 0, 10) == LONG_MAX && errno == ERANGE); errno = 0;
            CHECK(strtol("-2147483649", 0, 10) == LONG_MIN && errno == ERANGE); errno = 0;
            CHECK(strtoul("4294967295", 0, 10) == ULONG_MAX && errno == 0 && strtoul("-1", 0, 10) == ULONG_MAX && errno == 0);
            CHECK(strtoul("4294967296", 0, 10) == ULONG_MAX && errno == ERANGE); errno = 0;
            CHECK(strtoull("18446744073709551615", 0, 10) == ULLONG_MAX && errno == 0 && strtoll("-9223372036854775808", 0, 10) == LLONG_MIN);
            CHECK(strtoull("18446744073709551616", 0, 10) == ULLONG_MAX && errno == ERANGE);
            CHECK(abs(-3) == 3 && labs(-4) == 4 && llabs(-5) == 5 && div(-7, 2).quot == -3 && div(-7, 2).rem == -1 && ldiv(9, 4).rem == 1);
            int numbers[40]; srand(t + 1);
            for (int i = 0; i < 40; i++) numbers[i] = rand() % 50 - 25;
            for (int count = 0; count <= 40; count += count < 5 ? 1 : 7) {
                int sorted[40], sum = 0; for (int i = 0; i < count; i++) sorted[i] = numbers[i], sum += numbers[i];
                qsort(sorted, count, sizeof(int), up);
                for (int i = 0; i < count; i++) { sum -= sorted[i]; CHECK(i == 0 || sorted[i - 1] <= sorted[i]); }
                CHECK(sum == 0);
                for (int key = -26; key < 26; key++) {
                    int *found = bsearch(&key, sorted, count, sizeof(int), up), there = 0;
                    for (int i = 0; i < count; i++) there |= sorted[i] == key;
                    CHECK(found ? *found == key && there : !there);
                }
            }
            srand(9); int first = rand(), second = rand(); srand(9); CHECK(first == rand() && second == rand() && first != second && first >= 0);
        }
    "#
    .replace("EOF_", "-1");
    for family in families() {
        let program = Program::build(family, &[("text.c", &source)], &["-w"]);
        let run = program.run_together(2, 4, 7);
        assert_eq!(run.words("wrong", 1), [0], "{family:?}: line");
        let kinds = run.bytes("kinds", 128);
        for c in 0..128u8 {
            let is_space = c.is_ascii_whitespace() || c == 11;
            let want = [
                c.is_ascii_alphabetic(),
                c.is_ascii_digit(),
                is_space,
                c.is_ascii_uppercase(),
                c.is_ascii_punctuation(),
                c.is_ascii_control(),
                c.is_ascii_hexdigit(),
                c.is_ascii_graphic(),
            ];
            let want = (0..8).map(|n| u8::from(want[n]) << n).sum::<u8>();
            assert_eq!(kinds[usize::from(c)], want, "{family:?}: {c}");
        }
    }
}

/// CC-025: each thread's own heap, whose blocks overlap nowhere, are given back, and come to an end.
#[test]
fn the_heap_gives_each_thread_its_own_and_comes_to_an_end() {
    let source = r#"
        #include <errno.h>
        #include <stdint.h>
        #include <stdlib.h>
        #include <string.h>
        unsigned wrong, most[64];
        void *left[64];
        #define CHECK(what) do { if (!(what) && !wrong) wrong = __LINE__; } while (0)
        void kernel(unsigned t, unsigned n)
        {
            unsigned char *block[12] = {0}; unsigned size[12] = {0};
            srand(t);
            for (int round = 0; round < 60; round++) {
                int i = rand() % 12;
                for (unsigned b = 0; b < size[i]; b++) CHECK(block[i][b] == (unsigned char)(t + i));
                if (round % 3 == 2) {
                    unsigned more = rand() % 70;
                    unsigned char *moved = realloc(block[i], more);
                    CHECK(moved);
                    for (unsigned b = 0; b < size[i] && b < more; b++) CHECK(moved[b] == (unsigned char)(t + i));
                    block[i] = moved, size[i] = more;
                } else {
                    free(block[i]);
                    size[i] = rand() % 40;
                    block[i] = round % 2 ? calloc(size[i], 1) : malloc(size[i]);
                    CHECK(block[i] && ((uintptr_t)block[i] & 15) == 0);
                    for (unsigned b = 0; b < size[i] && round % 2; b++) CHECK(block[i][b] == 0);
                }
                memset(block[i], t + i, size[i]);
            }
            for (int i = 0; i < 12; i++) free(block[i]);
            /* All that is free is one piece again, and no more than the thread's part. */
            for (most[t] = 16384; !(left[t] = malloc(most[t])); ) most[t] -= 16;
            CHECK(errno == ENOMEM && !malloc(most[t]) && !calloc(1u << 30, 8));
            memset(left[t], t, most[t]);
            for (unsigned b = 0; b < most[t]; b++) CHECK(((unsigned char *)left[t])[b] == (unsigned char)t);
        }
    "#;
    for family in families() {
        for (grid, heap) in [(1, 16384), (13, 16384)] {
            let flag = format!("heap={heap}");
            let program = Program::build(family, &[("heap.c", source)], &[&flag, "-w"]);
            let run = program.run_together(2, 8, grid);
            assert_eq!(run.words("wrong", 1), [0], "{family:?}, {grid}: line");
            let part = heap / grid / 16 * 16;
            for (t, most) in run.words("most", grid).into_iter().enumerate() {
                assert!(
                    most < part && most + 32 >= part,
                    "{family:?}: {t}: {most} of {part}"
                );
            }
        }
    }
}

/// CC-015
#[test]
fn thread_local_variables_are_each_threads_own() {
    let one = r#"
        #include <errno.h>
        _Thread_local int counter = 5;
        static __thread int zeros[5];
        __thread unsigned char odd = 7;
        _Thread_local long long wide = 1ll << 40;
        extern _Thread_local int elsewhere;
        int add(int k);
        unsigned out[64][6];
        __attribute__((noinline)) static int *last(void) { return &zeros[4]; }
        void kernel(unsigned thread, unsigned threads)
        {
            for (unsigned i = 0; i <= thread % 3; i++) counter += thread;
            *last() += thread; odd++; wide += thread; errno = thread;
            if (counter & 1) elsewhere = add(thread); else elsewhere += 2;
            out[thread][0] = counter; out[thread][1] = zeros[4] + zeros[0]; out[thread][2] = odd; out[thread][3] = (unsigned)(wide - (1ll << 40));
            out[thread][4] = elsewhere; out[thread][5] = errno;
        }
    "#;
    let two = "_Thread_local int elsewhere = 100;\nint add(int k) { elsewhere += k; return elsewhere + 1; }\n";
    for family in families() {
        for level in ["-O0", "-O2"] {
            let files = [("one.c", one), ("two.c", two)];
            let program = Program::build(family, &files, &[level]);
            for (warps, threads, grid) in [(1, 4, 1), (2, 8, 13), (3, 16, 41)] {
                let run = program.run_together(warps, threads, grid);
                let out = run.words("out", 6 * grid);
                for t in 0..grid {
                    let counter = 5 + t * (t % 3 + 1);
                    let elsewhere = if counter & 1 == 1 { 101 + t } else { 102 };
                    let want = [counter, t, 8, t, elsewhere, t];
                    assert_eq!(out[6 * t as usize..][..6], want, "{family:?} {level}: {t}");
                }
            }
        }
    }
}

#[test]
fn cpp_has_new_and_delete() {
    let source = r#"
        struct Node { Node *next; unsigned value; virtual ~Node() {} };
        extern "C" {
        unsigned out[32];
        void kernel(unsigned t, unsigned)
        {
            Node *list = nullptr;
            for (unsigned i = 0; i < 5; i++) { Node *node = new Node(); node->next = list; node->value = t * i; list = node; }
            unsigned *sums = new unsigned[3]();
            while (list) { sums[1] += list->value; Node *next = list->next; delete list; list = next; }
            out[t] = sums[1] + sums[0];
            delete[] sums;
        }
        }
    "#;
    for family in families() {
        let program = Program::build(family, &[("list.cpp", source)], &[]);
        let want: Vec<u32> = (0..32).map(|t| 10 * t).collect();
        assert_eq!(
            program.run_together(2, 16, 32).words("out", 32),
            want,
            "{family:?}"
        );
    }
}
