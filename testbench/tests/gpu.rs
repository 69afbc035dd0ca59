//! The whole GPU: kernels through a channel, by threads, and by both, with the memory of the golden GPU.

use weft_sim::host::Descriptor;
use weft_sim::memory::MEMORY_BASE;
use weft_testbench::gpu::program::{run, HostProgram, Times, SPAWN, SPAWN_WORDS, TASKS, TICKET};
use weft_testbench::gpu::GpuOptions;
use weft_testbench::sm::memory::AxiTiming;
use weft_testbench::timing::Latency;

/// Words of the kernels' data.
const ARGUMENTS: u32 = 0x1_0000;
const DATA: u32 = 0x1_1000;
/// A descriptor that threads reach.
const CHILD: u32 = 0x1_e000;

/// Arguments n, a, b, c: c[i] = a[i] + b[i] for i < n.
const VECADD: &str = "
_start: lw t0, 0(a2)
        bgeu a0, t0, end
        slli t1, a0, 2
        lw t2, 4(a2)
        add t2, t2, t1
        lw t2, 0(t2)
        lw t3, 8(a2)
        add t3, t3, t1
        lw t3, 0(t3)
        add t2, t2, t3
        lw t4, 12(a2)
        add t4, t4, t1
        sw t2, 0(t4)
end:    ecall
";

/// Arguments ring, words − 1, ticket, child, data: data[i] = 2 i + 1, and thread 0 launches the child, whose threads
/// have data[i] = 3 data[i] + i.
const NESTED: &str = "
_start: lw t0, 16(a2)
        slli t1, a0, 2
        add t0, t0, t1
        slli t1, a0, 1
        addi t1, t1, 1
        sw t1, 0(t0)
        bnez a0, end
        lw t0, 0(a2)
        lw t1, 4(a2)
        lw t2, 8(a2)
        lw t3, 12(a2)
        li t4, 1
        fence
        amoadd.w t5, t4, (t2)
        and t5, t5, t1
        slli t5, t5, 2
        add t5, t5, t0
wait:   fence
        lw t6, 0(t5)
        bnez t6, wait
spawn:  sw t3, 0(t5)
end:    ecall
child:  slli t0, a0, 2
        add t0, t0, a2
        lw t1, 0(t0)
        slli t2, t1, 1
        add t1, t1, t2
        add t1, t1, a0
        sw t1, 0(t0)
        ecall
";

fn program(source: &str) -> HostProgram {
    let program = weft_isa::assemble(source, "test.s").unwrap_or_else(|e| panic!("{e:?}"));
    HostProgram::new(program)
}

fn task(pc: u32, ctas: u32, threads: u32, arguments: u32) -> Descriptor {
    Descriptor {
        pc,
        grid: [ctas, 1, 1],
        cta: [threads, 1, 1],
        arguments,
        local: 64,
        ..Descriptor::default()
    }
}

fn vecadd(n: u32, ctas: u32, threads: u32) -> HostProgram {
    let host = program(VECADD);
    let pc = host.kernel("_start");
    // A guard word behind each.
    let [a, b, c] = [0, 1, 2].map(|k| DATA + 4 * k * (n + 1));
    let numbers = |seed: u32| (0..n).map(move |i| (i + seed).wrapping_mul(0x9e37_79b9));
    host.with_words(ARGUMENTS, vec![n, a, b, c])
        .with_words(a, numbers(1).chain([0xdead_0001]).collect())
        .with_words(b, numbers(77).chain([0xdead_0002]).collect())
        .with_words(c + 4 * n, vec![0xdead_0003])
        .launch(&[task(pc, ctas, threads, ARGUMENTS)])
}

fn nested(parents: u32, ctas: u32, threads: u32) -> HostProgram {
    let host = program(NESTED);
    let (pc, child) = (host.kernel("_start"), host.kernel("child"));
    host.with_words(
        ARGUMENTS,
        vec![SPAWN, SPAWN_WORDS - 1, TICKET, CHILD, DATA],
    )
    .with_words(CHILD, task(child, ctas, threads, DATA).words().to_vec())
    .launch(&[task(pc, parents, threads, ARGUMENTS)])
}

/// Latency 20, and two memories that stall, mix and reorder.
fn memories() -> Vec<GpuOptions> {
    let wild = |latency, seed| GpuOptions {
        timing: AxiTiming {
            latency: Latency::Random(latency),
            stall: 30,
            gap: 30,
            any_order: true,
            interleave: true,
        },
        seed,
        ..GpuOptions::default()
    };
    vec![GpuOptions::default(), wild(5, 1), wild(90, 2)]
}

fn runs(host: &HostProgram, what: &str) -> Times {
    let one = |options: &GpuOptions| {
        run(host, options, None).unwrap_or_else(|e| panic!("{what}: {options:?}: {e}"))
    };
    let all: Vec<_> = memories().iter().map(one).collect();
    all.into_iter().next().expect("a memory")
}

/// One thread, a prime, partial warps, several CTAs, more threads than numbers.
#[test]
fn kernels_through_a_channel() {
    for (n, ctas, threads) in [(1, 1, 1), (13, 1, 13), (37, 3, 16), (29, 5, 7)] {
        runs(
            &vecadd(n, ctas, threads),
            &format!("{n} numbers, {ctas} CTAs of {threads}"),
        );
    }
}

#[test]
fn a_thread_launches_a_child() {
    for (parents, ctas, threads) in [(1, 1, 5), (2, 3, 16)] {
        runs(&nested(parents, ctas, threads), "nested");
    }
    assert!(TASKS > CHILD && MEMORY_BASE < ARGUMENTS);
}
