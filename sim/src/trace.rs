//! Showing what retires.
//!
//! [`crate::Machine::run`] calls an `FnMut(&Record)` for every record; this module has what observers need.

use crate::deque::{kind_name, Token};
use crate::record::Record;
use std::collections::VecDeque;
use std::fmt;

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Token {
            kind,
            mask,
            address,
            below,
        } = self;
        write!(
            f,
            "{} {mask:x}@{:#x} below {below:04b}",
            kind_name(*kind),
            address * 4
        )
    }
}

/// One line: warp, byte pc, event, masks, where it goes on, and the deque's depth and front.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "w{:<2} {:#08x} {:<14} {:x}",
            self.warp,
            self.pc * 4,
            self.event.name(),
            self.mask
        )?;
        match self.done {
            true => write!(f, " done")?,
            false => write!(f, " -> {:#08x} {:x}", self.next_pc * 4, self.next_mask)?,
        }
        if let Some(front) = self.front {
            write!(f, "  [{}] {front}", self.depth)?;
        }
        if self.dropped {
            write!(f, "  push dropped")?;
        }
        Ok(())
    }
}

/// The latest records, for a message that explains how it came to this.
#[derive(Clone, Debug)]
pub struct History {
    most: usize,
    records: VecDeque<Record>,
}

impl History {
    pub fn new(most: usize) -> History {
        History {
            most,
            records: VecDeque::with_capacity(most),
        }
    }

    pub fn note(&mut self, record: &Record) {
        if self.records.len() == self.most {
            self.records.pop_front();
        }
        if self.most > 0 {
            self.records.push_back(*record);
        }
    }

    /// Oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Record> {
        self.records.iter()
    }
}

impl fmt::Display for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|record| writeln!(f, "{record}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Event, DIV};

    fn record(pc: u32) -> Record {
        let front = Token {
            kind: DIV,
            mask: 0xc,
            address: 0x402,
            below: 1,
        };
        Record {
            warp: 1,
            event: Event::Branch,
            pc,
            mask: 0xf,
            next_pc: 0x404,
            next_mask: 3,
            done: false,
            blocked: false,
            depth: 2,
            front: Some(front),
            dropped: false,
        }
    }

    #[test]
    fn a_record_is_one_line() {
        let line = record(0x400).to_string();
        assert_eq!(
            line,
            "w1  0x001000 BRANCH         f -> 0x001010 3  [2] DIV c@0x1008 below 0001"
        );
    }

    #[test]
    fn a_history_keeps_the_latest_records() {
        let mut history = History::new(2);
        (0..5).for_each(|pc| history.note(&record(pc)));
        assert_eq!(history.iter().map(|r| r.pc).collect::<Vec<_>>(), [3, 4]);
        History::new(0).note(&record(0));
    }
}
