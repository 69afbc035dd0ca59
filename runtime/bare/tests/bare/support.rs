//! A host behind the driver's callbacks, and the driver's functions as tests call them.

use std::ffi::{c_void, CString};
use std::ptr::null;
use weft_cc::{each, Options};
use weft_driver::{Device, Golden};
use weft_driver_bare::*;
use weft_sim::host::Size;
use weft_testbench::gpu::{GpuOptions, VerilatedGpu};

pub const MEMORY: u32 = 1 << 20;
pub const GUARD: u32 = 0x5afe_5afe;

/// What the callbacks reach. Each access to a register gives the GPU some time.
pub struct Host<D> {
    pub device: D,
}

fn host<'a, D>(context: *mut c_void) -> &'a mut Host<D> {
    // SAFETY: it is what `Opened::new` has given to the driver, and nobody else uses it during a call.
    unsafe { &mut *context.cast() }
}

unsafe extern "C" fn get<D: Device>(context: *mut c_void, offset: u32) -> u32 {
    let host = host::<D>(context);
    host.device.advance();
    host.device.get(offset)
}

unsafe extern "C" fn set<D: Device>(context: *mut c_void, offset: u32, value: u32) {
    host::<D>(context).device.set(offset, value);
}

unsafe extern "C" fn read<D: Device>(context: *mut c_void, at: u32, to: *mut c_void, bytes: u32) {
    // SAFETY: the driver says so much may be written there.
    let to = unsafe { std::slice::from_raw_parts_mut(to.cast(), bytes as usize) };
    let there = host::<D>(context).device.read(at, to);
    assert!(there, "{bytes} bytes at {at:#x}");
}

unsafe extern "C" fn write<D: Device>(
    context: *mut c_void,
    at: u32,
    from: *const c_void,
    bytes: u32,
) {
    // SAFETY: the driver says so much may be read there.
    let from = unsafe { std::slice::from_raw_parts(from.cast(), bytes as usize) };
    let there = host::<D>(context).device.write(at, from);
    assert!(there, "{bytes} bytes at {at:#x}");
}

/// A GPU that was opened, its host behind it.
pub struct Opened<D> {
    pub host: Box<Host<D>>,
    pub gpu: Box<Gpu>,
}

pub fn grid(kernel: u32, ctas: [u32; 3], threads: [u32; 3]) -> Grid {
    Grid {
        kernel,
        ctas,
        threads,
        arguments: null(),
        bytes: 0,
        address: 0,
        scratchpad: 0,
        level: 0,
        limit: 0,
        interrupt: 0,
    }
}

impl<D: Device> Opened<D> {
    pub fn new(device: D, layout: Layout) -> Result<Opened<D>, i32> {
        let mut host = Box::new(Host { device });
        let bus = Bus {
            context: (&mut *host as *mut Host<D>).cast(),
            get: get::<D>,
            set: set::<D>,
            read: read::<D>,
            write: write::<D>,
        };
        let mut gpu = Box::<Gpu>::new_uninit();
        // SAFETY: all of it lives as long as what comes back; open writes the GPU before it says OK.
        match unsafe { weft_open(gpu.as_mut_ptr(), &bus, &layout) } {
            result::OK => Ok(Opened {
                host,
                gpu: unsafe { gpu.assume_init() },
            }),
            wrong => Err(wrong),
        }
    }

    pub fn stream(&mut self) -> Result<Box<Stream>, i32> {
        let mut stream = Box::<Stream>::new_uninit();
        // SAFETY: the stream is written before it is OK.
        match unsafe { weft_open_stream(&mut *self.gpu, stream.as_mut_ptr()) } {
            result::OK => Ok(unsafe { stream.assume_init() }),
            wrong => Err(wrong),
        }
    }

    pub fn take(&mut self, words: &[u32]) -> u32 {
        let mut at = 0;
        // SAFETY: the pointers are good.
        let taken = unsafe { weft_take(&mut *self.gpu, 4 * words.len() as u32, &mut at) };
        assert_eq!(taken, result::OK);
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        assert!(self.host.device.write(at, &bytes));
        at
    }

    pub fn words(&mut self, at: u32, number: usize) -> Vec<u32> {
        let mut bytes = vec![0; 4 * number];
        assert!(self.host.device.read(at, &mut bytes));
        let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().unwrap());
        bytes.chunks(4).map(word).collect()
    }

    pub fn fault(&mut self) -> Option<Fault> {
        let mut fault = Fault::default();
        // SAFETY: the pointers are good.
        (unsafe { weft_fault(&mut *self.gpu, &mut fault) } == 1).then_some(fault)
    }
}

pub fn load(stream: &mut Stream, elf: &[u8]) -> Result<Program, i32> {
    let mut program = Program {
        file: null(),
        bytes: 0,
        scratchpad: 0,
        console: 0,
        console_bytes: 0,
    };
    // SAFETY: the file outlives the program in each test.
    match unsafe { weft_load(stream, elf.as_ptr().cast(), elf.len(), &mut program) } {
        result::OK => Ok(program),
        wrong => Err(wrong),
    }
}

pub fn find(program: &Program, name: &str) -> Result<u32, i32> {
    let (name, mut address) = (CString::new(name).unwrap(), 0);
    // SAFETY: the pointers are good.
    match unsafe { weft_find(program, name.as_ptr(), &mut address) } {
        result::OK => Ok(address),
        wrong => Err(wrong),
    }
}

pub fn launch(stream: &mut Stream, program: &Program, grid: &Grid) -> Result<u32, i32> {
    let mut number = 0;
    // SAFETY: the pointers are good.
    match unsafe { weft_launch(stream, program, grid, &mut number) } {
        result::OK => Ok(number),
        wrong => Err(wrong),
    }
}

pub fn wait(stream: &mut Stream, number: u32) -> i32 {
    // SAFETY: the stream is open.
    unsafe { weft_wait(stream, number) }
}

/// A source in C by each compiler that is there, with so many bytes for what it prints.
pub fn programs(source: &str, console: Option<u32>) -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bare.c");
    std::fs::write(&file, source).unwrap();
    let families = each::families().into_iter();
    let options = Options {
        console,
        ..Options::default()
    };
    families
        .map(|family| each::built_with(family, &file, options.clone()))
        .collect()
}

pub fn layout() -> Layout {
    Layout {
        end: MEMORY,
        ..Layout::default()
    }
}

pub const SIZE: Size = weft_testbench::gpu::device::TINY;

pub fn golden() -> Golden {
    Golden::new(SIZE, MEMORY)
}

pub fn hardware() -> VerilatedGpu {
    VerilatedGpu::open(&GpuOptions::default()).expect("weft_gpu")
}
