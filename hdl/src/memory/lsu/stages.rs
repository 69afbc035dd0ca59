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
    pub signed: DFF<Bit>,
    pub uses_rd: DFF<Bit>,
    pub rd: DFF<Bits<5>>,
    /// Its row begins in this cycle.
    pub opens: DFF<Bit>,
    /// Nothing of the instruction has been placed.
    pub begins: DFF<Bit>,
    pub slot: DFF<Bits<TI>>,
    pub leader: DFF<Bits<TI>>,
}

/// A launch of a warp, of the cycle before.
#[registers]
pub struct StartStage<const WI: usize> {
    pub valid: DFF<Bit>,
    pub warp: DFF<Bits<WI>>,
    pub base: DFF<Bits<32>>,
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
    /// For two cycles or more: what it has reserved is known.
    pub knows: DFF<Bit>,
    /// For a cycle or more, and nothing of its warp is under way.
    pub clear: DFF<Bit>,
    /// What it is; how it asks for its line.
    pub load: DFF<Bit>,
    pub store: DFF<Bit>,
    pub fence: DFF<Bit>,
    pub reserves: DFF<Bit>,
    pub conditional: DFF<Bit>,
    pub amo: DFF<Bit>,
    pub is_row: DFF<Bit>,
    pub kind: DFF<Bits<2>>,
    /// Its burst, in words: first beat, last beat; beats less one. From its second cycle on.
    pub first_word: DFF<Bits<4>>,
    pub end_word: DFF<Bits<4>>,
    pub burst: DFF<Bits<3>>,
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

/// What was placed in the cycle before, for those who count: rows, accesses and writes under way.
#[registers]
pub struct CountStage<const NW: usize, const WI: usize, const ES: usize, const TI: usize> {
    /// An access of a row; the last one of its pass, and what the pass is.
    pub begins: DFF<Bit>,
    pub closes_row: DFF<Bit>,
    pub closes: DFF<Bit>,
    pub slot: DFF<Bits<TI>>,
    pub warp: DFF<Bits<WI>>,
    /// A write, and whether it is an atomic's.
    pub sends: DFF<Bit>,
    pub sent_at: DFF<Bits<ES>>,
    pub is_atomic: DFF<Bit>,
    pub busy: DFF<Bit>,
    pub pc: DFF<Bits<22>>,
    pub number: DFF<Bits<16>>,
    pub thread: DFF<Bits<6>>,
    pub address: DFF<Bits<32>>,
    /// The warp of which something is under way by it.
    pub warps: DFF<Bits<NW>>,
}

/// An SC that has acted: its row. Whether words of the scratchpad come in the next cycle instead.
#[registers]
pub struct ConditionalStage<const L: usize, const TI: usize> {
    pub words_come: DFF<Bit>,
    pub valid: DFF<Bit>,
    pub failed: DFF<Bit>,
    pub lanes: DFF<Bits<L>>,
    pub slot: DFF<Bits<TI>>,
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
