//! A host in Rust that calls OpenCL by the dispatch table, as a loader does.
#![allow(dead_code)]

use opencl_sys::*;
use std::ffi::{c_void, CString};
use std::ptr::{null, null_mut};
use weft_opencl::clIcdGetPlatformIDsKHR;
use weft_opencl::dispatch::TABLE;

/// Calls an entry of the table.
#[macro_export]
macro_rules! cl {
    ($name:ident($($argument:expr),* $(,)?)) => {
        {
            let function = weft_opencl::dispatch::TABLE.$name.expect("no entry is null");
            // SAFETY: the arguments are what the standard wants, or what the test is about.
            #[allow(clippy::macro_metavars_in_unsafe)]
            let result = unsafe { function($($argument),*) };
            result
        }
    };
}

pub fn ok(code: cl_int) {
    assert_eq!(code, CL_SUCCESS);
}

/// What a function that makes a handle gives: that, or the code.
pub fn made(make: impl FnOnce(*mut cl_int) -> *mut c_void) -> Result<*mut c_void, cl_int> {
    let mut code = 1;
    let handle = make(&mut code);
    assert_eq!(handle.is_null(), code != CL_SUCCESS, "code {code}");
    match code {
        CL_SUCCESS => Ok(handle),
        code => Err(code),
    }
}

/// Platform, device, a context and a queue.
pub struct Host {
    pub platform: cl_platform_id,
    pub device: cl_device_id,
    pub context: cl_context,
    pub queue: cl_command_queue,
}

// SAFETY: handles of OpenCL may be used from any thread.
unsafe impl Send for Host {}
// SAFETY: as above.
unsafe impl Sync for Host {}

/// In order; with times.
pub const PROFILING: u64 = CL_QUEUE_PROFILING_ENABLE;
pub const OUT_OF_ORDER: u64 = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

impl Host {
    pub fn new() -> Host {
        Host::with(PROFILING)
    }

    pub fn with(bits: u64) -> Host {
        let (mut platform, mut device) = (null_mut(), null_mut());
        // SAFETY: there is room for one.
        ok(unsafe { clIcdGetPlatformIDsKHR(1, &mut platform, null_mut()) });
        ok(cl!(clGetDeviceIDs(
            platform,
            CL_DEVICE_TYPE_ALL,
            1,
            &mut device,
            null_mut()
        )));
        let context =
            made(|e| cl!(clCreateContext(null(), 1, &device, None, null_mut(), e))).unwrap();
        let mut host = Host {
            platform,
            device,
            context,
            queue: null_mut(),
        };
        host.queue = host.new_queue(bits);
        host
    }

    pub fn new_queue(&self, bits: u64) -> cl_command_queue {
        let properties = [CL_QUEUE_PROPERTIES as u64, bits, 0];
        let make = |e| {
            cl!(clCreateCommandQueueWithProperties(
                self.context,
                self.device,
                properties.as_ptr(),
                e
            ))
        };
        made(make).unwrap()
    }

    pub fn buffer(&self, words: &[u32]) -> cl_mem {
        let (flags, place) = (CL_MEM_COPY_HOST_PTR, words.as_ptr().cast_mut().cast());
        made(|e| {
            cl!(clCreateBuffer(
                self.context,
                flags,
                size_of_val(words),
                place,
                e
            ))
        })
        .unwrap()
    }

    pub fn source(&self, text: &str) -> cl_program {
        let (mut string, length) = (text.as_ptr().cast(), text.len());
        made(|e| {
            cl!(clCreateProgramWithSource(
                self.context,
                1,
                &mut string,
                &length,
                e
            ))
        })
        .unwrap()
    }

    /// Builds it, and gives code and log.
    pub fn try_build(&self, program: cl_program, options: &str) -> (cl_int, String) {
        let options = CString::new(options).unwrap();
        let code = cl!(clBuildProgram(
            program,
            0,
            null(),
            options.as_ptr(),
            None,
            null_mut()
        ));
        let log = self.text(|size, value, ret| {
            cl!(clGetProgramBuildInfo(
                program,
                self.device,
                CL_PROGRAM_BUILD_LOG,
                size,
                value,
                ret
            ))
        });
        (code, log)
    }

    pub fn build(&self, text: &str) -> cl_program {
        let program = self.source(text);
        let (code, log) = self.try_build(program, "");
        assert_eq!(code, CL_SUCCESS, "{log}");
        program
    }

    pub fn kernel(&self, program: cl_program, name: &str) -> cl_kernel {
        let name = CString::new(name).unwrap();
        made(|e| cl!(clCreateKernel(program, name.as_ptr(), e))).unwrap()
    }

    /// All bytes of an answer.
    pub fn answer(&self, ask: impl Fn(usize, *mut c_void, *mut usize) -> cl_int) -> Vec<u8> {
        let mut size = usize::MAX;
        ok(ask(0, null_mut(), &mut size));
        let mut bytes = vec![0; size];
        ok(ask(size, bytes.as_mut_ptr().cast(), null_mut()));
        if size > 0 {
            let short = ask(size - 1, bytes.as_mut_ptr().cast(), null_mut());
            assert_eq!(short, CL_INVALID_VALUE, "there was no room");
        }
        bytes
    }

    pub fn text(&self, ask: impl Fn(usize, *mut c_void, *mut usize) -> cl_int) -> String {
        let bytes = self.answer(ask);
        let (end, text) = bytes.split_last().unwrap();
        assert_eq!(*end, 0);
        String::from_utf8(text.to_vec()).unwrap()
    }

    /// Launches in one dimension.
    pub fn run(&self, kernel: cl_kernel, global: usize, local: usize) -> cl_int {
        let local: *const usize = if local == 0 { null() } else { &local };
        cl!(clEnqueueNDRangeKernel(
            self.queue,
            kernel,
            1,
            null(),
            &global,
            local,
            0,
            null(),
            null_mut()
        ))
    }

    /// Reads words and waits.
    pub fn read(&self, buffer: cl_mem, words: usize) -> Vec<u32> {
        let mut read = vec![0; words];
        ok(self.try_read(buffer, &mut read));
        read
    }

    pub fn try_read(&self, buffer: cl_mem, words: &mut [u32]) -> cl_int {
        let size = size_of_val(words);
        let place = words.as_mut_ptr().cast();
        cl!(clEnqueueReadBuffer(
            self.queue,
            buffer,
            1,
            0,
            size,
            place,
            0,
            null(),
            null_mut()
        ))
    }

    pub fn user_event(&self) -> cl_event {
        made(|e| cl!(clCreateUserEvent(self.context, e))).unwrap()
    }

    pub fn status(&self, event: cl_event) -> cl_int {
        let bytes = self.answer(|size, value, ret| {
            cl!(clGetEventInfo(
                event,
                CL_EVENT_COMMAND_EXECUTION_STATUS,
                size,
                value,
                ret
            ))
        });
        cl_int::from_ne_bytes(bytes.try_into().unwrap())
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        ok(cl!(clReleaseCommandQueue(self.queue)));
        ok(cl!(clReleaseContext(self.context)));
    }
}

/// Sets an argument that is a value or a handle.
pub fn set<T>(kernel: cl_kernel, index: u32, value: T) {
    ok(cl!(clSetKernelArg(
        kernel,
        index,
        size_of::<T>(),
        (&raw const value).cast()
    )));
}

/// The table as words.
pub fn table() -> &'static [usize] {
    let words = size_of_val(&TABLE) / size_of::<usize>();
    // SAFETY: it is made of function pointers alone.
    unsafe { std::slice::from_raw_parts((&raw const TABLE).cast(), words) }
}
