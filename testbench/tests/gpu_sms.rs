//! Several SMs, compared with the golden GPU: atomic operations of their threads (GPU-050 to GPU-055).
//!
//! `SMS=2,3,4` says how many SMs, one after the other; without it two. Each number of SMs is a model of its own, which
//! takes minutes to make: so these run with `cargo xtask long gpu-sms`, and not in the gate.

use weft_sim::host::Descriptor;
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

/// Both programs over this memory.
fn both(sms: usize, options: &GpuOptions, fault: Option<&str>) -> Result<(), String> {
    run(&counts(sms, 4, 8), options, fault).map_err(|e| format!("counts: {e}"))?;
    run(&spawns(sms, 4, 8), options, fault).map_err(|e| format!("spawns: {e}"))?;
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
    let missing = cover.missing(random::wanted());
    assert!(programs < 20 || missing.is_empty(), "{missing:?}");
}

/// With `GPU_FAULTS=all`, or names with commas between: they are in one model, of some minutes.
#[test]
fn broken_copies_are_noticed() {
    let mut copies = faults::of(weft_generate::Unit::Gpu);
    copies.retain(|(design, _)| design.value("sms") > 1);
    let copies = faults::chosen(copies, "GPU_FAULTS", "");
    for (_, fault) in faults::prepare(copies).expect("broken copies") {
        let name = Some(fault.name.as_str());
        let notices = |seed| both(2, &memory(Latency::Random(30), 30, seed), name).err();
        let found = (0..20).find_map(|seed| Some((seed, notices(seed)?)));
        println!("{}: {found:?}", fault.name);
        assert!(found.is_some(), "{}: {}", fault.name, fault.breaks);
    }
}
