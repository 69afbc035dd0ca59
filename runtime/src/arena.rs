//! Memory of a device that its owner has reserved ([`crate::Gpu::reserve`]) and divides: who has which range, known without
//! the device, so that other threads can take and give ranges while it runs. The bytes are the device's.

use crate::device::Device;
use crate::error::Error;
use crate::gpu::Gpu;
use crate::room::Room;
use crate::state::Buffer;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Ranges begin at multiples of it: the size of the largest type of OpenCL C, `double16`.
pub const ALIGNMENT: u32 = 128;

/// All of it. Clones are the same.
#[derive(Clone)]
pub struct Arena(Arc<Mutex<State>>);

struct State {
    room: Room,
    /// Bytes by address.
    lives: BTreeMap<u32, u32>,
}

/// A range, until it is dropped.
pub struct Allocation {
    arena: Arena,
    address: u32,
}

impl Arena {
    /// Of this first address and so many bytes.
    pub fn new((address, size): (u32, u32)) -> Arena {
        Arena(Arc::new(Mutex::new(State {
            room: Room::new(address, address + size),
            lives: BTreeMap::new(),
        })))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// So many bytes, at a multiple of [`ALIGNMENT`]; `None`: there is no room.
    pub fn take(&self, size: u32) -> Option<Allocation> {
        let mut state = self.state();
        // The room itself aligns to 64.
        let rounded = size.max(1).checked_next_multiple_of(ALIGNMENT)?;
        let address = state.room.take(rounded)?;
        state.lives.insert(address, rounded);
        Some(Allocation {
            arena: self.clone(),
            address,
        })
    }

    /// Bytes that are free, all ranges together.
    pub fn free(&self) -> u32 {
        self.state().room.free()
    }

    /// What is taken: addresses and bytes.
    pub fn lives(&self) -> Vec<(u32, u32)> {
        let state = self.state();
        state.lives.iter().map(|(&at, &size)| (at, size)).collect()
    }

    /// Copies all that lives from one GPU to another, in whose buffer it has the same places.
    ///
    /// # Errors
    /// A place is not within one of the buffers.
    pub fn carry<D: Device>(
        &self,
        (from, old): (&mut Gpu<D>, Buffer),
        (to, new): (&mut Gpu<D>, Buffer),
    ) -> Result<(), Error> {
        for (address, size) in self.lives() {
            let mut bytes = vec![0; size as usize];
            from.copy_out(old, address.wrapping_sub(old.address()), &mut bytes)?;
            to.copy_in(new, address.wrapping_sub(new.address()), &bytes)?;
        }
        Ok(())
    }
}

impl Allocation {
    pub fn address(&self) -> u32 {
        self.address
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        let mut state = self.arena.state();
        if let Some(size) = state.lives.remove(&self.address) {
            state.room.give(self.address, size);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_aligned_and_come_back() {
        let arena = Arena::new((0x100_0000, 0x1000));
        let first = arena.take(1).unwrap();
        let second = arena.take(129).unwrap();
        assert_eq!(
            (first.address(), second.address()),
            (0x100_0000, 0x100_0080)
        );
        assert_eq!(arena.lives(), [(0x100_0000, 128), (0x100_0080, 256)]);
        assert_eq!(arena.free(), 0x1000 - 384);
        assert!(arena.take(0x1000).is_none() && arena.take(u32::MAX).is_none());
        drop((first, second));
        assert!(arena.take(0x1000).is_some());
    }
}
