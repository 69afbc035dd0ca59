//! A grid on the golden machine, CTA after CTA, and on the oracle, thread after thread.

use super::options::SmOptions;
use super::report::SmError;
use crate::final_state;
use weft_isa::Program;
use weft_sim::{
    Checker, Config, Fault, Limits, Machine, Memory, Oracle, OracleOutcome, Outcome, Record, Stuck,
    Thread, Watchdog,
};

/// What it left behind.
pub struct GridRun {
    pub memory: Memory,
    /// By number in the grid.
    pub threads: Vec<Thread>,
    /// Of all CTAs.
    pub faults: Vec<Fault>,
    pub warp_instructions: u64,
    pub thread_instructions: u64,
    /// Of the oracle: bad use of a barrier, and that two orders of the threads have come to the same.
    pub misuse: Option<String>,
    pub orders: Option<String>,
}

/// The machine of the options, with the SM's warps and threads.
pub fn machine(options: &SmOptions) -> Config {
    Config {
        warps: options.shape.warps,
        threads: options.shape.threads,
        lanes: Some(options.shape.lanes),
        float: options.shape.float > 0,
        grid: None,
        cta_warps: None,
        stack: 0,
        ..options.machine.clone()
    }
}

fn load(memory: &mut Memory, options: &SmOptions) -> Result<(), SmError> {
    for segment in &options.data {
        let written = memory.write_bytes(segment.address, &segment.bytes);
        written.map_err(|_| weft_sim::ConfigError::Program {
            start: segment.address,
            end: u64::from(segment.address) + segment.bytes.len() as u64,
            memory: options.machine.memory,
        })?;
    }
    Ok(())
}

/// On the golden machine. `observer` hears of everything that retires; a record's warp is the block in its CTA.
///
/// # Errors
/// What keeps it from running at all, livelocks, barriers that hang, and the limit of instructions.
pub fn golden(
    program: &Program,
    options: &SmOptions,
    observer: &mut dyn FnMut(&Record),
) -> Result<GridRun, SmError> {
    checked(program, options, observer, &mut None)
}

/// The same, with a checker that looks on ([`weft_sim::check`]).
///
/// # Errors
/// As [`golden`]; what was found until then is found.
pub fn checked(
    program: &Program,
    options: &SmOptions,
    observer: &mut dyn FnMut(&Record),
    checker: &mut Option<Box<Checker>>,
) -> Result<GridRun, SmError> {
    let (machine, launch) = (machine(options), &options.launch);
    launch.config(&machine)?.validate_program(program)?;
    let mut memory = Memory::load(program, machine.memory);
    load(&mut memory, options)?;
    let mut run = GridRun {
        memory: Memory::new(0),
        threads: Vec::new(),
        faults: Vec::new(),
        warp_instructions: 0,
        thread_instructions: 0,
        misuse: None,
        orders: None,
    };
    let most = options.instructions.saturating_mul(machine.warps as u64);
    let limits = Limits {
        watchdog: Some(Watchdog {
            instructions: options.livelock,
        }),
        instructions: Some(most),
        interrupted: Some(crate::stop::requested),
    };
    for cta in 0..launch.ctas() {
        let mut golden = Machine::of_cta(program, &machine, launch, cta, memory)?;
        if let Some(checker) = checker.take() {
            golden = golden.with_checker(checker);
        }
        let outcome = golden.run(&limits, &mut *observer);
        *checker = golden.take_checker();
        match outcome {
            Outcome::Done | Outcome::Faulted(_) => {}
            Outcome::Interrupted => return Err(SmError::Interrupted(golden.standing())),
            Outcome::OutOfInstructions => {
                return Err(SmError::OutOfInstructions(most, golden.standing()));
            }
            Outcome::Livelock(warps) => {
                let warps = warps.iter().map(|w| format!("\n  {w}")).collect();
                return Err(SmError::GoldenLivelock(options.livelock, warps));
            }
            Outcome::Hung(stuck) => {
                let lines = Stuck::lines(&stuck).into_iter();
                let warps = lines.map(|line| format!("\n  {line}")).collect();
                return Err(SmError::GoldenHang(warps));
            }
        }
        run.faults.extend_from_slice(golden.faults());
        let stats = golden.stats();
        run.warp_instructions += stats.total.warp_instructions;
        run.thread_instructions += stats.total.thread_instructions;
        let threads = 0..launch.threads() as usize;
        let width = machine.threads;
        let threads = threads.map(|n| *golden.thread(n / width, n % width));
        run.threads.extend(threads);
        memory = golden.into_memory();
    }
    run.memory = memory;
    Ok(run)
}

/// Every thread alone, up to its end or the next barrier of its CTA.
///
/// # Errors
/// What keeps it from running at all, a fault, barriers that hang, the limit of instructions, and what it does not
/// judge.
pub fn oracle(program: &Program, options: &SmOptions) -> Result<GridRun, SmError> {
    let machine = machine(options);
    let mut oracle = Oracle::of_launch(program, &machine, &options.launch)?
        .interrupted_by(crate::stop::requested);
    load(oracle.memory_mut(), options)?;
    let limit = options.instructions;
    match oracle.run(limit).map_err(SmError::AloneFault)? {
        OracleOutcome::Finished(result) => {
            let total = result.threads.iter().map(|t| t.instret).sum();
            Ok(GridRun {
                memory: result.memory,
                threads: result.threads,
                faults: Vec::new(),
                warp_instructions: total,
                thread_instructions: total,
                misuse: result.misuse,
                orders: result.orders.as_deref().map(final_state::two_orders),
            })
        }
        OracleOutcome::Unfinished { thread, pc } if crate::stop::requested() => Err(
            SmError::Interrupted(format!("\n  thread {thread} at {pc:#x}")),
        ),
        OracleOutcome::Unfinished { thread, pc } => Err(SmError::AloneLimit(
            final_state::does_not_end(thread, pc, limit),
        )),
        OracleOutcome::Hung(waiting) => Err(SmError::AloneHung(crate::report::hung(&waiting))),
        OracleOutcome::Silent(why) => Err(SmError::Silent(final_state::no_judge(&why))),
    }
}

/// The first thing that differs in registers, `instret` or memory.
pub fn difference(
    (threads, memory): (&[Thread], &Memory),
    (others, other): (&[Thread], &Memory),
    whose: &str,
) -> Option<String> {
    for (n, (ours, theirs)) in threads.iter().zip(others).enumerate() {
        let x = (0..32).find(|&x| ours.registers[x] != theirs.registers[x]);
        if x.is_none() && ours.instret == theirs.instret {
            continue;
        }
        let of = |t: &Thread| match x {
            Some(x) => format!("x{x} = {:#x}", t.registers[x]),
            None => format!("{} instructions", t.instret),
        };
        return Some(format!("thread {n}: {}, {whose} {}", of(ours), of(theirs)));
    }
    let range = weft_sim::memory::MEMORY_BASE..memory.size();
    if memory.slice(range.clone()) == other.slice(range.clone()) {
        return None;
    }
    let differs = |&at: &u32| memory.read_u32(at) != other.read_u32(at);
    let at = range.step_by(4).find(differs)?;
    let (ours, theirs) = (memory.read_u32(at), other.read_u32(at));
    Some(format!(
        "memory at {at:#x} is {ours:x?}, {whose} {theirs:x?}"
    ))
}
