//! The whole core in two and four partitions: random programs in lockstep, who shares what, and broken copies that are
//! noticed.
//!
//! `CORE_SEED`, `CORE_FIRST`, `CORE_PROGRAMS` choose other random programs.

#[path = "common/random_core.rs"]
mod random_core;

use random_core::random;
use weft_generate::Unit;
use weft_testbench::core::{cosim::draw, cosim::Totals, run::run_copy};
use weft_testbench::core::{run_program, CoreOptions, CoreReport, Pick, Width};
use weft_testbench::rtl::faults::{self, Fault};
use weft_testbench::run_config::RunConfig;

/// What several partitions make possible has happened: several control instructions in one cycle (CORE-034), and
/// instructions of several partitions, with faults and wakes among them (CORE-035).
fn covered(t: &Totals, dual: bool) {
    if t.programs < 100 {
        return;
    }
    let h = &t.happened;
    assert!(t.policies.values().all(|&n| n > t.programs / 8), "{t:?}");
    assert!(t.with_barriers > t.programs / 3, "{t:?}");
    assert!(t.oracle_compared * 2 > t.ctas, "{t:?}");
    for (what, count, least) in [
        ("cycles with issues of several partitions", h.pairs, 10_000),
        (
            "cycles with issues of all partitions",
            h.of_all_partitions,
            1000,
        ),
        ("several control instructions", h.pairs_of_control, 100),
        ("several of one class", h.pairs_of_a_class, 1000),
        ("lines in turns", h.lines_in_turns, 1000),
        ("faults", h.control_faults + h.other_faults, 5),
        ("forced yields", h.forced_yields, 500),
        ("recenterings", h.recentered, 20),
        (
            "warp slots used again meanwhile",
            h.reused_while_running,
            50,
        ),
        ("cycles with several CTAs", h.cta_overlap, 10_000),
        ("instructions done out of order", h.overtaking, 1000),
        ("resolves that wait", h.resolve_waits, 100),
        ("levels set", h.program_levels, 1000),
        ("levels written by programs", h.levels_written, 100),
        ("barriers complete", h.barriers, 1000),
        ("wakes of warps that run", h.wakes_of_running, 100),
        ("cycles with a held warp", h.held, 1000),
    ] {
        assert!(count >= least, "{what}: {count}; {t:?}");
    }
    assert_eq!(dual, h.dual > 1000, "{t:?}");
}

#[test]
fn random_programs_on_8x4_two() {
    covered(&random((8, 4, Width::Two), 100), false);
}

/// In the gate the four partitions stand for it.
#[test]
#[ignore = "a model of its own: cargo xtask long core-partitions-dual"]
fn random_programs_on_8x4_two_dual() {
    covered(&random((8, 4, Width::TwoDual), 100), true);
}

#[test]
fn random_programs_on_16x4_four() {
    covered(&random((16, 4, Width::Four), 100), false);
}

#[test]
fn random_programs_on_16x4_four_dual() {
    covered(&random((16, 4, Width::FourDual), 100), true);
}

/// `BODY` instructions in a loop: additions, and in `mixed` every second one a load.
fn straight(mixed: bool) -> weft_isa::Program {
    let mut text =
        String::from("    .globl _start\n_start:\n    li s0, 12\n    la s1, place\nloop:\n");
    for n in 0..96 {
        text += &match mixed && n % 2 == 1 {
            true => format!("    lw x{}, 0(s1)\n", 18 + n / 2 % 8),
            false => format!("    addi x{}, a0, {n}\n", 12 + n / 2 % 6),
        };
    }
    text += "    addi s0, s0, -1\n    bnez s0, loop\n    exit\n    .data\nplace: .word 7\n";
    weft_isa::assemble(&text, "straight.s").expect("a program")
}

/// All warps of four threads each, everything around the core as fast as can be.
fn straight_on(warps: usize, width: Width, mixed: bool, grid: u32) -> CoreReport {
    let mut config = RunConfig::default();
    (config.machine.warps, config.machine.threads) = (warps, 4);
    config.machine.grid = Some(grid);
    config.oracle = true;
    let options = CoreOptions {
        width,
        ..CoreOptions::default()
    };
    let report = run_program(&straight(mixed), &config, &options).expect("it ends");
    println!("mixed {mixed}, {grid} threads: {report}");
    report
}

/// CORE-030, CORE-032: what the units allow.
#[test]
fn partitions_issue_what_the_units_allow() {
    let single = straight_on(4, Width::Single, false, 16);
    assert!(single.ipc <= 1.0 && single.ipc > 0.8, "{single}");
    // Each partition adds for itself.
    let two = straight_on(8, Width::Two, false, 32);
    assert!(two.ipc <= 2.0 && two.ipc > 1.6, "{two}");
    let four = straight_on(16, Width::Four, false, 64);
    assert!(four.ipc <= 4.0 && four.ipc > 3.0, "{four}");
    // One load per cycle for all of them, and as many additions.
    let mixed = straight_on(16, Width::Four, true, 64);
    assert!(mixed.ipc <= 2.1 && mixed.ipc > 1.4, "{mixed}");
    // One warp has nobody beside it.
    let alone = straight_on(16, Width::Four, true, 4);
    assert_eq!(alone.dual_cycles, 0, "{alone}");
    assert!(alone.ipc < 0.35, "{alone}");
}

/// Levels that change all the time, under every policy.
#[test]
fn every_policy_ends() {
    for policy in Pick::ALL {
        let mut config = RunConfig::default();
        (config.machine.warps, config.machine.threads) = (8, 4);
        let options = CoreOptions {
            policy,
            level_mix: 1,
            levels: 100,
            width: Width::Two,
            ..CoreOptions::default()
        };
        let report = run_program(&straight(true), &config, &options).expect("it ends");
        assert!(report.happened.program_levels > 10, "{report}");
    }
}

/// Control operations in the turn of a loop, and what a lone warp takes for one of them: from its issue to that of the
/// instruction behind it.
/// Each stands where the lines are held; behind an odd address one instruction comes, not two.
const TURNS: &[(&str, &str, u64)] = &[
    ("branch, taken", "beqz zero, 1f\nnop\n1:", 11),
    ("branch, not taken", "bnez zero, elsewhere", 10),
    ("jump", "j 1f\nnop\n1:", 11),
    (
        "pushed token, and threads that leave for it",
        "ssy 1f\nsync 1f\nnop\n1:",
        20,
    ),
    ("yield", "yield", 10),
];

/// Cycles that `piece` adds to the turn of a loop of one warp; of a broken copy, if one is named.
fn turn(width: Width, piece: &str, fault: Option<&'static str>) -> u64 {
    let cycles = |turns: u32, piece: &str| {
        let text = format!(
            ".globl _start\n_start:\nli s0, {turns}\nj loop\n.balign 128\nloop:\naddi s0, s0, -1\n\
             nop\nnop\nnop\nnop\n{piece}\nnop\nbnez s0, loop\nelsewhere: exit\n"
        );
        let program = weft_isa::assemble(&text, "turn.s").expect("a program");
        let mut config = RunConfig::default();
        let warps = if width == Width::Single { 4 } else { 8 };
        (config.machine.warps, config.machine.threads) = (warps, 4);
        config.machine.grid = Some(4);
        let options = CoreOptions {
            width,
            ..CoreOptions::default()
        };
        let report = run_copy(&program, &config, &options, fault, Vec::new());
        report.expect("it ends").cycles
    };
    let per_turn = |piece| (cycles(40, piece) - cycles(20, piece)) / 20;
    per_turn(piece) - per_turn("")
}

/// CORE-013, SUPPLY-070.
#[test]
fn a_warp_goes_on_where_it_was_predicted() {
    for width in [Width::Single, Width::Two] {
        for &(what, piece, cycles) in TURNS {
            assert_eq!(turn(width, piece, None), cycles, "{what}, {width:?}");
        }
    }
}

/// Every broken copy, of one partition and of two, is noticed: by the random programs, within a hundred of them, or by
/// the cycles of control operations.
#[test]
fn broken_copies_are_noticed() {
    let all = faults::prepare(faults::of(Unit::Core)).expect("broken copies");
    let of = |partitions| {
        let of = |(d, _): &&(weft_generate::Design, _)| d.value("partitions") == partitions;
        all.iter().filter(of).count()
    };
    assert!(of(1) >= 4 && of(2) >= 3, "{all:?}");
    for (
        design,
        Fault {
            name: fault,
            breaks,
            ..
        },
    ) in all
    {
        let width = match design.value("partitions") {
            1 => Width::Single,
            _ => Width::Two,
        };
        let noticed = (0..100).find_map(|index| {
            let (case, options) = draw(1, index, design.value("warps"), 4, width);
            let mut config = case.config.clone();
            config.watchdog.hang = 20_000;
            let ran = run_copy(
                &case.source.program(),
                &config,
                &options,
                Some(fault),
                Vec::new(),
            );
            ran.err().map(|error| (index, error))
        });
        if let Some((index, error)) = noticed {
            let error = error.to_string();
            let line = error.lines().next().unwrap_or("");
            println!("{fault}: program {index}: {line}");
            continue;
        }
        // Nothing is wrong; it takes longer.
        let slower = TURNS.iter().find_map(|&(what, piece, cycles)| {
            let takes = turn(width, piece, Some(fault));
            (takes > cycles).then_some((what, takes, cycles))
        });
        let (what, takes, cycles) =
            slower.unwrap_or_else(|| panic!("{fault} ({breaks}) is not noticed"));
        println!("{fault}: {what}: {takes} cycles for {cycles}");
    }
}
