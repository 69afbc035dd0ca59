//! Objects that a host holds by handles.
//!
//! A handle is the address of an [`Object`], whose first word is the dispatch table that loaders look for.
//! A handle from outside is never followed: it is looked up among the objects that live, one list for each kind,
//! so null, foreign and released handles are refused, and a context is no queue.
//!
//! An object lives as long as the host or another object holds it; OpenCL's reference count is that of the host alone.

use crate::code::{Code, Outcome};
use opencl_sys::{cl_int, cl_uint};
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, Weak};

/// How objects hold each other.
pub type Ref<T> = Arc<Object<T>>;

/// What comes behind the dispatch table, one type for each kind of handle.
pub trait Kind: Send + Sync + Sized + 'static {
    /// The error for a handle that is none of this kind.
    const INVALID: cl_int;

    /// Those that live.
    fn live() -> &'static Live<Self>;

    /// The host and all other objects have let go of it.
    fn gone(&mut self, _handle: *mut c_void) {}
}

/// Makes a type a [`Kind`].
macro_rules! kind {
    ($type:ty, $invalid:expr $(, $gone:expr)?) => {
        impl $crate::object::Kind for $type {
            const INVALID: opencl_sys::cl_int = $invalid;

            fn live() -> &'static $crate::object::Live<Self> {
                static LIVE: $crate::object::Live<$type> = $crate::object::Live::new();
                &LIVE
            }
            $(
                fn gone(&mut self, handle: *mut std::ffi::c_void) {
                    $gone(self, handle);
                }
            )?
        }
    };
}
pub(crate) use kind;

#[repr(C)]
pub struct Object<T: Kind> {
    /// The address of the dispatch table; see [`set_dispatch`].
    dispatch: usize,
    held: Mutex<Held<T>>,
    body: T,
}

/// What the host has.
struct Held<T: Kind> {
    count: cl_uint,
    this: Option<Ref<T>>,
}

/// Objects of one kind, by address.
pub struct Live<T: Kind>(Mutex<BTreeMap<usize, Weak<Object<T>>>>);

impl<T: Kind> Live<T> {
    pub const fn new() -> Live<T> {
        Live(Mutex::new(BTreeMap::new()))
    }
}

static DISPATCH: OnceLock<usize> = OnceLock::new();

/// The table that objects made from now on begin with.
pub fn set_dispatch<T: Sync>(table: &'static T) {
    DISPATCH.get_or_init(|| std::ptr::from_ref(table) as usize);
}

/// A lock whose owner has panicked is taken all the same: the panic has been answered with an error.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|error| error.into_inner())
}

/// A new object, which the host holds once.
pub fn make<T: Kind>(body: T) -> Ref<T> {
    let object = inner(body);
    let mut held = lock(&object.held);
    (held.count, held.this) = (1, Some(object.clone()));
    drop(held);
    object
}

/// A new object that the host does not hold (yet): for an event that nobody has asked for.
pub fn inner<T: Kind>(body: T) -> Ref<T> {
    let object = Arc::new(Object {
        dispatch: DISPATCH.get().copied().unwrap_or(0),
        held: Mutex::new(Held {
            count: 0,
            this: None,
        }),
        body,
    });
    let address = Arc::as_ptr(&object) as usize;
    lock(&T::live().0).insert(address, Arc::downgrade(&object));
    object
}

pub fn handle<T: Kind>(object: &Ref<T>) -> *mut c_void {
    Arc::as_ptr(object).cast_mut().cast()
}

/// # Errors
/// There is no such object.
pub fn find<T: Kind>(handle: *mut c_void) -> Outcome<Ref<T>> {
    let live = lock(&T::live().0);
    let found = live.get(&(handle as usize)).and_then(Weak::upgrade);
    found.ok_or(Code(T::INVALID))
}

/// # Errors
/// There is no such object.
pub fn retain<T: Kind>(handle: *mut c_void) -> Outcome {
    hold(&find::<T>(handle)?);
    Ok(())
}

/// The host holds it once more.
pub fn hold<T: Kind>(object: &Ref<T>) {
    let mut held = lock(&object.held);
    held.count += 1;
    held.this = Some(object.clone());
}

/// # Errors
/// There is no such object, or the host does not hold it any more.
pub fn release<T: Kind>(handle: *mut c_void) -> Outcome {
    let object = find::<T>(handle)?;
    let mut held = lock(&object.held);
    held.count = held.count.checked_sub(1).ok_or(Code(T::INVALID))?;
    let last = match held.count {
        0 => held.this.take(),
        _ => None,
    };
    drop(held);
    drop(last);
    Ok(())
}

/// As CL_…_REFERENCE_COUNT says it.
pub fn count<T: Kind>(object: &Ref<T>) -> cl_uint {
    lock(&object.held).count
}

impl<T: Kind> Deref for Object<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.body
    }
}

impl<T: Kind> Drop for Object<T> {
    fn drop(&mut self) {
        let handle: *mut Object<T> = self;
        // The entry keeps the address from being used again until here.
        let entry = lock(&T::live().0).remove(&(handle as usize));
        self.body.gone(handle.cast());
        drop(entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    static GONE: AtomicU32 = AtomicU32::new(0);

    struct Thing;
    kind!(Thing, -77, |_: &mut Thing, _| {
        GONE.fetch_add(1, Ordering::SeqCst);
    });

    struct Other;
    kind!(Other, -78);

    #[test]
    fn handles_are_looked_up_and_counted() {
        assert_eq!(find::<Thing>(std::ptr::null_mut()).err(), Some(Code(-77)));
        assert_eq!(find::<Thing>(16 as *mut c_void).err(), Some(Code(-77)));
        let thing = make(Thing);
        let handle = handle(&thing);
        drop(thing);
        assert_eq!(find::<Other>(handle).err(), Some(Code(-78)));
        retain::<Thing>(handle).unwrap();
        assert_eq!(count(&find::<Thing>(handle).unwrap()), 2);
        release::<Thing>(handle).unwrap();
        let inside = find::<Thing>(handle).unwrap();
        release::<Thing>(handle).unwrap();
        // Another object holds it: the handle is good, and the host has nothing to release.
        assert_eq!(release::<Thing>(handle), Err(Code(-77)));
        retain::<Thing>(handle).unwrap();
        release::<Thing>(handle).unwrap();
        assert_eq!(GONE.load(Ordering::SeqCst), 0);
        drop(inside);
        assert_eq!(GONE.load(Ordering::SeqCst), 1);
        assert_eq!(retain::<Thing>(handle), Err(Code(-77)));
    }
}
