//! Synthesis, placement and routing of generated Verilog with open tools, and checks of it.
//!
//! - [`synthesize`] measures a module: cells, flip-flops, memories and clock frequency on a Lattice ECP5 or iCE40.
//! - [`mapped`] tells its cells and its longest path by an estimate, and places nothing.
//! - [`blocks`] tells which cells belong to which block of a module.
//! - [`gates`] maps a module to gates: gate equivalents, memory bits, logic depth.
//! - [`build`] makes a bitstream for a [`Board`].
//! - [`scaling`] fits figures over sizes.
//! - [`yosys_check`] proves that there are no latches, no signals without or with two drivers, and no loops.
//! - [`memories`] tells what each memory becomes: block RAM, LUT RAM or flip-flops.
//!
//! The module is measured in a harness ([`Harness`]) that turns every path into one from register to register and keeps
//! everything alive; the harness's own cells are not in the figures. Work files stay in `target/synth/<name>`.

#![forbid(unsafe_code)]

mod apart;
mod blocks;
mod board;
mod check;
mod estimate;
mod flow;
mod gates;
mod harness;
mod mapped;
mod memory;
mod place;
mod ports;
mod report;
mod scaling;
mod target;
mod tool;

pub use blocks::{blocks, blocks_markdown, Block};
pub use board::{build, ensure_board_tools, packer, Board, BoardReport, Utilisation};
pub use check::{yosys_check, Checks};
pub use flow::{ensure_tools, ensure_yosys, synthesize, Mapper, Request};
pub use gates::{gates, gates_header, GateReport, Macro};
pub use harness::Harness;
pub use mapped::{mapped, Mapped};
pub use memory::{memories, MemoryKind, MemoryReport};
pub use ports::{ports, Direction, Port};
pub use report::{
    markdown_header, path_blocks, path_text, verilog_name, Fmax, HarnessCells, PathStep,
    SynthReport, ToolVersions,
};
pub use scaling::{scaling, scaling_header, scaling_row, Point, Scaling};
pub use target::Target;
