//! Buffers.

use super::{code, made};
use crate::code::{ensure, fail, Code, Outcome};
use crate::context::{Context, Destructor};
use crate::host::{self, HostMemory, UserData};
use crate::memory::{self, Memory};
use crate::object::{self, Ref};
use opencl_sys::*;
use std::ffi::c_void;

unsafe fn create(
    context: cl_context,
    properties: Vec<u64>,
    flags: cl_mem_flags,
    size: usize,
    place: *mut c_void,
) -> Outcome<Ref<Memory>> {
    let context = object::find::<Context>(context)?;
    let host = unsafe { HostMemory::new(place, size) };
    let memory = object::make(Memory::buffer(&context, flags, size, host, properties)?);
    // Zeros: what was there before is not the host's to see.
    let mut bytes = vec![0; size];
    if host.address() != 0 {
        host.read(0, &mut bytes);
    }
    // Before all that is enqueued with it, and before what is written there for the next buffer if this one is released:
    // that comes to the worker later.
    let address = memory.address();
    context.device.submit(move |machine| {
        let written = machine.write(address, &bytes);
        written.expect("the arena is within memory");
    });
    Ok(memory)
}

pub unsafe extern "C" fn create_buffer(
    context: cl_context,
    flags: cl_mem_flags,
    size: usize,
    place: *mut c_void,
    error: *mut cl_int,
) -> cl_mem {
    unsafe { made(error, || create(context, Vec::new(), flags, size, place)) }
}

pub unsafe extern "C" fn create_buffer_with_properties(
    context: cl_context,
    properties: *const cl_mem_properties,
    flags: cl_mem_flags,
    size: usize,
    place: *mut c_void,
    error: *mut cl_int,
) -> cl_mem {
    unsafe {
        made(error, || {
            let mut given: Vec<u64> = host::pairs(properties)
                .into_iter()
                .flat_map(|(name, value)| [name, value])
                .collect();
            if !properties.is_null() {
                given.push(0);
            }
            create(context, given, flags, size, place)
        })
    }
}

pub unsafe extern "C" fn create_sub_buffer(
    buffer: cl_mem,
    flags: cl_mem_flags,
    kind: cl_buffer_create_type,
    region: *const c_void,
    error: *mut cl_int,
) -> cl_mem {
    unsafe {
        made(error, || {
            let buffer = object::find::<Memory>(buffer)?;
            ensure(kind == CL_BUFFER_CREATE_TYPE_REGION, CL_INVALID_VALUE)?;
            let region = host::list(region.cast::<cl_buffer_region>(), 1).first();
            let region = region.ok_or(Code(CL_INVALID_VALUE))?;
            Ok(object::make(Memory::part(
                &buffer,
                flags,
                region.origin,
                region.size,
            )?))
        })
    }
}

pub unsafe extern "C" fn get_mem_object_info(
    memory: cl_mem,
    name: cl_mem_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    code(|| unsafe {
        let memory = object::find(memory)?;
        memory::info(&memory, name)?.give(size, value, size_ret)
    })
}

pub unsafe extern "C" fn set_mem_object_destructor_callback(
    memory: cl_mem,
    function: Option<Destructor>,
    data: *mut c_void,
) -> cl_int {
    code(|| {
        let memory = object::find::<Memory>(memory)?;
        let Some(function) = function else {
            return fail(CL_INVALID_VALUE);
        };
        memory.destructors.add(function, UserData(data));
        Ok(())
    })
}

/// No image formats.
pub unsafe extern "C" fn get_supported_image_formats(
    context: cl_context,
    _flags: cl_mem_flags,
    _kind: cl_mem_object_type,
    _count: cl_uint,
    _formats: *mut cl_image_format,
    number: *mut cl_uint,
) -> cl_int {
    code(|| unsafe {
        object::find::<Context>(context)?;
        host::put(number, 0);
        Ok(())
    })
}
