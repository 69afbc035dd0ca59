//! Contexts.

use crate::code::{fail, Outcome};
use crate::device::Device;
use crate::host::UserData;
use crate::object::{self, kind, lock, Ref};
use crate::query::Answer;
use opencl_sys::*;
use std::ffi::{c_char, c_void, CString};
use std::sync::Mutex;

/// Is told what goes wrong, in words.
pub type Notify = unsafe extern "C" fn(*const c_char, *const c_void, usize, *mut c_void);
/// Is told that an object is gone.
pub type Destructor = unsafe extern "C" fn(*mut c_void, *mut c_void);

/// Functions of the host to be called when an object is gone, the last one that was set first.
#[derive(Default)]
pub struct Destructors(Mutex<Vec<(Destructor, UserData)>>);

impl Destructors {
    pub fn add(&self, function: Destructor, data: UserData) {
        lock(&self.0).push((function, data));
    }

    pub fn call(&self, handle: *mut c_void) {
        let functions = std::mem::take(&mut *lock(&self.0));
        for (function, data) in functions.into_iter().rev() {
            // SAFETY: the host has given function and data for this.
            unsafe { function(handle, data.0) };
        }
    }
}

pub struct Context {
    pub device: Ref<Device>,
    /// Properties as they were given, with the zero at their end; empty if there were none.
    pub properties: Vec<isize>,
    pub notify: Option<(Notify, UserData)>,
    pub destructors: Destructors,
}
kind!(
    Context,
    CL_INVALID_CONTEXT,
    |context: &mut Context, handle| {
        context.destructors.call(handle);
    }
);

impl Context {
    /// Tells the host in words what has gone wrong: its function, or else standard error.
    pub fn say(&self, text: &str) {
        match self.notify {
            Some((notify, data)) => {
                let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
                // SAFETY: the host has given function and data for this.
                unsafe { notify(text.as_ptr(), std::ptr::null(), 0, data.0) };
            }
            None => eprintln!("weft: {text}"),
        }
    }
}

/// # Errors
/// There is no such question.
pub fn info(context: &Ref<Context>, name: cl_context_info) -> Outcome<Answer> {
    let properties: Vec<usize> = context.properties.iter().map(|&p| p as usize).collect();
    Ok(match name {
        CL_CONTEXT_REFERENCE_COUNT => Answer::uint(object::count(context)),
        CL_CONTEXT_NUM_DEVICES => Answer::uint(1),
        CL_CONTEXT_DEVICES => Answer::handle(object::handle(&context.device)),
        CL_CONTEXT_PROPERTIES => Answer::sizes(&properties),
        _ => return fail(CL_INVALID_VALUE),
    })
}
