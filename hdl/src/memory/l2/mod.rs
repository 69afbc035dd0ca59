//! L2: lines of memory that the SMs share, between their ports (`L2Port`) and the arbiter.
//!
//! Spec: `docs/spec/l2.md`, SHARED-020 to SHARED-023, SHARED-050.
//!
//! # Parameters
//! The list `L2` of `hdl/src/sizes.rs`.
//!
//! # Ports
//! Bit s of eight is SM s.
//!
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `forget` | in | 1 | no line is held any more, nor is one that is on its way |
//! | `takes` | out | 1 | a read may be looked up |
//! | `asked`, `asked_line`, `asked_id`, `asked_whole`, `asked_later` | in | MANAGER_MASK, 26, MANAGER_ID_BITS, 1, 1 | one SM at most: its read is looked up; as of `L2Port` |
//! | `goes`, `again`, `hit`, `whole_line` | out | MANAGER_MASK three times, 512 | as of `L2Port` |
//! | `looked_line` / `passing` | out / in | 26, 1 | the line that is looked up / some port has a read of it that goes to memory |
//! | `beat_valid`, `beat_id`, `beat_data`, `beat_resp`, `beat_last` | in | 1, MANAGER_ID_BITS, DATA, 2, 1 | a beat from memory is taken |
//! | `write_valid`, `write_id`, `write_line` | in | 1, MANAGER_ID_BITS, 26 | the arbiter has taken a write address, whosoever |
//! | `b_*` | | | write responses: `b_m*` of the memory, `b_s*` to the arbiter |
//! | `events` | out | 5 | pulses, of a read that is looked up: 0 its line is held; 1 it is asked for and will be held, 2 will not; 3 it is shorter than a line, or an LR's or AMO's; 4 it waits |
//!
//! # Cycle behaviour
//! ```text
//! cycle    t       t + 1        t + 2      t + 3                t + 4
//! hit      taken   looked up    compared   the line is read     first beat; then a beat per cycle
//! miss     taken   looked up    compared   at the arbiter
//! ```
//! One line is looked up per cycle; what is forgotten goes before.
//!
//! # Invariants
//! 1. A line that is held equals what the memory has, but for writes without response and for what others write there.
//! 2. A line is held once, and not while it comes.
//!
//! # Errors
//! Those of the memory are passed on, and such lines are not held. `Default` panics when the parameters do not fit.

mod answers;
mod fill;
pub mod port;
mod way;

use super::Join;
use crate::hdl::*;
use crate::prim::BlockRam;
use answers::L2Answers;
use fill::L2Fill;
use way::L2Way;

/// Parts of the kernel.
pub struct Ports;
pub struct Asked;
pub struct Looked;
pub struct Comes;

#[module(
    requires(
        512 == DATA * BEATS, BEAT_COUNT_BITS == BEATS.trailing_zeros() as usize, BEAT_COUNT_BITS > 0,
        ID_BITS == MISS_BITS + 1, L2_ID_BITS + 1 == MANAGER_ID_BITS, L2_SETS == 1 << L2_SET_BITS,
        L2_TAG_BITS + L2_SET_BITS == 26, [1, 2, 4, 8].contains(&L2_WAYS),
        L2_WAY_BITS == (L2_WAYS.trailing_zeros() as usize).max(1),
        L2_PLACE_BITS == L2_SET_BITS + L2_WAYS.trailing_zeros() as usize, L2_FILLS > 0
    ),
    kernel(Ports, Asked, Looked, Comes)
)]
pub struct L2 {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub forget: Signal<In, Bit>,
    pub asked: Signal<In, Bits<MANAGER_MASK>>,
    pub asked_line: Signal<In, Bits<26>>,
    pub asked_id: Signal<In, Bits<MANAGER_ID_BITS>>,
    pub asked_whole: Signal<In, Bit>,
    pub asked_later: Signal<In, Bit>,
    pub takes: Signal<Out, Bit>,
    pub goes: Signal<Out, Bits<MANAGER_MASK>>,
    pub again: Signal<Out, Bits<MANAGER_MASK>>,
    pub hit: Signal<Out, Bits<MANAGER_MASK>>,
    pub whole_line: Signal<Out, Bits<512>>,
    pub looked_line: Signal<Out, Bits<26>>,
    pub passing: Signal<In, Bit>,
    pub beat_valid: Signal<In, Bit>,
    pub beat_id: Signal<In, Bits<MANAGER_ID_BITS>>,
    pub beat_data: Signal<In, Bits<DATA>>,
    pub beat_resp: Signal<In, Bits<2>>,
    pub beat_last: Signal<In, Bit>,
    pub write_valid: Signal<In, Bit>,
    pub write_id: Signal<In, Bits<MANAGER_ID_BITS>>,
    pub write_line: Signal<In, Bits<26>>,
    pub b_mvalid: Signal<In, Bit>,
    pub b_mready: Signal<Out, Bit>,
    pub b_mid: Signal<In, Bits<MANAGER_ID_BITS>>,
    pub b_mresp: Signal<In, Bits<2>>,
    pub b_svalid: Signal<Out, Bit>,
    pub b_sready: Signal<In, Bit>,
    pub b_sid: Signal<Out, Bits<MANAGER_ID_BITS>>,
    pub b_sresp: Signal<Out, Bits<2>>,
    pub events: Signal<Out, Bits<5>>,
    answers: L2Answers<MISS_BITS, ID_BITS, MANAGER_ID_BITS, L2_ID_BITS>,
    #[many(L2_WAYS)]
    ways: Vec<L2Way<L2_SET_BITS, L2_SETS, L2_TAG_BITS>>,
    #[many(L2_FILLS)]
    fills: Vec<L2Fill<L2_SET_BITS, L2_WAYS, MANAGER_ID_BITS, BEAT_COUNT_BITS>>,
    #[many(BEATS)]
    words: Vec<BlockRam<DATA, L2_PLACE_BITS>>,
    joined: Join<BEATS, DATA, 512>,
    // State: what is looked up: a read, or a line to forget; whose, and with which ID.
    looks: DFF<Bit>,
    drops: DFF<Bit>,
    line: DFF<Bits<26>>,
    id: DFF<Bits<MANAGER_ID_BITS>>,
    of: DFF<Bits<MANAGER_MASK>>,
    whole: DFF<Bit>,
    later: DFF<Bit>,
    // State: whose line is read; the way that makes room if none is free.
    reads: DFF<Bits<MANAGER_MASK>>,
    #[always]
    victim: DFF<Bits<L2_WAYS>>,
    // State: a beat that has come; time until all is forgotten.
    came: DFF<Bit>,
    came_id: DFF<Bits<MANAGER_ID_BITS>>,
    came_data: DFF<Bits<DATA>>,
    came_bad: DFF<Bit>,
    came_last: DFF<Bit>,
    #[always]
    age: DFF<Bits<16>>,
    // Combinational.
    forgets: Signal<Local, Bit>,
    next_line: Signal<Local, Bits<26>>,
    next_set: Signal<Local, Bits<L2_SET_BITS>>,
    set: Signal<Local, Bits<L2_SET_BITS>>,
    tag: Signal<Local, Bits<L2_TAG_BITS>>,
    same_ways: Signal<Local, Bits<L2_WAYS>>,
    held_ways: Signal<Local, Bits<L2_WAYS>>,
    busy_ways: Signal<Local, Bits<L2_WAYS>>,
    flag: Signal<Local, Bit>,
    way: Signal<Local, Bits<L2_WAY_BITS>>,
    comes: Signal<Local, Bit>,
    comes_kept: Signal<Local, Bit>,
    hits: Signal<Local, Bit>,
    waits: Signal<Local, Bit>,
    passes: Signal<Local, Bit>,
    room: Signal<Local, Bits<L2_WAYS>>,
    some_room: Signal<Local, Bit>,
    next_victim: Signal<Local, Bits<L2_WAYS>>,
    free: Signal<Local, Bits<L2_FILLS>>,
    place: Signal<Local, Bits<L2_FILLS>>,
    claims: Signal<Local, Bit>,
    looked: Signal<Local, Bit>,
    forgotten: Signal<Local, Bit>,
    came_place: Signal<Local, Bits<BEAT_COUNT_BITS>>,
    came_set: Signal<Local, Bits<L2_SET_BITS>>,
    came_ways: Signal<Local, Bits<L2_WAYS>>,
    came_way: Signal<Local, Bits<L2_WAY_BITS>>,
    came_mine: Signal<Local, Bit>,
    done: Signal<Local, Bit>,
    index: Signal<Local, Bits<BEAT_COUNT_BITS>>,
    read_at: Signal<Local, Bits<L2_PLACE_BITS>>,
    write_at: Signal<Local, Bits<L2_PLACE_BITS>>,
    unheld: Signal<Local, Bit>,
    shorter: Signal<Local, Bit>,
    hits_here: Signal<Local, Bit>,
    #[value(0u64.into())]
    nobody: Constant<Bits<MANAGER_MASK>>,
    #[value((L2_SET_BITS as u64).into())]
    set_bits: Constant<Bits<4>>,
    #[value(1u64.into())]
    first_way: Constant<Bits<L2_WAYS>>,
    #[value(0u64.into())]
    no_way: Constant<Bits<L2_WAYS>>,
    #[value(0u64.into())]
    no_place: Constant<Bits<L2_FILLS>>,
    #[value(1u64.into())]
    one: Constant<Bits<16>>,
}

#[part(L2, Ports)]
fn update(&mut self) {
    self.age.d.next = self.age.q.val() + self.one.val();
    self.forgets.next = self.forget.val() | self.age.q.val().all();
    carry!(self.answers <- self: reset, write_valid, write_id, write_line, m_bvalid = b_mvalid);
    self.b_mready.next = self.answers.m_bready.val();
    carry!(self.answers <- self: m_bid = b_mid, m_bresp = b_mresp);
    self.b_svalid.next = self.answers.s_bvalid.val();
    self.answers.s_bready.next = self.b_sready.val();
    self.b_sid.next = self.answers.s_bid.val();
    self.b_sresp.next = self.answers.s_bresp.val();
}

/// What is looked up next.
#[part(L2, Asked)]
fn update(&mut self) {
    self.takes.next = !self.answers.drops.val();
    self.looks.d.next = self.asked.val().any() & !self.answers.drops.val();
    self.drops.d.next = self.answers.drops.val();
    carry!(self.*.d <- self: of = asked, id = asked_id, whole = asked_whole, later = asked_later);
    self.next_line.next = self.asked_line.val();
    if self.answers.drops.val() {
        self.next_line.next = self.answers.line.val();
    }
    self.line.d.next = self.next_line.val();
    self.next_set.next = self.next_line.val().get_bits::<L2_SET_BITS>(0);
    if self.reset.val() {
        self.looks.d.next = false;
        self.drops.d.next = false;
    }
}

/// What has been looked up, and a line that is read.
#[part(L2, Looked)]
fn update(&mut self) {
    self.set.next = self.line.q.val().get_bits::<L2_SET_BITS>(0);
    for n in L2_SET_BITS..(L2_SET_BITS + 1) {
        self.tag.next = self.line.q.val().get_bits::<L2_TAG_BITS>(n);
    }
    self.same_ways.next = self.no_way.val();
    self.held_ways.next = self.no_way.val();
    self.way.next = 0.into();
    for y in 0..L2_WAYS {
        carry!(self.ways[y] <- self: next_set, set, tag);
        self.ways[y].forget.next = self.forgets.val() | self.reset.val();
        self.held_ways.next = self.held_ways.val().replace_bit(y, self.ways[y].held.val());
        self.flag.next = self.ways[y].same.val();
        self.same_ways.next = self.same_ways.val().replace_bit(y, self.flag.val());
        if self.ways[y].same.val() & self.ways[y].held.val() {
            self.way.next = y.to_bits();
        }
    }
    self.hits_here.next = (self.same_ways.val() & self.held_ways.val()).any();
    self.busy_ways.next = self.no_way.val();
    self.comes.next = false;
    self.comes_kept.next = false;
    self.free.next = self.no_place.val();
    for f in 0..L2_FILLS {
        self.fills[f].looked.next = self.line.q.val();
        self.busy_ways.next = self.busy_ways.val() | self.fills[f].taken.val();
        if self.fills[f].same.val() {
            self.comes.next = true;
            if self.fills[f].kept.val() {
                self.comes_kept.next = true;
            }
        }
        self.flag.next = !self.fills[f].live.val();
        self.free.next = self.free.val().replace_bit(f, self.flag.val());
    }

    // ---- A read: given from here, looked up again, or to memory. Only whole lines are held.
    self.looked.next = self.looks.q.val() & self.whole.q.val();
    self.hits.next = self.looked.val() & self.hits_here.val() & !self.later.q.val();
    self.waits.next = self.looked.val()
        & ((self.hits_here.val() & self.later.q.val())
            | (!self.hits_here.val() & self.comes_kept.val()));
    self.passes.next = self.looks.q.val() & !self.hits.val() & !self.waits.val();
    self.forgotten.next = self.drops.q.val() | (self.looks.q.val() & !self.whole.q.val());

    // What comes for an earlier read of the line may be newer than what comes for this one.
    self.looked_line.next = self.line.q.val();

    // ---- A way for it: one that holds nothing, else the next one in turn; none under way.
    self.room.next = self.victim.q.val() & !self.busy_ways.val();
    for y in 0..L2_WAYS {
        if !self.held_ways.val().get_bit(y) & !self.busy_ways.val().get_bit(y) {
            self.room.next = self.no_way.val().replace_bit(y, true);
        }
    }
    self.some_room.next = self.room.val().any();
    self.claims.next = self.passes.val()
        & self.whole.q.val()
        & !self.comes.val()
        & !self.passing.val()
        & !self.later.q.val()
        & !self.answers.unclear.val()
        & self.some_room.val()
        & self.free.val().any();
    self.place.next = self.no_place.val();
    for f in 0..L2_FILLS {
        if self.free.val().get_bit(f) {
            self.place.next = self.no_place.val().replace_bit(f, true);
        }
    }
    for f in 0..L2_FILLS {
        carry!(self.fills[f] <- self: reset, forget = forgets);
        self.fills[f].claims.next = self.claims.val() & self.place.val().get_bit(f);
        self.fills[f].way.next = self.room.val();
        self.fills[f].id.next = self.id.q.val();
        self.fills[f].drops.next = self.forgotten.val();
    }
    for y in 0..L2_WAYS {
        self.ways[y].claims.next = self.claims.val() & self.room.val().get_bit(y);
        self.ways[y].drops.next = self.forgotten.val() & self.same_ways.val().get_bit(y);
    }
    self.next_victim.next = self.victim.q.val();
    if self.claims.val() {
        self.next_victim.next = self.victim.q.val() << 1;
    }
    if !self.next_victim.val().any() {
        self.next_victim.next = self.first_way.val();
    }
    self.victim.d.next = self.next_victim.val();

    // ---- The line is read.
    self.read_at.next = bit_cast::<L2_PLACE_BITS, L2_SET_BITS>(self.set.val())
        | (bit_cast::<L2_PLACE_BITS, L2_WAY_BITS>(self.way.val()) << self.set_bits.val());
    self.reads.d.next = self.nobody.val();
    if self.hits.val() {
        self.reads.d.next = self.of.q.val();
    }
    self.goes.next = self.nobody.val();
    if self.passes.val() {
        self.goes.next = self.of.q.val();
    }
    self.again.next = self.nobody.val();
    if self.waits.val() {
        self.again.next = self.of.q.val();
    }
    self.hit.next = self.reads.q.val();
    for b in 0..BEATS {
        self.joined.each[b].next = self.words[b].read_data.val();
    }
    self.whole_line.next = self.joined.whole.val();
    self.unheld.next = self.passes.val() & self.whole.q.val() & !self.claims.val();
    self.shorter.next = self.passes.val() & !self.whole.q.val();
    self.events.next = bit_cast::<5, 1>(self.hits.val().into())
        | (bit_cast::<5, 1>(self.claims.val().into()) << 1)
        | (bit_cast::<5, 1>(self.unheld.val().into()) << 2)
        | (bit_cast::<5, 1>(self.shorter.val().into()) << 3)
        | (bit_cast::<5, 1>(self.waits.val().into()) << 4);
    if self.reset.val() {
        self.reads.d.next = self.nobody.val();
    }
}

/// Beats that come from memory.
#[part(L2, Comes)]
fn update(&mut self) {
    self.came.d.next = self.beat_valid.val();
    carry!(self.came_*.d <- self.beat_*: id, data);
    self.came_bad.d.next = self.beat_resp.val().get_bit(1);
    self.came_last.d.next = self.beat_last.val();
    self.came_mine.next = false;
    self.done.next = false;
    carry!(self.came_* <- self.fills[0]: place, set, ways = into);
    for f in 0..L2_FILLS {
        carry!(self.fills[f] <- self.*.q: beat_valid = came, beat_id = came_id);
        carry!(self.fills[f].beat_* <- self.came_*.q: bad, last);
        if self.fills[f].mine.val() {
            self.came_mine.next = true;
            self.done.next = self.fills[f].done.val();
            carry!(self.came_* <- self.fills[f]: place, set, ways = into);
        }
    }
    self.came_way.next = 0.into();
    for y in 0..L2_WAYS {
        self.ways[y].keeps.next = self.done.val() & self.came_ways.val().get_bit(y);
        self.ways[y].kept_set.next = self.came_set.val();
        if self.came_ways.val().get_bit(y) {
            self.came_way.next = y.to_bits();
        }
    }
    self.write_at.next = bit_cast::<L2_PLACE_BITS, L2_SET_BITS>(self.came_set.val())
        | (bit_cast::<L2_PLACE_BITS, L2_WAY_BITS>(self.came_way.val()) << self.set_bits.val());
    for b in 0..BEATS {
        self.index.next = b.to_bits();
        carry!(self.words[b] <- self: read_address = read_at, write_address = write_at);
        self.words[b].write_data.next = self.came_data.q.val();
        self.words[b].write_enable.next =
            self.came_mine.val() & (self.came_place.val() == self.index.val());
    }
    if self.reset.val() {
        self.came.d.next = false;
    }
}

#[cfg(test)]
mod rig;
#[cfg(test)]
#[path = "../l2_tests.rs"]
mod tests;
