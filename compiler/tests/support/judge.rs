//! Runs a program on the golden model and each of its threads alone, and compares.

use super::c_programs;
use super::graphs::{self, Graph};
use weft_isa::{assemble_files, Program};
use weft_sim::{Config, Limits, Machine, Memory, Oracle, OracleOutcome, PathPolicy, Stats};

pub const START: (&str, &str) = ("start.asm", include_str!("../../../kernels/start.asm"));

/// Instructions of a thread alone.
const LIMIT: u64 = 5_000_000;

/// Warp instructions of which nobody says that a program hangs, however short it is.
const PATIENCE: u64 = 200_000;

/// Symbols and the bytes that they get before the run.
pub type Inputs = Vec<(String, Vec<u8>)>;

/// A program with what it is given, and the symbols where it leaves its results.
#[derive(Clone, Debug)]
pub struct Subject {
    pub name: String,
    pub source: String,
    pub inputs: Inputs,
    /// Symbol and bytes.
    pub outputs: Vec<(String, u32)>,
    /// Threads wait for one another: they cannot run alone.
    pub waits: bool,
}

impl Subject {
    /// Of a program of `c_programs`.
    pub fn of_c(name: &str, assembly: String) -> Subject {
        let outputs = c_programs::OUTPUTS.map(|(symbol, bytes)| (symbol.into(), bytes));
        Subject {
            name: name.into(),
            source: assembly,
            inputs: vec![],
            outputs: outputs.into(),
            waits: false,
        }
    }

    /// Of such a program whose threads work together.
    pub fn of_c_together(name: &str, assembly: String) -> Subject {
        let mut subject = Subject::of_c(name, assembly);
        subject.waits = true;
        let more = c_programs::SHARED.map(|(symbol, bytes)| (symbol.into(), bytes));
        subject.outputs.extend(more);
        subject
    }
}

impl Graph {
    pub fn subject(&self) -> Subject {
        let (symbol, bytes) = graphs::OUTPUT;
        Subject {
            name: self.name.clone(),
            source: self.source(),
            inputs: vec![],
            outputs: vec![(symbol.into(), bytes)],
            waits: false,
        }
    }
}

/// What a run of a warp machine left.
pub struct Run {
    pub outputs: Vec<Vec<u8>>,
    pub stats: Stats,
}

pub fn assemble(name: &str, source: &str) -> Result<Program, String> {
    let has_start = source.contains("_start:");
    let files = [(name, source), START];
    assemble_files(if has_start { &files[..1] } else { &files })
        .map_err(|errors| errors.to_string())
}

fn load(program: &Program, inputs: &Inputs, memory: &mut Memory) -> Result<(), String> {
    for (symbol, bytes) in inputs {
        let address = program
            .symbols
            .get(symbol)
            .ok_or_else(|| format!("no symbol {symbol}"))?;
        memory
            .write_bytes(*address, bytes)
            .map_err(|cause| format!("{symbol}: {cause:?}"))?;
    }
    Ok(())
}

fn outputs(program: &Program, subject: &Subject, memory: &Memory) -> Result<Vec<Vec<u8>>, String> {
    let read = |(symbol, length): &(String, u32)| {
        let address = program
            .symbols
            .get(symbol)
            .ok_or_else(|| format!("no symbol {symbol}"))?;
        let bytes = memory.slice(*address..address + length);
        bytes
            .map(<[u8]>::to_vec)
            .ok_or_else(|| format!("{symbol} lies outside memory"))
    };
    subject.outputs.iter().map(read).collect()
}

/// What every thread alone leaves.
pub struct Alone {
    pub outputs: Vec<Vec<u8>>,
    /// Of all threads together.
    instructions: u64,
    memory: Memory,
}

/// What the source as it is leaves in the warps of the golden model, where threads cannot run alone.
pub fn as_it_is(subject: &Subject, config: &Config, limit: u64) -> Result<Alone, String> {
    let program = assemble(&subject.name, &subject.source)?;
    let run = run_together(subject, &program, config, limit);
    let (run, machine) = run.map_err(|error| format!("alone: {error}"))?;
    Ok(Alone {
        outputs: run.outputs,
        // Without warp control there are no more of them in a warp than one at a time.
        instructions: 32 * run.stats.total.warp_instructions,
        memory: machine.memory().clone(),
    })
}

/// Every thread alone.
pub fn alone(
    subject: &Subject,
    source: &str,
    config: &Config,
    limit: u64,
) -> Result<Alone, String> {
    run_alone(subject, &assemble(&subject.name, source)?, config, limit)
}

fn run_alone(
    subject: &Subject,
    program: &Program,
    config: &Config,
    limit: u64,
) -> Result<Alone, String> {
    let mut oracle = Oracle::new(program, config).map_err(|e| e.to_string())?;
    load(program, &subject.inputs, oracle.memory_mut())?;
    match oracle
        .run(limit)
        .map_err(|fault| format!("alone: {fault}"))?
    {
        OracleOutcome::Finished(result) => Ok(Alone {
            outputs: outputs(program, subject, &result.memory)?,
            instructions: result.threads.iter().map(|t| t.instret).sum(),
            memory: result.memory,
        }),
        OracleOutcome::Unfinished { thread, pc } => {
            Err(format!("alone: thread {thread} does not end, pc {pc:#x}"))
        }
        other => Err(format!("alone: {other:?}")),
    }
}

/// The warps of the golden model.
pub fn together(
    subject: &Subject,
    source: &str,
    config: &Config,
    limit: u64,
) -> Result<Run, String> {
    let program = assemble(&subject.name, source)?;
    Ok(run_together(subject, &program, config, limit)?.0)
}

fn run_together(
    subject: &Subject,
    program: &Program,
    config: &Config,
    limit: u64,
) -> Result<(Run, Machine), String> {
    let mut machine = Machine::new(program, config).map_err(|e| e.to_string())?;
    load(program, &subject.inputs, machine.memory_mut())?;
    let limits = Limits {
        instructions: Some(limit),
        ..Limits::default()
    };
    match machine.run(&limits, |_| ()) {
        weft_sim::Outcome::Done => {}
        other => return Err(format!("{other:?}")),
    }
    let run = Run {
        outputs: outputs(program, subject, machine.memory())?,
        stats: machine.stats(),
    };
    Ok((run, machine))
}

/// The shape of a machine by a number: odd grids, all path policies, yields or not.
pub fn shape(number: u64) -> Config {
    let threads = [4, 8, 16, 32][(number % 4) as usize];
    let warps = 1 + (number / 4 % 3) as usize;
    let room = (warps * threads) as u32;
    let grid = room - (number / 12 % threads as u64) as u32;
    Config {
        warps,
        threads,
        tokens: [threads + 1, 4 * threads, 256][(number / 7 % 3) as usize],
        grid: Some(grid),
        memory: 1 << 20,
        forced_yield: [1024, 0, 50][(number / 5 % 3) as usize],
        yield_every: (number / 3 % 3) as u16,
        path: PathPolicy::ALL[(number / 2 % 3) as usize],
        call_tokens: number / 11 % 4 == 0,
        ..Config::default()
    }
}

/// The same for threads that wait for one another: whoever polls lets others run at some time.
pub fn shape_together(number: u64) -> Config {
    let shape = shape(number);
    Config {
        forced_yield: [50, 1024][(number / 5 % 2) as usize],
        ..shape
    }
}

/// COMP-110: the compiled source computes what the source computes, alone and in warps.
pub fn equal(subject: &Subject, compiled: &str, config: &Config) -> Result<(), String> {
    let expected = alone(subject, &subject.source, config, LIMIT)?;
    equal_to(&expected, subject, compiled, config)
}

/// The same, where it is known what the source computes.
pub fn equal_to(
    expected: &Alone,
    subject: &Subject,
    compiled: &str,
    config: &Config,
) -> Result<(), String> {
    let program = assemble(&subject.name, compiled)?;
    let single = match compiled == subject.source || subject.waits {
        true => None,
        false => Some(run_alone(subject, &program, config, LIMIT)?),
    };
    let single = single.as_ref().unwrap_or(expected);
    if expected.outputs != single.outputs {
        return Err("compiled, its threads alone compute something else".into());
    }
    // A warp instruction is one of at least one thread, so that it takes no more than the threads one after the other.
    let limit = PATIENCE + 2 * single.instructions;
    let (run, machine) = run_together(subject, &program, config, limit)?;
    if run.outputs != expected.outputs {
        let places = run.outputs.iter().zip(&expected.outputs);
        let places = places.zip(&subject.outputs);
        let place = places.filter_map(|((a, b), (name, _))| {
            let at = a.iter().zip(b).position(|(a, b)| a != b)?;
            Some(format!("{name} + {at}"))
        });
        return Err(format!(
            "in warps it computes something else: {}",
            place.collect::<Vec<_>>().join(", ")
        ));
    }
    if subject.waits && compiled != subject.source {
        // The code is in memory, too.
        return Ok(());
    }
    // Old values that atomics gave, and nobody reads, may be left in a stack.
    let range = 0x1000..config.stacks_begin();
    match machine.memory().slice(range.clone()) == single.memory.slice(range) {
        true => Ok(()),
        false => Err("memory is not what the threads alone leave".into()),
    }
}
