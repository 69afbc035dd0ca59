//! Several SMs, compared with the golden GPU: atomic operations of their threads (GPU-050 to GPU-055), and what a thread
//! sees of what others write (docs/spec/memory-model.md).
//!
//! `SMS=2,3,4` says how many SMs, one after the other; without it two. Each number of SMs is a model of its own, which
//! takes minutes to make: so these run with `cargo xtask long gpu-sms many-sms`, and not in the gate.

use weft_sim::host::{Descriptor, Mutation};
use weft_testbench::gpu::litmus::{self, Litmus};
use weft_testbench::gpu::program::{run, HostProgram, SPAWN, SPAWN_WORDS, TICKET};
use weft_testbench::gpu::{random, GpuOptions};
use weft_testbench::rtl::faults;
use weft_testbench::sm::memory::AxiTiming;
use weft_testbench::tasks::Cover;
use weft_testbench::timing::Latency;

const DATA: u32 = 0x1_1000;
/// Descriptors that threads reach.
const CHILDREN: u32 = 0x1_e000;

/// a2: data. Word 0 counts the threads, and each of them marks the word of its number, from word 64 on. Words 16 to 20:
/// maximum, minimum, both without sign, exclusive or. Word 32 is counted by LR and SC. Of every four threads one takes
/// the lock of word 48, counts word 49 with a load and a store, and gives the lock back with a store.
const COUNTS: &str = "
_start: li t0, 1
        amoadd.w t1, t0, (a2)
        slli t1, t1, 2
        add t1, t1, a2
        sw t0, 256(t1)
        li t1, 0x9e3779b1
        mul t1, t1, a0
        addi t2, a2, 64
        amomax.w x0, t1, (t2)
        addi t2, a2, 68
        amomin.w x0, t1, (t2)
        addi t2, a2, 72
        amomaxu.w x0, t1, (t2)
        addi t2, a2, 76
        amominu.w x0, t1, (t2)
        addi t2, a2, 80
        amoxor.w x0, t1, (t2)
        addi t2, a2, 128
retry:  lr.w t1, (t2)
        addi t1, t1, 1
        sc.w t3, t1, (t2)
        bnez t3, retry
        andi t1, a0, 3
        bnez t1, end
        addi t2, a2, 192
lock:   amoswap.w t1, t0, (t2)
        bnez t1, lock
        fence
        lw t1, 196(a2)
        addi t1, t1, 1
        sw t1, 196(a2)
        fence
        sw x0, 192(a2)
end:    ecall
";

/// a2: data. One of every four threads launches a child by the spawn ring: word 0 of data is the next descriptor.
/// The threads of the children count word 1.
const SPAWNS: &str = "
_start: andi t0, a0, 3
        bnez t0, end
        li t4, 1
        amoadd.w t3, t4, (a2)
        slli t3, t3, 7
        li t0, CHILDREN
        add t3, t3, t0
        li t0, RING
        li t2, TICKET
        fence
        amoadd.w t5, t4, (t2)
        andi t5, t5, MASK
        slli t5, t5, 2
        add t5, t5, t0
wait:   lr.w t6, (t5)
        bnez t6, wait
        sc.w t6, t3, (t5)
        bnez t6, wait
end:    ecall
child:  li t0, 1
        addi t1, a2, 4
        amoadd.w x0, t0, (t1)
        ecall
";

fn program(source: &str) -> HostProgram {
    let program = weft_isa::assemble(source, "test.s").unwrap_or_else(|e| panic!("{e:?}"));
    HostProgram::new(program)
}

fn task(pc: u32, ctas: u32, threads: u32) -> Descriptor {
    Descriptor {
        pc,
        grid: [ctas, 1, 1],
        cta: [threads, 1, 1],
        arguments: DATA,
        local: 64,
        ..Descriptor::default()
    }
}

fn counts(sms: usize, ctas: u32, threads: u32) -> HostProgram {
    let host = program(COUNTS).with_sms(sms);
    let pc = host.kernel("_start");
    host.launch(&task(pc, ctas, threads))
}

fn spawns(sms: usize, ctas: u32, threads: u32) -> HostProgram {
    let source = SPAWNS
        .replace("CHILDREN", &CHILDREN.to_string())
        .replace("RING", &SPAWN.to_string())
        .replace("TICKET", &TICKET.to_string())
        .replace("MASK", &(SPAWN_WORDS - 1).to_string());
    let mut host = program(&source).with_sms(sms);
    let (pc, child) = (host.kernel("_start"), host.kernel("child"));
    for n in 0..ctas * threads / 4 {
        host = host.with_task(CHILDREN + 128 * n, &task(child, 2, 3));
    }
    host.launch(&task(pc, ctas, threads))
}

fn memory(latency: Latency, stall: u32, seed: u64) -> GpuOptions {
    GpuOptions {
        timing: AxiTiming {
            latency,
            stall,
            gap: stall,
            any_order: stall != 0,
            interleave: stall != 0,
        },
        seed,
        ..GpuOptions::default()
    }
}

fn sizes() -> Vec<usize> {
    let given = std::env::var("SMS").unwrap_or_else(|_| "2".into());
    let sizes = given.split(',').map(|n| n.parse().expect("SMS"));
    sizes.collect()
}

/// Both programs over this memory, with a CTA for each SM.
fn both(sms: usize, options: &GpuOptions, fault: Option<&str>) -> Result<(), String> {
    let ctas = sms.max(4) as u32;
    run(&counts(sms, ctas, 8), options, fault).map_err(|e| format!("counts: {e}"))?;
    run(&spawns(sms, ctas, 8), options, fault).map_err(|e| format!("spawns: {e}"))?;
    Ok(())
}

#[test]
#[ignore = "a model of its own for two SMs: cargo xtask long gpu-sms"]
fn threads_of_several_sms_count_together() {
    for sms in sizes() {
        for options in [
            memory(Latency::Fixed(1), 0, 1),
            memory(Latency::Fixed(20), 0, 2),
            memory(Latency::Random(5), 30, 3),
            memory(Latency::Random(90), 30, 4),
        ] {
            both(sms, &options, None).unwrap_or_else(|e| panic!("{sms} SMs, {options:?}: {e}"));
        }
    }
}

#[test]
#[ignore = "a model of its own for each number of SMs: cargo xtask long gpu-sms"]
fn random_host_programs_agree() {
    let programs = std::env::var("GPU_PROGRAMS").map_or(20, |n| n.parse().expect("GPU_PROGRAMS"));
    let mut cover = Cover::default();
    for (index, sms) in (0..programs).flat_map(|n| sizes().into_iter().map(move |sms| (n, sms))) {
        random::cosim(2, index, &[sms], &mut cover)
            .unwrap_or_else(|e| panic!("seed 2, program {index}: {e}"));
    }
    println!("{cover}");
    let missing = cover.missing(random::wanted(&sizes()));
    assert!(programs < 20 || missing.is_empty(), "{missing:?}");
}

/// ORDER-001: what the page forbids is never seen on the golden GPU, and what it allows is.
#[test]
fn litmus_tests_on_the_golden_gpu() {
    for test in litmus::ALL {
        let mut weak = 0;
        for (sms, seed) in [1, 2, 3, 4, 5, 8]
            .into_iter()
            .flat_map(|sms| (0..5).map(move |n| (sms, n)))
        {
            let found = test.golden(sms, seed, None);
            weak += found.unwrap_or_else(|e| panic!("{sms} SMs, seed {seed}: {e}"));
        }
        println!("{}: {weak} weak", test.name);
        // Loads are made when they come, so no store passes one.
        let wanted = test.weak.is_some() && test.name != "LB";
        assert!(weak > 0 || !wanted, "{}: never weak", test.name);
    }
}

/// A golden GPU whose acquires or releases do nothing is noticed.
#[test]
fn golden_gpus_without_order_are_noticed() {
    for (mutation, tests) in [
        (
            Mutation::AcquiresForgetNothing,
            ["MP+rl+aq", "SB+fences", "IRIW+aq", "WRC", "lock"].as_slice(),
        ),
        (
            Mutation::ReleasesDoNotWait,
            ["MP+rl+aq", "MP+fences", "2+2W+fences", "lock"].as_slice(),
        ),
    ] {
        for name in tests {
            let notices = |seed| Litmus::of(name).golden(4, seed, Some(mutation)).is_err();
            assert!((0..40).any(notices), "{mutation:?}: {name}");
        }
    }
}

/// ORDER-001 on the hardware; `LITMUS` says over how many memories, of which the first ones are always the same.
#[test]
#[ignore = "a model of its own for each number of SMs: cargo xtask long gpu-sms"]
fn litmus_tests_on_several_sms() {
    let memories = std::env::var("LITMUS").map_or(4, |n| n.parse().expect("LITMUS"));
    for sms in sizes() {
        for test in litmus::ALL {
            let mut weak = 0;
            for seed in 0..memories {
                let options = slow(seed);
                let found = test.hardware(sms, &options, None);
                weak += found.unwrap_or_else(|e| panic!("{sms} SMs, {options:?}: {e}"));
            }
            println!("{sms} SMs, {}: {weak} weak", test.name);
            let wanted = ["MP", "SB"].contains(&test.name);
            assert!(weak > 0 || !wanted, "{sms} SMs, {}: never weak", test.name);
        }
    }
}

/// A memory of any latency up to 12, 40 or 150 cycles.
fn slow(seed: u64) -> GpuOptions {
    memory(Latency::Random([12, 40, 150][seed as usize % 3]), 30, seed)
}

/// ORDER-003: who waits for a word with loads alone sees it in the end, though its SM holds the line.
#[test]
#[ignore = "a model of its own for each number of SMs: cargo xtask long gpu-sms"]
fn what_others_write_is_seen_in_the_end() {
    let source = "
_start: bnez a0, waits
        li t0, 2000
later:  addi t0, t0, -1
        bnez t0, later
        li t0, 7
        sw t0, (a2)
        ecall
waits:  lw t0, (a2)
        beqz t0, waits
        sw t0, 64(a2)
        ecall
";
    for sms in sizes() {
        let host = program(source).with_sms(sms);
        let pc = host.kernel("_start");
        let host = host.launch(&task(pc, 2, 1));
        run(&host, &memory(Latency::Fixed(20), 0, 1), None)
            .unwrap_or_else(|e| panic!("{sms}: {e}"));
    }
}

/// With `GPU_FAULTS=all`, or names with commas between, those of the numbers of SMs that `SMS` names: each number is a
/// model, of some minutes.
#[test]
fn broken_copies_are_noticed() {
    let mut copies = faults::of(weft_generate::Unit::Gpu);
    copies.retain(|(design, _)| design.value("sms") > 1 && design.value("l2") == 0);
    let mut copies = faults::chosen(copies, "GPU_FAULTS", "");
    copies.retain(|(design, _)| sizes().contains(&design.value("sms")));
    for (design, fault) in faults::prepare(copies).expect("broken copies") {
        let name = Some(fault.name.as_str());
        let sms = design.value("sms");
        let order = |seed| {
            let mut tests = litmus::ALL.iter();
            tests.find_map(|test| test.hardware(sms, &slow(seed), name).err())
        };
        let notices = |seed| {
            let options = memory(Latency::Random(30), 30, seed);
            let atomic = both(sms, &options, name).err();
            let each = || many::hardware(sms, &options, name).and_then(many::work_by_themselves);
            let atomic = atomic.or_else(|| (sms > 4).then(|| each().err()).flatten());
            atomic.or_else(|| order(seed))
        };
        let found = (0..20).find_map(|seed| Some((seed, notices(seed)?)));
        println!("{}: {found:?}", fault.name);
        assert!(found.is_some(), "{}: {}", fault.name, fault.breaks);
    }
}

#[path = "support/domains.rs"]
mod domains;
#[path = "support/l2.rs"]
mod l2;
#[path = "support/many.rs"]
mod many;
#[path = "support/registers.rs"]
mod registers;
#[path = "support/silent.rs"]
mod silent;

mod locks {
    //! A lock of C11 protects data between SMs, though other warps read the line of the data all the time (ORDER-001).
    //! Skipped by name where there is no compiler.

    use super::{memory, sizes};
    use weft_cc::{build, Compiler, Family, Options};
    use weft_driver::{Device, Golden, Gpu, Grid, Settings};
    use weft_sim::host::Size;
    use weft_testbench::gpu::device::TINY;
    use weft_testbench::gpu::VerilatedGpu;
    use weft_testbench::timing::Latency;
    use weft_toolbox::Toolbox;

    const SOURCE: &str = r#"
__attribute__((aligned(64))) unsigned lock[16];
__attribute__((aligned(64))) struct { unsigned total, neighbour; } line;
unsigned out[64];

void kernel(unsigned thread, unsigned threads)
{
    (void)threads;
    if (thread & 4) { /* other warps */
        unsigned x = 0;
        for (unsigned k = 0; k < 200; k++)
            x += *(volatile unsigned *)&line.neighbour;
        out[thread] = x;
        return;
    }
    for (unsigned k = 0; k < 4; k++) {
        while (__atomic_exchange_n(lock, 1, TAKES))
            ;
        line.total = line.total + 1;
        __atomic_store_n(lock, 0, GIVES);
    }
}
"#;

    /// Orders with which the lock is taken and given back.
    const ORDERS: [(&str, &str); 3] = [
        ("__ATOMIC_ACQUIRE", "__ATOMIC_RELEASE"),
        ("__ATOMIC_ACQ_REL", "__ATOMIC_RELEASE"),
        ("__ATOMIC_SEQ_CST", "__ATOMIC_SEQ_CST"),
    ];

    /// Four CTAs of eight threads, or one for each SM, half of which count four times.
    fn counts<D: Device>(open: impl Fn() -> D) {
        let toolbox = Toolbox::here();
        let there = |family: &&Family| Compiler::find(&toolbox, **family).is_some();
        let Some(family) = Family::ALL.iter().find(there) else {
            println!("SKIPPED: no compiler for RISC-V is installed");
            assert!(std::env::var_os("CI").is_none(), "`cargo xtask setup`");
            return;
        };
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("lock.c");
        let options = Options {
            compiler: Some(family.name().into()),
            ..Options::default()
        };
        for (takes, gives) in ORDERS {
            let source = SOURCE.replace("TAKES", takes).replace("GIVES", gives);
            std::fs::write(&file, source).expect("a file");
            let built = build(&toolbox, std::slice::from_ref(&file), &options, &mut |_| {});
            let elf = built.unwrap_or_else(|e| panic!("{e}\n{}", e.output().unwrap_or_default()));
            let mut gpu = Gpu::open_with(open(), Settings::default()).expect("a GPU");
            let module = gpu.load_elf(&elf.elf).expect("a program");
            let stream = gpu.stream().expect("a stream");
            let ctas = gpu.device().size().sms.max(4) as u32;
            let launched = gpu.launch(stream, module.entry(), &Grid::of(ctas, 8));
            launched.expect("a launch");
            gpu.synchronize().expect("it ends");
            let total = gpu.symbol(module, "line").expect("a symbol");
            assert_eq!(
                gpu.word(total).expect("a word"),
                16 * ctas,
                "{takes}, {gives}"
            );
        }
    }

    #[test]
    fn of_c_protect_data_on_the_golden_gpu() {
        for sms in [1, 2, 3, 5, 8] {
            counts(|| Golden::new(Size { sms, ..TINY }, 1 << 20));
        }
    }

    #[test]
    #[ignore = "a model of its own for each number of SMs: cargo xtask long gpu-sms"]
    fn of_c_protect_data_on_several_sms() {
        for sms in sizes() {
            let options = memory(Latency::Random(30), 30, 1);
            counts(|| {
                VerilatedGpu::open_copy(Size { sms, ..TINY }, &options, None).expect("weft_gpu")
            });
        }
    }
}
