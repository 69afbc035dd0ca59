//! Predication of short branches (COMP-073 to COMP-075), and conditions as masks.

use crate::divergence::Divergence;
use crate::flow::{EdgeKind, Function};
use crate::mutation::Mutation;
use crate::registers::Liveness;
use crate::source::{rank, Control, Edits, Source};
use weft_isa::{register_name, BranchCond, Instr};

/// Most instructions that a prefix guards.
const MOST: usize = 8;

/// The mask register that holds a condition for the next instruction or two.
pub(crate) const CONDITION: &str = "m7";

/// A branch around a few instructions, or between two times a few.
#[derive(Clone, Debug)]
pub(crate) struct Hammock {
    pub branch: usize,
    /// What those execute that do not take the branch, then what the others do.
    pub sides: Vec<Side>,
    /// Statements that make the mask of those that do not take it, in place of the branch.
    condition: Vec<String>,
}

/// The code of some of the threads.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    pub block: usize,
    /// Those that take the branch execute it.
    taken: bool,
    /// Statements of the block but for the jump or return at its end.
    body: std::ops::Range<usize>,
    /// Their instructions.
    pub length: usize,
    /// It stands elsewhere in the text: a copy of it is predicated, and nobody comes to the original any more.
    copied: bool,
}

impl Side {
    /// The jump or return at its end.
    fn end(&self, function: &Function) -> Option<usize> {
        let last = function.blocks[self.block].last;
        (!self.body.contains(&last)).then_some(last)
    }
}

impl Hammock {
    /// Blocks whose jump or return is not there any more, or that nobody comes to.
    pub fn without_end(&self) -> impl Iterator<Item = usize> + '_ {
        let in_place = self.sides.iter().all(|side| !side.copied);
        let first = self
            .sides
            .iter()
            .take(self.sides.len() - 1)
            .filter(move |_| in_place);
        let copied = self.sides.iter().filter(|side| side.copied);
        first.chain(copied).map(|side| side.block)
    }

    /// The block that the branch goes over, if that is all.
    pub fn over(&self) -> Option<usize> {
        let [side] = &self.sides[..] else { return None };
        (!side.taken).then_some(side.block)
    }

    /// Instructions in place of the branch, with those that it guards, that change nothing but data; and those that
    /// change masks.
    pub fn cost(&self) -> (f64, f64) {
        let masks = self.condition.iter().filter(|text| text.starts_with('m'));
        let masks = masks.count();
        let guarded: usize = self.sides.iter().map(|side| side.length).sum();
        let plain = self.condition.len() - masks + guarded;
        (plain as f64, masks as f64 + 1.0)
    }
}

/// COMP-073: all branches of the function that can be predicated.
pub(crate) fn hammocks(
    source: &Source,
    function: &Function,
    divergence: &Divergence,
    liveness: &Liveness,
) -> Vec<Hammock> {
    let branches = (0..function.blocks.len()).filter(|&b| divergence.branches[b]);
    branches
        .filter_map(|branch| hammock(source, function, liveness, branch))
        .collect()
}

fn hammock(
    source: &Source,
    function: &Function,
    liveness: &Liveness,
    branch: usize,
) -> Option<Hammock> {
    let [taken, fall] = &function.blocks[branch].edges[..] else {
        return None;
    };
    let exit = function.exit();
    if (taken.kind, fall.kind) != (EdgeKind::Taken, EdgeKind::Fall) || taken.to == exit {
        return None;
    }
    let (other, next) = (taken.to, fall.to);
    let on = |block: usize| match function.blocks[block].edges[..] {
        [edge] if edge.kind != EdgeKind::Away && edge.kind != EdgeKind::Table => Some(edge),
        _ => None,
    };
    let side = |block| side(source, function, block, block == other);
    let falls_to = |block: usize, to: usize| {
        on(block).is_some_and(|edge| edge.kind == EdgeKind::Fall && edge.to == to)
    };
    let sides = if falls_to(next, other) {
        vec![side(next)?]
    } else if on(other).is_some_and(|edge| edge.to == next) {
        let copied = true;
        vec![Side {
            copied,
            ..side(other)?
        }]
    } else {
        let (first, second) = (on(next)?, on(other)?);
        let ends = first.kind == EdgeKind::Return || second.kind == EdgeKind::Return;
        let alike = first.to == second.to && (!ends || first.kind == second.kind);
        // What follows the second side is what followed the first one.
        let follows = source.next(function.blocks[next].last) == Some(function.blocks[other].first);
        if !alike || first.to == branch {
            return None;
        }
        let copied = !follows;
        // A YIELD on the way back into a loop is not copied.
        if copied && second.to <= branch {
            return None;
        }
        vec![
            side(next)?,
            Side {
                copied,
                ..side(other)?
            },
        ]
    };
    let is_empty = sides.iter().all(|side| side.length == 0);
    // A part of an address is found by the label of another instruction.
    let spoils = |side: &Side| {
        let mut body = side.body.clone();
        side.copied && body.any(|at| source.statement(at).contains("%pcrel"))
    };
    if is_empty || sides.iter().any(spoils) {
        return None;
    }
    let condition = condition(source, function, liveness, branch)?;
    Some(Hammock {
        branch,
        sides,
        condition: those_that_fall(&condition),
    })
}

/// A block that nothing but the branch leads to, if it can be predicated.
fn side(source: &Source, function: &Function, block: usize, taken: bool) -> Option<Side> {
    let own = &function.blocks[block];
    let ends = matches!(
        source.code[own.last].control,
        Control::Jump(_) | Control::Return
    );
    let body = own.first..if ends { own.last } else { own.last + 1 };
    let length = body.clone().map(|at| source.code[at].ops.len()).sum();
    let fits = |at| is_data(source, at) && !source.code[at].aligned;
    let alone = own.from.len() == 1 && block != 0;
    (alone && length <= MOST && body.clone().all(fits)).then_some(Side {
        block,
        taken,
        body,
        length,
        copied: false,
    })
}

/// MASK-031: what may stand in a predicated block.
pub(crate) fn is_data(source: &Source, at: usize) -> bool {
    let insn = &source.code[at];
    let harmless =
        |instr: Instr| !matches!(instr, Instr::Yield | Instr::Barrier { .. } | Instr::FenceI);
    insn.control == Control::Plain
        && !insn.ops.is_empty()
        && insn.ops.iter().all(|op| harmless(op.instr))
}

/// The instruction that compares the operands of a branch, and whether it gives something else than 0 if the branch is
/// taken.
pub(crate) fn comparison(cond: BranchCond) -> (&'static str, bool) {
    match cond {
        BranchCond::Eq => ("xor", false),
        BranchCond::Ne => ("xor", true),
        BranchCond::Lt => ("slt", true),
        BranchCond::Ge => ("slt", false),
        BranchCond::Ltu => ("sltu", true),
        BranchCond::Geu => ("sltu", false),
    }
}

/// A branch's condition in a register.
pub(crate) struct Condition {
    /// The statement that computes it, if one is needed.
    pub compute: Option<String>,
    pub register: &'static str,
    /// The branch is taken if the register is not 0; without this, if it is 0.
    pub holds: bool,
}

/// The condition of the branch at the end of a block; `None`: no register is free for it.
pub(crate) fn condition(
    source: &Source,
    function: &Function,
    liveness: &Liveness,
    block: usize,
) -> Option<Condition> {
    let last = function.blocks[block].last;
    let Control::Branch { cond, rs1, rs2, .. } = source.code[last].control else {
        return None;
    };
    let (a, b) = (register_name(rs1), register_name(rs2));
    let (op, holds) = comparison(cond);
    let (compute, register) = match cond {
        BranchCond::Eq | BranchCond::Ne if rs2 == 0 => (None, a),
        BranchCond::Eq | BranchCond::Ne if rs1 == 0 => (None, b),
        _ => {
            let temporary =
                register_name(liveness.temporary_behind(source, function, block, last)?);
            (Some(format!("{op} {temporary}, {a}, {b}")), temporary)
        }
    };
    Some(Condition {
        compute,
        register,
        holds,
    })
}

/// Statements that set [`CONDITION`] to the threads that do not take the branch.
fn those_that_fall(condition: &Condition) -> Vec<String> {
    let mut statements: Vec<String> = condition.compute.iter().cloned().collect();
    statements.push(format!("mset {CONDITION}, {}", condition.register));
    if condition.holds {
        statements.push(format!("mnot {CONDITION}, {CONDITION}"));
    }
    statements
}

/// Writes predicated blocks into the source.
pub(crate) fn place(
    source: &Source,
    function: &Function,
    hammock: &Hammock,
    edits: &mut Edits,
    mutation: Option<Mutation>,
) -> Vec<(usize, String)> {
    let pop = || {
        let relaxes = mutation != Some(Mutation::Relaxed);
        relaxes.then(|| ".option pop".to_string())
    };
    let turn = || format!("mnot {CONDITION}, {CONDITION}");
    // What stands in front of a side, and with it if it is a copy.
    let prefix = |side: &Side| {
        let mut statements = Vec::new();
        if side.taken && mutation != Some(Mutation::OneSide) {
            statements.push(turn());
        }
        if side.length == 0 {
            return statements;
        }
        if mutation == Some(Mutation::OppositePredicate) {
            statements.push(turn());
        }
        statements.push(format!("mpred {CONDITION}, {}", side.length));
        if pop().is_some() {
            // COMP-073: what the linker takes out would let the prefix guard what follows.
            statements.extend([".option push", ".option norelax"].map(String::from));
        }
        if side.copied {
            let body = side.body.clone().map(|at| source.statement(at).to_string());
            statements.extend(body.chain(pop()));
        }
        statements
    };
    let branch = function.blocks[hammock.branch].last;
    let front = [hammock.condition.clone(), prefix(&hammock.sides[0])].concat();
    edits.replace(source, branch, &front.join("\n\t"));
    for (number, side) in hammock
        .sides
        .iter()
        .enumerate()
        .filter(|(_, side)| !side.copied)
    {
        let mut behind: Vec<String> = pop().filter(|_| side.length > 0).into_iter().collect();
        let second = hammock.sides.get(number + 1);
        behind.extend(second.into_iter().flat_map(&prefix));
        let end = side.end(function);
        match (end, second) {
            (Some(end), Some(second)) if !second.copied => {
                edits.replace_falling(source, end, &behind.join("\n\t"));
            }
            (Some(end), _) => {
                for statement in behind {
                    edits.before(source, end, rank::BLOCK_END, &statement);
                }
            }
            (None, _) => {
                for statement in behind {
                    edits.after(source, side.body.end - 1, rank::BLOCK_END, &statement);
                }
            }
        }
    }
    let statement = source.statement(branch).replace('\t', " ");
    let how = match hammock.sides.len() {
        1 => "mpred in place of",
        _ => "mpred for both sides of",
    };
    vec![(source.code[branch].line, format!("{how} `{statement}`"))]
}
