//! The golden model as a device.

use crate::device::{Device, Progress, Standing, WarpAt};
use weft_sim::host::gpu::{Event, Failure};
use weft_sim::host::{Gpu, Size};

pub struct Golden {
    gpu: Gpu,
    observer: Box<dyn FnMut(&Event)>,
}

impl Golden {
    /// With `memory` bytes of memory, a multiple of 64. Its SMs share lines, as with an L2 (docs/spec/l2.md).
    pub fn new(size: Size, memory: u32) -> Golden {
        let mut gpu = Gpu::new(size, memory);
        gpu.share_lines(1);
        Golden {
            gpu,
            observer: Box::new(|_| ()),
        }
    }

    /// Whoever wants to see each step of front end and task management.
    pub fn observed(mut self, observer: impl FnMut(&Event) + 'static) -> Golden {
        self.observer = Box::new(observer);
        self
    }

    pub fn model(&mut self) -> &mut Gpu {
        &mut self.gpu
    }
}

impl Device for Golden {
    fn size(&self) -> Size {
        *self.gpu.size()
    }

    fn memory_end(&self) -> u32 {
        self.gpu.memory.size()
    }

    fn read(&mut self, address: u32, bytes: &mut [u8]) -> bool {
        let end = address.checked_add(bytes.len() as u32);
        let there = end.and_then(|end| self.gpu.memory.slice(address..end));
        there.map(|there| bytes.copy_from_slice(there)).is_some()
    }

    fn write(&mut self, address: u32, bytes: &[u8]) -> bool {
        self.gpu.write_memory(address, bytes).is_ok()
    }

    fn get(&mut self, register: u32) -> u32 {
        self.gpu.read(register)
    }

    fn set(&mut self, register: u32, value: u32) {
        self.gpu.write(register, value);
    }

    fn advance(&mut self) -> Progress {
        match self.gpu.turn(&mut self.observer) {
            true => Progress::Goes,
            false => Progress::Quiet,
        }
    }

    fn failures(&self) -> &[Failure] {
        self.gpu.failures()
    }

    fn standing(&self) -> Standing {
        let ctas = self.gpu.running();
        let warps = ctas.clone().flat_map(|(start, machine)| {
            let at = move |(warp, pc, _)| WarpAt {
                sm: start.sm,
                warp,
                pc,
            };
            machine.alive().map(at)
        });
        Standing {
            warps: warps.collect(),
            ctas: ctas.map(|(s, _)| (s.sm, s.task, s.cta)).collect(),
            waiting: self.gpu.tasks().waiting().collect(),
        }
    }

    fn instructions(&self) -> Option<u64> {
        Some(self.gpu.instructions())
    }

    fn thread_instructions(&self) -> Option<u64> {
        Some(self.gpu.thread_instructions())
    }
}
