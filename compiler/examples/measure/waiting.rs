//! Programs whose threads wait for one another: with nothing, with `auto`, with yields by hand.

use crate::support::compilers::{compilers, LEVELS};
use crate::support::waiting::{programs, Compiled, Judged, Taken, FACTOR, WIDTHS};

/// One program of one compiler, over levels and widths.
pub struct Row {
    pub program: String,
    pub compiler: String,
    /// Level and threads of a warp.
    pub taken: Vec<(&'static str, usize, Taken)>,
}

/// All of them, or those whose name contains a word.
pub fn measure(word: &str) -> Result<Vec<Row>, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let mut rows = Vec::new();
    for program in programs().iter().filter(|(name, _)| name.contains(word)) {
        for compiler in compilers() {
            let mut taken = Vec::new();
            for level in LEVELS {
                let compiled = Compiled::new(program, &compiler, level, folder.path())?;
                taken.extend(WIDTHS.map(|width| (level, width, compiled.measure(width, FACTOR))));
            }
            let row = Row {
                program: program.0.clone(),
                compiler: compiler.name,
                taken,
            };
            // It takes minutes.
            eprintln!("{} of {} is done", row.program, row.compiler);
            rows.push(row);
        }
    }
    Ok(rows)
}

impl Row {
    /// The run in which `auto` is worst, in the mean of the drawn orders.
    pub fn worst(&self) -> &(&'static str, usize, Taken) {
        let share = |taken: &Taken| taken.mean().map_or(f64::INFINITY, |judged| judged.share);
        let by_share = |a: &&(_, _, Taken), b: &&(_, _, Taken)| share(&a.2).total_cmp(&share(&b.2));
        let worst = self.taken.iter().max_by(by_share);
        worst.expect("there are levels and widths")
    }

    /// Runs in which `auto` does not end or takes too much, as text.
    pub fn failures(&self) -> Vec<String> {
        let good = |taken: &Taken| taken.mean().is_some_and(|judged| judged.share <= FACTOR);
        let bad = self.taken.iter().filter(|(.., taken)| !good(taken));
        bad.map(|(level, width, taken)| {
            format!(
                "{}, {} {level}, {width} threads: {}",
                self.program,
                self.compiler,
                shown(taken.mean())
            )
        })
        .collect()
    }
}

/// The mean with its standard error, and of how many orders.
pub fn shown(mean: Option<Judged>) -> String {
    mean.map_or("-".into(), |mean| {
        format!("{:.3} ± {:.3} ({})", mean.share, mean.error, mean.orders)
    })
}
