//! Boards: part, pins and clock, and the way to a bitstream where the open tools know the part.

use crate::apart;
use crate::flow::{ensure_tools, map_with, nextpnr, Mapper, NETLIST, WIRES};
use crate::place::Placement;
use crate::report::{grouped, PathStep, ToolVersions};
use crate::target::Target;
use crate::tool;
use anyhow::{anyhow, bail, Context, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::Path;
use std::time::Instant;
use weft_toolbox::{Tool, Toolbox};

/// The placement of the seeds so far that is fastest, and nextpnr's report of it.
const BEST: &str = "best";
const BEST_REPORT: &str = "best.json";

/// A board with a constraints file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Board {
    Ulx3s,
    OrangeCrab,
    IceBreaker,
    /// Known to no open tool that is used here.
    ArtyA7,
}

impl Board {
    pub const ALL: [Board; 4] = [
        Board::Ulx3s,
        Board::OrangeCrab,
        Board::IceBreaker,
        Board::ArtyA7,
    ];

    /// As in the name of its constraints file.
    pub const fn name(self) -> &'static str {
        match self {
            Board::Ulx3s => "ulx3s",
            Board::OrangeCrab => "orangecrab",
            Board::IceBreaker => "icebreaker",
            Board::ArtyA7 => "arty_a7",
        }
    }

    /// The part as a person writes it.
    pub const fn part(self) -> &'static str {
        match self {
            Board::Ulx3s => "LFE5U-85F CABGA381, speed grade 6",
            Board::OrangeCrab => "LFE5U-25F CSFBGA285, speed grade 8",
            Board::IceBreaker => "iCE40UP5K SG48",
            Board::ArtyA7 => "XC7A35T CSG324, speed grade 1L",
        }
    }

    /// `None`: no bitstream can be made here.
    pub const fn target(self) -> Option<Target> {
        match self {
            Board::Ulx3s | Board::OrangeCrab => Some(Target::Ecp5),
            Board::IceBreaker => Some(Target::Ice40),
            Board::ArtyA7 => None,
        }
    }

    /// Name and text of its constraints file.
    pub const fn constraints(self) -> (&'static str, &'static str) {
        match self {
            Board::Ulx3s => ("ulx3s.lpf", include_str!("../../constraints/ulx3s.lpf")),
            Board::OrangeCrab => (
                "orangecrab.lpf",
                include_str!("../../constraints/orangecrab.lpf"),
            ),
            Board::IceBreaker => (
                "icebreaker.pcf",
                include_str!("../../constraints/icebreaker.pcf"),
            ),
            Board::ArtyA7 => ("arty_a7.xdc", include_str!("../../constraints/arty_a7.xdc")),
        }
    }

    /// Frequency of the clock pin.
    pub const fn clock_hz(self) -> u32 {
        match self {
            Board::Ulx3s => 25_000_000,
            Board::OrangeCrab => 48_000_000,
            Board::IceBreaker => 12_000_000,
            Board::ArtyA7 => 100_000_000,
        }
    }

    /// The control plane of the iCE40 board is mapped as the target's command does: its option for small parts goes with
    /// no mapper.
    fn mapper(self) -> Mapper {
        match self {
            Board::IceBreaker => Mapper::Auto,
            _ => Mapper::Small,
        }
    }

    fn mapping(self) -> &'static str {
        match self {
            Board::IceBreaker => " -device u",
            _ => "",
        }
    }

    /// Command of Yosys, for tools on PATH.
    pub fn synthesis(self) -> String {
        let target = self.target().map_or("", Target::name);
        format!("synth_{target}{}", self.mapping())
    }

    /// Arguments of nextpnr, for tools on PATH; the placed design goes to `output`.
    pub fn placement(self, output: &str) -> String {
        self.nextpnr_arguments().join(" ").replace("placed", output)
    }

    fn nextpnr_arguments(self) -> &'static [&'static str] {
        match self {
            Board::Ulx3s => &[
                "--85k",
                "--package",
                "CABGA381",
                "--speed",
                "6",
                "--lpf",
                "ulx3s.lpf",
                "--textcfg",
                "placed",
            ],
            Board::OrangeCrab => &[
                "--25k",
                "--package",
                "CSFBGA285",
                "--speed",
                "8",
                "--lpf",
                "orangecrab.lpf",
                "--textcfg",
                "placed",
            ],
            Board::IceBreaker => &[
                "--up5k",
                "--package",
                "sg48",
                "--pcf",
                "icebreaker.pcf",
                "--freq",
                "12",
                "--asc",
                "placed",
            ],
            Board::ArtyA7 => &[],
        }
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How a kind of cell is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Utilisation {
    pub used: u64,
    pub available: u64,
}

/// One design on one board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoardReport {
    pub board: Board,
    pub part: String,
    pub top: String,
    /// Yosys's synthesis command.
    pub flow: String,
    /// What the design's clock demands: the board's, or what a PLL makes of it.
    pub clock_mhz: f64,
    /// Of each seed that was tried, from 1 on; the best one is in the bitstream.
    pub fmax_mhz: Vec<f64>,
    /// The best one is enough for the clock.
    pub met: bool,
    /// By nextpnr's type of cell; those of which none is used are left out.
    pub used: BTreeMap<String, Utilisation>,
    pub critical_path: Vec<PathStep>,
    /// Name of nextpnr's own report, with all its paths.
    pub report: String,
    /// Name and size of the bitstream.
    pub bitstream: String,
    pub bytes: u64,
    pub tools: ToolVersions,
    pub packer: String,
    pub seconds: f64,
}

impl BoardReport {
    pub fn fmax(&self) -> f64 {
        self.fmax_mhz.iter().copied().fold(0.0, f64::max)
    }

    /// A table of the cells.
    pub fn markdown(&self) -> String {
        let mut text = String::from("| cells | used | of |\n| --- | --- | --- |\n");
        for (cell, Utilisation { used, available }) in &self.used {
            text.push_str(&format!(
                "| {cell} | {} | {} |\n",
                grouped(*used),
                grouped(*available)
            ));
        }
        text
    }
}

/// Synthesis, placement, routing, bitstream; `seeds` placements at most, until one is fast enough for `clock_mhz`.
/// Bitstream and nextpnr's report go to `output`, also when the clock is missed: then the report says by what.
///
/// `blocks`: modules that are mapped apart from each other.
pub fn build(
    board: Board,
    verilog: &str,
    (top, blocks): (&str, &[&str]),
    (clock_mhz, seeds): (f64, u32),
    output: &Path,
    progress: &mut dyn FnMut(&str),
) -> Result<BoardReport> {
    let start = Instant::now();
    let Some(target) = board.target() else {
        bail!("{board}: no open tool here makes a bitstream for {}; --script-only writes what Vivado needs", board.part());
    };
    let toolbox = Toolbox::here();
    let yosys = tool::yosys(&toolbox)?;
    let nextpnr = nextpnr(&toolbox, target)
        .ok_or_else(|| anyhow!("nextpnr-{target} is not there; `cargo xtask setup` installs it"))?;
    let packer = packer(&toolbox, target)?;
    let dir = tool::work_dir(&toolbox, top, board.name())?;
    fs::write(dir.join("design.v"), verilog).context("writing design.v")?;
    let (pins, text) = board.constraints();
    fs::write(dir.join(pins), text).with_context(|| format!("writing {pins}"))?;

    if let Some(block) = apart::missing(verilog, blocks) {
        bail!("{top}: there is no module {block} to be mapped apart");
    }
    let tries = WIRES.map(|wire| format!("{wire}-netlist.json"));
    for name in tries.iter().filter(|name| dir.join(name).exists()) {
        fs::remove_file(dir.join(name)).with_context(|| format!("removing {name}"))?;
    }
    let mapped = map_with(
        (top, top),
        (target, board.mapper(), board.mapping()),
        &yosys,
        &dir,
        &format!(
            "read_verilog design.v\n{}@FLOW@\n{NETLIST}\n",
            apart::keep(top, blocks)
        ),
        &["netlist.json"],
        progress,
    )?;
    if !blocks.is_empty() {
        // The better one as a whole has its name by now.
        let other = tries.iter().find(|name| dir.join(name).exists());
        let other = other.map(String::as_str);
        apart::join(&yosys, &dir, top, other, progress)?;
    }

    let mut fmax_mhz = Vec::new();
    let mut best: Option<Placement> = None;
    let placement = loop {
        let seed = fmax_mhz.len() as u32 + 1;
        progress(&format!(
            "{top}: {} {}, seed {seed}",
            nextpnr.name, nextpnr.version
        ));
        let seed_text = seed.to_string();
        let mut arguments = board.nextpnr_arguments().to_vec();
        arguments.extend(["--timing-allow-fail", "--quiet", "--seed", &seed_text]);
        arguments.extend(["--json", "netlist.json"]);
        tool::run_nextpnr(&nextpnr, &dir, "nextpnr", &arguments, "report.json")?;
        let placement = Placement::parse(&fs::read_to_string(dir.join("report.json"))?)?;
        fmax_mhz.push(placement.fmax_mhz);
        progress(&format!(
            "{top}: seed {seed}, {:.1} MHz",
            placement.fmax_mhz
        ));
        if best
            .as_ref()
            .is_none_or(|b| placement.fmax_mhz > b.fmax_mhz)
        {
            for (from, to) in [("placed", BEST), ("report.json", BEST_REPORT)] {
                fs::rename(dir.join(from), dir.join(to))
                    .with_context(|| format!("keeping {from}"))?;
            }
            best = Some(placement);
        }
        if let Some(best) = best.take_if(|b| b.fmax_mhz >= clock_mhz || seed >= seeds) {
            break best;
        }
    };
    fs::create_dir_all(output).with_context(|| format!("-o {}", output.display()))?;
    let report = format!("{top}.nextpnr.json");
    fs::copy(dir.join(BEST_REPORT), output.join(&report))
        .with_context(|| format!("writing {}", output.join(&report).display()))?;
    let bitstream = pack(&packer, target, &dir, top, progress)?;
    let bytes = fs::copy(dir.join(&bitstream), output.join(&bitstream))
        .with_context(|| format!("writing {}", output.join(&bitstream).display()))?;
    let used = placement.used.iter().filter(|(_, used)| **used > 0);
    let used = used.map(|(cell, &used)| {
        let available = placement.available.get(cell).copied().unwrap_or(0);
        (cell.clone(), Utilisation { used, available })
    });
    let version = |tool: &Tool| format!("{} {}", tool.name, tool.version);
    Ok(BoardReport {
        board,
        part: board.part().into(),
        top: top.into(),
        flow: mapped.0,
        clock_mhz,
        met: placement.fmax_mhz >= clock_mhz,
        fmax_mhz,
        used: used.collect(),
        critical_path: placement.critical_path.clone(),
        report,
        bitstream,
        bytes,
        tools: ToolVersions {
            yosys: version(&yosys),
            nextpnr: version(&nextpnr),
        },
        packer: version(&packer),
        seconds: start.elapsed().as_secs_f64(),
    })
}

/// Installs what a board needs, if it is not there.
pub fn ensure_board_tools(target: Target, progress: &mut dyn FnMut(&str)) -> Result<()> {
    ensure_tools(target, progress)?;
    let toolbox = Toolbox::here();
    if packer(&toolbox, target).is_err() {
        toolbox.install(target.nextpnr_group(), progress)?;
    }
    Ok(())
}

/// What makes the bitstream.
///
/// # Errors
/// When it is not there.
pub fn packer(toolbox: &Toolbox, target: Target) -> Result<Tool> {
    let (found, name) = match target {
        Target::Ecp5 => (toolbox.ecppack(), "ecppack"),
        Target::Ice40 => (toolbox.icepack(), "icepack"),
    };
    found.ok_or_else(|| anyhow!("{name} is not there; `cargo xtask setup` installs it"))
}

/// Makes the bitstream of the best placement; returns its name.
fn pack(
    packer: &Tool,
    target: Target,
    dir: &Path,
    top: &str,
    progress: &mut dyn FnMut(&str),
) -> Result<String> {
    let (name, options): (String, &[&str]) = match target {
        Target::Ecp5 => (format!("{top}.bit"), &["--compress"]),
        Target::Ice40 => (format!("{top}.bin"), &[]),
    };
    progress(&format!("{top}: {} {}", packer.name, packer.version));
    let _ = fs::remove_file(dir.join(&name));
    let output = packer
        .command()
        .current_dir(dir)
        .args(options)
        .args([BEST, &name])
        .output()
        .with_context(|| format!("starting {}", packer.path.display()))?;
    let written = fs::metadata(dir.join(&name)).map_or(0, |m| m.len());
    if !output.status.success() || written == 0 {
        bail!(
            "{} makes no bitstream ({}): {}",
            packer.name,
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    Ok(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ports of every board's top, and no others, each with one pin of its own.
    #[test]
    fn every_file_has_a_pin_for_each_port() {
        let ports = [
            "clock", "button", "led_pass", "led_fail", "led_beat", "uart_tx",
        ];
        for board in Board::ALL {
            let (name, text) = board.constraints();
            assert!(name.starts_with(board.name()));
            let mut pins: Vec<(String, String)> = Vec::new();
            for line in text.lines().filter(|l| !l.starts_with('#')) {
                let words: Vec<&str> = line.split_whitespace().collect();
                let plain = |word: &str| word.trim_matches(['"', ';']).to_string();
                match words.as_slice() {
                    ["LOCATE", "COMP", port, "SITE", pin] => pins.push((plain(port), plain(pin))),
                    ["set_io", .., port, pin] => pins.push((plain(port), plain(pin))),
                    ["set_property", "-dict", "{", "PACKAGE_PIN", pin, .., "{", port, "}]"] => {
                        pins.push((plain(port), plain(pin)))
                    }
                    _ => {}
                }
            }
            let mut named: Vec<&str> = pins.iter().map(|p| p.0.as_str()).collect();
            named.sort_unstable();
            let mut wanted = ports.to_vec();
            wanted.sort_unstable();
            assert_eq!(named, wanted, "{name}");
            let mut sites: Vec<&str> = pins.iter().map(|p| p.1.as_str()).collect();
            sites.sort_unstable();
            sites.dedup();
            assert_eq!(sites.len(), ports.len(), "{name}: {pins:?}");
            assert!(text.contains("Source: github.com/"), "{name}");
        }
    }

    #[test]
    fn clocks_are_as_in_the_files() {
        for board in [Board::Ulx3s, Board::OrangeCrab] {
            let line = format!(
                "FREQUENCY PORT \"clock\" {}.0 MHz;",
                board.clock_hz() / 1_000_000
            );
            assert!(board.constraints().1.contains(&line), "{board}");
        }
        assert!(Board::ArtyA7.constraints().1.contains("-period 10.000"));
        assert_eq!(Board::ArtyA7.clock_hz(), 100_000_000);
        let place = Board::IceBreaker.nextpnr_arguments();
        assert!(place.windows(2).any(|w| w == ["--freq", "12"]));
    }
}
