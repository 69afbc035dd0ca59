//! An SM in software, for tests of the judge: it keeps to the pages, one instruction at a time, or departs from them in
//! one point.
//!
//! It executes with the golden machine, so that it says nothing about the hardware;
//! what it shows is whether the bench notices.

use super::host::{register, status};
use super::lockstep::in_sm;
use super::ports::{
    op, Address, Device, Done, Effects, Exception, HostIn, HostOut, Init, Issue, Manager, Mode,
    Reported, Row, Shape, Subordinate, Trace, WriteBeat,
};
use std::collections::VecDeque;
use weft_isa::{Instr, Program};
use weft_sim::barrier::{
    Event as BarrierEvent, Op as BarrierOp, OpCode, Ports as BarrierPorts, Verdict, VerdictKind,
    Wake,
};
use weft_sim::lane::data_address;
use weft_sim::space::{load_size, store_size, Bounds, Window, LOCAL};
use weft_sim::view::Order;
use weft_sim::{Config, Event, Launch, Machine, Memory, Record, Served};

/// What is wrong with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// A bit of a register's row.
    Value,
    /// A row does not come.
    LostRow,
    /// A row comes twice.
    RowTwice,
    /// A row shows a lane that does not execute.
    OtherLane,
    /// The issue's mask.
    Mask,
    /// The issue's word.
    Word,
    /// An instruction is issued again.
    IssueTwice,
    /// An effect is not shown.
    LostEffect,
    /// An effect is shown with another address, with other data, as another operation.
    EffectAddress,
    EffectData,
    EffectOperation,
    /// Two accesses of different warps are shown in the other order than they had.
    EffectLate,
    /// A store is done on the chip and not behind the port.
    LostWrite,
    /// A store reaches the memory with other bytes.
    WrongWrite,
    /// A local word is the neighbour's.
    Neighbour,
    /// Idle before the writes have their responses.
    EarlyIdle,
    /// `done` does not come.
    LostDone,
    /// Where a branch goes.
    Target,
    /// A verdict of the barrier unit.
    Verdict,
    /// INITs in another order.
    InitOrder,
    /// The grid's number of a warp's first thread.
    First,
    /// `fault_*` does not come, or names another thread, or another address.
    LostFault,
    FaultThread,
    FaultAddress,
    /// FAULT says another pc.
    HostFault,
    /// `awvalid` falls before it is taken.
    ValidFalls,
    /// A burst that leaves its line.
    LongBurst,
    /// A fence does not wait for the writes.
    Fence,
    /// A read of a line passes the write to it.
    Passes,
    /// An SC stores without a reservation.
    FreeSc,
}

impl Wrong {
    pub const ALL: [Wrong; 30] = [
        Wrong::Value,
        Wrong::LostRow,
        Wrong::RowTwice,
        Wrong::OtherLane,
        Wrong::Mask,
        Wrong::Word,
        Wrong::IssueTwice,
        Wrong::LostEffect,
        Wrong::EffectAddress,
        Wrong::EffectData,
        Wrong::EffectOperation,
        Wrong::EffectLate,
        Wrong::LostWrite,
        Wrong::WrongWrite,
        Wrong::Neighbour,
        Wrong::EarlyIdle,
        Wrong::LostDone,
        Wrong::Target,
        Wrong::Verdict,
        Wrong::InitOrder,
        Wrong::First,
        Wrong::LostFault,
        Wrong::FaultThread,
        Wrong::FaultAddress,
        Wrong::HostFault,
        Wrong::ValidFalls,
        Wrong::LongBurst,
        Wrong::Fence,
        Wrong::Passes,
        Wrong::FreeSc,
    ];
}

/// A CTA that runs.
struct Running {
    cta: u32,
    slot: usize,
    machine: Machine,
    /// Warp slots by block.
    warps: Vec<usize>,
}

/// A word on its way to the memory.
#[derive(Clone, Copy, Debug)]
struct Write {
    address: u32,
    data: u32,
    strobe: u8,
}

pub struct StandIn {
    shape: Shape,
    program: Program,
    machine: Config,
    wrong: Option<Wrong>,
    /// Departures are rare: the first few occasions are done right.
    occasions: u32,
    departed: bool,
    registers: [u32; 64],
    memory: Memory,
    running: Vec<Running>,
    next_cta: u32,
    ctas_done: u32,
    busy: bool,
    cycle: u64,
    began: u64,
    turn: usize,
    /// Warps that are held, after the last frame.
    hold: u64,
    /// What the trace shows in the next cycles.
    frames: VecDeque<Trace>,
    /// Shown later than it should.
    held: Option<Effects>,
    // ---- AXI4.
    reads: VecDeque<u32>,
    writes: VecDeque<Write>,
    reading: Option<(u32, bool)>,
    writing: Option<(Write, bool, bool)>,
    falls: bool,
    // ---- AXI4-Lite.
    host_aw: Option<u8>,
    host_w: Option<u32>,
    host_b: bool,
    host_r: Option<u32>,
    // ---- Inputs and outputs of this cycle.
    input: (bool, Subordinate, HostOut),
}

impl StandIn {
    /// `memory`: what is in global memory; it does not read it through its port.
    pub fn new(shape: Shape, program: &Program, machine: &Config, wrong: Option<Wrong>) -> StandIn {
        StandIn {
            shape,
            program: program.clone(),
            machine: Config {
                float: shape.float > 0,
                warps: shape.warps,
                threads: shape.threads,
                grid: None,
                ..machine.clone()
            },
            wrong,
            occasions: 0,
            departed: false,
            registers: [0; 64],
            memory: Memory::load(program, machine.memory),
            running: Vec::new(),
            next_cta: 0,
            ctas_done: 0,
            busy: false,
            cycle: 0,
            began: 0,
            turn: 0,
            hold: 0,
            frames: VecDeque::new(),
            held: None,
            reads: VecDeque::new(),
            writes: VecDeque::new(),
            reading: None,
            writing: None,
            falls: false,
            host_aw: None,
            host_w: None,
            host_b: false,
            host_r: None,
            input: Default::default(),
        }
    }

    /// Whether it has departed from the pages.
    pub fn departed(&self) -> bool {
        self.departed
    }

    /// Now and then, if this is what is wrong with it.
    fn departs(&mut self, wrong: Wrong) -> bool {
        if self.wrong != Some(wrong) {
            return false;
        }
        self.occasions += 1;
        let rare = matches!(
            wrong,
            Wrong::Value | Wrong::LostRow | Wrong::RowTwice | Wrong::Word | Wrong::Mask
        );
        let now = !self.departed && (!rare || self.occasions > 5);
        self.departed |= now;
        now
    }

    fn register(&self, address: u8) -> u32 {
        self.registers[usize::from(address / 4)]
    }

    fn launch(&self) -> Launch {
        let three = |from: u8| std::array::from_fn(|n| self.register(from + 4 * n as u8));
        Launch {
            grid: three(register::GRID),
            cta: three(register::CTA),
            arguments: self.register(register::ARGUMENTS),
            scratchpad: self.register(register::SCRATCHPAD),
            local: self.register(register::LOCAL),
        }
    }

    fn status(&self) -> u32 {
        u32::from(self.busy) | self.register(register::STATUS)
    }

    // ---- The host's accesses.

    fn host_edge(&mut self) {
        let host = self.input.2;
        let answer = self.host();
        if host.aw_valid && answer.aw_ready {
            self.host_aw = Some(host.aw_address);
        }
        if host.w_valid && answer.w_ready {
            self.host_w = Some(host.w_data);
        }
        if self.host_b && host.b_ready {
            self.host_b = false;
        }
        if self.host_r.is_some() && host.r_ready {
            self.host_r = None;
        }
        if let (Some(address), Some(data)) = (self.host_aw, self.host_w) {
            (self.host_aw, self.host_w, self.host_b) = (None, None, true);
            self.host_writes(address, data);
        }
        if host.ar_valid && answer.ar_ready {
            let value = match host.ar_address {
                register::ID => register::WEFT,
                register::SIZE => {
                    let s = self.shape;
                    (s.warps | s.threads << 8 | s.lanes << 16 | s.register_warps() << 24) as u32
                }
                register::STATUS => self.status(),
                register::CTAS_DONE => self.ctas_done,
                register::RESIDENT => self.resident() as u32,
                register::FAULT_PC if self.departs(Wrong::HostFault) => 0,
                address => self.register(address),
            };
            self.host_r = Some(value);
        }
    }

    fn host_writes(&mut self, address: u8, data: u32) {
        if address != register::CONTROL {
            self.registers[usize::from(address / 4)] = data;
            return;
        }
        if data & 1 != 0 && !self.busy {
            self.registers[usize::from(register::STATUS / 4)] = 0;
            self.busy = true;
            self.began = self.cycle;
            (self.next_cta, self.ctas_done) = (0, 0);
        }
        if data & 4 != 0 && self.busy {
            self.kill();
        }
    }

    /// MEM-024, SM-034: all that runs ends as failed, and no CTA is started any more. Nobody compares such a launch.
    fn kill(&mut self) {
        self.next_cta = self.launch().ctas();
        if !self.running.is_empty() {
            self.running.clear();
            self.registers[usize::from(register::STATUS / 4)] |= status::FAILED;
            self.registers[usize::from(register::FAULT / 4)] |= 1 << 31;
        }
    }

    // ---- The grid.

    /// SUBV-054
    fn resident(&self) -> usize {
        let shared_from = self.register(register::SUBVECTOR) >> 24 & 63;
        self.shape.resident(shared_from as u8)
    }

    fn start_ctas(&mut self) {
        let launch = self.launch();
        let blocks = launch.blocks(self.shape.threads);
        let mut free: Vec<usize> = (0..self.resident()).collect();
        free.retain(|w| !self.running.iter().any(|r| r.warps.contains(w)));
        if self.next_cta >= launch.ctas() || free.len() < blocks {
            return;
        }
        let cta = self.next_cta;
        self.next_cta += 1;
        let memory = std::mem::replace(&mut self.memory, Memory::new(0));
        let config = Config {
            tokens: self.register(register::TOKEN_SIZE) as usize,
            ..self.machine.clone()
        };
        let mut machine = Machine::of_cta(&self.program, &config, &launch, cta, memory)
            .expect("the bench has validated it");
        std::mem::swap(machine.memory_mut(), &mut self.memory);
        let slot = (0..16).find(|s| !self.running.iter().any(|r| r.slot == *s));
        let slot = slot.expect("fewer than 16 CTAs");
        let warps: Vec<usize> = free[..blocks].to_vec();
        for (block, &warp) in warps.iter().enumerate() {
            let first = cta * launch.threads() + (block * self.shape.threads) as u32;
            let wrong = self.departs(Wrong::First);
            let heard = BarrierOp {
                code: OpCode::Launch,
                warp,
                cta: slot,
                block,
                threads: launch.threads(),
                ..BarrierOp::default()
            };
            self.barrier(|p| {
                (p.op_valid, p.op_ready, p.op) = (true, true, heard);
            });
            let init = Init {
                warp,
                first: first + if wrong { 1 } else { 0 },
                cta: slot,
            };
            self.frames.push_back(Trace {
                init: Some(init),
                ..Trace::default()
            });
            let hold = self.hold;
            self.frames
                .iter_mut()
                .rev()
                .take(2)
                .for_each(|f| f.barrier.hold = hold);
        }
        if blocks > 1 && self.departs(Wrong::InitOrder) {
            let n = self.frames.len();
            self.frames.swap(n - 1, n - 3);
        }
        self.running.push(Running {
            cta,
            slot,
            machine,
            warps,
        });
    }

    fn barrier(&mut self, change: impl FnOnce(&mut BarrierPorts)) {
        let mut ports = BarrierPorts {
            verdict_ready: true,
            wake_ready: true,
            ..BarrierPorts::default()
        };
        change(&mut ports);
        self.frames.push_back(Trace {
            barrier: ports,
            ..Trace::default()
        });
    }

    /// The next instruction of some warp, all of it.
    fn go(&mut self) {
        self.start_ctas();
        let mut turns = Vec::new();
        for (n, r) in self.running.iter().enumerate() {
            turns.extend((0..r.warps.len()).map(|block| (n, block)));
        }
        turns.retain(|&(n, block)| self.running[n].machine.is_runnable(block));
        if turns.is_empty() {
            return self.end_ctas();
        }
        self.turn += 1;
        let (n, block) = turns[self.turn % turns.len()];
        let mut running = self.running.swap_remove(n);
        std::mem::swap(running.machine.memory_mut(), &mut self.memory);
        let begun = self.frames.len();
        self.step(&mut running, block);
        let verdict = |t: &Trace| t.barrier.verdict.is_some();
        let verdict = self.frames.iter().skip(begun).position(verdict);
        self.holds(
            &running,
            begun,
            verdict.map_or(self.frames.len(), |n| begun + n),
        );
        loop {
            let from = self.frames.len();
            let Some(served) = running.machine.serve() else {
                break;
            };
            self.served(&running, served);
            self.holds(&running, from, from);
        }
        std::mem::swap(running.machine.memory_mut(), &mut self.memory);
        self.running.push(running);
        self.end_ctas();
    }

    /// `hold` is as before up to frame `change`, and from there on as the machine says.
    fn holds(&mut self, running: &Running, from: usize, change: usize) {
        let before = self.hold;
        for (block, &warp) in running.warps.iter().enumerate() {
            let held = u64::from(running.machine.is_held(block)) << warp;
            self.hold = self.hold & !(1 << warp) | held;
        }
        // It rises with the verdict and falls with the event.
        let mut fires = false;
        for (n, frame) in self.frames.iter_mut().enumerate().skip(from) {
            fires |= frame.barrier.event.is_some();
            frame.barrier.hold = match (n < change, fires) {
                (_, true) => self.hold,
                (true, _) => before,
                (false, _) => before | self.hold,
            };
        }
    }

    fn end_ctas(&mut self) {
        let before = self.running.len();
        self.running.retain(|r| !r.machine.is_finished());
        self.ctas_done += (before - self.running.len()) as u32;
    }

    fn served(&mut self, running: &Running, served: Served) {
        match served {
            Served::Event(event) => {
                let event = BarrierEvent {
                    cta: running.slot,
                    ..event
                };
                self.barrier(|p| p.event = Some(event));
            }
            Served::Woken(record) => {
                let warp = running.warps[record.warp];
                let wake = Wake {
                    warp,
                    mask: record.next_mask,
                    pc: record.pc,
                };
                self.barrier(|p| p.wake = Some(wake));
                self.frames.push_back(Trace {
                    wake_taken: true,
                    retire: Some(Record { warp, ..record }),
                    ..Trace::default()
                });
            }
        }
    }

    fn step(&mut self, running: &mut Running, block: usize) {
        let warp = running.warps[block];
        let control = running.machine.warp(block);
        let (pc, mask, forced) = (control.pc(), control.active(), control.forced_yield_due());
        if forced {
            let record = running.machine.step(block).expect("a forced yield");
            return self.retire(warp, record);
        }
        let word = self.memory_word(running, pc);
        let mut issue = Issue {
            warp,
            pc,
            mask,
            word,
        };
        if self.departs(Wrong::Mask) {
            issue.mask ^= 1;
        }
        if self.departs(Wrong::Word) {
            issue.word ^= 1 << 20;
        }
        let shown = Trace {
            issue: Some(issue),
            ..Trace::default()
        };
        self.frames.push_back(shown.clone());
        if !in_sm(word, self.shape.float > 0).control && self.departs(Wrong::IssueTwice) {
            self.frames.push_back(shown);
        }
        // MEM-053: memory is not asked for what lies outside of it.
        if self.memory.read_u32(pc * 4).is_ok() || self.wrong == Some(Wrong::LongBurst) {
            self.reads.push_back((pc * 4) & !63);
        }
        let instr = weft_isa::decode(word).ok();
        let acting = instr
            .and_then(|i| running.machine.acting(block, i))
            .unwrap_or(0);
        let before: Vec<_> = (0..self.shape.threads)
            .map(|lane| *running.machine.thread(block, lane))
            .collect();
        let mut asked = None;
        let stepped = running.machine.step_by(block, |unit, op, clock| {
            let answer = unit.op(op, clock);
            asked = Some((*op, answer.verdict, answer.events.clone()));
            answer
        });
        let decoded = in_sm(word, self.shape.float > 0);
        let done = Done {
            warp,
            rd: decoded.rd,
        };
        match stepped {
            Err(fault) => {
                self.fault(running, warp, &fault, done);
            }
            Ok(record) => {
                if let Some(instr) = instr {
                    let fence = matches!(instr, Instr::Fence { .. } | Instr::FenceI);
                    let order = Order::of(instr);
                    // Waits until nothing is on its way.
                    let waits = Trace {
                        verdict_taken: true,
                        wake_taken: true,
                        ..Trace::default()
                    };
                    if !fence && (order.settles || order.forgets) {
                        self.frames.push_back(waits.clone());
                    }
                    self.accesses(running, block, instr, &before, acting);
                    if (fence || order.forgets) && !self.departs(Wrong::Fence) {
                        self.frames.push_back(waits);
                    }
                    self.rows(running, block, instr, acting, decoded.rd);
                }
                if !self.departs(Wrong::LostDone) {
                    self.frames.push_back(Trace {
                        dones: [Some(done), None],
                        ..Trace::default()
                    });
                }
                if let Some((op, verdict, events)) = asked {
                    self.asked(running, warp, op, verdict, &events);
                }
                if matches!(instr, Some(Instr::SubVector { auto: true, .. })) && mask != 0 {
                    self.answer(warp, record.event == Event::Mask);
                }
                if decoded.control {
                    self.retire(warp, record);
                }
            }
        }
    }

    /// What a `subv.auto` is.
    fn answer(&mut self, warp: usize, subvector: bool) {
        let shown = |mode| Trace {
            mode,
            ..Trace::default()
        };
        self.frames.push_back(shown(Mode {
            ask: Some(warp),
            ..Mode::default()
        }));
        self.frames.push_back(shown(Mode {
            subvector,
            ..Mode::default()
        }));
    }

    fn asked(
        &mut self,
        running: &Running,
        warp: usize,
        op: BarrierOp,
        verdict: Option<Verdict>,
        events: &[BarrierEvent],
    ) {
        let op = BarrierOp { warp, ..op };
        self.barrier(|p| (p.op_valid, p.op_ready, p.op) = (true, true, op));
        if let Some(verdict) = verdict {
            let wrong = self.departs(Wrong::Verdict);
            let mut verdict = Verdict { warp, ..verdict };
            if wrong {
                verdict.kind = match verdict.kind {
                    VerdictKind::Exit => VerdictKind::Sleep,
                    _ => VerdictKind::Exit,
                };
            }
            self.barrier(|p| p.verdict = Some(verdict));
            self.frames.push_back(Trace {
                verdict_taken: true,
                ..Trace::default()
            });
        }
        for event in events {
            let event = BarrierEvent {
                cta: running.slot,
                ..*event
            };
            self.barrier(|p| p.event = Some(event));
        }
    }

    fn retire(&mut self, warp: usize, record: Record) {
        let mut record = Record { warp, ..record };
        if !record.done && !record.blocked && self.departs(Wrong::Target) {
            record.next_pc ^= 1;
        }
        self.frames.push_back(Trace {
            retire: Some(record),
            ..Trace::default()
        });
    }

    fn fault(&mut self, running: &Running, warp: usize, fault: &weft_sim::Fault, done: Done) {
        let address = fault.cause.value(fault.pc);
        let mut reported = Reported {
            warp,
            lane: fault.lane,
            pc: fault.pc / 4,
            cause: fault.cause.code(),
            address,
        };
        let registers = [
            (
                register::FAULT,
                1 << 31 | (warp as u32) << 16 | fault.lane << 8 | u32::from(reported.cause),
            ),
            (register::FAULT_PC, fault.pc),
            (register::FAULT_ADDRESS, address),
            (register::FAULT_CTA, running.cta),
        ];
        if self.register(register::FAULT) >> 31 == 0 {
            for (address, value) in registers {
                self.registers[usize::from(address / 4)] = value;
            }
        }
        self.registers[usize::from(register::STATUS / 4)] |= status::FAILED;
        if self.departs(Wrong::FaultThread) {
            reported.lane ^= 1;
        }
        if self.departs(Wrong::FaultAddress) {
            reported.address ^= 4;
        }
        if !self.departs(Wrong::LostFault) {
            self.frames.push_back(Trace {
                fault: Some(reported),
                ..Trace::default()
            });
        }
        self.frames.push_back(Trace {
            dones: [Some(done), None],
            ..Trace::default()
        });
        self.frames.push_back(Trace {
            exception: Some(Exception {
                warp,
                pc: fault.pc / 4,
                cause: fault.cause.code(),
            }),
            ..Trace::default()
        });
        let kill = BarrierOp {
            code: OpCode::Kill,
            warp,
            ..BarrierOp::default()
        };
        self.barrier(|p| (p.op_valid, p.op_ready, p.op) = (true, true, kill));
    }

    fn memory_word(&self, running: &Running, pc: u32) -> u32 {
        running.machine.memory().read_u32(pc * 4).unwrap_or(0)
    }

    fn rows(
        &mut self,
        running: &mut Running,
        block: usize,
        instr: Instr,
        acting: u64,
        rd: Option<u8>,
    ) {
        let Some(rd) = rd else { return };
        let warp = running.warps[block];
        if let Instr::Csr { csr, .. } = instr {
            if matches!(csr, 0xc00..=0xc02 | 0xc80..=0xc82 | 0xcd0..=0xcd8 | 0xce0..=0xce6) {
                let now = self.cycle as u32;
                running.machine.counter_read(block, acting, rd, now);
            }
        }
        let lanes = self.shape.lanes;
        for part in 0..self.shape.parts() {
            let mask = acting >> (part * lanes) & mask_of(lanes);
            if mask == 0 || self.departs(Wrong::LostRow) {
                continue;
            }
            let value = |l: usize| {
                let lane = part * lanes + l;
                running.machine.thread(block, lane).registers[usize::from(rd)]
            };
            let mut row = Row {
                warp,
                part,
                rd,
                mask,
                data: (0..lanes).map(value).collect(),
            };
            if self.departs(Wrong::Value) {
                row.data[mask.trailing_zeros() as usize] ^= 0x10;
            }
            if mask != mask_of(lanes) && self.departs(Wrong::OtherLane) {
                row.mask = mask_of(lanes);
            }
            let twice = self.departs(Wrong::RowTwice);
            for _ in 0..1 + usize::from(twice) {
                self.frames.push_back(Trace {
                    row: Some(row.clone()),
                    ..Trace::default()
                });
            }
        }
    }

    // ---- Memory.

    fn accesses(
        &mut self,
        running: &Running,
        block: usize,
        instr: Instr,
        before: &[weft_sim::Thread],
        acting: u64,
    ) {
        let warp = running.warps[block];
        let lanes = self.shape.lanes;
        let (code, size) = match instr {
            Instr::Load { width, .. } => (op::LOAD, load_size(width)),
            Instr::Store { width, .. } => (op::STORE, store_size(width)),
            Instr::LoadReserved { .. } => (op::LR, 4),
            Instr::StoreConditional { .. } => (op::SC, 4),
            Instr::Amo { op: amo, .. } => (op::amo(amo), 4),
            _ => return,
        };
        let alone = matches!(code, op::LR | op::SC);
        for part in 0..self.shape.parts() {
            let mask = acting >> (part * lanes) & mask_of(lanes);
            if mask == 0 {
                continue;
            }
            let mut address = vec![0; lanes];
            let mut data = vec![0; lanes];
            for l in (0..lanes).filter(|l| mask >> l & 1 != 0) {
                let thread = &before[part * lanes + l];
                address[l] = data_address(instr, thread).expect("an access");
                data[l] = match instr {
                    Instr::Store { rs2, .. }
                    | Instr::StoreConditional { rs2, .. }
                    | Instr::Amo { rs2, .. } => thread.registers[usize::from(rs2)],
                    _ => 0,
                };
            }
            let groups: Vec<u64> = match alone {
                false => vec![mask],
                true => (0..lanes)
                    .map(|l| mask & 1 << l)
                    .filter(|&m| m != 0)
                    .collect(),
            };
            for mask in groups {
                let lane = part * lanes + mask.trailing_zeros() as usize;
                let fails = match instr {
                    Instr::StoreConditional { rd, .. } => {
                        running.machine.thread(block, lane).registers[usize::from(rd)] != 0
                    }
                    _ => false,
                };
                let mut effects = Effects {
                    warp,
                    part,
                    op: if fails { op::SC_FAILS } else { code },
                    mask,
                    address: address.clone(),
                    data: data.clone(),
                };
                if fails && self.departs(Wrong::FreeSc) {
                    effects.op = op::SC;
                }
                self.show(effects, size);
            }
        }
        if matches!(code, op::LOAD | op::LR) {
            return;
        }
        for lane in (0..self.shape.threads).filter(|l| acting >> l & 1 != 0) {
            let address = data_address(instr, &before[lane]).expect("an access");
            let stored = match instr {
                Instr::StoreConditional { rd, .. } => {
                    running.machine.thread(block, lane).registers[usize::from(rd)] == 0
                }
                _ => true,
            };
            if stored {
                let rs2 = match instr {
                    Instr::Store { rs2, .. } | Instr::StoreConditional { rs2, .. } => rs2,
                    _ => 0,
                };
                let value = before[lane].registers[usize::from(rs2)];
                let slot = (warp * self.shape.threads + lane) as u32;
                let amo = matches!(instr, Instr::Amo { .. });
                self.write(running, slot, address, size, value, amo);
            }
        }
    }

    fn show(&mut self, mut effects: Effects, size: u32) {
        let first = effects.mask.trailing_zeros() as usize;
        if self.departs(Wrong::LostEffect) {
            return;
        }
        if self.departs(Wrong::EffectAddress) {
            effects.address[first] ^= 64;
        }
        if effects.op == op::STORE && self.departs(Wrong::EffectData) {
            effects.data[first] ^= 1;
        }
        if size == 4 && effects.op == op::LOAD && self.departs(Wrong::EffectOperation) {
            effects.op = op::STORE;
        }
        // A store is shown when the next access has been.
        if let Some(held) = self.held.take() {
            self.push(effects);
            return self.push(held);
        }
        if effects.op >= op::AMO && self.departs(Wrong::EffectLate) {
            self.held = Some(effects);
            return;
        }
        self.push(effects);
    }

    fn push(&mut self, effects: Effects) {
        self.frames.push_back(Trace {
            effects: Some(effects),
            ..Trace::default()
        });
    }

    fn write(
        &mut self,
        running: &Running,
        slot: u32,
        address: u32,
        size: u32,
        value: u32,
        amo: bool,
    ) {
        let launch = self.launch();
        let bounds: Bounds = launch.bounds(self.register(register::MEMORY_SIZE));
        let mut at = address;
        match bounds.window(address, size) {
            Ok(Window::Global) => {}
            Ok(Window::Local) => {
                let threads = (self.shape.warps * self.shape.threads) as u32;
                let k = (address - LOCAL) / 4;
                let slot = match self.departs(Wrong::Neighbour) {
                    true => slot ^ 1,
                    false => slot,
                };
                let base = self.register(register::LOCAL_BASE);
                at = base + 4 * (k * threads + slot) + (address & 3);
            }
            _ => return,
        }
        // The last of several AMOs leaves the word.
        let data = match amo {
            true => running.machine.memory().read_u32(address).unwrap_or(0),
            false => value << (8 * (at & 3)),
        };
        let mut write = Write {
            address: at & !3,
            data,
            strobe: ((1 << size) - 1) << (at & 3),
        };
        if self.departs(Wrong::WrongWrite) {
            write.data ^= 0x0101_0101;
        }
        if !self.departs(Wrong::LostWrite) {
            self.writes.push_back(write);
        }
    }

    fn written(&self) -> bool {
        self.writes.is_empty() && self.writing.is_none()
    }

    fn axi_edge(&mut self, manager: &Manager) {
        let memory = self.input.1;
        if let Some((_, requested)) = &mut self.reading {
            *requested |= manager.ar.valid && memory.ar_ready;
            if memory.r.valid && manager.r_ready && memory.r.last {
                self.reading = None;
            }
        }
        if let Some((_, address, data)) = &mut self.writing {
            *address |= manager.aw.valid && memory.aw_ready;
            *data |= manager.w.valid && memory.w_ready;
            if memory.b.valid && manager.b_ready {
                self.writing = None;
            }
        }
        let read = self.reading.map(|(line, _)| line);
        if self.writing.is_none() {
            let next = self.writes.front().map(|w| w.address & !63);
            if next.is_some() && self.departs(Wrong::Passes) {
                self.reading = next.map(|line| (line, false));
            }
            if next.is_some() && (next != read || self.wrong == Some(Wrong::Passes)) {
                self.writing = self.writes.pop_front().map(|w| (w, false, false));
            }
        }
        let line = self.writing.map(|(w, _, _)| w.address & !63);
        if self.reading.is_none() {
            if let Some(next) = self.reads.pop_front() {
                let passes = line == Some(next);
                if passes {
                    // Later: what matters here is that there are reads.
                } else {
                    self.reading = Some((next, false));
                }
            }
        }
        let stays = manager.aw.valid && !memory.aw_ready;
        self.falls = stays && self.departs(Wrong::ValidFalls);
    }
}

fn mask_of(lanes: usize) -> u64 {
    match lanes {
        64 => u64::MAX,
        n => (1 << n) - 1,
    }
}

impl Device for StandIn {
    fn settle(&mut self, reset: bool, memory: &Subordinate, host: &HostOut) {
        self.input = (reset, *memory, *host);
    }

    fn manager(&self) -> Manager {
        let mut out = Manager {
            b_ready: true,
            r_ready: true,
            ..Manager::default()
        };
        let beat = self.shape.beat();
        let size = beat.trailing_zeros() as u8;
        if let Some((line, false)) = self.reading {
            let long = self.wrong == Some(Wrong::LongBurst);
            out.ar = Address {
                valid: true,
                id: 1,
                address: line,
                len: ((64 / beat) as u8 - 1) + u8::from(long),
                size,
                burst: 1,
            };
        }
        if let Some((write, address, data)) = self.writing {
            let within = write.address % beat;
            out.aw = Address {
                valid: !address && !self.falls,
                id: 2,
                address: write.address - within,
                len: 0,
                size,
                burst: 1,
            };
            let mut beat = WriteBeat {
                valid: !data,
                strobe: u64::from(write.strobe) << within,
                last: true,
                ..WriteBeat::default()
            };
            let at = within as usize;
            beat.data[at..at + 4].copy_from_slice(&write.data.to_le_bytes());
            out.w = beat;
        }
        out
    }

    fn host(&self) -> HostIn {
        HostIn {
            aw_ready: self.host_aw.is_none() && !self.host_b,
            w_ready: self.host_w.is_none() && !self.host_b,
            b_valid: self.host_b,
            b_resp: 0,
            ar_ready: self.host_r.is_none(),
            r_valid: self.host_r.is_some(),
            r_data: self.host_r.unwrap_or(0),
            r_resp: 0,
        }
    }

    fn trace(&self) -> Result<Trace, String> {
        let waits = |t: &Trace| t.verdict_taken && t.wake_taken;
        let mut trace = match self.frames.front() {
            Some(frame) if !waits(frame) => frame.clone(),
            _ => Trace::default(),
        };
        trace.barrier.verdict_ready = true;
        trace.barrier.wake_ready = true;
        if self.frames.is_empty() || self.frames.front().is_some_and(waits) {
            trace.barrier.hold = self.hold;
        }
        trace.busy = self.busy;
        trace.done = self.status() & status::DONE != 0;
        Ok(trace)
    }

    fn edge(&mut self) {
        if self.input.0 {
            // Its memory, too: it stands for the one at the port, which a test loads anew.
            *self = StandIn::new(self.shape, &self.program, &self.machine, self.wrong);
            return;
        }
        let manager = self.manager();
        self.axi_edge(&manager);
        self.host_edge();
        let waits = |t: &Trace| t.verdict_taken && t.wake_taken;
        match self.frames.front() {
            Some(frame) if waits(frame) && !self.written() => {}
            _ => {
                self.frames.pop_front();
            }
        }
        if self.busy && self.frames.is_empty() {
            self.go();
            let over = self.running.is_empty() && self.next_cta >= self.launch().ctas();
            let drained = self.written() && self.reading.is_none() && self.reads.is_empty();
            let idle = over && self.frames.is_empty();
            if idle && (drained || !self.written() && self.departs(Wrong::EarlyIdle)) {
                self.busy = false;
                self.registers[usize::from(register::STATUS / 4)] |= status::DONE;
                let cycles = (self.cycle - self.began) as u32;
                self.registers[usize::from(register::CYCLES / 4)] = cycles;
            }
        }
        self.cycle += 1;
    }
}
