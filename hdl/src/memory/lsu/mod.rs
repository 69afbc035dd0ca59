//! Load/store unit: passes come in order, take effect in order, and are answered in any order.
//!
//! Spec: `docs/spec/memory.md`, *Load/store unit*.
//!
//! # Parameters
//! By name, `hdl/src/sizes.rs`: LANES 4 at least.
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
use super::modify::Modify;
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
use stages::{
    ConditionalStage, CountStage, EffectStage, GatherStage, PlaceStage, StartStage, StoreFaultStage,
};

#[module(
    requires(
        WARPS == 1 << WARP_BITS, THREADS == 1 << THREAD_BITS, SM_THREAD_BITS == WARP_BITS + THREAD_BITS,
        LANES << PART_SHIFT == THREADS, LANE_BITS + PART_SHIFT == THREAD_BITS, PART_BITS == PART_SHIFT.max(1),
        PASS_WIDTH == 41 + WARP_BITS + PART_BITS + LANES, WRITE_BITS == MISS_BITS + 2, DATA == 8 * STROBES
    ),
    given(let words = DATA as u64 / 32;),
    kernel(
        translate::Translate, gather_stage::Gathering, place::Group, place::Go, place::Effects, port::Port,
        results::Results, advance::Advance
    )
)]
pub struct Lsu {
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
    pub start_warp: Signal<In, Bits<WARP_BITS>>,
    pub start_base: Signal<In, Bits<32>>,
    // From and to the datapath.
    pub access_valid: Signal<In, Bit>,
    pub access_ready: Signal<Out, Bit>,
    pub access_warp: Signal<In, Bits<WARP_BITS>>,
    pub access_part: Signal<In, Bits<PART_BITS>>,
    pub access_pc: Signal<In, Bits<22>>,
    pub access_first: Signal<In, Bit>,
    pub access_last: Signal<In, Bit>,
    pub access_op: Signal<In, Bits<5>>,
    pub access_size: Signal<In, Bits<2>>,
    pub access_signed: Signal<In, Bit>,
    pub access_order: Signal<In, Bits<2>>,
    pub access_uses_rd: Signal<In, Bit>,
    pub access_rd: Signal<In, Bits<5>>,
    pub access_mask: Signal<In, Bits<LANES>>,
    pub access_address: Signal<In, Bits<ROW_WIDTH>>,
    pub access_data: Signal<In, Bits<ROW_WIDTH>>,
    pub access_regular: Signal<In, Bit>,
    pub result_valid: Signal<Out, Bit>,
    pub result_ready: Signal<In, Bit>,
    pub result_warp: Signal<Out, Bits<WARP_BITS>>,
    pub result_part: Signal<Out, Bits<PART_BITS>>,
    pub result_rd: Signal<Out, Bits<5>>,
    pub result_mask: Signal<Out, Bits<LANES>>,
    pub result_data: Signal<Out, Bits<ROW_WIDTH>>,
    pub complete_valid: Signal<Out, Bit>,
    pub complete_ready: Signal<In, Bit>,
    pub complete_warp: Signal<Out, Bits<WARP_BITS>>,
    pub complete_uses_rd: Signal<Out, Bit>,
    pub complete_rd: Signal<Out, Bits<5>>,
    pub access_fault_valid: Signal<Out, Bit>,
    pub access_fault_ready: Signal<In, Bit>,
    pub access_fault_warp: Signal<Out, Bits<WARP_BITS>>,
    pub access_fault_thread: Signal<Out, Bits<6>>,
    pub access_fault_pc: Signal<Out, Bits<22>>,
    pub access_fault_number: Signal<Out, Bits<16>>,
    pub access_fault_cause: Signal<Out, Bits<4>>,
    pub access_fault_address: Signal<Out, Bits<32>>,
    pub slots_free: Signal<Out, Bits<5>>,
    pub pending: Signal<Out, Bits<WARPS>>,
    // To and from the memory port.
    pub read_valid: Signal<Out, Bit>,
    pub read_ready: Signal<In, Bit>,
    pub read_id: Signal<Out, Bits<MISS_BITS>>,
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
    pub beat_id: Signal<In, Bits<MISS_BITS>>,
    pub beat_data: Signal<In, Bits<DATA>>,
    pub beat_error: Signal<In, Bit>,
    pub beat_last: Signal<In, Bit>,
    pub write_valid: Signal<Out, Bit>,
    pub write_ready: Signal<In, Bit>,
    pub write_id: Signal<Out, Bits<MISS_BITS>>,
    pub write_address: Signal<Out, Bits<32>>,
    pub write_length: Signal<Out, Bits<3>>,
    pub write_data: Signal<Out, Bits<DATA>>,
    pub write_strobes: Signal<Out, Bits<STROBES>>,
    pub write_last: Signal<Out, Bit>,
    pub ack_valid: Signal<In, Bit>,
    pub ack_ready: Signal<Out, Bit>,
    pub ack_id: Signal<In, Bits<MISS_BITS>>,
    pub ack_error: Signal<In, Bit>,
    // Others that write to memory.
    pub atomic: AtomicPorts,
    // Trace.
    pub effect: EffectPorts,
    // Blocks.
    queue: PassQueue<QUEUE_BITS, QUEUE_COUNT_BITS, PASS_WIDTH, ROW_WIDTH, PART_SHIFT>,
    held: PassBuffer<PASS_WIDTH, ROW_WIDTH>,
    bases: LutRam<Bits<32>, WARP_BITS>,
    #[many(LANES)]
    translate: Vec<LaneAddress<SM_THREAD_BITS>>,
    gather: Gather<LANES, LANE_BITS, LINES_WIDTH>,
    lines: Lines<MISSES, MISS_BITS>,
    store_beat: StoreBeat<LANES, ROW_WIDTH, OFFSETS_WIDTH, DATA, STROBES>,
    scratchpad:
        Scratchpad<LANES, LANE_BITS, ROW_WIDTH, LINES_WIDTH, OFFSETS_WIDTH, BANK_BITS, ROW_BITS>,
    reservations: Reservations<WARP_BITS, THREADS, THREAD_BITS, SM_THREAD_BITS>,
    align: Align<LANES, LANE_BITS, ROW_WIDTH, OFFSETS_WIDTH, DATA, ROWS, ROW_BITS, PART_BITS>,
    rows: Rows<
        LANES,
        ROW_WIDTH,
        ROW_COUNT_BITS,
        ROWS,
        ROW_BITS,
        WARP_BITS,
        PART_BITS,
        PART_COUNT_BITS,
    >,
    faults: Faults<ROWS, ROW_BITS>,
    replies: Replies<LANES, ROW_BITS, MISSES, MISS_BITS, DATA>,
    modify: Modify,
    completion: Completion<WARPS, WARP_BITS, WRITE_BITS>,
    in_flight: Pending<WARPS, WARP_BITS, QUEUE_COUNT_BITS, ACCESS_COUNT_BITS>,
    exclusive: Exclusive<WRITE_BITS, ACCESS_COUNT_BITS>,
    // State: the pass that is gathered (g); the fault of the store whose passes these are; the group that is placed (x).
    starts: StartStage<WARP_BITS>,
    g: GatherStage<WARP_BITS, LANES, ROW_WIDTH, OFFSETS_WIDTH, LINES_WIDTH, PART_BITS, ROW_BITS>,
    store: StoreFaultStage,
    x: PlaceStage<
        WARP_BITS,
        LANES,
        LANE_BITS,
        ROW_WIDTH,
        OFFSETS_WIDTH,
        LINES_WIDTH,
        PART_BITS,
        ROW_BITS,
    >,
    // State: beats of a store, and the first word of the one that goes next.
    streams: DFF<Bit>,
    beat_at: DFF<Bits<4>>,
    // A beat has waited for words.
    beat_waits: DFF<Bit>,
    stream_place: DFF<Bits<MISS_BITS>>,
    // State: what was placed in the cycle before; an SC that was.
    p: CountStage<WARPS, WARP_BITS, WRITE_BITS, ROW_BITS>,
    c: ConditionalStage<LANES, ROW_BITS>,
    // Reads and writes on their way to cache or memory port.
    ar: ReadBuffer<MISS_BITS>,
    aw: WriteBuffer<MISS_BITS, DATA, STROBES>,
    // State: for the trace.
    e: EffectStage<WARP_BITS, LANES, ROW_WIDTH, PART_BITS>,
    // Combinational: what the queue offers.
    q_op: Signal<Local, Bits<5>>,
    q_warp: Signal<Local, Bits<WARP_BITS>>,
    q_part: Signal<Local, Bits<PART_BITS>>,
    q_lanes: Signal<Local, Bits<LANES>>,
    q_good: Signal<Local, Bits<LANES>>,
    q_bad: Signal<Local, Bits<LANES>>,
    q_misaligned: Signal<Local, Bits<LANES>>,
    q_on_chip: Signal<Local, Bits<LANES>>,
    q_is_row: Signal<Local, Bit>,
    q_slot: Signal<Local, Bits<SM_THREAD_BITS>>,
    q_takes: Signal<Local, Bit>,
    q_lines: Join<LANES, 26, LINES_WIDTH>,
    q_offsets: Join<LANES, 6, OFFSETS_WIDTH>,
    enters: Signal<Local, Bit>,
    row_room: Signal<Local, Bit>,
    // Combinational: gathering.
    g_is_row: Signal<Local, Bit>,
    row_slot: Signal<Local, Bits<ROW_BITS>>,
    row_leader: Signal<Local, Bits<ROW_BITS>>,
    g_others: Signal<Local, Bits<LANES>>,
    g_lowest: FirstOne<LANES, LANE_BITS>,
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
    x_word: Signal<Local, Bits<4>>,
    x_thread: Signal<Local, Bits<6>>,
    x_in_warp: Signal<Local, Bits<THREAD_BITS>>,
    under_way: Signal<Local, Bits<WARPS>>,
    counts_now: Signal<Local, Bit>,
    counted: Signal<Local, Bits<WARPS>>,
    answers_now: Signal<Local, Bit>,
    words_now: Signal<Local, Bit>,
    #[many(LANES)]
    is_lead: Vec<Signal<Local, Bit>>,
    #[many(LANES)]
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
    effect_lanes: Signal<Local, Bits<LANES>>,
    row_words: Join<LANES, 32, ROW_WIDTH>,
    sent_at: Signal<Local, Bits<WRITE_BITS>>,
    modifies: Signal<Local, Bit>,
    sends: Signal<Local, Bit>,
    idles: Signal<Local, Bit>,
    burst_address: Signal<Local, Bits<32>>,
    written_address: Signal<Local, Bits<32>>,
    end_word: Signal<Local, Bits<4>>,
    #[many(LANES)]
    misaligns: Vec<Signal<Local, Bit>>,
    #[many(LANES)]
    is_bad: Vec<Signal<Local, Bit>>,
    #[many(LANES)]
    is_on_chip: Vec<Signal<Local, Bit>>,
    // Constants.
    #[init((0..LANES).map(|l| Constant::new((l as u64).into())).collect())]
    lane: Vec<Constant<Bits<SM_THREAD_BITS>>>,
    #[init((0..WARPS).map(|w| Constant::new((w as u64).into())).collect())]
    warp_number: Vec<Constant<Bits<WARP_BITS>>>,
    #[init((0..LANES).map(|l| Constant::new((l as u64).into())).collect())]
    lane_number: Vec<Constant<Bits<LANE_BITS>>>,
    #[value((38 + WARP_BITS as u64).into())]
    part_at: Constant<Bits<7>>,
    #[value((38 + (WARP_BITS + PART_BITS) as u64).into())]
    mask_at: Constant<Bits<7>>,
    #[value((38 + (WARP_BITS + PART_BITS + LANES) as u64).into())]
    regular_at: Constant<Bits<7>>,
    #[value((39 + (WARP_BITS + PART_BITS + LANES) as u64).into())]
    order_at: Constant<Bits<7>>,
    #[value(1u64.into())]
    a_word: Constant<Bits<16>>,
    #[value((THREAD_BITS as u64).into())]
    thread_bits: Constant<Bits<3>>,
    #[value((LANE_BITS as u64).into())]
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
    no_lanes: Constant<Bits<LANES>>,
    #[value(0u64.into())]
    no_warps: Constant<Bits<WARPS>>,
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
