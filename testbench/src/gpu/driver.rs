//! The hardware as a device of the driver (`weft_driver::Device`).
//!
//! Memory is copied at once and costs no cycle; each access of a register takes the cycles that it takes.

use super::device::VerilatedGpu;
use weft_driver::device::Standing;
use weft_driver::{Device, Progress};
use weft_sim::host::Size;

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

    fn get(&mut self, register: u32) -> u32 {
        let value = VerilatedGpu::get(self, register);
        self.kept(value).unwrap_or(0)
    }

    fn set(&mut self, register: u32, value: u32) {
        let done = VerilatedGpu::set(self, register, value);
        self.kept(done);
    }

    fn advance(&mut self) -> Progress {
        let progress = VerilatedGpu::advance(self);
        self.kept(progress).unwrap_or(Progress::Quiet)
    }

    fn broken(&self) -> Option<&str> {
        VerilatedGpu::broken(self)
    }

    fn standing(&self) -> Standing {
        VerilatedGpu::standing(self)
    }

    fn cycles(&self) -> Option<u64> {
        Some(VerilatedGpu::cycles(self))
    }

    fn instructions(&self) -> Option<u64> {
        Some(VerilatedGpu::instructions(self))
    }
}
