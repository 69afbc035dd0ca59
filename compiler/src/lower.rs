//! One source from analysis to edited text: what is done with each branch.

use crate::cost::{choose, Choice, Model, Paths, Trials, MODELS};
use crate::divergence::{analyse, Divergence};
use crate::flow::{EdgeKind, Function};
use crate::graph::Shape;
use crate::masks;
use crate::predicate::{self, Hammock};
use crate::registers::Liveness;
use crate::report::{BlockReport, BranchReport, FunctionReport, Report, Treatment};
use crate::source::{Control, Edits, Source, Target};
use crate::subvector;
use crate::tokens::{candidates, place, Candidate};
use crate::waiting::yields;
use crate::{Lower, Options, Output, Yields};
use std::collections::{BTreeMap, HashMap};

pub(crate) fn lower(
    source: &Source,
    functions: &[Function],
    shapes: &[Shape],
    name: &str,
    options: &Options,
) -> Output {
    let divergences = analyse(source, functions, shapes, options.mutation);
    let model = MODELS[0];
    let weights = weights(source, functions, shapes, &divergences, &model);
    let mut edits = Edits::default();
    let mut report = Report {
        source: name.into(),
        lower: options.lower,
        functions: Vec::new(),
    };
    for (number, function) in functions.iter().enumerate() {
        let one = One {
            source,
            function,
            shape: &shapes[number],
            divergence: &divergences[number],
            weight: weights[number].clone(),
            options,
            model: &model,
        };
        report.functions.push(one.lower(&mut edits));
    }
    report.functions.sort_by_key(|function| function.line);
    Output {
        assembly: edits.apply(source),
        report,
    }
}

/// Instructions of each block of each function, with those of the functions that it calls.
fn weights(
    source: &Source,
    functions: &[Function],
    shapes: &[Shape],
    divergences: &[Divergence],
    model: &Model,
) -> Vec<Vec<f64>> {
    let number: HashMap<usize, usize> = functions
        .iter()
        .enumerate()
        .map(|(n, f)| (f.blocks[0].first, n))
        .collect();
    let mut lengths = vec![model.call; functions.len()];
    let mut weights = Vec::new();
    for round in 0..3 {
        weights = functions
            .iter()
            .map(|function| {
                let of = |block: &crate::flow::Block| {
                    block
                        .code()
                        .map(|at| match &source.code[at].control {
                            Control::Call(Target::Code(callee)) => {
                                1.0 + number.get(callee).map_or(model.call, |&n| lengths[n])
                            }
                            Control::Call(_) | Control::CallIndirect => 1.0 + model.call,
                            _ => source.code[at].ops.len().max(1) as f64,
                        })
                        .sum()
                };
                function.blocks.iter().map(of).collect::<Vec<f64>>()
            })
            .collect();
        if round == 2 {
            break;
        }
        let few = Model {
            threads: 4,
            ..*model
        };
        for (n, function) in functions.iter().enumerate() {
            let paths = Paths::new(
                function,
                &shapes[n],
                &divergences[n],
                weights[n].clone(),
                0.0,
                &few,
            );
            lengths[n] = paths.length().min(10_000.0);
        }
    }
    weights
}

struct One<'a> {
    source: &'a Source,
    function: &'a Function,
    shape: &'a Shape,
    divergence: &'a Divergence,
    weight: Vec<f64>,
    options: &'a Options,
    model: &'a Model,
}

impl One<'_> {
    fn lower(&self, edits: &mut Edits) -> FunctionReport {
        let mut report = self.report();
        let mut treatments: BTreeMap<usize, Treatment> = BTreeMap::new();
        let parts = self.divergence.branches.iter().any(|&b| b);
        let modes = subvector::tokens(self.source, self.function, self.shape, self.options);
        if self.function.left_alone.is_none() && parts && self.options.lower != Lower::None {
            let mut refused_masks = BTreeMap::new();
            let (candidates, refused) = candidates(
                self.source,
                self.function,
                self.shape,
                self.divergence,
                self.options.mutation,
            );
            treatments.extend(
                refused
                    .into_iter()
                    .map(|(branch, why)| (branch, Treatment::Left(why))),
            );
            let liveness = Liveness::of(
                self.source,
                self.function,
                self.shape,
                self.options.mutation,
            );
            let mut masked = Vec::new();
            if self.options.lower == Lower::Masks {
                let (regions, why) = masks::regions(
                    self.source,
                    self.function,
                    self.shape,
                    self.divergence,
                    &liveness,
                    edits,
                    self.options.mutation,
                    &modes,
                );
                report.placed.extend(
                    regions
                        .iter()
                        .flat_map(|region| masks::place(self.source, self.function, region, edits)),
                );
                masked = regions;
                refused_masks = why;
            }
            let is_masked = |block: usize| masked.iter().any(|region| region.contains(block));
            let mut hammocks = match self.options.lower {
                Lower::Auto | Lower::Predicate => {
                    predicate::hammocks(self.source, self.function, self.divergence, &liveness)
                }
                _ => Vec::new(),
            };
            let mut candidates = candidates;
            for candidate in &mut candidates {
                candidate.branches.retain(|&branch| !is_masked(branch));
                // Of the ways out of a masked region only its end is left.
                candidate.edges.retain(|(edge, _)| {
                    let inner = masked
                        .iter()
                        .any(|region| region.contains(edge.from) && edge.from != region.blocks.1);
                    !inner && (edge.kind == EdgeKind::Fall || !is_masked(edge.from))
                });
            }
            candidates.retain(|candidate| modes.iter().all(|mode| mode.join != candidate.join));
            candidates
                .retain(|candidate| !candidate.branches.is_empty() && !candidate.edges.is_empty());
            let mut choice = Choice {
                tokens: vec![true; candidates.len()],
                predicated: vec![None; self.function.blocks.len()],
            };
            if self.options.lower == Lower::Auto {
                let after = self.choose(&candidates, &mut hammocks, &mut choice);
                report.cost = Some(after);
            }
            for hammock in &hammocks {
                choice.predicated[hammock.branch] = Some((hammock.over, hammock.cost()));
                report.placed.extend(predicate::place(
                    self.source,
                    self.function,
                    hammock,
                    edits,
                    self.options.mutation,
                ));
                treatments.insert(hammock.branch, Treatment::Predicated);
            }
            for (number, candidate) in candidates.iter_mut().enumerate() {
                candidate
                    .branches
                    .retain(|&branch| choice.predicated[branch].is_none());
                candidate.edges.retain(|(edge, _)| {
                    choice.predicated[edge.from].is_none() || edge.kind != EdgeKind::Taken
                });
                let treatment = match choice.tokens[number]
                    && !candidate.branches.is_empty()
                    && !candidate.edges.is_empty()
                {
                    true => {
                        report.placed.extend(place(
                            self.source,
                            self.function,
                            candidate,
                            edits,
                            self.options.mutation,
                        ));
                        Treatment::Token {
                            kind: candidate.kind,
                            join: self.line_of(candidate),
                        }
                    }
                    false => Treatment::Left("a token costs more than it wins".into()),
                };
                treatments.extend(
                    candidate
                        .branches
                        .iter()
                        .map(|&branch| (branch, treatment.clone())),
                );
            }
            let masked = self
                .divergence
                .branches
                .iter()
                .enumerate()
                .filter(|&(branch, &parts)| parts && is_masked(branch));
            treatments.extend(masked.map(|(branch, _)| (branch, Treatment::Masked)));
            for (branch, why) in refused_masks {
                report.placed.push((
                    self.source.code[self.function.blocks[branch].last].line,
                    why,
                ));
            }
        }
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
                .extend(yields(self.source, self.function, self.shape, edits));
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

    /// COMP-072, COMP-075: tokens and predicated branches that pay; gives the cost.
    fn choose(
        &self,
        candidates: &[Candidate],
        hammocks: &mut Vec<Hammock>,
        choice: &mut Choice,
    ) -> f64 {
        // Whoever calls this function goes on behind it; a kernel ends there.
        let rest = match self.function.name.as_str() {
            "_start" | "kernel" | "main" => 1.0,
            _ => 2.0 * self.model.call,
        };
        let none = Choice {
            tokens: vec![false; candidates.len()],
            ..choice.clone()
        };
        let paths = MODELS.iter().map(|model| {
            Paths::new(
                self.function,
                self.shape,
                self.divergence,
                self.weight.clone(),
                rest,
                model,
            )
        });
        let trials = Trials::new(paths.collect(), candidates, &none);
        let mut best = choose(&trials, candidates, choice, &vec![true; candidates.len()]);
        hammocks.retain(|hammock| {
            let mut other = choice.clone();
            other.predicated[hammock.branch] = Some((hammock.over, hammock.cost()));
            for (number, candidate) in candidates.iter().enumerate() {
                if candidate.branches == [hammock.branch] {
                    other.tokens[number] = false;
                }
            }
            let cost = trials.cost(candidates, &other);
            let pays = cost < best;
            if pays {
                (*choice, best) = (other, cost);
            }
            pays
        });
        best
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
            segments: subvector::segments(source, function, self.shape)
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
