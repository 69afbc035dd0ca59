//! A task as it stands in memory: 32 words (docs/spec/tasks.md, *Descriptor*), and TASK-030, what can be wrong with it.

use super::registers::{load, within, Code, Limits, Wrong};
use crate::config::CODE_LIMIT;
use crate::memory::Memory;
use crate::memory::MEMORY_BASE;

pub const WORDS: usize = 32;
pub const BYTES: u32 = 4 * WORDS as u32;
/// Bits 31 to 24 of the header.
pub const MARK: u32 = 0x57;
/// Largest side of a grid.
pub const MOST_CTAS: u32 = 65_535;
/// Bytes of an entry of a queue at most.
pub const MOST_ENTRY: u32 = 4_096;
/// Entries of a queue, and of a channel, at most.
pub const MOST_ENTRIES: u32 = 65_536;

/// How often a descriptor can be named before it is inserted (TASK-027).
pub const MOST_PREDECESSORS: u32 = 65_535;

/// Places of the table of pending tasks at most (TASK-022).
pub const MOST_PLACES: u32 = 65_536;

/// Numbers of the words.
pub mod word {
    pub const HEADER: u32 = 0;
    pub const PC: u32 = 1;
    pub const GRID: u32 = 2;
    pub const CTA: u32 = 5;
    pub const ARGUMENTS: u32 = 8;
    pub const SCRATCHPAD: u32 = 9;
    pub const LOCAL: u32 = 10;
    pub const YIELD: u32 = 11;
    pub const COMPLETION: u32 = 12;
    pub const VALUE: u32 = 13;
    pub const DEPENDENT: u32 = 14;
    pub const LIMIT: u32 = 15;
    pub const RING: u32 = 16;
    pub const ENTRY: u32 = 17;
    pub const ENTRIES: u32 = 18;
    pub const EACH: u32 = 19;
    pub const RESERVE: u32 = 20;
    pub const PUT: u32 = 21;
    pub const GET: u32 = 22;
    pub const OPEN: u32 = 23;
    pub const PREDECESSORS: u32 = 24;
    pub const STATE: u32 = 25;
    pub const NAMED: u32 = 26;
}

/// Values of STATE.
pub mod state {
    pub const FREE: u32 = 0;
    pub const PENDING: u32 = 1;
    pub const ACTIVE: u32 = 2;
    pub const FAILED: u32 = 3;
}

/// The ring of a queue task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Queue {
    pub ring: u32,
    /// Bytes of an entry.
    pub entry: u32,
    pub entries: u32,
    /// Entries per CTA.
    pub each: u32,
    pub reserve: u32,
    pub put: u32,
    pub get: u32,
    pub open: u32,
}

/// A task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Descriptor {
    /// It goes to the head of its list.
    pub head: bool,
    /// Its completion sets an interrupt.
    pub interrupt: bool,
    /// 0 to 15, 15 first.
    pub level: u8,
    /// `cfg_path`, 0 to 2.
    pub path: u8,
    /// Whose memory its threads reach, 0 to 7 (HOST-004).
    pub domain: u8,
    pub pc: u32,
    /// CTAs; of a queue zeros.
    pub grid: [u32; 3],
    /// Threads of a CTA.
    pub cta: [u32; 3],
    pub arguments: u32,
    pub scratchpad: u32,
    pub local: u32,
    pub forced_yield: u16,
    pub yield_every: u16,
    /// Semaphore, 0: none.
    pub completion: u32,
    pub with_time: bool,
    pub value: u32,
    pub dependent: u32,
    /// Units of time for which CTAs of it may run, 0: for ever (TASK-130).
    pub limit: u32,
    /// How often it is named before it is inserted, 0: once (TASK-027).
    pub predecessors: u32,
    pub queue: Option<Queue>,
}

impl Default for Descriptor {
    fn default() -> Descriptor {
        Descriptor {
            head: false,
            interrupt: false,
            level: 0,
            path: 0,
            domain: 0,
            pc: MEMORY_BASE,
            grid: [1; 3],
            cta: [1; 3],
            arguments: 0,
            scratchpad: 0,
            local: 1024,
            forced_yield: 1024,
            yield_every: 1,
            completion: 0,
            with_time: false,
            value: 0,
            dependent: 0,
            limit: 0,
            predecessors: 0,
            queue: None,
        }
    }
}

impl Descriptor {
    /// Threads of a CTA.
    pub fn threads(&self) -> u32 {
        self.cta.iter().product()
    }

    /// CTAs of a grid; `None` of a queue.
    pub fn ctas(&self) -> Option<u32> {
        self.queue.is_none().then(|| self.grid.iter().product())
    }

    /// A free one in memory.
    pub fn words(&self) -> [u32; WORDS] {
        let flag = |on: bool, bit: u32| u32::from(on) << bit;
        let kind = if self.queue.is_some() { 2 } else { 1 };
        let queue = self.queue.unwrap_or_default();
        let mut words = [0; WORDS];
        words[0] = MARK << 24
            | u32::from(self.domain) << 12
            | u32::from(self.path) << 8
            | u32::from(self.level) << 4
            | flag(self.interrupt, 3)
            | flag(self.head, 2)
            | kind;
        words[1] = self.pc;
        words[2..5].copy_from_slice(&self.grid);
        words[5..8].copy_from_slice(&self.cta);
        words[8] = self.arguments;
        words[9] = self.scratchpad;
        words[10] = self.local;
        words[11] = u32::from(self.yield_every) << 16 | u32::from(self.forced_yield);
        words[12] = self.completion | flag(self.with_time, 0);
        words[13] = self.value;
        words[14] = self.dependent;
        words[15] = self.limit;
        words[16..24].copy_from_slice(&[
            queue.ring,
            queue.entry,
            queue.entries,
            queue.each,
            queue.reserve,
            queue.put,
            queue.get,
            queue.open,
        ]);
        words[24] = self.predecessors;
        words
    }

    /// The same as bytes.
    pub fn bytes(&self) -> Vec<u8> {
        let words = self.words().into_iter();
        words.flat_map(u32::to_le_bytes).collect()
    }

    /// TASK-030 but for code 47: the first thing that is wrong.
    pub fn check(words: &[u32; WORDS], address: u32, limits: &Limits) -> Result<Descriptor, Wrong> {
        let wrong = |code, number: u32| Err(Wrong::at(code, address + 4 * number));
        let get = |number: u32| words[number as usize];
        let header = get(word::HEADER);
        let kind = header & 3;
        let path = (header >> 8 & 3) as u8;
        if header >> 24 != MARK || !matches!(kind, 1 | 2) || path == 3 || header & 0x00ff_8c00 != 0
        {
            return wrong(Code::DescriptorHeader, word::HEADER);
        }
        let is_queue = kind == 2;
        let pc = get(word::PC);
        if pc % 4 != 0 || pc >= CODE_LIMIT || !within(pc, 4, limits.thread_end) {
            return wrong(Code::DescriptorPc, word::PC);
        }
        let grid: [u32; 3] = std::array::from_fn(|n| get(word::GRID + n as u32));
        let cta: [u32; 3] = std::array::from_fn(|n| get(word::CTA + n as u32));
        for (number, side) in (word::GRID..).zip(grid) {
            let bad = if is_queue {
                side != 0
            } else {
                !(1..=MOST_CTAS).contains(&side)
            };
            if bad {
                return wrong(Code::DescriptorGrid, number);
            }
        }
        for (number, side) in (word::CTA..).zip(cta) {
            if !(1..=limits.threads).contains(&side) {
                return wrong(Code::DescriptorCta, number);
            }
        }
        let threads: u64 = cta.iter().map(|&n| u64::from(n)).product();
        if threads > u64::from(limits.threads) {
            return wrong(Code::DescriptorCta, word::CTA + 2);
        }
        let all = grid
            .iter()
            .fold(threads, |n, &side| n.saturating_mul(side.into()));
        if all > u64::from(u32::MAX) {
            return wrong(Code::DescriptorGrid, word::GRID + 2);
        }
        let scratchpad = get(word::SCRATCHPAD);
        if scratchpad % 4 != 0 || scratchpad > limits.scratchpad {
            return wrong(Code::DescriptorScratchpad, word::SCRATCHPAD);
        }
        let local = get(word::LOCAL);
        if local % 16 != 0 || local > limits.local {
            return wrong(Code::DescriptorLocal, word::LOCAL);
        }
        let (completion, with_time) = (get(word::COMPLETION) & !1, get(word::COMPLETION) & 1 != 0);
        let bytes = if with_time { 16 } else { 4 };
        let there = completion % bytes == 0 && limits.reaches(address, completion, bytes);
        if get(word::COMPLETION) != 0 && !there {
            return wrong(Code::DescriptorCompletion, word::COMPLETION);
        }
        let dependent = get(word::DEPENDENT);
        if dependent != 0
            && (dependent % 64 != 0
                || dependent == address
                || !limits.reaches(address, dependent, BYTES))
        {
            return wrong(Code::DescriptorDependent, word::DEPENDENT);
        }
        let reserved = |mut numbers: std::ops::Range<u32>| {
            let first = numbers.find(|&number| get(number) != 0);
            first.map_or(Ok(()), |number| {
                Err(Wrong::at(Code::DescriptorReserved, address + 4 * number))
            })
        };
        let queue = match is_queue {
            false => {
                reserved(16..24)?;
                None
            }
            true => Some(check_queue(words, address, limits)?),
        };
        for number in [word::PREDECESSORS, word::NAMED] {
            if get(number) > MOST_PREDECESSORS {
                return wrong(Code::DescriptorReserved, number);
            }
        }
        reserved(27..32)?;
        Ok(Descriptor {
            head: header >> 2 & 1 != 0,
            interrupt: header >> 3 & 1 != 0,
            level: (header >> 4 & 15) as u8,
            path,
            // Who writes it where threads write does not choose.
            domain: match address >= limits.thread_end {
                true => (header >> 12 & 7) as u8,
                false => limits.domain,
            },
            pc,
            grid,
            cta,
            arguments: get(word::ARGUMENTS),
            scratchpad,
            local,
            forced_yield: get(word::YIELD) as u16,
            yield_every: (get(word::YIELD) >> 16) as u16,
            completion,
            with_time,
            value: get(word::VALUE),
            dependent,
            limit: get(word::LIMIT),
            predecessors: get(word::PREDECESSORS),
            queue,
        })
    }
}

fn check_queue(words: &[u32; WORDS], address: u32, limits: &Limits) -> Result<Queue, Wrong> {
    let wrong = |code, number: u32| Err(Wrong::at(code, address + 4 * number));
    let get = |number: u32| words[number as usize];
    let queue = Queue {
        ring: get(word::RING),
        entry: get(word::ENTRY),
        entries: get(word::ENTRIES),
        each: get(word::EACH),
        reserve: get(word::RESERVE),
        put: get(word::PUT),
        get: get(word::GET),
        open: get(word::OPEN),
    };
    if queue.entry == 0 || queue.entry % 4 != 0 || queue.entry > MOST_ENTRY {
        return wrong(Code::QueueEntry, word::ENTRY);
    }
    if !queue.entries.is_power_of_two() || !(2..=MOST_ENTRIES).contains(&queue.entries) {
        return wrong(Code::QueueEntries, word::ENTRIES);
    }
    if !(1..=queue.entries).contains(&queue.each) {
        return wrong(Code::QueueEach, word::EACH);
    }
    let bytes = queue.entry * queue.entries;
    if queue.ring % 4 != 0 || !within(queue.ring, bytes, limits.thread_end) {
        return wrong(Code::QueueRing, word::RING);
    }
    if queue.put.wrapping_sub(queue.get) > queue.entries {
        return wrong(Code::QueuePointers, word::GET);
    }
    Ok(queue)
}

/// The words of a descriptor that lies within `limits`, as what is said at `said` reaches.
pub fn read(
    memory: &Memory,
    said: u32,
    address: u32,
    limits: &Limits,
) -> Result<[u32; WORDS], Wrong> {
    if address % 64 != 0 || !limits.reaches(said, address, BYTES) {
        return Err(Wrong::at(Code::DescriptorAddress, address));
    }
    let mut words = [0; WORDS];
    for (at, word) in (address..).step_by(4).zip(&mut words) {
        *word = load(memory, Code::TaskMemory, at)?;
    }
    Ok(words)
}
