//! `weft compile`.

use crate::cli::{LowerArgs, ReportFormat};
use crate::options::{Load, Place};
use crate::{dump, outputs};
use anyhow::{bail, ensure, Context, Result};
use weft_compiler::{compile, Error, Input, Options};

pub fn run(args: &LowerArgs) -> Result<()> {
    let name = args.source.display().to_string();
    let data = args.load.iter().map(|load| ("--load", load.file.as_path()));
    let read: Vec<_> = data.chain([("", args.source.as_path())]).collect();
    let written = [("-o", &args.output), ("--report-file", &args.report_file)];
    outputs::distinct(
        &written.map(|(option, path)| (option, path.as_deref())),
        &read,
    )?;
    let bytes = weft_isa::files::read(&args.source).with_context(|| name.clone())?;
    let Ok(source) = String::from_utf8(bytes) else {
        bail!("{name}: not a text file");
    };
    weft_isa::asm::check(&source, &name)?;
    let options = Options {
        lower: args.lower,
        yields: args.yields,
        subvector: args.subvector,
        form: args.subvector_form,
        lanes: args.lanes,
        threads: args.threads,
        whole: args.whole,
        inputs: inputs(&args.load, &source)?,
        ..Options::default()
    };
    let output = match compile(&source, &name, &options) {
        Ok(output) => output,
        // With the places in the source, as `weft asm` shows them.
        Err(Error::Source(errors)) => return Err(errors.into()),
        Err(error) => bail!("--threads, --lanes: {error}"),
    };
    let lowered = format!("{name}, lowered");
    weft_isa::asm::check(&output.assembly, &lowered)?;
    let report = match args.report {
        None => None,
        Some(ReportFormat::Text) => Some(output.report.to_string()),
        Some(ReportFormat::Json) => Some(output.report.json() + "\n"),
        Some(ReportFormat::Svg) => Some(output.report.svg()),
    };
    match &args.output {
        Some(path) => outputs::write("-o", path, &output.assembly)?,
        None if report.is_none() => print!("{}", output.assembly),
        None => {}
    }
    match (report, &args.report_file) {
        (Some(text), Some(path)) => outputs::write("--report-file", path, text)?,
        (Some(text), None) => print!("{text}"),
        (None, _) => {}
    }
    Ok(())
}

/// What the program will be given, by symbol.
fn inputs(loads: &[Load], source: &str) -> Result<Vec<Input>> {
    let bytes = |load: &Load| {
        let Place::Symbol(symbol) = &load.place else {
            bail!("an address is not known before the program is linked; name a symbol");
        };
        ensure!(
            source.contains(symbol.as_str()),
            "the source does not speak of `{symbol}`"
        );
        let bytes = dump::contents(load)?;
        Ok((symbol.clone(), bytes))
    };
    let named = |load: &Load| {
        bytes(load).with_context(|| format!("--load {}={}", load.place, load.file.display()))
    };
    loads.iter().map(named).collect()
}
