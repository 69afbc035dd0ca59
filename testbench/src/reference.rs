//! What the hardware is compared with: something that can say, for one warp, what retires next.

use crate::lanes::Resolve;
use crate::session::{Launch, Levels, Trap};
use weft_ports::control::{barrier, mask, Op};
use weft_sim::{
    Event, Exception, Machine, Mutation, Operation, Policy, Record, Registers, Warp, BARRIER, YIELD,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    Retire(Record),
    Trap(Trap),
}

pub trait Reference {
    fn launched(&mut self, launch: Launch);
    /// The warp retires an operation, which was resolved like this, or a forced yield. `None`: it does not run.
    fn step(&mut self, warp: usize, resolve: &Resolve) -> Option<Expected>;
    /// The warp's control state.
    fn warp(&self, warp: usize) -> Option<&Warp>;
    /// Its counters, which software may write.
    fn registers_mut(&mut self, warp: usize) -> Option<&mut Registers>;
    /// Recenterings of all warps so far (SPILL-021).
    fn recentered(&self) -> u64;
}

/// What a yield that fired did with the threads (CONV-051), or a RETRY, PART or WAKE (CONV-152 to 154).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Yielded {
    /// They went to token number n of the deque.
    Merged(usize),
    /// A token entered at the back, or as the only one.
    Pushed,
}

/// `None`: no threads have entered a YIELD token.
pub fn yielded(record: &Record, resolve: &Resolve, before: &Warp, after: &Warp) -> Option<Yielded> {
    let resume = match record.event {
        Event::ForcedYield => record.pc,
        Event::Yield if after.counters().yields_fired > before.counters().yields_fired => {
            (record.pc + 1) & weft_sim::convergence::PC_MASK
        }
        Event::Barrier => sent_to(record, resolve, before)?,
        _ => return None,
    };
    let tokens: Vec<_> = before.deque().iter().collect();
    let yields = tokens
        .iter()
        .rposition(|t| t.kind != YIELD)
        .map_or(0, |at| at + 1);
    let found = tokens[yields..].iter().rposition(|t| t.address == resume);
    Some(found.map_or(Yielded::Pushed, |at| Yielded::Merged(yields + at)))
}

/// Where the threads go on that a RETRY, PART or WAKE lets enter a YIELD token.
fn sent_to(record: &Record, resolve: &Resolve, before: &Warp) -> Option<u32> {
    let again = resolve.mask & before.active();
    match resolve.kind {
        barrier::RETRY | barrier::PART => {
            let alone = again == before.active() && before.deque().is_empty();
            (again != 0 && !alone).then_some(record.pc)
        }
        barrier::WAKE => {
            let woken = resolve.mask & before.waiting_for(BARRIER);
            (woken != 0 && !before.is_blocked()).then_some(resolve.target)
        }
        _ => None,
    }
}

/// The whole golden model, which executes the program itself.
pub struct Beside<'a> {
    pub machine: &'a mut Machine,
    /// It is told what a `subv.auto` was resolved as; it does not look at the resolve for anything else.
    pub tell_modes: bool,
}

impl Reference for Beside<'_> {
    fn launched(&mut self, _: Launch) {}

    fn step(&mut self, warp: usize, resolve: &Resolve) -> Option<Expected> {
        if !self.machine.is_runnable(warp) {
            return None;
        }
        if self.tell_modes {
            let starts = (resolve.op, resolve.kind) == (Op::Mask as u8, mask::SUBV_START);
            self.machine.tell_mode(starts);
        }
        Some(match self.machine.step(warp) {
            Ok(record) => Expected::Retire(record),
            Err(fault) => Expected::Trap(Trap {
                warp,
                pc: fault.pc / 4,
                cause: fault.cause.code(),
            }),
        })
    }

    fn warp(&self, warp: usize) -> Option<&Warp> {
        Some(self.machine.warp(warp))
    }

    fn registers_mut(&mut self, warp: usize) -> Option<&mut Registers> {
        Some(self.machine.warp_mut(warp).registers_mut())
    }

    fn recentered(&self) -> u64 {
        self.machine.stats().total.recentered
    }
}

/// The golden model's convergence unit alone, for operations that no instruction makes.
pub struct Operations {
    policy: Policy,
    width: usize,
    warps: Vec<Option<Warp>>,
    /// Launches that must be refused (SPILL-024), until they are.
    refused: Vec<Option<Trap>>,
    /// Recenterings of warps that have ended.
    recentered: u64,
    mutation: Option<Mutation>,
}

impl Operations {
    pub fn new(warps: usize, width: usize, levels: Levels) -> Operations {
        Operations {
            policy: levels.policy,
            width,
            warps: vec![None; warps],
            refused: vec![None; warps],
            recentered: 0,
            mutation: None,
        }
    }

    /// Tests only: departs from the specification.
    #[doc(hidden)]
    pub fn mutated(self, mutation: Option<Mutation>) -> Operations {
        Operations { mutation, ..self }
    }
}

impl Operations {
    fn end(&mut self, warp: usize) {
        if let Some(ended) = self.warps[warp].take() {
            self.recentered += ended.counters().recentered;
        }
    }
}

impl Reference for Operations {
    fn launched(&mut self, launch: Launch) {
        let Launch {
            warp,
            pc,
            mask,
            size,
            ..
        } = launch;
        let launched = Warp::launch(warp, self.width, size.into(), self.policy, pc, mask);
        match launched {
            Ok(control) => {
                self.warps[warp] = Some(match self.mutation {
                    Some(mutation) => control.with_mutation(mutation),
                    None => control,
                });
            }
            Err(exception) => {
                let cause = exception.code();
                self.refused[warp] = Some(Trap { warp, pc, cause });
            }
        }
    }

    fn step(&mut self, warp: usize, resolve: &Resolve) -> Option<Expected> {
        if let Some(trap) = self.refused[warp].take() {
            return Some(Expected::Trap(trap));
        }
        let control = self.warps[warp].as_mut()?;
        let pc = control.pc();
        let result = match operation(resolve, control.active() == 0) {
            _ if control.forced_yield_due() => control.forced_yield().map_err(Exception::code),
            _ if resolve.is_wake() => control
                .wake(resolve.mask, resolve.target)
                .map_err(Exception::code),
            // Nobody is there to carry anything out.
            _ if control.is_blocked() => return None,
            Ok(operation) => control.apply(operation).map_err(Exception::code),
            Err(cause) => Err(cause),
        };
        let expected = match result {
            Ok(record) => Expected::Retire(record),
            Err(cause) => Expected::Trap(Trap { warp, pc, cause }),
        };
        if matches!(
            expected,
            Expected::Trap(_) | Expected::Retire(Record { done: true, .. })
        ) {
            self.end(warp);
        }
        Some(expected)
    }

    fn warp(&self, warp: usize) -> Option<&Warp> {
        self.warps[warp].as_ref()
    }

    fn registers_mut(&mut self, warp: usize) -> Option<&mut Registers> {
        Some(self.warps[warp].as_mut()?.registers_mut())
    }

    fn recentered(&self) -> u64 {
        let running = self.warps.iter().flatten();
        self.recentered + running.map(|w| w.counters().recentered).sum::<u64>()
    }
}

fn operation(r: &Resolve, vacant: bool) -> Result<Operation, u8> {
    let resolve = weft_judge::operation::Resolve {
        op: r.op,
        kind: r.kind,
        mask: r.mask,
        target: r.target,
    };
    weft_judge::operation(&resolve, vacant)
}
