//! `weft_host` between a host, a memory and a stand-in for task management, in lockstep with the model at every step
//! (HOST-090).
//!
//! HOST-070 is what makes this possible: writes of the host and steps are one after the other.
//! The model sees of memory what the hardware has read: a word goes into its memory when the answer to a read is given.
//! So whoever else writes memory may do so at any time.

use crate::dut::{DutError, RtlKind};
use crate::rtl::model::{ports, Model, Options};
use crate::seed::{stream, Rng};
use rand::Rng as _;
use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;
use std::path::Path;
use weft_generate::{Design, Impossible, Unit};
use weft_sim::host::front::command;
use weft_sim::host::registers::at;
use weft_sim::host::tasks::Source;
use weft_sim::host::{Code, Front, Mutation, Outcome, Size, Step, Tasks};
use weft_sim::memory::Memory;

ports! { Inputs, In, input:
    reset host_awvalid host_awaddr host_wvalid host_wdata host_wstrb host_bready host_arvalid host_araddr host_rready
    memory_ready memory_done memory_error memory_read launch_done launch_code launch_place forget_done reg_read_data
    idle tasks_in_slots tasks_listed task_error fault interrupt_task_error interrupt_fault interrupt_complete
    count_spawn count_dependent count_start count_end count_evict count_complete
}

ports! { Outputs, Out, output:
    host_awready host_wready host_bvalid host_bresp host_arready host_rvalid host_rdata host_rresp host_interrupt
    memory_request memory_write memory_address memory_data memory_more launch_request launch_descriptor launch_private launch_domain
    forget_request forget_instructions forget_data reg_write reg_address reg_data reg_read_address memory_end
    thread_end now trace_valid trace_channel trace_command trace_get trace_address trace_word trace_result trace_code
}

/// Here lie descriptors, and nothing that the front end writes.
pub const DESCRIPTORS: Range<u32> = 0x8000..0x8400;

/// Bytes of memory; what lies behind answers with an error.
pub const MEMORY: u32 = 0x1_0000;
/// Threads reach what lies below.
pub const THREAD_END: u32 = 0xC000;
/// Cycles that nobody may stay without an answer.
const PATIENCE: u64 = 5_000;

/// Channels of the front end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostSize(pub usize);

impl HostSize {
    /// # Errors
    /// There is no such size.
    pub fn design(self) -> Result<Design, Impossible> {
        let parameters = [("warps", 4), ("threads", 4), ("channels", self.0 as u64)];
        Design::new(Unit::Host, &parameters)
    }

    /// As the model has it.
    pub fn size(self) -> Size {
        Size {
            channels: self.0,
            warps: 4,
            threads: 4,
            lanes: 4,
            ..Size::default()
        }
    }
}

/// How to make a bench.
#[derive(Clone, Copy, Debug, Default)]
pub struct Setup<'a> {
    pub seed: u64,
    /// Cycles of a memory access: at least, and how many more at most.
    pub latency: (u32, u32),
    /// A broken copy.
    pub fault: Option<&'a str>,
    /// A departure of the model.
    pub mutation: Option<Mutation>,
    pub wave: Option<&'a Path>,
}

/// What the host does at its port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Write(u32, u32),
    Read(u32),
}

#[derive(Clone, Copy, Debug)]
struct Request {
    write: bool,
    address: u32,
    data: u32,
    left: u32,
}

/// What happened, for coverage and directed tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happening {
    Step { step: Step, cycle: u64 },
    Written(Written),
    Read { address: u32, value: u32 },
}

/// A write to a channel, or to another register, has taken effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    pub address: u32,
    pub value: u32,
    /// It was GP_PUT of a channel; its ring is empty then.
    pub doorbell: bool,
    pub empty: bool,
    /// A step of the channel was under way.
    pub in_step: bool,
    /// The error that it makes.
    pub error: Option<Code>,
    /// It stops the channel inside a block.
    pub disabled_inside: bool,
}

/// Inputs of a cycle that the reads of registers show.
#[derive(Clone, Copy, Debug, Default)]
struct Status {
    idle: bool,
    slots: u32,
    listed: bool,
    error: bool,
    fault: bool,
    /// Pulses: three interrupts, six counters.
    interrupts: u32,
    counts: [u32; 6],
}

pub struct Bench {
    model: Model,
    inputs: Inputs,
    outputs: Outputs,
    size: Size,
    rng: Rng,
    latency: (u32, u32),
    pub cycle: u64,
    /// Words; index = address / 4.
    words: Vec<u32>,
    pub front: Front,
    pub tasks: Tasks,
    shadow: Memory,
    accesses: VecDeque<Access>,
    current: Option<Access>,
    sent: (bool, bool),
    b_seen: bool,
    r_seen: bool,
    /// Of 100 cycles, those in which the host holds back.
    pub gap: u32,
    /// Taken and not answered: answers come in order.
    requests: VecDeque<Request>,
    /// Where the next request must go to: its line goes on.
    follows: Option<(u32, u32)>,
    /// `memory_ready` of this cycle.
    ready: bool,
    /// A request was held and not taken: it must stay.
    held: Option<(bool, u32, u32)>,
    launch: Option<(u32, u8, u32)>,
    launched: Option<(u32, bool, u8)>,
    forget: Option<u32>,
    forgets: Option<(bool, bool)>,
    answered: bool,
    /// TASK-080, as the stand-in says; with `None` it comes and goes.
    pub idle: Option<bool>,
    status: Status,
    before: Status,
    /// Seen since the last step: idle, not idle.
    idles: (bool, bool),
    /// Reads and writes of the step.
    done_reads: Vec<u32>,
    done_writes: Vec<(u32, u32)>,
    last_step: u64,
    /// A step's first request in this cycle: the front end as it was when the step was chosen.
    past: VecDeque<(Front, bool)>,
    chosen: Option<(Front, bool, u64)>,
    /// Of each channel: when it may read its semaphore again.
    due: Vec<u64>,
    poll: u64,
    interrupts: u32,
    counts: [u32; 6],
    quiet: u64,
    reg_asked: u32,
    /// Writes to task management that it has seen.
    reg_writes: u32,
    pub happened: Vec<Happening>,
    waiting_since: u64,
    /// Cycles in which nothing is random.
    pub plain: bool,
}

fn mix(address: u32) -> u32 {
    address.wrapping_mul(0x9E37_79B9) ^ 0x5A5A_0000
}

impl Bench {
    /// # Errors
    /// The hardware cannot be made.
    pub fn new(size: HostSize, setup: &Setup) -> Result<Bench, DutError> {
        let options = Options {
            fault: setup.fault,
            seed: setup.seed as u32 | 1,
            wave: setup.wave,
            wave_from: 0,
        };
        let model = Model::open(RtlKind::Verilated, &size.design()?, &options)?;
        Ok(Bench::behind_reset(model, size.size(), setup, 2))
    }

    /// A reset of so many cycles, of what is at the ports, too: nothing is under way, and memory is as new.
    pub fn reset(self, setup: &Setup, cycles: u32) -> Bench {
        Bench::behind_reset(self.model, self.size, setup, cycles)
    }

    /// Something is under way: a step, a request, an access of the host.
    pub fn is_busy(&self) -> bool {
        self.chosen.is_some() || !self.requests.is_empty() || self.current.is_some()
    }

    fn behind_reset(model: Model, size: Size, setup: &Setup, cycles: u32) -> Bench {
        let (inputs, outputs) = (Inputs::of(&model), Outputs::of(&model));
        let mut front = Front::new(size);
        if let Some(mutation) = setup.mutation {
            front.set_mutation(mutation);
        }
        let mut tasks = Tasks::new(size);
        if let Some(mutation) = setup.mutation {
            tasks.set_mutation(mutation);
        }
        let mut bench = Bench {
            model,
            inputs,
            outputs,
            size,
            rng: stream(setup.seed, "host bench"),
            latency: setup.latency,
            cycle: 0,
            words: vec![0; MEMORY as usize / 4],
            front,
            tasks,
            shadow: Memory::new(MEMORY),
            accesses: VecDeque::new(),
            current: None,
            sent: (false, false),
            b_seen: false,
            r_seen: false,
            gap: 0,
            requests: VecDeque::new(),
            follows: None,
            ready: false,
            held: None,
            launch: None,
            launched: None,
            forget: None,
            forgets: None,
            answered: false,
            idle: Some(true),
            status: Status::default(),
            before: Status::default(),
            idles: (false, false),
            done_reads: Vec::new(),
            done_writes: Vec::new(),
            last_step: 0,
            past: VecDeque::new(),
            chosen: None,
            due: vec![0; size.channels],
            poll: 16,
            interrupts: 0,
            counts: [0; 6],
            quiet: 0,
            reg_asked: 0,
            reg_writes: 0,
            happened: Vec::new(),
            waiting_since: 0,
            plain: true,
        };
        for _ in 0..cycles {
            bench.model.set(bench.inputs.reset, 1);
            bench.model.settle();
            bench.model.edge();
        }
        bench.model.set(bench.inputs.reset, 0);
        bench.host(Access::Write(at::MEMORY_END, MEMORY));
        bench.host(Access::Write(at::THREAD_END, THREAD_END));
        for sm in 0..size.sms {
            // The registers of task management: its stand-in is told, the model too.
            bench.host(Access::Write(at::sm(sm, at::LOCAL_LIMIT), 4096));
        }
        bench
    }

    pub fn size(&self) -> &Size {
        &self.size
    }

    /// The host has something to do at its port, behind what it had.
    pub fn host(&mut self, access: Access) {
        self.accesses.push_back(access);
    }

    pub fn set(&mut self, channel: usize, offset: u32, value: u32) {
        self.host(Access::Write(at::channel(channel, offset), value));
    }

    /// Accesses that are not over.
    pub fn host_waits(&self) -> bool {
        self.current.is_some() || !self.accesses.is_empty()
    }

    /// Somebody writes memory.
    pub fn poke(&mut self, address: u32, words: &[u32]) {
        for (i, word) in words.iter().enumerate() {
            self.words[address as usize / 4 + i] = *word;
        }
    }

    pub fn peek(&self, address: u32) -> u32 {
        self.words[address as usize / 4]
    }

    /// The register, as the model has it.
    pub fn register(&mut self, channel: usize, offset: u32) -> u32 {
        let address = at::channel(channel, offset);
        self.front.read(&self.tasks, address, false)
    }

    /// # Errors
    /// What is wrong in this cycle.
    pub fn run(&mut self, cycles: u64) -> Result<(), String> {
        (0..cycles).try_for_each(|_| self.step())
    }

    /// Until the host has nothing to do and no step has come for so many cycles.
    ///
    /// # Errors
    /// What is wrong.
    pub fn settle(&mut self, quiet: u64) -> Result<(), String> {
        let end = self.cycle + 200_000;
        let mut since = self.cycle;
        while self.host_waits() || self.cycle < since.max(self.last_step) + quiet {
            if self.host_waits() || !self.requests.is_empty() {
                since = self.cycle;
            }
            if self.cycle > end {
                return Err("it does not come to rest".into());
            }
            self.step()?;
        }
        Ok(())
    }

    /// One cycle.
    ///
    /// # Errors
    /// What is wrong in it.
    pub fn step(&mut self) -> Result<(), String> {
        self.drive();
        self.model.settle();
        let result = self.look();
        self.model.edge();
        self.cycle += 1;
        result.map_err(|e| format!("cycle {}: {e}", self.cycle - 1))
    }

    fn chance(&mut self, percent: u32) -> bool {
        !self.plain && self.rng.gen_range(0..100) < percent
    }

    fn out(&self, port: crate::rtl::Out) -> u32 {
        self.model.get(port) as u32
    }

    fn on(&self, port: crate::rtl::Out) -> bool {
        self.model.get(port) != 0
    }

    fn drive(&mut self) {
        self.before = self.status;
        let changes = self.chance(3);
        self.status = Status {
            idle: self.idle.unwrap_or(self.before.idle != changes),
            ..Status::default()
        };
        if !self.plain {
            self.status.slots = self.rng.gen_range(0..9);
            self.status.listed = self.rng.gen();
            self.status.error = self.rng.gen();
            self.status.fault = self.rng.gen();
            for bit in 16..19 {
                self.status.interrupts |= u32::from(self.chance(1)) << bit;
            }
            for i in 0..6 {
                self.status.counts[i] = u32::from(self.chance(10));
            }
        }
        let s = self.status;
        let (i, m) = (&self.inputs, &mut self.model);
        for (port, value) in [
            (i.idle, u32::from(s.idle)),
            (i.tasks_in_slots, s.slots),
            (i.tasks_listed, u32::from(s.listed)),
            (i.task_error, u32::from(s.error)),
            (i.fault, u32::from(s.fault)),
            (i.interrupt_task_error, s.interrupts >> 16 & 1),
            (i.interrupt_fault, s.interrupts >> 17 & 1),
            (i.interrupt_complete, s.interrupts >> 18 & 1),
            (i.count_spawn, s.counts[0]),
            (i.count_dependent, s.counts[1]),
            (i.count_start, s.counts[2]),
            (i.count_end, s.counts[3]),
            (i.count_evict, s.counts[4]),
            (i.count_complete, s.counts[5]),
            (i.reg_read_data, mix(self.reg_asked)),
        ] {
            m.set(port, u64::from(value));
        }
        self.drive_host();
        self.drive_memory();
        self.drive_others();
    }

    fn drive_host(&mut self) {
        let gap = self.gap;
        let holds = |rng: &mut Rng| gap != 0 && rng.gen_range(0..100) < gap;
        if self.current.is_none() && !holds(&mut self.rng) {
            self.current = self.accesses.pop_front();
            self.sent = (false, false);
            self.waiting_since = self.cycle;
        }
        let (mut aw, mut w, mut ar) = (None, None, None);
        match self.current {
            Some(Access::Write(address, value)) => {
                aw = (!self.sent.0).then_some(address);
                w = (!self.sent.1).then_some(value);
            }
            Some(Access::Read(address)) => ar = (!self.sent.0).then_some(address),
            None => (),
        }
        let (b, r) = (!holds(&mut self.rng), !holds(&mut self.rng));
        let (i, m) = (&self.inputs, &mut self.model);
        m.set(i.host_awvalid, aw.is_some().into());
        m.set(i.host_awaddr, aw.unwrap_or(0).into());
        m.set(i.host_wvalid, w.is_some().into());
        m.set(i.host_wdata, w.unwrap_or(0).into());
        m.set(i.host_wstrb, 15);
        m.set(i.host_arvalid, ar.is_some().into());
        m.set(i.host_araddr, ar.unwrap_or(0).into());
        m.set(i.host_bready, b.into());
        m.set(i.host_rready, r.into());
    }

    fn drive_memory(&mut self) {
        let ready = self.requests.len() < 4 && !self.chance(30);
        let (mut done, mut error, mut read) = (false, false, 0xDEAD_BEEFu32);
        for request in &mut self.requests {
            request.left = request.left.saturating_sub(1);
        }
        if let Some(&request) = self.requests.front() {
            if request.left == 0 {
                self.requests.pop_front();
                done = true;
                let at = request.address as usize / 4;
                error = at >= self.words.len();
                if !error && request.write {
                    self.words[at] = request.data;
                    self.done_writes.push((request.address, request.data));
                } else if !error {
                    read = self.words[at];
                    self.done_reads.push(request.address);
                    let written = self
                        .shadow
                        .write_bytes(request.address, &read.to_le_bytes());
                    debug_assert!(written.is_ok(), "{:#x}", request.address);
                }
            }
        }
        let (i, m) = (&self.inputs, &mut self.model);
        self.ready = ready;
        m.set(i.memory_ready, self.ready.into());
        m.set(i.memory_done, done.into());
        m.set(i.memory_error, error.into());
        m.set(i.memory_read, read.into());
    }

    fn drive_others(&mut self) {
        let (mut done, mut code, mut place) = (false, 0, 0);
        if let Some((left, c, p)) = &mut self.launch {
            if *left == 0 {
                (done, code, place) = (true, *c, *p);
                self.launch = None;
                self.answered = true;
            } else {
                *left -= 1;
            }
        }
        let mut forgotten = false;
        if let Some(left) = &mut self.forget {
            if *left == 0 {
                forgotten = true;
                self.forget = None;
                self.answered = true;
            } else {
                *left -= 1;
            }
        }
        let (i, m) = (&self.inputs, &mut self.model);
        m.set(i.launch_done, done.into());
        m.set(i.launch_code, code.into());
        m.set(i.launch_place, place.into());
        m.set(i.forget_done, forgotten.into());
    }

    /// What is seen in this cycle.
    fn look(&mut self) -> Result<(), String> {
        let o = &self.outputs;
        let (b, r) = (self.on(o.host_bvalid), self.on(o.host_rvalid));
        if b && !self.b_seen {
            self.written()?;
            // A second one may follow.
            self.current = None;
        }
        if r && !self.r_seen {
            self.read()?;
            self.current = None;
        }
        self.b_seen = b;
        self.r_seen = r;
        if self.on(self.outputs.reg_write) {
            let asked = (
                self.out(self.outputs.reg_address),
                self.out(self.outputs.reg_data),
            );
            if self.current != Some(Access::Write(asked.0, asked.1)) {
                return Err(format!("task management is told {asked:x?}"));
            }
            self.reg_writes += 1;
        }
        self.look_at_line()?;
        // What this cycle's Front is, for the step that may be chosen in it.
        self.past.push_back((self.front.clone(), self.status.idle));
        if self.past.len() > 6 {
            self.past.pop_front();
        }
        if self.status.idle {
            self.idles.0 = true;
        } else {
            self.idles.1 = true;
        }
        self.look_at_requests()?;
        if self.on(self.outputs.trace_valid) {
            self.traced()?;
        }
        self.handshakes();
        // Pulses show one cycle later than what is written.
        self.interrupts |= self.before.interrupts;
        for i in 0..6 {
            self.counts[i] = self.counts[i].wrapping_add(self.before.counts[i]);
        }
        if self.current.is_some() && self.cycle > self.waiting_since + PATIENCE {
            return Err(format!("{:?} has no answer", self.current));
        }
        Ok(())
    }

    fn handshakes(&mut self) {
        let o = &self.outputs;
        let i = [
            self.on(o.host_awready),
            self.on(o.host_wready),
            self.on(o.host_arready),
        ];
        match self.current {
            Some(Access::Write(..)) => {
                self.sent.0 |= i[0];
                self.sent.1 |= i[1];
            }
            Some(Access::Read(_)) => self.sent.0 |= i[2],
            None => (),
        }
        self.reg_asked = self.out(self.outputs.reg_read_address);
    }

    /// A write has its effect behind it.
    fn written(&mut self) -> Result<(), String> {
        let Some(Access::Write(address, value)) = self.current else {
            return Err("a write response that nobody has asked for".into());
        };
        self.quiet = self.cycle;
        if std::mem::take(&mut self.reg_writes) != u32::from(address >= at::FIRST_SMS) {
            return Err(format!(
                "{address:#x} is not written once in task management"
            ));
        }
        if address == at::INTERRUPT {
            self.interrupts &= !value;
        }
        if address == at::POLL {
            self.poll = u64::from(value & 0xffff).max(1);
        }
        let mut written = Written {
            address,
            value,
            ..Written::default()
        };
        let channel = (address.wrapping_sub(at::CHANNEL) / at::CHANNEL_STEP) as usize;
        let of_channel = channel < self.size.channels;
        let status = |bench: &mut Bench| match of_channel {
            true => bench.register(channel, at::CHANNEL_STATUS),
            false => 0,
        };
        let before = status(self);
        self.front.write(&mut self.tasks, address, value);
        let after = status(self);
        if of_channel {
            let code = self.register(channel, at::ERROR) & 0xff;
            let code = Code::ALL.iter().find(|c| **c as u32 == code).copied();
            written.doorbell = address % at::CHANNEL_STEP == at::GP_PUT;
            written.empty = after & 2 != 0;
            let chosen = self.chosen.as_ref();
            written.in_step = chosen.is_some_and(|c| c.0.choose(c.1) == Some(channel));
            written.error = code.filter(|_| before & 32 == 0 && after & 32 != 0);
            written.disabled_inside = before & 5 == 5 && after & 5 == 4;
        }
        self.happened.push(Happening::Written(written));
        Ok(())
    }

    /// HOST, *Registers*: what was read, as it was in the cycle before.
    fn read(&mut self) -> Result<(), String> {
        let Some(Access::Read(address)) = self.current else {
            return Err("an answer that nobody has asked for".into());
        };
        let found = self.out(self.outputs.host_rdata);
        let s = self.before;
        let from_model = self.front.read(&self.tasks, address, s.idle);
        let flag = |on: bool, bit: u32| u32::from(on) << bit;
        let counter = |i: usize| self.counts[i];
        let expected = match address {
            at::STATUS => {
                (from_model & 3)
                    | flag(s.error, 2)
                    | flag(s.fault, 3)
                    | s.slots << 8
                    | flag(s.listed, 16)
            }
            at::INTERRUPT => from_model & 0xffff | self.interrupts,
            // About as many cycles as the bench counts.
            at::TIME => match u64::from(found).abs_diff(self.cycle) < 4 {
                true => found,
                false => self.cycle as u32,
            },
            at::TIME_HIGH => 0,
            at::SPAWNS => counter(0),
            at::DEPENDENTS => counter(1),
            at::CTAS => counter(2),
            at::CTAS_DONE => counter(3),
            at::EVICTIONS => counter(4),
            at::TASKS_DONE => counter(5),
            at::FIRST_SMS.. => mix(address),
            at::CHANNEL..=0x2ff
                if matches!(address & 0x3f, at::ERROR_ENTRY | at::ERROR_ADDRESS) =>
            {
                let channel = ((address - at::CHANNEL) / at::CHANNEL_STEP) as usize;
                // They count while there is an error.
                match self.register(channel, at::ERROR) >> 31 {
                    1 => from_model,
                    _ => found,
                }
            }
            _ => from_model,
        };
        if found != expected {
            return Err(format!(
                "register {address:#05x} reads {found:#x}, expected {expected:#x}"
            ));
        }
        self.happened.push(Happening::Read {
            address,
            value: found,
        });
        Ok(())
    }

    /// The line `interrupt`, when nothing has changed for a while.
    fn look_at_line(&mut self) -> Result<(), String> {
        if self.status.interrupts | self.before.interrupts != 0 {
            self.quiet = self.cycle;
        }
        if self.cycle > self.quiet + 4 && self.cycle > self.last_step + 4 {
            let pending = self.front.read(&self.tasks, at::INTERRUPT, false) | self.interrupts;
            let enable = self.front.read(&self.tasks, at::INTERRUPT_ENABLE, false);
            let line = self.on(self.outputs.host_interrupt);
            // An access may be having its effect.
            if self.current.is_none() && line != (pending & enable != 0) {
                return Err(format!(
                    "interrupt is {line}: {pending:#x}, enabled {enable:#x}"
                ));
            }
        }
        Ok(())
    }

    fn look_at_requests(&mut self) -> Result<(), String> {
        let o = &self.outputs;
        let (on, write) = (self.on(o.memory_request), self.on(o.memory_write));
        let (address, data) = (self.out(o.memory_address), self.out(o.memory_data));
        let ready = self.ready;
        if let Some(held) = self.held {
            if !on || held != (write, address, data) {
                return Err(format!("a request has changed: {held:x?}"));
            }
        }
        // HOST-071: only words of one line, or of one entry or command, follow each other without an answer between.
        let more = self.out(o.memory_more);
        if on && !self.requests.is_empty() && (write || self.requests.iter().any(|r| r.write)) {
            return Err("HOST-071: a second request".into());
        }
        let follows = self.follows.is_none_or(|f| f == (address, more));
        if on && (!follows || address / 4 % 16 + more >= 16) {
            return Err(format!(
                "{more} more behind {address:#x}, not {:x?}",
                self.follows
            ));
        }
        if on && (address % 4 != 0 || address < 0x1000) {
            return Err(format!("request to {address:#x}"));
        }
        self.held = (on && !ready).then_some((write, address, data));
        if on && self.chosen.is_none() {
            // The first word of a step: it was chosen five cycles before.
            let (front, idle) = self.past.front().cloned().expect("some cycles");
            self.chosen = Some((front, idle, self.cycle - 5));
        }
        if on && ready {
            self.follows = (more > 0).then(|| (address + 4, more - 1));
            let (least, more) = self.latency;
            self.requests.push_back(Request {
                write,
                address,
                data,
                left: least.max(1)
                    + if more > 0 {
                        self.rng.gen_range(0..=more)
                    } else {
                        0
                    },
            });
        }
        let o = &self.outputs;
        let launch = self.on(o.launch_request);
        if launch && self.launch.is_none() && !self.answered {
            let (descriptor, private) = (self.out(o.launch_descriptor), self.on(o.launch_private));
            let domain = self.out(self.outputs.launch_domain) as u8;
            self.asked_to_launch(descriptor, private, domain);
        }
        if self.on(self.outputs.forget_request) && self.forget.is_none() && !self.answered {
            self.forget = Some(self.rng.gen_range(0..40));
            let o = &self.outputs;
            self.forgets = Some((self.on(o.forget_instructions), self.on(o.forget_data)));
        }
        Ok(())
    }

    /// The stand-in says what the model will say.
    fn asked_to_launch(&mut self, descriptor: u32, private: bool, domain: u8) {
        for word in 0..32 {
            let address = descriptor.wrapping_add(4 * word);
            if (0x1000..MEMORY).contains(&address) && address % 4 == 0 {
                let value = self.peek(address);
                let _ = self.shadow.write_bytes(address, &value.to_le_bytes());
            }
        }
        let said = if private { THREAD_END } else { 0x1000 };
        let (mut tasks, mut memory) = (self.tasks.clone(), self.shadow.clone());
        let done = tasks.insert(&mut memory, Source::Channel(0), said, descriptor, domain);
        let (code, place) = done.map_or_else(|w| (w.code as u8, w.place), |_| (0, 0));
        self.launch = Some((self.rng.gen_range(0..60), code, place));
        self.launched = Some((descriptor, private, domain));
    }

    /// A step is over: the model does it, too.
    fn traced(&mut self) -> Result<(), String> {
        let o = &self.outputs;
        let (channel, is_command) = (self.out(o.trace_channel) as usize, self.on(o.trace_command));
        let (get, address, word) = (
            self.out(o.trace_get),
            self.out(o.trace_address),
            self.out(o.trace_word),
        );
        let (result, code) = (self.out(o.trace_result), self.out(o.trace_code));
        let (front, idle, when) = self.chosen.take().ok_or("a step that has read nothing")?;
        self.check_choice(front, idle, when, channel)?;
        // Whether it was idle when it mattered is the hardware's to say, as long as it was so at all.
        let kind = word & 0xff;
        let idle = match result {
            1 if kind != command::SEM_ACQUIRE => false,
            _ => self.idles.0,
        };
        if !idle && result == 1 && !self.idles.1 {
            return Err("it waits for idle, and it was idle all the time".into());
        }
        self.idles = (self.status.idle, !self.status.idle);
        self.front.poll(channel);
        let before = self.shadow.clone();
        let step = self
            .front
            .step(&mut self.shadow, &mut self.tasks, channel, idle);
        let (expected_result, expected_code) = match step.outcome {
            Outcome::Executed => (0, 0),
            Outcome::Waits => (1, 0),
            Outcome::Wrong(wrong) => (2, wrong.code as u32),
        };
        let found = (is_command, get, address, word, result, code);
        let expected = (
            step.is_command,
            step.get,
            step.address,
            step.word,
            expected_result,
            expected_code,
        );
        if found != expected {
            return Err(format!(
                "channel {channel}: (command, get, address, word, result, code) is {found:x?}, expected {expected:x?}"
            ));
        }
        self.check_others(&before, &step, address)?;
        self.check_writes(&before, &step)?;
        if step.outcome == Outcome::Waits && kind == command::SEM_ACQUIRE {
            self.due[channel] = self.cycle + self.poll;
        }
        self.done_reads.clear();
        self.happened.push(Happening::Step {
            step,
            cycle: self.cycle,
        });
        self.last_step = self.cycle;
        self.quiet = self.cycle;
        Ok(())
    }

    /// HOST-033, HOST-034, HOST-036, HOST-037: the model would have taken this channel, too.
    /// Who waits for its next read is ready POLL cycles later, or a little after that: of those of whom it is not known
    /// any may have been.
    fn check_choice(
        &self,
        mut front: Front,
        idle: bool,
        when: u64,
        channel: usize,
    ) -> Result<(), String> {
        let mut unknown = Vec::new();
        for c in 0..self.size.channels {
            let due = self.due[c];
            if front.waits(c) && c == channel && when < due {
                return Err(format!(
                    "channel {c} reads its semaphore again {} cycles early",
                    due - when
                ));
            }
            if c == channel || when > due + 1 + self.size.channels as u64 {
                front.poll(c);
            } else if front.waits(c) && when >= due {
                unknown.push(c);
            }
        }
        let choices = (0..1 << unknown.len()).map(|some: u32| {
            let mut front = front.clone();
            let ready = unknown
                .iter()
                .enumerate()
                .filter(|(i, _)| some >> i & 1 != 0);
            ready.for_each(|(_, &c)| front.poll(c));
            front.choose(idle)
        });
        match choices.clone().any(|c| c == Some(channel)) {
            true => Ok(()),
            false => {
                let choices: BTreeSet<_> = choices.flatten().collect();
                Err(format!("channel {channel} had the step, not {choices:?}"))
            }
        }
    }

    /// Launches and forgets are those of the command.
    fn check_others(&mut self, before: &Memory, step: &Step, address: u32) -> Result<(), String> {
        let executed = step.is_command && step.outcome == Outcome::Executed;
        let kind = step.word & 0xff;
        if let Some((_, private, domain)) = self.launched.take() {
            if private != (address >= THREAD_END) {
                return Err(format!("launch_private is {private} at {address:#x}"));
            }
            let its_own = self.tasks.channel_domain(step.channel);
            if domain != its_own {
                return Err(format!(
                    "launch_domain is {domain}, the channel's {its_own}"
                ));
            }
            if kind != command::LAUNCH {
                return Err("a launch that no command asks for".into());
            }
            // What task management writes.
            for at in DESCRIPTORS.step_by(4) {
                let new = self.shadow.read_u32(at);
                if new != before.read_u32(at) {
                    self.words[at as usize / 4] = new.unwrap_or(0);
                }
            }
        } else if executed && kind == command::LAUNCH {
            return Err("task management was not asked".into());
        }
        let flags = (step.word >> 8 & 1 != 0, step.word >> 9 & 1 != 0);
        match self.forgets.take() {
            Some(forgotten) if kind == command::MEMBAR && forgotten == flags => (),
            None if !(executed && kind == command::MEMBAR && (flags.0 || flags.1)) => (),
            other => return Err(format!("lines to forget: {other:?}")),
        }
        self.answered = false;
        Ok(())
    }

    /// Task management has been asked, and the step is not over.
    pub fn in_launch(&self) -> bool {
        self.launched.is_some()
    }

    /// HOST-003: the words that were written are those of the model, and no others.
    fn check_writes(&mut self, before: &Memory, step: &Step) -> Result<(), String> {
        let writes = std::mem::take(&mut self.done_writes);
        let timed =
            step.is_command && step.word & 0xff == command::SEM_RELEASE && step.word >> 9 & 1 == 1;
        for (i, &(address, data)) in writes.iter().enumerate() {
            let of_time = timed && (i == 1 || i == 2);
            if of_time {
                // Between the last step and now; the model has no clock.
                let least = if i == 1 {
                    self.last_step.saturating_sub(8) as u32
                } else {
                    0
                };
                let most = if i == 1 { self.cycle as u32 } else { 0 };
                if !(least..=most).contains(&data) {
                    return Err(format!(
                        "time {data} at {address:#x}, not {least} to {most}"
                    ));
                }
                let _ = self.shadow.write_bytes(address, &data.to_le_bytes());
            } else if self.shadow.read_u32(address) != Ok(data) {
                let model = self.shadow.read_u32(address);
                return Err(format!(
                    "{data:#x} is written to {address:#x}, model {model:x?}"
                ));
            }
        }
        if timed && step.outcome == Outcome::Executed {
            // HOST-061: word 0 last.
            let places: Vec<u32> = writes.iter().take(4).map(|w| w.0).collect();
            let first = places.last().copied().unwrap_or(0);
            if places != [first + 4, first + 8, first + 12, first] {
                return Err(format!("a release with time writes {places:x?}"));
            }
        }
        let (old, new) = (
            before.slice(0x1000..MEMORY).expect("mapped"),
            self.shadow.slice(0x1000..MEMORY).expect("mapped"),
        );
        if old != new {
            for at in (0..old.len())
                .step_by(4)
                .filter(|&at| old[at..at + 4] != new[at..at + 4])
            {
                let address = at as u32 + 0x1000;
                let written = writes.iter().any(|w| w.0 == address);
                if !written && !DESCRIPTORS.contains(&address) {
                    return Err(format!(
                        "the model writes {address:#x}, the hardware does not"
                    ));
                }
            }
        }
        Ok(())
    }
}
