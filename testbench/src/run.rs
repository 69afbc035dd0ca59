//! Runs a program on any engine.

use crate::dut::{self, OpenOptions, RtlKind};
use crate::final_state::{self, compare_alone, faults, load, no_judge, same_as_golden, Alone};
use crate::grid::{self, Later};
use crate::lanes::FunctionalLanes;
use crate::lockstep::{Failure, Lockstep, Observer, Retired};
use crate::memory::allocations;
use crate::reference::Beside;
use crate::registers::Accesses;
use crate::report::{tokens_pushed, FaultReport, RunError, RunReport, Tally};
use crate::run_config::RunConfig;
use crate::session::{self, Launch, Session, Surroundings};
use crate::wavefront::datapath::Wavefront;
use crate::window::Standing;
use serde::{Deserialize, Serialize};
use weft_isa::Program;
use weft_ports::control::Control;
use weft_sim::{
    Checker, ConfigError, Limits, Machine, Oracle, OracleOutcome, Outcome, Stats, Thread, WarpStats,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Engine {
    /// The golden model, untimed.
    Golden,
    /// Every thread alone.
    Oracle,
    /// The hardware without a model beside it.
    Rtl(RtlKind),
    /// The hardware, compared with the golden model at every retired operation.
    Lockstep(RtlKind),
}

impl Engine {
    pub fn name(self) -> String {
        match self {
            Engine::Golden => "golden".to_string(),
            Engine::Oracle => "oracle".to_string(),
            Engine::Rtl(kind) => kind.name().to_string(),
            Engine::Lockstep(kind) => format!("lockstep-{}", kind.name()),
        }
    }
}

/// Runs `program` until every thread has ended, a fault has stopped its warp, or something is wrong.
pub fn run_program(
    program: &Program,
    config: &RunConfig,
    engine: Engine,
    observers: &mut [&mut dyn Observer],
) -> Result<RunReport, RunError> {
    run_parts(program, config, engine, observers, &mut None)
}

/// On the golden machine, with a checker that looks on ([`weft_sim::check`]).
///
/// # Errors
/// As [`run_program`]; what was found until then is found.
pub fn run_checked(
    program: &Program,
    config: &RunConfig,
    observers: &mut [&mut dyn Observer],
    checker: &mut Option<Box<Checker>>,
) -> Result<RunReport, RunError> {
    run_parts(program, config, Engine::Golden, observers, checker)
}

fn run_parts(
    program: &Program,
    config: &RunConfig,
    engine: Engine,
    observers: &mut [&mut dyn Observer],
    checker: &mut Option<Box<Checker>>,
) -> Result<RunReport, RunError> {
    let parts = grid::parts(&config.machine)?;
    for part in &parts {
        part.validate()?;
        part.validate_program(program)?;
    }
    let mut opened = match engine {
        Engine::Rtl(kind) | Engine::Lockstep(kind) => {
            let options = OpenOptions {
                seed: config.seed as u32,
                wave: config.wave.as_deref(),
            };
            Some(dut::open(kind, config.size(), &options)?)
        }
        Engine::Golden | Engine::Oracle => None,
    };
    let mut whole: Option<RunReport> = None;
    for (n, part) in parts.into_iter().enumerate() {
        let before = whole.as_ref();
        let config = &grid::run_of(config, part, before.map(|r| &r.memory), n == 0);
        let cycles = before.and_then(|r| r.cycles).unwrap_or_default();
        let mut later = Later { cycles, observers };
        let observers: &mut [&mut dyn Observer] = &mut [&mut later];
        let report = match (engine, &mut opened) {
            (Engine::Golden, _) => golden(program, config, observers, checker)?,
            (Engine::Oracle, _) => oracle(program, config)?,
            (_, None) => unreachable!("hardware is opened"),
            (_, Some(opened)) => {
                let golden = match engine {
                    Engine::Lockstep(_) => Some(machine(program, config)?),
                    _ => None,
                };
                let control = opened.control.as_mut();
                run_on(control, program, config, golden, observers, false)?
            }
        };
        whole = Some(match whole {
            None => report,
            Some(before) => grid::join(before, report),
        });
    }
    let mut report = whole.expect("a grid has a part");
    report.engine = engine.name();
    Ok(report)
}

fn machine(program: &Program, config: &RunConfig) -> Result<Machine, ConfigError> {
    let mut machine = Machine::new(program, &config.machine)?;
    load(machine.memory_mut(), config)?;
    Ok(machine)
}

fn golden(
    program: &Program,
    config: &RunConfig,
    observers: &mut [&mut dyn Observer],
    checker: &mut Option<Box<Checker>>,
) -> Result<RunReport, RunError> {
    let mut machine = machine(program, config)?;
    if let Some(checker) = checker.take() {
        machine = machine.with_checker(checker);
    }
    let most = config
        .instructions
        .saturating_mul(config.machine.warps as u64);
    let watchdog = weft_sim::Watchdog {
        instructions: config.watchdog.livelock,
    };
    let limits = Limits {
        watchdog: Some(watchdog),
        instructions: Some(most),
        interrupted: Some(crate::stop::requested),
    };
    let resolve = crate::lanes::Resolve::default();
    let outcome = machine.run(&limits, |record| {
        let event = Retired {
            cycle: 0,
            record,
            resolve: &resolve,
            before: None,
            after: None,
            began: Standing::default(),
            issued: false,
        };
        observers.iter_mut().for_each(|o| o.retired(&event));
    });
    *checker = machine.take_checker();
    match outcome {
        Outcome::Done | Outcome::Faulted(_) => {}
        Outcome::Livelock(warps) => {
            return Err(RunError::GoldenLivelock {
                limit: config.watchdog.livelock,
                warps,
            });
        }
        Outcome::Interrupted => return Err(RunError::Interrupted(machine.standing())),
        Outcome::OutOfInstructions => {
            return Err(RunError::GoldenLimit(most, machine.standing()));
        }
        Outcome::Hung(stuck) => {
            let errors = machine.barrier_errors().to_vec();
            return Err(RunError::GoldenHung(stuck, errors));
        }
    }
    let stats = machine.stats();
    Ok(RunReport {
        engine: String::new(),
        cycles: None,
        tokens_pushed: tokens_pushed(&stats.total),
        recentered: stats.total.recentered,
        stats,
        faults: machine
            .faults()
            .iter()
            .map(|fault| FaultReport::new(fault, &machine))
            .collect(),
        barrier_errors: machine
            .barrier_errors()
            .iter()
            .map(ToString::to_string)
            .collect(),
        oracle_agrees: None,
        oracle_silent: None,
        threads: threads_of(&machine),
        wavefront: None,
        memory: machine.memory().clone(),
    })
}

fn threads_of(machine: &Machine) -> Vec<Thread> {
    let c = machine.config();
    let grid = 0..c.grid_size() as usize;
    grid.map(|n| *machine.thread(n / c.threads, n % c.threads))
        .collect()
}

fn oracle(program: &Program, config: &RunConfig) -> Result<RunReport, RunError> {
    let mut oracle = Oracle::new(program, &config.machine)?.interrupted_by(crate::stop::requested);
    load(oracle.memory_mut(), config)?;
    let result = match oracle
        .run(config.instructions)
        .map_err(RunError::OracleFault)?
    {
        OracleOutcome::Finished(result) => result,
        OracleOutcome::Unfinished { thread, pc } if crate::stop::requested() => {
            return Err(RunError::Interrupted(format!(
                "\n  thread {thread} at {pc:#x}"
            )))
        }
        OracleOutcome::Unfinished { thread, pc } => {
            return Err(RunError::OracleLimit {
                thread,
                pc,
                limit: config.instructions,
            });
        }
        OracleOutcome::Hung(waiting) => return Err(RunError::OracleHung(waiting)),
        OracleOutcome::Silent(why) => {
            let (engine, what) = (Engine::Oracle.name(), no_judge(&why));
            return Err(RunError::Cannot { engine, what });
        }
    };
    let total: u64 = result.threads.iter().map(|t| t.instret).sum();
    let alone = WarpStats {
        warp_instructions: total,
        thread_instructions: total,
        ..WarpStats::default()
    };
    Ok(RunReport {
        engine: String::new(),
        cycles: None,
        stats: Stats::new(1, vec![alone]),
        tokens_pushed: 0,
        recentered: 0,
        faults: Vec::new(),
        barrier_errors: result.misuse.into_iter().collect(),
        oracle_agrees: None,
        oracle_silent: result.orders.as_deref().map(final_state::two_orders),
        wavefront: None,
        memory: result.memory,
        threads: result.threads,
    })
}

/// Runs a valid program on an open design, in lockstep with `golden` if there is one. `with_state`: observers get the
/// model's state before and after every operation.
pub fn run_on(
    control: &mut dyn Control,
    program: &Program,
    config: &RunConfig,
    mut golden: Option<Machine>,
    observers: &mut [&mut dyn Observer],
    with_state: bool,
) -> Result<RunReport, RunError> {
    let machine = &config.machine;
    let mut functional = FunctionalLanes::new(program, machine);
    load(&mut functional.memory, config)?;
    if let Some(kind) = config.wavefront {
        let wavefront = Wavefront::new(kind, machine)?.ok_or(RunError::NoWavefront)?;
        functional = functional.with_wavefront(wavefront);
    }
    let levels = config.levels();
    if config.reset {
        session::reset(control);
    }
    let around = Surroundings {
        lanes: config.timing,
        memory: config.tokens,
        seed: config.seed,
        noise: config.noise,
    };
    let mut session = Session::new(control, config.size(), levels, &around);
    let bases = allocations(machine.warps, machine.tokens, config.seed);
    for (warp, base) in bases.into_iter().enumerate() {
        let mask = machine.launch_mask(warp);
        if mask != 0 {
            session.launch(Launch {
                warp,
                pc: program.entry / 4,
                mask,
                base,
                size: machine.tokens as u16,
            });
        }
    }
    let mut tally = Tally::new(machine.warps);
    let mut all: Vec<&mut dyn Observer> = vec![&mut tally];
    for observer in observers.iter_mut() {
        all.push(&mut **observer);
    }
    let mut reference = golden.as_mut().map(|machine| Beside {
        machine,
        tell_modes: config.wavefront.is_some(),
    });
    let mut lockstep = Lockstep {
        session,
        lanes: &mut functional,
        reference: reference.as_mut().map(|r| r as _),
        watchdog: config
            .watchdog
            .for_memory(config.tokens.slowness(), machine.tokens),
        cycles: config.cycles,
        observers: all,
        with_state,
        accesses: Accesses::new(
            config.accesses,
            config.seed,
            machine.warps,
            machine.forced_yield,
        ),
    };
    let cycles = lockstep.run(config.size())?;
    let recentered = lockstep.session.recentered().into();
    drop(lockstep);
    let wavefront = match functional.wavefront().map(Wavefront::result) {
        Some(result) => Some(result.map_err(Failure::FinalState)?.clone()),
        None => None,
    };
    let stats = match &golden {
        Some(golden) => golden.stats(),
        None => tally.stats(machine.threads, functional.thread_instructions()),
    };
    if let Some(golden) = &golden {
        same_as_golden(&functional, golden).map_err(Failure::FinalState)?;
        compare_stats(
            &tally.stats(machine.threads, functional.thread_instructions()),
            &stats,
        )?;
    }
    let faults = faults(&functional, machine);
    let (mut oracle_agrees, mut oracle_silent) = (None, None);
    if config.oracle && faults.is_empty() {
        match compare_alone(&functional, program, machine, config)? {
            Alone::Agrees => oracle_agrees = Some(true),
            Alone::Silent(why) => oracle_silent = Some(why),
        }
    }
    Ok(RunReport {
        engine: String::new(),
        cycles: Some(cycles),
        tokens_pushed: tokens_pushed(&stats.total),
        recentered,
        stats,
        faults,
        barrier_errors: Vec::new(),
        oracle_agrees,
        oracle_silent,
        threads: functional.threads[..machine.grid_size() as usize].to_vec(),
        wavefront,
        memory: functional.memory,
    })
}

/// The counters taken from the retire port against the model's own.
fn compare_stats(ours: &Stats, theirs: &Stats) -> Result<(), Failure> {
    for (n, (a, b)) in ours.warps.iter().zip(&theirs.warps).enumerate() {
        // Within an operation the deque may be deeper than after it; recenterings have been compared in all.
        let b = WarpStats {
            deepest_deque: a.deepest_deque,
            recentered: a.recentered,
            // These lanes have as many places as a warp has threads.
            passes: a.passes,
            ..*b
        };
        if *a != b {
            return Err(Failure::FinalState(format!(
                "warp {n}: counted {a:?}, the model {b:?}"
            )));
        }
    }
    Ok(())
}
