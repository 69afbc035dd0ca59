//! The software side of recentering (SPILL-023): what has to be done when a warp has stopped with exception RECENTER.
//!
//! It needs nothing of this crate but [`Port`], which a simulation, an interrupt handler or a debugger can implement.
//!
//! ```
//! # use weft_testbench::driver::{recenter, Port};
//! # fn serve<P: Port>(port: &mut P) -> Result<(), P::Error> {
//! let warp = 3; // named by the exception port
//! let moved = recenter(port, warp)?;
//! println!("{} tokens moved from position {} to {}", moved.tokens, moved.from, moved.to);
//! # Ok(())
//! # }
//! ```

use weft_ports::control::register;

/// The configuration port and the token memory, as the driver sees them.
pub trait Port {
    type Error;
    /// A register of a warp (docs/spec/spill.md, configuration port).
    fn read(&mut self, warp: usize, register: u8) -> Result<u32, Self::Error>;
    fn write(&mut self, warp: usize, register: u8, value: u32) -> Result<(), Self::Error>;
    /// The token at an address, counted in tokens.
    fn load(&mut self, address: u32) -> Result<u128, Self::Error>;
    fn store(&mut self, address: u32, token: u128) -> Result<(), Self::Error>;
}

/// What the driver did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved {
    /// Tokens moved in memory; those on chip follow HEAD by themselves.
    pub tokens: u32,
    /// Position of the first of them before and after.
    pub from: u32,
    pub to: u32,
    pub head: u32,
}

/// Where the front token goes (SPILL-020): for a push at the front when there is no room before it, else at the back.
pub fn new_head(head: u32, tail: u32, size: u32) -> u32 {
    let free = size - (tail - head);
    match head {
        0 => free.div_ceil(2),
        _ => free / 2,
    }
}

/// Makes room at both ends of the deque of a warp that has stopped for it, and lets the warp go on.
pub fn recenter<P: Port>(port: &mut P, warp: usize) -> Result<Moved, P::Error> {
    let head = port.read(warp, register::HEAD)?;
    let tail = port.read(warp, register::TAIL)?;
    let low = port.read(warp, register::LOW)?;
    let stored = port.read(warp, register::STORED)?;
    let base = port.read(warp, register::BASE)?;
    let size = port.read(warp, register::SIZE)?;
    let moved = Moved {
        tokens: stored,
        from: low,
        to: low + new_head(head, tail, size) - head,
        head: new_head(head, tail, size),
    };
    // Both ranges overlap: begin at the end that the tokens move towards.
    for n in 0..stored {
        let n = match moved.to > moved.from {
            true => stored - 1 - n,
            false => n,
        };
        let token = port.load(base.wrapping_add(moved.from + n))?;
        port.store(base.wrapping_add(moved.to + n), token)?;
    }
    port.write(warp, register::HEAD, moved.head)?;
    port.write(warp, register::RESUME, 1)?;
    Ok(moved)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// One stopped warp; refuses what the specification does not allow.
    struct Mock {
        registers: [u32; 6],
        memory: HashMap<u32, u128>,
        resumed: bool,
    }

    impl Mock {
        fn stopped(head: u32, tail: u32, low: u32, stored: u32, base: u32, size: u32) -> Mock {
            Mock {
                registers: [head, tail, low, stored, base, size],
                memory: (low..low + stored)
                    .map(|position| (base.wrapping_add(position), 1000 + u128::from(position)))
                    .collect(),
                resumed: false,
            }
        }

        fn tokens(&self, from: u32, count: u32) -> Vec<u128> {
            let base = self.registers[usize::from(register::BASE)];
            (from..from + count)
                .map(|position| self.memory[&base.wrapping_add(position)])
                .collect()
        }
    }

    impl Port for Mock {
        type Error = String;

        fn read(&mut self, warp: usize, register: u8) -> Result<u32, String> {
            assert_eq!((warp, self.resumed), (2, false));
            let value = self.registers.get(usize::from(register));
            value.copied().ok_or(format!("read of register {register}"))
        }

        fn write(&mut self, warp: usize, register: u8, value: u32) -> Result<(), String> {
            assert_eq!((warp, self.resumed), (2, false));
            match register {
                register::HEAD => self.registers[0] = value,
                register::RESUME => self.resumed = true,
                _ => return Err(format!("write of register {register}")),
            }
            Ok(())
        }

        fn load(&mut self, address: u32) -> Result<u128, String> {
            let word = self.memory.get(&address);
            word.copied().ok_or(format!("load at {address:#x}"))
        }

        fn store(&mut self, address: u32, token: u128) -> Result<(), String> {
            let position = address.wrapping_sub(self.registers[usize::from(register::BASE)]);
            if position >= self.registers[usize::from(register::SIZE)] {
                return Err(format!("store at {address:#x}"));
            }
            self.memory.insert(address, token);
            Ok(())
        }
    }

    #[test]
    fn a_push_at_the_front_moves_the_tokens_back() {
        let mut mock = Mock::stopped(0, 9, 3, 5, 0x100, 16);
        let moved = recenter(&mut mock, 2).expect("legal accesses");
        assert_eq!(
            (moved.head, moved.from, moved.to, moved.tokens),
            (4, 3, 7, 5)
        );
        assert!(mock.resumed && mock.registers[0] == 4);
        assert_eq!(mock.tokens(7, 5), [1003, 1004, 1005, 1006, 1007]);
    }

    #[test]
    fn a_push_at_the_back_moves_them_to_the_front() {
        // The allocation begins at the end of the address space and goes on at its start.
        let mut mock = Mock::stopped(7, 16, 9, 6, u32::MAX - 8, 16);
        let moved = recenter(&mut mock, 2).expect("legal accesses");
        assert_eq!(
            (moved.head, moved.from, moved.to, moved.tokens),
            (3, 9, 5, 6)
        );
        assert_eq!(mock.tokens(5, 6), [1009, 1010, 1011, 1012, 1013, 1014]);
    }

    #[test]
    fn tokens_on_chip_move_by_the_head_alone() {
        let mut mock = Mock::stopped(0, 2, 2, 0, 0, 5);
        let moved = recenter(&mut mock, 2).expect("legal accesses");
        assert_eq!((moved.head, moved.tokens), (2, 0));
        assert!(mock.resumed && mock.memory.is_empty());
    }

    #[test]
    fn there_is_room_where_the_push_needs_it() {
        for size in 5..40 {
            for depth in 1..size {
                let front = new_head(0, depth, size);
                assert!((1..=size - depth).contains(&front));
                let back = new_head(size - depth, size, size);
                assert!(back < size - depth, "size {size}, depth {depth}");
            }
        }
    }

    #[test]
    fn errors_of_the_port_end_it() {
        let mut mock = Mock::stopped(0, 9, 3, 5, 0x100, 16);
        mock.memory.remove(&(0x100 + 5));
        assert_eq!(recenter(&mut mock, 2), Err("load at 0x105".to_string()));
        assert!(!mock.resumed);
    }
}
