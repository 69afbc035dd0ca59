//! Beats and words as the lanes' values.
//!
//! Spec: `docs/spec/memory.md`, MEM-010.
//!
//! # Parameters
//! `L` lanes, a power of two, 4 at least; `LI` = log2 L; `LW` = 32 L; `LO` = 6 L; `D` bits of a beat;
//! `T` rows under way, `TI` = log2 T; `PB` bits of a part.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `open`, `open_slot`, `open_offsets`, `open_size`, `open_signed`, `open_part`, `open_leader` | in | 1, TI, LO, 2, 1, PB, TI | a row begins: its lanes' places in their lines in bytes, its part, slot of its instruction |
//! | `beat_valid` / `beat_ready`, `beat_slot`, `beat_lanes`, `beat_data`, `beat_word`, `beat_last`, `beat_error`, `beat_address` | in / out | 1, TI, L, D, 4, 1, 1, 32 | a beat for some lanes of a row: its first word's place in the line; virtual address of one of the lanes |
//! | `words_valid`, `words_slot`, `words_lanes`, `words_data`, `words_whole`, `words_last` | in | 1, TI, L, LW, 1, 1 | words for some lanes, each as it stands in memory; `whole`: as it is wanted. Taken at once |
//! | `write_lanes`, `write_slot`, `write_data` | out | L, TI, LW | values of these lanes of the row |
//! | `over`, `over_slot` | out | 1, TI | what began with one access of the row has come, values included |
//! | `fault`, `fault_slot`, `fault_thread`, `fault_address` | out | 1, TI, 6, 32 | a beat with an error: instruction's slot, lowest thread served by it |
//!
//! # Cycle behaviour
//! What is taken in cycle t is written in cycle t + 1. Words go before beats.
//!
//! # Errors
//! `beat_error`. `Default` panics when the parameters do not fit.

use super::load_lane::LoadLane;
use super::Join;
use crate::hdl::*;
use crate::prim::{FirstOne, LutRam};

#[module(requires(L == 1 << LI, LW == 32 * L, LO == 6 * L, T == 1 << TI, D.is_power_of_two(), (64..=512).contains(&D)), given(let words = D as u64 / 32;))]
pub struct Align<
    const L: usize,
    const LI: usize,
    const LW: usize,
    const LO: usize,
    const D: usize,
    const T: usize,
    const TI: usize,
    const PB: usize,
> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub open: Signal<In, Bit>,
    pub open_slot: Signal<In, Bits<TI>>,
    pub open_offsets: Signal<In, Bits<LO>>,
    pub open_size: Signal<In, Bits<2>>,
    pub open_signed: Signal<In, Bit>,
    pub open_part: Signal<In, Bits<PB>>,
    pub open_leader: Signal<In, Bits<TI>>,
    pub beat_valid: Signal<In, Bit>,
    pub beat_ready: Signal<Out, Bit>,
    pub beat_slot: Signal<In, Bits<TI>>,
    pub beat_lanes: Signal<In, Bits<L>>,
    pub beat_data: Signal<In, Bits<D>>,
    pub beat_word: Signal<In, Bits<4>>,
    pub beat_last: Signal<In, Bit>,
    pub beat_error: Signal<In, Bit>,
    pub beat_address: Signal<In, Bits<32>>,
    pub words_valid: Signal<In, Bit>,
    pub words_slot: Signal<In, Bits<TI>>,
    pub words_lanes: Signal<In, Bits<L>>,
    pub words_data: Signal<In, Bits<LW>>,
    pub words_whole: Signal<In, Bit>,
    pub words_last: Signal<In, Bit>,
    pub write_lanes: Signal<Out, Bits<L>>,
    pub write_slot: Signal<Out, Bits<TI>>,
    pub write_data: Signal<Out, Bits<LW>>,
    pub over: Signal<Out, Bit>,
    pub over_slot: Signal<Out, Bits<TI>>,
    pub fault: Signal<Out, Bit>,
    pub fault_slot: Signal<Out, Bits<TI>>,
    pub fault_thread: Signal<Out, Bits<6>>,
    pub fault_address: Signal<Out, Bits<32>>,
    // State per row.
    offsets: LutRam<Bits<LO>, TI>,
    sizes: LutRam<Bits<2>, TI>,
    signs: LutRam<Bits<1>, TI>,
    parts: LutRam<Bits<PB>, TI>,
    leaders: LutRam<Bits<TI>, TI>,
    // State: lanes that get a word, their words, and what becomes of them.
    hits: DFF<Bits<L>>,
    slot: DFF<Bits<TI>>,
    #[always]
    #[many(L)]
    picked: Vec<DFF<Bits<32>>>,
    #[always]
    #[many(L)]
    low: Vec<DFF<Bits<2>>>,
    size: DFF<Bits<2>>,
    sign: DFF<Bit>,
    ends: DFF<Bit>,
    failed: DFF<Bit>,
    part: DFF<Bits<PB>>,
    leader: DFF<Bits<TI>>,
    address: DFF<Bits<32>>,
    places: DFF<Bits<LO>>,
    // Combinational.
    at: Signal<Local, Bits<TI>>,
    of_row: Signal<Local, Bits<LO>>,
    #[many(L)]
    offset: Vec<Signal<Local, Bits<6>>>,
    #[many(L)]
    place: Vec<Signal<Local, Bits<4>>>,
    #[many(L)]
    in_beat: Vec<Signal<Local, Bits<4>>>,
    #[many(L)]
    hit: Vec<Signal<Local, Bit>>,
    hit_lanes: Signal<Local, Bits<L>>,
    #[many(L)]
    lane: Vec<LoadLane>,
    joined: Join<L, 32, LW>,
    lowest: FirstOne<L, LI>,
    lowest_offset: Signal<Local, Bits<6>>,
    thread: Signal<Local, Bits<6>>,
    line: Signal<Local, Bits<32>>,
    #[init((0..L).map(|l| Constant::new((l as u64).into())).collect())]
    number: Vec<Constant<Bits<LI>>>,
    #[value((16 - words).into())]
    beat_mask: Constant<Bits<4>>,
    #[value((words - 1).into())]
    word_mask: Constant<Bits<4>>,
    #[value(0xCu64.into())]
    local_window: Constant<Bits<4>>,
    #[value(0xFFFF_FFC0u64.into())]
    line_mask: Constant<Bits<32>>,
    #[value(0xFFFF_FFFCu64.into())]
    local_mask: Constant<Bits<32>>,
    #[value(3u64.into())]
    byte_bits: Constant<Bits<6>>,
    #[value((LI as u64).into())]
    lane_bits: Constant<Bits<3>>,
    #[value(0u64.into())]
    no_lanes: Constant<Bits<L>>,
    #[value(0u64.into())]
    no_offset: Constant<Bits<6>>,
}

#[part(Align<L, LI, LW, LO, D, T, TI, PB>)]
fn update(&mut self) {
    // ---- Rows that begin.
    spread!(self.*.write_enable <- self.open: offsets, sizes, signs, parts, leaders);
    spread!(self.*.write_address <- self.open_slot: offsets, sizes, signs, parts, leaders);
    self.offsets.write_data.next = self.open_offsets.val();
    self.sizes.write_data.next = self.open_size.val();
    self.signs.write_data.next = self.open_signed.val().into();
    self.parts.write_data.next = self.open_part.val();
    self.leaders.write_data.next = self.open_leader.val();
    // ---- Each lane takes its word of what comes.
    self.beat_ready.next = !self.words_valid.val();
    self.at.next = self.beat_slot.val();
    if self.words_valid.val() {
        self.at.next = self.words_slot.val();
    }
    spread!(self.*.read_address <- self.at: offsets, sizes, signs, parts, leaders);
    self.of_row.next = self.offsets.read_data.val();
    self.hit_lanes.next = self.no_lanes.val();
    for l in 0..L {
        self.offset[l].next = self.of_row.val().get_bits::<6>(6 * l);
        self.place[l].next = self.offset[l].val().get_bits::<4>(2);
        self.in_beat[l].next = self.place[l].val() & self.word_mask.val();
        self.hit[l].next = self.beat_valid.val()
            & self.beat_lanes.val().get_bit(l)
            & ((self.place[l].val() & self.beat_mask.val()) == self.beat_word.val());
        self.picked[l].d.next = self
            .beat_data
            .val()
            .get_bits::<32>(self.in_beat[l].val().index() * 32);
        if self.words_valid.val() {
            self.hit[l].next = self.words_lanes.val().get_bit(l);
            self.picked[l].d.next = self.words_data.val().get_bits::<32>(32 * l);
        }
        self.hit_lanes.next = self.hit_lanes.val().replace_bit(l, self.hit[l].val());
        self.low[l].d.next = self.offset[l].val().get_bits::<2>(0);
    }
    self.hits.d.next = self.hit_lanes.val();
    self.places.d.next = self.of_row.val();
    self.slot.d.next = self.at.val();
    self.size.d.next = self.sizes.read_data.val();
    self.sign.d.next = self.signs.read_data.val().any();
    self.ends.d.next = self.beat_valid.val() & self.beat_last.val();
    self.failed.d.next = self.beat_valid.val() & self.beat_error.val();
    if self.words_valid.val() {
        self.ends.d.next = self.words_last.val();
        self.failed.d.next = false;
        if self.words_whole.val() {
            self.size.d.next = 2.into();
        }
    }
    self.part.d.next = self.parts.read_data.val();
    self.leader.d.next = self.leaders.read_data.val();
    self.address.d.next = self.beat_address.val();
    // ---- And turns it into its value.
    for l in 0..L {
        self.lane[l].word.next = self.picked[l].q.val();
        self.lane[l].size.next = self.size.q.val();
        self.lane[l].at_byte.next = self.low[l].q.val();
        self.lane[l].is_signed.next = self.sign.q.val();
        self.joined.each[l].next = self.lane[l].value.val();
    }
    self.write_lanes.next = self.hits.q.val();
    self.write_slot.next = self.slot.q.val();
    self.write_data.next = self.joined.whole.val();
    self.over.next = self.ends.q.val();
    self.over_slot.next = self.slot.q.val();
    // ---- An error is the lowest lane's. Global lines: the address differs in the place; local ones: in the byte.
    self.lowest.bits.next = self.hits.q.val();
    self.lowest_offset.next = self.no_offset.val();
    for l in 0..L {
        if self.lowest.place.val() == self.number[l].val() {
            self.lowest_offset.next =
                self.lowest_offset.val() | self.places.q.val().get_bits::<6>(6 * l);
        }
    }
    self.line.next =
        (self.address.q.val() & self.line_mask.val()) | bit_cast::<32, 6>(self.lowest_offset.val());
    if self.address.q.val().get_bits::<4>(28) == self.local_window.val() {
        self.lowest_offset.next = self.lowest_offset.val() & self.byte_bits.val();
        self.line.next = (self.address.q.val() & self.local_mask.val())
            | bit_cast::<32, 6>(self.lowest_offset.val());
    }
    self.thread.next = (bit_cast::<6, PB>(self.part.q.val()) << self.lane_bits.val())
        | bit_cast::<6, LI>(self.lowest.place.val());
    self.fault.next = self.failed.q.val() & self.hits.q.val().any();
    self.fault_slot.next = self.leader.q.val();
    carry!(self.fault_* <- self: thread, address = line);
    if self.reset.val() {
        self.hits.d.next = self.no_lanes.val();
        self.ends.d.next = false;
        self.failed.d.next = false;
    }
}
