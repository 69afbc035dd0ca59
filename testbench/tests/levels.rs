//! CSRs of the scheduler on the whole core: `wlevel` (ISA-010) and the counters (ISA-011), at every issue width;
//! what a datapath has to do for them (CORE-019).

use weft_testbench::core::{run_program, CoreOptions, CoreReport, Pick, Width};
use weft_testbench::run_config::RunConfig;

fn run(source: &str, options: &CoreOptions) -> (weft_isa::Program, CoreReport) {
    let program = weft_isa::assemble(source, "levels.s").expect("a program");
    let mut config = RunConfig::default();
    (config.machine.warps, config.machine.threads) = (16, 32);
    // Tickets and counters are not what a thread alone would get.
    config.oracle = false;
    let report = run_program(&program, &config, options)
        .unwrap_or_else(|error| panic!("{options:?}: {error}"));
    (program, report)
}

fn words(program: &weft_isa::Program, report: &CoreReport, symbol: &str) -> [u32; 16] {
    let at = |warp| program.symbols[symbol] + 4 * warp as u32;
    std::array::from_fn(|warp| report.ctas[0].memory.read_u32(at(warp)).expect("mapped"))
}

/// Warp 15 raises its level, then all do the same work and take a ticket. Only lane 0 writes 9;
/// what the lowest thread has written is the level, and every thread reads its own.
const RACE: &str = "
    _start:
        csrr    s0, wwarp
        csrr    s1, wlane
        li      t0, 15
        bne     s0, t0, work
        sltiu   t1, s1, 1
        slli    t2, t1, 3
        or      t1, t1, t2
        csrw    wlevel, t1
        csrr    t3, wlevel
        bne     t3, t1, work
        la      t4, own
        slli    t5, s1, 2
        add     t4, t4, t5
        sw      t3, 0(t4)
    work:
        li      t0, 30
    again:
        addi    t1, t1, 1
        addi    t2, t2, 1
        addi    t3, t3, 1
        addi    t4, t4, 1
        addi    t0, t0, -1
        bnez    t0, again
        bnez    s1, end
        la      t0, next
        li      t1, 1
        amoadd.w t2, t1, (t0)
        la      t0, ticket
        slli    t1, s0, 2
        add     t0, t0, t1
        sw      t2, 0(t0)
    end:
        ecall
    .data
    next:   .word 0
    ticket: .zero 64
    own:    .zero 128
";

#[test]
fn a_raised_level_goes_first() {
    for width in [Width::Single, Width::Dual, Width::Two] {
        for policy in [Pick::Age, Pick::LooseRoundRobin] {
            let ticket = |mix| {
                let options = CoreOptions {
                    policy,
                    level_mix: mix,
                    width,
                    ..CoreOptions::default()
                };
                let (program, report) = run(RACE, &options);
                assert_eq!(report.happened.levels_written, 1);
                let own = words(&program, &report, "own");
                assert_eq!(own[..2], [9, 0], "{width:?} {policy:?}");
                words(&program, &report, "ticket")
            };
            // Warp 15 is the last to be launched. With its level it comes before those of its partition.
            let (with, without) = (ticket(1), ticket(0));
            println!("{width:?} {policy:?}: {with:?}, without the level {without:?}");
            if policy == Pick::LooseRoundRobin {
                // Levels do not count.
                assert_eq!(with, without);
                continue;
            }
            let of = width.partitions();
            let others = || (0..15).filter(|warp| warp % of == 15 % of);
            assert!(others().all(|w| with[15] < with[w]), "{width:?}: {with:?}");
            assert!(
                others().any(|w| without[15] > without[w]),
                "{width:?}: {without:?}"
            );
        }
    }
}

/// Between the two reads: a fence, 20 additions, a fence, a move of nothing.
/// What the counters show is at most four cycles old.
const COUNT: &str = "
    _start:
        csrr    s0, wwarp
        csrr    s1, wlane
        fence
        csrr    t0, winstret
        csrr    t1, sissue
        ADDITIONS
        fence
        csrr    t2, winstret
        csrr    t3, sissue
        csrr    t4, wissue
        sub     t2, t2, t0
        sub     t3, t3, t1
        bnez    s1, end
        slli    s0, s0, 2
        la      t5, own
        add     t5, t5, s0
        sw      t2, 0(t5)
        la      t5, all
        add     t5, t5, s0
        sw      t3, 0(t5)
        la      t5, issue
        add     t5, t5, s0
        sw      t4, 0(t5)
    end:
        ecall
    .data
    own:    .zero 64
    all:    .zero 64
    issue:  .zero 64
";

#[test]
fn counters_read_what_the_port_shows() {
    let additions = "        addi x20, x21, 1\n        mul x22, x23, x23\n".repeat(10);
    let source = COUNT.replace("ADDITIONS", &additions);
    for width in [Width::Single, Width::Dual, Width::Two] {
        let (program, report) = run(
            &source,
            &CoreOptions {
                width,
                ..CoreOptions::default()
            },
        );
        // Five of each warp.
        assert_eq!(report.happened.counter_reads, 16 * 5);
        let [own, all, issue] = ["own", "all", "issue"].map(|s| words(&program, &report, s));
        println!("{width:?}: {own:?}, {all:?}, {issue:?}");
        for warp in 0..16 {
            // 20 between the two, the first two reads and the fence.
            assert!((20..=24).contains(&own[warp]), "{width:?}: {own:?}");
            // The others have issued meanwhile; of the cycles with an issue dual issue has fewer.
            assert!(all[warp] >= own[warp] / 2, "{width:?}: {own:?}, {all:?}");
            // One look at a warp in so many cycles as there are warps: some have been seen, not all.
            assert!(u64::from(issue[warp]) <= report.cycles, "{issue:?}");
        }
        assert!(
            all.iter().zip(own).any(|(&all, own)| all > 2 * own),
            "{width:?}: {all:?}"
        );
    }
}
