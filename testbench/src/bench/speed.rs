//! Simulation speeds, in seconds of processor time, so that other programs cost little.
//! They depend on the machine all the same: several rounds are timed, each with everything in it, and what is compared
//! from one run to another are ratios within a round.

use super::{BenchError, Name, TOKENS};
use crate::case::{case_seed, Case};
use crate::cosim::run_case;
use crate::cover::Cover;
use crate::dut::{self, OpenOptions, RtlKind};
use crate::gen::{Item, Source};
use crate::run::{run_on, run_program, Engine};
use crate::run_config::RunConfig;
use crate::session;
use rustix::time::{clock_gettime, ClockId};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::fmt;
use weft_generate::Config;
use weft_isa::{AluOp, BranchCond, Instr, Program};
use weft_ports::control::{Control, Inputs};

#[derive(Clone, Copy, Debug)]
pub struct SpeedOptions {
    pub kind: RtlKind,
    pub config: Config,
    /// Cycles of the bare run.
    pub bare_cycles: u64,
    /// Random programs of the run in lockstep.
    pub programs: u64,
    pub seed: u64,
    pub rounds: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Speed {
    pub engine: RtlKind,
    /// Of the hardware.
    pub size: String,
    pub rounds: u32,
    pub bare_cycles: u64,
    pub programs: u64,
    pub rates: Vec<Rate>,
    pub ratios: Vec<Ratio>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rate {
    pub what: Name,
    /// Of which there are so many per second.
    pub unit: Name,
    pub per_second: Spread,
}

/// One rate over another of the same round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ratio {
    pub what: Name,
    pub value: Spread,
}

/// Over the rounds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    pub median: f64,
    pub min: f64,
    pub max: f64,
}

impl Spread {
    /// # Panics
    /// Without values.
    pub fn new(mut values: Vec<f64>) -> Spread {
        values.sort_by(f64::total_cmp);
        let middle = values.len() / 2;
        let median = match values.len() % 2 {
            1 => values[middle],
            _ => (values[middle - 1] + values[middle]) / 2.0,
        };
        Spread {
            median,
            min: values[0],
            max: values[values.len() - 1],
        }
    }
}

/// What is timed: place in a round, name, unit.
const REFERENCE: usize = 0;
const BARE: usize = 1;
const ALONE: usize = 2;
const LOCKSTEP: usize = 3;
const GOLDEN: usize = 4;
const GOLDEN_RANDOM: usize = 5;
const RATES: [(&str, &str); 6] = [
    ("reference loop", "steps"),
    ("hardware alone", "cycles"),
    ("hardware and functional lanes, random programs", "cycles"),
    ("lockstep with the model, the same programs", "cycles"),
    ("golden model, arithmetic", "thread instructions"),
    ("golden model, random programs", "thread instructions"),
];
/// Ratios that are told: name, above, below, factor.
const RATIOS: [(&str, usize, usize, f64); 5] = [
    ("lockstep / hardware alone", LOCKSTEP, BARE, 1.0),
    (
        "lockstep / hardware and functional lanes",
        LOCKSTEP,
        ALONE,
        1.0,
    ),
    (
        "hardware alone, cycles in 1,000 steps of the reference loop",
        BARE,
        REFERENCE,
        1e3,
    ),
    (
        "golden model, arithmetic, instructions in 1,000 steps",
        GOLDEN,
        REFERENCE,
        1e3,
    ),
    (
        "golden model, random programs, instructions in 1,000 steps",
        GOLDEN_RANDOM,
        REFERENCE,
        1e3,
    ),
];

/// The loop of arithmetic is shorter than what counts as a livelock; so often it is run.
const GOLDEN_RUNS: u32 = 4;

/// # Panics
/// Without rounds.
pub fn speed(options: &SpeedOptions) -> Result<Speed, BenchError> {
    let config = options.config;
    let mut opened = dut::open(options.kind, config, &OpenOptions::default())?;
    let control = opened.control.as_mut();
    let cases: Vec<(Case, Program)> = (0..options.programs)
        .map(|index| {
            let mut case = Case::draw(case_seed(options.seed, index), &[config]);
            // Reset, so that each round finds the same design; no oracle, which is no part of the lockstep.
            case.config.reset = true;
            case.config.oracle = false;
            let program = case.source.program();
            (case, program)
        })
        .collect();
    let arithmetic = arithmetic();
    let mut rounds: Vec<[f64; RATES.len()]> = Vec::new();
    for _ in 0..options.rounds {
        let mut round = [0.0; RATES.len()];
        round[REFERENCE] = rate(|| Ok::<_, BenchError>(reference()))?;
        round[BARE] = rate(|| Ok::<_, BenchError>(bare(control, config, options.bare_cycles)))?;
        round[ALONE] = rate(|| -> Result<u64, BenchError> {
            cases.iter().try_fold(0, |sum, (case, program)| {
                let run = run_on(control, program, &case.config, None, &mut [], false)?;
                Ok(sum + run.cycles.unwrap_or(0))
            })
        })?;
        round[LOCKSTEP] = rate(|| -> Result<u64, BenchError> {
            cases.iter().try_fold(0, |sum, (case, _)| {
                let run = run_case(control, case, None, Some(&mut Cover::default()))?;
                Ok(sum + run.cycles.unwrap_or(0))
            })
        })?;
        let golden = |program: &Program, config: &RunConfig| -> Result<u64, BenchError> {
            let report = run_program(program, config, Engine::Golden, &mut [])?;
            Ok(report.stats.total.thread_instructions)
        };
        round[GOLDEN] = rate(|| -> Result<u64, BenchError> {
            (0..GOLDEN_RUNS).try_fold(0, |sum, _| Ok(sum + golden(&arithmetic.0, &arithmetic.1)?))
        })?;
        round[GOLDEN_RANDOM] = rate(|| -> Result<u64, BenchError> {
            cases.iter().try_fold(0, |sum, (case, program)| {
                Ok(sum + golden(program, &case.config)?)
            })
        })?;
        rounds.push(round);
    }
    let over = |value: &dyn Fn(&[f64; RATES.len()]) -> f64| {
        Spread::new(rounds.iter().map(value).collect())
    };
    let rates = RATES.iter().enumerate().map(|(n, &(what, unit))| Rate {
        what: what.into(),
        unit: unit.into(),
        per_second: over(&|round| round[n]),
    });
    let ratios = RATIOS.iter().map(|&(what, above, below, factor)| Ratio {
        what: what.into(),
        value: over(&|round| factor * round[above] / round[below]),
    });
    Ok(Speed {
        engine: options.kind,
        size: config.to_string(),
        rounds: options.rounds,
        bare_cycles: options.bare_cycles,
        programs: options.programs,
        rates: rates.collect(),
        ratios: ratios.collect(),
    })
}

/// What the work counts, per second that this thread had a processor.
///
/// # Errors
/// Those of the work.
pub fn rate<E>(work: impl FnOnce() -> Result<u64, E>) -> Result<f64, E> {
    let now = || {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
    };
    let start = now();
    let count = work()?;
    Ok(count as f64 / (now() - start))
}

/// A loop that no change of Weft makes faster or slower: dependent loads from 64 KiB, and some arithmetic.
fn reference() -> u64 {
    const STEPS: u64 = 20_000_000;
    let mut table: Vec<u32> = (0..1 << 14)
        .map(|n: u32| n.wrapping_mul(0x9e37_79b9))
        .collect();
    let mut x = 1u32;
    for _ in 0..STEPS {
        let place = (x >> 18) as usize & (table.len() - 1);
        x = x.wrapping_mul(0x0019_660d) ^ table[place];
        table[place] = x.rotate_left(7);
    }
    std::hint::black_box(x);
    STEPS
}

/// The cheapest testbench that keeps the hardware busy: every warp runs, lanes answer NEXT in the next cycle.
fn bare(control: &mut dyn Control, config: Config, cycles: u64) -> u64 {
    session::reset(control);
    let mask = u64::MAX >> (64 - config.threads);
    let mut inputs = Inputs {
        issue_ready: true,
        launch_valid: true,
        launch_mask: mask,
        launch_size: TOKENS,
        spill_request_ready: true,
        ..Inputs::default()
    };
    let mut to_launch = config.warps as u8;
    let mut answers = VecDeque::with_capacity(config.warps);
    for _ in 0..cycles {
        let outputs = control.settle(&inputs);
        control.edge();
        if inputs.launch_valid && outputs.launch_ready {
            to_launch -= 1;
            inputs.launch_valid = to_launch != 0;
            inputs.launch_warp += u8::from(inputs.launch_valid);
        }
        if inputs.resolve_valid && outputs.resolve_ready {
            answers.pop_front();
        }
        if outputs.issue_valid {
            answers.push_back(outputs.issue_warp);
        }
        // The operation stays 0, NEXT.
        inputs.resolve_valid = !answers.is_empty();
        inputs.resolve_warp = answers.front().copied().unwrap_or(0);
    }
    cycles
}

/// A loop of arithmetic on 4 warps of 32 threads: what the model does best.
fn arithmetic() -> (Program, RunConfig) {
    let (counter, zero) = (5, 0);
    let mut source = Source::default();
    source.op(Instr::Lui {
        rd: counter,
        imm: 0x1000,
    });
    let head = source.here();
    for rd in 6..20 {
        source.op(Instr::Op {
            op: [AluOp::Add, AluOp::Xor, AluOp::Sll][rd as usize % 3],
            rd,
            rs1: rd - 1,
            rs2: rd + 1,
        });
    }
    source.op(Instr::OpImm {
        op: AluOp::Add,
        rd: counter,
        rs1: counter,
        imm: -1,
    });
    source.emit(Item::Branch {
        cond: BranchCond::Ne,
        rs1: counter,
        rs2: zero,
        to: head,
    });
    source.op(Instr::Exit);
    let mut config = RunConfig::default();
    (config.machine.warps, config.machine.threads) = (4, 32);
    (source.program(), config)
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "speed, {} of {}; median of {} rounds (lowest to highest), by processor time, on a machine that may be busy",
            self.size,
            self.engine.name(),
            self.rounds
        )?;
        let millions = |n: f64| n / 1e6;
        for Rate {
            what,
            unit,
            per_second: s,
        } in &self.rates
        {
            write!(
                f,
                "\n  {what:60}{:>9.3} ({:.3} to {:.3}) million {unit}/s",
                millions(s.median),
                millions(s.min),
                millions(s.max)
            )?;
        }
        for Ratio { what, value: s } in &self.ratios {
            write!(
                f,
                "\n  {what:60}{:>9.3} ({:.3} to {:.3})",
                s.median, s.min, s.max
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_of_odd_and_even() {
        let s = Spread::new(vec![3.0, 1.0, 2.0]);
        assert_eq!((s.min, s.median, s.max), (1.0, 2.0, 3.0));
        assert_eq!(Spread::new(vec![1.0, 2.0]).median, 1.5);
    }

    /// What is timed is real work: the loops count what they say, and the programs end.
    #[test]
    fn every_rate_and_ratio_is_positive_and_belongs_to_its_round() {
        let options = SpeedOptions {
            kind: RtlKind::Verilated,
            config: Config::new(4, 4, 4, 2),
            bare_cycles: 200,
            programs: 2,
            seed: 9,
            rounds: 1,
        };
        let speed = speed(&options).unwrap();
        let rates: Vec<f64> = speed.rates.iter().map(|r| r.per_second.median).collect();
        assert!(rates.iter().all(|&r| r > 0.0 && r.is_finite()), "{speed}");
        // With one round a ratio is exactly that of the two medians.
        for (ratio, (_, above, below, factor)) in speed.ratios.iter().zip(RATIOS) {
            let expected = factor * rates[above] / rates[below];
            assert_eq!(ratio.value.median, expected, "{speed}");
        }
    }
}
