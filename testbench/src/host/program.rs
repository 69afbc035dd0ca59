//! Random programs of the host: doorbells, entries and registers at any time, right and wrong; threads that write
//! semaphores.
//!
//! What a channel finds may have been overwritten under it: the model reads what the hardware reads.

use super::bench::{Access, Bench, HostSize, Setup, DESCRIPTORS, MEMORY, THREAD_END};
use super::cover::Cover;
use crate::seed::{stream, Rng};
use rand::seq::SliceRandom as _;
use rand::Rng as _;
use weft_sim::host::descriptor::{state, word, WORDS};
use weft_sim::host::front::command::{self, header};
use weft_sim::host::registers::at;
use weft_sim::host::Descriptor;

/// Semaphores of 16 bytes: of threads, private.
const SEMAPHORES: [u32; 2] = [0x6000, 0xF000];
const SHADOWS: u32 = 0x6800;
/// Words of a block.
const BLOCK: u32 = 16;

/// Words of a right descriptor.
pub fn descriptor() -> [u32; WORDS] {
    Descriptor {
        pc: 0x1000,
        ..Descriptor::default()
    }
    .words()
}

/// Address of entry 0 of a channel's ring.
pub fn ring(channel: usize, private: bool) -> u32 {
    match private {
        false => 0x2000 + 0x400 * channel as u32,
        true => 0xD000 + 0x100 * channel as u32,
    }
}

/// Address of a block.
pub fn block(channel: usize, index: u32, private: bool) -> u32 {
    let start = match private {
        false => 0x4000 + 0x400 * channel as u32,
        true => 0xE000 + 0x200 * channel as u32,
    };
    start + 4 * BLOCK * (index % 8)
}

/// How to run a program.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    pub size: HostSize,
    pub seed: u64,
    pub cycles: u64,
}

impl std::fmt::Display for Program {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.size.0, self.seed, self.cycles)
    }
}

impl std::str::FromStr for Program {
    type Err = String;

    /// `CHANNELS:SEED:CYCLES`
    fn from_str(text: &str) -> Result<Program, String> {
        let numbers: Result<Vec<u64>, _> = text.split(':').map(str::parse).collect();
        match numbers.as_deref() {
            Ok(&[channels, seed, cycles]) => Ok(Program {
                size: HostSize(channels as usize),
                seed,
                cycles,
            }),
            _ => Err(format!("{text}: write CHANNELS:SEED:CYCLES")),
        }
    }
}

struct Host {
    bench: Bench,
    rng: Rng,
    private: Vec<bool>,
    /// Semaphores and values that acquires wait for.
    wanted: Vec<(u32, u32)>,
    hole: bool,
}

/// HOST-004: windows whose edges are at and between what blocks and semaphores of threads reach.
fn domains(bench: &mut Bench, rng: &mut Rng) {
    for domain in 0..at::DOMAINS {
        let bases = [0, 0x1000, 0x4000, 0x4040, SEMAPHORES[0], SEMAPHORES[0] + 64];
        let ends = [
            0,
            THREAD_END,
            SEMAPHORES[0] + 128,
            SEMAPHORES[0] + 64,
            0x4C00,
        ];
        let base = *bases.choose(rng).expect("some");
        let end = *ends.choose(rng).expect("some");
        bench.host(Access::Write(at::domain(domain, at::WINDOW_BASE), base));
        bench.host(Access::Write(at::domain(domain, at::WINDOW_END), end));
    }
    bench.host(Access::Write(at::CHANNEL_DOMAINS, rng.gen()));
}

/// Runs a program.
///
/// # Errors
/// What is wrong, with the line that replays it.
pub fn run(program: Program, setup: &Setup, cover: &mut Cover) -> Result<(), String> {
    let replay = format!(
        "  replay: PROGRAM={program} cargo test -p weft-testbench --test host replay -- --nocapture"
    );
    let fail = |text: String| format!("front end, program {program}: {text}\n{replay}");
    let setup = Setup {
        seed: program.seed,
        ..*setup
    };
    let bench = Bench::new(program.size, &setup).map_err(|e| fail(e.to_string()))?;
    let mut host = Host::new(bench, program);
    let mut cycles = program.cycles;
    let resets = &mut stream(program.seed, "host reset");
    if resets.gen_bool(0.5) {
        // At any time; all begins anew then, with what the memories of the hardware have.
        let until = resets.gen_range(0..cycles / 2);
        let result = host.go(until);
        cover.add(&host.bench);
        result.map_err(fail)?;
        cover.reset(host.bench.is_busy());
        let bench = host.bench.reset(&setup, resets.gen_range(1..3));
        let seed = resets.gen();
        host = Host::new(bench, Program { seed, ..program });
        cycles -= until;
    }
    let result = host.go(cycles).and_then(|()| host.end());
    cover.add(&host.bench);
    result.map_err(fail)
}

impl Host {
    fn new(mut bench: Bench, program: Program) -> Host {
        let mut rng = stream(program.seed, "host program");
        bench.plain = false;
        bench.gap = *[0, 0, 20, 80].choose(&mut rng).expect("some");
        bench.idle = None;
        let hole = rng.gen_range(0..3) == 0;
        if hole {
            bench.host(Access::Write(at::MEMORY_END, MEMORY + 0x1000));
            // Commands of three and of two words, of which the last words lie behind the memory.
            let commands = [header(command::SEM_ACQUIRE, 0), header(command::LAUNCH, 0)];
            bench.poke(MEMORY - 8, &commands);
        }
        bench.host(Access::Write(at::POLL, rng.gen_range(0..60)));
        bench.host(Access::Write(at::INTERRUPT_ENABLE, rng.gen()));
        if rng.gen_bool(0.6) {
            domains(&mut bench, &mut rng);
        }
        for i in 0..8 {
            bench.poke(DESCRIPTORS.start + 128 * i, &descriptor());
        }
        let private = vec![false; program.size.0];
        let mut host = Host {
            bench,
            rng,
            private,
            wanted: Vec::new(),
            hole,
        };
        for channel in 0..program.size.0 {
            host.open(channel);
        }
        host
    }

    fn go(&mut self, cycles: u64) -> Result<(), String> {
        while self.bench.cycle < cycles {
            self.bench.step()?;
            if self.chance(3) && !self.bench.host_waits() {
                self.act();
            }
            if self.chance(8) {
                self.thread();
            }
        }
        Ok(())
    }

    /// Every register in the end.
    fn end(&mut self) -> Result<(), String> {
        for channel in 0..self.bench.size().channels {
            for offset in (0..0x40).step_by(4) {
                self.bench.host(Access::Read(at::channel(channel, offset)));
            }
        }
        for address in (0..0x60).step_by(4) {
            self.bench.host(Access::Read(address));
        }
        while self.bench.host_waits() {
            self.bench.step()?;
        }
        Ok(())
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.rng.gen_range(0..100) < percent
    }

    /// A channel is set up.
    fn open(&mut self, channel: usize) {
        let number: u32 = *[2, 3, 4, 5, 7, 8].choose(&mut self.rng).expect("some");
        self.private[channel] = self.chance(30);
        let gpu = self.chance(35);
        let get = self.rng.gen_range(0..number);
        let shadow = match self.rng.gen_range(0..10) {
            0..=5 => SHADOWS + 4 * channel as u32,
            6 => THREAD_END - 2,
            7 => THREAD_END,
            // Where no semaphore is then.
            8 if channel == 0 && !self.hole => THREAD_END - 4,
            _ => 0,
        };
        let ahead = match gpu && shadow != 0 {
            true => self.rng.gen_range(0..number),
            false => 0,
        };
        let mut base = ring(channel, self.private[channel]);
        if self.private[channel] && self.hole && self.chance(30) {
            // The ring lies behind the memory.
            base = MEMORY + 0x800;
        }
        let mut values = [
            (at::BASE, base),
            (at::NUMBER, number),
            (at::GP_GET, get),
            (at::GP_PUT, (get + ahead) % number),
            (at::SHADOW, shadow),
            (at::LIMIT, self.rng.gen()),
        ];
        if self.chance(10) {
            let wrong = [
                1,
                0,
                0x1_0001,
                number,
                MEMORY + 0x2000,
                0xFFFF_FFF8,
                base + 4,
            ];
            let i = self.rng.gen_range(0..5);
            values[i].1 = *wrong.choose(&mut self.rng).expect("some");
        }
        for index in 0..number {
            self.fill(channel, index);
        }
        for (offset, value) in values {
            self.bench.set(channel, offset, value);
        }
        let priority = *[0, 0, 1, 7, 15].choose(&mut self.rng).expect("some");
        let control = priority << 4 | u32::from(gpu) << 1 | at::ENABLE;
        self.bench.set(channel, at::CONTROL, control);
    }

    fn semaphore(&mut self, private: bool) -> u32 {
        let private = private && self.chance(50);
        if self.hole && self.chance(6) {
            // The last words within reach, without time and with it.
            let end = if private { MEMORY } else { THREAD_END };
            return end - *[4, 16].choose(&mut self.rng).expect("some");
        }
        let area = SEMAPHORES[usize::from(private)];
        area + 16 * self.rng.gen_range(0..16)
    }

    /// Block and entry of an index.
    fn fill(&mut self, channel: usize, index: u32) {
        let private = self.private[channel];
        let at = block(channel, index, private && self.rng.gen());
        let mut words: Vec<u32> = Vec::new();
        while words.len() < 3 || (self.chance(50) && words.len() < BLOCK as usize - 3) {
            let flags = self.rng.gen_range(0..4);
            let semaphore = self.semaphore(private);
            let value = self.rng.gen_range(0..6u32).wrapping_sub(2);
            match self.rng.gen_range(0..12) {
                0 => words.push(header(command::NOP, 0)),
                1 | 2 => {
                    let wrong = self.chance(20);
                    let task = DESCRIPTORS.start + 128 * self.rng.gen_range(0..8);
                    let task = if wrong { task + 32 } else { task };
                    words.extend([header(command::LAUNCH, 0), task]);
                }
                3 => words.push(header(command::WAIT_FOR_IDLE, 0)),
                4..=6 => {
                    let flags = flags & 1;
                    self.wanted.push((semaphore, value));
                    words.extend([header(command::SEM_ACQUIRE, flags), semaphore, value]);
                }
                7 | 8 => words.extend([header(command::SEM_RELEASE, flags), semaphore, value]),
                9 | 10 => words.push(header(command::MEMBAR, flags)),
                _ => words.push(header(command::INTERRUPT, 0)),
            }
        }
        if self.chance(12) {
            self.spoil(&mut words);
        }
        self.bench.poke(at, &words);
        let mut entry = [at, words.len() as u32];
        if self.chance(8) {
            let far = if self.hole {
                MEMORY + 0x100
            } else {
                MEMORY - 4
            };
            let wrong = [
                (1, 0),
                (1, 0x1_0003),
                (1, 0x8000_0000),
                (1, 0xFFFF),
                (0, at + 2),
                (0, 0xFFC),
                (0, THREAD_END - 4),
                (0, THREAD_END),
                (0, far),
                (0, 0xFFFF_FFFC),
            ];
            let (i, value) = *wrong.choose(&mut self.rng).expect("some");
            entry[i] = value;
        }
        if private && self.hole && self.chance(10) {
            entry = [MEMORY - 4 * self.rng.gen_range(1..3), 3];
        }
        self.bench.poke(ring(channel, private) + 8 * index, &entry);
    }

    /// One bit or one operand of a block is wrong.
    fn spoil(&mut self, words: &mut [u32]) {
        let i = self.rng.gen_range(0..words.len());
        words[i] = match self.rng.gen_range(0..7) {
            0 => 0,
            1 => words[i] ^ 1 << self.rng.gen_range(0..32),
            2 => MEMORY + 0x200,
            3 => THREAD_END,
            4 => MEMORY - 4,
            5 => 0xFFC,
            _ => self.rng.gen(),
        };
    }

    /// The host does something.
    fn act(&mut self) {
        let channel = self.rng.gen_range(0..self.private.len());
        let failed = self.bench.register(channel, at::ERROR) >> 31 == 1;
        let number = self.bench.register(channel, at::NUMBER).clamp(1, 8);
        let get = self.bench.register(channel, at::GP_GET);
        let put = self.bench.register(channel, at::GP_PUT);
        let control = self.bench.register(channel, at::CONTROL);
        if failed && self.chance(50) {
            // The clearing loses where the error was.
            for offset in [at::ERROR, at::ERROR_ENTRY, at::ERROR_ADDRESS] {
                self.bench.host(Access::Read(at::channel(channel, offset)));
            }
            self.bench.set(channel, at::CONTROL, at::CLEAR | control);
            match self.rng.gen_range(0..3) {
                0 => self.open(channel),
                1 => {
                    self.bench
                        .set(channel, at::GP_GET, get.wrapping_add(1) % number);
                    self.bench.set(channel, at::CONTROL, control | at::ENABLE);
                }
                _ => {
                    self.fill(channel, get % number);
                    self.bench.set(channel, at::CONTROL, control | at::ENABLE);
                }
            }
            return;
        }
        match self.rng.gen_range(0..100) {
            // Some entries, and the doorbell.
            0..=49 => {
                let mut at = put;
                for _ in 0..self.rng.gen_range(1..4) {
                    if at.wrapping_add(1) % number != get {
                        self.fill(channel, at % number);
                        at = at.wrapping_add(1) % number;
                    }
                }
                self.bench.set(channel, at::GP_PUT, at);
                if self.chance(10) {
                    self.bench.set(channel, at::GP_PUT, at);
                }
            }
            50..=54 => {
                // Empty, or once round the ring.
                self.bench.set(channel, at::GP_PUT, get);
            }
            55 | 56 => {
                let beyond = *[number, number + 1, u32::MAX]
                    .choose(&mut self.rng)
                    .expect("some");
                self.bench.set(channel, at::GP_PUT, beyond);
            }
            57 | 58 => {
                let locked = [at::BASE, at::NUMBER, at::GP_GET, at::SHADOW, at::LIMIT];
                let offset = *locked.choose(&mut self.rng).expect("some");
                let value = self.bench.register(channel, offset);
                self.bench.set(channel, offset, value);
            }
            // Off, and on again, perhaps in the middle of a block, perhaps with another owner.
            59..=64 => {
                let owner = self.rng.gen_range(0..2) << 1;
                self.bench.set(channel, at::CONTROL, control & !3 | owner);
                if self.chance(30) {
                    self.bench.set(channel, at::GP_GET, get);
                }
                self.bench
                    .host(Access::Read(at::channel(channel, at::CHANNEL_STATUS)));
                let control = control | at::ENABLE;
                self.bench.set(channel, at::CONTROL, control);
            }
            65..=67 => {
                let priority = self.rng.gen_range(0..16) << 4;
                self.bench
                    .set(channel, at::CONTROL, control & !0xf0 | priority);
            }
            68 => self.open(channel),
            69..=71 => {
                let timeout = *[0, 0, 2, 3, 20].choose(&mut self.rng).expect("some");
                self.bench.host(Access::Write(at::TIMEOUT, timeout));
            }
            72 => {
                let poll = *[0, 1, 5, 100, 0x1_0004]
                    .choose(&mut self.rng)
                    .expect("some");
                self.bench.host(Access::Write(at::POLL, poll));
            }
            73..=75 => {
                let bits = self.rng.gen();
                self.bench.host(Access::Write(at::INTERRUPT, bits));
            }
            76 => {
                let bits = self.rng.gen();
                self.bench.host(Access::Write(at::INTERRUPT_ENABLE, bits));
            }
            77 => {
                let address = 0x300 + 4 * self.rng.gen_range(0..0x340);
                let value = self.rng.gen();
                // Not the rooms of local memory: the model checks descriptors by them.
                if at::of_sm(address).is_none() {
                    self.bench.host(Access::Write(address, value));
                }
            }
            78 => {
                let address = 4 * self.rng.gen_range(0..3);
                self.bench.host(Access::Write(address, !0));
            }
            79..=84 => {
                let address = 4 * self.rng.gen_range(0..0x18);
                self.bench.host(Access::Read(address));
            }
            85 => {
                let address = 4 * self.rng.gen_range(0x18..0x400);
                self.bench.host(Access::Read(address));
            }
            _ => {
                let offset = 4 * self.rng.gen_range(0..16);
                self.bench.host(Access::Read(at::channel(channel, offset)));
            }
        }
    }

    /// Threads do something: a semaphore gets a value that somebody waits for, a task ends.
    fn thread(&mut self) {
        if self.wanted.len() > 64 {
            self.wanted.drain(..32);
        }
        if let Some(&(semaphore, value)) = self.wanted.choose(&mut self.rng) {
            let more = if self.chance(20) {
                self.rng.gen_range(0..3)
            } else {
                0
            };
            self.bench.poke(semaphore, &[value.wrapping_add(more)]);
        }
        let task = DESCRIPTORS.start + 128 * self.rng.gen_range(0..8);
        if self.chance(20) && !self.bench.in_launch() {
            self.bench.poke(task + 4 * word::STATE, &[state::FREE]);
        }
    }
}
