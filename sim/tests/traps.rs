//! The known traps of token-based convergence ([`weft_sim::traps`]), and more small programs. Each is run with several
//! policies and has to agree with the oracle; then the point of the trap is looked at.

mod common;

use common::{alone, assembled, run, run_as_alone, run_mutated, small, Run};
use std::panic::{catch_unwind, AssertUnwindSafe};
use weft_sim::traps::{self, Trap};
use weft_sim::{Config, Event, Machine, Mutation, Outcome, PathPolicy, Record, YIELD};

/// `None`: the machine panicked, because it lost threads.
fn ran(trap: &Trap, mutation: Mutation) -> Option<Run> {
    let run = || run_mutated(trap.source, &trap.config, Some(mutation));
    catch_unwind(AssertUnwindSafe(run)).ok()
}

/// Does the run keep everything that the trap promises? `Err`: what it breaks.
fn keeps(trap: &Trap, run: &Run) -> Result<(), String> {
    if run.outcome != Outcome::Done {
        return Err(format!("{:?}", run.outcome));
    }
    let last = run.records.last().expect("it has retired");
    if (last.depth, last.front) != (0, None) {
        return Err(format!("tokens are left over: {last}"));
    }
    for (label, expected) in trap.masks {
        let masks = run.masks_at(label);
        if masks != *expected {
            return Err(format!("{label}: {masks:x?}, not {expected:x?}"));
        }
    }
    let alone = alone(&run.program, &trap.config);
    let memory = 0x1000..trap.config.memory;
    if run.machine.memory().slice(memory.clone()) != alone.memory.slice(memory) {
        return Err("memory differs".into());
    }
    let differs = |lane: &usize| *run.machine.thread(0, *lane) != alone.threads[*lane];
    match (0..trap.config.threads).find(differs) {
        Some(lane) if !trap.waits => Err(format!("thread {lane} differs")),
        _ => Ok(()),
    }
}

/// The trap keeps what it promises; every thread does what it does alone, whatever the policy; and each departure that
/// the trap has to notice breaks a promise and shows in what retires.
fn springs(trap: &Trap) -> Run {
    let run = run(trap.source, &trap.config);
    keeps(trap, &run).unwrap_or_else(|broken| panic!("{}: {broken}", trap.name));
    if !trap.waits {
        under_all_policies(trap.source, &trap.config);
    }
    for &mutation in trap.mutations {
        let Some(mutated) = ran(trap, mutation) else {
            continue;
        };
        let broken = keeps(trap, &mutated);
        assert!(broken.is_err(), "{}: {mutation:?}", trap.name);
        assert_ne!(mutated.records, run.records, "{}: {mutation:?}", trap.name);
    }
    run
}

/// Runs with policies from "never yields" to "yields after every backward transfer", by chance, with each path policy,
/// and with as few tokens as possible.
fn under_all_policies(source: &str, base: &Config) {
    for (yield_every, forced_yield) in [(0, 0), (1, 0), (2, 3), (0, 1), (1, 1), (0, 1024)] {
        for tokens in [base.threads + 1, 256] {
            for path in PathPolicy::ALL {
                let config = Config {
                    tokens,
                    path,
                    yield_every,
                    forced_yield,
                    ..base.clone()
                };
                run_as_alone(source, &config);
                run_as_alone(
                    source,
                    &Config {
                        yield_random: true,
                        yield_threshold: 0x8000,
                        yield_seed: yield_every,
                        call_tokens: true,
                        ..config
                    },
                );
            }
        }
    }
}

#[test]
fn a_break_crosses_live_sync_and_continue_tokens() {
    springs(&traps::BREAK);
}

#[test]
fn a_continue_crosses_a_live_sync_token() {
    springs(&traps::CONTINUE);
}

#[test]
fn a_return_crosses_all_tokens_of_its_function() {
    springs(&traps::RETURN);
}

#[test]
fn a_predicated_sync_that_selects_nobody_does_not_unwind() {
    let run = springs(&traps::EMPTY_SYNC);
    let at = run.label("here") - 1;
    let record = run.records.iter().find(|r| r.pc == at).unwrap();
    assert_eq!(
        (record.event, record.next_pc, record.next_mask),
        (Event::Leave, at + 1, record.mask)
    );
}

#[test]
fn threads_that_exit_above_live_tokens_are_not_waited_for() {
    springs(&traps::EXIT);
}

#[test]
fn tokens_that_are_left_over_end_with_the_warp() {
    let run = springs(&traps::LEFTOVER);
    let [.., before, last] = &run.records[..] else {
        panic!("{:?}", run.records)
    };
    assert_eq!((before.depth, last.done, last.depth), (3, true, 0));
}

#[test]
fn a_function_whose_paths_meet_only_at_the_return_converges_in_the_caller() {
    springs(&traps::MEET_AT_RETURN);
    springs(&traps::MEET_AT_PLAIN_RETURN);
    springs(&traps::FUNCTION_POINTERS);
}

#[test]
fn a_continue_token_may_name_the_loop_header_itself() {
    let run = springs(&traps::OWN_HEADER);
    let total = run.machine.stats().total;
    assert!(total.redundant_pushes > 0, "{total:?}");
    assert!(
        total.deepest_deque <= 3,
        "one token per iteration would leak: {total:?}"
    );
}

#[test]
fn a_spin_lock_whose_section_follows_its_sync_finishes_with_yields() {
    let run = springs(&traps::LOCK);
    assert_eq!(run.word("count"), 4);
    let missed = |r: &&Record| r.event == Event::Leave && r.front.is_none_or(|t| t.kind == YIELD);
    assert!(
        run.records.iter().filter(missed).count() > 0,
        "a SYNC whose token is gone is a plain branch"
    );
}

#[test]
fn an_inner_loop_does_not_steal_the_parked_threads_of_the_outer_loop() {
    for trap in [&traps::STOLEN_FROM_OUTSIDE, &traps::STOLEN_ON_THE_WAY] {
        let run = springs(trap);
        let parked = run
            .records
            .iter()
            .filter(|r| r.front.is_some_and(|t| t.kind == 2))
            .count();
        assert!(parked > 0, "{}", trap.name);
        assert!(
            run.masks_at("inner_next").iter().all(|m| m & 0b1010 == 0),
            "{}",
            trap.name
        );
    }
}

#[test]
fn a_yield_merges_with_a_token_deep_in_the_deque() {
    let run = springs(&traps::DEEP_MERGE);
    let merge = run
        .records
        .iter()
        .rfind(|r| r.event == Event::Yield && r.mask == 0b1100_0000)
        .expect("threads 6 and 7 yield");
    assert_eq!(
        (merge.next_mask, merge.depth),
        (0b1100_0001, 5),
        "five yields stand behind"
    );
}

#[test]
fn a_warp_retires_while_many_tokens_are_left() {
    let run = springs(&traps::DEEP_LEFTOVER);
    let [.., before, last] = &run.records[..] else {
        panic!("{:?}", run.records)
    };
    assert_eq!((before.depth, last.done, last.depth), (12, true, 0));
}

#[test]
fn every_trap_has_a_name_of_its_own_and_notices_something() {
    let names: std::collections::BTreeSet<&str> = traps::ALL.iter().map(|t| t.name).collect();
    assert_eq!(names.len(), traps::ALL.len());
    assert!(traps::ALL.iter().all(|t| !t.mutations.is_empty()));
}

#[test]
fn a_spin_lock_whose_section_follows_its_sync_livelocks_without_yield() {
    let run = run(
        traps::LOCK.source,
        &Config {
            yield_every: 0,
            ..traps::LOCK.config
        },
    );
    let Outcome::Livelock(spinning) = &run.outcome else {
        panic!("{:?}", run.outcome)
    };
    let [warp] = &spinning[..] else {
        panic!("{spinning:?}")
    };
    assert_eq!(
        (warp.warp, warp.active, &warp.waiting[..]),
        (0, 0b1110, &[(0, 0)][..])
    );
    let attempt = run.program.symbols["try"];
    assert_eq!(warp.pcs, [attempt, attempt + 4, attempt + 8]);
    let text = warp.to_string();
    assert!(
        text.contains("active 0xe") && text.ends_with("waiting: lane 0 SYNC"),
        "{text}"
    );
}

#[test]
fn a_spin_lock_finishes_with_yield_or_with_forced_yield_alone() {
    for (with_yield, yield_every, forced_yield) in [
        (true, 1, 0),
        (true, 3, 0),
        (false, 0, 1),
        (false, 0, 8),
        (false, 0, 100),
        (true, 2, 3),
    ] {
        let source = match with_yield {
            true => traps::LOCK.source.into(),
            false => traps::LOCK.source.replace("yield", "nop"),
        };
        for threads in [4, 32, 64] {
            let config = Config {
                threads,
                tokens: threads + 1,
                warps: 2,
                yield_every,
                forced_yield,
                stack: 16,
                ..small()
            };
            let run = run(&source, &config);
            assert_eq!(run.outcome, Outcome::Done, "{config:?}");
            assert_eq!(run.word("count"), 2 * threads as u32);
        }
    }
}

/// Runs under all policies and gives back the run in which every YIELD fires.
fn yielding(source: &str) -> Run {
    under_all_policies(source, &small());
    run_as_alone(source, &small())
}

#[test]
fn groups_that_yield_at_the_same_place_go_on_together() {
    let run = yielding(
        "
_start: andi t0, a0, 1
        beqz t0, even
        addi s2, s2, 1
        j    meet
even:   addi s3, s3, 1
meet:   yield               # no token names this place
after:  addi s4, s4, 1
        exit
",
    );
    assert_eq!(run.masks_at("meet"), [0b0101, 0b1010]);
    assert_eq!(run.masks_at("after"), [0b1111]);
}

#[test]
fn threads_that_yielded_out_of_a_region_find_its_token_gone_and_go_on() {
    let run = yielding(
        "
_start: ssy  join
        andi t0, a0, 1
        beqz t0, even
        yield
        yield
        sync join
even:   addi s3, s3, 1
        sync join
join:   addi s4, s4, 1
        exit
",
    );
    let joins = run.masks_at("join");
    assert_eq!(
        joins.iter().fold(0, |all, mask| all ^ mask),
        0b1111,
        "each thread once: {joins:x?}"
    );
}

#[test]
fn recursion_deeper_than_the_deque_drops_pushes_and_still_returns() {
    let source = "
_start: addi s0, a0, 20     # depth, different for each thread
        mv   s1, sp
        pcal back
        jal  ra, down
back:   addi s5, s5, 1
        exit
down:   addi sp, sp, -4
        sw   ra, 0(sp)
        addi s0, s0, -1
        bltz s0, up
        pbk  up             # never met; keeps the next push from being redundant
        pcal up
        jal  ra, down
up:     lw   ra, 0(sp)
        addi sp, sp, 4
        addi s2, s2, 1
        wret ra
";
    under_all_policies(source, &small());
    let run = run_as_alone(
        source,
        &Config {
            yield_every: 0,
            ..small()
        },
    );
    assert!(run.machine.stats().total.dropped_pushes > 20);
    assert_eq!(run.register(18), [21, 22, 23, 24]);
    // Returns without a token of their own use up the outer ones, and then take the threads out of the caller's: advice
    // is lost, threads are not.
    let back = run.masks_at("back");
    assert_eq!(
        back.iter().sum::<u64>(),
        0b1111,
        "each thread once: {back:x?}"
    );
}

#[test]
fn every_group_runs_again_within_w_minus_1_yields() {
    let program = assembled(
        "
_start: beqz a0, a
        addi t0, a0, -1
        beqz t0, b
        addi t0, a0, -2
        beqz t0, c
d:      j d
c:      j c
b:      j b
a:      j a
",
    );
    let config = Config {
        yield_every: 0,
        forced_yield: 3,
        ..small()
    };
    let mut machine = Machine::new(&program, &config).unwrap();
    let mut last_ran = [0u64; 4];
    let mut yields = 0;
    for _ in 0..4000 {
        let record = machine.step(0).unwrap();
        yields += u64::from(record.event == Event::ForcedYield);
        for (lane, last) in last_ran.iter_mut().enumerate() {
            if record.mask >> lane & 1 != 0 {
                assert!(
                    yields - *last <= 4,
                    "lane {lane} waited from yield {last} to {yields}"
                );
                *last = yields;
            }
        }
    }
    assert!(yields > 900 && last_ran.iter().all(|last| yields - last <= 4));
}

#[test]
fn the_schedule_of_warps_does_not_matter() {
    let source = "
_start: csrr s0, wtid
        andi s1, s0, 3
loop:   pcnt next
        beqz s1, skip
        addi s2, s2, 1
skip:   cont next
next:   addi s1, s1, -1
        bgez s1, loop
        exit
";
    let config = Config {
        warps: 3,
        ..small()
    };
    let in_turn = run_as_alone(source, &config);
    let mut backwards = Machine::new(&assembled(source), &config).unwrap();
    let mut records = Vec::new();
    for warp in (0..3).rev() {
        while backwards.is_runnable(warp) {
            records.push(backwards.step(warp).unwrap());
        }
    }
    records.sort_by_key(|r| r.warp);
    let mut expected = in_turn.records;
    expected.sort_by_key(|r| r.warp);
    assert_eq!(records, expected);
}
