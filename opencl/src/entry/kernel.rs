//! Kernels.

use super::{code, made};
use crate::code::{ensure, Code};
use crate::device::Device;
use crate::host::{self, HostMemory};
use crate::kernel::{self, Kernel};
use crate::object;
use crate::program::Program;
use opencl_sys::*;
use std::ffi::{c_char, c_void};

pub unsafe extern "C" fn create_kernel(
    program: cl_program,
    name: *const c_char,
    error: *mut cl_int,
) -> cl_kernel {
    unsafe {
        made(error, || {
            let program = object::find::<Program>(program)?;
            let name = host::text(name).ok_or(Code(CL_INVALID_VALUE))?;
            Ok(object::make(Kernel::named(&program, &name)?))
        })
    }
}

pub unsafe extern "C" fn create_kernels_in_program(
    program: cl_program,
    count: cl_uint,
    kernels: *mut cl_kernel,
    number: *mut cl_uint,
) -> cl_int {
    code(|| unsafe {
        let program = object::find::<Program>(program)?;
        let there = program.executable()?.program.kernels.len();
        if !kernels.is_null() {
            ensure(count as usize >= there, CL_INVALID_VALUE)?;
            for (at, kernel) in Kernel::all(&program)?.into_iter().enumerate() {
                host::put(kernels.add(at), object::handle(&object::make(kernel)));
            }
        }
        host::put(number, there as cl_uint);
        Ok(())
    })
}

pub unsafe extern "C" fn clone_kernel(kernel: cl_kernel, error: *mut cl_int) -> cl_kernel {
    unsafe {
        made(error, || {
            Ok(object::make(object::find::<Kernel>(kernel)?.copy()))
        })
    }
}

pub unsafe extern "C" fn set_kernel_arg(
    kernel: cl_kernel,
    index: cl_uint,
    size: usize,
    value: *const c_void,
) -> cl_int {
    code(|| {
        let kernel = object::find::<Kernel>(kernel)?;
        kernel.set(index, size, unsafe { HostMemory::new(value, size) })
    })
}

pub unsafe extern "C" fn get_kernel_info(
    kernel: cl_kernel,
    name: cl_kernel_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    code(|| unsafe {
        let kernel = object::find(kernel)?;
        kernel::info(&kernel, name)?.give(size, value, size_ret)
    })
}

pub unsafe extern "C" fn get_kernel_arg_info(
    kernel: cl_kernel,
    index: cl_uint,
    name: cl_kernel_arg_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    code(|| unsafe {
        let kernel = object::find::<Kernel>(kernel)?;
        kernel::argument_info(kernel.argument(index)?, name)?.give(size, value, size_ret)
    })
}

pub unsafe extern "C" fn get_kernel_work_group_info(
    kernel: cl_kernel,
    device: cl_device_id,
    name: cl_kernel_work_group_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    code(|| unsafe {
        let kernel = object::find(kernel)?;
        if !device.is_null() {
            object::find::<Device>(device)?;
        }
        kernel::group_info(&kernel, name)?.give(size, value, size_ret)
    })
}
