//! Counted coverage: what the model went through, and what the ports did.

use std::collections::BTreeMap;
use weft_sim::barrier::{EventKind, Happened, OpCode, Ports, VerdictKind, Woken};

/// Everything that has to happen in the random tests.
const BINS: &[&str] = &[
    "top.nested",
    "top.busy.split",
    "top.busy.static",
    "top.busy.dynamic.other_tag",
    "top.busy.dynamic.same_tag",
    "top.busy.reset",
    "top.busy.ending",
    "top.busy.nobody_counts",
    "top.invalid",
    "top.invalid.idle",
    "top.invalid.other_tag",
    "top.late.joins",
    "top.late.runs",
    "top.late.skips",
    "top.late.other_word",
    "top.part.all",
    "top.part.some",
    "top.count_error",
    "top.idle.nobody_counts",
    "top.static.timer_only",
    "top.other_count",
    "top.other_word",
    "top.others_go_on",
    "top.arrive.c0.simple",
    "top.arrive.c1.simple",
    "top.arrive.c2.simple",
    "top.arrive.c3.simple",
    "top.arrive.c4.simple",
    "top.arrive.c0.section",
    "top.arrive.c1.section",
    "top.arrive.c2.section",
    "top.arrive.c3.section",
    "top.arrive.c4.section",
    "section.complete",
    "section.idle",
    "section.again",
    "simple.completer_sleeps",
    "simple.completer_goes_on",
    "simple.held",
    "simple.invalid",
    "simple.complete.nobody",
    "simple.complete.held",
    "simple.complete.asleep",
    "simple.complete.both",
    "split.complete",
    "bottom.sleeps",
    "bottom.nb",
    "bottom.not_holding",
    "bottom.not_holding.some",
    "bottom.odd",
    "bottom.odd.part",
    "bottom.odd.retry",
    "bottom.odd.next",
    "arrive",
    "arrive.busy",
    "arrive.part",
    "arrive.count_error",
    "wait.passes",
    "wait.some",
    "wait.all",
    "told.some",
    "waits.top",
    "waits.part",
    "waits.bottom",
    "waits.arrive",
    "waits.wait",
    "waits.groups",
    "waits.beside_sleepers",
    "waits.end.fire",
    "waits.end.timeout",
    "waits.end.idle",
    "waits.end.closed",
    "waits.end.reset",
    "waits.end.again",
    "waits.end.invalid",
    "waits.end.exit",
    "waits.end.kill",
    "waits.end.wake",
    "reset.idle",
    "reset.invalid",
    "reset.static.nobody",
    "reset.static.held",
    "reset.static.simple",
    "reset.static.section",
    "reset.dynamic.simple",
    "reset.dynamic.section",
    "exit.inside",
    "exit.completes",
    "kill",
    "kill.inside",
    "kill.completes",
    "launch.cta",
    "launch.leaves_queue",
    "timeout",
    "timeout.nobody",
    "timer.runs_out",
    "turn.member",
    "turn.joiner",
    "turn.rescan",
    "turn.later_block",
    "wake.released",
    "wake.group_end",
    "wake.reset",
    "queue.waits.for_exclusive",
    "queue.waits.is_exclusive",
    "releases.several",
    "releases.beside_exclusive",
    "releases.wait",
    "slots.wait",
    "slots.several",
    "slots.full",
    "queue.waits.full",
    "arbiter.several",
    "priority.queue_full",
    "priority.before_event",
    "error",
    "stall.verdict",
    "stall.wake",
    "stall.op",
    "event.fire",
    "event.timeout",
    "event.idle",
    "event.again",
    "verdict.next",
    "verdict.sleep",
    "verdict.retry",
    "verdict.part",
    "verdict.exit",
];

/// What cannot happen, and why.
pub const IMPOSSIBLE: &[(&str, &str)] = &[
    (
        "wake.turn",
        "turns are counted apart, as member, joiner, rescan",
    ),
    (
        "error.of_nobody",
        "BAR-020: without threads there is no arrival and no error",
    ),
    (
        "waits.end.launch",
        "a CTA slot is used again when nobody lives in it",
    ),
    ("reading.plain", "only other readings are counted"),
];

/// Needs barriers that complete at once; a directed test has it.
pub const ELSEWHERE: &[&str] = &["launch.leaves_releases"];

#[derive(Clone, Debug, Default)]
pub struct Cover {
    counts: BTreeMap<&'static str, u64>,
}

impl Cover {
    fn hit(&mut self, bin: &'static str) {
        *self.counts.entry(bin).or_default() += 1;
    }

    pub fn sample(&mut self, ports: &Ports, happened: &[Happened], notes: Vec<&'static str>) {
        for note in notes {
            self.hit(note);
        }
        if ports.verdict.is_some() && !ports.verdict_ready {
            self.hit("stall.verdict");
        }
        if ports.wake.is_some() && !ports.wake_ready {
            self.hit("stall.wake");
        }
        if ports.op_valid && !ports.op_ready {
            self.hit("stall.op");
        }
        for h in happened {
            match h {
                Happened::Judged(op, verdict) => {
                    assert!(op.code != OpCode::Launch);
                    self.hit(match verdict.kind {
                        VerdictKind::Next => "verdict.next",
                        VerdictKind::Sleep => "verdict.sleep",
                        VerdictKind::Retry => "verdict.retry",
                        VerdictKind::Part => "verdict.part",
                        VerdictKind::Exit => "verdict.exit",
                    });
                }
                Happened::Event(event) => self.hit(match event.kind {
                    EventKind::Fire => "event.fire",
                    EventKind::Timeout => "event.timeout",
                    EventKind::Idle => "event.idle",
                    EventKind::Again => "event.again",
                }),
                Happened::Woken(what, _) => {
                    if *what == Woken::Turn {
                        self.hit("turns");
                    }
                }
            }
        }
    }

    pub fn add(&mut self, other: &Cover) {
        for (bin, count) in &other.counts {
            *self.counts.entry(bin).or_default() += count;
        }
    }

    pub fn count(&self, bin: &str) -> u64 {
        self.counts.get(bin).copied().unwrap_or(0)
    }

    /// Bins that were not hit.
    pub fn missing(&self) -> Vec<&'static str> {
        let missing = |bin: &&&str| self.count(bin) == 0;
        BINS.iter().filter(missing).copied().collect()
    }

    /// Impossible bins that were hit.
    pub fn wrong(&self) -> Vec<&'static str> {
        let hit = IMPOSSIBLE.iter().map(|(bin, _)| *bin);
        hit.filter(|bin| self.count(bin) > 0).collect()
    }
}

impl std::fmt::Display for Cover {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (bin, count) in &self.counts {
            writeln!(f, "{count:>10}  {bin}")?;
        }
        for (bin, why) in IMPOSSIBLE {
            writeln!(f, "impossible  {bin}: {why}")?;
        }
        Ok(())
    }
}
