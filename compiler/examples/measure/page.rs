//! The page, docs/lowering.md: made of what was measured, so that no number in it is typed.

use crate::kernels::{Kernel, Time, TOLD, WAYS};
use crate::programs::{geometric_mean, Programs, LOWERS, WARPS};
use crate::run::Run;
use crate::styles::Style;
use crate::support::share;
use crate::support::waiting::{Taken, ERRORS, FACTOR, MOST_ORDERS, ORDERS};
use crate::waiting::{shown, Row};
use std::fmt::Write as _;

struct Page(String);

impl Page {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.0, "{text}");
    }

    fn table(&mut self, head: &[String], rows: Vec<Vec<String>>) {
        self.line("");
        self.line(&format!("| {} |", head.join(" | ")));
        self.line(&format!("|{}", " --- |".repeat(head.len())));
        for row in rows {
            self.line(&format!("| {} |", row.join(" | ")));
        }
        self.line("");
    }
}

fn words(all: &[&str]) -> Vec<String> {
    all.iter().map(ToString::to_string).collect()
}

fn run(run: &Run) -> String {
    format!("{} ({:.2})", run.cycles, run.efficiency)
}

pub fn text(
    programs: &[Programs],
    kernels: &[Kernel],
    styles: &[Style],
    waiting: &[Row],
    times: &[Time],
) -> String {
    let mut page = Page(String::new());
    page.line("# What lowering wins");
    page.line("");
    page.line(
        "<!-- Made by `cargo run --release -p weft-compiler --example measure -- --programs 500",
    );
    page.line("     --page docs/lowering.md --plots docs`. Do not edit. -->");
    page.line("");
    page.line("Golden model, warps of 32 threads, under the clock of `sim/src/timing.rs`: a lone warp goes on after 3 cycles,");
    page.line("and after 13 when the convergence unit was asked, as `weft_core` does. What the words mean: [compiler.md](spec/compiler.md).");
    random_programs(&mut page, programs);
    of_kernels(&mut page, kernels);
    of_styles(&mut page, styles);
    of_shares(&mut page);
    of_waiting(&mut page, waiting);
    compile_time(&mut page, times);
    page.0
}

fn random_programs(page: &mut Page, programs: &[Programs]) {
    page.line("");
    page.line("## Random programs");
    page.line("");
    page.line("Random C programs at -O2 (`compiler/tests/support/c_programs.rs`); how many times as fast as `--lower none`.");
    page.line("The compiler tries launches of 1 and 16 warps itself (COMP-071), looks at one of 7 at the end (COMP-077),");
    page.line("and has not seen one of 5.");
    page.line("");
    page.line("![speeds, sorted](lowering.svg)");
    let mut rows = Vec::new();
    for all in programs {
        for (lower, by_warps) in LOWERS.iter().zip(&all.cycles) {
            for (warps, list) in WARPS.iter().zip(by_warps) {
                let Some((first, last)) = list.first().zip(list.last()) else {
                    continue;
                };
                let slower = list.iter().filter(|&&speed| speed < 0.99).count();
                rows.push(vec![
                    all.compiler.clone(),
                    lower.to_string(),
                    warps.to_string(),
                    format!("{:.3}", geometric_mean(list)),
                    format!("{first:.3}"),
                    format!("{:.3}", list[list.len() / 2]),
                    format!("{last:.2}"),
                    format!("{slower} of {}", list.len()),
                ]);
            }
        }
    }
    let head = [
        "compiler",
        "lowering",
        "warps",
        "geometric mean",
        "worst",
        "median",
        "best",
        "slower by more than 1 %",
    ];
    page.table(&words(&head), rows);
    for all in programs {
        let (mean, median) = all.efficiency;
        let reach = all.of_bound.iter().filter(|&&share| share >= 0.9).count();
        page.line(&format!(
            "{}: {} programs; SIMD efficiency without lowering {mean:.2} in the mean, {median:.2} in the median.",
            all.compiler, all.count
        ));
        let good = all.of_best.iter().filter(|&&share| share >= 0.9).count();
        page.line(&format!(
            "*auto* reaches {:.3} (geometric mean) of the speed of the tokens at immediate post-dominators that an oracle places which runs this very input, each token charged with the cycles of its pushes and leaves, conditions computed or not (COMP-067); at least 0.9 of it in {good} programs, worst {:.2}.",
            geometric_mean(&all.of_best),
            all.of_best.first().copied().unwrap_or_default()
        ));
        page.line(&format!(
            "*auto* reaches {:.3} (geometric mean) of the speed that a token at every immediate post-dominator would give if tokens took no cycles; at least 0.9 of it in {reach} programs.",
            geometric_mean(&all.of_bound)
        ));
        for (seeds, what) in all.slower.iter().zip(["tried", "not tried"]) {
            let list: Vec<_> = seeds.iter().take(12).map(ToString::to_string).collect();
            if !list.is_empty() {
                page.line(&format!(
                    "*auto* is slower by more than 1 % in launches that were {what}: {} programs (seeds {}).",
                    seeds.len(),
                    list.join(", ")
                ));
            }
        }
    }
    page.line("Why one of them is: [compiler.md](spec/compiler.md#a-launch-that-becomes-slower).");
}

fn of_kernels(page: &mut Page, kernels: &[Kernel]) {
    page.line("");
    page.line("## Kernels");
    page.line("");
    page.line("Cycles of a lone warp, and SIMD efficiency. *Bound*: a token at every immediate post-dominator, placed by the trace");
    page.line("for nothing: its pushes, and leaves that are no branches, take no cycle. *Oracle*: the tokens that pay for this input,");
    page.line("each charged with what it takes, with conditions computed or not (COMP-067). *Reached*: oracle / the better *auto*.");
    page.line("Kernels with tokens of their own (`.asm`, `collatz_tokens.s`) are left alone.");
    page.line("");
    page.line("![cycles, relative to none](lowering_kernels.svg)");
    let mut head = vec!["kernel".to_string()];
    head.extend(WAYS.iter().map(|(name, _)| name.to_string()));
    head.extend(words(&[TOLD, "bound", "oracle", "reached"]));
    let rows = kernels.iter().map(|kernel| {
        let mut row = vec![kernel.name.clone()];
        let find = |name: &str| kernel.runs.iter().find(|(other, _)| *other == name);
        for name in WAYS.iter().map(|(name, _)| *name).chain([TOLD]) {
            row.push(find(name).map_or(String::new(), |(_, r)| run(r)));
        }
        let autos = kernel
            .runs
            .iter()
            .filter(|(name, _)| name.starts_with("auto"));
        let best = autos.map(|(_, r)| r.cycles).min().unwrap_or(1);
        row.push(kernel.bound.map_or(String::new(), |b| b.to_string()));
        row.push(kernel.best.map_or(String::new(), |b| b.to_string()));
        let reached = kernel.best.map(|oracle| oracle as f64 / best as f64);
        row.push(reached.map_or(String::new(), |share| format!("{share:.2}")));
        row
    });
    page.table(&head, rows.collect());
}

/// COMP-087
pub fn shares() -> String {
    let mut page = Page(String::new());
    of_shares(&mut page);
    page.0
}

fn of_shares(page: &mut Page) {
    let shares = share::of_kernels();
    let sum = share::sum(&shares);
    page.line("## How many branches take masks and predication");
    page.line("");
    page.line("Of the branches that may part threads (COMP-040), in the kernels that GCC -O2 made from C: how many become masked code");
    page.line("with `--lower masks`, predicated blocks with `--lower predicate`, one of these.");
    page.line("*Left alone*: branches of functions that have warp control of their own (COMP-023), which are not in the other columns.");
    page.line(
        "This section alone: `cargo run -p weft-compiler --example measure -- --shares yes`.",
    );
    let row = |name: &str, share: &share::Share| {
        let counts = [
            share.all,
            share.masked,
            share.predicated,
            share.either,
            share.own,
        ];
        let counts = counts.iter().map(ToString::to_string);
        std::iter::once(name.to_string()).chain(counts).collect()
    };
    let mut rows: Vec<Vec<String>> = shares.iter().map(|(name, one)| row(name, one)).collect();
    rows.push(row("all", &sum));
    let head = [
        "kernel",
        "may part",
        "masked",
        "predicated",
        "one of these",
        "left alone",
    ];
    page.table(&words(&head), rows);
    let percent = |part: usize| 100.0 * part as f64 / sum.all.max(1) as f64;
    page.line(&format!(
        "{:.0} % are masked, {:.0} % predicated, {:.0} % one of these.",
        percent(sum.masked),
        percent(sum.predicated),
        percent(sum.either)
    ));
    let refused = sum.refused.iter();
    let list: Vec<String> = refused
        .map(|(why, count)| format!("{why} ({count})"))
        .collect();
    page.line(&format!(
        "Why the others get no masks: {}.",
        list.join(", ")
    ));
    page.line("");
}

fn of_styles(page: &mut Page, styles: &[Style]) {
    page.line("## Tokens, masks, predication: by hand and from C");
    page.line("");
    page.line("The seven kernels of [masks.md](masks.md): written by hand in three styles, and GCC -O2's code of the same in C in");
    page.line("every lowering, as `weft cc` of one file makes it. Cycles of a lone warp, and SIMD efficiency. All compute the same.");
    let Some(first) = styles.first() else { return };
    let mut head = vec!["kernel".to_string()];
    head.extend(
        first
            .by_hand
            .iter()
            .map(|(name, _)| format!("{name}, by hand")),
    );
    head.extend(first.from_c.iter().map(|(name, _)| format!("C, {name}")));
    let rows = styles.iter().map(|style| {
        let mut row = vec![style.name.to_string()];
        let all = style.by_hand.iter().chain(&style.from_c);
        row.extend(all.map(|(_, r)| run(r)));
        row
    });
    page.table(&head, rows.collect());
}

pub fn only_waiting(rows: &[Row]) -> String {
    let mut page = Page(String::new());
    of_waiting(&mut page, rows);
    page.0
}

fn of_waiting(page: &mut Page, rows: &[Row]) {
    page.line("## Threads that wait for one another");
    page.line("");
    page.line("The programs of `kernels/waiting`: locks, turns, flags, rings, barriers by hand, and lock-free ones, which wait for");
    page.line("nobody. Each compiler at -O0 to -O3 and -Os, in two warps of 4, 8, 16 and 32 threads, the last of which is not there.");
    page.line("Warp instructions as the compilers write it (*none*), with `--lower auto`, and with yields by hand; *share*: what");
    page.line(
        "*auto* takes of the better one of the two, each warp having its turn after the other.",
    );
    page.line("*Mean*: the same of the mean of orders in which a warp is drawn for each instruction, its standard error, and how");
    page.line(&format!(
        "many they were: {ORDERS}, or as many more as it takes to be {ERRORS} errors away from {FACTOR}, {MOST_ORDERS} at most (COMP-116)."
    ));
    page.line("Shown is the run in which the mean is most, of twenty. *more* than a million is not run to its end.");
    let count = |taken: &Result<u64, String>| match taken {
        Ok(count) => count.to_string(),
        Err(_) => "more".to_string(),
    };
    let row = |row: &Row| {
        let (level, width, worst) = row.worst();
        let share = |share: Option<f64>| share.map_or("-".into(), |share| format!("{share:.2}"));
        vec![
            row.program.clone(),
            row.compiler.clone(),
            level.to_string(),
            width.to_string(),
            count(&worst.none),
            count(&worst.by_hand),
            count(&worst.auto),
            share(worst.share()),
            shown(worst.mean()),
        ]
    };
    let head = [
        "program", "compiler", "level", "threads", "none", "by hand", "auto", "share", "mean",
    ];
    page.table(&words(&head), rows.iter().map(row).collect());
    let taken = || {
        rows.iter()
            .flat_map(|row| &row.taken)
            .map(|(.., taken)| taken)
    };
    let good = |share: fn(&Taken) -> Option<f64>| {
        let shares = taken().filter_map(share);
        shares.filter(|share| *share <= FACTOR).count()
    };
    let unended = taken().filter(|taken| taken.share().is_none()).count();
    page.line("");
    page.line(&format!(
        "At most {FACTOR} × the better one: {} of {} runs in the mean, {} by turns; not ended in a million: {unended} with *auto*.",
        good(|taken| taken.mean().map(|mean| mean.share)),
        taken().count(),
        good(Taken::share)
    ));
    page.line("This section alone: `cargo run --release -p weft-compiler --example measure -- --waiting all`.");
}

fn compile_time(page: &mut Page, times: &[Time]) {
    page.line("## Compile time");
    page.line("");
    page.line("`--lower auto`, the best of three, of the samples in `compiler/tests/data`. The goal is 0.2 s for 1,000 lines.");
    let rows = times.iter().map(|time| {
        vec![
            time.name.clone(),
            time.lines.to_string(),
            format!("{:.1} ms", 1e3 * time.seconds),
            format!("{:.1} ms", 1e6 * time.seconds / time.lines as f64),
        ]
    });
    page.table(
        &words(&["file", "lines", "time", "for 1,000 lines"]),
        rows.collect(),
    );
    let end = page.0.trim_end().len();
    page.0.truncate(end + 1);
}
