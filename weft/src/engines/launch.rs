//! Launches of CTAs, on SM and GPU: from options to machine, launch and surroundings, and the program that fits them.

use super::{machine, Job};
use crate::cli::{lanes_of_sm, MachineArgs, PolicyName, RunArgs};
use crate::image;
use crate::options::{Argument, Extent, Place, MOST_MEMORY};
use crate::start::{self, Constructors};
use anyhow::{bail, Context, Result};
use weft_cc::Float;
use weft_isa::Program;
use weft_sim::Launch;
use weft_testbench::core::Pick;
use weft_testbench::sm::memory::AxiTiming;
use weft_testbench::sm::{Shape, SmOptions};
use weft_testbench::timing::Latency;

/// Shape, launch and surroundings that the options describe.
pub fn options(args: &RunArgs) -> Result<SmOptions> {
    let (m, s) = (&args.machine, &args.sm);
    let lanes = lanes_of_sm(m.lanes, m.threads);
    if lanes == 0 || m.threads % lanes != 0 {
        bail!("--lanes {lanes}: a divisor of --threads {}", m.threads);
    }
    let all = m.warps.saturating_mul(m.threads).min(u32::MAX as usize) as u32;
    let (grid, cta) = match (s.cta, m.grid) {
        (Some(cta), grid) => (grid.unwrap_or(Extent([1; 3])), cta),
        // As on the other engines: threads.
        (None, grid) => (Extent([1; 3]), grid.unwrap_or(Extent([all, 1, 1]))),
    };
    if cta.product() > u64::from(all) {
        bail!(
            "--cta {cta}: {} threads, the SM has {all} (--warps {} x --threads {})",
            cta.product(),
            m.warps,
            m.threads
        );
    }
    machine::most_threads(grid.product().saturating_mul(cta.product()))?;
    if s.local.0 % 16 != 0 {
        bail!("--local {}: a multiple of 16", s.local.0);
    }
    let whole = MachineArgs {
        grid: None,
        ..m.clone()
    };
    let machine = machine::of(&whole)?;
    let locals = u64::from(s.local.0) * u64::from(all);
    if locals > MOST_MEMORY.into() {
        bail!("--local {}: {locals} bytes for {all} threads; up to {MOST_MEMORY} together are simulated here", s.local.0);
    }
    let latency: Latency = s.memory_latency.into();
    let shape = Shape {
        data_cache: s.cache,
        line_cache: s.icache,
        ways: s.cache_ways,
        registers: s.registers,
        float: float_lanes(args, lanes)?,
        ..Shape::of(m.warps, m.threads, lanes)
    };
    if s.scratchpad.0 > shape.scratchpad * 1024 {
        bail!("--scratchpad: the SM has {} KiB", shape.scratchpad);
    }
    Ok(SmOptions {
        shape,
        launch: Launch {
            grid: grid.0,
            cta: cta.0,
            arguments: 0,
            scratchpad: s.scratchpad.0,
            local: s.local.0,
        },
        machine: weft_sim::Config {
            stack: 0,
            float: args.compile.float == Float::Hard,
            ..machine
        },
        axi: AxiTiming {
            latency,
            any_order: matches!(latency, Latency::Random(_)),
            ..AxiTiming::default()
        },
        level: args.core.level.unwrap_or(0),
        level_mix: args.core.level_mix.unwrap_or(0),
        policy: args.core.policy.map_or(Pick::Age, PolicyName::pick),
        seed: args.seed,
        lockstep: !s.bare,
        oracle: args.oracle,
        cycles: Some(args.most_cycles()),
        livelock: args.watchdog,
        instructions: args.most_instructions(),
        ..SmOptions::default()
    })
}

/// Lanes with float: as the option says, else every second one.
fn float_lanes(args: &RunArgs, lanes: usize) -> Result<u32> {
    match (args.compile.float, args.sm.float_lanes) {
        (Float::Soft, Some(_)) => bail!("--float-lanes goes with --float hard"),
        (Float::Soft, None) => Ok(0),
        (Float::Hard, given) => Ok(given.unwrap_or((lanes as u32 / 2).max(1))),
    }
}

/// CC-016: room for the program's variables in the scratchpad.
pub fn fit_scratchpad(options: &mut SmOptions, program: &Program) -> Result<()> {
    let shared = weft_cc::shared(program);
    let most = options.shape.scratchpad;
    if shared > most * 1024 {
        bail!("the program's WEFT_SHARED variables take {shared} bytes; the SM has {most} KiB");
    }
    options.launch.scratchpad = options.launch.scratchpad.max(shared);
    Ok(())
}

/// a2, once the program says where its symbols are.
pub fn argument(program: &mut Program, given: &Argument) -> Result<u32> {
    match given {
        Argument::Word(word) => Ok(*word),
        Argument::Symbol(name) => {
            image::resolve(program, &Place::Symbol(name.clone())).context("--arguments")
        }
        Argument::Struct(words) => {
            let words = words.iter().map(|word| argument(program, word));
            let words = words.collect::<Result<Vec<_>>>()?;
            let bytes = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            image::append(program, "__arguments", bytes).context("--arguments")
        }
    }
}

/// A program that begins at its kernel and finds arguments, scratchpad and gp.
pub fn ready(job: &mut Job, options: &mut SmOptions, constructors: Constructors) -> Result<()> {
    let (args, program) = (job.args, &mut job.program);
    options.launch.arguments = argument(program, &args.sm.arguments)?;
    fit_scratchpad(options, program)?;
    start::enter(program, args.gpu.kernel.as_deref(), constructors).context("--kernel")?;
    start::set_global_pointer(program)?;
    Ok(())
}
