//! What the threads of one SM see of global memory: lines that it holds, which may be older than memory, and writes
//! that have not come there yet (`docs/spec/memory-model.md`, ORDER-001).
//!
//! What happens when is drawn: a line comes, stays or goes, a write comes to memory now or later. So a program that
//! does not order its accesses goes wrong here as it may on hardware. Nothing here follows the hardware's own timing.

use crate::draw::Draw;
use crate::memory::{load_size, store_size, FaultCause, Memory, LINE};
use weft_isa::{AmoOp, Instr, LoadWidth, StoreWidth};

/// Lines that are held at most: one of each residue.
const SETS: usize = 64;
/// Writes that are on their way at most.
const MOST_WRITES: usize = 12;
/// Sets of a FENCE: what comes before, what comes behind.
pub(crate) const READS: u16 = 2;
pub(crate) const WRITES: u16 = 1;

/// What an instruction makes its thread wait for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// The warp's writes come to memory before (ORDER-011, ORDER-022).
    pub settles: bool,
    /// Nothing that is held counts behind it (ORDER-012, ORDER-021).
    pub forgets: bool,
}

impl Order {
    pub fn of(instr: Instr) -> Order {
        match instr {
            Instr::LoadReserved { aq, rl, .. }
            | Instr::StoreConditional { aq, rl, .. }
            | Instr::Amo { aq, rl, .. } => Order {
                settles: rl,
                forgets: aq,
            },
            // Loads are made when they come, so there is nothing else to wait for.
            Instr::Fence { fields } => Order {
                settles: fields >> 4 & WRITES != 0,
                forgets: fields & READS != 0,
            },
            Instr::FenceI => Order {
                settles: true,
                forgets: false,
            },
            _ => Order::default(),
        }
    }
}

#[derive(Clone, Debug)]
struct Held {
    line: Option<u32>,
    bytes: [u8; LINE as usize],
}

/// A store that is not in memory.
#[derive(Clone, Copy, Debug)]
struct Write {
    /// What the thread is called in memory.
    thread: u32,
    width: StoreWidth,
    address: u32,
    value: u32,
}

#[derive(Clone, Debug)]
pub struct View {
    draw: Draw,
    /// Threads of a warp.
    width: u32,
    held: Vec<Held>,
    writes: Vec<Write>,
    /// For tests: orders that do nothing.
    ignored: Order,
}

impl View {
    pub fn new(seed: u64, width: usize) -> View {
        let nothing = Held {
            line: None,
            bytes: [0; LINE as usize],
        };
        View {
            // Of a generator that must not begin with 0.
            draw: Draw::new(seed),
            width: width as u32,
            held: vec![nothing; SETS],
            writes: Vec::new(),
            ignored: Order::default(),
        }
    }

    #[doc(hidden)]
    pub fn ignore(&mut self, order: Order) {
        self.ignored = order;
    }

    /// No line is held any more.
    pub fn forget(&mut self) {
        self.held.iter_mut().for_each(|held| held.line = None);
    }

    /// What has to happen before an instruction of the warp that `thread` belongs to.
    pub fn before(&mut self, order: Order, thread: u32, memory: &mut Memory) {
        if order.settles && !self.ignored.settles {
            let first = thread / self.width * self.width;
            self.settle(first..first + self.width, memory);
        }
    }

    /// What happens when all its threads have acted.
    pub fn behind(&mut self, order: Order) {
        if order.forgets && !self.ignored.forgets {
            self.forget();
        }
    }

    /// Writes of these threads come to memory; those of others to the same lines that were before them, too.
    pub fn settle(&mut self, threads: std::ops::Range<u32>, memory: &mut Memory) {
        while let Some(at) = self
            .writes
            .iter()
            .position(|write| threads.contains(&write.thread))
        {
            self.land(at, memory);
        }
    }

    /// Time goes by: some writes come to memory.
    pub fn wait(&mut self, memory: &mut Memory) {
        if self.draw.of(2) == 0 {
            self.some_write(memory);
        }
    }

    fn some_write(&mut self, memory: &mut Memory) {
        if !self.writes.is_empty() {
            let at = self.draw.of(self.writes.len());
            self.land(at, memory);
        }
    }

    /// The first write to this one's line comes to memory: those to a line keep their order (ORDER-030).
    fn land(&mut self, at: usize, memory: &mut Memory) {
        let line = self.writes[at].address / LINE;
        let first = self.writes.iter().position(|w| w.address / LINE == line);
        let write = self.writes.remove(first.unwrap_or(at));
        memory
            .store(write.thread, write.width, write.address, write.value)
            .expect("it was looked at when the store was made");
    }

    /// All writes to a line come to memory: who reads it, or goes to memory itself, waits for them (ORDER-030).
    fn land_line(&mut self, line: u32, memory: &mut Memory) {
        while let Some(at) = self.writes.iter().position(|w| w.address / LINE == line) {
            self.land(at, memory);
        }
    }

    /// What may happen at any time.
    fn something(&mut self, memory: &mut Memory) {
        match self.draw.of(32) {
            0..=6 => self.some_write(memory),
            7 => {
                let at = self.draw.of(SETS);
                self.held[at].line = None;
            }
            _ => {}
        }
    }

    fn set(line: u32) -> usize {
        line as usize % SETS
    }

    fn drop_line(&mut self, line: u32) {
        let held = &mut self.held[Self::set(line)];
        if held.line == Some(line) {
            held.line = None;
        }
    }

    /// The line as memory has it; it stays, most times, whatever its address came from (ORDER-002).
    fn fetch(&mut self, line: u32, memory: &Memory) -> bool {
        let Some(bytes) = memory.shared_line(line) else {
            return false;
        };
        let stays = self.draw.of(8) != 0;
        let held = &mut self.held[Self::set(line)];
        held.bytes.copy_from_slice(bytes);
        held.line = stays.then_some(line);
        true
    }

    /// Of a line that comes, the one behind it may come, too.
    fn read_ahead(&mut self, line: u32, memory: &Memory) {
        let awaited = self.writes.iter().any(|w| w.address / LINE == line);
        if !awaited && self.held[Self::set(line)].line != Some(line) {
            self.fetch(line, memory);
        }
    }

    pub fn read(
        &mut self,
        memory: &mut Memory,
        width: LoadWidth,
        address: u32,
    ) -> Result<u32, FaultCause> {
        self.something(memory);
        let line = address / LINE;
        self.land_line(line, memory);
        if self.held[Self::set(line)].line != Some(line) {
            if !self.fetch(line, memory) {
                return memory.read(width, address);
            }
            let value = self.value(width, address);
            if self.draw.of(4) == 0 {
                self.read_ahead(line + 1, memory);
            }
            return Ok(value);
        }
        Ok(self.value(width, address))
    }

    /// What the place of the line has there.
    fn value(&self, width: LoadWidth, address: u32) -> u32 {
        let bytes = &self.held[Self::set(address / LINE)].bytes;
        let at = (address % LINE) as usize;
        let raw = bytes[at..at + load_size(width) as usize].iter().rev();
        let raw = raw.fold(0u32, |all, byte| all << 8 | u32::from(*byte));
        match width {
            LoadWidth::I8 => raw as i8 as u32,
            LoadWidth::I16 => raw as i16 as u32,
            LoadWidth::U8 | LoadWidth::U16 | LoadWidth::I32 => raw,
        }
    }

    /// A line that is held has what this SM writes at once.
    fn change(&mut self, width: StoreWidth, address: u32, value: u32) {
        let held = &mut self.held[Self::set(address / LINE)];
        if held.line == Some(address / LINE) {
            let at = (address % LINE) as usize;
            let size = store_size(width) as usize;
            held.bytes[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
        }
    }

    pub fn store(
        &mut self,
        memory: &mut Memory,
        thread: u32,
        width: StoreWidth,
        address: u32,
        value: u32,
    ) -> Result<(), FaultCause> {
        memory.read_u32(address & !3)?;
        self.something(memory);
        if self.writes.len() == MOST_WRITES {
            self.some_write(memory);
        }
        self.change(width, address, value);
        self.writes.push(Write {
            thread,
            width,
            address,
            value,
        });
        if self.draw.of(2) == 0 {
            self.land_line(address / LINE, memory);
        }
        Ok(())
    }

    pub fn load_reserved(
        &mut self,
        memory: &mut Memory,
        thread: u32,
        address: u32,
    ) -> Result<u32, FaultCause> {
        self.past_lines(memory, address);
        memory.load_reserved(thread, address)
    }

    pub fn store_conditional(
        &mut self,
        memory: &mut Memory,
        thread: u32,
        address: u32,
        value: u32,
    ) -> Result<bool, FaultCause> {
        self.something(memory);
        self.land_line(address / LINE, memory);
        let stored = memory.store_conditional(thread, address, value)?;
        if stored {
            self.change(StoreWidth::W32, address, value);
        }
        Ok(stored)
    }

    pub fn amo(
        &mut self,
        memory: &mut Memory,
        thread: u32,
        op: AmoOp,
        address: u32,
        operand: u32,
    ) -> Result<u32, FaultCause> {
        self.past_lines(memory, address);
        memory.amo(thread, op, address, operand)
    }

    /// An LR or AMO reads memory, and its line is held no more (ORDER-031, SHARED-010).
    fn past_lines(&mut self, memory: &mut Memory, address: u32) {
        self.something(memory);
        self.land_line(address / LINE, memory);
        self.drop_line(address / LINE);
        memory.forget_older_line(address / LINE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: u32 = 0x1040;

    fn decoded(word: u32) -> Order {
        Order::of(weft_isa::decode(word).expect("an instruction"))
    }

    #[test]
    fn orders_are_those_of_the_instruction() {
        let none = Order::default();
        let (settles, forgets) = (true, true);
        // amoswap.w a0, a0, (a0): plain, rl, aq, aqrl.
        for (bits, order) in [
            (0, none),
            (1, Order { settles, ..none }),
            (2, Order { forgets, ..none }),
            (3, Order { settles, forgets }),
        ] {
            assert_eq!(decoded(0x08a5_252f | bits << 25), order, "{bits}");
        }
        // fence rw, w; r, rw; w, r; r, w; rw, rw.
        for (sets, order) in [
            (0x31, Order { settles, ..none }),
            (0x23, Order { forgets, ..none }),
            (0x12, Order { settles, forgets }),
            (0x21, none),
            (0x33, Order { settles, forgets }),
        ] {
            assert_eq!(decoded(0xf | sets << 20), order, "{sets:#x}");
        }
    }

    /// A line that is held is older than memory until it is forgotten, and an LR of it is not.
    #[test]
    fn a_held_line_is_old_until_it_is_forgotten() {
        let (mut old, mut seen) = (0, 0);
        for seed in 0..200 {
            let mut memory = Memory::new(0x2000);
            let mut view = View::new(seed, 4);
            let word = LoadWidth::I32;
            assert_eq!(view.read(&mut memory, word, AT + 4), Ok(0));
            memory.store(99, StoreWidth::W32, AT, 1).unwrap();
            let first = view.read(&mut memory, word, AT).unwrap();
            old += u32::from(first == 0);
            // ORDER-032: nothing older than what was seen.
            if first == 1 {
                assert_eq!(view.read(&mut memory, word, AT), Ok(1), "{seed}");
                seen += 1;
            }
            match seed % 3 {
                0 => view.forget(),
                1 => assert_eq!(view.load_reserved(&mut memory, 0, AT), Ok(1)),
                _ => assert_eq!(view.amo(&mut memory, 0, AmoOp::Or, AT, 0), Ok(1)),
            }
            assert_eq!(view.read(&mut memory, word, AT), Ok(1), "{seed}");
        }
        assert!(old > 50 && seen > 10, "{old} {seen}");
    }

    /// Stores to several lines come to memory in any order, those to one line in theirs; who settles sees all there.
    #[test]
    fn stores_come_to_memory_in_any_order_until_a_release() {
        let mut swapped = 0;
        for seed in 0..200 {
            let mut memory = Memory::new(0x2000);
            let mut view = View::new(seed, 4);
            let store = |view: &mut View, memory: &mut Memory, at, value| {
                view.store(memory, 5, StoreWidth::W32, at, value).unwrap();
            };
            store(&mut view, &mut memory, AT, 1);
            store(&mut view, &mut memory, AT, 2);
            store(&mut view, &mut memory, AT + 64, 3);
            let [x, y] = [AT, AT + 64].map(|at| memory.read_u32(at).unwrap());
            swapped += u32::from(y == 3 && x != 2);
            // Threads 4 to 7 are the warp of thread 5.
            let order = Order {
                settles: true,
                ..Order::default()
            };
            view.before(order, 7, &mut memory);
            assert_eq!(memory.read_u32(AT), Ok(2), "{seed}");
            assert_eq!(memory.read_u32(AT + 64), Ok(3), "{seed}");
        }
        assert!(swapped > 10, "{swapped}");
    }
}
