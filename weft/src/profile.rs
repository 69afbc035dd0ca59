//! `weft run --profile`: which source lines and functions execute most, and on the SM where warps wait.

use anyhow::{Context, Result};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use weft_cc::lines::{Frame, Lines};
use weft_sim::Record;
use weft_testbench::lockstep::{Observer, Retired};
use weft_testbench::sm::report::Watcher;

/// Lines of source, and functions, that are printed.
const MOST_LINES: usize = 16;
const MOST_FUNCTIONS: usize = 8;

/// Of an instruction, a line or a function.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Count {
    /// Instructions of warps, and of their threads.
    warp_instructions: u64,
    thread_instructions: u64,
    /// On the SM: cycles between the issue of the warp's instruction before and this one, less the one that an issue
    /// takes.
    waits: u64,
}

impl Count {
    fn add(&mut self, other: Count) {
        self.warp_instructions += other.warp_instructions;
        self.thread_instructions += other.thread_instructions;
        self.waits += other.waits;
    }

    /// What it costs: cycles of warps where they are known, else their instructions.
    fn cost(&self) -> u64 {
        self.warp_instructions + self.waits
    }
}

/// What the report file has of a line.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    function: String,
    file: Option<String>,
    line: Option<u32>,
    #[serde(flatten)]
    count: Count,
}

/// A run whose instructions are counted.
pub struct Profile {
    /// Threads of a warp.
    width: usize,
    /// By instruction index.
    counts: BTreeMap<u32, Count>,
    /// By warp slot of the SM: cycle of its latest issue.
    issued: Vec<Option<u64>>,
    /// Cycles were seen.
    timed: bool,
}

impl Profile {
    /// Of warps of so many threads.
    pub fn new(width: usize) -> Profile {
        Profile {
            width,
            counts: BTreeMap::new(),
            issued: Vec::new(),
            timed: false,
        }
    }

    /// An instruction of a warp is executed by these threads.
    pub fn executed(&mut self, record: &Record) {
        self.count(record.pc, record.mask, 0);
    }

    fn count(&mut self, pc: u32, mask: u64, waits: u64) {
        self.counts.entry(pc).or_default().add(Count {
            warp_instructions: 1,
            thread_instructions: mask.count_ones().into(),
            waits,
        });
    }

    /// Lines of source, the costliest first.
    pub fn rows(&self, lines: &Lines) -> Vec<Row> {
        let mut by_line: BTreeMap<(String, Option<String>, Option<u32>), Count> = BTreeMap::new();
        for (&pc, &count) in &self.counts {
            let frame = innermost(lines, pc);
            let key = (named(&frame, pc), frame.file, frame.line);
            by_line.entry(key).or_default().add(count);
        }
        let mut rows: Vec<_> = by_line
            .into_iter()
            .map(|((function, file, line), count)| Row {
                function,
                file,
                line,
                count,
            })
            .collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.count.cost()));
        rows
    }

    /// Two tables: lines, functions.
    pub fn table(&self, lines: &Lines) -> String {
        let rows = self.rows(lines);
        let mut all = Count::default();
        let mut functions: BTreeMap<&str, Count> = BTreeMap::new();
        for row in &rows {
            all.add(row.count);
            functions.entry(&row.function).or_default().add(row.count);
        }
        let mut text = String::from("profile by source line\n");
        self.head(&mut text);
        for row in rows.iter().take(MOST_LINES) {
            let place = match (&row.file, row.line) {
                (Some(file), Some(line)) => format!("{}:{line} in {}", short(file), row.function),
                _ => row.function.clone(),
            };
            self.line(&mut text, row.count, all, &place);
        }
        if let Some(more) = rows.len().checked_sub(MOST_LINES).filter(|&more| more > 0) {
            let _ = writeln!(text, "  and {more} more lines");
        }
        let mut functions: Vec<_> = functions.into_iter().collect();
        functions.sort_by_key(|(_, count)| std::cmp::Reverse(count.cost()));
        text.push_str("profile by function\n");
        self.head(&mut text);
        for (name, count) in functions.iter().take(MOST_FUNCTIONS) {
            self.line(&mut text, *count, all, name);
        }
        text
    }

    fn head(&self, text: &mut String) {
        let cycles = if self.timed { "      waits" } else { "" };
        let _ = writeln!(text, "  warp instr.   SIMD{cycles}  share  where");
    }

    fn line(&self, text: &mut String, count: Count, all: Count, place: &str) {
        let Count {
            warp_instructions,
            thread_instructions,
            waits,
        } = count;
        let slots = (warp_instructions * self.width as u64).max(1);
        let simd = 100 * thread_instructions / slots;
        let share = 100.0 * count.cost() as f64 / all.cost().max(1) as f64;
        let _ = write!(text, "  {warp_instructions:>11}  {simd:>3} %");
        if self.timed {
            let _ = write!(text, "  {waits:>9}");
        }
        let _ = writeln!(text, " {share:>4.1} %  {place}");
    }

    /// Folded stacks, one per instruction's inlined frames, for flame graphs: `kernel;square;nbody.c:20 1234`.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write_folded(&self, lines: &Lines, path: &Path) -> Result<()> {
        let mut stacks: BTreeMap<String, u64> = BTreeMap::new();
        for (&pc, count) in &self.counts {
            let frames = lines
                .place(pc << 2)
                .map_or(Vec::new(), |place| place.frames);
            let mut stack: Vec<String> = frames.iter().rev().map(|f| named(f, pc)).collect();
            stack.push(match frames.first() {
                Some(Frame {
                    file: Some(file),
                    line: Some(line),
                    ..
                }) => format!("{}:{line}", short(file)),
                _ => format!("{:#x}", pc << 2),
            });
            *stacks.entry(stack.join(";")).or_default() += count.cost();
        }
        let text: String = stacks.iter().map(|(s, n)| format!("{s} {n}\n")).collect();
        std::fs::write(path, text).with_context(|| format!("--folded {}", path.display()))
    }
}

/// The innermost of the functions that were inlined into one another.
fn innermost(lines: &Lines, pc: u32) -> Frame {
    let place = lines.place(pc << 2);
    let frame = place.and_then(|place| place.frames.into_iter().next());
    frame.unwrap_or(Frame {
        function: None,
        offset: 0,
        file: None,
        line: None,
    })
}

fn named(frame: &Frame, pc: u32) -> String {
    match &frame.function {
        Some(name) => name.clone(),
        None => format!("{:#x}", pc << 2),
    }
}

/// The name of a file without its folders.
fn short(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

impl Observer for Profile {
    fn retired(&mut self, event: &Retired) {
        self.executed(event.record);
    }
}

impl Watcher for Profile {
    fn issued(&mut self, cycle: u64, warp: usize, pc: u32, mask: u64) {
        self.timed = true;
        if self.issued.len() <= warp {
            self.issued.resize(warp + 1, None);
        }
        let before = self.issued[warp].replace(cycle);
        let waits = before.map_or(0, |before| cycle.saturating_sub(before + 1));
        self.count(pc, mask, waits);
    }

    fn retired(&mut self, _cycle: u64, record: &Record) {
        // The slot's next warp begins anew.
        if record.done {
            if let Some(issued) = self.issued.get_mut(record.warp) {
                *issued = None;
            }
        }
    }
}

/// Several who look on.
pub struct All<'a>(pub Vec<&'a mut dyn Watcher>);

impl Watcher for All<'_> {
    fn issued(&mut self, cycle: u64, warp: usize, pc: u32, mask: u64) {
        self.0
            .iter_mut()
            .for_each(|w| w.issued(cycle, warp, pc, mask));
    }

    fn retired(&mut self, cycle: u64, record: &Record) {
        self.0.iter_mut().for_each(|w| w.retired(cycle, record));
    }

    fn effect(&mut self, cycle: u64, warp: usize, op: u8, mask: u64) {
        self.0
            .iter_mut()
            .for_each(|w| w.effect(cycle, warp, op, mask));
    }
}
