//! A SystemVerilog module around the unit: the sizes as localparams, the widths of the ports in terms of them.

use super::ports::{parameters, Port};
use super::Request;

pub(super) fn name(request: &Request) -> String {
    format!("{}_sv", request.design.top())
}

/// No `default_nettype` here: `input logic` is a net of the default type, and every net below is declared.
pub(super) fn text(request: &Request, ports: &[Port]) -> String {
    let parameters = parameters(request);
    let last = parameters.len() - 1;
    let sizes = parameters.iter().enumerate().map(|(i, p)| {
        let comma = if i == last { "" } else { "," };
        format!(
            "    localparam int unsigned {} = {}{comma}  // {}\n",
            p.name, p.value, p.meaning
        )
    });
    let declared: Vec<_> = ports.iter().map(declaration).collect();
    let connected: Vec<_> = ports
        .iter()
        .map(|p| format!("        .{0}({0})", p.port.name))
        .collect();
    format!(
        "\n// For whoever instantiates it, also the sizes that no port has.\n\
         // verilator lint_off UNUSEDPARAM\n\
         module {} #(\n{}) (\n{}\n);\n\
         // verilator lint_on UNUSEDPARAM\n\
         \n    {} core (\n{}\n    );\n\nendmodule\n",
        name(request),
        sizes.collect::<String>(),
        declared.join(",\n"),
        request.design.top(),
        connected.join(",\n"),
    )
}

fn declaration(port: &Port) -> String {
    let direction = if port.port.input { "input " } else { "output" };
    let range = match (port.parameter, port.port.width) {
        (Some(parameter), _) => format!("[{parameter}-1:0] "),
        (None, 1) => String::new(),
        (None, width) => format!("[{}:0] ", width - 1),
    };
    format!("    {direction} logic {range}{}", port.port.name)
}
