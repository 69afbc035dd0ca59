//! Lowering by execution masks (COMP-080 to COMP-086): the form of AMD's GCN, a mask register for each depth.
//!
//! The code has to stand in the order of its structure, as compilers mostly write it: a condition, its then side, its
//! else side, what follows. Anything else is left to tokens.

use crate::divergence::Divergence;
use crate::flow::{EdgeKind, Function};
use crate::graph::Shape;
use crate::mutation::Mutation;
use crate::predicate::{is_data, mask_of, CONDITION};
use crate::registers::Liveness;
use crate::source::{rank, Control, Edits, Source};
use crate::tokens::Candidate;
use crate::waiting::may_wait;
use std::collections::BTreeMap;

/// Mask registers for saved masks: m0 to m6.
const DEPTHS: usize = 7;

/// Farthest that a mask branch reaches, in statements, as for tokens.
const REACH: usize = 250;

/// From so many instructions on a skip branch pays when no thread is on (COMP-084).
const SKIP: usize = 8;

/// One change to the text.
#[derive(Clone, Debug)]
enum Change {
    /// In place of the last statement of a block.
    Replace(usize, Vec<String>),
    /// Behind the last statement of a block.
    Behind(usize, Vec<String>),
}

/// A masked region: its blocks, and what becomes of them.
#[derive(Debug)]
pub(crate) struct Region {
    /// First and last block, in the order of addresses; the branch that begins it is in it.
    pub blocks: (usize, usize),
    changes: Vec<Change>,
}

impl Region {
    pub fn contains(&self, block: usize) -> bool {
        (self.blocks.0..=self.blocks.1).contains(&block)
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
    let (mut found, mut refused) = (Vec::new(), BTreeMap::new());
    let ascending = function
        .blocks
        .windows(2)
        .all(|pair| pair[0].last < pair[1].first);
    let mut block = 0;
    while block < function.blocks.len() {
        let own = (0..shape.loops.len()).find(|&l| shape.loops[l].header == block);
        let parts = |from: usize, to: usize| (from..=to).any(|b| divergence.branches[b]);
        let mut writer = Writer {
            source,
            function,
            shape,
            liveness,
            edits,
            mutation,
            changes: Vec::new(),
        };
        let mut attempt = Err("the code does not stand in the order of its structure");
        if !ascending {
            attempt = Err("the function does not begin with its first instruction");
        } else if let Some(own) = own {
            attempt = writer.cycle(own, 0, function.blocks.len());
            // A loop that all threads leave together is looked into.
            if attempt.is_ok_and(|end| !parts(block, end - 1)) {
                attempt = Err("uniform");
            }
        } else if divergence.branches[block] {
            attempt = writer.branch(block, 0, function.blocks.len());
        }
        if let Ok(end) = attempt {
            if modes.iter().any(|mode| {
                mode.edges
                    .iter()
                    .any(|(edge, _)| (block..end).contains(&edge.from))
            }) {
                attempt = Err("a sub-vector loop ends in it");
            }
        }
        match attempt {
            Ok(end) => {
                let changes = writer.changes;
                found.push(Region {
                    blocks: (block, end - 1),
                    changes,
                });
                block = end;
            }
            Err(why) => {
                if divergence.branches[block] {
                    refused.insert(block, format!("no execution mask: {why}"));
                }
                block += 1;
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
        match change {
            Change::Replace(block, statements) => {
                let last = function.blocks[*block].last;
                edits.replace_falling(source, last, &statements.join("\n\t"));
                placed.push((
                    source.code[last].line,
                    format!(
                        "mask instructions in place of `{}`",
                        source.statement(last).replace('\t', " ")
                    ),
                ));
            }
            Change::Behind(block, statements) => {
                let last = function.blocks[*block].last;
                for statement in statements {
                    edits.after(source, last, rank::BLOCK_END, statement);
                }
                let shown = statements.last().cloned().unwrap_or_default();
                placed.push((source.code[last].line, format!("{shown} behind")));
            }
        }
    }
    placed
}

struct Writer<'a, 'b> {
    source: &'a Source,
    function: &'a Function,
    shape: &'a Shape,
    liveness: &'a Liveness,
    edits: &'b mut Edits,
    mutation: Option<Mutation>,
    changes: Vec<Change>,
}

type Attempt<T> = Result<T, &'static str>;

impl Writer<'_, '_> {
    fn control(&self, block: usize) -> &Control {
        &self.source.code[self.function.blocks[block].last].control
    }

    /// Instructions but for the last one, if that is control, must be such that no thread parts, sleeps or leaves.
    fn harmless(&self, block: usize) -> Attempt<()> {
        let body = self.function.blocks[block].code();
        let last = self.function.blocks[block].last;
        for at in body {
            let ends = at == last
                && matches!(
                    self.source.code[at].control,
                    Control::Branch { .. } | Control::Jump(_)
                );
            if !ends && !is_data(self.source, at) {
                return Err(match self.source.code[at].control {
                    Control::Call(_) | Control::CallIndirect => "there is a call in it",
                    Control::Return | Control::End => "threads end or return in it",
                    _ => "there is an instruction in it that masks do not allow",
                });
            }
        }
        Ok(())
    }

    /// All ways into the blocks `from`.. `to` come from them or from `head`.
    fn closed(&self, from: usize, to: usize, head: usize) -> Attempt<()> {
        let inside = |b: usize| (from..to).contains(&b) || b == head;
        // Nothing else stands between them, so that one falls into the next.
        let apart = (head.min(from)..to).any(|b| {
            match (self.function.blocks.get(b), self.function.blocks.get(b + 1)) {
                (Some(block), Some(next)) => self.source.next(block.last) != Some(next.first),
                _ => true,
            }
        });
        if apart {
            return Err("other code stands in between");
        }
        let open = (from..to).any(|b| {
            self.function.blocks[b]
                .from
                .iter()
                .any(|edge| !inside(edge.from))
        });
        match open || (from..to).contains(&0) {
            true => Err("there is another way into it"),
            false => Ok(()),
        }
    }

    fn length(&self, from: usize, to: usize) -> usize {
        self.function.blocks[from..to]
            .iter()
            .map(|block| block.code().count())
            .sum()
    }

    /// Blocks from..to one after the other, with what is nested in them; their end falls to `to`.
    fn sequence(
        &mut self,
        from: usize,
        to: usize,
        depth: usize,
        leaving: Option<(usize, &str)>,
    ) -> Attempt<()> {
        let mut block = from;
        while block < to {
            let own = (0..self.shape.loops.len()).find(|&l| self.shape.loops[l].header == block);
            let is_current = leaving.is_some() && block == from && own.is_some();
            if let Some(own) = own.filter(|_| !is_current) {
                block = self.cycle(own, depth, to)?;
                continue;
            }
            self.harmless(block)?;
            match self.control(block) {
                Control::Branch { .. } => {
                    if let Some((out, done)) = leaving {
                        if self.function.blocks[block].edges[0].to == out {
                            let mut statements =
                                mask_of(self.source, self.function, self.liveness, block, false)
                                    .ok_or("no register is free for a condition")?;
                            statements.extend([
                                format!("mand exec, {CONDITION}, exec"),
                                format!("mbz exec, {done}"),
                            ]);
                            self.changes.push(Change::Replace(block, statements));
                            block += 1;
                            continue;
                        }
                    }
                    block = self.branch(block, depth, to)?;
                }
                Control::Jump(_) => return Err("a jump in it leads elsewhere"),
                _ => match self.function.blocks[block].edges[..] {
                    [edge] if edge.kind == EdgeKind::Fall && edge.to == block + 1 => block += 1,
                    _ => return Err("a way in it leads elsewhere"),
                },
            }
        }
        Ok(())
    }

    /// The if that begins with a block; gives the block behind it.
    fn branch(&mut self, head: usize, depth: usize, limit: usize) -> Attempt<usize> {
        if depth >= DEPTHS {
            return Err("it is nested too deeply");
        }
        let [taken, fall] = self.function.blocks[head].edges[..] else {
            return Err("it is not a branch with two ways");
        };
        if taken.kind != EdgeKind::Taken || fall.kind != EdgeKind::Fall || fall.to != head + 1 {
            return Err("a way of it leaves the function");
        }
        let target = taken.to;
        if target <= head + 1 || target > limit || target >= self.function.blocks.len() {
            return Err("the code does not stand in the order of its structure");
        }
        let saved = format!("m{depth}");
        let mut begin = mask_of(self.source, self.function, self.liveness, head, false)
            .ok_or("no register is free for a condition")?;
        begin.push(format!("mand.save {saved}, {CONDITION}"));
        // The then side ends with a jump over the else side, or falls to where all meet.
        let last = target - 1;
        let join = match self.control(last) {
            Control::Jump(_) => match self.function.blocks[last].edges[..] {
                [edge]
                    if edge.to > target
                        && edge.to <= limit
                        && edge.to < self.function.blocks.len() =>
                {
                    Some(edge.to)
                }
                _ => return Err("a jump in it leads elsewhere"),
            },
            _ => None,
        };
        let end = join.unwrap_or(target);
        if self.length(head, end) > REACH {
            return Err("it is too long for mask branches");
        }
        self.closed(head + 1, end, head)?;
        let skip = self.edits.fresh(self.source);
        let long = self.length(head + 1, target) >= SKIP;
        if long {
            begin.push(format!("mbz exec, {skip}"));
        }
        self.changes.push(Change::Replace(head, begin));
        let restore = match self.mutation {
            Some(Mutation::NoRestore) => "nop".to_string(),
            _ => format!("mrestore {saved}"),
        };
        let mut behind = Vec::new();
        match join {
            None => {
                self.sequence(head + 1, target, depth + 1, None)?;
                behind.extend(long.then(|| format!("{skip}:")));
            }
            Some(join) => {
                self.then_side(head + 1, target, depth)?;
                let other = match self.mutation {
                    Some(Mutation::NoElse) => "nop".to_string(),
                    _ => format!("mandn exec, {saved}, exec"),
                };
                let mut middle: Vec<String> = long
                    .then(|| format!("{skip}:"))
                    .into_iter()
                    .chain([other])
                    .collect();
                let second = self.edits.fresh(self.source);
                if self.length(target, join) >= SKIP {
                    middle.push(format!("mbz exec, {second}"));
                    behind.push(format!("{second}:"));
                }
                self.changes.push(Change::Replace(last, middle));
                self.sequence(target, join, depth + 1, None)?;
            }
        }
        behind.push(restore);
        self.changes.push(Change::Behind(end - 1, behind));
        Ok(end)
    }

    /// As a sequence, but the last block ends with the jump over the else side.
    fn then_side(&mut self, from: usize, to: usize, depth: usize) -> Attempt<()> {
        self.harmless(to - 1)?;
        let nested_end = (0..self.shape.loops.len()).any(|l| self.shape.loops[l].header == to - 1);
        if nested_end {
            return Err("a loop ends with a jump");
        }
        self.sequence(from, to - 1, depth + 1, None)
    }

    /// A loop; gives the block behind it.
    fn cycle(&mut self, number: usize, depth: usize, limit: usize) -> Attempt<usize> {
        if depth >= DEPTHS {
            return Err("it is nested too deeply");
        }
        let own = &self.shape.loops[number];
        let header = own.header;
        let end = header + own.contains.iter().filter(|&&inside| inside).count();
        if end > limit
            || end >= self.function.blocks.len()
            || header == 0
            || !(header..end).all(|b| own.contains[b])
        {
            return Err("the code does not stand in the order of its structure");
        }
        if self.length(header, end) > REACH {
            return Err("it is too long for mask branches");
        }
        // COMP-085: threads that have left the loop are off until all have; none of the others may wait for them.
        if may_wait(self.source, self.function, self.shape, number) {
            return Err("the loop may wait for other threads");
        }
        let entered = self.function.blocks[header]
            .from
            .iter()
            .filter(|edge| !self.shape.is_in(number, edge.from));
        let entered: Vec<_> = entered.collect();
        let falls_in = entered.len() == 1
            && entered[0].from == header - 1
            && entered[0].kind == EdgeKind::Fall;
        let back = self.function.blocks[header].from.len() - entered.len();
        if !falls_in || back != 1 {
            return Err("the loop has several ways in, or several ways back");
        }
        self.closed(header + 1, end, header)?;
        let (saved, done) = (format!("m{depth}"), self.edits.fresh(self.source));
        self.changes.push(Change::Behind(
            header - 1,
            vec![format!("mmov {saved}, exec")],
        ));
        let latch = end - 1;
        self.harmless(latch)?;
        let target = |writer: &Self| {
            writer
                .source
                .last_operand(writer.function.blocks[latch].last)
        };
        let close = match (self.control(latch), &self.function.blocks[latch].edges[..]) {
            (Control::Branch { .. }, [taken, fall]) if taken.to == header && fall.to == end => {
                let mut statements =
                    mask_of(self.source, self.function, self.liveness, latch, true)
                        .ok_or("no register is free for a condition")?;
                statements.extend([
                    format!("mand exec, {CONDITION}, exec"),
                    format!("mbnz exec, {}", target(self)),
                ]);
                statements
            }
            (Control::Jump(_), [edge]) if edge.to == header => {
                vec![format!("mbnz exec, {}", target(self))]
            }
            _ => return Err("the loop does not end with its way back"),
        };
        if latch > header {
            self.sequence(header, latch, depth + 1, Some((end, &done)))?;
        }
        self.changes.push(Change::Replace(latch, close));
        let restore = match self.mutation {
            Some(Mutation::NoRestore) => "nop".to_string(),
            _ => format!("mrestore {saved}"),
        };
        self.changes
            .push(Change::Behind(latch, vec![format!("{done}:"), restore]));
        Ok(end)
    }
}
