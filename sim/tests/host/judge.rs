//! What must hold in any run, read from the events alone (HOST-090, TASK-090);
//! it knows nothing of how the model does it.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use weft_sim::host::front::command;
use weft_sim::host::gpu::Event;
use weft_sim::host::{Descriptor, Outcome, Size, Start, Step, TaskStep};

/// What is known of a program of the host beforehand.
#[derive(Clone, Debug, Default)]
pub struct Expected {
    /// Of each channel, for each entry in order: the addresses of its commands.
    pub entries: Vec<Vec<Vec<u32>>>,
    /// Entries of its ring.
    pub rings: Vec<u32>,
    /// Of an acquire's command the command that releases it.
    pub releases: HashMap<u32, u32>,
    pub tasks: HashMap<u32, Descriptor>,
}

#[derive(Clone, Debug, Default)]
struct Task {
    started: u32,
    running: u32,
    /// Next position of a queue.
    next: u32,
    order: usize,
    evicted: bool,
    done: u32,
}

pub struct Judge {
    expected: Expected,
    size: Size,
    /// Entries read, and commands executed of the last one.
    at: Vec<(usize, usize)>,
    executed: HashSet<u32>,
    lists: BTreeMap<u8, VecDeque<u32>>,
    tasks: HashMap<u32, Task>,
    slots: HashMap<usize, u32>,
    running: Vec<Start>,
    loads: usize,
}

impl Judge {
    pub fn new(expected: Expected, size: Size) -> Judge {
        Judge {
            at: vec![(0, 0); expected.entries.len()],
            tasks: expected
                .tasks
                .keys()
                .map(|&t| (t, Task::default()))
                .collect(),
            expected,
            size,
            executed: HashSet::new(),
            lists: BTreeMap::new(),
            slots: HashMap::new(),
            running: Vec::new(),
            loads: 0,
        }
    }

    pub fn sees(&mut self, event: &Event) -> Result<(), String> {
        match event {
            Event::Front(step) => self.front(step),
            Event::Task(step) => self.task(step),
        }
    }

    fn rests(&self) -> bool {
        self.slots.is_empty() && self.lists.values().all(VecDeque::is_empty)
    }

    fn front(&mut self, step: &Step) -> Result<(), String> {
        let (read, done) = &mut self.at[step.channel];
        let ring = self.expected.rings[step.channel];
        if step.outcome == Outcome::Waits {
            return Ok(());
        }
        if step.outcome != Outcome::Executed {
            return Err(format!("{step:?}"));
        }
        let entries = &self.expected.entries[step.channel];
        if !step.is_command {
            let complete = *read == 0 || *done == entries[*read - 1].len();
            if !complete || step.get != *read as u32 % ring || *read == entries.len() {
                return Err(format!("{step:?}: {read} entries read, {done} commands"));
            }
            (*read, *done) = (*read + 1, 0);
            return Ok(());
        }
        let here = step.get == (*read as u32 - 1) % ring;
        if !here || entries[*read - 1].get(*done) != Some(&step.address) {
            return Err(format!(
                "{step:?} is not command {done} of entry {}",
                *read - 1
            ));
        }
        *done += 1;
        self.executed.insert(step.address);
        let (code, flags) = (step.word & 0xff, step.word >> 8 & 0xff);
        let after_idle = code == command::SEM_RELEASE && flags & command::AFTER_IDLE != 0;
        if (code == command::WAIT_FOR_IDLE || after_idle) && !self.rests() {
            return Err(format!("{step:?}: not idle"));
        }
        if let Some(release) = self.expected.releases.get(&step.address) {
            if !self.executed.contains(release) {
                return Err(format!("{step:?} passes before its release"));
            }
        }
        Ok(())
    }

    /// A task has been accepted; one of threads does not go to the head of the highest list that it may be in (TASK-025).
    pub fn inserted(&mut self, task: u32, of_threads: bool) {
        let descriptor = &self.expected.tasks[&task];
        let list = self.lists.entry(descriptor.level).or_default();
        match descriptor.head && !(of_threads && descriptor.level == 15) {
            true => list.push_front(task),
            false => list.push_back(task),
        }
        let next = descriptor.queue.map_or(0, |queue| queue.get);
        let done = self.tasks[&task].done;
        self.tasks.insert(
            task,
            Task {
                next,
                done,
                ..Task::default()
            },
        );
    }

    fn task(&mut self, step: &TaskStep) -> Result<(), String> {
        let wrong = |what: &str| Err(format!("{step:?}: {what}"));
        match *step {
            TaskStep::Insert { wrong: Some(_), .. } | TaskStep::Load { wrong: Some(_), .. } => {
                return wrong("refused")
            }
            TaskStep::Lost => return wrong("lost"),
            TaskStep::Kill { .. } => return wrong("nobody is to be killed"),
            TaskStep::Name { .. } => return wrong("waits for others"),
            TaskStep::Insert { task, .. } => self.inserted(task, true),
            TaskStep::Load { task, slot, .. } => {
                let mut lists = self.lists.values_mut().rev();
                let highest = lists.find(|list| !list.is_empty());
                if highest.and_then(VecDeque::pop_front) != Some(task) {
                    return wrong("not the head of the highest list");
                }
                if slot >= self.size.slots || self.slots.insert(slot, task).is_some() {
                    return wrong("no free slot");
                }
                self.loads += 1;
                self.tasks.get_mut(&task).unwrap().order = self.loads;
            }
            TaskStep::Start(start) => return self.start(&start),
            TaskStep::End { sm, task, cta, .. } => {
                let same = |s: &Start| (s.sm, s.task, s.cta) == (sm, task, cta);
                let Some(n) = self.running.iter().position(same) else {
                    return wrong("does not run");
                };
                self.running.remove(n);
                self.tasks.get_mut(&task).unwrap().running -= 1;
            }
            TaskStep::Evict { slot, task } => {
                if self.slots.len() < self.size.slots || self.slots[&slot] != task {
                    return wrong("there is room");
                }
                let waits = self.lists.iter().rev().find(|(_, list)| !list.is_empty());
                let level = self.expected.tasks[&task].level;
                if waits.is_none_or(|(&waiting, _)| waiting <= level) {
                    return wrong("for nobody");
                }
                self.tasks.get_mut(&task).unwrap().evicted = true;
            }
            TaskStep::Return { slot, task, head } => {
                let state = self.tasks.get_mut(&task).unwrap();
                if self.slots.remove(&slot) != Some(task) || state.running != 0 {
                    return wrong("at no boundary");
                }
                if state.evicted != head {
                    return wrong("the other end");
                }
                state.evicted = false;
                let list = self
                    .lists
                    .entry(self.expected.tasks[&task].level)
                    .or_default();
                match head {
                    true => list.push_front(task),
                    false => list.push_back(task),
                }
            }
            TaskStep::Complete { slot, task, failed } => {
                let state = self.tasks.get_mut(&task).unwrap();
                let ctas = self.expected.tasks[&task].ctas();
                let all = ctas.is_none_or(|ctas| ctas == state.started);
                if self.slots.remove(&slot) != Some(task) || state.running != 0 || !all || failed {
                    return wrong("CTAs are missing");
                }
                state.done += 1;
            }
        }
        Ok(())
    }

    fn start(&mut self, start: &Start) -> Result<(), String> {
        let wrong = |what: &str| Err(format!("CTA {} of {:#x}: {what}", start.cta, start.task));
        let descriptor = &self.expected.tasks[&start.task];
        let rank = |task: u32, order: usize| (15 - self.expected.tasks[&task].level, order);
        let own = rank(start.task, self.tasks[&start.task].order);
        for &other in self.slots.values() {
            let state = &self.tasks[&other];
            let left = self.expected.tasks[&other]
                .ctas()
                .is_some_and(|n| state.started < n);
            if left && !state.evicted && rank(other, state.order) < own {
                return wrong("somebody else's turn");
            }
        }
        let state = self.tasks.get_mut(&start.task).unwrap();
        if self.slots.get(&start.slot) != Some(&start.task) || state.evicted {
            return wrong("not active");
        }
        if state.started != start.cta || descriptor.ctas().is_some_and(|n| start.cta >= n) {
            return wrong("not the next one");
        }
        if let Some(queue) = descriptor.queue {
            if start.first != state.next || !(1..=queue.each).contains(&start.entries) {
                return wrong("not the next entries");
            }
            state.next = state.next.wrapping_add(start.entries);
        }
        state.started += 1;
        state.running += 1;
        self.running.push(*start);
        let on: Vec<&Start> = self.running.iter().filter(|s| s.sm == start.sm).collect();
        let warps = |s: &&Start| s.descriptor.threads().div_ceil(self.size.threads as u32);
        if on.len() > 16 || on.iter().map(warps).sum::<u32>() > self.size.warps as u32 {
            return wrong("no warps");
        }
        if !self.size.mix && on.iter().any(|s| s.slot != start.slot) {
            return wrong("beside another task");
        }
        let granule = self.size.scratchpad / 32;
        let bytes = |s: &Start| s.descriptor.scratchpad.div_ceil(granule) * granule;
        let (begin, end) = (start.scratchpad, start.scratchpad + bytes(start));
        let meets = |s: &&&Start| begin < s.scratchpad + bytes(s) && s.scratchpad < end;
        let among = on.iter().filter(|s| bytes(s) != 0 && bytes(start) != 0);
        if end > self.size.scratchpad || among.filter(meets).count() > 1 {
            return wrong("no scratchpad");
        }
        let places = on.iter().filter(|s| s.place == start.place);
        if places.count() > 1 {
            return wrong("a place that is taken");
        }
        Ok(())
    }

    /// Everything was executed, each entry once, and every task has completed once.
    pub fn is_over(&self) -> Result<(), String> {
        for (channel, entries) in self.expected.entries.iter().enumerate() {
            let all = (entries.len(), entries.last().map_or(0, Vec::len));
            if self.at[channel] != all {
                let at = self.at[channel];
                return Err(format!("channel {channel} ends at {at:?} of {all:?}"));
            }
        }
        for (task, state) in &self.tasks {
            if state.done != 1 {
                return Err(format!("task {task:#x} has completed {} times", state.done));
            }
        }
        match self.rests() {
            true => Ok(()),
            false => Err("something is left".into()),
        }
    }

    /// Position after the last entry that a queue's CTAs have been given.
    pub fn given(&self, task: u32) -> u32 {
        self.tasks[&task].next
    }
}
