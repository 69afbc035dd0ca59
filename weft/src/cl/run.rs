//! `weft cl run`: a kernel on the golden GPU or in hardware simulation, through the driver.

use crate::cli::{lanes_of_sm, ClRunArgs, DeviceName};
use crate::values::{self, made, Made};
use crate::{device, printed, Told};
use anyhow::{anyhow, bail, ensure, Context, Result};
use std::time::Instant;
use weft_cc::opencl::{Argument, Kernel, Plan, Program, Range, Value};
use weft_cc::Float;
use weft_driver::{Buffer, Device, Error, Golden, Gpu, Settings};
use weft_sim::config::{MAX_WARPS, THREADS};
use weft_sim::host::Size;
use weft_testbench::gpu::{GpuOptions, VerilatedGpu};

/// Bytes behind each buffer that nobody may write.
const GUARD: u32 = 64;
const UNTOUCHED: u8 = 0xa5;
/// KiB.
const MOST_SCRATCHPAD: u32 = 64 << 10;

/// True when nothing was found wrong.
pub fn run(args: &ClRunArgs) -> Result<bool> {
    crate::heed_signals();
    let float = args.build.float.unwrap_or(Float::Hard);
    let program = super::build(&args.build, float, &args.file)?;
    let kernel = chosen(&program, args)?;
    let wanted = kernel.arguments.len();
    if args.arg.len() != wanted {
        let types = kernel.arguments.iter();
        let types: Vec<_> = types
            .map(|a| format!("{} {}", a.type_name, a.name))
            .collect();
        bail!(
            "{} of --arg, and {} has {wanted} arguments: {}",
            args.arg.len(),
            kernel.name,
            types.join(", ")
        );
    }
    let given = args.arg.iter().zip(&kernel.arguments);
    let given = given.map(|(given, argument)| {
        made(given, argument).map_err(|why| {
            anyhow!(
                "--arg for `{}`, {}: {why}",
                argument.name,
                argument.type_name
            )
        })
    });
    let given: Vec<Made> = given.collect::<Result<_>>()?;
    let local = args.local.as_ref().map(|sizes| &sizes.0[..]);
    let local = local.or(kernel
        .required_size
        .as_ref()
        .map(|size| &size[..args.global.0.len()]));
    let range =
        Range::of(&args.global.0, local).map_err(|why| anyhow!("--global, --local: {why}"))?;
    let offset = args.offset.as_ref().map_or([0; 3], |sizes| sizes.padded(0));
    let range = range.with_offset(offset);
    range.check().map_err(|why| anyhow!("--offset: {why}"))?;
    let dumps = args.dump.iter().map(|dump| dumped(dump, kernel, &given));
    let dumps: Vec<Dump> = dumps.collect::<Result<_>>()?;
    let size = size(args, float)?;
    // Judged before there is a device: a model may take minutes to be made.
    let plan = kernel.plan(&range, &values_of(&given));
    let plan = plan.map_err(|why| anyhow!("{why}"))?;
    let wanted = plan.scratchpad;
    ensure!(
        wanted <= size.scratchpad,
        "--scratchpad: {} wants {wanted} bytes of local memory, and an SM has {}",
        kernel.name,
        size.scratchpad
    );
    let room = (size.warps * size.threads) as u64;
    ensure!(
        range.group_size() <= room,
        "--local: a work-group of {} work-items, and an SM has room for {room}: more --warps or --threads",
        range.group_size()
    );
    match args.device {
        DeviceName::Golden => {
            let golden = Golden::new(size, args.memory.0);
            on(args, kernel, (&range, plan), (given, dumps), golden)
        }
        DeviceName::Verilated => {
            let open = GpuOptions {
                memory: args.memory.0,
                ..GpuOptions::default()
            };
            on(
                args,
                kernel,
                (&range, plan),
                (given, dumps),
                VerilatedGpu::open_copy(size, &open, None)?,
            )
        }
    }
}

/// Of `--warps` and its like, as `weft run` takes them.
fn size(args: &ClRunArgs, float: Float) -> Result<Size> {
    let (warps, threads) = (args.warps, args.threads);
    ensure!(
        (1..=MAX_WARPS).contains(&warps),
        "--warps {warps}: an SM has 1 to {MAX_WARPS}"
    );
    ensure!(
        THREADS.contains(&threads),
        "--threads {threads}: a warp has 4, 8, 16, 32 or 64"
    );
    let lanes = lanes_of_sm(args.lanes, threads);
    ensure!(
        lanes > 0 && threads % lanes == 0,
        "--lanes {lanes}: a divisor of --threads {threads}"
    );
    ensure!(
        args.scratchpad <= MOST_SCRATCHPAD,
        "--scratchpad {}: {MOST_SCRATCHPAD} KiB at most",
        args.scratchpad
    );
    let size = Size {
        sms: args.sms,
        warps,
        threads,
        lanes,
        scratchpad: args.scratchpad << 10,
        ..Size::default()
    };
    Ok(match float {
        Float::Hard => size.with_float(),
        Float::Soft => size,
    })
}

/// Buffers have no place yet.
fn values_of(given: &[Made]) -> Vec<Value<'_>> {
    let value = |given| match given {
        &Made::Local(bytes) => Value::Local(bytes),
        Made::Bytes(bytes) => Value::Bytes(bytes),
        Made::Buffer(_) | Made::Null => Value::Address(0),
    };
    given.iter().map(value).collect()
}

fn chosen<'a>(program: &'a Program, args: &ClRunArgs) -> Result<&'a Kernel> {
    let names: Vec<_> = program.kernels.iter().map(|k| k.name.as_str()).collect();
    let file = args.file.display();
    match (&args.kernel, &program.kernels[..]) {
        (_, []) => bail!("{file}: no kernel"),
        (Some(name), _) => program
            .kernel(name)
            .with_context(|| format!("--kernel {name}: {file} has {}", names.join(", "))),
        (None, [kernel]) => Ok(kernel),
        (None, _) => bail!("--kernel is missing: {file} has {}", names.join(", ")),
    }
}

fn on<D: Device>(
    args: &ClRunArgs,
    kernel: &Kernel,
    (range, mut plan): (&Range, Plan),
    (given, dumps): (Vec<Made>, Vec<Dump>),
    gpu: D,
) -> Result<bool> {
    let settings = Settings {
        limit: Some(args.limit),
        local: kernel.private_bytes.max(1024),
        ..Settings::default()
    };
    let size = gpu.size();
    let mut gpu = Gpu::open_with(gpu, settings).context("--memory")?;
    gpu.interrupt_by(weft_testbench::stop::requested);
    let module = gpu.load_elf(&kernel.elf)?;
    let mut buffers: Vec<Option<Buffer>> = Vec::new();
    for bytes in &given {
        buffers.push(match bytes {
            Made::Buffer(bytes) => {
                let buffer = gpu
                    .allocate(bytes.len() as u32 + GUARD)
                    .context("--memory")?;
                gpu.copy_in(buffer, 0, bytes)?;
                gpu.copy_in(buffer, bytes.len() as u32, &[UNTOUCHED; GUARD as usize])?;
                Some(buffer)
            }
            _ => None,
        });
    }
    for (argument, buffer) in buffers.iter().enumerate() {
        if let Some(buffer) = buffer {
            plan.place(argument, buffer.address());
        }
    }
    let launches = plan.launches();
    let stream = gpu.stream()?;
    let start = Instant::now();
    let printer = gpu.printer(module)?;
    let (ran, output) = match gpu.run_opencl(stream, module, printer.as_ref(), &launches) {
        Ok(ended) => (ended.done, ended.printed),
        Err(error) => (Err(error), None),
    };
    let seconds = start.elapsed().as_secs_f64();
    let mut findings: Vec<String> = ran
        .as_ref()
        .err()
        .map(Error::to_string)
        .into_iter()
        .collect();
    let interrupted = matches!(ran, Err(Error::Interrupted));
    let mut contents = Vec::new();
    for ((argument, given), buffer) in kernel.arguments.iter().zip(&given).zip(&buffers) {
        let (Made::Buffer(first), Some(buffer)) = (given, buffer) else {
            contents.push(None);
            continue;
        };
        let mut bytes = vec![0; first.len() + GUARD as usize];
        gpu.copy_out(*buffer, 0, &mut bytes)?;
        let guard = bytes.split_off(first.len());
        if let Some(at) = guard.iter().position(|byte| *byte != UNTOUCHED) {
            findings.push(format!(
                "`{}`: byte {} was written, and the buffer has {}",
                argument.name,
                first.len() + at,
                first.len()
            ));
        }
        contents.push(Some(bytes));
    }
    let printed = output.map(printed::of);
    if let Some(printed) = &printed {
        printed.show()?;
        findings.extend(printed.damage());
    }
    let [groups, local] = [range.groups(), range.local].map(|[x, y, z]| format!("{x}x{y}x{z}"));
    println!(
        "{}, kernel {} on {}: {}; {} x {} warps x {} threads, {groups} groups of {local}, {seconds:.3} s",
        args.file.display(),
        kernel.name,
        match args.device {
            DeviceName::Golden => "the golden GPU",
            DeviceName::Verilated => "weft_gpu",
        },
        if findings.is_empty() { "done" } else { "wrong" },
        size.sms,
        size.warps,
        size.threads,
    );
    for line in device::lines(&gpu.counters()) {
        println!("  {line}");
    }
    for dump in &dumps {
        show(dump, kernel, &contents);
    }
    findings.iter().for_each(|finding| eprintln!("{finding}"));
    if interrupted {
        bail!(Told);
    }
    Ok(findings.is_empty())
}

/// `--dump NAME[:ELEMENTS]`: number of the argument, and how many.
struct Dump {
    at: usize,
    count: Option<usize>,
}

/// Before the run: what is to be shown is there.
fn dumped(dump: &str, kernel: &Kernel, given: &[Made]) -> Result<Dump> {
    let (name, count) = match dump.split_once(':') {
        Some((name, count)) => {
            let count = count.parse::<usize>();
            (
                name,
                Some(count.with_context(|| format!("--dump {dump}: write NAME[:ELEMENTS]"))?),
            )
        }
        None => (dump, None),
    };
    let mut arguments = kernel.arguments.iter();
    let at = arguments.position(|argument| argument.name == name);
    let at = at
        .or_else(|| name.parse().ok())
        .filter(|at| *at < given.len());
    let at = at.with_context(|| format!("--dump {name}: {} has no such argument", kernel.name))?;
    ensure!(
        matches!(given[at], Made::Buffer(_)),
        "--dump {name}: no buffer"
    );
    Ok(Dump { at, count })
}

/// By the type of the argument.
fn show(dump: &Dump, kernel: &Kernel, contents: &[Option<Vec<u8>>]) {
    let argument: &Argument = &kernel.arguments[dump.at];
    let bytes = contents[dump.at].as_deref().unwrap_or_default();
    let (scalar, _) = values::scalar(argument);
    let elements: Vec<_> = bytes.chunks_exact(scalar.size()).collect();
    let count = dump.count.unwrap_or(elements.len()).min(elements.len());
    println!("{} {}:", argument.type_name, argument.name);
    for (line, elements) in elements[..count].chunks(8).enumerate() {
        let shown: Vec<_> = elements
            .iter()
            .map(|e| format!("{:>10}", scalar.shown(e)))
            .collect();
        println!("  [{:>4}] {}", 8 * line, shown.join(" "));
    }
}
