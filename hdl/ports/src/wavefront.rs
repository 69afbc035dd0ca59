//! The ports of `weft_wavefront` as plain values. Widths and meaning: `docs/spec/subvector.md`.

/// The input ports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    pub reset: bool,
    pub threshold: u64,
    pub force: u64,
    pub lanes: u64,
    pub shared_from: u64,
    /// Missed; was made in regular mode.
    pub access: Option<(bool, bool)>,
    pub ask: bool,
    pub map: Option<Map>,
}

/// Registers of an instruction for one part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Map {
    pub uses: u64,
    pub subvector: bool,
    pub part: u64,
    pub base: u64,
    /// rs1, rs2, rd.
    pub registers: [u64; 3],
}

/// The output ports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// Sub-vector mode.
    pub answer: Option<bool>,
    pub decision: Option<bool>,
    /// Misuse; rows of rs1, rs2, rd.
    pub rows: Option<(u64, [u64; 3])>,
    pub warp_rows: u64,
}

/// A simulated unit: one call per cycle.
pub trait Device {
    fn cycle(&mut self, inputs: &Inputs) -> Outputs;
}
