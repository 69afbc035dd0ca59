//! What the work-items of a launch print: read out of memory when it is over.

use std::cell::RefCell;
use std::io::Write;
use weft_cc::console::{self, Words, SYMBOL};
use weft_driver::{Device, Error, Gpu, Module};

/// Words of the console's head.
const HEAD: u32 = 4;

/// The console of a loaded executable.
#[derive(Clone, Copy)]
pub struct Console {
    address: u32,
    /// As they are before anything runs: a kernel may write over them.
    head: [u32; HEAD as usize],
}

struct Memory<'a, D>(RefCell<&'a mut Gpu<D>>);

impl<D: Device> Words for Memory<'_, D> {
    fn word(&self, address: u32) -> Option<u32> {
        self.0.borrow_mut().word(address).ok()
    }
}

impl Words for Console {
    fn word(&self, address: u32) -> Option<u32> {
        let at = address.checked_sub(self.address)? / 4;
        self.head.get(at as usize).copied()
    }
}

impl Console {
    /// None of an executable that prints nothing.
    ///
    /// # Errors
    /// It is not in memory.
    pub fn of<D: Device>(gpu: &mut Gpu<D>, module: Module) -> Result<Option<Console>, Error> {
        let Ok(address) = gpu.symbol(module, SYMBOL) else {
            return Ok(None);
        };
        let mut head = [0; HEAD as usize];
        for (word, at) in head.iter_mut().zip(0..) {
            *word = gpu.word(address + 4 * at)?;
        }
        Ok(Some(Console { address, head }))
    }

    /// Nothing has been printed.
    ///
    /// # Errors
    /// The program does not have the place.
    pub fn clear<D: Device>(&self, gpu: &mut Gpu<D>, module: Module) -> Result<(), Error> {
        let [.., words, buffer] = self.head;
        let image = gpu.image(module);
        let zeros = vec![0; 4 * words as usize];
        gpu.copy_in(image, buffer.wrapping_sub(image.address()), &zeros)
    }

    /// To standard output, in the order of the work-items; on standard error what is missing, and who has stopped itself.
    pub fn show<D: Device>(&self, gpu: &mut Gpu<D>, threads: u32) {
        let memory = Memory(RefCell::new(gpu));
        let Some(console) = console::read(self, &memory, self.address, threads) else {
            return;
        };
        let mut out = std::io::stdout().lock();
        // Nobody can be told that nobody reads.
        let _ = out.write_all(&console.text).and_then(|()| out.flush());
        if console.lost > 0 {
            eprintln!(
                "weft: {} calls of printf found no room, {} bytes a work-item",
                console.lost, console.room
            );
        }
        console
            .stops
            .iter()
            .for_each(|stop| eprintln!("weft: {stop}"));
        if console.head_damaged || !console.damaged.is_empty() {
            eprintln!("weft: a kernel has written over the buffer of printf");
        }
    }
}
