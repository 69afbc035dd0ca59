//! Transfers between buffers and the host, and among buffers.
#![allow(clippy::too_many_arguments)]

use super::{code, pointer, same_context, Tail};
use crate::code::{ensure, fail, Code, Outcome};
use crate::device::Machine;
use crate::host::{self, HostMemory};
use crate::memory::Memory;
use crate::object::{self, Ref};
use crate::queue::{Order, Queue};
use crate::rect::{self, Layout};
use opencl_sys::*;
use std::ffi::c_void;

fn both(queue: cl_command_queue, buffer: cl_mem) -> Outcome<(Ref<Queue>, Ref<Memory>)> {
    let (queue, memory) = (
        object::find::<Queue>(queue)?,
        object::find::<Memory>(buffer)?,
    );
    same_context(&queue.context, &memory.context)?;
    Ok((queue, memory))
}

/// Origin, and bytes from one row and one slice to the next, of a rectangle in a buffer or with the host.
type Pitch = (*const usize, usize, usize);

/// Which way bytes go between a buffer and the host.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Read,
    Write,
}

impl Way {
    /// The host may do so.
    fn check(self, memory: &Memory) -> Outcome {
        memory.check_host(self == Way::Read, self == Way::Write)
    }

    fn go(
        self,
        memory: &Memory,
        machine: &mut Machine,
        offset: usize,
        host: HostMemory,
        size: usize,
    ) -> Outcome {
        match self {
            Way::Read => memory.read(machine, offset, host, size),
            Way::Write => memory.write(machine, offset, host, size),
        }
    }

    /// Enqueues a transfer of bytes that are one behind the other.
    unsafe fn bytes(
        self,
        (queue, buffer): (cl_command_queue, cl_mem),
        blocks: cl_bool,
        (offset, size): (usize, usize),
        place: *const c_void,
        tail: Tail,
    ) -> Outcome {
        let (queue, memory) = both(queue, buffer)?;
        memory.check(offset, size)?;
        let host = unsafe { HostMemory::new(place, size) }.checked()?;
        self.check(&memory)?;
        let work =
            Box::new(move |machine: &mut _| Ok(self.go(&memory, machine, offset, host, size)?));
        let kind = match self {
            Way::Read => CL_COMMAND_READ_BUFFER,
            Way::Write => CL_COMMAND_WRITE_BUFFER,
        };
        unsafe { tail.add(&queue, kind, Order::Queued, blocks != 0, work) }
    }

    /// Enqueues a transfer of a rectangle.
    unsafe fn rectangle(
        self,
        (queue, buffer): (cl_command_queue, cl_mem),
        blocks: cl_bool,
        (in_buffer, in_host, region): (Pitch, Pitch, *const usize),
        place: *const c_void,
        tail: Tail,
    ) -> Outcome {
        let (queue, memory) = both(queue, buffer)?;
        self.check(&memory)?;
        let rectangle = unsafe { Rectangle::new(memory, in_buffer, in_host, region, place) }?;
        let work = Box::new(move |machine: &mut _| {
            let width = rectangle.region[0];
            for (offset, host) in rectangle.rows() {
                self.go(&rectangle.memory, machine, offset, host, width)?;
            }
            Ok(())
        });
        let kind = match self {
            Way::Read => CL_COMMAND_READ_BUFFER_RECT,
            Way::Write => CL_COMMAND_WRITE_BUFFER_RECT,
        };
        unsafe { tail.add(&queue, kind, Order::Queued, blocks != 0, work) }
    }
}

pub unsafe extern "C" fn enqueue_read_buffer(
    queue: cl_command_queue,
    buffer: cl_mem,
    blocks: cl_bool,
    offset: usize,
    size: usize,
    to: *mut c_void,
    count: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    let tail = Tail { count, list, event };
    let part = (offset, size);
    code(|| unsafe { Way::Read.bytes((queue, buffer), blocks, part, to, tail) })
}

pub unsafe extern "C" fn enqueue_write_buffer(
    queue: cl_command_queue,
    buffer: cl_mem,
    blocks: cl_bool,
    offset: usize,
    size: usize,
    from: *const c_void,
    count: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    let tail = Tail { count, list, event };
    let part = (offset, size);
    code(|| unsafe { Way::Write.bytes((queue, buffer), blocks, part, from, tail) })
}

/// Three sizes; null is a wrong value.
unsafe fn three(place: *const usize) -> Outcome<[usize; 3]> {
    let list = unsafe { host::list(place, 3) };
    list.try_into().map_err(|_| Code(CL_INVALID_VALUE))
}

/// A rectangle between a buffer and the host.
struct Rectangle {
    memory: Ref<Memory>,
    host: HostMemory,
    in_buffer: Layout,
    in_host: Layout,
    region: [usize; 3],
}

impl Rectangle {
    unsafe fn new(
        memory: Ref<Memory>,
        (buffer_origin, buffer_row, buffer_slice): Pitch,
        (host_origin, host_row, host_slice): Pitch,
        region: *const usize,
        place: *const c_void,
    ) -> Outcome<Rectangle> {
        let region = unsafe { three(region) }?;
        let in_buffer = Layout::new(
            unsafe { three(buffer_origin) }?,
            region,
            buffer_row,
            buffer_slice,
        )?;
        let in_host = Layout::new(unsafe { three(host_origin) }?, region, host_row, host_slice)?;
        in_buffer.within(region, memory.size)?;
        let host = unsafe { HostMemory::new(place, in_host.reach(region)?) };
        Ok(Rectangle {
            memory,
            host: host.checked()?,
            in_buffer,
            in_host,
            region,
        })
    }

    /// First bytes of each row in buffer and host, and the bytes of a row.
    fn rows(&self) -> impl Iterator<Item = (usize, HostMemory)> + '_ {
        let width = self.region[0];
        let rows = rect::rows(self.in_buffer, self.in_host, self.region);
        rows.map(move |(buffer, host)| (buffer, self.host.part(host, width)))
    }
}

pub unsafe extern "C" fn enqueue_read_buffer_rect(
    queue: cl_command_queue,
    buffer: cl_mem,
    blocks: cl_bool,
    buffer_origin: *const usize,
    host_origin: *const usize,
    region: *const usize,
    buffer_row: usize,
    buffer_slice: usize,
    host_row: usize,
    host_slice: usize,
    to: *mut c_void,
    count: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    let tail = Tail { count, list, event };
    let in_buffer = (buffer_origin, buffer_row, buffer_slice);
    let in_host = (host_origin, host_row, host_slice);
    code(|| unsafe {
        let memory = (queue, buffer);
        Way::Read.rectangle(memory, blocks, (in_buffer, in_host, region), to, tail)
    })
}

pub unsafe extern "C" fn enqueue_write_buffer_rect(
    queue: cl_command_queue,
    buffer: cl_mem,
    blocks: cl_bool,
    buffer_origin: *const usize,
    host_origin: *const usize,
    region: *const usize,
    buffer_row: usize,
    buffer_slice: usize,
    host_row: usize,
    host_slice: usize,
    from: *const c_void,
    count: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    let tail = Tail { count, list, event };
    let in_buffer = (buffer_origin, buffer_row, buffer_slice);
    let in_host = (host_origin, host_row, host_slice);
    code(|| unsafe {
        let memory = (queue, buffer);
        Way::Write.rectangle(memory, blocks, (in_buffer, in_host, region), from, tail)
    })
}

pub unsafe extern "C" fn enqueue_copy_buffer(
    queue: cl_command_queue,
    from: cl_mem,
    to: cl_mem,
    from_offset: usize,
    to_offset: usize,
    size: usize,
    count: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    code(|| unsafe {
        let (queue, from) = both(queue, from)?;
        let (_, to) = both(object::handle(&queue), to)?;
        from.check(from_offset, size)?;
        to.check(to_offset, size)?;
        if let Some(apart) = from.distance(&to) {
            let apart = apart + to_offset as i64 - from_offset as i64;
            ensure(apart.unsigned_abs() >= size as u64, CL_MEM_COPY_OVERLAP)?;
        }
        let work = Box::new(move |machine: &mut Machine| {
            let mut bytes = vec![0; size];
            machine.read(from.address() + from_offset as u32, &mut bytes)?;
            Ok(machine.write(to.address() + to_offset as u32, &bytes)?)
        });
        let tail = Tail { count, list, event };
        tail.add(&queue, CL_COMMAND_COPY_BUFFER, Order::Queued, false, work)
    })
}

pub unsafe extern "C" fn enqueue_copy_buffer_rect(
    queue: cl_command_queue,
    from: cl_mem,
    to: cl_mem,
    from_origin: *const usize,
    to_origin: *const usize,
    region: *const usize,
    from_row: usize,
    from_slice: usize,
    to_row: usize,
    to_slice: usize,
    count: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    code(|| unsafe {
        let (queue, from) = both(queue, from)?;
        let (_, to) = both(object::handle(&queue), to)?;
        let region = three(region)?;
        let in_from = Layout::new(three(from_origin)?, region, from_row, from_slice)?;
        let in_to = Layout::new(three(to_origin)?, region, to_row, to_slice)?;
        in_from.within(region, from.size)?;
        in_to.within(region, to.size)?;
        if let Some(apart) = from.distance(&to) {
            ensure(
                !in_from.overlaps(&in_to, apart, region),
                CL_MEM_COPY_OVERLAP,
            )?;
        }
        let work = Box::new(move |machine: &mut Machine| {
            let mut row = vec![0; region[0]];
            for (here, there) in rect::rows(in_from, in_to, region) {
                machine.read(from.address() + here as u32, &mut row)?;
                machine.write(to.address() + there as u32, &row)?;
            }
            Ok(())
        });
        let tail = Tail { count, list, event };
        tail.add(
            &queue,
            CL_COMMAND_COPY_BUFFER_RECT,
            Order::Queued,
            false,
            work,
        )
    })
}

pub unsafe extern "C" fn enqueue_fill_buffer(
    queue: cl_command_queue,
    buffer: cl_mem,
    pattern: *const c_void,
    pattern_size: usize,
    offset: usize,
    size: usize,
    count: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    code(|| unsafe {
        let (queue, memory) = both(queue, buffer)?;
        memory.check(offset, size)?;
        let fits = pattern_size.is_power_of_two() && pattern_size <= 128;
        ensure(fits && !pattern.is_null(), CL_INVALID_VALUE)?;
        let whole = offset % pattern_size == 0 && size % pattern_size == 0;
        ensure(whole, CL_INVALID_VALUE)?;
        let bytes = host::list(pattern.cast::<u8>(), pattern_size).repeat(size / pattern_size);
        let work = Box::new(move |machine: &mut Machine| {
            Ok(machine.write(memory.address() + offset as u32, &bytes)?)
        });
        let tail = Tail { count, list, event };
        tail.add(&queue, CL_COMMAND_FILL_BUFFER, Order::Queued, false, work)
    })
}

pub unsafe extern "C" fn enqueue_map_buffer(
    queue: cl_command_queue,
    buffer: cl_mem,
    blocks: cl_bool,
    flags: cl_map_flags,
    offset: usize,
    size: usize,
    count: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
    error: *mut cl_int,
) -> *mut c_void {
    unsafe {
        pointer(error, || {
            let (queue, memory) = both(queue, buffer)?;
            let writes = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
            ensure(flags & !(CL_MAP_READ | writes) == 0, CL_INVALID_VALUE)?;
            let both = CL_MAP_READ | CL_MAP_WRITE;
            let excludes = flags & CL_MAP_WRITE_INVALIDATE_REGION != 0 && flags & both != 0;
            ensure(!excludes, CL_INVALID_VALUE)?;
            memory.check_host(flags & CL_MAP_READ != 0, flags & writes != 0)?;
            let map = memory.map(flags, offset, size)?;
            let place = map.host.address() as *mut c_void;
            let shown = memory.clone();
            let work =
                Box::new(
                    move |machine: &mut _| match flags & CL_MAP_WRITE_INVALIDATE_REGION {
                        0 => Ok(shown.read(machine, offset, map.host, size)?),
                        _ => Ok(()),
                    },
                );
            let tail = Tail { count, list, event };
            let added = tail.add(
                &queue,
                CL_COMMAND_MAP_BUFFER,
                Order::Queued,
                blocks != 0,
                work,
            );
            if let Err(code) = added {
                memory.unmap(place)?;
                return Err(code);
            }
            Ok(place)
        })
    }
}

pub unsafe extern "C" fn enqueue_unmap_mem_object(
    queue: cl_command_queue,
    buffer: cl_mem,
    place: *mut c_void,
    count: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    code(|| unsafe {
        let (queue, memory) = both(queue, buffer)?;
        // Before the mapping ends: the list may be wrong.
        super::events(count, list)?;
        let map = memory.unmap(place)?;
        let writes = map.flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION) != 0;
        let work = Box::new(move |machine: &mut _| match writes {
            true => Ok(memory.write(machine, map.offset, map.host, map.host.size())?),
            false => Ok(()),
        });
        let tail = Tail { count, list, event };
        tail.add(
            &queue,
            CL_COMMAND_UNMAP_MEM_OBJECT,
            Order::Queued,
            false,
            work,
        )
    })
}

/// There is one device: all is there already.
pub unsafe extern "C" fn enqueue_migrate_mem_objects(
    queue: cl_command_queue,
    number: cl_uint,
    objects: *const cl_mem,
    flags: cl_mem_migration_flags,
    count: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    code(|| unsafe {
        let found = object::find::<Queue>(queue)?;
        let objects = host::list(objects, number as usize);
        ensure(!objects.is_empty(), CL_INVALID_VALUE)?;
        let known = CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
        ensure(flags & !known == 0, CL_INVALID_VALUE)?;
        for &object in objects {
            both(queue, object)?;
        }
        let tail = Tail { count, list, event };
        let kind = CL_COMMAND_MIGRATE_MEM_OBJECTS;
        tail.add(&found, kind, Order::Queued, false, Box::new(|_| Ok(())))
    })
}

/// No native kernels (CL_DEVICE_EXECUTION_CAPABILITIES).
pub unsafe extern "C" fn enqueue_native_kernel(
    queue: cl_command_queue,
    function: Option<unsafe extern "C" fn(*mut c_void)>,
    _arguments: *mut c_void,
    _size: usize,
    _number: cl_uint,
    _objects: *const cl_mem,
    _places: *mut *const c_void,
    _count: cl_uint,
    _list: *const cl_event,
    _event: *mut cl_event,
) -> cl_int {
    code(|| {
        object::find::<Queue>(queue)?;
        ensure(function.is_some(), CL_INVALID_VALUE)?;
        fail(CL_INVALID_OPERATION)
    })
}
