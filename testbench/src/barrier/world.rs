//! Random surroundings: CTAs come and go, their threads run programs with barriers, warps are killed, ports stall. The
//! rules are kept: only awake threads execute, one operation per warp is on its way, verdicts and wakes are obeyed.

use super::device::{Inputs, Size};
use crate::seed::{stream, Rng};
use crate::threads::lanes;
use rand::Rng as _;
use weft_sim::barrier::{Kind, Late, Op, OpCode, Origin, Ports, VerdictKind, Word, CTAS};

#[derive(Clone, Copy, Debug)]
enum Step {
    /// Threads take up to so many cycles.
    Delay(u64),
    /// Of `every` threads one does not participate; 0: all do; 1: nobody does.
    Top {
        id: usize,
        word: Word,
        every: u32,
    },
    /// Who did not participate goes there.
    Others(usize),
    Bottom {
        id: usize,
        blocks: bool,
    },
    Reset {
        id: usize,
        chance: f64,
    },
    Arrive {
        id: usize,
        word: Word,
    },
    Wait {
        id: usize,
    },
    /// Threads end by chance.
    Exit(f64),
    /// Back to this step so many times.
    Loop {
        to: usize,
        times: u32,
    },
    /// To one of two places.
    Fork(usize),
    Goto(usize),
    /// To one of so many places, so many steps apart: each thread to its own, and another one next time.
    Spread {
        places: usize,
        apart: usize,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    Absent,
    Awake,
    Asleep,
    Ended,
}

#[derive(Clone, Copy, Debug)]
struct Thread {
    status: Status,
    step: usize,
    ready: u64,
    participates: bool,
    parity: u8,
    loops: u32,
    /// Number in the CTA.
    logical: u32,
    /// Barriers that it has come to.
    visits: u32,
}

struct Warp {
    cta: Option<usize>,
    threads: Vec<Thread>,
    launched: bool,
    /// Its operation, offered or taken.
    flying: bool,
    /// It offers nothing before: `hold` follows a verdict by two cycles.
    next: u64,
    /// When it was killed, and the number of that operation.
    killed: Option<(u64, u64)>,
}

struct Cta {
    program: Vec<Step>,
    base: u32,
    threads: u32,
    /// Warp slots; the first so many are launched.
    warps: Vec<usize>,
    launched: usize,
    next_launch: u64,
    /// Latest cycle in which something happened to it.
    moved: u64,
}

/// How the surroundings behave, drawn once per episode.
#[derive(Clone, Copy, Debug)]
pub struct Knobs {
    /// Chance that a port is not ready in a cycle.
    pub verdict_stall: f64,
    pub wake_stall: f64,
    /// Chance that a warp offers nothing in a cycle.
    pub idle: f64,
    /// Cycles of a delay.
    pub delay: u64,
    /// Blocks of a CTA at most.
    pub blocks: usize,
    /// CTAs at a time.
    pub ctas: usize,
    /// Chance per cycle that a warp is killed.
    pub kill: f64,
    /// Programs are one thing after the other without a plan.
    pub chaos: bool,
    /// Chance that only some of the threads that could go together do.
    pub split: f64,
    /// Cycles until a priority changes.
    pub priority: u64,
    /// A CTA that does not move for so long is killed.
    pub patience: u64,
    /// Many barriers at a time.
    pub crowd: bool,
    /// Each thread inside a section of its own, so that many slots are taken.
    pub gates: bool,
}

/// Cycles inside a section of its own, at most.
const INSIDE: u64 = 600;

pub struct World {
    size: Size,
    pub knobs: Knobs,
    rng: Rng,
    stalls: Rng,
    programs: Rng,
    ctas: Vec<Option<Cta>>,
    warps: Vec<Warp>,
    cycle: u64,
    offered: Option<Op>,
    priority: u16,
    /// No more CTAs.
    pub closing: bool,
    /// Cycles since.
    closing_for: u64,
    /// CTAs that have ended.
    pub ended: u64,
    hold: u64,
    stalled: bool,
    /// Operations that are taken and have no verdict yet.
    flying: Vec<(usize, Op, u64)>,
    /// Operations taken; the number of the latest that has its verdict.
    taken: u64,
    settled: u64,
    /// The warp of a wake that is not transferred yet.
    pending: Option<usize>,
}

impl World {
    pub fn new(size: Size, seed: u64) -> World {
        let mut knobs = stream(seed, "knobs");
        let stall = |rng: &mut Rng| [0.0, 0.0, 0.1, 0.5, 0.9][rng.gen_range(0..5)];
        let delay = [2, 8, 30, 200][knobs.gen_range(0..4)];
        let mut drawn = Knobs {
            verdict_stall: stall(&mut knobs),
            wake_stall: stall(&mut knobs),
            idle: [0.0, 0.1, 0.6, 0.9][knobs.gen_range(0..4)],
            delay,
            blocks: knobs.gen_range(1..=size.warps),
            ctas: [1, 2, 4, 16][knobs.gen_range(0..4)],
            kill: [0.0, 0.0, 0.0005, 0.003][knobs.gen_range(0..4)],
            chaos: knobs.gen_bool(0.3),
            split: [0.0, 0.3, 0.8][knobs.gen_range(0..3)],
            priority: [100, 1_000, 10_000][knobs.gen_range(0..3)],
            patience: 1_500 + 10 * delay,
            crowd: knobs.gen_bool(0.2),
            gates: knobs.gen_bool(0.15),
        };
        if drawn.gates {
            // Many small CTAs, as a CTA has eight barriers, and wakes that are late, so that several slots can go at once.
            (drawn.chaos, drawn.ctas, drawn.blocks) = (false, CTAS, 1);
            drawn.delay = [2, 8][knobs.gen_range(0..2)];
            drawn.wake_stall = [0.5, 0.9, 0.97][knobs.gen_range(0..3)];
            drawn.patience += 4 * INSIDE;
        }
        let knobs = drawn;
        let warp = |_| Warp {
            cta: None,
            threads: Vec::new(),
            launched: false,
            flying: false,
            next: 0,
            killed: None,
        };
        World {
            size,
            knobs,
            rng: stream(seed, "world"),
            stalls: stream(seed, "stalls"),
            programs: stream(seed, "programs"),
            ctas: (0..CTAS).map(|_| None).collect(),
            warps: (0..size.warps).map(warp).collect(),
            cycle: 0,
            offered: None,
            priority: 0,
            closing: false,
            closing_for: 0,
            ended: 0,
            hold: 0,
            stalled: false,
            flying: Vec::new(),
            taken: 0,
            settled: 0,
            pending: None,
        }
    }

    /// No CTA is there.
    pub fn is_empty(&self) -> bool {
        self.ctas.iter().all(Option::is_none) && self.offered.is_none()
    }

    pub fn inputs(&mut self, outputs: &Ports) -> Inputs {
        if self.cycle < 2 {
            return Inputs {
                reset: true,
                op: None,
                ..Inputs::default()
            };
        }
        self.hold = outputs.hold;
        if self.cycle % self.knobs.priority == 2 {
            self.priority = self.rng.gen();
        }
        if self.offered.is_none() && !self.rng.gen_bool(self.knobs.idle) {
            self.offered = self.next_op();
        }
        // Long stalls too.
        if self.stalls.gen_bool(0.002) {
            self.stalled = !self.stalled && self.knobs.verdict_stall > 0.3;
        }
        let ready = |rng: &mut Rng, chance| !rng.gen_bool(chance);
        Inputs {
            reset: false,
            cfg_priority: self.priority,
            op: self.offered,
            verdict_ready: !self.stalled && ready(&mut self.stalls, self.knobs.verdict_stall),
            wake_ready: ready(&mut self.stalls, self.knobs.wake_stall),
        }
    }

    fn next_op(&mut self) -> Option<Op> {
        let count = self.size.warps;
        // Warps that are held or whose operation is on its way do nothing.
        let from = self.rng.gen_range(0..count);
        let op = (0..count).find_map(|n| self.warp_op((from + n) % count));
        let launch = self.rng.gen_bool(0.3) || op.is_none();
        if launch {
            if let Some(op) = self.launch_op() {
                return Some(op);
            }
        }
        if self.knobs.kill > 0.0 && self.rng.gen_bool(self.knobs.kill) || self.closing {
            let warp = self.rng.gen_range(0..count);
            let late = self.closing_for > 10_000;
            if let Some(op) = self.kill_op(warp, late || !self.closing) {
                return Some(op);
            }
        }
        if let Some(op) = self.rescue() {
            return Some(op);
        }
        if let Some(op) = op {
            self.warps[op.warp].flying = true;
        }
        op
    }

    /// A warp is killed so that its CTA goes on.
    fn rescue(&mut self) -> Option<Op> {
        let (now, patience) = (self.cycle, self.knobs.patience);
        let stuck = |cta: &Cta| cta.launched == cta.warps.len() && now > cta.moved + patience;
        let found = self
            .ctas
            .iter()
            .position(|c| c.as_ref().is_some_and(stuck))?;
        let warps = self.ctas[found].as_ref().expect("a CTA").warps.clone();
        let warp = warps[self.rng.gen_range(0..warps.len())];
        self.kill_op(warp, true)
    }

    fn kill_op(&mut self, number: usize, anyway: bool) -> Option<Op> {
        let warp = &self.warps[number];
        let alive = |t: &Thread| matches!(t.status, Status::Awake | Status::Asleep);
        let cta = warp.cta.filter(|_| warp.launched && !warp.flying)?;
        let moved = self.ctas[cta].as_ref().map_or(0, |c| c.moved);
        if !warp.threads.iter().any(alive) || !anyway && self.cycle < moved + 400 {
            return None;
        }
        self.warps[number].flying = true;
        Some(Op {
            code: OpCode::Kill,
            warp: number,
            ..Op::default()
        })
    }

    fn launch_op(&mut self) -> Option<Op> {
        let now = self.cycle;
        for (slot, cta) in self.ctas.iter_mut().enumerate() {
            let Some(cta) = cta else { continue };
            if cta.launched < cta.warps.len() && now >= cta.next_launch {
                let (block, warp) = (cta.launched, cta.warps[cta.launched]);
                let first = (block * self.size.threads) as u32;
                let count = (cta.threads - first).min(self.size.threads as u32);
                cta.next_launch = u64::MAX;
                self.warps[warp].flying = true;
                return Some(Op {
                    code: OpCode::Launch,
                    warp,
                    active: u64::MAX >> (64 - count),
                    cta: slot,
                    block,
                    threads: cta.threads,
                    ..Op::default()
                });
            }
        }
        let there = self.ctas.iter().flatten().count();
        if self.closing || there >= self.knobs.ctas {
            return None;
        }
        self.place_cta();
        None
    }

    fn place_cta(&mut self) {
        let free: Vec<usize> = (0..self.size.warps)
            .filter(|&w| {
                let warp = &self.warps[w];
                // What was on its way to a killed warp has come.
                let settled = |(at, number): (u64, u64)| {
                    let quiet = self.flying.is_empty() && self.cycle > at + 100;
                    (self.settled > number || quiet) && self.pending != Some(w)
                };
                warp.cta.is_none() && warp.killed.is_none_or(settled)
            })
            .collect();
        let blocks = self.rng.gen_range(1..=self.knobs.blocks);
        let slots: Vec<usize> = (0..CTAS).filter(|&s| self.ctas[s].is_none()).collect();
        if free.len() < blocks || slots.is_empty() {
            return;
        }
        let slot = slots[self.rng.gen_range(0..slots.len())];
        let mut warps = free;
        while warps.len() > blocks {
            warps.remove(self.rng.gen_range(0..warps.len()));
        }
        // In any order.
        for n in (1..warps.len()).rev() {
            warps.swap(n, self.rng.gen_range(0..=n));
        }
        for &w in &warps {
            let warp = &mut self.warps[w];
            warp.cta = Some(slot);
            warp.launched = false;
        }
        let width = self.size.threads as u32;
        let last = match self.knobs.gates && self.rng.gen_bool(0.8) {
            true => width,
            false => self.rng.gen_range(1..=width),
        };
        let threads = (blocks as u32 - 1) * width + last;
        let program = match (self.knobs.gates, self.knobs.chaos) {
            (true, _) => self.gates(threads),
            (_, true) => self.chaos(threads),
            _ => self.plan(threads),
        };
        self.ctas[slot] = Some(Cta {
            program,
            base: match self.programs.gen_bool(0.1) {
                true => (1 << 22) - 3,
                false => self.programs.gen_range(0..8) * 0x100,
            },
            threads,
            warps,
            launched: 0,
            next_launch: self.cycle,
            moved: self.cycle,
        });
    }

    fn word(&mut self, threads: u32, section: bool, patient: bool) -> Word {
        let rng = &mut self.programs;
        let mut word = Word::default().with_timeout(rng.gen_range(0..4));
        if section {
            word = word.with_kind([Kind::Section, Kind::Ordered][rng.gen_range(0..2)]);
            if rng.gen_bool(0.25) {
                word = word.exclusive();
            }
        } else if rng.gen_bool(0.1) {
            // Kind 3 is simple, and exclusive nothing.
            word = Word(word.0 | 3 << 14 | 1 << 16);
        }
        let condition = match (patient, rng.gen_range(0..10)) {
            (true, 0..=5) | (false, 0..=2) => rng.gen_range(0..3) * 5 % 8,
            (true, n) => n % 3,
            (false, n) => 3 + n % 2,
        };
        let count = match rng.gen_range(0..8) {
            0 => 0,
            1 => threads + rng.gen_range(0..3),
            2 => rng.gen_range(1..=threads),
            _ => threads,
        };
        word = word.with_condition(condition).with_count(count);
        word = word.with_origin(
            [
                Origin::FirstParticipant,
                Origin::First,
                Origin::LatestParticipant,
                Origin::Latest,
            ][rng.gen_range(0..4)],
        );
        word.with_late(
            [Late::Joins, Late::Runs, Late::Skips, Late::Invalidates][rng.gen_range(0..4)],
        )
    }

    /// A program that comes to its end.
    fn plan(&mut self, threads: u32) -> Vec<Step> {
        let mut steps = Vec::new();
        let delay = self.knobs.delay;
        let parts = self.programs.gen_range(2..7);
        for _ in 0..parts {
            let start = steps.len();
            // 0 to 4 for TOP, 5 to 7 split.
            let id = match self.knobs.crowd {
                true => self.programs.gen_range(0..8),
                false => self.programs.gen_range(0..5),
            };
            steps.push(Step::Delay(delay));
            match self.programs.gen_range(0..10) {
                0..=3 => {
                    let patient = self.programs.gen_bool(0.6);
                    let word = self.word(threads, false, patient);
                    let every = [0, 0, 0, 2, 3, 1][self.programs.gen_range(0..6)];
                    steps.push(Step::Top { id, word, every });
                }
                4..=7 => {
                    let patient = self.programs.gen_bool(0.6);
                    let word = self.word(threads, true, patient);
                    let every = [0, 2, 3, 1][self.programs.gen_range(0..4)];
                    let blocks = self.programs.gen_bool(0.7);
                    steps.push(Step::Top { id, word, every });
                    let others = steps.len();
                    steps.push(Step::Others(0));
                    steps.push(Step::Delay(delay / 2 + 1));
                    if self.programs.gen_bool(0.1) {
                        steps.push(Step::Exit(0.2));
                    }
                    if self.programs.gen_bool(0.05) {
                        // Nested: an error.
                        let word = Word::ALL;
                        steps.push(Step::Top {
                            id: 4,
                            word,
                            every: 0,
                        });
                    }
                    if self.programs.gen_bool(0.2) {
                        // Two ends of one section.
                        let fork = steps.len();
                        steps.push(Step::Fork(fork + 3));
                        steps.push(Step::Bottom { id, blocks });
                        steps.push(Step::Goto(fork + 4));
                        steps.push(Step::Bottom { id, blocks: true });
                    } else {
                        steps.push(Step::Bottom { id, blocks });
                    }
                    steps[others] = Step::Others(steps.len());
                }
                8 => {
                    let id = 5 + self.programs.gen_range(0..3);
                    let word = match self.programs.gen_range(0..3) {
                        0 => Word::ALL.with_condition(1).with_count(threads),
                        1 => Word::ALL.with_condition(1),
                        _ => Word::ALL,
                    };
                    steps.push(Step::Arrive { id, word });
                    steps.push(Step::Delay(delay));
                    steps.push(Step::Wait { id });
                }
                _ => match self.programs.gen_range(0..3) {
                    0 => steps.push(Step::Exit(0.1)),
                    1 => steps.push(Step::Reset { id, chance: 0.3 }),
                    _ => steps.push(Step::Bottom { id, blocks: true }),
                },
            }
            if self.programs.gen_bool(0.4) {
                let times = self.programs.gen_range(1..4);
                steps.push(Step::Loop { to: start, times });
            }
        }
        steps
    }

    /// Sections that the first thread completes, one for each of several threads, over and over.
    /// In one of them may be a barrier that others come to from outside: an error of who is inside.
    fn gates(&mut self, threads: u32) -> Vec<Step> {
        let meeting = self.word(threads, false, false);
        let rng = &mut self.programs;
        let places = [2, 4, 4, 8][rng.gen_range(0..4)];
        let (times, apart) = (rng.gen_range(1..4), 5);
        let meets = (places < 8 && rng.gen_bool(0.5)).then(|| rng.gen_range(0..places));
        let inside = [10, 100, INSIDE][rng.gen_range(0..3)];
        let end = 2 + places * apart;
        let mut steps = vec![
            Step::Delay(self.knobs.delay),
            Step::Spread { places, apart },
        ];
        for id in 0..places {
            let kind = [Kind::Section, Kind::Ordered][rng.gen_range(0..2)];
            let late = [Late::Joins, Late::Runs, Late::Skips][rng.gen_range(0..3)];
            let word = Word::default().with_kind(kind).with_late(late);
            let word = word.with_condition(rng.gen_range(1..3)).with_count(1);
            let (every, blocks) = (if meets == Some(id) { 2 } else { 0 }, rng.gen_bool(0.5));
            steps.push(Step::Top { id, word, every });
            steps.push(Step::Delay(inside));
            steps.push(match meets == Some(id) {
                true => Step::Top {
                    id: 7,
                    word: meeting,
                    every: 0,
                },
                false => Step::Delay(0),
            });
            steps.push(Step::Bottom { id, blocks });
            steps.push(Step::Goto(end));
        }
        steps.push(Step::Loop { to: 0, times });
        steps
    }

    /// One thing after the other.
    fn chaos(&mut self, threads: u32) -> Vec<Step> {
        let length = self.programs.gen_range(5..30);
        let ids = self.programs.gen_range(1..=8);
        let mut steps = Vec::new();
        for _ in 0..length {
            let id = self.programs.gen_range(0..ids);
            let delay = self.knobs.delay;
            let any = self.programs.gen_range(0..length);
            let step = match self.programs.gen_range(0..20) {
                0..=6 => {
                    let (section, patient) = (self.programs.gen(), self.programs.gen());
                    let word = self.word(threads, section, patient);
                    let every = self.programs.gen_range(0..4);
                    Step::Top { id, word, every }
                }
                7..=9 => Step::Bottom {
                    id,
                    blocks: self.programs.gen(),
                },
                10 => Step::Reset { id, chance: 0.5 },
                11 | 12 => Step::Arrive {
                    id,
                    word: self.word(threads, false, true),
                },
                13 => Step::Wait { id },
                14 => Step::Exit(0.1),
                15 => Step::Loop { to: any, times: 2 },
                16 => Step::Fork(any),
                17 => Step::Others(any),
                _ => Step::Delay(delay),
            };
            steps.push(step);
        }
        steps
    }

    /// Lets the awake threads of a warp go on to their next operation; one that can be offered.
    fn warp_op(&mut self, number: usize) -> Option<Op> {
        let now = self.cycle;
        let warp = &self.warps[number];
        let slot = warp.cta?;
        if !warp.launched || warp.flying || now < warp.next || self.hold >> number & 1 != 0 {
            return None;
        }
        let cta = self.ctas[slot].as_ref()?;
        let program = &cta.program;
        let (base, delay) = (cta.base, self.knobs.delay);
        let rng = &mut self.rng;
        let warp = &mut self.warps[number];
        for t in warp.threads.iter_mut() {
            for _ in 0..4 {
                if t.status != Status::Awake || t.ready > now {
                    break;
                }
                let step = program.get(t.step).copied();
                match step {
                    Some(Step::Delay(most)) => {
                        t.ready = now + rng.gen_range(0..=most.max(1));
                        t.step += 1;
                    }
                    Some(Step::Others(to)) => match t.participates {
                        true => t.step += 1,
                        false => t.step = to,
                    },
                    Some(Step::Fork(to)) => match rng.gen() {
                        true => t.step += 1,
                        false => t.step = to,
                    },
                    Some(Step::Goto(to)) => t.step = to,
                    Some(Step::Spread { places, apart }) => {
                        let place = (t.logical + t.visits / 2) as usize % places;
                        t.step += 1 + place * apart;
                    }
                    Some(Step::Loop { to, times }) => match t.loops < times {
                        true => (t.loops, t.step) = (t.loops + 1, to),
                        false => (t.loops, t.step) = (0, t.step + 1),
                    },
                    Some(Step::Reset { chance, .. }) if !rng.gen_bool(chance) => t.step += 1,
                    Some(Step::Exit(chance)) if !rng.gen_bool(chance) => t.step += 1,
                    _ => break,
                }
                if t.step == program.len() && rng.gen_bool(0.5) {
                    t.ready = now + rng.gen_range(0..=delay);
                }
            }
        }
        let can = |t: &Thread| {
            let at = program.get(t.step);
            let op = !matches!(
                at,
                Some(
                    Step::Delay(_)
                        | Step::Others(_)
                        | Step::Fork(_)
                        | Step::Goto(_)
                        | Step::Spread { .. }
                        | Step::Loop { .. }
                )
            );
            t.status == Status::Awake && t.ready <= now && op
        };
        let ready: Vec<usize> = (0..warp.threads.len())
            .filter(|&l| can(&warp.threads[l]))
            .collect();
        if ready.is_empty() {
            return None;
        }
        let step = warp.threads[ready[rng.gen_range(0..ready.len())]].step;
        let split = rng.gen_bool(self.knobs.split);
        let mut active = 0u64;
        for &lane in ready
            .iter()
            .filter(|&&lane| warp.threads[lane].step == step)
        {
            if active == 0 || !split || rng.gen_bool(0.6) {
                active |= 1 << lane;
            }
        }
        let with = |holds: &mut dyn FnMut(&mut Thread) -> bool, warp: &mut Warp| {
            lanes(active)
                .filter(|&lane| holds(&mut warp.threads[lane]))
                .fold(0u64, |mask, lane| mask | 1 << lane)
        };
        let mut op = Op {
            warp: number,
            active,
            pc: base.wrapping_add(step as u32) & 0x3f_ffff,
            ..Op::default()
        };
        match program.get(step).copied() {
            Some(Step::Top { id, word, every }) => {
                (op.code, op.id, op.word) = (OpCode::Top, id, word);
                let mut takes_part = |t: &mut Thread| {
                    t.participates = match every {
                        0 => true,
                        1 => false,
                        n => (t.logical * 7 + t.visits * 3) % n != 0,
                    };
                    t.participates
                };
                op.mask = with(&mut takes_part, warp);
                // A count that changes.
                if rng.gen_bool(0.05) {
                    op.word = word.with_count(rng.gen_range(0..8));
                    if rng.gen() {
                        op.word = Word(op.word.0 ^ 1 << rng.gen_range(11..32));
                    }
                }
            }
            Some(Step::Bottom { id, blocks }) => {
                op.code = if blocks {
                    OpCode::Bottom
                } else {
                    OpCode::BottomNb
                };
                op.id = id;
            }
            Some(Step::Reset { id, .. }) => (op.code, op.id) = (OpCode::Reset, id),
            Some(Step::Arrive { id, word }) => {
                (op.code, op.id, op.word) = (OpCode::Arrive, id, word);
            }
            Some(Step::Wait { id }) => {
                (op.code, op.id) = (OpCode::Wait, id);
                op.mask = with(&mut |t| t.parity >> id & 1 != 0, warp);
            }
            _ => {
                op.code = OpCode::Exit;
                op.mask = active;
                if rng.gen_bool(0.3) {
                    // Some of them stay.
                    op.mask &= rng.gen::<u64>() | 1 << active.trailing_zeros();
                }
            }
        }
        Some(op)
    }

    /// What the ports showed in this cycle.
    pub fn after(&mut self, ports: &Ports) -> Result<(), String> {
        if let Some(op) = ports.taken().copied() {
            self.offered = None;
            self.taken += 1;
            self.take(&op);
        }
        if let Some(wake) = ports.wake.filter(|_| ports.wake_ready) {
            self.woken(wake.warp, wake.mask, wake.pc)?;
        }
        if let Some(verdict) = ports.verdict.filter(|_| ports.verdict_ready) {
            self.verdict(verdict.warp, verdict.kind, verdict.mask)?;
        }
        self.pending = ports.wake.filter(|_| !ports.wake_ready).map(|w| w.warp);
        self.retire();
        self.closing_for += u64::from(self.closing);
        self.cycle += 1;
        Ok(())
    }

    fn take(&mut self, op: &Op) {
        let (now, width) = (self.cycle, self.size.threads as u32);
        let warp = &mut self.warps[op.warp];
        match op.code {
            OpCode::Launch => {
                warp.flying = false;
                warp.launched = true;
                warp.killed = None;
                let thread = |lane: u32| Thread {
                    status: match op.active >> lane & 1 {
                        1 => Status::Awake,
                        _ => Status::Absent,
                    },
                    step: 0,
                    ready: now + 1,
                    participates: true,
                    parity: 0,
                    loops: 0,
                    logical: op.block as u32 * width + lane,
                    visits: 0,
                };
                warp.threads = (0..width).map(thread).collect();
                let delay = self.rng.gen_range(0..=4 * self.knobs.delay);
                if let Some(cta) = &mut self.ctas[op.cta] {
                    cta.launched += 1;
                    cta.next_launch = now + delay;
                    cta.moved = now;
                }
            }
            OpCode::Kill => {
                warp.flying = false;
                warp.killed = Some((now, self.taken));
                for t in &mut warp.threads {
                    if t.status != Status::Absent {
                        t.status = Status::Ended;
                    }
                }
                self.moved(op.warp);
            }
            _ => self.last_op(*op),
        }
    }

    fn last_op(&mut self, op: Op) {
        let warp = &mut self.warps[op.warp];
        for lane in lanes(op.active) {
            warp.threads[lane].visits += 1;
        }
        self.warps[op.warp].flying = true;
        self.flying.push((op.warp, op, self.taken));
    }

    fn moved(&mut self, warp: usize) {
        let now = self.cycle;
        let slot = self.warps[warp].cta;
        if let Some(cta) = slot.and_then(|slot| self.ctas[slot].as_mut()) {
            cta.moved = now;
        }
    }

    fn woken(&mut self, number: usize, mask: u64, pc: u32) -> Result<(), String> {
        self.moved(number);
        let warp = &mut self.warps[number];
        if warp.killed.is_some() {
            return Ok(());
        }
        let cta = warp.cta.and_then(|slot| self.ctas[slot].as_ref());
        let cta = cta.ok_or_else(|| format!("wake of w{number}, which runs nothing"))?;
        let step = (pc.wrapping_sub(cta.base) & 0x3f_ffff) as usize;
        if step > cta.program.len() {
            return Err(format!(
                "wake of w{number} at {pc:#x}, which is not its program"
            ));
        }
        for lane in lanes(mask) {
            let t = &mut warp.threads[lane];
            if t.status != Status::Asleep {
                return Err(format!(
                    "wake of w{number}, lane {lane}, which is {:?}",
                    t.status
                ));
            }
            t.status = Status::Awake;
            t.step = step;
            t.ready = self.cycle + 1;
        }
        Ok(())
    }

    fn verdict(&mut self, number: usize, kind: VerdictKind, mask: u64) -> Result<(), String> {
        let found = self.flying.iter().position(|f| f.0 == number);
        let Some(found) = found else {
            return Err(format!("verdict for w{number}, which has no operation"));
        };
        let (_, op, taken) = self.flying.remove(found);
        self.settled = taken;
        let now = self.cycle;
        let retry = 1 + self.rng.gen_range(0..=self.knobs.delay);
        let warp = &mut self.warps[number];
        warp.flying = false;
        warp.next = now + 2;
        let mut goes_on = op.active;
        match kind {
            VerdictKind::Next => {}
            VerdictKind::Sleep | VerdictKind::Exit | VerdictKind::Retry => goes_on &= !mask,
            VerdictKind::Part => goes_on = 0,
        }
        for lane in lanes(op.active) {
            let t = &mut warp.threads[lane];
            if goes_on >> lane & 1 != 0 {
                t.step += 1;
                if op.code == OpCode::Wait {
                    t.parity ^= 1 << op.id;
                }
                if op.code == OpCode::Exit {
                    // Who stays tries again.
                    t.step -= 1;
                    t.ready = now + retry;
                }
                continue;
            }
            if matches!(kind, VerdictKind::Retry | VerdictKind::Part) {
                // The same instruction with the same operands.
                t.visits -= 1;
            }
            match kind {
                VerdictKind::Sleep => t.status = Status::Asleep,
                VerdictKind::Exit => t.status = Status::Ended,
                _ if mask >> lane & 1 != 0 => t.ready = now + retry,
                _ => {}
            }
        }
        let alone = matches!(kind, VerdictKind::Retry | VerdictKind::Part) && goes_on == 0;
        if !alone {
            self.moved(number);
        }
        Ok(())
    }

    /// Warps and CTAs whose threads have all ended are free.
    fn retire(&mut self) {
        for slot in 0..CTAS {
            let Some(cta) = &self.ctas[slot] else {
                continue;
            };
            let over = |all: &[Warp], w: usize| {
                let warp = &all[w];
                let ended = |t: &Thread| matches!(t.status, Status::Ended | Status::Absent);
                warp.cta != Some(slot)
                    || warp.launched && !warp.flying && warp.threads.iter().all(ended)
            };
            // Warp slots are free for others before their CTA has ended.
            let warps = cta.warps.clone();
            let all = cta.launched == warps.len() && warps.iter().all(|&w| over(&self.warps, w));
            for &w in warps.iter().take(cta.launched) {
                if self.warps[w].cta == Some(slot) && over(&self.warps, w) && self.rng.gen_bool(0.1)
                {
                    self.warps[w].cta = None;
                    self.warps[w].launched = false;
                }
            }
            if all {
                for w in warps {
                    if self.warps[w].cta == Some(slot) {
                        self.warps[w].cta = None;
                        self.warps[w].launched = false;
                    }
                }
                self.ctas[slot] = None;
                self.ended += 1;
            }
        }
    }
}
