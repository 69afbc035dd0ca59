//! What hardware and golden model share of a board's self-test.

pub mod program;
