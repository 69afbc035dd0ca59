//! Random descriptors, threads and hosts.

use super::bench::{Bench, Wrong, MEMORY, MEMORY_END, PLACES, SPAWN_BASE, TABLE, THREAD_END};
use super::cover::Cover;
use super::device::{Device, Fault};
use super::sms::{Act, Life};
use crate::seed::{stream, Rng};
use rand::seq::SliceRandom;
use rand::Rng as _;
use weft_sim::host::descriptor::{word, WORDS};
use weft_sim::host::registers::at;
use weft_sim::host::{Descriptor, Mutation, Queue};

/// How one episode goes.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub seed: u64,
    /// Cycles in which the host launches; then all is to come to rest.
    pub cycles: u64,
    /// The model departs from a requirement, which must be noticed.
    pub mutation: Option<Mutation>,
}

/// Where descriptors are: threads' memory, private memory, on the border, and where there is only partly memory or none.
fn pool() -> Vec<u32> {
    let shared = (0..12).map(|n| 0x2000 + 128 * n);
    let private = (0..4).map(|n| THREAD_END + 0x100 + 128 * n);
    shared
        .chain(private)
        .chain([THREAD_END - 64, 0x7fc0, 0x8040, 0x8080])
        .collect()
}

/// One episode, or two with a reset between them, at any time of the first one.
///
/// # Errors
/// Hardware and model differ.
pub fn episode(device: Device, options: &Options) -> Result<Cover, Wrong> {
    let resets = &mut stream(options.seed, "reset");
    if resets.gen_bool(0.5) {
        return begin(device, options, 3)?.finish(options.cycles);
    }
    let cycles = resets.gen_range(0..options.cycles / 2);
    let mut first = begin(device, options, 3)?;
    first.run(cycles)?;
    let mut cover = std::mem::take(&mut first.bench.cover);
    let (device, busy) = first.bench.into_device();
    cover.saw("a reset");
    if busy {
        cover.saw("a reset with something under way");
    }
    let options = Options {
        seed: resets.gen(),
        ..*options
    };
    let second = begin(device, &options, resets.gen_range(1..3))?;
    cover.add(&second.finish(options.cycles - cycles)?);
    Ok(cover)
}

struct Episode {
    bench: Bench,
    rng: Rng,
    pool: Vec<u32>,
}

/// Behind a reset of so many cycles.
fn begin(device: Device, options: &Options, reset: u32) -> Result<Episode, Wrong> {
    let Options { seed, .. } = *options;
    let mut rng = stream(seed, "episode");
    let latency = *[1, 4, 30].choose(&mut rng).expect("there are some");
    let shape = device.shape;
    let (wild, spawns) = (rng.gen_bool(0.5), rng.gen_range(0..60));
    // Starts come one by one: many SMs are busy at a time only where CTAs stay.
    let longer = if shape.sms > 4 { 8 } else { 1 };
    // Some CTAs have no end, if all tasks have a limit and SMs hear of it.
    let endless = rng.gen_bool(0.4) && !shape.mix;
    let mut budget = spawns;
    let pool = pool();
    let targets = pool.clone();
    let mut bench = Bench::behind_reset(
        device,
        (seed, latency),
        Box::new(move |_, rng| {
            let mut life = Life {
                cycles: match endless && rng.gen_bool(0.1) {
                    true => Life::ENDLESS,
                    false => longer * *[0, 5, 60, 300].choose(rng).expect("there are some"),
                },
                ..Life::default()
            };
            let time = |rng: &mut Rng| rng.gen_range(0..200);
            if rng.gen_bool(0.3) {
                let queue = *targets.choose(rng).expect("there are some");
                life.acts
                    .push((time(rng), Act::Put(queue, rng.gen_range(1..4))));
            }
            if budget > 0 && rng.gen_bool(0.3) {
                budget -= 1;
                let task = match rng.gen_range(0..8) {
                    0 => rng.gen_range(0..MEMORY_END),
                    _ => *targets.choose(rng).expect("there are some"),
                };
                life.acts.push((time(rng), Act::Spawn(task)));
                if rng.gen_bool(0.1) {
                    life.acts.push((time(rng), Act::Lose));
                }
            }
            // Who is to be named again is named once more, by this thread or not (TASK-028).
            if rng.gen_bool(0.1) {
                let task = *targets.choose(rng).expect("there are some");
                if task < THREAD_END - 64 {
                    let add = Act::Add(task + 4 * word::PREDECESSORS, 1);
                    life.acts.push((time(rng), add));
                }
            }
            if wild && rng.gen_bool(0.15) {
                let task = *targets.choose(rng).expect("there are some");
                if task < THREAD_END - 64 {
                    let (number, value) = corrupted(rng);
                    life.acts
                        .push((time(rng), Act::Write(task + 4 * number, value)));
                }
            }
            if wild && rng.gen_bool(0.05) {
                let queue = *targets.choose(rng).expect("there are some");
                if queue < THREAD_END - 64 {
                    let put = Act::Write(queue + 4 * word::PUT, rng.gen());
                    life.acts.push((time(rng), put));
                }
            }
            if rng.gen_bool(0.1) {
                life.fault = Some(Fault {
                    place: 0,
                    warp: rng.gen_range(0..shape.warps as u64),
                    thread: rng.gen_range(0..shape.threads as u64),
                    cause: rng.gen_range(0..16),
                    pc: rng.gen::<u32>().into(),
                    address: rng.gen::<u32>().into(),
                });
            }
            life
        }),
        reset,
    );
    if let Some(mutation) = options.mutation {
        bench.mutate(mutation);
    }
    for sm in 0..shape.sms {
        bench.set(at::sm(sm, at::LOCAL_LIMIT), 1024 + 16 * rng.gen_range(0..4))?;
        for offset in [at::LOCAL_BASE, at::TOKEN_BASE, at::TOKEN_SIZE] {
            bench.set(at::sm(sm, offset), rng.gen())?;
        }
    }
    bench.set(
        at::SPAWN_POLL,
        *[0, 1, 16, 200].choose(&mut rng).expect("there are some"),
    )?;
    bench.set(at::SPAWN_BASE, SPAWN_BASE)?;
    bench.set(at::SPAWN_NUMBER, rng.gen_range(0..6))?;
    table(&mut bench, &mut rng)?;
    domains(&mut bench, &mut rng)?;
    let limit = if endless { 1..4 } else { 0..3 };
    bench.set(at::LIMIT_MAX, rng.gen_range(limit))?;
    Ok(Episode { bench, rng, pool })
}

/// A table of a few places, now and then none, or one that cannot be written; limits of threads, or none.
fn table(bench: &mut Bench, rng: &mut Rng) -> Result<(), Wrong> {
    let (base, number) = match rng.gen_range(0..16) {
        0 => (TABLE, 0),
        1 => (MEMORY, 2),
        2 => (rng.gen_range(0..MEMORY_END) | 64, rng.gen_range(0..4)),
        _ => {
            let number = *[2, 3, 5, PLACES].choose(rng).expect("there are some");
            (TABLE, number)
        }
    };
    bench.set(at::TABLE_BASE, base)?;
    bench.set(at::TABLE_NUMBER, number)?;
    if bench.get(at::TABLE_NUMBER)? != number {
        bench.cover.saw("a table that does not fit");
        bench.set(at::TABLE_BASE, TABLE)?;
        bench.set(at::TABLE_NUMBER, PLACES)?;
    }
    let limit = *[0, 1, 2, 4].choose(rng).expect("there are some");
    bench.set(at::THREAD_LIMIT, limit)?;
    let level = *[15, 7, 5, 0].choose(rng).expect("there are some");
    bench.set(at::THREAD_LEVEL, level)
}

/// HOST-004: windows whose edges cut what descriptors name, or none; the domain of what threads launch.
fn domains(bench: &mut Bench, rng: &mut Rng) -> Result<(), Wrong> {
    let wide = rng.gen_bool(0.6);
    for domain in 0..at::DOMAINS {
        let bases = [0, 0x1000, 0x2000, 0x2080, 0x2240, 0x3000, 0x3040];
        let ends = [
            0,
            THREAD_END,
            THREAD_END - 64,
            0x3000,
            0x3040,
            0x2600,
            0x1000,
        ];
        let mut value = |values: &[u32]| match wide {
            true => 0,
            false => *values.choose(rng).expect("there are some"),
        };
        let (base, end) = (value(&bases), value(&ends));
        bench.set(at::domain(domain, at::WINDOW_BASE), base)?;
        bench.set(at::domain(domain, at::WINDOW_END), end)?;
        bench.set(at::domain(domain, at::LOCAL_OFFSET), rng.gen())?;
    }
    bench.set(at::CHANNEL_DOMAINS, rng.gen())?;
    bench.set(at::SPAWN_DOMAIN, rng.gen())
}

/// TASK-070: spawn rings at the borders of what they may be; the last word of each is TICKET.
fn wrong_rings(bench: &mut Bench, rng: &mut Rng) -> Result<(), Wrong> {
    for _ in 0..rng.gen_range(0..4) {
        let number: u32 = *[1, 5, 64, 65_536, 65_537].choose(rng).expect("some");
        let last = THREAD_END.wrapping_sub(4 * number);
        let (base, what) = *[
            (0xffc, "a spawn ring below memory"),
            (SPAWN_BASE + 2, "a misaligned spawn ring"),
            (last, "a spawn ring whose TICKET is beyond reach"),
            (last.wrapping_sub(4), "the last spawn ring"),
            (0x1000, "the first spawn ring"),
            (u32::MAX - 3, "a spawn ring at the end of all addresses"),
        ]
        .choose(rng)
        .expect("some");
        bench.set(at::SPAWN_NUMBER, 0)?;
        bench.set(at::SPAWN_BASE, base)?;
        bench.set(at::SPAWN_NUMBER, number)?;
        bench.rest()?;
        bench.check_registers()?;
        bench.set(at::TASK_ERROR, 0)?;
        bench.cover.saw(what);
    }
    Ok(())
}

impl Episode {
    /// The host launches for so many cycles.
    fn run(&mut self, cycles: u64) -> Result<(), Wrong> {
        let Episode { bench, rng, pool } = self;
        let busy = *[20, 100, 600].choose(rng).expect("there are some");
        let until = bench.cycle + cycles;
        while bench.cycle < until {
            if !bench.launches() && rng.gen_ratio(1, busy) {
                host(bench, rng, pool)?;
            }
            if rng.gen_ratio(1, 300) {
                let task = *pool.choose(rng).expect("there are some");
                bench.set(at::KILL, if rng.gen_bool(0.6) { task } else { 0 })?;
            }
            bench.cycle()?;
        }
        Ok(())
    }

    fn finish(mut self, cycles: u64) -> Result<Cover, Wrong> {
        for round in 0..2 {
            self.run(cycles / 2)?;
            let Episode { bench, rng, pool } = &mut self;
            for task in pool {
                bench.store(*task + 4 * word::OPEN, 0);
            }
            bench.rest()?;
            bench.check_registers()?;
            bench.set(at::TASK_ERROR, 0)?;
            bench.set(at::FAULT, 0)?;
            bench.set(at::KILL, 0)?;
            if round == 0 {
                table(bench, rng)?;
                bench.set(at::SPAWN_NUMBER, 0)?;
                bench.store(SPAWN_BASE + 4 * 4, 0);
                (0..6).for_each(|n| bench.store(SPAWN_BASE + 4 * n, 0));
                bench.set(at::SPAWN_NUMBER, rng.gen_range(1..6))?;
                bench.rest()?;
            }
        }
        wrong_rings(&mut self.bench, &mut self.rng)?;
        Ok(self.bench.cover)
    }
}

/// The host writes a descriptor, and launches it.
fn host(bench: &mut Bench, rng: &mut Rng, pool: &[u32]) -> Result<(), Wrong> {
    let n = rng.gen_range(0..pool.len());
    let address = pool[n];
    let old = bench.word(address + 4 * word::STATE);
    // Who has been counted is named again as it is, more often than not.
    let waits = bench.word(address + 4 * word::NAMED) != 0 && rng.gen_bool(0.7);
    if waits {
        bench.cover.saw("LAUNCH of what waits for more");
    } else if matches!(old, 0 | 3) || rng.gen_bool(0.02) {
        bench.place(address, &random(rng, pool, n));
    } else if rng.gen_bool(0.8) {
        return Ok(());
    }
    let private = address >= THREAD_END || rng.gen_bool(0.3);
    let address = match rng.gen_range(0..40) {
        0 => rng.gen(),
        1 => address + 4 * rng.gen_range(0..16),
        _ => address,
    };
    if bench.launches() {
        return Ok(());
    }
    bench.cover.saw(if private {
        "a private LAUNCH"
    } else {
        "a LAUNCH"
    });
    let domain = rng.gen_range(0..at::DOMAINS as u8);
    bench.launch_by(address, private, domain)
}

/// A descriptor, now and then a wrong one. Dependents are behind it, so chains end.
fn random(rng: &mut Rng, pool: &[u32], n: usize) -> [u32; WORDS] {
    let private = pool[n] >= THREAD_END;
    let cta = *[
        [1, 1, 1],
        [4, 1, 1],
        [5, 1, 1],
        [3, 2, 2],
        [16, 1, 1],
        [2, 2, 4],
        [1, 7, 1],
    ]
    .choose(rng)
    .expect("there are some");
    let is_queue = rng.gen_bool(0.35);
    let entries = 1 << rng.gen_range(1..4);
    let get = if rng.gen_bool(0.5) {
        0u32.wrapping_sub(rng.gen_range(0..4))
    } else {
        rng.gen()
    };
    let queue = is_queue.then(|| Queue {
        ring: 0x4000,
        entry: 4 * rng.gen_range(1..5),
        entries,
        each: rng.gen_range(1..=entries),
        reserve: rng.gen(),
        put: get.wrapping_add(rng.gen_range(0..=entries)),
        get,
        open: u32::from(rng.gen_bool(0.4)) << rng.gen_range(0..32),
    });
    let with_time = rng.gen_bool(0.3);
    let completion = match rng.gen_range(0..4) {
        0 => 0x3000 + 16 * rng.gen_range(0..4),
        1 if private => 0x6000 + 16 * rng.gen_range(0..4),
        2 if private && rng.gen_bool(0.3) => 0x8000,
        _ => 0,
    };
    let later = pool[n + 1..].choose(rng).copied().unwrap_or(0);
    let reached = private || later < THREAD_END - 64;
    let descriptor = Descriptor {
        head: rng.gen_bool(0.3),
        interrupt: rng.gen(),
        // Often few levels, so that lists get long, and each of the 16.
        level: match rng.gen() {
            true => *[0, 0, 3, 7, 15].choose(rng).expect("there are some"),
            false => rng.gen_range(0..16),
        },
        path: rng.gen_range(0..3),
        domain: rng.gen_range(0..at::DOMAINS as u8),
        pc: 0x1000 + 4 * rng.gen_range(0..64),
        grid: if is_queue {
            [0; 3]
        } else {
            [0; 3].map(|_| rng.gen_range(1..4))
        },
        cta,
        arguments: pool[n],
        scratchpad: *[0, 4, 32, 36, 100, 512, 1024]
            .choose(rng)
            .expect("there are some"),
        // Now and then beyond the limit of some SM, or of all.
        local: match rng.gen_bool(0.8) {
            true => 16 * rng.gen_range(0..=64),
            false => 1024 + 16 * rng.gen_range(0..5),
        },
        forced_yield: rng.gen(),
        yield_every: rng.gen(),
        completion,
        with_time: with_time && completion != 0,
        value: rng.gen(),
        dependent: if rng.gen_bool(0.2) && reached {
            later
        } else {
            0
        },
        // Long ones are bounded by LIMIT_MAX, or else by nothing in an episode.
        limit: *[0, 0, 0, 1, 2, 60].choose(rng).expect("there are some"),
        predecessors: *[0, 0, 0, 0, 0, 0, 1, 2, 2, 3]
            .choose(rng)
            .expect("there are some"),
        queue,
    };
    let mut words = descriptor.words();
    if rng.gen_bool(0.15) {
        let (number, value) = corrupted(rng);
        // No chain goes round.
        if number != word::DEPENDENT {
            words[number as usize] = value;
        }
    }
    if rng.gen_bool(0.02) && !is_queue {
        words[2..5].copy_from_slice(&[65_535, 65_535, 2]);
    }
    words
}

/// A word of a descriptor and a value that may be wrong there. Grids do not get large by it, and no queue is left open.
fn corrupted(rng: &mut Rng) -> (u32, u32) {
    let any = [
        0,
        1,
        2,
        3,
        5,
        12,
        13,
        17,
        0x1_0000,
        0x1004,
        0x8000_0000,
        0xffff_ffff,
        MEMORY_END,
    ];
    let number = match rng.gen_range(0..10) {
        0 => word::HEADER,
        1..=2 => rng.gen_range(24..28),
        3 => rng.gen_range(word::RING..=word::EACH),
        4 => rng.gen_range(word::PUT..=word::GET),
        _ => rng.gen_range(0..WORDS as u32),
    };
    let one_of = |rng: &mut Rng, values: &[u32]| *values.choose(rng).expect("there are some");
    let value = match number {
        word::HEADER if rng.gen() => one_of(rng, &[0x5700_0001, 0x5700_0031, 0x5700_00f1]),
        word::HEADER => 0x5700_0001 ^ 1 << rng.gen_range(0..32) ^ one_of(rng, &[0, 3, 0x300]),
        2..=4 => one_of(rng, &[0, 1, 2, 0x1_0000, 0xffff_ffff]),
        word::DEPENDENT => one_of(rng, &[1, MEMORY_END, 0x40]),
        word::OPEN => 0,
        word::PREDECESSORS if rng.gen() => one_of(rng, &[2, 4, 0xffff, 0x1_0000]),
        _ => one_of(rng, &any),
    };
    (number, value)
}
