//! The judge of an SM: reads its trace cycle by cycle.
//!
//! The golden machine of a CTA executes an instruction when it is issued, a control instruction when it retires, so
//! that it goes through each warp in program order.
//! The golden machine receives a load's value when the trace shows the load's effect.
//! No instruction needs it earlier: the scoreboard blocks those that read it. Every access that the golden machine makes must appear as an effect, every
//! register that it writes as a row.

use super::grid;
use super::mode::ModeRules;
use super::options::SmOptions;
use super::ports::{op, Done, Effects, Exception, Init, Issue, Reported, Row, Shape, Trace, LINE};
use super::report::{Reason, Seen, SmError, Watcher};
use super::shadow::{Kind, Shadow, Who, Word};
use super::text::Text;
use crate::barrier::{device::Size, rules::Rules};
use crate::core::decode::{decode, FLOAT, MEMORY, SPECIAL};
use crate::lockstep::line;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use weft_isa::{AmoOp, Instr, LoadWidth, MulOp, Program};
use weft_sim::barrier::{Answer as Told, Judge, Op as BarrierOp, OpCode, Params, Ports};
use weft_sim::barrier::{Verdict, VerdictKind, Wake};
use weft_sim::convergence::{Warp, PC_MASK};
use weft_sim::issue::Decoded;
use weft_sim::lane::data_address;
use weft_sim::memory::MEMORY_BASE;
use weft_sim::space::{load_size, store_size, Answers, Bounds, LOCAL, SCRATCHPAD};
use weft_sim::view::Order;
use weft_sim::{Event, Fault, FaultCause, Machine, Memory, Record, Thread};

/// How many records of a warp a failure shows.
const HISTORY: usize = 16;
/// What the dividers do.
const DIVISIONS: [MulOp; 4] = [MulOp::Div, MulOp::Divu, MulOp::Rem, MulOp::Remu];
/// Instructions that come so many cycles after an exception (docs/spec/core.md).
const LATE: u64 = 2;
/// An instruction that nothing keeps is issued within so many cycles of what set it free.
const STEPS: u64 = 12;
/// Most instructions of a warp in flight (SCHED-021, SCHED-025).
const FLIGHT: usize = 29;

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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Accepted {
    Verdict(Verdict),
    Wake(Wake),
}

/// A warp slot.
#[derive(Clone, Debug, Default)]
struct Slot {
    /// CTA in the grid, block.
    stands: Option<(u32, usize)>,
    alive: bool,
    /// Where the next instruction is to come from, with which threads.
    pc: u32,
    mask: u64,
    /// A control instruction was issued and has not retired.
    control: Option<Issue>,
    asked: Option<BarrierOp>,
    accepted: Option<Accepted>,
    woken: bool,
    blocked: bool,
    /// The golden machine has faulted there; who may be named.
    fault: Option<Fault>,
    suspects: Vec<(u32, FaultCause)>,
    /// A fault of this life is known to the hardware.
    known: bool,
    reported: bool,
    excepted: Option<(u64, Exception)>,
    flights: VecDeque<Flight>,
    serial: u64,
    /// By lane: what must take effect next.
    expected: Vec<VecDeque<Expected>>,
    /// Words that it has written since its latest fence, with the number of the effect.
    written: BTreeMap<Word, u64>,
    /// Atomics that acquire or release and have not acted, or nothing behind them has.
    ordered: Vec<Ordered>,
    history: VecDeque<(u64, Record)>,
    launches: u64,
    issued: u64,
    /// The instruction at an address, decoded: the next one of the warp.
    next: Option<(u32, Decoded)>,
    /// When it has last issued or retired, or something of it was done.
    since: u64,
    /// The control operation is one of a barrier.
    arrives: bool,
    /// It has issued since it has last retired, so its instructions are there.
    supplied: bool,
}

impl Slot {
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
    inits: usize,
    ended: usize,
}

pub struct Lockstep<'a> {
    program: &'a Program,
    options: &'a SmOptions,
    shape: Shape,
    bounds: Bounds,
    pub shadow: Shadow,
    text: Text,
    slots: Vec<Slot>,
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
    /// `None`: nobody can say any more what a faulted warp asks of it.
    judge: Option<(Judge, Rules)>,
    told: Option<Verdict>,
    woken: Option<Wake>,
    mode: ModeRules,
    cycle: u64,
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
        let params = Params {
            warps,
            threads: width,
        };
        let size = Size {
            warps,
            threads: width,
        };
        Lockstep {
            program,
            options,
            shape,
            bounds,
            shadow: Shadow::new(physical, bounds, options.local_base(), threads),
            text: Text::new(shape.warps),
            slots: vec![Slot::default(); warps],
            faulted: 0,
            ctas: BTreeMap::new(),
            ended: BTreeMap::new(),
            failed: Vec::new(),
            next_init: (0, 0),
            launching: vec![None; warps],
            judge: Some((Judge::new(params), Rules::new(size))),
            told: None,
            woken: None,
            mode: ModeRules::new(
                options.machine.subvector,
                options.machine.miss_threshold,
                warps,
                shape.data_cache > 0,
            ),
            cycle: 0,
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
            cycle: self.cycle,
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
        let mut history = String::from("\n  before that:");
        for (cycle, record) in &self.slots[warp].history {
            history += &format!("\n    {cycle:>8} {}", line(record));
        }
        Err(SmError::Mismatch {
            cycle: self.cycle,
            warp,
            what: what.into(),
            hardware: hardware.into(),
            model: model.into(),
            history,
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
            watcher.effect(self.cycle, effects.warp, effects.op, effects.mask);
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
            watcher.issued(self.cycle, issue.warp, issue.pc, issue.mask);
            self.issued(issue)?;
        }
        self.reason(trace.issue.is_some(), trace.barrier.hold);
        let changes = self.shadow.changes;
        if changes != self.useful.0 {
            self.useful = (changes, self.cycle);
        }
        self.cycle += 1;
        Ok(())
    }

    /// Why nothing is issued in this cycle, as far as the trace shows it: told by the warp that is nearest to it.
    fn reason(&mut self, issues: bool, hold: u64) {
        let reason = match issues {
            true => Reason::Issue,
            false => match self.nearest(hold) {
                Reason::Steps | Reason::Supply if self.cycle < self.passes_until => Reason::Unit,
                other => other,
            },
        };
        self.seen.reasons.add(reason);
    }

    /// `hold`: warps that wait at a barrier, asleep or awake (BAR-084).
    fn nearest(&mut self, hold: u64) -> Reason {
        let (mut nearest, mut alive) = (None, false);
        for warp in 0..self.slots.len() {
            let slot = &self.slots[warp];
            alive |= slot.alive;
            if slot.alive && !slot.blocked && hold >> warp & 1 == 0 {
                let waits = self.waits_for(warp);
                if waits == Reason::Steps {
                    return waits;
                }
                nearest = Some(nearest.map_or(waits, |n: Reason| n.min(waits)));
            }
        }
        nearest.unwrap_or(match alive {
            true => Reason::Barrier,
            false => Reason::Idle,
        })
    }

    /// What keeps the next instruction of a warp that is awake.
    fn waits_for(&mut self, warp: usize) -> Reason {
        let slot = &self.slots[warp];
        if slot.control.is_some() {
            return match slot.arrives {
                true => Reason::Barrier,
                false => Reason::Control,
            };
        }
        let (pc, ready) = (slot.pc, self.cycle - slot.since > STEPS);
        let open = slot.flights.iter().any(|f| !f.done);
        if !open && !ready {
            return slot.steps();
        }
        let next = match slot.next {
            Some((at, next)) if at == pc => next,
            _ => in_sm(self.program_word(pc).unwrap_or(0), self.shape.float > 0),
        };
        let slot = &mut self.slots[warp];
        slot.next = Some((pc, next));
        let uses = [next.rd, next.rs1, next.rs2];
        let awaited = |f: &&Flight| {
            let named = f.rd.is_some() && uses.contains(&f.rd);
            !f.done && (next.drain || named)
        };
        let awaited = slot.flights.iter().filter(awaited);
        let longest = awaited.map(|f| match f.memory {
            true => Reason::Memory,
            false => Reason::Hazard,
        });
        longest.max().unwrap_or(match next.class {
            // Its queue is full.
            MEMORY if ready => Reason::Memory,
            SPECIAL | FLOAT if ready => Reason::Unit,
            _ => slot.steps(),
        })
    }

    // ---- Launches.

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
        let slot = &self.slots[init.warp];
        if slot.alive || !slot.flights.is_empty() {
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
            let (inits, ended) = (0, 0);
            self.ctas.insert(
                cta,
                Cta {
                    golden,
                    inits,
                    ended,
                },
            );
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
        self.ctas.get_mut(&cta).expect("its first block").inits += 1;
        let room = self.shape.resident(self.options.machine.shared_from);
        if init.warp >= room {
            return self.rule(format!(
                "SUBV-054: {init:?}, the register file has rows for {room} warps"
            ));
        }
        self.seen.partial_warps += u64::from(mask.count_ones() as usize != width);
        self.mode.init(init.warp);
        let slot = &mut self.slots[init.warp];
        self.seen.reused_slots += u64::from(slot.launches > 0);
        *slot = Slot {
            stands: Some((cta, block)),
            alive: true,
            pc: entry,
            mask,
            launches: slot.launches + 1,
            issued: slot.issued,
            since: self.cycle,
            expected: vec![VecDeque::new(); width],
            ..Slot::default()
        };
        let resident = self.slots.iter().filter(|slot| slot.alive).count();
        self.seen.most_warps = self.seen.most_warps.max(resident as u64);
        self.event = self.cycle;
        Ok(())
    }

    fn golden(&mut self, warp: usize) -> Option<(&mut Machine, usize)> {
        let (cta, block) = self.slots[warp].stands?;
        Some((&mut self.ctas.get_mut(&cta)?.golden, block))
    }

    fn who(&self, warp: usize, lane: usize) -> Who {
        let (cta, block) = self.slots[warp].stands.unwrap_or_default();
        let within = (block * self.shape.threads + lane) as u32;
        Who {
            thread: cta * self.options.launch.threads() + within,
            cta,
            slot: (warp * self.shape.threads + lane) as u32,
        }
    }

    // ---- Issue.

    fn check_issue(&self, issue: &Issue, decoded: &Decoded) -> Result<(), SmError> {
        let Issue {
            warp,
            pc,
            mask,
            word,
        } = *issue;
        let slot = &self.slots[warp];
        let late = slot.excepted.is_some_and(|(at, _)| self.cycle <= at + LATE);
        if !slot.alive && !late {
            return self.rule(format!("warp {warp} issues and does not run: {issue:x?}"));
        }
        if let Some(control) = slot.control {
            return self.rule(format!(
                "warp {warp} issues past a control instruction: {issue:x?}, {control:x?}"
            ));
        }
        if (pc, mask) != (slot.pc, slot.mask) {
            return self.rule(format!(
                "warp {warp}: lost or issued twice: {issue:x?}, next is {:#x} with {:#x}",
                slot.pc, slot.mask
            ));
        }
        let right = self.program_word(pc);
        let written = self.text.of(warp, pc * 4);
        let may = match &written {
            Some(words) => words.contains(&word),
            None => right.is_none_or(|right| right == word),
        };
        if !may {
            let right = written.map_or(format!("{right:x?}"), |words| format!("one of {words:x?}"));
            return self.rule(format!(
                "warp {warp}: the word at {:#x} is {right}: {issue:x?}",
                pc * 4
            ));
        }
        let open: Vec<&Flight> = slot.flights.iter().filter(|f| !f.done).collect();
        let pending = |x: u8| open.iter().any(|f| f.rd == Some(x));
        // Whatever the word names, a third source among them.
        let instr = weft_isa::decode(word).ok().filter(|_| !decoded.control);
        let named = instr.map_or([None; 4], |instr| instr.registers());
        let used = [decoded.rd, decoded.rs1, decoded.rs2]
            .into_iter()
            .chain(named);
        if let Some(x) = used.flatten().find(|&x| pending(x)) {
            return self.rule(format!("warp {warp}: x{x} is pending: {issue:x?}"));
        }
        if decoded.drain && !open.is_empty() {
            let count = open.len();
            return self.rule(format!("warp {warp}: {issue:x?} with {count} in flight"));
        }
        if open.len() >= FLIGHT {
            return self.rule(format!("warp {warp}: more than {FLIGHT} in flight"));
        }
        Ok(())
    }

    /// `None`: outside the program; there may be data. Zeros where there is no memory, or it answers with an error.
    fn program_word(&self, pc: u32) -> Option<u32> {
        let at = pc * 4;
        let mapped = (MEMORY_BASE..self.bounds.memory).contains(&at);
        if !mapped || self.options.bad_lines.contains(&(at & !(LINE - 1))) {
            return Some(0);
        }
        let (start, end) = self.program.text;
        (start..end).contains(&at).then(|| self.program_at(at))
    }

    fn program_at(&self, at: u32) -> u32 {
        let of = self.program.segments.iter().find(|s| {
            let end = s.address + s.bytes.len() as u32;
            s.address <= at && at + 4 <= end
        });
        of.map_or(0, |s| {
            let n = (at - s.address) as usize;
            u32::from_le_bytes(s.bytes[n..n + 4].try_into().expect("four bytes"))
        })
    }

    fn issued(&mut self, issue: &Issue) -> Result<(), SmError> {
        let decoded = in_sm(issue.word, self.shape.float > 0);
        self.check_issue(issue, &decoded)?;
        let Issue { warp, pc, .. } = *issue;
        let instr = weft_isa::decode(issue.word).ok();
        self.event = self.cycle;
        self.seen.issued += 1;
        if !self.text.is_constant() {
            if let Some((golden, _)) = self.golden(warp) {
                golden.set_instruction(pc * 4, issue.word);
            }
        }
        let width = self.shape.threads;
        let slot = &mut self.slots[warp];
        slot.issued += 1;
        (slot.since, slot.supplied) = (self.cycle, true);
        slot.pc = (pc + 1) & PC_MASK;
        slot.control = decoded.control.then_some(*issue);
        slot.arrives = matches!(instr, Some(Instr::Barrier { .. }));
        let loose = slot.fault.is_some() || !slot.alive;
        slot.serial += 1;
        let mut flight = Flight {
            serial: slot.serial,
            rd: decoded.rd,
            control: decoded.control,
            fence: matches!(instr, Some(Instr::Fence { .. })),
            memory: decoded.class == MEMORY && !decoded.control,
            divides: matches!(instr, Some(Instr::Mul { op, .. }) if DIVISIONS.contains(&op)),
            done: false,
            stepped: loose,
            loose,
            regular: self.mode.issued(warp, pc),
            ignored: slot.known || slot.reported,
            acting: 0,
            expected: vec![None; width],
            waits: 0,
            told: false,
            seen: vec![None; width],
        };
        self.seen.fences += u64::from(flight.fence);
        let order = instr.map(Order::of).unwrap_or_default();
        let orders = (order.settles || order.forgets) && instr != Some(Instr::FenceI);
        if orders && !flight.fence && !loose {
            self.slots[warp].ordered.push(Ordered {
                serial: flight.serial,
                acquires: order.forgets,
                acted: false,
            });
        }
        self.seen.ignored += u64::from(loose);
        if !loose {
            if let (Some(instr), Some((golden, block))) = (instr, self.golden(warp)) {
                flight.acting = golden.acting(block, instr).unwrap_or(0);
                let predicated = !decoded.control && flight.acting != issue.mask;
                self.seen.predicated += u64::from(predicated);
                self.seen.predicated_away += u64::from(predicated && flight.acting == 0);
            }
            self.seen.without_threads += u64::from(issue.mask == 0);
            if let (Some(Instr::Float(float)), false) = (instr, decoded.control) {
                let predicated = flight.acting != issue.mask && flight.acting != 0;
                self.seen.float(float, decoded.drain, predicated);
            }
            match decoded.control {
                // A link is known; the others' results come with the step.
                true => {}
                false => self.step(issue, instr, &mut flight)?,
            }
        }
        let lanes = self.shape.lanes;
        let parts = (0..self.shape.parts()).filter(|p| {
            let part = flight.acting >> (p * lanes);
            part.trailing_zeros() < lanes as u32
        });
        let turns = match instr {
            Some(Instr::Float(float)) if !decoded.control => self.shape.turns(float),
            _ => 1,
        };
        let parts = parts.count();
        if flight.divides && !loose {
            let mut others = self.slots.iter().flat_map(|slot| &slot.flights);
            let beside = others.any(|other| other.divides && !other.done);
            self.seen.division(parts, beside);
        }
        let passes = parts.max(1) as u64 * turns;
        self.passes_until = self.passes_until.max(self.cycle) + passes;
        self.slots[warp].flights.push_back(flight);
        Ok(())
    }

    /// The golden machine executes an instruction that is not control.
    fn step(
        &mut self,
        issue: &Issue,
        instr: Option<Instr>,
        flight: &mut Flight,
    ) -> Result<(), SmError> {
        let Issue { warp, pc, mask, .. } = *issue;
        let accesses = self.accesses(warp, instr, flight.acting);
        self.count_lines(&accesses);
        let mut answers: Answers = vec![None; self.shape.threads];
        let mut suspects = Vec::new();
        for (lane, access, cause) in &accesses {
            answers[*lane] = Some(match cause {
                Some(cause) => {
                    suspects.push((*lane as u32, *cause));
                    Err(*cause)
                }
                None => Ok(0),
            });
            let bad = self.is_bad(*lane, warp, access);
            if cause.is_none() || bad {
                let serial = flight.serial;
                let access = *access;
                self.slots[warp].expected[*lane].push_back(Expected {
                    serial,
                    access,
                    bad,
                    regular: flight.regular,
                });
            }
        }
        let woken = self.slots[warp].woken;
        let (golden, block) = self.golden(warp).expect("it runs");
        if woken {
            golden.warp_mut(block).defer_forced_yield();
        }
        golden.tell(answers);
        let expected = match golden.is_runnable(block) {
            true => golden
                .step_by(block, |_, _, _| Told::default())
                .map_err(Some),
            false => Err(None),
        };
        flight.stepped = true;
        let seen = Record {
            warp,
            event: Event::Next,
            pc,
            mask,
            next_pc: (pc + 1) & PC_MASK,
            next_mask: mask,
            done: false,
            blocked: false,
            depth: 0,
            front: None,
            dropped: false,
        };
        match expected {
            Ok(record)
                if record
                    == Record {
                        depth: record.depth,
                        front: record.front,
                        ..seen
                    } =>
            {
                self.note(warp, record)
            }
            Err(Some(fault)) if fault.pc == pc * 4 => {
                if suspects.is_empty() {
                    suspects.push((fault.lane, fault.cause));
                }
                flight.loose = true;
                self.faulted(warp, fault, suspects)?;
                return Ok(());
            }
            other => {
                let model = said(&other);
                return self.mismatch(warp, "an issued instruction", line(&seen), model);
            }
        }
        self.seen.thread_instructions += u64::from(flight.acting.count_ones());
        let memory = !accesses.is_empty();
        flight.told = instr.is_some_and(is_told);
        self.seen.counters_read += u64::from(flight.told);
        if let Some(rd) = flight.rd {
            flight.waits = if memory { flight.acting } else { 0 };
            if !memory && !flight.told {
                self.expect_rows(warp, rd, flight);
            }
        }
        Ok(())
    }

    /// How many lines of global memory an instruction asks for.
    fn count_lines(&mut self, accesses: &[(usize, Access, Option<FaultCause>)]) {
        let global = accesses.iter().filter(|(_, _, cause)| cause.is_none());
        let lines = global.map(|(_, access, _)| access.address / LINE);
        let mut lines: Vec<u32> = lines.filter(|line| *line < LOCAL / LINE).collect();
        if !lines.is_empty() {
            lines.sort_unstable();
            lines.dedup();
            self.seen.accesses += 1;
            self.seen.lines += lines.len() as u64;
        }
    }

    /// From the registers of the golden machine.
    fn expect_rows(&mut self, warp: usize, rd: u8, flight: &mut Flight) {
        let (golden, block) = self.golden(warp).expect("it runs");
        for lane in lanes(flight.acting) {
            let value = golden.thread(block, lane).registers[usize::from(rd)];
            flight.expected[lane] = Some(value);
        }
    }

    /// The accesses of an instruction, by lane, each with its fault if it must have one.
    fn accesses(
        &mut self,
        warp: usize,
        instr: Option<Instr>,
        acting: u64,
    ) -> Vec<(usize, Access, Option<FaultCause>)> {
        let bounds = self.bounds;
        let Some(instr) = instr else {
            return Vec::new();
        };
        let mut list = Vec::new();
        for lane in lanes(acting) {
            let (golden, block) = self.golden(warp).expect("it runs");
            let thread = *golden.thread(block, lane);
            let Some(address) = data_address(instr, &thread) else {
                return list;
            };
            let register = |x: u8| thread.registers[usize::from(x)];
            let plain = Access {
                op: op::LOAD,
                size: 4,
                signed: false,
                amo: None,
                address,
                data: 0,
                rd: None,
            };
            let access = match instr {
                Instr::Load { width, rd, .. } => Access {
                    size: load_size(width),
                    signed: matches!(width, LoadWidth::I8 | LoadWidth::I16),
                    rd: Some(rd),
                    ..plain
                },
                Instr::Store { width, rs2, .. } => Access {
                    op: op::STORE,
                    size: store_size(width),
                    data: register(rs2),
                    ..plain
                },
                Instr::LoadReserved { rd, .. } => Access {
                    op: op::LR,
                    rd: Some(rd),
                    ..plain
                },
                Instr::StoreConditional { rd, rs2, .. } => Access {
                    op: op::SC,
                    data: register(rs2),
                    rd: Some(rd),
                    ..plain
                },
                Instr::Amo {
                    op: amo, rd, rs2, ..
                } => Access {
                    op: op::AMO + amo_number(amo),
                    amo: Some(amo),
                    data: register(rs2),
                    rd: Some(rd),
                    ..plain
                },
                _ => return list,
            };
            let mut cause = bounds.window(address, access.size).err();
            if cause.is_none() && self.is_bad(lane, warp, &access) {
                cause = Some(FaultCause::Bus { address });
            }
            list.push((lane, access, cause));
        }
        list
    }

    /// The line answers with an error. Not to an SC: it has no reservation there, since its LR has faulted, and fails
    /// without an access.
    fn is_bad(&self, lane: usize, warp: usize, access: &Access) -> bool {
        if self.options.bad_lines.is_empty() || access.op == op::SC {
            return false;
        }
        match self.shadow.word(&self.who(warp, lane), access.address) {
            Ok(Word::Physical(at)) => self.options.bad_lines.contains(&(at & !63)),
            _ => false,
        }
    }

    fn faulted(
        &mut self,
        warp: usize,
        fault: Fault,
        suspects: Vec<(u32, FaultCause)>,
    ) -> Result<(), SmError> {
        self.seen.faults += 1;
        match fault.cause {
            FaultCause::Fetch { .. } => self.seen.fetches_outside += 1,
            FaultCause::FetchBus { .. } => self.seen.fetch_errors += 1,
            _ => {}
        }
        let slot = &mut self.slots[warp];
        slot.fault = Some(fault);
        slot.suspects = suspects;
        let (cta, _) = slot.stands.expect("it runs");
        if !self.failed.contains(&cta) {
            self.failed.push(cta);
        }
        Ok(())
    }

    fn note(&mut self, warp: usize, record: Record) {
        let history = &mut self.slots[warp].history;
        if history.len() == HISTORY {
            history.pop_front();
        }
        history.push_back((self.cycle, Record { warp, ..record }));
    }

    // ---- Memory.

    fn effects(&mut self, e: &Effects, memory: &[u8]) -> Result<(), SmError> {
        self.event = self.cycle;
        self.seen.effects += 1;
        let slot = self.slots.get(e.warp);
        if slot.is_none_or(|s| s.stands.is_none()) || e.mask == 0 {
            return self.rule(format!("an effect of nobody: {e:x?}"));
        }
        let first = e.mask.trailing_zeros() as usize;
        let on_chip = e.address.get(first).is_some_and(|&at| at >= SCRATCHPAD);
        if e.op == op::LOAD && !on_chip {
            let lane = e.part * self.shape.lanes + first;
            let expected = self.slots[e.warp].expected.get(lane);
            let regular = expected.and_then(|e| e.front()).is_none_or(|e| e.regular);
            self.mode.read(regular);
        }
        for l in lanes(e.mask) {
            let lane = e.part * self.shape.lanes + l;
            if l >= self.shape.lanes || lane >= self.shape.threads {
                return self.rule(format!("an effect of a lane that does not exist: {e:x?}"));
            }
            self.effect(e, lane, (e.address[l], e.data[l]), memory)?;
        }
        Ok(())
    }

    fn effect(
        &mut self,
        e: &Effects,
        lane: usize,
        (address, data): (u32, u32),
        memory: &[u8],
    ) -> Result<(), SmError> {
        let (warp, who) = (e.warp, self.who(e.warp, lane));
        // Only when something is wrong.
        let shown = || {
            format!(
                "lane {lane}: operation {} at {address:#x}, data {data:#x}",
                e.op
            )
        };
        let expected = loop {
            let Some(next) = self.slots[warp].expected[lane].pop_front() else {
                break None;
            };
            // It was answered with an error and has not shown.
            if next.bad && (next.access.address != address) {
                continue;
            }
            break Some(next);
        };
        let Some(expected) = expected else {
            if self.slots[warp].fault.is_none() {
                return self.mismatch(warp, "an access", shown(), "none is to come");
            }
            // Without rd it is not known whose `done` came: an access may be what is left of any of these.
            let may_act = |f: &Flight| (f.memory || f.rd.is_none()) && !f.ignored;
            if !self.slots[warp].flights.iter().any(may_act) {
                return self.rule(format!(
                    "SM-022: warp {warp} has faulted, a later instruction acts: {}",
                    shown()
                ));
            }
            // Behind a fault: it acts, and nobody knows with what.
            let writes = e.op == op::STORE || e.op == op::SC || e.op >= op::AMO;
            let forgotten = match writes {
                true => self.shadow.forget(&who, address),
                false => self
                    .bounds
                    .window(address, 1)
                    .map(|_| ())
                    .map_err(|e| e.to_string()),
            };
            return match forgotten {
                Ok(()) => Ok(()),
                Err(detail) => self.rule(format!("{}: {detail}", shown())),
            };
        };
        let Expected {
            serial,
            access: a,
            bad,
            ..
        } = expected;
        let op_agrees = e.op == a.op || a.op == op::SC && e.op == op::SC_FAILS;
        let mask = match a.size {
            4 => u32::MAX,
            size => (1u32 << (8 * size)) - 1,
        };
        let carries = !matches!(a.op, op::LOAD | op::LR);
        let data_agrees = !carries || data & mask == a.data & mask;
        if !op_agrees || address != a.address || !data_agrees {
            let model = format!(
                "operation {} at {:#x}, data {:#x}, {} bytes",
                a.op, a.address, a.data, a.size
            );
            return self.mismatch(warp, "an access", shown(), model);
        }
        self.behind_a_fence(warp, serial, memory)?;
        if bad {
            // The memory does not take it.
            return Ok(());
        }
        let kind = match a.op {
            op::LOAD => Kind::Load { signed: a.signed },
            op::STORE => Kind::Store,
            op::LR => Kind::LoadReserved,
            op::SC => Kind::StoreConditional(e.op == op::SC),
            _ => Kind::Amo(a.amo.expect("it is an AMO")),
        };
        self.count(a.op, e.op, address, &who);
        let (start, end) = self.program.text;
        let in_text = carries && (start..end).contains(&address);
        let before = self.shadow.physical(address).filter(|_| in_text);
        let result = match self.shadow.access(&who, kind, a.size, address, data) {
            Ok(result) => result,
            Err(detail) => return self.rule(format!("warp {warp}, {}: {detail}", shown())),
        };
        if let (Some(before), Some(now)) = (before, self.shadow.physical(address)) {
            self.text
                .wrote(self.cycle, warp, address & !3, [before, now]);
        }
        if carries && e.op != op::SC_FAILS {
            if let Ok(word) = self.shadow.word(&who, address) {
                let now = self.shadow.now();
                self.slots[warp].written.insert(word, now);
            }
        }
        let Some(rd) = a.rd.filter(|&rd| rd != 0) else {
            return Ok(());
        };
        self.seen.unknown += u64::from(result.is_none());
        if let Some(value) = result {
            if let Some((golden, block)) = self.golden(warp) {
                golden.counter_read(block, 1 << lane, rd, value);
            }
        }
        let slot = &mut self.slots[warp];
        let Some(flight) = slot.flights.iter_mut().find(|f| f.serial == serial) else {
            return self.rule(format!("warp {warp}, {}: after its `done`", shown()));
        };
        flight.waits &= !(1 << lane);
        flight.expected[lane] = result;
        Ok(())
    }

    fn count(&mut self, op: u8, shown: u8, address: u32, who: &Who) {
        let s = &mut self.seen;
        match op {
            op::LOAD => s.loads += 1,
            op::STORE => s.stores += 1,
            _ => s.atomics += 1,
        }
        s.local += u64::from((LOCAL..SCRATCHPAD).contains(&address));
        s.scratchpad += u64::from(address >= SCRATCHPAD);
        if op == op::SC {
            s.sc += 1;
            let fails = shown == op::SC_FAILS;
            s.sc_failed += u64::from(fails);
            s.sc_spurious += u64::from(fails && self.shadow.reserved(who, address));
        }
    }

    // ---- Registers.

    fn row(&mut self, row: &Row) -> Result<(), SmError> {
        self.event = self.cycle;
        self.seen.rows += 1;
        self.seen.shared_rows += u64::from(row.rd >= self.options.machine.shared_from);
        let warp = row.warp;
        let (lanes_of, threads) = (self.shape.lanes, self.shape.threads);
        let slot = &mut self.slots[warp];
        let open = |f: &&mut Flight| !f.done && f.rd == Some(row.rd);
        let Some(flight) = slot.flights.iter_mut().find(open) else {
            return self.rule(format!("SM-020: no instruction writes this row: {row:x?}"));
        };
        if flight.ignored {
            return self.rule(format!(
                "SM-022: warp {warp} has faulted, a later instruction writes: {row:x?}"
            ));
        }
        if flight.loose {
            return Ok(());
        }
        let mut tells = Vec::new();
        let mut wrong = None;
        for l in lanes(row.mask) {
            let lane = row.part * lanes_of + l;
            if l >= lanes_of || lane >= threads {
                return self.rule(format!("a row of a lane that does not exist: {row:x?}"));
            }
            if flight.seen[lane].is_some() {
                return self.rule(format!("SM-020: lane {lane} is written twice: {row:x?}"));
            }
            if flight.acting >> lane & 1 == 0 {
                wrong = Some((lane, "not to write".to_string()));
                break;
            }
            if flight.waits >> lane & 1 != 0 {
                return self.rule(format!(
                    "SM-021: lane {lane} has a result before its access took effect: {row:x?}"
                ));
            }
            let value = row.data[l];
            flight.seen[lane] = Some(value);
            match flight.expected[lane] {
                Some(expected) if expected != value => {
                    wrong = Some((lane, format!("{expected:#x}")));
                    break;
                }
                Some(_) => {}
                // The golden machine is told, or has not come there.
                None if flight.stepped => tells.push((lane, value)),
                None => {}
            }
        }
        if let Some((lane, model)) = wrong {
            let what = format!("lane {lane} of x{} in {row:x?}", row.rd);
            let l = lane % lanes_of;
            return self.mismatch(warp, what, format!("{:#x}", row.data[l]), model);
        }
        let differ = |flight: &Flight| {
            let mut values = flight.seen.iter().flatten();
            let first = values.next();
            flight.told && values.any(|v| Some(v) != first)
        };
        if differ(flight) {
            return self.rule(format!(
                "ISA-011: threads have read different values: {row:x?}"
            ));
        }
        if let Some((golden, block)) = self.golden(warp) {
            for (lane, value) in tells {
                golden.counter_read(block, 1 << lane, row.rd, value);
            }
        }
        Ok(())
    }

    fn done(&mut self, done: &Done, memory: &[u8]) -> Result<(), SmError> {
        self.event = self.cycle;
        let slot = &mut self.slots[done.warp];
        slot.since = self.cycle;
        let same = |f: &Flight| !f.done && f.rd == done.rd;
        let alike = slot.flights.iter().filter(|f| same(f)).count();
        // Without rd it is not known whose it is: those that do nothing are over first.
        let ignored = slot.flights.iter().position(|f| same(f) && f.ignored);
        let at = ignored.or_else(|| slot.flights.iter().position(same));
        let Some(flight) = at.map(|n| &mut slot.flights[n]) else {
            return self.rule(format!("`done` of nothing: {done:?}"));
        };
        flight.done = true;
        let fence = flight.fence && alike == 1 && !flight.loose;
        let serial = flight.serial;
        self.complete(done.warp)?;
        if fence {
            self.fenced(done.warp, memory)?;
        }
        // An access of an instruction that is done cannot come any more; without rd it is not known whose `done` it is.
        if done.rd.is_some() {
            let late = self.slots[done.warp].expected.iter().flatten();
            let mut late = late.filter(|e| e.serial == serial && !e.bad);
            if let Some(e) = late.next() {
                let model = format!("operation {} at {:#x}", e.access.op, e.access.address);
                return self.mismatch(done.warp, "a `done`", "no access", model);
            }
        }
        Ok(())
    }

    /// MEM-014: what acts behind a fence finds it complete, though its `done` may be on its way.
    fn behind_a_fence(&mut self, warp: usize, serial: u64, memory: &[u8]) -> Result<(), SmError> {
        let mut passed = false;
        for flight in &mut self.slots[warp].flights {
            let open = flight.fence && !flight.done && !flight.loose;
            if open && flight.serial < serial {
                flight.fence = false;
                passed = true;
            }
        }
        // ORDER-020, ORDER-021: an atomic of these acts first, or something acts behind one that acquires.
        self.slots[warp].ordered.retain_mut(|one| {
            let (before, itself) = (one.serial < serial, one.serial == serial);
            passed |= before && one.acquires && one.acted || itself && !one.acted;
            one.acted |= itself;
            !before
        });
        match passed {
            true => self.fenced(warp, memory),
            false => Ok(()),
        }
    }

    /// MEM-014: what the warp wrote before its fence, acquire or release is behind the port.
    fn fenced(&mut self, warp: usize, memory: &[u8]) -> Result<(), SmError> {
        for (word, number) in std::mem::take(&mut self.slots[warp].written) {
            let Some((at, value)) = self.shadow.written_last(word, number) else {
                continue;
            };
            let n = at as usize;
            let there = u32::from_le_bytes(memory[n..n + 4].try_into().expect("four bytes"));
            if there != value {
                return self.rule(format!(
                    "MEM-014: warp {warp} is past its fence, acquire or release, {at:#x} must be {value:#x} in memory and is {there:#x}"
                ));
            }
        }
        Ok(())
    }

    /// Instructions that are over leave.
    fn complete(&mut self, warp: usize) -> Result<(), SmError> {
        let over = |f: &Flight| f.done && f.stepped;
        while let Some(n) = self.slots[warp].flights.iter().position(over) {
            let flight = self.slots[warp].flights.remove(n).expect("just found");
            if flight.loose || flight.rd.is_none() {
                continue;
            }
            let written = flight.seen.iter().enumerate();
            let written = written.fold(0u64, |m, (l, v)| m | u64::from(v.is_some()) << l);
            if written != flight.acting {
                let what = format!("the rows of x{}", flight.rd.unwrap_or(0));
                let (h, m) = (format!("{written:#x}"), format!("{:#x}", flight.acting));
                return self.mismatch(warp, what, h, m);
            }
        }
        Ok(())
    }

    // ---- Control.

    fn barriers(&mut self, trace: &Trace) -> Result<(), SmError> {
        let mut ports: Ports = trace.barrier.clone();
        ports.cfg_priority = self.options.priority;
        if ports.op_valid {
            match self.barrier_op(&ports.op)? {
                Some(op) => ports.op = op,
                None => self.judge = None,
            }
        }
        if let Some((judge, rules)) = &mut self.judge {
            if let Err(detail) = judge.cycle(&ports) {
                return self.rule(format!("barrier unit: {detail}\n{ports:x?}"));
            }
            if let Err(violation) = rules.cycle(&ports) {
                return self.rule(format!("barrier unit: {violation}\n{ports:x?}"));
            }
        }
        if ports.event.is_some() {
            self.event = self.cycle;
        }
        if let Some(op) = ports.taken() {
            match op.code {
                OpCode::Launch => self.launching[op.warp] = Some((op.cta, op.block)),
                code if code.has_verdict() => {
                    self.seen.barriers += u64::from(code != OpCode::Exit);
                    self.slots[op.warp].asked = Some(*op);
                }
                _ => {}
            }
        }
        if trace.verdict_taken {
            let Some(verdict) = self.told.take() else {
                return self.rule("a verdict is taken that nobody has said");
            };
            self.seen.sleeps += u64::from(verdict.kind == VerdictKind::Sleep);
            self.slots[verdict.warp].accepted = Some(Accepted::Verdict(verdict));
        }
        if trace.wake_taken {
            let Some(wake) = self.woken.take() else {
                return self.rule("a wake is taken that nobody has said");
            };
            self.seen.wakes += 1;
            let slot = &mut self.slots[wake.warp];
            if slot.alive {
                slot.accepted = Some(Accepted::Wake(wake));
            }
        }
        let verdict = ports.verdict.filter(|_| ports.verdict_ready);
        let wake = ports.wake.filter(|_| ports.wake_ready);
        if verdict.is_some() && self.told.is_some() || wake.is_some() && self.woken.is_some() {
            return self
                .rule("the barrier unit says more than can stand before the convergence unit");
        }
        self.told = verdict.or(self.told);
        self.woken = wake.or(self.woken);
        Ok(())
    }

    /// What the barrier unit is asked. `None`: nobody can say.
    fn barrier_op(&mut self, shown: &BarrierOp) -> Result<Option<BarrierOp>, SmError> {
        let BarrierOp { code, warp, .. } = *shown;
        match code {
            OpCode::Launch => {
                let first = shown.block * self.shape.threads;
                let count = (shown.threads as usize).saturating_sub(first);
                let active = match count.min(self.shape.threads) {
                    64.. => u64::MAX,
                    n => (1 << n) - 1,
                };
                if shown.threads != self.options.launch.threads() || active == 0 {
                    return self.rule(format!("LAUNCH at the barrier unit: {shown:?}"));
                }
                return Ok(Some(BarrierOp { active, ..*shown }));
            }
            OpCode::Kill => {
                if self.slots[warp].excepted.is_none() {
                    return self.rule(format!("KILL of warp {warp}"));
                }
                return Ok(Some(*shown));
            }
            _ => {}
        }
        let slot = &self.slots[warp];
        if slot.fault.is_some() {
            return Ok(None);
        }
        let Some(issue) = slot.control else {
            return self.rule(format!("{code:?} of warp {warp} without an instruction"));
        };
        let instr = weft_isa::decode(issue.word).ok();
        let op = self
            .golden(warp)
            .and_then(|(golden, block)| golden.barrier_op(block, instr?));
        match op.filter(|op| op.code == code) {
            Some(op) => Ok(Some(BarrierOp { warp, ..op })),
            None => self.rule(format!("{code:?} at the barrier unit by {issue:x?}")),
        }
    }

    /// The golden machine does what the hardware has retired.
    fn retire_in_model(&mut self, warp: usize, event: Event) -> Result<Record, Option<Fault>> {
        let slot = &self.slots[warp];
        let (asked, accepted, woken) = (slot.asked, slot.accepted, slot.woken);
        let Some((golden, block)) = self.golden(warp) else {
            return Err(None);
        };
        if let Some(Accepted::Wake(wake)) = accepted {
            let wake = Wake {
                warp: block,
                ..wake
            };
            return Ok(golden.wake_up(&wake));
        }
        if woken {
            golden.warp_mut(block).defer_forced_yield();
        }
        // What `subv.auto` has become is the hardware's to say (SUBV-011).
        match event {
            Event::Mask => golden.tell_mode(true),
            Event::Push => golden.tell_mode(false),
            _ => {}
        }
        if !golden.is_runnable(block) {
            return Err(None);
        }
        let mut agrees = true;
        let stepped = golden.step_by(block, |_, op, _| {
            let verdict = match accepted {
                Some(Accepted::Verdict(verdict)) => Some(verdict),
                _ => None,
            };
            agrees = op.code == OpCode::Kill || asked.is_some_and(|a| a.code == op.code);
            Told {
                verdict: verdict.or(Some(Verdict {
                    warp,
                    kind: VerdictKind::Next,
                    mask: 0,
                    pc: op.pc,
                })),
                ..Told::default()
            }
        });
        match agrees {
            true => stepped.map_err(Some),
            false => Err(None),
        }
    }

    fn retired(&mut self, shown: &Record, watcher: &mut dyn Watcher) -> Result<(), SmError> {
        let warp = shown.warp;
        self.event = self.cycle;
        self.seen.retired += 1;
        let slot = &self.slots[warp];
        let wakes = matches!(slot.accepted, Some(Accepted::Wake(_)));
        let forced = shown.event == Event::ForcedYield;
        let runs = wakes && !slot.blocked;
        let began = match (forced, slot.control) {
            _ if wakes => (shown.pc, slot.mask),
            (true, None) => (slot.pc, slot.mask),
            (false, Some(issue)) => (issue.pc, issue.mask),
            _ => return self.rule(format!("warp {warp} retires {}", line(shown))),
        };
        let record = Record {
            mask: began.1,
            next_pc: match shown.done || shown.blocked {
                true => 0,
                false => shown.next_pc,
            },
            front: shown.front.filter(|_| shown.depth != 0),
            ..*shown
        };
        if !slot.alive || record.pc != began.0 {
            return self.rule(format!("warp {warp} retires {}", line(&record)));
        }
        if slot.fault.is_none() {
            let expected = self.retire_in_model(warp, shown.event);
            let seen = match &expected {
                Ok(model) if runs => Record {
                    pc: model.pc,
                    next_pc: model.next_pc,
                    ..record
                },
                _ => record,
            };
            let expected = expected.map(|model| Record { warp, ..model });
            if expected != Ok(seen) {
                let model = said(&expected);
                return self.mismatch(warp, "a retired operation", line(&record), model);
            }
            self.note(warp, record);
            watcher.retired(self.cycle, &record);
            if !forced && !wakes {
                self.stepped_control(warp)?;
            }
        }
        if !forced && !wakes && self.slots[warp].fault.is_none() {
            self.selected(warp, shown.event)?;
        }
        self.seen.forced_yields += u64::from(forced);
        self.seen.masks += u64::from(shown.event == Event::Mask);
        let slot = &mut self.slots[warp];
        if !forced {
            slot.accepted = None;
        }
        if runs {
            slot.woken = true;
            return Ok(());
        }
        slot.woken = false;
        let over = slot.control.take();
        if over.is_some_and(|issue| weft_isa::decode(issue.word) == Ok(Instr::FenceI)) {
            self.text.fenced(warp, self.cycle);
        }
        slot.asked = None;
        (slot.since, slot.supplied) = (self.cycle, false);
        (slot.pc, slot.mask) = (record.next_pc, record.next_mask);
        slot.blocked = record.blocked;
        if record.event == Event::Exit {
            self.useful.1 = self.cycle;
        }
        if record.done {
            self.over(warp)?;
        }
        Ok(())
    }

    /// What a `subv.start` or `subv.auto` has retired as.
    fn selected(&mut self, warp: usize, event: Event) -> Result<(), SmError> {
        let Some(Issue { pc, mask, word, .. }) = self.slots[warp].control else {
            return Ok(());
        };
        let Ok(Instr::SubVector { auto, offset }) = weft_isa::decode(word) else {
            return Ok(());
        };
        if mask == 0 {
            return Ok(());
        }
        let end = (pc * 4).wrapping_add_signed(offset) / 4;
        let subvector = event == Event::Mask;
        match self.mode.retired(warp, auto, end, subvector) {
            Ok(()) => Ok(()),
            Err(detail) => self.rule(detail),
        }
    }

    /// The rows of a control instruction that the golden machine has executed.
    fn stepped_control(&mut self, warp: usize) -> Result<(), SmError> {
        let open = |f: &Flight| f.control && !f.stepped;
        let Some(n) = self.slots[warp].flights.iter().position(open) else {
            return Ok(());
        };
        let mut flight = self.slots[warp].flights[n].clone();
        flight.stepped = true;
        self.seen.thread_instructions += u64::from(flight.acting.count_ones());
        if let Some(rd) = flight.rd {
            self.expect_rows(warp, rd, &mut flight);
        }
        let wrong = (0..self.shape.threads)
            .find(|&l| flight.seen[l].is_some() && flight.expected[l] != flight.seen[l]);
        if let Some(lane) = wrong {
            let what = format!("lane {lane} of x{}", flight.rd.unwrap_or(0));
            let (h, m) = (flight.seen[lane], flight.expected[lane]);
            return self.mismatch(warp, what, format!("{h:x?}"), format!("{m:x?}"));
        }
        self.slots[warp].flights[n] = flight;
        self.complete(warp)
    }

    // ---- Faults and ends.

    fn excepted(&mut self, exception: &Exception) -> Result<(), SmError> {
        let Exception { warp, pc, cause } = *exception;
        let text = format!("exception at {:#x}, cause {cause}", pc * 4);
        self.event = self.cycle;
        if !self.slots[warp].alive {
            return self.rule(format!("warp {warp} does not run: {text}"));
        }
        if self.slots[warp].fault.is_none() {
            // Of a control instruction: the golden machine has not come there.
            let Some(issue) = self.slots[warp].control else {
                return self.mismatch(warp, "an exception", text, "no fault");
            };
            let expected = self.retire_in_model(warp, Event::Next);
            let Err(Some(fault)) = expected else {
                let expected = expected.map(|r| Record { warp, ..r });
                return self.mismatch(warp, "an exception", text, said(&expected));
            };
            if issue.pc != pc {
                return self.mismatch(warp, "an exception", text, fault.to_string());
            }
            self.faulted(warp, fault, vec![(fault.lane, fault.cause)])?;
            for flight in self.slots[warp].flights.iter_mut().filter(|f| !f.stepped) {
                (flight.stepped, flight.loose) = (true, true);
            }
        }
        let slot = &self.slots[warp];
        let fault = slot.fault.expect("just found");
        let named = slot.suspects.iter().any(|(_, c)| c.code() == cause);
        if fault.pc != pc * 4 || !named {
            return self.mismatch(warp, "an exception", text, fault.to_string());
        }
        for flight in self.slots[warp].flights.iter_mut().filter(|f| !f.stepped) {
            (flight.stepped, flight.loose) = (true, true);
        }
        self.slots[warp].excepted = Some((self.cycle, *exception));
        self.complete(warp)?;
        self.over(warp)
    }

    /// What is said of a slot's former life says nothing of this one.
    fn known(&mut self, faulted: u64) {
        let rises = faulted & !self.faulted;
        self.faulted = faulted;
        for (warp, slot) in self.slots.iter_mut().enumerate() {
            slot.known |= rises >> warp & 1 == 1;
        }
    }

    /// SM-013.
    fn fault(&mut self, reported: &Reported) -> Result<(), SmError> {
        let Reported {
            warp,
            lane,
            pc,
            cause,
            address,
        } = *reported;
        self.event = self.cycle;
        if self.reported.is_empty() {
            let ra = self
                .golden(warp)
                .map(|(golden, block)| golden.thread(block, lane as usize).registers[1]);
            self.returns_to = ra;
        }
        self.reported.push(*reported);
        let text = format!(
            "fault of lane {lane} at {:#x}, cause {cause}, address {address:#x}",
            pc * 4
        );
        if self.slots[warp].stands.is_none() || self.slots[warp].reported {
            return self.rule(format!("warp {warp}: reported twice, or of nobody: {text}"));
        }
        if self.slots[warp].fault.is_none() && self.slots[warp].control.is_some() {
            // Of a control instruction, before its exception: compared there.
            let (golden, block) = self.golden(warp).expect("it stands somewhere");
            let mut copy = golden.clone();
            let fault = copy.step_by(block, |_, _, _| Told::default()).err();
            let Some(fault) = fault else {
                return self.mismatch(warp, "a fault", text, "none");
            };
            self.slots[warp].reported = true;
            let agrees = (fault.pc, fault.lane, fault.cause.code()) == (pc * 4, lane, cause)
                && fault.cause.value(fault.pc) == address;
            return match agrees {
                true => Ok(()),
                false => self.mismatch(warp, "a fault", text, fault.to_string()),
            };
        }
        let slot = &self.slots[warp];
        let Some(fault) = slot.fault else {
            return self.mismatch(warp, "a fault", text, "none");
        };
        let late = |cause: &FaultCause| matches!(cause, FaultCause::Bus { .. });
        let any = slot.suspects.iter().any(|(_, cause)| late(cause));
        let allowed = |(l, c): &&(u32, FaultCause)| {
            let lowest = *l == fault.lane && *l == lane;
            lowest && c.code() == cause && c.value(fault.pc) == address
        };
        if fault.pc != pc * 4 || slot.suspects.iter().find(allowed).is_none() {
            let model = format!("{fault}; may be named: {:x?}", slot.suspects);
            return self.mismatch(warp, "a fault", text, model);
        }
        self.seen.late_faults += u64::from(any);
        self.slots[warp].reported = true;
        Ok(())
    }

    /// The warp has ended, or was stopped by an exception.
    fn over(&mut self, warp: usize) -> Result<(), SmError> {
        let slot = &mut self.slots[warp];
        slot.alive = false;
        slot.control = None;
        slot.accepted = None;
        self.useful.1 = self.cycle;
        let (cta, _) = slot.stands.expect("it ran");
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
        let (judge, _) = self.judge.as_ref()?;
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
        self.slots.iter().map(|s| s.issued).collect()
    }

    /// For messages: who runs and where.
    pub fn warps(&self) -> String {
        let alive = self.slots.iter().enumerate().filter(|(_, s)| s.alive);
        let text = alive.map(|(warp, s)| {
            let waits = if s.control.is_some() { ", waits" } else { "" };
            let open = s.flights.iter().filter(|f| !f.done).count();
            let blocked = if s.blocked { ", blocked" } else { "" };
            let (at, issued) = (s.pc * 4, s.issued);
            format!("\n  warp {warp} at {at:#x}{waits}{blocked}, {open} in flight, {issued} issued")
        });
        text.collect()
    }
}

/// Its value is the hardware's to say (ISA-011, ISA-013).
fn is_told(instr: Instr) -> bool {
    match instr {
        Instr::Csr { csr, .. } => {
            matches!(csr, 0xc00..=0xc02 | 0xc80..=0xc82 | 0xcd0..=0xcd8 | 0xce0..=0xce6)
        }
        _ => false,
    }
}

fn amo_number(op: AmoOp) -> u8 {
    match op {
        AmoOp::Add => 0,
        AmoOp::Swap => 1,
        AmoOp::Xor => 2,
        AmoOp::Or => 3,
        AmoOp::And => 4,
        AmoOp::Min => 5,
        AmoOp::Max => 6,
        AmoOp::Minu => 7,
        AmoOp::Maxu => 8,
    }
}

fn said(expected: &Result<Record, Option<Fault>>) -> String {
    match expected {
        Ok(record) => line(record),
        Err(Some(fault)) => fault.to_string(),
        Err(None) => "the warp does not run, or has another operation".to_string(),
    }
}

/// The members of a mask, ascending.
fn lanes(mask: u64) -> impl Iterator<Item = usize> {
    (0..64).filter(move |l| mask >> l & 1 != 0)
}

/// Nobody looks.
pub struct Blind;

impl Watcher for Blind {}
