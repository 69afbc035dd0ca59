//! `weft cl check`: which of these files are compiled, lowered and linked.

use crate::cli::ClCheckArgs;
use anyhow::{ensure, Context, Result};
use std::path::{Path, PathBuf};
use weft_cc::opencl::{self, FailureKind, Source};
use weft_cc::Float;
use weft_toolbox::Toolbox;

/// All files in OpenCL C below a folder, or the file itself.
fn files(path: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    if !path.is_dir() {
        found.push(path.to_path_buf());
        return Ok(());
    }
    let entries = std::fs::read_dir(path).with_context(|| path.display().to_string())?;
    let mut paths: Vec<_> = entries
        .map(|entry| entry.map(|e| e.path()))
        .collect::<Result<_, _>>()?;
    paths.sort();
    for path in paths {
        if path.is_dir() || opencl::is_source(&path) {
            files(&path, found)?;
        }
    }
    Ok(())
}

/// True when all are.
pub fn run(args: &ClCheckArgs) -> Result<bool> {
    let mut found = Vec::new();
    for path in &args.paths {
        files(path, &mut found)?;
    }
    ensure!(!found.is_empty(), "no file in OpenCL C (.cl) there");
    let float = args.build.float.unwrap_or(Float::Hard);
    println!(
        "{:<40} {:>7} {:>9} {:>9} {:>7}  what",
        "file", "kernels", "arguments", "code", "local"
    );
    let mut wrong = 0;
    for file in &found {
        let text = weft_isa::files::read(file).with_context(|| file.display().to_string())?;
        let text = String::from_utf8_lossy(&text).into_owned();
        let source = Source::new(file.display().to_string(), text);
        let options = super::options(&args.build, float, file)?;
        let built = opencl::build(&Toolbox::here(), &source, &options, &mut |line| {
            eprintln!("{line}")
        });
        let name = file.display();
        match built {
            Ok(program) => {
                let kernels = &program.kernels;
                let arguments: usize = kernels.iter().map(|k| k.arguments.len()).sum();
                let code = |elf: &[u8]| {
                    weft_isa::elf::load_elf(elf)
                        .map_or(0, |program| program.text.1 - program.text.0)
                };
                let code: u32 = kernels.iter().map(|k| code(&k.elf)).sum();
                let local = kernels.iter().map(|k| k.local_bytes).max().unwrap_or(0);
                let count = kernels.len();
                println!("{name:<40} {count:>7} {arguments:>9} {code:>9} {local:>7}  fine");
            }
            Err(failure) => {
                wrong += 1;
                let what = match failure.kind {
                    FailureKind::Compile => "does not compile",
                    FailureKind::Link => "does not link",
                    FailureKind::Options | FailureKind::Tools => "cannot be tried",
                };
                let why = failure
                    .log
                    .lines()
                    .find(|line| line.contains("error: ") || line.contains("help: "));
                let why = why.unwrap_or(&failure.message);
                println!(
                    "{name:<40} {:>7} {:>9} {:>9} {:>7}  {what}: {why}",
                    "-", "-", "-", "-"
                );
                if args.log {
                    eprint!("{}", failure.log);
                }
            }
        }
    }
    println!(
        "{} of {} are compiled, lowered and linked",
        found.len() - wrong,
        found.len()
    );
    Ok(wrong == 0)
}
