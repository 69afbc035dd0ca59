//! The first lines of every file: version, unit, size, licence, and the command that makes the file.

use super::Request;
use weft_hdl::{Config, Unit};

/// How a file marks its comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comment {
    /// `//`
    Slashes,
    /// `#`, after a first line that the format demands, or that is to be read first.
    Hashes,
    /// `<!-- -->`
    Markup,
}

impl Comment {
    pub(super) fn of(name: &str) -> Self {
        match name.rsplit('.').next() {
            Some("core" | "tcl" | "sdc") => Comment::Hashes,
            Some("md") => Comment::Markup,
            _ => Comment::Slashes,
        }
    }
}

pub(super) struct Header {
    lines: Vec<String>,
}

impl Header {
    pub(super) fn new(request: &Request) -> Self {
        let what = match request.unit {
            Unit::Core => "core",
            Unit::Control => "control plane",
            Unit::Convergence => "convergence unit",
            Unit::Scheduler => "warp scheduler",
            Unit::Barrier => "barrier unit",
            Unit::Masks => "mask unit",
            Unit::Wavefront => "wavefront unit",
        };
        Header {
            lines: vec![
                format!(
                    "Weft {}: {}, {what}",
                    env!("CARGO_PKG_VERSION"),
                    request.unit.top()
                ),
                format!("Configuration {}: {}", name(request), words(request)),
                format!("Made by: {}", command(request)),
                "Copyright (c) 2026 The Weft contributors".into(),
                "SPDX-License-Identifier: MIT".into(),
            ],
        }
    }

    /// The text with these lines at its beginning.
    pub(super) fn on(&self, comment: Comment, text: &str) -> String {
        let marked = |mark: &str| -> String {
            let lines = self.lines.iter();
            lines.map(|line| format!("{mark}{line}\n")).collect()
        };
        match comment {
            Comment::Slashes => marked("// ") + text,
            Comment::Hashes => match text.split_once('\n') {
                Some((first, rest)) => format!("{first}\n{}{rest}", marked("# ")),
                None => marked("# ") + text,
            },
            Comment::Markup => format!("<!--\n{}-->\n{text}", marked("")),
        }
    }
}

/// Name of the configuration with this size, else the size: so that it does not matter how it was asked for.
pub(super) fn name(request: &Request) -> String {
    let config = request.config;
    match Config::NAMED.iter().find(|(_, named)| *named == config) {
        Some((name, _)) => (*name).into(),
        None => request.unit.size(config),
    }
}

/// The size in words.
pub(super) fn words(request: &Request) -> String {
    let config = request.config;
    let mut words = format!(
        "{} warps, {} threads per warp",
        config.warps, config.threads
    );
    if config.partitions > 1 {
        words.push_str(&format!(", {} partitions", config.partitions));
    }
    if config.level_bits != 4 {
        words.push_str(&format!(", levels of {} bits", config.level_bits));
    }
    if request.unit.has_window() {
        words.push_str(&format!(
            ", token window of {} front and {} back",
            config.front, config.back
        ));
    }
    if request.dual {
        words.push_str(", up to two instructions of one warp per cycle");
    }
    words
}

fn command(request: &Request) -> String {
    let mut command = format!("cargo weft verilog --config {}", name(request));
    if request.unit != Unit::Control {
        let unit = request.unit.top().trim_start_matches("weft_");
        command.push_str(&format!(" --unit {}", unit.replace('_', "-")));
    }
    if request.dual {
        command.push_str(" --dual");
    }
    if request.bundle {
        command.push_str(" --bundle");
    }
    if request.wrapper {
        command.push_str(" --wrapper");
    }
    if request.scripts {
        command.push_str(" --scripts");
    }
    command + " -o DIR"
}
