//! A small data cache that knows only which lines it holds: for counting misses (`docs/spec/subvector.md`, SUBV-011).
//! The model's data do not pass through it.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CacheShape {
    /// Bytes of a line, a power of two.
    pub line: u32,
    /// Powers of two.
    pub sets: u32,
    pub ways: u32,
}

impl CacheShape {
    pub fn is_valid(&self) -> bool {
        let CacheShape { line, sets, ways } = *self;
        line >= 4 && [line, sets].into_iter().all(u32::is_power_of_two) && ways > 0
    }

    pub fn bytes(&self) -> u32 {
        self.line * self.sets * self.ways
    }
}

/// Set-associative; the line that was used least recently goes.
#[derive(Clone, Debug)]
pub struct Cache {
    shape: CacheShape,
    /// For each set its lines, the latest used first.
    sets: Vec<Vec<u32>>,
    pub accesses: u64,
    pub misses: u64,
}

impl Cache {
    pub fn new(shape: CacheShape) -> Cache {
        Cache {
            shape,
            sets: vec![Vec::new(); shape.sets as usize],
            accesses: 0,
            misses: 0,
        }
    }

    /// Number of the line of a byte address.
    pub fn line(&self, address: u32) -> u32 {
        address / self.shape.line
    }

    /// Uses a line, and says whether it was missing.
    pub fn access(&mut self, line: u32) -> bool {
        let set = &mut self.sets[(line % self.shape.sets) as usize];
        let found = set.iter().position(|&held| held == line);
        match found {
            Some(at) => set[..=at].rotate_right(1),
            None => {
                set.insert(0, line);
                set.truncate(self.shape.ways as usize);
            }
        }
        self.accesses += 1;
        self.misses += u64::from(found.is_none());
        found.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_used_least_recently_goes() {
        let mut cache = Cache::new(CacheShape {
            line: 64,
            sets: 2,
            ways: 2,
        });
        let missed: Vec<bool> = [0, 2, 0, 4, 0, 2, 1, 1]
            .map(|line| cache.access(line))
            .to_vec();
        assert_eq!(missed, [true, true, false, true, false, true, true, false]);
        assert_eq!((cache.accesses, cache.misses), (8, 5));
        assert_eq!((cache.line(127), cache.line(128)), (1, 2));
    }
}
