//! Barriers on the golden machine: programs, hangs, errors.

mod common;

use common::{assembled, run, run_as_alone, small};
use weft_sim::barrier::{Cause, Kind, Late, Word};
use weft_sim::{Config, Event, Outcome, PathPolicy, Stuck, Waits};

fn config(warps: usize, threads: usize) -> Config {
    Config {
        warps,
        threads,
        tokens: 2 * threads + 8,
        memory: 0x4_0000,
        ..small()
    }
}

fn word(run: &common::Run, symbol: &str, index: u32) -> u32 {
    let address = run.program.symbols[symbol] + 4 * index;
    let bytes = run
        .machine
        .memory()
        .slice(address..address + 4)
        .expect("mapped");
    u32::from_le_bytes(bytes.try_into().expect("four"))
}

/// Every thread adds its number to a running value of its neighbour, round after round, with a barrier between.
/// Odd lanes come on another path, and nothing brings the paths together but the barrier.
const ROUNDS: &str = "
    _start:
        la s0, cells
        slli t0, a0, 2
        add s1, s0, t0      # own
        addi t1, a0, 1
        bne t1, a1, 1f
        li t1, 0
    1:  slli t1, t1, 2
        add s2, s0, t1      # neighbour
        li s3, 5
    round:
        lw t2, 0(s2)
        bar.sync 0
        andi t3, a0, 1
        beqz t3, even
        addi t2, t2, 3
        sw t2, 0(s1)
        j behind
    even:
        addi t2, t2, 1
        sw t2, 0(s1)
    behind:
        bar.sync 1
        addi s3, s3, -1
        bnez s3, round
        exit
    .data
    cells: .zero 256";

#[test]
fn rounds_with_barriers_in_a_divergent_loop() {
    for (warps, threads) in [(1, 4), (4, 4), (2, 16), (8, 8)] {
        for path in PathPolicy::ALL {
            let config = Config {
                path,
                ..config(warps, threads)
            };
            let run = run(ROUNDS, &config);
            assert_eq!(run.outcome, Outcome::Done, "{warps}x{threads}");
            let n = warps * threads;
            let mut cells = vec![0u32; n];
            for _ in 0..5 {
                let next = |t: usize| cells[(t + 1) % n] + if t % 2 == 1 { 3 } else { 1 };
                cells = (0..n).map(next).collect();
            }
            for (t, cell) in cells.iter().enumerate() {
                assert_eq!(word(&run, "cells", t as u32), *cell, "thread {t}");
            }
        }
    }
}

#[test]
fn threads_append_in_order_inside_a_section() {
    // Threads whose number is not a multiple of 3; warps come in any order.
    let source = "
        _start:
            la s0, list
            li t0, 3
            rem t1, a0, t0
            li t2, 0x8000      # kind ordered
            bar.top.nez 2, t1, t2
            beqz t1, out
            la t3, length
            lw t4, 0(t3)
            slli t5, t4, 2
            add t5, t5, s0
            sw a0, 0(t5)
            addi t4, t4, 1
            sw t4, 0(t3)
            bar.bot 2
        out: exit
        .data
        length: .word 0
        list: .zero 512";
    let run = run(source, &config(4, 8));
    assert_eq!(run.outcome, Outcome::Done);
    let expected: Vec<u32> = (0..32).filter(|n| n % 3 != 0).collect();
    assert_eq!(word(&run, "length", 0), expected.len() as u32);
    for (at, number) in expected.iter().enumerate() {
        assert_eq!(word(&run, "list", at as u32), *number);
    }
    assert_eq!(run.machine.barrier_errors(), []);
}

#[test]
fn who_sleeps_keeps_its_tokens_and_its_count_of_instructions() {
    // As each thread alone: the barrier changes no register.
    let source = "
        _start:
            ssy join
            andi t0, a0, 1
            beqz t0, 1f
            addi a2, a2, 5
            bar.sync 3
            addi a2, a2, 7
            sync join
        1:  addi a2, a2, 9
            bar.arrive 4, zero
            sync join
        join:
            addi a2, a2, 1
            exit";
    // Half of the threads at barrier 3: the others end.
    let run = run_as_alone(source, &config(2, 8));
    assert!(run.records.iter().any(|r| r.event == Event::Barrier));
}

#[test]
fn a_section_runs_one_thread_at_a_time() {
    // Read, spin a little, write: a race without the section.
    let source = |kind: u32, bottom: &str| {
        format!(
            "
        _start:
            la s0, total
            li t0, {kind}
            bar.top 0, t0
            lw t1, 0(s0)
            andi t2, a0, 3
        1:  addi t2, t2, -1
            bgtz t2, 1b
            add t1, t1, a0
            sw t1, 0(s0)
            {bottom} 0
            exit
        .data
        total: .word 0"
        )
    };
    for kind in [1 << 14, 2 << 14, 1 << 14 | 1 << 16] {
        for bottom in ["bar.bot", "bar.bot.nb"] {
            let run = run(&source(kind, bottom), &config(4, 8));
            assert_eq!(run.outcome, Outcome::Done);
            assert_eq!(word(&run, "total", 0), (0..32).sum::<u32>());
        }
    }
}

#[test]
fn threads_that_exit_release_those_who_wait() {
    let source = "
        _start:
            andi t0, a0, 2
            bnez t0, 1f
            exit
        1:  bar.sync 0
            exit";
    assert_eq!(run(source, &config(2, 8)).outcome, Outcome::Done);
}

#[test]
fn a_fault_releases_those_who_wait() {
    let source = "
        _start:
            csrr t0, wwarp
            bnez t0, 1f
            lw t1, 0(zero)
        1:  bar.sync 0
            exit";
    let run = run(source, &config(3, 4));
    let Outcome::Faulted(faults) = &run.outcome else {
        panic!("{:?}", run.outcome)
    };
    assert_eq!(faults.len(), 1);
}

#[test]
fn arrive_now_and_wait_later() {
    // A producer warp fills a slot, a consumer warp empties it; both with two split barriers.
    let source = "
        _start:
            li s0, 0            # parity
            li s1, 20           # rounds
            la s2, box
            csrr t0, wwarp
            bnez t0, consumer
        producer:
            bar.arrive 1, zero  # filled: all threads of both warps take part
            bar.arrive 2, zero
            exit
        consumer:
            bar.arrive 1, zero
            bar.wait 1, s0
            bar.arrive 2, zero
            bar.wait 2, s0
            exit
        .data
        box: .word 0";
    let run = run_as_alone(source, &config(2, 4));
    assert!(run
        .records
        .iter()
        .all(|r| r.event != Event::Barrier || r.pc != 0));
}

#[test]
fn a_thousand_and_twenty_four_phases() {
    let source = "
        _start:
            li s0, 0
            li s1, 1024
        loop:
            csrr t0, wwarp
            xor t0, t0, s1
            andi t0, t0, 7
        1:  addi t0, t0, -1     # a delay of its own in each round
            bgez t0, 1b
            bar.arrive 6, zero
            bar.wait 6, s0
            xori s0, s0, 1
            addi s1, s1, -1
            bnez s1, loop
            exit";
    for warps in [1, 2, 4] {
        run_as_alone(source, &config(warps, 4));
    }
}

#[test]
fn timers_run_out_when_nothing_else_can_run() {
    let bump = Word::default().with_condition(3).with_timeout(100);
    let source = format!(
        "
        _start:
            li t0, {}
            csrr t1, wlane
            bnez t1, 1f
            bar.top 0, t0
        1:  bar.sync 1
            exit",
        bump.0
    );
    assert_eq!(run(&source, &config(2, 4)).outcome, Outcome::Done);
}

#[test]
fn who_comes_late_to_an_invalid_barrier_passes() {
    let bump = Word::default()
        .with_condition(4)
        .with_count(8)
        .with_late(Late::Invalidates);
    let source = format!(
        "
        _start:
            li t0, {}
            csrr t1, wwarp
            slli t1, t1, 9
        1:  addi t1, t1, -1     # warp 1 comes many instructions later
            bgez t1, 1b
            bar.top 0, t0
            exit",
        bump.0
    );
    let run = run(&source, &config(2, 4));
    assert_eq!(run.outcome, Outcome::Done);
}

#[test]
fn a_hang_says_who_waits_where() {
    // Even threads at barrier 0, odd ones at barrier 1.
    let source = "
        _start:
            andi t0, a0, 1
            bnez t0, 1f
            bar.sync 0
            exit
        1:  bar.sync 1
            exit";
    let run = run(source, &config(2, 4));
    let Outcome::Hung(stuck) = &run.outcome else {
        panic!("{:?}", run.outcome)
    };
    assert_eq!(stuck.len(), 8);
    for s in stuck {
        let (pc, barrier) = if s.thread % 2 == 0 {
            (0x1008, 0)
        } else {
            (0x1010, 1)
        };
        assert_eq!((s.pc, s.barrier, s.cta), (pc, barrier, 0));
        let waits = Waits::Arrivals {
            section: false,
            arrivals: 4,
            target: 8,
        };
        assert_eq!(s.waits, waits);
    }
    assert_eq!(
        stuck[1].to_string(),
        "warp 0, lane 1 (thread 1) waits at 0x1010, barrier 1 of CTA 0: barrier, 4 of 8 arrivals"
    );
    let lines = [
        "warps 0 1, lanes 0 2: 4 threads wait at 0x1008, barrier 0 of CTA 0: barrier, 4 of 8 arrivals",
        "warps 0 1, lanes 1 3: 4 threads wait at 0x1010, barrier 1 of CTA 0: barrier, 4 of 8 arrivals",
    ];
    assert_eq!(Stuck::lines(stuck), lines);
}

/// MASK-042: who is switched off sleeps at no barrier, and is named all the same.
#[test]
fn a_hang_names_masked_threads() {
    let source = "
        _start:
            seqz t0, a0
            mset m1, t0
            mand exec, m1, exec
            bar.sync 0
            exit";
    let run = run(source, &config(1, 4));
    let Outcome::Hung(stuck) = &run.outcome else {
        panic!("{:?}", run.outcome)
    };
    let lines = Stuck::lines(stuck);
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].starts_with("warp 0, lane 0 (thread 0) waits at"));
    let masked = "warp 0, lanes 1-3: 3 threads wait, switched off by a mask in CTA 0 (MASK-042)";
    assert_eq!(lines[1], masked);
}

#[test]
fn two_tags_that_clash_are_a_hang() {
    let source = "
        _start:
            andi t0, a0, 1
            bnez t0, 1f
            bar.sync 0
            exit
        1:  bar.sync 0
            exit";
    let run = run(source, &config(2, 4));
    let Outcome::Hung(stuck) = &run.outcome else {
        panic!("{:?}", run.outcome)
    };
    let busy = stuck.iter().filter(|s| s.waits == Waits::Busy).count();
    assert_eq!((stuck.len(), busy), (8, 4));
}

#[test]
fn a_wait_for_a_phase_that_does_not_end_is_a_hang() {
    let run = run("_start: bar.wait 3, zero\n exit", &config(2, 4));
    let Outcome::Hung(stuck) = &run.outcome else {
        panic!("{:?}", run.outcome)
    };
    assert!(stuck
        .iter()
        .all(|s| (s.waits, s.barrier, s.pc) == (Waits::Phase, 3, 0x1000)));
    assert_eq!(stuck.len(), 8);
}

#[test]
fn bad_use_is_an_error_with_warp_threads_and_pc() {
    let section = Word::default().with_kind(Kind::Section);
    let source = format!(
        "
        _start:
            bar.bot 5
            li t0, {}
            li t1, 9
            li t2, {}
            bar.top 0, t0
            bar.sync 1
            bar.bot 0
            exit",
        section.0,
        Word::default().with_condition(1).with_count(9).0
    );
    let run = run(&source, &config(1, 4));
    assert_eq!(run.outcome, Outcome::Done);
    let errors = run.machine.barrier_errors();
    assert_eq!(
        (errors[0].cause, errors[0].mask, errors[0].pc),
        (Cause::NotHolding, 0xf, 0x400)
    );
    let nested = errors.iter().filter(|e| e.cause == Cause::Nested).count();
    assert_eq!(nested, 4);
    assert!(errors[0]
        .to_string()
        .starts_with("NOT_HOLDING: warp 0, lanes 0xf, pc 0x1000, barrier 5"));
}

#[test]
fn ctas_have_barriers_of_their_own() {
    let source = "
        _start:
            csrr t0, wcta
            la t1, who
            slli t2, a0, 2
            add t1, t1, t2
            sw t0, 0(t1)
            bar.sync 0
            bnez t0, 1f
            exit
        1:  bar.sync 0      # only CTA 1 comes here
            exit
        .data
        who: .zero 128";
    let config = Config {
        cta_warps: Some(2),
        ..config(3, 4)
    };
    let run = run_as_alone(source, &config);
    let who: Vec<u32> = (0..12).map(|n| word(&run, "who", n)).collect();
    assert_eq!(who, [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
    assert!(assembled(source).entry == 0x1000);
}

#[test]
fn a_partial_warp_is_waited_for_only_as_far_as_it_goes() {
    let config = Config {
        grid: Some(11),
        ..config(4, 4)
    };
    run_as_alone("_start: bar.sync 0\n bar.sync 1\n exit", &config);
}
