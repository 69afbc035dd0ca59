//! Bench of the whole SM, `weft_sm` (docs/spec/sm.md): a memory behind its AXI4 port, a host at its launcher, and a
//! judge that reads its trace. Nothing of a program is executed here but by the golden machine that the trace is
//! compared with.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`ports`] | what passes through the ports in a cycle |
//! | [`memory`] | AXI4 memory with latency, back-pressure, any order and errors; rules of that port |
//! | [`host`] | AXI4-Lite host |
//! | [`shadow`] | memory as the order of the effects makes it |
//! | [`lockstep`] | the judge: every instruction, row, access, fault and barrier against the golden machine of its CTA |
//! | [`mode`] | what selects the mode of `subv.auto`, checked from the trace alone |
//! | [`session`] | an SM with all this around it, cycle by cycle |
//! | [`options`] | how everything around the SM behaves |
//! | [`report`] | what a run gives back |
//! | `verilated` | the hardware under Verilator |
//! | [`grid`] | a grid on the golden machine and on the oracle |
//! | [`cosim`] | many random programs, replay line, coverage |
//! | [`standin`] | an SM in software with faults on purpose: for tests of the judge |

pub mod cosim;
pub mod grid;
pub mod host;
pub mod lockstep;
pub mod memory;
pub mod mode;
pub mod options;
pub mod ports;
pub mod report;
pub mod session;
pub mod shadow;
#[doc(hidden)]
pub mod standin;
pub mod text;
pub mod verilated;

pub use options::SmOptions;
pub use ports::{Device, Shape};
pub use report::{SmError, SmReport};
