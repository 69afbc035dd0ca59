//! Golden behavioural model of the warp-control core, and the scalar oracle.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`barrier`] | the barrier unit |
//! | [`config`] | shape and policy of a machine |
//! | [`memory`] | flat memory, reservations, typed faults |
//! | [`check`] | what a program must not do: races, reads of what nobody has written, accesses outside of objects |
//! | [`code`] | predecoded program text |
//! | [`lane`] | what one thread does in one instruction; no warp control |
//! | [`deque`] | the convergence tokens of one warp and their positions |
//! | [`convergence`] | the control operations of one warp, CONV-010 to CONV-100 |
//! | `mutation`, `traps`, `masked` | for tests: departures from single requirements, programs that notice them, random programs with masks |
//! | [`fault`] | a fault and where it happened |
//! | [`host`] | the work queue: front end, task management, a GPU of several machines |
//! | [`issue`] | the warp scheduler and what belongs to it, cycle by cycle |
//! | [`masks`] | mask registers and predicated blocks of one warp |
//! | [`machine`] | warps, threads and memory together: the golden model |
//! | [`oracle`] | every thread alone, without warps: what the machine must agree with |
//! | [`subvector`], [`cache`] | sub-vector mode: shared registers, mode selection, counted misses |
//! | [`space`], [`view`] | grids of CTAs, and what their threads see as memory, of which an SM holds lines |
//! | [`policy`] | which path first, when to yield: what the source leaves open |
//! | [`record`], [`trace`] | what retires, and how it is shown |
//! | [`timing`] | a simple clock around the machine |
//! | [`stats`] | counters |
//!
//! The model is untimed: it has no notion of a clock or of a schedule. Whoever calls
//! [`Machine::step`] chooses the warp. Only [`issue`] has a clock; nothing else knows of it.

#![forbid(unsafe_code)]

pub mod barrier;
pub mod cache;
pub mod check;
pub mod code;
pub mod config;
pub mod convergence;
pub mod deque;
mod draw;
pub mod fault;
pub mod float;
pub mod host;
pub mod issue;
pub mod lane;
pub mod machine;
#[doc(hidden)]
pub mod masked;
pub mod masks;
pub mod memory;
#[doc(hidden)]
pub mod mutation;
pub mod oracle;
pub mod policy;
pub mod record;
pub mod space;
pub mod stats;
pub mod subvector;
pub mod timing;
pub mod trace;
#[doc(hidden)]
pub mod traps;
pub mod view;

pub use cache::{Cache, CacheShape};
pub use check::Checker;
pub use code::Code;
pub use config::{Config, ConfigError, Part};
pub use convergence::{Exception, Operation, Reached, Registers, Warp};
pub use deque::{kind_name, Deque, Token, BARRIER, DIV, EXIT, MASKED, SUBV, YIELD};
pub use fault::Fault;
pub use lane::{CsrView, Effect, Thread};
pub use machine::{
    Limits, Machine, Outcome, Served, Spinning, Standing, Stuck, Turns, Waits, Watchdog,
};
pub use masks::{MaskEffect, Masks};
pub use memory::{FaultCause, Memory};
pub use mutation::Mutation;
pub use oracle::{Lonely, Met, Oracle, OracleOutcome, OracleResult};
pub use policy::{PathPolicy, Policy};
pub use record::{Event, Record};
pub use space::{Launch, Place, Windows};
pub use stats::{Stats, WarpStats};
pub use subvector::{Force, RegisterFile};
