//! `weft bench`: everything that is measured, compared with the baseline, as JSON, page and pictures.

mod area;
mod around;
mod book;
mod compare;
mod distance;
mod float_area;
mod host;
mod issue;
mod kernels;
mod masks;
mod plot;
pub mod report;
mod sm;
mod time;

use crate::cli::{BenchArgs, Section};
use crate::engines::machine;
use crate::outputs;
use crate::report::write_json;
use crate::size;
use anyhow::{bail, ensure, Context, Result};
use clap::ValueEnum;
use report::{Report, Timed};
use std::path::Path;
use weft_generate::{Config, Design, Unit};
use weft_testbench::bench::{self, SpeedOptions};
use weft_testbench::dut::{available, RtlKind};
use weft_toolbox::Toolbox;

/// Where the figures of this checkout are kept.
const BASELINE: &str = "benches/baseline.json";

pub fn run(args: &BenchArgs) -> Result<()> {
    let path = match &args.baseline {
        Some(path) => path.clone(),
        None => Toolbox::here().root().join(BASELINE),
    };
    let baseline = match path.exists() {
        true => Some(read(&path, "--baseline")?),
        false if args.baseline.is_some() && !args.update => {
            bail!("--baseline: there is no {}", path.display())
        }
        false => None,
    };
    let mut whole = baseline.clone().unwrap_or_default();
    let mut measured = Report {
        weft: env!("CARGO_PKG_VERSION").into(),
        ..Report::default()
    };
    let mut incomplete = None;
    if let Some(from) = &args.from {
        measured = read(from, "--from")?;
    } else {
        let sections = sections(args)?;
        check(args, &sections)?;
        // Nothing that has taken an hour is lost because of what comes behind it.
        let mut keep = |report: &Report| save(args, report, &mut whole, &path);
        let before = baseline.as_ref();
        incomplete = measure(args, &sections, before, &mut measured, &mut keep).err();
    }
    save(args, &measured, &mut whole, &path)?;
    match &baseline {
        Some(baseline) => {
            let comparison = compare::compare(baseline, &measured);
            println!("{}: {}", path.display(), comparison.text());
        }
        None => println!("nothing to compare with: there is no {}", path.display()),
    }
    // Of what is in the baseline now, or of what was measured alone.
    let shown = if args.update { &whole } else { &measured };
    if let Some(to) = &args.book {
        let text = book::page(shown);
        outputs::write("--book", to, text)?;
    }
    if let Some(directory) = &args.plots {
        let drawn = plot::draw(shown, directory)?;
        println!("{}: {}", directory.display(), drawn.join(", "));
    }
    match incomplete {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

fn read(path: &Path, option: &str) -> Result<Report> {
    let what = || format!("{option} {}", path.display());
    let text = weft_isa::files::read_text(path).with_context(what)?;
    serde_json::from_str(&text).with_context(what)
}

/// Writes what there is so far.
fn save(args: &BenchArgs, measured: &Report, whole: &mut Report, baseline: &Path) -> Result<()> {
    if let Some(path) = &args.json {
        write_json(path, measured)?;
    }
    if args.update {
        whole.put(measured);
        if let Some(folder) = baseline.parent() {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("--baseline {}", baseline.display()))?;
        }
        write_json(baseline, whole)?;
    }
    Ok(())
}

/// What is to be measured, in the order of [`Section`].
pub fn sections(args: &BenchArgs) -> Result<Vec<Section>> {
    let asked = |section: &Section| match args.only.as_slice() {
        [] if matches!(section, Section::SmSpeed | Section::SmTime) => false,
        [] => args.all || !matches!(section, Section::Area | Section::FloatArea | Section::Sm),
        only => only.contains(section),
    };
    let all = Section::value_variants().iter().copied();
    let sections: Vec<_> = all
        .filter(asked)
        .filter(|section| !args.skip.contains(section))
        .collect();
    ensure!(!sections.is_empty(), "--only, --skip: nothing is left");
    Ok(sections)
}

/// All that can be wrong is found before the first section.
fn check(args: &BenchArgs, sections: &[Section]) -> Result<()> {
    ensure!(args.programs > 0, "--programs: at least one");
    ensure!(args.cycles > 0, "--cycles: at least one");
    ensure!(args.rounds > 0, "--rounds: at least one");
    ensure!(args.seeds > 0, "--seeds: at least one");
    let kind = machine::kind(args.engine);
    let simulated = [Section::Control, Section::Kernels, Section::Speed];
    if sections.iter().any(|s| simulated.contains(s)) {
        available(kind)?;
        let control = Design::of(Unit::Control, config(args), false);
        control.context("--warps, --threads, --window")?;
    }
    let verilated = [
        Section::Barrier,
        Section::Issue,
        Section::Sm,
        Section::SmSpeed,
        Section::SmTime,
    ];
    let asked = sections.iter().find(|s| verilated.contains(s));
    if let Some(section) = asked {
        ensure!(
            kind == RtlKind::Verilated && available(RtlKind::Verilated).is_ok(),
            "{} runs on Verilated models only; `cargo weft doctor` says whether they can be had",
            section.name()
        );
    }
    Ok(())
}

fn config(args: &BenchArgs) -> Config {
    size::with_window(args.warps, args.threads, args.window)
}

/// Fills `report`; `keep` is called whenever there is more in it that took long.
fn measure(
    args: &BenchArgs,
    sections: &[Section],
    baseline: Option<&Report>,
    report: &mut Report,
    keep: &mut dyn FnMut(&Report) -> Result<()>,
) -> Result<()> {
    let kind = machine::kind(args.engine);
    for section in sections {
        let what = || section.name();
        match section {
            Section::Control => {
                let figures = bench::control(kind, config(args)).with_context(what)?;
                println!("{figures}");
                report.control = Some(figures);
            }
            Section::Barrier => {
                let figures = bench::barrier().map_err(anyhow::Error::msg);
                let figures = figures.with_context(what)?;
                println!("{figures}\n");
                report.barrier = Some(figures);
            }
            Section::Kernels => {
                report.kernels = Some(kernels::measure(kind).with_context(what)?);
                println!();
            }
            Section::Issue => {
                report.issue = Some(issue::measure().with_context(what)?);
                println!();
            }
            Section::Masks => {
                let figures = masks::MasksReport::measure().with_context(what)?;
                println!("{}", figures.text());
                report.masks = Some(figures);
            }
            Section::Sm => {
                let mut figures = sm::SmFigures::measure(args.rounds).with_context(what)?;
                let before = baseline.and_then(|b| b.sm.as_ref());
                if let Some(before) = before {
                    figures.times.clone_from(&before.times);
                    figures.distances.clone_from(&before.distances);
                }
                report.sm = Some(figures);
                // Before what takes longest.
                keep(report)?;
                times(args, baseline, report, keep).with_context(what)?;
            }
            Section::SmSpeed => {
                let figures = baseline.and_then(|b| b.sm.clone());
                let mut figures = figures.context("sm-speed: the baseline has no figures of sm")?;
                figures.speed = sm::SmSpeed::measure(args.rounds).with_context(what)?;
                report.sm = Some(figures);
            }
            Section::SmTime => {
                if report.sm.is_none() {
                    let figures = baseline.and_then(|b| b.sm.clone());
                    report.sm =
                        Some(figures.context("sm-time: the baseline has no figures of sm")?);
                }
                times(args, baseline, report, keep).with_context(what)?;
            }
            Section::Speed => {
                let options = SpeedOptions {
                    kind,
                    config: config(args),
                    bare_cycles: args.cycles,
                    programs: args.programs,
                    seed: args.seed,
                    rounds: args.rounds,
                };
                let host = host::Host::here();
                let speed = bench::speed(&options).with_context(what)?;
                println!("{speed}\n");
                report.speed = Some(Timed { host, speed });
            }
            Section::Area => {
                area::measure(args, &mut |row| {
                    match row {
                        area::Row::Unit(row) => report.area.push(row),
                        area::Row::Block(row) => report.blocks.push(row),
                    }
                    keep(report)
                })?;
            }
            Section::FloatArea => {
                float_area::measure(args, &mut |row| {
                    report.float_area.push(row);
                    keep(report)
                })?;
            }
        }
        keep(report)?;
    }
    Ok(())
}

/// What kernels take on an FPGA; then the tables of it, with the clocks that the baseline has.
fn times(
    args: &BenchArgs,
    baseline: Option<&Report>,
    report: &mut Report,
    keep: &mut dyn FnMut(&Report) -> Result<()>,
) -> Result<()> {
    let distances = distance::measure()?;
    if let Some(sm) = &mut report.sm {
        sm.distances = distances;
    }
    keep(report)?;
    time::measure(args.full, &mut |setting| {
        if let Some(sm) = &mut report.sm {
            sm.put(setting);
        }
        keep(report)
    })?;
    let shown = Report {
        sm: report.sm.clone(),
        blocks: baseline.map_or(Vec::new(), |b| b.blocks.clone()),
        ..Report::default()
    };
    println!("{}", book::times(&shown));
    Ok(())
}
