//! Assembly programs on the golden model and on the oracle.
#![allow(dead_code)]

use weft_isa::Program;
use weft_sim::{
    Config, Event, Limits, Machine, Mutation, Oracle, OracleOutcome, OracleResult, Outcome, Record,
    Watchdog,
};

pub fn assembled(source: &str) -> Program {
    weft_isa::assemble(source, "test.s").unwrap_or_else(|error| panic!("{error:?}\n{source}"))
}

/// One warp of four threads and eight tokens; every YIELD fires, no forced yields.
pub fn small() -> Config {
    Config {
        warps: 1,
        threads: 4,
        tokens: 8,
        memory: 0x8000,
        stack: 256,
        yield_every: 1,
        forced_yield: 0,
        ..Config::default()
    }
}

pub struct Run {
    pub program: Program,
    pub machine: Machine,
    pub records: Vec<Record>,
    pub outcome: Outcome,
}

/// Runs with a watchdog of 2,000 warp instructions.
pub fn run(source: &str, config: &Config) -> Run {
    run_mutated(source, config, None)
}

pub fn run_mutated(source: &str, config: &Config, mutation: Option<Mutation>) -> Run {
    let program = assembled(source);
    let mut machine = Machine::new(&program, config).unwrap();
    if let Some(mutation) = mutation {
        machine = machine.with_mutation(mutation);
    }
    let mut records = Vec::new();
    let limits = Limits {
        watchdog: Some(Watchdog { instructions: 2000 }),
        ..Limits::default()
    };
    let outcome = machine.run(&limits, |record| records.push(*record));
    Run {
        program,
        machine,
        records,
        outcome,
    }
}

/// Runs to the end, and requires every thread to have done what it does alone.
pub fn run_as_alone(source: &str, config: &Config) -> Run {
    let run = run(source, config);
    assert_eq!(run.outcome, Outcome::Done, "{config:?}");
    let alone = alone(&run.program, config);
    for (number, expected) in alone.threads.iter().enumerate() {
        let thread = run
            .machine
            .thread(number / config.threads, number % config.threads);
        assert_eq!(thread, expected, "thread {number}");
    }
    let all = 0x1000..config.memory;
    assert!(
        run.machine.memory().slice(all.clone()) == alone.memory.slice(all),
        "memory differs"
    );
    run
}

pub fn alone(program: &Program, config: &Config) -> OracleResult {
    match Oracle::new(program, config)
        .unwrap()
        .run(100_000)
        .expect("no faults")
    {
        OracleOutcome::Finished(result) => result,
        unfinished => panic!("{unfinished:?}"),
    }
}

impl Run {
    /// Instruction index of a label.
    pub fn label(&self, name: &str) -> u32 {
        self.program.symbols[name] / 4
    }

    /// Active masks with which the instruction at a label was executed, in order.
    pub fn masks_at(&self, name: &str) -> Vec<u64> {
        let pc = self.label(name);
        let here = |r: &&Record| r.pc == pc && r.event != Event::ForcedYield;
        self.records.iter().filter(here).map(|r| r.mask).collect()
    }

    pub fn word(&self, name: &str) -> u32 {
        self.machine
            .memory()
            .read_u32(self.program.symbols[name])
            .unwrap()
    }

    /// A register of every thread of warp 0.
    pub fn register(&self, number: usize) -> Vec<u32> {
        let threads = 0..self.machine.config().threads;
        threads
            .map(|lane| self.machine.thread(0, lane).registers[number])
            .collect()
    }
}
