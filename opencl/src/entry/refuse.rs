//! Functions of what is not there. Types come from the table's fields, so each has the signature of its function.
#![allow(clippy::too_many_arguments)]

use crate::host;
use opencl_sys::cl_int;
use std::ffi::c_void;

/// `code::<CODE, …>` says the code; `none::<CODE, …>` gives null and writes the code at the last argument.
macro_rules! refusals {
    ($($code:ident $none:ident: $($type:ident)*;)*) => { $(
        pub unsafe extern "C" fn $code<const CODE: cl_int, $($type),*>($(_: $type),*) -> cl_int {
            CODE
        }

        pub unsafe extern "C" fn $none<const CODE: cl_int, $($type),*>($(_: $type,)* error: *mut cl_int) -> *mut c_void {
            // SAFETY: the caller's, null or to be written.
            unsafe { host::put(error, CODE) };
            std::ptr::null_mut()
        }
    )* };
}

refusals! {
    code1 none1: A;
    code2 none2: A B;
    code3 none3: A B C;
    code4 none4: A B C D;
    code5 none5: A B C D E;
    code6 none6: A B C D E F;
    code7 none7: A B C D E F G;
    code8 none8: A B C D E F G H;
    code9 none9: A B C D E F G H I;
    code10 none10: A B C D E F G H I J;
    code11 none11: A B C D E F G H I J K;
}

/// `clSVMAlloc`: no shared virtual memory.
pub unsafe extern "C" fn svm_alloc<A, B, C, D>(_: A, _: B, _: C, _: D) -> *mut c_void {
    std::ptr::null_mut()
}

/// `clSVMFree`: there is nothing to free.
pub unsafe extern "C" fn svm_free<A, B>(_: A, _: B) {}
