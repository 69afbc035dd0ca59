//! What a run of a program on the core gives back.

use super::options::{Cta, Pick};
use crate::dut::DutError;
use crate::mask_cross::MaskCross;
use crate::report::FaultReport;
use serde::Serialize;
use weft_sim::{Cache, ConfigError, Memory, Record, Thread};

#[derive(Debug, thiserror::Error)]
pub enum CoreError {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Dut(#[from] DutError),
    /// What the core did against the golden machine.
    #[error(
        "cycle {cycle}: warp {warp}: {what}\n  hardware: {hardware}\n  model:    {model}{history}"
    )]
    Mismatch {
        cycle: u64,
        warp: usize,
        what: String,
        hardware: String,
        model: String,
        history: String,
    },
    /// A rule of the ports is broken.
    #[error("cycle {cycle}: {detail}")]
    Rule { cycle: u64, detail: String },
    #[error("cycle {cycle}: hang: nothing has happened for {silent} cycles{warps}")]
    Hang {
        cycle: u64,
        silent: u64,
        warps: String,
    },
    #[error("cycle {cycle}: livelock suspected: for {silent} cycles memory has not changed and no warp has ended{warps}")]
    Livelock {
        cycle: u64,
        silent: u64,
        warps: String,
    },
    #[error("not finished after {0} cycles{1}")]
    OutOfCycles(u64, String),
    #[error("final state: {0}")]
    FinalState(String),
    /// The scalar oracle was compared.
    #[error("the oracle disagrees: {0}")]
    Alone(String),
    #[error("cycle {0}: interrupted{1}")]
    Interrupted(u64, String),
}

impl CoreError {
    /// When it happened; 0: before or after the run.
    pub fn cycle(&self) -> u64 {
        match self {
            CoreError::Mismatch { cycle, .. }
            | CoreError::Rule { cycle, .. }
            | CoreError::Hang { cycle, .. }
            | CoreError::Livelock { cycle, .. }
            | CoreError::OutOfCycles(cycle, _)
            | CoreError::Interrupted(cycle, _) => *cycle,
            _ => 0,
        }
    }
}

/// The counters of the scheduler (docs/spec/scheduler.md, *Counters*): read through the counter port while it was held.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counters {
    /// Cycles by reason: ISSUE, UNIT, HAZARD, FETCH, CONTROL, IDLE (SCHED-040).
    /// Of all partitions together: a cycle counts once for each.
    pub reasons: [u32; 6],
    /// Cycles in which two instructions of one warp were issued.
    pub dual: u32,
    /// By warp: its reasons (SCHED-041); index 6 is always 0.
    pub warps: Vec<[u32; 8]>,
    /// By warp: its issued instructions (SCHED-042).
    pub issued: Vec<u32>,
}

impl Counters {
    pub const REASONS: [&'static str; 6] = ["ISSUE", "UNIT", "HAZARD", "FETCH", "CONTROL", "IDLE"];

    pub fn cycles(&self) -> u32 {
        self.reasons.iter().sum()
    }
}

/// A CTA that has ended, or was refused.
#[derive(Clone, Debug, Serialize)]
pub struct CtaReport {
    pub cta: Cta,
    pub refused: bool,
    /// `cta_done_failed`
    pub failed: bool,
    /// CTA slot.
    pub slot: Option<u8>,
    /// Warp slots, by block.
    pub warps: Vec<usize>,
    /// Cycles of its first launch and of its `cta_done`.
    pub began: u64,
    pub ended: u64,
    pub faults: Vec<FaultReport>,
    /// The scalar oracle was compared and agrees; `None` where it has not judged. Of a grid it judges the whole.
    pub oracle_agrees: Option<bool>,
    /// What the golden machine's cache, if there is one, has seen in the order of the core's accesses.
    #[serde(skip)]
    pub cache: Option<Cache>,
    /// Its memory (of a grid: [`CoreReport::memory`]), and registers and instret by thread.
    #[serde(skip)]
    pub memory: Memory,
    #[serde(skip)]
    pub threads: Vec<Thread>,
}

/// How often something happened: coverage.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Happened {
    /// Barriers complete by arrivals, and by timeout; barriers idle again; groups of late threads; errors.
    pub barriers: u64,
    pub timeouts: u64,
    pub idle: u64,
    pub late_groups: u64,
    pub barrier_errors: u64,
    /// Turns in critical sections.
    pub turns: u64,
    /// Verdicts.
    pub sleeps: u64,
    pub retries: u64,
    pub parts: u64,
    pub wakes: u64,
    pub wakes_of_running: u64,
    pub wakes_of_the_dead: u64,
    /// Operations that left a warp blocked.
    pub blocked: u64,
    /// Cycles in which a warp was held.
    pub held: u64,
    /// Two instructions of one warp in one cycle.
    pub dual: u64,
    /// More than one instruction in one cycle.
    pub several: u64,
    /// Instructions of several partitions in one cycle, and of these several control instructions, or several of a
    /// class; of all partitions.
    pub pairs: u64,
    pub pairs_of_control: u64,
    pub pairs_of_a_class: u64,
    pub of_all_partitions: u64,
    /// Cycles in which a line was asked for and one of a warp of another partition had been in the cycle before.
    pub lines_in_turns: u64,
    /// A control instruction as the second one.
    pub dual_control: u64,
    /// Faults of instructions that are `control`, and of others (CORE-012).
    pub control_faults: u64,
    pub other_faults: u64,
    /// Instructions, and of these control instructions, that came after one that has faulted.
    pub ignored: u64,
    pub ignored_control: u64,
    /// Instructions that came when the exception had been reported.
    pub late: u64,
    pub forced_yields: u64,
    pub yields: u64,
    pub pushes: u64,
    pub dropped: u64,
    pub recentered: u64,
    /// Recenterings by the driver.
    pub served: u64,
    /// Requests at the token memory.
    pub token_requests: u64,
    /// Warp slots that were launched again, and of these while another warp was running.
    pub reused: u64,
    pub reused_while_running: u64,
    /// Cycles in which more than one CTA was there.
    pub cta_overlap: u64,
    pub refused: u64,
    /// Launches while a warp slot is withheld from CTAs.
    pub withheld: u64,
    pub failed_ctas: u64,
    /// Most CTAs at once.
    pub most_ctas: u64,
    /// `done` of an instruction that was issued after another one of its warp that was still in flight.
    pub overtaking: u64,
    /// Most instructions of a warp in flight.
    pub most_in_flight: u64,
    /// Resolves that had to wait for `resolve_ready`.
    pub resolve_waits: u64,
    pub lines: u64,
    /// Levels set at the port, and of these by instructions.
    pub program_levels: u64,
    pub levels_written: u64,
    pub counter_reads: u64,
    /// Instructions that came with an empty mask (CONV-110), that predication kept from some threads, and that as
    /// second ones.
    pub without_threads: u64,
    pub narrowed: u64,
    pub narrowed_second: u64,
    pub masks: MaskCross,
}

impl Happened {
    pub fn add(&mut self, other: &Happened) {
        self.dual += other.dual;
        self.pairs += other.pairs;
        self.pairs_of_control += other.pairs_of_control;
        self.pairs_of_a_class += other.pairs_of_a_class;
        self.of_all_partitions += other.of_all_partitions;
        self.several += other.several;
        self.lines_in_turns += other.lines_in_turns;
        self.barriers += other.barriers;
        self.timeouts += other.timeouts;
        self.idle += other.idle;
        self.late_groups += other.late_groups;
        self.barrier_errors += other.barrier_errors;
        self.turns += other.turns;
        self.sleeps += other.sleeps;
        self.retries += other.retries;
        self.parts += other.parts;
        self.wakes += other.wakes;
        self.wakes_of_running += other.wakes_of_running;
        self.wakes_of_the_dead += other.wakes_of_the_dead;
        self.blocked += other.blocked;
        self.held += other.held;
        self.dual_control += other.dual_control;
        self.control_faults += other.control_faults;
        self.other_faults += other.other_faults;
        self.ignored += other.ignored;
        self.ignored_control += other.ignored_control;
        self.late += other.late;
        self.forced_yields += other.forced_yields;
        self.yields += other.yields;
        self.pushes += other.pushes;
        self.dropped += other.dropped;
        self.recentered += other.recentered;
        self.served += other.served;
        self.token_requests += other.token_requests;
        self.reused += other.reused;
        self.reused_while_running += other.reused_while_running;
        self.cta_overlap += other.cta_overlap;
        self.refused += other.refused;
        self.withheld += other.withheld;
        self.failed_ctas += other.failed_ctas;
        self.most_ctas = self.most_ctas.max(other.most_ctas);
        self.overtaking += other.overtaking;
        self.most_in_flight = self.most_in_flight.max(other.most_in_flight);
        self.resolve_waits += other.resolve_waits;
        self.lines += other.lines;
        self.program_levels += other.program_levels;
        self.levels_written += other.levels_written;
        self.counter_reads += other.counter_reads;
        self.without_threads += other.without_threads;
        self.narrowed += other.narrowed;
        self.narrowed_second += other.narrowed_second;
        self.masks.add(&other.masks);
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct CoreReport {
    /// [`super::Width::name`]
    pub width: &'static str,
    pub policy: Pick,
    /// Clock cycles from the first launch of a warp to the last `cta_done`.
    pub cycles: u64,
    /// Instructions that came out at `issue_*` and `second_*` of all partitions, also those that were ignored.
    pub issued: u64,
    /// Cycles with more than one of them.
    pub dual_cycles: u64,
    /// Instructions per cycle.
    pub ipc: f64,
    /// Instructions that threads have completed.
    pub thread_instructions: u64,
    pub counters: Counters,
    pub happened: Happened,
    pub ctas: Vec<CtaReport>,
    /// Of a grid: what the oracle says of it, and why it is silent if it was asked.
    pub oracle_agrees: Option<bool>,
    pub oracle_silent: Option<String>,
    /// Instructions that threads have completed, by warp slot.
    pub by_slot: Vec<u64>,
    /// The memory of a grid.
    #[serde(skip)]
    pub memory: Option<Memory>,
}

impl CoreReport {
    /// Stall reasons as a part of all counted cycles.
    pub fn part(&self, reason: usize) -> f64 {
        f64::from(self.counters.reasons[reason]) / f64::from(self.counters.cycles().max(1))
    }
}

impl std::fmt::Display for CoreReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} {}: {} cycles, {} instructions, IPC {:.3}, {} cycles with several;",
            self.width,
            self.policy.name(),
            self.cycles,
            self.issued,
            self.ipc,
            self.dual_cycles
        )?;
        for (reason, name) in Counters::REASONS.iter().enumerate() {
            write!(f, " {name} {:.1} %", 100.0 * self.part(reason))?;
        }
        Ok(())
    }
}

/// One line about a record; pcs as byte addresses.
pub(super) fn line(record: &Record) -> String {
    format!("warp {}: {}", record.warp, crate::lockstep::line(record))
}
