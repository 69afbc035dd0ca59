//! What the threads of a launch have printed (CC-020, CL-030): read out of a program's memory when the launch is over.

use crate::device::Device;
use crate::error::Error;
use crate::gpu::{Gpu, Module};
use std::cell::RefCell;
use weft_cc::console::{self, Console, Words, SYMBOLS};

/// Words of the console's head.
const HEAD: u32 = 4;

/// The console of a loaded program.
#[derive(Clone, Copy, Debug)]
pub struct Printer {
    module: Module,
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

impl Words for Printer {
    fn word(&self, address: u32) -> Option<u32> {
        let at = address.checked_sub(self.address)? / 4;
        self.head.get(at as usize).copied()
    }
}

impl<D: Device> Gpu<D> {
    /// The console of a program of which nothing has been launched yet; `None`: it prints nothing.
    ///
    /// # Errors
    /// The program does not have the place.
    pub fn printer(&mut self, module: Module) -> Result<Option<Printer>, Error> {
        let console = SYMBOLS
            .iter()
            .find_map(|name| self.symbol(module, name).ok());
        let Some(address) = console else {
            return Ok(None);
        };
        let mut head = [0; HEAD as usize];
        for (word, at) in head.iter_mut().zip(0..) {
            *word = self.word(address + 4 * at)?;
        }
        Ok(Some(Printer {
            module,
            address,
            head,
        }))
    }

    /// Before a launch: nothing has been printed.
    ///
    /// # Errors
    /// The program does not have the place.
    pub fn clear_printed(&mut self, printer: &Printer) -> Result<(), Error> {
        let [.., words, buffer] = printer.head;
        let image = self.image(printer.module);
        let zeros = vec![0; 4 * words as usize];
        self.copy_in(image, buffer.wrapping_sub(image.address()), &zeros)
    }

    /// Behind a launch of so many threads; `None`: it is no console of this version.
    pub fn printed(&mut self, printer: &Printer, threads: u32) -> Option<Console> {
        let memory = Memory(RefCell::new(self));
        console::read(printer, &memory, printer.address, threads)
    }
}
