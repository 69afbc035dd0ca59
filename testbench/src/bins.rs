//! Bins in several dimensions, of which some are impossible: how often each was hit.

use serde::Serialize;
use std::marker::PhantomData;

/// A bin, by its place in every dimension.
pub trait Bins: Copy + 'static {
    /// By their index.
    fn all() -> impl Iterator<Item = Self>;

    /// Why it cannot be hit.
    fn impossible(self) -> Option<&'static str>;

    fn index(self) -> usize;
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(bound = "")]
pub struct Hits<B> {
    counts: Vec<u64>,
    #[serde(skip)]
    bins: PhantomData<B>,
}

impl<B: Bins> Default for Hits<B> {
    fn default() -> Self {
        Hits {
            counts: vec![0; B::all().count()],
            bins: PhantomData,
        }
    }
}

impl<B: Bins> Hits<B> {
    pub fn hit(&mut self, bin: B) {
        self.counts[bin.index()] += 1;
    }

    pub fn add(&mut self, other: &Hits<B>) {
        let pairs = self.counts.iter_mut().zip(&other.counts);
        pairs.for_each(|(ours, theirs)| *ours += theirs);
    }

    pub fn count(&self, bin: B) -> u64 {
        self.counts[bin.index()]
    }

    /// Possible bins that were never hit.
    pub fn missing(&self) -> Vec<B> {
        let missing = |bin: &B| bin.impossible().is_none() && self.count(*bin) == 0;
        B::all().filter(missing).collect()
    }

    /// Bins that were hit although they are impossible.
    pub fn wrong(&self) -> Vec<B> {
        let wrong = |bin: &B| bin.impossible().is_some() && self.count(*bin) != 0;
        B::all().filter(wrong).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{cross, mask_cross};

    fn numbered_in_order<B: Bins>() {
        let numbers: Vec<usize> = B::all().map(Bins::index).collect();
        assert_eq!(numbers, (0..numbers.len()).collect::<Vec<_>>());
    }

    #[test]
    fn bins_are_numbered_in_order() {
        numbered_in_order::<cross::Bin>();
        numbered_in_order::<mask_cross::Bin>();
    }
}
