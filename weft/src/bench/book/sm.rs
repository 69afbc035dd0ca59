//! The kernels on the whole SM.

use super::{percent, whole, Page};
use crate::bench::sm::{Setting, SmFigures, SmRow, SmSpeed, VORTEX, VORTEX_VECADD};

/// What was asked: instructions per cycle and cycles of four elements of vecadd at 4 × 4, and cycles per second in
/// lockstep.
const IPC_GOAL: f64 = 0.6;
const VECADD_GOAL: f64 = 40.0;
const SPEED_GOAL: f64 = 100_000.0;

pub fn kernels(page: &mut Page, figures: &SmFigures) {
    page.heading("Kernels on `weft_sm`");
    page.paragraph(
        "`cargo weft bench --only sm` measures all of this: each kernel in lockstep with the golden machine, its result compared with what the inputs say. \
         One CTA of all threads; vectors of 1,000 elements, squares with an edge of 31, the other inputs whole. Cycles are from the launch to its end, launcher and empty caches included. \
         *IPC*: instructions of warps per cycle; a scheduler issues one at most. *Peak*: instructions of threads per cycle and lane; 100 % is every lane in every cycle. *Hits*: of the reads of loads, in the data cache.",
    );
    for (of, text) in [
        (Of::Narrow, "A warp is one pass here, so 1 is the limit of the IPC. Vortex publishes its figures of 4 lanes and 4 warps with caches, of larger inputs, and without the latency of its memory."),
        (Of::Wide, "With W / L passes of a full warp, an IPC of L / W is the limit of full warps. A vector of 1,000 elements is two rounds of 512 threads, so much of it is the launch: four registers of each warp are set first, in W / L passes each."),
    ] {
        let settings: Vec<&Setting> = figures.settings.iter().filter(|s| of.has(s)).collect();
        for pair in settings.chunks(2) {
            setting_pair(page, &of, pair);
        }
        page.paragraph(text);
    }
    vectors(page, figures);
    reasons(page, figures);
    speed(page, &figures.speed);
}

/// What stands in a table.
enum Of {
    Narrow,
    Wide,
}

impl Of {
    fn has(&self, s: &Setting) -> bool {
        match self {
            Of::Narrow => s.threads == s.lanes && s.threads == 4,
            Of::Wide => s.threads != 4,
        }
    }
}

fn cache(s: &Setting) -> String {
    match s.cache {
        0 => "no data cache".into(),
        n => format!("data cache of {n} KiB"),
    }
}

/// Settings of one size beside each other.
fn setting_pair(page: &mut Page, of: &Of, settings: &[&Setting]) {
    let Some(first) = settings.first() else {
        return;
    };
    let commands: Vec<_> = settings
        .iter()
        .map(|s| format!("`{}`", s.command()))
        .collect();
    page.paragraph(&format!("{}:", commands.join(", ")));
    let mut head = vec!["kernel".to_string(), "instructions".into()];
    for s in settings {
        let (cache, latency) = (cache(s), s.memory_latency);
        head.push(format!("{}, {cache}, latency {latency}: cycles", s.shape()));
        head.push("IPC".into());
        head.push("peak".into());
        if s.cache > 0 {
            head.push("hits".into());
        }
    }
    if matches!(of, Of::Narrow) {
        head.push("IPC of Vortex".into());
    }
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let rows = first.rows.iter().map(|row| {
        let name = &*row.kernel;
        let mut cells = vec![name.to_string(), whole(row.instructions)];
        for s in settings {
            cells.extend(s.row(name).into_iter().flat_map(|row| one(s, row)));
        }
        if matches!(of, Of::Narrow) {
            let theirs = VORTEX.iter().find(|(kernel, _)| *kernel == name);
            cells.push(theirs.map_or("–".into(), |(_, ipc)| format!("{ipc:.3}")));
        }
        cells
    });
    page.table(&head, rows);
}

fn one(s: &Setting, row: &SmRow) -> Vec<String> {
    let mut cells = vec![
        whole(row.cycles),
        format!("{:.3}", row.ipc()),
        percent(s.share(row)),
    ];
    if s.cache > 0 {
        cells.push(match row.reads {
            0 => "–".into(),
            reads => percent(row.hits as f64 / reads as f64),
        });
    }
    cells
}

/// Cycles per element, and lines per access.
fn vectors(page: &mut Page, figures: &SmFigures) {
    page.paragraph(&format!(
        "Where the size is a number of elements: cycles of four of them (Vortex takes {VORTEX_VECADD} for vecadd at 4 lanes and 4 warps; at most {VECADD_GOAL} and an IPC of {IPC_GOAL} were asked), \
         lines that an instruction of a warp asks for, and transfers at the memory port per such instruction (each within a line, instruction lines included). Words of 32 threads are two lines, and three where the vector begins within one:"
    ));
    let mut rows = Vec::new();
    for s in &figures.settings {
        for row in &s.rows {
            let Some(four) = row.cycles_of_four() else {
                continue;
            };
            let each = |n: u64| format!("{:.2}", n as f64 / row.accesses.max(1) as f64);
            rows.push(vec![
                row.kernel.to_string(),
                s.shape(),
                cache(s),
                s.memory_latency.to_string(),
                format!("{four:.1}"),
                format!("{:.3}", row.ipc()),
                whole(row.accesses),
                each(row.lines),
                each(row.transfers),
            ]);
        }
    }
    let head = [
        "kernel",
        "size",
        "cache",
        "latency",
        "cycles of four elements",
        "IPC",
        "accesses of warps",
        "lines asked for, each",
        "transfers, each",
    ];
    page.table(&head, rows);
}

/// Of the settings in the picture.
fn reasons(page: &mut Page, figures: &SmFigures) {
    page.paragraph("Where the cycles go, of the warp that is nearest to an issue:");
    let mut head = vec!["size", "kernel", "peak"];
    head.extend(figures.reasons.iter().map(|r| &**r));
    let mut rows = Vec::new();
    for s in figures.settings.iter().filter(|s| s.is_pictured()) {
        for row in &s.rows {
            let mut cells = vec![s.shape(), row.kernel.to_string(), percent(s.share(row))];
            let all: u64 = row.by_reason.iter().sum();
            let shares = row.by_reason.iter();
            cells.extend(shares.map(|n| percent(*n as f64 / all.max(1) as f64)));
            rows.push(cells);
        }
    }
    page.table(&head, rows);
    page.paragraph(
        "With a data cache, latency 20. What each reason means: [sm.md](spec/sm.md), *Cycles by reason*. At 4 × 4 a cycle with an issue is the peak; with W / L passes per full warp the *unit*'s cycles are those in which passes of an earlier instruction are read.",
    );
    page.paragraph(
        "![Share of the lanes' peak, and cycles by reason, of the kernels on `weft_sm`](sm.svg)",
    );
}

fn speed(page: &mut Page, s: &SmSpeed) {
    let load = s.host.load.map_or(String::new(), |load| {
        format!(", with {load:.1} programs running on average in the minute before")
    });
    page.paragraph(&format!(
        "How fast it is simulated (`cargo weft bench --only sm-speed` measures this alone): {}, memory latency {}, all kernels one after the other ({} cycles), per second of processor time, median of {} rounds (lowest to highest), on {} processors of {}{load}:",
        s.size,
        s.memory_latency,
        whole(s.cycles),
        s.rounds,
        s.host.processors,
        s.host.processor
    ));
    let rows = s.rates.iter().map(|r| {
        let p = &r.per_second;
        let of = |n: f64| whole(n.round() as u64);
        let goal = match r.what.contains("lockstep") {
            true => format!("{} asked", of(SPEED_GOAL)),
            false => String::new(),
        };
        let range = format!("{} ({} to {})", of(p.median), of(p.min), of(p.max));
        vec![r.what.to_string(), range, goal]
    });
    page.table(&["", "cycles/s", "goal"], rows);
    let v = &s.ratio.value;
    page.paragraph(&format!(
        "Within a round: {} {:.2} ({:.2} to {:.2}).",
        s.ratio.what, v.median, v.min, v.max
    ));
}
