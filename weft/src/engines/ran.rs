//! What an engine came to.

use crate::printed::{self, Printed};
use crate::report::{Counters, Ending};
use serde_json::{Map, Value};
use weft_sim::{FaultCause, Memory};
use weft_testbench::report::{FaultReport, Tally};

/// A program has run, or was cut short.
pub struct Ran {
    pub ending: Ending,
    /// What is wrong, a line or a few each; the faults of warps first, in the order of the counters.
    pub findings: Vec<String>,
    /// What may help against it.
    pub help: Vec<String>,
    /// What is to be said and is no finding.
    pub notes: Vec<String>,
    pub counters: Counters,
    /// What this engine counts, in lines.
    pub lines: Vec<String>,
    /// What it counts beyond [`Counters`], as fields of the report.
    pub fields: Map<String, Value>,
    /// `None`: the oracle has not judged.
    pub oracle_agrees: Option<bool>,
    /// What can be read of it: of a GPU always, else when the program has come to an end.
    pub memory: Option<Memory>,
    /// Files that could not be written.
    pub lost: Vec<anyhow::Error>,
}

impl Ran {
    /// With these findings, and nothing else yet.
    pub fn new(ending: Ending, findings: Vec<String>) -> Ran {
        Ran {
            ending,
            findings,
            help: Vec::new(),
            notes: Vec::new(),
            counters: Counters::default(),
            lines: Vec::new(),
            fields: Map::new(),
            oracle_agrees: None,
            memory: None,
            lost: Vec::new(),
        }
    }

    /// At an end: without findings as it should.
    pub fn ended(findings: Vec<String>) -> Ran {
        let ending = match findings.is_empty() {
            true => Ending::Done,
            false => Ending::Fault,
        };
        Ran::new(ending, findings)
    }

    /// Cut short. The watchdog does not know whether something would have changed, and both limits can be moved.
    pub fn cut_short(ending: Ending, mut finding: String) -> Ran {
        finding.push_str(match ending {
            Ending::Livelock => {
                "\n  a program that computes for so long without a store looks the same: --watchdog N waits longer"
            }
            Ending::Limit => "\n  --limit N allows more",
            _ => "",
        });
        Ran::new(ending, vec![finding])
    }

    /// At an end, with these faults of warps and errors of barriers.
    pub fn of_warps(
        faults: Vec<FaultReport>,
        barrier_errors: Vec<String>,
        counters: Counters,
    ) -> Ran {
        let of_faults = faults.iter().map(|f| {
            format!(
                "fault: warp {}, thread {}, pc {:#x}: {}",
                f.warp, f.thread, f.pc, f.cause
            )
        });
        let errors = barrier_errors.iter();
        let errors = errors.map(|e| format!("barrier error {e}"));
        let ran = Ran::ended(of_faults.chain(errors).collect());
        let counters = Counters { faults, ..counters };
        Ran {
            lines: counters.lines(),
            counters,
            ..ran
        }
    }

    /// Cut short with this much done: which threads were active at the end is not known.
    pub fn counted(self, tally: &Tally, threads: usize, cycle: Option<u64>) -> Ran {
        let counters = Counters {
            thread_instructions: None,
            simd_efficiency: None,
            ..Counters::of_warps(&tally.stats(threads, &[]), cycle)
        };
        Ran {
            lines: counters.lines(),
            counters,
            ..self
        }
    }

    /// What the program itself has said comes first, damage to its console and help last.
    pub fn explain(&mut self, printed: Option<&Printed>) {
        if let Some(printed) = printed {
            printed.stopped(&mut self.findings);
        }
        if let Some(damage) = printed.and_then(Printed::damage) {
            self.findings.push(damage);
            if self.ending == Ending::Done {
                self.ending = Ending::Fault;
            }
        }
        let help = self.help.drain(..).map(|help| format!("help: {help}"));
        self.findings.extend(help);
    }
}

/// Help for the first of these causes that has some: a full stack, or an access beyond a scratchpad.
pub fn help_for(causes: impl IntoIterator<Item = FaultCause>) -> Vec<String> {
    let unmapped = causes.into_iter().filter_map(|cause| match cause {
        FaultCause::Unmapped { address } => Some(address),
        _ => None,
    });
    let help =
        |address| printed::below_the_stack(address).or_else(|| printed::in_the_scratchpad(address));
    unmapped.filter_map(help).take(1).collect()
}
