//! What a random host program is: channels and their blocks, tasks and queues, and where all of it stands in memory.

use crate::gpu::device::{GpuOptions, TINY};
use crate::gpu::program::{room, MEMORY};
use crate::seed::{stream, Rng};
use crate::sm::memory::AxiTiming;
use crate::tasks::Cover;
use rand::seq::SliceRandom;
use rand::Rng as _;
use std::collections::BTreeSet;
use weft_isa::Program;
use weft_sim::host::descriptor::{word, Queue};
use weft_sim::host::front::command::{self, header};
use weft_sim::host::registers::at;
use weft_sim::host::{Descriptor, Size};

/// Word that all threads count; arguments and data of task n.
const SHARED: u32 = 0x1_0000;
const ARGUMENTS: u32 = 0x1_0100;
const ARGUMENTS_OF_TASK: u32 = 64;
const DATA: u32 = 0x1_2000;
const DATA_OF_TASK: u32 = 256;
/// Descriptors, rings and completion semaphores of tasks that threads reach.
const CHILDREN: u32 = 0x1_8000;
const QUEUES: u32 = 0x1_a000;
const BYTES_OF_QUEUE: u32 = 256;
const COMPLETIONS: u32 = 0x1_e000;
/// The GPU-owned channel: entries, semaphores and blocks, X and Y, and of each round the pieces that are not done.
const OWNED: u32 = 0x1_e800;
const OWNED_ENTRIES: u32 = OWNED + 0x40;
const OWNED_SEMAPHORES: u32 = OWNED + 0x80;
const OWNED_X: u32 = OWNED + 0xa0;
const OWNED_Y: u32 = OWNED + 0xa4;
const OWNED_OPEN: u32 = OWNED + 0xc0;
const OWNED_BLOCKS: u32 = OWNED + 0x100;
const FIRST_ACQUIRE: u32 = OWNED + 0x200;
const SPAWN: u32 = 0x1_f000;
/// What only the host reaches: rings, semaphores of channels, blocks, descriptors, completion semaphores.
pub(super) const RINGS: u32 = 0x2_0000;
const SEMAPHORES: u32 = 0x2_0804;
const BLOCKS: u32 = 0x2_1000;
const TASKS: u32 = 0x2_4000;
const PRIVATE_COMPLETIONS: u32 = 0x2_8004;
/// Of those that are launched any way but by the GPU-owned channel, and of all.
const MOST_TASKS: u32 = 32;
const MOST_OF_ALL: u32 = 64;
/// Faults that the kernel has.
const FAULTS: u32 = 5;

/// Arguments of a grid, by words: 0 its data; 1 a task to launch by the spawn ring or 0; 2 the mask of that ring; 3 the
/// queue of the GPU-owned channel or 0; 4 how many CTAs add to it; 5 how many launches each; 6 the first of these tasks;
/// 7 not 0: it asks for room (QUEUE-031), 0: it waits (QUEUE-030); 8 how many CTAs are a piece of work each; 9 the word
/// that counts the pieces; 10 the round; 11 another task to launch behind that of word 1, or 0.
///
/// Of a queue: 3 its ring; 4 entries, less one; 5 bytes of an entry; 6 its descriptor, if its CTAs add to it, or 0.
///
/// Each thread counts words 0 to 2 of the data and the shared word, changes word 3 by LR and SC, and writes a word of its
/// own; thread 0 of a grid spawns, thread 0 of each CTA adds to the channel. Thread 0 of a CTA of a queue adds up its
/// entries in word 4 and counts them in word 5; for an entry that is not 0 it adds one that is less by one.
///
/// Of a grid with faults: 4 which of its CTAs have some, 5 which warps of these, a bit each; in warp b the lanes from
/// word 6 + b on, mod 4; 7 which of the faults. Nobody else in such a warp does anything.
const KERNEL: &str = include_str!("kernel.s");

/// A channel: entries of its ring, priority, and its blocks: address, words.
pub(super) struct Channel {
    pub(super) entries: u32,
    pub(super) priority: u32,
    pub(super) blocks: Vec<(u32, u32)>,
}

/// The GPU-owned channel: its entries, where it begins, its priority, launches of each group, and rounds so far.
pub(super) struct Owned {
    pub(super) number: u32,
    pub(super) first: u32,
    pub(super) priority: u32,
    pub(super) launches: u32,
    pub(super) rounds: u32,
}

/// What a task is.
enum Kind {
    Grid {
        ctas: u32,
        /// The tasks that it spawns one after the other, then 0.
        children: [u32; 2],
        /// What the kernel's arguments say of the GPU-owned channel, from word 3 on.
        owned: Vec<u32>,
    },
    Queue {
        /// Its CTAs add to it.
        adds: bool,
    },
    /// A grid of which some threads run into a fault.
    Faults { ctas: u32, arguments: [u32; 4] },
    /// A CTA without an end, which has a limit: its first warp spins, and the others wait at a barrier.
    Endless,
}

/// A program: a channel's entries, and what is in memory before.
pub(super) struct Random {
    pub(super) size: Size,
    pub(super) options: GpuOptions,
    pub(super) program: Program,
    pub(super) words: Vec<(u32, Vec<u32>)>,
    pub(super) channels: Vec<Channel>,
    pub(super) spawn: u32,
    /// Shorter than a read, or longer.
    pub(super) poll: u32,
    pub(super) spawn_poll: u32,
    pub(super) descriptors: Vec<u32>,
    pub(super) owned: Option<Owned>,
    /// Words whose contents depend on the order of what threads do.
    pub(super) open: Vec<u32>,
    /// Percent of the cycles between two doorbells.
    pub(super) eager: u32,
    pub(super) seed: u64,
}
impl Random {
    pub(super) fn new(seed: u64, sms: usize, cover: &mut Cover) -> Random {
        let mut rng = stream(seed, "random gpu");
        let spawn: u32 = 1 << rng.gen_range(0..4);
        let source = KERNEL
            .replace("SHARED", &SHARED.to_string())
            .replace("TICKET", &(SPAWN + 4 * spawn).to_string())
            .replace("SPAWN", &SPAWN.to_string())
            .replace("LAUNCH", &header(command::LAUNCH, 0).to_string())
            .replace("ACQUIRE", &header(command::SEM_ACQUIRE, 0).to_string())
            .replace("RELEASE", &header(command::SEM_RELEASE, 0).to_string())
            .replace("IDLE", &header(command::WAIT_FOR_IDLE, 0).to_string());
        let program = weft_isa::assemble(&source, "kernel.s").expect("the kernel is assembled");
        let mut random = Random {
            size: Size { sms, ..TINY },
            options: GpuOptions {
                memory: MEMORY,
                timing: AxiTiming::draw(&mut rng),
                seed,
                ..GpuOptions::default()
            },
            program,
            words: Vec::new(),
            channels: Vec::new(),
            spawn,
            poll: *[0, 1, 16, 200, 2_000].choose(&mut rng).expect("some"),
            spawn_poll: *[0, 1, 16, 200].choose(&mut rng).expect("some"),
            descriptors: Vec::new(),
            owned: None,
            open: Vec::new(),
            eager: *[2, 20, 100].choose(&mut rng).expect("some"),
            seed,
        };
        random.owned = rng.gen_bool(0.5).then(|| {
            let number = rng.gen_range(4..=8);
            Owned {
                number,
                priority: priority(&mut rng),
                first: rng.gen_range(0..number),
                // Two and the acquire behind them find room where the acquire before and the free entry are two more.
                launches: rng.gen_range(1..=number / 5 + 1).min(2),
                rounds: 0,
            }
        });
        let most = random.size.channels - usize::from(random.owned.is_some());
        let channels = rng.gen_range(1..=most);
        for _ in 0..channels {
            let entries = rng.gen_range(2..=6);
            random.channels.push(Channel {
                entries,
                priority: priority(&mut rng),
                blocks: Vec::new(),
            });
        }
        let blocks = rng.gen_range(4..=14);
        // Last value that each channel has released.
        let mut released: Vec<u32> = vec![0; channels];
        for number in 1..=blocks {
            let channel = rng.gen_range(0..channels);
            let mut block = Vec::new();
            let other = rng.gen_range(0..channels);
            if other != channel && released[other] != 0 && rng.gen_bool(0.4) {
                let flags = header(command::SEM_ACQUIRE, command::AT_LEAST);
                block.extend([flags, semaphore(other), released[other]]);
            }
            for _ in 0..rng.gen_range(0..3) {
                if let Some(task) = random.task(&mut rng, true, 0, cover) {
                    block.extend([header(command::LAUNCH, 0), task]);
                }
            }
            // Rounds of the GPU-owned channel follow each other, so one channel has them all.
            if channel == 0 && rng.gen_bool(0.6) {
                block.extend(random.round(&mut rng, cover).unwrap_or_default());
            }
            match rng.gen_range(0..8) {
                0 => block.push(header(command::NOP, 0)),
                1 => {
                    cover.saw("MEMBAR");
                    block.push(header(command::MEMBAR, rng.gen_range(0..4)));
                }
                2 => {
                    cover.saw("WAIT_FOR_IDLE");
                    block.push(header(command::WAIT_FOR_IDLE, 0));
                }
                3 => block.push(header(command::INTERRUPT, 0)),
                _ => (),
            }
            if rng.gen_bool(0.6) || block.is_empty() {
                let flags = u32::from(rng.gen_bool(0.3)) * command::AFTER_IDLE;
                if flags != 0 {
                    cover.saw("release after idle");
                }
                let release = header(command::SEM_RELEASE, flags);
                block.extend([release, semaphore(channel), number]);
                released[channel] = number;
            }
            let address = BLOCKS + 128 * number;
            random.channels[channel]
                .blocks
                .push((address, block.len() as u32));
            random.words.push((address, block));
        }
        random.owned = random.owned.take().filter(|owned| owned.rounds > 0);
        random.set_up_owned();
        let all = random.channels.iter().map(|channel| channel.priority);
        let owned = random.owned.iter().map(|owned| owned.priority);
        if all.chain(owned).collect::<BTreeSet<_>>().len() > 2 {
            cover.saw("channels of three priorities");
        }
        random
    }

    /// What is in memory of the GPU-owned channel (QUEUE-010).
    fn set_up_owned(&mut self) {
        let Some(Owned { number, first, .. }) = self.owned else {
            return;
        };
        let (soft, shadow) = (first + 1, first + number - 1);
        let pointers = [OWNED_ENTRIES, number, OWNED_SEMAPHORES, OWNED_BLOCKS];
        let rest = [soft, shadow, OWNED_X, OWNED_Y];
        self.words.push((OWNED, [pointers, rest].concat()));
        let acquire = vec![header(command::SEM_ACQUIRE, 0), OWNED_X, 1];
        self.words
            .push((OWNED_ENTRIES + 8 * first, vec![FIRST_ACQUIRE, 3]));
        self.words.push((FIRST_ACQUIRE, acquire));
        // Which task is launched from which position.
        self.open
            .extend((0..number).map(|n| OWNED_BLOCKS + 32 * n + 4));
    }

    /// Commands of the CPU's channel for the next round of the GPU-owned one (QUEUE-011): its launch adds so much as has
    /// room at once, and those that are launched so may add more.
    fn round(&mut self, rng: &mut Rng, cover: &mut Cover) -> Option<Vec<u32>> {
        let owned = self.owned.as_mut()?;
        let launches = owned.launches;
        let adders = rng.gen_range(0..=(owned.number - 2) / (launches + 1));
        let children = adders * launches;
        let number = self.descriptors.len() as u32;
        if number + 1 + children * (1 + launches) > MOST_OF_ALL || owned.rounds > 4 {
            return None;
        }
        owned.rounds += 1;
        let round = owned.rounds;
        cover.saw("round of a GPU-owned channel");
        if round > 1 {
            cover.saw("second round of a GPU-owned channel");
        }
        let open = OWNED_OPEN + 4 * round;
        let adds = |adders: u32, first: u32, asks: bool, pieces: u32| {
            let first = CHILDREN + 128 * first;
            let all = [
                OWNED,
                adders,
                launches,
                first,
                asks.into(),
                pieces,
                open,
                round,
            ];
            all.to_vec()
        };
        let grid = |ctas, owned| Kind::Grid {
            ctas,
            children: [0; 2],
            owned,
        };
        let parent = self.numbers(1, true);
        let first = self.numbers(children, false);
        let mut pieces = adders.max(1);
        let ctas = rng.gen_range(pieces..=pieces.max(3));
        let kind = grid(ctas, adds(adders, first, true, pieces));
        self.describe(rng, parent, true, kind, 0);
        for child in first..first + children {
            let nested = rng.gen_bool(0.4);
            let more = u32::from(nested) * launches;
            let second = self.numbers(more, false);
            let kind = grid(rng.gen_range(1..=2), adds(nested.into(), second, false, 1));
            self.describe(rng, child, false, kind, 0);
            for grandchild in second..second + more {
                cover.saw("nested in a GPU-owned channel");
                let kind = grid(rng.gen_range(1..=2), adds(0, 0, false, 1));
                self.describe(rng, grandchild, false, kind, 0);
            }
            pieces += 1 + more;
        }
        self.words.push((open, vec![pieces]));
        Some(vec![
            header(command::LAUNCH, 0),
            TASKS + 128 * parent,
            header(command::SEM_RELEASE, command::AFTER_IDLE),
            OWNED_X,
            round,
            header(command::SEM_ACQUIRE, 0),
            OWNED_Y,
            round,
        ])
    }

    /// So many new tasks; the first of their numbers.
    fn numbers(&mut self, tasks: u32, private: bool) -> u32 {
        let first = self.descriptors.len() as u32;
        let base = if private { TASKS } else { CHILDREN };
        self.descriptors
            .extend((first..first + tasks).map(|number| base + 128 * number));
        first
    }

    /// A new task, with those that it launches. `private`: only the host reaches it.
    fn task(&mut self, rng: &mut Rng, private: bool, depth: u32, cover: &mut Cover) -> Option<u32> {
        self.task_before(rng, private, (depth, 0), cover)
    }

    /// The same of one that names `next` when it is complete, if that is not 0.
    fn task_before(
        &mut self,
        rng: &mut Rng,
        private: bool,
        (depth, next): (u32, u32),
        cover: &mut Cover,
    ) -> Option<u32> {
        if self.descriptors.len() as u32 >= MOST_TASKS {
            return None;
        }
        let faults = rng.gen_bool(0.15);
        let queue = !faults && rng.gen_bool(0.2);
        // Threads must reach the descriptor of a queue that they add to.
        let adds = queue && rng.gen_bool(0.5);
        let private = private && !adds;
        let number = self.numbers(1, private);
        let kind = if !faults && !queue && rng.gen_bool(0.12) {
            cover.saw("task that is killed, its time is over");
            Kind::Endless
        } else if faults {
            let faults = [rng.gen_range(1..16), rng.gen_range(1..16)];
            let [lane, which] = [rng.gen_range(0..4), rng.gen_range(0..FAULTS)];
            Kind::Faults {
                ctas: rng.gen_range(1..=4),
                arguments: [faults[0], faults[1], lane, which],
            }
        } else if queue {
            cover.saw(match adds {
                true => "queue that CTAs add to",
                false => "queue that is full before",
            });
            Kind::Queue { adds }
        } else {
            let mut children = [0; 2];
            if depth < 2 && rng.gen_bool(0.35) {
                let some = rng.gen_range(1..=2);
                // Both name the same one, which runs behind them; or behind neither, if one is killed (TASK-027, TASK-132).
                let join = match some == 2 && rng.gen_bool(0.6) {
                    true => self.task(rng, false, depth + 1, cover).unwrap_or(0),
                    false => 0,
                };
                for child in &mut children[..some] {
                    cover.saw("launch by a thread");
                    let made = self.task_before(rng, false, (depth + 1, join), cover);
                    *child = made.unwrap_or(0);
                }
                if join != 0 && !children.contains(&0) {
                    cover.saw("task behind two others");
                    self.set_predecessors(join, 2);
                }
            }
            Kind::Grid {
                ctas: rng.gen_range(1..=4),
                children,
                owned: Vec::new(),
            }
        };
        let dependent = (next == 0 && depth < 2 && rng.gen_bool(0.2)).then(|| {
            cover.saw("launch as a dependent");
            self.task(rng, false, depth + 1, cover)
        });
        let dependent = dependent.flatten().unwrap_or(next);
        self.describe(rng, number, private, kind, dependent);
        Some(self.descriptors[number as usize])
    }

    /// Of a task that has been described.
    fn set_predecessors(&mut self, task: u32, number: u32) {
        let mut described = self.words.iter_mut().filter(|(at, _)| *at == task);
        let (_, words) = described.next().expect("it is there");
        words[word::PREDECESSORS as usize] = number;
    }

    /// Descriptor, arguments, data and ring of the task of this number.
    fn describe(&mut self, rng: &mut Rng, number: u32, private: bool, kind: Kind, dependent: u32) {
        let address = self.descriptors[number as usize];
        let threads = *[1, 3, 4, 5, 8, 13].choose(rng).expect("some");
        let completion = match (private, rng.gen_range(0..3)) {
            (_, 0) => 0,
            (true, _) => PRIVATE_COMPLETIONS + 8 * number,
            (false, _) => COMPLETIONS + 8 * number,
        };
        let data = DATA + DATA_OF_TASK * number;
        let mut arguments = vec![data];
        let (mut pc, mut grid, mut queue) = ("_start", [0; 3], None);
        let mut limit = 0;
        match kind {
            Kind::Endless => {
                pc = "endless";
                grid = [1, 1, 1];
                limit = rng.gen_range(1..4);
            }
            Kind::Grid {
                ctas,
                children: [first, second],
                owned,
            } => {
                grid = [ctas, 1, 1];
                arguments.extend([first, self.spawn - 1]);
                arguments.extend(owned);
                arguments.resize(11, 0);
                arguments.push(second);
            }
            Kind::Faults {
                ctas,
                arguments: faults,
            } => {
                pc = "faults";
                grid = [ctas, 1, 1];
                arguments.extend([0; 3]);
                arguments.extend(faults);
            }
            Kind::Queue { adds } => {
                let ring = self.queue(rng, number, threads, adds);
                let adds = if adds { address } else { 0 };
                arguments.extend([0, 0, ring.ring, ring.entries - 1, ring.entry, adds]);
                (pc, queue) = ("queue", Some(ring));
            }
        }
        let descriptor = Descriptor {
            head: rng.gen_bool(0.3),
            level: rng.gen_range(0..4),
            pc: self.program.symbols[pc],
            grid,
            cta: [threads, 1, 1],
            arguments: ARGUMENTS + ARGUMENTS_OF_TASK * number,
            local: 16 * rng.gen_range(0..4),
            forced_yield: *[0, 0, 7, 100].choose(rng).expect("some"),
            completion,
            value: rng.gen(),
            dependent,
            limit,
            queue,
            ..Descriptor::default()
        };
        self.words.push((address, descriptor.words().to_vec()));
        self.words.push((descriptor.arguments, arguments));
        // What threads do not write must stay.
        let guard = (0..DATA_OF_TASK / 4).map(|n| 0xdead_0000 + 64 * number + n);
        self.words.push((data, guard.collect()));
    }

    /// The ring of a queue task whose CTAs have so many threads, with what is in it before.
    fn queue(&mut self, rng: &mut Rng, number: u32, threads: u32, adds: bool) -> Queue {
        let ring = QUEUES + BYTES_OF_QUEUE * number;
        let entry = *[4, 12, 16].choose(rng).expect("some");
        let entries: u32 = 1 << rng.gen_range(1..=4);
        // Each thread of it has a word of the data.
        let most_ctas = (DATA_OF_TASK / 4 - 8) / threads;
        let (values, each): (Vec<u32>, u32) = if adds {
            let mut left = entries.min(most_ctas);
            let mut values = Vec::new();
            while left > 0 {
                let value = rng.gen_range(0..left);
                values.push(value);
                left -= value + 1;
            }
            (values, 1)
        } else {
            let full = rng.gen_range(0..=entries);
            let each = rng.gen_range(1..=entries).max(full.div_ceil(most_ctas));
            ((0..full).map(|_| rng.gen()).collect(), each)
        };
        let get: u32 = *[0, 3, 0xffff_fffe].choose(rng).expect("some");
        let place = |position: u32| ring + entry * (position % entries);
        for (value, n) in values.iter().zip(0..) {
            let at = place(get.wrapping_add(n));
            self.words.push((at, vec![*value]));
        }
        if adds {
            self.open.extend((0..entries).map(place));
        }
        let put = get.wrapping_add(values.len() as u32);
        Queue {
            ring,
            entry,
            entries,
            each,
            reserve: put,
            put,
            get,
            open: if adds { values.len() as u32 } else { 0 },
        }
    }

    pub(super) fn contents(&self) -> Vec<(u32, Vec<u8>)> {
        let segments = self.program.segments.iter();
        let mut all: Vec<_> = segments.map(|s| (s.address, s.bytes.to_vec())).collect();
        let words = self.words.iter();
        all.extend(words.map(|(at, words)| (*at, bytes(words))));
        all
    }

    pub(super) fn registers(&self) -> Vec<(u32, u32)> {
        let mut all = room(self.size.sms);
        all.extend([
            (at::POLL, self.poll),
            (at::SPAWN_POLL, self.spawn_poll),
            (at::SPAWN_BASE, SPAWN),
            (at::SPAWN_NUMBER, self.spawn),
        ]);
        for (c, channel) in self.channels.iter().enumerate() {
            let Channel {
                entries, priority, ..
            } = channel;
            all.extend([
                (at::channel(c, at::BASE), RINGS + 64 * c as u32),
                (at::channel(c, at::NUMBER), *entries),
                (at::channel(c, at::CONTROL), at::ENABLE | priority << 4),
            ]);
        }
        if let Some(owned) = &self.owned {
            let c = self.channels.len();
            let last = owned.first + owned.number - 1;
            all.extend([
                (at::channel(c, at::BASE), OWNED_ENTRIES),
                (at::channel(c, at::NUMBER), owned.number),
                (at::channel(c, at::GP_GET), owned.first),
                (at::channel(c, at::GP_PUT), last % owned.number),
                (at::channel(c, at::SHADOW), OWNED + 20),
                (at::channel(c, at::LIMIT), last),
                (
                    at::channel(c, at::CONTROL),
                    at::ENABLE | at::OWNER_GPU | owned.priority << 4,
                ),
            ]);
        }
        all
    }
}

fn priority(rng: &mut Rng) -> u32 {
    *[0, 1, 2, 15].choose(rng).expect("some")
}

fn semaphore(channel: usize) -> u32 {
    SEMAPHORES + 24 * channel as u32
}

pub(super) fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}
