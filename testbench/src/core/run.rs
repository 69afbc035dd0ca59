//! One program on one core.

use super::options::{CoreOptions, Width};
use super::report::{CoreError, CoreReport};
use super::session::CoreSession;
use crate::dut::{DutError, RtlKind};
use crate::lockstep::Observer;
use crate::rtl::model::{Model, Options};
use crate::run_config::RunConfig;
use weft_generate::{Config, Design, Impossible, Unit};
use weft_isa::Program;

/// The core with so many warps, in all partitions, and threads.
///
/// # Errors
/// There is no such size.
pub fn design(warps: usize, threads: usize, width: Width) -> Result<Design, Impossible> {
    let parameters = [
        ("warps", warps as u64),
        ("threads", threads as u64),
        ("partitions", width.partitions() as u64),
        ("dual", width.is_dual().into()),
    ];
    Design::new(Unit::Core, &parameters)
}

/// Runs `program` on the `weft_core` of `options.width` until all CTAs have ended.
/// `config.machine.warps` × `threads` is the size of the core, its grid the
/// CTA if `options` have none; of the rest its token memory, `recenter`, `watchdog`, `cycles`, `instructions`,
/// `oracle`, `wave`, `wave_from` and `data` count. All randomness comes from `options.seed`.
///
/// # Errors
/// Configurations that make no sense, sizes that there are not, and whatever is wrong with the core.
pub fn run_program(
    program: &Program,
    config: &RunConfig,
    options: &CoreOptions,
) -> Result<CoreReport, CoreError> {
    run_copy(program, config, options, None, Vec::new())
}

/// As [`run_program`]; the observers hear of all that is issued and retired, with warp slots as warps.
/// Instructions that are not `control` have the depth and the front token of the control operation before.
///
/// # Errors
/// As there.
pub fn run_observed<'a>(
    program: &'a Program,
    config: &'a RunConfig,
    options: &CoreOptions,
    observers: Vec<&'a mut dyn Observer>,
) -> Result<CoreReport, CoreError> {
    run_copy(program, config, options, None, observers)
}

/// As [`run_program`], on the broken copy of this name if there is one.
///
/// # Errors
/// As there.
pub fn run_copy<'a>(
    program: &'a Program,
    config: &'a RunConfig,
    options: &CoreOptions,
    fault: Option<&str>,
    observers: Vec<&'a mut dyn Observer>,
) -> Result<CoreReport, CoreError> {
    let (warps, threads) = (config.machine.warps, config.machine.threads);
    let design = design(warps, threads, options.width).map_err(DutError::from)?;
    let size = Config::usual(warps, threads);
    // Half of the designs start with random contents in state that has no initial value.
    let seed = match options.seed & 1 {
        0 => 0,
        _ => (options.seed >> 1) as u32 | 1,
    };
    let open = Options {
        fault,
        seed,
        wave: config.wave.as_deref(),
        wave_from: config.wave_from,
    };
    let flat = Model::open(RtlKind::Verilated, &design, &open)?;
    let ran = CoreSession::new(flat, size, program, config, options, observers)?.run()?;
    Ok(CoreReport {
        width: options.width.name(),
        policy: options.policy,
        cycles: ran.cycles,
        issued: ran.issued,
        dual_cycles: ran.happened.several,
        ipc: ran.issued as f64 / ran.cycles.max(1) as f64,
        thread_instructions: ran.thread_instructions,
        counters: ran.counters,
        happened: ran.happened,
        ctas: ran.ctas,
        oracle_agrees: ran.oracle.0,
        oracle_silent: ran.oracle.1,
        by_slot: ran.by_slot,
        memory: ran.memory,
    })
}
