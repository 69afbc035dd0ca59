//! The whole GPU: host front end, task management, SMs, and the arbiter in front of their memory. Wiring only.
//!
//! Spec and ports: `docs/spec/gpu.md`, and the pages of its blocks.
//!
//! # Parameters
//! Those of an SM ([`GpuSm`]); `C` channels, `CI` bits of the number of one, `CA` = CI + 4; `S` SMs; `SLOTS` task slots;
//! `KIB` = SCRATCH / 1024; `N` = S + 2 managers; `IO` = ID + 3;
//! `WORD` = log2 (D / 32); `VN`: 1 with an L2, 0 without, `VP` = S × VN, `VI` … `VA`: `IA` … `A` of [`L2`].
//!
//! # Cycle behaviour
//! MEMBAR is answered in the cycle after it is asked for, in which all SMs forget the lines (GPU-032).
//!
//! # Errors
//! As its blocks; `Default` panics when the parameters do not fit.

pub mod sm;

use crate::bundles::*;
use crate::hdl::*;
use crate::memory::arbiter::Arbiter;
use crate::memory::atomic_lock::AtomicLock;
use crate::memory::bus_watch::BusWatch;
use crate::memory::l2::port::L2Port;
use crate::memory::l2::L2;
use crate::memory::word_port::WordPort;
use crate::prim::Rota;
use crate::work::host::Host;
use crate::work::tasks::Tasks;
use sm::GpuSm;

/// Parts of the kernel.
pub struct Front;
pub struct Sms;
pub struct Memory;
pub struct Shared;

#[rustfmt::skip]
#[module(requires(N == S + 2, IO == ID + 3, SCRATCH == 1024 * KIB, VN <= 1, VP == S * VN), kernel(Front, Sms, Memory, Shared))]
pub struct Gpu<
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
    const C: usize, const CI: usize, const CA: usize, const S: usize, const SLOTS: usize, const KIB: usize,
    const N: usize, const IO: usize, const WORD: usize,
    const VN: usize, const VP: usize, const VI: usize, const VS: usize, const VL: usize, const VT: usize,
    const VY: usize, const VB: usize, const VA: usize,
> {
    /// Everything happens at its rising edge.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high, for one cycle at least.
    pub reset: Signal<In, Bit>,
    /// AXI4-Lite subordinate: registers of `docs/spec/host.md` and `tasks.md`.
    pub host: LitePorts<12>,
    /// INTERRUPT & INTERRUPT_ENABLE is not 0.
    pub host_interrupt: Signal<Out, Bit>,
    /// The memory of all (GPU-010).
    pub axi: AxiPorts<IO, D, DS>,
    /// A step of a channel is over (HOST-090).
    pub step_valid: Signal<Out, Bit>,
    /// The channel.
    pub step_channel: Signal<Out, Bits<CI>>,
    /// A command; else an entry.
    pub step_command: Signal<Out, Bit>,
    /// GP_GET.
    pub step_get: Signal<Out, Bits<32>>,
    /// Address of the entry or command.
    pub step_address: Signal<Out, Bits<32>>,
    /// Its first word, 0 if it could not be read.
    pub step_word: Signal<Out, Bits<32>>,
    /// 0 executed, 1 waits, 2 error.
    pub step_result: Signal<Out, Bits<2>>,
    /// 0, or what is wrong.
    pub step_code: Signal<Out, Bits<8>>,
    /// A step of task management is over (TASK-090).
    pub task_valid: Signal<Out, Bit>,
    /// Which step.
    pub task_kind: Signal<Out, Bits<4>>,
    /// Its descriptor.
    pub task_task: Signal<Out, Bits<32>>,
    /// The task slot.
    pub task_slot: Signal<Out, Bits<3>>,
    /// 0, or what is wrong.
    pub task_code: Signal<Out, Bits<8>>,
    /// Where it is wrong.
    pub task_place: Signal<Out, Bits<32>>,
    /// 0 channel, 1 spawn ring, 2 dependent.
    pub task_source: Signal<Out, Bits<2>>,
    /// Number of the SM.
    pub task_sm: Signal<Out, Bits<2>>,
    /// Number of the CTA.
    pub task_cta: Signal<Out, Bits<32>>,
    /// First position of its entries.
    pub task_position: Signal<Out, Bits<32>>,
    /// How many entries it has.
    pub task_entries: Signal<Out, Bits<32>>,
    /// It has failed; a return goes to the head.
    pub task_flag: Signal<Out, Bit>,
    /// This SM issues an instruction.
    pub issue_valid: [Signal<Out, Bit>; S],
    /// Its warp.
    pub issue_warp: [Signal<Out, Bits<WI>>; S],
    /// Its byte address / 4.
    pub issue_pc: [Signal<Out, Bits<22>>; S],
    front: Host<C, CI, CA, S, SLOTS, NW, W, L, KIB>,
    tasks: Tasks<SLOTS, S, NW, W, SCRATCH, 0>,
    front_words: WordPort<D, DS, DW, WORD>,
    task_words: WordPort<D, DS, DW, WORD>,
    arbiter: Arbiter<N, D, DS, ID, IO>,
    lock: AtomicLock<N>,
    watch: BusWatch,
    sms: [GpuSm<
        NW, WI, WC, W, P, K, B, R, TA, M, SB, BA, HH, I, L, LI, LW, NP, PB, LA, RA, RB, FU, FL, FN, FB, LO, LN, CB, PC, PS, QI, QC, H, E,
        EI, ES, T, TI, A, D, DS, FC, ID, IB, IN, IT, IA, BC, NB, TS, SCRATCH, DN, DI, DT, DA, DY, DB, DU, DW,
    >; S],
    // Lines that the SMs share, or nothing of them (SHARED-001, SHARED-002).
    #[many(VN)]
    l2: Vec<L2<D, NB, BC, EI, ID, IO, VI, VS, VL, VT, VY, VB, VA, 16>>,
    #[many(VP)]
    l2_ports: Vec<L2Port<D, NB, ID, IO>>,
    #[many(VN)]
    l2_turns: Vec<Rota<8, 3>>,
    #[many(VN)]
    l2_among: Vec<Signal<Local, Bits<8>>>,
    #[many(VN)]
    l2_passing: Vec<Signal<Local, Bit>>,
    #[many(VN)]
    l2_starts: Vec<Signal<Local, Bit>>,
    // The lines are forgotten in this cycle.
    forgets: DFF<Bit>,
    // All but the host port and its registers begins anew.
    inner_reset: Signal<Local, Bit>,
    // The memory answers, as far as is known; what is taken at its port: both addresses, a word, a beat, a response.
    answers: Signal<Local, Bit>,
    read_taken: Signal<Local, Bit>,
    write_taken: Signal<Local, Bit>,
    word_taken: Signal<Local, Bit>,
    beat_taken: Signal<Local, Bit>,
    response_taken: Signal<Local, Bit>,
    forgets_data: Signal<Local, Bit>,
    forgets_text: Signal<Local, Bit>,
    wants: Signal<Local, Bits<8>>,
    placed: Signal<Local, Bits<8>>,
    busy: Signal<Local, Bits<8>>,
    #[value(0u64.into())]
    nobody: Constant<Bits<8>>,
    #[value(0.into())]
    id: Constant<Bits<ID>>,
}

#[rustfmt::skip]
impl<
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
    const C: usize, const CI: usize, const CA: usize, const S: usize, const SLOTS: usize, const KIB: usize,
    const N: usize, const IO: usize, const WORD: usize,
    const VN: usize, const VP: usize, const VI: usize, const VS: usize, const VL: usize, const VT: usize,
    const VY: usize, const VB: usize, const VA: usize,
> kernel::Part<Front> for Gpu<
    NW, WI, WC, W, P, K, B, R, TA, M, SB, BA, HH, I, L, LI, LW, NP, PB, LA, RA, RB, FU, FL, FN, FB, LO, LN, CB, PC, PS, QI, QC, H, E,
    EI, ES, T, TI, A, D, DS, FC, ID, IB, IN, IT, IA, BC, NB, TS, SCRATCH, DN, DI, DT, DA, DY, DB, DU, DW,
    C, CI, CA, S, SLOTS, KIB, N, IO, WORD, VN, VP, VI, VS, VL, VT, VY, VB, VA,
> {
    #[hdl_gen]
    fn update(&mut self) {
        self.inner_reset.next = self.reset.val() | self.watch.gives_up.val();
        self.front.reset.next = self.reset.val();
        self.tasks.reset.next = self.inner_reset.val();
        self.front.host_awvalid.next = self.host.awvalid.val();
        self.host.awready.next = self.front.host_awready.val();
        self.front.host_awaddr.next = self.host.awaddr.val();
        self.front.host_wvalid.next = self.host.wvalid.val();
        self.host.wready.next = self.front.host_wready.val();
        self.front.host_wdata.next = self.host.wdata.val();
        self.front.host_wstrb.next = self.host.wstrb.val();
        self.host.bvalid.next = self.front.host_bvalid.val();
        self.front.host_bready.next = self.host.bready.val();
        self.host.bresp.next = self.front.host_bresp.val();
        self.front.host_arvalid.next = self.host.arvalid.val();
        self.host.arready.next = self.front.host_arready.val();
        self.front.host_araddr.next = self.host.araddr.val();
        self.host.rvalid.next = self.front.host_rvalid.val();
        self.front.host_rready.next = self.host.rready.val();
        self.host.rdata.next = self.front.host_rdata.val();
        self.host.rresp.next = self.front.host_rresp.val();
        self.host_interrupt.next = self.front.host_interrupt.val();
        self.tasks.launch_request.next = self.front.launch_request.val();
        self.tasks.launch_descriptor.next = self.front.launch_descriptor.val();
        self.tasks.launch_private.next = self.front.launch_private.val();
        self.tasks.launch_domain.next = self.front.launch_domain.val();
        self.tasks.reg_write.next = self.front.reg_write.val();
        self.tasks.reg_address.next = self.front.reg_address.val();
        self.tasks.reg_data.next = self.front.reg_data.val();
        self.tasks.reg_read_address.next = self.front.reg_read_address.val();
        self.tasks.memory_end.next = self.front.memory_end.val();
        self.tasks.thread_end.next = self.front.thread_end.val();
        self.tasks.now.next = self.front.now.val();
        self.front.launch_done.next = self.tasks.launch_done.val();
        self.front.launch_code.next = self.tasks.launch_code.val();
        self.front.launch_place.next = self.tasks.launch_place.val();
        self.front.reg_read_data.next = self.tasks.reg_read_data.val();
        self.front.idle.next = self.tasks.idle.val();
        self.front.tasks_in_slots.next = self.tasks.tasks_in_slots.val();
        self.front.tasks_listed.next = self.tasks.tasks_listed.val();
        self.front.task_error.next = self.tasks.task_error.val();
        self.front.fault.next = self.tasks.fault.val();
        self.front.interrupt_task_error.next = self.tasks.interrupt_task_error.val();
        self.front.interrupt_fault.next = self.tasks.interrupt_fault.val();
        self.front.interrupt_complete.next = self.tasks.interrupt_complete.val();
        self.front.count_spawn.next = self.tasks.count_spawn.val();
        self.front.count_dependent.next = self.tasks.count_dependent.val();
        self.front.count_start.next = self.tasks.count_start.val();
        self.front.count_end.next = self.tasks.count_end.val();
        self.front.count_evict.next = self.tasks.count_evict.val();
        self.front.count_complete.next = self.tasks.count_complete.val();
        self.forgets.d.next = self.front.forget_request.val() & !self.forgets.q.val() & !self.reset.val();
        self.front.forget_done.next = self.forgets.q.val();
        self.forgets_data.next = self.forgets.q.val() & self.front.forget_data.val();
        self.forgets_text.next = self.forgets.q.val() & self.front.forget_instructions.val();
        self.step_valid.next = self.front.trace_valid.val();
        self.step_channel.next = self.front.trace_channel.val();
        self.step_command.next = self.front.trace_command.val();
        self.step_get.next = self.front.trace_get.val();
        self.step_address.next = self.front.trace_address.val();
        self.step_word.next = self.front.trace_word.val();
        self.step_result.next = self.front.trace_result.val();
        self.step_code.next = self.front.trace_code.val();
        self.task_valid.next = self.tasks.trace_valid.val();
        self.task_kind.next = self.tasks.trace_kind.val();
        self.task_task.next = self.tasks.trace_task.val();
        self.task_slot.next = self.tasks.trace_slot.val();
        self.task_code.next = self.tasks.trace_code.val();
        self.task_place.next = self.tasks.trace_place.val();
        self.task_source.next = self.tasks.trace_source.val();
        self.task_sm.next = self.tasks.trace_sm.val();
        self.task_cta.next = self.tasks.trace_cta.val();
        self.task_position.next = self.tasks.trace_position.val();
        self.task_entries.next = self.tasks.trace_entries.val();
        self.task_flag.next = self.tasks.trace_flag.val();
    }
}

#[rustfmt::skip]
impl<
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
    const C: usize, const CI: usize, const CA: usize, const S: usize, const SLOTS: usize, const KIB: usize,
    const N: usize, const IO: usize, const WORD: usize,
    const VN: usize, const VP: usize, const VI: usize, const VS: usize, const VL: usize, const VT: usize,
    const VY: usize, const VB: usize, const VA: usize,
> kernel::Part<Sms> for Gpu<
    NW, WI, WC, W, P, K, B, R, TA, M, SB, BA, HH, I, L, LI, LW, NP, PB, LA, RA, RB, FU, FL, FN, FB, LO, LN, CB, PC, PS, QI, QC, H, E,
    EI, ES, T, TI, A, D, DS, FC, ID, IB, IN, IT, IA, BC, NB, TS, SCRATCH, DN, DI, DT, DA, DY, DB, DU, DW,
    C, CI, CA, S, SLOTS, KIB, N, IO, WORD, VN, VP, VI, VS, VL, VT, VY, VB, VA,
> {
    #[hdl_gen]
    fn update(&mut self) {
        for s in 0..S {
            self.sms[s].reset.next = self.inner_reset.val();
            self.sms[s].forget_data.next = self.forgets_data.val();
            self.sms[s].forget_text.next = self.forgets_text.val();
            self.sms[s].word_valid.next = self.tasks.word_valid[s].val();
            self.sms[s].word_index.next = self.tasks.word_index.val();
            self.sms[s].word.next = self.tasks.word.val();
            self.sms[s].cta_valid.next = self.tasks.cta_valid[s].val();
            self.sms[s].cta_place.next = self.tasks.cta_place.val();
            self.sms[s].cta_kill.next = self.tasks.cta_kill[s].val();
            self.sms[s].end_ready.next = self.tasks.end_ready[s].val();
            self.sms[s].report_ready.next = self.tasks.report_ready[s].val();
            self.tasks.cta_ready[s].next = self.sms[s].cta_ready.val();
            self.tasks.end_valid[s].next = self.sms[s].end_valid.val();
            self.tasks.end_place[s].next = self.sms[s].end_place.val();
            self.tasks.end_failed[s].next = self.sms[s].end_failed.val();
            self.tasks.report_valid[s].next = self.sms[s].report_valid.val();
            self.tasks.report_place[s].next = self.sms[s].report_place.val();
            self.tasks.report_warp[s].next = self.sms[s].report_warp.val();
            self.tasks.report_thread[s].next = self.sms[s].report_thread.val();
            self.tasks.report_cause[s].next = self.sms[s].report_cause.val();
            self.tasks.report_pc[s].next = self.sms[s].report_pc.val();
            self.tasks.report_address[s].next = self.sms[s].report_address.val();
            self.issue_valid[s].next = self.sms[s].issue_valid.val();
            self.issue_warp[s].next = self.sms[s].issue_warp.val();
            self.issue_pc[s].next = self.sms[s].issue_pc.val();
        }
    }
}

#[rustfmt::skip]
impl<
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
    const C: usize, const CI: usize, const CA: usize, const S: usize, const SLOTS: usize, const KIB: usize,
    const N: usize, const IO: usize, const WORD: usize,
    const VN: usize, const VP: usize, const VI: usize, const VS: usize, const VL: usize, const VT: usize,
    const VY: usize, const VB: usize, const VA: usize,
> kernel::Part<Memory> for Gpu<
    NW, WI, WC, W, P, K, B, R, TA, M, SB, BA, HH, I, L, LI, LW, NP, PB, LA, RA, RB, FU, FL, FN, FB, LO, LN, CB, PC, PS, QI, QC, H, E,
    EI, ES, T, TI, A, D, DS, FC, ID, IB, IN, IT, IA, BC, NB, TS, SCRATCH, DN, DI, DT, DA, DY, DB, DU, DW,
    C, CI, CA, S, SLOTS, KIB, N, IO, WORD, VN, VP, VI, VS, VL, VT, VY, VB, VA,
> {
    #[hdl_gen]
    fn update(&mut self) {
        self.front_words.reset.next = self.inner_reset.val();
        self.task_words.reset.next = self.inner_reset.val();
        self.arbiter.reset.next = self.inner_reset.val();
        self.lock.reset.next = self.inner_reset.val();
        self.lock.waits.next = self.arbiter.waits.val();
        self.lock.taken.next = self.arbiter.taken.val();
        self.lock.answered.next = self.arbiter.answered.val();
        self.arbiter.held.next = self.lock.held.val();
        self.wants.next = self.nobody.val();
        self.placed.next = self.nobody.val();
        self.busy.next = self.nobody.val();
        for s in 0..S {
            self.wants.next = self.wants.val().replace_bit(s + 2, self.sms[s].atomic.wants.val());
            self.placed.next = self.placed.val().replace_bit(s + 2, self.sms[s].atomic.placed.val());
            self.busy.next = self.busy.val().replace_bit(s + 2, self.sms[s].atomic.busy.val());
            self.sms[s].atomic.may.next = self.lock.may.val().get_bit(s + 2);
            self.sms[s].atomic.snoop_valid.next = self.arbiter.snoop_valid.val().get_bit(s + 2);
            self.sms[s].atomic.snoop_line.next = self.arbiter.snoop_line.val();
        }
        self.lock.wants.next = self.wants.val();
        self.lock.placed.next = self.placed.val();
        self.lock.busy.next = self.busy.val();
        // ---- The memory, as long as it answers (GPU-060).
        self.watch.reset.next = self.reset.val();
        self.watch.patience.next = self.front.memory_timeout.val();
        self.watch.asks.next = self.arbiter.m_axi.arvalid.val()
            | self.arbiter.m_axi.awvalid.val()
            | self.arbiter.m_axi.wvalid.val();
        self.answers.next = !self.watch.lost.val();
        self.read_taken.next = self.arbiter.m_axi.arvalid.val() & self.axi.arready.val() & self.answers.val();
        self.write_taken.next = self.arbiter.m_axi.awvalid.val() & self.axi.awready.val() & self.answers.val();
        self.word_taken.next = self.arbiter.m_axi.wvalid.val() & self.axi.wready.val() & self.answers.val();
        self.beat_taken.next = self.axi.rvalid.val() & self.arbiter.m_axi.rready.val() & self.answers.val();
        self.response_taken.next = self.axi.bvalid.val() & self.arbiter.m_axi.bready.val() & self.answers.val();
        for v in 0..VN {
            self.response_taken.next = self.axi.bvalid.val() & self.l2[v].b_mready.val() & self.answers.val();
        }
        self.watch.asked_read.next = self.read_taken.val();
        self.watch.asked_write.next = self.write_taken.val();
        self.watch.told_read.next = self.beat_taken.val() & self.axi.rlast.val();
        self.watch.told_write.next = self.response_taken.val();
        self.watch.moves.next = self.read_taken.val()
            | self.write_taken.val()
            | self.word_taken.val()
            | self.beat_taken.val()
            | self.response_taken.val();
        self.front.memory_lost.next = self.watch.lost.val();
        self.front.memory_given_up.next = self.watch.gives_up.val();
        self.axi.arvalid.next = self.arbiter.m_axi.arvalid.val() & self.answers.val();
        self.axi.arid.next = self.arbiter.m_axi.arid.val();
        self.axi.araddr.next = self.arbiter.m_axi.araddr.val();
        self.axi.arlen.next = self.arbiter.m_axi.arlen.val();
        self.axi.arsize.next = self.arbiter.m_axi.arsize.val();
        self.axi.arburst.next = self.arbiter.m_axi.arburst.val();
        self.axi.rready.next = self.arbiter.m_axi.rready.val() | self.watch.lost.val();
        self.axi.awvalid.next = self.arbiter.m_axi.awvalid.val() & self.answers.val();
        self.axi.awid.next = self.arbiter.m_axi.awid.val();
        self.axi.awaddr.next = self.arbiter.m_axi.awaddr.val();
        self.axi.awlen.next = self.arbiter.m_axi.awlen.val();
        self.axi.awsize.next = self.arbiter.m_axi.awsize.val();
        self.axi.awburst.next = self.arbiter.m_axi.awburst.val();
        self.axi.wvalid.next = self.arbiter.m_axi.wvalid.val() & self.answers.val();
        self.axi.wdata.next = self.arbiter.m_axi.wdata.val();
        self.axi.wstrb.next = self.arbiter.m_axi.wstrb.val();
        self.axi.wlast.next = self.arbiter.m_axi.wlast.val();
        self.axi.bready.next = self.arbiter.m_axi.bready.val() | self.watch.lost.val();
        self.arbiter.m_axi.arready.next = self.axi.arready.val() & self.answers.val();
        self.arbiter.m_axi.rvalid.next = self.axi.rvalid.val() & self.answers.val();
        self.arbiter.m_axi.rid.next = self.axi.rid.val();
        self.arbiter.m_axi.rdata.next = self.axi.rdata.val();
        self.arbiter.m_axi.rresp.next = self.axi.rresp.val();
        self.arbiter.m_axi.rlast.next = self.axi.rlast.val();
        self.arbiter.m_axi.awready.next = self.axi.awready.val() & self.answers.val();
        self.arbiter.m_axi.wready.next = self.axi.wready.val() & self.answers.val();
        self.arbiter.m_axi.bvalid.next = self.axi.bvalid.val() & self.answers.val();
        self.arbiter.m_axi.bid.next = self.axi.bid.val();
        self.arbiter.m_axi.bresp.next = self.axi.bresp.val();
        self.front_words.memory_request.next = self.front.memory_request.val();
        self.front_words.memory_write.next = self.front.memory_write.val();
        self.front_words.memory_address.next = self.front.memory_address.val();
        self.front_words.memory_data.next = self.front.memory_data.val();
        self.front_words.memory_more.next = self.front.memory_more.val();
        self.front.memory_ready.next = self.front_words.memory_ready.val();
        self.front.memory_done.next = self.front_words.memory_done.val();
        self.front.memory_error.next = self.front_words.memory_error.val();
        self.front.memory_read.next = self.front_words.memory_read.val();
        self.task_words.memory_request.next = self.tasks.memory_request.val();
        self.task_words.memory_write.next = self.tasks.memory_write.val();
        self.task_words.memory_address.next = self.tasks.memory_address.val();
        self.task_words.memory_data.next = self.tasks.memory_data.val();
        self.task_words.memory_more.next = self.tasks.memory_more.val();
        self.tasks.memory_ready.next = self.task_words.memory_ready.val();
        self.tasks.memory_done.next = self.task_words.memory_done.val();
        self.tasks.memory_error.next = self.task_words.memory_error.val();
        self.tasks.memory_read.next = self.task_words.memory_read.val();
        self.arbiter.s_arvalid[0].next = self.front_words.axi_arvalid.val();
        self.arbiter.s_arid[0].next = self.id.val();
        self.arbiter.s_araddr[0].next = self.front_words.axi_araddr.val();
        self.arbiter.s_arlen[0].next = self.front_words.axi_arlen.val();
        self.arbiter.s_rready[0].next = self.front_words.axi_rready.val();
        self.arbiter.s_awvalid[0].next = self.front_words.axi_awvalid.val();
        self.arbiter.s_awid[0].next = self.id.val();
        self.arbiter.s_awaddr[0].next = self.front_words.axi_awaddr.val();
        self.arbiter.s_awlen[0].next = 0.into();
        self.arbiter.s_wvalid[0].next = self.front_words.axi_wvalid.val();
        self.arbiter.s_wdata[0].next = self.front_words.axi_wdata.val();
        self.arbiter.s_wstrb[0].next = self.front_words.axi_wstrb.val();
        self.arbiter.s_wlast[0].next = true;
        self.arbiter.s_bready[0].next = self.front_words.axi_bready.val();
        self.front_words.axi_arready.next = self.arbiter.s_arready[0].val();
        self.front_words.axi_rvalid.next = self.arbiter.s_rvalid[0].val();
        self.front_words.axi_rdata.next = self.arbiter.s_rdata.val();
        self.front_words.axi_rresp.next = self.arbiter.s_rresp.val();
        self.front_words.axi_awready.next = self.arbiter.s_awready[0].val();
        self.front_words.axi_wready.next = self.arbiter.s_wready[0].val();
        self.front_words.axi_bvalid.next = self.arbiter.s_bvalid[0].val();
        self.front_words.axi_bresp.next = self.arbiter.s_bresp.val();
        self.arbiter.s_arvalid[1].next = self.task_words.axi_arvalid.val();
        self.arbiter.s_arid[1].next = self.id.val();
        self.arbiter.s_araddr[1].next = self.task_words.axi_araddr.val();
        self.arbiter.s_arlen[1].next = self.task_words.axi_arlen.val();
        self.arbiter.s_rready[1].next = self.task_words.axi_rready.val();
        self.arbiter.s_awvalid[1].next = self.task_words.axi_awvalid.val();
        self.arbiter.s_awid[1].next = self.id.val();
        self.arbiter.s_awaddr[1].next = self.task_words.axi_awaddr.val();
        self.arbiter.s_awlen[1].next = 0.into();
        self.arbiter.s_wvalid[1].next = self.task_words.axi_wvalid.val();
        self.arbiter.s_wdata[1].next = self.task_words.axi_wdata.val();
        self.arbiter.s_wstrb[1].next = self.task_words.axi_wstrb.val();
        self.arbiter.s_wlast[1].next = true;
        self.arbiter.s_bready[1].next = self.task_words.axi_bready.val();
        self.task_words.axi_arready.next = self.arbiter.s_arready[1].val();
        self.task_words.axi_rvalid.next = self.arbiter.s_rvalid[1].val();
        self.task_words.axi_rdata.next = self.arbiter.s_rdata.val();
        self.task_words.axi_rresp.next = self.arbiter.s_rresp.val();
        self.task_words.axi_awready.next = self.arbiter.s_awready[1].val();
        self.task_words.axi_wready.next = self.arbiter.s_wready[1].val();
        self.task_words.axi_bvalid.next = self.arbiter.s_bvalid[1].val();
        self.task_words.axi_bresp.next = self.arbiter.s_bresp.val();
        for s in 0..S {
            self.arbiter.s_arvalid[s + 2].next = self.sms[s].axi.arvalid.val();
            self.arbiter.s_arid[s + 2].next = self.sms[s].axi.arid.val();
            self.arbiter.s_araddr[s + 2].next = self.sms[s].axi.araddr.val();
            self.arbiter.s_arlen[s + 2].next = self.sms[s].axi.arlen.val();
            self.arbiter.s_rready[s + 2].next = self.sms[s].axi.rready.val();
            self.arbiter.s_awvalid[s + 2].next = self.sms[s].axi.awvalid.val();
            self.arbiter.s_awid[s + 2].next = self.sms[s].axi.awid.val();
            self.arbiter.s_awaddr[s + 2].next = self.sms[s].axi.awaddr.val();
            self.arbiter.s_awlen[s + 2].next = self.sms[s].axi.awlen.val();
            self.arbiter.s_wvalid[s + 2].next = self.sms[s].axi.wvalid.val();
            self.arbiter.s_wdata[s + 2].next = self.sms[s].axi.wdata.val();
            self.arbiter.s_wstrb[s + 2].next = self.sms[s].axi.wstrb.val();
            self.arbiter.s_wlast[s + 2].next = self.sms[s].axi.wlast.val();
            self.arbiter.s_bready[s + 2].next = self.sms[s].axi.bready.val();
            self.sms[s].axi.arready.next = self.arbiter.s_arready[s + 2].val();
            self.sms[s].axi.rvalid.next = self.arbiter.s_rvalid[s + 2].val();
            self.sms[s].axi.rid.next = self.arbiter.s_rid.val();
            self.sms[s].axi.rdata.next = self.arbiter.s_rdata.val();
            self.sms[s].axi.rresp.next = self.arbiter.s_rresp.val();
            self.sms[s].axi.rlast.next = self.arbiter.s_rlast.val();
            self.sms[s].axi.awready.next = self.arbiter.s_awready[s + 2].val();
            self.sms[s].axi.wready.next = self.arbiter.s_wready[s + 2].val();
            self.sms[s].axi.bvalid.next = self.arbiter.s_bvalid[s + 2].val();
            self.sms[s].axi.bid.next = self.arbiter.s_bid.val();
            self.sms[s].axi.bresp.next = self.arbiter.s_bresp.val();
        }
    }
}

#[rustfmt::skip]
impl<
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
    const C: usize, const CI: usize, const CA: usize, const S: usize, const SLOTS: usize, const KIB: usize,
    const N: usize, const IO: usize, const WORD: usize,
    const VN: usize, const VP: usize, const VI: usize, const VS: usize, const VL: usize, const VT: usize,
    const VY: usize, const VB: usize, const VA: usize,
> kernel::Part<Shared> for Gpu<
    NW, WI, WC, W, P, K, B, R, TA, M, SB, BA, HH, I, L, LI, LW, NP, PB, LA, RA, RB, FU, FL, FN, FB, LO, LN, CB, PC, PS, QI, QC, H, E,
    EI, ES, T, TI, A, D, DS, FC, ID, IB, IN, IT, IA, BC, NB, TS, SCRATCH, DN, DI, DT, DA, DY, DB, DU, DW,
    C, CI, CA, S, SLOTS, KIB, N, IO, WORD, VN, VP, VI, VS, VL, VT, VY, VB, VA,
> {
    #[hdl_gen]
    fn update(&mut self) {
        for v in 0..VN {
            self.l2[v].reset.next = self.inner_reset.val();
            // ---- SHARED-040: a task comes into its slot, a CTA of a queue starts; MEMBAR.
            self.l2_starts[v].next = self.tasks.trace_valid.val()
                & ((self.tasks.trace_kind.val() == 1)
                    | ((self.tasks.trace_kind.val() == 2) & self.tasks.trace_entries.val().any()));
            self.l2[v].forget.next = self.l2_starts[v].val() | self.forgets_data.val() | self.forgets_text.val();
            self.l2_turns[v].reset.next = self.inner_reset.val();
            self.l2_turns[v].marks.next = self.nobody.val();
            self.l2_among[v].next = self.nobody.val();
            if self.l2[v].takes.val() {
                for s in 0..VP {
                    self.l2_among[v].next = self.l2_among[v].val().replace_bit(s, self.l2_ports[s].asks.val());
                }
            }
            self.l2_turns[v].among.next = self.l2_among[v].val();
            self.l2[v].asked.next = self.l2_turns[v].taken.val();
            self.l2[v].asked_line.next = self.l2_ports[0].line.val();
            self.l2[v].asked_id.next = self.l2_ports[0].id.val();
            self.l2[v].asked_whole.next = self.l2_ports[0].whole.val();
            self.l2[v].asked_later.next = self.l2_ports[0].later.val();
            for s in 1..VP {
                if self.l2_turns[v].taken.val().get_bit(s) {
                    self.l2[v].asked_line.next = self.l2_ports[s].line.val();
                    self.l2[v].asked_id.next = self.l2_ports[s].id.val();
                    self.l2[v].asked_whole.next = self.l2_ports[s].whole.val();
                    self.l2[v].asked_later.next = self.l2_ports[s].later.val();
                }
            }
            self.l2[v].beat_valid.next = self.beat_taken.val();
            self.l2[v].beat_id.next = self.axi.rid.val();
            self.l2[v].beat_data.next = self.axi.rdata.val();
            self.l2[v].beat_resp.next = self.axi.rresp.val();
            self.l2[v].beat_last.next = self.axi.rlast.val();
            self.l2[v].write_valid.next = self.arbiter.snoop_valid.val().any();
            self.l2[v].write_id.next = self.arbiter.m_axi.awid.val();
            self.l2[v].write_line.next = self.arbiter.snoop_line.val();
            self.l2[v].b_mvalid.next = self.axi.bvalid.val() & self.answers.val();
            self.l2[v].b_mid.next = self.axi.bid.val();
            self.l2[v].b_mresp.next = self.axi.bresp.val();
            self.l2[v].b_sready.next = self.arbiter.m_axi.bready.val();
            self.axi.bready.next = self.l2[v].b_mready.val() | self.watch.lost.val();
            self.arbiter.m_axi.bvalid.next = self.l2[v].b_svalid.val();
            self.arbiter.m_axi.bid.next = self.l2[v].b_sid.val();
            self.arbiter.m_axi.bresp.next = self.l2[v].b_sresp.val();
        }
        for s in 0..VP {
            self.l2_ports[s].reset.next = self.inner_reset.val();
            self.l2_ports[s].number.next = s.to_bits();
            self.l2_ports[s].s_arvalid.next = self.sms[s].axi.arvalid.val();
            self.l2_ports[s].s_arid.next = self.sms[s].axi.arid.val();
            self.l2_ports[s].s_araddr.next = self.sms[s].axi.araddr.val();
            self.l2_ports[s].s_arlen.next = self.sms[s].axi.arlen.val();
            self.l2_ports[s].s_rready.next = self.sms[s].axi.rready.val();
            self.sms[s].axi.arready.next = self.l2_ports[s].s_arready.val();
            self.sms[s].axi.rvalid.next = self.l2_ports[s].s_rvalid.val();
            self.sms[s].axi.rid.next = self.l2_ports[s].s_rid.val();
            self.sms[s].axi.rdata.next = self.l2_ports[s].s_rdata.val();
            self.sms[s].axi.rresp.next = self.l2_ports[s].s_rresp.val();
            self.sms[s].axi.rlast.next = self.l2_ports[s].s_rlast.val();
            self.arbiter.s_arvalid[s + 2].next = self.l2_ports[s].m_arvalid.val();
            self.arbiter.s_arid[s + 2].next = self.l2_ports[s].m_arid.val();
            self.arbiter.s_araddr[s + 2].next = self.l2_ports[s].m_araddr.val();
            self.arbiter.s_arlen[s + 2].next = self.l2_ports[s].m_arlen.val();
            self.arbiter.s_rready[s + 2].next = self.l2_ports[s].m_rready.val();
            self.l2_ports[s].m_arready.next = self.arbiter.s_arready[s + 2].val();
            self.l2_ports[s].m_rvalid.next = self.arbiter.s_rvalid[s + 2].val();
            self.l2_ports[s].m_rid.next = self.arbiter.s_rid.val();
            self.l2_ports[s].m_rdata.next = self.arbiter.s_rdata.val();
            self.l2_ports[s].m_rresp.next = self.arbiter.s_rresp.val();
            self.l2_ports[s].m_rlast.next = self.arbiter.s_rlast.val();
        }
        for v in 0..VN {
            self.l2_passing[v].next = false;
            for s in 0..VP {
                self.l2_ports[s].looked.next = self.l2[v].looked_line.val();
                if self.l2_ports[s].passing.val() {
                    self.l2_passing[v].next = true;
                }
                self.l2_ports[s].granted.next = self.l2_turns[v].taken.val().get_bit(s);
                self.l2_ports[s].goes.next = self.l2[v].goes.val().get_bit(s);
                self.l2_ports[s].again.next = self.l2[v].again.val().get_bit(s);
                self.l2_ports[s].hit.next = self.l2[v].hit.val().get_bit(s);
                self.l2_ports[s].whole_line.next = self.l2[v].whole_line.val();
            }
            self.l2[v].passing.next = self.l2_passing[v].val();
        }
    }
}
