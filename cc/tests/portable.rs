//! What C that was written for other machines takes for granted (docs/spec/toolchain.md), by every compiler that is there,
//! on the golden machine, compared with the oracle, and with what the host computes.

mod common;

use common::{families, xorshift, Program};
use std::fmt::Write as _;

const LOWERINGS: [&str; 5] = [
    "lower=none",
    "lower=tokens",
    "lower=masks",
    "lower=predicate",
    "lower=auto",
];

/// Any bits, halves, numbers of all sizes, and what is special.
fn points(count: usize, seed: u64) -> Vec<f64> {
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
        0.499_999_999_999_999_94,
        4_503_599_627_370_495.5,
        4_503_599_627_370_497.5,
        9_007_199_254_740_992.0,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        f64::MAX,
        f64::MIN_POSITIVE,
        5e-324,
        -1e-310,
        1e22,
        -1e300,
    ];
    let mut state = seed;
    let mut points: Vec<f64> = special.into();
    while points.len() < count {
        let bits = xorshift(&mut state);
        points.push(match bits >> 60 & 3 {
            0 => f64::from_bits(xorshift(&mut state)),
            1 => (bits as i32 % 20_001) as f64 / 8.0,
            2 => bits as f64 * 2f64.powi((bits % 90) as i32 - 80),
            _ => special[(bits >> 8) as usize % special.len()],
        });
    }
    points
}

/// The smaller one, and -0 is smaller than 0.
fn smaller(x: f64, y: f64) -> f64 {
    match (x == y, x.is_sign_negative()) {
        (true, true) => x,
        (true, false) => y,
        _ => x.min(y),
    }
}

/// Units in the last place between two numbers; all NaN are one.
fn apart(a: f64, b: f64) -> u64 {
    if a.is_nan() || b.is_nan() {
        return if a.is_nan() && b.is_nan() {
            0
        } else {
            u64::MAX
        };
    }
    let rank = |x: f64| match x.to_bits() as i64 {
        bits if bits < 0 => -(bits & i64::MAX),
        bits => bits,
    };
    rank(a).abs_diff(rank(b))
}

/// 6381956970095103 * 2^797: no double is nearer to a multiple of pi/2. There glibc's cosine is 8 units wrong.
fn nearest() -> f64 {
    6_381_956_970_095_103.0 * 2f64.powi(797)
}

fn cosine(x: f64) -> f64 {
    match x == nearest() {
        true => -4.687_165_924_254_628e-19,
        false => x.cos(),
    }
}

type One = (&'static str, fn(f64) -> f64);
type Two = (&'static str, fn(f64, f64) -> f64);

const SERIES_OF_ONE: &[One] = &[
    ("exp(x.f)", f64::exp),
    ("exp2(x.f)", f64::exp2),
    ("expm1(x.f)", f64::exp_m1),
    ("log(x.f)", f64::ln),
    ("log2(x.f)", f64::log2),
    ("log10(x.f)", f64::log10),
    ("log1p(x.f)", f64::ln_1p),
    ("sin(x.f)", f64::sin),
    ("cos(x.f)", cosine),
    ("tan(x.f)", |x| match x == nearest() {
        true => 1.0 / cosine(x) * x.sin(),
        false => x.tan(),
    }),
    ("asin(x.f)", f64::asin),
    ("acos(x.f)", f64::acos),
    ("atan(x.f)", f64::atan),
    ("sinh(x.f)", f64::sinh),
    ("cosh(x.f)", f64::cosh),
    ("tanh(x.f)", f64::tanh),
    ("asinh(x.f)", |x| match x.is_finite() && x.abs() > 1e10 {
        true => (x.abs().ln() + std::f64::consts::LN_2).copysign(x),
        false => x.asinh(),
    }),
    ("atanh(x.f)", f64::atanh),
    ("acosh(x.f)", |x| match x - 1.0 {
        more if (0.0..1.0).contains(&more) => (more + (more * (more + 2.0)).sqrt()).ln_1p(),
        more if more.is_finite() && more > 1e10 => x.ln() + std::f64::consts::LN_2,
        _ => x.acosh(),
    }),
    ("cbrt(x.f)", f64::cbrt),
];

const SERIES_OF_TWO: &[Two] = &[
    ("pow(x.f, y.f)", f64::powf),
    ("pow(fabs(x.f), 1 / y.f)", |x, y| x.abs().powf(1.0 / y)),
    ("atan2(y.f, x.f)", |x, y| y.atan2(x)),
    ("hypot(x.f, y.f)", f64::hypot),
];

const OF_ONE: &[One] = &[
    ("fabs(x.f)", f64::abs),
    ("floor(x.f)", f64::floor),
    ("ceil(x.f)", f64::ceil),
    ("trunc(x.f)", f64::trunc),
    ("round(x.f)", f64::round),
    ("sqrt(x.f)", f64::sqrt),
    // What ldexp makes of the mantissa and the exponent is the number.
    ("frexp(x.f, &e); r.f = ldexp(r.f, e)", |x| x),
    (
        "frexp(x.f, &e); r.f = fabs(r.f) >= 0.5 && fabs(r.f) < 1",
        |x| f64::from(x != 0.0 && x.is_finite()),
    ),
    ("modf(x.f, &whole)", |x| match x.is_infinite() {
        true => 0f64.copysign(x),
        false => (x - x.trunc()).copysign(x),
    }),
    ("(modf(x.f, &whole), whole)", f64::trunc),
    ("ldexp(x.f, 700)", |x| x * 2f64.powi(700)),
    ("scalbn(x.f, -900)", |x| x * 2f64.powi(-900)),
    ("ldexp(ldexp(x.f, 3000), -3000)", |x| {
        match x == 0.0 || x.is_nan() {
            true => x,
            false => f64::INFINITY.copysign(x),
        }
    }),
];

const OF_TWO: &[Two] = &[
    ("copysign(x.f, y.f)", f64::copysign),
    ("fmin(x.f, y.f)", smaller),
    ("fmax(x.f, y.f)", |x, y| -smaller(-x, -y)),
    ("fmod(x.f, y.f)", |x, y| x % y),
];

/// Of each compiler: the functions of points, and of pairs, are as near to the host's as is asked for; 0 is the same bits.
fn compare(one: &[One], two: &[Two], x: &[f64], y: &[f64], most: impl Fn(&str) -> u64) {
    let count = x.len();
    let list = |values: &[f64]| -> String {
        let each = values.iter().map(|v| format!("{:#x},", v.to_bits()));
        each.collect()
    };
    let names = one.iter().map(|(name, _)| name);
    let names = names.chain(two.iter().map(|(name, _)| name));
    let mut calls = String::new();
    for (n, name) in names.enumerate() {
        let _ = writeln!(calls, "r.f = {name}; out[{n}][i] = r.u;");
    }
    let all = one.len() + two.len();
    let source = format!(
        "#include <math.h>\n#include <stdint.h>\n\
         uint64_t xs[] = {{{}}}, ys[] = {{{}}}, out[{all}][{count}];\n\
         void kernel(unsigned t, unsigned n) {{\n\
         for (unsigned i = t; i < {count}; i += n) {{\n\
         union {{ uint64_t u; double f; }} x = {{xs[i]}}, y = {{ys[i]}}, r; int e; double whole;\n{calls}}}}}\n",
        list(x),
        list(y)
    );
    for family in families() {
        let program = Program::build(family, &[("doubles.c", &source)], &["-w"]);
        let run = program.run(2, 16, 31);
        let words = run.words("out", 2 * (all * count) as u32);
        let got = |function: usize, i: usize| {
            let at = 2 * (function * count + i);
            f64::from_bits(u64::from(words[at]) | u64::from(words[at + 1]) << 32)
        };
        let near = |name: &str, got: f64, want: f64, of: &[f64]| {
            let most = most(name);
            let same = most > 0 || got.is_nan() || got.to_bits() == want.to_bits();
            assert!(
                same && apart(got, want) <= most,
                "{family:?}: {name} of {of:?} = {got:e}, not {want:e}"
            );
        };
        for i in 0..count {
            for (n, (name, of)) in one.iter().enumerate() {
                near(name, got(n, i), of(x[i]), &[x[i]]);
            }
            for (n, (name, of)) in two.iter().enumerate() {
                near(name, got(one.len() + n, i), of(x[i], y[i]), &[x[i], y[i]]);
            }
        }
    }
}

/// CC-029
#[test]
fn double_functions_are_exact() {
    let x = points(160, 79);
    let y: Vec<f64> = points(160, 80).into_iter().rev().collect();
    compare(OF_ONE, OF_TWO, &x, &y, |_| 0);
}

/// CC-029. How far they are from what is right, at many more points: `ulp.rs`. Rust's own asinh, acosh and atanh are
/// less exact than these.
#[test]
fn series_of_double_are_as_exact_as_they_say() {
    // Multiples of pi/2 that double comes next to, small and huge; ends of powers.
    let mut x = vec![
        nearest(),
        std::f64::consts::FRAC_PI_2,
        -100.0 * std::f64::consts::PI,
        1e5,
        709.782_712_893_384,
        -745.1,
        -1074.5,
        0.99,
        -0.3,
        1.000_000_1,
    ];
    x.extend(points(110, 81));
    let y: Vec<f64> = points(120, 82).into_iter().rev().collect();
    let ours = ["asinh(x.f)", "acosh(x.f)", "atanh(x.f)"];
    compare(SERIES_OF_ONE, SERIES_OF_TWO, &x, &y, |name| {
        if ours.contains(&name) {
            6
        } else {
            2
        }
    });
}

/// CC-027: out of calls of all depths, into loops, from one catch into another; threads of a warp jump at other times.
#[test]
fn threads_jump_out_of_functions() {
    let body = "
        #include <setjmp.h>
        static int deep(jmp_buf to, int calls, int value) {
            volatile int kept = calls;
            if (calls == 0) longjmp(to, value);
            return deep(to, calls - 1, value) + kept;
        }
        static int caught(int thread) {
            jmp_buf outer, inner;
            volatile int sum = 0;
            for (volatile int i = 0; i <= thread % 7; i++) {
                int value = setjmp(outer);
                if (value == 0) {
                    if ((thread + i) & 1) deep(outer, (thread * 3 + i) % 9, thread % 5);
                    else sum += 100;
                } else {
                    sum += value * (i + 1);
                    if (value == 3 && sum < 50) {
                        int again = setjmp(inner);
                        if (!again) longjmp(inner, 7);
                        sum += again;
                        longjmp(outer, 4);
                    }
                }
            }
            return sum;
        }
        int out[61];
        void kernel(unsigned t, unsigned n) { out[t] = caught(t); }";
    for family in families() {
        for lower in LOWERINGS {
            let program = Program::build(family, &[("jumps.c", body)], &["-w", lower]);
            let run = program.run(4, 16, 61);
            let got = run.words("out", 61);
            let want: Vec<u32> = (0..61).map(jumped).collect();
            assert_eq!(got, want, "{family:?} {lower}");
        }
    }
}

/// What the program above computes, without jumps. 0 becomes 1 on its way.
fn jumped(thread: u32) -> u32 {
    let mut sum = 0;
    for i in 0..=thread % 7 {
        if (thread + i) & 1 == 0 {
            sum += 100;
            continue;
        }
        let value = (thread % 5).max(1);
        sum += value * (i + 1);
        if value == 3 && sum < 50 {
            sum += 7 + 4 * (i + 1);
        }
    }
    sum
}

/// CC-028: of functions that the library has, a program's own is taken.
#[test]
fn a_program_has_functions_of_the_librarys_names() {
    let source = "
        #include <stddef.h>
        #include <stdlib.h>
        #include <math.h>
        unsigned out;
        size_t strlen(const char *s) { size_t n = 0; while (s[n]) n++; return n + 20; }
        void *memcpy(void *to, const void *from, size_t n) { char *d = to; const char *s = from; while (n--) *d++ = *s++; return to; }
        char *strcpy(char *to, const char *from);
        int rand(void) { return 4; }
        float fabsf(float x) { return 40; }
        double floor(double x) { return 500; }
        void kernel(unsigned t, unsigned n) {
            char text[10];
            strcpy(text, \"abc\");
            out = strlen(text) + rand() + (int)sqrtf(fabsf(-9) * 2.5f) + (int)floor(sqrt(2)) + 1000 * (malloc(3) != 0);
        }";
    for family in families() {
        let program = Program::build(family, &[("own.c", source)], &["-w", "-fno-builtin"]);
        let run = program.run(1, 4, 1);
        assert_eq!(
            run.words("out", 1),
            [23 + 4 + 10 + 500 + 1000],
            "{family:?}"
        );
    }
}

/// Two of the program's own are as wrong as ever.
#[test]
fn two_of_a_name_are_refused() {
    for family in families() {
        let files = [
            ("a.c", "int rand(void) { return 1; }"),
            (
                "b.c",
                "int rand(void) { return 2; } void kernel(unsigned t, unsigned n) { rand(); }",
            ),
        ];
        let said = Program::refused(family, &files);
        assert!(said.contains("rand"), "{family:?}: {said}");
    }
}

/// CC-020, `inttypes.h`, `alloca` of `stdlib.h`.
#[test]
fn what_goes_to_stderr_is_printed() {
    let source = r#"
        #include <inttypes.h>
        #include <memory.h>
        #include <stdio.h>
        #include <stdlib.h>
        static void say(const char *format, ...) { va_list a; va_start(a, format); vfprintf(stderr, format, a); va_end(a); }
        void kernel(unsigned t, unsigned n) {
            char *text = alloca(8); memset(text, 0, 8);
            int32_t small = -5; uint64_t large = 0x123456789a; uint8_t byte = 200; intptr_t pointer = -1;
            snprintf(text, 8, "%" PRIx64, large);
            fprintf(stderr, "%" PRId32 " %" PRIu64 " %" PRIu8 " %" PRIdPTR " %" PRIdMAX " %s\n", small, large, byte, pointer, (intmax_t)large, text);
            fputs("two", stdout); fputc('-', stderr); putc('>', stdout); fflush(stdout);
            say("%d %s\n", 3, "three");
        }"#;
    for family in families() {
        // The formats fit the types.
        let flags = ["-Wformat", "-Werror=format"];
        let program = Program::build(family, &[("say.c", source)], &flags);
        let printed = program.run(1, 4, 1).printed();
        let want = "-5 78187493530 200 -1 78187493530 1234567\ntwo->3 three\n";
        assert_eq!(printed, want, "{family:?}");
    }
}
