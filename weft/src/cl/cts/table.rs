//! What came of it, as a table.

use super::suite::PROGRAMS;
use super::{Ending, Ran};
use std::fmt::Write;

pub fn word(ending: Ending) -> &'static str {
    match ending {
        Ending::Passed => "passed",
        Ending::Failed => "FAILED",
        Ending::Unsupported => "unsupported",
        Ending::Late => "TOO LATE",
    }
}

/// A row for each program, one for all, and the names of the tests that have failed.
pub fn text(ran: &[Ran]) -> String {
    let mut text = String::from(
        "| program | passed | failed | out of time | not supported | seconds |\n| --- | --- | --- | --- | --- | --- |\n",
    );
    for program in PROGRAMS {
        let of_it: Vec<_> = ran
            .iter()
            .filter(|ran| ran.program == program.name)
            .collect();
        if of_it.is_empty() {
            continue;
        }
        let arguments = program.arguments.iter().map(|word| format!(" {word}"));
        let name = format!("`{}{}`", program.name, arguments.collect::<String>());
        text += &row(&name, &of_it);
    }
    let all: Vec<_> = ran.iter().collect();
    text += &row("all", &all);
    for (ending, head) in [(Ending::Failed, "Failed"), (Ending::Late, "Out of time")] {
        let names = ran.iter().filter(|ran| ran.ending == ending);
        let names: Vec<_> = names
            .map(|ran| format!("`{}:{}`", ran.program, ran.name))
            .collect();
        if !names.is_empty() {
            let _ = write!(text, "\n{head}: {}.\n", names.join(", "));
        }
    }
    let absent = PROGRAMS.iter().map(|program| program.name);
    let absent: Vec<_> = absent
        .filter(|name| ran.iter().all(|ran| ran.program != *name))
        .collect();
    if !absent.is_empty() {
        let _ = write!(text, "\nNot run: {}.\n", absent.join(", "));
    }
    text
}

fn row(name: &str, ran: &[&Ran]) -> String {
    let count = |ending| ran.iter().filter(|ran| ran.ending == ending).count();
    let seconds: f64 = ran.iter().map(|ran| ran.seconds).sum();
    format!(
        "| {name} | {} | {} | {} | {} | {seconds:.0} |\n",
        count(Ending::Passed),
        count(Ending::Failed),
        count(Ending::Late),
        count(Ending::Unsupported),
    )
}
