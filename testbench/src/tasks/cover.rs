//! What has happened, counted.

use std::collections::BTreeMap;

/// Cases by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cover(BTreeMap<String, u64>);

impl Cover {
    pub fn saw(&mut self, what: impl Into<String>) {
        *self.0.entry(what.into()).or_default() += 1;
    }

    /// How often each thing has happened that has.
    pub fn counts(&self) -> BTreeMap<String, u64> {
        self.0.clone()
    }

    pub fn count(&self, what: &str) -> u64 {
        self.0.get(what).copied().unwrap_or(0)
    }

    pub fn add(&mut self, other: &Cover) {
        for (what, times) in &other.0 {
            *self.0.entry(what.clone()).or_default() += times;
        }
    }

    /// Those of `wanted` that have not happened.
    pub fn missing<'a>(&self, wanted: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
        wanted
            .into_iter()
            .filter(|what| self.count(what) == 0)
            .collect()
    }
}

impl std::fmt::Display for Cover {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0
            .iter()
            .try_for_each(|(what, times)| writeln!(f, "{times:>8}  {what}"))
    }
}
