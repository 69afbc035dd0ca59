//! Registers between the stages of the datapath: field `f` of stage `s` is `s_f` in Verilog.

use crate::hdl::*;

/// H, beside the oldest instruction: what the decoder and the warp's state say of it.
#[registers]
pub struct HeadStage {
    /// Of an instruction that was decoded in the cycle before; else 0 (`passes`).
    pub leader: DFF<Bits<2>>,
    pub mask: DFF<Bit>,
    pub ballot: DFF<Bit>,
    pub by_mode: DFF<Bit>,
    pub counter: DFF<Bit>,
    pub mask_kind: DFF<Bits<3>>,
    pub mask_function: DFF<Bits<4>>,
    pub mask_md: DFF<Bits<4>>,
    pub mask_ma: DFF<Bits<4>>,
    pub mask_mb: DFF<Bits<4>>,
    /// Its warp has faulted.
    pub dead: DFF<Bit>,
    /// Instructions of its predicated block that the warp has still to issue, and whether there are any.
    pub left: DFF<Bits<4>>,
    pub in_block: DFF<Bit>,
    /// The load/store unit has a place for an access, the divider for an instruction.
    pub may_access: DFF<Bit>,
    pub may_divide: DFF<Bit>,
}

/// An instruction on its way to the mask unit.
#[registers]
pub struct QuestionStage<const WI: usize, const W: usize> {
    pub valid: DFF<Bit>,
    pub warp: DFF<Bits<WI>>,
    pub kind: DFF<Bits<3>>,
    pub function: DFF<Bits<4>>,
    pub md: DFF<Bits<4>>,
    pub ma: DFF<Bits<4>>,
    pub mb: DFF<Bits<4>>,
    pub exec: DFF<Bits<W>>,
}

/// R: the pass whose rows are addressed.
#[registers]
pub struct ReadStage<const WI: usize, const W: usize, const L: usize, const PB: usize> {
    pub valid: DFF<Bit>,
    pub mode: DFF<Bits<2>>,
    pub first: DFF<Bit>,
    pub last: DFF<Bit>,
    pub part: DFF<Bits<PB>>,
    pub mask: DFF<Bits<L>>,
    pub empty: DFF<Bit>,
    pub blocked: DFF<Bit>,
    /// It goes to the multiplier.
    pub multiplies: DFF<Bit>,
    pub divides: DFF<Bit>,
    /// It goes to the float unit.
    pub floats: DFF<Bit>,
    /// It is a division or square root of the float unit.
    pub roots: DFF<Bit>,
    /// It reads the third operand for the one behind it.
    pub third: DFF<Bit>,
    pub register: DFF<Bits<5>>,
    pub warp: DFF<Bits<WI>>,
    pub pc: DFF<Bits<22>>,
    pub active: DFF<Bits<W>>,
    pub word: DFF<Bits<32>>,
    /// The warp is in no sub-vector loop (SUBV-050).
    pub regular: DFF<Bit>,
}

/// O: the pass whose rows are there.
#[registers]
pub struct OperandStage<
    const WI: usize,
    const W: usize,
    const L: usize,
    const PB: usize,
    const RA: usize,
> {
    pub valid: DFF<Bit>,
    pub mode: DFF<Bits<2>>,
    pub first: DFF<Bit>,
    pub last: DFF<Bit>,
    pub part: DFF<Bits<PB>>,
    pub mask: DFF<Bits<L>>,
    pub empty: DFF<Bit>,
    pub blocked: DFF<Bit>,
    pub divides: DFF<Bit>,
    /// It goes to the float unit.
    pub floats: DFF<Bit>,
    /// It is a division or square root of the float unit.
    pub roots: DFF<Bit>,
    /// It reads the third operand for the one behind it.
    pub third: DFF<Bit>,
    pub register: DFF<Bits<5>>,
    pub warp: DFF<Bits<WI>>,
    pub pc: DFF<Bits<22>>,
    pub active: DFF<Bits<W>>,
    pub word: DFF<Bits<32>>,
    /// The warp is in no sub-vector loop (SUBV-050).
    pub regular: DFF<Bit>,
    /// Row of the destination.
    pub row: DFF<Bits<RA>>,
    /// The word that all lanes share.
    pub scalar: DFF<Bits<32>>,
    /// The lane's number is added to it.
    pub adds_lane: DFF<Bit>,
    /// Its registers have been written since the launch (DATA-023).
    pub has_rs1: DFF<Bit>,
    pub has_rs2: DFF<Bit>,
    pub is_level: DFF<Bit>,
    /// It is `fflags`, `frm`, `fcsr`: 1, 2, 3.
    pub float_csr: DFF<Bits<2>>,
    pub exists: DFF<Bit>,
}

/// X: the pass whose operands are chosen. What is said here of an instruction is 0 in passes that do not execute it.
#[registers]
pub struct ExecuteStage<
    const WI: usize,
    const W: usize,
    const L: usize,
    const PB: usize,
    const RA: usize,
> {
    /// It reads the leader's word; it collects what the threads say.
    pub leads: DFF<Bit>,
    pub collects: DFF<Bit>,
    /// It is INIT.
    pub sets: DFF<Bit>,
    pub first: DFF<Bit>,
    pub part: DFF<Bits<PB>>,
    pub mask: DFF<Bits<L>>,
    /// The lowest thread of the mask.
    pub lowest: DFF<Bits<L>>,
    pub warp: DFF<Bits<WI>>,
    pub pc: DFF<Bits<22>>,
    pub active: DFF<Bits<W>>,
    pub word: DFF<Bits<32>>,
    pub rd: DFF<Bits<6>>,
    pub row: DFF<Bits<RA>>,
    /// The lanes' function and operands; rs2.
    pub alu: DFF<Bits<4>>,
    #[always]
    #[many(L)]
    pub a: Vec<DFF<Bits<32>>>,
    #[always]
    #[many(L)]
    pub b: Vec<DFF<Bits<32>>>,
    #[always]
    #[many(L)]
    pub second: Vec<DFF<Bits<32>>>,
    /// Its row is the link, pc + 4.
    pub links: DFF<Bit>,
    pub link: DFF<Bits<32>>,
    /// pc + immediate; or the leader's word is the target.
    pub jump: DFF<Bits<32>>,
    pub leader: DFF<Bits<2>>,
    pub condition: DFF<Bits<3>>,
    pub has_target: DFF<Bit>,
    pub is_jal: DFF<Bit>,
    pub op: DFF<Bits<4>>,
    pub kind: DFF<Bits<4>>,
    pub is_mask: DFF<Bit>,
    pub illegal: DFF<Bit>,
    pub breakpoint: DFF<Bit>,
    /// It keeps the write port; it writes its row (DATA-022).
    pub keeps: DFF<Bit>,
    pub writes: DFF<Bit>,
    /// It ends a control instruction.
    pub ends: DFF<Bit>,
    /// It is a CSR instruction that faults; the threads whose rounding mode is not known.
    pub csr_fault: DFF<Bit>,
    pub rounding: DFF<Bits<L>>,
    /// It is an access.
    pub accesses: DFF<Bit>,
    pub last: DFF<Bit>,
    pub access_op: DFF<Bits<5>>,
    pub access_size: DFF<Bits<2>>,
    pub access_signed: DFF<Bit>,
    pub access_order: DFF<Bits<2>>,
    pub regular: DFF<Bit>,
}

/// V, beside B: what the threads of a pass have said.
#[registers]
pub struct VerdictStage<const WI: usize, const W: usize, const L: usize, const PB: usize> {
    pub collects: DFF<Bit>,
    pub first: DFF<Bit>,
    pub part: DFF<Bits<PB>>,
    /// Threads that are selected; of a CSR instruction that faults the threads that may be named.
    pub taken: DFF<Bits<L>>,
    pub mask: DFF<Bits<L>>,
    pub warp: DFF<Bits<WI>>,
    pub pc: DFF<Bits<22>>,
    pub active: DFF<Bits<W>>,
    pub target: DFF<Bits<32>>,
    pub low_bad: DFF<Bit>,
    pub high_bad: DFF<Bit>,
    /// It goes there; it does if any thread is selected.
    pub goes: DFF<Bit>,
    pub goes_if_any: DFF<Bit>,
    pub ends: DFF<Bit>,
    /// What it resolves as; its mask, if that is not the threads that are selected.
    pub op: DFF<Bits<4>>,
    pub kind: DFF<Bits<4>>,
    pub id: DFF<Bits<3>>,
    pub has_own: DFF<Bit>,
    pub own: DFF<Bits<W>>,
    /// It faults whatever the threads say, and with what; if it ends; or it is a CSR instruction.
    pub faults: DFF<Bit>,
    pub csr_fault: DFF<Bit>,
    pub cause: DFF<Bits<4>>,
    pub address: DFF<Bits<32>>,
}

/// A fault that has been found here, on its way to the others of its kind.
#[registers]
pub struct FoundStage<const WI: usize, const W: usize> {
    pub valid: DFF<Bit>,
    pub warp: DFF<Bits<WI>>,
    /// The threads of which the lowest is named.
    pub threads: DFF<Bits<W>>,
    pub pc: DFF<Bits<22>>,
    pub cause: DFF<Bits<4>>,
    pub address: DFF<Bits<32>>,
}

/// A fault that the load/store unit has told.
#[registers]
pub struct ToldStage<const WI: usize> {
    pub valid: DFF<Bit>,
    pub warp: DFF<Bits<WI>>,
    pub thread: DFF<Bits<6>>,
    pub pc: DFF<Bits<22>>,
    pub number: DFF<Bits<16>>,
    pub cause: DFF<Bits<4>>,
    pub address: DFF<Bits<32>>,
}

/// M1, M2: a pass in the multiplier.
#[registers]
pub struct ProductStage<const WI: usize, const L: usize, const PB: usize, const RA: usize> {
    pub valid: DFF<Bit>,
    pub warp: DFF<Bits<WI>>,
    pub part: DFF<Bits<PB>>,
    pub rd: DFF<Bits<5>>,
    pub mask: DFF<Bits<L>>,
    pub row: DFF<Bits<RA>>,
}

/// B: a row of lanes or multiplier, to be written.
#[registers]
pub struct RowStage<const WI: usize, const L: usize, const PB: usize, const RA: usize> {
    pub valid: DFF<Bit>,
    /// At the trace, too: not of INIT. It is the first one of INIT.
    pub shown: DFF<Bit>,
    pub begins: DFF<Bit>,
    /// Of a control instruction, which may turn out to fault; for the threads that it has selected only.
    pub unsure: DFF<Bit>,
    pub grouped: DFF<Bit>,
    pub warp: DFF<Bits<WI>>,
    pub part: DFF<Bits<PB>>,
    pub rd: DFF<Bits<5>>,
    pub mask: DFF<Bits<L>>,
    pub row: DFF<Bits<RA>>,
    #[always]
    #[many(L)]
    pub data: Vec<DFF<Bits<32>>>,
}

/// W: a row of divider or load/store unit, to be written.
#[registers]
pub struct LateRowStage<const WI: usize, const L: usize, const LW: usize, const PB: usize> {
    pub valid: DFF<Bit>,
    pub warp: DFF<Bits<WI>>,
    pub part: DFF<Bits<PB>>,
    pub rd: DFF<Bits<5>>,
    pub mask: DFF<Bits<L>>,
    pub data: DFF<Bits<LW>>,
}

/// A pass at the port of the load/store unit.
#[registers]
pub struct AccessStage<const WI: usize, const L: usize, const LW: usize, const PB: usize> {
    pub valid: DFF<Bit>,
    pub warp: DFF<Bits<WI>>,
    pub part: DFF<Bits<PB>>,
    pub pc: DFF<Bits<22>>,
    pub first: DFF<Bit>,
    pub last: DFF<Bit>,
    pub op: DFF<Bits<5>>,
    pub size: DFF<Bits<2>>,
    pub signed: DFF<Bit>,
    pub order: DFF<Bits<2>>,
    pub rd: DFF<Bits<6>>,
    pub mask: DFF<Bits<L>>,
    pub address: DFF<Bits<LW>>,
    pub data: DFF<Bits<LW>>,
    pub regular: DFF<Bit>,
}

/// The level that the program sets.
#[registers]
pub struct LevelStage<const WI: usize> {
    pub valid: DFF<Bit>,
    pub warp: DFF<Bits<WI>>,
    pub level: DFF<Bits<4>>,
}

/// INIT of a warp, for the trace.
#[registers]
pub struct InitStage<const WI: usize> {
    pub valid: DFF<Bit>,
    pub warp: DFF<Bits<WI>>,
    pub first: DFF<Bits<32>>,
    pub cta: DFF<Bits<4>>,
}

/// A fault, for the trace and the launcher.
#[registers]
pub struct FaultStage<const WI: usize> {
    pub valid: DFF<Bit>,
    pub warp: DFF<Bits<WI>>,
    pub thread: DFF<Bits<6>>,
    pub pc: DFF<Bits<22>>,
    pub cause: DFF<Bits<4>>,
    pub address: DFF<Bits<32>>,
}

/// What was asked ahead of the pass: the mask unit's answer, the scheduler's counter, the selected mode.
#[registers]
pub struct AnswerStage<const W: usize> {
    pub set: DFF<Bit>,
    pub taken: DFF<Bit>,
    pub mask: DFF<Bits<W>>,
    pub word: DFF<Bits<32>>,
    pub write: DFF<Bits<W>>,
    pub counter: DFF<Bits<32>>,
    pub auto: DFF<Bit>,
}

/// An instruction of the lanes or the multiplier is done.
#[registers]
pub struct DoneStage<const WI: usize> {
    pub valid: DFF<Bit>,
    pub warp: DFF<Bits<WI>>,
    pub rd: DFF<Bits<6>>,
}
