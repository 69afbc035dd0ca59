//! What the hardware is compared with: something that can say, for one warp, what retires next.

use crate::lanes::Resolve;
use crate::session::{Launch, Levels, Trap};
use weft_hdl::ports::{cause, Op};
use weft_sim::{Machine, Mutation, Operation, Policy, Record, Warp};

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
}

/// The whole golden model, which executes the program itself and does not look at the resolve.
impl Reference for Machine {
    fn launched(&mut self, _: Launch) {}

    fn step(&mut self, warp: usize, _: &Resolve) -> Option<Expected> {
        if !self.is_runnable(warp) {
            return None;
        }
        Some(match Machine::step(self, warp) {
            Ok(record) => Expected::Retire(record),
            Err(fault) => Expected::Trap(Trap {
                warp,
                pc: fault.pc / 4,
                cause: fault.cause.code(),
            }),
        })
    }

    fn warp(&self, warp: usize) -> Option<&Warp> {
        Some(Machine::warp(self, warp))
    }
}

/// The golden model's convergence unit alone, for operations that no instruction makes.
pub struct Operations {
    policy: Policy,
    width: usize,
    warps: Vec<Option<Warp>>,
    mutation: Option<Mutation>,
}

impl Operations {
    pub fn new(warps: usize, width: usize, levels: Levels) -> Operations {
        let policy = Policy {
            yield_every: levels.yield_every,
            forced_yield: levels.forced_yield,
            path: levels.path,
        };
        Operations {
            policy,
            width,
            warps: vec![None; warps],
            mutation: None,
        }
    }

    /// Tests only: departs from the specification.
    #[doc(hidden)]
    pub fn mutated(self, mutation: Option<Mutation>) -> Operations {
        Operations { mutation, ..self }
    }
}

impl Reference for Operations {
    fn launched(&mut self, launch: Launch) {
        let warp = Warp::launch(launch.warp, self.width, self.policy, launch.pc, launch.mask);
        self.warps[launch.warp] = Some(match self.mutation {
            Some(mutation) => warp.with_mutation(mutation),
            None => warp,
        });
    }

    fn step(&mut self, warp: usize, resolve: &Resolve) -> Option<Expected> {
        let control = self.warps[warp].as_mut()?;
        let pc = control.pc();
        let result = match operation(resolve) {
            _ if control.forced_yield_due() => control.forced_yield().map_err(|e| e.code()),
            Ok(operation) => control.apply(operation).map_err(|e| e.code()),
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
            self.warps[warp] = None;
        }
        Some(expected)
    }

    fn warp(&self, warp: usize) -> Option<&Warp> {
        self.warps[warp].as_ref()
    }
}

/// A resolve as the model's operation; `Err`: the cause of the exception.
fn operation(r: &Resolve) -> Result<Operation, u8> {
    const OPS: [Op; 9] = [
        Op::Next,
        Op::Branch,
        Op::Indirect,
        Op::Push,
        Op::Leave,
        Op::LeaveIndirect,
        Op::Yield,
        Op::Exit,
        Op::Fault,
    ];
    let (kind, selected, target) = (r.kind, r.mask, r.target);
    Ok(match OPS.get(usize::from(r.op)).ok_or(cause::ILLEGAL_OP)? {
        Op::Next => Operation::Next,
        Op::Branch => Operation::Branch { selected, target },
        Op::Indirect => Operation::Indirect { selected, target },
        Op::Push => Operation::Push {
            kind,
            address: target,
        },
        Op::Leave => Operation::Leave {
            kind,
            selected,
            target,
        },
        Op::LeaveIndirect => Operation::LeaveIndirect {
            kind,
            selected,
            target,
        },
        Op::Yield => Operation::Yield,
        Op::Exit => Operation::Exit { selected },
        Op::Fault | Op::ForcedYield => return Err(kind),
    })
}
