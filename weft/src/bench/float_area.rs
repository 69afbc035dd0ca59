//! What float costs: the SM's datapath with float on no lane, on every fourth, every second and on each, mapped and not
//! placed.

use super::report::FloatArea;
use crate::cli::BenchArgs;
use crate::progress::Lines;
use crate::size::{self, Overrides};
use anyhow::{ensure, Context, Result};
use weft_generate::{Design, Unit};
use weft_synth::{Mapper, Request, Target};
use weft_toolbox::Toolbox;

/// As in `--config`, and lanes.
const SIZES: [(&str, u64); 3] = [("tiny", 4), ("compact", 4), ("small", 8)];

/// The block of the SM that has the float unit in it, and that float changes besides.
const BLOCK: &str = "datapath";

fn design(size: &str, lanes: u64, float: u64) -> Result<Design> {
    let set = [("lanes".into(), lanes), ("float".into(), float)];
    let given = Overrides {
        set: &set,
        ..Overrides::default()
    };
    Ok(size::choose(Unit::Sm, size, given)?.design)
}

/// One after the other; `done` gets each row as soon as it is there.
pub fn measure(args: &BenchArgs, done: &mut dyn FnMut(FloatArea) -> Result<()>) -> Result<()> {
    let mut designs = Vec::new();
    for (size, lanes) in SIZES {
        for float in [0, lanes / 4, lanes / 2, lanes] {
            designs.push(design(size, lanes, float)?);
        }
    }
    designs.retain(|d| args.sizes.is_empty() || args.sizes.contains(&d.config()));
    ensure!(!designs.is_empty(), "--sizes: nothing is left");
    let lines = Lines::new();
    let mut progress = |line: &str| lines.show(line);
    weft_synth::ensure_yosys(&mut progress).context("float-area: tools")?;
    let commit = Toolbox::here().commit();
    for design in designs {
        let verilog = weft_generate::verilog(&design)?;
        let text = verilog.bundle();
        let top = verilog.block(BLOCK);
        let top = top.with_context(|| format!("weft_sm has no block {BLOCK}"))?;
        let name = format!("{} {BLOCK}", size::title(&design));
        let mut request = Request::new(&name, Target::Ecp5, &text, top);
        request.mapper = Mapper::Small;
        let mapped = weft_synth::mapped(&request, &mut progress)
            .with_context(|| format!("mapping {name}"))?;
        let row = FloatArea {
            warps: design.value("warps"),
            threads: design.value("threads"),
            lanes: design.value("lanes"),
            float: design.value("float"),
            lut4: mapped.lut4,
            carry: mapped.carry,
            ff: mapped.ff,
            bram: mapped.bram,
            lutram: mapped.lutram,
            dsp: mapped.dsp,
            ns: (10.0 * mapped.ns).round() / 10.0,
            commit: commit.clone(),
        };
        println!("{}: {mapped:?}", row.name());
        done(row)?;
    }
    lines.end();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_comes_with_every_share_of_its_lanes() {
        for (size, lanes) in SIZES {
            for float in [0, lanes / 4, lanes / 2, lanes] {
                let design = design(size, lanes, float).unwrap();
                assert_eq!(design.value("lanes"), lanes as usize);
                assert_eq!(design.value("float"), float as usize);
            }
        }
        assert!(design("small", 8, 1).is_err());
    }
}
