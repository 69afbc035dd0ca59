//! `weft run --engine gpu`: a launch through driver, channel and task management, on the golden GPU or on the hardware.

use super::ran::help_for;
use super::{grid_of_ctas, launch, map, Engine, Job, Ran, Watch};
use crate::cli::{DeviceName, RunArgs};
use crate::device;
use crate::options::Argument;
use crate::report::{Counters, Ending};
use crate::start::Constructors;
use anyhow::{bail, Context, Result};
use serde_json::{json, Map, Value};
use weft_driver::{Device, Error, Golden, Gpu, Grid, Settings};
use weft_sim::host::Size;
use weft_testbench::gpu::{Caches, GpuOptions, VerilatedGpu};
use weft_testbench::sm::SmOptions;

pub struct OnGpu {
    device: DeviceName,
    size: Size,
    options: SmOptions,
}

impl OnGpu {
    pub fn new(args: &RunArgs) -> Result<OnGpu> {
        if args.gpu.work_queue.is_some() && args.sm.arguments != Argument::Word(0) {
            bail!("--arguments, --work-queue: a2 is one or the other");
        }
        let (m, options) = (&args.machine, launch::options(args)?);
        if m.memory.0 % 64 != 0 {
            bail!("--memory {}: a multiple of 64", m.memory.0);
        }
        let size = Size {
            sms: args.gpu.sms,
            warps: m.warps,
            threads: m.threads,
            lanes: options.shape.lanes,
            float: options.shape.float as usize,
            scratchpad: options.shape.scratchpad << 10,
            ..Size::default()
        };
        Ok(OnGpu {
            device: args.gpu.device,
            size,
            options,
        })
    }

    /// Opens the device, launches the program once and waits for it.
    fn on<D: Device>(&self, device: D, job: &mut Job) -> Result<Ran> {
        let (args, launch) = (job.args, &self.options.launch);
        let settings = Settings {
            limit: Some(args.most_instructions()),
            local: launch.local.max(1024),
            ..Settings::default()
        };
        let mut gpu = Gpu::open_with(device, settings).context("--memory")?;
        gpu.interrupt_by(weft_testbench::stop::requested);
        // The driver says itself where a kernel has faulted.
        let module = gpu.load_lines(&job.program, std::mem::take(&mut job.lines))?;
        let (kernel, grid) = (module.entry(), self.grid(args));
        let stream = gpu.stream()?;
        match args.gpu.work_queue {
            None => gpu.launch(stream, kernel, &grid)?,
            Some(entries) => {
                let mut queue = gpu.work_queue(entries, entries).context("--work-queue")?;
                let grid = grid.with_arguments(queue.address());
                gpu.launch_with(stream, &mut queue, kernel, &grid, self.threads())?;
            }
        }
        let mut ran = Ran::ended(Vec::new());
        if let Err(error) = gpu.synchronize() {
            ran = failed(&error, args.gpu.work_queue.is_some());
            if matches!(
                error,
                Error::Limit(_) | Error::Interrupted | Error::Stuck(_)
            ) {
                ran.findings.extend(gpu.standing());
            }
        }
        let counters = gpu.counters();
        Ok(Ran {
            lines: device::lines(&counters),
            fields: fields(&counters),
            counters: Counters {
                cycles: counters.cycles,
                warp_instructions: Some(counters.instructions),
                ..Counters::default()
            },
            // Whatever has happened: a GPU's memory can be read.
            memory: Some(device::memory_of(gpu.device())),
            ..ran
        })
    }

    fn grid(&self, args: &RunArgs) -> Grid {
        let (m, launch) = (&args.machine, &self.options.launch);
        Grid {
            ctas: launch.grid,
            threads: launch.cta,
            arguments: launch.arguments,
            scratchpad: launch.scratchpad,
            local: launch.local,
            yield_every: m.yield_every.0,
            forced_yield: m.forced_yield.0,
            level: self.options.level,
            path: self.options.machine.path.code(),
            ..Grid::of(1, 1)
        }
    }
}

impl Engine for OnGpu {
    fn name(&self) -> String {
        "gpu".into()
    }

    fn title(&self) -> String {
        match self.device {
            DeviceName::Golden => "gpu",
            DeviceName::Verilated => "weft_gpu",
        }
        .into()
    }

    fn size(&self) -> String {
        let (grid, cta) = grid_of_ctas(&self.options);
        let sms = device::many(self.size.sms as u32, "SM");
        let Size { warps, threads, .. } = self.size;
        format!("{sms} x {warps} warps x {threads} threads, grid {grid} of {cta} threads")
    }

    fn fields(&self) -> Map<String, Value> {
        let (grid, cta) = grid_of_ctas(&self.options);
        map(json!({
            "device": match self.device {
                DeviceName::Golden => "golden",
                DeviceName::Verilated => "verilated",
            },
            "sms": self.size.sms,
            "warps": self.size.warps,
            "threads": self.size.threads,
            "grid": grid,
            "cta": cta,
        }))
    }

    fn memory(&self) -> u32 {
        self.options.machine.memory
    }

    fn threads(&self) -> u32 {
        self.options.launch.total()
    }

    fn ready(&mut self, job: &mut Job) -> Result<()> {
        launch::ready(job, &mut self.options, Constructors::Driver)
    }

    fn run(&mut self, job: &mut Job, _: Watch) -> Result<Ran> {
        let (args, memory) = (job.args, self.memory());
        match self.device {
            DeviceName::Golden => self.on(Golden::new(self.size, memory), job),
            DeviceName::Verilated => {
                let open = GpuOptions {
                    memory,
                    timing: self.options.axi,
                    seed: args.seed,
                    caches: Caches {
                        lines: args.sm.icache,
                        data: args.sm.cache,
                        ways: args.sm.cache_ways,
                        shared: args.gpu.l2,
                        shared_ways: args.gpu.l2_ways,
                    },
                    wave: None,
                };
                self.on(VerilatedGpu::open_copy(self.size, &open, None)?, job)
            }
        }
    }

    /// The driver has said where.
    fn place(&self, _: &mut Ran, _: &Job) {}
}

/// What a GPU counts beyond what every engine does.
fn fields(counters: &weft_driver::Counters) -> Map<String, Value> {
    map(json!({
        "ctas": counters.ctas,
        "commands": counters.commands,
        "entries": counters.entries,
        "launches": counters.launches,
        "spawns": counters.spawns,
        "dependents": counters.dependents,
        "evictions": counters.evictions,
    }))
}

/// `queued`: the launch has a work queue.
fn failed(error: &Error, queued: bool) -> Ran {
    let ending = match error {
        Error::Fault(_) | Error::Failed { .. } => Ending::Fault,
        Error::Hung(_) | Error::Stuck(_) => Ending::Hang,
        Error::Limit(_) => Ending::Limit,
        Error::Interrupted => Ending::Interrupted,
        _ => Ending::Error,
    };
    let mut ran = Ran::new(ending, vec![error.to_string()]);
    if let Error::Fault(fault) = error {
        ran.help = help_for([fault.cause]);
        let mut files = fault.frames.iter().filter_map(|f| f.file.as_deref());
        if files.any(|file| file.ends_with("weft_queue.h")) && !queued {
            let help = "--work-queue N gives the launch a work queue";
            ran.help.push(help.into());
        }
    }
    if queued && matches!(error, Error::Stuck(_) | Error::Channel { .. }) {
        let help = "a round of the work queue is closed when each thread of the launch has called weft_work_end once, \
                    and each piece that weft_work_begin has added";
        ran.help.push(help.into());
    }
    ran
}
