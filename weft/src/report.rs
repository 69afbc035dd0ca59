//! What a run came to: for people, and as JSON.

use anyhow::{Context, Result};
use serde::Serialize;
use std::path::Path;
use weft_sim::Stats;
use weft_testbench::report::FaultReport;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// Every thread has ended.
    Done,
    /// A warp stopped at a fault.
    Fault,
    /// Nothing changes any more.
    Livelock,
    /// Hardware does not answer.
    Hang,
    /// Not finished when a limit was reached.
    Limit,
    /// Two engines differ, or the hardware broke a rule of its ports.
    Mismatch,
}

impl Ending {
    pub fn name(self) -> &'static str {
        match self {
            Ending::Done => "done",
            Ending::Fault => "fault",
            Ending::Livelock => "livelock",
            Ending::Hang => "hang",
            Ending::Limit => "limit",
            Ending::Mismatch => "mismatch",
        }
    }
}

/// Counters of a run. Engines leave out what they do not have: the oracle has no warps, the model no clock.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Counters {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycles: Option<u64>,
    /// Instructions that warps retired.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warp_instructions: Option<u64>,
    /// Instructions that threads completed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread_instructions: Option<u64>,
    /// Active threads / W, the mean over all instructions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub simd_efficiency: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<Tokens>,
    /// Warps that a fault stopped.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<FaultReport>,
}

/// What happened to the token deques.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tokens {
    /// PUSH instructions, and what became of them.
    pub pushes: u64,
    pub redundant_pushes: u64,
    pub dropped_pushes: u64,
    pub divergences: u64,
    pub yields: u64,
    pub forced_yields: u64,
    pub deepest_deque: usize,
    /// SPILL-021.
    pub recenterings: u64,
}

impl Tokens {
    /// Tokens that entered at the front.
    pub fn pushed(&self) -> u64 {
        self.pushes - self.redundant_pushes - self.dropped_pushes + self.divergences
    }
}

impl Counters {
    pub fn of_threads(instructions: u64) -> Counters {
        Counters {
            thread_instructions: Some(instructions),
            ..Counters::default()
        }
    }

    pub fn of_warps(stats: &Stats, cycles: Option<u64>) -> Counters {
        let total = &stats.total;
        Counters {
            cycles,
            warp_instructions: Some(total.warp_instructions),
            thread_instructions: Some(total.thread_instructions),
            simd_efficiency: Some(stats.simd_efficiency),
            tokens: Some(Tokens {
                pushes: total.pushes,
                redundant_pushes: total.redundant_pushes,
                dropped_pushes: total.dropped_pushes,
                divergences: total.divergences,
                yields: total.yields_fired,
                forced_yields: total.forced_yields,
                deepest_deque: total.deepest_deque,
                recenterings: total.recentered,
            }),
            faults: Vec::new(),
        }
    }

    /// One item per line.
    pub fn print(&self) {
        let line = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                println!("  {name:<20} {value}");
            }
        };
        let number = |n: Option<u64>| n.map(|n| n.to_string());
        line("cycles", number(self.cycles));
        line("instructions", number(self.warp_instructions));
        line("thread instructions", number(self.thread_instructions));
        line(
            "SIMD efficiency",
            self.simd_efficiency.map(|e| format!("{:.1} %", 100.0 * e)),
        );
        if let Some(t) = self.tokens {
            let pushes = format!(
                "{} ({} redundant, {} dropped)",
                t.pushes, t.redundant_pushes, t.dropped_pushes
            );
            line("pushes", Some(pushes));
            line("divergences", Some(t.divergences.to_string()));
            line(
                "yields",
                Some(format!("{} and {} forced", t.yields, t.forced_yields)),
            );
            line("deepest deque", Some(t.deepest_deque.to_string()));
            line("recenterings", Some(t.recenterings.to_string()));
        }
    }
}

/// Writes a report where `--json` says.
pub fn write_json(path: &Path, report: &impl Serialize) -> Result<()> {
    let mut text = serde_json::to_string_pretty(report).context("--json")?;
    text.push('\n');
    std::fs::write(path, text).with_context(|| format!("--json {}", path.display()))
}
