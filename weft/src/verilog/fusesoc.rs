//! Core file for FuseSoC (CAPI2).

use super::{header, Request};

/// `default` is the sources, for cores that depend on this one; `lint` has Verilator look at them.
pub(super) fn text(request: &Request, sources: &[String]) -> String {
    let filesets = match request.wrapper {
        true => "[rtl, wrapper]",
        false => "[rtl]",
    };
    let (wrapper, rtl): (Vec<&String>, Vec<&String>) =
        sources.iter().partition(|name| name.ends_with(".sv"));
    let mut text = format!(
        "CAPI=2:\n\n\
         name: \"{}:{}\"\n\
         description: \"Weft, {}: {}\"\n\
         license: MIT\n\n\
         filesets:\n",
        name(request),
        env!("CARGO_PKG_VERSION"),
        request.unit.entry().title,
        header::words(request),
    );
    text.push_str(&fileset("rtl", "verilogSource-2005", &rtl));
    if request.wrapper {
        text.push_str(&fileset("wrapper", "systemVerilogSource", &wrapper));
    }
    text.push_str(&format!(
        "\ntargets:\n\
         \x20 default:\n\
         \x20   filesets: {filesets}\n\
         \x20   toplevel: {top}\n\
         \x20 lint:\n\
         \x20   description: Verilator, all warnings\n\
         \x20   filesets: {filesets}\n\
         \x20   toplevel: {top}\n\
         \x20   flow: lint\n\
         \x20   flow_options:\n\
         \x20     tool: verilator\n\
         \x20     verilator_options:\n\
         \x20       - -Wall\n",
        top = request.top()
    ));
    text
}

/// Vendor, library and name, with all of the size: two sizes are two cores.
pub(super) fn name(request: &Request) -> String {
    let design = &request.design;
    let mut name = format!("weft:core:{}_{}", design.top(), design.base());
    if design.dual() {
        name.push_str("_dual");
    }
    for (parameter, value) in request.others() {
        name.push_str(&format!("_{parameter}{value}"));
    }
    name
}

fn fileset(name: &str, kind: &str, files: &[&String]) -> String {
    let files = files.iter().map(|file| format!("      - {file}\n"));
    format!(
        "  {name}:\n    files:\n{}    file_type: {kind}\n",
        files.collect::<String>()
    )
}
