//! Who runs next: the warp control. It knows no instruction set, and neither the datapath nor the memory system.
//!
//! | module | what it is |
//! |---|---|
//! | [`core`] | `weft_core`: the whole warp control, in one, two or four partitions |
//! | [`predict`] | where a warp will probably go on |
//! | [`control`] | `weft_control`: the control plane for datapaths that fetch for themselves |
//! | [`convergence`] | `weft_convergence`: per-warp state and the token deque |
//! | [`scheduler`] | `weft_scheduler`: picker, scoreboard, instruction supply |
//! | [`schedulers`] | one, two or four of them on one set of functional units |
//! | [`units`] | `weft_units`: busy model of the functional units |
//! | [`cta`] | `weft_cta`: launch and retirement of CTAs |
//! | [`barrier`] | `weft_barrier`: barriers and critical sections |

pub mod barrier;
pub mod control;
pub mod convergence;
pub mod core;
pub mod cta;
pub mod predict;
pub mod scheduler;
pub mod schedulers;
pub mod units;
