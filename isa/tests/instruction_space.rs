//! Encode and decode are each other's inverse, over the whole instruction space.

use proptest::prelude::*;
use weft_isa::*;

fn register() -> impl Strategy<Value = u8> {
    0..32u8
}
fn branch_offset() -> impl Strategy<Value = i32> {
    (-2048..=2047i32).prop_map(|half| half * 2)
}
fn jump_offset() -> impl Strategy<Value = i32> {
    (-0x8_0000..=0x7_FFFFi32).prop_map(|half| half * 2)
}
fn imm12() -> impl Strategy<Value = i32> {
    -2048..=2047i32
}
fn upper() -> impl Strategy<Value = u32> {
    (0..0x10_0000u32).prop_map(|bits| bits << 12)
}
fn kind() -> impl Strategy<Value = Kind> {
    (0..10u8).prop_map(|code| Kind::software(code).unwrap())
}

fn branch_cond() -> impl Strategy<Value = BranchCond> {
    use BranchCond::*;
    prop::sample::select(vec![Eq, Ne, Lt, Ge, Ltu, Geu])
}
fn load_width() -> impl Strategy<Value = LoadWidth> {
    use LoadWidth::*;
    prop::sample::select(vec![I8, I16, I32, U8, U16])
}
fn store_width() -> impl Strategy<Value = StoreWidth> {
    use StoreWidth::*;
    prop::sample::select(vec![W8, W16, W32])
}
fn alu_op() -> impl Strategy<Value = AluOp> {
    use AluOp::*;
    prop::sample::select(vec![Add, Sub, Sll, Slt, Sltu, Xor, Srl, Sra, Or, And])
}
fn mul_op() -> impl Strategy<Value = MulOp> {
    use MulOp::*;
    prop::sample::select(vec![Mul, Mulh, Mulhsu, Mulhu, Div, Divu, Rem, Remu])
}
fn amo_op() -> impl Strategy<Value = AmoOp> {
    use AmoOp::*;
    prop::sample::select(vec![Swap, Add, Xor, And, Or, Min, Max, Minu, Maxu])
}
fn csr_op() -> impl Strategy<Value = CsrOp> {
    prop::sample::select(vec![CsrOp::Write, CsrOp::Set, CsrOp::Clear])
}
fn csr_src() -> impl Strategy<Value = CsrSrc> {
    prop_oneof![
        register().prop_map(CsrSrc::Reg),
        (0..32u8).prop_map(CsrSrc::Imm)
    ]
}
fn leave_cond() -> impl Strategy<Value = LeaveCond> {
    prop_oneof![
        Just(LeaveCond::Always),
        register().prop_map(LeaveCond::Nez),
        register().prop_map(LeaveCond::Eqz),
    ]
}

fn barrier_op() -> impl Strategy<Value = BarrierOp> {
    let r = register;
    prop_oneof![
        r().prop_map(|word| BarrierOp::Top { word }),
        (r(), r()).prop_map(|(rs1, word)| BarrierOp::TopNez { rs1, word }),
        Just(BarrierOp::Bottom),
        Just(BarrierOp::BottomNb),
        Just(BarrierOp::Reset),
        r().prop_map(|word| BarrierOp::Arrive { word }),
        r().prop_map(|rs1| BarrierOp::Wait { rs1 }),
    ]
}

fn rounding() -> impl Strategy<Value = Rounding> {
    prop::sample::select(Rounding::ALL.to_vec())
}
fn float_instr() -> impl Strategy<Value = FloatInstr> {
    let (r, mode) = (register, rounding);
    let fused = prop::sample::select(FusedOp::ALL.to_vec());
    let arithmetic = prop::sample::select(ArithmeticOp::ALL.to_vec());
    let unary = prop::sample::select(RootOrConversion::ALL.to_vec());
    let exact = prop::sample::select(ExactOp::ALL.to_vec());
    prop_oneof![
        (fused, r(), r(), r(), r(), mode()).prop_map(|(op, rd, rs1, rs2, rs3, rounding)| {
            FloatInstr::Fused {
                op,
                rd,
                rs1,
                rs2,
                rs3,
                rounding,
            }
        }),
        (arithmetic, r(), r(), r(), mode()).prop_map(|(op, rd, rs1, rs2, rounding)| {
            FloatInstr::Arithmetic {
                op,
                rd,
                rs1,
                rs2,
                rounding,
            }
        }),
        (unary, r(), r(), mode()).prop_map(|(op, rd, rs1, rounding)| FloatInstr::Unary {
            op,
            rd,
            rs1,
            rounding
        }),
        (exact, r(), r(), r()).prop_map(|(op, rd, rs1, rs2)| FloatInstr::Exact {
            op,
            rd,
            rs1,
            rs2
        }),
        (r(), r()).prop_map(|(rd, rs1)| FloatInstr::Class { rd, rs1 }),
    ]
}

fn mask_register() -> impl Strategy<Value = Mask> {
    (0..8u8).prop_map(|number| Mask::register(number).unwrap())
}
fn mask() -> impl Strategy<Value = Mask> {
    (0..=8u8).prop_map(|number| Mask::operand(number).unwrap())
}
fn mask_op() -> impl Strategy<Value = MaskOp> {
    prop::sample::select(MaskOp::ALL.to_vec())
}

fn mask_instr() -> impl Strategy<Value = MaskInstr> {
    let (m, r, any) = (mask_register, register, any::<bool>);
    let cond = prop::sample::select(MaskCond::ALL.to_vec());
    prop_oneof![
        (mask_op(), mask(), mask(), mask()).prop_map(|(op, md, ma, mb)| MaskInstr::Logic {
            op,
            md,
            ma,
            mb
        }),
        (mask_op(), m(), mask()).prop_map(|(op, md, ms)| MaskInstr::Save { op, md, ms }),
        (m(), r()).prop_map(|(md, rs1)| MaskInstr::Set { md, rs1 }),
        (r(), mask(), any()).prop_map(|(rd, ms, high)| MaskInstr::Get { rd, ms, high }),
        (m(), r(), any()).prop_map(|(md, rs1, high)| MaskInstr::Put { md, rs1, high }),
        (r(), mask()).prop_map(|(rd, ms)| MaskInstr::Count { rd, ms }),
        (r(), mask()).prop_map(|(rd, ms)| MaskInstr::First { rd, ms }),
        r().prop_map(|rd| MaskInstr::Condition { rd }),
        (cond, mask(), branch_offset()).prop_map(|(cond, ms, offset)| MaskInstr::Branch {
            cond,
            ms,
            offset
        }),
        (any(), branch_offset())
            .prop_map(|(value, offset)| MaskInstr::BranchCondition { value, offset }),
        (m(), 1..=8u8).prop_map(|(ms, count)| MaskInstr::Predicate { ms, count }),
    ]
}

fn op_imm() -> impl Strategy<Value = Instr> {
    let with_imm = alu_op().prop_filter("sub has no immediate form", |&op| op != AluOp::Sub);
    (with_imm, register(), register(), imm12()).prop_map(|(op, rd, rs1, imm)| {
        let is_shift = matches!(op, AluOp::Sll | AluOp::Srl | AluOp::Sra);
        Instr::OpImm {
            op,
            rd,
            rs1,
            imm: if is_shift { imm & 31 } else { imm },
        }
    })
}

/// Any instruction that has a word.
fn instr() -> impl Strategy<Value = Instr> {
    let (r, any) = (register, any::<bool>);
    prop_oneof![
        (r(), upper()).prop_map(|(rd, imm)| Instr::Lui { rd, imm }),
        (r(), upper()).prop_map(|(rd, imm)| Instr::Auipc { rd, imm }),
        (r(), jump_offset()).prop_map(|(rd, offset)| Instr::Jal { rd, offset }),
        (r(), r(), imm12()).prop_map(|(rd, rs1, offset)| Instr::Jalr { rd, rs1, offset }),
        (branch_cond(), r(), r(), branch_offset()).prop_map(|(cond, rs1, rs2, offset)| {
            Instr::Branch {
                cond,
                rs1,
                rs2,
                offset,
            }
        }),
        (load_width(), r(), r(), imm12()).prop_map(|(width, rd, rs1, offset)| Instr::Load {
            width,
            rd,
            rs1,
            offset
        }),
        (store_width(), r(), r(), imm12()).prop_map(|(width, rs1, rs2, offset)| Instr::Store {
            width,
            rs1,
            rs2,
            offset
        }),
        op_imm(),
        (alu_op(), r(), r(), r()).prop_map(|(op, rd, rs1, rs2)| Instr::Op { op, rd, rs1, rs2 }),
        (mul_op(), r(), r(), r()).prop_map(|(op, rd, rs1, rs2)| Instr::Mul { op, rd, rs1, rs2 }),
        (r(), r(), any(), any()).prop_map(|(rd, rs1, aq, rl)| Instr::LoadReserved {
            rd,
            rs1,
            aq,
            rl
        }),
        (r(), r(), r(), any(), any()).prop_map(|(rd, rs1, rs2, aq, rl)| Instr::StoreConditional {
            rd,
            rs1,
            rs2,
            aq,
            rl
        }),
        (amo_op(), r(), r(), r(), any(), any()).prop_map(|(op, rd, rs1, rs2, aq, rl)| Instr::Amo {
            op,
            rd,
            rs1,
            rs2,
            aq,
            rl
        }),
        (csr_op(), r(), 0..0x1000u16, csr_src()).prop_map(|(op, rd, csr, src)| Instr::Csr {
            op,
            rd,
            csr,
            src
        }),
        (0..0x1000u16).prop_map(|fields| Instr::Fence { fields }),
        prop::sample::select(vec![
            Instr::FenceI,
            Instr::Ecall,
            Instr::Ebreak,
            Instr::Yield,
            Instr::Exit
        ]),
        (kind(), jump_offset()).prop_map(|(kind, offset)| Instr::Push { kind, offset }),
        (kind(), leave_cond(), branch_offset()).prop_map(|(kind, cond, offset)| Instr::Leave {
            kind,
            cond,
            offset
        }),
        (kind(), r(), imm12()).prop_map(|(kind, rs1, offset)| Instr::LeaveIndirect {
            kind,
            rs1,
            offset
        }),
        (0..8u8, barrier_op()).prop_map(|(id, op)| Instr::Barrier { id, op }),
        float_instr().prop_map(Instr::Float),
        mask_instr().prop_map(Instr::Mask),
        (any(), jump_offset()).prop_map(|(auto, offset)| Instr::SubVector { auto, offset }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn decode_inverts_encode(instr in instr()) {
        let word = encode(instr).unwrap();
        prop_assert_eq!(decode(word), Ok(instr));
    }

    #[test]
    fn encode_inverts_decode(word in any::<u32>()) {
        if let Ok(instr) = decode(word) {
            prop_assert_eq!(encode(instr), Ok(word));
        }
    }
}

/// Every major opcode × funct3 × funct7 × a few register fields: 4 million words.
#[test]
fn every_word_that_decodes_encodes_to_itself() {
    let mut decoded = 0;
    for high in 0..1u32 << 12 {
        for low in 0..1u32 << 10 {
            let (funct3, opcode) = (low >> 7, low & 0x7F);
            for fields in [0, 0x5 << 7, 0x5 << 15, 0x1F << 7 | 0x9 << 15] {
                let word = high << 20 | funct3 << 12 | opcode | fields;
                if let Ok(instr) = decode(word) {
                    assert_eq!(encode(instr), Ok(word), "{word:#010x} {instr:?}");
                    decoded += 1;
                }
            }
        }
    }
    assert!(decoded > 100_000, "only {decoded} words decoded");
}

#[test]
fn reserved_words_do_not_decode() {
    for (word, why) in [
        (0x0000_0000, "all zeros"),
        (0xFFFF_FFFF, "all ones"),
        (0x0000_0001, "compressed nop"),
        (0x0000_050B, "push of type 10"),
        (0x0000_078B, "push of type 15"),
        (0x0000_080B, "push of type 16"),
        (0x00A0_002B, "leave of type 10"),
        (0x0000_802B, "leave with rs1"),
        (0x0000_302B, "leave with funct3 3"),
        (0x0000_055B, "leave.r of type 10"),
        (0x0000_10DB, "yield with rd"),
        (0x0000_905B, "yield with rs1"),
        (0x0010_105B, "yield with an immediate"),
        (0x0000_20DB, "exit with rd"),
        (0x0000_A05B, "exit with rs1"),
        (0xFFF0_205B, "exit with an immediate"),
        (0x0000_047B, "barrier 8"),
        (0x0000_0FFB, "barrier 31"),
        (0x0000_807B, "bar.top with rs1"),
        (0x0400_007B, "bar.top with funct7 2"),
        (0x0000_907B, "bar.bot with rs1"),
        (0x0010_107B, "bar.bot with rs2"),
        (0x0400_107B, "bar.bot with funct7 2"),
        (0x0010_207B, "bar.reset with rs2"),
        (0x0200_207B, "bar.reset with funct7 1"),
        (0x0000_B07B, "bar.arrive with rs1"),
        (0x0200_307B, "bar.arrive with funct7 1"),
        (0x0010_407B, "bar.wait with rs2"),
        (0x0200_407B, "bar.wait with funct7 1"),
        (0x0000_507B, "custom-3 funct3 5"),
        (0x0000_607B, "custom-3 funct3 6"),
        (0x0000_707B, "custom-3 funct3 7"),
        (0x0000_04DB | 3 << 12, "mand with md 9"),
        (0x0004_B05B, "mand with ma 9"),
        (0x0090_305B, "mand with mb 9"),
        (0x2000_305B, "mask logic with funct7 16"),
        (0x1010_305B, "mand.save with rs2"),
        (0x1000_345B, "mand.save to exec"),
        (0x0000_445B, "mset of exec"),
        (0x0010_405B, "mset with rs2"),
        (0x0220_405B, "mget of word 2"),
        (0x0200_405B | 9 << 15, "mget of mask 9"),
        (0x0400_445B, "mput to exec"),
        (0x0610_405B, "mpop with rs2"),
        (0x0A00_C05B, "mscc with rs1"),
        (0x0C00_405B, "mask move with funct7 6"),
        (0x0040_505B, "mask branch with condition 4"),
        (0x0024_D05B, "mbo scc"),
        (0x0005_505B, "mask branch on mask 10"),
        (0x0000_605B, "mpred of 0"),
        (0x0090_605B, "mpred of 9"),
        (0x0014_605B, "mpred of exec"),
        (0x0010_60DB, "mpred with rd"),
        (0x0000_705B, "custom-2 funct3 7"),
        (0x0000_0D8B, "push of type 27"),
        (0x0000_1067, "jalr funct3 1"),
        (0x0000_2063, "branch funct3 2"),
        (0x0000_3003, "ld"),
        (0x0000_3023, "sd"),
        (0x0200_1013, "slli by 32"),
        (0x4000_1013, "slli with funct7 0x20"),
        (0x4000_1033, "sll with funct7 0x20"),
        (0x1010_202F, "lr.w with rs2"),
        (0x0000_302F, "amoadd.d"),
        (0x0000_008F, "fence with rd"),
        (0x0000_800F, "fence with rs1"),
        (0x0000_108F, "fence.i with rd"),
        (0x0010_100F, "fence.i with an immediate"),
        (0x0000_0173, "ecall with rd"),
        (0x3020_0073, "mret"),
        (0x1050_0073, "wfi"),
        (0x0000_4073, "system funct3 4"),
        (0x0200_0053, "fadd.d"),
        (0x0000_5053, "fadd.s with rounding mode 5"),
        (0x0000_6043, "fmadd.s with rounding mode 6"),
        (0x0200_0043, "fmadd.d"),
        (0x5810_0053, "fsqrt.s with rs2"),
        (0x2000_3053, "fsgnj.s with funct3 3"),
        (0x2800_2053, "fmin.s with funct3 2"),
        (0xA000_3053, "fle.s with funct3 3"),
        (0xC020_0053, "fcvt.l.s"),
        (0xE000_0053, "fmv.x.w"),
        (0xF000_0053, "fmv.w.x"),
        (0xE010_1053, "fclass.s with rs2"),
        (0x0000_2007, "flw"),
        (0x0000_2027, "fsw"),
    ] {
        assert_eq!(decode(word), Err(DecodeError { word }), "{why}");
    }
}

#[test]
fn out_of_range_fields_do_not_encode() {
    let sync = Kind::SYNC;
    for instr in [
        Instr::Lui { rd: 32, imm: 0 },
        Instr::Lui { rd: 0, imm: 1 },
        Instr::Jal { rd: 0, offset: 1 },
        Instr::Jal {
            rd: 0,
            offset: 0x10_0000,
        },
        Instr::Jal {
            rd: 0,
            offset: -0x10_0002,
        },
        Instr::Jalr {
            rd: 0,
            rs1: 0,
            offset: 2048,
        },
        Instr::Branch {
            cond: BranchCond::Eq,
            rs1: 0,
            rs2: 0,
            offset: 4096,
        },
        Instr::Branch {
            cond: BranchCond::Eq,
            rs1: 0,
            rs2: 0,
            offset: 3,
        },
        Instr::Load {
            width: LoadWidth::I8,
            rd: 0,
            rs1: 0,
            offset: -2049,
        },
        Instr::Store {
            width: StoreWidth::W8,
            rs1: 0,
            rs2: 40,
            offset: 0,
        },
        Instr::OpImm {
            op: AluOp::Sub,
            rd: 0,
            rs1: 0,
            imm: 0,
        },
        Instr::OpImm {
            op: AluOp::Sll,
            rd: 0,
            rs1: 0,
            imm: 32,
        },
        Instr::OpImm {
            op: AluOp::Sll,
            rd: 0,
            rs1: 0,
            imm: -1,
        },
        Instr::Csr {
            op: CsrOp::Set,
            rd: 0,
            csr: 0x1000,
            src: CsrSrc::Reg(0),
        },
        Instr::Csr {
            op: CsrOp::Set,
            rd: 0,
            csr: 0,
            src: CsrSrc::Imm(32),
        },
        Instr::Fence { fields: 0x1000 },
        Instr::Push {
            kind: sync,
            offset: 0x10_0000,
        },
        Instr::Leave {
            kind: sync,
            cond: LeaveCond::Nez(32),
            offset: 0,
        },
        Instr::LeaveIndirect {
            kind: sync,
            rs1: 0,
            offset: 2048,
        },
        Instr::Barrier {
            id: 8,
            op: BarrierOp::Bottom,
        },
        Instr::Barrier {
            id: 0,
            op: BarrierOp::Wait { rs1: 32 },
        },
        Instr::SubVector {
            auto: true,
            offset: 0x10_0000,
        },
        Instr::Mask(MaskInstr::Save {
            op: MaskOp::And,
            md: Mask::EXEC,
            ms: Mask::EXEC,
        }),
        Instr::Mask(MaskInstr::Set {
            md: Mask::EXEC,
            rs1: 1,
        }),
        Instr::Mask(MaskInstr::Get {
            rd: 32,
            ms: Mask::EXEC,
            high: false,
        }),
        Instr::Mask(MaskInstr::Predicate {
            ms: Mask::register(1).unwrap(),
            count: 9,
        }),
        Instr::Mask(MaskInstr::BranchCondition {
            value: true,
            offset: 4096,
        }),
    ] {
        assert!(encode(instr).is_err(), "{instr:?}");
    }
}

fn assembled(text: &str) -> Vec<u32> {
    let program = assemble(text, "round_trip.s").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(program.text, (0x1000, 0x1004), "{text}");
    let bytes = program.segments[0].bytes.chunks(4);
    bytes
        .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn assembler_inverts_disassembler(instr in instr()) {
        let word = encode(instr).unwrap();
        let absolute = disassemble(instr, 0x1000);
        prop_assert_eq!(assembled(&absolute), vec![word], "{}", absolute);
        let relative = instr.to_string();
        prop_assert_eq!(assembled(&relative), vec![word], "{}", relative);
    }
}
