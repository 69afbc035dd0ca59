//! Size and clock frequency of every unit.

use super::kernels::WINDOWS;
use super::report::Area;
use crate::progress::Lines;
use crate::size::{self, Overrides};
use anyhow::{ensure, Context, Result};
use weft_generate::{Config, Design, Unit};
use weft_synth::{Mapper, Request, Target};

/// What is measured. The scheduler and the whole cores by the small mapper, which brings them both fewer cells and a
/// shorter clock.
const UNITS: &[(Unit, Mapper, &[Size])] = &[
    (
        Unit::Control,
        Mapper::Auto,
        &[
            ("4x4", false),
            ("8x8", false),
            ("16x32", false),
            ("32x32", false),
        ],
    ),
    (Unit::Convergence, Mapper::Auto, &[("16x32", false)]),
    (
        Unit::Scheduler,
        Mapper::Small,
        &[("8x32", false), ("16x32", false), ("16x32", true)],
    ),
    (
        Unit::Barrier,
        Mapper::Auto,
        &[("16x32", false), ("32x32", false)],
    ),
    (
        Unit::Masks,
        Mapper::Auto,
        &[("16x32", false), ("16x64", false)],
    ),
    (
        Unit::Wavefront,
        Mapper::Auto,
        &[("16x32", false), ("16x64", false)],
    ),
    (
        Unit::Core,
        Mapper::Small,
        &[
            ("4x4", false),
            ("16x32", false),
            ("16x32", true),
            ("32x32", false),
            ("64x32", false),
        ],
    ),
    (Unit::Sm, Mapper::Auto, &[("4x4", false), ("8x8", false)]),
    (Unit::Host, Mapper::Auto, &[("16x32", false)]),
    (
        Unit::Float,
        Mapper::Small,
        &[("4x4", false), ("16x32", false)],
    ),
];

/// As in `--config`; and whether two instructions can go in one cycle.
type Size = (&'static str, bool);

struct Job {
    design: Design,
    mapper: Mapper,
}

/// Of all units and sizes, or of these. The control plane also with every token window.
fn jobs(units: &[Unit], sizes: &[Config]) -> Result<Vec<Job>> {
    let mut jobs = Vec::new();
    for &(unit, mapper, measured) in UNITS {
        if !units.is_empty() && !units.contains(&unit) {
            continue;
        }
        let mut designs = Vec::new();
        for &(name, dual) in measured {
            let given = Overrides {
                dual,
                ..Overrides::default()
            };
            designs.push(size::choose(unit, name, given)?.design);
        }
        if unit == Unit::Control {
            for config in WINDOWS {
                designs.push(Design::of(unit, config, false)?);
            }
        }
        designs.retain(|design| sizes.is_empty() || sizes.contains(&design.config()));
        for design in designs {
            if !jobs.iter().any(|job: &Job| job.design == design) {
                jobs.push(Job { design, mapper });
            }
        }
    }
    ensure!(!jobs.is_empty(), "--units, --sizes: nothing is left");
    Ok(jobs)
}

/// One unit after the other. `done` gets each row as soon as it is there; what cannot be measured is told in the end.
pub fn measure(
    units: &[Unit],
    sizes: &[Config],
    seeds: u32,
    done: &mut dyn FnMut(Area) -> Result<()>,
) -> Result<()> {
    let jobs = jobs(units, sizes)?;
    let lines = Lines::new();
    let mut progress = |line: &str| lines.show(line);
    weft_synth::ensure_tools(Target::Ecp5, &mut progress).context("area: tools")?;
    let mut failed = Vec::new();
    println!("{}", weft_synth::markdown_header());
    for Job { design, mapper } in jobs {
        let name = size::title(&design);
        let verilog = weft_generate::verilog(&design)?;
        let text = verilog.bundle();
        let mut request = Request::new(&name, Target::Ecp5, &text, &verilog.top);
        request.seeds = seeds;
        request.mapper = mapper;
        match weft_synth::synthesize(&request, &mut progress) {
            Ok(report) => {
                println!("{}", report.markdown_row());
                done(Area::new(&design, report))?;
            }
            Err(error) => {
                eprintln!("{name}: {error:#}");
                failed.push(name);
            }
        }
    }
    lines.end();
    ensure!(
        failed.is_empty(),
        "area: not measured: {}",
        failed.join(", ")
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_is_measured_in_its_default_size_and_nothing_twice() {
        let all = jobs(&[], &[]).unwrap();
        // A token memory is block RAM and nothing else; task management does not grow with warps; the GPU is its parts.
        let without = [Unit::TokenMemory, Unit::Tasks, Unit::Gpu];
        for &unit in Unit::ALL.iter().filter(|u| !without.contains(u)) {
            // Of the SM what fits the device.
            let name = if unit == Unit::Sm { "8x8" } else { "default" };
            let default = size::choose(unit, name, Overrides::default()).unwrap();
            let of = |j: &&Job| j.design == default.design;
            assert_eq!(all.iter().filter(of).count(), 1, "{}", unit.top());
        }
        // tiny, small and max, and the windows.
        let control = jobs(&[Unit::Control], &[]).unwrap();
        assert_eq!(control.len(), 3 + WINDOWS.len());
        assert!(all.len() > control.len());
        let one = jobs(&[Unit::Control], &[Config::new(16, 32, 4, 2)]).unwrap();
        assert_eq!(one.len(), 1);
        assert!(jobs(&[Unit::Masks], &[Config::new(4, 4, 2, 1)]).is_err());
    }
}
