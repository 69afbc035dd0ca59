//! The unit in rust-hdl's simulator, and against its own Verilog.

use super::*;
use std::collections::VecDeque;
use weft_rtl::Bench;

type Small = Barrier<4, 2, 4, 3, 5, 6>;

const TOP: u64 = 0;
const BOTTOM: u64 = 1;
const BOTTOM_NB: u64 = 2;
const RESET: u64 = 3;
const ARRIVE: u64 = 4;
const WAIT: u64 = 5;
const EXIT: u64 = 6;
const LAUNCH: u64 = 8;
const KILL: u64 = 9;

/// An operation.
#[derive(Clone, Copy, Debug, Default)]
struct Op {
    code: u64,
    warp: u64,
    active: u64,
    mask: u64,
    id: u64,
    word: u64,
    pc: u64,
    cta: u64,
    block: u64,
    threads: u64,
}

/// What comes out, in its order.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Seen {
    /// Warp, op, mask; mask 0 with NEXT.
    Verdict(u64, u64, u64),
    /// Kind, CTA slot, id.
    Event(u64, u64, u64),
    /// Warp, mask, address.
    Wake(u64, u64, u64),
    /// Warp, mask, cause.
    Error(u64, u64, u64),
    /// The set of held warps has changed.
    Hold(u64),
}
use self::Seen::{Error, Event, Hold, Verdict, Wake};

struct Unit {
    bench: Bench<Small>,
    hold: u64,
    /// What came out, and in which cycle.
    outs: VecDeque<(u64, Seen)>,
    /// The cycle in which the latest operation was taken.
    taken: u64,
}

impl Unit {
    fn new() -> Self {
        let mut unit = Unit {
            bench: Bench::new(Small::default(), |u, level| u.clock.next = level.into()),
            hold: 0,
            outs: VecDeque::new(),
            taken: 0,
        };
        unit.bench.uut.verdict_ready.next = true;
        unit.bench.uut.wake_ready.next = true;
        unit.bench.uut.reset.next = true;
        unit.bench.edge();
        unit.bench.edge();
        unit.bench.uut.reset.next = false;
        unit
    }

    fn cycle(&mut self) {
        self.bench.settle();
        let u = &self.bench.uut;
        let now = self.bench.cycle();
        if u.verdict_valid.val() && u.verdict_ready.val() {
            let op = u.verdict_op.val().to_u64();
            let mask = if op == 0 {
                0
            } else {
                u.verdict_mask.val().to_u64()
            };
            let warp = u.verdict_warp.val().to_u64();
            self.outs.push_back((now, Verdict(warp, op, mask)));
        }
        if u.error.valid.val() {
            let (warp, mask) = (u.error.warp.val().to_u64(), u.error.mask.val().to_u64());
            let cause = u.error.cause.val().to_u64();
            self.outs.push_back((now, Error(warp, mask, cause)));
        }
        if u.event.valid.val() {
            let (cta, id) = (u.event.cta.val().to_u64(), u.event.id.val().to_u64());
            let kind = u.event.kind.val().to_u64();
            self.outs.push_back((now, Event(kind, cta, id)));
        }
        if u.hold.val().to_u64() != self.hold {
            self.hold = u.hold.val().to_u64();
            self.outs.push_back((now, Hold(self.hold)));
        }
        if u.wake_valid.val() && u.wake_ready.val() {
            let (warp, mask) = (u.wake_warp.val().to_u64(), u.wake_mask.val().to_u64());
            let pc = u.wake_pc.val().to_u64();
            self.outs.push_back((now, Wake(warp, mask, pc)));
        }
        self.bench.edge();
    }

    fn apply(&mut self, op: Op) {
        let u = &mut self.bench.uut;
        u.op_valid.next = true;
        u.op_code.next = op.code.into();
        u.op_warp.next = op.warp.into();
        u.op_active.next = op.active.into();
        u.op_mask.next = op.mask.into();
        u.op_id.next = op.id.into();
        u.op_word.next = op.word.into();
        u.op_pc.next = op.pc.into();
        u.op_cta.next = op.cta.into();
        u.op_block.next = op.block.into();
        u.op_threads.next = op.threads.into();
        for _ in 0..1000 {
            self.bench.settle();
            let ready = self.bench.uut.op_ready.val();
            self.taken = self.bench.cycle();
            self.cycle();
            if ready {
                self.bench.uut.op_valid.next = false;
                return;
            }
        }
        panic!("{op:?} is not taken");
    }

    /// Nothing comes any more.
    fn rest(&mut self) {
        for _ in 0..100 {
            self.cycle();
        }
    }

    /// An operation, and all that comes of it.
    fn does(&mut self, op: Op, outs: &[Seen]) {
        self.apply(op);
        self.rest();
        self.comes(outs);
    }

    fn comes(&mut self, outs: &[Seen]) {
        let all: Vec<Seen> = self.outs.drain(..).map(|(_, out)| out).collect();
        assert_eq!(all, outs);
    }

    /// Cycles from the latest operation to this output.
    fn after(&self, out: &Seen) -> u64 {
        let found = self.outs.iter().find(|(_, o)| o == out);
        found
            .unwrap_or_else(|| panic!("no {out:?} in {:?}", self.outs))
            .0
            - self.taken
    }

    /// A CTA of so many threads on the warps in ascending order.
    fn launch(&mut self, cta: u64, warps: &[u64], threads: u64) {
        for (block, &warp) in warps.iter().enumerate() {
            let rest = threads - 4 * block as u64;
            let active = (1 << rest.min(4)) - 1;
            self.apply(Op {
                code: LAUNCH,
                warp,
                active,
                cta,
                block: block as u64,
                threads,
                ..Op::default()
            });
        }
        self.rest();
        self.comes(&[]);
    }
}

fn op(code: u64, warp: u64, active: u64, mask: u64, word: u64, pc: u64) -> Op {
    Op {
        code,
        warp,
        active,
        mask,
        word,
        pc,
        id: 2,
        ..Op::default()
    }
}

const NEXT: u64 = 0;
const SLEEP: u64 = 1;
const RETRY: u64 = 2;
const PART: u64 = 3;
const FIRE: u64 = 0;
const TIMEOUT: u64 = 1;
const IDLE: u64 = 2;
const AGAIN: u64 = 3;

const SECTION: u64 = 2 << 14;
const EXCLUSIVE: u64 = 1 << 16;

fn condition(condition: u64, count: u64) -> u64 {
    condition << 11 | count
}

fn impatient(ticks: u64, origin: u64, late: u64) -> u64 {
    3 << 11 | origin << 17 | late << 19 | ticks << 21
}

/// Two warps meet; one is held, the other completes.
#[test]
fn held_warps_go_on() {
    let mut u = Unit::new();
    u.launch(3, &[2, 1], 8);
    u.does(op(TOP, 2, 15, 15, 0, 10), &[Verdict(2, NEXT, 0), Hold(4)]);
    u.apply(op(TOP, 1, 15, 15, 0, 10));
    u.rest();
    assert_eq!(u.after(&Verdict(1, NEXT, 0)), 3);
    assert_eq!(u.after(&Hold(0)), 4);
    u.comes(&[Verdict(1, NEXT, 0), Event(FIRE, 3, 2), Hold(0)]);
    // The same barrier once more.
    u.does(op(TOP, 1, 15, 15, 0, 10), &[Verdict(1, NEXT, 0), Hold(2)]);
    u.does(
        op(TOP, 2, 15, 15, 0, 10),
        &[Verdict(2, NEXT, 0), Event(FIRE, 3, 2), Hold(0)],
    );
}

/// Sleepers of a simple barrier wake warp by warp, in the order of the blocks.
#[test]
fn sleepers_wake_in_the_order_of_blocks() {
    let mut u = Unit::new();
    u.launch(0, &[3, 0, 2], 12);
    u.does(op(TOP, 2, 3, 3, 0, 10), &[Verdict(2, SLEEP, 3)]);
    u.does(op(TOP, 0, 15, 6, 0, 10), &[Verdict(0, SLEEP, 6)]);
    // Seen threads wait for the next generation.
    u.does(op(TOP, 0, 9, 9, 0, 10), &[Verdict(0, PART, 9), Hold(1)]);
    // Another place.
    u.does(op(TOP, 2, 4, 4, 0, 20), &[Verdict(2, RETRY, 4)]);
    u.does(op(TOP, 3, 5, 5, 0, 10), &[Verdict(3, SLEEP, 5)]);
    u.does(op(TOP, 3, 10, 8, 0, 10), &[Verdict(3, SLEEP, 8)]);
    u.apply(op(TOP, 2, 12, 12, 0, 10));
    u.rest();
    let first = u.after(&Wake(3, 13, 11));
    assert_eq!(u.after(&Wake(0, 6, 11)), first + 2);
    assert_eq!(u.after(&Wake(2, 15, 11)), first + 4);
    println!("first wake of a release after {first}");
    u.comes(&[
        Verdict(2, SLEEP, 12),
        Event(FIRE, 0, 2),
        Wake(3, 13, 11),
        Hold(0),
        Wake(0, 6, 11),
        Wake(2, 15, 11),
        Event(IDLE, 0, 2),
    ]);
}

/// Turns in the order of logical ids; the blocking BOTTOM wakes all at the end.
#[test]
fn ordered_section_with_a_blocking_bottom() {
    let mut u = Unit::new();
    u.launch(1, &[1, 0], 8);
    u.does(op(TOP, 0, 15, 9, SECTION, 10), &[Verdict(0, SLEEP, 9)]);
    u.does(
        op(TOP, 1, 15, 6, SECTION, 10),
        &[Verdict(1, SLEEP, 6), Event(FIRE, 1, 2), Wake(1, 2, 11)],
    );
    // It cannot enter again, and others do not hold the section.
    u.does(
        op(TOP, 1, 2, 2, SECTION, 10),
        &[Verdict(1, NEXT, 0), Error(1, 2, 3)],
    );
    u.apply(op(BOTTOM, 1, 11, 0, 0, 15));
    u.rest();
    assert_eq!(u.after(&Wake(1, 4, 11)), 6);
    u.comes(&[Verdict(1, SLEEP, 2), Error(1, 9, 1), Wake(1, 4, 11)]);
    u.does(
        op(BOTTOM, 1, 4, 0, 0, 15),
        &[Verdict(1, SLEEP, 4), Wake(0, 1, 11)],
    );
    // Another BOTTOM: that thread cannot sleep.
    u.does(
        op(BOTTOM, 0, 1, 0, 0, 17),
        &[Verdict(0, RETRY, 1), Wake(0, 8, 11)],
    );
    u.does(op(BOTTOM, 0, 1, 0, 0, 17), &[Verdict(0, RETRY, 1)]);
    u.does(op(BOTTOM, 0, 3, 0, 0, 17), &[Verdict(0, PART, 1)]);
    u.does(
        op(BOTTOM, 0, 8, 0, 0, 15),
        &[
            Verdict(0, SLEEP, 8),
            Wake(1, 6, 16),
            Wake(0, 8, 16),
            Event(IDLE, 1, 2),
        ],
    );
    u.does(op(BOTTOM, 0, 1, 0, 0, 17), &[Verdict(0, NEXT, 0)]);
}

#[test]
fn ordered_section_without_blocking() {
    let mut u = Unit::new();
    u.launch(1, &[1, 0], 8);
    u.does(op(TOP, 0, 15, 8, SECTION, 10), &[Verdict(0, SLEEP, 8)]);
    u.does(
        op(TOP, 1, 15, 1, SECTION, 10),
        &[Verdict(1, SLEEP, 1), Event(FIRE, 1, 2), Wake(1, 1, 11)],
    );
    u.does(
        op(BOTTOM_NB, 1, 1, 0, 0, 15),
        &[Verdict(1, NEXT, 0), Wake(0, 8, 11)],
    );
    // EXIT inside ends it too.
    u.does(
        op(EXIT, 0, 8, 8, 0, 0),
        &[Verdict(0, 4, 8), Event(IDLE, 1, 2)],
    );
}

/// A simple barrier runs out of time; who comes later ignores it until all have.
#[test]
fn impatient_barrier_is_invalidated() {
    let mut u = Unit::new();
    u.launch(1, &[1, 0], 8);
    let word = impatient(0, 0, 3);
    u.apply(op(TOP, 0, 3, 3, word, 10));
    let mut expired = 0;
    for _ in 0..290 {
        u.bench.settle();
        expired += usize::from(u.bench.uut.expired.valid.val());
        u.cycle();
    }
    assert_eq!(expired, 1);
    u.comes(&[Verdict(0, SLEEP, 3), Event(TIMEOUT, 1, 2), Wake(0, 3, 11)]);
    u.does(op(TOP, 0, 12, 12, word, 10), &[Verdict(0, NEXT, 0)]);
    u.does(
        op(TOP, 1, 15, 15, word, 10),
        &[Verdict(1, NEXT, 0), Event(IDLE, 1, 2)],
    );
}

/// Late threads join; others wait for the end and run the section as a group of their own.
#[test]
fn late_threads_join_or_wait() {
    for late in 0..3 {
        let mut u = Unit::new();
        u.launch(1, &[1, 0], 8);
        let word = impatient(1, 1, late) | SECTION;
        u.apply(op(TOP, 0, 15, 3, word, 10));
        for _ in 0..290 {
            u.cycle();
        }
        u.comes(&[Verdict(0, SLEEP, 3), Event(TIMEOUT, 1, 2), Wake(0, 1, 11)]);
        u.does(op(TOP, 1, 15, 4, word, 10), &[Verdict(1, SLEEP, 4)]);
        u.does(
            op(BOTTOM, 0, 1, 0, 0, 15),
            &[Verdict(0, SLEEP, 1), Wake(0, 2, 11)],
        );
        let last = Verdict(0, SLEEP, 2);
        let all = match late {
            // Behind the others.
            0 => vec![last, Wake(1, 4, 11)],
            // Afterwards.
            1 => vec![last, Wake(0, 3, 16), Event(AGAIN, 1, 2), Wake(1, 4, 11)],
            // Not at all.
            _ => vec![last, Wake(1, 4, 16), Wake(0, 3, 16), Event(IDLE, 1, 2)],
        };
        u.does(op(BOTTOM, 0, 2, 0, 0, 15), &all);
        let verdict = Verdict(1, SLEEP, 4);
        let idle = Event(IDLE, 1, 2);
        match late {
            0 => u.does(
                op(BOTTOM, 1, 4, 0, 0, 15),
                &[verdict, Wake(1, 4, 16), Wake(0, 3, 16), idle],
            ),
            1 => u.does(op(BOTTOM, 1, 4, 0, 0, 15), &[verdict, Wake(1, 4, 16), idle]),
            _ => (),
        }
    }
}

/// An exclusive section waits until no slot is taken, and keeps all others out.
#[test]
fn exclusive_section_is_alone() {
    let mut u = Unit::new();
    u.launch(1, &[1, 0], 8);
    let word = condition(2, 1) | SECTION;
    let at = |op: Op, id| Op { id, ..op };
    u.does(
        at(op(TOP, 0, 1, 1, word, 10), 0),
        &[Verdict(0, SLEEP, 1), Event(FIRE, 1, 0), Wake(0, 1, 11)],
    );
    u.does(
        at(op(TOP, 0, 2, 2, word | EXCLUSIVE, 20), 1),
        &[Verdict(0, SLEEP, 2), Event(FIRE, 1, 1)],
    );
    u.does(
        at(op(TOP, 1, 4, 4, word, 30), 2),
        &[Verdict(1, SLEEP, 4), Event(FIRE, 1, 2)],
    );
    u.does(
        at(op(BOTTOM_NB, 0, 1, 0, 0, 15), 0),
        &[Verdict(0, NEXT, 0), Event(IDLE, 1, 0), Wake(0, 2, 21)],
    );
    u.does(
        at(op(BOTTOM_NB, 0, 2, 0, 0, 25), 1),
        &[Verdict(0, NEXT, 0), Event(IDLE, 1, 1), Wake(1, 4, 31)],
    );
    u.does(
        at(op(BOTTOM_NB, 1, 4, 0, 0, 35), 2),
        &[Verdict(1, NEXT, 0), Event(IDLE, 1, 2)],
    );
}

/// The threads that are left need not wait for those that ended.
/// Whoever would have been the first to wake is killed; the others wake all the same.
#[test]
fn the_first_sleeper_is_killed() {
    let mut u = Unit::new();
    u.launch(1, &[0, 1, 2], 12);
    u.does(op(TOP, 0, 3, 3, 0, 10), &[Verdict(0, SLEEP, 3)]);
    u.does(op(TOP, 1, 3, 3, 0, 10), &[Verdict(1, SLEEP, 3)]);
    u.does(op(KILL, 0, 0, 0, 0, 0), &[]);
    u.does(op(TOP, 1, 12, 12, 0, 10), &[Verdict(1, SLEEP, 12)]);
    u.does(
        op(TOP, 2, 15, 15, 0, 10),
        &[
            Verdict(2, NEXT, 0),
            Event(FIRE, 1, 2),
            Wake(1, 15, 11),
            Event(IDLE, 1, 2),
        ],
    );
}

#[test]
fn exit_and_kill_complete_barriers() {
    let mut u = Unit::new();
    u.launch(1, &[1, 0], 8);
    u.does(op(TOP, 0, 15, 15, 0, 10), &[Verdict(0, NEXT, 0), Hold(1)]);
    u.does(op(TOP, 1, 3, 2, 0, 10), &[Verdict(1, SLEEP, 2)]);
    u.does(op(EXIT, 1, 4, 4, 0, 0), &[Verdict(1, 4, 4)]);
    u.does(op(EXIT, 1, 1, 1, 0, 0), &[Verdict(1, 4, 1)]);
    u.does(
        op(EXIT, 1, 8, 8, 0, 0),
        &[
            Verdict(1, 4, 8),
            Event(FIRE, 1, 2),
            Hold(0),
            Wake(1, 2, 11),
            Event(IDLE, 1, 2),
        ],
    );
    u.does(op(TOP, 1, 2, 2, 0, 10), &[Verdict(1, NEXT, 0), Hold(2)]);
    u.does(op(KILL, 0, 0, 0, 0, 0), &[Event(FIRE, 1, 2), Hold(0)]);
    // A new CTA in both slots finds nothing of the old one.
    u.does(
        op(TOP, 1, 2, 2, SECTION, 10),
        &[Verdict(1, SLEEP, 2), Event(FIRE, 1, 2), Wake(1, 2, 11)],
    );
    u.does(op(KILL, 1, 0, 0, 0, 0), &[Event(IDLE, 1, 2)]);
    u.launch(1, &[0], 4);
    u.does(
        op(TOP, 0, 15, 15, 0, 10),
        &[Verdict(0, NEXT, 0), Event(FIRE, 1, 2)],
    );
}

#[test]
fn reset_lets_all_go() {
    let mut u = Unit::new();
    u.launch(1, &[1, 0], 8);
    u.does(op(RESET, 0, 15, 0, 0, 50), &[Verdict(0, NEXT, 0)]);
    // Of a section: done ones at the exit, the others to the top.
    u.does(op(TOP, 0, 15, 15, SECTION, 10), &[Verdict(0, SLEEP, 15)]);
    u.does(
        op(TOP, 1, 15, 1, SECTION, 10),
        &[Verdict(1, SLEEP, 1), Event(FIRE, 1, 2), Wake(1, 1, 11)],
    );
    u.does(
        op(BOTTOM, 1, 1, 0, 0, 15),
        &[Verdict(1, SLEEP, 1), Wake(0, 1, 11)],
    );
    u.does(
        op(BOTTOM, 0, 1, 0, 0, 15),
        &[Verdict(0, SLEEP, 1), Wake(0, 2, 11)],
    );
    u.does(
        op(RESET, 1, 2, 0, 0, 50),
        &[
            Verdict(1, NEXT, 0),
            Wake(1, 1, 16),
            Wake(0, 1, 16),
            Wake(0, 12, 10),
            Event(IDLE, 1, 2),
        ],
    );
    u.does(
        op(BOTTOM, 0, 2, 0, 0, 15),
        &[Verdict(0, NEXT, 0), Error(0, 2, 1)],
    );
    // Of a simple one: held warps at once.
    u.does(op(TOP, 0, 15, 15, 0, 10), &[Verdict(0, NEXT, 0), Hold(1)]);
    u.does(
        op(RESET, 1, 2, 0, 0, 50),
        &[Verdict(1, NEXT, 0), Event(IDLE, 1, 2), Hold(0)],
    );
    u.does(op(TOP, 0, 15, 15, 0, 10), &[Verdict(0, NEXT, 0), Hold(1)]);
    u.does(op(TOP, 1, 1, 1, 0, 10), &[Verdict(1, SLEEP, 1)]);
    u.does(
        op(RESET, 1, 2, 0, 0, 50),
        &[
            Verdict(1, NEXT, 0),
            Hold(0),
            Wake(1, 1, 11),
            Event(IDLE, 1, 2),
        ],
    );
}

/// Threads that came late are let go with the others, also behind one that is done in the same warp.
#[test]
fn reset_lets_late_threads_go() {
    let mut u = Unit::new();
    u.launch(1, &[1, 0], 8);
    let word = condition(4, 2) | SECTION | 1 << 19 | 7 << 21;
    u.does(
        op(TOP, 0, 15, 3, word, 10),
        &[Verdict(0, SLEEP, 3), Event(FIRE, 1, 2), Wake(0, 1, 11)],
    );
    u.does(op(TOP, 0, 4, 4, word, 10), &[Verdict(0, SLEEP, 4)]);
    u.does(op(TOP, 1, 9, 9, word, 10), &[Verdict(1, SLEEP, 9)]);
    u.does(
        op(BOTTOM, 0, 1, 0, 0, 15),
        &[Verdict(0, SLEEP, 1), Wake(0, 2, 11)],
    );
    u.does(
        op(BOTTOM, 0, 2, 0, 0, 16),
        &[
            Verdict(0, RETRY, 2),
            Wake(0, 1, 16),
            Event(AGAIN, 1, 2),
            Wake(1, 1, 11),
        ],
    );
    u.does(op(BOTTOM, 0, 2, 0, 0, 16), &[Verdict(0, NEXT, 0)]);
    u.does(op(TOP, 0, 2, 2, word, 10), &[Verdict(0, SLEEP, 2)]);
    u.does(
        op(BOTTOM, 1, 1, 0, 0, 15),
        &[Verdict(1, SLEEP, 1), Wake(1, 8, 11)],
    );
    u.does(op(TOP, 1, 2, 2, word, 10), &[Verdict(1, SLEEP, 2)]);
    u.does(
        op(RESET, 0, 8, 0, 0, 50),
        &[
            Verdict(0, NEXT, 0),
            Wake(1, 1, 16),
            Wake(1, 2, 10),
            Wake(0, 6, 10),
            Event(IDLE, 1, 2),
        ],
    );
}

#[test]
fn split_barrier_flips_its_phase() {
    let mut u = Unit::new();
    u.launch(1, &[1, 0], 8);
    u.does(op(WAIT, 0, 15, 15, 0, 30), &[Verdict(0, NEXT, 0)]);
    u.does(op(ARRIVE, 0, 3, 0, 0, 20), &[Verdict(0, NEXT, 0)]);
    u.does(op(ARRIVE, 0, 7, 0, 0, 20), &[Verdict(0, PART, 3)]);
    u.does(op(TOP, 0, 4, 4, 0, 10), &[Verdict(0, RETRY, 4)]);
    u.does(op(ARRIVE, 0, 12, 0, 0, 20), &[Verdict(0, NEXT, 0)]);
    // All of the warp are told to wait: it is held until something happens.
    u.does(op(WAIT, 0, 15, 0, 0, 30), &[Verdict(0, RETRY, 15), Hold(1)]);
    u.does(
        op(ARRIVE, 1, 15, 0, 0, 20),
        &[Verdict(1, NEXT, 0), Event(FIRE, 1, 2), Hold(0)],
    );
    u.does(op(WAIT, 0, 15, 12, 0, 30), &[Verdict(0, RETRY, 12)]);
    // More than there are.
    u.does(
        op(ARRIVE, 1, 15, 0, condition(1, 9), 20),
        &[Verdict(1, NEXT, 0), Error(1, 15, 2)],
    );
}

#[test]
fn verilog_agrees() {
    let mut launched = 0;
    crate::stimulus::check_with_memories(
        "weft_barrier",
        Small::default,
        3000,
        |u, rng, t| {
            u.reset.next = t < 2;
            if t < 2 {
                launched = 0;
            }
            u.verdict_ready.next = rng.chance(7, 8);
            u.wake_ready.next = rng.chance(7, 8);
            u.cfg_priority.next = 0x39C6.into();
            u.op_valid.next = t > 2 && rng.chance(3, 4);
            u.op_warp.next = rng.bits();
            u.op_active.next = (1 + rng.below(15)).into();
            u.op_mask.next = rng.bits();
            u.op_id.next = rng.below(3).into();
            u.op_pc.next = (rng.below(2) * 8).into();
            let condition = rng.below(6);
            u.op_word.next = (condition << 11
                | rng.below(5)
                | rng.below(4) << 14
                | u64::from(rng.chance(1, 4)) << 16
                | rng.below(16) << 17)
                .into();
            u.op_code.next =
                [0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 4, 5, 6, 9][rng.below(14) as usize].into();
            if launched < 4 || rng.chance(1, 40) {
                u.op_code.next = LAUNCH.into();
                u.op_warp.next = (launched % 4).into();
                u.op_cta.next = (launched / 2 % 2).into();
                u.op_block.next = (launched % 2).into();
                u.op_threads.next = 8.into();
                u.op_active.next = 15.into();
                launched += u64::from(u.op_ready.val() && u.op_valid.val() && t > 2);
            }
        },
        |u, level| u.clock.next = level.into(),
    );
}
