//! One test for each sentence of the specification that promises a behaviour.
//! 4 warps of 4 threads, one CTA, if not said otherwise.

use super::word::{Kind, Late, Origin, Word};
use super::{Doing, Event, EventKind, Op, OpCode, Params, State, Unit, VerdictKind, Wake};

const TAG: u32 = 0x10;
const BOT: u32 = 0x18;
const ALL: u64 = 0xf;

struct Bench {
    unit: Unit,
    cycle: u64,
    /// Errors and events of the latest operation.
    said: Vec<String>,
}

fn event(e: &Event) -> String {
    let name = match e.kind {
        EventKind::Fire => "FIRE",
        EventKind::Timeout => "TIMEOUT",
        EventKind::Idle => "IDLE",
        EventKind::Again => "AGAIN",
    };
    match e.cta {
        0 => format!("{name} {}", e.id),
        cta => format!("{name} c{cta}.{}", e.id),
    }
}

fn wake(w: &Wake) -> String {
    format!("w{} {:x} at {:x}", w.warp, w.mask, w.pc)
}

impl Bench {
    fn of(warps: usize, threads: u32) -> Bench {
        let mut bench = Bench {
            unit: Unit::new(Params {
                warps: 16,
                threads: 4,
            }),
            cycle: 0,
            said: Vec::new(),
        };
        for block in 0..warps {
            bench.launch(block, 0, block, threads);
        }
        bench
    }

    fn new() -> Bench {
        Bench::of(4, 16)
    }

    fn launch(&mut self, warp: usize, cta: usize, block: usize, threads: u32) {
        self.give(Op {
            code: OpCode::Launch,
            warp,
            active: ALL,
            cta,
            block,
            threads,
            ..Op::default()
        });
    }

    fn give(&mut self, op: Op) -> String {
        let answer = self.unit.op(&op, self.cycle);
        self.said.clear();
        let errors = answer.errors.iter();
        self.said
            .extend(errors.map(|e| format!("{} {:x}", e.cause.name(), e.mask)));
        self.said.extend(answer.events.iter().map(event));
        answer.verdict.map_or(String::new(), |v| match v.kind {
            VerdictKind::Next => "NEXT".into(),
            kind => format!("{} {:x}", format!("{kind:?}").to_uppercase(), v.mask),
        })
    }

    fn op(&mut self, code: OpCode, warp: usize, active: u64, mask: u64, id: usize) -> String {
        self.give(Op {
            code,
            warp,
            active,
            mask,
            id,
            pc: BOT,
            ..Op::default()
        })
    }

    fn top_at(&mut self, pc: u32, warp: usize, a: u64, s: u64, id: usize, word: Word) -> String {
        self.give(Op {
            code: OpCode::Top,
            warp,
            active: a,
            mask: s,
            id,
            word,
            pc,
            ..Op::default()
        })
    }

    fn top(&mut self, warp: usize, a: u64, s: u64, word: Word) -> String {
        self.top_at(TAG, warp, a, s, 0, word)
    }

    fn bottom(&mut self, warp: usize, a: u64) -> String {
        self.op(OpCode::Bottom, warp, a, 0, 0)
    }

    /// Of warp 0, at another address than that of the section's end.
    fn other_bottom(&mut self, a: u64) -> String {
        self.give(Op {
            code: OpCode::Bottom,
            active: a,
            pc: 0x40,
            ..Op::default()
        })
    }

    /// Everything that the unit does on its own, until an operation is needed.
    fn run(&mut self) -> Vec<String> {
        let unit = &mut self.unit;
        std::iter::from_fn(|| unit.choose())
            .map(|doing| match doing {
                Doing::Wake(w) => wake(&w),
                Doing::Event(e) => event(&e),
            })
            .collect()
    }

    /// Every thread that has a turn runs to the BOTTOM; all that happens.
    fn run_section(&mut self, code: OpCode) -> Vec<String> {
        let mut all = Vec::new();
        loop {
            let now = self.run();
            if now.is_empty() {
                return all;
            }
            all.extend(now);
            for warp in 0..16 {
                let inside = self.unit.inside(warp);
                if inside != 0 {
                    self.op(code, warp, inside, 0, 0);
                }
            }
        }
    }

    fn visit_until(&mut self, end: u64) -> Vec<(u64, (usize, usize))> {
        let mut list = Vec::new();
        while self.cycle < end {
            if let Some(out) = self.unit.visit(self.cycle) {
                list.push((self.cycle, out));
            }
            self.cycle += 1;
        }
        list
    }

    fn time_out(&mut self) -> Vec<String> {
        let all = self.unit.run_out();
        let events: Vec<_> = all
            .into_iter()
            .flat_map(|b| self.unit.time_out(b))
            .collect();
        events.iter().map(event).collect()
    }
}

fn simple(condition: u32, count: u32) -> Word {
    Word::default().with_condition(condition).with_count(count)
}

fn section(condition: u32, count: u32) -> Word {
    simple(condition, count).with_kind(Kind::Section)
}

const NONE: [&str; 0] = [];

// BAR-020

#[test]
fn nesting_is_an_error_and_the_thread_goes_on() {
    let mut b = Bench::new();
    b.top(0, 1, 1, section(1, 1));
    assert_eq!(b.run(), ["w0 1 at 11"]);
    assert_eq!(b.top_at(0x30, 0, 1, 1, 1, simple(0, 0)), "NEXT");
    assert_eq!(b.said, ["NESTED 1"]);
    assert_eq!(b.unit.state(0, 1), State::Idle);
    // With another thread: only that one arrives.
    assert_eq!(b.top_at(0x30, 0, 3, 3, 1, simple(0, 0)), "SLEEP 2");
    assert_eq!(b.said, ["NESTED 1"]);
}

#[test]
fn an_arrival_of_nobody_is_none() {
    let mut b = Bench::new();
    b.top(0, 1, 1, section(1, 1));
    b.run();
    let word = simple(4, 17).with_origin(Origin::Latest);
    b.cycle = 3;
    b.top_at(0x30, 1, 1, 1, 1, word);
    b.visit_until(258);
    assert_eq!(b.top_at(0x30, 0, 1, 1, 1, word), "NEXT");
    assert_eq!(b.said, ["NESTED 1"]);
    assert_eq!(b.visit_until(300), [(258, (0, 1))]);
}

#[test]
fn a_thread_inside_may_pass_a_barrier_without_participating() {
    let mut b = Bench::new();
    b.top(0, 1, 1, section(1, 1));
    b.run();
    assert_eq!(b.top_at(0x30, 0, 1, 0, 1, simple(0, 0)), "NEXT");
    assert_eq!(b.said, NONE);
    assert_eq!(b.unit.state(0, 1), State::Static);
}

// BAR-021, BAR-027

#[test]
fn condition_0_waits_for_all_threads_of_the_cta() {
    let mut b = Bench::new();
    for warp in 0..3 {
        assert_eq!(b.top(warp, ALL, 0, simple(0, 0)), "NEXT");
    }
    assert_eq!(b.top(3, 7, 7, simple(0, 0)), "SLEEP 7");
    assert_eq!(b.top(3, 8, 8, simple(0, 0)), "SLEEP 8");
    assert_eq!(b.said, ["FIRE 0"]);
    assert_eq!(b.run(), ["w3 f at 11", "IDLE 0"]);
}

#[test]
fn a_cta_has_all_its_threads_before_they_are_launched() {
    // A barrier released when only the resident warps arrived: not here.
    let mut b = Bench::of(2, 16);
    assert_eq!(b.top(0, ALL, ALL, simple(0, 0)), "NEXT");
    assert_eq!(b.top(1, ALL, ALL, simple(0, 0)), "NEXT");
    assert_eq!((b.unit.held(), b.unit.state(0, 0)), (3, State::Static));
    b.launch(2, 0, 2, 16);
    b.launch(3, 0, 3, 16);
    b.top(2, ALL, ALL, simple(0, 0));
    assert_eq!(b.unit.state(0, 0), State::Static);
    assert_eq!(b.top(3, ALL, ALL, simple(0, 0)), "NEXT");
    assert_eq!(
        (b.unit.held(), b.said.clone()),
        (0, vec!["FIRE 0".to_string()])
    );
}

#[test]
fn condition_1_counts_all_arrivals_and_condition_2_participants_only() {
    for (condition, state) in [(1, State::Dynamic), (2, State::Static)] {
        let mut b = Bench::new();
        b.top(0, 3, 1, simple(condition, 4));
        b.top(1, 3, 1, simple(condition, 4));
        assert_eq!(b.unit.state(0, 0), state, "condition {condition}");
    }
    let mut b = Bench::new();
    b.top(0, 3, 1, simple(2, 2));
    b.top(1, 3, 1, simple(2, 2));
    assert_eq!(b.said, ["FIRE 0"]);
}

#[test]
fn a_count_of_0_means_all_live_threads() {
    for condition in [1, 2, 4] {
        let mut b = Bench::of(1, 4);
        b.top(0, 7, 7, simple(condition, 0));
        assert_eq!(b.unit.state(0, 0), State::Static);
        b.top(0, 8, 8, simple(condition, 0));
        assert_eq!(b.said, ["FIRE 0"]);
    }
}

#[test]
fn a_count_above_the_threads_is_an_error_at_each_arrival_and_live_threads_are_enough() {
    let mut b = Bench::of(1, 4);
    assert_eq!(b.top(0, 3, 1, simple(2, 5)), "SLEEP 1");
    assert_eq!(b.said, ["COUNT 1"]);
    b.top(0, 0b1110, 0b1110, simple(2, 5));
    assert_eq!(b.said, ["COUNT e", "FIRE 0"]);
    // Who does not count does not arrive.
    let mut b = Bench::of(1, 4);
    b.top(0, 3, 0, simple(2, 5));
    assert_eq!(b.said, NONE);
    // Nobody participates: all that execute it.
    let mut b = Bench::of(1, 4);
    b.top(0, 3, 0, simple(1, 5));
    assert_eq!(b.said, ["COUNT 3"]);
    // For conditions without a count: none.
    let mut b = Bench::of(1, 4);
    b.top(0, 1, 1, simple(0, 5));
    b.top_at(0x30, 0, 2, 2, 1, simple(3, 5));
    assert_eq!(b.said, NONE);
}

#[test]
fn condition_3_is_complete_when_nobody_is_left_who_could_come() {
    let mut b = Bench::of(1, 4);
    b.top(0, 7, 7, simple(3, 1));
    assert_eq!(b.said, NONE);
    b.top(0, 8, 8, simple(3, 1));
    assert_eq!(b.said, ["FIRE 0"]);
}

// BAR-022

#[test]
fn another_tag_waits_while_the_barrier_is_in_use() {
    let mut b = Bench::new();
    b.top(0, 1, 1, simple(0, 0));
    assert_eq!(b.top_at(0x20, 1, ALL, 3, 0, simple(0, 0)), "RETRY f");
    assert_eq!(b.top_at(0x20, 1, ALL, 3, 0, simple(2, 2)), "RETRY 3");
    assert_eq!(b.top_at(0x20, 1, ALL, 0, 0, simple(2, 2)), "NEXT");
    assert_eq!(b.unit.state(0, 0), State::Static);
    // Two ids are two barriers.
    assert_eq!(b.top_at(0x20, 1, ALL, 3, 1, simple(0, 0)), "SLEEP 3");
}

#[test]
fn a_dynamic_barrier_that_takes_no_late_threads_makes_them_wait() {
    let mut b = Bench::new();
    b.top(0, 1, 1, section(2, 1));
    assert_eq!(b.top(1, 1, 1, section(2, 1)), "RETRY 1");
    // Simple ones do not, impatient or not.
    let mut b = Bench::new();
    b.top(0, 1, 1, simple(4, 2));
    b.top(1, 1, 1, simple(4, 2));
    assert_eq!(b.top(2, 1, 1, simple(4, 2)), "RETRY 1");
}

// BAR-023, BAR-033

fn invalid() -> Bench {
    let mut b = Bench::new();
    let word = simple(4, 3).with_late(Late::Invalidates);
    assert_eq!(b.top(0, 1, 1, word), "SLEEP 1");
    assert_eq!(b.visit_until(300), [(256, (0, 0))]);
    assert_eq!(b.time_out(), ["TIMEOUT 0"]);
    assert_eq!(b.unit.state(0, 0), State::Dynamic);
    assert_eq!(b.run(), ["w0 1 at 11"]);
    assert_eq!(b.unit.state(0, 0), State::Invalid);
    b
}

#[test]
fn late_threads_pass_an_invalid_barrier_and_the_last_makes_it_idle() {
    let mut b = invalid();
    let word = simple(4, 3).with_late(Late::Invalidates);
    assert_eq!(b.top(1, 3, 1, word), "NEXT");
    assert_eq!(
        (b.said.clone(), b.unit.state(0, 0)),
        (vec![], State::Invalid)
    );
    assert_eq!(b.top(1, 2, 2, word), "NEXT");
    assert_eq!(
        (b.said.clone(), b.unit.state(0, 0)),
        (vec![], State::Invalid),
        "the minimum has come, but not all"
    );
    assert_eq!(b.top(1, 0xc, 0xc, word), "NEXT");
    assert_eq!(b.top(0, 0xc, 0xc, word), "NEXT");
    assert_eq!(b.unit.state(0, 0), State::Invalid);
    assert_eq!(b.top(0, 2, 2, word), "NEXT");
    assert_eq!(b.top(2, ALL, ALL, word), "NEXT");
    assert_eq!(b.top(3, 7, 7, word), "NEXT");
    assert_eq!(b.unit.state(0, 0), State::Invalid);
    assert_eq!(b.top(3, 8, 8, word), "NEXT");
    assert_eq!(
        (b.said.clone(), b.unit.state(0, 0)),
        (vec!["IDLE 0".into()], State::Idle)
    );
}

#[test]
fn a_minimum_count_invalidates_like_a_timeout() {
    let mut b = Bench::new();
    let word = simple(4, 2).with_late(Late::Invalidates);
    b.top(0, 1, 1, word);
    b.top(1, 1, 1, word);
    assert_eq!(b.said, ["FIRE 0"]);
    assert_eq!(b.run(), ["w0 1 at 11"]);
    assert_eq!(b.unit.state(0, 0), State::Invalid);
    assert_eq!(b.top(0, 0xe, 0xe, word), "NEXT");
    assert_eq!(b.top(1, 2, 2, word), "NEXT");
    assert_eq!(b.unit.state(0, 0), State::Invalid);
    assert_eq!(b.top(2, ALL, ALL, word), "NEXT");
    assert_eq!(b.top(3, ALL, ALL, word), "NEXT");
    assert_eq!(b.unit.state(0, 0), State::Invalid);
    assert_eq!(b.top(1, 0xc, 0xc, word), "NEXT");
    assert_eq!(b.said, ["IDLE 0"]);
    assert_eq!(b.top(0, 1, 1, word), "SLEEP 1", "the next generation");
}

#[test]
fn one_thread_that_is_enough_invalidates() {
    let mut b = Bench::new();
    let word = simple(4, 1).with_late(Late::Invalidates);
    assert_eq!(b.top(0, 1, 1, word), "NEXT");
    assert_eq!(
        (b.said.clone(), b.unit.state(0, 0)),
        (vec!["FIRE 0".into()], State::Invalid)
    );
}

#[test]
fn an_invalid_barrier_is_idle_for_another_tag() {
    let mut b = invalid();
    assert_eq!(b.top_at(0x30, 1, 1, 1, 0, simple(0, 0)), "SLEEP 1");
    assert_eq!(b.unit.state(0, 0), State::Static);
}

#[test]
fn a_full_impatient_barrier_is_not_invalidated() {
    let mut b = Bench::new();
    let word = simple(4, 0).with_late(Late::Invalidates);
    b.top(0, 1, 1, word);
    b.top(0, 0xe, 0xe, word);
    for warp in 1..4 {
        b.top(warp, ALL, ALL, word);
    }
    assert_eq!(b.said, ["FIRE 0"]);
    assert_eq!(b.run(), ["w0 f at 11", "IDLE 0"]);
}

#[test]
fn a_section_is_never_invalidated() {
    let mut b = Bench::new();
    let word = section(4, 3).with_late(Late::Invalidates);
    b.top(0, 1, 1, word);
    b.visit_until(300);
    b.time_out();
    assert_eq!(b.run(), ["w0 1 at 11"]);
    assert_eq!(b.top(1, 1, 1, word), "SLEEP 1");
    b.bottom(0, 1);
    assert_eq!(b.run(), ["w1 1 at 11"]);
}

// BAR-024

#[test]
fn nobody_counts_twice_in_a_generation() {
    let mut b = Bench::of(2, 8);
    assert_eq!(b.top(0, 3, 0, simple(0, 0)), "NEXT");
    assert_eq!(b.top(0, ALL, ALL, simple(0, 0)), "PART 3");
    assert_eq!(b.top(0, 0xc, 0xc, simple(0, 0)), "SLEEP c");
    assert_eq!(b.top(0, 3, 3, simple(0, 0)), "PART 3");
    b.top(1, ALL, 0, simple(0, 0));
    assert_eq!(b.said, ["FIRE 0"]);
    b.run();
    assert_eq!(b.top(0, 3, 3, simple(0, 0)), "SLEEP 3");
}

#[test]
fn with_counts_a_thread_may_come_twice() {
    let mut b = Bench::new();
    b.top(0, 1, 0, simple(1, 2));
    assert_eq!(b.top(0, 1, 0, simple(1, 2)), "NEXT");
    assert_eq!(b.said, ["FIRE 0"]);
}

// BAR-025

#[test]
fn who_does_not_count_changes_nothing() {
    let mut b = Bench::new();
    assert_eq!(b.top(0, ALL, 0, simple(2, 1)), "NEXT");
    assert_eq!(b.unit.state(0, 0), State::Idle);
    for origin in [Origin::FirstParticipant, Origin::LatestParticipant] {
        assert_eq!(b.top(0, ALL, 0, simple(4, 1).with_origin(origin)), "NEXT");
        assert_eq!(b.unit.state(0, 0), State::Idle);
    }
}

#[test]
fn others_start_the_timer_where_they_count_for_it() {
    for origin in [Origin::First, Origin::Latest] {
        let mut b = Bench::new();
        b.top(0, ALL, 0, simple(3, 0).with_origin(origin));
        assert_eq!(b.unit.state(0, 0), State::Static);
        assert_eq!(b.visit_until(300), [(256, (0, 0))]);
        assert_eq!(b.time_out(), ["TIMEOUT 0"]);
        assert_eq!(b.unit.state(0, 0), State::Idle);
    }
}

#[test]
fn the_word_of_the_first_arrival_counts() {
    // A count that changes under a late arrival.
    let mut b = Bench::new();
    b.top(0, 1, 1, simple(2, 3));
    b.top(1, 1, 1, simple(2, 2));
    assert_eq!(b.unit.state(0, 0), State::Static);
    b.top(2, 1, 1, simple(2, 9));
    assert_eq!(b.said, ["FIRE 0"]);
}

// BAR-030

#[test]
fn sleepers_of_a_warp_wake_together_and_warps_in_order_of_blocks() {
    let mut b = Bench::of(0, 12);
    // Blocks stand on warps 5, 2, 9.
    for (block, warp) in [5, 2, 9].into_iter().enumerate() {
        b.launch(warp, 0, block, 12);
    }
    b.top(9, 3, 3, simple(0, 0));
    b.top(9, 0xc, 0xc, simple(0, 0));
    for warp in [5, 2] {
        b.top(warp, 1, 1, simple(0, 0));
        b.top(warp, 0xe, 0xe, simple(0, 0));
    }
    assert!(!b.unit.phase(0, 0) || b.said == ["FIRE 0"]);
    assert_eq!(
        b.run(),
        ["w5 f at 11", "w2 f at 11", "w9 f at 11", "IDLE 0"]
    );
}

#[test]
fn the_phase_flips_with_each_completion() {
    let mut b = Bench::of(1, 4);
    for expected in [true, false, true] {
        b.top(0, ALL, ALL, simple(0, 0));
        assert_eq!(
            (b.said.clone(), b.unit.phase(0, 0)),
            (vec!["FIRE 0".into()], expected)
        );
    }
}

// BAR-031, BAR-032

#[test]
fn who_completes_a_barrier_alone_goes_on() {
    let mut b = Bench::new();
    b.top(0, 1, 1, simple(2, 2));
    assert_eq!(b.top(1, 1, 1, simple(2, 2)), "NEXT");
    assert_eq!(b.run(), ["w0 1 at 11", "IDLE 0"]);
}

#[test]
fn who_completes_a_barrier_with_others_of_its_warp_wakes_with_them() {
    let mut b = Bench::new();
    b.top(0, 1, 1, simple(2, 2));
    assert_eq!(b.top(0, 2, 2, simple(2, 2)), "SLEEP 2");
    assert_eq!(b.run(), ["w0 3 at 11", "IDLE 0"]);
}

#[test]
fn whole_warps_are_held_and_go_on_together() {
    let mut b = Bench::new();
    for warp in 0..3 {
        assert_eq!(b.top(warp, ALL, ALL, simple(0, 0)), "NEXT");
        assert_eq!(b.unit.held(), (2 << warp) - 1);
    }
    assert_eq!(b.top(3, ALL, ALL, simple(0, 0)), "NEXT");
    assert_eq!(b.said, ["FIRE 0"]);
    assert_eq!(
        (b.unit.held(), b.run(), b.unit.state(0, 0)),
        (0, vec![], State::Idle)
    );
}

#[test]
fn a_warp_whose_other_threads_have_ended_is_held() {
    let mut b = Bench::new();
    b.op(OpCode::Exit, 0, 0xc, 0xc, 0);
    assert_eq!(b.top(0, 3, 3, simple(0, 0)), "NEXT");
    assert_eq!(b.unit.held(), 1);
    // Sections hold nobody.
    assert_eq!(b.top_at(0x30, 1, ALL, ALL, 1, section(0, 0)), "SLEEP f");
}

// BAR-040 to BAR-044, BAR-050 to BAR-056

#[test]
fn turns_come_one_by_one_in_order_of_logical_ids() {
    let mut b = Bench::of(2, 8);
    assert_eq!(b.top(1, 0xf, 0xa, section(0, 0)), "SLEEP a");
    assert_eq!(b.top(0, 0xc, 0xc, section(0, 0)), "SLEEP c");
    assert_eq!(b.top(0, 3, 1, section(0, 0)), "SLEEP 1");
    assert_eq!(b.said, ["FIRE 0"]);
    assert_eq!(b.run(), ["w0 1 at 11"]);
    assert_eq!(b.bottom(0, 1), "SLEEP 1");
    assert_eq!(b.run(), ["w0 4 at 11"]);
    b.bottom(0, 4);
    assert_eq!(b.run(), ["w0 8 at 11"]);
    b.bottom(0, 8);
    assert_eq!(b.run(), ["w1 2 at 11"]);
    b.bottom(1, 2);
    assert_eq!(b.run(), ["w1 8 at 11"]);
    assert!(!b.unit.phase(0, 0));
    b.bottom(1, 8);
    assert_eq!(b.run(), ["w0 d at 19", "w1 a at 19", "IDLE 0"]);
    assert!(b.unit.phase(0, 0));
}

#[test]
fn ordered_and_unordered_sections_are_the_same() {
    let run = |kind| {
        let mut b = Bench::of(2, 8);
        b.top(1, ALL, ALL, simple(0, 0).with_kind(kind));
        b.top(0, ALL, ALL, simple(0, 0).with_kind(kind));
        b.run_section(OpCode::Bottom)
    };
    assert_eq!(run(Kind::Section), run(Kind::Ordered));
}

#[test]
fn a_non_blocking_bottom_goes_on_at_once() {
    let mut b = Bench::of(1, 4);
    b.top(0, ALL, 3, section(0, 0));
    b.run();
    assert_eq!(b.op(OpCode::BottomNb, 0, 1, 0, 0), "NEXT");
    assert_eq!(b.run(), ["w0 2 at 11"]);
    assert_eq!(b.op(OpCode::BottomNb, 0, 2, 0, 0), "NEXT");
    assert_eq!(b.run(), ["IDLE 0"]);
}

#[test]
fn bottom_by_others_is_an_error_and_they_go_on() {
    let mut b = Bench::of(1, 4);
    b.top(0, ALL, 1, section(0, 0));
    b.run();
    assert_eq!(b.bottom(0, 3), "SLEEP 1");
    assert_eq!(b.said, ["NOT_HOLDING 2"]);
    assert_eq!(b.bottom(0, 2), "NEXT");
    assert_eq!(b.said, ["NOT_HOLDING 2"]);
}

#[test]
fn bottom_of_another_id_is_an_error() {
    let mut b = Bench::of(1, 4);
    b.top(0, ALL, 1, section(0, 0));
    b.run();
    assert_eq!(b.op(OpCode::Bottom, 0, 1, 0, 3), "NEXT");
    assert_eq!(b.said, ["NOT_HOLDING 1"]);
    assert_eq!(b.bottom(0, 1), "SLEEP 1");
}

#[test]
fn threads_at_another_bottom_wait_there_until_the_group_ends() {
    let mut b = Bench::of(1, 4);
    b.top(0, ALL, ALL, section(0, 0));
    b.run();
    b.bottom(0, 1);
    b.run();
    assert_eq!(b.other_bottom(2), "RETRY 2");
    assert_eq!(b.other_bottom(2), "RETRY 2");
    assert_eq!(b.run(), ["w0 4 at 11"]);
    // With others: they part.
    assert_eq!(b.other_bottom(6), "PART 2");
    b.bottom(0, 4);
    b.run();
    b.bottom(0, 8);
    assert_eq!(b.run(), ["w0 d at 19", "IDLE 0"]);
    assert_eq!(b.other_bottom(2), "NEXT");
    assert_eq!(b.said, NONE);
    // Only once.
    b.other_bottom(2);
    assert_eq!(b.said, ["NOT_HOLDING 2"]);
}

#[test]
fn who_ends_inside_leaves_the_section() {
    let mut b = Bench::of(1, 4);
    b.top(0, ALL, 3, section(0, 0));
    b.run();
    assert_eq!(b.op(OpCode::Exit, 0, 1, 1, 0), "EXIT 1");
    assert_eq!(b.run(), ["w0 2 at 11"]);
    b.op(OpCode::Exit, 0, 2, 2, 0);
    assert_eq!(b.run(), ["IDLE 0"]);
}

#[test]
fn a_section_without_participants_is_idle_soon() {
    let mut b = Bench::of(1, 4);
    b.top(0, ALL, 0, section(0, 0));
    assert_eq!(
        (b.said.clone(), b.run()),
        (vec!["FIRE 0".into()], vec!["IDLE 0".into()])
    );
}

fn impatient(late: Late) -> Bench {
    let mut b = Bench::new();
    let word = section(4, 2).with_late(late);
    b.top(1, 5, 5, word);
    assert_eq!(b.said, ["FIRE 0"]);
    assert_eq!(b.run(), ["w1 1 at 11"]);
    // One before and one behind, by another word.
    assert_eq!(b.top(0, 3, 2, section(0, 0)), "SLEEP 2");
    assert_eq!(b.top(1, 8, 8, section(0, 0)), "SLEEP 8");
    b
}

#[test]
fn late_threads_join_and_are_found_by_the_rescan() {
    let mut b = impatient(Late::Joins);
    let all = b.run_section(OpCode::Bottom);
    // The thread inside had not reached its BOTTOM.
    assert_eq!(all, NONE);
    b.bottom(1, 1);
    let all = b.run_section(OpCode::Bottom);
    assert!(
        all.contains(&"w0 2 at 11".into()) && all.contains(&"w1 8 at 11".into()),
        "{all:?}"
    );
    assert_eq!(all[3..], ["w0 2 at 19", "w1 d at 19", "IDLE 0"]);
}

#[test]
fn late_threads_wait_for_the_end_and_run() {
    let mut b = impatient(Late::Runs);
    b.bottom(1, 1);
    assert_eq!(
        b.run_section(OpCode::Bottom),
        [
            "w1 4 at 11",
            "w1 5 at 19",
            "AGAIN 0",
            "w0 2 at 11",
            "w1 8 at 11",
            "w0 2 at 19",
            "w1 8 at 19",
            "IDLE 0"
        ]
    );
}

#[test]
fn late_threads_wait_for_the_end_and_skip() {
    let mut b = impatient(Late::Skips);
    b.bottom(1, 1);
    assert_eq!(
        b.run_section(OpCode::Bottom),
        ["w1 4 at 11", "w0 2 at 19", "w1 d at 19", "IDLE 0"]
    );
}

#[test]
fn who_cannot_skip_runs() {
    // Nobody has executed a BOTTOM: there is no address behind it.
    let mut b = impatient(Late::Skips);
    b.op(OpCode::Exit, 1, 1, 1, 0);
    assert_eq!(b.run(), ["w1 4 at 11"]);
    b.op(OpCode::Exit, 1, 4, 4, 0);
    assert_eq!(b.run(), ["AGAIN 0", "w0 2 at 11"]);
}

#[test]
fn who_comes_when_the_group_has_ended_waits_for_the_next() {
    for late in [Late::Joins, Late::Runs, Late::Skips] {
        let mut b = Bench::new();
        let word = section(4, 2).with_late(late);
        b.top(0, 1, 1, word);
        b.top(1, 1, 1, word);
        b.run();
        b.bottom(0, 1);
        b.run();
        b.bottom(1, 1);
        // The first of two releases.
        let doing = b.unit.choose();
        assert!(matches!(doing, Some(Doing::Wake(Wake { warp: 0, .. }))));
        assert_eq!(b.top(0, 1, 1, word), "RETRY 1");
        assert_eq!(b.run(), ["w1 1 at 19", "IDLE 0"]);
    }
}

// BAR-060, BAR-061

/// Sections of CTA c, one warp each, in a machine of 16 one-warp CTAs.
fn many(words: impl Fn(usize) -> Word, per_cta: usize) -> Bench {
    let mut b = Bench::of(0, 4);
    for cta in 0..16 {
        b.launch(cta, cta, 0, 4);
        for id in 0..per_cta {
            b.top_at(TAG, cta, 1 << id, 1 << id, id, words(id));
        }
    }
    b
}

#[test]
fn sixteen_barriers_have_slots_and_the_next_waits_for_one() {
    let mut b = many(|_| section(2, 1), 2);
    assert_eq!(b.run().len(), 16);
    assert_eq!(b.op(OpCode::BottomNb, 0, 1, 0, 0), "NEXT");
    // The queue is first in, first out: the seventeenth is c8.0.
    assert_eq!(b.run(), ["IDLE 0", "w8 1 at 11"]);
}

#[test]
fn an_exclusive_section_waits_for_all_others_and_lets_nobody_in() {
    let mut b = Bench::new();
    b.top_at(0x10, 0, 1, 1, 0, section(2, 1));
    b.top_at(0x20, 1, 3, 3, 1, section(2, 2).exclusive());
    b.top_at(0x30, 2, 1, 1, 2, section(2, 1));
    assert_eq!(b.run(), ["w0 1 at 11"]);
    b.op(OpCode::Bottom, 0, 1, 0, 0);
    // Between its turns nobody else gets one.
    assert_eq!(b.run(), ["w0 1 at 19", "IDLE 0", "w1 1 at 21"]);
    b.op(OpCode::BottomNb, 1, 1, 0, 1);
    assert_eq!(b.run(), ["w1 2 at 21"]);
    b.op(OpCode::BottomNb, 1, 2, 0, 1);
    assert_eq!(b.run(), ["IDLE 1", "w2 1 at 31"]);
}

#[test]
fn barriers_of_different_ctas_are_apart() {
    let mut b = many(|_| section(2, 1), 1);
    assert_eq!(b.run().len(), 16);
    assert_eq!(b.unit.state(3, 1), State::Idle);
}

#[test]
fn the_arbiter_takes_the_highest_priority() {
    let mut b = many(|_| section(2, 1), 1);
    let doing = b.unit.choose();
    assert!(matches!(doing, Some(Doing::Wake(Wake { warp: 0, .. }))));
    let mut b = Bench::new();
    b.unit.set_priority(3 << 10);
    b.top_at(TAG, 0, 1, 1, 0, section(2, 1));
    b.top_at(TAG, 1, 1, 1, 5, section(2, 1));
    let doing = b.unit.choose();
    assert!(matches!(doing, Some(Doing::Wake(Wake { warp: 1, .. }))));
}

/// All slots are taken, and one waits.
#[test]
fn priorities_count_when_a_slot_is_taken() {
    for in_queue in [true, false] {
        let mut b = many(|_| section(2, 1), 1);
        assert_eq!(b.run().len(), 16);
        b.top_at(0x30, 0, 2, 2, 1, section(2, 1));
        let change = |b: &mut Bench| b.unit.set_priority(3 << 2);
        if in_queue {
            change(&mut b);
            assert_eq!(b.unit.take_notes().last(), Some(&"priority.queue_full"));
        }
        (0..2).for_each(|warp| drop(b.op(OpCode::BottomNb, warp, 1, 0, 0)));
        let first = b.unit.choose();
        assert!(matches!(first, Some(Doing::Event(e)) if e.cta == 0));
        change(&mut b);
        // The next one in turn is c1.0, in slot 1.
        let want = match in_queue {
            true => ["w0 2 at 31", "IDLE c1.0"],
            false => ["IDLE c1.0", "w0 2 at 31"],
        };
        assert_eq!(b.run(), want);
    }
}

/// The warps whose threads wake, in their order, when whoever is inside leaves at once.
fn turns(b: &mut Bench, count: usize, id_of: impl Fn(usize) -> usize) -> Vec<usize> {
    let mut order = Vec::new();
    while order.len() < count {
        match b.unit.choose() {
            Some(Doing::Wake(w)) => {
                order.push(w.warp);
                b.op(OpCode::BottomNb, w.warp, w.mask, 0, id_of(w.warp));
            }
            Some(Doing::Event(_)) => {}
            None => break,
        }
    }
    order
}

// BAR-061, BAR-104

#[test]
fn slots_of_one_priority_take_turns() {
    let mut b = Bench::new();
    for warp in 0..3 {
        b.top_at(TAG, warp, 7, 7, warp, section(2, 3));
    }
    let order = turns(&mut b, 9, |warp| warp);
    assert_eq!(order, [0, 1, 2, 0, 1, 2, 0, 1, 2]);
}

#[test]
fn each_priority_remembers_where_it_was() {
    let mut b = Bench::new();
    // Slot 1 is above the others, and is able to go every second time.
    b.unit.set_priority(3 << 2);
    for warp in 0..4 {
        b.top_at(TAG, warp, 7, 7, warp, section(2, 3));
    }
    let mut order = Vec::new();
    let mut inside = None;
    while order.len() < 8 {
        match b.unit.choose() {
            Some(Doing::Wake(w)) => {
                order.push(w.warp);
                if w.warp == 1 {
                    inside = Some(w.mask);
                    continue;
                }
                b.op(OpCode::BottomNb, w.warp, w.mask, 0, w.warp);
                if let Some(mask) = inside.take() {
                    b.op(OpCode::BottomNb, 1, mask, 0, 1);
                }
            }
            Some(Doing::Event(_)) => {}
            None => break,
        }
    }
    assert_eq!(order, [1, 0, 1, 2, 1, 3, 0, 2]);
}

// BAR-062

#[test]
fn simple_barriers_go_on_beside_an_exclusive_section() {
    let mut b = Bench::new();
    b.top_at(0x10, 0, 1, 1, 0, section(2, 1).exclusive());
    assert_eq!(b.run(), ["w0 1 at 11"]);
    // Another section waits for it. The sleepers of a simple barrier do not, nor those whom a reset lets go.
    b.top_at(0x20, 1, 1, 1, 1, section(2, 1));
    b.top_at(0x30, 2, 1, 1, 2, simple(2, 2));
    b.top_at(0x30, 3, 1, 1, 2, simple(2, 2));
    assert_eq!(b.run(), ["w2 1 at 31", "IDLE 2"]);
    b.top_at(0x40, 3, 2, 2, 3, section(2, 9));
    b.op(OpCode::Reset, 2, 1, 0, 3);
    assert_eq!(b.run(), ["w3 2 at 40", "IDLE 3"]);
    b.op(OpCode::BottomNb, 0, 1, 0, 0);
    assert_eq!(b.run(), ["IDLE 0", "w1 1 at 21"]);
}

#[test]
fn simple_barriers_go_on_beside_sixteen_slots() {
    let mut b = many(|id| if id == 2 { simple(2, 2) } else { section(2, 1) }, 2);
    assert_eq!(b.run().len(), 16);
    b.top_at(TAG, 5, 4, 4, 2, simple(2, 2));
    b.top_at(TAG, 5, 8, 8, 2, simple(2, 2));
    assert_eq!(b.run(), ["w5 c at 11", "IDLE c5.2"]);
}

#[test]
fn an_exclusive_section_does_not_wait_for_sleepers() {
    let mut b = Bench::new();
    b.top_at(0x30, 2, 1, 1, 2, simple(2, 2));
    b.top_at(0x30, 2, 2, 2, 2, simple(2, 2));
    b.top_at(0x10, 0, 1, 1, 0, section(2, 1).exclusive());
    assert_eq!(b.unit.in_slots().count(), 1);
    assert_eq!(b.run(), ["w0 1 at 11", "w2 3 at 31", "IDLE 2"]);
}

#[test]
fn slots_and_releases_take_turns() {
    let mut b = Bench::new();
    // Two sections, each with turns that end at once, and a barrier with sleepers in all of three warps.
    for warp in 0..2 {
        b.top_at(TAG, warp, 7, 7, warp, section(2, 3));
    }
    for warp in 1..4 {
        b.top_at(0x30, warp, 8, 8, 4, simple(2, 4));
    }
    b.top_at(0x30, 3, 4, 4, 4, simple(2, 4));
    let order = turns(&mut b, 7, |warp| warp);
    assert_eq!(order, [0, 1, 1, 2, 0, 3, 1]);
}

// BAR-070, BAR-071

#[test]
fn a_timer_runs_out_at_the_t_th_visit_after_its_start() {
    // Barrier 3 of CTA 2 is number 19: visited in cycles 38, 294, 550 …
    for (start, ticks, end) in [
        (37, 1, 38),
        (38, 1, 294),
        (0, 2, 294),
        (39, 3, 806),
        (300, 0, 550),
    ] {
        let mut b = Bench::of(0, 4);
        b.launch(0, 2, 0, 4);
        b.cycle = start;
        b.top_at(TAG, 0, 1, 1, 3, simple(3, 0).with_timeout(ticks));
        assert_eq!(b.unit.next_expiry(start), Some(end));
        assert_eq!(b.visit_until(2_000), [(end, (2, 3))]);
        assert_eq!(b.time_out(), ["TIMEOUT c2.3"]);
        assert_eq!(b.run(), ["w0 1 at 11", "IDLE c2.3"]);
    }
}

#[test]
fn the_four_origins() {
    // A comes at 10 without and at 300 with participants, again at 600 with and at 900 without.
    let expired = |origin| {
        let mut b = Bench::new();
        let word = simple(4, 4).with_origin(origin).with_timeout(4);
        let mut all = Vec::new();
        for (cycle, s) in [(10, 0), (300, 1), (600, 2), (900, 0)] {
            all.extend(b.visit_until(cycle));
            if all.is_empty() {
                b.top(cycle as usize / 300, 3, s, word);
            }
        }
        all.extend(b.visit_until(3_000));
        all.iter().map(|e| e.0).collect::<Vec<_>>()
    };
    assert_eq!(expired(Origin::FirstParticipant), [1280]);
    assert_eq!(expired(Origin::First), [1024]);
    assert_eq!(expired(Origin::LatestParticipant), [1536]);
    assert_eq!(expired(Origin::Latest), [1792]);
}

#[test]
fn a_timeout_of_a_section_starts_the_group() {
    let mut b = Bench::new();
    b.top(0, ALL, 5, section(3, 0));
    b.visit_until(300);
    assert_eq!(b.time_out(), ["TIMEOUT 0"]);
    assert_eq!(b.run(), ["w0 1 at 11"]);
}

#[test]
fn what_is_complete_has_no_timer() {
    let mut b = Bench::new();
    b.top(0, 1, 1, simple(4, 2));
    b.top(1, 1, 1, simple(4, 2));
    assert_eq!(b.visit_until(1_000), []);
    let mut b = Bench::new();
    b.top(0, 1, 1, simple(4, 2));
    b.op(OpCode::Reset, 1, 1, 0, 0);
    assert_eq!(b.visit_until(1_000), []);
}

#[test]
fn timeout_or_a_minimum_count() {
    let mut b = Bench::new();
    b.top(0, 3, 1, simple(4, 2));
    assert_eq!(b.unit.state(0, 0), State::Static);
    b.top(1, 1, 1, simple(4, 2));
    assert_eq!(b.said, ["FIRE 0"]);
}

#[test]
fn a_speed_bump_groups_who_comes_in_time() {
    let mut b = Bench::new();
    let word = simple(3, 0);
    b.top(0, 1, 1, word);
    b.top(1, 1, 1, word);
    b.visit_until(300);
    assert_eq!(b.time_out(), ["TIMEOUT 0"]);
    assert_eq!(b.run(), ["w0 1 at 11", "w1 1 at 11", "IDLE 0"]);
    // Who comes later forms the next group.
    assert_eq!(b.top(2, 1, 1, word), "SLEEP 1");
    assert_eq!(b.visit_until(600).len(), 1);
}

// BAR-080, BAR-081

fn wait(b: &mut Bench, warp: usize, a: u64, parity: u64) -> String {
    b.op(OpCode::Wait, warp, a, parity, 0)
}

fn arrive(b: &mut Bench, warp: usize, a: u64, word: Word) -> String {
    b.give(Op {
        code: OpCode::Arrive,
        warp,
        active: a,
        word,
        ..Op::default()
    })
}

#[test]
fn arrive_goes_on_and_wait_waits_for_the_end_of_the_phase() {
    let mut b = Bench::of(2, 8);
    assert_eq!(arrive(&mut b, 0, ALL, simple(0, 0)), "NEXT");
    assert_eq!(wait(&mut b, 0, ALL, 0), "RETRY f");
    assert_eq!(wait(&mut b, 0, ALL, 3), "RETRY c");
    assert_eq!(arrive(&mut b, 1, ALL, simple(0, 0)), "NEXT");
    assert_eq!(b.said, ["FIRE 0"]);
    assert_eq!(wait(&mut b, 0, ALL, 0), "NEXT");
    assert_eq!(wait(&mut b, 0, ALL, ALL), "RETRY f");
    assert_eq!(wait(&mut b, 0, ALL, 6), "RETRY 6");
}

#[test]
fn arrive_and_wait_a_thousand_times() {
    let mut b = Bench::of(2, 8);
    for round in 0..1_024u64 {
        let parity = if round % 2 == 0 { 0 } else { ALL };
        assert_eq!(arrive(&mut b, 0, ALL, simple(0, 0)), "NEXT");
        assert_eq!(wait(&mut b, 0, ALL, parity), "RETRY f");
        assert_eq!(arrive(&mut b, 1, ALL, simple(0, 0)), "NEXT");
        assert_eq!(wait(&mut b, 0, ALL, parity), "NEXT");
        assert_eq!(wait(&mut b, 1, ALL, parity), "NEXT");
    }
}

#[test]
fn split_and_other_use_exclude_each_other() {
    let mut b = Bench::new();
    arrive(&mut b, 0, 1, simple(1, 4));
    assert_eq!(b.top(1, 3, 3, simple(0, 0)), "RETRY 3");
    let mut b = Bench::new();
    b.top(1, 3, 3, simple(0, 0));
    assert_eq!(arrive(&mut b, 0, 1, simple(1, 4)), "RETRY 1");
}

#[test]
fn arrivals_count_as_the_word_says() {
    let mut b = Bench::new();
    arrive(&mut b, 0, 3, simple(0, 0));
    assert_eq!(arrive(&mut b, 0, 7, simple(0, 0)), "PART 3");
    let mut b = Bench::new();
    arrive(&mut b, 0, 3, simple(1, 4));
    assert_eq!(
        (arrive(&mut b, 0, 3, simple(1, 4)), b.said),
        ("NEXT".into(), vec!["FIRE 0".into()])
    );
}

// BAR-090

#[test]
fn a_hung_simple_barrier_can_be_reset() {
    let mut b = Bench::new();
    b.top(0, ALL, ALL, simple(0, 0));
    b.top(1, 5, 5, simple(0, 0));
    assert_eq!(b.unit.held(), 1);
    assert_eq!(b.op(OpCode::Reset, 2, ALL, 0, 0), "NEXT");
    assert_eq!(b.unit.held(), 0);
    assert_eq!(b.run(), ["w1 5 at 11", "IDLE 0"]);
    assert!(!b.unit.phase(0, 0));
}

#[test]
fn reset_lets_held_warps_go_at_once() {
    let mut b = Bench::new();
    b.top(0, ALL, ALL, simple(0, 0));
    b.op(OpCode::Reset, 2, ALL, 0, 0);
    assert_eq!((b.said.clone(), b.unit.held()), (vec!["IDLE 0".into()], 0));
}

#[test]
fn reset_makes_threads_in_front_of_a_section_arrive_anew() {
    let mut b = Bench::new();
    b.top(0, 3, 3, section(0, 0));
    assert_eq!(b.op(OpCode::Reset, 2, ALL, 0, 0), "NEXT");
    assert_eq!(b.run(), ["w0 3 at 10", "IDLE 0"]);
}

#[test]
fn reset_of_a_running_section_ends_it() {
    let mut b = Bench::of(2, 8);
    b.top(0, ALL, ALL, section(0, 0));
    b.top(1, ALL, ALL, section(0, 0));
    b.run();
    b.bottom(0, 1);
    assert_eq!(b.run(), ["w0 2 at 11"]);
    b.op(OpCode::Reset, 0, 2, 0, 0);
    assert_eq!(
        b.run(),
        ["w0 1 at 19", "w0 c at 10", "w1 f at 10", "IDLE 0"]
    );
    assert_eq!(b.bottom(0, 2), "NEXT");
    assert_eq!(b.said, ["NOT_HOLDING 2"]);
}

#[test]
fn reset_of_what_nobody_waits_for() {
    let mut b = Bench::new();
    b.op(OpCode::Reset, 0, 1, 0, 0);
    assert_eq!(b.said, NONE);
    b.top(0, ALL, 0, simple(0, 0));
    b.op(OpCode::Reset, 0, 1, 0, 0);
    assert_eq!(b.said, ["IDLE 0"]);
    let mut b = invalid();
    b.op(OpCode::Reset, 0, 1, 0, 0);
    assert_eq!(b.said, ["IDLE 0"]);
}

// BAR-091, BAR-092, BAR-093, BAR-105

#[test]
fn a_thread_that_exits_releases_those_who_wait() {
    let mut b = Bench::new();
    for warp in 0..3 {
        b.top(warp, ALL, ALL, simple(0, 0));
    }
    assert_eq!(b.op(OpCode::Exit, 3, ALL, 7, 0), "EXIT 7");
    assert_eq!(b.said, NONE);
    b.op(OpCode::Exit, 3, 8, 8, 0);
    assert_eq!((b.said.clone(), b.unit.held()), (vec!["FIRE 0".into()], 0));
}

#[test]
fn what_a_thread_has_counted_goes_with_it() {
    let mut b = Bench::new();
    b.top(0, ALL, 0, simple(0, 0));
    b.top(1, ALL, ALL, simple(0, 0));
    b.op(OpCode::Exit, 0, ALL, ALL, 0);
    b.top(2, ALL, ALL, simple(0, 0));
    assert_eq!(b.unit.state(0, 0), State::Static);
    b.top(3, ALL, ALL, simple(0, 0));
    assert_eq!(b.said, ["FIRE 0"]);
}

#[test]
fn an_exit_completes_barriers_in_order_of_their_ids() {
    let mut b = Bench::new();
    for (warp, id) in [(0, 6), (1, 2)] {
        b.top_at(TAG, warp, ALL, ALL, id, simple(1, 12));
    }
    b.op(OpCode::Exit, 2, ALL, ALL, 0);
    b.op(OpCode::Exit, 3, ALL, ALL, 0);
    assert_eq!(b.said, NONE);
    b.top_at(TAG, 1, 0, 0, 2, simple(1, 12));
    let mut b = Bench::new();
    b.top_at(TAG, 0, 3, 3, 6, simple(1, 2 + 8));
    b.top_at(TAG, 1, 3, 3, 2, simple(1, 2 + 8));
    for warp in [2, 3] {
        b.op(OpCode::Exit, warp, ALL, ALL, 0);
    }
    b.op(OpCode::Exit, 0, 0xc, 0xc, 0);
    assert_eq!(b.said, NONE);
    b.op(OpCode::Exit, 1, 0xc, 0xc, 0);
    assert_eq!(b.said, NONE);
    b.op(OpCode::Kill, 1, 0, 0, 0);
    assert_eq!(b.said, ["FIRE 6"]);
}

#[test]
fn a_killed_warp_leaves_its_barriers() {
    let mut b = Bench::new();
    b.top(0, 3, 3, simple(1, 4));
    b.top_at(0x30, 0, 4, 4, 1, section(2, 1));
    b.top_at(0x30, 1, 4, 4, 1, section(2, 1));
    assert_eq!(b.run(), ["w0 4 at 31"]);
    b.op(OpCode::Kill, 0, 0, 0, 0);
    assert_eq!(b.unit.live(0), 12);
    assert_eq!(b.run(), ["IDLE 1"]);
    b.top(1, 3, 3, simple(1, 4));
    assert_eq!(b.said, NONE);
    b.top(2, 3, 3, simple(1, 4));
    assert_eq!(b.said, ["FIRE 0"]);
}

#[test]
fn a_killed_warp_is_not_held() {
    let mut b = Bench::new();
    b.top(0, ALL, ALL, simple(0, 0));
    b.op(OpCode::Kill, 0, 0, 0, 0);
    assert_eq!(b.unit.held(), 0);
}

#[test]
fn a_reused_slot_starts_with_phase_0() {
    let mut b = Bench::of(1, 4);
    arrive(&mut b, 0, ALL, simple(0, 0));
    assert!(b.unit.phase(0, 0));
    arrive(&mut b, 0, 1, simple(0, 0));
    b.op(OpCode::Exit, 0, ALL, ALL, 0);
    b.launch(3, 0, 0, 4);
    assert!(!b.unit.phase(0, 0));
    assert_eq!(b.unit.state(0, 0), State::Idle);
    assert_eq!(wait(&mut b, 3, ALL, 0), "RETRY f");
}

#[test]
fn a_warp_slot_may_serve_another_cta_while_its_former_one_runs() {
    let mut b = Bench::of(2, 8);
    b.top(1, ALL, ALL, simple(1, 4));
    b.op(OpCode::Exit, 0, ALL, ALL, 0);
    b.top(1, 0, 0, simple(0, 0));
    let mut b = Bench::of(2, 8);
    b.top(1, 3, 3, simple(0, 0));
    b.op(OpCode::Exit, 0, ALL, ALL, 0);
    b.launch(0, 5, 0, 4);
    b.top(0, ALL, 3, simple(0, 0));
    assert_eq!(
        (b.unit.state(5, 0), b.said.clone()),
        (State::Idle, vec!["FIRE c5.0".into()])
    );
    b.run();
    b.top(1, 0xc, 0xc, simple(0, 0));
    assert_eq!(b.run(), ["w1 f at 11", "IDLE 0"]);
}

#[test]
fn a_new_cta_does_not_inherit_a_barrier_that_waits_in_the_queue() {
    let mut b = Bench::of(1, 4);
    b.launch(1, 1, 0, 4);
    b.top_at(TAG, 1, 1, 1, 0, section(2, 1).exclusive());
    assert_eq!(b.run(), ["w1 1 at 11"]);
    // Complete without anybody, behind an exclusive section.
    b.top(0, 1, 0, section(1, 1));
    b.op(OpCode::Exit, 0, ALL, ALL, 0);
    b.launch(0, 0, 0, 4);
    assert_eq!(b.unit.state(0, 0), State::Idle);
    b.op(OpCode::BottomNb, 1, 1, 0, 0);
    assert_eq!(b.run(), ["IDLE c1.0"]);
}

// What is judged.

#[test]
fn wakes_that_the_hardware_may_not_choose_are_refused() {
    let start = || {
        let mut b = Bench::of(2, 8);
        b.top(0, ALL, ALL, section(0, 0));
        b.top(1, ALL, ALL, section(0, 0));
        b.unit
    };
    let of = |warp, mask, pc| Wake { warp, mask, pc };
    assert!(start().woken(&of(0, 1, 0x11)).is_ok());
    for wrong in [
        of(0, 1, 0x12),
        of(0, 3, 0x11),
        of(0, 2, 0x11),
        of(1, 1, 0x11),
        of(2, 1, 0x11),
    ] {
        assert!(start().woken(&wrong).is_err(), "{wrong}");
    }
    let mut unit = start();
    unit.woken(&of(0, 1, 0x11)).expect("the first");
    assert!(unit.woken(&of(0, 2, 0x11)).is_err(), "two inside");
    assert!(unit
        .happened(&Event {
            kind: EventKind::Idle,
            cta: 0,
            id: 0
        })
        .is_err());
}

/// BAR-082, BAR-083: as with each verdict, whoever else of the warp is awake.
#[test]
fn a_warp_waits_when_all_its_awake_threads_are_told_to() {
    let mut b = Bench::of(2, 8);
    arrive(&mut b, 0, ALL, simple(0, 0));
    wait(&mut b, 0, 3, 0);
    assert_eq!(b.unit.waiting(), 0);
    wait(&mut b, 0, 0xc, 0);
    assert_eq!(b.unit.waiting(), 1);
    // Any other verdict: nobody is told any more.
    wait(&mut b, 1, 3, 0);
    assert_eq!(b.op(OpCode::BottomNb, 1, 0xc, 0, 1), "NEXT");
    wait(&mut b, 1, 0xc, 0);
    assert_eq!(b.unit.waiting(), 1);
    wait(&mut b, 1, 3, 0);
    assert_eq!(b.unit.waiting(), 3);
    // The phase flips.
    b.launch(2, 1, 0, 4);
    assert_eq!(b.unit.waiting(), 3);
    b.give(Op {
        code: OpCode::Kill,
        warp: 1,
        ..Op::default()
    });
    assert_eq!(b.said, ["FIRE 0"]);
    assert_eq!(b.unit.waiting(), 0);
}

/// BAR-082: PART of TOP tells to wait, PART of BOTTOM does not; who sleeps is not asked.
#[test]
fn parts_of_a_top_wait_and_parts_of_a_bottom_do_not() {
    let mut b = Bench::of(2, 8);
    assert_eq!(b.top(0, 7, 1, simple(0, 0)), "SLEEP 1");
    assert_eq!(b.top(0, 6, 6, simple(0, 0)), "PART 6");
    assert_eq!(b.unit.waiting(), 0);
    assert_eq!(b.top(0, 8, 0, simple(0, 0)), "NEXT");
    assert_eq!(b.top(0, 0xe, 0xe, simple(0, 0)), "PART e");
    assert_eq!(b.unit.waiting(), 1);
    // Thread 1 waits at another BOTTOM, thread 2 sleeps until its turn, 3 has gone elsewhere.
    let mut b = Bench::of(1, 4);
    b.top(0, 7, 7, section(2, 3));
    b.run();
    b.bottom(0, 1);
    b.run();
    assert_eq!(b.other_bottom(2), "RETRY 2");
    assert_eq!(b.unit.waiting(), 0, "thread 3 can go");
    assert_eq!(b.other_bottom(0xa), "PART 2");
    assert_eq!(wait(&mut b, 0, 8, 8), "NEXT");
    assert_eq!(wait(&mut b, 0, 8, 0), "RETRY 8");
    assert_eq!(b.unit.waiting(), 0, "thread 1 was asked before that");
    assert_eq!(b.other_bottom(2), "RETRY 2");
    assert_eq!(b.unit.waiting(), 1);
    assert_eq!(b.run(), ["w0 4 at 11"]);
    assert_eq!(b.unit.waiting(), 0, "thread 2 can go");
}
