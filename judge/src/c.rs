//! The C library: [`Judge`] and the golden [`Machine`] behind handles.
//! Declared and described in `include/weft_judge.h`.
//!
//! All arguments are integers, strings and handles, so that SystemVerilog's DPI can import the functions as they are.

use crate::judge::{Judge, Levels, Retire};
use crate::operation::Resolve;
use std::ffi::{c_char, c_int, CStr, CString};
use std::panic::{catch_unwind, AssertUnwindSafe};
use weft_sim::{Config, Machine, Record};

/// What a handle stands for, with the text of the latest error.
struct Handle<T> {
    inner: T,
    error: CString,
}

/// A judge and the machine are told apart by their functions;
/// the latest error of a call that made no handle stands here.
static NO_HANDLE: std::sync::Mutex<Option<CString>> = std::sync::Mutex::new(None);

const RIGHT: c_int = 0;
const WRONG: c_int = 1;
const MISUSED: c_int = -1;

fn text(message: &str) -> CString {
    CString::new(message.replace('\0', " ")).unwrap_or_default()
}

fn boxed<T>(made: Result<T, String>) -> *mut Handle<T> {
    match made {
        Ok(inner) => Box::into_raw(Box::new(Handle {
            inner,
            error: CString::default(),
        })),
        Err(message) => {
            *NO_HANDLE.lock().unwrap_or_else(|e| e.into_inner()) = Some(text(&message));
            std::ptr::null_mut()
        }
    }
}

/// Calls `act`; a panic, which is a fault of the model, becomes an error like any other: it must not cross the C
/// caller.
///
/// # Safety
/// `handle` is null or came from [`boxed`] and was not freed.
unsafe fn with<T>(
    handle: *mut Handle<T>,
    act: impl FnOnce(&mut T) -> Result<c_int, String>,
) -> c_int {
    // SAFETY: by the contract of this function.
    let Some(handle) = (unsafe { handle.as_mut() }) else {
        return MISUSED;
    };
    let result = catch_unwind(AssertUnwindSafe(|| act(&mut handle.inner)));
    match result {
        Ok(Ok(value)) => value,
        Ok(Err(message)) => {
            handle.error = text(&message);
            WRONG
        }
        Err(panic) => {
            let said = panic.downcast_ref::<String>().map(String::as_str);
            let said = said.or_else(|| panic.downcast_ref::<&str>().copied());
            handle.error = text(said.unwrap_or("the model has failed"));
            MISUSED
        }
    }
}

/// # Safety
/// As [`with`].
unsafe fn judged(
    judge: *mut Handle<Judge>,
    act: impl FnOnce(&mut Judge) -> Result<(), crate::Mismatch>,
) -> c_int {
    // SAFETY: by the contract of this function.
    unsafe { told(judge, |j| Ok(act(j))) }
}

/// As [`judged`]; `act` fails without an opinion of the judge when an argument is no value of its port: that is misused,
/// and nothing is judged.
///
/// # Safety
/// As [`with`].
unsafe fn told(
    judge: *mut Handle<Judge>,
    act: impl FnOnce(&mut Judge) -> Result<Result<(), crate::Mismatch>, String>,
) -> c_int {
    let mut misused = false;
    let act = |j: &mut Judge| match act(j) {
        Ok(judged) => judged.map(|()| RIGHT).map_err(|m| m.to_string()),
        Err(message) => {
            misused = true;
            Err(message)
        }
    };
    // SAFETY: by the contract of this function.
    let result = unsafe { with(judge, act) };
    if misused {
        MISUSED
    } else {
        result
    }
}

/// # Safety
/// `handle` is null or came from `weft_judge_new`.
#[no_mangle]
unsafe extern "C" fn weft_judge_error(handle: *const Handle<Judge>) -> *const c_char {
    // SAFETY: by the contract of this function.
    unsafe { error(handle) }
}

/// # Safety
/// `handle` is null or came from `weft_machine_load`.
#[no_mangle]
unsafe extern "C" fn weft_machine_error(handle: *const Handle<Running>) -> *const c_char {
    // SAFETY: by the contract of this function.
    unsafe { error(handle) }
}

/// # Safety
/// As [`with`].
unsafe fn error<T>(handle: *const Handle<T>) -> *const c_char {
    // SAFETY: by the contract of this function.
    match unsafe { handle.as_ref() } {
        Some(handle) => handle.error.as_ptr(),
        None => {
            let said = NO_HANDLE.lock().unwrap_or_else(|e| e.into_inner());
            said.as_ref().map_or(c"".as_ptr(), |s| s.as_ptr())
        }
    }
}

#[no_mangle]
extern "C" fn weft_judge_new(
    warps: u32,
    threads: u32,
    yield_every: u32,
    forced_yield: u32,
    path: u32,
    lanes: u32,
) -> *mut Handle<Judge> {
    let levels = || {
        Ok(Levels {
            warps: warps as usize,
            threads: threads as usize,
            yield_every: level("yield_every", yield_every)?,
            forced_yield: level("forced_yield", forced_yield)?,
            path: level("path", path)?,
            lanes: level("lanes", lanes)?,
            yield_random: false,
            yield_threshold: 0,
            yield_seed: 0,
        })
    };
    boxed(levels().and_then(|l| Judge::new(l).map_err(|m| m.to_string())))
}

fn level<T: TryFrom<u32>>(name: &str, value: u32) -> Result<T, String> {
    value
        .try_into()
        .map_err(|_| format!("{name}: {value} is too large"))
}

/// # Safety
/// `judge` is null or came from `weft_judge_new` and is not used again.
#[no_mangle]
unsafe extern "C" fn weft_judge_free(judge: *mut Handle<Judge>) {
    if !judge.is_null() {
        // SAFETY: made by `boxed`, freed once.
        drop(unsafe { Box::from_raw(judge) });
    }
}

/// # Safety
/// `judge` is null or came from `weft_judge_new`.
#[no_mangle]
unsafe extern "C" fn weft_judge_launch(
    judge: *mut Handle<Judge>,
    warp: u32,
    pc: u32,
    mask: u64,
    size: u32,
) -> c_int {
    // SAFETY: by the contract of this function.
    unsafe { judged(judge, |j| j.launch(warp as usize, pc, mask, size as usize)) }
}

/// # Safety
/// `judge` is null or came from `weft_judge_new`.
#[no_mangle]
unsafe extern "C" fn weft_judge_issue(
    judge: *mut Handle<Judge>,
    warp: u32,
    pc: u32,
    mask: u64,
) -> c_int {
    // SAFETY: by the contract of this function.
    unsafe { judged(judge, |j| j.issue(warp as usize, pc, mask)) }
}

/// # Safety
/// `judge` is null or came from `weft_judge_new`.
#[no_mangle]
unsafe extern "C" fn weft_judge_resolve(
    judge: *mut Handle<Judge>,
    warp: u32,
    op: u32,
    kind: u32,
    mask: u64,
    target: u32,
) -> c_int {
    let act = |j: &mut Judge| {
        let resolve = Resolve {
            op: level("op", op)?,
            kind: level("kind", kind)?,
            mask,
            target,
        };
        Ok(j.resolve(warp as usize, resolve))
    };
    // SAFETY: by the contract of this function.
    unsafe { told(judge, act) }
}

/// # Safety
/// `judge` is null or came from `weft_judge_new`.
#[no_mangle]
#[allow(clippy::too_many_arguments)]
unsafe extern "C" fn weft_judge_retire(
    judge: *mut Handle<Judge>,
    warp: u32,
    op: u32,
    pc: u32,
    next_pc: u32,
    next_mask: u64,
    done: u32,
    blocked: u32,
    depth: u32,
    dropped: u32,
) -> c_int {
    let act = |j: &mut Judge| {
        let found = Retire {
            warp: warp as usize,
            op: level("op", op)?,
            pc,
            next_pc,
            next_mask,
            done: done != 0,
            blocked: blocked != 0,
            depth: depth as usize,
            dropped: dropped != 0,
        };
        Ok(j.retire(&found))
    };
    // SAFETY: by the contract of this function.
    unsafe { told(judge, act) }
}

/// # Safety
/// `judge` is null or came from `weft_judge_new`.
#[no_mangle]
unsafe extern "C" fn weft_judge_exception(
    judge: *mut Handle<Judge>,
    warp: u32,
    pc: u32,
    cause: u32,
) -> c_int {
    let act = |j: &mut Judge| Ok(j.exception(warp as usize, pc, level("cause", cause)?));
    // SAFETY: by the contract of this function.
    unsafe { told(judge, act) }
}

/// # Safety
/// `judge` is null or came from `weft_judge_new`.
#[no_mangle]
unsafe extern "C" fn weft_judge_retired(judge: *mut Handle<Judge>) -> u64 {
    let mut retired = 0;
    // SAFETY: by the contract of this function.
    let _ = unsafe {
        with(judge, |j| {
            retired = j.retired();
            Ok(RIGHT)
        })
    };
    retired
}

/// The golden machine with what its latest step retired.
struct Running {
    machine: Machine,
    record: Option<Record>,
}

/// # Safety
/// `path` is a C string.
#[no_mangle]
unsafe extern "C" fn weft_machine_load(
    path: *const c_char,
    warps: u32,
    threads: u32,
    grid: u32,
    forced_yield: u32,
) -> *mut Handle<Running> {
    if path.is_null() {
        return boxed(Err("the path is null".into()));
    }
    // SAFETY: by the contract of this function.
    let path = unsafe { CStr::from_ptr(path) }
        .to_string_lossy()
        .into_owned();
    let made = catch_unwind(|| load(&path, warps, threads, grid, forced_yield));
    boxed(made.unwrap_or_else(|_| Err("the model has failed".into())))
}

fn load(
    path: &str,
    warps: u32,
    threads: u32,
    grid: u32,
    forced_yield: u32,
) -> Result<Running, String> {
    let bytes = weft_isa::files::read(path).map_err(|e| format!("{path}: {e}"))?;
    let program = match bytes.starts_with(b"\x7fELF") {
        true => weft_isa::elf::load_elf(&bytes).map_err(|e| format!("{path}: {e}"))?,
        false => {
            let source =
                String::from_utf8(bytes).map_err(|_| format!("{path}: neither ELF nor text"))?;
            weft_isa::assemble(&source, path).map_err(|e| e.to_string())?
        }
    };
    let config = Config {
        warps: warps as usize,
        threads: threads as usize,
        grid: (grid != 0).then_some(grid),
        forced_yield: level("forced_yield", forced_yield)?,
        ..Config::default()
    };
    config
        .validate_program(&program)
        .map_err(|e| e.to_string())?;
    let machine = Machine::new(&program, &config).map_err(|e| e.to_string())?;
    Ok(Running {
        machine,
        record: None,
    })
}

/// # Safety
/// `machine` is null or came from `weft_machine_load` and is not used again.
#[no_mangle]
unsafe extern "C" fn weft_machine_free(machine: *mut Handle<Running>) {
    if !machine.is_null() {
        // SAFETY: made by `boxed`, freed once.
        drop(unsafe { Box::from_raw(machine) });
    }
}

/// # Safety
/// `machine` is null or came from `weft_machine_load`.
#[no_mangle]
unsafe extern "C" fn weft_machine_runnable(machine: *mut Handle<Running>, warp: u32) -> c_int {
    // SAFETY: by the contract of this function.
    unsafe {
        with(machine, |m| {
            let warp = inside(m, warp)?;
            Ok(c_int::from(m.machine.is_runnable(warp)))
        })
    }
}

fn inside(running: &Running, warp: u32) -> Result<usize, String> {
    let warps = running.machine.config().warps;
    match (warp as usize) < warps {
        true => Ok(warp as usize),
        false => Err(format!("warp {warp}: there are {warps}")),
    }
}

/// # Safety
/// `machine` is null or came from `weft_machine_load`.
#[no_mangle]
unsafe extern "C" fn weft_machine_step(machine: *mut Handle<Running>, warp: u32) -> c_int {
    // SAFETY: by the contract of this function.
    unsafe {
        with(machine, |m| {
            let warp = inside(m, warp)?;
            m.record = None;
            if !m.machine.is_runnable(warp) {
                return Err(format!("warp {warp} is not runnable"));
            }
            m.record = Some(m.machine.step(warp).map_err(|fault| fault.to_string())?);
            // What its barriers still have to do, they do at once.
            while m.machine.serve().is_some() {}
            Ok(RIGHT)
        })
    }
}

/// # Safety
/// `machine` is null or came from `weft_machine_load`.
#[no_mangle]
unsafe extern "C" fn weft_machine_record(machine: *mut Handle<Running>, field: u32) -> u64 {
    let mut value = 0;
    // SAFETY: by the contract of this function.
    let _ = unsafe {
        with(machine, |m| {
            let record = m.record.ok_or("nothing has retired")?;
            value = match field {
                0 => record.event.code().into(),
                1 => record.pc.into(),
                2 => record.mask,
                3 => record.next_pc.into(),
                4 => record.next_mask,
                5 => record.done.into(),
                6 => record.blocked.into(),
                7 => record.depth as u64,
                8 => record.dropped.into(),
                _ => return Err(format!("a record has no field {field}")),
            };
            Ok(RIGHT)
        })
    };
    value
}

/// # Safety
/// `machine` is null or came from `weft_machine_load`.
#[no_mangle]
unsafe extern "C" fn weft_machine_register(
    machine: *mut Handle<Running>,
    warp: u32,
    lane: u32,
    register: u32,
) -> u32 {
    let mut value = 0;
    // SAFETY: by the contract of this function.
    let _ = unsafe {
        with(machine, |m| {
            let warp = inside(m, warp)?;
            let threads = m.machine.config().threads;
            if lane as usize >= threads || register > 31 {
                return Err(format!(
                    "lane {lane}, x{register}: there are {threads} lanes and x0 to x31"
                ));
            }
            value = m.machine.thread(warp, lane as usize).registers[register as usize];
            Ok(RIGHT)
        })
    };
    value
}

/// # Safety
/// `machine` is null or came from `weft_machine_load`.
#[no_mangle]
unsafe extern "C" fn weft_machine_word(machine: *mut Handle<Running>, address: u32) -> u32 {
    let mut value = 0;
    // SAFETY: by the contract of this function.
    let _ = unsafe {
        with(machine, |m| {
            let read = m.machine.memory().read_u32(address);
            value = read.map_err(|cause| format!("{address:#x}: {cause}"))?;
            Ok(RIGHT)
        })
    };
    value
}

/// # Safety
/// `machine` is null or came from `weft_machine_load`.
#[no_mangle]
unsafe extern "C" fn weft_machine_set_word(
    machine: *mut Handle<Running>,
    address: u32,
    value: u32,
) -> c_int {
    // SAFETY: by the contract of this function.
    unsafe {
        with(machine, |m| {
            let memory = m.machine.memory_mut();
            let written = memory.write_bytes(address, &value.to_le_bytes());
            written
                .map(|()| RIGHT)
                .map_err(|cause| format!("{address:#x}: {cause}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 515 is 3 in eight bits, and 3 is what is right here (CONV-010: SSY).
    #[test]
    fn a_value_that_its_port_has_not_is_refused_and_nothing_is_judged() {
        let judge = weft_judge_new(4, 4, 0, 0, 0, 4);
        // SAFETY: the handle is good.
        unsafe {
            let said = |text: &str| {
                let error = CStr::from_ptr(weft_judge_error(judge));
                assert_eq!(error.to_str().unwrap(), text);
            };
            assert_eq!(weft_judge_launch(judge, 1, 0, 15, 64), RIGHT);
            assert_eq!(weft_judge_issue(judge, 1, 0, 15), RIGHT);
            assert_eq!(weft_judge_resolve(judge, 1, 515, 0, 15, 4), MISUSED);
            said("op: 515 is too large");
            assert_eq!(weft_judge_resolve(judge, 1, 3, 256, 15, 4), MISUSED);
            said("kind: 256 is too large");
            assert_eq!(weft_judge_resolve(judge, 1, 3, 0, 15, 4), RIGHT);
            let retire = |op| weft_judge_retire(judge, 1, op, 0, 1, 15, 0, 0, 1, 0);
            assert_eq!(retire(515), MISUSED);
            said("op: 515 is too large");
            assert_eq!(weft_judge_retired(judge), 0);
            assert_eq!(weft_judge_exception(judge, 1, 0, 256 + 15), MISUSED);
            said("cause: 271 is too large");
            assert_eq!(retire(3), RIGHT);
            assert_eq!(weft_judge_retired(judge), 1);
            weft_judge_free(judge);
        }
    }
}
