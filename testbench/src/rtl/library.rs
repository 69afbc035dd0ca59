//! The code of a design: a shared library with the C interface of `model.h`, made if need be, loaded once per process.

use super::error::{DutError, RtlKind};
use super::place::{places, Place};
use super::{specified, stand_in, verilate};
use libloading::Library as Loaded;
use std::collections::HashMap;
use std::ffi::{c_char, c_int, c_void};
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use weft_generate::Design;

/// What is wanted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Wanted {
    pub kind: RtlKind,
    pub design: Design,
    /// With all deliberately broken copies in it; Verilated only.
    pub breakable: bool,
    /// It can write waves. They take half the time that the compilation takes: not where nobody looks at them.
    pub waves: bool,
}

/// The functions of a loaded design, and its ports.
pub struct Library {
    pub(super) new: unsafe extern "C" fn(c_int, c_int) -> *mut c_void,
    pub(super) delete: unsafe extern "C" fn(*mut c_void),
    pub(super) settle: unsafe extern "C" fn(*mut c_void, *const u64, *mut u64),
    pub(super) edge: unsafe extern "C" fn(*mut c_void, *mut u64),
    pub(super) failed: unsafe extern "C" fn(*mut c_void) -> c_int,
    pub(super) wave: unsafe extern "C" fn(*mut c_void, *const c_char, u64) -> c_int,
    /// All but the clock.
    pub(super) places: Vec<Place>,
    /// Never unloaded: threads and objects of it may live as long as the process.
    _loaded: Loaded,
}

/// Whether designs can be simulated in this way here.
///
/// # Errors
/// What is missing.
pub fn available(kind: RtlKind) -> Result<(), DutError> {
    match kind {
        RtlKind::Verilated => verilate::available().map_err(DutError::Unavailable),
        RtlKind::RustHdl => Ok(()),
    }
}

type Slot = Arc<Mutex<Option<Arc<Library>>>>;

/// The library, from this process, from the cache, or made now.
///
/// # Errors
/// What keeps it from being made.
pub fn library(wanted: &Wanted) -> Result<Arc<Library>, DutError> {
    static ALL: OnceLock<Mutex<HashMap<Wanted, Slot>>> = OnceLock::new();
    let all = ALL.get_or_init(Mutex::default);
    // One lock per library: two threads that want different ones make them at the same time.
    let slot = {
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        all.entry(wanted.clone()).or_default().clone()
    };
    let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(library) = &*slot {
        return Ok(library.clone());
    }
    let made = Arc::new(make(wanted)?);
    *slot = Some(made.clone());
    Ok(made)
}

/// Makes all of these that are not in the cache, on all processors.
///
/// # Errors
/// The first of them that cannot be made.
pub fn prepare(wanted: &[Wanted]) -> Result<(), DutError> {
    let designs: Vec<_> = wanted.iter().map(|w| w.design.clone()).collect();
    weft_generate::verilog_of_all(&designs)?;
    let next = std::sync::atomic::AtomicUsize::new(0);
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let work = || loop {
        let at = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        match wanted.get(at) {
            Some(one) => library(one).map(|_| ())?,
            None => return Ok(()),
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs.min(wanted.len()))
            .map(|_| scope.spawn(work))
            .collect();
        let join = |t: std::thread::ScopedJoinHandle<'_, Result<(), DutError>>| {
            t.join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads
            .into_iter()
            .map(join)
            .collect::<Vec<_>>()
            .into_iter()
            .collect()
    })
}

fn make(wanted: &Wanted) -> Result<Library, DutError> {
    if wanted.kind == RtlKind::Verilated {
        available(RtlKind::Verilated)?;
        // Beside the Verilog.
        verilate::prepare();
    }
    let verilog = weft_generate::verilog(&wanted.design)?;
    specified::check(&wanted.design, &verilog.ports).map_err(DutError::Make)?;
    let given = stand_in::of(&wanted.design).filter(|_| !wanted.breakable);
    let path = match (wanted.kind, given) {
        (RtlKind::Verilated, Some(_)) if wanted.waves => {
            return Err(DutError::Unavailable("a stand-in writes no waves".into()));
        }
        (RtlKind::Verilated, Some(given)) => given.library.clone(),
        (RtlKind::Verilated, None) => {
            verilate::library(&wanted.design, &verilog, wanted.breakable, wanted.waves)
                .map_err(DutError::Make)?
        }
        (RtlKind::RustHdl, _) => weft_generate::simulation(&wanted.design)?,
    };
    load(&path, places(&verilog.ports))
        .map_err(|e| DutError::Make(format!("loading {}: {e}", path.display())))
}

fn load(path: &Path, places: Vec<Place>) -> Result<Library, libloading::Error> {
    // SAFETY: the library was made by `verilate` or `weft_generate`, its constructors do nothing but initialise its own
    // data, and its functions have the types of `model.h`.
    unsafe {
        let loaded = Loaded::new(path)?;
        Ok(Library {
            new: *loaded.get(b"weft_new\0")?,
            delete: *loaded.get(b"weft_delete\0")?,
            settle: *loaded.get(b"weft_settle\0")?,
            edge: *loaded.get(b"weft_edge\0")?,
            failed: *loaded.get(b"weft_failed\0")?,
            wave: *loaded.get(b"weft_wave\0")?,
            places,
            _loaded: loaded,
        })
    }
}
