//! What must hold at the end of a run: the hardware's lanes against the golden machine and against every thread alone.

use crate::grid;
use crate::lanes::FunctionalLanes;
use crate::lockstep::Failure;
use crate::report::{hung, FaultReport, RunError};
use crate::run_config::RunConfig;
use weft_isa::Program;
use weft_sim::{Config, ConfigError, Machine, Memory, Oracle, OracleOutcome, OracleResult, Thread};

/// Writes the data of the run.
pub fn load(memory: &mut Memory, run: &RunConfig) -> Result<(), ConfigError> {
    for segment in &run.data {
        memory
            .write_bytes(segment.address, &segment.bytes)
            .map_err(|_| ConfigError::Program {
                start: segment.address,
                end: u64::from(segment.address) + segment.bytes.len() as u64,
                memory: run.machine.memory,
            })?;
    }
    Ok(())
}

/// The threads that could not go on.
pub fn faults(lanes: &FunctionalLanes, config: &Config) -> Vec<FaultReport> {
    let report = |warp| {
        let fault = lanes.fault(warp)?;
        Some(FaultReport {
            warp: config.warp_number(warp) as usize,
            thread: config.number((warp * config.threads + fault.lane) as u32),
            pc: fault.pc << 2,
            cause: fault.cause.to_string(),
            returns_to: lanes.threads[warp * config.threads + fault.lane].registers[1],
        })
    };
    (0..config.warps).filter_map(report).collect()
}

/// Memory, registers, instret and faults of the hardware's lanes against the golden machine's.
/// The error says what differs.
pub fn same_as_golden(lanes: &FunctionalLanes, golden: &Machine) -> Result<(), String> {
    let width = golden.config().threads;
    same_memory(&lanes.memory, golden.memory(), "the golden model")?;
    for (n, thread) in lanes.threads.iter().enumerate() {
        same_thread(
            n,
            thread,
            golden.thread(n / width, n % width),
            "the golden model",
        )?;
    }
    for f in golden.faults() {
        let ours = lanes.fault(f.warp).map(|f| (f.lane, f.cause));
        if ours != Some((f.lane as usize, f.cause)) {
            return Err(format!("{f}, in the hardware's lanes {ours:?}"));
        }
    }
    Ok(())
}

/// What the oracle has to say: `Ok` if it has been compared with and agrees, or why it is silent.
pub enum Alone {
    Agrees,
    Silent(String),
}

/// Runs every thread alone, beginning with the run's data, and compares.
///
/// # Errors
/// What differs.
pub fn compare_alone(
    lanes: &FunctionalLanes,
    program: &Program,
    config: &Config,
    run: &RunConfig,
) -> Result<Alone, RunError> {
    let result = match oracle(program, config, run)? {
        Ok(result) => result,
        Err(why) => return Ok(Alone::Silent(why)),
    };
    same_as_alone(lanes, &result).map_err(Failure::Alone)?;
    Ok(Alone::Agrees)
}

/// Every thread alone, or why that is no judge.
fn oracle(
    program: &Program,
    config: &Config,
    run: &RunConfig,
) -> Result<Result<OracleResult, String>, RunError> {
    let mut oracle = Oracle::new(program, config)?.interrupted_by(crate::stop::requested);
    load(oracle.memory_mut(), run)?;
    let result = match oracle
        .run(run.instructions)
        .map_err(RunError::OracleFault)?
    {
        OracleOutcome::Finished(result) => result,
        OracleOutcome::Unfinished { .. } if crate::stop::requested() => {
            return Err(RunError::Interrupted(String::new()))
        }
        OracleOutcome::Unfinished { thread, pc } => {
            return Ok(Err(does_not_end(thread, pc, run.instructions)));
        }
        OracleOutcome::Hung(waiting) => return Err(Failure::Alone(hung(&waiting)).into()),
        OracleOutcome::Silent(why) => return Ok(Err(no_judge(&why))),
    };
    Ok(Ok(result))
}

/// The same for a grid whose CTAs had one memory: threads of each CTA, which part it was, and registers and instret of
/// its threads.
///
/// # Errors
/// What differs.
pub fn grid_alone<'t>(
    ctas: impl Iterator<Item = (u32, Option<weft_sim::Part>, &'t [Thread])>,
    memory: &Memory,
    program: &Program,
    run: &RunConfig,
) -> Result<Alone, RunError> {
    let mut before: Option<Memory> = None;
    for (threads, part, ours) in ctas {
        let config = Config {
            warps: (threads as usize).div_ceil(run.machine.threads),
            grid: Some(threads),
            part,
            cta_warps: None,
            ..run.machine.clone()
        };
        let run = grid::run_of(run, config.clone(), before.as_ref(), false);
        let result = match oracle(program, &config, &run)? {
            Ok(result) => result,
            Err(why) => return Ok(Alone::Silent(why)),
        };
        for (n, (ours, theirs)) in ours.iter().zip(&result.threads).enumerate() {
            let n = config.number(n as u32) as usize;
            same_thread(n, ours, theirs, "the thread alone").map_err(Failure::Alone)?;
        }
        before = Some(result.memory);
    }
    if let Some(alone) = before {
        same_memory(memory, &alone, "the threads alone").map_err(Failure::Alone)?;
    }
    Ok(Alone::Agrees)
}

/// The oracle does not judge a program, and why.
pub fn no_judge(why: &str) -> String {
    format!(
        "the oracle does not judge this program, whose outcome depends on who arrives first: {why}"
    )
}

/// Why a thread that does not end alone says nothing.
pub fn does_not_end(thread: u32, pc: u32, limit: u64) -> String {
    format!(
        "the oracle does not judge this program: thread {thread} alone has not ended after {limit} instructions, \
         it is at {pc:#x} and may wait for another one"
    )
}

/// Two orders of the threads have come to the same.
pub fn two_orders(why: &str) -> String {
    format!("who arrives first makes groups here: the oracle has taken two orders, with one outcome ({why})")
}

/// Memory, registers and instret of the hardware's lanes against those of every thread alone.
pub fn same_as_alone(lanes: &FunctionalLanes, alone: &OracleResult) -> Result<(), String> {
    for (n, thread) in alone.threads.iter().enumerate() {
        same_thread(n, &lanes.threads[n], thread, "the thread alone")?;
    }
    same_memory(&lanes.memory, &alone.memory, "the threads alone")
}

fn same_memory(ours: &Memory, theirs: &Memory, whose: &str) -> Result<(), String> {
    let range = weft_sim::memory::MEMORY_BASE..ours.size();
    if ours.slice(range.clone()) == theirs.slice(range.clone()) {
        return Ok(());
    }
    let differs = |&at: &u32| ours.read_u32(at) != theirs.read_u32(at);
    let at = range.step_by(4).find(differs).unwrap_or(0);
    Err(format!(
        "memory at {at:#x} is {:x?}, of {whose} {:x?}",
        ours.read_u32(at),
        theirs.read_u32(at)
    ))
}

fn same_thread(n: usize, ours: &Thread, theirs: &Thread, whose: &str) -> Result<(), String> {
    if ours == theirs {
        return Ok(());
    }
    match (0..32).find(|&x| ours.registers[x] != theirs.registers[x]) {
        Some(x) => {
            let (a, b) = (ours.registers[x], theirs.registers[x]);
            Err(format!("thread {n}: x{x} is {a:#x}, of {whose} {b:#x}"))
        }
        None if ours.level != theirs.level => {
            let (a, b) = (ours.level, theirs.level);
            Err(format!("thread {n} has written level {a}, {whose} {b}"))
        }
        None => {
            let (a, b) = (ours.instret, theirs.instret);
            Err(format!(
                "thread {n} has completed {a} instructions, {whose} {b}"
            ))
        }
    }
}
