//! What a placement costs: a warp is run over the function's graph (COMP-070 to COMP-072).
//!
//! Each thread of a small warp gets a drawn path through the graph. The paths are the same for every placement;
//! only the order in which the warp runs them changes.
//! So two placements are compared on the same work, by warp instructions.

use crate::divergence::Divergence;
use crate::flow::{Edge, EdgeKind, Function};
use crate::graph::Shape;
use crate::tokens::{Candidate, TokenKind, Way};

/// What the model supposes of programs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model {
    /// Threads of the warp.
    pub threads: u32,
    /// Rounds of an outermost loop, in the mean; those of loops in it are fewer.
    pub rounds: f64,
    /// How often a branch that leaves no loop is taken.
    pub taken: f64,
    /// Part of the executions of a branch that may part the threads in which they agree all the same.
    pub agree: f64,
    /// Blocks of a path.
    pub blocks: usize,
    /// Warp instructions of a call whose function is not known.
    pub call: f64,
}

/// What is supposed in turn: nobody knows what the program will be given, and a choice has to do well with all of it.
pub(crate) const MODELS: [Model; 3] = [
    Model {
        threads: 16,
        rounds: 6.0,
        taken: 0.5,
        agree: 0.0,
        blocks: 300,
        call: 40.0,
    },
    Model {
        threads: 16,
        rounds: 3.0,
        taken: 0.3,
        agree: 0.6,
        blocks: 300,
        call: 40.0,
    },
    Model {
        threads: 16,
        rounds: 9.0,
        taken: 0.75,
        agree: 0.3,
        blocks: 300,
        call: 40.0,
    },
];

/// Part of a placement that changes what blocks and edges cost.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choice {
    /// By candidate.
    pub tokens: Vec<bool>,
    /// By block: its branch is gone, and the block that it guarded is executed by all threads, for so many instructions
    /// in all.
    pub predicated: Vec<Option<(usize, f64)>>,
}

/// Paths of a warp through a function.
#[derive(Debug)]
pub(crate) struct Paths<'a> {
    function: &'a Function,
    /// By thread: the edges taken, from block 0 on.
    edges: Vec<Vec<Edge>>,
    /// Instructions of each block, calls included.
    weight: Vec<f64>,
    /// Instructions behind the function.
    rest: f64,
}

/// A number between 0 and 1 that depends on all of these.
fn draw(parts: [u64; 4]) -> f64 {
    let mut x = 0x9E37_79B9_7F4A_7C15u64;
    for part in parts {
        x = (x ^ part).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x ^= x >> 29;
    }
    x = x.wrapping_mul(0x94D0_49BB_1331_11EB);
    (x ^ x >> 32) as u32 as f64 / f64::from(u32::MAX)
}

/// How often each edge out of a block is taken, by their order.
fn chances(function: &Function, shape: &Shape, block: usize, model: &Model) -> Vec<f64> {
    let edges = &function.blocks[block].edges;
    let inner = shape.loop_of[block];
    let inside = |edge: &Edge| inner.is_some_and(|l| shape.is_in(l, edge.to));
    let staying = edges.iter().filter(|edge| inside(edge)).count();
    if inner.is_some() && staying > 0 && staying < edges.len() {
        let out = 1.0 / (model.rounds / shape.depth(block) as f64).max(2.0);
        let leaving = (edges.len() - staying) as f64;
        return edges
            .iter()
            .map(|e| {
                if inside(e) {
                    (1.0 - out) / staying as f64
                } else {
                    out / leaving
                }
            })
            .collect();
    }
    // Whoever leaves the function early is rare.
    let early = |edge: &Edge| matches!(edge.kind, EdgeKind::Away);
    let rare = edges.iter().filter(|e| early(e)).count();
    if rare > 0 && rare < edges.len() {
        let others = (edges.len() - rare) as f64;
        return edges
            .iter()
            .map(|e| {
                if early(e) {
                    0.1 / rare as f64
                } else {
                    0.9 / others
                }
            })
            .collect();
    }
    if let [first, second] = &edges[..] {
        let of = |edge: &Edge| {
            if edge.kind == EdgeKind::Taken {
                model.taken
            } else {
                1.0 - model.taken
            }
        };
        let all = of(first) + of(second);
        return vec![of(first) / all, of(second) / all];
    }
    vec![1.0 / edges.len().max(1) as f64; edges.len()]
}

impl<'a> Paths<'a> {
    pub fn new(
        function: &'a Function,
        shape: &Shape,
        divergence: &Divergence,
        weight: Vec<f64>,
        rest: f64,
        model: &Model,
    ) -> Paths<'a> {
        let chances: Vec<Vec<f64>> = (0..function.blocks.len())
            .map(|b| chances(function, shape, b, model))
            .collect();
        let paths = (0..model.threads).map(|thread| {
            let mut visits = vec![0u64; function.blocks.len()];
            let (mut path, mut at) = (Vec::new(), 0);
            while at != function.exit() && path.len() < 4 * model.blocks {
                let (block, visit) = (at as u64, visits[at]);
                visits[at] += 1;
                let together = !divergence.branches[at] || draw([block, visit, 1, 0]) < model.agree;
                let who = if together { 0 } else { u64::from(thread) + 1 };
                let mut chance = draw([block, visit, 2, who]);
                let edges = &function.blocks[at].edges;
                let mut way = 0;
                while way + 1 < edges.len() && chance >= chances[at][way] {
                    chance -= chances[at][way];
                    way += 1;
                }
                if path.len() > model.blocks {
                    // Long enough: out of all loops, as soon as there is a way.
                    way = (0..edges.len())
                        .min_by_key(|&way| shape.depth(edges[way].to))
                        .unwrap_or(way);
                }
                let Some(&edge) = edges.get(way) else { break };
                path.push(edge);
                at = edge.to;
            }
            path
        });
        Paths {
            function,
            edges: paths.collect(),
            weight,
            rest,
        }
    }

    /// Instructions of a thread in the mean.
    pub fn length(&self) -> f64 {
        let of = |path: &Vec<Edge>| path.iter().map(|edge| self.weight[edge.from]).sum::<f64>();
        self.edges.iter().map(of).sum::<f64>() / self.edges.len().max(1) as f64
    }

    /// Warp instructions with these tokens (COMP-071).
    pub fn cost(&self, candidates: &[Candidate], choice: &Choice) -> f64 {
        let mut leave: Vec<(Edge, usize, f64)> = Vec::new();
        let mut push: Vec<Vec<usize>> = vec![Vec::new(); self.function.exit() + 1];
        for (number, candidate) in candidates
            .iter()
            .enumerate()
            .filter(|&(n, _)| choice.tokens[n])
        {
            push[candidate.push].push(number);
            for (edge, way) in &candidate.edges {
                leave.push((*edge, number, if *way == Way::Direct { 0.0 } else { 1.0 }));
            }
        }
        leave.sort_by_key(|(edge, ..)| *edge);
        Replay {
            paths: self,
            candidates,
            choice,
            leave,
            push,
            cost: 0.0,
            at: vec![0; self.edges.len()],
            off: vec![None; self.edges.len()],
            deque: Vec::new(),
        }
        .run()
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Reason {
    Parted,
    Token(TokenKind),
}

/// Where threads go on.
#[derive(Clone, Copy, Debug)]
enum Place {
    Block(usize),
    Edge(Edge),
}

struct Token {
    reason: Reason,
    /// Candidate; of parted threads none.
    number: Option<usize>,
    mask: u64,
    place: Place,
}

struct Replay<'a, 'b> {
    paths: &'b Paths<'a>,
    candidates: &'b [Candidate],
    choice: &'b Choice,
    /// Sorted: the candidate of an edge, and what the leave costs.
    leave: Vec<(Edge, usize, f64)>,
    /// Candidates pushed by each block.
    push: Vec<Vec<usize>>,
    cost: f64,
    /// By thread: edges taken so far.
    at: Vec<usize>,
    off: Vec<Option<Reason>>,
    deque: Vec<Token>,
}

impl Replay<'_, '_> {
    fn run(mut self) -> f64 {
        let mut active: u64 = u64::MAX >> (64 - self.paths.edges.len());
        let mut place = Place::Block(0);
        loop {
            if active == 0 {
                // CONV-070
                let Some(token) = self.deque.pop() else {
                    return self.cost;
                };
                let waits = |thread: usize| {
                    token.mask >> thread & 1 == 1 && self.off[thread] == Some(token.reason)
                };
                active = (0..self.off.len())
                    .filter(|&t| waits(t))
                    .fold(0, |all, t| all | 1 << t);
                place = token.place;
                threads(active).for_each(|t| self.off[t] = None);
                continue;
            }
            (active, place) = match place {
                Place::Edge(edge) => self.along(active, edge),
                Place::Block(block) => self.block(active, block),
            };
        }
    }

    /// CONV-040: threads that leave for a token wait if it is there.
    fn along(&mut self, active: u64, edge: Edge) -> (u64, Place) {
        let mut caught = 0;
        let first = self.leave.partition_point(|(other, ..)| *other < edge);
        if let Some(&(_, number, cost)) = self.leave.get(first).filter(|(other, ..)| *other == edge)
        {
            self.cost += cost;
            let kind = self.candidates[number].kind;
            for token in self.deque.iter_mut().rev() {
                match token.number {
                    Some(other) if other == number && token.mask & active != 0 => {
                        caught = token.mask & active;
                        break;
                    }
                    Some(other) if self.candidates[other].kind == kind && other != number => {
                        token.mask &= !active
                    }
                    _ => {}
                }
            }
            threads(caught).for_each(|t| self.off[t] = Some(Reason::Token(kind)));
        }
        (active & !caught, Place::Block(edge.to))
    }

    fn block(&mut self, active: u64, block: usize) -> (u64, Place) {
        if block == self.paths.function.exit() {
            self.cost += self.paths.rest;
            return (0, Place::Block(block));
        }
        for at in 0..self.push[block].len() {
            let number = self.push[block][at];
            self.cost += 1.0;
            let redundant = self
                .deque
                .last()
                .is_some_and(|t| t.number == Some(number) && t.mask & active == active);
            if !redundant {
                let candidate = &self.candidates[number];
                let reason = Reason::Token(candidate.kind);
                let place = Place::Block(candidate.join);
                self.deque.push(Token {
                    reason,
                    number: Some(number),
                    mask: active,
                    place,
                });
            }
        }
        if let Some((over, cost)) = self.choice.predicated.get(block).copied().flatten() {
            self.cost += self.paths.weight[block] - 1.0 + cost;
            let mut next = None;
            for thread in threads(active) {
                let path = &self.paths.edges[thread];
                let Some(mut edge) = path.get(self.at[thread]).copied() else {
                    continue;
                };
                self.at[thread] += 1;
                if edge.to == over {
                    let Some(second) = path.get(self.at[thread]) else {
                        continue;
                    };
                    edge = *second;
                    self.at[thread] += 1;
                }
                next = Some(edge.to);
            }
            return match next {
                Some(to) => (active, Place::Block(to)),
                None => (0, Place::Block(block)),
            };
        }
        self.cost += self.paths.weight[block];
        let mut groups: Vec<(Edge, u64)> = Vec::new();
        for thread in threads(active) {
            let path = &self.paths.edges[thread];
            let Some(&edge) = path.get(self.at[thread]) else {
                continue;
            };
            self.at[thread] += 1;
            match groups.iter_mut().find(|(other, _)| *other == edge) {
                Some((_, mask)) => *mask |= 1 << thread,
                None => groups.push((edge, 1 << thread)),
            }
        }
        // The smaller group first; of a jump table each group but the last executes the jump once more.
        groups.sort_by_key(|(edge, mask)| (mask.count_ones(), edge.kind == EdgeKind::Fall));
        self.cost += groups.len().saturating_sub(2) as f64;
        for &(edge, mask) in groups.iter().skip(1).rev() {
            threads(mask).for_each(|t| self.off[t] = Some(Reason::Parted));
            self.deque.push(Token {
                reason: Reason::Parted,
                number: None,
                mask,
                place: Place::Edge(edge),
            });
        }
        match groups.first() {
            Some(&(edge, mask)) => (mask, Place::Edge(edge)),
            None => (0, Place::Block(block)),
        }
    }
}

fn threads(mask: u64) -> impl Iterator<Item = usize> {
    let mut left = mask;
    std::iter::from_fn(move || {
        let thread = left.trailing_zeros() as usize;
        left &= left.wrapping_sub(1);
        (thread < 64).then_some(thread)
    })
}

/// The same function under several suppositions.
pub(crate) struct Trials<'a> {
    paths: Vec<(Paths<'a>, f64)>,
}

impl<'a> Trials<'a> {
    pub fn new(paths: Vec<Paths<'a>>, candidates: &[Candidate], nothing: &Choice) -> Trials<'a> {
        let with_cost = |paths: Paths<'a>| {
            let cost = paths.cost(candidates, nothing).max(1.0);
            (paths, cost)
        };
        Trials {
            paths: paths.into_iter().map(with_cost).collect(),
        }
    }

    /// Relative to nothing being done: the mean over the suppositions.
    pub fn cost(&self, candidates: &[Candidate], choice: &Choice) -> f64 {
        let each = self
            .paths
            .iter()
            .map(|(paths, nothing)| paths.cost(candidates, choice) / nothing);
        each.sum::<f64>() / self.paths.len() as f64
    }
}

/// A change has to win that much in the model: a token that is missing may cost a program very much more than one in
/// excess.
const MARGIN: f64 = 0.03;

/// COMP-072: starts with all tokens and takes away what does not pay, until nothing changes.
pub(crate) fn choose(
    trials: &Trials,
    candidates: &[Candidate],
    choice: &mut Choice,
    movable: &[bool],
) -> f64 {
    let mut best = trials.cost(candidates, choice);
    for _ in 0..3 {
        let before = best;
        for number in (0..candidates.len()).filter(|&number| movable[number]) {
            choice.tokens[number] = !choice.tokens[number];
            let cost = trials.cost(candidates, choice);
            match cost < best * (1.0 - MARGIN) {
                true => best = cost,
                false => choice.tokens[number] = !choice.tokens[number],
            }
        }
        if best >= before {
            break;
        }
    }
    best
}
