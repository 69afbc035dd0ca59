//! Sends passes as the datapath does, takes rows and completions as a write port does, and compares each with what is
//! due.
//!
//! The datapath decides on a pass two cycles before it comes (H, R, X): by what `free` or `idle` says then, whatever is
//! on its way.

use super::code::{self, due};
use super::device::{Device, Inputs, Outputs, Row, Shape};
use super::Pass;
use crate::dut::DutError;
use crate::seed::{stream, Rng};
use rand::Rng as _;
use std::collections::VecDeque;

/// How eager both sides are, in eighths.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// That a pass is decided on when it may be.
    pub sends: u32,
    /// That a row, or a completion, is taken when it is there.
    pub takes: u32,
    /// Nothing is taken for so long, now and then.
    pub refuses: u32,
    /// Resets, one in so many cycles; 0: none.
    pub resets: u32,
}

impl Pace {
    pub const FULL: Pace = Pace {
        sends: 8,
        takes: 8,
        refuses: 0,
        resets: 0,
    };
}

/// What has happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    pub cycles: u64,
    pub passes: u64,
    /// Words compared.
    pub words: u64,
    pub completions: u64,
    /// Resets with something inside.
    pub resets: u64,
    /// Most passes inside.
    pub most: u64,
    /// Cycles in which a row was not taken.
    pub refused: u64,
}

/// A pass on its way to the unit.
struct Coming {
    pass: Pass,
    /// The cycle of its third row, if there is one, and its own.
    third: Option<u64>,
    at: u64,
}

/// Passes that have come and have not left.
struct Inside {
    pass: Pass,
    due: Vec<u32>,
}

pub struct Bench {
    device: Device,
    shape: Shape,
    rng: Rng,
    cycle: u64,
    coming: VecDeque<Coming>,
    inside: VecDeque<Inside>,
    /// Instructions whose rows have left: warp, rd.
    completing: VecDeque<(u64, u64)>,
    /// The cycle of the last pass that was decided on.
    last: u64,
    slow: bool,
    offered: Option<Row>,
    refusing: u32,
    pub count: Count,
    junk: [Vec<u32>; 2],
}

impl Bench {
    /// `fault`: a broken copy.
    ///
    /// # Errors
    /// There is no such size or copy, or it cannot be made.
    pub fn new(shape: Shape, fault: Option<&str>, seed: u64) -> Result<Bench, DutError> {
        let device = Device::open(shape, fault, seed as u32 | 1)?;
        let mut bench = Bench {
            device,
            shape,
            rng: stream(seed, "float bench"),
            cycle: 0,
            coming: VecDeque::new(),
            inside: VecDeque::new(),
            completing: VecDeque::new(),
            last: 0,
            slow: false,
            offered: None,
            refusing: 0,
            count: Count::default(),
            junk: [0x5555_5555, 0x7f80_0001].map(|word| vec![word; shape.lanes]),
        };
        bench.reset();
        Ok(bench)
    }

    fn reset(&mut self) {
        self.device.put(&Inputs {
            reset: true,
            rows: [&self.junk[0], &self.junk[1]],
            ..Inputs::default()
        });
        self.device.edge();
        self.cycle += 1;
        self.coming.clear();
        self.inside.clear();
        self.completing.clear();
        self.last = self.cycle;
        self.slow = false;
        self.offered = None;
    }

    /// Sends all passes, and waits until nothing is inside. Passes that a reset has swept away are not sent again.
    ///
    /// # Errors
    /// The first difference: a wrong word, a row or completion that is lost, comes twice or to no pass, or a port that
    /// says what is not so.
    pub fn run(
        &mut self,
        passes: impl IntoIterator<Item = Pass>,
        pace: Pace,
    ) -> Result<(), String> {
        let mut passes = passes.into_iter().peekable();
        let mut idle_since = 0;
        while passes.peek().is_some() || self.is_busy() {
            let before = self.count;
            self.cycle(&mut passes, pace)
                .map_err(|error| format!("cycle {}: {error}", self.cycle))?;
            idle_since += 1;
            if (before.passes, before.words, before.completions)
                != (self.count.passes, self.count.words, self.count.completions)
            {
                idle_since = 0;
            }
            // A division may settle for 24 cycles and takes 26, for each of four turns.
            if idle_since > 300 + u64::from(pace.refuses) * 4 {
                return Err(format!(
                    "cycle {}: nothing has come for {idle_since} cycles; {} passes are inside",
                    self.cycle,
                    self.inside.len()
                ));
            }
        }
        self.quiet()
    }

    fn is_busy(&self) -> bool {
        !(self.coming.is_empty() && self.inside.is_empty() && self.completing.is_empty())
    }

    /// Nothing is inside, and the unit says so.
    fn quiet(&mut self) -> Result<(), String> {
        for _ in 0..4 {
            self.device.put(&Inputs {
                rows: [&self.junk[0], &self.junk[1]],
                result_ready: true,
                complete_ready: true,
                ..Inputs::default()
            });
            let out = self.device.outputs();
            if !out.idle || !out.free || out.result.is_some() || out.complete.is_some() {
                return Err(format!("nothing is inside: {out:?}"));
            }
            self.device.edge();
            self.cycle += 1;
        }
        Ok(())
    }

    fn cycle(
        &mut self,
        passes: &mut std::iter::Peekable<impl Iterator<Item = Pass>>,
        pace: Pace,
    ) -> Result<(), String> {
        if pace.resets > 0 && self.rng.gen_ratio(1, pace.resets) {
            self.count.resets += u64::from(!self.inside.is_empty());
            self.reset();
        }
        // What comes.
        let now = self.cycle;
        let first = self.coming.front();
        let third = first.is_some_and(|coming| coming.third == Some(now));
        let comes = first.is_some_and(|coming| coming.at == now);
        if self.refusing == 0 && pace.refuses > 0 && self.rng.gen_ratio(1, 8 * pace.refuses) {
            self.refusing = self.rng.gen_range(1..=pace.refuses);
        }
        self.refusing = self.refusing.saturating_sub(1);
        let mut takes = || self.refusing == 0 && self.rng.gen_ratio(pace.takes, 8);
        let (mut result_ready, mut complete_ready) = (takes(), takes());
        // Ready may wait for valid.
        let waits = pace.takes < 8 && self.rng.gen_ratio(1, 4);
        let rows = match first {
            Some(coming) if third => [&self.junk[0], &coming.pass.rows[2]],
            _ => [&self.junk[0], &self.junk[1]],
        };
        self.device.put(&Inputs {
            reset: false,
            third,
            pass: first.filter(|_| comes).map(|coming| &coming.pass),
            rows: rows.map(Vec::as_slice),
            result_ready: result_ready && !waits,
            complete_ready: complete_ready && !waits,
        });
        let out = self.device.outputs();
        if waits {
            result_ready &= out.result.is_some();
            complete_ready &= out.complete.is_some();
            self.device.take(result_ready, complete_ready);
            let after = self.device.outputs();
            if out != after {
                return Err(format!("{out:?} depends on ready: {after:?}"));
            }
        }
        self.decide(&out, passes, pace);
        self.states(&out)?;
        self.takes(&out, result_ready, complete_ready)?;
        if comes {
            let pass = self.coming.pop_front().expect("it comes").pass;
            self.enters(pass);
        }
        self.device.edge();
        self.cycle += 1;
        self.count.cycles += 1;
        Ok(())
    }

    /// H: whether a pass goes, which comes two cycles later at the earliest.
    fn decide(
        &mut self,
        out: &Outputs,
        passes: &mut std::iter::Peekable<impl Iterator<Item = Pass>>,
        pace: Pace,
    ) {
        let Some(pass) = passes.peek() else { return };
        let slow = code::is_slow(pass.code);
        let third = code::operands(pass.code) == 3;
        // The cycle that it needs beside those of the pass before.
        let at = (self.cycle + 2).max(self.last + self.shape.turns());
        let at = at.max(self.last + 1 + u64::from(third));
        let may = match slow {
            true => out.idle && self.coming.is_empty(),
            false => out.free,
        };
        // Nothing goes behind a division on its way; and H stands while a pass waits for its cycle.
        let on_way = self.coming.iter().any(|c| code::is_slow(c.pass.code));
        if !may || on_way || at > self.cycle + 2 || !self.rng.gen_ratio(pace.sends, 8) {
            return;
        }
        let pass = passes.next().expect("it is there");
        self.last = at;
        self.coming.push_back(Coming {
            third: third.then_some(at - 1),
            pass,
            at,
        });
    }

    fn enters(&mut self, pass: Pass) {
        self.slow = code::is_slow(pass.code);
        let lanes = 0..self.shape.lanes;
        let due = lanes.map(|lane| match pass.mask >> lane & 1 {
            0 => 0,
            _ => {
                let [a, b, c] = &pass.rows;
                due(pass.code, pass.rounding, [a[lane], b[lane], c[lane]])
            }
        });
        let due = due.collect();
        self.inside.push_back(Inside { pass, due });
        self.count.passes += 1;
        self.count.most = self.count.most.max(self.inside.len() as u64);
    }

    /// `free` and `idle` against what is inside.
    fn states(&mut self, out: &Outputs) -> Result<(), String> {
        // Those without a destination leave unseen, so there may be fewer inside than here.
        let certain = self
            .inside
            .iter()
            .filter(|inside| inside.pass.rd >> 5 == 1)
            .count();
        let all = self.inside.len() + self.completing.len();
        if out.idle && certain > 0 {
            return Err(format!("idle with {certain} rows inside"));
        }
        if out.idle && !self.completing.is_empty() {
            return Err("idle, and an instruction has still to complete".into());
        }
        if out.idle && !self.inside.is_empty() {
            if self.inside.iter().any(|inside| inside.pass.last) {
                return Err("idle, and an instruction has not completed".into());
            }
            self.inside.clear();
        }
        if out.free && certain > 0 && self.slow {
            return Err("free with a division or square root inside".into());
        }
        if all == 0 && !out.idle {
            return Err("nothing is inside, but it is not idle".into());
        }
        if all == 0 && !out.free {
            return Err("nothing is inside, but it is not free".into());
        }
        Ok(())
    }

    /// What the unit offers, and what of that is taken.
    fn takes(
        &mut self,
        out: &Outputs,
        result_ready: bool,
        complete_ready: bool,
    ) -> Result<(), String> {
        if let Some((warp, rd)) = out.complete {
            let due = self.completing.front();
            // What has no destination is complete when all before it has left.
            let unseen = || {
                let rows = self.inside.iter();
                rows.take_while(|inside| inside.pass.rd >> 5 == 0)
                    .any(|inside| inside.pass.last)
            };
            if due.is_none() && !unseen() {
                return Err(format!("warp {warp}, rd {rd} is complete, nobody is due"));
            }
            if due.is_none() {
                self.leave_unseen(true);
            }
            let due = self.completing.front().copied();
            if due != Some((warp, rd)) {
                return Err(format!("warp {warp}, rd {rd} is complete, not {due:?}"));
            }
            if complete_ready {
                self.completing.pop_front();
                self.count.completions += 1;
            }
        }
        let offered = self.offered.take();
        match (&out.result, offered) {
            (None, Some(row)) => return Err(format!("a row is taken back: {row:?}")),
            (Some(row), Some(before)) if *row != before => {
                return Err(format!(
                    "a row has changed before it was taken: {before:?}, {row:?}"
                ))
            }
            _ => {}
        }
        let Some(row) = &out.result else {
            return Ok(());
        };
        self.leave_unseen(false);
        let Some(first) = self.inside.front() else {
            return Err(format!("a row of no pass: {row:?}"));
        };
        compare(first, row)?;
        if !result_ready {
            self.count.refused += 1;
            self.offered = Some(row.clone());
            return Ok(());
        }
        self.count.words += u64::from(first.pass.mask.count_ones());
        self.leaves();
        Ok(())
    }

    /// Passes without a destination at the head have left; `one`: up to the first that completes its instruction.
    fn leave_unseen(&mut self, one: bool) {
        while let Some(first) = self.inside.front() {
            if first.pass.rd >> 5 == 1 {
                return;
            }
            let last = first.pass.last;
            self.leaves();
            if one && last {
                return;
            }
        }
    }

    fn leaves(&mut self) {
        let pass = self.inside.pop_front().expect("it is there").pass;
        if pass.last {
            self.completing.push_back((pass.warp, pass.rd));
        }
    }
}

fn compare(first: &Inside, row: &Row) -> Result<(), String> {
    let pass = &first.pass;
    let head = (row.warp, row.part, row.rd, row.mask);
    let due = (pass.warp, pass.part, pass.rd & 31, pass.mask);
    if head != due {
        return Err(format!(
            "warp, part, rd and mask are {head:x?}, those of the pass {due:x?}"
        ));
    }
    for (lane, (found, due)) in row.data.iter().zip(&first.due).enumerate() {
        if pass.mask >> lane & 1 == 1 && found != due {
            let [a, b, c] = pass.rows.each_ref().map(|words| words[lane]);
            return Err(format!(
                "code {}, mode {}, lane {lane}: {a:#010x}, {b:#010x}, {c:#010x} gave {found:#010x}, not {due:#010x}",
                pass.code, pass.rounding
            ));
        }
    }
    Ok(())
}

/// Passes of one code and mode over these operands, a lane each; of the last pass some lanes may be off.
/// Warps, parts and destinations go round.
pub fn passes(
    shape: Shape,
    code: u8,
    rounding: u8,
    operands: impl IntoIterator<Item = [u32; 3]>,
) -> impl Iterator<Item = Pass> {
    let mut operands = operands.into_iter();
    let mut number = 0u64;
    std::iter::from_fn(move || {
        let mut rows = [0; 3].map(|_| Vec::with_capacity(shape.lanes));
        let mut mask = 0;
        for triple in operands.by_ref().take(shape.lanes) {
            mask = mask << 1 | 1;
            for (row, word) in rows.iter_mut().zip(triple) {
                row.push(word);
            }
        }
        rows.iter_mut().for_each(|row| row.resize(shape.lanes, 0));
        number += 1;
        let parts = shape.parts as u64;
        (mask != 0).then_some(Pass {
            code,
            rounding,
            warp: number / parts % 4,
            part: number % parts,
            rd: 32 | (number % 31 + 1),
            last: number % parts == parts - 1,
            mask,
            rows,
        })
    })
}
