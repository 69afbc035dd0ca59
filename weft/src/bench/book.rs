//! The page about the figures, docs/performance.md: made of a report, so that no number in it is typed.
//! Beside each figure stands the limit that no design of this kind can pass: one operation per cycle, one token per
//! beat of the token memory.

mod sm;
mod time;

use super::masks::{mode_name, LANES, WARPS, WIDTH};
use super::plot::windows;
use super::report::{
    Area, FloatArea, Issue, IssueRow, KernelRun, Kernels, PartitionRow, Report, Timed,
};
use crate::kernels;
use weft_testbench::bench::{BarrierReport, ControlReport, SpillCost};

/// What was asked of the speeds: thread instructions per second of the model, and lockstep over hardware alone.
const GOLDEN_GOAL: f64 = 20e6;
const LOCKSTEP_GOAL: f64 = 0.5;

struct Page {
    text: String,
}

impl Page {
    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn paragraph(&mut self, text: &str) {
        self.line("");
        self.line(text);
    }

    fn heading(&mut self, text: &str) {
        self.paragraph(&format!("## {text}"));
    }

    fn table(&mut self, head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) {
        self.paragraph(&format!("| {} |", head.join(" | ")));
        self.line(&format!("|{}", " --- |".repeat(head.len())));
        for row in rows {
            self.line(&format!("| {} |", row.join(" | ")));
        }
    }
}

/// `1,234`
fn whole(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// One digit behind the point, where it says something.
fn cycles(number: f64) -> String {
    match number.fract() == 0.0 {
        true => whole(number as u64),
        false => format!("{number:.1}"),
    }
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

fn signed(share: f64) -> String {
    format!("{:+.1} %", 100.0 * share)
}

/// The page. Only what is in the report is on it.
pub fn page(report: &Report) -> String {
    let mut page = Page {
        text: String::new(),
    };
    page.line("# Performance");
    page.paragraph(
        "<!-- Made by `cargo weft bench --from benches/baseline.json --book docs/performance.md --plots docs`. Do not edit: a test compares. -->",
    );
    page.paragraph(&format!(
        "What Weft {} does per cycle, what it costs and how fast it is simulated; what is fast, what is not, and why. `cargo weft bench --all --update --book docs/performance.md --plots docs` measures \
         everything, compares it with `benches/baseline.json` and writes this page from it; no number here is typed by hand.",
        report.weft
    ));
    page.paragraph(
        "Figures in cycles are counted and come out the same in every run. Figures per second are timed on a machine that may do other things meanwhile: trust the ratios within a run, and these to \
         some percent. *Limit* is what no unit of this kind can pass: **one operation per cycle** goes through the pipeline, and **one token per beat** over the port of the token memory, after its latency.",
    );
    summary(&mut page, report);
    if let Some(control) = &report.control {
        issue_rates(&mut page, control);
        latencies(&mut page, control);
        spill(&mut page, control);
    }
    if let Some(barrier) = &report.barrier {
        barriers(&mut page, barrier);
    }
    if let Some(kernels) = &report.kernels {
        kernel_costs(&mut page, kernels, report);
    }
    if let Some(issue) = &report.issue {
        core(&mut page, issue);
    }
    if report.masks.is_some() {
        styles(&mut page, report);
    }
    if let Some(figures) = &report.sm {
        sm::kernels(&mut page, figures);
        time::times(&mut page, report, figures);
    }
    if let Some(speed) = &report.speed {
        speeds(&mut page, speed);
    }
    if !report.area.is_empty() {
        area(&mut page, &report.area);
    }
    if !report.float_area.is_empty() {
        float_area(&mut page, &report.float_area);
    }
    page.text
}

/// What kernels take on an FPGA, alone.
pub fn times(report: &Report) -> String {
    let mut page = Page {
        text: String::new(),
    };
    if let Some(figures) = &report.sm {
        time::times(&mut page, report, figures);
    }
    page.text
}

/// The figures that say most, each in one line.
fn summary(page: &mut Page, report: &Report) {
    let mut fast = Vec::new();
    let mut slow = Vec::new();
    if let Some(c) = &report.control {
        // The fewest warps with which every mix is at the limit.
        let full = |warps: usize| {
            let of = c.issue_rates.iter().filter(|r| r.warps == warps);
            of.clone().count() > 0 && of.into_iter().all(|r| r.issues_per_cycle > 0.99)
        };
        if let Some(warps) = (1..=c.warps).find(|&n| full(n)) {
            fast.push(format!(
                "With {warps} warps and more, `weft_control` issues in every cycle, control operations included."
            ));
        }
        if let Some(worst) = c.latencies.iter().max_by_key(|l| l.cycles) {
            let best = c.latencies.iter().map(|l| l.cycles).min().unwrap_or(0);
            slow.push(format!(
                "One warp alone issues every {best} cycles, and after \"{}\" in {}: nothing is forwarded from one stage to an earlier one.",
                worst.operation, worst.cycles
            ));
        }
        if let Some(s) = c.spill.last() {
            if let Some(&(depth, measured)) = s.leave.last() {
                slow.push(format!(
                    "A LEAVE that is caught by token {depth}, in a memory of {} cycles, takes {} cycles ({:.1} × the limit): one burst as large as the scratch places goes after the other.",
                    s.memory_latency,
                    whole(measured),
                    measured as f64 / leave_limit(c.front, depth, s.memory_latency) as f64
                ));
            }
        }
    }
    if let Some(b) = &report.barrier {
        if let Some(all) = b.latencies.first() {
            fast.push(format!(
                "All {} warps held at a barrier go on {} cycles after the last arrival.",
                b.warps,
                cycles(all.cycles)
            ));
        }
        let slowest = b.latencies.iter();
        if let Some(l) = slowest.max_by(|a, b| a.cycles.total_cmp(&b.cycles)) {
            slow.push(format!(
                "Barriers: {} takes {} cycles; the tables of the barrier unit are memories that are read and written for one thing at a time.",
                l.what,
                cycles(l.cycles)
            ));
        }
    }
    if let Some(k) = &report.kernels {
        let default = default_front();
        let worst = k
            .rows
            .iter()
            .filter_map(|row| Some((row, row.overheads().find(|o| o.0 == default)?.1)));
        if let Some((row, worst)) = worst.max_by(|a, b| a.1.total_cmp(&b.1)) {
            fast.push(match worst > 0.0 {
                true => format!(
                    "A window of {default} tokens costs the kernels at most {} ({}) against the largest one.",
                    signed(worst),
                    row.kernel
                ),
                false => format!("With a window of {default} tokens no kernel takes more cycles than with the largest one."),
            });
        }
    }
    if let Some(i) = &report.issue {
        let all: Vec<&IssueRow> = i
            .programs()
            .into_iter()
            .flat_map(|(_, rows)| rows)
            .collect();
        let most = all.iter().map(|r| r.warps).max().unwrap_or(0);
        let first = all.first().map(|r| r.policy.clone());
        let rows = all
            .into_iter()
            .filter(|r| r.warps == most && r.width == 1 && Some(&r.policy) == first.as_ref());
        let (waiting, free): (Vec<_>, Vec<_>) = rows.partition(|r| kernels::waits(&r.program));
        let least = |rows: Vec<&IssueRow>| {
            rows.into_iter()
                .min_by(|a, b| a.ipc.total_cmp(&b.ipc))
                .cloned()
        };
        if let Some(least) = least(free) {
            fast.push(format!(
                "`weft_core` with {most} warps issues at least {:.2} instructions per cycle of programs without barriers ({}), of a limit of 1.",
                least.ipc, least.program
            ));
        }
        if let Some(least) = least(waiting) {
            slow.push(format!(
                "Where threads wait for each other less is issued: {:.2} instructions per cycle of {} with {most} warps. A critical section has one thread at a time, and its turns pass through the scheduler's whole pipeline.",
                least.ipc, least.program
            ));
        }
        let lone = i.rows.iter().filter(|r| r.warps == 1);
        if let Some(least) = lone.min_by(|a, b| a.ipc.total_cmp(&b.ipc)) {
            slow.push(format!(
                "One warp alone on `weft_core` issues {:.2} instructions per cycle of {}: a jump waits for its resolve, and often for a line.",
                least.ipc, least.program
            ));
        }
    }
    let fmax = report.area.iter();
    if let Some(a) = fmax.min_by(|a, b| a.fmax_mhz.median.total_cmp(&b.fmax_mhz.median)) {
        slow.push(format!(
            "The lowest clock is that of {}, {:.0} MHz; {} of its longest path is routing.",
            a.name(),
            a.fmax_mhz.median,
            percent(a.path.routing_ns / (a.path.routing_ns + a.path.logic_ns))
        ));
    }
    for (title, list) in [("What is fast", fast), ("What is not", slow)] {
        if !list.is_empty() {
            page.heading(title);
            page.line("");
            list.iter().for_each(|l| page.line(&format!("- {l}")));
        }
    }
}

fn issue_rates(page: &mut Page, c: &ControlReport) {
    page.heading(&format!(
        "Issue rate of `weft_control`, {} × {}, lanes answer at once",
        c.warps, c.threads
    ));
    let mut warps: Vec<usize> = c.issue_rates.iter().map(|r| r.warps).collect();
    warps.sort_unstable();
    warps.dedup();
    let mut head = vec!["issues per cycle, warps".to_string()];
    head.extend(warps.iter().map(usize::to_string));
    head.push("limit".into());
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let rows = c.issue_rates.chunk_by(|a, b| a.mix == b.mix).map(|rows| {
        let mut cells = vec![rows[0].mix.to_string()];
        cells.extend(rows.iter().map(|r| format!("{:.2}", r.issues_per_cycle)));
        cells.push("1".into());
        cells
    });
    page.table(&head, rows);
    page.paragraph("A warp is in the pipeline with one operation at a time, so few warps leave cycles empty; any other warps fill them.");
}

fn latencies(page: &mut Page, c: &ControlReport) {
    page.heading("Latency of every operation, one warp alone");
    let rows = c
        .latencies
        .iter()
        .map(|l| vec![l.operation.to_string(), whole(l.cycles), "1".into()]);
    page.table(
        &["from the resolve to the next issue", "cycles", "limit"],
        rows,
    );
    page.paragraph("The stages between: take the answer and read the warp's state, one pass over it, back to the queue of ready warps. A YIELD takes a pass more: one looks for tokens to merge with, the next one goes on.");
}

/// Beats and latency of a search down to this token: what does not stand on chip is read, and what it passes there is
/// written back.
fn leave_limit(front: usize, depth: usize, latency: u32) -> u64 {
    let stored = depth.saturating_sub(front) as u64;
    match stored {
        0 => 1,
        n => 2 * n - 1 + u64::from(latency),
    }
}

fn spill(page: &mut Page, c: &ControlReport) {
    page.heading(&format!(
        "Tokens in memory: one warp alone, window of {} + {}",
        c.front, c.back
    ));
    let mut head = vec!["cycles, measured / limit; latency of the memory".to_string()];
    head.extend(c.spill.iter().map(|s| s.memory_latency.to_string()));
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let cells = |name: &str, cell: &dyn Fn(&SpillCost) -> String| {
        let mut row = vec![name.to_string()];
        row.extend(c.spill.iter().map(cell));
        row
    };
    let with_one = |n: f64| format!("{} / 1", cycles(n));
    let mut rows = vec![
        cells("PUSH, room on chip", &|s| with_one(s.push_in_window)),
        cells("PUSH after PUSH", &|s| with_one(s.push_spilling)),
        cells("LEAVE that pops, next token on chip", &|s| {
            with_one(s.pop_in_window)
        }),
        cells("LEAVE after LEAVE", &|s| with_one(s.pop_filling)),
    ];
    let depths = c.spill.first().map_or(&[][..], |s| &s.leave);
    for (n, &(depth, _)) in depths.iter().enumerate() {
        rows.push(cells(&format!("LEAVE caught by token {depth}"), &|s| {
            let limit = leave_limit(c.front, depth, s.memory_latency);
            format!("{} / {}", whole(s.leave[n].1), whole(limit))
        }));
    }
    page.table(&head, rows);
    page.paragraph(
        "In a row, one token per operation has to cross the port, which could be one per cycle; what is lost is that a warp has one job in flight and moves half a window with it (SPILL-032), so every half window waits \
         for one answer of the memory. A search is worse (and its limit here is for a full front ring; after a spill fewer tokens stand there): it reads as many tokens as there are scratch places, writes each back whose mask it changes, and only then reads on. Other warps are not held up by any of this.",
    );
}

fn barriers(page: &mut Page, b: &BarrierReport) {
    page.heading(&format!("Barriers, {} × {}", b.warps, b.threads));
    let rows = b.latencies.iter().map(|l| {
        // A turn is an operation and a wake.
        let limit = if l.what.starts_with("wake to wake") {
            "2"
        } else {
            "1"
        };
        vec![l.what.to_string(), cycles(l.cycles), limit.into()]
    });
    page.table(&["at the ports of `weft_barrier`", "cycles", "limit"], rows);
    page.paragraph(
        "Warps that wait as a whole are held by one bit each and let go together. Threads that sleep apart are found in the tables, warp by warp, by the same engine that takes the operations: it does one thing at a time, \
         in several steps, because its tables are memories with a cycle of latency.",
    );
}

fn default_front() -> usize {
    let default = weft_generate::Config::NAMED
        .iter()
        .find(|n| n.0 == "default");
    default.map_or(8, |n| n.1.front)
}

fn kernel_costs(page: &mut Page, k: &Kernels, report: &Report) {
    page.heading(&format!(
        "Kernels on `weft_control`, {} × {}, token memory of {} cycles",
        k.warps, k.threads, k.memory_latency
    ));
    let default = default_front();
    let mut head: Vec<String> = [
        "kernel",
        "instructions",
        "cycles",
        "per instruction",
        "limit",
    ]
    .map(Into::into)
    .to_vec();
    let fronts: Vec<usize> = k
        .rows
        .first()
        .map_or(&[][..], |r| &r.runs)
        .iter()
        .map(|r| r.front)
        .collect();
    head.extend(fronts.iter().map(|f| format!("K = {f}")));
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let rows = k.rows.iter().filter_map(|row| {
        let of = |r: &&KernelRun| r.front == default;
        let run = row.runs.iter().find(of).or(row.runs.last())?;
        let mut cells = vec![
            row.kernel.to_string(),
            whole(run.instructions),
            whole(run.cycles),
            format!("{:.2}", run.cycles as f64 / run.instructions.max(1) as f64),
            "1".into(),
        ];
        cells.extend(row.overheads().map(|(_, over)| signed(over)));
        Some(cells)
    });
    page.table(&head, rows);
    page.paragraph(&format!(
        "Instructions and cycles with K = {default}; the columns behind say how many more cycles it takes than with the largest window. Kernels with locks vary either way, because with other timing other threads win. \
         Where an instruction takes much more than a cycle, few warps have work: the others have ended or wait for a lock."
    ));
    page.paragraph(match windows(report).len() {
        0 | 1 => "![What the kernels lose, over the size of the window](window.svg)",
        _ => "![Cells, block RAM and clock over the size of the window, and what the kernels lose](window.svg)",
    });
}

fn core(page: &mut Page, i: &Issue) {
    page.heading(&format!("Kernels on `weft_core`, {}", i.size()));
    let mut columns: Vec<usize> = i.rows.iter().map(|r| r.warps).collect();
    columns.sort_unstable();
    columns.dedup();
    let mut programs: Vec<&str> = Vec::new();
    let mut policies: Vec<&str> = Vec::new();
    for row in &i.rows {
        for (list, name) in [(&mut programs, &row.program), (&mut policies, &row.policy)] {
            if !list.contains(&&**name) {
                list.push(name);
            }
        }
    }
    let find = |program: &str, policy: &str, warps: usize, width: usize| -> Option<&IssueRow> {
        i.rows.iter().find(|r| {
            (&*r.program, &*r.policy, r.warps, r.width) == (program, policy, warps, width)
        })
    };
    let ipc = |row: Option<&IssueRow>| row.map_or("–".into(), |r| format!("{:.2}", r.ipc));
    let (Some(&most), Some(&first)) = (columns.last(), policies.first()) else {
        return;
    };
    page.paragraph(&format!(
        "Instructions per cycle over the number of warps that have work, on the core of {}; the other warps are never launched.",
        i.size()
    ));
    let mut head = vec!["single / dual issue; warps".to_string(), "policy".into()];
    head.extend(columns.iter().map(usize::to_string));
    head.push("limit".into());
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let rows = programs.iter().flat_map(|program| {
        policies.iter().map(|policy| {
            let mut cells = vec![program.to_string(), policy.to_string()];
            cells.extend(columns.iter().map(|&at| {
                let of = |width| ipc(find(program, policy, at, width));
                format!("{} / {}", of(1), of(2))
            }));
            cells.push("1 / 2".into());
            cells
        })
    });
    page.table(&head, rows);
    page.paragraph("![Instructions per cycle over warps, by policy and width](ipc.svg)");

    partitions(page, i, &programs);

    page.paragraph(&format!(
        "Where the cycles of {most} warps go ({}) under {first}, single issue, and what the other policies come to:",
        i.size()
    ));
    let mut head: Vec<String> = vec!["program".into()];
    head.extend(i.reasons.iter().map(ToString::to_string));
    head.extend(policies.iter().map(|p| format!("IPC, {p}")));
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let rows = programs.iter().map(|program| {
        let mut cells = vec![program.to_string()];
        if let Some(row) = find(program, first, most, 1) {
            cells.extend(row.shares.map(percent));
        }
        cells.extend(policies.iter().map(|p| ipc(find(program, p, most, 1))));
        cells
    });
    page.table(&head, rows);
    page.paragraph(
        "ISSUE is the limit; the others are why a cycle passes without one: UNIT (busy, or granted already), HAZARD (a register is awaited), FETCH (no line there), CONTROL (a control instruction is not resolved yet), IDLE. \
         Greedy-then-oldest gives one warp every slot that it can take, so its own gaps stay open. Dual issue helps where instructions of two classes stand side by side: two of one class never go together, nor does anything behind a control instruction (SCHED-021).",
    );
    page.paragraph("![Cycles by reason](stalls.svg)");

    let rows = i.lone_warp.iter().map(|l| {
        let mut cells = vec![
            l.what.to_string(),
            l.width.to_string(),
            l.resolve.to_string(),
        ];
        cells.push(format!("{:.2}", l.cycles));
        cells.push(format!("{}", 1.0 / l.width as f64));
        cells
    });
    page.paragraph("One warp alone, from an issue to the next one, cycles per instruction:");
    let mut head = vec!["what", "width", "resolve after"];
    let size = i.size();
    head.extend([&*size, "limit"]);
    page.table(&head, rows);
    page.paragraph("From a grant to the next one of the same warp there are three cycles. Nothing is predicted: after a control instruction, taken or not, resolve, convergence unit, supply and picker stand in line, and for a line that is not there the memory.");
}

/// Instructions per cycle of several partitions.
fn partitions(page: &mut Page, i: &Issue, programs: &[&str]) {
    let mut columns: Vec<(usize, usize)> = i
        .partitions
        .iter()
        .map(|r| (r.partitions, r.warps))
        .collect();
    columns.sort_unstable();
    columns.dedup();
    if columns.is_empty() {
        return;
    }
    let of = |program: &str, at: (usize, usize)| {
        let fits = |r: &&PartitionRow| (&*r.program, (r.partitions, r.warps)) == (program, at);
        let row = i.partitions.iter().find(fits);
        row.map_or("–".into(), |r| format!("{:.2}", r.ipc))
    };
    let mut head = vec!["program".to_string()];
    head.extend(
        columns
            .iter()
            .map(|(partitions, warps)| format!("{warps} warps, {partitions} × {}", i.size())),
    );
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let rows = programs.iter().map(|program| {
        let mut cells = vec![program.to_string()];
        cells.extend(columns.iter().map(|&at| of(program, at)));
        cells
    });
    page.paragraph("Several partitions, under age, single issue; each issues one instruction per cycle at most:");
    page.table(&head, rows);
    page.paragraph("ALU and multiply are each partition's own. Load and store, special and barrier instructions are shared: each of these classes comes to one instruction per cycle in all (CORE-032).");
}

fn styles(page: &mut Page, report: &Report) {
    let Some(m) = &report.masks else { return };
    page.heading("Tokens, execution masks, predication");
    page.paragraph(&format!(
        "Cycles on {WIDTH} lanes are those of `weft_core` 16x32, under age; on {LANES} lanes, and of the modes, those of the model with a simple clock. {WIDTH} threads per warp. The limit is one instruction per cycle on {WIDTH} lanes, and on {LANES} lanes one part of a warp (of those with a thread that is on) per cycle. What it means: [masks.md](masks.md)."
    ));
    let rows = m.styles.iter().map(|r| {
        let skip = match (&*r.style, r.skip) {
            ("token", _) => "",
            (_, true) => ", skips",
            (_, false) => ", no skips",
        };
        vec![
            r.kernel.to_string(),
            format!("{}{skip}", r.style),
            whole(r.instructions),
            percent(r.simd_efficiency),
            format!("{} / {}", whole(r.warps), whole(r.warps_instructions)),
            format!("{} / {}", whole(r.warps_narrow), whole(r.warps_parts)),
            format!("{} / {}", whole(r.one_warp), whole(r.instructions)),
        ]
    });
    let wide = format!("{WARPS} warps, {WIDTH} lanes / limit");
    let narrow = format!("{WARPS} warps, {LANES} lanes / limit");
    let head = [
        "kernel",
        "style",
        "instructions of a warp",
        "SIMD efficiency",
        &wide,
        &narrow,
        "1 warp / limit",
    ];
    page.table(&head, rows);
    page.paragraph("Regular and sub-vector mode; the limit is one part of a warp per cycle, or that every missed cache line takes the memory for its beats, whichever is more:");
    let rows = m.modes.iter().map(|r| {
        vec![
            r.kernel.to_string(),
            mode_name(r.mode).to_string(),
            format!(
                "{} / {}",
                whole(r.cycles),
                whole(r.parts.max(r.misses * m.beat))
            ),
            whole(r.accesses),
            whole(r.misses),
            r.resident.to_string(),
        ]
    });
    page.table(
        &[
            "kernel",
            "mode",
            "cycles / limit",
            "accesses",
            "misses",
            "resident warps",
        ],
        rows,
    );
    let losses = m.losses();
    let text: Vec<String> = losses
        .iter()
        .map(|(kernel, loss)| format!("{kernel} {}", signed(*loss)))
        .collect();
    page.paragraph(&format!(
        "The measured choice against the better mode: {}.",
        text.join(", ")
    ));
}

fn speeds(page: &mut Page, t: &Timed) {
    let s = &t.speed;
    page.heading("Simulation speed");
    let load = match t.host.load {
        Some(load) => format!(", with {load:.1} programs running on average in the minute before"),
        None => String::new(),
    };
    page.paragraph(&format!(
        "Timed, per second of processor time: hardware of {} ({}), median of {} rounds (lowest to highest), on {} processors of {}{load}. Everything is in every round, so the ratios are of one run; the reference loop is plain arithmetic and loads, \
         for comparing machines.",
        s.size,
        s.engine.name(),
        s.rounds,
        t.host.processors,
        t.host.processor
    ));
    let million = |n: f64| match n / 1e6 {
        n if n < 10.0 => format!("{n:.2}"),
        n => format!("{n:.0}"),
    };
    let rows = s.rates.iter().map(|r| {
        let p = &r.per_second;
        let (low, high) = (million(p.min), million(p.max));
        let goal = match r.what.starts_with("golden") {
            true => format!("{} asked", million(GOLDEN_GOAL)),
            false => String::new(),
        };
        vec![
            r.what.to_string(),
            format!("million {}/s", r.unit),
            format!("{} ({low} to {high})", million(p.median)),
            goal,
        ]
    });
    page.table(&["", "unit", "median (range)", "goal"], rows);
    let rows = s.ratios.iter().map(|r| {
        let v = &r.value;
        let digits = |n: f64| match n {
            n if n < 10.0 => format!("{n:.2}"),
            n => format!("{n:.1}"),
        };
        let range = format!(
            "{} ({} to {})",
            digits(v.median),
            digits(v.min),
            digits(v.max)
        );
        let limit = match r.what.starts_with("lockstep / hardware alone") {
            true => format!("1; {LOCKSTEP_GOAL} asked"),
            false if r.what.starts_with("lockstep") => "1".into(),
            false => String::new(),
        };
        vec![r.what.to_string(), range, limit]
    });
    page.table(
        &["ratio within a round", "median (range)", "limit, goal"],
        rows,
    );
    page.paragraph("Lockstep runs the same hardware and lanes and the model beside them, so it cannot be faster than these alone. *Hardware alone* has the cheapest testbench there is: what is between the two is mostly the lanes, which execute every instruction thread by thread.");
}

fn area(page: &mut Page, rows: &[Area]) {
    page.heading("Area and clock");
    if let Some(a) = rows.first() {
        page.paragraph(&format!(
            "{}; yosys {}, nextpnr {}; register harness subtracted, Fmax of one placement or the median of several (lowest to highest). The path is the longest one of that placement. No limit stands here: it is the delay of one LUT and its wires, times \
             the levels of the path.",
            a.part,
            a.tools.yosys,
            a.tools.nextpnr
        ));
    }
    let mut sorted: Vec<&Area> = rows.iter().collect();
    // By unit in the order of the code map, then by size.
    let place = |a: &Area| {
        let units = weft_generate::Unit::ALL.iter();
        units.map(|u| u.top()).position(|top| top == a.unit)
    };
    sorted.sort_by_key(|a| (place(a), a.warps, a.threads, a.front, a.dual));
    let cells = sorted.iter().map(|a| {
        let f = &a.fmax_mhz;
        vec![
            format!("`{}`", a.unit),
            format!("{}{}", a.size, if a.dual { ", dual" } else { "" }),
            whole(a.lut4),
            whole(a.comb),
            whole(a.ff),
            a.bram.to_string(),
            a.dsp.to_string(),
            match f.seeds.len() {
                1 => format!("{:.0}", f.median),
                _ => format!("{:.0} ({:.0} to {:.0})", f.median, f.min, f.max),
            },
            format!(
                "{} → {}, {}",
                a.path.from,
                a.path.to,
                percent(a.path.routing_ns / (a.path.routing_ns + a.path.logic_ns))
            ),
            format!("`{}`", a.flow),
        ]
    });
    page.table(
        &[
            "unit",
            "size",
            "LUT4",
            "LUT4 incl. carry and LUT RAM",
            "FF",
            "block RAM",
            "DSP",
            "Fmax, MHz",
            "longest path, routing in it",
            "mapped by",
        ],
        cells,
    );
}

fn float_area(page: &mut Page, rows: &[FloatArea]) {
    page.heading("What float costs");
    page.paragraph(
        "`cargo weft bench --only float-area` measures this: the datapath of `weft_sm`, which has the float unit in it, mapped alone for an ECP5 (`--mapper small`, wires of 0.6 ns) and not placed. \
         FLOAT is the number of lanes with float; the other blocks of the SM are the same with and without. The path is an estimate, of which a placed one takes 0.82 to 1.06. \
         What half rate costs in cycles: [spec/float.md](spec/float.md).",
    );
    let mut sorted: Vec<&FloatArea> = rows.iter().collect();
    sorted.sort_by_key(|f| (f.threads, f.warps, f.lanes, f.float));
    let cells = sorted.iter().map(|f| {
        let without = sorted
            .iter()
            .find(|o| (o.warps, o.threads, o.lanes, o.float) == (f.warps, f.threads, f.lanes, 0));
        let share = without.map(|o| f.lut4 as f64 / o.lut4 as f64 - 1.0);
        vec![
            format!("{} × {} on {} lanes", f.warps, f.threads, f.lanes),
            f.float.to_string(),
            whole(f.lut4),
            match share {
                Some(share) if f.float > 0 => signed(share),
                _ => "–".into(),
            },
            whole(f.carry),
            whole(f.ff),
            f.bram.to_string(),
            whole(f.lutram),
            f.dsp.to_string(),
            format!("{:.1}", f.ns),
            format!("`{}`", f.commit),
        ]
    });
    page.table(
        &[
            "size",
            "FLOAT",
            "LUT4",
            "beside 0",
            "carry",
            "FF",
            "block RAM",
            "LUT RAM",
            "DSP",
            "longest path, ns",
            "at commit",
        ],
        cells,
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn committed(file: &str) -> PathBuf {
        PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("..")
            .join(file)
    }

    fn text(file: &str) -> String {
        std::fs::read_to_string(committed(file)).unwrap()
    }

    fn baseline() -> Report {
        serde_json::from_str(&text("benches/baseline.json")).unwrap()
    }

    const AGAIN: &str =
        "run `cargo weft bench --from benches/baseline.json --book docs/performance.md --plots docs`";

    #[test]
    fn the_committed_page_is_made_of_the_baseline() {
        let page = page(&baseline());
        let committed = text("docs/performance.md");
        let differs = page.lines().zip(committed.lines()).find(|(a, b)| a != b);
        assert_eq!(differs, None, "{AGAIN}");
        assert_eq!(page, committed, "{AGAIN}");
    }

    #[test]
    fn the_committed_pictures_are_made_of_the_baseline() {
        let directory = tempfile::tempdir().unwrap();
        let drawn = super::super::plot::draw(&baseline(), directory.path()).unwrap();
        assert_eq!(drawn, ["window.svg", "ipc.svg", "stalls.svg", "sm.svg"]);
        for name in drawn {
            let made = std::fs::read_to_string(directory.path().join(name)).unwrap();
            assert!(made == text(&format!("docs/{name}")), "{name}: {AGAIN}");
        }
    }

    /// A number in the page is one of the report: change it there, and the page changes.
    #[test]
    fn the_page_follows_the_report() {
        let mut report = baseline();
        let before = page(&report);
        report.barrier.as_mut().unwrap().latencies[0].cycles = 777.0;
        let after = page(&report);
        assert_ne!(before, after);
        assert_eq!(
            after.matches("777").count() - before.matches("777").count(),
            3
        );
    }

    #[test]
    fn the_baseline_has_every_section_and_every_unit() {
        use crate::cli::Section;
        use clap::ValueEnum;
        let baseline = baseline();
        for section in Section::value_variants() {
            assert!(baseline.has(*section), "{}", section.name());
        }
        use weft_generate::Unit;
        // A token memory is block RAM and nothing else; of the SM there are blocks; of the GPU, the host front end, task
        // management and the float unit there is no figure here yet, which their pages say.
        let without = [
            Unit::TokenMemory,
            Unit::Gpu,
            Unit::Sm,
            Unit::Host,
            Unit::Tasks,
            Unit::Float,
        ];
        for unit in Unit::ALL.iter().filter(|u| !without.contains(u)) {
            let there = baseline.area.iter().any(|a| a.unit == unit.top());
            assert!(there, "{}", unit.top());
        }
    }

    #[test]
    fn limits_of_a_search() {
        assert_eq!(leave_limit(8, 8, 100), 1);
        assert_eq!(leave_limit(8, 9, 100), 101);
        assert_eq!(leave_limit(8, 16, 20), 15 + 20);
    }
}
