//! The functional datapath: what *one* thread does in *one* instruction.
//!
//! Spec: `docs/spec/isa.md`. There is no warp control here, and none may come here: the co-simulation uses
//! these lanes below the hardware's control plane as well as below the golden model.

use crate::config::CODE_LIMIT;
use crate::memory::{FaultCause, Memory};
use weft_isa::{AluOp, BranchCond, CsrOp, CsrSrc, Instr, Kind, LeaveCond, MulOp};

/// Architectural state of a thread, without its pc: that belongs to the warp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Thread {
    /// x0 to x31; x0 is always zero.
    pub registers: [u32; 32],
    /// Instructions that this thread has completed. The caller counts: [`execute`] only reads it.
    pub instret: u64,
}

impl Thread {
    /// A thread at its launch: all registers 0 but sp, a0 (thread number) and a1 (threads in the grid).
    pub fn launched(config: &crate::Config, number: u32) -> Thread {
        let mut thread = Thread::default();
        thread.registers[2] = config.memory - number * config.stack;
        thread.registers[10] = number;
        thread.registers[11] = config.grid_size();
        thread
    }

    #[inline(always)]
    fn get(&self, register: u8) -> u32 {
        self.registers[usize::from(register & 31)]
    }

    #[inline(always)]
    fn set(&mut self, register: u8, value: u32) {
        self.registers[usize::from(register & 31)] = value;
        self.registers[0] = 0;
    }
}

/// Who the thread is, and with whom it runs: what its CSRs say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CsrView {
    /// `wtid`, `mhartid`: number in the grid. Reservations belong to this number.
    pub thread: u32,
    /// `wlane`
    pub lane: u32,
    /// `wwarp`
    pub warp: u32,
    /// `wsize`: threads in the grid.
    pub grid: u32,
    /// `wmask`, `wmaskh`: active mask of the warp at this instruction.
    pub mask: u64,
    /// `wwidth`: W.
    pub width: u32,
}

/// What the instruction asks of the warp for this thread. Targets are byte addresses, and those that
/// the thread goes to (or pushes) are multiples of 4 below 16 MiB. The target of a branch that is not taken or of a leave
/// that does not select the thread is not checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// On to the next instruction.
    Next,
    /// Conditional branch.
    Branch {
        taken: bool,
        target: u32,
    },
    /// JAL: a branch that everybody takes.
    Jump {
        target: u32,
    },
    /// JALR. See [`indirect_target`].
    Indirect {
        target: u32,
    },
    Push {
        kind: Kind,
        target: u32,
    },
    Leave {
        kind: Kind,
        selected: bool,
        target: u32,
    },
    LeaveIndirect {
        kind: Kind,
        target: u32,
    },
    Yield,
    /// EXIT or ECALL.
    Exit,
}

/// Target of an indirect jump (JALR, `leave.r`), as a byte address, unchecked; `None` for all other instructions.
///
/// Only the threads of the leader's group complete such an instruction (CONV-022), so their targets have to be known before
/// anyone executes it.
#[inline]
pub fn indirect_target(instr: Instr, thread: &Thread) -> Option<u32> {
    match instr {
        Instr::Jalr { rs1, offset, .. } | Instr::LeaveIndirect { rs1, offset, .. } => {
            Some(thread.get(rs1).wrapping_add(offset as u32) & !1)
        }
        _ => None,
    }
}

/// Executes `instr`, which lies at byte address `pc_byte`, for one thread. On a fault nothing has changed.
#[inline]
pub fn execute(
    instr: Instr,
    pc_byte: u32,
    thread: &mut Thread,
    csr: &CsrView,
    memory: &mut Memory,
) -> Result<Effect, FaultCause> {
    let relative = |offset: i32| pc_byte.wrapping_add(offset as u32);
    match instr {
        Instr::Lui { rd, imm } => thread.set(rd, imm),
        Instr::Auipc { rd, imm } => thread.set(rd, pc_byte.wrapping_add(imm)),
        Instr::OpImm { op, rd, rs1, imm } => thread.set(rd, alu(op, thread.get(rs1), imm as u32)),
        Instr::Op { op, rd, rs1, rs2 } => thread.set(rd, alu(op, thread.get(rs1), thread.get(rs2))),
        Instr::Mul { op, rd, rs1, rs2 } => {
            thread.set(rd, multiply(op, thread.get(rs1), thread.get(rs2)))
        }
        Instr::Load {
            width,
            rd,
            rs1,
            offset,
        } => {
            let value = memory.read(width, thread.get(rs1).wrapping_add(offset as u32))?;
            thread.set(rd, value);
        }
        Instr::Store {
            width,
            rs1,
            rs2,
            offset,
        } => {
            let address = thread.get(rs1).wrapping_add(offset as u32);
            memory.store(csr.thread, width, address, thread.get(rs2))?;
        }
        Instr::Branch {
            cond,
            rs1,
            rs2,
            offset,
        } => {
            let taken = holds(cond, thread.get(rs1), thread.get(rs2));
            let target = relative(offset);
            if taken {
                code_address(target)?;
            }
            return Ok(Effect::Branch { taken, target });
        }
        Instr::Jal { rd, offset } => {
            let target = code_address(relative(offset))?;
            thread.set(rd, pc_byte.wrapping_add(4));
            return Ok(Effect::Jump { target });
        }
        Instr::Jalr { rd, rs1, offset } => {
            let target = code_address(thread.get(rs1).wrapping_add(offset as u32) & !1)?;
            thread.set(rd, pc_byte.wrapping_add(4));
            return Ok(Effect::Indirect { target });
        }
        Instr::LoadReserved { rd, rs1, .. } => {
            let value = memory.load_reserved(csr.thread, thread.get(rs1))?;
            thread.set(rd, value);
        }
        Instr::StoreConditional { rd, rs1, rs2, .. } => {
            let stored = memory.store_conditional(csr.thread, thread.get(rs1), thread.get(rs2))?;
            thread.set(rd, u32::from(!stored));
        }
        Instr::Amo {
            op, rd, rs1, rs2, ..
        } => {
            let old = memory.amo(csr.thread, op, thread.get(rs1), thread.get(rs2))?;
            thread.set(rd, old);
        }
        Instr::Csr {
            op,
            rd,
            csr: number,
            src,
        } => {
            let value = read_csr(op, number, src, thread, csr).ok_or_else(|| illegal(instr))?;
            thread.set(rd, value);
        }
        Instr::Fence { .. } | Instr::FenceI => {}
        Instr::Ecall | Instr::Exit => return Ok(Effect::Exit),
        Instr::Ebreak => return Err(FaultCause::Breakpoint),
        Instr::Push { kind, offset } => {
            let target = code_address(relative(offset))?;
            return Ok(Effect::Push { kind, target });
        }
        Instr::Leave { kind, cond, offset } => {
            let selected = match cond {
                LeaveCond::Always => true,
                LeaveCond::Nez(rs1) => thread.get(rs1) != 0,
                LeaveCond::Eqz(rs1) => thread.get(rs1) == 0,
            };
            let target = relative(offset);
            if selected {
                code_address(target)?;
            }
            return Ok(Effect::Leave {
                kind,
                selected,
                target,
            });
        }
        Instr::LeaveIndirect { kind, rs1, offset } => {
            let target = code_address(thread.get(rs1).wrapping_add(offset as u32) & !1)?;
            return Ok(Effect::LeaveIndirect { kind, target });
        }
        Instr::Yield => return Ok(Effect::Yield),
    }
    Ok(Effect::Next)
}

/// A place that a thread can go to.
#[inline(always)]
fn code_address(address: u32) -> Result<u32, FaultCause> {
    if address % 4 != 0 {
        Err(FaultCause::Misaligned { address })
    } else if address >= CODE_LIMIT {
        Err(FaultCause::Unmapped { address })
    } else {
        Ok(address)
    }
}

#[cold]
fn illegal(instr: Instr) -> FaultCause {
    FaultCause::IllegalInstruction(weft_isa::encode(instr).unwrap_or(0))
}

#[inline(always)]
fn alu(op: AluOp, a: u32, b: u32) -> u32 {
    match op {
        AluOp::Add => a.wrapping_add(b),
        AluOp::Sub => a.wrapping_sub(b),
        AluOp::Sll => a.wrapping_shl(b),
        AluOp::Slt => u32::from((a as i32) < (b as i32)),
        AluOp::Sltu => u32::from(a < b),
        AluOp::Xor => a ^ b,
        AluOp::Srl => a.wrapping_shr(b),
        AluOp::Sra => (a as i32).wrapping_shr(b) as u32,
        AluOp::Or => a | b,
        AluOp::And => a & b,
    }
}

#[inline(always)]
fn multiply(op: MulOp, a: u32, b: u32) -> u32 {
    let (signed_a, signed_b) = (a as i32, b as i32);
    match op {
        MulOp::Mul => a.wrapping_mul(b),
        MulOp::Mulh => ((i64::from(signed_a) * i64::from(signed_b)) >> 32) as u32,
        MulOp::Mulhsu => ((i64::from(signed_a) * i64::from(b)) >> 32) as u32,
        MulOp::Mulhu => ((u64::from(a) * u64::from(b)) >> 32) as u32,
        // Division by zero: quotient all ones, remainder the dividend. Overflow: quotient the dividend, remainder 0.
        MulOp::Div if b == 0 => u32::MAX,
        MulOp::Div => signed_a.wrapping_div(signed_b) as u32,
        MulOp::Divu => a.checked_div(b).unwrap_or(u32::MAX),
        MulOp::Rem if b == 0 => a,
        MulOp::Rem => signed_a.wrapping_rem(signed_b) as u32,
        MulOp::Remu => a.checked_rem(b).unwrap_or(a),
    }
}

#[inline(always)]
fn holds(cond: BranchCond, a: u32, b: u32) -> bool {
    match cond {
        BranchCond::Eq => a == b,
        BranchCond::Ne => a != b,
        BranchCond::Lt => (a as i32) < (b as i32),
        BranchCond::Ge => (a as i32) >= (b as i32),
        BranchCond::Ltu => a < b,
        BranchCond::Geu => a >= b,
    }
}

/// Value of a CSR, or `None` for a write and for an unknown number. CSRRS and CSRRC write unless their source is
/// x0 or the immediate 0; CSRRW always writes.
fn read_csr(op: CsrOp, number: u16, src: CsrSrc, thread: &Thread, csr: &CsrView) -> Option<u32> {
    let writes = match src {
        CsrSrc::Reg(register) => register != 0,
        CsrSrc::Imm(value) => value != 0,
    };
    if op == CsrOp::Write || writes {
        return None;
    }
    Some(match number {
        0xc00..=0xc02 => thread.instret as u32,
        0xc80..=0xc82 => (thread.instret >> 32) as u32,
        0xcc0 | 0xf14 => csr.thread,
        0xcc1 => csr.lane,
        0xcc2 => csr.warp,
        0xcc3 => 0,
        0xcc4 => csr.grid,
        0xcc5 => csr.mask as u32,
        0xcc6 => (csr.mask >> 32) as u32,
        0xcc7 => csr.width,
        _ => return None,
    })
}
