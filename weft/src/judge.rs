//! `weft judge`: a trace of somebody's own test bench against the golden model.

use crate::cli::JudgeArgs;
use anyhow::{Context, Result};
use std::fs::File;
use std::io::{stdin, BufRead, BufReader};
use weft_judge::trace::{judge, Error};

/// True when the trace is right.
pub fn run(args: &JudgeArgs) -> Result<bool> {
    let name = args.trace.display();
    let input: Box<dyn BufRead> = match args.trace.as_os_str() == "-" {
        true => Box::new(stdin().lock()),
        false => {
            let file = File::open(&args.trace).with_context(|| name.to_string())?;
            Box::new(BufReader::new(file))
        }
    };
    match judge(input) {
        Ok(summary) => {
            println!(
                "right: {} operations retired as the model says",
                summary.retired
            );
            if !summary.running.is_empty() {
                let warps: Vec<_> = summary.running.iter().map(ToString::to_string).collect();
                println!("the trace ends while warps {} run", warps.join(", "));
            }
            Ok(true)
        }
        Err(Error::Mismatch {
            line,
            cycle,
            mismatch,
        }) => {
            let cycle = cycle.map(|c| format!(", cycle {c}")).unwrap_or_default();
            println!("wrong: {name}:{line}{cycle}: {mismatch}");
            Ok(false)
        }
        Err(error) => Err(error).with_context(|| name.to_string()),
    }
}
