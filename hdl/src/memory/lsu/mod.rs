//! Load/store unit: passes come in order, take effect in order, and are answered in any order.
//!
//! Spec: `docs/spec/memory.md`, *Load/store unit*.
//!
//! # Parameters
//! `NW` warps, `WI` = log2 NW; `W` threads of a warp, `WT` = log2 W; `SB` = WI + WT;
//! `L` lanes, a power of two, 4 at least; `LI` = log2 L; `LW` = 32 L; `LO` = 6 L; `LN` = 26 L; `CB` = LI + 2;
//! `PB` bits of a part; `PC` = PB + 2; `PS` = log2 (W / L); `QI`: log2 of the queue's places; `QC` = QI + 1;
//! `H` = 41 + WI + PB + L; `E` lines under way, `EI` = log2 E, `ES` = EI + 2; `T` rows
//! under way, `TI` = log2 T; `A`: log2 of the words of a scratchpad bank; `D` bits of a beat; `DS` = D / 8;
//! `FC` bits of a count of accesses.
//!
//! # Ports
//! Those of the page.
//!
//! # Cycle behaviour
//! ```text
//! cycle       t                   t + 1                   t + 2
//! access      taken, translated   gathered: one group     placed: effect, to memory or scratchpad
//! ```
//! While others wait a pass goes through block RAM: translated in t + 2. One pass per cycle while each is one line.
//! A store takes a cycle per beat. From a beat to its row at the result port: three cycles.
//!
//! # Parts
//! | part | what it does | its names |
//! |---|---|---|
//! | `translate` | passes wait; where their lanes go | `q_…`: what the queue offers |
//! | `gather_stage` | one group of lanes after the other; lanes that fault | `g`, `g_…`: the pass that is gathered |
//! | `place` | whether the group goes now, and what that means | `x`, `x_…`: the group that is placed |
//! | `port` | to the memory port and back | `ar`: a read on its way there |
//! | `results` | values become rows; instructions are complete | |
//! | `advance` | the next group, the next pass; reset | |
//!
//! # Invariants
//! 1. No access passes another one to its line (`lines`).
//! 2. An instruction is complete once: its rows have been taken, or its stores have their place (MEM-019).
//! 3. A lane that faults takes no effect (MEM-018).
//! 4. Nothing of a warp takes effect between an acquire and the pulse of `acquired` (ORDER-021).
//!
//! # Errors
//! `access_fault_*`. `Default` panics when the parameters do not fit.

mod advance;
mod gather_stage;
mod place;
mod port;
mod results;
mod stages;
mod translate;

use super::align::Align;
use super::buffers::{PassBuffer, ReadBuffer, WriteBuffer};
use super::completion::Completion;
use super::exclusive::Exclusive;
use super::faults::Faults;
use super::gather::Gather;
use super::lane_address::LaneAddress;
use super::lines::Lines;
use super::pass_queue::PassQueue;
use super::pending::Pending;
use super::replies::Replies;
use super::reservations::Reservations;
use super::rows::Rows;
use super::scratchpad::Scratchpad;
use super::store_beat::StoreBeat;
use super::Join;
use crate::bundles::{AtomicPorts, EffectPorts};
use crate::hdl::*;
use crate::prim::{FirstOne, LutRam};
use stages::{ConditionalStage, CountStage, EffectStage, GatherStage, PlaceStage, StoreFaultStage};

#[rustfmt::skip]
#[module(
    requires(
        NW == 1 << WI, W == 1 << WT, SB == WI + WT, L << PS == W, LI + PS == WT, PB == PS.max(1),
        H == 41 + WI + PB + L, ES == EI + 2, D == 8 * DS
    ),
    given(let words = D as u64 / 32;),
    kernel(
        translate::Translate, gather_stage::Gathering, place::Group, place::Go, place::Effects, port::Port,
        results::Results, advance::Advance
    )
)]
pub struct Lsu<
    const NW: usize, const WI: usize, const W: usize, const WT: usize, const SB: usize, const L: usize,
    const LI: usize, const LW: usize, const LO: usize, const LN: usize, const CB: usize, const PB: usize,
    const PC: usize, const PS: usize, const QI: usize, const QC: usize, const H: usize, const E: usize,
    const EI: usize, const ES: usize, const T: usize, const TI: usize, const A: usize, const D: usize,
    const DS: usize, const FC: usize,
> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    // Of the launch.
    pub cfg_memory_base: Signal<In, Bits<32>>,
    pub cfg_memory_size: Signal<In, Bits<32>>,
    pub cfg_local_base: Signal<In, Bits<32>>,
    pub cfg_local_bytes: Signal<In, Bits<32>>,
    pub cfg_scratchpad_bytes: Signal<In, Bits<32>>,
    pub scrub: Signal<In, Bit>,
    pub scrubbing: Signal<Out, Bit>,
    pub start_valid: Signal<In, Bit>,
    pub start_warp: Signal<In, Bits<WI>>,
    pub start_base: Signal<In, Bits<32>>,
    // From and to the datapath.
    pub access_valid: Signal<In, Bit>,
    pub access_ready: Signal<Out, Bit>,
    pub access_warp: Signal<In, Bits<WI>>,
    pub access_part: Signal<In, Bits<PB>>,
    pub access_pc: Signal<In, Bits<22>>,
    pub access_first: Signal<In, Bit>,
    pub access_last: Signal<In, Bit>,
    pub access_op: Signal<In, Bits<5>>,
    pub access_size: Signal<In, Bits<2>>,
    pub access_signed: Signal<In, Bit>,
    pub access_order: Signal<In, Bits<2>>,
    pub access_uses_rd: Signal<In, Bit>,
    pub access_rd: Signal<In, Bits<5>>,
    pub access_mask: Signal<In, Bits<L>>,
    pub access_address: Signal<In, Bits<LW>>,
    pub access_data: Signal<In, Bits<LW>>,
    pub access_regular: Signal<In, Bit>,
    pub result_valid: Signal<Out, Bit>,
    pub result_ready: Signal<In, Bit>,
    pub result_warp: Signal<Out, Bits<WI>>,
    pub result_part: Signal<Out, Bits<PB>>,
    pub result_rd: Signal<Out, Bits<5>>,
    pub result_mask: Signal<Out, Bits<L>>,
    pub result_data: Signal<Out, Bits<LW>>,
    pub complete_valid: Signal<Out, Bit>,
    pub complete_ready: Signal<In, Bit>,
    pub complete_warp: Signal<Out, Bits<WI>>,
    pub complete_uses_rd: Signal<Out, Bit>,
    pub complete_rd: Signal<Out, Bits<5>>,
    pub access_fault_valid: Signal<Out, Bit>,
    pub access_fault_ready: Signal<In, Bit>,
    pub access_fault_warp: Signal<Out, Bits<WI>>,
    pub access_fault_thread: Signal<Out, Bits<6>>,
    pub access_fault_pc: Signal<Out, Bits<22>>,
    pub access_fault_number: Signal<Out, Bits<16>>,
    pub access_fault_cause: Signal<Out, Bits<4>>,
    pub access_fault_address: Signal<Out, Bits<32>>,
    pub slots_free: Signal<Out, Bits<5>>,
    pub pending: Signal<Out, Bits<NW>>,
    // To and from the memory port.
    pub read_valid: Signal<Out, Bit>,
    pub read_ready: Signal<In, Bit>,
    pub read_id: Signal<Out, Bits<EI>>,
    pub read_address: Signal<Out, Bits<32>>,
    pub read_length: Signal<Out, Bits<3>>,
    pub read_bypass: Signal<Out, Bit>,
    pub read_regular: Signal<Out, Bit>,
    pub fence_over: Signal<Out, Bit>,
    pub acquired: Signal<Out, Bit>,
    pub ahead_line: Signal<In, Bits<26>>,
    pub ahead_clear: Signal<Out, Bit>,
    pub beat_valid: Signal<In, Bit>,
    pub beat_ready: Signal<Out, Bit>,
    pub beat_id: Signal<In, Bits<EI>>,
    pub beat_data: Signal<In, Bits<D>>,
    pub beat_error: Signal<In, Bit>,
    pub beat_last: Signal<In, Bit>,
    pub write_valid: Signal<Out, Bit>,
    pub write_ready: Signal<In, Bit>,
    pub write_id: Signal<Out, Bits<EI>>,
    pub write_address: Signal<Out, Bits<32>>,
    pub write_length: Signal<Out, Bits<3>>,
    pub write_data: Signal<Out, Bits<D>>,
    pub write_strobes: Signal<Out, Bits<DS>>,
    pub write_last: Signal<Out, Bit>,
    pub ack_valid: Signal<In, Bit>,
    pub ack_ready: Signal<Out, Bit>,
    pub ack_id: Signal<In, Bits<EI>>,
    pub ack_error: Signal<In, Bit>,
    // Others that write to memory.
    pub atomic: AtomicPorts,
    // Trace.
    pub effect: EffectPorts<WI, PB, L, LW>,
    // Blocks.
    queue: PassQueue<QI, QC, H, LW, PS>,
    held: PassBuffer<H, LW>,
    bases: LutRam<Bits<32>, WI>,
    #[many(L)]
    translate: Vec<LaneAddress<SB>>,
    gather: Gather<L, LI, LN>,
    lines: Lines<E, EI>,
    store_beat: StoreBeat<L, LW, LO, D, DS>,
    scratchpad: Scratchpad<L, LI, LW, LN, LO, A, TI>,
    reservations: Reservations<WI, W, WT, SB>,
    align: Align<L, LI, LW, LO, D, T, TI, PB>,
    rows: Rows<L, LW, CB, T, TI, WI, PB, PC>,
    faults: Faults<T, TI>,
    replies: Replies<L, TI, E, EI, D, DS>,
    completion: Completion<NW, WI, ES>,
    in_flight: Pending<NW, WI, QC, FC>,
    exclusive: Exclusive<ES, FC>,
    // State: the pass that is gathered (g); the fault of the store whose passes these are; the group that is placed (x).
    g: GatherStage<WI, L, LW, LO, LN, PB, TI>,
    store: StoreFaultStage,
    x: PlaceStage<WI, L, LI, LW, LO, LN, PB, TI>,
    // State: beats of a store, and the first word of the one that goes next.
    streams: DFF<Bit>,
    beat_at: DFF<Bits<4>>,
    stream_place: DFF<Bits<EI>>,
    // State: what was placed in the cycle before; an SC that was.
    p: CountStage<NW, WI, ES, TI>,
    c: ConditionalStage<L, TI>,
    // Reads and writes on their way to cache or memory port.
    ar: ReadBuffer<EI>,
    aw: WriteBuffer<EI, D, DS>,
    // State: for the trace.
    e: EffectStage<WI, L, LW, PB>,
    // Combinational: what the queue offers.
    q_op: Signal<Local, Bits<5>>,
    q_warp: Signal<Local, Bits<WI>>,
    q_part: Signal<Local, Bits<PB>>,
    q_lanes: Signal<Local, Bits<L>>,
    q_good: Signal<Local, Bits<L>>,
    q_bad: Signal<Local, Bits<L>>,
    q_misaligned: Signal<Local, Bits<L>>,
    q_on_chip: Signal<Local, Bits<L>>,
    q_is_row: Signal<Local, Bit>,
    q_slot: Signal<Local, Bits<SB>>,
    q_takes: Signal<Local, Bit>,
    q_lines: Join<L, 26, LN>,
    q_offsets: Join<L, 6, LO>,
    enters: Signal<Local, Bit>,
    row_room: Signal<Local, Bit>,
    // Combinational: gathering.
    g_is_row: Signal<Local, Bit>,
    row_slot: Signal<Local, Bits<TI>>,
    row_leader: Signal<Local, Bits<TI>>,
    g_others: Signal<Local, Bits<L>>,
    g_lowest: FirstOne<L, LI>,
    g_thread: Signal<Local, Bits<6>>,
    g_cause: Signal<Local, Bits<4>>,
    g_bad_address: Signal<Local, Bits<32>>,
    g_noted: Signal<Local, Bit>,
    notes: Signal<Local, Bit>,
    g_sets: Signal<Local, Bit>,
    g_clears: Signal<Local, Bit>,
    g_goes: Signal<Local, Bit>,
    g_leaves: Signal<Local, Bit>,
    g_free: Signal<Local, Bit>,
    // Combinational: placing.
    x_acquires: Signal<Local, Bit>,
    x_some: Signal<Local, Bit>,
    x_early: Signal<Local, Bit>,
    x_may: Signal<Local, Bit>,
    x_offset: Signal<Local, Bits<6>>,
    x_lead_address: Signal<Local, Bits<32>>,
    x_operand: Signal<Local, Bits<32>>,
    x_word: Signal<Local, Bits<4>>,
    x_thread: Signal<Local, Bits<6>>,
    x_in_warp: Signal<Local, Bits<WT>>,
    under_way: Signal<Local, Bits<NW>>,
    counts_now: Signal<Local, Bit>,
    counted: Signal<Local, Bits<NW>>,
    answers_now: Signal<Local, Bit>,
    #[many(L)]
    is_lead: Vec<Signal<Local, Bit>>,
    #[many(L)]
    lane_word: Vec<Signal<Local, Bits<4>>>,
    touched: Signal<Local, Bits<16>>,
    touched_back: Signal<Local, Bits<16>>,
    lowest_word: FirstOne<16, 4>,
    highest_word: FirstOne<16, 4>,
    first_word: Signal<Local, Bits<4>>,
    last_word: Signal<Local, Bits<4>>,
    word_span: Signal<Local, Bits<4>>,
    burst: Signal<Local, Bits<4>>,
    is_last_beat: Signal<Local, Bit>,
    c_room: Signal<Local, Bit>,
    words_free: Signal<Local, Bit>,
    x_atomic: Signal<Local, Bit>,
    x_allowed: Signal<Local, Bit>,
    succeeds: Signal<Local, Bit>,
    fails: Signal<Local, Bit>,
    wants_read: Signal<Local, Bit>,
    wants_stream: Signal<Local, Bit>,
    wants_chip: Signal<Local, Bit>,
    reads_now: Signal<Local, Bit>,
    streams_now: Signal<Local, Bit>,
    begins_stream: Signal<Local, Bit>,
    ends_stream: Signal<Local, Bit>,
    parks: Signal<Local, Bit>,
    x_done: Signal<Local, Bit>,
    x_closed: Signal<Local, Bit>,
    x_completes: Signal<Local, Bit>,
    effect_lanes: Signal<Local, Bits<L>>,
    conditional_words: Join<L, 32, LW>,
    sent_at: Signal<Local, Bits<ES>>,
    ack_place: Signal<Local, Bits<EI>>,
    modifies: Signal<Local, Bit>,
    sends: Signal<Local, Bit>,
    idles: Signal<Local, Bit>,
    burst_address: Signal<Local, Bits<32>>,
    written_address: Signal<Local, Bits<32>>,
    end_word: Signal<Local, Bits<4>>,
    #[many(L)]
    misaligns: Vec<Signal<Local, Bit>>,
    #[many(L)]
    is_bad: Vec<Signal<Local, Bit>>,
    #[many(L)]
    is_on_chip: Vec<Signal<Local, Bit>>,
    // Constants.
    #[init((0..L).map(|l| Constant::new((l as u64).into())).collect())]
    lane: Vec<Constant<Bits<SB>>>,
    #[init((0..NW).map(|w| Constant::new((w as u64).into())).collect())]
    warp_number: Vec<Constant<Bits<WI>>>,
    #[init((0..L).map(|l| Constant::new((l as u64).into())).collect())]
    lane_number: Vec<Constant<Bits<LI>>>,
    #[value((38 + WI as u64).into())]
    part_at: Constant<Bits<7>>,
    #[value((38 + (WI + PB) as u64).into())]
    mask_at: Constant<Bits<7>>,
    #[value((38 + (WI + PB + L) as u64).into())]
    regular_at: Constant<Bits<7>>,
    #[value((39 + (WI + PB + L) as u64).into())]
    order_at: Constant<Bits<7>>,
    #[value(1u64.into())]
    a_word: Constant<Bits<16>>,
    #[value((WT as u64).into())]
    thread_bits: Constant<Bits<3>>,
    #[value((LI as u64).into())]
    lane_bits: Constant<Bits<3>>,
    #[value((16 - words).into())]
    beat_mask: Constant<Bits<4>>,
    #[value((words - 1).into())]
    word_mask: Constant<Bits<4>>,
    #[value((words % 16).into())]
    beat_step: Constant<Bits<4>>,
    #[value(u64::from(words.trailing_zeros()).into())]
    beat_shift: Constant<Bits<3>>,
    #[value(0u64.into())]
    no_lanes: Constant<Bits<L>>,
    #[value(0u64.into())]
    no_warps: Constant<Bits<NW>>,
    #[value(0u64.into())]
    no_words: Constant<Bits<16>>,
    #[value(0u64.into())]
    no_offset: Constant<Bits<6>>,
    #[value(0u64.into())]
    zero: Constant<Bits<32>>,
    #[value(1u64.into())]
    one: Constant<Bits<32>>,
    #[value(15u64.into())]
    fifteen: Constant<Bits<4>>,
    #[value(6u64.into())]
    failed_op: Constant<Bits<5>>,
    #[value(5u64.into())]
    misaligned: Constant<Bits<4>>,
    #[value(6u64.into())]
    unmapped: Constant<Bits<4>>,
    #[value(u64::from(crate::ports::cause::BUS).into())]
    bus: Constant<Bits<4>>,
}

#[cfg(test)]
mod tests;
