//! The host front end (docs/spec/host.md): channels, entries, commands, semaphores.

use super::descriptor::MOST_ENTRIES;
use super::mutation::Mutation;
use super::registers::{at, load, within, Code, Size, Wrong};
use super::tasks::{release, Source, Tasks};
use crate::memory::Memory;

/// First words of commands.
pub mod command {
    pub const NOP: u32 = 0;
    pub const LAUNCH: u32 = 1;
    pub const WAIT_FOR_IDLE: u32 = 2;
    pub const SEM_ACQUIRE: u32 = 3;
    pub const SEM_RELEASE: u32 = 4;
    pub const MEMBAR: u32 = 5;
    pub const INTERRUPT: u32 = 6;
    /// Words of each, and the flags that it has.
    pub const SHAPES: [(u32, u32); 7] = [(1, 0), (2, 0), (1, 0), (3, 1), (3, 3), (1, 3), (1, 0)];

    pub const AT_LEAST: u32 = 1;
    pub const AFTER_IDLE: u32 = 1;
    pub const WITH_TIME: u32 = 2;

    /// The first word.
    pub const fn header(code: u32, flags: u32) -> u32 {
        code | flags << 8 | SHAPES[code as usize].0 << 16
    }
}

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Executed,
    Waits,
    Wrong(Wrong),
}

/// HOST-090.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub channel: usize,
    /// GP_GET.
    pub get: u32,
    /// A command; else an entry.
    pub is_command: bool,
    pub address: u32,
    pub word: u32,
    pub outcome: Outcome,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wait {
    Acquire { failed: u32, ready: bool },
    Idle,
}

#[derive(Clone, Copy, Debug)]
struct Block {
    /// Of the next command.
    at: u32,
    end: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Channel {
    base: u32,
    number: u32,
    get: u32,
    put: u32,
    enabled: bool,
    owner_gpu: bool,
    priority: u8,
    shadow: u32,
    limit: u32,
    done: u32,
    error: Option<(Wrong, u32)>,
    block: Option<Block>,
    wait: Option<Wait>,
}

#[derive(Clone, Debug)]
pub struct Front {
    size: Size,
    channels: Vec<Channel>,
    /// Had the last step that did not begin waiting at an acquire.
    last: usize,
    /// Had the last step that did.
    last_waiting: usize,
    /// The last step has left its channel waiting at an acquire.
    gives_way: bool,
    interrupt: u32,
    interrupt_enable: u32,
    poll: u32,
    timeout: u32,
    memory_timeout: u32,
    time_high: u32,
    commands: u32,
    entries: u32,
    mutation: Option<Mutation>,
}

impl Front {
    pub fn new(size: Size) -> Front {
        Front {
            size,
            channels: vec![Channel::default(); size.channels],
            last: size.channels - 1,
            last_waiting: size.channels - 1,
            gives_way: false,
            interrupt: 0,
            interrupt_enable: 0,
            poll: 16,
            timeout: 0,
            memory_timeout: 0,
            time_high: 0,
            commands: 0,
            entries: 0,
            mutation: None,
        }
    }

    #[doc(hidden)]
    pub fn set_mutation(&mut self, mutation: Mutation) {
        self.mutation = Some(mutation);
    }

    fn mutated(&self, mutation: Mutation) -> bool {
        self.mutation == Some(mutation)
    }

    /// HOST-032: the channels that can do a step: enabled, and not empty (HOST-011, HOST-012). `idle`: TASK-080.
    fn is_ready(&self, channel: usize, idle: bool) -> bool {
        let c = &self.channels[channel];
        let waits = match c.wait {
            None => false,
            Some(Wait::Acquire { ready, .. }) => !ready,
            Some(Wait::Idle) => !idle,
        };
        c.enabled && !waits && (c.block.is_some() || c.get != c.put)
    }

    /// Some channel waits for idle, and would be ready.
    pub fn waits_for_idle(&self) -> bool {
        let waits = |c: &Channel| c.enabled && c.wait == Some(Wait::Idle);
        self.channels.iter().any(waits)
    }

    /// HOST-033, HOST-036, HOST-037: who has the next step.
    pub fn choose(&self, idle: bool) -> Option<usize> {
        let mut ready = self.round_after(self.last);
        ready.retain(|&c| self.is_ready(c, idle));
        let priority = |&c: &usize| match self.mutation {
            Some(Mutation::PriorityIsReversed) => 15 - self.channels[c].priority,
            _ => self.channels[c].priority,
        };
        if self.mutated(Mutation::RoundIsUnfair) {
            ready.sort_unstable();
        }
        let others = ready.iter().any(|&c| !self.waits(c));
        if self.gives_way && others && !self.mutated(Mutation::NobodyGivesWay) {
            ready.retain(|&c| !self.waits(c));
        }
        let highest = ready.iter().map(priority).max()?;
        let first = ready.into_iter().find(|c| priority(c) == highest)?;
        if !self.waits(first) || self.mutated(Mutation::WaitersGoByPriority) {
            return Some(first);
        }
        let mut turns = self.round_after(self.last_waiting).into_iter();
        turns.find(|&c| self.waits(c) && self.is_ready(c, idle))
    }

    /// All channels, from the one behind this one on.
    fn round_after(&self, last: usize) -> Vec<usize> {
        let count = self.channels.len();
        (1..=count).map(|n| (last + n) % count).collect()
    }

    /// POLL cycles have passed: a channel that waits at an acquire reads again.
    pub fn poll(&mut self, channel: usize) {
        if let Some(Wait::Acquire { ready, .. }) = &mut self.channels[channel].wait {
            *ready = true;
        }
    }

    /// The same for all channels.
    pub fn poll_all(&mut self) {
        (0..self.channels.len()).for_each(|channel| self.poll(channel));
    }

    /// Does the channel wait at an acquire?
    pub fn waits(&self, channel: usize) -> bool {
        matches!(self.channels[channel].wait, Some(Wait::Acquire { .. }))
    }

    /// One step of a channel that [may](Front::choose) do one: a command, or, behind the last one of a block, the next
    /// entry (HOST-021). `idle`: TASK-080.
    pub fn step(
        &mut self,
        memory: &mut Memory,
        tasks: &mut Tasks,
        channel: usize,
        idle: bool,
    ) -> Step {
        if self.waits(channel) && !self.mutated(Mutation::RoundIsShared) {
            self.last_waiting = channel;
        } else {
            self.last = channel;
        }
        tasks.time += 1;
        let get = self.channels[channel].get;
        let (is_command, address) = match self.channels[channel].block {
            Some(block) => (true, block.at),
            None => (false, self.channels[channel].base + 8 * get),
        };
        let word = memory.read_u32(address).unwrap_or(0);
        let done = match is_command {
            true => self.command(memory, tasks, channel, idle),
            false => self.entry(memory, tasks, channel),
        };
        let outcome = match done {
            Ok(true) => Outcome::Executed,
            Ok(false) => Outcome::Waits,
            Err(wrong) => {
                self.fail(channel, wrong);
                Outcome::Wrong(wrong)
            }
        };
        self.gives_way = self.waits(channel);
        Step {
            channel,
            get,
            is_command,
            address,
            word,
            outcome,
        }
    }

    /// HOST-020.
    fn entry(&mut self, memory: &Memory, tasks: &Tasks, channel: usize) -> Result<bool, Wrong> {
        let limits = tasks.limits(tasks.channel_domain(channel));
        let c = &mut self.channels[channel];
        let entry = c.base + 8 * c.get;
        let at = load(memory, Code::Memory, entry)?;
        let length = load(memory, Code::Memory, entry + 4)?;
        if length >> 16 != 0 {
            return Err(Wrong::at(Code::EntryReserved, entry + 4));
        }
        if length == 0 {
            return Err(Wrong::at(Code::EntryLength, entry + 4));
        }
        if at % 4 != 0 || !limits.reaches(entry, at, 4 * length) {
            return Err(Wrong::at(Code::BlockAddress, entry));
        }
        let end = at + 4 * length;
        c.block = Some(Block { at, end });
        if self.mutation == Some(Mutation::EntryIsSkipped) {
            c.get = Front::next(c, self.mutation);
        }
        Ok(true)
    }

    /// HOST-010.
    fn next(c: &Channel, mutation: Option<Mutation>) -> u32 {
        let next = c.get + 1;
        match mutation {
            Some(Mutation::WrapsByMask) => next & (c.number - 1),
            _ if next >= c.number => 0,
            _ => next,
        }
    }

    /// HOST-030: whether it was executed; else it waits.
    fn command(
        &mut self,
        memory: &mut Memory,
        tasks: &mut Tasks,
        channel: usize,
        idle: bool,
    ) -> Result<bool, Wrong> {
        let Block { at, end } = self.channels[channel].block.expect("inside a block");
        let header = load(memory, Code::Memory, at)?;
        let wrong = |code| Err(Wrong::at(code, at));
        let (code, flags, words) = (header & 0xff, header >> 8 & 0xff, header >> 16 & 0xff);
        let shape = command::SHAPES.get(code as usize);
        let Some(&(size, has)) = shape.filter(|_| header >> 24 == 0) else {
            return wrong(Code::CommandUnknown);
        };
        if words != size || u64::from(at) + 4 * u64::from(size) > u64::from(end) {
            return wrong(Code::CommandSize);
        }
        if flags & !has != 0 {
            return wrong(Code::CommandFlags);
        }
        let operand = |n: u32| match n < size {
            true => load(memory, Code::Memory, at + 4 * n),
            false => Ok(0),
        };
        let (first, second) = (operand(1)?, operand(2)?);
        if matches!(code, command::SEM_ACQUIRE | command::SEM_RELEASE) {
            let with_time = code == command::SEM_RELEASE && flags & command::WITH_TIME != 0;
            let bytes = if with_time { 16 } else { 4 };
            let limits = tasks.limits(tasks.channel_domain(channel));
            if first % bytes != 0 || !limits.reaches(at, first, bytes) {
                return Err(Wrong::at(Code::SemAddress, at + 4));
            }
        }
        let executed = match code {
            command::LAUNCH => {
                let domain = tasks.channel_domain(channel);
                tasks.insert(memory, Source::Channel(channel), at, first, domain)?;
                true
            }
            command::WAIT_FOR_IDLE => self.after_idle(channel, idle),
            command::SEM_ACQUIRE => {
                let value = load(memory, Code::Memory, first)?;
                self.acquire(channel, flags, first, value, second)?
            }
            command::SEM_RELEASE => {
                let after = flags & command::AFTER_IDLE != 0;
                let now = !after || self.mutated(Mutation::ReleaseDoesNotWait);
                if !now && !self.after_idle(channel, idle) {
                    return Ok(false);
                }
                let time = (flags & command::WITH_TIME != 0).then_some(tasks.time);
                release(memory, Code::Memory, first, second, time)?;
                true
            }
            command::INTERRUPT => {
                self.interrupt |= 1 << channel;
                true
            }
            // In the model every write is over at once, and nothing is cached.
            _ => true,
        };
        if executed {
            self.executed(memory, channel, at + 4 * size)?;
        }
        Ok(executed)
    }

    fn after_idle(&mut self, channel: usize, idle: bool) -> bool {
        self.channels[channel].wait = (!idle).then_some(Wait::Idle);
        idle
    }

    /// HOST-034, of all channels alike (QUEUE-051); nothing is written (HOST-060).
    fn acquire(
        &mut self,
        channel: usize,
        flags: u32,
        semaphore: u32,
        value: u32,
        wanted: u32,
    ) -> Result<bool, Wrong> {
        let there = match self.mutation {
            Some(Mutation::AnyValueAcquires) => value != 0,
            Some(Mutation::AtLeastIsUnsigned) if flags & command::AT_LEAST != 0 => value >= wanted,
            _ if flags & command::AT_LEAST != 0 => value.wrapping_sub(wanted) as i32 >= 0,
            _ => value == wanted,
        };
        let c = &mut self.channels[channel];
        if there {
            c.wait = None;
            return Ok(true);
        }
        let failed = match c.wait {
            Some(Wait::Acquire { failed, .. }) => failed.saturating_add(1),
            _ => 1,
        };
        c.wait = Some(Wait::Acquire {
            failed,
            ready: false,
        });
        let over = self.timeout != 0 && failed >= self.timeout;
        if over && self.mutation != Some(Mutation::NeverTimesOut) {
            return Err(Wrong::at(Code::AcquireTimeout, semaphore));
        }
        Ok(false)
    }

    /// HOST-031: the command is done; `next` is behind it.
    fn executed(&mut self, memory: &mut Memory, channel: usize, next: u32) -> Result<(), Wrong> {
        let mutation = self.mutation;
        let c = &mut self.channels[channel];
        c.wait = None;
        let block = c.block.as_mut().expect("inside a block");
        let left = (block.end - next) / 4;
        let over = left == 0 || mutation == Some(Mutation::LastCommandIsLost) && left == 1;
        let recycles = over && c.owner_gpu && c.shadow != 0;
        if recycles && mutation != Some(Mutation::ShadowIsNotWritten) {
            let limit = c.limit.wrapping_add(1);
            super::registers::save(memory, Code::Memory, c.shadow, limit)?;
        }
        block.at = next;
        self.commands = self.commands.wrapping_add(1);
        if !over {
            return Ok(());
        }
        if recycles {
            c.limit = c.limit.wrapping_add(1);
            if mutation != Some(Mutation::PutIsNotRecycled) {
                c.put = if c.put + 1 >= c.number { 0 } else { c.put + 1 };
            }
        }
        c.block = None;
        if mutation != Some(Mutation::EntryIsSkipped) {
            c.get = Front::next(c, mutation);
        }
        c.done = c.done.wrapping_add(1);
        self.entries = self.entries.wrapping_add(1);
        Ok(())
    }

    /// HOST-080; the first error is kept (HOST-082).
    fn fail(&mut self, channel: usize, wrong: Wrong) {
        let c = &mut self.channels[channel];
        if c.error.is_none() {
            c.error = Some((wrong, c.get));
            self.interrupt |= 1 << (8 + channel);
        }
        c.block = None;
        c.wait = None;
        if self.mutation == Some(Mutation::ErrorsGoOn) {
            c.get = Front::next(c, None);
        } else {
            c.enabled = false;
        }
    }

    /// HOST-015.
    fn check_enable(c: &Channel, tasks: &Tasks) -> Result<(), Wrong> {
        let wrong = |code, place| Err(Wrong::at(code, place));
        if !(2..=MOST_ENTRIES).contains(&c.number) {
            return wrong(Code::Number, at::NUMBER);
        }
        if c.base % 8 != 0 || !within(c.base, 8 * c.number, tasks.memory_end) {
            return wrong(Code::RingAddress, at::BASE);
        }
        if c.get >= c.number {
            return wrong(Code::GetRange, at::GP_GET);
        }
        if c.put >= c.number {
            return wrong(Code::PutRange, at::GP_PUT);
        }
        let there = c.shadow % 4 == 0 && within(c.shadow, 4, tasks.thread_end);
        if c.owner_gpu && c.shadow != 0 && !there {
            return wrong(Code::ShadowAddress, at::SHADOW);
        }
        Ok(())
    }

    /// A write at the host port.
    pub fn write(&mut self, tasks: &mut Tasks, address: u32, value: u32) {
        match address {
            at::INTERRUPT => {
                self.interrupt &= !value;
                tasks.interrupts &= !value;
            }
            at::INTERRUPT_ENABLE => self.interrupt_enable = value,
            at::MEMORY_END => tasks.memory_end = value,
            at::THREAD_END => tasks.thread_end = value,
            at::POLL => self.poll = value & 0xffff,
            at::TIMEOUT => self.timeout = value,
            // The model's memory always answers.
            at::MEMORY_TIMEOUT => self.memory_timeout = value,
            at::CHANNEL..at::FIRST_SMS => {
                let channel = ((address - at::CHANNEL) / at::CHANNEL_STEP) as usize;
                if channel < self.channels.len() {
                    let offset = (address - at::CHANNEL) % at::CHANNEL_STEP;
                    self.write_channel(tasks, channel, offset, value);
                }
            }
            _ => tasks.write(address, value),
        }
    }

    fn write_channel(&mut self, tasks: &Tasks, channel: usize, offset: u32, value: u32) {
        let unlocked = self.mutated(Mutation::GetIsNotLocked) && offset == at::GP_GET;
        let unchecked = self.mutated(Mutation::PutIsNotChecked);
        let c = &mut self.channels[channel];
        match offset {
            at::BASE | at::NUMBER | at::GP_GET | at::SHADOW | at::LIMIT
                if c.enabled && !unlocked =>
            {
                self.fail(channel, Wrong::at(Code::Locked, offset));
            }
            at::BASE => c.base = value,
            at::NUMBER => c.number = value,
            at::GP_GET => {
                c.get = value;
                c.block = None;
                c.wait = None;
            }
            at::GP_PUT if c.enabled && value >= c.number && !unchecked => {
                self.fail(channel, Wrong::at(Code::PutRange, at::GP_PUT));
            }
            at::GP_PUT => c.put = value,
            at::SHADOW => c.shadow = value,
            at::LIMIT => c.limit = value,
            at::CONTROL => self.control(tasks, channel, value),
            _ => (),
        }
    }

    /// Enable (HOST-015), disable, which keeps the block that was begun (HOST-016), and the end of an error (HOST-081).
    fn control(&mut self, tasks: &Tasks, channel: usize, value: u32) {
        let c = &mut self.channels[channel];
        c.priority = (value >> 4 & 15) as u8;
        if !c.enabled {
            c.owner_gpu = value & at::OWNER_GPU != 0;
        }
        if value & at::CLEAR != 0 {
            (c.error, c.enabled) = (None, false);
        } else if value & at::ENABLE == 0 {
            c.enabled = false;
        } else if !c.enabled && c.error.is_none() {
            if let Err(wrong) = Front::check_enable(c, tasks) {
                return self.fail(channel, wrong);
            }
            c.enabled = true;
            // HOST-034: the count of failed reads begins anew.
            if let Some(Wait::Acquire { .. }) = c.wait {
                c.wait = None;
            }
        }
    }

    /// A read at the host port; `idle`: TASK-080.
    pub fn read(&mut self, tasks: &Tasks, address: u32, idle: bool) -> u32 {
        let flag = |on: bool, bit: u32| u32::from(on) << bit;
        let size = &self.size;
        match address {
            at::ID => 0x5747_5055,
            at::SIZE => {
                1 << 24 | (size.slots as u32) << 16 | (size.sms as u32) << 8 | size.channels as u32
            }
            at::SM_SIZE => {
                let kib = size.scratchpad >> 10;
                let lanes = (size.lanes as u32) << 16;
                kib << 24 | lanes | (size.threads as u32) << 8 | size.warps as u32
            }
            at::STATUS => {
                let (slots, lists, error, fault) = tasks.status();
                let failed = self.channels.iter().any(|c| c.error.is_some());
                let flags = flag(!idle, 0) | flag(failed, 1) | flag(error, 2) | flag(fault, 3);
                flags | slots << 8 | flag(lists, 16)
            }
            at::INTERRUPT => self.interrupt | tasks.interrupts,
            at::INTERRUPT_ENABLE => self.interrupt_enable,
            at::MEMORY_END => tasks.memory_end,
            at::THREAD_END => tasks.thread_end,
            at::POLL => self.poll,
            at::TIMEOUT => self.timeout,
            at::MEMORY_TIMEOUT => self.memory_timeout,
            at::TIME => {
                self.time_high = (tasks.time >> 32) as u32;
                tasks.time as u32
            }
            at::TIME_HIGH => self.time_high,
            at::COMMANDS => self.commands,
            at::ENTRIES => self.entries,
            at::CHANNEL..at::FIRST_SMS => {
                let channel = (address - at::CHANNEL) / at::CHANNEL_STEP;
                let offset = (address - at::CHANNEL) % at::CHANNEL_STEP;
                let channel = self.channels.get(channel as usize);
                channel.map_or(0, |c| Front::read_channel(c, offset))
            }
            _ => tasks.read(address),
        }
    }

    fn read_channel(c: &Channel, offset: u32) -> u32 {
        let flag = |on: bool, bit: u32| u32::from(on) << bit;
        match offset {
            at::BASE => c.base,
            at::NUMBER => c.number,
            at::GP_GET => c.get,
            at::GP_PUT => c.put,
            at::CONTROL => u32::from(c.priority) << 4 | flag(c.owner_gpu, 1) | flag(c.enabled, 0),
            at::CHANNEL_STATUS => {
                let acquire = matches!(c.wait, Some(Wait::Acquire { .. }));
                flag(c.enabled, 0)
                    | flag(c.get == c.put, 1)
                    | flag(c.block.is_some(), 2)
                    | flag(acquire, 3)
                    | flag(c.wait == Some(Wait::Idle), 4)
                    | flag(c.error.is_some(), 5)
            }
            at::ERROR => c.error.map_or(0, |(w, _)| 1 << 31 | w.code as u32),
            at::ERROR_ENTRY => c.error.map_or(0, |(_, entry)| entry),
            at::ERROR_ADDRESS => c.error.map_or(0, |(wrong, _)| wrong.place),
            at::SHADOW => c.shadow,
            at::LIMIT => c.limit,
            at::DONE => c.done,
            _ => 0,
        }
    }
}
