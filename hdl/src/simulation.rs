//! `weft_control` in rust-hdl's own simulator, behind the same ports as any other engine.

use crate::control::Control as ControlBlock;
use crate::ports::{Control, Inputs, Outputs};
use crate::Config;
use rust_hdl_core::prelude::{Bits, Block};
use std::path::Path;
use weft_rtl::Bench;

/// A [`Control`] that can write waves.
pub trait Simulation: Control {
    /// From now on, write a VCD.
    fn open_wave(&mut self, path: &Path) -> std::io::Result<()>;
}

/// The control plane of a size, simulated by rust-hdl; `None` when the size is not supported.
pub fn simulate(config: Config) -> Option<Box<dyn Simulation>> {
    crate::simulation_of(config)
}

/// A block with the ports of the control plane, and how to reach them.
struct RustHdl<B: Block> {
    bench: Bench<B>,
    drive: fn(&mut B, &Inputs),
    sample: fn(&B) -> Outputs,
}

impl<B: Block> Control for RustHdl<B> {
    fn settle(&mut self, inputs: &Inputs) -> Outputs {
        (self.drive)(&mut self.bench.uut, inputs);
        self.bench.settle();
        (self.sample)(&self.bench.uut)
    }

    fn edge(&mut self) {
        self.bench.edge();
    }
}

impl<B: Block> Simulation for RustHdl<B> {
    fn open_wave(&mut self, path: &Path) -> std::io::Result<()> {
        self.bench.open_wave(path)
    }
}

/// The control plane of one size.
pub(crate) fn control_plane<
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
>() -> Box<dyn Simulation> {
    let block = ControlBlock::<NW, WI, WC, W, P, K, B, R, TA, M>::default();
    Box::new(RustHdl {
        bench: Bench::new(block, |u, level| u.clock.next = level.into()),
        drive: |u, inputs| {
            u.reset.next = inputs.reset;
            u.cfg_yield_every.next = u64::from(inputs.cfg_yield_every).into();
            u.cfg_forced_yield.next = u64::from(inputs.cfg_forced_yield).into();
            u.cfg_yield_random.next = inputs.cfg_yield_random;
            u.cfg_yield_threshold.next = u64::from(inputs.cfg_yield_threshold).into();
            u.cfg_yield_seed.next = u64::from(inputs.cfg_yield_seed).into();
            u.cfg_path.next = u64::from(inputs.cfg_path).into();
            u.cfg_lanes.next = u64::from(inputs.cfg_lanes).into();
            u.cfg_recenter.next = inputs.cfg_recenter;
            u.launch_valid.next = inputs.launch_valid;
            u.launch_warp.next = u64::from(inputs.launch_warp).into();
            u.launch_pc.next = u64::from(inputs.launch_pc).into();
            u.launch_mask.next = inputs.launch_mask.into();
            u.launch_base.next = u64::from(inputs.launch_base).into();
            u.launch_size.next = u64::from(inputs.launch_size).into();
            u.issue_ready.next = inputs.issue_ready;
            u.resolve_valid.next = inputs.resolve_valid;
            u.resolve_warp.next = u64::from(inputs.resolve_warp).into();
            u.resolve_op.next = u64::from(inputs.resolve_op).into();
            u.resolve_kind.next = u64::from(inputs.resolve_kind).into();
            u.resolve_mask.next = inputs.resolve_mask.into();
            u.resolve_target.next = u64::from(inputs.resolve_target).into();
            u.spill_request_ready.next = inputs.spill_request_ready;
            u.spill_response_valid.next = inputs.spill_response_valid;
            u.spill_response_write.next = inputs.spill_response_write;
            u.spill_response_tag.next = u64::from(inputs.spill_response_tag).into();
            u.spill_response_data.next = to_bits(inputs.spill_response_data);
            u.config_valid.next = inputs.config_valid;
            u.config_write.next = inputs.config_write;
            u.config_warp.next = u64::from(inputs.config_warp).into();
            u.config_register.next = u64::from(inputs.config_register).into();
            u.config_data.next = u64::from(inputs.config_data).into();
        },
        sample: |u| Outputs {
            launch_ready: u.launch_ready.val(),
            issue_valid: u.issue_valid.val(),
            issue_warp: u.issue_warp.val().to_u64() as u8,
            issue_pc: u.issue_pc.val().to_u64() as u32,
            issue_mask: u.issue_mask.val().to_u64(),
            resolve_ready: u.resolve_ready.val(),
            retire_valid: u.retire_valid.val(),
            retire_warp: u.retire_warp.val().to_u64() as u8,
            retire_op: u.retire_op.val().to_u64() as u8,
            retire_pc: u.retire_pc.val().to_u64() as u32,
            retire_next_pc: u.retire_next_pc.val().to_u64() as u32,
            retire_next_mask: u.retire_next_mask.val().to_u64(),
            retire_done: u.retire_done.val(),
            retire_blocked: u.retire_blocked.val(),
            retire_depth: u.retire_depth.val().to_u64() as u16,
            retire_front_kind: u.retire_front_kind.val().to_u64() as u8,
            retire_front_mask: u.retire_front_mask.val().to_u64(),
            retire_front_pc: u.retire_front_pc.val().to_u64() as u32,
            retire_front_below: u.retire_front_below.val().to_u64() as u8,
            retire_dropped: u.retire_dropped.val(),
            exception_valid: u.exception_valid.val(),
            exception_warp: u.exception_warp.val().to_u64() as u8,
            exception_pc: u.exception_pc.val().to_u64() as u32,
            exception_cause: u.exception_cause.val().to_u64() as u8,
            status_busy: u.status_busy.val().to_u64(),
            status_moving: u.status_moving.val().to_u64(),
            status_dropped: u.status_dropped.val().to_u64() as u32,
            status_recentered: u.status_recentered.val().to_u64() as u32,
            spill_request_valid: u.spill_request_valid.val(),
            spill_request_write: u.spill_request_write.val(),
            spill_request_last: u.spill_request_last.val(),
            spill_request_tag: u.spill_request_tag.val().to_u64() as u16,
            spill_request_address: u.spill_request_address.val().to_u64() as u32,
            spill_request_data: from_bits(u.spill_request_data.val()),
            spill_response_ready: u.spill_response_ready.val(),
            config_ready: u.config_ready.val(),
            config_done: u.config_done.val(),
            config_result: u.config_result.val().to_u64() as u32,
        },
    })
}

/// `Bits` converts no integers wider than 64 bits.
fn to_bits<const M: usize>(token: u128) -> Bits<M> {
    let mut bits = Bits::<M>::default();
    for i in (0..M).filter(|i| token >> i & 1 != 0) {
        bits = bits.replace_bit(i, true);
    }
    bits
}

fn from_bits<const M: usize>(bits: Bits<M>) -> u128 {
    (0..M)
        .filter(|&i| bits.get_bit(i))
        .fold(0, |token, i| token | 1 << i)
}
