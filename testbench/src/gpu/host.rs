//! What a host does with a GPU, golden or verilated: the same calls for both.

use super::device::VerilatedGpu;

pub(super) trait Host {
    fn put(&mut self, address: u32, bytes: &[u8]);
    fn get(&mut self, register: u32) -> Result<u32, String>;
    fn set(&mut self, register: u32, value: u32) -> Result<(), String>;
    fn go_on(&mut self, cycles: u64) -> Result<(), String>;
}

impl Host for VerilatedGpu {
    fn put(&mut self, address: u32, bytes: &[u8]) {
        assert!(self.write(address, bytes), "no memory at {address:#x}");
    }
    fn get(&mut self, register: u32) -> Result<u32, String> {
        VerilatedGpu::get(self, register)
    }
    fn set(&mut self, register: u32, value: u32) -> Result<(), String> {
        VerilatedGpu::set(self, register, value)
    }
    fn go_on(&mut self, cycles: u64) -> Result<(), String> {
        (0..cycles).try_for_each(|_| self.cycle())
    }
}
