//! Random control operations without a program: what no instruction of this ISA makes, but another one may. EXIT of some
//! threads, PUSH and LEAVE of reserved types, operation codes that do not exist, faults, any launch mask, warps that start
//! again as soon as their slot is free, pcs that wrap.

use crate::lanes::{Lanes, Resolve};
use crate::lockstep::{Failure, Lockstep, Watchdog};
use crate::reference::Operations;
use crate::seed::{stream, Rng};
use crate::session::{self, Launch, Levels, Session};
use crate::timing::Timing;
use rand::Rng as _;
use weft_hdl::ports::{Control, Op};
use weft_hdl::Config;
use weft_sim::{Mutation, PathPolicy};

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

    fn leader_group(&mut self, mask: u64) -> u64 {
        self.some_of(mask) | (mask & mask.wrapping_neg())
    }
}

impl Lanes for RandomLanes {
    fn resolve(&mut self, _warp: usize, _pc: u32, active: u64) -> Resolve {
        let target = self.places[self.rng.gen_range(0..self.places.len())];
        let kind = if self.rng.gen_bool(0.8) {
            self.rng.gen_range(0..3)
        } else {
            self.rng.gen_range(0..10)
        };
        let garbage = self.rng.gen::<u64>() & !active & self.width_mask;
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
            let (op, kind) = match self.rng.gen_range(0..5) {
                0 => (self.rng.gen_range(9..16), self.rng.gen_range(0..16)),
                1 => (Op::Push as u8, self.rng.gen_range(10..16)),
                2 => (Op::Leave as u8, self.rng.gen_range(10..16)),
                3 => (Op::LeaveIndirect as u8, self.rng.gen_range(10..16)),
                _ => (Op::Fault as u8, self.rng.gen_range(4..16)),
            };
            // Even with nobody selected a reserved type is an exception.
            return Resolve {
                op,
                kind,
                mask: self.some_of(active) | garbage,
                target,
            };
        }
        let (op, mask) = match self.rng.gen_range(0..100) {
            0..=19 => (Op::Next, self.rng.gen()),
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
}

/// Numbers of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpsReport {
    pub cycles: u64,
    pub launches: u64,
}

/// Resets the design and runs `operations` random operations against the model's convergence unit. `mutation`: tests only.
pub fn random_operations(
    control: &mut dyn Control,
    config: Config,
    seed: u64,
    operations: u64,
    mutation: Option<Mutation>,
) -> Result<OpsReport, Failure> {
    let mut rng = stream(seed, "operations");
    let width_mask = u64::MAX >> (64 - config.threads);
    let levels = Levels {
        yield_every: [0, 1, 2, 3, 7][rng.gen_range(0..5)],
        forced_yield: [0, 1, 2, 5, 16, 1024][rng.gen_range(0..6)],
        path: PathPolicy::ALL[rng.gen_range(0..3)],
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
    let launches: Vec<Launch> = (0..rng.gen_range(1..4 * config.warps))
        .map(|_| Launch {
            warp: rng.gen_range(0..config.warps),
            pc: places[rng.gen_range(0..places.len())],
            mask: match rng.gen_range(0..4) {
                0 => 1 << rng.gen_range(0..config.threads),
                1 => (rng.gen::<u64>() & width_mask).max(1),
                _ => width_mask,
            },
        })
        .collect();
    let timing = Timing::draw(&mut rng);
    let wrong = if rng.gen_bool(0.5) { 0 } else { 2 };
    let mut lanes = RandomLanes {
        rng,
        places,
        width_mask,
        left: operations,
        wrong,
    };
    let mut reference = Operations::new(config.warps, config.threads, levels).mutated(mutation);
    session::reset(control);
    let mut session = Session::new(control, config, levels, timing, seed, true);
    launches.iter().for_each(|launch| session.launch(*launch));
    let mut lockstep = Lockstep {
        session,
        lanes: &mut lanes,
        reference: Some(&mut reference),
        watchdog: Watchdog {
            hang: 20_000,
            livelock: u64::MAX,
        },
        cycles: Some(1_000 * (operations + 100)),
        observers: Vec::new(),
        with_state: false,
    };
    let cycles = lockstep.run(config.warps)?;
    Ok(OpsReport {
        cycles,
        launches: launches.len() as u64,
    })
}
