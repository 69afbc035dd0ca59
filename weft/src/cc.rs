//! `weft cc`, and programs in C for `weft run`.

use crate::cli::{CcArgs, SourceArgs};
use crate::outputs;
use anyhow::{Context, Result};
use std::io::IsTerminal;
use std::path::PathBuf;
use weft_cc::lower::Lowering;
use weft_cc::{Built, Options};
use weft_toolbox::Toolbox;

pub fn run(args: &CcArgs) -> Result<()> {
    let output = match &args.output {
        Some(output) => output.clone(),
        None => PathBuf::from(args.files[0].file_name().unwrap_or_default()).with_extension("elf"),
    };
    let inputs: Vec<_> = args.files.iter().map(|f| ("", f.as_path())).collect();
    outputs::distinct(&[("-o", Some(&output))], &inputs)?;
    let built = build(&args.files, &args.compile)?;
    // Refused here rather than when it is to run.
    let program =
        weft_isa::elf::load_elf(&built.elf).with_context(|| output.display().to_string())?;
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

/// Makes the program; the compiler's warnings go to standard error.
pub fn build(files: &[PathBuf], args: &SourceArgs) -> Result<Built> {
    let defines = args.define.iter().map(|d| format!("-D{d}"));
    let includes = args
        .include
        .iter()
        .map(|dir| format!("-I{}", dir.display()));
    let options = Options {
        compiler: args.compiler.clone(),
        optimise: args.optimise.clone(),
        flags: defines
            .chain(includes)
            .chain(args.cflag.iter().cloned())
            .collect(),
        lowering: Lowering {
            lower: args.lower,
            subvector: args.subvector,
            yields: args.loop_yield,
        },
        console: args.console.map(|size| size.0),
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
