//! OpenCL 3.0 on a Weft GPU: `libweft_opencl.so`, for the loader of OpenCL. What is there and what is refused:
//! `docs/opencl.md`.
//!
//! ```text
//! loader ─▶ dispatch ─▶ entry ─▶ queue ─▶ device: worker ─▶ machine: weft-driver ─▶ golden model, or Verilator
//!                          └──▶ context, memory, program (weft-cc), kernel, event: objects by handles
//! ```
//!
//! | module | what it is |
//! | --- | --- |
//! | [`dispatch`] | the table that loaders take |
//! | `entry` | the functions in it: from pointers of the caller to Rust |
//! | `object` | handles: looked up, counted |
//! | `host` | memory of the host |
//! | `device` | platform, device, its thread and memory; which sizes |
//! | `queue` | commands, what waits for what; events |
//! | `context`, `memory`, `program`, `kernel` | one kind of object each |
//! | `rect` | rectangles of bytes |
//! | `query` | answers to `clGet…Info` |

mod code;
mod context;
mod device;
pub mod dispatch;
mod entry;
mod host;
mod kernel;
mod memory;
mod object;
mod program;
mod query;
mod queue;
mod rect;

use opencl_sys::*;
use std::ffi::{c_char, c_void};

/// What loaders call first.
///
/// # Safety
/// As `clGetPlatformIDs`.
#[no_mangle]
pub unsafe extern "C" fn clIcdGetPlatformIDsKHR(
    count: cl_uint,
    platforms: *mut cl_platform_id,
    number: *mut cl_uint,
) -> cl_int {
    object::set_dispatch(&dispatch::TABLE);
    unsafe { entry::platform::get_platform_ids(count, platforms, number) }
}

/// What loaders find functions of extensions with.
///
/// # Safety
/// `name` is null or ends with a zero byte.
#[no_mangle]
pub unsafe extern "C" fn clGetExtensionFunctionAddress(name: *const c_char) -> *mut c_void {
    unsafe { entry::platform::extension(name) }
}

/// Some loaders want the symbol.
///
/// # Safety
/// As the standard says.
#[no_mangle]
pub unsafe extern "C" fn clGetPlatformInfo(
    platform: cl_platform_id,
    name: cl_platform_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    unsafe { entry::platform::get_platform_info(platform, name, size, value, size_ret) }
}
