//! The models of `weft_control`, one per supported size, with the C interface of `shim.cpp`.

use crate::models::{Fault, FAULTS, FAULT_SIZE};
use crate::verilate::{break_on_purpose, Model};
use std::fmt::Write as _;
use weft_hdl::Config;

pub struct Control {
    size: Config,
    fault: Option<&'static Fault>,
    pub model: Model,
}

/// Name and width of every port by the specification (docs/spec/control.md, docs/spec/spill.md).
pub fn ports(size: Config) -> Vec<(&'static str, bool, u32)> {
    let (wi, w, nw) = (size.warps.ilog2(), size.threads as u32, size.warps as u32);
    let token = if size.threads == 64 { 128 } else { 64 };
    // Front ring, back ring and at least one place more.
    let tag = wi + (size.front + size.back).ilog2() + 1;
    vec![
        ("clock", true, 1),
        ("reset", true, 1),
        ("cfg_yield_every", true, 16),
        ("cfg_forced_yield", true, 16),
        ("cfg_yield_random", true, 1),
        ("cfg_yield_threshold", true, 16),
        ("cfg_yield_seed", true, 16),
        ("cfg_path", true, 2),
        ("cfg_lanes", true, 3),
        ("cfg_recenter", true, 1),
        ("launch_valid", true, 1),
        ("launch_warp", true, wi),
        ("launch_pc", true, 22),
        ("launch_mask", true, w),
        ("launch_base", true, 32),
        ("launch_size", true, 10),
        ("issue_ready", true, 1),
        ("resolve_valid", true, 1),
        ("resolve_warp", true, wi),
        ("resolve_op", true, 4),
        ("resolve_kind", true, 4),
        ("resolve_mask", true, w),
        ("resolve_target", true, 22),
        ("spill_request_ready", true, 1),
        ("spill_response_valid", true, 1),
        ("spill_response_write", true, 1),
        ("spill_response_tag", true, tag),
        ("spill_response_data", true, token),
        ("config_valid", true, 1),
        ("config_write", true, 1),
        ("config_warp", true, wi),
        ("config_register", true, 4),
        ("config_data", true, 32),
        ("launch_ready", false, 1),
        ("issue_valid", false, 1),
        ("issue_warp", false, wi),
        ("issue_pc", false, 22),
        ("issue_mask", false, w),
        ("resolve_ready", false, 1),
        ("retire_valid", false, 1),
        ("retire_warp", false, wi),
        ("retire_op", false, 4),
        ("retire_pc", false, 22),
        ("retire_next_pc", false, 22),
        ("retire_next_mask", false, w),
        ("retire_done", false, 1),
        ("retire_blocked", false, 1),
        ("retire_depth", false, 10),
        ("retire_front_kind", false, 4),
        ("retire_front_mask", false, w),
        ("retire_front_pc", false, 22),
        ("retire_front_below", false, 4),
        ("retire_dropped", false, 1),
        ("exception_valid", false, 1),
        ("exception_warp", false, wi),
        ("exception_pc", false, 22),
        ("exception_cause", false, 4),
        ("status_busy", false, nw),
        ("status_moving", false, nw),
        ("status_dropped", false, 32),
        ("status_recentered", false, 32),
        ("spill_request_valid", false, 1),
        ("spill_request_write", false, 1),
        ("spill_request_last", false, 1),
        ("spill_request_tag", false, tag),
        ("spill_request_address", false, 32),
        ("spill_request_data", false, token),
        ("spill_response_ready", false, 1),
        ("config_ready", false, 1),
        ("config_done", false, 1),
        ("config_result", false, 32),
    ]
}

fn model(name: String, size: Config, verilog: String, fault: Option<&'static Fault>) -> Control {
    let ports = ports(size)
        .into_iter()
        .map(|(name, input, width)| (name.to_string(), input, width))
        .collect();
    let shim = concat!(include_str!("shim.h"), include_str!("shim.cpp"))
        .replace("#include \"shim.h\"\n", "");
    let model = Model {
        name,
        top: "weft_control".to_string(),
        verilog,
        ports,
        specified: "docs/spec/control.md",
        shim,
        waves: fault.is_none(),
        broken: fault.is_some(),
    };
    Control { size, fault, model }
}

pub fn models() -> Result<Vec<Control>, String> {
    let mut list = Vec::new();
    for &size in weft_hdl::SUPPORTED {
        let verilog = weft_hdl::verilog(size).map_err(|e| format!("Verilog of {size}: {e}"))?;
        let name = format!("weft_{size}");
        if size == FAULT_SIZE && cfg!(feature = "faults") {
            for fault in FAULTS {
                let broken = break_on_purpose(fault, &verilog)?;
                list.push(model(
                    format!("{name}_{}", fault.name),
                    size,
                    broken,
                    Some(fault),
                ));
            }
        }
        list.push(model(name, size, verilog, None));
    }
    Ok(list)
}

/// `models.rs`: the C functions of every model and the table that `src/verilated.rs` includes.
pub fn table(models: &[Control]) -> String {
    let mut text = String::from("unsafe extern \"C\" {\n");
    for m in models {
        let n = &m.model.name;
        let _ = writeln!(
            text,
            "    fn {n}_new(seed: c_int) -> *mut c_void;
    fn {n}_delete(model: *mut c_void);
    fn {n}_settle(model: *mut c_void, inputs: *const RawIn, outputs: *mut RawOut);
    fn {n}_rise(model: *mut c_void);
    fn {n}_fall(model: *mut c_void);
    fn {n}_failed(model: *mut c_void) -> c_int;
    fn {n}_trace(model: *mut c_void, vcd: *mut VcdC);"
        );
    }
    text.push_str("}\n\nstatic MODELS: &[Functions] = &[\n");
    for m in models {
        let (n, fault) = (&m.model.name, m.fault.map(|f| (f.name, f.breaks)));
        let Config {
            warps,
            threads,
            front,
            back,
            ..
        } = m.size;
        let _ = writeln!(
            text,
            "    Functions {{ size: Config::new({warps}, {threads}, {front}, {back}), fault: {fault:?}, \
             new: {n}_new, delete: {n}_delete, settle: {n}_settle, \
             rise: {n}_rise, fall: {n}_fall, failed: {n}_failed, trace: {n}_trace }},"
        );
    }
    text.push_str("];\n");
    text
}
