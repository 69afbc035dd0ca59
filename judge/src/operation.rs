//! Operations as the ports of `weft_control` encode them (docs/spec/control.md).

use weft_sim::{Event, Operation};

/// `resolve_op` of FAULT; it is no event, because nothing retires.
pub const FAULT: u8 = 8;

/// `exception_cause`: a `resolve_op` that is not in the table.
pub const ILLEGAL_OP: u8 = 3;
/// `exception_cause`: a token or barrier type that software has not.
pub const ILLEGAL_TYPE: u8 = 1;

/// What an instruction turned out to be: `resolve_*` of one transfer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Resolve {
    /// `resolve_op`.
    pub op: u8,
    /// `resolve_kind`: a token type, a barrier or mask operation, or the cause of a FAULT.
    pub kind: u8,
    /// `resolve_mask`: the selected threads.
    pub mask: u64,
    /// `resolve_target`: an instruction's address, 22 bits.
    pub target: u32,
}

impl Resolve {
    /// BARRIER WAKE: it answers no issue (CONV-154).
    pub fn is_wake(&self) -> bool {
        self.op == Event::Barrier.code() && self.kind == 3
    }
}

/// A resolve as the model's operation. `vacant`: the warp runs on without active threads (CONV-110).
/// A WAKE is no operation of a warp.
///
/// # Errors
/// The `exception_cause` with which the operation ends.
pub fn operation(resolve: &Resolve, vacant: bool) -> Result<Operation, u8> {
    let Resolve {
        op,
        kind,
        mask: selected,
        target,
    } = *resolve;
    if op == FAULT {
        return Err(kind);
    }
    Ok(match Event::from_code(op).ok_or(ILLEGAL_OP)? {
        Event::Next => Operation::Next,
        Event::Branch => Operation::Branch { selected, target },
        Event::Indirect => Operation::Indirect { selected, target },
        Event::Push => Operation::Push {
            kind,
            address: target,
        },
        Event::Leave => Operation::Leave {
            kind,
            selected,
            target,
        },
        Event::LeaveIndirect => Operation::LeaveIndirect {
            kind,
            selected,
            target,
        },
        Event::Yield => Operation::Yield,
        Event::Exit => Operation::Exit { selected },
        Event::Call => Operation::Call { selected, target },
        Event::Barrier => match kind {
            0 => Operation::Sleep { selected },
            1 => Operation::Retry { selected },
            2 => Operation::Part { selected },
            // Whatever it carries (CONV-110).
            _ if vacant => Operation::Sleep { selected },
            _ => return Err(ILLEGAL_TYPE),
        },
        Event::Mask => match kind {
            0 => Operation::Set { selected },
            1 => Operation::Jump { target },
            2 => Operation::SubVector { target },
            _ => return Err(ILLEGAL_OP),
        },
        // It does not come from outside.
        Event::ForcedYield => return Err(ILLEGAL_OP),
    })
}
