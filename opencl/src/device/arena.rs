//! Memory of the device for buffers: who has which range. The bytes are the machine's.

use crate::code::{Code, Outcome};
use crate::object::lock;
use opencl_sys::CL_MEM_OBJECT_ALLOCATION_FAILURE;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use weft_driver::room::Room;

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
    pub fn new((address, size): (u32, u32)) -> Arena {
        Arena(Arc::new(Mutex::new(State {
            room: Room::new(address, address + size),
            lives: BTreeMap::new(),
        })))
    }

    /// At a multiple of [`super::ALIGNMENT`].
    ///
    /// # Errors
    /// There is no room.
    pub fn take(&self, size: u32) -> Outcome<Allocation> {
        let mut state = lock(&self.0);
        // The driver's room aligns to 64.
        let rounded = size.max(1).next_multiple_of(super::ALIGNMENT);
        let address = state.room.take(rounded);
        let address = address.ok_or(Code(CL_MEM_OBJECT_ALLOCATION_FAILURE))?;
        state.lives.insert(address, rounded);
        Ok(Allocation {
            arena: self.clone(),
            address,
        })
    }

    /// What is taken: addresses and bytes.
    pub fn lives(&self) -> Vec<(u32, u32)> {
        let state = lock(&self.0);
        state.lives.iter().map(|(&at, &size)| (at, size)).collect()
    }
}

impl Allocation {
    pub fn address(&self) -> u32 {
        self.address
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        let mut state = lock(&self.arena.0);
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
        let full = arena.take(0x1000).err();
        assert_eq!(full, Some(Code(CL_MEM_OBJECT_ALLOCATION_FAILURE)));
        drop((first, second));
        assert!(arena.take(0x1000).is_ok());
    }
}
