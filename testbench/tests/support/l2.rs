//! What the host writes past the L2, and copies without what the L2 promises (docs/spec/l2.md).

use super::{both, memory, program, slow};
use weft_driver::{Device, Golden, Gpu, Grid};
use weft_sim::host::{Mutation, Size};
use weft_testbench::gpu::device::{Caches, TINY};
use weft_testbench::gpu::{litmus, GpuOptions, VerilatedGpu};
use weft_testbench::rtl::faults;
use weft_testbench::timing::Latency;

/// a2: 2,048 words. Each thread adds all words with its number mod 16 to word 2,048 + its number.
const SUMS: &str = "
_start: andi t0, a0, 15
        slli t0, t0, 2
        add t0, t0, a2
        li t1, 128
        li t2, 0
again:  lw t3, (t0)
        add t2, t2, t3
        addi t0, t0, 64
        addi t1, t1, -1
        bnez t1, again
        slli t0, a0, 2
        add t0, t0, a2
        lui t1, 2
        add t0, t0, t1
        sw t2, (t0)
        ecall
";
const WORDS: u32 = 2048;
const THREADS: u32 = 32;

/// a2: word 0 is what is waited for, by loads alone; word 16 says that it came.
const WAITS: &str = "
_start: lw t0, (a2)
        beqz t0, _start
        sw t0, 64(a2)
        ecall
";

/// Kernels, each behind a write of the host, see what it wrote.
fn sums<D: Device>(device: D, launches: u32) -> Result<(), String> {
    let words = |e: weft_driver::Error| e.to_string();
    let mut gpu = Gpu::open(device).map_err(words)?;
    let program = weft_isa::assemble(SUMS, "sums.s").unwrap_or_else(|e| panic!("{e:?}"));
    let module = gpu.load_program(&program).map_err(words)?;
    let buffer = gpu.allocate(4 * (WORDS + THREADS)).map_err(words)?;
    let stream = gpu.stream().map_err(words)?;
    for launch in 1..=launches {
        let data: Vec<u32> = (0..WORDS).map(|n| launch * (n ^ 0x55)).collect();
        gpu.write_words(buffer, 0, &data).map_err(words)?;
        let grid = Grid::of(THREADS / 8, 8).with_arguments(buffer.address());
        gpu.launch(stream, module.entry(), &grid).map_err(words)?;
        gpu.synchronize().map_err(words)?;
        for thread in 0..THREADS {
            let of_it = data.iter().skip(thread as usize % 16).step_by(16);
            let wanted = of_it.fold(0u32, |sum, word| sum.wrapping_add(*word));
            let mut came = [0; 4];
            let address = buffer.address() + 4 * (WORDS + thread);
            assert!(gpu.device().read(address, &mut came));
            let came = u32::from_le_bytes(came);
            if came != wanted {
                return Err(format!(
                    "launch {launch}, thread {thread}: {came:#x}, not {wanted:#x}"
                ));
            }
        }
    }
    Ok(())
}

fn shared(options: GpuOptions, kib: u32, ways: u32) -> GpuOptions {
    let caches = Caches {
        shared: kib,
        shared_ways: ways,
        ..options.caches
    };
    GpuOptions { caches, ..options }
}

fn hardware(sms: usize, options: &GpuOptions, fault: Option<&str>) -> Result<VerilatedGpu, String> {
    let size = Size { sms, ..TINY };
    VerilatedGpu::open_copy(size, options, fault).map_err(|e| e.to_string())
}

/// SHARED-041 on the golden GPU, and a copy without SHARED-040.
#[test]
fn the_golden_gpu_sees_what_the_host_wrote_before_a_launch() {
    for sms in [1, 2, 4] {
        let golden = || Golden::new(Size { sms, ..TINY }, 1 << 20);
        sums(golden(), 12).unwrap_or_else(|e| panic!("{sms} SMs: {e}"));
        let mut broken = golden();
        broken.model().set_mutation(Mutation::TasksForgetNothing);
        assert!(sums(broken, 12).is_err(), "{sms} SMs");
    }
}

/// SHARED-023, SHARED-041 to SHARED-043 on the hardware.
#[test]
#[ignore = "a model of its own: cargo xtask long gpu-l2"]
fn what_the_host_wrote_is_seen() {
    let latencies = [Latency::Random(30), Latency::Fixed(1), Latency::Random(60)];
    for (seed, latency) in (0..).zip(latencies) {
        let options = shared(memory(latency, 10 * seed as u32, seed), 4, 4);
        let device = hardware(2, &options, None).expect("weft_gpu");
        sums(device, 6).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        let device = hardware(2, &options, None).expect("weft_gpu");
        errors(device).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    }
    let options = shared(memory(Latency::Fixed(20), 0, 1), 4, 4);
    let mut gpu = Gpu::open(hardware(2, &options, None).expect("weft_gpu")).expect("a GPU");
    let module = gpu.load_program(&program(WAITS).program).expect("room");
    let buffer = gpu.allocate(128).expect("room");
    let stream = gpu.stream().expect("a stream");
    let grid = Grid::of(2, 4).with_arguments(buffer.address());
    gpu.launch(stream, module.entry(), &grid).expect("a launch");
    // Both caches have the line by now.
    for _ in 0..20 {
        gpu.device().advance().expect("no rule is broken");
    }
    assert!(gpu.device().write(buffer.address(), &[7, 0, 0, 0]));
    let before = VerilatedGpu::cycles(gpu.device());
    gpu.synchronize().expect("it ends");
    let took = VerilatedGpu::cycles(gpu.device()) - before;
    assert!(
        gpu.device().word(buffer.address() + 64) == 7 && took < 140_000,
        "{took}"
    );
}

/// a2: a line that is read with an error by the first four threads, and later, without, by the others.
const LATER: &str = "
_start: li t0, 4
        bltu a0, t0, reads
        li t0, 3000
later:  addi t0, t0, -1
        bnez t0, later
reads:  lw t1, (a2)
        slli t0, a0, 2
        add t0, t0, a2
        sw t1, 64(t0)
        ecall
";

/// SHARED-023: an error is answered once, and the line is not held.
fn errors(device: VerilatedGpu) -> Result<(), String> {
    let words = |e: weft_driver::Error| e.to_string();
    let mut gpu = Gpu::open(device).map_err(words)?;
    let program = weft_isa::assemble(LATER, "later.s").unwrap_or_else(|e| panic!("{e:?}"));
    let module = gpu.load_program(&program).map_err(words)?;
    let buffer = gpu.allocate(256).map_err(words)?;
    gpu.write_words(buffer, 0, &[0x1234_5678]).map_err(words)?;
    let stream = gpu.stream().map_err(words)?;
    gpu.device().fail_lines(&[buffer.address()]);
    let grid = Grid::of(4, 4).with_arguments(buffer.address());
    gpu.launch(stream, module.entry(), &grid).map_err(words)?;
    for _ in 0..8 {
        gpu.device().advance().map_err(|e| e.to_string())?;
    }
    gpu.device().fail_lines(&[]);
    if gpu.synchronize().is_ok() {
        return Err("no fault".into());
    }
    for thread in 4..16 {
        let came = gpu.device().word(buffer.address() + 64 + 4 * thread);
        if came != 0x1234_5678 {
            return Err(format!("thread {thread}: {came:#x}"));
        }
    }
    Ok(())
}

/// With `GPU_L2_FAULTS=all`, or names with commas between: they are in one model, of some minutes.
#[test]
fn broken_copies_of_the_l2_are_noticed() {
    let mut copies = faults::of(weft_generate::Unit::Gpu);
    copies.retain(|(design, _)| design.value("l2") > 0);
    let copies = faults::chosen(copies, "GPU_L2_FAULTS", "");
    for (_, fault) in faults::prepare(copies).expect("broken copies") {
        let name = Some(fault.name.as_str());
        let notices = |seed: u64| {
            let latency = [Latency::Random(30), Latency::Random(5), Latency::Fixed(20)];
            let options = memory(latency[seed as usize % 3], 10 * (seed as u32 % 4), seed);
            let options = shared(options, 4, 4);
            let host = hardware(2, &options, name)
                .and_then(|gpu| sums(gpu, 4))
                .err();
            let atomic = || both(2, &options, name).err();
            let order = || {
                let options = shared(slow(seed), 4, 4);
                let mut tests = litmus::ALL.iter();
                tests.find_map(|test| test.hardware(2, &options, name).err())
            };
            let host = host.or_else(|| hardware(2, &options, name).and_then(errors).err());
            host.or_else(atomic).or_else(order)
        };
        let found = (0..12).find_map(|seed| Some((seed, notices(seed)?)));
        println!("{}: {found:?}", fault.name);
        assert!(found.is_some(), "{}: {}", fault.name, fault.breaks);
    }
}
