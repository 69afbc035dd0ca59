//! The GPU as its worker has it: memory of buffers, programs, launches.

use super::console;
use super::model::{Engine, Model};
use crate::code::{Code, Outcome};
use opencl_sys::CL_OUT_OF_RESOURCES;
use weft_cc::opencl::Launch;
use weft_driver::arena::Arena;
use weft_driver::{Buffer, Error, Golden, Gpu, Module, Settings, Stream};
use weft_testbench::gpu::{GpuOptions, VerilatedGpu};

/// Memory for programs: what a program counter reaches (22 bits of instructions).
const PROGRAMS: u32 = 16 << 20;
/// Memory for stacks, tokens and the driver's own objects, at least.
const PRIVATE: u32 = 1 << 20;

type Driver = Gpu<Box<dyn weft_driver::Device>>;

/// Why a launch has not come to a good end.
#[derive(Clone, Debug)]
pub struct Failed {
    pub code: Code,
    /// For people: which kernel, which work-item, where.
    pub text: String,
}

impl Failed {
    fn new(error: &Error) -> Failed {
        Failed {
            code: Code(CL_OUT_OF_RESOURCES),
            text: error.to_string(),
        }
    }
}

/// An executable, and the number that it is kept under.
pub struct Executable<'a> {
    pub number: u64,
    pub name: &'a str,
    pub elf: &'a [u8],
}

pub struct Machine {
    model: Model,
    gpu: Driver,
    stream: Stream,
    /// Where buffers are.
    buffers: Buffer,
    /// The one that was used last stands last.
    loaded: Vec<(u64, Module)>,
    /// Nanoseconds of devices before this one.
    before: u64,
}

impl Machine {
    /// # Errors
    /// It cannot be made, for people.
    pub fn open(model: &Model) -> Result<Machine, String> {
        let threads = (model.group() as usize * model.size.sms) as u32;
        let tokens = (model.size.warps * model.size.sms) as u32 * 1024 * 16;
        let private = threads * model.stack + tokens + PRIVATE;
        let memory = (PROGRAMS + model.global + private).next_multiple_of(64);
        let device: Box<dyn weft_driver::Device> = match model.engine {
            Engine::Golden => Box::new(Golden::new(model.size, memory)),
            Engine::Verilated => {
                let options = GpuOptions {
                    memory,
                    ..GpuOptions::default()
                };
                let gpu = VerilatedGpu::open_copy(model.size, &options, None);
                Box::new(gpu.map_err(|error| error.to_string())?)
            }
        };
        let settings = Settings {
            local: model.stack,
            limit: Some(model.limit),
            ..Settings::default()
        };
        let said = |error: Error| error.to_string();
        let mut gpu = Driver::open_with(device, settings).map_err(said)?;
        let buffers = gpu.reserve(PROGRAMS).map_err(said)?;
        let stream = gpu.stream().map_err(said)?;
        Ok(Machine {
            model: model.clone(),
            gpu,
            stream,
            buffers,
            loaded: Vec::new(),
            // No event is at 0, which programs take for no time at all.
            before: super::NANOSECONDS,
        })
    }

    /// Where buffers may be: first address, bytes.
    pub fn room(&self) -> (u32, u32) {
        (self.buffers.address(), self.buffers.size())
    }

    /// Copies out of the memory of buffers.
    ///
    /// # Errors
    /// It is not there.
    pub fn read(&mut self, address: u32, bytes: &mut [u8]) -> Outcome {
        let offset = address - self.buffers.address();
        let read = self.gpu.copy_out(self.buffers, offset, bytes);
        read.map_err(|_| Code(CL_OUT_OF_RESOURCES))
    }

    /// Copies into the memory of buffers.
    ///
    /// # Errors
    /// It is not there.
    pub fn write(&mut self, address: u32, bytes: &[u8]) -> Outcome {
        let offset = address - self.buffers.address();
        let written = self.gpu.copy_in(self.buffers, offset, bytes);
        written.map_err(|_| Code(CL_OUT_OF_RESOURCES))
    }

    /// The device's time. One with a clock counts cycles; the golden one has none, and a warp instruction is a cycle.
    pub fn nanoseconds(&mut self) -> u64 {
        let device = self.gpu.device();
        let cycles = device.cycles().or(device.instructions()).unwrap_or(0);
        self.before + cycles * super::NANOSECONDS
    }

    /// Runs these launches one after the other.
    ///
    /// # Errors
    /// The first that has not come to a good end.
    pub fn run(
        &mut self,
        executable: &Executable,
        launches: &[Launch],
        arena: &Arena,
    ) -> Result<(), Failed> {
        let module = self.load(executable)?;
        let gpu = &mut self.gpu;
        let ended = gpu
            .printer(module)
            .and_then(|printer| gpu.run_opencl(self.stream, module, printer.as_ref(), launches));
        let done = ended.and_then(|ended| {
            // What was printed before it went wrong is of use.
            ended.printed.iter().for_each(console::show);
            ended.done
        });
        done.or_else(|error| {
            if error.is_left() {
                self.restart(arena)?;
            }
            Err(Failed::new(&error))
        })
    }

    /// A new GPU with the same buffers: all that lives is carried over.
    ///
    /// # Errors
    /// There is none.
    pub fn restart(&mut self, arena: &Arena) -> Result<(), Failed> {
        let none = |text: String| Failed {
            code: Code(CL_OUT_OF_RESOURCES),
            text,
        };
        let before = self.nanoseconds();
        let mut new = Machine::open(&self.model).map_err(none)?;
        arena
            .carry((&mut self.gpu, self.buffers), (&mut new.gpu, new.buffers))
            .map_err(|_| none("buffers are lost".into()))?;
        new.before = before;
        *self = new;
        Ok(())
    }

    /// The executable in memory; those that were not used for the longest time make room for it.
    fn load(&mut self, executable: &Executable) -> Result<Module, Failed> {
        let number = executable.number;
        if let Some(at) = self.loaded.iter().position(|(of, _)| *of == number) {
            let found = self.loaded.remove(at);
            self.loaded.push(found);
            return Ok(found.1);
        }
        loop {
            match self.gpu.load_elf(executable.elf) {
                Ok(module) => {
                    self.gpu.set_title(module, executable.name);
                    self.loaded.push((number, module));
                    return Ok(module);
                }
                Err(Error::Occupied { .. }) if !self.loaded.is_empty() => {
                    let (_, oldest) = self.loaded.remove(0);
                    let unloaded = self.gpu.unload(oldest);
                    unloaded.map_err(|error| Failed::new(&error))?;
                }
                Err(error) => return Err(Failed::new(&error)),
            }
        }
    }
}
