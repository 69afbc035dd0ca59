//! How many of the branches that may part threads a lowering takes (COMP-087).

use super::kernels;
use std::collections::BTreeMap;
use weft_compiler::{compile, Lower, Options, Treatment};

/// What became of branches that may part, in functions that may be changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Share {
    pub all: usize,
    pub masked: usize,
    pub predicated: usize,
    /// By masks or by predication.
    pub either: usize,
    /// Those of functions that have warp control of their own (COMP-023).
    pub own: usize,
    /// Why branches got no mask.
    pub refused: BTreeMap<String, usize>,
}

/// Of one source.
pub fn of(name: &str, source: &str) -> Share {
    let (mut own, mut refused) = (0, BTreeMap::new());
    // Whether each branch that may part is taken by a lowering, and why not.
    let mut asked = |lower, wanted| {
        let options = Options {
            lower,
            whole: true,
            ..Options::default()
        };
        let output = compile(source, name, &options).unwrap_or_else(|e| panic!("{e}"));
        let mut taken = Vec::new();
        for function in output.report.functions {
            for branch in function.branches.iter().filter(|b| b.diverges.is_some()) {
                if function.left_alone.is_some() {
                    own += usize::from(lower == Lower::Masks);
                    continue;
                }
                taken.push(branch.treatment == wanted);
                if lower != Lower::Masks || branch.treatment == wanted {
                    continue;
                }
                let why = function.placed.iter().find_map(|(line, what)| {
                    let why = what.strip_prefix("no execution mask: ");
                    why.filter(|_| *line == branch.line)
                });
                *refused
                    .entry(why.unwrap_or("unsaid").to_string())
                    .or_default() += 1;
            }
        }
        taken
    };
    let masked = asked(Lower::Masks, Treatment::Masked);
    let predicated = asked(Lower::Predicate, Treatment::Predicated);
    let count = |taken: &[bool]| taken.iter().filter(|&&taken| taken).count();
    let both = masked.iter().zip(&predicated);
    Share {
        all: masked.len(),
        masked: count(&masked),
        predicated: count(&predicated),
        either: both
            .filter(|(&masked, &predicated)| masked || predicated)
            .count(),
        own,
        refused,
    }
}

/// Of each kernel that GCC made from C.
pub fn of_kernels() -> Vec<(String, Share)> {
    let sources = kernels::sources().into_iter();
    let from_c = sources.filter(|(name, _)| name.ends_with(".s"));
    let shares = from_c.map(|(name, text)| (name.clone(), of(&name, &text)));
    shares
        .filter(|(_, share)| share.all + share.own > 0)
        .collect()
}

pub fn sum(shares: &[(String, Share)]) -> Share {
    let mut sum = Share::default();
    for (_, one) in shares {
        sum.all += one.all;
        sum.masked += one.masked;
        sum.predicated += one.predicated;
        sum.either += one.either;
        sum.own += one.own;
        for (why, count) in &one.refused {
            *sum.refused.entry(why.clone()).or_default() += count;
        }
    }
    sum
}
