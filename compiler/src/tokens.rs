//! Lowering by tokens (COMP-060 to 067): where threads that part meet again, and the text that makes them wait there.

use crate::divergence::Divergence;
use crate::flow::{Edge, EdgeKind, Function};
use crate::graph::Shape;
use crate::mutation::Mutation;
use crate::predicate::comparison;
use crate::registers::Liveness;
use crate::rounds::Back;
use crate::source::{rank, Control, Edits, Source};
use std::collections::BTreeMap;
use weft_isa::{register_name, BranchCond};

/// Type of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenKind {
    /// `ssy`, `sync`: where a branch's sides meet.
    Sync,
    /// `pbk`, `brk`: behind a loop.
    Break,
    /// `pcnt`, `cont`: at the beginning of the next round of a loop.
    Continue,
}

impl TokenKind {
    pub(crate) const fn push(self) -> &'static str {
        match self {
            TokenKind::Sync => "ssy",
            TokenKind::Break => "pbk",
            TokenKind::Continue => "pcnt",
        }
    }
    pub(crate) const fn leave(self) -> &'static str {
        match self {
            TokenKind::Sync => "sync",
            TokenKind::Break => "brk",
            TokenKind::Continue => "cont",
        }
    }
}

/// How an edge gets to the token's address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// The jump or branch becomes the leave: it costs nothing.
    Direct,
    /// By a leave in front of the join.
    Through,
    /// COMP-067: the branch's condition is computed into this register, on which the leave depends.
    Computed(u8),
}

/// A token that could be placed.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub kind: TokenKind,
    /// The push stands at the end of this block; for [`TokenKind::Continue`] at its beginning.
    pub push: usize,
    /// Where threads meet: a block, or the function's exit.
    pub join: usize,
    /// Branches whose threads meet there.
    pub branches: Vec<usize>,
    /// Edges on which threads leave for the token.
    pub edges: Vec<(Edge, Way)>,
    /// All ways into the join are such edges.
    whole: bool,
    /// Another instruction pushes it: the beginning of a sub-vector loop.
    pub push_as: Option<&'static str>,
}

/// What the report says of a computed condition.
const CONDITION_IN: &str = "its condition in";

/// Farthest that a leave reaches, in statements: ±4 KiB, and a statement may become two instructions and get a few
/// beside it.
const REACH: usize = 300;

/// All tokens that COMP-060 allows; and for branches that get none, why.
pub(crate) fn candidates(
    source: &Source,
    function: &Function,
    shape: &Shape,
    divergence: &Divergence,
    liveness: &Liveness,
    waiting: &[Back],
    mutation: Option<Mutation>,
) -> (Vec<Candidate>, BTreeMap<usize, String>) {
    let mut joins: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut refused = BTreeMap::new();
    for branch in (0..function.blocks.len()).filter(|&b| divergence.branches[b]) {
        // COMP-094
        if waiting.iter().any(|back| back.apart.contains(&branch)) {
            let why = "who need not wait here would wait for those that do";
            refused.insert(branch, why.to_string());
            continue;
        }
        let mut join = shape
            .immediate_post_dominator(branch)
            .unwrap_or(function.exit());
        if mutation == Some(Mutation::WrongPostDominator) {
            join = (branch + 1).min(function.exit());
        }
        joins.entry(join).or_default().push(branch);
        for number in shape.loops_around(branch) {
            if join < function.exit() && shape.is_in(number, join) {
                break;
            }
            if let Some(inner) = shape.join_in_round(function, number, branch) {
                joins.entry(inner).or_default().push(branch);
                break;
            }
        }
    }
    let mut found: Vec<Candidate> = Vec::new();
    for (join, mut branches) in joins {
        branches.dedup();
        for group in by_round(shape, function, join, branches) {
            let waits = waiting.iter().any(|back| {
                back.waits
                    && back.edge.to == join
                    && group.iter().any(|&b| is_in_round(shape, back, b))
            });
            if waits {
                let why = "a way back to the loop's beginning waits";
                refused.extend(group.into_iter().map(|branch| (branch, why.to_string())));
                continue;
            }
            match candidate(source, function, shape, liveness, waiting, join, &group) {
                Ok(candidate) => found.push(candidate),
                Err(why) => {
                    refused.extend(group.into_iter().map(|branch| (branch, why.to_string())))
                }
            }
        }
    }
    (found, refused)
}

/// Whether a branch stands in the loop of a way back.
fn is_in_round(shape: &Shape, back: &Back, branch: usize) -> bool {
    let own = (0..shape.loops.len()).find(|&l| shape.loops[l].header == back.edge.to);
    own.is_some_and(|own| shape.is_in(own, branch))
}

/// Branches in the loop that begins at the join meet in its next round (COMP-063), all others by one token.
fn by_round(
    shape: &Shape,
    function: &Function,
    join: usize,
    branches: Vec<usize>,
) -> Vec<Vec<usize>> {
    let own =
        (0..shape.loops.len()).find(|&l| join < function.exit() && shape.loops[l].header == join);
    let (inside, outside): (Vec<usize>, Vec<usize>) = branches
        .into_iter()
        .partition(|&branch| own.is_some_and(|own| shape.is_in(own, branch)));
    [inside, outside]
        .into_iter()
        .filter(|group| !group.is_empty())
        .collect()
}

fn candidate(
    source: &Source,
    function: &Function,
    shape: &Shape,
    liveness: &Liveness,
    waiting: &[Back],
    join: usize,
    branches: &[usize],
) -> Result<Candidate, &'static str> {
    let exit = function.exit();
    let own = (0..shape.loops.len()).find(|&l| join < exit && shape.loops[l].header == join);
    if let Some(own) = own.filter(|&own| shape.is_in(own, branches[0])) {
        let back = function.blocks[join]
            .from
            .iter()
            .filter(|edge| shape.is_in(own, edge.from));
        let edges: Vec<Edge> = back.copied().collect();
        if edges.len() < 2 {
            return Err("only one way leads back to the loop's beginning");
        }
        return finish(
            source,
            function,
            TokenKind::Continue,
            join,
            join,
            branches,
            edges,
            false,
            Some(liveness),
        );
    }
    // COMP-061: the push stands where every one of the branches is still ahead, outside of loops that the join is not
    // in.
    let mut push = branches
        .iter()
        .copied()
        .reduce(|a, b| shape.common_dominator(a, b))
        .unwrap_or(0);
    while let Some(outer) = shape
        .loops_around(push)
        .find(|&l| join == exit || !shape.is_in(l, join))
    {
        let header = shape.loops[outer].header;
        let outside: Vec<usize> = function.blocks[header]
            .from
            .iter()
            .map(|e| e.from)
            .filter(|&b| !shape.is_in(outer, b))
            .collect();
        push = match outside[..] {
            [only] => only,
            _ => shape
                .immediate_dominator(header)
                .ok_or("the loop begins with the function")?,
        };
    }
    let deeper = branches
        .iter()
        .any(|&b| shape.depth(b) > if join == exit { 0 } else { shape.depth(join) });
    let kind = match deeper {
        true => TokenKind::Break,
        false => TokenKind::Sync,
    };
    let region = shape.region(function, push, join);
    if waiting
        .iter()
        .any(|back| back.waits && region[back.edge.from])
    {
        return Err("threads wait for others on the way to where the ways meet");
    }
    let mut edges = Vec::new();
    for (from, block) in function.blocks.iter().enumerate() {
        for edge in block.edges.iter().filter(|edge| edge.to == join) {
            let leaves = if join == exit {
                edge.kind == EdgeKind::Return
            } else {
                true
            };
            if leaves && (from == push || region[from]) && shape.dominates(push, from) {
                edges.push(*edge);
            }
        }
    }
    if edges.is_empty() {
        return Err("no thread comes to where the ways meet");
    }
    if join == exit && edges.len() < 2 && branches.iter().all(|&b| shape.depth(b) == 0) {
        return Err("there is one return, and no other way to it");
    }
    let whole = join != exit && join != 0 && function.blocks[join].from.len() == edges.len();
    finish(
        source,
        function,
        kind,
        push,
        join,
        branches,
        edges,
        whole,
        Some(liveness),
    )
}

#[allow(clippy::too_many_arguments)]
pub(crate) fn finish(
    source: &Source,
    function: &Function,
    kind: TokenKind,
    push: usize,
    join: usize,
    branches: &[usize],
    edges: Vec<Edge>,
    whole: bool,
    liveness: Option<&Liveness>,
) -> Result<Candidate, &'static str> {
    let exit = function.exit();
    let place = match join == exit {
        true => function.blocks[edges.last().ok_or("no return")?.from].last,
        false => function.blocks[join].first,
    };
    let near = |at: usize| {
        source.code[at].section == source.code[place].section && at.abs_diff(place) < REACH
    };
    let mut ways = Vec::new();
    for edge in edges {
        let last = function.blocks[edge.from].last;
        let computed = || liveness?.temporary(source, function, edge.from, last);
        let way = match source.code[last].control {
            _ if edge.kind != EdgeKind::Taken || !near(last) => Way::Through,
            Control::Jump(_) => Way::Direct,
            Control::Branch { cond, rs1, rs2, .. } => match zero_test(cond, rs1, rs2) {
                Some(_) => Way::Direct,
                None => computed().map_or(Way::Through, Way::Computed),
            },
            _ => Way::Through,
        };
        if edge.kind == EdgeKind::Table && !whole {
            return Err("a jump table leads to where the ways meet");
        }
        if join == exit && !near(last) {
            return Err("the returns are too far from each other");
        }
        ways.push((edge, way));
    }
    let has = |kind| {
        ways.iter()
            .any(|(edge, way)| edge.kind == kind && *way != Way::Direct)
    };
    if !whole
        && has(EdgeKind::Taken)
        && !has(EdgeKind::Fall)
        && out_of_line(source, function, join, &|_| true).is_none()
    {
        return Err("there is no room for a leave near to where the ways meet");
    }
    if join == exit {
        // All but the last return become leaves.
        let last = ways.len() - 1;
        ways[..last]
            .iter_mut()
            .for_each(|(_, way)| *way = Way::Direct);
    }
    Ok(Candidate {
        kind,
        push,
        join,
        branches: branches.to_vec(),
        edges: ways,
        whole,
        push_as: None,
    })
}

/// `leave.eqz` or `leave.nez` for a branch, and its register.
fn zero_test(cond: BranchCond, rs1: u8, rs2: u8) -> Option<(&'static str, u8)> {
    let register = match (rs1, rs2) {
        (register, 0) | (0, register) => register,
        _ => return None,
    };
    match cond {
        BranchCond::Eq => Some((".eqz", register)),
        BranchCond::Ne => Some((".nez", register)),
        _ => None,
    }
}

/// Writes one token into the source; gives what was put where, by line.
pub(crate) fn place(
    source: &Source,
    function: &Function,
    candidate: &Candidate,
    edits: &mut Edits,
    mutation: Option<Mutation>,
) -> Vec<(usize, String)> {
    let label = edits.fresh(source);
    let (push, leave) = (
        candidate.push_as.unwrap_or(candidate.kind.push()),
        candidate.kind.leave(),
    );
    let (no_push, no_leave) = (
        mutation == Some(Mutation::NoPushes),
        mutation == Some(Mutation::NoLeaves),
    );
    let mut placed = Vec::new();
    let exit = function.exit();
    let mut note = |at: usize, text: String| placed.push((source.code[at].line, text));
    if candidate.kind == TokenKind::Continue {
        let first = function.blocks[candidate.join].first;
        edits.before(source, first, rank::ITERATION, &format!("{label}:"));
        if !no_push {
            edits.before(source, first, rank::ITERATION, &format!("{push} {label}"));
        }
        note(first, format!("{push} in front of"));
    } else {
        let last = function.blocks[candidate.push].last;
        if !no_push {
            let text = format!("{push} {label}");
            match source.code[last].control {
                Control::Plain | Control::Call(_) | Control::CallIndirect => {
                    edits.after(source, last, rank::BLOCK_END, &text)
                }
                // The loop lies on the way that falls through.
                Control::Branch { .. } if candidate.push_as.is_some() => {
                    edits.after(source, last, rank::BLOCK_END, &text)
                }
                _ => edits.before(source, last, rank::PUSH, &text),
            }
        }
        note(last, format!("{push} at the end of its block"));
        let at = match candidate.join == exit {
            true => candidate
                .edges
                .last()
                .map_or(last, |(edge, _)| function.blocks[edge.from].last),
            false => function.blocks[candidate.join].first,
        };
        edits.before(source, at, rank::LABEL, &format!("{label}:"));
    }
    if no_leave {
        return placed;
    }
    let (through, direct): (Vec<_>, Vec<_>) = candidate
        .edges
        .iter()
        .partition(|(_, way)| *way == Way::Through);
    for (edge, way) in direct {
        let last = function.blocks[edge.from].last;
        let (text, how) = match (&source.code[last].control, way) {
            (&Control::Branch { cond, rs1, rs2, .. }, Way::Computed(register)) => {
                let (operation, holds) = comparison(cond);
                let test = match holds != (mutation == Some(Mutation::OppositeLeave)) {
                    true => ".nez",
                    false => ".eqz",
                };
                let [to, a, b] = [register, rs1, rs2].map(register_name);
                let text = format!("{operation} {to}, {a}, {b}\n\t{leave}{test} {to}, {label}");
                (text, format!(", {CONDITION_IN} {to}"))
            }
            (&Control::Branch { cond, rs1, rs2, .. }, _) => {
                let (test, register) = zero_test(cond, rs1, rs2).unwrap_or((".nez", 0));
                let text = format!("{leave}{test} {}, {label}", register_name(register));
                (text, String::new())
            }
            _ => (format!("{leave} {label}"), String::new()),
        };
        edits.replace(source, last, &text);
        let statement = source.statement(last).replace('\t', " ");
        note(last, format!("{leave} in place of `{statement}`{how}"));
    }
    if through.is_empty() {
        return placed;
    }
    let text = format!("{leave} {label}");
    if candidate.join == exit {
        let last = function.blocks[through[0].0.from].last;
        edits.before(source, last, rank::LEAVE, &text);
        note(last, format!("{leave} in front of"));
        return placed;
    }
    let join = function.blocks[candidate.join].first;
    if candidate.whole {
        edits.before(source, join, rank::LEAVE, &text);
        note(join, format!("{leave} in front of"));
        return placed;
    }
    // Only some of the ways into the join: those that fall into it leave in front of its labels, the others behind the
    // function.
    let mut stub = None;
    for (edge, _) in &through {
        if edge.kind == EdgeKind::Fall {
            let last = function.blocks[edge.from].last;
            let name = edits.fresh(source);
            edits.after(source, last, rank::LEAVE, &format!("{name}:"));
            edits.after(source, last, rank::LEAVE, &text);
            note(last, format!("{leave} behind"));
            stub = Some(name);
        }
    }
    for (edge, _) in &through {
        if edge.kind == EdgeKind::Taken {
            let last = function.blocks[edge.from].last;
            if stub.is_none() {
                let ends = |at| mutation == Some(Mutation::StubsAnywhere) || !edits.falls(at);
                let end = out_of_line(source, function, candidate.join, &ends);
                // Masks have taken the last room near by: these threads come without a leave.
                let Some(end) = end else { break };
                let name = edits.fresh(source);
                edits.after(source, end, rank::LEAVE, &format!("{name}:"));
                edits.after(source, end, rank::LEAVE, &text);
                stub = Some(name);
            }
            let stub = stub.as_ref().map_or("", String::as_str);
            let statement = source.statement(last);
            let at = statement.len() - source.last_operand(last).len();
            edits.replace(source, last, &format!("{}{stub}", &statement[..at]));
            note(
                last,
                format!("{leave} behind `{}`", statement.replace('\t', " ")),
            );
        }
    }
    placed
}

/// An instruction that nothing falls out of, near the join: what stands behind it is reached by jumps alone.
fn out_of_line(
    source: &Source,
    function: &Function,
    join: usize,
    usable: &dyn Fn(usize) -> bool,
) -> Option<usize> {
    let place = function.blocks[join].first;
    let ends = function
        .blocks
        .iter()
        .map(|block| block.last)
        .filter(|&last| {
            let control = &source.code[last].control;
            let ends = matches!(
                control,
                Control::Jump(_) | Control::Return | Control::End | Control::Indirect(_)
            );
            ends && source.code[last].section == source.code[place].section && usable(last)
        });
    ends.min_by_key(|last| last.abs_diff(place))
        .filter(|last| last.abs_diff(place) < REACH)
}
