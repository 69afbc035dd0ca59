//! A run beside the baseline: what has changed, and what is worse by more than it should.

use super::report::{Better, Figure, Report};
use crate::cli::Section;
use std::collections::HashMap;
use std::fmt::Write as _;

/// Worse by more than this is told as a regression.
pub const TOLERANCE: f64 = 0.05;

/// A figure that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    pub figure: Figure,
    pub before: f64,
    /// Of the rounds of the baseline, where it was timed.
    pub spread: Option<(f64, f64)>,
    /// How much worse, as a share; below zero it is better.
    pub worse: f64,
}

impl Change {
    fn regression(&self) -> bool {
        self.worse > TOLERANCE
    }
}

#[derive(Debug, Default, PartialEq)]
pub struct Comparison {
    pub same: usize,
    pub changes: Vec<Change>,
    /// Measured now, but not in the baseline; and the other way round, of the sections that were measured.
    pub new: Vec<String>,
    pub gone: Vec<String>,
}

/// By ratio. Figures that are counted are compared exactly, those that are timed up to the tolerance.
pub fn compare(baseline: &Report, now: &Report) -> Comparison {
    let full = |f: &Figure| format!("{}: {} [{}]", f.section.name(), f.name, f.unit);
    let before = baseline.figures();
    let mut left: HashMap<String, &Figure> = before.iter().map(|f| (full(f), f)).collect();
    let mut comparison = Comparison::default();
    for figure in now.figures() {
        let name = full(&figure);
        let Some(before) = left.remove(&name) else {
            comparison.new.push(name);
            continue;
        };
        let spread = before.spread;
        let (before, after) = (before.value, figure.value);
        let worse = match figure.better {
            _ if before == after => 0.0,
            Better::Less => after / before - 1.0,
            Better::More => before / after - 1.0,
            Better::Same => 0.0,
        };
        let changed = match spread {
            Some(_) => worse.abs() > TOLERANCE,
            None => before != after,
        };
        match changed {
            true => comparison.changes.push(Change {
                figure,
                before,
                spread,
                worse,
            }),
            false => comparison.same += 1,
        }
    }
    // An area row may be left out on purpose (--units).
    let in_part = |f: &&Figure| matches!(f.section, Section::Area | Section::FloatArea);
    let measured = |f: &&Figure| now.has(f.section) && !in_part(f);
    let gone = before.iter().filter(measured).map(full);
    comparison.gone = gone.filter(|name| left.contains_key(name)).collect();
    comparison
}

impl Comparison {
    pub fn regressions(&self) -> impl Iterator<Item = &Change> {
        self.changes.iter().filter(|c| c.regression())
    }

    pub fn text(&self) -> String {
        let mut text = format!(
            "{} figures as in the baseline, {} changed, {} of them worse by more than {:.0} %",
            self.same,
            self.changes.len(),
            self.regressions().count(),
            100.0 * TOLERANCE
        );
        let mut changes: Vec<&Change> = self.changes.iter().collect();
        changes.sort_by(|a, b| b.worse.total_cmp(&a.worse));
        for c in changes {
            let Figure {
                section,
                name,
                value,
                unit,
                ..
            } = &c.figure;
            let mark = match (c.regression(), c.worse) {
                (true, _) => "REGRESSION",
                (_, worse) if worse > 0.0 => "worse",
                (_, worse) if worse < 0.0 => "better",
                _ => "changed",
            };
            let noise = match c.spread {
                Some((min, max)) if (min..=max).contains(value) => {
                    ", timed, within the rounds of the baseline"
                }
                Some(_) => ", timed: repeat it",
                None => "",
            };
            let _ = write!(
                text,
                "\n  {mark:<10} {}: {name}: {} -> {} {unit} ({:+.1} %{noise})",
                section.name(),
                number(c.before),
                number(*value),
                100.0 * (value / c.before - 1.0)
            );
        }
        for (what, names) in [
            ("not in the baseline", &self.new),
            ("no longer measured", &self.gone),
        ] {
            // Many of them are one thing: another size, or a new section.
            let Some(first) = names.first() else { continue };
            let _ = match names.len() {
                1 => write!(text, "\n  {what}: {first}"),
                n => write!(text, "\n  {what}: {first}, and {} more", n - 1),
            };
        }
        text
    }
}

/// With as many digits as tell it from its neighbours.
fn number(value: f64) -> String {
    match value {
        v if v.fract() == 0.0 => format!("{v:.0}"),
        v if v.abs() < 100.0 => format!("{v:.3}"),
        v => format!("{v:.1}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Section;
    use weft_testbench::bench::{BarrierLatency, BarrierReport, Ratio, Speed, Spread};
    use weft_testbench::dut::RtlKind;

    fn barrier(rows: &[(&'static str, f64)]) -> Report {
        let latencies = rows.iter().map(|&(what, cycles)| BarrierLatency {
            what: what.into(),
            cycles,
        });
        Report {
            barrier: Some(BarrierReport {
                warps: 16,
                threads: 32,
                latencies: latencies.collect(),
            }),
            ..Report::default()
        }
    }

    fn timed(ratio: f64) -> Report {
        let value = Spread::new(vec![ratio]);
        Report {
            speed: Some(super::super::report::Timed {
                host: super::super::host::Host {
                    processor: "one".into(),
                    processors: 1,
                    load: None,
                },
                speed: Speed {
                    engine: RtlKind::Verilated,
                    size: "4x4k4b2".into(),
                    rounds: 1,
                    bare_cycles: 1,
                    programs: 1,
                    rates: Vec::new(),
                    ratios: vec![Ratio {
                        what: "lockstep / hardware alone".into(),
                        value,
                    }],
                },
            }),
            ..Report::default()
        }
    }

    #[test]
    fn counted_figures_are_compared_exactly() {
        let before = barrier(&[("release", 100.0), ("wake", 11.0), ("old", 1.0)]);
        let now = barrier(&[("release", 101.0), ("wake", 12.0), ("new", 1.0)]);
        let found = compare(&before, &now);
        assert_eq!((found.same, found.changes.len()), (0, 2));
        let worse: Vec<_> = found.regressions().map(|c| c.figure.value).collect();
        assert_eq!(
            worse,
            [12.0],
            "one cycle of 100 is told, but is no regression"
        );
        assert_eq!((found.new.len(), found.gone.len()), (1, 1));
        let text = found.text();
        assert!(text.contains("1 of them worse by more than 5 %"), "{text}");
        assert!(
            text.contains("REGRESSION barrier: 16x32: wake: 11 -> 12 cycles (+9.1 %)"),
            "{text}"
        );
        assert!(
            text.contains("worse      barrier: 16x32: release"),
            "{text}"
        );
        assert!(
            text.contains("no longer measured: barrier: 16x32: old"),
            "{text}"
        );
    }

    #[test]
    fn timed_figures_may_vary_a_little_and_more_is_better() {
        let changes = |now: f64| compare(&timed(0.5), &timed(now)).changes;
        assert!(changes(0.49).is_empty() && changes(0.52).is_empty());
        let slower = changes(0.4);
        assert!((slower[0].worse - 0.25).abs() < 1e-9 && slower[0].spread.is_some());
        assert!(changes(0.6)[0].worse < 0.0);
    }

    #[test]
    fn what_was_not_measured_is_not_missed() {
        let mut before = barrier(&[("wake", 11.0)]);
        before.put(&timed(0.5));
        assert!(before.has(Section::Speed));
        let found = compare(&before, &barrier(&[("wake", 11.0)]));
        assert_eq!(
            found,
            Comparison {
                same: 1,
                ..Comparison::default()
            }
        );
    }
}
