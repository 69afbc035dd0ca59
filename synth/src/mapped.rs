//! A module mapped and not placed: its cells, and its longest path by an estimate.

use crate::estimate::longest_path;
use crate::flow::{map, prepare, Request};
use crate::tool;
use anyhow::{Context, Result};
use std::fs;
use weft_toolbox::Toolbox;

/// What a module comes to before it is placed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mapped {
    pub lut4: u64,
    pub carry: u64,
    pub ff: u64,
    pub bram: u64,
    pub lutram: u64,
    pub dsp: u64,
    /// Of the longest path from register to register.
    pub ns: f64,
}

/// Maps a module in its harness, once: with `Mapper::Small` for wires of 0.6 ns.
///
/// # Errors
/// Yosys is not there, or does not take the module.
pub fn mapped(request: &Request, progress: &mut dyn FnMut(&str)) -> Result<Mapped> {
    // Under this name nobody chooses between two netlists.
    const NETLIST: &str = "mapped.json";
    let toolbox = Toolbox::here();
    let yosys = tool::yosys(&toolbox)?;
    let name = format!("{}-mapped", request.name);
    let dir = tool::work_dir(&toolbox, &name, request.target.name())?;
    prepare(request, &yosys, &dir)?;
    let (_, cells) = map(request, &yosys, &dir, NETLIST, progress)?;
    let netlist = fs::read_to_string(dir.join(NETLIST));
    let own = cells.own;
    Ok(Mapped {
        lut4: own.lut4,
        carry: own.carry,
        ff: own.ff,
        bram: own.bram,
        lutram: own.lutram,
        dsp: own.dsp,
        ns: longest_path(&netlist.context(NETLIST)?)?,
    })
}
