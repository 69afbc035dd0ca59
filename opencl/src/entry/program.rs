//! Programs.

use super::{code, made, same_context};
use crate::code::{ensure, fail, Code, Outcome};
use crate::context::Context;
use crate::device::Device;
use crate::host::{self, HostMemory};
use crate::object::{self, Ref};
use crate::program::{self, Program};
use opencl_sys::*;
use std::ffi::{c_char, c_uchar, c_void};

/// Is told that a program is built; it is when the function that has it comes back, too.
type Notify = unsafe extern "C" fn(*mut c_void, *mut c_void);

pub unsafe extern "C" fn create_program_with_source(
    context: cl_context,
    count: cl_uint,
    strings: *mut *const c_char,
    lengths: *const usize,
    error: *mut cl_int,
) -> cl_program {
    unsafe {
        made(error, || {
            let context = object::find::<Context>(context)?;
            let count = count as usize;
            let strings = host::list(strings.cast_const(), count);
            ensure(!strings.is_empty(), CL_INVALID_VALUE)?;
            let lengths = host::list(lengths, count);
            let mut source = Vec::new();
            for (at, &string) in strings.iter().enumerate() {
                ensure(!string.is_null(), CL_INVALID_VALUE)?;
                match lengths.get(at).copied().unwrap_or(0) {
                    0 => source.extend(std::ffi::CStr::from_ptr(string).to_bytes()),
                    length => source.extend(host::list(string.cast::<u8>(), length)),
                }
            }
            // Some give the length with the zero byte.
            let source = String::from_utf8_lossy(&source).replace('\0', "");
            Ok(object::make(Program::of_source(&context, source)))
        })
    }
}

pub unsafe extern "C" fn create_program_with_binary(
    context: cl_context,
    count: cl_uint,
    devices: *const cl_device_id,
    lengths: *const usize,
    binaries: *mut *const c_uchar,
    status: *mut cl_int,
    error: *mut cl_int,
) -> cl_program {
    unsafe {
        made(error, || {
            let context = object::find::<Context>(context)?;
            let count = count as usize;
            let devices = host::list(devices, count);
            ensure(!devices.is_empty(), CL_INVALID_VALUE)?;
            for &device in devices {
                object::find::<Device>(device).map_err(|_| Code(CL_INVALID_DEVICE))?;
            }
            let length = *host::list(lengths, count)
                .first()
                .ok_or(Code(CL_INVALID_VALUE))?;
            let binary = *host::list(binaries.cast_const(), count)
                .first()
                .ok_or(Code(CL_INVALID_VALUE))?;
            let is_there = length > 0 && !binary.is_null();
            let program = match is_there {
                true => Program::of_binary(&context, host::list(binary, length)),
                false => fail(CL_INVALID_VALUE),
            };
            let said = program.as_ref().map_or_else(|code| code.0, |_| CL_SUCCESS);
            host::put(status, said);
            Ok(object::make(program?))
        })
    }
}

/// The devices that a build is for, and its function.
unsafe fn check(
    count: cl_uint,
    devices: *const cl_device_id,
    notify: Option<Notify>,
    data: *mut c_void,
) -> Outcome {
    let devices = unsafe { host::list_of(devices, count as usize, CL_INVALID_VALUE) }?;
    for &device in devices {
        object::find::<Device>(device)?;
    }
    ensure(notify.is_some() || data.is_null(), CL_INVALID_VALUE)
}

unsafe fn tell(notify: Option<Notify>, program: cl_program, data: *mut c_void) {
    if let Some(notify) = notify {
        // SAFETY: the host has given function and data for this.
        unsafe { notify(program, data) };
    }
}

pub unsafe extern "C" fn build_program(
    handle: cl_program,
    count: cl_uint,
    devices: *const cl_device_id,
    options: *const c_char,
    notify: Option<Notify>,
    data: *mut c_void,
) -> cl_int {
    code(|| unsafe {
        let program = object::find::<Program>(handle)?;
        check(count, devices, notify, data)?;
        let done = program.build(&host::text(options).unwrap_or_default());
        tell(notify, handle, data);
        done
    })
}

pub unsafe extern "C" fn compile_program(
    handle: cl_program,
    count: cl_uint,
    devices: *const cl_device_id,
    options: *const c_char,
    header_count: cl_uint,
    headers: *const cl_program,
    names: *mut *const c_char,
    notify: Option<Notify>,
    data: *mut c_void,
) -> cl_int {
    code(|| unsafe {
        let program = object::find::<Program>(handle)?;
        check(count, devices, notify, data)?;
        let header_count = header_count as usize;
        let headers = host::list_of(headers, header_count, CL_INVALID_VALUE)?;
        let names = host::list_of(names.cast_const(), header_count, CL_INVALID_VALUE)?;
        let named = headers.iter().zip(names).map(|(&header, &name)| {
            let name = host::text(name).ok_or(Code(CL_INVALID_VALUE))?;
            Ok((name, object::find::<Program>(header)?))
        });
        let named = named.collect::<Outcome<Vec<_>>>()?;
        let done = program.compile(&host::text(options).unwrap_or_default(), named);
        tell(notify, handle, data);
        done
    })
}

pub unsafe extern "C" fn link_program(
    context: cl_context,
    count: cl_uint,
    devices: *const cl_device_id,
    options: *const c_char,
    input_count: cl_uint,
    inputs: *const cl_program,
    notify: Option<Notify>,
    data: *mut c_void,
    error: *mut cl_int,
) -> cl_program {
    let mut linked = Ok(());
    let program = unsafe {
        made(error, || {
            let context = object::find::<Context>(context)?;
            check(count, devices, notify, data)?;
            let inputs = host::list(inputs, input_count as usize);
            ensure(!inputs.is_empty(), CL_INVALID_VALUE)?;
            let inputs = inputs.iter().map(|&input| {
                let input = object::find::<Program>(input)?;
                same_context(&input.context, &context)?;
                Ok(input)
            });
            let inputs = inputs.collect::<Outcome<Vec<Ref<Program>>>>()?;
            let options = host::text(options).unwrap_or_default();
            let (program, done) = Program::link(&context, &options, &inputs)?;
            linked = done;
            Ok(object::make(program))
        })
    };
    // The log is the program's.
    if let (false, Err(Code(code))) = (program.is_null(), linked) {
        unsafe { host::put(error, code) };
    }
    if !program.is_null() {
        unsafe { tell(notify, program, data) };
    }
    program
}

pub unsafe extern "C" fn get_program_info(
    program: cl_program,
    name: cl_program_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    code(|| unsafe {
        let program = object::find::<Program>(program)?;
        if name != CL_PROGRAM_BINARIES {
            return program::info(&program, name)?.give(size, value, size_ret);
        }
        // The caller has room for the binary of each device, and gives a list of them.
        if !value.is_null() {
            ensure(size >= size_of::<*mut u8>(), CL_INVALID_VALUE)?;
            let place = host::list(value.cast::<*mut c_void>().cast_const(), 1)[0];
            let binary = program.binary();
            if !place.is_null() {
                HostMemory::new(place, binary.len()).write(0, &binary);
            }
        }
        host::put(size_ret, size_of::<*mut u8>());
        Ok(())
    })
}

pub unsafe extern "C" fn get_program_build_info(
    program: cl_program,
    device: cl_device_id,
    name: cl_program_build_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    code(|| unsafe {
        let program = object::find(program)?;
        object::find::<Device>(device)?;
        program::build_info(&program, name)?.give(size, value, size_ret)
    })
}
