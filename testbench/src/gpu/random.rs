//! Random host programs on `weft_gpu`, compared with the golden GPU: several channels with priorities and semaphores
//! between them, doorbells at any time, rings that are full and that wrap, tasks launched by threads and as dependents.
//!
//! The kernels' results do not depend on the order of what they do. Equal must be: of each channel the steps that were
//! executed, GP_GET; which CTAs have ended; the counters; and all of memory but tokens, links of lists and STARTED, which an eviction writes.
//! Of the hardware, besides: each CTA starts once and ends once.

use super::device::{GpuOptions, VerilatedGpu, TINY};
use super::program::{room, MEMORY, TOKENS};
use crate::case::case_seed;
use crate::seed::{stream, Rng};
use crate::sm::memory::AxiTiming;
use crate::tasks::Cover;
use rand::seq::SliceRandom;
use rand::Rng as _;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use weft_isa::Program;
use weft_sim::host::descriptor::word;
use weft_sim::host::front::command::{self, header};
use weft_sim::host::gpu::Event;
use weft_sim::host::registers::at;
use weft_sim::host::{Descriptor, Gpu, Outcome, Size, TaskStep};
use weft_sim::memory::MEMORY_BASE;

/// Word that all threads count; arguments and data of task n.
const SHARED: u32 = 0x1_0000;
const ARGUMENTS: u32 = 0x1_0100;
const DATA: u32 = 0x1_1000;
const DATA_OF_TASK: u32 = 256;
/// Descriptors and completion semaphores of tasks that threads reach.
const CHILDREN: u32 = 0x1_8000;
const COMPLETIONS: u32 = 0x1_e000;
const SPAWN: u32 = 0x1_f000;
/// What only the host reaches: rings, semaphores of channels, blocks, descriptors, completion semaphores.
const RINGS: u32 = 0x2_0000;
const SEMAPHORES: u32 = 0x2_0804;
const BLOCKS: u32 = 0x2_1000;
const TASKS: u32 = 0x2_4000;
const PRIVATE_COMPLETIONS: u32 = 0x2_8004;
const MOST_TASKS: u32 = 32;
const MOST_INSTRUCTIONS: u64 = 4_000_000;
/// Cycles without an entry executed until somebody says that it hangs.
const PATIENCE: u64 = 3_000_000;

/// a2: data of the task, a task to launch or 0, mask of the spawn ring. Each thread counts words 0 to 2 of the data and
/// the shared word, changes word 3 by LR and SC, and writes a word of its own; thread 0 launches.
const KERNEL: &str = "
_start: lw t0, 0(a2)
        li t1, 1
        amoadd.w x0, t1, (t0)
        li t2, SHARED
        amoadd.w x0, t1, (t2)
        addi t2, t0, 4
        amoadd.w x0, a0, (t2)
        li t3, 0x9e3779b1
        mul t3, t3, a0
        addi t2, t0, 8
        amoxor.w x0, t3, (t2)
        addi t2, t0, 12
retry:  lr.w t3, (t2)
        add t3, t3, a0
        sc.w t4, t3, (t2)
        bnez t4, retry
        slli t2, a0, 2
        add t2, t2, t0
        addi t3, a0, 7
        sw t3, 32(t2)
        bnez a0, end
        lw t3, 4(a2)
        beqz t3, end
        fence
        li t2, TICKET
        amoadd.w t5, t1, (t2)
        lw t4, 8(a2)
        and t5, t5, t4
        slli t5, t5, 2
        li t4, SPAWN
        add t5, t5, t4
wait:   fence
        lw t6, 0(t5)
        bnez t6, wait
        sw t3, 0(t5)
end:    ecall
";

/// A channel: entries of its ring, priority, and its blocks: address, words.
struct Channel {
    entries: u32,
    priority: u32,
    blocks: Vec<(u32, u32)>,
}

/// A program: a channel's entries, and what is in memory before.
struct Random {
    size: Size,
    options: GpuOptions,
    program: Program,
    words: Vec<(u32, Vec<u32>)>,
    channels: Vec<Channel>,
    spawn: u32,
    poll: u32,
    descriptors: Vec<u32>,
    /// Percent of the cycles between two doorbells.
    eager: u32,
    seed: u64,
}

/// What a run has shown.
#[derive(Default)]
struct Record {
    /// Of each channel: kind, GP_GET, address, word.
    steps: Vec<Vec<(bool, u32, u32, u32)>>,
    errors: Vec<String>,
    /// Descriptor in each slot.
    slots: [u32; 8],
    starts: BTreeMap<(u32, u32), u32>,
    ends: BTreeMap<(u32, u32), u32>,
    sms: [u64; 4],
    waits: u64,
    evictions: u64,
    sources: [u64; 3],
}

impl Record {
    fn start(&mut self, task: u32, cta: u32, sm: usize) {
        *self.starts.entry((task, cta)).or_default() += 1;
        self.sms[sm] += 1;
    }

    fn end(&mut self, task: u32, cta: u32, failed: bool) {
        *self.ends.entry((task, cta)).or_default() += 1;
        if failed {
            self.errors
                .push(format!("CTA {cta} of {task:#x} has failed"));
        }
    }
}

const KINDS: [&str; 10] = [
    "full ring",
    "wrap",
    "doorbell while it works",
    "acquire that waits",
    "release after idle",
    "MEMBAR",
    "WAIT_FOR_IDLE",
    "launch by a thread",
    "launch as a dependent",
    "CTAs on more than one SM",
];

/// What must have happened in a run of some dozens of programs.
pub fn wanted() -> impl Iterator<Item = &'static str> {
    KINDS.into_iter()
}

impl Random {
    fn new(seed: u64, sms: usize, cover: &mut Cover) -> Random {
        let mut rng = stream(seed, "random gpu");
        let spawn: u32 = 1 << rng.gen_range(0..4);
        let source = KERNEL
            .replace("SHARED", &SHARED.to_string())
            .replace("TICKET", &(SPAWN + 4 * spawn).to_string())
            .replace("SPAWN", &SPAWN.to_string());
        let program = weft_isa::assemble(&source, "random.s").expect("the kernel is assembled");
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
            poll: *[0, 1, 16, 200].choose(&mut rng).expect("some"),
            descriptors: Vec::new(),
            eager: *[2, 20, 100].choose(&mut rng).expect("some"),
            seed,
        };
        let channels = rng.gen_range(1..=random.size.channels);
        for _ in 0..channels {
            let entries = rng.gen_range(2..=6);
            random.channels.push(Channel {
                entries,
                priority: rng.gen_range(0..3),
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
            let address = BLOCKS + 64 * number;
            random.channels[channel]
                .blocks
                .push((address, block.len() as u32));
            random.words.push((address, block));
        }
        random
    }

    /// A new task, with those that it launches. `private`: only the host reaches it.
    fn task(&mut self, rng: &mut Rng, private: bool, depth: u32, cover: &mut Cover) -> Option<u32> {
        let number = self.descriptors.len() as u32;
        if number >= MOST_TASKS {
            return None;
        }
        let address = match private {
            true => TASKS + 128 * number,
            false => CHILDREN + 128 * number,
        };
        self.descriptors.push(address);
        let child = (depth < 2 && rng.gen_bool(0.35)).then(|| {
            cover.saw("launch by a thread");
            self.task(rng, false, depth + 1, cover)
        });
        let dependent = (depth < 2 && rng.gen_bool(0.2)).then(|| {
            cover.saw("launch as a dependent");
            self.task(rng, false, depth + 1, cover)
        });
        let threads = *[1, 3, 4, 5, 8, 13].choose(rng).expect("some");
        let completion = match (private, rng.gen_range(0..3)) {
            (_, 0) => 0,
            (true, _) => PRIVATE_COMPLETIONS + 8 * number,
            (false, _) => COMPLETIONS + 8 * number,
        };
        let descriptor = Descriptor {
            head: rng.gen_bool(0.3),
            level: rng.gen_range(0..4),
            pc: self.program.symbols["_start"],
            grid: [rng.gen_range(1..=4), 1, 1],
            cta: [threads, 1, 1],
            arguments: ARGUMENTS + 16 * number,
            local: 16 * rng.gen_range(0..4),
            forced_yield: *[0, 0, 7, 100].choose(rng).expect("some"),
            completion,
            value: rng.gen(),
            dependent: dependent.flatten().unwrap_or(0),
            ..Descriptor::default()
        };
        self.words.push((address, descriptor.words().to_vec()));
        let data = DATA + DATA_OF_TASK * number;
        let arguments = vec![data, child.flatten().unwrap_or(0), self.spawn - 1];
        self.words.push((ARGUMENTS + 16 * number, arguments));
        // What threads do not write must stay.
        let guard = (0..DATA_OF_TASK / 4).map(|n| 0xdead_0000 + 64 * number + n);
        self.words.push((data, guard.collect()));
        Some(address)
    }

    fn contents(&self) -> Vec<(u32, Vec<u8>)> {
        let segments = self.program.segments.iter();
        let mut all: Vec<_> = segments.map(|s| (s.address, s.bytes.to_vec())).collect();
        let words = self.words.iter();
        all.extend(words.map(|(at, words)| (*at, bytes(words))));
        all
    }

    fn registers(&self) -> Vec<(u32, u32)> {
        let mut all = room(self.size.sms);
        all.extend([
            (at::SPAWN_POLL, self.poll),
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
        all
    }

    /// Runs it on a GPU, doorbells at random, until all entries are executed and all is idle.
    fn drive(&self, gpu: &mut dyn Host, cover: &mut Cover) -> Result<(), String> {
        let mut rng = stream(self.seed, "doorbells");
        for (at, bytes) in self.contents() {
            gpu.put(at, &bytes);
        }
        for (register, value) in self.registers() {
            gpu.set(register, value)?;
        }
        // Of each channel: entries written, entries executed, GP_GET.
        let mut state = vec![(0u32, 0u32, 0u32); self.channels.len()];
        let mut quiet = 0;
        loop {
            let mut left = false;
            for (c, channel) in self.channels.iter().enumerate() {
                let Channel {
                    entries, blocks, ..
                } = channel;
                let (written, executed, get) = &mut state[c];
                let now = gpu.get(at::channel(c, at::GP_GET))?;
                let gone = (now + entries - *get) % entries;
                (*executed, *get) = (*executed + gone, now);
                quiet = if gone != 0 { 0 } else { quiet };
                left |= (*executed as usize) < blocks.len();
                let free = entries - 1 - (*written - *executed);
                let more = (blocks.len() as u32 - *written).min(free);
                if more == 0 || rng.gen_range(0..100) >= self.eager {
                    continue;
                }
                let more = rng.gen_range(1..=more);
                if more == free {
                    cover.saw("full ring");
                }
                if *written != *executed {
                    cover.saw("doorbell while it works");
                }
                for n in *written..*written + more {
                    let (address, words) = blocks[n as usize];
                    let place = RINGS + 64 * c as u32 + 8 * (n % entries);
                    gpu.put(place, &bytes(&[address, words]));
                }
                if *written / entries != (*written + more) / entries {
                    cover.saw("wrap");
                }
                *written += more;
                gpu.set(at::channel(c, at::GP_PUT), *written % entries)?;
            }
            let status = gpu.get(at::STATUS)?;
            if status & 0b1110 != 0 {
                let error = [
                    at::TASK_ERROR,
                    at::TASK_ERROR_ADDRESS,
                    at::TASK_ERROR_TASK,
                    at::FAULT,
                ];
                let error = error.map(|register| gpu.get(register));
                return Err(format!("STATUS {status:#x}, {error:x?}"));
            }
            if !left && status == 0 {
                return Ok(());
            }
            let cycles = rng.gen_range(1..300);
            quiet += cycles;
            if quiet > PATIENCE {
                let status = gpu.get(at::STATUS)?;
                return Err(format!("it hangs: STATUS {status:#x}, channels {state:?}"));
            }
            gpu.go_on(cycles)?;
        }
    }
}

fn semaphore(channel: usize) -> u32 {
    SEMAPHORES + 24 * channel as u32
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// What the host does with a GPU.
trait Host {
    fn put(&mut self, address: u32, bytes: &[u8]);
    fn get(&mut self, register: u32) -> Result<u32, String>;
    fn set(&mut self, register: u32, value: u32) -> Result<(), String>;
    fn go_on(&mut self, cycles: u64) -> Result<(), String>;
}

impl Host for VerilatedGpu {
    fn put(&mut self, address: u32, bytes: &[u8]) {
        assert!(self.write(address, bytes), "no memory at {address:#x}");
    }
    fn get(&mut self, register: u32) -> Result<u32, String> {
        VerilatedGpu::get(self, register)
    }
    fn set(&mut self, register: u32, value: u32) -> Result<(), String> {
        VerilatedGpu::set(self, register, value)
    }
    fn go_on(&mut self, cycles: u64) -> Result<(), String> {
        (0..cycles).try_for_each(|_| self.cycle())
    }
}

struct Golden {
    gpu: Gpu,
    record: Record,
}

impl Host for Golden {
    fn put(&mut self, address: u32, bytes: &[u8]) {
        let written = self.gpu.memory.write_bytes(address, bytes);
        assert!(written.is_ok(), "no memory at {address:#x}");
    }
    fn get(&mut self, register: u32) -> Result<u32, String> {
        Ok(self.gpu.read(register))
    }
    fn set(&mut self, register: u32, value: u32) -> Result<(), String> {
        self.gpu.write(register, value);
        Ok(())
    }
    fn go_on(&mut self, _: u64) -> Result<(), String> {
        let record = &mut self.record;
        let pause = self.gpu.run(
            Some(2_000),
            |_| false,
            |event| match event {
                Event::Front(step) => match step.outcome {
                    Outcome::Executed => {
                        let shown = (step.is_command, step.get, step.address, step.word);
                        record.steps[step.channel].push(shown);
                    }
                    Outcome::Waits => record.waits += 1,
                    Outcome::Wrong(_) => record.errors.push(format!("{step:?}")),
                },
                Event::Task(TaskStep::End {
                    task, cta, failed, ..
                }) => record.end(*task, *cta, *failed),
                Event::Task(_) => (),
            },
        );
        let failures = self.gpu.failures();
        if !failures.is_empty() || self.gpu.instructions() > MOST_INSTRUCTIONS {
            return Err(format!("golden: {pause:?}, {failures:?}"));
        }
        Ok(())
    }
}

/// Runs the program of this number with so many SMs on both.
///
/// # Errors
/// What is different.
pub fn run(seed: u64, sms: usize, fault: Option<&str>, cover: &mut Cover) -> Result<(), String> {
    let random = Random::new(seed, sms, cover);
    let channels = random.size.channels;
    let mut golden = Golden {
        gpu: Gpu::new(random.size, MEMORY),
        record: Record {
            steps: vec![Vec::new(); channels],
            ..Record::default()
        },
    };
    random
        .drive(&mut golden, &mut Cover::default())
        .map_err(|e| format!("golden GPU: {e}"))?;

    let gpu = VerilatedGpu::open_copy(random.size, &random.options, fault);
    let mut gpu = gpu.map_err(|e| format!("weft_gpu: {e}"))?;
    let record = Rc::new(RefCell::new(Record {
        steps: vec![Vec::new(); channels],
        ..Record::default()
    }));
    let sees = record.clone();
    gpu.observe(move |cycle, seen| {
        let record = &mut *sees.borrow_mut();
        if let Some(step) = &seen.step {
            match step.result {
                0 => record.steps[step.channel].push((
                    step.is_command,
                    step.get,
                    step.address,
                    step.word,
                )),
                1 => record.waits += 1,
                _ => record.errors.push(format!("cycle {cycle}: {step:x?}")),
            }
        }
        if let Some(step) = &seen.task {
            match step.kind {
                0 => record.sources[step.source as usize] += 1,
                1 => record.slots[step.slot] = step.task,
                2 => record.start(record.slots[step.slot], step.cta, step.sm),
                3 => record.end(step.task, step.cta, step.flag),
                4 => record.evictions += 1,
                _ => (),
            }
            if step.code != 0 && matches!(step.kind, 0 | 1) {
                record.errors.push(format!("cycle {cycle}: {step:x?}"));
            }
        }
    });
    random.drive(&mut gpu, cover)?;
    // What follows only reads registers: no step.
    let record = std::mem::take(&mut *record.borrow_mut());
    compare(&random, &mut golden, &mut gpu, &record)?;
    let more = |what: &str, times: u64, cover: &mut Cover| {
        if times > 0 {
            cover.saw(what);
        }
    };
    more("acquire that waits", record.waits, cover);
    more("eviction", record.evictions, cover);
    let used = record.sms.iter().filter(|ctas| **ctas > 0).count();
    more("CTAs on more than one SM", (used > 1).into(), cover);
    Ok(())
}

fn compare(
    random: &Random,
    golden: &mut Golden,
    gpu: &mut VerilatedGpu,
    record: &Record,
) -> Result<(), String> {
    if let Some(error) = record.errors.first().or(golden.record.errors.first()) {
        return Err(error.clone());
    }
    for (c, (is, wanted)) in record.steps.iter().zip(&golden.record.steps).enumerate() {
        let n = (0..is.len().max(wanted.len())).find(|&n| is.get(n) != wanted.get(n));
        if let Some(n) = n {
            let (is, wanted) = (is.get(n), wanted.get(n));
            return Err(format!("channel {c}, step {n}: {is:x?}, not {wanted:x?}"));
        }
    }
    let often = |all: &BTreeMap<(u32, u32), u32>| all.iter().find(|(_, n)| **n != 1).map(|x| *x.0);
    if let Some((task, cta)) = often(&record.starts).or(often(&record.ends)) {
        return Err(format!("CTA {cta} of {task:#x} starts or ends not once"));
    }
    if record.ends != golden.record.ends || record.starts != record.ends {
        return Err("other CTAs have run".into());
    }
    let mut registers = vec![
        at::COMMANDS,
        at::ENTRIES,
        at::LAUNCHES,
        at::SPAWNS,
        at::DEPENDENTS,
        at::CTAS,
        at::CTAS_DONE,
        at::TASKS_DONE,
        at::INTERRUPT,
    ];
    registers.extend(
        (0..random.channels.len()).flat_map(|c| {
            [at::GP_GET, at::GP_PUT, at::DONE].map(|register| at::channel(c, register))
        }),
    );
    for register in registers {
        let (is, wanted) = (gpu.get(register)?, golden.gpu.read(register));
        if is != wanted {
            return Err(format!(
                "register {register:#x} is {is:#x}, not {wanted:#x}"
            ));
        }
    }
    // Links of lists, and how far a task had come when it was evicted, if it was.
    let open: Vec<u32> = random
        .descriptors
        .iter()
        .flat_map(|at| [word::NEXT, word::STARTED].map(|word| at + 4 * word))
        .collect();
    for at in (MEMORY_BASE..TOKENS).step_by(4) {
        let wanted = golden.gpu.memory.read_u32(at);
        let wanted = wanted.map_err(|_| format!("golden: no memory at {at:#x}"))?;
        let is = gpu.word(at);
        if is != wanted && !open.contains(&at) {
            return Err(format!("the word at {at:#x} is {is:#x}, not {wanted:#x}"));
        }
    }
    Ok(())
}

/// Runs the program of this number: with 1 to 4 SMs in turn, or those that are given.
///
/// # Errors
/// As [`run`].
pub fn cosim(seed: u64, index: u64, sms: &[usize], cover: &mut Cover) -> Result<(), String> {
    let sms = sms[index as usize % sms.len()];
    let done = run(case_seed(seed, index), sms, None, cover);
    done.map_err(|e| format!("{sms} SMs: {e}"))
}
