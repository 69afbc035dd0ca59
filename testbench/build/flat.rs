//! Models of any top with a generated C interface: inputs and outputs as flat arrays of 64-bit words, each port in ⌈width / 64⌉ of
//! them, in the order of the exported ports without the clock.

use crate::models::{
    Fault, BARRIER_FAULTS, BARRIER_FAULT_SIZE, CORE_FAULTS, PARTITION_FAULTS, SCHEDULER_FAULTS,
    SCHEDULER_FAULT_SIZE, WAVEFRONT_FAULTS, WAVEFRONT_FAULT_SIZE,
};
use crate::verilate::{break_on_purpose, Model, Port};
use std::fmt::Write as _;
use weft_hdl::Verilog;

pub struct Flat {
    /// Which of the models of its top: `16x32`, `16x32d`.
    size: String,
    fault: Option<&'static Fault>,
    places: Vec<Place>,
    pub model: Model,
}

/// A top in one size.
struct Design {
    size: String,
    verilog: Verilog,
    /// By the specification.
    ports: Vec<Port>,
    specified: &'static str,
}

pub fn models() -> Result<Vec<Flat>, String> {
    let mut list = Vec::new();
    let wanted = crate::verilate::wanted;
    for &(warps, threads) in weft_hdl::BARRIERS.iter().filter(|_| wanted("weft_barrier")) {
        let size = format!("{warps}x{threads}");
        let verilog = weft_hdl::barrier_verilog(warps, threads)
            .map_err(|e| format!("Verilog of the barrier unit {size}: {e}"))?;
        let design = Design {
            size,
            verilog,
            ports: barrier_ports(warps, threads),
            specified: "docs/spec/barrier.md",
        };
        let breaks = (warps, threads) == BARRIER_FAULT_SIZE;
        design.models(if breaks { BARRIER_FAULTS } else { &[] }, &mut list)?;
    }
    for &(config, dual) in weft_hdl::SCHEDULERS
        .iter()
        .filter(|_| wanted("weft_scheduler"))
    {
        let mark = if dual { "d" } else { "" };
        let size = format!("{}{mark}", weft_hdl::Unit::Scheduler.size(config));
        let verilog = weft_hdl::scheduler_verilog(config, dual)
            .map_err(|e| format!("Verilog of the scheduler {size}: {e}"))?;
        let breaks = size == SCHEDULER_FAULT_SIZE;
        let design = Design {
            size,
            verilog,
            ports: scheduler_ports(config),
            specified: "docs/spec/scheduler.md",
        };
        design.models(if breaks { SCHEDULER_FAULTS } else { &[] }, &mut list)?;
    }
    // Broken copies at W = 4; the kernels of docs/masks.md run with 32 threads.
    let wavefronts = weft_hdl::WAVEFRONTS.iter();
    for &(warps, threads) in wavefronts
        .filter(|s| [WAVEFRONT_FAULT_SIZE, (4, 32)].contains(s) && wanted("weft_wavefront"))
    {
        let size = format!("{warps}x{threads}");
        let verilog = weft_hdl::wavefront_verilog(warps, threads)
            .map_err(|e| format!("Verilog of the wavefront unit {size}: {e}"))?;
        let design = Design {
            size,
            verilog,
            ports: wavefront_ports(warps, threads),
            specified: "docs/spec/subvector.md",
        };
        let breaks = (warps, threads) == WAVEFRONT_FAULT_SIZE;
        design.models(if breaks { WAVEFRONT_FAULTS } else { &[] }, &mut list)?;
    }
    // The largest cores take half a minute each to compile, and show no test anything that the others do not.
    let most = match cfg!(feature = "large") {
        true => usize::MAX,
        false => 16,
    };
    let cores = weft_hdl::CORES.iter().filter(|(c, _)| c.warps <= most);
    for &(config, dual) in cores.filter(|_| wanted("weft_core")) {
        let size = format!("{}{}", config.shape(), if dual { "d" } else { "" });
        let verilog = weft_hdl::core_verilog(config, dual)
            .map_err(|e| format!("Verilog of the core {size}: {e}"))?;
        let faults = match size.as_str() {
            "4x4" => CORE_FAULTS,
            "2x4x4" => PARTITION_FAULTS,
            _ => &[],
        };
        let design = Design {
            size,
            verilog,
            ports: core_ports(config),
            specified: "docs/spec/core.md and the pages of its units",
        };
        design.models(faults, &mut list)?;
    }
    Ok(list)
}

impl Design {
    /// Sound, and with each of these faults.
    fn models(&self, faults: &'static [Fault], list: &mut Vec<Flat>) -> Result<(), String> {
        list.push(self.model(None)?);
        for fault in faults.iter().filter(|_| cfg!(feature = "faults")) {
            list.push(self.model(Some(fault))?);
        }
        Ok(())
    }

    fn model(&self, fault: Option<&'static Fault>) -> Result<Flat, String> {
        let (verilog, mut name) = (&self.verilog, format!("{}_{}", self.verilog.top, self.size));
        let mut text = verilog.bundle();
        if let Some(fault) = fault {
            text = break_on_purpose(fault, &text)?;
            name = format!("{name}_{}", fault.name);
        }
        let places = layout(verilog);
        let model = Model {
            name,
            top: verilog.top.clone(),
            verilog: text,
            ports: self.ports.clone(),
            specified: self.specified,
            shim: shim(&places),
            waves: fault.is_none(),
            broken: fault.is_some(),
        };
        Ok(Flat {
            size: self.size.clone(),
            fault,
            places,
            model,
        })
    }
}

/// Name and width of every port by docs/spec/barrier.md.
fn barrier_ports(warps: usize, threads: usize) -> Vec<Port> {
    let (nw, wi, w) = (warps as u32, warps.ilog2(), threads as u32);
    let ports = [
        ("clock", true, 1),
        ("reset", true, 1),
        ("cfg_priority", true, 16),
        ("op_valid", true, 1),
        ("op_ready", false, 1),
        ("op_code", true, 4),
        ("op_warp", true, wi),
        ("op_active", true, w),
        ("op_mask", true, w),
        ("op_id", true, 3),
        ("op_word", true, 32),
        ("op_pc", true, 22),
        ("op_cta", true, 4),
        ("op_block", true, wi),
        ("op_threads", true, 12),
        ("verdict_valid", false, 1),
        ("verdict_ready", true, 1),
        ("verdict_warp", false, wi),
        ("verdict_op", false, 3),
        ("verdict_mask", false, w),
        ("verdict_pc", false, 22),
        ("hold", false, nw),
        ("wake_valid", false, 1),
        ("wake_ready", true, 1),
        ("wake_warp", false, wi),
        ("wake_mask", false, w),
        ("wake_pc", false, 22),
        ("error_valid", false, 1),
        ("error_warp", false, wi),
        ("error_mask", false, w),
        ("error_pc", false, 22),
        ("error_id", false, 3),
        ("error_cause", false, 2),
        ("event_valid", false, 1),
        ("event_kind", false, 2),
        ("event_cta", false, 4),
        ("event_id", false, 3),
        ("expired_valid", false, 1),
        ("expired_cta", false, 4),
        ("expired_id", false, 3),
    ];
    ports.map(|(n, i, w)| (n.to_string(), i, w)).to_vec()
}

/// Name and width of every port by docs/spec/subvector.md.
fn wavefront_ports(warps: usize, threads: usize) -> Vec<Port> {
    let part = threads.ilog2();
    let row = warps.ilog2() + part + 5;
    let ports = [
        ("clock", true, 1),
        ("reset", true, 1),
        ("cfg_threshold", true, 9),
        ("cfg_force", true, 2),
        ("cfg_lanes", true, 3),
        ("cfg_shared_from", true, 6),
        ("access_valid", true, 1),
        ("access_miss", true, 1),
        ("access_regular", true, 1),
        ("ask_valid", true, 1),
        ("answer_valid", false, 1),
        ("answer_subvector", false, 1),
        ("decision_valid", false, 1),
        ("decision_subvector", false, 1),
        ("map_valid", true, 1),
        ("map_uses", true, 3),
        ("map_subvector", true, 1),
        ("map_part", true, part),
        ("map_base", true, row),
        ("map_rs1", true, 5),
        ("map_rs2", true, 5),
        ("map_rd", true, 5),
        ("row_valid", false, 1),
        ("row_misuse", false, 3),
        ("row_rs1", false, row),
        ("row_rs2", false, row),
        ("row_rd", false, row),
        ("warp_rows", false, row),
    ];
    ports.map(|(n, i, w)| (n.to_string(), i, w)).to_vec()
}

/// Name and width of every port by docs/spec/scheduler.md.
fn scheduler_ports(size: weft_hdl::Config) -> Vec<Port> {
    let (nw, wi, w) = (size.warps as u32, size.warps.ilog2(), size.threads as u32);
    let lb = size.level_bits as u32;
    let ports = [
        ("clock", true, 1),
        ("reset", true, 1),
        ("cfg_policy", true, 2),
        ("cfg_slow", true, 5),
        ("unit_free", true, 5),
        ("unit_ahead", true, 5),
        ("hold", true, nw),
        ("start_valid", true, 1),
        ("start_warp", true, wi),
        ("start_pc", true, 22),
        ("start_mask", true, w),
        ("start_launch", true, 1),
        ("stop_valid", true, 1),
        ("stop_warp", true, wi),
        ("level_valid", true, 1),
        ("level_warp", true, wi),
        ("level_value", true, lb),
        ("flush", true, 1),
        ("fetch_valid", false, 1),
        ("fetch_ready", true, 1),
        ("fetch_warp", false, wi),
        ("fetch_line", false, 18),
        ("line_valid", true, 1),
        ("line_warp", true, wi),
        ("line_slot", true, 1),
        ("line_data", true, 512),
        ("decode_word0", false, 32),
        ("decode_word1", false, 32),
        ("decode0", true, 23),
        ("decode1", true, 23),
        ("issue_valid", false, 1),
        ("granted_class", false, 5),
        ("issue_warp", false, wi),
        ("issue_pc", false, 22),
        ("issue_mask", false, w),
        ("issue_word", false, 32),
        ("issue_decoded", false, 23),
        ("second_valid", false, 1),
        ("second_word", false, 32),
        ("second_decoded", false, 23),
        ("done0_valid", true, 1),
        ("done0_warp", true, wi),
        ("done0_rd", true, 6),
        ("done1_valid", true, 1),
        ("done1_warp", true, wi),
        ("done1_rd", true, 6),
        ("status_running", false, nw),
        ("status_flight", false, nw),
        ("counter_clear", true, 1),
        ("counter_hold", true, 1),
        ("counter_select", true, wi + 4),
        ("counter_value", false, 32),
    ];
    ports.map(|(n, i, w)| (n.to_string(), i, w)).to_vec()
}

/// Name and width of every port by docs/spec/core.md and the pages of its units: what is not inside.
fn core_ports(size: weft_hdl::Config) -> Vec<Port> {
    let (wi, w) = (size.warps.ilog2(), size.threads as u32);
    let inside = [
        "cfg_slow",
        "unit_free",
        "unit_ahead",
        "hold",
        "granted_class",
        "start_valid",
        "start_warp",
        "start_pc",
        "start_mask",
        "start_launch",
        "stop_valid",
        "stop_warp",
        "level_valid",
        "level_warp",
        "level_value",
    ];
    let mut ports = scheduler_ports(size);
    ports.retain(|(name, ..)| !inside.contains(&name.as_str()));
    let lb = size.level_bits as u32;
    // What each partition has of its own (CORE-031).
    let own = ["decode", "issue_", "second_", "done"];
    let of_one = ports
        .iter()
        .filter(|(name, ..)| own.iter().any(|own| name.starts_with(own)));
    let of_one: Vec<Port> = of_one.cloned().collect();
    for p in 1..size.partitions {
        ports.extend(
            of_one
                .iter()
                .map(|(name, i, w)| (format!("p{p}_{name}"), *i, *w)),
        );
    }
    let from_control = crate::control::ports(size)
        .into_iter()
        .filter(|(name, ..)| {
            let launch_or_issue = name.starts_with("launch_") || name.starts_with("issue_");
            !launch_or_issue && !["clock", "reset"].contains(name)
        });
    let own = [
        ("resolve_pc", true, 22),
        ("cfg_interval", true, 20),
        ("unit_ready", true, 5),
        ("cfg_level_mix", true, 2),
        ("cfg_token_base", true, 32),
        ("cfg_token_size", true, 10),
        ("cta_valid", true, 1),
        ("cta_ready", false, 1),
        ("cta_pc", true, 22),
        ("cta_threads", true, 12),
        ("cta_level", true, lb),
        ("cta_id", true, 16),
        ("cta_refused", false, 1),
        ("cta_refused_id", false, 16),
        ("cta_done", false, 1),
        ("cta_done_id", false, 16),
        ("cta_done_slot", false, 4),
        ("cta_done_failed", false, 1),
        ("program_valid", true, 1),
        ("program_warp", true, wi),
        ("program_level", true, lb),
        ("where_warp", true, wi),
        ("where_cta", false, 4),
        ("where_block", false, wi),
        ("where_first", false, 12),
        ("find_cta", true, 4),
        ("find_block", true, wi),
        ("find_warp", false, wi),
        ("resolve_active", true, w),
        ("resolve_id", true, 3),
        ("resolve_word", true, 32),
        ("verdict_taken", false, 1),
        ("wake_taken", false, 1),
    ];
    let more = from_control.chain(own);
    ports.extend(more.map(|(n, i, w)| (n.to_string(), i, w)));
    // Of the barrier unit all is to be seen but what its operations name, and only the priorities come from outside.
    let hidden = [
        "clock",
        "reset",
        "op_active",
        "op_mask",
        "op_id",
        "op_word",
        "op_pc",
    ];
    let barrier = barrier_ports(size.warps, size.threads).into_iter();
    let barrier = barrier.filter(|(name, ..)| !hidden.contains(&name.as_str()));
    ports.extend(barrier.map(|(name, _, w)| {
        let input = name.starts_with("cfg_");
        (name, input, w)
    }));
    ports
}

struct Place {
    name: String,
    input: bool,
    width: usize,
    /// Index of its first word in the array of its direction.
    at: usize,
}

fn layout(verilog: &Verilog) -> Vec<Place> {
    let mut next = [0, 0];
    let mut places = Vec::new();
    for port in verilog.ports.iter().filter(|p| p.name != "clock") {
        let next = &mut next[usize::from(port.input)];
        places.push(Place {
            name: port.name.clone(),
            input: port.input,
            width: port.width,
            at: *next,
        });
        *next += port.width.div_ceil(64);
    }
    places
}

fn shim(places: &[Place]) -> String {
    let mut text = String::from(
        "// Generated.\n#include \"handle.h\"\n\nextern \"C\" {\n\n\
         void FN(read)(void* p, uint64_t* out) {\n    MODEL* m = static_cast<Handle*>(p)->model;\n",
    );
    for p in places.iter().filter(|p| !p.input) {
        let _ = writeln!(text, "    get(m->{}, out + {});", p.name, p.at);
    }
    text.push_str(
        "}\n\nvoid FN(settle)(void* p, const uint64_t* in, uint64_t* out) {\n    Handle* h = static_cast<Handle*>(p);\n    \
         MODEL* m = h->model;\n    h->enter();\n",
    );
    for p in places.iter().filter(|p| p.input) {
        let _ = writeln!(text, "    put(m->{}, in + {});", p.name, p.at);
    }
    text.push_str("    m->eval();\n    h->stale = false;\n    FN(read)(p, out);\n}\n}\n");
    text
}

/// `flat.rs`: the C functions of every model and the table that `src/issue/flat.rs` includes.
pub fn table(models: &[Flat]) -> String {
    let mut text = String::from("unsafe extern \"C\" {\n");
    for n in models.iter().map(|m| &m.model.name) {
        let _ = writeln!(
            text,
            "    fn {n}_new(seed: c_int) -> *mut c_void;
    fn {n}_delete(model: *mut c_void);
    fn {n}_settle(model: *mut c_void, inputs: *const u64, outputs: *mut u64);
    fn {n}_read(model: *mut c_void, outputs: *mut u64);
    fn {n}_rise(model: *mut c_void);
    fn {n}_fall(model: *mut c_void);
    fn {n}_failed(model: *mut c_void) -> c_int;
    fn {n}_trace(model: *mut c_void, vcd: *mut VcdC);"
        );
    }
    text.push_str("}\n\nstatic MODELS: &[Model] = &[\n");
    for m in models {
        let (n, fault) = (&m.model.name, m.fault.map(|f| (f.name, f.breaks)));
        let _ = writeln!(
            text,
            "    Model {{ top: {:?}, size: {:?}, fault: {fault:?}, new: {n}_new, delete: {n}_delete, settle: {n}_settle, read: {n}_read, \
             rise: {n}_rise, fall: {n}_fall, failed: {n}_failed, trace: {n}_trace, ports: &[",
            m.model.top, m.size
        );
        for p in &m.places {
            let _ = writeln!(
                text,
                "        Port {{ name: {:?}, input: {}, width: {}, at: {} }},",
                p.name, p.input, p.width, p.at
            );
        }
        text.push_str("    ] },\n");
    }
    text.push_str("];\n");
    text
}
