//! How many small errors of the hardware our checks notice: mutants of the exported Verilog.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`module`], [`expression`] | the exported Verilog as statements and trees, with their places |
//! | [`rule`] | the mutants of a design by rule, and a draw of them |
//! | [`schema`] | one design with many mutants, chosen by number when a model is opened |
//! | [`units`] | the units, and the random lockstep of each |
//! | [`worker`], [`process`] | one mutant in a process of its own, with a limit |
//! | [`directed`] | the written tests on a mutant |
//! | [`marks`] | mutants that do the same, with the reason |
//! | [`source`] | which file of the hardware a module comes from |
//! | [`campaign`], [`page`] | all of it together, and `docs/mutation.md` |

#![forbid(unsafe_code)]

pub mod campaign;
pub mod directed;
pub mod expression;
pub mod marks;
pub mod module;
pub mod page;
pub mod process;
pub mod rule;
pub mod schema;
pub mod source;
pub mod units;
pub mod worker;
