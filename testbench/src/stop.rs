//! Somebody wants the run to end: what has been done is closed and told.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Set by whoever wants the run to end, such as a signal handler.
pub fn flag() -> &'static Arc<AtomicBool> {
    FLAG.get_or_init(Arc::default)
}

/// Whether anybody can want it: signals do not end the process any more.
pub fn heeded() -> bool {
    FLAG.get().is_some_and(|flag| Arc::strong_count(flag) > 1)
}

/// Runs ask this from time to time, and end when it is true.
pub fn requested() -> bool {
    flag().load(Ordering::Relaxed)
}
