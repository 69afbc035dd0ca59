//! Tcl scripts for Vivado and Quartus, and the clock for both: on request. Nobody here has run them in those tools;
//! the tests check their syntax, the commands and their file lists.

use super::Request;

/// Of the figures in `docs`, the part that is nearest to the other families' in age and speed;
/// a script takes another one as its argument.
const VIVADO_PART: &str = "xc7a100tcsg324-1";
const QUARTUS_FAMILY: &str = "Cyclone V";
const QUARTUS_DEVICE: &str = "5CSEMA5F31C6";

/// Clock constraint: 100 MHz; the same for every unit.
pub(super) fn sdc() -> String {
    include_str!("../../../constraints/weft.sdc").into()
}

pub(super) fn vivado(request: &Request, sources: &[String]) -> String {
    let top = request.top();
    format!(
        "# UNTESTED in Vivado. Run in this directory: vivado -mode batch -source {base}.vivado.tcl [-tclargs PART]\n\
         set part {VIVADO_PART}\n\
         if {{[info exists argv] && [llength $argv] > 0}} {{\n    set part [lindex $argv 0]\n}}\n\
         set here [file dirname [file normalize [info script]]]\n\
         set reports [file join $here vivado]\n\
         file mkdir $reports\n\n\
         {sources}\
         read_xdc [file join $here {base}.sdc]\n\n\
         # Out of context: ports are not pins, and get no buffers.\n\
         synth_design -top {top} -part $part -mode out_of_context\n\
         opt_design\n\
         place_design\n\
         route_design\n\n\
         report_utilization -file [file join $reports utilization.txt]\n\
         report_timing_summary -file [file join $reports timing.txt]\n\
         report_timing -max_paths 10 -file [file join $reports paths.txt]\n\
         write_checkpoint -force [file join $reports {top}.dcp]\n",
        base = request.design.top(),
        sources = sources
            .iter()
            .map(|file| {
                let language = if file.ends_with(".sv") { "-sv " } else { "" };
                format!("read_verilog {language}[file join $here {file}]\n")
            })
            .collect::<String>(),
    )
}

pub(super) fn quartus(request: &Request, sources: &[String]) -> String {
    let top = request.top();
    format!(
        "# UNTESTED in Quartus. Run in this directory: quartus_sh -t {base}.quartus.tcl [DEVICE]\n\
         package require ::quartus::project\n\
         package require ::quartus::flow\n\n\
         set device {QUARTUS_DEVICE}\n\
         if {{[info exists quartus(args)] && [llength $quartus(args)] > 0}} {{\n    set device [lindex $quartus(args) 0]\n}}\n\
         set here [file dirname [file normalize [info script]]]\n\n\
         project_new {top} -overwrite\n\
         set_global_assignment -name FAMILY \"{QUARTUS_FAMILY}\"\n\
         set_global_assignment -name DEVICE $device\n\
         set_global_assignment -name TOP_LEVEL_ENTITY {top}\n\
         {sources}\
         set_global_assignment -name SDC_FILE [file join $here {base}.sdc]\n\
         # Ports are not pins.\n\
         set_instance_assignment -name VIRTUAL_PIN ON -to *\n\
         set_instance_assignment -name VIRTUAL_PIN OFF -to clock\n\
         export_assignments\n\
         execute_flow -compile\n\
         project_close\n",
        base = request.design.top(),
        sources = sources
            .iter()
            .map(|file| {
                let kind = match file.ends_with(".sv") {
                    true => "SYSTEMVERILOG_FILE",
                    false => "VERILOG_FILE",
                };
                format!("set_global_assignment -name {kind} [file join $here {file}]\n")
            })
            .collect::<String>(),
    )
}
