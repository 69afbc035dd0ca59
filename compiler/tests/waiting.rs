//! Threads that wait for one another (COMP-090 to COMP-094): what `auto` takes beside nothing and yields by hand.
//! All of it: `cargo xtask long waiting`.

mod support;

use support::compilers::{compilers, LEVELS};
use support::waiting::{programs, Compiled, FACTOR, GATE, WIDTHS};
use weft_compiler::{compile, Lower, Mutation, Options};

/// Each program by one compiler, at one level, in warps of one width, all of these by turns.
#[test]
fn auto_takes_little_more_than_nothing_or_yields_by_hand() {
    let folder = tempfile::tempdir().expect("a folder");
    let compilers = compilers();
    if compilers.is_empty() {
        eprintln!("no compiler is installed");
        return;
    }
    let programs = programs();
    assert!(programs.len() >= 28, "{}", programs.len());
    let mut failures = Vec::new();
    for (number, program) in programs.iter().enumerate() {
        let compiler = &compilers[number % compilers.len()];
        let level = LEVELS[number * 3 % LEVELS.len()];
        let width = WIDTHS[number / 2 % WIDTHS.len()];
        let compiled = Compiled::new(program, compiler, level, folder.path())
            .unwrap_or_else(|e| panic!("{}: {e}", program.0));
        let taken = compiled.measure(width, GATE);
        if taken.mean().is_none_or(|judged| judged.share > GATE) {
            let name = &compiler.name;
            failures.push(format!("{} {name} {level} {width}: {taken:?}", program.0));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// COMP-095, COMP-071: tokens that win nothing where threads come out one by one are not placed; of `counter_max` they
/// are if the compiler knows neither that nor that one thread alone is the last, and without optimisation if it does not
/// know that who has failed goes on apart.
#[test]
fn threads_that_compete_get_no_token_that_costs() {
    let folder = tempfile::tempdir().expect("a folder");
    let programs = programs();
    for compiler in compilers() {
        let mut worst = [0.0f64; 4];
        for (name, level) in [
            ("counter_max", "-O0"),
            ("counter_max", "-O1"),
            ("counter_max", "-Os"),
            ("counter_lrsc", "-O1"),
        ] {
            let program = programs.iter().find(|(n, _)| n == name);
            let program = program.expect("it is there");
            let share = |mutation| {
                let compiled = Compiled::broken(program, &compiler, level, folder.path(), mutation);
                let taken = compiled.expect("it compiles").measure(8, FACTOR);
                taken.mean().expect("it ends").share
            };
            let shares = [
                None,
                Some(Mutation::OutTogether),
                Some(Mutation::ManyAreLast),
                Some(Mutation::FailsTogether),
            ];
            for (worst, share) in worst.iter_mut().zip(shares.map(share)) {
                *worst = worst.max(share);
            }
        }
        let [right, together, many, fails] = worst;
        let what = format!("{}: {worst:?}", compiler.name);
        assert!(right <= FACTOR, "{what}");
        assert!(together > FACTOR && many > FACTOR, "{what}");
        assert!(fails > FACTOR || compiler.name != "gcc", "{what}");
    }
}

/// COMP-090, at every level: counters and stacks wait for nobody, and the compiler knows it; locks do.
#[test]
fn lock_free_programs_get_no_yield() {
    let folder = tempfile::tempdir().expect("a folder");
    let include = format!(
        "-I{}",
        support::kernels::root().join("kernels/waiting").display()
    );
    let programs = programs();
    for compiler in compilers() {
        for level in LEVELS {
            for (name, waits) in [
                ("counter_cas", false),
                ("counter_max", false),
                ("lock_cas", true),
            ] {
                let (_, text) = programs
                    .iter()
                    .find(|(n, _)| n == name)
                    .expect("it is there");
                let source = compiler.run(text, level, &[&include], folder.path());
                let source = source.expect("it compiles");
                let yields = |mutation| {
                    let options = Options {
                        lower: Lower::Tokens,
                        mutation,
                        ..Options::default()
                    };
                    let output = compile(&source, name, &options).expect("it is read");
                    output.assembly.contains("\tyield\n")
                };
                let what = format!("{name}, {} {level}", compiler.name);
                assert_eq!(yields(None), waits, "{what}");
                assert!(yields(Some(Mutation::AllWait)), "{what}");
            }
        }
    }
}
