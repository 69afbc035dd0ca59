//! The ports of each unit as its specification has them: written from the pages, and compared with those of the
//! generated Verilog.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use weft_generate::{Config, Design, Unit};
use weft_verilog::TopPort;

/// Name, input, width.
type Port = (String, bool, u32);

/// The ports of a design by the specification, and where that is. `None`: its page is not written down here yet.
fn specified(design: &Design) -> Option<(Vec<Port>, &'static str)> {
    let (warps, threads) = (design.value("warps"), design.value("threads"));
    let config = Config::new(warps, threads, design.value("front"), design.value("back"));
    let plain = |ports: Vec<(&'static str, bool, u32)>| {
        let ports = ports.into_iter();
        ports
            .map(|(name, input, width)| (name.to_string(), input, width))
            .collect()
    };
    Some(match design.unit()? {
        Unit::Control => (plain(control_ports(config)), "docs/spec/control.md"),
        Unit::Core => (
            core_ports(design),
            "docs/spec/core.md and the pages of its units",
        ),
        Unit::Scheduler => (scheduler_ports(design), "docs/spec/scheduler.md"),
        Unit::Barrier => (barrier_ports(warps, threads), "docs/spec/barrier.md"),
        Unit::Wavefront => (wavefront_ports(warps, threads), "docs/spec/subvector.md"),
        Unit::Float => (float_ports(design), "docs/spec/float.md"),
        Unit::Host => (host_ports(design.value("channels")), "docs/spec/host.md"),
        _ => return None,
    })
}

/// # Errors
/// What is different, port by port.
pub fn check(design: &Design, ports: &[TopPort]) -> Result<(), String> {
    let Some((specified, page)) = specified(design) else {
        return Ok(());
    };
    let ports = ports.iter();
    let mut found: BTreeMap<&str, (bool, u32)> = ports
        .map(|p| (p.name.as_str(), (p.input, p.width as u32)))
        .collect();
    let mut wrong = String::new();
    for (name, input, width) in &specified {
        let _ = match found.remove(name.as_str()) {
            Some(port) if port == (*input, *width) => Ok(()),
            Some((i, w)) => writeln!(
                wrong,
                "  {name}: {} {w} bits, specified {} {width} bits",
                direction(i),
                direction(*input)
            ),
            None => writeln!(wrong, "  {name}: missing"),
        };
    }
    for name in found.keys() {
        let _ = writeln!(wrong, "  {name}: not in the specification");
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(format!("ports of {design} differ from {page}:\n{wrong}")),
    }
}

fn direction(input: bool) -> &'static str {
    match input {
        true => "input",
        false => "output",
    }
}

/// Name and width of every port by the specification (docs/spec/control.md, docs/spec/spill.md).
fn control_ports(size: Config) -> Vec<(&'static str, bool, u32)> {
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
fn float_ports(design: &Design) -> Vec<Port> {
    let lanes = design.value("lanes");
    let parts = design.value("threads") / lanes;
    let (warp, part) = (design.value("warps").ilog2(), parts.max(2).ilog2());
    let (lane, row) = (lanes as u32, 32 * lanes as u32);
    let ports = [
        ("clock", true, 1),
        ("reset", true, 1),
        ("third_valid", true, 1),
        ("pass_valid", true, 1),
        ("pass_last", true, 1),
        ("pass_warp", true, warp),
        ("pass_part", true, part),
        ("pass_rd", true, 6),
        ("pass_mask", true, lane),
        ("pass_code", true, 5),
        ("pass_rounding", true, 3),
        ("a", true, row),
        ("b", true, row),
        ("free", false, 1),
        ("idle", false, 1),
        ("result_valid", false, 1),
        ("result_ready", true, 1),
        ("result_warp", false, warp),
        ("result_part", false, part),
        ("result_rd", false, 5),
        ("result_mask", false, lane),
        ("result_data", false, row),
        ("complete_valid", false, 1),
        ("complete_ready", true, 1),
        ("complete_warp", false, warp),
        ("complete_rd", false, 6),
    ];
    ports
        .into_iter()
        .map(|(name, input, width)| (name.to_string(), input, width))
        .collect()
}

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

/// Name and width of every port by docs/spec/host.md.
fn host_ports(channels: usize) -> Vec<Port> {
    let (channel, axi) = (channels.next_power_of_two().ilog2(), 12);
    let inputs = [
        ("clock", 1),
        ("reset", 1),
        ("host_awvalid", 1),
        ("host_awaddr", axi),
        ("host_wvalid", 1),
        ("host_wdata", 32),
        ("host_wstrb", 4),
        ("host_bready", 1),
        ("host_arvalid", 1),
        ("host_araddr", axi),
        ("host_rready", 1),
        ("memory_ready", 1),
        ("memory_done", 1),
        ("memory_error", 1),
        ("memory_read", 32),
        ("launch_done", 1),
        ("launch_code", 8),
        ("launch_place", 32),
        ("forget_done", 1),
        ("reg_read_data", 32),
        ("memory_lost", 1),
        ("memory_given_up", 1),
        ("idle", 1),
        ("tasks_in_slots", 4),
        ("tasks_listed", 1),
        ("task_error", 1),
        ("fault", 1),
        ("interrupt_task_error", 1),
        ("interrupt_fault", 1),
        ("interrupt_complete", 1),
        ("count_spawn", 1),
        ("count_dependent", 1),
        ("count_start", 1),
        ("count_end", 1),
        ("count_evict", 1),
        ("count_complete", 1),
    ];
    let outputs = [
        ("host_awready", 1),
        ("host_wready", 1),
        ("host_bvalid", 1),
        ("host_bresp", 2),
        ("host_arready", 1),
        ("host_rvalid", 1),
        ("host_rdata", 32),
        ("host_rresp", 2),
        ("host_interrupt", 1),
        ("memory_request", 1),
        ("memory_write", 1),
        ("memory_address", 32),
        ("memory_data", 32),
        ("memory_more", 4),
        ("launch_request", 1),
        ("launch_descriptor", 32),
        ("launch_private", 1),
        ("launch_domain", 3),
        ("forget_request", 1),
        ("forget_instructions", 1),
        ("forget_data", 1),
        ("reg_write", 1),
        ("reg_address", axi),
        ("reg_data", 32),
        ("reg_read_address", axi),
        ("memory_end", 32),
        ("thread_end", 32),
        ("memory_timeout", 32),
        ("now", 64),
        ("trace_valid", 1),
        ("trace_channel", channel),
        ("trace_command", 1),
        ("trace_get", 32),
        ("trace_address", 32),
        ("trace_word", 32),
        ("trace_result", 2),
        ("trace_code", 8),
    ];
    let inputs = inputs.map(|(name, width)| (name.to_string(), true, width));
    let outputs = outputs.map(|(name, width)| (name.to_string(), false, width));
    inputs.into_iter().chain(outputs).collect()
}

/// Name and width of every port by docs/spec/scheduler.md.
fn scheduler_ports(design: &Design) -> Vec<Port> {
    let (warps, threads) = (design.value("warps"), design.value("threads"));
    let (nw, wi, w) = (warps as u32, warps.ilog2(), threads as u32);
    let lb = design.value("level_bits") as u32;
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
        ("predict_valid", true, 1),
        ("predict_warp", true, wi),
        ("predict_pc", true, 22),
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
fn core_ports(design: &Design) -> Vec<Port> {
    let size = design.config();
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
        "predict_valid",
        "predict_warp",
        "predict_pc",
        "stop_valid",
        "stop_warp",
        "level_valid",
        "level_warp",
        "level_value",
    ];
    let mut ports = scheduler_ports(design);
    ports.retain(|(name, ..)| !inside.contains(&name.as_str()));
    let lb = design.value("level_bits") as u32;
    // What each partition has of its own (CORE-031).
    let own = ["decode", "issue_", "second_", "done"];
    let own = |port: &&Port| own.iter().any(|own| port.0.starts_with(own));
    let of_one: Vec<Port> = ports.iter().filter(own).cloned().collect();
    for p in 1..design.value("partitions") {
        let of_this = of_one.iter();
        ports.extend(of_this.map(|(name, i, w)| (format!("p{p}_{name}"), *i, *w)));
    }
    let from_control = control_ports(size).into_iter().filter(|(name, ..)| {
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
        ("cfg_slots", true, size.warps as u32),
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A port that is missing, has another width or direction, or is not specified.
    #[test]
    fn every_difference_is_told() {
        let design = Design::of(Unit::Wavefront, Config::usual(4, 4), false).expect("possible");
        let (specified, _) = specified(&design).expect("a page");
        let port = |(name, input, width): &Port| TopPort {
            name: name.clone(),
            input: *input,
            width: *width as usize,
        };
        let right: Vec<_> = specified.iter().map(port).collect();
        assert_eq!(check(&design, &right), Ok(()));
        let mut wrong = right.clone();
        wrong[0].input = false;
        wrong[1].width = 2;
        wrong[2].name = "other".into();
        let text = check(&design, &wrong).expect_err("four differences");
        for line in [
            "clock: output 1 bits, specified input 1 bits",
            "reset: input 2 bits",
            "cfg_threshold: missing",
            "other: not in the specification",
        ] {
            assert!(text.contains(line), "{line}: {text}");
        }
    }
}
