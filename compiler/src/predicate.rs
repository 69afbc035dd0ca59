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

/// A branch over a few instructions.
#[derive(Clone, Debug)]
pub(crate) struct Hammock {
    pub branch: usize,
    /// The block that the branch skips.
    pub over: usize,
    /// Instructions of that block.
    pub length: usize,
    /// Statements that make the mask, in place of the branch.
    pub condition: Vec<String>,
}

impl Hammock {
    /// Instructions in place of the branch, with those that it guards, that change nothing but data; and those that
    /// change masks.
    pub fn cost(&self) -> (f64, f64) {
        let masks = self.condition.iter().filter(|text| text.starts_with('m'));
        let masks = masks.count();
        let plain = self.condition.len() - masks + self.length;
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
    let mut found = Vec::new();
    for branch in (0..function.blocks.len()).filter(|&b| divergence.branches[b]) {
        let [taken, fall] = &function.blocks[branch].edges[..] else {
            continue;
        };
        if (taken.kind, fall.kind) != (EdgeKind::Taken, EdgeKind::Fall)
            || taken.to == function.exit()
        {
            continue;
        }
        let over = &function.blocks[fall.to];
        let [on] = &over.edges[..] else { continue };
        let alone =
            over.from.len() == 1 && on.kind == EdgeKind::Fall && on.to == taken.to && fall.to != 0;
        let length = over.code().map(|at| source.code[at].ops.len()).sum();
        let fits = |at| is_data(source, at) && !source.code[at].aligned;
        if !alone || length == 0 || length > MOST || !over.code().all(fits) {
            continue;
        }
        let Some(condition) = mask_of(source, function, liveness, branch, false) else {
            continue;
        };
        found.push(Hammock {
            branch,
            over: fall.to,
            length,
            condition,
        });
    }
    found
}

/// MASK-031: what may stand in a predicated block.
pub(crate) fn is_data(source: &Source, at: usize) -> bool {
    let insn = &source.code[at];
    let harmless = |instr: Instr| !matches!(instr, Instr::Yield | Instr::Barrier { .. });
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

/// Statements that set [`CONDITION`] to the threads that take the branch, or to those that do not.
pub(crate) fn mask_of(
    source: &Source,
    function: &Function,
    liveness: &Liveness,
    block: usize,
    taken: bool,
) -> Option<Vec<String>> {
    let last = function.blocks[block].last;
    let Control::Branch { cond, rs1, rs2, .. } = source.code[last].control else {
        return None;
    };
    let (a, b) = (register_name(rs1), register_name(rs2));
    let (op, holds) = comparison(cond);
    // A register that is not 0 if the branch is taken, or, without `holds`, is not.
    let (compute, register) = match cond {
        BranchCond::Eq | BranchCond::Ne if rs2 == 0 => (None, a),
        BranchCond::Eq | BranchCond::Ne if rs1 == 0 => (None, b),
        _ => {
            let temporary = liveness.temporary(source, function, block, last);
            let temporary = register_name(temporary?);
            (Some(format!("{op} {temporary}, {a}, {b}")), temporary)
        }
    };
    let mut statements: Vec<String> = compute.into_iter().collect();
    statements.push(format!("mset {CONDITION}, {register}"));
    if holds != taken {
        statements.push(format!("mnot {CONDITION}, {CONDITION}"));
    }
    Some(statements)
}

/// Writes a predicated block into the source.
pub(crate) fn place(
    source: &Source,
    function: &Function,
    hammock: &Hammock,
    edits: &mut Edits,
    mutation: Option<Mutation>,
) -> Vec<(usize, String)> {
    let last = function.blocks[hammock.branch].last;
    let mut statements = hammock.condition.clone();
    if mutation == Some(Mutation::OppositePredicate) {
        statements.push(format!("mnot {CONDITION}, {CONDITION}"));
    }
    statements.push(format!("mpred {CONDITION}, {}", hammock.length));
    if mutation != Some(Mutation::Relaxed) {
        // COMP-073: what the linker takes out would let the prefix guard what follows.
        statements.extend([".option push", ".option norelax"].map(String::from));
        let end = function.blocks[hammock.over].last;
        edits.after(source, end, rank::BLOCK_END, ".option pop");
    }
    edits.replace(source, last, &statements.join("\n\t"));
    vec![(
        source.code[last].line,
        format!(
            "mpred in place of `{}`",
            source.statement(last).replace('\t', " ")
        ),
    )]
}
