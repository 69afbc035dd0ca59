//! The work queue: host front end, task management, and a GPU of golden machines behind them.
//!
//! | module | what it is | page |
//! | --- | --- | --- |
//! | [`registers`] | addresses, error codes, how large a GPU is | `docs/spec/host.md`, *Registers* |
//! | [`descriptor`] | a task as it stands in memory, and what can be wrong with it | `docs/spec/tasks.md` |
//! | [`front`] | channels, entries, commands, semaphores | `docs/spec/host.md` |
//! | `pending` | lists, and the table of their tasks | `docs/spec/tasks.md`, TASK-021 to TASK-025 |
//! | [`tasks`] | slots, eviction, completion, spawn ring | `docs/spec/tasks.md` |
//! | [`sms`] | what is free on the SMs, and which CTA goes where | `docs/spec/tasks.md`, TASK-055 |
//! | [`gpu`] | all of it with a memory, and machines that run the CTAs | |
//! | [`mutation`] | for tests: departures from single requirements | |
//!
//! Untimed, as the rest of the model: whoever calls chooses which channel and which task step comes next, among those
//! that the pages allow, and says when a CTA has ended.

pub mod descriptor;
pub mod front;
pub mod gpu;
#[doc(hidden)]
pub mod mutation;
mod pending;
pub mod registers;
pub mod sms;
pub mod tasks;

pub use descriptor::{Descriptor, Queue};
pub use front::{Front, Outcome, Step};
pub use gpu::Gpu;
pub use mutation::Mutation;
pub use registers::{Code, Limits, Size};
pub use tasks::{Start, TaskStep, Tasks};
