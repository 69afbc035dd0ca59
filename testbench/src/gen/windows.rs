//! Accesses that only an SM tells apart: local memory, scratchpad, neighbours in one line, the text as data, and words
//! that all threads fight for.

use super::source::BASE;
use super::writer::{Writer, OWN, SCRATCH, SHARED, TARGET};
use rand::Rng as _;
use weft_isa::{AluOp, AmoOp, CsrOp, CsrSrc, Instr, LoadWidth, StoreWidth};

/// Local memory that the programs use.
pub const LOCAL_BYTES: u32 = 64;
/// Own scratchpad of a thread; behind that of all threads are words for atomics of all.
pub const SCRATCH_BYTES: u32 = 16;
pub const SCRATCH_SHARED: u32 = 64;
/// Most threads of a grid: their bytes, halves and words stand side by side.
pub const MOST_THREADS: u32 = 1024;
const BYTES: u32 = 0xa000;
const HALVES: u32 = 0xb000;
const WORDS: u32 = 0xc000;

const SP: u8 = 2;
const WTID: u16 = 0xcc0;
const WTHREAD: u16 = 0xcc8;
const WCTASIZE: u16 = 0xcca;

const LOADS: [(LoadWidth, u32); 5] = [
    (LoadWidth::I8, 1),
    (LoadWidth::U8, 1),
    (LoadWidth::I16, 2),
    (LoadWidth::U16, 2),
    (LoadWidth::I32, 4),
];
const STORES: [(StoreWidth, u32); 3] = [
    (StoreWidth::W8, 1),
    (StoreWidth::W16, 2),
    (StoreWidth::W32, 4),
];
const COMMUTING: [AmoOp; 4] = [AmoOp::Add, AmoOp::Xor, AmoOp::Add, AmoOp::Add];
const AMOS: [AmoOp; 9] = [
    AmoOp::Swap,
    AmoOp::Add,
    AmoOp::Xor,
    AmoOp::And,
    AmoOp::Or,
    AmoOp::Min,
    AmoOp::Max,
    AmoOp::Minu,
    AmoOp::Maxu,
];

impl Writer<'_> {
    fn imm(&mut self, op: AluOp, rd: u8, rs1: u8, imm: i32) {
        self.source.op(Instr::OpImm { op, rd, rs1, imm });
    }

    fn add(&mut self, rd: u8, rs1: u8, rs2: u8) {
        let op = AluOp::Add;
        self.source.op(Instr::Op { op, rd, rs1, rs2 });
    }

    fn read(&mut self, rd: u8, csr: u16) {
        let (op, src) = (CsrOp::Set, CsrSrc::Reg(0));
        self.source.op(Instr::Csr { op, rd, csr, src });
    }

    /// What is in the windows at the start nobody knows (MEM-004).
    pub fn clear_windows(&mut self) {
        for at in (0..LOCAL_BYTES as i32).step_by(4) {
            self.source.op(Instr::Store {
                width: StoreWidth::W32,
                rs1: SP,
                rs2: 0,
                offset: at - LOCAL_BYTES as i32,
            });
        }
        self.own_scratchpad();
        for offset in (0..SCRATCH_BYTES as i32).step_by(4) {
            self.source.op(Instr::Store {
                width: StoreWidth::W32,
                rs1: TARGET,
                rs2: 0,
                offset,
            });
        }
    }

    /// TARGET: the thread's own part of the scratchpad.
    fn own_scratchpad(&mut self) {
        self.read(SCRATCH, WTHREAD);
        let shift = SCRATCH_BYTES.trailing_zeros() as i32;
        self.imm(AluOp::Sll, SCRATCH, SCRATCH, shift);
        self.source.op(Instr::Lui {
            rd: TARGET,
            imm: weft_sim::space::SCRATCHPAD,
        });
        self.add(TARGET, TARGET, SCRATCH);
    }

    fn load(&mut self, rs1: u8, from: i32, room: u32) {
        let (width, size) = LOADS[self.rng.gen_range(0..5)];
        let offset = from + (self.rng.gen_range(0..room / size) * size) as i32;
        let rd = self.data();
        self.source.op(Instr::Load {
            width,
            rd,
            rs1,
            offset,
        });
    }

    fn store(&mut self, rs1: u8, from: i32, room: u32) {
        let (width, size) = STORES[self.rng.gen_range(0..3)];
        let offset = from + (self.rng.gen_range(0..room / size) * size) as i32;
        let rs2 = self.data();
        self.source.op(Instr::Store {
            width,
            rs1,
            rs2,
            offset,
        });
    }

    pub fn window_access(&mut self) {
        if self.chance(self.knobs.races) {
            return self.race();
        }
        let local = -(LOCAL_BYTES as i32);
        match self.rng.gen_range(0..12) {
            0 | 1 => self.load(SP, local, LOCAL_BYTES),
            2 | 3 => self.store(SP, local, LOCAL_BYTES),
            4 => {
                self.own_scratchpad();
                self.load(TARGET, 0, SCRATCH_BYTES);
            }
            5 => {
                self.own_scratchpad();
                self.store(TARGET, 0, SCRATCH_BYTES);
            }
            6 => self.own_atomic_in_scratchpad(),
            7 => self.atomic_in_scratchpad(),
            8 | 9 => self.neighbours(),
            _ => self.text_as_data(),
        }
    }

    fn own_atomic_in_scratchpad(&mut self) {
        self.own_scratchpad();
        let (rd, rs2) = (self.data(), self.data());
        let op = AMOS[self.rng.gen_range(0..AMOS.len())];
        self.source.op(Instr::Amo {
            op,
            rd,
            rs1: TARGET,
            rs2,
            aq: false,
            rl: false,
        });
    }

    /// Of all threads of the CTA; nobody uses what it gives.
    fn atomic_in_scratchpad(&mut self) {
        self.read(SCRATCH, WCTASIZE);
        let shift = SCRATCH_BYTES.trailing_zeros() as i32;
        self.imm(AluOp::Sll, SCRATCH, SCRATCH, shift);
        self.source.op(Instr::Lui {
            rd: TARGET,
            imm: weft_sim::space::SCRATCHPAD,
        });
        self.add(TARGET, TARGET, SCRATCH);
        let n = self.rng.gen_range(0..SCRATCH_SHARED / 4);
        self.imm(AluOp::Add, TARGET, TARGET, 4 * n as i32);
        let rs2 = self.data();
        self.source.op(Instr::Amo {
            op: COMMUTING[n as usize % 4],
            rd: 0,
            rs1: TARGET,
            rs2,
            aq: false,
            rl: false,
        });
    }

    /// Bytes, halves or words of neighbouring threads side by side.
    fn neighbours(&mut self) {
        let (size, base, rows) =
            [(1, BYTES, 4), (2, HALVES, 2), (4, WORDS, 2)][self.rng.gen_range(0..3)];
        let row = self.rng.gen_range(0..rows);
        self.read(SCRATCH, WTID);
        self.imm(
            AluOp::Sll,
            SCRATCH,
            SCRATCH,
            [0, 1, 1, 2][size as usize - 1],
        );
        self.constant(TARGET, base + row * size * MOST_THREADS);
        self.add(TARGET, TARGET, SCRATCH);
        if self.chance(50) {
            let (width, _) = STORES[[0, 1, 1, 2][size as usize - 1]];
            let rs2 = self.data();
            self.source.op(Instr::Store {
                width,
                rs1: TARGET,
                rs2,
                offset: 0,
            });
            return;
        }
        let rd = self.data();
        let width = [
            LoadWidth::I8,
            LoadWidth::I16,
            LoadWidth::I16,
            LoadWidth::I32,
        ][size as usize - 1];
        self.source.op(Instr::Load {
            width,
            rd,
            rs1: TARGET,
            offset: 0,
        });
    }

    /// From the same place, from places near each other, or from anywhere in a few lines.
    fn text_as_data(&mut self) {
        self.constant(TARGET, BASE);
        let spread = [0, 0x1c, 0x7c, 0xfc][self.rng.gen_range(0..4)];
        if spread != 0 {
            let rs1 = self.data();
            self.imm(AluOp::And, SCRATCH, rs1, spread);
            self.add(TARGET, TARGET, SCRATCH);
        }
        self.load(TARGET, 0, 4);
    }

    /// An access to a word that other threads write.
    fn race(&mut self) {
        let rs1 = self.data();
        let mask = [0, 12, 0x7c][self.rng.gen_range(0..3)];
        self.imm(AluOp::And, SCRATCH, rs1, mask);
        match self.chance(60) {
            true => self.add(TARGET, SHARED, SCRATCH),
            false => {
                self.source.op(Instr::Lui {
                    rd: TARGET,
                    imm: weft_sim::space::SCRATCHPAD,
                });
                self.imm(AluOp::And, SCRATCH, SCRATCH, 12);
                self.add(TARGET, TARGET, SCRATCH);
            }
        }
        let (rd, rs2) = (self.data(), self.data());
        let (aq, rl) = (false, false);
        match self.rng.gen_range(0..6) {
            0 | 1 => self.load(TARGET, 0, 4),
            2 | 3 => self.store(TARGET, 0, 4),
            4 => {
                let op = AMOS[self.rng.gen_range(0..AMOS.len())];
                self.source.op(Instr::Amo {
                    op,
                    rd,
                    rs1: TARGET,
                    rs2,
                    aq,
                    rl,
                });
            }
            _ => {
                let rs1 = TARGET;
                self.source.op(Instr::LoadReserved { rd, rs1, aq, rl });
                if self.chance(50) {
                    self.store(OWN, 0, 4);
                }
                self.source.op(Instr::StoreConditional {
                    rd: SCRATCH,
                    rs1,
                    rs2,
                    aq,
                    rl,
                });
            }
        }
    }
}
