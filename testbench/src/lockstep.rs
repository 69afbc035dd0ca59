//! Runs a design and a reference side by side, one retired operation at a time.

use crate::driver::{self, Port};
use crate::lanes::{Lanes, Resolve};
use crate::monitor::{Rule, Violation};
use crate::reference::{yielded, Expected, Reference, Yielded};
use crate::registers::Accesses;
use crate::session::{Access, Happened, Session, Trap, Waking};
use crate::window::{Shadow, Standing};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, VecDeque};
use std::fmt;
use weft_generate::Config;
use weft_ports::control::cause;
use weft_sim::{kind_name, Event, Record, Warp};

/// Cycles without progress after which a run is given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Watchdog {
    /// Nothing retires and nothing ends.
    pub hang: u64,
    /// Memory does not change and no thread ends.
    pub livelock: u64,
}

impl Watchdog {
    /// With a token memory in which one access takes up to `slowness` cycles, and allocations of `tokens` tokens: an
    /// operation may search all of them, and they may be moved, one at a time.
    pub fn for_memory(self, slowness: u64, tokens: usize) -> Watchdog {
        let longest = 6 * slowness * tokens as u64;
        Watchdog {
            hang: self.hang.saturating_add(longest),
            livelock: self.livelock.saturating_add(2 * longest),
        }
    }
}

impl Default for Watchdog {
    fn default() -> Self {
        Watchdog {
            hang: 2_000,
            livelock: 1_000_000,
        }
    }
}

/// How many records of a warp a failure shows.
const HISTORY: usize = 20;

#[derive(Clone, Debug, thiserror::Error)]
pub enum Failure {
    #[error(transparent)]
    Protocol(#[from] Violation),
    #[error("{0}")]
    Mismatch(Box<Mismatch>),
    #[error("cycle {}: hang: nothing has retired for {} cycles{}", .0.cycle, .0.silent, .0.warps())]
    Hang(Stuck),
    #[error("cycle {}: livelock suspected: for {} cycles memory has not changed and no thread has ended{}", .0.cycle, .0.silent, .0.warps())]
    Livelock(Stuck),
    #[error("not finished after {} cycles{}", .0.cycle, .0.warps())]
    OutOfCycles(Stuck),
    #[error("final state: {0}")]
    FinalState(String),
    /// The scalar oracle was compared.
    #[error("the oracle disagrees: {0}")]
    Alone(String),
    /// See [`Lanes::refuses`].
    #[error("cycle {cycle}: {what}")]
    Cannot { cycle: u64, what: String },
    #[error("cycle {}: interrupted{}", .0.cycle, .0.warps())]
    Interrupted(Stuck),
}

impl Failure {
    /// Failures of one class may have the same cause; the minimiser keeps to the class.
    pub fn class(&self) -> String {
        match self {
            Failure::Protocol(v) => format!("protocol: {}", v.rule),
            Failure::Mismatch(m) => format!("mismatch: {}", m.fields.join(", ")),
            Failure::Hang(_) => "hang".to_string(),
            Failure::Livelock(_) => "livelock".to_string(),
            Failure::OutOfCycles(_) => "out of cycles".to_string(),
            Failure::FinalState(_) => "final state".to_string(),
            Failure::Alone(_) => "oracle".to_string(),
            Failure::Cannot { .. } => "cannot".to_string(),
            Failure::Interrupted(_) => "interrupted".to_string(),
        }
    }
}

/// Hardware and reference differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    pub cycle: u64,
    pub warp: usize,
    /// Names of the fields that differ.
    pub fields: Vec<&'static str>,
    pub hardware: Seen,
    pub reference: Option<Expected>,
    pub resolve: Resolve,
    /// The warp's latest records, the oldest first, with their cycles.
    pub history: Vec<(u64, Record)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    Retire(Record),
    Trap(Trap),
}

/// Who does not get on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    pub cycle: u64,
    pub silent: u64,
    /// Warp, byte address of its next or unfinished instruction, byte addresses that it retired lately.
    pub warps: Vec<(usize, u32, Vec<u32>)>,
}

impl Stuck {
    fn warps(&self) -> String {
        let mut text = String::new();
        for (warp, at, lately) in &self.warps {
            text += &format!("\n  warp {warp} at {at:#x}; lately at");
            lately.iter().for_each(|pc| text += &format!(" {pc:#x}"));
        }
        text
    }
}

/// Called for everything that retires and agrees.
pub trait Observer {
    fn retired(&mut self, event: &Retired);
    /// When a WAKE has to wait for an operation of its warp, and when it is taken for a warp that does not run.
    fn waking(&mut self, _waking: Waking) {}
}

/// A retired operation with its surroundings.
pub struct Retired<'a> {
    pub cycle: u64,
    pub record: &'a Record,
    pub resolve: &'a Resolve,
    /// The reference's state of the warp before and after; only if an observer asked for it.
    pub before: Option<&'a Warp>,
    pub after: Option<&'a Warp>,
    /// Where the warp's tokens stood when the operation began.
    pub began: Standing,
    /// The warp has an instruction in the lanes: what retires is a WAKE.
    pub issued: bool,
}

pub struct Lockstep<'a, 'd> {
    pub session: Session<'d>,
    pub lanes: &'a mut dyn Lanes,
    pub reference: Option<&'a mut dyn Reference>,
    pub watchdog: Watchdog,
    pub cycles: Option<u64>,
    pub observers: Vec<&'a mut dyn Observer>,
    /// Observers get the reference's state before and after every operation.
    pub with_state: bool,
    /// Register accesses at random times.
    pub accesses: Accesses,
}

/// Progress as the watchdog sees it.
struct Progress {
    retired: u64,
    memory: u64,
    useful: u64,
}

/// State of a run.
struct Run {
    history: Vec<History>,
    progress: Progress,
    shadow: Shadow,
    /// By warp: where its tokens stood when its operation began.
    began: Vec<Standing>,
    /// Warps that wait for the driver.
    stopped: VecDeque<usize>,
    /// The driver is at work.
    serving: bool,
    answer: Option<(Access, u32)>,
}

impl Lockstep<'_, '_> {
    /// Until every launched warp has ended. Gives the number of cycles.
    pub fn run(&mut self, config: Config) -> Result<u64, Failure> {
        let mut run = Run {
            history: vec![VecDeque::with_capacity(HISTORY); config.warps],
            progress: Progress {
                retired: 0,
                memory: self.lanes.memory_changes(),
                useful: 0,
            },
            shadow: Shadow::new(config),
            began: vec![Standing::default(); config.warps],
            stopped: VecDeque::new(),
            serving: false,
            answer: None,
        };
        let before = self.reference.as_ref().map_or(0, |r| r.recentered());
        while !self.session.finished() {
            self.tick(&mut run)?;
            while let Some(warp) = run.stopped.pop_front() {
                self.serve(&mut run, warp)?;
            }
        }
        self.session.monitor().finish()?;
        if let Some(reference) = &self.reference {
            let (ours, model) = (
                u64::from(self.session.recentered()),
                reference.recentered() - before,
            );
            if ours != model {
                return Err(Failure::FinalState(format!(
                    "the hardware has recentered {ours} times, the model {model} times"
                )));
            }
        }
        Ok(self.session.cycle_number())
    }

    /// One clock cycle and everything that is to be said about it.
    fn tick(&mut self, run: &mut Run) -> Result<(), Failure> {
        let cycle = self.session.cycle_number();
        if !run.serving {
            if let Some(reference) = &mut self.reference {
                self.accesses.offer(&mut self.session, &mut **reference);
            }
        }
        if cycle % 1024 == 0 && crate::stop::requested() {
            return Err(Failure::Interrupted(self.stuck(cycle, 0, &run.history)));
        }
        let happened = self.session.cycle(self.lanes)?;
        if let Some(what) = self.lanes.refuses() {
            return Err(Failure::Cannot { cycle, what });
        }
        if let Some(waking) = happened.waking {
            self.observers.iter_mut().for_each(|o| o.waking(waking));
        }
        if let Some(tag) = happened.responded {
            run.shadow.responded(tag);
        }
        if let Some(request) = happened.requested {
            run.shadow.requested(request);
        }
        if let Some(launch) = happened.launched {
            run.shadow.cleared(launch.warp);
            run.began[launch.warp] = Standing::default();
            if let Some(reference) = &mut self.reference {
                reference.launched(launch);
            }
        }
        if let Some(record) = &happened.retired {
            self.retired(cycle, record, run)?;
        }
        match happened.trapped {
            Some(trap) if trap.cause == cause::RECENTER => run.stopped.push_back(trap.warp),
            Some(trap) => {
                run.shadow.cleared(trap.warp);
                self.trapped(cycle, &trap, &run.history)?;
            }
            None => {}
        }
        if let Some(warp) = happened.resolved {
            run.began[warp] = run.shadow.of(warp);
        }
        self.registers(cycle, &happened, run)?;
        self.watch(cycle, &happened, &mut run.progress, &run.history)?;
        match self.cycles {
            Some(most) if cycle >= most => {
                Err(Failure::OutOfCycles(self.stuck(cycle, 0, &run.history)))
            }
            _ => Ok(()),
        }
    }

    /// Accesses to registers, of the driver or at random.
    fn registers(&mut self, cycle: u64, happened: &Happened, run: &mut Run) -> Result<(), Failure> {
        if run.serving {
            run.answer = happened.answered.or(run.answer);
            return Ok(());
        }
        let Some(reference) = &mut self.reference else {
            return Ok(());
        };
        if let Some(access) = happened.accessed {
            // Begun or ended in this very cycle: before or after?
            let changes = happened.launched.is_some_and(|l| l.warp == access.warp)
                || happened.retired.is_some_and(|r| r.warp == access.warp);
            self.accesses
                .taken(access, !changes, &self.session, &mut **reference);
        }
        if let Some((access, result)) = happened.answered {
            let detail = self.accesses.answered(access, result);
            detail.map_err(|detail| violation(cycle, detail))?;
        }
        Ok(())
    }

    /// SPILL-023. All warps go on meanwhile, but the one that is served.
    fn serve(&mut self, run: &mut Run, warp: usize) -> Result<(), Failure> {
        while !self.session.may_access() {
            self.tick(run)?;
        }
        run.serving = true;
        let shadow = run.shadow.of(warp);
        let moved = driver::recenter(
            &mut Served {
                lockstep: self,
                run,
            },
            warp,
        )?;
        run.serving = false;
        match moved.tokens as usize == shadow.stored {
            true => Ok(()),
            false => {
                let detail = format!(
                    "warp {warp}: STORED is {}, by the memory port {}",
                    moved.tokens, shadow.stored
                );
                Err(violation(self.session.cycle_number(), detail).into())
            }
        }
    }

    fn retired(&mut self, cycle: u64, record: &Record, run: &mut Run) -> Result<(), Failure> {
        let warp = record.warp;
        let resolve = *self.session.resolved(warp);
        let began = run.began[warp];
        let mut before = None;
        if let Some(reference) = &mut self.reference {
            before = if self.with_state {
                reference.warp(warp).cloned()
            } else {
                None
            };
            let expected = reference.step(warp, &resolve);
            if expected != Some(Expected::Retire(*record)) {
                let (hardware, history) = (Seen::Retire(*record), &run.history[warp]);
                return Err(mismatch(cycle, warp, hardware, expected, resolve, history));
            }
        }
        let after = self
            .reference
            .as_ref()
            .filter(|_| self.with_state)
            .and_then(|r| r.warp(warp));
        if let (Some(before), Some(after)) = (&before, after) {
            let pushed = yielded(record, &resolve, before, after) == Some(Yielded::Pushed);
            run.shadow.retired(warp, began, pushed, before, record);
        }
        if record.done {
            run.shadow.cleared(warp);
        }
        run.began[warp] = run.shadow.of(warp);
        let event = Retired {
            cycle,
            record,
            resolve: &resolve,
            before: before.as_ref(),
            after,
            began,
            issued: self.session.monitor().issued(warp),
        };
        self.observers.iter_mut().for_each(|o| o.retired(&event));
        let history = &mut run.history[warp];
        if history.len() == HISTORY {
            history.pop_front();
        }
        history.push_back((cycle, *record));
        Ok(())
    }

    fn trapped(&mut self, cycle: u64, trap: &Trap, history: &[History]) -> Result<(), Failure> {
        let Some(reference) = &mut self.reference else {
            return Ok(());
        };
        let resolve = *self.session.resolved(trap.warp);
        let expected = reference.step(trap.warp, &resolve);
        match expected == Some(Expected::Trap(*trap)) {
            true => Ok(()),
            false => Err(mismatch(
                cycle,
                trap.warp,
                Seen::Trap(*trap),
                expected,
                resolve,
                &history[trap.warp],
            )),
        }
    }

    fn watch(
        &self,
        cycle: u64,
        happened: &Happened,
        p: &mut Progress,
        history: &[History],
    ) -> Result<(), Failure> {
        let ended = happened.trapped.is_some();
        if happened.retired.is_some() || ended || happened.launched.is_some() {
            p.retired = cycle;
        }
        let memory = self.lanes.memory_changes();
        let exit = happened.retired.is_some_and(|r| r.event == Event::Exit);
        if memory != p.memory || exit || ended {
            (p.memory, p.useful) = (memory, cycle);
        }
        let stuck = |silent| self.stuck(cycle, silent, history);
        if cycle - p.retired >= self.watchdog.hang {
            return Err(Failure::Hang(stuck(cycle - p.retired)));
        }
        if cycle - p.useful >= self.watchdog.livelock {
            return Err(Failure::Livelock(stuck(cycle - p.useful)));
        }
        Ok(())
    }

    /// Where the warps stand.
    fn stuck(&self, cycle: u64, silent: u64, history: &[History]) -> Stuck {
        let places = self.session.monitor().places().into_iter();
        let warps = places.map(|(warp, pc)| (warp, pc * 4, lately(&history[warp])));
        Stuck {
            cycle,
            silent,
            warps: warps.collect(),
        }
    }
}

/// The driver's way to a warp that has stopped.
struct Served<'s, 'a, 'd> {
    lockstep: &'s mut Lockstep<'a, 'd>,
    run: &'s mut Run,
}

impl Served<'_, '_, '_> {
    fn access(&mut self, warp: usize, register: u8, write: Option<u32>) -> Result<u32, Failure> {
        let access = Access {
            warp,
            register,
            write,
        };
        self.lockstep.session.access(access);
        loop {
            self.lockstep.tick(self.run)?;
            if let Some((_, result)) = self.run.answer.take() {
                return Ok(result);
            }
        }
    }
}

impl Port for Served<'_, '_, '_> {
    type Error = Failure;

    fn read(&mut self, warp: usize, register: u8) -> Result<u32, Failure> {
        self.access(warp, register, None)
    }

    fn write(&mut self, warp: usize, register: u8, value: u32) -> Result<(), Failure> {
        self.access(warp, register, Some(value)).map(|_| ())
    }

    fn load(&mut self, address: u32) -> Result<u128, Failure> {
        self.lockstep.tick(self.run)?;
        Ok(self.lockstep.session.memory().load(address))
    }

    fn store(&mut self, address: u32, token: u128) -> Result<(), Failure> {
        self.lockstep.tick(self.run)?;
        self.lockstep.session.memory().store(address, token);
        Ok(())
    }
}

fn violation(cycle: u64, detail: String) -> Violation {
    Violation {
        cycle,
        rule: Rule::ConfigResult,
        detail,
    }
}

type History = VecDeque<(u64, Record)>;

/// Byte addresses of the latest records, ascending, each once.
fn lately(history: &History) -> Vec<u32> {
    history
        .iter()
        .map(|(_, r)| r.pc * 4)
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect()
}

fn mismatch(
    cycle: u64,
    warp: usize,
    hardware: Seen,
    reference: Option<Expected>,
    resolve: Resolve,
    history: &History,
) -> Failure {
    let fields = match (hardware, reference) {
        (Seen::Retire(a), Some(Expected::Retire(b))) => differing(&a, &b),
        (Seen::Trap(a), Some(Expected::Trap(b))) => match a.pc == b.pc {
            true => vec!["exception cause"],
            false => vec!["exception pc"],
        },
        (_, None) => vec!["the warp runs"],
        _ => vec!["exception"],
    };
    let history = history.iter().copied().collect();
    Failure::Mismatch(Box::new(Mismatch {
        cycle,
        warp,
        fields,
        hardware,
        reference,
        resolve,
        history,
    }))
}

fn differing(a: &Record, b: &Record) -> Vec<&'static str> {
    let token = |f: fn(&weft_sim::Token) -> u64| a.front.as_ref().map(f) != b.front.as_ref().map(f);
    let fields = [
        ("event", a.event != b.event),
        ("pc", a.pc != b.pc),
        ("mask", a.mask != b.mask),
        ("next pc", a.next_pc != b.next_pc),
        ("next mask", a.next_mask != b.next_mask),
        ("done", a.done != b.done),
        ("blocked", a.blocked != b.blocked),
        ("depth", a.depth != b.depth),
        ("front type", token(|t| t.kind.into())),
        ("front mask", token(|t| t.mask)),
        ("front address", token(|t| t.address.into())),
        ("front below bits", token(|t| t.below.into())),
        ("dropped", a.dropped != b.dropped),
    ];
    fields
        .into_iter()
        .filter(|(_, differs)| *differs)
        .map(|(name, _)| name)
        .collect()
}

/// One line; pcs as byte addresses.
pub fn line(r: &Record) -> String {
    let front = match r.front {
        None => "-".to_string(),
        Some(t) => format!(
            "{{{} {:x} @{:#x} below {:04b}}}",
            kind_name(t.kind),
            t.mask,
            t.address << 2,
            t.below
        ),
    };
    let then = match r.done {
        true => "done".to_string(),
        false if r.blocked => "blocked".to_string(),
        false => format!("{:#07x} {:x}", r.next_pc << 2, r.next_mask),
    };
    let dropped = if r.dropped { " dropped" } else { "" };
    format!(
        "{:14} {:#07x} {:x} -> {then}; depth {} front {front}{dropped}",
        r.event.name(),
        r.pc << 2,
        r.mask,
        r.depth
    )
}

fn trap_line(t: &Trap) -> String {
    format!("exception at {:#07x}, cause {}", t.pc << 2, t.cause)
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "cycle {}: warp {}: hardware and model differ in {}",
            self.cycle,
            self.warp,
            self.fields.join(", ")
        )?;
        let Resolve {
            op,
            kind,
            mask,
            target,
        } = self.resolve;
        writeln!(
            f,
            "  resolve:  op {op} kind {kind} mask {mask:x} target {:#x}",
            target << 2
        )?;
        match &self.hardware {
            Seen::Retire(record) => writeln!(f, "  hardware: {}", line(record))?,
            Seen::Trap(trap) => writeln!(f, "  hardware: {}", trap_line(trap))?,
        }
        match &self.reference {
            Some(Expected::Retire(record)) => writeln!(f, "  model:    {}", line(record))?,
            Some(Expected::Trap(trap)) => writeln!(f, "  model:    {}", trap_line(trap))?,
            None => writeln!(f, "  model:    the warp does not run")?,
        }
        write!(f, "  before that:")?;
        for (cycle, record) in &self.history {
            write!(f, "\n    {cycle:>8} {}", line(record))?;
        }
        Ok(())
    }
}
