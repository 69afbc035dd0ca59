//! What a run gives back.

use crate::dut::DutError;
use crate::lockstep::{Failure, Observer, Retired};
use crate::wavefront::judge::Cover;
use serde::Serialize;
use weft_ports::control::{mask, Op};
use weft_sim::barrier::BarrierError;
use weft_sim::{
    ConfigError, Event, Fault, Machine, Memory, Record, Spinning, Stats, Stuck, Thread, Token,
    WarpStats, DIV, SUBV,
};

#[derive(Clone, Debug, Serialize)]
pub struct RunReport {
    pub engine: String,
    /// Clock cycles from the first launch to the last retire; none for the untimed engines.
    pub cycles: Option<u64>,
    /// Counters. For the oracle: one warp instruction per thread instruction.
    pub stats: Stats,
    /// Tokens that entered a deque: pushes that were neither redundant nor dropped, divergences;
    /// YIELD tokens not counted.
    pub tokens_pushed: u64,
    /// SPILL-021, all warps.
    pub recentered: u64,
    /// Warps that a fault stopped; all others have ended.
    pub faults: Vec<FaultReport>,
    /// Bad use of barriers, on the golden machine.
    pub barrier_errors: Vec<String>,
    /// The scalar oracle was compared, and agrees. `None` where it has not judged: nobody asked, or what it would say
    /// means nothing.
    pub oracle_agrees: Option<bool>,
    /// Why it has not judged though it was asked.
    pub oracle_silent: Option<String>,
    /// What the wavefront unit below the lanes has done.
    #[serde(skip)]
    pub wavefront: Option<Cover>,
    #[serde(skip)]
    pub memory: Memory,
    /// Registers and instret by number in the grid.
    #[serde(skip)]
    pub threads: Vec<Thread>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FaultReport {
    pub warp: usize,
    pub thread: u32,
    /// Byte address.
    pub pc: u32,
    pub cause: String,
    /// ra of the thread.
    pub returns_to: u32,
}

impl FaultReport {
    /// Of a thread of this machine.
    pub fn new(f: &Fault, machine: &Machine) -> FaultReport {
        FaultReport {
            warp: f.warp,
            thread: f.thread,
            pc: f.pc,
            cause: f.cause.to_string(),
            returns_to: machine.thread(f.warp, f.lane as usize).registers[1],
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Dut(#[from] DutError),
    #[error(transparent)]
    Failure(#[from] Failure),
    #[error("livelock suspected: in {limit} warp instructions of the golden model memory has not changed and no thread has ended{}", spinning(.warps))]
    GoldenLivelock { limit: u64, warps: Vec<Spinning> },
    #[error("hang: nothing can run, {} threads wait{}{}", .0.len(), list(.0), errors(.1))]
    GoldenHung(Vec<Stuck>, Vec<BarrierError>),
    #[error("the golden model has not finished after {0} warp instructions{1}")]
    GoldenLimit(u64, String),
    #[error("thread {thread} alone has not ended after {limit} instructions, it is at {pc:#x}")]
    OracleLimit { thread: u32, pc: u32, limit: u64 },
    #[error("{}", hung(.0))]
    OracleHung(Vec<weft_sim::Lonely>),
    #[error("the configuration has no cache, which weft_wavefront needs")]
    NoWavefront,
    #[error("alone: {0}")]
    OracleFault(Fault),
    /// The engine has no hardware for one of the program's instructions.
    #[error("{engine} cannot run this program: {what}")]
    Cannot { engine: String, what: String },
    #[error("interrupted{0}")]
    Interrupted(String),
}

fn errors(errors: &[BarrierError]) -> String {
    let line = |e| format!("\n  barrier error {e}");
    errors.iter().map(line).collect()
}

fn list(stuck: &[Stuck]) -> String {
    let lines = Stuck::lines(stuck).into_iter();
    lines.map(|line| format!("\n  {line}")).collect()
}

fn spinning(warps: &[Spinning]) -> String {
    warps.iter().map(|w| format!("\n  {w}")).collect()
}

/// Counters taken from the retire port alone. The deepest deque is the deepest after an operation;
/// recenterings do not show.
#[derive(Clone, Debug)]
pub struct Tally {
    warps: Vec<WarpStats>,
    before: Vec<(usize, Option<Token>)>,
}

impl Tally {
    pub fn new(warps: usize) -> Tally {
        Tally {
            warps: vec![WarpStats::default(); warps],
            before: vec![(0, None); warps],
        }
    }

    pub fn stats(&self, width: usize, thread_instructions: &[u64]) -> Stats {
        let mut warps = self.warps.clone();
        warps
            .iter_mut()
            .zip(thread_instructions)
            .for_each(|(w, n)| w.thread_instructions = *n);
        Stats::new(width, warps)
    }

    /// `parts`: it is a SUBV_START.
    pub fn count(&mut self, r: &Record, parts: bool) {
        let (s, before) = (&mut self.warps[r.warp], &mut self.before[r.warp]);
        let (depth, front) = *before;
        s.warp_instructions += u64::from(r.event != Event::ForcedYield);
        match r.event {
            // CONV-110: it was no more than NEXT.
            _ if r.mask == 0 => {}
            // A SYNC token, a SUBV token, or both.
            Event::Mask if parts => {
                let grown = r.depth.saturating_sub(depth);
                let parted = grown > 0 && r.front.is_some_and(|t| t.kind == SUBV);
                s.pushes += 1;
                s.dropped_pushes += u64::from(r.dropped);
                s.redundant_pushes += u64::from(!r.dropped && grown == usize::from(parted));
            }
            Event::Mask => {}
            Event::Push => {
                s.pushes += 1;
                s.dropped_pushes += u64::from(r.dropped);
                s.redundant_pushes += u64::from(!r.dropped && r.depth == depth);
            }
            // A CALL token, a DIV token, or both.
            Event::Call => {
                let grown = r.depth.saturating_sub(depth);
                let diverged = grown > 0 && r.front.is_some_and(|t| t.kind == DIV);
                s.pushes += 1;
                s.dropped_pushes += u64::from(r.dropped);
                s.redundant_pushes += u64::from(!r.dropped && grown == usize::from(diverged));
                s.divergences += u64::from(diverged);
            }
            // Only a DIV token makes the deque deeper here.
            Event::Branch | Event::Indirect | Event::Leave | Event::LeaveIndirect => {
                s.divergences += u64::from(r.depth > depth);
            }
            // A YIELD that does not fire changes nothing but the pc.
            Event::Yield => {
                let moved = (r.next_mask, r.depth, r.front) != (r.mask, depth, front)
                    || r.next_pc != r.pc + 1;
                s.yields_fired += u64::from(moved);
            }
            Event::ForcedYield => s.forced_yields += 1,
            Event::Next | Event::Exit | Event::Barrier => {}
        }
        s.deepest_deque = s.deepest_deque.max(r.depth);
        *before = (r.depth, r.front);
    }
}

impl Observer for Tally {
    fn retired(&mut self, event: &Retired) {
        let parts = event.resolve.op == Op::Mask as u8 && event.resolve.kind == mask::SUBV_START;
        self.count(event.record, parts);
    }
}

pub fn tokens_pushed(s: &WarpStats) -> u64 {
    s.pushes - s.redundant_pushes - s.dropped_pushes + s.divergences
}

/// Threads that wait at barriers for ever, when each runs alone.
pub fn hung(waiting: &[weft_sim::Lonely]) -> String {
    let lines = waiting.iter().map(|w| format!("\n  {w}"));
    format!(
        "hang: nobody can go on, {} threads wait{}",
        waiting.len(),
        lines.collect::<String>()
    )
}
