//! Task management and work distribution (docs/spec/tasks.md): lists, slots, eviction, CTAs, completion, spawn ring.
//!
//! Each step that the page's trace names is a method that does it if it may be done now, so that whoever runs beside
//! the model can follow the order of the hardware; [`Tasks::step`] takes them in an order of its own.

use super::descriptor::{self, state, word, Descriptor};
use super::mutation::Mutation;
use super::pending::{Pending, Table, LEVELS};
use super::registers::{at, load, save, within, Code, Limits, Size, Wrong};
use super::sms::{self, Needs, Running, Sm};
use crate::memory::Memory;
use crate::memory::MEMORY_BASE;

/// Where a task came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Channel(usize),
    Spawn,
    Dependent,
}

/// What came of a descriptor that was named and is right (TASK-027).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Naming {
    /// Others are to name it, too.
    Counted,
    Inserted,
}

/// A CTA that is to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    pub slot: usize,
    pub sm: usize,
    /// CTA place on the SM.
    pub place: usize,
    /// Address of the descriptor.
    pub task: u32,
    pub descriptor: Descriptor,
    /// Its number.
    pub cta: u32,
    /// Of a queue: position of its first entry, and how many.
    pub first: u32,
    pub entries: u32,
    /// Byte address of its scratchpad in that of the SM.
    pub scratchpad: u32,
}

/// TASK-090.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskStep {
    Insert {
        task: u32,
        source: Source,
        wrong: Option<Wrong>,
    },
    Load {
        task: u32,
        slot: usize,
        wrong: Option<Wrong>,
    },
    Start(Start),
    End {
        sm: usize,
        task: u32,
        cta: u32,
        failed: bool,
    },
    Evict {
        slot: usize,
        task: u32,
    },
    Return {
        slot: usize,
        task: u32,
        head: bool,
    },
    Complete {
        slot: usize,
        task: u32,
        failed: bool,
    },
    /// TASK-072.
    Lost,
    /// TASK-027: it is counted, and waits for others that name it.
    Name {
        task: u32,
        source: Source,
    },
    /// TASK-132; by KILL, or because its time is over.
    Kill {
        slot: usize,
        task: u32,
        told: bool,
    },
}

/// What a fault of a CTA says of itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CtaFault {
    pub warp: u32,
    /// Lane.
    pub thread: u32,
    pub cause: u8,
    pub pc: u32,
    pub address: u32,
}

#[derive(Clone, Copy, Debug)]
struct Task {
    address: u32,
    descriptor: Descriptor,
    /// CTAs started; the next one's number.
    started: u32,
    running: u32,
    failed: bool,
    evicted: bool,
    /// Ascending from the oldest.
    age: u64,
    /// TASK-025.
    of_threads: bool,
    level: usize,
    /// Of a queue, as last read, and as moved on.
    put: u32,
    get: u32,
    open: bool,
    /// TASK-051: its pointers are wrong.
    broken: bool,
    /// When it was loaded; when its last CTA ended, and since when some run without a gap.
    loaded: u64,
    ended: Option<u64>,
    works: Option<u64>,
    /// Units at whose end a CTA of it ran, and how many there may be, if there is a limit.
    units: u64,
    limit: Option<u64>,
    killed: bool,
}

/// Cycles that task management may know of the end of a CTA before it says so.
const END_IS_KNOWN: u64 = 200;

impl Task {
    fn left(&self) -> bool {
        !self.killed
            && match self.descriptor.ctas() {
                Some(ctas) => self.started < ctas,
                None => self.put != self.get && !self.broken,
            }
    }

    /// TASK-130.
    fn is_late(&self) -> bool {
        self.limit.is_some_and(|limit| self.units > limit)
    }

    /// Of a queue: nothing to do, now or later.
    fn is_over(&self) -> bool {
        match self.descriptor.queue {
            _ if self.killed => true,
            None => !self.left(),
            Some(_) => self.broken || self.put == self.get && !self.open,
        }
    }
}

/// Counters of the host port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    pub launches: u32,
    pub spawns: u32,
    pub dependents: u32,
    pub ctas: u32,
    pub ctas_done: u32,
    pub evictions: u32,
    pub done: u32,
}

#[derive(Clone, Debug)]
pub struct Tasks {
    size: Size,
    pub(super) memory_end: u32,
    pub(super) thread_end: u32,
    pub(super) table: Table,
    /// Inserted, and loaded before anything else is done (TASK-045); its level.
    direct: Option<(Pending, usize)>,
    slots: Vec<Option<Task>>,
    sms: Vec<Sm>,
    age: u64,
    spawn: Spawn,
    errors: u32,
    error: Option<(Wrong, u32)>,
    fault: Option<(usize, CtaFault, u32, u32)>,
    pub(super) interrupts: u32,
    pub counters: Counters,
    /// Stands for the cycles since reset: steps so far.
    pub(super) time: u64,
    /// What LIMIT counts: cycles, or what stands for them.
    clock: u64,
    limit_max: u32,
    /// KILL, and when it was written.
    kill: (u32, u64),
    /// Of each domain WINDOW_BASE, WINDOW_END, LOCAL_OFFSET; CHANNEL_DOMAINS; SPAWN_DOMAIN.
    domains: [[u32; 3]; at::DOMAINS],
    channel_domains: u32,
    spawn_domain: u8,
    mutation: Option<Mutation>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Spawn {
    base: u32,
    number: u32,
    poll: u32,
    get: u32,
}

impl Tasks {
    pub fn new(size: Size) -> Tasks {
        Tasks {
            size,
            memory_end: 0,
            thread_end: 0,
            table: Table::default(),
            direct: None,
            slots: vec![None; size.slots],
            sms: vec![Sm::default(); size.sms],
            age: 0,
            spawn: Spawn {
                poll: 16,
                ..Spawn::default()
            },
            errors: 0,
            error: None,
            fault: None,
            interrupts: 0,
            counters: Counters::default(),
            time: 0,
            clock: 0,
            limit_max: 0,
            kill: (0, 0),
            domains: [[0; 3]; at::DOMAINS],
            channel_domains: 0,
            spawn_domain: 0,
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

    pub fn size(&self) -> &Size {
        &self.size
    }

    pub fn sms(&self) -> &[Sm] {
        &self.sms
    }

    /// HOST-004: what the threads of a domain reach, from where and to where.
    pub fn window(&self, domain: u8) -> (u32, u32) {
        let [base, end, _] = self.domains[usize::from(domain)];
        let written = |value: u32, other| if value == 0 { other } else { value };
        (written(base, MEMORY_BASE), written(end, self.thread_end))
    }

    /// What is added to LOCAL_BASE for the CTAs of a domain.
    pub fn local_offset(&self, domain: u8) -> u32 {
        self.domains[usize::from(domain)][2]
    }

    /// The domain of a channel.
    pub fn channel_domain(&self, channel: usize) -> u8 {
        (self.channel_domains >> (4 * channel) & 7) as u8
    }

    /// What is said by a domain, where threads write, is held against these.
    pub(super) fn limits(&self, domain: u8) -> Limits {
        let window = match self.mutated(Mutation::WindowsAreOne) {
            true => self.window(0),
            false => self.window(domain),
        };
        let locals = self.sms.iter().map(|sm| sm.registers[1]);
        let ends = (self.thread_end, self.memory_end);
        Limits {
            boundless: self.mutated(Mutation::ReachIsNotChecked),
            domain,
            window,
            ..Limits::new(&self.size, ends, locals.min().unwrap_or(0))
        }
    }

    /// TASK-020: a descriptor that is named in memory at `said`, by a channel, by a thread, or by a task of that domain;
    /// it is counted, or inserted.
    pub fn insert(
        &mut self,
        memory: &mut Memory,
        source: Source,
        said: u32,
        task: u32,
        domain: u8,
    ) -> Result<Naming, Wrong> {
        let limits = self.limits(domain);
        let words = descriptor::read(memory, said, task, &limits)?;
        let mut checked = Descriptor::check(&words, task, &limits)?;
        if self.mutated(Mutation::HeaderChooses) {
            checked.domain = (words[word::HEADER as usize] >> 12 & 7) as u8;
        }
        let old = words[word::STATE as usize];
        let busy = old != state::FREE && old != state::FAILED;
        if busy && !self.mutated(Mutation::BusyIsNotChecked) {
            return Err(Wrong::at(Code::DescriptorBusy, task + 4 * word::STATE));
        }
        let before = words[word::NAMED as usize];
        let (at_named, waits) = (task + 4 * word::NAMED, self.waits(&checked, before));
        if waits {
            if self.mutated(Mutation::CountedNeedsAPlace) {
                self.table.may_take(said < self.thread_end, task, None)?;
            }
            save(memory, Code::TaskMemory, at_named, before + 1)?;
        } else {
            let of_threads = said < self.thread_end;
            let named = (before != 0).then_some(at_named);
            self.insert_last(memory, (source, task, of_threads), checked, named)?;
        }
        self.counts(source);
        Ok(match waits {
            true => Naming::Counted,
            false => Naming::Inserted,
        })
    }

    /// TASK-027: not the last one that names it; it has been named so often `before`.
    fn waits(&self, checked: &Descriptor, before: u32) -> bool {
        let with_it = match self.mutation {
            Some(Mutation::FirstNamesAlone) => return false,
            Some(Mutation::OneMoreIsCounted) => before,
            _ => before + 1,
        };
        with_it < checked.predecessors
    }

    /// TASK-020: it is named for the last time; `named`: where NAMED is, if that is not 0.
    fn insert_last(
        &mut self,
        memory: &mut Memory,
        (source, task, of_threads): (Source, u32, bool),
        checked: Descriptor,
        named: Option<u32>,
    ) -> Result<(), Wrong> {
        let named = named.filter(|_| !self.mutated(Mutation::NamedStays));
        let bound = self.table.level_of_threads as usize;
        let wanted = usize::from(checked.level);
        let bounded = of_threads && wanted >= bound && !self.mutated(Mutation::LevelIsNotBounded);
        let level = if bounded { bound } else { wanted };
        let at_head = checked.head && !bounded && !self.mutated(Mutation::HeadIsTail);
        let queue = checked.queue.unwrap_or_default();
        let pending = Pending {
            address: task,
            descriptor: checked,
            of_threads,
            started: 0,
            failed: false,
            put: queue.put,
            get: queue.get,
            open: queue.open != 0,
        };
        let a_slot_is_free = self.slots.iter().any(Option::is_none);
        let forget = |memory: &mut Memory| match named {
            Some(at) => save(memory, Code::TaskMemory, at, 0),
            None => Ok(()),
        };
        if source != Source::Dependent && a_slot_is_free && self.highest_list().is_none() {
            forget(memory)?;
            let state = task + 4 * word::STATE;
            save(memory, Code::TaskMemory, state, state::ACTIVE)?;
            self.direct = Some((pending, level));
            return Ok(());
        }
        if self.mutated(Mutation::RefusedIsForgotten) {
            forget(memory)?;
        }
        self.table.may_take(of_threads, task, self.mutation)?;
        self.table.put(memory, pending, named, (level, at_head))
    }

    /// It is accepted.
    fn counts(&mut self, source: Source) {
        let counter = match source {
            Source::Channel(_) => &mut self.counters.launches,
            Source::Spawn => &mut self.counters.spawns,
            Source::Dependent => &mut self.counters.dependents,
        };
        *counter = counter.wrapping_add(1);
    }

    /// TASK-031.
    fn task_error(&mut self, wrong: Wrong, task: u32) {
        self.errors = self.errors.wrapping_add(1);
        self.error.get_or_insert((wrong, task));
        self.interrupts |= at::INTERRUPT_TASK_ERROR;
    }

    /// What no channel answers for is named.
    fn insert_child(
        &mut self,
        memory: &mut Memory,
        source: Source,
        said: u32,
        task: u32,
        domain: u8,
    ) -> TaskStep {
        let wrong = match self.insert(memory, source, said, task, domain) {
            Ok(Naming::Counted) => return TaskStep::Name { task, source },
            Ok(Naming::Inserted) => None,
            Err(wrong) => Some(wrong),
        };
        if let Some(wrong) = wrong {
            self.task_error(wrong, task);
        }
        TaskStep::Insert {
            task,
            source,
            wrong,
        }
    }

    fn highest_list(&self) -> Option<usize> {
        if let Some((_, level)) = self.direct {
            return Some(level);
        }
        let mut levels = 0..LEVELS;
        let waits = |level: &usize| self.table.waits(*level);
        match self.mutated(Mutation::LowestListFirst) {
            true => levels.find(waits),
            false => levels.rev().find(waits),
        }
    }

    /// It was inserted, and is loaded before anything else is done (TASK-045).
    pub fn is_loaded_at_once(&self) -> Option<u32> {
        self.direct.as_ref().map(|(pending, _)| pending.address)
    }

    /// TASK-040.
    pub fn load(&mut self, memory: &mut Memory) -> Option<TaskStep> {
        let level = self.highest_list()?;
        let slot = self.slots.iter().position(Option::is_none)?;
        let (pending, wrong) = match self.direct.take() {
            Some((pending, _)) => (pending, None),
            None => {
                let pending = self.table.take(level);
                let state = pending.address + 4 * word::STATE;
                let written = save(memory, Code::TaskMemory, state, state::ACTIVE);
                (pending, written.err())
            }
        };
        let task = pending.address;
        match wrong {
            Some(wrong) => self.task_error(wrong, task),
            None => {
                self.age += 1;
                let bound = match self.mutated(Mutation::LimitIsNotBounded) {
                    true => 0,
                    false => self.limit_max,
                };
                let limits = [pending.descriptor.limit, bound].into_iter();
                let limit = limits.filter(|&units| units != 0).min();
                self.slots[slot] = Some(Task {
                    address: task,
                    descriptor: pending.descriptor,
                    started: pending.started,
                    running: 0,
                    failed: pending.failed,
                    evicted: false,
                    age: self.age,
                    of_threads: pending.of_threads,
                    level,
                    put: pending.put,
                    get: pending.get,
                    open: pending.open,
                    broken: false,
                    loaded: self.clock,
                    ended: None,
                    works: None,
                    units: 0,
                    limit: limit.map(u64::from),
                    killed: false,
                });
            }
        }
        Some(TaskStep::Load { task, slot, wrong })
    }

    /// Of the task in a slot: its descriptor as it was inserted, and the number of its next CTA.
    pub fn in_slot(&self, slot: usize) -> Option<(Descriptor, u32)> {
        let task = self.slots.get(slot)?.as_ref()?;
        Some((task.descriptor, task.started))
    }

    /// It is so late: what LIMIT counts.
    pub fn set_clock(&mut self, cycles: u64) {
        let units = cycles / at::LIMIT_UNIT - self.clock / at::LIMIT_UNIT;
        self.clock = cycles;
        if units == 0 {
            return;
        }
        for task in self.slots.iter_mut().flatten() {
            let just = task.ended.is_some_and(|at| cycles <= at + END_IS_KNOWN);
            if task.running > 0 || just {
                task.units += units;
            }
        }
    }

    /// Slots whose task is to be killed and is not, whether by KILL, and since when (TASK-130, TASK-131); those whose
    /// time is surely over, as their CTAs follow each other without a gap.
    pub fn doomed(&self) -> impl Iterator<Item = (usize, bool, u64)> + '_ {
        let (kill, written) = self.kill;
        let alive = self.active().filter(|(_, task)| !task.killed);
        alive.filter_map(move |(slot, task)| {
            if kill == task.address {
                return Some((slot, true, written.max(task.loaded)));
            }
            let over = task.works? + at::LIMIT_UNIT * (task.limit? + 1);
            (over <= self.clock).then_some((slot, false, over))
        })
    }

    /// The task in this slot is being evicted.
    pub fn is_evicted(&self, slot: usize) -> bool {
        self.slots[slot].is_some_and(|task| task.evicted)
    }

    /// The task in this slot has been killed.
    pub fn is_killed(&self, slot: usize) -> bool {
        self.slots[slot].is_some_and(|task| task.killed)
    }

    /// TASK-132: the task in this slot, as KILL says, or because its time is over.
    pub fn kill(&mut self, slot: usize, told: bool) -> Option<TaskStep> {
        let task = self.slots.get(slot)?.filter(|task| !task.killed)?;
        let may = match told {
            true => task.address == self.kill.0,
            false => task.is_late(),
        };
        if !may {
            return None;
        }
        let goes_on = self.mutated(Mutation::KilledGoesOn);
        let task = self.slots[slot].as_mut().expect("it is in there");
        task.killed = !goes_on;
        task.failed |= self.mutation != Some(Mutation::KilledIsNotFailed);
        let task = task.address;
        Some(TaskStep::Kill { slot, task, told })
    }

    /// Descriptors of tasks in slots of which no CTA has been started.
    pub fn waiting(&self) -> impl Iterator<Item = u32> + '_ {
        let waits = |task: &Task| task.left() && task.started == 0;
        let tasks = self.active().map(|(_, task)| task);
        tasks.filter(move |task| waits(task)).map(|t| t.address)
    }

    /// Slots with a task.
    fn active(&self) -> impl Iterator<Item = (usize, &Task)> + Clone {
        let slots = self.slots.iter().enumerate();
        slots.filter_map(|(slot, task)| Some((slot, task.as_ref()?)))
    }

    fn all_taken(&self) -> bool {
        self.slots.iter().all(Option::is_some)
    }

    /// TASK-042, the beginning.
    pub fn evict(&mut self) -> Option<TaskStep> {
        let waiting = self.highest_list()?;
        let under_way = self.active().any(|(_, task)| task.evicted && !task.killed);
        if !self.all_taken() || under_way || self.mutated(Mutation::NobodyIsEvicted) {
            return None;
        }
        let victims = self
            .active()
            .filter(|(_, task)| match task.descriptor.queue {
                Some(_) => !task.is_over(),
                None => task.left(),
            });
        let victim = victims.min_by_key(|(_, t)| (t.level, std::cmp::Reverse(t.age)));
        let (slot, level) = victim.map(|(slot, task)| (slot, task.level))?;
        if waiting <= level {
            return None;
        }
        let task = self.slots[slot].as_mut().expect("it is the victim");
        task.evicted = true;
        let task = task.address;
        self.counters.evictions = self.counters.evictions.wrapping_add(1);
        Some(TaskStep::Evict { slot, task })
    }

    /// TASK-043.
    pub fn give_up(&mut self, memory: &mut Memory) -> Option<TaskStep> {
        self.highest_list()?;
        if !self.all_taken() {
            return None;
        }
        let rests = |task: &Task| {
            let nothing = !task.left() && !task.is_over() && task.running == 0;
            nothing && !task.evicted && task.descriptor.queue.is_some()
        };
        let mut active = self.active();
        let (slot, _) = active.find(|(_, task)| rests(task))?;
        drop(active);
        Some(self.give_back(memory, slot, false))
    }

    /// TASK-042, the end.
    pub fn return_evicted(&mut self, memory: &mut Memory) -> Option<TaskStep> {
        let gone = |t: &Task| t.evicted && !t.killed && t.running == 0;
        let gone = |task: &Option<Task>| task.as_ref().is_some_and(gone);
        let slot = self.slots.iter().position(gone)?;
        // TASK-023.
        if self.highest_list().is_some() && !self.all_taken() {
            return None;
        }
        let head = !self.mutated(Mutation::ReturnsToTheTail);
        Some(self.give_back(memory, slot, head))
    }

    fn give_back(&mut self, memory: &mut Memory, slot: usize, head: bool) -> TaskStep {
        let task = self.slots[slot].take().expect("there is a task");
        let started = match self.mutation {
            Some(Mutation::EvictionLosesACta) => task.started + 1,
            Some(Mutation::EvictionRepeatsACta) => task.started.saturating_sub(1),
            _ => task.started,
        };
        let pending = Pending {
            address: task.address,
            descriptor: task.descriptor,
            of_threads: task.of_threads,
            started,
            failed: task.failed,
            put: task.put,
            get: task.get,
            open: task.open,
        };
        if let Err(wrong) = self.table.put(memory, pending, None, (task.level, head)) {
            self.task_error(wrong, task.address);
        }
        TaskStep::Return {
            slot,
            task: task.address,
            head,
        }
    }

    /// TASK-050: the next CTA that is started, of a grid or of a queue (TASK-010).
    pub fn start(&mut self, memory: &mut Memory) -> Option<TaskStep> {
        let mut ranked: Vec<(usize, Task)> = self
            .active()
            .filter(|(_, task)| task.left() && !task.evicted)
            .map(|(slot, task)| (slot, *task))
            .collect();
        ranked.sort_by_key(|(_, t)| (std::cmp::Reverse(t.level), t.age));
        if !self.mutated(Mutation::SmallOnesPass) {
            ranked.truncate(1);
        }
        let found = ranked.into_iter().find_map(|(slot, task)| {
            let needs = Needs {
                slot,
                threads: task.descriptor.threads(),
                scratchpad: task.descriptor.scratchpad,
            };
            let fit = sms::fit(&self.sms, &self.size, &needs, self.mutation)?;
            Some((slot, fit))
        });
        let (slot, fit) = found?;
        let task = self.slots[slot].as_mut().expect("it has the turn");
        let (cta, first) = (task.started, task.get);
        let entries = match task.descriptor.queue {
            Some(queue) => queue.each.min(task.put.wrapping_sub(first)),
            None => 0,
        };
        task.started = task.started.wrapping_add(1);
        task.running += 1;
        task.works.get_or_insert(self.clock);
        task.get = first.wrapping_add(entries);
        let (address, get) = (task.address, task.get);
        let start = Start {
            slot,
            sm: fit.sm,
            place: fit.place,
            task: address,
            descriptor: task.descriptor,
            cta,
            first,
            entries,
            scratchpad: fit.scratchpad(&self.size),
        };
        self.sms[fit.sm].places[fit.place] = Some(Running {
            slot,
            task: address,
            cta,
            warps: fit.warps,
            granules: fit.granules,
        });
        self.counters.ctas = self.counters.ctas.wrapping_add(1);
        if self.mutated(Mutation::CompletionIsEarly) && start.descriptor.completion != 0 {
            let (semaphore, value) = (start.descriptor.completion, start.descriptor.value);
            let _ = release(memory, Code::TaskMemory, semaphore, value, None);
        }
        if start.descriptor.queue.is_some() && !self.mutated(Mutation::GetIsNotWritten) {
            let at = address + 4 * word::GET;
            if let Err(wrong) = save(memory, Code::TaskMemory, at, get) {
                self.task_error(wrong, address);
            }
        }
        Some(TaskStep::Start(start))
    }

    /// TASK-052: PUT and OPEN of the queue in a slot. Positions wrap at 2^32 (TASK-011).
    pub fn look(&mut self, memory: &Memory, slot: usize) {
        let Some(Some(task)) = self.slots.get_mut(slot) else {
            return;
        };
        let Some(queue) = task.descriptor.queue else {
            return;
        };
        if task.broken || task.killed || self.mutation == Some(Mutation::PutIsReadOnce) {
            return;
        }
        let address = task.address;
        let word = |number: u32| load(memory, Code::TaskMemory, address + 4 * number);
        let wrong = match (word(word::PUT), word(word::OPEN)) {
            (Ok(put), Ok(open)) if put.wrapping_sub(task.get) <= queue.entries => {
                (task.put, task.open) = (put, open != 0);
                return;
            }
            (Err(wrong), _) | (_, Err(wrong)) => wrong,
            _ => Wrong::at(Code::QueuePointers, address + 4 * word::GET),
        };
        task.broken = true;
        self.task_error(wrong, address);
    }

    /// The same for all slots.
    pub fn look_at_queues(&mut self, memory: &Memory) {
        (0..self.slots.len()).for_each(|slot| self.look(memory, slot));
    }

    /// TASK-057: a CTA has ended.
    ///
    /// # Panics
    /// When none runs there.
    pub fn end(
        &mut self,
        memory: &Memory,
        sm: usize,
        place: usize,
        fault: Option<CtaFault>,
    ) -> TaskStep {
        let ended = self.sms[sm].places[place].take();
        let Running {
            slot, task, cta, ..
        } = ended.expect("a CTA runs there");
        self.sms[sm].done = self.sms[sm].done.wrapping_add(1);
        self.counters.ctas_done = self.counters.ctas_done.wrapping_add(1);
        let owner = self.slots[slot].as_mut().expect("its task has a slot");
        owner.running -= 1;
        if owner.running == 0 {
            (owner.works, owner.ended) = (None, Some(self.clock));
        }
        if let Some(fault) = fault {
            owner.failed |= self.mutation != Some(Mutation::FailureIsForgotten);
            self.fault.get_or_insert((sm, fault, cta, task));
            self.interrupts |= at::INTERRUPT_FAULT;
        }
        self.look(memory, slot);
        TaskStep::End {
            sm,
            task,
            cta,
            failed: fault.is_some(),
        }
    }

    /// TASK-060 to TASK-062: also the step of the dependent, if there is one.
    pub fn complete(&mut self, memory: &mut Memory) -> Option<(TaskStep, Option<TaskStep>)> {
        let over =
            |task: &Task| task.running == 0 && (task.killed || !task.evicted) && task.is_over();
        let slot = self
            .slots
            .iter()
            .position(|task| task.as_ref().is_some_and(over))?;
        let task = self.slots[slot].expect("it is over");
        let descriptor = task.descriptor;
        let failed = task.failed;
        let value = if failed { state::FAILED } else { state::FREE };
        let mut written = save(
            memory,
            Code::TaskMemory,
            task.address + 4 * word::STATE,
            value,
        );
        if descriptor.completion != 0 && written.is_ok() {
            let time = descriptor.with_time.then_some(self.time);
            written = release(
                memory,
                Code::TaskMemory,
                descriptor.completion,
                descriptor.value,
                time,
            );
        }
        if let Err(wrong) = written {
            self.task_error(wrong, task.address);
        }
        self.slots[slot] = None;
        let may = match self.mutation {
            Some(Mutation::DependentIsForgotten) => false,
            Some(Mutation::KilledLaunches) => true,
            _ => !task.killed,
        };
        let launches = descriptor.dependent != 0 && may;
        let dependent = launches.then(|| {
            let next = descriptor.dependent;
            let domain = match self.mutated(Mutation::DependentsAreOfDomainZero) {
                true => 0,
                false => descriptor.domain,
            };
            self.insert_child(memory, Source::Dependent, task.address, next, domain)
        });
        if descriptor.interrupt {
            self.interrupts |= at::INTERRUPT_COMPLETION;
        }
        self.counters.done = self.counters.done.wrapping_add(1);
        let complete = TaskStep::Complete {
            slot,
            task: task.address,
            failed,
        };
        Some((complete, dependent))
    }

    /// TASK-071: one launch from the spawn ring, if there is one.
    pub fn spawn(&mut self, memory: &mut Memory) -> Option<TaskStep> {
        let at = self.spawn_slot()?;
        let task = memory.read_u32(at).unwrap_or(0);
        if task == 0 {
            return None;
        }
        self.spawn.get = self.spawn.get.wrapping_add(1);
        if !self.mutated(Mutation::SpawnSlotStays) {
            let _ = memory.write_bytes(at, &[0; 4]);
        }
        let (base, domain) = (self.spawn.base, self.spawn_domain);
        Some(self.insert_child(memory, Source::Spawn, base, task, domain))
    }

    fn spawn_slot(&self) -> Option<u32> {
        let Spawn { base, number, .. } = self.spawn;
        (number != 0).then(|| base.wrapping_add(4u32.wrapping_mul(self.spawn.get % number)))
    }

    /// TASK-072: a ticket whose owner has ended. Only when all else is idle.
    fn lost(&mut self, memory: &mut Memory) -> bool {
        let Spawn { base, number, .. } = self.spawn;
        let ticket = match number {
            0 => return false,
            _ => memory
                .read_u32(base.wrapping_add(4u32.wrapping_mul(number)))
                .unwrap_or(self.spawn.get),
        };
        if ticket == self.spawn.get {
            return false;
        }
        self.spawn.get = ticket;
        let _ = memory.write_bytes(base, &vec![0; 4 * number as usize]);
        if !self.mutated(Mutation::LostTicketIsSilent) {
            self.task_error(Wrong::at(Code::SpawnLost, at::SPAWN_BASE), 0);
        }
        true
    }

    /// Nothing is pending, active or running; the spawn ring is not looked at.
    fn rests(&self) -> bool {
        let lists = self.highest_list().is_none();
        let slots = self.slots.iter().flatten();
        let ctas = self.sms.iter().all(|sm| sm.running().next().is_none());
        let slots = match self.mutation {
            Some(Mutation::IdleIgnoresCtas) => slots.filter(|task| task.left()).count() == 0,
            _ => slots.count() == 0 && ctas,
        };
        slots && (lists || self.mutated(Mutation::IdleIgnoresLists))
    }

    /// TASK-080, with the step of a lost ticket, if one was found (then it is not idle yet).
    pub fn idle(&mut self, memory: &mut Memory) -> (bool, Option<TaskStep>) {
        let full = |at| memory.read_u32(at).unwrap_or(0) != 0;
        if !self.rests() || self.spawn_slot().is_some_and(full) {
            return (false, None);
        }
        match self.lost(memory) {
            true => (false, Some(TaskStep::Lost)),
            false => (true, None),
        }
    }

    /// The next steps of task management, in an order of its own; none: it waits for CTAs, or for work.
    pub fn step(&mut self, memory: &mut Memory) -> Vec<TaskStep> {
        self.time += 1;
        if self.direct.is_some() {
            return self.load(memory).into_iter().collect();
        }
        let kills = (0..self.slots.len()).find_map(|slot| {
            let step = self.kill(slot, true);
            step.or_else(|| self.kill(slot, false))
        });
        if let Some(step) = kills {
            return vec![step];
        }
        if let Some(step) = self.spawn(memory) {
            return vec![step];
        }
        if let Some((step, dependent)) = self.complete(memory) {
            return [Some(step), dependent].into_iter().flatten().collect();
        }
        let step = self
            .return_evicted(memory)
            .or_else(|| self.load_and_look(memory))
            .or_else(|| self.evict())
            .or_else(|| self.start(memory))
            .or_else(|| self.give_up(memory));
        step.into_iter().collect()
    }

    /// TASK-052: what a queue has is read when it is loaded.
    fn load_and_look(&mut self, memory: &mut Memory) -> Option<TaskStep> {
        let step = self.load(memory)?;
        if let TaskStep::Load { slot, .. } = step {
            self.look(memory, slot);
        }
        Some(step)
    }

    /// The CTA at a place.
    pub fn running(&self, sm: usize, place: usize) -> Option<&Running> {
        self.sms[sm].places[place].as_ref()
    }

    pub(super) fn read(&self, address: u32) -> u32 {
        let part = |n: u32| {
            self.fault
                .map(|f| [f.1.pc, f.1.address, f.2, f.3][n as usize])
        };
        match address {
            at::LAUNCHES => self.counters.launches,
            at::SPAWNS => self.counters.spawns,
            at::DEPENDENTS => self.counters.dependents,
            at::CTAS => self.counters.ctas,
            at::CTAS_DONE => self.counters.ctas_done,
            at::EVICTIONS => self.counters.evictions,
            at::TASKS_DONE => self.counters.done,
            at::SPAWN_BASE => self.spawn.base,
            at::SPAWN_NUMBER => self.spawn.number,
            at::SPAWN_POLL => self.spawn.poll,
            at::TABLE_BASE => self.table.base,
            at::TABLE_NUMBER => self.table.number,
            at::THREAD_LIMIT => self.table.limit_of_threads,
            at::THREAD_LEVEL => self.table.level_of_threads,
            at::TASK_ERROR => self.error.map_or(0, |(w, _)| 1 << 31 | w.code as u32),
            at::TASK_ERROR_ADDRESS => self.error.map_or(0, |(wrong, _)| wrong.place),
            at::TASK_ERROR_TASK => self.error.map_or(0, |(_, task)| task),
            at::TASK_ERRORS => self.errors,
            at::FAULT => self.fault.map_or(0, |(sm, fault, ..)| {
                let CtaFault {
                    warp,
                    thread,
                    cause,
                    ..
                } = fault;
                1 << 31 | (sm as u32) << 24 | warp << 16 | thread << 8 | u32::from(cause)
            }),
            at::FAULT_PC => part(0).unwrap_or(0),
            at::FAULT_ADDRESS => part(1).unwrap_or(0),
            at::FAULT_CTA => part(2).unwrap_or(0),
            at::FAULT_TASK => part(3).unwrap_or(0),
            at::LIMIT_MAX => self.limit_max,
            at::KILL => self.kill.0,
            at::CHANNEL_DOMAINS => self.channel_domains,
            at::SPAWN_DOMAIN => self.spawn_domain.into(),
            at::DOMAIN..at::CHANNEL_DOMAINS => {
                domain_register(address).map_or(0, |(domain, word)| self.domains[domain][word])
            }
            _ => {
                let register = at::of_sm(address);
                let of_it = |(n, offset)| Some((self.sms.get(n)?, offset));
                match register.and_then(of_it) {
                    Some((sm, at::OCCUPANCY)) => sm.occupancy(&self.size),
                    Some((sm, at::SM_CTAS_DONE)) => sm.done,
                    Some((sm, offset @ 0..=at::TOKEN_SIZE)) => sm.registers[offset as usize / 4],
                    _ => 0,
                }
            }
        }
    }

    pub(super) fn write(&mut self, address: u32, value: u32) {
        match address {
            at::SPAWN_BASE => self.spawn.base = value,
            at::SPAWN_NUMBER => self.set_spawn_number(value),
            at::SPAWN_POLL => self.spawn.poll = value & 0xffff,
            at::TABLE_BASE => (self.table.base, self.table.number) = (value, 0),
            at::TABLE_NUMBER => {
                let ends = (self.thread_end, self.memory_end);
                if let Err(place) = self.table.set_number(value, ends) {
                    self.task_error(Wrong::at(Code::Table, place), 0);
                }
            }
            at::THREAD_LIMIT => self.table.limit_of_threads = value & 0x1_ffff,
            at::THREAD_LEVEL => self.table.level_of_threads = value & 15,
            at::TASK_ERROR => self.error = None,
            at::FAULT => self.fault = None,
            at::LIMIT_MAX => self.limit_max = value,
            at::KILL => self.kill = (value, self.clock),
            at::CHANNEL_DOMAINS => self.channel_domains = value & 0x7777_7777,
            at::SPAWN_DOMAIN => self.spawn_domain = (value & 7) as u8,
            at::DOMAIN..at::CHANNEL_DOMAINS => {
                if let Some((domain, word)) = domain_register(address) {
                    self.domains[domain][word] = value;
                }
            }
            _ => {
                let (n, offset) = at::of_sm(address).unwrap_or((usize::MAX, 0));
                if let (Some(sm), 0..=at::TOKEN_SIZE) = (self.sms.get_mut(n), offset) {
                    sm.registers[offset as usize / 4] = value;
                }
            }
        }
    }

    /// TASK-070.
    fn set_spawn_number(&mut self, number: u32) {
        let base = self.spawn.base;
        let wrong = if number == 0 {
            None
        } else if number > descriptor::MOST_ENTRIES {
            Some(at::SPAWN_NUMBER)
        } else {
            let there = base >= MEMORY_BASE && within(base, 4 * number + 4, self.thread_end);
            (base % 4 != 0 || !there).then_some(at::SPAWN_BASE)
        };
        self.spawn.number = if wrong.is_some() { 0 } else { number };
        self.spawn.get = 0;
        if let Some(place) = wrong {
            self.task_error(Wrong::at(Code::SpawnRing, place), 0);
        }
    }

    /// Tasks in slots, and whether a list is not empty: for STATUS.
    pub(super) fn status(&self) -> (u32, bool, bool, bool) {
        let lists = self.highest_list().is_some();
        let slots = self.slots.iter().flatten().count() as u32;
        (slots, lists, self.error.is_some(), self.fault.is_some())
    }
}

/// Of an address among the registers of domains: which domain, and which of its words, if one is there.
fn domain_register(address: u32) -> Option<(usize, usize)> {
    let offset = address - at::DOMAIN;
    let (domain, byte) = (offset / at::DOMAIN_STEP, offset % at::DOMAIN_STEP);
    (byte % 4 == 0 && byte <= at::LOCAL_OFFSET).then_some((domain as usize, byte as usize / 4))
}

/// HOST-061, HOST-063: a semaphore gets its value, with the time; here each write is over before the next step.
pub(super) fn release(
    memory: &mut Memory,
    code: Code,
    semaphore: u32,
    value: u32,
    time: Option<u64>,
) -> Result<(), Wrong> {
    if let Some(time) = time {
        save(memory, code, semaphore + 4, 0)?;
        save(memory, code, semaphore + 8, time as u32)?;
        save(memory, code, semaphore + 12, (time >> 32) as u32)?;
    }
    save(memory, code, semaphore, value)
}
