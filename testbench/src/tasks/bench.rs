//! Memory, host and threads around `weft_tasks`; every step is compared with the model.

use super::cover::Cover;
use super::device::{kind, Device, Inputs, Request, Shape, Step};
use super::sms::{Act, Life, Sm};
use crate::seed::{stream, Rng};
use rand::Rng as _;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use weft_sim::host::descriptor::word;
use weft_sim::host::registers::{at, MOST_SMS};
use weft_sim::host::tasks::{CtaFault, Naming, Source};
use weft_sim::host::{Descriptor, Front, Mutation, Size, Start, TaskStep, Tasks};
use weft_sim::Memory;

/// Bytes that there are.
pub const MEMORY: u32 = 0x8000;
/// A little more is said to be there: the rest gives error responses.
pub const MEMORY_END: u32 = 0x8100;
pub const THREAD_END: u32 = 0x5000;
pub const SPAWN_BASE: u32 = 0x1800;
/// The table of pending tasks, and its places: what stands there is not compared.
pub const TABLE: u32 = 0x6800;
pub const PLACES: u32 = 24;
const IN_TABLE: std::ops::Range<u32> = TABLE..TABLE + 128 * PLACES;

/// Requests of memory without an answer that there may be.
const MOST_REQUESTS: usize = 32;

/// Cycles that a step may take, and so somebody who is to be killed may live on.
const MOST_OF_A_STEP: u64 = 8_000;
/// Cycles in which an SM may not have heard yet that it is to end what runs there, or no more.
const UNHEARD: u64 = 4;

/// What is wrong, and when.
#[derive(Clone, Debug, thiserror::Error)]
#[error("cycle {cycle}: {text}")]
pub struct Wrong {
    pub cycle: u64,
    pub text: String,
}

/// What the threads of a CTA do.
pub type Plan = Box<dyn FnMut(&Start, &mut Rng) -> Life>;

pub struct Bench {
    device: Device,
    /// What the hardware sees, and what the model has seen.
    pub memory: Memory,
    known: Memory,
    /// Words that threads or host have written and the hardware has not read since.
    dirty: BTreeSet<u32>,
    front: Front,
    tasks: Tasks,
    pub sms: Vec<Sm>,
    plan: Plan,
    pub rng: Rng,
    pub cycle: u64,
    latency: u64,
    /// The memory takes `latency` cycles and is always ready, and so are the SMs: for measurements.
    pub plain: bool,
    /// Requests without an answer, and when each is answered at the earliest: in order (TASK-110).
    under_way: VecDeque<(Request, u64)>,
    waiting: Option<Request>,
    /// The request that must follow.
    follows: Option<Request>,
    last_read: u32,
    launch: Option<(u32, bool, u8)>,
    /// Code and place of launches that are over.
    pub launched: Vec<(u32, u8, u32)>,
    write: Option<(u32, u32)>,
    /// Task in each slot, whether it is a queue, and its COMPLETION as it was loaded.
    slots: Vec<Option<(u32, bool, u32)>>,
    /// The slot that the step under way is about: two slots can have one descriptor (TASK-056).
    slot: usize,
    /// Of each SM: since when what it hears of a kill is not as it should be.
    unheard: [u64; MOST_SMS],
    dependent: Option<Step>,
    /// Descriptors that have been counted, and by which sources.
    joins: BTreeMap<u32, BTreeSet<u64>>,
    completes_since: u64,
    /// A task that was inserted and is loaded next: its STATE is 2 at once (TASK-045).
    direct: Option<u32>,
    pub steps: Vec<Step>,
    /// When each of them was over.
    pub times: Vec<u64>,
    /// When an SM was told the first word of a CTA, and when it took the CTA.
    pub told: Option<u64>,
    pub taken: Option<u64>,
    last_step: u64,
    launch_since: u64,
    idle: bool,
    counts: [u32; 6],
    interrupts: [u32; 3],
    faults: Vec<[u32; 5]>,
    pub cover: Cover,
}

impl Bench {
    /// `latency`: cycles of the memory at most.
    pub fn new(device: Device, seed: u64, latency: u64, plan: Plan) -> Bench {
        Bench::behind_reset(device, (seed, latency), plan, 3)
    }

    /// The device, of which something is under way or not.
    pub fn into_device(self) -> (Device, bool) {
        let busy = !self.idle || self.waiting.is_some() || !self.under_way.is_empty();
        (self.device, busy)
    }

    /// A new one behind a reset of so many cycles; seed and latency as for [`Bench::new`].
    pub fn behind_reset(
        device: Device,
        (seed, latency): (u64, u64),
        plan: Plan,
        cycles: u32,
    ) -> Bench {
        let shape = device.shape;
        let size = Size {
            channels: 2,
            sms: shape.sms,
            slots: shape.slots,
            warps: shape.warps,
            threads: shape.threads,
            lanes: shape.threads,
            float: 0,
            scratchpad: 1024 * shape.scratchpad,
            mix: shape.mix,
        };
        let mut bench = Bench {
            device,
            memory: Memory::new(MEMORY),
            known: Memory::new(MEMORY),
            dirty: BTreeSet::new(),
            front: Front::new(size),
            tasks: Tasks::new(size),
            sms: vec![Sm::default(); shape.sms],
            plan,
            rng: stream(seed, "tasks"),
            cycle: 0,
            latency,
            plain: false,
            under_way: VecDeque::new(),
            waiting: None,
            follows: None,
            last_read: 0,
            launch: None,
            launched: Vec::new(),
            write: None,
            slots: vec![None; shape.slots],
            slot: 0,
            unheard: [0; MOST_SMS],
            dependent: None,
            joins: BTreeMap::new(),
            completes_since: 0,
            direct: None,
            steps: Vec::new(),
            times: Vec::new(),
            told: None,
            taken: None,
            last_step: 0,
            launch_since: 0,
            idle: false,
            counts: [0; 6],
            interrupts: [0; 3],
            faults: Vec::new(),
            cover: Cover::default(),
        };
        let reset = Inputs {
            reset: true,
            ..bench.inputs(false)
        };
        (0..cycles).for_each(|_| {
            bench.device.cycle(&reset);
        });
        bench
            .front
            .write(&mut bench.tasks, at::MEMORY_END, MEMORY_END);
        bench
            .front
            .write(&mut bench.tasks, at::THREAD_END, THREAD_END);
        bench
    }

    /// The model departs from a requirement: for tests that must notice it.
    pub fn mutate(&mut self, mutation: Mutation) {
        self.tasks.set_mutation(mutation);
    }

    pub fn shape(&self) -> Shape {
        self.device.shape
    }

    fn inputs(&self, ready: bool) -> Inputs {
        Inputs {
            ready,
            memory_end: MEMORY_END,
            thread_end: THREAD_END,
            now: self.cycle << 20 | self.cycle,
            ..Inputs::default()
        }
    }

    fn wrong(&self, text: impl Into<String>) -> Wrong {
        Wrong {
            cycle: self.cycle,
            text: text.into(),
        }
    }

    /// A word in the memory of the hardware.
    pub fn word(&self, address: u32) -> u32 {
        self.memory.read_u32(address).unwrap_or(0)
    }

    /// Threads or host write a word.
    pub fn store(&mut self, address: u32, value: u32) {
        if self
            .memory
            .write_bytes(address, &value.to_le_bytes())
            .is_ok()
        {
            self.dirty.insert(address);
        }
    }

    /// A descriptor is written.
    pub fn place(&mut self, address: u32, words: &[u32]) {
        for (n, &value) in (0..).zip(words) {
            self.store(address + 4 * n, value);
        }
    }

    /// LAUNCH of a channel of domain 0; it waits for the one before.
    ///
    /// # Errors
    /// Hardware and model differ.
    pub fn launch(&mut self, address: u32, private: bool) -> Result<(), Wrong> {
        self.launch_by(address, private, 0)
    }

    /// LAUNCH of a channel of this domain.
    ///
    /// # Errors
    /// Hardware and model differ.
    pub fn launch_by(&mut self, address: u32, private: bool, domain: u8) -> Result<(), Wrong> {
        while self.launch.is_some() {
            self.cycle()?;
        }
        self.launch = Some((address, private, domain));
        Ok(())
    }

    pub fn launches(&self) -> bool {
        self.launch.is_some()
    }

    /// Places a task in memory, launches it and waits until it is accepted: code and place.
    ///
    /// # Errors
    /// Hardware and model differ.
    pub fn run(&mut self, address: u32, words: &[u32]) -> Result<(u8, u32), Wrong> {
        self.place(address, words);
        self.launch(address, address >= THREAD_END)?;
        while self.launch.is_some() {
            self.cycle()?;
        }
        let (_, code, place) = *self.launched.last().expect("it is over");
        Ok((code, place))
    }

    /// The host writes a register.
    ///
    /// # Errors
    /// Hardware and model differ.
    pub fn set(&mut self, address: u32, value: u32) -> Result<(), Wrong> {
        self.write = Some((address, value));
        self.cycle()?;
        (0..8).try_for_each(|_| self.cycle())
    }

    /// The host reads a register.
    ///
    /// # Errors
    /// Hardware and model differ.
    pub fn get(&mut self, address: u32) -> Result<u32, Wrong> {
        self.step(Some(address))?;
        self.step(None)
    }

    /// # Errors
    /// Hardware and model differ.
    pub fn cycle(&mut self) -> Result<(), Wrong> {
        self.step(None).map(drop)
    }

    /// Until it is idle.
    ///
    /// # Errors
    /// Hardware and model differ, or it never is.
    pub fn rest(&mut self) -> Result<(), Wrong> {
        let from = self.cycle;
        loop {
            self.cycle()?;
            if self.idle && self.launch.is_none() {
                return Ok(());
            }
            if self.cycle > from + 400_000 || self.cycle > self.last_step.max(from) + 60_000 {
                let last = &self.steps[self.steps.len().saturating_sub(8)..];
                return Err(self.wrong(format!("it does not come to rest; last steps: {last:x?}")));
            }
        }
    }

    fn step(&mut self, read: Option<u32>) -> Result<u32, Wrong> {
        self.cycle += 1;
        self.tasks.set_clock(self.cycle);
        if self.launch.is_none() {
            self.launch_since = self.cycle;
        }
        if self.cycle > self.launch_since + 30_000 {
            return Err(self.wrong("LAUNCH is not answered"));
        }
        let ready = self.plain || self.rng.gen_bool(0.7) && self.under_way.len() < MOST_REQUESTS;
        let all_ready = self.plain || self.rng.gen_bool(0.6);
        let mut inputs = self.inputs(ready);
        inputs.read = read.unwrap_or(0);
        inputs.launch = self.launch;
        inputs.write = self.write.take();
        if let Some(&(request, due)) = self.under_way.front() {
            if self.cycle >= due {
                self.under_way.pop_front();
                inputs.done = Some(self.access(&request)?);
            }
        }
        for (input, sm) in inputs.sms.iter_mut().zip(&mut self.sms) {
            *input = sm.inputs(all_ready);
        }
        if let Some((address, value)) = inputs.write {
            self.front.write(&mut self.tasks, address, value);
            if address == at::FAULT {
                self.faults.clear();
            }
        }
        let outputs = self.device.cycle(&inputs);
        self.slot = outputs.slot;

        self.requested(outputs.request, ready)?;
        for n in 0..self.sms.len() {
            let shape = self.device.shape;
            let done = self.sms[n].cycle(&inputs.sms[n], &outputs.sms[n], self.cycle, &shape);
            done.map_err(|text| self.wrong(format!("SM {n}: {text}")))?;
            if outputs.sms[n].word.is_some() {
                self.told.get_or_insert(self.cycle);
            }
            if outputs.sms[n].cta.is_some() && inputs.sms[n].ready {
                self.taken.get_or_insert(self.cycle);
            }
            if let (true, Some(fault)) = (outputs.sms[n].fault_taken, inputs.sms[n].fault) {
                self.fault(n, &fault)?;
            }
        }
        for (count, now) in self.counts.iter_mut().zip(outputs.counts) {
            *count += u32::from(now);
        }
        for (count, now) in self.interrupts.iter_mut().zip(outputs.interrupts) {
            *count += u32::from(now);
        }
        if let Some(step) = outputs.step {
            self.last_step = self.cycle;
            self.steps.push(step);
            self.times.push(self.cycle);
            self.follow(&step)?;
        }
        if let Some((code, place)) = outputs.launched {
            let step = outputs
                .step
                .filter(|s| matches!(s.kind, kind::INSERT | kind::NAME) && s.source == 0);
            let said = step.map(|s| (s.code, s.place));
            let task = self.launch.take().map_or(0, |(task, ..)| task);
            if said.is_none_or(|s| s.0 != code || code != 0 && s.1 != place) {
                return Err(self.wrong("launch_done and the trace differ"));
            }
            self.launched.push((task, code, place));
        }
        for (n, sm) in outputs.sms.iter().enumerate().take(self.sms.len()) {
            self.hears(n, sm.kill)?;
        }
        let late = |since: u64| since + MOST_OF_A_STEP < self.cycle;
        let spared = self.tasks.doomed().find(|(_, _, since)| late(*since));
        if let Some((slot, told, since)) = spared {
            let text = format!("slot {slot} is to be killed since {since}, by KILL: {told}");
            return Err(self.wrong(text));
        }
        self.idle = outputs.idle;
        if outputs.idle {
            self.check_idle()?;
        }
        self.threads();
        Ok(outputs.read)
    }

    /// TASK-133.
    fn hears(&mut self, sm: usize, kill: bool) -> Result<(), Wrong> {
        let mut running = self.tasks.sms()[sm].running();
        let killed = running.any(|cta| self.tasks.is_killed(cta.slot));
        if kill == (killed && !self.device.shape.mix) {
            self.unheard[sm] = self.cycle;
        }
        match self.cycle - self.unheard[sm] > UNHEARD {
            true => Err(self.wrong(format!("SM {sm} hears of a kill: {kill}, not {killed}"))),
            false => Ok(()),
        }
    }

    /// A request stands until it is taken. Those under way are all reads or all writes, and within a line each names
    /// how many follow (TASK-110).
    fn requested(&mut self, request: Option<Request>, ready: bool) -> Result<(), Wrong> {
        if let Some(waiting) = self.waiting {
            if request != Some(waiting) {
                return Err(self.wrong(format!("{waiting:?} is taken back")));
            }
        }
        self.waiting = request;
        let Some(request) = request else {
            return Ok(());
        };
        let in_line = request.address / 4 % 16 + request.more < 16;
        let mixed = self.under_way.iter().any(|(r, _)| r.write != request.write);
        let expected = self.follows.is_none_or(|f| f.follows(&request));
        if request.address % 4 != 0 || !in_line || mixed || !expected {
            let (follows, others) = (self.follows, &self.under_way);
            return Err(self.wrong(format!(
                "{request:x?}, not {follows:x?}; beside {others:x?}"
            )));
        }
        if ready {
            self.waiting = None;
            self.follows = request.next();
            let due = match self.plain {
                true => self.cycle + self.latency,
                false => self.cycle + self.rng.gen_range(1..=self.latency),
            };
            self.under_way.push_back((request, due));
        }
        Ok(())
    }

    /// The memory does what it was asked: error, word.
    fn access(&mut self, request: &Request) -> Result<(bool, u32), Wrong> {
        let address = request.address;
        if request.write {
            self.dirty.remove(&address);
            self.last_read = 0;
            let done = self
                .memory
                .write_bytes(address, &request.data.to_le_bytes());
            return Ok((done.is_err(), self.rng.gen()));
        }
        let Ok(value) = self.memory.read_u32(address) else {
            self.last_read = address;
            return Ok((true, self.rng.gen()));
        };
        if IN_TABLE.contains(&address) && self.last_read != address - 4 {
            self.cover.saw(if address % 128 == 124 {
                "a place is used again"
            } else {
                "a place is read"
            });
        }
        if self.dirty.remove(&address) {
            let _ = self.known.write_bytes(address, &value.to_le_bytes());
        }
        // OPEN, then PUT of a queue in a slot (TASK-052).
        let task = address.wrapping_sub(4 * word::PUT);
        if self.last_read == task.wrapping_add(4 * word::OPEN) {
            let of_slot = self.slots.get(self.slot).copied().flatten();
            if of_slot.is_some_and(|s| (s.0, s.1) == (task, true)) {
                self.tasks.look(&self.known, self.slot);
                self.cover.saw("PUT and OPEN are read");
                let same = self.slots.iter().flatten().filter(|s| s.0 == task);
                if same.count() > 1 {
                    self.cover.saw("of a descriptor in two slots");
                }
            }
        }
        self.last_read = address;
        Ok((false, value))
    }

    fn fault(&mut self, sm: usize, fault: &super::device::Fault) -> Result<(), Wrong> {
        let running = self.tasks.running(sm, fault.place as usize);
        let Some(running) = running.copied() else {
            return Err(self.wrong("a fault where no CTA is"));
        };
        let word = 1 << 31
            | (sm as u32) << 24
            | (fault.warp as u32) << 16
            | (fault.thread as u32) << 8
            | fault.cause as u32;
        let (pc, address) = (fault.pc as u32, fault.address as u32);
        self.faults
            .push([word, pc, address, running.cta, running.task]);
        self.cover.saw("fault");
        Ok(())
    }

    fn follow(&mut self, step: &Step) -> Result<(), Wrong> {
        if let Some(task) = self.direct.take() {
            if (step.kind, step.task) != (kind::LOAD, task) {
                return Err(self.wrong(format!(
                    "{task:#x} is loaded at once, and then comes {step:x?}"
                )));
            }
            self.cover.saw("loaded at once");
        }
        let differ = |bench: &Bench, model: &dyn std::fmt::Debug| {
            Err(bench.wrong(format!("hardware: {step:x?}\n  model: {model:x?}")))
        };
        let said = |wrong: Option<weft_sim::host::registers::Wrong>| {
            let code = wrong.map_or(0, |w| w.code as u8);
            (code, wrong.map_or(step.place, |w| w.place))
        };
        match step.kind {
            kind::INSERT | kind::NAME if step.source == 0 => {
                let Some((task, private, domain)) = self.launch else {
                    return Err(self.wrong("INSERT or NAME without a LAUNCH"));
                };
                let from = if private { u32::MAX } else { 0 };
                let named =
                    self.tasks
                        .insert(&mut self.known, Source::Channel(0), from, task, domain);
                let counted = named == Ok(Naming::Counted);
                if task != step.task
                    || said(named.err()) != (step.code, step.place)
                    || counted != (step.kind == kind::NAME)
                {
                    return differ(self, &named);
                }
                self.named(step);
            }
            kind::INSERT | kind::NAME if step.source == 1 => {
                let model = self.tasks.spawn(&mut self.known);
                if !model.is_some_and(|model| is_said(&model, step)) {
                    return differ(self, &model);
                }
                self.named(step);
            }
            kind::INSERT | kind::NAME => {
                self.dependent = Some(*step);
                return Ok(());
            }
            kind::LOAD => {
                let model = self.tasks.load(&mut self.known);
                match model {
                    Some(TaskStep::Load { task, slot, wrong })
                        if (task, slot) == (step.task, step.slot)
                            && said(wrong) == (step.code, step.place) => {}
                    _ => return differ(self, &model),
                }
                self.cover.saw(format!("load: code {}", step.code));
                if step.code == 0 {
                    let (descriptor, started) = self.tasks.in_slot(step.slot).expect("it is there");
                    let completion = descriptor.words()[word::COMPLETION as usize];
                    self.slots[step.slot] =
                        Some((step.task, descriptor.queue.is_some(), completion));
                    if self.is_other(step.task, &descriptor) {
                        self.cover.saw("a task that was written over in its list");
                    }
                    if started != 0 {
                        self.cover.saw("goes on after an eviction");
                    }
                    let limits: Vec<u32> = (0..self.device.shape.sms)
                        .map(|sm| {
                            self.front
                                .read(&self.tasks, at::sm(sm, at::LOCAL_LIMIT), true)
                        })
                        .collect();
                    let smallest = limits.iter().min().copied();
                    if Some(descriptor.local) == smallest
                        && smallest != limits.iter().max().copied()
                    {
                        self.cover
                            .saw("as much local memory as the SM with the least of it has");
                    }
                    // Up to THREAD_LEVEL a task has the level of its descriptor, whoever launched it (TASK-025).
                    let bound = self.front.read(&self.tasks, at::THREAD_LEVEL, true);
                    let level = |slot: usize| self.tasks.in_slot(slot).map(|t| t.0.level);
                    let neighbour = Some(descriptor.level ^ 1);
                    if u32::from(descriptor.level | 1) <= bound
                        && (0..self.slots.len()).any(|slot| level(slot) == neighbour)
                    {
                        self.cover
                            .saw("levels that differ in the lowest bit are in slots");
                    }
                }
            }
            kind::START => self.started(step)?,
            kind::END => {
                let Some((place, failed)) = self.sms[step.sm].ended.take() else {
                    return Err(self.wrong("END without an end"));
                };
                let model = self.tasks.end(
                    &self.known,
                    step.sm,
                    place as usize,
                    failed.then(CtaFault::default),
                );
                let same = TaskStep::End {
                    sm: step.sm,
                    task: step.task,
                    cta: step.cta,
                    failed: step.flag,
                };
                if model != same {
                    return differ(self, &model);
                }
                self.cover.saw(if failed { "END, failed" } else { "END" });
            }
            kind::EVICT => {
                let model = self.tasks.evict();
                let (slot, task) = (step.slot, step.task);
                if model != Some(TaskStep::Evict { slot, task }) {
                    return differ(self, &model);
                }
                self.cover.saw("EVICT");
            }
            kind::RETURN => {
                let model = match step.flag {
                    true => self.tasks.return_evicted(&mut self.known),
                    false => self.tasks.give_up(&mut self.known),
                };
                let (slot, task, head) = (step.slot, step.task, step.flag);
                if model != Some(TaskStep::Return { slot, task, head }) {
                    return differ(self, &model);
                }
                self.slots[slot] = None;
                self.cover.saw(if head {
                    "RETURN to the head"
                } else {
                    "RETURN to the tail"
                });
            }
            kind::COMPLETE => self.completed(step)?,
            kind::KILL => {
                let evicted = self.tasks.is_evicted(step.slot);
                let model = self.tasks.kill(step.slot, step.flag);
                let (slot, task, told) = (step.slot, step.task, step.flag);
                if model != Some(TaskStep::Kill { slot, task, told }) {
                    return differ(self, &model);
                }
                self.cover.saw(match told {
                    true => "KILL, by the host",
                    false => "KILL, its time is over",
                });
                if evicted {
                    self.cover.saw("KILL of a task that is evicted");
                }
            }
            _ => {
                let model = self.tasks.idle(&mut self.known);
                if model != (false, Some(TaskStep::Lost)) {
                    return differ(self, &model);
                }
                self.cover.saw("LOST");
            }
        }
        self.direct = self.tasks.is_loaded_at_once();
        self.same_memory()
    }

    /// A descriptor was named, and counted or inserted or refused (TASK-027).
    fn named(&mut self, step: &Step) {
        let source = ["LAUNCH", "spawn", "dependent"][step.source as usize];
        if step.kind == kind::NAME {
            self.cover.saw(format!("{source}: counted"));
            self.joins.entry(step.task).or_default().insert(step.source);
            return;
        }
        self.cover.saw(format!("{source}: code {}", step.code));
        let Some(mut sources) = self.joins.remove(&step.task) else {
            return;
        };
        if matches!(step.code, 48 | 50) {
            self.cover.saw("refused when it is named last");
            self.joins.insert(step.task, sources);
        } else if step.code == 0 {
            self.cover.saw(format!("{source}: the last of several"));
            sources.insert(step.source);
            if sources.len() > 1 {
                self.cover.saw("named by others than at first");
            }
        }
    }

    fn started(&mut self, step: &Step) -> Result<(), Wrong> {
        let model = self.tasks.start(&mut self.known);
        let Some(TaskStep::Start(start)) = model else {
            return Err(self.wrong(format!("hardware: {step:x?}\n  model: {model:x?}")));
        };
        let cta = self.sms[step.sm]
            .ctas
            .iter_mut()
            .find(|cta| cta.life.is_none());
        let Some(cta) = cta else {
            return Err(self.wrong("START, and no SM has got it"));
        };
        let said = (
            step.slot,
            step.sm,
            step.task,
            step.cta,
            step.position,
            step.entries,
        );
        let model = (
            start.slot,
            start.sm,
            start.task,
            start.cta,
            start.first,
            start.entries,
        );
        let (words, place) = (cta.words, cta.place);
        let settings = |bench: &mut Bench, offset| {
            let at = at::sm(start.sm, offset);
            bench.front.read(&bench.tasks, at, false)
        };
        let mut expected = words_of(&start, self.device.shape.threads as u32);
        let domain = start.descriptor.domain;
        let offset = self.tasks.local_offset(domain);
        expected[21] = settings(self, at::LOCAL_BASE).wrapping_add(offset);
        expected[22] = settings(self, at::TOKEN_BASE);
        expected[23] = settings(self, at::TOKEN_SIZE);
        (expected[25], expected[24]) = self.tasks.window(domain);
        if domain != 0 {
            self.cover.saw("a CTA of another domain than 0");
        }
        if said != model || place != start.place as u64 || words != expected {
            return Err(self.wrong(format!(
                "hardware: {step:x?}, place {place}, {words:x?}\n  model: {start:x?}\n  {expected:x?}"
            )));
        }
        let life = (self.plan)(&start, &mut self.rng);
        let cycle = self.cycle;
        let cta = self.sms[step.sm]
            .ctas
            .iter_mut()
            .find(|cta| cta.life.is_none());
        let cta = cta.expect("it is there");
        cta.since = cycle;
        cta.life = Some(life);
        let fault = cta.life.as_mut().and_then(|life| life.fault.as_mut());
        if let Some(fault) = fault {
            fault.place = place;
        }
        if let Some(queue) = start.descriptor.queue {
            let part = if start.entries == queue.each {
                "all"
            } else {
                "fewer"
            };
            self.cover.saw(format!("START of a queue, {part}"));
        } else {
            self.cover.saw("START");
        }
        if start.scratchpad != 0 {
            self.cover.saw("scratchpad not at 0");
        }
        self.cover.saw(format!("on SM {}", start.sm));
        Ok(())
    }

    fn completed(&mut self, step: &Step) -> Result<(), Wrong> {
        let model = self.tasks.complete(&mut self.known);
        let hardware = self.dependent.take();
        let same = match model {
            Some((TaskStep::Complete { slot, task, failed }, dependent)) => {
                let child = match (dependent, hardware) {
                    (None, None) => true,
                    (Some(model), Some(step)) => {
                        self.named(&step);
                        is_said(&model, &step)
                    }
                    _ => false,
                };
                child && (slot, task, failed) == (step.slot, step.task, step.flag)
            }
            _ => false,
        };
        if !same {
            let text = format!("hardware: {hardware:x?}, {step:x?}\n  model: {model:x?}");
            return Err(self.wrong(text));
        }
        let said = self.slots[step.slot].take().map_or(0, |s| s.2);
        self.cover.saw(if step.flag {
            "COMPLETE, failed"
        } else {
            "COMPLETE"
        });
        // The time cannot be the model's: it must be one of this bench.
        let semaphore = said & !1;
        if said & 1 != 0 && self.memory.read_u32(semaphore + 12).is_ok() {
            let time =
                u64::from(self.word(semaphore + 12)) << 32 | u64::from(self.word(semaphore + 8));
            let cycle = time & 0xf_ffff;
            if time >> 20 != cycle || cycle > self.cycle || cycle < self.completes_since {
                return Err(self.wrong(format!("{time:#x} is no time of this task's end")));
            }
            self.completes_since = cycle;
            for n in [8, 12] {
                let value = self.word(semaphore + n);
                let _ = self.known.write_bytes(semaphore + n, &value.to_le_bytes());
            }
            self.cover.saw("completion with time");
        }
        Ok(())
    }

    /// Both memories are the same but for what the hardware has not read.
    fn same_memory(&mut self) -> Result<(), Wrong> {
        let same = |range: std::ops::Range<u32>| {
            self.memory.slice(range.clone()) == self.known.slice(range)
        };
        let range = 0x1000..MEMORY;
        if same(range.start..IN_TABLE.start) && same(IN_TABLE.end..range.end) {
            return Ok(());
        }
        for address in range.step_by(4) {
            let (hardware, model) = (
                self.word(address),
                self.known.read_u32(address).unwrap_or(0),
            );
            let known = self.dirty.contains(&address) || IN_TABLE.contains(&address);
            if hardware != model && !known {
                let text =
                    format!("memory at {address:#x}: {hardware:#x}, the model has {model:#x}");
                return Err(self.wrong(text));
            }
        }
        Ok(())
    }

    /// What stands in memory is no longer what was inserted, but for words that may change (TASK-012).
    fn is_other(&self, task: u32, descriptor: &Descriptor) -> bool {
        let words = descriptor.words();
        let mut fixed = (0..32).filter(|n| {
            let may_change = [
                word::RESERVE,
                word::PUT,
                word::GET,
                word::OPEN,
                word::STATE,
                word::NAMED,
            ];
            !may_change.contains(n)
        });
        fixed.any(|n| self.memory.read_u32(task + 4 * n).ok() != Some(words[n as usize]))
    }

    /// TASK-080.
    fn check_idle(&mut self) -> Result<(), Wrong> {
        if self.sms.iter().any(|sm| !sm.ctas.is_empty())
            || !self.under_way.is_empty()
            || self.launch.is_some()
        {
            return Err(self.wrong("idle with something in flight"));
        }
        let model = self.tasks.idle(&mut self.known);
        if model != (true, None) {
            return Err(self.wrong(format!("idle; model: {model:?}")));
        }
        Ok(())
    }

    /// All registers and counts are those of the model; it must be idle.
    ///
    /// # Errors
    /// What is different.
    pub fn check_registers(&mut self) -> Result<(), Wrong> {
        let older = (at::FIRST_SMS..at::SPAWN_BASE).step_by(4);
        let sm = (at::SM..at::SM_END).step_by(4).chain(older);
        let others = (at::SPAWN_BASE..at::FAULT).step_by(4);
        let table = (at::TABLE_BASE..=at::THREAD_LEVEL).step_by(4);
        let domains = (at::DOMAIN..=at::SPAWN_DOMAIN).step_by(4);
        let others = others
            .chain(table)
            .chain([at::LIMIT_MAX, at::KILL])
            .chain(domains);
        for address in sm.chain(others).collect::<Vec<_>>() {
            let hardware = self.get(address)?;
            let model = self.front.read(&self.tasks, address, true);
            if hardware != model {
                let text =
                    format!("register {address:#x}: {hardware:#x}, the model has {model:#x}");
                return Err(self.wrong(text));
            }
        }
        let first = self.faults.first().copied().unwrap_or([0; 5]);
        for (n, expected) in (0..).zip(first) {
            let hardware = self.get(at::FAULT + 4 * n)?;
            if hardware != expected {
                let text = format!("fault register {n}: {hardware:#x}, not {expected:#x}");
                return Err(self.wrong(text));
            }
        }
        let c = self.tasks.counters;
        let model = [
            c.spawns,
            c.dependents,
            c.ctas,
            c.ctas_done,
            c.evictions,
            c.done,
        ];
        let errors = self.front.read(&self.tasks, at::TASK_ERRORS, true);
        if self.counts != model || self.interrupts[0] != errors {
            let text = format!(
                "counted {:?}, {:?}; model: {model:?}, {errors}",
                self.counts, self.interrupts
            );
            return Err(self.wrong(text));
        }
        Ok(())
    }

    /// What threads do in this cycle.
    fn threads(&mut self) {
        for sm in 0..self.sms.len() {
            for n in 0..self.sms[sm].ctas.len() {
                self.cta(sm, n);
            }
        }
    }

    fn cta(&mut self, sm: usize, n: usize) {
        let cycle = self.cycle;
        let cta = &mut self.sms[sm].ctas[n];
        let since = cta.since;
        let Some(life) = &mut cta.life else {
            return;
        };
        let number = self.front.read(&self.tasks, at::SPAWN_NUMBER, false);
        let base = self.front.read(&self.tasks, at::SPAWN_BASE, false);
        if let Some((ticket, task, from)) = cta.ticket {
            let at = base + 4 * (ticket % number.max(1));
            if number == 0 || cycle > from + 5_000 {
                // Behind a hole in the ring nothing need ever be taken: the thread gives up, and so loses its own.
                cta.ticket = None;
                self.cover.saw("a thread gives up its ticket");
            } else if self.memory.read_u32(at) == Ok(0) {
                cta.ticket = None;
                self.store(at, task);
            }
            return;
        }
        if let Some(due) = life.acts.iter().position(|(at, _)| since + at <= cycle) {
            let (_, act) = life.acts.swap_remove(due);
            match act {
                Act::Put(queue, more) => {
                    let [put, get, n] =
                        [word::PUT, word::GET, word::ENTRIES].map(|w| self.word(queue + 4 * w));
                    let room = n.wrapping_sub(put.wrapping_sub(get));
                    if room <= n {
                        self.store(queue + 4 * word::PUT, put.wrapping_add(more.min(room)));
                    }
                }
                Act::Write(address, value) => self.store(address, value),
                Act::Add(address, value) => {
                    let value = self.word(address).wrapping_add(value);
                    self.store(address, value);
                    let task = address.wrapping_sub(4 * word::PREDECESSORS);
                    if self.joins.contains_key(&task) {
                        self.cover.saw("a thread adds a predecessor");
                    }
                }
                Act::Spawn(task) if number != 0 => {
                    let at = base + 4 * number;
                    let ticket = self.word(at);
                    self.store(at, ticket.wrapping_add(1));
                    self.sms[sm].ctas[n].ticket = Some((ticket, task, cycle));
                }
                Act::Lose if number != 0 => {
                    let at = base + 4 * number;
                    let ticket = self.word(at);
                    self.store(at, ticket.wrapping_add(1));
                }
                Act::Spawn(_) | Act::Lose => {}
            }
            return;
        }
        if life.acts.is_empty() && since + life.cycles <= cycle {
            cta.ending = true;
        }
    }
}

/// The model says of a descriptor that was named what the hardware says.
fn is_said(model: &TaskStep, step: &Step) -> bool {
    match *model {
        TaskStep::Name { task, .. } => (kind::NAME, task) == (step.kind, step.task),
        TaskStep::Insert { task, wrong, .. } => {
            let code = wrong.map_or(0, |w| w.code as u8);
            let place = wrong.map_or(step.place, |w| w.place);
            (kind::INSERT, task, code, place) == (step.kind, step.task, step.code, step.place)
        }
        _ => false,
    }
}

/// What an SM must be told of a CTA, but for its own settings (TASK-015, ISA-012).
fn words_of(start: &Start, lanes: u32) -> [u32; super::sms::WORDS] {
    let d: &Descriptor = &start.descriptor;
    let (words, threads) = (d.words(), d.threads());
    let (c, blocks) = (start.cta, threads.div_ceil(lanes));
    let (grid, place, all) = match d.queue {
        Some(queue) => (
            [queue.entries, queue.each, 1],
            [start.first, start.entries, 0],
            threads,
        ),
        None => {
            let [x, y, _] = d.grid;
            let place = [c % x, c / x % y, c / x / y];
            (d.grid, place, d.grid.iter().product::<u32>() * threads)
        }
    };
    let mut told = [0; super::sms::WORDS];
    told[..12].copy_from_slice(&words[..12]);
    told[2..5].copy_from_slice(&grid);
    told[12] = threads;
    told[13] = all;
    told[14] = c;
    told[15] = c.wrapping_mul(threads);
    told[16] = c.wrapping_mul(blocks);
    told[17..20].copy_from_slice(&place);
    told[20] = start.scratchpad;
    told
}
