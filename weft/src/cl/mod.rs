//! `weft cl`: kernels in OpenCL C. docs/spec/opencl.md.

mod check;
mod cts;
mod env;
mod kernels;
mod page;
mod run;

use crate::cli::{ClArgs, ClBuildArgs, ClCommand, SourceArgs};
use anyhow::{bail, Context, Result};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use weft_cc::lower::Lowering;
use weft_cc::opencl::{self, Options, Program, Source};
use weft_cc::Float;
use weft_toolbox::Toolbox;

/// True when nothing was found wrong.
pub fn run(args: &ClArgs) -> Result<bool> {
    match &args.command {
        ClCommand::Run(args) => run::run(args),
        ClCommand::Check(args) => check::run(args),
        ClCommand::Env(args) => env::run(args),
        ClCommand::Cts(args) => cts::run(args),
        ClCommand::Kernels(args) => kernels::run(args),
    }
}

/// `-D`, `-I` and `--options`; headers beside the file are found.
pub fn options(args: &ClBuildArgs, float: Float, file: &Path) -> Result<Options> {
    let defines = args.define.iter().map(|d| format!("-D{d}"));
    let beside = file.parent().map(Path::to_path_buf);
    let includes = args.include.iter().cloned().chain(beside);
    // A file in this folder has an empty one.
    let includes = includes.map(|dir| format!("-I{}", Path::new(".").join(dir).display()));
    let options = Options {
        compiler: args.compiler.clone(),
        float,
        flags: defines.chain(includes).collect(),
        lowering: Lowering {
            lower: args.lower,
            ..Lowering::default()
        },
        console: args.console.map(|size| size.0),
        verbose: args.verbose,
        colour: std::io::stderr().is_terminal(),
    };
    let more = args.options.as_deref().unwrap_or_default();
    options
        .parse(more)
        .map_err(|failure| anyhow::anyhow!("--options: {failure}"))
}

/// Compiles a file; what the compiler says goes to standard error.
pub fn build(args: &ClBuildArgs, float: Float, file: &Path) -> Result<Program> {
    let text = weft_isa::files::read(file).with_context(|| file.display().to_string())?;
    let text = String::from_utf8_lossy(&text).into_owned();
    let source = Source::new(file.display().to_string(), text);
    let options = options(args, float, file)?;
    let mut progress = |line: &str| eprintln!("{line}");
    match opencl::build(&Toolbox::here(), &source, &options, &mut progress) {
        Ok(program) => {
            eprint!("{}", program.log);
            Ok(program)
        }
        Err(failure) => {
            // In one line it is said below.
            let said = failure.log.trim() != format!("error: {}", failure.message);
            if said {
                eprint!("{}", failure.log);
            }
            bail!("{}: {failure}", file.display())
        }
    }
}

/// `weft cc k.cl -o k.elf`: of several kernels each goes into `k.NAME.elf`.
pub fn write(args: &SourceArgs, file: &Path, output: &Path) -> Result<()> {
    let build_args = ClBuildArgs {
        compiler: args.compiler.clone(),
        float: Some(args.float),
        define: args.define.clone(),
        include: args.include.clone(),
        options: Some(args.cflag.join(" ")),
        lower: args.lower,
        console: args.console,
        verbose: args.verbose,
    };
    let program = build(&build_args, args.float, file)?;
    if program.kernels.is_empty() {
        bail!("{}: no kernel", file.display());
    }
    for kernel in &program.kernels {
        let path: PathBuf = match program.kernels.len() {
            1 => output.to_path_buf(),
            _ => {
                let extension = output.extension().unwrap_or_default().to_string_lossy();
                output.with_extension(format!("{}.{extension}", kernel.name))
            }
        };
        crate::outputs::write("-o", &path, &kernel.elf)?;
        println!(
            "{}: kernel {}, {} bytes of arguments, {} bytes of local memory",
            path.display(),
            kernel.name,
            kernel.block_size - opencl::ARGUMENTS,
            kernel.local_bytes
        );
        for argument in &kernel.arguments {
            let (name, ty) = (&argument.name, &argument.type_name);
            println!("  {:>4}  {ty} {name}", argument.offset);
        }
    }
    Ok(())
}
