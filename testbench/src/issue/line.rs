//! A cycle at the ports of the scheduler in one line.

use std::fmt::Write as _;
use weft_sim::issue::{Inputs, Outputs};

pub fn line(cycle: u64, i: &Inputs, o: &Outputs) -> String {
    let mut s = format!(
        "{cycle:>7}: policy {} free {:05b} ahead {:05b} running {:x} flight {:x}",
        i.cfg_policy, i.unit_free, i.unit_ahead, o.status_running, o.status_flight
    );
    let mut add = |holds: bool, text: &dyn Fn(&mut String)| {
        if holds {
            s.push_str("; ");
            text(&mut s);
        }
    };
    add(i.reset, &|s| s.push_str("reset"));
    add(o.granted_class != 0, &|s| {
        let _ = write!(s, "granted {:05b}", o.granted_class);
    });
    add(o.issue_valid, &|s| {
        let _ = write!(
            s,
            "issue w{} {:#x} {:?}",
            o.issue_warp, o.issue_pc, o.issue_decoded
        );
    });
    add(o.second_valid, &|s| {
        let _ = write!(s, "second {:?}", o.second_decoded);
    });
    add(o.fetch_valid, &|s| {
        let ready = if i.fetch_ready { "taken" } else { "waits" };
        let _ = write!(s, "fetch w{} {:#x} {ready}", o.fetch_warp, o.fetch_line);
    });
    add(i.line_valid, &|s| {
        let _ = write!(s, "line w{} slot {}", i.line_warp, i.line_slot);
    });
    add(i.start_valid, &|s| {
        let launch = if i.start_launch { " launch" } else { "" };
        let _ = write!(s, "start w{} {:#x}{launch}", i.start_warp, i.start_pc);
    });
    add(i.predict_valid, &|s| {
        let _ = write!(s, "predict w{} {:#x}", i.predict_warp, i.predict_pc);
    });
    add(i.stop_valid, &|s| {
        let _ = write!(s, "stop w{}", i.stop_warp);
    });
    add(i.done0_valid, &|s| {
        let _ = write!(s, "done w{} {:?}", i.done0_warp, i.done0_rd);
    });
    add(i.done1_valid, &|s| {
        let _ = write!(s, "done w{} {:?}", i.done1_warp, i.done1_rd);
    });
    add(i.level_valid, &|s| {
        let _ = write!(s, "level w{} {}", i.level_warp, i.level_value);
    });
    add(i.flush, &|s| s.push_str("flush"));
    s
}
