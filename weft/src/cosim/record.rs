//! What runs of random programs came to, as a file: written by `weft cosim --json` and `weft cosim merge --json`, read by
//! `weft cosim merge`.
//!
//! Programs of a campaign have numbers, and the same number of the same unit, settings and seed is the same program.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::path::PathBuf;
use weft_toolbox::Toolbox;

/// A file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Campaign {
    /// `null`: no program was run to its end.
    pub equal: Option<bool>,
    /// Somebody has ended it before all programs were run.
    pub interrupted: bool,
    /// Added up.
    pub seconds: f64,
    /// Programs that were run to their end.
    pub programs: u64,
    pub runs: Vec<Run>,
}

/// Programs of one unit with the same settings and seed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Run {
    pub unit: String,
    /// What besides the seed makes a program what it is, as options: `--size 4x4l4`.
    pub settings: String,
    pub seed: u64,
    /// Of the checkout; with + when something in it was changed.
    pub commit: String,
    /// Programs of the whole campaign.
    pub whole: Ranges,
    /// Programs that were run to their end, and were equal.
    pub ran: Ranges,
    pub seconds: f64,
    /// Of all programs of `ran` together; a run of control or sm that ended at a failure has none of these three.
    pub counts: BTreeMap<String, u64>,
    /// The largest of any program.
    pub most: BTreeMap<String, u64>,
    /// Situations that programs are to come into, and how often they did.
    pub bins: BTreeMap<String, u64>,
    pub failures: Vec<Failure>,
}

/// A program that was not equal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    pub index: u64,
    pub error: String,
    pub setup: String,
    /// The command that runs it again.
    pub replay: String,
    /// Files that say more, where it was run.
    pub waves: Option<String>,
    pub listing: Option<String>,
    pub minimised: Option<String>,
}

impl Failure {
    /// What each unit says of a program that was not equal.
    pub fn new(index: u64, error: &dyn fmt::Display, setup: String, replay: String) -> Failure {
        Failure {
            index,
            error: error.to_string(),
            setup,
            replay,
            ..Failure::default()
        }
    }

    pub fn with_files(self, waves: Option<PathBuf>, listing: Option<PathBuf>) -> Failure {
        let text = |path: PathBuf| path.display().to_string();
        Failure {
            waves: waves.map(text),
            listing: listing.map(text),
            ..self
        }
    }
}

impl Campaign {
    pub fn of(runs: Vec<Run>, interrupted: bool) -> Campaign {
        let programs = runs.iter().map(|run| run.ran.count()).sum();
        let failed = runs.iter().any(|run| !run.failures.is_empty());
        Campaign {
            equal: match failed {
                true => Some(false),
                false => (programs > 0).then_some(true),
            },
            interrupted,
            seconds: runs.iter().map(|run| run.seconds).sum(),
            programs,
            runs,
        }
    }
}

impl Run {
    pub fn new(unit: &str, settings: String, seed: u64) -> Run {
        Run {
            unit: unit.into(),
            settings,
            seed,
            commit: Toolbox::here().commit(),
            ..Run::default()
        }
    }

    /// Which programs these are of: what must be the same for two runs to be of one campaign.
    pub fn name(&self) -> String {
        let settings = match self.settings.as_str() {
            "" => String::new(),
            settings => format!(" {settings}"),
        };
        format!("{}{settings}, seed {}", self.unit, self.seed)
    }

    /// Bins that no program has come into.
    pub fn never(&self) -> Vec<&str> {
        let never = self.bins.iter().filter(|(_, count)| **count == 0);
        never.map(|(name, _)| name.as_str()).collect()
    }
}

/// Numbers of programs: from the first up to the one behind the last, ascending, not adjoining.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ranges(Vec<(u64, u64)>);

impl Ranges {
    pub fn of(range: Range<u64>) -> Ranges {
        let mut ranges = Ranges::default();
        ranges.add(range);
        ranges
    }

    fn add(&mut self, range: Range<u64>) {
        if range.is_empty() {
            return;
        }
        self.0.push((range.start, range.end));
        self.0.sort_unstable();
        let mut joined: Vec<(u64, u64)> = Vec::new();
        for &(start, end) in &self.0 {
            match joined.last_mut() {
                Some(last) if start <= last.1 => last.1 = last.1.max(end),
                _ => joined.push((start, end)),
            }
        }
        self.0 = joined;
    }

    pub fn join(&mut self, other: &Ranges) {
        for &(start, end) in &other.0 {
            self.add(start..end);
        }
    }

    pub fn count(&self) -> u64 {
        self.0.iter().map(|(start, end)| end - start).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Those that both have.
    pub fn common(&self, other: &Ranges) -> Ranges {
        let mut common = Ranges::default();
        for a in &self.0 {
            for b in &other.0 {
                common.add(a.0.max(b.0)..a.1.min(b.1).max(a.0.max(b.0)));
            }
        }
        common
    }

    /// Those that `other` has not.
    pub fn without(&self, other: &Ranges) -> Ranges {
        let mut left = Ranges::default();
        for &(start, end) in &self.0 {
            let mut next = start;
            for &(from, to) in &other.0 {
                let (from, to) = (from.clamp(next, end), to.clamp(next, end));
                left.add(next..from);
                next = to;
            }
            left.add(next..end);
        }
        left
    }
}

impl fmt::Display for Ranges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, (start, end)) in self.0.iter().enumerate() {
            let and = if n == 0 { "" } else { ", " };
            match end - start {
                1 => write!(f, "{and}{start}")?,
                _ => write!(f, "{and}{start} to {}", end - 1)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges(list: &[(u64, u64)]) -> Ranges {
        let mut ranges = Ranges::default();
        list.iter().for_each(|&(start, end)| ranges.add(start..end));
        ranges
    }

    /// Against sets of numbers, over all pairs of ranges of small numbers.
    #[test]
    fn ranges_are_sets() {
        let of = |bits: u32| {
            let mut ranges = Ranges::default();
            for n in (0..6).filter(|n| bits >> n & 1 == 1) {
                ranges.add(n..n + 1);
            }
            ranges
        };
        for a in 0..64 {
            for b in 0..64 {
                let (left, right) = (of(a), of(b));
                assert_eq!(left.common(&right), of(a & b), "{left} and {right}");
                assert_eq!(left.without(&right), of(a & !b), "{left} without {right}");
                let mut both = left.clone();
                both.join(&right);
                assert_eq!(both, of(a | b));
                assert_eq!(both.count(), u64::from((a | b).count_ones()));
            }
        }
    }

    #[test]
    fn ranges_in_words() {
        assert_eq!(ranges(&[(4, 5), (0, 3), (3, 4)]).to_string(), "0 to 4");
        assert_eq!(ranges(&[(7, 8), (0, 3), (9, 9)]).to_string(), "0 to 2, 7");
        assert_eq!(Ranges::default().to_string(), "");
    }

    #[test]
    fn a_campaign_is_equal_when_some_program_was_run_and_none_differs() {
        let run = |ran: Range<u64>, failures| Run {
            ran: Ranges::of(ran),
            failures,
            ..Run::default()
        };
        let equal = |runs| Campaign::of(runs, false).equal;
        assert_eq!(equal(vec![]), None);
        assert_eq!(equal(vec![run(0..0, vec![])]), None);
        assert_eq!(equal(vec![run(0..3, vec![])]), Some(true));
        let failed = run(0..2, vec![Failure::default()]);
        assert_eq!(equal(vec![run(0..3, vec![]), failed]), Some(false));
    }
}
