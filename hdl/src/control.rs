//! Control plane: convergence unit, warp queue and issue stage behind flat ports.
//!
//! Spec and ports: `docs/spec/control.md`.
//!
//! # Parameters
//! As `Convergence`.
//!
//! # Cycle behaviour
//! One issue per cycle. The issue stage holds its warp until `issue_ready`.
//! Its pc and mask come from where they were kept when it became ready, or, when no other
//! warp waits, straight from the operation that retires: then the warp issues in the cycle after, 4 cycles after its
//! resolve.
//!
//! # Errors
//! `exception_*`.

use crate::convergence::Convergence;
use crate::hdl::*;
use crate::prim::{BlockRam, WarpQueue};

#[module]
pub struct Control<
    const NW: usize,
    const WI: usize,
    const WC: usize,
    const W: usize,
    const P: usize,
    const K: usize,
    const B: usize,
    const R: usize,
    const TA: usize,
    const M: usize,
> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub cfg_yield_every: Signal<In, Bits<16>>,
    pub cfg_forced_yield: Signal<In, Bits<16>>,
    pub cfg_yield_random: Signal<In, Bit>,
    pub cfg_yield_threshold: Signal<In, Bits<16>>,
    pub cfg_yield_seed: Signal<In, Bits<16>>,
    pub cfg_path: Signal<In, Bits<2>>,
    pub cfg_lanes: Signal<In, Bits<3>>,
    pub cfg_recenter: Signal<In, Bit>,
    pub launch_valid: Signal<In, Bit>,
    pub launch_ready: Signal<Out, Bit>,
    pub launch_warp: Signal<In, Bits<WI>>,
    pub launch_pc: Signal<In, Bits<22>>,
    pub launch_mask: Signal<In, Bits<W>>,
    pub launch_base: Signal<In, Bits<32>>,
    pub launch_size: Signal<In, Bits<10>>,
    pub issue_valid: Signal<Out, Bit>,
    pub issue_ready: Signal<In, Bit>,
    pub issue_warp: Signal<Out, Bits<WI>>,
    pub issue_pc: Signal<Out, Bits<22>>,
    pub issue_mask: Signal<Out, Bits<W>>,
    pub resolve_valid: Signal<In, Bit>,
    pub resolve_ready: Signal<Out, Bit>,
    pub resolve_warp: Signal<In, Bits<WI>>,
    pub resolve_op: Signal<In, Bits<4>>,
    pub resolve_kind: Signal<In, Bits<4>>,
    pub resolve_mask: Signal<In, Bits<W>>,
    pub resolve_target: Signal<In, Bits<22>>,
    pub retire_valid: Signal<Out, Bit>,
    pub retire_warp: Signal<Out, Bits<WI>>,
    pub retire_op: Signal<Out, Bits<4>>,
    pub retire_pc: Signal<Out, Bits<22>>,
    pub retire_next_pc: Signal<Out, Bits<22>>,
    pub retire_next_mask: Signal<Out, Bits<W>>,
    pub retire_done: Signal<Out, Bit>,
    pub retire_blocked: Signal<Out, Bit>,
    pub retire_depth: Signal<Out, Bits<10>>,
    pub retire_front_kind: Signal<Out, Bits<4>>,
    pub retire_front_mask: Signal<Out, Bits<W>>,
    pub retire_front_pc: Signal<Out, Bits<22>>,
    pub retire_front_below: Signal<Out, Bits<4>>,
    pub retire_dropped: Signal<Out, Bit>,
    pub exception_valid: Signal<Out, Bit>,
    pub exception_warp: Signal<Out, Bits<WI>>,
    pub exception_pc: Signal<Out, Bits<22>>,
    pub exception_cause: Signal<Out, Bits<4>>,
    pub status_busy: Signal<Out, Bits<NW>>,
    pub status_moving: Signal<Out, Bits<NW>>,
    pub status_dropped: Signal<Out, Bits<32>>,
    pub status_recentered: Signal<Out, Bits<32>>,
    pub spill_request_valid: Signal<Out, Bit>,
    pub spill_request_ready: Signal<In, Bit>,
    pub spill_request_write: Signal<Out, Bit>,
    pub spill_request_address: Signal<Out, Bits<32>>,
    pub spill_request_data: Signal<Out, Bits<M>>,
    pub spill_request_tag: Signal<Out, Bits<TA>>,
    pub spill_request_last: Signal<Out, Bit>,
    pub spill_response_valid: Signal<In, Bit>,
    pub spill_response_ready: Signal<Out, Bit>,
    pub spill_response_write: Signal<In, Bit>,
    pub spill_response_tag: Signal<In, Bits<TA>>,
    pub spill_response_data: Signal<In, Bits<M>>,
    pub config_valid: Signal<In, Bit>,
    pub config_ready: Signal<Out, Bit>,
    pub config_write: Signal<In, Bit>,
    pub config_warp: Signal<In, Bits<WI>>,
    pub config_register: Signal<In, Bits<4>>,
    pub config_data: Signal<In, Bits<32>>,
    pub config_done: Signal<Out, Bit>,
    pub config_result: Signal<Out, Bits<32>>,
    queue: WarpQueue<NW, WI, WC>,
    convergence: Convergence<NW, WI, WC, W, P, K, B, R, TA, M>,
    // State: pc and mask of the warps that are ready.
    // A warp becomes ready once and is then issued, so what is read is not written.
    ready_pc: BlockRam<22, WI>,
    ready_mask: BlockRam<W, WI>,
    // State: the warp on offer.
    issued: DFF<Bit>,
    issued_warp: DFF<Bits<WI>>,
    // State: it came straight from the convergence unit, with this pc and mask.
    direct: DFF<Bit>,
    direct_pc: DFF<Bits<22>>,
    direct_mask: DFF<Bits<W>>,
    // Combinational.
    advance: Signal<Local, Bit>,
    bypass: Signal<Local, Bit>,
    read_warp: Signal<Local, Bits<WI>>,
    // Constants.
    #[value(0.into())]
    no_pc: Constant<Bits<22>>,
}

impl<
        const NW: usize,
        const WI: usize,
        const WC: usize,
        const W: usize,
        const P: usize,
        const K: usize,
        const B: usize,
        const R: usize,
        const TA: usize,
        const M: usize,
    > kernel::Part for Control<NW, WI, WC, W, P, K, B, R, TA, M>
{
    #[hdl_gen]
    fn update(&mut self) {
        self.convergence.reset.next = self.reset.val();
        self.queue.reset.next = self.reset.val();
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
            self.direct_pc.d.next = self.convergence.retire_next_pc.val();
            self.direct_mask.d.next = self.convergence.retire_next_mask.val();
        }
        if self.bypass.val() {
            self.issued_warp.d.next = self.convergence.wake_warp.val();
        }
        self.ready_pc.write_enable.next = self.convergence.wake_valid.val();
        self.ready_pc.write_address.next = self.convergence.wake_warp.val();
        self.ready_pc.write_data.next = self.convergence.retire_next_pc.val();
        self.ready_pc.read_address.next = self.read_warp.val();
        self.ready_mask.write_enable.next = self.convergence.wake_valid.val();
        self.ready_mask.write_address.next = self.convergence.wake_warp.val();
        self.ready_mask.write_data.next = self.convergence.retire_next_mask.val();
        self.ready_mask.read_address.next = self.read_warp.val();
        self.issue_valid.next = self.issued.q.val();
        self.issue_warp.next = self.issued_warp.q.val();
        self.issue_pc.next = self.ready_pc.read_data.val();
        self.issue_mask.next = self.ready_mask.read_data.val();
        if self.direct.q.val() {
            self.issue_pc.next = self.direct_pc.q.val();
            self.issue_mask.next = self.direct_mask.q.val();
        }
        // Ports of the convergence unit.
        self.convergence.cfg_yield_every.next = self.cfg_yield_every.val();
        self.convergence.cfg_forced_yield.next = self.cfg_forced_yield.val();
        self.convergence.cfg_path.next = self.cfg_path.val();
        self.convergence.cfg_lanes.next = self.cfg_lanes.val();
        self.convergence.launch_valid.next = self.launch_valid.val();
        self.launch_ready.next = self.convergence.launch_ready.val();
        self.convergence.launch_warp.next = self.launch_warp.val();
        self.convergence.launch_pc.next = self.launch_pc.val();
        self.convergence.launch_mask.next = self.launch_mask.val();
        self.convergence.resolve_valid.next = self.resolve_valid.val();
        self.resolve_ready.next = self.convergence.resolve_ready.val();
        self.convergence.resolve_warp.next = self.resolve_warp.val();
        self.convergence.resolve_op.next = self.resolve_op.val();
        self.convergence.resolve_kind.next = self.resolve_kind.val();
        self.convergence.resolve_mask.next = self.resolve_mask.val();
        self.convergence.resolve_target.next = self.resolve_target.val();
        self.convergence.resolve_moved.next = false;
        self.convergence.resolve_pc.next = self.no_pc.val();
        self.retire_valid.next = self.convergence.retire_valid.val();
        self.retire_warp.next = self.convergence.retire_warp.val();
        self.retire_op.next = self.convergence.retire_op.val();
        self.retire_pc.next = self.convergence.retire_pc.val();
        self.retire_next_pc.next = self.convergence.retire_next_pc.val();
        self.retire_next_mask.next = self.convergence.retire_next_mask.val();
        self.retire_done.next = self.convergence.retire_done.val();
        self.retire_blocked.next = self.convergence.retire_blocked.val();
        self.retire_depth.next = self.convergence.retire_depth.val();
        self.retire_front_kind.next = self.convergence.retire_front_kind.val();
        self.retire_front_mask.next = self.convergence.retire_front_mask.val();
        self.retire_front_pc.next = self.convergence.retire_front_pc.val();
        self.retire_front_below.next = self.convergence.retire_front_below.val();
        self.retire_dropped.next = self.convergence.retire_dropped.val();
        self.exception_valid.next = self.convergence.exception_valid.val();
        self.exception_warp.next = self.convergence.exception_warp.val();
        self.exception_pc.next = self.convergence.exception_pc.val();
        self.exception_cause.next = self.convergence.exception_cause.val();
        self.status_busy.next = self.convergence.status_busy.val();
        self.status_moving.next = self.convergence.status_moving.val();
        self.status_dropped.next = self.convergence.status_dropped.val();
        self.convergence.cfg_yield_random.next = self.cfg_yield_random.val();
        self.convergence.cfg_yield_threshold.next = self.cfg_yield_threshold.val();
        self.convergence.cfg_yield_seed.next = self.cfg_yield_seed.val();
        self.convergence.cfg_recenter.next = self.cfg_recenter.val();
        self.convergence.launch_base.next = self.launch_base.val();
        self.convergence.launch_size.next = self.launch_size.val();
        self.status_recentered.next = self.convergence.status_recentered.val();
        self.spill_request_valid.next = self.convergence.spill_request_valid.val();
        self.convergence.spill_request_ready.next = self.spill_request_ready.val();
        self.spill_request_write.next = self.convergence.spill_request_write.val();
        self.spill_request_address.next = self.convergence.spill_request_address.val();
        self.spill_request_data.next = self.convergence.spill_request_data.val();
        self.spill_request_tag.next = self.convergence.spill_request_tag.val();
        self.spill_request_last.next = self.convergence.spill_request_last.val();
        self.convergence.spill_response_valid.next = self.spill_response_valid.val();
        self.spill_response_ready.next = self.convergence.spill_response_ready.val();
        self.convergence.spill_response_write.next = self.spill_response_write.val();
        self.convergence.spill_response_tag.next = self.spill_response_tag.val();
        self.convergence.spill_response_data.next = self.spill_response_data.val();
        self.convergence.config_valid.next = self.config_valid.val();
        self.config_ready.next = self.convergence.config_ready.val();
        self.convergence.config_write.next = self.config_write.val();
        self.convergence.config_warp.next = self.config_warp.val();
        self.convergence.config_register.next = self.config_register.val();
        self.convergence.config_data.next = self.config_data.val();
        self.config_done.next = self.convergence.config_done.val();
        self.config_result.next = self.convergence.config_result.val();
        // Reset wins.
        if self.reset.val() {
            self.issued.d.next = false;
        }
    }
}

crate::simulation::word_ports! { Control<NW, WI, WC, W, P, K, B, R, TA, M>:
    reset cfg_yield_every cfg_forced_yield cfg_yield_random cfg_yield_threshold cfg_yield_seed cfg_path cfg_lanes
    cfg_recenter launch_valid launch_warp launch_pc launch_mask launch_base launch_size issue_ready resolve_valid
    resolve_warp resolve_op resolve_kind resolve_mask resolve_target spill_request_ready spill_response_valid
    spill_response_write spill_response_tag spill_response_data config_valid config_write config_warp config_register
    config_data;
    launch_ready issue_valid issue_warp issue_pc issue_mask resolve_ready retire_valid retire_warp retire_op retire_pc
    retire_next_pc retire_next_mask retire_done retire_blocked retire_depth retire_front_kind retire_front_mask
    retire_front_pc retire_front_below retire_dropped exception_valid exception_warp exception_pc exception_cause
    status_busy status_moving status_dropped status_recentered spill_request_valid spill_request_write
    spill_request_address spill_request_data spill_request_tag spill_request_last spill_response_ready config_ready
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
                u.cfg_yield_every.next = 1.into();
                u.cfg_forced_yield.next = 5.into();
                u.cfg_path.next = (t as u64 / 1000).into();
                u.cfg_lanes.next = (t as u64 / 2000).into();
                let launch = if t < 2 { None } else { datapath.launch(rng) };
                u.launch_valid.next = launch.is_some();
                let (warp, pc, mask) = launch.unwrap_or_default();
                u.launch_warp.next = (warp & 3).into();
                u.launch_pc.next = pc.into();
                u.launch_mask.next = (mask & 0xF).into();
                u.launch_base.next = ((warp & 3) * 16).into();
                u.launch_size.next = (4 + mask % 12).into();
                let answer = memory.answer(rng);
                u.spill_request_ready.next = rng.chance(3, 4);
                u.spill_response_valid.next = answer.is_some();
                let (write, tag, data) = answer.unwrap_or_default();
                u.spill_response_write.next = write;
                u.spill_response_tag.next = tag.into();
                u.spill_response_data.next = data.into();
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
                if u.spill_request_valid.val() && u.spill_request_ready.val() {
                    memory.request(
                        u.spill_request_write.val(),
                        u.spill_request_address.val().to_u64(),
                        u.spill_request_tag.val().to_u64(),
                        u.spill_request_data.val().to_u64(),
                    );
                }
                if answer.is_some() && u.spill_response_ready.val() {
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
