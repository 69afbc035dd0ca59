//! The signature that a board's self-test must come to, computed from the golden model.
//!
//! Spec: `docs/spec/board.md`, BOARD-010 to 022. Of the hardware only the program and its numbers are read here.

use anyhow::{bail, Context, Result};
use std::collections::BTreeSet;
use weft_generate::Config;
use weft_ports::board::program::{
    program, Select, Step, BASE, FORCED_YIELD, ROUNDS, SEED, SPARE_TOKENS, YIELD_EVERY, YIELD_SEED,
    YIELD_THRESHOLD,
};
use weft_sim::{Event, Operation, PathPolicy, Policy, Record, Warp};

/// More operations than this in one round of one warp: the program does not end.
const LIMIT: usize = 20_000;

/// The signature, and what happened on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Golden {
    pub signature: u32,
    pub operations: u64,
    /// Kinds of operation that retired, by code.
    pub events: BTreeSet<u8>,
    pub dropped: u64,
    pub deepest: usize,
}

/// BOARD-011: the random numbers of a warp.
fn step_random(mut number: u32) -> (u32, u32) {
    number ^= number << 13;
    number ^= number >> 17;
    let other = number;
    number ^= number << 5;
    (number, other)
}

/// BOARD-012: the operation of a step, for these active threads.
fn operation(step: Step, active: u64, random: u32, other: u32) -> Result<Operation> {
    let (random, other) = (u64::from(random), u64::from(other));
    let selected = match step.select {
        Select::All => active,
        Select::Some => random,
        Select::Few => random & other,
        Select::Group => random | active & active.wrapping_neg(),
    } & active;
    let target = BASE as u32 | u32::from(step.target);
    let kind = step.kind;
    let event = Event::from_code(step.op).context("an operation of the program")?;
    Ok(match event {
        Event::Next => Operation::Next,
        Event::Branch => Operation::Branch { selected, target },
        Event::Indirect => Operation::Indirect { selected, target },
        Event::Push => Operation::Push {
            kind,
            address: target,
        },
        Event::Leave => Operation::Leave {
            kind,
            selected,
            target,
        },
        Event::LeaveIndirect => Operation::LeaveIndirect {
            kind,
            selected,
            target,
        },
        Event::Yield => Operation::Yield,
        Event::Exit => Operation::Exit { selected },
        Event::Call => Operation::Call { selected, target },
        other => bail!("{} is not for the program", other.name()),
    })
}

/// BOARD-020: a retired operation in 32 bits.
fn fold(record: &Record) -> u32 {
    let mut next = u32::from(record.done) | u32::from(record.dropped) << 1;
    let (mut active, mut waiting, mut address) = (0, 0, 0);
    if record.done {
        next = 1;
    } else {
        next |= record.next_pc << 10;
        active = record.next_mask as u32;
        if let Some(front) = record.front {
            next |= u32::from(front.kind) << 6 | u32::from(front.below) << 2;
            waiting = front.mask as u32;
            address = front.address;
        }
    }
    let depth = if record.done { 0 } else { record.depth as u32 };
    let stands = depth << 26 | u32::from(record.event.code()) << 22 | record.pc;
    stands
        ^ next.rotate_left(7)
        ^ active.rotate_left(13)
        ^ u32::rotate_left(waiting, 21)
        ^ address.rotate_left(27)
}

/// Runs the program on every warp, round by round (BOARD-010).
pub fn golden(config: Config) -> Result<Golden> {
    let steps = program();
    let mut golden = Golden {
        signature: 0,
        operations: 0,
        events: BTreeSet::new(),
        dropped: 0,
        deepest: 0,
    };
    for number in 0..config.warps {
        let w = number as u32;
        let mut random = SEED as u32 ^ w << 3 ^ w << 17;
        let mut own = 0u32;
        for round in 0..ROUNDS {
            let policy = Policy {
                yield_every: YIELD_EVERY as u16,
                yield_random: round & 4 != 0,
                yield_threshold: YIELD_THRESHOLD as u16,
                yield_seed: YIELD_SEED as u16,
                forced_yield: FORCED_YIELD as u16,
                path: PathPolicy::from_code((round & 3) as u8),
                ..Policy::default()
            };
            let threads = config.threads;
            let all = u64::MAX >> (64 - threads);
            let tokens = threads + SPARE_TOKENS;
            let mut warp = Warp::launch(number, threads, tokens, policy, BASE as u32, all)?;
            let mut operations = 0;
            while !warp.is_done() {
                let record = if warp.forced_yield_due() {
                    warp.forced_yield()?
                } else {
                    let place = warp.pc() as u64 - BASE;
                    let step = *steps
                        .get(place as usize)
                        .context("a pc behind the program")?;
                    let (next, other) = step_random(random);
                    let operation = operation(step, warp.active(), random, other)?;
                    random = next;
                    warp.apply(operation)?
                };
                own = own.rotate_left(1).wrapping_add(fold(&record));
                golden.events.insert(record.event.code());
                golden.dropped += u64::from(record.dropped);
                golden.deepest = golden.deepest.max(record.depth);
                golden.operations += 1;
                operations += 1;
                if operations > LIMIT {
                    bail!("{config}: warp {number} does not end in round {round}");
                }
            }
            golden.signature = golden.signature.wrapping_add(own);
        }
    }
    Ok(golden)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: [Config; 4] = [
        Config::new(2, 4, 2, 1),
        Config::new(4, 4, 4, 2),
        Config::new(8, 8, 4, 1),
        Config::new(16, 32, 8, 2),
    ];

    /// The program reaches what it is for, at every size: each operation, dropped pushes, tokens in memory.
    /// BOARD-013: the operations that retire, dropped pushes, more tokens than the window holds.
    #[test]
    fn the_program_ends_and_reaches_everything() {
        for config in SIZES {
            let golden = golden(config).unwrap();
            println!("{config}: {golden:?}");
            for code in [0, 1, 2, 3, 4, 5, 6, 7, 9, 10] {
                assert!(
                    golden.events.contains(&code),
                    "{config}: no operation {code}"
                );
            }
            assert!(golden.dropped > 0, "{config}: no push is dropped");
            let window = 1 + config.front + config.back;
            assert!(golden.deepest > window, "{config}: {}", golden.deepest);
            // The depth has 6 bits in the signature.
            assert!(golden.deepest < 64, "{config}: {}", golden.deepest);
            assert!(
                (1_000..200_000).contains(&golden.operations),
                "{config}: {}",
                golden.operations
            );
        }
    }
}
