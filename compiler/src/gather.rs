//! Masked regions, and where threads wait in them (COMP-080 to COMP-083).
//!
//! In a region the warp goes through the text in the order of its addresses. Threads whose jump leads further on wait in a
//! mask for the block that they go to, and are woken in front of it; where threads go back, the warp goes back with
//! them, and all others wait.

use crate::flow::{EdgeKind, Function};
use crate::graph::Shape;
use crate::predicate::is_data;
use crate::source::{Control, Source};
use crate::waiting::may_wait;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Mask registers for threads that wait: m0 to m6.
const MASKS: usize = 7;

/// Farthest that a mask branch reaches, in instructions: ±4 KiB.
const REACH: usize = 1000;

/// Mask instructions that a block may get.
const MOST: usize = 8;

/// From so many instructions on a skip branch pays when no thread is on (COMP-084).
const SKIP: usize = 8;

/// How threads come into a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Begin {
    /// By the branch at the end of its first block, which is all of that block that belongs to it.
    Branch,
    /// To its first block.
    Block,
    /// By a jump, at the end of the block in front of it, to this block.
    Jump(usize),
}

type Attempt<T> = Result<T, &'static str>;

/// Where a region lies in the text.
#[derive(Clone, Debug)]
pub(crate) struct Extent {
    /// Its blocks: `first`..`end`.
    pub first: usize,
    pub end: usize,
    pub begin: Begin,
    /// Threads return in it, and none goes on behind it.
    pub returns: bool,
}

impl Extent {
    pub fn contains(&self, block: usize) -> bool {
        let first = match self.begin {
            Begin::Jump(_) => self.first - 1,
            _ => self.first,
        };
        (first..self.end).contains(&block)
    }

    /// Blocks that belong to it from their first instruction on.
    pub fn inner(&self) -> Range<usize> {
        match self.begin {
            Begin::Branch => self.first + 1..self.end,
            _ => self.first..self.end,
        }
    }

    /// COMP-080: the smallest region around a branch.
    pub fn around(
        source: &Source,
        function: &Function,
        shape: &Shape,
        branch: usize,
    ) -> Attempt<Extent> {
        let blocks = &function.blocks;
        let mut extent = Extent {
            first: branch,
            end: branch + 1,
            begin: Begin::Branch,
            returns: false,
        };
        // Until all ways in and out are such as a region can have.
        loop {
            let (mut first, mut end) = (extent.first, extent.end);
            let mut whole = extent.begin != Begin::Branch;
            let mut returns = false;
            for (number, block) in blocks.iter().enumerate().take(end).skip(first) {
                for edge in &block.edges {
                    match edge.kind {
                        EdgeKind::Taken | EdgeKind::Fall if edge.to < blocks.len() => {
                            whole |= edge.to == extent.first;
                            (first, end) = (first.min(edge.to), end.max(edge.to));
                        }
                        EdgeKind::Return => returns = true,
                        _ if number == branch => return Err("a way of it leaves the function"),
                        _ => return Err("a way in it leaves the function"),
                    }
                }
            }
            let goes_on = |b: usize| blocks[b].edges.iter().any(|edge| edge.to == end);
            if returns && end < blocks.len() && (first..end).any(goes_on) {
                // Those that return wait for all others.
                end += 1;
            }
            if end > blocks.len() {
                return Err("the function ends in it");
            }
            whole |= first < extent.first;
            let inner = if whole { first } else { first + 1 }..end;
            let outside = |from: usize| !(first..end).contains(&from);
            let mut ways: Vec<(usize, usize)> = Vec::new();
            for b in inner.clone() {
                let from = blocks[b].from.iter().map(|edge| edge.from);
                ways.extend(from.filter(|&from| outside(from)).map(|from| (from, b)));
            }
            let mut begin = if whole { Begin::Block } else { Begin::Branch };
            let is_jump =
                |from: usize| matches!(source.code[blocks[from].last].control, Control::Jump(_));
            if let [(from, to)] = ways[..] {
                if whole && first > 0 && to > first && from + 1 == first && is_jump(from) {
                    begin = Begin::Jump(to);
                    ways.clear();
                }
            }
            for (from, to) in ways {
                if whole && to == first {
                    continue;
                }
                // It begins with the branch that leads there.
                if from < first {
                    let is_branch = blocks[from].edges.len() > 1;
                    begin = if is_branch {
                        Begin::Branch
                    } else {
                        Begin::Block
                    };
                    first = from;
                }
                end = end.max(from + 1);
            }
            let next = Extent {
                first,
                end,
                begin,
                returns,
            };
            if (next.first, next.end, next.begin) == (extent.first, extent.end, extent.begin) {
                extent = next;
                break;
            }
            extent = next;
        }
        extent.check(source, function, shape)?;
        Ok(extent)
    }

    fn check(&self, source: &Source, function: &Function, shape: &Shape) -> Attempt<()> {
        let blocks = &function.blocks;
        let inner = self.inner();
        if blocks.windows(2).any(|pair| pair[0].last >= pair[1].first) {
            return Err("the function does not begin with its first instruction");
        }
        if inner.contains(&0) && self.begin != Begin::Block {
            return Err("the function begins in it");
        }
        let is_branch =
            |b: usize| matches!(source.code[blocks[b].last].control, Control::Branch { .. });
        if self.begin == Begin::Branch && !is_branch(self.first) {
            return Err("there is another way into it");
        }
        if self.end == blocks.len() && !self.returns {
            return Err("the function ends in it");
        }
        let last = match self.returns {
            true => self.end - 1,
            false => self.end,
        };
        let first = match self.begin {
            Begin::Jump(_) => self.first - 1,
            _ => self.first,
        };
        if (first..last).any(|b| source.next(blocks[b].last) != Some(blocks[b + 1].first)) {
            return Err("other code stands in between");
        }
        for block in inner.clone() {
            harmless(source, function, block)?;
        }
        let ends = |b: usize| match source.code[blocks[b].last].control {
            Control::Return | Control::Jump(_) => true,
            _ => !self.returns,
        };
        if !ends(self.end - 1) {
            return Err("the function ends in it");
        }
        let length = |at: usize| {
            let insn = &source.code[at];
            insn.ops.len().max(2) + if insn.aligned { MOST } else { 0 }
        };
        let instructions: usize = inner
            .clone()
            .map(|b| MOST + blocks[b].code().map(length).sum::<usize>())
            .sum();
        if instructions > REACH {
            return Err("it is too long for mask branches");
        }
        // COMP-085: threads that have left a loop are off until all have; none of the others may wait for them.
        for number in 0..shape.loops.len() {
            let is_inner = inner.contains(&shape.loops[number].header);
            if is_inner && may_wait(source, function, shape, number) {
                return Err("the loop may wait for other threads");
            }
        }
        let back = |b: usize| blocks[b].edges.iter().any(|edge| edge.to <= b);
        if shape.irreducible && inner.clone().any(back) {
            return Err("a loop has more than one entrance");
        }
        Ok(())
    }
}

/// COMP-085: instructions but for the last one, if that is control, must be such that no thread parts, sleeps or leaves.
fn harmless(source: &Source, function: &Function, block: usize) -> Attempt<()> {
    let last = function.blocks[block].last;
    for at in function.blocks[block].code() {
        let ends = at == last
            && matches!(
                source.code[at].control,
                Control::Branch { .. } | Control::Jump(_) | Control::Return
            );
        if !ends && !is_data(source, at) {
            return Err(match source.code[at].control {
                Control::Call(_) | Control::CallIndirect => "there is a call in it",
                Control::End => "threads end in it",
                _ => "there is an instruction in it that masks do not allow",
            });
        }
    }
    Ok(())
}

/// Number of a mask in which all threads are kept that are on.
pub(crate) type Kept = usize;

/// The mask of those that wait for a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mask {
    pub number: usize,
    /// It has all threads that were on at some place, and all of these come here: nobody need be added.
    pub kept: bool,
    /// The block whose threads are written and not added, if any.
    first: Option<usize>,
    /// The warp goes back to what stands in front of where it is read.
    pub read_again: bool,
}

impl Mask {
    pub fn is_first(&self, block: usize) -> bool {
        !self.kept && self.first == Some(block)
    }
}

/// How threads wait for a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Mask(Mask),
    /// It is the other side of an if: those of this mask that are not on.
    Others(Kept),
}

/// Places of a region in the order in which the warp comes to them.
type Moment = usize;
/// Those that wait for a block go on.
const fn woken(block: usize) -> Moment {
    4 * block
}
/// Threads are kept in front of a loop.
const fn before(block: usize) -> Moment {
    4 * block + 1
}
/// Jumps back go there.
const fn again(block: usize) -> Moment {
    4 * block + 2
}
const fn end_of(block: usize) -> Moment {
    4 * block + 3
}

/// Where threads wait in a region.
#[derive(Debug, Default)]
pub(crate) struct Waits {
    /// All threads that came into it, which wait for its end.
    pub everybody: Kept,
    at: BTreeMap<usize, Place>,
    /// Blocks in front of which, and at whose end, a mask is kept.
    kept_before: BTreeMap<usize, Vec<Kept>>,
    kept_at: BTreeMap<usize, Vec<Kept>>,
    /// By the block that threads go back to: the last block that goes back, and the mask of the others.
    rounds: BTreeMap<usize, (usize, Option<usize>)>,
    /// By branch: where the warp goes when nobody is on.
    skips: BTreeMap<usize, usize>,
    /// Masks that are cleared when the region begins.
    cleared: Vec<usize>,
}

/// A mask that wants a register, from one moment to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Life {
    from: Moment,
    to: Moment,
    /// Block that it is for; a round: the block that threads go back to.
    block: usize,
    round: bool,
}

impl Waits {
    pub fn at(&self, block: usize) -> Option<&Place> {
        self.at.get(&block)
    }

    pub fn kept_before(&self, block: usize) -> Vec<Kept> {
        self.kept_before.get(&block).cloned().unwrap_or_default()
    }

    pub fn kept_at(&self, block: usize) -> Vec<Kept> {
        self.kept_at.get(&block).cloned().unwrap_or_default()
    }

    /// Threads go back to the beginning of this block.
    pub fn is_repeated(&self, block: usize) -> bool {
        self.rounds.contains_key(&block)
    }

    /// If several blocks go back to `to`: the mask of those that wait for the last one, and whether `block` is that.
    pub fn rounds(&self, block: usize, to: usize) -> Option<(usize, bool)> {
        let (last, number) = self.rounds.get(&to)?;
        Some(((*number)?, *last == block))
    }

    pub fn skip(&self, branch: usize) -> Option<usize> {
        self.skips.get(&branch).copied()
    }

    pub fn cleared(&self) -> impl Iterator<Item = usize> + '_ {
        self.cleared.iter().copied()
    }

    /// # Errors
    /// More masks would be needed at once than there are.
    pub fn of(function: &Function, shape: &Shape, extent: &Extent) -> Attempt<Waits> {
        Plan::of(function, shape, extent).waits()
    }
}

/// What leads where in a region.
struct Plan<'a> {
    function: &'a Function,
    shape: &'a Shape,
    extent: &'a Extent,
    /// By block: those whose threads wait for it.
    forward: BTreeMap<usize, BTreeSet<usize>>,
    /// By block: those that go back to it.
    back: BTreeMap<usize, BTreeSet<usize>>,
    skips: BTreeMap<usize, usize>,
    entry: Moment,
}

impl<'a> Plan<'a> {
    fn of(function: &'a Function, shape: &'a Shape, extent: &'a Extent) -> Plan<'a> {
        let mut plan = Plan {
            function,
            shape,
            extent,
            forward: BTreeMap::new(),
            back: BTreeMap::new(),
            skips: BTreeMap::new(),
            entry: match extent.begin {
                Begin::Branch => end_of(extent.first),
                Begin::Block => before(extent.first),
                Begin::Jump(entry) => again(entry),
            },
        };
        let blocks = || extent.first..extent.end;
        for from in blocks() {
            for edge in &function.blocks[from].edges {
                if edge.kind == EdgeKind::Taken && edge.to <= from {
                    plan.back.entry(edge.to).or_default().insert(from);
                } else if edge.kind == EdgeKind::Taken && edge.to > from + 1 && edge.to < extent.end
                {
                    plan.forward.entry(edge.to).or_default().insert(from);
                }
            }
        }
        for last in plan.back.values().filter_map(BTreeSet::last) {
            let falls = function.blocks[*last].edges.len() > 1;
            if falls && last + 1 < extent.end {
                plan.forward.entry(last + 1).or_default().insert(*last);
            }
        }
        for from in blocks() {
            if let Some(to) = plan.skip(from) {
                plan.skips.insert(from, to);
            }
        }
        plan
    }

    /// COMP-084: where the warp goes if a branch leaves nobody on.
    fn skip(&self, branch: usize) -> Option<usize> {
        let edges = &self.function.blocks[branch].edges;
        if edges.len() != 2 || edges[0].to <= branch + 1 {
            return None;
        }
        let from_above = |b: &usize| {
            let from = self.function.blocks[*b].from.iter();
            let mut above = from.filter(|edge| edge.from <= branch && edge.kind == EdgeKind::Taken);
            above.next().is_some()
        };
        let over = (branch + 1..self.extent.end).find(from_above);
        let over = over.unwrap_or(self.extent.end);
        let skipped = branch + 1..over;
        let from_below = |b: usize| {
            let mut from = self.function.blocks[b].from.iter();
            from.any(|edge| edge.from >= over)
        };
        if skipped.is_empty() || skipped.clone().any(from_below) {
            return None;
        }
        // At the end of a loop threads may wait for the last way back, and behind it for the last round.
        let mut ends = self
            .back
            .iter()
            .filter_map(|(to, from)| Some((to, from.last()?, from.len())));
        if ends.any(|(to, &last, ways)| {
            skipped.contains(&last) && !skipped.contains(to) && (ways > 1 || last + 1 < over)
        }) {
            return None;
        }
        let leaves_a_loop = self
            .jumps()
            .any(|(from, to)| (to..=from).contains(&end_of(branch)) && from < woken(edges[0].to));
        let length: usize = skipped
            .map(|b| self.function.blocks[b].code().count())
            .sum();
        (leaves_a_loop || length >= SKIP).then_some(over)
    }

    /// Jumps of the warp, from and to, when threads go back.
    fn jumps(&self) -> impl Iterator<Item = (Moment, Moment)> + '_ {
        self.back
            .iter()
            .filter_map(|(&to, from)| Some((end_of(*from.last()?), again(to))))
    }

    /// Whoever reads a mask at `read` finds there what was written at `write` last, in each round of each loop, and
    /// nothing that was read before.
    fn is_stable(&self, write: Moment, read: Moment) -> bool {
        let lost = |(from, to): (Moment, Moment)| to <= write && write <= from && from < read;
        let twice = |(from, to): (Moment, Moment)| write < to && to < read && read <= from;
        let entered = write < self.entry && self.entry < read;
        let over = |(branch, to): (&usize, &usize)| {
            end_of(*branch) < write && write < woken(*to) && woken(*to) <= read
        };
        let never =
            matches!(self.extent.begin, Begin::Jump(_)) && write == before(self.extent.first);
        !entered
            && !never
            && !self.jumps().any(|j| lost(j) || twice(j))
            && !self.skips.iter().any(over)
    }

    /// All threads that are on at the end of `from`, or that come to the block `from` if `whole`, come to `to` before
    /// they go back or out of the region; the blocks on the way.
    fn gather(&self, from: usize, whole: bool, to: usize) -> Option<Vec<bool>> {
        let mut inside = self.shape.region(self.function, from, to);
        if whole {
            inside[from] = true;
        }
        let low = if whole { from } else { from + 1 };
        let closed = (0..inside.len()).filter(|&b| inside[b]).all(|b| {
            let own = &self.function.blocks[b];
            let stays = own
                .edges
                .iter()
                .all(|edge| edge.to < self.function.blocks.len());
            let mut above = own.from.iter().filter(|edge| edge.from != from);
            let alone = b == from || above.all(|edge| inside[edge.from]);
            (low..to).contains(&b) && stays && alone
        });
        let mut first = self.function.blocks[from].edges.iter();
        let stays = first.all(|edge| edge.to < self.function.blocks.len());
        inside[from] = true;
        (closed && stays).then_some(inside)
    }

    /// COMP-082: a place where all are kept that will come to a block, those that wait for it among them.
    fn keeper(&self, block: usize) -> Option<Moment> {
        let sources = &self.forward[&block];
        let all_from = |inside: &[bool]| sources.iter().all(|&from| inside[from]);
        let is_branch = |b: &usize| self.function.blocks[*b].edges.len() == 2;
        let inner = self.extent.inner();
        let mut branches = (self.extent.first..block).filter(is_branch);
        let branch = branches.find(|&branch| {
            let joins = self.shape.immediate_post_dominator(branch) == Some(block);
            joins
                && self.function.blocks[branch].edges[0].to > branch
                && self
                    .gather(branch, false, block)
                    .is_some_and(|inside| all_from(&inside))
                && self.is_stable(end_of(branch), woken(block))
        });
        if let Some(branch) = branch {
            return Some(end_of(branch));
        }
        let mut loops = self
            .back
            .keys()
            .filter(|to| inner.contains(to) && **to < block);
        let header = loops.find(|&&header| {
            let inside = self.gather(header, true, block);
            inside.is_some_and(|inside| all_from(&inside))
                && self.is_stable(before(header), woken(block))
        });
        header.map(|&header| before(header))
    }

    /// COMP-082: the branch of which `block` is the other side: nobody else waits for it, and those that took the first
    /// side, and nobody else, are on at its end.
    fn other_side_of(&self, block: usize) -> Option<(usize, usize)> {
        let blocks = &self.function.blocks;
        let [branch] = self.forward[&block].iter().copied().collect::<Vec<_>>()[..] else {
            return None;
        };
        let side = branch + 1..block;
        let last = block - 1;
        let join = match blocks[last].edges[..] {
            [edge] if edge.kind == EdgeKind::Taken && edge.to > block => edge.to,
            [edge] if edge.kind == EdgeKind::Return => self.extent.end,
            _ => return None,
        };
        let is_taken = blocks[branch].edges[0].to == block;
        let into = |b: usize| {
            blocks[b]
                .from
                .iter()
                .all(|e| e.from == branch || side.contains(&e.from))
        };
        let out =
            |b: usize| b == last || blocks[b].edges.iter().all(|edge| side.contains(&edge.to));
        let from = || blocks[block].from.iter();
        let only = from().all(|edge| edge.from == branch || edge.from >= block);
        let entered = matches!(self.extent.begin, Begin::Jump(to) if side.contains(&to));
        let closed = side.clone().all(|b| into(b) && out(b));
        (is_taken && !side.is_empty() && only && closed && !entered).then_some((branch, join))
    }

    fn waits(&self) -> Attempt<Waits> {
        let mut found = Waits {
            skips: self.skips.clone(),
            ..Waits::default()
        };
        let end = self.extent.end;
        let start = self.entry.min(before(self.extent.first));
        let mut lives = vec![Life {
            from: start,
            to: woken(end),
            block: end,
            round: false,
        }];
        let mut keepers = BTreeMap::new();
        for &block in self.forward.keys() {
            keepers.extend(self.keeper(block).map(|at| (block, at)));
        }
        let begins =
            |at: Moment| self.extent.begin == Begin::Branch && at == end_of(self.extent.first);
        let mut others = BTreeMap::new();
        for &block in self
            .forward
            .keys()
            .filter(|block| !keepers.contains_key(block))
        {
            if let Some((branch, join)) = self.other_side_of(block) {
                let kept = keepers.get(&join) == Some(&end_of(branch));
                if kept || join == end && begins(end_of(branch)) {
                    others.insert(block, join);
                }
            }
        }
        // Masks that are added to, and whether they are read again.
        let mut added = BTreeMap::new();
        for (&block, sources) in &self.forward {
            let Some(&first) = sources.first().filter(|_| !others.contains_key(&block)) else {
                continue;
            };
            let life = |from, to| Life {
                from,
                to,
                block,
                round: false,
            };
            let read = woken(block);
            if let Some(&at) = keepers.get(&block) {
                lives.push(life(at, read));
            } else if self.is_stable(end_of(first), read) {
                added.insert(block, (Some(first), false));
                lives.push(life(end_of(first), read));
            } else {
                let again = self.jumps().filter(|&(from, to)| to < read && read <= from);
                let until = again.map(|(from, _)| from).max();
                added.insert(block, (None, until.is_some()));
                lives.push(life(start, until.unwrap_or(read)));
            }
        }
        for (&block, sources) in &self.back {
            let last = *sources.last().unwrap_or(&block);
            found.rounds.insert(block, (last, None));
            if sources.len() > 1 {
                let read = end_of(last);
                let again = self
                    .jumps()
                    .filter(|&(from, to)| to <= read && read <= from);
                lives.push(Life {
                    from: start,
                    to: again.map(|(from, _)| from).max().unwrap_or(read),
                    block,
                    round: true,
                });
            }
        }
        lives.sort();
        let mut free_from = [0; MASKS];
        for life in lives {
            let free = (0..MASKS).find(|&number| free_from[number] <= life.from);
            let number = free.ok_or("it is nested too deeply")?;
            free_from[number] = life.to + 1;
            if life.round {
                found
                    .rounds
                    .entry(life.block)
                    .and_modify(|round| round.1 = Some(number));
                found.cleared.push(number);
            } else if life.block == end {
                found.everybody = number;
                if self.extent.begin == Begin::Branch {
                    found
                        .kept_at
                        .entry(self.extent.first)
                        .or_default()
                        .push(number);
                }
            } else {
                let (first, read_again) = added.get(&life.block).copied().unwrap_or((None, false));
                let kept = keepers.contains_key(&life.block);
                let own = Mask {
                    number,
                    kept,
                    first,
                    read_again,
                };
                found.at.insert(life.block, Place::Mask(own));
                match keepers.get(&life.block) {
                    Some(&at) if at % 4 == 1 => {
                        found.kept_before.entry(at / 4).or_default().push(number);
                    }
                    Some(&at) => found.kept_at.entry(at / 4).or_default().push(number),
                    None if first.is_none() => found.cleared.push(number),
                    None => {}
                }
            }
        }
        for (block, join) in others {
            let number = match found.at.get(&join) {
                Some(Place::Mask(own)) if join < end => own.number,
                _ => found.everybody,
            };
            found.at.insert(block, Place::Others(number));
        }
        Ok(found)
    }
}
