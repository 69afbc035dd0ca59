//! Answers to `clGet…Info`.

use crate::code::{ensure, Outcome};
use crate::host;
use opencl_sys::CL_INVALID_VALUE;
use std::ffi::c_void;

/// The bytes of an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer(Vec<u8>);

impl Answer {
    pub fn uint(value: u32) -> Answer {
        Answer(value.to_ne_bytes().into())
    }

    pub fn int(value: i32) -> Answer {
        Answer(value.to_ne_bytes().into())
    }

    pub fn flag(value: bool) -> Answer {
        Answer::uint(value.into())
    }

    pub fn ulong(value: u64) -> Answer {
        Answer(value.to_ne_bytes().into())
    }

    pub fn size(value: usize) -> Answer {
        Answer(value.to_ne_bytes().into())
    }

    pub fn sizes(values: &[usize]) -> Answer {
        Answer(values.iter().flat_map(|v| v.to_ne_bytes()).collect())
    }

    pub fn ulongs(values: &[u64]) -> Answer {
        Answer(values.iter().flat_map(|v| v.to_ne_bytes()).collect())
    }

    pub fn handle(handle: *mut c_void) -> Answer {
        Answer::size(handle as usize)
    }

    /// With the zero byte at its end.
    pub fn text(text: &str) -> Answer {
        let mut bytes = text.as_bytes().to_vec();
        bytes.push(0);
        Answer(bytes)
    }

    /// `cl_name_version` each.
    pub fn versions(list: &[(&str, u32)]) -> Answer {
        let one = |(name, version): &(&str, u32)| {
            let mut bytes = version.to_ne_bytes().to_vec();
            bytes.extend(name.as_bytes());
            bytes.resize(4 + 64, 0);
            bytes
        };
        Answer(list.iter().flat_map(one).collect())
    }

    /// No bytes.
    pub fn nothing() -> Answer {
        Answer::default()
    }

    /// Writes it where the caller wants it.
    ///
    /// # Safety
    /// `value` is null or `size` bytes can be written there; `size_ret` is null or can be written.
    ///
    /// # Errors
    /// There is no room for it.
    pub unsafe fn give(self, size: usize, value: *mut c_void, size_ret: *mut usize) -> Outcome {
        if !value.is_null() {
            ensure(size >= self.0.len(), CL_INVALID_VALUE)?;
            // SAFETY: by the contract of this function.
            unsafe { host::HostMemory::new(value, size) }.write(0, &self.0);
        }
        // SAFETY: by the contract of this function.
        unsafe { host::put(size_ret, self.0.len()) };
        Ok(())
    }
}

/// `CL_MAKE_VERSION`.
pub const fn version(major: u32, minor: u32, patch: u32) -> u32 {
    major << 22 | minor << 12 | patch
}
