//! Driver of a Weft GPU: memory, programs, launches, streams, events, work made by threads.
//!
//! ```
//! use weft_driver::{Golden, Gpu, Grid};
//!
//! let mut gpu = Gpu::open(Golden::new(Default::default(), 4 << 20))?;
//! let program = weft_isa::assemble("_start: slli t0, a0, 2\n add t0, t0, a2\n sw a0, 0(t0)\n ecall", "a.s").unwrap();
//! let module = gpu.load_program(&program)?;
//! let numbers = gpu.allocate(4 * 100)?;
//! let stream = gpu.stream()?;
//! let launch = Grid::of(10, 10).with_arguments(numbers.address());
//! gpu.launch(stream, module.entry(), &launch)?;
//! gpu.synchronize()?;
//! assert_eq!(gpu.read_words(numbers, 0, 100)?[99], 99);
//! # Ok::<(), weft_driver::Error>(())
//! ```
//!
//! | module | what it is |
//! | --- | --- |
//! | [`device`] | what the driver needs of a GPU |
//! | [`golden`] | the golden model as a device |
//! | [`domain`] | programs that reach a part of the memory alone
//! | [`gpu`] | memory, programs, waiting, errors |
//! | `state` | what a GPU keeps of its memory, streams, work queues and errors |
//! | [`stream`] | channels as streams of launches; events |
//! | `troubles` | what has gone wrong, and whose it is; streams go on behind it |
//! | [`work_queue`] | the GPU-owned channel and the spawn ring (docs/spec/queue.md) |
//! | [`opencl`] | launches of kernels in OpenCL C (docs/spec/opencl.md) |
//! | [`printed`] | what the threads of a launch have printed |
//! | `relocate` | programs at another place than they were linked for |
//! | [`room`] | free memory |
//! | [`arena`] | memory that its owner divides |
//! | [`nested`] | kernels that launch kernels, and their hosts |
//!
//! The hardware's side is docs/spec/host.md and docs/spec/tasks.md.
//! The driver uses nothing but memory and the registers named there.

#![forbid(unsafe_code)]

pub mod arena;
pub mod device;
pub mod domain;
pub mod error;
pub mod golden;
pub mod gpu;
pub mod nested;
pub mod opencl;
pub mod printed;
mod relocate;
pub mod room;
mod state;
pub mod stream;
mod troubles;
pub mod work_queue;

pub use device::{Device, Progress};
pub use error::Error;
pub use golden::Golden;
pub use gpu::{Counters, Gpu, Module, Settings};
pub use printed::Printer;
pub use state::{Buffer, Domain};
pub use stream::{Event, Grid, Stream};
pub use work_queue::WorkQueue;
