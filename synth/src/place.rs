//! What nextpnr reports.

use crate::report::PathStep;
use anyhow::{bail, Context, Result};
use serde_json::Value;
use std::collections::BTreeMap;

/// The result for one seed.
#[derive(Clone, Debug)]
pub(crate) struct Placement {
    pub fmax_mhz: f64,
    /// Cells used, by nextpnr's type.
    pub used: BTreeMap<String, u64>,
    /// Cells that the part has.
    pub available: BTreeMap<String, u64>,
    pub critical_path: Vec<PathStep>,
}

impl Placement {
    /// From the file that `--report` names.
    pub fn parse(json: &str) -> Result<Self> {
        let report: Value = serde_json::from_str(json).context("reading nextpnr's report")?;
        let clocks = report["fmax"]
            .as_object()
            .context("nextpnr's report has no fmax")?;
        // The slowest, should there be more than one.
        let slowest = clocks
            .iter()
            .filter_map(|(name, value)| Some((name, value["achieved"].as_f64()?)))
            .min_by(|a, b| a.1.total_cmp(&b.1));
        let Some((clock, fmax_mhz)) = slowest else {
            bail!("nextpnr found no clock: no path goes from register to register");
        };
        let used = report["utilization"]
            .as_object()
            .context("nextpnr's report has no utilization")?;
        let count = |what: &str| {
            let counts = used
                .iter()
                .filter_map(|(cell, n)| Some((cell.clone(), n[what].as_u64()?)));
            counts.collect()
        };
        let (used, available) = (count("used"), count("available"));
        let paths = report["critical_paths"]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default();
        let within = |path: &&Value| {
            let ends = |end: &str| {
                path[end]
                    .as_str()
                    .is_some_and(|domain| domain.ends_with(clock.as_str()))
            };
            ends("from") && ends("to")
        };
        let critical_path = paths.iter().find(within).map(steps).unwrap_or_default();
        Ok(Self {
            fmax_mhz,
            used,
            available,
            critical_path,
        })
    }
}

fn steps(path: &Value) -> Vec<PathStep> {
    let elements = path["path"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    elements
        .iter()
        .map(|element| PathStep {
            kind: text(&element["type"]),
            delay_ns: element["delay"].as_f64().unwrap_or(0.0),
            cell: own_name(&text(&element["to"]["cell"])),
            net: element["net"].as_str().map(own_name),
        })
        .collect()
}

/// The name in the measured module: `dut.sum` is its `sum`.
fn own_name(name: &str) -> String {
    name.strip_prefix("dut.").unwrap_or(name).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captured_report_ecp5() {
        let placement =
            Placement::parse(include_str!("../tests/data/nextpnr_ecp5_adder.json")).unwrap();
        assert!((placement.fmax_mhz - 328.407).abs() < 0.01);
        assert_eq!(placement.used["TRELLIS_COMB"], 37);
        assert_eq!(placement.used["TRELLIS_FF"], 81);
        assert_eq!(placement.available["TRELLIS_COMB"], 83640);
        let path = &placement.critical_path;
        assert_eq!(path.first().unwrap().kind, "clk-to-q");
        assert_eq!(path.last().unwrap().kind, "setup");
        let period: f64 = path.iter().map(|step| step.delay_ns).sum();
        assert!(
            (1000.0 / period - placement.fmax_mhz).abs() < 1.0,
            "{period}"
        );
        assert!(path
            .iter()
            .any(|step| step.net.as_deref() == Some("sum_TRELLIS_FF_Q_DI")));
    }

    #[test]
    fn captured_report_ice40() {
        let placement =
            Placement::parse(include_str!("../tests/data/nextpnr_ice40_adder.json")).unwrap();
        assert!((placement.fmax_mhz - 253.743).abs() < 0.01);
        assert_eq!(placement.used["ICESTORM_LC"], 83);
    }

    #[test]
    fn no_clock_is_said() {
        let error = Placement::parse(r#"{"critical_paths": [], "fmax": {}, "utilization": {}}"#)
            .unwrap_err();
        assert!(error.to_string().contains("no clock"));
    }
}
