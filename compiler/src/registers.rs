//! Sets of registers, and what an instruction reads and writes; liveness (COMP-050, COMP-051).

use crate::flow::{EdgeKind, Function};
use crate::graph::Shape;
use crate::mutation::Mutation;
pub(crate) use crate::source::{bit, Registers};
use crate::source::{Calling, Control, Insn, Source, Target};
use std::collections::HashMap;

pub(crate) const RA: u8 = 1;
pub(crate) const SP: u8 = 2;
pub(crate) const A0: u8 = 10;

pub(crate) const ALL: Registers = !1;

/// a0 to a7.
pub(crate) const ARGUMENTS: Registers = 0xFF << 10;
/// a0 and a1.
pub(crate) const RESULTS: Registers = 3 << 10;
/// What a call may change: ra, t0 to t6, a0 to a7.
pub(crate) const CALLER_SAVED: Registers = bit(1) | 0b111 << 5 | ARGUMENTS | 0xF << 28;
/// What a function has to give back as it was, with sp, gp and tp.
pub(crate) const CALLEE_SAVED: Registers = !CALLER_SAVED & !1;

/// Registers that a statement may read before it writes them.
pub(crate) fn reads(insn: &Insn) -> Registers {
    match &insn.control {
        Control::Branch { rs1, rs2, .. } => return bit(*rs1) | bit(*rs2),
        Control::Call(_) | Control::CallIndirect => match insn.calling {
            Calling::Unknown => return ALL,
            Calling::Seen { reads, .. } => return reads,
            Calling::Convention(given) => {
                return insn.registers().0 | ARGUMENTS | bit(SP) | given;
            }
        },
        Control::Return => return RESULTS | CALLEE_SAVED | bit(RA),
        Control::Jump(_) => return 0,
        Control::Bytes => return ALL,
        _ => {}
    }
    insn.registers().0
}

/// Registers that a statement may change.
pub(crate) fn writes(insn: &Insn) -> Registers {
    match insn.control {
        Control::Call(_) | Control::CallIndirect => match insn.calling {
            Calling::Convention(_) => CALLER_SAVED,
            Calling::Seen { writes, .. } => writes,
            Calling::Unknown => ALL & !bit(SP),
        },
        Control::Bytes => ALL,
        _ => insn.registers().1,
    }
}

/// What a statement does to liveness.
#[derive(Clone, Copy)]
struct Rules {
    /// What a return reads.
    returned: Registers,
    mutation: Option<Mutation>,
}

impl Rules {
    /// Registers live in front of a statement: what it may read, and what is live behind it and not written for certain.
    fn before(self, insn: &Insn, after: Registers) -> Registers {
        let by_convention = self.mutation == Some(Mutation::AllCallsByConvention);
        let read = match insn.control {
            Control::Return => self.returned,
            Control::Call(_) if by_convention => {
                return after & !CALLER_SAVED | ARGUMENTS | bit(SP);
            }
            Control::Bytes if by_convention => 0,
            _ => reads(insn),
        };
        after & !writes(insn) | read
    }
}

/// COMP-050: what functions of this file are given in t0 to t6 becomes known at their calls.
pub(crate) fn find_given(source: &mut Source, functions: &[Function], shapes: &[Shape]) {
    let temporaries = CALLER_SAVED & !(ARGUMENTS | bit(RA));
    let mut given: HashMap<usize, Registers> = HashMap::new();
    let mut again = true;
    while again {
        again = false;
        for (function, shape) in functions.iter().zip(shapes) {
            let first = function.blocks[0].first;
            let live = Liveness::of(source, function, shape, None);
            let read = live.before(source, function, 0, first) & temporaries;
            again |= given.insert(first, read).unwrap_or(0) != read;
        }
        for insn in &mut source.code {
            if let (Control::Call(Target::Code(at)), Calling::Convention(known)) =
                (&insn.control, &mut insn.calling)
            {
                *known = given.get(at).copied().unwrap_or(0);
            }
        }
    }
}

/// Registers whose value may still be read.
pub(crate) struct Liveness {
    /// At the end of each block.
    out: Vec<Registers>,
    rules: Rules,
    /// By block: registers that no temporary value may stand in.
    reserved: Vec<Registers>,
    nothing: bool,
}

impl Liveness {
    pub fn of(
        source: &Source,
        function: &Function,
        shape: &Shape,
        mutation: Option<Mutation>,
    ) -> Liveness {
        let returned = RESULTS | CALLEE_SAVED | bit(RA);
        Liveness::with(source, function, shape, returned, mutation)
    }

    /// COMP-125: of `kernel`, after which the thread ends.
    pub fn of_entry(
        source: &Source,
        function: &Function,
        shape: &Shape,
        mutation: Option<Mutation>,
    ) -> Liveness {
        Liveness::with(source, function, shape, bit(RA) | bit(SP), mutation)
    }

    fn with(
        source: &Source,
        function: &Function,
        shape: &Shape,
        returned: Registers,
        mutation: Option<Mutation>,
    ) -> Liveness {
        let rules = Rules { returned, mutation };
        let count = function.blocks.len();
        let mut live_in = vec![0; count];
        let mut out = vec![0; count];
        let mut changed = true;
        while changed {
            changed = false;
            for &number in shape.order.iter().rev().filter(|&&number| number < count) {
                let block = &function.blocks[number];
                let mut live: Registers = 0;
                for edge in &block.edges {
                    live |= match edge.kind {
                        EdgeKind::Return => returned,
                        EdgeKind::Away => ALL,
                        _ => live_in[edge.to],
                    };
                }
                out[number] = live;
                for at in block.code().rev() {
                    live = rules.before(&source.code[at], live);
                }
                changed |= live != live_in[number];
                live_in[number] = live;
            }
        }
        Liveness {
            out,
            rules,
            reserved: vec![0; count],
            nothing: mutation == Some(Mutation::NothingLive),
        }
    }

    /// Registers live behind instruction `at` of a block.
    pub fn after(
        &self,
        source: &Source,
        function: &Function,
        block: usize,
        at: usize,
    ) -> Registers {
        match at == function.blocks[block].last {
            true if self.nothing => 0,
            true => self.out[block],
            false => self.before(source, function, block, at + 1),
        }
    }

    /// Registers live in front of instruction `at` of a block.
    pub fn before(
        &self,
        source: &Source,
        function: &Function,
        block: usize,
        at: usize,
    ) -> Registers {
        if self.nothing {
            return 0;
        }
        let last = function.blocks[block].last;
        (at..=last).rev().fold(self.out[block], |live, at| {
            self.rules.before(&source.code[at], live)
        })
    }

    /// From now on no temporary value of these blocks stands in one of the registers.
    pub fn reserve(&mut self, blocks: impl IntoIterator<Item = usize>, registers: Registers) {
        for block in blocks {
            self.reserved[block] |= registers;
        }
    }

    /// COMP-051: a register for a temporary value in front of instruction `at` of a block.
    pub fn temporary(
        &self,
        source: &Source,
        function: &Function,
        block: usize,
        at: usize,
    ) -> Option<u8> {
        let taken = self.before(source, function, block, at) | self.reserved[block];
        TEMPORARIES.into_iter().find(|&r| taken & bit(r) == 0)
    }

    /// The same for the result of one instruction that reads what instruction `at` reads: it may stand in one of those.
    pub fn temporary_behind(
        &self,
        source: &Source,
        function: &Function,
        block: usize,
        at: usize,
    ) -> Option<u8> {
        let other = self.temporary(source, function, block, at);
        let taken = self.after(source, function, block, at) | self.reserved[block];
        other.or_else(|| TEMPORARIES.into_iter().find(|&r| taken & bit(r) == 0))
    }
}

/// t0 to t6, a0 to a7: those that a function may leave changed.
pub(crate) const TEMPORARIES: [u8; 15] = [5, 6, 7, 28, 29, 30, 31, 10, 11, 12, 13, 14, 15, 16, 17];
