//! One glob import for every file that holds hardware.
//!
//! The macros of rust-hdl emit unqualified paths (`logic::`, `ast::`, `block::` ...), so all of them must be in
//! scope: `use weft_rtl::prelude::*;` is enough for `#[derive(LogicBlock)]`, `#[derive(LogicStruct)]`,
//! `#[derive(LogicState)]`, `#[derive(LogicInterface)]`, `#[hdl_gen]`, `dff_setup!`, and for our own `#[module]`, `#[cell]`,
//! `#[registers]`, `#[part]`, `#[bundle]` and `#[stage_of]`.

pub use crate::kernel;
pub use rust_hdl_core::prelude::*;
pub use rust_hdl_widgets::dff_setup;
pub use rust_hdl_widgets::prelude::DFF;
pub use std::array::from_fn;
pub use weft_rtl_macros::{bundle, cell, module, part, registers, stage_of};
