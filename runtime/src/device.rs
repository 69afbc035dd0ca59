//! What the driver needs of a GPU: its memory, its host port, and time that passes.

use weft_sim::host::gpu::Failure;
use weft_sim::host::Size;

/// What has come of the time that was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// It goes on.
    Goes,
    /// Nothing will happen before the host does something.
    Quiet,
}

/// A warp of a CTA that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarpAt {
    pub sm: usize,
    /// Of the CTA on the golden GPU, of the SM on hardware.
    pub warp: usize,
    /// What it has executed last, or executes next.
    pub pc: u32,
}

/// What runs and what waits, for whoever wants to know why nothing ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    pub warps: Vec<WarpAt>,
    /// SM, address of the descriptor and number of each CTA that runs.
    pub ctas: Vec<(usize, u32, u32)>,
    /// Descriptors of tasks in slots of which no CTA has been started.
    pub waiting: Vec<u32>,
}

/// A GPU.
pub trait Device {
    fn size(&self) -> Size;

    /// End of its memory, which begins at 0x1000.
    fn memory_end(&self) -> u32;

    /// Copies from its memory. False: some of it is not there.
    fn read(&mut self, address: u32, bytes: &mut [u8]) -> bool;

    /// Copies into its memory. False: some of it is not there, and nothing was written.
    fn write(&mut self, address: u32, bytes: &[u8]) -> bool;

    /// Reads a register of the host port.
    fn get(&mut self, register: u32) -> u32;

    /// Writes a register of the host port.
    fn set(&mut self, register: u32, value: u32);

    /// Lets it go on for a while.
    fn advance(&mut self) -> Progress;

    /// CTAs that have not ended well, if the device knows more of them than its registers say.
    fn failures(&self) -> &[Failure] {
        &[]
    }

    /// What the device has done that no GPU does: an error of the hardware, behind which nothing it says counts.
    fn broken(&self) -> Option<&str> {
        None
    }

    /// Where the warps stand, and which tasks have no SM.
    fn standing(&self) -> Standing {
        Standing::default()
    }

    /// Clock cycles so far, where the device has a clock.
    fn cycles(&self) -> Option<u64> {
        None
    }

    /// Warp instructions so far, where the device counts them.
    fn instructions(&self) -> Option<u64> {
        None
    }

    /// Instructions that the threads of all CTAs have completed that are over, where the device counts them.
    fn thread_instructions(&self) -> Option<u64> {
        None
    }
}

/// A device behind a pointer of some kind.
macro_rules! behind {
    ($who:ty) => {
        impl<D: Device + ?Sized> Device for $who {
            fn size(&self) -> Size {
                (**self).size()
            }

            fn memory_end(&self) -> u32 {
                (**self).memory_end()
            }

            fn read(&mut self, address: u32, bytes: &mut [u8]) -> bool {
                (**self).read(address, bytes)
            }

            fn write(&mut self, address: u32, bytes: &[u8]) -> bool {
                (**self).write(address, bytes)
            }

            fn get(&mut self, register: u32) -> u32 {
                (**self).get(register)
            }

            fn set(&mut self, register: u32, value: u32) {
                (**self).set(register, value);
            }

            fn advance(&mut self) -> Progress {
                (**self).advance()
            }

            fn failures(&self) -> &[Failure] {
                (**self).failures()
            }

            fn broken(&self) -> Option<&str> {
                (**self).broken()
            }

            fn standing(&self) -> Standing {
                (**self).standing()
            }

            fn cycles(&self) -> Option<u64> {
                (**self).cycles()
            }

            fn instructions(&self) -> Option<u64> {
                (**self).instructions()
            }

            fn thread_instructions(&self) -> Option<u64> {
                (**self).thread_instructions()
            }
        }
    };
}

behind!(Box<D>);
behind!(&mut D);
