//! Each of several SMs works, faults, is killed and begins anew by itself (GPU-010, TASK-055, TASK-064, TASK-133).

use super::{memory, sizes};
use weft_driver::{Device, Error, Gpu, Grid, Settings};
use weft_sim::host::registers::at;
use weft_sim::host::Size;
use weft_sim::FaultCause;
use weft_testbench::gpu::device::TINY;
use weft_testbench::gpu::{GpuOptions, VerilatedGpu};
use weft_testbench::timing::Latency;

use super::{domains, registers, silent};

/// a2: a number, and results from word 16 on. Thread i of `good` writes 3 i + 7 behind a barrier; `slow` takes longer,
/// so that no SM is free again before each has a CTA; of `bad` the threads of
/// the CTA with this number read where nothing is.
const SOURCE: &str = "
spin:   j spin

slow:   li t0, 1000
more:   addi t0, t0, -1
        bnez t0, more

good:   slli t1, a0, 2
        add t0, a2, t1
        slli t3, a0, 1
        add t3, t3, a0
        addi t3, t3, 7
        bar.sync 0
        sw t3, 64(t0)
        ecall

bad:    lw t0, 0(a2)
        srli t1, a0, 4
        bne t0, t1, good
        lui t0, 0x7fff0
        lw t0, 0(t0)
        ecall
";
/// Threads that fill an SM.
const ALL: u32 = 16;

fn size(sms: usize) -> Size {
    Size { sms, ..TINY }
}

pub fn hardware(
    sms: usize,
    options: &GpuOptions,
    fault: Option<&str>,
) -> Result<VerilatedGpu, String> {
    VerilatedGpu::open_copy(size(sms), options, fault).map_err(|e| e.to_string())
}

/// CTAs that have ended on each SM.
fn done<D: Device>(gpu: &mut Gpu<D>) -> Vec<u32> {
    let sms = gpu.device().size().sms;
    let of = |sm| gpu.device().get(at::sm(sm, at::SM_CTAS_DONE));
    (0..sms).map(of).collect()
}

/// Every SM has CTAs of its own; a fault says on which it was; while some spin without an end the others go on, and each
/// one that is killed alone works again.
pub fn work_by_themselves<D: Device>(device: D) -> Result<(), String> {
    let said = |e: Error| e.to_string();
    let settings = Settings {
        limit: Some(1_000_000),
        ..Settings::default()
    };
    let mut gpu = Gpu::open_with(device, settings).map_err(said)?;
    let program = weft_isa::assemble(SOURCE, "many.s").unwrap_or_else(|e| panic!("{e:?}"));
    gpu.load_program(&program).map_err(said)?;
    let [spin, slow, good, bad] = ["spin", "slow", "good", "bad"].map(|name| program.symbols[name]);
    let sms = gpu.device().size().sms as u32;
    let words = 3 * sms * ALL;
    let results = gpu.allocate(64 + 4 * words).map_err(said)?;
    let grid = |ctas| Grid::of(ctas, ALL).with_arguments(results.address());
    let streams = [gpu.stream(), gpu.stream(), gpu.stream()].map(|stream| stream.map_err(said));
    let [held, alone, works] = [
        streams[0].clone()?,
        streams[1].clone()?,
        streams[2].clone()?,
    ];

    // Three times as many CTAs as SMs.
    let right = |gpu: &mut Gpu<D>, kernel: u32, ctas: u32| -> Result<(), String> {
        gpu.write_words(results, 0, &vec![0; 16 + words as usize])
            .map_err(said)?;
        gpu.launch(works, kernel, &grid(ctas)).map_err(said)?;
        let event = gpu.record(works);
        gpu.wait(event).map_err(said)?;
        let found = gpu.read_words(results, 16, words).map_err(said)?;
        let wanted = |n: u32| if n < ctas * ALL { 3 * n + 7 } else { 0 };
        match (0..words).find(|&n| found[n as usize] != wanted(n)) {
            Some(n) => Err(format!("{ctas} CTAs, word {n}: {:#x}", found[n as usize])),
            None => Ok(()),
        }
    };
    right(&mut gpu, slow, 3 * sms)?;
    let ended = done(&mut gpu);
    if ended.contains(&0) || ended.iter().sum::<u32>() != 3 * sms {
        return Err(format!("CTAs by SM: {ended:?}"));
    }

    // CTA n of a grid that begins on empty SMs is on SM n.
    for sm in 0..sms {
        gpu.write_words(results, 0, &[sm]).map_err(said)?;
        gpu.launch(works, bad, &grid(sms)).map_err(said)?;
        let event = gpu.record(works);
        match gpu.wait(event) {
            Err(Error::Fault(fault))
                if fault.cause
                    == (FaultCause::Unmapped {
                        address: 0x7fff_0000,
                    })
                    && fault.cta == sm => {}
            other => return Err(format!("a fault on SM {sm}: {other:?}")),
        }
    }

    // SMs 0 to n - 1 spin, and SM n by itself, which is killed alone; those behind it go on all the time.
    for n in (1..sms).filter(|n| *n != 2) {
        gpu.launch(held, spin, &grid(n)).map_err(said)?;
        let first = gpu.record(held);
        gpu.launch(alone, spin, &grid(1)).map_err(said)?;
        let one = gpu.record(alone);
        for _ in 0..40 {
            gpu.device().advance();
        }
        if n + 1 < sms {
            right(&mut gpu, good, 2)?;
        }
        gpu.kill(one).map_err(said)?;
        let killed = gpu.wait(one);
        if !matches!(killed, Err(Error::Killed { .. })) {
            return Err(format!("SM {n} alone: {killed:?}"));
        }
        let before = done(&mut gpu);
        right(&mut gpu, good, 1)?;
        let mut behind = done(&mut gpu);
        behind[n as usize] -= 1;
        if behind != before {
            return Err(format!(
                "SM {n} is not the one that works: {before:?}, {behind:?}"
            ));
        }
        gpu.kill(first).map_err(said)?;
        let killed = gpu.wait(first);
        if !matches!(killed, Err(Error::Killed { .. })) {
            return Err(format!("SMs 0 to {n}: {killed:?}"));
        }
    }
    right(&mut gpu, good, 3 * sms)?;
    gpu.synchronize().map_err(said)
}

#[test]
fn each_sm_of_the_golden_gpu_works_by_itself() {
    for sms in 1..=8 {
        let golden = weft_driver::Golden::new(size(sms), 1 << 20);
        work_by_themselves(golden).unwrap_or_else(|e| panic!("{sms} SMs: {e}"));
    }
}

#[test]
#[ignore = "a model of its own for each number of SMs: cargo xtask long many-sms"]
fn each_sm_works_by_itself() {
    for sms in sizes() {
        for options in [
            memory(Latency::Fixed(20), 0, 1),
            memory(Latency::Random(40), 30, 2),
        ] {
            hardware(sms, &options, None)
                .and_then(work_by_themselves)
                .unwrap_or_else(|e| panic!("{sms} SMs, {options:?}: {e}"));
        }
    }
}

/// Registers of each SM, domains, and a memory that falls silent: as with one SM.
#[test]
#[ignore = "a model of its own for each number of SMs: cargo xtask long many-sms"]
fn what_one_sm_does_several_do() {
    let usual = GpuOptions {
        memory: 4 << 20,
        ..GpuOptions::default()
    };
    for sms in sizes() {
        let open = || hardware(sms, &usual, None).expect("weft_gpu");
        registers::are_those_of_the_table(open());
        let told = domains::are_kept_apart(open()).unwrap_or_else(|e| panic!("{sms} SMs: {e}"));
        assert!(told > 40, "{sms} SMs: {told}");
        let told = silent::is_told(size(sms), 20, 61, None);
        let told = told.unwrap_or_else(|e| panic!("{sms} SMs: {e}"));
        assert!(told > 10, "{sms} SMs: {told}");
    }
}
