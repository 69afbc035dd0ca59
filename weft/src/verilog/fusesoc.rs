//! Core file for FuseSoC (CAPI2).

use super::{header, Request};
use std::collections::BTreeSet;
use weft_generate::WAIVERS;

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
         description: \"Weft, warp-control core: {}\"\n\
         license: MIT\n\n\
         filesets:\n",
        name(request),
        env!("CARGO_PKG_VERSION"),
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
         \x20   description: Verilator, all warnings but those that the generator accepts\n\
         \x20   filesets: {filesets}\n\
         \x20   toplevel: {top}\n\
         \x20   flow: lint\n\
         \x20   flow_options:\n\
         \x20     tool: verilator\n\
         \x20     verilator_options:\n",
        top = request.top()
    ));
    for option in verilator_options(request) {
        text.push_str(&format!("        - {option}\n"));
    }
    text
}

/// Vendor, library and name, with all of the size: two sizes are two cores.
pub(super) fn name(request: &Request) -> String {
    let design = &request.design;
    let mut name = format!("weft:core:{}_{}", design.top(), design.base());
    if design.dual() {
        name.push_str("_dual");
    }
    for (parameter, value) in design.others() {
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

fn verilator_options(request: &Request) -> Vec<String> {
    let accepted: BTreeSet<&str> = WAIVERS.iter().map(|w| w.code).collect();
    let mut options = vec!["-Wall".to_string()];
    options.extend(accepted.into_iter().map(|code| format!("-Wno-{code}")));
    if request.bundle {
        // All modules in one file: their names are not the file's.
        options.push("-Wno-DECLFILENAME".into());
    }
    options
}
