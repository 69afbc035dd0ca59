//! The native half of the Python package `weft` (docs/python.md): `weft._native`. What Python programs see is in
//! `python/package/weft/`; here are a device on a thread of its own, memory, compilations and launches.
//!
//! ```text
//! package/weft ─▶ device: Device, Memory ─▶ worker ─▶ machine: weft-driver ─▶ golden model, or Verilator
//!             └─▶ module: Code ─▶ code: weft-cc
//! ```
//!
//! | module | what it is |
//! | --- | --- |
//! | `device` | devices and their memory, as Python has them |
//! | `module` | what is compiled, as Python has it |
//! | `worker` | the thread that has the GPU; Ctrl-C |
//! | `machine` | the GPU: programs, arrays, launches; made anew behind an endless one |
//! | `code` | compilations and what their kernels take |
//! | `outcome` | how a launch has ended |
//! | `model` | which devices there are, and their sizes |

mod code;
mod device;
mod machine;
mod model;
mod module;
mod outcome;
mod worker;

use pyo3::prelude::*;

/// The native half of the package weft: use that.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<device::Device>()?;
    module.add_class::<device::Memory>()?;
    module.add_class::<module::Code>()?;
    module.add_class::<module::Parameter>()?;
    module.add_function(wrap_pyfunction!(module::compile, module)?)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
