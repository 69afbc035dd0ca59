//! The driver in C99 for processors without an operating system, `weft_gpu.h` and `weft_gpu.c`, as Rust calls it.
//!
//! The C files are what others take (`cargo weft verilog --unit gpu` writes them beside the Verilog); this crate compiles
//! them as strictly as they may, and its tests run them on the golden GPU and on `weft_gpu`.
//! What each thing means is said in the header.

use std::ffi::{c_char, c_int, c_void};

/// `weft_gpu.h`.
pub const HEADER: &str = include_str!("../weft_gpu.h");

/// `weft_gpu.c`, which includes it and `weft_gpu.regs.h`.
pub const SOURCE: &str = include_str!("../weft_gpu.c");

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
}

/// `struct weft_stream`.
#[repr(C)]
pub struct Stream {
    pub gpu: *mut Gpu,
    pub channel: u32,
    pub ring: u32,
    pub blocks: u32,
    pub tasks: u32,
    pub arguments: u32,
    pub semaphore: u32,
    pub put: u32,
    pub launches: u32,
    pub refused: u32,
    pub code: u32,
    pub place: u32,
}

/// `struct weft_program`.
#[repr(C)]
pub struct Program {
    pub file: *const u8,
    pub bytes: usize,
    pub scratchpad: u32,
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
    pub fn weft_look(stream: *mut Stream, number: u32) -> c_int;
    pub fn weft_wait(stream: *mut Stream, number: u32) -> c_int;
    pub fn weft_kill(stream: *mut Stream, number: u32) -> c_int;
    pub fn weft_fault(gpu: *mut Gpu, fault: *mut Fault) -> c_int;
    pub fn weft_text(result: c_int) -> *const c_char;
}
