//! What the memory port answers to reads: beats for rows.
//!
//! Spec: `docs/spec/memory.md`, MEM-012.
//!
//! # Parameters
//! `L` lanes; `TI` bits of a row's slot; `E` places (AXI IDs), `EI` = log2 E; `D` bits of a beat.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `open`, `open_place`, `open_word`, `open_slot`, `open_lanes`, `open_address` | in | 1, EI, 4, TI, L, 32 | a read goes to the port: word of its first beat, row, lanes, virtual address of one of them |
//! | `open_atomic` | in | 1 | it is an AMO's |
//! | `beat_valid` / `beat_ready`, `beat_id`, `beat_data`, `beat_error`, `beat_last` | in / out | 1, EI, D, 1, 1 | a beat from the port, of any ID |
//! | `out_valid` / `out_ready`, `out_slot`, `out_lanes`, `out_data`, `out_word`, `out_last`, `out_error`, `out_address` | out / in | 1, TI, L, D, 4, 1, 1, 32 | it with what is known of it |
//! | `read_over`, `read_place` | out | 1, EI | the last beat of a load or LR is out; the place of what is out |
//! | `atomic_comes`, `atomic_last` | out | 1, 1 | a beat of an AMO goes, the last one. `out_last` is 0: its row gets more (`Modify`) |
//!
//! # Cycle behaviour
//! A beat is out in the cycle after it was taken.
//!
//! # Errors
//! `beat_error`, as above. `Default` panics when the parameters do not fit.

use crate::hdl::*;
use crate::prim::LutRam;

#[module(requires(E == 1 << EI, (8..32).contains(&E), D.is_power_of_two(), (64..=512).contains(&D)), given(let words = D as u64 / 32;))]
pub struct Replies<const L: usize, const TI: usize, const E: usize, const EI: usize, const D: usize>
{
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub open: Signal<In, Bit>,
    pub open_place: Signal<In, Bits<EI>>,
    pub open_word: Signal<In, Bits<4>>,
    pub open_slot: Signal<In, Bits<TI>>,
    pub open_lanes: Signal<In, Bits<L>>,
    pub open_address: Signal<In, Bits<32>>,
    pub open_atomic: Signal<In, Bit>,
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
    pub atomic_comes: Signal<Out, Bit>,
    pub atomic_last: Signal<Out, Bit>,
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
    // Combinational.
    is_unstarted: Signal<Local, Bit>,
    word_now: Signal<Local, Bits<4>>,
    takes: Signal<Local, Bit>,
    leaves: Signal<Local, Bit>,
    next_unstarted: Signal<Local, Bits<E>>,
    next_atomics: Signal<Local, Bits<E>>,
    #[init((0..E).map(|e| Constant::new((e as u64).into())).collect())]
    number: Vec<Constant<Bits<EI>>>,
    #[value((words % 16).into())]
    beat_step: Constant<Bits<4>>,
}

#[part(Replies<L, TI, E, EI, D>)]
fn update(&mut self) {
    // ---- A read begins.
    spread!(self.*.write_enable <- self.open: first_words, slots, lanes, addresses);
    spread!(self.*.write_address <- self.open_place: first_words, slots, lanes, addresses);
    self.first_words.write_data.next = self.open_word.val();
    self.slots.write_data.next = self.open_slot.val();
    self.lanes.write_data.next = self.open_lanes.val();
    self.addresses.write_data.next = self.open_address.val();
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
    carry!(self.out_* <- self.*.q: valid, slot, lanes = lane, data, word, error, address);
    self.out_last.next = self.last.q.val() & !self.atomic.q.val();
    self.read_over.next = self.leaves.val() & self.last.q.val() & !self.atomic.q.val();
    self.read_place.next = self.id.q.val();
    self.atomic_comes.next = self.leaves.val() & self.atomic.q.val();
    carry!(self.atomic_* <- self.*.q: last);
    // ---- Places.
    carry!(self.next_* <- self.*.q: unstarted, atomics);
    for e in 0..E {
        if self.takes.val() & (self.beat_id.val() == self.number[e].val()) {
            self.next_unstarted.next = self.next_unstarted.val().replace_bit(e, false);
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
        self.valid.d.next = false;
    }
    carry!(self.*.d <- self.next_*: unstarted, atomics);
}
