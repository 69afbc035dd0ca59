//! Free memory, in ranges.

/// Every allocation begins at a multiple of it.
pub const ALIGNMENT: u32 = 64;

/// Free ranges in ascending order; no two touch.
#[derive(Clone, Debug)]
pub struct Room {
    free: Vec<(u32, u32)>,
}

impl Room {
    /// All of `begin` to `end` is free; both are taken to multiples of 64 inside.
    pub fn new(begin: u32, end: u32) -> Room {
        let begin = begin.next_multiple_of(ALIGNMENT);
        let end = end / ALIGNMENT * ALIGNMENT;
        let free = if begin < end {
            vec![(begin, end)]
        } else {
            Vec::new()
        };
        Room { free }
    }

    /// The lowest place of so many bytes, at least one.
    pub fn take(&mut self, bytes: u32) -> Option<u32> {
        let bytes = bytes.max(1).checked_next_multiple_of(ALIGNMENT)?;
        let fits = |(begin, end): &(u32, u32)| end - begin >= bytes;
        let n = self.free.iter().position(fits)?;
        let (begin, end) = self.free[n];
        match begin + bytes == end {
            true => drop(self.free.remove(n)),
            false => self.free[n].0 = begin + bytes,
        }
        Some(begin)
    }

    /// Takes this very range; false if some of it is not free.
    pub fn take_at(&mut self, begin: u32, bytes: u32) -> bool {
        let first = begin / ALIGNMENT * ALIGNMENT;
        let Some(last) = (begin.saturating_add(bytes)).checked_next_multiple_of(ALIGNMENT) else {
            return false;
        };
        let inside = |&(from, to): &(u32, u32)| from <= first && last <= to;
        let Some(n) = self.free.iter().position(inside) else {
            return false;
        };
        let (from, to) = self.free.remove(n);
        let parts = [(from, first), (last, to)];
        let parts = parts.into_iter().filter(|(from, to)| from < to);
        self.free.splice(n..n, parts);
        true
    }

    /// Takes the lowest range below `end` that begins a multiple of `step` from `begin`.
    pub fn take_like(&mut self, begin: u32, bytes: u32, step: u32, end: u32) -> Option<u32> {
        let fits = |&(from, to): &(u32, u32)| {
            let place = from.checked_add(begin.wrapping_sub(from) % step)?;
            let last = place
                .checked_add(bytes)?
                .checked_next_multiple_of(ALIGNMENT)?;
            (last <= to.min(end)).then_some(place)
        };
        let place = self.free.iter().find_map(fits)?;
        self.take_at(place, bytes).then_some(place)
    }

    /// Takes all of the range that has `begin` in it, or else comes first behind it: its first address from there on,
    /// and its bytes.
    pub fn take_rest(&mut self, begin: u32) -> Option<(u32, u32)> {
        let begin = begin.checked_next_multiple_of(ALIGNMENT)?;
        let &(from, to) = self.free.iter().find(|(_, to)| *to > begin)?;
        let from = from.max(begin);
        self.take_at(from, to - from).then_some((from, to - from))
    }

    /// Gives back what [`Room::take`] gave.
    pub fn give(&mut self, begin: u32, bytes: u32) {
        let end = begin + bytes.max(1).next_multiple_of(ALIGNMENT);
        let n = self.free.partition_point(|&(from, _)| from < begin);
        self.free.insert(n, (begin, end));
        if n + 1 < self.free.len() && self.free[n].1 == self.free[n + 1].0 {
            self.free[n].1 = self.free.remove(n + 1).1;
        }
        if n > 0 && self.free[n - 1].1 == self.free[n].0 {
            self.free[n - 1].1 = self.free.remove(n).1;
        }
    }

    /// Bytes that are free, all ranges together.
    pub fn free(&self) -> u32 {
        self.free.iter().map(|(begin, end)| end - begin).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_back_is_free_again() {
        let mut room = Room::new(0x1001, 0x2000);
        assert_eq!(room.free(), 0xfc0);
        let places = [1, 64, 65, 0].map(|bytes| room.take(bytes).unwrap());
        assert_eq!(places, [0x1040, 0x1080, 0x10c0, 0x1140]);
        assert_eq!(room.take(0xfc0), None);
        for (n, bytes) in [(2, 65), (0, 1), (3, 0), (1, 64)] {
            room.give(places[n], bytes);
        }
        assert_eq!(room.take(0xfc0), Some(0x1040));
        assert_eq!((room.take(1), room.free()), (None, 0));
    }

    #[test]
    fn a_place_of_ones_own() {
        let mut room = Room::new(0x1000, 0x2000);
        assert!(room.take_at(0x1100, 0x10));
        assert!(!room.take_at(0x1120, 0x10));
        assert!(!room.take_at(0x1fff, 2));
        assert!(!room.take_at(0xffff_fff0, 0x100));
        assert_eq!(room.take(0x200), Some(0x1140));
        room.give(0x1100, 0x10);
        assert_eq!(room.take(0x140), Some(0x1000));
    }

    #[test]
    fn the_rest() {
        let mut room = Room::new(0x1000, 0x4000);
        assert!(room.take_at(0x3000, 0x40));
        assert_eq!(room.take_rest(0x1801), Some((0x1840, 0x17c0)));
        assert_eq!(room.take_rest(0x1801), Some((0x3040, 0xfc0)));
        assert_eq!(room.take_rest(0x1801), None);
        assert_eq!(room.free(), 0x840);
    }

    #[test]
    fn a_place_like_another_one() {
        let mut room = Room::new(0x1000, 0x4000);
        assert!(room.take_at(0x1010, 0x10));
        assert_eq!(room.take_like(0x1010, 0x10, 0x1000, 0x4000), Some(0x2010));
        // What is in front of it stays free.
        assert_eq!(room.take(0x40), Some(0x1040));
        assert_eq!(room.take_like(0x9010, 0x1000, 0x1000, 0x4000), None);
        assert_eq!(room.take_like(0x9010, 0x20, 0x1000, 0x3020), None);
        assert_eq!(room.take_like(0x9010, 0x20, 0x1000, 0x3040), Some(0x3010));
    }
}
