//! Functional coverage: which outcomes of which operations the random programs have reached.

use crate::cross::{found, resumed, Cross};
use crate::lockstep::{Observer, Retired};
use crate::mask_cross::MaskCross;
use crate::reference::{yielded, Yielded};
use crate::session::{Levels, Recenter, Waking};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use weft_generate::Config;
use weft_ports::control::{barrier, mask};
use weft_sim::{Event, Reached, Record, Token, Warp, BARRIER, DIV, MASKED, SUBV, YIELD};

/// Every bin. On the fixed seeds none may stay empty.
pub const BINS: &[&str] = &[
    "launch.full",
    "launch.partial",
    "launch.single",
    "next",
    "branch.none",
    "branch.all",
    "branch.to_next_instruction",
    "branch.diverge_taken_first",
    "branch.diverge_fall_first",
    "branch.diverge_tie",
    "branch.larger_taken_first",
    "branch.larger_fall_first",
    "branch.backward",
    "branch.forward",
    "indirect.uniform",
    "indirect.diverge_leader_first",
    "indirect.diverge_rest_first",
    "call.uniform",
    "call.diverge",
    "call.kept",
    "call.redundant",
    "call.dropped",
    "push.kept",
    "push.redundant",
    "push.dropped",
    "push.same_place_not_covered",
    "push.type_0",
    "push.type_1",
    "push.type_2",
    "push.type_3",
    "push.type_4",
    "push.type_5",
    "push.type_6",
    "push.type_7",
    "push.type_8",
    "push.type_9",
    "leave.nobody",
    "leave.caught_all_unwinds",
    "leave.caught_all_rest_goes_on",
    "leave.caught_some_rest_jumps",
    "leave.caught_some_rest_jumps_and_others_stay",
    "leave.uncaught_jumps",
    "leave.uncaught_diverges",
    "leave.uncaught_empty_deque",
    "leave.match_at_0",
    "leave.match_at_1",
    "leave.match_at_2",
    "leave.match_at_3_or_more",
    "leave.passes_same_type",
    "leave.unfound_clears",
    "leave.backward",
    "leave.caught_type_0",
    "leave.caught_type_1",
    "leave.caught_type_2",
    "leave.caught_type_3",
    "leave.caught_type_4",
    "leave.caught_type_5",
    "leave.caught_type_6_to_9",
    "leave_indirect.caught_all",
    "leave_indirect.caught_some",
    "leave_indirect.uncaught",
    "leave_indirect.group_of_some",
    "yield.off",
    "yield.not_due",
    "yield.not_by_chance",
    "yield.by_chance",
    "yield.empty_deque",
    "yield.pushed",
    "yield.merged",
    "yield.resumes_itself",
    "forced.pushed",
    "forced.merged",
    "forced.by_standstill",
    "forced.by_all_transfers",
    "forced.not_while_tokens_are_popped",
    "forced.waits_for_owed_jump",
    "forced.not_after_wake",
    "forced.not_without_threads",
    "exit.done",
    "exit.done_with_tokens",
    "exit.unwinds",
    "exit.blocks",
    "exit.blocks_with_tokens",
    "exit.masked_run_on",
    "exit.masked_run_on_with_tokens",
    "exit.unwinds_beside_masked",
    "nobody_on.next",
    "nobody_on.jump",
    "nobody_on.push_or_call",
    "nobody_on.leave",
    "nobody_on.yield",
    "nobody_on.exit",
    "nobody_on.barrier",
    "nobody_on.subv_start",
    "nobody_on.wake",
    "set",
    "set.forced_yield_is_due",
    "jump.backward",
    "jump.forward",
    "subv_start.kept",
    "subv_start.redundant",
    "subv_start.dropped",
    "subv_start.one_part",
    "subv_start.parts",
    "sleep.nobody",
    "sleep.rest_goes_on",
    "sleep.unwinds",
    "sleep.blocks",
    "sleep.blocks_with_tokens",
    "retry.nobody",
    "retry.all_alone",
    "retry.all",
    "retry.some",
    "retry.pushed",
    "retry.opens",
    "retry.merged",
    "part.nobody",
    "part.all_alone",
    "part.all",
    "part.some",
    "part.pushed",
    "part.opens",
    "part.merged",
    "wake.ignored",
    "wake.waits_for_operation",
    "wake.while_issued",
    "wake.nobody",
    "wake.nobody_of_blocked",
    "wake.in_place",
    "wake.in_place_with_tokens",
    "wake.in_place_others_sleep_on",
    "wake.pushed",
    "wake.opens",
    "wake.merged",
    "unwind.discards_0",
    "unwind.discards_1",
    "unwind.discards_2_or_more",
    "unwind.to_software",
    "unwind.to_div",
    "unwind.to_yield",
    "unwind.to_subv",
    "unwind.to_subv_last_part",
    "unwind.part_of_token",
    "unwind.joins_groups",
    "deque.full_for_software",
    "deque.beyond_software",
    "deque.beyond_window",
    "recenter.by_hardware_for_front",
    "recenter.by_hardware_for_back",
    "recenter.by_driver_for_front",
    "recenter.by_driver_for_back",
    "fault",
];

#[derive(Clone, Debug, Serialize)]
pub struct Cover {
    counts: BTreeMap<&'static str, u64>,
    pub cross: Cross,
    pub masks: MaskCross,
    /// Of the run.
    #[serde(skip)]
    levels: Levels,
    /// Places of the token window, T0 included.
    #[serde(skip)]
    window: usize,
    /// W
    #[serde(skip)]
    threads: usize,
}

impl Default for Cover {
    fn default() -> Self {
        Cover {
            counts: BINS.iter().map(|bin| (*bin, 0)).collect(),
            cross: Cross::default(),
            masks: MaskCross::default(),
            levels: Levels::default(),
            window: usize::MAX,
            threads: 0,
        }
    }
}

impl Cover {
    /// What comes now runs on hardware of this size with this policy.
    pub fn begins(&mut self, size: Config, levels: Levels) {
        self.levels = levels;
        self.window = 1 + size.front + size.back;
        self.threads = size.threads;
    }

    /// # Panics
    /// When there is no such bin.
    fn hit(&mut self, bin: &str) {
        *self
            .counts
            .get_mut(bin)
            .unwrap_or_else(|| panic!("no bin `{bin}`")) += 1;
    }

    pub fn add(&mut self, other: &Cover) {
        for (bin, count) in &other.counts {
            *self.counts.get_mut(bin).expect("the same bins") += count;
        }
        self.cross.add(&other.cross);
        self.masks.add(&other.masks);
    }

    pub fn count(&self, bin: &str) -> u64 {
        self.counts.get(bin).copied().unwrap_or(0)
    }

    /// Bins that were never hit, in the order of [`BINS`].
    pub fn missing(&self) -> Vec<&'static str> {
        BINS.iter()
            .copied()
            .filter(|bin| self.count(bin) == 0)
            .collect()
    }

    pub fn launched(&mut self, mask: u64, threads: usize) {
        let full = u64::MAX >> (64 - threads);
        self.hit(match mask {
            mask if mask == full => "launch.full",
            mask if mask.count_ones() == 1 => "launch.single",
            _ => "launch.partial",
        });
    }

    pub fn faulted(&mut self) {
        self.hit("fault");
    }

    fn sample(&mut self, e: &Retired, before: &Warp, after: &Warp) {
        let r = e.record;
        let (active, selected) = (before.active(), e.resolve.mask & before.active());
        let target = e.resolve.target;
        let depth = before.deque().depth();
        match r.event {
            Event::Mask => self.mask(e, before, after),
            event if active == 0 && !e.resolve.is_wake() => self.hit(match event {
                Event::Next => "nobody_on.next",
                Event::Branch | Event::Indirect => "nobody_on.jump",
                Event::Push | Event::Call => "nobody_on.push_or_call",
                Event::Leave | Event::LeaveIndirect => "nobody_on.leave",
                Event::Yield | Event::ForcedYield => "nobody_on.yield",
                Event::Exit => "nobody_on.exit",
                Event::Barrier | Event::Mask => "nobody_on.barrier",
            }),
            Event::Next => self.hit("next"),
            Event::Branch => {
                match (selected, active & !selected) {
                    (0, _) => self.hit("branch.none"),
                    (_, 0) => self.hit("branch.all"),
                    (_, _) if target == r.pc + 1 => self.hit("branch.to_next_instruction"),
                    (t, f) if t.count_ones() == f.count_ones() => self.hit("branch.diverge_tie"),
                    (t, f) if t == r.next_mask => self.hit(if t.count_ones() < f.count_ones() {
                        "branch.diverge_taken_first"
                    } else {
                        "branch.larger_taken_first"
                    }),
                    (t, f) => self.hit(if f.count_ones() < t.count_ones() {
                        "branch.diverge_fall_first"
                    } else {
                        "branch.larger_fall_first"
                    }),
                }
                if selected != 0 {
                    self.hit(if target <= r.pc {
                        "branch.backward"
                    } else {
                        "branch.forward"
                    });
                }
            }
            Event::Indirect => self.hit(match active & !selected {
                0 => "indirect.uniform",
                _ if selected == r.next_mask => "indirect.diverge_leader_first",
                _ => "indirect.diverge_rest_first",
            }),
            Event::Push => self.push(e, before),
            Event::Call => self.call(e, before, after),
            Event::Leave | Event::LeaveIndirect => self.leave(e, before),
            Event::Yield => {
                let policy = self.levels.policy;
                if let Some(yielded) = yielded(r, e.resolve, before, after) {
                    self.fired("yield", r, before, yielded);
                    if policy.yield_random {
                        self.hit("yield.by_chance");
                    }
                } else if policy.yield_every == 0 && !policy.yield_random {
                    self.hit("yield.off");
                } else if depth == 0 {
                    self.hit("yield.empty_deque");
                } else if policy.yield_random {
                    self.hit("yield.not_by_chance");
                } else {
                    self.hit("yield.not_due");
                }
            }
            Event::ForcedYield => {
                match before.reached() {
                    Some(Reached::Standstill) => self.hit("forced.by_standstill"),
                    Some(Reached::Transfers) => self.hit("forced.by_all_transfers"),
                    None => {}
                }
                if let Some(yielded) = yielded(r, e.resolve, before, after) {
                    self.fired("forced", r, before, yielded);
                }
            }
            Event::Exit => {
                if r.done {
                    self.hit(if depth == 0 {
                        "exit.done"
                    } else {
                        "exit.done_with_tokens"
                    });
                } else if r.blocked {
                    self.hit(if depth == 0 {
                        "exit.blocks"
                    } else {
                        "exit.blocks_with_tokens"
                    });
                } else if r.next_mask == 0 {
                    self.hit(if depth == 0 {
                        "exit.masked_run_on"
                    } else {
                        "exit.masked_run_on_with_tokens"
                    });
                } else if active & !selected == 0 {
                    self.hit("exit.unwinds");
                    if before.waiting_for(MASKED) != 0 {
                        self.hit("exit.unwinds_beside_masked");
                    }
                    self.unwind(r, &before.deque().iter().collect::<Vec<_>>());
                }
            }
            Event::Barrier => match e.resolve.kind {
                barrier::SLEEP => self.sleep(e, before),
                barrier::RETRY => self.retry("retry", e, before, after),
                barrier::PART => self.retry("part", e, before, after),
                _ => self.wake(e, before, after),
            },
        }
        let most = before.deque().software_capacity();
        if r.depth == most {
            self.hit("deque.full_for_software");
        } else if r.depth > most {
            self.hit("deque.beyond_software");
        }
        if r.depth > self.window {
            self.hit("deque.beyond_window");
        }
        let limit = self.levels.policy.forced_yield;
        let transfers = limit != 0 && after.registers().transfers >= limit;
        if transfers && r.depth > 0 && after.reached().is_none() {
            self.hit("forced.not_while_tokens_are_popped");
        }
        if after.reached().is_some() && r.depth > 0 && !after.forced_yield_due() {
            // After an operation that blocks the warp there is nothing to hold back: the counter was below its limit,
            // or the deque empty, since whatever else holds a forced yield back (an owed jump, a WAKE) leaves a waiting
            // thread.
            self.hit(match r.event {
                Event::Barrier if e.resolve.is_wake() => "forced.not_after_wake",
                _ if r.next_mask == 0 => "forced.not_without_threads",
                _ => "forced.waits_for_owed_jump",
            });
        }
        if after.deque().recentered() > before.deque().recentered() {
            let back = yielded(r, e.resolve, before, after).is_some() && depth > 0;
            self.hit(match (self.levels.recenter, back) {
                (Recenter::Hardware, false) => "recenter.by_hardware_for_front",
                (Recenter::Hardware, true) => "recenter.by_hardware_for_back",
                (Recenter::Driver, false) => "recenter.by_driver_for_front",
                (Recenter::Driver, true) => "recenter.by_driver_for_back",
            });
        }
        self.cross.sample(e, before, after);
    }

    fn mask(&mut self, e: &Retired, before: &Warp, after: &Warp) {
        let r = e.record;
        let lanes = match self.levels.policy.lanes {
            0 => self.threads,
            lanes => lanes.into(),
        };
        self.masks
            .sample(e.resolve, e.record.next_mask, before, self.threads, lanes);
        let (old, new) = (before.counters(), after.counters());
        match e.resolve.kind {
            mask::SET => {
                self.hit("set");
                if after.forced_yield_due() {
                    self.hit("set.forced_yield_is_due");
                }
            }
            mask::JUMP if e.resolve.target <= r.pc => self.hit("jump.backward"),
            mask::JUMP => self.hit("jump.forward"),
            _ if before.active() == 0 => self.hit("nobody_on.subv_start"),
            _ => {
                self.hit(match new.redundant_pushes > old.redundant_pushes {
                    _ if r.dropped => "subv_start.dropped",
                    true => "subv_start.redundant",
                    false => "subv_start.kept",
                });
                self.hit(match r.next_mask == before.active() {
                    true => "subv_start.one_part",
                    false => "subv_start.parts",
                });
            }
        }
    }

    fn sleep(&mut self, e: &Retired, before: &Warp) {
        let r = e.record;
        let asleep = e.resolve.mask & before.active();
        match before.active() & !asleep {
            _ if asleep == 0 => self.hit("sleep.nobody"),
            0 if r.next_mask != 0 => {
                self.hit("sleep.unwinds");
                self.unwind(r, &before.deque().iter().collect::<Vec<_>>());
            }
            0 if r.depth == 0 => self.hit("sleep.blocks"),
            0 => self.hit("sleep.blocks_with_tokens"),
            _ => self.hit("sleep.rest_goes_on"),
        }
    }

    /// RETRY or PART.
    fn retry(&mut self, what: &str, e: &Retired, before: &Warp, after: &Warp) {
        let again = e.resolve.mask & before.active();
        let mut tokens: Vec<Token> = before.deque().iter().collect();
        let Some(yielded) = yielded(e.record, e.resolve, before, after) else {
            let case = if again == 0 { "nobody" } else { "all_alone" };
            return self.hit(&format!("{what}.{case}"));
        };
        self.hit(&match yielded {
            Yielded::Merged(_) => format!("{what}.merged"),
            Yielded::Pushed if tokens.is_empty() => format!("{what}.opens"),
            Yielded::Pushed => format!("{what}.pushed"),
        });
        if again != before.active() {
            return self.hit(&format!("{what}.some"));
        }
        self.hit(&format!("{what}.all"));
        if yielded == Yielded::Pushed {
            tokens.push(Token {
                kind: YIELD,
                mask: again,
                address: e.record.pc,
                below: 0,
            });
        }
        self.unwind(e.record, &tokens);
    }

    fn wake(&mut self, e: &Retired, before: &Warp, after: &Warp) {
        if e.issued {
            self.hit("wake.while_issued");
        }
        if before.active() == 0
            && !before.is_blocked()
            && before.waiting_for(BARRIER) & e.resolve.mask != 0
        {
            self.hit("nobody_on.wake");
        }
        let asleep = before.waiting_for(BARRIER);
        let empty = before.deque().is_empty();
        let others = asleep & !e.resolve.mask;
        self.hit(match asleep & e.resolve.mask {
            0 if before.is_blocked() => "wake.nobody_of_blocked",
            0 => "wake.nobody",
            _ if before.is_blocked() && others != 0 => "wake.in_place_others_sleep_on",
            _ if before.is_blocked() && empty => "wake.in_place",
            _ if before.is_blocked() => "wake.in_place_with_tokens",
            _ => match yielded(e.record, e.resolve, before, after) {
                Some(Yielded::Merged(_)) => "wake.merged",
                _ if empty => "wake.opens",
                _ => "wake.pushed",
            },
        });
    }

    fn call(&mut self, e: &Retired, before: &Warp, after: &Warp) {
        let r = e.record;
        self.hit(match before.active() & !e.resolve.mask {
            0 => "call.uniform",
            _ => "call.diverge",
        });
        let redundant = after.counters().redundant_pushes > before.counters().redundant_pushes;
        self.hit(match redundant {
            _ if r.dropped => "call.dropped",
            true => "call.redundant",
            false => "call.kept",
        });
    }

    fn push(&mut self, e: &Retired, before: &Warp) {
        let r = e.record;
        let front = before.deque().front();
        let same = front.filter(|t| t.kind == e.resolve.kind && t.address == e.resolve.target);
        self.hit(match r.depth {
            _ if r.dropped => "push.dropped",
            depth if depth == before.deque().depth() => "push.redundant",
            _ => "push.kept",
        });
        if same.is_some_and(|t| t.mask & before.active() != before.active()) {
            self.hit("push.same_place_not_covered");
        }
        self.hit(&format!("push.type_{}", e.resolve.kind));
    }

    fn leave(&mut self, e: &Retired, before: &Warp) {
        let (r, kind, target) = (e.record, e.resolve.kind, e.resolve.target);
        let active = before.active();
        let leaving = e.resolve.mask & active;
        if leaving == 0 {
            return self.hit("leave.nobody");
        }
        let tokens: Vec<Token> = before.deque().iter().collect();
        let searched = tokens.iter().take_while(|t| t.kind != YIELD).count();
        let found = found(e, before, leaving);
        let caught = found.map_or(0, |at| tokens[at].mask & leaving);
        let (jumping, staying) = (leaving & !caught, active & !leaving);
        let passed = &tokens[..found.unwrap_or(searched)];
        let cleared = passed
            .iter()
            .any(|t| t.kind == kind && t.address != target && t.mask & leaving != 0);
        if cleared {
            self.hit(if found.is_some() {
                "leave.passes_same_type"
            } else {
                "leave.unfound_clears"
            });
        }
        if target <= r.pc {
            self.hit("leave.backward");
        }
        if let Some(at) = found {
            self.hit(
                [
                    "leave.match_at_0",
                    "leave.match_at_1",
                    "leave.match_at_2",
                    "leave.match_at_3_or_more",
                ][at.min(3)],
            );
            match kind {
                6.. => self.hit("leave.caught_type_6_to_9"),
                _ => self.hit(&format!("leave.caught_type_{kind}")),
            }
        }
        match (caught, jumping, staying) {
            (0, _, _) if tokens.is_empty() => self.hit("leave.uncaught_empty_deque"),
            (0, _, 0) => self.hit("leave.uncaught_jumps"),
            (0, _, _) => self.hit("leave.uncaught_diverges"),
            (_, 0, 0) => {
                self.hit("leave.caught_all_unwinds");
                self.unwind(r, &tokens);
            }
            (_, 0, _) => self.hit("leave.caught_all_rest_goes_on"),
            (_, _, 0) => self.hit("leave.caught_some_rest_jumps"),
            (_, _, _) => self.hit("leave.caught_some_rest_jumps_and_others_stay"),
        }
        if r.event == Event::LeaveIndirect {
            self.hit(match (caught, jumping) {
                (0, _) => "leave_indirect.uncaught",
                (_, 0) => "leave_indirect.caught_all",
                _ => "leave_indirect.caught_some",
            });
            if staying != 0 {
                self.hit("leave_indirect.group_of_some");
            }
        }
    }

    fn fired(&mut self, what: &str, r: &Record, before: &Warp, yielded: Yielded) {
        let mut tokens: Vec<Token> = before.deque().iter().collect();
        match yielded {
            Yielded::Merged(_) => self.hit(&format!("{what}.merged")),
            Yielded::Pushed => {
                self.hit(&format!("{what}.pushed"));
                tokens.push(Token {
                    kind: YIELD,
                    mask: before.active(),
                    address: if what == "yield" { r.pc + 1 } else { r.pc },
                    below: 0,
                });
            }
        }
        if what == "yield" && r.next_mask & before.active() != 0 {
            self.hit("yield.resumes_itself");
        }
        self.unwind(r, &tokens);
    }

    /// `tokens`: the deque as the unwind found it.
    fn unwind(&mut self, r: &Record, tokens: &[Token]) {
        let Some(last) = resumed(r, tokens) else {
            return;
        };
        self.hit(
            [
                "unwind.discards_0",
                "unwind.discards_1",
                "unwind.discards_2_or_more",
            ][last.min(2)],
        );
        let token = tokens[last];
        self.hit(match token.kind {
            DIV => "unwind.to_div",
            YIELD => "unwind.to_yield",
            SUBV if r.next_mask == token.mask => "unwind.to_subv_last_part",
            SUBV => "unwind.to_subv",
            _ => "unwind.to_software",
        });
        if r.next_mask != token.mask {
            self.hit("unwind.part_of_token");
        }
        if r.next_mask.count_ones() > r.mask.count_ones() && r.next_mask & r.mask != 0 {
            self.hit("unwind.joins_groups");
        }
    }
}

impl Observer for Cover {
    fn retired(&mut self, event: &Retired) {
        if let (Some(before), Some(after)) = (event.before, event.after) {
            self.sample(event, before, after);
        }
    }

    fn waking(&mut self, waking: Waking) {
        self.hit(match waking {
            Waking::Waits => "wake.waits_for_operation",
            Waking::Ignored => "wake.ignored",
        });
    }
}

impl fmt::Display for Cover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for bin in BINS {
            writeln!(f, "{:>10}  {bin}", self.count(bin))?;
        }
        write!(f, "\n{}\n{}", self.cross, self.masks)
    }
}
