//! What kernels take on an FPGA.

use super::{percent, whole, Page};
use crate::bench::distance::{of_vortex, LATENCY};
use crate::bench::report::{Block, Report};
use crate::bench::sm::{Setting, SmFigures, SmRow};
use crate::bench::time::{period, placed, roofline, BEAT, VORTEX, VORTEX_PERIOD_NS};

pub fn times(page: &mut Page, report: &Report, figures: &SmFigures) {
    if figures.times.is_empty() {
        return;
    }
    page.heading("Time on one FPGA");
    page.paragraph(&format!(
        "`cargo weft bench --only sm-time --full` measures this. *Time* is cycles times period; the period is that of the whole SM in the board top of the ULX3S, an ECP5 of speed grade 6, placed and routed (`cargo weft bench --only area --units sm --blocks whole`; the best of its seeds). \
         One CTA of all threads, a data cache of 4 KiB, everything in lockstep with the golden machine and its result compared with what the inputs say; the launch and empty caches are in it. \
         *Roofline*: the cycles that nothing can beat, the larger of thread instructions per lane and beats of {BEAT} bytes in either direction, each input read once and each result written once."
    ));
    let sizes = sizes(figures);
    clocks(page, &report.blocks, &sizes);
    compared(page, &report.blocks, figures, &sizes);
    large(page, &report.blocks, figures, &sizes);
    distances(page, figures);
}

/// From an issue to the next one.
fn distances(page: &mut Page, figures: &SmFigures) {
    page.paragraph(&format!(
        "From an issue to the next one, 4 × 4 on 4 lanes, memory latency {LATENCY}, in cycles: what every further piece adds to the turn of a loop. One warp, but where several are named; these then share it:"
    ));
    let rows = figures.distances.iter().map(|d| {
        let theirs = of_vortex(&d.what).to_string();
        vec![d.what.to_string(), format!("{:.1}", d.cycles), theirs]
    });
    page.table(&["what", "cycles", "Vortex"], rows);
}

/// The first setting of each size.
fn sizes(figures: &SmFigures) -> Vec<&Setting> {
    let mut sizes: Vec<&Setting> = Vec::new();
    for setting in &figures.times {
        if !sizes.iter().any(|s| s.size == setting.size) {
            sizes.push(setting);
        }
    }
    sizes
}

fn clocks(page: &mut Page, all: &[Block], sizes: &[&Setting]) {
    let (mut rows, mut without) = (Vec::new(), Vec::new());
    for size in sizes {
        if period(all, size).is_none() {
            without.push(size.shape());
        }
        for block in placed(all, size) {
            let count = |n: Option<u64>| n.map_or("–".into(), whole);
            let path = block.path.as_ref();
            rows.push(vec![
                size.shape(),
                format!("`{}`", block.name),
                count(block.lut4),
                count(block.ff),
                count(block.bram),
                format!("{:.1}", block.mhz),
                format!("{:.1}", 1000.0 / block.mhz),
                path.map_or("–".into(), |p| format!("{} → {}", p.from, p.to)),
                format!("`{}`", block.commit),
            ]);
        }
    }
    if !rows.is_empty() {
        let head = [
            "size",
            "block",
            "LUT4",
            "FF",
            "block RAM",
            "MHz",
            "ns",
            "longest path",
            "at commit",
        ];
        page.table(&head, rows);
    }
    if !without.is_empty() {
        page.paragraph(&format!(
            "Not placed as a whole: {}; of these there are cycles and no times.",
            without.join(", ")
        ));
    }
}

/// `1,234; 56 µs`
fn time(cycles: u64, period: Option<f64>) -> String {
    match period {
        Some(ns) => {
            let micros = (cycles as f64 * ns / 1000.0).round();
            format!("{}; {} µs", whole(cycles), whole(micros as u64))
        }
        None => whole(cycles),
    }
}

/// Kernels of which another core has figures, beside these.
fn compared(page: &mut Page, all: &[Block], figures: &SmFigures, sizes: &[&Setting]) {
    page.paragraph(&format!(
        "Beside Vortex, 4 warps × 4 threads (vortexgpgpu/vortex of February 2025 without float, caches of 16 KiB, a memory 64 bytes wide), under the same Verilator and with the same assembly text of the same kernels. \
         Its period of {VORTEX_PERIOD_NS} ns is an *estimate* over its mapped netlist for the same ECP5, not placed:"
    ));
    let mut head = vec!["kernel, size".to_string(), "latency".into()];
    head.extend(sizes.iter().map(|s| format!("{}: cycles; time", s.shape())));
    head.push("Vortex, 4 × 4: cycles; time".into());
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let rows = VORTEX.iter().map(|&(kernel, size, latency, theirs)| {
        let mut cells = vec![format!("{kernel}, {size}"), latency.to_string()];
        cells.extend(sizes.iter().map(|s| {
            let row = find(figures, s, latency, kernel, size);
            row.map_or("–".into(), |row| time(row.cycles, period(all, s)))
        }));
        cells.push(time(theirs, Some(VORTEX_PERIOD_NS)));
        cells
    });
    page.table(&head, rows);
}

fn find<'a>(
    figures: &'a SmFigures,
    of: &Setting,
    latency: u32,
    kernel: &str,
    size: u32,
) -> Option<&'a SmRow> {
    let same = |s: &&Setting| s.size == of.size && s.memory_latency == latency;
    let rows = &figures.times.iter().find(same)?.rows;
    let same = |row: &&SmRow| row.kernel == kernel && row.size == Some(size);
    rows.iter().find(same)
}

/// What is much longer than its launch, beside the roofline.
fn large(page: &mut Page, all: &[Block], figures: &SmFigures, sizes: &[&Setting]) {
    page.paragraph(
        "Vectors of 64 Ki and squares with an edge of 64, which are much longer than their launch; the share of the roofline in parentheses:",
    );
    let mut head = vec!["kernel, size".to_string(), "latency".into()];
    head.extend(sizes.iter().map(|s| format!("{}: cycles; time", s.shape())));
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let mut latencies: Vec<u32> = figures.times.iter().map(|s| s.memory_latency).collect();
    latencies.sort_unstable();
    latencies.dedup();
    let compared = |row: &&SmRow| {
        let of = |v: &(&str, u32, u32, u64)| row.kernel == v.0 && row.size == Some(v.1);
        VORTEX.iter().any(of)
    };
    let Some(first) = figures.times.first() else {
        return;
    };
    let mut rows = Vec::new();
    for of in first.rows.iter().filter(|row| !compared(row)) {
        let size = of.size.unwrap_or_default();
        for &latency in &latencies {
            let mut cells = vec![
                format!("{}, {}", of.kernel, whole(size.into())),
                latency.to_string(),
            ];
            cells.extend(sizes.iter().map(|s| {
                let row = find(figures, s, latency, &of.kernel, size);
                row.map_or("–".into(), |row| {
                    let share = roofline(s, row).map_or(String::new(), |least| {
                        format!(" ({})", percent(least as f64 / row.cycles.max(1) as f64))
                    });
                    format!("{}{share}", time(row.cycles, period(all, s)))
                })
            }));
            rows.push(cells);
        }
    }
    page.table(&head, rows);
}
