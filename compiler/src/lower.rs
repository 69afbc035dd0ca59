//! One source from analysis to edited text: what is done with each branch.

use crate::cost::{choose, Choice, Model, Paths, Trials, MODELS};
use crate::divergence::{analyse, Divergence};
use crate::flow::{functions, EdgeKind, Function};
use crate::graph::Shape;
use crate::report::{BlockReport, BranchReport, FunctionReport, Report, Treatment};
use crate::source::{Control, Edits, Source, Target};
use crate::tokens::{candidates, place, Candidate};
use crate::{Lower, Options, Output};
use std::collections::{BTreeMap, HashMap};

pub(crate) fn lower(source: &Source, name: &str, options: &Options) -> Output {
    let functions = functions(source);
    let shapes: Vec<Shape> = functions.iter().map(Shape::of).collect();
    let divergences = analyse(source, &functions, &shapes, options.mutation);
    let model = MODELS[0];
    let weights = weights(source, &functions, &shapes, &divergences, &model);
    let mut edits = Edits::default();
    let mut report = Report { source: name.into(), lower: options.lower, functions: Vec::new() };
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
    Output { assembly: edits.apply(source), report }
}

/// Instructions of each block of each function, with those of the functions that it calls.
fn weights(source: &Source, functions: &[Function], shapes: &[Shape], divergences: &[Divergence], model: &Model) -> Vec<Vec<f64>> {
    let number: HashMap<usize, usize> = functions.iter().enumerate().map(|(n, f)| (f.blocks[0].first, n)).collect();
    let mut lengths = vec![model.call; functions.len()];
    let mut weights = Vec::new();
    for round in 0..3 {
        weights = functions.iter().map(|function| {
            let of = |block: &crate::flow::Block| block.code().map(|at| match &source.code[at].control {
                Control::Call(Target::Code(callee)) => 1.0 + number.get(callee).map_or(model.call, |&n| lengths[n]),
                Control::Call(_) | Control::CallIndirect => 1.0 + model.call,
                _ => source.code[at].ops.len().max(1) as f64,
            }).sum();
            function.blocks.iter().map(of).collect::<Vec<f64>>()
        }).collect();
        if round == 2 {
            break;
        }
        let few = Model { threads: 4, ..*model };
        for (n, function) in functions.iter().enumerate() {
            let paths = Paths::new(function, &shapes[n], &divergences[n], weights[n].clone(), 0.0, &few);
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
        if self.function.left_alone.is_none() && parts && self.options.lower != Lower::None {
            let (candidates, refused) = candidates(self.source, self.function, self.shape, self.divergence, self.options.mutation);
            treatments.extend(refused.into_iter().map(|(branch, why)| (branch, Treatment::Left(why))));
            let mut choice = Choice { tokens: vec![true; candidates.len()], predicated: vec![None; self.function.blocks.len()] };
            if self.options.lower == Lower::Auto {
                // Whoever calls this function goes on behind it; a kernel ends there.
                let rest = match self.function.name.as_str() {
                    "_start" | "kernel" | "main" => 1.0,
                    _ => 2.0 * self.model.call,
                };
                let none = Choice { tokens: vec![false; candidates.len()], ..choice.clone() };
                let paths = MODELS.iter().map(|model| {
                    Paths::new(self.function, self.shape, self.divergence, self.weight.clone(), rest, model)
                });
                let trials = Trials::new(paths.collect(), &candidates, &none);
                let after = choose(&trials, &candidates, &mut choice, &vec![true; candidates.len()]);
                report.cost = Some(after);
            }
            for (number, candidate) in candidates.iter().enumerate() {
                let treatment = match choice.tokens[number] {
                    true => {
                        report.placed.extend(place(self.source, self.function, candidate, edits, self.options.mutation));
                        Treatment::Token { kind: candidate.kind, join: self.line_of(candidate) }
                    }
                    false => Treatment::Left("a token costs more than it wins".into()),
                };
                treatments.extend(candidate.branches.iter().map(|&branch| (branch, treatment.clone())));
            }
        }
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
        let branches = function.blocks.iter().enumerate().filter(|(_, block)| block.edges.len() > 1);
        FunctionReport {
            name: function.name.clone(),
            line: line(function.blocks[0].first),
            instructions: function.blocks.iter().map(|block| block.code().count()).sum(),
            left_alone: function.left_alone.clone(),
            unfollowed: function.unfollowed.clone(),
            irreducible: self.shape.irreducible,
            loops: self.shape.loops.len(),
            branches: branches.map(|(number, block)| BranchReport {
                line: line(block.last),
                text: text(block.last),
                block: number,
                diverges: match self.divergence.branches[number] {
                    true => Some(self.divergence.reasons.get(&number).cloned().unwrap_or_default()),
                    false => None,
                },
                depth: self.shape.depth(number),
                treatment: Treatment::Uniform,
            }).collect(),
            segments: Vec::new(),
            placed: Vec::new(),
            cost: None,
            blocks: function.blocks.iter().map(|block| BlockReport {
                lines: (line(block.first), line(block.last)),
                text: block.code().map(text).collect(),
                edges: block.edges.iter().map(|edge| (edge.to, edge.kind == EdgeKind::Taken)).collect(),
            }).collect(),
        }
    }
}
