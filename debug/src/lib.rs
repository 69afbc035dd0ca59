//! GDB on the golden model: the threads of a grid are threads of GDB (`docs/spec/debug.md`).
//!
//! | module | what it is |
//! | --- | --- |
//! | [`work`] | what is debugged: a program, and the machine for each part of its grid |
//! | [`session`] | the machine as somebody stops it: breakpoints, watchpoints, steps, a thread that goes on while all others stand |
//! | [`thread`] | who is meant |
//! | [`watch`] | which accesses of the next instruction a watchpoint is for |
//! | [`monitor`] | answers to `monitor …` |
//! | [`target`] | the session as `gdbstub` wants to see it |
//! | [`server`] | a socket, one connection after the other |
//!
//! The protocol is the crate `gdbstub`; there is none of it here.

#![forbid(unsafe_code)]

pub mod monitor;
pub mod server;
pub mod session;
pub mod target;
pub mod thread;
pub mod watch;
pub mod work;

pub use server::{End, ServerError};
pub use session::{Session, Stop};
pub use work::Work;
