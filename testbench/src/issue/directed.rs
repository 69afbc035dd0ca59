//! Surroundings without chance, for written programs.

use super::code::{decode, encode};
use super::device::{open, Kind, Size};
use super::episode::{Lockstep, Trouble};
use std::collections::{HashMap, VecDeque};
use weft_sim::issue::{Decoded, Inputs};

/// What becomes of a warp after a control operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Goto(u32),
    Exit,
}

/// An instruction at the ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Issued {
    pub cycle: u64,
    pub warp: usize,
    pub pc: u32,
}

pub struct Bench {
    lockstep: Lockstep,
    size: Size,
    policy: u8,
    /// What is not there is the instruction that needs nothing.
    program: HashMap<u32, Decoded>,
    /// Cycles from an instruction at the ports to its `done`, and from a control operation to its start.
    done_after: u64,
    start_after: u64,
    launches: VecDeque<(usize, u32)>,
    lines: VecDeque<(u8, u32)>,
    undone: [VecDeque<(u64, u8, Option<u8>)>; 2],
    answers: VecDeque<(u64, u8, Answer)>,
    words: [u32; 2],
    levels: VecDeque<(usize, u8)>,
}

impl Bench {
    /// After its reset.
    pub fn new(kind: Kind, size: Size, policy: u8) -> Result<Bench, Trouble> {
        let device = open(kind, size, 1, None).map_err(Trouble::Panic)?;
        let mut bench = Bench {
            lockstep: Lockstep::new(device, size, None),
            size,
            policy,
            program: HashMap::new(),
            done_after: 0,
            start_after: 0,
            launches: VecDeque::new(),
            lines: VecDeque::new(),
            undone: Default::default(),
            answers: VecDeque::new(),
            words: [0; 2],
            levels: VecDeque::new(),
        };
        let reset = Inputs {
            reset: true,
            ..Inputs::default()
        };
        let o = bench.lockstep.outputs()?;
        for _ in 0..32 {
            bench.lockstep.step(&reset, &o, &|_| 0, None)?;
        }
        Ok(bench)
    }

    pub fn instruction(&mut self, pc: u32, decoded: Decoded) {
        self.program.insert(pc, decoded);
    }

    pub fn latencies(&mut self, done_after: u64, start_after: u64) {
        (self.done_after, self.start_after) = (done_after, start_after);
    }

    /// One warp per cycle, in this order.
    pub fn launch(&mut self, warp: usize, pc: u32) {
        self.launches.push_back((warp, pc));
    }

    pub fn level(&mut self, warp: usize, level: u8) {
        self.levels.push_back((warp, level));
    }

    pub fn cycle(&self) -> u64 {
        self.lockstep.cycle()
    }

    /// One cycle; `answer` says where a warp goes on after the control operation at this address.
    pub fn step(
        &mut self,
        answer: &mut dyn FnMut(Issued) -> Answer,
    ) -> Result<Vec<Issued>, Trouble> {
        let o = self.lockstep.outputs()?;
        let now = self.lockstep.cycle();
        let mut i = Inputs {
            cfg_policy: self.policy,
            unit_free: 31,
            unit_ahead: 31,
            fetch_ready: true,
            decode0: decode(self.words[0]),
            decode1: decode(self.words[1]),
            ..Inputs::default()
        };
        self.words = [o.decode_word0, o.decode_word1];
        let mut issued = Vec::new();
        if o.issue_valid {
            let second = o.second_valid.then_some(o.second_decoded);
            let all = [Some(o.issue_decoded), second].into_iter().flatten();
            for (pc, decoded) in (o.issue_pc..).zip(all) {
                let warp = usize::from(o.issue_warp);
                let instruction = Issued {
                    cycle: now,
                    warp,
                    pc,
                };
                issued.push(instruction);
                let due = now + self.done_after;
                self.undone[warp & 1].push_back((due, o.issue_warp, decoded.rd));
                if decoded.control {
                    let due = now + self.start_after;
                    self.answers
                        .push_back((due, o.issue_warp, answer(instruction)));
                }
            }
        }
        for parity in 0..2 {
            let list = &mut self.undone[parity];
            if let Some((_, warp, rd)) = due(list, now, |d| d.0) {
                match parity {
                    0 => (i.done0_valid, i.done0_warp, i.done0_rd) = (true, warp, rd),
                    _ => (i.done1_valid, i.done1_warp, i.done1_rd) = (true, warp, rd),
                }
            }
            if parity == 1 && !i.done1_valid {
                i.done1_warp = 1;
            }
        }
        if let Some((warp, line)) = self.lines.pop_front() {
            (i.line_valid, i.line_warp, i.line_slot) = (true, warp, (line & 1) as u8);
            i.line_data = std::array::from_fn(|n| word(&self.program, line << 4 | n as u32));
        }
        if o.fetch_valid {
            self.lines.push_back((o.fetch_warp, o.fetch_line));
        }
        if let Some((warp, level)) = self.levels.pop_front() {
            (i.level_valid, i.level_warp, i.level_value) = (true, warp as u8, level);
        }
        match due(&mut self.answers, now, |a| a.0) {
            Some((_, warp, Answer::Exit)) => (i.stop_valid, i.stop_warp) = (true, warp),
            Some((_, warp, Answer::Goto(pc))) => {
                (i.start_valid, i.start_warp, i.start_pc) = (true, warp, pc);
            }
            None => {
                if let Some((warp, pc)) = self.launches.pop_front() {
                    (i.start_valid, i.start_warp, i.start_pc) = (true, warp as u8, pc);
                    i.start_launch = true;
                }
            }
        }
        i.start_mask = self.size.full();
        let program = &self.program;
        self.lockstep.step(&i, &o, &|pc| word(program, pc), None)?;
        Ok(issued)
    }
}

fn word(program: &HashMap<u32, Decoded>, pc: u32) -> u32 {
    encode(program.get(&pc).copied().unwrap_or_default())
}

/// The first, if its cycle has come.
fn due<T>(list: &mut VecDeque<T>, now: u64, of: impl Fn(&T) -> u64) -> Option<T> {
    match list.front().is_some_and(|first| of(first) <= now) {
        true => list.pop_front(),
        false => None,
    }
}
