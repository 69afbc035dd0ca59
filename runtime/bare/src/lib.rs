//! The driver in C99 for processors without an operating system, `weft_gpu.h` and `weft_gpu.c`, as Rust calls it.
//!
//! The C files are what others take (`cargo weft verilog --unit gpu` writes them beside the Verilog); this crate compiles
//! them as strictly as they may, and its tests run them on the golden GPU and on `weft_gpu`.
//! What each thing means is said in the header.

use std::ffi::{c_char, c_int, c_void};

/// `WEFT_CHANNELS`.
pub const CHANNELS: usize = 8;

/// `weft_gpu.h`.
pub const HEADER: &str = include_str!("../weft_gpu.h");

/// `weft_gpu.c`, which includes it and `weft_gpu.regs.h`.
pub const SOURCE: &str = include_str!("../weft_gpu.c");

/// `weft_print.c`, for those who want printf of kernels.
pub const PRINT: &str = include_str!("../weft_print.c");

/// `struct weft_bus`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Bus {
    pub context: *mut c_void,
    pub get: unsafe extern "C" fn(*mut c_void, u32) -> u32,
    pub set: unsafe extern "C" fn(*mut c_void, u32, u32),
    pub read: unsafe extern "C" fn(*mut c_void, u32, *mut c_void, u32),
    pub write: unsafe extern "C" fn(*mut c_void, u32, *const c_void, u32),
}

/// `struct weft_layout`.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Layout {
    pub end: u32,
    pub local: u32,
    pub places: u32,
    pub streams: u32,
    pub limit: u32,
    pub patience: u32,
    pub spawn: u32,
}

/// `struct weft_gpu`.
#[repr(C)]
pub struct Gpu {
    pub bus: Bus,
    pub channels: u32,
    pub sms: u32,
    pub warps: u32,
    pub threads: u32,
    pub scratchpad: u32,
    pub thread_end: u32,
    pub memory_end: u32,
    pub next: u32,
    pub top: u32,
    pub next_private: u32,
    pub local: u32,
    pub patience: u32,
    pub opened: u32,
    pub spawn: u32,
    pub spawns: u32,
    pub streams: *mut Stream,
    pub works: *mut Work,
}

/// `struct weft_stream`.
#[repr(C)]
pub struct Stream {
    pub gpu: *mut Gpu,
    pub next: *mut Stream,
    pub channel: u32,
    pub ring: u32,
    pub blocks: u32,
    pub tasks: u32,
    pub arguments: u32,
    pub semaphore: u32,
    pub put: u32,
    pub launches: u32,
    pub refused: u32,
    pub failed: u32,
    pub code: u32,
    pub place: u32,
    pub after: [[u32; 2]; CHANNELS],
}

/// `struct weft_work`.
#[repr(C)]
pub struct Work {
    pub gpu: *mut Gpu,
    pub next: *mut Work,
    pub address: u32,
    pub channel: u32,
    pub entries: u32,
    pub tasks: u32,
    pub round: u32,
    pub stream: *mut Stream,
    pub number: u32,
}

/// `struct weft_program`.
#[repr(C)]
pub struct Program {
    pub file: *const u8,
    pub bytes: usize,
    pub scratchpad: u32,
    pub console: u32,
    pub console_bytes: u32,
}

/// `struct weft_printed`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Printed {
    pub lost: u32,
    pub damaged: u32,
    pub stopped: u32,
    pub exit: u32,
}

/// `struct weft_grid`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Grid {
    pub kernel: u32,
    pub ctas: [u32; 3],
    pub threads: [u32; 3],
    pub arguments: *const c_void,
    pub bytes: u32,
    pub address: u32,
    pub scratchpad: u32,
    pub level: u32,
    pub limit: u32,
    pub interrupt: u32,
}

/// `struct weft_fault`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fault {
    pub sm: u32,
    pub warp: u32,
    pub thread: u32,
    pub cause: u32,
    pub pc: u32,
    pub address: u32,
    pub cta: u32,
    pub task: u32,
}

/// `enum weft_result`.
pub mod result {
    pub const OK: i32 = 0;
    pub const NO_GPU: i32 = 1;
    pub const LAYOUT: i32 = 2;
    pub const NO_MEMORY: i32 = 3;
    pub const NO_CHANNEL: i32 = 4;
    pub const NO_ELF: i32 = 5;
    pub const OCCUPIED: i32 = 6;
    pub const NO_SYMBOL: i32 = 7;
    pub const FULL: i32 = 8;
    pub const TOO_LARGE: i32 = 9;
    pub const RUNS: i32 = 10;
    pub const IMPATIENT: i32 = 11;
    pub const FAILED: i32 = 12;
    pub const REFUSED: i32 = 13;
    pub const NO_LAUNCH: i32 = 14;
}

/// `WEFT_ENTRIES`.
pub const ENTRIES: u32 = 16;

extern "C" {
    pub fn weft_open(gpu: *mut Gpu, bus: *const Bus, layout: *const Layout) -> c_int;
    pub fn weft_open_stream(gpu: *mut Gpu, stream: *mut Stream) -> c_int;
    pub fn weft_take(gpu: *mut Gpu, bytes: u32, address: *mut u32) -> c_int;
    pub fn weft_load(
        stream: *mut Stream,
        elf: *const c_void,
        bytes: usize,
        program: *mut Program,
    ) -> c_int;
    pub fn weft_find(program: *const Program, name: *const c_char, address: *mut u32) -> c_int;
    pub fn weft_launch(
        stream: *mut Stream,
        program: *const Program,
        grid: *const Grid,
        number: *mut u32,
    ) -> c_int;
    pub fn weft_after(stream: *mut Stream, other: *const Stream, number: u32) -> c_int;
    pub fn weft_open_work(gpu: *mut Gpu, entries: u32, tasks: u32, work: *mut Work) -> c_int;
    pub fn weft_launch_with(
        stream: *mut Stream,
        program: *const Program,
        grid: *const Grid,
        work: *mut Work,
        open: u32,
        number: *mut u32,
    ) -> c_int;
    pub fn weft_end_work(work: *mut Work) -> c_int;
    pub fn weft_look(stream: *mut Stream, number: u32) -> c_int;
    pub fn weft_wait(stream: *mut Stream, number: u32) -> c_int;
    pub fn weft_kill(stream: *mut Stream, number: u32) -> c_int;
    pub fn weft_fault(gpu: *mut Gpu, fault: *mut Fault) -> c_int;
    pub fn weft_printed(
        gpu: *const Gpu,
        program: *const Program,
        threads: u32,
        put: unsafe extern "C" fn(*mut c_void, *const c_char, u32),
        context: *mut c_void,
        printed: *mut Printed,
    ) -> c_int;
    pub fn weft_forget_printed(gpu: *const Gpu, program: *const Program);
    pub fn weft_text(result: c_int) -> *const c_char;
}
