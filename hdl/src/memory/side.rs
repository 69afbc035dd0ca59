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

#[rustfmt::skip]
impl<
    const NW: usize, const WI: usize, const W: usize, const I: usize, const TS: usize, const L: usize,
    const LI: usize, const LW: usize, const LO: usize, const LN: usize, const CB: usize, const PB: usize,
    const PC: usize, const PS: usize, const QI: usize, const QC: usize, const H: usize, const E: usize,
    const EI: usize, const ES: usize, const T: usize, const TI: usize, const A: usize, const D: usize,
    const DS: usize, const FC: usize, const ID: usize, const IB: usize, const IN: usize, const IT: usize,
    const IA: usize, const BC: usize, const NB: usize, const M: usize, const TA: usize, const DN: usize,
    const DI: usize, const DT: usize, const DA: usize, const DY: usize, const DB: usize, const DU: usize,
    const DW: usize,
> kernel::Part<Data> for MemorySide<
    NW, WI, W, I, TS, L,
    LI, LW, LO, LN, CB, PB,
    PC, PS, QI, QC, H, E,
    EI, ES, T, TI, A, D,
    DS, FC, ID, IB, IN, IT,
    IA, BC, NB, M, TA, DN,
    DI, DT, DA, DY, DB, DU,
    DW,
> {
    #[hdl_gen]
    fn update(&mut self) {
        self.lsu.reset.next = self.reset.val();
        AtomicPorts::link(&mut self.atomic, &mut self.lsu.atomic);
        self.lsu.cfg_memory_base.next = self.cfg_memory_base.val();
        self.lsu.cfg_memory_size.next = self.cfg_memory_size.val();
        self.lsu.cfg_local_base.next = self.cfg_local_base.val();
        self.lsu.cfg_local_bytes.next = self.cfg_local_bytes.val();
        self.lsu.cfg_scratchpad_bytes.next = self.cfg_scratchpad_bytes.val();
        self.lsu.scrub.next = self.scrub.val();
        self.scrubbing.next = self.lsu.scrubbing.val();
        self.lsu.start_valid.next = self.start_valid.val();
        self.lsu.start_warp.next = self.start_warp.val();
        self.lsu.start_base.next = self.start_base.val();
        self.lsu.access_valid.next = self.access_valid.val();
        self.lsu.access_warp.next = self.access_warp.val();
        self.lsu.access_part.next = self.access_part.val();
        self.lsu.access_pc.next = self.access_pc.val();
        self.lsu.access_first.next = self.access_first.val();
        self.lsu.access_last.next = self.access_last.val();
        self.lsu.access_op.next = self.access_op.val();
        self.lsu.access_size.next = self.access_size.val();
        self.lsu.access_signed.next = self.access_signed.val();
        self.lsu.access_order.next = self.access_order.val();
        self.lsu.access_uses_rd.next = self.access_uses_rd.val();
        self.lsu.access_rd.next = self.access_rd.val();
        self.lsu.access_mask.next = self.access_mask.val();
        self.lsu.access_address.next = self.access_address.val();
        self.lsu.access_data.next = self.access_data.val();
        self.lsu.access_regular.next = self.access_regular.val();
        self.lsu.result_ready.next = self.result_ready.val();
        self.lsu.complete_ready.next = self.complete_ready.val();
        self.lsu.access_fault_ready.next = self.access_fault_ready.val();
        self.lsu.read_ready.next = self.data_cache.read_ready.val();
        self.lsu.beat_valid.next = self.data_cache.beat_valid.val();
        self.lsu.beat_id.next = self.data_cache.beat_id.val();
        self.lsu.beat_data.next = self.data_cache.beat_data.val();
        self.lsu.beat_error.next = self.data_cache.beat_error.val();
        self.lsu.beat_last.next = self.data_cache.beat_last.val();
        self.lsu.write_ready.next = self.data_cache.write_ready.val();
        self.lsu.ack_valid.next = self.port.ack_valid.val();
        self.lsu.ack_id.next = self.port.ack_id.val();
        self.lsu.ack_error.next = self.port.ack_error.val();
        self.lsu.ahead_line.next = self.data_cache.ahead_line.val();
    }
}

#[rustfmt::skip]
impl<
    const NW: usize, const WI: usize, const W: usize, const I: usize, const TS: usize, const L: usize,
    const LI: usize, const LW: usize, const LO: usize, const LN: usize, const CB: usize, const PB: usize,
    const PC: usize, const PS: usize, const QI: usize, const QC: usize, const H: usize, const E: usize,
    const EI: usize, const ES: usize, const T: usize, const TI: usize, const A: usize, const D: usize,
    const DS: usize, const FC: usize, const ID: usize, const IB: usize, const IN: usize, const IT: usize,
    const IA: usize, const BC: usize, const NB: usize, const M: usize, const TA: usize, const DN: usize,
    const DI: usize, const DT: usize, const DA: usize, const DY: usize, const DB: usize, const DU: usize,
    const DW: usize,
> kernel::Part<Below> for MemorySide<
    NW, WI, W, I, TS, L,
    LI, LW, LO, LN, CB, PB,
    PC, PS, QI, QC, H, E,
    EI, ES, T, TI, A, D,
    DS, FC, ID, IB, IN, IT,
    IA, BC, NB, M, TA, DN,
    DI, DT, DA, DY, DB, DU,
    DW,
> {
    #[hdl_gen]
    fn update(&mut self) {
        self.lines.reset.next = self.reset.val();
        self.data_cache.reset.next = self.reset.val();
        self.port.reset.next = self.reset.val();
        AxiPorts::<ID, D, DS>::link(&mut self.axi, &mut self.port.m_axi);
        self.data_cache.down_read_ready.next = self.port.read_ready.val();
        self.data_cache.down_beat_valid.next = self.port.beat_valid.val();
        self.data_cache.down_beat_id.next = self.port.beat_id.val();
        self.data_cache.down_beat_data.next = self.port.beat_data.val();
        self.data_cache.down_beat_error.next = self.port.beat_error.val();
        self.data_cache.down_beat_last.next = self.port.beat_last.val();
        self.data_cache.down_write_ready.next = self.port.write_ready.val();
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
        self.data_cache.read_bypass.next = self.lsu.read_bypass.val();
        self.data_cache.read_regular.next = self.lsu.read_regular.val();
        self.data_cache.cfg_memory_size.next = self.cfg_memory_size.val();
        self.data_cache.ahead_clear.next = self.lsu.ahead_clear.val();
        self.data_cache.flush.next = self.flush.val()
            | self.forget.val()
            | self.lsu.fence_over.val()
            | self.lsu.acquired.val()
            | (self.port.ack_valid.val() & self.port.ack_error.val());
        self.lines.fetch_valid.next = self.fetch_valid.val();
        self.lines.fetch_warp.next = self.fetch_warp.val();
        self.lines.fetch_line.next = self.fetch_line.val();
        self.lines.cfg_memory_base.next = self.cfg_memory_base.val();
        self.lines.cfg_memory_size.next = self.cfg_memory_size.val();
        self.lines.flush.next = self.flush.val() | self.forget_text.val();
        self.lines.memory_ready.next = self.port.line_ready.val();
        self.lines.beat_valid.next = self.port.line_beat_valid.val();
        self.lines.beat_data.next = self.port.line_beat_data.val();
        self.lines.beat_error.next = self.port.line_beat_error.val();
        self.lines.beat_last.next = self.port.line_beat_last.val();
        self.port.line_valid.next = self.lines.memory_valid.val();
        self.port.line_address.next = self.lines.memory_address.val();
        self.port.line_beat_ready.next = self.lines.beat_ready.val();
        self.port.spill_request_valid.next = self.spill_request_valid.val();
        self.port.spill_request_write.next = self.spill_request_write.val();
        self.port.spill_request_address.next = self.spill_request_address.val();
        self.port.spill_request_data.next = self.spill_request_data.val();
        self.port.spill_request_tag.next = self.spill_request_tag.val();
        self.port.spill_response_ready.next = self.spill_response_ready.val();
    }
}

#[rustfmt::skip]
impl<
    const NW: usize, const WI: usize, const W: usize, const I: usize, const TS: usize, const L: usize,
    const LI: usize, const LW: usize, const LO: usize, const LN: usize, const CB: usize, const PB: usize,
    const PC: usize, const PS: usize, const QI: usize, const QC: usize, const H: usize, const E: usize,
    const EI: usize, const ES: usize, const T: usize, const TI: usize, const A: usize, const D: usize,
    const DS: usize, const FC: usize, const ID: usize, const IB: usize, const IN: usize, const IT: usize,
    const IA: usize, const BC: usize, const NB: usize, const M: usize, const TA: usize, const DN: usize,
    const DI: usize, const DT: usize, const DA: usize, const DY: usize, const DB: usize, const DU: usize,
    const DW: usize,
> kernel::Part<Outside> for MemorySide<
    NW, WI, W, I, TS, L,
    LI, LW, LO, LN, CB, PB,
    PC, PS, QI, QC, H, E,
    EI, ES, T, TI, A, D,
    DS, FC, ID, IB, IN, IT,
    IA, BC, NB, M, TA, DN,
    DI, DT, DA, DY, DB, DU,
    DW,
> {
    #[hdl_gen]
    fn update(&mut self) {
        self.access_ready.next = self.lsu.access_ready.val();
        self.result_valid.next = self.lsu.result_valid.val();
        self.result_warp.next = self.lsu.result_warp.val();
        self.result_part.next = self.lsu.result_part.val();
        self.result_rd.next = self.lsu.result_rd.val();
        self.result_mask.next = self.lsu.result_mask.val();
        self.result_data.next = self.lsu.result_data.val();
        self.complete_valid.next = self.lsu.complete_valid.val();
        self.complete_warp.next = self.lsu.complete_warp.val();
        self.complete_uses_rd.next = self.lsu.complete_uses_rd.val();
        self.complete_rd.next = self.lsu.complete_rd.val();
        self.access_fault_valid.next = self.lsu.access_fault_valid.val();
        self.access_fault_warp.next = self.lsu.access_fault_warp.val();
        self.access_fault_thread.next = self.lsu.access_fault_thread.val();
        self.access_fault_pc.next = self.lsu.access_fault_pc.val();
        self.access_fault_number.next = self.lsu.access_fault_number.val();
        self.access_fault_cause.next = self.lsu.access_fault_cause.val();
        self.access_fault_address.next = self.lsu.access_fault_address.val();
        self.slots_free.next = self.lsu.slots_free.val();
        self.pending.next = self.lsu.pending.val();
        self.events.next = self.data_cache.events.val();
        self.regular.next = self.data_cache.regular.val();
        self.fetch_ready.next = self.lines.fetch_ready.val();
        self.line_valid.next = self.lines.line_valid.val();
        self.line_warp.next = self.lines.line_warp.val();
        self.line_slot.next = self.lines.line_slot.val();
        self.line_data.next = self.lines.line_data.val();
        self.line_fault.next = self.lines.line_fault.val();
        self.spill_request_ready.next = self.port.spill_request_ready.val();
        self.spill_response_valid.next = self.port.spill_response_valid.val();
        self.spill_response_write.next = self.port.spill_response_write.val();
        self.spill_response_tag.next = self.port.spill_response_tag.val();
        self.spill_response_data.next = self.port.spill_response_data.val();
        self.spill_error.next = self.port.spill_error.val();
        self.fetch_idle.next = self.lines.idle.val();
        self.memory_idle.next = self.port.idle.val();
        EffectPorts::<WI, PB, L, LW>::link(&mut self.effect, &mut self.lsu.effect);
    }
}
