//! Streaming multiprocessor: warp control, datapath, load/store unit, caches, memory port ([`Compute`]), and launcher.
//! Wiring only.
//!
//! Spec and ports: `docs/spec/sm.md`, and the pages of its blocks.
//!
//! # Parameters
//! By name, `hdl/src/sizes.rs`.
//!
//! # Errors
//! `fault_*`, `exception_*`; `host_*`: STATUS and FAULT.

use crate::bundles::*;
use crate::compute::Compute;
use crate::hdl::*;
use crate::work::launcher::Launcher;

#[module]
pub struct Sm {
    /// Everything happens at its rising edge.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high.
    pub reset: Signal<In, Bit>,
    /// A launch is not over (SM-014).
    pub busy: Signal<Out, Bit>,
    /// STATUS bit 1: an interrupt line.
    pub done: Signal<Out, Bit>,
    /// Its memory.
    pub axi: AxiPorts,
    /// AXI4-Lite subordinate of the launcher.
    pub host: LitePorts<8>,
    /// INIT of a warp.
    pub init: InitPorts,
    /// A row is written.
    pub write: RowPorts,
    /// A fault.
    pub fault: FaultPorts,
    /// What selects the mode of `subv.auto` (SUBV-050).
    pub mode: ModePorts,
    /// Accesses take effect.
    pub effect: EffectPorts,
    /// An instruction has written its rows; four cycles later than the core gets it.
    pub done0: DonePorts,
    /// A second one.
    pub done1: DonePorts,
    /// An instruction is issued.
    pub issue: IssuePorts,
    /// An operation at the barrier unit.
    pub op: OpPorts,
    /// Its verdict.
    pub verdict: VerdictPorts,
    /// Warps that the barrier unit holds (CORE-015).
    pub hold: Signal<Out, Bits<WARPS>>,
    /// Threads wake.
    pub wake: WakePorts,
    /// Misuse of a barrier.
    pub error: ErrorPorts,
    /// What happens at a barrier.
    pub event: EventPorts,
    /// The timer of a barrier has run out.
    pub expired: ExpiredPorts,
    /// What has become of an operation.
    pub retire: RetirePorts,
    /// An exception of the core.
    pub exception: ExceptionPorts,
    /// Warps that run.
    pub status_busy: Signal<Out, Bits<WARPS>>,
    /// What the data cache does in this cycle (MEM-066).
    pub cache_events: Signal<Out, Bits<8>>,
    /// Warps of which a fault or an exception is known, until their slot is launched again (SM-022).
    pub faulted: Signal<Out, Bits<WARPS>>,
    compute: Compute,
    launcher:
        Launcher<WARPS, WARP_BITS, THREADS, THREAD_BITS, LANES, SCRATCHPAD_BYTES, REGISTER_BITS>,
    #[value(false)]
    never: Constant<Bit>,
    #[value(true)]
    may_always: Constant<Bit>,
    #[value(0u64.into())]
    no_line: Constant<Bits<26>>,
}

#[part(Sm)]
fn update(&mut self) {
    spread!(self.*.reset <- self.reset: compute, launcher);
    carry!(self.compute <- self: forget = never, forget_text = never, scrub = never, fetch_ahead = never);
    // Nobody else writes.
    carry!(self.compute.atomic <- self: may = may_always, snoop_valid = never);
    self.compute.atomic.snoop_line.next = self.no_line.val();
    LauncherPorts::<WARPS, WARP_BITS>::join(&mut self.launcher.launch, &mut self.compute.launch);
    LitePorts::<8>::link(&mut self.host, &mut self.launcher.host);
    AxiPorts::<ID_BITS, DATA, STROBES>::link(&mut self.axi, &mut self.compute.axi);
    self.busy.next = self.launcher.busy.val() | self.compute.launch.active.val();
    self.done.next = self.launcher.done.val();
    InitPorts::<WARP_BITS>::link(&mut self.init, &mut self.compute.init);
    RowPorts::<WARP_BITS, PART_BITS, LANES, ROW_WIDTH>::link(
        &mut self.write,
        &mut self.compute.write,
    );
    FaultPorts::<WARP_BITS>::link(&mut self.fault, &mut self.compute.fault);
    ModePorts::<WARP_BITS>::link(&mut self.mode, &mut self.compute.mode);
    EffectPorts::<WARP_BITS, PART_BITS, LANES, ROW_WIDTH>::link(
        &mut self.effect,
        &mut self.compute.effect,
    );
    DonePorts::<WARP_BITS>::link(&mut self.done0, &mut self.compute.done0);
    DonePorts::<WARP_BITS>::link(&mut self.done1, &mut self.compute.done1);
    IssuePorts::<WARP_BITS, THREADS>::link(&mut self.issue, &mut self.compute.issue);
    OpPorts::<WARP_BITS>::link(&mut self.op, &mut self.compute.op);
    VerdictPorts::<WARP_BITS, THREADS>::link(&mut self.verdict, &mut self.compute.verdict);
    WakePorts::<WARP_BITS, THREADS>::link(&mut self.wake, &mut self.compute.wake);
    ErrorPorts::<WARP_BITS, THREADS>::link(&mut self.error, &mut self.compute.error);
    EventPorts::link(&mut self.event, &mut self.compute.event);
    ExpiredPorts::link(&mut self.expired, &mut self.compute.expired);
    RetirePorts::<WARP_BITS, THREADS>::link(&mut self.retire, &mut self.compute.retire);
    ExceptionPorts::<WARP_BITS>::link(&mut self.exception, &mut self.compute.exception);
    carry!(self <- self.compute: hold, status_busy, cache_events, faulted);
}
