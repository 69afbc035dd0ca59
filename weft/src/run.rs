//! `weft run`: compiles, runs on an engine, says what came of it.

use crate::cli::{lanes_of_sm, EngineName, ModeName, RunArgs};
use crate::dump::{load_data, print_dump, DumpReport, Wanted};
use crate::engines::{self, Job, Watch};
use crate::printed::{self, Printed};
use crate::profile::{Profile, Row};
use crate::report::{write_json, Counters, Ending};
use crate::sources::Compiled;
use crate::{outputs, sources, Told};
use anyhow::{bail, Result};
use serde::Serialize;
use serde_json::{Map, Value};
use std::time::Instant;
use weft_compiler::Form;

/// What `--json` writes, of every engine.
#[derive(Serialize)]
struct Report<'a> {
    program: String,
    engine: String,
    /// Size and launch.
    #[serde(flatten)]
    size: Map<String, Value>,
    ending: Ending,
    /// What is wrong.
    findings: &'a [String],
    /// The oracle was compared, and agrees; `null`: it has not judged.
    oracle_agrees: Option<bool>,
    seconds: f64,
    #[serde(flatten)]
    counters: &'a Counters,
    /// What only this engine counts.
    #[serde(flatten)]
    own: &'a Map<String, Value>,
    dump: &'a [DumpReport],
    /// How the program was compiled.
    #[serde(skip_serializing_if = "Option::is_none")]
    compiled: Option<&'a Compiled>,
    /// What the program has printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    printed: Option<&'a Printed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    profile: Option<Vec<Row>>,
}

/// What one option says of another. The form of sub-vector loops fits the machine: where `subv.auto` could select regular
/// mode, shared registers would hold nothing (SUBV-020).
pub fn prepare(args: &mut RunArgs) -> Result<()> {
    args.compile.zones = args.check;
    let (threads, given) = (args.machine.threads, args.machine.lanes);
    let lanes = match args.engine {
        EngineName::Sm | EngineName::Gpu => lanes_of_sm(given, threads),
        _ => given.unwrap_or(threads),
    };
    args.compile.parts = Some((threads as u32, lanes as u32));
    let form = &mut args.compile.subvector_form;
    if args.machine.shared_from < 32 && matches!(form, Some(Form::Copies | Form::Loop)) {
        bail!("--subvector-form: registers are shared in sub-vector mode, which the forms copies and loop do not use; with --shared-from take the form mode");
    }
    let shares = args.machine.shared_from < 32 && args.machine.mode != ModeName::SubVector;
    if shares && *form == Some(Form::Measured) {
        bail!("--subvector-form measured: in regular mode shared registers hold nothing; with --shared-from take the form mode, or --mode sub-vector");
    }
    if shares {
        form.get_or_insert(Form::Mode);
    }
    Ok(())
}

/// True when nothing was found wrong.
pub fn run(args: &RunArgs) -> Result<bool> {
    check_files(args)?;
    crate::heed_signals();
    let mut engine = engines::choose(args)?;
    let files: Vec<_> = std::iter::once(&args.program)
        .chain(&args.more)
        .cloned()
        .collect();
    let loaded = sources::load_all(&files, &args.compile, &args.load)?;
    let (sizes, compiled) = (loaded.sizes, loaded.compiled);
    let mut job = Job {
        args,
        program: loaded.program,
        lines: loaded.lines,
    };
    load_data(&mut job.program, &args.load)?;
    engine.ready(&mut job)?;
    let wanted = Wanted::of(args, &job.program, &sizes, engine.memory())?;

    let mut check = args.check.then(|| engine.check(&job.program)).flatten();
    let mut profile = args.profile.then(|| Profile::new(args.machine.threads));
    let watch = Watch {
        check: check.as_mut(),
        profile: profile.as_mut(),
    };
    let start = Instant::now();
    let mut ran = engine.run(&mut job, watch)?;
    let seconds = start.elapsed().as_secs_f64();

    if let Some(check) = check {
        check.tell(&mut ran.findings, &mut ran.ending);
    }
    let memory = ran.memory.as_ref();
    let printed = memory.and_then(|m| printed::read(&job.program, m, engine.threads()));
    let dump = memory.map_or(Vec::new(), |memory| wanted.read(memory));
    // Files come first: nobody may read what is printed.
    let unsaved = memory.map_or(Vec::new(), |memory| wanted.save(memory));
    ran.lost.extend(unsaved);
    engine.place(&mut ran, &job);
    ran.explain(printed.as_ref());
    if let Some(path) = &args.json {
        let report = Report {
            program: args.program.display().to_string(),
            engine: engine.name(),
            size: engine.fields(),
            ending: ran.ending,
            findings: &ran.findings,
            oracle_agrees: ran.oracle_agrees,
            seconds,
            counters: &ran.counters,
            own: &ran.fields,
            dump: &dump,
            compiled: compiled.as_ref(),
            printed: printed.as_ref(),
            profile: profile.as_ref().map(|profile| profile.rows(&job.lines)),
        };
        ran.lost.extend(write_json(path, &report).err());
    }
    if let (Some(profile), Some(path)) = (&profile, &args.folded) {
        ran.lost
            .extend(profile.write_folded(&job.lines, path).err());
    }
    if let Some(printed) = &printed {
        printed.show()?;
    }
    println!(
        "{} on {}: {}{}; {}, {seconds:.3} s",
        args.program.display(),
        engine.title(),
        ran.ending.name(),
        match ran.oracle_agrees {
            Some(true) => ", oracle agrees",
            Some(false) => ", oracle disagrees",
            None => "",
        },
        engine.size(),
    );
    ran.lines.iter().for_each(|line| println!("  {line}"));
    compiled.iter().for_each(Compiled::print);
    dump.iter().for_each(print_dump);
    if let Some(profile) = &profile {
        print!("{}", profile.table(&job.lines));
    }
    for line in ran.findings.iter().chain(&ran.notes) {
        eprintln!("{line}");
    }
    for error in &ran.lost {
        eprintln!("error: {error:#}");
    }
    if !ran.lost.is_empty() || ran.ending == Ending::Interrupted {
        bail!(Told);
    }
    printed::ended(ran.ending == Ending::Done, printed.as_ref())
}

/// No output is an input, or another output.
fn check_files(args: &RunArgs) -> Result<()> {
    let outputs = [
        ("--trace", args.trace.as_deref()),
        ("--wave", args.wave.as_deref()),
        ("--vcd", args.vcd.as_deref()),
        ("--json", args.json.as_deref()),
        ("--folded", args.folded.as_deref()),
    ];
    let saves = args.save.iter();
    let saves = saves.map(|save| ("--save", Some(save.file.as_path())));
    let outputs: Vec<_> = outputs.into_iter().chain(saves).collect();
    let programs = std::iter::once(&args.program).chain(&args.more);
    let programs = programs.map(|file| ("", file.as_path()));
    let data = args.load.iter().map(|load| ("--load", load.file.as_path()));
    let inputs: Vec<_> = programs.chain(data).collect();
    outputs::distinct(&outputs, &inputs)
}
