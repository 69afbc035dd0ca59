//! Handles: what a C caller holds, with the text of the latest error.

use std::ffi::{c_char, c_int, CString};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Mutex;

pub struct Handle<T> {
    inner: T,
    error: CString,
}

/// The latest error of a call that made no handle.
static NO_HANDLE: Mutex<Option<CString>> = Mutex::new(None);

const DONE: c_int = 0;
const NOT_DONE: c_int = 1;
const MISUSED: c_int = -1;

fn text(message: &str) -> CString {
    CString::new(message.replace('\0', " ")).unwrap_or_default()
}

/// A panic, which is a fault of ours, must not cross the C caller.
fn caught<R>(act: impl FnOnce() -> Result<R, String>) -> Result<R, (c_int, String)> {
    match catch_unwind(AssertUnwindSafe(act)) {
        Ok(result) => result.map_err(|message| (NOT_DONE, message)),
        Err(panic) => {
            let said = panic.downcast_ref::<String>().map(String::as_str);
            let said = said.or_else(|| panic.downcast_ref::<&str>().copied());
            Err((MISUSED, said.unwrap_or("the model has failed").into()))
        }
    }
}

/// A new handle, or null.
pub fn boxed<T>(make: impl FnOnce() -> Result<T, String>) -> *mut Handle<T> {
    match caught(make) {
        Ok(inner) => Box::into_raw(Box::new(Handle {
            inner,
            error: CString::default(),
        })),
        Err((_, message)) => {
            *NO_HANDLE.lock().unwrap_or_else(|e| e.into_inner()) = Some(text(&message));
            std::ptr::null_mut()
        }
    }
}

/// # Safety
/// `handle` is null or came from [`boxed`] and is not used again.
pub unsafe fn free<T>(handle: *mut Handle<T>) {
    if !handle.is_null() {
        // SAFETY: made by `boxed`, freed once.
        drop(unsafe { Box::from_raw(handle) });
    }
}

/// Calls `act` and keeps its error.
///
/// # Safety
/// `handle` is null or came from [`boxed`] and was not freed.
pub unsafe fn with<T>(
    handle: *mut Handle<T>,
    act: impl FnOnce(&mut T) -> Result<(), String>,
) -> c_int {
    // SAFETY: by the contract of this function.
    let Some(handle) = (unsafe { handle.as_mut() }) else {
        return MISUSED;
    };
    match caught(|| act(&mut handle.inner)) {
        Ok(()) => DONE,
        Err((code, message)) => {
            handle.error = text(&message);
            code
        }
    }
}

/// # Safety
/// `handle` is null or came from [`boxed`] and was not freed.
pub unsafe fn error<T>(handle: *const Handle<T>) -> *const c_char {
    // SAFETY: by the contract of this function.
    match unsafe { handle.as_ref() } {
        Some(handle) => handle.error.as_ptr(),
        None => {
            let said = NO_HANDLE.lock().unwrap_or_else(|e| e.into_inner());
            said.as_ref().map_or(c"".as_ptr(), |s| s.as_ptr())
        }
    }
}

/// Writes a result where the caller wants it; to null, nowhere.
///
/// # Safety
/// `place` is null or can be written.
pub unsafe fn out<T>(place: *mut T, value: T) -> Result<(), String> {
    if !place.is_null() {
        // SAFETY: by the contract of this function.
        unsafe { place.write(value) };
    }
    Ok(())
}

/// What the caller points at.
///
/// # Safety
/// `place` is null or points to one.
pub unsafe fn at<'a, T>(place: *const T, what: &str) -> Result<&'a T, String> {
    // SAFETY: by the contract of this function.
    unsafe { place.as_ref() }.ok_or_else(|| format!("{what} is NULL"))
}
