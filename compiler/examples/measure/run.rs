//! One run on the golden model under the clock of `weft_core`.

use crate::support::judge::{assemble, Subject};
use std::collections::HashMap;
use weft_compiler::{compile, Lower, Options, Report};
use weft_isa::{decode, Instr, LeaveCond};
use weft_sim::timing::Timing;
use weft_sim::{Config, Event, Limits, Machine, Outcome};

/// Threads of a warp.
pub const WIDTH: usize = 32;

#[derive(Clone, Debug)]
pub struct Run {
    pub cycles: u64,
    pub efficiency: f64,
    pub outputs: Vec<Vec<u8>>,
}

fn machine(subject: &Subject, assembly: &str, warps: usize) -> Result<Machine, String> {
    let config = Config {
        warps,
        threads: WIDTH,
        memory: 1 << 23,
        ..Config::default()
    };
    let program = assemble(&subject.name, assembly)?;
    let mut machine = Machine::new(&program, &config).map_err(|e| e.to_string())?;
    for (symbol, bytes) in &subject.inputs {
        let at = program.symbols.get(symbol).ok_or(symbol.clone())?;
        let written = machine.memory_mut().write_bytes(*at, bytes);
        written.map_err(|cause| format!("{symbol}: {cause}"))?;
    }
    Ok(machine)
}

pub fn run(subject: &Subject, assembly: &str, warps: usize) -> Result<Run, String> {
    let mut machine = machine(subject, assembly, warps)?;
    let cycles = Timing::default().run(&mut machine);
    let cycles = cycles.map_err(|fault| format!("{}: {fault}", subject.name))?;
    let symbols = assemble(&subject.name, assembly)?.symbols;
    let read = |(symbol, length): &(String, u32)| {
        let at = symbols.get(symbol)?;
        machine.memory().slice(*at..at + length).map(<[u8]>::to_vec)
    };
    let stats = machine.stats();
    Ok(Run {
        cycles,
        efficiency: stats.simd_efficiency,
        outputs: subject.outputs.iter().filter_map(read).collect(),
    })
}

/// More than any program has conditions that can be computed for a leave (COMP-067).
const CONDITIONS: usize = 10_000;

/// Conditions that were computed for a leave.
fn computed(report: &Report) -> usize {
    let placed = report.functions.iter().flat_map(|f| &f.placed);
    let computed = placed.filter(|(_, what)| what.contains("its condition in"));
    computed.count()
}

/// Every token; leaves that are no replaced branches stand in front of where threads meet, as [`with_free_tokens`] counts
/// them.
pub fn around(subject: &Subject) -> Result<String, String> {
    let options = Options {
        lower: Lower::Tokens,
        around: vec![true; CONDITIONS],
        ..Options::default()
    };
    let output = compile(&subject.source, &subject.name, &options);
    output.map(|o| o.assembly).map_err(|e| e.to_string())
}

/// Cycles of a lone warp with the tokens that pay, each charged with what its pushes and leaves take: found by running
/// this very program with each of them left out and put back, from all and from none, until nothing wins.
/// Never more than with none.
pub fn with_best_tokens(subject: &Subject, none: u64) -> Result<u64, String> {
    let lowered = |only: &[bool], around: &[bool]| {
        let options = Options {
            lower: Lower::Tokens,
            only: only.to_vec(),
            around: around.to_vec(),
            ..Options::default()
        };
        compile(&subject.source, &subject.name, &options).map_err(|e| e.to_string())
    };
    let pushes = |text: &str| {
        let words = text
            .lines()
            .filter_map(|line| line.split_whitespace().next());
        words
            .filter(|word| ["ssy", "pbk", "pcnt"].contains(word))
            .count()
    };
    let all = lowered(&[], &[false; CONDITIONS])?;
    let count = pushes(&all.assembly) - pushes(&subject.source);
    let mut known: HashMap<String, u64> = HashMap::new();
    // Tokens that are placed, and behind them conditions that are not computed.
    let mut cycles = |choice: &[bool]| -> Result<u64, String> {
        let assembly = lowered(&choice[..count], &choice[count..])?.assembly;
        if let Some(&cycles) = known.get(&assembly) {
            return Ok(cycles);
        }
        let mut machine = machine(subject, &assembly, 1)?;
        let cycles = Timing::default().run(&mut machine);
        let cycles = cycles.map_err(|fault| format!("{}: {fault}", subject.name))?;
        known.insert(assembly, cycles);
        Ok(cycles)
    };
    let mut least = none;
    for start in [true, false] {
        let mut choice = vec![start; count];
        choice.extend(vec![false; computed(&all.report)]);
        let mut best = cycles(&choice)?;
        for _ in 0..2 {
            let before = best;
            for at in 0..choice.len() {
                choice[at] = !choice[at];
                match cycles(&choice)? {
                    other if other < best => best = other,
                    _ => choice[at] = !choice[at],
                }
            }
            if best == before {
                break;
            }
        }
        least = least.min(best);
    }
    Ok(least)
}

/// Cycles of a lone warp of which a token at every post-dominator takes none: pushes, and leaves that are no
/// branches, are free.
pub fn with_free_tokens(subject: &Subject, assembly: &str) -> Result<u64, String> {
    let mut machine = machine(subject, assembly, 1)?;
    let program = assemble(&subject.name, assembly)?;
    let word = |address: u32| {
        let segment = program
            .segments
            .iter()
            .find(|s| s.address <= address && address - s.address < s.bytes.len() as u32)?;
        let at = (address - segment.address) as usize;
        let bytes = segment.bytes.get(at..at + 4)?;
        decode(u32::from_le_bytes(bytes.try_into().ok()?)).ok()
    };
    let timing = Timing::default();
    let mut cycles = 0;
    let limits = Limits {
        instructions: Some(100_000_000),
        ..Limits::default()
    };
    let outcome = machine.run(&limits, |record| {
        cycles += match (record.event, word(record.pc * 4)) {
            (Event::Push | Event::ForcedYield, _) => 0,
            (
                _,
                Some(Instr::Leave {
                    cond: LeaveCond::Always,
                    ..
                }),
            ) => 0,
            (Event::Next, Some(instr)) if instr.changes_nothing_but_data() => timing.interval,
            _ => timing.resolve,
        };
    });
    match outcome {
        Outcome::Done => Ok(cycles),
        other => Err(format!("{}: {other:?}", subject.name)),
    }
}
