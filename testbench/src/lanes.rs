//! The datapath's side of the control plane: what an issued instruction turned out to be.

use rand::Rng as _;
use weft_isa::{Instr, Kind, MaskInstr, Program};
use weft_ports::control::{barrier, mask, Op};
use weft_sim::barrier::OpCode;
use weft_sim::subvector::Selector;
use weft_sim::{
    lane, Code, Config, CsrView, Effect, FaultCause, MaskEffect, Masks, Memory, Met, Thread,
};

use crate::monitor::Monitor;
use crate::seed::{stream, Rng};
pub use crate::threads::lanes;
use crate::wavefront::datapath::Wavefront;

/// The resolve port's fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Resolve {
    /// A number, not an [`Op`]: tests send codes that do not exist.
    pub op: u8,
    pub kind: u8,
    pub mask: u64,
    /// Instruction index.
    pub target: u32,
}

impl Resolve {
    /// A WAKE, which answers no issue (CONV-154).
    pub fn is_wake(&self) -> bool {
        (self.op, self.kind) == (Op::Barrier as u8, barrier::WAKE)
    }
}

/// Executes instructions for the threads of a warp.
pub trait Lanes {
    /// The warp's active threads `mask` execute the instruction at index `pc`. All effects on memory happen in this
    /// call, which comes when the resolve is first presented: in the order of the resolve transfers.
    fn resolve(&mut self, warp: usize, pc: u32, mask: u64) -> Resolve;

    /// A WAKE to present now, and its warp. Asked for whenever the resolve port is free.
    fn wake(&mut self, _monitor: &Monitor) -> Option<(usize, Resolve)> {
        None
    }

    /// How often memory has changed so far; the watchdog looks at it.
    fn memory_changes(&self) -> u64 {
        0
    }

    /// An instruction has come that this machine cannot carry out.
    fn refuses(&self) -> Option<String> {
        None
    }
}

impl<F: FnMut(usize, u32, u64) -> Resolve> Lanes for F {
    fn resolve(&mut self, warp: usize, pc: u32, mask: u64) -> Resolve {
        self(warp, pc, mask)
    }
}

/// Lanes with registers, a mask unit per warp and a memory of their own;
/// below them the same per-thread semantics as below the golden model.
/// Which mode `subv.auto` selects is measured by a [`Wavefront`] below; without one it is regular, unless the
/// configuration says otherwise.
pub struct FunctionalLanes {
    code: Code,
    pub memory: Memory,
    pub threads: Vec<Thread>,
    masks: Vec<Masks>,
    /// By warp: the threads that its SETs have switched off (CONV-111).
    masked: Vec<u64>,
    selector: Selector,
    wavefront: Option<Wavefront>,
    width: usize,
    config: Config,
    faults: Vec<Option<LaneFault>>,
    /// By warp: instructions that threads have completed, within the write mask.
    thread_instructions: Vec<u64>,
    /// Instructions that predication has kept from some active threads (MASK-030).
    pub narrowed: u64,
    /// There is a barrier unit: its instructions are operations, and complete when it says so.
    barriers: bool,
    barrier: BarrierOperands,
    /// The first barrier instruction that was executed, where there is no barrier unit: the run cannot go on from
    /// there.
    barrier_met: Option<Met>,
    asked: Asked,
}

/// What the latest instruction asks of the scheduler (docs/spec/isa.md, *CSRs*).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// The level of the warp.
    pub level: Option<u8>,
    /// A counter.
    pub counter: Option<CounterRead>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CounterRead {
    /// Of the CSR.
    pub number: u16,
    pub rd: u8,
    /// The threads that read it.
    pub readers: u64,
}

/// What a barrier instruction has beyond a [`Resolve`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BarrierOperands {
    pub id: u8,
    pub word: u32,
}

/// A thread that could not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneFault {
    pub lane: usize,
    /// Instruction index.
    pub pc: u32,
    pub cause: FaultCause,
}

impl FunctionalLanes {
    /// The configuration must be valid for the program.
    pub fn new(program: &Program, config: &Config) -> FunctionalLanes {
        let mut memory = Memory::load(program, config.memory);
        let code = Code::new(program, &mut memory);
        let room = (config.warps * config.threads) as u32;
        let threads = (0..room)
            .map(|number| match number < config.grid_size() {
                true => {
                    Thread::launched(config, number).with_global_pointer(program.global_pointer())
                }
                false => Thread::default(),
            })
            .collect();
        FunctionalLanes {
            code,
            memory,
            threads,
            masks: vec![Masks::new(config.threads); config.warps],
            masked: vec![0; config.warps],
            selector: Selector::new(config.subvector, config.miss_threshold),
            wavefront: None,
            width: config.threads,
            config: config.clone(),
            faults: vec![None; config.warps],
            thread_instructions: vec![0; config.warps],
            narrowed: 0,
            barriers: false,
            barrier: BarrierOperands::default(),
            barrier_met: None,
            asked: Asked::default(),
        }
    }

    /// Of the instruction that was resolved last.
    pub fn asked(&self) -> Asked {
        self.asked
    }

    /// The value of a counter that these threads of the warp have read.
    pub fn counter_read(&mut self, warp: usize, read: &CounterRead, value: u32) {
        for lane in lanes(read.readers) {
            self.threads[warp * self.width + lane].set(read.rd, value);
        }
    }

    pub fn with_barriers(self) -> FunctionalLanes {
        FunctionalLanes {
            barriers: true,
            ..self
        }
    }

    /// With a wavefront unit: it selects the mode.
    pub fn with_wavefront(mut self, mut wavefront: Wavefront) -> FunctionalLanes {
        for (warp, threads) in self.threads.chunks(self.width).enumerate() {
            wavefront.launched(warp, threads);
        }
        self.wavefront = Some(wavefront);
        self
    }

    pub fn wavefront(&self) -> Option<&Wavefront> {
        self.wavefront.as_ref()
    }

    /// Of the barrier instruction that was resolved last.
    pub fn barrier(&self) -> BarrierOperands {
        self.barrier
    }

    /// These threads have completed an instruction of the warp: of barriers, or of masks.
    pub fn completed(&mut self, warp: usize, mask: u64) {
        for lane in lanes(mask) {
            self.threads[warp * self.width + lane].instret += 1;
            self.thread_instructions[warp] += 1;
        }
    }

    /// The fault that stopped this warp.
    pub fn fault(&self, warp: usize) -> Option<LaneFault> {
        self.faults.get(warp).copied().flatten()
    }

    /// Instructions that threads have completed within the write mask (MASK-032), by warp.
    pub fn thread_instructions(&self) -> &[u64] {
        &self.thread_instructions
    }

    /// Of a warp that runs on without active threads the lowest masked one is named (MASK-023).
    fn leader(&self, warp: usize, mask: u64) -> usize {
        match mask {
            0 => self.masked[warp].trailing_zeros() as usize,
            _ => mask.trailing_zeros() as usize,
        }
    }

    fn execute(&mut self, warp: usize, pc: u32, mask: u64) -> Result<Resolve, LaneFault> {
        self.code.refresh(&mut self.memory);
        self.asked = Asked::default();
        let address = pc << 2;
        let leader = self.leader(warp, mask);
        let fault = |cause| LaneFault {
            lane: leader,
            pc,
            cause,
        };
        let instr = self.code.fetch(address, &self.memory).map_err(fault)?;
        let Some(writing) = self.masks[warp].write_mask(instr, mask) else {
            return Err(fault(lane::illegal(instr)));
        };
        self.narrowed += u64::from(writing != mask);
        // An indirect jump is completed by the leader's group only.
        let group = match mask {
            0 => 0,
            _ => self.group(instr, warp, mask),
        };
        if let Some(wavefront) = &mut self.wavefront {
            let acting = match instr {
                Instr::Mask(_) => mask,
                _ => group & writing,
            };
            let threads = &self.threads[warp * self.width..(warp + 1) * self.width];
            wavefront.begins(instr, warp, pc, (mask, acting), threads);
        }
        let resolve = self.perform(instr, warp, pc, mask, (group, writing))?;
        if let Some(wavefront) = &mut self.wavefront {
            let starts = (resolve.op, resolve.kind) == (Op::Mask as u8, mask::SUBV_START);
            let entering = if starts { mask } else { 0 };
            let threads = &self.threads[warp * self.width..(warp + 1) * self.width];
            wavefront.ends(warp, (entering, resolve.target), threads);
        }
        Ok(resolve)
    }

    /// One instruction for a warp: for `group`, of which `writing` do something.
    fn perform(
        &mut self,
        instr: Instr,
        warp: usize,
        pc: u32,
        mask: u64,
        (group, writing): (u64, u64),
    ) -> Result<Resolve, LaneFault> {
        let (address, leader) = (pc << 2, self.leader(warp, mask));
        let fault = |cause| LaneFault {
            lane: leader,
            pc,
            cause,
        };
        match instr {
            Instr::Mask(instr) => {
                return self.execute_mask(instr, warp, address, mask).map_err(fault)
            }
            Instr::Jal { offset, .. } if mask == 0 => {
                let target = lane::code_address(address.wrapping_add(offset as u32));
                return Ok(Resolve::jump(target.map_err(fault)?));
            }
            // MASK-021.
            _ if mask == 0 => return Ok(Resolve::default()),
            _ => {}
        }
        let mut resolve = Resolve {
            mask: 0,
            target: 0,
            ..Resolve::default()
        };
        let mut completed = 0;
        for lane in lanes(group) {
            let index = warp * self.width + lane;
            if writing >> lane & 1 == 0 {
                // MASK-032.
                self.threads[index].instret += 1;
                continue;
            }
            let csr = CsrView::of(&self.config, warp, lane, mask);
            let effect = lane::execute(
                instr,
                address,
                &mut self.threads[index],
                &csr,
                &mut self.memory,
            )
            .map_err(|cause| LaneFault { lane, pc, cause })?;
            match effect {
                Effect::Barrier {
                    op,
                    id,
                    selected,
                    word,
                } if self.barriers => {
                    resolve.op = Op::Barrier as u8;
                    resolve.kind = OpCode::from(op).code();
                    resolve.mask |= u64::from(selected) << lane;
                    if lane == leader {
                        self.barrier = BarrierOperands { id, word };
                    }
                    continue;
                }
                Effect::Barrier { .. } => {
                    self.barrier_met.get_or_insert(Met {
                        thread: csr.thread,
                        pc: address,
                        instr,
                    });
                }
                _ => {}
            }
            self.threads[index].instret += 1;
            completed += 1;
            let effect = match self.config.call_tokens {
                true => effect.with_call_tokens(instr),
                false => effect,
            };
            resolve.merge(effect, lane);
        }
        // Of an instruction that retires: not those in front of a lane that faults.
        self.thread_instructions[warp] += completed;
        let acting = group & writing;
        if lane::sets_level(instr) && acting != 0 {
            let lowest = warp * self.width + acting.trailing_zeros() as usize;
            self.asked.level = Some(self.threads[lowest].level);
        }
        self.asked.counter = lane::reads_counter(instr).map(|(number, rd)| CounterRead {
            number,
            rd,
            readers: acting,
        });
        let auto = matches!(instr, Instr::SubVector { auto: true, .. });
        if auto && !self.select() {
            // Its `sync` needs a token all the same (SUBV-014).
            (resolve.op, resolve.kind) = (Op::Push as u8, Kind::SYNC.code());
        }
        Ok(resolve)
    }

    fn select(&mut self) -> bool {
        match &mut self.wavefront {
            Some(wavefront) => wavefront.select(),
            None => self.selector.select(),
        }
    }

    /// One mask instruction, for the warp.
    fn execute_mask(
        &mut self,
        instr: MaskInstr,
        warp: usize,
        address: u32,
        mask: u64,
    ) -> Result<Resolve, FaultCause> {
        let threads = &mut self.threads[warp * self.width..(warp + 1) * self.width];
        let effect = self.masks[warp].execute(instr, address, mask, threads)?;
        self.completed(warp, mask);
        Ok(match effect {
            MaskEffect::Next => Resolve::default(),
            MaskEffect::Set(selected) => {
                self.masked[warp] = (self.masked[warp] | mask) & !selected;
                Resolve {
                    op: Op::Mask as u8,
                    kind: mask::SET,
                    mask: selected,
                    target: 0,
                }
            }
            MaskEffect::Jump(target) => Resolve::jump(target),
        })
    }

    /// The threads that execute `instr`: all active ones, or for an indirect jump those with the leader's target.
    fn group(&self, instr: weft_isa::Instr, warp: usize, mask: u64) -> u64 {
        let target =
            |lane: usize| lane::indirect_target(instr, &self.threads[warp * self.width + lane]);
        match target(mask.trailing_zeros() as usize) {
            None => mask,
            leader => lanes(mask)
                .filter(|&lane| target(lane) == leader)
                .fold(0, |set, lane| set | 1 << lane),
        }
    }
}

impl Resolve {
    /// The warp goes to this byte address.
    fn jump(target: u32) -> Resolve {
        Resolve {
            op: Op::Mask as u8,
            kind: mask::JUMP,
            mask: 0,
            target: target >> 2,
        }
    }

    /// Adds one thread's part. All threads execute the same instruction, so kind and target agree.
    fn merge(&mut self, effect: Effect, lane: usize) {
        let (op, kind, selected, target) = match effect {
            Effect::Next => (Op::Next, 0, false, None),
            Effect::Branch { taken, target } => (Op::Branch, 0, taken, Some(target)),
            Effect::Jump { target } => (Op::Branch, 0, true, Some(target)),
            Effect::Indirect { target } => (Op::Indirect, 0, true, Some(target)),
            Effect::Call { target } => (Op::Call, 0, true, Some(target)),
            Effect::Push { kind, target } => (Op::Push, kind.code(), false, Some(target)),
            Effect::Leave {
                kind,
                selected,
                target,
            } => (Op::Leave, kind.code(), selected, Some(target)),
            Effect::LeaveIndirect { kind, target } => {
                (Op::LeaveIndirect, kind.code(), true, Some(target))
            }
            Effect::Yield => (Op::Yield, 0, false, None),
            Effect::Exit => (Op::Exit, 0, true, None),
            // There is no barrier unit behind these ports; the run ends here (`Lanes::refuses`).
            Effect::Barrier { .. } => (Op::Next, 0, false, None),
            Effect::SubVector { target, .. } => (Op::Mask, mask::SUBV_START, false, Some(target)),
        };
        self.op = op as u8;
        self.kind = kind;
        self.mask |= u64::from(selected) << lane;
        if let Some(target) = target {
            // A target that no thread takes may lie outside the 22 bits; it does not matter then.
            self.target = (target >> 2) & ((1 << 22) - 1);
        }
    }
}

impl Lanes for FunctionalLanes {
    fn resolve(&mut self, warp: usize, pc: u32, mask: u64) -> Resolve {
        match self.execute(warp, pc, mask) {
            Ok(resolve) => resolve,
            Err(fault) => {
                self.faults[warp] = Some(fault);
                Resolve {
                    op: Op::Fault as u8,
                    kind: fault.cause.code(),
                    mask: 0,
                    target: 0,
                }
            }
        }
    }

    fn memory_changes(&self) -> u64 {
        self.memory.changes()
    }

    fn refuses(&self) -> Option<String> {
        let met = self.barrier_met?;
        Some(format!(
            "{met} needs the barrier unit, which weft_control has not"
        ))
    }
}

/// Fills what an operation does not use with noise: threads that are not active, kinds, targets. "Only S ∩ A counts".
pub struct Noise {
    rng: Rng,
    width_mask: u64,
}

impl Noise {
    pub fn new(seed: u64, threads: usize) -> Noise {
        Noise {
            rng: stream(seed, "unused resolve fields"),
            width_mask: u64::MAX >> (64 - threads),
        }
    }

    pub fn apply(&mut self, mut resolve: Resolve, active: u64) -> Resolve {
        let (noise, kind, target): (u64, u8, u32) = self.rng.gen();
        // Of a SET it matters who else is selected.
        let sets = (resolve.op, resolve.kind) == (Op::Mask as u8, mask::SET);
        let outside = if sets {
            0
        } else {
            noise & !active & self.width_mask
        };
        let (uses_mask, uses_kind, uses_target) = match resolve.op {
            0 | 6 => (false, false, false),
            1 | 2 | 10 => (true, false, true),
            3 => (false, true, true),
            4 | 5 => (true, true, true),
            7 => (true, false, false),
            11 if resolve.kind < barrier::WAKE => (true, true, false),
            14 if resolve.kind == mask::SET => (true, true, false),
            14 if resolve.kind <= mask::SUBV_START => (false, true, true),
            _ => (false, true, false),
        };
        resolve.mask = if uses_mask {
            resolve.mask | outside
        } else {
            noise & self.width_mask
        };
        if !uses_kind {
            resolve.kind = kind & 15;
        }
        if !uses_target {
            resolve.target = target & ((1 << 22) - 1);
        }
        resolve
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_of_a_mask_ascend() {
        assert_eq!(
            lanes(0x8000_0000_0000_0025).collect::<Vec<_>>(),
            [0, 2, 5, 63]
        );
        assert_eq!(lanes(0).count(), 0);
    }

    #[test]
    fn noise_leaves_the_selected_active_threads_alone() {
        let mut noise = Noise::new(1, 8);
        let branch = Resolve {
            op: Op::Branch as u8,
            kind: 0,
            mask: 0b0001,
            target: 77,
        };
        let mut outside = 0;
        for _ in 0..100 {
            let r = noise.apply(branch, 0b0011);
            assert_eq!((r.op, r.mask & 0b0011, r.target), (1, 0b0001, 77));
            outside |= r.mask;
        }
        assert_eq!(outside, 0b1111_1101);
    }
}
