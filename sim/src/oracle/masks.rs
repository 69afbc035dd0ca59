//! A warp of one thread with masks of one bit (`docs/spec/masks.md`, MASK-060).

use crate::lane::{illegal, Thread};
use crate::memory::FaultCause;
use weft_isa::{Instr, Mask, MaskCond, MaskInstr, MaskOp};

#[derive(Clone, Debug)]
pub(super) struct OneBit {
    pub(super) on: bool,
    bits: [bool; 8],
    condition: bool,
    /// The bit that guards the write-back, and for how many more instructions.
    guard: (bool, u8),
}

/// What an instruction does to a thread that is alone.
pub(super) enum Acts {
    /// What it does without masks.
    Fully,
    /// Nothing.
    Not,
    /// It was a mask instruction; a jump by this offset follows.
    Mask { was_on: bool, jump: Option<i32> },
}

impl OneBit {
    pub(super) fn new() -> OneBit {
        OneBit {
            on: true,
            bits: [false; 8],
            condition: false,
            guard: (true, 0),
        }
    }

    fn bit(&self, mask: Mask) -> bool {
        self.bits
            .get(usize::from(mask.number()))
            .copied()
            .unwrap_or(self.on)
    }

    /// A result for a mask operand: scc follows.
    fn put(&mut self, mask: Mask, bit: bool) {
        self.condition = bit;
        match self.bits.get_mut(usize::from(mask.number())) {
            Some(own) => *own = bit,
            None => self.on = bit,
        }
    }

    pub(super) fn acts(
        &mut self,
        instr: Instr,
        thread: &mut Thread,
        lane: u32,
    ) -> Result<Acts, FaultCause> {
        let guarded = self.guard.1 > 0;
        if guarded {
            self.guard.1 -= 1;
            if !instr.changes_nothing_but_data() {
                return Err(illegal(instr));
            }
        }
        Ok(match instr {
            Instr::Mask(instr) => {
                let was_on = self.on;
                let jump = self.mask(instr, thread, lane);
                Acts::Mask { was_on, jump }
            }
            Instr::Jal { offset, .. } if !self.on => Acts::Mask {
                was_on: false,
                jump: Some(offset),
            },
            _ if !self.on || guarded && !self.guard.0 => Acts::Not,
            _ => Acts::Fully,
        })
    }

    /// Carries out a mask instruction; gives the offset if it jumps.
    fn mask(&mut self, instr: MaskInstr, thread: &mut Thread, lane: u32) -> Option<i32> {
        let on = self.on;
        let word = |bit: bool, high| (u64::from(bit) << lane >> (32 * u32::from(high))) as u32;
        let mut give = |rd, value| {
            if on {
                thread.set(rd, value);
            }
        };
        match instr {
            MaskInstr::Logic { op, md, ma, mb } => {
                self.put(md, of_bits(op, self.bit(ma), self.bit(mb)));
            }
            MaskInstr::Save { op, md, ms } => {
                let result = of_bits(op, self.bit(ms), on);
                self.put(md, on);
                self.put(Mask::EXEC, result);
            }
            MaskInstr::Set { md, rs1 } => {
                self.put(md, on && thread.registers[usize::from(rs1)] != 0);
            }
            MaskInstr::Get { rd, ms, high } => give(rd, word(self.bit(ms), high)),
            MaskInstr::Put { md, rs1, high } => {
                if on && (lane >= 32) == high {
                    self.put(
                        md,
                        thread.registers[usize::from(rs1)] >> (lane % 32) & 1 != 0,
                    );
                } else if on {
                    self.put(md, self.bit(md));
                }
            }
            MaskInstr::Count { rd, ms } => give(rd, self.bit(ms).into()),
            MaskInstr::First { rd, ms } => give(rd, if self.bit(ms) { lane } else { u32::MAX }),
            MaskInstr::Condition { rd } => give(rd, self.condition.into()),
            MaskInstr::Branch { cond, ms, offset } => {
                let wanted = matches!(cond, MaskCond::NonZero | MaskCond::Ones);
                return (self.bit(ms) == wanted).then_some(offset);
            }
            MaskInstr::BranchCondition { value, offset } => {
                return (self.condition == value).then_some(offset);
            }
            MaskInstr::Predicate { ms, count } => self.guard = (self.bit(ms), count),
        }
        None
    }
}

fn of_bits(op: MaskOp, a: bool, b: bool) -> bool {
    match op {
        MaskOp::And => a && b,
        MaskOp::Or => a || b,
        MaskOp::Xor => a != b,
        MaskOp::Andn => a && !b,
        MaskOp::Nand => !(a && b),
        MaskOp::Nor => !(a || b),
        MaskOp::Xnor => a == b,
        MaskOp::Orn => a || !b,
    }
}
