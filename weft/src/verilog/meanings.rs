//! What each port is for, as it stands where the port is declared: the doc lines of `hdl/src`.

use std::collections::HashMap;
use weft_generate::Unit;

/// The source of the unit's top block, and that of the bundles.
const BUNDLES: &str = include_str!("../../../hdl/src/bundles.rs");

fn source(unit: Unit) -> &'static str {
    match unit {
        Unit::Gpu => include_str!("../../../hdl/src/gpu/mod.rs"),
        Unit::Sm => include_str!("../../../hdl/src/sm.rs"),
        Unit::Tasks => include_str!("../../../hdl/src/work/tasks/mod.rs"),
        Unit::Host => include_str!("../../../hdl/src/work/host/mod.rs"),
        Unit::Core => include_str!("../../../hdl/src/warp/core.rs"),
        Unit::Control => include_str!("../../../hdl/src/warp/control.rs"),
        Unit::Convergence => include_str!("../../../hdl/src/warp/convergence/mod.rs"),
        Unit::Scheduler => include_str!("../../../hdl/src/warp/scheduler/mod.rs"),
        Unit::Barrier => include_str!("../../../hdl/src/warp/barrier/mod.rs"),
        Unit::Masks => include_str!("../../../hdl/src/datapath/masks.rs"),
        Unit::TokenMemory => include_str!("../../../hdl/src/board/mod.rs"),
        Unit::Wavefront => include_str!("../../../hdl/src/datapath/wavefront.rs"),
        Unit::Float => include_str!("../../../hdl/src/datapath/float/mod.rs"),
    }
}

/// The block that is the unit's top.
fn block(unit: Unit) -> &'static str {
    match unit {
        Unit::Gpu => "Gpu",
        Unit::Sm => "Sm",
        Unit::Tasks => "Tasks",
        Unit::Host => "Host",
        Unit::Core => "Core",
        Unit::Control => "Control",
        Unit::Convergence => "Convergence",
        Unit::Scheduler => "Scheduler",
        Unit::Barrier => "Barrier",
        Unit::Masks => "Masks",
        Unit::TokenMemory => "TokenMemory",
        Unit::Wavefront => "Wavefront",
        Unit::Float => "Float",
    }
}

/// By name of the port; one without doc lines is not there.
pub(super) fn of(unit: Unit) -> HashMap<String, String> {
    let mut all = HashMap::new();
    for (name, of, doc) in fields(source(unit), block(unit)) {
        let bundle = of.split(['<', ',']).next().unwrap_or_default();
        if bundle.ends_with("Ports") {
            let fields = fields(BUNDLES, bundle).into_iter();
            all.extend(fields.map(|(field, _, doc)| (format!("{name}_{field}"), doc)));
        } else if !doc.is_empty() {
            all.insert(name, doc);
        }
    }
    all
}

/// Meaning of a port: partition k has the ports of the first with `pk_` before the name.
pub(super) fn meaning<'a>(all: &'a HashMap<String, String>, port: &str) -> Option<&'a str> {
    let first = port.strip_prefix('p').and_then(|p| p.split_once('_'));
    let first = first.filter(|(k, _)| !k.is_empty() && k.bytes().all(|b| b.is_ascii_digit()));
    let name = first.map_or(port, |(_, name)| name);
    all.get(port).or_else(|| all.get(name)).map(String::as_str)
}

/// Public fields of a struct with their types and doc lines.
fn fields(source: &str, block: &str) -> Vec<(String, String, String)> {
    let begins = |line: &&str| {
        let rest = line
            .strip_prefix("pub struct ")
            .and_then(|l| l.strip_prefix(block));
        rest.is_some_and(|rest| rest.starts_with([' ', '<']))
    };
    let (mut all, mut doc) = (Vec::new(), String::new());
    let lines = source.lines().skip_while(|line| !begins(line));
    for line in lines.take_while(|line| *line != "}").map(str::trim) {
        if let Some(text) = line.strip_prefix("///") {
            if !doc.is_empty() {
                doc.push(' ');
            }
            doc.push_str(text.trim());
        } else if let Some((name, of)) = line.strip_prefix("pub ").and_then(|l| l.split_once(": "))
        {
            all.push((name.into(), of.into(), std::mem::take(&mut doc)));
        } else if !line.starts_with('#') {
            doc.clear();
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_generate::{verilog, Config, Design};

    /// The SM and the memory for tokens are not described port by port yet.
    #[test]
    fn every_port_of_a_top_is_documented_where_it_is_declared() {
        for &unit in Unit::ALL {
            if matches!(unit, Unit::Sm | Unit::TokenMemory) {
                continue;
            }
            let all = of(unit);
            let verilog = verilog(&Design::of(unit, Config::NAMED[0].1, false).unwrap()).unwrap();
            for port in verilog.ports {
                let meaning = meaning(&all, &port.name);
                assert!(
                    meaning.is_some_and(|m| m.len() > 4),
                    "{unit:?}: {}",
                    port.name
                );
            }
        }
    }

    #[test]
    fn a_port_of_a_bundle_and_of_a_further_partition_has_its_meaning() {
        let core = of(Unit::Core);
        assert_eq!(meaning(&core, "retire_done"), Some("The warp has ended."));
        assert_eq!(
            meaning(&core, "p2_issue_mask"),
            meaning(&core, "issue_mask")
        );
        assert!(meaning(&core, "issue_mask").unwrap().contains("execute"));
        assert_eq!(meaning(&core, "nothing"), None);
    }
}
