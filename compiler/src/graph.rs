//! Dominators, post-dominators and loops of a function (COMP-030 to COMP-032).

use crate::flow::{Edge, Function};
use petgraph::algo::dominators::{simple_fast, Dominators};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{DfsPostOrder, Reversed};

/// A natural loop.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    pub header: usize,
    /// By block.
    pub contains: Vec<bool>,
    /// The innermost loop around it.
    pub parent: Option<usize>,
    /// 1: outermost.
    pub depth: usize,
}

/// What the shape of a function's graph says. Block numbers are the function's; its exit is the last one.
#[derive(Debug)]
pub(crate) struct Shape {
    dominators: Dominators<NodeIndex>,
    post_dominators: Dominators<NodeIndex>,
    pub loops: Vec<Loop>,
    /// Innermost loop of each block.
    pub loop_of: Vec<Option<usize>>,
    /// Reverse post-order, from the entry.
    pub order: Vec<usize>,
    /// A cycle with more than one entrance.
    pub irreducible: bool,
    /// By loop: post-dominators of one round of it, in whose graph no way leads out;
    /// the last node is the end of the round.
    rounds: Vec<Dominators<NodeIndex>>,
}

impl Shape {
    pub fn of(function: &Function) -> Shape {
        let exit = function.exit();
        let mut graph: DiGraph<(), ()> = DiGraph::new();
        (0..=exit).for_each(|_| {
            graph.add_node(());
        });
        let node = NodeIndex::new;
        for edge in function.edges() {
            graph.update_edge(node(edge.from), node(edge.to), ());
        }
        let mut order = Vec::new();
        let mut walk = DfsPostOrder::new(&graph, node(0));
        while let Some(next) = walk.next(&graph) {
            order.push(next.index());
        }
        order.reverse();
        let mut place = vec![usize::MAX; exit + 1];
        order
            .iter()
            .enumerate()
            .for_each(|(at, &block)| place[block] = at);
        let dominators = simple_fast(&graph, node(0));
        let (loops, loop_of, irreducible) = loops(function, &dominators, &place);
        // COMP-031: a cycle without a way out gets one at its last block.
        loop {
            let mut ends = vec![false; exit + 1];
            let mut back = DfsPostOrder::new(Reversed(&graph), node(exit));
            while let Some(next) = back.next(Reversed(&graph)) {
                ends[next.index()] = true;
            }
            let Some(&stuck) = order.iter().rev().find(|&&block| !ends[block]) else {
                break;
            };
            graph.add_edge(node(stuck), node(exit), ());
        }
        let post_dominators = simple_fast(Reversed(&graph), node(exit));
        let rounds = loops.iter().map(|l| round(function, l)).collect();
        Shape {
            rounds,
            dominators,
            post_dominators,
            loops,
            loop_of,
            order,
            irreducible,
        }
    }

    pub fn immediate_dominator(&self, block: usize) -> Option<usize> {
        self.dominators
            .immediate_dominator(NodeIndex::new(block))
            .map(NodeIndex::index)
    }

    pub fn immediate_post_dominator(&self, block: usize) -> Option<usize> {
        self.post_dominators
            .immediate_dominator(NodeIndex::new(block))
            .map(NodeIndex::index)
    }

    /// COMP-066: where the ways out of a block meet within one round of a loop, whatever leaves it;
    /// its header: in the next round.
    /// `None` if fewer than two of the ways stay in the loop.
    pub fn join_in_round(&self, function: &Function, number: usize, block: usize) -> Option<usize> {
        let (own, round) = (&self.loops[number], &self.rounds[number]);
        let end = function.blocks.len();
        let ends =
            |node: usize| node == end || round.immediate_dominator(NodeIndex::new(node)).is_some();
        let mut stay: Vec<usize> = Vec::new();
        for edge in &function.blocks[block].edges {
            let to = if edge.to == own.header { end } else { edge.to };
            if (to == end && edge.to == own.header || to < end && own.contains[to]) && ends(to) {
                stay.push(to);
            }
        }
        stay.sort_unstable();
        stay.dedup();
        if stay.len() < 2 {
            return None;
        }
        let join = round.immediate_dominator(NodeIndex::new(block))?.index();
        Some(if join == end { own.header } else { join })
    }

    /// Whether every way from the entry to `block` leads through `above`.
    pub fn dominates(&self, above: usize, block: usize) -> bool {
        let mut dominators = self
            .dominators
            .dominators(NodeIndex::new(block))
            .into_iter()
            .flatten();
        dominators.any(|node| node.index() == above)
    }

    pub fn common_dominator(&self, a: usize, b: usize) -> usize {
        let mut at = a;
        while !self.dominates(at, b) {
            at = self.immediate_dominator(at).unwrap_or(0);
        }
        at
    }

    /// Whether the loop, or one inside it, contains the block.
    pub fn is_in(&self, number: usize, block: usize) -> bool {
        self.loops[number]
            .contains
            .get(block)
            .copied()
            .unwrap_or(false)
    }

    pub fn leaves_a_loop(&self, edge: &Edge) -> bool {
        let mut around = self.loops_around(edge.from);
        around.any(|number| !self.is_in(number, edge.to))
    }

    pub fn depth(&self, block: usize) -> usize {
        let inner = self.loop_of.get(block).copied().flatten();
        inner.map_or(0, |number| self.loops[number].depth)
    }

    /// Loops around a block, from the innermost.
    pub fn loops_around(&self, block: usize) -> impl Iterator<Item = usize> + '_ {
        let first = self.loop_of.get(block).copied().flatten();
        std::iter::successors(first, |&number| self.loops[number].parent)
    }

    /// Blocks that can be reached from the edges out of `from` without passing `until`.
    pub fn region(&self, function: &Function, from: usize, until: usize) -> Vec<bool> {
        let mut inside = vec![false; function.exit() + 1];
        let mut open: Vec<usize> = vec![from];
        let mut first = true;
        while let Some(block) = open.pop() {
            if block == function.exit() || (!first && block == until) {
                continue;
            }
            for edge in &function.blocks[block].edges {
                if edge.to != until && edge.to != function.exit() && !inside[edge.to] {
                    inside[edge.to] = true;
                    open.push(edge.to);
                }
            }
            first = false;
        }
        inside
    }
}

fn round(function: &Function, own: &Loop) -> Dominators<NodeIndex> {
    let end = function.blocks.len();
    let mut graph: DiGraph<(), ()> = DiGraph::new();
    (0..=end).for_each(|_| {
        graph.add_node(());
    });
    for edge in function
        .edges()
        .filter(|edge| own.contains[edge.from] && edge.to < end && own.contains[edge.to])
    {
        let to = if edge.to == own.header { end } else { edge.to };
        graph.update_edge(NodeIndex::new(edge.from), NodeIndex::new(to), ());
    }
    simple_fast(Reversed(&graph), NodeIndex::new(end))
}

fn loops(
    function: &Function,
    dominators: &Dominators<NodeIndex>,
    place: &[usize],
) -> (Vec<Loop>, Vec<Option<usize>>, bool) {
    let count = function.blocks.len();
    let dominates = |above: usize, block: usize| {
        let mut all = dominators
            .dominators(NodeIndex::new(block))
            .into_iter()
            .flatten();
        all.any(|node| node.index() == above)
    };
    let (mut loops, mut irreducible): (Vec<Loop>, bool) = (Vec::new(), false);
    for edge in function
        .edges()
        .filter(|edge| edge.to < count && place[edge.from] != usize::MAX)
    {
        if place[edge.to] > place[edge.from] {
            continue;
        }
        if !dominates(edge.to, edge.from) {
            irreducible = true;
            continue;
        }
        let known = loops.iter().position(|l| l.header == edge.to);
        let number = known.unwrap_or_else(|| {
            let mut contains = vec![false; count];
            contains[edge.to] = true;
            loops.push(Loop {
                header: edge.to,
                contains,
                parent: None,
                depth: 0,
            });
            loops.len() - 1
        });
        let contains = &mut loops[number].contains;
        let mut open = vec![edge.from];
        while let Some(block) = open.pop() {
            if !contains[block] {
                contains[block] = true;
                open.extend(function.blocks[block].from.iter().map(|edge| edge.from));
            }
        }
    }
    // Outer loops first, so that the innermost one of a block is the last that contains it.
    loops.sort_by_key(|l| {
        (
            std::cmp::Reverse(l.contains.iter().filter(|&&c| c).count()),
            l.header,
        )
    });
    let mut loop_of = vec![None; count + 1];
    for number in 0..loops.len() {
        let header = loops[number].header;
        let parent = loop_of[header];
        let depth = parent.map_or(1, |p: usize| loops[p].depth + 1);
        loops[number].parent = parent;
        loops[number].depth = depth;
        let inside = loops[number].contains.iter().zip(&mut loop_of);
        for (_, innermost) in inside.filter(|(&contained, _)| contained) {
            *innermost = Some(number);
        }
    }
    (loops, loop_of, irreducible)
}
