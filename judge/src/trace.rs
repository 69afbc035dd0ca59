//! Traces of `weft_control`'s ports as JSON lines; docs/judge.md describes the format.
//!
//! The first line names the unit and its levels, each other one a transfer or a pulse, in the order in which they
//! happen:
//!
//! ```json
//! {"weft":"control","levels":{"warps":4,"threads":4,"forced_yield":1024}}
//! {"cycle":9,"launch":{"warp":0,"pc":0,"mask":15,"size":64}}
//! {"cycle":14,"issue":{"warp":0,"pc":0,"mask":15}}
//! {"cycle":14,"resolve":{"warp":0,"op":1,"kind":0,"mask":3,"target":5}}
//! {"cycle":17,"retire":{"warp":0,"op":1,"pc":0,"next_pc":5,"next_mask":3,"depth":1}}
//! ```

use crate::judge::{Judge, Levels, Mismatch, Retire};
use crate::operation::Resolve;
use serde::Deserialize;
use std::io::{BufRead, ErrorKind, Read};

/// What was judged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Lines behind the first.
    pub lines: u64,
    /// Operations that retired, and exceptions, all as the model says.
    pub retired: u64,
    /// Warps that had not ended when the trace did.
    pub running: Vec<usize>,
}

/// Why a trace was not accepted. All but [`Error::Read`] and [`Error::Nothing`] name the line, from 1 on.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] std::io::Error),
    /// A line is not in the format.
    #[error("line {line}: {what}")]
    Format {
        /// From 1 on.
        line: u64,
        /// What is wrong with it.
        what: String,
    },
    /// The trace says something else than the model.
    #[error("line {line}{}: {mismatch}", .cycle.map(|c| format!(", cycle {c}")).unwrap_or_default())]
    Mismatch {
        /// From 1 on.
        line: u64,
        /// Its `cycle`, if it has one.
        cycle: Option<u64>,
        /// What differs.
        mismatch: Mismatch,
    },
    /// No operation has retired: nothing has been judged.
    #[error("no operation retires in this trace, so nothing was judged")]
    Nothing,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    weft: String,
    levels: Levels,
}

/// Exactly one of the events.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    cycle: Option<u64>,
    launch: Option<Launch>,
    issue: Option<Issue>,
    resolve: Option<Resolved>,
    retire: Option<Retire>,
    exception: Option<Exception>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Launch {
    warp: usize,
    pc: u32,
    mask: u64,
    size: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Issue {
    warp: usize,
    pc: u32,
    mask: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Resolved {
    warp: usize,
    op: u8,
    #[serde(default)]
    kind: u8,
    #[serde(default)]
    mask: u64,
    #[serde(default)]
    target: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exception {
    warp: usize,
    pc: u32,
    cause: u8,
}

/// Bytes of a line, which has some hundred.
const LONGEST: u64 = 1 << 20;

/// The lines of a trace; an error for one that does not seem to end.
fn lines(mut trace: impl BufRead) -> impl Iterator<Item = std::io::Result<String>> {
    std::iter::from_fn(move || {
        let mut line = String::new();
        match (&mut trace).take(LONGEST).read_line(&mut line) {
            Ok(0) => None,
            Ok(bytes) if bytes as u64 == LONGEST => {
                let text = format!("a line of {LONGEST} bytes and more is no trace");
                Some(Err(std::io::Error::new(ErrorKind::InvalidData, text)))
            }
            Ok(_) => {
                line.truncate(line.trim_end_matches(['\r', '\n']).len());
                Some(Ok(line))
            }
            Err(error) => Some(Err(error)),
        }
    })
}

/// Reads a trace to its end, or to the first thing that is wrong.
///
/// # Errors
/// See [`Error`].
pub fn judge(trace: impl BufRead) -> Result<Summary, Error> {
    let mut lines = (1..).zip(lines(trace));
    let format = |line, what: String| Error::Format { line, what };
    let (_, first) = lines
        .next()
        .ok_or_else(|| format(1, "the trace is empty".into()))?;
    let header: Header = serde_json::from_str(&first?).map_err(|e| format(1, e.to_string()))?;
    if header.weft != "control" {
        let what = format!(
            "\"weft\" is \"{}\"; only traces of \"control\" are judged",
            header.weft
        );
        return Err(format(1, what));
    }
    let mismatch = |line, cycle, mismatch| Error::Mismatch {
        line,
        cycle,
        mismatch,
    };
    let mut judge = Judge::new(header.levels).map_err(|m| mismatch(1, None, m))?;
    let mut summary = Summary::default();
    for (number, text) in lines {
        let text = text?;
        if text.trim().is_empty() {
            continue;
        }
        let line: Line = serde_json::from_str(&text).map_err(|e| format(number, e.to_string()))?;
        let cycle = line.cycle;
        let event = line.event().ok_or_else(|| {
            let what = "a line has one of launch, issue, resolve, retire and exception";
            format(number, what.into())
        })?;
        tell(&mut judge, event).map_err(|m| mismatch(number, cycle, m))?;
        summary.lines += 1;
    }
    summary.retired = judge.retired();
    summary.running = judge.running().collect();
    match summary.retired {
        0 => Err(Error::Nothing),
        _ => Ok(summary),
    }
}

enum Happened {
    Launch(Launch),
    Issue(Issue),
    Resolve(Resolved),
    Retire(Retire),
    Exception(Exception),
}

impl Line {
    fn event(self) -> Option<Happened> {
        let all = [
            self.launch.map(Happened::Launch),
            self.issue.map(Happened::Issue),
            self.resolve.map(Happened::Resolve),
            self.retire.map(Happened::Retire),
            self.exception.map(Happened::Exception),
        ];
        let mut there = all.into_iter().flatten();
        let event = there.next()?;
        there.next().is_none().then_some(event)
    }
}

fn tell(judge: &mut Judge, event: Happened) -> Result<(), Mismatch> {
    match event {
        Happened::Launch(l) => judge.launch(l.warp, l.pc, l.mask, l.size),
        Happened::Issue(i) => judge.issue(i.warp, i.pc, i.mask),
        Happened::Resolve(r) => judge.resolve(
            r.warp,
            Resolve {
                op: r.op,
                kind: r.kind,
                mask: r.mask,
                target: r.target,
            },
        ),
        Happened::Retire(r) => judge.retire(&r),
        Happened::Exception(e) => judge.exception(e.warp, e.pc, e.cause),
    }
}
