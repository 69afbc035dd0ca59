//! What the memory port answers to reads: beats for rows, and the words that atomics change.
//!
//! Spec: `docs/spec/memory.md`, MEM-012, MEM-017.
//!
//! # Parameters
//! `L` lanes; `TI` bits of a row's slot; `E` places (AXI IDs), `EI` = log2 E; `D` bits of a beat, `DS` = D / 8.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `open`, `open_place`, `open_word`, `open_slot`, `open_lanes`, `open_address` | in | 1, EI, 4, TI, L, 32 | a read goes to the port: word of its first beat, row, lanes, virtual address of one of them |
//! | `open_atomic`, `open_operation`, `open_operand`, `open_target` | in | 1, 4, 32, 32 | it is an atomic's, of that physical address |
//! | `beat_valid` / `beat_ready`, `beat_id`, `beat_data`, `beat_error`, `beat_last` | in / out | 1, EI, D, 1, 1 | a beat from the port, of any ID |
//! | `out_valid` / `out_ready`, `out_slot`, `out_lanes`, `out_data`, `out_word`, `out_last`, `out_error`, `out_address` | out / in | 1, TI, L, D, 4, 1, 1, 32 | it with what is known of it |
//! | `read_over`, `read_place` | out | 1, EI | the last beat of a load is out |
//! | `modify_valid` / `modify_ready`, `modify_place`, `modify_address`, `modify_data`, `modify_strobes` | out / in | 1, EI, 32, D, DS | an atomic's write, one beat |
//! | `dropped` / `drop_ready`, `dropped_place` | out / in | 1, EI | an atomic whose word could not be read writes nothing |
//!
//! # Cycle behaviour
//! A beat is out in the cycle after it was taken. Once valid, `modify_*` and `dropped` hold until taken.
//!
//! # Invariants
//! 1. An atomic writes once, or is dropped.
//!
//! # Errors
//! `beat_error`, as above. `Default` panics when the parameters do not fit.

use super::atomic::Atomic;
use super::Join;
use crate::hdl::*;
use crate::prim::{LutRam, Rota};

#[module(requires(E == 1 << EI, (8..32).contains(&E), D == 8 * DS, D.is_power_of_two(), (64..=512).contains(&D)), given(let words = D as u64 / 32;))]
pub struct Replies<
    const L: usize,
    const TI: usize,
    const E: usize,
    const EI: usize,
    const D: usize,
    const DS: usize,
> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub open: Signal<In, Bit>,
    pub open_place: Signal<In, Bits<EI>>,
    pub open_word: Signal<In, Bits<4>>,
    pub open_slot: Signal<In, Bits<TI>>,
    pub open_lanes: Signal<In, Bits<L>>,
    pub open_address: Signal<In, Bits<32>>,
    pub open_atomic: Signal<In, Bit>,
    pub open_operation: Signal<In, Bits<4>>,
    pub open_operand: Signal<In, Bits<32>>,
    pub open_target: Signal<In, Bits<32>>,
    pub beat_valid: Signal<In, Bit>,
    pub beat_ready: Signal<Out, Bit>,
    pub beat_id: Signal<In, Bits<EI>>,
    pub beat_data: Signal<In, Bits<D>>,
    pub beat_error: Signal<In, Bit>,
    pub beat_last: Signal<In, Bit>,
    pub out_valid: Signal<Out, Bit>,
    pub out_ready: Signal<In, Bit>,
    pub out_slot: Signal<Out, Bits<TI>>,
    pub out_lanes: Signal<Out, Bits<L>>,
    pub out_data: Signal<Out, Bits<D>>,
    pub out_word: Signal<Out, Bits<4>>,
    pub out_last: Signal<Out, Bit>,
    pub out_error: Signal<Out, Bit>,
    pub out_address: Signal<Out, Bits<32>>,
    pub read_over: Signal<Out, Bit>,
    pub read_place: Signal<Out, Bits<EI>>,
    pub modify_valid: Signal<Out, Bit>,
    pub modify_ready: Signal<In, Bit>,
    pub modify_place: Signal<Out, Bits<EI>>,
    pub modify_address: Signal<Out, Bits<32>>,
    pub modify_data: Signal<Out, Bits<D>>,
    pub modify_strobes: Signal<Out, Bits<DS>>,
    pub dropped: Signal<Out, Bit>,
    pub drop_ready: Signal<In, Bit>,
    pub dropped_place: Signal<Out, Bits<EI>>,
    // State per place: its first beat has not come, it is an atomic's;
    // first word, word of the next beat, row, lanes, address.
    unstarted: DFF<Bits<E>>,
    atomics: DFF<Bits<E>>,
    first_words: LutRam<Bits<4>, EI>,
    next_words: LutRam<Bits<4>, EI>,
    slots: LutRam<Bits<TI>, EI>,
    lanes: LutRam<Bits<L>, EI>,
    addresses: LutRam<Bits<32>, EI>,
    // State: the beat that is out.
    valid: DFF<Bit>,
    id: DFF<Bits<EI>>,
    slot: DFF<Bits<TI>>,
    lane: DFF<Bits<L>>,
    data: DFF<Bits<D>>,
    word: DFF<Bits<4>>,
    last: DFF<Bit>,
    error: DFF<Bit>,
    address: DFF<Bits<32>>,
    atomic: DFF<Bit>,
    // State per place of an atomic: the old word has come, or could not be read; operation, operand, address, old word.
    modify: DFF<Bits<E>>,
    unread: DFF<Bits<E>>,
    operations: LutRam<Bits<4>, EI>,
    operands: LutRam<Bits<32>, EI>,
    targets: LutRam<Bits<32>, EI>,
    other_targets: LutRam<Bits<32>, EI>,
    olds: LutRam<Bits<32>, EI>,
    // State: the atomic that writes: what it is, then what it writes.
    chosen: DFF<Bit>,
    chosen_place: DFF<Bits<EI>>,
    writes: DFF<Bit>,
    drops: DFF<Bit>,
    place: DFF<Bits<EI>>,
    target: DFF<Bits<32>>,
    written: DFF<Bits<32>>,
    // Combinational.
    is_unstarted: Signal<Local, Bit>,
    word_now: Signal<Local, Bits<4>>,
    takes: Signal<Local, Bit>,
    leaves: Signal<Local, Bit>,
    arrives: Signal<Local, Bit>,
    at_word: Signal<Local, Bits<4>>,
    in_beat: Signal<Local, Bits<4>>,
    to_modify: Signal<Local, Bits<E>>,
    next_modify: Rota<E, EI>,
    free: Signal<Local, Bit>,
    changed: Atomic,
    new_word: Signal<Local, Bits<4>>,
    #[many(words)]
    here: Vec<Signal<Local, Bit>>,
    strobes: Signal<Local, Bits<DS>>,
    beat: Join<DS, 8, D>,
    next_unstarted: Signal<Local, Bits<E>>,
    next_atomics: Signal<Local, Bits<E>>,
    next_modifies: Signal<Local, Bits<E>>,
    next_unread: Signal<Local, Bits<E>>,
    #[init((0..E).map(|e| Constant::new((e as u64).into())).collect())]
    number: Vec<Constant<Bits<EI>>>,
    #[init((0..words).map(|w| Constant::new(w.into())).collect())]
    word_number: Vec<Constant<Bits<4>>>,
    #[value((words - 1).into())]
    word_mask: Constant<Bits<4>>,
    #[value((words % 16).into())]
    beat_step: Constant<Bits<4>>,
    #[value(0u64.into())]
    no_places: Constant<Bits<E>>,
    #[value(Bits::default())]
    no_strobes: Constant<Bits<DS>>,
}

#[part(Replies<L, TI, E, EI, D, DS>)]
fn update(&mut self) {
    // ---- A read begins.
    spread!(self.*.write_enable <- self.open:
        first_words, slots, lanes, addresses, operations, operands, targets, other_targets,
    );
    spread!(self.*.write_address <- self.open_place:
        first_words, slots, lanes, addresses, operations, operands, targets, other_targets,
    );
    self.first_words.write_data.next = self.open_word.val();
    self.slots.write_data.next = self.open_slot.val();
    self.lanes.write_data.next = self.open_lanes.val();
    self.addresses.write_data.next = self.open_address.val();
    self.operations.write_data.next = self.open_operation.val();
    self.operands.write_data.next = self.open_operand.val();
    spread!(self.*.write_data <- self.open_target: targets, other_targets);
    // ---- A beat comes.
    self.leaves.next = self.valid.q.val() & self.out_ready.val();
    self.beat_ready.next = !self.valid.q.val() | self.out_ready.val();
    self.takes.next = self.beat_valid.val() & self.beat_ready.val();
    spread!(self.*.read_address <- self.beat_id: first_words, next_words, slots, lanes, addresses);
    self.is_unstarted.next = self.unstarted.q.val().get_bit(self.beat_id.val().index());
    self.word_now.next = self.next_words.read_data.val();
    if self.is_unstarted.val() {
        self.word_now.next = self.first_words.read_data.val();
    }
    carry!(self.next_words <- self: write_enable = takes, write_address = beat_id);
    self.next_words.write_data.next = self.word_now.val() + self.beat_step.val();
    if self.beat_ready.val() {
        carry!(self.*.d <- self.beat_*: valid, id);
        self.slot.d.next = self.slots.read_data.val();
        self.lane.d.next = self.lanes.read_data.val();
        carry!(self.*.d <- self:
            data = beat_data, word = word_now, last = beat_last, error = beat_error,
        );
        self.address.d.next = self.addresses.read_data.val();
        self.atomic.d.next = self.atomics.q.val().get_bit(self.beat_id.val().index());
    }
    // ---- And goes to its row.
    carry!(self.out_* <- self.*.q: valid, slot, lanes = lane, data, word, last, error, address);
    self.read_over.next = self.leaves.val() & self.last.q.val() & !self.atomic.q.val();
    self.read_place.next = self.id.q.val();
    // ---- An atomic's word is kept.
    self.arrives.next = self.leaves.val() & self.atomic.q.val();
    self.targets.read_address.next = self.id.q.val();
    self.at_word.next = self.targets.read_data.val().get_bits::<4>(2);
    self.in_beat.next = self.at_word.val() & self.word_mask.val();
    self.olds.write_enable.next = self.arrives.val();
    self.olds.write_address.next = self.id.q.val();
    self.olds.write_data.next = self
        .data
        .q
        .val()
        .get_bits::<32>(self.in_beat.val().index() * 32);
    // ---- Those whose word is there change it, one after the other.
    self.free.next = (!self.writes.q.val() & !self.drops.q.val())
        | (self.writes.q.val() & self.modify_ready.val())
        | (self.drops.q.val() & self.drop_ready.val());
    self.to_modify.next = self.no_places.val();
    if !self.chosen.q.val() | self.free.val() {
        self.to_modify.next = self.modify.q.val();
    }
    carry!(self.next_modify <- self: reset, among = to_modify, marks = no_places);
    if !self.chosen.q.val() | self.free.val() {
        self.chosen.d.next = self.next_modify.any.val();
        self.chosen_place.d.next = self.next_modify.place.val();
    }
    spread!(self.*.read_address <- self.chosen_place.q: operations, operands, other_targets, olds);
    self.changed.operation.next = self.operations.read_data.val();
    self.changed.old.next = self.olds.read_data.val();
    self.changed.operand.next = self.operands.read_data.val();
    if self.free.val() {
        self.writes.d.next = self.chosen.q.val()
            & !self
                .unread
                .q
                .val()
                .get_bit(self.chosen_place.q.val().index());
        self.drops.d.next = self.chosen.q.val()
            & self
                .unread
                .q
                .val()
                .get_bit(self.chosen_place.q.val().index());
        self.place.d.next = self.chosen_place.q.val();
        self.target.d.next = self.other_targets.read_data.val();
        self.written.d.next = self.changed.result.val();
    }
    carry!(self <- self.*.q: modify_valid = writes, modify_place = place, modify_address = target);
    self.dropped.next = self.drops.q.val();
    self.dropped_place.next = self.place.q.val();
    self.new_word.next = self.target.q.val().get_bits::<4>(2) & self.word_mask.val();
    self.strobes.next = self.no_strobes.val();
    for w in 0..(D / 32) {
        self.here[w].next = self.new_word.val() == self.word_number[w].val();
        for b in 0..4 {
            self.strobes.next = self
                .strobes
                .val()
                .replace_bit(4 * w + b, self.here[w].val());
            self.beat.each[4 * w + b].next = self.written.q.val().get_bits::<8>(8 * b);
        }
    }
    self.modify_data.next = self.beat.whole.val();
    self.modify_strobes.next = self.strobes.val();
    // ---- Places.
    carry!(self.next_* <- self.*.q: unstarted, atomics);
    self.next_modifies.next = self.modify.q.val() & !self.next_modify.taken.val();
    self.next_unread.next = self.unread.q.val();
    for e in 0..E {
        if self.takes.val() & (self.beat_id.val() == self.number[e].val()) {
            self.next_unstarted.next = self.next_unstarted.val().replace_bit(e, false);
        }
        if self.arrives.val() & (self.id.q.val() == self.number[e].val()) {
            self.next_modifies.next = self.next_modifies.val().replace_bit(e, true);
            self.next_unread.next = self.next_unread.val().replace_bit(e, self.error.q.val());
        }
        if self.open.val() & (self.open_place.val() == self.number[e].val()) {
            self.next_unstarted.next = self.next_unstarted.val().replace_bit(e, true);
            self.next_atomics.next = self
                .next_atomics
                .val()
                .replace_bit(e, self.open_atomic.val());
        }
    }
    if self.reset.val() {
        self.next_modifies.next = self.no_places.val();
        self.valid.d.next = false;
        self.chosen.d.next = false;
        self.writes.d.next = false;
        self.drops.d.next = false;
    }
    carry!(self.*.d <- self.next_*: unstarted, atomics, modify = modifies, unread);
}
