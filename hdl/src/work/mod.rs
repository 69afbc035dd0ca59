//! Who asks: what brings CTAs to the SMs.
//!
//! | module | what it is |
//! |---|---|
//! | [`launcher`] | AXI4-Lite subordinate of `weft_sm` that launches grids |
//! | [`host`] | `weft_host`: channels, entries and commands of the host |
//! | [`tasks`] | `weft_tasks`: task management and work distribution |
//! | [`windows`] | which memory the threads of a domain reach |
//! | [`cta_port`] | the SM's side of it, in place of the launcher |

pub mod cta_port;
pub mod host;
pub mod launcher;
pub mod tasks;
pub mod windows;
