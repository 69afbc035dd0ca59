//! What is wrong is said with the right code, and nothing happens; what is not there is refused; all questions are answered.

mod common;

use common::{made, ok, set, table, Host};
use opencl_sys::*;
use std::ffi::{c_void, CStr};
use std::ptr::{null, null_mut};

#[test]
fn the_table_is_whole() {
    assert!(table().iter().all(|&entry| entry != 0));
    let names = [
        c"clIcdGetPlatformIDsKHR",
        c"clGetPlatformInfo",
        c"clNothing",
    ];
    // SAFETY: names end with zeros.
    let there =
        names.map(|name| unsafe { weft_opencl::clGetExtensionFunctionAddress(name.as_ptr()) });
    assert_eq!(there.map(|place| place.is_null()), [false, false, true]);
}

/// Null, a handle of another kind, an address that is none, and one that has been released.
#[test]
fn handles_that_are_none_are_refused() {
    let host = Host::new();
    let released = {
        let event = host.user_event();
        ok(cl!(clReleaseEvent(event)));
        event
    };
    let mut n = 0usize;
    let n: *mut usize = &mut n;
    for bad in [null_mut(), 64 as *mut c_void, released, host.platform] {
        let codes = [
            (cl!(clRetainContext(bad)), CL_INVALID_CONTEXT),
            (cl!(clReleaseCommandQueue(bad)), CL_INVALID_COMMAND_QUEUE),
            (cl!(clFinish(bad)), CL_INVALID_COMMAND_QUEUE),
            (cl!(clReleaseMemObject(bad)), CL_INVALID_MEM_OBJECT),
            (cl!(clRetainProgram(bad)), CL_INVALID_PROGRAM),
            (cl!(clReleaseKernel(bad)), CL_INVALID_KERNEL),
            (cl!(clRetainEvent(bad)), CL_INVALID_EVENT),
            (cl!(clRetainDevice(bad)), CL_INVALID_DEVICE),
            (cl!(clReleaseSampler(bad)), CL_INVALID_SAMPLER),
            (cl!(clWaitForEvents(1, &bad)), CL_INVALID_EVENT),
            (
                cl!(clGetDeviceInfo(bad, CL_DEVICE_NAME, 0, null_mut(), n)),
                CL_INVALID_DEVICE,
            ),
            (
                cl!(clGetContextInfo(bad, CL_CONTEXT_DEVICES, 0, null_mut(), n)),
                CL_INVALID_CONTEXT,
            ),
            (cl!(clSetKernelArg(bad, 0, 0, null())), CL_INVALID_KERNEL),
            (
                cl!(clEnqueueReadBuffer(
                    host.queue,
                    bad,
                    1,
                    0,
                    4,
                    n.cast(),
                    0,
                    null(),
                    null_mut()
                )),
                CL_INVALID_MEM_OBJECT,
            ),
            (
                cl!(clEnqueueMarkerWithWaitList(host.queue, 1, &bad, null_mut())),
                CL_INVALID_EVENT_WAIT_LIST,
            ),
        ];
        for (at, (code, want)) in codes.into_iter().enumerate() {
            assert_eq!(code, want, "{at}");
        }
        let handles = [
            (
                made(|e| cl!(clCreateContext(null(), 1, &bad, None, null_mut(), e))),
                CL_INVALID_DEVICE,
            ),
            (
                made(|e| cl!(clCreateBuffer(bad, 0, 4, null_mut(), e))),
                CL_INVALID_CONTEXT,
            ),
            (
                made(|e| cl!(clCreateCommandQueue(bad, host.device, 0, e))),
                CL_INVALID_CONTEXT,
            ),
            (
                made(|e| cl!(clCreateCommandQueue(host.context, bad, 0, e))),
                CL_INVALID_DEVICE,
            ),
            (made(|e| cl!(clCreateUserEvent(bad, e))), CL_INVALID_CONTEXT),
            (
                made(|e| cl!(clCreateKernel(bad, c"k".as_ptr(), e))),
                CL_INVALID_PROGRAM,
            ),
            (made(|e| cl!(clCloneKernel(bad, e))), CL_INVALID_KERNEL),
        ];
        for (at, (handle, want)) in handles.into_iter().enumerate() {
            assert_eq!(handle, Err(want), "{at}");
        }
    }
    let marker = |n, list| cl!(clEnqueueMarkerWithWaitList(host.queue, n, list, null_mut()));
    assert_eq!(marker(1, null()), CL_INVALID_EVENT_WAIT_LIST);
    assert_eq!(marker(0, &host.queue), CL_INVALID_EVENT_WAIT_LIST);
    // Of another context.
    let other = Host::new();
    let event = other.user_event();
    assert_eq!(marker(1, &event), CL_INVALID_CONTEXT);
    ok(cl!(clSetUserEventStatus(event, CL_COMPLETE)));
}

#[test]
fn what_is_not_there_is_refused() {
    let host = Host::new();
    let (context, queue, mut n) = (host.context, host.queue, 0u32);
    let codes = [
        cl!(clEnqueueNativeKernel(
            queue,
            Some(no_kernel),
            null_mut(),
            0,
            0,
            null(),
            null_mut(),
            0,
            null(),
            null_mut()
        )),
        cl!(clEnqueueFillImage(
            queue,
            null_mut(),
            null(),
            null(),
            null(),
            0,
            null(),
            null_mut()
        )),
        cl!(clEnqueueSVMUnmap(queue, null_mut(), 0, null(), null_mut())),
        cl!(clSetKernelArgSVMPointer(null_mut(), 0, null())),
        cl!(clGetDeviceAndHostTimer(host.device, null_mut(), null_mut())),
        cl!(clGetHostTimer(host.device, null_mut())),
        cl!(clSetDefaultDeviceCommandQueue(context, host.device, queue)),
        cl!(clSetCommandQueueProperty(queue, 0, 0, null_mut())),
    ];
    assert_eq!(codes, [CL_INVALID_OPERATION; 8]);
    let handles = [
        made(|e| cl!(clCreateImage(context, 0, null(), null(), null_mut(), e))),
        made(|e| cl!(clCreateSampler(context, 0, 0, 0, e))),
        made(|e| cl!(clCreatePipe(context, 0, 4, 4, null(), e))),
        made(|e| cl!(clCreateProgramWithIL(context, null(), 0, e))),
    ];
    assert_eq!(handles, [Err(CL_INVALID_OPERATION); 4]);
    assert!(cl!(clSVMAlloc(context, 0, 64, 0)).is_null());
    let image = CL_MEM_OBJECT_IMAGE2D;
    ok(cl!(clGetSupportedImageFormats(
        context,
        0,
        image,
        0,
        null_mut(),
        &mut n
    )));
    assert_eq!(n, 0);
    let cpu = cl!(clGetDeviceIDs(
        host.platform,
        CL_DEVICE_TYPE_CPU,
        0,
        null_mut(),
        &mut n
    ));
    assert_eq!(cpu, CL_DEVICE_NOT_FOUND);
    let part = cl!(clCreateSubDevices(
        host.device,
        null(),
        0,
        null_mut(),
        &mut n
    ));
    assert_eq!(part, CL_INVALID_VALUE);
    let properties = [CL_QUEUE_PROPERTIES as u64, CL_QUEUE_ON_DEVICE, 0];
    let on_device = made(|e| {
        cl!(clCreateCommandQueueWithProperties(
            context,
            host.device,
            properties.as_ptr(),
            e
        ))
    });
    assert_eq!(on_device, Err(CL_INVALID_QUEUE_PROPERTIES));
}

unsafe extern "C" fn no_kernel(_: *mut c_void) {}

#[test]
fn builds_and_arguments_that_are_wrong() {
    let host = Host::new();
    let program = host.source("kernel void k(global int *p) {\n  p[0] = nothing;\n}\n");
    let (code, log) = host.try_build(program, "");
    assert_eq!(code, CL_BUILD_PROGRAM_FAILURE);
    assert!(
        log.contains("<source>:2:10: error: use of undeclared identifier 'nothing'"),
        "{log}"
    );
    assert_eq!(
        host.try_build(program, "-fnothing").0,
        CL_INVALID_BUILD_OPTIONS
    );
    let named = |program, name: &CStr| made(|e| cl!(clCreateKernel(program, name.as_ptr(), e)));
    assert_eq!(named(program, c"k"), Err(CL_INVALID_PROGRAM_EXECUTABLE));
    assert_eq!(host.try_build(program, "-Dnothing=3").0, CL_SUCCESS);
    assert_eq!(named(program, c"l"), Err(CL_INVALID_KERNEL_NAME));
    let kernel = host.kernel(program, "k");
    assert_eq!(
        host.try_build(program, "").0,
        CL_INVALID_OPERATION,
        "a kernel is held"
    );

    let program = host.build(
        "kernel void k(global int *p, int4 v, local int *l) { l[0] = v.x; p[get_global_id(0)] = l[0]; }",
    );
    let kernel_ = kernel;
    let kernel = host.kernel(program, "k");
    let (buffer, zero) = (host.buffer(&[0; 8]), [0u32; 8]);
    let given = |index, size, place: *const c_void| cl!(clSetKernelArg(kernel, index, size, place));
    let place = zero.as_ptr().cast();
    assert_eq!(host.run(kernel, 8, 8), CL_INVALID_KERNEL_ARGS);
    assert_eq!(given(3, 4, place), CL_INVALID_ARG_INDEX);
    assert_eq!(given(0, 4, place), CL_INVALID_ARG_SIZE);
    assert_eq!(given(1, 12, place), CL_INVALID_ARG_SIZE);
    assert_eq!(given(1, 16, null()), CL_INVALID_ARG_VALUE);
    assert_eq!(given(2, 4, place), CL_INVALID_ARG_VALUE);
    assert_eq!(given(2, 0, null()), CL_INVALID_ARG_SIZE);
    assert_eq!(
        given(0, 8, (&raw const host.queue).cast()),
        CL_INVALID_MEM_OBJECT
    );
    set(kernel, 0, buffer);
    set(kernel, 1, [5, 0, 0, 0]);
    ok(given(2, 33 << 10, null()));
    assert_eq!(
        host.run(kernel, 8, 8),
        CL_OUT_OF_RESOURCES,
        "more local memory than there is"
    );
    ok(given(2, 4, null()));

    let launch = |dimensions, global: &[usize], local: &[usize]| {
        let local = if local.is_empty() {
            null()
        } else {
            local.as_ptr()
        };
        cl!(clEnqueueNDRangeKernel(
            host.queue,
            kernel,
            dimensions,
            null(),
            global.as_ptr(),
            local,
            0,
            null(),
            null_mut()
        ))
    };
    assert_eq!(launch(0, &[8], &[]), CL_INVALID_WORK_DIMENSION);
    assert_eq!(launch(4, &[8, 1, 1, 1], &[]), CL_INVALID_WORK_DIMENSION);
    assert_eq!(
        launch(1, &[8], &[3]),
        CL_INVALID_WORK_GROUP_SIZE,
        "not uniform"
    );
    assert_eq!(launch(1, &[8], &[0]), CL_INVALID_WORK_GROUP_SIZE);
    assert_eq!(launch(1, &[1024], &[1024]), CL_INVALID_WORK_ITEM_SIZE);
    assert_eq!(launch(2, &[32, 32], &[32, 32]), CL_INVALID_WORK_GROUP_SIZE);
    assert_eq!(launch(1, &[1 << 33], &[]), CL_INVALID_GLOBAL_WORK_SIZE);
    ok(launch(2, &[8, 0], &[]));
    assert_eq!(host.read(buffer, 8), [0; 8]);
    ok(launch(1, &[8], &[]));
    assert_eq!(host.read(buffer, 8), [5; 8]);
    ok(cl!(clReleaseKernel(kernel_)));
}

/// All questions have answers of the right size; unknown ones and short room are refused (`Host::answer`).
#[test]
fn questions() {
    let host = Host::new();
    let device = |name| {
        host.answer(|size, value, ret| cl!(clGetDeviceInfo(host.device, name, size, value, ret)))
    };
    let word = |name| u32::from_ne_bytes(device(name).try_into().unwrap());
    let long = |name| u64::from_ne_bytes(device(name).try_into().unwrap());
    let of_device = (0x1000..=0x1072).filter(|name| {
        // Holes, extensions that are not there, double's configuration is one of them that 3.0 asks for.
        let absent = [0x1033, 0x105f, 0x106a, 0x106b, 0x106c, 0x106d, 0x106e];
        !absent.contains(name)
    });
    for name in of_device {
        device(name);
    }
    assert_eq!(
        cl!(clGetDeviceInfo(
            host.device,
            0x106a,
            0,
            null_mut(),
            null_mut()
        )),
        CL_INVALID_VALUE
    );
    assert_eq!(word(CL_DEVICE_ADDRESS_BITS), 32);
    assert_eq!(
        device(CL_DEVICE_MAX_WORK_ITEM_SIZES),
        [512usize; 3].map(usize::to_ne_bytes).concat()
    );
    assert!(long(CL_DEVICE_MAX_MEM_ALLOC_SIZE) >= long(CL_DEVICE_GLOBAL_MEM_SIZE) / 4);
    // What OpenCL 3.0 wants of every device.
    assert_eq!(
        long(CL_DEVICE_SINGLE_FP_CONFIG) & CL_FP_ROUND_TO_NEAREST,
        CL_FP_ROUND_TO_NEAREST
    );
    assert_eq!(word(CL_DEVICE_NUMERIC_VERSION), 3 << 22);
    assert_eq!(device(CL_DEVICE_EXTENSIONS_WITH_VERSION).len() % 68, 0);
    assert_eq!(device(CL_DEVICE_OPENCL_C_ALL_VERSIONS).len(), 4 * 68);
    let extensions = String::from_utf8(device(CL_DEVICE_EXTENSIONS)).unwrap();
    for named in device(CL_DEVICE_EXTENSIONS_WITH_VERSION).chunks(68) {
        let name = CStr::from_bytes_until_nul(&named[4..]).unwrap();
        assert!(extensions.contains(name.to_str().unwrap()), "{name:?}");
    }
    let platform = (0x0900..=0x0907).chain([CL_PLATFORM_ICD_SUFFIX_KHR]);
    for name in platform {
        host.answer(|size, value, ret| {
            cl!(clGetPlatformInfo(host.platform, name, size, value, ret))
        });
    }
    for name in 0x1080..=0x1083 {
        host.answer(|size, value, ret| cl!(clGetContextInfo(host.context, name, size, value, ret)));
    }
    for name in [0x1090, 0x1091, 0x1092, 0x1093, 0x1095, 0x1098] {
        host.answer(|size, value, ret| {
            cl!(clGetCommandQueueInfo(host.queue, name, size, value, ret))
        });
    }
    let given = host.answer(|size, value, ret| {
        cl!(clGetCommandQueueInfo(
            host.queue,
            CL_QUEUE_PROPERTIES_ARRAY,
            size,
            value,
            ret
        ))
    });
    assert_eq!(given.len(), 24);
    let buffer = host.buffer(&[1]);
    for name in 0x1100..=0x110a {
        host.answer(|size, value, ret| cl!(clGetMemObjectInfo(buffer, name, size, value, ret)));
    }
    let program = host.build("kernel void a(int x) {} kernel void b(int x) {}");
    for name in [
        0x1160, 0x1161, 0x1162, 0x1163, 0x1164, 0x1165, 0x1167, 0x1168, 0x1169,
    ] {
        host.answer(|size, value, ret| cl!(clGetProgramInfo(program, name, size, value, ret)));
    }
    let names = host.text(|size, value, ret| {
        cl!(clGetProgramInfo(
            program,
            CL_PROGRAM_KERNEL_NAMES,
            size,
            value,
            ret
        ))
    });
    assert_eq!(names, "a;b");
    for name in 0x1181..=0x1185 {
        host.answer(|size, value, ret| {
            cl!(clGetProgramBuildInfo(
                program,
                host.device,
                name,
                size,
                value,
                ret
            ))
        });
    }
    // Who holds what: the context lives as long as a buffer of it.
    let count = || {
        let bytes = host.answer(|size, value, ret| {
            cl!(clGetContextInfo(
                host.context,
                CL_CONTEXT_REFERENCE_COUNT,
                size,
                value,
                ret
            ))
        });
        u32::from_ne_bytes(bytes.try_into().unwrap())
    };
    assert_eq!(count(), 1);
    ok(cl!(clRetainContext(host.context)));
    assert_eq!(count(), 2);
    ok(cl!(clReleaseContext(host.context)));
}
