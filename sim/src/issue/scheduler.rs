//! The warp scheduler, cycle by cycle.
//!
//! Spec: `docs/spec/scheduler.md`, SCHED-010 to SCHED-042; `docs/spec/supply.md`, SUPPLY-010 to SUPPLY-060.
//! [`Scheduler::happened`] decides, from the state and the inputs of a cycle, all that happens in it;
//! [`Scheduler::step`] then makes the state of the next cycle of it.

use super::counters::{Counters, Cycle};
use super::supply::{line_of, plus, Looked, Looking, Pass, Supply};
use super::{Decoded, Inputs, Mutation, Outputs, Params, Reason};
use std::collections::VecDeque;

/// So many instructions of a warp in flight stop the next one (SCHED-021, SCHED-025).
const FLIGHT_LIMIT: u32 = 28;
/// A decoded queue with more than so many has no room for another pass (SUPPLY-050).
const ROOM: usize = 2;
/// The class of `control` instructions that forget lines (SUPPLY-061).
const FORGETFUL: u8 = 3;

/// A queued instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    pub pc: u32,
    pub word: u32,
    pub decoded: Decoded,
}

/// Why the first instruction of a warp cannot go (SCHED-025).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Blocked {
    pub rd: bool,
    pub rs1: bool,
    pub rs2: bool,
    pub flight: bool,
}

impl Blocked {
    pub fn any(self) -> bool {
        self.rd || self.rs1 || self.rs2 || self.flight
    }
}

/// Why no second instruction goes with the first: the first reason of SCHED-021 that holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Alone {
    NotDual,
    LastQueued,
    FirstIsControl,
    SecondIsDrain,
    SameClass,
    UnitNotFree,
    SlowClass,
    Pending,
    DependsOnFirst,
    Flight,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Issue {
    pub warp: usize,
    pub mask: u64,
    pub first: Instruction,
    pub second: Result<Instruction, Alone>,
}

impl Issue {
    pub fn pc(&self) -> u32 {
        self.first.pc
    }

    pub fn instructions(&self) -> impl Iterator<Item = Instruction> {
        [Some(self.first), self.second.ok()].into_iter().flatten()
    }

    pub fn count(&self) -> usize {
        self.instructions().count()
    }
}

/// The push stage of a pass; no instructions when the warp is not running.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Push {
    pub warp: usize,
    pub instructions: Vec<Instruction>,
}

/// SCHED-012; `rule` 1 to 3 as numbered there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch {
    pub warp: usize,
    pub level: u8,
    pub rule: u8,
}

/// All that happens in one cycle, also what is not seen at a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Happened {
    /// SCHED-010
    pub candidates: u64,
    /// SCHED-011
    pub grant: Option<usize>,
    /// SCHED-020
    pub issue: Option<Issue>,
    /// The warp in its issue stage that is not running any more.
    pub lost_grant: Option<usize>,
    /// SCHED-025 and SCHED-026: the warps with another first instruction, if any is left.
    pub checks: Vec<(usize, Option<Blocked>)>,
    /// SCHED-027: the warps that see a `done`, with what still blocks them.
    pub relieved: Vec<(usize, Blocked)>,
    /// SCHED-012
    pub touch: Option<Touch>,
    /// SCHED-014: a new greedy warp.
    pub greedy: Option<usize>,
    /// SUPPLY-010
    pub selected: Option<usize>,
    /// SUPPLY-070: this warp will be in look, where it was predicted.
    pub predicted: Option<usize>,
    /// SUPPLY-070: the pass in words is of a warp that was predicted; it is started there.
    pub met: Option<bool>,
    /// SUPPLY-020
    pub looked: Option<Looked>,
    /// SUPPLY-040
    pub push: Option<Push>,
    /// SUPPLY-022: a response wakes this warp.
    pub woken: Option<usize>,
    /// The reasons below are counted.
    pub counted: bool,
    /// SCHED-040
    pub reason: Reason,
    /// SCHED-041: the warp that is looked at.
    pub watched: (usize, Reason),
}

#[derive(Clone, Debug, Default)]
struct Warp {
    running: bool,
    waits: bool,
    mask: u64,
    queue: VecDeque<Instruction>,
    /// The first of the queue has been checked.
    present: bool,
    /// Of the first one that was checked last, also when it is not there any more.
    class: u8,
    blocked: Blocked,
    level: u8,
    /// Registers that an instruction in flight will write.
    pending: u32,
    issued: u32,
    completed: u32,
}

impl Warp {
    fn in_flight(&self) -> u32 {
        self.issued.wrapping_sub(self.completed)
    }
}

#[derive(Clone, Copy, Debug)]
struct Done {
    warp: usize,
    rd: Option<u8>,
}

#[derive(Clone, Debug)]
pub struct Scheduler {
    params: Params,
    mutation: Option<Mutation>,
    warps: Vec<Warp>,
    /// The first stands before all others (SCHED-012).
    order: Vec<usize>,
    /// Loose round robin was chosen in the cycle before.
    was_in_turn: bool,
    /// `unit_ahead` of the cycle before.
    ahead: u8,
    greedy: Option<usize>,
    above: u64,
    /// The warp that was launched in the cycle before (SCHED-012).
    launched: Option<usize>,
    /// The grants of the last two cycles, the last one first; the other one is in its issue stage.
    granted: [Option<usize>; 2],
    /// The class of the first of these.
    granted_class: Option<u8>,
    /// The issues of the last two cycles, the last one first. That one is at `issue_*` and `second_*`.
    issued: [Option<Issue>; 2],
    /// SCHED-040, by the state of the cycle before.
    reason_before: Reason,
    supply: Supply,
    counters: Counters,
}

/// A used register as a bit.
fn mask_of(register: Option<u8>) -> u32 {
    register.map_or(0, |number| 1 << number)
}

fn has(bits: u64, warp: usize) -> bool {
    bits >> warp & 1 == 1
}

impl Scheduler {
    /// The state after reset.
    pub fn new(params: Params) -> Scheduler {
        let warps = params.warps;
        assert!(matches!(warps, 4 | 8 | 16), "NW = {warps}, legal 4, 8, 16");
        Scheduler {
            params,
            mutation: None,
            warps: vec![Warp::default(); warps],
            order: (0..warps).collect(),
            was_in_turn: false,
            ahead: 0,
            greedy: None,
            above: 0,
            launched: None,
            granted: [None; 2],
            granted_class: None,
            issued: [None; 2],
            reason_before: Reason::Idle,
            supply: Supply::new(warps),
            counters: Counters::new(warps),
        }
    }

    #[doc(hidden)]
    pub fn with_mutation(self, mutation: Mutation) -> Scheduler {
        Scheduler {
            mutation: Some(mutation),
            ..self
        }
    }

    fn mutated(&self, mutation: Mutation) -> bool {
        self.mutation == Some(mutation)
    }

    pub fn params(&self) -> Params {
        self.params
    }

    /// The exact value of a counter in this cycle; 0 where there is none.
    pub fn counter(&self, select: u32) -> u32 {
        self.counters.value(select)
    }

    /// The warp that SCHED-041 looks at in this cycle, if it is counted.
    pub fn watched(&self) -> usize {
        self.counters.watched()
    }

    /// The warps in their order, the first one first.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    pub fn greedy(&self) -> Option<usize> {
        self.greedy
    }

    /// Loose round robin was chosen in the cycle before.
    pub fn was_in_turn(&self) -> bool {
        self.was_in_turn
    }

    /// Decoded instructions in the queue of a warp.
    pub fn queued(&self, warp: usize) -> usize {
        self.warps[warp].queue.len()
    }

    /// The warp that was launched in the cycle before.
    pub fn launched(&self) -> Option<usize> {
        self.launched
    }

    pub fn level(&self, warp: usize) -> u8 {
        self.warps[warp].level
    }

    /// What blocks the first instruction of a warp; `None` when it has none at the picker.
    pub fn blocked(&self, warp: usize) -> Option<Blocked> {
        let warp = &self.warps[warp];
        warp.present.then_some(warp.blocked)
    }

    /// The warp waits for a start after a `control` instruction.
    pub fn waits(&self, warp: usize) -> bool {
        self.warps[warp].waits
    }

    /// The warp forgets its lines in its next look (SUPPLY-061).
    pub fn stale(&self, warp: usize) -> bool {
        self.supply.warps[warp].stale
    }

    pub fn in_flight(&self, warp: usize) -> u32 {
        self.warps[warp].in_flight()
    }

    pub fn outputs(&self) -> Outputs {
        let bits = |holds: fn(&Warp) -> bool| {
            (0..).zip(&self.warps).fold(0, |bits, (number, warp)| {
                bits | u64::from(holds(warp)) << number
            })
        };
        let mut out = Outputs {
            granted_class: self.granted_class.map_or(0, |class| 1 << class),
            status_running: bits(|warp| warp.running),
            status_flight: bits(|warp| warp.in_flight() != 0),
            ..Default::default()
        };
        if let Some(request) = self.supply.request {
            out.fetch_valid = true;
            out.fetch_warp = request.warp as u8;
            out.fetch_line = request.line;
        }
        if let Some(pass) = self.supply.words {
            out.decode_defined = true;
            [out.decode_word0, out.decode_word1] = pass.words;
        }
        if let Some(issue) = self.issued[0] {
            out.issue_valid = true;
            out.issue_warp = issue.warp as u8;
            out.issue_pc = issue.first.pc;
            out.issue_mask = issue.mask;
            out.issue_word = issue.first.word;
            out.issue_decoded = issue.first.decoded;
            if let Ok(second) = issue.second {
                out.second_valid = true;
                out.second_word = second.word;
                out.second_decoded = second.decoded;
            }
        }
        if let Some((least, slack)) = self.counters.port() {
            out.counter_defined = true;
            out.counter_value = least;
            out.counter_slack = slack;
        }
        out
    }

    /// One clock cycle.
    pub fn step(&mut self, inputs: &Inputs) -> Happened {
        let happened = self.happened(inputs);
        if inputs.reset {
            *self = Scheduler {
                mutation: self.mutation,
                was_in_turn: inputs.cfg_policy == 1,
                ..Scheduler::new(self.params)
            };
        } else {
            self.apply(inputs, &happened);
        }
        happened
    }

    // What happens, by the state of this cycle.

    /// All that happens in this cycle with these inputs, but for `reset`.
    pub fn happened(&self, inputs: &Inputs) -> Happened {
        let issue = self.issue(inputs);
        let push = self.push(inputs);
        let candidates = self.candidates(inputs);
        let checks = self.checks(inputs, issue.as_ref(), push.as_ref());
        let reason = match issue {
            Some(_) => Reason::Issue,
            None => self.reason_before,
        };
        let watched = self.counters.watched();
        let selected = self.supply.select();
        Happened {
            candidates,
            grant: self.pick(candidates, inputs),
            issue,
            lost_grant: self.aimed().filter(|_| issue.is_none()),
            relieved: self.relieved(inputs, &checks),
            checks,
            touch: self.touch(inputs, issue.as_ref()),
            greedy: self.new_greedy(inputs, issue.as_ref()),
            selected,
            predicted: (inputs.predict_valid && selected.is_none())
                .then_some(inputs.predict_warp.into()),
            met: self.met(inputs),
            looked: self.supply.looked(inputs.fetch_ready),
            push,
            woken: self.woken(inputs),
            counted: self.counters.counted(inputs.counter_hold),
            reason,
            watched: (
                watched,
                self.watched_reason(watched, inputs, issue.as_ref()),
            ),
        }
    }

    /// Of a class above 4, which is illegal, the unit is never free.
    fn unit_free(&self, class: u8, inputs: &Inputs) -> bool {
        inputs.unit_free >> class & 1 == 1 || self.mutated(Mutation::UnitFreeIgnored)
    }

    /// The unit was said to be free when a grant of what is a candidate in this cycle is made (SCHED-010).
    fn unit_for_grant(&self, class: u8) -> bool {
        self.ahead >> class & 1 == 1 || self.mutated(Mutation::UnitFreeIgnored)
    }

    /// SCHED-013: levels can be written.
    fn has_levels(&self, inputs: &Inputs) -> bool {
        inputs.cfg_policy != 1 && !self.was_in_turn
    }

    /// SCHED-012: a level is written in this cycle.
    fn writes_level(&self, inputs: &Inputs) -> bool {
        inputs.level_valid && self.has_levels(inputs)
    }

    /// SCHED-010
    fn candidates(&self, inputs: &Inputs) -> u64 {
        let granted = match self.mutated(Mutation::GrantedTwiceRunning) {
            true => 1,
            false => self.granted.len(),
        };
        (0..self.params.warps)
            .filter(|&number| {
                let warp = &self.warps[number];
                warp.present
                    && (!has(inputs.hold, number) || self.mutated(Mutation::HoldIgnored))
                    && !warp.blocked.any()
                    && warp
                        .queue
                        .front()
                        .is_some_and(|first| self.unit_for_grant(first.decoded.class))
                    && !(self.granted.iter().take(granted)).any(|&grant| grant == Some(number))
            })
            .fold(0, |candidates, number| candidates | 1 << number)
    }

    /// SCHED-011
    fn pick(&self, candidates: u64, inputs: &Inputs) -> Option<usize> {
        let by_age = || self.order.iter().copied().find(|&w| has(candidates, w));
        match inputs.cfg_policy {
            2 => self.greedy_one(candidates).or_else(by_age),
            _ => by_age(),
        }
    }

    fn greedy_one(&self, candidates: u64) -> Option<usize> {
        self.greedy
            .filter(|&w| has(candidates, w) && candidates & self.above == 0)
    }

    /// SCHED-012: at most one touch.
    fn touch(&self, inputs: &Inputs, issue: Option<&Issue>) -> Option<Touch> {
        let touch = |warp: usize, level: u8, rule: u8| Some(Touch { warp, level, rule });
        let own_level = |warp: usize| self.warps[warp].level;
        if !self.has_levels(inputs) {
            return None;
        }
        if inputs.level_valid {
            return touch(inputs.level_warp.into(), inputs.level_value, 1);
        }
        if let (2, Some(warp)) = (inputs.cfg_policy, self.launched) {
            return touch(warp, own_level(warp), 2);
        }
        if inputs.cfg_policy == 2 || self.mutated(Mutation::AgeTouchForgotten) {
            return None;
        }
        issue.and_then(|issue| touch(issue.warp, own_level(issue.warp), 3))
    }

    /// SCHED-014. The condition is about `greedy` as it is in this cycle: a warp that has become greedy by its issue in
    /// one of the cycles before did issue in it.
    fn new_greedy(&self, inputs: &Inputs, issue: Option<&Issue>) -> Option<usize> {
        let warp = issue?.warp;
        if inputs.cfg_policy != 2 || self.writes_level(inputs) || self.launched.is_some() {
            return None;
        }
        let greedy = self.greedy;
        if greedy.is_some() {
            let mut before = self.issued.iter().flatten();
            let fills_gap = before.any(|issue| greedy == Some(issue.warp))
                && !self.mutated(Mutation::FillerBecomesGreedy);
            if greedy == Some(warp) || fills_gap || self.mutated(Mutation::GreedyNeverChanges) {
                return None;
            }
        }
        Some(warp)
    }

    /// The warp in its issue stage (SCHED-020).
    fn aimed(&self) -> Option<usize> {
        self.granted[1]
    }

    /// SCHED-020, SCHED-021
    fn issue(&self, inputs: &Inputs) -> Option<Issue> {
        let number = self.aimed()?;
        let warp = &self.warps[number];
        if !warp.running && !self.mutated(Mutation::StopDoesNotFlush) {
            return None;
        }
        let first = *warp.queue.front()?;
        Some(Issue {
            warp: number,
            mask: warp.mask,
            first,
            second: self.second(inputs, number, &first),
        })
    }

    /// SCHED-021
    fn second(
        &self,
        inputs: &Inputs,
        number: usize,
        first: &Instruction,
    ) -> Result<Instruction, Alone> {
        if !self.params.dual {
            return Err(Alone::NotDual);
        }
        let other = *self.warps[number].queue.get(1).ok_or(Alone::LastQueued)?;
        let (pending, in_flight) = self.after_done(number, inputs);
        let class = other.decoded.class;
        let needs =
            mask_of(other.decoded.rd) | mask_of(other.decoded.rs1) | mask_of(other.decoded.rs2);
        let depends = needs & mask_of(first.decoded.rd) != 0;
        let slow = inputs.cfg_slow >> class & 1 == 1;
        match () {
            _ if first.decoded.control => Err(Alone::FirstIsControl),
            _ if other.decoded.drain => Err(Alone::SecondIsDrain),
            _ if class == first.decoded.class => Err(Alone::SameClass),
            _ if !self.unit_free(class, inputs) => Err(Alone::UnitNotFree),
            _ if slow && !self.mutated(Mutation::SecondIgnoresSlow) => Err(Alone::SlowClass),
            _ if needs & pending != 0 => Err(Alone::Pending),
            _ if depends && !self.mutated(Mutation::SecondIgnoresDependence) => {
                Err(Alone::DependsOnFirst)
            }
            // Cannot happen: with 28 in flight the first would have been blocked (SCHED-025).
            _ if in_flight + 1 > FLIGHT_LIMIT => Err(Alone::Flight),
            _ => Ok(other),
        }
    }

    /// SUPPLY-070
    fn met(&self, inputs: &Inputs) -> Option<bool> {
        let pass = self.supply.words.filter(|pass| pass.predicted)?;
        let place = inputs.start_pc == pass.pc || self.mutated(Mutation::AnyPlaceIsPredicted);
        Some(inputs.start_valid && usize::from(inputs.start_warp) == pass.warp && place)
    }

    /// SUPPLY-040
    fn push(&self, inputs: &Inputs) -> Option<Push> {
        let Pass {
            warp, pc, words, ..
        } = self.supply.push?;
        let first = Instruction {
            pc,
            word: words[0],
            decoded: inputs.decode0,
        };
        let behind = Instruction {
            pc: pc | 1,
            word: words[1],
            decoded: inputs.decode1,
        };
        let goes_on = !first.decoded.control || self.mutated(Mutation::ControlDoesNotStopSupply);
        let instructions = match pc & 1 {
            _ if !self.warps[warp].running => vec![],
            0 if goes_on => vec![first, behind],
            _ => vec![first],
        };
        Some(Push { warp, instructions })
    }

    /// The queue of a warp after this cycle's issue and push.
    fn queue_after(
        &self,
        number: usize,
        issue: Option<&Issue>,
        push: Option<&Push>,
    ) -> Vec<Instruction> {
        let issued = issue.filter(|i| i.warp == number).map_or(0, Issue::count);
        let pushed = push.filter(|push| push.warp == number);
        self.warps[number]
            .queue
            .iter()
            .skip(issued)
            .chain(pushed.iter().flat_map(|push| &push.instructions))
            .copied()
            .collect()
    }

    /// SCHED-025, SCHED-026
    fn checks(
        &self,
        inputs: &Inputs,
        issue: Option<&Issue>,
        push: Option<&Push>,
    ) -> Vec<(usize, Option<Blocked>)> {
        let issuing = issue.map(|issue| issue.warp);
        let fills = push
            .filter(|push| !push.instructions.is_empty())
            .map(|push| push.warp)
            .filter(|&w| self.warps[w].queue.is_empty() && issuing != Some(w));
        [issuing, fills]
            .into_iter()
            .flatten()
            .map(|number| {
                let first = self.queue_after(number, issue, push).first().copied();
                let check = |first: Instruction| self.check(number, &first.decoded, inputs, issue);
                (number, first.map(check))
            })
            .collect()
    }

    /// SCHED-025
    fn check(
        &self,
        number: usize,
        first: &Decoded,
        inputs: &Inputs,
        issue: Option<&Issue>,
    ) -> Blocked {
        let (mut pending, mut in_flight) = self.after_done(number, inputs);
        if let Some(issue) = issue.filter(|issue| issue.warp == number) {
            for instruction in issue.instructions() {
                pending |= mask_of(instruction.decoded.rd);
                in_flight += 1;
            }
        }
        let blocks = |register| pending & mask_of(register) != 0;
        Blocked {
            rd: blocks(first.rd),
            rs1: blocks(first.rs1),
            rs2: blocks(first.rs2) && !self.mutated(Mutation::Rs2HazardIgnored),
            flight: self.flight_blocks(first, in_flight),
        }
    }

    /// Pending registers and the number in flight, when what a `done` of this cycle frees does not count.
    fn after_done(&self, number: usize, inputs: &Inputs) -> (u32, u32) {
        let warp = &self.warps[number];
        match self.done_of(number, inputs) {
            Some(done) => (
                warp.pending & !mask_of(done.rd),
                warp.in_flight().wrapping_sub(1),
            ),
            None => (warp.pending, warp.in_flight()),
        }
    }

    fn flight_blocks(&self, first: &Decoded, in_flight: u32) -> bool {
        if first.drain && !self.mutated(Mutation::DrainIgnored) {
            in_flight != 0
        } else {
            in_flight >= FLIGHT_LIMIT && !self.mutated(Mutation::FlightUnlimited)
        }
    }

    fn dones(&self, inputs: &Inputs) -> impl Iterator<Item = Done> {
        let done = |valid: bool, warp: u8, rd| {
            valid.then_some(Done {
                warp: warp.into(),
                rd,
            })
        };
        let even = done(inputs.done0_valid, inputs.done0_warp, inputs.done0_rd);
        let odd = done(inputs.done1_valid, inputs.done1_warp, inputs.done1_rd);
        [even, odd].into_iter().flatten()
    }

    fn done_of(&self, number: usize, inputs: &Inputs) -> Option<Done> {
        self.dones(inputs).find(|done| done.warp == number)
    }

    /// SCHED-027
    fn relieved(
        &self,
        inputs: &Inputs,
        checks: &[(usize, Option<Blocked>)],
    ) -> Vec<(usize, Blocked)> {
        self.dones(inputs)
            .filter(|done| {
                let checked = checks.iter().any(|(number, _)| *number == done.warp);
                self.warps[done.warp].present && !checked && !self.mutated(Mutation::DoneNotSeen)
            })
            .filter_map(|done| {
                let warp = &self.warps[done.warp];
                let first = warp.queue.front()?.decoded;
                let freed = |register: Option<u8>| register.is_some() && register == done.rd;
                let in_flight = warp.in_flight().wrapping_sub(1);
                let blocked = Blocked {
                    rd: warp.blocked.rd && !freed(first.rd),
                    rs1: warp.blocked.rs1 && !freed(first.rs1),
                    rs2: warp.blocked.rs2 && !freed(first.rs2),
                    flight: warp.blocked.flight && self.flight_blocks(&first, in_flight),
                };
                Some((done.warp, blocked))
            })
            .collect()
    }

    /// SUPPLY-022
    fn woken(&self, inputs: &Inputs) -> Option<usize> {
        let wakes = inputs.line_valid && !self.mutated(Mutation::StuckNotWoken);
        wakes.then_some(inputs.line_warp.into())
    }

    /// SCHED-040, for a cycle after this one in which nothing is issued.
    fn reason_if_idle(&self, hold: u64) -> Reason {
        let free = |number: &usize| !has(hold, *number);
        let some = |holds: fn(&Warp) -> bool| {
            let numbers = (0..self.params.warps).filter(free);
            numbers.map(|number| &self.warps[number]).any(holds)
        };
        match () {
            _ if some(|w| w.present && !w.blocked.any()) => Reason::Unit,
            _ if some(|w| w.present) => Reason::Hazard,
            _ if some(|w| w.running && !w.waits) => Reason::Fetch,
            // All of them wait, or are held.
            _ if self.warps.iter().any(|w| w.running) => Reason::Control,
            _ => Reason::Idle,
        }
    }

    /// SCHED-041
    fn watched_reason(&self, number: usize, inputs: &Inputs, issue: Option<&Issue>) -> Reason {
        let warp = &self.warps[number];
        let class = |first: &Instruction| first.decoded.class;
        match () {
            _ if issue.is_some_and(|issue| issue.warp == number) => Reason::Issue,
            _ if !warp.running => Reason::Idle,
            _ if warp.waits || has(inputs.hold, number) => Reason::Control,
            _ if !warp.present => Reason::Fetch,
            _ if warp.blocked.any() => Reason::Hazard,
            _ if !(warp.queue.front()).is_some_and(|f| self.unit_for_grant(class(f))) => {
                Reason::Unit
            }
            _ => Reason::Ready,
        }
    }

    // The state of the next cycle, in the order of the specification: what is listed last wins.

    fn apply(&mut self, inputs: &Inputs, happened: &Happened) {
        let issue = happened.issue.as_ref();
        self.counters.step(
            inputs.counter_clear,
            inputs.counter_hold,
            inputs.counter_select,
            &Cycle {
                reason: happened.reason,
                watched: happened.watched.1,
                issued: issue.map(|issue| (issue.warp, issue.count() as u32)),
            },
        );
        self.reason_before = self.reason_if_idle(inputs.hold);
        let rooms = self.rooms_after(happened);
        let granted_class = happened.grant.map(|granted| self.warps[granted].class);

        if inputs.cfg_policy != 2 {
            self.greedy = None;
        }
        self.become_greedy(happened.greedy);
        let launches = inputs.start_valid && inputs.start_launch;
        self.launched = launches.then_some(inputs.start_warp.into());
        match inputs.cfg_policy {
            1 => self.in_turn_after(issue),
            _ => self.order_after(inputs, happened.touch),
        }
        self.was_in_turn = inputs.cfg_policy == 1;
        self.ahead = inputs.unit_ahead;
        self.granted.rotate_right(1);
        self.granted[0] = happened.grant;
        self.granted_class = granted_class;
        self.issued.rotate_right(1);
        self.issued[0] = happened.issue;
        self.score(inputs, issue);
        for &(number, check) in &happened.checks {
            let warp = &mut self.warps[number];
            warp.present = check.is_some();
            warp.blocked = check.unwrap_or_default();
        }
        for &(number, blocked) in &happened.relieved {
            self.warps[number].blocked = blocked;
        }

        self.supply_after(inputs, happened);
        for (number, room) in rooms {
            self.supply.warps[number].room = room;
        }

        for warp in &mut self.warps {
            warp.class = warp.queue.front().map_or(warp.class, |f| f.decoded.class);
        }

        // SCHED-029 stands before SUPPLY-040 in the specification, but wins: nothing is pushed any more after a stop.
        if inputs.start_valid {
            self.start(inputs, happened.met == Some(true));
        }
        if inputs.stop_valid {
            self.stop(inputs.stop_warp.into());
        }
        if inputs.flush {
            self.supply.flush();
        }
    }

    /// SCHED-014, with the levels before a level write.
    fn become_greedy(&mut self, greedy: Option<usize>) {
        let Some(greedy) = greedy else { return };
        let level = self.warps[greedy].level;
        self.greedy = Some(greedy);
        self.above = (0..self.params.warps)
            .filter(|&other| self.warps[other].level > level)
            .fold(0, |above, other| above | 1 << other);
    }

    /// SCHED-013, in a cycle with policy 1.
    fn in_turn_after(&mut self, issue: Option<&Issue>) {
        let count = self.params.warps;
        for warp in &mut self.warps {
            warp.level = 0;
        }
        if !self.was_in_turn {
            self.order = (0..count).collect();
        } else if let Some(issue) = issue.filter(|_| !self.mutated(Mutation::TurnNotMoved)) {
            self.order = (1..=count)
                .map(|step| (issue.warp + step) % count)
                .collect();
        }
    }

    /// SCHED-012
    fn order_after(&mut self, inputs: &Inputs, touch: Option<Touch>) {
        if self.writes_level(inputs) {
            self.warps[usize::from(inputs.level_warp)].level = inputs.level_value;
        }
        let Some(Touch { warp, level, .. }) = touch else {
            return;
        };
        let flat = self.mutated(Mutation::LevelsIgnored);
        self.order.retain(|&other| other != warp);
        let behind = |other: &usize| !flat && self.warps[*other].level < level;
        let at = self.order.iter().position(behind);
        self.order.insert(at.unwrap_or(self.order.len()), warp);
    }

    /// SCHED-022 to SCHED-024: queue and scoreboard. SCHED-023 lists `done` last, but a register that is freed and
    /// written anew by *second* in one cycle (SCHED-021) has to be pending: the issue wins.
    fn score(&mut self, inputs: &Inputs, issue: Option<&Issue>) {
        for done in self.dones(inputs) {
            let warp = &mut self.warps[done.warp];
            warp.pending &= !mask_of(done.rd);
            warp.completed = warp.completed.wrapping_add(1);
        }
        let Some(issue) = issue else { return };
        let warp = &mut self.warps[issue.warp];
        for instruction in issue.instructions() {
            warp.queue.pop_front();
            warp.pending |= mask_of(instruction.decoded.rd);
            warp.issued = warp.issued.wrapping_add(1);
            warp.waits |= instruction.decoded.control;
        }
    }

    /// SUPPLY-050: what `room` becomes of which warps.
    fn rooms_after(&self, happened: &Happened) -> Vec<(usize, bool)> {
        let (issue, push) = (happened.issue.as_ref(), happened.push.as_ref());
        [issue.map(|issue| issue.warp), push.map(|push| push.warp)]
            .into_iter()
            .flatten()
            .map(|number| {
                let queued = self.queue_after(number, issue, push).len();
                (number, queued <= ROOM)
            })
            .collect()
    }

    /// SUPPLY-010 to SUPPLY-040
    fn supply_after(&mut self, inputs: &Inputs, happened: &Happened) {
        let no_prefetch = self.mutated(Mutation::NoPrefetch);
        let goes_on = self.mutated(Mutation::ControlDoesNotStopSupply);
        let wrong_slot = self.mutated(Mutation::WrongSlot);
        let over_at_once = self.mutated(Mutation::MissOverAtOnce);
        let keeps = self.mutated(Mutation::LinesAreKept);
        let unmet_goes_on = self.mutated(Mutation::PredictedIsPushed);
        let supply = &mut self.supply;

        if let Some(number) = happened.selected {
            supply.warps[number].passing = true;
            supply.selected = number;
        }
        supply.look = match (happened.selected, happened.predicted) {
            (Some(number), _) => Some(Looking::Selected(number)),
            (None, Some(number)) => Some(Looking::Predicted(number, inputs.predict_pc)),
            (None, None) => None,
        };
        supply.rests = supply.rests.saturating_sub(1);

        supply.push = supply
            .words
            .take()
            .filter(|_| happened.met.unwrap_or(true) || unmet_goes_on);
        if inputs.fetch_ready {
            supply.request = None;
        }
        if let Some(number) = supply.missed.take() {
            supply.warps[number].passing = false;
        }
        if let Some(looked) = happened.looked {
            if looked.look.is_hit() {
                supply.words = Some(supply.read(&looked));
            } else if !looked.look.is_predicted() {
                let warp = &mut supply.warps[looked.warp];
                supply.missed = Some(looked.warp);
                warp.passing = !over_at_once;
                warp.stuck |= looked.look != super::Look::MissBusy;
            }
            if !keeps {
                supply.forget(looked.warp);
            }
            let is_prefetch = looked.requested() != Some(line_of(looked.pc));
            if let Some(line) = looked.requested().filter(|_| !(no_prefetch && is_prefetch)) {
                supply.ask(looked.warp, line);
            }
        }

        if inputs.line_valid {
            let number = usize::from(inputs.line_warp);
            let slot = usize::from(inputs.line_slot) ^ usize::from(wrong_slot);
            let slot = &mut supply.warps[number].slots[slot];
            slot.held = !slot.forgotten;
            slot.awaited = false;
            slot.data = inputs.line_data;
        }
        if let Some(number) = happened.woken {
            supply.warps[number].stuck = false;
        }

        if let Some(push) = &happened.push {
            let warp = &mut supply.warps[push.warp];
            warp.passing = false;
            warp.tail = plus(warp.tail, push.instructions.len());
            if push.instructions.iter().any(|i| i.decoded.control) && !goes_on {
                warp.wants = false;
            }
            let forgets = |i: &Instruction| i.decoded.control && i.decoded.class == FORGETFUL;
            warp.stale |= push.instructions.iter().any(forgets) && !keeps;
            self.warps[push.warp].queue.extend(&push.instructions);
        }
    }

    /// SCHED-028, SUPPLY-060, and, where it was predicted, SUPPLY-070.
    fn start(&mut self, inputs: &Inputs, met: bool) {
        let number = usize::from(inputs.start_warp);
        let warp = &mut self.warps[number];
        warp.running = true;
        warp.waits = false;
        warp.queue.clear();
        warp.mask = inputs.start_mask;
        let supply = &mut self.supply.warps[number];
        supply.wants = true;
        supply.room = true;
        supply.stuck = false;
        supply.tail = inputs.start_pc;
        supply.passing |= met;
    }

    /// SCHED-029, SUPPLY-060. The tail stays: a look of this warp that is still to come asks for the line after it.
    fn stop(&mut self, number: usize) {
        let warp = &mut self.warps[number];
        warp.running = false;
        warp.waits = false;
        self.supply.warps[number].wants = false;
        if !self.mutated(Mutation::StopDoesNotFlush) {
            let warp = &mut self.warps[number];
            warp.present = false;
            warp.queue.clear();
        }
    }
}
