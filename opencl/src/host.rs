//! Memory of the host, as callers name it. All that follows a caller's pointer is here.

use crate::code::{fail, Outcome};
use opencl_sys::{cl_int, CL_INVALID_VALUE};
use std::alloc::{alloc_zeroed, dealloc, Layout};
use std::ffi::{c_char, c_void, CStr};

/// Bytes of the host that a command reads or writes when its time comes.
#[derive(Clone, Copy, Debug)]
pub struct HostMemory {
    address: usize,
    size: usize,
}

impl HostMemory {
    /// # Safety
    /// These bytes stay until all that uses this is over (which OpenCL asks of the host), and nobody in Rust has a
    /// reference to them meanwhile.
    pub unsafe fn new(place: *const c_void, size: usize) -> HostMemory {
        HostMemory {
            address: place as usize,
            size,
        }
    }

    pub fn address(&self) -> usize {
        self.address
    }

    pub fn size(&self) -> usize {
        self.size
    }

    /// # Errors
    /// There is none: `CL_INVALID_VALUE`.
    pub fn checked(self) -> Outcome<HostMemory> {
        match self.address {
            0 => fail(CL_INVALID_VALUE),
            _ => Ok(self),
        }
    }

    /// From `offset` on.
    ///
    /// # Panics
    /// They are outside.
    pub fn part(self, offset: usize, size: usize) -> HostMemory {
        assert!(offset.checked_add(size).is_some_and(|end| end <= self.size));
        HostMemory {
            address: self.address + offset,
            size,
        }
    }

    /// # Panics
    /// They are outside.
    pub fn read(&self, offset: usize, bytes: &mut [u8]) {
        let from = self.part(offset, bytes.len()).address as *const u8;
        // SAFETY: by the contract of `new`; the range is inside.
        unsafe { std::ptr::copy_nonoverlapping(from, bytes.as_mut_ptr(), bytes.len()) };
    }

    /// # Panics
    /// They are outside.
    pub fn write(&self, offset: usize, bytes: &[u8]) {
        let to = self.part(offset, bytes.len()).address as *mut u8;
        // SAFETY: by the contract of `new`; the range is inside.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len()) };
    }
}

/// Memory that is made for the host: where buffers are mapped.
pub struct Shadow {
    memory: HostMemory,
    layout: Layout,
}

impl Shadow {
    /// That of the largest type, `double16`, and of a line.
    const ALIGNMENT: usize = 128;

    /// Zeros; `None`: there are not so many bytes.
    pub fn new(size: usize) -> Option<Shadow> {
        let layout = Layout::from_size_align(size.max(1), Shadow::ALIGNMENT).ok()?;
        // SAFETY: it has at least one byte.
        let place = unsafe { alloc_zeroed(layout) };
        let memory = HostMemory {
            address: place as usize,
            size,
        };
        (!place.is_null()).then_some(Shadow { memory, layout })
    }

    pub fn memory(&self) -> HostMemory {
        self.memory
    }
}

impl Drop for Shadow {
    fn drop(&mut self) {
        // SAFETY: made by `new` with this layout.
        unsafe { dealloc(self.memory.address as *mut u8, self.layout) };
    }
}

/// What a caller gives with a callback, and gets back.
#[derive(Clone, Copy)]
pub struct UserData(pub *mut c_void);

// SAFETY: it is the caller's, and only handed on.
unsafe impl Send for UserData {}
// SAFETY: as above.
unsafe impl Sync for UserData {}

/// A caller's list; null is an empty one.
///
/// # Safety
/// `list` is null or points to so many, which stay.
pub unsafe fn list<'a, T>(list: *const T, count: usize) -> &'a [T] {
    match list.is_null() || count == 0 {
        true => &[],
        // SAFETY: by the contract of this function.
        false => unsafe { std::slice::from_raw_parts(list, count) },
    }
}

/// A list that must be there when it has members, and must not when it has none.
///
/// # Safety
/// As [`list`].
///
/// # Errors
/// With this code.
pub unsafe fn list_of<'a, T>(place: *const T, count: usize, code: cl_int) -> Outcome<&'a [T]> {
    match (place.is_null(), count) {
        (true, 0) => Ok(&[]),
        (false, 1..) => Ok(unsafe { list(place, count) }),
        _ => fail(code),
    }
}

/// A list that ends with a zero, of pairs: properties.
///
/// # Safety
/// It is null or ends so.
pub unsafe fn pairs<T: Copy + Default + PartialEq>(mut place: *const T) -> Vec<(T, T)> {
    let mut pairs = Vec::new();
    if !place.is_null() {
        // SAFETY: by the contract of this function.
        unsafe {
            while *place != T::default() {
                pairs.push((*place, *place.add(1)));
                place = place.add(2);
            }
        }
    }
    pairs
}

/// A caller's text; null is none. What is no UTF-8 is replaced.
///
/// # Safety
/// `text` is null or ends with a zero byte.
pub unsafe fn text(text: *const c_char) -> Option<String> {
    // SAFETY: by the contract of this function.
    let text = (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) });
    text.map(|text| text.to_string_lossy().into_owned())
}

/// Writes a result where the caller wants it; to null, nowhere.
///
/// # Safety
/// `place` is null or can be written.
pub unsafe fn put<T>(place: *mut T, value: T) {
    if !place.is_null() {
        // SAFETY: by the contract of this function.
        unsafe { place.write(value) };
    }
}
