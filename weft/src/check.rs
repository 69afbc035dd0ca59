//! `weft run --check` (`docs/spec/check.md`).

use crate::report::Ending;
use std::ops::Range;
use weft_isa::Program;
use weft_sim::check::{Checker, Names};

/// Findings that are told.
const MOST: usize = 20;

/// A run that is looked at.
pub struct Check {
    checker: Option<Box<Checker>>,
    names: Names,
}

impl Check {
    /// Of CTAs of `each` threads, whose stacks are in this part of global memory.
    pub fn new(program: &Program, each: u32, stacks: Range<u32>) -> Check {
        Check {
            checker: Some(Box::new(Checker::new(program, each, stacks))),
            names: Names::of_program(program),
        }
    }

    /// Who looks on.
    pub fn checker(&mut self) -> &mut Option<Box<Checker>> {
        &mut self.checker
    }

    /// Adds what it has found to what else is wrong.
    pub fn tell(mut self, findings: &mut Vec<String>, ending: &mut Ending) {
        let Some(checker) = &mut self.checker else {
            return;
        };
        let found = checker.findings();
        findings.extend(found.iter().take(MOST).map(|f| f.text(&self.names)));
        if let Some(more) = found.len().checked_sub(MOST).filter(|more| *more > 0) {
            findings.push(format!("--check has found {more} more"));
        }
        if !found.is_empty() && *ending == Ending::Done {
            *ending = Ending::Fault;
        }
    }
}
