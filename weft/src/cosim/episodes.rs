//! Units that run a program by themselves, each compared with its model: the work queue's two halves, the whole GPU, and the
//! float unit.

use super::record::{Failure, Ranges, Run};
use super::Came;
use crate::cli::{CosimArgs, CosimUnit, USUAL_SMS};
use crate::progress;
use anyhow::Result;
use std::fmt::Write as _;
use std::ops::Range;
use std::time::Instant;
use weft_testbench::dut::{available, RtlKind};
use weft_testbench::{float, gpu, host, stop, tasks};

pub fn run(args: &CosimArgs, programs: Range<u64>) -> Result<Came> {
    available(RtlKind::Verilated).map_err(crate::engines::machine::unavailable)?;
    let unit = match args.unit {
        CosimUnit::Host => "host",
        CosimUnit::Gpu => "gpu",
        CosimUnit::Float => "float",
        _ => "tasks",
    };
    let (mut of_host, mut of_others) = (host::cover::Cover::default(), tasks::Cover::default());
    let mut of_float = float::cover::Cover::default();
    let settings = match args.sms == USUAL_SMS {
        true => String::new(),
        false => {
            let each: Vec<_> = args.sms.iter().map(usize::to_string).collect();
            format!(" --sms {}", each.join(","))
        }
    };
    let bar = progress::bar(programs.end - programs.start);
    let start = Instant::now();
    let (mut ran, mut failures) = (0, Vec::new());
    for index in programs.clone() {
        let done = match args.unit {
            CosimUnit::Host => host::cosim::cosim(args.seed, index, &mut of_host),
            CosimUnit::Gpu => gpu::random::cosim(args.seed, index, &args.sms, &mut of_others),
            CosimUnit::Float => float::cosim::cosim(args.seed, index, &mut of_float),
            _ => tasks::cosim::cosim(args.seed, index, &mut of_others),
        };
        if done.is_err() && stop::requested() {
            break;
        }
        if let Err(error) = done {
            let replay = format!(
                "cargo weft cosim --unit {unit}{settings} --seed {} --first {index} --programs 1",
                args.seed
            );
            failures.push(Failure::new(index, &error, String::new(), replay));
            break;
        }
        ran += 1;
        bar.set_position(ran);
        if stop::requested() {
            break;
        }
    }
    bar.finish_and_clear();
    let bins = match args.unit {
        CosimUnit::Host => of_host.counts(),
        CosimUnit::Float => of_float.counts(),
        _ => of_others.counts(),
    };
    let run = Run {
        ran: Ranges::of(programs.start..programs.start + ran),
        seconds: start.elapsed().as_secs_f64(),
        bins,
        failures,
        ..Run::new(unit, settings.trim().into(), args.seed)
    };
    let text = match run.failures.first() {
        Some(failure) => format!(
            "program {}: {}\n  replay: {}",
            failure.index, failure.error, failure.replay
        ),
        None => {
            let mut text = format!(
                "weft_{unit}: {ran} programs of seed {} equal to the model, {:.1} s",
                args.seed, run.seconds
            );
            if args.coverage {
                for (name, count) in &run.bins {
                    let _ = write!(text, "\n{count:>8}  {name}");
                }
            }
            text
        }
    };
    Ok(Came { run, text })
}
