//! The exported Verilog, compiled by Verilator: one engine per supported size, and with feature `faults` the broken copies.

use crate::dut::{DutError, Opened};
use crate::wave::Wave;
use std::ffi::{c_int, c_void};
use std::path::Path;
use verilated::vcd::VcdC;
use weft_hdl::ports::{Control, Inputs, Outputs};
use weft_hdl::Config;

/// Same layout as `WeftIn` in build/shim.h.
#[repr(C)]
struct RawIn {
    spill_response_data: [u64; 2],
    launch_mask: u64,
    resolve_mask: u64,
    launch_pc: u32,
    launch_base: u32,
    resolve_target: u32,
    config_data: u32,
    cfg_yield_every: u16,
    cfg_forced_yield: u16,
    cfg_yield_threshold: u16,
    cfg_yield_seed: u16,
    launch_size: u16,
    spill_response_tag: u16,
    cfg_yield_random: u8,
    cfg_path: u8,
    cfg_lanes: u8,
    cfg_recenter: u8,
    reset: u8,
    launch_valid: u8,
    launch_warp: u8,
    issue_ready: u8,
    resolve_valid: u8,
    resolve_warp: u8,
    resolve_op: u8,
    resolve_kind: u8,
    spill_request_ready: u8,
    spill_response_valid: u8,
    spill_response_write: u8,
    config_valid: u8,
    config_write: u8,
    config_warp: u8,
    config_register: u8,
}

/// Same layout as `WeftOut` in build/shim.h.
#[repr(C)]
#[derive(Default)]
struct RawOut {
    spill_request_data: [u64; 2],
    issue_mask: u64,
    retire_next_mask: u64,
    retire_front_mask: u64,
    status_busy: u64,
    status_moving: u64,
    issue_pc: u32,
    retire_pc: u32,
    retire_next_pc: u32,
    retire_front_pc: u32,
    exception_pc: u32,
    status_dropped: u32,
    status_recentered: u32,
    spill_request_address: u32,
    config_result: u32,
    retire_depth: u16,
    spill_request_tag: u16,
    launch_ready: u8,
    issue_valid: u8,
    issue_warp: u8,
    resolve_ready: u8,
    retire_valid: u8,
    retire_warp: u8,
    retire_op: u8,
    retire_done: u8,
    retire_blocked: u8,
    retire_front_kind: u8,
    retire_front_below: u8,
    retire_dropped: u8,
    exception_valid: u8,
    exception_warp: u8,
    exception_cause: u8,
    spill_request_valid: u8,
    spill_request_write: u8,
    spill_request_last: u8,
    spill_response_ready: u8,
    config_ready: u8,
    config_done: u8,
}

/// A token of 128 bits, the low word first.
fn words(token: u128) -> [u64; 2] {
    [token as u64, (token >> 64) as u64]
}

fn token([low, high]: [u64; 2]) -> u128 {
    u128::from(high) << 64 | u128::from(low)
}

struct Functions {
    size: Config,
    /// Name, and what it breaks.
    fault: Option<(&'static str, &'static str)>,
    new: unsafe extern "C" fn(c_int) -> *mut c_void,
    delete: unsafe extern "C" fn(*mut c_void),
    settle: unsafe extern "C" fn(*mut c_void, *const RawIn, *mut RawOut),
    rise: unsafe extern "C" fn(*mut c_void),
    fall: unsafe extern "C" fn(*mut c_void),
    failed: unsafe extern "C" fn(*mut c_void) -> c_int,
    trace: unsafe extern "C" fn(*mut c_void, *mut VcdC),
}

include!(concat!(env!("OUT_DIR"), "/models.rs"));

/// Sizes that were compiled in.
pub fn sizes() -> impl Iterator<Item = Config> {
    let sound = MODELS.iter().filter(|m| m.fault.is_none());
    sound.map(|m| m.size)
}

/// Names of the deliberately broken models, each with what it breaks.
pub fn faults() -> impl Iterator<Item = (&'static str, &'static str)> {
    MODELS.iter().filter_map(|m| m.fault)
}

/// Opens the model of this size. `seed` ≠ 0: random start values for state without an initial value.
/// `wave`: writes a VCD file from the first cycle on.
pub fn open(config: Config, seed: u32, wave: Option<&Path>) -> Result<Opened, DutError> {
    let found = MODELS
        .iter()
        .find(|m| m.fault.is_none() && m.size == config);
    let functions = found.ok_or_else(|| DutError::NoModel {
        config,
        engine: "Verilator",
        known: sizes()
            .map(|c| c.to_string())
            .collect::<Vec<_>>()
            .join(", "),
    })?;
    Ok(Opened {
        config,
        control: Box::new(Model::new(functions, seed, wave)?),
    })
}

/// Opens a deliberately broken model (`build/models.rs`).
pub fn open_fault(name: &str, wave: Option<&Path>) -> Result<Opened, DutError> {
    let functions = MODELS
        .iter()
        .find(|m| m.fault.is_some_and(|f| f.0 == name))
        .ok_or_else(|| DutError::NoFault(name.to_string()))?;
    Ok(Opened {
        config: functions.size,
        control: Box::new(Model::new(functions, 0, wave)?),
    })
}

struct Model {
    functions: &'static Functions,
    /// Never null; used by the thread that made it only (the raw pointer keeps `Model` from being `Send`).
    raw: *mut c_void,
    wave: Wave,
}

impl Model {
    fn new(
        functions: &'static Functions,
        seed: u32,
        wave: Option<&Path>,
    ) -> Result<Model, DutError> {
        // Verilator reads the seed as a positive `int`.
        let seed = (seed & 0x7fff_ffff) as c_int;
        // SAFETY: the constructor has no preconditions.
        let raw = unsafe { (functions.new)(seed) };
        let mut model = Model {
            functions,
            raw,
            wave: Wave::default(),
        };
        // SAFETY: both objects are alive, and the file is not open yet.
        model.wave = Wave::open(wave, |vcd| unsafe { (functions.trace)(raw, vcd) })?;
        Ok(model)
    }
}

impl Control for Model {
    fn settle(&mut self, i: &Inputs) -> Outputs {
        let raw = RawIn {
            spill_response_data: words(i.spill_response_data),
            launch_mask: i.launch_mask,
            resolve_mask: i.resolve_mask,
            launch_pc: i.launch_pc,
            launch_base: i.launch_base,
            resolve_target: i.resolve_target,
            config_data: i.config_data,
            cfg_yield_every: i.cfg_yield_every,
            cfg_forced_yield: i.cfg_forced_yield,
            cfg_yield_threshold: i.cfg_yield_threshold,
            cfg_yield_seed: i.cfg_yield_seed,
            launch_size: i.launch_size,
            spill_response_tag: i.spill_response_tag,
            cfg_yield_random: i.cfg_yield_random.into(),
            cfg_path: i.cfg_path,
            cfg_lanes: i.cfg_lanes,
            cfg_recenter: i.cfg_recenter.into(),
            reset: i.reset.into(),
            launch_valid: i.launch_valid.into(),
            launch_warp: i.launch_warp,
            issue_ready: i.issue_ready.into(),
            resolve_valid: i.resolve_valid.into(),
            resolve_warp: i.resolve_warp,
            resolve_op: i.resolve_op,
            resolve_kind: i.resolve_kind,
            spill_request_ready: i.spill_request_ready.into(),
            spill_response_valid: i.spill_response_valid.into(),
            spill_response_write: i.spill_response_write.into(),
            config_valid: i.config_valid.into(),
            config_write: i.config_write.into(),
            config_warp: i.config_warp,
            config_register: i.config_register,
        };
        let mut o = RawOut::default();
        // SAFETY: `raw` and `o` have the layout of the C structures, the model is alive.
        unsafe { (self.functions.settle)(self.raw, &raw, &mut o) };
        Outputs {
            launch_ready: o.launch_ready != 0,
            issue_valid: o.issue_valid != 0,
            issue_warp: o.issue_warp,
            issue_pc: o.issue_pc,
            issue_mask: o.issue_mask,
            resolve_ready: o.resolve_ready != 0,
            retire_valid: o.retire_valid != 0,
            retire_warp: o.retire_warp,
            retire_op: o.retire_op,
            retire_pc: o.retire_pc,
            retire_next_pc: o.retire_next_pc,
            retire_next_mask: o.retire_next_mask,
            retire_done: o.retire_done != 0,
            retire_blocked: o.retire_blocked != 0,
            retire_depth: o.retire_depth,
            retire_front_kind: o.retire_front_kind,
            retire_front_mask: o.retire_front_mask,
            retire_front_pc: o.retire_front_pc,
            retire_front_below: o.retire_front_below,
            retire_dropped: o.retire_dropped != 0,
            exception_valid: o.exception_valid != 0,
            exception_warp: o.exception_warp,
            exception_pc: o.exception_pc,
            exception_cause: o.exception_cause,
            status_busy: o.status_busy,
            status_moving: o.status_moving,
            status_dropped: o.status_dropped,
            status_recentered: o.status_recentered,
            spill_request_valid: o.spill_request_valid != 0,
            spill_request_write: o.spill_request_write != 0,
            spill_request_last: o.spill_request_last != 0,
            spill_request_tag: o.spill_request_tag,
            spill_request_address: o.spill_request_address,
            spill_request_data: token(o.spill_request_data),
            spill_response_ready: o.spill_response_ready != 0,
            config_ready: o.config_ready != 0,
            config_done: o.config_done != 0,
            config_result: o.config_result,
        }
    }

    fn edge(&mut self) {
        self.wave.dump();
        // SAFETY: the model is alive.
        unsafe { (self.functions.rise)(self.raw) };
        self.wave.dump();
        // SAFETY: as above.
        unsafe { (self.functions.fall)(self.raw) };
        // SAFETY: as above.
        assert!(
            unsafe { (self.functions.failed)(self.raw) } == 0,
            "the Verilog executed $stop or $finish, or an assertion failed"
        );
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        // The file must be closed while the model it reads is alive.
        self.wave.close();
        // SAFETY: made by `new`, deleted once.
        unsafe { (self.functions.delete)(self.raw) };
    }
}
