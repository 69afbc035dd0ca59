//! What a run on the SM gives back.

use super::memory::AxiCounts;
use super::ports::Reported;
use serde::Serialize;
use weft_isa::{ArithmeticOp, FloatInstr, RootOrConversion};
use weft_sim::{ConfigError, Fault, Memory, Record, Thread};

#[derive(Debug, thiserror::Error)]
pub enum SmError {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Dut(#[from] crate::dut::DutError),
    #[error("the launch was refused")]
    Refused,
    /// What the SM did against the golden machine.
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
    /// A rule of the ports or of the order is broken.
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
    /// Of the golden machine; warp instructions.
    #[error("not finished after {0} warp instructions{1}")]
    OutOfInstructions(u64, String),
    #[error("interrupted{0}")]
    Interrupted(String),
    /// Of the golden machine, which has no clock.
    #[error("hang: nothing can run{0}")]
    GoldenHang(String),
    #[error("livelock suspected: for {0} warp instructions memory has not changed and no thread has ended{1}")]
    GoldenLivelock(u64, String),
    #[error("final state: {0}")]
    FinalState(String),
    /// Of the oracle: a fault, threads that wait at barriers for ever, one that has not ended.
    #[error("alone: {0}")]
    AloneFault(Fault),
    #[error("alone: {0}")]
    AloneHung(String),
    #[error("{0}")]
    AloneLimit(String),
    /// The oracle does not judge, and why.
    #[error("{0}")]
    Silent(String),
}

impl SmError {
    /// When it happened; 0: before or after the run.
    pub fn cycle(&self) -> u64 {
        match self {
            SmError::Mismatch { cycle, .. }
            | SmError::Rule { cycle, .. }
            | SmError::Hang { cycle, .. }
            | SmError::Livelock { cycle, .. }
            | SmError::OutOfCycles(cycle, _) => *cycle,
            _ => 0,
        }
    }
}

/// What kept the scheduler from issuing in a cycle, as the trace shows it: told by the warp that was nearest to it, so
/// the first of these that is true of any warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    Issue,
    /// Nothing that the trace shows keeps the warp: the steps of the scheduler between two instructions.
    Steps,
    /// The same, and it has issued nothing since its latest control operation: its instructions are being looked up or
    /// fetched.
    Supply,
    /// The passes of instructions before are still read, or the dividers' queue or the float unit is full.
    Unit,
    /// A result of lanes, multiplier, dividers or float unit.
    Hazard,
    /// An access, or room for one.
    Memory,
    /// A control operation.
    Control,
    /// The verdict at a barrier, or all warps wait there.
    Barrier,
    /// No warp runs.
    Idle,
}

/// Cycles of a launch by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Reasons {
    pub issue: u64,
    pub steps: u64,
    pub supply: u64,
    pub unit: u64,
    pub hazard: u64,
    pub memory: u64,
    pub control: u64,
    pub barrier: u64,
    pub idle: u64,
}

impl Reasons {
    pub fn add(&mut self, reason: Reason) {
        *match reason {
            Reason::Issue => &mut self.issue,
            Reason::Steps => &mut self.steps,
            Reason::Supply => &mut self.supply,
            Reason::Unit => &mut self.unit,
            Reason::Hazard => &mut self.hazard,
            Reason::Memory => &mut self.memory,
            Reason::Control => &mut self.control,
            Reason::Barrier => &mut self.barrier,
            Reason::Idle => &mut self.idle,
        } += 1;
    }

    /// By name, in the order of [`Reason`].
    pub fn by_name(&self) -> [(&'static str, u64); 9] {
        [
            ("issue", self.issue),
            ("steps", self.steps),
            ("supply", self.supply),
            ("unit", self.unit),
            ("hazard", self.hazard),
            ("memory", self.memory),
            ("control", self.control),
            ("barrier", self.barrier),
            ("idle", self.idle),
        ]
    }
}

/// How often something happened: coverage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Seen {
    pub issued: u64,
    pub thread_instructions: u64,
    pub retired: u64,
    pub rows: u64,
    pub effects: u64,
    pub loads: u64,
    pub stores: u64,
    pub atomics: u64,
    pub sc: u64,
    /// SCs that failed although they held a reservation.
    pub sc_spurious: u64,
    pub sc_failed: u64,
    pub fences: u64,
    pub local: u64,
    pub scratchpad: u64,
    /// Instructions that access global memory, and the lines of 64 bytes that their threads ask for.
    pub accesses: u64,
    pub lines: u64,
    /// Loads of words that nobody has written.
    pub unknown: u64,
    pub counters_read: u64,
    pub forced_yields: u64,
    /// Mask instructions and starts of sub-vector loops that have retired as MASK.
    pub masks: u64,
    /// `subv.auto`, those that were sub-vector mode, decisions for regular and for sub-vector mode, and reads that did
    /// not count (SUBV-011).
    pub modes_asked: u64,
    pub modes_subvector: u64,
    pub decided_regular: u64,
    pub decided_subvector: u64,
    pub reads_uncounted: u64,
    /// Rows of registers that the parts of their warp share (SUBV-020).
    pub shared_rows: u64,
    /// Most warps that were resident at once.
    pub most_warps: u64,
    /// Divisions and remainders with threads: all, those issued while another one was in flight, those of several parts.
    pub divisions: u64,
    pub divisions_beside: u64,
    pub divisions_of_parts: u64,
    /// Float instructions: all, with three operands, those of them that waited for all of their warp (DATA-005),
    /// divisions and square roots, in predicated blocks with some threads off.
    pub floats: u64,
    pub float_fused: u64,
    pub float_drains: u64,
    pub float_roots: u64,
    pub float_predicated: u64,
    /// Instructions of predicated blocks whose write mask is smaller than the active mask, and empty.
    pub predicated: u64,
    pub predicated_away: u64,
    /// Instructions issued with nobody on (CONV-110).
    pub without_threads: u64,
    pub barriers: u64,
    pub sleeps: u64,
    pub wakes: u64,
    pub faults: u64,
    /// Of error responses.
    pub late_faults: u64,
    /// Faults of instructions outside of memory, and of those whose fetch was answered with an error.
    pub fetches_outside: u64,
    pub fetch_errors: u64,
    /// Instructions issued behind a fault.
    pub ignored: u64,
    pub ctas: u64,
    /// Most CTAs at once.
    pub most_ctas: u64,
    pub partial_warps: u64,
    pub reused_slots: u64,
    /// Runs behind a reset in the middle of another one, and those of them in which something was on its way at the
    /// memory port.
    pub resets: u64,
    pub resets_busy: u64,
    /// Programs behind a launch that was killed, and those of which a CTA ran then.
    pub kills: u64,
    pub kills_running: u64,
    pub reasons: Reasons,
}

impl Seen {
    pub fn add(&mut self, other: &Seen) {
        macro_rules! sum {
            ($($field:ident)*) => {
                $(self.$field += other.$field;)*
            };
        }
        sum!(issued thread_instructions retired rows effects loads stores atomics sc sc_spurious sc_failed fences local
            scratchpad accesses lines unknown counters_read forced_yields masks
            modes_asked modes_subvector decided_regular decided_subvector reads_uncounted shared_rows divisions divisions_beside divisions_of_parts floats float_fused float_drains float_roots float_predicated predicated predicated_away without_threads barriers sleeps wakes faults late_faults fetches_outside fetch_errors ignored ctas
            partial_warps reused_slots resets resets_busy kills kills_running);
        self.most_ctas = self.most_ctas.max(other.most_ctas);
        self.most_warps = self.most_warps.max(other.most_warps);
    }

    /// A division or remainder that was issued, of so many parts with threads.
    pub fn division(&mut self, parts: usize, beside: bool) {
        self.divisions += u64::from(parts > 0);
        self.divisions_beside += u64::from(parts > 0 && beside);
        self.divisions_of_parts += u64::from(parts > 1);
    }

    /// A float instruction that was issued.
    pub fn float(&mut self, instr: FloatInstr, drains: bool, predicated: bool) {
        let divides = matches!(instr, FloatInstr::Arithmetic { op, .. } if op == ArithmeticOp::Div);
        let roots = matches!(instr, FloatInstr::Unary { op, .. } if op == RootOrConversion::Sqrt);
        self.floats += 1;
        self.float_fused += u64::from(matches!(instr, FloatInstr::Fused { .. }));
        self.float_drains += u64::from(drains);
        self.float_roots += u64::from(divides || roots);
        self.float_predicated += u64::from(predicated);
    }

    /// By name.
    pub fn rows_of_table(&self) -> Vec<(&'static str, u64)> {
        macro_rules! list {
            ($($field:ident)*) => {
                vec![$((stringify!($field), self.$field)),*]
            };
        }
        list!(issued thread_instructions retired rows effects loads stores atomics sc sc_spurious sc_failed fences local
            scratchpad accesses lines unknown counters_read forced_yields masks
            modes_asked modes_subvector decided_regular decided_subvector reads_uncounted shared_rows divisions divisions_beside divisions_of_parts floats float_fused float_drains float_roots float_predicated predicated predicated_away without_threads barriers sleeps wakes faults late_faults fetches_outside fetch_errors ignored ctas most_ctas most_warps
            partial_warps reused_slots resets resets_busy kills kills_running)
    }
}

/// What the data cache did (docs/spec/memory.md, MEM-066).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CacheCounts {
    /// Reads that found their line, fetched it, or went past because another line of the set was on its way.
    pub hits: u64,
    pub misses: u64,
    pub past: u64,
    /// Beats of writes that found their line.
    pub write_hits: u64,
    /// Reads that were put aside until their line had come; each time.
    pub aside: u64,
    /// Held lines that made room for another one.
    pub evictions: u64,
    /// Lines that came with an error.
    pub errors: u64,
    /// Lines that were read ahead.
    pub ahead: u64,
}

impl CacheCounts {
    fn fields(&mut self) -> [&mut u64; 8] {
        [
            &mut self.hits,
            &mut self.misses,
            &mut self.past,
            &mut self.write_hits,
            &mut self.aside,
            &mut self.evictions,
            &mut self.errors,
            &mut self.ahead,
        ]
    }

    /// One cycle: bits of `cache_events`.
    pub fn count(&mut self, events: u8) {
        if events != 0 {
            for (bit, field) in self.fields().into_iter().enumerate() {
                *field += u64::from(events >> bit & 1);
            }
        }
    }

    pub fn add(&mut self, mut other: CacheCounts) {
        for (field, more) in self.fields().into_iter().zip(other.fields()) {
            *field += *more;
        }
    }

    /// Reads: of loads.
    pub fn reads(&self) -> u64 {
        self.hits + self.misses + self.past
    }

    /// By name.
    pub fn rows_of_table(&self) -> [(&'static str, u64); 8] {
        [
            ("cache_hits", self.hits),
            ("cache_misses", self.misses),
            ("cache_past", self.past),
            ("cache_write_hits", self.write_hits),
            ("cache_aside", self.aside),
            ("cache_evictions", self.evictions),
            ("cache_errors", self.errors),
            ("cache_ahead", self.ahead),
        ]
    }
}

/// FAULT and its fellows, as the host has read them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct HostFault {
    pub warp: usize,
    pub lane: u32,
    pub cause: u8,
    /// Byte address.
    pub pc: u32,
    pub address: u32,
    pub cta: u32,
}

/// Of one run.
#[derive(Clone, Debug, Serialize)]
pub struct SmReport {
    /// CYCLES: from the launch to its end.
    pub cycles: u64,
    /// RESIDENT: warps for which the register file has room.
    pub resident: u32,
    pub seen: Seen,
    pub axi: AxiCounts,
    pub cache: CacheCounts,
    /// STATUS at the end.
    pub status: u32,
    pub fault: Option<HostFault>,
    /// ra of the thread whose fault is the first; in lockstep.
    pub returns_to: Option<u32>,
    /// At `fault_*`.
    #[serde(skip)]
    pub reported: Vec<Reported>,
    /// The scalar oracle agrees; `None`: it was not compared.
    pub oracle_agrees: Option<bool>,
    /// Why it has not judged although it was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oracle_silent: Option<String>,
    /// By warp slot: instructions issued.
    pub issued: Vec<u64>,
    #[serde(skip)]
    pub memory: Memory,
    /// By number in the grid.
    #[serde(skip)]
    pub threads: Vec<Thread>,
}

/// Called for what agrees.
pub trait Watcher {
    fn issued(&mut self, _cycle: u64, _warp: usize, _pc: u32, _mask: u64) {}
    fn retired(&mut self, _cycle: u64, _record: &Record) {}
    /// An instruction of the warp has taken effect in memory: lanes and its operation.
    fn effect(&mut self, _cycle: u64, _warp: usize, _op: u8, _mask: u64) {}
}
