//! `docs/spec/convergence.md`, requirement by requirement, on one warp without a datapath.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use weft_sim::convergence::{Exception, Operation, Warp, PC_MASK};
use weft_sim::policy::Policy;
use weft_sim::{Event, Mutation, PathPolicy, Reached, Record, Token, BARRIER, DIV, EXIT, YIELD};

const SYNC: u8 = 0;
const BREAK: u8 = 1;
const CONTINUE: u8 = 2;
const CALL: u8 = 3;

/// W = 4, N = 8, all threads active at pc 100; every YIELD fires, no forced yields.
fn warp() -> Warp {
    warp_with(1, 0)
}

fn warp_with(yield_every: u16, forced_yield: u16) -> Warp {
    let policy = Policy {
        yield_every,
        forced_yield,
        ..Policy::default()
    };
    warp_of(8, policy)
}

/// W = 4, all threads active at pc 100.
fn warp_of(tokens: usize, policy: Policy) -> Warp {
    Warp::launch(0, 4, tokens, policy, 100, 0b1111).unwrap()
}

/// Every YIELD fires.
fn yielding(tokens: usize) -> Warp {
    let policy = Policy {
        yield_every: 1,
        ..Policy::default()
    };
    warp_of(tokens, policy)
}

fn branch(selected: u64, target: u32) -> Operation {
    Operation::Branch { selected, target }
}
fn push(kind: u8, address: u32) -> Operation {
    Operation::Push { kind, address }
}
fn leave(kind: u8, selected: u64, target: u32) -> Operation {
    Operation::Leave {
        kind,
        selected,
        target,
    }
}
fn exit(selected: u64) -> Operation {
    Operation::Exit { selected }
}
fn sleep(selected: u64) -> Operation {
    Operation::Sleep { selected }
}
fn retry(selected: u64) -> Operation {
    Operation::Retry { selected }
}
fn call(selected: u64, target: u32) -> Operation {
    Operation::Call { selected, target }
}
fn back(selected: u64, target: u32) -> Operation {
    Operation::LeaveIndirect {
        kind: CALL,
        selected,
        target,
    }
}

/// Each departure makes something else retire, or counts other recenterings, on the same operations.
fn assert_noticed(warp: &Warp, script: &[Operation], mutations: &[Mutation]) {
    let run = |mut w: Warp| {
        let step = |operation: &Operation| {
            let record = w.apply(*operation);
            (record, w.counters().recentered)
        };
        script.iter().map(step).collect::<Vec<_>>()
    };
    for &mutation in mutations {
        assert_ne!(
            run(warp.clone().with_mutation(mutation)),
            run(warp.clone()),
            "{mutation:?}"
        );
    }
}

trait Drive {
    fn go(&mut self, operation: Operation) -> Record;
    fn run(&mut self, script: &[Operation]);
    /// (type, mask, address) of every token, front to back.
    fn tokens(&self) -> Vec<(u8, u64, u32)>;
    fn at(&self) -> (u32, u64);
}

impl Drive for Warp {
    fn go(&mut self, operation: Operation) -> Record {
        self.apply(operation).expect("a legal operation")
    }
    fn run(&mut self, script: &[Operation]) {
        for operation in script {
            self.go(*operation);
        }
    }
    fn tokens(&self) -> Vec<(u8, u64, u32)> {
        self.deque()
            .iter()
            .map(|t| (t.kind, t.mask, t.address))
            .collect()
    }
    fn at(&self) -> (u32, u64) {
        (self.pc(), self.active())
    }
}

// CONV-010

#[test]
fn conv_010_the_smaller_group_runs_first_and_the_other_waits_behind_a_div_token() {
    let mut w = warp();
    w.go(branch(0b0001, 50));
    assert_eq!(
        (w.at(), w.tokens()),
        ((50, 0b0001), vec![(DIV, 0b1110, 101)])
    );
    assert_eq!(w.waiting_for(DIV), 0b1110);
    let mut w = warp();
    w.go(branch(0b1101, 50));
    assert_eq!(
        (w.at(), w.tokens()),
        ((101, 0b0010), vec![(DIV, 0b1101, 50)])
    );
}

#[test]
fn conv_010_on_a_tie_the_taken_group_runs_first() {
    let mut w = warp();
    w.go(branch(0b1010, 50));
    assert_eq!(
        (w.at(), w.tokens()),
        ((50, 0b1010), vec![(DIV, 0b0101, 101)])
    );
}

#[test]
fn conv_011_the_path_policy_says_who_runs_first() {
    let after = |path, selected| {
        let policy = Policy {
            path,
            ..Policy::default()
        };
        let mut w = warp_of(8, policy);
        w.go(branch(selected, 50));
        (w.at(), w.tokens())
    };
    let taken = |t: u64| ((50, t), vec![(DIV, 0b1111 & !t, 101)]);
    let fall = |t: u64| ((101, 0b1111 & !t), vec![(DIV, t, 50)]);
    for t in [0b0001, 0b0011, 0b0111] {
        assert_eq!(after(PathPolicy::TakenFirst, t), taken(t));
        assert_eq!(after(PathPolicy::FallThroughFirst, t), fall(t));
    }
    assert_eq!(after(PathPolicy::SmallerFirst, 0b0011), taken(0b0011));
    assert_eq!(after(PathPolicy::SmallerFirst, 0b0111), fall(0b0111));
}

#[test]
fn conv_010_a_branch_to_the_next_instruction_is_uniform() {
    let mut w = warp();
    w.go(branch(0b1010, 101));
    assert_eq!((w.at(), w.tokens()), ((101, 0b1111), vec![]));
    assert_eq!(w.counters().divergences, 0);
}

// CONV-020 to CONV-022

#[test]
fn conv_020_next_adds_one_and_wraps_at_22_bits() {
    let mut w = warp();
    let record = w.go(Operation::Next);
    assert_eq!(w.at(), (101, 0b1111));
    assert_eq!(
        (record.event, record.pc, record.next_pc),
        (Event::Next, 100, 101)
    );
    w.go(branch(0b1111, PC_MASK));
    w.go(Operation::Next);
    assert_eq!(w.pc(), 0);
}

#[test]
fn conv_021_only_active_selected_threads_take_a_branch() {
    let mut w = warp();
    w.go(branch(0, 50));
    assert_eq!(w.at(), (101, 0b1111));
    w.go(branch(0b0001, 60));
    w.go(branch(0b1110, 70));
    assert_eq!(w.at(), (61, 0b0001), "the selected threads are all off");
    w.go(branch(0b1111, 70));
    assert_eq!(
        (w.at(), w.tokens()),
        ((70, 0b0001), vec![(DIV, 0b1110, 102)])
    );
}

#[test]
fn conv_022_the_threads_outside_the_leaders_group_run_the_jump_again() {
    let mut w = warp();
    w.go(Operation::Indirect {
        selected: 0b0011,
        target: 50,
    });
    assert_eq!(
        (w.at(), w.tokens()),
        ((50, 0b0011), vec![(DIV, 0b1100, 100)])
    );
    let mut w = warp();
    w.go(Operation::Indirect {
        selected: 0b0111,
        target: 50,
    });
    assert_eq!(
        (w.at(), w.tokens()),
        ((100, 0b1000), vec![(DIV, 0b0111, 50)])
    );
}

#[test]
fn conv_022_threads_that_jump_to_where_they_stand_part_from_the_others() {
    let script = [Operation::Indirect {
        selected: 0b0011,
        target: 100,
    }];
    let mut w = warp();
    w.go(script[0]);
    assert_eq!(
        (w.at(), w.tokens()),
        ((100, 0b0011), vec![(DIV, 0b1100, 100)])
    );
    assert_noticed(&warp(), &script, &[Mutation::JumpToItselfKeepsTogether]);
}

// CONV-030 and CONV-031

#[test]
fn conv_030_a_push_enters_at_the_front() {
    let mut w = warp();
    w.go(push(SYNC, 50));
    let record = w.go(push(BREAK, 60));
    assert_eq!(
        (w.at(), w.tokens()),
        ((102, 0b1111), vec![(BREAK, 0b1111, 60), (SYNC, 0b1111, 50)])
    );
    assert_eq!(
        record.front,
        Some(Token {
            kind: BREAK,
            mask: 0b1111,
            address: 60,
            below: 1
        })
    );
    assert_eq!((record.depth, record.dropped), (2, false));
}

#[test]
fn conv_030_a_push_that_the_front_token_covers_is_redundant() {
    let mut w = warp();
    w.go(push(SYNC, 50));
    w.go(push(SYNC, 50));
    assert_eq!(w.tokens(), [(SYNC, 0b1111, 50)]);
    w.go(push(SYNC, 51));
    w.go(push(BREAK, 51));
    assert_eq!(w.deque().depth(), 3, "another address, another type");
    assert_eq!((w.counters().pushes, w.counters().redundant_pushes), (4, 1));
}

#[test]
fn conv_030_a_front_token_that_names_more_threads_covers_too() {
    let mut w = warp();
    w.go(push(SYNC, 50));
    w.go(leave(SYNC, 0b0001, 50)); // thread 0 waits
    w.go(push(SYNC, 50));
    assert_eq!(w.tokens(), [(SYNC, 0b1111, 50)]);
}

#[test]
fn conv_030_a_front_token_that_names_fewer_threads_does_not_cover() {
    let mut w = warp();
    w.go(push(SYNC, 50));
    w.go(leave(SYNC, 0b0001, 102)); // only to the next instruction, but thread 0 has left 50
    assert_eq!(
        (w.at(), w.tokens()),
        ((102, 0b1111), vec![(SYNC, 0b1110, 50)])
    );
    w.go(push(SYNC, 50));
    assert_eq!(w.tokens(), [(SYNC, 0b1111, 50), (SYNC, 0b1110, 50)]);
}

#[test]
fn conv_030_a_push_that_would_leave_fewer_than_w_free_entries_is_dropped_and_counted() {
    let mut w = warp();
    for n in 0..4 {
        assert!(!w.go(push(SYNC, 50 + n)).dropped);
    }
    let record = w.go(push(SYNC, 60));
    assert!(record.dropped);
    assert_eq!(
        (record.depth, record.next_pc, w.counters().dropped_pushes),
        (4, 105, 1)
    );
    assert!(!w.go(push(SYNC, 53)).dropped, "redundant comes first");
}

#[test]
fn conv_031_below_bits_tell_what_lies_below() {
    let mut w = warp();
    let below = |w: &Warp| w.deque().front().map(|t| t.below);
    w.go(push(SYNC, 50));
    assert_eq!(below(&w), Some(0b0000));
    w.go(push(CALL, 51));
    assert_eq!(below(&w), Some(0b0001));
    w.go(branch(0b0001, 60));
    assert_eq!(below(&w), Some(0b0101));
    w.go(push(BREAK, 52));
    assert_eq!(below(&w), Some(0b0111));
    assert_eq!(w.deque().iter().last().unwrap().below, 0);
}

#[test]
fn conv_031_a_token_at_the_back_has_no_bits_and_changes_none() {
    let mut w = warp();
    w.go(branch(0b0001, 50));
    w.go(branch(0b0001, 50));
    w.go(push(BREAK, 70));
    w.go(Operation::Yield);
    assert_eq!(
        w.at(),
        (101, 0b1110),
        "the BREAK token names nobody who waits"
    );
    w.go(branch(0b0010, 60));
    assert_eq!(
        w.deque().front().unwrap().below,
        0b1000,
        "bit 3 of a token that came later"
    );
    w.go(Operation::Yield);
    let bits: Vec<(u8, u8)> = w.deque().iter().map(|t| (t.kind, t.below)).collect();
    assert_eq!(
        bits,
        [(YIELD, 0), (YIELD, 0)],
        "bit 3 of a YIELD token stays 0 though another one lies below"
    );
}

// CONV-035

#[test]
fn conv_035_a_call_pushes_a_token_for_the_return_address_and_goes_to_its_target() {
    let mut w = warp();
    let record = w.go(call(0b1111, 50));
    assert_eq!(
        (w.at(), w.tokens()),
        ((50, 0b1111), vec![(CALL, 0b1111, 101)])
    );
    assert_eq!(
        (record.event, record.pc, record.depth, record.dropped),
        (Event::Call, 100, 1, false)
    );
    assert_eq!((record.event.code(), record.event.name()), (10, "CALL"));
    w.go(branch(0b0001, 60));
    w.go(back(0b0001, 101));
    w.go(back(0b1110, 101));
    assert_eq!(
        (w.at(), w.tokens()),
        ((101, 0b1111), vec![]),
        "the paths meet behind the call"
    );
}

#[test]
fn conv_035_threads_that_call_another_function_meet_the_others_at_the_one_token() {
    let script = [
        call(0b0011, 50),
        back(0b0011, 101),
        call(0b1100, 60),
        back(0b1100, 101),
    ];
    let mut w = warp();
    w.go(script[0]);
    let first = (CALL, 0b1111, 101);
    assert_eq!(
        (w.at(), w.tokens()),
        ((50, 0b0011), vec![(DIV, 0b1100, 100), first])
    );
    w.go(script[1]);
    assert_eq!(
        (w.at(), w.tokens()),
        ((100, 0b1100), vec![first]),
        "the others run the call again"
    );
    w.go(script[2]);
    assert_eq!(
        (w.at(), w.tokens()),
        ((60, 0b1100), vec![first]),
        "a redundant push"
    );
    w.go(script[3]);
    assert_eq!((w.at(), w.tokens()), ((101, 0b1111), vec![]));
    assert_eq!((w.counters().pushes, w.counters().redundant_pushes), (2, 1));
    let departures = [
        Mutation::CallPushesForLeaderOnly,
        Mutation::CallFallsThrough,
        Mutation::KeepRedundantPushes,
    ];
    assert_noticed(&warp(), &script, &departures);
}

#[test]
fn conv_035_the_called_group_runs_first_even_if_it_is_the_larger_one() {
    let script = [call(0b0111, 50)];
    let mut w = warp();
    w.go(script[0]);
    assert_eq!(
        (w.at(), w.tokens()),
        ((50, 0b0111), vec![(DIV, 0b1000, 100), (CALL, 0b1111, 101)])
    );
    assert_noticed(&warp(), &script, &[Mutation::CallObeysPath]);
}

#[test]
fn conv_035_a_call_without_room_is_dropped_and_jumps_all_the_same() {
    let mut w = warp();
    w.run(&[
        push(SYNC, 50),
        push(SYNC, 51),
        push(SYNC, 52),
        push(SYNC, 53),
    ]);
    let script = [call(0b0111, 70), branch(0b0111, 71)];
    assert_noticed(&w, &script, &[Mutation::DropLate]);
    let record = w.go(script[0]);
    assert!(record.dropped);
    assert_eq!((w.at(), w.tokens()[0]), ((70, 0b0111), (DIV, 0b1000, 104)));
    assert_eq!(w.counters().dropped_pushes, 1);
    w.go(script[1]);
    assert_eq!(w.at(), (71, 0b0111));
}

#[test]
fn conv_035_a_call_of_nobody_stays_and_leaves_its_token() {
    let mut w = warp();
    w.go(branch(0b0001, 50));
    w.go(call(0b1110, 60));
    assert_eq!(w.at(), (50, 0b0001));
    assert_eq!(w.tokens()[0], (CALL, 0b0001, 51));
}

#[test]
fn conv_035_the_return_address_wraps_at_22_bits() {
    let mut w = warp();
    w.run(&[branch(0b1111, PC_MASK), call(0b1111, 50)]);
    assert_eq!(w.tokens(), [(CALL, 0b1111, 0)]);
}

// CONV-040 to CONV-045

#[test]
fn conv_040_a_leave_without_selected_threads_does_not_unwind() {
    let mut w = warp();
    w.go(push(SYNC, 50));
    w.go(push(SYNC, 60));
    w.go(branch(0b0001, 70));
    let before = w.tokens();
    for selected in [0, 0b1110] {
        let record = w.go(leave(SYNC, selected, 50));
        assert_eq!(record.next_pc, record.pc + 1);
        assert_eq!((record.next_mask, w.tokens()), (0b0001, before.clone()));
    }
}

#[test]
fn conv_040_the_first_token_of_this_type_and_address_that_names_a_leaving_thread_is_found() {
    let mut w = warp();
    w.go(push(SYNC, 50)); // names all
    w.go(push(BREAK, 50)); // another type
    w.go(branch(0b0011, 70)); // DIV
    w.go(push(SYNC, 50)); // names 0 and 1
    w.go(push(SYNC, 60)); // another address
    w.go(leave(SYNC, 0b0001, 50));
    assert_eq!(w.waiting_for(SYNC), 0b0001);
    // Threads 2 and 3 are not named by the nearer token; they find the one at the back.
    w.go(leave(SYNC, 0b0010, 50));
    assert_eq!(w.at(), (50, 0b0011), "the nearer token wakes both");
    w.go(exit(0b0011));
    assert_eq!(w.at(), (103, 0b1100));
    w.go(leave(SYNC, 0b0100, 50));
    assert_eq!(w.tokens(), [(BREAK, 0b1111, 50), (SYNC, 0b1111, 50)]);
    assert_eq!(w.waiting_for(SYNC), 0b0100);
}

#[test]
fn conv_040_the_search_stops_before_the_yield_tokens() {
    let mut w = warp();
    w.go(branch(0b0001, 50));
    w.go(Operation::Yield);
    w.go(push(SYNC, 80));
    w.go(leave(SYNC, 0b0010, 70));
    assert_eq!((w.at(), w.tokens()[0].0), ((70, 0b0010), DIV));
    assert_eq!(w.tokens()[1..], [(SYNC, 0b1100, 80), (YIELD, 0b0001, 51)]);
}

#[test]
fn conv_041_passed_tokens_of_the_same_type_and_another_address_lose_the_leaving_threads() {
    let mut w = warp();
    w.go(push(SYNC, 50));
    w.go(push(SYNC, 60));
    w.go(push(BREAK, 60));
    w.go(push(SYNC, 70));
    w.go(leave(SYNC, 0b0011, 50));
    let expected = vec![
        (SYNC, 0b1100, 70),
        (BREAK, 0b1111, 60),
        (SYNC, 0b1100, 60),
        (SYNC, 0b1111, 50),
    ];
    assert_eq!(w.tokens(), expected);
}

#[test]
fn conv_041_holds_also_when_no_token_is_found() {
    let mut w = warp();
    w.go(push(SYNC, 60));
    w.go(push(SYNC, 70));
    w.go(leave(SYNC, 0b0001, 50));
    assert_eq!(w.at(), (50, 0b0001));
    assert_eq!(
        w.tokens(),
        [(DIV, 0b1110, 103), (SYNC, 0b1110, 70), (SYNC, 0b1110, 60)]
    );
}

#[test]
fn conv_041_tokens_behind_the_match_keep_their_masks() {
    let mut w = warp();
    w.go(push(SYNC, 60));
    w.go(push(SYNC, 50));
    w.go(leave(SYNC, 0b0001, 50));
    assert_eq!(w.tokens(), [(SYNC, 0b1111, 50), (SYNC, 0b1111, 60)]);
}

#[test]
fn conv_041_passed_tokens_lose_also_those_leaving_threads_that_are_not_caught() {
    let mut w = warp();
    w.go(push(SYNC, 50));
    w.go(leave(SYNC, 0b0001, 102)); // thread 0 is no longer named
    w.go(push(SYNC, 70));
    w.go(leave(SYNC, 0b0011, 50)); // catches 1, not 0; 2 and 3 stay
    assert_eq!(w.waiting_for(SYNC), 0b0010);
    assert_eq!(
        w.tokens(),
        [(DIV, 0b1100, 104), (SYNC, 0b1100, 70), (SYNC, 0b1110, 50)]
    );
}

#[test]
fn conv_042_only_named_threads_are_caught_and_the_token_stays() {
    let mut w = warp();
    w.go(branch(0b0011, 200));
    w.go(push(SYNC, 300)); // 0 and 1
    w.go(leave(SYNC, 0b0001, 300)); // 0 waits
    w.go(leave(SYNC, 0b0010, 300)); // 1 too: both wake at 300
    w.go(push(SYNC, 400));
    w.go(leave(SYNC, 0b0001, 400));
    assert_eq!(w.tokens()[0], (SYNC, 0b0011, 400));
    assert_eq!((w.waiting_for(SYNC), w.active()), (0b0001, 0b0010));
}

#[test]
fn conv_043_uncaught_threads_go_to_the_target_and_the_others_on() {
    let mut w = warp();
    w.go(push(SYNC, 50));
    w.go(leave(SYNC, 0b0011, 102));
    // Threads 0 and 1 are no longer named.
    let record = w.go(leave(SYNC, 0b0101, 50));
    assert_eq!(
        (w.waiting_for(SYNC), w.at()),
        (0b0100, (50, 0b0001)),
        "2 caught, 0 at the target first"
    );
    assert_eq!(w.tokens(), [(DIV, 0b1010, 103), (SYNC, 0b1100, 50)]);
    assert_eq!(
        (record.mask, record.next_mask, record.depth),
        (0b1111, 0b0001, 2)
    );
}

#[test]
fn conv_043_without_uncaught_threads_the_others_just_go_on() {
    let mut w = warp();
    w.go(push(SYNC, 50));
    w.go(leave(SYNC, 0b0110, 50));
    assert_eq!(
        (w.at(), w.tokens()),
        ((102, 0b1001), vec![(SYNC, 0b1111, 50)])
    );
}

#[test]
fn conv_043_when_nobody_is_left_the_warp_unwinds() {
    let mut w = warp();
    w.go(push(SYNC, 50));
    w.go(branch(0b0001, 60));
    let record = w.go(leave(SYNC, 0b1111, 50));
    assert_eq!(
        (record.next_pc, record.next_mask),
        (102, 0b1110),
        "the deferred group"
    );
    let record = w.go(leave(SYNC, 0b1111, 50));
    assert_eq!(
        (record.next_pc, record.next_mask, record.depth),
        (50, 0b1111, 0),
        "all converged"
    );
}

#[test]
fn conv_045_leave_indirect_falls_back_to_itself() {
    let mut w = warp();
    w.go(push(CALL, 50));
    w.go(Operation::LeaveIndirect {
        kind: CALL,
        selected: 0b0111,
        target: 50,
    });
    assert_eq!(
        (w.at(), w.waiting_for(CALL)),
        ((101, 0b1000), 0b0111),
        "thread 3 runs the same instruction again"
    );
    let record = w.go(Operation::LeaveIndirect {
        kind: CALL,
        selected: 0b1000,
        target: 60,
    });
    assert_eq!(
        (record.event, w.at()),
        (Event::LeaveIndirect, (60, 0b1000)),
        "no token: a plain jump"
    );
    w.go(exit(0b1111));
    assert_eq!(w.at(), (50, 0b0111));
}

// CONV-050 to CONV-055

#[test]
fn conv_050_every_nth_yield_fires() {
    let mut w = warp_with(3, 0);
    w.go(branch(0b0001, 50));
    let fired = |w: &Warp| w.counters().yields_fired;
    for expected in [0, 0, 1, 1, 1, 2] {
        w.go(Operation::Yield);
        assert_eq!(fired(&w), expected);
    }
}

#[test]
fn conv_050_with_an_empty_deque_yield_counts_but_does_not_fire_and_resets_nothing() {
    let mut w = warp_with(3, 0);
    for _ in 0..4 {
        w.go(Operation::Yield);
    }
    assert_eq!((w.at(), w.counters().yields_fired), ((104, 0b1111), 0));
    w.go(branch(0b0001, 50));
    w.go(Operation::Yield);
    assert_eq!(
        w.counters().yields_fired,
        1,
        "the counter had passed 3 already"
    );
}

#[test]
fn conv_050_policy_zero_never_yields() {
    let mut w = warp_with(0, 0);
    w.go(branch(0b0001, 50));
    for n in 1..100_000 {
        w.go(Operation::Yield);
        assert_eq!(w.at(), (50 + n, 0b0001));
    }
}

#[test]
fn conv_050_the_counter_saturates_instead_of_wrapping() {
    let mut w = warp_with(u16::MAX, 0);
    for _ in 0..70_000 {
        w.go(Operation::Yield);
    }
    w.go(branch(0b0001, 50));
    w.go(Operation::Yield);
    assert_eq!(w.counters().yields_fired, 1);
}

#[test]
fn conv_051_a_fired_yield_goes_to_the_back() {
    let mut w = warp();
    w.go(push(BREAK, 90));
    w.go(branch(0b0001, 50));
    let record = w.go(Operation::Yield);
    assert_eq!(
        (record.event, record.next_pc, record.next_mask),
        (Event::Yield, 102, 0b1110)
    );
    assert_eq!(w.tokens(), [(BREAK, 0b1111, 90), (YIELD, 0b0001, 51)]);
    assert_eq!(w.waiting_for(YIELD), 0b0001);
}

#[test]
fn conv_051_a_yield_with_the_same_resume_address_merges() {
    let mut w = warp();
    w.go(branch(0b0001, 50)); // 0 at 50, 1..3 at 101
    w.go(Operation::Yield); // 0 resumes at 51
    w.go(branch(0b0010, 60)); // 1 at 60, 2 and 3 at 102
    w.go(Operation::Yield); // 1 resumes at 61
    w.go(branch(0b1100, 50));
    w.go(Operation::Yield); // 2 and 3 join thread 0, past the nearer token
    assert_eq!(
        (w.at(), w.tokens()),
        ((51, 0b1101), vec![(YIELD, 0b0010, 61)])
    );
}

#[test]
fn conv_051_the_scan_for_a_merge_ends_at_the_first_other_token() {
    let mut w = warp();
    w.go(branch(0b0001, 51)); // DIV 1110 at 101
    w.go(branch(0b0001, 100));
    w.go(Operation::Yield); // would resume at 101, where the DIV token goes too: no merge
    assert_eq!(
        (w.at(), w.tokens()),
        ((101, 0b1110), vec![(YIELD, 0b0001, 101)])
    );
}

#[test]
fn conv_055_backward_transfers_of_every_kind_count_caught_or_not() {
    let transfers: [fn(u32) -> Operation; 5] = [
        |pc| branch(0b0001, pc),
        |pc| call(0b0001, pc),
        |pc| Operation::Indirect {
            selected: 0b0001,
            target: pc - 1,
        },
        |pc| leave(SYNC, 0b0001, pc),
        |pc| Operation::LeaveIndirect {
            kind: CALL,
            selected: 0b0001,
            target: pc,
        },
    ];
    for transfer in transfers {
        let mut w = warp_with(0, 3);
        w.go(branch(0b0001, 200)); // forward
        for n in 0..3 {
            assert!(!w.forced_yield_due(), "after {n}");
            let operation = transfer(w.pc());
            w.go(operation);
        }
        assert!(w.forced_yield_due());
    }
    let mut calls = warp_with(0, 1).with_mutation(Mutation::CallsAreNotCounted);
    calls.go(call(0b1111, 50));
    assert!(!calls.forced_yield_due());
    let mut caught = warp_with(0, 1);
    caught.go(push(SYNC, 50));
    caught.go(leave(SYNC, 0b0001, 50));
    assert_eq!(caught.waiting_for(SYNC), 0b0001);
    assert!(caught.forced_yield_due());
}

#[test]
fn conv_055_forward_transfers_and_those_of_nobody_do_not_count() {
    let mut w = warp_with(0, 1);
    w.go(branch(0b0001, 200));
    w.go(branch(0b0001, 201));
    w.go(branch(0b1110, 100));
    w.go(leave(SYNC, 0, 100));
    w.go(push(SYNC, 100));
    w.go(Operation::Next);
    assert!(!w.forced_yield_due());
    let here = w.pc();
    w.go(branch(0b0001, here));
    assert!(w.forced_yield_due(), "a jump to itself is backward");
}

#[test]
fn conv_055_a_forced_yield_resumes_at_the_new_pc_and_is_an_event_of_its_own() {
    let mut w = warp_with(0, 1);
    w.go(branch(0b0001, 50));
    assert!(w.forced_yield_due());
    let record = w.forced_yield().unwrap();
    assert_eq!(
        (record.event, record.pc, record.mask),
        (Event::ForcedYield, 50, 0b0001)
    );
    assert_eq!((record.next_pc, record.next_mask), (101, 0b1110));
    assert_eq!(w.tokens(), [(YIELD, 0b0001, 50)]);
    assert!(!w.forced_yield_due());
    assert_eq!(w.counters().forced_yields, 1);
}

#[test]
fn conv_055_a_lone_group_is_never_forced_to_yield_but_keeps_its_count() {
    let mut w = warp_with(0, 2);
    for _ in 0..5 {
        w.go(branch(0b1111, 50));
    }
    assert!(!w.forced_yield_due());
    w.go(push(SYNC, 90));
    assert!(
        w.forced_yield_due(),
        "after any operation, as soon as there is a token"
    );
}

/// Two backward transfers and two tokens popped, by threads that part and meet again; a token for all stays below.
fn meet_again(w: &mut Warp) {
    w.go(push(SYNC, 90));
    w.go(branch(0b0001, 50)); // counts; DIV 1110
    w.go(leave(SYNC, 0b0001, 90)); // forward; pops DIV
    w.go(leave(SYNC, 0b1110, 90)); // counts; pops SYNC
}

#[test]
fn conv_055_a_popped_token_ends_a_standstill_and_no_more() {
    let mut w = warp_with(0, 2);
    w.go(push(BREAK, 200));
    for round in 1..=3 {
        meet_again(&mut w);
        let registers = *w.registers();
        assert_eq!((registers.transfers, registers.standstill), (2 * round, 0));
        assert!(!w.forced_yield_due());
    }
    w.go(branch(0b1111, 80));
    w.go(branch(0b1111, 80));
    assert_eq!(w.reached(), Some(Reached::Standstill));
    w.forced_yield().unwrap();
    let registers = *w.registers();
    assert_eq!((registers.transfers, registers.standstill), (0, 0));
}

#[test]
fn conv_055_64_times_as_many_transfers_force_a_yield_whatever_is_popped() {
    let rounds = |forced_yield, mutation: Option<Mutation>| {
        let mut w = warp_with(0, forced_yield);
        if let Some(mutation) = mutation {
            w = w.with_mutation(mutation);
        }
        w.go(push(BREAK, 200));
        let due = (1..40_000).find(|_| {
            meet_again(&mut w);
            w.forced_yield_due()
        });
        (due, w.reached())
    };
    let transfers = Some(Reached::Transfers);
    for (limit, expected) in [
        (2, 64),
        (3, 96),
        (16, 512),
        (1024, 32_768),
        (60_000, 32_768),
    ] {
        assert_eq!(rounds(limit, None), (Some(expected), transfers), "{limit}");
    }
    let standstill = Some(Reached::Standstill);
    let noticed = |mutation| rounds(2, Some(mutation));
    assert_eq!(
        noticed(Mutation::PoppedTokensStandStill),
        (Some(1), standstill)
    );
    assert_eq!(noticed(Mutation::OnlyStandstillForces), (None, None));
    assert_eq!(noticed(Mutation::UnwindResetsForced), (None, None));
}

#[test]
fn conv_055_a_subv_token_that_stays_does_not_end_a_standstill() {
    let mut w = warp_of(
        8,
        Policy {
            forced_yield: 3,
            lanes: 1,
            ..Policy::default()
        },
    );
    w.go(Operation::SubVector { target: 200 });
    w.go(branch(0b0001, 101));
    for (thread, standstill) in [(0b0001, 1), (0b0010, 1), (0b0100, 0)] {
        assert_eq!(w.registers().standstill, 1);
        w.go(leave(SYNC, thread, 200));
        assert_eq!(w.registers().standstill, standstill, "{thread:#b}");
    }
}

#[test]
fn conv_055_a_write_of_transfers_ends_a_standstill() {
    let mut w = warp_with(0, 2);
    w.go(branch(0b0001, 50));
    w.registers_mut().set_transfers(127);
    assert_eq!((w.registers().standstill, w.reached()), (0, None));
    w.go(branch(0b0001, 50));
    assert_eq!(w.reached(), Some(Reached::Transfers));
}

#[test]
fn conv_055_a_fired_yield_sets_the_counters_to_0() {
    let mut w = warp_with(1, 2);
    w.go(branch(0b0001, 50));
    w.go(Operation::Yield);
    w.go(branch(0b0010, 60));
    assert_eq!(w.registers().transfers, 1);
    assert!(!w.forced_yield_due());
}

#[test]
fn conv_055_a_forced_yield_does_not_touch_the_yield_counter() {
    let mut w = warp_with(2, 1);
    w.go(Operation::Yield); // 1
    w.go(branch(0b0001, 50));
    w.forced_yield().unwrap();
    w.go(branch(0b0010, 105));
    w.go(Operation::Yield); // 2: fires
    assert_eq!(w.counters().yields_fired, 1);
}

#[test]
fn conv_056_threads_that_have_to_run_a_jump_again_are_not_sent_away_before() {
    let mut w = warp_with(0, 1);
    w.go(Operation::Indirect {
        selected: 0b0111,
        target: 50,
    });
    assert_eq!(w.at(), (100, 0b1000), "the smaller group runs first");
    assert!(!w.forced_yield_due());
    w.go(Operation::Next);
    assert!(w.forced_yield_due(), "after the next operation");
    // All leaving threads are caught; the others have to run the instruction again.
    let mut w = warp_with(0, 1);
    w.go(push(CALL, 50));
    w.go(back(0b0111, 50));
    assert_eq!(w.at(), (101, 0b1000));
    assert!(!w.forced_yield_due());
    // The leader's group runs first: it has executed.
    let mut w = warp_with(0, 1);
    w.go(Operation::Indirect {
        selected: 0b0001,
        target: 50,
    });
    assert!(w.forced_yield_due());
    let mut w = warp_with(0, 1).with_mutation(Mutation::ForcedYieldAtOwedJump);
    w.go(Operation::Indirect {
        selected: 0b0111,
        target: 50,
    });
    assert!(w.forced_yield_due());
}

#[test]
fn conv_055_forced_yield_zero_never_happens() {
    let mut w = warp_with(0, 0);
    w.go(branch(0b0001, 50));
    for _ in 0..70_000 {
        w.go(branch(0b0001, 50));
    }
    assert!(!w.forced_yield_due());
}

// CONV-052

/// Fires by chance.
fn random(yield_threshold: u16, yield_seed: u16) -> Policy {
    Policy {
        yield_random: true,
        yield_threshold,
        yield_seed,
        ..Policy::default()
    }
}

#[test]
fn conv_052_every_executed_yield_steps_a_galois_lfsr_of_full_period_whatever_the_policy() {
    for policy in [random(0, 1), random(u16::MAX, 1), Policy::default()] {
        let mut w = warp_of(8, policy);
        assert_eq!(w.registers().random, 1);
        for expected in [0xb400, 0x5a00, 0x2d00, 0x1680, 0x0b40] {
            w.go(Operation::Yield);
            assert_eq!(w.registers().random, expected);
        }
        let period = (6..).find(|_| {
            w.go(Operation::Yield);
            w.registers().random == 1
        });
        assert_eq!(period, Some(65_535));
    }
}

#[test]
fn conv_052_a_launch_mixes_the_warp_number_into_the_seed_and_avoids_zero() {
    let first = |warp, seed| {
        let launched = Warp::launch(warp, 4, 8, random(0, seed), 0, 0b1111).unwrap();
        launched.registers().random
    };
    assert_eq!((first(0, 0x1234), first(0, 0)), (0x1234, 1));
    assert_eq!((first(1, 0), first(1, 0x0421)), (0x0421, 1));
    assert_eq!((first(2, 0), first(3, 1)), (0x0842, 0x0c62));
}

#[test]
fn conv_052_the_warps_draw_different_numbers() {
    // From seed 1 warp 0 draws 0xb400, warp 1 draws 0x0420 >> 1.
    let warp = |number| {
        let policy = random(0x8000, 1);
        Warp::launch(number, 4, 8, policy, 100, 0b1111).unwrap()
    };
    let script = [branch(0b0001, 50), Operation::Yield];
    for (number, fired) in [(0, 0), (1, 1)] {
        let mut w = warp(number);
        w.run(&script);
        assert_eq!(w.counters().yields_fired, fired);
    }
    assert_noticed(&warp(1), &script, &[Mutation::RandomYieldSameForAllWarps]);
}

#[test]
fn conv_052_a_yield_fires_below_the_threshold_and_not_at_it() {
    let script = [branch(0b0001, 50), Operation::Yield];
    for (threshold, fired) in [(0, 0), (0xb3ff, 0), (0xb400, 0), (0xb401, 1), (0xffff, 1)] {
        let mut w = warp_of(8, random(threshold, 1));
        w.run(&script);
        assert_eq!(w.counters().yields_fired, fired, "{threshold:#x}");
    }
    let at = warp_of(8, random(0xb400, 1));
    assert_noticed(&at, &script, &[Mutation::RandomYieldFiresAtThreshold]);
    let never = warp_of(8, random(0, 1));
    assert_noticed(&never, &script, &[Mutation::RandomYieldIgnoresThreshold]);
}

#[test]
fn conv_052_yields_that_do_not_fire_step_too() {
    // 0xb400, 0x5a00, 0x2d00: the third fires.
    let mut script = vec![branch(0b0001, 50)];
    script.extend([Operation::Yield; 3]);
    let mut w = warp_of(8, random(0x2d01, 1));
    w.run(&script);
    assert_eq!(w.at(), (101, 0b1110));
    assert_noticed(
        &warp_of(8, random(0x2d01, 1)),
        &script,
        &[Mutation::RandomYieldStepsOnlyWhenFired],
    );
}

#[test]
fn conv_052_nothing_fires_with_an_empty_deque_and_every_n_does_not_count() {
    let policy = Policy {
        yield_every: 1,
        ..random(0xb400, 1)
    };
    let mut w = warp_of(8, policy);
    w.go(Operation::Yield);
    assert_eq!((w.at(), w.registers().random), ((101, 0b1111), 0xb400));
    let mut w = warp_of(8, policy);
    w.run(&[branch(0b0001, 50), Operation::Yield]);
    assert_eq!(w.at(), (51, 0b0001), "not below the threshold");
    assert_eq!(w.registers().yields, 1, "counted");
    w.go(Operation::Yield);
    assert_eq!((w.at(), w.registers().yields), ((101, 0b1110), 0));
}

#[test]
fn conv_052_a_forced_yield_draws_no_number() {
    let policy = Policy {
        forced_yield: 1,
        ..random(0, 1)
    };
    let mut w = warp_of(8, policy);
    w.go(branch(0b0001, 50));
    w.forced_yield().unwrap();
    assert_eq!(w.registers().random, 1);
}

// CONV-060 to CONV-080

#[test]
fn conv_060_ended_threads_never_come_back() {
    let mut w = warp();
    w.go(push(SYNC, 50));
    let record = w.go(exit(0b0011));
    assert_eq!((record.next_pc, record.next_mask), (102, 0b1100));
    w.go(leave(SYNC, 0b1111, 50));
    assert_eq!(w.at(), (50, 0b1100), "the token names threads 0 and 1 too");
    assert_eq!((w.reason(0), w.reason(2)), (Some(EXIT), None));
}

#[test]
fn conv_060_exit_above_live_tokens_unwinds_to_them() {
    let mut w = warp();
    w.go(push(BREAK, 90));
    w.go(branch(0b0001, 50));
    let record = w.go(exit(0b1111));
    assert_eq!(
        (record.next_pc, record.next_mask, record.done),
        (102, 0b1110, false)
    );
}

#[test]
fn conv_070_tokens_that_name_nobody_who_waits_for_them_are_discarded() {
    let mut w = warp();
    w.go(branch(0b0001, 50)); // DIV 1110
    w.go(push(SYNC, 60));
    w.go(push(BREAK, 61));
    w.go(exit(0b0001));
    assert_eq!((w.at(), w.tokens()), ((101, 0b1110), vec![]));
}

#[test]
fn conv_070_only_threads_whose_reason_is_the_tokens_type_wake() {
    let mut w = warp();
    w.go(push(SYNC, 50));
    w.go(push(BREAK, 60));
    w.go(leave(SYNC, 0b0011, 50));
    w.go(leave(BREAK, 0b1100, 60));
    assert_eq!(
        (w.at(), w.waiting_for(SYNC)),
        ((60, 0b1100), 0b0011),
        "BREAK names all, two wait for SYNC"
    );
    w.go(exit(0b1100));
    assert_eq!(w.at(), (50, 0b0011));
}

#[test]
fn conv_070_a_warp_whose_threads_have_all_ended_is_done_and_drops_its_tokens() {
    let mut w = warp();
    w.go(push(SYNC, 50));
    w.go(push(CONTINUE, 60));
    let record = w.go(exit(0b1111));
    assert_eq!(
        (record.done, record.depth, record.front, record.next_mask),
        (true, 0, None, 0)
    );
    assert!(w.is_done());
}

#[test]
fn conv_071_waiting_threads_without_a_token_are_reported_as_lost() {
    let mut w = warp().with_mutation(Mutation::SkipMergeMask);
    w.go(branch(0b0001, 50));
    w.go(Operation::Yield);
    w.go(branch(0b1110, 50));
    assert_eq!(
        w.apply(Operation::Yield).map(|r| r.next_mask),
        Ok(0b0001),
        "1 to 3 are in no token now"
    );
    assert_eq!(w.apply(exit(0b0001)), Err(Exception::LostThreads));
    assert_eq!(Exception::LostThreads.code(), 2);
}

#[test]
fn conv_080_a_launch_starts_the_masked_threads_and_all_others_have_ended() {
    let w = Warp::launch(3, 4, 8, Policy::default(), 7, 0b0101).unwrap();
    assert_eq!((w.at(), w.tokens()), ((7, 0b0101), vec![]));
    assert_eq!(
        (w.ended(), w.reason(0), w.reason(1)),
        (0b1010, None, Some(EXIT))
    );
    let mut w = w;
    assert!(w.go(exit(0b1111)).done);
}

#[test]
fn conv_080_an_allocation_that_is_not_larger_than_the_warp_is_refused() {
    let launch = |width, tokens| {
        Warp::launch(0, width, tokens, Policy::default(), 7, 1).map(|w| w.deque().capacity())
    };
    for width in [4, 8, 16, 32, 64] {
        for tokens in [0, 1, width, 1024] {
            let refused = Exception::Allocation {
                tokens,
                threads: width,
            };
            assert_eq!((launch(width, tokens), refused.code()), (Err(refused), 15));
        }
        assert_eq!(launch(width, width + 1), Ok(width + 1));
        assert_eq!(launch(width, 1023), Ok(1023));
    }
}

#[test]
fn a_warp_may_have_64_threads() {
    let launched = Warp::launch(0, 64, 65, Policy::default(), 100, u64::MAX);
    let mut w = launched.unwrap();
    w.go(push(SYNC, 50));
    assert!(w.go(push(SYNC, 51)).dropped, "room for one");
    w.go(branch(1 << 63, 60));
    assert_eq!(
        (w.at(), w.tokens()[0]),
        ((60, 1 << 63), (DIV, u64::MAX >> 1, 103))
    );
    w.go(leave(SYNC, u64::MAX, 50));
    w.go(leave(SYNC, u64::MAX, 50));
    assert_eq!(w.at(), (50, u64::MAX));
    assert!(w.go(exit(u64::MAX)).done);
}

// SPILL-010 to SPILL-021

#[test]
fn spill_020_pushes_beyond_the_front_recenter_and_nothing_else_changes() {
    let mut w = warp_of(13, Policy::default());
    assert_eq!((w.deque().head(), w.deque().tail()), (6, 6));
    w.run(&[0, 1, 2, 3, 4, 5].map(|n| push(SYNC, 50 + n)));
    assert_eq!((w.deque().head(), w.deque().tail()), (0, 6));
    assert_eq!(w.counters().recentered, 0);
    let before = w.tokens();
    w.go(push(SYNC, 60));
    assert_eq!((w.deque().head(), w.deque().tail()), (3, 10));
    assert_eq!(w.counters().recentered, 1);
    assert_eq!((w.at(), &w.tokens()[1..]), ((107, 0b1111), &before[..]));
}

#[test]
fn spill_020_divergences_and_calls_recenter_too() {
    for operation in [branch(0b0001, 70), call(0b1111, 70)] {
        let mut w = warp_of(9, Policy::default());
        w.run(&[0, 1, 2, 3].map(|n| push(SYNC, 50 + n)));
        assert_eq!(w.deque().head(), 0);
        w.go(operation);
        assert_eq!((w.deque().head(), w.counters().recentered), (2, 1));
    }
}

#[test]
fn spill_020_redundant_and_dropped_pushes_do_not_recenter() {
    let full = [0, 1, 2, 3].map(|n| push(SYNC, 50 + n));
    for (operation, departure) in [
        (push(SYNC, 53), Mutation::RecenterOnRedundantPush),
        (push(SYNC, 54), Mutation::RecenterOnDroppedPush),
    ] {
        let mut w = warp_of(8, Policy::default());
        w.run(&full);
        w.go(operation);
        assert_eq!((w.deque().head(), w.counters().recentered), (0, 0));
        let script: Vec<Operation> = full.into_iter().chain([operation]).collect();
        assert_noticed(&warp_of(8, Policy::default()), &script, &[departure]);
    }
}

/// Two groups that yield in turn, each time one position further back: N = 10 is reached after four yields more.
fn turns(yields: usize) -> Vec<Operation> {
    let mut script = vec![branch(0b0001, 50)];
    script.resize(1 + yields, Operation::Yield);
    script
}

#[test]
fn spill_020_yields_beyond_the_back_recenter_and_round_down() {
    let mut w = yielding(10);
    w.run(&turns(5));
    assert_eq!((w.deque().head(), w.deque().tail()), (9, 10));
    assert_eq!(w.counters().recentered, 0);
    w.go(Operation::Yield);
    assert_eq!((w.deque().head(), w.deque().tail()), (5, 6));
    assert_eq!(w.counters().recentered, 1);
    w.run(&[Operation::Yield; 4]);
    assert_eq!(w.counters().recentered, 1);
    w.go(Operation::Yield);
    assert_eq!(w.counters().recentered, 2);
    assert_noticed(
        &yielding(10),
        &turns(10),
        &[Mutation::RecenterBackLikeFront],
    );
}

#[test]
fn spill_020_a_yield_that_merges_does_not_recenter() {
    // Threads 1 to 3 run, thread 0 will resume: they go where it is.
    let mut w = yielding(10);
    w.run(&turns(5));
    let (kind, mask, resume) = w.tokens()[0];
    assert_eq!((kind, mask, w.deque().tail()), (YIELD, 0b0001, 10));
    let script = [branch(0b1110, resume - 1), Operation::Yield];
    assert_noticed(&w, &script, &[Mutation::RecenterOnMerge]);
    w.run(&script);
    assert_eq!((w.at(), w.counters().recentered), ((resume, 0b1111), 0));
}

// CONV-100

#[test]
fn conv_100_push_and_leave_of_a_reserved_type_are_illegal_and_change_nothing() {
    let mut w = warp();
    w.go(push(SYNC, 50));
    for kind in 10..16 {
        assert_eq!(w.apply(push(kind, 60)), Err(Exception::IllegalType(kind)));
        assert_eq!(
            w.apply(leave(kind, 0b1111, 50)),
            Err(Exception::IllegalType(kind))
        );
        assert_eq!(
            w.apply(leave(kind, 0, 50)),
            Err(Exception::IllegalType(kind))
        );
    }
    assert_eq!(
        (w.at(), w.tokens()),
        ((101, 0b1111), vec![(SYNC, 0b1111, 50)])
    );
    assert_eq!(Exception::IllegalType(13).code(), 1);
}

// Random operations

fn random_operation(rng: &mut ChaCha8Rng, width: usize, pc: u32) -> Operation {
    let all = u64::MAX >> (64 - width);
    let selected = rng.gen::<u64>() & if rng.gen() { rng.gen() } else { all } & all;
    let target = if rng.gen_bool(0.1) {
        pc
    } else {
        rng.gen_range(98..106)
    };
    let kind = if rng.gen_bool(0.01) {
        rng.gen_range(10..16)
    } else {
        rng.gen_range(0..4)
    };
    let group = selected | 1 << rng.gen_range(0..width);
    match rng.gen_range(0..49) {
        0..=3 => Operation::Next,
        4..=9 => branch(selected, target),
        10..=11 => Operation::Indirect {
            selected: group,
            target,
        },
        12..=21 => push(kind, target),
        22..=31 => leave(kind, selected, target),
        32..=33 => Operation::LeaveIndirect {
            kind,
            selected: selected | 1,
            target,
        },
        34..=37 => Operation::Yield,
        38 => exit(selected & rng.gen::<u64>()),
        39 => exit(selected & rng.gen::<u64>() & rng.gen::<u64>()),
        40..=41 => sleep(selected),
        42..=43 => retry(selected),
        44 => Operation::Part { selected },
        _ => call(if rng.gen() { all } else { group }, target),
    }
}

type Event1 = Result<Record, Exception>;

/// Shape of a warp under random operations; the operations do not depend on `tokens`.
#[derive(Clone, Copy, Debug)]
struct Shape {
    number: usize,
    width: usize,
    tokens: usize,
    policy: Policy,
}

impl Shape {
    fn random(rng: &mut ChaCha8Rng) -> Shape {
        let width = [4, 8, 16, 32, 64][rng.gen_range(0..5)];
        Shape {
            number: rng.gen_range(0..32),
            width,
            tokens: [width + 1, width + 2, 2 * width, 256][rng.gen_range(0..4)],
            policy: Policy {
                yield_every: rng.gen_range(0..4),
                yield_random: rng.gen(),
                yield_threshold: if rng.gen() { 0x8000 } else { rng.gen() },
                yield_seed: rng.gen(),
                forced_yield: rng.gen_range(0..5),
                path: PathPolicy::ALL[rng.gen_range(0..3)],
                lanes: 0,
            },
        }
    }

    fn launch(&self) -> Warp {
        let all = u64::MAX >> (64 - self.width);
        Warp::launch(self.number, self.width, self.tokens, self.policy, 100, all).unwrap()
    }
}

/// What happens to a warp under random operations. Debug builds check after each that every thread is
/// accounted for, that every token has its position, and that a search by the below bits finds the same.
fn random_run(seed: u64, mutation: Option<Mutation>, each: impl FnMut(&Warp, Event1) -> bool) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let shape = Shape::random(&mut rng);
    run_of(shape, &mut rng, mutation, each);
}

fn run_of(
    shape: Shape,
    rng: &mut ChaCha8Rng,
    mutation: Option<Mutation>,
    mut each: impl FnMut(&Warp, Event1) -> bool,
) {
    let launch = || {
        let w = shape.launch();
        mutation.map_or(w.clone(), |m| w.with_mutation(m))
    };
    let mut w = launch();
    for _ in 0..300 {
        let operation = random_operation(rng, shape.width, w.pc());
        let woken = rng.gen::<u64>() & rng.gen::<u64>();
        let target = rng.gen_range(98..106);
        if rng.gen_ratio(1, 32) {
            // Near what forces a yield whatever is popped.
            let whole = 64 * shape.policy.forced_yield;
            let transfers = whole.saturating_sub(rng.gen_range(0..4));
            w.registers_mut().set_transfers(transfers);
        }
        let result = if w.is_blocked() {
            w.wake(if rng.gen() { u64::MAX } else { woken }, target)
        } else if rng.gen_ratio(1, 16) {
            w.wake(woken, target)
        } else if w.forced_yield_due() {
            w.forced_yield()
        } else {
            w.apply(operation)
        };
        if !each(&w, result) {
            return;
        }
        if w.is_done() {
            w = launch();
        }
    }
}

#[test]
fn conv_150_sleeping_threads_are_off_and_the_others_go_on() {
    let mut w = warp();
    let record = w.go(sleep(0b0011));
    assert_eq!(
        (record.event, record.next_pc, record.next_mask),
        (Event::Barrier, 101, 0b1100)
    );
    assert_eq!((w.waiting_for(BARRIER), w.tokens()), (0b0011, vec![]));
    // Threads that are off do not count; nobody selected: just the next instruction.
    w.go(sleep(0b0011));
    assert_eq!((w.at(), w.waiting_for(BARRIER)), ((102, 0b1100), 0b0011));
}

#[test]
fn conv_150_when_the_last_one_sleeps_the_warp_unwinds_to_those_who_wait() {
    let mut w = warp();
    w.run(&[branch(0b0001, 200), sleep(0b1111)]);
    assert_eq!(w.at(), (101, 0b1110));
    assert_eq!(w.waiting_for(BARRIER), 0b0001);
}

#[test]
fn conv_151_a_warp_of_sleepers_blocks_and_keeps_its_tokens() {
    let mut w = warp();
    w.run(&[push(SYNC, 300), exit(0b1000)]);
    let record = w.go(sleep(0b1111));
    assert_eq!(
        (record.done, record.next_mask, record.next_pc, record.depth),
        (false, 0, 0, 1)
    );
    assert!(w.is_blocked() && !w.is_done());
    let record = w.wake(0b1111, 150).unwrap();
    assert_eq!((record.next_pc, record.next_mask), (150, 0b0111));
    // They meet at the token that they slept under.
    w.run(&[branch(0b0001, 200), leave(SYNC, 0b1111, 300)]);
    w.run(&[leave(SYNC, 0b1111, 300)]);
    assert_eq!(w.at(), (300, 0b0111));
    let script = [push(SYNC, 300), sleep(0b1111)];
    let mut dropped = warp().with_mutation(Mutation::BlockedDropsTokens);
    dropped.run(&script);
    assert_eq!(dropped.tokens(), vec![]);
}

#[test]
fn conv_152_threads_that_retry_go_to_the_back_and_the_others_on() {
    let mut w = warp();
    w.go(push(SYNC, 300));
    w.go(retry(0b0101));
    assert_eq!(w.at(), (102, 0b1010));
    assert_eq!(w.tokens(), [(SYNC, 0b1111, 300), (YIELD, 0b0101, 101)]);
    // All of them: the warp unwinds, and here they are themselves the next.
    let mut w = warp();
    w.run(&[push(SYNC, 300), retry(0b1111)]);
    assert_eq!(w.at(), (101, 0b1111));
    assert_eq!(w.tokens(), []);
    assert_noticed(
        &warp(),
        &[retry(0b0001), exit(0b1110), exit(0b0001)],
        &[Mutation::RetryGoesOn],
    );
}

#[test]
fn conv_152_with_an_empty_deque_and_nobody_else_nothing_changes() {
    let mut w = warp();
    let record = w.go(retry(0b1111));
    assert_eq!(
        (record.next_pc, record.next_mask, record.depth),
        (100, 0b1111, 0)
    );
    // Some of them: their token enters at the front of the empty deque.
    w.go(retry(0b0001));
    assert_eq!(w.tokens(), [(YIELD, 0b0001, 100)]);
    assert_eq!(w.deque().head() + 1, w.deque().tail());
    // Nobody: the next instruction.
    let mut w = warp();
    w.go(retry(0));
    assert_eq!(w.at(), (101, 0b1111));
}

#[test]
fn conv_152_a_retry_merges_and_counts_as_nothing() {
    let mut w = warp_with(3, 100);
    w.run(&[branch(0b0001, 200), retry(0b0001)]);
    assert_eq!(w.at(), (101, 0b1110));
    w.run(&[branch(0b1110, 200), retry(0b0110)]);
    assert_eq!(w.at(), (201, 0b1000));
    assert_eq!(w.tokens(), [(YIELD, 0b0111, 200)]);
    assert_eq!((w.registers().yields, w.registers().transfers), (0, 0));
}

#[test]
fn conv_153_threads_that_part_leave_the_others_where_they_are() {
    let mut w = warp();
    w.go(Operation::Part { selected: 0b0001 });
    assert_eq!(w.at(), (100, 0b1110));
    assert_eq!(w.tokens(), [(YIELD, 0b0001, 100)]);
    assert_noticed(
        &warp(),
        &[Operation::Part { selected: 0b0001 }],
        &[Mutation::PartLetsGoOn],
    );
}

#[test]
fn conv_154_a_running_warp_gets_its_woken_threads_at_the_back() {
    let mut w = warp();
    w.run(&[push(SYNC, 300), sleep(0b0011)]);
    let record = w.wake(0b1001, 150).unwrap();
    assert_eq!(
        (record.event, record.next_pc, record.next_mask),
        (Event::Barrier, 102, 0b1100)
    );
    assert_eq!(w.tokens(), [(SYNC, 0b1111, 300), (YIELD, 0b0001, 150)]);
    // With the same address they meet; those who do not sleep are not woken.
    w.wake(0b1111, 150).unwrap();
    assert_eq!(w.tokens()[1], (YIELD, 0b0011, 150));
    assert_eq!(w.wake(0b1111, 160).unwrap().depth, 2);
    w.go(exit(0b1100));
    assert_eq!(w.at(), (150, 0b0011));
}

/// CORE-020.
#[test]
fn conv_154_no_forced_yield_comes_after_a_wake() {
    let mut w = warp_with(0, 1);
    w.run(&[sleep(0b0001), branch(0b1110, 90)]);
    assert!(!w.forced_yield_due(), "the deque is empty");
    w.wake(0b0001, 150).unwrap();
    assert!(!w.forced_yield_due());
    w.go(Operation::Next);
    assert!(w.forced_yield_due());
}

#[test]
fn conv_090_the_deque_never_overflows_and_hardware_tokens_are_fewer_than_w() {
    let (mut fullest, mut recentered) = (0, 0);
    for seed in 0..3000 {
        random_run(seed, None, |w, result| {
            assert_ne!(result, Err(Exception::LostThreads), "seed {seed}");
            let deque = w.deque();
            let width = deque.capacity() - deque.software_capacity();
            let hardware = deque.iter().filter(|t| [DIV, YIELD].contains(&t.kind));
            assert!(
                deque.tail() <= deque.capacity() && hardware.count() < width,
                "seed {seed}: {:?}",
                w.tokens()
            );
            if w.tokens().iter().any(|t| t.0 < DIV) {
                fullest = fullest.max(100 * deque.depth() / deque.capacity());
            }
            recentered += u64::from(w.counters().recentered > 0);
            true
        });
    }
    assert!(fullest > 75, "the reserve was never used: {fullest} %");
    assert!(recentered > 1000, "{recentered}");
}

#[test]
fn conv_090_w_pushes_and_w_minus_1_waiting_groups_fit() {
    let mut w = warp();
    for n in 0..5 {
        w.go(push(BREAK, 50 + n)); // the fifth is dropped
    }
    for lane in 0..2 {
        w.go(branch(1 << lane, 200 + lane));
        w.go(Operation::Yield);
    }
    w.go(branch(0b0100, 300));
    let kinds: Vec<u8> = w.tokens().iter().map(|t| t.0).collect();
    assert_eq!(kinds, [DIV, BREAK, BREAK, BREAK, BREAK, YIELD, YIELD]);
    assert_eq!(w.counters().deepest_deque, 7);
}

#[test]
fn spill_the_size_of_the_allocation_changes_nothing_while_no_push_is_dropped() {
    let (mut compared, mut recentered) = (0u64, 0);
    for seed in 0..3000 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let shape = Shape::random(&mut rng);
        let mut largest = Vec::new();
        let whole = Shape {
            tokens: 1023,
            ..shape
        };
        run_of(whole, &mut rng.clone(), None, |_, result| {
            largest.push(result);
            true
        });
        for tokens in [shape.width + 1, shape.width + 3, shape.tokens, 512] {
            let mut expected = largest.iter();
            let smaller = Shape { tokens, ..shape };
            run_of(smaller, &mut rng.clone(), None, |w, result| {
                if result.is_ok_and(|record| record.dropped) {
                    return false;
                }
                assert_eq!(Some(&result), expected.next(), "seed {seed}, N = {tokens}");
                compared += 1;
                recentered += w.counters().recentered;
                true
            });
        }
    }
    assert!(
        compared > 500_000 && recentered > 10_000,
        "thin: {compared} operations, {recentered}"
    );
}

#[test]
fn every_mutation_changes_what_retires_or_what_is_counted() {
    for mutation in Mutation::ALL {
        let noticed = (0..2000).find(|&seed| {
            let mut expected = Vec::new();
            random_run(seed, None, |w, result| {
                expected.push((result, w.counters().recentered));
                true
            });
            let (mut n, mut differs) = (0, false);
            random_run(seed, Some(mutation), |w, result| {
                differs = expected[n] != (result, w.counters().recentered);
                n += 1;
                !differs
            });
            differs
        });
        assert!(noticed.is_some(), "{mutation:?} was not noticed");
    }
}
