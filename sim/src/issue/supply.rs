//! The instruction supply: two lines per warp and a pipeline of four stages, of five with 32 warps and of six with 64.
//!
//! Spec: `docs/spec/supply.md`. Decisions are made from the state of the cycle; [`super::Scheduler`] carries them out
//! in the order of the specification.

use std::collections::VecDeque;

/// Addresses have 22 bits.
const PC_MASK: u32 = (1 << 22) - 1;
/// Line numbers have 18 bits.
const LINE_MASK: u32 = (1 << 18) - 1;

pub fn line_of(pc: u32) -> u32 {
    pc >> 4
}

fn next_line(line: u32) -> u32 {
    (line + 1) & LINE_MASK
}

fn slot_of(line: u32) -> usize {
    (line & 1) as usize
}

fn tag_of(line: u32) -> u32 {
    line >> 1
}

pub fn plus(pc: u32, count: usize) -> u32 {
    pc.wrapping_add(count as u32) & PC_MASK
}

#[derive(Clone, Debug, Default)]
pub struct Slot {
    pub held: bool,
    pub awaited: bool,
    pub tag: u32,
    pub data: [u32; 16],
}

#[derive(Clone, Debug, Default)]
pub struct Warp {
    pub wants: bool,
    pub room: bool,
    pub passing: bool,
    pub stuck: bool,
    /// Address of the next instruction to decode.
    pub tail: u32,
    pub slots: [Slot; 2],
}

impl Warp {
    fn holds(&self, line: u32) -> bool {
        let slot = &self.slots[slot_of(line)];
        slot.held && slot.tag == tag_of(line)
    }
}

/// A pass in the word stage or in the push stage.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    pub warp: usize,
    /// `a` of SUPPLY-020
    pub pc: u32,
    /// The word at that address, and the one at the odd address of its pair.
    pub words: [u32; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    pub warp: usize,
    pub line: u32,
}

/// What the look stage found (SUPPLY-020).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Look {
    /// In the first half of the line.
    HitFirstHalf,
    /// In the second half, and the next line is requested.
    HitPrefetch,
    /// In the second half, and the next line is there.
    HitNextHeld,
    /// In the second half, and the other slot is awaited.
    HitNextAwaited,
    /// In the second half, and the request register is not free.
    HitNextBusy,
    MissRequest,
    MissAwaited,
    MissBusy,
}

impl Look {
    pub fn is_hit(self) -> bool {
        !self.is_miss()
    }

    pub fn is_miss(self) -> bool {
        matches!(self, Look::MissRequest | Look::MissAwaited | Look::MissBusy)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Looked {
    pub warp: usize,
    pub pc: u32,
    pub look: Look,
}

impl Looked {
    /// The line that is requested, if any.
    pub fn requested(&self) -> Option<u32> {
        match self.look {
            Look::HitPrefetch => Some(next_line(line_of(self.pc))),
            Look::MissRequest => Some(line_of(self.pc)),
            _ => None,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Supply {
    pub warps: Vec<Warp>,
    /// The warp selected last; of five stages that of the even warps and that of the odd ones.
    pub selected: Vec<usize>,
    /// Whose turn it is: of five stages that of the even warps, 0, or of the odd ones, 1; else always 0.
    pub turn: usize,
    /// Cycles in which nothing is selected yet, after a flush.
    pub rests: usize,
    /// The warps between select and look, where the tail is looked up, the last one selected first; none of four stages. The tail of a warp in the
    /// pipeline stays, so that the look stage can read it as well.
    pub aims: VecDeque<Option<usize>>,
    /// The warp in the look stage.
    pub look: Option<usize>,
    /// The warp in the word stage, after a miss.
    pub missed: Option<usize>,
    pub words: Option<Pass>,
    pub push: Option<Pass>,
    /// Of six stages, the warp that was in push in the cycle before.
    pub passed: Option<usize>,
    /// What becomes of `room` in this cycle, of the warps in their issue stage or push in the cycle before; of five stages only
    /// (SUPPLY-050).
    pub rooms: Vec<(usize, bool)>,
    /// The request register.
    pub request: Option<Request>,
}

impl Supply {
    /// `halves`: 2 that take turns, or 1, the whole; `stages`: 4 to 6.
    pub fn new(warps: usize, halves: usize, stages: usize) -> Supply {
        Supply {
            warps: vec![Warp::default(); warps],
            selected: vec![warps - 1; halves],
            turn: 0,
            rests: 0,
            aims: vec![None; stages - 4].into(),
            look: None,
            missed: None,
            words: None,
            push: None,
            passed: None,
            rooms: vec![],
            request: None,
        }
    }

    /// SUPPLY-010, if it is the turn of this half.
    pub fn select(&self, half: usize) -> Option<usize> {
        if self.rests > 0 {
            return None;
        }
        let count = self.warps.len();
        (1..=count)
            .map(|step| (self.selected[half] + step) % count)
            .filter(|&number| self.half_of(number) == half)
            .find(|&number| {
                let warp = &self.warps[number];
                warp.wants && warp.room && !warp.passing && !warp.stuck
            })
    }

    /// Whose turn it is in the next cycle.
    pub fn next_turn(&self) -> usize {
        self.half_of(self.turn + 1)
    }

    pub fn half_of(&self, number: usize) -> usize {
        number % self.selected.len()
    }

    /// SUPPLY-020
    pub fn looked(&self, fetch_ready: bool) -> Option<Looked> {
        let number = self.look?;
        let warp = &self.warps[number];
        let pc = warp.tail;
        let line = line_of(pc);
        let next = next_line(line);
        let free = self.request.is_none() || fetch_ready;
        let awaited = |line| warp.slots[slot_of(line)].awaited;
        let look = if warp.holds(line) {
            match () {
                _ if pc >> 3 & 1 == 0 => Look::HitFirstHalf,
                _ if warp.holds(next) => Look::HitNextHeld,
                _ if awaited(next) => Look::HitNextAwaited,
                _ if !free => Look::HitNextBusy,
                _ => Look::HitPrefetch,
            }
        } else {
            match () {
                _ if awaited(line) => Look::MissAwaited,
                _ if !free => Look::MissBusy,
                _ => Look::MissRequest,
            }
        };
        Some(Looked {
            warp: number,
            pc,
            look,
        })
    }

    /// Of a line that is held, the word at the address and the one at the odd address of its pair.
    pub fn read(&self, number: usize, pc: u32) -> Pass {
        let data = &self.warps[number].slots[slot_of(line_of(pc))].data;
        Pass {
            warp: number,
            pc,
            words: [pc & 15, pc & 15 | 1].map(|at| data[at as usize]),
        }
    }

    /// SUPPLY-060
    pub fn flush(&mut self) {
        let slots = self.warps.iter_mut().flat_map(|w| &mut w.slots);
        slots.for_each(|slot| slot.held = false);
        self.rests = self.warps.len() / 2;
    }

    /// SUPPLY-021
    pub fn ask(&mut self, number: usize, line: u32) {
        self.request = Some(Request { warp: number, line });
        let slot = &mut self.warps[number].slots[slot_of(line)];
        slot.held = false;
        slot.awaited = true;
        slot.tag = tag_of(line);
    }
}
