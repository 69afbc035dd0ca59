//! Float instructions with operands that matter.

use super::writer::Writer;
use rand::Rng as _;
use weft_isa::{ArithmeticOp, ExactOp, FloatInstr, FusedOp, Instr, RootOrConversion, Rounding};

/// Upper 20 bits of numbers at which something changes: zeros, ones, two, the largest number, infinities, NaN of both
/// kinds, subnormal numbers and the least normal one, limits of the conversions.
const EDGES: [u32; 20] = [
    0x0000_0000,
    0x8000_0000,
    0x3F80_0000,
    0xBF80_0000,
    0x4000_0000,
    0x3F80_1000,
    0x7F7F_F000,
    0xFF7F_F000,
    0x7F80_0000,
    0xFF80_0000,
    0x7FC0_0000,
    0x7F80_1000,
    0x0000_1000,
    0x807F_F000,
    0x0080_0000,
    0x4F00_0000,
    0xCF00_0000,
    0x4F80_0000,
    0x4EFF_F000,
    0x3F00_0000,
];

impl Writer<'_> {
    /// A float instruction; often one of its operands is an edge.
    pub fn float(&mut self) {
        let mut sources = [self.data(), self.data(), self.data()];
        if self.chance(15) {
            sources[self.rng.gen_range(0..3)] = 0;
        }
        let [rs1, rs2, rs3] = sources;
        // As compilers compute polynomials, and as they add up below.
        let rd = match self.chance(40) {
            true => [rs1, rs2][self.rng.gen_range(0..2)],
            false => self.data(),
        };
        if self.chance(30) {
            let imm = EDGES[self.rng.gen_range(0..EDGES.len())];
            let rd = match sources[self.rng.gen_range(0..3)] {
                0 => rd,
                source => source,
            };
            self.source.op(Instr::Lui { rd, imm });
            if self.chance(30) {
                let imm = self.rng.gen_range(-2..=2);
                self.source.op(Instr::OpImm {
                    op: weft_isa::AluOp::Add,
                    rd,
                    rs1: rd,
                    imm,
                });
            }
        }
        let rounding = Rounding::ALL[self.rng.gen_range(0..Rounding::ALL.len())];
        let float = match self.rng.gen_range(0..16) {
            0..=4 => FloatInstr::Fused {
                op: FusedOp::ALL[self.rng.gen_range(0..FusedOp::ALL.len())],
                rd,
                rs1,
                rs2,
                rs3: [rd, rs3, rs3][self.rng.gen_range(0..3)],
                rounding,
            },
            5..=9 => FloatInstr::Arithmetic {
                op: ArithmeticOp::ALL[self.rng.gen_range(0..ArithmeticOp::ALL.len())],
                rd,
                rs1,
                rs2,
                rounding,
            },
            10..=11 => FloatInstr::Unary {
                op: RootOrConversion::ALL[self.rng.gen_range(0..RootOrConversion::ALL.len())],
                rd,
                rs1,
                rounding,
            },
            12..=14 => FloatInstr::Exact {
                op: ExactOp::ALL[self.rng.gen_range(0..ExactOp::ALL.len())],
                rd,
                rs1,
                rs2,
            },
            _ => FloatInstr::Class { rd, rs1 },
        };
        self.source.op(Instr::Float(float));
    }
}
