//! A golden GPU for kernels in OpenCL C, with guard words behind each buffer.
#![allow(dead_code)] // each test uses its part

use std::collections::BTreeMap;
use weft_cc::opencl::{build, Kernel, Options, Program, Range, Source, Value};
use weft_cc::Float;
use weft_driver::{Buffer, Golden, Gpu, Module, Settings, Stream};
use weft_sim::host::Size;
use weft_toolbox::Toolbox;

pub const WARPS: usize = 8;
pub const WIDTH: usize = 8;
/// Words that nobody may touch behind each buffer.
const GUARD: u32 = 16;
const UNTOUCHED: u32 = 0xdead_beef;

pub fn compiled(name: &str, text: &str, float: Float) -> Program {
    compiled_with(name, text, float, &[])
}

pub fn compiled_with(name: &str, text: &str, float: Float, flags: &[&str]) -> Program {
    let options = Options {
        float,
        flags: flags.iter().map(|flag| flag.to_string()).collect(),
        ..Options::default()
    };
    build(
        &Toolbox::here(),
        &Source::new(name, text),
        &options,
        &mut |_| (),
    )
    .unwrap_or_else(|failure| panic!("{failure}\n{}", failure.log))
}

/// A GPU and what a test has in its memory.
pub struct Device {
    pub gpu: Gpu<Golden>,
    stream: Stream,
    modules: BTreeMap<String, Module>,
}

impl Device {
    pub fn new() -> Device {
        let size = Size {
            warps: WARPS,
            threads: WIDTH,
            lanes: WIDTH,
            ..Size::default()
        }
        .with_float();
        let settings = Settings {
            local: 4096,
            limit: Some(50_000_000),
            ..Settings::default()
        };
        let golden = Golden::new(size, 8 << 20);
        let mut gpu = Gpu::open_with(golden, settings).unwrap();
        let stream = gpu.stream().unwrap();
        Device {
            gpu,
            stream,
            modules: BTreeMap::new(),
        }
    }

    pub fn buffer(&mut self, words: &[u32]) -> Buffer {
        let buffer = self.gpu.allocate(4 * (words.len() as u32 + GUARD)).unwrap();
        self.gpu.write_words(buffer, 0, words).unwrap();
        let guard = [UNTOUCHED; GUARD as usize];
        self.gpu
            .write_words(buffer, words.len() as u32, &guard)
            .unwrap();
        buffer
    }

    /// The words, and the guard behind them is as it was.
    pub fn read(&mut self, buffer: Buffer) -> Vec<u32> {
        let all = self.gpu.read_words(buffer, 0, buffer.size() / 4).unwrap();
        let (words, guard) = all.split_at(all.len() - GUARD as usize);
        assert!(guard.iter().all(|word| *word == UNTOUCHED), "{guard:x?}");
        words.to_vec()
    }

    /// Each kernel is loaded once.
    pub fn module(&mut self, kernel: &Kernel) -> Module {
        if let Some(module) = self.modules.get(&kernel.name) {
            return *module;
        }
        let module = self.load(kernel);
        self.modules.insert(kernel.name.clone(), module);
        module
    }

    pub fn load(&mut self, kernel: &Kernel) -> Module {
        self.gpu.load_elf(&kernel.elf).unwrap()
    }

    pub fn run(&mut self, kernel: &Kernel, module: Module, range: Range, values: &[Value]) {
        let launches = kernel.launches(&range, values).unwrap();
        let blocks = self
            .gpu
            .launch_opencl(self.stream, module, &launches)
            .unwrap();
        self.gpu
            .synchronize()
            .unwrap_or_else(|error| panic!("{}, {range:?}: {error}", kernel.name));
        blocks
            .into_iter()
            .for_each(|block| self.gpu.free(block).unwrap());
    }
}

pub fn address(buffer: Buffer) -> Value<'static> {
    Value::Address(buffer.address())
}
