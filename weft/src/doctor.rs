//! `weft doctor`: what is there, and how to get the rest.

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
}

/// True when nothing that is required is missing.
pub fn run(args: &DoctorArgs) -> Result<bool> {
    let tools = weft_toolbox::doctor();
    print!("{}", weft_toolbox::render(&tools));
    let models = available(RtlKind::Verilated);
    match &models {
        Ok(()) => println!("\nVerilated models are made when they are first needed, and kept."),
        Err(error) => println!("\n{error}"),
    }
    if let Some(path) = &args.json {
        write_json(
            path,
            &Report {
                tools: &tools,
                verilated_models: models.is_ok(),
            },
        )?;
    }
    Ok(tools.iter().all(|t| t.found() || !t.required))
}
