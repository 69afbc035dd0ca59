//! Memory as it must be: changed by each effect in the order in which the trace shows them (SM-021).

use std::collections::{BTreeMap, HashMap, HashSet};
use weft_isa::AmoOp;
use weft_sim::memory::{FaultCause, MEMORY_BASE};
use weft_sim::space::{Bounds, Window, LOCAL, SCRATCHPAD};
use weft_sim::Memory;

/// Who accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Who {
    /// Number in the grid.
    pub thread: u32,
    /// CTA in the grid.
    pub cta: u32,
    /// Thread slot: warp × W + lane.
    pub slot: u32,
}

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Load {
        signed: bool,
    },
    Store,
    LoadReserved,
    /// `true`: it stores.
    StoreConditional(bool),
    Amo(AmoOp),
}

/// Where a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Word {
    /// Byte address in the memory behind the port.
    Physical(u32),
    /// Of this CTA, byte in the window.
    Scratchpad(u32, u32),
}

pub struct Shadow {
    bytes: Vec<u8>,
    scratchpads: BTreeMap<u32, Vec<u8>>,
    /// Words whose contents nobody can say: never written, or written after a fault.
    unknown: HashSet<Word>,
    bounds: Bounds,
    local_base: u32,
    /// Threads of the SM.
    threads: u32,
    /// Word by thread.
    reservations: HashMap<u32, Word>,
    /// Number of the latest effect that wrote a word.
    writers: HashMap<Word, u64>,
    effects: u64,
    pub changes: u64,
}

impl Shadow {
    /// `bytes`: what is in the memory behind the port at the launch.
    pub fn new(bytes: Vec<u8>, bounds: Bounds, local_base: u32, threads: u32) -> Shadow {
        Shadow {
            bytes,
            scratchpads: BTreeMap::new(),
            unknown: HashSet::new(),
            bounds,
            local_base,
            threads,
            reservations: HashMap::new(),
            writers: HashMap::new(),
            effects: 0,
            changes: 0,
        }
    }

    /// MEM-004: nobody knows what the CTA finds there.
    pub fn cta(&mut self, cta: u32) {
        let bytes = self.bounds.scratchpad.next_multiple_of(4);
        self.scratchpads.insert(cta, vec![0; bytes as usize]);
        let words = (0..bytes).step_by(4);
        self.unknown
            .extend(words.map(|at| Word::Scratchpad(cta, at)));
    }

    pub fn cta_ends(&mut self, cta: u32) {
        self.scratchpads.remove(&cta);
        let other = |word: &Word| !matches!(word, Word::Scratchpad(c, _) if *c == cta);
        self.unknown.retain(other);
        self.writers.retain(|word, _| other(word));
    }

    /// The word of an access, by MEM-001.
    pub fn word(&self, who: &Who, address: u32) -> Result<Word, FaultCause> {
        Ok(match self.bounds.window(address, 1)? {
            Window::Global => Word::Physical(address & !3),
            Window::Local => {
                let k = (address - LOCAL) / 4;
                Word::Physical(self.local_base + 4 * (k * self.threads + who.slot))
            }
            Window::Scratchpad => Word::Scratchpad(who.cta, (address - SCRATCHPAD) & !3),
        })
    }

    fn get(&self, word: Word) -> u32 {
        let (bytes, at) = match word {
            Word::Physical(at) => (&self.bytes, at),
            Word::Scratchpad(cta, at) => (&self.scratchpads[&cta], at),
        };
        let at = at as usize;
        u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
    }

    /// The word of global memory at an address.
    pub fn physical(&self, address: u32) -> Option<u32> {
        let at = (address & !3) as usize;
        let bytes = self.bytes.get(at..at + 4)?;
        Some(u32::from_le_bytes(bytes.try_into().expect("four bytes")))
    }

    fn set(&mut self, who: &Who, word: Word, value: u32) {
        self.changes += u64::from(self.get(word) != value);
        let (bytes, at) = match word {
            Word::Physical(at) => (&mut self.bytes, at),
            Word::Scratchpad(cta, at) => (self.scratchpads.entry(cta).or_default(), at),
        };
        bytes[at as usize..at as usize + 4].copy_from_slice(&value.to_le_bytes());
        self.reservations
            .retain(|&thread, reserved| thread == who.thread || *reserved != word);
        self.writers.insert(word, self.effects);
    }

    /// The next effect. `size`: bytes. Gives the result: of a load, an LR or an AMO; `None`: nobody can say.
    /// `Err`: it cannot be.
    pub fn access(
        &mut self,
        who: &Who,
        kind: Kind,
        size: u32,
        address: u32,
        data: u32,
    ) -> Result<Option<u32>, String> {
        self.effects += 1;
        let word = self.word(who, address).map_err(|e| e.to_string())?;
        let known = !self.unknown.contains(&word);
        let old = self.get(word);
        let shift = 8 * (address & 3);
        let mask = match size {
            4 => u32::MAX,
            _ => (1u32 << (8 * size)) - 1,
        };
        match kind {
            Kind::Load { signed } => {
                let value = old >> shift & mask;
                let sign = 1u32 << (8 * size - 1);
                let extended = match signed && value & sign != 0 {
                    true => value | !mask,
                    false => value,
                };
                Ok(known.then_some(extended))
            }
            Kind::LoadReserved => {
                self.reservations.insert(who.thread, word);
                Ok(known.then_some(old))
            }
            Kind::Store => {
                let new = old & !(mask << shift) | (data & mask) << shift;
                self.set(who, word, new);
                if size == 4 {
                    self.unknown.remove(&word);
                }
                Ok(Some(0))
            }
            Kind::StoreConditional(stores) => {
                let held = self.reservations.remove(&who.thread) == Some(word);
                if stores && !held {
                    return Err(format!(
                        "MEM-015: an SC to {address:#x} has stored without a reservation"
                    ));
                }
                if stores {
                    self.set(who, word, data);
                    self.unknown.remove(&word);
                }
                Ok(Some(u32::from(!stores)))
            }
            Kind::Amo(op) => {
                let (a, b) = (old as i32, data as i32);
                let new = match op {
                    AmoOp::Swap => data,
                    AmoOp::Add => old.wrapping_add(data),
                    AmoOp::Xor => old ^ data,
                    AmoOp::And => old & data,
                    AmoOp::Or => old | data,
                    AmoOp::Min => a.min(b) as u32,
                    AmoOp::Max => a.max(b) as u32,
                    AmoOp::Minu => old.min(data),
                    AmoOp::Maxu => old.max(data),
                };
                self.set(who, word, new);
                if op == AmoOp::Swap {
                    self.unknown.remove(&word);
                }
                Ok(known.then_some(old))
            }
        }
    }

    /// Whether this thread holds a reservation on the word of this address.
    pub fn reserved(&self, who: &Who, address: u32) -> bool {
        let word = self.word(who, address).ok();
        word.is_some() && self.reservations.get(&who.thread).copied() == word
    }

    /// A write that nobody foresaw, by a warp that has faulted: the word may hold anything.
    pub fn forget(&mut self, who: &Who, address: u32) -> Result<(), String> {
        self.effects += 1;
        let word = self.word(who, address).map_err(|e| e.to_string())?;
        self.unknown.insert(word);
        self.writers.insert(word, self.effects);
        self.reservations.retain(|_, reserved| *reserved != word);
        self.changes += 1;
        Ok(())
    }

    /// Number of the latest effect.
    pub fn now(&self) -> u64 {
        self.effects
    }

    /// A word behind the port that nobody has written since effect number `since`, and whose contents are known.
    pub fn written_last(&self, word: Word, since: u64) -> Option<(u32, u32)> {
        let at = match word {
            Word::Physical(at) if !self.unknown.contains(&word) => at,
            _ => return None,
        };
        (self.writers.get(&word) == Some(&since)).then(|| (at, self.get(word)))
    }

    /// The first word below `end` in which this memory differs: address, value here, value there.
    pub fn differs(&self, bytes: &[u8], end: u32) -> Option<(u32, u32, u32)> {
        let end = (end as usize).min(self.bytes.len()).min(bytes.len());
        const PAGE: usize = 4096;
        for from in (MEMORY_BASE as usize..end).step_by(PAGE) {
            let to = (from + PAGE).min(end);
            if self.bytes[from..to] == bytes[from..to] {
                continue;
            }
            for at in (from..to).step_by(4) {
                let word = |b: &[u8]| u32::from_le_bytes([b[at], b[at + 1], b[at + 2], b[at + 3]]);
                let (ours, theirs) = (word(&self.bytes), word(bytes));
                if ours != theirs && !self.unknown.contains(&Word::Physical(at as u32)) {
                    return Some((at as u32, ours, theirs));
                }
            }
        }
        None
    }

    /// Global memory.
    pub fn global(&self) -> Memory {
        let mut memory = Memory::new(self.bounds.memory);
        let range = MEMORY_BASE as usize..self.bounds.memory as usize;
        memory
            .write_bytes(MEMORY_BASE, &self.bytes[range])
            .expect("it is as large");
        memory
    }
}
