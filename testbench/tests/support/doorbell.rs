//! A stream of launches whose doorbells fall into each cycle around the end of the launch before: in that of its
//! completion, of its release, and of going idle, which is between these (HOST-012, HOST-013, HOST-070, TASK-080).

use super::{program, task};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::{Range, RangeInclusive};
use std::rc::Rc;
use weft_sim::host::front::command::{self, header};
use weft_sim::host::registers::at;
use weft_sim::host::Descriptor;
use weft_testbench::gpu::cycle::FrontStep;
use weft_testbench::gpu::device::QUIET;
use weft_testbench::gpu::program::{prepared, BLOCKS, ENTRIES, RING, TASKS};
use weft_testbench::gpu::{GpuOptions, VerilatedGpu};
use weft_testbench::tasks::device::kind::{COMPLETE, INSERT};

/// What must be hit: each cycle around a completion, to beyond its release, and around a release those that are near.
/// (Which is delayed by a doorbell that comes while its step needs words of the channel: so some distances cannot be.)
const COMPLETION: RangeInclusive<i64> = -60..=170;
const RELEASE: RangeInclusive<i64> = -3..=20;
/// Cycles from the last instruction to a doorbell that comes before the completion, which is not always as far from it:
/// they are tried in these strides, until all is hit.
const BEFORE: Range<u64> = 40..132;
const STRIDES: [u64; 8] = [1, 7, 11, 13, 17, 19, 23, 29];
/// A word of each launch, which its threads count.
const COUNTS: u32 = 0x1_1000;
/// Two words of each launch: its completion, its release.
const SEMAPHORES: u32 = 0x2_4000;
const THREADS: u32 = 5;
/// The port needs nine cycles (`hdl/src/work/host/port.rs`) and waits for those of a step that use words of channels; one
/// read of memory alone takes 20.
const ANSWER: u64 = 20;

const COUNT: &str = "
_start: li t0, 1
        amoadd.w x0, t0, (a2)
        csrr t0, 0xCC8
last:   ecall
";

/// What was seen of the launches, each in their order, in cycles.
#[derive(Default)]
struct Seen {
    ends: u64,
    inserts: Vec<u32>,
    completes: Vec<(u64, u32)>,
    /// Releases that are over.
    releases: Vec<u64>,
    wrong: Option<FrontStep>,
}

/// How many doorbells have met an event in their very cycle, and the longest time until one was answered.
#[derive(Clone, Copy, Debug)]
pub struct Met {
    pub launches: usize,
    pub completions: usize,
    pub releases: usize,
    pub longest: u64,
}

struct Stream {
    gpu: VerilatedGpu,
    seen: Rc<RefCell<Seen>>,
    pc: u32,
    /// Channels in turn.
    channels: u32,
    /// When each doorbell was offered to the port.
    doorbells: Vec<u64>,
    longest: u64,
}

impl Stream {
    fn new(channels: u32, fault: Option<&str>) -> Result<Stream, String> {
        let host = program(COUNT);
        let (mut gpu, _) = prepared(&host, &GpuOptions::default(), fault)?;
        for channel in 1..channels {
            let registers = [
                (at::BASE, RING + 64 * channel),
                (at::NUMBER, ENTRIES),
                (at::CONTROL, at::ENABLE),
            ];
            for (offset, value) in registers {
                gpu.set(at::channel(channel as usize, offset), value)?;
            }
        }
        let (seen, last) = (Rc::new(RefCell::new(Seen::default())), host.kernel("last"));
        let sees = seen.clone();
        gpu.observe(move |cycle, now| {
            let seen = &mut *sees.borrow_mut();
            let ends = now.issues.iter().flatten().filter(|(_, pc)| *pc == last);
            seen.ends += ends.count() as u64;
            match now.task {
                Some(step) if step.kind == INSERT => seen.inserts.push(step.task),
                Some(step) if step.kind == COMPLETE => seen.completes.push((cycle, step.task)),
                _ => (),
            }
            match now.step {
                Some(step) if step.result == 2 => seen.wrong = seen.wrong.or(Some(step)),
                Some(step) if step.result == 0 && step.word & 0xff == command::SEM_RELEASE => {
                    seen.releases.push(cycle);
                }
                _ => (),
            }
        });
        Ok(Stream {
            gpu,
            seen,
            pc: host.kernel("_start"),
            channels,
            doorbells: Vec::new(),
            longest: 0,
        })
    }

    /// Descriptor, block, ring and number of the entry of a launch. Those of the launch before are still in use.
    fn place(&self, launch: u32) -> (u32, u32, u32, u32) {
        let (channel, entry) = (launch % self.channels, launch / self.channels % ENTRIES);
        let place = launch % 8;
        (
            TASKS + 128 * place,
            BLOCKS + 0x100 + 64 * place,
            RING + 64 * channel,
            entry,
        )
    }

    fn doorbell(&mut self, launch: u32) -> Result<(), String> {
        let (descriptor, block, ring, entry) = self.place(launch);
        let of = Descriptor {
            completion: SEMAPHORES + 8 * launch,
            value: launch + 1,
            ..task(self.pc, 1, THREADS, COUNTS + 4 * launch)
        };
        self.gpu.write_words(descriptor, &of.words());
        let release = header(command::SEM_RELEASE, command::AFTER_IDLE);
        let words = [
            header(command::LAUNCH, 0),
            descriptor,
            release,
            SEMAPHORES + 8 * launch + 4,
            launch + 1,
        ];
        self.gpu.write_words(block, &words);
        let length = words.len() as u32;
        self.gpu.write_words(ring + 8 * entry, &[block, length]);
        let channel = (launch % self.channels) as usize;
        let begin = self.gpu.cycles();
        self.doorbells.push(begin);
        let put = (entry + 1) % ENTRIES;
        self.gpu.set(at::channel(channel, at::GP_PUT), put)?;
        self.longest = self.longest.max(self.gpu.cycles() - begin);
        Ok(())
    }

    /// A launch, and so many cycles behind what is there of so many launches then.
    fn launch(&mut self, behind: u64, there: impl Fn(&Seen, u32) -> bool) -> Result<(), String> {
        let launch = self.doorbells.len() as u32;
        let at = |e| format!("launch {launch}, {behind} cycles: {e}");
        self.doorbell(launch).map_err(at)?;
        let begin = self.gpu.cycles();
        while !there(&self.seen.borrow(), launch + 1) {
            if self.gpu.cycles() - begin > QUIET {
                return Err(at("it never ends".into()));
            }
            self.gpu.cycle().map_err(at)?;
        }
        (0..behind).try_for_each(|_| self.gpu.cycle()).map_err(at)
    }

    /// Each launch once, in order, and all that tells of it.
    fn check(&mut self) -> Result<(), String> {
        let launches = self.doorbells.len() as u32;
        for _ in 0..1_000 {
            self.gpu.cycle()?;
        }
        for launch in 0..launches {
            let (count, value) = (COUNTS + 4 * launch, launch + 1);
            let words = [count, SEMAPHORES + 8 * launch, SEMAPHORES + 8 * launch + 4];
            let are = words.map(|at| self.gpu.word(at));
            if are != [THREADS, value, value] {
                return Err(format!("launch {launch}: count, semaphores {are:?}"));
            }
        }
        let seen = self.seen.borrow();
        let order: Vec<u32> = (0..launches).map(|n| self.place(n).0).collect();
        let completes: Vec<u32> = seen.completes.iter().map(|(_, task)| *task).collect();
        if seen.inserts != order || completes != order || seen.wrong.is_some() {
            return Err(format!("not each once and in order: {:?}", seen.wrong));
        }
        drop(seen);
        for (register, wanted) in [
            (at::STATUS, 0),
            (at::LAUNCHES, launches),
            (at::TASKS_DONE, launches),
            (at::COMMANDS, 2 * launches),
            (at::TASK_ERRORS, 0),
        ] {
            let is = self.gpu.get(register)?;
            if is != wanted {
                return Err(format!("register {register:#x} is {is:#x}, not {wanted}"));
            }
        }
        Ok(())
    }

    /// Distances from events to doorbells.
    fn distances(&self, events: &[u64]) -> Vec<i64> {
        let of = |event: &u64| {
            let event = *event as i64;
            self.doorbells.iter().map(move |d| *d as i64 - event)
        };
        events.iter().flat_map(of).collect()
    }

    fn met(&self) -> Result<Met, String> {
        let seen = self.seen.borrow();
        let completes: Vec<u64> = seen.completes.iter().map(|(cycle, _)| *cycle).collect();
        let releases = self.distances(&seen.releases);
        let completions = self.distances(&completes);
        for (what, all, mut cycles) in [
            ("a completion", &completions, COMPLETION),
            ("a release", &releases, RELEASE),
        ] {
            let hit: BTreeSet<_> = all.iter().collect();
            if let Some(cycle) = cycles.find(|cycle| !hit.contains(cycle)) {
                return Err(format!("no doorbell {cycle} cycles behind {what}"));
            }
        }
        // Behind the last of those from 0 on all came to rest before the next doorbell.
        let last = *COMPLETION.end();
        let quiet = completes[last as usize] as i64;
        let rests = |release: &u64| (1..last).contains(&(*release as i64 - quiet));
        if !seen.releases.iter().any(rests) {
            return Err("the last doorbell comes before the release".into());
        }
        let same = |all: &[i64]| all.iter().filter(|distance| **distance == 0).count();
        Ok(Met {
            launches: self.doorbells.len(),
            completions: same(&completions),
            releases: same(&releases),
            longest: self.longest,
        })
    }
}

/// All launches in one channel, or in two in turn.
pub fn around_an_end(channels: u32, fault: Option<&str>) -> Result<Met, String> {
    let mut stream = Stream::new(channels, fault)?;
    let over = |e| format!("{channels} channels: {e}");
    for behind in 0..=*COMPLETION.end() as u64 {
        let completed = |seen: &Seen, launches| seen.completes.len() == launches as usize;
        stream.launch(behind, completed).map_err(over)?;
    }
    let ended = |seen: &Seen, launches| seen.ends == u64::from(THREADS.div_ceil(4) * launches);
    let mut met = Err(String::new());
    for stride in STRIDES {
        let many = BEFORE.end - BEFORE.start;
        for n in 0..many {
            let behind = BEFORE.start + n * stride % many;
            stream.launch(behind, ended).map_err(over)?;
        }
        met = stream.met();
        if met.is_ok() {
            break;
        }
    }
    stream.check().map_err(over)?;
    let met = met.map_err(over)?;
    match met.longest > ANSWER {
        true => Err(over(format!("a doorbell takes {} cycles", met.longest))),
        false => Ok(met),
    }
}
