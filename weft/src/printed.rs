//! What a program has printed, and what its faults mean in its source.

use crate::Exit;
use anyhow::{bail, Context, Result};
use serde::Serialize;
use std::io::Write;
use weft_cc::console::{self, Image, Words};
use weft_cc::lines::Lines;
use weft_cc::SCRATCHPAD;
use weft_isa::Program;
use weft_sim::space::LOCAL;
use weft_sim::Memory;

/// Threads that have stopped themselves: often all of a grid do, for one reason.
const MOST_STOPS: usize = 16;

#[derive(Serialize)]
pub struct Printed {
    /// The output of all threads, in the order of their numbers.
    text: String,
    /// Calls of printf that found no room.
    lost: u64,
    /// What the first thread said that ended with another code than 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    exit: Option<i32>,
    #[serde(skip)]
    console: console::Console,
}

struct View<'a>(&'a Memory);

impl Words for View<'_> {
    fn word(&self, address: u32) -> Option<u32> {
        self.0.read_u32(address).ok()
    }
}

/// Of a program with a console whose run has come to an end.
pub fn read(program: &Program, memory: &Memory, threads: u32) -> Option<Printed> {
    let mut names = console::SYMBOLS.iter();
    let address = *names.find_map(|name| program.symbols.get(*name))?;
    console::read(&Image(program), &View(memory), address, threads).map(of)
}

/// What a console has held.
pub fn of(console: console::Console) -> Printed {
    Printed {
        text: String::from_utf8_lossy(&console.text).into_owned(),
        lost: console.lost,
        exit: console.exits.first().map(|(_, code)| *code),
        console,
    }
}

impl Printed {
    /// What threads said that have stopped themselves, before the other findings. That such a thread did so by a
    /// breakpoint is no news.
    pub fn stopped(&self, findings: &mut Vec<String>) {
        let stops = &self.console.stops;
        findings.retain(|finding| stops.is_empty() || !is_own(finding));
        let more = stops.len().saturating_sub(MOST_STOPS);
        let more = (more > 0).then(|| format!("{more} more threads have stopped themselves"));
        let shown = stops.iter().take(MOST_STOPS).cloned();
        findings.splice(0..0, shown.chain(more));
    }

    /// Byte for byte, and a line end where there is none; what is missing is told.
    pub fn show(&self) -> Result<()> {
        let console = &self.console;
        let mut out = std::io::stdout().lock();
        let mut write = || {
            out.write_all(&console.text)?;
            if console.text.last().is_some_and(|last| *last != b'\n') {
                out.write_all(b"\n")?;
            }
            out.flush()
        };
        write().context("standard output")?;
        if console.lost > 0 && console.shared {
            eprintln!(
                "warning: {} calls of printf found no room: there are {} bytes for all work-items; \
                 build with a larger --console",
                console.lost, console.room
            );
        } else if console.lost > 0 {
            eprintln!(
                "warning: {} calls of printf, in {} threads, found no room: a thread has {} bytes; \
                 build with a larger --console",
                console.lost, console.threads_with_losses, console.room
            );
        }
        Ok(())
    }

    /// CC-024: the code with which the run ends if nothing is wrong; a line says which threads asked for it.
    pub fn exit_code(&self) -> u8 {
        let code = self.console.exit_code();
        let mut exits = self.console.exits.iter();
        if let Some((thread, said)) = exits
            .find(|(_, said)| *said as u8 == code)
            .filter(|_| code != 0)
        {
            let more = match self.console.exits.len() - 1 {
                0 => String::new(),
                n => format!(", and {n} more threads with codes other than 0"),
            };
            eprintln!("thread {thread}: exit({said}){more}");
        }
        code
    }

    /// CC-026: a finding, where stores of the program have gone into the console.
    pub fn damage(&self) -> Option<String> {
        let console = &self.console;
        let whose = match console.damaged.as_slice() {
            _ if console.torn => "output may be missing".into(),
            [] if !console.head_damaged => return None,
            [] => "what was printed is all there".into(),
            [thread] => format!("output of thread {thread} may be missing"),
            [thread, more @ ..] => {
                format!(
                    "output of thread {thread} and {} more threads may be missing",
                    more.len()
                )
            }
        };
        Some(format!(
            "the console's memory was overwritten by a store: {whose}; some store goes beyond its object"
        ))
    }
}

/// The finding's innermost function is one by which a thread stops itself.
fn is_own(finding: &str) -> bool {
    let is_name = |c: char| c == '_' || c.is_ascii_alphanumeric();
    let at = finding.split(" in ").nth(1).unwrap_or_default();
    let name = at.split(|c| !is_name(c)).next().unwrap_or_default();
    matches!(name, "__weft_assert_failed" | "abort")
}

/// Who has called the place that a thread has faulted at, if that is outside of the program's text: a line of its own,
/// else nothing. `ra`: of the thread.
pub fn caller(program: &Program, pc: u32, ra: Option<u32>) -> String {
    let text = program.text.0..program.text.1;
    let call = ra.map(|ra| ra.wrapping_sub(4));
    match call.filter(|call| !text.contains(&pc) && text.contains(call)) {
        Some(call) => format!("\n  called from {call:#x}"),
        None => String::new(),
    }
}

/// A thread of an SM whose stack is full reaches below its local memory, where nothing is mapped.
pub fn below_the_stack(unmapped: u32) -> Option<String> {
    let over = LOCAL
        .checked_sub(unmapped)
        .filter(|over| *over <= 1 << 20)?;
    Some(format!(
        "stack overflow: {unmapped:#010x} is {over} bytes below the end of the thread's stack; \
         --local N gives each thread more"
    ))
}

/// A thread of a CTA reaches behind the end of its scratchpad.
pub fn in_the_scratchpad(unmapped: u32) -> Option<String> {
    let offset = unmapped
        .checked_sub(SCRATCHPAD)
        .filter(|offset| *offset < 1 << 20)?;
    Some(format!(
        "{unmapped:#010x} is byte {offset} of the scratchpad; --scratchpad N gives each CTA more"
    ))
}

/// A finding of one or more lines, each with the place of the first address of code in it.
pub fn with_places(finding: &str, lines: &Lines) -> String {
    let address = |text: &str| {
        let end = text.find(|c: char| !c.is_ascii_hexdigit());
        u32::from_str_radix(&text[..end.unwrap_or(text.len())], 16).ok()
    };
    let with_place = |line: &str| {
        let mut addresses = line.split("0x").skip(1).filter_map(address);
        match addresses.find_map(|pc| lines.place(pc)) {
            Some(place) => format!("{line}, in {place}"),
            None => line.to_string(),
        }
    };
    finding
        .lines()
        .map(with_place)
        .collect::<Vec<_>>()
        .join("\n")
}

/// CC-024: how a run ends that has come to its end: with the program's own code, if nothing is wrong with it.
pub fn ended(fine: bool, printed: Option<&Printed>) -> Result<bool> {
    match printed.map_or(0, Printed::exit_code) {
        code if fine && code != 0 => bail!(Exit(code)),
        _ => Ok(fine),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_innermost_function_stops_a_thread_itself() {
        for (own, finding) in [
            (
                true,
                "fault: warp 1, pc 0x10: breakpoint\n  in abort (weft.c:3)\n  in kernel (k.c:1)",
            ),
            (
                true,
                "fault: CTA 0, pc 0x10: breakpoint, in __weft_assert_failed (weft.c:9)",
            ),
            (
                false,
                "kernel k, pc 0x10: access to unmapped address 0x0\n  in abort_all (k.c:3)",
            ),
            (
                false,
                "kernel k, pc 0x10: breakpoint\n  in stop (k.c:3)\n  in abort (weft.c:3)",
            ),
            (false, "fault: pc 0x10: breakpoint"),
        ] {
            assert_eq!(is_own(finding), own, "{finding}");
        }
    }
}
