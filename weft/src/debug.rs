//! `weft debug`: GDB on the golden model (`docs/spec/debug.md`).

use crate::cli::{Cli, Command as Subcommand, DebugArgs, RunArgs};
use crate::dump::load_data;
use crate::engines::{launch, machine};
use crate::printed::{self, ended};
use crate::sources::{self, Loaded};
use crate::{cc, outputs, start};
use anyhow::{bail, ensure, Context, Result};
use clap::Parser;
use std::io::Write;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use weft_cc::Float;
use weft_debug::work::Grid;
use weft_debug::{server, End, Session, Work};
use weft_isa::Program;
use weft_testbench::grid;
use weft_testbench::sm::grid::machine as sm_machine;

/// Programs that know RISC-V, in the order in which they are tried.
const DEBUGGERS: [&str; 3] = [
    "gdb-multiarch",
    "riscv64-unknown-elf-gdb",
    "riscv32-unknown-elf-gdb",
];

/// DEBUG-002: calls and variables as they stand in the source, and loops that are still worth looking at.
const LEVEL: &str = "g";

/// True when the program has come to its end and nothing is wrong with it.
pub fn run(args: &DebugArgs) -> Result<bool> {
    let listener = server::listen(args.port).context("--port")?;
    let (elf, loaded) = load(args)?;
    let Loaded { program, lines, .. } = loaded;
    let (work, threads) = work(args, program)?;
    let program = work.program.clone();
    let say = move |line: &str| tell(&printed::with_places(line, &lines));
    let mut session = Session::new(work, Some(args.watchdog), Box::new(say))
        .with_context(|| args.program.display().to_string())?;
    let port = listener.local_addr().context("--port")?.port();
    let end = attend(args, &listener, &mut session, elf.as_deref(), port)?;
    let memory = session.into_memory();
    let printed = printed::read(&program, &memory, threads);
    if let Some(printed) = &printed {
        printed.show()?;
    }
    match end {
        End::Exited(code) => {
            tell(&format!("the program has ended, exit code {code}"));
            ended(code == 0, printed.as_ref())
        }
        End::Killed => {
            tell("killed");
            Ok(true)
        }
        End::Left => Ok(true),
    }
}

/// A line at once: somebody may wait for it at the other end of a pipe.
fn tell(line: &str) {
    println!("weft: {line}");
    let _ = std::io::stdout().flush();
}

/// Serves, with a GDB of its own if it was asked for.
fn attend(
    args: &DebugArgs,
    listener: &TcpListener,
    session: &mut Session,
    elf: Option<&Path>,
    port: u16,
) -> Result<End> {
    let mut commands = vec![
        "set osabi none".into(),
        format!("target remote 127.0.0.1:{port}"),
    ];
    commands.extend(elf.and_then(|elf| listed(elf, args.kernel.as_deref())));
    let options = commands.iter().map(|command| format!("-ex '{command}' "));
    let file = elf.map(|elf| elf.display().to_string());
    let line = format!(
        "gdb-multiarch {}{}",
        options.collect::<String>(),
        file.as_deref().unwrap_or_default()
    );
    let mut child = None;
    if args.gdb {
        // Ctrl-C is for GDB, which is in the same terminal.
        let flag = std::sync::Arc::default();
        signal_hook::flag::register(signal_hook::consts::SIGINT, flag).context("--gdb")?;
        child = Some(start_gdb(&commands, elf)?);
    } else {
        println!("{}", line.trim_end());
        std::io::stdout().flush().context("standard output")?;
    }
    let mut enough = || match &mut child {
        Some(child) => !matches!(child.try_wait(), Ok(None)),
        None => false,
    };
    let end = server::serve(listener, session, &mut |line| tell(line), &mut enough)?;
    if let Some(mut child) = child {
        child.wait().context("--gdb")?;
    }
    Ok(end)
}

/// DEBUG-005: shows the kernel's first line, so that lines without a file are those of its file.
fn listed(elf: &Path, kernel: Option<&str>) -> Option<String> {
    let signature = weft_cc::parameters::of_elf(&weft_isa::files::read(elf).ok()?);
    let mut kernels = signature.kernels.iter().map(|kernel| kernel.name.as_str());
    let kernel = match kernel {
        Some(name) => kernels.find(|other| *other == name)?,
        None => kernels
            .clone()
            .find(|name| *name == "kernel")
            .or_else(|| kernels.next())?,
    };
    let function = match kernel {
        "kernel" => kernel.to_string(),
        name => format!("weft_body_{name}"),
    };
    Some(format!("list {function},{function}"))
}

fn start_gdb(commands: &[String], elf: Option<&Path>) -> Result<Child> {
    for name in DEBUGGERS {
        let mut command = Command::new(name);
        command.arg("-q");
        for line in commands {
            command.args(["-ex", line]);
        }
        match command.args(elf).spawn() {
            Ok(child) => return Ok(child),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => bail!("--gdb: {name}: {error}"),
        }
    }
    bail!(
        "--gdb: neither {} is on PATH; Debian and Ubuntu have gdb-multiarch",
        DEBUGGERS.join(" nor ")
    )
}

/// The program, and the executable with its lines and variables, if it has one.
fn load(args: &DebugArgs) -> Result<(Option<PathBuf>, Loaded)> {
    let mut compile = args.compile.clone();
    compile.optimise.get_or_insert_with(|| LEVEL.into());
    let mut files: Vec<_> = std::iter::once(&args.program)
        .chain(&args.more)
        .cloned()
        .collect();
    let source = files.iter().any(|file| weft_cc::build::is_source(file));
    if source && !files.iter().any(|file| weft_cc::opencl::is_source(file)) {
        let name = Path::new(files[0].file_name().unwrap_or_default());
        let output = args.output.clone();
        let output = output.unwrap_or_else(|| name.with_extension("elf"));
        let inputs: Vec<_> = files.iter().map(|file| ("", file.as_path())).collect();
        outputs::distinct(&[("-o", Some(output.as_path()))], &inputs)?;
        let built = cc::build(&files, &compile, &args.load)?;
        outputs::write("-o", &output, &built.elf)?;
        files = vec![output];
    } else {
        ensure!(args.output.is_none(), "-o: nothing is compiled");
    }
    let loaded = sources::load_all(&files, &compile, &args.load)?;
    let is_elf = weft_isa::files::read(&files[0]).is_ok_and(|bytes| bytes.starts_with(b"\x7fELF"));
    Ok((is_elf.then(|| files[0].clone()), loaded))
}

/// The grid as `weft run` has it, and its threads.
fn work(args: &DebugArgs, mut program: Program) -> Result<(Work, u32)> {
    load_data(&mut program, &args.load)?;
    let kernel = args.kernel.as_deref();
    let run = as_run(args)?;
    if args.cta.is_some() {
        let mut options = launch::options(&run)?;
        options.launch.arguments = launch::argument(&mut program, &args.arguments)?;
        launch::fit_scratchpad(&mut options, &program)?;
        start::enter(&mut program, kernel, start::Constructors::Launch).context("--kernel")?;
        start::set_global_pointer(&mut program)?;
        let threads = options.launch.total();
        let grid = Grid::Launch(sm_machine(&options), options.launch);
        return Ok((Work { program, grid }, threads));
    }
    start::enter(&mut program, kernel, start::Constructors::Launch).context("--kernel")?;
    let machine = weft_sim::Config {
        float: args.compile.float == Float::Hard,
        ..machine::of(&args.machine)?
    };
    let parts = grid::parts(&machine)?;
    for part in &parts {
        part.validate_program(&program)
            .with_context(|| args.program.display().to_string())?;
    }
    let threads = machine.grid_size();
    let grid = Grid::Parts(parts);
    Ok((Work { program, grid }, threads))
}

/// The same launch for `weft run`, so that its rules are the only ones.
fn as_run(args: &DebugArgs) -> Result<RunArgs> {
    let cli = Cli::try_parse_from(["weft", "run", "program"])?;
    let Subcommand::Run(mut run) = cli.command else {
        bail!("no run");
    };
    run.compile = args.compile.clone();
    run.machine = args.machine.clone();
    run.sm.cta = args.cta;
    run.sm.scratchpad = args.scratchpad;
    run.sm.local = args.local;
    run.sm.arguments = args.arguments.clone();
    Ok(*run)
}
