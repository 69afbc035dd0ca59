//! Platform and device.

use super::code;
use crate::code::{ensure, fail, Outcome};
use crate::device::{self, Device, Platform};
use crate::host;
use crate::object::{self, Ref};
use opencl_sys::*;
use std::ffi::{c_char, c_void};

/// The platform by its handle; null is the only one there is.
fn found(platform: cl_platform_id) -> Outcome<&'static Ref<Platform>> {
    let the = device::platform();
    ensure(
        platform.is_null() || platform == object::handle(the),
        CL_INVALID_PLATFORM,
    )?;
    Ok(the)
}

pub unsafe extern "C" fn get_platform_ids(
    count: cl_uint,
    platforms: *mut cl_platform_id,
    found: *mut cl_uint,
) -> cl_int {
    code(|| unsafe {
        ensure((count == 0) == platforms.is_null(), CL_INVALID_VALUE)?;
        ensure(!platforms.is_null() || !found.is_null(), CL_INVALID_VALUE)?;
        host::put(platforms, object::handle(device::platform()));
        host::put(found, 1);
        Ok(())
    })
}

pub unsafe extern "C" fn get_platform_info(
    platform: cl_platform_id,
    name: cl_platform_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    code(|| unsafe {
        found(platform)?;
        device::platform_info(name)?.give(size, value, size_ret)
    })
}

pub unsafe extern "C" fn get_device_ids(
    platform: cl_platform_id,
    kind: cl_device_type,
    count: cl_uint,
    devices: *mut cl_device_id,
    number: *mut cl_uint,
) -> cl_int {
    code(|| unsafe {
        found(platform)?;
        ensure((count == 0) == devices.is_null(), CL_INVALID_VALUE)?;
        ensure(!devices.is_null() || !number.is_null(), CL_INVALID_VALUE)?;
        let known = CL_DEVICE_TYPE_DEFAULT
            | CL_DEVICE_TYPE_CPU
            | CL_DEVICE_TYPE_GPU
            | CL_DEVICE_TYPE_ACCELERATOR
            | CL_DEVICE_TYPE_CUSTOM;
        let is_known = kind != 0 && (kind & !known == 0 || kind == CL_DEVICE_TYPE_ALL);
        ensure(is_known, CL_INVALID_DEVICE_TYPE)?;
        let is_wanted = kind & (CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_GPU) != 0;
        match device::device().filter(|_| is_wanted) {
            Some(device) => {
                host::put(devices, object::handle(device));
                host::put(number, 1);
                Ok(())
            }
            None => {
                host::put(number, 0);
                fail(CL_DEVICE_NOT_FOUND)
            }
        }
    })
}

pub unsafe extern "C" fn get_device_info(
    device: cl_device_id,
    name: cl_device_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    code(|| unsafe {
        let device = object::find::<Device>(device)?;
        device::info(&device, name)?.give(size, value, size_ret)
    })
}

/// Retain and release do nothing to a device that is no part of another one.
pub unsafe extern "C" fn keep_device(device: cl_device_id) -> cl_int {
    code(|| object::find::<Device>(device).map(drop))
}

/// There is no way to part it.
pub unsafe extern "C" fn create_sub_devices(
    device: cl_device_id,
    _properties: *const cl_device_partition_property,
    _count: cl_uint,
    _devices: *mut cl_device_id,
    _number: *mut cl_uint,
) -> cl_int {
    code(|| {
        object::find::<Device>(device)?;
        fail(CL_INVALID_VALUE)
    })
}

/// A hint: the compiler is a program, and gone when it has run.
pub unsafe extern "C" fn unload_compiler() -> cl_int {
    CL_SUCCESS
}

pub unsafe extern "C" fn unload_platform_compiler(platform: cl_platform_id) -> cl_int {
    code(|| {
        ensure(!platform.is_null(), CL_INVALID_PLATFORM)?;
        found(platform).map(drop)
    })
}

/// The functions of an extension, by name: those of `cl_khr_icd`.
pub unsafe fn extension(name: *const c_char) -> *mut c_void {
    match unsafe { host::text(name) }.as_deref() {
        Some("clIcdGetPlatformIDsKHR") => crate::clIcdGetPlatformIDsKHR as *mut c_void,
        // *Why not the exported one:* a loader may put its own in that one's place, and call itself.
        Some("clGetPlatformInfo") => get_platform_info as *mut c_void,
        _ => std::ptr::null_mut(),
    }
}

pub unsafe extern "C" fn get_extension_function_address(name: *const c_char) -> *mut c_void {
    unsafe { extension(name) }
}

pub unsafe extern "C" fn get_extension_function_address_for_platform(
    platform: cl_platform_id,
    name: *const c_char,
) -> *mut c_void {
    match !platform.is_null() && found(platform).is_ok() {
        true => unsafe { extension(name) },
        false => std::ptr::null_mut(),
    }
}
