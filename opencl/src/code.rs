//! Error codes of OpenCL as errors of Rust.

use opencl_sys::cl_int;

/// An error code; never `CL_SUCCESS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code(pub cl_int);

pub type Outcome<T = ()> = Result<T, Code>;

/// # Errors
/// With this code, unless it is so.
pub fn ensure(it_is_so: bool, code: cl_int) -> Outcome {
    match it_is_so {
        true => Ok(()),
        false => Err(Code(code)),
    }
}

/// For `return fail(CL_INVALID_VALUE)`.
pub fn fail<T>(code: cl_int) -> Outcome<T> {
    Err(Code(code))
}
