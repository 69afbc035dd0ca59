//! Lowering by execution masks (COMP-080 to COMP-086): the form of AMD's GCN, with a mask for each place that threads
//! wait for.
//!
//! A region is a piece of the text. The warp runs through it in the order of its addresses, whatever the jumps in it say:
//! `gather.rs` finds regions, and where their threads wait; this file writes the instructions.

use crate::divergence::Divergence;
use crate::flow::{Edge, EdgeKind, Function};
use crate::gather::{Kept, Place, Waits};
use crate::graph::Shape;
use crate::mutation::Mutation;
use crate::predicate::{condition, Condition, CONDITION};
use crate::registers::Liveness;
use crate::source::{rank, Control, Edits, Source};
use crate::tokens::{Candidate, Way};
use std::collections::BTreeMap;

pub(crate) use crate::gather::{Begin, Extent};

/// One change to the text.
#[derive(Clone, Debug)]
enum Change {
    /// In place of the last statement of a block.
    Replace(usize, Vec<String>),
    /// Behind the last statement of a block.
    Behind(usize, Vec<String>),
    /// In front of the first statement of a block, behind its labels.
    Begin(usize, Vec<String>),
    /// In front of the last statement of a block.
    End(usize, Vec<String>),
}

/// A masked region: its blocks, and what becomes of them.
#[derive(Debug)]
pub(crate) struct Region {
    pub extent: Extent,
    changes: Vec<Change>,
}

impl Region {
    pub fn contains(&self, block: usize) -> bool {
        self.extent.contains(block)
    }

    /// Of the ways out of it only its end is left, and nothing is pushed in it.
    pub fn adapt(&self, source: &Source, function: &Function, candidate: &mut Candidate) {
        let last = self.extent.end - 1;
        candidate.branches.retain(|&branch| !self.contains(branch));
        let leaves = |edge: &Edge| self.contains(edge.from);
        let left = candidate.edges.iter().any(|(edge, _)| leaves(edge));
        candidate.edges.retain(|(edge, _)| !leaves(edge));
        if left && !self.extent.returns && candidate.join == self.extent.end {
            let edge = Edge {
                from: last,
                to: candidate.join,
                kind: EdgeKind::Fall,
            };
            candidate.edges.push((edge, Way::Through));
        }
        let falls = source.code[function.blocks[last].last].control == Control::Plain;
        let behind = candidate.push == last && falls && !self.extent.returns;
        if self.extent.inner().contains(&candidate.push) && !behind {
            candidate.branches.clear();
        }
    }
}

/// All regions of a function that can be lowered so; and for branches that cannot, why.
#[allow(clippy::too_many_arguments)]
pub(crate) fn regions(
    source: &Source,
    function: &Function,
    shape: &Shape,
    divergence: &Divergence,
    liveness: &Liveness,
    edits: &mut Edits,
    mutation: Option<Mutation>,
    modes: &[Candidate],
) -> (Vec<Region>, BTreeMap<usize, String>) {
    let (mut found, mut refused): (Vec<Region>, _) = (Vec::new(), BTreeMap::new());
    let branches = (0..function.blocks.len()).filter(|&b| divergence.branches[b]);
    let mut extents: Vec<_> = branches
        .map(|branch| (branch, Extent::around(source, function, shape, branch)))
        .collect();
    // The largest first: what lies in one is lowered with it.
    extents.sort_by_key(|(branch, extent)| {
        let length = extent.as_ref().map_or(0, |e| e.end - e.first);
        (std::cmp::Reverse(length), *branch)
    });
    for (branch, extent) in extents {
        if found.iter().any(|region| region.contains(branch)) {
            continue;
        }
        let attempt = extent.and_then(|extent| {
            let in_it = |(edge, _): &(Edge, Way)| extent.contains(edge.from);
            if modes.iter().any(|mode| mode.edges.iter().any(in_it)) {
                return Err("a sub-vector loop ends in it");
            }
            let waits = Waits::of(function, shape, &extent)?;
            let writer = Writer {
                source,
                function,
                liveness,
                mutation,
                extent: &extent,
                waits: &waits,
                labels: BTreeMap::new(),
                edits,
            };
            let changes = writer.write()?;
            Ok(Region { extent, changes })
        });
        match attempt {
            Ok(region) => found.push(region),
            Err(why) => {
                refused.insert(branch, format!("no execution mask: {why}"));
            }
        }
    }
    (found, refused)
}

/// Writes a region into the source.
pub(crate) fn place(
    source: &Source,
    function: &Function,
    region: &Region,
    edits: &mut Edits,
) -> Vec<(usize, String)> {
    let mut placed = Vec::new();
    for change in &region.changes {
        let (at, how, statements) = match change {
            Change::Replace(block, statements) => {
                let last = function.blocks[*block].last;
                edits.replace_falling(source, last, &statements.join("\n\t"));
                let statement = source.statement(last).replace('\t', " ");
                let what = format!("mask instructions in place of `{statement}`");
                placed.push((source.code[last].line, what));
                continue;
            }
            Change::Behind(block, statements) => {
                let last = function.blocks[*block].last;
                for statement in statements {
                    edits.after(source, last, rank::BLOCK_END, statement);
                }
                (last, "behind", statements)
            }
            Change::Begin(block, statements) => {
                let first = function.blocks[*block].first;
                for statement in statements {
                    edits.before(source, first, rank::ITERATION, statement);
                }
                (first, "in front of", statements)
            }
            Change::End(block, statements) => {
                let last = function.blocks[*block].last;
                for statement in statements {
                    edits.before(source, last, rank::PUSH, statement);
                }
                (last, "in front of", statements)
            }
        };
        let shown = statements.iter().rev().find(|text| !text.ends_with(':'));
        placed.extend(shown.map(|text| (source.code[at].line, format!("{text} {how}"))));
    }
    placed
}

/// Places that mask branches go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Label {
    /// In front of what wakes the threads that wait for a block.
    Skip(usize),
    /// Behind it.
    Again(usize),
}

struct Writer<'a, 'b> {
    source: &'a Source,
    function: &'a Function,
    liveness: &'a Liveness,
    mutation: Option<Mutation>,
    extent: &'a Extent,
    waits: &'a Waits,
    labels: BTreeMap<Label, String>,
    edits: &'b mut Edits,
}

/// What is known of the active mask behind a block's last statement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Active {
    /// Those that go on to the next block.
    Falling,
    /// None of those that are on goes on to the next block.
    Stale,
    Nobody,
}

impl Writer<'_, '_> {
    fn control(&self, block: usize) -> &Control {
        &self.source.code[self.function.blocks[block].last].control
    }

    fn label(&mut self, label: Label) -> String {
        let (edits, source) = (&mut *self.edits, self.source);
        self.labels
            .entry(label)
            .or_insert_with(|| edits.fresh(source))
            .clone()
    }

    fn write(mut self) -> Result<Vec<Change>, &'static str> {
        let mut changes = Vec::new();
        let mut actives = BTreeMap::new();
        let first = self.extent.first;
        for block in first..self.extent.end {
            let (statements, active) = self.end_of(block)?;
            changes.extend(statements.map(|statements| Change::Replace(block, statements)));
            actives.insert(block, active);
        }
        for block in first + 1..self.extent.end {
            let statements = self.begin_of(block, actives[&(block - 1)]);
            if !statements.is_empty() {
                changes.push(Change::Behind(block - 1, statements));
            }
        }
        match self.extent.begin {
            Begin::Branch => {}
            Begin::Block => {
                let mut statements = vec![format!("mmov {}, exec", self.everybody())];
                statements.extend(self.cleared());
                statements.extend(self.waits.kept_before(first).into_iter().map(kept_all));
                if self.waits.is_repeated(first) {
                    statements.push(format!("{}:", self.label(Label::Again(first))));
                }
                changes.push(Change::Begin(first, statements));
            }
            Begin::Jump(entry) => {
                let mut statements = vec![format!("mmov {}, exec", self.everybody())];
                statements.extend(self.cleared());
                // Somebody is on: it jumps. A branch of the machine could let others run (CONV-055).
                statements.push(format!("mbnz exec, {}", self.label(Label::Again(entry))));
                changes.push(Change::Replace(first - 1, statements));
                let label = self.label(Label::Again(first));
                changes.push(Change::Begin(first, vec![format!("{label}:")]));
            }
        }
        let restore = match self.mutation {
            Some(Mutation::NoRestore) => "nop".to_string(),
            _ => format!("mrestore {}", self.everybody()),
        };
        let (last, end) = (self.extent.end - 1, self.extent.end);
        let skip = self.labels.get(&Label::Skip(end));
        let mut statements: Vec<String> = skip.map(|name| format!("{name}:")).into_iter().collect();
        statements.push(restore);
        match (self.extent.returns, self.control(last)) {
            (true, Control::Return) => changes.push(Change::End(last, statements)),
            (true, _) => {
                statements.push("ret".into());
                changes.push(Change::Behind(last, statements));
            }
            _ => changes.push(Change::Behind(last, statements)),
        }
        Ok(changes)
    }

    /// All threads that came into the region.
    fn everybody(&self) -> String {
        mask(self.waits.everybody)
    }

    /// Masks that threads are added to begin without any.
    fn cleared(&self) -> impl Iterator<Item = String> + '_ {
        self.waits
            .cleared()
            .map(|number| format!("mclr {}", mask(number)))
    }

    /// In front of a block: those that wait for it go on.
    fn begin_of(&mut self, block: usize, active: Active) -> Vec<String> {
        let mut statements = Vec::new();
        if let Some(name) = self.labels.get(&Label::Skip(block)) {
            statements.push(format!("{name}:"));
        }
        match self.waits.at(block) {
            Some(Place::Others(all)) => statements.push(match self.mutation {
                Some(Mutation::NoElse) => "nop".to_string(),
                _ => format!("mandn exec, {}, exec", mask(*all)),
            }),
            Some(Place::Mask(own)) => {
                let name = mask(own.number);
                statements.push(match active {
                    Active::Falling | Active::Nobody => format!("mor exec, exec, {name}"),
                    Active::Stale => format!("mmov exec, {name}"),
                });
                if own.read_again {
                    statements.push(format!("mclr {name}"));
                }
            }
            None if active == Active::Stale => statements.push("mclr exec".into()),
            None => {}
        }
        statements.extend(self.waits.kept_before(block).into_iter().map(kept_all));
        if self.waits.is_repeated(block) || self.extent.begin == Begin::Jump(block) {
            statements.push(format!("{}:", self.label(Label::Again(block))));
        }
        statements
    }

    /// In place of the last statement of a block; `None`: it stays.
    fn end_of(&mut self, block: usize) -> Result<(Option<Vec<String>>, Active), &'static str> {
        let edges = &self.function.blocks[block].edges;
        match self.control(block) {
            Control::Branch { .. } => Ok((Some(self.branch(block)?), Active::Falling)),
            Control::Jump(_) => {
                let (statements, active) = self.jump(block, edges[0].to);
                Ok((Some(statements), active))
            }
            Control::Return if block + 1 == self.extent.end => Ok((None, Active::Falling)),
            Control::Return => {
                let active = match self.is_one_side(block) {
                    true => Active::Falling,
                    false => Active::Stale,
                };
                Ok((Some(Vec::new()), active))
            }
            _ => Ok((None, Active::Falling)),
        }
    }

    /// What follows is the other side: its threads are found from those that are on.
    fn is_one_side(&self, block: usize) -> bool {
        matches!(self.waits.at(block + 1), Some(Place::Others(_)))
    }

    fn jump(&mut self, block: usize, to: usize) -> (Vec<String>, Active) {
        if to == block + 1 {
            return (Vec::new(), Active::Falling);
        }
        if to <= block {
            return match self.waits.rounds(block, to) {
                // Others go back further on.
                Some((number, false)) => {
                    let name = mask(number);
                    (vec![self.added(&name, "exec")], Active::Stale)
                }
                more => {
                    let mut statements = self.round(more.map(|(number, _)| number));
                    statements.push(format!("mbnz exec, {}", self.label(Label::Again(to))));
                    (statements, Active::Nobody)
                }
            };
        }
        if self.is_one_side(block) {
            return (Vec::new(), Active::Falling);
        }
        let statements = match self.waits.at(to) {
            Some(Place::Mask(own)) if own.is_first(block) => {
                vec![format!("mmov {}, exec", mask(own.number))]
            }
            Some(Place::Mask(own)) if !own.kept => {
                vec![self.added(&mask(own.number), "exec")]
            }
            _ => Vec::new(),
        };
        (statements, Active::Stale)
    }

    /// Those that wait for the next round come to those that are on.
    fn round(&self, waiting: Option<usize>) -> Vec<String> {
        let name = waiting.map(mask);
        let statements = name.map(|m| [format!("mor exec, exec, {m}"), format!("mclr {m}")]);
        statements.into_iter().flatten().collect()
    }

    fn added(&self, name: &str, threads: &str) -> String {
        match self.mutation {
            Some(Mutation::ForgetsWhoWaits) => format!("mmov {name}, {threads}"),
            _ => format!("mor {name}, {name}, {threads}"),
        }
    }

    fn branch(&mut self, block: usize) -> Result<Vec<String>, &'static str> {
        let to = self.function.blocks[block].edges[0].to;
        let mut statements = Vec::new();
        let mut kept = self.waits.kept_at(block);
        if self.extent.begin == Begin::Branch && block == self.extent.first {
            statements.extend(self.cleared());
        }
        if to == block + 1 {
            statements.extend(kept.into_iter().map(kept_all));
            return Ok(statements);
        }
        let Condition {
            compute,
            register,
            holds,
        } = condition(self.source, self.function, self.liveness, block)
            .ok_or("no register is free for a condition")?;
        statements.extend(compute);
        let ballot = |name: &str| format!("mset {name}, {register}");
        // The condition narrows exec; `on`: to the threads for which the register is not 0.
        let narrow = |on: bool, name: &str| match on {
            true => format!("mand exec, {name}, exec"),
            false => format!("mandn exec, exec, {name}"),
        };
        if to > block {
            match self.waits.at(to) {
                Some(Place::Mask(own)) if own.is_first(block) && holds => {
                    statements.extend(kept.into_iter().map(kept_all));
                    let name = mask(own.number);
                    statements.extend([ballot(&name), narrow(false, &name)]);
                }
                Some(Place::Mask(own)) if own.is_first(block) => {
                    statements.extend(kept.into_iter().map(kept_all));
                    let take = format!("mandn {}, exec, {CONDITION}", mask(own.number));
                    statements.extend([ballot(CONDITION), take, narrow(true, CONDITION)]);
                }
                Some(Place::Mask(own)) if !own.kept => {
                    statements.extend(kept.into_iter().map(kept_all));
                    let added = self.added(&mask(own.number), CONDITION);
                    statements.extend(taking(ballot(CONDITION), holds));
                    statements.extend([added, narrow(false, CONDITION)]);
                }
                _ => {
                    // The last mask that is kept is kept by the instruction that narrows exec.
                    let last = kept.pop();
                    statements.extend(kept.into_iter().map(kept_all));
                    statements.push(ballot(CONDITION));
                    match last {
                        None => statements.push(narrow(!holds, CONDITION)),
                        Some(last) => {
                            if holds {
                                statements.push(format!("mnot {CONDITION}, {CONDITION}"));
                            }
                            statements.push(format!("mand.save {}, {CONDITION}", mask(last)));
                        }
                    }
                }
            }
            if let Some(over) = self.waits.skip(block) {
                statements.push(format!("mbz exec, {}", self.label(Label::Skip(over))));
            }
            return Ok(statements);
        }
        statements.extend(kept.into_iter().map(kept_all));
        if let Some((number, false)) = self.waits.rounds(block, to) {
            let added = self.added(&mask(number), CONDITION);
            statements.extend(taking(ballot(CONDITION), holds));
            statements.extend([added, narrow(false, CONDITION)]);
            return Ok(statements);
        }
        statements.push(ballot(CONDITION));
        // Those that fall wait until nobody goes back.
        if let Some(Place::Mask(own)) = self
            .waits
            .at(block + 1)
            .filter(|_| block + 1 < self.extent.end)
        {
            let name = mask(own.number);
            match (own.kept, holds) {
                (true, _) => {}
                (_, false) => statements.push(self.added(&name, CONDITION)),
                (_, true) => {
                    let fewer = format!("mandn {name}, {name}, {CONDITION}");
                    statements.extend([self.added(&name, "exec"), fewer]);
                }
            }
        }
        statements.push(narrow(holds, CONDITION));
        let more = self.waits.rounds(block, to).map(|(number, _)| number);
        statements.extend(self.round(more));
        statements.push(format!("mbnz exec, {}", self.label(Label::Again(to))));
        Ok(statements)
    }
}

/// The condition's mask becomes that of the threads that take the branch.
fn taking(ballot: String, holds: bool) -> Vec<String> {
    let others = (!holds).then(|| format!("mandn {CONDITION}, exec, {CONDITION}"));
    std::iter::once(ballot).chain(others).collect()
}

fn mask(number: usize) -> String {
    format!("m{number}")
}

fn kept_all(number: Kept) -> String {
    format!("mmov {}, exec", mask(number))
}
