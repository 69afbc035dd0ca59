//! Host programs of several kernels, buffers and events, on the golden device.

mod common;

use common::{made, ok, set, Host, OUT_OF_ORDER, PROFILING};
use opencl_sys::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};

const TEXT: &str = "
kernel void add(global const uint *a, global const uint *b, global uint *c, uint n) {
    uint i = get_global_id(0);
    if (i < n) c[i] = a[i] + b[i];
}
kernel void scale(global uint *c, uint by) { c[get_global_id(0)] *= by; }
kernel void reduce(global const uint *in, global uint *out, local uint *part) {
    uint l = get_local_id(0);
    part[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        uint sum = 0;
        for (uint i = 0; i < get_local_size(0); i++) sum += part[i];
        out[get_group_id(0)] = sum;
    }
}
typedef struct { char tag; uint4 v; } mixed;
kernel void values(global uint *out, mixed m, uchar3 c, long l) {
    out[0] = m.tag; out[1] = m.v.w; out[2] = c.z; out[3] = l >> 32;
}
kernel __attribute__((reqd_work_group_size(4, 2, 1))) void where(global uint *out) {
    uint at = (get_global_id(1) - get_global_offset(1)) * get_global_size(0) + get_global_id(0) - get_global_offset(0);
    out[at] = get_global_id(0) | get_global_id(1) << 8 | get_local_id(0) << 16 | get_group_id(1) << 24;
}
";

#[test]
fn several_kernels_and_sizes() {
    let host = Host::new();
    let program = host.build(TEXT);
    let [add, scale, reduce] = ["add", "scale", "reduce"].map(|name| host.kernel(program, name));
    for n in [1, 31, 32, 33, 97, 512, 1009usize] {
        let a: Vec<u32> = (0..n as u32).collect();
        let b: Vec<u32> = a.iter().map(|i| i * i).collect();
        // A word behind the end that nobody may touch.
        let buffers = [
            host.buffer(&a),
            host.buffer(&b),
            host.buffer(&vec![7; n + 1]),
        ];
        let [a_, b_, c_] = buffers;
        set(add, 0, a_);
        set(add, 1, b_);
        set(add, 2, c_);
        set(add, 3, n as u32);
        ok(host.run(add, n.next_multiple_of(16), 16));
        set(scale, 0, c_);
        set(scale, 1, 3u32);
        ok(host.run(scale, n, 0));
        let mut want: Vec<u32> = a.iter().map(|i| 3 * (i + i * i)).collect();
        want.push(7);
        assert_eq!(host.read(c_, n + 1), want, "{n}");
        buffers
            .into_iter()
            .for_each(|buffer| ok(cl!(clReleaseMemObject(buffer))));
    }
    let numbers: Vec<u32> = (0..7 * 61).collect();
    let (input, output) = (host.buffer(&numbers), host.buffer(&[0; 7]));
    set(reduce, 0, input);
    set(reduce, 1, output);
    ok(cl!(clSetKernelArg(reduce, 2, 4 * 61, null())));
    ok(host.run(reduce, 7 * 61, 61));
    let sums: Vec<u32> = numbers.chunks(61).map(|part| part.iter().sum()).collect();
    assert_eq!(host.read(output, 7), sums);
}

#[repr(C, align(16))]
struct Mixed(i8, [u8; 15], [u32; 4]);

#[test]
fn structs_vectors_offsets_and_kernel_info() {
    let host = Host::new();
    let program = host.build(TEXT);
    let (values, out) = (host.kernel(program, "values"), host.buffer(&[0; 64]));
    set(values, 0, out);
    set(values, 1, Mixed(-5, [0; 15], [1, 2, 3, 4]));
    set(values, 2, [7u8, 8, 9, 0]);
    set(values, 3, -1i64 << 33);
    ok(cl!(clEnqueueTask(
        host.queue,
        values,
        0,
        null(),
        null_mut()
    )));
    assert_eq!(host.read(out, 4), [-5i32 as u32, 4, 9, -2i32 as u32]);

    let place = host.kernel(program, "where");
    set(place, 0, out);
    let (offset, global) = ([3usize, 10], [8usize, 6]);
    let launch = |local: *const usize| {
        cl!(clEnqueueNDRangeKernel(
            host.queue,
            place,
            2,
            offset.as_ptr(),
            global.as_ptr(),
            local,
            0,
            null(),
            null_mut()
        ))
    };
    assert_eq!(launch([2usize, 2].as_ptr()), CL_INVALID_WORK_GROUP_SIZE);
    for local in [null(), [4usize, 2].as_ptr()] {
        ok(launch(local));
        let words = host.read(out, 48);
        for (at, word) in words.into_iter().enumerate() {
            let (x, y) = (at as u32 % 8, at as u32 / 8);
            assert_eq!(
                word,
                (x + 3) | (y + 10) << 8 | (x % 4) << 16 | (y / 2) << 24
            );
        }
    }

    let text =
        |name| host.text(|size, value, ret| cl!(clGetKernelInfo(place, name, size, value, ret)));
    assert_eq!(text(CL_KERNEL_FUNCTION_NAME), "where");
    assert_eq!(text(CL_KERNEL_ATTRIBUTES), "reqd_work_group_size(4,2,1)");
    let group = |name| {
        host.answer(|size, value, ret| {
            cl!(clGetKernelWorkGroupInfo(
                place,
                host.device,
                name,
                size,
                value,
                ret
            ))
        })
    };
    let required = group(CL_KERNEL_COMPILE_WORK_GROUP_SIZE);
    assert_eq!(required, [4usize, 2, 1].map(usize::to_ne_bytes).concat());
    assert_eq!(group(CL_KERNEL_WORK_GROUP_SIZE), 512usize.to_ne_bytes());
    let reduce = host.kernel(program, "reduce");
    let argument = |index, name| {
        host.answer(|size, value, ret| {
            cl!(clGetKernelArgInfo(reduce, index, name, size, value, ret))
        })
    };
    assert_eq!(argument(0, CL_KERNEL_ARG_TYPE_NAME), b"uint*\0");
    assert_eq!(argument(2, CL_KERNEL_ARG_NAME), b"part\0");
    let local = CL_KERNEL_ARG_ADDRESS_LOCAL.to_ne_bytes();
    assert_eq!(argument(2, CL_KERNEL_ARG_ADDRESS_QUALIFIER), local);
    let constant = u64::from(CL_KERNEL_ARG_TYPE_CONST).to_ne_bytes();
    assert_eq!(argument(0, CL_KERNEL_ARG_TYPE_QUALIFIER), constant);
}

#[test]
fn binaries_objects_headers_and_copies() {
    let host = Host::new();
    let program = host.build(TEXT);
    let sizes = host.answer(|size, value, ret| {
        cl!(clGetProgramInfo(
            program,
            CL_PROGRAM_BINARY_SIZES,
            size,
            value,
            ret
        ))
    });
    let size = usize::from_ne_bytes(sizes.try_into().unwrap());
    let mut binary = vec![0u8; size];
    let mut place: *mut u8 = binary.as_mut_ptr();
    let value = (&raw mut place).cast();
    ok(cl!(clGetProgramInfo(
        program,
        CL_PROGRAM_BINARIES,
        8,
        value,
        null_mut()
    )));
    let load = |bytes: &[u8], status: &mut cl_int| {
        let (length, mut place) = (bytes.len(), bytes.as_ptr());
        made(|e| {
            cl!(clCreateProgramWithBinary(
                host.context,
                1,
                &host.device,
                &length,
                &mut place,
                status,
                e
            ))
        })
    };
    let mut status = 1;
    let loaded = load(&binary, &mut status).unwrap();
    assert_eq!(status, CL_SUCCESS);
    assert_eq!(host.try_build(loaded, "").0, CL_SUCCESS);
    let (scale, words) = (host.kernel(loaded, "scale"), host.buffer(&[1, 2, 3]));
    set(scale, 0, words);
    set(scale, 1, 5u32);
    // A copy has the arguments of the one it is made of.
    let copy = made(|e| cl!(clCloneKernel(scale, e))).unwrap();
    set(scale, 1, 7u32);
    ok(host.run(copy, 3, 0));
    assert_eq!(host.read(words, 3), [5, 10, 15]);
    assert_eq!(
        load(&binary[..size / 2], &mut status),
        Err(CL_INVALID_BINARY)
    );
    assert_eq!(status, CL_INVALID_BINARY);

    let header = host.source("uint twice(uint x);\n");
    let main =
        host.source("#include \"twice.h\"\nkernel void k(global uint *p) { *p = twice(*p); }");
    let part = host.source("uint twice(uint x) { return 2 * x; }");
    let mut name = c"twice.h".as_ptr();
    ok(cl!(clCompileProgram(
        main,
        0,
        null(),
        null(),
        1,
        &header,
        &mut name,
        None,
        null_mut()
    )));
    ok(cl!(clCompileProgram(
        part,
        0,
        null(),
        null(),
        0,
        null(),
        null_mut(),
        None,
        null_mut()
    )));
    let link = |parts: &[cl_program]| {
        made(|e| {
            cl!(clLinkProgram(
                host.context,
                0,
                null(),
                null(),
                parts.len() as u32,
                parts.as_ptr(),
                None,
                null_mut(),
                e
            ))
        })
    };
    let linked = link(&[main, part]).unwrap();
    let (k, one) = (host.kernel(linked, "k"), host.buffer(&[21]));
    set(k, 0, one);
    ok(host.run(k, 1, 1));
    assert_eq!(host.read(one, 1), [42]);
    assert_eq!(link(&[program]), Err(CL_INVALID_OPERATION));
}

/// Executables that do not fit into memory together, each with its buffer for printf, take turns.
#[test]
fn more_executables_than_there_is_room_for() {
    let host = Host::new();
    let count = 20;
    let text: String = (0..count)
        .map(|n| {
            format!(
                "kernel void k{n}(global uint *p) {{ if (p[{n}] == 999) printf(\"%d\", {n}); p[{n}] += {n} + 1; }}\n"
            )
        })
        .collect();
    let program = host.build(&text);
    let words = host.buffer(&vec![0; count]);
    let kernels: Vec<_> = (0..count)
        .map(|n| host.kernel(program, &format!("k{n}")))
        .collect();
    for round in 1..=2 {
        for &kernel in &kernels {
            set(kernel, 0, words);
            ok(host.run(kernel, 1, 1));
        }
        let want: Vec<u32> = (1..=count as u32).map(|n| round * n).collect();
        assert_eq!(host.read(words, count), want);
    }
}

static TOLD: AtomicI32 = AtomicI32::new(9);
static CALLS: AtomicU32 = AtomicU32::new(0);

unsafe extern "C" fn told(_event: cl_event, status: cl_int, data: *mut c_void) {
    TOLD.store(status, Ordering::SeqCst);
    CALLS.fetch_add(data as u32, Ordering::SeqCst);
}

#[test]
fn events_order_commands_on_both_kinds_of_queues() {
    let host = Host::with(OUT_OF_ORDER | PROFILING);
    let program = host.build(TEXT);
    let words = host.buffer(&[1; 40]);
    // Kernels have their arguments from when they are enqueued.
    let scale = host.kernel(program, "scale");
    set(scale, 0, words);
    let launch = |queue, by: u32, list: &[cl_event]| {
        set(scale, 1, by);
        let (size, mut event) = (40usize, null_mut());
        let first = if list.is_empty() {
            null()
        } else {
            list.as_ptr()
        };
        ok(cl!(clEnqueueNDRangeKernel(
            queue,
            scale,
            1,
            null(),
            &size,
            null(),
            list.len() as u32,
            first,
            &mut event
        )));
        event
    };
    let gate = host.user_event();
    let late = launch(host.queue, 2, &[gate]);
    let early = launch(host.queue, 3, &[]);
    ok(cl!(clWaitForEvents(1, &early)));
    assert!(host.status(late) > CL_COMPLETE, "it waits for its event");
    ok(cl!(clSetEventCallback(
        late,
        CL_COMPLETE,
        Some(told),
        4 as *mut c_void
    )));
    let mut marker = null_mut();
    ok(cl!(clEnqueueMarkerWithWaitList(
        host.queue,
        0,
        null(),
        &mut marker
    )));
    ok(cl!(clEnqueueBarrierWithWaitList(
        host.queue,
        0,
        null(),
        null_mut()
    )));
    let behind = launch(host.queue, 5, &[]);
    assert!(host.status(marker) > CL_COMPLETE && host.status(behind) > CL_COMPLETE);
    assert_eq!(CALLS.load(Ordering::SeqCst), 0);
    ok(cl!(clSetUserEventStatus(gate, CL_COMPLETE)));
    assert_eq!(
        cl!(clSetUserEventStatus(gate, CL_COMPLETE)),
        CL_INVALID_OPERATION
    );
    ok(cl!(clFinish(host.queue)));
    assert_eq!(host.read(words, 40), [30; 40]);
    let times = [
        CL_PROFILING_COMMAND_QUEUED,
        CL_PROFILING_COMMAND_SUBMIT,
        CL_PROFILING_COMMAND_START,
        CL_PROFILING_COMMAND_END,
        CL_PROFILING_COMMAND_COMPLETE,
    ];
    let time = |event, name| {
        let bytes = host
            .answer(|size, value, ret| cl!(clGetEventProfilingInfo(event, name, size, value, ret)));
        u64::from_ne_bytes(bytes.try_into().unwrap())
    };
    let of_late = times.map(|name| time(late, name));
    assert!(
        of_late.is_sorted() && of_late[3] > of_late[2],
        "{of_late:?}"
    );
    assert!(time(behind, CL_PROFILING_COMMAND_START) >= of_late[3]);
    // Called once, when the status was there.
    assert_eq!(
        (TOLD.load(Ordering::SeqCst), CALLS.load(Ordering::SeqCst)),
        (CL_COMPLETE, 4)
    );

    // In order, nothing goes past what waits; an event that fails takes with it who waits for it, and nobody else.
    let queue = host.new_queue(0);
    let gate = host.user_event();
    let first = launch(queue, 7, &[gate]);
    let second = launch(queue, 11, &[]);
    assert!(host.status(second) > CL_COMPLETE);
    ok(cl!(clSetUserEventStatus(gate, -7)));
    let waited = cl!(clWaitForEvents(1, &first));
    assert_eq!(waited, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    assert_eq!(
        host.status(first),
        CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
    );
    ok(cl!(clFinish(queue)));
    assert_eq!(host.status(second), CL_COMPLETE);
    assert_eq!(host.read(words, 40), [330; 40]);
    let none = cl!(clGetEventProfilingInfo(
        second,
        times[0],
        8,
        null_mut(),
        null_mut()
    ));
    assert_eq!(none, CL_PROFILING_INFO_NOT_AVAILABLE);
}

#[test]
fn threads_call_at_once() {
    let host = Host::new();
    let shared = host.build(TEXT);
    std::thread::scope(|scope| {
        for number in 0..4u32 {
            let (host, shared) = (&host, shared as usize);
            scope.spawn(move || {
                let queue = host.new_queue(u64::from(number % 2));
                let kernel = host.kernel(shared as cl_program, "scale");
                let own = host.build(&format!(
                    "kernel void own(global uint *p) {{ p[get_global_id(0)] += {number}; }}"
                ));
                let mine = host.kernel(own, "own");
                let n = 100 + number as usize;
                let words = host.buffer(&vec![1; n]);
                for round in 0..5 {
                    set(kernel, 0, words);
                    set(kernel, 1, round % 2 + 1u32);
                    set(mine, 0, words);
                    for launched in [kernel, mine] {
                        ok(cl!(clEnqueueNDRangeKernel(
                            queue,
                            launched,
                            1,
                            null(),
                            &n,
                            null(),
                            0,
                            null(),
                            null_mut()
                        )));
                        ok(cl!(clEnqueueBarrier(queue)));
                    }
                }
                ok(cl!(clFinish(queue)));
                let want = (0..5).fold(1, |word, round| word * (round % 2 + 1) + number);
                assert_eq!(host.read(words, n), vec![want; n]);
                for object in [kernel, mine] {
                    ok(cl!(clReleaseKernel(object)));
                }
                ok(cl!(clReleaseProgram(own)));
                ok(cl!(clReleaseMemObject(words)));
                ok(cl!(clReleaseCommandQueue(queue)));
            });
        }
    });
}
