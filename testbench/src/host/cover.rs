//! What random programs of the front end have met.

use super::bench::{Bench, Happening};
use std::collections::BTreeMap;
use weft_sim::host::front::command;
use weft_sim::host::{Code, Outcome};

/// Codes that a channel can have, but for those of descriptors.
const CODES: [Code; 15] = [
    Code::Number,
    Code::RingAddress,
    Code::GetRange,
    Code::PutRange,
    Code::Locked,
    Code::ShadowAddress,
    Code::EntryReserved,
    Code::EntryLength,
    Code::BlockAddress,
    Code::CommandUnknown,
    Code::CommandSize,
    Code::CommandFlags,
    Code::SemAddress,
    Code::AcquireTimeout,
    Code::Memory,
];

#[derive(Clone, Debug, Default)]
pub struct Cover {
    counts: BTreeMap<String, u64>,
}

impl Cover {
    /// All that must be met.
    fn names() -> Vec<String> {
        let mut names: Vec<String> = CODES
            .iter()
            .map(|c| format!("error {}", c.text()))
            .collect();
        names.push("error of a descriptor".into());
        for (kind, &(_, has)) in command::SHAPES.iter().enumerate() {
            for flags in (0..4).filter(|f| f & !has == 0) {
                names.push(format!("command {kind} flags {flags}"));
            }
        }
        names.extend(
            [
                "entry",
                "acquire waits",
                "acquire passes after waiting",
                "waits for idle",
                "release waits for idle",
                "another channel steps while one waits",
                "GP_PUT during a step of its channel",
                "GP_PUT empties",
                "disabled inside a block",
                "ring behind the memory",
                "later word of a command behind the memory",
                "read",
                "reset",
                "reset with something under way",
            ]
            .map(String::from),
        );
        names
    }

    fn hit(&mut self, name: impl Into<String>) {
        *self.counts.entry(name.into()).or_default() += 1;
    }

    /// There was a reset; `busy`: with something under way.
    pub fn reset(&mut self, busy: bool) {
        self.hit("reset");
        if busy {
            self.hit("reset with something under way");
        }
    }

    /// What happened on this bench.
    pub fn add(&mut self, bench: &Bench) {
        let channels = bench.size().channels;
        let (mut acquiring, mut waiting) = (vec![false; channels], None);
        for happening in &bench.happened {
            match *happening {
                Happening::Step { step, .. } => {
                    let c = step.channel;
                    let (kind, flags) = (step.word & 0xff, step.word >> 8 & 0xff);
                    if waiting.is_some_and(|w| w != c) {
                        self.hit("another channel steps while one waits");
                    }
                    match step.outcome {
                        Outcome::Executed if step.is_command => {
                            self.hit(format!("command {kind} flags {flags}"));
                            if acquiring[c] {
                                self.hit("acquire passes after waiting");
                            }
                        }
                        Outcome::Executed => self.hit("entry"),
                        Outcome::Waits => {
                            waiting = Some(c);
                            self.hit(match kind {
                                command::SEM_ACQUIRE => "acquire waits",
                                command::SEM_RELEASE => "release waits for idle",
                                _ => "waits for idle",
                            });
                        }
                        Outcome::Wrong(wrong) => {
                            self.error(wrong.code);
                            let first = wrong.place == step.address;
                            match (wrong.code, step.is_command) {
                                (Code::Memory, false) => self.hit("ring behind the memory"),
                                (Code::Memory, true) if !first => {
                                    self.hit("later word of a command behind the memory");
                                }
                                _ => {}
                            }
                        }
                    }
                    acquiring[c] = step.outcome == Outcome::Waits && kind == command::SEM_ACQUIRE;
                }
                Happening::Written(written) => {
                    if let Some(code) = written.error {
                        self.error(code);
                    }
                    if written.doorbell && written.in_step {
                        self.hit("GP_PUT during a step of its channel");
                    }
                    if written.doorbell && written.empty {
                        self.hit("GP_PUT empties");
                    }
                    if written.disabled_inside {
                        self.hit("disabled inside a block");
                    }
                }
                Happening::Read { .. } => self.hit("read"),
            }
        }
    }

    fn error(&mut self, code: Code) {
        match code as u8 {
            32.. => self.hit("error of a descriptor"),
            _ => self.hit(format!("error {}", code.text())),
        }
    }

    /// How often each thing was met, those that never were among them.
    pub fn counts(&self) -> BTreeMap<String, u64> {
        let mut counts: BTreeMap<_, _> = Cover::names().into_iter().map(|n| (n, 0)).collect();
        counts.extend(self.counts.clone());
        counts
    }

    /// What was never met.
    pub fn missing(&self) -> Vec<String> {
        let names = Cover::names().into_iter();
        names.filter(|n| !self.counts.contains_key(n)).collect()
    }
}

impl std::fmt::Display for Cover {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (name, count) in &self.counts {
            writeln!(f, "  {count:8}  {name}")?;
        }
        Ok(())
    }
}
