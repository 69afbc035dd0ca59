//! What CALL tokens would win beside *auto* (COMP-064): the machine's call tokens, whose pushes are the calls themselves,
//! and the same with each push paid as an instruction of its own, as one that the compiler places would be.

use crate::run::WIDTH;
use crate::support::c_programs;
use crate::support::compilers::compilers;
use crate::support::judge::{alone, assemble, shape, Subject};
use crate::support::kernels::race_free;
use weft_compiler::{compile, Options};
use weft_sim::timing::Timing;
use weft_sim::{Config, Event, Limits, Machine, Outcome};

/// Warps of the launches; a push that is paid is counted for a lone warp only, where its cycles are known.
const WARPS: [usize; 3] = [1, 7, 16];

fn machine(
    subject: &Subject,
    assembly: &str,
    warps: usize,
    call_tokens: bool,
) -> Result<Machine, String> {
    let config = Config {
        warps,
        threads: WIDTH,
        memory: 1 << 23,
        call_tokens,
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

fn cycles(
    subject: &Subject,
    assembly: &str,
    warps: usize,
    call_tokens: bool,
) -> Result<u64, String> {
    let mut machine = machine(subject, assembly, warps, call_tokens)?;
    let cycles = Timing::default().run(&mut machine);
    cycles.map_err(|fault| format!("{}: {fault}", subject.name))
}

/// Calls of a lone warp with call tokens, but that of `kernel`.
fn calls(subject: &Subject, assembly: &str) -> Result<u64, String> {
    let mut machine = machine(subject, assembly, 1, true)?;
    let mut calls = 0;
    let limits = Limits {
        instructions: Some(100_000_000),
        ..Limits::default()
    };
    match machine.run(&limits, |record| {
        calls += u64::from(record.event == Event::Call)
    }) {
        Outcome::Done => Ok(calls.saturating_sub(1)),
        other => Err(format!("{}: {other:?}", subject.name)),
    }
}

/// How many times as fast as *auto* alone: by [`WARPS`], and of a lone warp that pays for each push. `None`: no calls.
fn speeds(subject: &Subject) -> Result<Option<[f64; 4]>, String> {
    let auto = compile(&subject.source, &subject.name, &Options::default());
    let auto = auto.map_err(|e| e.to_string())?.assembly;
    let calls = calls(subject, &auto)?;
    if calls == 0 {
        return Ok(None);
    }
    let mut speeds = [0.0; 4];
    for (at, warps) in WARPS.into_iter().enumerate() {
        let without = cycles(subject, &auto, warps, false)?;
        let with = cycles(subject, &auto, warps, true)?;
        speeds[at] = without as f64 / with as f64;
        if warps == 1 {
            let paid = with + calls * Timing::default().resolve;
            speeds[3] = without as f64 / paid as f64;
        }
    }
    Ok(Some(speeds))
}

fn print(what: &str, all: &[(String, [f64; 4])]) {
    println!(
        "{what}: {} programs with calls; how many times as fast as auto alone",
        all.len()
    );
    if all.is_empty() {
        return;
    }
    for (at, name) in ["1 warp", "7 warps", "16 warps", "1 warp, pushes paid"]
        .iter()
        .enumerate()
    {
        let mut column: Vec<f64> = all.iter().map(|(_, speeds)| speeds[at]).collect();
        column.sort_by(f64::total_cmp);
        let count = column.len() as f64;
        let mean = (column.iter().map(|s| s.ln()).sum::<f64>() / count).exp();
        let chosen = (column.iter().map(|s| s.max(1.0).ln()).sum::<f64>() / count).exp();
        let better = column.iter().filter(|s| **s > 1.01).count();
        let worse = column.iter().filter(|s| **s < 0.99).count();
        println!(
            "| {what} | {name} | {mean:.3} | {:.3} | {:.3} | {:.2} | {better} | {worse} | {chosen:.3} |",
            column[0],
            column[column.len() / 2],
            column[column.len() - 1]
        );
    }
}

/// As a table: the first `count` random programs with calls, from `seed` on, of each compiler, and the kernels.
pub fn measure(seed: u64, count: u64) -> Result<(), String> {
    let folder = std::env::temp_dir().join(format!("weft-measure-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    println!("| programs | launch | geometric mean | worst | median | best | faster by 1 % | slower by 1 % | mean if chosen for each |");
    for compiler in compilers() {
        let mut all = Vec::new();
        for seed in seed.. {
            if all.len() as u64 == count {
                break;
            }
            let c = c_programs::random(seed);
            let Ok(assembly) = compiler.compile(&c, "-O2", &folder) else {
                continue;
            };
            let subject = Subject::of_c(&format!("program{seed}.s"), assembly);
            if alone(&subject, &subject.source, &shape(seed), 400_000).is_err() {
                continue;
            }
            all.extend(speeds(&subject)?.map(|speeds| (seed.to_string(), speeds)));
        }
        print(&compiler.name, &all);
    }
    let mut all = Vec::new();
    for subject in race_free() {
        all.extend(speeds(&subject)?.map(|speeds| (subject.name.clone(), speeds)));
    }
    all.iter()
        .for_each(|(name, speeds)| println!("{name}: {speeds:.3?}"));
    print("kernels", &all);
    std::fs::remove_dir_all(&folder).map_err(|e| e.to_string())
}
