//! What the unit is and what its ports are for, as comments of the generated top module.

use super::meanings;
use super::Request;
use weft_generate::Verilog;

/// The same Verilog with a line before the top module and before each of its ports.
pub(super) fn on(request: &Request, verilog: &Verilog) -> Verilog {
    let meanings = meanings::of(request.unit);
    let mut verilog = verilog.clone();
    let top = verilog.top.clone();
    for (_, text) in verilog.modules.iter_mut().filter(|(name, _)| *name == top) {
        let mut with = format!("// {}.\n", request.unit.entry().help);
        let mut ports = true;
        for line in text.lines() {
            ports &= line != ");";
            let name = port(line).filter(|_| ports);
            if let Some(meaning) = name.and_then(|name| meanings::meaning(&meanings, name)) {
                with += &format!("    // {meaning}\n");
            }
            with += line;
            with.push('\n');
        }
        *text = with;
    }
    verilog
}

/// The port that a line of the module's head declares.
fn port(line: &str) -> Option<&str> {
    let line = line.split("//").next()?.trim();
    let declares = line.starts_with("input ") || line.starts_with("output ");
    let name = line.trim_end_matches(',').rsplit(' ').next()?;
    declares.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::super::tests::request;
    use super::*;
    use weft_generate::{verilog, Config, Unit};

    #[test]
    fn each_port_of_the_top_has_its_meaning_before_it() {
        let request = request(Unit::Barrier, Config::NAMED[0].1, false);
        let plain = verilog(&request.design).unwrap();
        let text = on(&request, &plain).bundle();
        assert!(text.contains("\n// Barriers and critical sections.\nmodule weft_barrier (\n"));
        let (head, _) = text
            .split_once("module weft_barrier (")
            .unwrap()
            .1
            .split_once("\n);\n")
            .unwrap();
        let lines: Vec<&str> = head.lines().collect();
        for port in &plain.ports {
            let declared = |line: &&str| super::port(line) == Some(port.name.as_str());
            let at = lines.iter().position(declared).expect("declared");
            let before = lines[..at].iter().rev().find(|l| !l.contains("verilator"));
            assert!(
                before.is_some_and(|l| l.starts_with("    // ")),
                "{}",
                port.name
            );
        }
    }
}
