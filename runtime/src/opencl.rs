//! Launches of kernels in OpenCL C (docs/spec/opencl.md).
//!
//! [`weft_cc::opencl`] makes the kernels, and of an NDRange and arguments the launches; here they come to a stream.

use crate::device::Device;
use crate::error::Error;
use crate::gpu::{Gpu, Module};
use crate::state::Buffer;
use crate::stream::{Grid, Stream};
use weft_cc::opencl::{Launch, BLOCK_ALIGN};

impl<D: Device> Gpu<D> {
    /// Launches a kernel that [`Gpu::load_elf`] has loaded, behind what the stream has to do already; does not wait. The
    /// buffers hold the blocks of the arguments: give them back when the launches are over.
    ///
    /// # Errors
    /// It is not launched as a whole.
    pub fn launch_opencl(
        &mut self,
        stream: Stream,
        kernel: Module,
        launches: &[Launch],
    ) -> Result<Vec<Buffer>, Error> {
        let mut blocks = Vec::new();
        for launch in launches {
            let block = self.allocate(launch.block.len() as u32 + BLOCK_ALIGN)?;
            blocks.push(block);
            let address = block.address().next_multiple_of(BLOCK_ALIGN);
            self.copy_in(block, address - block.address(), &launch.block)?;
            let grid = Grid {
                ctas: launch.ctas,
                threads: launch.threads,
                arguments: address,
                scratchpad: launch.scratchpad,
                local: launch.private.max(Grid::of(1, 1).local),
                ..Grid::of(1, 1)
            };
            self.launch(stream, kernel.entry(), &grid)?;
        }
        Ok(blocks)
    }
}
