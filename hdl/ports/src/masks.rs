//! The ports of `weft_masks` as plain values. Widths and meaning: `docs/spec/masks.md`.

/// An instruction at the ports `op_*`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    pub valid: bool,
    pub warp: u64,
    pub kind: u64,
    pub function: u64,
    pub md: u64,
    pub ma: u64,
    pub mb: u64,
    pub exec: u64,
    pub ballot: u64,
    pub word: u64,
}

/// The ports `result_*`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    pub valid: bool,
    pub warp: u64,
    pub illegal: bool,
    pub set: bool,
    pub mask: u64,
    pub taken: bool,
    pub word: u64,
    pub write: u64,
}
