//! The command line: what can be asked for. What is done about it stands in the module of each command.

use crate::options::{
    memory_size, Argument, Dump, Extent, ForcedYield, LatencyOption, Load, Save, Shard, Size,
    Sizes, Window, YieldEvery,
};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use weft_cc::Float;
use weft_generate::Unit;
use weft_testbench::core::Pick;
use weft_testbench::sm::Shape;

/// Warp-control core: run programs on model and hardware, compare them, generate and synthesize the hardware.
#[derive(Parser)]
#[command(name = "cargo weft", bin_name = "cargo weft", version, after_help = EXIT_CODES, max_term_width = 80)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  fine
  1  a finding: a mismatch, a suspected livelock, a fault of the program, a figure out of bounds
  2  the request cannot be carried out: wrong option, unreadable file, full
     disk, missing tool, an instruction that the engine has not; or the run was
     interrupted, and what is shown is what was done until then

Start with:
  cargo weft demo";

#[derive(Subcommand)]
pub enum Command {
    /// Run a program on an engine, or on hardware and model at once
    Run(Box<RunArgs>),
    /// Debug a program with GDB: breakpoints, steps and variables of single threads, on the golden model
    Debug(Box<DebugArgs>),
    /// Make a program of C, C++ and assembly, by a stock compiler
    Cc(CcArgs),
    /// Compile, check and run kernels in OpenCL C
    Cl(ClArgs),
    /// Run the kernels in kernels/ on hardware, model and oracle, and compare
    Demo(DemoArgs),
    /// Run random programs on hardware and model and compare every operation
    Cosim(CosimArgs),
    /// Add warp control to the assembly that GCC or Clang made for one thread
    Compile(LowerArgs),
    /// Compare a trace of your own test bench with the golden model
    Judge(JudgeArgs),
    /// Assemble a program and print or write its image
    Asm(AsmArgs),
    /// Print the instructions of a program or image
    Disasm(DisasmArgs),
    /// Write the hardware as Verilog
    Verilog(VerilogArgs),
    /// Measure size and clock frequency of the hardware with Yosys and nextpnr
    Synth(SynthArgs),
    /// Measure issue rates, latencies, speeds, size and Fmax, and compare them with the baseline
    Bench(BenchArgs),
    /// Look for the external tools and say how to get what is missing
    Doctor(DoctorArgs),
    /// Print a script by which a shell completes commands and options
    Completions(CompletionsArgs),
    /// Write manual pages, one for each command
    Man(ManArgs),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EngineName {
    /// The golden model; untimed
    Golden,
    /// Every thread alone, without warps
    Oracle,
    /// The generated Verilog under Verilator
    Rtl,
    /// The hardware in Rust-HDL's own simulation
    RustHdl,
    /// The hardware, compared with the golden model at every operation
    Lockstep,
    /// The whole SM: kernels in hardware alone, beside it the golden model
    Sm,
    /// A GPU of several SMs, golden or hardware (--device): launched through driver, channel and task management
    Gpu,
}

/// `--watchdog` and `--tokens`, if nobody says otherwise.
pub const WATCHDOG: u64 = 1_000_000;
pub const TOKENS: usize = 256;

/// What stands behind the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DeviceName {
    /// The golden model
    Golden,
    /// The hardware under Verilator
    Verilated,
}

/// A GPU, and what is launched on it.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "GPU")]
pub struct GpuArgs {
    /// SMs, 1 to 8
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = sms)]
    pub sms: usize,
    /// L2 of all SMs in KiB: a power of two up to 256, or 0 for none
    #[arg(long, default_value_t = 0, value_name = "KIB")]
    pub l2: u32,
    /// Ways of the L2: 1, 2, 4 or 8
    #[arg(long, default_value_t = 4, value_name = "N")]
    pub l2_ways: u32,
    /// The golden GPU, or the hardware `weft_gpu` under Verilator (--memory-latency is of its memory)
    #[arg(long, default_value = "golden", value_name = "DEVICE")]
    pub device: DeviceName,
    /// The kernel that is launched, by its name [default: where the program begins]
    #[arg(long, value_name = "SYMBOL")]
    pub kernel: Option<String>,
    /// A work queue of so many entries, and as many task descriptors, for threads that launch kernels;
    /// a2 is the address of its `struct weft_queue` (weft_queue.h). Each thread of the launch is a piece of work
    #[arg(long, value_name = "ENTRIES")]
    pub work_queue: Option<u32>,
}

/// Lanes of an SM whose warps have so many threads: those that are given, or 8 at most.
pub fn lanes_of_sm(given: Option<usize>, threads: usize) -> usize {
    given.unwrap_or(threads.min(8))
}

fn sms(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|n| (1..=8).contains(n));
    number.ok_or_else(|| "1 to 8".into())
}

/// The SM and its launch.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Grids of CTAs, and the SM")]
pub struct SmArgs {
    /// Threads of a CTA along x, y and z, such as 64 or 8x8: a grid of CTAs with local memory and scratchpad
    /// [default on sm and gpu: all threads, one CTA]
    #[arg(long, value_name = "X[xY[xZ]]")]
    pub cta: Option<Extent>,
    /// Scratchpad of a CTA
    #[arg(long, default_value_t = Size(4096), value_name = "BYTES")]
    pub scratchpad: Size,
    /// Local memory of a thread, a multiple of 16; its stack is there
    #[arg(long, default_value_t = Size(1024), value_name = "BYTES")]
    pub local: Size,
    /// a2 of every thread: a number, also in hexadecimal (0x2000), or the address of a symbol
    #[arg(long, default_value_t = Argument::Word(0), value_name = "WORD", allow_negative_numbers = true)]
    pub arguments: Argument,
    /// Data cache of the SM in KiB: a power of two up to 64, or 0 for none
    #[arg(long, default_value_t = 4, value_name = "KIB")]
    pub cache: u32,
    /// Ways of the data cache: 1, 2 or 4
    #[arg(long, default_value_t = 2, value_name = "N")]
    pub cache_ways: u32,
    /// Line cache of the SM, for instructions, in KiB: a power of two up to 64
    #[arg(long, default_value_t = 4, value_name = "KIB")]
    pub icache: u32,
    /// Warps for which the SM has rows of registers, if none is shared: a power of two up to --warps [default: all]
    #[arg(
        long,
        default_value_t = 0,
        hide_default_value = true,
        value_name = "WARPS"
    )]
    pub registers: u32,
    /// With --float hard: lanes with float, all, half or a quarter of them [default: half]
    #[arg(long, value_name = "LANES")]
    pub float_lanes: Option<u32>,
    /// Cycles of the memory behind the SM: N, or random:N for 1 to N, in any order
    #[arg(long, default_value_t = LatencyOption::Fixed(20), value_name = "CYCLES")]
    pub memory_latency: LatencyOption,
    /// The SM without the golden model: faster, and nothing is compared
    #[arg(long)]
    pub bare: bool,
}

#[derive(Args)]
pub struct JudgeArgs {
    /// What happened at the ports of weft_control, as JSON lines (docs/judge.md), or - for standard input
    pub trace: PathBuf,
}

/// Which simulation of the hardware.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Dut {
    /// The generated Verilog under Verilator
    Verilated,
    /// Rust-HDL's own simulation; slower, needs nothing
    RustHdl,
}

/// Which group runs first when a warp diverges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FirstGroup {
    /// The smaller one; on a tie the one that takes the branch
    Smaller,
    /// The one that takes the branch
    Taken,
    /// The one that falls through
    FallThrough,
}

/// Which hardware runs a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RunUnit {
    /// weft_control: the convergence unit, one instruction per warp at a time; no barriers
    Control,
    /// weft_core: CTAs, schedulers, barriers
    Core,
}

impl RunUnit {
    pub fn name(self) -> &'static str {
        match self {
            RunUnit::Control => "control",
            RunUnit::Core => "core",
        }
    }
}

/// Which of several warps goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PolicyName {
    /// The one that has waited longest
    Age,
    LooseRoundRobin,
    GreedyThenOldest,
}

impl PolicyName {
    pub fn pick(self) -> Pick {
        match self {
            PolicyName::Age => Pick::Age,
            PolicyName::LooseRoundRobin => Pick::LooseRoundRobin,
            PolicyName::GreedyThenOldest => Pick::GreedyThenOldest,
        }
    }
}

/// What only a whole core has.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "weft_control and weft_core")]
pub struct CoreArgs {
    /// Which hardware [default: core for programs with barriers, else control]
    #[arg(long, value_enum, value_name = "UNIT")]
    pub unit: Option<RunUnit>,
    /// Which warp is issued [default: age]
    #[arg(long, value_enum, value_name = "POLICY")]
    pub policy: Option<PolicyName>,
    /// Up to two instructions of one warp per cycle
    #[arg(long)]
    pub dual: bool,
    /// Partitions, 1, 2 or 4, a scheduler for each [default: one for each 16 warps]
    #[arg(long, value_name = "N", value_parser = partitions)]
    pub partitions: Option<usize>,
    /// Level of the CTAs, 0 to 15; on a GPU which launch goes first [default: 0]
    #[arg(long, value_name = "L", value_parser = clap::value_parser!(u8).range(0..=15))]
    pub level: Option<u8>,
    /// What makes the level of a warp, cfg_level_mix of docs/spec/cta.md, 0 to 3 [default: 0]
    #[arg(long, value_name = "MIX", value_parser = clap::value_parser!(u8).range(0..=3))]
    pub level_mix: Option<u8>,
}

/// How `subv.auto` decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ModeName {
    /// By the miss rate
    Measured,
    /// Always regular mode
    Regular,
    /// Always sub-vector mode
    SubVector,
}

/// Shape and policy of the machine.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Machine")]
pub struct MachineArgs {
    /// Warps
    #[arg(long, default_value_t = 8, value_name = "N")]
    pub warps: usize,
    /// Threads per warp: 4, 8, 16, 32 or 64
    #[arg(long, default_value_t = 8, value_name = "N")]
    pub threads: usize,
    /// Tokens that a warp has room for: more than threads, up to 1023
    #[arg(long, default_value_t = TOKENS, value_name = "N")]
    pub tokens: usize,
    /// Threads to launch; more than fit run CTA by CTA [default: warps × threads];
    /// with --cta, CTAs along x, y and z: 4x2
    #[arg(long, value_name = "N")]
    pub grid: Option<Extent>,
    /// When YIELD instructions take effect: off, always, every:N
    #[arg(long = "yield", default_value_t = YieldEvery(1), value_name = "WHEN")]
    pub yield_every: YieldEvery,
    /// YIELD instructions take effect by chance: THRESHOLD of 65536
    #[arg(long, value_name = "THRESHOLD", conflicts_with = "yield_every")]
    pub yield_random: Option<u16>,
    /// Seed of --yield-random
    #[arg(long, default_value_t = 1, value_name = "S", requires = "yield_random")]
    pub yield_seed: u16,
    /// Backward jumps after which a warp must yield, or off
    #[arg(long, default_value_t = ForcedYield(1024), value_name = "N")]
    pub forced_yield: ForcedYield,
    /// Which group runs first when a warp diverges
    #[arg(long, value_enum, default_value_t = FirstGroup::Smaller, value_name = "GROUP")]
    pub path: FirstGroup,
    /// Plain calls and returns converge, by the return-address-stack convention of RISC-V
    #[arg(long)]
    pub call_tokens: bool,
    /// Warps of a CTA, whose threads share barriers [default: all]
    #[arg(long, value_name = "N")]
    pub cta_warps: Option<usize>,
    /// Lanes that a warp runs on, a divisor of --threads [default: --threads; of an SM 8 at most]
    #[arg(long, value_name = "N")]
    pub lanes: Option<usize>,
    /// Which mode subv.auto selects
    #[arg(long, value_enum, default_value_t = ModeName::Measured, value_name = "MODE")]
    pub mode: ModeName,
    /// In sub-vector mode the parts of a warp have one copy of the registers from xF on; 32: each its own
    #[arg(long, default_value_t = 32, value_name = "F")]
    pub shared_from: u8,
    /// End of memory
    #[arg(long, default_value_t = Size(16 << 20), value_name = "BYTES", value_parser = memory_size)]
    pub memory: Size,
    /// Stack per thread; who needs more stops with a fault
    #[arg(long, default_value_t = Size(4096), value_name = "BYTES")]
    pub stack: Size,
}

/// How sources in C and C++ become a program.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Programs in C and C++")]
pub struct SourceArgs {
    /// With zones between variables, for `--check`.
    #[arg(skip)]
    pub zones: bool,
    /// Threads of a warp and its lanes, for the forms of code.
    #[arg(skip)]
    pub parts: Option<(u32, u32)>,
    /// For C: gcc, clang, zig, or a path [default: the first that is there]
    #[arg(long, value_name = "COMPILER")]
    pub compiler: Option<String>,
    /// Who computes float: soft (the compiler's library) or hard (the machine, by Zfinx words)
    #[arg(long, default_value = "soft", value_name = "HOW")]
    pub float: Float,
    /// For C: 0, 1, 2, 3, s, z or g [default: 2]
    #[arg(short = 'O', value_name = "LEVEL")]
    pub optimise: Option<String>,
    /// For C: define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// For C: look for header files there
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// For C: an option for the compiler as it is, such as --cflag=-Wall
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    pub cflag: Vec<String>,
    /// For C: how branches that part threads are lowered: auto, tokens, masks, predicate or none
    #[arg(long, default_value = "auto", value_name = "HOW")]
    pub lower: weft_compiler::Lower,
    /// For C: sub-vector loops: off, auto, or the number of registers that a segment has to use
    #[arg(long, default_value = "off", value_name = "OFF|AUTO|N")]
    pub subvector: weft_compiler::SubVector,
    /// For C: their form: mode (subv.start), measured (subv.auto), or without these instructions copies or loop
    /// [default: measured; mode if registers are shared]
    #[arg(long, value_name = "FORM")]
    pub subvector_form: Option<weft_compiler::Form>,
    /// For C: YIELD in loops that wait for other threads: auto or off
    #[arg(long, default_value = "auto", value_name = "WHEN")]
    pub loop_yield: weft_compiler::Yields,
    /// For C: bytes of the buffer for printf, of all threads together [default: 1M]
    #[arg(long, value_name = "BYTES")]
    pub console: Option<Size>,
    /// For C: bytes of the heap for malloc, of all threads together [default: 1M]
    #[arg(long, value_name = "BYTES")]
    pub heap: Option<Size>,
    /// For C: keep the assembly of each source in this directory
    #[arg(long, value_name = "DIR")]
    pub save_assembly: Option<PathBuf>,
    /// For C: write what the lowering found and did, as text
    #[arg(long, value_name = "FILE")]
    pub lower_report: Option<PathBuf>,
    /// Print the commands that are run
    #[arg(long)]
    pub verbose: bool,
}

#[derive(Args)]
pub struct ClArgs {
    #[command(subcommand)]
    pub command: ClCommand,
}

#[derive(Subcommand)]
pub enum ClCommand {
    /// Run a kernel on the golden GPU, or in hardware simulation
    Run(Box<ClRunArgs>),
    /// Compile, lower and link every .cl of a folder, and say which are fine
    Check(ClCheckArgs),
    /// Print the line by which programs that use OpenCL find Weft: eval "$(cargo weft cl env)"
    Env(ClEnvArgs),
    /// Run the kernels of kernels/opencl on both devices, each result compared with numpy, and show what they take
    Kernels(ClKernelsArgs),
    /// Run the programs of an OpenCL-CTS that you have built, test by test, and count what passes
    Cts(ClCtsArgs),
}

#[derive(Args)]
pub struct ClEnvArgs {
    /// Take the library as it stands beside this program, without building it
    #[arg(long)]
    pub as_it_is: bool,
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo weft cl kernels --device golden
  cargo weft cl kernels --only sgemm --only lbm
  cargo weft cl kernels --book docs/opencl.md

It wants Python with numpy: that of .tools, which is installed when it is missing, or the one on PATH.")]
pub struct ClKernelsArgs {
    /// golden alone [default: both]
    #[arg(long, value_name = "DEVICE")]
    pub device: Option<OnlyGolden>,
    /// This kernel; may be said again
    #[arg(long, value_name = "KERNEL")]
    pub only: Vec<String>,
    /// Elements on golden, about
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub golden_size: u32,
    /// Elements on verilated, about
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub verilated_size: u32,
    /// Write the table into this page
    #[arg(long, value_name = "PAGE", conflicts_with_all = ["only", "device"])]
    pub book: Option<PathBuf>,
    /// Take the library as it stands beside this program, without building it
    #[arg(long)]
    pub as_it_is: bool,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum OnlyGolden {
    Golden,
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo weft cl cts ../build/test_conformance
  cargo weft cl cts ../build/test_conformance --only test_basic --seconds 600
  cargo weft cl cts ../build/test_conformance --jobs 2 --logs logs --suite b8f8906 --book docs/opencl.md

DIR is a build of OpenCL-CTS; its programs are found below it by their names. Each of their tests is started by itself.
WEFT_DEVICE, WEFT_SIZE and WEFT_LIMIT say on which device (docs/opencl.md).")]
pub struct ClCtsArgs {
    /// The folder of the built programs
    pub dir: PathBuf,
    /// This program (test_basic), or this test of one (test_basic:if); may be said again
    #[arg(long, value_name = "PROGRAM[:TEST]")]
    pub only: Vec<String>,
    /// Seconds after which a test is ended and has failed
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..))]
    pub seconds: u64,
    /// Tests at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=64))]
    pub jobs: u64,
    /// Keep what each test has printed in this folder
    #[arg(long, value_name = "FOLDER")]
    pub logs: Option<PathBuf>,
    /// Which version of the suite this is, for the page
    #[arg(long, value_name = "TEXT")]
    pub suite: Option<String>,
    /// Write the table into this page
    #[arg(long, value_name = "PAGE", requires = "suite")]
    pub book: Option<PathBuf>,
    /// Take the library as it stands beside this program, without building it
    #[arg(long)]
    pub as_it_is: bool,
}

/// How a source in OpenCL C is compiled.
#[derive(Args)]
pub struct ClBuildArgs {
    /// zig, clang (19 or newer), or a path [default: zig]
    #[arg(long, value_name = "COMPILER")]
    pub compiler: Option<String>,
    /// Who computes float: soft (a library) or hard (the machine) [default: hard]
    #[arg(long, value_name = "HOW")]
    pub float: Option<Float>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// Look for header files there
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// Build options as a host gives them to clBuildProgram, such as '-cl-fast-relaxed-math -DN=3'
    #[arg(long, value_name = "LINE", allow_hyphen_values = true)]
    pub options: Option<String>,
    /// How branches that part threads are lowered: auto, tokens, masks, predicate or none
    #[arg(long, default_value = "auto", value_name = "HOW")]
    pub lower: weft_compiler::Lower,
    /// Bytes of the buffer for printf, of all threads together [default: 1M]
    #[arg(long, value_name = "BYTES")]
    pub console: Option<Size>,
    /// Print the commands that are run
    #[arg(long)]
    pub verbose: bool,
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo weft cl run kernels/opencl/basic.cl --kernel saxpy --global 61 \\
      --arg iota:61 --arg fill:1:61 --arg 2.5 --arg 61 --dump y:8
  cargo weft cl run k.cl --global 16,16 --local 8,8 --arg random:256 --arg zeros:256 --arg local:256
  cargo weft cl run k.cl --global 64 --arg iota:64 --device verilated --warps 4 --threads 4

A value of --arg is a number or several (3, -1.5, 1,2,3,4). A buffer is zeros:N, iota:N, fill:VALUE:N,
random:N[:SEED] or numbers, of the type of the argument, or @FILE. Local memory is local:BYTES.
docs/spec/opencl.md has the rest.")]
pub struct ClRunArgs {
    /// A source in OpenCL C
    pub file: PathBuf,
    /// The kernel [default: the only one]
    #[arg(long, value_name = "NAME")]
    pub kernel: Option<String>,
    /// Work-items along x, y and z
    #[arg(long, value_name = "X[,Y[,Z]]")]
    pub global: Sizes,
    /// Work-items of a group [default: a divisor, up to 64 together]
    #[arg(long, value_name = "X[,Y[,Z]]")]
    pub local: Option<Sizes>,
    /// What the first global id is
    #[arg(long, value_name = "X[,Y[,Z]]")]
    pub offset: Option<Sizes>,
    /// The next argument's value
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    pub arg: Vec<crate::values::Given>,
    /// Show a buffer behind the run, by the name or number of its argument
    #[arg(long, value_name = "NAME[:ELEMENTS]")]
    pub dump: Vec<String>,
    #[command(flatten)]
    pub build: ClBuildArgs,
    /// The golden GPU, or the hardware `weft_gpu` under Verilator
    #[arg(
        long,
        alias = "engine",
        default_value = "golden",
        value_name = "DEVICE"
    )]
    pub device: DeviceName,
    /// SMs, 1 to 8
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = sms)]
    pub sms: usize,
    /// Warps of an SM
    #[arg(long, default_value_t = 16, value_name = "N")]
    pub warps: usize,
    /// Threads per warp: 4, 8, 16, 32 or 64
    #[arg(long, default_value_t = 16, value_name = "N")]
    pub threads: usize,
    /// Lanes of an SM [default: 8, or the threads of a warp]
    #[arg(long, value_name = "N")]
    pub lanes: Option<usize>,
    /// KiB of scratchpad of an SM
    #[arg(long, default_value_t = 16, value_name = "KIB")]
    pub scratchpad: u32,
    /// Bytes of memory, a multiple of 64
    #[arg(long, default_value = "64M", value_name = "BYTES", value_parser = memory_size)]
    pub memory: Size,
    /// Most warp instructions
    #[arg(long, default_value_t = 1_000_000_000, value_name = "N")]
    pub limit: u64,
}

#[derive(Args)]
pub struct ClCheckArgs {
    /// Folders and files
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// All that the compiler says of files that fail
    #[arg(long)]
    pub log: bool,
    #[command(flatten)]
    pub build: ClBuildArgs,
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo weft cc examples/saxpy.c -o saxpy.elf && cargo weft run saxpy.elf --dump y:8:signed
  cargo weft cc a.c b.cpp c.s -O3 -DN=64 -o k.elf
  cargo weft cc a.c --compiler clang --save-assembly out -o k.elf
  cargo weft cc kernels/bfs.c --load rows=kernels/data/karate_rows.txt \\
      --load columns=kernels/data/karate_columns.txt -o bfs.elf

The entry is `void kernel(unsigned thread, unsigned threads)` (in C++ extern \"C\"). There are printf, assert, memcpy and the like,
soft float and 64-bit division, and weft.h for warp control. docs/spec/toolchain.md has the rest.")]
pub struct CcArgs {
    /// C (.c), C++ (.cc, .cpp, .cxx), assembly of GNU as (.s, .S), object files (.o, .a)
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The program, an ELF executable [default: the first file, with .elf]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub compile: SourceArgs,
    /// For --lower auto: what the program will be given, as for `weft run`; a choice for this input.
    /// All other data is then taken to be what the source says
    #[arg(
        long,
        value_name = "SYMBOL=FILE",
        help_heading = "Programs in C and C++"
    )]
    pub load: Vec<Load>,
    /// Lanes that the warps will run on, for the forms copies and loop
    #[arg(long, default_value_t = 8, value_name = "L")]
    pub lanes: u32,
    /// Threads of a warp, for the forms copies and loop
    #[arg(long, default_value_t = 32, value_name = "W")]
    pub threads: u32,
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo weft run examples/saxpy.c
  cargo weft run kernels/nested.asm --engine lockstep --oracle --dump result:16
  cargo weft run kernels/spin_lock.asm --yield off --forced-yield off --watchdog 100000
  cargo weft run kernels/bar_blocks.s --engine lockstep --grid 200 --cta-warps 2 --wave blocks.fst
  cargo weft run kernels/vecadd.s --engine sm --grid 4 --cta 16 --memory-latency random:100 --trace vecadd.json
  cargo weft run examples/children.c --engine gpu --work-queue 32 --cta 8 --sms 2 --dump squares:8
  cargo weft run kernels/bfs.s --load rows=kernels/data/karate_rows.txt \\
      --load columns=kernels/data/karate_columns.txt --trace bfs.json --json report.json

A program is C and C++ (built as by `weft cc`), assembly (as GCC writes it, or by hand), or a RISC-V ELF executable.
Assembly that has `kernel` but no `_start` gets kernels/start.asm, which calls kernel(thread, threads).
Traces open in ui.perfetto.dev.")]
pub struct RunArgs {
    /// C, C++ or assembly sources, or an ELF executable
    pub program: PathBuf,
    /// More sources of the program
    #[arg(value_name = "FILE")]
    pub more: Vec<PathBuf>,
    #[command(flatten)]
    pub compile: SourceArgs,
    /// What runs it
    #[arg(long, value_enum, default_value_t = EngineName::Golden, help_heading = "Engine")]
    pub engine: EngineName,
    /// Which simulation of the hardware runs in lockstep
    #[arg(long, value_enum, default_value_t = Dut::Verilated, help_heading = "Engine")]
    pub dut: Dut,
    /// Compare memory and registers at the end with every thread alone;
    /// for programs whose threads do not race
    #[arg(long, help_heading = "Engine")]
    pub oracle: bool,
    /// Look for races, for reads of what nobody has written, and for accesses outside of objects
    #[arg(long, help_heading = "Engine")]
    pub check: bool,
    /// Print which source lines and functions execute most, and on the SM where warps wait
    #[arg(long, help_heading = "Engine")]
    pub profile: bool,
    #[command(flatten)]
    pub machine: MachineArgs,
    #[command(flatten)]
    pub core: CoreArgs,
    #[command(flatten)]
    pub sm: SmArgs,
    #[command(flatten)]
    pub gpu: GpuArgs,
    /// Put a file into memory before the start; `.txt` files hold numbers (FILE.txt:float: all of them floats), `.npy` files
    /// arrays of numpy, others are taken byte for byte. What is compiled from C is lowered for this input
    #[arg(long, value_name = "SYMBOL=FILE", help_heading = "Data")]
    pub load: Vec<Load>,
    /// Print words of memory at the end, all that SYMBOL names or so many: as unsigned numbers, or :hex, :signed, :float
    #[arg(long, value_name = "SYMBOL[:WORDS][:AS]", help_heading = "Data")]
    pub dump: Vec<Dump>,
    /// Write the same to a file: `.txt` a number a line, `.npy` an array of numpy, others byte for byte
    #[arg(long, value_name = "SYMBOL[:WORDS][:AS]=FILE", help_heading = "Data")]
    pub save: Vec<Save>,
    /// A livelock is suspected after this many warp instructions (hardware: cycles) in which memory does not change and
    /// no thread ends
    #[arg(long, default_value_t = WATCHDOG, value_name = "N", help_heading = "How long")]
    pub watchdog: u64,
    /// Give up after this many instructions for each warp (golden), of all warps (gpu), of a thread (oracle), or cycles
    /// (hardware) [default: 1000000000; cycles: 20000000]
    #[arg(long, value_name = "N", help_heading = "How long")]
    pub limit: Option<u64>,
    /// Cycles from issue to resolve: N, or random:N for 0 to N
    #[arg(long, default_value_t = LatencyOption::Fixed(1), value_name = "CYCLES", help_heading = "Simulated hardware")]
    pub latency: LatencyOption,
    /// Places of the token window [default: the first that is built for this size]
    #[arg(long, value_name = "FRONT,BACK", help_heading = "Simulated hardware")]
    pub window: Option<Window>,
    /// Cycles of the token memory: N, or random:N
    #[arg(long, default_value_t = LatencyOption::Fixed(20), value_name = "CYCLES", help_heading = "Simulated hardware")]
    pub token_latency: LatencyOption,
    /// A driver moves the tokens when a deque reaches the end of its allocation
    #[arg(long, help_heading = "Simulated hardware")]
    pub driver: bool,
    /// Seed of random latencies and of uninitialised hardware state
    #[arg(
        long,
        default_value_t = 1,
        value_name = "N",
        help_heading = "Simulated hardware"
    )]
    pub seed: u64,
    /// Write a Chrome trace; a cycle, or an operation of the golden model, is shown as 1 µs
    #[arg(long, value_name = "FILE", help_heading = "Files that are written")]
    pub trace: Option<PathBuf>,
    /// Write waves: FST if the name ends in .fst, else VCD
    #[arg(long, value_name = "FILE", help_heading = "Files that are written")]
    pub wave: Option<PathBuf>,
    /// Write waves as VCD
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with = "wave",
        help_heading = "Files that are written"
    )]
    pub vcd: Option<PathBuf>,
    /// Write a report
    #[arg(long, value_name = "FILE", help_heading = "Files that are written")]
    pub json: Option<PathBuf>,
    /// With --profile: write folded stacks, from which flame graphs are made
    #[arg(
        long,
        value_name = "FILE",
        requires = "profile",
        help_heading = "Files that are written"
    )]
    pub folded: Option<PathBuf>,
    /// Options that were given, by their long names ([`crate::takes`]).
    #[arg(skip)]
    pub given: Vec<String>,
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo weft debug examples/saxpy.c --gdb
  cargo weft debug kernels/bfs.c --warps 32 --threads 16 --port 1234 \\
      --load rows=kernels/data/karate_rows.txt --load columns=kernels/data/karate_columns.txt
  cargo weft debug k.c --kernel sum --grid 4 --cta 50 --gdb

It prints the line that starts GDB. A thread of GDB has the thread's number in the grid plus 1.
docs/debug.md goes from a wrong result to a breakpoint in a divergent branch.")]
pub struct DebugArgs {
    /// C, C++ or assembly sources, or an ELF executable
    pub program: PathBuf,
    /// More sources of the program
    #[arg(value_name = "FILE")]
    pub more: Vec<PathBuf>,
    /// The executable that is made of C and C++, which GDB reads [default: the first file, with .elf, here]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Port on 127.0.0.1; 0: any that is free
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub port: u16,
    /// Start GDB, too: gdb-multiarch, or one for RISC-V
    #[arg(long)]
    pub gdb: bool,
    /// The kernel that is launched, by its name [default: where the program begins]
    #[arg(long, value_name = "SYMBOL")]
    pub kernel: Option<String>,
    /// Put a file into memory before the start; `.txt` files hold integers, others are taken byte for byte
    #[arg(long, value_name = "SYMBOL=FILE")]
    pub load: Vec<Load>,
    /// A run that spins stops after this many warp instructions in which memory does not change and no thread ends
    #[arg(long, default_value_t = WATCHDOG, value_name = "N")]
    pub watchdog: u64,
    #[command(flatten)]
    pub compile: SourceArgs,
    #[command(flatten)]
    pub machine: MachineArgs,
    /// Threads of a CTA along x, y and z, such as 64 or 8x8: a grid of CTAs with local memory and scratchpad,
    /// one after the other
    #[arg(long, value_name = "X[xY[xZ]]", help_heading = "Grids of CTAs")]
    pub cta: Option<Extent>,
    /// Scratchpad of a CTA
    #[arg(long, default_value_t = Size(4096), value_name = "BYTES", help_heading = "Grids of CTAs")]
    pub scratchpad: Size,
    /// Local memory of a thread, a multiple of 16; its stack is there
    #[arg(long, default_value_t = Size(1024), value_name = "BYTES", help_heading = "Grids of CTAs")]
    pub local: Size,
    /// a2 of every thread: a number, also in hexadecimal (0x2000), or the address of a symbol
    #[arg(long, default_value_t = Argument::Word(0), value_name = "WORD", allow_negative_numbers = true, help_heading = "Grids of CTAs")]
    pub arguments: Argument,
}

impl RunArgs {
    /// Instructions of a run without `--limit`: some minutes.
    const INSTRUCTIONS: u64 = 1_000_000_000;
    const CYCLES: u64 = 20_000_000;

    pub fn most_instructions(&self) -> u64 {
        self.limit.unwrap_or(Self::INSTRUCTIONS)
    }

    pub fn most_cycles(&self) -> u64 {
        self.limit.unwrap_or(Self::CYCLES)
    }
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo weft demo
  cargo weft demo --warps 16 --threads 32 --json demo.json
  cargo weft demo spin_lock collatz --dut rust-hdl --warps 4 --threads 4 -o waves

The table has one line for each kernel and yield policy. The locks (spin_lock, lockht, lclist and
rangelock) must livelock where yields are off.")]
pub struct DemoArgs {
    /// Only these kernels [default: all]
    #[arg(value_name = "KERNEL")]
    pub kernels: Vec<String>,
    /// Warps
    #[arg(long, default_value_t = 8, value_name = "N")]
    pub warps: usize,
    /// Threads per warp
    #[arg(long, default_value_t = 8, value_name = "N")]
    pub threads: usize,
    /// Places of the token window [default: the first that is built for this size]
    #[arg(long, value_name = "FRONT,BACK")]
    pub window: Option<Window>,
    /// Which simulation of the hardware [default: verilated where it is built]
    #[arg(long, value_enum)]
    pub dut: Option<Dut>,
    /// The kernels of the SM, on golden model, oracle and weft_sm with --warps and --threads
    #[arg(long)]
    pub sm: bool,
    /// Only the kernels that launch kernels, on weft_gpu under Verilator [default: behind the others, where all are run]
    #[arg(long, conflicts_with_all = ["sm", "kernels", "dut", "window"])]
    pub gpu: bool,
    /// With --sm: lanes [default: up to 8]
    #[arg(long, value_name = "L", requires = "sm")]
    pub lanes: Option<usize>,
    /// With --sm: CTAs
    #[arg(long, default_value_t = 3, value_name = "N", requires = "sm")]
    pub ctas: u32,
    /// With --sm: threads of a CTA [default: half of the SM's]
    #[arg(long, value_name = "N", requires = "sm")]
    pub cta: Option<u32>,
    /// With --sm: data cache in KiB, 0 for none
    #[arg(long, default_value_t = 4, value_name = "KIB", requires = "sm")]
    pub cache: u32,
    /// With --sm: cycles of the memory
    #[arg(long, default_value_t = 20, value_name = "CYCLES", requires = "sm")]
    pub memory_latency: u32,
    /// Where traces and waves go
    #[arg(short, long, default_value = "target/demo", value_name = "DIR")]
    pub output: PathBuf,
    /// Write a report
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// Of `cosim --unit gpu`.
pub const USUAL_SMS: [usize; 4] = [1, 2, 3, 4];

/// What random programs run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CosimUnit {
    /// weft_control, below software lanes
    Control,
    /// weft_core, below software lanes
    Core,
    /// weft_sm, the whole SM
    Sm,
    /// weft_host, the front end of the work queue
    Host,
    /// weft_tasks, task management
    Tasks,
    /// weft_gpu, with 1 to 4 SMs in turn, or those of --sms
    Gpu,
    /// weft_float, in one, two and four turns
    Float,
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo weft cosim --seed 1 --programs 1000
  cargo weft cosim --unit sm --size 8x8l8 --programs 1000 --coverage
  cargo weft cosim --unit tasks --seed 1 --programs 1000
  cargo weft cosim --unit gpu --sms 5,8 --programs 40
  cargo weft cosim --unit float --programs 1000 --coverage
  cargo weft cosim --seed 1 --first 417 --programs 1
  cargo weft cosim --programs 50 --engine rust-hdl --sizes 4x4,8x4
  cargo weft cosim --unit core --sizes 8x8 --partitions 2 --programs 20
  cargo weft cosim --unit sm --programs 100000 --shard 3/64 --json 3.json
  cargo weft cosim merge *.json --page campaign.html

On a difference it prints the command that replays that program, writes its waves and listing, cuts
the program down to what is needed to show the difference, and ends with 1.
tools/campaign has the same for a cluster: a Slurm job array, and GNU parallel.")]
#[command(args_conflicts_with_subcommands = true)]
pub struct CosimArgs {
    #[command(subcommand)]
    pub command: Option<CosimCommand>,
    /// Where all random choices come from
    #[arg(long, default_value_t = 1, value_name = "S")]
    pub seed: u64,
    /// SMs of weft_gpu, 1 to 8, in turn; each number is a model of its own, which takes minutes to make
    #[arg(long, default_values_t = USUAL_SMS, value_delimiter = ',', value_name = "N", value_parser = sms)]
    pub sms: Vec<usize>,
    /// How many programs
    #[arg(long, default_value_t = 200, value_name = "N")]
    pub programs: u64,
    /// Number of the first program
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub first: u64,
    /// Of these programs the K-th of N parts, from 1/N to N/N; `cosim merge` puts the parts together
    #[arg(long, value_name = "K/N")]
    pub shard: Option<Shard>,
    /// Which simulation of the hardware
    #[arg(long, value_enum, default_value_t = Dut::Verilated)]
    pub engine: Dut,
    /// Which hardware: control; core, whose programs have barriers, several CTAs, levels and all policies; sm; the work
    /// queue's host and tasks; gpu; or float
    #[arg(long, value_enum, default_value_t = CosimUnit::Control, value_name = "UNIT")]
    pub unit: CosimUnit,
    /// Up to two instructions of one warp per cycle
    #[arg(long)]
    pub dual: bool,
    /// Partitions, 1, 2 or 4, a scheduler for each [default: one for each 16 warps]
    #[arg(long, value_name = "N", value_parser = partitions)]
    pub partitions: Option<usize>,
    /// Warps x threads l lanes, such as 8x8l8 [default: 4x4l4 and 8x8l8]
    #[arg(long, value_name = "8x8l8")]
    pub size: Option<String>,
    /// Sizes to choose from [default: all that the engine has]
    #[arg(long, value_delimiter = ',', value_name = "4x4k2b1,8x8")]
    pub sizes: Vec<weft_generate::Config>,
    /// Leave the failing program as it is
    #[arg(long)]
    pub no_minimise: bool,
    /// Print how often every situation occurred
    #[arg(long)]
    pub coverage: bool,
    /// Where waves and listings of a failure go
    #[arg(short, long, default_value = "target/cosim", value_name = "DIR")]
    pub output: PathBuf,
    /// Write a report
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

#[derive(Subcommand)]
pub enum CosimCommand {
    /// What reports of `cosim --json` come to together: programs, failures, situations, and what was not run
    Merge(MergeArgs),
}

#[derive(Args)]
#[command(after_help = "\
Each program counts once: the same part twice is one part, parts that overlap are an error. It ends with
1 when a program was not equal, and with 2 when programs of a campaign are missing.")]
pub struct MergeArgs {
    /// Reports, of `cosim` or of `cosim merge`
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Write them as one report
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write a page: runs, failures, situations, and beside them requirements, mutants, proofs and long runs
    /// of this checkout
    #[arg(long, value_name = "FILE.html")]
    pub page: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    Text,
    Json,
    /// A picture of the control-flow graph of each function
    Svg,
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo weft compile kernels/bfs.s -o bfs.weft.s
  cargo weft compile kernels/bfs.s -o bfs.weft.s --lower tokens --report text
  cargo weft compile kernels/bfs.s --report svg --report-file bfs.svg
  cargo weft compile kernels/bfs.s --load rows=kernels/data/karate_rows.txt \\
      --load columns=kernels/data/karate_columns.txt -o bfs.weft.s

The source is what riscv64-unknown-elf-gcc or clang --target=riscv32 write with -S for -march=rv32ima_zicsr.
What is done, and why, stands in docs/spec/compiler.md.")]
pub struct LowerArgs {
    /// Assembly source
    pub source: PathBuf,
    /// Write the assembly to a file in place of the standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// How branches that part threads are lowered: auto, tokens, masks, predicate or none
    #[arg(long, default_value = "auto", value_name = "HOW")]
    pub lower: weft_compiler::Lower,
    /// For --lower auto: what the program will be given, as for `weft run`; a choice for this input.
    /// All other data is then taken to be what the source says
    #[arg(long, value_name = "SYMBOL=FILE")]
    pub load: Vec<Load>,
    /// YIELD in loops that wait for other threads: auto or off
    #[arg(long = "yield", default_value = "auto", value_name = "WHEN")]
    pub yields: weft_compiler::Yields,
    /// Sub-vector loops: off, auto, or the number of registers that a segment has to use
    #[arg(long, default_value = "off", value_name = "OFF|AUTO|N")]
    pub subvector: weft_compiler::SubVector,
    /// Form of the sub-vector loops: mode, measured, copies or loop
    #[arg(long, default_value = "measured", value_name = "FORM")]
    pub subvector_form: weft_compiler::Form,
    /// The source is the whole program, whose start file only calls the kernel and ends the thread: the kernel's returns
    /// end it, and its registers are moved so that loops can share the high ones
    #[arg(long)]
    pub whole: bool,
    /// Lanes that the warps run on, for the forms copies and loop
    #[arg(long, default_value_t = 8, value_name = "L")]
    pub lanes: u32,
    /// Threads of a warp, for the forms copies and loop
    #[arg(long, default_value_t = 32, value_name = "W")]
    pub threads: u32,
    /// Print what was found and done; without -o in place of the assembly
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub report: Option<ReportFormat>,
    /// Write the report to a file
    #[arg(long, requires = "report", value_name = "FILE")]
    pub report_file: Option<PathBuf>,
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo weft asm kernels/nested.asm
  cargo weft asm kernels/nested.asm -o nested.bin

The listing has address, word and text of every instruction. The binary begins at the program's
lowest address.")]
pub struct AsmArgs {
    /// Assembly source
    pub source: PathBuf,
    /// Write the image as a flat binary in place of the listing
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo weft disasm kernels/bfs.s
  cargo weft disasm nested.bin --base 0x1000

ELF files and assembly sources are told by contents and name; any other file is a flat binary.")]
pub struct DisasmArgs {
    /// ELF executable, assembly source or flat binary
    pub file: PathBuf,
    /// Address of a flat binary
    #[arg(long, default_value = "0x1000", value_name = "ADDRESS", value_parser = address)]
    pub base: u32,
}

/// `--unit`: the names of [`Unit::ALL`] with their help.
pub fn unit_names() -> impl TypedValueParser<Value = Unit> {
    let names = Unit::ALL.iter().map(|unit| {
        let help = format!("{}: {}", unit.entry().help, unit.top());
        PossibleValue::new(unit.name()).help(help)
    });
    PossibleValuesParser::new(names).map(|name| {
        // It is one of those above.
        Unit::named(&name).unwrap_or(Unit::Control)
    })
}

/// `--partitions`
fn partitions(text: &str) -> Result<usize, String> {
    let known = text.parse().ok().filter(|n| [1, 2, 4].contains(n));
    known.ok_or_else(|| "1, 2 or 4".into())
}

/// `KEY=VALUE`
fn setting(text: &str) -> Result<(String, u64), String> {
    let parsed = text.split_once('=').and_then(|(key, value)| {
        let value = value.trim().parse().ok()?;
        Some((key.trim().to_string(), value))
    });
    parsed.ok_or_else(|| "write NAME=NUMBER, such as front=8".into())
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo weft verilog --config default -o out
  cargo weft verilog --config small --threads 32 --bundle -o out
  cargo weft verilog --config mine.toml --wrapper -o out
  cargo weft verilog --config max --unit core --dual -o out
  cargo weft verilog --config 64x32 --unit core -o out
  cargo weft verilog --config default --scripts -o out
  PATH=$PWD/.tools/bin:$PWD/.tools/venv/bin:$PATH fusesoc --cores-root out run --target=lint weft:core:weft_control_16x32k8b2
  iverilog -g2012 -s bench bench.v -y out         # from any folder; verilator -F out/weft_control.f likewise

A size is WARPSxTHREADS or WARPSxTHREADSkFRONTbBACK. A file (TOML) has a line for each parameter: warps = 8, threads = 32, and if they are
not to be the usual ones front = 8, back = 2 and what else the unit has; an error in it is reported with its line. A size that was never made is
compiled, which takes some seconds (the first one a minute), and is kept. What is impossible is refused with the reason. Besides the Verilog there are a table of the ports (.ports.md), a file list (.f) and a core file for FuseSoC (.core).
The ports that only show what gpu, sm, host and tasks do are left away; --set trace=1 has them, too.
The same request gives the same files, wherever they go; each begins with the command that makes it.")]
pub struct VerilogArgs {
    /// tiny (4x4), compact (8x4), small (8x8), default (16x32), max (32x32), a size such as 16x32k4b2, or FILE.toml
    #[arg(long, default_value = "default", value_name = "NAME|SIZE|FILE.toml")]
    pub config: String,
    /// Warps, in place of the configuration's
    #[arg(long, value_name = "N")]
    pub warps: Option<usize>,
    /// Threads per warp, in place of the configuration's
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Places of the token window, in place of the configuration's
    #[arg(long, value_name = "FRONT,BACK")]
    pub window: Option<Window>,
    /// What to write
    #[arg(long, value_parser = unit_names(), default_value = "control")]
    pub unit: Unit,
    /// A parameter of the unit, in place of the configuration's; may be repeated
    #[arg(long, value_name = "NAME=NUMBER", value_parser = setting)]
    pub set: Vec<(String, u64)>,
    /// Up to two instructions of one warp per cycle; core and scheduler only
    #[arg(long)]
    pub dual: bool,
    /// Goes before the names of all modules, files and of the FuseSoC core, so that two sizes can stand in one design
    #[arg(
        long,
        default_value = "",
        value_name = "PREFIX",
        hide_default_value = true
    )]
    pub prefix: String,
    /// All modules in one file
    #[arg(long)]
    pub bundle: bool,
    /// Also a SystemVerilog module around it, with the sizes as localparams
    #[arg(long)]
    pub wrapper: bool,
    /// Also Tcl scripts for Vivado and Quartus and a clock constraint; not tested in those tools
    #[arg(long)]
    pub scripts: bool,
    /// Directory to write to; made if it is not there
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TargetName {
    /// Lattice ECP5, LFE5U-85F, speed grade 6
    Ecp5,
    /// Lattice iCE40 HX8K
    Ice40,
    /// No FPGA: gate equivalents, memory bits, logic depth
    Gates,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BoardName {
    /// ULX3S with an ECP5-85F: 16 warps x 32 threads
    Ulx3s,
    /// OrangeCrab r0.2 with an ECP5-25F: 16 warps x 32 threads
    Orangecrab,
    /// iCEBreaker, iCE40UP5K: 2 warps x 4 threads
    Icebreaker,
    /// Arty A7-35T: 16 warps x 32 threads; with --script-only, for Vivado, untested
    #[value(name = "arty_a7", alias = "arty")]
    ArtyA7,
}

/// Sizes of the SM (docs/spec/sm.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SmSize {
    /// 4 warps x 4 threads on 4 lanes
    Tiny,
    /// 8 x 4 on 4
    Compact,
    /// 8 x 8 on 8
    Small,
    /// 16 x 32 on 8
    Default,
}

impl From<SmSize> for Shape {
    fn from(size: SmSize) -> Self {
        match size {
            SmSize::Tiny => Shape::TINY,
            SmSize::Compact => Shape::COMPACT,
            SmSize::Small => Shape::SMALL,
            SmSize::Default => Shape::DEFAULT,
        }
    }
}

impl From<BoardName> for weft_synth::Board {
    fn from(name: BoardName) -> Self {
        match name {
            BoardName::Ulx3s => weft_synth::Board::Ulx3s,
            BoardName::Orangecrab => weft_synth::Board::OrangeCrab,
            BoardName::Icebreaker => weft_synth::Board::IceBreaker,
            BoardName::ArtyA7 => weft_synth::Board::ArtyA7,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MapperName {
    /// As the target's command of Yosys does it; plain if that ends without a result
    Auto,
    /// Without wide multiplexers and ABC9: smaller and slower
    Plain,
    /// Without wide multiplexers, by ABC9's script flow3: smallest
    Small,
}

impl From<MapperName> for weft_synth::Mapper {
    fn from(name: MapperName) -> Self {
        match name {
            MapperName::Auto => weft_synth::Mapper::Auto,
            MapperName::Plain => weft_synth::Mapper::Plain,
            MapperName::Small => weft_synth::Mapper::Small,
        }
    }
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo weft synth ecp5 --config small
  cargo weft synth ecp5 --config default --seeds 5 --json synth.json
  cargo weft synth ecp5 --config max --unit core --dual --mapper plain
  cargo weft synth ecp5 --config 8x32,default --unit scheduler --by-block
  cargo weft synth ice40 --config tiny --unit convergence --at-least 30
  cargo weft synth gates --config tiny,small,default,max --markdown gates.md
  cargo weft synth --board ulx3s -o out
  cargo weft synth --board ulx3s --sm small -o out
  cargo weft synth --board ulx3s --sm tiny --clock 50 -o out

The module is placed in a harness that makes every path one from register to register; the harness
is not counted. For several sizes the report also says to what power of warps and threads each figure grows. For gates, memories
are left out and counted in bits. For a board it is the self-test of docs/spec/board.md, through place and route to a bitstream, with the pins in
constraints/; it ends with 1 when the board's clock, or that of --clock, is too fast for it. Tools that are missing are installed into .tools/.")]
pub struct SynthArgs {
    /// Family, or gates
    #[arg(value_enum, required_unless_present = "board")]
    pub target: Option<TargetName>,
    /// Make a bitstream of the self-test for a board
    #[arg(
        long,
        value_enum,
        conflicts_with_all = ["target", "config", "warps", "threads", "window", "unit", "dual", "mapper", "at_least"]
    )]
    pub board: Option<BoardName>,
    /// With --board ulx3s: a whole SM with a kernel in block RAM, in place of the self-test [of this size: small]
    #[arg(long, value_enum, num_args = 0..=1, default_missing_value = "small", value_name = "SIZE")]
    pub sm: Option<SmSize>,
    /// With --sm: a PLL makes so many MHz of the board's clock, a multiple of 5
    #[arg(long, value_name = "MHZ", requires = "sm")]
    pub clock: Option<u32>,
    /// With --board: only write Verilog, constraints and a script for the tools
    #[arg(long)]
    pub script_only: bool,
    /// With --board: directory to write to [default: target/board/BOARD]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// tiny (4x4), compact (8x4), small (8x8), default (16x32), max (32x32), a size such as 16x32k4b2, or FILE.toml; or several
    #[arg(
        long,
        default_value = "default",
        value_delimiter = ',',
        value_name = "NAME|SIZE|FILE.toml"
    )]
    pub config: Vec<String>,
    /// Warps, in place of the configuration's
    #[arg(long, value_name = "N")]
    pub warps: Option<usize>,
    /// Threads per warp, in place of the configuration's
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Places of the token window, in place of the configuration's
    #[arg(long, value_name = "FRONT,BACK")]
    pub window: Option<Window>,
    /// What to measure; or several
    #[arg(long, value_parser = unit_names(), default_value = "control", value_delimiter = ',')]
    pub unit: Vec<Unit>,
    /// A parameter of the unit, in place of the configuration's; may be repeated
    #[arg(long, value_name = "NAME=NUMBER", value_parser = setting)]
    pub set: Vec<(String, u64)>,
    /// Up to two instructions of one warp per cycle; core and scheduler only
    #[arg(long)]
    pub dual: bool,
    /// How LUTs are mapped
    #[arg(long, value_enum, default_value_t = MapperName::Auto)]
    pub mapper: MapperName,
    /// Placements; the median counts, and for a board the first one that is fast enough, or else the best
    #[arg(long, default_value_t = 3, value_name = "N")]
    pub seeds: u32,
    /// End with 1 when the median Fmax is lower
    #[arg(long, value_name = "MHZ")]
    pub at_least: Option<f64>,
    /// A block of the unit alone, as it is called in the Verilog: `datapath` of `sm`; or several
    #[arg(long, value_name = "NAME", value_delimiter = ',', conflicts_with_all = ["board", "by_block"])]
    pub block: Vec<String>,
    /// Only the cells of each block of the unit, mapped one by one and not placed
    #[arg(long, conflicts_with_all = ["board", "seeds", "at_least", "json", "markdown"])]
    pub by_block: bool,
    /// Write a report
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write what is printed, with the command that makes it again
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
}

/// What `weft bench` measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum)]
pub enum Section {
    /// weft_control: issue rates, latency of every operation, what tokens in memory cost
    Control,
    /// weft_barrier: from an arrival to a wake, from turn to turn of a section
    Barrier,
    /// Cycles of the kernels with every token window of 16 warps x 32 threads
    Kernels,
    /// weft_core: instructions per cycle and stall reasons, by program, warps, policy and issue width
    Issue,
    /// Kernels with tokens, execution masks and predication; regular and sub-vector mode, on the model
    Masks,
    /// weft_sm: cycles, IPC, share of the lanes' peak and stall reasons of its kernels, in lockstep; speed of its
    /// simulation. Half an hour
    Sm,
    /// Of these the speed of its simulation only; the others stay as the baseline has them. Three minutes
    SmSpeed,
    /// Of these only the time that kernels take on an FPGA, cycles times period, beside what nothing can beat, and the
    /// cycles from an issue to the next one; with --full in all sizes. Ten minutes, with --full an hour
    SmTime,
    /// Simulated cycles and instructions per second, of hardware, lockstep and golden model
    Speed,
    /// Cells and Fmax of every unit on an ECP5; an hour and more
    Area,
    /// What float costs: the SM's datapath with float on some lanes, mapped for an ECP5 and not placed; an hour
    FloatArea,
}

impl Section {
    pub fn name(self) -> &'static str {
        match self {
            Section::Control => "control",
            Section::Barrier => "barrier",
            Section::Kernels => "kernels",
            Section::Issue => "issue",
            Section::Masks => "masks",
            Section::Sm => "sm",
            Section::SmSpeed => "sm-speed",
            Section::SmTime => "sm-time",
            Section::Speed => "speed",
            Section::Area => "area",
            Section::FloatArea => "float-area",
        }
    }
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo weft bench
  cargo weft bench --all --json bench.json
  cargo weft bench --only area --units masks,barrier --sizes 16x32
  cargo weft bench --only sm --rounds 3
  cargo weft bench --only sm-time --full
  cargo weft bench --skip issue,speed
  cargo weft bench --all --update --book docs/performance.md --plots docs
  cargo weft bench --from benches/baseline.json --book docs/performance.md --plots docs
  cargo weft bench --only control,speed --engine rust-hdl --warps 8 --threads 8 --cycles 10000 --programs 10

Without --all or --only everything is measured but area and SM: a few minutes. What was measured is compared with the
baseline (benches/baseline.json): figures that are counted exactly, timed ones as ratios within the run. Everything that is worse by
more than 5 % is told; it does not change the exit code. --update puts what was measured into the baseline, --book and --plots then show the whole
baseline: so docs/performance.md and the pictures in docs/ are made. Pictures: window.svg, ipc.svg, stalls.svg, sm.svg.
Timed figures need a quiet machine; the report has its load.")]
pub struct BenchArgs {
    /// Everything, the area and the SM too
    #[arg(long, conflicts_with = "only")]
    pub all: bool,
    /// Only these sections
    #[arg(long, value_enum, value_delimiter = ',', value_name = "SECTION")]
    pub only: Vec<Section>,
    /// All but these
    #[arg(long, value_enum, value_delimiter = ',', value_name = "SECTION")]
    pub skip: Vec<Section>,
    /// Time of kernels on the SM with the sizes 8 x 8 and 16 x 32, and with a memory of 300 cycles, too
    #[arg(long)]
    pub full: bool,
    /// Measure nothing: take the figures of this report
    #[arg(long, value_name = "FILE", conflicts_with_all = ["all", "only", "skip"])]
    pub from: Option<PathBuf>,
    /// Report to compare with [default: benches/baseline.json of the checkout]
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Put what is measured, or what --from has, into the baseline
    #[arg(long)]
    pub update: bool,
    /// Write the page about the figures (Markdown)
    #[arg(long, value_name = "FILE")]
    pub book: Option<PathBuf>,
    /// Draw the pictures into this directory
    #[arg(long, value_name = "DIR")]
    pub plots: Option<PathBuf>,
    /// Write a report
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Which simulation of the hardware
    #[arg(long, value_enum, default_value_t = Dut::Verilated)]
    pub engine: Dut,
    /// Warps
    #[arg(long, default_value_t = 16, value_name = "N")]
    pub warps: usize,
    /// Threads per warp
    #[arg(long, default_value_t = 32, value_name = "N")]
    pub threads: usize,
    /// Places of the token window [default: the first that is built for this size]
    #[arg(long, value_name = "FRONT,BACK")]
    pub window: Option<Window>,
    /// Cycles of the hardware alone, per round
    #[arg(long, default_value_t = 1_000_000, value_name = "N")]
    pub cycles: u64,
    /// Random programs in lockstep, per round
    #[arg(long, default_value_t = 40, value_name = "N")]
    pub programs: u64,
    /// Seed of the random programs
    #[arg(long, default_value_t = 1, value_name = "S")]
    pub seed: u64,
    /// Rounds; the median counts
    #[arg(long, default_value_t = 5, value_name = "N")]
    pub rounds: u32,
    /// Only these units
    #[arg(long, value_parser = unit_names(), value_delimiter = ',', value_name = "UNIT")]
    pub units: Vec<Unit>,
    /// Only these blocks of the SM; `whole` is all of it in its board top
    #[arg(long, value_delimiter = ',', value_name = "BLOCK")]
    pub blocks: Vec<String>,
    /// Only these sizes
    #[arg(long, value_delimiter = ',', value_name = "4x4,16x32k4b2")]
    pub sizes: Vec<weft_generate::Config>,
    /// Placements; the median counts
    #[arg(long, default_value_t = 3, value_name = "N")]
    pub seeds: u32,
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo weft doctor
  cargo weft doctor --json tools.json

Ends with what can be done here, and with 1 when something cannot.")]
pub struct DoctorArgs {
    /// Write a report
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  weft completions bash > ~/.local/share/bash-completion/completions/weft")]
pub struct CompletionsArgs {
    /// For which shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo weft man && man -l target/man/weft-run.1")]
pub struct ManArgs {
    /// Directory to write to
    #[arg(short, long, default_value = "target/man", value_name = "DIR")]
    pub output: PathBuf,
}

fn address(text: &str) -> Result<u32, String> {
    let parsed = match text.strip_prefix("0x") {
        Some(hex) => u32::from_str_radix(hex, 16),
        None => text.parse(),
    };
    match parsed {
        Ok(a) if a % 4 == 0 => Ok(a),
        _ => Err("write a multiple of 4, such as 0x1000".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    /// No option is there twice, none conflicts with one that is not there.
    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }
}
