//! An open GPU: memory, programs, waiting, errors.

use crate::device::{Device, Progress, Standing, WarpAt};
use crate::error::{Error, Fault, Hung, Launch};
use crate::relocate;
use crate::room::{Room, ALIGNMENT};
use crate::state::{Buffer, Domain, Space, Stream, StreamState, Troubles, WorkQueue};
use std::collections::BTreeMap;
use weft_cc::lines::Lines;
use weft_cc::written_name;
use weft_isa::Program;
use weft_sim::host::descriptor::{BYTES, MOST_PLACES};
use weft_sim::host::gpu::{Cause, Failure};
use weft_sim::host::registers::at;
use weft_sim::host::{Descriptor, Limits};
use weft_sim::memory::MEMORY_BASE;
use weft_sim::FaultCause;

/// Bytes of a warp's tokens: 1,024 of 8 or 16 bytes (CTA unit, `cfg_token_base`).
const TOKENS: u32 = 1024;

/// How a GPU is set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Bytes of memory that threads do not reach, for rings, command blocks and descriptors.
    pub private: u32,
    /// Bytes of local memory of a thread at most, a multiple of 16.
    pub local: u32,
    /// Words of the spawn ring, 0: none (TASK-070).
    pub spawn: u32,
    /// Places of the table of pending tasks, of 128 bytes each: 2 to 65,536, or the nearer of them (TASK-022).
    /// For each channel there are two that threads do not get (TASK-024).
    pub places: u32,
    /// Highest level of what threads launch (TASK-025).
    pub thread_level: u8,
    /// Domains beside the common part, 0 to 7; each takes private memory for `local` bytes of all threads.
    pub domains: u32,
    /// Most warp instructions in one wait.
    pub limit: Option<u64>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            private: 256 << 10,
            local: 1024,
            spawn: 64,
            places: 1024,
            thread_level: 0,
            domains: 0,
            limit: None,
        }
    }
}

/// A program in the memory of the GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Module {
    number: usize,
    entry: u32,
}

impl Module {
    /// The program's own entry, as a kernel.
    pub fn entry(&self) -> u32 {
        self.entry
    }
}

struct Loaded {
    /// For errors: the file, if somebody has said so.
    title: String,
    symbols: BTreeMap<String, u32>,
    /// Bytes of what symbols name, where the file says so.
    sizes: BTreeMap<String, u32>,
    range: (u32, u32),
    /// So far on it stands from where it was linked to (HOST-113).
    moved: u32,
    lines: Lines,
    /// Bytes of scratchpad that its kernels need.
    shared: u32,
}

/// What has been done since the GPU was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    pub commands: u32,
    pub entries: u32,
    /// Tasks by where they came from: channels, threads, tasks that ended.
    pub launches: u32,
    pub spawns: u32,
    pub dependents: u32,
    pub ctas: u32,
    pub evictions: u32,
    pub tasks_done: u32,
    /// Warp instructions, where the device counts them.
    pub instructions: u64,
    /// Instructions that the threads of all CTAs have completed that are over, where the device counts them.
    pub thread_instructions: Option<u64>,
    /// Clock cycles, where the device has a clock.
    pub cycles: Option<u64>,
}

pub struct Gpu<D> {
    pub(crate) device: D,
    pub(crate) settings: Settings,
    /// The common part, then the domains; which of them is entered.
    pub(crate) spaces: Vec<Space>,
    pub(crate) current: Domain,
    pub(crate) private: Room,
    modules: Vec<Loaded>,
    /// What is allocated: bytes by address.
    buffers: BTreeMap<u32, u32>,
    pub(crate) streams: Vec<StreamState>,
    /// As they are now; whoever made one keeps its address alone.
    pub(crate) queues: Vec<WorkQueue>,
    pub(crate) troubles: Troubles,
    /// A stream that nobody has asked for yet: it has run constructors.
    pub(crate) spare: Option<Stream>,
    pub(crate) channels: usize,
    pub(crate) spawn: (u32, u32),
    /// Where the memory begins that threads do not reach.
    private_begin: u32,
    interrupted: fn() -> bool,
}

impl<D: Device> Gpu<D> {
    pub fn open(device: D) -> Result<Gpu<D>, Error> {
        Gpu::open_with(device, Settings::default())
    }

    pub fn open_with(mut device: D, settings: Settings) -> Result<Gpu<D>, Error> {
        let settings = Settings {
            places: settings.places.clamp(2, MOST_PLACES),
            ..settings
        };
        let size = device.size();
        let end = device.memory_end();
        let threads = (size.warps * size.threads * size.sms) as u32;
        let tokens =
            (size.warps * size.sms) as u32 * TOKENS * if size.threads > 32 { 16 } else { 8 };
        let spaces = 1 + u64::from(settings.domains.min(at::DOMAINS as u32 - 1));
        let wanted = spaces * u64::from(threads) * u64::from(settings.local)
            + u64::from(tokens)
            + u64::from(settings.places) * u64::from(BYTES)
            + u64::from(settings.private);
        let thread_end = u64::from(end)
            .checked_sub(wanted)
            .map(|end| end as u32 / BYTES * BYTES);
        let thread_end = thread_end.filter(|&begin| begin >= 0x1_0000 && end % 64 == 0);
        let thread_end = thread_end.ok_or(Error::MemorySize(end))?;
        device.set(at::MEMORY_END, end);
        device.set(at::THREAD_END, thread_end);
        let mut gpu = Gpu {
            device,
            settings,
            spaces: vec![Space {
                window: (MEMORY_BASE, thread_end),
                room: Room::new(MEMORY_BASE, thread_end),
            }],
            current: Domain::COMMON,
            private: Room::new(thread_end, end),
            modules: Vec::new(),
            buffers: BTreeMap::new(),
            streams: Vec::new(),
            queues: Vec::new(),
            troubles: Troubles::default(),
            spare: None,
            channels: 0,
            spawn: (0, 0),
            private_begin: thread_end,
            interrupted: || false,
        };
        // Where it begins, as a multiple of the size of a place.
        let table = gpu.take_private(settings.places * BYTES)?;
        // Of the others a channel has one task in the table at a time, and one is kept for returns (TASK-023).
        let of_threads = settings.places.saturating_sub(1 + 2 * size.channels as u32);
        let registers = [
            (at::TABLE_BASE, table),
            (at::TABLE_NUMBER, settings.places),
            (at::THREAD_LIMIT, of_threads.max(1)),
            (at::THREAD_LEVEL, settings.thread_level.into()),
        ];
        for (register, value) in registers {
            gpu.device.set(register, value);
        }
        // Of the common part of all SMs, then of each domain.
        let locals = gpu.take_private(spaces as u32 * gpu.local_bytes())?;
        for sm in 0..size.sms {
            let local = locals + threads / size.sms as u32 * settings.local * sm as u32;
            let token = gpu.take_private(tokens / size.sms as u32)?;
            let width = if size.threads > 32 { 16 } else { 8 };
            let registers = [
                (at::LOCAL_BASE, local),
                (at::LOCAL_LIMIT, settings.local),
                (at::TOKEN_BASE, token / width),
                (at::TOKEN_SIZE, TOKENS - 1),
            ];
            for (offset, value) in registers {
                gpu.device.set(at::sm(sm, offset), value);
            }
        }
        if settings.spawn > 0 {
            // At the end of what threads reach, out of the way of programs.
            let bytes = 4 * settings.spawn + 4;
            let ring = (thread_end - bytes) / 64 * 64;
            gpu.room().take_at(ring, bytes);
            gpu.write(ring, &vec![0; bytes as usize])?;
            gpu.device.set(at::SPAWN_BASE, ring);
            gpu.device.set(at::SPAWN_NUMBER, settings.spawn);
            gpu.spawn = (ring, settings.spawn);
        }
        Ok(gpu)
    }

    /// Waits end with [`Error::Interrupted`] once this says so.
    pub fn interrupt_by(&mut self, asked: fn() -> bool) {
        self.interrupted = asked;
    }

    /// The words of a descriptor at `task`, if task management will take it (TASK-030).
    pub(crate) fn checked(&self, task: u32, descriptor: &Descriptor) -> Result<[u32; 32], Error> {
        let domain = self.domain_at(descriptor.pc);
        let dependent = descriptor.dependent;
        if dependent != 0 && self.domain_at(dependent) != domain {
            return Err(Error::TaskInDomain);
        }
        // CC-016
        let shared = self
            .module_at(descriptor.pc)
            .map_or(0, |module| module.shared);
        let descriptor = Descriptor {
            domain: domain.0,
            scratchpad: descriptor.scratchpad.max(shared),
            ..*descriptor
        };
        let words = descriptor.words();
        let ends = (self.private_begin, self.device.memory_end());
        let limits = Limits::new(&self.device.size(), ends, self.settings.local);
        match Descriptor::check(&words, task, &limits) {
            Ok(_) => Ok(words),
            Err(wrong) => Err(Error::Grid {
                ctas: descriptor.grid,
                threads: descriptor.cta,
                code: wrong.code,
            }),
        }
    }

    pub fn device(&mut self) -> &mut D {
        &mut self.device
    }

    pub(crate) fn take_private(&mut self, bytes: u32) -> Result<u32, Error> {
        let free = self.private.free();
        self.private
            .take(bytes)
            .ok_or(Error::NoMemory { bytes, free })
    }

    /// All that is free from `begin` on without a gap, for a caller who divides it himself; it holds what it holds.
    /// The private part is behind it.
    pub fn reserve(&mut self, begin: u32) -> Result<Buffer, Error> {
        let free = self.room().free();
        let range = self.room().take_rest(begin);
        let (address, bytes) = range.ok_or(Error::NoMemory { bytes: 1, free })?;
        self.buffers.insert(address, bytes);
        Ok(Buffer { address, bytes })
    }

    /// Memory that holds zeros.
    pub fn allocate(&mut self, bytes: u32) -> Result<Buffer, Error> {
        let free = self.room().free();
        let address = self.room().take(bytes);
        let address = address.ok_or(Error::NoMemory { bytes, free })?;
        self.buffers.insert(address, bytes);
        self.write(address, &vec![0; bytes as usize])?;
        Ok(Buffer { address, bytes })
    }

    /// Gives a buffer back. No task may use it any more.
    ///
    /// # Errors
    /// It is not one of this GPU's, or has been given back before.
    pub fn free(&mut self, buffer: Buffer) -> Result<(), Error> {
        match self.buffers.remove(&buffer.address) {
            Some(bytes) => self.give(buffer.address, bytes),
            None => return Err(Error::NoBuffer(buffer.address)),
        }
        Ok(())
    }

    pub(crate) fn write(&mut self, address: u32, bytes: &[u8]) -> Result<(), Error> {
        match self.device.write(address, bytes) {
            true => Ok(()),
            false => Err(Error::Outside {
                address,
                bytes: bytes.len() as u64,
            }),
        }
    }

    pub(crate) fn put(&mut self, address: u32, words: &[u32]) -> Result<(), Error> {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.write(address, &bytes)
    }

    /// The word at an address.
    pub fn word(&mut self, address: u32) -> Result<u32, Error> {
        let mut bytes = [0; 4];
        match self.device.read(address, &mut bytes) {
            true => Ok(u32::from_le_bytes(bytes)),
            false => Err(Error::Outside { address, bytes: 4 }),
        }
    }

    fn within(buffer: Buffer, offset: u32, bytes: u64) -> Result<u32, Error> {
        let address = buffer.address.wrapping_add(offset);
        match u64::from(offset) + bytes <= u64::from(buffer.bytes) {
            true => Ok(address),
            false => Err(Error::Outside { address, bytes }),
        }
    }

    /// Copies into a buffer, from `offset` bytes on.
    pub fn copy_in(&mut self, buffer: Buffer, offset: u32, bytes: &[u8]) -> Result<(), Error> {
        let address = Gpu::<D>::within(buffer, offset, bytes.len() as u64)?;
        self.write(address, bytes)
    }

    /// Copies out of a buffer, from `offset` bytes on.
    pub fn copy_out(&mut self, buffer: Buffer, offset: u32, bytes: &mut [u8]) -> Result<(), Error> {
        let address = Gpu::<D>::within(buffer, offset, bytes.len() as u64)?;
        match self.device.read(address, bytes) {
            true => Ok(()),
            false => Err(Error::Outside {
                address,
                bytes: bytes.len() as u64,
            }),
        }
    }

    /// Copies words in, from word `first` on.
    pub fn write_words(&mut self, buffer: Buffer, first: u32, words: &[u32]) -> Result<(), Error> {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.copy_in(buffer, first.saturating_mul(4), &bytes)
    }

    /// Copies words out, from word `first` on.
    pub fn read_words(
        &mut self,
        buffer: Buffer,
        first: u32,
        count: u32,
    ) -> Result<Vec<u32>, Error> {
        let (offset, length) = (first.saturating_mul(4), u64::from(count) * 4);
        // Before so many bytes are made room for.
        Gpu::<D>::within(buffer, offset, length)?;
        let mut bytes = vec![0; length as usize];
        self.copy_out(buffer, offset, &mut bytes)?;
        let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("four bytes"));
        Ok(bytes.chunks_exact(4).map(word).collect())
    }

    /// Loads an ELF executable where it was linked to, or elsewhere if that place is taken (HOST-113).
    pub fn load_elf(&mut self, elf: &[u8]) -> Result<Module, Error> {
        let program = weft_isa::elf::load_elf(elf)?;
        self.load_file(&program, Lines::of_elf(elf), elf)
    }

    /// Loads an assembled program where it was assembled for.
    pub fn load_program(&mut self, program: &Program) -> Result<Module, Error> {
        let symbols = program.symbols.clone();
        self.load_lines(program, Lines::of_symbols(symbols, program.text))
    }

    /// Loads a program of which somebody has read the source lines.
    pub fn load_lines(&mut self, program: &Program, lines: Lines) -> Result<Module, Error> {
        self.load_file(program, lines, &[])
    }

    /// `file`: where the program is from, if it is from one.
    fn load_file(&mut self, program: &Program, lines: Lines, file: &[u8]) -> Result<Module, Error> {
        let ends = program
            .segments
            .iter()
            .map(|s| (s.address, s.address + s.bytes.len() as u32));
        let begin = ends
            .clone()
            .map(|(begin, _)| begin)
            .min()
            .unwrap_or(program.entry);
        let end = ends.map(|(_, end)| end).max().unwrap_or(begin);
        let shared = weft_cc::shared(program);
        let place = match self.room().take_at(begin, end - begin) {
            true => Some((begin, program.clone())),
            false => self.elsewhere(program, (begin, end), file),
        };
        let Some((place, program)) = place else {
            let by = self.stands_at(begin, end);
            return Err(Error::Occupied { begin, end, by });
        };
        for segment in &program.segments {
            self.write(segment.address, &segment.bytes)?;
        }
        self.modules.push(Loaded {
            title: "another program".into(),
            symbols: program.symbols,
            sizes: weft_isa::elf::sizes(file),
            range: (place, place + (end - begin)),
            moved: place.wrapping_sub(begin),
            lines,
            shared,
        });
        let module = Module {
            number: self.modules.len() - 1,
            entry: program.entry,
        };
        self.construct(module)?;
        Ok(module)
    }

    /// The lowest other place, and the program as it is there.
    fn elsewhere(
        &mut self,
        program: &Program,
        (begin, end): (u32, u32),
        file: &[u8],
    ) -> Option<(u32, Program)> {
        // Whether it can be moved at all is the same for any place.
        relocate::moved(file, program, 0)?;
        let below = weft_isa::IMAGE_LIMIT;
        let place = self
            .room()
            .take_like(begin, end - begin, relocate::STEP, below)?;
        let moved = relocate::moved(file, program, place.wrapping_sub(begin))?;
        Some((place, moved))
    }

    /// What has the place of a program.
    fn stands_at(&self, begin: u32, end: u32) -> String {
        let there = |module: &&Loaded| module.range.0 < end && begin < module.range.1;
        match self.modules.iter().find(there) {
            Some(Loaded { title, range, .. }) => {
                format!("{title} stands at {:#x} to {:#x}", range.0, range.1)
            }
            None => "a buffer stands there; programs are loaded before memory is allocated".into(),
        }
    }

    /// Gives the place of a program back (HOST-113). No task may use it any more; the module is none from then on.
    ///
    /// # Errors
    /// It has been unloaded before.
    pub fn unload(&mut self, module: Module) -> Result<(), Error> {
        let loaded = &mut self.modules[module.number];
        let (begin, end) = std::mem::take(&mut loaded.range);
        if begin == end {
            return Err(Error::NoBuffer(module.entry));
        }
        loaded.symbols.clear();
        loaded.lines = Lines::of_symbols([], (0, 0));
        let first = begin / ALIGNMENT * ALIGNMENT;
        self.give(first, end - first);
        Ok(())
    }

    /// What errors call a program.
    pub fn set_title(&mut self, module: Module, title: &str) {
        self.modules[module.number].title = title.into();
    }

    /// A variable of a program, or anything else with a name: up to the end that the file says; else up to the next name, or
    /// the end of the program.
    ///
    /// # Errors
    /// The program has none of this name, or it lies elsewhere.
    pub fn variable(&self, module: Module, name: &str) -> Result<Buffer, Error> {
        let Loaded {
            symbols,
            sizes,
            range,
            ..
        } = &self.modules[module.number];
        let address = symbols.get(name).copied();
        let address = address.ok_or_else(|| Error::NoVariable(name.into()))?;
        if !(range.0..range.1).contains(&address) {
            return Err(Error::Outside { address, bytes: 1 });
        }
        let behind = symbols.values().filter(|&&other| other > address);
        let next = behind.min().map_or(range.1, |&next| next.min(range.1));
        let bytes = sizes.get(name).copied().unwrap_or(next - address);
        let bytes = bytes.min(range.1 - address);
        Ok(Buffer { address, bytes })
    }

    /// All of a program in memory, its variables among it. It cannot be given back.
    pub fn image(&self, module: Module) -> Buffer {
        let (address, end) = self.modules[module.number].range;
        let bytes = end - address;
        Buffer { address, bytes }
    }

    /// Address of a kernel, or of anything else with a name.
    pub fn symbol(&self, module: Module, name: &str) -> Result<u32, Error> {
        let symbols = &self.modules[module.number].symbols;
        let address = symbols.get(name).copied();
        address.ok_or_else(|| Error::NoKernel(name.into()))
    }

    /// Lets the GPU go on until `reached` says so. What goes wrong meanwhile is kept for whom it belongs to.
    ///
    /// # Errors
    /// It will never be so, or the wait was ended before.
    pub(crate) fn wait_until(
        &mut self,
        what: &str,
        mut reached: impl FnMut(&mut Gpu<D>) -> Result<bool, Error>,
    ) -> Result<(), Error> {
        let begin = self.device.instructions().unwrap_or(0);
        loop {
            let there = reached(self)?;
            let repaired = self.collect()?;
            if there {
                return Ok(());
            }
            if (self.interrupted)() {
                return Err(Error::Interrupted);
            }
            let quiet = self.device.advance() == Progress::Quiet;
            if quiet && !repaired && !reached(self)? && !self.collect()? {
                return Err(Error::Stuck(what.into()));
            }
            let ran = self.device.instructions().unwrap_or(0) - begin;
            if let Some(limit) = self.settings.limit.filter(|&limit| ran >= limit) {
                return Err(Error::Limit(limit));
            }
        }
    }

    /// Waits until all launches of all streams are over, and all that threads have launched: then the GPU is idle.
    ///
    /// # Errors
    /// Something has gone wrong that no wait has told yet; the oldest comes first, and what else there is with the next
    /// call. The GPU is idle all the same, if the error does not say that it never will be.
    pub fn synchronize(&mut self) -> Result<(), Error> {
        for stream in 0..self.streams.len() {
            let launches = self.streams[stream].launches;
            self.settle(stream, launches)?;
        }
        let idle = self.wait_until("the GPU is not idle", |gpu| {
            Ok(gpu.device.get(at::STATUS) & 1 == 0)
        });
        idle.map_err(|error| self.why(error, None))?;
        self.troubles.tell(|_| true)
    }

    pub(crate) fn failed(&self, failure: &Failure, launch: Option<Launch>) -> Error {
        let kernel = self.name(failure.pc);
        let cta = failure.cta;
        match &failure.cause {
            Cause::Hung(stuck) => Error::Hung(Box::new(Hung {
                launch,
                kernel,
                cta,
                stuck: stuck.clone(),
            })),
            Cause::Killed { .. } => self.was_killed(launch, failure.pc),
            Cause::Faults(faults) => {
                let first = &faults[0];
                let (warp, lane) = (first.warp as u32, first.lane);
                let who = (warp, lane);
                self.fault_at((launch, failure.pc), cta, who, first.pc, first.cause)
            }
        }
    }

    /// As the FAULT registers say it. What no program can cause means that the device is broken.
    pub(crate) fn failed_by_registers(&mut self, task: u32, launch: Option<Launch>) -> Error {
        let registers = [at::FAULT, at::FAULT_PC, at::FAULT_ADDRESS, at::FAULT_CTA];
        let [fault, pc, address, cta] = registers.map(|r| self.device.get(r));
        let code = (fault & 15) as u8;
        let Some(cause) = FaultCause::of_sm(code, address) else {
            return Error::Broken(stopped(code.into(), fault, cta, pc));
        };
        let entry = self.word(task + 4).unwrap_or(pc);
        if cause == FaultCause::Killed {
            return self.was_killed(launch, entry);
        }
        let who = (fault >> 16 & 0xff, fault >> 8 & 0x3f);
        self.fault_at((launch, entry), cta, who, pc, cause)
    }

    /// A launch that is over and has been killed, or one of its tasks.
    pub(crate) fn was_killed(&self, launch: Option<Launch>, entry: u32) -> Error {
        let kernel = self.name(entry);
        match launch.filter(|_| launch == self.troubles.killed) {
            Some(launch) => Error::Killed { launch, kernel },
            None => Error::TimeLimit { launch, kernel },
        }
    }

    fn fault_at(
        &self,
        (launch, entry): (Option<Launch>, u32),
        cta: u32,
        (warp, lane): (u32, u32),
        pc: u32,
        cause: FaultCause,
    ) -> Error {
        let module = self.module_at(pc);
        let place = module.and_then(|module| module.lines.place(pc.wrapping_sub(module.moved)));
        Error::Fault(Box::new(Fault {
            launch,
            kernel: self.name(entry),
            cta,
            warp,
            thread: warp * self.device.size().threads as u32 + lane,
            pc,
            cause,
            frames: place.map_or(Vec::new(), |place| place.frames),
        }))
    }

    /// Why nothing ends: where each warp stands, and which tasks have no SM. A line each.
    pub fn standing(&mut self) -> Vec<String> {
        let Standing {
            warps,
            ctas,
            waiting,
        } = self.device.standing();
        let mut lines: Vec<_> = warps
            .iter()
            .map(|WarpAt { sm, warp, pc }| {
                let module = self.module_at(*pc);
                let place = module.and_then(|m| m.lines.place(pc.wrapping_sub(m.moved)));
                let place = place.map_or(String::new(), |place| format!(", in {place}"));
                format!("SM {sm}, warp {warp} at {pc:#x}{place}")
            })
            .collect();
        let sms = self.device.size().sms;
        // TASK-056: an SM has CTAs of one task.
        let taken = (0..sms).all(|sm| ctas.iter().any(|(at, ..)| *at == sm));
        if !taken {
            return lines;
        }
        let running = ctas.iter().map(|(sm, task, cta)| {
            let kernel = self.kernel_of(*task);
            format!("CTA {cta} of kernel {kernel} is on SM {sm}")
        });
        let running: Vec<_> = running.collect();
        for task in waiting {
            let kernel = self.kernel_of(task);
            lines.push(format!(
                "kernel {kernel} (descriptor {task:#x}) has no SM, because no two tasks share one: {}; a CTA that waits for \
                 it waits for ever",
                running.join(", ")
            ));
        }
        lines
    }

    /// Of the descriptor of a task.
    fn kernel_of(&mut self, task: u32) -> String {
        let pc = self.word(task + 4).unwrap_or(0);
        self.name(pc)
    }

    fn module_at(&self, pc: u32) -> Option<&Loaded> {
        let here = |module: &&Loaded| (module.range.0..module.range.1).contains(&pc);
        self.modules.iter().find(here)
    }

    /// The symbol at an address; else the address.
    pub(crate) fn name(&self, pc: u32) -> String {
        let symbols = self.module_at(pc).map(|module| &module.symbols);
        let mut symbols = symbols.into_iter().flatten();
        let found = symbols.find(|(_, &address)| address == pc);
        found.map_or_else(|| format!("{pc:#x}"), |(name, _)| written_name(name).into())
    }

    pub fn counters(&mut self) -> Counters {
        Counters {
            commands: self.device.get(at::COMMANDS),
            entries: self.device.get(at::ENTRIES),
            launches: self.device.get(at::LAUNCHES),
            spawns: self.device.get(at::SPAWNS),
            dependents: self.device.get(at::DEPENDENTS),
            ctas: self.device.get(at::CTAS),
            evictions: self.device.get(at::EVICTIONS),
            tasks_done: self.device.get(at::TASKS_DONE),
            instructions: self.device.instructions().unwrap_or(0),
            thread_instructions: self.device.thread_instructions(),
            cycles: self.device.cycles(),
        }
    }
}

/// What no program can cause: the warp control of an SM has stopped a warp (`docs/spec/control.md`, *Ports*).
fn stopped(cause: u32, fault: u32, cta: u32, pc: u32) -> String {
    let what = match cause {
        1 => "ILLEGAL_TYPE: a token type that is not for software".into(),
        2 => "LOST_THREADS: threads wait, but the deque is empty".into(),
        3 => "ILLEGAL_OP: an operation that does not exist".into(),
        15 => "ALLOCATION: TOKEN_SIZE does not fit the warps".into(),
        _ => format!("cause {cause}"),
    };
    let (sm, warp) = (fault >> 24 & 7, fault >> 16 & 0xff);
    format!("SM {sm}, CTA {cta}, warp {warp}, pc {pc:#x}: {what}")
}
