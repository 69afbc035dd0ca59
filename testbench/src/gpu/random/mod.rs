//! Random host programs on `weft_gpu`, compared with the golden GPU: several channels with priorities and semaphores
//! between them, doorbells at any time, rings that are full and that wrap, tasks launched by threads and as dependents,
//! tasks behind two others, queue tasks that are filled before and while they run, a GPU-owned channel with nested
//! launches, threads that run into faults, and tasks without an end, which their limit ends.
//!
//! The kernels' results do not depend on the order of what they do. Equal must be: of each channel the steps that were
//! executed, GP_GET; which CTAs have ended, and which have failed; whose each fault is that the registers tell of
//! (TASK-064); the counters; and all of memory but tokens, links of lists, STARTED, which an eviction writes, FAILED where
//! STATE says the same, and what stands where in a ring that threads have filled in any order.
//! Of the hardware, besides: each CTA starts once and ends once.

mod draw;
mod host;

use super::device::VerilatedGpu;
use super::faults;
use super::program::{MEMORY, TOKENS};
use crate::case::case_seed;
use crate::tasks::device::kind;
use crate::tasks::Cover;
use draw::Random;
use host::{Golden, Record};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use weft_sim::host::registers::at;
use weft_sim::host::Gpu;
use weft_sim::memory::MEMORY_BASE;

const ON_TWO_SMS: &str = "CTAs on more than one SM";
const BEHIND_THE_FOURTH: &str = "CTAs on an SM behind the fourth";

const KINDS: [&str; 24] = [
    "full ring",
    "wrap",
    "doorbell while it works",
    "acquire that waits",
    "release after idle",
    "MEMBAR",
    "WAIT_FOR_IDLE",
    "launch by a thread",
    "launch by a thread that finds its word taken",
    "launch as a dependent",
    "task behind two others",
    ON_TWO_SMS,
    BEHIND_THE_FOURTH,
    "eviction",
    "channels of three priorities",
    "queue that is full before",
    "queue that CTAs add to",
    "round of a GPU-owned channel",
    "nested in a GPU-owned channel",
    "second round of a GPU-owned channel",
    "fault of a thread",
    "fault in another warp than the first",
    "fault in a warp that stands on another slot",
    "task that is killed, its time is over",
];

/// What must have happened in a run of some dozens of programs on these numbers of SMs.
pub fn wanted(sms: &[usize]) -> impl Iterator<Item = &'static str> {
    let most = sms.iter().copied().max().unwrap_or(0);
    KINDS.into_iter().filter(move |kind| match *kind {
        ON_TWO_SMS => most > 1,
        BEHIND_THE_FOURTH => most > 4,
        _ => true,
    })
}

/// Runs the program of this number with so many SMs on both.
///
/// # Errors
/// What is different.
pub fn run(seed: u64, sms: usize, fault: Option<&str>, cover: &mut Cover) -> Result<(), String> {
    let random = Random::new(seed, sms, cover);
    let channels = random.size.channels;
    let mut golden = Golden {
        gpu: Gpu::new(random.size, MEMORY),
        record: Record {
            steps: vec![Vec::new(); channels],
            ..Record::default()
        },
    };
    golden.gpu.share_lines(seed);
    random
        .drive(&mut golden, &mut |_| (), &mut Cover::default())
        .map_err(|e| format!("golden GPU: {e}"))?;

    let gpu = VerilatedGpu::open_copy(random.size, &random.options, fault);
    let mut gpu = gpu.map_err(|e| format!("weft_gpu: {e}"))?;
    let record = Rc::new(RefCell::new(Record {
        steps: vec![Vec::new(); channels],
        ..Record::default()
    }));
    let (sees, tells) = (record.clone(), record.clone());
    let faults = random.program.symbols["bad"]..random.program.symbols["count"];
    let taken = random.program.symbols["taken"];
    gpu.observe(move |cycle, seen| {
        let record = &mut *sees.borrow_mut();
        for (sm, issue) in seen.issues.iter().enumerate() {
            record.taken += u64::from(issue.is_some_and(|(_, pc)| pc == taken));
            if let Some((slot, _)) = issue.filter(|(_, pc)| faults.contains(pc)) {
                record.faulty.push((sm, slot));
            }
        }
        if let Some(step) = &seen.step {
            match step.result {
                0 => record.steps[step.channel].push((
                    step.is_command,
                    step.get,
                    step.address,
                    step.word,
                )),
                1 => record.waits += 1,
                _ => record.errors.push(format!("cycle {cycle}: {step:x?}")),
            }
        }
        if let Some(step) = &seen.task {
            match step.kind {
                kind::INSERT => record.sources[step.source as usize] += 1,
                kind::LOAD => record.slots[step.slot] = step.task,
                kind::START => record.start(record.slots[step.slot], step.cta, step.sm),
                kind::END => record.end(step.task, step.cta, step.flag),
                kind::EVICT => record.evictions += 1,
                _ => (),
            }
            if step.code != 0 && matches!(step.kind, kind::INSERT | kind::LOAD) {
                record.errors.push(format!("cycle {cycle}: {step:x?}"));
            }
        }
    });
    let mut told = |told| tells.borrow_mut().told(told);
    random.drive(&mut gpu, &mut told, cover)?;
    // What follows only reads registers: no step.
    let record = std::mem::take(&mut *record.borrow_mut());
    compare(&random, &mut golden, &mut gpu, &record)?;
    let told = record.told.iter();
    let others = told.clone().filter(|told| told.fault.warp > 0).count();
    let more = |what: &str, times: u64, cover: &mut Cover| {
        if times > 0 {
            cover.saw(what);
        }
    };
    more("acquire that waits", record.waits, cover);
    more("eviction", record.evictions, cover);
    let what = "launch by a thread that finds its word taken";
    more(what, record.taken, cover);
    more("fault of a thread", told.count() as u64, cover);
    more("fault in another warp than the first", others as u64, cover);
    let what = "fault in a warp that stands on another slot";
    more(what, record.elsewhere, cover);
    let used = record.sms.iter().filter(|ctas| **ctas > 0).count();
    more(ON_TWO_SMS, (used > 1).into(), cover);
    more(BEHIND_THE_FOURTH, record.sms[4..].iter().sum(), cover);
    cover.saw(format!("on {sms} SMs"));
    Ok(())
}

fn compare(
    random: &Random,
    golden: &mut Golden,
    gpu: &mut VerilatedGpu,
    record: &Record,
) -> Result<(), String> {
    if let Some(error) = record.errors.first().or(golden.record.errors.first()) {
        return Err(error.clone());
    }
    for (c, (is, wanted)) in record.steps.iter().zip(&golden.record.steps).enumerate() {
        let n = (0..is.len().max(wanted.len())).find(|&n| is.get(n) != wanted.get(n));
        if let Some(n) = n {
            let (is, wanted) = (is.get(n), wanted.get(n));
            return Err(format!("channel {c}, step {n}: {is:x?}, not {wanted:x?}"));
        }
    }
    let often = |all: &BTreeMap<(u32, u32), u32>| all.iter().find(|(_, n)| **n != 1).map(|x| *x.0);
    if let Some((task, cta)) = often(&record.starts).or(often(&record.ends)) {
        return Err(format!("CTA {cta} of {task:#x} starts or ends not once"));
    }
    if record.ends != golden.record.ends || record.starts != record.ends {
        return Err("other CTAs have run".into());
    }
    if record.failed != golden.record.failed {
        return Err("other CTAs have failed".into());
    }
    faults::compare(&record.told, golden.gpu.failures())?;
    let mut registers = vec![
        at::COMMANDS,
        at::ENTRIES,
        at::LAUNCHES,
        at::SPAWNS,
        at::DEPENDENTS,
        at::CTAS,
        at::CTAS_DONE,
        at::TASKS_DONE,
        at::INTERRUPT,
    ];
    registers.extend((0..random.size.channels).flat_map(|c| {
        [at::GP_GET, at::GP_PUT, at::LIMIT, at::DONE].map(|register| at::channel(c, register))
    }));
    for register in registers {
        let (is, wanted) = (gpu.get(register)?, golden.gpu.read(register));
        if is != wanted {
            return Err(format!(
                "register {register:#x} is {is:#x}, not {wanted:#x}"
            ));
        }
    }
    for at in (MEMORY_BASE..TOKENS).step_by(4) {
        let wanted = golden.gpu.memory.read_u32(at);
        let wanted = wanted.map_err(|_| format!("golden: no memory at {at:#x}"))?;
        let is = gpu.word(at);
        if is != wanted && !random.open.contains(&at) {
            return Err(format!("the word at {at:#x} is {is:#x}, not {wanted:#x}"));
        }
    }
    Ok(())
}

/// Runs the program of this number, with these numbers of SMs in turn.
///
/// # Errors
/// As [`run`].
pub fn cosim(seed: u64, index: u64, sms: &[usize], cover: &mut Cover) -> Result<(), String> {
    let sms = sms[index as usize % sms.len()];
    let done = run(case_seed(seed, index), sms, None, cover);
    done.map_err(|e| format!("{sms} SMs: {e}"))
}
