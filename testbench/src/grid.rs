//! Grids that are larger than the machine: as many CTAs at once as it has room for, and then the next ones, over one
//! memory.
//!
//! CTAs do not wait for one another, so any order of them is right (docs/spec/isa.md, ISA-021).

use crate::lockstep::{Observer, Retired};
use crate::report::RunReport;
use crate::run_config::RunConfig;
use crate::session::Waking;
use weft_isa::Segment;
use weft_sim::memory::MEMORY_BASE;
use weft_sim::{Config, ConfigError, Memory, Part, Stats, WarpStats};

/// The machine for each part of the grid, in order; one, as it is, for a grid that fits.
///
/// # Errors
/// CTAs that have more warps than the machine.
pub fn parts(machine: &Config) -> Result<Vec<Config>, ConfigError> {
    let room = (machine.warps * machine.threads) as u32;
    let grid = machine.grid_size();
    if grid <= room || machine.threads == 0 || machine.part.is_some() {
        return Ok(vec![machine.clone()]);
    }
    let each = machine.cta_warps.unwrap_or(machine.warps);
    if each == 0 || each > machine.warps {
        return Err(ConfigError::Cta(each));
    }
    // No more CTAs than there are barriers for.
    let at_once = (machine.warps / each).min(weft_sim::barrier::CTAS);
    let cta = (each * machine.threads) as u32;
    let step = at_once as u32 * cta;
    let part = |thread: u32| Config {
        grid: Some(step.min(grid - thread)),
        cta_warps: Some(each),
        part: Some(Part {
            thread,
            cta: thread / cta,
            grid,
            full: cta,
        }),
        ..machine.clone()
    };
    Ok((0..grid).step_by(step as usize).map(part).collect())
}

/// The run of a part, which begins with what the parts before it have left in memory.
pub fn run_of(run: &RunConfig, machine: Config, before: Option<&Memory>, first: bool) -> RunConfig {
    let mut next = RunConfig {
        machine,
        reset: run.reset && first,
        ..run.clone()
    };
    if let Some(memory) = before {
        next.data = vec![contents(memory)];
    }
    next
}

/// All of memory, as data that are put into a memory of the same size.
pub fn contents(memory: &Memory) -> Segment {
    let bytes = memory.slice(MEMORY_BASE..memory.size());
    Segment {
        address: MEMORY_BASE,
        bytes: bytes.unwrap_or_default().to_vec(),
    }
}

/// One report of both, the later part's after the earlier one's.
pub fn join(before: RunReport, after: RunReport) -> RunReport {
    let mut warps = before.stats.warps;
    let later = after.stats.warps;
    warps.resize(warps.len().max(later.len()), WarpStats::default());
    warps.iter_mut().zip(&later).for_each(|(w, l)| w.add(l));
    let cycles = |a: Option<u64>, b: Option<u64>| Some(a? + b?);
    let all = |a: Option<bool>, b: Option<bool>| Some(a? && b?);
    RunReport {
        engine: after.engine,
        cycles: cycles(before.cycles, after.cycles),
        stats: Stats::new(after.stats.width, warps),
        tokens_pushed: before.tokens_pushed + after.tokens_pushed,
        recentered: before.recentered + after.recentered,
        faults: [before.faults, after.faults].concat(),
        barrier_errors: [before.barrier_errors, after.barrier_errors].concat(),
        oracle_agrees: all(before.oracle_agrees, after.oracle_agrees),
        oracle_silent: before.oracle_silent.or(after.oracle_silent),
        threads: [before.threads, after.threads].concat(),
        wavefront: after.wavefront,
        memory: after.memory,
    }
}

/// Cycles of a later part go on from those before.
pub struct Later<'a, 'b> {
    pub cycles: u64,
    pub observers: &'a mut [&'b mut dyn Observer],
}

impl Observer for Later<'_, '_> {
    fn retired(&mut self, event: &Retired) {
        let cycle = self.cycles + event.cycle;
        let event = Retired { cycle, ..*event };
        self.observers.iter_mut().for_each(|o| o.retired(&event));
    }

    fn waking(&mut self, waking: Waking) {
        self.observers.iter_mut().for_each(|o| o.waking(waking));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts_of(warps: usize, cta: Option<usize>, grid: u32) -> Vec<(u32, u32, u32)> {
        let machine = Config {
            warps,
            threads: 4,
            cta_warps: cta,
            grid: Some(grid),
            ..Config::default()
        };
        let of = |c: &Config| {
            let part = c.part.unwrap();
            c.validate().unwrap();
            (part.thread, part.cta, c.grid_size())
        };
        parts(&machine).unwrap().iter().map(of).collect()
    }

    #[test]
    fn as_many_ctas_at_once_as_fit() {
        assert_eq!(
            parts_of(3, Some(1), 25),
            [(0, 0, 12), (12, 3, 12), (24, 6, 1)]
        );
        // The third warp stays empty.
        assert_eq!(parts_of(3, Some(2), 17), [(0, 0, 8), (8, 1, 8), (16, 2, 1)]);
        assert_eq!(parts_of(2, None, 9), [(0, 0, 8), (8, 1, 1)]);
        // There are barriers for 16 CTAs.
        assert_eq!(parts_of(20, Some(1), 81), [(0, 0, 64), (64, 16, 17)]);
    }

    #[test]
    fn a_grid_that_fits_stays_whole_and_a_cta_has_to_fit() {
        let machine = Config::default();
        assert_eq!(parts(&machine).unwrap(), std::slice::from_ref(&machine));
        let large = Config {
            cta_warps: Some(5),
            grid: Some(1000),
            ..machine
        };
        assert_eq!(parts(&large), Err(ConfigError::Cta(5)));
    }
}
