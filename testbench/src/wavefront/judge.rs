//! A device and the model, cycle by cycle, and bins of what has happened.

use super::device::{open, Kind};
use crate::bins::{Bins, Hits};
use crate::dut::DutError;
use std::fmt;
use weft_ports::wavefront::{Device, Inputs, Outputs};
use weft_sim::subvector::Selector;
use weft_sim::{Force, RegisterFile};

/// What the misses of a window were against the threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// One less.
    Below,
    /// As many.
    At,
    Far,
    /// The threshold is above 256.
    Never,
}

/// A decision, by the hold that was next (64 << n), the former one's remainder, and the force bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    pub subvector: bool,
    pub hold: usize,
    pub edge: Edge,
}

const EDGES: [Edge; 4] = [Edge::Below, Edge::At, Edge::Far, Edge::Never];
const HOLDS: usize = 7;

impl Bins for Decision {
    fn all() -> impl Iterator<Item = Decision> {
        [false, true].into_iter().flat_map(|subvector| {
            (0..HOLDS).flat_map(move |hold| {
                EDGES.map(|edge| Decision {
                    subvector,
                    hold,
                    edge,
                })
            })
        })
    }

    fn impossible(self) -> Option<&'static str> {
        match (self.subvector, self.edge) {
            (true, Edge::Below | Edge::Never) => Some("too few misses for sub-vector mode"),
            (false, Edge::At) => Some("misses enough for sub-vector mode"),
            _ => None,
        }
    }

    fn index(self) -> usize {
        (usize::from(self.subvector) * HOLDS + self.hold) * EDGES.len() + self.edge as usize
    }
}

/// What else happened in the cycle of a `subv.auto`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    Nothing,
    Access,
    /// The access that completes a window.
    ForRegular,
    ForSubVector,
}

/// A `subv.auto`, by the force bits and by how many of the hold were left: none, one, more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    pub force: usize,
    pub left: usize,
    pub beside: Beside,
}

const BESIDES: [Beside; 4] = [
    Beside::Nothing,
    Beside::Access,
    Beside::ForRegular,
    Beside::ForSubVector,
];

impl Bins for Question {
    fn all() -> impl Iterator<Item = Question> {
        (0..4).flat_map(|force| {
            (0..3).flat_map(move |left| {
                BESIDES.map(|beside| Question {
                    force,
                    left,
                    beside,
                })
            })
        })
    }

    fn impossible(self) -> Option<&'static str> {
        None
    }

    fn index(self) -> usize {
        (self.force * 3 + self.left) * BESIDES.len() + self.beside as usize
    }
}

/// How often.
#[derive(Clone, Debug, Default)]
pub struct Cover {
    pub decisions: Hits<Decision>,
    pub questions: Hits<Question>,
    /// Answers for sub-vector mode.
    pub subvector: u64,
    pub accesses: u64,
    pub misses: u64,
    /// Accesses in sub-vector mode.
    pub uncounted: u64,
    pub mapped: u64,
    pub misused: u64,
    pub resets: u64,
}

impl Cover {
    pub fn answers(&self) -> u64 {
        Question::all().map(|bin| self.questions.count(bin)).sum()
    }

    /// Decisions for sub-vector mode, or for regular mode.
    pub fn decided(&self, subvector: bool) -> u64 {
        let bins = Decision::all().filter(|bin| bin.subvector == subvector);
        bins.map(|bin| self.decisions.count(bin)).sum()
    }
}

impl fmt::Display for Cover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} decisions for sub-vector mode, {} for regular mode; {} answers, {} of them sub-vector mode; {} accesses, {} misses, {} in \
             sub-vector mode; {} instructions mapped, {} with a shared register outside the mode",
            self.decided(true),
            self.decided(false),
            self.answers(),
            self.subvector,
            self.accesses,
            self.misses,
            self.uncounted,
            self.mapped,
            self.misused
        )
    }
}

/// The device, and the model that every output is compared with.
pub struct Judge {
    device: Box<dyn Device>,
    model: Selector,
    threads: u32,
    /// Of a row's number.
    bits: u32,
    /// What the outputs of the next cycle must be; `warp_rows` apart.
    next: Outputs,
    /// Lanes and F of this cycle and the three before: the rows follow them.
    shapes: [Option<(u64, u64)>; 4],
    pub cover: Cover,
}

impl Judge {
    /// For 4 warps of so many threads; the first cycle is a reset.
    ///
    /// # Errors
    /// There is no such size, or it cannot be made.
    pub fn new(kind: Kind, threads: usize) -> Result<Judge, DutError> {
        let mut judge = Judge {
            device: open(kind, threads)?,
            model: Selector::new(Force::Measured, 0),
            threads: threads as u32,
            bits: 2 + threads.ilog2() + 5,
            next: Outputs::default(),
            shapes: [None; 4],
            cover: Cover::default(),
        };
        let reset = Inputs {
            reset: true,
            ..Inputs::default()
        };
        judge.device.cycle(&reset);
        Ok(judge)
    }

    /// Accesses and misses of the window so far.
    pub fn window(&self) -> (u64, u64) {
        self.model.window()
    }

    /// For how many `subv.auto` more the mode is sub-vector mode.
    pub fn left(&self) -> u32 {
        self.model.hold().0
    }

    /// The register file by `cfg_lanes` and `cfg_shared_from`.
    pub fn file(&self, lanes: u64, shared_from: u64) -> RegisterFile {
        RegisterFile {
            parts: (self.threads >> lanes).max(1),
            shared_from: shared_from.min(32) as u32,
        }
    }

    /// One cycle. Gives the outputs, which belong to the inputs of the former one.
    ///
    /// # Errors
    /// An output that is not the model's.
    pub fn cycle(&mut self, i: &Inputs) -> Result<Outputs, String> {
        let out = self.device.cycle(i);
        self.shapes.rotate_right(1);
        self.shapes[0] = Some((i.lanes, i.shared_from));
        let settled = self.shapes.iter().all(|s| *s == self.shapes[0]);
        let file = self.file(i.lanes, i.shared_from);
        let want = Outputs {
            warp_rows: file.rows().into(),
            ..self.next
        };
        let seen = Outputs {
            warp_rows: if settled {
                out.warp_rows
            } else {
                want.warp_rows
            },
            ..out
        };
        if seen != want {
            return Err(format!("{seen:x?}, not {want:x?}; now {i:x?}"));
        }
        self.next = Outputs::default();
        if i.reset {
            self.model = Selector::new(Force::Measured, 0);
            self.cover.resets += 1;
            return Ok(out);
        }
        let force = [
            Force::Measured,
            Force::Regular,
            Force::SubVector,
            Force::Measured,
        ][i.force as usize];
        self.model.configure(force, i.threshold as u16);
        let (left, hold) = self.model.hold();
        if i.ask {
            let answer = self.model.select();
            self.cover.subvector += u64::from(answer);
            self.next.answer = Some(answer);
        }
        let counted = i.access.filter(|&(_, regular)| regular);
        self.cover.accesses += u64::from(i.access.is_some());
        self.cover.uncounted += u64::from(i.access.is_some() && counted.is_none());
        if let Some((miss, _)) = counted {
            self.cover.misses += u64::from(miss);
            let misses = self.model.window().1 + u64::from(miss);
            self.next.decision = self.model.count(miss);
            if let Some(subvector) = self.next.decision {
                let edge = match misses {
                    _ if i.threshold > 256 => Edge::Never,
                    n if n == i.threshold => Edge::At,
                    n if n + 1 == i.threshold => Edge::Below,
                    _ => Edge::Far,
                };
                self.cover.decisions.hit(Decision {
                    subvector,
                    hold: (hold / Selector::SPAN).ilog2() as usize,
                    edge,
                });
            }
        }
        if i.ask {
            self.cover.questions.hit(Question {
                force: i.force as usize,
                left: left.min(2) as usize,
                beside: match (self.next.decision, i.access) {
                    (None, None) => Beside::Nothing,
                    (None, Some(_)) => Beside::Access,
                    (Some(false), _) => Beside::ForRegular,
                    (Some(true), _) => Beside::ForSubVector,
                },
            });
        }
        if let Some(map) = i.map {
            if !settled {
                return Err("registers are asked for before the configuration has settled".into());
            }
            let part = map.part as u32 % file.parts;
            let all = (1u64 << self.bits) - 1;
            let rows = map
                .registers
                .map(|n| (map.base + u64::from(file.row(n as u32, part))) & all);
            let misuse = (0..3).filter(|&n| {
                let shared = map.registers[n] >= u64::from(file.shared_from);
                map.uses >> n & 1 != 0 && shared && !map.subvector
            });
            let misuse = misuse.fold(0, |bits, n| bits | 1 << n);
            self.cover.mapped += 1;
            self.cover.misused += u64::from(misuse != 0);
            self.next.rows = Some((misuse, rows));
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_are_numbered_in_order() {
        let decisions: Vec<usize> = Decision::all().map(Bins::index).collect();
        assert_eq!(decisions, (0..decisions.len()).collect::<Vec<_>>());
        let questions: Vec<usize> = Question::all().map(Bins::index).collect();
        assert_eq!(questions, (0..questions.len()).collect::<Vec<_>>());
    }
}
