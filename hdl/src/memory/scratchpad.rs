//! Scratchpad: L banks of 32 bits on chip.
//!
//! Spec: `docs/spec/memory.md`, MEM-008, MEM-030 to MEM-032.
//!
//! # Parameters
//! `L` lanes and banks, a power of two, 4 at least; `LI` = log2 L; `LW` = 32 L; `LN` = 26 L; `LO` = 6 L;
//! `A`: log2 of the words of a bank; `TI` bits of a row's slot.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `scrub`, `scrubbing` | in, out | 1 | pulse, while there is no access: all words become 0; not yet |
//! | `valid` | in | 1 | an access; holds until `over` |
//! | `lanes` | in | L | lanes that are not served yet |
//! | `lines`, `offsets` | in | LN, LO | where in the scratchpad: bits 31 … 6, 5 … 0 of the lanes' addresses |
//! | `store`, `atomic`, `operation`, `size`, `data` | in | 1, 1, 4, 2, LW | neither: load. Atomics: one lane |
//! | `slot` | in | TI | row that gets the words |
//! | `served` | out | L | lanes that are served in this cycle |
//! | `over` | out | 1 | and none is left |
//! | `words_valid`, `words_slot`, `words_lanes`, `words_data`, `words_last` | out | 1, TI, L, LW, 1 | words of lanes that loaded: as they stand in the bank; last of the access |
//!
//! # Cycle behaviour
//! ```text
//! cycle     t        t + 1    t + 2
//! load      served   bank     words
//! atomic    bank     old      served: new is written; words in t + 3
//! ```
//! A scrub writes a row of all banks in each cycle, 2^A of them.
//! Word address a is in bank a mod L. In each cycle a bank serves the word of its lowest lane: for a load all lanes
//! that want this word, for a store that lane.
//!
//! # Invariants
//! 1. A bank is written once per cycle at most.
//!
//! # Errors
//! Addresses beyond the banks wrap. `Default` panics when the parameters do not fit.

use super::atomic::Atomic;
use super::store_lane::StoreLane;
use super::{ByteRam, Join};
use crate::hdl::*;

/// Word address of a line and a place in it.
#[module]
struct WordAddress {
    pub line: Signal<In, Bits<26>>,
    pub place: Signal<In, Bits<4>>,
    pub word: Signal<Out, Bits<30>>,
}

#[part(WordAddress)]
fn update(&mut self) {
    self.word.next =
        (bit_cast::<30, 26>(self.line.val()) << 4) | bit_cast::<30, 4>(self.place.val());
}

#[module(requires(L == 1 << LI, LW == 32 * L, LN == 26 * L, LO == 6 * L, L >= 4))]
pub struct Scratchpad<
    const L: usize,
    const LI: usize,
    const LW: usize,
    const LN: usize,
    const LO: usize,
    const A: usize,
    const TI: usize,
> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub scrub: Signal<In, Bit>,
    pub scrubbing: Signal<Out, Bit>,
    pub valid: Signal<In, Bit>,
    pub lanes: Signal<In, Bits<L>>,
    pub lines: Signal<In, Bits<LN>>,
    pub offsets: Signal<In, Bits<LO>>,
    pub store: Signal<In, Bit>,
    pub atomic: Signal<In, Bit>,
    pub operation: Signal<In, Bits<4>>,
    pub size: Signal<In, Bits<2>>,
    pub data: Signal<In, Bits<LW>>,
    pub slot: Signal<In, Bits<TI>>,
    pub served: Signal<Out, Bits<L>>,
    pub over: Signal<Out, Bit>,
    pub words_valid: Signal<Out, Bit>,
    pub words_slot: Signal<Out, Bits<TI>>,
    pub words_lanes: Signal<Out, Bits<L>>,
    pub words_data: Signal<Out, Bits<LW>>,
    pub words_last: Signal<Out, Bit>,
    #[many(L)]
    banks: Vec<ByteRam<A>>,
    // State: a scrub, and the row that it writes.
    scrubs: DFF<Bit>,
    scrub_row: DFF<Bits<A>>,
    // State: cycle of an atomic, the word that it has found, its operand; a load whose words are at the banks; words.
    stage: DFF<Bits<2>>,
    old: DFF<Bits<32>>,
    operand: DFF<Bits<32>>,
    reads: DFF<Bit>,
    read_lanes: DFF<Bits<L>>,
    #[always]
    #[many(L)]
    read_bank: Vec<DFF<Bits<LI>>>,
    read_slot: DFF<Bits<TI>>,
    read_last: DFF<Bit>,
    answers: DFF<Bit>,
    answer_lanes: DFF<Bits<L>>,
    answer_slot: DFF<Bits<TI>>,
    answer_last: DFF<Bit>,
    #[always]
    #[many(L)]
    word: Vec<DFF<Bits<32>>>,
    // Combinational.
    #[many(L)]
    offset: Vec<Signal<Local, Bits<6>>>,
    #[many(L)]
    of_lane: Vec<WordAddress>,
    #[many(L)]
    address: Vec<Signal<Local, Bits<30>>>,
    #[many(L)]
    bank: Vec<Signal<Local, Bits<LI>>>,
    #[many(L)]
    row: Vec<Signal<Local, Bits<A>>>,
    #[many(L)]
    lane: Vec<StoreLane>,
    // One per bank and lane.
    #[many(L * L)]
    wants: Vec<Signal<Local, Bit>>,
    #[many(L * L)]
    leads: Vec<Signal<Local, Bit>>,
    // One per pair of lanes: the first one is left and wants the second one's bank; they want one word.
    #[many(L * L)]
    meets: Vec<Signal<Local, Bit>>,
    #[many(L * L)]
    agrees: Vec<Signal<Local, Bit>>,
    // Per lane: those at its bank; whether it is the lowest of them, or wants the word of the lowest one.
    #[many(L)]
    others: Vec<Signal<Local, Bits<L>>>,
    #[many(L)]
    is_first: Vec<Signal<Local, Bit>>,
    #[many(L)]
    along: Vec<Signal<Local, Bit>>,
    #[many(L)]
    some: Vec<Signal<Local, Bit>>,
    #[many(L)]
    bank_row: Vec<Signal<Local, Bits<A>>>,
    #[many(L)]
    bank_value: Vec<Signal<Local, Bits<32>>>,
    #[many(L)]
    bank_bytes: Vec<Signal<Local, Bits<4>>>,
    from_banks: Join<L, 32, LW>,
    joined: Join<L, 32, LW>,
    #[many(L)]
    come: Vec<Signal<Local, Bits<32>>>,
    fits: Signal<Local, Bits<L>>,
    #[many(L)]
    is_served: Vec<Signal<Local, Bit>>,
    found: Signal<Local, Bits<32>>,
    asked: Signal<Local, Bits<32>>,
    serves: Signal<Local, Bit>,
    left: Signal<Local, Bits<L>>,
    last: Signal<Local, Bit>,
    changed: Atomic,
    #[init((0..L).map(|b| Constant::new((b as u64).into())).collect())]
    number: Vec<Constant<Bits<LI>>>,
    #[init((0..L).map(|l| Constant::new(((1u64 << l) - 1).into())).collect())]
    lower: Vec<Constant<Bits<L>>>,
    #[value(0u64.into())]
    no_lanes: Constant<Bits<L>>,
    #[value(0u64.into())]
    no_row: Constant<Bits<A>>,
    #[value(0u64.into())]
    no_bytes: Constant<Bits<4>>,
    #[value(15u64.into())]
    all_bytes: Constant<Bits<4>>,
    #[value(0u64.into())]
    zero: Constant<Bits<32>>,
}

#[part(Scratchpad<L, LI, LW, LN, LO, A, TI>)]
fn update(&mut self) {
    // ---- Where each lane goes, and what it stores.
    for n in LI..(LI + 1) {
        for l in 0..L {
            self.offset[l].next = self.offsets.val().get_bits::<6>(6 * l);
            self.of_lane[l].line.next = self.lines.val().get_bits::<26>(26 * l);
            self.of_lane[l].place.next = self.offset[l].val().get_bits::<4>(2);
            self.address[l].next = self.of_lane[l].word.val();
            self.bank[l].next = self.address[l].val().get_bits::<LI>(0);
            self.row[l].next = self.address[l].val().get_bits::<A>(n);
            self.lane[l].data.next = self.data.val().get_bits::<32>(32 * l);
            self.lane[l].size.next = self.size.val();
            self.lane[l].at_byte.next = self.offset[l].val().get_bits::<2>(0);
        }
    }
    // ---- What each bank does: the lowest lane's word.
    for n in L..(L + 1) {
        for b in 0..L {
            self.some[b].next = false;
            carry!(self.*[b] <- self: bank_row = no_row, bank_value = zero, bank_bytes = no_bytes);
            for l in 0..L {
                self.wants[n * b + l].next =
                    self.lanes.val().get_bit(l) & (self.bank[l].val() == self.number[b].val());
                self.leads[n * b + l].next = self.wants[n * b + l].val() & !self.some[b].val();
                self.some[b].next = self.some[b].val() | self.wants[n * b + l].val();
                if self.leads[n * b + l].val() {
                    self.bank_row[b].next = self.bank_row[b].val() | self.row[l].val();
                    self.bank_value[b].next = self.bank_value[b].val() | self.lane[l].value.val();
                    self.bank_bytes[b].next = self.bank_bytes[b].val() | self.lane[l].bytes.val();
                }
            }
        }
        // Who is served: compared lane by lane, as the row of a bank is known late.
        for l in 0..L {
            self.others[l].next = self.no_lanes.val();
            for m in 0..L {
                self.meets[n * l + m].next =
                    self.lanes.val().get_bit(m) & (self.bank[m].val() == self.bank[l].val());
                self.agrees[n * l + m].next = (self.bank[m].val() == self.bank[l].val())
                    & (self.row[m].val() == self.row[l].val());
                self.others[l].next = self.others[l]
                    .val()
                    .replace_bit(m, self.meets[n * l + m].val());
            }
            self.is_first[l].next =
                self.lanes.val().get_bit(l) & !(self.others[l].val() & self.lower[l].val()).any();
        }
        self.fits.next = self.no_lanes.val();
        for l in 0..L {
            self.along[l].next = false;
            for m in 0..L {
                self.along[l].next =
                    self.along[l].val() | (self.is_first[m].val() & self.agrees[n * l + m].val());
            }
            self.is_served[l].next = self.is_first[l].val()
                | (self.lanes.val().get_bit(l) & !self.store.val() & self.along[l].val());
            self.fits.next = self.fits.val().replace_bit(l, self.is_served[l].val());
        }
    }
    // ---- Atomics: three cycles.
    self.serves.next = self.valid.val();
    if self.atomic.val() {
        self.serves.next = self.valid.val() & self.stage.q.val().get_bit(1);
        self.stage.d.next = self.stage.q.val() + 1;
        if !self.valid.val() | self.stage.q.val().get_bit(1) {
            self.stage.d.next = 0.into();
        }
    }
    self.served.next = self.no_lanes.val();
    if self.serves.val() {
        self.served.next = self.fits.val();
    }
    self.left.next = self.lanes.val() & !self.fits.val();
    self.last.next = !self.left.val().any();
    self.over.next = self.serves.val() & self.last.val();
    carry!(self.changed <- self: operation);
    carry!(self.changed <- self.*.q: old, operand);
    // ---- Banks.
    for b in 0..L {
        carry!(self.banks[b] <- self.*[b]: read_address = bank_row, write_address = bank_row);
        self.banks[b].write_data.next = self.bank_value[b].val();
        if self.atomic.val() {
            self.banks[b].write_data.next = self.changed.result.val();
        }
        self.banks[b].write_bytes.next = self.no_bytes.val();
        if self.serves.val() & (self.store.val() | self.atomic.val()) {
            self.banks[b].write_bytes.next = self.bank_bytes[b].val();
        }
        if self.scrubs.q.val() {
            self.banks[b].write_address.next = self.scrub_row.q.val();
            carry!(self.banks[b] <- self: write_data = zero, write_bytes = all_bytes);
        }
        self.from_banks.each[b].next = self.banks[b].read_data.val();
    }
    // ---- A scrub.
    self.scrubbing.next = self.scrubs.q.val();
    if self.scrubs.q.val() {
        self.scrub_row.d.next = self.scrub_row.q.val() + 1;
        self.scrubs.d.next = !self.scrub_row.q.val().all();
    }
    if self.scrub.val() {
        self.scrubs.d.next = true;
        self.scrub_row.d.next = self.no_row.val();
    }
    // ---- Words come back; that of an atomic, and its operand, where they are one lane's no more.
    self.reads.d.next = self.serves.val() & !self.store.val() & !self.atomic.val();
    self.read_lanes.d.next = self.fits.val();
    carry!(self.read_*.d <- self: slot, last);
    self.answers.d.next = self.reads.q.val() | (self.serves.val() & self.atomic.val());
    carry!(self.answer_*.d <- self.read_*.q: lanes, slot, last);
    carry!(self <- self: found = zero, asked = zero);
    for l in 0..L {
        self.read_bank[l].d.next = self.bank[l].val();
        self.word[l].d.next = self.word[l].q.val();
        self.come[l].next = self
            .from_banks
            .whole
            .val()
            .get_bits::<32>(self.read_bank[l].q.val().index() * 32);
        if self.reads.q.val() | (self.stage.q.val() == 1) {
            self.word[l].d.next = self.come[l].val();
        }
        if self.lanes.val().get_bit(l) {
            self.found.next = self.found.val() | self.come[l].val();
            self.asked.next = self.asked.val() | self.data.val().get_bits::<32>(32 * l);
        }
        self.joined.each[l].next = self.word[l].q.val();
    }
    carry!(self.*.d <- self: old = found, operand = asked);
    self.words_valid.next = self.answers.q.val();
    carry!(self.words_* <- self.answer_*.q: slot, lanes);
    self.words_data.next = self.joined.whole.val();
    self.words_last.next = self.answer_last.q.val();
    if self.reset.val() {
        self.scrubs.d.next = false;
        self.stage.d.next = 0.into();
        self.reads.d.next = false;
        self.answers.d.next = false;
    }
}
