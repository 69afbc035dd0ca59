//! `weft synth --board`: the self-test for a board, as Verilog with constraints and, where the open tools know the
//! part, as a bitstream.

pub mod golden;
mod sm;

use crate::cli::SynthArgs;
use crate::outputs;
use crate::progress::Lines;
use crate::report::write_json;
use anyhow::{bail, Context, Result};
use clap::ValueEnum as _;
use golden::golden;
use std::path::{Path, PathBuf};
use weft_generate::{Config, Design, Verilog};
use weft_synth::{Board, BoardReport, Target};
use weft_testbench::sm::Shape;

/// Size of the control plane on a board.
pub fn size(board: Board) -> Config {
    match board {
        Board::Ulx3s | Board::OrangeCrab | Board::ArtyA7 => Config::new(16, 32, 8, 2),
        // 4 warps need 5,522 of the 5,280 logic cells, even with this window: memories that are read in the same cycle
        // are flip-flops there.
        Board::IceBreaker => Config::new(2, 4, 2, 1),
    }
}

/// Whether button, LEDs of the result and LED of the clock are active when low, as in the comments of `constraints/`.
fn low(board: Board) -> [bool; 3] {
    match board {
        Board::Ulx3s | Board::ArtyA7 => [false, false, false],
        Board::OrangeCrab => [true, true, true],
        Board::IceBreaker => [true, true, false],
    }
}

/// Name of the top module.
pub fn top(board: Board) -> String {
    format!("weft_{board}")
}

/// The top, with the signature of the golden model in it.
pub fn verilog(board: Board) -> Result<Verilog> {
    let golden = golden(size(board)).context("signature of the self-test")?;
    let (size, low) = (size(board), low(board).map(u64::from));
    let design = Design::board(
        &top(board),
        &[
            ("warps", size.warps as u64),
            ("threads", size.threads as u64),
            ("front", size.front as u64),
            ("back", size.back as u64),
            ("clock_hz", board.clock_hz().into()),
            ("button_low", low[0]),
            ("result_low", low[1]),
            ("beat_low", low[2]),
            ("golden", golden.signature.into()),
        ],
    )?;
    Ok(weft_generate::verilog(&design)?)
}

/// What a board is made to be.
struct Content {
    top: String,
    text: String,
    /// Mapped apart from each other.
    blocks: &'static [&'static str],
    /// Of the control plane or the SM.
    size: String,
    /// In words.
    what: &'static str,
    /// The options that make it.
    command: String,
}

/// The self-test, or with `--sm` an SM and its kernel.
fn content(args: &SynthArgs, board: Board) -> Result<Content> {
    let command = format!("cargo weft synth --board {board}");
    let Some(size) = args.sm else {
        let verilog = verilog(board)?;
        return Ok(Content {
            text: verilog.bundle(),
            top: verilog.top,
            blocks: &[],
            size: size(board).to_string(),
            what: "self-test",
            command,
        });
    };
    if board != Board::Ulx3s {
        bail!("--sm: there is a board top with an SM for ulx3s only");
    }
    let name = size.to_possible_value().context("--sm")?;
    let shape = Shape::from(size);
    let clock = args
        .clock
        .map_or(String::new(), |mhz| format!(" --clock {mhz}"));
    Ok(Content {
        top: sm::top(board),
        blocks: &sm::BLOCKS,
        text: sm::text(board, shape, args.clock)?,
        size: shape.to_string(),
        what: "SM and kernel",
        command: format!("{command} --sm {}{clock}", name.get_name()),
    })
}

/// The SM of this shape in the board top of the ULX3S, with a PLL for so many MHz; the bitstream is in `target/board/ulx3s`.
pub fn place(
    shape: Shape,
    mhz: u32,
    seeds: u32,
    progress: &mut dyn FnMut(&str),
) -> Result<BoardReport> {
    let board = Board::Ulx3s;
    let text = sm::text(board, shape, Some(mhz))?;
    weft_synth::ensure_board_tools(Target::Ecp5, progress)?;
    let output = directory(board);
    let (top, blocks) = (sm::top(board), &sm::BLOCKS);
    weft_synth::build(
        board,
        &text,
        (&top, blocks),
        (f64::from(mhz), seeds),
        &output,
        progress,
    )
}

/// Where a board's files go.
fn directory(board: Board) -> PathBuf {
    PathBuf::from("target/board").join(board.name())
}

/// True when the design is fast enough for the board's clock.
pub fn run(args: &SynthArgs) -> Result<bool> {
    let board: Board = args.board.context("--board: which one")?.into();
    let output = args.output.clone().unwrap_or_else(|| directory(board));
    if board.target().is_none() && !args.script_only {
        bail!(
            "--board {board}: the open tools here do not know {}; --script-only writes Verilog, constraints and a script for Vivado",
            board.part()
        );
    }
    let content = content(args, board)?;
    let script = write(board, &content, &output)?;
    if args.script_only {
        println!(
            "{}: {}, {} and pins, with {script}, in {}",
            content.top,
            content.size,
            content.what,
            output.display()
        );
        return Ok(true);
    }
    let lines = Lines::new();
    let mut progress = |line: &str| lines.show(line);
    if let Some(target) = board.target() {
        weft_synth::ensure_board_tools(target, &mut progress)
            .with_context(|| format!("tools for {target}"))?;
    }
    let report = weft_synth::build(
        board,
        &content.text,
        (&content.top, content.blocks),
        (
            args.clock
                .map_or(f64::from(board.clock_hz()) / 1e6, f64::from),
            args.seeds,
        ),
        &output,
        &mut progress,
    )
    .with_context(|| format!("bitstream for {board}"))?;
    lines.end();
    let page = page(&content, &report, &output);
    print!("{page}");
    if let Some(path) = &args.json {
        write_json(path, &report)?;
    }
    if let Some(path) = &args.markdown {
        let text = format!("# {board}\n\n`{}`\n\n{page}", content.command);
        outputs::write("--markdown", path, text)?;
    }
    if !report.met {
        eprintln!(
            "{:.1} MHz is below the clock of {} MHz; the longest path goes through\n{}",
            report.fmax(),
            report.clock_mhz,
            weft_synth::path_blocks(&report.critical_path).trim_end()
        );
    }
    Ok(report.met)
}

fn page(content: &Content, report: &BoardReport, output: &Path) -> String {
    format!(
        "{} on {}: {}\n\n{}\nFmax {:.1} MHz, clock {} MHz, {} placements tried\n\n\
         critical path:\n\n```text\n{}\n```\n\nby block:\n\n```text\n{}\n```\n\n{}\n{}, {} bytes\n\nyosys {}, {}; nextpnr {}; {}; {:.0} s\n",
        report.top,
        report.part,
        content.size,
        report.markdown(),
        report.fmax(),
        report.clock_mhz,
        report.fmax_mhz.len(),
        weft_synth::path_text(&report.critical_path).trim_end(),
        weft_synth::path_blocks(&report.critical_path).trim_end(),
        output.join(&report.report).display(),
        output.join(&report.bitstream).display(),
        report.bytes,
        report.tools.yosys,
        report.flow,
        report.tools.nextpnr,
        report.packer,
        report.seconds
    )
}

/// Verilog, constraints and a script; returns the script's name.
fn write(board: Board, content: &Content, output: &Path) -> Result<String> {
    let top = &content.top;
    let (pins, constraints) = board.constraints();
    let (name, script) = match board.target() {
        Some(target) => (format!("{top}.sh"), shell(board, top, target)),
        None => (format!("{top}.vivado.tcl"), vivado(board)),
    };
    let header = format!(
        "// Weft {}: {} for {board} ({})\n// Made by: {} -o DIR\n\
         // Copyright (c) 2026 The Weft contributors\n// SPDX-License-Identifier: MIT\n",
        env!("CARGO_PKG_VERSION"),
        content.what,
        content.size,
        content.command,
    );
    std::fs::create_dir_all(output).with_context(|| format!("-o {}", output.display()))?;
    let files = [
        (format!("{top}.v"), header + &content.text),
        (pins.to_string(), constraints.to_string()),
        (name.clone(), script),
    ];
    for (name, text) in files {
        outputs::write("-o", &output.join(name), text)?;
    }
    Ok(name)
}

/// The same steps with tools on PATH.
fn shell(board: Board, top: &str, target: Target) -> String {
    let pack = match target {
        Target::Ecp5 => format!("ecppack --compress {top}.placed {top}.bit"),
        Target::Ice40 => format!("icepack {top}.placed {top}.bin"),
    };
    format!(
        "#!/bin/sh\n# The bitstream from {top}.v, with Yosys and nextpnr on PATH.\nset -e\ncd \"$(dirname \"$0\")\"\n\
         yosys -p '{} -top {top} -json {top}.json' {top}.v\n\
         nextpnr-{target} {} --json {top}.json\n{pack}\n",
        board.synthesis(),
        board.placement(&format!("{top}.placed")),
    )
}

fn vivado(board: Board) -> String {
    let top = top(board);
    let (pins, _) = board.constraints();
    format!(
        "# UNTESTED in Vivado. Run in this directory: vivado -mode batch -source {top}.vivado.tcl\n\
         set here [file dirname [file normalize [info script]]]\n\
         read_verilog [file join $here {top}.v]\n\
         read_xdc [file join $here {pins}]\n\n\
         synth_design -top {top} -part xc7a35ticsg324-1L\n\
         opt_design\n\
         place_design\n\
         route_design\n\
         report_utilization -file [file join $here utilization.txt]\n\
         report_timing_summary -file [file join $here timing.txt]\n\
         write_bitstream -force [file join $here {top}.bit]\n"
    )
}
