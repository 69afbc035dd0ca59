//! What goes wrong, with the place.

use std::fmt;
use weft_cc::lines::Frame;
use weft_isa::LoadError;
use weft_sim::host::Code;
use weft_sim::{FaultCause, Stuck};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{bytes} bytes of memory are wanted, {free} are free")]
    NoMemory { bytes: u32, free: u32 },
    #[error("{bytes} bytes at {address:#x} are not within the buffer or memory")]
    Outside { address: u32, bytes: u64 },
    #[error("no memory of {0:#x} bytes: a GPU needs 64 KiB at least, a multiple of 64, and a private part inside")]
    MemorySize(u32),
    #[error("the program cannot be loaded: {0}")]
    Elf(#[from] LoadError),
    #[error(
        "the program's bytes {begin:#x} to {end:#x} are not free: {by}; and it is not loaded elsewhere: it has no relocations (the linker's --emit-relocs, as `weft cc` links), or there is no room"
    )]
    Occupied { begin: u32, end: u32, by: String },
    #[error("the program has no kernel {0:?}")]
    NoKernel(String),
    #[error("the program has no variable {0:?}")]
    NoVariable(String),
    #[error("there are {0} domains, as the settings say, and all are in use")]
    NoDomain(u32),
    #[error("all {0} channels are in use")]
    NoChannel(usize),
    #[error("a grid of {ctas} CTAs of {threads} threads cannot be launched: {what} ({code:?})", ctas = extent(.ctas), threads = extent(.threads), what = code.text())]
    Grid {
        ctas: [u32; 3],
        threads: [u32; 3],
        code: Code,
    },
    #[error("a launch of a stream is named by the stream alone, not {0} times: what runs behind several is a task (`Gpu::task`)")]
    Predecessors(u32),
    #[error("tasks that others name are of the common part, kernel and all: who writes them chooses what runs")]
    TaskInDomain,
    #[error("at {0:#x} is no buffer of this GPU, or one that has been given back")]
    NoBuffer(u32),
    #[error("interrupted")]
    Interrupted,
    #[error("channel {channel}, entry {entry}: {what} ({code:?}, {place}){}", of(.launch), what = code.text())]
    Channel {
        launch: Option<Launch>,
        channel: usize,
        entry: u32,
        code: Code,
        place: Location,
    },
    #[error("a task that a thread has launched: {what} ({code:?} at {place:#x}, descriptor {task:#x}){}", of(.launch), what = code.text())]
    Task {
        launch: Option<Launch>,
        code: Code,
        place: u32,
        task: u32,
    },
    /// The FAULT registers have held what another launch has run into.
    #[error("kernel {kernel} has failed; another one has failed first, so where is not known{}", of(&Some(*.launch)))]
    Failed { launch: Launch, kernel: String },
    /// By [`crate::Gpu::kill`].
    #[error("kernel {kernel} was killed{}", of(&Some(*.launch)))]
    Killed { launch: Launch, kernel: String },
    #[error("kernel {kernel} was killed: its time limit was over{}", of(.launch))]
    TimeLimit {
        launch: Option<Launch>,
        kernel: String,
    },
    #[error("{0}")]
    Fault(Box<Fault>),
    #[error("{0}")]
    Hung(Box<Hung>),
    #[error("nothing can go on any more, and what is waited for has not come: {0}")]
    Stuck(String),
    #[error("the device is broken: {0}")]
    Broken(String),
    #[error("the limit of {0} warp instructions is reached")]
    Limit(u64),
    #[error("kernels/nested: {0}: not what must come out")]
    Wrong(&'static str),
    #[error("{0} entries: a work queue needs 3 to 65,536")]
    QueueSize(u32),
}

impl Error {
    /// The launch that was waited for is not over and never will be: the GPU is of no more use.
    pub fn is_left(&self) -> bool {
        let over = matches!(
            self,
            Error::Fault(_)
                | Error::Failed { .. }
                | Error::Killed { .. }
                | Error::TimeLimit { .. }
                | Error::Hung(_)
                | Error::Grid { .. }
        );
        !over
    }
}

/// As `--grid` takes it.
fn extent([x, y, z]: &[u32; 3]) -> String {
    format!("{x}x{y}x{z}")
}

/// A launch by the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Launch {
    /// Streams are counted from 0, launches of a stream from 1.
    pub stream: usize,
    pub number: u32,
}

impl fmt::Display for Launch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "launch {} of stream {}", self.number, self.stream)
    }
}

/// Whose it is: nothing for what threads have launched by themselves.
fn of(launch: &Option<Launch>) -> String {
    launch.map_or(String::new(), |launch| format!(" ({launch})"))
}

/// A register's offset, or an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    Register(u32),
    Address(u32),
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::Register(offset) => write!(f, "register {offset:#x} of the channel"),
            Location::Address(address) => write!(f, "address {address:#x}"),
        }
    }
}

/// Who has run into a fault, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// `None`: of a task that a thread has launched, and no launch of the host is known to be behind it.
    pub launch: Option<Launch>,
    pub kernel: String,
    /// Number of the CTA, and its place in the grid.
    pub cta: u32,
    /// Warp and thread in the CTA.
    pub warp: u32,
    pub thread: u32,
    pub pc: u32,
    pub cause: FaultCause,
    /// The innermost function first.
    pub frames: Vec<Frame>,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault {
            launch,
            kernel,
            cta,
            warp,
            thread,
            pc,
            cause,
            ..
        } = self;
        write!(
            f,
            "kernel {kernel}, CTA {cta}, warp {warp}, thread {thread}, pc {pc:#x}: {cause}{}",
            of(launch)
        )?;
        self.frames.iter().try_for_each(|frame| show(f, frame))
    }
}

fn show(f: &mut fmt::Formatter<'_>, frame: &Frame) -> fmt::Result {
    let function = frame.function.as_deref().unwrap_or("?");
    write!(f, "\n  in {function}")?;
    match (&frame.file, frame.line) {
        (Some(file), Some(line)) => write!(f, " ({file}:{line})"),
        (Some(file), None) => write!(f, " ({file})"),
        _ => write!(f, " + {:#x}", frame.offset),
    }
}

/// A CTA in which nobody can go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hung {
    pub launch: Option<Launch>,
    pub kernel: String,
    pub cta: u32,
    pub stuck: Vec<Stuck>,
}

impl fmt::Display for Hung {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Hung {
            launch,
            kernel,
            cta,
            stuck,
        } = self;
        let launch = of(launch);
        write!(f, "kernel {kernel}, CTA {cta} hangs at a barrier{launch}")?;
        stuck
            .iter()
            .take(4)
            .try_for_each(|s| write!(f, "\n  {s}"))?;
        match stuck.len() {
            0..=4 => Ok(()),
            more => write!(f, "\n  and {} more threads", more - 4),
        }
    }
}
