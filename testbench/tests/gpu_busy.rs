//! Launches while SMs keep the memory busy: the figures of docs/spec/tasks.md, *Beside a busy SM*.
//!
//! `cargo test -p weft-testbench --test gpu_busy -- --ignored --nocapture` prints them; the model of two SMs takes
//! minutes to make.

use std::collections::BTreeMap;
use weft_sim::host::descriptor::word::STATE;
use weft_sim::host::registers::at;
use weft_sim::host::Descriptor;
use weft_testbench::gpu::program::{
    prepared, HostProgram, Times, SPAWN, SPAWN_WORDS, TASKS, TICKET,
};
use weft_testbench::gpu::{GpuOptions, VerilatedGpu};

/// Arguments of who is busy, of who launches a child, of who launches three.
const BUSY: u32 = 0x1_0000;
const PARENT: u32 = 0x1_0040;
/// 17 KiB: more than four times what the data cache holds.
const DATA: u32 = 0x1_2000;
const CHILDREN: u32 = 0x1_e000;
/// Doorbells of a run.
const TIMES: u32 = 3;
const MOST_CYCLES: u64 = 400_000;

/// Arguments: what those do that are busy, 0 nothing with memory, 1 loads, 2 stores; how often; launches by thread 0 of
/// the CTA, whose other warps are busy.
///
/// Each round of a busy thread is four lines of its own, of which the cache has none.
const KERNEL: &str = "
_start: lw s1, 0(a2)
        lw s2, 4(a2)
        lw s3, 8(a2)
        csrr s0, 0xCC9
        bnez s0, busy
        beqz s3, busy
        bnez a0, end
        li s4, CHILDREN
next:   li t0, 100
delay:  addi t0, t0, -1
        bnez t0, delay
        li t0, SPAWN
        li t2, TICKET
        li t4, 1
        fence
        amoadd.w t5, t4, (t2)
        andi t5, t5, MASK
        slli t5, t5, 2
        add t5, t5, t0
spawn:  sw s4, 0(t5)
        addi s4, s4, 128
        addi s3, s3, -1
        bnez s3, next
end:    ecall
busy:   csrr s7, 0xCC8
        slli s7, s7, 6
        li t0, DATA
        add s7, s7, t0
        li s6, 0
        li s5, 0x3fff
        li t0, 1
        beq s1, t0, loads
        bnez s1, stores
spins:  addi s2, s2, -1
        bnez s2, spins
        ecall
loads:  add t1, s7, s6
        lw t3, 0(t1)
        lw t4, 1024(t1)
        addi t2, t1, 2044
        lw t5, 4(t2)
        lw t6, 1028(t2)
        li t0, 4096
        add s6, s6, t0
        and s6, s6, s5
        addi s2, s2, -1
        bnez s2, loads
        ecall
stores: add t1, s7, s6
        sw s2, 0(t1)
        sw s2, 1024(t1)
        addi t2, t1, 2044
        sw s2, 4(t2)
        sw s2, 1028(t2)
        li t0, 4096
        add s6, s6, t0
        and s6, s6, s5
        addi s2, s2, -1
        bnez s2, stores
        ecall
child:  ecall
";

/// What the busy ones do, with how many rounds.
const WAYS: [(&str, u32, u32); 3] = [("nothing", 0, 4_000), ("loads", 1, 300), ("stores", 2, 600)];

fn task(pc: u32, threads: u32, arguments: u32) -> Descriptor {
    Descriptor {
        pc,
        grid: [1; 3],
        cta: [threads, 1, 1],
        arguments,
        local: 64,
        ..Descriptor::default()
    }
}

/// The program, with what the busy ones do and how many launches thread 0 of their CTA makes.
fn host(sms: usize, way: u32, rounds: u32, launches: u32) -> HostProgram {
    let source = KERNEL
        .replace("CHILDREN", &CHILDREN.to_string())
        .replace("SPAWN", &SPAWN.to_string())
        .replace("TICKET", &TICKET.to_string())
        .replace("MASK", &(SPAWN_WORDS - 1).to_string())
        .replace("DATA", &DATA.to_string());
    let program = weft_isa::assemble(&source, "busy.s").unwrap_or_else(|e| panic!("{e:?}"));
    let host = HostProgram::new(program).with_sms(sms);
    let (start, child) = (host.kernel("_start"), host.kernel("child"));
    let children = (0..TIMES).fold(host, |host, n| {
        host.with_task(CHILDREN + 128 * n, &task(child, 8, 0))
    });
    children
        .with_words(BUSY, vec![way, rounds, launches])
        .with_words(PARENT, vec![0, 0, 1])
        .launch_only(&task(start, 16, BUSY))
}

/// Rings for the first entry, and then for the others when `ready` says that the one before is over, some cycles later.
/// The cycles of the doorbells.
fn ring(
    host: &HostProgram,
    ready: impl Fn(&VerilatedGpu, &Times, u32) -> bool,
) -> Result<(Vec<u64>, Times), String> {
    let (mut gpu, times) = prepared(host, &GpuOptions::default(), None)?;
    let mut doorbells = Vec::new();
    for entry in 1..=host.blocks.len() as u32 {
        doorbells.push(gpu.cycles());
        gpu.set(at::channel(0, at::GP_PUT), entry)?;
        let pause = if entry == 1 { 3_000 } else { 200 + 37 * entry };
        let begin = gpu.cycles();
        while !ready(&gpu, &times.borrow(), entry) {
            gpu.cycle()?;
            if gpu.cycles() - begin > MOST_CYCLES {
                return Err(format!("entry {entry} is not over"));
            }
        }
        for _ in 0..pause {
            gpu.cycle()?;
        }
    }
    let times = times.borrow().clone();
    Ok((doorbells, times))
}

/// For each of `from` the cycles to the first of `to` behind it.
fn spans(from: &[u64], to: &[u64]) -> Vec<u64> {
    let after = |from: &u64| to.iter().find(|to| *to > from).expect("it comes") - from;
    from.iter().map(after).collect()
}

fn loads(times: &Times, tasks: std::ops::Range<u32>) -> Vec<u64> {
    times.loads(tasks).map(|(cycle, _)| cycle).collect()
}

fn issues(host: &HostProgram, times: &Times, label: &str) -> Vec<u64> {
    let pc = host.kernel(label);
    let of = times.issues.iter().filter(|(_, at)| *at == pc);
    of.map(|(cycle, _)| *cycle).collect()
}

/// Means in the quiet, and beside each way to be busy.
#[derive(Default)]
struct Figures(BTreeMap<&'static str, Vec<f64>>);

impl Figures {
    fn add(&mut self, what: &'static str, spans: &[u64]) {
        let mean = spans.iter().sum::<u64>() as f64 / spans.len() as f64;
        println!("{what}: {spans:?}");
        self.0.entry(what).or_default().push(mean);
    }

    fn print(&self) {
        for (what, means) in &self.0 {
            print!("{what} | {:.0}", means[0]);
            for mean in &means[1..] {
                print!(" | {mean:.0}, {:.2}", mean / means[0]);
            }
            println!();
        }
    }
}

fn is_loaded(times: &Times, entry: u32) -> bool {
    let task = TASKS + 128 * (entry - 1);
    times.loads(task..task + 1).next().is_some()
}

fn measure(sms: usize, figures: &mut Figures) -> Result<(), String> {
    for (_, way, rounds) in WAYS {
        let child = |host: &HostProgram| host.kernel("child");
        if sms == 1 {
            // Entries behind the first wait in slots while its CTA runs.
            let mut of = host(1, way, rounds, 0);
            let task = task(child(&of), 8, 0);
            for _ in 0..TIMES {
                of = of.launch_only(&task);
            }
            let (doorbells, times) = ring(&of, |_, times, entry| is_loaded(times, entry))?;
            let waiting = TASKS + 128..TASKS + 128 * (1 + TIMES);
            let loaded = loads(&times, waiting);
            figures.add("1 SM, doorbell to LOAD", &spans(&doorbells[1..], &loaded));

            let of = host(1, way, rounds, TIMES);
            let all = CHILDREN..CHILDREN + 128 * TIMES;
            let (_, times) = ring(&of, |_, times, _| {
                times.loads(all.clone()).count() == TIMES as usize
            })?;
            let (stores, loads) = (issues(&of, &times, "spawn"), loads(&times, all));
            figures.add("1 SM, store of a thread to LOAD", &spans(&stores, &loads));
            continue;
        }
        // The first CTA is on SM 0, and those of the others on SM 1.
        let mut of = host(sms, way, rounds, 0);
        let quick = task(child(&of), 8, 0);
        for _ in 0..TIMES {
            of = of.launch_only(&quick);
        }
        let begins = |times: &Times, pc: u32| times.issues.iter().any(|(_, at)| *at == pc);
        let (busy, pc) = (of.kernel("busy"), child(&of));
        let (doorbells, times) = ring(&of, |gpu, times, entry| match entry {
            1 => begins(times, busy),
            // STATE is 0 again.
            _ => is_loaded(times, entry) && gpu.word(TASKS + 128 * (entry - 1) + 4 * STATE) == 0,
        })?;
        let firsts = issues(&of, &times, "child");
        let spans_of = spans(&doorbells[1..], &firsts);
        figures.add("2 SMs, doorbell to first instruction", &spans_of);

        let mut of = host(sms, way, rounds, 0);
        let parent = task(of.kernel("_start"), 1, PARENT);
        for _ in 0..TIMES {
            of = of.launch_only(&parent);
        }
        let (_, times) = ring(&of, |gpu, times, entry| match entry {
            1 => begins(times, busy),
            _ => {
                let children = times.issues.iter().filter(|(_, at)| *at == pc).count() as u32;
                // Two warps of each child.
                children == 2 * (entry - 1) && gpu.word(CHILDREN + 4 * STATE) == 0
            }
        })?;
        let (stores, firsts) = (issues(&of, &times, "spawn"), issues(&of, &times, "child"));
        let what = "2 SMs, store of a thread to first instruction of the child";
        figures.add(what, &spans(&stores, &firsts));
    }
    Ok(())
}

#[test]
#[ignore = "figures, with a model of its own for two SMs"]
fn cycles_beside_a_busy_sm() {
    let mut figures = Figures::default();
    for sms in [1, 2] {
        measure(sms, &mut figures).unwrap_or_else(|e| panic!("{sms} SMs: {e}"));
    }
    let ways = WAYS.map(|(way, ..)| way);
    println!("from, to | {}", ways.join(" | "));
    figures.print();
    // Busy memory costs something, and not without bound.
    for (what, means) in &figures.0 {
        assert!(means.iter().all(|mean| *mean < 20.0 * means[0]), "{what}");
    }
}
