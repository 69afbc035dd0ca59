//! An SM of the whole GPU: the SM without its launcher, and the CTA port in the launcher's place. Wiring only.
//!
//! Spec: `docs/spec/gpu.md`, GPU-030 to GPU-033.
//!
//! # Parameters
//! By name, `hdl/src/sizes.rs`.
//!
//! # Ports
//! As in *Port of an SM* of `docs/spec/tasks.md`; `forget_data`, `forget_text`: MEMBAR; `axi_*`: its memory;
//! `atomic_*`: what keeps others out of its atomic operations (GPU-051).
//!
//! # Cycle behaviour
//! Data lines are forgotten in the cycle in which a CTA is taken.
//!
//! # Errors
//! `report_*`.

use crate::bundles::*;
use crate::compute::Compute;
use crate::hdl::*;
use crate::work::cta_port::CtaPort;

#[module]
pub struct GpuSm {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub word_valid: Signal<In, Bit>,
    pub word_index: Signal<In, Bits<5>>,
    pub word: Signal<In, Bits<32>>,
    pub cta_valid: Signal<In, Bit>,
    pub cta_ready: Signal<Out, Bit>,
    pub cta_place: Signal<In, Bits<4>>,
    pub cta_kill: Signal<In, Bit>,
    pub end_valid: Signal<Out, Bit>,
    pub end_ready: Signal<In, Bit>,
    pub end_place: Signal<Out, Bits<4>>,
    pub end_failed: Signal<Out, Bit>,
    pub report_valid: Signal<Out, Bit>,
    pub report_ready: Signal<In, Bit>,
    pub report_place: Signal<Out, Bits<4>>,
    pub report_warp: Signal<Out, Bits<8>>,
    pub report_thread: Signal<Out, Bits<6>>,
    pub report_cause: Signal<Out, Bits<4>>,
    pub report_pc: Signal<Out, Bits<32>>,
    pub report_address: Signal<Out, Bits<32>>,
    pub forget_data: Signal<In, Bit>,
    pub forget_text: Signal<In, Bit>,
    pub axi: AxiPorts,
    pub past: Signal<Out, Bit>,
    pub atomic: AtomicPorts,
    pub issue_valid: Signal<Out, Bit>,
    pub issue_warp: Signal<Out, Bits<WARP_BITS>>,
    pub issue_pc: Signal<Out, Bits<22>>,
    compute: Compute,
    port: CtaPort<WARPS, WARP_BITS>,
}

#[part(GpuSm)]
fn update(&mut self) {
    spread!(self.*.reset <- self.reset: compute, port);
    self.port.op_block.next = self.compute.op.block.val();
    LauncherPorts::<WARPS, WARP_BITS>::join(&mut self.port.launch, &mut self.compute.launch);
    AxiPorts::<ID_BITS, DATA, STROBES>::link(&mut self.axi, &mut self.compute.axi);
    carry!(self <- self.compute: past);
    AtomicPorts::link(&mut self.atomic, &mut self.compute.atomic);
    carry!(self.port <- self: word_valid, word_index, word, offer_valid = cta_valid);
    carry!(self.port <- self: offer_place = cta_place, kill = cta_kill, end_ready, report_ready);
    carry!(self <- self.port: cta_ready = offer_ready, end_valid, end_place, end_failed);
    carry!(self <- self.port: report_valid, report_place, report_warp, report_thread, report_cause);
    carry!(self <- self.port: report_pc, report_address);
    // GPU-030, GPU-032.
    self.compute.forget.next = self.forget_data.val() | self.port.offer_ready.val();
    self.compute.forget_text.next = self.forget_text.val();
    // MEM-008, MEM-054.
    carry!(self.compute <- self.port: scrub, fetch_ahead);
    self.port.scrubbing.next = self.compute.scrubbing.val();
    carry!(self.issue_* <- self.compute.issue: valid, warp, pc);
}
