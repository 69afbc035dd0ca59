//! Registers between the stages of the datapath: field `f` of stage `s` is `s_f` in Verilog.

use crate::hdl::*;

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

/// X: the pass whose operands are there.
#[registers]
pub struct ExecuteStage<
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
    pub is_level: DFF<Bit>,
    /// It is `fflags`, `frm`, `fcsr`: 1, 2, 3.
    pub float_csr: DFF<Bits<2>>,
    pub exists: DFF<Bit>,
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
    /// At the trace, too: not of INIT.
    pub shown: DFF<Bit>,
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
