//! Streaming multiprocessor: warp control, datapath, load/store unit, caches, memory port ([`Compute`]), and launcher.
//! Wiring only.
//!
//! Spec and ports: `docs/spec/sm.md`, and the pages of its blocks.
//!
//! # Parameters
//! Those of its blocks, under their names; `parameters` of `lib.rs` derives them.
//!
//! # Errors
//! `fault_*`, `exception_*`; `host_*`: STATUS and FAULT.

use crate::bundles::*;
use crate::compute::Compute;
use crate::hdl::*;
use crate::work::launcher::Launcher;

#[rustfmt::skip]
#[module]
pub struct Sm<
    const NW: usize, const WI: usize, const WC: usize, const W: usize, const P: usize, const K: usize,
    const B: usize, const R: usize, const TA: usize, const M: usize, const SB: usize, const BA: usize,
    const HH: usize, const I: usize, const L: usize, const LI: usize, const LW: usize, const NP: usize,
    const PB: usize, const LA: usize, const RA: usize, const RB: usize, const FU: usize, const FL: usize,
    const FN: usize, const FB: usize, const LO: usize, const LN: usize,
    const CB: usize, const PC: usize, const PS: usize, const QI: usize, const QC: usize, const H: usize,
    const E: usize, const EI: usize, const ES: usize, const T: usize, const TI: usize, const A: usize,
    const D: usize, const DS: usize, const FC: usize, const ID: usize, const IB: usize, const IN: usize,
    const IT: usize, const IA: usize, const BC: usize, const NB: usize, const TS: usize, const SCRATCH: usize,
    const DN: usize, const DI: usize, const DT: usize, const DA: usize, const DY: usize, const DB: usize,
    const DU: usize, const DW: usize,
> {
    /// Everything happens at its rising edge.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high.
    pub reset: Signal<In, Bit>,
    /// A launch is not over (SM-014).
    pub busy: Signal<Out, Bit>,
    /// STATUS bit 1: an interrupt line.
    pub done: Signal<Out, Bit>,
    /// Its memory.
    pub axi: AxiPorts<ID, D, DS>,
    /// AXI4-Lite subordinate of the launcher.
    pub host: LitePorts<8>,
    /// INIT of a warp.
    pub init: InitPorts<WI>,
    /// A row is written.
    pub write: RowPorts<WI, PB, L, LW>,
    /// A fault.
    pub fault: FaultPorts<WI>,
    /// What selects the mode of `subv.auto` (SUBV-050).
    pub mode: ModePorts<WI>,
    /// Accesses take effect.
    pub effect: EffectPorts<WI, PB, L, LW>,
    /// An instruction has written its rows; four cycles later than the core gets it.
    pub done0: DonePorts<WI>,
    /// A second one.
    pub done1: DonePorts<WI>,
    /// An instruction is issued.
    pub issue: IssuePorts<WI, W>,
    /// An operation at the barrier unit.
    pub op: OpPorts<WI>,
    /// Its verdict.
    pub verdict: VerdictPorts<WI, W>,
    /// Warps that the barrier unit holds (CORE-015).
    pub hold: Signal<Out, Bits<NW>>,
    /// Threads wake.
    pub wake: WakePorts<WI, W>,
    /// Misuse of a barrier.
    pub error: ErrorPorts<WI, W>,
    /// What happens at a barrier.
    pub event: EventPorts,
    /// The timer of a barrier has run out.
    pub expired: ExpiredPorts,
    /// What has become of an operation.
    pub retire: RetirePorts<WI, W>,
    /// An exception of the core.
    pub exception: ExceptionPorts<WI>,
    /// Warps that run.
    pub status_busy: Signal<Out, Bits<NW>>,
    /// What the data cache does in this cycle (MEM-066).
    pub cache_events: Signal<Out, Bits<8>>,
    /// Warps of which a fault or an exception is known, until their slot is launched again (SM-022).
    pub faulted: Signal<Out, Bits<NW>>,
    compute: Compute<
        NW, WI, WC, W, P, K, B, R, TA, M, SB, BA, HH, I, L, LI, LW, NP, PB, LA, RA, RB, FU, FL, FN, FB, LO, LN, CB, PC, PS, QI, QC,
        H, E, EI, ES, T, TI, A, D, DS, FC, ID, IB, IN, IT, IA, BC, NB, TS, SCRATCH, DN, DI, DT, DA, DY, DB, DU, DW,
    >,
    launcher: Launcher<NW, WI, W, I, L, SCRATCH, RA>,
    #[value(false)]
    never: Constant<Bit>,
    #[value(true)]
    may_always: Constant<Bit>,
    #[value(0u64.into())]
    no_line: Constant<Bits<26>>,
}

#[part(
    Sm<
        NW, WI, WC, W, P, K, B, R, TA, M, SB, BA, HH, I, L, LI, LW, NP, PB, LA, RA, RB, FU, FL, FN,
        FB, LO, LN, CB, PC, PS, QI, QC, H, E, EI, ES, T, TI, A, D, DS, FC, ID, IB, IN, IT, IA, BC,
        NB, TS, SCRATCH, DN, DI, DT, DA, DY, DB, DU, DW
    >
)]
fn update(&mut self) {
    self.compute.reset.next = self.reset.val();
    self.launcher.reset.next = self.reset.val();
    carry!(self.compute <- self: forget = never, forget_text = never, scrub = never);
    // Nobody else writes.
    carry!(self.compute.atomic <- self: may = may_always, snoop_valid = never);
    self.compute.atomic.snoop_line.next = self.no_line.val();
    LauncherPorts::<NW, WI>::join(&mut self.launcher.launch, &mut self.compute.launch);
    LitePorts::<8>::link(&mut self.host, &mut self.launcher.host);
    AxiPorts::<ID, D, DS>::link(&mut self.axi, &mut self.compute.axi);
    self.busy.next = self.launcher.busy.val() | self.compute.launch.active.val();
    self.done.next = self.launcher.done.val();
    InitPorts::<WI>::link(&mut self.init, &mut self.compute.init);
    RowPorts::<WI, PB, L, LW>::link(&mut self.write, &mut self.compute.write);
    FaultPorts::<WI>::link(&mut self.fault, &mut self.compute.fault);
    ModePorts::<WI>::link(&mut self.mode, &mut self.compute.mode);
    EffectPorts::<WI, PB, L, LW>::link(&mut self.effect, &mut self.compute.effect);
    DonePorts::<WI>::link(&mut self.done0, &mut self.compute.done0);
    DonePorts::<WI>::link(&mut self.done1, &mut self.compute.done1);
    IssuePorts::<WI, W>::link(&mut self.issue, &mut self.compute.issue);
    OpPorts::<WI>::link(&mut self.op, &mut self.compute.op);
    VerdictPorts::<WI, W>::link(&mut self.verdict, &mut self.compute.verdict);
    WakePorts::<WI, W>::link(&mut self.wake, &mut self.compute.wake);
    ErrorPorts::<WI, W>::link(&mut self.error, &mut self.compute.error);
    EventPorts::link(&mut self.event, &mut self.compute.event);
    ExpiredPorts::link(&mut self.expired, &mut self.compute.expired);
    RetirePorts::<WI, W>::link(&mut self.retire, &mut self.compute.retire);
    ExceptionPorts::<WI>::link(&mut self.exception, &mut self.compute.exception);
    carry!(self <- self.compute: hold, status_busy, cache_events, faulted);
}
