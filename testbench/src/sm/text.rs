//! Which word an SM may execute where a program has written into its own code (docs/spec/isa.md, ISA-023).
//!
//! A warp may find any word that has been there since its own latest write before its latest `fence.i`: writes of others may
//! still be on their way to memory.

use std::collections::BTreeMap;

/// A word, who has written it, and when.
#[derive(Clone, Copy, Debug)]
struct Written {
    cycle: u64,
    warp: usize,
    word: u32,
}

/// Words of the text that effects have changed.
#[derive(Debug, Default)]
pub struct Text {
    /// By address: the word before all writes, and those.
    words: BTreeMap<u32, (u32, Vec<Written>)>,
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
    pub fn wrote(&mut self, cycle: u64, warp: usize, address: u32, [before, now]: [u32; 2]) {
        let (_, writes) = self.words.entry(address).or_insert((before, Vec::new()));
        writes.push(Written {
            cycle,
            warp,
            word: now,
        });
    }

    pub fn fenced(&mut self, warp: usize, cycle: u64) {
        self.fenced[warp] = cycle;
    }

    /// Words that the warp may execute; `None`: nobody has written there.
    pub fn of(&self, warp: usize, address: u32) -> Option<Vec<u32>> {
        let (before, writes) = self.words.get(&address)?;
        let own = |w: &Written| w.warp == warp && w.cycle <= self.fenced[warp];
        let latest = writes.iter().rposition(own);
        let since = &writes[latest.unwrap_or(0)..];
        let before = latest.is_none().then_some(*before);
        Some(
            before
                .into_iter()
                .chain(since.iter().map(|w| w.word))
                .collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn behind_a_fence_the_own_word_counts_and_later_ones() {
        let mut text = Text::new(2);
        assert!(text.is_constant());
        text.wrote(10, 0, 0x1000, [1, 2]);
        text.wrote(20, 1, 0x1000, [2, 3]);
        text.wrote(30, 0, 0x1000, [3, 4]);
        assert!(!text.is_constant());
        assert_eq!(text.of(0, 0x1000).unwrap(), [1, 2, 3, 4]);
        assert_eq!(text.of(0, 0x1004), None);
        text.fenced(0, 15);
        assert_eq!(text.of(0, 0x1000).unwrap(), [2, 3, 4]);
        text.fenced(0, 31);
        assert_eq!(text.of(0, 0x1000).unwrap(), [4]);
        assert_eq!(text.of(1, 0x1000).unwrap(), [1, 2, 3, 4]);
        text.fenced(1, 31);
        assert_eq!(text.of(1, 0x1000).unwrap(), [3, 4]);
    }
}
