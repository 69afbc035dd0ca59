//! Decoder: what a word asks of the scheduler and of the datapath.
//!
//! Spec: `docs/spec/datapath.md`, DATA-001 to DATA-004; instruction set: `docs/spec/isa.md`, `docs/spec/masks.md`.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `word` | in | 32 | an instruction word |
//! | `has_float` | in | 1 | float words are instructions (ISA-040); a constant |
//! | `decoded` | out | 23 | the scheduler's form (`docs/spec/scheduler.md`) |
//! | `legal` | out | 1 | it is an instruction |
//! | `unit` | out | 3 | 0 lanes, 1 multiplier, 2 load/store unit, 3 divider, 4 float unit |
//! | `alu` | out | 4 | lanes: funct3, bit 3: subtract, shift arithmetically; multiplier, divider: bits 1..0 of funct3 |
//! | `a_pc`, `b_imm`, `imm` | out | 1, 1, 32 | first operand is the pc and not rs1; second one is `imm` and not rs2 |
//! | `condition` | out | 3 | the threads that a control instruction selects: 0 none, 1 all, 2 rs1 ≠ 0, 3 rs1 = 0, 4 comparison, 5 rs1 odd, 6 the leader's group |
//! | `op`, `kind` | out | 4, 4 | `resolve_op`, `resolve_kind`, but for masks |
//! | `has_target` | out | 1 | it goes somewhere: to pc + imm, or (condition 6) to the leader's sum |
//! | `leader` | out | 2 | needs a word of the lowest active thread: 1 rs1 + imm, 2 rs2 |
//! | `csr`, `breakpoint`, `by_mode`, `barrier`, `links` | out | 1 | CSR instruction; ebreak; subv.auto; barrier instruction; jal, jalr: rd = pc + 4 |
//! | `mask`, `mask_kind`, `mask_function`, `mask_md`, `mask_ma`, `mask_mb` | out | 1, 3, 4, 4, 4, 4 | mask instruction, as `weft_masks` wants it |
//! | `access_op`, `access_size`, `access_signed`, `access_order` | out | 5, 2, 1, 2 | for the load/store unit |
//! | `float_code`, `fused`, `root` | out | 5, 1, 1 | for the float unit: what it computes; rs3 is an operand, too; a division or square root |
//!
//! # Cycle behaviour
//! Combinational. Whoever uses only `decoded` gets only that from synthesis.
//!
//! # Errors
//! `legal` = 0: `decoded` is `control` and nothing else, DATA-001.

use crate::hdl::*;
use crate::warp::convergence::code;

#[module(kernel(Plain, Reach, Floats, Warps))]
pub struct Decode {
    pub word: Signal<In, Bits<32>>,
    pub has_float: Signal<In, Bit>,
    pub decoded: Signal<Out, Bits<23>>,
    pub legal: Signal<Out, Bit>,
    pub unit: Signal<Out, Bits<3>>,
    pub alu: Signal<Out, Bits<4>>,
    pub a_pc: Signal<Out, Bit>,
    pub b_imm: Signal<Out, Bit>,
    pub imm: Signal<Out, Bits<32>>,
    pub condition: Signal<Out, Bits<3>>,
    pub op: Signal<Out, Bits<4>>,
    pub kind: Signal<Out, Bits<4>>,
    pub has_target: Signal<Out, Bit>,
    pub leader: Signal<Out, Bits<2>>,
    pub csr: Signal<Out, Bit>,
    pub breakpoint: Signal<Out, Bit>,
    pub by_mode: Signal<Out, Bit>,
    pub barrier: Signal<Out, Bit>,
    pub links: Signal<Out, Bit>,
    pub mask: Signal<Out, Bit>,
    pub mask_kind: Signal<Out, Bits<3>>,
    pub mask_function: Signal<Out, Bits<4>>,
    pub mask_md: Signal<Out, Bits<4>>,
    pub mask_ma: Signal<Out, Bits<4>>,
    pub mask_mb: Signal<Out, Bits<4>>,
    pub access_op: Signal<Out, Bits<5>>,
    pub access_size: Signal<Out, Bits<2>>,
    pub access_signed: Signal<Out, Bit>,
    pub access_order: Signal<Out, Bits<2>>,
    pub float_code: Signal<Out, Bits<5>>,
    pub fused: Signal<Out, Bit>,
    pub root: Signal<Out, Bit>,
    // Fields.
    opcode: Signal<Local, Bits<7>>,
    rd: Signal<Local, Bits<5>>,
    funct3: Signal<Local, Bits<3>>,
    rs1: Signal<Local, Bits<5>>,
    rs2: Signal<Local, Bits<5>>,
    funct7: Signal<Local, Bits<7>>,
    funct5: Signal<Local, Bits<5>>,
    rs3: Signal<Local, Bits<5>>,
    rounds: Signal<Local, Bit>,
    float_word: Signal<Local, Bit>,
    spare1: Signal<Local, Bit>,
    spare2: Signal<Local, Bit>,
    spare3: Signal<Local, Bit>,
    // What the scheduler is told of its sources.
    name1: Signal<Local, Bits<5>>,
    name2: Signal<Local, Bits<5>>,
    top: Signal<Local, Bits<12>>,
    rd_kind: Signal<Local, Bit>,
    rs2_kind: Signal<Local, Bit>,
    // Immediates.
    sign: Signal<Local, Bits<32>>,
    low5: Signal<Local, Bits<32>>,
    mid6: Signal<Local, Bits<32>>,
    rd4: Signal<Local, Bits<32>>,
    bit7: Signal<Local, Bits<32>>,
    bit20: Signal<Local, Bits<32>>,
    mid10: Signal<Local, Bits<32>>,
    mid8: Signal<Local, Bits<32>>,
    imm_i: Signal<Local, Bits<32>>,
    imm_s: Signal<Local, Bits<32>>,
    imm_b: Signal<Local, Bits<32>>,
    imm_j: Signal<Local, Bits<32>>,
    imm_u: Signal<Local, Bits<32>>,
    // What it is.
    control: Signal<Local, Bit>,
    drain: Signal<Local, Bit>,
    group: Signal<Local, Bits<3>>,
    uses_rd: Signal<Local, Bit>,
    uses_rs1: Signal<Local, Bit>,
    uses_rs2: Signal<Local, Bit>,
    small_md: Signal<Local, Bit>,
    small_ma: Signal<Local, Bit>,
    small_mb: Signal<Local, Bit>,
    register_md: Signal<Local, Bit>,
    register_ma: Signal<Local, Bit>,
    count: Signal<Local, Bits<12>>,
    // The scheduler's form, put together.
    f_class: Signal<Local, Bits<23>>,
    f_flags: Signal<Local, Bits<23>>,
    f_rd: Signal<Local, Bits<23>>,
    f_rs1: Signal<Local, Bits<23>>,
    f_rs2: Signal<Local, Bits<23>>,
    // Constants.
    #[value(0x37.into())]
    lui: Constant<Bits<7>>,
    #[value(0x17.into())]
    auipc: Constant<Bits<7>>,
    #[value(0x6f.into())]
    jal: Constant<Bits<7>>,
    #[value(0x67.into())]
    jalr: Constant<Bits<7>>,
    #[value(0x63.into())]
    branch_opcode: Constant<Bits<7>>,
    #[value(0x03.into())]
    load: Constant<Bits<7>>,
    #[value(0x23.into())]
    store: Constant<Bits<7>>,
    #[value(0x13.into())]
    op_imm: Constant<Bits<7>>,
    #[value(0x33.into())]
    op_reg: Constant<Bits<7>>,
    #[value(0x2f.into())]
    amo: Constant<Bits<7>>,
    #[value(0x0f.into())]
    misc: Constant<Bits<7>>,
    #[value(0x73.into())]
    system: Constant<Bits<7>>,
    #[value(0x53.into())]
    op_float: Constant<Bits<7>>,
    #[value(0x0b.into())]
    custom_0: Constant<Bits<7>>,
    #[value(0x2b.into())]
    custom_1: Constant<Bits<7>>,
    #[value(0x5b.into())]
    custom_2: Constant<Bits<7>>,
    #[value(0x7b.into())]
    custom_3: Constant<Bits<7>>,
    #[value(0x100f.into())]
    word_fence_i: Constant<Bits<32>>,
    #[value(code::NEXT_FENCE_I.into())]
    kind_fence_i: Constant<Bits<4>>,
    #[value(0x73.into())]
    word_ecall: Constant<Bits<32>>,
    #[value(0x10_0073.into())]
    word_ebreak: Constant<Bits<32>>,
    #[value(0x105b.into())]
    word_yield: Constant<Bits<32>>,
    #[value(0x205b.into())]
    word_exit: Constant<Bits<32>>,
    #[value(0.into())]
    no_bits: Constant<Bits<23>>,
    #[value(0xffff_f000_u64.into())]
    upper: Constant<Bits<32>>,
    #[value(0xffff_ffff_u64.into())]
    all_ones: Constant<Bits<32>>,
    #[value(4.into())]
    four: Constant<Bits<32>>,
    #[value(0.into())]
    zero: Constant<Bits<32>>,
}

/// Fields and immediates; what an instruction is if nothing else is said; arithmetic.
struct Plain;

#[part(Decode, Plain)]
fn update(&mut self) {
    self.opcode.next = self.word.val().get_bits::<7>(0);
    self.rd.next = self.word.val().get_bits::<5>(7);
    self.funct3.next = self.word.val().get_bits::<3>(12);
    self.rs1.next = self.word.val().get_bits::<5>(15);
    self.rs2.next = self.word.val().get_bits::<5>(20);
    self.funct7.next = self.word.val().get_bits::<7>(25);
    self.funct5.next = self.word.val().get_bits::<5>(27);
    self.top.next = self.word.val().get_bits::<12>(20);
    self.rd_kind.next = self.rd.val() < 10;
    self.rs2_kind.next = self.rs2.val() < 10;
    self.small_md.next = self.rd.val() < 9;
    self.small_ma.next = self.rs1.val() < 9;
    self.small_mb.next = self.rs2.val() < 9;
    self.register_md.next = self.rd.val() < 8;
    self.register_ma.next = self.rs1.val() < 8;

    // ---- Immediates.
    self.sign.next = self.zero.val();
    if self.word.val().get_bit(31) {
        self.sign.next = self.all_ones.val();
    }
    self.low5.next = bit_cast::<32, 5>(self.rd.val());
    self.mid6.next = bit_cast::<32, 6>(self.word.val().get_bits::<6>(25));
    self.rd4.next = bit_cast::<32, 4>(self.word.val().get_bits::<4>(8));
    self.bit7.next = bit_cast::<32, 1>(self.word.val().get_bits::<1>(7));
    self.bit20.next = bit_cast::<32, 1>(self.word.val().get_bits::<1>(20));
    self.mid10.next = bit_cast::<32, 10>(self.word.val().get_bits::<10>(21));
    self.mid8.next = bit_cast::<32, 8>(self.word.val().get_bits::<8>(12));
    self.imm_i.next =
        (self.sign.val() << 11) | (self.mid6.val() << 5) | bit_cast::<32, 5>(self.rs2.val());
    self.imm_s.next = (self.sign.val() << 11) | (self.mid6.val() << 5) | self.low5.val();
    self.imm_b.next = (self.sign.val() << 12)
        | (self.bit7.val() << 11)
        | (self.mid6.val() << 5)
        | (self.rd4.val() << 1);
    self.imm_j.next = (self.sign.val() << 20)
        | (self.mid8.val() << 12)
        | (self.bit20.val() << 11)
        | (self.mid10.val() << 1);
    self.imm_u.next = self.word.val() & self.upper.val();

    // ---- Defaults: an addition that nobody sees.
    self.legal.next = false;
    self.unit.next = 0.into();
    self.alu.next = 0.into();
    self.a_pc.next = false;
    self.b_imm.next = false;
    self.imm.next = self.imm_i.val();
    self.condition.next = 0.into();
    self.op.next = 0.into();
    self.kind.next = 0.into();
    self.has_target.next = false;
    self.leader.next = 0.into();
    self.csr.next = false;
    self.breakpoint.next = false;
    self.by_mode.next = false;
    self.barrier.next = false;
    self.links.next = false;
    self.mask.next = false;
    self.mask_kind.next = 0.into();
    self.mask_function.next = 0.into();
    self.mask_md.next = self.word.val().get_bits::<4>(7);
    self.mask_ma.next = self.word.val().get_bits::<4>(15);
    self.mask_mb.next = self.word.val().get_bits::<4>(20);
    self.access_op.next = 0.into();
    self.access_size.next = self.word.val().get_bits::<2>(12);
    self.access_signed.next = !self.word.val().get_bit(14);
    self.access_order.next = 0.into();
    self.float_code.next = 0.into();
    self.fused.next = false;
    self.root.next = false;
    self.control.next = false;
    self.drain.next = false;
    self.group.next = 0.into();
    self.uses_rd.next = false;
    self.uses_rs1.next = false;
    self.uses_rs2.next = false;
    self.name1.next = self.rs1.val();
    self.name2.next = self.rs2.val();
    self.count.next = self.top.val() - 1;

    // ---- Arithmetic.
    if self.opcode.val() == self.lui.val() {
        self.legal.next = true;
        self.uses_rd.next = true;
        self.b_imm.next = true;
        self.imm.next = self.imm_u.val();
    }
    if self.opcode.val() == self.auipc.val() {
        self.legal.next = true;
        self.uses_rd.next = true;
        self.a_pc.next = true;
        self.b_imm.next = true;
        self.imm.next = self.imm_u.val();
    }
    if self.opcode.val() == self.op_imm.val() {
        self.legal.next = true;
        self.uses_rd.next = true;
        self.uses_rs1.next = true;
        self.b_imm.next = true;
        self.alu.next = bit_cast::<4, 3>(self.funct3.val());
        if self.funct3.val() == 1 {
            self.legal.next = self.funct7.val() == 0;
        }
        if self.funct3.val() == 5 {
            self.legal.next = (self.funct7.val() == 0) | (self.funct7.val() == 0x20);
            if self.word.val().get_bit(30) {
                self.alu.next = 13.into();
            }
        }
    }
    if self.opcode.val() == self.op_reg.val() {
        self.uses_rd.next = true;
        self.uses_rs1.next = true;
        self.uses_rs2.next = true;
        self.alu.next = bit_cast::<4, 3>(self.funct3.val());
        if self.funct7.val() == 0 {
            self.legal.next = true;
        }
        if self.funct7.val() == 0x20 {
            self.legal.next = (self.funct3.val() == 0) | (self.funct3.val() == 5);
            self.alu.next = 8.into();
            if self.funct3.val() == 5 {
                self.alu.next = 13.into();
            }
        }
        if self.funct7.val() == 1 {
            self.legal.next = true;
            self.group.next = 1.into();
            self.unit.next = 1.into();
            self.alu.next = bit_cast::<4, 2>(self.word.val().get_bits::<2>(12));
            if self.word.val().get_bit(14) {
                self.group.next = 3.into();
                self.unit.next = 3.into();
            }
        }
    }
}

/// Memory, CSRs, jumps and branches.
struct Reach;

#[part(Decode, Reach)]
fn update(&mut self) {
    // ---- Memory.
    if self.opcode.val() == self.load.val() {
        self.legal.next = (self.funct3.val() != 3) & (self.funct3.val() < 6);
        self.group.next = 2.into();
        self.unit.next = 2.into();
        self.uses_rd.next = true;
        self.uses_rs1.next = true;
        self.b_imm.next = true;
    }
    if self.opcode.val() == self.store.val() {
        self.legal.next = self.funct3.val() < 3;
        self.group.next = 2.into();
        self.unit.next = 2.into();
        self.uses_rs1.next = true;
        self.uses_rs2.next = true;
        self.b_imm.next = true;
        self.imm.next = self.imm_s.val();
        self.access_op.next = 1.into();
    }
    if self.opcode.val() == self.amo.val() {
        self.group.next = 2.into();
        self.unit.next = 2.into();
        self.uses_rd.next = true;
        self.uses_rs1.next = true;
        self.uses_rs2.next = true;
        self.b_imm.next = true;
        self.imm.next = self.zero.val();
        self.access_order.next = self.word.val().get_bits::<2>(25);
        if self.funct3.val() == 2 {
            if self.funct5.val() == 0 {
                self.legal.next = true;
                self.access_op.next = 16.into();
            }
            if self.funct5.val() == 1 {
                self.legal.next = true;
                self.access_op.next = 17.into();
            }
            if self.funct5.val() == 2 {
                self.legal.next = self.rs2.val() == 0;
                self.uses_rs2.next = false;
                self.access_op.next = 4.into();
            }
            if self.funct5.val() == 3 {
                self.legal.next = true;
                self.access_op.next = 5.into();
            }
            if self.funct5.val() == 4 {
                self.legal.next = true;
                self.access_op.next = 18.into();
            }
            if self.funct5.val() == 8 {
                self.legal.next = true;
                self.access_op.next = 19.into();
            }
            if self.funct5.val() == 12 {
                self.legal.next = true;
                self.access_op.next = 20.into();
            }
            if self.funct5.val() == 16 {
                self.legal.next = true;
                self.access_op.next = 21.into();
            }
            if self.funct5.val() == 20 {
                self.legal.next = true;
                self.access_op.next = 22.into();
            }
            if self.funct5.val() == 24 {
                self.legal.next = true;
                self.access_op.next = 23.into();
            }
            if self.funct5.val() == 28 {
                self.legal.next = true;
                self.access_op.next = 24.into();
            }
        }
    }
    if self.opcode.val() == self.misc.val() {
        self.legal.next = (self.funct3.val() == 0) & (self.rd.val() == 0) & (self.rs1.val() == 0);
        self.group.next = 2.into();
        self.unit.next = 2.into();
        self.drain.next = true;
        self.access_op.next = 2.into();
        self.access_size.next = 2.into();
    }
    // NEXT, and its kind says that lines are to be forgotten.
    if self.word.val() == self.word_fence_i.val() {
        self.legal.next = true;
        self.group.next = 3.into();
        self.unit.next = 0.into();
        self.control.next = true;
        self.access_op.next = 0.into();
        self.access_size.next = 0.into();
        self.kind.next = self.kind_fence_i.val();
    }

    // ---- CSRs, ecall, ebreak.
    if self.opcode.val() == self.system.val() {
        if self.word.val().get_bits::<2>(12).any() {
            self.legal.next = true;
            self.group.next = 3.into();
            self.csr.next = true;
            self.uses_rd.next = true;
            self.uses_rs1.next = !self.word.val().get_bit(14);
            self.b_imm.next = true;
        }
        if self.word.val() == self.word_ecall.val() {
            self.legal.next = true;
            self.control.next = true;
            self.drain.next = true;
            self.op.next = 7.into();
            self.condition.next = 1.into();
        }
        if self.word.val() == self.word_ebreak.val() {
            self.legal.next = true;
            self.control.next = true;
            self.breakpoint.next = true;
        }
    }

    // ---- Jumps and branches.
    if self.opcode.val() == self.jal.val() {
        self.legal.next = true;
        self.control.next = true;
        self.uses_rd.next = true;
        self.links.next = true;
        self.imm.next = self.imm_j.val();
        self.op.next = 1.into();
        self.condition.next = 1.into();
        self.has_target.next = true;
    }
    if self.opcode.val() == self.jalr.val() {
        self.legal.next = self.funct3.val() == 0;
        self.control.next = true;
        self.uses_rd.next = true;
        self.uses_rs1.next = true;
        self.links.next = true;
        self.op.next = 2.into();
        self.condition.next = 6.into();
        self.has_target.next = true;
        self.leader.next = 1.into();
    }
    if self.opcode.val() == self.branch_opcode.val() {
        self.legal.next = (self.funct3.val() != 2) & (self.funct3.val() != 3);
        self.control.next = true;
        self.uses_rs1.next = true;
        self.uses_rs2.next = true;
        self.imm.next = self.imm_b.val();
        self.op.next = 1.into();
        self.condition.next = 4.into();
        self.has_target.next = true;
    }
}

/// Float (ISA-040): words of Zfinx.
struct Floats;

#[part(Decode, Floats)]
fn update(&mut self) {
    self.rs3.next = self.word.val().get_bits::<5>(27);
    self.rounds.next = (self.funct3.val() < 5) | (self.funct3.val() == 7);
    // Multiply and add: of the opcodes 0x43, 0x47, 0x4b, 0x4f.
    if self.has_float.val()
        & (self.word.val().get_bits::<3>(4) == 4)
        & (self.word.val().get_bits::<2>(0) == 3)
    {
        self.legal.next = self.rounds.val() & (self.word.val().get_bits::<2>(25) == 0);
        self.fused.next = true;
        self.uses_rs2.next = true;
        self.float_code.next = bit_cast::<5, 2>(self.word.val().get_bits::<2>(2));
    }
    self.float_word.next = self.has_float.val() & (self.opcode.val() == self.op_float.val());
    // Add, subtract, multiply, divide.
    if self.float_word.val() & (self.word.val().get_bits::<5>(27) < 4) {
        self.legal.next = self.rounds.val() & (self.word.val().get_bits::<2>(25) == 0);
        self.uses_rs2.next = true;
        self.float_code.next = bit_cast::<5, 2>(self.word.val().get_bits::<2>(27)) + 4;
        self.root.next = self.word.val().get_bits::<2>(27) == 3;
    }
    if self.float_word.val() & (self.funct7.val() == 0x2c) {
        self.legal.next = self.rounds.val() & (self.rs2.val() == 0);
        self.float_code.next = 8.into();
        self.root.next = true;
    }
    // To and from integers.
    if self.float_word.val() & (self.funct7.val() == 0x60) {
        self.legal.next = self.rounds.val() & (self.rs2.val() < 2);
        self.float_code.next = bit_cast::<5, 1>(self.word.val().get_bits::<1>(20)) + 9;
    }
    if self.float_word.val() & (self.funct7.val() == 0x68) {
        self.legal.next = self.rounds.val() & (self.rs2.val() < 2);
        self.float_code.next = bit_cast::<5, 1>(self.word.val().get_bits::<1>(20)) + 11;
    }
    // Exact ones: signs, least and greatest, comparisons, class.
    if self.float_word.val() & (self.funct7.val() == 0x10) {
        self.legal.next = self.funct3.val() < 3;
        self.uses_rs2.next = true;
        self.float_code.next = bit_cast::<5, 2>(self.word.val().get_bits::<2>(12)) + 13;
    }
    if self.float_word.val() & (self.funct7.val() == 0x14) {
        self.legal.next = self.funct3.val() < 2;
        self.uses_rs2.next = true;
        self.float_code.next = bit_cast::<5, 1>(self.word.val().get_bits::<1>(12)) + 16;
    }
    if self.float_word.val() & (self.funct7.val() == 0x50) {
        self.legal.next = self.funct3.val() < 3;
        self.uses_rs2.next = true;
        self.float_code.next = bit_cast::<5, 2>(self.word.val().get_bits::<2>(12)) + 18;
    }
    if self.float_word.val() & (self.funct7.val() == 0x70) {
        self.legal.next = (self.funct3.val() == 1) & (self.rs2.val() == 0);
        self.float_code.next = 21.into();
    }
    if self.fused.val() | self.float_word.val() {
        self.group.next = 4.into();
        self.unit.next = 4.into();
        self.uses_rd.next = true;
        self.uses_rs1.next = true;
    }
    // DATA-005: two names for three sources, but for what is the destination, x0, or a name already.
    self.spare1.next = (self.rs1.val() == 0)
        | (self.rs1.val() == self.rd.val())
        | (self.rs1.val() == self.rs2.val());
    self.spare2.next = (self.rs2.val() == 0) | (self.rs2.val() == self.rd.val());
    self.spare3.next = (self.rs3.val() == 0)
        | (self.rs3.val() == self.rd.val())
        | (self.rs3.val() == self.rs1.val())
        | (self.rs3.val() == self.rs2.val());
    if self.fused.val() & !self.spare3.val() {
        if self.spare1.val() {
            self.name1.next = self.rs3.val();
        } else if self.spare2.val() {
            self.name2.next = self.rs3.val();
        } else {
            self.drain.next = true;
        }
    }
}

/// Tokens, sub-vector loops, masks, barriers; and the form that the scheduler reads.
struct Warps;

#[part(Decode, Warps)]
fn update(&mut self) {
    // ---- Tokens, sub-vector loops.
    if self.opcode.val() == self.custom_0.val() {
        self.legal.next = self.rd_kind.val();
        self.control.next = true;
        self.imm.next = self.imm_j.val();
        self.op.next = 3.into();
        self.kind.next = self.word.val().get_bits::<4>(7);
        self.condition.next = 1.into();
        self.has_target.next = true;
        if (self.rd.val() == 12) | (self.rd.val() == 28) {
            self.legal.next = true;
            self.op.next = 14.into();
            self.kind.next = 2.into();
            self.by_mode.next = self.word.val().get_bit(11);
        }
    }
    if self.opcode.val() == self.custom_1.val() {
        self.control.next = true;
        self.imm.next = self.imm_b.val();
        self.op.next = 4.into();
        self.kind.next = self.word.val().get_bits::<4>(20);
        self.has_target.next = true;
        if self.funct3.val() == 0 {
            self.legal.next = self.rs2_kind.val() & (self.rs1.val() == 0);
            self.condition.next = 1.into();
        }
        if self.funct3.val() == 1 {
            self.legal.next = self.rs2_kind.val();
            self.uses_rs1.next = true;
            self.condition.next = 2.into();
        }
        if self.funct3.val() == 2 {
            self.legal.next = self.rs2_kind.val();
            self.uses_rs1.next = true;
            self.condition.next = 3.into();
        }
    }
    if self.opcode.val() == self.custom_2.val() {
        self.control.next = true;
        if self.funct3.val() == 0 {
            self.legal.next = self.rd_kind.val();
            self.uses_rs1.next = true;
            self.op.next = 5.into();
            self.kind.next = self.word.val().get_bits::<4>(7);
            self.condition.next = 6.into();
            self.has_target.next = true;
            self.leader.next = 1.into();
        }
        if self.word.val() == self.word_yield.val() {
            self.legal.next = true;
            self.op.next = 6.into();
        }
        if self.word.val() == self.word_exit.val() {
            self.legal.next = true;
            self.drain.next = true;
            self.op.next = 7.into();
            self.condition.next = 1.into();
        }
        // Masks.
        if self.funct3.val() == 3 {
            self.mask.next = true;
            self.mask_function.next = self.word.val().get_bits::<4>(25);
            if self.funct7.val() < 8 {
                self.legal.next = self.small_md.val() & self.small_ma.val() & self.small_mb.val();
            } else if self.funct7.val() < 16 {
                self.legal.next =
                    self.register_md.val() & self.small_ma.val() & (self.rs2.val() == 0);
            }
        }
        if self.funct3.val() == 4 {
            self.mask.next = true;
            if self.funct7.val() == 0 {
                self.legal.next = self.register_md.val() & (self.rs2.val() == 0);
                self.mask_kind.next = 1.into();
                self.uses_rs1.next = true;
                self.condition.next = 2.into();
            }
            if self.funct7.val() == 1 {
                self.legal.next = self.small_ma.val() & (self.rs2.val() < 2);
                self.mask_kind.next = 3.into();
                self.mask_function.next = bit_cast::<4, 1>(self.word.val().get_bits::<1>(20));
                self.uses_rd.next = true;
            }
            if self.funct7.val() == 2 {
                self.legal.next = self.register_md.val() & (self.rs2.val() < 2);
                self.mask_kind.next = 2.into();
                self.mask_function.next = bit_cast::<4, 1>(self.word.val().get_bits::<1>(20));
                self.mask_ma.next = self.word.val().get_bits::<4>(7);
                self.uses_rs1.next = true;
                self.imm.next = self.zero.val();
                self.leader.next = 1.into();
            }
            if (self.funct7.val() == 3) | (self.funct7.val() == 4) {
                self.legal.next = self.small_ma.val() & (self.rs2.val() == 0);
                self.mask_kind.next = 3.into();
                self.mask_function.next = 2.into();
                if self.funct7.val() == 4 {
                    self.mask_function.next = 3.into();
                }
                self.uses_rd.next = true;
            }
            if self.funct7.val() == 5 {
                self.legal.next = (self.rs1.val() == 0) & (self.rs2.val() == 0);
                self.mask_kind.next = 3.into();
                self.mask_function.next = 4.into();
                self.uses_rd.next = true;
            }
        }
        if self.funct3.val() == 5 {
            self.mask.next = true;
            self.mask_kind.next = 4.into();
            self.imm.next = self.imm_b.val();
            self.has_target.next = true;
            self.mask_function.next = bit_cast::<4, 2>(self.word.val().get_bits::<2>(20));
            self.legal.next = self.small_ma.val() & (self.rs2.val() < 4);
            if self.rs1.val() == 9 {
                self.legal.next = self.rs2.val() < 2;
                self.mask_function.next = 4.into();
                if self.word.val().get_bit(20) {
                    self.mask_function.next = 5.into();
                }
            }
        }
        if self.funct3.val() == 6 {
            self.mask.next = true;
            self.mask_kind.next = 5.into();
            self.mask_function.next = self.count.val().get_bits::<4>(0);
            self.legal.next =
                (self.rd.val() == 0) & self.register_ma.val() & (self.count.val() < 8);
        }
    }

    // ---- Barriers: behind all accesses of the warp, DATA-003.
    if self.opcode.val() == self.custom_3.val() {
        self.control.next = true;
        self.drain.next = true;
        self.barrier.next = true;
        self.op.next = 11.into();
        if (self.funct3.val() == 0) & (self.funct7.val() < 2) {
            self.legal.next =
                self.register_md.val() & ((self.rs1.val() == 0) | self.word.val().get_bit(25));
            self.uses_rs1.next = self.word.val().get_bit(25);
            self.uses_rs2.next = true;
            self.leader.next = 2.into();
            self.condition.next = 1.into();
            if self.word.val().get_bit(25) {
                self.condition.next = 2.into();
            }
        }
        if (self.funct3.val() == 1) & (self.funct7.val() < 2) {
            self.legal.next =
                self.register_md.val() & (self.rs1.val() == 0) & (self.rs2.val() == 0);
            self.kind.next = 1.into();
            if self.word.val().get_bit(25) {
                self.kind.next = 2.into();
            }
        }
        if (self.funct3.val() == 2) & (self.funct7.val() == 0) {
            self.legal.next =
                self.register_md.val() & (self.rs1.val() == 0) & (self.rs2.val() == 0);
            self.kind.next = 3.into();
        }
        if (self.funct3.val() == 3) & (self.funct7.val() == 0) {
            self.legal.next = self.register_md.val() & (self.rs1.val() == 0);
            self.uses_rs2.next = true;
            self.leader.next = 2.into();
            self.kind.next = 4.into();
        }
        if (self.funct3.val() == 4) & (self.funct7.val() == 0) {
            self.legal.next = self.register_md.val() & (self.rs2.val() == 0);
            self.uses_rs1.next = true;
            self.condition.next = 5.into();
            self.kind.next = 5.into();
        }
    }
    // ---- The scheduler's form. x0 is never used.
    if !self.legal.val() {
        self.control.next = true;
        self.drain.next = false;
        self.group.next = 0.into();
        self.unit.next = 0.into();
        self.uses_rd.next = false;
        self.uses_rs1.next = false;
        self.uses_rs2.next = false;
        self.leader.next = 0.into();
        self.condition.next = 0.into();
        self.has_target.next = false;
        self.csr.next = false;
        self.by_mode.next = false;
        self.barrier.next = false;
        self.links.next = false;
        self.mask.next = false;
        self.fused.next = false;
        self.root.next = false;
    }
    self.f_class.next = bit_cast::<23, 3>(self.group.val());
    self.f_flags.next = self.no_bits.val();
    if self.control.val() {
        self.f_flags.next = 8.into();
    }
    if self.drain.val() {
        self.f_flags.next = self.f_flags.val() | 16;
    }
    self.f_rd.next = self.no_bits.val();
    if self.uses_rd.val() & self.rd.val().any() {
        self.f_rd.next = bit_cast::<23, 5>(self.rd.val()) | 32;
    }
    self.f_rs1.next = self.no_bits.val();
    if self.uses_rs1.val() & self.name1.val().any() {
        self.f_rs1.next = bit_cast::<23, 5>(self.name1.val()) | 32;
    }
    self.f_rs2.next = self.no_bits.val();
    if self.uses_rs2.val() & self.name2.val().any() {
        self.f_rs2.next = bit_cast::<23, 5>(self.name2.val()) | 32;
    }
    self.decoded.next = self.f_class.val()
        | self.f_flags.val()
        | (self.f_rd.val() << 5)
        | (self.f_rs1.val() << 11)
        | (self.f_rs2.val() << 17);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use weft_isa::{ExactOp, FloatInstr, Instr};
    use weft_rtl::Rng;

    /// Words with the opcodes of the instruction set, fields mostly small, and words of any kind.
    fn word(rng: &mut Rng) -> u32 {
        const OPCODES: [u32; 21] = [
            0x37, 0x17, 0x13, 0x33, 0x03, 0x23, 0x63, 0x6f, 0x67, 0x73, 0x0f, 0x2f, 0x0b, 0x2b,
            0x5b, 0x7b, 0x43, 0x47, 0x4b, 0x4f, 0x53,
        ];
        const FLOATS: [u32; 12] = [
            0x00, 0x04, 0x08, 0x0c, 0x2c, 0x10, 0x14, 0x50, 0x60, 0x68, 0x70, 0x78,
        ];
        let mut word = rng.below(1 << 32) as u32;
        if rng.chance(15, 16) {
            word = word & !0x7f | OPCODES[rng.below(OPCODES.len() as u64) as usize];
        }
        if word & 0x7f == 0x53 && rng.chance(7, 8) {
            word = word & !(0x7f << 25) | FLOATS[rng.below(12) as usize] << 25;
            if rng.chance(7, 8) {
                word = word & !(0x1f << 20) | (rng.below(3) as u32) << 20;
            }
            return word;
        }
        if rng.chance(1, 2) {
            word &= 0x0fff_ffff;
        }
        if rng.chance(1, 2) {
            word = word & !(0x1f << 20) | (rng.below(10) as u32) << 20;
        }
        if rng.chance(1, 2) {
            word = word & !(0x1f << 15) | (rng.below(10) as u32) << 15;
        }
        if rng.chance(1, 2) {
            word = word & !(0x1f << 7) | (rng.below(10) as u32) << 7;
        }
        if rng.chance(1, 4) {
            word &= 0x01ff_ffff;
        }
        word
    }

    /// Registers that an instruction reads and does not write.
    fn sources(all: &[u8], rd: u8) -> BTreeSet<u64> {
        let others = all.iter().filter(|&&x| x != 0 && x != rd);
        others.map(|&x| x.into()).collect()
    }

    /// Class and flags of an instruction, DATA-002 and DATA-003.
    fn form(instr: Instr) -> u64 {
        use Instr::*;
        const CONTROL: u64 = 8;
        const DRAIN: u64 = 16;
        match instr {
            Lui { .. } | Auipc { .. } | OpImm { .. } | Op { .. } => 0,
            Mul { op, .. } => match op as u8 {
                0..=3 => 1,
                _ => 3,
            },
            Load { .. }
            | Store { .. }
            | LoadReserved { .. }
            | StoreConditional { .. }
            | Amo { .. } => 2,
            Fence { .. } => 2 | DRAIN,
            FenceI => 3 | CONTROL | DRAIN,
            Csr { .. } => 3,
            Float(FloatInstr::Fused {
                rd, rs1, rs2, rs3, ..
            }) if sources(&[rs1, rs2, rs3], rd).len() > 2 => 4 | DRAIN,
            Float(_) => 4,
            Ecall | Exit | Barrier { .. } => CONTROL | DRAIN,
            _ => CONTROL,
        }
    }

    /// What the float unit computes (`docs/spec/float.md`, *Codes*).
    fn code(instr: FloatInstr) -> u64 {
        match instr {
            FloatInstr::Fused { op, .. } => op as u64,
            FloatInstr::Arithmetic { op, .. } => 4 + op as u64,
            FloatInstr::Unary { op, .. } => 8 + op as u64,
            FloatInstr::Exact { op, .. } => match op {
                ExactOp::SignCopy => 13,
                ExactOp::SignNegate => 14,
                ExactOp::SignXor => 15,
                ExactOp::Min => 16,
                ExactOp::Max => 17,
                ExactOp::LessEqual => 18,
                ExactOp::Less => 19,
                ExactOp::Equal => 20,
            },
            FloatInstr::Class { .. } => 21,
        }
    }

    /// What is an instruction, its class and its flags: as the assembler's decoder, which shares nothing with this one,
    /// has it.
    #[test]
    fn words_are_what_the_instruction_set_says() {
        let mut u = Decode::default();
        u.connect_all();
        let mut rng = Rng::new(1, "decode");
        let edges = [
            0,
            u32::MAX,
            0x100f,
            0x73,
            0x10_0073,
            0x105b,
            0x205b,
            0x20_0073,
            0x13,
        ];
        let (mut legal, mut forms, mut floats) = (0, [0; 32], [0; 22]);
        for n in 0..24_000 {
            let word = edges.get(n).copied().unwrap_or_else(|| word(&mut rng));
            let has_float = rng.chance(3, 4);
            u.word.next = u64::from(word).into();
            u.has_float.next = has_float;
            weft_rtl::settle(&mut u);
            let decoded = u.decoded.val().to_u64();
            // Without float its words are illegal (ISA-040).
            let instr = weft_isa::decode(word).ok();
            let is_there = |instr: &Instr| has_float || !matches!(instr, Instr::Float(_));
            let Some(instr) = instr.filter(is_there) else {
                assert!(!u.legal.val(), "{word:#x}");
                assert_eq!(decoded, 8, "{word:#x}");
                continue;
            };
            assert!(u.legal.val(), "{word:#x}: {instr:?}");
            assert_eq!(decoded & 31, form(instr), "{word:#x}: {instr:?}");
            if let Instr::Float(float) = instr {
                assert_eq!(u.unit.val().to_u64(), 4, "{word:#x}: {instr:?}");
                assert_eq!(u.float_code.val().to_u64(), code(float), "{word:#x}");
                assert_eq!(u.fused.val(), matches!(float, FloatInstr::Fused { .. }));
                assert_eq!(u.root.val(), [7, 8].contains(&code(float)), "{word:#x}");
                floats[code(float) as usize] += 1;
            }
            legal += 1;
            forms[(decoded & 31) as usize] += 1;
            // A register is named by its field, and x0 never; of three sources any may be (DATA-005).
            let fused = matches!(instr, Instr::Float(FloatInstr::Fused { .. }));
            let mut names = BTreeSet::new();
            for (at, field) in [(5, 7), (11, 15), (17, 20)] {
                let (bits, number) = (decoded >> at & 63, u64::from(word >> field & 31));
                let named = bits == number | 32 && number != 0;
                assert!(bits == 0 || named || fused, "{word:#x}: {instr:?}");
                if bits != 0 {
                    names.insert(bits & 31);
                }
            }
            if fused && decoded & 16 == 0 {
                let [rd, rs1, rs2, rs3] = instr.registers().map(|x| x.unwrap_or_default());
                let wanted = sources(&[rd, rs1, rs2, rs3], 0);
                assert_eq!(names, wanted, "{word:#x}: {instr:?}");
            }
        }
        let seen = forms.iter().filter(|&&n| n > 0).count();
        assert!(legal > 2_000 && seen >= 8, "{legal} {forms:?}");
        assert!(floats.iter().all(|&n| n > 2), "{floats:?}");
    }

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "decode",
            Decode::default,
            2000,
            |u, rng, _| {
                u.word.next = u64::from(word(rng)).into();
                u.has_float.next = rng.flip();
            },
            None,
        )
        .unwrap();
    }
}
