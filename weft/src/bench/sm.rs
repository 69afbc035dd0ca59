//! The kernels on the whole SM, in lockstep and their results checked: cycles, what is issued, why not more, what is
//! moved; and how fast the SM is simulated, alone and in lockstep.

use super::host::Host;
use crate::compute::{launched, options, Launched};
use crate::engines::run_sm;
use anyhow::{anyhow, ensure, Context, Result};
use serde::{Deserialize, Serialize};
use weft_testbench::bench::{rate, Name, Rate, Ratio, Spread};
use weft_testbench::sm::lockstep::Blind;
use weft_testbench::sm::{Shape, SmOptions, SmReport};

/// Sizes, and cycles of the memory.
const SETTINGS: [(Shape, u32); 6] = [
    (without_cache(Shape::TINY), 20),
    (Shape::TINY, 20),
    (without_cache(Shape::TINY), 100),
    (Shape::TINY, 100),
    (Shape::DEFAULT, 20),
    (Shape::WIDE, 20),
];

pub const fn without_cache(shape: Shape) -> Shape {
    Shape {
        data_cache: 0,
        ..shape
    }
}

/// What is timed: size, and cycles of the memory.
const TIMED: (Shape, u32) = (Shape::SMALL, 20);

/// What Vortex publishes of itself at 4 lanes and 4 warps: instructions per cycle
/// (`ci/baselines/perf/core.json` of vortexgpgpu/vortex, 2026), and cycles of four elements of vecadd.
pub const VORTEX: [(&str, f64); 2] = [("vecadd", 0.337), ("sgemm", 0.419)];
pub const VORTEX_VECADD: f64 = 71.0;

/// Kernels whose size is the number of their elements.
pub const VECTORS: [&str; 2] = ["vecadd", "saxpy"];

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SmFigures {
    /// Why a cycle passes without an issue; the first one is that there is an issue.
    pub reasons: Vec<Name>,
    pub settings: Vec<Setting>,
    pub speed: SmSpeed,
    /// Kernels by the time that they take on an FPGA.
    #[serde(default)]
    pub times: Vec<Setting>,
    /// From an issue to the next one.
    #[serde(default)]
    pub distances: Vec<Distance>,
}

/// Cycles from an issue to the next one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Distance {
    pub what: Name,
    /// Of a warp, or of all of them where several run.
    pub cycles: f64,
}

/// All kernels on one SM, one CTA of all its threads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setting {
    /// As `weft cosim --size` has it.
    pub size: String,
    pub warps: usize,
    pub threads: usize,
    pub lanes: usize,
    /// KiB of data cache.
    pub cache: u32,
    pub memory_latency: u32,
    pub rows: Vec<SmRow>,
}

/// A kernel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SmRow {
    pub kernel: Name,
    /// Elements, or the edge of a square. Not there: its whole input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u32>,
    /// From the launch to its end.
    pub cycles: u64,
    /// Of warps, and of threads.
    pub instructions: u64,
    pub thread_instructions: u64,
    /// Cycles by reason.
    pub by_reason: Vec<u64>,
    /// Instructions of warps that access global memory, and the lines that their threads ask for.
    pub accesses: u64,
    pub lines: u64,
    /// Transfers at the memory port, each within a line, instruction lines included.
    pub transfers: u64,
    /// Of the data cache.
    pub reads: u64,
    pub hits: u64,
}

/// Cycles per second of processor time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SmSpeed {
    pub host: Host,
    pub size: String,
    pub memory_latency: u32,
    pub rounds: u32,
    /// Of all kernels together.
    pub cycles: u64,
    pub rates: Vec<Rate>,
    pub ratio: Ratio,
}

impl Setting {
    /// In the picture: with a cache, at the smaller latency.
    pub fn is_pictured(&self) -> bool {
        self.cache > 0 && self.memory_latency == 20
    }

    pub fn new(shape: Shape, latency: u32) -> Setting {
        Setting {
            size: shape.to_string(),
            warps: shape.warps,
            threads: shape.threads,
            lanes: shape.lanes,
            cache: shape.data_cache,
            memory_latency: latency,
            rows: Vec::new(),
        }
    }

    /// `4 × 4 on 4 lanes`
    pub fn shape(&self) -> String {
        let Setting {
            warps,
            threads,
            lanes,
            ..
        } = self;
        format!("{warps} × {threads} on {lanes} lanes")
    }

    /// What shows the same kernels, one by one.
    pub fn command(&self) -> String {
        format!(
            "cargo weft demo --sm --warps {} --threads {} --lanes {} --ctas 1 --cta {} --cache {} --memory-latency {}",
            self.warps,
            self.threads,
            self.lanes,
            self.warps * self.threads,
            self.cache,
            self.memory_latency
        )
    }

    pub fn row(&self, kernel: &str) -> Option<&SmRow> {
        self.rows.iter().find(|row| row.kernel == kernel)
    }

    /// Instructions of threads per cycle and lane.
    pub fn share(&self, row: &SmRow) -> f64 {
        row.thread_instructions as f64 / (row.cycles.max(1) * self.lanes as u64) as f64
    }
}

impl SmRow {
    pub fn ipc(&self) -> f64 {
        self.instructions as f64 / self.cycles.max(1) as f64
    }

    /// Of four elements, if the size is their number.
    pub fn cycles_of_four(&self) -> Option<f64> {
        let size = self.size.filter(|_| VECTORS.contains(&&*self.kernel))?;
        Some(4.0 * self.cycles as f64 / f64::from(size))
    }
}

/// Runs a kernel; what comes out must be right.
pub fn run(of: &Launched, o: &SmOptions) -> Result<SmReport> {
    let what = || format!("{} on {}", of.kernel.name, o.shape);
    let report = run_sm(&of.program, o, &mut Blind).with_context(what)?;
    ensure!(report.fault.is_none(), "{}: a fault", what());
    let checked = of.check(o, &report.memory);
    checked.map_err(|e| anyhow!("{}: {e}", what()))?;
    Ok(report)
}

pub fn row(of: &Launched, report: &SmReport) -> SmRow {
    let (seen, axi, cache) = (&report.seen, &report.axi, &report.cache);
    SmRow {
        kernel: of.kernel.name.into(),
        size: of.size,
        cycles: report.cycles,
        instructions: seen.issued,
        thread_instructions: seen.thread_instructions,
        by_reason: seen.reasons.by_name().map(|(_, cycles)| cycles).into(),
        accesses: seen.accesses,
        lines: seen.lines,
        transfers: axi.reads + axi.writes,
        reads: cache.reads(),
        hits: cache.hits,
    }
}

/// One CTA of all threads.
pub fn everything(shape: Shape, latency: u32) -> SmOptions {
    options(shape, 1, (shape.warps * shape.threads) as u32, latency)
}

impl SmFigures {
    /// Needs Verilator.
    pub fn measure(rounds: u32) -> Result<SmFigures> {
        let kernels = launched()?;
        let names = weft_testbench::sm::report::Reasons::default().by_name();
        let reasons: Vec<Name> = names.map(|(name, _)| name.into()).into();
        let mut settings = Vec::new();
        for (shape, latency) in SETTINGS {
            let mut setting = Setting::new(shape, latency);
            println!(
                "{}, {} KiB of data cache, memory latency {latency}: {}",
                setting.shape(),
                setting.cache,
                setting.command()
            );
            println!(
                "  {:<12}{:>9}{:>7}{:>8}  cycles by reason: {}",
                "kernel",
                "cycles",
                "IPC",
                "peak",
                reasons.join(", ")
            );
            for of in &kernels {
                let row = row(of, &run(of, &everything(shape, latency))?);
                println!(
                    "  {:<12}{:>9}{:>7.3}{:>6.1} %  {:?}",
                    row.kernel,
                    row.cycles,
                    row.ipc(),
                    100.0 * setting.share(&row),
                    row.by_reason
                );
                setting.rows.push(row);
            }
            settings.push(setting);
        }
        let speed = speed(&kernels, rounds)?;
        println!("\n{}\n", speed.text());
        Ok(SmFigures {
            reasons,
            settings,
            speed,
            times: Vec::new(),
            distances: Vec::new(),
        })
    }

    /// In place of the times of the same size and memory.
    pub fn put(&mut self, times: Setting) {
        let same =
            |s: &&mut Setting| (&s.size, s.memory_latency) == (&times.size, times.memory_latency);
        match self.times.iter_mut().find(same) {
            Some(old) => *old = times,
            None => self.times.push(times),
        }
    }
}

/// All kernels, alone and in lockstep, in each round.
fn speed(kernels: &[Launched], rounds: u32) -> Result<SmSpeed> {
    let host = Host::here();
    let (shape, latency) = TIMED;
    let both = [false, true].map(|lockstep| SmOptions {
        lockstep,
        ..everything(shape, latency)
    });
    let mut cycles = 0;
    let mut measured: Vec<[f64; 2]> = Vec::new();
    // The first one makes the model and is not counted.
    for round in 0..=rounds {
        let mut rates = [0.0; 2];
        for (n, o) in both.iter().enumerate() {
            rates[n] = rate(|| {
                let each = kernels.iter().map(|of| anyhow::Ok(run(of, o)?.cycles));
                cycles = each.sum::<Result<u64>>()?;
                anyhow::Ok(cycles)
            })?;
        }
        if round > 0 {
            measured.push(rates);
        }
    }
    let over = |value: &dyn Fn(&[f64; 2]) -> f64| Spread::new(measured.iter().map(value).collect());
    let rate = |what: &'static str, n: usize| Rate {
        what: what.into(),
        unit: "cycles".into(),
        per_second: over(&|round| round[n]),
    };
    Ok(SmSpeed {
        host,
        size: shape.to_string(),
        memory_latency: latency,
        rounds,
        cycles,
        rates: vec![
            rate("alone: memory and host in software", 0),
            rate("in lockstep with the golden machine", 1),
        ],
        ratio: Ratio {
            what: "lockstep / alone".into(),
            value: over(&|round| round[1] / round[0]),
        },
    })
}

impl SmSpeed {
    /// Needs Verilator.
    pub fn measure(rounds: u32) -> Result<SmSpeed> {
        let speed = speed(&launched()?, rounds)?;
        println!("{}\n", speed.text());
        Ok(speed)
    }

    fn text(&self) -> String {
        let mut text = format!(
            "speed of weft_sm {}, all kernels, {} cycles; median of {} rounds (lowest to highest), by processor time",
            self.size, self.cycles, self.rounds
        );
        for r in &self.rates {
            let s = &r.per_second;
            text += &format!(
                "\n  {:<40}{:>9.0} ({:.0} to {:.0}) {}/s",
                r.what, s.median, s.min, s.max, r.unit
            );
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(cycles: u64) -> SmRow {
        SmRow {
            kernel: "vecadd".into(),
            size: Some(1000),
            cycles,
            instructions: 2000,
            thread_instructions: 8000,
            by_reason: vec![2000, cycles - 2000],
            accesses: 750,
            lines: 750,
            transfers: 760,
            reads: 0,
            hits: 0,
        }
    }

    #[test]
    fn figures_follow_from_the_counts() {
        let row = row(5000);
        let setting = Setting {
            size: "4x4l4c0".into(),
            warps: 4,
            threads: 4,
            lanes: 4,
            cache: 0,
            memory_latency: 20,
            rows: vec![row.clone()],
        };
        assert_eq!(row.ipc(), 0.4);
        assert_eq!(row.cycles_of_four(), Some(20.0));
        assert_eq!(setting.share(&row), 0.4);
        let other = SmRow {
            kernel: "sgemm".into(),
            ..row
        };
        assert_eq!(other.cycles_of_four(), None, "its size is an edge");
    }
}
