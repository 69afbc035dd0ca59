//! `weft cosim`: random programs of one unit, or a part of them ([`Shard`](crate::options::Shard)), hardware against model
//! and oracle; and what many such runs come to together ([`merge`]).
//!
//! Each unit runs its programs and hands over a [`Run`] of them, which is written with `--json`.

mod control;
mod core;
mod episodes;
mod merge;
mod page;
pub mod record;
mod sm;

use crate::cli::{CosimArgs, CosimCommand, CosimUnit};
use crate::report::write_json;
use anyhow::{ensure, Result};
use record::{Campaign, Ranges, Run};
use std::ops::Range;
use weft_testbench::stop;

/// What the programs of one unit came to.
struct Came {
    run: Run,
    /// For people.
    text: String,
}

/// True when hardware, model and oracle agree on every program.
pub fn run(args: &CosimArgs) -> Result<bool> {
    if let Some(CosimCommand::Merge(args)) = &args.command {
        return merge::run(args);
    }
    ensure!(args.programs > 0, "--programs: at least one");
    ensure!(
        args.first.checked_add(args.programs).is_some(),
        "--first, --programs: the numbers of programs end at {}",
        u64::MAX
    );
    crate::heed_signals();
    let whole = args.first..args.first + args.programs;
    let own = args.shard.map_or(whole.clone(), |s| s.of(whole.clone()));
    let came = match args.unit {
        CosimUnit::Control => vec![control::run(args, own.clone())?],
        CosimUnit::Core => vec![core::run(args, own.clone())?],
        CosimUnit::Sm => sm::run(args, own.clone())?,
        CosimUnit::Host | CosimUnit::Tasks | CosimUnit::Gpu | CosimUnit::Float => {
            vec![episodes::run(args, own.clone())?]
        }
    };
    report(args, whole, &own, came)
}

/// Writes, prints and judges.
fn report(args: &CosimArgs, whole: Range<u64>, own: &Range<u64>, came: Vec<Came>) -> Result<bool> {
    let mut runs = Vec::new();
    let mut texts = Vec::new();
    for Came { mut run, text } in came {
        run.whole = Ranges::of(whole.clone());
        texts.push(text);
        runs.push(run);
    }
    let campaign = Campaign::of(runs, stop::requested());
    // Files come first: nobody may read what is printed.
    let written = args.json.as_ref().map(|path| write_json(path, &campaign));
    for (run, text) in campaign.runs.iter().zip(&texts) {
        match run.failures.first() {
            Some(_) => eprintln!("{text}"),
            None => println!("{text}"),
        }
    }
    written.transpose()?;
    if campaign.equal == Some(false) {
        return Ok(false);
    }
    ensure!(
        !stop::requested(),
        "interrupted after {} of {} programs",
        campaign.programs,
        own.end - own.start
    );
    if own.is_empty() {
        println!("this part of the campaign has no program");
    }
    ensure!(
        own.is_empty() || campaign.programs > 0,
        "no program was run"
    );
    Ok(true)
}
