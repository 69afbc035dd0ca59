//! Random control operations without a program: what no instruction of this ISA makes, but another one may.
//! EXIT of some threads, threads that sleep, retry and are woken at any time, PUSH and LEAVE of reserved types,
//! operation codes that do not exist, faults, any launch mask, any allocation, warps that start again as soon as their
//! slot is free, pcs that wrap.

use crate::case::{draw_threshold, draw_tokens};
use crate::cover::Cover;
use crate::lanes::{Lanes, Resolve};
use crate::lockstep::{Failure, Lockstep, Observer, Watchdog};
use crate::memory::{allocations, MemoryTiming};
use crate::monitor::Monitor;
use crate::reference::Operations;
use crate::registers::Accesses;
use crate::seed::{stream, Rng};
use crate::session::{self, Launch, Levels, Recenter, Session, Surroundings};
use crate::timing::Timing;
use rand::Rng as _;
use std::collections::VecDeque;
use weft_generate::Config;
use weft_ports::control::{barrier, mask, Control, Op};
use weft_sim::{Mutation, PathPolicy, Policy};

/// pcs are 22 bits.
const PC_MASK: u32 = (1 << 22) - 1;

/// Lanes that draw every operation. Targets come from a handful of places, so that tokens meet.
struct RandomLanes {
    rng: Rng,
    places: Vec<u32>,
    width_mask: u64,
    /// Operations until every thread exits: bounds the run.
    left: u64,
    /// Percentage of operations that end in an exception.
    wrong: u32,
    /// … of the others that are a PUSH in any case: makes deep deques.
    pushes: u32,
    /// … of the rest that are a SLEEP, RETRY or PART.
    barriers: u32,
    /// … that are a SET, JUMP or SUBV_START.
    masks: u32,
    /// Permille of the times at which a WAKE could be presented and is, whatever its warp does.
    wakes: u32,
    /// By warp: what it does next, wherever it is.
    plans: Vec<VecDeque<Planned>>,
}

/// A step of a sequence that chance alone would hardly ever make.
#[derive(Clone, Copy, Debug)]
enum Planned {
    Push(u8, u32),
    /// Of all active threads, or of some.
    Leave(Op, u8, u32, bool),
    /// To the own pc.
    Call(bool),
    /// Some active threads sleep, retry or part.
    Barrier(u8),
    /// All active threads, to the own pc.
    Loop,
    /// Whoever may be on is.
    Restore,
    /// Of some: also nobody.
    Narrow,
    Nobody,
    /// To the own pc, which some threads have to run again.
    Indirect,
    /// A sub-vector loop, and its end.
    SubVector(u32),
}

impl RandomLanes {
    fn some_of(&mut self, mask: u64) -> u64 {
        match self.rng.gen_range(0..6) {
            0 => mask,
            1 => 0,
            2 => mask & mask.wrapping_neg(),
            _ => self.rng.gen::<u64>() & mask,
        }
    }

    /// Threads leave a region for another place than its token names, meet the others again inside it, and then some of
    /// all leave it: its token has forgotten a part of them (CONV-041), so it catches only some.
    /// Or a CALL that runs again, with its token at the front, and parts the threads.
    /// Tokens in between bring both to any place of the deque.
    fn plan(&mut self) -> VecDeque<Planned> {
        let between = [0, 0, self.rng.gen_range(0..16)][self.rng.gen_range(0..3)];
        let place = |lanes: &mut Self| lanes.places[lanes.rng.gen_range(0..lanes.places.len())];
        let mut plan = VecDeque::new();
        if self.rng.gen_bool(0.3) {
            let chain = (0..between).map(|n| Planned::Push(7 + n % 2, place(self)));
            plan.extend(chain);
            plan.extend([Planned::Call(true), Planned::Call(false)]);
            return plan;
        }
        if self.barriers > 0 && self.rng.gen_bool(0.4) {
            // Threads retry at one pc again and again and meet in one token, however many lie between it and the back.
            let kind = self.rng.gen_range(barrier::SLEEP..barrier::WAKE);
            plan.extend((0..between).map(|n| Planned::Push(7 + n % 2, place(self))));
            plan.extend((0..self.rng.gen_range(1..6)).map(|_| Planned::Barrier(kind)));
            return plan;
        }
        if self.masks > 0 && self.rng.gen_bool(0.3) {
            // A forced yield is due but for what is owed; then nobody is left who could yield.
            plan.extend([Planned::Indirect, Planned::Nobody, Planned::Restore]);
            return plan;
        }
        if self.masks > 0 && self.rng.gen_bool(0.5) {
            // A masked region, or a loop by parts, with something in between; its end as often as there may be parts.
            let end = place(self);
            let masked = self.rng.gen_bool(0.5);
            plan.push_back(match masked {
                true => Planned::Narrow,
                false => Planned::SubVector(end),
            });
            plan.extend((0..between).map(|n| Planned::Push(7 + n % 2, place(self))));
            match masked {
                true => plan.push_back(Planned::Restore),
                false => {
                    let parts = self.rng.gen_range(1..6);
                    plan.extend((0..parts).map(|_| Planned::Leave(Op::Leave, 0, end, true)));
                }
            }
            return plan;
        }
        let (region, inner) = (self.rng.gen_range(0..3), 3 + self.rng.gen_range(0..3));
        let (end, meet) = (place(self), place(self));
        let leave = [Op::Leave, Op::LeaveIndirect][self.rng.gen_range(0..2)];
        plan.push_back(Planned::Push(region, end));
        plan.extend((0..between).map(|n| Planned::Push(7 + n % 2, place(self))));
        plan.push_back(Planned::Push(inner, meet));
        plan.push_back(Planned::Leave(Op::Leave, region, end ^ 1, false));
        plan.push_back(Planned::Leave(Op::Leave, inner, meet, true));
        plan.push_back(Planned::Leave(Op::Leave, inner, meet, true));
        let more = self.rng.gen_range(0..8);
        plan.extend((0..more).map(|n| Planned::Push(7 + n % 2, place(self))));
        plan.push_back(Planned::Leave(leave, region, end, false));
        plan
    }

    /// The first operations of a warp: some of its threads sleep, and the others go round and round with no token there.
    /// A forced yield is due as soon as a WAKE, which it must not follow at once, sends a token (CONV-154).
    fn lonely(&mut self) -> VecDeque<Planned> {
        let rounds = self.rng.gen_range(1..24);
        let sleeps = [Planned::Barrier(barrier::SLEEP)];
        sleeps
            .into_iter()
            .chain((0..rounds).map(|_| Planned::Loop))
            .collect()
    }

    fn planned(&mut self, step: Planned, pc: u32, active: u64) -> Resolve {
        let (op, kind, mask, target) = match step {
            Planned::Push(kind, place) => (Op::Push, kind, self.rng.gen(), place),
            Planned::Leave(op, kind, place, true) => (op, kind, active, place),
            Planned::Leave(op, kind, place, false) => (op, kind, self.leader_group(active), place),
            Planned::Call(true) => (Op::Call, 0, active, pc),
            Planned::Call(false) => (Op::Call, 0, self.leader_group(active), pc),
            Planned::Barrier(kind) => (Op::Barrier, kind, self.leader_group(active), pc),
            Planned::Loop => (Op::Branch, 0, active, pc),
            Planned::Restore => (Op::Mask, mask::SET, u64::MAX, pc),
            Planned::Narrow => (Op::Mask, mask::SET, self.some_of(active), pc),
            Planned::Nobody => (Op::Mask, mask::SET, 0, pc),
            Planned::Indirect => (Op::Indirect, 0, self.leader_group(active), pc),
            Planned::SubVector(end) => (Op::Mask, mask::SUBV_START, self.rng.gen(), end),
        };
        Resolve {
            op: op as u8,
            kind,
            mask: mask & self.width_mask,
            target,
        }
    }

    fn leader_group(&mut self, mask: u64) -> u64 {
        self.some_of(mask) | (mask & mask.wrapping_neg())
    }
}

impl Lanes for RandomLanes {
    fn resolve(&mut self, warp: usize, pc: u32, active: u64) -> Resolve {
        if self.left > 0 {
            if self.plans[warp].is_empty() && self.rng.gen_range(0..100) < 8 {
                self.plans[warp] = self.plan();
            }
            if let Some(step) = self.plans[warp].pop_front() {
                self.left -= 1;
                return self.planned(step, pc, active);
            }
        }
        let target = self.places[self.rng.gen_range(0..self.places.len())];
        let kind = if self.rng.gen_bool(0.8) {
            self.rng.gen_range(0..3)
        } else {
            self.rng.gen_range(0..10)
        };
        let garbage = self.rng.gen::<u64>() & !active & self.width_mask;
        if self.left == 0 && active == 0 {
            // Masked threads have to be on to end.
            return Resolve {
                op: Op::Mask as u8,
                kind: mask::SET,
                mask: self.width_mask,
                target,
            };
        }
        if self.left == 0 {
            return Resolve {
                op: Op::Exit as u8,
                kind,
                mask: active | garbage,
                target,
            };
        }
        self.left -= 1;
        if self.rng.gen_range(0..100) < self.wrong {
            let (op, kind) = match self.rng.gen_range(0..7) {
                0 => (
                    [9, 12, 13, 15][self.rng.gen_range(0..4)],
                    self.rng.gen_range(0..16),
                ),
                6 => (Op::Mask as u8, self.rng.gen_range(3..16)),
                5 => (Op::Barrier as u8, self.rng.gen_range(4..16)),
                1 => (Op::Push as u8, self.rng.gen_range(10..16)),
                2 => (Op::Leave as u8, self.rng.gen_range(10..16)),
                3 => (Op::LeaveIndirect as u8, self.rng.gen_range(10..16)),
                _ => (Op::Fault as u8, self.rng.gen_range(4..14)),
            };
            // Even with nobody selected a reserved type is an exception.
            return Resolve {
                op,
                kind,
                mask: self.some_of(active) | garbage,
                target,
            };
        }
        let mut kind = kind;
        let (op, mask) = match self.rng.gen_range(0..100) {
            _ if self.rng.gen_range(0..100) < self.pushes => (Op::Push, self.rng.gen()),
            _ if self.rng.gen_range(0..100) < self.barriers => {
                kind = self.rng.gen_range(barrier::SLEEP..barrier::WAKE);
                (Op::Barrier, self.some_of(active))
            }
            _ if self.rng.gen_range(0..100) < self.masks => {
                kind = self.rng.gen_range(mask::SET..=mask::SUBV_START);
                // A SET of anybody: of the active threads, of the others, of all.
                let anybody = self.some_of(self.width_mask);
                (
                    Op::Mask,
                    [anybody, self.some_of(active), u64::MAX][self.rng.gen_range(0..3)],
                )
            }
            0..=15 => (Op::Next, self.rng.gen()),
            16..=19 => (Op::Call, self.leader_group(active)),
            20..=34 => (Op::Branch, self.some_of(active)),
            35..=39 => (Op::Indirect, self.leader_group(active)),
            40..=64 => (Op::Push, self.rng.gen()),
            65..=84 => (Op::Leave, self.some_of(active)),
            85..=88 => (Op::LeaveIndirect, self.leader_group(active)),
            89..=96 => (Op::Yield, self.rng.gen()),
            _ => (Op::Exit, self.some_of(active)),
        };
        Resolve {
            op: op as u8,
            kind,
            mask: (mask | garbage) & self.width_mask,
            target,
        }
    }

    /// Of any warp at any time; and sooner or later of every one that is blocked, or it would never end.
    fn wake(&mut self, monitor: &Monitor) -> Option<(usize, Resolve)> {
        let warps = self.plans.len();
        let anyhow = self.wakes > 0 && self.rng.gen_range(0..1_000) < self.wakes;
        let warp = match anyhow {
            true => self.rng.gen_range(0..warps),
            false => (0..warps).find(|&n| monitor.blocked(n))?,
        };
        let ends = self.left == 0;
        if !anyhow && self.rng.gen_range(0..100) >= if ends { 30 } else { 3 } {
            return None;
        }
        let mask = match self.rng.gen_range(0..8) {
            _ if ends && !anyhow => self.width_mask,
            0 => 0,
            1 => 1 << self.rng.gen_range(0..self.width_mask.count_ones()),
            2..=4 => self.rng.gen::<u64>() & self.width_mask,
            _ => self.width_mask,
        };
        let wake = Resolve {
            op: Op::Barrier as u8,
            kind: barrier::WAKE,
            mask,
            target: self.places[self.rng.gen_range(0..self.places.len())],
        };
        Some((warp, wake))
    }
}

/// Numbers of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpsReport {
    pub cycles: u64,
    pub launches: u64,
    pub recentered: u64,
}

/// Resets the design and runs `operations` random operations against the model's convergence unit.
/// `mutation`: tests only.
pub fn random_operations(
    control: &mut dyn Control,
    config: Config,
    seed: u64,
    operations: u64,
    mutation: Option<Mutation>,
    mut cover: Option<&mut Cover>,
) -> Result<OpsReport, Failure> {
    let mut rng = stream(seed, "operations");
    let width_mask = u64::MAX >> (64 - config.threads);
    let yield_seed = rng.gen();
    let policy = Policy {
        yield_every: [0, 1, 2, 3, 7][rng.gen_range(0..5)],
        yield_random: rng.gen_bool(0.25),
        yield_threshold: draw_threshold(&mut rng, yield_seed),
        yield_seed,
        forced_yield: [0, 1, 2, 5, 16, 1024][rng.gen_range(0..6)],
        path: PathPolicy::ALL[rng.gen_range(0..3)],
        lanes: [0, 1 << rng.gen_range(0..=config.threads.ilog2())][rng.gen_range(0..2)],
    };
    let levels = Levels {
        policy,
        recenter: [Recenter::Hardware, Recenter::Driver][rng.gen_range(0..2)],
    };
    // Some around zero, where pc + 1 and the comparison target ≤ pc wrap.
    let wrap = rng.gen_bool(0.2);
    let base = if wrap {
        PC_MASK - 3
    } else {
        rng.gen_range(0..1 << 20)
    };
    let places: Vec<u32> = (0..rng.gen_range(2..7))
        .map(|_| base.wrapping_add(rng.gen_range(0..8)) & PC_MASK)
        .collect();
    let count = rng.gen_range(1..4 * config.warps);
    // A slot that starts again gets the same allocation or another one.
    let same = rng.gen_bool(0.5);
    let bases = allocations(count.max(config.warps), 1023, seed);
    let launches: Vec<Launch> = (0..count)
        .map(|n| {
            let warp = rng.gen_range(0..config.warps);
            Launch {
                warp,
                pc: places[rng.gen_range(0..places.len())],
                mask: match rng.gen_range(0..4) {
                    0 => 1 << rng.gen_range(0..config.threads),
                    1 => (rng.gen::<u64>() & width_mask).max(1),
                    _ => width_mask,
                },
                base: bases[if same { warp } else { n }],
                size: match rng.gen_range(0..12) {
                    0 => rng.gen_range(0..=config.threads) as u16,
                    _ => draw_tokens(&mut rng, config.threads) as u16,
                },
            }
        })
        .collect();
    let around = Surroundings {
        lanes: Timing::draw(&mut rng),
        memory: MemoryTiming::draw(&mut rng),
        seed,
        noise: true,
    };
    let wrong = if rng.gen_bool(0.5) { 0 } else { 2 };
    let pushes = [0, 0, 40, 80][rng.gen_range(0..4)];
    let accesses = [0, 0, 5, 50][rng.gen_range(0..4)];
    let barriers = [0, 10, 25, 50][rng.gen_range(0..4)];
    let wakes = match barriers {
        0 => 0,
        _ => [0, 5, 30, 150][rng.gen_range(0..4)],
    };
    let masks = [0, 0, 0, 10, 25, 60][rng.gen_range(0..6)];
    let mut lanes = RandomLanes {
        rng,
        places,
        width_mask,
        left: operations,
        wrong,
        pushes,
        barriers,
        masks,
        wakes,
        plans: vec![VecDeque::new(); config.warps],
    };
    if wakes > 0 {
        lanes.plans = (0..config.warps).map(|_| lanes.lonely()).collect();
    }
    let mut reference = Operations::new(config.warps, config.threads, levels).mutated(mutation);
    session::reset(control);
    let mut session = Session::new(control, config, levels, &around);
    launches.iter().for_each(|launch| session.launch(*launch));
    let watchdog = Watchdog {
        hang: 20_000,
        livelock: u64::MAX,
    };
    if let Some(cover) = &mut cover {
        cover.begins(config, levels);
    }
    let with_state = cover.is_some();
    let mut lockstep = Lockstep {
        session,
        lanes: &mut lanes,
        reference: Some(&mut reference),
        watchdog: watchdog.for_memory(around.memory.slowness(), 1023),
        cycles: None,
        observers: cover.into_iter().map(|c| c as &mut dyn Observer).collect(),
        with_state,
        accesses: Accesses::new(accesses, seed, config.warps, policy.forced_yield),
    };
    let cycles = lockstep.run(config)?;
    Ok(OpsReport {
        cycles,
        launches: launches.len() as u64,
        recentered: lockstep.session.recentered().into(),
    })
}
