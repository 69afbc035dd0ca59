//! The judge of an SM: reads its trace cycle by cycle.
//!
//! The golden machine of a CTA executes an instruction when it is issued, a control instruction when it retires, so
//! that it goes through each warp in program order.
//! The golden machine receives a load's value when the trace shows the load's effect.
//! No instruction needs it earlier: the scoreboard blocks those that read it. Every access that the golden machine makes must appear as an effect, every
//! register that it writes as a row.

mod control;
mod effects;
mod faults;
mod issue;
mod reason;
mod rows;

use crate::core::decode::{decode, FLOAT, SPECIAL};
use crate::sm::grid;
use crate::sm::mode::ModeRules;
use crate::sm::options::SmOptions;
use crate::sm::ports::{Init, Reported, Shape, Trace};
use crate::sm::report::{Reason, Seen, SmError, Watcher};
use crate::sm::shadow::{Shadow, Who, Word};
use crate::sm::text::Text;
use crate::warps::{Issue, WarpRules, Wrong};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use weft_isa::{AmoOp, Instr, Program};
use weft_sim::barrier::Judge;
use weft_sim::convergence::Warp;
use weft_sim::issue::Decoded;
use weft_sim::space::Bounds;
use weft_sim::{Event, Fault, FaultCause, Machine, Memory, Record, Thread};

/// An instruction that nothing keeps is issued within so many cycles of what set it free.
const STEPS: u64 = 12;

/// An access that has to take effect.
#[derive(Clone, Copy, Debug)]
struct Expected {
    /// Of the instruction.
    serial: u64,
    access: Access,
    /// It goes to a line that answers with an error: it need not show.
    bad: bool,
    /// Of an instruction in regular mode (SUBV-050).
    regular: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Access {
    op: u8,
    size: u32,
    signed: bool,
    amo: Option<AmoOp>,
    address: u32,
    data: u32,
    rd: Option<u8>,
}

/// An instruction that has no `done` yet, or whose rows are not known yet.
#[derive(Clone, Debug)]
struct Flight {
    serial: u64,
    rd: Option<u8>,
    control: bool,
    fence: bool,
    memory: bool,
    divides: bool,
    done: bool,
    /// The golden machine has executed it.
    stepped: bool,
    /// It has faulted, or stands behind a fault: its rows say nothing.
    loose: bool,
    /// Its warp is in no sub-vector loop.
    regular: bool,
    /// It was issued when a fault of its warp was known already: it must do nothing (SM-022).
    ignored: bool,
    /// Threads that write rd.
    acting: u64,
    /// By lane: what the golden machine has written. `None`: the row says it.
    expected: Vec<Option<u32>>,
    /// Lanes whose value comes with an effect that has not come.
    waits: u64,
    /// All lanes read the same, as a CSR that somebody tells.
    told: bool,
    /// By lane.
    seen: Vec<Option<u32>>,
}

/// An instruction that acquires or releases.
#[derive(Clone, Copy, Debug)]
struct Ordered {
    serial: u64,
    acquires: bool,
    acted: bool,
}

/// What only this judge knows of a warp slot.
#[derive(Clone, Debug, Default)]
struct SmSlot {
    /// The golden machine has faulted there; who may be named.
    fault: Option<Fault>,
    suspects: Vec<(u32, FaultCause)>,
    /// A fault of this life is known to the hardware.
    known: bool,
    reported: bool,
    flights: VecDeque<Flight>,
    serial: u64,
    /// By lane: what must take effect next.
    expected: Vec<VecDeque<Expected>>,
    /// Words that it has written since its latest fence, with the number of the effect.
    written: BTreeMap<Word, u64>,
    /// Atomics that acquire or release and have not acted, or nothing behind them has.
    ordered: Vec<Ordered>,
    /// The instruction at an address, decoded: the next one of the warp.
    next: Option<(u32, Decoded)>,
    /// When it has last issued or retired, or something of it was done.
    since: u64,
    /// The control operation is one of a barrier.
    arrives: bool,
    /// It has issued since it has last retired, so its instructions are there.
    supplied: bool,
}

impl SmSlot {
    /// Nothing that the trace shows keeps it.
    fn steps(&self) -> Reason {
        match self.supplied {
            true => Reason::Steps,
            false => Reason::Supply,
        }
    }
}

/// A CTA of the grid that runs.
struct Cta {
    golden: Machine,
    ended: usize,
}

pub struct Lockstep<'a> {
    program: &'a Program,
    options: &'a SmOptions,
    shape: Shape,
    bounds: Bounds,
    pub shadow: Shadow,
    text: Text,
    warps: WarpRules,
    slots: Vec<SmSlot>,
    /// Of the last cycle.
    faulted: u64,
    ctas: BTreeMap<u32, Cta>,
    /// Registers of CTAs that have ended.
    ended: BTreeMap<u32, Vec<Thread>>,
    /// Of CTAs some of whose warps have faulted.
    failed: Vec<u32>,
    next_init: (u32, usize),
    /// LAUNCHes that the barrier unit has heard of: CTA slot and block, by warp.
    launching: Vec<Option<(usize, usize)>>,
    mode: ModeRules,
    /// When all passes of what was issued have gone through operand read (SM-010), if nothing has held them.
    passes_until: u64,
    /// Of the latest event.
    pub event: u64,
    pub useful: (u64, u64),
    pub reported: Vec<Reported>,
    /// ra of the thread whose fault is the first.
    pub returns_to: Option<u32>,
    seen: Seen,
}

/// As the SM's decoder has it, with a float unit or without: DATA-002 to DATA-005.
pub(super) fn in_sm(word: u32, float: bool) -> Decoded {
    use weft_isa::MulOp::{Mul, Mulh, Mulhsu, Mulhu};
    let decoded = decode(word);
    match weft_isa::decode(word) {
        Ok(Instr::Mul { op, .. }) if !matches!(op, Mul | Mulh | Mulhsu | Mulhu) => Decoded {
            class: SPECIAL,
            ..decoded
        },
        Ok(Instr::Barrier { .. }) => Decoded {
            drain: true,
            ..decoded
        },
        Ok(Instr::Float(instr)) if float => {
            let [rd, rs1, rs2, rs3] = instr.registers().map(|x| x.filter(|&number| number != 0));
            // Of more than two that are not the destination the scheduler names any two, and waits for all.
            let sources: BTreeSet<u8> = [rs1, rs2, rs3].into_iter().flatten().collect();
            let mut named = sources.iter().copied().filter(|&x| Some(x) != rd);
            let (rs1, rs2) = (named.next(), named.next());
            Decoded {
                class: FLOAT,
                drain: named.next().is_some(),
                rd,
                rs1,
                rs2,
                ..Decoded::default()
            }
        }
        _ => decoded,
    }
}

impl<'a> Lockstep<'a> {
    /// `physical`: what is behind the port at the launch.
    pub fn new(program: &'a Program, options: &'a SmOptions, physical: Vec<u8>) -> Lockstep<'a> {
        let shape = options.shape;
        let bounds = options.launch.bounds(options.machine.memory);
        let threads = (shape.warps * shape.threads) as u32;
        let (warps, width) = (shape.warps, shape.threads);
        Lockstep {
            program,
            options,
            shape,
            bounds,
            shadow: Shadow::new(physical, bounds, options.local_base(), threads),
            text: Text::new(shape.warps),
            warps: WarpRules::new(warps, width, true),
            slots: vec![SmSlot::default(); warps],
            faulted: 0,
            ctas: BTreeMap::new(),
            ended: BTreeMap::new(),
            failed: Vec::new(),
            next_init: (0, 0),
            launching: vec![None; warps],
            mode: ModeRules::new(
                options.machine.subvector,
                options.machine.miss_threshold,
                warps,
                shape.data_cache > 0,
            ),
            passes_until: 0,
            event: 0,
            useful: (0, 0),
            reported: Vec::new(),
            returns_to: None,
            seen: Seen::default(),
        }
    }

    fn rule<T>(&self, detail: impl Into<String>) -> Result<T, SmError> {
        Err(SmError::Rule {
            cycle: self.warps.cycle,
            detail: detail.into(),
        })
    }

    fn mismatch<T>(
        &self,
        warp: usize,
        what: impl Into<String>,
        hardware: impl Into<String>,
        model: impl Into<String>,
    ) -> Result<T, SmError> {
        self.judged(self.warps.differs(warp, what, hardware, model))
    }

    /// What the rules of warps say, at this cycle.
    fn judged<T>(&self, said: Result<T, Wrong>) -> Result<T, SmError> {
        let cycle = self.warps.cycle;
        said.map_err(|wrong| match wrong {
            Wrong::Rule(detail) => SmError::Rule { cycle, detail },
            Wrong::Differs {
                warp,
                what,
                hardware,
                model,
                history,
            } => SmError::Mismatch {
                cycle,
                warp,
                what,
                hardware,
                model,
                history,
            },
        })
    }

    /// One cycle. `memory`: what is behind the port.
    pub fn cycle(
        &mut self,
        trace: &Trace,
        memory: &[u8],
        watcher: &mut dyn Watcher,
    ) -> Result<(), SmError> {
        if let Some(init) = &trace.init {
            self.init(init)?;
        }
        if let Some(effects) = &trace.effects {
            watcher.effect(self.warps.cycle, effects.warp, effects.op, effects.mask);
            self.effects(effects, memory)?;
        }
        if let Err(detail) = self.mode.cycle(&trace.mode) {
            // Of what is behind a fault nobody knows whether it was in the mode.
            if self.seen.faults == 0 {
                return self.rule(detail);
            }
        }
        if let Some(row) = &trace.row {
            self.row(row)?;
        }
        for done in trace.dones.iter().flatten() {
            self.done(done, memory)?;
        }
        self.barriers(trace)?;
        if let Some(record) = &trace.retire {
            self.retired(record, watcher)?;
        }
        if let Some(exception) = &trace.exception {
            self.excepted(exception)?;
        }
        if let Some(reported) = &trace.fault {
            self.fault(reported)?;
        }
        self.known(trace.faulted);
        if let Some(issue) = &trace.issue {
            watcher.issued(self.warps.cycle, issue.warp, issue.pc, issue.mask);
            let issue = Issue {
                warp: issue.warp,
                pc: issue.pc,
                mask: issue.mask,
                word: issue.word,
                second: false,
            };
            self.issued(&issue)?;
        }
        self.reason(trace.issue.is_some(), trace.barrier.hold);
        let changes = self.shadow.changes;
        if changes != self.useful.0 {
            self.useful = (changes, self.warps.cycle);
        }
        self.warps.cycle += 1;
        Ok(())
    }

    /// MEM-020, SM-023: the INITs in their order; until then the slot does not run, so it may not issue.
    fn init(&mut self, init: &Init) -> Result<(), SmError> {
        let launch = &self.options.launch;
        let (width, threads) = (self.shape.threads, launch.threads());
        let (cta, within) = (init.first / threads, init.first % threads);
        let block = (within as usize) / width;
        if cta >= launch.ctas() || within as usize % width != 0 || init.warp >= self.slots.len() {
            return self.rule(format!("{init:?} is no warp of the grid"));
        }
        if (cta, block) != self.next_init {
            let next = self.next_init;
            return self.rule(format!(
                "MEM-020: {init:?}, CTA and block {:?}; {next:?} is next",
                (cta, block)
            ));
        }
        let blocks = launch.blocks(width);
        self.next_init = match block + 1 == blocks {
            true => (cta + 1, 0),
            false => (cta, block + 1),
        };
        match self.launching[init.warp].take() {
            Some(heard) if heard == (init.cta, block) => {}
            heard => {
                return self.rule(format!(
                    "SM-012: {init:?}, block {block}; the barrier unit has heard of {heard:?}"
                ));
            }
        }
        if self.warps[init.warp].alive || !self.slots[init.warp].flights.is_empty() {
            return self.rule(format!("{init:?}: the slot is not free"));
        }
        if block == 0 {
            let image = Memory::load(self.program, self.options.machine.memory);
            let machine = grid::machine(self.options);
            let golden = Machine::of_cta(self.program, &machine, launch, cta, image)?;
            let golden = golden
                .without_memory()
                .with_broken_text(&self.options.bad_lines);
            self.shadow.cta(cta);
            self.ctas.insert(cta, Cta { golden, ended: 0 });
            self.seen.ctas += 1;
            self.seen.most_ctas = self.seen.most_ctas.max(self.ctas.len() as u64);
        }
        let golden = &mut self.ctas.get_mut(&cta).expect("its first block").golden;
        let config = golden.config().clone();
        let (entry, mask) = (self.program.entry / 4, config.launch_mask(block));
        let warp = Warp::launch(
            init.warp,
            width,
            config.tokens,
            config.policy(),
            entry,
            mask,
        );
        *golden.warp_mut(block) = warp.expect("a valid configuration has enough tokens");
        let room = self.shape.resident(self.options.machine.shared_from);
        if init.warp >= room {
            return self.rule(format!(
                "SUBV-054: {init:?}, the register file has rows for {room} warps"
            ));
        }
        self.seen.partial_warps += u64::from(mask.count_ones() as usize != width);
        self.mode.init(init.warp);
        self.seen.reused_slots += u64::from(self.warps[init.warp].launches > 0);
        self.warps
            .launched(init.warp, (cta as usize, block), (entry, mask));
        self.slots[init.warp] = SmSlot {
            since: self.warps.cycle,
            expected: vec![VecDeque::new(); width],
            ..SmSlot::default()
        };
        let resident = self.warps.slots().iter().filter(|slot| slot.alive).count();
        self.seen.most_warps = self.seen.most_warps.max(resident as u64);
        self.event = self.warps.cycle;
        Ok(())
    }

    /// CTA in the grid and block of the warp's latest launch.
    fn stands(&self, warp: usize) -> Option<(u32, usize)> {
        let (cta, block) = self.warps.slots().get(warp)?.stands?;
        Some((cta as u32, block))
    }

    fn golden(&mut self, warp: usize) -> Option<(&mut Machine, usize)> {
        let (cta, block) = self.stands(warp)?;
        Some((&mut self.ctas.get_mut(&cta)?.golden, block))
    }

    /// The golden machine does what the hardware has retired.
    fn retire_in_model(&mut self, warp: usize, event: Event) -> Result<Record, Option<Fault>> {
        let Some((cta, block)) = self.stands(warp) else {
            return Err(None);
        };
        let Some(Cta { golden, .. }) = self.ctas.get_mut(&cta) else {
            return Err(None);
        };
        // What `subv.auto` has become is the hardware's to say (SUBV-011).
        match event {
            Event::Mask => golden.tell_mode(true),
            Event::Push => golden.tell_mode(false),
            _ => {}
        }
        self.warps.step(warp, golden, block)
    }

    fn who(&self, warp: usize, lane: usize) -> Who {
        let (cta, block) = self.stands(warp).unwrap_or_default();
        let within = (block * self.shape.threads + lane) as u32;
        Who {
            thread: cta * self.options.launch.threads() + within,
            cta,
            slot: (warp * self.shape.threads + lane) as u32,
        }
    }

    /// The warp has ended, or was stopped by an exception.
    fn over(&mut self, warp: usize) -> Result<(), SmError> {
        self.warps.over(warp);
        let slot = &self.slots[warp];
        self.useful.1 = self.warps.cycle;
        let (cta, _) = self.stands(warp).expect("it ran");
        if slot.fault.is_none() {
            let left = slot.expected.iter().flatten().next().copied();
            if let Some(e) = left {
                let model = format!("operation {} at {:#x}", e.access.op, e.access.address);
                return self.mismatch(warp, "its end", "no access", model);
            }
        }
        let blocks = self.options.launch.blocks(self.shape.threads);
        let of = self.ctas.get_mut(&cta).expect("it runs");
        of.ended += 1;
        if of.ended == blocks {
            let width = self.shape.threads;
            let threads = 0..self.options.launch.threads() as usize;
            let golden = &of.golden;
            let threads = threads.map(|n| *golden.thread(n / width, n % width));
            self.ended.insert(cta, threads.collect());
            self.ctas.remove(&cta);
            if !self.failed.contains(&cta) {
                self.shadow.cta_ends(cta);
            }
        }
        Ok(())
    }

    /// Everything has come to its end.
    pub fn finish(&mut self, memory: &[u8]) -> Result<(), SmError> {
        let launch = &self.options.launch;
        let fail = |detail: String| Err(SmError::FinalState(detail));
        if self.next_init != (launch.ctas(), 0) || !self.ctas.is_empty() {
            let (next, open) = (self.next_init, self.ctas.keys());
            return fail(format!(
                "done, but CTA and block {next:?} would be next, CTAs {open:?} have not ended"
            ));
        }
        if self.seen.faults == 0 {
            if let Err(detail) = self.mode.finish() {
                return fail(detail);
            }
        }
        for (warp, slot) in self.slots.iter().enumerate() {
            if !slot.flights.is_empty() {
                let count = slot.flights.len();
                return fail(format!("warp {warp}: {count} instructions without `done`"));
            }
            if let Some(fault) = slot.fault.filter(|_| !slot.reported) {
                return fail(format!("SM-013: not reported: {fault}"));
            }
            let left = slot.expected.iter().flatten().find(|e| !e.bad);
            if let Some(e) = left {
                let Access { op, address, .. } = e.access;
                return fail(format!(
                    "SM-021: warp {warp}: operation {op} at {address:#x} has not taken effect"
                ));
            }
        }
        // Tokens stand behind local memory.
        if let Some((at, model, there)) = self.shadow.differs(memory, self.options.token_base()) {
            return fail(format!(
                "SM-014: memory at {at:#x} is {there:#x}, by the effects {model:#x}"
            ));
        }
        Ok(())
    }

    /// What the barrier unit has not come to an end with; a KILL takes it some time that nobody sees.
    pub fn unsettled(&self) -> Option<String> {
        let judge: &Judge = self.warps.barrier_model.as_ref()?;
        (!judge.is_quiet()).then(|| format!("barrier unit: {}", judge.under_way()))
    }

    /// Registers by number in the grid; fewer if some CTA has failed.
    pub fn threads(&self) -> Vec<Thread> {
        self.ended.values().flatten().copied().collect()
    }

    /// How often something happened.
    pub fn seen(&self) -> Seen {
        let m = &self.mode.seen;
        let [decided_regular, decided_subvector] = m.decided;
        Seen {
            modes_asked: m.asked,
            modes_subvector: m.subvector,
            decided_regular,
            decided_subvector,
            reads_uncounted: m.uncounted,
            ..self.seen
        }
    }

    pub fn failed(&self) -> &[u32] {
        &self.failed
    }

    pub fn issued_by_slot(&self) -> Vec<u64> {
        self.warps.slots().iter().map(|s| s.issued).collect()
    }

    /// For messages: who runs and where.
    pub fn standing(&self) -> String {
        let alive = self.warps.slots().iter().enumerate();
        let text = alive.filter(|(_, s)| s.alive).map(|(warp, s)| {
            let waits = if s.control.is_some() { ", waits" } else { "" };
            let open = self.slots[warp].flights.iter().filter(|f| !f.done).count();
            let blocked = if s.blocked { ", blocked" } else { "" };
            let (at, issued) = (s.pc * 4, s.issued);
            format!("\n  warp {warp} at {at:#x}{waits}{blocked}, {open} in flight, {issued} issued")
        });
        text.collect()
    }
}

/// The members of a mask, ascending.
fn lanes(mask: u64) -> impl Iterator<Item = usize> {
    (0..64).filter(move |l| mask >> l & 1 != 0)
}

/// Nobody looks.
pub struct Blind;

impl Watcher for Blind {}
