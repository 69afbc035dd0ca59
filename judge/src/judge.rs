//! Compares what retires with the model of the convergence unit.

use crate::operation::{operation, Resolve};
use serde::{Deserialize, Serialize};
use std::fmt;
use weft_sim::{Event, Exception, PathPolicy, Policy, Record, Warp};

/// Size and levels of the unit that is judged: those at its `cfg_*` ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Levels {
    /// NW, 1 to 64.
    pub warps: usize,
    /// W: 4, 8, 16, 32 or 64.
    pub threads: usize,
    /// `cfg_yield_every` (CONV-050).
    #[serde(default = "one")]
    pub yield_every: u16,
    /// `cfg_forced_yield` (CONV-055).
    #[serde(default)]
    pub forced_yield: u16,
    /// `cfg_path` (CONV-011).
    #[serde(default)]
    pub path: u8,
    /// `cfg_lanes`, log2 of the lanes (CONV-121).
    #[serde(default)]
    pub lanes: u8,
    /// `cfg_yield_random` (CONV-052).
    #[serde(default)]
    pub yield_random: bool,
    /// `cfg_yield_threshold`, of 65,536.
    #[serde(default)]
    pub yield_threshold: u16,
    /// `cfg_yield_seed`.
    #[serde(default)]
    pub yield_seed: u16,
}

fn one() -> u16 {
    1
}

impl Levels {
    fn check(&self) -> Result<Policy, Mismatch> {
        if !(1..=weft_sim::config::MAX_WARPS).contains(&self.warps) {
            return Err(Mismatch::Levels(format!(
                "{} warps: 1 to 64 are possible",
                self.warps
            )));
        }
        if !matches!(self.threads, 4 | 8 | 16 | 32 | 64) {
            let text = format!("{} threads: 4, 8, 16, 32 or 64 are possible", self.threads);
            return Err(Mismatch::Levels(text));
        }
        Ok(Policy {
            yield_every: self.yield_every,
            yield_random: self.yield_random,
            yield_threshold: self.yield_threshold,
            yield_seed: self.yield_seed,
            forced_yield: self.forced_yield,
            path: PathPolicy::from_code(self.path),
            lanes: if self.lanes > 6 { 0 } else { 1 << self.lanes },
        })
    }
}

/// `retire_*` of one cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Retire {
    /// `retire_warp`.
    pub warp: usize,
    /// `retire_op`.
    pub op: u8,
    /// `retire_pc`.
    pub pc: u32,
    /// `retire_next_pc`; says nothing when the warp is done or blocked.
    pub next_pc: u32,
    /// `retire_next_mask`.
    pub next_mask: u64,
    /// `retire_done`.
    #[serde(default, deserialize_with = "flag")]
    pub done: bool,
    /// `retire_blocked`.
    #[serde(default, deserialize_with = "flag")]
    pub blocked: bool,
    /// `retire_depth`.
    pub depth: usize,
    /// `retire_dropped`.
    #[serde(default, deserialize_with = "flag")]
    pub dropped: bool,
}

/// 0 or 1, as Verilog prints them, or `true` or `false`.
fn flag<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "0, 1, true or false")]
    enum Flag {
        Bool(bool),
        Number(u8),
    }
    match Flag::deserialize(deserializer)? {
        Flag::Bool(value) => Ok(value),
        Flag::Number(number @ (0 | 1)) => Ok(number == 1),
        Flag::Number(number) => Err(serde::de::Error::custom(format!("{number} is not 0 or 1"))),
    }
}

/// What the unit, or the datapath, did otherwise than the specification says.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Mismatch {
    /// The levels name no unit.
    #[error("{0}")]
    Levels(String),
    /// No such warp.
    #[error("warp {0}: there are {1}")]
    NoWarp(usize, usize),
    /// The datapath's fault: a transfer that the rules of the ports do not allow.
    #[error("warp {warp}: {what}")]
    Rule {
        /// The warp.
        warp: usize,
        /// What is not allowed.
        what: String,
    },
    /// A field differs.
    #[error("warp {warp}: {field} is {found}, by the model {expected}")]
    Differs {
        /// The warp.
        warp: usize,
        /// The port.
        field: &'static str,
        /// At the port.
        found: String,
        /// By the model.
        expected: String,
    },
}

#[derive(Debug, Default)]
struct Slot {
    control: Option<Warp>,
    /// A launch that has to end in an exception (SPILL-024): its pc and cause.
    refused: Option<(u32, u8)>,
    /// An instruction was offered and not resolved yet.
    issued: bool,
    /// Taken, and not retired yet: an operation, a wake.
    operation: Option<Resolve>,
    wake: Option<Resolve>,
}

/// Follows one `weft_control`.
#[derive(Debug)]
pub struct Judge {
    levels: Levels,
    policy: Policy,
    slots: Vec<Slot>,
    retired: u64,
}

impl Judge {
    /// A unit after reset.
    ///
    /// # Errors
    /// [`Mismatch::Levels`].
    pub fn new(levels: Levels) -> Result<Judge, Mismatch> {
        let policy = levels.check()?;
        Ok(Judge {
            levels,
            policy,
            slots: (0..levels.warps).map(|_| Slot::default()).collect(),
            retired: 0,
        })
    }

    /// Operations that have been compared.
    pub fn retired(&self) -> u64 {
        self.retired
    }

    /// Warps that have been launched and have not ended.
    pub fn running(&self) -> impl Iterator<Item = usize> + '_ {
        let slots = self.slots.iter().enumerate();
        slots
            .filter(|(_, s)| s.control.is_some())
            .map(|(warp, _)| warp)
    }

    /// A transfer at `launch_*`. `tokens`: `launch_size`.
    ///
    /// # Errors
    /// The warp runs, or the mask is empty or too wide.
    pub fn launch(
        &mut self,
        warp: usize,
        pc: u32,
        mask: u64,
        tokens: usize,
    ) -> Result<(), Mismatch> {
        let (policy, width) = (self.policy, self.levels.threads);
        let slot = self.slot(warp)?;
        if slot.control.is_some() {
            return Err(rule(warp, "is launched while it runs"));
        }
        if mask == 0 || mask & !(u64::MAX >> (64 - width)) != 0 {
            let what = format!("is launched with mask {mask:#x}; it has {width} threads");
            return Err(Mismatch::Rule { warp, what });
        }
        *slot = Slot::default();
        match Warp::launch(warp, width, tokens, policy, pc, mask) {
            Ok(control) => slot.control = Some(control),
            Err(exception) => slot.refused = Some((pc, exception.code())),
        }
        Ok(())
    }

    /// A transfer at `issue_*`.
    ///
    /// # Errors
    /// It is not the instruction and the mask that come next.
    pub fn issue(&mut self, warp: usize, pc: u32, mask: u64) -> Result<(), Mismatch> {
        let slot = self.slot(warp)?;
        let Some(control) = &slot.control else {
            return Err(rule(warp, "is issued, but does not run"));
        };
        if slot.issued || slot.operation.is_some() {
            return Err(rule(warp, "is issued with an instruction under way"));
        }
        let (right_pc, right_mask) = (control.pc(), control.active());
        differ(warp, "issue_pc", hex(pc), hex(right_pc))?;
        differ(warp, "issue_mask", hex(mask), hex(right_mask))?;
        slot.issued = true;
        Ok(())
    }

    /// A transfer at `resolve_*`.
    ///
    /// # Errors
    /// Nothing was issued that it could answer, or an operation of the warp is on its way.
    pub fn resolve(&mut self, warp: usize, resolve: Resolve) -> Result<(), Mismatch> {
        let slot = self.slot(warp)?;
        if slot.operation.is_some() || slot.wake.is_some() {
            return Err(rule(warp, "is resolved with an operation on its way"));
        }
        if resolve.is_wake() {
            slot.wake = Some(resolve);
            return Ok(());
        }
        if !std::mem::take(&mut slot.issued) {
            return Err(rule(
                warp,
                "is resolved, but nothing was issued: each issue has one resolve",
            ));
        }
        slot.operation = Some(resolve);
        Ok(())
    }

    /// A cycle with `retire_valid`.
    ///
    /// # Errors
    /// The model retires something else, or nothing.
    pub fn retire(&mut self, found: &Retire) -> Result<(), Mismatch> {
        let warp = found.warp;
        match self.step(warp)? {
            Ok(record) => {
                compare(found, &record)?;
                self.retired += 1;
                if record.done {
                    self.slots[warp] = Slot::default();
                }
                Ok(())
            }
            Err((_, cause)) => {
                let what = format!("retires, but exception {cause} has to come");
                Err(Mismatch::Rule { warp, what })
            }
        }
    }

    /// A cycle with `exception_valid`. RECENTER (14) ends no operation and is not judged.
    ///
    /// # Errors
    /// The model raises another exception, or none.
    pub fn exception(&mut self, warp: usize, pc: u32, cause: u8) -> Result<(), Mismatch> {
        const RECENTER: u8 = 14;
        if cause == RECENTER {
            return self.slot(warp).map(|_| ());
        }
        match self.step(warp)? {
            Ok(record) => {
                let what = format!(
                    "exception {cause}, but {} has to retire",
                    record.event.name()
                );
                Err(Mismatch::Rule { warp, what })
            }
            Err((right_pc, right_cause)) => {
                differ(warp, "exception_pc", hex(pc), hex(right_pc))?;
                differ(warp, "exception_cause", cause, right_cause)?;
                self.slots[warp] = Slot::default();
                self.retired += 1;
                Ok(())
            }
        }
    }

    fn slot(&mut self, warp: usize) -> Result<&mut Slot, Mismatch> {
        let warps = self.slots.len();
        self.slots
            .get_mut(warp)
            .ok_or(Mismatch::NoWarp(warp, warps))
    }

    /// What the warp retires next: a record, or the pc and cause of an exception.
    fn step(&mut self, warp: usize) -> Result<Result<Record, (u32, u8)>, Mismatch> {
        let slot = self.slot(warp)?;
        if let Some(refused) = slot.refused.take() {
            return Ok(Err(refused));
        }
        let Some(control) = &mut slot.control else {
            return Err(rule(warp, "retires, but does not run"));
        };
        let pc = control.pc();
        let excepted = |e: Exception| (pc, e.code());
        // A forced yield comes before the next issue; a wake retires before any later operation.
        if control.forced_yield_due() {
            return Ok(control.forced_yield().map_err(excepted));
        }
        if let Some(wake) = slot.wake.take() {
            return Ok(control.wake(wake.mask, wake.target).map_err(excepted));
        }
        let Some(resolve) = slot.operation.take() else {
            return Err(rule(warp, "retires, but nothing was resolved"));
        };
        Ok(match operation(&resolve, control.active() == 0) {
            Ok(operation) => control.apply(operation).map_err(excepted),
            Err(cause) => Err((pc, cause)),
        })
    }
}

fn rule(warp: usize, what: &str) -> Mismatch {
    Mismatch::Rule {
        warp,
        what: what.into(),
    }
}

fn hex(value: impl fmt::LowerHex) -> String {
    format!("{value:#x}")
}

fn differ<T: PartialEq + ToString>(
    warp: usize,
    field: &'static str,
    found: T,
    expected: T,
) -> Result<(), Mismatch> {
    match found == expected {
        true => Ok(()),
        false => Err(Mismatch::Differs {
            warp,
            field,
            found: found.to_string(),
            expected: expected.to_string(),
        }),
    }
}

fn compare(found: &Retire, right: &Record) -> Result<(), Mismatch> {
    let warp = found.warp;
    let name = |op| Event::from_code(op).map_or_else(|| op.to_string(), |e| e.name().into());
    differ(warp, "retire_op", name(found.op), name(right.event.code()))?;
    differ(warp, "retire_pc", hex(found.pc), hex(right.pc))?;
    differ(warp, "retire_done", found.done, right.done)?;
    differ(warp, "retire_blocked", found.blocked, right.blocked)?;
    differ(
        warp,
        "retire_next_mask",
        hex(found.next_mask),
        hex(right.next_mask),
    )?;
    if !right.done && !right.blocked {
        differ(
            warp,
            "retire_next_pc",
            hex(found.next_pc),
            hex(right.next_pc),
        )?;
    }
    differ(warp, "retire_depth", found.depth, right.depth)?;
    differ(warp, "retire_dropped", found.dropped, right.dropped)
}
