//! One program on one core.

use super::options::{CoreOptions, Width};
use super::report::{CoreError, CoreReport};
use super::session::CoreSession;
use crate::issue::flat::{sizes, Flat};
use crate::run::RunConfig;
use std::path::Path;
use weft_hdl::Config;
use weft_isa::Program;

/// The core with so many warps, in all partitions, and threads.
pub fn size(warps: usize, threads: usize, width: Width) -> Option<Config> {
    let fits =
        |c: &Config| (c.warps, c.threads, c.partitions) == (warps, threads, width.partitions());
    let mut all = weft_hdl::CORES.iter();
    let found = all.find(|(config, dual)| fits(config) && *dual == width.is_dual());
    found.map(|(config, _)| *config)
}

/// Top and size of its model.
fn model(warps: usize, threads: usize, width: Width) -> (&'static str, String) {
    let config = Config::new(warps, threads, 0, 0).in_partitions(width.partitions());
    let mark = if width.is_dual() { "d" } else { "" };
    (
        weft_hdl::Unit::Core.top(),
        format!("{}{mark}", config.shape()),
    )
}

/// Whether this core was compiled in.
pub fn is_compiled(warps: usize, threads: usize, width: Width) -> bool {
    let (top, name) = model(warps, threads, width);
    sizes(top).any(|size| size == name)
}

/// Runs `program` on the `weft_core` of `options.width` until all CTAs have ended. `config.machine.warps` × `threads` is the size of the core, its grid the
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
    run_copy(program, config, options, None)
}

/// As [`run_program`], on the broken copy of this name if there is one.
///
/// # Errors
/// As there.
pub fn run_copy(
    program: &Program,
    config: &RunConfig,
    options: &CoreOptions,
    fault: Option<&str>,
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
    let ran = CoreSession::new(flat, size, program, config, options)?.run()?;
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
