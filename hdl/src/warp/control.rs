//! Control plane: convergence unit, warp queue and issue stage behind flat ports.
//!
//! Spec and ports: `docs/spec/control.md`.
//!
//! # Parameters
//! By name, `hdl/src/sizes.rs`.
//!
//! # Cycle behaviour
//! One issue per cycle. The issue stage holds its warp until `issue_ready`.
//! Its pc and mask come from where they were kept when it became ready, or, when no other
//! warp waits, straight from the operation that retires: then the warp issues in the cycle after, 4 cycles after its
//! resolve.
//!
//! # Errors
//! `exception_*`.

use crate::bundles::{
    ExceptionPorts, PolicyPorts, RetirePorts, SpillRequestPorts, SpillResponsePorts,
};
use crate::hdl::*;
use crate::prim::{BlockRam, WarpQueue};
use crate::warp::convergence::Convergence;

#[module]
pub struct Control {
    /// Everything happens at its rising edge.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high.
    pub reset: Signal<In, Bit>,
    pub cfg: PolicyPorts,
    /// A warp starts; waits while that warp is busy.
    pub launch_valid: Signal<In, Bit>,
    /// It is taken.
    pub launch_ready: Signal<Out, Bit>,
    /// The warp.
    pub launch_warp: Signal<In, Bits<WARP_BITS>>,
    /// Its first address.
    pub launch_pc: Signal<In, Bits<22>>,
    /// Its threads, one at least.
    pub launch_mask: Signal<In, Bits<THREADS>>,
    /// Address of the first token of its allocation, in tokens.
    pub launch_base: Signal<In, Bits<32>>,
    /// Tokens of its allocation.
    pub launch_size: Signal<In, Bits<10>>,
    /// An instruction to execute.
    pub issue_valid: Signal<Out, Bit>,
    /// It is taken.
    pub issue_ready: Signal<In, Bit>,
    /// Its warp.
    pub issue_warp: Signal<Out, Bits<WARP_BITS>>,
    /// Where it stands.
    pub issue_pc: Signal<Out, Bits<22>>,
    /// The threads that execute it.
    pub issue_mask: Signal<Out, Bits<THREADS>>,
    /// What an instruction turned out to be: exactly one per issue, any number of cycles later.
    pub resolve_valid: Signal<In, Bit>,
    /// It is taken.
    pub resolve_ready: Signal<Out, Bit>,
    /// Its warp.
    pub resolve_warp: Signal<In, Bits<WARP_BITS>>,
    /// Operation: `Op` in `hdl/ports`.
    pub resolve_op: Signal<In, Bits<4>>,
    /// Token type, or cause of a FAULT, or barrier operation.
    pub resolve_kind: Signal<In, Bits<4>>,
    /// The selected threads.
    pub resolve_mask: Signal<In, Bits<THREADS>>,
    /// Target, or address of a PUSH.
    pub resolve_target: Signal<In, Bits<22>>,
    pub retire: RetirePorts,
    pub exception: ExceptionPorts,
    /// Bit w: warp w is running.
    pub status_busy: Signal<Out, Bits<WARPS>>,
    /// Bit w: a job of warp w is in flight at the memory port (SPILL-032).
    pub status_moving: Signal<Out, Bits<WARPS>>,
    /// Pushes that were dropped since reset.
    pub status_dropped: Signal<Out, Bits<32>>,
    /// Recenterings since reset (SPILL-021).
    pub status_recentered: Signal<Out, Bits<32>>,
    pub spill_request: SpillRequestPorts,
    pub spill_response: SpillResponsePorts,
    /// An access to a register of a warp; holds until it is taken.
    pub config_valid: Signal<In, Bit>,
    /// It is taken.
    pub config_ready: Signal<Out, Bit>,
    /// Write, and not read.
    pub config_write: Signal<In, Bit>,
    /// The warp.
    pub config_warp: Signal<In, Bits<WARP_BITS>>,
    /// The register.
    pub config_register: Signal<In, Bits<4>>,
    /// What is written.
    pub config_data: Signal<In, Bits<32>>,
    /// Pulse, four cycles after the transfer.
    pub config_done: Signal<Out, Bit>,
    /// Value of the register before a write, with `config_done`.
    pub config_result: Signal<Out, Bits<32>>,
    queue: WarpQueue<WARPS, WARP_BITS, WARP_COUNT_BITS>,
    convergence: Convergence,
    // State: pc and mask of the warps that are ready.
    // A warp becomes ready once and is then issued, so what is read is not written.
    ready_pc: BlockRam<22, WARP_BITS>,
    ready_mask: BlockRam<THREADS, WARP_BITS>,
    // State: the warp on offer.
    issued: DFF<Bit>,
    issued_warp: DFF<Bits<WARP_BITS>>,
    // State: it came straight from the convergence unit, with this pc and mask.
    direct: DFF<Bit>,
    direct_pc: DFF<Bits<22>>,
    direct_mask: DFF<Bits<THREADS>>,
    // Combinational.
    advance: Signal<Local, Bit>,
    bypass: Signal<Local, Bit>,
    read_warp: Signal<Local, Bits<WARP_BITS>>,
    // Constants.
    #[value(0.into())]
    no_pc: Constant<Bits<22>>,
}

#[part(Control)]
fn update(&mut self) {
    spread!(self.*.reset <- self.reset: convergence, queue);
    // Issue: hold the warp on offer until it is taken;
    // then the oldest ready warp, or, when none waits, the one that becomes ready
    // in this cycle.
    self.advance.next = !self.issued.q.val() | self.issue_ready.val();
    self.bypass.next = self.advance.val() & !self.queue.pick_valid.val();
    self.queue.pick_take.next = self.advance.val();
    self.queue.wake_valid.next = self.convergence.wake_valid.val() & !self.bypass.val();
    self.queue.wake_warp.next = self.convergence.wake_warp.val();
    self.read_warp.next = self.issued_warp.q.val();
    if self.advance.val() {
        self.read_warp.next = self.queue.pick_warp.val();
        self.issued.d.next = self.queue.pick_valid.val() | self.convergence.wake_valid.val();
        self.issued_warp.d.next = self.queue.pick_warp.val();
        self.direct.d.next = self.bypass.val();
        carry!(self.direct_*.d <- self.convergence.retire.next_*: pc, mask);
    }
    if self.bypass.val() {
        self.issued_warp.d.next = self.convergence.wake_warp.val();
    }
    carry!(self.ready_pc <- self.convergence: write_enable = wake_valid, write_address = wake_warp);
    self.ready_pc.write_data.next = self.convergence.retire.next_pc.val();
    self.ready_pc.read_address.next = self.read_warp.val();
    self.ready_mask.write_enable.next = self.convergence.wake_valid.val();
    self.ready_mask.write_address.next = self.convergence.wake_warp.val();
    self.ready_mask.write_data.next = self.convergence.retire.next_mask.val();
    self.ready_mask.read_address.next = self.read_warp.val();
    self.issue_valid.next = self.issued.q.val();
    self.issue_warp.next = self.issued_warp.q.val();
    carry!(self.issue_* <- self.ready_*.read_data: pc, mask);
    if self.direct.q.val() {
        carry!(self.issue_* <- self.direct_*.q: pc, mask);
    }
    // Ports of the convergence unit.
    PolicyPorts::link(&mut self.cfg, &mut self.convergence.cfg);
    self.convergence.launch_valid.next = self.launch_valid.val();
    self.launch_ready.next = self.convergence.launch_ready.val();
    carry!(self.convergence <- self: launch_warp, launch_pc, launch_mask, resolve_valid);
    self.resolve_ready.next = self.convergence.resolve_ready.val();
    carry!(self.convergence <- self:
        resolve_warp, resolve_op, resolve_kind, resolve_mask, resolve_target,
    );
    self.convergence.resolve_moved.next = false;
    self.convergence.resolve_pc.next = self.no_pc.val();
    RetirePorts::<WARP_BITS, THREADS>::link(&mut self.retire, &mut self.convergence.retire);
    ExceptionPorts::<WARP_BITS>::link(&mut self.exception, &mut self.convergence.exception);
    carry!(self <- self.convergence: status_busy, status_moving, status_dropped);
    carry!(self.convergence <- self: launch_base, launch_size);
    self.status_recentered.next = self.convergence.status_recentered.val();
    SpillRequestPorts::<TOKEN_BITS, TAG_BITS>::link(
        &mut self.spill_request,
        &mut self.convergence.spill_request,
    );
    SpillResponsePorts::<TOKEN_BITS, TAG_BITS>::link(
        &mut self.spill_response,
        &mut self.convergence.spill_response,
    );
    self.convergence.config_valid.next = self.config_valid.val();
    self.config_ready.next = self.convergence.config_ready.val();
    carry!(self.convergence <- self: config_write, config_warp, config_register, config_data);
    carry!(self <- self.convergence: config_done, config_result);
    // Reset wins.
    if self.reset.val() {
        self.issued.d.next = false;
    }
}

crate::simulation::word_ports! { Control<WARPS, WARP_BITS, WARP_COUNT_BITS, THREADS, THREAD_COUNT_BITS, FRONT, BACK, PLACE_BITS, TAG_BITS, TOKEN_BITS>:
    reset cfg.yield_every cfg.forced_yield cfg.yield_random cfg.yield_threshold cfg.yield_seed cfg.path cfg.lanes
    cfg.recenter launch_valid launch_warp launch_pc launch_mask launch_base launch_size issue_ready resolve_valid
    resolve_warp resolve_op resolve_kind resolve_mask resolve_target spill_request.ready spill_response.valid
    spill_response.write spill_response.tag spill_response.data config_valid config_write config_warp config_register
    config_data;
    launch_ready issue_valid issue_warp issue_pc issue_mask resolve_ready retire.valid retire.warp retire.op retire.pc
    retire.next_pc retire.next_mask retire.done retire.blocked retire.depth retire.front_kind retire.front_mask
    retire.front_pc retire.front_below retire.dropped exception.valid exception.warp exception.pc exception.cause
    status_busy status_moving status_dropped status_recentered spill_request.valid spill_request.write
    spill_request.address spill_request.data spill_request.tag spill_request.last spill_response.ready config_ready
    config_done config_result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stimulus::{check_with_memories, Datapath, Memory};
    use weft_rtl::settle;

    type Small = Control<4, 2, 3, 4, 3, 2, 1, 2, 4, 64>;

    /// Lint, export, `-Wall`, and the same outputs as its Verilog while four warps run random operations.
    #[test]
    fn verilog_agrees() {
        let mut datapath = Datapath::default();
        let mut memory = Memory::default();
        let (mut issues, mut held) = (0, 0);
        check_with_memories(
            "weft_control",
            Small::default,
            4000,
            |u, rng, t| {
                u.reset.next = t < 2;
                u.cfg.yield_every.next = 1.into();
                u.cfg.forced_yield.next = 5.into();
                u.cfg.path.next = (t as u64 / 1000).into();
                u.cfg.lanes.next = (t as u64 / 2000).into();
                let launch = if t < 2 { None } else { datapath.launch(rng) };
                u.launch_valid.next = launch.is_some();
                let (warp, pc, mask) = launch.unwrap_or_default();
                u.launch_warp.next = (warp & 3).into();
                u.launch_pc.next = pc.into();
                u.launch_mask.next = (mask & 0xF).into();
                u.launch_base.next = ((warp & 3) * 16).into();
                u.launch_size.next = (4 + mask % 12).into();
                let answer = memory.answer(rng);
                u.spill_request.ready.next = rng.chance(3, 4);
                u.spill_response.valid.next = answer.is_some();
                let (write, tag, data) = answer.unwrap_or_default();
                u.spill_response.write.next = write;
                u.spill_response.tag.next = tag.into();
                u.spill_response.data.next = data.into();
                u.issue_ready.next = rng.chance(3, 4);
                let offer = if t < 2 { None } else { datapath.offer(rng) };
                u.resolve_valid.next = offer.is_some();
                let r = offer.unwrap_or_default();
                u.resolve_warp.next = r.warp.into();
                u.resolve_op.next = r.op.into();
                u.resolve_kind.next = r.kind.into();
                u.resolve_mask.next = (r.mask & 0xF).into();
                u.resolve_target.next = r.target.into();
                settle(u);
                if u.spill_request.valid.val() && u.spill_request.ready.val() {
                    memory.request(
                        u.spill_request.write.val(),
                        u.spill_request.address.val().to_u64(),
                        u.spill_request.tag.val().to_u64(),
                        u.spill_request.data.val().to_u64(),
                    );
                }
                if answer.is_some() && u.spill_response.ready.val() {
                    memory.answered();
                }
                if launch.is_some() && u.launch_ready.val() {
                    datapath.launched();
                }
                if offer.is_some() && u.resolve_ready.val() {
                    datapath.taken();
                }
                if u.issue_valid.val() && u.issue_ready.val() {
                    datapath.issued(u.issue_warp.val().to_u64());
                    issues += 1;
                }
                held += u32::from(u.issue_valid.val() && !u.issue_ready.val());
            },
            |u, level| u.clock.next = level.into(),
        );
        assert!(
            issues > 500 && held > 50,
            "thin run: issues {issues}, held {held}"
        );
    }
}
