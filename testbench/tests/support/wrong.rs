//! One wrong word in each kind of structure, on the whole GPU, while another channel works: which error it is and where,
//! that nothing of it is done, that the other channel goes on, and that the host can clear it and go on (HOST-020,
//! HOST-030, HOST-080 to HOST-082, TASK-030, TASK-031, TASK-070, TASK-072).

use super::{program, task};
use weft_sim::host::descriptor::word;
use weft_sim::host::front::command::{self, header};
use weft_sim::host::registers::at;
use weft_sim::host::{Code, Descriptor, Queue};
use weft_sim::memory::MEMORY_BASE;
use weft_testbench::gpu::program::{
    again, prepared, until, HostProgram, SEMAPHORE as OTHER, SPAWN, SPAWN_WORDS, THREAD_END, TICKET,
};
use weft_testbench::gpu::{GpuOptions, VerilatedGpu};

/// Where the structures of the channel that is wrong begin: in memory that threads reach, and where they do not.
const SHARED: u32 = 0x1_8000;
const PRIVATE: u32 = 0x2_8000;
/// From there: ring, two blocks, two descriptors, a semaphore.
const BLOCK: u32 = 0x40;
const NEXT_BLOCK: u32 = 0x80;
const TASK: u32 = 0xC0;
const NEXT_TASK: u32 = 0x140;
const SEMAPHORE: u32 = 0x1C0;
/// Bytes before and behind them, with a pattern.
const GUARD: u32 = 0x100;
const END: u32 = 0x200;
/// Words that threads count.
const COUNTS: u32 = 0x1_1000;
const THREADS: u32 = 7;
/// A line that answers with errors.
const HOLE: u32 = 0x2_F000;
/// The channel that is wrong; the other one is 0.
const CHANNEL: usize = 2;

const COUNT: &str = "
_start: li t0, 1
        amoadd.w x0, t0, (a2)
        ecall
";

/// What is wrong.
#[derive(Clone, Debug)]
enum What {
    Entry([u32; 2]),
    /// The block's only command.
    Command(Vec<u32>),
    /// A word of a grid, of a queue.
    Grid(u32, u32),
    Queue(u32, u32),
    /// The descriptor that a LAUNCH names.
    Named(u32),
    /// Words of the spawn ring, TICKET: of the host in place of a thread, before the other channel's CTA runs.
    Spawned([u32; 2]),
    /// SPAWN_BASE.
    Ring(u32),
}
use What::*;

/// What it is, in private memory or not, its code and place.
type Case = (bool, What, Code, u32);

fn cases() -> Vec<Case> {
    let launch = |at: u32| Command(vec![header(command::LAUNCH, 0), at]);
    let sem = |kind, flags, at: u32| Command(vec![header(kind, flags), at, 7]);
    let acquire = |at| sem(command::SEM_ACQUIRE, 0, at);
    let release = |at| sem(command::SEM_RELEASE, 0, at);
    let timed = |at| sem(command::SEM_RELEASE, command::WITH_TIME, at);
    let one = |word: u32| Command(vec![word]);
    let sized = |kind: u32, size: u32| header(kind, 0) & !0xff_0000 | size << 16;
    let (block, task) = (SHARED + BLOCK, SHARED + TASK);
    let of = |word: u32| task + 4 * word;
    vec![
        (
            false,
            Entry([block, 0x1_0001]),
            Code::EntryReserved,
            SHARED + 4,
        ),
        (false, Entry([block, 0]), Code::EntryLength, SHARED + 4),
        (false, Entry([block + 2, 1]), Code::BlockAddress, SHARED),
        (
            false,
            Entry([THREAD_END - 4, 2]),
            Code::BlockAddress,
            SHARED,
        ),
        (true, Entry([HOLE, 1]), Code::Memory, HOLE),
        (false, one(0), Code::CommandSize, block),
        (false, one(7 | 1 << 16), Code::CommandUnknown, block),
        (
            false,
            one(header(command::NOP, 0) | 1 << 24),
            Code::CommandUnknown,
            block,
        ),
        (false, one(sized(command::NOP, 2)), Code::CommandSize, block),
        (
            false,
            one(header(command::LAUNCH, 0)),
            Code::CommandSize,
            block,
        ),
        (
            false,
            launch(THREAD_END),
            Code::DescriptorAddress,
            THREAD_END,
        ),
        (
            false,
            one(header(command::WAIT_FOR_IDLE, 1)),
            Code::CommandFlags,
            block,
        ),
        (
            false,
            acquire(SHARED + SEMAPHORE + 1),
            Code::SemAddress,
            block + 4,
        ),
        (true, acquire(HOLE), Code::Memory, HOLE),
        (false, release(THREAD_END), Code::SemAddress, block + 4),
        (
            false,
            timed(SHARED + SEMAPHORE + 8),
            Code::SemAddress,
            block + 4,
        ),
        (true, release(HOLE), Code::Memory, HOLE),
        (
            false,
            one(header(command::MEMBAR, 4)),
            Code::CommandFlags,
            block,
        ),
        (
            false,
            one(sized(command::INTERRUPT, 2)),
            Code::CommandSize,
            block,
        ),
        (false, Named(task + 32), Code::DescriptorAddress, task + 32),
        (false, Grid(0, 0x5600_0001), Code::DescriptorHeader, of(0)),
        (false, Grid(1, 0x1002), Code::DescriptorPc, of(1)),
        (false, Grid(3, 0), Code::DescriptorGrid, of(3)),
        (false, Grid(6, 3), Code::DescriptorCta, of(7)),
        (
            false,
            Grid(9, (16 << 10) + 4),
            Code::DescriptorScratchpad,
            of(9),
        ),
        (false, Grid(10, 8), Code::DescriptorLocal, of(10)),
        (
            false,
            Grid(12, THREAD_END),
            Code::DescriptorCompletion,
            of(12),
        ),
        (false, Grid(14, task), Code::DescriptorDependent, of(14)),
        (false, Grid(28, 1), Code::DescriptorReserved, of(28)),
        (
            false,
            Grid(word::STATE, 2),
            Code::DescriptorBusy,
            of(word::STATE),
        ),
        (false, Queue(4, 1), Code::DescriptorGrid, of(4)),
        (false, Queue(16, THREAD_END), Code::QueueRing, of(16)),
        (false, Queue(17, 6), Code::QueueEntry, of(17)),
        (false, Queue(18, 6), Code::QueueEntries, of(18)),
        (false, Queue(19, 9), Code::QueueEach, of(19)),
        (false, Queue(21, 9), Code::QueuePointers, of(22)),
        (
            false,
            Spawned([task + 4, 1]),
            Code::DescriptorAddress,
            task + 4,
        ),
        (
            false,
            Spawned([SHARED + BLOCK + 0x40, 1]),
            Code::DescriptorHeader,
            SHARED + NEXT_BLOCK,
        ),
        (false, Spawned([0, 1]), Code::SpawnLost, at::SPAWN_BASE),
        (
            false,
            Ring(THREAD_END - 4 * SPAWN_WORDS),
            Code::SpawnRing,
            at::SPAWN_BASE,
        ),
    ]
}

/// A GPU, and what its memory must be.
struct Bench {
    gpu: VerilatedGpu,
    host: HostProgram,
    pc: u32,
    expected: Vec<u8>,
}

fn words_in(memory: &mut [u8], address: u32, words: &[u32]) {
    for (n, word) in words.iter().enumerate() {
        let from = (address - MEMORY_BASE) as usize + 4 * n;
        memory[from..from + 4].copy_from_slice(&word.to_le_bytes());
    }
}

impl Bench {
    /// Writes memory, and what is written stays there.
    fn put(&mut self, address: u32, words: &[u32]) {
        self.gpu.write_words(address, words);
        self.expects(address, words);
    }

    fn expects(&mut self, address: u32, words: &[u32]) {
        words_in(&mut self.expected, address, words);
    }

    fn of(&mut self, offset: u32) -> Result<u32, String> {
        self.gpu.get(at::channel(CHANNEL, offset))
    }

    fn sets(&mut self, values: &[(u32, u32)]) -> Result<(), String> {
        let of = |(offset, value): &(u32, u32)| self.gpu.set(at::channel(CHANNEL, *offset), *value);
        values.iter().try_for_each(of)
    }

    /// Registers have these values, in their order.
    fn are(&mut self, wanted: &[(u32, u32)]) -> Result<(), String> {
        wanted.iter().try_for_each(|&(register, value)| {
            let is = self.gpu.get(register)?;
            let wrong = format!("register {register:#x} is {is:#x}, not {value:#x}");
            (is == value).then_some(()).ok_or(wrong)
        })
    }

    /// Every word of memory is what it must be.
    fn untouched(&self) -> Result<(), String> {
        let mut memory = vec![0; self.expected.len()];
        self.gpu.read(MEMORY_BASE, &mut memory);
        let other = (0..memory.len()).find(|&n| memory[n] != self.expected[n]);
        other.map_or(Ok(()), |n| {
            let at = (MEMORY_BASE + n as u32) & !3;
            Err(format!("the word at {at:#x} is {:#x}", self.gpu.word(at)))
        })
    }

    fn run(&mut self, (private, what, code, place): Case) -> Result<(), String> {
        again(&mut self.gpu, &self.host)?;
        self.gpu.read(MEMORY_BASE, &mut self.expected);
        let base = if private { PRIVATE } else { SHARED };
        let words = 4 * (END + 2 * GUARD);
        self.put(
            base - GUARD,
            &(0..words / 16).map(|n| 0xC3C3_0000 | n).collect::<Vec<_>>(),
        );
        let right = Descriptor {
            completion: base + SEMAPHORE + 4,
            value: 8,
            ..task(self.pc, 1, THREADS, COUNTS + 4)
        };
        let queue = Descriptor {
            grid: [0; 3],
            queue: Some(Queue {
                ring: SHARED,
                entry: 4,
                entries: 8,
                each: 2,
                ..Queue::default()
            }),
            ..right
        };
        let mut first = match what {
            What::Queue(..) => queue.words(),
            _ => right.words(),
        };
        if let Grid(number, value) | What::Queue(number, value) = what {
            first[number as usize] = value;
        }
        let mut block = vec![header(command::LAUNCH, 0), base + TASK];
        match &what {
            Command(words) => block = words.clone(),
            Named(at) => block[1] = *at,
            _ => (),
        }
        let mut entry = [base + BLOCK, block.len() as u32];
        if let Entry(words) = what {
            entry = words;
        }
        let release = header(command::SEM_RELEASE, command::AFTER_IDLE);
        let launch = header(command::LAUNCH, 0);
        let next = [launch, base + NEXT_TASK, release, base + SEMAPHORE, 9];
        self.put(base, &entry);
        self.put(base + 8, &[base + NEXT_BLOCK, next.len() as u32]);
        self.put(base + BLOCK, &block);
        self.put(base + NEXT_BLOCK, &next);
        self.put(base + TASK, &first);
        self.put(base + NEXT_TASK, &right.words());
        self.put(base + SEMAPHORE, &[1, 2, 3, 4]);
        let channel = [
            (at::BASE, base),
            (at::NUMBER, 4),
            (at::CONTROL, at::ENABLE | 3 << 4),
        ];
        self.sets(&channel)?;

        let of_channel = !matches!(what, Spawned(_) | Ring(_));
        match what {
            Spawned([descriptor, ticket]) => {
                self.put(SPAWN, &[descriptor]);
                self.put(TICKET, &[ticket]);
                // Whoever was told the word takes it out.
                self.expects(SPAWN, &[0]);
            }
            Ring(spawn) => {
                self.gpu.set(at::SPAWN_BASE, spawn)?;
                self.gpu.set(at::SPAWN_NUMBER, SPAWN_WORDS)?;
                self.are(&[(at::SPAWN_NUMBER, 0)])?;
            }
            _ => self.sets(&[(at::GP_PUT, 1)])?,
        }
        // The other channel works meanwhile.
        self.gpu.set(at::channel(0, at::GP_PUT), 1)?;
        until(&mut self.gpu, OTHER, 1)?;
        self.expects(OTHER, &[1]);
        self.expects(OTHER + 0x44, &[1]);
        self.expects(COUNTS, &[THREADS]);
        let status = at::channel(CHANNEL, at::CHANNEL_STATUS);
        let all = [
            (at::channel(CHANNEL, at::ERROR), 1 << 31 | code as u32),
            (at::channel(CHANNEL, at::ERROR_ENTRY), 0),
            (at::channel(CHANNEL, at::ERROR_ADDRESS), place),
            (at::channel(CHANNEL, at::GP_GET), 0),
            (at::channel(CHANNEL, at::CONTROL), 3 << 4),
            // Has an error, and is neither enabled, nor in a block, nor waits.
            (status, 1 << 5),
            (at::INTERRUPT, 1 << (8 + CHANNEL)),
            (at::STATUS, 1 << 1),
            (at::TASK_ERRORS, 0),
        ];
        let task = [
            (at::TASK_ERROR, 1 << 31 | code as u32),
            (at::TASK_ERROR_ADDRESS, place),
            (at::INTERRUPT, 1 << 16),
            (at::STATUS, 1 << 2),
            (at::TASK_ERRORS, 1),
            (at::channel(CHANNEL, at::ERROR), 0),
        ];
        let wanted: &[_] = if of_channel { &all } else { &task };
        self.are(wanted)?;
        self.are(&[(at::LAUNCHES, 1), (at::channel(0, at::GP_GET), 1)])?;
        self.untouched()?;

        // It cannot be enabled before it is cleared; then the host leaves the entry out.
        if of_channel {
            self.sets(&[(at::CONTROL, at::ENABLE | 3 << 4)])?;
            self.are(&[(at::channel(CHANNEL, at::CONTROL), 3 << 4)])?;
            self.sets(&[(at::CONTROL, at::CLEAR | 3 << 4)])?;
        } else {
            self.gpu.set(at::TASK_ERROR, 0)?;
            self.sets(&[(at::CONTROL, 3 << 4)])?;
        }
        self.sets(&[
            (at::GP_GET, 1),
            (at::GP_PUT, 2),
            (at::CONTROL, at::ENABLE | 3 << 4),
        ])?;
        until(&mut self.gpu, base + SEMAPHORE, 9)?;
        self.expects(base + SEMAPHORE, &[9, 8]);
        self.expects(COUNTS + 4, &[THREADS]);
        for _ in 0..100 {
            self.gpu.cycle()?;
        }
        self.are(&[(at::STATUS, 0), (at::LAUNCHES, 2)])?;
        if self.of(at::GP_GET)? != 2 || self.of(at::ERROR)? != 0 {
            return Err("it does not go on".into());
        }
        self.untouched()
    }
}

/// All cases, one after the other, each behind a reset.
pub fn are_told(fault: Option<&str>) -> Result<usize, String> {
    let host = program(COUNT);
    let pc = host.kernel("_start");
    let host = host.launch(&task(pc, 1, THREADS, COUNTS));
    let (mut gpu, _) = prepared(&host, &GpuOptions::default(), fault)?;
    gpu.fail_lines(&[HOLE]);
    let expected = vec![0; (HOLE - MEMORY_BASE) as usize];
    let mut bench = Bench {
        gpu,
        host,
        pc,
        expected,
    };
    let all = cases();
    for case in &all {
        bench
            .run(case.clone())
            .map_err(|e| format!("{case:x?}: {e}"))?;
    }
    Ok(all.len())
}
