//! `weft cc`, and programs in C for `weft run`.

use crate::cli::{CcArgs, SourceArgs};
use crate::options::{Load, Place};
use crate::{cl, dump, outputs};
use anyhow::{ensure, Context, Result};
use std::io::IsTerminal;
use std::path::PathBuf;
use weft_cc::lower::{Input, Lowering};
use weft_cc::{Built, Options};
use weft_toolbox::Toolbox;

pub fn run(args: &CcArgs) -> Result<()> {
    let output = match &args.output {
        Some(output) => output.clone(),
        None => PathBuf::from(args.files[0].file_name().unwrap_or_default()).with_extension("elf"),
    };
    let files = args.files.iter().map(|file| ("", file.as_path()));
    let data = args.load.iter().map(|load| ("--load", load.file.as_path()));
    let inputs: Vec<_> = files.chain(data).collect();
    outputs::distinct(&[("-o", Some(&output))], &inputs)?;
    for load in &args.load {
        ensure!(
            matches!(load.place, Place::Symbol(_)),
            "--load {}={}: an address is not known before the program is linked; name a symbol",
            load.place,
            load.file.display()
        );
    }
    let folder = output
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    ensure!(
        folder.is_none_or(std::path::Path::is_dir),
        "-o {}: there is no such folder",
        output.display()
    );
    if let Some(file) = args
        .files
        .iter()
        .find(|file| weft_cc::opencl::is_source(file))
    {
        ensure!(
            args.files.len() == 1 && args.load.is_empty(),
            "{}: a file in OpenCL C is a program alone, and takes no --load",
            file.display()
        );
        return cl::write(&args.compile, file, &output);
    }
    let compile = SourceArgs {
        parts: Some((args.threads, args.lanes)),
        ..args.compile.clone()
    };
    let built = build(&args.files, &compile, &args.load)?;
    // Refused here rather than when it is to run, and so is data that it has no room for.
    let mut program =
        weft_isa::elf::load_elf(&built.elf).with_context(|| output.display().to_string())?;
    dump::load_data(&mut program, &args.load)?;
    outputs::write("-o", &output, &built.elf)?;
    println!(
        "{}: {} bytes of code, entry {:#x}, by {}",
        output.display(),
        program.text.1 - program.text.0,
        program.entry,
        built.compiler
    );
    Ok(())
}

/// What the program will be given, by symbol; what has an address only is nothing for a compiler.
fn inputs(loads: &[Load]) -> Result<Vec<Input>> {
    let named = loads.iter().filter_map(|load| match &load.place {
        Place::Symbol(symbol) => Some((symbol, load)),
        _ => None,
    });
    let input = |(symbol, load): (&String, &Load)| {
        let bytes = dump::contents(load)
            .with_context(|| format!("--load {symbol}={}", load.file.display()))?;
        Ok((symbol.clone(), bytes))
    };
    named.map(input).collect()
}

/// `-D`, `-I` and `--cflag`.
fn flags(args: &SourceArgs) -> Vec<String> {
    let defines = args.define.iter().map(|d| format!("-D{d}"));
    let includes = args.include.iter();
    let includes = includes.map(|dir| format!("-I{}", dir.display()));
    let all = defines.chain(includes);
    all.chain(args.cflag.iter().cloned()).collect()
}

/// What the compiler is told beside what it always is, for a report.
pub fn options(args: &SourceArgs) -> Vec<String> {
    let level = args.optimise.as_deref().unwrap_or("2");
    let lower = format!("--lower {}", args.lower);
    let mut options = vec![format!("-O{level}")];
    options.extend(flags(args));
    options.push(lower);
    options
}

/// Makes the program, for what `--load` will give it; the compiler's warnings go to standard error.
pub fn build(files: &[PathBuf], args: &SourceArgs, loads: &[Load]) -> Result<Built> {
    let options = Options {
        compiler: args.compiler.clone(),
        float: args.float,
        optimise: args.optimise.clone(),
        flags: flags(args),
        lowering: Lowering {
            lower: args.lower,
            subvector: args.subvector,
            form: args.subvector_form.unwrap_or_default(),
            parts: args.parts,
            yields: args.loop_yield,
            whole: files.len() == 1,
            inputs: inputs(loads)?,
            mutation: None,
        },
        console: args.console.map(|size| size.0),
        heap: args.heap.map(|size| size.0),
        zones: args.zones,
        assembly: args.save_assembly.clone(),
        verbose: args.verbose,
        colour: std::io::stderr().is_terminal(),
    };
    let built = weft_cc::build(&Toolbox::here(), files, &options, &mut |line| {
        eprintln!("{line}")
    })?;
    eprint!("{}", built.warnings);
    if let Some(path) = &args.lower_report {
        let text: String = built
            .reports
            .iter()
            .map(|report| report.to_string())
            .collect();
        outputs::write("--lower-report", path, text)?;
    }
    Ok(built)
}
