//! Which sizes of `weft_control` are compiled with Verilator, and the broken copies for the fault tests.

/// (warps, threads). Every entry costs C++ compile time; `Verilated` engines exist for these sizes only.
pub const SIZES: &[(usize, usize)] = &[(4, 4), (8, 8), (16, 32)];

/// The size that the fault models are made of.
pub const FAULT_SIZE: (usize, usize) = (4, 4);

/// One deliberate defect: exact replacements in the exported Verilog.
pub struct Fault {
    pub name: &'static str,
    /// What goes wrong, in words of the specification.
    pub breaks: &'static str,
    pub patches: &'static [Patch],
}

pub struct Patch {
    /// Verilog module whose text is searched.
    pub module: &'static str,
    pub find: &'static str,
    pub replace: &'static str,
    /// How often `find` must occur in that module; anything else stops the build.
    pub times: usize,
}

pub const FAULTS: &[Fault] = &[];
