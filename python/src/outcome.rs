//! How a launch has ended.

use weft_cc::console::Console;
use weft_driver::error::{Fault, Hung};
use weft_driver::{Counters, Error};

/// A launch that is over.
pub struct Launched {
    /// Of this launch.
    pub counters: Counters,
    /// Threads of a warp.
    pub width: usize,
    /// Of the host.
    pub seconds: f64,
    /// `None`: the program prints nothing.
    pub printed: Option<Console>,
    pub failure: Option<Failure>,
}

/// Why it has not come to a good end.
pub struct Failure {
    pub kind: Kind,
    /// All that is known, for people.
    pub text: String,
    pub kernel: String,
    /// What has gone wrong, without the place.
    pub cause: Option<String>,
    /// Number of the CTA, and warp and thread in it.
    pub cta: Option<u32>,
    pub warp: Option<u32>,
    pub thread: Option<u32>,
    pub pc: Option<u32>,
    /// The innermost function first: function, file, line.
    pub frames: Vec<(Option<String>, Option<String>, Option<u32>)>,
    /// The launch is not over and never will be: the GPU must be made anew.
    pub is_left: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Fault,
    /// Nobody in a CTA can go on.
    Hang,
    Limit,
    Interrupted,
    /// The launch is none that the GPU takes.
    Grid,
    /// Anything else that the GPU says.
    Device,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Fault => "fault",
            Kind::Hang => "hang",
            Kind::Limit => "limit",
            Kind::Interrupted => "interrupted",
            Kind::Grid => "grid",
            Kind::Device => "device",
        }
    }
}

/// All that hardware says of it.
const WAITING: &str = "no thread can go on";

impl Failure {
    pub fn of(error: &Error, kernel: &str) -> Failure {
        let kind = match error {
            Error::Fault(_) | Error::Failed { .. } => Kind::Fault,
            // The launch is the only work that there is.
            Error::Hung(_) | Error::Stuck(_) => Kind::Hang,
            Error::Grid { .. } => Kind::Grid,
            Error::Killed { .. } | Error::TimeLimit { .. } | Error::Limit(_) => Kind::Limit,
            Error::Interrupted => Kind::Interrupted,
            _ => Kind::Device,
        };
        let mut failure = Failure {
            kind,
            text: match error {
                Error::Limit(_) => format!("kernel {kernel}: {error}"),
                Error::Stuck(_) => format!(
                    "kernel {kernel}: {WAITING}, at a barrier that does not open; the golden device says which"
                ),
                Error::Fault(fault) => shown(fault, kernel).to_string(),
                Error::Hung(hung) => Hung {
                    kernel: kernel.into(),
                    launch: None,
                    ..(**hung).clone()
                }
                .to_string(),
                error => error.to_string(),
            },
            kernel: kernel.into(),
            cause: None,
            cta: None,
            warp: None,
            thread: None,
            pc: None,
            frames: Vec::new(),
            is_left: error.is_left(),
        };
        match error {
            Error::Fault(fault) => {
                failure.cause = Some(fault.cause.to_string());
                failure.cta = Some(fault.cta);
                failure.warp = Some(fault.warp);
                failure.thread = Some(fault.thread);
                failure.pc = Some(fault.pc);
                let frames = shown(fault, kernel).frames.into_iter();
                let frames = frames.map(|f| (f.function, f.file, f.line));
                failure.frames = frames.collect();
            }
            Error::Hung(hung) => {
                failure.cause = Some("hangs at a barrier".into());
                failure.cta = Some(hung.cta);
                if let Some(first) = hung.stuck.first() {
                    failure.warp = Some(first.warp as u32);
                    failure.pc = Some(first.pc);
                }
            }
            Error::Stuck(_) => failure.cause = Some(WAITING.into()),
            _ => {}
        }
        failure
    }
}

fn shown(fault: &Fault, kernel: &str) -> Fault {
    Fault {
        kernel: kernel.into(),
        launch: None,
        ..fault.clone()
    }
}
