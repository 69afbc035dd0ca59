//! COMP-110 to COMP-112: in every lowering a program computes what its threads compute alone.

mod support;

use support::c_programs;
use support::compilers::{compilers, LEVELS};
use support::judge::{alone, as_it_is, equal, equal_to, shape, shape_together, together, Subject};
use support::{graphs, kernels};
use weft_compiler::{compile, Form, Lower, Options, SubVector};
use weft_sim::Config;

fn compiled(subject: &Subject, options: &Options) -> String {
    let output = compile(&subject.source, &subject.name, options).unwrap_or_else(|e| panic!("{e}"));
    output.assembly
}

fn check(subject: &Subject, lower: Lower, number: u64) {
    let text = compiled(
        subject,
        &Options {
            lower,
            whole: number % 2 == 1,
            ..Options::default()
        },
    );
    equal(subject, &text, &shape(number)).unwrap_or_else(|e| {
        panic!(
            "{} --lower {lower}, shape {number}: {e}\n{text}",
            subject.name
        )
    });
}

#[test]
fn kernels_compute_the_same_in_every_lowering() {
    for (number, subject) in (0..).zip(kernels::race_free()) {
        for lower in Lower::ALL {
            let text = compiled(
                &subject,
                &Options {
                    lower,
                    whole: (number + lower as u64) % 2 == 1,
                    ..Options::default()
                },
            );
            let config = Config {
                memory: 1 << 22,
                ..shape(7 * number + lower as u64)
            };
            equal(&subject, &text, &config)
                .unwrap_or_else(|e| panic!("{} --lower {lower}: {e}", subject.name));
        }
    }
}

#[test]
fn random_graphs_compute_the_same_in_every_lowering() {
    for seed in 0..60 {
        let subject = graphs::random(seed).subject();
        Lower::ALL
            .into_iter()
            .for_each(|lower| check(&subject, lower, seed));
    }
}

/// Committed output of both compilers.
fn samples() -> Vec<Subject> {
    let folder = kernels::root().join("compiler/tests/data");
    let names = std::fs::read_dir(folder)
        .expect("samples")
        .flatten()
        .map(|entry| entry.path());
    let sources = names.filter(|path| path.extension().is_some_and(|e| e == "s"));
    sources
        .map(|path| {
            Subject::of_c(
                &path.to_string_lossy(),
                std::fs::read_to_string(&path).expect("text"),
            )
        })
        .collect()
}

#[test]
fn committed_c_programs_compute_the_same_in_every_lowering() {
    let mut count = 0;
    for subject in samples() {
        for lower in Lower::ALL {
            check(&subject, lower, count);
            count += 1;
        }
    }
    assert!(count >= 50);
}

#[test]
fn random_c_programs_of_installed_compilers_compute_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    for compiler in compilers() {
        for (seed, level) in (0..10).zip(LEVELS.iter().cycle()) {
            let Ok(assembly) = compiler.compile(&c_programs::random(seed), level, folder.path())
            else {
                continue;
            };
            let subject = Subject::of_c("random.s", assembly);
            if alone(&subject, &subject.source, &shape(seed), 100_000).is_err() {
                continue;
            }
            check(&subject, Lower::ALL[(seed % 4) as usize], seed);
        }
    }
}

/// COMP-115: threads that work together.
#[test]
fn threads_that_work_together_compute_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    for compiler in compilers() {
        let mut count = 0;
        for (seed, level) in (112..124).zip(LEVELS.iter().cycle()) {
            let c = c_programs::together(seed);
            let Ok(assembly) = compiler.compile(&c, level, folder.path()) else {
                continue;
            };
            let subject = Subject::of_c_together("together.s", assembly);
            let config = shape_together(seed);
            let Ok(expected) = as_it_is(&subject, &config, 200_000) else {
                continue;
            };
            for lower in Lower::ALL {
                let options = Options {
                    lower,
                    whole: seed % 2 == 1,
                    ..Options::default()
                };
                let text = compiled(&subject, &options);
                equal_to(&expected, &subject, &text, &config).unwrap_or_else(|e| {
                    panic!(
                        "{} {level} {seed} --lower {lower}: {e}\n{text}",
                        compiler.name
                    )
                });
            }
            count += 1;
        }
        assert!(count >= 6, "{} compiles {count}", compiler.name);
    }
}

/// COMP-072: what `auto` chooses is no slower than nothing on these kernels, by warp instructions.
#[test]
fn tokens_make_threads_meet_again() {
    let efficiency = |subject: &Subject, lower| {
        let config = Config {
            warps: 1,
            threads: 32,
            memory: 1 << 22,
            ..Config::default()
        };
        let text = compiled(
            subject,
            &Options {
                lower,
                ..Options::default()
            },
        );
        let run = together(subject, &text, &config, 50_000_000).expect("it runs");
        run.stats.total.warp_instructions as f64
    };
    for subject in kernels::race_free()
        .into_iter()
        .filter(|s| ["bfs.s", "collatz.s", "gcd.s"].contains(&s.name.as_str()))
    {
        let (none, auto) = (
            efficiency(&subject, Lower::None),
            efficiency(&subject, Lower::Auto),
        );
        assert!(
            auto <= 1.01 * none,
            "{}: {none} warp instructions become {auto}",
            subject.name
        );
    }
    let bfs = &kernels::race_free()[0];
    assert!(efficiency(bfs, Lower::Tokens) < 0.7 * efficiency(bfs, Lower::None));
}

/// COMP-090 to COMP-092. Threads of one warp take a lock in turns: without a yield this never ends.
#[test]
fn a_loop_that_waits_gets_a_yield() {
    let source = "\
\t.globl kernel
kernel:
\tla t0, lock
.L1:
\tli t1, 1
\tamoswap.w t1, t1, (t0)
\tbnez t1, .L1
\tlw t2, 4(t0)
\taddi t2, t2, 1
\tsw t2, 4(t0)
\tamoswap.w zero, zero, (t0)
\tret
\t.bss
\t.align 2
lock:\t.zero 8
";
    let subject = Subject {
        name: "lock.s".into(),
        source: source.into(),
        inputs: vec![],
        outputs: vec![("lock".into(), 8)],
        waits: false,
    };
    let config = Config {
        warps: 1,
        threads: 8,
        forced_yield: 0,
        ..Config::default()
    };
    let text = compiled(
        &subject,
        &Options {
            lower: Lower::Tokens,
            ..Options::default()
        },
    );
    assert!(text.contains("yield"), "{text}");
    let run = together(&subject, &text, &config, 1_000_000).expect("it ends");
    assert_eq!(run.outputs[0], [0, 0, 0, 0, 8, 0, 0, 0]);
    let off = compiled(
        &subject,
        &Options {
            lower: Lower::Tokens,
            yields: weft_compiler::Yields::Off,
            ..Options::default()
        },
    );
    assert!(!off.contains("yield") && together(&subject, &off, &config, 1_000_000).is_err());
}

/// COMP-120, COMP-121, COMP-123, COMP-124: each form; enough segments are found.
#[test]
fn sub_vector_loops_compute_the_same_in_every_form() {
    let mut changed = 0;
    for (number, subject) in (0..).zip(kernels::race_free().into_iter().chain(samples())) {
        for form in [Form::Mode, Form::Measured, Form::Copies, Form::Loop] {
            let options = Options {
                subvector: SubVector::Threshold(5),
                form,
                lanes: 4,
                threads: 16,
                lower: Lower::Tokens,
                ..Options::default()
            };
            let text = compiled(&subject, &options);
            changed += u32::from(
                text != compiled(
                    &subject,
                    &Options {
                        subvector: SubVector::Off,
                        ..options
                    },
                ),
            );
            let config = Config {
                memory: 1 << 22,
                threads: 16,
                tokens: 256,
                lanes: Some(4),
                grid: Some(30 + number % 18),
                warps: 3,
                ..Config::default()
            };
            equal(&subject, &text, &config)
                .unwrap_or_else(|e| panic!("{} {form:?}: {e}\n{text}", subject.name));
        }
    }
    assert!(changed >= 24, "{changed}");
}
