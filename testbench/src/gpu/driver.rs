//! The hardware as a device of the driver (`weft_driver::Device`).
//!
//! Memory is copied at once and costs no cycle; each access of a register takes the cycles that it takes.

use super::device::VerilatedGpu;
use weft_driver::{Device, Progress};
use weft_sim::host::Size;

/// What a port's rules say the hardware never does.
const BROKEN: &str = "weft_gpu keeps the rules of its ports";

impl Device for VerilatedGpu {
    fn size(&self) -> Size {
        *VerilatedGpu::size(self)
    }

    fn memory_end(&self) -> u32 {
        VerilatedGpu::memory_end(self)
    }

    fn read(&mut self, address: u32, bytes: &mut [u8]) -> bool {
        VerilatedGpu::read(self, address, bytes)
    }

    fn write(&mut self, address: u32, bytes: &[u8]) -> bool {
        VerilatedGpu::write(self, address, bytes)
    }

    /// # Panics
    /// The hardware breaks a rule of a port, or does not answer; so do the others.
    fn get(&mut self, register: u32) -> u32 {
        VerilatedGpu::get(self, register).expect(BROKEN)
    }

    fn set(&mut self, register: u32, value: u32) {
        VerilatedGpu::set(self, register, value).expect(BROKEN);
    }

    fn advance(&mut self) -> Progress {
        VerilatedGpu::advance(self).expect(BROKEN)
    }

    fn cycles(&self) -> Option<u64> {
        Some(VerilatedGpu::cycles(self))
    }

    fn instructions(&self) -> Option<u64> {
        Some(VerilatedGpu::instructions(self))
    }
}
