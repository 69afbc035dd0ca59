//! Functional coverage of MASK: operation x who of the warp is off x parts that run.

use crate::bins::{Bins, Hits};
use crate::lanes::Resolve;
use serde::Serialize;
use std::fmt;
use weft_ports::control::mask;
use weft_sim::{Warp, MASKED, SUBV};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum Row {
    /// Everybody is switched off.
    SetNobody,
    /// Some are switched off, nobody on.
    SetFewer,
    /// Masked threads are switched on.
    SetMore,
    /// Nobody is switched off or on.
    SetSame,
    Jump,
    SubVectorStart,
}

/// When the operation began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum State {
    /// All that have not ended are active.
    Whole,
    SomeMasked,
    /// For a token, or asleep.
    OthersWait,
    SomeMaskedOthersWait,
    NobodyOn,
    NobodyOnOthersWait,
}

/// The active threads, when the operation began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum Pass {
    /// A warp is one part.
    Single,
    /// They are in one part, or there are none.
    One,
    /// The same, and other parts wait for their turn.
    Turn,
    Several,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Bin {
    pub row: Row,
    pub state: State,
    pub pass: Pass,
}

const ROWS: [Row; 6] = [
    Row::SetNobody,
    Row::SetFewer,
    Row::SetMore,
    Row::SetSame,
    Row::Jump,
    Row::SubVectorStart,
];
const STATES: [State; 6] = [
    State::Whole,
    State::SomeMasked,
    State::OthersWait,
    State::SomeMaskedOthersWait,
    State::NobodyOn,
    State::NobodyOnOthersWait,
];
const PASSES: [Pass; 4] = [Pass::Single, Pass::One, Pass::Turn, Pass::Several];

impl Bins for Bin {
    fn all() -> impl Iterator<Item = Bin> {
        ROWS.into_iter().flat_map(|row| {
            STATES.into_iter().flat_map(move |state| {
                let bin = move |pass| Bin { row, state, pass };
                PASSES.into_iter().map(bin)
            })
        })
    }

    /// Why it cannot be hit.
    fn impossible(self) -> Option<&'static str> {
        use {Pass::*, Row::*, State::*};
        let nobody = matches!(self.state, NobodyOn | NobodyOnOthersWait);
        let others = matches!(
            self.state,
            OthersWait | SomeMaskedOthersWait | NobodyOnOthersWait
        );
        Some(match (self.row, self.pass) {
            (SetNobody | SetFewer, _) if nobody => "nobody is left to be switched off",
            (SetMore, _) if matches!(self.state, Whole | OthersWait) => "nobody is masked",
            (_, Several) if nobody => "no part has active threads",
            (_, Turn) if !others => "parts that wait are others that wait",
            _ => return None,
        })
    }

    fn index(self) -> usize {
        (self.row as usize * STATES.len() + self.state as usize) * PASSES.len() + self.pass as usize
    }
}

impl fmt::Display for Bin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} / {:?} / {:?}", self.row, self.state, self.pass)
    }
}

pub type MaskCross = Hits<Bin>;

impl MaskCross {
    /// A MASK has retired, which was resolved like this, on a warp of `threads` threads in parts of `lanes`;
    /// `next_mask` goes on.
    pub fn sample(
        &mut self,
        resolve: &Resolve,
        next_mask: u64,
        before: &Warp,
        threads: usize,
        lanes: usize,
    ) {
        let active = before.active();
        let masked = before.waiting_for(MASKED);
        let row = match resolve.kind {
            mask::JUMP => Row::Jump,
            mask::SUBV_START => Row::SubVectorStart,
            _ if next_mask & masked != 0 => Row::SetMore,
            _ if resolve.mask & active == active => Row::SetSame,
            _ if resolve.mask & active == 0 => Row::SetNobody,
            _ => Row::SetFewer,
        };
        let settled = active | masked | before.ended();
        let others = settled.count_ones() < threads as u32;
        let state = match (active == 0, masked != 0, others) {
            (true, _, false) => State::NobodyOn,
            (true, _, true) => State::NobodyOnOthersWait,
            (false, false, false) => State::Whole,
            (false, true, false) => State::SomeMasked,
            (false, false, true) => State::OthersWait,
            (false, true, true) => State::SomeMaskedOthersWait,
        };
        let part = |lane: u32| lane as usize / lanes;
        let one = active == 0 || part(active.trailing_zeros()) == part(63 - active.leading_zeros());
        let pass = match (lanes >= threads, one) {
            (true, _) => Pass::Single,
            (false, false) => Pass::Several,
            (false, true) if before.waiting_for(SUBV) != 0 => Pass::Turn,
            (false, true) => Pass::One,
        };
        self.hit(Bin { row, state, pass });
    }
}

impl fmt::Display for MaskCross {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:16}{:22}", "MASK", "")?;
        for pass in PASSES {
            write!(f, "{:>12}", format!("{pass:?}"))?;
        }
        writeln!(f)?;
        for row in ROWS {
            for state in STATES {
                write!(f, "{:16}{:22}", format!("{row:?}"), format!("{state:?}"))?;
                for pass in PASSES {
                    let bin = Bin { row, state, pass };
                    match (self.count(bin), bin.impossible()) {
                        (0, Some(_)) => write!(f, "{:>12}", "-")?,
                        (count, _) => write!(f, "{count:>12}")?,
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
    fn bins_that_are_hit_are_not_missing_and_impossible_ones_are_wrong() {
        let mut cross = MaskCross::default();
        let possible = Bin {
            row: Row::Jump,
            state: State::NobodyOn,
            pass: Pass::One,
        };
        let impossible = Bin {
            pass: Pass::Several,
            ..possible
        };
        assert!(cross.missing().contains(&possible) && !cross.missing().contains(&impossible));
        cross.hit(possible);
        cross.hit(impossible);
        assert!(!cross.missing().contains(&possible));
        assert_eq!(cross.wrong(), [impossible]);
    }
}
