//! What was measured, as Markdown and as JSON.

use crate::size::Named;
use serde::Serialize;
use serde_json::{json, Value};
use std::fmt::Write;
use weft_generate::Unit;
use weft_synth::{scaling, GateReport, Point, Scaling, SynthReport};

/// A unit in one size.
pub struct Measured {
    pub unit: Unit,
    /// Of the unit, if it is not all of it.
    pub block: Option<String>,
    pub named: Named,
    pub figures: Figures,
}

#[derive(Serialize)]
#[serde(untagged)]
pub enum Figures {
    Fpga(SynthReport),
    Gates(GateReport),
}

/// How a figure is called, and its value.
type Figure = (&'static str, fn(&Figures) -> f64);

impl Figures {
    /// The figures that are fitted over sizes.
    fn fitted(&self) -> &'static [Figure] {
        fn fpga(figures: &Figures, value: fn(&SynthReport) -> f64) -> f64 {
            match figures {
                Figures::Fpga(report) => value(report),
                Figures::Gates(_) => 0.0,
            }
        }
        fn gates(figures: &Figures, value: fn(&GateReport) -> f64) -> f64 {
            match figures {
                Figures::Gates(report) => value(report),
                Figures::Fpga(_) => 0.0,
            }
        }
        match self {
            Figures::Fpga(_) => &[
                ("LUT4", |f| fpga(f, |r| r.lut4 as f64)),
                ("COMB", |f| fpga(f, |r| r.comb as f64)),
                ("FF", |f| fpga(f, |r| r.ff as f64)),
                ("block RAM", |f| fpga(f, |r| r.bram as f64)),
                ("Fmax", |f| fpga(f, |r| r.fmax_mhz.median)),
            ],
            Figures::Gates(_) => &[
                ("logic GE", |f| gates(f, |r| r.logic_ge)),
                ("flip-flops", |f| gates(f, |r| r.ff as f64)),
                ("memory bits", |f| gates(f, |r| r.memory_bits as f64)),
                ("depth", |f| gates(f, |r| r.depth as f64)),
            ],
        }
    }
}

impl Measured {
    /// Its module, as it is called in reports.
    fn module(&self) -> String {
        match &self.block {
            Some(block) => format!("{} of {}", block, self.unit.top()),
            None => self.unit.top().to_string(),
        }
    }
}

/// Modules in the order of their first appearance, each with its sizes.
fn by_module(all: &[Measured]) -> Vec<(String, Vec<&Measured>)> {
    let mut modules: Vec<(String, Vec<&Measured>)> = Vec::new();
    for measured in all {
        let name = measured.module();
        match modules.iter_mut().find(|(module, _)| *module == name) {
            Some((_, list)) => list.push(measured),
            None => modules.push((name, vec![measured])),
        }
    }
    modules
}

/// Figure and fit, where the sizes allow one.
fn fits(list: &[&Measured]) -> Vec<(&'static str, Scaling)> {
    let Some(first) = list.first() else {
        return Vec::new();
    };
    let fit = |&(name, value): &Figure| {
        let point = |m: &&Measured| Point {
            warps: m.named.design.value("warps"),
            threads: m.named.design.value("threads"),
            value: value(&m.figures),
        };
        let points: Vec<Point> = list.iter().map(point).collect();
        Some((name, scaling(&points)?))
    };
    first.figures.fitted().iter().filter_map(fit).collect()
}

pub fn markdown(all: &[Measured]) -> String {
    let mut text = String::new();
    let mut line = |words: &str| writeln!(text, "{words}").expect("a string");
    match all.first().map(|m| &m.figures) {
        Some(Figures::Fpga(first)) => {
            line(&format!(
                "{}; yosys {}, {}; nextpnr {}; harness not counted\n",
                first.part, first.tools.yosys, first.flow, first.tools.nextpnr
            ));
            line(weft_synth::markdown_header());
        }
        Some(Figures::Gates(first)) => {
            line(&format!(
                "{}; a gate equivalent is a quarter of the transistors of static CMOS; memories are not in the logic\n",
                first.yosys
            ));
            line(weft_synth::gates_header());
        }
        None => {}
    }
    for measured in all {
        match &measured.figures {
            Figures::Fpga(report) => line(&report.markdown_row()),
            Figures::Gates(report) => line(&report.markdown_row()),
        }
    }
    for (module, list) in by_module(all) {
        let fits = fits(&list);
        if fits.is_empty() {
            continue;
        }
        let sizes: Vec<String> = list.iter().map(|m| m.named.design.base()).collect();
        line(&format!(
            "\n## How {module} grows\n\nFitted over {}:\n",
            sizes.join(", ")
        ));
        line(weft_synth::scaling_header());
        for (figure, scaling) in &fits {
            line(&weft_synth::scaling_row(figure, scaling));
        }
    }
    for measured in all {
        let (name, what, path) = match &measured.figures {
            Figures::Fpga(report) => (
                &report.name,
                "Critical path".to_string(),
                report.critical_path_text(),
            ),
            Figures::Gates(report) => (
                &report.name,
                format!("Longest path, {} gates", report.depth),
                report.path_text(),
            ),
        };
        line(&format!(
            "\n## {what} of {name}\n\n```text\n{}\n```",
            path.trim_end()
        ));
    }
    text
}

/// One report as it is; several in a list, with the fits.
pub fn json(all: &[Measured]) -> Value {
    let one = |m: &Measured| {
        let mut report = json!({ "config": m.named.name, "size": m.named.design.base(), "dual": m.named.design.dual() });
        if let (Some(report), Ok(Value::Object(figures))) =
            (report.as_object_mut(), serde_json::to_value(&m.figures))
        {
            report.extend(figures);
        }
        report
    };
    if let [only] = all {
        return one(only);
    }
    let fit = |(module, list): (String, Vec<&Measured>)| {
        let of_unit = fits(&list).into_iter();
        of_unit
            .map(|(figure, s)| json!({ "unit": module, "figure": figure, "warps": s.warps, "threads": s.threads, "worst": s.worst }))
            .collect::<Vec<_>>()
    };
    json!({
        "reports": all.iter().map(one).collect::<Vec<_>>(),
        "scaling": by_module(all).into_iter().flat_map(fit).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_generate::{Config, Design};

    fn gates(warps: usize, logic_ge: f64) -> Measured {
        Measured {
            unit: Unit::Control,
            block: None,
            named: Named {
                name: "test".into(),
                design: Design::of(Unit::Control, Config::new(warps, 8, 4, 1), false).unwrap(),
            },
            figures: Figures::Gates(GateReport {
                name: format!("weft_control-{warps}x8"),
                top: "weft_control".into(),
                flow: String::new(),
                logic_ge,
                ff_ge: 4.0,
                ff: 1,
                cells: Default::default(),
                memory_bits: 0,
                memories: Vec::new(),
                depth: 9,
                path: vec!["first.q [1]".into(), "$abc$1".into(), "last.q".into()],
                yosys: "yosys 0".into(),
                seconds: 1.0,
            }),
        }
    }

    #[test]
    fn tables_fits_and_paths() {
        let all = [gates(4, 100.0), gates(8, 200.0), gates(16, 400.0)];
        let text = markdown(&all);
        for line in [
            "| weft_control-8x8 | 200 | 1 | 4 | 0 | 9 |",
            "Fitted over 4x8k4b1, 8x8k4b1, 16x8k4b1:",
            "| logic GE | +1.00 | – | 0 % |",
            "| depth | +0.00 | – | 0 % |",
            "## Longest path, 9 gates of weft_control-16x8",
            "first.q [1]\nlast.q",
        ] {
            assert!(text.contains(line), "no {line} in\n{text}");
        }
        // A figure that is zero has no exponent.
        assert!(!text.contains("\n| memory bits |"), "{text}");
        let json = json(&all);
        assert_eq!(json["reports"][2]["logic_ge"], 400.0);
        assert_eq!(json["scaling"][0]["figure"], "logic GE");
    }

    #[test]
    fn one_size_has_no_fit_and_is_not_in_a_list() {
        let all = [gates(4, 100.0)];
        assert!(!markdown(&all).contains("grows"));
        assert_eq!(json(&all)["size"], "4x8k4b1");
        assert_eq!(json(&all)["depth"], 9);
    }
}
