//! Random C programs at -O2 in every lowering, relative to none.

use crate::run::{around, run, with_best_tokens, with_free_tokens};
use crate::support::c_programs;
use crate::support::compilers::compilers;
use crate::support::judge::{alone, shape, Subject};
use weft_compiler::{compile, Lower, Options};

/// Warps of the launches that are measured; the compiler tries the first two itself, looks at the third at the end (COMP-077), and not at the last.
pub const WARPS: [usize; 4] = [1, 16, 7, 5];

/// Lowerings that are compared with none.
pub const LOWERS: [Lower; 4] = [Lower::Auto, Lower::Tokens, Lower::Masks, Lower::Predicate];

/// All programs of one compiler.
pub struct Programs {
    pub compiler: String,
    pub count: usize,
    /// SIMD efficiency without lowering, of one warp: mean and median.
    pub efficiency: (f64, f64),
    /// By lowering, then by [`WARPS`]: how many times as fast as none, ascending.
    pub cycles: Vec<Vec<Vec<f64>>>,
    /// Of one warp: cycles that free tokens everywhere, or nothing, would take, relative to auto's; ascending.
    pub of_bound: Vec<f64>,
    /// The same with the tokens that pay, each charged with what it takes.
    pub of_best: Vec<f64>,
    /// Seeds of programs that are slower by more than 1 %: auto, the launches that it has tried; the other.
    pub slower: [Vec<u64>; 2],
}

pub fn measure(seed: u64, count: u64) -> Result<Vec<Programs>, String> {
    let folder = std::env::temp_dir().join(format!("weft-measure-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let found = compilers().into_iter().map(|compiler| {
        let mut all = Programs {
            compiler: compiler.name.clone(),
            count: 0,
            efficiency: (0.0, 0.0),
            cycles: vec![vec![Vec::new(); WARPS.len()]; LOWERS.len()],
            of_bound: Vec::new(),
            of_best: Vec::new(),
            slower: [Vec::new(), Vec::new()],
        };
        let mut efficiencies = Vec::new();
        for seed in seed..seed + count {
            let c = c_programs::random(seed);
            let Ok(assembly) = compiler.compile(&c, "-O2", &folder) else {
                continue;
            };
            let subject = Subject::of_c(&format!("program{seed}.s"), assembly);
            if alone(&subject, &subject.source, &shape(seed), 400_000).is_err() {
                continue;
            }
            let lowered = |lower| {
                let options = Options {
                    lower,
                    ..Options::default()
                };
                let output = compile(&subject.source, &subject.name, &options);
                output.map(|o| o.assembly).map_err(|e| e.to_string())
            };
            let none = WARPS.map(|warps| run(&subject, &subject.source, warps));
            let mut auto = 0;
            for (lower, speeds) in LOWERS.into_iter().zip(&mut all.cycles) {
                let assembly = lowered(lower)?;
                for (at, none) in none.iter().enumerate() {
                    let none = none.as_ref().map_err(String::clone)?;
                    let other = run(&subject, &assembly, WARPS[at])?;
                    let speed = none.cycles as f64 / other.cycles as f64;
                    speeds[at].push(speed);
                    if lower == Lower::Auto {
                        if at == 0 {
                            auto = other.cycles;
                        }
                        let slower = &mut all.slower[usize::from(at == 3)];
                        if speed < 0.99 && slower.last() != Some(&seed) {
                            slower.push(seed);
                        }
                    }
                }
            }
            let none = none[0].as_ref().map_err(String::clone)?;
            let bound = with_free_tokens(&subject, &around(&subject)?)?;
            all.of_bound
                .push(bound.min(none.cycles) as f64 / auto as f64);
            let best = with_best_tokens(&subject, none.cycles)?;
            all.of_best.push(best as f64 / auto as f64);
            efficiencies.push(none.efficiency);
            all.count += 1;
        }
        let lists = all.cycles.iter_mut().flatten();
        for list in lists.chain([&mut all.of_bound, &mut all.of_best, &mut efficiencies]) {
            list.sort_by(f64::total_cmp);
        }
        let mean = efficiencies.iter().sum::<f64>() / efficiencies.len().max(1) as f64;
        let median = efficiencies.get(efficiencies.len() / 2).copied();
        all.efficiency = (mean, median.unwrap_or_default());
        Ok(all)
    });
    let found = found.collect();
    let _ = std::fs::remove_dir_all(&folder);
    found
}

pub fn geometric_mean(list: &[f64]) -> f64 {
    (list.iter().map(|x| x.ln()).sum::<f64>() / list.len().max(1) as f64).exp()
}
