//! COMP-114: programs that the compiler has lowered, on `weft_sm` under Verilator, in lockstep. Many more, by all
//! compilers that are there: `cargo run --release -p weft-testbench --example c_programs`.

mod compiled;

use compiled::seen::Kind;
use compiled::{check, compilers, Origin, Plan, Totals};
use weft_cc::{Compiler, Family};
use weft_compiler::Lower;
use weft_testbench::sm::Shape;

/// Numbers of short programs that together have every kind of what can be seen, with Zig's Clang at these levels; each
/// second one is for the larger size.
const PROGRAMS: [(u64, &str); 10] = [
    (2, "-O2"),
    (13, "-O3"),
    (18, "-O3"),
    (29, "-Os"),
    (4, "-Os"),
    (9, "-Os"),
    (22, "-O2"),
    (21, "-O1"),
    (30, "-O0"),
    (25, "-O0"),
];

const GRAPHS: [u64; 6] = [0, 1, 2, 3, 4, 5];

/// Zig's Clang, which the gate installs, or what there is.
fn compiler() -> Option<Compiler> {
    let mut there = compilers();
    there.sort_by_key(|compiler| compiler.family != Family::Zig);
    if there.is_empty() {
        println!("SKIPPED: no compiler for RISC-V is installed");
        assert!(std::env::var_os("CI").is_none(), "`cargo xtask setup`");
    }
    there.into_iter().next()
}

fn plan(shape: Shape, lowers: &[Lower], fault: Option<&'static str>) -> Plan {
    Plan {
        seed: 1,
        shape,
        lowers: lowers.to_vec(),
        instructions: 5_000,
        fault,
    }
}

/// The models of both sizes are those of `sm_rtl.rs`.
fn sizes() -> [Shape; 2] {
    [Shape::TINY, Shape::of(4, 8, 4)]
}

#[test]
fn random_c_programs_and_graphs_agree_in_every_lowering() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut totals = Totals::default();
    let mut run = |index: u64, origin, level: usize| {
        let plan = plan(sizes()[level % 2], &Lower::ALL, None);
        check(&plan, index, origin, folder.path(), &mut totals).unwrap_or_else(|f| panic!("{f}"));
    };
    let compiler = compiler();
    if let Some(compiler) = &compiler {
        for (n, &(index, level)) in PROGRAMS.iter().enumerate() {
            run(index, Origin::C(compiler, level), n);
        }
    }
    for (n, &index) in GRAPHS.iter().enumerate() {
        run(index, Origin::Graph, n);
    }
    print!("{}", totals.seen);
    if compiler.is_some_and(|c| c.family == Family::Zig) {
        assert_eq!(totals.left_out, 0);
        assert_eq!(totals.seen.missing(true), Vec::<Kind>::new());
    }
    assert!(totals.programs >= GRAPHS.len() as u64 && totals.runs > 2 * totals.programs);
}

/// A copy whose reads pass writes (SM-031) is noticed by graphs, which need no compiler.
#[test]
fn a_broken_copy_is_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = plan(Shape::TINY, &[Lower::Tokens], Some("passes_write"));
    let noticed = GRAPHS.iter().find_map(|&index| {
        let mut totals = Totals::default();
        check(&plan, index, Origin::Graph, folder.path(), &mut totals).err()
    });
    let failure = noticed.expect("the broken copy is noticed");
    println!("{failure}");
    assert!(failure.error.contains("cycle"), "{failure}");
    assert!(failure.replay.contains("--graphs 1") && failure.replay.contains("--size 4x4l4"));
}
