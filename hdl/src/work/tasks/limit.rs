//! Tasks in slots that are to be killed: their time is over, or the host says so (TASK-130, TASK-131).
//!
//! # Parameters
//! `T` slots, 1 to 8.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `write`, `address`, `data` | in | 1, 12, 32 | pulse: the host writes a register |
//! | `most`, `kill` | out | 32 | LIMIT_MAX, KILL |
//! | `load`, `at`, `descriptor`, `wish` | in | 1, 3, 32, 32 | pulse: this descriptor comes into this slot, with this LIMIT |
//! | `due`, `due_slot` | out | 1, 3 | a slot is to be killed, the lowest; not one of `skips` |
//! | `runs` | in | 8 | slots whose task has a CTA that runs |
//! | `skips` | in | 8 | slots without a task, and those that are killed already |
//! | `told` | out | 8 | of those that are to be killed: by KILL |
//!
//! # Cycle behaviour
//! One slot after the other is looked at, one per cycle.
//! A unit of time is 1,024 cycles, counted since reset. At its end it counts for each task of which a CTA runs, so a limit
//! of n is over between n and n + 1 units behind the start of CTAs that follow each other without a gap.
//! A write of KILL takes back what the one before has not done yet.
//!
//! # Errors
//! None at run time. `Default` panics when `T` is not 1 to 8.

use crate::hdl::*;
use crate::prim::{FirstOne, LutRam};

#[module(requires((1..=8).contains(&T)))]
pub struct Limit<const T: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub write: Signal<In, Bit>,
    pub address: Signal<In, Bits<12>>,
    pub data: Signal<In, Bits<32>>,
    pub most: Signal<Out, Bits<32>>,
    pub kill: Signal<Out, Bits<32>>,
    pub load: Signal<In, Bit>,
    pub at: Signal<In, Bits<3>>,
    pub descriptor: Signal<In, Bits<32>>,
    pub wish: Signal<In, Bits<32>>,
    pub due: Signal<Out, Bit>,
    pub due_slot: Signal<Out, Bits<3>>,
    pub runs: Signal<In, Bits<8>>,
    pub skips: Signal<In, Bits<8>>,
    pub told: Signal<Out, Bits<8>>,
    its_most: DFF<Bits<32>>,
    its_kill: DFF<Bits<32>>,
    // Of each slot: its descriptor, and the units that are left.
    tasks: LutRam<Bits<32>, 3>,
    lefts: LutRam<Bits<32>, 3>,
    // A bit for each slot: it has a limit; a unit is over that counts; its time is over; KILL names it.
    counts: DFF<Bits<8>>,
    ticks: DFF<Bits<8>>,
    over: DFF<Bits<8>>,
    named: DFF<Bits<8>>,
    fraction: DFF<Bits<10>>,
    scan: DFF<Bits<3>>,
    first: FirstOne<8, 3>,
    // Combinational.
    one: Signal<Local, Bits<8>>,
    scan_one: Signal<Local, Bits<8>>,
    allowed: Signal<Local, Bits<32>>,
    ticking: Signal<Local, Bits<8>>,
    left: Signal<Local, Bits<32>>,
    fewer: Signal<Local, Bits<32>>,
    counts_now: Signal<Local, Bit>,
    is_named: Signal<Local, Bit>,
    kills: Signal<Local, Bit>,
    known: Signal<Local, Bits<8>>,
    #[value((T as u64 - 1).into())]
    last: Constant<Bits<3>>,
}

#[part(Limit<T>)]
fn update(&mut self) {
    // ---- Registers.
    self.kills.next = self.write.val() & (self.address.val() == 0x3C4);
    if self.write.val() & (self.address.val() == 0x3C0) {
        self.its_most.d.next = self.data.val();
    }
    if self.kills.val() {
        self.its_kill.d.next = self.data.val();
    }
    carry!(self <- self.its_*.q: most, kill);

    // ---- One slot after the other.
    self.scan_one.next = bits::<8>(1) << self.scan.q.val();
    self.scan.d.next = self.scan.q.val() + 1;
    if self.scan.q.val() == self.last.val() {
        self.scan.d.next = 0.into();
    }
    self.fraction.d.next = self.fraction.q.val() + 1;
    spread!(self.*.read_address <- self.scan.q: tasks, lefts);
    self.left.next = self.lefts.read_data.val();
    self.fewer.next = self.left.val() - 1;
    self.is_named.next =
        self.its_kill.q.val().any() & (self.tasks.read_data.val() == self.its_kill.q.val());
    if self.is_named.val() {
        self.named.d.next = self.named.q.val() | self.scan_one.val();
    }
    self.counts_now.next =
        (self.ticks.q.val() & self.counts.q.val() & self.scan_one.val()).any() & !self.load.val();
    self.lefts.write_enable.next = self.counts_now.val() & self.left.val().any();
    self.lefts.write_address.next = self.scan.q.val();
    self.lefts.write_data.next = self.fewer.val();
    self.ticking.next = self.ticks.q.val();
    if self.counts_now.val() {
        self.ticking.next = self.ticks.q.val() & !self.scan_one.val();
        if !self.left.val().any() {
            self.over.d.next = self.over.q.val() | self.scan_one.val();
        }
    }
    if self.fraction.q.val().all() {
        self.ticking.next = self.counts.q.val() & self.runs.val();
    }

    // ---- A task comes.
    self.one.next = bits::<8>(1) << self.at.val();
    self.allowed.next = self.wish.val();
    if self.its_most.q.val().any()
        & (!self.wish.val().any() | (self.wish.val() > self.its_most.q.val()))
    {
        self.allowed.next = self.its_most.q.val();
    }
    carry!(self.tasks <- self: write_enable = load, write_address = at, write_data = descriptor);
    if self.load.val() {
        self.lefts.write_enable.next = true;
        carry!(self.lefts <- self: write_address = at, write_data = allowed);
        self.counts.d.next = self.counts.q.val() & !self.one.val();
        if self.allowed.val().any() {
            self.counts.d.next = self.counts.q.val() | self.one.val();
        }
        self.ticking.next = self.ticking.val() & !self.one.val();
        self.over.d.next = self.over.q.val() & !self.one.val();
        self.named.d.next = self.named.q.val() & !self.one.val();
    }
    self.ticks.d.next = self.ticking.val();
    if self.kills.val() {
        self.named.d.next = 0.into();
    }

    // ---- Who is to be killed.
    self.known.next = self.named.q.val();
    if self.kills.val() {
        self.known.next = 0.into();
    }
    self.first.bits.next = (self.over.q.val() | self.known.val()) & !self.skips.val();
    self.due.next = self.first.any.val();
    self.due_slot.next = self.first.place.val();
    self.told.next = self.known.val();
    if self.reset.val() {
        self.its_most.d.next = 0.into();
        self.its_kill.d.next = 0.into();
        self.counts.d.next = 0.into();
        self.ticks.d.next = 0.into();
        self.over.d.next = 0.into();
        self.named.d.next = 0.into();
        self.fraction.d.next = 0.into();
        self.scan.d.next = 0.into();
    }
}
