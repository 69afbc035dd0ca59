//! One program on one core.

use super::options::CoreOptions;
use super::report::{CoreError, CoreReport};
use super::session::CoreSession;
use crate::issue::flat::Flat;
use crate::run::RunConfig;
use std::path::Path;
use weft_hdl::Config;
use weft_isa::Program;

/// Name of the top module.
pub const TOP: &str = "weft_core";

/// The core with so many warps and threads.
pub fn size(warps: usize, threads: usize, dual: bool) -> Option<Config> {
    let mut all = weft_hdl::CORES.iter();
    all.find(|(c, d)| (c.warps, c.threads, *d) == (warps, threads, dual))
        .map(|(config, _)| *config)
}

/// Runs `program` on `weft_core` until all CTAs have ended. `config.machine.warps` × `threads` is the size of the core, its grid the
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
    let (warps, threads) = (config.machine.warps, config.machine.threads);
    let name = format!("{warps}x{threads}{}", if options.dual { "d" } else { "" });
    let Some(size) = size(warps, threads, options.dual) else {
        return Err(CoreError::NoModel(name));
    };
    // Half of the designs start with random contents in state that has no initial value.
    let seed = match options.seed & 1 {
        0 => 0,
        _ => (options.seed >> 1) as u32 | 1,
    };
    let mut flat = open(&name, seed, config.wave.as_deref())?;
    flat.waves_from(config.wave_from);
    let ran = CoreSession::new(flat, size, program, config, options)?.run()?;
    Ok(CoreReport {
        dual: options.dual,
        policy: options.policy,
        cycles: ran.cycles,
        issued: ran.issued,
        dual_cycles: ran.happened.dual,
        ipc: ran.issued as f64 / ran.cycles.max(1) as f64,
        thread_instructions: ran.thread_instructions,
        counters: ran.counters,
        happened: ran.happened,
        ctas: ran.ctas,
    })
}

fn open(name: &str, seed: u32, wave: Option<&Path>) -> Result<Flat, CoreError> {
    let flat = Flat::open(TOP, name, None, seed, wave);
    Ok(flat.ok_or_else(|| CoreError::NoModel(name.to_string()))??)
}
