//! Size and clock frequency of every unit.

use super::kernels::WINDOWS;
use super::report::{Area, Block, CriticalPath};
use crate::board;
use crate::cli::BenchArgs;
use crate::progress::Lines;
use crate::size::{self, Overrides};
use anyhow::{ensure, Context, Result};
use weft_generate::{Config, Design, Unit};
use weft_synth::{Mapper, Request, Target};
use weft_testbench::sm::Shape;
use weft_toolbox::Toolbox;

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
    (Unit::Sm, Mapper::Small, &[("4x4", false), ("8x4", false)]),
    (Unit::Host, Mapper::Auto, &[("16x32", false)]),
    (
        Unit::Float,
        Mapper::Small,
        &[("4x4", false), ("16x32", false)],
    ),
];

/// The SM is measured block by block, and as a whole in its board top.
pub const BLOCKS: [&str; 4] = ["core", "datapath", "memory_side", "launcher"];
pub const WHOLE: &str = "whole";

/// MHz at which seeds of the whole need not be tried any more.
const ENOUGH: u32 = 60;

/// As in `--config`; and whether two instructions can go in one cycle.
type Size = (&'static str, bool);

/// A row of the report.
pub enum Row {
    Unit(Area),
    Block(Block),
}

struct Job {
    design: Design,
    mapper: Mapper,
    /// Only this block.
    block: Option<&'static str>,
}

/// Of all units, blocks and sizes, or of these. The control plane also with every token window.
fn jobs(units: &[Unit], blocks: &[String], sizes: &[Config]) -> Result<Vec<Job>> {
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
            if jobs.iter().any(|job: &Job| job.design == design) {
                continue;
            }
            let all: Vec<_> = match unit {
                Unit::Sm => BLOCKS.into_iter().chain([WHOLE]).map(Some).collect(),
                _ => vec![None],
            };
            let asked = |block: &Option<&str>| {
                let is = |name: &String| *block == Some(name.as_str());
                blocks.is_empty() || blocks.iter().any(is)
            };
            jobs.extend(all.into_iter().filter(asked).map(|block| Job {
                design: design.clone(),
                mapper,
                block,
            }));
        }
    }
    ensure!(
        !jobs.is_empty(),
        "--units, --blocks, --sizes: nothing is left"
    );
    Ok(jobs)
}

/// One unit after the other. `done` gets each row as soon as it is there; what cannot be measured is told in the end.
pub fn measure(args: &BenchArgs, done: &mut dyn FnMut(Row) -> Result<()>) -> Result<()> {
    let jobs = jobs(&args.units, &args.blocks, &args.sizes)?;
    let lines = Lines::new();
    let mut progress = |line: &str| lines.show(line);
    weft_synth::ensure_tools(Target::Ecp5, &mut progress).context("area: tools")?;
    let mut failed = Vec::new();
    println!("{}", weft_synth::markdown_header());
    let commit = Toolbox::here().commit();
    for Job {
        design,
        mapper,
        block,
    } in jobs
    {
        let mut name = size::title(&design);
        if block == Some(WHOLE) {
            name = format!("{name} {WHOLE}");
            match whole(&design, args.seeds, &commit, &mut progress) {
                Ok(row) => {
                    println!("{name}: {:.1} MHz", row.mhz);
                    done(Row::Block(row))?;
                }
                Err(error) => {
                    eprintln!("{name}: {error:#}");
                    failed.push(name);
                }
            }
            continue;
        }
        let verilog = weft_generate::verilog(&design)?;
        let text = verilog.bundle();
        let mut top = &*verilog.top;
        if let Some(block) = block {
            let module = verilog.block(block);
            top = module.with_context(|| format!("{name} has no block {block}"))?;
            name = format!("{name} {block}");
        }
        let mut request = Request::new(&name, Target::Ecp5, &text, top);
        request.seeds = args.seeds;
        request.mapper = mapper;
        match weft_synth::synthesize(&request, &mut progress) {
            Ok(report) => {
                println!("{}", report.markdown_row());
                done(match block {
                    None => Row::Unit(Area::new(&design, report)),
                    Some(block) => Row::Block(Block {
                        name: block.into(),
                        warps: design.value("warps"),
                        threads: design.value("threads"),
                        lanes: design.value("lanes"),
                        mhz: report.fmax_mhz.median,
                        lut4: Some(report.lut4),
                        ff: Some(report.ff),
                        bram: Some(report.bram),
                        path: Some(CriticalPath::of(&report.critical_path)),
                        commit: commit.clone(),
                    }),
                })?;
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

/// The SM in its board top, mapped by its blocks, placed and routed; the best of so many seeds.
fn whole(
    design: &Design,
    seeds: u32,
    commit: &str,
    progress: &mut dyn FnMut(&str),
) -> Result<Block> {
    let (warps, threads) = (design.value("warps"), design.value("threads"));
    let lanes = design.value("lanes");
    let shapes = [Shape::TINY, Shape::COMPACT, Shape::SMALL, Shape::DEFAULT];
    let same = |s: &Shape| (s.warps, s.threads, s.lanes) == (warps, threads, lanes);
    let shape = shapes.into_iter().find(same);
    let shape = shape.context("no board top has this size")?;
    let report = board::place(shape, ENOUGH, seeds, progress)?;
    let used = |cell: &str| report.used.get(cell).map(|u| u.used);
    Ok(Block {
        name: WHOLE.into(),
        warps,
        threads,
        lanes,
        mhz: (report.fmax() * 10.0).round() / 10.0,
        // Of a placed design only cells that hold carries and LUT RAM, too.
        lut4: None,
        ff: used("TRELLIS_FF"),
        bram: used("DP16KD"),
        path: Some(CriticalPath::of(&report.critical_path)),
        commit: commit.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_is_measured_in_its_default_size_and_nothing_twice() {
        let all = jobs(&[], &[], &[]).unwrap();
        // A token memory is block RAM and nothing else; task management does not grow with warps; the GPU is its parts.
        let without = [Unit::TokenMemory, Unit::Tasks, Unit::Gpu];
        for &unit in Unit::ALL.iter().filter(|u| !without.contains(u)) {
            // Of the SM what fits the device, block by block and as a whole.
            let (name, count) = match unit {
                Unit::Sm => ("8x4", BLOCKS.len() + 1),
                _ => ("default", 1),
            };
            let default = size::choose(unit, name, Overrides::default()).unwrap();
            let of = |j: &&Job| j.design == default.design;
            assert_eq!(all.iter().filter(of).count(), count, "{}", unit.top());
        }
        // tiny, small and max, and the windows.
        let control = jobs(&[Unit::Control], &[], &[]).unwrap();
        assert_eq!(control.len(), 3 + WINDOWS.len());
        assert!(all.len() > control.len());
        let one = jobs(&[Unit::Control], &[], &[Config::new(16, 32, 4, 2)]).unwrap();
        assert_eq!(one.len(), 1);
        assert!(jobs(&[Unit::Masks], &[], &[Config::new(4, 4, 2, 1)]).is_err());
        let launcher = jobs(&[], &["launcher".into()], &[]).unwrap();
        assert_eq!(launcher.len(), 2);
        assert!(jobs(&[], &["lancher".into()], &[]).is_err());
    }
}
