//! Functional coverage of the scheduler: counts of what the model says has happened.

use super::device::Size;
use std::collections::BTreeMap;
use std::fmt;
use weft_sim::issue::{Alone, Blocked, Happened, Inputs, Look, Outputs, Reason, Scheduler};

/// Every bin. On the fixed seed none may stay empty.
pub const BINS: &[&str] = &[
    "grant.age.first",
    "grant.age.before_is_blocked",
    "grant.age.before_has_no_unit",
    "grant.age.before_was_just_granted",
    "grant.age.higher_level_blocked",
    "grant.robin.next",
    "grant.robin.skips_blocked",
    "grant.robin.skips_without_unit",
    "grant.robin.wraps",
    "grant.greedy.goes_on",
    "grant.greedy.higher_level_first",
    "grant.greedy.fills_gap",
    "grant.greedy.oldest",
    "grant.none.units",
    "grant.none.blocked",
    "policy.change",
    "policy.change_with_issue",
    "policy.to_robin_idle",
    "policy.from_robin_idle",
    "greedy.changes",
    "greedy.first",
    "greedy.put_off",
    "touch.level",
    "touch.launch",
    "touch.issue",
    "touch.level_takes_issue",
    "touch.level_takes_own_issue",
    "touch.level_takes_launch",
    "level.raised",
    "level.lowered",
    "level.same",
    "level.of_waiting_warp",
    "level.of_stopped_warp",
    "level.under_robin",
    "level.behind_robin",
    "blocked.rd",
    "blocked.rs1",
    "blocked.rs2",
    "blocked.all_registers",
    "blocked.drain",
    "blocked.flight_limit",
    "blocked.by_issue_of_this_cycle",
    "check.at_issue",
    "check.at_push",
    "check.at_issue_behind_push",
    "check.free",
    "check.done_of_this_cycle_frees",
    "check.queue_runs_empty",
    "done.relieves",
    "done.relieves_in_part",
    "done.without_effect",
    "done.two",
    "done.with_issue_at_ports",
    "done.of_stopped_warp",
    "done.with_start",
    "second.issued",
    "second.not_dual",
    "second.last_queued",
    "second.is_drain",
    "second.same_class",
    "second.unit_not_free",
    "second.slow_class",
    "second.pending",
    "second.depends_on_first",
    "second.is_control",
    "second.wraps",
    "start.launch",
    "start.after_stop",
    "start.other",
    "start.resume",
    "start.resume_at_once",
    "start.in_flight",
    "stop.at_select",
    "stop.at_look",
    "stop.at_words",
    "stop.at_push",
    "stop.at_grant",
    "stop.at_issue",
    "stop.at_ports",
    "stop.waits",
    "stop.awaits_line",
    "stop.with_its_line",
    "stop.with_its_done",
    "stop.with_level",
    "stop.grant_lost",
    "look.first_half",
    "look.prefetch",
    "look.next_held",
    "look.next_awaited",
    "look.next_register_busy",
    "look.miss",
    "look.miss_awaited",
    "look.miss_register_busy",
    "look.line_comes_now",
    "look.last_line",
    "predict.hit",
    "predict.miss",
    "predict.not_looked_up",
    "predict.stopped",
    "predict.starts_in_words",
    "predict.starts_elsewhere",
    "predict.starts_later",
    "predict.forgets",
    "line.stopped_warp",
    "line.another_is_wanted",
    "line.out_of_order",
    "line.waits_for_ready",
    "push.even_two",
    "push.even_control_first",
    "push.even_control_second",
    "push.odd",
    "push.not_running",
    "push.with_issue_of_the_warp",
    "push.with_issue_of_all_queued",
    "hold.only_reason",
    "hold.waiting",
    "hold.with_issue",
    "flush",
    "flush.start_waits",
    "counter.hold",
    "counter.clear",
    "reset",
    "reason.issue",
    "reason.unit",
    "reason.hazard",
    "reason.fetch",
    "reason.control",
    "reason.idle",
    "watched.issue",
    "watched.unit",
    "watched.hazard",
    "watched.fetch",
    "watched.control",
    "watched.idle",
    "watched.ready",
];

/// Bins that no correct scheduler can hit, with the reason.
pub const IMPOSSIBLE: &[(&str, &str)] = &[
    (
        "second.first_is_control",
        "nothing is queued behind a control operation: the supply stops at it (SUPPLY-040)",
    ),
    (
        "second.flight",
        "the first was checked with at most 27 in flight (SCHED-025), and until its issue there can only be fewer",
    ),
];

#[derive(Clone, Debug)]
pub struct Cover {
    counts: BTreeMap<&'static str, u64>,
}

impl Default for Cover {
    fn default() -> Self {
        Cover {
            counts: all().map(|bin| (bin, 0)).collect(),
        }
    }
}

fn all() -> impl Iterator<Item = &'static str> {
    let impossible = IMPOSSIBLE.iter().map(|(bin, _)| *bin);
    BINS.iter().copied().chain(impossible)
}

impl Cover {
    /// # Panics
    /// When there is no such bin.
    fn hit(&mut self, bin: &'static str) {
        *self
            .counts
            .get_mut(bin)
            .unwrap_or_else(|| panic!("no bin `{bin}`")) += 1;
    }

    fn hit_if(&mut self, holds: bool, bin: &'static str) {
        if holds {
            self.hit(bin);
        }
    }

    pub fn add(&mut self, other: &Cover) {
        for (bin, count) in &other.counts {
            *self.counts.get_mut(bin).expect("the same bins") += count;
        }
    }

    pub fn count(&self, bin: &str) -> u64 {
        self.counts.get(bin).copied().unwrap_or(0)
    }

    /// Impossible bins that were hit all the same.
    pub fn wrong(&self) -> Vec<&'static str> {
        let bins = IMPOSSIBLE.iter().map(|(bin, _)| *bin);
        bins.filter(|bin| self.count(bin) > 0).collect()
    }

    /// Bins that were never hit, in the order of [`BINS`].
    pub fn missing(&self) -> Vec<&'static str> {
        BINS.iter()
            .copied()
            .filter(|bin| self.count(bin) == 0)
            .collect()
    }
}

impl fmt::Display for Cover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for bin in BINS {
            writeln!(f, "{:>10}  {bin}", self.count(bin))?;
        }
        for (bin, why) in IMPOSSIBLE {
            writeln!(f, "{:>10}  {bin}: {why}", self.count(bin))?;
        }
        Ok(())
    }
}

/// Takes samples of one run.
pub struct Sampler {
    size: Size,
    policy: u8,
    /// This is not the first cycle after a reset.
    runs: bool,
    greedy: Option<usize>,
    last: usize,
    /// The grants of the last two cycles, the last one first.
    granted: [Option<usize>; 2],
    /// The warp in the word stage.
    words: Option<usize>,
    stopped: u64,
    /// Cycles that the last flush still takes.
    flushes: usize,
    /// Lines on their way, in the order of their requests.
    asked: Vec<(usize, u32)>,
}

fn bit(bits: u64, at: usize) -> bool {
    bits >> at & 1 == 1
}

impl Sampler {
    pub fn new(size: Size) -> Sampler {
        Sampler {
            size,
            policy: 0,
            runs: false,
            greedy: None,
            last: size.warps - 1,
            granted: [None; 2],
            words: None,
            stopped: 0,
            flushes: 0,
            asked: Vec::new(),
        }
    }

    /// One cycle; `model` is in the state of that cycle, before its step.
    pub fn sample(
        &mut self,
        c: &mut Cover,
        model: &Scheduler,
        i: &Inputs,
        o: &Outputs,
        h: &Happened,
    ) {
        if i.reset {
            c.hit("reset");
            *self = Sampler::new(self.size);
            self.policy = i.cfg_policy;
            return;
        }
        self.grant(c, model, i, h);
        touches(c, model, i, h);
        self.checks(c, model, i, o, h);
        second(c, h);
        self.starts(c, model, i);
        self.stops(c, model, i, o, h);
        self.predict(c, model, i, h);
        self.supply(c, i, o, h);
        c.hit_if(i.cfg_policy != self.policy, "policy.change");
        c.hit_if(
            i.cfg_policy != self.policy && h.issue.is_some(),
            "policy.change_with_issue",
        );
        c.hit_if(
            i.cfg_policy == 1 && self.policy != 1 && self.runs,
            "policy.to_robin_idle",
        );
        c.hit_if(
            i.cfg_policy != 1 && self.policy == 1 && self.runs,
            "policy.from_robin_idle",
        );
        self.runs = true;
        let held = || (0..self.size.warps).filter(|&w| bit(i.hold, w));
        c.hit_if(
            held().any(|w| model.blocked(w).is_some_and(|b| !b.any())),
            "hold.only_reason",
        );
        c.hit_if(held().any(|w| model.waits(w)), "hold.waiting");
        c.hit_if(
            h.issue
                .as_ref()
                .is_some_and(|issue| bit(i.hold, issue.warp)),
            "hold.with_issue",
        );
        c.hit_if(i.flush, "flush");
        c.hit_if(i.start_valid && self.flushes > 1, "flush.start_waits");
        self.flushes = match i.flush {
            true => self.size.warps / 2,
            false => self.flushes.saturating_sub(1),
        };
        c.hit_if(i.counter_hold, "counter.hold");
        c.hit_if(i.counter_clear, "counter.clear");
        if h.counted {
            c.hit(match h.reason {
                Reason::Issue => "reason.issue",
                Reason::Unit => "reason.unit",
                Reason::Hazard => "reason.hazard",
                Reason::Fetch => "reason.fetch",
                Reason::Control => "reason.control",
                Reason::Idle => "reason.idle",
                Reason::Ready => unreachable!("of a warp only"),
            });
            c.hit(match h.watched.1 {
                Reason::Issue => "watched.issue",
                Reason::Unit => "watched.unit",
                Reason::Hazard => "watched.hazard",
                Reason::Fetch => "watched.fetch",
                Reason::Control => "watched.control",
                Reason::Idle => "watched.idle",
                Reason::Ready => "watched.ready",
            });
        }
        self.policy = i.cfg_policy;
        self.granted = [h.grant, self.granted[0]];
        self.last = h.issue.as_ref().map_or(self.last, |issue| issue.warp);
        if i.cfg_policy != 2 {
            self.greedy = None;
        } else if let Some(issue) = &h.issue {
            let touched = i.level_valid || model.launched().is_some();
            c.hit_if(touched && self.greedy != Some(issue.warp), "greedy.put_off");
        }
        if let Some(greedy) = h.greedy {
            c.hit(match self.greedy {
                None => "greedy.first",
                Some(_) => "greedy.changes",
            });
            self.greedy = Some(greedy);
        }
    }

    fn grant(&mut self, c: &mut Cover, model: &Scheduler, i: &Inputs, h: &Happened) {
        let state = |w: usize| model.blocked(w);
        let waiting = |w: &usize| state(*w).is_some() && !bit(h.candidates, *w);
        let blocked = |w: &usize| state(*w).is_some_and(Blocked::any);
        let Some(granted) = h.grant else {
            let mut present = (0..self.size.warps).filter_map(state).peekable();
            if present.peek().is_some() {
                c.hit(match present.all(Blocked::any) {
                    true => "grant.none.blocked",
                    false => "grant.none.units",
                });
            }
            return;
        };
        let just = |w: &usize| self.granted.contains(&Some(*w));
        match i.cfg_policy {
            1 => {
                let order = model.order();
                let before = order.iter().take_while(|&&w| w != granted);
                let skipped: Vec<_> = before.filter(|w| waiting(w)).collect();
                c.hit_if(skipped.is_empty(), "grant.robin.next");
                c.hit_if(
                    skipped.iter().any(|w| blocked(w)),
                    "grant.robin.skips_blocked",
                );
                let unit = |w: &&usize| !blocked(w) && !just(w);
                c.hit_if(skipped.iter().any(unit), "grant.robin.skips_without_unit");
                c.hit_if(granted <= self.last, "grant.robin.wraps");
            }
            2 => {
                let greedy_can = self.greedy.is_some_and(|g| bit(h.candidates, g));
                c.hit(if self.greedy == Some(granted) {
                    "grant.greedy.goes_on"
                } else if greedy_can {
                    "grant.greedy.higher_level_first"
                } else if self.greedy.is_some() && self.granted.contains(&self.greedy) {
                    "grant.greedy.fills_gap"
                } else {
                    "grant.greedy.oldest"
                });
            }
            _ => {
                let order = model.order();
                let before = order.iter().take_while(|&&w| w != granted);
                let skipped: Vec<_> = before.filter(|w| waiting(w)).collect();
                c.hit_if(skipped.is_empty(), "grant.age.first");
                for w in skipped {
                    c.hit(if blocked(w) {
                        "grant.age.before_is_blocked"
                    } else if just(w) {
                        "grant.age.before_was_just_granted"
                    } else {
                        "grant.age.before_has_no_unit"
                    });
                    c.hit_if(
                        model.level(*w) > model.level(granted),
                        "grant.age.higher_level_blocked",
                    );
                }
            }
        }
    }

    fn checks(&self, c: &mut Cover, model: &Scheduler, i: &Inputs, o: &Outputs, h: &Happened) {
        let dones = [
            (i.done0_valid, usize::from(i.done0_warp), i.done0_rd),
            (i.done1_valid, usize::from(i.done1_warp), i.done1_rd),
        ];
        let issuing = h.issue.as_ref().map(|issue| issue.warp);
        let pushing = h.push.as_ref().filter(|p| !p.instructions.is_empty());
        for &(number, check) in &h.checks {
            let pushed = pushing.is_some_and(|p| p.warp == number);
            let Some(b) = check else {
                c.hit("check.queue_runs_empty");
                continue;
            };
            c.hit(match (issuing == Some(number), pushed) {
                (true, true) => "check.at_issue_behind_push",
                (true, false) => "check.at_issue",
                _ => "check.at_push",
            });
            c.hit_if(!b.any(), "check.free");
            c.hit_if(b.rd, "blocked.rd");
            c.hit_if(b.rs1, "blocked.rs1");
            c.hit_if(b.rs2, "blocked.rs2");
            c.hit_if(b.rd && b.rs1 && b.rs2, "blocked.all_registers");
            let flight = model.in_flight(number);
            c.hit_if(b.flight && flight < 27, "blocked.drain");
            c.hit_if(b.flight && flight >= 27, "blocked.flight_limit");
            let issued = h.issue.as_ref().filter(|issue| issue.warp == number);
            c.hit_if(
                issued.is_some_and(|issue| issue.instructions().any(|d| d.decoded.rd.is_some()))
                    && (b.rs1 || b.rs2 || b.rd)
                    && flight == 0,
                "blocked.by_issue_of_this_cycle",
            );
            let done = dones.iter().any(|d| d.0 && d.1 == number && d.2.is_some());
            c.hit_if(done && !b.any(), "check.done_of_this_cycle_frees");
        }
        for &(number, left) in &h.relieved {
            let before = model.blocked(number).unwrap_or_default();
            c.hit(match (before.any(), left.any(), before == left) {
                (true, false, _) => "done.relieves",
                (true, true, false) => "done.relieves_in_part",
                _ => "done.without_effect",
            });
        }
        c.hit_if(dones[0].0 && dones[1].0, "done.two");
        for (_, number, _) in dones.iter().filter(|d| d.0) {
            c.hit_if(
                o.issue_valid && usize::from(o.issue_warp) == *number,
                "done.with_issue_at_ports",
            );
            c.hit_if(!bit(o.status_running, *number), "done.of_stopped_warp");
            c.hit_if(
                i.start_valid && usize::from(i.start_warp) == *number,
                "done.with_start",
            );
        }
    }

    fn starts(&self, c: &mut Cover, model: &Scheduler, i: &Inputs) {
        if !i.start_valid {
            return;
        }
        let number = usize::from(i.start_warp);
        let waits = model.waits(number);
        c.hit(match (waits, i.start_launch) {
            (true, _) => "start.resume",
            (false, true) => "start.launch",
            (false, false) => "start.other",
        });
        c.hit_if(!waits && bit(self.stopped, number), "start.after_stop");
        c.hit_if(model.in_flight(number) != 0, "start.in_flight");
        c.hit_if(
            waits
                && model.outputs().issue_valid
                && usize::from(model.outputs().issue_warp) == number,
            "start.resume_at_once",
        );
    }

    fn stops(&mut self, c: &mut Cover, model: &Scheduler, i: &Inputs, o: &Outputs, h: &Happened) {
        c.hit_if(h.lost_grant.is_some(), "stop.grant_lost");
        if i.start_valid {
            self.stopped &= !(1 << i.start_warp);
        }
        if !i.stop_valid {
            return;
        }
        let number = usize::from(i.stop_warp);
        let is = |warp: Option<usize>| warp == Some(number);
        c.hit_if(is(h.selected), "stop.at_select");
        c.hit_if(is(h.looked.as_ref().map(|l| l.warp)), "stop.at_look");
        c.hit_if(is(self.words), "stop.at_words");
        c.hit_if(is(h.push.as_ref().map(|p| p.warp)), "stop.at_push");
        c.hit_if(is(h.grant), "stop.at_grant");
        c.hit_if(is(h.issue.as_ref().map(|i| i.warp)), "stop.at_issue");
        c.hit_if(
            o.issue_valid && usize::from(o.issue_warp) == number,
            "stop.at_ports",
        );
        c.hit_if(model.waits(number), "stop.waits");
        c.hit_if(self.asked.iter().any(|a| a.0 == number), "stop.awaits_line");
        c.hit_if(
            i.line_valid && i.line_warp == i.stop_warp,
            "stop.with_its_line",
        );
        let done = i.done0_valid && i.done0_warp == i.stop_warp
            || i.done1_valid && i.done1_warp == i.stop_warp;
        c.hit_if(done, "stop.with_its_done");
        c.hit_if(
            i.level_valid && i.level_warp == i.stop_warp,
            "stop.with_level",
        );
        self.stopped |= 1 << number;
    }

    /// `self.words` is still the warp in words.
    fn predict(&self, c: &mut Cover, model: &Scheduler, i: &Inputs, h: &Happened) {
        c.hit_if(
            i.predict_valid && h.predicted.is_none(),
            "predict.not_looked_up",
        );
        if let Some(l) = h.looked.filter(|l| l.look.is_predicted()) {
            c.hit_if(model.stale(l.warp), "predict.forgets");
        }
        let Some(met) = h.met else { return };
        let of_it = |valid, warp: u8| valid && self.words == Some(warp.into());
        c.hit(match of_it(i.start_valid, i.start_warp) {
            _ if met => "predict.starts_in_words",
            true => "predict.starts_elsewhere",
            false if of_it(i.stop_valid, i.stop_warp) => "predict.stopped",
            false => "predict.starts_later",
        });
    }

    fn supply(&mut self, c: &mut Cover, i: &Inputs, o: &Outputs, h: &Happened) {
        if let Some(l) = &h.looked {
            c.hit(match l.look {
                Look::HitFirstHalf => "look.first_half",
                Look::HitPrefetch => "look.prefetch",
                Look::HitNextHeld => "look.next_held",
                Look::HitNextAwaited => "look.next_awaited",
                Look::HitNextBusy => "look.next_register_busy",
                Look::MissRequest => "look.miss",
                Look::MissAwaited => "look.miss_awaited",
                Look::MissBusy => "look.miss_register_busy",
                Look::PredictedHit => "predict.hit",
                Look::PredictedMiss => "predict.miss",
            });
            let comes = i.line_valid
                && usize::from(i.line_warp) == l.warp
                && u32::from(i.line_slot) == l.pc >> 4 & 1;
            c.hit_if(l.look == Look::MissAwaited && comes, "look.line_comes_now");
            let last = l.pc >> 4 == 0x3_ffff && l.look == Look::HitPrefetch;
            c.hit_if(last, "look.last_line");
            let other = self
                .asked
                .iter()
                .any(|&(w, line)| w == l.warp && line & 1 == l.pc >> 4 & 1 && line != l.pc >> 4);
            c.hit_if(
                l.look == Look::MissAwaited && other,
                "line.another_is_wanted",
            );
        }
        self.words = h
            .looked
            .as_ref()
            .filter(|l| l.look.is_hit())
            .map(|l| l.warp);
        if let Some(p) = &h.push {
            let controls: Vec<_> = p.instructions.iter().map(|d| d.decoded.control).collect();
            let odd = p.instructions.first().is_some_and(|d| d.pc & 1 == 1);
            c.hit(match controls[..] {
                [] => "push.not_running",
                [_] if odd => "push.odd",
                [_] => "push.even_control_first",
                [_, true] => "push.even_control_second",
                _ => "push.even_two",
            });
            let issuing = h.issue.as_ref().is_some_and(|i| i.warp == p.warp);
            c.hit_if(issuing, "push.with_issue_of_the_warp");
            // What is checked then comes from the push.
            let first = h.checks.iter().any(|k| k.0 == p.warp && k.1.is_some());
            c.hit_if(
                issuing
                    && first
                    && h.issue
                        .as_ref()
                        .is_some_and(|i| i.second == Err(Alone::LastQueued)),
                "push.with_issue_of_all_queued",
            );
        }
        if i.line_valid {
            let number = usize::from(i.line_warp);
            c.hit_if(!bit(o.status_running, number), "line.stopped_warp");
            let at = self
                .asked
                .iter()
                .position(|&(w, line)| w == number && line & 1 == u32::from(i.line_slot));
            c.hit_if(at.is_some_and(|at| at > 0), "line.out_of_order");
            if let Some(at) = at {
                self.asked.remove(at);
            }
        }
        if o.fetch_valid && i.fetch_ready {
            self.asked.push((usize::from(o.fetch_warp), o.fetch_line));
        }
        c.hit_if(o.fetch_valid && !i.fetch_ready, "line.waits_for_ready");
    }
}

fn touches(c: &mut Cover, model: &Scheduler, i: &Inputs, h: &Happened) {
    if let Some(touch) = h.touch {
        c.hit(["touch.level", "touch.launch", "touch.issue"][usize::from(touch.rule) - 1]);
    }
    if !i.level_valid {
        return;
    }
    if i.cfg_policy == 1 || model.was_in_turn() {
        c.hit(match i.cfg_policy {
            1 => "level.under_robin",
            _ => "level.behind_robin",
        });
        return;
    }
    let number = usize::from(i.level_warp);
    let (before, after) = (model.level(number), i.level_value);
    c.hit(match after.cmp(&before) {
        std::cmp::Ordering::Less => "level.lowered",
        std::cmp::Ordering::Equal => "level.same",
        std::cmp::Ordering::Greater => "level.raised",
    });
    c.hit_if(model.waits(number), "level.of_waiting_warp");
    c.hit_if(
        !bit(model.outputs().status_running, number),
        "level.of_stopped_warp",
    );
    if let Some(issue) = h.issue.as_ref().filter(|_| matches!(i.cfg_policy, 0 | 3)) {
        c.hit("touch.level_takes_issue");
        c.hit_if(issue.warp == number, "touch.level_takes_own_issue");
    }
    let launch = i.cfg_policy == 2 && model.launched().is_some();
    c.hit_if(launch, "touch.level_takes_launch");
}

fn second(c: &mut Cover, h: &Happened) {
    let Some(issue) = &h.issue else { return };
    c.hit(match issue.second {
        Ok(_) => "second.issued",
        Err(Alone::NotDual) => "second.not_dual",
        Err(Alone::LastQueued) => "second.last_queued",
        Err(Alone::FirstIsControl) => "second.first_is_control",
        Err(Alone::SecondIsDrain) => "second.is_drain",
        Err(Alone::SameClass) => "second.same_class",
        Err(Alone::UnitNotFree) => "second.unit_not_free",
        Err(Alone::SlowClass) => "second.slow_class",
        Err(Alone::Pending) => "second.pending",
        Err(Alone::DependsOnFirst) => "second.depends_on_first",
        Err(Alone::Flight) => "second.flight",
    });
    if let Ok(second) = issue.second {
        c.hit_if(second.decoded.control, "second.is_control");
        c.hit_if(second.pc == 0, "second.wraps");
    }
}
