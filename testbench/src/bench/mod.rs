//! Figures of the control plane (issue rates, latencies, spill) and of the barrier unit, counted in cycles: the same in
//! every run. And simulation speeds, which are timed.

mod barrier;
mod speed;

pub use barrier::{barrier, BarrierLatency, BarrierReport};
pub use speed::{rate, speed, Rate, Ratio, Speed, SpeedOptions, Spread};

use crate::dut::{self, OpenOptions, RtlKind};
use crate::memory::MemoryTiming;
use crate::report::RunError;
use crate::run::{run_program, Engine};
use crate::run_config::RunConfig;
use crate::script::{Script, Select};
use crate::session::{self, Launch, Levels, Session, Surroundings};
use crate::timing::Timing;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;
use weft_generate::Config;
use weft_isa::Program;
use weft_ports::control::Control;
use weft_sim::Policy;

const SYNC: u8 = 0;
/// N of the measurements.
const TOKENS: u16 = 1023;
/// Latencies of the token memory that are measured.
const MEMORY_LATENCIES: [u32; 3] = [1, 20, 100];
/// Depths at which a LEAVE is measured.
const LEAVE_DEPTHS: [usize; 8] = [0, 1, 2, 4, 8, 16, 32, 64];
/// Length of a chain of operations that goes on in memory.
const LONG_CHAIN: u32 = 128;
/// NEXTs after which the token memory is at rest.
const REST: usize = 100;
/// Cycles over which an issue rate is measured, after a quarter of them.
const RATE_CYCLES: u64 = 4_000;

/// What a row is about.
pub type Name = Cow<'static, str>;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ControlReport {
    pub engine: RtlKind,
    pub warps: usize,
    pub threads: usize,
    /// K, B
    pub front: usize,
    pub back: usize,
    pub issue_rates: Vec<IssueRate>,
    pub latencies: Vec<OperationLatency>,
    pub spill: Vec<SpillCost>,
}

/// Lanes answer in the cycle of the issue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IssueRate {
    pub mix: Name,
    pub warps: usize,
    pub issues_per_cycle: f64,
}

/// Of a warp that runs alone: from the resolve transfer to its next issue transfer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OperationLatency {
    pub operation: Name,
    pub cycles: u64,
}

/// What operations of a lone warp cost when its tokens stand in memory: cycles from the resolve to the next issue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpillCost {
    pub memory_latency: u32,
    /// Mean of pushes that stay on chip, and of many in a row.
    pub push_in_window: f64,
    pub push_spilling: f64,
    /// Mean of LEAVEs that meet at the front token, each of which pops one.
    pub pop_in_window: f64,
    pub pop_filling: f64,
    /// A LEAVE of half of the threads that is caught by token number n of a deque of `LONG_CHAIN` tokens, for each n.
    pub leave: Vec<(usize, u64)>,
}

/// A program with this token window, and with the largest that there is.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Overhead {
    pub memory_latency: u32,
    pub front: usize,
    pub cycles: u64,
    pub widest: usize,
    pub cycles_with_widest: u64,
}

#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(transparent)]
    Dut(#[from] dut::DutError),
    #[error(transparent)]
    Protocol(#[from] crate::monitor::Violation),
    #[error(transparent)]
    Cosim(#[from] Box<crate::cosim::CosimFailure>),
}

/// Everything that is counted in cycles of `weft_control`.
pub fn control(kind: RtlKind, config: Config) -> Result<ControlReport, BenchError> {
    let mut opened = dut::open(kind, config, &OpenOptions::default())?;
    let control = opened.control.as_mut();
    let mut issue_rates = Vec::new();
    for (mix, script) in mixes() {
        for warps in [1, 2, 4, 8, 16].into_iter().filter(|n| *n <= config.warps) {
            let issues_per_cycle = issue_rate(control, config, script.clone(), warps)?;
            issue_rates.push(IssueRate {
                mix: mix.into(),
                warps,
                issues_per_cycle,
            });
        }
    }
    let latencies = latencies(control, config)?;
    let spill = MEMORY_LATENCIES
        .into_iter()
        .map(|latency| spill_cost(control, config, latency))
        .collect::<Result<_, _>>()?;
    Ok(ControlReport {
        engine: kind,
        warps: config.warps,
        threads: config.threads,
        front: config.front,
        back: config.back,
        issue_rates,
        latencies,
        spill,
    })
}

/// Endless loops.
fn mixes() -> [(&'static str, Script); 3] {
    let next = Script::default()
        .next()
        .next()
        .next()
        .branch(Select::All, 0);
    // if/else that meets: per pass 3 full and 4 half instructions.
    let choice = Script::default()
        .push(SYNC, 6) // 0
        .branch(Select::LowerHalf, 4) // 1
        .next() // 2
        .leave(SYNC, Select::All, 6) // 3
        .next() // 4
        .leave(SYNC, Select::All, 6) // 5
        .branch(Select::All, 0); // 6
                                 // A loop that half of the threads leave early, with ordinary instructions between.
    let mixed = Script::default()
        .push(1, 9) // 0
        .next() // 1
        .next() // 2
        .leave(1, Select::LowerHalf, 9) // 3
        .next() // 4
        .branch(Select::Nobody, 1) // 5
        .next() // 6
        .leave(1, Select::All, 9) // 7
        .next() // 8: not reached
        .next() // 9
        .branch(Select::All, 0); // 10
    [
        ("NEXT, one branch in four", next),
        ("if/else: push, diverge, leave, leave", choice),
        ("break loop", mixed),
    ]
}

fn session<'d>(
    control: &'d mut dyn Control,
    config: Config,
    yield_every: u16,
    memory: u32,
) -> Session<'d> {
    session::reset(control);
    let policy = Policy {
        yield_every,
        ..Policy::default()
    };
    let levels = Levels {
        policy,
        ..Levels::default()
    };
    let around = Surroundings {
        lanes: Timing::fixed(0),
        memory: MemoryTiming::fixed(memory),
        ..Surroundings::default()
    };
    Session::new(control, config, levels, &around)
}

fn launch_all(session: &mut Session, config: Config, warps: usize) {
    let mask = u64::MAX >> (64 - config.threads);
    (0..warps).for_each(|warp| {
        session.launch(Launch {
            warp,
            pc: 0,
            mask,
            base: warp as u32 * u32::from(TOKENS),
            size: TOKENS,
        });
    });
}

fn issue_rate(
    control: &mut dyn Control,
    config: Config,
    mut script: Script,
    warps: usize,
) -> Result<f64, BenchError> {
    let mut session = session(control, config, 0, 1);
    launch_all(&mut session, config, warps);
    let mut issues = 0;
    for cycle in 0..RATE_CYCLES + RATE_CYCLES / 4 {
        let happened = session.cycle(&mut script)?;
        issues += u64::from(cycle >= RATE_CYCLES / 4 && happened.issued.is_some());
    }
    Ok(issues as f64 / RATE_CYCLES as f64)
}

/// One warp goes through every kind of operation; yields always fire.
pub fn latencies(
    control: &mut dyn Control,
    config: Config,
) -> Result<Vec<OperationLatency>, BenchError> {
    let mut script = Script::default()
        .next() // 0
        .push(SYNC, 7) // 1
        .branch(Select::LowerHalf, 5) // 2: diverges; the lower half first
        .next() // 3
        .branch(Select::All, 5) // 4
        .leave(SYNC, Select::All, 7) // 5: first time on to the DIV group, second time both meet
        .next() // 6: not reached
        .branch(Select::LowerHalf, 9) // 7
        .next() // 8
        .yield_() // 9: first time on to the other group, second time both meet
        .branch(Select::LowerHalf, 12) // 10
        .next() // 11
        .exit(); // 12: first time on to the other group, second time done
    let names: [(u32, usize, &'static str); 9] = [
        (0, 0, "NEXT"),
        (4, 0, "BRANCH, uniform"),
        (2, 0, "BRANCH, divergent"),
        (1, 0, "PUSH"),
        (5, 0, "LEAVE, caught, switch to the DIV group"),
        (5, 1, "LEAVE, caught, groups meet"),
        (9, 0, "YIELD, switch to the DIV group"),
        (9, 1, "YIELD, merges, groups meet"),
        (12, 0, "EXIT, switch to the DIV group"),
    ];
    let measured = alone(control, config, 1, &mut script)?;
    let find = |pc: u32, nth: usize| {
        measured
            .iter()
            .filter(|(at, _)| *at == pc)
            .nth(nth)
            .map(|(_, cycles)| *cycles)
    };
    let rows = names.iter().filter_map(|&(pc, nth, operation)| {
        Some(OperationLatency {
            operation: operation.into(),
            cycles: find(pc, nth)?,
        })
    });
    Ok(rows.collect())
}

/// Runs one warp to its end. Gives, in the order of execution, the pc of every operation with the cycles from its
/// resolve to the next issue.
fn alone(
    control: &mut dyn Control,
    config: Config,
    memory: u32,
    script: &mut Script,
) -> Result<Vec<(u32, u64)>, BenchError> {
    let mut session = session(control, config, 1, memory);
    launch_all(&mut session, config, 1);
    let mut measured: Vec<(u32, u64)> = Vec::new();
    let mut resolved = None;
    let mut at = 0;
    while !session.finished() {
        let cycle = session.cycle_number();
        let ready = session.monitor().ready(0);
        let happened = session.cycle(script)?;
        if happened.issued.is_some() {
            if let Some(since) = resolved.take() {
                measured.push((at, cycle - since));
            }
            at = ready.map_or(0, |(pc, _)| pc);
        }
        if happened.resolved.is_some() {
            resolved = Some(cycle);
        }
    }
    Ok(measured)
}

fn spill_cost(
    control: &mut dyn Control,
    config: Config,
    memory: u32,
) -> Result<SpillCost, BenchError> {
    let short = 1 + config.front as u32 / 2;
    let (push_in_window, pop_in_window) = chain(control, config, memory, short)?;
    let (push_spilling, pop_filling) = chain(control, config, memory, LONG_CHAIN)?;
    let leave = LEAVE_DEPTHS
        .into_iter()
        .map(|depth| Ok((depth, leave_at(control, config, memory, depth)?)))
        .collect::<Result<_, BenchError>>()?;
    Ok(SpillCost {
        memory_latency: memory,
        push_in_window,
        push_spilling,
        pop_in_window,
        pop_filling,
        leave,
    })
}

/// `length` pushes and then as many LEAVEs, each of which meets at the token pushed last. Means of both.
fn chain(
    control: &mut dyn Control,
    config: Config,
    memory: u32,
    length: u32,
) -> Result<(f64, f64), BenchError> {
    // The token pushed at pc n is met by the LEAVE at 2 length - 1 - n, which goes on behind it.
    let mut script = (0..length).fold(Script::default(), |s, n| s.push(SYNC, 2 * length - n));
    for pc in length..2 * length {
        script = script.leave(SYNC, Select::All, pc + 1);
    }
    let measured = alone(control, config, memory, &mut script.exit())?;
    let mean = |range: std::ops::Range<u32>| {
        let of = measured.iter().filter(|(pc, _)| range.contains(pc));
        of.map(|(_, cycles)| *cycles as f64).sum::<f64>() / f64::from(length)
    };
    Ok((mean(0..length), mean(length..2 * length)))
}

/// A LEAVE of half of the threads caught by token number `depth` of `LONG_CHAIN` tokens.
fn leave_at(
    control: &mut dyn Control,
    config: Config,
    memory: u32,
    depth: usize,
) -> Result<u64, BenchError> {
    const REGION: u8 = 1;
    let leave = LONG_CHAIN + REST as u32;
    let target = leave + 2;
    let script = (0..LONG_CHAIN).fold(Script::default(), |s, n| {
        match n as usize + depth + 1 == LONG_CHAIN as usize {
            true => s.push(REGION, target),
            // Of another type, each with an address of its own.
            false => s.push(REGION + 1, target + n),
        }
    });
    let script = (0..REST).fold(script, |s, _| s.next());
    let mut script = script.leave(REGION, Select::LowerHalf, target).exit();
    let measured = alone(control, config, memory, &mut script)?;
    let of_leave = measured.iter().find(|(pc, _)| *pc == leave);
    Ok(of_leave.map_or(0, |(_, cycles)| *cycles))
}

/// What a program costs with the window of `config`, beside the largest front ring that is simulated with as many warps
/// and threads. `None`: there is no larger one.
pub fn overhead(
    program: &Program,
    config: &RunConfig,
    kind: RtlKind,
) -> Result<Option<Overhead>, BenchError> {
    let size = config.size();
    let alike = |c: &Config| (c.warps, c.threads) == (size.warps, size.threads);
    let widest = dut::SIZES.iter().copied().filter(alike);
    let Some(widest) = widest.max_by_key(|c| (c.front, c.back)) else {
        return Ok(None);
    };
    if widest.front <= size.front {
        return Ok(None);
    }
    let cycles = |size: Config| -> Result<u64, RunError> {
        let config = RunConfig {
            window: Some((size.front, size.back)),
            ..config.clone()
        };
        let report = run_program(program, &config, Engine::Rtl(kind), &mut [])?;
        Ok(report.cycles.unwrap_or(0))
    };
    let (crate::timing::Latency::Fixed(memory) | crate::timing::Latency::Random(memory)) =
        config.tokens.latency;
    Ok(Some(Overhead {
        memory_latency: memory,
        front: size.front,
        cycles: cycles(size)?,
        widest: widest.front,
        cycles_with_widest: cycles(widest)?,
    }))
}

impl fmt::Display for ControlReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} warps x {} threads, window of {} + {} tokens, {}",
            self.warps,
            self.threads,
            self.front,
            self.back,
            self.engine.name()
        )?;
        writeln!(f, "\nissues per cycle (lanes answer at once)")?;
        let mut mixes: Vec<&str> = self.issue_rates.iter().map(|r| &*r.mix).collect();
        mixes.dedup();
        for (n, mix) in mixes.iter().enumerate() {
            let rows: Vec<_> = self.issue_rates.iter().filter(|r| r.mix == *mix).collect();
            if n == 0 {
                write!(f, "  {:38}", "warps")?;
                rows.iter().try_for_each(|r| write!(f, "{:>7}", r.warps))?;
                writeln!(f)?;
            }
            write!(f, "  {mix:38}")?;
            rows.iter()
                .try_for_each(|r| write!(f, "{:>7.3}", r.issues_per_cycle))?;
            writeln!(f)?;
        }
        writeln!(
            f,
            "\ncycles from the resolve to the next issue of a lone warp"
        )?;
        for row in &self.latencies {
            writeln!(f, "  {:42}{:>3}", row.operation, row.cycles)?;
        }
        writeln!(
            f,
            "\ncycles of operations of a lone warp whose tokens stand in memory"
        )?;
        let of = |cost: fn(&SpillCost) -> f64| self.spill.iter().map(cost).collect::<Vec<_>>();
        let mut row = |name: String, cells: Vec<f64>| {
            write!(f, "  {name:42}")?;
            cells.iter().try_for_each(|c| write!(f, "{c:>9.1}"))?;
            writeln!(f)
        };
        row(
            "latency of the token memory".to_string(),
            of(|c| c.memory_latency.into()),
        )?;
        row("PUSH, room on chip".to_string(), of(|c| c.push_in_window))?;
        row(
            "PUSH, one after the other".to_string(),
            of(|c| c.push_spilling),
        )?;
        row(
            "LEAVE, pops, next token on chip".to_string(),
            of(|c| c.pop_in_window),
        )?;
        row(
            "LEAVE, pops, one after the other".to_string(),
            of(|c| c.pop_filling),
        )?;
        for (n, depth) in LEAVE_DEPTHS.iter().enumerate() {
            let cells = self
                .spill
                .iter()
                .filter_map(|c| Some(c.leave.get(n)?.1 as f64));
            row(format!("LEAVE, caught by token {depth}"), cells.collect())?;
        }
        Ok(())
    }
}
