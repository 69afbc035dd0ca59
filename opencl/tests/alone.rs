//! A kernel that faults, or never ends, goes wrong alone: the host is told, and the next kernel runs.

mod common;

use common::{made, ok, set, Host};
use opencl_sys::*;
use std::ffi::{c_char, c_void, CStr};
use std::ptr::{null, null_mut};
use std::sync::Mutex;

static SAID: Mutex<String> = Mutex::new(String::new());

unsafe extern "C" fn say(text: *const c_char, _: *const c_void, _: usize, _: *mut c_void) {
    // SAFETY: it is a text.
    let text = unsafe { CStr::from_ptr(text) };
    *SAID.lock().unwrap() = text.to_str().unwrap().into();
}

#[test]
fn a_kernel_that_goes_wrong_does_so_alone() {
    // Before anything asks for the device: this test has a process of its own.
    std::env::set_var("WEFT_LIMIT", "300_000");
    let mut host = Host::new();
    let context = made(|e| {
        cl!(clCreateContext(
            null(),
            1,
            &host.device,
            Some(say),
            null_mut(),
            e
        ))
    })
    .unwrap();
    ok(cl!(clReleaseCommandQueue(host.queue)));
    ok(cl!(clReleaseContext(host.context)));
    host.context = context;
    host.queue = host.new_queue(0);
    let program = host.build(
        "kernel void good(global uint *p) { p[get_global_id(0)] += 1; }\n\
         kernel void fault(global uint *p) {\n  if (get_global_id(0) == 37)\n    p[0x30000000] = 1;\n}\n\
         kernel void loop(global uint *p) { while (p[0] < 1000000) atomic_or(p, 0); }\n",
    );
    let [good, fault, endless] = ["good", "fault", "loop"].map(|name| host.kernel(program, name));
    let words = host.buffer(&[0; 100]);
    [good, fault, endless]
        .into_iter()
        .for_each(|kernel| set(kernel, 0, words));
    let mut so_far = 0;
    for (bad, said) in [
        (fault, "access to unmapped address 0xc"),
        (endless, "the limit of 300000"),
        (fault, "<source>:4"),
    ] {
        ok(host.run(good, 100, 0));
        let (size, mut event) = (100usize, null_mut());
        ok(cl!(clEnqueueNDRangeKernel(
            host.queue,
            bad,
            1,
            null(),
            &size,
            null(),
            0,
            null(),
            &mut event
        )));
        ok(host.run(good, 100, 0));
        so_far += 2;
        // A command behind it in the queue goes on, and one that waits for it does not.
        let mut waits = null_mut();
        ok(cl!(clEnqueueMarkerWithWaitList(
            host.queue, 1, &event, &mut waits
        )));
        // Whoever reads is told, once.
        let mut read = [0; 100];
        assert_eq!(host.try_read(words, &mut read), CL_OUT_OF_RESOURCES);
        assert_eq!(read, [so_far; 100]);
        assert_eq!(host.read(words, 100), [so_far; 100]);
        assert_eq!(host.status(event), CL_OUT_OF_RESOURCES);
        assert_eq!(
            host.status(waits),
            CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
        );
        let waited = cl!(clWaitForEvents(1, &event));
        assert_eq!(waited, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        let told = SAID.lock().unwrap().clone();
        assert!(told.contains(said), "{told}");
        ok(cl!(clFinish(host.queue)));
        // Or who finishes.
        ok(host.run(bad, 100, 0));
        assert_eq!(cl!(clFinish(host.queue)), CL_OUT_OF_RESOURCES);
        ok(cl!(clFinish(host.queue)));
    }
}
