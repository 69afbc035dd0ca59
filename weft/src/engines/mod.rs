//! What runs the program of `weft run`: models, simulated hardware, devices that a driver opens; a file each.
//!
//! An engine fits the program to its machine, runs it, and says in one form what came of it ([`Ran`]). Compiling, data,
//! dumps, files and reports are `weft run`'s own. Which options an engine has is a column of [`crate::takes`].

mod core;
mod ctas;
mod gpu;
pub mod launch;
pub mod machine;
mod ran;
mod sm;
pub mod warps;
pub mod written;

pub use core::{check as check_core, width};
pub use ran::Ran;
pub use sm::run_sm;

use crate::check::Check;
use crate::cli::{EngineName, RunArgs};
use crate::options::Extent;
use crate::printed;
use crate::profile::Profile;
use anyhow::Result;
use ctas::Ctas;
use gpu::OnGpu;
use serde_json::{json, Map, Value};
use sm::OnSm;
use warps::Warps;
use weft_cc::lines::Lines;
use weft_isa::Program;
use weft_testbench::dut::RtlKind;
use weft_testbench::run::Engine as Runner;
use weft_testbench::sm::SmOptions;

/// A program that is ready to run, with its lines of source.
pub struct Job<'a> {
    pub args: &'a RunArgs,
    pub program: Program,
    pub lines: Lines,
}

impl Job<'_> {
    /// The program's name for a trace.
    fn title(&self) -> String {
        let name = self.args.program.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }
}

/// Who looks on while a program runs: `--check`, `--profile`. An engine without such an option is given nothing.
#[derive(Default)]
pub struct Watch<'a> {
    pub check: Option<&'a mut Check>,
    pub profile: Option<&'a mut Profile>,
}

pub trait Engine {
    /// As the report names it.
    fn name(&self) -> String;

    /// As the first line of the result names it.
    fn title(&self) -> String {
        self.name()
    }

    /// Size and launch in the first line of the result.
    fn size(&self) -> String;

    /// The same as fields of the report.
    fn fields(&self) -> Map<String, Value>;

    /// Where global memory ends.
    fn memory(&self) -> u32;

    /// Threads of the launch.
    fn threads(&self) -> u32;

    /// Fits program and launch to one another: where it begins, its arguments, its room.
    ///
    /// # Errors
    /// The program does not fit the machine that the options describe.
    fn ready(&mut self, job: &mut Job) -> Result<()>;

    /// Who looks for races and wrong accesses, where `--check` can.
    fn check(&self, _: &Program) -> Option<Check> {
        None
    }

    /// # Errors
    /// What keeps the program from running at all; everything that goes wrong afterwards is in [`Ran`].
    fn run(&mut self, job: &mut Job, watch: Watch) -> Result<Ran>;

    /// Puts function, file and line to the findings.
    fn place(&self, ran: &mut Ran, job: &Job) {
        for finding in &mut ran.findings {
            *finding = printed::with_places(finding, &job.lines);
        }
    }
}

/// The engine that the options name.
///
/// # Errors
/// A machine that there is not.
pub fn choose(args: &RunArgs) -> Result<Box<dyn Engine>> {
    let warps = |runner| Warps::new(args, runner).map(|warps| Box::new(warps) as Box<dyn Engine>);
    Ok(match (args.engine, args.sm.cta) {
        (EngineName::Golden, None) => warps(Runner::Golden)?,
        (EngineName::Oracle, None) => warps(Runner::Oracle)?,
        (EngineName::Rtl, _) => warps(Runner::Rtl(RtlKind::Verilated))?,
        (EngineName::RustHdl, _) => warps(Runner::Rtl(RtlKind::RustHdl))?,
        (EngineName::Lockstep, _) => warps(Runner::Lockstep(machine::kind(args.dut)))?,
        (EngineName::Golden, Some(_)) => Box::new(Ctas::golden(args)?),
        (EngineName::Oracle, Some(_)) => Box::new(Ctas::oracle(args)?),
        (EngineName::Sm, _) => Box::new(OnSm::new(args)?),
        (EngineName::Gpu, _) => Box::new(OnGpu::new(args)?),
    })
}

/// Grid and CTA of a launch, in words.
fn grid_of_ctas(options: &SmOptions) -> (String, String) {
    let launch = &options.launch;
    (
        Extent(launch.grid).to_string(),
        Extent(launch.cta).to_string(),
    )
}

/// An SM with its launch.
fn size_of(options: &SmOptions) -> String {
    let (grid, cta) = grid_of_ctas(options);
    format!("{}, grid {grid} of {cta} threads", options.shape)
}

fn fields_of(options: &SmOptions) -> Map<String, Value> {
    let (grid, cta) = grid_of_ctas(options);
    map(json!({ "shape": options.shape.to_string(), "grid": grid, "cta": cta }))
}

/// The fields of an object.
fn map(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        other => unreachable!("{other} is no object"),
    }
}
