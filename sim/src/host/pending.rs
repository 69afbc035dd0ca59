//! Tasks that wait in lists, each in a place of a table that no thread reaches (docs/spec/tasks.md, TASK-021 to TASK-025).

use super::descriptor::{state, word, Descriptor, BYTES, MOST_PLACES};
use super::mutation::Mutation;
use super::registers::{at, save, Code, Wrong};
use crate::memory::Memory;
use std::collections::VecDeque;

pub const LEVELS: usize = 16;

/// A task that waits: what was checked, and how far it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    /// Where its descriptor lies.
    pub address: u32,
    pub descriptor: Descriptor,
    /// TASK-025.
    pub of_threads: bool,
    /// CTAs that have been started.
    pub started: u32,
    pub failed: bool,
    /// Of a queue, as last read, and as moved on.
    pub put: u32,
    pub get: u32,
    pub open: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Table {
    /// TABLE_BASE, TABLE_NUMBER, THREAD_LIMIT, THREAD_LEVEL.
    pub base: u32,
    pub number: u32,
    pub limit_of_threads: u32,
    pub level_of_threads: u32,
    /// By level: places, and who is there.
    lists: [VecDeque<(u32, Pending)>; LEVELS],
    /// Places that have been used since no list had a task, and of these those that are free, the next one last.
    used: u32,
    free: Vec<u32>,
}

impl Default for Table {
    fn default() -> Table {
        Table {
            base: 0,
            number: 0,
            limit_of_threads: 0,
            level_of_threads: 15,
            lists: Default::default(),
            used: 0,
            free: Vec::new(),
        }
    }
}

impl Table {
    /// TASK-022; an error is the offset of the register that is wrong.
    pub fn set_number(
        &mut self,
        number: u32,
        (thread_end, memory_end): (u32, u32),
    ) -> Result<(), u32> {
        (self.number, self.used) = (0, 0);
        self.free.clear();
        let end = u64::from(self.base) + u64::from(number) * u64::from(BYTES);
        let fits =
            self.base % BYTES == 0 && self.base >= thread_end && end <= u64::from(memory_end);
        match number {
            0 => Ok(()),
            2..=MOST_PLACES if fits => {
                self.number = number;
                Ok(())
            }
            2..=MOST_PLACES => Err(at::TABLE_BASE),
            _ => Err(at::TABLE_NUMBER),
        }
    }

    pub fn waits(&self, level: usize) -> bool {
        !self.lists[level].is_empty()
    }

    /// TASK-023, TASK-024: may a task be inserted?
    pub fn may_take(
        &self,
        of_threads: bool,
        task: u32,
        mutation: Option<Mutation>,
    ) -> Result<(), Wrong> {
        let all = self.lists.iter().flatten();
        let theirs = all.clone().filter(|(_, pending)| pending.of_threads);
        if all.count() as u32 + 1 >= self.number {
            return Err(Wrong::at(Code::TableFull, task));
        }
        let limit = match mutation {
            Some(Mutation::ThreadsHaveNoLimit) => 0,
            _ => self.limit_of_threads,
        };
        match of_threads && limit != 0 && theirs.count() as u32 >= limit {
            true => Err(Wrong::at(Code::ThreadLimit, task)),
            false => Ok(()),
        }
    }

    /// Into a place, and that into its list; `named`: where NAMED is, if it becomes 0 (TASK-027).
    pub fn put(
        &mut self,
        memory: &mut Memory,
        pending: Pending,
        named: Option<u32>,
        (level, at_head): (usize, bool),
    ) -> Result<(), Wrong> {
        let fresh = self.used < self.number;
        let next_free = self.free.last().copied();
        let place = if fresh {
            self.used
        } else {
            next_free.expect("one is kept for returns (TASK-023)")
        };
        let to = self.base + BYTES * place;
        for (address, word) in (to..).step_by(4).zip(pending.descriptor.words()) {
            save(memory, Code::TaskMemory, address, word)?;
        }
        if let Some(at) = named {
            save(memory, Code::TaskMemory, at, 0)?;
        }
        let at_state = pending.address + 4 * word::STATE;
        save(memory, Code::TaskMemory, at_state, state::PENDING)?;
        match fresh {
            true => self.used += 1,
            false => drop(self.free.pop()),
        }
        match at_head {
            true => self.lists[level].push_front((place, pending)),
            false => self.lists[level].push_back((place, pending)),
        }
        Ok(())
    }

    /// The first one of a list, out of its place.
    ///
    /// # Panics
    /// The list is empty.
    pub fn take(&mut self, level: usize) -> Pending {
        let (place, pending) = self.lists[level].pop_front().expect("it waits there");
        self.free.push(place);
        if self.lists.iter().all(VecDeque::is_empty) {
            self.used = 0;
            self.free.clear();
        }
        pending
    }
}
