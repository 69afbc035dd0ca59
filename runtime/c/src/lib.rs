//! The driver as a C library, declared and described in `include/weft_driver.h`.

mod handle;
#[cfg(test)]
mod tests;

use handle::{at, out, with, Handle};
use std::collections::BTreeMap;
use std::ffi::{c_char, c_int, c_void, CStr};
use weft_driver::{Device, Event, Golden, Gpu, Grid, Module, Settings, Stream, WorkQueue};
use weft_sim::host::Size;
use weft_testbench::gpu::{GpuOptions, VerilatedGpu};
use weft_testbench::sm::memory::AxiTiming;
use weft_testbench::timing::Latency;

/// What a handle stands for.
struct Host {
    gpu: Gpu<Box<dyn Device>>,
    /// By address.
    buffers: BTreeMap<u32, weft_driver::Buffer>,
    modules: Vec<Module>,
    streams: Vec<Stream>,
    /// By address.
    queues: BTreeMap<u32, WorkQueue>,
}

impl Host {
    fn new(device: impl Device + 'static, limit: u64) -> Result<Host, String> {
        let settings = Settings {
            limit: (limit > 0).then_some(limit),
            ..Settings::default()
        };
        Ok(Host {
            gpu: Gpu::open_with(Box::new(device) as Box<dyn Device>, settings).map_err(said)?,
            buffers: BTreeMap::new(),
            modules: Vec::new(),
            streams: Vec::new(),
            queues: BTreeMap::new(),
        })
    }

    /// The allocation or program that an address is in, and the offset.
    fn buffer(&self, address: u32) -> Result<(weft_driver::Buffer, u32), String> {
        let before = self.buffers.range(..=address).next_back();
        let before = before.map(|(_, buffer)| *buffer);
        let programs = self.modules.iter().map(|&module| self.gpu.image(module));
        let mut all = before.into_iter().chain(programs);
        let found = all.find_map(|buffer| {
            let offset = address.checked_sub(buffer.address())?;
            (offset < buffer.size().max(1)).then_some((buffer, offset))
        });
        found.ok_or_else(|| format!("{address:#x} is in no allocation and no program"))
    }

    fn module(&self, number: u32) -> Result<Module, String> {
        let module = self.modules.get(number as usize).copied();
        module.ok_or_else(|| format!("there is no module {number}"))
    }

    fn stream(&self, number: u32) -> Result<Stream, String> {
        let stream = self.streams.get(number as usize).copied();
        stream.ok_or_else(|| format!("there is no stream {number}"))
    }

    fn event(&self, event: CEvent) -> Result<Event, String> {
        let stream = self.stream(event.stream)?;
        let launches = event.launches;
        Ok(Event { stream, launches })
    }
}

#[repr(C)]
struct CSize {
    channels: u32,
    sms: u32,
    slots: u32,
    warps: u32,
    threads: u32,
    scratchpad: u32,
    lanes: u32,
}

impl CSize {
    /// # Errors
    /// What docs/spec/host.md does not allow.
    fn checked(&self) -> Result<Size, String> {
        let standard = Size::default();
        let or = |value: u32, other: usize| if value == 0 { other } else { value as usize };
        let threads = or(self.threads, standard.threads);
        let size = Size {
            channels: or(self.channels, standard.channels),
            sms: or(self.sms, standard.sms),
            slots: or(self.slots, standard.slots),
            warps: or(self.warps, standard.warps),
            threads,
            lanes: or(self.lanes, threads.min(8)),
            scratchpad: or(self.scratchpad, standard.scratchpad as usize) as u32,
            ..standard
        };
        let within = [
            ("channels", size.channels, 2..=8),
            ("sms", size.sms, 1..=8),
            ("slots", size.slots, 1..=8),
            ("warps", size.warps, 1..=64),
            ("threads", size.threads, 4..=64),
        ];
        for (name, value, range) in within {
            if !range.contains(&value) {
                return Err(format!(
                    "{name}: {value} is not {} to {}",
                    range.start(),
                    range.end()
                ));
            }
        }
        if !size.threads.is_power_of_two() {
            return Err(format!("threads: {} is no power of two", size.threads));
        }
        match size.scratchpad % 1024 {
            0 => Ok(size),
            _ => Err(format!(
                "scratchpad: {} is no multiple of 1,024",
                size.scratchpad
            )),
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
struct CEvent {
    stream: u32,
    launches: u32,
}

#[repr(C)]
struct CGrid {
    ctas: [u32; 3],
    threads: [u32; 3],
    arguments: u32,
    scratchpad: u32,
    local: u32,
    level: u32,
    predecessors: u32,
    dependent: u32,
}

impl CGrid {
    fn checked(&self) -> Result<Grid, String> {
        let level = u8::try_from(self.level).ok().filter(|&level| level < 16);
        Ok(Grid {
            ctas: self.ctas.map(|n| n.max(1)),
            threads: self.threads.map(|n| n.max(1)),
            arguments: self.arguments,
            scratchpad: self.scratchpad,
            local: if self.local == 0 { 1024 } else { self.local },
            level: level.ok_or_else(|| format!("level: {} is above 15", self.level))?,
            predecessors: self.predecessors,
            dependent: self.dependent,
            ..Grid::of(1, 1)
        })
    }
}

#[repr(C)]
struct CCounters {
    instructions: u64,
    cycles: u64,
    commands: u32,
    entries: u32,
    launches: u32,
    spawns: u32,
    dependents: u32,
    ctas: u32,
    evictions: u32,
    tasks_done: u32,
}

fn said(error: weft_driver::Error) -> String {
    error.to_string()
}

/// # Safety
/// `size` is null or points to one.
#[no_mangle]
unsafe extern "C" fn weft_gpu_open(
    size: *const CSize,
    memory: u32,
    limit: u64,
) -> *mut Handle<Host> {
    // SAFETY: by the contract of this function.
    let size = unsafe { size.as_ref() };
    handle::boxed(|| Host::new(Golden::new(checked(size, memory)?, memory), limit))
}

/// # Errors
/// There is no such GPU.
fn checked(size: Option<&CSize>, memory: u32) -> Result<Size, String> {
    let size = size.map_or(Ok(Size::default()), CSize::checked)?;
    match memory % 64 == 0 && memory >= 0x1_0000 {
        true => Ok(size),
        false => Err(said(weft_driver::Error::MemorySize(memory))),
    }
}

/// # Safety
/// `size` is null or points to one.
#[no_mangle]
unsafe extern "C" fn weft_gpu_open_verilated(
    size: *const CSize,
    memory: u32,
    latency: u32,
    limit: u64,
) -> *mut Handle<Host> {
    // SAFETY: by the contract of this function.
    let size = unsafe { size.as_ref() };
    handle::boxed(|| {
        let size = checked(size, memory)?;
        let options = GpuOptions {
            memory,
            timing: AxiTiming {
                latency: Latency::Fixed(latency),
                ..AxiTiming::default()
            },
            ..GpuOptions::default()
        };
        let device = VerilatedGpu::open_copy(size, &options, None);
        Host::new(device.map_err(|error| error.to_string())?, limit)
    })
}

/// # Safety
/// `gpu` is null or came from `weft_gpu_open` and is not used again.
#[no_mangle]
unsafe extern "C" fn weft_gpu_close(gpu: *mut Handle<Host>) {
    // SAFETY: by the contract of this function.
    unsafe { handle::free(gpu) }
}

/// # Safety
/// `gpu` is null or came from `weft_gpu_open`.
#[no_mangle]
unsafe extern "C" fn weft_gpu_error(gpu: *const Handle<Host>) -> *const c_char {
    // SAFETY: by the contract of this function.
    unsafe { handle::error(gpu) }
}

/// # Safety
/// `gpu` as in [`with`]; `address` is null or can be written.
#[no_mangle]
unsafe extern "C" fn weft_gpu_allocate(
    gpu: *mut Handle<Host>,
    bytes: u32,
    address: *mut u32,
) -> c_int {
    let act = |host: &mut Host| -> Result<u32, String> {
        let buffer = host.gpu.allocate(bytes).map_err(said)?;
        host.buffers.insert(buffer.address(), buffer);
        Ok(buffer.address())
    };
    // SAFETY: by the contract of this function.
    unsafe { with(gpu, |host| out(address, act(host)?)) }
}

/// # Safety
/// `gpu` as in [`with`].
#[no_mangle]
unsafe extern "C" fn weft_gpu_free(gpu: *mut Handle<Host>, address: u32) -> c_int {
    let act = |host: &mut Host| {
        let buffer = host.buffers.remove(&address);
        let buffer = buffer.ok_or_else(|| format!("{address:#x} begins no allocation"))?;
        host.gpu.free(buffer).map_err(said)
    };
    // SAFETY: by the contract of this function.
    unsafe { with(gpu, act) }
}

/// # Safety
/// `gpu` as in [`with`]; `from` points to so many bytes.
#[no_mangle]
unsafe extern "C" fn weft_gpu_copy_in(
    gpu: *mut Handle<Host>,
    address: u32,
    from: *const c_void,
    bytes: u32,
) -> c_int {
    let act = |host: &mut Host| {
        let (buffer, offset) = host.buffer(address)?;
        let from: &[u8] = match bytes {
            0 => &[],
            _ if from.is_null() => return Err("from is NULL".into()),
            // SAFETY: by the contract of this function.
            _ => unsafe { std::slice::from_raw_parts(from.cast(), bytes as usize) },
        };
        host.gpu.copy_in(buffer, offset, from).map_err(said)
    };
    // SAFETY: by the contract of this function.
    unsafe { with(gpu, act) }
}

/// # Safety
/// `gpu` as in [`with`]; so many bytes can be written at `to`.
#[no_mangle]
unsafe extern "C" fn weft_gpu_copy_out(
    gpu: *mut Handle<Host>,
    to: *mut c_void,
    address: u32,
    bytes: u32,
) -> c_int {
    let act = |host: &mut Host| {
        let (buffer, offset) = host.buffer(address)?;
        let to: &mut [u8] = match bytes {
            0 => &mut [],
            _ if to.is_null() => return Err("to is NULL".into()),
            // SAFETY: by the contract of this function.
            _ => unsafe { std::slice::from_raw_parts_mut(to.cast(), bytes as usize) },
        };
        host.gpu.copy_out(buffer, offset, to).map_err(said)
    };
    // SAFETY: by the contract of this function.
    unsafe { with(gpu, act) }
}

/// # Safety
/// `text` is null or points to a string that ends with a zero byte.
unsafe fn string<'a>(text: *const c_char, what: &str) -> Result<&'a str, String> {
    if text.is_null() {
        return Err(format!("{what} is NULL"));
    }
    // SAFETY: by the contract of this function.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| format!("{what} is no UTF-8"))
}

/// # Safety
/// `gpu` as in [`with`]; `path` as in [`string`]; `module` is null or can be written.
#[no_mangle]
unsafe extern "C" fn weft_gpu_load(
    gpu: *mut Handle<Host>,
    path: *const c_char,
    module: *mut u32,
) -> c_int {
    let act = |host: &mut Host| -> Result<u32, String> {
        // SAFETY: by the contract of this function.
        let path = unsafe { string(path, "path") }?;
        let bytes = weft_isa::files::read(path).map_err(|error| format!("{path}: {error}"))?;
        let loaded = match bytes.starts_with(b"\x7fELF") {
            true => host.gpu.load_elf(&bytes),
            false => {
                let text = String::from_utf8(bytes);
                let text = text.map_err(|_| format!("{path}: neither ELF nor text"))?;
                let program = weft_isa::assemble(&text, path).map_err(|e| e.to_string())?;
                host.gpu.load_program(&program)
            }
        };
        let loaded = loaded.map_err(|error| format!("{path}: {error}"))?;
        host.gpu.set_title(loaded, path);
        host.modules.push(loaded);
        Ok(host.modules.len() as u32 - 1)
    };
    // SAFETY: by the contract of this function.
    unsafe { with(gpu, |host| out(module, act(host)?)) }
}

/// # Safety
/// `gpu` as in [`with`]; `kernel` is null or can be written.
#[no_mangle]
unsafe extern "C" fn weft_gpu_entry(
    gpu: *mut Handle<Host>,
    module: u32,
    kernel: *mut u32,
) -> c_int {
    // SAFETY: by the contract of this function.
    unsafe { with(gpu, |host| out(kernel, host.module(module)?.entry())) }
}

/// # Safety
/// `gpu` as in [`with`]; `name` as in [`string`]; `address` is null or can be written.
#[no_mangle]
unsafe extern "C" fn weft_gpu_symbol(
    gpu: *mut Handle<Host>,
    module: u32,
    name: *const c_char,
    address: *mut u32,
) -> c_int {
    let act = |host: &mut Host| {
        // SAFETY: by the contract of this function.
        let name = unsafe { string(name, "name") }?;
        host.gpu.symbol(host.module(module)?, name).map_err(said)
    };
    // SAFETY: by the contract of this function.
    unsafe { with(gpu, |host| out(address, act(host)?)) }
}

/// # Safety
/// `gpu` as in [`with`]; `name` as in [`string`]; `address` and `bytes` are null or can be written.
#[no_mangle]
unsafe extern "C" fn weft_gpu_variable(
    gpu: *mut Handle<Host>,
    module: u32,
    name: *const c_char,
    address: *mut u32,
    bytes: *mut u32,
) -> c_int {
    let act = |host: &mut Host| {
        // SAFETY: by the contract of this function.
        let name = unsafe { string(name, "name") }?;
        let variable = host
            .gpu
            .variable(host.module(module)?, name)
            .map_err(said)?;
        // SAFETY: by the contract of this function.
        unsafe {
            out(address, variable.address())?;
            out(bytes, variable.size())
        }
    };
    // SAFETY: by the contract of this function.
    unsafe { with(gpu, act) }
}

/// # Safety
/// `gpu` as in [`with`]; `stream` is null or can be written.
#[no_mangle]
unsafe extern "C" fn weft_gpu_stream(gpu: *mut Handle<Host>, stream: *mut u32) -> c_int {
    let act = |host: &mut Host| -> Result<u32, String> {
        let stream = host.gpu.stream().map_err(said)?;
        host.streams.push(stream);
        Ok(host.streams.len() as u32 - 1)
    };
    // SAFETY: by the contract of this function.
    unsafe { with(gpu, |host| out(stream, act(host)?)) }
}

/// # Safety
/// `gpu` as in [`with`]; `grid` is null or points to one.
#[no_mangle]
unsafe extern "C" fn weft_gpu_launch(
    gpu: *mut Handle<Host>,
    stream: u32,
    kernel: u32,
    grid: *const CGrid,
) -> c_int {
    let act = |host: &mut Host| {
        // SAFETY: by the contract of this function.
        let grid = unsafe { at(grid, "grid") }?.checked()?;
        let stream = host.stream(stream)?;
        host.gpu.launch(stream, kernel, &grid).map_err(said)
    };
    // SAFETY: by the contract of this function.
    unsafe { with(gpu, act) }
}

/// # Safety
/// `gpu` as in [`with`]; `event` is null or can be written.
#[no_mangle]
unsafe extern "C" fn weft_gpu_record(
    gpu: *mut Handle<Host>,
    stream: u32,
    event: *mut CEvent,
) -> c_int {
    let act = |host: &mut Host| -> Result<CEvent, String> {
        let launches = host.gpu.record(host.stream(stream)?).launches;
        Ok(CEvent { stream, launches })
    };
    // SAFETY: by the contract of this function.
    unsafe { with(gpu, |host| out(event, act(host)?)) }
}

/// # Safety
/// `gpu` as in [`with`]; `yes` is null or can be written.
#[no_mangle]
unsafe extern "C" fn weft_gpu_happened(
    gpu: *mut Handle<Host>,
    event: CEvent,
    yes: *mut c_int,
) -> c_int {
    let act = |host: &mut Host| {
        let event = host.event(event)?;
        host.gpu.happened(event).map(c_int::from).map_err(said)
    };
    // SAFETY: by the contract of this function.
    unsafe { with(gpu, |host| out(yes, act(host)?)) }
}

/// # Safety
/// `gpu` as in [`with`].
#[no_mangle]
unsafe extern "C" fn weft_gpu_wait(gpu: *mut Handle<Host>, event: CEvent) -> c_int {
    let act = |host: &mut Host| {
        let event = host.event(event)?;
        host.gpu.wait(event).map_err(said)
    };
    // SAFETY: by the contract of this function.
    unsafe { with(gpu, act) }
}

/// # Safety
/// `gpu` as in [`with`].
#[no_mangle]
unsafe extern "C" fn weft_gpu_kill(gpu: *mut Handle<Host>, event: CEvent) -> c_int {
    let act = |host: &mut Host| {
        let event = host.event(event)?;
        host.gpu.kill(event).map_err(said)
    };
    // SAFETY: by the contract of this function.
    unsafe { with(gpu, act) }
}

/// # Safety
/// `gpu` as in [`with`].
#[no_mangle]
unsafe extern "C" fn weft_gpu_limit_all(gpu: *mut Handle<Host>, cycles: u64) -> c_int {
    let act = |host: &mut Host| {
        host.gpu.limit_all(cycles);
        Ok(())
    };
    // SAFETY: by the contract of this function.
    unsafe { with(gpu, act) }
}

/// # Safety
/// `gpu` as in [`with`].
#[no_mangle]
unsafe extern "C" fn weft_gpu_wait_in(gpu: *mut Handle<Host>, stream: u32, event: CEvent) -> c_int {
    let act = |host: &mut Host| {
        let (stream, event) = (host.stream(stream)?, host.event(event)?);
        host.gpu.wait_in(stream, event).map_err(said)
    };
    // SAFETY: by the contract of this function.
    unsafe { with(gpu, act) }
}

/// # Safety
/// `gpu` as in [`with`].
#[no_mangle]
unsafe extern "C" fn weft_gpu_synchronize(gpu: *mut Handle<Host>) -> c_int {
    // SAFETY: by the contract of this function.
    unsafe { with(gpu, |host| host.gpu.synchronize().map_err(said)) }
}

/// # Safety
/// `gpu` as in [`with`]; `queue` is null or can be written.
#[no_mangle]
unsafe extern "C" fn weft_gpu_work_queue(
    gpu: *mut Handle<Host>,
    entries: u32,
    tasks: u32,
    queue: *mut u32,
) -> c_int {
    let act = |host: &mut Host| -> Result<u32, String> {
        let made = host.gpu.work_queue(entries, tasks).map_err(said)?;
        let address = made.address();
        host.queues.insert(address, made);
        Ok(address)
    };
    // SAFETY: by the contract of this function.
    unsafe { with(gpu, |host| out(queue, act(host)?)) }
}

/// # Safety
/// `gpu` as in [`with`]; `grid` is null or points to one.
#[no_mangle]
unsafe extern "C" fn weft_gpu_launch_with(
    gpu: *mut Handle<Host>,
    stream: u32,
    queue: u32,
    kernel: u32,
    grid: *const CGrid,
    open: u32,
) -> c_int {
    let act = |host: &mut Host| {
        // SAFETY: by the contract of this function.
        let grid = unsafe { at(grid, "grid") }?.checked()?;
        let stream = host.stream(stream)?;
        let queue = host
            .queues
            .get_mut(&queue)
            .ok_or_else(|| format!("{queue:#x} is no work queue"))?;
        let launched = host.gpu.launch_with(stream, queue, kernel, &grid, open);
        launched.map_err(said)
    };
    // SAFETY: by the contract of this function.
    unsafe { with(gpu, act) }
}

/// # Safety
/// `gpu` as in [`with`]; `grid` is null or points to one; `task` is null or can be written.
#[no_mangle]
unsafe extern "C" fn weft_gpu_task(
    gpu: *mut Handle<Host>,
    kernel: u32,
    grid: *const CGrid,
    task: *mut u32,
) -> c_int {
    let act = |host: &mut Host| -> Result<u32, String> {
        // SAFETY: by the contract of this function.
        let grid = unsafe { at(grid, "grid") }?.checked()?;
        let made = host.gpu.task(kernel, &grid).map_err(said)?;
        host.buffers.insert(made.address(), made);
        Ok(made.address())
    };
    // SAFETY: by the contract of this function.
    unsafe { with(gpu, |host| out(task, act(host)?)) }
}

/// # Safety
/// `gpu` as in [`with`].
#[no_mangle]
unsafe extern "C" fn weft_gpu_launch_task(gpu: *mut Handle<Host>, stream: u32, task: u32) -> c_int {
    let act = |host: &mut Host| {
        let stream = host.stream(stream)?;
        let task = host
            .buffers
            .get(&task)
            .ok_or_else(|| format!("{task:#x} begins no allocation"))?;
        host.gpu.launch_task(stream, *task).map_err(said)
    };
    // SAFETY: by the contract of this function.
    unsafe { with(gpu, act) }
}

/// # Safety
/// `gpu` as in [`with`]; `counters` is null or can be written.
#[no_mangle]
unsafe extern "C" fn weft_gpu_counters(gpu: *mut Handle<Host>, counters: *mut CCounters) -> c_int {
    let act = |host: &mut Host| {
        let counted = host.gpu.counters();
        CCounters {
            instructions: counted.instructions,
            cycles: counted.cycles.unwrap_or(0),
            commands: counted.commands,
            entries: counted.entries,
            launches: counted.launches,
            spawns: counted.spawns,
            dependents: counted.dependents,
            ctas: counted.ctas,
            evictions: counted.evictions,
            tasks_done: counted.tasks_done,
        }
    };
    // SAFETY: by the contract of this function.
    unsafe { with(gpu, |host| out(counters, act(host))) }
}
