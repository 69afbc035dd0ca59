//! Contexts.

use super::{code, made};
use crate::code::{ensure, fail, Outcome};
use crate::context::{self, Context, Destructor, Destructors, Notify};
use crate::device::{self, Device};
use crate::host::{self, UserData};
use crate::object::{self, Ref};
use opencl_sys::*;
use std::ffi::c_void;

unsafe fn properties(place: *const cl_context_properties) -> Outcome<Vec<isize>> {
    let pairs = unsafe { host::pairs(place) };
    for (at, &(name, value)) in pairs.iter().enumerate() {
        match name {
            CL_CONTEXT_PLATFORM => {
                let the = object::handle(device::platform());
                ensure(value == the as isize, CL_INVALID_PLATFORM)?;
            }
            CL_CONTEXT_INTEROP_USER_SYNC => ensure((0..2).contains(&value), CL_INVALID_PROPERTY)?,
            _ => return fail(CL_INVALID_PROPERTY),
        }
        let again = pairs[..at].iter().any(|(other, _)| *other == name);
        ensure(!again, CL_INVALID_PROPERTY)?;
    }
    let mut all: Vec<isize> = pairs.into_iter().flat_map(|(n, v)| [n, v]).collect();
    if !place.is_null() {
        all.push(0);
    }
    Ok(all)
}

unsafe fn create(
    given: *const cl_context_properties,
    device: Ref<Device>,
    notify: Option<Notify>,
    data: *mut c_void,
) -> Outcome<Ref<Context>> {
    let properties = unsafe { properties(given) }?;
    ensure(notify.is_some() || data.is_null(), CL_INVALID_VALUE)?;
    device.open()?;
    Ok(object::make(Context {
        device,
        properties,
        notify: notify.map(|notify| (notify, UserData(data))),
        destructors: Destructors::default(),
    }))
}

pub unsafe extern "C" fn create_context(
    given: *const cl_context_properties,
    count: cl_uint,
    devices: *const cl_device_id,
    notify: Option<Notify>,
    data: *mut c_void,
    error: *mut cl_int,
) -> cl_context {
    unsafe {
        made(error, || {
            let devices = host::list(devices, count as usize);
            let &first = devices.first().ok_or(crate::code::Code(CL_INVALID_VALUE))?;
            for &device in devices {
                object::find::<Device>(device)?;
            }
            create(given, object::find(first)?, notify, data)
        })
    }
}

pub unsafe extern "C" fn create_context_from_type(
    given: *const cl_context_properties,
    kind: cl_device_type,
    notify: Option<Notify>,
    data: *mut c_void,
    error: *mut cl_int,
) -> cl_context {
    unsafe {
        made(error, || {
            let mut device = std::ptr::null_mut();
            let found = super::platform::get_device_ids(
                std::ptr::null_mut(),
                kind,
                1,
                &mut device,
                std::ptr::null_mut(),
            );
            ensure(found == CL_SUCCESS, found)?;
            create(given, object::find(device)?, notify, data)
        })
    }
}

pub unsafe extern "C" fn get_context_info(
    context: cl_context,
    name: cl_context_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    code(|| unsafe {
        let context = object::find(context)?;
        context::info(&context, name)?.give(size, value, size_ret)
    })
}

pub unsafe extern "C" fn set_context_destructor_callback(
    context: cl_context,
    function: Option<Destructor>,
    data: *mut c_void,
) -> cl_int {
    code(|| {
        let context = object::find::<Context>(context)?;
        let Some(function) = function else {
            return fail(CL_INVALID_VALUE);
        };
        context.destructors.add(function, UserData(data));
        Ok(())
    })
}
