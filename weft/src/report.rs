//! What a run came to: for people, and as JSON.

use crate::outputs;
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
    /// Nothing has changed for as long as the watchdog waits. Whether something would have is not known.
    #[serde(rename = "livelock_suspected")]
    Livelock,
    /// Hardware does not answer.
    Hang,
    /// Not finished when a limit was reached.
    Limit,
    /// Somebody wanted it to end.
    Interrupted,
    /// Two engines differ, or the hardware broke a rule of its ports.
    Mismatch,
    /// A device refused what it was asked for.
    Error,
}

impl Ending {
    pub fn name(self) -> &'static str {
        match self {
            Ending::Done => "done",
            Ending::Fault => "fault",
            Ending::Livelock => "livelock suspected",
            Ending::Hang => "hang",
            Ending::Limit => "limit",
            Ending::Interrupted => "interrupted",
            Ending::Mismatch => "mismatch",
            Ending::Error => "error",
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

/// What a whole core adds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CoreCounters {
    /// single, dual or two: how many instructions it can issue per cycle, and of how many warps.
    pub unit: &'static str,
    pub policy: &'static str,
    pub ctas: usize,
    pub issued: u64,
    /// Instructions per cycle.
    pub ipc: f64,
    /// Cycles with two instructions.
    pub dual_cycles: u64,
    /// Cycles of the scheduler by reason (SCHED-040).
    pub reasons: std::collections::BTreeMap<&'static str, u32>,
    /// Operations after which threads slept, barriers that opened, and turns in critical sections.
    pub sleeps: u64,
    pub barriers: u64,
    pub turns: u64,
}

impl CoreCounters {
    /// One item per line.
    pub fn lines(&self) -> Vec<String> {
        let all: u32 = self.reasons.values().sum();
        let part = |n: u32| 100.0 * f64::from(n) / f64::from(all.max(1));
        let reasons = self.reasons.iter();
        let reasons: Vec<_> = reasons
            .map(|(name, &n)| format!("{name} {:.1} %", part(n)))
            .collect();
        let two = self.dual_cycles;
        vec![
            item("issue", format!("{}, {}", self.unit, self.policy)),
            item("CTAs", self.ctas),
            item("IPC", format!("{:.3}, {two} cycles with two", self.ipc)),
            item("cycles by reason", reasons.join(", ")),
            item(
                "barriers",
                format!(
                    "{} opened, {} sleeps, {} turns",
                    self.barriers, self.sleeps, self.turns
                ),
            ),
        ]
    }
}

fn item(name: &str, value: impl std::fmt::Display) -> String {
    format!("{name:<20} {value}")
}

impl Counters {
    pub fn reasons(reasons: &[u32; 6]) -> std::collections::BTreeMap<&'static str, u32> {
        let names = weft_testbench::core::Counters::REASONS;
        names.into_iter().zip(reasons.iter().copied()).collect()
    }

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
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let mut number = |name, n: Option<u64>| lines.extend(n.map(|n| item(name, n)));
        number("cycles", self.cycles);
        number("instructions", self.warp_instructions);
        number("thread instructions", self.thread_instructions);
        let efficiency = self.simd_efficiency.map(|e| format!("{:.1} %", 100.0 * e));
        lines.extend(efficiency.map(|e| item("SIMD efficiency", e)));
        if let Some(t) = self.tokens {
            let pushes = format!(
                "{} ({} redundant, {} dropped)",
                t.pushes, t.redundant_pushes, t.dropped_pushes
            );
            let yields = format!("{} and {} forced", t.yields, t.forced_yields);
            lines.extend([
                item("pushes", pushes),
                item("divergences", t.divergences),
                item("yields", yields),
                item("deepest deque", t.deepest_deque),
                item("recenterings", t.recenterings),
            ]);
        }
        lines
    }
}

/// Writes a report where `--json` says.
pub fn write_json(path: &Path, report: &impl Serialize) -> Result<()> {
    let mut text = serde_json::to_string_pretty(report).context("--json")?;
    text.push('\n');
    outputs::write("--json", path, text)
}
