//! An SM with a memory behind its port, a host at its launcher and the judge at its trace.

use super::grid;
use super::host::{register, status, Access, Host};
use super::lockstep::Lockstep;
use super::memory::AxiMemory;
use super::options::SmOptions;
use super::ports::{op, Device, Effects, HostIn, Manager, Trace};
use super::report::{CacheCounts, HostFault, Seen, SmError, SmReport, Watcher};
use std::collections::BTreeMap;
use weft_isa::Program;
use weft_sim::{Config, Event, Force, Memory};

/// Cycles until a launch that is killed is over.
const MOST_OF_A_KILL: u64 = 50_000;
/// Cycles between two looks at STATUS.
const POLL: u64 = 64;
/// Most cycles that the judge of the barrier unit waits for what nobody sees.
const SETTLE: u32 = 1024;
/// Cycles of reset.
const RESET: u32 = 16;

/// SUBVECTOR of these options.
fn subvector(machine: &Config) -> u32 {
    let force = match machine.subvector {
        Force::Measured => 0,
        Force::Regular => 1,
        Force::SubVector => 2,
    };
    u32::from(machine.miss_threshold) | force << 16 | u32::from(machine.shared_from) << 24
}

/// What the trace shows where nobody judges it.
#[derive(Default)]
struct Bare {
    /// By warp: the instruction that it has issued last, and how many.
    issued: BTreeMap<usize, (u32, u64)>,
    /// The cycle of the latest access that may have changed memory, or end of threads.
    useful: u64,
}

impl Bare {
    fn see(&mut self, trace: &Trace, cycle: u64) {
        if let Some(init) = &trace.init {
            self.issued.remove(&init.warp);
        }
        if let Some(issue) = &trace.issue {
            let (pc, count) = self.issued.entry(issue.warp).or_default();
            (*pc, *count) = (issue.pc, *count + 1);
        }
        let changes = |e: &Effects| !matches!(e.op, op::LOAD | op::FENCE | op::LR | op::SC_FAILS);
        let ends = trace
            .retire
            .as_ref()
            .is_some_and(|r| r.event == Event::Exit);
        if ends || trace.effects.as_ref().is_some_and(changes) {
            self.useful = cycle;
        }
    }

    /// For messages: where each warp was last seen.
    fn warps(&self) -> String {
        let line = |(warp, (pc, issued)): (&usize, &(u32, u64))| {
            let at = pc * 4;
            format!("\n  warp {warp} last at {at:#x}, {issued} issued")
        };
        self.issued.iter().map(line).collect()
    }
}

pub struct Session<'a> {
    device: &'a mut dyn Device,
    program: &'a Program,
    options: &'a SmOptions,
    memory: AxiMemory,
    host: Host,
    judge: Option<Lockstep<'a>>,
    watcher: &'a mut dyn Watcher,
    cycle: u64,
    /// Of the latest transfer at the memory port, or event of the judge.
    event: u64,
    was_busy: bool,
    launched: bool,
    cache: CacheCounts,
    /// Instructions, where no judge counts them.
    issued: u64,
    bare: Bare,
    /// Whether there was a reset behind a launch, and something was on its way at the memory port.
    reset: Option<bool>,
    /// Whether a launch before was killed, and CTAs of it ran then.
    killed: Option<bool>,
}

impl<'a> Session<'a> {
    pub fn new(
        device: &'a mut dyn Device,
        program: &'a Program,
        options: &'a SmOptions,
        watcher: &'a mut dyn Watcher,
    ) -> Result<Session<'a>, SmError> {
        let physical = image(program, options)?;
        device.waves_from(options.wave_from);
        let mut session = Session {
            device,
            program,
            options,
            memory: memory(program, options, physical.clone()),
            host: Host::new(options.host_gap, options.seed),
            judge: None,
            watcher,
            cycle: 0,
            event: 0,
            was_busy: false,
            launched: false,
            cache: CacheCounts::default(),
            issued: 0,
            bare: Bare::default(),
            reset: None,
            killed: None,
        };
        session.reset(RESET);
        if let Some((cycles, length)) = options.reset {
            session.launch()?;
            for _ in 0..cycles {
                session.cycle()?;
            }
            let busy = !session.memory.idle();
            session.reset(length);
            session = Session {
                memory: memory(program, options, physical.clone()),
                host: Host::new(options.host_gap, options.seed),
                cycle: 0,
                event: 0,
                was_busy: false,
                launched: false,
                cache: CacheCounts::default(),
                issued: 0,
                bare: Bare::default(),
                reset: Some(busy),
                ..session
            };
        }
        if let Some(cycles) = options.killed {
            let ran = session.kill(cycles)?;
            // The judges of timers and of modes know nothing of what was before.
            session.reset(1);
            session = Session {
                memory: memory(program, options, physical.clone()),
                host: Host::new(options.host_gap, options.seed),
                cycle: 0,
                event: 0,
                was_busy: false,
                launched: false,
                cache: CacheCounts::default(),
                issued: 0,
                bare: Bare::default(),
                killed: Some(ran),
                ..session
            };
        }
        session.judge = options
            .lockstep
            .then(|| Lockstep::new(program, options, physical));
        Ok(session)
    }

    /// A launch that is killed after so many cycles (MEM-024); whether it ran then.
    fn kill(&mut self, cycles: u64) -> Result<bool, SmError> {
        self.launch()?;
        for _ in 0..cycles {
            self.cycle()?;
        }
        self.write(register::CONTROL, 4)?;
        let since = self.cycle;
        let status = loop {
            let status = self.read(register::STATUS)?;
            if status & status::DONE != 0 && status & status::BUSY == 0 {
                break status;
            }
            if self.cycle > since + MOST_OF_A_KILL {
                let warps = self.bare.warps();
                return self.rule(format!("MEM-024: the killed launch has no end{warps}"));
            }
        };
        let fault = self.host_fault()?;
        let killed = fault.is_some_and(|fault| fault.cause == 0);
        if killed && status & status::FAILED == 0 {
            return self.rule(format!("MEM-024: killed, STATUS {status:#x}, {fault:x?}"));
        }
        self.write(register::CONTROL, 2)?;
        for _ in 0..SETTLE {
            self.cycle()?;
        }
        Ok(killed)
    }

    /// A reset of so many cycles; whoever is at the ports forgets what is under way, too.
    fn reset(&mut self, cycles: u32) {
        for _ in 0..cycles {
            let (m, h) = (Default::default(), Default::default());
            self.device.settle(true, &m, &h);
            self.device.edge();
        }
    }

    fn rule<T>(&self, detail: String) -> Result<T, SmError> {
        Err(SmError::Rule {
            cycle: self.cycle,
            detail,
        })
    }

    fn cycle(&mut self) -> Result<Trace, SmError> {
        let (memory, host) = (self.memory.drive(), self.host.drive());
        self.device.settle(false, &memory, &host);
        let (manager, answer): (Manager, HostIn) = (self.device.manager(), self.device.host());
        let trace = match self.device.trace() {
            Ok(trace) => trace,
            Err(detail) => return self.rule(detail),
        };
        let moves = manager.aw.valid && memory.aw_ready
            || manager.ar.valid && memory.ar_ready
            || memory.r.valid && manager.r_ready
            || memory.b.valid && manager.b_ready;
        if moves {
            self.event = self.cycle;
        }
        if let Err(detail) = self.memory.edge(&manager) {
            return self.rule(detail);
        }
        if let Err(detail) = self.host.edge(&answer) {
            return self.rule(detail);
        }
        if let Some(judge) = &mut self.judge {
            judge.cycle(&trace, self.memory.bytes(), self.watcher)?;
            self.event = self.event.max(judge.event);
        }
        self.cache.count(trace.cache);
        self.issued += u64::from(trace.issue.is_some());
        if trace.moves().is_some() {
            self.event = self.cycle;
        }
        if self.judge.is_none() {
            self.bare.see(&trace, self.cycle);
        }
        self.idle_means_idle(&trace, &manager)?;
        self.device.edge();
        self.cycle += 1;
        self.watch()?;
        Ok(trace)
    }

    /// SM-014: in each cycle in which the SM says that it is idle.
    fn idle_means_idle(&mut self, trace: &Trace, manager: &Manager) -> Result<(), SmError> {
        let (falls, rises) = (self.was_busy && !trace.busy, !self.was_busy && trace.busy);
        self.was_busy = trace.busy;
        if rises && !self.launched {
            return self.rule("SM-014: busy before a launch".to_string());
        }
        if trace.busy {
            return Ok(());
        }
        let asks = [manager.aw.valid, manager.w.valid, manager.ar.valid];
        if asks.contains(&true) || !self.memory.idle() {
            let what = self.memory.under_way();
            return self.rule(format!(
                "SM-014: idle with accesses on their way: {what}; AW, W, AR valid: {asks:?}"
            ));
        }
        if let Some(what) = trace.moves() {
            return self.rule(format!("SM-014: idle with {what}"));
        }
        match &mut self.judge {
            Some(judge) if falls => judge.finish(self.memory.bytes()).map_err(|e| match e {
                SmError::FinalState(detail) => SmError::Rule {
                    cycle: self.cycle,
                    detail: format!("idle, but {detail}"),
                },
                other => other,
            }),
            _ => Ok(()),
        }
    }

    fn watch(&mut self) -> Result<(), SmError> {
        let cycle = self.cycle;
        let warps = || match &self.judge {
            Some(judge) => judge.standing(),
            None => self.bare.warps(),
        };
        let silent = cycle - self.event;
        let patience = 20_000 + 300 * self.options.axi.slowness();
        if self.launched && silent >= patience {
            let warps = format!("{}\n  {}", warps(), self.memory.under_way());
            return Err(SmError::Hang {
                cycle,
                silent,
                warps,
            });
        }
        let useful = match &self.judge {
            Some(judge) => judge.useful.1,
            None => self.bare.useful,
        };
        let silent = cycle.saturating_sub(useful);
        if self.launched && silent >= self.options.livelock {
            let warps = warps();
            return Err(SmError::Livelock {
                cycle,
                silent,
                warps,
            });
        }
        match self.options.cycles {
            _ if cycle % 1024 == 0 && crate::stop::requested() => {
                Err(SmError::Interrupted(warps()))
            }
            Some(most) if cycle >= most => Err(SmError::OutOfCycles(cycle, warps())),
            _ => Ok(()),
        }
    }

    fn read(&mut self, address: u8) -> Result<u32, SmError> {
        self.host.access(Access::Read(address));
        let mut patience = 100_000;
        loop {
            self.cycle()?;
            if let Some((_, value)) = self.host.answer() {
                return Ok(value);
            }
            patience -= 1;
            if patience == 0 {
                return self.rule(format!("AXI4-Lite: no answer to a read of {address:#x}"));
            }
        }
    }

    fn write(&mut self, address: u8, value: u32) -> Result<(), SmError> {
        self.host.access(Access::Write(address, value));
        let mut patience = 100_000;
        while !self.host.idle() {
            self.cycle()?;
            patience -= 1;
            if patience == 0 {
                return self.rule(format!("AXI4-Lite: no answer to a write of {address:#x}"));
            }
        }
        Ok(())
    }

    fn launch(&mut self) -> Result<(), SmError> {
        let (o, launch) = (self.options, self.options.launch);
        let id = self.read(register::ID)?;
        if id != register::WEFT {
            return self.rule(format!("ID reads {id:#x}"));
        }
        let shape = o.shape;
        let room = shape.register_warps();
        let size = (shape.warps | shape.threads << 8 | shape.lanes << 16 | room << 24) as u32;
        let seen = self.read(register::SIZE)?;
        if seen != size {
            return self.rule(format!("SIZE reads {seen:#x}, the SM is {shape}"));
        }
        let m = &o.machine;
        let policy = m.policy();
        let mut settings = vec![
            (register::ENTRY, self.program.entry),
            (register::ARGUMENTS, launch.arguments),
            (register::SCRATCHPAD, launch.scratchpad),
            (register::LOCAL, launch.local),
            (register::LOCAL_BASE, o.local_base()),
            (register::TOKEN_BASE, o.token_base() / shape.token()),
            (register::TOKEN_SIZE, m.tokens as u32),
            (register::MEMORY_SIZE, m.memory),
            (register::LEVEL, o.level_word() | o.strange_bits.0),
            (
                register::YIELD,
                u32::from(policy.forced_yield) | u32::from(policy.yield_every) << 16,
            ),
            (
                register::MODE,
                u32::from(policy.path.code())
                    | u32::from(policy.yield_random) << 3
                    | o.strange_bits.1,
            ),
            (register::SUBVECTOR, subvector(m)),
            (register::PRIORITY, o.priority.into()),
            (
                register::RANDOM,
                u32::from(policy.yield_threshold) | u32::from(policy.yield_seed) << 16,
            ),
        ];
        for n in 0..3 {
            settings.push((register::GRID + 4 * n as u8, launch.grid[n]));
            settings.push((register::CTA + 4 * n as u8, launch.cta[n]));
        }
        for (address, value) in settings {
            self.write(address, value)?;
        }
        self.launched = true;
        self.event = self.cycle;
        self.bare.useful = self.cycle;
        if let Some(judge) = &mut self.judge {
            judge.useful.1 = self.cycle;
        }
        self.write(register::CONTROL, 1)
    }

    /// Launches the grid and runs until the host sees that it is over.
    pub fn run(mut self) -> Result<SmReport, SmError> {
        self.launch()?;
        let status = loop {
            for _ in 0..POLL {
                self.cycle()?;
            }
            let status = self.read(register::STATUS)?;
            if status & status::DONE != 0 && status & status::BUSY == 0 {
                break status;
            }
        };
        if status & status::REFUSED != 0 {
            return Err(SmError::Refused);
        }
        self.finish(status)
    }

    fn finish(mut self, status: u32) -> Result<SmReport, SmError> {
        let low = self.read(register::CYCLES)?;
        let high = self.read(register::CYCLES + 4)?;
        let ctas = self.read(register::CTAS_DONE)?;
        if ctas != self.options.launch.ctas() {
            return self.rule(format!("CTAS_DONE reads {ctas}"));
        }
        let resident = self.read(register::RESIDENT)?;
        let room = self
            .options
            .shape
            .resident(self.options.machine.shared_from);
        if resident as usize != room {
            return self.rule(format!("SUBV-054: RESIDENT reads {resident}, not {room}"));
        }
        let fault = self.host_fault()?;
        for _ in 0..SETTLE {
            if self.judge.as_ref().is_none_or(|j| j.unsettled().is_none()) {
                break;
            }
            self.cycle()?;
        }
        if let Some(detail) = self.judge.as_ref().and_then(Lockstep::unsettled) {
            return self.rule(format!("done, but {detail}"));
        }
        if !self.memory.idle() {
            let what = self.memory.under_way();
            return self.rule(format!("SM-014: done with {what}"));
        }
        let mut report = SmReport {
            cycles: u64::from(high) << 32 | u64::from(low),
            resident,
            seen: Seen {
                issued: self.issued,
                ..Seen::default()
            },
            axi: self.memory.counts,
            cache: self.cache,
            status,
            fault,
            returns_to: None,
            reported: Vec::new(),
            oracle_agrees: None,
            oracle_silent: None,
            issued: Vec::new(),
            memory: self.global(),
            threads: Vec::new(),
        };
        let Some(mut judge) = self.judge.take() else {
            return Ok(report);
        };
        judge.finish(self.memory.bytes())?;
        let failed = judge.failed();
        if (status & status::FAILED != 0) == failed.is_empty() {
            return self.rule(format!("STATUS is {status:#x}, failed CTAs: {failed:?}"));
        }
        self.same_fault(&judge, fault)?;
        // An SC may fail although its reservation stands (MEM-015); alone it does not.
        let alike = judge.seen().sc_spurious == 0;
        if self.options.oracle && failed.is_empty() && alike {
            report.oracle_silent = self.alone(&judge, &report.memory)?;
            report.oracle_agrees = report.oracle_silent.is_none().then_some(true);
        }
        report.seen = judge.seen();
        report.seen.resets = self.reset.is_some().into();
        report.seen.kills = self.killed.is_some().into();
        report.seen.kills_running = (self.killed == Some(true)).into();
        report.seen.resets_busy = (self.reset == Some(true)).into();
        report.reported.clone_from(&judge.reported);
        report.returns_to = judge.returns_to;
        report.issued = judge.issued_by_slot();
        report.threads = judge.threads();
        Ok(report)
    }

    fn global(&self) -> Memory {
        let size = self.options.machine.memory;
        let mut memory = Memory::new(size);
        let base = weft_sim::memory::MEMORY_BASE;
        memory
            .write_bytes(base, &self.memory.bytes()[base as usize..size as usize])
            .expect("it is as large");
        memory
    }

    fn host_fault(&mut self) -> Result<Option<HostFault>, SmError> {
        let word = self.read(register::FAULT)?;
        if word >> 31 == 0 {
            return Ok(None);
        }
        Ok(Some(HostFault {
            warp: (word >> 16 & 0xff) as usize,
            lane: word >> 8 & 0x3f,
            cause: (word & 15) as u8,
            pc: self.read(register::FAULT_PC)?,
            address: self.read(register::FAULT_ADDRESS)?,
            cta: self.read(register::FAULT_CTA)?,
        }))
    }

    /// FAULT says what came first at `fault_*`.
    fn same_fault(&self, judge: &Lockstep, fault: Option<HostFault>) -> Result<(), SmError> {
        let first = judge.reported.first();
        let agrees = match (first, &fault) {
            (None, None) => true,
            (Some(r), Some(f)) => {
                let cta = judge.failed().contains(&f.cta);
                cta && (r.warp, r.lane, r.cause, r.pc * 4) == (f.warp, f.lane, f.cause, f.pc)
            }
            _ => false,
        };
        match agrees {
            true => Ok(()),
            false => self.rule(format!(
                "MEM-023: FAULT says {fault:x?}, the first was {first:x?}"
            )),
        }
    }

    /// Compares with every thread alone; gives why that says nothing.
    fn alone(&self, judge: &Lockstep, memory: &Memory) -> Result<Option<String>, SmError> {
        let alone = match grid::oracle(self.program, self.options) {
            Ok(alone) => alone,
            Err(SmError::Silent(why) | SmError::AloneLimit(why)) => return Ok(Some(why)),
            Err(error @ (SmError::AloneFault(_) | SmError::AloneHung(_))) => {
                return Err(SmError::FinalState(error.to_string()));
            }
            Err(error) => return Err(error),
        };
        let theirs = (alone.threads.as_slice(), &alone.memory);
        let ours = judge.threads();
        match grid::difference((&ours, memory), theirs, "alone") {
            Some(detail) => Err(SmError::FinalState(detail)),
            None => Ok(None),
        }
    }
}

/// The memory behind the port, with these bytes.
fn memory(program: &Program, options: &SmOptions, bytes: Vec<u8>) -> AxiMemory {
    AxiMemory::new(bytes, options.shape.beat(), options.axi, options.seed)
        .with_bad_lines(&options.bad_lines)
        .with_text(program.text)
}

/// What stands behind the port at the launch.
fn image(program: &Program, options: &SmOptions) -> Result<Vec<u8>, SmError> {
    if !options.unchecked {
        let of_cta = options.launch.config(&grid::machine(options))?;
        of_cta.validate_program(program)?;
    }
    let mut bytes = vec![0; options.physical() as usize];
    for segment in program.segments.iter().chain(&options.data) {
        let (from, end) = (segment.address as usize, segment.bytes.len());
        if from + end > options.machine.memory as usize {
            return Err(SmError::Config(weft_sim::ConfigError::Program {
                start: segment.address,
                end: (from + end) as u64,
                memory: options.machine.memory,
            }));
        }
        bytes[from..from + end].copy_from_slice(&segment.bytes);
    }
    Ok(bytes)
}
