//! The units that have a lockstep: which design of each is altered, and what is run on it.

use crate::units::Stopped::{Different, Ended};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::PathBuf;
use weft_generate::{Config, Design, Unit};
use weft_testbench::case::case_seed;
use weft_testbench::core::Width;
use weft_testbench::cosim::{cosim, CosimOptions};
use weft_testbench::dut::{self, OpenOptions, RtlKind};
use weft_testbench::ops::random_operations;
use weft_testbench::rtl::faults::{self, FAULT_SIZE};
use weft_testbench::sm::verilated::run_program;
use weft_testbench::sm::Shape;
use weft_testbench::{barrier, core, gpu, host, issue, sm, tasks};

/// A unit whose mutants can be run.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub name: &'static str,
    pub unit: Unit,
    /// Programs of tests (`testbench/tests`) that open the design as well.
    pub tests: &'static [&'static str],
    /// Blocks in it that are units of their own, and are not altered here.
    others: &'static [&'static str],
    run: fn(u64, u64) -> Result<(), String>,
}

pub const ALL: [Target; 8] = [
    Target {
        name: "scheduler",
        unit: Unit::Scheduler,
        tests: &["scheduler"],
        others: &[],
        run: scheduler,
    },
    Target {
        name: "convergence",
        unit: Unit::Control,
        tests: &["directed", "spill", "levels", "masks"],
        others: &[],
        run: convergence,
    },
    Target {
        name: "barrier",
        unit: Unit::Barrier,
        tests: &["barrier"],
        others: &[],
        run: of_barrier,
    },
    Target {
        name: "core",
        unit: Unit::Core,
        tests: &["core", "levels"],
        others: &["barrier", "convergence", "scheduler"],
        run: of_core,
    },
    Target {
        name: "sm",
        unit: Unit::Sm,
        tests: &["sm_rtl", "instructions", "programs"],
        others: &["compute_core"],
        run: of_sm,
    },
    Target {
        name: "host",
        unit: Unit::Host,
        tests: &["host"],
        others: &[],
        run: of_host,
    },
    Target {
        name: "tasks",
        unit: Unit::Tasks,
        tests: &["tasks"],
        others: &[],
        run: of_tasks,
    },
    Target {
        name: "gpu",
        unit: Unit::Gpu,
        tests: &["gpu", "gpu_threads", "gpu_busy"],
        others: &["sms_compute"],
        run: of_gpu,
    },
];

/// How a run on a mutant has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// Nothing is wrong.
    Ended,
    /// What is.
    Different(String),
}

impl Target {
    pub fn named(name: &str) -> Option<Target> {
        ALL.into_iter().find(|target| target.name == name)
    }

    /// The size that broken copies of the unit are made of, too.
    ///
    /// # Panics
    /// The unit has no broken copy.
    pub fn design(&self) -> Design {
        let copies = faults::of(self.unit);
        copies.first().expect("a unit with broken copies").0.clone()
    }

    /// Whether mutants of this module count for the unit.
    pub fn covers(&self, module: &str) -> bool {
        let top = self.design().top().to_string();
        let below = |other: &&str| module.starts_with(&format!("{top}_{other}"));
        !self.others.iter().any(below)
    }

    /// The random run of this number in lockstep: the same as `weft cosim` makes in this size.
    pub fn run(&self, seed: u64, index: u64) -> Stopped {
        match catch_unwind(AssertUnwindSafe(|| (self.run)(seed, index))) {
            Ok(Ok(())) => Ended,
            Ok(Err(text)) => Different(text),
            Err(panic) => {
                let text = panic.downcast_ref::<String>().cloned();
                let text = text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
                Different(format!("panic: {}", text.unwrap_or_default()))
            }
        }
    }
}

fn scheduler(seed: u64, index: u64) -> Result<(), String> {
    let episode = issue::episode::Episode {
        size: issue::device::Size::new(4, 4, true),
        seed: case_seed(seed, index),
        cycles: 5_000,
    };
    let options = issue::episode::Options::default();
    let ran = issue::episode::run(episode, &options, None);
    ran.map_err(|failure| failure.trouble.to_string())
}

fn of_barrier(seed: u64, index: u64) -> Result<(), String> {
    let episode = barrier::episode::Episode {
        size: barrier::device::Size::new(4, 4),
        seed: case_seed(seed, index),
        cycles: 5_000,
    };
    let options = barrier::episode::Options::default();
    let ran = barrier::episode::run(episode, &options, None);
    ran.map(drop).map_err(|failure| failure.trouble.to_string())
}

/// Programs, and every second time operations without one.
fn convergence(seed: u64, index: u64) -> Result<(), String> {
    if index % 2 == 1 {
        let opened = dut::open(RtlKind::Verilated, FAULT_SIZE, &OpenOptions::default());
        let mut opened = opened.map_err(|e| e.to_string())?;
        let seed = case_seed(seed, index);
        let control = opened.control.as_mut();
        let ran = random_operations(control, FAULT_SIZE, seed, 300, None, None);
        return ran.map(drop).map_err(|failure| failure.to_string());
    }
    let options = CosimOptions {
        sizes: vec![FAULT_SIZE],
        first: index / 2,
        artefacts: PathBuf::from("/nonexistent"),
        waves: false,
        minimise: 0,
        ..CosimOptions::default()
    };
    let ran = cosim(seed, 1, &options, &mut |_| ());
    ran.map(drop).map_err(|failure| failure.error.to_string())
}

fn of_core(seed: u64, index: u64) -> Result<(), String> {
    let Config { warps, threads, .. } = FAULT_SIZE;
    let ran = core::cosim::cosim(seed, index, 1, (warps, threads, Width::Single), None);
    ran.map(drop).map_err(|failure| failure.error.to_string())
}

fn of_sm(seed: u64, index: u64) -> Result<(), String> {
    let programs = (index, 1);
    let ran = sm::cosim::cosim(
        seed,
        programs,
        Shape::TINY,
        &mut run_program,
        None,
        &mut |_| (),
    );
    ran.map(drop).map_err(|failure| failure.error.to_string())
}

fn of_host(seed: u64, index: u64) -> Result<(), String> {
    let program = host::cosim::program(seed, index, &[5]);
    let setup = host::cosim::setup(program);
    host::program::run(program, &setup, &mut host::cover::Cover::default())
}

fn of_tasks(seed: u64, index: u64) -> Result<(), String> {
    let seed = case_seed(seed, index);
    let device = tasks::device::Device::open(tasks::cosim::SHAPES[0], None, seed as u32);
    let device = device.map_err(|e| e.to_string())?;
    let options = tasks::random::Options {
        seed,
        cycles: 12_000,
        mutation: None,
    };
    let ran = tasks::random::episode(device, &options);
    ran.map(drop).map_err(|wrong| wrong.to_string())
}

fn of_gpu(seed: u64, index: u64) -> Result<(), String> {
    gpu::random::cosim(seed, index, &[1], &mut tasks::Cover::default())
}
