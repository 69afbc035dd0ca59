//! What every Verilated model is linked with: Verilator's runtime, and its waves as C functions for
//! `testbench/src/rtl/model.h`.
//!
//! Both come from the crate `verilated`, unmodified: its build script compiles the runtime of the Verilator that is
//! found, and its [`Vcd`] writes the waves. Each model is a shared library with a runtime of its own, so that no two
//! share anything.

mod wave;

use std::ffi::{c_char, c_int, c_void, CStr, OsStr};
use std::os::unix::ffi::OsStrExt;
use verilated::vcd::{Vcd, VcdC};
use wave::Wave;

/// Connects a file that is not open yet to the model behind the pointer.
type Trace = extern "C" fn(*mut c_void, *mut VcdC);

/// Opens a VCD file; nothing is written before the cycle `from`. 0, or an error number.
///
/// # Safety
/// `path` is a C string, `trace` may be called with `model`, `wave` is where the result goes.
#[no_mangle]
pub unsafe extern "C" fn weft_wave_open(
    path: *const c_char,
    from: u64,
    trace: Trace,
    model: *mut c_void,
    wave: *mut *mut Wave,
) -> c_int {
    // SAFETY: by the caller.
    let path = OsStr::from_bytes(unsafe { CStr::from_ptr(path) }.to_bytes());
    let mut vcd = Vcd::default();
    trace(model, vcd.0);
    match vcd.open(path) {
        Ok(()) => {
            // SAFETY: by the caller.
            unsafe { *wave = Box::into_raw(Box::new(Wave::new(vcd, from))) };
            0
        }
        Err(error) => {
            let errno = std::io::Error::last_os_error().raw_os_error();
            error.raw_os_error().or(errno).filter(|n| *n != 0).unwrap_or(5)
        }
    }
}

/// Half a clock period has passed.
///
/// # Safety
/// `wave` was opened and is not closed; its model is alive.
#[no_mangle]
pub unsafe extern "C" fn weft_wave_dump(wave: *mut Wave) {
    // SAFETY: by the caller.
    unsafe { &mut *wave }.dump();
}

/// # Safety
/// As for [`weft_wave_dump`].
#[no_mangle]
pub unsafe extern "C" fn weft_wave_close(wave: *mut Wave) {
    // SAFETY: by the caller.
    drop(unsafe { Box::from_raw(wave) });
}
