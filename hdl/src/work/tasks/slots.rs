//! The slots: what each task is about, and who ranks first (TASK-042, TASK-043, TASK-050, TASK-060).
//! What a descriptor says besides is in the RAM.
//!
//! # Parameters
//! `T` slots, 1 to 8.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `at` | in | 3 | the slot that the pulses below are about, and `descriptor` to `running` |
//! | `load`, `new_task`, `new_level`, `new_queue`, `new_left`, `new_open`, `new_failed` | in | | pulse: a task comes into it |
//! | `start`, `ended`, `end_failed`, `evict`, `free` | in | 1 | pulses: a CTA has been started; one has ended; it is to go; it is gone |
//! | `look`, `set_left`, `set_open`, `set_broken` | in | 1 | pulse: PUT and OPEN have been read. `set_left` also counts with `start` |
//! | `kill` | in | 1 | pulse: it starts nothing any more and ends as failed (TASK-132) |
//! | `descriptor`, `level`, `queue`, `failed`, `evicted`, `broken`, `doomed` | out | | of `at`; doomed: it is killed |
//! | `alive`, `killed`, `working` | out | 8 | slots with a task that is not killed; whose task is killed; of which a CTA runs |
//! | `empty`, `empty_slot` | out | 1, 3 | there is a free slot, the lowest |
//! | `over`, `over_slot`; `gone`, `gone_slot`; `rests`, `rests_slot` | out | 1, 3 | complete; evicted, and no CTA runs; a queue with nothing to do |
//! | `ready` | out | 1 | a task that is not evicted has a CTA to start |
//! | `leaving` | out | 1 | an eviction is under way |
//! | `some`, `count` | out | 1, 4 | slots with a task |
//! | `queues` | out | 8 | queues whose words are looked at |
//! | `scan` | in | 1 | pulse: find out who ranks first and last |
//! | `scanned`, `turn`, `turn_slot`, `victim`, `victim_slot`, `victim_level` | out | | no scan runs; then these are as it has found them |
//!
//! # Errors
//! None at run time. `Default` panics when `T` is not 1 to 8.

use crate::hdl::*;
use crate::prim::{FirstOne, LutRam};

#[module(requires((1..=8).contains(&T)))]
pub struct Slots<const T: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub at: Signal<In, Bits<3>>,
    pub load: Signal<In, Bit>,
    pub new_task: Signal<In, Bits<32>>,
    pub new_level: Signal<In, Bits<4>>,
    pub new_queue: Signal<In, Bit>,
    pub new_left: Signal<In, Bit>,
    pub new_open: Signal<In, Bit>,
    pub new_failed: Signal<In, Bit>,
    pub start: Signal<In, Bit>,
    pub ended: Signal<In, Bit>,
    pub end_failed: Signal<In, Bit>,
    pub evict: Signal<In, Bit>,
    pub free: Signal<In, Bit>,
    pub kill: Signal<In, Bit>,
    pub look: Signal<In, Bit>,
    pub set_left: Signal<In, Bit>,
    pub set_open: Signal<In, Bit>,
    pub set_broken: Signal<In, Bit>,
    pub descriptor: Signal<Out, Bits<32>>,
    pub level: Signal<Out, Bits<4>>,
    pub queue: Signal<Out, Bit>,
    pub failed: Signal<Out, Bit>,
    pub evicted: Signal<Out, Bit>,
    pub broken: Signal<Out, Bit>,
    pub doomed: Signal<Out, Bit>,
    pub alive: Signal<Out, Bits<8>>,
    pub killed: Signal<Out, Bits<8>>,
    pub working: Signal<Out, Bits<8>>,
    pub empty: Signal<Out, Bit>,
    pub empty_slot: Signal<Out, Bits<3>>,
    pub over: Signal<Out, Bit>,
    pub over_slot: Signal<Out, Bits<3>>,
    pub gone: Signal<Out, Bit>,
    pub gone_slot: Signal<Out, Bits<3>>,
    pub rests: Signal<Out, Bit>,
    pub rests_slot: Signal<Out, Bits<3>>,
    pub ready: Signal<Out, Bit>,
    pub leaving: Signal<Out, Bit>,
    pub some: Signal<Out, Bit>,
    pub count: Signal<Out, Bits<4>>,
    pub queues: Signal<Out, Bits<8>>,
    pub scan: Signal<In, Bit>,
    pub scanned: Signal<Out, Bit>,
    pub turn: Signal<Out, Bit>,
    pub turn_slot: Signal<Out, Bits<3>>,
    pub victim: Signal<Out, Bit>,
    pub victim_slot: Signal<Out, Bits<3>>,
    pub victim_level: Signal<Out, Bits<4>>,
    tasks: LutRam<Bits<32>, 3>,
    // A bit for each slot.
    used: DFF<Bits<8>>,
    is_queue: DFF<Bits<8>>,
    left: DFF<Bits<8>>,
    open: DFF<Bits<8>>,
    goes: DFF<Bits<8>>,
    fails: DFF<Bits<8>>,
    breaks: DFF<Bits<8>>,
    dies: DFF<Bits<8>>,
    number: DFF<Bits<4>>,
    levels: [DFF<Bits<4>>; T],
    // Tasks in slots that are older.
    ages: [DFF<Bits<4>>; T],
    runs: [DFF<Bits<7>>; T],
    first_empty: FirstOne<8, 3>,
    first_over: FirstOne<8, 3>,
    first_gone: FirstOne<8, 3>,
    first_rests: FirstOne<8, 3>,
    // The scan.
    scans: DFF<Bit>,
    scan_at: DFF<Bits<3>>,
    best: DFF<Bit>,
    best_slot: DFF<Bits<3>>,
    best_key: DFF<Bits<8>>,
    worst: DFF<Bit>,
    worst_slot: DFF<Bits<3>>,
    worst_key: DFF<Bits<8>>,
    // Combinational.
    one: Signal<Local, Bits<8>>,
    scan_one: Signal<Local, Bits<8>>,
    quiet: Signal<Local, Bits<8>>,
    its_age: Signal<Local, Bits<4>>,
    its_level: Signal<Local, Bits<4>>,
    key: Signal<Local, Bits<8>>,
    key_age: Signal<Local, Bits<4>>,
    young: Signal<Local, Bits<4>>,
    scan_level: Signal<Local, Bits<4>>,
    candidates: Signal<Local, Bits<8>>,
    victims: Signal<Local, Bits<8>>,
    lives: Signal<Local, Bits<8>>,
    has_no_more: Signal<Local, Bits<8>>,
    #[value(((1u64 << T) - 1).into())]
    all: Constant<Bits<8>>,
    #[value((T as u64 - 1).into())]
    last: Constant<Bits<3>>,
}

#[part(Slots<T>)]
fn update(&mut self) {
    self.one.next = bits::<8>(1) << self.at.val();
    self.scan_one.next = bits::<8>(1) << self.scan_at.q.val();

    // ---- What one slot says, and what each is about.
    self.its_age.next = 0.into();
    self.its_level.next = 0.into();
    self.quiet.next = 0.into();
    for t in 0..T {
        if self.at.val().index() == t {
            self.its_age.next = self.ages[t].q.val();
            self.its_level.next = self.levels[t].q.val();
        }
        if !self.runs[t].q.val().any() {
            self.quiet.next = self.quiet.val().replace_bit(t, true);
        }
    }
    self.tasks.read_address.next = self.at.val();
    self.descriptor.next = self.tasks.read_data.val();
    self.level.next = self.its_level.val();
    self.queue.next = (self.is_queue.q.val() & self.one.val()).any();
    self.doomed.next = (self.dies.q.val() & self.one.val()).any();
    self.failed.next = (self.fails.q.val() & self.one.val()).any() | self.doomed.val();
    self.evicted.next = (self.goes.q.val() & self.one.val()).any();
    self.broken.next = (self.breaks.q.val() & self.one.val()).any() | self.doomed.val();
    self.lives.next = self.used.q.val() & !self.dies.q.val();
    self.alive.next = self.lives.val();
    self.working.next = self.used.q.val() & !self.quiet.val();
    self.killed.next = self.used.q.val() & self.dies.q.val();
    self.first_empty.bits.next = self.all.val() & !self.used.q.val();
    self.has_no_more.next = !self.left.q.val() & !self.open.q.val() & !self.goes.q.val();
    self.first_over.bits.next =
        self.used.q.val() & self.quiet.val() & (self.has_no_more.val() | self.dies.q.val());
    self.first_gone.bits.next = self.lives.val() & self.quiet.val() & self.goes.q.val();
    self.first_rests.bits.next = self.lives.val()
        & self.quiet.val()
        & !self.left.q.val()
        & self.open.q.val()
        & !self.goes.q.val();
    self.empty.next = self.first_empty.any.val();
    self.empty_slot.next = self.first_empty.place.val();
    self.over.next = self.first_over.any.val();
    self.over_slot.next = self.first_over.place.val();
    self.gone.next = self.first_gone.any.val();
    self.gone_slot.next = self.first_gone.place.val();
    self.rests.next = self.first_rests.any.val();
    self.rests_slot.next = self.first_rests.place.val();
    self.candidates.next = self.lives.val() & self.left.q.val() & !self.goes.q.val();
    self.victims.next = self.lives.val() & (self.left.q.val() | self.open.q.val());
    self.ready.next = self.candidates.val().any();
    self.leaving.next = (self.lives.val() & self.goes.q.val()).any();
    self.some.next = self.used.q.val().any();
    self.count.next = self.number.q.val();
    self.queues.next = self.lives.val() & self.is_queue.q.val() & !self.breaks.q.val();

    // ---- Rank: level first, then age. `key` is large for who ranks first.
    self.key_age.next = 0.into();
    self.scan_level.next = 0.into();
    for t in 0..T {
        if self.scan_at.q.val().index() == t {
            self.key_age.next = self.ages[t].q.val();
            self.scan_level.next = self.levels[t].q.val();
        }
    }
    self.young.next = !self.key_age.val();
    self.key.next =
        (bit_cast::<8, 4>(self.scan_level.val()) << 4) | bit_cast::<8, 4>(self.young.val());
    if self.scans.q.val() {
        self.scan_at.d.next = self.scan_at.q.val() + 1;
        if self.scan_at.q.val() == self.last.val() {
            self.scans.d.next = false;
        }
        if (self.candidates.val() & self.scan_one.val()).any()
            & (!self.best.q.val() | (self.key.val() > self.best_key.q.val()))
        {
            self.best.d.next = true;
            self.best_slot.d.next = self.scan_at.q.val();
            self.best_key.d.next = self.key.val();
        }
        if (self.victims.val() & self.scan_one.val()).any()
            & (!self.worst.q.val() | (self.key.val() < self.worst_key.q.val()))
        {
            self.worst.d.next = true;
            self.worst_slot.d.next = self.scan_at.q.val();
            self.worst_key.d.next = self.key.val();
        }
    }
    if self.scan.val() {
        self.scans.d.next = true;
        self.scan_at.d.next = 0.into();
        self.best.d.next = false;
        self.worst.d.next = false;
    }
    self.scanned.next = !self.scans.q.val();
    self.turn.next = self.best.q.val();
    carry!(self <- self.*.q: turn_slot = best_slot, victim = worst, victim_slot = worst_slot);
    self.victim_level.next = self.worst_key.q.val().get_bits::<4>(4);

    // ---- Changes.
    carry!(self.tasks <- self: write_enable = load, write_address = at, write_data = new_task);
    if self.load.val() {
        self.used.d.next = self.used.q.val() | self.one.val();
        self.number.d.next = self.number.q.val() + 1;
        self.goes.d.next = self.goes.q.val() & !self.one.val();
        self.breaks.d.next = self.breaks.q.val() & !self.one.val();
        self.dies.d.next = self.dies.q.val() & !self.one.val();
        self.is_queue.d.next = self.is_queue.q.val() & !self.one.val();
        self.left.d.next = self.left.q.val() & !self.one.val();
        self.open.d.next = self.open.q.val() & !self.one.val();
        self.fails.d.next = self.fails.q.val() & !self.one.val();
        if self.new_queue.val() {
            self.is_queue.d.next = self.is_queue.q.val() | self.one.val();
        }
        if self.new_left.val() {
            self.left.d.next = self.left.q.val() | self.one.val();
        }
        if self.new_open.val() {
            self.open.d.next = self.open.q.val() | self.one.val();
        }
        if self.new_failed.val() {
            self.fails.d.next = self.fails.q.val() | self.one.val();
        }
    }
    if self.look.val() | self.start.val() {
        self.left.d.next = self.left.q.val() & !self.one.val();
        if self.set_left.val() {
            self.left.d.next = self.left.q.val() | self.one.val();
        }
    }
    if self.look.val() {
        self.open.d.next = self.open.q.val() & !self.one.val();
        if self.set_open.val() {
            self.open.d.next = self.open.q.val() | self.one.val();
        }
        if self.set_broken.val() {
            self.breaks.d.next = self.breaks.q.val() | self.one.val();
        }
    }
    if self.ended.val() & self.end_failed.val() {
        self.fails.d.next = self.fails.q.val() | self.one.val();
    }
    if self.evict.val() {
        self.goes.d.next = self.goes.q.val() | self.one.val();
    }
    if self.kill.val() {
        self.dies.d.next = self.dies.q.val() | self.one.val();
    }
    if self.free.val() {
        self.used.d.next = self.used.q.val() & !self.one.val();
        self.number.d.next = self.number.q.val() - 1;
    }
    for t in 0..T {
        if self.at.val().index() == t {
            if self.load.val() {
                self.levels[t].d.next = self.new_level.val();
                self.ages[t].d.next = self.number.q.val();
                self.runs[t].d.next = 0.into();
            }
            if self.start.val() {
                self.runs[t].d.next = self.runs[t].q.val() + 1;
            }
            if self.ended.val() {
                self.runs[t].d.next = self.runs[t].q.val() - 1;
            }
        }
        if self.free.val() & (self.ages[t].q.val() > self.its_age.val()) {
            self.ages[t].d.next = self.ages[t].q.val() - 1;
        }
    }
    if self.reset.val() {
        self.used.d.next = 0.into();
        self.number.d.next = 0.into();
        self.scans.d.next = false;
    }
}
