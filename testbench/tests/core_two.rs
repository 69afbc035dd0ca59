//! The whole core with two schedulers, `weft_core_two`: random programs in lockstep, who shares what, and broken copies that are noticed.
//!
//! `CORE_SEED`, `CORE_FIRST`, `CORE_PROGRAMS` choose other random programs.

#[path = "common/random_core.rs"]
mod random_core;

use random_core::random;
use weft_generate::Unit;
use weft_testbench::core::{cosim::draw, run::run_copy};
use weft_testbench::core::{run_program, CoreOptions, CoreReport, Pick, Width};
use weft_testbench::rtl::faults::{self, Fault};
use weft_testbench::run::RunConfig;

#[test]
fn random_programs_on_8x4_two() {
    let t = random((8, 4, Width::Two), 200);
    if t.programs < 100 {
        return;
    }
    let h = &t.happened;
    assert!(t.policies.values().all(|&n| n > t.programs / 8), "{t:?}");
    assert!(t.with_barriers > t.programs / 3, "{t:?}");
    assert!(t.oracle_compared * 2 > t.ctas, "{t:?}");
    for (what, count, least) in [
        ("cycles with an issue of each scheduler", h.pairs, 10_000),
        ("two control instructions", h.pairs_of_control, 100),
        ("two of a private class", h.pairs_of_a_class, 1000),
        ("lines in turns", h.lines_in_turns, 1000),
        ("faults", h.control_faults + h.other_faults, 5),
        ("forced yields", h.forced_yields, 1000),
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
    assert_eq!(h.dual, 0);
}

#[test]
fn random_programs_on_16x32_two() {
    assert!(random((16, 32, Width::Two), 6).happened.pairs > 0);
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

/// All 16 warps, everything around the core as fast as can be.
fn straight_on(width: Width, mixed: bool, private: u8, grid: u32) -> CoreReport {
    let mut config = RunConfig::default();
    (config.machine.warps, config.machine.threads) = (16, 32);
    config.machine.grid = Some(grid);
    config.oracle = true;
    let options = CoreOptions {
        private,
        width,
        ..CoreOptions::default()
    };
    let report = run_program(&straight(mixed), &config, &options).expect("it ends");
    println!("mixed {mixed}, private {private}, {grid} threads: {report}");
    report
}

/// CORE-030, CORE-032: what the units allow.
#[test]
fn two_schedulers_issue_what_the_units_allow() {
    let single = straight_on(Width::Single, true, 0, 512);
    assert!(single.ipc <= 1.0 && single.ipc > 0.9, "{single}");
    // An addition of one and a load of the other.
    let mixed = straight_on(Width::Two, true, 0, 512);
    assert!(mixed.ipc >= 1.6, "{mixed}");
    // One unit for both: one addition per cycle.
    let shared = straight_on(Width::Two, false, 0, 512);
    assert!(shared.ipc <= 1.0 && shared.ipc > 0.9, "{shared}");
    let private = straight_on(Width::Two, false, 1, 512);
    assert!(private.ipc >= 1.6, "{private}");
    // One warp has nobody beside it.
    let alone = straight_on(Width::Two, true, 1, 32);
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

/// Every broken copy is noticed by the random programs, within a few of them.
#[test]
fn broken_copies_are_noticed() {
    let all = faults::prepared(Unit::CoreTwo).expect("broken copies");
    assert!(all.len() >= 3, "{all:?}");
    for (
        _,
        Fault {
            name: fault,
            breaks,
            ..
        },
    ) in all
    {
        let noticed = (0..40).find_map(|index| {
            let (case, options) = draw(1, index, 8, 4, Width::Two);
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
        let (index, error) = noticed.unwrap_or_else(|| panic!("{fault} ({breaks}) is not noticed"));
        println!(
            "{fault}: program {index}: {}",
            error.to_string().lines().next().unwrap_or("")
        );
    }
}
