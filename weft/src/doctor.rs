//! `weft doctor`: what is there, and how to get the rest.

use crate::cli::DoctorArgs;
use crate::report::write_json;
use crate::size;
use anyhow::Result;
use serde::Serialize;
use weft_testbench::dut::{sizes, RtlKind};
use weft_toolbox::ToolReport;

#[derive(Serialize)]
struct Report<'a> {
    tools: &'a [ToolReport],
    /// Sizes (warps x threads) that this build can run as Verilated models.
    verilated_models: &'a [String],
}

/// True when nothing that is required is missing.
pub fn run(args: &DoctorArgs) -> Result<bool> {
    let tools = weft_toolbox::doctor();
    print!("{}", weft_toolbox::render(&tools));
    let models = sizes(RtlKind::Verilated);
    match models.is_empty() {
        true => println!("\nThis build has no Verilated models; `cargo weft` builds them where there is Verilator and a C++ compiler."),
        false => println!("\nVerilated models in this build: {}", size::list(&models)),
    }
    if let Some(path) = &args.json {
        let names: Vec<_> = models
            .iter()
            .map(|m| format!("{}x{}", m.warps, m.threads))
            .collect();
        write_json(
            path,
            &Report {
                tools: &tools,
                verilated_models: &names,
            },
        )?;
    }
    Ok(tools.iter().all(|t| t.found() || !t.required))
}
