//! The functional datapath: what *one* thread does in *one* instruction.
//!
//! Spec: `docs/spec/isa.md`. There is no warp control here, and none may come here: the co-simulation uses
//! these lanes below the hardware's control plane as well as below the golden model.

use crate::config::{Config, Stack, CODE_LIMIT};
use crate::float::{self, FCSR, FFLAGS, FRM};
use crate::memory::FaultCause;
use crate::space::{Bus, Launch, Place, LOCAL};
use weft_isa::{AluOp, BarrierOp, BranchCond, CsrOp, CsrSrc, Instr, Kind, LeaveCond, MulOp};

/// Architectural state of a thread, without its pc: that belongs to the warp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Thread {
    /// x0 to x31; x0 is always zero.
    pub registers: [u32; 32],
    /// Instructions that this thread has completed. The caller counts: [`execute`] only reads it.
    pub instret: u64,
    /// `wlevel`: what the thread has written last.
    pub level: u8,
}

impl Thread {
    /// A thread of a launch (SM-012), by its number in the grid.
    pub fn of_launch(launch: &Launch, number: u32) -> Thread {
        let mut thread = Thread::default();
        thread.registers[2] = LOCAL + launch.local;
        thread.registers[10] = number;
        thread.registers[11] = launch.total();
        thread.registers[12] = launch.arguments;
        thread
    }

    /// A thread of this machine at its launch: all registers 0 but sp, a0 (thread number) and a1 (threads in the grid).
    pub fn launched(config: &Config, number: u32) -> Thread {
        let mut thread = Thread::default();
        let number = config.number(number);
        thread.registers[2] = config.stack_of(number).end;
        thread.registers[10] = number;
        thread.registers[11] = config.whole_grid();
        thread
    }

    /// ISA-030: with gp as the program's linker wants it ([`weft_isa::Program::global_pointer`]).
    pub fn with_global_pointer(mut self, gp: u32) -> Thread {
        self.registers[3] = gp;
        self
    }

    #[inline(always)]
    fn get(&self, register: u8) -> u32 {
        self.registers[usize::from(register & 31)]
    }

    /// Register 0 stays 0.
    #[inline(always)]
    pub fn set(&mut self, register: u8, value: u32) {
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
    /// `wcta`
    pub cta: u32,
    /// ISA-040: the machine has float.
    pub float: bool,
    /// Numbers of the CTA and of the launch.
    pub place: Place,
    /// ISA-020; of a thread whose stack stands in a window of its own it is empty.
    pub stack: Stack,
}

impl CsrView {
    /// A thread of a machine without a launch, in a warp with this active mask.
    pub fn of(config: &Config, warp: usize, lane: usize, mask: u64) -> CsrView {
        let thread = config.number((warp * config.threads + lane) as u32);
        let place = Place::of_warp(config, warp);
        CsrView {
            thread,
            lane: lane as u32,
            warp: config.warp_number(warp),
            grid: config.whole_grid(),
            mask,
            width: config.threads as u32,
            cta: config.cta_number(warp),
            float: config.float,
            place: Place {
                thread: place.thread + lane as u32,
                ..place
            },
            stack: config.stack_of(thread),
        }
    }
}

/// What the instruction asks of the warp for this thread. Targets are byte addresses, and those that
/// the thread goes to (or pushes) are multiples of 4 below 16 MiB.
/// The target of a branch that is not taken or of a leave that does not select the thread is not checked.
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
    /// JAL or JALR that pushes a CALL token. See [`Effect::with_call_tokens`].
    Call {
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
    /// An operation of the barrier unit.
    Barrier {
        op: BarrierOp,
        id: u8,
        /// TOP: the thread participates. WAIT: its parity is 1.
        selected: bool,
        /// The lowest active thread's counts.
        word: u32,
    },
    SubVector {
        auto: bool,
        target: u32,
    },
}

impl Effect {
    /// What this effect of `instr` becomes in a machine with call tokens: by the return-address-stack convention JAL
    /// and JALR that write a link register are calls, and other JALRs that read one are returns.
    #[inline]
    pub fn with_call_tokens(self, instr: Instr) -> Effect {
        let is_link = |register| matches!(register, 1 | 5);
        match (self, instr) {
            (Effect::Jump { target }, Instr::Jal { rd, .. })
            | (Effect::Indirect { target }, Instr::Jalr { rd, .. })
                if is_link(rd) =>
            {
                Effect::Call { target }
            }
            (Effect::Indirect { target }, Instr::Jalr { rs1, .. }) if is_link(rs1) => {
                Effect::LeaveIndirect {
                    kind: Kind::CALL,
                    target,
                }
            }
            _ => self,
        }
    }
}

/// Target of an indirect jump (JALR, `leave.r`), as a byte address, unchecked; `None` for all other instructions.
///
/// Only the threads of the leader's group complete such an instruction (CONV-022), so their targets have to be known
/// before anyone executes it.
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
    memory: &mut impl Bus,
) -> Result<Effect, FaultCause> {
    let relative = |offset: i32| pc_byte.wrapping_add(offset as u32);
    within_stack(instr, thread, &csr.stack)?;
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
            let address = thread.get(rs1).wrapping_add(offset as u32);
            let value = memory.read(csr.thread, width, address)?;
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
            let value = match (number, csr_operand(op, src, thread)) {
                // ISA-010.
                (LEVEL, operand) => {
                    let old = u32::from(thread.level);
                    let new = match op {
                        CsrOp::Write => operand.unwrap_or(0),
                        CsrOp::Set => old | operand.unwrap_or(0),
                        CsrOp::Clear => old & !operand.unwrap_or(0),
                    };
                    thread.level = (new & LEVEL_MASK) as u8;
                    Some(old)
                }
                (FFLAGS | FRM | FCSR, operand) if csr.float => {
                    // What is cleared was 0.
                    let written = operand.filter(|_| op != CsrOp::Clear).unwrap_or(0);
                    float::may_write(number, written).then_some(0)
                }
                (_, Some(_)) => None,
                (_, None) => read_csr(number, thread, csr),
            };
            thread.set(rd, value.ok_or_else(|| illegal(instr))?);
        }
        Instr::Fence { .. } | Instr::FenceI => {}
        Instr::Float(float) if csr.float => {
            let value = float::result(float, |register| thread.get(register));
            let [rd, ..] = float.registers();
            thread.set(rd.unwrap_or(0), value);
        }
        Instr::Float(_) => return Err(illegal(instr)),
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
        Instr::Barrier { id, op } => {
            let (selected, word) = match op {
                BarrierOp::Top { word } => (true, thread.get(word)),
                BarrierOp::TopNez { rs1, word } => (thread.get(rs1) != 0, thread.get(word)),
                BarrierOp::Arrive { word } => (false, thread.get(word)),
                BarrierOp::Wait { rs1 } => (thread.get(rs1) & 1 != 0, 0),
                BarrierOp::Bottom | BarrierOp::BottomNb | BarrierOp::Reset => (false, 0),
            };
            return Ok(Effect::Barrier {
                op,
                id,
                selected,
                word,
            });
        }
        Instr::SubVector { auto, offset } => {
            let target = code_address(relative(offset))?;
            return Ok(Effect::SubVector { auto, target });
        }
        // The warp executes those, once: `crate::masks`. No single thread can.
        Instr::Mask(_) => return Err(illegal(instr)),
    }
    Ok(Effect::Next)
}

/// ISA-020: a thread that moves sp below its own stack, or accesses a stack below its own one.
#[inline(always)]
fn within_stack(instr: Instr, thread: &Thread, stack: &Stack) -> Result<(), FaultCause> {
    const SP: u8 = 2;
    let moved = match instr {
        Instr::OpImm {
            op: AluOp::Add,
            rd: SP,
            rs1: SP,
            imm,
        } => imm,
        Instr::Op {
            op: AluOp::Add,
            rd: SP,
            rs1,
            rs2,
        } if rs1 == SP || rs2 == SP => thread.get(if rs1 == SP { rs2 } else { rs1 }) as i32,
        Instr::Op {
            op: AluOp::Sub,
            rd: SP,
            rs1: SP,
            rs2,
        } => (thread.get(rs2) as i32).wrapping_neg(),
        _ => {
            return match data_address(instr, thread) {
                Some(address) if (stack.lowest..stack.begin).contains(&address) => {
                    let over = stack.begin - address;
                    Err(FaultCause::Stack { address, over })
                }
                _ => Ok(()),
            }
        }
    };
    let old = thread.get(SP);
    let new = i64::from(old) + i64::from(moved);
    let (begin, end) = (stack.begin, stack.end);
    if begin < end && (begin..=end).contains(&old) && new < i64::from(begin) {
        let over = (i64::from(begin) - new) as u32;
        let address = new as u32;
        return Err(FaultCause::Stack { address, over });
    }
    Ok(())
}

/// The byte address of the access to memory that `instr` makes for this thread.
#[inline]
pub fn data_address(instr: Instr, thread: &Thread) -> Option<u32> {
    match instr {
        Instr::Load { rs1, offset, .. } | Instr::Store { rs1, offset, .. } => {
            Some(thread.get(rs1).wrapping_add(offset as u32))
        }
        Instr::LoadReserved { rs1, .. }
        | Instr::StoreConditional { rs1, .. }
        | Instr::Amo { rs1, .. } => Some(thread.get(rs1)),
        _ => None,
    }
}

/// A place that a thread can go to.
#[inline(always)]
pub fn code_address(address: u32) -> Result<u32, FaultCause> {
    if address % 4 != 0 {
        Err(FaultCause::Misaligned { address })
    } else if address >= CODE_LIMIT {
        Err(FaultCause::Fetch { address })
    } else {
        Ok(address)
    }
}

#[cold]
pub fn illegal(instr: Instr) -> FaultCause {
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

/// `wlevel`, and its bits.
const LEVEL: u16 = 0x800;
const LEVEL_MASK: u32 = 15;

/// What the instruction writes into its CSR, or `None`: CSRRS and CSRRC write unless their source is x0 or the
/// immediate 0; CSRRW always writes.
fn csr_operand(op: CsrOp, src: CsrSrc, thread: &Thread) -> Option<u32> {
    let (operand, writes) = match src {
        CsrSrc::Reg(register) => (thread.get(register), register != 0),
        CsrSrc::Imm(value) => (u32::from(value), value != 0),
    };
    (writes || op == CsrOp::Write).then_some(operand)
}

/// Whether the instruction sets the level of the warp, which is then that of the lowest thread that executes it.
pub fn sets_level(instr: Instr) -> bool {
    match instr {
        Instr::Csr { op, csr, src, .. } => {
            csr == LEVEL && csr_operand(op, src, &Thread::default()).is_some()
        }
        _ => false,
    }
}

/// The scheduler's counter that the instruction reads, and where to: its CSR number and rd.
pub fn reads_counter(instr: Instr) -> Option<(u16, u8)> {
    match instr {
        Instr::Csr { csr, rd, .. } if is_counter(csr) => Some((csr, rd)),
        _ => None,
    }
}

fn is_counter(number: u16) -> bool {
    matches!(number, 0xcd0..=0xcd5 | 0xcd7 | 0xcd8 | 0xce0..=0xce6)
}

/// Value of a CSR that can only be read, or `None` for an unknown number.
fn read_csr(number: u16, thread: &Thread, csr: &CsrView) -> Option<u32> {
    Some(match number {
        0xc00..=0xc02 => thread.instret as u32,
        0xc80..=0xc82 => (thread.instret >> 32) as u32,
        0xcc0 | 0xf14 => csr.thread,
        0xcc1 => csr.lane,
        0xcc2 => csr.warp,
        0xcc3 => csr.cta,
        0xcc4 => csr.grid,
        0xcc5 => csr.mask as u32,
        0xcc6 => (csr.mask >> 32) as u32,
        0xcc7 => csr.width,
        0xcc8 => csr.place.thread,
        0xcc9 => csr.place.block,
        0xcca => csr.place.threads,
        0xcf0..=0xcf2 => csr.place.at[usize::from(number - 0xcf0)],
        0xcf4..=0xcf6 => csr.place.grid[usize::from(number - 0xcf4)],
        0xcf8..=0xcfa => csr.place.cta[usize::from(number - 0xcf8)],
        // Here is no scheduler: who runs the machine beside one puts the value there.
        // ISA-011: here there is no scheduler.
        _ if is_counter(number) => 0,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Memory;
    use weft_isa::{AmoOp, FloatInstr, FusedOp, LoadWidth, Rounding, StoreWidth};
    use AluOp::*;
    use MulOp::*;

    const MIN: u32 = 0x8000_0000;
    const ONES: u32 = 0xffff_ffff;
    const PC: u32 = 0x1100;
    /// Not 0 and not small.
    const X: u32 = 0x1234_5678;

    fn csr() -> CsrView {
        CsrView {
            thread: 13,
            lane: 5,
            warp: 1,
            grid: 14,
            mask: 0x2_0000_0021,
            width: 8,
            cta: 0,
            float: false,
            stack: Stack::default(),
            place: Place {
                thread: 13,
                block: 1,
                threads: 14,
                at: [0, 1, 2],
                grid: [3, 4, 5],
                cta: [14, 1, 1],
            },
        }
    }

    fn thread(registers: &[(usize, u32)]) -> Thread {
        let mut thread = Thread {
            instret: 0x7_0000_0009,
            ..Thread::default()
        };
        for (number, value) in registers {
            thread.registers[*number] = *value;
        }
        thread
    }

    fn run(instr: Instr, thread: &mut Thread) -> Result<Effect, FaultCause> {
        execute(instr, PC, thread, &csr(), &mut Memory::new(0x2000))
    }

    /// x3 = x1 op x2
    fn op(instr: Instr, a: u32, b: u32) -> u32 {
        let mut thread = thread(&[(1, a), (2, b), (3, X)]);
        assert_eq!(run(instr, &mut thread), Ok(Effect::Next));
        thread.registers[3]
    }

    #[test]
    fn register_arithmetic_is_that_of_rv32i() {
        let cases = [
            (Add, ONES, 2, 1),
            (Sub, 1, 2, ONES),
            (Sll, 1, 33, 2),
            (Srl, MIN, 31, 1),
            (Srl, MIN, 32, MIN),
            (Sra, MIN, 31, ONES),
            (Sra, 0x4000_0000, 30, 1),
            (Slt, MIN, 0, 1),
            (Slt, 0, MIN, 0),
            (Slt, 5, 5, 0),
            (Sltu, MIN, 0, 0),
            (Sltu, 0, MIN, 1),
            (Xor, 0b1100, 0b1010, 0b0110),
            (Or, 0b1100, 0b1010, 0b1110),
            (And, 0b1100, 0b1010, 0b1000),
        ];
        for (alu, a, b, result) in cases {
            assert_eq!(
                op(
                    Instr::Op {
                        op: alu,
                        rd: 3,
                        rs1: 1,
                        rs2: 2
                    },
                    a,
                    b
                ),
                result,
                "{alu:?} {a:#x} {b:#x}"
            );
        }
    }

    #[test]
    fn immediates_are_sign_extended() {
        let imm = |alu, a, imm| {
            op(
                Instr::OpImm {
                    op: alu,
                    rd: 3,
                    rs1: 1,
                    imm,
                },
                a,
                0,
            )
        };
        assert_eq!(imm(Add, 1, -2), ONES);
        assert_eq!(imm(Sltu, 5, -1), 1);
        assert_eq!(imm(Slt, 5, -1), 0);
        assert_eq!(imm(Xor, 0, -1), ONES);
        assert_eq!(imm(Sra, MIN, 4), 0xf800_0000);
    }

    #[test]
    fn multiplication_and_division_are_those_of_rv32m() {
        let cases = [
            (Mul, 0x1_0001, 0x1_0001, 0x2_0001),
            (Mul, ONES, ONES, 1),
            (Mulh, ONES, ONES, 0),
            (Mulh, MIN, MIN, 0x4000_0000),
            (Mulh, MIN, 2, ONES),
            (Mulhu, ONES, ONES, 0xffff_fffe),
            (Mulhu, MIN, 2, 1),
            (Mulhsu, ONES, ONES, ONES),
            (Mulhsu, MIN, ONES, 0x8000_0000),
            (Mulhsu, 1, ONES, 0),
            (Div, 0u32.wrapping_sub(7), 2, 0u32.wrapping_sub(3)),
            (Div, 7, 0, ONES),
            (Div, MIN, ONES, MIN),
            (Divu, MIN, ONES, 0),
            (Divu, 7, 0, ONES),
            (Divu, ONES, 2, 0x7fff_ffff),
            (Rem, 0u32.wrapping_sub(7), 2, ONES),
            (Rem, 7, 0u32.wrapping_sub(2), 1),
            (Rem, 7, 0, 7),
            (Rem, MIN, ONES, 0),
            (Remu, 7, 0, 7),
            (Remu, MIN, ONES, MIN),
        ];
        for (mul, a, b, result) in cases {
            let instr = Instr::Mul {
                op: mul,
                rd: 3,
                rs1: 1,
                rs2: 2,
            };
            assert_eq!(op(instr, a, b), result, "{mul:?} {a:#x} {b:#x}");
        }
    }

    fn with_float() -> CsrView {
        CsrView {
            float: true,
            ..csr()
        }
    }

    fn go(instr: Instr, t: &mut Thread, csr: &CsrView) -> Result<Effect, FaultCause> {
        execute(instr, PC, t, csr, &mut Memory::new(0x2000))
    }

    /// ISA-040: −(2 × 3) + 10.
    #[test]
    fn float_words_are_illegal_without_float() {
        let instr = Instr::Float(FloatInstr::Fused {
            op: FusedOp::NegMulSub,
            rd: 4,
            rs1: 1,
            rs2: 2,
            rs3: 3,
            rounding: Rounding::Dynamic,
        });
        let [two, three, four, ten] = [2.0, 3.0, 4.0f32, 10.0].map(f32::to_bits);
        let mut t = thread(&[(1, two), (2, three), (3, ten), (4, X)]);
        assert_eq!(go(instr, &mut t, &csr()), Err(illegal(instr)));
        assert_eq!(t.registers[4], X, "a fault changes nothing");
        assert_eq!(go(instr, &mut t, &with_float()), Ok(Effect::Next));
        assert_eq!(t.registers[4], four);
    }

    /// ISA-041: all three read 0; a rounding mode other than 0 cannot be set.
    #[test]
    fn there_is_one_rounding_mode_and_no_flag() {
        let modes = [
            (FFLAGS, 31, true),
            (FRM, 8, true),
            (FRM, 1, false),
            (FRM, 7, false),
        ];
        let both = [
            (FCSR, 31, true),
            (FCSR, 0x100, true),
            (FCSR, 0x20, false),
            (FCSR, 0xE0, false),
        ];
        for (csr_number, value, may) in modes.into_iter().chain(both) {
            for op in [CsrOp::Write, CsrOp::Set, CsrOp::Clear] {
                let instr = Instr::Csr {
                    op,
                    rd: 3,
                    csr: csr_number,
                    src: CsrSrc::Reg(1),
                };
                let mut t = thread(&[(1, value), (3, X)]);
                assert_eq!(
                    go(instr, &mut t, &csr()),
                    Err(illegal(instr)),
                    "without float"
                );
                let may = may || op == CsrOp::Clear;
                let expected = if may {
                    Ok(Effect::Next)
                } else {
                    Err(illegal(instr))
                };
                assert_eq!(
                    go(instr, &mut t, &with_float()),
                    expected,
                    "{instr:?} {value:#x}"
                );
                assert_eq!(t.registers[3], if may { 0 } else { X });
            }
        }
    }

    #[test]
    fn x0_stays_zero() {
        let mut t = thread(&[]);
        run(Instr::Lui { rd: 0, imm: 0x1000 }, &mut t).unwrap();
        run(Instr::Jal { rd: 0, offset: 8 }, &mut t).unwrap();
        assert_eq!(t.registers, [0; 32]);
    }

    #[test]
    fn lui_and_auipc_build_addresses() {
        let mut t = thread(&[]);
        run(
            Instr::Lui {
                rd: 3,
                imm: 0xabcd_e000,
            },
            &mut t,
        )
        .unwrap();
        run(
            Instr::Auipc {
                rd: 4,
                imm: 0xffff_f000,
            },
            &mut t,
        )
        .unwrap();
        assert_eq!((t.registers[3], t.registers[4]), (0xabcd_e000, 0x100));
    }

    #[test]
    fn branches_say_whether_the_thread_takes_them() {
        use BranchCond::*;
        let cases = [
            (Eq, 1, 1, true),
            (Eq, 1, 2, false),
            (Ne, 1, 2, true),
            (Lt, MIN, 0, true),
            (Ge, MIN, 0, false),
            (Ge, 3, 3, true),
            (Ltu, MIN, 0, false),
            (Ltu, 0, MIN, true),
            (Geu, MIN, 0, true),
        ];
        for (cond, a, b, taken) in cases {
            let instr = Instr::Branch {
                cond,
                rs1: 1,
                rs2: 2,
                offset: -0x100,
            };
            let effect = run(instr, &mut thread(&[(1, a), (2, b)]));
            assert_eq!(
                effect,
                Ok(Effect::Branch {
                    taken,
                    target: 0x1000
                }),
                "{cond:?} {a:#x} {b:#x}"
            );
        }
    }

    #[test]
    fn jumps_link_and_jalr_may_overwrite_its_own_base() {
        let mut t = thread(&[(1, 0x1201)]);
        assert_eq!(
            run(Instr::Jal { rd: 5, offset: -4 }, &mut t),
            Ok(Effect::Jump { target: 0x10fc })
        );
        assert_eq!(t.registers[5], 0x1104);
        let jalr = Instr::Jalr {
            rd: 1,
            rs1: 1,
            offset: 4,
        };
        assert_eq!(indirect_target(jalr, &t), Some(0x1204));
        assert_eq!(run(jalr, &mut t), Ok(Effect::Indirect { target: 0x1204 }));
        assert_eq!(t.registers[1], 0x1104);
        assert_eq!(indirect_target(Instr::Jal { rd: 0, offset: 0 }, &t), None);
    }

    #[test]
    fn call_tokens_follow_the_return_address_stack_convention() {
        let target = 0x1200;
        let (jump, indirect) = (Effect::Jump { target }, Effect::Indirect { target });
        let call = Effect::Call { target };
        let back = Effect::LeaveIndirect {
            kind: Kind::CALL,
            target,
        };
        for (rd, expected) in [(0, jump), (1, call), (2, jump), (5, call), (6, jump)] {
            let jal = Instr::Jal { rd, offset: 0x100 };
            assert_eq!(jump.with_call_tokens(jal), expected, "jal x{rd}");
        }
        for (rd, rs1, expected) in [
            (0, 6, indirect),
            (7, 6, indirect),
            (0, 1, back),
            (0, 5, back),
            (7, 1, back),
            (1, 6, call),
            (5, 1, call),
            (1, 1, call),
        ] {
            let jalr = Instr::Jalr { rd, rs1, offset: 0 };
            assert_eq!(
                indirect.with_call_tokens(jalr),
                expected,
                "jalr x{rd}, x{rs1}"
            );
        }
        assert_eq!(
            Effect::Next.with_call_tokens(Instr::FenceI),
            Effect::Next,
            "nothing else changes"
        );
    }

    #[test]
    fn a_target_has_to_be_an_instruction_address_only_for_those_who_go_there() {
        let misaligned = |address| Err(FaultCause::Misaligned { address });
        let unmapped = |address| Err(FaultCause::Fetch { address });
        let mut t = thread(&[(1, 1), (2, 0x1202), (3, 0x100_0000), (7, X)]);
        assert_eq!(
            run(Instr::Jal { rd: 7, offset: 6 }, &mut t),
            misaligned(0x1106)
        );
        assert_eq!(
            run(
                Instr::Jalr {
                    rd: 7,
                    rs1: 2,
                    offset: 0
                },
                &mut t
            ),
            misaligned(0x1202)
        );
        assert_eq!(
            run(
                Instr::Jalr {
                    rd: 7,
                    rs1: 3,
                    offset: 0
                },
                &mut t
            ),
            unmapped(0x100_0000)
        );
        assert_eq!(
            run(
                Instr::Jal {
                    rd: 7,
                    offset: -0x1104
                },
                &mut t
            ),
            unmapped(0xffff_fffc)
        );
        assert_eq!(t.registers[7], X, "a fault changes nothing");
        let branch = |cond| Instr::Branch {
            cond,
            rs1: 1,
            rs2: 0,
            offset: 2,
        };
        assert_eq!(run(branch(BranchCond::Ne), &mut t), misaligned(0x1102));
        assert!(run(branch(BranchCond::Eq), &mut t).is_ok());
        let leave = |cond| Instr::Leave {
            kind: Kind::SYNC,
            cond,
            offset: 2,
        };
        assert_eq!(run(leave(LeaveCond::Nez(1)), &mut t), misaligned(0x1102));
        assert!(run(leave(LeaveCond::Eqz(1)), &mut t).is_ok());
        assert_eq!(
            run(
                Instr::Push {
                    kind: Kind::SYNC,
                    offset: 2
                },
                &mut t
            ),
            misaligned(0x1102)
        );
        let indirect = Instr::LeaveIndirect {
            kind: Kind::CALL,
            rs1: 2,
            offset: 0,
        };
        assert_eq!(run(indirect, &mut t), misaligned(0x1202));
    }

    #[test]
    fn loads_and_stores_go_to_rs1_plus_offset() {
        let mut memory = Memory::new(0x2000);
        let mut t = thread(&[(1, 0x1804), (2, 0x8899_aabb)]);
        let mut go = |instr| execute(instr, PC, &mut t, &csr(), &mut memory);
        go(Instr::Store {
            width: StoreWidth::W32,
            rs1: 1,
            rs2: 2,
            offset: -4,
        })
        .unwrap();
        go(Instr::Load {
            width: LoadWidth::I8,
            rd: 3,
            rs1: 1,
            offset: -3,
        })
        .unwrap();
        go(Instr::Load {
            width: LoadWidth::U16,
            rd: 4,
            rs1: 1,
            offset: -2,
        })
        .unwrap();
        let fault = go(Instr::Load {
            width: LoadWidth::I16,
            rd: 5,
            rs1: 1,
            offset: -3,
        });
        assert_eq!(fault, Err(FaultCause::Misaligned { address: 0x1801 }));
        let fault = go(Instr::Store {
            width: StoreWidth::W8,
            rs1: 0,
            rs2: 2,
            offset: -1,
        });
        assert_eq!(fault, Err(FaultCause::Unmapped { address: ONES }));
        assert_eq!(
            (t.registers[3], t.registers[4], t.registers[5]),
            (0xffff_ffaa, 0x8899, 0)
        );
    }

    #[test]
    fn atomics_use_the_thread_number_and_return_through_rd() {
        let (aq, rl) = (false, false);
        let mut memory = Memory::new(0x2000);
        let mut t = thread(&[(1, 0x1800), (2, 7)]);
        let mut go = |instr| execute(instr, PC, &mut t, &csr(), &mut memory).unwrap();
        go(Instr::Amo {
            op: AmoOp::Add,
            rd: 3,
            rs1: 1,
            rs2: 2,
            aq,
            rl,
        });
        go(Instr::LoadReserved {
            rd: 4,
            rs1: 1,
            aq,
            rl,
        });
        go(Instr::StoreConditional {
            rd: 5,
            rs1: 1,
            rs2: 1,
            aq,
            rl,
        });
        go(Instr::StoreConditional {
            rd: 6,
            rs1: 1,
            rs2: 2,
            aq,
            rl,
        });
        assert_eq!(t.registers[3..7], [0, 7, 0, 1]);
        assert_eq!(memory.read_u32(0x1800), Ok(0x1800));
        execute(
            Instr::LoadReserved {
                rd: 4,
                rs1: 1,
                aq,
                rl,
            },
            PC,
            &mut t,
            &csr(),
            &mut memory,
        )
        .unwrap();
        assert_eq!(memory.reservation(13), Some(0x1800));
    }

    #[test]
    fn csrs_read_as_specified() {
        let cases = [
            (0xc00, 9),
            (0xc80, 7),
            (0xc01, 9),
            (0xc81, 7),
            (0xc02, 9),
            (0xc82, 7),
            (0xcc0, 13),
            (0xcc1, 5),
            (0xcc2, 1),
            (0xcc3, 0),
            (0xcc4, 14),
            (0xcc5, 0x21),
            (0xcc6, 2),
            (0xcc7, 8),
            (0xf14, 13),
            (0x800, 0),
            (0xcd0, 0),
            (0xcd8, 0),
            (0xce6, 0),
        ];
        for (number, value) in cases {
            for src in [CsrSrc::Reg(0), CsrSrc::Imm(0)] {
                for op in [CsrOp::Set, CsrOp::Clear] {
                    let mut t = thread(&[]);
                    assert_eq!(
                        run(
                            Instr::Csr {
                                op,
                                rd: 3,
                                csr: number,
                                src
                            },
                            &mut t
                        ),
                        Ok(Effect::Next)
                    );
                    assert_eq!(t.registers[3], value, "{number:#x}");
                }
            }
        }
    }

    /// Reads give what was there before; four bits are kept.
    #[test]
    fn the_level_is_what_the_thread_wrote() {
        let x1 = 0xa6;
        for (op, src, before, after, sets) in [
            (CsrOp::Write, CsrSrc::Reg(1), 9, 6, true),
            (CsrOp::Write, CsrSrc::Reg(0), 9, 0, true),
            (CsrOp::Write, CsrSrc::Imm(0), 9, 0, true),
            (CsrOp::Write, CsrSrc::Imm(0x1f), 0, 15, true),
            (CsrOp::Set, CsrSrc::Reg(1), 9, 15, true),
            (CsrOp::Set, CsrSrc::Imm(2), 9, 11, true),
            (CsrOp::Set, CsrSrc::Reg(0), 9, 9, false),
            (CsrOp::Clear, CsrSrc::Reg(1), 15, 9, true),
            (CsrOp::Clear, CsrSrc::Imm(8), 9, 1, true),
            (CsrOp::Clear, CsrSrc::Imm(0), 9, 9, false),
        ] {
            let (rd, csr) = (3, 0x800);
            let instr = Instr::Csr { op, rd, csr, src };
            let mut t = Thread {
                level: before,
                ..thread(&[(1, x1)])
            };
            assert_eq!(run(instr, &mut t), Ok(Effect::Next));
            let seen = (t.registers[3], t.level, sets_level(instr));
            assert_eq!(seen, (before.into(), after, sets), "{instr:?}");
        }
    }

    #[test]
    fn csr_writes_and_unknown_csrs_are_illegal() {
        let cases = [
            (CsrOp::Write, 0xcc0, CsrSrc::Reg(0)),
            (CsrOp::Write, 0xcc0, CsrSrc::Imm(0)),
            (CsrOp::Set, 0xcc0, CsrSrc::Reg(1)),
            (CsrOp::Clear, 0xcc0, CsrSrc::Imm(1)),
            (CsrOp::Set, 0x300, CsrSrc::Reg(0)),
            (CsrOp::Set, 0xc03, CsrSrc::Reg(0)),
            (CsrOp::Set, 0xccb, CsrSrc::Reg(0)),
            (CsrOp::Set, 0x801, CsrSrc::Reg(0)),
            (CsrOp::Set, 0xcd6, CsrSrc::Reg(0)),
            (CsrOp::Set, 0xcd9, CsrSrc::Reg(0)),
            (CsrOp::Set, 0xce7, CsrSrc::Reg(0)),
            (CsrOp::Write, 0xcd8, CsrSrc::Reg(0)),
            (CsrOp::Set, 0xce0, CsrSrc::Imm(1)),
        ];
        for (op, number, src) in cases {
            let instr = Instr::Csr {
                op,
                rd: 3,
                csr: number,
                src,
            };
            let word = weft_isa::encode(instr).unwrap();
            let mut t = thread(&[]);
            assert_eq!(
                run(instr, &mut t),
                Err(FaultCause::IllegalInstruction(word)),
                "{instr:?}"
            );
            assert_eq!(t.registers[3], 0);
        }
    }

    #[test]
    fn control_instructions_only_say_what_the_thread_wants() {
        let kind = Kind::BREAK;
        let mut t = thread(&[(1, 2), (2, 0x1205)]);
        let before = t;
        let mut go = |instr| run(instr, &mut t).unwrap();
        assert_eq!(
            go(Instr::Push { kind, offset: 8 }),
            Effect::Push {
                kind,
                target: 0x1108
            }
        );
        for (cond, selected) in [
            (LeaveCond::Always, true),
            (LeaveCond::Nez(1), true),
            (LeaveCond::Nez(0), false),
            (LeaveCond::Eqz(1), false),
            (LeaveCond::Eqz(0), true),
        ] {
            let effect = go(Instr::Leave {
                kind,
                cond,
                offset: -8,
            });
            assert_eq!(
                effect,
                Effect::Leave {
                    kind,
                    selected,
                    target: 0x10f8
                }
            );
        }
        let indirect = Instr::LeaveIndirect {
            kind,
            rs1: 2,
            offset: -4,
        };
        assert_eq!(
            go(indirect),
            Effect::LeaveIndirect {
                kind,
                target: 0x1200
            }
        );
        assert_eq!(go(Instr::Yield), Effect::Yield);
        assert_eq!(
            (go(Instr::Exit), go(Instr::Ecall)),
            (Effect::Exit, Effect::Exit)
        );
        assert_eq!(
            (go(Instr::FenceI), go(Instr::Fence { fields: 0xff })),
            (Effect::Next, Effect::Next)
        );
        assert_eq!(run(Instr::Ebreak, &mut t), Err(FaultCause::Breakpoint));
        assert_eq!(t, before);
    }
}
