//! What has been done to each byte of memory: who has written and read it last, and whether anybody has.

use super::clock::Moment;
use std::collections::HashMap;
use std::ops::Range;

/// Words of a page.
const WORDS: usize = 256;

/// An access, as it is remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    pub moment: Moment,
    /// Byte address of the instruction.
    pub pc: u32,
    /// It was atomic: those do not race with each other.
    pub atomic: bool,
}

/// What is remembered of some bytes: the last write, and all reads since that do not come before one another.
#[derive(Clone, Debug, Default)]
pub struct History {
    pub write: Option<Access>,
    pub reads: Vec<Access>,
}

impl History {
    fn make_atomic(&mut self) {
        self.write
            .iter_mut()
            .for_each(|access| access.atomic = true);
        self.reads
            .iter_mut()
            .for_each(|access| access.atomic = true);
    }
}

/// The four bytes of a word have one history until somebody accesses a part of them.
#[derive(Clone, Debug)]
enum Cell {
    Word(History),
    Bytes(Box<[History; 4]>),
}

impl Default for Cell {
    fn default() -> Cell {
        Cell::Word(History::default())
    }
}

#[derive(Clone, Debug)]
struct Page {
    cells: Vec<Cell>,
    /// Bits of bytes that somebody has written.
    written: Vec<u8>,
    /// By plain accesses beside fences, threads wait for one another here (CHECK-013).
    flags: Vec<bool>,
}

impl Page {
    fn new() -> Page {
        Page {
            cells: vec![Cell::default(); WORDS],
            written: vec![0; WORDS],
            flags: vec![false; WORDS],
        }
    }
}

/// Whose memory it is: global memory, the scratchpad of the CTA, or a thread's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    All,
    Cta,
    Thread(u32),
}

/// Bytes of one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes {
    pub owner: Owner,
    pub address: u32,
    /// 1, 2 or 4.
    pub size: u32,
}

impl Bytes {
    /// Bits of the bytes in their word.
    fn mask(self) -> u8 {
        (((1u32 << self.size) - 1) << (self.address & 3)) as u8
    }
}

#[derive(Clone, Debug, Default)]
pub struct Shadow {
    pages: HashMap<(Owner, u32), Page>,
}

impl Shadow {
    fn page(&mut self, bytes: Bytes) -> (&mut Page, usize) {
        let word = bytes.address / 4;
        let key = (bytes.owner, word / WORDS as u32);
        let page = self.pages.entry(key).or_insert_with(Page::new);
        (page, word as usize % WORDS)
    }

    /// Nothing is known any more of memory that a CTA and its threads have for themselves.
    pub fn forget_private(&mut self) {
        self.pages.retain(|(owner, _), _| *owner == Owner::All);
    }

    /// Global memory that has its contents from the beginning.
    pub fn contents(&mut self, range: Range<u32>) {
        for address in range {
            let byte = Bytes {
                owner: Owner::All,
                address,
                size: 1,
            };
            self.write(byte);
        }
    }

    pub fn write(&mut self, bytes: Bytes) {
        let (page, word) = self.page(bytes);
        page.written[word] |= bytes.mask();
    }

    /// None of the bytes has ever been written.
    pub fn is_unwritten(&mut self, bytes: Bytes) -> bool {
        let (page, word) = self.page(bytes);
        page.written[word] & bytes.mask() == 0
    }

    /// Threads wait for one another here: what was done to the word counts as atomic.
    pub fn make_flag(&mut self, bytes: Bytes) {
        let (page, word) = self.page(bytes);
        page.flags[word] = true;
        match &mut page.cells[word] {
            Cell::Word(history) => history.make_atomic(),
            Cell::Bytes(all) => all.iter_mut().for_each(History::make_atomic),
        }
    }

    pub fn is_flag(&mut self, bytes: Bytes) -> bool {
        let (page, word) = self.page(bytes);
        page.flags[word]
    }

    /// The histories of the bytes: one, or one for each.
    pub fn histories(&mut self, bytes: Bytes) -> &mut [History] {
        let (page, word) = self.page(bytes);
        let cell = &mut page.cells[word];
        if bytes.size < 4 {
            if let Cell::Word(history) = cell {
                *cell = Cell::Bytes(Box::new(std::array::from_fn(|_| history.clone())));
            }
        }
        match cell {
            Cell::Word(history) => std::slice::from_mut(history),
            Cell::Bytes(all) => {
                let first = (bytes.address & 3) as usize;
                &mut all[first..first + bytes.size as usize]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(address: u32, size: u32) -> Bytes {
        Bytes {
            owner: Owner::All,
            address,
            size,
        }
    }

    #[test]
    fn what_is_written_is_known_by_the_byte() {
        let mut shadow = Shadow::default();
        shadow.contents(0x1001..0x1003);
        shadow.write(bytes(0x1ffc, 2));
        let unwritten = |s: &mut Shadow, at, size| s.is_unwritten(bytes(at, size));
        assert!(unwritten(&mut shadow, 0x1000, 1) && unwritten(&mut shadow, 0x1003, 1));
        assert!(!unwritten(&mut shadow, 0x1000, 4) && !unwritten(&mut shadow, 0x1002, 2));
        assert!(!unwritten(&mut shadow, 0x1ffc, 4) && unwritten(&mut shadow, 0x1ffe, 2));
        let own = Bytes {
            owner: Owner::Thread(3),
            ..bytes(0x1ffc, 4)
        };
        assert!(shadow.is_unwritten(own));
        shadow.write(own);
        assert!(!shadow.is_unwritten(own));
        shadow.forget_private();
        assert!(shadow.is_unwritten(own));
    }

    #[test]
    fn parts_of_a_word_have_the_history_of_the_word_and_then_their_own() {
        let mut shadow = Shadow::default();
        let access = |thread| Access {
            moment: Moment { thread, time: 1 },
            pc: 0x1000,
            atomic: false,
        };
        shadow.histories(bytes(0x2000, 4))[0].write = Some(access(1));
        let halves = shadow.histories(bytes(0x2002, 2));
        assert_eq!(halves.len(), 2);
        halves.iter_mut().for_each(|h| h.write = Some(access(2)));
        let whole = shadow.histories(bytes(0x2000, 4));
        let writers: Vec<_> = whole
            .iter()
            .map(|h| h.write.unwrap().moment.thread)
            .collect();
        assert_eq!(writers, [1, 1, 2, 2]);
    }
}
