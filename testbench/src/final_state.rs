//! What must hold at the end of a run: the hardware's lanes against the golden machine and against every thread alone.

use crate::lanes::FunctionalLanes;
use crate::report::FaultReport;
use crate::run::RunConfig;
use weft_sim::{Config, ConfigError, Machine, Memory, OracleResult, Thread};

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
            warp,
            thread: (warp * config.threads + fault.lane) as u32,
            pc: fault.pc << 2,
            cause: fault.cause.to_string(),
        })
    };
    (0..config.warps).filter_map(report).collect()
}

/// Memory, registers, instret and faults of the hardware's lanes against the golden machine's. The error says what differs.
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

/// Memory, registers and instret of the hardware's lanes against those of every thread alone.
pub fn same_as_alone(lanes: &FunctionalLanes, alone: &OracleResult) -> Result<(), String> {
    for (n, thread) in alone.threads.iter().enumerate() {
        same_thread(n, &lanes.threads[n], thread, "the thread alone")?;
    }
    same_memory(&lanes.memory, &alone.memory, "the threads alone")
}

fn same_memory(ours: &Memory, theirs: &Memory, whose: &str) -> Result<(), String> {
    let range = weft_sim::config::MEMORY_BASE..ours.size();
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
