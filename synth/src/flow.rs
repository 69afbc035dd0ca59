//! Yosys, then nextpnr for some seeds.

use crate::check::{cell_counts, latches};
use crate::estimate::longest_path;
use crate::harness::{Harness, CAPTURE, STIMULUS, TOP};
use crate::place::Placement;
use crate::report::{Fmax, HarnessCells, SynthReport, ToolVersions};
use crate::target::Target;
use crate::{ports, tool};
use anyhow::{anyhow, bail, Context, Result};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::Mutex;
use std::time::Instant;
use weft_toolbox::{Group, Tool, Toolbox};

/// How LUTs are mapped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mapper {
    /// ABC9 as the target's command has it; if that ends without a result, [`Mapper::Plain`]. The report says which.
    #[default]
    Auto,
    /// The older ABC; on the ECP5 also without multiplexers wider than a LUT.
    Plain,
    /// ABC9 with its script `flow3`, which looks several times for less;
    /// on the ECP5 without wide multiplexers, and with wires that take 0.6 ns in place of
    /// 0.3 (placed, they take 0.9), or else a memory or a carry is long beside many gates.
    /// There it maps twice, also with 0.3 ns, and keeps the netlist whose longest path is the shorter one, estimated:
    /// for one design either may be twice as long as the other.
    Small,
}

/// What to measure, and how.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// Name of the measurement, in the report and of the work directory.
    pub name: &'a str,
    pub target: Target,
    /// Verilog of the module and all below it.
    pub verilog: &'a str,
    pub top: &'a str,
    /// Name of the clock input, if it is not `clock` or `clk`.
    pub clock: Option<&'a str>,
    pub mapper: Mapper,
    /// Number of placements, with seeds 1, 2, …
    pub seeds: u32,
    /// Placements at the same time. Each needs about 1 GB.
    pub jobs: usize,
}

impl<'a> Request<'a> {
    /// Three seeds, the target's own mapper, as many jobs as there are processors.
    pub fn new(name: &'a str, target: Target, verilog: &'a str, top: &'a str) -> Self {
        let jobs = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            name,
            target,
            verilog,
            top,
            clock: None,
            mapper: Mapper::default(),
            seeds: 3,
            jobs,
        }
    }
}

/// Installs Yosys, if it is not there.
pub fn ensure_yosys(progress: &mut dyn FnMut(&str)) -> Result<()> {
    let toolbox = Toolbox::here();
    if toolbox.yosys().is_none() {
        toolbox.install(Group::Yosys, progress)?;
    }
    Ok(())
}

/// Installs what a target needs, if it is not there.
pub fn ensure_tools(target: Target, progress: &mut dyn FnMut(&str)) -> Result<()> {
    ensure_yosys(progress)?;
    let toolbox = Toolbox::here();
    if nextpnr(&toolbox, target).is_none() {
        toolbox.install(target.nextpnr_group(), progress)?;
    }
    Ok(())
}

pub(crate) fn nextpnr(toolbox: &Toolbox, target: Target) -> Option<Tool> {
    match target {
        Target::Ecp5 => toolbox.nextpnr_ecp5(),
        Target::Ice40 => toolbox.nextpnr_ice40(),
    }
}

/// Measures a module. `progress` gets a line at each step.
pub fn synthesize(request: &Request, progress: &mut dyn FnMut(&str)) -> Result<SynthReport> {
    let start = Instant::now();
    let toolbox = Toolbox::here();
    let yosys = tool::yosys(&toolbox)?;
    let nextpnr = nextpnr(&toolbox, request.target).ok_or_else(|| {
        anyhow!(
            "nextpnr-{} is not there; `cargo xtask setup` installs it",
            request.target
        )
    })?;
    if request.seeds == 0 {
        bail!("at least one seed is needed");
    }
    let dir = tool::work_dir(&toolbox, request.name, request.target.name())?;
    let harness = prepare(request, &yosys, &dir)?;
    let (flow, cells) = map(request, &yosys, &dir, "netlist.json", progress)?;
    let placements = place(request, &nextpnr, &dir, progress)?;
    let fmax_mhz = Fmax::new(placements.iter().map(|p| p.fmax_mhz).collect());
    let distance = |p: &Placement| (p.fmax_mhz - fmax_mhz.median).abs();
    let typical = placements
        .iter()
        .min_by(|a, b| distance(a).total_cmp(&distance(b)))
        .context("no placement")?;

    let used = typical.used.get(request.target.logic_cell()).copied();
    let used =
        used.with_context(|| format!("nextpnr's report has no {}", request.target.logic_cell()))?;
    // On the iCE40 a logic cell has a flip-flop and the LUT before it; elsewhere they are counted apart.
    let harness_comb = match request.target {
        Target::Ecp5 => cells.harness.lut4,
        Target::Ice40 => cells.harness.ff,
    };
    Ok(SynthReport {
        name: request.name.into(),
        target: request.target,
        part: request.target.part().into(),
        top: request.top.into(),
        flow,
        lut4: cells.own.lut4,
        carry: cells.own.carry,
        comb: used.saturating_sub(harness_comb),
        ff: cells.own.ff,
        bram: cells.own.bram,
        lutram: cells.own.lutram,
        dsp: cells.own.dsp,
        fmax_mhz,
        critical_path: typical.critical_path.clone(),
        harness: HarnessCells {
            input_bits: harness.inputs,
            output_bits: harness.outputs,
            ff: cells.harness.ff,
            lut4: cells.harness.lut4,
        },
        tools: ToolVersions {
            yosys: format!("{} {}", yosys.name, yosys.version),
            nextpnr: format!("{} {}", nextpnr.name, nextpnr.version),
        },
        seconds: start.elapsed().as_secs_f64(),
    })
}

/// Writes the module and its harness, for [`map`].
pub(crate) fn prepare(request: &Request, yosys: &Tool, dir: &Path) -> Result<Harness> {
    fs::write(dir.join("design.v"), request.verilog).context("writing design.v")?;
    let ports = ports::read(yosys, dir, request.top)?;
    let harness = Harness::new(request.top, &ports, request.clock)?;
    fs::write(dir.join("harness.v"), &harness.verilog).context("writing harness.v")?;
    Ok(harness)
}

/// Cells of the module and of its harness.
pub(crate) struct Cells {
    pub(crate) own: Classes,
    harness: Classes,
}

/// Cells by what they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Classes {
    pub(crate) lut4: u64,
    pub(crate) carry: u64,
    pub(crate) ff: u64,
    pub(crate) bram: u64,
    pub(crate) lutram: u64,
    pub(crate) dsp: u64,
}

impl Classes {
    pub(crate) fn of(counts: &BTreeMap<String, u64>) -> Self {
        let mut classes = Self::default();
        for (cell, count) in counts {
            let class = match cell.as_str() {
                "LUT4" | "SB_LUT4" => &mut classes.lut4,
                "CCU2C" | "SB_CARRY" => &mut classes.carry,
                "DP16KD" | "PDPW16KD" => &mut classes.bram,
                "TRELLIS_DPR16X4" => &mut classes.lutram,
                "MULT18X18D" | "ALU54B" | "SB_MAC16" => &mut classes.dsp,
                ff if ff == "TRELLIS_FF" || ff.starts_with("SB_DFF") => &mut classes.ff,
                ram if ram.starts_with("SB_RAM40_4K") => &mut classes.bram,
                _ => continue,
            };
            *class += count;
        }
        classes
    }

    fn minus(self, other: Self) -> Self {
        Self {
            lut4: self.lut4.saturating_sub(other.lut4),
            carry: self.carry.saturating_sub(other.carry),
            ff: self.ff.saturating_sub(other.ff),
            bram: self.bram.saturating_sub(other.bram),
            lutram: self.lutram.saturating_sub(other.lutram),
            dsp: self.dsp.saturating_sub(other.dsp),
        }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            lut4: self.lut4 + other.lut4,
            carry: self.carry + other.carry,
            ff: self.ff + other.ff,
            bram: self.bram + other.bram,
            lutram: self.lutram + other.lutram,
            dsp: self.dsp + other.dsp,
        }
    }
}

/// Writes `netlist.json`, without the cells of newer Yosys that only say where things came from: older nextpnr takes
/// them for logic.
pub(crate) const NETLIST: &str = "delete t:$scopeinfo\nwrite_json netlist.json";

/// Yosys: returns the command that was used, and the cells. Leaves a netlist of this name.
pub(crate) fn map(
    request: &Request,
    yosys: &Tool,
    dir: &Path,
    netlist: &str,
    progress: &mut dyn FnMut(&str),
) -> Result<(String, Cells)> {
    let write = NETLIST.replace("netlist.json", netlist);
    let script = format!(
        "read_verilog design.v\nread_verilog harness.v\n@FLOW@\n{write}\ntee -o stat.json stat -json\n"
    );
    let (flow, log) = map_with(
        (request.name, TOP),
        (request.target, request.mapper, ""),
        yosys,
        dir,
        &script,
        &[netlist, "stat.json"],
        progress,
    )?;
    let latches = latches(&log);
    if !latches.is_empty() {
        bail!("{} has latches:\n  {}", request.top, latches.join("\n  "));
    }
    let stat = fs::read_to_string(dir.join("stat.json")).context("reading stat.json")?;
    let modules = cell_counts(&stat)?;
    let of = |module: &str| {
        modules
            .get(module)
            .map(Classes::of)
            .with_context(|| format!("{module} has vanished"))
    };
    let harness = of(STIMULUS).unwrap_or_default().plus(of(CAPTURE)?);
    // Parts of the design may keep their hierarchy too, so it is the sum that counts.
    let all: serde_json::Value = serde_json::from_str(&stat)?;
    let all: BTreeMap<String, u64> =
        serde_json::from_value(all["design"]["num_cells_by_type"].clone())
            .context("Yosys's statistics have no sum")?;
    if let Some(latch) = all.keys().find(|cell| cell.contains("DLATCH")) {
        bail!("{} has latches: {latch}", request.top);
    }
    Ok((
        flow,
        Cells {
            own: Classes::of(&all).minus(harness),
            harness,
        },
    ))
}

/// Runs a script in which `@FLOW@` stands for the synthesis command of a target and mapper, with further options, for a
/// top module. Returns that command without the module, and the log.
pub(crate) fn map_with(
    (name, top): (&str, &str),
    (target, mapper, options): (Target, Mapper, &str),
    yosys: &Tool,
    dir: &Path,
    script: &str,
    outputs: &[&str],
    progress: &mut dyn FnMut(&str),
) -> Result<(String, String)> {
    // Yosys 0.23 makes three times the LUTs with its wide multiplexers on the ECP5.
    let old = target == Target::Ecp5 && !yosys.is_yowasp() && yosys.version.starts_with("0.23");
    let default = format!("synth_{target}{options}");
    let plain = match target {
        Target::Ecp5 => format!("synth_ecp5 -noabc9 -nowidelut{options}"),
        Target::Ice40 => format!("synth_ice40 -noabc9{options}"),
    };
    const SMALL: &str = "scratchpad -copy abc9.script.flow3 abc9.script;";
    // Yosys has no option for what a wire takes, so its step is run by hand.
    const BY_HAND: &str = "techmap -map +/lattice/latches_map.v; abc9 -W @WIRE@ -maxlut 4; clean";
    let small = match target {
        Target::Ecp5 if old => format!("{SMALL} synth_ecp5 -nowidelut{options}"),
        Target::Ecp5 => format!(
            "{SMALL} synth_ecp5 -nowidelut{options} -run begin:map_luts; {BY_HAND}; synth_ecp5 -nowidelut{options} -run map_cells:"
        ),
        Target::Ice40 => format!("{SMALL} synth_ice40 -abc9 -device hx{options}"),
    };
    let flow = match mapper {
        Mapper::Auto if old => format!("synth_ecp5 -nowidelut{options}"),
        Mapper::Auto => default,
        Mapper::Plain => plain.clone(),
        Mapper::Small => small,
    };
    let command = format!("synth_{target}");
    let of_top = |flow: &str| flow.replacen(&command, &format!("{command} -top {top}"), 1);
    // Who wants no netlist has nothing to choose by.
    let flow = if outputs.contains(&"netlist.json") {
        flow
    } else {
        flow.replace("@WIRE@", WIRES[0])
    };
    let run = |flow: &str| {
        tool::run_yosys(
            yosys,
            dir,
            "synth",
            &script.replace("@FLOW@", &of_top(flow)),
            outputs,
        )
    };
    let both = WIRES.join(" and ");
    progress(&format!(
        "{name}: {} {} {}",
        yosys.name,
        yosys.version,
        flow.replace("@WIRE@", &both)
    ));
    if flow.contains("@WIRE@") {
        let twice = Twice::of(&of_top(&flow), script, outputs);
        let log = tool::run_yosys(yosys, dir, "synth", &twice.script, &twice.outputs())?;
        let wire = twice.keep_shorter(dir, outputs, &mut |text| {
            progress(&format!("{name}: {text}"))
        })?;
        return Ok((flow.replace("@WIRE@", wire), log));
    }
    match run(&flow) {
        Err(error) if mapper == Mapper::Auto && format!("{error}").contains("without a word") => {
            progress(&format!(
                "{name}: the mapper ended without a result; once more with {plain}"
            ));
            Ok((plain.clone(), run(&plain)?))
        }
        other => Ok((flow, other?)),
    }
}

/// Picoseconds that a wire takes for the mapper, in the two tries.
pub(crate) const WIRES: [&str; 2] = ["600", "300"];

/// A script that maps one design twice, and the names of what it writes.
struct Twice {
    script: String,
    written: Vec<String>,
}

impl Twice {
    /// `flow`: with `@WIRE@` in one of its commands; what stands before these is done once.
    fn of(flow: &str, script: &str, outputs: &[&str]) -> Self {
        let (before, after) = script.split_once("@FLOW@").unwrap_or((script, ""));
        let commands: Vec<&str> = flow.split(';').map(str::trim).collect();
        let first = commands.iter().position(|c| c.contains("@WIRE@"));
        let (once, each) = commands.split_at(first.unwrap_or(0));
        let mut text = format!("{before}{}\ndesign -save unmapped\n", once.join("\n"));
        let mut written = Vec::new();
        for wire in WIRES {
            let mut after = after.to_string();
            for output in outputs {
                let name = format!("{wire}-{output}");
                after = after.replace(output, &name);
                written.push(name);
            }
            let each = each.join("\n").replace("@WIRE@", wire);
            text.push_str(&format!("design -load unmapped\n{each}{after}"));
        }
        Self {
            script: text,
            written,
        }
    }

    fn outputs(&self) -> Vec<&str> {
        self.written.iter().map(String::as_str).collect()
    }

    /// Gives the files of the better try their names; returns what its wires took.
    fn keep_shorter(
        &self,
        dir: &Path,
        outputs: &[&str],
        progress: &mut dyn FnMut(&str),
    ) -> Result<&'static str> {
        let estimate = |wire: &str| -> Result<f64> {
            let name = format!("{wire}-netlist.json");
            let netlist = fs::read_to_string(dir.join(&name));
            longest_path(&netlist.with_context(|| format!("reading {name}"))?)
        };
        let [long, short] = [estimate(WIRES[0])?, estimate(WIRES[1])?];
        let wire = if short < long { WIRES[1] } else { WIRES[0] };
        progress(&format!(
            "longest path by an estimate {long:.1} ns with -W {}, {short:.1} with -W {}: the netlist with {wire}",
            WIRES[0], WIRES[1]
        ));
        for output in outputs {
            let name = format!("{wire}-{output}");
            fs::rename(dir.join(&name), dir.join(output))
                .with_context(|| format!("renaming {name}"))?;
        }
        Ok(wire)
    }
}

/// nextpnr for every seed, some at a time.
fn place(
    request: &Request,
    nextpnr: &Tool,
    dir: &Path,
    progress: &mut dyn FnMut(&str),
) -> Result<Vec<Placement>> {
    let seeds = request.seeds;
    let names = if seeds == 1 {
        "seed 1".to_string()
    } else {
        format!("seeds 1 to {seeds}")
    };
    progress(&format!(
        "{}: {} {}, {names}",
        request.name, nextpnr.name, nextpnr.version
    ));
    let next = AtomicU32::new(1);
    let results: Mutex<BTreeMap<u32, Result<Placement>>> = Mutex::new(BTreeMap::new());
    let (tell, told) = std::sync::mpsc::channel();
    let work = |tell: std::sync::mpsc::Sender<(u32, Option<f64>)>| loop {
        let seed = next.fetch_add(1, Ordering::Relaxed);
        if seed > seeds {
            return;
        }
        let result = place_once(request.target, nextpnr, dir, seed);
        // Nobody hears it only when nobody is there any more.
        let _ = tell.send((seed, result.as_ref().ok().map(|p| p.fmax_mhz)));
        if result.is_err() {
            // The other seeds would fail alike.
            next.store(seeds + 1, Ordering::Relaxed);
        }
        results
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .insert(seed, result);
    };
    if nextpnr.is_yowasp() {
        // Compiles the WebAssembly if that has not happened yet, before several would do it at once.
        let _ = nextpnr.command().arg("--version").output();
    }
    std::thread::scope(|scope| {
        for _ in 0..request.jobs.clamp(1, seeds as usize) {
            let (work, tell) = (&work, tell.clone());
            scope.spawn(move || work(tell));
        }
        drop(tell);
        for (done, (seed, fmax)) in told.iter().enumerate() {
            let came = fmax.map_or("failed".to_string(), |mhz| format!("{mhz:.1} MHz"));
            let (name, done) = (request.name, done + 1);
            progress(&format!(
                "{name}: seed {seed}: {came} ({done} of {seeds} done)"
            ));
        }
    });
    let results = results
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    results.into_values().collect()
}

fn place_once(target: Target, nextpnr: &Tool, dir: &Path, seed: u32) -> Result<Placement> {
    let seed = seed.to_string();
    let name = format!("nextpnr-{seed}");
    let report = format!("{name}.json");
    let mut arguments = target.nextpnr_arguments().to_vec();
    arguments.extend(["--seed", &seed, "--json", "netlist.json"]);
    tool::run_nextpnr(nextpnr, dir, &name, &arguments, &report)?;
    Placement::parse(&fs::read_to_string(dir.join(&report))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes before the mapper is done once, the rest with either wire, into files of their own.
    #[test]
    fn a_design_is_mapped_twice() {
        let twice = Twice::of(
            "scratchpad x; synth_y -run a:b; abc9 -W @WIRE@; clean",
            "read d.v\n@FLOW@\nwrite_json netlist.json\nstat > stat.json\n",
            &["netlist.json", "stat.json"],
        );
        assert_eq!(
            twice.script,
            "read d.v\nscratchpad x\nsynth_y -run a:b\ndesign -save unmapped\n\
             design -load unmapped\nabc9 -W 600\nclean\nwrite_json 600-netlist.json\nstat > 600-stat.json\n\
             design -load unmapped\nabc9 -W 300\nclean\nwrite_json 300-netlist.json\nstat > 300-stat.json\n"
        );
        assert_eq!(
            twice.outputs(),
            [
                "600-netlist.json",
                "600-stat.json",
                "300-netlist.json",
                "300-stat.json"
            ]
        );
    }

    #[test]
    fn cells_of_both_families() {
        let counts = |list: &[(&str, u64)]| {
            list.iter()
                .map(|(cell, n)| (cell.to_string(), *n))
                .collect()
        };
        let ecp5 = Classes::of(&counts(&[
            ("LUT4", 121),
            ("PFUMX", 32),
            ("TRELLIS_FF", 33),
            ("CCU2C", 10),
            ("DP16KD", 1),
        ]));
        assert_eq!(
            (ecp5.lut4, ecp5.ff, ecp5.carry, ecp5.bram),
            (121, 33, 10, 1)
        );
        let ice40 = Classes::of(&counts(&[
            ("SB_DFF", 65),
            ("SB_DFFSR", 16),
            ("SB_LUT4", 31),
            ("SB_RAM40_4KNW", 2),
        ]));
        assert_eq!((ice40.lut4, ice40.ff, ice40.bram), (31, 81, 2));
    }
}
