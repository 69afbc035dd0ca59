//! The GPU as its worker has it: memory of arrays, programs, launches.

use crate::code::{self, Code, Made};
use crate::model::{Engine, Model, PROGRAMS};
use crate::outcome::{Failure, Launched};
use std::sync::Arc;
use std::time::Instant;
use weft_cc::console::Console;
use weft_cc::opencl::{self, Range, Value};
use weft_cc::parameters::{self, Class, FieldKind, Parameters};
use weft_driver::arena::Arena;
use weft_driver::{
    Buffer, Counters, Device, Error, Golden, Gpu, Grid, Module, Printer, Settings, Stream,
};
use weft_testbench::gpu::{GpuOptions, VerilatedGpu};
use weft_toolbox::Toolbox;

/// What is launched: over `grid` CTAs of `cta` threads, along x, y and z.
pub struct Launch {
    pub code: Arc<Code>,
    /// Which of the code's kernels.
    pub kernel: usize,
    pub dimensions: u32,
    pub grid: [u32; 3],
    pub cta: [u32; 3],
    /// One for each parameter.
    pub values: Vec<Given>,
}

/// What is given for a parameter; it has been checked against its type.
pub enum Given {
    Bytes(Vec<u8>),
    /// Of an array; 0: null.
    Address(u32),
    /// Bytes of the scratchpad.
    Local(u32),
}

struct Loaded {
    code: u64,
    /// 0 for C: all kernels are in one executable.
    kernel: usize,
    /// What a program in C has in its variables would be lost.
    stays: bool,
    module: Module,
    printer: Option<Printer>,
}

pub struct Machine {
    model: Model,
    gpu: Gpu<Box<dyn Device>>,
    stream: Stream,
    /// Where arrays are.
    arrays: Buffer,
    /// The one that was used last stands last.
    loaded: Vec<Loaded>,
    interrupted: fn() -> bool,
}

impl Machine {
    /// `interrupted` is asked while a launch runs.
    ///
    /// # Errors
    /// It cannot be made, for people.
    pub fn open(model: &Model, interrupted: fn() -> bool) -> Result<Machine, String> {
        let memory = model.bytes()?;
        let device: Box<dyn Device> = match model.engine {
            Engine::Golden => Box::new(Golden::new(model.size, memory)),
            Engine::Verilated if !code::in_checkout() => {
                let root = Toolbox::here();
                let root = root.root().display();
                return Err(format!("the hardware's sources, by which this package was built, are not there: {root}"));
            }
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
        let mut gpu = Gpu::open_with(device, settings).map_err(said)?;
        gpu.interrupt_by(interrupted);
        let arrays = gpu.reserve(PROGRAMS).map_err(said)?;
        let stream = gpu.stream().map_err(said)?;
        Ok(Machine {
            model: model.clone(),
            gpu,
            stream,
            arrays,
            loaded: Vec::new(),
            interrupted,
        })
    }

    /// Where arrays may be: first address, bytes.
    pub fn room(&self) -> (u32, u32) {
        let bytes = self.arrays.size().min(self.model.memory);
        (self.arrays.address(), bytes)
    }

    /// Copies out of the memory of arrays.
    ///
    /// # Errors
    /// It is not there.
    pub fn read(&mut self, address: u32, bytes: &mut [u8]) -> Result<(), Error> {
        let offset = address.wrapping_sub(self.arrays.address());
        self.gpu.copy_out(self.arrays, offset, bytes)
    }

    /// Copies into the memory of arrays.
    ///
    /// # Errors
    /// It is not there.
    pub fn write(&mut self, address: u32, bytes: &[u8]) -> Result<(), Error> {
        let offset = address.wrapping_sub(self.arrays.address());
        self.gpu.copy_in(self.arrays, offset, bytes)
    }

    /// A variable of a program in C.
    ///
    /// # Errors
    /// The program has none of that name, or there is no room for the program.
    pub fn variable(&mut self, code: &Code, name: &str) -> Result<Buffer, Error> {
        let at = self.load(code, 0)?;
        self.gpu.variable(self.loaded[at].module, name)
    }

    /// Copies out of a variable.
    ///
    /// # Errors
    /// As [`Machine::variable`], or it is smaller.
    pub fn read_variable(
        &mut self,
        (code, name): (&Code, &str),
        offset: u32,
        bytes: &mut [u8],
    ) -> Result<(), Error> {
        let variable = self.variable(code, name)?;
        self.gpu.copy_out(variable, offset, bytes)
    }

    /// Copies into a variable.
    ///
    /// # Errors
    /// As [`Machine::variable`], or it is smaller.
    pub fn write_variable(
        &mut self,
        (code, name): (&Code, &str),
        offset: u32,
        bytes: &[u8],
    ) -> Result<(), Error> {
        let variable = self.variable(code, name)?;
        self.gpu.copy_in(variable, offset, bytes)
    }

    /// Launches and waits. What goes wrong in the launch is in the outcome, and the next launch runs.
    ///
    /// # Errors
    /// Nothing was launched.
    pub fn run(&mut self, launch: &Launch, arena: &Arena) -> Result<Launched, Refused> {
        let threads: u64 = launch.cta.iter().map(|side| u64::from(*side)).product();
        let room = self.model.group();
        if threads > room.into() {
            let text = format!("a CTA of {threads} threads, and an SM has room for {room}");
            return Err(Refused::Usage(text));
        }
        let of_c = matches!(launch.code.made, Made::C { .. });
        let at = self.load(&launch.code, if of_c { 0 } else { launch.kernel })?;
        let loaded = (self.loaded[at].module, self.loaded[at].printer);
        let before = self.gpu.counters();
        let start = Instant::now();
        let (name, (done, printed)) = match &launch.code.made {
            Made::C { signature, .. } => {
                let kernel = &signature.kernels[launch.kernel];
                (&kernel.name, self.launch_c(kernel, loaded, launch)?)
            }
            Made::OpenCl(program) => {
                let kernel = &program.kernels[launch.kernel];
                (&kernel.name, self.launch_opencl(kernel, loaded, launch)?)
            }
        };
        let seconds = start.elapsed().as_secs_f64();
        // Before the registers are read, which takes cycles.
        let cycles = self.gpu.device().cycles();
        let after = Counters {
            cycles,
            ..self.gpu.counters()
        };
        let failure = done.err().map(|error| Failure::of(&error, name));
        if failure.as_ref().is_some_and(|failure| failure.is_left) {
            self.restart(arena).map_err(Refused::Broken)?;
        }
        Ok(Launched {
            counters: since(&before, &after),
            width: self.model.size.threads,
            seconds,
            printed,
            failure,
        })
    }

    fn launch_c(
        &mut self,
        kernel: &parameters::Kernel,
        (module, printer): (Module, Option<Printer>),
        launch: &Launch,
    ) -> Result<Ended, Refused> {
        let parameters = kernel.parameters.as_ref();
        let parameters = parameters.map_err(|why| Refused::Usage(why.clone()))?;
        let bytes = |given: &Given| match given {
            Given::Bytes(bytes) => bytes.clone(),
            Given::Address(word) | Given::Local(word) => word.to_le_bytes().to_vec(),
        };
        let (arguments, block) = match parameters {
            Parameters::None => (0, None),
            Parameters::Word(field) => {
                let mut word = bytes(&launch.values[0]);
                let is_negative = word.last().is_some_and(|byte| byte & 0x80 != 0);
                let fill = if is_signed(&field.kind) && is_negative {
                    0xff
                } else {
                    0
                };
                word.resize(4, fill);
                let word = word.try_into().expect("four bytes");
                (u32::from_le_bytes(word), None)
            }
            Parameters::Struct(size, fields) => {
                let mut all = vec![0; *size as usize];
                for (field, given) in fields.iter().zip(&launch.values) {
                    let given = bytes(given);
                    let at = field.offset as usize;
                    all[at..at + given.len()].copy_from_slice(&given);
                }
                let block = self.gpu.allocate(*size)?;
                self.gpu.copy_in(block, 0, &all)?;
                (block.address(), Some(block))
            }
        };
        let entry = match kernel.name.as_str() {
            "kernel" => module.entry(),
            name => self.gpu.symbol(module, name)?,
        };
        let grid = Grid {
            ctas: launch.grid,
            threads: launch.cta,
            arguments,
            local: self.model.stack,
            ..Grid::of(1, 1)
        };
        if let Some(printer) = &printer {
            self.gpu.clear_printed(printer)?;
        }
        let launched = self.gpu.launch(self.stream, entry, &grid);
        let done = launched.and_then(|()| self.gpu.wait(self.gpu.record(self.stream)));
        if let Some(block) = block {
            self.gpu.free(block)?;
        }
        let printed = self.printed(printer, launch.grid, launch.cta);
        Ok((done, printed))
    }

    fn launch_opencl(
        &mut self,
        kernel: &opencl::Kernel,
        (module, printer): (Module, Option<Printer>),
        launch: &Launch,
    ) -> Result<Ended, Refused> {
        let mut global = [1; 3];
        for (side, (ctas, threads)) in global.iter_mut().zip(launch.grid.iter().zip(&launch.cta)) {
            let product = ctas.checked_mul(*threads);
            *side = product.ok_or_else(|| {
                Refused::Usage(format!(
                    "{ctas} CTAs of {threads} threads: 2^32 along one direction"
                ))
            })?;
        }
        let range = Range {
            dimensions: launch.dimensions,
            offset: [0; 3],
            global,
            local: launch.cta,
        };
        let values: Vec<Value> = launch
            .values
            .iter()
            .map(|given| match given {
                Given::Bytes(bytes) => Value::Bytes(bytes),
                Given::Address(address) => Value::Address(*address),
                Given::Local(bytes) => Value::Local(*bytes),
            })
            .collect();
        let launches = kernel.launches(&range, &values).map_err(Refused::Usage)?;
        let size = self.model.size.scratchpad;
        for part in &launches {
            if part.scratchpad > size {
                return Err(Refused::Usage(format!(
                    "{}: {} bytes of local memory are wanted, and an SM has {size}",
                    kernel.name, part.scratchpad
                )));
            }
            if part.private > self.model.stack {
                return Err(Refused::Usage(format!(
                    "{}: {} bytes of stack are wanted, and a work-item has {}: Device(…, stack=N) gives more",
                    kernel.name, part.private, self.model.stack
                )));
            }
        }
        let gpu = &mut self.gpu;
        let ended = gpu.run_opencl(self.stream, module, printer.as_ref(), &launches)?;
        Ok((ended.done, ended.printed))
    }

    /// Also what was printed before something went wrong.
    fn printed(
        &mut self,
        printer: Option<Printer>,
        grid: [u32; 3],
        cta: [u32; 3],
    ) -> Option<Console> {
        let sides = grid.iter().chain(&cta);
        let threads = sides.fold(1u32, |all, side| all.saturating_mul(*side));
        self.gpu.printed(&printer?, threads)
    }

    /// Place in `loaded` of an executable in memory. Kernels in OpenCL C that were not used for the longest time make room.
    fn load(&mut self, code: &Code, kernel: usize) -> Result<usize, Error> {
        let is_it = |loaded: &Loaded| (loaded.code, loaded.kernel) == (code.number, kernel);
        if let Some(at) = self.loaded.iter().position(is_it) {
            let found = self.loaded.remove(at);
            self.loaded.push(found);
            return Ok(self.loaded.len() - 1);
        }
        let (elf, name) = match &code.made {
            Made::C { elf, .. } => (elf, "a module in C"),
            Made::OpenCl(program) => {
                let kernel = &program.kernels[kernel];
                (&kernel.elf, kernel.name.as_str())
            }
        };
        let module = loop {
            match self.gpu.load_elf(elf) {
                Ok(module) => break module,
                Err(error @ Error::Occupied { .. }) => {
                    let Some(oldest) = self.loaded.iter().position(|loaded| !loaded.stays) else {
                        return Err(error);
                    };
                    let oldest = self.loaded.remove(oldest);
                    self.gpu.unload(oldest.module)?;
                }
                Err(error) => return Err(error),
            }
        };
        self.gpu.set_title(module, name);
        self.loaded.push(Loaded {
            code: code.number,
            kernel,
            stays: matches!(code.made, Made::C { .. }),
            module,
            printer: self.gpu.printer(module)?,
        });
        Ok(self.loaded.len() - 1)
    }

    /// Nobody has the code any more.
    pub fn forget(&mut self, code: u64) {
        let gpu = &mut self.gpu;
        self.loaded.retain(|loaded| {
            let stays = loaded.code != code;
            // What cannot be given back stays where it is.
            if !stays {
                let _ = gpu.unload(loaded.module);
            }
            stays
        });
    }

    /// A new GPU with the same arrays: all that lives is carried over. Variables of programs begin anew.
    ///
    /// # Errors
    /// There is none.
    fn restart(&mut self, arena: &Arena) -> Result<(), String> {
        let mut new = Machine::open(&self.model, self.interrupted)?;
        arena
            .carry((&mut self.gpu, self.arrays), (&mut new.gpu, new.arrays))
            .map_err(|error| format!("arrays are lost: {error}"))?;
        *self = new;
        Ok(())
    }
}

/// The calling convention extends a small value by its sign.
fn is_signed(kind: &FieldKind) -> bool {
    matches!(kind, FieldKind::Scalar(scalar) if scalar.class == Class::Signed)
}

/// How a launch has ended, and what was printed.
type Ended = (Result<(), Error>, Option<Console>);

/// Nothing was launched.
pub enum Refused {
    /// What was asked for cannot be.
    Usage(String),
    /// There is no GPU any more.
    Broken(String),
    Driver(Error),
}

impl From<Error> for Refused {
    fn from(error: Error) -> Refused {
        Refused::Driver(error)
    }
}

/// What a launch has counted.
fn since(before: &Counters, after: &Counters) -> Counters {
    let both = |before: Option<u64>, after: Option<u64>| Some(after? - before?);
    Counters {
        commands: after.commands.wrapping_sub(before.commands),
        entries: after.entries.wrapping_sub(before.entries),
        launches: after.launches.wrapping_sub(before.launches),
        spawns: after.spawns.wrapping_sub(before.spawns),
        dependents: after.dependents.wrapping_sub(before.dependents),
        ctas: after.ctas.wrapping_sub(before.ctas),
        evictions: after.evictions.wrapping_sub(before.evictions),
        tasks_done: after.tasks_done.wrapping_sub(before.tasks_done),
        instructions: after.instructions - before.instructions,
        thread_instructions: both(before.thread_instructions, after.thread_instructions),
        cycles: both(before.cycles, after.cycles),
    }
}
