//! What a program has printed (CC-020, 021), and what its threads said when they stopped themselves (CC-023).
//! It is read out of memory at the end; `cc/runtime/libc.c` and, of kernels in OpenCL C, `cc/runtime/opencl_print.c`
//! describe the records.

use crate::printf::{self, Operands};

const MAGIC: u32 = 0x5446_4557;
/// Parts of the threads.
const VERSION: u32 = 2;
/// One buffer for all work-items (CL-030).
const SHARED: u32 = 3;
/// Symbols of the console; a program has one of them.
pub const SYMBOLS: [&str; 2] = ["weft_console", "weft_opencl_console"];
const HEAD: u32 = 3;
/// Words behind the records, for a failed assertion.
const RESERVED: u32 = 5;
const PRINTF: u32 = 1;
const ASSERTION: u32 = 2;
const ABORTED: u32 = 3;
const EXITED: u32 = 4;
const OPENCL: u32 = 5;
/// Of a call in which its launch has ended.
const BEGUN: u32 = 6;
/// Words before the records of the shared buffer: used, lost.
const SHARED_HEAD: u32 = 2;

/// Memory.
pub trait Words {
    /// The word at a byte address; `None` outside memory.
    fn word(&self, address: u32) -> Option<u32>;

    fn byte(&self, address: u32) -> Option<u8> {
        let word = self.word(address & !3)?;
        Some((word >> (8 * (address & 3))) as u8)
    }
}

/// A program before its run.
pub struct Image<'a>(pub &'a weft_isa::Program);

impl Words for Image<'_> {
    fn word(&self, address: u32) -> Option<u32> {
        let words = self.0.segments.iter().find_map(|segment| {
            let at = address.checked_sub(segment.address)? as usize;
            segment.bytes.get(at..at.checked_add(4)?)
        });
        words.map(|bytes| u32::from_le_bytes(bytes.try_into().expect("four bytes")))
    }
}

/// What all threads have said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Console {
    /// Output of the threads in the order of their numbers.
    pub text: Vec<u8>,
    /// Calls of printf whose output found no room.
    pub lost: u64,
    /// Threads that lost some.
    pub threads_with_losses: u32,
    /// Bytes that each thread has room for; `shared`: that all together have.
    pub room: u32,
    pub shared: bool,
    /// A line for each thread that has stopped itself.
    pub stops: Vec<String>,
    /// Codes other than 0 with which threads have called `exit`, in the order of their numbers.
    pub exits: Vec<(u32, i32)>,
    /// Threads whose part of the buffer does not make sense: the program has written over it.
    pub damaged: Vec<u32>,
    /// The program has written over the head.
    pub head_damaged: bool,
    /// The program has written over records of the shared buffer: those behind them are not found.
    pub torn: bool,
}

impl Console {
    /// What a later launch has printed stands behind this.
    pub fn append(&mut self, more: Console) {
        self.text.extend(more.text);
        self.lost += more.lost;
        self.threads_with_losses += more.threads_with_losses;
        self.stops.extend(more.stops);
        self.exits.extend(more.exits);
        self.damaged.extend(more.damaged);
        self.head_damaged |= more.head_damaged;
        self.torn |= more.torn;
    }
}

/// Reads the console at `address` (of one of [`SYMBOLS`]), for a grid of `threads`. `None` if there is none.
/// `image`: memory as it was before the run. What a program writes over the head does no harm.
pub fn read(
    image: &impl Words,
    memory: &impl Words,
    address: u32,
    threads: u32,
) -> Option<Console> {
    let head = |n: u32| image.word(address.checked_add(4 * n)?);
    let version = head(1)?;
    if head(0)? != MAGIC || ![VERSION, SHARED].contains(&version) {
        return None;
    }
    let head_damaged = (0..4).any(|n| memory.word(address + 4 * n) != head(n));
    let (words, buffer) = (head(2)?, head(3)?);
    // A buffer that does not fit into memory is none: the program has written over the head.
    if u64::from(buffer) + 4 * u64::from(words) > u64::from(u32::MAX) {
        return Some(Console {
            damaged: (0..threads).collect(),
            head_damaged: true,
            ..Console::default()
        });
    }
    if version == SHARED {
        let mut console = Console {
            head_damaged,
            ..Console::default()
        };
        console.shared(memory, buffer, words, threads);
        return Some(console);
    }
    let part = words / threads.max(1);
    let mut console = Console {
        room: 4 * part,
        head_damaged,
        ..Console::default()
    };
    if part < HEAD {
        return Some(console);
    }
    let most = (part - HEAD).saturating_sub(RESERVED);
    for thread in 0..threads {
        let start = buffer + 4 * thread * part;
        let [used, lost, check] = [0, 4, 8].map(|offset| memory.word(start + offset));
        let Some(((used, lost), check)) = used.zip(lost).zip(check) else {
            console.damaged.push(thread);
            continue;
        };
        let sum = used.wrapping_mul(31).wrapping_add(lost);
        let untouched = [used, lost, check] == [0; 3];
        if untouched || check == !sum && used <= part - HEAD {
            console.lost += u64::from(lost);
            console.threads_with_losses += u32::from(lost > 0);
            if !console.thread(memory, thread, start + 4 * HEAD, used) {
                console.damaged.push(thread);
            }
        } else {
            // What can be saved: the records up to the first one that makes no sense.
            console.thread(memory, thread, start + 4 * HEAD, most);
            console.damaged.push(thread);
        }
    }
    Some(console)
}

impl Console {
    /// The code that the run is to end with: that of the first thread that has one.
    pub fn exit_code(&self) -> u8 {
        let mut codes = self.exits.iter().map(|(_, code)| *code as u8);
        codes.find(|code| *code != 0).unwrap_or(0)
    }

    /// CL-030: the records of all work-items, in the order of their numbers.
    fn shared(&mut self, memory: &impl Words, buffer: u32, words: u32, threads: u32) {
        let room = words.saturating_sub(SHARED_HEAD);
        self.shared = true;
        self.room = 4 * room;
        let [used, lost] = [0, 4].map(|offset| memory.word(buffer + offset).unwrap_or(0));
        self.lost = lost.into();
        // Who finds no room has asked for more than there is.
        self.torn = words < SHARED_HEAD || (lost > 0 && used <= room && room > 0);
        let start = buffer + 4 * SHARED_HEAD;
        let mut records = Vec::new();
        let mut at = 0;
        while at < used.min(room) {
            let head = memory.word(start + 4 * at).unwrap_or(0);
            let (kind, length) = (head >> 24, head & 0xff_ffff);
            if head == 0 {
                // It was asked for and not written: the launch has ended there, or there was too little of it.
                at += 1;
                continue;
            }
            if ![OPENCL, BEGUN].contains(&kind) || length < 2 || length > room - at {
                self.torn = true;
                break;
            }
            let item = memory.word(start + 4 * at + 4).unwrap_or(0);
            self.torn |= kind == OPENCL && item >= threads;
            if kind == OPENCL {
                records.push((item, at, length));
            }
            at += length;
        }
        records.sort_by_key(|(item, ..)| *item);
        for (_, at, length) in records {
            let mut record = Record {
                memory,
                at: start + 4 * at + 8,
                end: start + 4 * (at + length),
            };
            let format = record.text(usize::MAX);
            let text = crate::opencl::printf::format(&format, &mut record);
            self.text.extend(text);
        }
    }

    /// The records of one thread; false where they make no sense.
    fn thread(&mut self, memory: &impl Words, thread: u32, start: u32, used: u32) -> bool {
        let mut at = 0;
        while at < used {
            let Some(head) = memory.word(start + 4 * at) else {
                return false;
            };
            let (kind, length) = (head >> 24, head & 0xff_ffff);
            let known = (PRINTF..=EXITED).contains(&kind);
            if !known || length == 0 || length > used - at {
                return false;
            }
            let record = Record {
                memory,
                at: start + 4 * at + 4,
                end: start + 4 * (at + length),
            };
            self.record(kind, thread, record);
            at += length;
        }
        true
    }

    fn record<M: Words>(&mut self, kind: u32, thread: u32, mut record: Record<M>) {
        match kind {
            PRINTF => {
                let format = record.text(usize::MAX);
                self.text.extend(printf::format(&format, &mut record));
            }
            ASSERTION => {
                let mut text = || {
                    let address = record.word();
                    String::from_utf8_lossy(&record.string(address, usize::MAX)).into_owned()
                };
                let (condition, file) = (text(), text());
                let line = record.word();
                let address = record.word();
                let function =
                    String::from_utf8_lossy(&record.string(address, usize::MAX)).into_owned();
                self.stops.push(format!(
                    "{file}:{line}: {}: thread {thread}: assertion failed: {condition}",
                    crate::written_name(&function)
                ));
            }
            ABORTED => self
                .stops
                .push(format!("thread {thread}: abort() was called")),
            EXITED => self.exits.push((thread, record.word() as i32)),
            _ => {}
        }
    }
}

struct Record<'a, M> {
    memory: &'a M,
    at: u32,
    end: u32,
}

/// Longest text that is believed.
const LONGEST: usize = 1 << 20;

impl<M: Words> Record<'_, M> {
    fn string(&self, address: u32, most: usize) -> Vec<u8> {
        let bytes = (address..)
            .map_while(|a| self.memory.byte(a))
            .take_while(|b| *b != 0);
        bytes.take(most.min(LONGEST)).collect()
    }
}

impl<M: Words> Operands for Record<'_, M> {
    fn word(&mut self) -> u32 {
        if self.at >= self.end {
            return 0;
        }
        self.at += 4;
        self.memory.word(self.at - 4).unwrap_or(0)
    }

    fn text(&mut self, most: usize) -> Vec<u8> {
        let length = self.word();
        if length == u32::MAX {
            let address = self.word();
            return self.string(address, most);
        }
        let length = length.min(self.end.saturating_sub(self.at));
        let text = (self.at..self.at + length)
            .filter_map(|a| self.memory.byte(a))
            .take(most)
            .collect();
        self.at += length.div_ceil(4) * 4;
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words from address 0 on; nothing behind them.
    struct Memory(Vec<u32>);
    impl Words for Memory {
        fn word(&self, address: u32) -> Option<u32> {
            self.0.get(address as usize / 4).copied()
        }
    }

    /// Head of 64 words at 16, for two threads of 32.
    fn console(records: &[u32]) -> Memory {
        let mut words = vec![MAGIC, VERSION, 64, 16];
        words.extend(records);
        words.resize(4 + 64, 0);
        Memory(words)
    }

    fn check(used: u32, lost: u32) -> u32 {
        !(31 * used + lost)
    }

    #[test]
    fn what_a_program_has_written_over_is_told_and_the_rest_is_saved() {
        let text = u32::from_le_bytes(*b"hi\0\0");
        let hi = [3, 0, check(3, 0), PRINTF << 24 | 3, 2, text];
        let image = console(&[]);
        let of = |memory: &Memory| read(&image, memory, 0, 2).expect("a console");
        let found = of(&console(&hi));
        assert_eq!((found.text, found.damaged), (b"hi".to_vec(), vec![]));
        // How much is used, how much is lost, the check: the text is saved.
        for (at, word) in [
            (0, 31),
            (0, 0),
            (0, 2),
            (0, u32::MAX),
            (1, 1),
            (2, 0),
            (2, 7),
        ] {
            let mut records = hi;
            records[at] = word;
            let found = of(&console(&records));
            assert_eq!(
                (found.text, found.damaged),
                (b"hi".to_vec(), vec![0]),
                "{at}: {word:#x}"
            );
        }
        // How long a record is, and its kind.
        for word in [PRINTF << 24, !0, 3, 9 << 24 | 3] {
            let mut records = hi;
            records[3] = word;
            assert_eq!(of(&console(&records)).damaged, [0], "{word:#x}");
        }
        // The head.
        for (at, word) in [(0, 0), (1, 7), (2, !0), (3, 0)] {
            let mut memory = console(&hi);
            memory.0[at] = word;
            let found = of(&memory);
            assert!(found.head_damaged, "head {at}: {word:#x}");
            assert_eq!((found.text, found.damaged), (b"hi".to_vec(), vec![]));
        }
        for (at, word) in [(2, !0), (2, 1 << 30), (3, !0 - 3)] {
            let mut image = console(&hi);
            image.0[at] = word;
            let found = read(&image, &console(&hi), 0, 2).expect("a console");
            assert_eq!(found.damaged, [0, 1], "head {at}: {word:#x}");
        }
    }

    /// A shared buffer of `room` words behind used and lost, at 16.
    fn shared(room: u32, used: u32, lost: u32, records: &[u32]) -> Memory {
        let mut words = vec![MAGIC, SHARED, SHARED_HEAD + room, 16, used, lost];
        words.extend(records);
        words.resize(4 + (SHARED_HEAD + room) as usize, 0);
        Memory(words)
    }

    #[test]
    fn records_of_one_buffer_are_sorted_by_work_item_and_none_is_lost_silently() {
        let says = |kind: u32, item: u32, text: &[u8; 4]| {
            let word = u32::from_le_bytes(*text);
            [kind << 24 | 4, item, 4, word]
        };
        let of = |memory: &Memory| read(memory, memory, 0, 9).expect("a console");
        let records = [
            says(OPENCL, 7, b"gggg"),
            says(OPENCL, 2, b"bbbb"),
            says(OPENCL, 7, b"hhhh"),
            says(BEGUN, 1, b"aaaa"),
            // Asked for, and the launch has ended.
            [0; 4],
            says(OPENCL, 0, b"0000"),
        ]
        .concat();
        let fine = of(&shared(24, 24, 0, &records));
        assert_eq!(fine.text, b"0000bbbbgggghhhh");
        assert!(fine.shared && !fine.torn && fine.lost == 0 && fine.room == 96);
        // The last one found no room, as one more did.
        let full = of(&shared(27, 28, 2, &records));
        assert_eq!(full.text, fine.text);
        assert!(full.lost == 2 && !full.torn && full.exit_code() == 0);
        // No room at all.
        let none = of(&shared(0, 0, 3, &[]));
        assert!(none.lost == 3 && none.text.is_empty() && !none.torn);
        // Stores of the program: a kind, a length, a work-item, more lost than was asked for.
        for (at, word) in [(6, 7 << 24 | 4), (6, OPENCL << 24 | 25), (6, 1), (7, 9)] {
            let mut memory = shared(24, 24, 0, &records);
            memory.0[at] = word;
            assert!(of(&memory).torn, "{at}: {word:#x}");
        }
        assert!(of(&shared(24, 20, 1, &records)).torn);
    }

    #[test]
    fn the_first_code_that_is_not_0_is_that_of_the_run() {
        let ended = |codes: [u32; 2]| {
            let part = |code: u32| {
                let mut part = vec![2, 0, check(2, 0), EXITED << 24 | 2, code];
                part.resize(32, 0);
                part
            };
            let records = codes.map(part).concat();
            let memory = console(&records);
            read(&memory, &memory, 0, 2).unwrap().exit_code()
        };
        assert_eq!(ended([3, 4]), 3);
        assert_eq!(ended([256, 4]), 4);
        assert_eq!(ended([!0, 4]), 255);
        assert_eq!(ended([0, 0]), 0);
    }
}
