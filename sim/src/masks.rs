//! The mask unit of one warp: mask registers, the scalar condition, predicated blocks.
//!
//! Spec: `docs/spec/masks.md`. Part of the datapath, like [`crate::lane`]: it knows the active mask of the instruction
//! at hand and says which threads are to be on, but why a thread is off only the convergence unit knows.

use crate::lane::Thread;
use crate::memory::FaultCause;
use crate::mutation::Mutation;
use weft_isa::{Instr, Mask, MaskCond, MaskInstr, MaskOp};

/// What a mask instruction asks of the warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaskEffect {
    Next,
    /// MASK-020: of the threads that are on or masked, these are to be on.
    Set(u64),
    /// The warp goes to this byte address, unchecked.
    Jump(u32),
}

/// Of a warp, not of its threads (MASK-001).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Masks {
    /// All W threads, whoever has ended (MASK-014).
    all: u64,
    registers: [u64; 8],
    condition: bool,
    block: Option<Block>,
    mutation: Option<Mutation>,
}

/// A predicated block: its mask register, and how many instructions are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Block {
    mask: Mask,
    left: u8,
}

impl Masks {
    /// As at the launch of a warp of `width` threads.
    pub fn new(width: usize) -> Masks {
        Masks {
            all: u64::MAX >> (64 - width),
            registers: [0; 8],
            condition: false,
            block: None,
            mutation: None,
        }
    }

    #[doc(hidden)]
    pub fn with_mutation(mut self, mutation: Mutation) -> Masks {
        self.mutation = Some(mutation);
        self
    }

    /// m0 to m7.
    pub fn registers(&self) -> &[u64; 8] {
        &self.registers
    }

    /// scc
    pub fn condition(&self) -> bool {
        self.condition
    }

    /// MASK-030, MASK-031: the threads in which `instr` has an effect; counts it if it stands in a block.
    /// `None`: it may not stand in one.
    pub fn write_mask(&mut self, instr: Instr, active: u64) -> Option<u64> {
        let Some(block) = self.block else {
            return Some(active);
        };
        if !is_predicable(instr) {
            return None;
        }
        let left = block.left - 1;
        let over = left == 0 && !self.mutated(Mutation::BlockTooLong);
        self.block = (!over).then_some(Block {
            left: left.max(1),
            ..block
        });
        match self.mutated(Mutation::PredicateIgnored) {
            true => Some(active),
            false => Some(active & self.registers[usize::from(block.mask.number())]),
        }
    }

    /// One mask instruction at byte address `pc_byte`, for the warp.
    ///
    /// # Errors
    /// A branch that is taken to an address where no instruction can be.
    pub fn execute(
        &mut self,
        instr: MaskInstr,
        pc_byte: u32,
        active: u64,
        threads: &mut [Thread],
    ) -> Result<MaskEffect, FaultCause> {
        match instr {
            MaskInstr::Logic { op, md, ma, mb } => {
                let result = self.logic(op, self.read(ma, active), self.read(mb, active));
                if md.is_exec() {
                    self.condition = result != 0;
                    return Ok(MaskEffect::Set(result));
                }
                self.write(md, result);
            }
            MaskInstr::Save { op, md, ms } => {
                if self.mutated(Mutation::SaveWritesFirst) {
                    self.write(md, active);
                }
                let result = self.logic(op, self.read(ms, active), active);
                self.write(md, active);
                self.condition = result != 0 && !self.mutated(Mutation::SaveClearsCondition);
                return Ok(MaskEffect::Set(result));
            }
            MaskInstr::Set { md, rs1 } => {
                let old = match self.mutated(Mutation::BallotKeepsOthers) {
                    true => self.read(md, active) & !active,
                    false => 0,
                };
                self.write(md, old | ballot(rs1, active, threads));
            }
            MaskInstr::Get { rd, ms, high } => {
                let value = self.read(ms, active) >> (32 * u32::from(high));
                spread(rd, value as u32, active, threads);
            }
            MaskInstr::Put { md, rs1, high } => {
                if active != 0 {
                    let leader = &threads[active.trailing_zeros() as usize];
                    let word = u64::from(leader.registers[usize::from(rs1)]);
                    let shift = 32 * u32::from(high);
                    let kept = self.read(md, active) & !(0xffff_ffff << shift);
                    self.write(md, (kept | word << shift) & self.all);
                }
            }
            MaskInstr::Count { rd, ms } => {
                spread(rd, self.read(ms, active).count_ones(), active, threads);
            }
            MaskInstr::First { rd, ms } => {
                let first = match self.read(ms, active) {
                    0 => u32::MAX,
                    mask => mask.trailing_zeros(),
                };
                spread(rd, first, active, threads);
            }
            MaskInstr::Condition { rd } => spread(rd, self.condition.into(), active, threads),
            MaskInstr::Branch { cond, ms, offset } => {
                let mask = self.read(ms, active);
                let taken = match cond {
                    MaskCond::Zero => mask == 0,
                    MaskCond::NonZero => mask != 0,
                    MaskCond::Ones => mask == self.all,
                    MaskCond::NotOnes => mask != self.all,
                };
                return jump(taken, pc_byte, offset);
            }
            MaskInstr::BranchCondition { value, offset } => {
                return jump(self.condition == value, pc_byte, offset);
            }
            MaskInstr::Predicate { ms, count } => {
                self.block = Some(Block {
                    mask: ms,
                    left: count,
                });
            }
        }
        Ok(MaskEffect::Next)
    }

    fn read(&self, mask: Mask, active: u64) -> u64 {
        match mask.is_exec() {
            true => active,
            false => self.registers[usize::from(mask.number())],
        }
    }

    /// MASK-011: scc follows.
    fn write(&mut self, md: Mask, value: u64) {
        self.registers[usize::from(md.number())] = value;
        self.condition = value != 0;
    }

    /// MASK-010.
    fn logic(&self, op: MaskOp, a: u64, b: u64) -> u64 {
        let result = match op {
            MaskOp::And => a & b,
            MaskOp::Or => a | b,
            MaskOp::Xor => a ^ b,
            MaskOp::Andn if self.mutated(Mutation::AndnSwapped) => b & !a,
            MaskOp::Andn => a & !b,
            MaskOp::Nand => !(a & b),
            MaskOp::Nor => !(a | b),
            MaskOp::Xnor => !(a ^ b),
            MaskOp::Orn => a | !b,
        };
        result & self.all
    }

    fn mutated(&self, mutation: Mutation) -> bool {
        self.mutation == Some(mutation)
    }
}

/// MASK-031: what may stand in a predicated block.
fn is_predicable(instr: Instr) -> bool {
    use Instr::*;
    let is_arithmetic = matches!(
        instr,
        Lui { .. } | Auipc { .. } | OpImm { .. } | Op { .. } | Mul { .. } | Float(_) | Csr { .. }
    );
    let is_memory = matches!(
        instr,
        Load { .. } | Store { .. } | LoadReserved { .. } | StoreConditional { .. } | Amo { .. }
    );
    is_arithmetic || is_memory || matches!(instr, Fence { .. })
}

/// The active threads whose rs1 is not zero.
fn ballot(rs1: u8, active: u64, threads: &[Thread]) -> u64 {
    let says_yes = |lane: &usize| threads[*lane].registers[usize::from(rs1)] != 0;
    let lanes = (0..threads.len()).filter(|lane| active >> lane & 1 != 0);
    lanes
        .filter(says_yes)
        .fold(0, |mask, lane| mask | 1 << lane)
}

/// MASK-013: rd = value in every active thread.
fn spread(rd: u8, value: u32, active: u64, threads: &mut [Thread]) {
    let active_threads = threads.iter_mut().enumerate();
    for (_, thread) in active_threads.filter(|(lane, _)| active >> lane & 1 != 0) {
        thread.set(rd, value);
    }
}

/// MASK-015: a mask branch, for the whole warp.
fn jump(taken: bool, pc_byte: u32, offset: i32) -> Result<MaskEffect, FaultCause> {
    if !taken {
        return Ok(MaskEffect::Next);
    }
    let target = crate::lane::code_address(pc_byte.wrapping_add(offset as u32))?;
    Ok(MaskEffect::Jump(target))
}
