//! Events.

use super::{code, made};
use crate::code::{ensure, fail, Code, Outcome};
use crate::context::Context;
use crate::host::{self, UserData};
use crate::object::{self, Ref};
use crate::queue::{self, Callback, Event};
use opencl_sys::*;
use std::ffi::c_void;

pub unsafe extern "C" fn wait_for_events(count: cl_uint, list: *const cl_event) -> cl_int {
    code(|| {
        let list = unsafe { host::list(list, count as usize) };
        ensure(!list.is_empty(), CL_INVALID_VALUE)?;
        let events = list.iter().map(|&event| object::find::<Event>(event));
        let events: Vec<_> = events.collect::<Outcome<_>>()?;
        for event in &events {
            super::same_context(&event.context, &events[0].context)?;
        }
        queue::wait(&events)
    })
}

pub unsafe extern "C" fn get_event_info(
    event: cl_event,
    name: cl_event_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    code(|| unsafe {
        let event = object::find(event)?;
        queue::event_info(&event, name)?.give(size, value, size_ret)
    })
}

pub unsafe extern "C" fn get_event_profiling_info(
    event: cl_event,
    name: cl_profiling_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    code(|| unsafe {
        let event = object::find(event)?;
        queue::profiling(&event, name)?.give(size, value, size_ret)
    })
}

pub unsafe extern "C" fn create_user_event(context: cl_context, error: *mut cl_int) -> cl_event {
    unsafe {
        made(error, || {
            let context = object::find::<Context>(context)?;
            Ok(object::make(Event::new(&context, None, CL_COMMAND_USER)))
        })
    }
}

pub unsafe extern "C" fn set_user_event_status(event: cl_event, status: cl_int) -> cl_int {
    code(|| {
        let event: Ref<Event> = object::find(event)?;
        ensure(event.queue.is_none(), CL_INVALID_EVENT)?;
        ensure(status <= CL_COMPLETE, CL_INVALID_VALUE)?;
        let now = event.context.device.now();
        ensure(event.reach(status, now), CL_INVALID_OPERATION)
    })
}

pub unsafe extern "C" fn set_event_callback(
    event: cl_event,
    level: cl_int,
    function: Option<Callback>,
    data: *mut c_void,
) -> cl_int {
    code(|| {
        let event: Ref<Event> = object::find(event)?;
        let function = function.ok_or(Code(CL_INVALID_VALUE))?;
        match level {
            CL_SUBMITTED | CL_RUNNING | CL_COMPLETE => {
                event.call(level, function, UserData(data));
                Ok(())
            }
            _ => fail(CL_INVALID_VALUE),
        }
    })
}
