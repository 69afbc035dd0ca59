//! Registers between the stages of the load/store unit: field `f` of stage `s` is `s_f` in Verilog.

use crate::hdl::*;

/// The pass that is gathered: lanes left, lanes that fault, a fault to be noted.
#[registers]
pub struct GatherStage<
    const WI: usize,
    const L: usize,
    const LW: usize,
    const LO: usize,
    const LN: usize,
    const PB: usize,
    const TI: usize,
> {
    pub valid: DFF<Bit>,
    pub fresh: DFF<Bit>,
    pub note: DFF<Bit>,
    pub warp: DFF<Bits<WI>>,
    pub part: DFF<Bits<PB>>,
    pub pc: DFF<Bits<22>>,
    pub number: DFF<Bits<16>>,
    pub first: DFF<Bit>,
    pub last: DFF<Bit>,
    pub op: DFF<Bits<5>>,
    pub size: DFF<Bits<2>>,
    pub left: DFF<Bits<L>>,
    pub bad: DFF<Bits<L>>,
    pub misaligned: DFF<Bits<L>>,
    pub on_chip: DFF<Bits<L>>,
    pub lines: DFF<Bits<LN>>,
    pub offsets: DFF<Bits<LO>>,
    pub address: DFF<Bits<LW>>,
    pub data: DFF<Bits<LW>>,
    pub regular: DFF<Bit>,
    pub order: DFF<Bits<2>>,
    /// Nothing of the instruction has been placed.
    pub begins: DFF<Bit>,
    pub slot: DFF<Bits<TI>>,
    pub leader: DFF<Bits<TI>>,
}

/// The fault of the store whose passes are gathered.
#[registers]
pub struct StoreFaultStage {
    pub bad: DFF<Bit>,
    pub thread: DFF<Bits<6>>,
    pub cause: DFF<Bits<4>>,
    pub address: DFF<Bits<32>>,
}

/// The group that is placed.
#[registers]
pub struct PlaceStage<
    const WI: usize,
    const L: usize,
    const LI: usize,
    const LW: usize,
    const LO: usize,
    const LN: usize,
    const PB: usize,
    const TI: usize,
> {
    pub valid: DFF<Bit>,
    /// For a cycle or more.
    pub stood: DFF<Bit>,
    pub warp: DFF<Bits<WI>>,
    pub part: DFF<Bits<PB>>,
    pub pc: DFF<Bits<22>>,
    pub number: DFF<Bits<16>>,
    pub last: DFF<Bit>,
    pub closes: DFF<Bit>,
    pub op: DFF<Bits<5>>,
    pub size: DFF<Bits<2>>,
    pub lanes: DFF<Bits<L>>,
    pub lead: DFF<Bits<LI>>,
    pub on_chip: DFF<Bit>,
    pub line: DFF<Bits<26>>,
    pub lines: DFF<Bits<LN>>,
    pub offsets: DFF<Bits<LO>>,
    pub address: DFF<Bits<LW>>,
    pub data: DFF<Bits<LW>>,
    pub regular: DFF<Bit>,
    pub order: DFF<Bits<2>>,
    pub begins: DFF<Bit>,
    pub slot: DFF<Bits<TI>>,
    pub bad: DFF<Bit>,
    pub bad_thread: DFF<Bits<6>>,
    pub bad_cause: DFF<Bits<4>>,
    pub bad_address: DFF<Bits<32>>,
}

/// A read on its way to the memory port.
#[registers]
pub struct ReadStage<const EI: usize> {
    pub valid: DFF<Bit>,
    pub id: DFF<Bits<EI>>,
    pub address: DFF<Bits<32>>,
    pub length: DFF<Bits<3>>,
    pub bypass: DFF<Bit>,
    pub regular: DFF<Bit>,
}

/// Accesses that take effect, for the trace.
#[registers]
pub struct EffectStage<const WI: usize, const L: usize, const LW: usize, const PB: usize> {
    pub valid: DFF<Bit>,
    pub warp: DFF<Bits<WI>>,
    pub part: DFF<Bits<PB>>,
    pub op: DFF<Bits<5>>,
    pub mask: DFF<Bits<L>>,
    pub address: DFF<Bits<LW>>,
    pub data: DFF<Bits<LW>>,
}
