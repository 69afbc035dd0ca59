//! Loops that one thread gets out of at a time, and what becomes of the others' attempts (COMP-095).

use crate::divergence::Divergence;
use crate::flow::{Edge, EdgeKind, Function};
use crate::rounds::Back;
use crate::source::{Control, Source};
use weft_isa::{BranchCond, Instr};

/// Of a function.
#[derive(Debug, Default)]
pub(crate) struct Contest {
    /// Edges out of such loops.
    pub out: Vec<(Edge, Apart)>,
    /// Edges that a thread takes whose attempt has failed.
    pub fails: Vec<Edge>,
    /// Blocks where attempts begin.
    pub attempts: Vec<usize>,
}

/// Of the threads that come there together one gets out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Apart {
    /// The others come after all who wait for nobody.
    pub waits: bool,
    /// The block where their next attempt begins.
    pub header: usize,
}

pub(crate) fn contest(
    source: &Source,
    function: &Function,
    divergence: &Divergence,
    backs: &[Back],
) -> Contest {
    let one_by_one =
        |back: &&Back| back.atomic || back.waits && in_turns(source, function, divergence, back);
    let apart: Vec<&Back> = backs.iter().filter(one_by_one).collect();
    let mut found = Contest::default();
    for edge in function.blocks.iter().flat_map(|block| &block.edges) {
        let around: Vec<&&Back> = apart.iter().filter(|back| back.body[edge.from]).collect();
        // Out of all that it is in; the largest of these is what is tried again.
        if around.iter().any(|back| back.contains(edge.to)) {
            continue;
        }
        let size = |back: &&&&Back| back.body.iter().filter(|&&inside| inside).count();
        if let Some(back) = around.iter().max_by_key(size) {
            let (waits, header) = (back.waits, back.edge.to);
            found.out.push((*edge, Apart { waits, header }));
        }
    }
    for back in backs.iter().filter(|back| back.atomic) {
        found.attempts.push(back.edge.to);
        found.fails.extend(fails(source, function, back));
    }
    found
}

/// Who waits goes on when what it reads equals a value of its own.
fn in_turns(source: &Source, function: &Function, divergence: &Divergence, back: &Back) -> bool {
    back.apart.iter().any(|&block| {
        let equal = match source.code[function.blocks[block].last].control {
            Control::Branch {
                cond: BranchCond::Eq,
                ..
            } => EdgeKind::Taken,
            Control::Branch {
                cond: BranchCond::Ne,
                ..
            } => EdgeKind::Fall,
            _ => return false,
        };
        let mut edges = function.blocks[block].edges.iter();
        let leaves = edges.any(|edge| edge.kind == equal && !back.contains(edge.to));
        leaves && divergence.unlike[block]
    })
}

/// Where a thread goes that has to try again: back, to where it can only go back, or past an `sc.w` that it could have
/// come to.
fn fails(source: &Source, function: &Function, back: &Back) -> Vec<Edge> {
    let blocks = &function.blocks;
    let swaps = |block: usize| {
        let mut ops = blocks[block].code().flat_map(|at| &source.code[at].ops);
        ops.any(|op| matches!(op.instr, Instr::StoreConditional { .. }))
    };
    let inside: Vec<usize> = (0..blocks.len()).filter(|&b| back.body[b]).collect();
    let stays = |edge: &Edge| edge.to != back.edge.to && back.contains(edge.to);
    let mut to_swap = vec![false; blocks.len()];
    let mut lost = to_swap.clone();
    inside
        .iter()
        .for_each(|&block| to_swap[block] = swaps(block));
    let goes_back = |edge: &Edge, lost: &[bool]| *edge == back.edge || stays(edge) && lost[edge.to];
    let mut again = true;
    while again {
        again = false;
        for &block in &inside {
            let edges = &blocks[block].edges;
            let swaps = edges.iter().any(|edge| stays(edge) && to_swap[edge.to]);
            let fails = block != back.edge.to && edges.iter().all(|edge| goes_back(edge, &lost));
            again |= swaps && !to_swap[block] || fails && !lost[block];
            to_swap[block] |= swaps;
            lost[block] |= fails;
        }
    }
    let mut found = Vec::new();
    for &block in &inside {
        let edges = &blocks[block].edges;
        let one_swaps = edges.iter().any(|edge| stays(edge) && to_swap[edge.to]);
        let past = |edge: &Edge| one_swaps && stays(edge) && !to_swap[edge.to];
        let fails = edges
            .iter()
            .filter(|edge| goes_back(edge, &lost) || past(edge));
        let fails: Vec<Edge> = fails.copied().collect();
        if fails.len() < edges.len() {
            found.extend(fails);
        }
    }
    found
}
