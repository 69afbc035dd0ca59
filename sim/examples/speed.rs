//! Thread instructions per second of the golden model, on a loop with arithmetic, memory and divergence.

use std::time::Instant;
use weft_isa::{
    encode, AluOp, BranchCond, Instr, Kind, LeaveCond, LoadWidth, MulOp, Program, Segment,
    StoreWidth,
};
use weft_sim::{Config, Limits, Machine, Outcome};

/// Collatz steps, summed over many starting values per thread; a table entry is read and written on every step.
fn kernel() -> Vec<Instr> {
    let addi = |rd, rs1, imm| Instr::OpImm {
        op: AluOp::Add,
        rd,
        rs1,
        imm,
    };
    let op = |op, rd, rs1, rs2| Instr::Op { op, rd, rs1, rs2 };
    vec![
        /*  0 */ Instr::Lui {
            rd: 20,
            imm: 0x2000,
        },
        /*  1 */
        Instr::OpImm {
            op: AluOp::Sll,
            rd: 21,
            rs1: 10,
            imm: 2,
        },
        /*  2 */ op(AluOp::Add, 20, 20, 21),
        /*  3 */ addi(5, 0, 2000),
        /*  4 */
        Instr::Push {
            kind: Kind::BREAK,
            offset: 4 * (17 - 4),
        },
        /*  5 */ addi(6, 5, 3),
        /*  6 */ op(AluOp::Add, 6, 6, 10),
        /*  7 */
        Instr::Load {
            width: LoadWidth::I32,
            rd: 7,
            rs1: 20,
            offset: 0,
        },
        /*  8 */ op(AluOp::Add, 7, 7, 6),
        /*  9 */
        Instr::Store {
            width: StoreWidth::W32,
            rs1: 20,
            rs2: 7,
            offset: 0,
        },
        /* 10 */
        Instr::OpImm {
            op: AluOp::And,
            rd: 8,
            rs1: 6,
            imm: 1,
        },
        /* 11 */
        Instr::Mul {
            op: MulOp::Mul,
            rd: 9,
            rs1: 6,
            rs2: 8,
        },
        /* 12 */
        Instr::OpImm {
            op: AluOp::Srl,
            rd: 6,
            rs1: 6,
            imm: 1,
        },
        /* 13 */ op(AluOp::Xor, 12, 12, 9),
        /* 14 */ op(AluOp::Add, 13, 13, 12),
        /* 15 */
        Instr::Leave {
            kind: Kind::BREAK,
            cond: LeaveCond::Eqz(6),
            offset: 4 * (17 - 15),
        },
        /* 16 */ Instr::Jal {
            rd: 0,
            offset: -4 * (16 - 7),
        },
        /* 17 */ addi(5, 5, -1),
        /* 18 */
        Instr::Branch {
            cond: BranchCond::Ne,
            rs1: 5,
            rs2: 0,
            offset: -4 * (18 - 4),
        },
        /* 19 */ Instr::Exit,
    ]
}

fn main() {
    let bytes: Vec<u8> = kernel()
        .iter()
        .flat_map(|instr| encode(*instr).expect("legal").to_le_bytes())
        .collect();
    let end = 0x1000 + bytes.len() as u32;
    let program = Program {
        entry: 0x1000,
        segments: vec![Segment {
            address: 0x1000,
            bytes,
        }],
        text: (0x1000, end),
        ..Default::default()
    };
    for threads in [4, 8, 16, 32, 64] {
        let config = Config {
            warps: 8,
            threads,
            ..Config::default()
        };
        let mut machine = Machine::new(&program, &config).expect("the kernel fits");
        let start = Instant::now();
        let outcome = machine.run(&Limits::default(), |_| {});
        let seconds = start.elapsed().as_secs_f64();
        assert_eq!(outcome, Outcome::Done);
        let stats = machine.stats();
        println!(
            "W = {threads:2}: {:6.1} million thread instructions/s, {:5.1} million warp instructions/s, SIMD efficiency {:.2}",
            stats.total.thread_instructions as f64 / seconds / 1e6,
            stats.total.warp_instructions as f64 / seconds / 1e6,
            stats.simd_efficiency
        );
    }
}
