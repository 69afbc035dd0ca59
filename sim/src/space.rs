//! What the threads of a launch see as memory: global memory, and the windows of the SM (`docs/spec/memory.md`,
//! *Windows*).
//!
//! [`Launch`] says how many CTAs of how many threads there are and who a thread is (ISA-012).
//! [`Windows`] are the memories that a CTA has for itself;
//! [`Told`] has none at all: whoever runs beside the machine says what accesses came to.

use crate::config::{Config, ConfigError};
pub use crate::memory::{load_size, store_size};
use crate::memory::{FaultCause, Memory, MEMORY_BASE};
use crate::view::{Order, View};
use serde::{Deserialize, Serialize};
use weft_isa::{AmoOp, LoadWidth, StoreWidth};

/// Where each thread's own memory begins.
pub const LOCAL: u32 = 0xc000_0000;
/// Where the scratchpad of the CTA begins.
pub const SCRATCHPAD: u32 = 0xd000_0000;

/// A grid descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Launch {
    /// CTAs along x, y and z.
    pub grid: [u32; 3],
    /// Threads of a CTA along x, y and z.
    pub cta: [u32; 3],
    /// a2 of every thread.
    pub arguments: u32,
    /// Bytes of scratchpad of a CTA.
    pub scratchpad: u32,
    /// Bytes of local memory of a thread, a multiple of 16.
    pub local: u32,
}

impl Default for Launch {
    fn default() -> Launch {
        Launch {
            grid: [1; 3],
            cta: [1; 3],
            arguments: 0,
            scratchpad: 0,
            local: 1024,
        }
    }
}

/// Where a thread stands in its launch, as its CSRs say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// `wthread`: number in the CTA.
    pub thread: u32,
    /// `wblock`: warp in the CTA.
    pub block: u32,
    /// `wctasize`
    pub threads: u32,
    /// `wctax`, `wctay`, `wctaz`
    pub at: [u32; 3],
    /// `wgridx`, `wgridy`, `wgridz`
    pub grid: [u32; 3],
    /// `wdimx`, `wdimy`, `wdimz`
    pub cta: [u32; 3],
}

impl Place {
    /// Of lane 0 of a warp of a machine without a launch: one dimension.
    pub fn of_warp(config: &Config, warp: usize) -> Place {
        let each = config.cta_warps.unwrap_or(config.warps);
        let block = config.block_of(warp) as u32;
        let own = (each * config.threads) as u32;
        let full = config.part.map_or(own, |part| part.full);
        let full = full.min(config.whole_grid());
        Place {
            thread: block * config.threads as u32,
            block,
            threads: config.cta_threads(config.cta_of(warp)),
            at: [config.cta_number(warp), 0, 0],
            grid: [config.whole_grid().div_ceil(full), 1, 1],
            cta: [full, 1, 1],
        }
    }
}

impl Launch {
    /// CTAs of the grid.
    pub fn ctas(&self) -> u32 {
        self.grid.iter().product()
    }

    /// Threads of a CTA.
    pub fn threads(&self) -> u32 {
        self.cta.iter().product()
    }

    /// Threads of the grid.
    pub fn total(&self) -> u32 {
        self.ctas() * self.threads()
    }

    /// Warps of a CTA.
    pub fn blocks(&self, width: usize) -> usize {
        self.threads().div_ceil(width as u32) as usize
    }

    /// MEM-020, the other way round.
    pub fn coordinates(&self, cta: u32) -> [u32; 3] {
        let [x, y, _] = self.grid;
        [cta % x, cta / x % y, cta / x / y]
    }

    pub fn place(&self, cta: u32, thread: u32, width: usize) -> Place {
        Place {
            thread,
            block: thread / width as u32,
            threads: self.threads(),
            at: self.coordinates(cta),
            grid: self.grid,
            cta: self.cta,
        }
    }

    /// The machine of one CTA: as many warps as it has blocks.
    pub fn config(&self, machine: &Config) -> Result<Config, ConfigError> {
        let (threads, room) = (
            self.cta.iter().map(|&n| u64::from(n)).product::<u64>(),
            (machine.warps * machine.threads) as u32,
        );
        let ctas = self.grid.iter().map(|&n| u64::from(n)).product::<u64>();
        let grid = threads.saturating_mul(ctas);
        if threads == 0 || threads > room.into() || grid == 0 || grid > u32::MAX.into() {
            let grid = threads.min(u32::MAX.into()) as u32;
            return Err(ConfigError::Grid { grid, room });
        }
        let config = Config {
            warps: self.blocks(machine.threads),
            grid: Some(threads as u32),
            cta_warps: None,
            // Stacks are in local memory; a machine needs some all the same.
            stack: 16,
            ..machine.clone()
        };
        config.validate()?;
        Ok(config)
    }

    pub fn bounds(&self, memory: u32) -> Bounds {
        Bounds {
            base: MEMORY_BASE,
            memory,
            local: self.local,
            scratchpad: self.scratchpad,
        }
    }
}

/// Which memory an access goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Window {
    Global,
    Local,
    Scratchpad,
}

/// What is mapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Begin and end of global memory (MEM-007).
    pub base: u32,
    pub memory: u32,
    /// Bytes of the two windows.
    pub local: u32,
    pub scratchpad: u32,
}

impl Bounds {
    /// The window of an access of `size` bytes, when it is legal (MEM-002, MEM-003).
    pub fn window(&self, address: u32, size: u32) -> Result<Window, FaultCause> {
        if address % size != 0 {
            return Err(FaultCause::Misaligned { address });
        }
        let (window, begin, end) = match address {
            SCRATCHPAD.. => (
                Window::Scratchpad,
                SCRATCHPAD,
                u64::from(SCRATCHPAD) + u64::from(self.scratchpad),
            ),
            LOCAL.. => (
                Window::Local,
                LOCAL,
                u64::from(LOCAL) + u64::from(self.local),
            ),
            _ => (Window::Global, self.base, self.memory.into()),
        };
        match address >= begin && u64::from(address) < end {
            true => Ok(window),
            false => Err(FaultCause::Unmapped { address }),
        }
    }
}

/// What the loads, stores and atomics of one thread go to. `thread`: its number in the grid.
pub trait Bus {
    fn read(&mut self, thread: u32, width: LoadWidth, address: u32) -> Result<u32, FaultCause>;
    fn store(
        &mut self,
        thread: u32,
        width: StoreWidth,
        address: u32,
        value: u32,
    ) -> Result<(), FaultCause>;
    fn load_reserved(&mut self, thread: u32, address: u32) -> Result<u32, FaultCause>;
    /// Whether it has stored.
    fn store_conditional(
        &mut self,
        thread: u32,
        address: u32,
        value: u32,
    ) -> Result<bool, FaultCause>;
    /// The word before.
    fn amo(
        &mut self,
        thread: u32,
        op: AmoOp,
        address: u32,
        operand: u32,
    ) -> Result<u32, FaultCause>;
}

impl Bus for Memory {
    #[inline(always)]
    fn read(&mut self, _: u32, width: LoadWidth, address: u32) -> Result<u32, FaultCause> {
        Memory::read(self, width, address)
    }

    #[inline(always)]
    fn store(
        &mut self,
        thread: u32,
        width: StoreWidth,
        address: u32,
        value: u32,
    ) -> Result<(), FaultCause> {
        Memory::store(self, thread, width, address, value)
    }

    fn load_reserved(&mut self, thread: u32, address: u32) -> Result<u32, FaultCause> {
        Memory::load_reserved(self, thread, address)
    }

    fn store_conditional(
        &mut self,
        thread: u32,
        address: u32,
        value: u32,
    ) -> Result<bool, FaultCause> {
        Memory::store_conditional(self, thread, address, value)
    }

    fn amo(
        &mut self,
        thread: u32,
        op: AmoOp,
        address: u32,
        operand: u32,
    ) -> Result<u32, FaultCause> {
        Memory::amo(self, thread, op, address, operand)
    }
}

/// The memories that a CTA has for itself.
#[derive(Clone, Debug)]
pub struct Windows {
    bounds: Bounds,
    /// Number in the grid of the CTA's first thread.
    first: u32,
    /// What that thread is called in the memories: where several CTAs share one, nobody else may be called so.
    known_as: u32,
    locals: Vec<Memory>,
    scratchpad: Memory,
    /// How the SM sees global memory; else every access is made there, one after the other.
    view: Option<Box<View>>,
}

impl Windows {
    pub fn new(launch: &Launch, cta: u32, memory: u32) -> Windows {
        // Only addresses inside the bounds come this far.
        let of = |bytes: u32| Memory::new(MEMORY_BASE + bytes.next_multiple_of(16));
        let threads = launch.threads();
        Windows {
            bounds: launch.bounds(memory),
            first: cta.wrapping_mul(threads),
            known_as: cta.wrapping_mul(threads),
            locals: (0..threads).map(|_| of(launch.local)).collect(),
            scratchpad: of(launch.scratchpad),
            view: None,
        }
    }

    /// The CTA's first thread is called so where reservations are kept, those after it follow.
    pub fn set_known_as(&mut self, number: u32) {
        self.known_as = number;
    }

    /// Of global memory it reaches what lies from `base` on and below `end` (MEM-007).
    pub fn set_window(&mut self, (base, end): (u32, u32)) {
        (self.bounds.base, self.bounds.memory) = (base, end);
    }

    /// From now on its accesses to global memory are those of this SM, or of nobody's.
    pub fn swap_view(&mut self, view: &mut Option<Box<View>>) {
        std::mem::swap(&mut self.view, view);
    }

    /// Before the threads of a warp execute an instruction; `thread`: one of them, by its number in the CTA.
    pub fn before(&mut self, order: Order, thread: u32, global: &mut Memory) {
        if let Some(view) = &mut self.view {
            view.before(order, self.known_as.wrapping_add(thread), global);
        }
    }

    /// When they have.
    pub fn behind(&mut self, order: Order) {
        if let Some(view) = &mut self.view {
            view.behind(order);
        }
    }

    /// Stores and AMOs that have changed something.
    pub fn changes(&self) -> u64 {
        let locals = self.locals.iter().map(Memory::changes);
        locals.sum::<u64>() + self.scratchpad.changes()
    }

    /// Its scratchpad, from [`MEMORY_BASE`] on.
    pub fn scratchpad(&self) -> &Memory {
        &self.scratchpad
    }

    /// Where a mapped address of these windows stands: which memory, and the address there.
    /// `own`: the thread's number in the CTA.
    pub fn locate(&self, own: usize, address: u32) -> Option<(Window, &Memory, u32)> {
        let window = self.bounds.window(address, 1).ok()?;
        Some(match window {
            Window::Global => return None,
            Window::Local => (window, self.locals.get(own)?, address - LOCAL + MEMORY_BASE),
            Window::Scratchpad => (window, &self.scratchpad, address - SCRATCHPAD + MEMORY_BASE),
        })
    }

    /// The memory behind one of these windows, for a write from outside.
    pub fn behind_mut(&mut self, own: usize, window: Window) -> Option<&mut Memory> {
        match window {
            Window::Global => None,
            Window::Local => self.locals.get_mut(own),
            Window::Scratchpad => Some(&mut self.scratchpad),
        }
    }

    /// What is mapped.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    pub fn over<'a>(&'a mut self, global: &'a mut Memory) -> Over<'a> {
        Over {
            windows: self,
            global,
        }
    }
}

/// Windows over global memory.
pub struct Over<'a> {
    windows: &'a mut Windows,
    global: &'a mut Memory,
}

impl Over<'_> {
    fn find(
        &mut self,
        thread: u32,
        address: u32,
        size: u32,
    ) -> Result<(&mut Memory, u32), FaultCause> {
        let windows = &mut *self.windows;
        Ok(match windows.bounds.window(address, size)? {
            Window::Global => (&mut *self.global, address),
            Window::Local => (
                &mut windows.locals[thread.wrapping_sub(windows.first) as usize],
                address - LOCAL + MEMORY_BASE,
            ),
            Window::Scratchpad => (&mut windows.scratchpad, address - SCRATCHPAD + MEMORY_BASE),
        })
    }

    /// How the SM sees global memory, if the access goes there and somebody else does, too.
    fn view(
        &mut self,
        address: u32,
        size: u32,
    ) -> Result<Option<(&mut View, &mut Memory)>, FaultCause> {
        let window = self.windows.bounds.window(address, size)?;
        let view = self.windows.view.as_deref_mut();
        let view = view.filter(|_| window == Window::Global);
        Ok(view.map(|view| (view, &mut *self.global)))
    }

    /// What a thread is called in the memories.
    fn name(&self, thread: u32) -> u32 {
        let own = thread.wrapping_sub(self.windows.first);
        self.windows.known_as.wrapping_add(own)
    }

    /// A thread has one reservation, wherever it is.
    fn end_reservations(&mut self, thread: u32, keep: Option<Window>) {
        let name = self.name(thread);
        let windows = &mut *self.windows;
        let own = thread.wrapping_sub(windows.first) as usize;
        let all = [
            (Window::Global, &mut *self.global),
            (Window::Local, &mut windows.locals[own]),
            (Window::Scratchpad, &mut windows.scratchpad),
        ];
        for (window, memory) in all {
            if Some(window) != keep {
                memory.end_reservation_of(name);
            }
        }
    }
}

impl Bus for Over<'_> {
    fn read(&mut self, thread: u32, width: LoadWidth, address: u32) -> Result<u32, FaultCause> {
        if let Some((view, memory)) = self.view(address, load_size(width))? {
            return view.read(memory, width, address);
        }
        let (memory, at) = self.find(thread, address, load_size(width))?;
        Memory::read(memory, width, at)
    }

    fn store(
        &mut self,
        thread: u32,
        width: StoreWidth,
        address: u32,
        value: u32,
    ) -> Result<(), FaultCause> {
        let name = self.name(thread);
        if let Some((view, memory)) = self.view(address, store_size(width))? {
            return view.store(memory, name, width, address, value);
        }
        let (memory, at) = self.find(thread, address, store_size(width))?;
        memory.store(name, width, at, value)
    }

    fn load_reserved(&mut self, thread: u32, address: u32) -> Result<u32, FaultCause> {
        let window = self.windows.bounds.window(address, 4)?;
        self.end_reservations(thread, Some(window));
        let name = self.name(thread);
        if let Some((view, memory)) = self.view(address, 4)? {
            return view.load_reserved(memory, name, address);
        }
        let (memory, at) = self.find(thread, address, 4)?;
        memory.load_reserved(name, at)
    }

    fn store_conditional(
        &mut self,
        thread: u32,
        address: u32,
        value: u32,
    ) -> Result<bool, FaultCause> {
        let name = self.name(thread);
        let stored = match self.view(address, 4)? {
            Some((view, memory)) => view.store_conditional(memory, name, address, value)?,
            None => {
                let (memory, at) = self.find(thread, address, 4)?;
                memory.store_conditional(name, at, value)?
            }
        };
        self.end_reservations(thread, None);
        Ok(stored)
    }

    fn amo(
        &mut self,
        thread: u32,
        op: AmoOp,
        address: u32,
        operand: u32,
    ) -> Result<u32, FaultCause> {
        let name = self.name(thread);
        if let Some((view, memory)) = self.view(address, 4)? {
            return view.amo(memory, name, op, address, operand);
        }
        let (memory, at) = self.find(thread, address, 4)?;
        memory.amo(name, op, at, operand)
    }
}

/// What the accesses of one instruction came to, by lane: loaded value, old word, or 0 for an SC that has stored.
pub type Answers = Vec<Option<Result<u32, FaultCause>>>;

/// No memory: accesses outside the bounds fault, all others come to what was told.
#[derive(Clone, Debug)]
pub struct Told {
    pub bounds: Bounds,
    pub answers: Answers,
}

impl Told {
    /// Of one lane.
    pub fn lane(&self, lane: usize) -> ToldLane {
        ToldLane {
            bounds: self.bounds,
            answer: self.answers.get(lane).copied().flatten(),
        }
    }
}

/// What one lane's access came to.
pub struct ToldLane {
    bounds: Bounds,
    answer: Option<Result<u32, FaultCause>>,
}

impl ToldLane {
    fn answer(&self, address: u32, size: u32) -> Result<u32, FaultCause> {
        self.bounds.window(address, size)?;
        self.answer
            .unwrap_or_else(|| panic!("nobody has told what the access to {address:#x} came to"))
    }
}

impl Bus for ToldLane {
    fn read(&mut self, _: u32, width: LoadWidth, address: u32) -> Result<u32, FaultCause> {
        self.answer(address, load_size(width))
    }

    fn store(&mut self, _: u32, width: StoreWidth, address: u32, _: u32) -> Result<(), FaultCause> {
        self.answer(address, store_size(width)).map(|_| ())
    }

    fn load_reserved(&mut self, _: u32, address: u32) -> Result<u32, FaultCause> {
        self.answer(address, 4)
    }

    fn store_conditional(&mut self, _: u32, address: u32, _: u32) -> Result<bool, FaultCause> {
        self.answer(address, 4).map(|failed| failed == 0)
    }

    fn amo(&mut self, _: u32, _: AmoOp, address: u32, _: u32) -> Result<u32, FaultCause> {
        self.answer(address, 4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAUNCH: Launch = Launch {
        grid: [2, 3, 2],
        cta: [5, 2, 1],
        arguments: 0x1234,
        scratchpad: 20,
        local: 32,
    };

    /// ISA-012.
    #[test]
    fn places_follow_from_numbers() {
        assert_eq!(
            (LAUNCH.ctas(), LAUNCH.threads(), LAUNCH.total()),
            (12, 10, 120)
        );
        assert_eq!(LAUNCH.blocks(4), 3);
        assert_eq!(LAUNCH.coordinates(0), [0, 0, 0]);
        assert_eq!(LAUNCH.coordinates(3), [1, 1, 0]);
        assert_eq!(LAUNCH.coordinates(11), [1, 2, 1]);
        let thread = crate::lane::Thread::of_launch(&LAUNCH, 37);
        let seen = [2, 10, 11, 12].map(|x| thread.registers[x]);
        assert_eq!(seen, [LOCAL + 32, 37, 120, 0x1234]);
    }

    #[test]
    fn windows_end_where_the_launch_says() {
        let bounds = LAUNCH.bounds(0x2000);
        let unmapped = |address| Err(FaultCause::Unmapped { address });
        assert_eq!(bounds.window(0x1ffc, 4), Ok(Window::Global));
        assert_eq!(bounds.window(0x2000, 4), unmapped(0x2000));
        assert_eq!(bounds.window(0xfff, 1), unmapped(0xfff));
        assert_eq!(bounds.window(LOCAL + 31, 1), Ok(Window::Local));
        assert_eq!(bounds.window(LOCAL + 32, 1), unmapped(LOCAL + 32));
        assert_eq!(bounds.window(SCRATCHPAD + 16, 4), Ok(Window::Scratchpad));
        assert_eq!(bounds.window(SCRATCHPAD + 20, 4), unmapped(SCRATCHPAD + 20));
        let address = SCRATCHPAD + 2;
        let misaligned = Err(FaultCause::Misaligned { address });
        assert_eq!(bounds.window(address, 4), misaligned);
    }

    #[test]
    fn local_memory_is_private_and_the_scratchpad_is_shared() {
        let mut memory = Memory::new(0x2000);
        let mut windows = Windows::new(&LAUNCH, 1, 0x2000);
        let mut bus = windows.over(&mut memory);
        // Threads 10 and 11 are the first of CTA 1.
        bus.store(10, StoreWidth::W32, LOCAL, 7).unwrap();
        bus.store(10, StoreWidth::W32, SCRATCHPAD, 8).unwrap();
        bus.store(10, StoreWidth::W32, 0x1000, 9).unwrap();
        let mut read = |address| bus.read(11, LoadWidth::I32, address);
        assert_eq!(
            (read(LOCAL), read(SCRATCHPAD), read(0x1000)),
            (Ok(0), Ok(8), Ok(9))
        );
    }

    #[test]
    fn a_thread_has_one_reservation_in_all_windows() {
        let mut memory = Memory::new(0x2000);
        let mut windows = Windows::new(&LAUNCH, 0, 0x2000);
        let mut bus = windows.over(&mut memory);
        bus.load_reserved(3, 0x1000).unwrap();
        bus.load_reserved(3, SCRATCHPAD).unwrap();
        assert_eq!(bus.store_conditional(3, 0x1000, 1), Ok(false));
        bus.load_reserved(3, 0x1000).unwrap();
        assert_eq!(bus.store_conditional(3, SCRATCHPAD, 1), Ok(false));
        assert_eq!(bus.store_conditional(3, 0x1000, 1), Ok(false));
        bus.load_reserved(3, SCRATCHPAD).unwrap();
        assert_eq!(bus.store_conditional(3, SCRATCHPAD, 1), Ok(true));
    }
}
