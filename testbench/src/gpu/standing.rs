//! Where the warps of a GPU in simulation stand, and which tasks have no SM, from what its trace has shown.

use super::cycle::Cycle;
use crate::tasks::device::kind;
use std::collections::BTreeMap;
use weft_driver::device::{Standing, WarpAt};
use weft_isa::Instr;

#[derive(Default)]
pub struct Seen {
    /// By SM and warp: the last instruction.
    last: BTreeMap<(usize, usize), u32>,
    /// By slot: descriptor, and whether a CTA of it has been started.
    slots: BTreeMap<usize, (u32, bool)>,
    /// SM, descriptor and number of CTAs that run.
    ctas: Vec<(usize, u32, u32)>,
}

impl Seen {
    pub fn note(&mut self, cycle: &Cycle) {
        for (sm, issue) in cycle.issues.iter().enumerate() {
            if let Some((warp, pc)) = *issue {
                self.last.insert((sm, warp), pc);
            }
        }
        let Some(step) = cycle.task else { return };
        match step.kind {
            kind::LOAD if step.code == 0 => {
                self.slots.insert(step.slot, (step.task, false));
            }
            kind::START => {
                if let Some((task, started)) = self.slots.get_mut(&step.slot) {
                    *started = true;
                    self.ctas.push((step.sm, *task, step.cta));
                }
            }
            kind::END => {
                let ended = (step.sm, step.task, step.cta);
                self.ctas.retain(|cta| *cta != ended);
                if self.ctas.iter().all(|(sm, ..)| *sm != step.sm) {
                    self.last.retain(|(sm, _), _| *sm != step.sm);
                }
            }
            kind::RETURN | kind::COMPLETE => {
                self.slots.remove(&step.slot);
            }
            _ => {}
        }
    }

    /// `word`: what is in memory there.
    pub fn standing(&self, word: impl Fn(u32) -> u32) -> Standing {
        // Where its last threads have ended; if others go on, they are seen again.
        let ends = |pc| matches!(weft_isa::decode(word(pc)), Ok(Instr::Ecall | Instr::Exit));
        let goes_on = |(_, pc): &(_, &u32)| !ends(**pc);
        let warps = self.last.iter().filter(goes_on);
        let waiting = self.slots.values().filter(|(_, started)| !started);
        Standing {
            warps: warps
                .map(|(&(sm, warp), &pc)| WarpAt { sm, warp, pc })
                .collect(),
            ctas: self.ctas.clone(),
            waiting: waiting.map(|(task, _)| *task).collect(),
        }
    }
}
