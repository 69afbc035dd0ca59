//! Buffers: parts, rectangles, copies, fills, maps, memory of the host; each compared with what plain Rust does.

mod common;

use common::{made, ok, Host};
use opencl_sys::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicUsize, Ordering};

fn bytes(host: &Host, buffer: cl_mem, size: usize) -> Vec<u8> {
    let mut bytes = vec![0u8; size];
    let place = bytes.as_mut_ptr().cast();
    ok(cl!(clEnqueueReadBuffer(
        host.queue,
        buffer,
        1,
        0,
        size,
        place,
        0,
        null(),
        null_mut()
    )));
    bytes
}

fn made_of(host: &Host, flags: u64, bytes: &[u8]) -> cl_mem {
    let place = bytes.as_ptr().cast_mut().cast();
    made(|e| cl!(clCreateBuffer(host.context, flags, bytes.len(), place, e))).unwrap()
}

fn numbers(count: usize) -> Vec<u8> {
    (0..count).map(|n| (n * 7 + n / 256) as u8).collect()
}

/// A rectangle of `region` from one run of bytes to another one.
struct Box3 {
    from: [usize; 3],
    to: [usize; 3],
    region: [usize; 3],
    /// Row and slice pitch of both.
    pitches: [usize; 4],
}

impl Box3 {
    fn copy(&self, from: &[u8], to: &mut [u8]) {
        let [from_row, from_slice, to_row, to_slice] = self.pitches;
        for z in 0..self.region[2] {
            for y in 0..self.region[1] {
                for x in 0..self.region[0] {
                    let at = |o: [usize; 3], row, slice| {
                        (o[2] + z) * slice + (o[1] + y) * row + o[0] + x
                    };
                    to[at(self.to, to_row, to_slice)] = from[at(self.from, from_row, from_slice)];
                }
            }
        }
    }
}

#[test]
fn rectangles_go_where_they_are_to() {
    let host = Host::new();
    let boxes = [
        Box3 {
            from: [0; 3],
            to: [0; 3],
            region: [1, 1, 1],
            pitches: [1, 1, 1, 1],
        },
        Box3 {
            from: [3, 1, 2],
            to: [1, 0, 1],
            region: [5, 3, 2],
            pitches: [11, 55, 7, 28],
        },
        Box3 {
            from: [0, 2, 0],
            to: [13, 0, 0],
            region: [17, 5, 1],
            pitches: [17, 17 * 7, 31, 31 * 5],
        },
    ];
    for box3 in boxes {
        let (from, to) = (numbers(400), vec![0xeeu8; 400]);
        let mut want = to.clone();
        box3.copy(&from, &mut want);
        let [from_row, from_slice, to_row, to_slice] = box3.pitches;
        let (origin, goal) = (box3.from.as_ptr(), box3.to.as_ptr());
        let region = box3.region.as_ptr();

        let (source, target) = (
            made_of(&host, CL_MEM_COPY_HOST_PTR, &from),
            made_of(&host, CL_MEM_COPY_HOST_PTR, &to),
        );
        ok(cl!(clEnqueueCopyBufferRect(
            host.queue,
            source,
            target,
            origin,
            goal,
            region,
            from_row,
            from_slice,
            to_row,
            to_slice,
            0,
            null(),
            null_mut()
        )));
        assert_eq!(bytes(&host, target, 400), want, "copy");

        let mut read = to.clone();
        ok(cl!(clEnqueueReadBufferRect(
            host.queue,
            source,
            1,
            origin,
            goal,
            region,
            from_row,
            from_slice,
            to_row,
            to_slice,
            read.as_mut_ptr().cast(),
            0,
            null(),
            null_mut()
        )));
        assert_eq!(read, want, "read");

        let target = made_of(&host, CL_MEM_COPY_HOST_PTR, &to);
        ok(cl!(clEnqueueWriteBufferRect(
            host.queue,
            target,
            1,
            goal,
            origin,
            region,
            to_row,
            to_slice,
            from_row,
            from_slice,
            from.as_ptr().cast(),
            0,
            null(),
            null_mut()
        )));
        assert_eq!(bytes(&host, target, 400), want, "write");

        // One row too many for the buffer.
        let more = [box3.region[0], 401, 1];
        let code = cl!(clEnqueueCopyBufferRect(
            host.queue,
            source,
            target,
            origin,
            goal,
            more.as_ptr(),
            from_row,
            0,
            to_row,
            0,
            0,
            null(),
            null_mut()
        ));
        assert_eq!(code, CL_INVALID_VALUE);
    }
}

#[test]
fn parts_copies_and_fills() {
    let host = Host::new();
    let mut want = numbers(1000);
    let whole = made_of(&host, CL_MEM_COPY_HOST_PTR, &want);
    let part = |origin, size| {
        let region = cl_buffer_region { origin, size };
        let place = (&raw const region).cast();
        made(|e| {
            cl!(clCreateSubBuffer(
                whole,
                0,
                CL_BUFFER_CREATE_TYPE_REGION,
                place,
                e
            ))
        })
    };
    assert_eq!(part(4, 8), Err(CL_MISALIGNED_SUB_BUFFER_OFFSET));
    assert_eq!(part(896, 105), Err(CL_INVALID_VALUE));
    assert_eq!(part(0, 0), Err(CL_INVALID_BUFFER_SIZE));
    let (low, high) = (part(128, 256).unwrap(), part(256, 256).unwrap());
    let copy = |from, to, a: usize, b: usize, size: usize| {
        cl!(clEnqueueCopyBuffer(
            host.queue,
            from,
            to,
            a,
            b,
            size,
            0,
            null(),
            null_mut()
        ))
    };
    // The end of one is the beginning of the other.
    assert_eq!(copy(low, high, 100, 0, 29), CL_MEM_COPY_OVERLAP);
    assert_eq!(copy(whole, whole, 0, 9, 10), CL_MEM_COPY_OVERLAP);
    ok(copy(low, high, 99, 0, 29));
    want.copy_within(227..256, 256);
    ok(copy(whole, whole, 0, 10, 10));
    want.copy_within(0..10, 10);
    let fill = |buffer, pattern: &[u8], offset: usize, size: usize| {
        let place = pattern.as_ptr().cast();
        cl!(clEnqueueFillBuffer(
            host.queue,
            buffer,
            place,
            pattern.len(),
            offset,
            size,
            0,
            null(),
            null_mut()
        ))
    };
    ok(fill(high, &[1, 2, 3, 4], 8, 12));
    want[264..276].copy_from_slice(&[1, 2, 3, 4].repeat(3));
    ok(fill(whole, &[9; 128], 512, 256));
    want[512..768].fill(9);
    for (pattern, offset, size) in [(3, 0, 6), (4, 2, 4), (4, 0, 6), (256, 0, 256), (4, 256, 4)] {
        assert_eq!(
            fill(high, &vec![0; pattern], offset, size),
            CL_INVALID_VALUE
        );
    }
    assert_eq!(bytes(&host, whole, 1000), want);
    assert_eq!(bytes(&host, high, 256), want[256..512]);
    // A part keeps the whole.
    ok(cl!(clReleaseMemObject(whole)));
    assert_eq!(bytes(&host, low, 256), want[128..384]);
}

static GONE: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" fn gone(_memory: cl_mem, data: *mut c_void) {
    // The last one that was set is the first.
    GONE.store(
        10 * GONE.load(Ordering::SeqCst) + data as usize,
        Ordering::SeqCst,
    );
}

#[test]
fn maps_show_and_take() {
    let host = Host::new();
    let mut own = numbers(300);
    let place = own.as_mut_ptr();
    let flags = [
        CL_MEM_COPY_HOST_PTR,
        CL_MEM_USE_HOST_PTR,
        CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR,
    ];
    for flags in flags {
        let buffer =
            made(|e| cl!(clCreateBuffer(host.context, flags, 300, place.cast(), e))).unwrap();
        let mut want = bytes(&host, buffer, 300);
        let map = |flags, offset: usize, size: usize| {
            made(|e| {
                cl!(clEnqueueMapBuffer(
                    host.queue,
                    buffer,
                    1,
                    flags,
                    offset,
                    size,
                    0,
                    null(),
                    null_mut(),
                    e
                ))
            })
        };
        let unmap = |place| {
            cl!(clEnqueueUnmapMemObject(
                host.queue,
                buffer,
                place,
                0,
                null(),
                null_mut()
            ))
        };
        let count = || {
            let bytes = host.answer(|size, value, ret| {
                cl!(clGetMemObjectInfo(
                    buffer,
                    CL_MEM_MAP_COUNT,
                    size,
                    value,
                    ret
                ))
            });
            u32::from_ne_bytes(bytes.try_into().unwrap())
        };
        let read = map(CL_MAP_READ, 0, 300).unwrap();
        if flags == CL_MEM_USE_HOST_PTR {
            assert_eq!(read, place.cast());
        }
        // SAFETY: it is mapped.
        let shown = unsafe { std::slice::from_raw_parts(read.cast::<u8>(), 300) };
        assert_eq!(shown, want);
        let written = map(CL_MAP_WRITE, 17, 40).unwrap();
        assert_eq!((written as usize, count()), (read as usize + 17, 2));
        // SAFETY: it is mapped for writing.
        unsafe { written.cast::<u8>().write_bytes(0xab, 40) };
        ok(unmap(written));
        want[17..57].fill(0xab);
        let thrown = map(CL_MAP_WRITE_INVALIDATE_REGION, 200, 100).unwrap();
        // SAFETY: it is mapped for writing.
        unsafe { thrown.cast::<u8>().write_bytes(0xcd, 100) };
        ok(unmap(thrown));
        want[200..].fill(0xcd);
        ok(unmap(read));
        assert_eq!(unmap(read), CL_INVALID_VALUE);
        assert_eq!(map(CL_MAP_READ, 290, 11), Err(CL_INVALID_VALUE));
        assert_eq!(map(1 << 9, 0, 1), Err(CL_INVALID_VALUE));
        assert_eq!((bytes(&host, buffer, 300), count()), (want, 0));
        ok(cl!(clReleaseMemObject(buffer)));
    }

    let buffer = made_of(&host, CL_MEM_COPY_HOST_PTR, &[1; 64]);
    for number in [1, 2] {
        ok(cl!(clSetMemObjectDestructorCallback(
            buffer,
            Some(gone),
            number as *mut c_void
        )));
    }
    ok(cl!(clReleaseMemObject(buffer)));
    assert_eq!(GONE.load(Ordering::SeqCst), 21);
}

#[test]
fn the_host_reaches_what_it_may() {
    let host = Host::new();
    let buffer = |flags| made(|e| cl!(clCreateBuffer(host.context, flags, 64, null_mut(), e)));
    let may = [
        (0, true, true),
        (CL_MEM_HOST_READ_ONLY, true, false),
        (CL_MEM_HOST_WRITE_ONLY, false, true),
        (CL_MEM_HOST_NO_ACCESS, false, false),
    ];
    let mut word = [0u32; 1];
    let place: *mut c_void = word.as_mut_ptr().cast();
    for (flags, reads, writes) in may {
        let buffer = buffer(flags).unwrap();
        let code = |may| {
            if may {
                CL_SUCCESS
            } else {
                CL_INVALID_OPERATION
            }
        };
        let read = cl!(clEnqueueReadBuffer(
            host.queue,
            buffer,
            1,
            0,
            4,
            place,
            0,
            null(),
            null_mut()
        ));
        let write = cl!(clEnqueueWriteBuffer(
            host.queue,
            buffer,
            1,
            0,
            4,
            place,
            0,
            null(),
            null_mut()
        ));
        assert_eq!((read, write), (code(reads), code(writes)), "{flags:#x}");
        let map = |flags| {
            let mapped = made(|e| {
                cl!(clEnqueueMapBuffer(
                    host.queue,
                    buffer,
                    1,
                    flags,
                    0,
                    4,
                    0,
                    null(),
                    null_mut(),
                    e
                ))
            });
            mapped.map_or_else(|code| code, |_| CL_SUCCESS)
        };
        assert_eq!(
            (map(CL_MAP_READ), map(CL_MAP_WRITE)),
            (code(reads), code(writes))
        );
    }
    let wrong = [
        CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
        CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS,
        1 << 20,
    ];
    for flags in wrong {
        assert_eq!(buffer(flags), Err(CL_INVALID_VALUE), "{flags:#x}");
    }
    assert_eq!(buffer(CL_MEM_USE_HOST_PTR), Err(CL_INVALID_HOST_PTR));
    let sized = |size| made(|e| cl!(clCreateBuffer(host.context, 0, size, null_mut(), e)));
    assert_eq!(sized(0), Err(CL_INVALID_BUFFER_SIZE));
    assert_eq!(sized(1 << 40), Err(CL_INVALID_BUFFER_SIZE));
    // What has been given back can be had again, and no more than there is.
    let large = 100 << 20;
    for _ in 0..3 {
        let all = [sized(large).unwrap(), sized(large).unwrap()];
        assert_eq!(sized(large), Err(CL_MEM_OBJECT_ALLOCATION_FAILURE));
        all.into_iter()
            .for_each(|buffer| ok(cl!(clReleaseMemObject(buffer))));
    }
}
