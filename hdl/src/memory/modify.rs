//! The words that AMOs change: lines of which all beats have come, one after the other, a lane in each cycle.
//!
//! Spec: `docs/spec/memory.md`, MEM-011, MEM-016, MEM-017.
//!
//! # Parameters
//! By name, `hdl/src/sizes.rs`.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `open`, `open_place`, `open_slot`, `open_lanes`, `open_operation`, `open_operands`, `open_offsets` | in | 1, EI, TI, L, 4, 32 L, 6 L | the read of some lanes' words goes to the port: its row, places in the line in bytes |
//! | `open_line`, `open_first`, `open_end`, `open_length` | in | 26, 4, 4, 3 | its line; first words of its first and its last beat; beats less one |
//! | `beat_comes`, `beat_place`, `beat_data`, `beat_word`, `beat_error`, `beat_last` | in | 1, EI, D, 4, 1, 1 | a beat of it; only while `words_valid` is 0 |
//! | `words_free`, `words_valid`, `words_slot`, `words_lanes`, `words_data`, `words_last` | in, out | 1, 1, TI, L, 32, 1 | may be 1; the old word of a lane, of the last one of its access |
//! | `modify_valid` / `modify_ready`, `modify_place`, `modify_address`, `modify_length`, `modify_data`, `modify_strobes`, `modify_last` | out / in | 1, EI, 32, 3, D, DS, 1 | a beat to write |
//!
//! # Cycle behaviour
//! ```text
//! cycle     t           t + 1            t + 2            t + 3 …          behind the last lane
//! line      last beat   its first lane   that one finds   a lane changes   its beats are written
//!                       is picked        its word         its word
//! ```
//! While others wait that have all their beats it takes its turn.
//! A lane waits while `words_free` is 0 and while a line is written; the next line's first lane is picked meanwhile.
//! The lane behind one that changes the same word finds what that one makes of it, in the same cycle.
//!
//! # Invariants
//! 1. What a lane finds is what the lower ones of its access have left.
//! 2. A line is written once.
//! 3. A beat is written with the words that have changed, which may be none of the whole line.
//!
//! # Errors
//! `beat_error`: the words of the beat are not changed, and not written.

use super::atomic::Atomic;
use super::Join;
use crate::hdl::*;
use crate::prim::{FirstOne, LutRam, Rota};

/// A lane on its way to its word.
#[registers]
pub struct LaneStage<const L: usize, const TI: usize, const EI: usize> {
    pub valid: DFF<Bit>,
    pub place: DFF<Bits<EI>>,
    /// The first, the last one of its access.
    pub first: DFF<Bit>,
    pub last: DFF<Bit>,
    pub slot: DFF<Bits<TI>>,
    pub lanes: DFF<Bits<L>>,
    pub operation: DFF<Bits<4>>,
    pub operand: DFF<Bits<32>>,
    pub word: DFF<Bits<4>>,
}

#[module(
    requires(MISS_BEAT_BITS == MISS_BITS + BEAT_COUNT_BITS, DATA == 8 * STROBES, DATA == 32 * BEAT_WORDS),
    kernel(Keep, Step, Write)
)]
pub struct Modify {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub open: Signal<In, Bit>,
    pub open_place: Signal<In, Bits<MISS_BITS>>,
    pub open_slot: Signal<In, Bits<ROW_BITS>>,
    pub open_lanes: Signal<In, Bits<LANES>>,
    pub open_operation: Signal<In, Bits<4>>,
    pub open_operands: Signal<In, Bits<ROW_WIDTH>>,
    pub open_offsets: Signal<In, Bits<OFFSETS_WIDTH>>,
    pub open_line: Signal<In, Bits<26>>,
    pub open_first: Signal<In, Bits<4>>,
    pub open_end: Signal<In, Bits<4>>,
    pub open_length: Signal<In, Bits<3>>,
    pub beat_comes: Signal<In, Bit>,
    pub beat_place: Signal<In, Bits<MISS_BITS>>,
    pub beat_data: Signal<In, Bits<DATA>>,
    pub beat_word: Signal<In, Bits<4>>,
    pub beat_error: Signal<In, Bit>,
    pub beat_last: Signal<In, Bit>,
    pub words_free: Signal<In, Bit>,
    pub words_valid: Signal<Out, Bit>,
    pub words_slot: Signal<Out, Bits<ROW_BITS>>,
    pub words_lanes: Signal<Out, Bits<LANES>>,
    pub words_data: Signal<Out, Bits<32>>,
    pub words_last: Signal<Out, Bit>,
    pub modify_valid: Signal<Out, Bit>,
    pub modify_ready: Signal<In, Bit>,
    pub modify_place: Signal<Out, Bits<MISS_BITS>>,
    pub modify_address: Signal<Out, Bits<32>>,
    pub modify_length: Signal<Out, Bits<3>>,
    pub modify_data: Signal<Out, Bits<DATA>>,
    pub modify_strobes: Signal<Out, Bits<STROBES>>,
    pub modify_last: Signal<Out, Bit>,
    // State per place: all its beats have come; its row, its lanes, what they do, where its burst is.
    whole: DFF<Bits<MISSES>>,
    slots: LutRam<Bits<ROW_BITS>, MISS_BITS>,
    lanes: LutRam<Bits<LANES>, MISS_BITS>,
    operations: LutRam<Bits<4>, MISS_BITS>,
    lines: LutRam<Bits<26>, MISS_BITS>,
    firsts: LutRam<Bits<4>, MISS_BITS>,
    ends: LutRam<Bits<4>, MISS_BITS>,
    lengths: LutRam<Bits<3>, MISS_BITS>,
    // State per place and lane: operand, word of the line.
    #[many(LANES)]
    operands: Vec<LutRam<Bits<32>, MISS_BITS>>,
    #[many(LANES)]
    places: Vec<LutRam<Bits<4>, MISS_BITS>>,
    // State per place and beat: an error; its words.
    errors: LutRam<Bits<1>, MISS_BEAT_BITS>,
    #[many(BEAT_WORDS)]
    kept: Vec<LutRam<Bits<32>, MISS_BEAT_BITS>>,
    // State: the line that comes next; the one whose lanes are picked (f), and those left.
    chosen: DFF<Bit>,
    chosen_place: DFF<Bits<MISS_BITS>>,
    f: DFF<Bit>,
    f_place: DFF<Bits<MISS_BITS>>,
    f_left: DFF<Bits<LANES>>,
    f_first: DFF<Bit>,
    // State: the lane that finds its word (s); whether the one before it was at the same word.
    s: LaneStage<LANES, ROW_BITS, MISS_BITS>,
    s_same: DFF<Bit>,
    // State: the lane that changes its word (x): where that lies, where its line's words begin, whether it could be read.
    x: LaneStage<LANES, ROW_BITS, MISS_BITS>,
    x_at: DFF<Bits<MISS_BEAT_BITS>>,
    x_begin: DFF<Bits<4>>,
    x_good: DFF<Bit>,
    x_old: DFF<Bits<32>>,
    // State: words of its line that have changed, but for the latest one (m); the line that is written (w), first word of
    // the beat that goes next; the beat that is looked at, or is written, and its place.
    changed: DFF<Bits<16>>,
    m: DFF<Bit>,
    m_word: DFF<Bits<4>>,
    w: DFF<Bit>,
    w_place: DFF<Bits<MISS_BITS>>,
    w_word: DFF<Bits<4>>,
    at: DFF<Bits<MISS_BEAT_BITS>>,
    at_place: DFF<Bits<MISS_BITS>>,
    // Combinational: a beat, the line that comes next.
    come_beat: Signal<Local, Bits<4>>,
    come_at: Signal<Local, Bits<MISS_BEAT_BITS>>,
    among: Signal<Local, Bits<MISSES>>,
    next: Rota<MISSES, MISS_BITS>,
    arrives: Signal<Local, Bit>,
    waits: Signal<Local, Bit>,
    straight: Signal<Local, Bit>,
    place_next: Signal<Local, Bits<MISS_BITS>>,
    next_whole: Signal<Local, Bits<MISSES>>,
    // Combinational: the next lane.
    lowest: FirstOne<LANES, LANE_BITS>,
    #[many(LANES)]
    is_lowest: Vec<Signal<Local, Bit>>,
    picked: Signal<Local, Bits<LANES>>,
    others: Signal<Local, Bits<LANES>>,
    operand: Signal<Local, Bits<32>>,
    word: Signal<Local, Bits<4>>,
    f_free: Signal<Local, Bit>,
    s_free: Signal<Local, Bit>,
    // Combinational: the lane that finds its word.
    moves: Signal<Local, Bit>,
    next_s_place: Signal<Local, Bits<MISS_BITS>>,
    next_s_word: Signal<Local, Bits<4>>,
    in_beat: Signal<Local, Bits<4>>,
    old: Signal<Local, Bits<32>>,
    // Combinational: the lane that changes its word.
    goes: Signal<Local, Bit>,
    x_in_beat: Signal<Local, Bits<4>>,
    #[many(BEAT_WORDS)]
    here: Vec<Signal<Local, Bit>>,
    sum: Atomic,
    marks: Signal<Local, Bits<16>>,
    // Combinational: the beat that is written.
    next_w: Signal<Local, Bit>,
    next_w_place: Signal<Local, Bits<MISS_BITS>>,
    next_w_word: Signal<Local, Bits<4>>,
    ahead_place: Signal<Local, Bits<MISS_BITS>>,
    ahead_word: Signal<Local, Bits<4>>,
    ahead_beat: Signal<Local, Bits<4>>,
    is_end: Signal<Local, Bit>,
    of_beat: Signal<Local, Bits<16>>,
    strobes: Signal<Local, Bits<STROBES>>,
    beat: Join<BEAT_WORDS, 32, DATA>,
    #[init((0..MISSES).map(|e| Constant::new((e as u64).into())).collect())]
    number: Vec<Constant<Bits<MISS_BITS>>>,
    #[init((0..LANES).map(|l| Constant::new((l as u64).into())).collect())]
    lane_number: Vec<Constant<Bits<LANE_BITS>>>,
    #[init((0..BEAT_WORDS).map(|w| Constant::new((w as u64).into())).collect())]
    word_number: Vec<Constant<Bits<4>>>,
    #[value((BEAT_WORDS as u64 - 1).into())]
    word_mask: Constant<Bits<4>>,
    #[value((BEAT_WORDS as u64 % 16).into())]
    beat_step: Constant<Bits<4>>,
    #[value(u64::from(BEAT_WORDS.trailing_zeros()).into())]
    beat_shift: Constant<Bits<3>>,
    #[value((BEAT_COUNT_BITS as u64).into())]
    beat_bits: Constant<Bits<3>>,
    #[value(1u64.into())]
    a_word: Constant<Bits<16>>,
    #[value(0u64.into())]
    no_words: Constant<Bits<16>>,
    #[value(0u64.into())]
    no_places: Constant<Bits<MISSES>>,
    #[value(0u64.into())]
    no_lanes: Constant<Bits<LANES>>,
    #[value(0u64.into())]
    zero: Constant<Bits<32>>,
    #[value(0u64.into())]
    word_zero: Constant<Bits<4>>,
    #[value(Bits::default())]
    no_strobes: Constant<Bits<STROBES>>,
}

/// What a read brings.
pub struct Keep;

#[part(Modify, Keep)]
fn update(&mut self) {
    // ---- A read begins.
    spread!(self.*.write_enable <- self.open:
        slots, lanes, operations, lines, firsts, ends, lengths,
    );
    spread!(self.*.write_address <- self.open_place:
        slots, lanes, operations, lines, firsts, ends, lengths,
    );
    carry!(self.*.write_data <- self.open_*:
        slots = slot, lanes, operations = operation, lines = line, firsts = first, ends = end,
        lengths = length,
    );
    for l in 0..LANES {
        carry!(self.operands[l] <- self: write_enable = open, write_address = open_place);
        self.operands[l].write_data.next = self.open_operands.val().get_bits::<32>(32 * l);
        carry!(self.places[l] <- self: write_enable = open, write_address = open_place);
        self.places[l].write_data.next = self.open_offsets.val().get_bits::<4>(6 * l + 2);
    }
    // ---- A beat comes: its words are kept below.
    self.come_beat.next = self.beat_word.val() >> self.beat_shift.val();
    self.come_at.next = (bit_cast::<MISS_BEAT_BITS, MISS_BITS>(self.beat_place.val())
        << self.beat_bits.val())
        | bit_cast::<MISS_BEAT_BITS, BEAT_COUNT_BITS>(
            self.come_beat.val().get_bits::<BEAT_COUNT_BITS>(0),
        );
    carry!(self.errors <- self: write_enable = beat_comes, write_address = come_at);
    self.errors.write_data.next = self.beat_error.val().into();
}

/// A lane in each cycle.
pub struct Step;

#[part(Modify, Step)]
fn update(&mut self) {
    // ---- The lane that changes its word, and gets what it has found.
    self.goes.next = self.x.valid.q.val() & self.words_free.val() & !self.w.q.val();
    carry!(self.sum <- self.x.*.q: operation, operand);
    carry!(self.sum <- self.x_*.q: old);
    self.words_valid.next = self.goes.val();
    carry!(self.words_* <- self.x.*.q: slot, lanes, last);
    carry!(self.words_* <- self.x_*.q: data = old);
    self.x_in_beat.next = self.x.word.q.val() & self.word_mask.val();
    for w in 0..BEAT_WORDS {
        self.here[w].next = self.x_in_beat.val() == self.word_number[w].val();
        self.kept[w].write_enable.next =
            self.beat_comes.val() | (self.goes.val() & self.x_good.q.val() & self.here[w].val());
        self.kept[w].write_address.next = self.x_at.q.val();
        self.kept[w].write_data.next = self.sum.result.val();
        if self.beat_comes.val() {
            carry!(self.kept[w] <- self: write_address = come_at);
            self.kept[w].write_data.next = self.beat_data.val().get_bits::<32>(32 * w);
        }
    }
    // Which word has changed is known in the next cycle: whether it has is known late.
    self.m.d.next = self.goes.val() & self.x_good.q.val() & self.sum.changes.val();
    carry!(self.m_*.d <- self.x.*.q: word);
    carry!(self <- self.*.q: marks = changed);
    if self.m.q.val() {
        self.marks.next = self.changed.q.val() | (self.a_word.val() << self.m_word.q.val());
    }
    carry!(self.*.d <- self: changed = marks);
    if self.goes.val() {
        if self.x.first.q.val() {
            self.changed.d.next = self.no_words.val();
        }
        self.x.valid.d.next = false;
    }

    // ---- The lane that finds its word: in its line, or where the one before it is just changing it.
    self.moves.next = (!self.x.valid.q.val() | self.words_free.val()) & !self.w.q.val();
    self.in_beat.next = self.s.word.q.val() & self.word_mask.val();
    self.old.next = self.zero.val();
    for w in 0..BEAT_WORDS {
        self.kept[w].read_address.next = self.at.q.val();
        if self.in_beat.val() == self.word_number[w].val() {
            self.old.next = self.old.val() | self.kept[w].read_data.val();
        }
    }
    self.errors.read_address.next = self.at.q.val();
    if self.moves.val() {
        carry!(self.x.*.d <- self.s.*.q:
            valid, place, first, last, slot, lanes, operation, operand, word,
        );
        carry!(self.x_*.d <- self: old);
        carry!(self.x_*.d <- self.*.q: at);
        carry!(self.x_*.d <- self.firsts: begin = read_data);
        self.x_good.d.next = !self.errors.read_data.val().any();
        if self.s_same.q.val() & self.x_good.q.val() {
            self.x_old.d.next = self.sum.result.val();
        }
    }
    self.s_free.next = !self.s.valid.q.val() | self.moves.val();

    // ---- The next lane: the lowest one that is left.
    self.lowest.bits.next = self.f_left.q.val();
    self.picked.next = self.no_lanes.val();
    carry!(self <- self: operand = zero, word = word_zero);
    for l in 0..LANES {
        spread!(self.*[l].read_address <- self.f_place.q: operands, places);
        self.is_lowest[l].next = self.lowest.place.val() == self.lane_number[l].val();
        self.picked.next = self.picked.val().replace_bit(l, self.is_lowest[l].val());
        if self.is_lowest[l].val() {
            self.operand.next = self.operand.val() | self.operands[l].read_data.val();
            self.word.next = self.word.val() | self.places[l].read_data.val();
        }
    }
    self.others.next = self.f_left.q.val() & !self.picked.val();
    spread!(self.*.read_address <- self.f_place.q: slots, operations);
    carry!(self.next_s_* <- self.s.*.q: place, word);
    if self.s_free.val() {
        self.next_s_place.next = self.f_place.q.val();
        self.next_s_word.next = self.word.val();
    }
    carry!(self.s.*.d <- self.next_s_*: place, word);
    if self.s_free.val() {
        self.s.valid.d.next = self.f.q.val();
        carry!(self.s.*.d <- self.f_*.q: first);
        self.s.last.d.next = !self.others.val().any();
        carry!(self.s.*.d <- self.*.read_data: slot = slots, operation = operations);
        carry!(self.s.*.d <- self: lanes = picked, operand);
        carry!(self.f_*.d <- self: left = others);
        self.f_first.d.next = false;
        self.s_same.d.next = !self.f_first.q.val() & (self.word.val() == self.s.word.q.val());
    }

    // ---- The next line: it is known before there is room for it.
    self.f_free.next = !self.f.q.val() | (self.s_free.val() & !self.others.val().any());
    self.among.next = self.no_places.val();
    if !self.chosen.q.val() {
        self.among.next = self.whole.q.val();
    }
    carry!(self.next <- self: reset, among, marks = no_places);
    if !self.chosen.q.val() {
        carry!(self.*.d <- self.next: chosen = any, chosen_place = place);
    } else if self.f_free.val() {
        self.chosen.d.next = false;
    }
    // When none waits, one comes in the cycle of its last beat.
    self.arrives.next = self.beat_comes.val() & self.beat_last.val();
    self.waits.next = self.chosen.q.val() | self.whole.q.val().any();
    self.straight.next = self.arrives.val() & self.f_free.val() & !self.waits.val();
    self.place_next.next = self.beat_place.val();
    if self.chosen.q.val() {
        self.place_next.next = self.chosen_place.q.val();
    }
    self.lanes.read_address.next = self.place_next.val();
    if self.f_free.val() {
        self.f.d.next = self.chosen.q.val() | self.straight.val();
        carry!(self.f_*.d <- self: place = place_next);
        carry!(self.f_*.d <- self.lanes: left = read_data);
        self.f_first.d.next = true;
    }
    self.next_whole.next = self.whole.q.val() & !self.next.taken.val();
    for e in 0..MISSES {
        if self.arrives.val()
            & !self.straight.val()
            & (self.beat_place.val() == self.number[e].val())
        {
            self.next_whole.next = self.next_whole.val().replace_bit(e, true);
        }
    }
    carry!(self.*.d <- self: whole = next_whole);
}

/// The line is written.
pub struct Write;

#[part(Modify, Write)]
fn update(&mut self) {
    carry!(self.firsts <- self.*.q: read_address = at_place);
    spread!(self.*.read_address <- self.w_place.q: ends, lines, lengths);
    self.is_end.next = self.w_word.q.val() == self.ends.read_data.val();
    self.modify_valid.next = self.w.q.val();
    carry!(self.modify_* <- self.w_*.q: place);
    self.modify_address.next = (bit_cast::<32, 26>(self.lines.read_data.val()) << 6)
        | (bit_cast::<32, 4>(self.firsts.read_data.val()) << 2);
    carry!(self.modify_* <- self.lengths: length = read_data);
    carry!(self.modify_* <- self: last = is_end);
    self.of_beat.next = self.marks.val() >> self.w_word.q.val();
    self.strobes.next = self.no_strobes.val();
    for w in 0..BEAT_WORDS {
        self.beat.each[w].next = self.kept[w].read_data.val();
        for b in 0..4 {
            self.strobes.next = self
                .strobes
                .val()
                .replace_bit(4 * w + b, self.of_beat.val().get_bit(w));
        }
    }
    carry!(self.modify_* <- self.beat: data = whole);
    carry!(self.modify_* <- self: strobes);
    carry!(self.next_* <- self.*.q: w, w_place, w_word);
    if self.modify_ready.val() {
        self.next_w_word.next = self.w_word.q.val() + self.beat_step.val();
        if self.is_end.val() {
            self.next_w.next = false;
        }
    }
    if self.goes.val() {
        carry!(self.next_w_* <- self.x.*.q: place);
        carry!(self.next_* <- self.x.*.q: w = last);
        carry!(self.next_* <- self.x_*.q: w_word = begin);
    }
    carry!(self.*.d <- self.next_*: w, w_place, w_word);
    // ---- The beat of the next cycle: of the lane that finds its word, or to be written.
    carry!(self.ahead_* <- self.next_s_*: place, word);
    if self.next_w.val() {
        carry!(self.ahead_* <- self.next_w_*: place, word);
    }
    self.ahead_beat.next = self.ahead_word.val() >> self.beat_shift.val();
    carry!(self.at_*.d <- self.ahead_*: place);
    self.at.d.next = (bit_cast::<MISS_BEAT_BITS, MISS_BITS>(self.ahead_place.val())
        << self.beat_bits.val())
        | bit_cast::<MISS_BEAT_BITS, BEAT_COUNT_BITS>(
            self.ahead_beat.val().get_bits::<BEAT_COUNT_BITS>(0),
        );
    if self.reset.val() {
        self.chosen.d.next = false;
        self.f.d.next = false;
        self.s.valid.d.next = false;
        self.x.valid.d.next = false;
        self.w.d.next = false;
        self.whole.d.next = self.no_places.val();
    }
}
