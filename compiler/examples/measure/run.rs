//! One run on the golden model under the clock of `weft_core`.

use crate::support::judge::{assemble, Subject};
use weft_compiler::{compile, Lower, Options};
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

/// Cycles of a lone warp with the tokens that pay, each charged with what its pushes and leaves take: found by running
/// this very program with each of them left out and put back, from all and from none, until nothing wins.
/// Never more than with none.
pub fn with_best_tokens(subject: &Subject, none: u64) -> Result<u64, String> {
    let lowered = |only: &[bool]| {
        let options = Options {
            lower: Lower::Tokens,
            only: only.to_vec(),
            ..Options::default()
        };
        let output = compile(&subject.source, &subject.name, &options);
        output.map(|o| o.assembly).map_err(|e| e.to_string())
    };
    let pushes = |text: &str| {
        let words = text
            .lines()
            .filter_map(|line| line.split_whitespace().next());
        words
            .filter(|word| ["ssy", "pbk", "pcnt"].contains(word))
            .count()
    };
    let count = pushes(&lowered(&[])?) - pushes(&subject.source);
    let cycles = |only: &[bool]| -> Result<u64, String> {
        let mut machine = machine(subject, &lowered(only)?, 1)?;
        let cycles = Timing::default().run(&mut machine);
        cycles.map_err(|fault| format!("{}: {fault}", subject.name))
    };
    let mut least = none;
    for start in [true, false] {
        let mut only = vec![start; count];
        let mut best = cycles(&only)?;
        for _ in 0..2 {
            let before = best;
            for at in 0..count {
                only[at] = !only[at];
                match cycles(&only)? {
                    other if other < best => best = other,
                    _ => only[at] = !only[at],
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
