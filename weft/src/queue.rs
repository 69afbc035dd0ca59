//! `weft cosim --unit host` and `--unit tasks`: the two halves of the work queue, each in lockstep with its model;
//! `--unit gpu`: the whole GPU, compared with the golden one.

use crate::cli::{CosimArgs, CosimUnit};
use crate::progress;
use crate::report::write_json;
use anyhow::{ensure, Result};
use serde::Serialize;
use std::time::Instant;
use weft_testbench::dut::{available, RtlKind};
use weft_testbench::{gpu, host, stop, tasks};

#[derive(Serialize)]
struct Report {
    unit: &'static str,
    /// `null`: no program was run to its end.
    equal: Option<bool>,
    interrupted: bool,
    seconds: f64,
    /// Programs that were run to their end.
    programs: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
}

/// True when hardware and model agree on every program.
pub fn cosim(args: &CosimArgs) -> Result<bool> {
    available(RtlKind::Verilated).map_err(crate::engine::unavailable)?;
    let unit = match args.unit {
        CosimUnit::Host => "host",
        CosimUnit::Gpu => "gpu",
        _ => "tasks",
    };
    let (mut of_host, mut of_others) = (host::cover::Cover::default(), tasks::Cover::default());
    let bar = progress::bar(args.programs);
    let start = Instant::now();
    let (mut programs, mut failure) = (0, None);
    for index in args.first..args.first + args.programs {
        let done = match args.unit {
            CosimUnit::Host => host::cosim::cosim(args.seed, index, &mut of_host),
            CosimUnit::Gpu => gpu::random::cosim(args.seed, index, &[1, 2, 3, 4], &mut of_others),
            _ => tasks::cosim::cosim(args.seed, index, &mut of_others),
        };
        if done.is_err() && stop::requested() {
            break;
        }
        if let Err(text) = done {
            failure = Some(format!(
                "program {index}: {text}\n  replay: cargo weft cosim --unit {unit} --seed {} --first {index} --programs 1",
                args.seed
            ));
            break;
        }
        programs += 1;
        bar.set_position(programs);
        if stop::requested() {
            break;
        }
    }
    bar.finish_and_clear();
    let seconds = start.elapsed().as_secs_f64();
    if let Some(path) = &args.json {
        let report = Report {
            unit,
            equal: match failure {
                Some(_) => Some(false),
                None => (programs > 0).then_some(true),
            },
            interrupted: stop::requested(),
            seconds,
            programs,
            failure: failure.clone(),
        };
        write_json(path, &report)?;
    }
    if let Some(failure) = failure {
        eprintln!("{failure}");
        return Ok(false);
    }
    println!(
        "weft_{unit}: {programs} programs of seed {} equal to the model, {seconds:.1} s",
        args.seed
    );
    if args.coverage {
        match args.unit {
            CosimUnit::Host => println!("{of_host}"),
            _ => println!("{of_others}"),
        }
    }
    ensure!(
        !stop::requested(),
        "interrupted after {programs} of {} programs",
        args.programs
    );
    Ok(true)
}
