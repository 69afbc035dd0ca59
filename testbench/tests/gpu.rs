//! The whole GPU: kernels through a channel, by threads, and by both, with the memory of the golden GPU.

#[path = "support/domains.rs"]
mod domains;
#[path = "support/doorbell.rs"]
mod doorbell;
#[path = "support/forged.rs"]
mod forged;
#[path = "support/kill.rs"]
mod kill;
#[path = "support/mixes.rs"]
mod mixes;
#[path = "support/picture.rs"]
mod picture;
#[path = "support/pictures.rs"]
mod pictures;
#[path = "support/places.rs"]
mod places;
#[path = "support/registers.rs"]
mod registers;
#[path = "support/silent.rs"]
mod silent;
#[path = "support/wrong.rs"]
mod wrong;

use weft_driver::{Device, Error, Golden, Gpu, Grid, Settings};
use weft_sim::host::registers::at;
use weft_sim::host::Descriptor;
use weft_sim::FaultCause;
use weft_testbench::gpu::device::TINY;
use weft_testbench::gpu::program::{
    one_by_one, prepared, run, run_again, until, HostProgram, Times, SPAWN, SPAWN_WORDS, TICKET,
};
use weft_testbench::gpu::{random, GpuOptions, VerilatedGpu};
use weft_testbench::rtl::{broken, faults};
use weft_testbench::sm::memory::AxiTiming;
use weft_testbench::tasks::device::kind;
use weft_testbench::tasks::Cover;
use weft_testbench::timing::Latency;

/// Random programs in the gate, and how many it takes until all that is counted has happened.
const PROGRAMS: u64 = 4;
const COUNTED: u64 = 24;
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
wait:   lr.w t6, (t5)
        bnez t6, wait
spawn:  sc.w t6, t3, (t5)
        bnez t6, wait
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
        .launch(&task(pc, ctas, threads, ARGUMENTS))
}

fn nested(parents: u32, ctas: u32, threads: u32) -> HostProgram {
    let host = program(NESTED);
    let (pc, child) = (host.kernel("_start"), host.kernel("child"));
    host.with_words(ARGUMENTS, vec![SPAWN, SPAWN_WORDS - 1, TICKET, CHILD, DATA])
        .with_words(CHILD, task(child, ctas, threads, DATA).words().to_vec())
        .launch(&task(pc, parents, threads, ARGUMENTS))
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
}

/// A doorbell in the very cycle of a completion, of a release and of going idle, in its channel and in another one.
#[test]
fn a_doorbell_in_each_cycle_around_an_end() {
    for channels in [1, 2] {
        let met = doorbell::around_an_end(channels, None).unwrap();
        println!(
            "{channels} channels, {} launches: doorbell in the cycle of a completion {}, of a release {}; answered within {}",
            met.launches, met.completions, met.releases, met.longest
        );
        assert!(met.completions > 0 && met.releases > 0, "{met:?}");
    }
}

/// All CSRs of numbers, places and sizes, and a0, a1.
#[test]
fn threads_know_who_they_are() {
    places::are_right(None).unwrap();
}

/// A wrong word in each kind of structure.
#[test]
fn what_is_wrong_is_told_and_nothing_else_is_touched() {
    let cases = wrong::are_told(None).unwrap();
    println!("{cases} cases");
}

/// A task that waits is written over, and what lies in local memory is launched.
#[test]
fn what_threads_forge_harms_nobody_else() {
    forged::harms_nobody().unwrap();
}

/// Every 61st cycle of a run with a launch by a thread: in entry, command, descriptor, fetch, instructions, spawn ring.
#[test]
fn a_reset_while_it_runs() {
    let host = nested(1, 2, 13);
    let resets: Vec<u64> = (5..1200).step_by(61).collect();
    run_again(&host, &GpuOptions::default(), &resets).unwrap();
}

/// Arguments value, then flags: CTA c reads the value, puts it into word 16 + c, and ends when word 32 + c is not 0.
const READS: &str = "
_start: csrr t0, 0xCC3
        lw t1, 0(a2)
        slli t2, t0, 2
        add t2, t2, a2
        sw t1, 64(t2)
        addi t2, t2, 128
wait:   amoadd.w t3, x0, (t2)
        beqz t3, wait
        ecall
";

/// GPU-030: three CTAs of two warps, two of which fit at a time. The host changes the value while both run, lets the
/// second one end, and the third sees the new value, though the SM was never empty.
///
/// MEM-017: both wait by AMOs that change nothing, and what the host writes in the midst of them stays.
fn a_cta_sees_what_was_there(fault: Option<&str>) -> Result<(), String> {
    let host = program(READS);
    let pc = host.kernel("_start");
    let host = host
        .with_words(ARGUMENTS, vec![7])
        .launch(&task(pc, 3, 8, ARGUMENTS));
    let (mut gpu, _) = prepared(&host, &GpuOptions::default(), fault)?;
    gpu.set(at::channel(0, at::GP_PUT), 1)?;
    let result = |cta: u32| ARGUMENTS + 64 + 4 * cta;
    let flag = |cta: u32| ARGUMENTS + 128 + 4 * cta;
    until(&mut gpu, result(0), 7)?;
    until(&mut gpu, result(1), 7)?;
    // The MEMBAR of the block is over.
    for _ in 0..200 {
        gpu.cycle()?;
    }
    gpu.write_words(ARGUMENTS, &[8]);
    gpu.write_words(flag(1), &[1]);
    until(&mut gpu, result(2), 8).map(drop)
}

#[test]
fn a_cta_sees_what_was_there_when_it_started() {
    a_cta_sees_what_was_there(None).unwrap();
}

/// Arguments CTA, thread: this one has a fault, when it has set word 16; all other CTAs wait for that.
const FAULTY: &str = "
_start: csrr t0, 0xCC3
        lw t1, 0(a2)
        addi t2, a2, 64
        bne t0, t1, wait
        csrr t0, 0xCC8
        lw t1, 4(a2)
        bne t0, t1, end
        li t3, 1
        amoadd.w x0, t3, (t2)
        fence
bad:    lw t3, 0(x0)
wait:   amoadd.w t3, x0, (t2)
        beqz t3, wait
end:    ecall
";

/// TASK-064: as many CTAs as the SM has room for, the last of which has the fault: so it stands behind all others, whose
/// warps are full or not.
fn whose_fault<D: Device>(device: D) -> Result<(), String> {
    let mut gpu = Gpu::open_with(device, Settings::default()).map_err(|e| e.to_string())?;
    let program = weft_isa::assemble(FAULTY, "faulty.s").map_err(|e| format!("{e:?}"))?;
    let module = gpu.load_program(&program).map_err(|e| e.to_string())?;
    let arguments = gpu.allocate(128).map_err(|e| e.to_string())?;
    let stream = gpu.stream().map_err(|e| e.to_string())?;
    let cases: [(u32, u32); 8] = [
        (1, 0),
        (3, 2),
        (4, 3),
        (5, 4),
        (7, 2),
        (7, 6),
        (8, 7),
        (13, 12),
    ];
    for (threads, thread) in cases {
        let what = format!("CTAs of {threads} threads, {thread} has the fault");
        let warps = threads.div_ceil(4);
        let ctas = 4 / warps;
        let mut words = [0; 32];
        words[..2].copy_from_slice(&[ctas - 1, thread]);
        let written = gpu.write_words(arguments, 0, &words);
        written.map_err(|e| e.to_string())?;
        let grid = Grid::of(ctas, threads).with_arguments(arguments.address());
        let launched = gpu.launch(stream, module.entry(), &grid);
        launched.map_err(|e| e.to_string())?;
        let fault = match gpu.synchronize() {
            Err(Error::Fault(fault)) => fault,
            other => return Err(format!("{what}: {other:?}")),
        };
        let is = (fault.cta, fault.warp, fault.thread, fault.pc);
        if is != (ctas - 1, thread / 4, thread, program.symbols["bad"])
            || fault.cause != (FaultCause::Unmapped { address: 0 })
        {
            return Err(format!("{what}: {fault}"));
        }
        gpu.synchronize().map_err(|e| format!("{what}: {e}"))?;
    }
    Ok(())
}

fn whose_fault_in_hardware(fault: Option<&str>) -> Result<(), String> {
    let gpu = VerilatedGpu::open_copy(TINY, &GpuOptions::default(), fault);
    whose_fault(gpu.map_err(|e| e.to_string())?)
}

#[test]
fn a_fault_is_told_with_warp_and_thread_of_its_cta() {
    whose_fault(Golden::new(TINY, 1 << 20)).expect("the golden model");
    whose_fault_in_hardware(None).expect("weft_gpu");
}

/// HOST and TASK registers: of the golden GPU and of the hardware at every address (protocol/registers.toml).
#[test]
fn registers_are_those_of_the_table() {
    registers::are_those_of_the_table(Golden::new(TINY, 1 << 20));
    registers::are_those_of_the_table(
        VerilatedGpu::open(&GpuOptions::default()).expect("weft_gpu"),
    );
}

/// TASK-130 to TASK-133, SM-034; the first moments are while the kernel starts.
#[test]
fn kernels_without_an_end_are_ended() {
    let golden = kill::are_ended(Golden::new(TINY, 1 << 20), 6, 1).expect("the golden model");
    let hardware = kill::in_hardware(None).expect("weft_gpu");
    println!("{golden} kernels on the golden GPU, {hardware} on weft_gpu");
}

/// HOST-004, MEM-007, MEM-008, MEM-053 on `weft_gpu`, or a broken copy of it.
fn domains_in_hardware(fault: Option<&str>) -> Result<u32, String> {
    let gpu = VerilatedGpu::open_copy(TINY, &GpuOptions::default(), fault);
    domains::are_kept_apart(gpu.map_err(|e| e.to_string())?)
}

#[test]
fn domains_are_kept_apart() {
    let golden = domains::are_kept_apart(Golden::new(TINY, 1 << 20)).expect("the golden model");
    let hardware = domains_in_hardware(None).expect("weft_gpu");
    assert_eq!(golden, hardware);
    println!("{hardware} accesses outside of a window, each told");
}

/// GPU-060 to GPU-062.
#[test]
fn a_memory_that_is_silent_is_told() {
    let told = silent::is_told(TINY, 40, 37, None).unwrap_or_else(|e| panic!("{e}"));
    println!("40 moments, something was under way at {told} of them");
    assert!(told > 20);
}

/// docs/kernel.md; `MIXES`: so many on the golden GPU and a tenth of them in hardware, from mix `MIX_FIRST` of seed
/// `MIX_SEED` on.
#[test]
fn others_go_on_beside_a_hostile_stream() {
    let number = |name, usual| std::env::var(name).map_or(usual, |n| n.parse().expect(name));
    let (seed, first) = (number("MIX_SEED", 1), number("MIX_FIRST", 0));
    let mixes = number("MIXES", 100);
    let golden = mixes::go_on(seed, first..first + mixes, || {
        Ok(Golden::new(TINY, 1 << 20))
    });
    let golden = golden.unwrap_or_else(|e| panic!("golden GPU: {e}"));
    println!("golden: {golden:#?}");
    let hardware = mixes::go_on(seed, first..first + mixes.div_ceil(10), || {
        VerilatedGpu::open(&GpuOptions::default()).map_err(|e| e.to_string())
    });
    let hardware = hardware.unwrap_or_else(|e| panic!("weft_gpu: {e}"));
    println!("weft_gpu: {hardware:#?}");
    let kinds = ["fault", "time limit"];
    let seen = |kind: &&str| golden.keys().any(|told| told.ends_with(*kind));
    assert!(mixes < 100 || kinds.iter().all(seen), "{golden:?}");
}

/// `GPU_PROGRAMS`: so many, from program `GPU_FIRST` on. Other numbers of SMs: `cargo weft cosim --unit gpu`.
#[test]
fn random_host_programs_agree() {
    let number = |name, usual| std::env::var(name).map_or(usual, |n| n.parse().expect(name));
    let (first, programs) = (number("GPU_FIRST", 0), number("GPU_PROGRAMS", PROGRAMS));
    let mut cover = Cover::default();
    for index in first..first + programs {
        random::cosim(1, index, &[1], &mut cover)
            .unwrap_or_else(|e| panic!("program {index}: {e}"));
    }
    assert!(cover.count("round of a GPU-owned channel") > 0 || first > 0);
    println!("{cover}");
    let missing = cover.missing(random::wanted(&[1]));
    assert!(programs < COUNTED || missing.is_empty(), "{missing:?}");
}

/// With `GPU_FAULTS=all`; without it only that the copies can be made. They are in one model, of a minute and a half.
#[test]
fn broken_copies_are_noticed() {
    let mut copies = faults::of(weft_generate::Unit::Gpu);
    copies.retain(|(design, _)| design.value("sms") == 1);
    for (design, _) in &copies {
        let verilog = weft_generate::verilog(design).expect("weft_gpu");
        let fits = broken::breakable(broken::of_design(design), &verilog.bundle());
        fits.unwrap_or_else(|error| panic!("{error}"));
    }
    let copies = faults::chosen(copies, "GPU_FAULTS", "");
    for (_, fault) in faults::prepare(copies).expect("broken copies") {
        let name = Some(fault.name.as_str());
        let found = run(&vecadd(13, 1, 13), &GpuOptions::default(), name)
            .map(|_| ())
            .and_then(|()| a_cta_sees_what_was_there(name))
            .and_then(|()| whose_fault_in_hardware(name))
            .and_then(|()| places::are_right(name))
            .and_then(|()| wrong::are_told(name).map(drop))
            .and_then(|()| kill::in_hardware(name).map(drop))
            .and_then(|()| domains_in_hardware(name).map(drop))
            .and_then(|()| silent::is_told(TINY, 40, 37, name).map(drop))
            .and_then(|()| doorbell::around_an_end(1, name).map(drop))
            .and_then(|()| doorbell::around_an_end(2, name).map(drop));
        println!("{}: {found:?}", fault.name);
        assert!(found.is_err(), "{}: {}", fault.name, fault.breaks);
    }
}

/// `-- --nocapture` shows the figures of docs/spec/gpu.md.
#[test]
fn cycles_of_a_launch() {
    let options = GpuOptions::default();
    let host = vecadd(8, 1, 8);
    let times = run(&host, &options, None).unwrap();
    let (first, last) = times.span(0..u32::MAX).expect("instructions");
    assert!(times.doorbell < first && last < times.completed && times.completed < times.over);
    println!("doorbell to first instruction {}", first - times.doorbell);
    // The goal of docs/spec/gpu.md.
    assert!(first - times.doorbell < 200);
    let first_of = |wanted| times.tasks.iter().find(|(_, kind, _)| *kind == wanted);
    let [inserted, loaded, started] =
        [kind::INSERT, kind::LOAD, kind::START].map(|k| first_of(k).expect("a step").0);
    let of_way = [
        ("entry executed", times.steps[0]),
        ("INSERT", inserted),
        ("LOAD", loaded),
        ("START", started),
        ("first instruction", first),
    ];
    let mut before = times.doorbell;
    for (what, cycle) in of_way {
        println!("  {what} {} later", cycle - before);
        before = cycle;
    }
    println!("last instruction to completion {}", times.completed - last);
    println!(
        "last instruction to release after idle {}",
        times.over - last
    );

    let host = nested(1, 1, 8);
    let (spawn, child) = (host.kernel("spawn"), host.kernel("child"));
    let times = run(&host, &options, None).unwrap();
    let (_, stored) = times.span(spawn..spawn + 4).expect("the store");
    let (first, _) = times.span(child..child + 4).expect("the child");
    assert!(stored < first);
    println!(
        "SC of a thread to first instruction of the child {}",
        first - stored
    );

    let pc = host.kernel("child");
    let host = program(NESTED);
    let host = host
        .launch_only(&task(pc, 1, 8, DATA))
        .launch_only(&task(pc, 1, 8, DATA));
    let (seen, times) = one_by_one(&host, &options).unwrap();
    let before = times.issues.iter().filter(|(cycle, _)| *cycle < seen[0]);
    let (last, _) = before.clone().next_back().expect("the first kernel");
    let (first, _) = times.issues[before.count()];
    println!(
        "last instruction, by way of the host, to first instruction {}",
        first - last
    );
}
