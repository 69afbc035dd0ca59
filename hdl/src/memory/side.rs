//! The memory side of the SM: what stands behind the load/store port of the datapath and the fetch and spill ports of
//! the core. Load/store unit, data cache, line cache and memory port; wiring only.
//!
//! Spec: `docs/spec/memory.md`.
//!
//! # Parameters
//! By name, `hdl/src/sizes.rs`.
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

clocked!(MemoryPort<D, DS, EI, ID, M, TA, F, FC>);

/// Parts of the kernel.
pub struct Data;
pub struct Below;
pub struct Outside;

#[module(kernel(Data, Below, Outside))]
pub struct MemorySide {
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
    pub start_warp: Signal<In, Bits<WARP_BITS>>,
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
    // What the data cache does.
    pub events: Signal<Out, Bits<8>>,
    pub regular: Signal<Out, Bit>,
    // From and to the core.
    pub fetch_valid: Signal<In, Bit>,
    pub fetch_ready: Signal<Out, Bit>,
    pub fetch_warp: Signal<In, Bits<WARP_BITS>>,
    pub fetch_line: Signal<In, Bits<18>>,
    /// Pulse: a line that will be asked for (MEM-054).
    pub ahead_valid: Signal<In, Bit>,
    pub ahead_line: Signal<In, Bits<18>>,
    pub line_valid: Signal<Out, Bit>,
    pub line_warp: Signal<Out, Bits<WARP_BITS>>,
    pub line_slot: Signal<Out, Bit>,
    pub line_data: Signal<Out, Bits<512>>,
    pub line_fault: Signal<Out, Bits<2>>,
    pub spill_request_valid: Signal<In, Bit>,
    pub spill_request_ready: Signal<Out, Bit>,
    pub spill_request_write: Signal<In, Bit>,
    pub spill_request_address: Signal<In, Bits<32>>,
    pub spill_request_data: Signal<In, Bits<TOKEN_BITS>>,
    pub spill_request_tag: Signal<In, Bits<TAG_BITS>>,
    pub spill_response_valid: Signal<Out, Bit>,
    pub spill_response_ready: Signal<In, Bit>,
    pub spill_response_write: Signal<Out, Bit>,
    pub spill_response_tag: Signal<Out, Bits<TAG_BITS>>,
    pub spill_response_data: Signal<Out, Bits<TOKEN_BITS>>,
    pub spill_error: Signal<Out, Bit>,
    /// No line of instructions is under way; nothing is at the memory port.
    pub fetch_idle: Signal<Out, Bit>,
    pub memory_idle: Signal<Out, Bit>,
    /// Its memory.
    pub axi: AxiPorts,
    /// The read that it asks for is an LR's or AMO's.
    pub past: Signal<Out, Bit>,
    /// Others that write to its memory.
    pub atomic: AtomicPorts,
    /// Accesses take effect.
    pub effect: EffectPorts,
    lsu: Lsu,
    #[sizes(FETCH_BITS = 2, FETCH_COUNT_BITS = 3)]
    lines: LineCache,
    data_cache: DataCache,
    port: MemoryPort<DATA, STROBES, MISS_BITS, ID_BITS, TOKEN_BITS, TAG_BITS, 2, 3>,
}

#[part(MemorySide, Data)]
fn update(&mut self) {
    self.lsu.reset.next = self.reset.val();
    AtomicPorts::link(&mut self.atomic, &mut self.lsu.atomic);
    carry!(self.lsu <- self: cfg_memory_base, cfg_memory_size, cfg_local_base, cfg_local_bytes);
    carry!(self.lsu <- self: cfg_scratchpad_bytes, scrub);
    self.scrubbing.next = self.lsu.scrubbing.val();
    carry!(self.lsu <- self:
        start_valid, start_warp, start_base, access_valid, access_warp, access_part, access_pc,
        access_first, access_last, access_op, access_size, access_signed, access_order,
        access_uses_rd, access_rd, access_mask, access_address, access_data, access_regular,
        result_ready, complete_ready, access_fault_ready,
    );
    carry!(self.lsu <- self.data_cache:
        read_ready, beat_valid, beat_id, beat_data, beat_error, beat_last, write_ready,
    );
    carry!(self.lsu <- self.port: ack_valid, ack_id, ack_error);
    self.lsu.ahead_line.next = self.data_cache.ahead_line.val();
}

#[part(MemorySide, Below)]
fn update(&mut self) {
    spread!(self.*.reset <- self.reset: lines, data_cache, port);
    AxiPorts::<ID_BITS, DATA, STROBES>::link(&mut self.axi, &mut self.port.m_axi);
    carry!(self.data_cache.down_* <- self.port:
        read_ready, beat_valid, beat_id, beat_data, beat_error, beat_last, write_ready,
    );
    self.port.read_valid.next = self.data_cache.down_read_valid.val();
    self.data_cache.read_valid.next = self.lsu.read_valid.val();
    self.port.read_id.next = self.data_cache.down_read_id.val();
    self.data_cache.read_id.next = self.lsu.read_id.val();
    self.port.read_address.next = self.data_cache.down_read_address.val();
    self.data_cache.read_address.next = self.lsu.read_address.val();
    self.port.read_length.next = self.data_cache.down_read_length.val();
    self.data_cache.read_length.next = self.lsu.read_length.val();
    carry!(self.port <- self.data_cache.down_*: read_bypass);
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
    carry!(self.lines <- self:
        fetch_valid, fetch_warp, fetch_line, ahead_valid, ahead_line, cfg_memory_base,
        cfg_memory_size,
    );
    self.lines.flush.next = self.flush.val() | self.forget_text.val();
    carry!(self.lines <- self.port: memory_ready = line_ready, beat_valid = line_beat_valid);
    carry!(self.lines <- self.port.line_*: beat_data, beat_error, beat_last);
    carry!(self.port.line_* <- self.lines.memory_*: valid, address);
    self.port.line_beat_ready.next = self.lines.beat_ready.val();
    carry!(self.port <- self: spill_request_valid, spill_request_write, spill_request_address);
    carry!(self.port <- self: spill_request_data, spill_request_tag, spill_response_ready);
}

#[part(MemorySide, Outside)]
fn update(&mut self) {
    carry!(self <- self.lsu:
        access_ready, result_valid, result_warp, result_part, result_rd, result_mask, result_data,
        complete_valid, complete_warp, complete_uses_rd, complete_rd, access_fault_valid,
        access_fault_warp, access_fault_thread, access_fault_pc, access_fault_number,
        access_fault_cause, access_fault_address, slots_free, pending,
    );
    carry!(self <- self.data_cache: events, regular);
    carry!(self <- self.lines:
        fetch_ready, line_valid, line_warp, line_slot, line_data, line_fault,
    );
    carry!(self <- self.port: spill_request_ready, spill_response_valid, spill_response_write);
    carry!(self <- self.port: spill_response_tag, spill_response_data, spill_error);
    self.fetch_idle.next = self.lines.idle.val();
    self.memory_idle.next = self.port.idle.val();
    carry!(self <- self.port: past);
    EffectPorts::<WARP_BITS, PART_BITS, LANES, ROW_WIDTH>::link(
        &mut self.effect,
        &mut self.lsu.effect,
    );
}
