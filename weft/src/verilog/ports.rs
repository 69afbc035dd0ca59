//! The ports of a unit: which parameter gives each its width, and the table of them.

use super::{header, Request};
use anyhow::{ensure, Context, Result};
use weft_hdl::{Config, TopPort, Unit, Verilog};

/// A size that is fixed when the Verilog is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parameter {
    pub name: &'static str,
    pub value: usize,
    pub meaning: &'static str,
}

/// A port and the parameter that is its width, where it has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Port {
    pub port: TopPort,
    pub parameter: Option<&'static str>,
}

/// Ports whose names begin alike, what they are for, and where the rules stand: page and paragraph.
struct Interface {
    prefix: &'static str,
    meaning: &'static str,
    rules: &'static [(&'static str, &'static str)],
}

const INTERFACES: &[Interface] = &[
    Interface {
        prefix: "clock",
        meaning: "Everything happens at its rising edge.",
        rules: &[("control.md", "Ports")],
    },
    Interface {
        prefix: "reset",
        meaning: "Synchronous, active high.",
        rules: &[("control.md", "Ports")],
    },
    Interface {
        prefix: "cfg",
        meaning: "Policies: levels, to be changed only while no warp is busy.",
        rules: &[
            ("convergence.md", "CONV-011"),
            ("convergence.md", "CONV-050"),
            ("convergence.md", "CONV-052"),
            ("convergence.md", "CONV-055"),
            ("spill.md", "SPILL-022"),
            ("spill.md", "SPILL-023"),
        ],
    },
    Interface {
        prefix: "launch",
        meaning: "Starts a warp.",
        rules: &[
            ("control.md", "Ports"),
            ("convergence.md", "CONV-080"),
            ("spill.md", "SPILL-024"),
        ],
    },
    Interface {
        prefix: "issue",
        meaning: "Offers an instruction to execute, with the threads that execute it.",
        rules: &[("control.md", "Ports"), ("scheduler.md", "SCHED-011")],
    },
    Interface {
        prefix: "resolve",
        meaning: "Takes what an issued instruction turned out to be: one answer for each.",
        rules: &[("control.md", "Ports"), ("convergence.md", "Operations")],
    },
    Interface {
        prefix: "retire",
        meaning: "Pulse: an operation is complete; where the warp goes on, and its deque.",
        rules: &[("control.md", "Order"), ("control.md", "Timing")],
    },
    Interface {
        prefix: "exception",
        meaning: "Pulse: an operation that cannot be carried out, and why.",
        rules: &[
            ("control.md", "Ports"),
            ("spill.md", "SPILL-023"),
            ("spill.md", "SPILL-024"),
        ],
    },
    Interface {
        prefix: "status",
        meaning: "Which warps run, and counters.",
        rules: &[
            ("control.md", "Ports"),
            ("spill.md", "SPILL-021"),
            ("spill.md", "SPILL-032"),
        ],
    },
    Interface {
        prefix: "spill",
        meaning: "Memory for the tokens that do not stand on chip.",
        rules: &[("spill.md", "Memory port"), ("spill.md", "SPILL-012")],
    },
    Interface {
        prefix: "config",
        meaning: "Registers of a warp, for a driver.",
        rules: &[("spill.md", "Configuration port")],
    },
    Interface {
        prefix: "wake",
        meaning: "Pulse: a warp becomes ready.",
        rules: &[("scheduler.md", "SCHED-010")],
    },
    Interface {
        prefix: "pick",
        meaning: "The oldest ready warp.",
        rules: &[("scheduler.md", "SCHED-011")],
    },
    Interface {
        prefix: "read",
        meaning:
            "Program counter and active mask of a warp, in the next cycle: for the issue stage.",
        rules: &[("convergence.md", "Words and widths")],
    },
];

/// The parameters of a unit of this size, as the specification calls them (`docs/spec/control.md`).
pub(super) fn parameters(unit: Unit, config: Config) -> Vec<Parameter> {
    let warp = config.warps.ilog2() as usize;
    let place = (config.front + config.back).ilog2() as usize + 1;
    let parameter = |name, value, meaning| Parameter {
        name,
        value,
        meaning,
    };
    let mut all = vec![
        parameter("NW", config.warps, "warps"),
        parameter("WI", warp, "bits of a warp's number"),
    ];
    if unit != Unit::Scheduler {
        let token = if config.threads > 32 { 128 } else { 64 };
        all.extend([
            parameter("W", config.threads, "threads per warp"),
            parameter("K", config.front, "front places of the token window"),
            parameter("B", config.back, "back places of the token window"),
            parameter("M", token, "bits of a token in memory"),
            parameter("TA", warp + place, "bits of the memory port's tag"),
        ]);
    }
    all
}

/// The parameter that is the width of the port of this name.
fn parameter_of(name: &str) -> Option<&'static str> {
    match name {
        "status_busy" | "status_moving" => Some("NW"),
        "spill_request_data" | "spill_response_data" => Some("M"),
        _ => [("_warp", "WI"), ("_mask", "W"), ("_tag", "TA")]
            .into_iter()
            .find(|(end, _)| name.ends_with(end))
            .map(|(_, parameter)| parameter),
    }
}

/// The ports that the generated top module has, with their parameters, which must agree with it.
pub(super) fn of(unit: Unit, config: Config, verilog: &Verilog) -> Result<Vec<Port>> {
    let parameters = parameters(unit, config);
    let port = |port: &TopPort| {
        let parameter = parameter_of(&port.name);
        if let Some(name) = parameter {
            let value = parameters.iter().find(|p| p.name == name).map(|p| p.value);
            ensure!(
                value == Some(port.width),
                "{}: {} has {} bits, but {name} is {value:?}",
                verilog.top,
                port.name,
                port.width
            );
        }
        Ok(Port {
            port: port.clone(),
            parameter,
        })
    };
    verilog.ports.iter().map(port).collect()
}

/// A table for each interface, in the order of its first port.
pub(super) fn markdown(request: &Request, ports: &[Port]) -> Result<String> {
    let mut text = format!(
        "\n# Ports of `{}`\n\nConfiguration {}: {}. *dir* is seen from the module. The rules are in `docs/spec` of Weft {}.\n",
        request.unit.top(),
        header::name(request.config),
        header::words(request.config),
        env!("CARGO_PKG_VERSION")
    );
    text.push_str("\n| parameter | value | meaning |\n| --- | --- | --- |\n");
    for p in parameters(request.unit, request.config) {
        text.push_str(&format!("| {} | {} | {} |\n", p.name, p.value, p.meaning));
    }
    let mut seen: Vec<&str> = vec![];
    for port in ports {
        let prefix = prefix(port);
        if seen.contains(&prefix) {
            continue;
        }
        seen.push(prefix);
        let interface = INTERFACES
            .iter()
            .find(|i| i.prefix == prefix)
            .with_context(|| format!("no interface is called {prefix}"))?;
        text.push_str(&format!(
            "\n## {prefix}\n\n{} See {}.\n\n| port | dir | width |\n| --- | --- | --- |\n",
            interface.meaning,
            places(interface)
        ));
        for port in ports.iter().filter(|p| self::prefix(p) == prefix) {
            let TopPort { name, input, width } = &port.port;
            let dir = if *input { "in" } else { "out" };
            match port.parameter {
                Some(parameter) => {
                    text.push_str(&format!("| `{name}` | {dir} | {parameter} = {width} |\n"))
                }
                None => text.push_str(&format!("| `{name}` | {dir} | {width} |\n")),
            }
        }
    }
    Ok(text)
}

fn prefix(port: &Port) -> &str {
    let name = port.port.name.as_str();
    name.split_once('_').map_or(name, |(prefix, _)| prefix)
}

/// `control.md`: Ports; `convergence.md`: CONV-011, CONV-050
fn places(interface: &Interface) -> String {
    let mut text = String::new();
    let mut page = "";
    for &(next, paragraph) in interface.rules {
        if next == page {
            text.push_str(&format!(", {paragraph}"));
        } else {
            let gap = if page.is_empty() { "" } else { "; " };
            text.push_str(&format!("{gap}`{next}`: {paragraph}"));
        }
        page = next;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::tests::request;
    use super::*;
    use std::collections::BTreeMap;
    use weft_hdl::{unit_verilog, SUPPORTED};

    /// In every size: a port with a parameter has its width, and one without has the same width in all.
    #[test]
    fn widths_are_those_of_the_parameters() {
        let mut fixed = BTreeMap::new();
        for unit in Unit::ALL {
            for &config in SUPPORTED {
                let verilog = unit_verilog(unit, config).unwrap();
                for port in of(unit, config, &verilog).unwrap() {
                    let TopPort { name, width, .. } = port.port;
                    if port.parameter.is_none() {
                        let first = *fixed.entry(name.clone()).or_insert(width);
                        assert_eq!(first, width, "{unit:?} {config}: {name}");
                    }
                }
            }
        }
        assert_eq!(fixed["launch_pc"], 22);
    }

    #[test]
    fn a_width_that_is_not_the_parameter_is_an_error() {
        let tiny = Config::NAMED[0].1;
        let mut verilog = unit_verilog(Unit::Scheduler, tiny).unwrap();
        let port = verilog
            .ports
            .iter_mut()
            .find(|p| p.name == "wake_warp")
            .unwrap();
        port.width += 1;
        let error = of(Unit::Scheduler, tiny, &verilog).unwrap_err().to_string();
        assert!(error.contains("wake_warp has 3 bits, but WI"), "{error}");
    }

    #[test]
    fn every_port_is_in_the_table_once() {
        let config = Config::NAMED[1].1;
        for unit in Unit::ALL {
            let verilog = unit_verilog(unit, config).unwrap();
            let ports = of(unit, config, &verilog).unwrap();
            let table = markdown(&request(unit, config), &ports).unwrap();
            for TopPort { name, input, width } in &verilog.ports {
                let dir = if *input { "in" } else { "out" };
                let rows: Vec<_> = table
                    .lines()
                    .filter(|l| l.starts_with(&format!("| `{name}` | {dir} | ")))
                    .collect();
                assert_eq!(rows.len(), 1, "{unit:?}: {name}");
                let cell = rows[0].trim_end_matches(" |").rsplit(' ').next();
                assert_eq!(cell, Some(width.to_string().as_str()), "{}", rows[0]);
            }
        }
    }

    #[test]
    fn an_interface_nobody_has_described_is_an_error() {
        let tiny = Config::NAMED[0].1;
        let port = Port {
            port: TopPort {
                name: "debug_halt".into(),
                input: true,
                width: 1,
            },
            parameter: None,
        };
        let error = markdown(&request(Unit::Control, tiny), &[port]).unwrap_err();
        assert!(error.to_string().contains("debug"), "{error}");
    }

    /// The pages and paragraphs that the table names are there.
    #[test]
    fn rules_are_where_the_table_says() {
        let pages = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/spec");
        for (page, paragraph) in INTERFACES.iter().flat_map(|i| i.rules) {
            let text = std::fs::read_to_string(pages.join(page)).unwrap();
            let heading = |l: &str| l.starts_with('#') && l.ends_with(&format!(" {paragraph}"));
            let number = format!("**{paragraph}");
            assert!(
                text.lines().any(heading) || text.contains(&number),
                "{page}: {paragraph}"
            );
        }
    }
}
