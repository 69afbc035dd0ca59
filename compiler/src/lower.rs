//! One source from analysis to edited text: what is done with each branch.

use crate::contest::contest;
use crate::cost::{Guard, Placeable, Trials};
use crate::divergence::{analyse, Divergence};
use crate::entry::{entry, exits};
use crate::flow::{EdgeKind, Function};
use crate::graph::Shape;
use crate::masks;
use crate::mutation::Mutation;
use crate::predicate::{self, Hammock};
use crate::registers::Liveness;
use crate::report::{BlockReport, BranchReport, FunctionReport, Report, Treatment};
use crate::rounds::{self, Back};
use crate::source::{Edits, Source};
use crate::subvector;
use crate::threads::Machine;
use crate::tokens::{candidates, place, Candidate, Way};
use crate::waiting::yields;
use crate::{Lower, Options, Output, Yields};
use std::collections::BTreeMap;

pub(crate) fn lower(
    source: &Source,
    functions: &[Function],
    shapes: &[Shape],
    name: &str,
    options: &Options,
) -> Output {
    let divergences = analyse(source, functions, shapes, options.mutation);
    let askers = rounds::askers(source, functions);
    let mut edits = Edits::default();
    let all: Vec<One> = (0..functions.len())
        .map(|number| One {
            source,
            function: &functions[number],
            shape: &shapes[number],
            divergence: &divergences[number],
            waiting: rounds::backs(
                source,
                &functions[number],
                &shapes[number],
                &askers,
                options.mutation,
            ),
            options,
        })
        .collect();
    let mut plans: Vec<Plan> = all.iter().map(|one| one.plan(&mut edits)).collect();
    if options.lower == Lower::Auto {
        let mut machine = Machine::new(source, functions, shapes, &divergences, options);
        if options.mutation != Some(Mutation::OutTogether) {
            for (number, one) in all.iter().enumerate() {
                let divergence = one.divergence;
                machine.compete(
                    number,
                    &contest(source, one.function, divergence, &one.waiting),
                );
            }
        }
        choose(&machine, functions, &mut plans);
    }
    if options.lower == Lower::Tokens {
        let tokens = plans.iter_mut().flat_map(|plan| &mut plan.tokens);
        tokens
            .zip(&options.only)
            .for_each(|(token, only)| *token = *only);
    }
    if options.lower != Lower::Auto {
        let mut around = options.around.iter().copied();
        for (shape, plan) in shapes.iter().zip(&mut plans) {
            let ways = plan.candidates.iter_mut().flat_map(|c| &mut c.edges);
            for (edge, way) in ways.filter(|(_, way)| matches!(way, Way::Computed(_))) {
                // COMP-067: of the rounds of a loop few are the last one.
                if around.next().unwrap_or(shape.leaves_a_loop(edge)) {
                    *way = Way::Through;
                }
            }
        }
    }
    let mut report = Report {
        source: name.into(),
        lower: options.lower,
        functions: Vec::new(),
    };
    let ends = entry(source, functions, options).filter(|_| options.lower != Lower::None);
    for (number, (one, plan)) in all.iter().zip(plans).enumerate() {
        let mut function = one.lower(plan, &mut edits);
        if ends == Some(number) {
            let placed = exits(source, &functions[number], &mut edits);
            function.placed.extend(placed);
            function.placed.sort();
        }
        report.functions.push(function);
    }
    report.functions.sort_by_key(|function| function.line);
    Output {
        assembly: edits.apply(source),
        report,
    }
}

/// What could be done with a function's branches; after the choice, what is done.
#[derive(Default)]
struct Plan {
    /// Sub-vector loops: they are there in any case.
    modes: Vec<Candidate>,
    candidates: Vec<Candidate>,
    /// By candidate.
    tokens: Vec<bool>,
    hammocks: Vec<Hammock>,
    masked: Vec<masks::Region>,
    /// Branches that get no token, and why.
    refused: BTreeMap<usize, String>,
    refused_masks: BTreeMap<usize, String>,
    cost: Option<f64>,
}

impl Plan {
    fn is_masked(&self, block: usize) -> bool {
        self.masked.iter().any(|region| region.contains(block))
    }
}

/// COMP-072, COMP-075: tokens and predicated branches that pay, of all functions together.
fn choose(machine: &Machine, functions: &[Function], plans: &mut [Plan]) {
    let (mut all, mut hammocks) = (Vec::new(), Vec::new());
    for (function, plan) in plans.iter().enumerate() {
        let first = all.len();
        all.extend(plan.candidates.iter().map(|candidate| Placeable {
            function,
            candidate: candidate.clone(),
        }));
        for hammock in &plan.hammocks {
            let Some(over) = hammock.over() else { continue };
            let node = machine.last_node(machine.node_of(function, hammock.branch));
            let (plain, resolved) = hammock.cost();
            let guard = Guard {
                over: machine.node_of(function, over),
                plain,
                resolved,
            };
            let own = plan.candidates.iter().zip(first..);
            let own = own.filter(|(candidate, _)| candidate.branches == [hammock.branch]);
            hammocks.push((node, guard, own.map(|(_, number)| number).collect()));
        }
    }
    let is_kernel = |f: &Function| ["_start", "kernel", "main"].contains(&f.name.as_str());
    let mut entries: Vec<(usize, bool)> = (0..functions.len())
        .map(|number| (number, is_kernel(&functions[number])))
        .collect();
    entries.sort_by_key(|&(number, kernel)| (!kernel, !functions[number].exported));
    let trials = Trials::new(machine, &entries, &all);
    let (choice, cost) = trials.choose(&hammocks);
    let mut tokens = choice.tokens.iter().copied();
    for (function, plan) in plans.iter_mut().enumerate() {
        plan.tokens = tokens.by_ref().take(plan.candidates.len()).collect();
        let ways = plan.candidates.iter_mut().flat_map(|c| &mut c.edges);
        for (edge, way) in ways.filter(|(_, way)| matches!(way, Way::Computed(_))) {
            if choice.around[machine.edge_number(function, edge)] {
                *way = Way::Through;
            }
        }
        plan.hammocks.retain(|hammock| {
            let node = machine.last_node(machine.node_of(function, hammock.branch));
            choice.predicated[node as usize].is_some()
        });
        plan.cost = Some(cost);
    }
}

struct One<'a> {
    source: &'a Source,
    function: &'a Function,
    shape: &'a Shape,
    divergence: &'a Divergence,
    waiting: Vec<Back>,
    options: &'a Options,
}

impl One<'_> {
    /// What is possible. Masked regions take labels from the edits.
    fn plan(&self, edits: &mut Edits) -> Plan {
        let (source, function, options) = (self.source, self.function, self.options);
        let mut plan = Plan {
            modes: subvector::tokens(source, function, self.shape, options),
            ..Plan::default()
        };
        let parts = self.divergence.branches.iter().any(|&b| b);
        if function.left_alone.is_some() || !parts || options.lower == Lower::None {
            return plan;
        }
        let mut liveness = Liveness::of(source, function, self.shape, options.mutation);
        subvector::reserve_shared(source, function, self.shape, options, &mut liveness);
        let (found, refused) = candidates(
            source,
            function,
            self.shape,
            self.divergence,
            &liveness,
            &self.waiting,
            options.mutation,
        );
        (plan.candidates, plan.refused) = (found, refused);
        if options.lower == Lower::Masks {
            (plan.masked, plan.refused_masks) = masks::regions(
                source,
                function,
                self.shape,
                self.divergence,
                &liveness,
                edits,
                options.mutation,
                &plan.modes,
            );
        }
        if matches!(options.lower, Lower::Auto | Lower::Predicate) {
            plan.hammocks = predicate::hammocks(source, function, self.divergence, &liveness);
            let ends = |block| {
                let mut edges = plan.modes.iter().flat_map(|mode| &mode.edges);
                edges.any(|(edge, _)| edge.from == block)
            };
            // What leaves a sub-vector loop has its place.
            plan.hammocks
                .retain(|hammock| !hammock.sides.iter().any(|side| ends(side.block)));
        }
        let mut candidates = std::mem::take(&mut plan.candidates);
        for candidate in &mut candidates {
            for region in &plan.masked {
                region.adapt(source, function, candidate);
            }
        }
        candidates.retain(|candidate| {
            let mode = plan.modes.iter().any(|mode| mode.join == candidate.join);
            !mode && !candidate.branches.is_empty() && !candidate.edges.is_empty()
        });
        plan.tokens = vec![true; candidates.len()];
        plan.candidates = candidates;
        plan
    }

    /// Writes what is done into the source.
    fn lower(&self, mut plan: Plan, edits: &mut Edits) -> FunctionReport {
        let (source, function) = (self.source, self.function);
        let mutation = self.options.mutation;
        let mut report = self.report();
        report.cost = plan.cost.filter(|_| !plan.candidates.is_empty());
        let mut treatments: BTreeMap<usize, Treatment> = BTreeMap::new();
        let refused = std::mem::take(&mut plan.refused).into_iter();
        treatments.extend(refused.map(|(branch, why)| (branch, Treatment::Left(why))));
        for region in &plan.masked {
            let placed = masks::place(source, function, region, edits);
            report.placed.extend(placed);
        }
        let mut predicated = vec![false; function.blocks.len()];
        let mut gone = predicated.clone();
        for hammock in &plan.hammocks {
            predicated[hammock.branch] = true;
            hammock.without_end().for_each(|block| gone[block] = true);
            let placed = predicate::place(source, function, hammock, edits, mutation);
            report.placed.extend(placed);
            treatments.insert(hammock.branch, Treatment::Predicated);
        }
        let mut candidates = std::mem::take(&mut plan.candidates);
        for (candidate, chosen) in candidates.iter_mut().zip(&plan.tokens) {
            candidate.branches.retain(|&branch| !predicated[branch]);
            candidate
                .edges
                .retain(|(edge, _)| !predicated[edge.from] || edge.kind != EdgeKind::Taken);
            candidate.edges.retain(|(edge, _)| !gone[edge.from]);
            let possible = !candidate.branches.is_empty() && !candidate.edges.is_empty();
            let treatment = match *chosen && possible {
                true => {
                    let placed = place(source, function, candidate, edits, mutation);
                    report.placed.extend(placed);
                    Treatment::Token {
                        kind: candidate.kind,
                        join: self.line_of(candidate),
                    }
                }
                false => Treatment::Left("a token costs more than it wins".into()),
            };
            for &branch in &candidate.branches {
                treatments.insert(branch, treatment.clone());
            }
        }
        for (branch, _) in (0..)
            .zip(&self.divergence.branches)
            .filter(|(_, &parts)| parts)
        {
            if plan.is_masked(branch) {
                treatments.insert(branch, Treatment::Masked);
            }
        }
        for (branch, why) in &plan.refused_masks {
            let line = source.code[function.blocks[*branch].last].line;
            report.placed.push((line, why.clone()));
        }
        let modes = std::mem::take(&mut plan.modes);
        for mode in &modes {
            report.placed.extend(place(
                self.source,
                self.function,
                mode,
                edits,
                self.options.mutation,
            ));
            treatments.extend(mode.branches.iter().map(|&branch| {
                (
                    branch,
                    Treatment::Token {
                        kind: mode.kind,
                        join: self.line_of(mode),
                    },
                )
            }));
        }
        if self.function.left_alone.is_none()
            && self.options.yields == Yields::Auto
            && self.options.lower != Lower::None
        {
            report
                .placed
                .extend(yields(self.source, self.function, &self.waiting, edits));
        }
        report.placed.sort();
        for branch in &mut report.branches {
            branch.treatment = match (treatments.remove(&branch.block), &branch.diverges) {
                (Some(treatment), _) => treatment,
                (None, None) => Treatment::Uniform,
                (None, Some(_)) => Treatment::Left(match &self.function.left_alone {
                    Some(why) => why.clone(),
                    None => "nothing was asked for".into(),
                }),
            };
        }
        report
    }

    fn line_of(&self, candidate: &Candidate) -> Option<usize> {
        let block = self.function.blocks.get(candidate.join)?;
        Some(self.source.code[block.first].line)
    }

    fn report(&self) -> FunctionReport {
        let (source, function) = (self.source, self.function);
        let line = |at: usize| source.code[at].line;
        let text = |at: usize| source.statement(at).replace('\t', " ");
        let branches = function
            .blocks
            .iter()
            .enumerate()
            .filter(|(_, block)| block.edges.len() > 1);
        FunctionReport {
            name: function.name.clone(),
            line: line(function.blocks[0].first),
            instructions: function
                .blocks
                .iter()
                .map(|block| block.code().count())
                .sum(),
            left_alone: function.left_alone.clone(),
            unfollowed: function.unfollowed.clone(),
            irreducible: self.shape.irreducible,
            loops: self.shape.loops.len(),
            branches: branches
                .map(|(number, block)| BranchReport {
                    line: line(block.last),
                    text: text(block.last),
                    block: number,
                    diverges: match self.divergence.branches[number] {
                        true => Some(
                            self.divergence
                                .reasons
                                .get(&number)
                                .cloned()
                                .unwrap_or_default(),
                        ),
                        false => None,
                    },
                    depth: self.shape.depth(number),
                    treatment: Treatment::Uniform,
                })
                .collect(),
            shared_from: None,
            segments: subvector::segments(source, function, self.shape, None)
                .into_iter()
                .map(|segment| match segment {
                    Ok(segment) => segment.report(source, function, "regular".into()),
                    Err((mut report, why)) => {
                        report.form = format!("regular; no sub-vector loop is possible: {why}");
                        report
                    }
                })
                .collect(),
            placed: Vec::new(),
            cost: None,
            blocks: function
                .blocks
                .iter()
                .map(|block| BlockReport {
                    lines: (line(block.first), line(block.last)),
                    text: block.code().map(text).collect(),
                    edges: block
                        .edges
                        .iter()
                        .map(|edge| (edge.to, edge.kind == EdgeKind::Taken))
                        .collect(),
                })
                .collect(),
        }
    }
}
