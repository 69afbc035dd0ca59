//! Mnemonics: what operands they take and which words they become.

use super::cursor::Cursor;
use super::error::{closest, Fault, Span};
use super::expr::{high_part, low_part, Expr, Relocation};
use super::float::{self, FloatForm};
use super::unit::{Field, Item, Slot};
use crate::fields::{b_type, i_type, opcode, r_type, rd_field};
use crate::{encode, AluOp, AmoOp, BarrierOp, BranchCond, CsrOp, CsrSrc, EncodeError, Instr, Kind};
use crate::{
    LeaveCond, LoadWidth, Mask, MaskCond, MaskInstr, MaskOp, MulOp, StoreWidth, LAST_BARRIER,
};

/// Which threads a `leave` mnemonic selects.
#[derive(Clone, Copy)]
enum Selection {
    All,
    Nez,
    Eqz,
}

/// Pseudo-instructions with a destination and one source.
#[derive(Clone, Copy)]
enum Unary {
    Mv,
    Not,
    Neg,
    Seqz,
    Snez,
    Sltz,
    Sgtz,
    ZextB,
    /// Shift left, then right by the same amount.
    Extend {
        right: AluOp,
        bits: i32,
    },
}

/// Operand form of a mnemonic.
#[derive(Clone, Copy)]
enum Form {
    /// `rd, rs1, rs2`; with an immediate in the third place the I-format instruction.
    Register(AluOp),
    Immediate(AluOp),
    Multiply(MulOp),
    Float(FloatForm),
    /// `rd, rs1, rs2` meaning `op rd, rs2, rs1`.
    Swapped(AluOp),
    Load(LoadWidth),
    Store(StoreWidth),
    /// `rs1, rs2, target`, operands swapped or not.
    Branch {
        cond: BranchCond,
        swapped: bool,
    },
    /// `rs, target`, compared with zero, which is on the left or on the right.
    BranchZero {
        cond: BranchCond,
        zero_first: bool,
    },
    Lui,
    Auipc,
    Jal,
    Jump,
    Jalr,
    JumpRegister,
    Call {
        link: u8,
        scratch: u8,
    },
    /// `symbol, scratch`
    FarJump,
    LoadImmediate,
    LoadAddress,
    Unary(Unary),
    /// `rd, csr, source`
    Csr {
        op: CsrOp,
        immediate: bool,
    },
    /// `csr, source`
    CsrNoResult {
        op: CsrOp,
        immediate: bool,
    },
    CsrRead,
    ReadCounter(u16),
    Fence,
    Plain(Instr),
    LoadReserved,
    StoreConditional,
    Amo(AmoOp),
    /// `kind, target`, or `target` when the mnemonic names the kind.
    Push(Option<Kind>),
    Leave(Option<Kind>, Selection),
    LeaveIndirect,
    /// `rs1`
    WarpReturn,
    /// `id`, then the registers that the operation has.
    Barrier(BarrierOp),
    SubVector {
        auto: bool,
    },
    /// `md, ma, mb`
    MaskLogic(MaskOp),
    /// `md, ms`
    MaskSave(MaskOp),
    /// `md, ms` meaning `op md, ms, ms`
    MaskUnary(MaskOp),
    /// `md` meaning `op md, md, md`
    MaskConstant(MaskOp),
    /// `ms`
    MaskRestore,
    /// `md, rs1`
    MaskSet,
    MaskPut {
        high: bool,
    },
    /// `rd, ms`
    MaskGet {
        high: bool,
    },
    MaskCount,
    MaskFirst,
    /// `rd`
    MaskCondition,
    /// `ms, target`, or `scc, target`
    MaskBranch(MaskCond),
    /// `ms, count`
    MaskPredicate,
}

const UNIMP: Instr = Instr::Csr {
    op: CsrOp::Write,
    rd: 0,
    csr: 0xC00,
    src: CsrSrc::Reg(0),
};
const NOP: Instr = Instr::OpImm {
    op: AluOp::Add,
    rd: 0,
    rs1: 0,
    imm: 0,
};
const RET: Instr = Instr::Jalr {
    rd: 0,
    rs1: 1,
    offset: 0,
};
const FENCE_TSO: Instr = Instr::Fence { fields: 0x833 };
const PAUSE: Instr = Instr::Fence { fields: 0x010 };

const fn branch(cond: BranchCond, swapped: bool) -> Form {
    Form::Branch { cond, swapped }
}
const fn branch_zero(cond: BranchCond, zero_first: bool) -> Form {
    Form::BranchZero { cond, zero_first }
}
const fn extend(right: AluOp, bits: i32) -> Form {
    Form::Unary(Unary::Extend { right, bits })
}
const fn csr(op: CsrOp, immediate: bool) -> Form {
    Form::Csr { op, immediate }
}
const fn csr_no_result(op: CsrOp, immediate: bool) -> Form {
    Form::CsrNoResult { op, immediate }
}

/// AMO mnemonics may carry `.aq`, `.rl` or `.aqrl` besides.
#[rustfmt::skip]
static MNEMONICS: &[(&str, Form)] = &[
    ("lui", Form::Lui), ("auipc", Form::Auipc),
    ("add", Form::Register(AluOp::Add)), ("sub", Form::Register(AluOp::Sub)),
    ("sll", Form::Register(AluOp::Sll)), ("slt", Form::Register(AluOp::Slt)),
    ("sltu", Form::Register(AluOp::Sltu)), ("xor", Form::Register(AluOp::Xor)),
    ("srl", Form::Register(AluOp::Srl)), ("sra", Form::Register(AluOp::Sra)),
    ("or", Form::Register(AluOp::Or)), ("and", Form::Register(AluOp::And)),
    ("addi", Form::Immediate(AluOp::Add)), ("slli", Form::Immediate(AluOp::Sll)),
    ("slti", Form::Immediate(AluOp::Slt)), ("sltiu", Form::Immediate(AluOp::Sltu)),
    ("xori", Form::Immediate(AluOp::Xor)), ("srli", Form::Immediate(AluOp::Srl)),
    ("srai", Form::Immediate(AluOp::Sra)), ("ori", Form::Immediate(AluOp::Or)),
    ("andi", Form::Immediate(AluOp::And)),
    ("sgt", Form::Swapped(AluOp::Slt)), ("sgtu", Form::Swapped(AluOp::Sltu)),
    ("mul", Form::Multiply(MulOp::Mul)), ("mulh", Form::Multiply(MulOp::Mulh)),
    ("mulhsu", Form::Multiply(MulOp::Mulhsu)), ("mulhu", Form::Multiply(MulOp::Mulhu)),
    ("div", Form::Multiply(MulOp::Div)), ("divu", Form::Multiply(MulOp::Divu)),
    ("rem", Form::Multiply(MulOp::Rem)), ("remu", Form::Multiply(MulOp::Remu)),
    ("lb", Form::Load(LoadWidth::I8)), ("lh", Form::Load(LoadWidth::I16)),
    ("lw", Form::Load(LoadWidth::I32)), ("lbu", Form::Load(LoadWidth::U8)),
    ("lhu", Form::Load(LoadWidth::U16)),
    ("sb", Form::Store(StoreWidth::W8)), ("sh", Form::Store(StoreWidth::W16)),
    ("sw", Form::Store(StoreWidth::W32)),
    ("beq", branch(BranchCond::Eq, false)), ("bne", branch(BranchCond::Ne, false)),
    ("blt", branch(BranchCond::Lt, false)), ("bge", branch(BranchCond::Ge, false)),
    ("bltu", branch(BranchCond::Ltu, false)), ("bgeu", branch(BranchCond::Geu, false)),
    ("bgt", branch(BranchCond::Lt, true)), ("ble", branch(BranchCond::Ge, true)),
    ("bgtu", branch(BranchCond::Ltu, true)), ("bleu", branch(BranchCond::Geu, true)),
    ("beqz", branch_zero(BranchCond::Eq, false)), ("bnez", branch_zero(BranchCond::Ne, false)),
    ("bltz", branch_zero(BranchCond::Lt, false)), ("bgez", branch_zero(BranchCond::Ge, false)),
    ("bgtz", branch_zero(BranchCond::Lt, true)), ("blez", branch_zero(BranchCond::Ge, true)),
    ("jal", Form::Jal), ("j", Form::Jump), ("jalr", Form::Jalr), ("jr", Form::JumpRegister),
    ("call", Form::Call { link: 1, scratch: 1 }), ("tail", Form::Call { link: 0, scratch: 6 }),
    ("jump", Form::FarJump), ("ret", Form::Plain(RET)),
    ("li", Form::LoadImmediate), ("la", Form::LoadAddress), ("lla", Form::LoadAddress),
    ("nop", Form::Plain(NOP)), ("unimp", Form::Plain(UNIMP)),
    ("mv", Form::Unary(Unary::Mv)), ("move", Form::Unary(Unary::Mv)),
    ("not", Form::Unary(Unary::Not)), ("neg", Form::Unary(Unary::Neg)),
    ("seqz", Form::Unary(Unary::Seqz)), ("snez", Form::Unary(Unary::Snez)),
    ("sltz", Form::Unary(Unary::Sltz)), ("sgtz", Form::Unary(Unary::Sgtz)),
    ("zext.b", Form::Unary(Unary::ZextB)), ("zext.h", extend(AluOp::Srl, 16)),
    ("sext.b", extend(AluOp::Sra, 24)), ("sext.h", extend(AluOp::Sra, 16)),
    ("csrrw", csr(CsrOp::Write, false)), ("csrrs", csr(CsrOp::Set, false)),
    ("csrrc", csr(CsrOp::Clear, false)), ("csrrwi", csr(CsrOp::Write, true)),
    ("csrrsi", csr(CsrOp::Set, true)), ("csrrci", csr(CsrOp::Clear, true)),
    ("csrw", csr_no_result(CsrOp::Write, false)), ("csrs", csr_no_result(CsrOp::Set, false)),
    ("csrc", csr_no_result(CsrOp::Clear, false)), ("csrwi", csr_no_result(CsrOp::Write, true)),
    ("csrsi", csr_no_result(CsrOp::Set, true)), ("csrci", csr_no_result(CsrOp::Clear, true)),
    ("csrr", Form::CsrRead),
    ("rdcycle", Form::ReadCounter(0xC00)), ("rdcycleh", Form::ReadCounter(0xC80)),
    ("rdtime", Form::ReadCounter(0xC01)), ("rdtimeh", Form::ReadCounter(0xC81)),
    ("rdinstret", Form::ReadCounter(0xC02)), ("rdinstreth", Form::ReadCounter(0xC82)),
    ("fence", Form::Fence), ("fence.i", Form::Plain(Instr::FenceI)),
    ("fence.tso", Form::Plain(FENCE_TSO)), ("pause", Form::Plain(PAUSE)),
    ("ecall", Form::Plain(Instr::Ecall)), ("scall", Form::Plain(Instr::Ecall)),
    ("ebreak", Form::Plain(Instr::Ebreak)), ("sbreak", Form::Plain(Instr::Ebreak)),
    ("lr.w", Form::LoadReserved), ("sc.w", Form::StoreConditional),
    ("amoswap.w", Form::Amo(AmoOp::Swap)), ("amoadd.w", Form::Amo(AmoOp::Add)),
    ("amoxor.w", Form::Amo(AmoOp::Xor)), ("amoand.w", Form::Amo(AmoOp::And)),
    ("amoor.w", Form::Amo(AmoOp::Or)), ("amomin.w", Form::Amo(AmoOp::Min)),
    ("amomax.w", Form::Amo(AmoOp::Max)), ("amominu.w", Form::Amo(AmoOp::Minu)),
    ("amomaxu.w", Form::Amo(AmoOp::Maxu)),
    ("push", Form::Push(None)), ("ssy", Form::Push(Some(Kind::SYNC))),
    ("pbk", Form::Push(Some(Kind::BREAK))), ("pcnt", Form::Push(Some(Kind::CONTINUE))),
    ("pcal", Form::Push(Some(Kind::CALL))), ("plongjmp", Form::Push(Some(Kind::LONGJMP))),
    ("ppexit", Form::Push(Some(Kind::PEXIT))),
    ("leave", Form::Leave(None, Selection::All)),
    ("leave.nez", Form::Leave(None, Selection::Nez)),
    ("leave.eqz", Form::Leave(None, Selection::Eqz)),
    ("sync", Form::Leave(Some(Kind::SYNC), Selection::All)),
    ("sync.nez", Form::Leave(Some(Kind::SYNC), Selection::Nez)),
    ("sync.eqz", Form::Leave(Some(Kind::SYNC), Selection::Eqz)),
    ("brk", Form::Leave(Some(Kind::BREAK), Selection::All)),
    ("brk.nez", Form::Leave(Some(Kind::BREAK), Selection::Nez)),
    ("brk.eqz", Form::Leave(Some(Kind::BREAK), Selection::Eqz)),
    ("cont", Form::Leave(Some(Kind::CONTINUE), Selection::All)),
    ("cont.nez", Form::Leave(Some(Kind::CONTINUE), Selection::Nez)),
    ("cont.eqz", Form::Leave(Some(Kind::CONTINUE), Selection::Eqz)),
    ("longjmp", Form::Leave(Some(Kind::LONGJMP), Selection::All)),
    ("longjmp.nez", Form::Leave(Some(Kind::LONGJMP), Selection::Nez)),
    ("longjmp.eqz", Form::Leave(Some(Kind::LONGJMP), Selection::Eqz)),
    ("lpexit", Form::Leave(Some(Kind::PEXIT), Selection::All)),
    ("lpexit.nez", Form::Leave(Some(Kind::PEXIT), Selection::Nez)),
    ("lpexit.eqz", Form::Leave(Some(Kind::PEXIT), Selection::Eqz)),
    ("leave.r", Form::LeaveIndirect), ("wret", Form::WarpReturn),
    ("yield", Form::Plain(Instr::Yield)), ("exit", Form::Plain(Instr::Exit)),
    ("bar.top", Form::Barrier(BarrierOp::Top { word: 1 })),
    ("bar.top.nez", Form::Barrier(BarrierOp::TopNez { rs1: 0, word: 0 })),
    ("bar.sync", Form::Barrier(BarrierOp::Top { word: 0 })),
    ("bar.bot", Form::Barrier(BarrierOp::Bottom)), ("bar.bot.nb", Form::Barrier(BarrierOp::BottomNb)),
    ("bar.reset", Form::Barrier(BarrierOp::Reset)),
    ("bar.arrive", Form::Barrier(BarrierOp::Arrive { word: 0 })),
    ("bar.wait", Form::Barrier(BarrierOp::Wait { rs1: 0 })),
    ("subv.start", Form::SubVector { auto: false }), ("subv.auto", Form::SubVector { auto: true }),
    ("mand", Form::MaskLogic(MaskOp::And)), ("mand.save", Form::MaskSave(MaskOp::And)),
    ("mor", Form::MaskLogic(MaskOp::Or)), ("mor.save", Form::MaskSave(MaskOp::Or)),
    ("mxor", Form::MaskLogic(MaskOp::Xor)), ("mxor.save", Form::MaskSave(MaskOp::Xor)),
    ("mandn", Form::MaskLogic(MaskOp::Andn)), ("mandn.save", Form::MaskSave(MaskOp::Andn)),
    ("mnand", Form::MaskLogic(MaskOp::Nand)), ("mnand.save", Form::MaskSave(MaskOp::Nand)),
    ("mnor", Form::MaskLogic(MaskOp::Nor)), ("mnor.save", Form::MaskSave(MaskOp::Nor)),
    ("mxnor", Form::MaskLogic(MaskOp::Xnor)), ("mxnor.save", Form::MaskSave(MaskOp::Xnor)),
    ("morn", Form::MaskLogic(MaskOp::Orn)), ("morn.save", Form::MaskSave(MaskOp::Orn)),
    ("mmov", Form::MaskUnary(MaskOp::Or)), ("mnot", Form::MaskUnary(MaskOp::Nor)),
    ("mclr", Form::MaskConstant(MaskOp::Xor)), ("mones", Form::MaskConstant(MaskOp::Xnor)),
    ("mrestore", Form::MaskRestore), ("mset", Form::MaskSet),
    ("mput", Form::MaskPut { high: false }), ("mputh", Form::MaskPut { high: true }),
    ("mget", Form::MaskGet { high: false }), ("mgeth", Form::MaskGet { high: true }),
    ("mpop", Form::MaskCount), ("mfirst", Form::MaskFirst), ("mscc", Form::MaskCondition),
    ("mbz", Form::MaskBranch(MaskCond::Zero)), ("mbnz", Form::MaskBranch(MaskCond::NonZero)),
    ("mbo", Form::MaskBranch(MaskCond::Ones)), ("mbno", Form::MaskBranch(MaskCond::NotOnes)),
    ("mpred", Form::MaskPredicate),
];

/// Acquire and release bits of an AMO mnemonic.
#[derive(Clone, Copy, Default)]
struct Ordering {
    aq: bool,
    rl: bool,
}

/// Reads the operands of a mnemonic, up to the end of the statement.
///
/// # Errors
/// An unknown mnemonic (with the nearest known one), a missing or wrong operand.
pub(super) fn instruction(name: &str, span: Span, cursor: &mut Cursor) -> Result<Item, Fault> {
    let (form, ordering) = lookup(name).ok_or_else(|| unknown(name, span))?;
    let item = Operands { cursor, span }.item(form, ordering)?;
    cursor.end()?;
    Ok(item)
}

fn lookup(name: &str) -> Option<(Form, Ordering)> {
    let plain = |name| {
        let own = MNEMONICS.iter().find(|&&(known, _)| known == name);
        let float = || float::mnemonics().find(|&(known, _)| known == name);
        own.map(|&(_, form)| form)
            .or_else(|| float().map(|(_, form)| Form::Float(form)))
    };
    if let Some(form) = plain(name) {
        return Some((form, Ordering::default()));
    }
    let (base, suffix) = name.rsplit_once('.')?;
    let ordering = match suffix {
        "aq" => Ordering {
            aq: true,
            rl: false,
        },
        "rl" => Ordering {
            aq: false,
            rl: true,
        },
        "aqrl" => Ordering { aq: true, rl: true },
        _ => return None,
    };
    let atomic = |form: &Form| {
        matches!(
            form,
            Form::LoadReserved | Form::StoreConditional | Form::Amo(_)
        )
    };
    Some((plain(base).filter(atomic)?, ordering))
}

fn unknown(name: &str, span: Span) -> Fault {
    let known = MNEMONICS.iter().map(|&(known, _)| known);
    let known = known.chain(float::mnemonics().map(|(known, _)| known));
    let help = if name.starts_with("c.") {
        Some("there are no compressed instructions: compile with -march=rv32ima_zicsr".into())
    } else {
        closest(name, known).map(|near| format!("did you mean `{near}`?"))
    };
    Fault::new(span, format!("unknown instruction `{name}`")).maybe_help(help)
}

/// Operand reader of one instruction; `span` is its mnemonic.
struct Operands<'a, 'b> {
    cursor: &'a mut Cursor<'b>,
    span: Span,
}

impl Operands<'_, '_> {
    fn item(&mut self, form: Form, ordering: Ordering) -> Result<Item, Fault> {
        match form {
            Form::Register(op) => self.register_op(op),
            Form::Immediate(op) => self.immediate_op(op),
            Form::Multiply(op) => {
                let (rd, rs1, rs2) = self.three_registers()?;
                self.one(Instr::Mul { op, rd, rs1, rs2 })
            }
            Form::Float(form) => {
                let instr = float::instruction(form, self.cursor)?;
                self.one(instr)
            }
            Form::Swapped(op) => {
                let (rd, rs2, rs1) = self.three_registers()?;
                self.one(Instr::Op { op, rd, rs1, rs2 })
            }
            Form::Load(width) => self.load(width),
            Form::Store(width) => self.store(width),
            Form::Branch { cond, swapped } => self.branch(cond, swapped),
            Form::BranchZero { cond, zero_first } => {
                let register = self.cursor.register_then_comma()?;
                let (rs1, rs2) = if zero_first {
                    (0, register)
                } else {
                    (register, 0)
                };
                Ok(Item::Branch {
                    cond,
                    rs1,
                    rs2,
                    target: self.cursor.expr()?,
                })
            }
            Form::Lui => self.upper(|rd| Instr::Lui { rd, imm: 0 }),
            Form::Auipc => self.upper(|rd| Instr::Auipc { rd, imm: 0 }),
            Form::Jal => {
                let rd = self.cursor.link_register().unwrap_or(1);
                self.targeted(Instr::Jal { rd, offset: 0 }, Field::J)
            }
            Form::Jump => self.targeted(Instr::Jal { rd: 0, offset: 0 }, Field::J),
            Form::Jalr => self.jalr(),
            Form::JumpRegister => self.jump_register(),
            Form::Call { link, scratch } => self.call(link, scratch),
            Form::FarJump => {
                let target = self.cursor.expr()?;
                self.cursor.comma()?;
                Ok(Item::Call {
                    link: 0,
                    scratch: self.cursor.register()?,
                    target,
                })
            }
            Form::LoadImmediate => self.load_immediate(),
            Form::LoadAddress => self.load_address(),
            Form::Unary(op) => self.unary(op),
            Form::Csr { op, immediate } => {
                let rd = self.cursor.register_then_comma()?;
                self.csr_access(op, rd, immediate)
            }
            Form::CsrNoResult { op, immediate } => self.csr_access(op, 0, immediate),
            Form::CsrRead => {
                let rd = self.cursor.register_then_comma()?;
                let csr = self.cursor.csr()?;
                self.one(Instr::Csr {
                    op: CsrOp::Set,
                    rd,
                    csr,
                    src: CsrSrc::Reg(0),
                })
            }
            Form::ReadCounter(csr) => {
                let rd = self.cursor.register()?;
                self.one(Instr::Csr {
                    op: CsrOp::Set,
                    rd,
                    csr,
                    src: CsrSrc::Reg(0),
                })
            }
            Form::Fence => self.fence(),
            Form::Plain(instr) => self.one(instr),
            Form::LoadReserved => {
                let rd = self.cursor.register_then_comma()?;
                let rs1 = self.cursor.address_register()?;
                self.one(Instr::LoadReserved {
                    rd,
                    rs1,
                    aq: ordering.aq,
                    rl: ordering.rl,
                })
            }
            Form::StoreConditional => {
                let (rd, rs2, rs1) = self.atomic()?;
                let Ordering { aq, rl } = ordering;
                self.one(Instr::StoreConditional {
                    rd,
                    rs1,
                    rs2,
                    aq,
                    rl,
                })
            }
            Form::Amo(op) => {
                let (rd, rs2, rs1) = self.atomic()?;
                let Ordering { aq, rl } = ordering;
                self.one(Instr::Amo {
                    op,
                    rd,
                    rs1,
                    rs2,
                    aq,
                    rl,
                })
            }
            Form::Push(kind) => {
                let kind = self.kind(kind)?;
                self.targeted(Instr::Push { kind, offset: 0 }, Field::J)
            }
            Form::Leave(kind, selection) => self.leave(kind, selection),
            Form::LeaveIndirect => {
                let kind = self.kind(None)?;
                let (offset, rs1) = self.cursor.offset_and_register()?;
                self.filled(
                    Instr::LeaveIndirect {
                        kind,
                        rs1,
                        offset: 0,
                    },
                    Field::I,
                    offset,
                )
            }
            Form::Barrier(op) => self.barrier(op),
            Form::SubVector { auto } => {
                self.targeted(Instr::SubVector { auto, offset: 0 }, Field::J)
            }
            Form::MaskBranch(cond) => self.mask_branch(cond),
            Form::MaskLogic(_)
            | Form::MaskSave(_)
            | Form::MaskUnary(_)
            | Form::MaskConstant(_)
            | Form::MaskRestore
            | Form::MaskSet
            | Form::MaskPut { .. }
            | Form::MaskGet { .. }
            | Form::MaskCount
            | Form::MaskFirst
            | Form::MaskCondition
            | Form::MaskPredicate => {
                let instr = self.mask_instruction(form)?;
                self.one(Instr::Mask(instr))
            }
            Form::WarpReturn => {
                let rs1 = self.cursor.register()?;
                self.one(Instr::LeaveIndirect {
                    kind: Kind::CALL,
                    rs1,
                    offset: 0,
                })
            }
        }
    }

    /// A mask instruction without a target.
    fn mask_instruction(&mut self, form: Form) -> Result<MaskInstr, Fault> {
        let cursor = &mut *self.cursor;
        Ok(match form {
            Form::MaskLogic(op) => {
                let (md, ma) = (cursor.mask_then_comma()?, cursor.mask_then_comma()?);
                let mb = cursor.mask()?;
                MaskInstr::Logic { op, md, ma, mb }
            }
            Form::MaskSave(op) => {
                let md = cursor.mask_then_comma()?;
                let ms = cursor.mask()?;
                MaskInstr::Save { op, md, ms }
            }
            Form::MaskUnary(op) => {
                let md = cursor.mask_then_comma()?;
                let ms = cursor.mask()?;
                MaskInstr::Logic {
                    op,
                    md,
                    ma: ms,
                    mb: ms,
                }
            }
            Form::MaskConstant(op) => {
                let md = cursor.mask()?;
                MaskInstr::Logic {
                    op,
                    md,
                    ma: md,
                    mb: md,
                }
            }
            Form::MaskRestore => MaskInstr::Logic {
                op: MaskOp::Or,
                md: Mask::EXEC,
                ma: Mask::EXEC,
                mb: cursor.mask()?,
            },
            Form::MaskSet => {
                let md = cursor.mask_then_comma()?;
                let rs1 = cursor.register()?;
                MaskInstr::Set { md, rs1 }
            }
            Form::MaskPut { high } => {
                let md = cursor.mask_then_comma()?;
                let rs1 = cursor.register()?;
                MaskInstr::Put { md, rs1, high }
            }
            Form::MaskPredicate => {
                let ms = cursor.mask_then_comma()?;
                let count = cursor.constant_in("the length of a predicated block", 8)? as u8;
                MaskInstr::Predicate { ms, count }
            }
            Form::MaskCondition => MaskInstr::Condition {
                rd: cursor.register()?,
            },
            _ => {
                let rd = cursor.register_then_comma()?;
                let ms = cursor.mask()?;
                match form {
                    Form::MaskCount => MaskInstr::Count { rd, ms },
                    Form::MaskFirst => MaskInstr::First { rd, ms },
                    _ => MaskInstr::Get {
                        rd,
                        ms,
                        high: matches!(form, Form::MaskGet { high: true }),
                    },
                }
            }
        })
    }

    fn mask_branch(&mut self, cond: MaskCond) -> Result<Item, Fault> {
        let on_condition = match cond {
            MaskCond::Zero => self.cursor.take_word("scc").then_some(false),
            MaskCond::NonZero => self.cursor.take_word("scc").then_some(true),
            MaskCond::Ones | MaskCond::NotOnes => None,
        };
        let instr = match on_condition {
            Some(value) => MaskInstr::BranchCondition { value, offset: 0 },
            None => MaskInstr::Branch {
                cond,
                ms: self.cursor.mask()?,
                offset: 0,
            },
        };
        self.cursor.comma()?;
        self.targeted(Instr::Mask(instr), Field::B)
    }

    fn word(&self, instr: Instr) -> Result<u32, Fault> {
        self.encoded(encode(instr))
    }

    fn encoded(&self, word: Result<u32, EncodeError>) -> Result<u32, Fault> {
        word.map_err(|error| Fault::new(self.span, error.to_string()))
    }

    fn slot(&self, instr: Instr) -> Result<Slot, Fault> {
        Ok(Slot {
            word: self.word(instr)?,
            field: None,
        })
    }

    fn filled_slot(&self, instr: Instr, field: Field, value: Expr) -> Result<Slot, Fault> {
        Ok(Slot {
            word: self.word(instr)?,
            field: Some((field, value)),
        })
    }

    fn one(&self, instr: Instr) -> Result<Item, Fault> {
        Ok(Item::Code(vec![self.slot(instr)?]))
    }

    fn filled(&self, instr: Instr, field: Field, value: Expr) -> Result<Item, Fault> {
        Ok(Item::Code(vec![self.filled_slot(instr, field, value)?]))
    }

    /// Reads the target and fills it in.
    fn targeted(&mut self, instr: Instr, field: Field) -> Result<Item, Fault> {
        let target = self.cursor.expr()?;
        self.filled(instr, field, target)
    }

    fn two_registers(&mut self) -> Result<(u8, u8), Fault> {
        Ok((self.cursor.register_then_comma()?, self.cursor.register()?))
    }

    fn three_registers(&mut self) -> Result<(u8, u8, u8), Fault> {
        let first = self.cursor.register_then_comma()?;
        let (second, third) = self.two_registers()?;
        Ok((first, second, third))
    }

    /// `rd, rs2, (rs1)`
    fn atomic(&mut self) -> Result<(u8, u8, u8), Fault> {
        let rd = self.cursor.register_then_comma()?;
        let rs2 = self.cursor.register_then_comma()?;
        Ok((rd, rs2, self.cursor.address_register()?))
    }

    fn register_op(&mut self, op: AluOp) -> Result<Item, Fault> {
        let rd = self.cursor.register_then_comma()?;
        let rs1 = self.cursor.register_then_comma()?;
        if self.cursor.is_register() {
            let rs2 = self.cursor.register()?;
            // `add rd, rs1, tp, %tprel_add(symbol)` is not part of this subset.
            return self.one(Instr::Op { op, rd, rs1, rs2 });
        }
        if op == AluOp::Sub {
            return Err(self.cursor.unexpected("a register"));
        }
        self.immediate(op, rd, rs1)
    }

    fn immediate_op(&mut self, op: AluOp) -> Result<Item, Fault> {
        let rd = self.cursor.register_then_comma()?;
        let rs1 = self.cursor.register_then_comma()?;
        self.immediate(op, rd, rs1)
    }

    fn immediate(&mut self, op: AluOp, rd: u8, rs1: u8) -> Result<Item, Fault> {
        if self.cursor.is_register() {
            return Err(self.cursor.unexpected("an immediate"));
        }
        let field = match op {
            AluOp::Sll | AluOp::Srl | AluOp::Sra => Field::Shift,
            _ => Field::I,
        };
        let value = self.cursor.expr()?;
        self.filled(
            Instr::OpImm {
                op,
                rd,
                rs1,
                imm: 0,
            },
            field,
            value,
        )
    }

    /// `auipc register, %pcrel_hi(target)`: the first half of an absolute access.
    fn address_high(&self, register: u8, target: &Expr) -> Result<Slot, Fault> {
        let high = target.clone().relocated(Relocation::PcrelHi);
        self.filled_slot(
            Instr::Auipc {
                rd: register,
                imm: 0,
            },
            Field::U,
            high,
        )
    }

    fn load(&mut self, width: LoadWidth) -> Result<Item, Fault> {
        let rd = self.cursor.register_then_comma()?;
        let load = |rs1| Instr::Load {
            width,
            rd,
            rs1,
            offset: 0,
        };
        match self.cursor.memory()? {
            (offset, Some(rs1)) => self.filled(load(rs1), Field::I, offset),
            (symbol, None) => {
                let high = self.address_high(rd, &symbol)?;
                let low = self.filled_slot(load(rd), Field::I, symbol.low_of_distance())?;
                Ok(Item::Code(vec![high, low]))
            }
        }
    }

    /// `rs2, offset(rs1)` or `rs2, symbol, scratch`
    fn store(&mut self, width: StoreWidth) -> Result<Item, Fault> {
        let rs2 = self.cursor.register_then_comma()?;
        let store = |rs1| Instr::Store {
            width,
            rs1,
            rs2,
            offset: 0,
        };
        match self.cursor.memory()? {
            (offset, Some(rs1)) => self.filled(store(rs1), Field::S, offset),
            (symbol, None) => {
                let scratch = match self.cursor.take(',') {
                    true => self.cursor.register()?,
                    false => {
                        return Err(self.cursor.unexpected("`(` and the address register").help(
                            "a store to a symbol needs a scratch register: sw a0, symbol, t0",
                        ))
                    }
                };
                let high = self.address_high(scratch, &symbol)?;
                let low = self.filled_slot(store(scratch), Field::S, symbol.low_of_distance())?;
                Ok(Item::Code(vec![high, low]))
            }
        }
    }

    fn branch(&mut self, cond: BranchCond, swapped: bool) -> Result<Item, Fault> {
        let first = self.cursor.register_then_comma()?;
        let second = self.cursor.register_then_comma()?;
        let (rs1, rs2) = if swapped {
            (second, first)
        } else {
            (first, second)
        };
        Ok(Item::Branch {
            cond,
            rs1,
            rs2,
            target: self.cursor.expr()?,
        })
    }

    fn upper(&mut self, instr: impl Fn(u8) -> Instr) -> Result<Item, Fault> {
        let rd = self.cursor.register_then_comma()?;
        let value = self.cursor.expr()?;
        self.filled(instr(rd), Field::U, value)
    }

    /// `rs1`, `rd, rs1`, `rd, rs1, offset`, `offset(rs1)` or `rd, offset(rs1)`
    fn jalr(&mut self) -> Result<Item, Fault> {
        if !self.cursor.is_register() {
            return self.jump_indirect(1);
        }
        let first = self.cursor.register()?;
        if !self.cursor.take(',') {
            return self.one(Instr::Jalr {
                rd: 1,
                rs1: first,
                offset: 0,
            });
        }
        self.jump_indirect(first)
    }

    fn jump_register(&mut self) -> Result<Item, Fault> {
        self.jump_indirect(0)
    }

    /// `rs1`, `rs1, offset` or `offset(rs1)`
    fn jump_indirect(&mut self, rd: u8) -> Result<Item, Fault> {
        let jump = |rs1| Instr::Jalr { rd, rs1, offset: 0 };
        if !self.cursor.is_register() {
            let (offset, rs1) = self.cursor.offset_and_register()?;
            return self.filled(jump(rs1), Field::I, offset);
        }
        let rs1 = self.cursor.register()?;
        if self.cursor.take(',') {
            let offset = self.cursor.expr()?;
            return self.filled(jump(rs1), Field::I, offset);
        }
        self.one(jump(rs1))
    }

    /// `symbol`, or `rd, symbol` for another link register.
    fn call(&mut self, link: u8, scratch: u8) -> Result<Item, Fault> {
        let other = (link != 0).then(|| self.cursor.link_register()).flatten();
        let (link, scratch) = other.map_or((link, scratch), |register| (register, register));
        Ok(Item::Call {
            link,
            scratch,
            target: self.cursor.expr()?,
        })
    }

    fn load_immediate(&mut self) -> Result<Item, Fault> {
        let rd = self.cursor.register_then_comma()?;
        if self.cursor.is_register() {
            let fault = self.cursor.unexpected("a constant");
            return Err(fault.help("mv copies a register"));
        }
        let value = self.cursor.expr()?;
        let add = |rs1| Instr::OpImm {
            op: AluOp::Add,
            rd,
            rs1,
            imm: 0,
        };
        let lui = Instr::Lui { rd, imm: 0 };
        let constant = self.cursor.constant_value(&value);
        let (high, low) = match constant.map(|value| fits_word(&value).then_some(value)) {
            Some(None) => return Err(Fault::new(value.span, "this does not fit 32 bits")),
            Some(Some(value)) => {
                let value = i128::from(value as u32 as i32);
                (high_part(value), low_part(value))
            }
            // An address: both halves, whatever their values turn out to be.
            None => (1, 1),
        };
        let (upper, lower) = (
            value.clone().relocated(Relocation::Hi),
            value.relocated(Relocation::Lo),
        );
        Ok(Item::Code(match (high, low) {
            (0, _) => vec![self.filled_slot(add(0), Field::I, lower)?],
            (_, 0) => vec![self.filled_slot(lui, Field::U, upper)?],
            _ => vec![
                self.filled_slot(lui, Field::U, upper)?,
                self.filled_slot(add(rd), Field::I, lower)?,
            ],
        }))
    }

    fn load_address(&mut self) -> Result<Item, Fault> {
        let rd = self.cursor.register_then_comma()?;
        let symbol = self.cursor.expr()?;
        let high = self.address_high(rd, &symbol)?;
        let add = Instr::OpImm {
            op: AluOp::Add,
            rd,
            rs1: rd,
            imm: 0,
        };
        let low = self.filled_slot(add, Field::I, symbol.low_of_distance())?;
        Ok(Item::Code(vec![high, low]))
    }

    fn unary(&mut self, op: Unary) -> Result<Item, Fault> {
        let (rd, rs) = self.two_registers()?;
        let immediate = |op, imm| Instr::OpImm {
            op,
            rd,
            rs1: rs,
            imm,
        };
        self.one(match op {
            Unary::Mv => immediate(AluOp::Add, 0),
            Unary::Not => immediate(AluOp::Xor, -1),
            Unary::Neg => Instr::Op {
                op: AluOp::Sub,
                rd,
                rs1: 0,
                rs2: rs,
            },
            Unary::Seqz => immediate(AluOp::Sltu, 1),
            Unary::Snez => Instr::Op {
                op: AluOp::Sltu,
                rd,
                rs1: 0,
                rs2: rs,
            },
            Unary::Sltz => Instr::Op {
                op: AluOp::Slt,
                rd,
                rs1: rs,
                rs2: 0,
            },
            Unary::Sgtz => Instr::Op {
                op: AluOp::Slt,
                rd,
                rs1: 0,
                rs2: rs,
            },
            Unary::ZextB => immediate(AluOp::And, 0xFF),
            Unary::Extend { right, bits } => {
                let left = self.slot(immediate(AluOp::Sll, bits))?;
                let right = self.slot(Instr::OpImm {
                    op: right,
                    rd,
                    rs1: rd,
                    imm: bits,
                })?;
                return Ok(Item::Code(vec![left, right]));
            }
        })
    }

    /// `csr, rs1` or `csr, immediate`
    fn csr_access(&mut self, op: CsrOp, rd: u8, immediate: bool) -> Result<Item, Fault> {
        let csr = self.cursor.csr()?;
        self.cursor.comma()?;
        let src = if immediate || !self.cursor.is_register() {
            CsrSrc::Imm(self.cursor.constant_in("a CSR immediate", 31)? as u8)
        } else {
            CsrSrc::Reg(self.cursor.register()?)
        };
        self.one(Instr::Csr { op, rd, csr, src })
    }

    fn fence(&mut self) -> Result<Item, Fault> {
        if self.cursor.at_end() {
            return self.one(Instr::Fence { fields: 0x0FF });
        }
        let before = self.cursor.fence_set()?;
        self.cursor.comma()?;
        let fields = before << 4 | self.cursor.fence_set()?;
        self.one(Instr::Fence { fields })
    }

    /// The kind that the mnemonic names, or the first operand.
    fn kind(&mut self, named: Option<Kind>) -> Result<Kind, Fault> {
        match named {
            Some(kind) => Ok(kind),
            None => {
                let kind = self.cursor.kind()?;
                self.cursor.comma()?;
                Ok(kind)
            }
        }
    }

    fn barrier(&mut self, op: BarrierOp) -> Result<Item, Fault> {
        let id = self.cursor.constant_in("a barrier", LAST_BARRIER.into())? as u8;
        let mut register = || {
            self.cursor.comma()?;
            self.cursor.register()
        };
        let op = match op {
            BarrierOp::Top { word: 0 }
            | BarrierOp::Bottom
            | BarrierOp::BottomNb
            | BarrierOp::Reset => op,
            BarrierOp::Top { .. } => BarrierOp::Top { word: register()? },
            BarrierOp::TopNez { .. } => BarrierOp::TopNez {
                rs1: register()?,
                word: register()?,
            },
            BarrierOp::Arrive { .. } => BarrierOp::Arrive { word: register()? },
            BarrierOp::Wait { .. } => BarrierOp::Wait { rs1: register()? },
        };
        self.one(Instr::Barrier { id, op })
    }

    fn leave(&mut self, named: Option<Kind>, selection: Selection) -> Result<Item, Fault> {
        let kind = self.kind(named)?;
        let cond = match selection {
            Selection::All => LeaveCond::Always,
            Selection::Nez => LeaveCond::Nez(self.cursor.register_then_comma()?),
            Selection::Eqz => LeaveCond::Eqz(self.cursor.register_then_comma()?),
        };
        self.targeted(
            Instr::Leave {
                kind,
                cond,
                offset: 0,
            },
            Field::B,
        )
    }
}

/// Values that 32 bits hold, signed or unsigned.
pub(super) fn fits_word(value: &i128) -> bool {
    (-(1i128 << 31)..1i128 << 32).contains(value)
}

/// `.insn`: a raw word, or a format with its fields.
///
/// # Errors
/// An unknown format or opcode name, a missing or wrong operand.
pub(super) fn raw_instruction(span: Span, cursor: &mut Cursor) -> Result<Item, Fault> {
    let item = Operands { cursor, span }.raw()?;
    cursor.end()?;
    Ok(item)
}

/// Names that GNU as gives to major opcodes.
#[rustfmt::skip]
const OPCODE_NAMES: [(&str, u32); 21] = [
    ("LOAD", opcode::LOAD), ("OP_FP", opcode::OP_FP), ("MADD", opcode::MADD), ("MSUB", opcode::MSUB),
    ("NMSUB", opcode::NMSUB), ("NMADD", opcode::NMADD), ("CUSTOM_0", opcode::CUSTOM_0), ("MISC_MEM", opcode::MISC_MEM),
    ("OP_IMM", opcode::OP_IMM), ("AUIPC", opcode::AUIPC), ("STORE", opcode::STORE),
    ("CUSTOM_1", opcode::CUSTOM_1), ("AMO", opcode::AMO), ("OP", opcode::OP),
    ("LUI", opcode::LUI), ("CUSTOM_2", opcode::CUSTOM_2), ("BRANCH", opcode::BRANCH),
    ("CUSTOM_3", opcode::CUSTOM_3),
    ("JALR", opcode::JALR), ("JAL", opcode::JAL), ("SYSTEM", opcode::SYSTEM),
];

impl Operands<'_, '_> {
    fn raw(&mut self) -> Result<Item, Fault> {
        let format = match self.cursor.word("a format") {
            Ok((format, _)) => format,
            Err(_) => return self.raw_word(),
        };
        match format {
            "r" | "R" => self.raw_r(),
            "i" | "I" => self.raw_i(),
            "s" | "S" => self.raw_s(),
            "b" | "B" | "sb" | "SB" => self.raw_b(),
            "u" | "U" => {
                let (opcode, rd) = self.opcode_and_rd()?;
                self.raw_filled(opcode | rd, Field::U)
            }
            "j" | "J" | "uj" | "UJ" => {
                let (opcode, rd) = self.opcode_and_rd()?;
                self.raw_filled(opcode | rd, Field::J)
            }
            _ => Err(
                Fault::new(self.span, format!("unknown .insn format `{format}`"))
                    .help("formats are r, i, s, b, u and j, or one 32-bit number"),
            ),
        }
    }

    /// `.insn word` or `.insn 4, word`
    fn raw_word(&mut self) -> Result<Item, Fault> {
        let first = self.cursor.expr()?;
        let value = if self.cursor.take(',') {
            if self.cursor.constant_value(&first) != Some(4) {
                return Err(Fault::new(first.span, "instructions are 4 bytes long"));
            }
            self.cursor.expr()?
        } else {
            first
        };
        Ok(Item::Code(vec![Slot {
            word: 0,
            field: Some((Field::Word, value)),
        }]))
    }

    fn raw_opcode(&mut self) -> Result<u32, Fault> {
        let span = self.cursor.span();
        if let Ok((name, _)) = self.cursor.word("an opcode") {
            let named = OPCODE_NAMES.iter().find(|&&(known, _)| known == name);
            let (_, opcode) =
                named.ok_or_else(|| Fault::new(span, format!("unknown opcode name `{name}`")))?;
            self.cursor.comma()?;
            return Ok(*opcode);
        }
        let opcode = self.cursor.constant_in("an opcode", 0x7F)? as u32;
        if opcode & 3 != 3 {
            return Err(Fault::new(
                span,
                "the two low bits of a 32-bit instruction's opcode are 11",
            ));
        }
        self.cursor.comma()?;
        Ok(opcode)
    }

    fn raw_funct(&mut self, what: &str, max: i128) -> Result<u32, Fault> {
        let value = self.cursor.constant_in(what, max)? as u32;
        self.cursor.comma()?;
        Ok(value)
    }

    fn opcode_and_rd(&mut self) -> Result<(u32, u32), Fault> {
        let opcode = self.raw_opcode()?;
        let rd = self.cursor.register_then_comma()?;
        Ok((opcode, self.encoded(rd_field(rd))?))
    }

    fn raw_filled(&mut self, word: u32, field: Field) -> Result<Item, Fault> {
        let value = self.cursor.expr()?;
        Ok(Item::Code(vec![Slot {
            word,
            field: Some((field, value)),
        }]))
    }

    /// `opcode, funct3, funct7, rd, rs1, rs2`
    fn raw_r(&mut self) -> Result<Item, Fault> {
        let opcode = self.raw_opcode()?;
        let funct3 = self.raw_funct("funct3", 7)?;
        let funct7 = self.raw_funct("funct7", 0x7F)?;
        let (rd, rs1, rs2) = self.three_registers()?;
        let word = self.encoded(r_type(opcode, funct3, funct7, rd, rs1, rs2))?;
        Ok(Item::Code(vec![Slot { word, field: None }]))
    }

    /// `opcode, funct3, rd, rs1, imm` or `opcode, funct3, rd, imm(rs1)`
    fn raw_i(&mut self) -> Result<Item, Fault> {
        let opcode = self.raw_opcode()?;
        let funct3 = self.raw_funct("funct3", 7)?;
        let rd = self.cursor.register_then_comma()?;
        let (rs1, imm) = if self.cursor.is_register() {
            (self.cursor.register_then_comma()?, self.cursor.expr()?)
        } else {
            let (imm, rs1) = self.cursor.offset_and_register()?;
            (rs1, imm)
        };
        let word = self.encoded(i_type(opcode, funct3, rd, rs1, 0))?;
        Ok(Item::Code(vec![Slot {
            word,
            field: Some((Field::I, imm)),
        }]))
    }

    /// `opcode, funct3, rs2, imm(rs1)`
    fn raw_s(&mut self) -> Result<Item, Fault> {
        let opcode = self.raw_opcode()?;
        let funct3 = self.raw_funct("funct3", 7)?;
        let rs2 = self.cursor.register_then_comma()?;
        let (imm, rs1) = self.cursor.offset_and_register()?;
        let word = self.encoded(b_type(opcode, funct3, rs1, rs2))?;
        Ok(Item::Code(vec![Slot {
            word,
            field: Some((Field::S, imm)),
        }]))
    }

    /// `opcode, funct3, rs1, rs2, target`
    fn raw_b(&mut self) -> Result<Item, Fault> {
        let opcode = self.raw_opcode()?;
        let funct3 = self.raw_funct("funct3", 7)?;
        let rs1 = self.cursor.register_then_comma()?;
        let rs2 = self.cursor.register_then_comma()?;
        let word = self.encoded(b_type(opcode, funct3, rs1, rs2))?;
        self.raw_filled(word, Field::B)
    }
}
