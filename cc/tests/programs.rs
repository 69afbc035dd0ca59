//! Small programs in C and C++, by every compiler that is there, run on the golden machine and thread by thread.
//!
//! A compiler that is missing is named as skipped. Zig's wheel counts when it is installed; the gate installs it.

mod common;

use common::{families, try_build, Program};
use weft_cc::Family;

/// CC-020, 022: printf of every kind of operand, in the order of the threads whatever the machine.
const PRINT: &str = r#"
#include <stdio.h>
char name[8] = "mutable";
void kernel(unsigned thread, unsigned threads)
{
    for (unsigned i = 0; i <= thread % 3; i++)
        printf("%u/%u %s: %d %c %#x %lld %5.2f|\n", thread, threads, i ? name : "const", -(int)i, 'a' + i, i + 255u,
               1ll << (32 + i), i / 4.0);
    if (thread == 2) { puts("two"); putchar('2'); putchar('\n'); }
}
"#;

fn printed(threads: u32) -> String {
    let mut want = String::new();
    for thread in 0..threads {
        for i in 0..=thread % 3 {
            let name = if i > 0 { "mutable" } else { "const" };
            let letter = char::from(b'a' + i as u8);
            let (minus, hex, long, quarter) =
                (-(i as i32), i + 255, 1u64 << (32 + i), f64::from(i) / 4.0);
            want += &format!(
                "{thread}/{threads} {name}: {minus} {letter} {hex:#x} {long} {quarter:5.2}|\n"
            );
        }
        if thread == 2 {
            want += "two\n2\n";
        }
    }
    want
}

#[test]
fn what_threads_print_is_shown_in_their_order() {
    for family in families() {
        let program = Program::build(family, &[("print.c", PRINT)], &[]);
        for (warps, threads, grid) in [(1, 4, 1), (2, 4, 7), (4, 8, 32), (3, 8, 17)] {
            let run = program.run(warps, threads, grid);
            assert_eq!(
                run.printed(),
                printed(grid),
                "{family:?} {warps} x {threads}, {grid}"
            );
        }
    }
}

/// CC-021
#[test]
fn a_full_buffer_loses_whole_calls_and_says_how_many() {
    let source = r#"
        #include <stdio.h>
        int result[4];
        void kernel(unsigned t, unsigned n) { for (int i = 0; i < 100; i++) result[t] += printf("%d:%d\n", (int)t, i); }
    "#;
    for family in families() {
        let program = Program::build(family, &[("full.c", source)], &["console=512"]);
        let run = program.run(1, 4, 4);
        let console = run.console();
        let text = String::from_utf8(console.text.clone()).unwrap();
        let shown = text.lines().count();
        assert!(shown > 8 && shown < 200, "{family:?}: {shown} lines");
        assert_eq!(shown as u64 + console.lost, 400, "{family:?}");
        assert_eq!(console.threads_with_losses, 4);
        assert!(text.ends_with('\n') && console.damaged.is_empty());
        let mut want: i32 = run.words("result", 4).iter().map(|w| *w as i32).sum();
        want = -want;
        assert_eq!(want as u64, console.lost, "EOF for each");
    }
}

/// CC-007: the same results by the compiler's library and by the machine, those of Rust.
#[test]
fn float_is_computed_by_a_library_or_by_the_machine() {
    let source = r#"
        float result[64][6];
        void kernel(unsigned t, unsigned n)
        {
            float x = (float)(int)(t * 7919 % 64) / 3 - 10, y = 1e-3f * t + (float)(t << 27);
            result[t][0] = x * y + 0.5f;
            result[t][1] = x / (y + 1);
            result[t][2] = x < y ? -x : y;
            result[t][3] = (float)(int)(x * 100);
            result[t][4] = (float)(unsigned)y;
            result[t][5] = x - y;
        }
    "#;
    let want: Vec<u32> = (0..61u32)
        .flat_map(|t| {
            let x = (t * 7919 % 64) as i32 as f32 / 3.0 - 10.0;
            let y = 1e-3f32 * t as f32 + (t << 27) as f32;
            let of_ints = [(x * 100.0) as i32 as f32, y as u32 as f32];
            let [cut, whole] = of_ints;
            let smaller = if x < y { -x } else { y };
            [x * y + 0.5, x / (y + 1.0), smaller, cut, whole, x - y].map(f32::to_bits)
        })
        .collect();
    let mut hard = 0;
    for family in families() {
        for float in ["float=soft", "float=hard"] {
            // A product and a sum stay two.
            let flags = [float, "-ffp-contract=off"];
            let elf = try_build(family, &[("float.c", source)], &[], &flags);
            if let Err(error) = &elf {
                let said = error.to_string();
                assert!(said.contains("GCC 13 or newer does"), "{family:?}: {said}");
                continue;
            }
            let mut program = Program::of(elf.unwrap());
            let without = program.run(2, 32, 61).faults();
            assert_eq!(without.is_empty(), float == "float=soft", "{family:?}");
            program.hard_float = true;
            let run = program.run(2, 32, 61);
            assert_eq!(run.words("result", 6 * 61), want, "{family:?} {float}");
            assert_eq!(run.words("result", 6 * 64)[6 * 61..], [0; 18]);
            hard += usize::from(float == "float=hard");
        }
    }
    assert!(hard > 0 || families() == [Family::Gcc]);
}

/// CC-023
#[test]
fn a_failed_assertion_names_file_line_function_and_thread() {
    let source = "#include <assert.h>\nint out[8];\nvoid kernel(unsigned t, unsigned n)\n{\n    \
                  assert(t != 5);\n    out[t] = 1;\n}\n";
    for family in families() {
        let program = Program::build(family, &[("claim.c", source)], &[]);
        let run = program.run(2, 4, 8);
        let stops = run.console().stops;
        assert_eq!(stops.len(), 1, "{family:?}: {stops:?}");
        assert!(
            stops[0].ends_with(": kernel: thread 5: assertion failed: t != 5"),
            "{}",
            stops[0]
        );
        assert!(stops[0].contains("claim.c:5: "), "{}", stops[0]);
        assert_eq!(run.faults().len(), 1);
        let off = Program::build(family, &[("claim.c", source)], &["-DNDEBUG"]);
        assert_eq!(off.run(2, 4, 8).words("out", 8), [1; 8]);
    }
}

/// CC-011, 012
#[test]
fn constructors_run_once_before_any_kernel() {
    let source = r#"
        extern "C" { unsigned made, out[64], late[64]; void kernel(unsigned t, unsigned n); }
        struct Table {
            unsigned words[16];
            Table() { made++; for (int i = 0; i < 16; i++) words[i] = i * i; }
            virtual ~Table() {}
            virtual unsigned at(unsigned i) { return words[i % 16]; }
        };
        static Table table;
        struct Late { unsigned who; Late() { made += 100; who = 7; } ~Late() {} };
        void kernel(unsigned t, unsigned)
        {
            static Late once;
            late[t] = once.who;
            Table &a = table;
            out[t] = a.at(t) + made % 100;
        }
    "#;
    for family in families() {
        let program = Program::build(family, &[("made.cpp", source)], &[]);
        for (warps, threads, grid) in [(1, 4, 1), (1, 4, 3), (4, 8, 32), (8, 8, 61)] {
            let run = program.run(warps, threads, grid);
            let want: Vec<u32> = (0..grid).map(|t| (t % 16) * (t % 16) + 1).collect();
            assert_eq!(
                run.words("out", grid),
                want,
                "{family:?} {warps} x {threads}, {grid}"
            );
            assert_eq!(run.words("late", grid), vec![7; grid as usize]);
            assert_eq!(run.words("made", 1), [101]);
        }
    }
}

/// CC-004
#[test]
fn soft_float_and_64_bit_division_are_there() {
    let source = r#"
        float f[8]; double d[8]; unsigned long long q[8]; long long r[8];
        void kernel(unsigned t, unsigned n)
        {
            f[t] = t / 3.0f + 0.5f;
            d[t] = (double)f[t] * f[t] - t;
            q[t] = 1000000000000ull / (t + 1);
            r[t] = -(1ll << 40) % (int)(t + 3);
        }
    "#;
    for family in families() {
        let program = Program::build(family, &[("soft.c", source)], &[]);
        let run = program.run(1, 8, 8);
        let pairs = |name: &str| -> Vec<u64> {
            let words = run.words(name, 16);
            words
                .chunks(2)
                .map(|w| u64::from(w[1]) << 32 | u64::from(w[0]))
                .collect()
        };
        for t in 0..8u32 {
            let f = t as f32 / 3.0 + 0.5;
            let at = t as usize;
            assert_eq!(run.words("f", 8)[at], f.to_bits(), "{family:?} {t}");
            assert_eq!(
                pairs("d")[at],
                (f64::from(f) * f64::from(f) - f64::from(t)).to_bits()
            );
            assert_eq!(pairs("q")[at], 1_000_000_000_000 / u64::from(t + 1));
            assert_eq!(pairs("r")[at] as i64, -(1i64 << 40) % i64::from(t + 3));
        }
    }
}

#[test]
fn memory_functions_do_what_c_says() {
    let source = r#"
        #include <string.h>
        unsigned bad;
        void kernel(unsigned t, unsigned n)
        {
            unsigned char a[64], b[64];
            for (unsigned from = 0; from < 9; from++)
                for (unsigned bytes = 0; bytes < 24; bytes++) {
                    for (int i = 0; i < 64; i++) a[i] = b[i] = i + t;
                    memmove(a + 8, a + from, bytes);
                    for (unsigned i = 0; i < bytes; i++) bad += a[8 + i] != b[from + i];
                    for (unsigned i = 0; i < 8; i++) bad += a[i] != b[i];
                    bad += a[8 + bytes] != b[8 + bytes];
                    memset(b + from, 0x5a, bytes);
                    for (unsigned i = 0; i < 64; i++)
                        bad += b[i] != (i >= from && i < from + bytes ? 0x5a : (unsigned char)(i + t));
                    memcpy(a + from, b + 3, bytes);
                    bad += memcmp(a + from, b + 3, bytes) != 0;
                    a[from] = 1, b[3] = 2;
                    bad += bytes && memcmp(a + from, b + 3, bytes) >= 0;
                }
            char text[12];
            bad += strlen(strcpy(text, "twelve char")) != 11 || strcmp(text, "twelve char");
            bad += strcmp("a", "b") >= 0 || strcmp("ab", "a") <= 0;
        }
    "#;
    for family in families() {
        for level in ["-O0", "-O2"] {
            let program = Program::build(family, &[("bytes.c", source)], &[level]);
            assert_eq!(
                program.run(1, 4, 1).words("bad", 1),
                [0],
                "{family:?} {level}"
            );
        }
    }
}

/// CC-010, 013
#[test]
fn several_files_and_assembly_make_one_program() {
    let a = "unsigned twice(unsigned); extern unsigned out[];\n\
             void kernel(unsigned t, unsigned n) { out[t] = twice(t) + 1; }";
    let b = "unsigned out[16]; unsigned thrice(unsigned); unsigned twice(unsigned x) { return thrice(x) - x; }";
    let c = ".text\n.globl thrice\nthrice:\n  slli t0, a0, 1\n  add a0, a0, t0\n  ret\n";
    let d = "#include \"weft.h\"\n#ifdef __ASSEMBLER__\n.text\n.globl unused\nunused:\nWEFT_YIELD()\nret\n#endif\n";
    for family in families() {
        let files = [("a.c", a), ("b.c", b), ("c.s", c), ("d.S", d)];
        let program = Program::build(family, &files, &[]);
        let want: Vec<u32> = (0..16).map(|t| 2 * t + 1).collect();
        assert_eq!(program.run(2, 8, 16).words("out", 16), want, "{family:?}");
    }
}

/// CC-003
#[test]
fn errors_keep_their_places_and_what_is_meant_is_said() {
    for family in families() {
        let said = |files: &[(&str, &str)]| Program::refused(family, files);
        let two = said(&[
            ("one.c", "int x = ;\n"),
            ("two.c", "\nvoid kernel(void) { y; }\n"),
        ]);
        assert!(
            two.contains("one.c:1:") && two.contains("two.c:2:"),
            "{family:?}: {two}"
        );
        let entry = said(&[("none.c", "void kernal(unsigned t, unsigned n) {}\n")]);
        assert!(entry.contains("entry is missing"), "{family:?}: {entry}");
        let typo = said(&[(
            "typo.c",
            "#include <stdio.h>\nint prinft(const char *, ...);\nvoid kernel(unsigned t, unsigned n)\n{\n    int unused = t * 0 == 0 ? 3 : 4;\n    prinft(\"%d\", 7);\n}\n",
        )]);
        assert!(
            typo.contains("did you mean `printf`?") && typo.contains("typo.c:6"),
            "{family:?}: {typo}"
        );
        let assembly = said(&[("bad.s", "_start: nope a0\n")]);
        assert!(assembly.contains("bad.s:1:"), "{family:?}: {assembly}");
        let own = said(&[("own.asm", "exit\n")]);
        assert!(own.contains("Weft's own assembler"), "{own}");
    }
}

/// CC-030
#[test]
fn instructions_are_found_in_their_function_file_and_line() {
    let source = "unsigned *where;\nstatic inline void step(unsigned *p)\n{\n    *p = 1;\n}\n\
                  void kernel(unsigned t, unsigned n)\n{\n    step(where + t);\n}\n";
    for family in families() {
        let program = Program::build(family, &[("wild.c", source)], &[]);
        let run = program.run(1, 4, 4);
        let lines = program.lines();
        let faults = run.faults();
        let place = lines.place(faults[0]).expect("a place").to_string();
        assert!(
            place.contains("step (") && place.contains("wild.c:4)"),
            "{family:?}: {place}"
        );
        assert!(
            place.contains("inlined into kernel (") && place.contains("wild.c:8)"),
            "{family:?}: {place}"
        );
        assert_eq!(lines.place(0x10), None);
    }
}

/// CC-003: of files that do not link, too.
#[test]
fn warnings_are_shown_though_the_program_does_not_link() {
    let source =
        "void undone(int);\nvoid kernel(unsigned t, unsigned n)\n{\n    undone(0x1ffffffff);\n}\n";
    for family in families() {
        let said = Program::refused(family, &[("warn.c", source)]);
        assert!(
            said.contains("warn.c:4:") && said.contains("warning: "),
            "{family:?}: {said}"
        );
        assert!(
            said.contains("nothing defines `undone`"),
            "{family:?}: {said}"
        );
    }
}

/// CC-006: one line with the place in the source, and no advice that does not help.
#[test]
fn what_the_machine_has_not_is_said_in_one_line() {
    let family = *families().first().expect("a compiler");
    let source = "float g;\nvoid kernel(unsigned t, unsigned n)\n{\n    g = g * 2.0f;\n}\n";
    let said = Program::refused_with(family, &[("float.c", source)], &["-march=rv32imaf"]);
    let line = said.lines().next().unwrap_or_default();
    assert!(
        line.contains("float.c:4: `") && line.contains("no floating-point instructions"),
        "{family:?}: {said}"
    );
    assert!(
        said.trim().lines().count() == 1 && !said.contains("--lower"),
        "{said}"
    );
}

/// CC-026: a store one too far, beside the program's data, into the console itself, and wherever the head is.
#[test]
fn a_wild_store_does_not_silence_the_threads() {
    let beside = "#include <stdio.h>\nint scores[4] = {5, 6, 7, 8};\n\
        __attribute__((noinline)) static void put(int *a, int i) { a[i] = 0; }\n\
        void kernel(unsigned thread, unsigned threads)\n{\n    if (thread == 0)\n        put(scores, 4);\n    printf(\"thread %u\\n\", thread);\n}\n";
    let head = "#include <stdio.h>\nextern const unsigned weft_console[];\nvoid kernel(unsigned t, unsigned n)\n{\n    \
        for (unsigned i = 0; t == 1 && i < 4; i++) ((volatile unsigned *)weft_console)[i] = 0;\n    \
        printf(\"thread %u\\n\", t);\n}\n";
    let used = "#include <stdio.h>\nextern unsigned *const weft_console[];\nvoid kernel(unsigned t, unsigned n)\n{\n    \
        printf(\"thread %u\\n\", t);\n    if (t == 0) *(volatile unsigned *)weft_console[3] = 0;\n    \
        printf(\"again %u\\n\", t);\n}\n";
    for family in families() {
        let run = |source: &str| {
            let program = Program::build(family, &[("wild.c", source)], &["-w"]);
            let console = program.run_together(1, 4, 4).console();
            let text = String::from_utf8(console.text.clone()).unwrap();
            (text, console)
        };
        let lines: String = (0..4).map(|t| format!("thread {t}\n")).collect();
        assert_eq!(run(beside).0, lines, "{family:?}");
        let (text, console) = run(head);
        assert_eq!((text, console.head_damaged), (lines, true), "{family:?}");
        let (text, console) = run(used);
        assert_eq!(console.damaged, [0], "{family:?}");
        let rest: String = (1..4).map(|t| format!("thread {t}\nagain {t}\n")).collect();
        assert_eq!(text, format!("thread 0\n{rest}"), "{family:?}");
    }
}

/// CC-024
#[test]
fn the_code_of_exit_is_noted() {
    let source =
        "#include <stdio.h>\n#include <stdlib.h>\nvoid kernel(unsigned t, unsigned n)\n{\n    \
                  printf(\"%u\\n\", t);\n    if (t > 2) exit(t);\n    if (t == 1) exit(0);\n}\n";
    for family in families() {
        let program = Program::build(family, &[("ends.c", source)], &[]);
        let console = program.run(1, 8, 5).console();
        assert_eq!(console.exits, [(3, 3), (4, 4)], "{family:?}");
        assert_eq!((console.exit_code(), console.text.len()), (3, 10));
    }
}
