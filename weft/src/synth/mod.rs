//! `weft synth`: size and clock frequency of the hardware with open tools, in gates, or as a bitstream for a board.

mod report;

use crate::board;
use crate::cli::{MapperName, SynthArgs, TargetName};
use crate::outputs;
use crate::progress::Lines;
use crate::report::write_json;
use crate::size::{self, Overrides};
use anyhow::{bail, ensure, Context, Result};
use report::{Figures, Measured};
use weft_synth::Target;
use weft_verilog::Verilog;

/// True unless `--at-least` is missed.
pub fn run(args: &SynthArgs) -> Result<bool> {
    ensure!(args.seeds > 0, "--seeds: at least one");
    let Some(target) = args.target else {
        return board::run(args);
    };
    // clap does not ask for --board where it would be in conflict with the target.
    ensure!(
        !args.script_only && args.output.is_none() && args.sm.is_none(),
        "--script-only, --output and --sm are for --board"
    );
    let family = match target {
        TargetName::Ecp5 => Some(Target::Ecp5),
        TargetName::Ice40 => Some(Target::Ice40),
        TargetName::Gates => None,
    };
    ensure!(
        family.is_some() || args.at_least.is_none(),
        "--at-least: gates have no clock frequency, only a depth"
    );
    ensure!(
        family.is_some() || !args.by_block,
        "--by-block: for ecp5 and ice40"
    );
    // All that can be wrong is found before the first of the slow steps.
    let mut requests = Vec::new();
    for unit in &args.unit {
        for config in &args.config {
            let given = Overrides {
                dual: args.dual,
                warps: args.warps,
                threads: args.threads,
                window: args.window,
                set: &args.set,
                ..Overrides::default()
            };
            requests.push((*unit, size::choose(*unit, config, given)?));
        }
    }
    let lines = Lines::new();
    let mut progress = |line: &str| lines.show(line);
    match family {
        Some(target) => weft_synth::ensure_tools(target, &mut progress)
            .with_context(|| format!("tools for {target}"))?,
        None => weft_synth::ensure_yosys(&mut progress).context("tools for gates")?,
    }
    let mut all = Vec::new();
    let mut tables = Vec::new();
    for (unit, named) in requests {
        let name = size::title(&named.design);
        let verilog = weft_generate::verilog(&named.design)?;
        let text = verilog.bundle();
        if let (Some(target), true) = (family, args.by_block) {
            let mut request = weft_synth::Request::new(&name, target, &text, &verilog.top);
            request.mapper = args.mapper.into();
            let blocks = weft_synth::blocks(&request, &mut progress)
                .with_context(|| format!("synthesis of {name}"))?;
            tables.push(weft_synth::blocks_markdown(&name, &blocks));
            continue;
        }
        for part in parts(&verilog, &name, &args.block)? {
            let (name, top) = (&part.title, part.module);
            let figures = match family {
                Some(target) => {
                    let mut request = weft_synth::Request::new(name, target, &text, top);
                    request.seeds = args.seeds;
                    request.mapper = args.mapper.into();
                    weft_synth::synthesize(&request, &mut progress).map(Figures::Fpga)
                }
                None => weft_synth::gates(name, &text, top, &mut progress).map(Figures::Gates),
            };
            all.push(Measured {
                unit,
                block: part.block.map(str::to_string),
                named: named.clone(),
                figures: figures.with_context(|| format!("synthesis of {name}"))?,
            });
        }
    }
    lines.end();

    if args.by_block {
        println!("{}", tables.join("\n"));
        return Ok(true);
    }
    let text = report::markdown(&all);
    print!("{text}");
    if let Some(path) = &args.json {
        write_json(path, &report::json(&all))?;
    }
    if let Some(path) = &args.markdown {
        let text = format!("# Synthesis\n\n`{}`\n\n{text}", command(target, args));
        outputs::write("--markdown", path, text)?;
    }
    let Some(wanted) = args.at_least else {
        return Ok(true);
    };
    let mut fast_enough = true;
    for measured in &all {
        let Figures::Fpga(figures) = &measured.figures else {
            bail!("--at-least: gates have no clock frequency");
        };
        let median = figures.fmax_mhz.median;
        if median < wanted {
            fast_enough = false;
            eprintln!(
                "{}: median Fmax {median:.1} MHz is below {wanted} MHz",
                figures.name
            );
        }
    }
    Ok(fast_enough)
}

/// What is measured of a unit: all of it, or one of its blocks.
struct Part<'a> {
    module: &'a str,
    block: Option<&'a str>,
    title: String,
}

fn parts<'a>(verilog: &'a Verilog, title: &str, blocks: &'a [String]) -> Result<Vec<Part<'a>>> {
    if blocks.is_empty() {
        return Ok(vec![Part {
            module: &verilog.top,
            block: None,
            title: title.to_string(),
        }]);
    }
    let part = |block: &'a String| {
        let module = verilog.block(block).with_context(|| {
            format!(
                "--block {block}: {} has no block of this name; `cargo weft verilog` shows them as {}_…",
                verilog.top, verilog.top
            )
        })?;
        Ok(Part {
            module,
            block: Some(block),
            title: format!("{title} {block}"),
        })
    };
    blocks.iter().map(part).collect()
}

/// What makes the same figures again.
fn command(target: TargetName, args: &SynthArgs) -> String {
    let names = |list: Vec<String>| list.join(",");
    let units = args.unit.iter().map(|u| u.name().to_string());
    let mut text = format!(
        "cargo weft synth {} --config {} --unit {}",
        match target {
            TargetName::Ecp5 => "ecp5",
            TargetName::Ice40 => "ice40",
            TargetName::Gates => "gates",
        },
        names(args.config.clone()),
        names(units.collect()),
    );
    let mut option = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            text.push_str(&format!(" --{name} {value}"));
        }
    };
    option("warps", args.warps.map(|n| n.to_string()));
    option("threads", args.threads.map(|n| n.to_string()));
    let window = args.window.map(|w| format!("{},{}", w.front, w.back));
    option("window", window);
    for (name, value) in &args.set {
        option("set", Some(format!("{name}={value}")));
    }
    let blocks = (!args.block.is_empty()).then(|| names(args.block.clone()));
    option("block", blocks);
    if target != TargetName::Gates {
        let mapper = match args.mapper {
            MapperName::Auto => None,
            MapperName::Plain => Some("plain".into()),
            MapperName::Small => Some("small".into()),
        };
        option("mapper", mapper);
        option("seeds", Some(args.seeds.to_string()));
    }
    if args.dual {
        text.push_str(" --dual");
    }
    text
}
