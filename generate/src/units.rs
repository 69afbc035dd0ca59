//! Every unit that can be generated. **To add a unit, add one entry to [`units!`] below.**
//!
//! An entry names the unit on the command line, says in words what it is, lists its parameters with what they may be,
//! and gives the Rust expression that makes the block.
//! In the expression `hdl` is the crate `weft-hdl`, every parameter is a constant in capitals (`WARPS`),
//! and so are the numbers that follow from them ([`derived`](crate::derived): `WARP_BITS`).
//! `[Core]` is the list of that block in `hdl/src/sizes.rs`: its parameters have the names of these numbers.
//! What several parameters must fulfil together is a rule: a function that says what is wrong.

use std::collections::BTreeMap;
use Possible::{Flag, Number, PowerOfTwo, PowerOfTwoOrNone};

/// Parameters by name.
pub type Values = BTreeMap<&'static str, u64>;

/// What a parameter may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Possible {
    /// A power of two from … to ….
    PowerOfTwo(u64, u64),
    /// Any number from … to ….
    Number(u64, u64),
    /// 0, or a power of two up to ….
    PowerOfTwoOrNone(u64),
    /// 0 or 1.
    Flag,
}

impl Possible {
    pub fn allows(self, value: u64) -> bool {
        match self {
            PowerOfTwo(from, to) => value.is_power_of_two() && (from..=to).contains(&value),
            Number(from, to) => (from..=to).contains(&value),
            PowerOfTwoOrNone(to) => value == 0 || value.is_power_of_two() && value <= to,
            Flag => value <= 1,
        }
    }

    /// The least and the largest, and none.
    pub fn borders(self) -> Vec<u64> {
        match self {
            PowerOfTwo(from, to) | Number(from, to) => vec![from, to],
            PowerOfTwoOrNone(to) => vec![0, 1, to],
            Flag => vec![0, 1],
        }
    }
}

impl std::fmt::Display for Possible {
    /// As in *warps must be …*.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PowerOfTwo(from, to) => write!(f, "a power of two from {from} to {to}"),
            Number(from, to) => write!(f, "from {from} to {to}"),
            PowerOfTwoOrNone(to) => write!(f, "0 or a power of two up to {to}"),
            Flag => write!(f, "0 or 1"),
        }
    }
}

/// A parameter of a unit.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    pub name: &'static str,
    pub possible: Possible,
    /// Where it is not given; `None`: it must be, or follows from the others ([`Config::usual`](crate::Config::usual)).
    pub usual: Option<u64>,
}

/// What several parameters must fulfil together: `Err` says why they cannot.
type Rule = fn(&Values) -> Result<(), String>;

/// An entry of the table.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// As `--unit` names it; the top module is `weft_` and this with underscores.
    pub name: &'static str,
    pub top: &'static str,
    /// What it is: `warp scheduler`.
    pub title: &'static str,
    /// For the help of the command line.
    pub help: &'static str,
    pub parameters: &'static [Parameter],
    pub rules: &'static [Rule],
    /// Rust expression that makes the block.
    pub block: &'static str,
    /// The block can be simulated by rust-hdl: it has `word_ports!`.
    pub simulated: bool,
    /// Ports that only show what it does begin so, before the end or a `_`; they are left away with `trace` = 0.
    pub trace: &'static [&'static str],
}

const fn parameter(name: &'static str, possible: Possible) -> Parameter {
    Parameter {
        name,
        possible,
        usual: None,
    }
}

/// One that may be left out.
pub const fn optional(name: &'static str, possible: Possible, usual: u64) -> Parameter {
    Parameter {
        name,
        possible,
        usual: Some(usual),
    }
}

const THREADS: Parameter = parameter("threads", PowerOfTwo(4, 64));
/// K, places of the front ring of the token window.
const FRONT: Parameter = parameter("front", PowerOfTwo(2, 64));
/// B, places of its back ring.
const BACK: Parameter = parameter("back", PowerOfTwo(1, 4));
/// Two instructions of one warp per cycle.
const DUAL: Parameter = optional("dual", Flag, 0);
/// The ports that only show what it does.
const TRACE: Parameter = optional("trace", Flag, 1);
/// Lanes with float; 0: it has none.
const FLOAT: Parameter = optional("float", PowerOfTwoOrNone(32), 0);
/// LB, bits of the priority level of a warp.
const LEVEL_BITS: Parameter = optional("level_bits", Number(2, 6), 4);

/// Thread numbers of a CTA have 12 bits.
fn threads_of_all_warps(v: &Values) -> Result<(), String> {
    match v["warps"] * v["threads"] {
        0..=4095 => Ok(()),
        all => Err(format!("warps x threads is {all}; it must be below 4096")),
    }
}

/// A scheduler has 4 to 16 warps.
fn warps_of_a_partition(v: &Values) -> Result<(), String> {
    match v["warps"] / v["partitions"] {
        4..=16 => Ok(()),
        each => Err(format!(
            "{} warps in {} partitions are {each} in each; it must be 4 to 16",
            v["warps"], v["partitions"]
        )),
    }
}

/// A lane for each thread at most.
fn lanes_of_a_warp(v: &Values) -> Result<(), String> {
    match v["lanes"] <= v["threads"] {
        true => Ok(()),
        false => Err(format!(
            "{} lanes for {} threads of a warp; there may be as many at most",
            v["lanes"], v["threads"]
        )),
    }
}

/// Float on every lane, every second, or every fourth one.
fn float_lanes(v: &Values) -> Result<(), String> {
    let (lanes, float) = (v["lanes"], v["float"]);
    match float == 0 || [lanes, lanes / 2, lanes / 4].contains(&float) {
        true => Ok(()),
        false => Err(format!(
            "{float} float lanes for {lanes} lanes; there may be none, as many, half or a quarter"
        )),
    }
}

/// A register file for all warps without shared registers, or a smaller one.
fn rows_of_a_register_file(v: &Values) -> Result<(), String> {
    match v["registers"] <= v["warps"] {
        true => Ok(()),
        false => Err(format!(
            "register rows of {} warps for {} warps; there may be as many at most",
            v["registers"], v["warps"]
        )),
    }
}

/// `units! { Name: entry; … }`: the enum, its list and its table.
macro_rules! units {
    ($($unit:ident: $name:literal, $top:literal, $title:literal, $help:literal;
        parameters [$($parameter:expr),* $(,)?] rules [$($rule:expr),*] simulated $simulated:literal
        $(trace [$($trace:literal),*])? block $block:expr;)*) => {
        /// What can be generated as Verilog.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Unit {
            $(#[doc = $title] $unit,)*
        }

        impl Unit {
            /// Those that the command line offers, in the order of the code map.
            pub const ALL: &'static [Unit] = &[$(Unit::$unit),*];

            pub const fn entry(self) -> &'static Entry {
                match self {
                    $(Unit::$unit => {
                        const ENTRY: Entry = Entry {
                            name: $name,
                            top: $top,
                            title: $title,
                            help: $help,
                            parameters: &[$($parameter),*],
                            rules: &[$($rule),*],
                            block: $block,
                            simulated: $simulated,
                            trace: &[$($($trace),*)?],
                        };
                        &ENTRY
                    })*
                }
            }
        }
    };
}

units! {
    Gpu: "gpu", "weft_gpu", "whole GPU", "Host front end, task management, SMs and memory arbiter behind AXI ports";
        parameters [parameter("warps", PowerOfTwo(4, 16)), parameter("threads", PowerOfTwo(4, 32)), FRONT, BACK,
            optional("lanes", PowerOfTwo(4, 32), 4), FLOAT, optional("scratchpad", PowerOfTwo(1, 64), 16), optional("data", PowerOfTwo(64, 256), 64),
            optional("icache", PowerOfTwo(1, 64), 4), optional("dcache", PowerOfTwoOrNone(64), 4), optional("ways", PowerOfTwo(1, 4), 2),
            optional("channels", Number(2, 8), 4), optional("sms", Number(1, 8), 1), optional("slots", Number(1, 8), 4),
            optional("l2", PowerOfTwoOrNone(256), 0), optional("l2_ways", PowerOfTwo(1, 8), 4), TRACE]
        rules [threads_of_all_warps, lanes_of_a_warp, float_lanes] simulated false
        trace ["step", "task", "issue", "l2_events"]
        block "hdl::gpu::Gpu::<[Gpu]>::default()";

    Sm: "sm", "weft_sm", "streaming multiprocessor", "The SM: warp control, lanes, memory system and launcher behind AXI ports";
        parameters [parameter("warps", PowerOfTwo(4, 16)), parameter("threads", PowerOfTwo(4, 32)), FRONT, BACK,
            optional("lanes", PowerOfTwo(4, 32), 4), FLOAT, optional("scratchpad", PowerOfTwo(1, 64), 16), optional("data", PowerOfTwo(64, 256), 64),
            optional("icache", PowerOfTwo(1, 64), 4), optional("dcache", PowerOfTwoOrNone(64), 4), optional("ways", PowerOfTwo(1, 4), 2),
            optional("registers", PowerOfTwoOrNone(16), 0), TRACE]
        rules [threads_of_all_warps, lanes_of_a_warp, float_lanes, rows_of_a_register_file] simulated false
        trace ["init", "write", "fault", "mode", "effect", "done0", "done1", "issue", "op", "verdict", "hold", "wake", "error", "event", "expired",
            "retire", "exception", "status_busy", "cache_events", "faulted"]
        block "hdl::sm::Sm::<[Sm]>::default()";

    Tasks: "tasks", "weft_tasks", "task management", "Task management: lists, slots, placement of CTAs on SMs, spawn ring";
        parameters [optional("slots", Number(1, 8), 4), optional("sms", Number(1, 8), 1), parameter("warps", PowerOfTwo(4, 64)), THREADS,
            optional("scratchpad", PowerOfTwo(1, 64), 16), optional("mix", Flag, 0), TRACE]
        rules [threads_of_all_warps] simulated false
        trace ["trace"]
        block "hdl::work::tasks::Tasks::<[Tasks]>::default()";

    Host: "host", "weft_host", "host front end", "Channels, entries and commands of the host, behind an AXI4-Lite port";
        parameters [parameter("warps", PowerOfTwo(4, 64)), parameter("threads", PowerOfTwo(4, 64)), optional("channels", Number(2, 8), 4),
            optional("sms", Number(1, 8), 1), optional("slots", Number(1, 8), 4), optional("lanes", PowerOfTwo(4, 64), 4),
            optional("scratchpad", PowerOfTwo(1, 64), 16), TRACE]
        rules [lanes_of_a_warp] simulated false
        trace ["trace"]
        block "hdl::work::host::Host::<CHANNELS, CHANNEL_BITS, { CHANNEL_BITS + 4 }, SMS, SLOTS, WARPS, THREADS, LANES, SCRATCHPAD>::default()";

    Core: "core", "weft_core", "core", "The whole warp control, from CTAs to issue, in one, two or four partitions";
        parameters [parameter("warps", PowerOfTwo(4, 64)), THREADS, FRONT, BACK, DUAL, parameter("partitions", PowerOfTwo(1, 4)), LEVEL_BITS]
        rules [threads_of_all_warps, warps_of_a_partition] simulated false
        block "hdl::warp::core::Core::<[Core]>::default()";

    Control: "control", "weft_control", "control plane", "Convergence unit and queue of ready warps, for datapaths that fetch for themselves";
        parameters [parameter("warps", PowerOfTwo(2, 32)), THREADS, FRONT, BACK] rules [] simulated true
        block "hdl::warp::control::Control::<[Control]>::default()";

    Convergence: "convergence", "weft_convergence", "convergence unit", "Per-warp state and the token deque";
        parameters [parameter("warps", PowerOfTwo(2, 32)), THREADS, FRONT, BACK] rules [] simulated false
        block "hdl::warp::convergence::Convergence::<[Convergence]>::default()";

    Scheduler: "scheduler", "weft_scheduler", "warp scheduler", "Warp scheduler with scoreboard and instruction supply";
        parameters [parameter("warps", PowerOfTwo(4, 16)), THREADS, DUAL, LEVEL_BITS] rules [] simulated false
        block "hdl::warp::scheduler::Scheduler::<WARPS, WARP_BITS, HALF_BITS, WARP_COUNT_BITS, COUNTER_BITS, THREADS, LEVEL_BITS, DUAL>::default()";

    Barrier: "barrier", "weft_barrier", "barrier unit", "Barriers and critical sections";
        parameters [parameter("warps", PowerOfTwo(4, 64)), THREADS] rules [threads_of_all_warps] simulated false
        block "hdl::warp::barrier::Barrier::<WARPS, WARP_BITS, THREADS, THREAD_COUNT_BITS, BARRIER_BITS, COUNTER_BITS>::default()";

    Masks: "masks", "weft_masks", "mask unit", "Mask registers and operations, for the datapath";
        parameters [parameter("warps", PowerOfTwo(4, 32)), THREADS] rules [] simulated true
        block "hdl::datapath::masks::Masks::<WARPS, WARP_BITS, COUNTER_BITS, THREADS, THREAD_BITS, THREAD_COUNT_BITS>::default()";

    TokenMemory: "token-memory", "weft_token_memory", "token memory", "Memory for tokens behind the spill port, for designs that have none";
        parameters [parameter("warps", PowerOfTwo(2, 32)), THREADS, FRONT, BACK, optional("tokens", PowerOfTwo(8, 1024), 1024)] rules [] simulated false
        block "hdl::board::TokenMemory::<TOKEN_BITS, TAG_BITS, { WARP_BITS + TOKENS.ilog2() as usize }>::default()";

    Wavefront: "wavefront", "weft_wavefront", "wavefront unit", "Mode selection and register rows of the variable wavefront, for the datapath";
        parameters [parameter("warps", PowerOfTwo(4, 32)), THREADS] rules [] simulated true
        block "hdl::datapath::wavefront::Wavefront::<WARPS, THREADS, THREAD_BITS, THREAD_REGISTER_BITS>::default()";

    Float: "float", "weft_float", "float unit", "Single-precision float of a row of threads, for the datapath";
        parameters [parameter("warps", PowerOfTwo(2, 64)), THREADS, optional("lanes", PowerOfTwo(4, 32), 4), optional("float", PowerOfTwo(1, 32), 2)]
        rules [lanes_of_a_warp, float_lanes] simulated false
        block "hdl::datapath::float::Float::<WARP_BITS, LANES, ROW_WIDTH, PART_BITS, FLOAT, TURNS, TURN_BITS>::default()";
}

/// The self-test of a board: not a unit of the command line, whose top module has the board's name.
pub const BOARD: Entry = Entry {
    name: "board",
    top: "weft_board",
    title: "self-test of a board",
    help: "",
    parameters: &[
        parameter("warps", PowerOfTwo(2, 32)),
        parameter("threads", PowerOfTwo(4, 32)),
        FRONT,
        BACK,
        parameter("clock_hz", Number(1, u32::MAX as u64)),
        parameter("button_low", Flag),
        parameter("result_low", Flag),
        parameter("beat_low", Flag),
        parameter("golden", Number(0, u32::MAX as u64)),
    ],
    rules: &[],
    block: "hdl::board::Board::<[Convergence], { WARP_BITS + 6 }>::new(hdl::board::Wiring { clock_hz: CLOCK_HZ as u32, button_low: BUTTON_LOW == 1, result_low: RESULT_LOW == 1, \
            beat_low: BEAT_LOW == 1 }, GOLDEN as u32)",
    simulated: false,
    trace: &[],
};

impl Unit {
    /// Name of the Verilog top module.
    pub const fn top(self) -> &'static str {
        self.entry().top
    }

    /// As `--unit` names it.
    pub const fn name(self) -> &'static str {
        self.entry().name
    }

    pub fn named(name: &str) -> Option<Unit> {
        Unit::ALL.iter().copied().find(|unit| unit.name() == name)
    }

    pub fn parameter(self, name: &str) -> Option<&'static Parameter> {
        self.entry().parameters.iter().find(|p| p.name == name)
    }

    /// Whether it has a token window.
    pub fn has_window(self) -> bool {
        self.parameter("front").is_some()
    }

    /// Whether two instructions of a warp can go in one cycle, on request.
    pub fn has_dual(self) -> bool {
        self.parameter("dual").is_some()
    }
}
