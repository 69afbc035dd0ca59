//! `weft doctor`: what is there, how to get the rest, and what can be done here.

use crate::cli::DoctorArgs;
use crate::report::write_json;
use anyhow::Result;
use serde::Serialize;
use weft_testbench::dut::{available, RtlKind};
use weft_toolbox::ToolReport;

#[derive(Serialize)]
struct Report<'a> {
    tools: &'a [ToolReport],
    /// Verilated models can be made.
    verilated_models: bool,
    can: &'a [Ability],
}

/// Something that can be done, or not.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Ability {
    what: &'static str,
    /// `now`, `after installing …` by the command itself, or `no: …`.
    when: String,
    possible: bool,
}

/// True when all can be done here; what is installed by the command that asks for it first can.
pub fn run(args: &DoctorArgs) -> Result<bool> {
    let tools = weft_toolbox::doctor();
    print!("{}", weft_toolbox::render(&tools));
    let models = available(RtlKind::Verilated);
    let can = abilities(&tools, models.as_ref().err().map(ToString::to_string));
    println!("\nWhat can be done here:");
    for Ability { what, when, .. } in &can {
        println!("  {what}: {when}");
    }
    if let Some(path) = &args.json {
        write_json(
            path,
            &Report {
                tools: &tools,
                verilated_models: models.is_ok(),
                can: &can,
            },
        )?;
    }
    Ok(can.iter().all(|ability| ability.possible))
}

fn abilities(tools: &[ToolReport], no_models: Option<String>) -> Vec<Ability> {
    let there = |name: &str| tools.iter().any(|t| t.name == name && t.found());
    let installs = there("Python");
    let of = |what, needs: &[&str]| {
        let missing: Vec<_> = needs.iter().copied().filter(|&name| !there(name)).collect();
        let (when, possible) = match (missing.is_empty(), installs) {
            (true, _) => ("now".to_string(), true),
            (false, true) => (
                format!("after the command has installed {}", missing.join(", ")),
                true,
            ),
            (false, false) => (
                format!(
                    "no: {} missing, and Python to install it",
                    missing.join(", ")
                ),
                false,
            ),
        };
        Ability {
            what,
            when,
            possible,
        }
    };
    let compiler = if there("RISC-V GCC") {
        "RISC-V GCC"
    } else {
        "Zig"
    };
    let hardware = match no_models {
        None => (
            "now; a model is made when it is first needed, and kept".to_string(),
            true,
        ),
        Some(why) => (format!("no: {why}"), false),
    };
    vec![
        of(
            "programs on the golden model, the oracle, a golden GPU and Rust-HDL's simulation",
            &[],
        ),
        of("programs in C and C++", &[compiler]),
        Ability {
            what: "the hardware under Verilator (--engine rtl, lockstep, sm; cosim, demo)",
            when: hardware.0,
            possible: hardware.1,
        },
        of(
            "size and clock of the hardware (synth)",
            &["Yosys", "nextpnr-ecp5", "nextpnr-ice40"],
        ),
        of("proofs (cargo xtask formal)", &["SymbiYosys", "Yices"]),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tools(there: &[&str]) -> Vec<ToolReport> {
        let mut tools = weft_toolbox::doctor();
        for tool in &mut tools {
            tool.path = there
                .contains(&tool.name.as_str())
                .then(|| "somewhere".into());
        }
        tools
    }

    /// G45: what is missing and what cannot be done are two things.
    #[test]
    fn what_is_installed_when_it_is_asked_for_can_be_done() {
        let when = |can: &[Ability]| can.iter().map(|a| a.when.clone()).collect::<Vec<_>>();
        let can = abilities(&tools(&["Python", "Yosys"]), None);
        assert!(can.iter().all(|a| a.possible), "{can:?}");
        assert_eq!(when(&can)[1], "after the command has installed Zig");
        assert_eq!(
            when(&can)[3],
            "after the command has installed nextpnr-ecp5, nextpnr-ice40"
        );
        let can = abilities(&tools(&["RISC-V GCC"]), Some("no Verilator".into()));
        let possible: Vec<_> = can.iter().map(|a| a.possible).collect();
        assert_eq!(possible, [true, true, false, false, false]);
        assert_eq!(when(&can)[2], "no: no Verilator");
    }
}
