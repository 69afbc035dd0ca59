//! Instruction words in the scheduler's decoded form (docs/spec/scheduler.md, *Ports*).

use weft_isa::{BarrierOp, CsrSrc, Instr, LeaveCond};
use weft_sim::issue::Decoded;

pub const ALU: u8 = 0;
pub const MULTIPLY: u8 = 1;
pub const MEMORY: u8 = 2;
pub const SPECIAL: u8 = 3;
/// Of the SM; the core's datapath here has no float.
pub const FLOAT: u8 = 4;

/// Any word; what is no instruction is `control`, so that nothing behind it issues (CORE-010).
pub fn decode(word: u32) -> Decoded {
    let Ok(instr) = weft_isa::decode(word) else {
        return control([None; 3]);
    };
    match instr {
        Instr::Lui { rd, .. } | Instr::Auipc { rd, .. } => plain(ALU, [Some(rd), None, None]),
        Instr::OpImm { rd, rs1, .. } => plain(ALU, [Some(rd), Some(rs1), None]),
        Instr::Op { rd, rs1, rs2, .. } => plain(ALU, [Some(rd), Some(rs1), Some(rs2)]),
        Instr::Mul { rd, rs1, rs2, .. } => plain(MULTIPLY, [Some(rd), Some(rs1), Some(rs2)]),
        Instr::Load { rd, rs1, .. } | Instr::LoadReserved { rd, rs1, .. } => {
            plain(MEMORY, [Some(rd), Some(rs1), None])
        }
        Instr::Store { rs1, rs2, .. } => plain(MEMORY, [None, Some(rs1), Some(rs2)]),
        Instr::StoreConditional { rd, rs1, rs2, .. } | Instr::Amo { rd, rs1, rs2, .. } => {
            plain(MEMORY, [Some(rd), Some(rs1), Some(rs2)])
        }
        Instr::Fence { .. } => Decoded {
            drain: true,
            ..plain(MEMORY, [None; 3])
        },
        // SUPPLY-061
        Instr::FenceI => Decoded {
            class: SPECIAL,
            drain: true,
            ..control([None; 3])
        },
        Instr::Csr { rd, src, .. } => {
            let source = match src {
                CsrSrc::Reg(rs1) => Some(rs1),
                CsrSrc::Imm(_) => None,
            };
            plain(SPECIAL, [Some(rd), source, None])
        }
        Instr::Jal { rd, .. } => control([Some(rd), None, None]),
        Instr::Jalr { rd, rs1, .. } => control([Some(rd), Some(rs1), None]),
        Instr::Branch { rs1, rs2, .. } => control([None, Some(rs1), Some(rs2)]),
        Instr::Leave { cond, .. } => match cond {
            LeaveCond::Always => control([None; 3]),
            LeaveCond::Nez(rs1) | LeaveCond::Eqz(rs1) => control([None, Some(rs1), None]),
        },
        Instr::LeaveIndirect { rs1, .. } => control([None, Some(rs1), None]),
        Instr::Barrier { op, .. } => {
            let (rs1, rs2) = match op {
                BarrierOp::Top { word } | BarrierOp::Arrive { word } => (None, Some(word)),
                BarrierOp::TopNez { rs1, word } => (Some(rs1), Some(word)),
                BarrierOp::Wait { rs1 } => (Some(rs1), None),
                BarrierOp::Bottom | BarrierOp::BottomNb | BarrierOp::Reset => (None, None),
            };
            control([None, rs1, rs2])
        }
        Instr::Push { .. } | Instr::Yield | Instr::Ebreak => control([None; 3]),
        // The datapath says what they come to: SET, JUMP, SUBV_START, PUSH, NEXT.
        Instr::Mask(_) | Instr::SubVector { .. } => {
            let [rd, rs1, rs2, _] = instr.registers();
            control([rd, rs1, rs2])
        }
        // Illegal without float (ISA-040).
        Instr::Float(_) => control([None; 3]),
        Instr::Ecall | Instr::Exit => Decoded {
            drain: true,
            ..control([None; 3])
        },
    }
}

/// rd, rs1, rs2. x0 is never used.
fn plain(class: u8, registers: [Option<u8>; 3]) -> Decoded {
    let [rd, rs1, rs2] = registers.map(|r| r.filter(|&number| number != 0));
    Decoded {
        class,
        rd,
        rs1,
        rs2,
        ..Decoded::default()
    }
}

fn control(registers: [Option<u8>; 3]) -> Decoded {
    Decoded {
        control: true,
        ..plain(ALU, registers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::{stream, Rng};
    use rand::Rng as _;
    use weft_sim::{lane, CsrView, Effect, Memory, Thread};

    const PC: u32 = 0x2000;

    /// Random words with the opcodes of the instruction set, and some without.
    fn word(rng: &mut Rng) -> u32 {
        const OPCODES: [u32; 15] = [
            0x37, 0x17, 0x13, 0x33, 0x03, 0x23, 0x63, 0x6f, 0x67, 0x73, 0x0f, 0x2f, 0x0b, 0x2b,
            0x5b,
        ];
        let any: u32 = rng.gen();
        let mut word = match rng.gen_range(0..16) {
            15 => any,
            n => any & !0x7f | OPCODES[n],
        };
        // Fields that have to be small or zero for most words to be instructions.
        if rng.gen_bool(0.5) {
            word &= 0x01ff_ffff;
        }
        if rng.gen_bool(0.3) {
            word &= 0xffff_8fff;
        }
        if rng.gen_bool(0.3) {
            word = word & !0xf80 | rng.gen_range(0..10) << 7;
        }
        match word & 0x7f {
            // A CSR that exists, and is read.
            0x73 if rng.gen_bool(0.7) => word = word & 0x0000_0fff | 0xcc0 << 20 | 2 << 12,
            // Near the register, and aligned.
            0x03 if rng.gen_bool(0.7) => word = word & 0x000f_ffff | rng.gen_range(0..16) << 22,
            0x33 if rng.gen_bool(0.4) => word = word & 0x01ff_ffff | 1 << 25,
            _ => {}
        }
        word
    }

    fn thread(rng: &mut Rng) -> Thread {
        let mut thread = Thread::default();
        for x in 1..32 {
            thread.registers[x] = match rng.gen_bool(0.7) {
                true => rng.gen_range(0x1000..0x3000) & !3,
                false => rng.gen_range(0..4),
            };
        }
        thread
    }

    type Result = (
        std::result::Result<Effect, weft_sim::FaultCause>,
        Thread,
        Vec<u8>,
    );

    fn run(instr: weft_isa::Instr, mut thread: Thread) -> Result {
        let mut memory = Memory::new(0x4000);
        memory
            .write_bytes(
                0x1000,
                &(0..0x3000u32).map(|n| (n * 37) as u8).collect::<Vec<_>>(),
            )
            .expect("mapped");
        let csr = CsrView {
            thread: 1,
            lane: 1,
            warp: 0,
            grid: 4,
            mask: 15,
            width: 4,
            ..CsrView::default()
        };
        let effect = lane::execute(instr, PC, &mut thread, &csr, &mut memory);
        let bytes = memory.slice(0x1000..0x4000).expect("mapped").to_vec();
        (effect, thread, bytes)
    }

    /// The decoded form against what executing the instruction does: nothing follows a register that it does not name,
    /// no register changes but the one that it names, and what is not `control` goes on with the next instruction.
    #[test]
    fn registers_and_control_agree_with_execution() {
        let mut rng = stream(1, "decode");
        let (mut legal, mut wrote, mut named) = (0u32, [0u32; 4], 0u32);
        for _ in 0..60_000 {
            let word = word(&mut rng);
            let decoded = decode(word);
            let Ok(instr) = weft_isa::decode(word) else {
                let illegal = Decoded {
                    control: true,
                    ..Decoded::default()
                };
                assert_eq!(decoded, illegal, "{word:#x}");
                continue;
            };
            legal += 1;
            let before = thread(&mut rng);
            let (effect, after, memory) = run(instr, before);
            if !decoded.control && effect.is_ok() {
                assert_eq!(effect, Ok(Effect::Next), "{instr:?}");
            }
            if decoded.control {
                assert_ne!(effect, Ok(Effect::Next), "{instr:?}");
            }
            for x in 0..32u8 {
                if before.registers[usize::from(x)] != after.registers[usize::from(x)] {
                    assert_eq!(decoded.rd, Some(x), "{instr:?} writes x{x}");
                    wrote[usize::from(decoded.class)] += 1;
                }
            }
            named += u32::from(decoded.rs1.is_some()) + u32::from(decoded.rs2.is_some());
            let mut other = thread(&mut rng);
            for x in [decoded.rs1, decoded.rs2].into_iter().flatten() {
                assert_ne!(x, 0);
                other.registers[usize::from(x)] = before.registers[usize::from(x)];
            }
            let (again, changed, bytes) = run(instr, other);
            assert_eq!((again, bytes), (effect, memory), "{instr:?}");
            if let Some(rd) = decoded.rd.filter(|_| effect.is_ok()) {
                let rd = usize::from(rd);
                assert_eq!(changed.registers[rd], after.registers[rd], "{instr:?}");
            }
            let memory = matches!(
                instr,
                Instr::Load { .. }
                    | Instr::Store { .. }
                    | Instr::LoadReserved { .. }
                    | Instr::StoreConditional { .. }
                    | Instr::Amo { .. }
                    | Instr::Fence { .. }
            );
            assert_eq!(decoded.class == MEMORY, memory);
            assert_eq!(
                decoded.class == MULTIPLY,
                matches!(instr, Instr::Mul { .. })
            );
            let special = matches!(instr, Instr::Csr { .. } | Instr::FenceI);
            assert_eq!(decoded.class == SPECIAL, special);
        }
        assert!(legal > 10_000 && named > 10_000, "{legal} {named}");
        assert!(wrote.iter().all(|&n| n > 100), "{wrote:?}");
    }

    #[test]
    fn what_ends_threads_or_orders_memory_drains() {
        let bits = |instr| decode(weft_isa::encode(instr).expect("encodes"));
        for instr in [Instr::Exit, Instr::Ecall, Instr::FenceI] {
            assert!(bits(instr).control && bits(instr).drain);
        }
        assert!(!bits(Instr::Yield).drain && !bits(Instr::Ebreak).drain);
    }
}
