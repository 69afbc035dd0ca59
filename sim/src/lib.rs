//! Golden behavioural model of the warp-control core, and the scalar oracle.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`barrier`] | the barrier unit |
//! | [`config`] | shape and policy of a machine |
//! | [`memory`] | flat memory, reservations, typed faults |
//! | [`code`] | predecoded program text |
//! | [`lane`] | what one thread does in one instruction; no warp control |
//! | [`deque`] | the convergence tokens of one warp and their positions |
//! | [`convergence`] | the control operations of one warp, CONV-010 to CONV-100 |
//! | `mutation`, `traps` | for tests: departures from single requirements, and programs that notice them |
//! | [`fault`] | a fault and where it happened |
//! | [`issue`] | the warp scheduler and what belongs to it, cycle by cycle |
//! | [`machine`] | warps, threads and memory together: the golden model |
//! | [`oracle`] | every thread alone, without warps: what the machine must agree with |
//! | [`record`], [`trace`] | what retires, and how it is shown |
//! | [`stats`] | counters |
//!
//! The model is untimed: it has no notion of a clock or of a schedule. Whoever calls
//! [`Machine::step`] chooses the warp. Only [`issue`] has a clock; nothing else knows of it.

pub mod barrier;
pub mod code;
pub mod config;
pub mod convergence;
pub mod deque;
pub mod fault;
pub mod issue;
pub mod lane;
pub mod machine;
pub mod memory;
#[doc(hidden)]
pub mod mutation;
pub mod oracle;
pub mod record;
pub mod stats;
pub mod trace;
#[doc(hidden)]
pub mod traps;

pub use code::Code;
pub use config::{Config, ConfigError, PathPolicy};
pub use convergence::{Exception, Operation, Policy, Registers, Warp};
pub use deque::{kind_name, Deque, Token, BARRIER, DIV, EXIT, YIELD};
pub use fault::Fault;
pub use lane::{CsrView, Effect, Thread};
pub use machine::{Limits, Machine, Outcome, Served, Spinning, Stuck, Waits, Watchdog};
pub use memory::{FaultCause, Memory};
pub use mutation::Mutation;
pub use oracle::{Oracle, OracleOutcome, OracleResult};
pub use record::{Event, Record};
pub use stats::{Stats, WarpStats};
