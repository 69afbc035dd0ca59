//! Functions of a source and their control-flow graphs (COMP-020 to 024).

use crate::source::{bit, Control, Source, Target};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// How control gets along an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum EdgeKind {
    /// By the branch or jump at the block's end.
    Taken,
    /// To the next instruction.
    Fall,
    /// Through a jump table, or to any label whose address is taken.
    Table,
    /// The function returns.
    Return,
    /// The thread ends, or goes on in another function for good.
    Away,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Edge {
    pub from: usize,
    /// A block, or [`Function::exit`].
    pub to: usize,
    pub kind: EdgeKind,
}

/// Instructions that are executed one after the other; only the last one may be control.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub first: usize,
    /// Inclusive.
    pub last: usize,
    pub edges: Vec<Edge>,
    pub from: Vec<Edge>,
}

impl Block {
    pub fn code(&self) -> std::ops::RangeInclusive<usize> {
        self.first..=self.last
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub name: String,
    /// Block 0 is the entry; in the order of their addresses otherwise.
    pub blocks: Vec<Block>,
    /// Other files may call it.
    pub exported: bool,
    /// Its address is taken.
    pub address_taken: bool,
    /// Why its code is not changed.
    pub left_alone: Option<String>,
    /// What could not be followed, with the line.
    pub unfollowed: Vec<(usize, String)>,
}

impl Function {
    /// Number of the virtual block behind all returns and ends.
    pub fn exit(&self) -> usize {
        self.blocks.len()
    }

    pub fn edges(&self) -> impl Iterator<Item = Edge> + '_ {
        self.blocks
            .iter()
            .flat_map(|block| block.edges.iter().copied())
    }
}

/// All functions of a file, in the order of their addresses.
pub(crate) fn functions(source: &Source) -> Vec<Function> {
    let taken = source.address_taken();
    let entries = entries(source, &taken);
    let mut names: BTreeMap<usize, (bool, String)> = BTreeMap::new();
    for (name, &at) in &source.labels {
        if entries.contains(&at) && !name.contains('\u{1}') {
            let global = source.unit.is_global(name);
            let better = |(had_global, had): &(bool, String)| (global, had) > (*had_global, name);
            if names.get(&at).is_none_or(better) {
                names.insert(at, (global, name.clone()));
            }
        }
    }
    let mut found: Vec<Function> = Vec::new();
    for &entry in &entries {
        let (exported, name) = names
            .get(&entry)
            .cloned()
            .unwrap_or_else(|| (true, format!("code in line {}", source.code[entry].line)));
        let mut function = Builder {
            source,
            entries: &entries,
            taken: &taken,
            entry,
        }
        .build(name);
        function.exported = exported;
        function.address_taken = taken.contains(&entry);
        found.push(function);
    }
    share(&mut found);
    found
}

/// COMP-021: code that two functions reach is changed for neither.
fn share(functions: &mut [Function]) {
    let mut owner: BTreeMap<usize, usize> = BTreeMap::new();
    let mut shared: BTreeSet<usize> = BTreeSet::new();
    for (number, function) in functions.iter().enumerate() {
        for at in function.blocks.iter().flat_map(Block::code) {
            if let Some(other) = owner.insert(at, number).filter(|&other| other != number) {
                shared.extend([other, number]);
            }
        }
    }
    for number in shared {
        let reason = "it shares instructions with another function";
        functions[number]
            .left_alone
            .get_or_insert_with(|| reason.into());
    }
}

/// COMP-020: where functions begin.
fn entries(source: &Source, taken: &HashSet<usize>) -> BTreeSet<usize> {
    let mut entries = BTreeSet::new();
    for (name, &at) in &source.labels {
        let is_function =
            source.functions.contains(name) || source.unit.is_global(name) || name == "_start";
        if is_function
            || (taken.contains(&at) && !name.starts_with(".L") && !name.contains('\u{1}'))
        {
            entries.insert(at);
        }
    }
    for insn in &source.code {
        if let Control::Call(Target::Code(at)) = insn.control {
            entries.insert(at);
        }
    }
    if entries.is_empty() && !source.code.is_empty() {
        entries.insert(0);
    }
    entries
}

struct Builder<'a> {
    source: &'a Source,
    entries: &'a BTreeSet<usize>,
    taken: &'a HashSet<usize>,
    entry: usize,
}

impl Builder<'_> {
    fn build(&self, name: String) -> Function {
        let mut function = Function {
            name,
            blocks: Vec::new(),
            exported: false,
            address_taken: false,
            left_alone: None,
            unfollowed: Vec::new(),
        };
        // Instructions reached, and where blocks begin.
        let (mut reached, mut leaders) = (BTreeSet::new(), BTreeSet::from([self.entry]));
        let mut ends: BTreeMap<usize, Vec<(Option<usize>, EdgeKind)>> = BTreeMap::new();
        let mut open = vec![self.entry];
        while let Some(mut at) = open.pop() {
            while reached.insert(at) {
                let successors = match self.successors(at, &mut function) {
                    None => match self.source.next(at) {
                        Some(next) if !self.entries.contains(&next) || next == self.entry => {
                            at = next;
                            continue;
                        }
                        _ => vec![(None, EdgeKind::Away)],
                    },
                    Some(successors) => successors,
                };
                for place in successors.iter().filter_map(|&(place, _)| place) {
                    leaders.insert(place);
                    open.push(place);
                }
                ends.insert(at, successors);
                break;
            }
        }
        for &at in &reached {
            if self.source.code[at].control == Control::Warp {
                let reason = format!(
                    "it has warp control of its own (line {})",
                    self.source.code[at].line
                );
                function.left_alone.get_or_insert(reason);
            }
        }
        for &at in &reached {
            let target = match &self.source.code[at].control {
                Control::Branch { target, .. } | Control::Jump(target) => target,
                _ => continue,
            };
            if *target == Target::Elsewhere(String::new()) {
                let line = self.source.code[at].line;
                let reason = format!("it jumps to an address that is no label (line {line})");
                function.left_alone.get_or_insert(reason);
            }
        }
        // COMP-022: somebody may come there in a way that is not seen.
        let followed: HashSet<usize> = ends
            .values()
            .flatten()
            .filter(|(_, kind)| *kind == EdgeKind::Table)
            .filter_map(|&(place, _)| place)
            .collect();
        let lost = self
            .around(self.entry)
            .find(|at| self.taken.contains(at) && *at != self.entry && !followed.contains(at));
        if let Some(at) = lost {
            let reason = format!(
                "the address of a label in it is taken (line {})",
                self.source.code[at].line
            );
            function.left_alone.get_or_insert(reason);
        }
        self.blocks(&mut function, &reached, &leaders, &ends);
        function
    }

    /// Where an instruction goes; `None`: on to the next one, and no block ends.
    fn successors(
        &self,
        at: usize,
        function: &mut Function,
    ) -> Option<Vec<(Option<usize>, EdgeKind)>> {
        let insn = &self.source.code[at];
        let fall = || match self.source.next(at) {
            Some(next) if !self.entries.contains(&next) || next == self.entry => {
                (Some(next), EdgeKind::Fall)
            }
            _ => (None, EdgeKind::Away),
        };
        Some(match &insn.control {
            Control::Plain | Control::Call(_) | Control::CallIndirect => return None,
            Control::Branch { target, .. } => vec![self.jump(target), fall()],
            Control::Jump(target) => vec![self.jump(target)],
            Control::Return => vec![(None, EdgeKind::Return)],
            Control::End => vec![(None, EdgeKind::Away)],
            Control::Warp => return None,
            Control::Bytes => {
                function
                    .unfollowed
                    .push((insn.line, "bytes among the instructions".into()));
                vec![(None, EdgeKind::Away)]
            }
            &Control::Indirect(register) => self.indirect(at, register, function),
        })
    }

    fn jump(&self, target: &Target) -> (Option<usize>, EdgeKind) {
        match target {
            Target::Code(at) if *at == self.entry || !self.entries.contains(at) => {
                (Some(*at), EdgeKind::Taken)
            }
            _ => (None, EdgeKind::Away),
        }
    }

    /// COMP-022: a jump table, else any label of the function whose address is taken, else a tail call.
    fn indirect(
        &self,
        at: usize,
        register: u8,
        function: &mut Function,
    ) -> Vec<(Option<usize>, EdgeKind)> {
        let mut targets = self.nearest_table(at, register);
        if targets.is_empty() {
            let around = self.around(at);
            let mentioned = around.clone().flat_map(|place| self.tables(place).pop());
            targets = mentioned.flatten().collect();
            let known = targets.len();
            // A table may be mentioned by another name, or stand in the stack.
            let others: Vec<usize> = around
                .filter(|at| self.taken.contains(at) && !self.entries.contains(at))
                .filter(|at| !targets.contains(at))
                .collect();
            targets.extend(others);
            if targets.len() > known {
                let line = self.source.code[at].line;
                let what = "an indirect jump without a jump table: it is taken to reach every label whose address is taken";
                function.unfollowed.push((line, what.into()));
            }
        }
        targets.sort_unstable();
        targets.dedup();
        if targets.is_empty() {
            let line = self.source.code[at].line;
            function.unfollowed.push((
                line,
                "an indirect jump: it is taken to leave the function".into(),
            ));
            return vec![(None, EdgeKind::Away)];
        }
        let mut ways: Vec<_> = targets
            .into_iter()
            .map(|place| match self.entries.contains(&place) {
                // Where another function begins.
                true => (None, EdgeKind::Away),
                false => (Some(place), EdgeKind::Table),
            })
            .collect();
        ways.dedup();
        ways
    }

    /// Instructions from the nearest function's beginning to the next one's.
    fn around(&self, at: usize) -> std::ops::Range<usize> {
        let first = self.entries.range(..=at).next_back();
        let end = self.entries.range(at + 1..).next();
        first.map_or(0, |&b| b)..end.map_or(self.source.code.len(), |&b| b)
    }

    /// The jump tables that an instruction names.
    fn tables(&self, place: usize) -> Vec<Vec<usize>> {
        let ops = self.source.code[place].ops.iter();
        let tables = ops.filter_map(|op| Some(self.source.table(op.symbol.as_deref()?)));
        tables.filter(|table| !table.is_empty()).collect()
    }

    /// The table from which the register of a jump comes, if no label stands in between.
    fn nearest_table(&self, at: usize, register: u8) -> Vec<usize> {
        let labelled: HashSet<usize> = self.source.labels.values().copied().collect();
        let mut wanted = bit(register);
        for place in (self.around(at).start..at).rev() {
            let insn = &self.source.code[place];
            if insn.control != Control::Plain || labelled.contains(&(place + 1)) {
                break;
            }
            let (read, written) = insn.registers();
            if written & wanted != 0 {
                if let Some(table) = self.tables(place).pop() {
                    return table;
                }
                wanted = wanted & !written | read;
            }
        }
        Vec::new()
    }

    fn blocks(
        &self,
        function: &mut Function,
        reached: &BTreeSet<usize>,
        leaders: &BTreeSet<usize>,
        ends: &BTreeMap<usize, Vec<(Option<usize>, EdgeKind)>>,
    ) {
        let mut starts: Vec<usize> = leaders
            .iter()
            .copied()
            .filter(|&at| at != self.entry)
            .collect();
        starts.insert(0, self.entry);
        let number: BTreeMap<usize, usize> =
            starts.iter().enumerate().map(|(n, &at)| (at, n)).collect();
        let exit = starts.len();
        for (from, &first) in starts.iter().enumerate() {
            let mut last = first;
            while !ends.contains_key(&last) {
                match self.source.next(last) {
                    Some(next) if reached.contains(&next) && !leaders.contains(&next) => {
                        last = next
                    }
                    _ => break,
                }
            }
            let mut edges: Vec<Edge> = match ends.get(&last) {
                Some(successors) => successors
                    .iter()
                    .map(|&(place, kind)| Edge {
                        from,
                        to: place.map_or(exit, |place| number[&place]),
                        kind,
                    })
                    .collect(),
                None => {
                    let next = self.source.next(last).and_then(|next| number.get(&next));
                    vec![match next {
                        Some(&to) => Edge {
                            from,
                            to,
                            kind: EdgeKind::Fall,
                        },
                        None => Edge {
                            from,
                            to: exit,
                            kind: EdgeKind::Away,
                        },
                    }]
                }
            };
            edges.dedup();
            function.blocks.push(Block {
                first,
                last,
                edges,
                from: Vec::new(),
            });
        }
        for edge in function.edges().collect::<Vec<_>>() {
            if edge.to != exit {
                function.blocks[edge.to].from.push(edge);
            }
        }
    }
}
