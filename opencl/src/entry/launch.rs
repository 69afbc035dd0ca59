//! Launches of kernels, markers and barriers.

use super::{code, same_context, Tail};
use crate::code::{ensure, fail, Outcome};
use crate::host;
use crate::kernel::Kernel;
use crate::object::{self, Ref};
use crate::queue::{Order, Queue, Work};
use opencl_sys::*;

fn nothing() -> Work {
    Box::new(|_| Ok(()))
}

/// Sizes of so many directions; none for null.
unsafe fn sizes<'a>(place: *const usize, dimensions: cl_uint) -> &'a [usize] {
    unsafe { host::list(place, dimensions.min(3) as usize) }
}

fn both(queue: cl_command_queue, kernel: cl_kernel) -> Outcome<(Ref<Queue>, Ref<Kernel>)> {
    let (queue, kernel) = (
        object::find::<Queue>(queue)?,
        object::find::<Kernel>(kernel)?,
    );
    same_context(&queue.context, &kernel.program.context)?;
    Ok((queue, kernel))
}

pub unsafe extern "C" fn enqueue_nd_range_kernel(
    queue: cl_command_queue,
    kernel: cl_kernel,
    dimensions: cl_uint,
    offset: *const usize,
    global: *const usize,
    local: *const usize,
    count: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    code(|| unsafe {
        let (queue, kernel) = both(queue, kernel)?;
        let local = (!local.is_null()).then(|| sizes(local, dimensions));
        let range = kernel.range(
            dimensions,
            sizes(offset, dimensions),
            sizes(global, dimensions),
            local,
        )?;
        let work = match range {
            Some(range) => kernel.work(&range)?,
            None => nothing(),
        };
        let tail = Tail { count, list, event };
        tail.add(
            &queue,
            CL_COMMAND_NDRANGE_KERNEL,
            Order::Queued,
            false,
            work,
        )
    })
}

/// One work-item.
pub unsafe extern "C" fn enqueue_task(
    queue: cl_command_queue,
    kernel: cl_kernel,
    count: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    code(|| unsafe {
        let (queue, kernel) = both(queue, kernel)?;
        let range = kernel.range(1, &[], &[1], Some(&[1]))?;
        let work = range.map_or_else(|| Ok(nothing()), |range| kernel.work(&range))?;
        let tail = Tail { count, list, event };
        tail.add(&queue, CL_COMMAND_TASK, Order::Queued, false, work)
    })
}

/// The group that a launch without a local size takes.
pub unsafe extern "C" fn get_kernel_suggested_local_work_size(
    queue: cl_command_queue,
    kernel: cl_kernel,
    dimensions: cl_uint,
    offset: *const usize,
    global: *const usize,
    suggested: *mut usize,
) -> cl_int {
    code(|| unsafe {
        let (_, kernel) = both(queue, kernel)?;
        let (offset, global) = (sizes(offset, dimensions), sizes(global, dimensions));
        let range = kernel.range(dimensions, offset, global, None)?;
        let Some(range) = range.filter(|_| !suggested.is_null()) else {
            return fail(if suggested.is_null() {
                CL_INVALID_VALUE
            } else {
                CL_INVALID_GLOBAL_WORK_SIZE
            });
        };
        for (at, &side) in range.local.iter().take(dimensions as usize).enumerate() {
            host::put(suggested.add(at), side as usize);
        }
        Ok(())
    })
}

unsafe fn point(
    queue: cl_command_queue,
    kind: cl_command_type,
    order: Order,
    tail: Tail,
) -> cl_int {
    code(|| unsafe {
        let queue = object::find::<Queue>(queue)?;
        tail.add(&queue, kind, order, false, nothing())
    })
}

pub unsafe extern "C" fn enqueue_marker_with_wait_list(
    queue: cl_command_queue,
    count: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    unsafe {
        point(
            queue,
            CL_COMMAND_MARKER,
            Order::Marker,
            Tail { count, list, event },
        )
    }
}

pub unsafe extern "C" fn enqueue_barrier_with_wait_list(
    queue: cl_command_queue,
    count: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    unsafe {
        point(
            queue,
            CL_COMMAND_BARRIER,
            Order::Barrier,
            Tail { count, list, event },
        )
    }
}

/// Of OpenCL 1.1.
pub unsafe extern "C" fn enqueue_marker(queue: cl_command_queue, event: *mut cl_event) -> cl_int {
    if event.is_null() {
        return CL_INVALID_VALUE;
    }
    unsafe { enqueue_marker_with_wait_list(queue, 0, std::ptr::null(), event) }
}

/// Of OpenCL 1.1.
pub unsafe extern "C" fn enqueue_barrier(queue: cl_command_queue) -> cl_int {
    unsafe { enqueue_barrier_with_wait_list(queue, 0, std::ptr::null(), std::ptr::null_mut()) }
}

/// Of OpenCL 1.1: all that comes later waits for these.
pub unsafe extern "C" fn enqueue_wait_for_events(
    queue: cl_command_queue,
    count: cl_uint,
    list: *const cl_event,
) -> cl_int {
    code(|| unsafe {
        let queue = object::find::<Queue>(queue)?;
        ensure(count > 0 && !list.is_null(), CL_INVALID_VALUE)?;
        for &event in host::list(list, count as usize) {
            object::find::<crate::queue::Event>(event)?;
        }
        let event = std::ptr::null_mut();
        let tail = Tail { count, list, event };
        tail.add(&queue, CL_COMMAND_BARRIER, Order::Barrier, false, nothing())
    })
}
