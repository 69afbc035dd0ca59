//! Straight-line code: the instructions between control transfers, and the register conventions.
//!
//! Every program is *oracle-safe* by construction: what a thread computes does not depend on when other threads run.
//! Threads store to memory of their own; shared words are changed only by commuting atomics, one operation per word,
//! whose result is not used; CSR reads give the thread's own numbers; and every backward transfer spends fuel, so each
//! thread ends alone whatever happens.

use super::knobs::Knobs;
use super::source::{load_constant, Item, Label, Source};
use crate::seed::Rng;
use rand::Rng as _;
use weft_isa::{
    AluOp, AmoOp, BranchCond, CsrOp, CsrSrc, Instr, Kind, LeaveCond, LoadWidth, MulOp, StoreWidth,
};

/// Return address; by convention also a link register, like `LINK`.
pub const RA: u8 = 1;
/// The other link register; data otherwise.
pub const LINK: u8 = 5;
/// Base of the thread's own memory.
pub const OWN: u8 = 3;
/// Base of the shared words.
pub const SHARED: u8 = 4;
/// Addresses and jump targets.
pub const TARGET: u8 = 29;
/// Scratch of multi-instruction idioms.
pub const SCRATCH: u8 = 30;
/// Backward transfers left.
pub const FUEL: u8 = 31;
/// Registers that ordinary instructions read and write.
pub const DATA: std::ops::RangeInclusive<u8> = 5..=22;
/// Return addresses of the functions; function n keeps its own in register `KEEP + n`.
pub const KEEP: u8 = 24;
/// Rounds left at a barrier.
pub const ROUNDS: u8 = 28;
/// Functions of a program at most.
pub const FUNCTIONS: u8 = 3;
/// Beyond this many items nothing nests any more: branches reach 4 KiB.
const ROOM: usize = 600;

pub const SHARED_BASE: u32 = 0x8000;
pub const SHARED_WORDS: u32 = 32;
pub const OWN_BASE: u32 = 0x1_0000;
/// Bytes of own memory of a thread.
pub const OWN_SIZE: u32 = 256;

pub struct Writer<'a> {
    pub source: Source,
    pub rng: &'a mut Rng,
    pub knobs: &'a Knobs,
    /// Placed at the end of the program, before the last EXIT.
    pub end: Label,
    /// Labels that junk tokens and chaotic jumps may name; all get placed.
    pub targets: Vec<Label>,
    /// Of the split barrier, so far.
    pub phases: u32,
}

impl Writer<'_> {
    pub fn chance(&mut self, percent: u32) -> bool {
        self.rng.gen_range(0..100) < percent
    }

    /// The program is long enough.
    pub fn full(&self) -> bool {
        self.source.items.len() > ROOM
    }

    /// With this probability a new label, to be placed by the caller.
    pub fn maybe_label(&mut self, percent: u32) -> Option<Label> {
        match self.chance(percent) {
            true => Some(self.source.label()),
            false => None,
        }
    }

    pub fn data(&mut self) -> u8 {
        self.rng.gen_range(DATA)
    }

    pub fn any_kind(&mut self) -> Kind {
        // The first types are the common ones in programs and collide more often.
        let code = if self.chance(70) {
            self.rng.gen_range(0..4)
        } else {
            self.rng.gen_range(0..=9)
        };
        Kind::software(code).expect("at most 9")
    }

    pub fn any_target(&mut self) -> Label {
        match self.targets.is_empty() {
            true => self.end,
            false => self.targets[self.rng.gen_range(0..self.targets.len())],
        }
    }

    /// Thread-dependent start values: own memory, fuel, and data that differs between threads.
    pub fn prologue(&mut self) {
        const WTID: u16 = 0xCC0;
        const WLANE: u16 = 0xCC1;
        let read = |rd, csr| Instr::Csr {
            op: CsrOp::Set,
            rd,
            csr,
            src: CsrSrc::Reg(0),
        };
        self.source.op(read(5, WTID));
        self.source.op(read(6, WLANE));
        self.source.op(Instr::OpImm {
            op: AluOp::Sll,
            rd: OWN,
            rs1: 5,
            imm: OWN_SIZE.trailing_zeros() as i32,
        });
        self.constant(SCRATCH, OWN_BASE);
        self.source.op(Instr::Op {
            op: AluOp::Add,
            rd: OWN,
            rs1: OWN,
            rs2: SCRATCH,
        });
        self.constant(SHARED, SHARED_BASE);
        // Mixed thread number: neighbouring threads differ in every bit.
        let factor = self.rng.gen::<u32>() | 1;
        self.constant(7, factor);
        self.source.op(Instr::OpImm {
            op: AluOp::Add,
            rd: 8,
            rs1: 5,
            imm: 1,
        });
        self.source.op(Instr::Mul {
            op: MulOp::Mul,
            rd: 7,
            rs1: 7,
            rs2: 8,
        });
        self.source.op(Instr::OpImm {
            op: AluOp::Srl,
            rd: 8,
            rs1: 7,
            imm: 15,
        });
        self.source.op(Instr::Op {
            op: AluOp::Xor,
            rd: 7,
            rs1: 7,
            rs2: 8,
        });
        for rd in 9..=12 {
            let (rs1, imm) = (rd - 2, self.rng.gen_range(-2048..2048));
            self.source.op(Instr::Mul {
                op: MulOp::Mul,
                rd,
                rs1,
                rs2: 7,
            });
            self.source.op(Instr::OpImm {
                op: AluOp::Add,
                rd,
                rs1: rd,
                imm,
            });
        }
        // Fuel differs between threads too, so that loops end at different times.
        let (least, spread) = (
            *self.knobs.fuel.start() as i32,
            self.knobs.fuel.end() - self.knobs.fuel.start(),
        );
        let mask = if spread == 0 {
            0
        } else {
            (1 << spread.ilog2()) - 1
        };
        self.source.op(Instr::OpImm {
            op: AluOp::And,
            rd: FUEL,
            rs1: 7,
            imm: mask,
        });
        self.source.op(Instr::OpImm {
            op: AluOp::Add,
            rd: FUEL,
            rs1: FUEL,
            imm: least,
        });
        // A fall into a return before any call ends the thread.
        let end = self.end;
        self.source.emit(Item::Address { rd: RA, to: end });
    }

    pub fn constant(&mut self, rd: u8, value: u32) {
        load_constant(rd, value)
            .into_iter()
            .for_each(|i| self.source.op(i));
    }

    /// Spends one unit of fuel. A thread without any goes to the end, or past the `words` words that follow.
    /// To be emitted directly before a backward or indirect transfer, with no label in between.
    pub fn fuel(&mut self, past: Option<Label>) {
        self.source.op(Instr::OpImm {
            op: AluOp::Add,
            rd: FUEL,
            rs1: FUEL,
            imm: -1,
        });
        let to = past.unwrap_or(self.end);
        self.source.emit(Item::Branch {
            cond: BranchCond::Ge,
            rs1: 0,
            rs2: FUEL,
            to,
        });
    }

    /// Some ordinary instructions, with the occasional token, yield, exit and fault among them.
    pub fn straight(&mut self, most: u32) {
        for _ in 0..self.rng.gen_range(0..=most) {
            self.ordinary();
            self.noise();
        }
    }

    pub fn noise(&mut self) {
        if self.chance(self.knobs.token_junk) {
            self.junk_token();
        }
        self.noise_in_place();
    }

    /// Of the noise what leads nowhere else.
    pub fn noise_in_place(&mut self) {
        if self.chance(self.knobs.yields) {
            self.source.op(Instr::Yield);
        }
        if self.chance(self.knobs.exits) {
            self.some_exit();
        }
        if self.chance(self.knobs.faults) {
            self.fault();
        }
    }

    /// A PUSH of any type, or a LEAVE, which is a jump: backward ones spend fuel.
    pub fn junk_token(&mut self) {
        let (kind, to) = (self.any_kind(), self.any_target());
        if self.chance(65) {
            self.source.emit(Item::Push { kind, to });
            if self.chance(self.knobs.chains) {
                self.chain();
            }
            return;
        }
        let cond = self.leave_cond();
        let past = self.maybe_label(50);
        self.fuel(past);
        self.source.emit(Item::Leave { kind, cond, to });
        if let Some(past) = past {
            self.source.place(past);
        }
    }

    /// Many tokens, hardly ever the same twice in a row.
    fn chain(&mut self) {
        for _ in 0..self.rng.gen_range(2..=20) {
            let (kind, to) = (self.any_kind(), self.any_target());
            self.source.emit(Item::Push { kind, to });
        }
    }

    pub fn leave_cond(&mut self) -> LeaveCond {
        match self.rng.gen_range(0..5) {
            0 => LeaveCond::Always,
            1 | 2 => LeaveCond::Nez(self.bit()),
            _ => LeaveCond::Eqz(self.bit()),
        }
    }

    /// A register that holds one bit of a data register: differs between threads.
    pub fn bit(&mut self) -> u8 {
        let (rs1, shift) = (self.data(), self.rng.gen_range(0..8));
        self.source.op(Instr::OpImm {
            op: AluOp::Srl,
            rd: SCRATCH,
            rs1,
            imm: shift,
        });
        let mask = if self.chance(60) { 1 } else { 3 };
        self.source.op(Instr::OpImm {
            op: AluOp::And,
            rd: SCRATCH,
            rs1: SCRATCH,
            imm: mask,
        });
        SCRATCH
    }

    /// EXIT for threads that a branch selects; rarely for all.
    pub fn some_exit(&mut self) {
        let past = self.source.label();
        if self.chance(85) {
            let rs1 = self.bit();
            self.source.emit(Item::Branch {
                cond: BranchCond::Eq,
                rs1,
                rs2: 0,
                to: past,
            });
        }
        let exit = if self.chance(50) {
            Instr::Exit
        } else {
            Instr::Ecall
        };
        self.source.op(exit);
        self.source.place(past);
    }

    /// Faults in threads that a branch selects.
    pub fn fault(&mut self) {
        let past = self.source.label();
        let rs1 = self.bit();
        self.source.emit(Item::Branch {
            cond: BranchCond::Eq,
            rs1,
            rs2: 0,
            to: past,
        });
        let rd = self.data();
        match self.rng.gen_range(0..9) {
            0 => self.source.op(Instr::Ebreak),
            1 => self.source.emit(Item::Word(0)),
            // PUSH of type 13 (DIV): does not decode.
            2 => self.source.emit(Item::Word(0x0000_068B)),
            3 => self.source.op(Instr::Load {
                width: LoadWidth::I32,
                rd,
                rs1: OWN,
                offset: 2,
            }),
            // Below the first mapped address.
            4 => self.source.op(Instr::Store {
                width: StoreWidth::W8,
                rs1: 0,
                rs2: rd,
                offset: 16,
            }),
            // A jump below the first mapped address, to the end of some memories or behind it, and into a window.
            5 => {
                let offset = 4 * self.rng.gen_range(0..512);
                self.source.op(Instr::Jalr {
                    rd: 0,
                    rs1: 0,
                    offset,
                });
            }
            6 | 7 => {
                let most = super::memory_size(super::MOST_THREADS);
                let imm = [most, most + 0x1000, 0xff_f000, 0xc000_0000, 0xd000_0000];
                let imm = imm[self.rng.gen_range(0..imm.len())];
                self.source.op(Instr::Lui { rd, imm });
                self.source.op(Instr::Jalr {
                    rd: 0,
                    rs1: rd,
                    offset: 0,
                });
            }
            _ => self.source.op(Instr::Csr {
                op: CsrOp::Write,
                rd,
                csr: 0xCC0,
                src: CsrSrc::Reg(rd),
            }),
        }
        self.source.place(past);
    }

    /// Threads write different levels, and read what they have written.
    fn level(&mut self) {
        let (rd, rs1) = (self.data(), self.data());
        let op = [CsrOp::Write, CsrOp::Set, CsrOp::Clear][self.rng.gen_range(0..3)];
        let src = match self.chance(50) {
            true => CsrSrc::Reg(rs1),
            false => CsrSrc::Imm(self.rng.gen_range(0..32)),
        };
        let csr = 0x800;
        self.source.op(Instr::Csr { op, rd, csr, src });
    }

    /// One instruction that is not control (or an idiom of two).
    pub fn ordinary(&mut self) {
        if self.knobs.levels != 0 && self.chance(self.knobs.levels) {
            return self.level();
        }
        if self.knobs.windows != 0 && self.chance(self.knobs.windows) {
            return self.window_access();
        }
        if self.knobs.floats != 0 && self.chance(self.knobs.floats) {
            return self.float();
        }
        let (rd, rs1, rs2) = (self.data(), self.data(), self.data());
        match self.rng.gen_range(0..24) {
            0..=5 => {
                let op = self.alu();
                self.source.op(Instr::Op { op, rd, rs1, rs2 });
            }
            6..=9 => {
                let op = match self.alu() {
                    AluOp::Sub => AluOp::Add,
                    op => op,
                };
                let imm = match op {
                    AluOp::Sll | AluOp::Srl | AluOp::Sra => self.rng.gen_range(0..32),
                    _ => self.rng.gen_range(-2048..2048),
                };
                self.source.op(Instr::OpImm { op, rd, rs1, imm });
            }
            10 => {
                let imm = self.rng.gen::<u32>() & 0xFFFF_F000;
                self.source.op(Instr::Lui { rd, imm });
            }
            11 => {
                let op = [
                    MulOp::Mul,
                    MulOp::Mulh,
                    MulOp::Mulhsu,
                    MulOp::Mulhu,
                    MulOp::Div,
                    MulOp::Divu,
                    MulOp::Rem,
                    MulOp::Remu,
                ][self.rng.gen_range(0..8)];
                self.source.op(Instr::Mul { op, rd, rs1, rs2 });
            }
            12..=14 => {
                let (width, size) = [
                    (StoreWidth::W8, 1),
                    (StoreWidth::W16, 2),
                    (StoreWidth::W32, 4),
                ][self.rng.gen_range(0..3)];
                let offset = self.own_offset(size);
                self.source.op(Instr::Store {
                    width,
                    rs1: OWN,
                    rs2,
                    offset,
                });
            }
            15..=17 => {
                let (width, size) = [
                    (LoadWidth::I8, 1),
                    (LoadWidth::U8, 1),
                    (LoadWidth::I16, 2),
                    (LoadWidth::U16, 2),
                    (LoadWidth::I32, 4),
                ][self.rng.gen_range(0..5)];
                let offset = self.own_offset(size);
                self.source.op(Instr::Load {
                    width,
                    rd,
                    rs1: OWN,
                    offset,
                });
            }
            18..=20 => self.shared_atomic(rs2),
            21 => self.own_atomic(rd, rs2),
            22 => {
                // Thread, lane, warp, CTA, grid size, width, hart; completed instructions.
                let csr = [0xCC0, 0xCC1, 0xCC2, 0xCC3, 0xCC4, 0xCC7, 0xF14, 0xC02][self
                    .rng
                    .gen_range(0..if self.knobs.windows == 0 { 8 } else { 7 })];
                let src = if self.chance(50) {
                    CsrSrc::Reg(0)
                } else {
                    CsrSrc::Imm(0)
                };
                let op = if self.chance(50) {
                    CsrOp::Set
                } else {
                    CsrOp::Clear
                };
                self.source.op(Instr::Csr { op, rd, csr, src });
            }
            _ => {
                let fence = if self.chance(50) {
                    Instr::Fence { fields: 0x0FF }
                } else {
                    Instr::FenceI
                };
                self.source.op(fence);
            }
        }
    }

    fn alu(&mut self) -> AluOp {
        use AluOp::*;
        [Add, Sub, Sll, Slt, Sltu, Xor, Srl, Sra, Or, And][self.rng.gen_range(0..10)]
    }

    fn own_offset(&mut self, size: i32) -> i32 {
        self.rng.gen_range(0..OWN_SIZE as i32 / size) * size
    }

    /// Shared word n takes one operation only, chosen by n: the operations on it commute.
    fn shared_atomic(&mut self, rs2: u8) {
        const OPS: [AmoOp; 8] = [
            AmoOp::Add,
            AmoOp::Xor,
            AmoOp::And,
            AmoOp::Or,
            AmoOp::Min,
            AmoOp::Max,
            AmoOp::Minu,
            AmoOp::Maxu,
        ];
        let n = self.rng.gen_range(0..SHARED_WORDS);
        let op = OPS[n as usize % OPS.len()];
        self.source.op(Instr::OpImm {
            op: AluOp::Add,
            rd: TARGET,
            rs1: SHARED,
            imm: 4 * n as i32,
        });
        self.source.op(Instr::Amo {
            op,
            rd: 0,
            rs1: TARGET,
            rs2,
            aq: false,
            rl: false,
        });
    }

    /// Any atomic on own memory, result used.
    fn own_atomic(&mut self, rd: u8, rs2: u8) {
        const OPS: [AmoOp; 4] = [AmoOp::Swap, AmoOp::Add, AmoOp::Min, AmoOp::Maxu];
        let imm = self.own_offset(4);
        self.source.op(Instr::OpImm {
            op: AluOp::Add,
            rd: TARGET,
            rs1: OWN,
            imm,
        });
        let (aq, rl) = (self.chance(50), self.chance(50));
        match self.rng.gen_range(0..3) {
            0 => {
                let op = OPS[self.rng.gen_range(0..4)];
                self.source.op(Instr::Amo {
                    op,
                    rd,
                    rs1: TARGET,
                    rs2,
                    aq,
                    rl,
                });
            }
            1 => {
                self.source.op(Instr::LoadReserved {
                    rd,
                    rs1: TARGET,
                    aq,
                    rl,
                });
                self.source.op(Instr::StoreConditional {
                    rd: SCRATCH,
                    rs1: TARGET,
                    rs2,
                    aq,
                    rl,
                });
                self.source.op(Instr::Op {
                    op: AluOp::Xor,
                    rd,
                    rs1: rd,
                    rs2: SCRATCH,
                });
            }
            // A lone SC; the reservation is the thread's own, if it has one.
            _ => self.source.op(Instr::StoreConditional {
                rd,
                rs1: TARGET,
                rs2,
                aq,
                rl,
            }),
        }
    }

    /// The target of `rs1`'s table entry for this thread, in `TARGET`. `entries` is a power of two.
    pub fn table_target(&mut self, first: usize, entries: usize) {
        let rs1 = self.data();
        self.source.op(Instr::OpImm {
            op: AluOp::And,
            rd: SCRATCH,
            rs1,
            imm: entries as i32 - 1,
        });
        self.source.op(Instr::OpImm {
            op: AluOp::Sll,
            rd: SCRATCH,
            rs1: SCRATCH,
            imm: 2,
        });
        self.source.emit(Item::Table { rd: TARGET });
        self.source.op(Instr::Op {
            op: AluOp::Add,
            rd: SCRATCH,
            rs1: SCRATCH,
            rs2: TARGET,
        });
        self.source.op(Instr::Load {
            width: LoadWidth::I32,
            rd: TARGET,
            rs1: SCRATCH,
            offset: 4 * first as i32,
        });
    }
}
