//! The kernels of `kernels/` in every lowering, and how long a compilation takes.

use crate::run::{around, run, with_best_tokens, with_free_tokens, Run};
use crate::support::kernels::{race_free, root};
use std::time::Instant;
use weft_compiler::{compile, Lower, Options};

/// One kernel.
pub struct Kernel {
    pub name: String,
    /// What was done, and a lone warp's run.
    pub runs: Vec<(&'static str, Run)>,
    /// Cycles with a token at every post-dominator for nothing, or with nothing, if that is less;
    /// `None`: the kernel has tokens of its own.
    pub bound: Option<u64>,
    /// The same with the tokens that pay, each charged with what it takes.
    pub best: Option<u64>,
}

pub const WAYS: [(&str, Lower); 5] = [
    ("none", Lower::None),
    ("tokens", Lower::Tokens),
    ("masks", Lower::Masks),
    ("predicate", Lower::Predicate),
    ("auto", Lower::Auto),
];

/// `auto` that was told the input.
pub const TOLD: &str = "auto, input known";

pub fn measure() -> Result<Vec<Kernel>, String> {
    let mut found = Vec::new();
    for subject in race_free() {
        let lowered = |lower, inputs| {
            let options = Options {
                lower,
                inputs,
                ..Options::default()
            };
            let output = compile(&subject.source, &subject.name, &options);
            output.map(|o| o.assembly).map_err(|e| e.to_string())
        };
        let mut runs = Vec::new();
        for (name, lower) in WAYS {
            runs.push((name, run(&subject, &lowered(lower, Vec::new())?, 1)?));
        }
        if !subject.inputs.is_empty() {
            let assembly = lowered(Lower::Auto, subject.inputs.clone())?;
            runs.push((TOLD, run(&subject, &assembly, 1)?));
        }
        for (name, run) in &runs {
            if run.outputs != runs[0].1.outputs {
                return Err(format!("{}, {name}: other results", subject.name));
            }
        }
        let tokens = around(&subject)?;
        let bound = match tokens == subject.source {
            true => None,
            false => Some(with_free_tokens(&subject, &tokens)?.min(runs[0].1.cycles)),
        };
        let none = runs[0].1.cycles;
        found.push(Kernel {
            best: bound
                .map(|_| with_best_tokens(&subject, none))
                .transpose()?,
            bound,
            name: subject.name.clone(),
            runs,
        });
    }
    Ok(found)
}

/// What a file takes to compile: its name, lines, and seconds (the best of some).
pub struct Time {
    pub name: String,
    pub lines: usize,
    pub seconds: f64,
}

/// Committed samples under `auto`, and programs of about 1,000 lines made of them.
pub fn compile_time() -> Result<Vec<Time>, String> {
    let folder = root().join("compiler/tests/data");
    let mut times = Vec::new();
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .map_err(|e| e.to_string())?
        .flatten()
        .map(|entry| entry.path())
        .collect();
    paths.sort();
    for path in paths {
        let text = std::fs::read_to_string(&path).map_err(|e| e.to_string())?;
        let once = || -> Result<f64, String> {
            let start = Instant::now();
            compile(&text, "sample.s", &Options::default()).map_err(|e| e.to_string())?;
            Ok(start.elapsed().as_secs_f64())
        };
        times.push(Time {
            name: path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into(),
            lines: text.lines().count(),
            seconds: once()?.min(once()?).min(once()?),
        });
    }
    Ok(times)
}
