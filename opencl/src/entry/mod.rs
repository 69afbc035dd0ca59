//! The functions of OpenCL, as the dispatch table has them: pointers of the caller come in here and go no further than
//! `crate::host`.
//!
//! SAFETY, of every `unsafe` block in here: pointers are null or point to what the standard says of them, for as long as
//! it says; handles are looked up and may be anything.

pub mod context;
pub mod event;
pub mod kernel;
pub mod launch;
pub mod memory;
pub mod platform;
pub mod program;
pub mod queue;
pub mod refuse;
pub mod transfer;

use crate::code::{fail, Code, Outcome};
use crate::context::Context;
use crate::host;
use crate::object::{self, Kind, Ref};
use crate::queue::{Event, Order, Queue, Work};
use opencl_sys::*;
use std::ffi::c_void;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Arc;

/// A panic, which is a fault of ours, must not cross the caller.
fn caught<T>(act: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
    catch_unwind(AssertUnwindSafe(act)).unwrap_or_else(|_| fail(CL_OUT_OF_RESOURCES))
}

/// The code of what a function does.
fn code(act: impl FnOnce() -> Outcome) -> cl_int {
    match caught(act) {
        Ok(()) => CL_SUCCESS,
        Err(Code(code)) => code,
    }
}

/// A pointer, or null with the code at `error`.
unsafe fn pointer(error: *mut cl_int, act: impl FnOnce() -> Outcome<*mut c_void>) -> *mut c_void {
    let (pointer, code) = match caught(act) {
        Ok(pointer) => (pointer, CL_SUCCESS),
        Err(Code(code)) => (std::ptr::null_mut(), code),
    };
    unsafe { host::put(error, code) };
    pointer
}

/// The handle of a new object, or null with the code at `error`.
unsafe fn made<T: Kind>(error: *mut cl_int, act: impl FnOnce() -> Outcome<Ref<T>>) -> *mut c_void {
    unsafe { pointer(error, || act().map(|object| object::handle(&object))) }
}

/// `clRetain…`
pub unsafe extern "C" fn retain<T: Kind>(handle: *mut c_void) -> cl_int {
    code(|| object::retain::<T>(handle))
}

/// `clRelease…`
pub unsafe extern "C" fn release<T: Kind>(handle: *mut c_void) -> cl_int {
    code(|| object::release::<T>(handle))
}

/// Events of a wait list.
unsafe fn events(count: cl_uint, list: *const cl_event) -> Outcome<Vec<Ref<Event>>> {
    let list = unsafe { host::list_of(list, count as usize, CL_INVALID_EVENT_WAIT_LIST) }?;
    let find =
        |&event: &cl_event| object::find(event).map_err(|_| Code(CL_INVALID_EVENT_WAIT_LIST));
    list.iter().map(find).collect()
}

fn same_context(one: &Ref<Context>, other: &Ref<Context>) -> Outcome {
    match Arc::ptr_eq(one, other) {
        true => Ok(()),
        false => fail(CL_INVALID_CONTEXT),
    }
}

/// Ends of all functions that enqueue something.
struct Tail {
    count: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
}

impl Tail {
    /// Adds the command, waits for it if it is to block, and gives its event.
    unsafe fn add(
        &self,
        queue: &Ref<Queue>,
        kind: cl_command_type,
        order: Order,
        blocks: bool,
        work: Work,
    ) -> Outcome {
        let list = unsafe { events(self.count, self.list) }?;
        let added = queue.add(kind, order, &list, work)?;
        if blocks {
            queue.settle(&added)?;
        }
        if !self.event.is_null() {
            object::hold(&added);
            unsafe { host::put(self.event, object::handle(&added)) };
        }
        Ok(())
    }
}
