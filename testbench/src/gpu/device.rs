//! `weft_gpu` under Verilator, with a memory behind it and a host at its registers: what a driver needs of a GPU.

use super::cycle::{Cycle, FrontStep};
use super::standing::Seen;
use crate::dut::{DutError, RtlKind};
use crate::rtl::model::{ports, Model, Options, Out};
use crate::sm::memory::{AxiCounts, AxiMemory, AxiTiming};
use crate::sm::ports::{Address, Manager, WriteBeat};

use crate::tasks::device::{kind, Step as TaskStep};
use std::path::PathBuf;
use weft_driver::device::Standing;
use weft_driver::Progress;
use weft_generate::{Design, Unit};
use weft_sim::host::Size;
use weft_sim::memory::MEMORY_BASE;

ports! { InPorts, In, input:
    reset
    axi_awready axi_wready axi_bvalid axi_bid axi_bresp axi_arready axi_rvalid axi_rid axi_rdata axi_rresp axi_rlast
    host_awvalid host_awaddr host_wvalid host_wdata host_wstrb host_bready host_arvalid host_araddr host_rready
}

ports! { OutPorts, Out, output:
    host_interrupt
    axi_awvalid axi_awid axi_awaddr axi_awlen axi_awsize axi_awburst axi_wvalid axi_wdata axi_wstrb axi_wlast axi_bready
    axi_arvalid axi_arid axi_araddr axi_arlen axi_arsize axi_arburst axi_rready
    host_awready host_wready host_bvalid host_bresp host_arready host_rvalid host_rdata host_rresp
    step_valid step_channel step_command step_get step_address step_word step_result step_code
    task_valid task_kind task_task task_slot task_code task_place task_source task_sm task_cta task_position
    task_entries task_flag
}

/// How a GPU is opened.
#[derive(Clone, Debug, PartialEq)]
pub struct GpuOptions {
    /// Bytes of memory, which begins at 0x1000: addresses below this number. A multiple of 64.
    pub memory: u32,
    pub timing: AxiTiming,
    /// Of the memory's delays, and of what fills state without an initial value.
    pub seed: u64,
    /// Write waves (VCD) there.
    pub wave: Option<PathBuf>,
    pub caches: Caches,
}

/// KiB of the caches of each SM, and ways of the data cache; KiB of the L2, or 0, and its ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caches {
    pub lines: u32,
    pub data: u32,
    pub ways: u32,
    pub shared: u32,
    pub shared_ways: u32,
}

impl Default for Caches {
    /// `GPU_L2` says how many KiB the L2 has, in tests that do not say it; without it there is none.
    fn default() -> Caches {
        let shared = std::env::var("GPU_L2").map_or(0, |kib| kib.parse().expect("GPU_L2"));
        Caches {
            lines: 4,
            data: 4,
            ways: 2,
            shared,
            shared_ways: 4,
        }
    }
}

impl Default for GpuOptions {
    fn default() -> GpuOptions {
        GpuOptions {
            memory: 1 << 20,
            timing: AxiTiming::default(),
            seed: 0,
            wave: None,
            caches: Caches::default(),
        }
    }
}

/// Whole lines that the SMs have read of the L2 (SHARED-051).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// Given from there.
    pub hits: u64,
    /// Asked for, and held when they came, or not.
    pub held: u64,
    pub not_held: u64,
}

impl Lines {
    /// How many of all were given from there.
    pub fn hit_rate(&self) -> Option<f64> {
        let all = self.hits + self.held + self.not_held;
        (all > 0).then(|| self.hits as f64 / all as f64)
    }

    /// `l2_events` of a cycle.
    fn count(&mut self, events: u64) {
        let counts = [&mut self.hits, &mut self.held, &mut self.not_held];
        for (bit, count) in counts.into_iter().enumerate() {
            *count += events >> bit & 1;
        }
    }
}

/// Cycles in which no step but waiting ones is seen, and no instruction is issued.
pub const QUIET: u64 = 20_000;
/// Cycles of one [`VerilatedGpu::advance`].
const TURN: u64 = 256;
/// Cycles that an access of a register may take.
const PATIENCE: u64 = 20_000;

/// The tiny GPU: one SM of 4 warps of 4 threads on 4 lanes.
pub const TINY: Size = Size {
    channels: 4,
    sms: 1,
    slots: 4,
    warps: 4,
    threads: 4,
    lanes: 4,
    float: 0,
    scratchpad: 16 << 10,
    mix: false,
};

/// A GPU of this size.
///
/// # Errors
/// There is no such size.
pub fn design(size: &Size, caches: &Caches) -> Result<Design, DutError> {
    let parameters = [
        ("channels", size.channels as u64),
        ("sms", size.sms as u64),
        ("slots", size.slots as u64),
        ("warps", size.warps as u64),
        ("threads", size.threads as u64),
        ("lanes", size.lanes as u64),
        ("float", size.float as u64),
        ("scratchpad", u64::from(size.scratchpad >> 10)),
        ("icache", caches.lines.into()),
        ("dcache", caches.data.into()),
        ("ways", caches.ways.into()),
        ("l2", caches.shared.into()),
        ("l2_ways", caches.shared_ways.into()),
    ];
    Ok(Design::new(Unit::Gpu, &parameters)?)
}

/// `issue_*` of an SM.
struct IssuePorts {
    valid: Out,
    warp: Out,
    pc: Out,
}

impl IssuePorts {
    /// SM n > 0 has the ports of the first with `pn_` before the name.
    fn of(flat: &Model, sm: usize) -> IssuePorts {
        let port = |name: &str| match sm {
            0 => flat.output(name),
            _ => flat.output(&format!("p{sm}_{name}")),
        };
        IssuePorts {
            valid: port("issue_valid"),
            warp: port("issue_warp"),
            pc: port("issue_pc"),
        }
    }
}

/// What the host drives.
#[derive(Clone, Copy, Debug, Default)]
struct HostDrives {
    write: Option<(u32, u32)>,
    address_taken: bool,
    word_taken: bool,
    read: Option<u32>,
    read_taken: bool,
}

/// Is told each cycle and its number.
type Observer = Box<dyn FnMut(u64, &Cycle)>;

pub struct VerilatedGpu {
    flat: Model,
    i: InPorts,
    o: OutPorts,
    issues: Vec<IssuePorts>,
    l2_events: Option<Out>,
    lines: Lines,
    memory: AxiMemory,
    size: Size,
    cycles: u64,
    instructions: u64,
    /// When something has happened last.
    active: u64,
    host: HostDrives,
    /// One answer of the host port.
    answer: Option<u32>,
    observer: Observer,
    seen: Seen,
    /// The first rule of a port that was broken while a driver had it.
    broken: Option<String>,
}

impl VerilatedGpu {
    /// The tiny GPU behind its reset.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn open(options: &GpuOptions) -> Result<VerilatedGpu, DutError> {
        VerilatedGpu::open_copy(TINY, options, None)
    }

    /// As [`VerilatedGpu::open`], in this size, or a deliberately broken copy.
    ///
    /// # Errors
    /// It cannot be made.
    ///
    /// # Panics
    /// The memory is no multiple of a line.
    pub fn open_copy(
        size: Size,
        options: &GpuOptions,
        fault: Option<&str>,
    ) -> Result<VerilatedGpu, DutError> {
        assert!(options.memory % 64 == 0 && options.memory > MEMORY_BASE);
        let design = design(&size, &options.caches)?;
        let open = Options {
            fault,
            seed: options.seed as u32,
            wave: options.wave.as_deref(),
            wave_from: 0,
        };
        let flat = Model::open(RtlKind::Verilated, &design, &open)?;
        let bytes = vec![0; options.memory as usize];
        let beat = design.value("data") as u32 / 8;
        let memory = AxiMemory::new(bytes, beat, options.timing, options.seed);
        // SM-031 holds for each manager.
        let memory = memory.with_managers(design.number("MISS_BITS") as u32 + 1);
        let memory = match options.caches.shared {
            0 => memory,
            _ => memory.with_shared_lines(),
        };
        let mut gpu = VerilatedGpu {
            i: InPorts::of(&flat),
            o: OutPorts::of(&flat),
            issues: (0..size.sms).map(|sm| IssuePorts::of(&flat, sm)).collect(),
            l2_events: (options.caches.shared > 0).then(|| flat.output("l2_events")),
            lines: Lines::default(),
            flat,
            memory,
            size,
            cycles: 0,
            instructions: 0,
            active: 0,
            host: HostDrives::default(),
            answer: None,
            observer: Box::new(|_, _| ()),
            seen: Seen::default(),
            broken: None,
        };
        gpu.reset(4);
        Ok(gpu)
    }

    /// A reset of so many cycles, at any time; the memory has one, too, and keeps its bytes.
    pub fn reset(&mut self, cycles: u32) {
        self.flat.set(self.i.reset, 1);
        for _ in 0..cycles {
            self.flat.settle();
            self.flat.edge();
        }
        self.flat.set(self.i.reset, 0);
        self.memory.reset();
        (self.host, self.answer, self.active) = (HostDrives::default(), None, self.cycles);
        self.seen = Seen::default();
    }

    /// Whoever wants to see each cycle, and its number.
    pub fn observe(&mut self, observer: impl FnMut(u64, &Cycle) + 'static) {
        self.observer = Box::new(observer);
    }

    pub fn size(&self) -> &Size {
        &self.size
    }

    /// End of its memory, which begins at 0x1000.
    pub fn memory_end(&self) -> u32 {
        self.memory.bytes().len() as u32
    }

    /// Clock cycles since the reset.
    pub fn cycles(&self) -> u64 {
        self.cycles
    }

    /// Warp instructions that the SMs have issued.
    pub fn instructions(&self) -> u64 {
        self.instructions
    }

    /// Where its warps stand, by the last instruction that each has issued, and what waits.
    pub fn standing(&self) -> Standing {
        let there = MEMORY_BASE..self.memory_end() - 3;
        let word = |at| there.contains(&at).then(|| self.word(at));
        self.seen.standing(|at| word(at).unwrap_or(0))
    }

    pub fn counts(&self) -> &AxiCounts {
        &self.memory.counts
    }

    /// Since it was opened; without an L2 none.
    pub fn lines(&self) -> &Lines {
        &self.lines
    }

    /// For the driver: what came, or nothing and the error is kept.
    pub(super) fn kept<T>(&mut self, result: Result<T, String>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.broken.get_or_insert(error);
                None
            }
        }
    }

    /// What the hardware has broken while a driver had it.
    pub fn broken(&self) -> Option<&str> {
        self.broken.as_deref()
    }

    /// The line `host_interrupt`.
    pub fn interrupt(&self) -> bool {
        self.flat.get(self.o.host_interrupt) != 0
    }

    fn range(&self, address: u32, bytes: usize) -> Option<std::ops::Range<usize>> {
        let (begin, end) = (address as usize, address as usize + bytes);
        (address >= MEMORY_BASE && end <= self.memory.bytes().len()).then_some(begin..end)
    }

    /// Copies from its memory, at once. False: some of it is not there.
    pub fn read(&self, address: u32, bytes: &mut [u8]) -> bool {
        let range = self.range(address, bytes.len());
        let copy =
            |range: std::ops::Range<usize>| bytes.copy_from_slice(&self.memory.bytes()[range]);
        range.map(copy).is_some()
    }

    /// Copies into its memory, at once. False: some of it is not there, and nothing was written.
    pub fn write(&mut self, address: u32, bytes: &[u8]) -> bool {
        let range = self.range(address, bytes.len());
        let copy =
            |range: std::ops::Range<usize>| self.memory.bytes_mut()[range].copy_from_slice(bytes);
        range.map(copy).is_some()
    }

    /// These lines, by their addresses, answer with errors from now on.
    pub fn fail_lines(&mut self, lines: &[u32]) {
        self.memory.set_bad_lines(lines);
    }

    /// The memory takes nothing and answers nothing any more, until a reset.
    pub fn memory_falls_silent(&mut self) {
        self.memory.fall_silent();
    }

    /// The word at an address; 0 where there is none.
    pub fn word(&self, address: u32) -> u32 {
        let mut bytes = [0; 4];
        self.read(address, &mut bytes);
        u32::from_le_bytes(bytes)
    }

    /// Writes words one behind the other. False: as [`VerilatedGpu::write`].
    pub fn write_words(&mut self, address: u32, words: &[u32]) -> bool {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.write(address, &bytes)
    }

    /// Reads a register of the host port, in as many cycles as that takes.
    ///
    /// # Errors
    /// The hardware breaks a rule of a port, or does not answer.
    pub fn get(&mut self, register: u32) -> Result<u32, String> {
        self.host.read = Some(register);
        self.access(register)
    }

    /// Writes a register of the host port, in as many cycles as that takes.
    ///
    /// # Errors
    /// As [`VerilatedGpu::get`].
    pub fn set(&mut self, register: u32, value: u32) -> Result<(), String> {
        self.host.write = Some((register, value));
        self.access(register).map(|_| ())
    }

    fn access(&mut self, register: u32) -> Result<u32, String> {
        self.answer = None;
        let begin = self.cycles;
        loop {
            self.cycle()?;
            if let Some(answer) = self.answer.take() {
                // A host that only looks does nothing that could wake anybody.
                if self.host.write.is_some() {
                    self.active = self.cycles;
                }
                self.host = HostDrives::default();
                return Ok(answer);
            }
            if self.cycles - begin > PATIENCE {
                return Err(format!(
                    "no answer to an access of register {register:#x}: {}",
                    self.memory.under_way()
                ));
            }
        }
    }

    /// Lets it go on for some hundred cycles.
    ///
    /// # Errors
    /// The hardware breaks a rule of the AXI4 port.
    pub fn advance(&mut self) -> Result<Progress, String> {
        for _ in 0..TURN {
            self.cycle()?;
        }
        Ok(match self.cycles - self.active > QUIET {
            true => Progress::Quiet,
            false => Progress::Goes,
        })
    }

    /// One clock cycle.
    ///
    /// # Errors
    /// The hardware breaks a rule of the AXI4 port.
    pub fn cycle(&mut self) -> Result<(), String> {
        self.drive();
        self.flat.settle();
        let manager = self.manager();
        let seen = self.seen();
        let issued = seen.issues.iter().flatten().count() as u64;
        self.instructions += issued;
        self.listen();
        if let Some(events) = self.l2_events {
            self.lines.count(self.flat.get(events));
        }
        self.memory
            .edge(&manager)
            .map_err(|e| format!("cycle {}: {e}", self.cycles))?;
        self.flat.edge();
        let waits = seen.step.is_some_and(|step| step.result == 1);
        let steps = seen.step.is_some() && !waits;
        // Queues that wait for work hand on their slots for ever.
        let tasks = seen.task.is_some_and(|task| task.kind != kind::RETURN);
        if steps || tasks || issued > 0 {
            self.active = self.cycles;
        }
        self.seen.note(&seen);
        (self.observer)(self.cycles, &seen);
        self.cycles += 1;
        Ok(())
    }

    fn drive(&mut self) {
        let memory = self.memory.drive();
        let (f, i, host) = (&mut self.flat, &self.i, &self.host);
        let (register, value) = host.write.unwrap_or_default();
        for (port, value) in [
            (i.axi_awready, memory.aw_ready.into()),
            (i.axi_wready, memory.w_ready.into()),
            (i.axi_bvalid, memory.b.valid.into()),
            (i.axi_bid, memory.b.id.into()),
            (i.axi_bresp, memory.b.resp.into()),
            (i.axi_arready, memory.ar_ready.into()),
            (i.axi_rvalid, memory.r.valid.into()),
            (i.axi_rid, memory.r.id.into()),
            (i.axi_rresp, memory.r.resp.into()),
            (i.axi_rlast, memory.r.last.into()),
            (
                i.host_awvalid,
                (host.write.is_some() && !host.address_taken).into(),
            ),
            (i.host_awaddr, register.into()),
            (
                i.host_wvalid,
                (host.write.is_some() && !host.word_taken).into(),
            ),
            (i.host_wdata, value.into()),
            (i.host_wstrb, 15),
            (i.host_bready, 1),
            (
                i.host_arvalid,
                (host.read.is_some() && !host.read_taken).into(),
            ),
            (i.host_araddr, host.read.unwrap_or_default().into()),
            (i.host_rready, 1),
        ] {
            f.set(port, value);
        }
        let words = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
        let data: [u64; 8] = std::array::from_fn(|n| words(&memory.r.data[8 * n..8 * n + 8]));
        f.set_words(i.axi_rdata, &data[..f.words(i.axi_rdata)]);
    }

    /// What the host port takes and answers.
    fn listen(&mut self) {
        let (f, o, host) = (&self.flat, &self.o, &mut self.host);
        let on = |port| f.get(port) != 0;
        host.address_taken |= host.write.is_some() && on(o.host_awready);
        host.word_taken |= host.write.is_some() && on(o.host_wready);
        host.read_taken |= host.read.is_some() && on(o.host_arready);
        if on(o.host_bvalid) {
            self.answer = Some(0);
        }
        if on(o.host_rvalid) {
            self.answer = Some(f.get(o.host_rdata) as u32);
        }
    }

    fn manager(&self) -> Manager {
        let (f, o) = (&self.flat, &self.o);
        let on = |port| f.get(port) != 0;
        let address = |valid, id, address, len, size, burst| Address {
            valid: on(valid),
            id: f.get(id) as u16,
            address: f.get(address) as u32,
            len: f.get(len) as u8,
            size: f.get(size) as u8,
            burst: f.get(burst) as u8,
        };
        let mut data = [0; 64];
        for (n, word) in f.get_words(o.axi_wdata).iter().enumerate() {
            data[8 * n..8 * n + 8].copy_from_slice(&word.to_le_bytes());
        }
        Manager {
            aw: address(
                o.axi_awvalid,
                o.axi_awid,
                o.axi_awaddr,
                o.axi_awlen,
                o.axi_awsize,
                o.axi_awburst,
            ),
            w: WriteBeat {
                valid: on(o.axi_wvalid),
                data,
                strobe: f.get(o.axi_wstrb),
                last: on(o.axi_wlast),
            },
            b_ready: on(o.axi_bready),
            ar: address(
                o.axi_arvalid,
                o.axi_arid,
                o.axi_araddr,
                o.axi_arlen,
                o.axi_arsize,
                o.axi_arburst,
            ),
            r_ready: on(o.axi_rready),
        }
    }

    fn seen(&self) -> Cycle {
        let (f, o) = (&self.flat, &self.o);
        let on = |port| f.get(port) != 0;
        let word = |port: Out| f.get(port) as u32;
        Cycle {
            step: on(o.step_valid).then(|| FrontStep {
                channel: f.get(o.step_channel) as usize,
                is_command: on(o.step_command),
                get: word(o.step_get),
                address: word(o.step_address),
                word: word(o.step_word),
                result: f.get(o.step_result),
                code: word(o.step_code) as u8,
            }),
            task: on(o.task_valid).then(|| TaskStep {
                kind: f.get(o.task_kind),
                task: word(o.task_task),
                slot: f.get(o.task_slot) as usize,
                code: word(o.task_code) as u8,
                place: word(o.task_place),
                source: f.get(o.task_source),
                sm: f.get(o.task_sm) as usize,
                cta: word(o.task_cta),
                position: word(o.task_position),
                entries: word(o.task_entries),
                flag: on(o.task_flag),
            }),
            issues: std::array::from_fn(|sm| {
                let issue = self.issues.get(sm).filter(|issue| on(issue.valid))?;
                Some((f.get(issue.warp) as usize, 4 * word(issue.pc)))
            }),
        }
    }
}
