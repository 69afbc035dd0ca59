//! Who is meant.

/// A thread of the machine that runs now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thread {
    pub warp: usize,
    pub lane: usize,
}
