//! Command queues.

use super::{code, made};
use crate::code::{ensure, fail, Outcome};
use crate::context::Context;
use crate::device::Device;
use crate::host;
use crate::object::{self, Ref};
use crate::queue::{self, Queue};
use opencl_sys::*;
use std::ffi::c_void;

/// What a queue on the host can have.
const KNOWN: u64 = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
/// And one on a device, which there is none of.
const ON_DEVICE: u64 = CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;

fn create(
    context: cl_context,
    device: cl_device_id,
    bits: u64,
    given: Vec<u64>,
) -> Outcome<Ref<Queue>> {
    let context = object::find::<Context>(context)?;
    object::find::<Device>(device)?;
    ensure(bits & !(KNOWN | ON_DEVICE) == 0, CL_INVALID_VALUE)?;
    ensure(bits & ON_DEVICE == 0, CL_INVALID_QUEUE_PROPERTIES)?;
    Ok(object::make(Queue::new(&context, bits, given)))
}

pub unsafe extern "C" fn create_command_queue(
    context: cl_context,
    device: cl_device_id,
    bits: cl_command_queue_properties,
    error: *mut cl_int,
) -> cl_command_queue {
    unsafe { made(error, || create(context, device, bits, Vec::new())) }
}

pub unsafe extern "C" fn create_command_queue_with_properties(
    context: cl_context,
    device: cl_device_id,
    properties: *const cl_queue_properties,
    error: *mut cl_int,
) -> cl_command_queue {
    unsafe {
        made(error, || {
            let mut bits = 0;
            let mut given = Vec::new();
            for (name, value) in host::pairs(properties) {
                match name as cl_command_queue_info {
                    CL_QUEUE_PROPERTIES => bits = value,
                    // The size of a queue on the device.
                    CL_QUEUE_SIZE => return fail(CL_INVALID_QUEUE_PROPERTIES),
                    _ => return fail(CL_INVALID_VALUE),
                }
                given.extend([name, value]);
            }
            if !properties.is_null() {
                given.push(0);
            }
            create(context, device, bits, given)
        })
    }
}

pub unsafe extern "C" fn get_command_queue_info(
    queue: cl_command_queue,
    name: cl_command_queue_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    code(|| unsafe {
        let queue = object::find(queue)?;
        queue::info(&queue, name)?.give(size, value, size_ret)
    })
}

/// Of OpenCL 1.0: properties do not change any more.
pub unsafe extern "C" fn set_command_queue_property(
    queue: cl_command_queue,
    _bits: cl_command_queue_properties,
    _enable: cl_bool,
    _old: *mut cl_command_queue_properties,
) -> cl_int {
    code(|| {
        object::find::<Queue>(queue)?;
        fail(CL_INVALID_OPERATION)
    })
}

pub unsafe extern "C" fn flush(queue: cl_command_queue) -> cl_int {
    code(|| object::find::<Queue>(queue).map(drop))
}

pub unsafe extern "C" fn finish(queue: cl_command_queue) -> cl_int {
    code(|| object::find::<Queue>(queue)?.finish())
}
