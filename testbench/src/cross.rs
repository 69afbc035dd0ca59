//! Functional coverage of the token window: operation x where its match lay x what stood in memory x recentered or not.

use crate::bins::{Bins, Hits};
use crate::lockstep::Retired;
use crate::reference::{yielded, Yielded};
use crate::window::Standing;
use serde::Serialize;
use std::fmt;
use weft_ports::control::barrier;
use weft_sim::{Event, Token, Warp, SUBV, YIELD};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum Row {
    Leave,
    LeaveIndirect,
    Yield,
    ForcedYield,
    Retry,
    Part,
    Wake,
    Push,
    CallPush,
    BranchDivergence,
    IndirectDivergence,
    CallDivergence,
    LeaveDivergence,
    Unwind,
}

/// Where the token stood that the operation was looking for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum Place {
    /// T0 or the front ring.
    Front,
    Memory,
    Back,
    /// There was no such token, or none is looked for.
    Nowhere,
}

/// When the operation began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum State {
    /// All tokens stood on chip.
    OnChip,
    /// Some stood in memory.
    Spilled,
    /// Some were on their way.
    Moving,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Bin {
    pub row: Row,
    pub place: Place,
    pub state: State,
    pub recentered: bool,
}

const ROWS: [Row; 14] = [
    Row::Leave,
    Row::LeaveIndirect,
    Row::Yield,
    Row::ForcedYield,
    Row::Retry,
    Row::Part,
    Row::Wake,
    Row::Push,
    Row::CallPush,
    Row::BranchDivergence,
    Row::IndirectDivergence,
    Row::CallDivergence,
    Row::LeaveDivergence,
    Row::Unwind,
];
const PLACES: [Place; 4] = [Place::Front, Place::Memory, Place::Back, Place::Nowhere];
const STATES: [State; 3] = [State::OnChip, State::Spilled, State::Moving];

impl Row {
    fn name(self) -> &'static str {
        match self {
            Row::Leave => "LEAVE",
            Row::LeaveIndirect => "LEAVE_INDIRECT",
            Row::Yield => "YIELD",
            Row::ForcedYield => "FORCED_YIELD",
            Row::Retry => "RETRY",
            Row::Part => "PART",
            Row::Wake => "WAKE",
            Row::Push => "PUSH",
            Row::CallPush => "CALL, push",
            Row::BranchDivergence => "BRANCH, divergence",
            Row::IndirectDivergence => "INDIRECT, divergence",
            Row::CallDivergence => "CALL, divergence",
            Row::LeaveDivergence => "LEAVE, divergence",
            Row::Unwind => "unwind",
        }
    }
}

impl Bins for Bin {
    fn all() -> impl Iterator<Item = Bin> {
        ROWS.into_iter().flat_map(|row| {
            PLACES.into_iter().flat_map(move |place| {
                STATES.into_iter().flat_map(move |state| {
                    [false, true].into_iter().map(move |recentered| Bin {
                        row,
                        place,
                        state,
                        recentered,
                    })
                })
            })
        })
    }

    /// Why it cannot be hit.
    fn impossible(self) -> Option<&'static str> {
        use {Place::*, Row::*};
        let somewhere = self.place != Nowhere;
        Some(match self.row {
            Leave | LeaveIndirect if self.place == Back => {
                "the back ring holds YIELD tokens only, and LEAVE searches for others"
            }
            Yield | ForcedYield | Retry | Part | Wake if somewhere && self.recentered => {
                "what merges pushes nothing (SPILL-020)"
            }
            Push | CallPush if matches!(self.place, Memory | Back) => {
                "a push looks at the front token only (CONV-030)"
            }
            Push if self.place == Front && self.recentered => {
                "a redundant push pushes nothing (SPILL-020)"
            }
            BranchDivergence | IndirectDivergence | CallDivergence | LeaveDivergence
                if somewhere =>
            {
                "a divergence looks for no token"
            }
            _ if self.place == Memory && self.state == State::OnChip => "nothing stands in memory",
            _ => return None,
        })
    }

    fn index(self) -> usize {
        let place = self.row as usize * PLACES.len() + self.place as usize;
        (place * STATES.len() + self.state as usize) * 2 + usize::from(self.recentered)
    }
}

impl fmt::Display for Bin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let recentered = if self.recentered { ", recentered" } else { "" };
        let (row, place, state) = (self.row.name(), self.place, self.state);
        write!(f, "{row} / {place:?} / {state:?}{recentered}")
    }
}

pub type Cross = Hits<Bin>;

impl Cross {
    pub fn sample(&mut self, e: &Retired, before: &Warp, after: &Warp) {
        let r = e.record;
        let recentered = after.deque().recentered() > before.deque().recentered();
        let state = match e.began {
            Standing { under_way: 1.., .. } => State::Moving,
            Standing { stored: 1.., .. } => State::Spilled,
            _ => State::OnChip,
        };
        let mut hit = |row, place| {
            let bin = Bin {
                row,
                place,
                state,
                recentered,
            };
            self.hit(bin);
        };
        let depth = before.deque().depth();
        let place = |index: Option<usize>| match index {
            None => Place::Nowhere,
            Some(n) if n <= e.began.fore(depth) => Place::Front,
            Some(n) if n <= e.began.fore(depth) + e.began.stored => Place::Memory,
            Some(_) => Place::Back,
        };
        let diverged = after.counters().divergences > before.counters().divergences;
        let entered = |pushed: u64| pushed > 0;
        let pushed = after.counters().pushes - before.counters().pushes;
        let redundant = after.counters().redundant_pushes - before.counters().redundant_pushes;
        match r.event {
            Event::Leave | Event::LeaveIndirect => {
                let leaving = e.resolve.mask & before.active();
                let row = match r.event {
                    Event::Leave => Row::Leave,
                    _ => Row::LeaveIndirect,
                };
                if leaving != 0 {
                    hit(row, place(found(e, before, leaving)));
                }
                if diverged {
                    hit(Row::LeaveDivergence, Place::Nowhere);
                }
            }
            Event::Push | Event::Call if entered(pushed) && !r.dropped => {
                let row = match r.event {
                    Event::Push => Row::Push,
                    _ => Row::CallPush,
                };
                hit(row, place((redundant > 0).then_some(0)));
                if diverged {
                    hit(Row::CallDivergence, Place::Nowhere);
                }
            }
            Event::Call if diverged => hit(Row::CallDivergence, Place::Nowhere),
            Event::Branch if diverged => hit(Row::BranchDivergence, Place::Nowhere),
            Event::Indirect if diverged => hit(Row::IndirectDivergence, Place::Nowhere),
            _ => {}
        }
        let yielded = yielded(r, e.resolve, before, after);
        let row = match r.event {
            Event::Yield => Row::Yield,
            Event::Barrier => match e.resolve.kind {
                barrier::RETRY => Row::Retry,
                barrier::PART => Row::Part,
                _ => Row::Wake,
            },
            _ => Row::ForcedYield,
        };
        match yielded {
            Some(Yielded::Merged(index)) => hit(row, place(Some(index))),
            Some(Yielded::Pushed) => hit(row, Place::Nowhere),
            None => {}
        }
        if let Some(last) = resumed(r, &unwound(e, before, yielded)) {
            // The token that the yield itself has pushed stood nowhere.
            hit(Row::Unwind, place(Some(last).filter(|n| *n < depth)));
        }
    }
}

/// CONV-040: number of the token that a LEAVE of `leaving` finds.
pub fn found(e: &Retired, before: &Warp, leaving: u64) -> Option<usize> {
    let (kind, target) = (e.resolve.kind, e.resolve.target);
    let matches = |t: &Token| t.kind == kind && t.address == target && t.mask & leaving != 0;
    let mut searched = before.deque().iter().take_while(|t| t.kind != YIELD);
    searched.position(|t| matches(&t))
}

/// The deque as an unwinding found it.
pub fn unwound(e: &Retired, before: &Warp, yielded: Option<Yielded>) -> Vec<Token> {
    let mut tokens: Vec<Token> = before.deque().iter().collect();
    if yielded == Some(Yielded::Pushed) {
        tokens.push(Token {
            kind: YIELD,
            mask: e.resolve.mask,
            address: e.record.pc,
            below: 0,
        });
    }
    tokens
}

/// Number of the token whose threads go on, when an unwinding found these. A SUBV token that has threads left stays.
pub fn resumed(r: &weft_sim::Record, tokens: &[Token]) -> Option<usize> {
    let unwinds = matches!(
        r.event,
        Event::Leave
            | Event::LeaveIndirect
            | Event::Yield
            | Event::ForcedYield
            | Event::Exit
            | Event::Barrier
    );
    match unwinds && r.next_mask != 0 {
        true => {
            let gone = tokens.len().checked_sub(r.depth)?;
            let stays = tokens.get(gone).is_some_and(|t| {
                t.kind == SUBV && r.front.is_some_and(|f| f.kind == SUBV && f.mask != t.mask)
            });
            if stays {
                Some(gone)
            } else {
                gone.checked_sub(1)
            }
        }
        false => None,
    }
}

impl fmt::Display for Cross {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:22}{:9}", "", "match")?;
        for state in STATES {
            write!(f, "{:>14}{:>14}", format!("{state:?}"), "recentered")?;
        }
        writeln!(f)?;
        for row in ROWS {
            for place in PLACES {
                write!(f, "{:22}{:9}", row.name(), format!("{place:?}"))?;
                for state in STATES {
                    for recentered in [false, true] {
                        let bin = Bin {
                            row,
                            place,
                            state,
                            recentered,
                        };
                        match (self.count(bin), bin.impossible()) {
                            (0, Some(_)) => write!(f, "{:>14}", "-")?,
                            (count, _) => write!(f, "{count:>14}")?,
                        }
                    }
                }
                writeln!(f)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_shows_counts_and_what_is_impossible() {
        let mut cross = Cross::default();
        let bin = Bin {
            row: Row::Yield,
            place: Place::Memory,
            state: State::Moving,
            recentered: false,
        };
        (0..7).for_each(|_| cross.hit(bin));
        let text = cross.to_string();
        let row = |name: &str, place: &str| {
            let line = text
                .lines()
                .find(|l| l.starts_with(name) && l.contains(place));
            let cells: Vec<String> = line
                .expect("a row")
                .split_whitespace()
                .map(str::to_string)
                .collect();
            cells[cells.len() - 6..].join(" ")
        };
        assert_eq!(row("YIELD", "Memory"), "- - 0 - 7 -");
        assert_eq!(row("PUSH", "Back"), "- - - - - -");
        assert!(cross.wrong().is_empty() && !cross.missing().contains(&bin));
    }

    #[test]
    fn a_third_of_all_bins_is_possible_at_least() {
        let possible = Bin::all().filter(|b| b.impossible().is_none()).count();
        assert!(possible * 3 > Bin::all().count(), "{possible}");
    }
}
