//! One program on one core.

use super::options::{CoreOptions, Width};
use super::report::{CoreError, CoreReport};
use super::session::CoreSession;
use crate::issue::flat::{sizes, Flat};
use crate::lockstep::Observer;
use crate::run::RunConfig;
use std::path::Path;
use weft_hdl::Config;
use weft_isa::Program;

/// Name of the top module with two schedulers.
pub const TOP_TWO: &str = "weft_core_two";

/// The core with so many warps and threads.
pub fn size(warps: usize, threads: usize, width: Width) -> Option<Config> {
    let fits = |c: &&Config| (c.warps, c.threads) == (warps, threads);
    if width == Width::Two {
        return weft_hdl::CORES_TWO.iter().find(fits).copied();
    }
    let all = weft_hdl::CORES.iter();
    let mut wide = all.filter(|(_, dual)| *dual == (width == Width::Dual));
    wide.find(|(c, _)| fits(&c)).map(|(config, _)| *config)
}

/// Top and size of its model.
fn model(warps: usize, threads: usize, width: Width) -> (&'static str, String) {
    let (top, mark) = match width {
        Width::Single => (weft_hdl::Unit::Core.top(), ""),
        Width::Dual => (weft_hdl::Unit::Core.top(), "d"),
        Width::Two => (TOP_TWO, ""),
    };
    (top, format!("{warps}x{threads}{mark}"))
}

/// Whether this core was compiled in.
pub fn is_compiled(warps: usize, threads: usize, width: Width) -> bool {
    let (top, name) = model(warps, threads, width);
    sizes(top).any(|size| size == name)
}

/// Runs `program` on `weft_core`, or on `weft_core_two` if that is `options.width`, until all CTAs have ended. `config.machine.warps` × `threads` is the size of the core, its grid the
/// CTA if `options` have none; of the rest its token memory, `recenter`, `watchdog`, `cycles`, `instructions`, `oracle`, `wave`,
/// `wave_from` and `data` count. All randomness comes from `options.seed`.
///
/// # Errors
/// Configurations that make no sense, sizes that were not compiled in, and whatever is wrong with the core.
pub fn run_program(
    program: &Program,
    config: &RunConfig,
    options: &CoreOptions,
) -> Result<CoreReport, CoreError> {
    run_copy(program, config, options, None, Vec::new())
}

/// As [`run_program`]; the observers hear of all that is issued and retired, with warp slots as warps. Instructions that are not
/// `control` have the depth and the front token of the control operation before.
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
    let (top, name) = model(warps, threads, options.width);
    let Some(size) = size(warps, threads, options.width) else {
        return Err(CoreError::NoModel(name));
    };
    // Half of the designs start with random contents in state that has no initial value.
    let seed = match options.seed & 1 {
        0 => 0,
        _ => (options.seed >> 1) as u32 | 1,
    };
    let mut flat = open((top, &name, fault), seed, config.wave.as_deref())?;
    flat.waves_from(config.wave_from);
    let ran = CoreSession::new(flat, size, program, config, options, observers)?.run()?;
    Ok(CoreReport {
        width: options.width.name(),
        policy: options.policy,
        cycles: ran.cycles,
        issued: ran.issued,
        dual_cycles: ran.happened.dual + ran.happened.pairs,
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

fn open(
    (top, name, fault): (&str, &str, Option<&str>),
    seed: u32,
    wave: Option<&Path>,
) -> Result<Flat, CoreError> {
    let flat = Flat::open(top, name, fault, seed, wave);
    Ok(flat.ok_or_else(|| CoreError::NoModel(name.to_string()))??)
}
