//! `weft synth`: size and clock frequency of the hardware with open tools.

use crate::cli::SynthArgs;
use crate::progress::Lines;
use crate::report::write_json;
use crate::size;
use anyhow::{ensure, Context, Result};
use serde::Serialize;
use weft_synth::{SynthReport, Target};

#[derive(Serialize)]
struct Report<'a> {
    config: &'a str,
    /// Warps, threads, front and back places.
    size: String,
    /// Two instructions of a warp per cycle.
    dual: bool,
    #[serde(flatten)]
    synthesis: &'a SynthReport,
}

/// True unless `--at-least` is missed.
pub fn run(args: &SynthArgs) -> Result<bool> {
    ensure!(args.seeds > 0, "--seeds: at least one");
    let (unit, dual) = (args.unit.unit(), args.dual);
    let named = size::choose(
        (unit, dual),
        &args.config,
        args.warps,
        args.threads,
        args.window,
    )?;
    let verilog = weft_hdl::unit_verilog(unit, named.config, dual)?;
    let target: Target = args.target.into();
    let lines = Lines::new();
    let mut progress = |line: &str| lines.show(line);
    weft_synth::ensure_tools(target, &mut progress)
        .with_context(|| format!("tools for {target}"))?;
    let text = verilog.bundle();
    let name = format!(
        "{}-{}x{}{}",
        unit.top(),
        named.config.warps,
        named.config.threads,
        if dual { "-dual" } else { "" }
    );
    let mut request = weft_synth::Request::new(&name, target, &text, &verilog.top);
    request.seeds = args.seeds;
    request.mapper = args.mapper.into();
    let report = weft_synth::synthesize(&request, &mut progress)
        .with_context(|| format!("synthesis of {name}"))?;
    lines.end();

    print(&report);
    if let Some(path) = &args.json {
        write_json(
            path,
            &Report {
                config: &named.name,
                size: named.config.to_string(),
                dual,
                synthesis: &report,
            },
        )?;
    }
    let fast_enough = args
        .at_least
        .is_none_or(|mhz| report.fmax_mhz.median >= mhz);
    if !fast_enough {
        let wanted = args.at_least.unwrap_or_default();
        eprintln!(
            "median Fmax {:.1} MHz is below {wanted} MHz",
            report.fmax_mhz.median
        );
    }
    Ok(fast_enough)
}

fn print(report: &SynthReport) {
    println!("{} on {}, {}", report.name, report.part, report.flow);
    println!(
        "{}\n{}\n",
        weft_synth::markdown_header(),
        report.markdown_row()
    );
    println!("critical path:\n{}", report.critical_path_text().trim_end());
    let tools = &report.tools;
    println!(
        "\nyosys {}, nextpnr {}, {:.0} s; harness not counted",
        tools.yosys, tools.nextpnr, report.seconds
    );
}
