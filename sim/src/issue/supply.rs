//! The instruction supply: two lines per warp and a pipeline of four stages.
//!
//! Spec: `docs/spec/supply.md`. Decisions are made from the state of the cycle; [`super::Scheduler`] carries them out
//! in the order of the specification.

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
    /// It was forgotten while it was awaited (SUPPLY-061).
    pub forgotten: bool,
    pub tag: u32,
    pub data: [u32; 16],
}

#[derive(Clone, Debug, Default)]
pub struct Warp {
    pub wants: bool,
    pub room: bool,
    pub passing: bool,
    pub stuck: bool,
    /// Its lines are forgotten in its next look (SUPPLY-061).
    pub stale: bool,
    /// Address of the next instruction to decode.
    pub tail: u32,
    pub slots: [Slot; 2],
}

impl Warp {
    fn holds(&self, line: u32) -> bool {
        let slot = &self.slots[slot_of(line)];
        slot.held && slot.tag == tag_of(line) && !self.stale
    }

    /// SUPPLY-061
    fn forget(&mut self) {
        self.stale = false;
        for slot in &mut self.slots {
            slot.held = false;
            slot.forgotten = slot.awaited;
        }
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
    /// Its warp was not selected (SUPPLY-070).
    pub predicted: bool,
}

/// What is in look: a warp that was selected, or one that was predicted, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looking {
    Selected(usize),
    Predicted(usize, u32),
}

impl Looking {
    pub fn warp(self) -> usize {
        match self {
            Looking::Selected(warp) | Looking::Predicted(warp, _) => warp,
        }
    }
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
    /// SUPPLY-070
    PredictedHit,
    PredictedMiss,
}

impl Look {
    pub fn is_hit(self) -> bool {
        !self.is_miss()
    }

    pub fn is_miss(self) -> bool {
        use Look::{MissAwaited, MissBusy, MissRequest, PredictedMiss};
        matches!(self, MissRequest | MissAwaited | MissBusy | PredictedMiss)
    }

    pub fn is_predicted(self) -> bool {
        matches!(self, Look::PredictedHit | Look::PredictedMiss)
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
    /// The warp selected last.
    pub selected: usize,
    /// Cycles in which nothing is selected yet, after a flush.
    pub rests: usize,
    pub look: Option<Looking>,
    /// The warp in the word stage, after a miss.
    pub missed: Option<usize>,
    pub words: Option<Pass>,
    pub push: Option<Pass>,
    /// The request register.
    pub request: Option<Request>,
}

impl Supply {
    pub fn new(warps: usize) -> Supply {
        Supply {
            warps: vec![Warp::default(); warps],
            selected: warps - 1,
            rests: 0,
            look: None,
            missed: None,
            words: None,
            push: None,
            request: None,
        }
    }

    /// SUPPLY-010
    pub fn select(&self) -> Option<usize> {
        if self.rests > 0 {
            return None;
        }
        let count = self.warps.len();
        (1..=count)
            .map(|step| (self.selected + step) % count)
            .find(|&number| {
                let warp = &self.warps[number];
                warp.wants && warp.room && !warp.passing && !warp.stuck
            })
    }

    /// SUPPLY-020
    pub fn looked(&self, fetch_ready: bool) -> Option<Looked> {
        let looking = self.look?;
        let number = looking.warp();
        let warp = &self.warps[number];
        let pc = match looking {
            Looking::Selected(_) => warp.tail,
            Looking::Predicted(_, pc) => pc,
        };
        let line = line_of(pc);
        let next = next_line(line);
        let free = self.request.is_none() || fetch_ready;
        let awaited = |line| warp.slots[slot_of(line)].awaited;
        let look = if let Looking::Predicted(..) = looking {
            match warp.holds(line) {
                true => Look::PredictedHit,
                false => Look::PredictedMiss,
            }
        } else if warp.holds(line) {
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
    pub fn read(&self, looked: &Looked) -> Pass {
        let (number, pc) = (looked.warp, looked.pc);
        let data = &self.warps[number].slots[slot_of(line_of(pc))].data;
        Pass {
            warp: number,
            pc,
            words: [pc & 15, pc & 15 | 1].map(|at| data[at as usize]),
            predicted: looked.look.is_predicted(),
        }
    }

    /// SUPPLY-061: a look behind a push that forgets.
    pub fn forget(&mut self, number: usize) {
        if self.warps[number].stale {
            self.warps[number].forget();
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
        slot.forgotten = false;
        slot.tag = tag_of(line);
    }
}
