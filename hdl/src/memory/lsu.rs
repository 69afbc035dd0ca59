//! Load/store unit: passes come in order, take effect in order, and are answered in any order.
//!
//! Spec: `docs/spec/memory.md`, *Load/store unit*.
//!
//! # Parameters
//! `NW` warps, `WI` = log2 NW; `W` threads of a warp, `WT` = log2 W; `SB` = WI + WT;
//! `L` lanes, a power of two, 4 at least; `LI` = log2 L; `LW` = 32 L; `LO` = 6 L; `LN` = 26 L; `CB` = LI + 2;
//! `PB` bits of a part; `PC` = PB + 2; `PS` = log2 (W / L); `QI`: log2 of the queue's places; `QC` = QI + 1;
//! `H` = 38 + WI + PB + L; `E` lines under way, `EI` = log2 E, `ES` = EI + 2; `T` rows
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
//! # Invariants
//! 1. No access passes another one to its line (`lines`).
//! 2. An instruction is complete once: its rows have been taken, or its stores have their place (MEM-019).
//! 3. A lane that faults takes no effect (MEM-018).
//!
//! # Errors
//! `access_fault_*`. `Default` panics when the parameters do not fit.

use super::align::Align;
use super::completion::Completion;
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
use crate::hdl::*;
use crate::prim::{FirstOne, LutRam};

#[derive(LogicBlock)]
pub struct Lsu<
    const NW: usize,
    const WI: usize,
    const W: usize,
    const WT: usize,
    const SB: usize,
    const L: usize,
    const LI: usize,
    const LW: usize,
    const LO: usize,
    const LN: usize,
    const CB: usize,
    const PB: usize,
    const PC: usize,
    const PS: usize,
    const QI: usize,
    const QC: usize,
    const H: usize,
    const E: usize,
    const EI: usize,
    const ES: usize,
    const T: usize,
    const TI: usize,
    const A: usize,
    const D: usize,
    const DS: usize,
    const FC: usize,
> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    // Of the launch.
    pub cfg_memory_size: Signal<In, Bits<32>>,
    pub cfg_local_base: Signal<In, Bits<32>>,
    pub cfg_local_bytes: Signal<In, Bits<32>>,
    pub cfg_scratchpad_bytes: Signal<In, Bits<32>>,
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
    pub access_uses_rd: Signal<In, Bit>,
    pub access_rd: Signal<In, Bits<5>>,
    pub access_mask: Signal<In, Bits<L>>,
    pub access_address: Signal<In, Bits<LW>>,
    pub access_data: Signal<In, Bits<LW>>,
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
    pub fence_over: Signal<Out, Bit>,
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
    // Trace.
    pub effect_valid: Signal<Out, Bit>,
    pub effect_warp: Signal<Out, Bits<WI>>,
    pub effect_part: Signal<Out, Bits<PB>>,
    pub effect_op: Signal<Out, Bits<5>>,
    pub effect_mask: Signal<Out, Bits<L>>,
    pub effect_address: Signal<Out, Bits<LW>>,
    pub effect_data: Signal<Out, Bits<LW>>,
    // Blocks.
    queue: PassQueue<QI, QC, H, LW, PS>,
    bases: LutRam<Bits<32>, WI>,
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
    // State: the pass that is gathered; lanes left, lanes that fault, a fault to be noted.
    g_valid: DFF<Bit>,
    g_fresh: DFF<Bit>,
    g_note: DFF<Bit>,
    g_warp: DFF<Bits<WI>>,
    g_part: DFF<Bits<PB>>,
    g_pc: DFF<Bits<22>>,
    g_number: DFF<Bits<16>>,
    g_first: DFF<Bit>,
    g_last: DFF<Bit>,
    g_op: DFF<Bits<5>>,
    g_size: DFF<Bits<2>>,
    g_left: DFF<Bits<L>>,
    g_bad: DFF<Bits<L>>,
    g_misaligned: DFF<Bits<L>>,
    g_on_chip: DFF<Bits<L>>,
    g_lines: DFF<Bits<LN>>,
    g_offsets: DFF<Bits<LO>>,
    g_address: DFF<Bits<LW>>,
    g_data: DFF<Bits<LW>>,
    g_slot: DFF<Bits<TI>>,
    g_leader: DFF<Bits<TI>>,
    // State: the fault of the store whose passes are gathered.
    store_bad: DFF<Bit>,
    store_thread: DFF<Bits<6>>,
    store_cause: DFF<Bits<4>>,
    store_address: DFF<Bits<32>>,
    // State: the group that is placed; `x_stood`: for a cycle or more.
    x_valid: DFF<Bit>,
    x_stood: DFF<Bit>,
    x_warp: DFF<Bits<WI>>,
    x_part: DFF<Bits<PB>>,
    x_pc: DFF<Bits<22>>,
    x_number: DFF<Bits<16>>,
    x_last: DFF<Bit>,
    x_closes: DFF<Bit>,
    x_op: DFF<Bits<5>>,
    x_size: DFF<Bits<2>>,
    x_lanes: DFF<Bits<L>>,
    x_lead: DFF<Bits<LI>>,
    x_on_chip: DFF<Bit>,
    x_line: DFF<Bits<26>>,
    x_lines: DFF<Bits<LN>>,
    x_offsets: DFF<Bits<LO>>,
    x_address: DFF<Bits<LW>>,
    x_data: DFF<Bits<LW>>,
    x_slot: DFF<Bits<TI>>,
    x_bad: DFF<Bit>,
    x_bad_thread: DFF<Bits<6>>,
    x_bad_cause: DFF<Bits<4>>,
    x_bad_address: DFF<Bits<32>>,
    // State: beats of a store.
    streams: DFF<Bit>,
    stream_word: DFF<Bits<4>>,
    stream_place: DFF<Bits<EI>>,
    // State: a read on its way to the memory port.
    ar_valid: DFF<Bit>,
    ar_id: DFF<Bits<EI>>,
    ar_address: DFF<Bits<32>>,
    ar_length: DFF<Bits<3>>,
    ar_bypass: DFF<Bit>,
    // State: trace.
    e_valid: DFF<Bit>,
    e_warp: DFF<Bits<WI>>,
    e_part: DFF<Bits<PB>>,
    e_op: DFF<Bits<5>>,
    e_mask: DFF<Bits<L>>,
    e_address: DFF<Bits<LW>>,
    e_data: DFF<Bits<LW>>,
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
    // Combinational: gathering.
    g_is_row: Signal<Local, Bit>,
    g_others: Signal<Local, Bits<L>>,
    g_lowest: FirstOne<L, LI>,
    g_thread: Signal<Local, Bits<6>>,
    g_cause: Signal<Local, Bits<4>>,
    g_bad_address: Signal<Local, Bits<32>>,
    g_noted: Signal<Local, Bit>,
    g_sets: Signal<Local, Bit>,
    g_clears: Signal<Local, Bit>,
    g_goes: Signal<Local, Bit>,
    g_leaves: Signal<Local, Bit>,
    g_free: Signal<Local, Bit>,
    // Combinational: placing.
    x_load: Signal<Local, Bit>,
    x_store: Signal<Local, Bit>,
    x_fence: Signal<Local, Bit>,
    x_reserves: Signal<Local, Bit>,
    x_conditional: Signal<Local, Bit>,
    x_amo: Signal<Local, Bit>,
    x_is_row: Signal<Local, Bit>,
    x_some: Signal<Local, Bit>,
    x_may: Signal<Local, Bit>,
    x_offset: Signal<Local, Bits<6>>,
    x_lead_address: Signal<Local, Bits<32>>,
    x_operand: Signal<Local, Bits<32>>,
    x_word: Signal<Local, Bits<4>>,
    x_thread: Signal<Local, Bits<6>>,
    x_in_warp: Signal<Local, Bits<WT>>,
    is_lead: Vec<Signal<Local, Bit>>,
    lane_word: Vec<Signal<Local, Bits<4>>>,
    touched: Signal<Local, Bits<16>>,
    touched_back: Signal<Local, Bits<16>>,
    lowest_word: FirstOne<16, 4>,
    highest_word: FirstOne<16, 4>,
    first_word: Signal<Local, Bits<4>>,
    last_word: Signal<Local, Bits<4>>,
    word_span: Signal<Local, Bits<4>>,
    burst: Signal<Local, Bits<4>>,
    beat_at: Signal<Local, Bits<4>>,
    is_last_beat: Signal<Local, Bit>,
    c_room: Signal<Local, Bit>,
    words_free: Signal<Local, Bit>,
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
    opens: Signal<Local, Bit>,
    idles: Signal<Local, Bit>,
    burst_address: Signal<Local, Bits<32>>,
    end_word: Signal<Local, Bits<4>>,
    misaligns: Vec<Signal<Local, Bit>>,
    is_bad: Vec<Signal<Local, Bit>>,
    is_on_chip: Vec<Signal<Local, Bit>>,
    // Constants.
    lane: Vec<Constant<Bits<SB>>>,
    lane_number: Vec<Constant<Bits<LI>>>,
    part_at: Constant<Bits<7>>,
    mask_at: Constant<Bits<7>>,
    a_word: Constant<Bits<16>>,
    thread_bits: Constant<Bits<3>>,
    lane_bits: Constant<Bits<3>>,
    beat_mask: Constant<Bits<4>>,
    word_mask: Constant<Bits<4>>,
    beat_step: Constant<Bits<4>>,
    beat_shift: Constant<Bits<3>>,
    no_lanes: Constant<Bits<L>>,
    no_words: Constant<Bits<16>>,
    no_offset: Constant<Bits<6>>,
    zero: Constant<Bits<32>>,
    one: Constant<Bits<32>>,
    fifteen: Constant<Bits<4>>,
    failed_op: Constant<Bits<5>>,
    misaligned: Constant<Bits<4>>,
    unmapped: Constant<Bits<4>>,
}

impl<
        const NW: usize,
        const WI: usize,
        const W: usize,
        const WT: usize,
        const SB: usize,
        const L: usize,
        const LI: usize,
        const LW: usize,
        const LO: usize,
        const LN: usize,
        const CB: usize,
        const PB: usize,
        const PC: usize,
        const PS: usize,
        const QI: usize,
        const QC: usize,
        const H: usize,
        const E: usize,
        const EI: usize,
        const ES: usize,
        const T: usize,
        const TI: usize,
        const A: usize,
        const D: usize,
        const DS: usize,
        const FC: usize,
    > Default
    for Lsu<
        NW,
        WI,
        W,
        WT,
        SB,
        L,
        LI,
        LW,
        LO,
        LN,
        CB,
        PB,
        PC,
        PS,
        QI,
        QC,
        H,
        E,
        EI,
        ES,
        T,
        TI,
        A,
        D,
        DS,
        FC,
    >
{
    fn default() -> Self {
        assert!(
            NW == 1 << WI
                && W == 1 << WT
                && SB == WI + WT
                && L << PS == W
                && LI + PS == WT
                && PB == PS.max(1)
                && H == 38 + WI + PB + L
                && ES == EI + 2
                && D == 8 * DS,
            "Lsu: {NW} warps of {W} threads on {L} lanes"
        );
        let words = D as u64 / 32;
        block!({
            clock, reset, cfg_memory_size, cfg_local_base, cfg_local_bytes, cfg_scratchpad_bytes, start_valid,
            start_warp, start_base, access_valid, access_ready, access_warp, access_part, access_pc, access_first,
            access_last, access_op, access_size, access_signed, access_uses_rd, access_rd, access_mask,
            access_address, access_data, result_valid, result_ready, result_warp, result_part, result_rd,
            result_mask, result_data, complete_valid, complete_ready, complete_warp, complete_uses_rd, complete_rd,
            access_fault_valid, access_fault_ready, access_fault_warp, access_fault_thread, access_fault_pc, access_fault_number,
            access_fault_cause, access_fault_address, slots_free, pending, read_valid, read_ready, read_id,
            read_address, read_length, read_bypass, fence_over, ahead_line, ahead_clear, beat_valid, beat_ready, beat_id, beat_data, beat_error, beat_last,
            write_valid, write_ready, write_id, write_address, write_length, write_data, write_strobes, write_last,
            ack_valid, ack_ready, ack_id, ack_error, effect_valid, effect_warp, effect_part, effect_op, effect_mask,
            effect_address, effect_data, queue, bases, gather, lines, store_beat, scratchpad, reservations, align,
            rows, faults, replies, completion, in_flight, g_valid, g_fresh, g_note, g_warp, g_part, g_pc, g_number, g_first,
            g_last, g_op, g_size, g_left, g_bad, g_misaligned, g_on_chip, g_lines, g_offsets, g_address, g_data,
            g_slot, g_leader, store_bad, store_thread, store_cause, store_address, x_valid, x_stood, x_warp, x_part,
            x_pc, x_number, x_last, x_closes, x_op, x_size, x_lanes, x_lead, x_on_chip, x_line, x_lines, x_offsets, x_address,
            x_data, x_slot, x_bad, x_bad_thread, x_bad_cause, x_bad_address, streams, stream_word, stream_place,
            ar_valid, ar_id, ar_address, ar_length, ar_bypass, e_valid, e_warp, e_part, e_op, e_mask, e_address, e_data, q_op,
            q_warp, q_part, q_lanes, q_good, q_bad, q_misaligned, q_on_chip, q_is_row, q_slot, q_takes, q_lines,
            q_offsets, enters, g_is_row, g_others, g_lowest, g_thread, g_cause, g_bad_address, g_noted, g_sets,
            g_clears, g_goes, g_leaves, g_free, x_load, x_store, x_fence, x_reserves, x_conditional, x_amo, x_is_row,
            x_some, x_may, x_offset, x_lead_address, x_operand, x_word, x_thread, x_in_warp, touched, touched_back,
            lowest_word, highest_word, first_word, last_word, word_span, burst, beat_at, is_last_beat, c_room,
            words_free, succeeds, fails, wants_read, wants_stream, wants_chip, reads_now, streams_now, begins_stream,
            ends_stream, parks, x_done, x_closed, x_completes, effect_lanes, conditional_words,
            sent_at, ack_place, modifies, sends, opens, idles, burst_address, end_word,
        } {
            translate: (0..L).map(|_| Default::default()).collect(),
            misaligns: (0..L).map(|_| Default::default()).collect(),
            is_bad: (0..L).map(|_| Default::default()).collect(),
            is_on_chip: (0..L).map(|_| Default::default()).collect(),
            is_lead: (0..L).map(|_| Default::default()).collect(),
            lane_word: (0..L).map(|_| Default::default()).collect(),
            lane: (0..L).map(|l| Constant::new((l as u64).into())).collect(),
            lane_number: (0..L).map(|l| Constant::new((l as u64).into())).collect(),
            part_at: Constant::new((38 + WI as u64).into()),
            mask_at: Constant::new((38 + (WI + PB) as u64).into()),
            a_word: Constant::new(1u64.into()),
            thread_bits: Constant::new((WT as u64).into()),
            lane_bits: Constant::new((LI as u64).into()),
            beat_mask: Constant::new((16 - words).into()),
            word_mask: Constant::new((words - 1).into()),
            beat_step: Constant::new((words % 16).into()),
            beat_shift: Constant::new(u64::from(words.trailing_zeros()).into()),
            no_lanes: Constant::new(0u64.into()),
            no_words: Constant::new(0u64.into()),
            no_offset: Constant::new(0u64.into()),
            zero: Constant::new(0u64.into()),
            one: Constant::new(1u64.into()),
            fifteen: Constant::new(15u64.into()),
            failed_op: Constant::new(6u64.into()),
            misaligned: Constant::new(5u64.into()),
            unmapped: Constant::new(6u64.into()),
        })
    }
}

impl<
        const NW: usize,
        const WI: usize,
        const W: usize,
        const WT: usize,
        const SB: usize,
        const L: usize,
        const LI: usize,
        const LW: usize,
        const LO: usize,
        const LN: usize,
        const CB: usize,
        const PB: usize,
        const PC: usize,
        const PS: usize,
        const QI: usize,
        const QC: usize,
        const H: usize,
        const E: usize,
        const EI: usize,
        const ES: usize,
        const T: usize,
        const TI: usize,
        const A: usize,
        const D: usize,
        const DS: usize,
        const FC: usize,
    > Logic
    for Lsu<
        NW,
        WI,
        W,
        WT,
        SB,
        L,
        LI,
        LW,
        LO,
        LN,
        CB,
        PB,
        PC,
        PS,
        QI,
        QC,
        H,
        E,
        EI,
        ES,
        T,
        TI,
        A,
        D,
        DS,
        FC,
    >
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clock, g_valid, g_fresh, g_note, g_warp, g_part, g_pc, g_number, g_first, g_last,
            g_op, g_size, g_left
        );
        dff_setup!(
            self,
            clock,
            g_bad,
            g_misaligned,
            g_on_chip,
            g_lines,
            g_offsets,
            g_address,
            g_data,
            g_slot,
            g_leader
        );
        dff_setup!(
            self,
            clock,
            store_bad,
            store_thread,
            store_cause,
            store_address
        );
        dff_setup!(
            self, clock, x_valid, x_stood, x_warp, x_part, x_pc, x_number, x_last, x_closes, x_op,
            x_size, x_lanes, x_lead
        );
        dff_setup!(self, clock, x_on_chip, x_line, x_lines, x_offsets, x_address, x_data, x_slot);
        dff_setup!(self, clock, x_bad, x_bad_thread, x_bad_cause, x_bad_address);
        dff_setup!(
            self,
            clock,
            streams,
            stream_word,
            stream_place,
            ar_valid,
            ar_id,
            ar_address,
            ar_length,
            ar_bypass
        );
        dff_setup!(self, clock, e_valid, e_warp, e_part, e_op, e_mask, e_address, e_data);
        clock!(
            self,
            clock,
            queue,
            bases,
            lines,
            scratchpad,
            reservations,
            align,
            rows,
            faults,
            replies,
            completion,
            in_flight
        );
        self.queue.reset.next = self.reset.val();
        self.lines.reset.next = self.reset.val();
        self.scratchpad.reset.next = self.reset.val();
        self.align.reset.next = self.reset.val();
        self.rows.reset.next = self.reset.val();
        self.faults.reset.next = self.reset.val();
        self.replies.reset.next = self.reset.val();
        self.completion.reset.next = self.reset.val();
        self.in_flight.reset.next = self.reset.val();

        // ---- Passes wait.
        self.queue.push_valid.next = self.access_valid.val();
        self.access_ready.next = self.queue.push_ready.val();
        self.queue.push_head.next = bit_cast::<H, 22>(self.access_pc.val())
            | (bit_cast::<H, 1>(self.access_first.val().into()) << 22)
            | (bit_cast::<H, 1>(self.access_last.val().into()) << 23)
            | (bit_cast::<H, 5>(self.access_op.val()) << 24)
            | (bit_cast::<H, 2>(self.access_size.val()) << 29)
            | (bit_cast::<H, 1>(self.access_signed.val().into()) << 31)
            | (bit_cast::<H, 1>(self.access_uses_rd.val().into()) << 32)
            | (bit_cast::<H, 5>(self.access_rd.val()) << 33)
            | (bit_cast::<H, WI>(self.access_warp.val()) << 38)
            | (bit_cast::<H, PB>(self.access_part.val()) << self.part_at.val())
            | (bit_cast::<H, L>(self.access_mask.val()) << self.mask_at.val());
        self.queue.push_address.next = self.access_address.val();
        self.queue.push_data.next = self.access_data.val();
        self.slots_free.next = self.queue.slots_free.val();

        // ---- Where their lanes go.
        self.q_op.next = self.queue.pop_head.val().get_bits::<5>(24);
        self.q_warp.next = self.queue.pop_head.val().get_bits::<WI>(38);
        // `n`, `m` bring generics into index arithmetic.
        for n in WI..(WI + 1) {
            self.q_part.next = self.queue.pop_head.val().get_bits::<PB>(38 + n);
        }
        for m in (WI + PB)..(WI + PB + 1) {
            self.q_lanes.next = self.queue.pop_head.val().get_bits::<L>(38 + m);
        }
        self.q_is_row.next = self.q_op.val().get_bit(4)
            | self.q_op.val().get_bit(2)
            | !self.q_op.val().get_bits::<2>(0).any();
        if self.q_op.val() == 2 {
            self.q_lanes.next = self.no_lanes.val();
        }
        self.bases.write_enable.next = self.start_valid.val();
        self.bases.write_address.next = self.start_warp.val();
        self.bases.write_data.next = self.start_base.val();
        self.bases.read_address.next = self.q_warp.val();
        self.q_slot.next = (bit_cast::<SB, WI>(self.q_warp.val()) << self.thread_bits.val())
            | (bit_cast::<SB, PB>(self.q_part.val()) << self.lane_bits.val());
        self.q_bad.next = self.no_lanes.val();
        self.q_misaligned.next = self.no_lanes.val();
        self.q_on_chip.next = self.no_lanes.val();
        for l in 0..L {
            self.translate[l].address.next = self.queue.pop_address.val().get_bits::<32>(32 * l);
            self.translate[l].size.next = self.queue.pop_head.val().get_bits::<2>(29);
            self.translate[l].slot.next = self.q_slot.val() | self.lane[l].val();
            self.translate[l].base.next = self.bases.read_data.val();
            self.translate[l].cfg_memory_size.next = self.cfg_memory_size.val();
            self.translate[l].cfg_local_base.next = self.cfg_local_base.val();
            self.translate[l].cfg_local_bytes.next = self.cfg_local_bytes.val();
            self.translate[l].cfg_scratchpad_bytes.next = self.cfg_scratchpad_bytes.val();
            self.misaligns[l].next = self.translate[l].misaligned.val();
            self.is_bad[l].next =
                self.translate[l].misaligned.val() | self.translate[l].unmapped.val();
            self.is_on_chip[l].next = self.translate[l].on_chip.val();
            self.q_misaligned.next = self
                .q_misaligned
                .val()
                .replace_bit(l, self.misaligns[l].val());
            self.q_bad.next = self.q_bad.val().replace_bit(l, self.is_bad[l].val());
            self.q_on_chip.next = self
                .q_on_chip
                .val()
                .replace_bit(l, self.is_on_chip[l].val());
            self.q_lines.each[l].next = self.translate[l].physical.val().get_bits::<26>(6);
            self.q_offsets.each[l].next = self.translate[l].physical.val().get_bits::<6>(0);
        }
        self.q_good.next = self.q_lanes.val() & !self.q_bad.val();

        // ---- The pass that is gathered.
        self.gather.left.next = self.g_left.q.val();
        self.gather.on_chip.next = self.g_on_chip.q.val();
        self.gather.lines.next = self.g_lines.q.val();
        self.gather.alone.next = self.g_op.q.val().get_bit(4) | self.g_op.q.val().get_bit(2);
        self.g_is_row.next = self.g_op.q.val().get_bit(4)
            | self.g_op.q.val().get_bit(2)
            | !self.g_op.q.val().get_bits::<2>(0).any();
        self.g_lowest.bits.next = self.g_bad.q.val();
        self.g_thread.next = (bit_cast::<6, PB>(self.g_part.q.val()) << self.lane_bits.val())
            | bit_cast::<6, LI>(self.g_lowest.place.val());
        self.g_cause.next = self.unmapped.val();
        self.g_bad_address.next = self.zero.val();
        for l in 0..L {
            if self.g_lowest.place.val() == self.lane_number[l].val() {
                self.g_bad_address.next =
                    self.g_bad_address.val() | self.g_address.q.val().get_bits::<32>(32 * l);
                if self.g_misaligned.q.val().get_bit(l) {
                    self.g_cause.next = self.misaligned.val();
                }
            }
        }
        // Its fault is noted; of a store it waits for the last pass.
        self.g_noted.next = self.g_valid.q.val()
            & self.g_note.q.val()
            & self.g_is_row.val()
            & !self.align.fault.val();
        if self.g_noted.val() {
            self.g_note.d.next = false;
        }
        self.faults.note.next = self.g_noted.val() | self.align.fault.val();
        self.faults.note_slot.next = self.g_leader.q.val();
        self.faults.note_thread.next = self.g_thread.val();
        self.faults.note_cause.next = self.g_cause.val();
        self.faults.note_address.next = self.g_bad_address.val();
        if self.align.fault.val() {
            self.faults.note_slot.next = self.align.fault_slot.val();
            self.faults.note_thread.next = self.align.fault_thread.val();
            self.faults.note_cause.next = self.unmapped.val();
            self.faults.note_address.next = self.align.fault_address.val();
        }
        self.g_sets.next = self.g_valid.q.val()
            & self.g_fresh.q.val()
            & !self.g_is_row.val()
            & self.g_bad.q.val().any()
            & (self.g_first.q.val() | !self.store_bad.q.val());
        self.g_clears.next = self.g_valid.q.val()
            & self.g_fresh.q.val()
            & !self.g_is_row.val()
            & self.g_first.q.val()
            & !self.g_bad.q.val().any();
        if self.g_sets.val() {
            self.store_bad.d.next = true;
            self.store_thread.d.next = self.g_thread.val();
            self.store_cause.d.next = self.g_cause.val();
            self.store_address.d.next = self.g_bad_address.val();
        }
        if self.g_clears.val() {
            self.store_bad.d.next = false;
        }

        // ---- The group that is placed: what it is.
        self.x_load.next = self.x_op.q.val() == 0;
        self.x_store.next = self.x_op.q.val() == 1;
        self.x_fence.next = self.x_op.q.val() == 2;
        self.x_reserves.next = self.x_op.q.val() == 4;
        self.x_conditional.next = self.x_op.q.val() == 5;
        self.x_amo.next = self.x_op.q.val().get_bit(4);
        self.x_is_row.next =
            self.x_load.val() | self.x_reserves.val() | self.x_conditional.val() | self.x_amo.val();
        self.x_some.next = self.x_lanes.q.val().any();
        self.x_may.next = self.x_valid.q.val()
            & !self
                .completion
                .parked
                .val()
                .get_bit(self.x_warp.q.val().index());
        self.x_offset.next = self.no_offset.val();
        self.x_lead_address.next = self.zero.val();
        self.x_operand.next = self.zero.val();
        self.touched.next = self.no_words.val();
        for l in 0..L {
            self.is_lead[l].next = self.x_lead.q.val() == self.lane_number[l].val();
            if self.is_lead[l].val() {
                self.x_offset.next =
                    self.x_offset.val() | self.x_offsets.q.val().get_bits::<6>(6 * l);
                self.x_lead_address.next =
                    self.x_lead_address.val() | self.x_address.q.val().get_bits::<32>(32 * l);
                self.x_operand.next =
                    self.x_operand.val() | self.x_data.q.val().get_bits::<32>(32 * l);
            }
            self.lane_word[l].next = self.x_offsets.q.val().get_bits::<4>(6 * l + 2);
            if self.x_lanes.q.val().get_bit(l) {
                self.touched.next =
                    self.touched.val() | (self.a_word.val() << self.lane_word[l].val());
            }
        }
        self.x_word.next = self.x_offset.val().get_bits::<4>(2);
        self.x_in_warp.next = (bit_cast::<WT, PB>(self.x_part.q.val()) << self.lane_bits.val())
            | bit_cast::<WT, LI>(self.x_lead.q.val());
        self.x_thread.next = bit_cast::<6, WT>(self.x_in_warp.val());
        // Its burst: from the beat of its lowest word to that of its highest.
        self.touched_back.next = self.no_words.val();
        for w in 0..16 {
            self.touched_back.next = self
                .touched_back
                .val()
                .replace_bit(15 - w, self.touched.val().get_bit(w));
        }
        self.lowest_word.bits.next = self.touched.val();
        self.highest_word.bits.next = self.touched_back.val();
        self.first_word.next = self.lowest_word.place.val() & self.beat_mask.val();
        self.last_word.next = self.fifteen.val() - self.highest_word.place.val();
        self.end_word.next = self.last_word.val() & self.beat_mask.val();
        self.word_span.next = self.end_word.val() - self.first_word.val();
        self.burst.next = self.word_span.val() >> self.beat_shift.val();
        self.beat_at.next = self.first_word.val();
        if self.streams.q.val() {
            self.beat_at.next = self.stream_word.q.val();
        }
        self.is_last_beat.next = self.beat_at.val() == self.end_word.val();

        // ---- Whether it goes now.
        self.c_room.next = self.completion.store_room.val()
            | !self.x_closes.q.val()
            | !self.x_last.q.val()
            | self.x_is_row.val()
            | self.x_fence.val();
        self.words_free.next = !self.scratchpad.words_valid.val();
        self.reservations.forget.next = self.start_valid.val();
        self.reservations.forget_warp.next = self.start_warp.val();
        self.reservations.warp.next = self.x_warp.q.val();
        self.reservations.thread.next = self.x_in_warp.val();
        self.reservations.line.next = self.x_line.q.val();
        self.reservations.word.next = self.x_word.val();
        self.reservations.on_chip.next = self.x_on_chip.q.val();
        self.succeeds.next = self.x_conditional.val()
            & self.x_stood.q.val()
            & self.reservations.room.val()
            & self.reservations.holds.val()
            & self.words_free.val();
        self.fails.next = self.x_may.val()
            & self.x_some.val()
            & self.x_conditional.val()
            & self.x_stood.q.val()
            & self.reservations.room.val()
            & !self.reservations.holds.val()
            & self.words_free.val();
        self.lines.ask_line.next = self.x_line.q.val();
        self.lines.ask_kind.next = 0.into();
        if self.x_store.val() | self.x_conditional.val() {
            self.lines.ask_kind.next = 1.into();
        }
        if self.x_amo.val() {
            self.lines.ask_kind.next = 2.into();
        }
        self.wants_read.next = self.x_may.val()
            & self.x_some.val()
            & !self.x_on_chip.q.val()
            & (self.x_load.val()
                | self.x_amo.val()
                | (self.x_reserves.val() & self.reservations.room.val()))
            & (!self.ar_valid.q.val() | self.read_ready.val());
        self.reads_now.next = self.wants_read.val() & self.lines.room.val();
        self.modifies.next = self.replies.modify_valid.val() & !self.streams.q.val();
        self.wants_stream.next = self.x_may.val()
            & self.x_some.val()
            & !self.x_on_chip.q.val()
            & (self.x_store.val() | self.succeeds.val())
            & (self.streams.q.val() | self.lines.room.val())
            & (self.c_room.val() | !self.is_last_beat.val())
            & !self.modifies.val();
        self.streams_now.next = self.wants_stream.val() & self.write_ready.val();
        self.begins_stream.next = self.streams_now.val() & !self.streams.q.val();
        self.ends_stream.next = self.streams_now.val() & self.is_last_beat.val();
        self.wants_chip.next = self.x_may.val()
            & self.x_some.val()
            & self.x_on_chip.q.val()
            & (self.x_load.val()
                | self.x_amo.val()
                | (self.x_reserves.val() & self.reservations.room.val())
                | (self.x_store.val() & self.c_room.val())
                | self.succeeds.val());
        self.scratchpad.valid.next = self.wants_chip.val();
        self.scratchpad.lanes.next = self.x_lanes.q.val();
        self.scratchpad.lines.next = self.x_lines.q.val();
        self.scratchpad.offsets.next = self.x_offsets.q.val();
        self.scratchpad.store.next = self.x_store.val() | self.x_conditional.val();
        self.scratchpad.atomic.next = self.x_amo.val();
        self.scratchpad.operation.next = self.x_op.q.val().get_bits::<4>(0);
        self.scratchpad.size.next = self.x_size.q.val();
        self.scratchpad.data.next = self.x_data.q.val();
        self.scratchpad.slot.next = self.x_slot.q.val();
        self.idles.next =
            self.x_may.val() & !self.x_some.val() & (self.x_fence.val() | self.c_room.val());
        self.x_done.next = self.reads_now.val()
            | self.ends_stream.val()
            | self.scratchpad.over.val()
            | self.fails.val()
            | self.idles.val();
        self.x_closed.next = self.x_done.val() & self.x_closes.q.val();
        self.parks.next = self.x_closed.val() & self.x_fence.val() & self.x_last.q.val();
        self.x_completes.next =
            self.x_closed.val() & self.x_last.q.val() & !self.x_is_row.val() & !self.x_fence.val();

        // ---- What that means: for the order of memory,
        self.lines.take.next = self.reads_now.val() | self.begins_stream.val();
        self.reservations.reserve.next =
            self.x_reserves.val() & (self.reads_now.val() | self.scratchpad.over.val());
        self.reservations.ends.next =
            self.x_conditional.val() & self.x_done.val() & self.x_some.val();
        self.reservations.changes.next = self.begins_stream.val()
            | (self.reads_now.val() & self.x_amo.val())
            | (self.scratchpad.served.val().any() & !self.x_load.val() & !self.x_reserves.val());
        // for its row and its instruction,
        self.rows.begins.next = self.x_done.val() & self.x_is_row.val() & self.x_some.val();
        self.rows.placed.next = self.x_closed.val() & self.x_is_row.val();
        self.rows.at_slot.next = self.x_slot.q.val();
        self.completion.park.next = self.parks.val();
        self.completion.park_warp.next = self.x_warp.q.val();
        self.completion.store_valid.next = self.x_completes.val();
        self.completion.store_warp.next = self.x_warp.q.val();
        self.completion.store_pc.next = self.x_pc.q.val();
        self.completion.store_number.next = self.x_number.q.val();
        self.completion.store_bad.next = self.x_bad.q.val();
        self.completion.store_thread.next = self.x_bad_thread.q.val();
        self.completion.store_cause.next = self.x_bad_cause.q.val();
        self.completion.store_address.next = self.x_bad_address.q.val();
        // for what is pending,
        self.sends.next = self.begins_stream.val() | (self.reads_now.val() & self.x_amo.val());
        self.in_flight.queued.next = self.access_valid.val() & self.queue.push_ready.val();
        self.in_flight.queued_warp.next = self.access_warp.val();
        self.in_flight.placed.next = self.x_closed.val();
        self.in_flight.placed_warp.next = self.x_warp.q.val();
        self.in_flight.begins_row.next = self.x_closed.val() & self.x_is_row.val();
        self.in_flight.begins_write.next = self.sends.val();
        self.completion.sent.next = self.sends.val();
        self.sent_at.next = (bit_cast::<ES, EI>(self.lines.place.val()) << 2)
            | bit_cast::<ES, 2>(self.lines.turn.val());
        self.completion.sent_at.next = self.sent_at.val();
        self.completion.sent_warp.next = self.x_warp.q.val();
        self.completion.sent_pc.next = self.x_pc.q.val();
        self.completion.sent_number.next = self.x_number.q.val();
        self.completion.sent_thread.next = self.x_thread.val();
        self.completion.sent_address.next = self.x_lead_address.val();
        // and for the trace.
        self.effect_lanes.next = self.x_lanes.q.val();
        if self.x_on_chip.q.val() & !self.fails.val() {
            self.effect_lanes.next = self.scratchpad.served.val();
        }
        self.e_valid.d.next = self.reads_now.val()
            | self.begins_stream.val()
            | self.fails.val()
            | self.scratchpad.served.val().any();
        self.e_warp.d.next = self.x_warp.q.val();
        self.e_part.d.next = self.x_part.q.val();
        self.e_op.d.next = self.x_op.q.val();
        if self.fails.val() {
            self.e_op.d.next = self.failed_op.val();
        }
        self.e_mask.d.next = self.effect_lanes.val();
        self.e_address.d.next = self.x_address.q.val();
        self.e_data.d.next = self.x_data.q.val();
        self.effect_valid.next = self.e_valid.q.val();
        self.effect_warp.next = self.e_warp.q.val();
        self.effect_part.next = self.e_part.q.val();
        self.effect_op.next = self.e_op.q.val();
        self.effect_mask.next = self.e_mask.q.val();
        self.effect_address.next = self.e_address.q.val();
        self.effect_data.next = self.e_data.q.val();

        // ---- To the memory port: reads,
        if self.read_ready.val() {
            self.ar_valid.d.next = false;
        }
        self.burst_address.next = (bit_cast::<32, 26>(self.x_line.q.val()) << 6)
            | (bit_cast::<32, 4>(self.first_word.val()) << 2);
        if self.reads_now.val() {
            self.ar_valid.d.next = true;
            self.ar_id.d.next = self.lines.place.val();
            self.ar_address.d.next = self.burst_address.val();
            self.ar_length.d.next = self.burst.val().get_bits::<3>(0);
            self.ar_bypass.d.next = self.x_amo.val() | self.x_reserves.val();
        }
        self.read_valid.next = self.ar_valid.q.val();
        self.read_id.next = self.ar_id.q.val();
        self.read_address.next = self.ar_address.q.val();
        self.read_length.next = self.ar_length.q.val();
        self.read_bypass.next = self.ar_bypass.q.val();
        self.fence_over.next = self.completion.fence_over.val();
        self.lines.ahead_line.next = self.ahead_line.val();
        self.ahead_clear.next = self.lines.ahead_clear.val();
        // and writes: those of atomics go between stores.
        self.store_beat.lanes.next = self.x_lanes.q.val();
        self.store_beat.offsets.next = self.x_offsets.q.val();
        self.store_beat.values.next = self.x_data.q.val();
        self.store_beat.size.next = self.x_size.q.val();
        self.store_beat.word.next = self.beat_at.val();
        self.write_valid.next = self.modifies.val() | self.wants_stream.val();
        self.write_id.next = self.lines.place.val();
        if self.streams.q.val() {
            self.write_id.next = self.stream_place.q.val();
        }
        self.write_address.next = self.burst_address.val();
        self.write_length.next = self.burst.val().get_bits::<3>(0);
        self.write_data.next = self.store_beat.beat.val();
        self.write_strobes.next = self.store_beat.strobes.val();
        self.write_last.next = self.is_last_beat.val();
        if self.modifies.val() {
            self.write_id.next = self.replies.modify_place.val();
            self.write_address.next = self.replies.modify_address.val();
            self.write_length.next = 0.into();
            self.write_data.next = self.replies.modify_data.val();
            self.write_strobes.next = self.replies.modify_strobes.val();
            self.write_last.next = true;
        }
        self.replies.modify_ready.next = self.write_ready.val() & !self.streams.q.val();
        if self.streams_now.val() {
            self.streams.d.next = !self.is_last_beat.val();
            self.stream_word.d.next = self.beat_at.val() + self.beat_step.val();
            if self.begins_stream.val() {
                self.stream_place.d.next = self.lines.place.val();
            }
        }

        // ---- From the memory port: beats,
        self.replies.open.next = self.reads_now.val();
        self.replies.open_place.next = self.lines.place.val();
        self.replies.open_word.next = self.first_word.val();
        self.replies.open_slot.next = self.x_slot.q.val();
        self.replies.open_lanes.next = self.x_lanes.q.val();
        self.replies.open_address.next = self.x_lead_address.val();
        self.replies.open_atomic.next = self.x_amo.val();
        self.replies.open_operation.next = self.x_op.q.val().get_bits::<4>(0);
        self.replies.open_operand.next = self.x_operand.val();
        self.replies.open_target.next =
            (bit_cast::<32, 26>(self.x_line.q.val()) << 6) | bit_cast::<32, 6>(self.x_offset.val());
        self.replies.beat_valid.next = self.beat_valid.val();
        self.replies.beat_id.next = self.beat_id.val();
        self.replies.beat_data.next = self.beat_data.val();
        self.replies.beat_error.next = self.beat_error.val();
        self.replies.beat_last.next = self.beat_last.val();
        self.beat_ready.next = self.replies.beat_ready.val();
        self.align.beat_valid.next = self.replies.out_valid.val();
        self.replies.out_ready.next = self.align.beat_ready.val();
        self.align.beat_slot.next = self.replies.out_slot.val();
        self.align.beat_lanes.next = self.replies.out_lanes.val();
        self.align.beat_data.next = self.replies.out_data.val();
        self.align.beat_word.next = self.replies.out_word.val();
        self.align.beat_last.next = self.replies.out_last.val();
        self.align.beat_error.next = self.replies.out_error.val();
        self.align.beat_address.next = self.replies.out_address.val();
        self.lines.read_over.next = self.replies.read_over.val();
        self.lines.read_place.next = self.replies.read_place.val();
        // and write responses; an atomic that writes nothing counts as one.
        self.ack_place.next = self.ack_id.val();
        self.completion.ack_valid.next = self.ack_valid.val();
        self.completion.ack_error.next = self.ack_error.val();
        self.ack_ready.next = self.completion.ack_ready.val();
        if self.replies.dropped.val() {
            self.ack_place.next = self.replies.dropped_place.val();
            self.completion.ack_valid.next = true;
            self.completion.ack_error.next = false;
            self.ack_ready.next = false;
        }
        self.replies.drop_ready.next = self.completion.ack_ready.val();
        self.lines.write_over.next = self.completion.write_over.val();
        self.lines.write_place.next = self.ack_place.val();
        self.completion.ack_at.next = (bit_cast::<ES, EI>(self.ack_place.val()) << 2)
            | bit_cast::<ES, 2>(self.lines.write_turn.val());
        self.in_flight.write_over.next = self.completion.write_over.val();
        self.in_flight.write_warp.next = self.completion.write_warp.val();

        // ---- Values: of the scratchpad, of SC (0 or 1), of beats.
        for l in 0..L {
            self.conditional_words.each[l].next = self.zero.val();
            if self.fails.val() {
                self.conditional_words.each[l].next = self.one.val();
            }
        }
        self.align.words_valid.next = self.scratchpad.words_valid.val()
            | (self.x_conditional.val() & self.x_done.val() & self.x_some.val());
        self.align.words_slot.next = self.x_slot.q.val();
        self.align.words_lanes.next = self.x_lanes.q.val();
        self.align.words_data.next = self.conditional_words.whole.val();
        self.align.words_whole.next = true;
        self.align.words_last.next = true;
        if self.scratchpad.words_valid.val() {
            self.align.words_slot.next = self.scratchpad.words_slot.val();
            self.align.words_lanes.next = self.scratchpad.words_lanes.val();
            self.align.words_data.next = self.scratchpad.words_data.val();
            self.align.words_whole.next = false;
            self.align.words_last.next = self.scratchpad.words_last.val();
        }
        self.rows.write_lanes.next = self.align.write_lanes.val();
        self.rows.write_slot.next = self.align.write_slot.val();
        self.rows.write_data.next = self.align.write_data.val();
        self.rows.over.next = self.align.over.val();
        self.rows.over_slot.next = self.align.over_slot.val();
        self.result_valid.next = self.rows.result_valid.val();
        self.rows.result_ready.next = self.result_ready.val();
        self.result_warp.next = self.rows.result_warp.val();
        self.result_part.next = self.rows.result_part.val();
        self.result_rd.next = self.rows.result_rd.val();
        self.result_mask.next = self.rows.result_mask.val();
        self.result_data.next = self.rows.result_data.val();
        self.in_flight.row_over.next = self.rows.row_over.val();
        self.in_flight.row_warp.next = self.rows.row_warp.val();
        self.pending.next = self.in_flight.pending.val();

        // ---- Instructions that are complete, and faults.
        self.completion.under_way.next = self.in_flight.under_way.val();
        self.completion.load_valid.next = self.rows.done_valid.val();
        self.rows.done_ready.next = self.completion.load_ready.val();
        self.completion.load_warp.next = self.rows.done_warp.val();
        self.completion.load_uses_rd.next = self.rows.done_uses_rd.val();
        self.completion.load_rd.next = self.rows.done_rd.val();
        self.completion.load_pc.next = self.rows.done_pc.val();
        self.completion.load_number.next = self.rows.done_number.val();
        self.faults.ask_slot.next = self.rows.done_slot.val();
        self.completion.load_bad.next = self.faults.any.val();
        self.completion.load_thread.next = self.faults.thread.val();
        self.completion.load_cause.next = self.faults.cause.val();
        self.completion.load_address.next = self.faults.address.val();
        self.complete_valid.next = self.completion.complete_valid.val();
        self.completion.complete_ready.next = self.complete_ready.val();
        self.complete_warp.next = self.completion.complete_warp.val();
        self.complete_uses_rd.next = self.completion.complete_uses_rd.val();
        self.complete_rd.next = self.completion.complete_rd.val();
        self.access_fault_valid.next = self.completion.access_fault_valid.val();
        self.completion.access_fault_ready.next = self.access_fault_ready.val();
        self.access_fault_warp.next = self.completion.access_fault_warp.val();
        self.access_fault_thread.next = self.completion.access_fault_thread.val();
        self.access_fault_pc.next = self.completion.access_fault_pc.val();
        self.access_fault_number.next = self.completion.access_fault_number.val();
        self.access_fault_cause.next = self.completion.access_fault_cause.val();
        self.access_fault_address.next = self.completion.access_fault_address.val();

        // ---- The next group.
        if self.x_done.val() {
            self.x_valid.d.next = false;
        }
        self.x_stood.d.next = true;
        self.x_lanes.d.next = self.x_lanes.q.val();
        if self.x_on_chip.q.val() {
            self.x_lanes.d.next = self.x_lanes.q.val() & !self.scratchpad.served.val();
        }
        self.g_goes.next = self.g_valid.q.val()
            & (!self.x_valid.q.val() | self.x_done.val())
            & (self.gather.rest.val()
                | !self.g_note.q.val()
                | !self.g_is_row.val()
                | self.g_noted.val());
        self.g_others.next = self.g_left.q.val() & !self.gather.group.val();
        if self.g_goes.val() {
            self.x_valid.d.next = true;
            self.x_stood.d.next = false;
            self.x_warp.d.next = self.g_warp.q.val();
            self.x_part.d.next = self.g_part.q.val();
            self.x_pc.d.next = self.g_pc.q.val();
            self.x_number.d.next = self.g_number.q.val();
            self.x_last.d.next = self.g_last.q.val();
            self.x_closes.d.next = !self.gather.rest.val();
            self.x_op.d.next = self.g_op.q.val();
            self.x_size.d.next = self.g_size.q.val();
            self.x_lanes.d.next = self.gather.group.val();
            self.x_lead.d.next = self.gather.lead.val();
            self.x_on_chip.d.next = self.gather.lead_on_chip.val() & self.g_left.q.val().any();
            self.x_line.d.next = self.gather.line.val();
            self.x_lines.d.next = self.g_lines.q.val();
            self.x_offsets.d.next = self.g_offsets.q.val();
            self.x_address.d.next = self.g_address.q.val();
            self.x_data.d.next = self.g_data.q.val();
            self.x_slot.d.next = self.g_slot.q.val();
            self.x_bad.d.next = (self.store_bad.q.val() | self.g_sets.val()) & !self.g_clears.val();
            self.x_bad_thread.d.next = self.store_thread.q.val();
            self.x_bad_cause.d.next = self.store_cause.q.val();
            self.x_bad_address.d.next = self.store_address.q.val();
            if self.g_sets.val() {
                self.x_bad_thread.d.next = self.g_thread.val();
                self.x_bad_cause.d.next = self.g_cause.val();
                self.x_bad_address.d.next = self.g_bad_address.val();
            }
            self.g_left.d.next = self.g_others.val();
        }

        // ---- The next pass.
        self.g_leaves.next = self.g_goes.val() & !self.gather.rest.val();
        self.g_free.next = !self.g_valid.q.val() | self.g_leaves.val();
        self.q_takes.next = self.g_free.val() & (!self.q_is_row.val() | self.rows.open_room.val());
        self.queue.pop_ready.next = self.q_takes.val();
        self.enters.next = self.queue.pop_valid.val() & self.q_takes.val();
        self.opens.next = self.enters.val() & self.q_is_row.val();
        self.rows.open.next = self.opens.val();
        self.rows.open_first.next = self.queue.pop_head.val().get_bit(22);
        self.rows.open_last.next = self.queue.pop_head.val().get_bit(23);
        self.rows.open_warp.next = self.q_warp.val();
        self.rows.open_part.next = self.q_part.val();
        self.rows.open_pc.next = self.queue.pop_head.val().get_bits::<22>(0);
        self.rows.open_number.next = self.g_number.q.val() + 1;
        self.rows.open_uses_rd.next = self.queue.pop_head.val().get_bit(32);
        self.rows.open_rd.next = self.queue.pop_head.val().get_bits::<5>(33);
        self.rows.open_mask.next = self.q_good.val();
        self.align.open.next = self.opens.val();
        self.align.open_slot.next = self.rows.open_slot.val();
        self.align.open_offsets.next = self.q_offsets.whole.val();
        self.align.open_size.next = self.queue.pop_head.val().get_bits::<2>(29);
        self.align.open_signed.next = self.queue.pop_head.val().get_bit(31);
        self.align.open_part.next = self.q_part.val();
        self.align.open_leader.next = self.rows.open_leader.val();
        self.faults.begins.next = self.opens.val() & self.queue.pop_head.val().get_bit(22);
        self.faults.begins_slot.next = self.rows.open_slot.val();
        if self.g_leaves.val() {
            self.g_valid.d.next = false;
        }
        self.g_fresh.d.next = false;
        if self.enters.val() {
            self.g_valid.d.next = true;
            self.g_fresh.d.next = true;
            self.g_note.d.next = (self.q_bad.val() & self.q_lanes.val()).any();
            self.g_warp.d.next = self.q_warp.val();
            self.g_part.d.next = self.q_part.val();
            self.g_pc.d.next = self.queue.pop_head.val().get_bits::<22>(0);
            if self.queue.pop_head.val().get_bit(22) {
                self.g_number.d.next = self.g_number.q.val() + 1;
            }
            self.g_first.d.next = self.queue.pop_head.val().get_bit(22);
            self.g_last.d.next = self.queue.pop_head.val().get_bit(23);
            self.g_op.d.next = self.q_op.val();
            self.g_size.d.next = self.queue.pop_head.val().get_bits::<2>(29);
            self.g_left.d.next = self.q_good.val();
            self.g_bad.d.next = self.q_bad.val() & self.q_lanes.val();
            self.g_misaligned.d.next = self.q_misaligned.val();
            self.g_on_chip.d.next = self.q_on_chip.val();
            self.g_lines.d.next = self.q_lines.whole.val();
            self.g_offsets.d.next = self.q_offsets.whole.val();
            self.g_address.d.next = self.queue.pop_address.val();
            self.g_data.d.next = self.queue.pop_data.val();
            self.g_slot.d.next = self.rows.open_slot.val();
            self.g_leader.d.next = self.rows.open_leader.val();
        }
        if self.reset.val() {
            self.g_valid.d.next = false;
            self.x_valid.d.next = false;
            self.streams.d.next = false;
            self.ar_valid.d.next = false;
            self.e_valid.d.next = false;
            self.g_number.d.next = 0.into();
        }
    }
}

#[cfg(test)]
#[path = "lsu_tests.rs"]
mod tests;
