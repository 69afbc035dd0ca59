//! A host program on `weft_gpu` and on the golden GPU: the same memory, registers and doorbell, and what is in memory
//! when the completion semaphore has its value.

use super::device::{GpuOptions, VerilatedGpu, TINY};
use crate::tasks::device::kind;
use std::cell::RefCell;
use std::rc::Rc;
use weft_isa::Program;
use weft_sim::host::front::command::{self, header};
use weft_sim::host::gpu::Pause;
use weft_sim::host::registers::{at, MOST_SMS};
use weft_sim::host::{Descriptor, Gpu, Size};
use weft_sim::memory::MEMORY_BASE;

/// Bytes of memory.
pub const MEMORY: u32 = 0x8_0000;
pub const THREAD_END: u32 = 0x2_0000;
/// Ring of channel 0, and how many entries it has.
pub const RING: u32 = 0x2_0000;
pub const ENTRIES: u32 = 8;
/// A block of 64 bytes for each entry.
pub const BLOCKS: u32 = 0x2_0100;
/// Descriptors that threads do not reach.
pub const TASKS: u32 = 0x2_1000;
/// What says that all is over.
pub const SEMAPHORE: u32 = 0x2_2000;
/// Completion semaphore of the task of entry n: never at the begin of a beat.
fn completion(n: u32) -> u32 {
    SEMAPHORE + 0x44 + 8 * n
}

/// Tokens and local memory of as many SMs as there may be, which the golden GPU keeps elsewhere: not compared.
pub(super) const TOKENS: u32 = 0x3_0000;
pub const LOCAL: u32 = TOKENS + TOKENS_OF_SM * MOST_SMS as u32;
/// Of each SM.
const TOKENS_OF_SM: u32 = 0x8000;
const LOCAL_OF_SM: u32 = 0x1000;
const LOCAL_LIMIT: u32 = 256;
/// The table of pending tasks, not compared either, and its places.
const TABLE: u32 = LOCAL + LOCAL_OF_SM * MOST_SMS as u32;
pub const PLACES: u32 = 64;
/// Registers that give memory to threads, to each SM and to task management.
pub(super) fn room(sms: usize) -> Vec<(u32, u32)> {
    let of_sm = |sm: usize| {
        let n = sm as u32;
        [
            (at::sm(sm, at::LOCAL_BASE), LOCAL + LOCAL_OF_SM * n),
            (at::sm(sm, at::LOCAL_LIMIT), LOCAL_LIMIT),
            (at::sm(sm, at::TOKEN_BASE), (TOKENS + TOKENS_OF_SM * n) / 8),
            (at::sm(sm, at::TOKEN_SIZE), 1023),
        ]
    };
    let mut all = vec![
        (at::MEMORY_END, MEMORY),
        (at::THREAD_END, THREAD_END),
        (at::TABLE_BASE, TABLE),
        (at::TABLE_NUMBER, PLACES),
    ];
    all.extend((0..sms).flat_map(of_sm));
    all
}

/// Words of the spawn ring, which lies there.
pub const SPAWN: u32 = 0x1_f000;
pub const SPAWN_WORDS: u32 = 8;
/// The word behind it.
pub const TICKET: u32 = SPAWN + 4 * SPAWN_WORDS;
/// Warp instructions and cycles until somebody says that it hangs.
const MOST_INSTRUCTIONS: u64 = 1_000_000;
const MOST_CYCLES: u64 = 2_000_000;

/// What the host does: memory, then one doorbell for all entries.
#[derive(Clone, Debug)]
pub struct HostProgram {
    pub program: Program,
    pub size: Size,
    /// Words that are in memory before.
    pub words: Vec<(u32, Vec<u32>)>,
    /// Commands of each entry.
    pub blocks: Vec<Vec<u32>>,
}

impl HostProgram {
    pub fn new(program: Program) -> HostProgram {
        HostProgram {
            program,
            size: TINY,
            words: Vec::new(),
            blocks: Vec::new(),
        }
    }

    /// Another entry: this task is launched, lines are forgotten while it runs, and when all is idle [`SEMAPHORE`] gets
    /// the number of the entry, from 1. Before that the task's own completion semaphore gets it.
    pub fn launch(self, task: &Descriptor) -> HostProgram {
        let mut host = self.launch_only(task);
        let number = host.blocks.len() as u32;
        let release = header(command::SEM_RELEASE, command::AFTER_IDLE);
        let forget = header(command::MEMBAR, 3);
        let block = host.blocks.last_mut().expect("it has been added");
        block.extend([forget, release, SEMAPHORE, number]);
        host
    }

    /// Another entry with nothing but the launch.
    pub fn launch_only(mut self, task: &Descriptor) -> HostProgram {
        let number = self.blocks.len() as u32;
        let place = TASKS + 128 * number;
        let task = Descriptor {
            completion: completion(number),
            value: number + 1,
            ..*task
        };
        self.words.push((place, task.words().to_vec()));
        self.blocks.push(vec![header(command::LAUNCH, 0), place]);
        self
    }

    /// A descriptor that threads may launch.
    pub fn with_task(self, address: u32, task: &Descriptor) -> HostProgram {
        self.with_words(address, task.words().to_vec())
    }

    /// With so many SMs.
    pub fn with_sms(mut self, sms: usize) -> HostProgram {
        self.size.sms = sms;
        self
    }

    pub fn with_words(mut self, address: u32, words: Vec<u32>) -> HostProgram {
        self.words.push((address, words));
        self
    }

    /// Address of a kernel.
    ///
    /// # Panics
    /// There is none of this name.
    pub fn kernel(&self, name: &str) -> u32 {
        self.program.symbols[name]
    }

    /// Everything that is in memory before the doorbell, as bytes.
    fn contents(&self) -> Vec<(u32, Vec<u8>)> {
        let bytes = |words: &[u32]| words.iter().flat_map(|w| w.to_le_bytes()).collect();
        let segments = self.program.segments.iter();
        let mut all: Vec<(u32, Vec<u8>)> =
            segments.map(|s| (s.address, s.bytes.to_vec())).collect();
        all.extend(self.words.iter().map(|(at, words)| (*at, bytes(words))));
        for (n, block) in self.blocks.iter().enumerate() {
            assert!(block.len() <= 16 && n + 1 < ENTRIES as usize);
            let at = BLOCKS + 64 * n as u32;
            all.push((at, bytes(block)));
            all.push((RING + 8 * n as u32, bytes(&[at, block.len() as u32])));
        }
        all
    }

    /// Registers in the order in which they are written; the doorbell is not among them.
    fn registers(&self) -> Vec<(u32, u32)> {
        let mut all = room(self.size.sms);
        all.extend([
            (at::SPAWN_BASE, SPAWN),
            (at::SPAWN_NUMBER, SPAWN_WORDS),
            (at::channel(0, at::BASE), RING),
            (at::channel(0, at::NUMBER), ENTRIES),
            (at::channel(0, at::CONTROL), at::ENABLE),
        ]);
        all
    }

    /// GP_PUT, and its value for all entries, which the semaphore has in the end.
    fn doorbell(&self) -> (u32, u32) {
        (at::channel(0, at::GP_PUT), self.blocks.len() as u32)
    }

    /// What the golden GPU leaves in memory, up to the tokens.
    ///
    /// # Errors
    /// It hangs, or a CTA fails.
    pub fn golden(&self) -> Result<Vec<u8>, String> {
        Ok(self.golden_on(|_| ())?.0)
    }

    /// The same, and where it begins, of a golden GPU that was set up.
    ///
    /// # Errors
    /// As [`HostProgram::golden`].
    pub fn golden_on(&self, set_up: impl FnOnce(&mut Gpu)) -> Result<(Vec<u8>, u32), String> {
        let mut gpu = self.golden_ready()?;
        set_up(&mut gpu);
        let (register, value) = self.doorbell();
        gpu.write(register, value);
        let over = |gpu: &mut Gpu| gpu.memory.read_u32(SEMAPHORE) == Ok(value);
        let pause = gpu.run(Some(MOST_INSTRUCTIONS), over, |_| ());
        if pause != Pause::Reached || !gpu.failures().is_empty() {
            return Err(format!("golden: {pause:?}, {:?}", gpu.failures()));
        }
        let bytes = gpu.memory.slice(MEMORY_BASE..TOKENS);
        Ok((bytes.ok_or("golden: no memory")?.to_vec(), MEMORY_BASE))
    }

    /// The golden GPU before the doorbell.
    ///
    /// # Errors
    /// It has too little memory.
    pub fn golden_ready(&self) -> Result<Gpu, String> {
        let mut gpu = Gpu::new(self.size, MEMORY);
        for (at, bytes) in self.contents() {
            let written = gpu.memory.write_bytes(at, &bytes);
            written.map_err(|_| format!("golden: no memory at {at:#x}"))?;
        }
        for (register, value) in self.registers() {
            gpu.write(register, value);
        }
        Ok(gpu)
    }

    /// What the hardware leaves in memory, up to the tokens, and where that begins; nothing is compared.
    ///
    /// # Errors
    /// It hangs, or breaks a rule of a port.
    pub fn hardware(
        &self,
        options: &GpuOptions,
        fault: Option<&str>,
    ) -> Result<(Vec<u8>, u32), String> {
        let (mut gpu, _) = prepared(self, options, fault)?;
        let (register, value) = self.doorbell();
        gpu.set(register, value)?;
        until(&mut gpu, SEMAPHORE, value)?;
        let mut memory = vec![0; (TOKENS - MEMORY_BASE) as usize];
        gpu.read(MEMORY_BASE, &mut memory);
        Ok((memory, MEMORY_BASE))
    }
}

/// When things happened, in cycles since the reset.
#[derive(Clone, Debug, Default)]
pub struct Times {
    /// The host begins to write GP_PUT.
    pub doorbell: u64,
    /// Instructions of all SMs: cycle, address.
    pub issues: Vec<(u64, u32)>,
    /// Steps of channels that are executed: entries and commands.
    pub steps: Vec<u64>,
    /// Steps of task management without an error: cycle, kind (TASK-090), descriptor.
    pub tasks: Vec<(u64, u64, u32)>,
    /// The completion semaphore of the last task has its value in memory; that of the release after idle has.
    pub completed: u64,
    pub over: u64,
}

impl Times {
    /// When tasks whose descriptors are there were loaded, and which.
    pub fn loads(&self, tasks: std::ops::Range<u32>) -> impl Iterator<Item = (u64, u32)> + '_ {
        let all = self.tasks.iter().filter(|(_, kind, _)| *kind == kind::LOAD);
        all.map(|(cycle, _, task)| (*cycle, *task))
            .filter(move |(_, task)| tasks.contains(task))
    }

    /// The first and the last cycle in which an instruction of these addresses is issued.
    pub fn span(&self, pcs: std::ops::Range<u32>) -> Option<(u64, u64)> {
        let mut of = self.issues.iter().filter(|(_, pc)| pcs.contains(pc));
        let first = of.next()?;
        Some((first.0, of.next_back().unwrap_or(first).0))
    }
}

/// The GPU with a program in its memory and its registers written.
///
/// # Errors
/// It cannot be made, or breaks a rule of a port.
pub fn prepared(
    host: &HostProgram,
    options: &GpuOptions,
    fault: Option<&str>,
) -> Result<(VerilatedGpu, Rc<RefCell<Times>>), String> {
    let options = GpuOptions {
        memory: MEMORY,
        ..options.clone()
    };
    let mut gpu = VerilatedGpu::open_copy(host.size, &options, fault)
        .map_err(|e| format!("weft_gpu: {e}"))?;
    let times = Rc::new(RefCell::new(Times::default()));
    let sees = times.clone();
    gpu.observe(move |cycle, seen| {
        let times = &mut *sees.borrow_mut();
        let issues = seen.issues.iter().flatten();
        times.issues.extend(issues.map(|(_, pc)| (cycle, *pc)));
        if seen.step.is_some_and(|step| step.result == 0) {
            times.steps.push(cycle);
        }
        if let Some(step) = seen.task.filter(|step| step.code == 0) {
            times.tasks.push((cycle, step.kind, step.task));
        }
    });
    fill(&mut gpu, host)?;
    Ok((gpu, times))
}

/// A reset of one cycle, and all as it is before the doorbell.
///
/// # Errors
/// The hardware breaks a rule of a port.
pub fn again(gpu: &mut VerilatedGpu, host: &HostProgram) -> Result<(), String> {
    gpu.reset(1);
    gpu.write(MEMORY_BASE, &vec![0; (MEMORY - MEMORY_BASE) as usize]);
    fill(gpu, host)
}

/// Memory, which is 0, and registers as they are before the doorbell.
fn fill(gpu: &mut VerilatedGpu, host: &HostProgram) -> Result<(), String> {
    for (at, bytes) in host.contents() {
        if !gpu.write(at, &bytes) {
            return Err(format!("no memory at {at:#x}"));
        }
    }
    for (register, value) in host.registers() {
        gpu.set(register, value)?;
    }
    Ok(())
}

/// Entries one by one: the host writes GP_PUT for the next one when it sees in memory that the one before is over, which
/// it looks at in every cycle. When the host saw that, and when things happened.
///
/// # Errors
/// As [`run`], but that memory is not compared.
pub fn one_by_one(host: &HostProgram, options: &GpuOptions) -> Result<(Vec<u64>, Times), String> {
    let (mut gpu, times) = prepared(host, options, None)?;
    let mut seen = Vec::new();
    for number in 1..=host.blocks.len() as u32 {
        gpu.set(host.doorbell().0, number)?;
        seen.push(until(&mut gpu, completion(number - 1), number)?);
    }
    let times = times.borrow().clone();
    Ok((seen, times))
}

/// Lets the GPU go on until a word of memory has this value; when it has.
///
/// # Errors
/// It never does, or the hardware breaks a rule of a port.
pub fn until(gpu: &mut VerilatedGpu, address: u32, value: u32) -> Result<u64, String> {
    let begin = gpu.cycles();
    while gpu.word(address) != value {
        if gpu.cycles() - begin > MOST_CYCLES {
            let is = gpu.word(address);
            return Err(format!(
                "the word at {address:#x} is never {value}, but {is}"
            ));
        }
        gpu.cycle()?;
    }
    Ok(gpu.cycles())
}

/// Runs a program on both; when things happened in hardware.
///
/// # Errors
/// The memories differ, the GPU is not idle when it says that all is over, it hangs, or it breaks a rule of a port.
pub fn run(host: &HostProgram, options: &GpuOptions, fault: Option<&str>) -> Result<Times, String> {
    let (mut gpu, times) = prepared(host, options, fault)?;
    finish(&mut gpu, &times, host)
}

/// Runs a program once for each of these numbers: so many cycles behind the doorbell there is a reset of one cycle, and
/// then it runs from the beginning to its end.
///
/// # Errors
/// As [`run`].
pub fn run_again(host: &HostProgram, options: &GpuOptions, resets: &[u64]) -> Result<(), String> {
    let (mut gpu, times) = prepared(host, options, None)?;
    for &at in resets {
        again(&mut gpu, host)?;
        gpu.set(host.doorbell().0, host.doorbell().1)?;
        for _ in 0..at {
            gpu.cycle()?;
        }
        again(&mut gpu, host)?;
        times.borrow_mut().issues.clear();
        finish(&mut gpu, &times, host).map_err(|e| format!("reset at {at}: {e}"))?;
    }
    Ok(())
}

/// From the doorbell on.
fn finish(
    gpu: &mut VerilatedGpu,
    times: &RefCell<Times>,
    host: &HostProgram,
) -> Result<Times, String> {
    let golden = host.golden()?;
    let doorbell = gpu.cycles();
    let (register, value) = host.doorbell();
    gpu.set(register, value)?;
    let completed = until(gpu, completion(value - 1), value)?;
    let over = until(gpu, SEMAPHORE, value)?;
    // The release is the last command: nothing more may happen.
    let instructions = gpu.instructions();
    for _ in 0..500 {
        gpu.cycle()?;
    }
    let status = gpu.get(at::STATUS)?;
    if gpu.instructions() != instructions || status != 0 {
        return Err(format!("not idle behind the release: STATUS {status:#x}"));
    }
    let mut memory = vec![0; golden.len()];
    gpu.read(MEMORY_BASE, &mut memory);
    if let Some(n) = (0..memory.len()).find(|&n| memory[n] != golden[n]) {
        let at = (MEMORY_BASE + n as u32) & !3;
        let word = |bytes: &[u8]| {
            let from = (at - MEMORY_BASE) as usize;
            u32::from_le_bytes(bytes[from..from + 4].try_into().expect("four bytes"))
        };
        let (is, wanted) = (word(&memory), word(&golden));
        return Err(format!("the word at {at:#x} is {is:#x}, not {wanted:#x}"));
    }
    let mut times = times.borrow().clone();
    (times.doorbell, times.completed, times.over) = (doorbell, completed, over);
    Ok(times)
}
