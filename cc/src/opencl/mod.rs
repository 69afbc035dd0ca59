//! OpenCL C: from a `.cl` to one executable for each kernel. Spec: docs/spec/opencl.md.
//!
//! ```no_run
//! use weft_cc::opencl::{self, Options, Range, Source, Value};
//! let toolbox = weft_toolbox::Toolbox::here();
//! let source = Source::new("k.cl", "kernel void k(global int *a) { a[get_global_id(0)] = 1; }");
//! let program = opencl::build(&toolbox, &source, &Options::default(), &mut |_| ()).unwrap();
//! let kernel = program.kernel("k").unwrap();
//! let range = Range::of(&[64], Some(&[16])).unwrap();
//! for launch in kernel.launches(&range, &[Value::Address(0x4000)]).unwrap() {
//!     // launch.block goes into memory at a multiple of 128; kernel.elf is run with its address as argument.
//! }
//! ```
//!
//! | module | what it is |
//! | --- | --- |
//! | [`program`] | what is made: programs, kernels, arguments |
//! | [`range`] | NDRanges, values of arguments, blocks and launches |
//! | `printf` | what OpenCL C's printf has noted |
//! | [`options`] | build options of `clBuildProgram` |
//! | `signature` | kernels and their arguments, from the compiler's IR |
//! | `unnamed` | names for structures that have none |
//! | `wrapper` | what is added to the user's text |
//! | `compile` | the compiler's runs, lowering, links |

mod compile;
pub mod options;
pub(crate) mod printf;
pub mod program;
pub mod range;
mod signature;
mod unnamed;
mod wrapper;

pub use compile::{build, compile, link};
pub use options::Options;
pub use program::{
    Access, AddressSpace, Argument, Failure, FailureKind, Kernel, Kind, Program, Source, Unit,
};
pub use range::{Launch, Plan, Range, Value};
pub(crate) use wrapper::{OWN_NAME, WRAPPER};

/// True for files in OpenCL C.
pub fn is_source(path: &std::path::Path) -> bool {
    path.extension().is_some_and(|extension| extension == "cl")
}

/// CL-006: what a device says in CL_DEVICE_EXTENSIONS.
pub const EXTENSIONS: [&str; 5] = [
    "cl_khr_global_int32_base_atomics",
    "cl_khr_global_int32_extended_atomics",
    "cl_khr_local_int32_base_atomics",
    "cl_khr_local_int32_extended_atomics",
    "cl_khr_byte_addressable_store",
];

/// CL-011: the block begins at a multiple of this.
pub const BLOCK_ALIGN: u32 = 128;
/// CL-011: where the struct of the arguments begins in the block.
pub const ARGUMENTS: u32 = 128;
/// CL-012: arguments in the scratchpad begin at multiples of this.
pub const LOCAL_ALIGN: u32 = 128;
