//! Functions of what is not there. Types come from the table's fields, so each has the signature of its function.
#![allow(clippy::too_many_arguments)]

use crate::host;
use opencl_sys::cl_int;
use std::ffi::c_void;

/// A function of so many arguments that says the code.
macro_rules! codes {
    ($($name:ident: $($type:ident)*;)*) => { $(
        pub unsafe extern "C" fn $name<const CODE: cl_int, $($type),*>($(_: $type),*) -> cl_int {
            CODE
        }
    )* };
}

/// One that gives null, and writes the code at the argument behind these.
macro_rules! nulls {
    ($($name:ident: $($type:ident)*;)*) => { $(
        pub unsafe extern "C" fn $name<const CODE: cl_int, $($type),*>(
            $(_: $type,)* error: *mut cl_int,
        ) -> *mut c_void {
            // SAFETY: the caller's, null or to be written.
            unsafe { host::put(error, CODE) };
            std::ptr::null_mut()
        }
    )* };
}

codes! {
    code1: A;
    code2: A B;
    code3: A B C;
    code4: A B C D;
    code5: A B C D E;
    code6: A B C D E F;
    code7: A B C D E F G;
    code8: A B C D E F G H;
    code9: A B C D E F G H I;
    code11: A B C D E F G H I J K;
}

nulls! {
    none2: A B;
    none3: A B C;
    none4: A B C D;
    none5: A B C D E;
    none6: A B C D E F;
    none7: A B C D E F G;
    none9: A B C D E F G H I;
    none11: A B C D E F G H I J K;
}

/// `clSVMAlloc`: no shared virtual memory.
pub unsafe extern "C" fn svm_alloc<A, B, C, D>(_: A, _: B, _: C, _: D) -> *mut c_void {
    std::ptr::null_mut()
}

/// `clSVMFree`: there is nothing to free.
pub unsafe extern "C" fn svm_free<A, B>(_: A, _: B) {}
