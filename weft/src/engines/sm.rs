//! `weft run --engine sm`: CTAs on the Verilated `weft_sm`.

use super::launch;
use super::ran::help_for;
use super::written::Written;
use super::{fields_of, size_of, Engine, Job, Ran, Watch};
use crate::cli::RunArgs;
use crate::printed;
use crate::profile::All;
use crate::report::{Counters, Ending};
use crate::start::Constructors;
use anyhow::{Context, Result};
use serde_json::{Map, Value};
use weft_isa::Program;
use weft_sim::FaultCause;
use weft_testbench::sm::report::{HostFault, Watcher};
use weft_testbench::sm::{SmError, SmOptions, SmReport};

pub struct OnSm {
    options: SmOptions,
}

impl OnSm {
    pub fn new(args: &RunArgs) -> Result<OnSm> {
        let options = launch::options(args)?;
        Ok(OnSm { options })
    }
}

impl Engine for OnSm {
    fn name(&self) -> String {
        "sm".into()
    }

    fn size(&self) -> String {
        size_of(&self.options)
    }

    fn fields(&self) -> Map<String, Value> {
        fields_of(&self.options)
    }

    fn memory(&self) -> u32 {
        self.options.machine.memory
    }

    fn threads(&self) -> u32 {
        self.options.launch.total()
    }

    fn ready(&mut self, job: &mut Job) -> Result<()> {
        launch::ready(job, &mut self.options, Constructors::Launch)
    }

    fn run(&mut self, job: &mut Job, watch: Watch) -> Result<Ran> {
        let (mut written, wave) = Written::of(job, self.options.shape.warps, true)?;
        self.options.wave = wave;
        let mut all = All(Vec::new());
        let trace = written.trace.as_mut();
        all.0.extend(trace.map(|trace| trace as &mut dyn Watcher));
        let profile = watch.profile;
        all.0
            .extend(profile.map(|profile| profile as &mut dyn Watcher));
        let came = run_sm(&job.program, &self.options, &mut all);
        let lost = written.finish(&Counters::default());
        let ran = match came {
            Ok(report) => ended(&job.program, report, &self.options)?,
            Err(error) => failed(error)?,
        };
        Ok(Ran { lost, ..ran })
    }
}

fn ended(program: &Program, report: SmReport, options: &SmOptions) -> Result<Ran> {
    let width = options.shape.threads;
    let findings = report.fault.iter().map(|fault| {
        let caller = printed::caller(program, fault.pc, report.returns_to);
        told(fault, width) + &caller
    });
    let causes = report.fault.iter();
    let causes = causes.filter_map(|f| FaultCause::of_sm(f.cause, f.address));
    let sm = serde_json::to_value(&report).context("the report")?;
    Ok(Ran {
        help: help_for(causes),
        notes: report.oracle_silent.iter().cloned().collect(),
        counters: Counters {
            cycles: Some(report.cycles),
            warp_instructions: Some(report.seen.issued),
            ..Counters::default()
        },
        lines: lines(&report, options),
        fields: Map::from_iter([("sm".into(), sm)]),
        oracle_agrees: report.oracle_agrees,
        memory: Some(report.memory.clone()),
        ..Ran::ended(findings.collect())
    })
}

/// What the host has read at FAULT, as the golden machine says it.
fn told(fault: &HostFault, width: usize) -> String {
    let HostFault {
        warp,
        lane,
        cause,
        pc,
        address,
        cta,
    } = *fault;
    let what = match FaultCause::of_sm(cause, address) {
        Some(cause) => cause.to_string(),
        None => format!("cause {cause}, address {address:#010x}"),
    };
    format!("fault: CTA {cta}, warp {warp} of {width} threads, lane {lane}, pc {pc:#x}: {what}")
}

/// On the Verilated SM.
pub fn run_sm(
    program: &Program,
    options: &SmOptions,
    watcher: &mut dyn Watcher,
) -> Result<SmReport, SmError> {
    weft_testbench::sm::verilated::run_program(program, options, watcher)
}

/// What keeps it from running at all, or how it ended.
pub fn failed(error: SmError) -> Result<Ran> {
    let mut finding = error.to_string();
    let ending = match &error {
        SmError::Config(_) | SmError::Dut(_) | SmError::Refused | SmError::Silent(_) => {
            return Err(error.into());
        }
        SmError::Mismatch { .. } | SmError::Rule { .. } | SmError::FinalState(_) => {
            Ending::Mismatch
        }
        SmError::Hang { .. } => {
            // Hardware shows who is blocked, and not where.
            finding.push_str("\nhelp: --engine golden tells who waits at which barrier");
            Ending::Hang
        }
        SmError::Livelock { .. } | SmError::GoldenLivelock(..) => Ending::Livelock,
        SmError::OutOfCycles(..) | SmError::OutOfInstructions(..) | SmError::AloneLimit(_) => {
            Ending::Limit
        }
        SmError::AloneFault(_) => Ending::Fault,
        SmError::AloneHung(_) | SmError::GoldenHang(_) => Ending::Hang,
        SmError::Interrupted(_) => Ending::Interrupted,
    };
    Ok(Ran::cut_short(ending, finding))
}

/// What an SM counts, a line each.
fn lines(report: &SmReport, options: &SmOptions) -> Vec<String> {
    let (s, a, cycles) = (&report.seen, &report.axi, report.cycles);
    let mut lines = vec![format!(
        "{cycles} cycles, {} instructions, {:.3} per cycle",
        s.issued,
        s.issued as f64 / cycles.max(1) as f64,
    )];
    if options.lockstep {
        let reasons = s.reasons.by_name();
        let reasons: Vec<_> = reasons.map(|(name, n)| format!("{name} {n}")).into();
        lines.push(format!("cycles: {}", reasons.join(", ")));
        lines.push(format!(
            "accesses: {} loads, {} stores, {} atomics of threads ({} local, {} scratchpad) in {} effects",
            s.loads, s.stores, s.atomics, s.local, s.scratchpad, s.effects
        ));
        lines.push(format!(
            "global memory: {} instructions of warps ask for {} lines",
            s.accesses, s.lines
        ));
    }
    if s.modes_asked > 0 {
        lines.push(format!(
            "subv.auto: {}, {} of them sub-vector mode; decisions: {} sub-vector, {} regular",
            s.modes_asked, s.modes_subvector, s.decided_subvector, s.decided_regular
        ));
    }
    if report.resident as usize != options.shape.warps || options.machine.shared_from < 32 {
        lines.push(format!(
            "registers: rows for {} warps; most resident {}, shared rows written {}",
            report.resident, s.most_warps, s.shared_rows
        ));
    }
    if options.shape.data_cache > 0 {
        let c = &report.cache;
        lines.push(format!(
            "data cache: {} reads, {} hits ({:.1} %), {} lines fetched and {} ahead, {} past it; {} write hits",
            c.reads(),
            c.hits,
            100.0 * c.hits as f64 / c.reads().max(1) as f64,
            c.misses,
            c.ahead,
            c.past,
            c.write_hits
        ));
    }
    lines.push(format!(
        "port: {} reads of {} bytes, {} writes of {} bytes",
        a.reads, a.bytes_read, a.writes, a.bytes_written
    ));
    lines
}
