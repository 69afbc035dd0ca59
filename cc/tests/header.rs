//! `weft.h` under every compiler that is there: barriers that a compiler copies, tokens whose join it removes.

mod common;

use common::{families, Program};

const LEVELS: [&str; 3] = ["-O0", "-O2", "-O3"];

/// F25, CC-050: the condition is asked again behind the barrier; a compiler that threads jumps copies what is between.
#[test]
fn a_barrier_that_is_copied_is_one_barrier() {
    let source = r#"
        #include "weft.h"
        unsigned out[64], a[64], flag = 1;
        void kernel(unsigned t, unsigned n)
        {
            unsigned c = *(volatile unsigned *)&flag && (t & 1);
            if (c) a[t] = 5; else a[t] = 7;
            WEFT_BAR_SYNC(1);
            if (c) out[t] = a[(t + 1) % n]; else out[t] = a[(t + 1) % n] + 1;
        }
    "#;
    for family in families() {
        for level in LEVELS {
            let program = Program::build(family, &[("copied.c", source)], &[level]);
            let run = program.run_together(2, 8, 16);
            assert_eq!(run.words("out", 16), [6, 7].repeat(8), "{family:?} {level}");
        }
    }
}

/// Half of the threads come to it in one file, half in the other, and both through an inlined function.
#[test]
fn places_with_one_id_are_one_barrier_in_all_files() {
    let header = r#"
        #include "weft.h"
        extern unsigned arrived, out[];
        void other(unsigned t);
        static inline unsigned meet(unsigned n)
        {
            __atomic_fetch_add(&arrived, 1, 0);
            weft_sync();
            return *(volatile unsigned *)&arrived;
        }
    "#;
    let one = format!(
        "{header}unsigned arrived, out[64];\n\
         void kernel(unsigned t, unsigned n) {{ if (t & 1) out[t] = meet(n); else other(t); }}\n"
    );
    let two = format!(
        "{header}void other(unsigned t)\n\
         {{ if (t & 2) out[t] = meet(0) + 100; else out[t] = meet(1) + 200; }}\n"
    );
    for family in families() {
        for level in LEVELS {
            let files = [("one.c", one.as_str()), ("two.c", two.as_str())];
            let program = Program::build(family, &files, &[level]);
            let run = program.run_together(2, 8, 16);
            let want: Vec<u32> = (0..16).map(|t| 16 + [200, 0, 100, 0][t % 4]).collect();
            assert_eq!(run.words("out", 16), want, "{family:?} {level}");
        }
    }
}

/// Sections by one id exclude each other, with all and with some of the threads.
#[test]
fn sections_are_run_one_thread_at_a_time() {
    let source = r#"
        #include "weft.h"
        unsigned order[64], count, some[64], few;
        void kernel(unsigned t, unsigned n)
        {
            WEFT_SECTION_ENTER(2);
            order[count] = t; count = count + 1;
            WEFT_SECTION_LEAVE(2);
            WEFT_SECTION_ENTER_IF(3, t % 3 == 0);
            if (t % 3 == 0) { some[few] = t; few = few + 1; WEFT_SECTION_LEAVE(3); }
        }
    "#;
    for family in families() {
        for level in ["-O0", "-O2"] {
            let program = Program::build(family, &[("sections.c", source)], &[level]);
            let run = program.run_together(4, 4, 16);
            assert_eq!(
                run.words("order", 16),
                (0..16).collect::<Vec<_>>(),
                "{family:?} {level}"
            );
            let thirds: Vec<u32> = (0..16).step_by(3).collect();
            assert_eq!(run.words("few", 1), [thirds.len() as u32]);
            assert_eq!(run.words("some", 6), thirds);
        }
    }
}

/// F41, CC-051: Clang takes the address of a join that nothing reaches to be 1, which no push can name.
#[test]
fn tokens_of_joins_that_nothing_reaches_build_and_run() {
    let source = r#"
        #include "weft.h"
        unsigned out[64];
        void kernel(unsigned t, unsigned n)
        {
            WEFT_SSY(fin);
            WEFT_SSY(j);
            if (t * 0 == 0) WEFT_SYNC(fin);
            out[t] = 1;
            WEFT_SYNC_HERE(j);
            WEFT_SYNC_HERE(fin);
            out[t] += 2;
        }
    "#;
    for family in families() {
        for level in LEVELS {
            let program = Program::build(family, &[("dead.c", source)], &[level]);
            assert_eq!(
                program.run(2, 8, 16).words("out", 16),
                [2; 16],
                "{family:?} {level}"
            );
        }
    }
}

/// Tokens in a loop of four turns, which compilers unroll: the results are the same whatever they make of it.
#[test]
fn tokens_in_a_loop_that_is_unrolled_compute_the_same() {
    let source = r#"
        #include "weft.h"
        unsigned out[64];
        void kernel(unsigned t, unsigned n)
        {
            unsigned v = t * 2654435761u;
            WEFT_PBK(done);
            for (int i = 0; i < 4; i++) {
                WEFT_PCNT(next);
                if (v & 1) v = v * 3 + out[t]; else v >>= 1;
                WEFT_CONT_HERE(next);
            }
            WEFT_BRK_HERE(done);
            out[t] = v;
        }
    "#;
    let want: Vec<u32> = (0..64u32)
        .map(|t| {
            (0..4).fold(t.wrapping_mul(2654435761), |v, _| {
                if v & 1 == 1 {
                    v.wrapping_mul(3)
                } else {
                    v >> 1
                }
            })
        })
        .collect();
    for family in families() {
        for level in LEVELS {
            let program = Program::build(family, &[("loop.c", source)], &[level]);
            assert_eq!(
                program.run(2, 32, 64).words("out", 64),
                want,
                "{family:?} {level}"
            );
        }
    }
}

#[test]
fn an_entry_of_ones_own_takes_the_place_of_the_start_file() {
    let source = "#include \"weft.h\"\nunsigned out[8];\n\
                  void mine(unsigned t, unsigned n) { out[t] = n; }\nWEFT_START(mine)\n";
    for family in families() {
        let program = Program::build(family, &[("own.c", source)], &[]);
        assert_eq!(program.run(1, 8, 8).words("out", 8), [8; 8], "{family:?}");
    }
}
