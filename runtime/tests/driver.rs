//! The driver on the golden model: memory, streams, events, and errors with their places.

use weft_driver::{Device, Error, Golden, Gpu, Grid, Progress, Settings};
use weft_sim::host::registers::at;
use weft_sim::host::{Code, Size};
use weft_sim::FaultCause;

fn size() -> Size {
    Size {
        warps: 4,
        threads: 8,
        lanes: 8,
        channels: 3,
        ..Size::default()
    }
}

fn gpu() -> Gpu<Golden> {
    let settings = Settings {
        limit: Some(1_000_000),
        ..Settings::default()
    };
    Gpu::open_with(Golden::new(size(), 1 << 20), settings).unwrap()
}

fn load(gpu: &mut Gpu<Golden>, source: &str) -> weft_driver::Module {
    let program = weft_isa::assemble(source, "test.s").unwrap_or_else(|e| panic!("{e:?}"));
    gpu.load_program(&program).unwrap()
}

/// Word `a2` of each thread: doubled, and 1.
const DOUBLE: &str = "_start: slli t0, a0, 2\n add t0, t0, a2\n lw t1, 0(t0)\n slli t1, t1, 1\n addi t1, t1, 1\n sw t1, 0(t0)\n ecall";

#[test]
fn launches_of_a_stream_follow_each_other() {
    let mut gpu = gpu();
    let module = load(&mut gpu, DOUBLE);
    let buffer = gpu.allocate(4 * 20).unwrap();
    let stream = gpu.stream().unwrap();
    // More than the ring has entries; each builds on what the one before has left.
    let grid = Grid::of(4, 5).with_arguments(buffer.address());
    (0..150).for_each(|_| gpu.launch(stream, module.entry(), &grid).unwrap());
    gpu.synchronize().unwrap();
    assert_eq!(gpu.read_words(buffer, 0, 20).unwrap(), [u32::MAX; 20]);
    let counters = gpu.counters();
    assert_eq!(
        (counters.launches, counters.ctas, counters.tasks_done),
        (150, 600, 150)
    );
    assert_eq!((counters.commands, counters.entries), (300, 150));
    // Seven instructions of a warp of eight places, five of them taken.
    assert_eq!(counters.instructions, 600 * 7);
    assert_eq!(counters.thread_instructions, Some(600 * 7 * 5));
}

#[test]
fn streams_wait_for_events_of_others() {
    let mut gpu = gpu();
    // Stores a0's word of the arguments behind them: *a2 = *a2 * 10 + digit.
    let source = "_start: lw t0, 0(a2)\n lw t1, 0(t0)\n li t2, 10\n mul t1, t1, t2\n lw t3, 4(a2)\n add t1, t1, t3\n sw t1, 0(t0)\n ecall";
    let module = load(&mut gpu, source);
    let sum = gpu.allocate(4).unwrap();
    let streams = [gpu.stream().unwrap(), gpu.stream().unwrap()];
    for digit in 1..=6u32 {
        let arguments = gpu.allocate(8).unwrap();
        gpu.write_words(arguments, 0, &[sum.address(), digit])
            .unwrap();
        let (one, other) = (
            streams[digit as usize % 2],
            streams[(digit as usize + 1) % 2],
        );
        let grid = Grid::of(1, 1).with_arguments(arguments.address());
        gpu.launch(one, module.entry(), &grid).unwrap();
        let event = gpu.record(one);
        gpu.wait_in(other, event).unwrap();
    }
    let event = gpu.record(streams[0]);
    assert!(!gpu.happened(event).unwrap());
    gpu.wait(event).unwrap();
    assert!(gpu.happened(event).unwrap());
    assert_eq!(gpu.read_words(sum, 0, 1).unwrap(), [123_456]);
    gpu.stream().unwrap();
    assert!(matches!(gpu.stream(), Err(Error::NoChannel(3))));
}

/// A device whose FAULT registers say what no program causes.
struct Stopped {
    golden: Golden,
    cause: u32,
}

impl Device for Stopped {
    fn size(&self) -> Size {
        self.golden.size()
    }

    fn memory_end(&self) -> u32 {
        self.golden.memory_end()
    }

    fn read(&mut self, address: u32, bytes: &mut [u8]) -> bool {
        self.golden.read(address, bytes)
    }

    fn write(&mut self, address: u32, bytes: &[u8]) -> bool {
        self.golden.write(address, bytes)
    }

    fn get(&mut self, register: u32) -> u32 {
        match register {
            at::STATUS => self.golden.get(register) | 8,
            at::FAULT => 1 << 31 | 2 << 24 | 5 << 16 | self.cause,
            at::FAULT_PC => 0x1040,
            at::FAULT_CTA => 7,
            _ => self.golden.get(register),
        }
    }

    fn set(&mut self, register: u32, value: u32) {
        self.golden.set(register, value);
    }

    fn advance(&mut self) -> Progress {
        self.golden.advance()
    }
}

#[test]
fn what_warp_control_stops_is_told_by_its_name() {
    for (cause, name) in [
        (1, "ILLEGAL_TYPE"),
        (2, "LOST_THREADS"),
        (3, "ILLEGAL_OP"),
        (15, "ALLOCATION"),
        (13, "cause 13"),
    ] {
        let golden = Golden::new(size(), 1 << 20);
        let mut gpu = Gpu::open(Stopped { golden, cause }).unwrap();
        let error = gpu.synchronize().unwrap_err();
        let said = error.to_string();
        assert!(matches!(error, Error::Broken(_)), "{said}");
        let place = format!("SM 2, CTA 7, warp 5, pc 0x1040: {name}");
        assert!(said.contains(&place), "{said}");
    }
}

#[test]
fn a_fault_says_where() {
    let mut gpu = gpu();
    let source = "_start: csrr t0, 0xCC3\n li t1, 3\n bne t0, t1, done\n csrr t0, 0xCC8\n li t1, 12\n bne t0, t1, done\n\
                  store: li t0, 0x2\n sw t0, 0(t0)\n done: ecall";
    let module = load(&mut gpu, source);
    let stream = gpu.stream().unwrap();
    gpu.launch(stream, module.entry(), &Grid::of(5, 14))
        .unwrap();
    let error = gpu.synchronize().unwrap_err();
    let Error::Fault(fault) = &error else {
        panic!("{error}");
    };
    assert_eq!((fault.cta, fault.warp, fault.thread), (3, 1, 12));
    assert_eq!(fault.cause, FaultCause::Misaligned { address: 2 });
    assert_eq!(fault.frames[0].function.as_deref(), Some("store"));
    let said = error.to_string();
    assert!(
        said.starts_with("kernel _start, CTA 3, warp 1, thread 12, pc 0x"),
        "{said}"
    );
    // It is told once, and the GPU goes on.
    gpu.launch(stream, module.entry(), &Grid::of(3, 14))
        .unwrap();
    gpu.synchronize().unwrap();
}

#[test]
fn a_hang_a_limit_and_a_wait_for_nothing_are_told() {
    let mut gpu = gpu();
    let source = "_start: bnez a0, loop\n bar.top 0, x0\n ecall\n loop: j loop";
    let module = load(&mut gpu, source);
    let stream = gpu.stream().unwrap();
    gpu.launch(stream, module.entry(), &Grid::of(1, 2)).unwrap();
    assert!(matches!(gpu.synchronize(), Err(Error::Limit(1_000_000))));

    // Two threads at two barriers.
    let mut gpu = self::gpu();
    let module = load(
        &mut gpu,
        "_start: bnez a0, away\n bar.sync 0\n away: bar.sync 1\n ecall",
    );
    let stream = gpu.stream().unwrap();
    gpu.launch(stream, module.entry(), &Grid::of(1, 2)).unwrap();
    let error = gpu.synchronize().unwrap_err();
    let Error::Hung(hung) = error else {
        panic!("{error}");
    };
    assert_eq!(
        (hung.kernel.as_str(), hung.cta, hung.stuck.len()),
        ("_start", 0, 2)
    );

    let mut gpu = self::gpu();
    let module = load(&mut gpu, "_start: ecall");
    let stream = gpu.stream().unwrap();
    let mut queue = gpu.work_queue(4, 1).unwrap();
    // The launch makes no work and does not close the round: QUEUE-023.
    gpu.launch_with(stream, &mut queue, module.entry(), &Grid::of(1, 1), 1)
        .unwrap();
    let error = gpu.synchronize().unwrap_err();
    let Error::Channel {
        channel,
        entry,
        code,
        ..
    } = error
    else {
        panic!("{error}");
    };
    assert_eq!(
        (channel, entry, code),
        (queue.channel(), 1, Code::EntryLength)
    );
    // The round is over with it, and the stream goes on.
    gpu.launch(stream, module.entry(), &Grid::of(1, 1)).unwrap();
    gpu.synchronize().unwrap();
}

#[test]
fn bad_launches_are_refused_and_the_stream_goes_on() {
    let mut gpu = gpu();
    let module = load(&mut gpu, "_start: ecall");
    let stream = gpu.stream().unwrap();
    let cases = [
        (Grid::of(0, 1), Code::DescriptorGrid),
        (Grid::of(1, 0), Code::DescriptorCta),
        (Grid::of(1, 33), Code::DescriptorCta),
        (
            Grid::of(1, 1).with_scratchpad(1 << 20),
            Code::DescriptorScratchpad,
        ),
    ];
    let mut queue = gpu.work_queue(4, 1).unwrap();
    for (grid, expected) in cases {
        let launches = [
            gpu.launch(stream, module.entry(), &grid),
            gpu.launch_with(stream, &mut queue, module.entry(), &grid, 1),
            gpu.task(module.entry(), &grid).map(|_| ()),
        ];
        for refused in launches {
            match refused.unwrap_err() {
                Error::Grid { code, .. } => assert_eq!(code, expected),
                error => panic!("{error}"),
            }
        }
    }
    let error = gpu.launch(stream, module.entry(), &Grid::of(70_000, 1));
    assert_eq!(
        error.unwrap_err().to_string(),
        "a grid of 70000x1x1 CTAs of 1x1x1 threads cannot be launched: the grid has no CTAs, or too many (DescriptorGrid)"
    );
    gpu.launch(stream, module.entry(), &Grid::of(1, 32))
        .unwrap();
    gpu.synchronize().unwrap();
}

#[test]
fn a_wait_ends_when_it_is_interrupted() {
    use std::sync::atomic::{AtomicU32, Ordering};
    static ASKED: AtomicU32 = AtomicU32::new(0);
    let mut gpu = gpu();
    let module = load(&mut gpu, "_start: j _start");
    let stream = gpu.stream().unwrap();
    gpu.interrupt_by(|| ASKED.fetch_add(1, Ordering::Relaxed) >= 3);
    gpu.launch(stream, module.entry(), &Grid::of(1, 1)).unwrap();
    assert!(matches!(gpu.synchronize(), Err(Error::Interrupted)));
    assert_eq!(ASKED.load(Ordering::Relaxed), 4);
}

#[test]
fn a_bad_launch_by_a_thread_is_told() {
    let mut gpu = gpu();
    // Ticket and slot of the spawn ring are in the arguments; no descriptor is at 0x2004.
    let source = "_start: lw t0, 0(a2)\n lw t1, 4(a2)\n li t2, 1\n amoadd.w zero, t2, (t1)\n li t2, 0x2004\n sw t2, 0(t0)\n ecall";
    let module = load(&mut gpu, source);
    let stream = gpu.stream().unwrap();
    let arguments = gpu.allocate(8).unwrap();
    use weft_driver::Device;
    let [base, number] = [at::SPAWN_BASE, at::SPAWN_NUMBER].map(|r| gpu.device().get(r));
    gpu.write_words(arguments, 0, &[base, base + 4 * number])
        .unwrap();
    let grid = Grid::of(1, 1).with_arguments(arguments.address());
    gpu.launch(stream, module.entry(), &grid).unwrap();
    let error = gpu.synchronize().unwrap_err();
    let Error::Task { code, task, .. } = error else {
        panic!("{error}");
    };
    assert_eq!((code, task), (Code::DescriptorAddress, 0x2004));
}

#[test]
fn memory_that_is_not_there() {
    let mut gpu = gpu();
    let buffer = gpu.allocate(40).unwrap();
    assert!(gpu.write_words(buffer, 9, &[1]).is_ok());
    assert!(matches!(
        gpu.write_words(buffer, 9, &[1, 2]),
        Err(Error::Outside { bytes: 8, .. })
    ));
    assert!(matches!(
        gpu.read_words(buffer, u32::MAX, 1),
        Err(Error::Outside { .. })
    ));
    assert!(matches!(
        gpu.read_words(buffer, 0, u32::MAX),
        Err(Error::Outside { .. })
    ));
    assert!(matches!(gpu.allocate(1 << 30), Err(Error::NoMemory { .. })));
    gpu.free(buffer).unwrap();
    assert!(matches!(gpu.free(buffer), Err(Error::NoBuffer(_))));
    assert_eq!(gpu.allocate(64).unwrap().address(), buffer.address());
    let program = weft_isa::assemble("_start: ecall", "a.s").unwrap();
    assert!(matches!(
        gpu.load_program(&program),
        Err(Error::Occupied { .. })
    ));
    let small = Gpu::open(Golden::new(size(), 0x1_0000));
    assert!(matches!(small.err(), Some(Error::MemorySize(0x1_0000))));
    assert!(matches!(gpu.work_queue(2, 0), Err(Error::QueueSize(2))));
}
