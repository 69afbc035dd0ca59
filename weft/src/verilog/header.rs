//! The first lines of every file: version, unit, size, licence, and the command that makes the file.

use super::Request;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use weft_generate::{Config, Unit};

/// How a file marks its comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comment {
    /// `//`
    Slashes,
    /// `#`, after a first line that the format demands, or that is to be read first.
    Hashes,
    /// `<!-- -->`, after the declaration of an XML file.
    Markup,
    /// The format has none; the text says it itself.
    None,
}

impl Comment {
    pub(super) fn of(name: &str) -> Self {
        match name.rsplit('.').next() {
            Some("core" | "tcl" | "sdc" | "csv") => Comment::Hashes,
            Some("md" | "svd") => Comment::Markup,
            Some("json") => Comment::None,
            _ => Comment::Slashes,
        }
    }
}

pub(super) struct Header {
    pub lines: Vec<String>,
}

impl Header {
    pub(super) fn new(request: &Request) -> Self {
        let what = request.unit.entry().title;
        Header {
            lines: vec![
                format!(
                    "Weft {}: {}, {what}",
                    env!("CARGO_PKG_VERSION"),
                    request.design.top()
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
            Comment::None => text.into(),
            Comment::Markup => {
                let declaration = text.find("?>\n").filter(|_| text.starts_with("<?xml"));
                let (before, rest) = text.split_at(declaration.map_or(0, |at| at + 3));
                format!("{before}<!--\n{}-->\n{rest}", marked(""))
            }
        }
    }
}

/// Whether a file begins with the lines of a request for this unit.
pub(super) fn is_of(path: &Path, top: &str) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(1024).read_to_end(&mut head));
    let head = String::from_utf8_lossy(&head);
    let mut lines = head.lines();
    let unit = format!(": {top}, ");
    let ours = lines.any(|line| line.contains("Weft ") && line.contains(&unit));
    read.is_ok() && ours && lines.any(|line| line.contains("Made by: cargo weft verilog "))
}

/// Name of the configuration with this size, else the size: so that it does not matter how it was asked for.
pub(super) fn name(request: &Request) -> String {
    let config = request.config();
    match Config::NAMED.iter().find(|(_, named)| *named == config) {
        Some((name, _)) => (*name).into(),
        None => request.design.base(),
    }
}

/// The size in words.
pub(super) fn words(request: &Request) -> String {
    let config = request.config();
    let mut words = format!(
        "{} warps, {} threads per warp",
        config.warps, config.threads
    );
    let partitions = request.design.value("partitions");
    if partitions > 1 {
        words.push_str(&format!(", {partitions} partitions"));
    }
    if request.unit.has_window() {
        words.push_str(&format!(
            ", token window of {} front and {} back",
            config.front, config.back
        ));
    }
    if request.design.dual() {
        words.push_str(", up to two instructions of one warp per cycle");
    }
    let others = request.others().into_iter();
    for (name, value) in others.filter(|(name, _)| *name != "partitions") {
        words.push_str(&format!(", {name} = {value}"));
    }
    words
}

fn command(request: &Request) -> String {
    let mut command = format!("cargo weft verilog --config {}", name(request));
    if request.unit != Unit::Control {
        command.push_str(&format!(" --unit {}", request.unit.name()));
    }
    for (name, value) in request.others() {
        command.push_str(&format!(" --set {name}={value}"));
    }
    if !request.prefix.is_empty() {
        command.push_str(&format!(" --prefix {}", request.prefix));
    }
    if request.design.dual() {
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
