//! Which word an SM may execute where a program has written into its own code (docs/spec/isa.md, ISA-023).
//!
//! Behind a write and until its own next `fence.i` a warp may find any word that has been there since its last one.

use std::collections::BTreeMap;

/// Words of the text that effects have changed.
#[derive(Debug, Default)]
pub struct Text {
    /// By address: the word before, and each one since, with its cycle.
    words: BTreeMap<u32, Vec<(u64, u32)>>,
    /// By warp: when its last `fence.i` has retired.
    fenced: Vec<u64>,
}

impl Text {
    pub fn new(warps: usize) -> Text {
        Text {
            words: BTreeMap::new(),
            fenced: vec![0; warps],
        }
    }

    /// Nobody has written into it.
    pub fn is_constant(&self) -> bool {
        self.words.is_empty()
    }

    /// A word that was `before` is `now`.
    pub fn wrote(&mut self, cycle: u64, address: u32, before: u32, now: u32) {
        let words = self
            .words
            .entry(address)
            .or_insert_with(|| vec![(0, before)]);
        words.push((cycle, now));
    }

    pub fn fenced(&mut self, warp: usize, cycle: u64) {
        self.fenced[warp] = cycle;
    }

    /// Words that the warp may execute; none: nobody has written there.
    pub fn of(&self, warp: usize, address: u32) -> Option<Vec<u32>> {
        let words = self.words.get(&address)?;
        let old = words.partition_point(|(cycle, _)| *cycle <= self.fenced[warp]);
        let since = &words[old.saturating_sub(1)..];
        Some(since.iter().map(|(_, word)| *word).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn behind_a_fence_only_the_latest_word_counts() {
        let mut text = Text::new(2);
        assert!(text.is_constant());
        text.wrote(10, 0x1000, 1, 2);
        text.wrote(20, 0x1000, 2, 3);
        assert!(!text.is_constant());
        assert_eq!(text.of(0, 0x1000).unwrap(), [1, 2, 3]);
        assert_eq!(text.of(0, 0x1004), None);
        text.fenced(0, 15);
        assert_eq!(text.of(0, 0x1000).unwrap(), [2, 3]);
        text.fenced(0, 21);
        assert_eq!(text.of(0, 0x1000).unwrap(), [3]);
        assert_eq!(text.of(1, 0x1000).unwrap(), [1, 2, 3]);
    }
}
