//! The memory side of the SM: what stands behind the load/store port of the datapath and the fetch and spill ports of
//! the core. Load/store unit, data cache, line cache and memory port; wiring only.
//!
//! Spec: `docs/spec/memory.md`.
//!
//! # Parameters
//! Those of its blocks, under their names; `parameters` of `lib.rs` derives them.
//!
//! # Ports
//! Those of its blocks towards datapath (load/store unit), core (line cache; memory port, of tokens) and memory.
//!
//! # Cycle behaviour
//! That of its blocks.
//!
//! # Errors
//! `access_fault_*`, `line_fault`, `spill_error`.

use super::axi::MemoryPort;
use super::data_cache::DataCache;
use super::line_cache::LineCache;
use super::lsu::Lsu;
use crate::bundles::*;
use crate::hdl::*;

clocked!(LineCache<WI, D, IB, N, TB, BC, NB, A, Q, QC>);
clocked!(DataCache<D, DS, W, E, EI, SB, N, TB, BC, A, Y, YB, USE>);
clocked!(MemoryPort<D, DS, EI, ID, M, TA, F, FC>);

/// Parts of the kernel.
pub struct Data;
pub struct Below;
pub struct Outside;

#[rustfmt::skip]
#[module(kernel(Data, Below, Outside))]
pub struct MemorySide<
    const NW: usize, const WI: usize, const W: usize, const I: usize, const TS: usize, const L: usize,
    const LI: usize, const LW: usize, const LO: usize, const LN: usize, const CB: usize, const PB: usize,
    const PC: usize, const PS: usize, const QI: usize, const QC: usize, const H: usize, const E: usize,
    const EI: usize, const ES: usize, const T: usize, const TI: usize, const A: usize, const D: usize,
    const DS: usize, const FC: usize, const ID: usize, const IB: usize, const IN: usize, const IT: usize,
    const IA: usize, const BC: usize, const NB: usize, const M: usize, const TA: usize, const DN: usize,
    const DI: usize, const DT: usize, const DA: usize, const DY: usize, const DB: usize, const DU: usize,
    const DW: usize,
> {
    /// Everything happens at its rising edge.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high.
    pub reset: Signal<In, Bit>,
    // Of the launch.
    pub cfg_memory_base: Signal<In, Bits<32>>,
    pub cfg_memory_size: Signal<In, Bits<32>>,
    pub cfg_local_base: Signal<In, Bits<32>>,
    pub cfg_local_bytes: Signal<In, Bits<32>>,
    pub cfg_scratchpad_bytes: Signal<In, Bits<32>>,
    pub start_valid: Signal<In, Bit>,
    pub start_warp: Signal<In, Bits<WI>>,
    pub start_base: Signal<In, Bits<32>>,
    /// Pulse: the scratchpad is cleared; it is being cleared.
    pub scrub: Signal<In, Bit>,
    pub scrubbing: Signal<Out, Bit>,
    /// Pulses: a launch; the lines of the data cache, of the line cache are forgotten.
    pub flush: Signal<In, Bit>,
    pub forget: Signal<In, Bit>,
    pub forget_text: Signal<In, Bit>,
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
    // What the data cache does.
    pub events: Signal<Out, Bits<8>>,
    pub regular: Signal<Out, Bit>,
    // From and to the core.
    pub fetch_valid: Signal<In, Bit>,
    pub fetch_ready: Signal<Out, Bit>,
    pub fetch_warp: Signal<In, Bits<WI>>,
    pub fetch_line: Signal<In, Bits<18>>,
    pub line_valid: Signal<Out, Bit>,
    pub line_warp: Signal<Out, Bits<WI>>,
    pub line_slot: Signal<Out, Bit>,
    pub line_data: Signal<Out, Bits<512>>,
    pub line_fault: Signal<Out, Bits<2>>,
    pub spill_request_valid: Signal<In, Bit>,
    pub spill_request_ready: Signal<Out, Bit>,
    pub spill_request_write: Signal<In, Bit>,
    pub spill_request_address: Signal<In, Bits<32>>,
    pub spill_request_data: Signal<In, Bits<M>>,
    pub spill_request_tag: Signal<In, Bits<TA>>,
    pub spill_response_valid: Signal<Out, Bit>,
    pub spill_response_ready: Signal<In, Bit>,
    pub spill_response_write: Signal<Out, Bit>,
    pub spill_response_tag: Signal<Out, Bits<TA>>,
    pub spill_response_data: Signal<Out, Bits<M>>,
    pub spill_error: Signal<Out, Bit>,
    /// No line of instructions is under way; nothing is at the memory port.
    pub fetch_idle: Signal<Out, Bit>,
    pub memory_idle: Signal<Out, Bit>,
    /// Its memory.
    pub axi: AxiPorts<ID, D, DS>,
    /// Others that write to its memory.
    pub atomic: AtomicPorts,
    /// Accesses take effect.
    pub effect: EffectPorts<WI, PB, L, LW>,
    lsu: Lsu<
        NW, WI, W, I, TS, L, LI, LW, LO, LN, CB, PB, PC, PS, QI, QC, H, E, EI, ES, T, TI, A, D, DS, FC,
    >,
    lines: LineCache<WI, D, IB, IN, IT, BC, NB, IA, 2, 3>,
    data_cache: DataCache<D, DS, DW, E, EI, DI, DN, DT, BC, DA, DY, DB, DU>,
    port: MemoryPort<D, DS, EI, ID, M, TA, 2, 3>,
}

#[part(
    MemorySide<
        NW, WI, W, I, TS, L, LI, LW, LO, LN, CB, PB, PC, PS, QI, QC, H, E, EI, ES, T, TI, A, D, DS,
        FC, ID, IB, IN, IT, IA, BC, NB, M, TA, DN, DI, DT, DA, DY, DB, DU, DW
    >,
    Data
)]
fn update(&mut self) {
    self.lsu.reset.next = self.reset.val();
    AtomicPorts::link(&mut self.atomic, &mut self.lsu.atomic);
    carry!(self.lsu <- self: cfg_memory_base, cfg_memory_size, cfg_local_base, cfg_local_bytes);
    carry!(self.lsu <- self: cfg_scratchpad_bytes, scrub);
    self.scrubbing.next = self.lsu.scrubbing.val();
    carry!(self.lsu <- self: start_valid, start_warp, start_base, access_valid, access_warp);
    carry!(self.lsu <- self: access_part, access_pc, access_first, access_last, access_op);
    carry!(self.lsu <- self: access_size, access_signed, access_order, access_uses_rd, access_rd);
    carry!(self.lsu <- self: access_mask, access_address, access_data, access_regular);
    carry!(self.lsu <- self: result_ready, complete_ready, access_fault_ready);
    carry!(self.lsu <- self.data_cache: read_ready, beat_valid, beat_id, beat_data, beat_error);
    carry!(self.lsu <- self.data_cache: beat_last, write_ready);
    carry!(self.lsu <- self.port: ack_valid, ack_id, ack_error);
    self.lsu.ahead_line.next = self.data_cache.ahead_line.val();
}

#[part(
    MemorySide<
        NW, WI, W, I, TS, L, LI, LW, LO, LN, CB, PB, PC, PS, QI, QC, H, E, EI, ES, T, TI, A, D, DS,
        FC, ID, IB, IN, IT, IA, BC, NB, M, TA, DN, DI, DT, DA, DY, DB, DU, DW
    >,
    Below
)]
fn update(&mut self) {
    self.lines.reset.next = self.reset.val();
    self.data_cache.reset.next = self.reset.val();
    self.port.reset.next = self.reset.val();
    AxiPorts::<ID, D, DS>::link(&mut self.axi, &mut self.port.m_axi);
    carry!(self.data_cache.down_* <- self.port: read_ready, beat_valid, beat_id, beat_data);
    carry!(self.data_cache.down_* <- self.port: beat_error, beat_last, write_ready);
    self.port.read_valid.next = self.data_cache.down_read_valid.val();
    self.data_cache.read_valid.next = self.lsu.read_valid.val();
    self.port.read_id.next = self.data_cache.down_read_id.val();
    self.data_cache.read_id.next = self.lsu.read_id.val();
    self.port.read_address.next = self.data_cache.down_read_address.val();
    self.data_cache.read_address.next = self.lsu.read_address.val();
    self.port.read_length.next = self.data_cache.down_read_length.val();
    self.data_cache.read_length.next = self.lsu.read_length.val();
    self.port.beat_ready.next = self.data_cache.down_beat_ready.val();
    self.data_cache.beat_ready.next = self.lsu.beat_ready.val();
    self.port.write_valid.next = self.data_cache.down_write_valid.val();
    self.data_cache.write_valid.next = self.lsu.write_valid.val();
    self.port.write_id.next = self.data_cache.down_write_id.val();
    self.data_cache.write_id.next = self.lsu.write_id.val();
    self.port.write_address.next = self.data_cache.down_write_address.val();
    self.data_cache.write_address.next = self.lsu.write_address.val();
    self.port.write_length.next = self.data_cache.down_write_length.val();
    self.data_cache.write_length.next = self.lsu.write_length.val();
    self.port.write_data.next = self.data_cache.down_write_data.val();
    self.data_cache.write_data.next = self.lsu.write_data.val();
    self.port.write_strobes.next = self.data_cache.down_write_strobes.val();
    self.data_cache.write_strobes.next = self.lsu.write_strobes.val();
    self.port.write_last.next = self.data_cache.down_write_last.val();
    self.data_cache.write_last.next = self.lsu.write_last.val();
    self.port.ack_ready.next = self.lsu.ack_ready.val();
    carry!(self.data_cache <- self.lsu: read_bypass, read_regular);
    self.data_cache.cfg_memory_size.next = self.cfg_memory_size.val();
    self.data_cache.ahead_clear.next = self.lsu.ahead_clear.val();
    self.data_cache.flush.next = self.flush.val()
        | self.forget.val()
        | self.lsu.fence_over.val()
        | self.lsu.acquired.val()
        | (self.port.ack_valid.val() & self.port.ack_error.val());
    carry!(self.lines <- self: fetch_valid, fetch_warp, fetch_line);
    carry!(self.lines <- self: cfg_memory_base, cfg_memory_size);
    self.lines.flush.next = self.flush.val() | self.forget_text.val();
    carry!(self.lines <- self.port: memory_ready = line_ready, beat_valid = line_beat_valid);
    carry!(self.lines <- self.port.line_*: beat_data, beat_error, beat_last);
    carry!(self.port.line_* <- self.lines.memory_*: valid, address);
    self.port.line_beat_ready.next = self.lines.beat_ready.val();
    carry!(self.port <- self: spill_request_valid, spill_request_write, spill_request_address);
    carry!(self.port <- self: spill_request_data, spill_request_tag, spill_response_ready);
}

#[part(
    MemorySide<
        NW, WI, W, I, TS, L, LI, LW, LO, LN, CB, PB, PC, PS, QI, QC, H, E, EI, ES, T, TI, A, D, DS,
        FC, ID, IB, IN, IT, IA, BC, NB, M, TA, DN, DI, DT, DA, DY, DB, DU, DW
    >,
    Outside
)]
fn update(&mut self) {
    carry!(self <- self.lsu: access_ready, result_valid, result_warp, result_part, result_rd);
    carry!(self <- self.lsu: result_mask, result_data, complete_valid, complete_warp);
    carry!(self <- self.lsu: complete_uses_rd, complete_rd, access_fault_valid, access_fault_warp);
    carry!(self <- self.lsu: access_fault_thread, access_fault_pc, access_fault_number);
    carry!(self <- self.lsu: access_fault_cause, access_fault_address, slots_free, pending);
    carry!(self <- self.data_cache: events, regular);
    carry!(self <- self.lines: fetch_ready, line_valid, line_warp, line_slot);
    carry!(self <- self.lines: line_data, line_fault);
    carry!(self <- self.port: spill_request_ready, spill_response_valid, spill_response_write);
    carry!(self <- self.port: spill_response_tag, spill_response_data, spill_error);
    self.fetch_idle.next = self.lines.idle.val();
    self.memory_idle.next = self.port.idle.val();
    EffectPorts::<WI, PB, L, LW>::link(&mut self.effect, &mut self.lsu.effect);
}
