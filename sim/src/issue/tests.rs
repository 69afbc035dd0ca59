//! The scheduler's requirements one by one, with cycles counted by hand from the specification; then random runs
//! against an independent scoreboard, in which every mutation must be noticed.

use super::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, BTreeSet};

const WARPS: usize = 4;
/// The most that there are.
const MANY: usize = 16;
/// Words are their address with this on top.
const WORD: u32 = 0xab00_0000;
/// From a start to the first grant of a warp whose line has to be fetched: select 1, look 2, transfer 3, response 4,
/// select 5, look 6, words 7, push 8.
const FIRST_GRANT: u32 = 9;

/// Memory, decoder and units around a scheduler.
struct Bench {
    scheduler: Scheduler,
    cycle: u32,
    /// Inputs that stay.
    config: Inputs,
    /// Inputs of the coming cycle only.
    next: Inputs,
    program: BTreeMap<u32, Decoded>,
    /// Cycles from the transfer of a request to the response; `None`: none comes.
    latency: Option<u32>,
    responses: Vec<(u32, u8, u32)>,
    words: [u32; 2],
    outputs: Vec<Outputs>,
    log: Vec<Happened>,
}

fn params(dual: bool) -> Params {
    Params {
        warps: WARPS,
        threads: 8,
        dual,
        level_bits: 4,
    }
}

fn line_words(line: u32) -> [u32; 16] {
    std::array::from_fn(|at| WORD | line << 4 | at as u32)
}

fn bench(dual: bool) -> Bench {
    bench_of(params(dual))
}

fn bench_with(warps: usize) -> Bench {
    bench_of(Params {
        warps,
        ..params(false)
    })
}

fn bench_of(params: Params) -> Bench {
    let config = Inputs {
        unit_free: 0x1f,
        unit_ahead: 0x1f,
        fetch_ready: true,
        ..Default::default()
    };
    Bench {
        scheduler: Scheduler::new(params),
        cycle: 0,
        next: config.clone(),
        config,
        program: BTreeMap::new(),
        latency: Some(1),
        responses: vec![],
        words: [0; 2],
        outputs: vec![],
        log: vec![],
    }
}

impl Bench {
    fn decode(&self, word: u32) -> Decoded {
        let known = self.program.get(&(word & !WORD));
        known.copied().unwrap_or_default()
    }

    fn step(&mut self) -> Happened {
        let out = self.scheduler.outputs();
        self.next.decode0 = self.decode(self.words[0]);
        self.next.decode1 = self.decode(self.words[1]);
        self.words = [out.decode_word0, out.decode_word1];
        if let (true, true, Some(latency)) = (out.fetch_valid, self.next.fetch_ready, self.latency)
        {
            let due = self.cycle + latency;
            self.responses.push((due, out.fetch_warp, out.fetch_line));
        }
        let now = |(due, ..): &(u32, u8, u32)| *due == self.cycle;
        if let Some(at) = self.responses.iter().position(now) {
            let (_, warp, line) = self.responses.remove(at);
            self.next.line_valid = true;
            self.next.line_warp = warp;
            self.next.line_slot = (line & 1) as u8;
            self.next.line_data = line_words(line);
        }
        let happened = self.scheduler.step(&self.next);
        self.next = self.config.clone();
        self.cycle += 1;
        self.outputs.push(out);
        self.log.push(happened.clone());
        happened
    }

    fn run(&mut self, cycles: u32) {
        (0..cycles).for_each(|_| drop(self.step()));
    }

    fn run_to(&mut self, cycle: u32) {
        self.run(cycle - self.cycle);
    }

    /// Inputs of the coming cycle.
    fn start(&mut self, warp: u8, pc: u32) {
        self.next.start_valid = true;
        self.next.start_warp = warp;
        self.next.start_pc = pc;
        self.next.start_mask = 0x81;
    }

    fn done(&mut self, warp: u8, rd: Option<u8>) {
        if warp % 2 == 0 {
            self.next.done0_valid = true;
            self.next.done0_warp = warp;
            self.next.done0_rd = rd;
        } else {
            self.next.done1_valid = true;
            self.next.done1_warp = warp;
            self.next.done1_rd = rd;
        }
    }

    fn level(&mut self, warp: u8, level: u8) {
        self.next.level_valid = true;
        self.next.level_warp = warp;
        self.next.level_value = level;
    }

    /// Cycle and pc of all issue stages.
    fn issues(&self) -> Vec<(u32, u32)> {
        let issue = |(cycle, h): (u32, &Happened)| Some((cycle, h.issue?.pc()));
        (0..).zip(&self.log).filter_map(issue).collect()
    }

    fn grants(&self, from: u32) -> Vec<Option<usize>> {
        let log = &self.log[from as usize..];
        log.iter().map(|happened| happened.grant).collect()
    }

    fn selects(&self) -> Vec<usize> {
        let selected = |at: &usize| self.log[*at].selected.is_some();
        (0..self.log.len()).filter(selected).collect()
    }

    fn looks(&self) -> Vec<(u32, Look)> {
        let look = |(cycle, h): (u32, &Happened)| Some((cycle, h.looked?.look));
        (0..).zip(&self.log).filter_map(look).collect()
    }

    /// All warps run, warp w from w × 0x100, with full queues, and no unit is free up to cycle 60.
    fn all_ready(dual: bool) -> Bench {
        Bench::all_ready_under(0, dual)
    }

    fn all_ready_under(policy: u8, dual: bool) -> Bench {
        let mut b = bench(dual);
        b.config.cfg_policy = policy;
        b.next.cfg_policy = policy;
        b.config.unit_ahead = 0;
        b.next.unit_ahead = 0;
        for warp in 0..WARPS as u8 {
            b.start(warp, u32::from(warp) << 8);
            b.step();
        }
        b
    }

    /// In cycle 60 they are free.
    fn release(self) -> Bench {
        self.release_classes(0x1f)
    }

    fn release_classes(mut self, classes: u8) -> Bench {
        self.run_to(59);
        self.config.unit_ahead = classes;
        self.next.unit_ahead = classes;
        self.run_to(60);
        self
    }
}

const ALU: Decoded = Decoded {
    class: 0,
    control: false,
    drain: false,
    rd: None,
    rs1: None,
    rs2: None,
};
const MULTIPLY: Decoded = Decoded { class: 1, ..ALU };
const BRANCH: Decoded = Decoded {
    control: true,
    ..ALU
};

fn writes(rd: u8) -> Decoded {
    Decoded {
        rd: Some(rd),
        ..ALU
    }
}

fn some(warps: &[usize]) -> Vec<Option<usize>> {
    warps.iter().map(|&warp| Some(warp)).collect()
}

#[test]
fn the_decoded_form_has_23_bits() {
    let decoded = Decoded {
        class: 3,
        control: true,
        drain: true,
        rd: Some(31),
        rs1: None,
        rs2: Some(0),
    };
    assert_eq!(decoded.to_bits(), 0x40_07fb);
    assert_eq!(Decoded::from_bits(decoded.to_bits()), decoded);
    let unused_with_number = 0b00111 << 11;
    assert_eq!(Decoded::from_bits(unused_with_number), ALU);
}

#[test]
fn sched_020_022_a_lone_warp_from_start_to_issue_cycle_by_cycle() {
    let mut b = bench(false);
    b.start(2, 0x40);
    b.run(30);
    let at = |cycle: usize| &b.outputs[cycle];
    assert_eq!((at(0).status_running, at(1).status_running), (0, 0b100));
    assert_eq!(b.log[1].selected, Some(2));
    assert_eq!(b.log[2].looked.unwrap().look, Look::MissRequest);
    assert_eq!(
        (at(3).fetch_valid, at(3).fetch_warp, at(3).fetch_line),
        (true, 2, 4)
    );
    assert!(!at(2).fetch_valid && !at(4).fetch_valid);
    assert_eq!((b.log[4].woken, b.log[5].selected), (Some(2), Some(2)));
    assert_eq!(b.log[6].looked.unwrap().look, Look::HitFirstHalf);
    assert!(at(7).decode_defined && !at(6).decode_defined && !at(8).decode_defined);
    assert_eq!(
        (at(7).decode_word0, at(7).decode_word1),
        (WORD | 0x40, WORD | 0x41)
    );
    assert_eq!(b.log[8].push.as_ref().unwrap().instructions.len(), 2);
    assert_eq!(b.log[8].checks, [(2, Some(Blocked::default()))]);
    assert_eq!(
        (b.log[8].grant, b.log[9].grant, b.log[10].grant),
        (None, Some(2), None)
    );
    assert_eq!(b.log[11].issue.unwrap().pc(), 0x40);
    assert!(at(12).issue_valid && !at(11).issue_valid && !at(13).issue_valid);
    assert_eq!(
        (at(12).issue_warp, at(12).issue_pc, at(12).issue_mask),
        (2, 0x40, 0x81)
    );
    assert_eq!(
        (at(12).issue_word, at(12).second_valid),
        (WORD | 0x40, false)
    );
    let classes = [at(9), at(10), at(11)].map(|out| out.granted_class);
    assert_eq!(classes, [0, 1, 0]);
    assert_eq!((at(11).status_flight, at(12).status_flight), (0, 0b100));
    let want: Vec<(u32, u32)> = (0..7).map(|n| (11 + 3 * n, 0x40 + n)).collect();
    assert_eq!(b.issues(), want, "every third cycle, without a gap");
}

#[test]
fn sched_011_no_cycle_is_left_empty_by_three_warps() {
    let mut b = bench(false);
    b.start(0, 0);
    b.step();
    b.start(1, 0x100);
    b.step();
    b.start(3, 0x200);
    b.run(58);
    assert!(b.log[11..60]
        .iter()
        .all(|happened| happened.issue.is_some()));
}

#[test]
fn sched_010_unit_ahead_counts_in_the_cycle_before_for_its_class() {
    let mut b = bench(false);
    b.program.insert(0, MULTIPLY);
    b.config.unit_ahead = 0b11101;
    b.next.unit_ahead = 0b11101;
    b.start(0, 0);
    b.run(14);
    b.next.unit_ahead = 0b00010;
    b.run(5);
    assert_eq!(b.grants(0)[..15], vec![None; 15]);
    let want = [Some(0), None, None, Some(0)];
    assert_eq!(b.grants(15), want, "pc 1 is of class 0");
    assert_eq!(
        (b.outputs[16].granted_class, b.outputs[17].granted_class),
        (0b00010, 0)
    );
}

#[test]
fn sched_010_a_held_warp_is_not_granted_and_counts_as_waiting() {
    let mut b = Bench::all_ready(false).release();
    b.config.hold = 0b0101;
    b.next.hold = 0b0101;
    b.run(6);
    // The grants of the two cycles before may still issue; none of a held warp follows.
    let granted: Vec<_> = b.grants(60).into_iter().flatten().collect();
    assert!(
        !granted.is_empty() && granted.iter().all(|warp| warp % 2 == 1),
        "{granted:?}"
    );
    b.config.hold = 0b1111;
    b.next.hold = 0b1111;
    b.run(6);
    assert_eq!(b.grants(66), vec![None; 6]);
    let last = b.log.last().unwrap();
    assert_eq!(
        (last.reason, last.watched.1),
        (Reason::Control, Reason::Control)
    );
    b.next.hold = 0;
    b.run(1);
    assert!(b.grants(72)[0].is_some());
}

#[test]
fn sched_012_age_the_order_is_that_of_the_last_issues() {
    let mut b = Bench::all_ready(false).release();
    b.run(8);
    assert_eq!(b.grants(60), some(&[0, 1, 2, 3, 0, 1, 2, 3]));
    // The last issue stage is that of warp 1, granted in 65.
    assert_eq!(b.scheduler.order(), [2, 3, 0, 1]);
}

#[test]
fn sched_012_a_higher_level_goes_first_and_a_level_write_touches() {
    let mut b = Bench::all_ready(false).release();
    b.level(2, 5);
    // Cycle 60: the level is not yet written.
    b.run(6);
    assert_eq!(b.grants(60), some(&[0, 2, 1, 3, 2, 0]));
    assert_eq!(b.scheduler.order(), [2, 0, 1, 3]);
    b.level(0, 5);
    // Cycle 66 is the issue stage of 2, which is not touched now: 0 stands behind 2.
    b.step();
    assert_eq!(b.scheduler.order(), [2, 0, 1, 3]);
    b.level(2, 0);
    b.step();
    assert_eq!(b.scheduler.order(), [0, 1, 3, 2]);
}

#[test]
fn sched_012_policy_2_touches_a_launched_warp_only() {
    let mut b = bench(false);
    b.config.cfg_policy = 2;
    b.next.cfg_policy = 2;
    b.start(1, 0);
    b.next.start_launch = true;
    b.step();
    b.start(0, 0);
    b.run(20);
    assert_eq!(b.scheduler.order(), [0, 2, 3, 1]);
    assert_eq!(b.log[0].touch, None);
    assert_eq!(b.log[1].touch.unwrap().rule, 2);
}

#[test]
fn sched_013_round_robin_goes_on_behind_the_last_issue_and_has_no_levels() {
    let mut b = Bench::all_ready_under(1, false);
    b.level(3, 1);
    let mut b = b.release();
    b.run(9);
    // The order changes in the issue stage: up to cycle 62 it begins with 0, and 0 and 1 were granted just before.
    assert_eq!(b.grants(60), some(&[0, 1, 2, 3, 0, 1, 2, 3, 0]));
    assert_eq!(b.scheduler.order(), [3, 0, 1, 2]);
    assert_eq!(b.scheduler.level(3), 0);
    assert!(b.log.iter().all(|happened| happened.touch.is_none()));
}

#[test]
fn sched_013_a_change_of_the_policy_begins_a_new_order() {
    let mut b = bench(false);
    b.level(1, 2);
    b.step();
    b.level(2, 3);
    b.step();
    assert_eq!(b.scheduler.order(), [2, 1, 0, 3]);
    b.config.cfg_policy = 1;
    b.step();
    b.run(8);
    assert_eq!(b.scheduler.order(), [0, 1, 2, 3]);
    assert_eq!([0, 1, 2, 3].map(|warp| b.scheduler.level(warp)), [0; 4]);
    // In the cycle after it a level write does nothing yet.
    b.config.cfg_policy = 0;
    b.next.cfg_policy = 0;
    b.level(3, 1);
    b.step();
    assert_eq!(b.scheduler.order(), [0, 1, 2, 3]);
    b.level(3, 1);
    b.step();
    assert_eq!(b.scheduler.order(), [3, 0, 1, 2]);
}

#[test]
fn sched_014_greedy_stays_until_it_has_not_issued_for_two_cycles() {
    let mut b = Bench::all_ready(false);
    b.config.cfg_policy = 2;
    b.next.cfg_policy = 2;
    b.program.insert(0, writes(9));
    b.program.insert(
        2,
        Decoded {
            rs1: Some(9),
            ..ALU
        },
    );
    let mut b = b.release();
    b.next.cfg_policy = 2;
    b.run(13);
    // 1 and 2 fill the gaps of 0; its pc 2 is blocked in cycle 66; 3 issues in 68, when 0 has last issued in 65.
    assert_eq!(b.grants(60), some(&[0, 1, 2, 0, 1, 2, 3, 1, 2, 3, 1, 2, 3]));
    let changes: Vec<_> = (60..73)
        .filter_map(|at| Some((at, b.log[at].greedy?)))
        .collect();
    assert_eq!(changes, [(62, 0), (68, 3)]);
}

#[test]
fn sched_014_a_warp_above_the_greedy_one_goes_first_by_the_levels_of_the_time_it_became_greedy() {
    for early in [true, false] {
        let mut b = Bench::all_ready(false);
        b.config.cfg_policy = 2;
        b.next.cfg_policy = 2;
        b.program.insert(0x300, MULTIPLY);
        b.run_to(50);
        if early {
            b.level(3, 1);
        }
        let mut b = b.release_classes(0b11101);
        b.run(5);
        if !early {
            b.level(3, 1);
        }
        b.config.unit_ahead = 0x1f;
        b.next.unit_ahead = 0x1f;
        b.run(3);
        assert_eq!(b.grants(60)[..6], some(&[0, 1, 2, 0, 1, 2]));
        let want = if early { [3, 0] } else { [0, 3] };
        assert_eq!(b.grants(66), some(&want), "early {early}");
    }
}

#[test]
fn sched_014_no_warp_becomes_greedy_beside_a_level_write_or_under_another_policy() {
    // The first issue is in cycle 62, of warp 0, the next one of warp 1.
    let mut b = Bench::all_ready(false);
    b.config.cfg_policy = 2;
    b.next.cfg_policy = 2;
    let mut b = b.release();
    b.next.cfg_policy = 2;
    b.run(2);
    b.level(3, 0);
    b.run(4);
    assert_eq!(b.log[62].issue.as_ref().unwrap().warp, 0);
    assert_eq!([62, 63].map(|at: usize| b.log[at].greedy), [None, Some(1)]);
    b.config.cfg_policy = 0;
    b.next.cfg_policy = 0;
    b.step();
    b.config.cfg_policy = 2;
    b.next.cfg_policy = 2;
    b.run(2);
    assert_eq!(b.log[66].greedy, None);
    let issue = b.log[67].issue.as_ref().unwrap().warp;
    assert_eq!(b.log[67].greedy, Some(issue), "nobody was greedy");
}

#[test]
fn sched_020_a_grant_of_a_warp_that_is_stopped_is_lost() {
    for stop in [FIRST_GRANT, FIRST_GRANT + 1] {
        let mut b = bench(false);
        b.start(0, 0);
        b.run_to(stop);
        b.next.stop_valid = true;
        b.run(5);
        assert_eq!((b.log[9].grant, b.log[11].lost_grant), (Some(0), Some(0)));
        assert!(b.issues().is_empty());
    }
}

/// What goes with `first`, which writes register 1, in the issue stage.
fn second_of(first: Decoded, other: Decoded, change: fn(&mut Inputs)) -> Result<u32, Alone> {
    let mut b = bench(true);
    b.program.insert(0, first);
    b.program.insert(1, other);
    b.start(0, 0);
    b.run_to(11);
    change(&mut b.next);
    let issue = b.step().issue.unwrap();
    let out = b.scheduler.outputs();
    assert_eq!(out.second_valid, issue.second.is_ok());
    issue.second.map(|second| second.pc)
}

#[test]
fn sched_021_the_second_instruction_and_what_forbids_it() {
    let first = writes(1);
    let with = |change: fn(&mut Decoded)| {
        let mut other = MULTIPLY;
        change(&mut other);
        other
    };
    let nothing: fn(&mut Inputs) = |_| ();
    assert_eq!(second_of(first, MULTIPLY, nothing), Ok(1));
    assert_eq!(second_of(first, with(|d| d.control = true), nothing), Ok(1));
    assert_eq!(second_of(first, with(|d| d.rd = Some(2)), nothing), Ok(1));
    let drain_first = Decoded {
        drain: true,
        ..first
    };
    assert_eq!(second_of(drain_first, MULTIPLY, nothing), Ok(1));
    assert_eq!(second_of(first, ALU, nothing), Err(Alone::SameClass));
    assert_eq!(
        second_of(first, with(|d| d.drain = true), nothing),
        Err(Alone::SecondIsDrain)
    );
    let depends = Err(Alone::DependsOnFirst);
    assert_eq!(second_of(first, with(|d| d.rd = Some(1)), nothing), depends);
    assert_eq!(
        second_of(first, with(|d| d.rs1 = Some(1)), nothing),
        depends
    );
    assert_eq!(
        second_of(first, with(|d| d.rs2 = Some(1)), nothing),
        depends
    );
    assert_eq!(
        second_of(first, MULTIPLY, |i| i.unit_free = 0b11101),
        Err(Alone::UnitNotFree)
    );
    assert_eq!(
        second_of(first, MULTIPLY, |i| i.cfg_slow = 0b00010),
        Err(Alone::SlowClass)
    );
    assert_eq!(second_of(first, MULTIPLY, |i| i.cfg_slow = 0b11101), Ok(1));
}

#[test]
fn sched_021_nothing_is_queued_behind_a_control_and_single_issues_one() {
    assert_eq!(second_of(BRANCH, MULTIPLY, |_| ()), Err(Alone::LastQueued));
    let mut b = bench(false);
    b.program.insert(1, MULTIPLY);
    b.start(0, 0);
    b.run(12);
    assert_eq!(b.log[11].issue.unwrap().second, Err(Alone::NotDual));
}

#[test]
fn sched_021_a_register_that_is_freed_in_this_cycle_is_not_pending_for_the_second() {
    for (done_in, want) in [(17, Ok(3)), (18, Err(Alone::Pending))] {
        let mut b = bench(true);
        b.program.insert(0, writes(1));
        b.program.insert(
            3,
            Decoded {
                rs2: Some(1),
                ..MULTIPLY
            },
        );
        b.start(0, 0);
        // pc 0 goes in cycle 11, 1 in 14, 2 in 17 with 3 behind it.
        b.run_to(done_in);
        b.done(0, Some(1));
        b.run_to(19);
        let issue = b.log[17].issue.unwrap();
        assert_eq!(issue.second.map(|second| second.pc), want);
    }
}

#[test]
fn sched_023_a_register_that_is_freed_and_issued_in_one_cycle_is_pending() {
    let mut b = bench(true);
    b.program.insert(0, writes(1));
    b.program.insert(
        3,
        Decoded {
            rd: Some(1),
            ..MULTIPLY
        },
    );
    b.program.insert(4, writes(1));
    b.start(0, 0);
    b.run_to(17);
    b.done(0, Some(1));
    b.run_to(30);
    b.done(0, Some(1));
    b.run_to(35);
    assert!(b.log[17].issue.unwrap().second.is_ok());
    assert_eq!(b.issues()[2..], [(17, 2), (33, 4)]);
}

#[test]
fn sched_025_027_an_instruction_waits_for_each_of_its_registers_and_goes_three_cycles_after_the_done(
) {
    let needs: [fn(&mut Decoded); 3] = [
        |d| d.rd = Some(31),
        |d| d.rs1 = Some(31),
        |d| d.rs2 = Some(31),
    ];
    for need in needs {
        let mut b = bench(false);
        b.program.insert(0, writes(31));
        let mut other = ALU;
        need(&mut other);
        b.program.insert(1, other);
        b.start(0, 0);
        b.run_to(20);
        assert!(b.scheduler.blocked(0).unwrap().any());
        b.done(0, Some(31));
        b.run(7);
        assert_eq!(b.issues(), [(11, 0), (23, 1), (26, 2)]);
        assert_eq!(b.outputs[20].status_flight, 1);
        assert_eq!(b.outputs[21].status_flight, 0);
    }
}

#[test]
fn sched_027_another_register_or_another_warp_frees_nothing() {
    let mut b = bench(false);
    b.program.insert(0, writes(31));
    b.program.insert(1, writes(31));
    b.start(0, 0);
    b.run_to(20);
    b.done(0, None);
    b.step();
    b.done(2, Some(31));
    b.run(10);
    assert_eq!(b.issues(), [(11, 0)]);
}

#[test]
fn sched_025_a_register_that_a_done_frees_in_the_cycle_of_the_check_does_not_block() {
    for done_in in [13, 14, 15] {
        let mut b = bench(false);
        b.program.insert(0, writes(5));
        b.program.insert(
            2,
            Decoded {
                rs2: Some(5),
                ..ALU
            },
        );
        b.start(0, 0);
        b.run_to(done_in);
        b.done(0, Some(5));
        b.run_to(20);
        // pc 2 is checked in the issue stage of 1, cycle 14.
        let third = if done_in == 15 { 18 } else { 17 };
        assert_eq!(b.issues()[2], (third, 2), "done in {done_in}");
    }
}

#[test]
fn sched_025_the_check_in_the_push_sees_what_is_issued_in_this_very_cycle() {
    let mut b = bench(false);
    b.program.insert(1, writes(7));
    b.program.insert(
        2,
        Decoded {
            rs1: Some(7),
            ..ALU
        },
    );
    b.start(0, 1);
    b.run_to(FIRST_GRANT - 1);
    b.next.unit_ahead = 0;
    b.run(15);
    // The grant is in cycle 10. Cycle 12: issue of 1, the last queued; push of 2 and 3.
    let blocked = Blocked {
        rs1: true,
        ..Default::default()
    };
    assert_eq!(b.log[12].checks, [(0, Some(blocked))]);
    assert_eq!(b.issues(), [(12, 1)]);
}

#[test]
fn sched_025_drain_waits_until_nothing_is_in_flight() {
    let mut b = bench(false);
    b.program.insert(2, Decoded { drain: true, ..ALU });
    b.start(0, 0);
    b.run_to(20);
    b.done(0, None);
    b.run_to(25);
    b.done(0, None);
    b.run_to(33);
    assert_eq!(b.issues(), [(11, 0), (14, 1), (28, 2), (31, 3)]);
}

#[test]
fn sched_025_at_28_in_flight_the_next_waits() {
    let mut b = bench(false);
    b.start(0, 0);
    b.run_to(120);
    assert_eq!((b.issues().len(), b.scheduler.in_flight(0)), (28, 28));
    b.done(0, None);
    b.run(20);
    assert_eq!(b.issues()[28..], [(123, 28)]);
}

#[test]
fn sched_021_the_second_may_be_number_29_in_flight() {
    let mut b = bench(true);
    (2..80).step_by(2).for_each(|pc| {
        b.program.insert(pc, MULTIPLY);
    });
    // One alone, then pairs: 1, 3, … 27, 29.
    b.start(0, 1);
    b.run_to(200);
    assert_eq!(b.scheduler.in_flight(0), 29);
    assert!(b.scheduler.blocked(0).unwrap().flight);
    // Pairs from the beginning: 26, 28.
    let mut b = bench(true);
    (0..80).step_by(2).for_each(|pc| {
        b.program.insert(pc, MULTIPLY);
    });
    b.start(0, 0);
    b.run_to(200);
    assert_eq!(b.scheduler.in_flight(0), 28);
}

#[test]
fn sched_026_without_a_next_instruction_the_warp_leaves_the_picker() {
    let mut b = bench(false);
    b.program.insert(0, BRANCH);
    b.start(0, 0);
    b.run_to(12);
    assert_eq!(b.log[11].checks, [(0, None)]);
    assert_eq!(b.scheduler.blocked(0), None);
}

#[test]
fn sched_024_028_031_supply_040_after_a_control_the_warp_waits_for_its_start() {
    for (control, queued) in [(2, 1), (3, 2)] {
        let mut b = bench(false);
        b.program.insert(control, BRANCH);
        b.start(1, 0);
        b.run_to(40);
        assert_eq!(b.issues().last().unwrap().1, control);
        assert_eq!(b.issues().len() as u32, control + 1);
        let pushes = |h: &Happened| Some(h.push.as_ref()?.instructions.len());
        let pushed: Vec<usize> = b.log.iter().filter_map(pushes).collect();
        assert_eq!(pushed, [2, queued]);
        assert!(b.scheduler.waits(1));
        b.start(1, 0x0a);
        b.run(11);
        // The line is there: select 41, look 42, words 43, push 44, grant 45, issue 47.
        assert_eq!(b.issues()[control as usize + 1..], [(47, 0x0a), (50, 0x0b)]);
        assert!(!b.scheduler.waits(1));
    }
}

#[test]
fn sched_029_after_a_stop_nothing_is_pushed_any_more_and_what_is_in_flight_stays() {
    for stop in 5..9 {
        let mut b = bench(false);
        b.start(0, 0);
        b.run_to(stop);
        b.next.stop_valid = true;
        b.run(4);
        b.start(0, 0x101);
        b.run_to(40);
        assert_eq!(b.issues()[0].1, 0x101, "stop in {stop}");
        let consecutive = b.issues().windows(2).all(|pair| pair[1].1 == pair[0].1 + 1);
        assert!(consecutive, "stop in {stop}");
    }
    let mut b = bench(false);
    b.start(0, 0);
    b.run_to(11);
    b.next.stop_valid = true;
    b.run_to(20);
    assert_eq!(b.issues(), [(11, 0)], "running in its issue stage");
    assert_eq!(
        (b.outputs[19].status_running, b.outputs[19].status_flight),
        (0, 1)
    );
}

#[test]
fn sched_030_under_age_nobody_waits_for_more_than_all_others_once() {
    let mut b = Bench::all_ready(false).release();
    b.run(100);
    let grants = b.grants(60);
    for window in grants.windows(WARPS) {
        let warps: BTreeSet<_> = window.iter().collect();
        assert_eq!(warps.len(), WARPS);
    }
}

#[test]
fn supply_010_warps_are_selected_in_turn() {
    let mut b = bench(false);
    b.latency = Some(10);
    b.start(2, 0);
    b.step();
    b.start(0, 0);
    b.step();
    b.start(1, 0);
    b.run_to(5);
    let selected: Vec<_> = b.log.iter().map(|h| h.selected).collect();
    assert_eq!(selected, [None, Some(2), Some(0), Some(1), None]);
    b.run(1);
    let shown: Vec<_> = (3..6).map(|at| b.outputs[at].fetch_warp).collect();
    assert_eq!(shown, [2, 0, 1]);
}

#[test]
fn supply_020_the_next_line_is_fetched_from_the_second_half() {
    let mut b = bench(false);
    b.start(0, 0);
    b.run_to(45);
    // The queue has room after the pushes in 8 (not in 12), and after the issues in 14, 20, 26 …
    assert_eq!(
        b.looks()[1..8],
        [
            (6, Look::HitFirstHalf),
            (10, Look::HitFirstHalf),
            (16, Look::HitFirstHalf),
            (22, Look::HitFirstHalf),
            (28, Look::HitPrefetch),
            (34, Look::HitNextHeld),
            (40, Look::HitNextHeld)
        ]
    );
    assert_eq!(
        (b.outputs[29].fetch_valid, b.outputs[29].fetch_line),
        (true, 1)
    );
}

#[test]
fn supply_020_no_second_request_while_awaited_and_none_while_the_register_is_full() {
    let mut b = bench(false);
    b.start(0, 8);
    b.run_to(5);
    b.latency = Some(5);
    b.run_to(24);
    // Prefetch in 6, transfer in 7, response in 12.
    assert_eq!(
        b.looks(),
        [
            (2, Look::MissRequest),
            (6, Look::HitPrefetch),
            (10, Look::HitNextAwaited),
            (16, Look::HitNextHeld),
            (22, Look::HitNextHeld)
        ]
    );

    let mut b = bench(false);
    b.start(0, 8);
    b.run_to(5);
    b.config.fetch_ready = false;
    b.next.fetch_ready = false;
    b.start(1, 0x100);
    b.run_to(8);
    b.start(2, 0x108);
    b.run_to(12);
    // The prefetch of warp 0 in 6 stays in the register; warps 1 and 2 find no place and try again.
    assert_eq!(b.log[7].looked.unwrap().look, Look::MissBusy);
    assert_eq!(b.log[10].looked.unwrap().look, Look::MissBusy);
    assert!((7..12).all(|at| b.outputs[at].fetch_valid && b.outputs[at].fetch_line == 1));
    b.config.fetch_ready = true;
    b.next.fetch_ready = true;
    b.run(40);
    assert!(b.issues().iter().any(|(_, pc)| *pc == 0x108));
}

#[test]
fn supply_020_hit_in_the_second_half_with_the_register_full() {
    let mut b = bench(false);
    b.start(0, 8);
    b.run_to(3);
    b.start(1, 0x100);
    b.step();
    b.config.fetch_ready = false;
    b.next.fetch_ready = false;
    b.run(4);
    // Warp 1 was selected in 4 and looked in 5: its request fills the register when warp 0 looks in 6.
    assert_eq!(
        b.looks()[1..3],
        [(5, Look::MissRequest), (6, Look::HitNextBusy)]
    );
}

#[test]
fn supply_020_addresses_and_lines_wrap() {
    let mut b = bench(false);
    b.start(0, 0x3f_fffe);
    b.run(24);
    let pcs: Vec<u32> = b.issues().iter().map(|(_, pc)| *pc).collect();
    assert_eq!(pcs[..4], [0x3f_fffe, 0x3f_ffff, 0, 1]);
    assert_eq!(
        (b.outputs[7].fetch_valid, b.outputs[7].fetch_line),
        (true, 0)
    );
}

#[test]
fn supply_021_022_a_line_that_is_not_wanted_any_more_is_awaited_and_then_replaced() {
    let mut b = bench(false);
    b.latency = Some(20);
    b.start(0, 0);
    b.run_to(4);
    b.next.stop_valid = true;
    b.run_to(8);
    b.latency = Some(1);
    b.start(0, 0x20);
    b.run_to(40);
    // Line 0 is transferred in 3 and comes in 23; line 2 has the same slot.
    assert_eq!(
        b.looks()[..4],
        [
            (2, Look::MissRequest),
            (10, Look::MissAwaited),
            (25, Look::MissRequest),
            (29, Look::HitFirstHalf)
        ]
    );
    assert_eq!(b.issues()[0].1, 0x20);
}

#[test]
fn supply_022_a_response_wins_over_stuck_in_the_same_cycle() {
    let mut b = bench(false);
    // The response comes in cycle 10, the cycle of the look that finds its slot awaited.
    b.latency = Some(7);
    b.start(0, 0);
    b.run_to(4);
    b.next.stop_valid = true;
    b.run_to(8);
    b.start(0, 0);
    b.run_to(20);
    assert_eq!(
        b.looks()[1..3],
        [(10, Look::MissAwaited), (13, Look::HitFirstHalf)]
    );
    assert_eq!(b.log[10].woken, Some(0));
}

#[test]
fn supply_040_from_an_odd_address_one_instruction_is_pushed() {
    let mut b = bench(false);
    b.start(0, 5);
    b.run(16);
    let push = b.log[8].push.as_ref().unwrap();
    assert_eq!((push.instructions.len(), push.instructions[0].pc), (1, 5));
    assert_eq!(push.instructions[0].word, WORD | 5);
    // SUPPLY-030
    let words = (b.outputs[7].decode_word0, b.outputs[7].decode_word1);
    assert_eq!(words, (WORD | 5, WORD | 5));
}

#[test]
fn supply_050_with_more_than_two_queued_there_is_no_room() {
    let mut b = bench(false);
    b.config.unit_ahead = 0;
    b.next.unit_ahead = 0;
    b.start(0, 0);
    for grant in [30, 40] {
        b.run_to(grant - 1);
        b.next.unit_ahead = 0x1f;
    }
    b.run_to(50);
    // Pushes in 8 and 12 fill the queue; the issues in 32 and 42 leave three and two.
    assert_eq!(b.selects(), [1, 5, 9, 43]);
    assert_eq!(b.issues(), [(32, 0), (42, 1)]);
}

#[test]
fn supply_060_flush_forgets_the_lines() {
    let mut b = bench(false);
    b.start(0, 0);
    b.run_to(12);
    b.next.stop_valid = true;
    b.run_to(20);
    b.next.flush = true;
    b.step();
    b.start(0, 0);
    b.run_to(26);
    // Nothing is selected in 21 and 22.
    assert_eq!(b.looks().last().unwrap(), &(24, Look::MissRequest));
}

/// The instruction at 8 forgets; line 1 is fetched ahead with it, and has come before the next look or has not.
#[test]
fn supply_061_a_control_instruction_of_class_3_forgets_the_lines_of_its_warp() {
    let looks = |class, latency, start| {
        let mut b = bench(false);
        b.program.insert(8, Decoded { class, ..BRANCH });
        b.latency = Some(latency);
        b.start(0, 8);
        b.run_to(start);
        b.latency = Some(1);
        b.start(0, 15);
        b.run_to(start + 100);
        let behind = b.looks().into_iter().filter(|(cycle, _)| *cycle >= start);
        behind.map(|(_, look)| look).take(4).collect::<Vec<_>>()
    };
    use Look::{HitFirstHalf, HitNextAwaited, HitNextHeld, HitPrefetch, MissAwaited, MissRequest};
    assert_eq!(looks(0, 2, 40)[..2], [HitNextHeld, HitFirstHalf]);
    assert_eq!(
        looks(3, 2, 40),
        [MissRequest, HitPrefetch, HitFirstHalf, HitFirstHalf]
    );
    // Line 1 comes late, and is not held.
    assert_eq!(looks(0, 30, 50)[..2], [HitNextAwaited, MissAwaited]);
    assert_eq!(
        looks(3, 30, 50),
        [MissRequest, HitNextAwaited, MissAwaited, MissRequest]
    );
}

/// Look, words and push of a warp whose start in words was predicted are over three cycles sooner; no line is asked for.
#[test]
fn supply_070_a_start_that_was_predicted_goes_on_from_words() {
    // Predicted in cycle 40 at `place`, and started then and there; the grant after it, and the lines asked for.
    let grant = |predicted: Option<u32>, place, cycle| {
        let mut b = bench(false);
        b.program.insert(8, BRANCH);
        b.start(0, 8);
        b.run_to(40);
        if let Some(pc) = predicted {
            (b.next.predict_valid, b.next.predict_pc) = (true, pc);
        }
        b.run_to(cycle);
        b.start(0, place);
        b.run_to(cycle + 20);
        let lines = b.outputs[40..].iter().filter(|out| out.fetch_valid).count();
        let first = (40..).find(|&at| b.log[at as usize].grant == Some(0));
        (first.map(|first| first - cycle), lines)
    };
    assert_eq!(grant(None, 2, 42), (Some(5), 0));
    assert_eq!(grant(Some(2), 2, 42), (Some(2), 0));
    // Elsewhere, or later.
    assert_eq!(grant(Some(2), 4, 42), (Some(5), 0));
    assert_eq!(grant(Some(2), 2, 43), (Some(5), 0));
    // What is not there is asked for by the start alone.
    assert_eq!(grant(Some(64), 2, 42), (Some(5), 0));
    assert_eq!(grant(Some(64), 64, 42), grant(None, 64, 42));
}

/// Who is started meanwhile waits for the end of it, also if another one begins.
#[test]
fn supply_060_nothing_is_selected_during_a_flush() {
    let first_look = |flushes: &[u32]| {
        let mut b = bench(false);
        b.run_to(16);
        for cycle in 16..30 {
            if cycle == 20 {
                b.start(0, 0);
            }
            b.next.flush = flushes.contains(&cycle);
            b.step();
        }
        b.looks()[0]
    };
    assert_eq!(first_look(&[]), (22, Look::MissRequest));
    assert_eq!(first_look(&[20]), (24, Look::MissRequest));
    assert_eq!(first_look(&[18]), (22, Look::MissRequest));
    assert_eq!(first_look(&[18, 19]), (23, Look::MissRequest));
}

#[test]
fn reset_makes_the_first_state() {
    let mut b = Bench::all_ready(true).release();
    b.run(20);
    b.next.reset = true;
    b.step();
    assert_eq!(
        b.scheduler.outputs(),
        Scheduler::new(params(true)).outputs()
    );
    assert_eq!(b.scheduler.order(), [0, 1, 2, 3]);
}

#[test]
fn sched_040_one_reason_per_cycle_of_the_whole_scheduler() {
    let clear = 16 * WARPS as u32;
    let mut b = bench(false);
    b.program.insert(0, writes(1));
    b.program.insert(1, writes(1));
    b.program.insert(2, BRANCH);
    b.run_to(clear + 1);
    let t = b.cycle;
    b.start(0, 0);
    b.run_to(t + 20);
    b.done(0, Some(1));
    b.run_to(t + 30);
    let reasons: Vec<Reason> = b.log[t as usize..].iter().map(|h| h.reason).collect();
    let mut want = vec![Reason::Idle; 30];
    // By the state of the cycle before: running from t + 1.
    want[2..10].fill(Reason::Fetch);
    want[10..13].fill(Reason::Unit); // present in t + 9 to t + 11
    want[11] = Reason::Issue; // pc 0
    want[13..22].fill(Reason::Hazard);
    want[22..28].fill(Reason::Unit); // present in t + 21 to t + 26
    want[23] = Reason::Issue; // pc 1
    want[26] = Reason::Issue; // pc 2
    want[28..30].fill(Reason::Control);
    assert_eq!(reasons, want);
    let whole = |reason: u32| b.scheduler.counter(reason << 4 | 9);
    assert_eq!([whole(0), whole(1), whole(2), whole(3)], [3, 6, 9, 8]);
}

#[test]
fn sched_041_042_the_counters_add_up_and_a_clear_takes_16_cycles_per_warp() {
    let clear = 16 * WARPS as u32;
    let mut b = Bench::all_ready(true).release();
    b.run_to(100);
    b.next.counter_clear = true;
    b.run(1 + clear);
    let all = |b: &Bench| -> u32 {
        let counter = |warp: u32, index: u32| b.scheduler.counter(warp << 4 | index);
        (0..4)
            .map(|warp| (0..8).map(|i| counter(warp, i)).sum::<u32>())
            .sum()
    };
    assert_eq!((all(&b), b.scheduler.watched()), (0, 0));
    b.run(7);
    b.next.counter_hold = true;
    b.step();
    assert_eq!((all(&b), b.scheduler.watched()), (7, 3));
    let issued: usize = b.log[b.log.len() - 8..b.log.len() - 1]
        .iter()
        .filter_map(|h| h.issue)
        .map(|issue| issue.count())
        .sum();
    let counted: u32 = (0..4).map(|warp| b.scheduler.counter(warp << 4 | 8)).sum();
    assert_eq!(counted as usize, issued);
}

#[test]
fn sched_042_counter_value_is_judged_with_its_promise() {
    let clear = 16 * WARPS as u32;
    let mut b = bench(false);
    b.run_to(clear);
    // Idle from the first counted cycle on, cycle 64.
    b.config.counter_select = 5;
    b.config.unit_ahead = 0;
    b.run_to(clear + 30);
    b.next.counter_select = 5 << 4 | 9;
    b.run(1);
    assert!(b.scheduler.outputs().counter_defined);
    let judge = |b: &Bench, value: u32| {
        let model = b.scheduler.outputs();
        let device = Outputs {
            counter_value: value,
            ..model.clone()
        };
        model.agrees(&device)
    };
    // In cycle 95: selected in 92, so all up to 88 count (warp 0 was looked at in 64, 68, … 88), up to 94 may (92).
    assert_eq!(b.cycle, 95);
    assert!(judge(&b, 7).is_ok() && judge(&b, 8).is_ok());
    assert!(judge(&b, 6)
        .unwrap_err()
        .starts_with("counter_value: model 7 to 8, device 6"));
    assert!(judge(&b, 9).is_err());
}

#[test]
fn sched_042_the_value_is_not_judged_while_counters_are_cleared() {
    let mut b = bench(false);
    b.run_to(80);
    assert!(b.scheduler.outputs().counter_defined);
    b.next.counter_clear = true;
    b.step();
    let last = 80 + 16 * WARPS as u32;
    // The first select that is 4 cycles behind the last clearing cycle.
    while !b.scheduler.outputs().counter_defined {
        b.step();
    }
    assert_eq!(b.cycle, last + 4 + 3);
}

#[test]
fn the_comparison_names_the_port_and_skips_what_is_undefined() {
    let model = Outputs::default();
    let device = Outputs {
        issue_pc: 5,
        fetch_line: 3,
        decode_word1: 9,
        second_word: 4,
        counter_value: 77,
        ..model.clone()
    };
    assert_eq!(model.agrees(&device), Ok(()));
    let valid = |pc| Outputs {
        issue_valid: true,
        issue_pc: pc,
        ..model.clone()
    };
    let said = valid(1).agrees(&valid(31)).unwrap_err();
    assert_eq!(said, "issue_pc: model 1, device 1f");
}

#[test]
fn sched_041_the_unit_is_that_of_the_cycle_before() {
    let mut b = bench_with(MANY);
    b.config.unit_ahead = 0;
    b.next.unit_ahead = 0;
    for warp in 0..MANY as u8 {
        b.start(warp, u32::from(warp) << 8);
        b.step();
    }
    b.run(32 * MANY as u32);
    b.next.unit_ahead = 0x1f;
    // Whoever is looked at; nothing is issued before the third of these cycles.
    let reasons = [(); 3].map(|_| b.step().watched.1);
    assert_eq!(reasons, [Reason::Unit, Reason::Ready, Reason::Unit]);
}

mod random {
    use super::*;

    const WARPS: usize = 8;
    fn hash(value: u32) -> u32 {
        let mixed = (value ^ value >> 15).wrapping_mul(0x85eb_ca6b);
        let mixed = (mixed ^ mixed >> 13).wrapping_mul(0xc2b2_ae35);
        mixed ^ mixed >> 16
    }

    fn decode(word: u32) -> Decoded {
        let register = |at: u32| (word >> at & 3 != 0).then_some((word >> at >> 2 & 7) as u8);
        Decoded {
            class: ((word & 15) % 5) as u8,
            control: word >> 4 & 15 == 0,
            drain: word >> 8 & 31 == 0,
            rd: register(13),
            rs1: register(18),
            rs2: register(23),
        }
    }

    /// What the surroundings know of a warp.
    #[derive(Clone, Default)]
    struct Warp {
        running: bool,
        /// The next instruction to issue; `None`: the warp waits.
        pc: Option<u32>,
        stopped: Option<u32>,
        start_at: u32,
        /// In which cycle its start was predicted, and where.
        predicted: Option<(u32, u32)>,
        /// Of the instructions in flight: when they are done.
        flight: Vec<(u32, Option<u8>)>,
        waited: u32,
    }

    struct World {
        rng: ChaCha8Rng,
        scheduler: Scheduler,
        warps: Vec<Warp>,
        salt: u32,
        cycle: u32,
        lines: Vec<(u32, u8, u32)>,
        words: [u32; 2],
        /// Fixed policy 0 and no level writes: SCHED-030 is watched.
        fair: bool,
        policy: u8,
        units: u32,
        /// `unit_ahead` of the cycle before.
        ahead: u8,
        two: u32,
    }

    impl World {
        fn new(seed: u64, fair: bool) -> World {
            World::with(WARPS, seed, fair)
        }

        fn with(warps: usize, seed: u64, fair: bool) -> World {
            World {
                rng: ChaCha8Rng::seed_from_u64(seed),
                scheduler: Scheduler::new(Params {
                    warps,
                    ..params(true)
                }),
                warps: vec![Warp::default(); warps],
                salt: 1,
                cycle: 0,
                lines: vec![],
                words: [0; 2],
                fair,
                policy: 0,
                units: 8,
                ahead: 31,
                two: 0,
            }
        }

        /// From 256 on nothing but classes.
        fn word(&self, pc: u32) -> u32 {
            let word = hash(pc ^ self.salt << 22);
            match pc {
                0..256 => word,
                _ => word & 0xf | 0x110,
            }
        }

        fn chance(&mut self, of: u32) -> bool {
            self.rng.gen_ratio(1, of)
        }

        /// Legal inputs for this cycle, with the outputs of the same cycle.
        fn inputs(&mut self, out: &Outputs) -> Inputs {
            if self.chance(200) {
                if !self.fair && self.policy != 1 {
                    self.policy = [0, 2, 3][self.rng.gen_range(0..3)];
                }
                self.units = self.rng.gen_range(1..12);
            }
            // Every 1000 cycles all warps are stopped, and the code changes; to and from policy 1 only then.
            if !self.fair && self.cycle % 1000 == 900 {
                self.policy = self.rng.gen_range(0..4);
            }
            let closing = self.cycle % 1000 > 850;
            let warps = self.warps.len();
            // What is free is known ahead, but for now and then.
            let ahead = (0..5).fold(0, |bits, class| {
                bits | u8::from(!self.rng.gen_ratio(1, self.units + 1)) << class
            });
            let free = std::mem::replace(&mut self.ahead, ahead);
            let mut i = Inputs {
                cfg_policy: self.policy,
                cfg_slow: 0b00100,
                unit_free: if self.chance(10) { 0 } else { free },
                unit_ahead: ahead,
                fetch_ready: !self.chance(3),
                decode0: decode(self.words[0]),
                decode1: decode(self.words[1]),
                counter_select: self.rng.gen_range(0..16 * warps as u32),
                counter_hold: self.chance(30),
                ..Default::default()
            };
            if !self.fair && self.cycle % 64 < 16 {
                i.hold = u64::from(self.cycle / 64) & (u64::MAX >> (64 - warps));
            }
            self.words = [out.decode_word0, out.decode_word1];
            if out.fetch_valid && i.fetch_ready {
                let due = self.cycle + self.rng.gen_range(1..20);
                self.lines.push((due, out.fetch_warp, out.fetch_line));
            }
            let now = |(due, ..): &(u32, u8, u32)| *due <= self.cycle;
            if let Some(at) = self.lines.iter().position(now) {
                let (_, warp, line) = self.lines.remove(at);
                i.line_valid = true;
                (i.line_warp, i.line_slot) = (warp, (line & 1) as u8);
                i.line_data = std::array::from_fn(|at| self.word(line << 4 | at as u32));
            }
            self.dones(&mut i);
            self.starts_and_stops(&mut i, closing);
            self.predicts(&mut i);
            if !self.fair && self.chance(40) {
                i.level_valid = true;
                i.level_warp = self.rng.gen_range(0..warps as u8);
                i.level_value = self.rng.gen_range(0..4);
            }
            if self.cycle % 1000 == 999 {
                assert!(self.lines.is_empty() && !out.fetch_valid);
                i.flush = true;
                self.salt += 1;
            }
            i
        }

        fn dones(&mut self, i: &mut Inputs) {
            let mut done = [None; 2];
            for (number, warp) in self.warps.iter_mut().enumerate() {
                let ripe = warp.flight.iter().position(|(due, _)| *due <= self.cycle);
                if let (Some(at), None) = (ripe, done[number % 2]) {
                    done[number % 2] = Some((number as u8, warp.flight.remove(at).1));
                }
            }
            if let Some((warp, rd)) = done[0] {
                (i.done0_valid, i.done0_warp, i.done0_rd) = (true, warp, rd);
            }
            if let Some((warp, rd)) = done[1] {
                (i.done1_valid, i.done1_warp, i.done1_rd) = (true, warp, rd);
            }
        }

        fn starts_and_stops(&mut self, i: &mut Inputs, closing: bool) {
            let cycle = self.cycle;
            // What was predicted comes true as soon as it may, mostly.
            let due = |w: &Warp| w.predicted.is_some_and(|(since, _)| since + 2 == cycle);
            let prompt = (self.warps.iter().position(due)).filter(|_| !self.rng.gen_ratio(1, 4));
            let number = match prompt {
                _ if closing => cycle as usize % self.warps.len(),
                Some(number) => number,
                None => self.rng.gen_range(0..self.warps.len()),
            };
            let mut pc = self.place();
            if let Some((_, there)) = self.warps[number].predicted {
                if !self.chance(4) {
                    pc = there;
                }
            }
            let stop = closing || self.chance(40);
            let rest = STOP_TO_START as u32;
            let warp = &mut self.warps[number];
            let waits = warp.running && warp.pc.is_none();
            let rested = warp.stopped.is_none_or(|stopped| cycle >= stopped + rest);
            if warp.running && stop {
                (i.stop_valid, i.stop_warp) = (true, number as u8);
                warp.running = false;
                warp.predicted = None;
                warp.stopped = Some(cycle);
            } else if !closing && rested && (!warp.running || waits && cycle >= warp.start_at) {
                (i.start_valid, i.start_warp) = (true, number as u8);
                (i.start_pc, i.start_mask) = (pc, u64::from(hash(cycle)));
                i.start_launch = !warp.running;
                warp.running = true;
                warp.predicted = None;
                warp.pc = Some(pc);
            }
        }

        fn place(&mut self) -> u32 {
            self.rng.gen_range(0..64) + self.rng.gen_range(0..2) * 256
        }

        /// SUPPLY-070
        fn predicts(&mut self, i: &mut Inputs) {
            let number = self.rng.gen_range(0..self.warps.len());
            let pc = self.place();
            let warp = &mut self.warps[number];
            let waits = warp.running && warp.pc.is_none() && warp.predicted.is_none();
            if waits && !(i.stop_valid && usize::from(i.stop_warp) == number) {
                (i.predict_valid, i.predict_warp, i.predict_pc) = (true, number as u8, pc);
                warp.predicted = Some((self.cycle, pc));
                warp.start_at = warp.start_at.max(self.cycle + 2);
            }
        }

        /// Independent of the model's own state: what comes out must be the program in order, without hazards.
        fn judge(&mut self, out: &Outputs) {
            assert!(out.issue_valid || !out.second_valid);
            if !out.issue_valid {
                return;
            }
            let number = usize::from(out.issue_warp);
            let mut issued = vec![(out.issue_pc, out.issue_word, out.issue_decoded)];
            if out.second_valid {
                self.two += 1;
                issued.push((out.issue_pc + 1, out.second_word, out.second_decoded));
                assert_ne!(out.second_decoded.class, out.issue_decoded.class);
                assert!(out.second_decoded.class != 2, "slow");
            }
            for (pc, word, decoded) in issued {
                assert_eq!((word, decoded), (self.word(pc), decode(word)));
                // In the cycle of `issue_valid` at the earliest.
                let latency = if pc < 256 { 0..12 } else { 100..300 };
                let due = self.cycle + self.rng.gen_range(latency);
                let start_at = self.cycle + self.rng.gen_range(1..9);
                let warp = &mut self.warps[number];
                if warp.running {
                    assert_eq!(warp.pc, Some(pc), "SCHED-031");
                    warp.pc = (!decoded.control).then_some(pc + 1);
                    warp.start_at = start_at;
                }
                assert!(!decoded.drain || warp.flight.is_empty());
                let clash = |used: Option<u8>| {
                    used.is_some() && warp.flight.iter().any(|(_, rd)| *rd == used)
                };
                assert!(!clash(decoded.rd) && !clash(decoded.rs1) && !clash(decoded.rs2));
                warp.flight.push((due, decoded.rd));
                assert!(warp.flight.len() <= 29);
            }
        }

        /// SCHED-030
        fn judge_fairness(&mut self, happened: &Happened) {
            let others = self.warps.len() as u32 - 1;
            let Some(granted) = happened.grant else {
                return;
            };
            for (number, warp) in self.warps.iter_mut().enumerate() {
                let candidate = happened.candidates >> number & 1 == 1;
                warp.waited = if number == granted || !candidate {
                    0
                } else {
                    warp.waited + 1
                };
                assert!(warp.waited <= others, "SCHED-030");
            }
        }

        fn step(&mut self) -> (Outputs, Inputs, Happened) {
            let out = self.scheduler.outputs();
            self.judge(&out);
            let inputs = self.inputs(&out);
            let happened = self.scheduler.step(&inputs);
            let mut queues = (0..self.warps.len()).map(|warp| self.scheduler.queued(warp));
            assert!(queues.all(|queued| queued <= 4), "SUPPLY-050");
            if self.fair {
                self.judge_fairness(&happened);
            }
            self.cycle += 1;
            (out, inputs, happened)
        }
    }

    #[test]
    fn sched_030_031_random_programs_run_in_order_without_hazards_and_without_starvation() {
        let mut looks = BTreeMap::new();
        let mut alone = BTreeMap::new();
        let (mut blocked, mut lost, mut two) = ([0; 4], 0, 0);
        for seed in 0..9 {
            let warps = if seed < 6 { WARPS } else { MANY };
            let mut world = World::with(warps, seed, seed % 3 == 0);
            for _ in 0..10_000 {
                let (.., h) = world.step();
                if let Some(looked) = h.looked {
                    *looks.entry(format!("{:?}", looked.look)).or_insert(0) += 1;
                }
                if let Some(Err(why)) = h.issue.map(|issue| issue.second) {
                    *alone.entry(format!("{why:?}")).or_insert(0) += 1;
                }
                for (_, check) in h.checks {
                    let b = check.unwrap_or_default();
                    let bits = [b.rd, b.rs1, b.rs2, b.flight];
                    (0..4).for_each(|at| blocked[at] += u32::from(bits[at]));
                }
                lost += u32::from(h.lost_grant.is_some());
            }
            two += world.two;
            let counter = |at| world.scheduler.counter(at);
            let of_warps = |range: std::ops::Range<u32>| -> u32 {
                (0..warps as u32)
                    .flat_map(|w| range.clone().map(move |i| counter(w << 4 | i)))
                    .sum()
            };
            let whole: u32 = (0..6).map(|reason| counter(reason << 4 | 9)).sum();
            assert_eq!(of_warps(0..8), whole);
            assert_eq!(of_warps(8..9), counter(9) + counter(6 << 4 | 9));
        }
        assert_eq!(looks.len(), 10, "{looks:?}");
        // NotDual and FirstIsControl (nothing is ever behind a control) do not occur.
        assert!(alone.len() >= 7, "{alone:?}");
        assert!(blocked.iter().all(|&count| count > 100), "{blocked:?}");
        assert!(lost > 10 && two > 3000, "lost {lost}, two {two}");
    }

    #[test]
    fn every_mutation_is_noticed_at_the_ports() {
        for mutation in Mutation::ALL {
            let noticed = (0..9).any(|seed| {
                let warps = [WARPS, MANY][seed as usize % 2];
                let mut world = World::with(warps, seed, false);
                let mut mutant = world.scheduler.clone().with_mutation(mutation);
                (0..4000).any(|_| {
                    let (out, inputs, _) = world.step();
                    let differs = out.agrees(&mutant.outputs()).is_err();
                    // These inputs need not be legal for one that differs.
                    if !differs {
                        mutant.step(&inputs);
                    }
                    differs
                })
            });
            assert!(noticed, "{mutation:?}");
        }
    }

    #[test]
    fn without_a_mutation_nothing_is_noticed() {
        let mut world = World::new(1, false);
        let mut twin = world.scheduler.clone();
        for _ in 0..3000 {
            let (out, inputs, _) = world.step();
            assert_eq!(out.agrees(&twin.outputs()), Ok(()));
            twin.step(&inputs);
        }
    }
}
