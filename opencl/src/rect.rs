//! Rectangles of up to three dimensions in a run of bytes.

use crate::code::{ensure, Code, Outcome};
use opencl_sys::CL_INVALID_VALUE;

/// Where rows begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Of the first byte.
    first: usize,
    row: usize,
    slice: usize,
}

impl Layout {
    /// Pitches of 0 are those of the region.
    ///
    /// # Errors
    /// Pitches that are too small, or numbers that are too large.
    pub fn new(
        origin: [usize; 3],
        region: [usize; 3],
        row: usize,
        slice: usize,
    ) -> Outcome<Layout> {
        ensure(region.iter().all(|&side| side > 0), CL_INVALID_VALUE)?;
        let row = if row == 0 { region[0] } else { row };
        let rows = region[1].checked_mul(row).ok_or(Code(CL_INVALID_VALUE))?;
        let slice = if slice == 0 { rows } else { slice };
        ensure(row >= region[0], CL_INVALID_VALUE)?;
        ensure(slice >= rows && slice % row == 0, CL_INVALID_VALUE)?;
        let first = (|| {
            let [x, y, z] = origin;
            z.checked_mul(slice)?
                .checked_add(y.checked_mul(row)?)?
                .checked_add(x)
        })();
        let first = first.ok_or(Code(CL_INVALID_VALUE))?;
        let layout = Layout { first, row, slice };
        layout.end_of(region).map(|_| layout)
    }

    /// Behind the last byte of a region.
    fn end_of(&self, [width, height, depth]: [usize; 3]) -> Outcome<usize> {
        let end = (|| {
            let slices = (depth - 1).checked_mul(self.slice)?;
            let rows = (height - 1).checked_mul(self.row)?;
            self.first
                .checked_add(slices)?
                .checked_add(rows)?
                .checked_add(width)
        })();
        end.ok_or(Code(CL_INVALID_VALUE))
    }

    /// Bytes that a region reaches into a run of bytes.
    ///
    /// # Errors
    /// More than `size`.
    pub fn within(&self, region: [usize; 3], size: usize) -> Outcome<usize> {
        let end = self.end_of(region)?;
        ensure(end <= size, CL_INVALID_VALUE)?;
        Ok(end)
    }

    /// Bytes that a region needs.
    ///
    /// # Errors
    /// Too many for a number.
    pub fn reach(&self, region: [usize; 3]) -> Outcome<usize> {
        self.end_of(region)
    }

    fn row_at(&self, y: usize, z: usize) -> usize {
        self.first + z * self.slice + y * self.row
    }

    /// Two rectangles of one region in one run of bytes, the other one so many bytes further on: do they share a byte?
    ///
    /// *Why row by row:* boxes around them may overlap when they do not.
    pub fn overlaps(&self, other: &Layout, apart: i64, region: [usize; 3]) -> bool {
        let rows = |layout: &Layout| -> Vec<i64> {
            let mut starts: Vec<i64> = pairs(region)
                .map(|(y, z)| layout.row_at(y, z) as i64)
                .collect();
            starts.sort_unstable();
            starts
        };
        let mine = rows(self);
        let width = region[0] as i64;
        rows(other).into_iter().any(|start| {
            let start = start + apart;
            // The first of mine that ends behind its start.
            let at = mine.partition_point(|&row| row + width <= start);
            mine.get(at).is_some_and(|&row| row < start + width)
        })
    }
}

fn pairs([_, height, depth]: [usize; 3]) -> impl Iterator<Item = (usize, usize)> {
    (0..depth).flat_map(move |z| (0..height).map(move |y| (y, z)))
}

/// First bytes of each row in both.
pub fn rows(from: Layout, to: Layout, region: [usize; 3]) -> impl Iterator<Item = (usize, usize)> {
    pairs(region).map(move |(y, z)| (from.row_at(y, z), to.row_at(y, z)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_box() {
        let region = [2, 2, 2];
        let from = Layout::new([1, 1, 1], region, 4, 12).unwrap();
        let to = Layout::new([0; 3], region, 0, 0).unwrap();
        let all: Vec<_> = rows(from, to, region).collect();
        assert_eq!(all, [(17, 0), (21, 2), (29, 4), (33, 6)]);
        assert_eq!(from.within(region, 35), Ok(35));
        assert!(from.within(region, 34).is_err());
    }

    #[test]
    fn pitches_that_do_not_fit_are_refused() {
        for (row, slice) in [(1, 0), (4, 7), (4, 10)] {
            assert!(
                Layout::new([0; 3], [2, 2, 2], row, slice).is_err(),
                "{row} {slice}"
            );
        }
        assert!(Layout::new([0; 3], [2, 0, 2], 0, 0).is_err());
        assert!(Layout::new([usize::MAX; 3], [2, 2, 2], 0, 0).is_err());
    }

    #[test]
    fn overlaps_are_those_of_bytes() {
        let region = [2, 2, 1];
        let at = |x| Layout::new([x, 0, 0], region, 4, 0).unwrap();
        // Side by side, in the same rows.
        assert!(!at(0).overlaps(&at(2), 0, region));
        assert!(at(0).overlaps(&at(1), 0, region));
        assert!(at(0).overlaps(&at(2), -1, region));
        assert!(!at(0).overlaps(&at(2), 4, region));
        assert!(at(0).overlaps(&at(0), 4, region));
        assert!(!at(0).overlaps(&at(0), 8, region));
    }
}
