//! The known traps of token-based convergence, as small programs. Each is run with several yield policies and has to agree
//! with the oracle; then the point of the trap is looked at.

mod common;

use common::{assembled, run, run_as_alone, small, Run};
use weft_sim::{Config, Event, Machine, Outcome, Record, YIELD};

const CONTINUE: u8 = 2;

/// Runs with policies from "never yields" to "yields after every backward transfer"; gives back the first.
fn under_all_policies(source: &str) -> Run {
    for (yield_every, forced_yield) in [(1, 0), (2, 3), (0, 1), (1, 1), (0, 1024)] {
        run_as_alone(
            source,
            &Config {
                yield_every,
                forced_yield,
                ..small()
            },
        );
    }
    run_as_alone(
        source,
        &Config {
            yield_every: 0,
            forced_yield: 0,
            ..small()
        },
    )
}

#[test]
fn a_break_crosses_live_sync_and_continue_tokens() {
    let run = under_all_policies(
        "
_start: li   s0, 3
        andi s1, a0, 1
        pbk  done
loop:   pcnt next
        ssy  join
        beqz s1, even
        addi s2, s2, 1
        brk  done           # out of the loop, from inside both regions
even:   addi s3, s3, 1
        sync join
join:   addi s4, s4, 1
        cont next
next:   addi s0, s0, -1
        bnez s0, loop
        brk  done
done:   addi s5, s5, 1
        exit
",
    );
    assert_eq!(run.masks_at("done"), [0b1111], "all meet at the loop's end");
    assert_eq!(
        run.masks_at("join"),
        [0b0101; 3],
        "the threads that broke out are not waited for"
    );
}

#[test]
fn a_continue_crosses_a_live_sync_token() {
    let run = under_all_policies(
        "
_start: li   s0, 4
        mv   s1, a0
loop:   pcnt next
        ssy  join
        andi t0, s1, 1
        addi s1, s1, 1
        cont.nez t0, next   # skips the rest of the body
        addi s2, s2, 1
        sync join
join:   addi s3, s3, 1
        cont next
next:   addi s0, s0, -1
        bnez s0, loop
        exit
",
    );
    assert_eq!(run.masks_at("next"), [0b1111; 4]);
    assert_eq!(run.masks_at("join"), [0b0101, 0b1010, 0b0101, 0b1010]);
}

#[test]
fn a_return_crosses_all_tokens_of_its_function() {
    let run = under_all_policies(
        "
_start: pcal back
        jal  ra, function
back:   addi s5, s5, 1
        exit
function:
        pbk  out
        pcnt again
again:  ssy  join
        andi t0, a0, 1
        beqz t0, even
        addi s2, s2, 1
        wret ra             # from inside three regions
even:   sync join
join:   addi s3, s3, 1
        brk  out
out:    addi s4, s4, 1
        wret ra
",
    );
    assert_eq!(run.masks_at("back"), [0b1111]);
    assert_eq!(run.masks_at("out"), [0b0101]);
}

#[test]
fn a_function_whose_paths_meet_only_at_the_return_converges_in_the_caller() {
    let run = under_all_policies(
        "
_start: pcal back
        jal  ra, function
back:   addi s5, s5, 1
        exit
function:
        beqz a0, zero
        andi t0, a0, 1
        bnez t0, odd
        addi s2, s2, 1
        wret ra
odd:    addi s3, s3, 1
        wret ra
zero:   addi s4, s4, 1
        wret ra
",
    );
    assert_eq!(run.masks_at("back"), [0b1111]);
}

#[test]
fn a_predicated_sync_that_selects_nobody_does_not_unwind() {
    let run = under_all_policies(
        "
_start: ssy  join
        ssy  inner
        andi t0, a0, 1
        beqz t0, even
here:   sync.nez x0, join
        addi s2, s2, 1
        sync join
even:   addi s3, s3, 1
        sync join
inner:  addi s6, s6, 1
join:   addi s4, s4, 1
        exit
",
    );
    let here = run.label("here");
    let record = run.records.iter().find(|r| r.pc == here).unwrap();
    assert_eq!(
        (record.event, record.next_pc, record.next_mask),
        (Event::Leave, here + 1, record.mask)
    );
    assert_eq!(run.masks_at("join"), [0b1111]);
}

#[test]
fn threads_that_exit_above_live_tokens_are_not_waited_for() {
    let run = under_all_policies(
        "
_start: pbk  done
        ssy  join
        andi t0, a0, 1
        beqz t0, even
        exit
even:   addi s3, s3, 1
        sync join
join:   addi s4, s4, 1
        brk  done
done:   addi s5, s5, 1
        exit
",
    );
    assert_eq!(run.masks_at("done"), [0b0101]);
}

#[test]
fn tokens_that_are_left_over_end_with_the_warp() {
    let run = under_all_policies(
        "
_start: ssy  a
        pbk  b
        pcnt c
        andi t0, a0, 1
        beqz t0, even
        exit
even:   ecall
a:      nop
b:      nop
c:      exit
",
    );
    let last = run.records.last().unwrap();
    assert_eq!(
        (last.done, last.depth, last.front, last.next_mask),
        (true, 0, None, 0)
    );
}

#[test]
fn a_continue_token_may_name_the_loop_header_itself() {
    let run = under_all_policies(
        "
_start: addi s0, a0, 1
loop:   pcnt loop           # the header is its own convergence point
        addi s1, s1, 1
        addi s0, s0, -1
        andi t0, s1, 1
        beqz t0, two
        addi s2, s2, 1
two:    cont.nez s0, loop
        exit
",
    );
    assert!(
        run.machine.stats().total.deepest_deque <= 4,
        "one token per iteration would leak"
    );
    assert_eq!(run.masks_at("loop"), [0b1111, 0b1110, 0b1100, 0b1000]);
    assert_eq!(
        run.machine.stats().total.pushes,
        4,
        "a met token is gone, so the next pass pushes it anew"
    );
}

const LOCK_BODY: &str = "
        la   s0, lock
        li   s1, 1
        ssy  acquired
try:    amoswap.w t0, s1, (s0)
        YIELD
        bnez t0, try
        sync acquired
acquired:
        lw   t1, 4(s0)      # the critical section lies after the convergence point
        addi t1, t1, 1
        sw   t1, 4(s0)
        amoswap.w x0, x0, (s0)
        exit
        .data
lock:   .word 0
count:  .word 0
";

fn spin_lock(with_yield: bool) -> String {
    let body = LOCK_BODY.replace("YIELD", if with_yield { "yield" } else { "nop" });
    format!("        .globl _start\n        .text\n_start:{body}")
}

#[test]
fn a_spin_lock_whose_section_follows_its_sync_livelocks_without_yield() {
    let run = run(
        &spin_lock(true),
        &Config {
            yield_every: 0,
            forced_yield: 0,
            ..small()
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
        for threads in [4, 32] {
            let config = Config {
                threads,
                warps: 2,
                yield_every,
                forced_yield,
                ..small()
            };
            let run = run(&spin_lock(with_yield), &config);
            assert_eq!(run.outcome, Outcome::Done, "{config:?}");
            assert_eq!(run.word("count"), 2 * threads as u32);
            let missed =
                |r: &&Record| r.event == Event::Leave && r.front.is_none_or(|t| t.kind == YIELD);
            assert!(
                run.records.iter().filter(missed).count() > 0,
                "a SYNC whose token is gone is a plain branch"
            );
        }
    }
}

#[test]
fn an_inner_loop_does_not_steal_the_parked_threads_of_the_outer_loop() {
    let run = under_all_policies(
        "
_start: li   s0, 3
outer:  pcnt outer_next
        andi t0, a0, 1
        cont.nez t0, outer_next     # odd threads park for the outer loop
        addi s1, a0, 1
inner:  pcnt inner_next
        addi s2, s2, 1
        cont inner_next
inner_next:
        addi s1, s1, -1
        bnez s1, inner
        cont outer_next
outer_next:
        addi s0, s0, -1
        bnez s0, outer
        exit
",
    );
    assert_eq!(
        run.masks_at("outer_next"),
        [0b1111; 3],
        "parked threads wait for the whole inner loop"
    );
    assert!(run
        .masks_at("inner_next")
        .iter()
        .all(|mask| mask & 0b1010 == 0));
    let parked = run
        .records
        .iter()
        .filter(|r| r.front.is_some_and(|t| t.kind == CONTINUE))
        .count();
    assert!(parked > 0);
}

#[test]
fn groups_that_yield_at_the_same_place_go_on_together() {
    let run = under_all_policies_of_yield(
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

fn under_all_policies_of_yield(source: &str) -> Run {
    under_all_policies(source);
    run_as_alone(source, &small())
}

#[test]
fn threads_that_yielded_out_of_a_region_find_its_token_gone_and_go_on() {
    let run = under_all_policies_of_yield(
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
    let run = under_all_policies(
        "
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
",
    );
    assert!(run.machine.stats().total.dropped_pushes > 20);
    assert_eq!(run.register(18), [21, 22, 23, 24]);
    // Returns without a token of their own use up the outer ones, and then take the threads out of the caller's: advice is
    // lost, threads are not.
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
