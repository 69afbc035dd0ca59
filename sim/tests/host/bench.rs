//! Front end and task management with a memory, and the host's side of it. No machines: the bench ends the CTAs.

use std::cell::Cell;
use weft_sim::host::front::command::{self, header};
use weft_sim::host::gpu::Event;
use weft_sim::host::registers::at;
use weft_sim::host::{Descriptor, Front, Mutation, Outcome, Size, Start, Step, TaskStep, Tasks};
use weft_sim::Memory;

pub const MEMORY_END: u32 = 0x4_0000;
/// Above is what threads do not reach.
pub const THREAD_END: u32 = 0x2_0000;

/// The table of pending tasks: from here to the end.
pub const TABLE: u32 = 0x3_8000;

/// The smallest GPU on which everything can happen.
pub const SIZE: Size = Size {
    channels: 4,
    sms: 1,
    slots: 2,
    warps: 4,
    threads: 4,
    lanes: 4,
    float: 0,
    scratchpad: 4096,
    mix: true,
};

thread_local! {
    /// Directed tests run with it: for the tests that they notice it.
    pub static MUTATION: Cell<Option<Mutation>> = const { Cell::new(None) };
}

pub struct Bench {
    pub memory: Memory,
    pub front: Front,
    pub tasks: Tasks,
    pub events: Vec<Event>,
    /// CTAs that run.
    pub running: Vec<Start>,
    /// Where the next thing in private memory goes, and in the threads'.
    private: u32,
    shared: u32,
}

impl Bench {
    pub fn new(size: Size) -> Bench {
        Bench::mutated(size, MUTATION.get())
    }

    pub fn mutated(size: Size, mutation: Option<Mutation>) -> Bench {
        let (mut front, mut tasks) = (Front::new(size), Tasks::new(size));
        if let Some(mutation) = mutation {
            front.set_mutation(mutation);
            tasks.set_mutation(mutation);
        }
        let mut bench = Bench {
            memory: Memory::new(MEMORY_END),
            front,
            tasks,
            events: Vec::new(),
            running: Vec::new(),
            private: THREAD_END,
            shared: 0x2000,
        };
        bench.write(at::MEMORY_END, MEMORY_END);
        bench.write(at::THREAD_END, THREAD_END);
        bench.write(at::TABLE_BASE, TABLE);
        bench.write(at::TABLE_NUMBER, (MEMORY_END - TABLE) / 128);
        for sm in 0..size.sms {
            bench.write(at::sm(sm, at::LOCAL_LIMIT), 4096);
        }
        bench
    }

    pub fn write(&mut self, address: u32, value: u32) {
        self.front.write(&mut self.tasks, address, value);
    }

    pub fn read(&mut self, address: u32) -> u32 {
        let idle = self.is_idle();
        self.front.read(&self.tasks, address, idle)
    }

    pub fn channel(&mut self, channel: usize, offset: u32) -> u32 {
        self.read(at::channel(channel, offset))
    }

    pub fn set(&mut self, channel: usize, offset: u32, value: u32) {
        self.write(at::channel(channel, offset), value);
    }

    /// Room in private memory, a multiple of 64.
    pub fn private(&mut self, bytes: u32) -> u32 {
        let at = self.private;
        self.private += bytes.next_multiple_of(64);
        assert!(self.private <= TABLE);
        at
    }

    /// Room that threads reach.
    pub fn shared(&mut self, bytes: u32) -> u32 {
        let at = self.shared;
        self.shared += bytes.next_multiple_of(64);
        assert!(self.shared <= THREAD_END);
        at
    }

    pub fn word(&self, address: u32) -> u32 {
        self.memory.read_u32(address).unwrap()
    }

    pub fn put(&mut self, address: u32, words: &[u32]) {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.memory.write_bytes(address, &bytes).unwrap();
    }

    /// Makes a ring of `number` entries, and enables the channel.
    pub fn open(&mut self, channel: usize, number: u32, get: u32) -> u32 {
        let base = self.private(8 * number);
        self.set(channel, at::BASE, base);
        self.set(channel, at::NUMBER, number);
        self.set(channel, at::GP_GET, get);
        self.set(channel, at::GP_PUT, get);
        self.set(channel, at::CONTROL, at::ENABLE);
        base
    }

    /// A block in private memory.
    pub fn block(&mut self, words: &[u32]) -> u32 {
        let at = self.private(4 * words.len() as u32);
        self.put(at, words);
        at
    }

    /// Writes the entry at GP_PUT and moves GP_PUT on, as a host does.
    pub fn submit(&mut self, channel: usize, words: &[u32]) -> u32 {
        let block = self.block(words);
        self.submit_block(channel, block, words.len() as u32);
        block
    }

    /// The same with a block of so many words that lies somewhere.
    pub fn submit_block(&mut self, channel: usize, block: u32, words: u32) {
        let put = self.channel(channel, at::GP_PUT);
        let number = self.channel(channel, at::NUMBER);
        let entry = self.channel(channel, at::BASE) + 8 * put;
        self.put(entry, &[block, words]);
        self.set(channel, at::GP_PUT, (put + 1) % number);
    }

    pub fn descriptor(&mut self, descriptor: &Descriptor) -> u32 {
        let at = self.shared(128);
        self.put(at, &descriptor.words());
        at
    }

    pub fn is_idle(&mut self) -> bool {
        let (idle, step) = self.tasks.idle(&mut self.memory);
        self.events.extend(step.map(Event::Task));
        idle
    }

    /// One step of the front end, if one can be done.
    pub fn front(&mut self) -> Option<Step> {
        let idle = self.is_idle();
        let channel = self.front.choose(idle)?;
        let step = self
            .front
            .step(&mut self.memory, &mut self.tasks, channel, idle);
        self.events.push(Event::Front(step));
        self.load_at_once();
        Some(step)
    }

    /// TASK-045.
    fn load_at_once(&mut self) {
        while self.tasks.is_loaded_at_once().is_some() {
            self.step_of_tasks();
        }
    }

    /// One step of task management, if one can be done.
    pub fn task(&mut self) -> bool {
        let done = self.step_of_tasks();
        self.load_at_once();
        done
    }

    fn step_of_tasks(&mut self) -> bool {
        let steps = self.tasks.step(&mut self.memory);
        for step in &steps {
            if let TaskStep::Start(start) = step {
                self.running.push(*start);
            }
            self.events.push(Event::Task(*step));
        }
        !steps.is_empty()
    }

    /// Ends the n-th of the running CTAs.
    pub fn end(&mut self, n: usize) -> Start {
        let start = self.running.remove(n);
        let step = self.tasks.end(&self.memory, start.sm, start.place, None);
        self.events.push(Event::Task(step));
        start
    }

    /// Everything goes on until nothing can; CTAs end at once, in order.
    /// At most so many steps, for what has gone wrong.
    pub fn settle(&mut self) {
        for _ in 0..10_000 {
            self.front.poll_all();
            let mut active = self.front().is_some_and(|s| s.outcome != Outcome::Waits);
            active |= self.task();
            if !self.running.is_empty() {
                self.end(0);
                active = true;
            }
            self.tasks.look_at_queues(&self.memory);
            if !active && !self.others_are_ready() {
                return;
            }
        }
    }

    /// Everything but the ends of CTAs goes on.
    pub fn advance(&mut self) {
        for _ in 0..10_000 {
            self.front.poll_all();
            let front = self.front().is_some_and(|s| s.outcome != Outcome::Waits);
            if !front && !self.task() && !self.others_are_ready() {
                return;
            }
        }
    }

    /// A channel that waits has had its step; perhaps another one does not wait.
    fn others_are_ready(&mut self) -> bool {
        for _ in 0..8 {
            match self.front() {
                Some(step) if step.outcome == Outcome::Waits => (),
                Some(_) => return true,
                None => return false,
            }
        }
        false
    }

    pub fn error(&mut self, channel: usize) -> Option<(u32, u32, u32)> {
        let error = self.channel(channel, at::ERROR);
        let entry = self.channel(channel, at::ERROR_ENTRY);
        let place = self.channel(channel, at::ERROR_ADDRESS);
        (error >> 31 != 0).then_some((error & 0xff, entry, place))
    }

    /// The steps of one channel whose outcome is that a command was executed: its address.
    pub fn commands(&self, channel: usize) -> Vec<u32> {
        let executed = |event: &Event| match event {
            Event::Front(step)
                if step.channel == channel
                    && step.is_command
                    && step.outcome == Outcome::Executed =>
            {
                Some(step.address)
            }
            _ => None,
        };
        self.events.iter().filter_map(executed).collect()
    }

    /// Tasks in the order in which they were loaded.
    pub fn loads(&self) -> Vec<u32> {
        let loaded = |event: &Event| match event {
            Event::Task(TaskStep::Load {
                task, wrong: None, ..
            }) => Some(*task),
            _ => None,
        };
        self.events.iter().filter_map(loaded).collect()
    }

    /// Task and number of the CTAs in the order in which they were started.
    pub fn starts(&self) -> Vec<(u32, u32)> {
        let started = |event: &Event| match event {
            Event::Task(TaskStep::Start(start)) => Some((start.task, start.cta)),
            _ => None,
        };
        self.events.iter().filter_map(started).collect()
    }
}

pub const NOP: [u32; 1] = [header(command::NOP, 0)];
pub const WAIT_FOR_IDLE: [u32; 1] = [header(command::WAIT_FOR_IDLE, 0)];

pub fn launch(descriptor: u32) -> [u32; 2] {
    [header(command::LAUNCH, 0), descriptor]
}

pub fn acquire(semaphore: u32, value: u32) -> [u32; 3] {
    [header(command::SEM_ACQUIRE, 0), semaphore, value]
}

pub fn at_least(semaphore: u32, value: u32) -> [u32; 3] {
    [
        header(command::SEM_ACQUIRE, command::AT_LEAST),
        semaphore,
        value,
    ]
}

pub fn release(semaphore: u32, value: u32) -> [u32; 3] {
    [header(command::SEM_RELEASE, 0), semaphore, value]
}

pub fn release_after_idle(semaphore: u32, value: u32) -> [u32; 3] {
    [
        header(command::SEM_RELEASE, command::AFTER_IDLE),
        semaphore,
        value,
    ]
}
