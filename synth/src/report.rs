//! The figures of one synthesis.

use crate::target::Target;
use serde::{Deserialize, Serialize};

/// Highest clock frequency over the seeds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fmax {
    pub min: f64,
    pub median: f64,
    pub max: f64,
    /// One for each seed from 1 on.
    pub seeds: Vec<f64>,
}

impl Fmax {
    /// Panics without values.
    pub(crate) fn new(seeds: Vec<f64>) -> Self {
        let mut sorted = seeds.clone();
        sorted.sort_by(f64::total_cmp);
        let middle = sorted.len() / 2;
        let median = if sorted.len() % 2 == 1 {
            sorted[middle]
        } else {
            (sorted[middle - 1] + sorted[middle]) / 2.0
        };
        Self {
            min: sorted[0],
            median,
            max: sorted[sorted.len() - 1],
            seeds,
        }
    }
}

/// One step of the critical path, with the names of the Verilog as far as they have survived.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PathStep {
    /// `clk-to-q`, `routing`, `logic` or `setup`.
    pub kind: String,
    pub delay_ns: f64,
    /// The cell in which the step ends.
    pub cell: String,
    /// The net that is routed.
    pub net: Option<String>,
}

/// What was subtracted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HarnessCells {
    pub input_bits: usize,
    pub output_bits: usize,
    pub ff: u64,
    pub lut4: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolVersions {
    pub yosys: String,
    pub nextpnr: String,
}

/// Figures of one module on one target, without the harness.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SynthReport {
    /// What was measured, as the caller calls it.
    pub name: String,
    pub target: Target,
    pub part: String,
    pub top: String,
    /// Yosys's synthesis command.
    pub flow: String,
    /// LUT4 cells after mapping (Yosys).
    pub lut4: u64,
    /// Carry cells after mapping (Yosys): CCU2C of two bits, SB_CARRY of one.
    pub carry: u64,
    /// Logic cells after packing (nextpnr): TRELLIS_COMB, which counts LUTs, carries and LUT RAM; or ICESTORM_LC.
    pub comb: u64,
    pub ff: u64,
    pub bram: u64,
    /// LUT RAM cells of 16 x 4 bits.
    pub lutram: u64,
    pub dsp: u64,
    pub fmax_mhz: Fmax,
    /// That of the seed nearest to the median.
    pub critical_path: Vec<PathStep>,
    pub harness: HarnessCells,
    pub tools: ToolVersions,
    pub seconds: f64,
}

/// Head of a table of [`SynthReport::markdown_row`]s.
pub fn markdown_header() -> &'static str {
    "| unit | target | LUT4 | COMB | FF | block RAM | LUT RAM | DSP | Fmax MHz (min-max) |\n\
     | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
}

impl SynthReport {
    /// One row, without line end.
    pub fn markdown_row(&self) -> String {
        let Fmax {
            min, median, max, ..
        } = &self.fmax_mhz;
        format!(
            "| {} | {} | {} | {} | {} | {} | {} | {} | {median:.0} ({min:.0}-{max:.0}) |",
            self.name,
            self.target,
            grouped(self.lut4),
            grouped(self.comb),
            grouped(self.ff),
            self.bram,
            self.lutram,
            self.dsp,
        )
    }

    /// [`path_text`] of the critical path.
    pub fn critical_path_text(&self) -> String {
        path_text(&self.critical_path)
    }
}

/// The name in the Verilog that the mapper's name begins with: `sum.q …` for `sum.q_TRELLIS_FF_Q_DI_LUT4_Z_B`.
pub fn verilog_name(name: &str) -> String {
    let cells = [
        "_TRELLIS_",
        "_LUT4_",
        "_CCU2C_",
        "_PFUMX_",
        "_L6MUX21_",
        "_DP16KD_",
        "_SB_",
    ];
    match cells.iter().filter_map(|cell| name.find(cell)).min() {
        Some(end) if end > 0 => format!("{} …", &name[..end]),
        _ => name.into(),
    }
}

/// A path as text: one line for each net with its delay, logic in between summed up.
pub fn path_text(path: &[PathStep]) -> String {
    let mut text = String::new();
    let mut logic = 0.0;
    let mut line = |what: &str, delay: f64| {
        text.push_str(&format!("{delay:6.2} ns  {}\n", verilog_name(what)));
    };
    for step in path {
        match (&step.net, step.kind.as_str()) {
            // Within a carry chain.
            (Some(_), _) if step.delay_ns == 0.0 => {}
            (Some(net), _) => {
                line("logic", std::mem::take(&mut logic));
                line(net, step.delay_ns);
            }
            (None, "clk-to-q") => line(&format!("from {}", step.cell), step.delay_ns),
            (None, "setup") => line(
                &format!("to {}", step.cell),
                step.delay_ns + std::mem::take(&mut logic),
            ),
            (None, _) => logic += step.delay_ns,
        }
    }
    text.lines()
        .filter(|line| *line != "  0.00 ns  logic")
        .map(|line| format!("{line}\n"))
        .collect()
}

/// What a path takes within each block, in its order: up to three levels of a name are a block.
/// One line each, in ns; what nothing is known of belongs to the block before it.
pub fn path_blocks(path: &[PathStep]) -> String {
    let mut blocks: Vec<(String, f64)> = Vec::new();
    for step in path {
        let name = step.net.as_ref().unwrap_or(&step.cell);
        let own = verilog_name(name);
        let levels: Vec<&str> = own
            .split_once('.')
            .map_or(Vec::new(), |_| own.split('.').collect());
        let block = levels[..levels.len().saturating_sub(1).min(3)].join(".");
        match blocks.last_mut() {
            Some((last, delay)) if *last == block || name.starts_with('$') => {
                *delay += step.delay_ns
            }
            _ => blocks.push((block, step.delay_ns)),
        }
    }
    let line = |(block, delay): &(String, f64)| {
        let name = if block.is_empty() { "top" } else { block };
        format!("{delay:6.2} ns  in {name}\n")
    };
    blocks.iter().map(line).collect()
}

/// `6952` as `6,952`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_of_odd_and_even() {
        assert_eq!(Fmax::new(vec![90.0, 70.0, 80.0]).median, 80.0);
        let even = Fmax::new(vec![90.0, 70.0]);
        assert_eq!((even.min, even.median, even.max), (70.0, 80.0, 90.0));
    }

    #[test]
    fn names_of_the_mapper_are_cut() {
        let long = "core.mask.q_TRELLIS_FF_Q_18_DI_LUT4_D_Z[3]";
        assert_eq!(verilog_name(long), "core.mask.q …");
        assert_eq!(verilog_name("a.q_SB_DFF_Q_1_D_SB_CARRY_I1"), "a.q …");
        assert_eq!(verilog_name("core.mask[3]"), "core.mask[3]");
    }

    #[test]
    fn a_path_by_its_blocks() {
        let step = |cell: &str, net: Option<&str>, delay_ns| PathStep {
            kind: String::new(),
            delay_ns,
            cell: cell.into(),
            net: net.map(String::from),
        };
        let path = [
            step("sm.compute.lsu.x_valid_TRELLIS_FF_Q", None, 0.5),
            step("", Some("sm.compute.lsu.done_LUT4_Z"), 1.0),
            step("$abc$1", None, 0.25),
            step("", Some("sm.compute.core.issue.ready"), 2.0),
            step("led_TRELLIS_FF_Q", None, 0.125),
        ];
        assert_eq!(
            path_blocks(&path),
            "  1.75 ns  in sm.compute.lsu\n  2.00 ns  in sm.compute.core\n  0.12 ns  in top\n"
        );
    }

    #[test]
    fn thousands() {
        assert_eq!(grouped(952), "952");
        assert_eq!(grouped(6952), "6,952");
        assert_eq!(grouped(1234567), "1,234,567");
    }
}
