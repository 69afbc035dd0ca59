//! The whole core `weft_core`: random programs in lockstep, several CTAs, polling under every policy.
//!
//! `CORE_SEED`, `CORE_FIRST`, `CORE_PROGRAMS` choose other random programs.
//! Every second one has barriers and critical sections, every fourth one masks, predication and sub-vector loops.

#[path = "common/random_core.rs"]
mod random_core;

use random_core::random;
use weft_sim::{Limits, Machine, Memory, Mutation, Oracle, OracleOutcome, Outcome};
use weft_testbench::core::cosim::{draw, Totals};
use weft_testbench::core::report::Happened;
use weft_testbench::core::{run_program, CoreError, CoreOptions, CoreReport, Cta, Pick, Width};
use weft_testbench::lockstep::Watchdog;
use weft_testbench::mask_cross::{Bin, Pass, Row};
use weft_testbench::run_config::RunConfig;
use weft_testbench::timing::Latency;

/// Everything that the random surroundings are there for has happened. Barrier instructions are judged by a model of
/// the barrier unit at its ports, their verdicts and wakes by what retires (CORE-015).
fn covered(t: &Totals, dual: bool) {
    if t.programs < 100 {
        return;
    }
    let h = &t.happened;
    assert!(t.policies.values().all(|&n| n > t.programs / 8), "{t:?}");
    assert!(t.with_barriers > t.programs / 3, "{t:?}");
    assert!(t.with_masks > t.programs / 5, "{t:?}");
    assert!(t.oracle_compared * 2 > t.ctas, "{t:?}");
    for (what, count, least) in [
        ("faults of control instructions", h.control_faults, 5),
        ("faults of others", h.other_faults, 5),
        ("forced yields", h.forced_yields, 1000),
        ("yields", h.yields, 1000),
        ("pushes", h.pushes, 1000),
        ("dropped pushes", h.dropped, 10),
        ("recenterings", h.recentered, 20),
        ("recenterings by the driver", h.served, 5),
        ("token requests", h.token_requests, 1000),
        ("warp slots used again", h.reused, 100),
        (
            "warp slots used again meanwhile",
            h.reused_while_running,
            50,
        ),
        ("cycles with several CTAs", h.cta_overlap, 10_000),
        ("refused CTAs", h.refused, 10),
        ("launches beside withheld slots", h.withheld, 100),
        ("failed CTAs", h.failed_ctas, 5),
        ("instructions done out of order", h.overtaking, 1000),
        ("resolves that wait", h.resolve_waits, 100),
        ("levels set", h.program_levels, 1000),
        ("levels written by programs", h.levels_written, 100),
        ("instructions ignored after a fault", h.ignored, 5),
        ("barriers complete", h.barriers, 1000),
        ("barriers complete by timeout", h.timeouts, 100),
        ("barriers idle again", h.idle, 1000),
        ("groups of late threads", h.late_groups, 10),
        ("errors at barriers", h.barrier_errors, 10),
        ("turns in critical sections", h.turns, 1000),
        ("verdict SLEEP", h.sleeps, 1000),
        ("verdict RETRY", h.retries, 1000),
        ("verdict PART", h.parts, 5),
        ("wakes", h.wakes, 1000),
        ("wakes of warps that run", h.wakes_of_running, 100),
        ("operations that block a warp", h.blocked, 100),
        ("cycles with a held warp", h.held, 1000),
        ("instructions without threads", h.without_threads, 300),
        ("predicated instructions", h.narrowed, 300),
    ] {
        assert!(count >= least, "{what}: {count}; {t:?}");
    }
    assert!(h.most_ctas >= 3 && h.most_in_flight >= 4, "{t:?}");
    assert_eq!(dual, h.dual > 1000, "{t:?}");
    assert_eq!(dual, h.dual_control > 100, "{t:?}");
    assert_eq!(dual, h.narrowed_second > 50, "{t:?}");
    assert_eq!(h.masks.wrong(), [], "hit, but impossible");
    // `subv.start` without threads is NEXT, and the programs do not nest it in a part;
    // random operations do (random.rs).
    let made = |bin: &Bin| bin.row != Row::SubVectorStart || matches!(bin.pass, Pass::Several);
    let missing: Vec<Bin> = h.masks.missing().into_iter().filter(made).collect();
    assert_eq!(missing, [], "not hit; {}", h.masks);
}

#[test]
fn random_programs_on_4x4_single() {
    covered(&random((4, 4, Width::Single), 300), false);
}

#[test]
fn random_programs_on_4x4_dual() {
    covered(&random((4, 4, Width::Dual), 300), true);
}

/// Masks on the core: the comparison finds a model that departs.
#[test]
fn departures_with_masks_are_noticed() {
    for mutation in [
        Mutation::PredicateIgnored,
        Mutation::AndnSwapped,
        Mutation::JumpNeedsThreads,
        Mutation::SetNeverWakes,
        Mutation::SubVectorWakesAllParts,
        Mutation::SubVectorWithoutSync,
    ] {
        let noticed = (0..10).any(|n| {
            let (case, options) = draw(1, 4 * n + 2, 4, 4, Width::Dual);
            let options = CoreOptions {
                mutation: Some(mutation),
                ..options
            };
            run_program(&case.source.program(), &case.config, &options).is_err()
        });
        assert!(noticed, "{mutation:?}");
    }
}

#[test]
fn random_programs_on_16x32_single() {
    random((16, 32, Width::Single), 7);
}

#[test]
fn random_programs_on_16x32_dual() {
    random((16, 32, Width::Dual), 7);
}

/// CORE-012: a load that faults with much behind it, also control instructions, and other warps that go on.
#[test]
fn what_follows_a_fault_is_ignored() {
    const SOURCE: &str = "
        _start:
            csrr    t0, wtid
            la      s0, cells
            slli    t1, t0, 2
            add     s0, s0, t1
            li      s1, 1
            addi    t1, t0, -5
            beqz    t1, faults
            sw      s1, 0(s0)
            ecall
        faults:
            lw      t2, 0(zero)
            addi    s2, zero, 1
            mul     s3, s1, s1
            addi    s4, zero, 1
            sw      s1, 0(s0)
            mul     s5, s1, s1
            addi    s6, zero, 1
            mul     s7, s1, s1
            addi    s8, zero, 1
            sw      s1, 0(s0)
            addi    s9, zero, 1
            mul     s10, s1, s1
            j       faults
        .data
        cells: .zero 64
    ";
    let program = weft_isa::assemble(SOURCE, "fault.s").expect("a program");
    let mut happened = Happened::default();
    for seed in 0..60 {
        let mut options = CoreOptions::draw(seed, 4, 4, 16);
        options.width = [Width::Dual, Width::Single][(seed % 2) as usize];
        options.policy = Pick::ALL[(seed % 3) as usize];
        if seed % 4 < 2 {
            (options.resolve, options.intervals) = (Latency::Fixed(seed as u32), [0; 5]);
            options.fetch = Latency::Fixed(1);
        }
        let mut config = RunConfig::default();
        (config.machine.warps, config.machine.threads) = (4, 4);
        config.watchdog.hang = 20_000;
        config.oracle = true;
        let report = run_program(&program, &config, &options)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        happened.add(&report.happened);
        for cta in report.ctas.iter().filter(|c| !c.refused) {
            // Thread 5 faults.
            assert_eq!(cta.failed, cta.cta.threads > 5, "seed {seed}");
        }
    }
    println!("{happened:#?}");
    let h = &happened;
    assert!(h.other_faults > 60 && h.ignored > 100, "{h:?}");
    assert!(h.ignored_control > 10 && h.late > 5, "{h:?}");
}

fn one_warp_sets_what_fifteen_poll() -> weft_isa::Program {
    const SOURCE: &str = "
        _start:
            csrr    t0, wwarp
            la      t2, flag
            li      t1, 15
            beq     t0, t1, setter
            li      t4, 4
        poll:
            lw      t3, 0(t2)
            bnez    t3, seen
            mv      t5, t4
        wait:
            addi    t5, t5, -1
            bnez    t5, wait
            slli    t4, t4, 1
            andi    t4, t4, 127
            ori     t4, t4, 4
            j       poll
        seen:
            la      t2, count
            li      t1, 1
            amoadd.w zero, t1, (t2)
            ecall
        setter:
            li      t1, 200
        work:
            addi    t1, t1, -1
            bnez    t1, work
            li      t1, 1
            sw      t1, 0(t2)
            ecall
        .data
        flag:   .word 0
        count:  .word 0
    ";
    weft_isa::assemble(SOURCE, "poll.s").expect("a program")
}

fn poll(options: &CoreOptions) -> Result<CoreReport, CoreError> {
    let program = one_warp_sets_what_fifteen_poll();
    let mut config = RunConfig::default();
    (config.machine.warps, config.machine.threads) = (16, 32);
    config.cycles = Some(100_000);
    let report = run_program(&program, &config, options)?;
    println!("{report}");
    let count = report.ctas[0].memory.read_u32(program.symbols["count"]);
    assert_eq!(count, Ok(15 * 32));
    Ok(report)
}

#[test]
fn polling_warps_let_the_setter_go_on() {
    for width in [Width::Single, Width::Dual] {
        for policy in Pick::FAIR {
            let options = CoreOptions {
                width,
                policy,
                ..CoreOptions::default()
            };
            let report = poll(&options).unwrap_or_else(|e| panic!("{policy:?}, {width:?}: {e}"));
            assert!(report.cycles < 12_000);
        }
    }
}

/// Greedy then oldest makes no promise: the setter is the youngest warp, and fifteen older ones that count down take
/// every cycle.
/// With a level above theirs it is through at once.
#[test]
fn greedy_polling_needs_a_level() {
    for width in [Width::Single, Width::Dual] {
        let options = CoreOptions {
            width,
            policy: Pick::GreedyThenOldest,
            ..CoreOptions::default()
        };
        let starved = poll(&options).map(|_| ());
        assert!(
            matches!(starved, Err(CoreError::OutOfCycles(..))),
            "{starved:?}"
        );
        let options = CoreOptions {
            level_mix: 1,
            raise: Some((15, 1)),
            ..options
        };
        let report = poll(&options).unwrap_or_else(|error| panic!("{width:?}: {error}"));
        assert!(report.cycles < 12_000);
    }
}

/// What the surroundings say about a broken core: they are not blind.
#[test]
fn a_core_that_never_gets_its_lines_hangs() {
    let program = one_warp_sets_what_fifteen_poll();
    let mut config = RunConfig::default();
    (config.machine.warps, config.machine.threads) = (4, 4);
    let options = CoreOptions {
        fetch_stall: 100,
        ..CoreOptions::default()
    };
    let error = run_program(&program, &config, &options).map(|_| ());
    assert!(matches!(error, Err(CoreError::Hang { .. })), "{error:?}");
}

#[test]
fn runs_repeat_and_statistics_add_up() {
    let program = one_warp_sets_what_fifteen_poll();
    let mut config = RunConfig::default();
    (config.machine.warps, config.machine.threads) = (4, 4);
    // All of block 15 is missing: nobody sets the flag.
    config.watchdog = Watchdog {
        livelock: 20_000,
        ..Watchdog::default()
    };
    let options = CoreOptions::default();
    let error = run_program(&program, &config, &options).map(|_| ());
    assert!(
        matches!(error, Err(CoreError::Livelock { .. })),
        "{error:?}"
    );
    (config.machine.warps, config.machine.threads) = (16, 32);
    let cta = |id| Cta {
        threads: 512,
        level: 0,
        id,
    };
    let options = CoreOptions {
        ctas: vec![cta(7), cta(9)],
        lockstep: false,
        ..options
    };
    let run = || run_program(&program, &config, &options).expect("it ends");
    let (a, b) = (run(), run());
    assert_eq!(
        (a.cycles, a.issued, &a.counters),
        (b.cycles, b.issued, &b.counters)
    );
    assert!(a.ctas[0].ended < a.ctas[1].began + 2, "{:?}", a.ctas);
    assert_eq!(a.happened.reused, 16);
    let with = CoreOptions {
        lockstep: true,
        ..options.clone()
    };
    let c = run_program(&program, &config, &with).expect("it ends");
    assert_eq!((a.cycles, a.issued), (c.cycles, c.issued));
}

/// BAR-085, BAR-106: warps that wait at a barrier do not take what its last arrival needs: neither older ones under
/// greedy then oldest, nor ones of a higher level.
/// The unit of the barrier instructions takes one of them in 16 cycles, which those that ask would fill.
#[test]
fn who_waits_at_a_barrier_does_not_starve_who_arrives() {
    const SOURCE: &str = "
        _start:
            csrr    t0, wwarp
            li      t1, 15
            beq     t0, t1, last
            li      t2, 8
            csrw    wlevel, t2
            li      t3, 0
            csrr    t4, wlane
            andi    t4, t4, 1
            beqz    t4, even
            bar.wait 3, t3
            exit
        even:
            bar.wait 5, t3
            exit
        last:
            li      t1, 200
        work:
            bar.reset 1
            addi    t1, t1, -1
            bnez    t1, work
            li      t2, 1 << 11 | 32
            bar.arrive 3, t2
            bar.arrive 5, t2
            la      t2, flag
            li      t1, 1
            sw      t1, 0(t2)
            exit
        .data
        flag:   .word 0
    ";
    let program = weft_isa::assemble(SOURCE, "last.s").expect("a program");
    let mut config = RunConfig::default();
    (config.machine.warps, config.machine.threads) = (16, 32);
    config.cycles = Some(20_000);
    for (policy, level_mix) in [(Pick::GreedyThenOldest, 0), (Pick::Age, 1)] {
        let mut intervals = [0; 5];
        intervals[4] = 15;
        let options = CoreOptions {
            policy,
            level_mix,
            intervals,
            ..CoreOptions::default()
        };
        let report =
            run_program(&program, &config, &options).unwrap_or_else(|e| panic!("{policy:?}: {e}"));
        let h = &report.happened;
        println!("{policy:?}: {} cycles, {} RETRY", report.cycles, h.retries);
        assert_eq!(
            report.ctas[0].memory.read_u32(program.symbols["flag"]),
            Ok(1)
        );
        // Two groups of 15 warps ask, and the second once more when the first barrier is complete.
        assert!(h.retries <= 15 * 4, "{}", h.retries);
    }
}

/// The CTAs of a grid: more than there is room for at once, one memory, numbers in the whole grid (ISA-021, F5);
/// the oracle judges it all.
#[test]
fn the_ctas_of_a_grid_share_memory_and_are_numbered_through() {
    let source = "
_start: la   s0, out
        slli s1, a0, 2
        add  s1, s1, s0
        csrr s2, wcta
        sw   s2, 0(s1)
        la   s3, sum
        amoadd.w x0, a0, (s3)
        csrr s4, wtid
        csrr s5, wwarp
        csrr s6, wsize
        exit
        .data
sum:    .word 0
out:    .zero 256
";
    let program = weft_isa::assemble(source, "grid.s").unwrap();
    let mut config = RunConfig {
        oracle: true,
        ..RunConfig::default()
    };
    (config.machine.warps, config.machine.threads) = (4, 4);
    for lockstep in [true, false] {
        let options = CoreOptions {
            lockstep,
            ..CoreOptions::default()
        };
        // Seven CTAs of two warps, the last one of one thread; two fit.
        let options = options.with_grid(49, 8, 3);
        let report = run_program(&program, &config, &options).unwrap();
        assert_eq!(report.oracle_agrees, Some(true));
        assert_eq!((report.ctas.len(), report.happened.most_ctas), (7, 2));
        let memory = report.memory.unwrap();
        let word = |address| memory.read_u32(address).unwrap();
        assert_eq!(word(program.symbols["sum"]), 48 * 49 / 2);
        let threads = report.ctas.iter().flat_map(|cta| &cta.threads);
        for (n, thread) in (0u32..).zip(threads) {
            assert_eq!(word(program.symbols["out"] + 4 * n), n / 8);
            let read = [18, 20, 21, 22].map(|x| thread.registers[x]);
            assert_eq!(read, [n / 8, n, n / 4, 49]);
        }
    }
}

/// F1: what a program with barriers computes, and that the oracle agrees.
#[test]
fn a_program_with_barriers_is_right_and_the_oracle_agrees() {
    let source = "
_start: la   s0, flag
        addi t0, a1, -1
        bne  a0, t0, 2f
        li   t0, 200
1:      addi t0, t0, -1
        bnez t0, 1b
        li   t0, 7
        sw   t0, 0(s0)
2:      bar.sync 0
        lw   s1, 0(s0)
        exit
        .data
flag:   .word 0
";
    let program = weft_isa::assemble(source, "f01.s").unwrap();
    let mut config = RunConfig {
        oracle: true,
        ..RunConfig::default()
    };
    (config.machine.warps, config.machine.threads) = (4, 4);
    let options = CoreOptions::default().with_grid(16, 16, 0);
    let report = run_program(&program, &config, &options).unwrap();
    assert_eq!(report.oracle_agrees, Some(true));
    let threads = &report.ctas[0].threads;
    assert!(threads.iter().all(|thread| thread.registers[9] == 7));
    // The same program with nothing behind weft_control's ports.
    let error = weft_testbench::run::run_program(
        &program,
        &config,
        weft_testbench::run::Engine::Lockstep(weft_testbench::dut::RtlKind::Verilated),
        &mut [],
    );
    let error = error.unwrap_err().to_string();
    assert!(error.contains("needs the barrier unit"), "{error}");
}

/// ISA-012: what threads read of their numbers where the last CTA is smaller than the others; on the core, on the
/// golden machine part by part, and alone.
#[test]
fn threads_of_a_smaller_last_cta_know_its_size() {
    const SOURCE: &str = "
        _start:
            la      t1, out
            csrr    t0, wtid
            slli    t0, t0, 5
            add     t1, t1, t0
            csrr    t0, wctasize
            sw      t0, 0(t1)
            csrr    t0, wdimx
            sw      t0, 4(t1)
            csrr    t0, wgridx
            sw      t0, 8(t1)
            csrr    t0, wcta
            sw      t0, 12(t1)
            csrr    t0, wthread
            sw      t0, 16(t1)
            csrr    t0, wsize
            sw      t0, 20(t1)
            exit
        .data
        out: .zero 4096
    ";
    let program = weft_isa::assemble(SOURCE, "sizes.s").expect("a program");
    for (grid, warps) in [(1, 1), (3, 4), (17, 4), (17, 1), (23, 2), (47, 3), (16, 4)] {
        let whole = 4 * warps as u32;
        let mut config = RunConfig::default();
        (config.machine.warps, config.machine.threads) = (4, 4);
        (config.machine.grid, config.machine.cta_warps) = (Some(grid), Some(warps));
        let full = whole.min(grid);
        let check = |memory: &Memory, who: &str| {
            for thread in 0..grid {
                let at = program.symbols["out"] + 32 * thread;
                let seen: Vec<u32> = (0..6)
                    .map(|n| memory.read_u32(at + 4 * n).expect("mapped"))
                    .collect();
                let cta = thread / full;
                let own = full.min(grid - cta * full);
                let ctas = grid.div_ceil(full);
                let right = [own, full, ctas, cta, thread % full, grid];
                assert_eq!(
                    seen, right,
                    "{who}: thread {thread} of {grid} in CTAs of {full}"
                );
            }
        };
        let (mut golden, mut alone) = (None, None);
        for part in weft_testbench::grid::parts(&config.machine).expect("a grid") {
            let mut machine = Machine::new(&program, &part).expect("a machine");
            let mut oracle = Oracle::new(&program, &part).expect("an oracle");
            for (memory, before) in [
                (machine.memory_mut(), &golden),
                (oracle.memory_mut(), &alone),
            ] {
                if let Some(before) = before {
                    let data = weft_testbench::grid::contents(before);
                    memory
                        .write_bytes(data.address, &data.bytes)
                        .expect("as large");
                }
            }
            assert_eq!(machine.run(&Limits::default(), |_| ()), Outcome::Done);
            golden = Some(machine.into_memory());
            let Ok(OracleOutcome::Finished(result)) = oracle.run(1000) else {
                panic!("it ends alone");
            };
            alone = Some(result.memory);
        }
        check(&golden.expect("a part"), "golden");
        check(&alone.expect("a part"), "oracle");
        let core = RunConfig {
            machine: weft_sim::Config {
                cta_warps: None,
                ..config.machine.clone()
            },
            ..config.clone()
        };
        let options = CoreOptions::default().with_grid(grid, full, 0);
        let report = run_program(&program, &core, &options).expect("it ends");
        check(&report.memory.expect("of a grid"), "core");
    }
}
