//! Why nothing is issued in a cycle, as far as the trace shows it.

use super::{in_sm, Flight, Lockstep, STEPS};
use crate::core::decode::{FLOAT, MEMORY, SPECIAL};
use crate::sm::report::Reason;

impl Lockstep<'_> {
    /// Why nothing is issued in this cycle, as far as the trace shows it: told by the warp that is nearest to it.
    pub(super) fn reason(&mut self, issues: bool, hold: u64) {
        let reason = match issues {
            true => Reason::Issue,
            false => match self.nearest(hold) {
                Reason::Steps | Reason::Supply if self.warps.cycle < self.passes_until => {
                    Reason::Unit
                }
                other => other,
            },
        };
        self.seen.reasons.add(reason);
    }

    /// `hold`: warps that wait at a barrier, asleep or awake (BAR-084).
    pub(super) fn nearest(&mut self, hold: u64) -> Reason {
        let (mut nearest, mut alive) = (None, false);
        for warp in 0..self.slots.len() {
            let slot = &self.warps[warp];
            alive |= slot.alive;
            if slot.alive && !slot.blocked && hold >> warp & 1 == 0 {
                let waits = self.waits_for(warp);
                if waits == Reason::Steps {
                    return waits;
                }
                nearest = Some(nearest.map_or(waits, |n: Reason| n.min(waits)));
            }
        }
        nearest.unwrap_or(match alive {
            true => Reason::Barrier,
            false => Reason::Idle,
        })
    }

    /// What keeps the next instruction of a warp that is awake.
    pub(super) fn waits_for(&mut self, warp: usize) -> Reason {
        let slot = &self.slots[warp];
        if self.warps[warp].control.is_some() {
            return match slot.arrives {
                true => Reason::Barrier,
                false => Reason::Control,
            };
        }
        let (pc, ready) = (self.warps[warp].pc, self.warps.cycle - slot.since > STEPS);
        let open = slot.flights.iter().any(|f| !f.done);
        if !open && !ready {
            return slot.steps();
        }
        let next = match slot.next {
            Some((at, next)) if at == pc => next,
            _ => in_sm(self.program_word(pc).unwrap_or(0), self.shape.float > 0),
        };
        let slot = &mut self.slots[warp];
        slot.next = Some((pc, next));
        let uses = [next.rd, next.rs1, next.rs2];
        let awaited = |f: &&Flight| {
            let named = f.rd.is_some() && uses.contains(&f.rd);
            !f.done && (next.drain || named)
        };
        let awaited = slot.flights.iter().filter(awaited);
        let longest = awaited.map(|f| match f.memory {
            true => Reason::Memory,
            false => Reason::Hazard,
        });
        longest.max().unwrap_or(match next.class {
            // Its queue is full.
            MEMORY if ready => Reason::Memory,
            SPECIAL | FLOAT if ready => Reason::Unit,
            _ => slot.steps(),
        })
    }
}
