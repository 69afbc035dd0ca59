//! Launches of kernels in OpenCL C (docs/spec/opencl.md).
//!
//! [`weft_cc::opencl`] makes the kernels, and of an NDRange and arguments the launches; here they come to a stream.

use crate::device::Device;
use crate::error::Error;
use crate::gpu::{Gpu, Module};
use crate::printed::Printer;
use crate::state::Buffer;
use crate::stream::{Grid, Stream};
use weft_cc::console::Console;
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

    /// Runs these launches, the parts of one range, one after the other, and waits. What they have printed is there in the
    /// order of the parts, also if one of them went wrong: then the others are not run.
    ///
    /// # Errors
    /// One cannot be launched. How they have ended is in the result.
    pub fn run_opencl(
        &mut self,
        stream: Stream,
        kernel: Module,
        printer: Option<&Printer>,
        launches: &[Launch],
    ) -> Result<Ended, Error> {
        let mut ended = Ended {
            done: Ok(()),
            printed: None,
        };
        for part in launches {
            if let Some(printer) = printer {
                self.clear_printed(printer)?;
            }
            let blocks = self.launch_opencl(stream, kernel, std::slice::from_ref(part))?;
            ended.done = self.wait(self.record(stream));
            for block in blocks {
                self.free(block)?;
            }
            let sides = part.ctas.iter().chain(&part.threads);
            let threads = sides.fold(1u32, |all, side| all.saturating_mul(*side));
            let more = printer.and_then(|printer| self.printed(printer, threads));
            match (&mut ended.printed, more) {
                (Some(all), Some(more)) => all.append(more),
                (all, more) => *all = all.take().or(more),
            }
            if ended.done.is_err() {
                break;
            }
        }
        Ok(ended)
    }
}

/// How a range has ended.
pub struct Ended {
    pub done: Result<(), Error>,
    /// Of a kernel that prints.
    pub printed: Option<Console>,
}
