//! What `weft bench` measures, as it stands in the JSON, and every number in it as a figure that can be compared.

use super::host::Host;
use super::masks::MasksReport;
use super::sm::SmFigures;
use crate::cli::Section;
use serde::{Deserialize, Serialize};
use weft_generate::{Design, Unit};
use weft_synth::{Fmax, PathStep, SynthReport, ToolVersions};
use weft_testbench::bench::{BarrierReport, ControlReport, Name, Speed};
use weft_testbench::dut::RtlKind;

/// Sections that were not measured are not there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Report {
    /// Version of Weft.
    pub weft: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control: Option<ControlReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub barrier: Option<BarrierReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kernels: Option<Kernels>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issue: Option<Issue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub masks: Option<MasksReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sm: Option<SmFigures>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed: Option<Timed>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub area: Vec<Area>,
    /// Of the SM.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<Block>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub float_area: Vec<FloatArea>,
}

/// Kernels on `weft_control`, over the size of the token window.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kernels {
    pub engine: RtlKind,
    pub warps: usize,
    pub threads: usize,
    /// Cycles that the token memory takes for an answer.
    pub memory_latency: u32,
    pub rows: Vec<KernelCost>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KernelCost {
    pub kernel: Name,
    /// The largest window last.
    pub runs: Vec<KernelRun>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct KernelRun {
    /// K
    pub front: usize,
    pub cycles: u64,
    /// Instructions of all warps.
    pub instructions: u64,
}

impl KernelCost {
    /// K, and how much longer the kernel takes than with the largest window.
    pub fn overheads(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let largest = self.runs.last().map_or(1, |run| run.cycles.max(1));
        let over = move |run: &KernelRun| (run.front, run.cycles as f64 / largest as f64 - 1.0);
        self.runs.iter().map(over)
    }
}

/// The whole core of one size: instructions per cycle, and why not more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Issue {
    pub warps: usize,
    pub threads: usize,
    /// Why a cycle passes without an issue; the first one is that there is an issue.
    pub reasons: Vec<Name>,
    pub rows: Vec<IssueRow>,
    /// On several partitions.
    #[serde(default)]
    pub partitions: Vec<PartitionRow>,
    pub lone_warp: Vec<Lone>,
}

impl Issue {
    /// `16 × 32`
    pub fn size(&self) -> String {
        format!("{} × {}", self.warps, self.threads)
    }

    /// Each program with its rows.
    pub fn programs(&self) -> Vec<(&Name, Vec<&IssueRow>)> {
        let mut programs: Vec<(&Name, Vec<&IssueRow>)> = Vec::new();
        for row in &self.rows {
            match programs.iter_mut().find(|(name, _)| **name == row.program) {
                Some((_, rows)) => rows.push(row),
                None => programs.push((&row.program, vec![row])),
            }
        }
        programs
    }
}

/// One run on a core of several partitions, under age.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartitionRow {
    pub program: Name,
    pub partitions: usize,
    /// Of all partitions, with work.
    pub warps: usize,
    pub ipc: f64,
    pub cycles: u64,
    pub instructions: u64,
    /// Cycles with more than one instruction.
    pub several: u64,
}

/// One run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IssueRow {
    pub program: Name,
    pub warps: usize,
    pub policy: Name,
    /// Instructions per cycle at most.
    pub width: usize,
    pub ipc: f64,
    /// From the first launch to the end.
    pub cycles: u64,
    pub instructions: u64,
    /// Cycles in which two were issued.
    pub two: u64,
    /// Shares of the cycles by reason.
    pub shares: [f64; 6],
}

/// What one warp alone does, in cycles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lone {
    pub what: Name,
    pub width: usize,
    /// From the issue of a control instruction to its resolve.
    pub resolve: u32,
    pub cycles: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Timed {
    pub host: Host,
    #[serde(flatten)]
    pub speed: Speed,
}

/// A unit in one size, on an FPGA.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Area {
    /// Its top module.
    pub unit: Name,
    pub size: String,
    pub dual: bool,
    pub warps: usize,
    pub threads: usize,
    /// K; 0 without a token window.
    pub front: usize,
    pub part: String,
    /// Yosys's synthesis command.
    pub flow: String,
    pub lut4: u64,
    /// With carry cells and LUT RAM.
    pub comb: u64,
    pub ff: u64,
    pub bram: u64,
    pub lutram: u64,
    pub dsp: u64,
    pub fmax_mhz: Fmax,
    pub path: CriticalPath,
    pub tools: ToolVersions,
}

/// A block of the SM, mapped and placed alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Block {
    pub name: Name,
    /// Of the SM.
    pub warps: usize,
    pub threads: usize,
    pub lanes: usize,
    pub mhz: f64,
    /// Of older measurements only the clock was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lut4: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ff: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bram: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<CriticalPath>,
    /// At which it was measured.
    pub commit: String,
}

impl Block {
    /// `launcher of weft_sm 4x4l4`
    pub fn name(&self) -> String {
        let Block {
            name,
            warps,
            threads,
            lanes,
            ..
        } = self;
        format!("{name} of weft_sm {warps}x{threads}l{lanes}")
    }
}

/// The SM's datapath with float on some of its lanes, mapped alone and not placed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FloatArea {
    /// Of the SM.
    pub warps: usize,
    pub threads: usize,
    pub lanes: usize,
    /// Of these lanes.
    pub float: usize,
    pub lut4: u64,
    pub carry: u64,
    pub ff: u64,
    pub bram: u64,
    pub lutram: u64,
    pub dsp: u64,
    /// The longest path by an estimate.
    pub ns: f64,
    /// At which it was measured.
    pub commit: String,
}

impl FloatArea {
    /// `datapath of weft_sm 4x4l4f2`
    pub fn name(&self) -> String {
        let FloatArea {
            warps,
            threads,
            lanes,
            float,
            ..
        } = self;
        format!("datapath of weft_sm {warps}x{threads}l{lanes}f{float}")
    }
}

/// The longest path between registers of the median placement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CriticalPath {
    pub from: String,
    pub to: String,
    pub logic_ns: f64,
    pub routing_ns: f64,
}

impl CriticalPath {
    pub fn of(steps: &[PathStep]) -> CriticalPath {
        let name = |step: Option<&PathStep>| {
            let cell = step.map_or("", |s| &s.cell);
            weft_synth::verilog_name(cell)
        };
        let sum = |routing: bool| -> f64 {
            let of = steps.iter().filter(|s| s.net.is_some() == routing);
            let sum: f64 = of.map(|s| s.delay_ns).sum();
            (sum * 100.0).round() / 100.0
        };
        CriticalPath {
            from: name(steps.first()),
            to: name(steps.last()),
            logic_ns: sum(false),
            routing_ns: sum(true),
        }
    }
}

impl Area {
    pub fn new(design: &Design, r: SynthReport) -> Area {
        Area {
            unit: design.unit().map_or("weft_board", Unit::top).into(),
            size: design.base(),
            dual: design.dual(),
            warps: design.value("warps"),
            threads: design.value("threads"),
            front: design.value("front"),
            part: r.part,
            flow: r.flow,
            lut4: r.lut4,
            comb: r.comb,
            ff: r.ff,
            bram: r.bram,
            lutram: r.lutram,
            dsp: r.dsp,
            fmax_mhz: r.fmax_mhz,
            path: CriticalPath::of(&r.critical_path),
            tools: r.tools,
        }
    }

    /// `weft_core 16x32k8b2 dual`
    pub fn name(&self) -> String {
        let dual = if self.dual { " dual" } else { "" };
        format!("{} {}{dual}", self.unit, self.size)
    }
}

/// Which way is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    Less,
    More,
    /// Neither: a count that only tells that something has changed.
    Same,
}

/// One number.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    pub section: Section,
    pub name: String,
    pub value: f64,
    pub unit: &'static str,
    pub better: Better,
    /// Lowest and highest of what is timed: a ratio within one run that depends all the same on what else the machine
    /// does.
    pub spread: Option<(f64, f64)>,
}

impl Report {
    /// Everything that can be compared with another run.
    /// Rates per second cannot: their ratios within the run stand for them.
    pub fn figures(&self) -> Vec<Figure> {
        let mut all = Vec::new();
        let mut spreads = Vec::new();
        let mut section = Section::Control;
        let mut add = |section, name: String, value: f64, unit, better| {
            all.push(Figure {
                section,
                name,
                value,
                unit,
                better,
                spread: None,
            });
        };
        if let Some(c) = &self.control {
            let at = format!(
                "{}x{}k{}b{}, {}",
                c.warps,
                c.threads,
                c.front,
                c.back,
                c.engine.name()
            );
            for r in &c.issue_rates {
                let name = format!("{at}: {}, {} warps", r.mix, r.warps);
                let rate = r.issues_per_cycle;
                add(section, name, rate, "issues per cycle", Better::More);
            }
            for l in &c.latencies {
                let name = format!("{at}: {}", l.operation);
                add(section, name, l.cycles as f64, "cycles", Better::Less);
            }
            for s in &c.spill {
                for (what, cycles) in [
                    ("PUSH, room on chip", s.push_in_window),
                    ("PUSH after PUSH", s.push_spilling),
                    ("LEAVE that pops, next token on chip", s.pop_in_window),
                    ("LEAVE after LEAVE", s.pop_filling),
                ] {
                    let name = format!("{at}: memory {}: {what}", s.memory_latency);
                    add(section, name, cycles, "cycles", Better::Less);
                }
                for &(depth, cycles) in &s.leave {
                    let at = format!("{at}: memory {}", s.memory_latency);
                    let name = format!("{at}: LEAVE caught by token {depth}");
                    add(section, name, cycles as f64, "cycles", Better::Less);
                }
            }
        }
        section = Section::Barrier;
        if let Some(b) = &self.barrier {
            for l in &b.latencies {
                let name = format!("{}x{}: {}", b.warps, b.threads, l.what);
                add(section, name, l.cycles, "cycles", Better::Less);
            }
        }
        section = Section::Kernels;
        if let Some(k) = &self.kernels {
            for row in &k.rows {
                for run in &row.runs {
                    let name = format!(
                        "{}x{}, {}, memory {}: {}, K = {}",
                        k.warps,
                        k.threads,
                        k.engine.name(),
                        k.memory_latency,
                        row.kernel,
                        run.front
                    );
                    let (cycles, count) = (run.cycles as f64, run.instructions as f64);
                    add(section, name.clone(), cycles, "cycles", Better::Less);
                    add(section, name, count, "instructions", Better::Same);
                }
            }
        }
        section = Section::Issue;
        if let Some(i) = &self.issue {
            let at = format!("{}x{}", i.warps, i.threads);
            for r in &i.rows {
                let name = format!(
                    "{at}: {}, {} warps, {}, width {}",
                    r.program, r.warps, r.policy, r.width
                );
                let cycles = r.cycles as f64;
                add(
                    section,
                    name.clone(),
                    r.ipc,
                    "instructions per cycle",
                    Better::More,
                );
                add(section, name, cycles, "cycles", Better::Less);
            }
            for r in &i.partitions {
                let name = format!("{}x{at}: {}, {} warps", r.partitions, r.program, r.warps);
                let (rate, cycles) = (r.ipc, r.cycles as f64);
                add(
                    section,
                    name.clone(),
                    rate,
                    "instructions per cycle",
                    Better::More,
                );
                add(section, name, cycles, "cycles", Better::Less);
            }
            for l in &i.lone_warp {
                let name = format!(
                    "{at}: one warp, {}, width {}, resolve {}",
                    l.what, l.width, l.resolve
                );
                add(section, name, l.cycles, "cycles", Better::Less);
            }
        }
        section = Section::Masks;
        if let Some(m) = &self.masks {
            for (name, value, unit) in m.figures() {
                add(section, name, value, unit, Better::Less);
            }
        }
        section = Section::Sm;
        if let Some(sm) = &self.sm {
            for setting in &sm.settings {
                for row in &setting.rows {
                    let name = format!(
                        "{}, memory {}: {}",
                        setting.size, setting.memory_latency, row.kernel
                    );
                    let (cycles, count) = (row.cycles as f64, row.instructions as f64);
                    let transfers = row.transfers as f64;
                    add(section, name.clone(), cycles, "cycles", Better::Less);
                    add(section, name.clone(), count, "instructions", Better::Same);
                    add(section, name, transfers, "transfers", Better::Less);
                }
            }
            for d in &sm.distances {
                let cycles = (10.0 * d.cycles).round() / 10.0;
                add(section, d.what.to_string(), cycles, "cycles", Better::Less);
            }
            for setting in &sm.times {
                for row in &setting.rows {
                    let name = format!(
                        "{}, memory {}: {} {}",
                        setting.size,
                        setting.memory_latency,
                        row.kernel,
                        row.size.unwrap_or_default()
                    );
                    add(section, name, row.cycles as f64, "cycles", Better::Less);
                }
            }
            let r = &sm.speed.ratio;
            let name = format!("{}: {}", sm.speed.size, r.what);
            add(section, name, r.value.median, "", Better::More);
            spreads.push((r.value.min, r.value.max));
        }
        section = Section::Speed;
        if let Some(s) = &self.speed {
            for r in &s.speed.ratios {
                let name = format!("{}, {}: {}", s.speed.size, s.speed.engine.name(), r.what);
                add(section, name, r.value.median, "", Better::More);
                spreads.push((r.value.min, r.value.max));
            }
        }
        section = Section::Area;
        for a in &self.area {
            for (value, unit) in [
                (a.lut4, "LUT4"),
                (a.comb, "LUT4 incl. carry and LUT RAM"),
                (a.ff, "FF"),
                (a.bram, "block RAM"),
                (a.dsp, "DSP"),
            ] {
                add(section, a.name(), value as f64, unit, Better::Less);
            }
            let median = a.fmax_mhz.median;
            add(section, a.name(), median, "MHz", Better::More);
        }
        for b in &self.blocks {
            add(section, b.name(), b.mhz, "MHz", Better::More);
        }
        section = Section::FloatArea;
        for f in &self.float_area {
            for (value, unit) in [(f.lut4, "LUT4"), (f.ff, "FF"), (f.dsp, "DSP")] {
                add(section, f.name(), value as f64, unit, Better::Less);
            }
            add(section, f.name(), f.ns, "ns", Better::Less);
        }
        // Ratios of speeds, which are the figures without a unit.
        let timed = all.iter_mut().filter(|f| f.unit.is_empty());
        for (figure, spread) in timed.zip(spreads) {
            figure.spread = Some(spread);
        }
        all
    }

    /// Puts what `new` has in place of the same here: whole sections, but single rows of the area.
    pub fn put(&mut self, new: &Report) {
        fn replace<T: Clone>(old: &mut Option<T>, new: &Option<T>) {
            if new.is_some() {
                old.clone_from(new);
            }
        }
        self.weft.clone_from(&new.weft);
        replace(&mut self.control, &new.control);
        replace(&mut self.barrier, &new.barrier);
        replace(&mut self.kernels, &new.kernels);
        replace(&mut self.issue, &new.issue);
        replace(&mut self.masks, &new.masks);
        replace(&mut self.sm, &new.sm);
        replace(&mut self.speed, &new.speed);
        for row in &new.area {
            match self.area.iter_mut().find(|a| a.name() == row.name()) {
                Some(old) => *old = row.clone(),
                None => self.area.push(row.clone()),
            }
        }
        for row in &new.blocks {
            match self.blocks.iter_mut().find(|b| b.name() == row.name()) {
                Some(old) => *old = row.clone(),
                None => self.blocks.push(row.clone()),
            }
        }
        for row in &new.float_area {
            match self.float_area.iter_mut().find(|f| f.name() == row.name()) {
                Some(old) => *old = row.clone(),
                None => self.float_area.push(row.clone()),
            }
        }
    }

    pub fn has(&self, section: Section) -> bool {
        match section {
            Section::Control => self.control.is_some(),
            Section::Barrier => self.barrier.is_some(),
            Section::Kernels => self.kernels.is_some(),
            Section::Issue => self.issue.is_some(),
            Section::Masks => self.masks.is_some(),
            Section::Sm | Section::SmSpeed => self.sm.is_some(),
            Section::SmTime => self.sm.as_ref().is_some_and(|sm| !sm.times.is_empty()),
            Section::Speed => self.speed.is_some(),
            Section::Area => !self.area.is_empty() || !self.blocks.is_empty(),
            Section::FloatArea => !self.float_area.is_empty(),
        }
    }
}
