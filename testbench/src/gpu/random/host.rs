//! Runs a random host program on a GPU, golden or verilated, and keeps what it has shown.

use super::draw::{bytes, Channel, Random, RINGS};
use crate::gpu::faults::Told;
use crate::gpu::host::Host;
use crate::seed::stream;
use crate::tasks::Cover;
use rand::Rng as _;
use std::collections::{BTreeMap, BTreeSet};
use weft_sim::host::gpu::{Cause, Event};
use weft_sim::host::registers::{at, MOST_SMS};
use weft_sim::host::{Gpu, Outcome, TaskStep};

const MOST_INSTRUCTIONS: u64 = 4_000_000;
/// Cycles without an entry executed until somebody says that it hangs.
const PATIENCE: u64 = 3_000_000;

/// What a run has shown.
#[derive(Default)]
pub(super) struct Record {
    /// Of each channel: kind, GP_GET, address, word.
    pub(super) steps: Vec<Vec<(bool, u32, u32, u32)>>,
    pub(super) errors: Vec<String>,
    /// Descriptor in each slot.
    pub(super) slots: [u32; 8],
    pub(super) starts: BTreeMap<(u32, u32), u32>,
    pub(super) ends: BTreeMap<(u32, u32), u32>,
    pub(super) failed: BTreeSet<(u32, u32)>,
    pub(super) told: Vec<Told>,
    /// SMs and slots that have issued what faults since the last that was told.
    pub(super) faulty: Vec<(usize, usize)>,
    /// Of those that were told, which stood on another slot than that of their number.
    pub(super) elsewhere: u64,
    /// Threads that have found their word of the spawn ring taken.
    pub(super) taken: u64,
    pub(super) sms: [u64; MOST_SMS],
    pub(super) waits: u64,
    pub(super) evictions: u64,
    pub(super) sources: [u64; 3],
}

impl Record {
    pub(super) fn start(&mut self, task: u32, cta: u32, sm: usize) {
        *self.starts.entry((task, cta)).or_default() += 1;
        self.sms[sm] += 1;
    }

    pub(super) fn end(&mut self, task: u32, cta: u32, failed: bool) {
        *self.ends.entry((task, cta)).or_default() += 1;
        if failed {
            self.failed.insert((task, cta));
        }
    }

    pub(super) fn told(&mut self, told: Told) {
        let slots = std::mem::take(&mut self.faulty);
        let own = (told.sm, told.fault.warp as usize);
        self.elsewhere += u64::from(slots.len() == 1 && slots[0] != own);
        self.told.push(told);
    }
}

pub(super) struct Golden {
    pub(super) gpu: Gpu,
    pub(super) record: Record,
}

impl Host for Golden {
    fn put(&mut self, address: u32, bytes: &[u8]) {
        let written = self.gpu.write_memory(address, bytes);
        assert!(written.is_ok(), "no memory at {address:#x}");
    }
    fn get(&mut self, register: u32) -> Result<u32, String> {
        Ok(self.gpu.read(register))
    }
    fn set(&mut self, register: u32, value: u32) -> Result<(), String> {
        self.gpu.write(register, value);
        Ok(())
    }
    fn go_on(&mut self, _: u64) -> Result<(), String> {
        let record = &mut self.record;
        let pause = self.gpu.run(
            Some(2_000),
            |_| false,
            |event| match event {
                Event::Front(step) => match step.outcome {
                    Outcome::Executed => {
                        let shown = (step.is_command, step.get, step.address, step.word);
                        record.steps[step.channel].push(shown);
                    }
                    Outcome::Waits => record.waits += 1,
                    Outcome::Wrong(_) => record.errors.push(format!("{step:?}")),
                },
                Event::Task(TaskStep::End {
                    task, cta, failed, ..
                }) => record.end(*task, *cta, *failed),
                Event::Task(_) => (),
            },
        );
        let failures = self.gpu.failures().iter();
        let mut hung = failures.filter(|failure| matches!(failure.cause, Cause::Hung(_)));
        match hung.next() {
            None if self.gpu.instructions() <= MOST_INSTRUCTIONS => Ok(()),
            hung => Err(format!("golden: {pause:?}, {hung:?}")),
        }
    }
}

impl Random {
    /// Runs it on a GPU, doorbells at random, until all entries are executed and all is idle. `told`: a fault that the
    /// registers have told of.
    pub(super) fn drive(
        &self,
        gpu: &mut dyn Host,
        told: &mut dyn FnMut(Told),
        cover: &mut Cover,
    ) -> Result<(), String> {
        let mut rng = stream(self.seed, "doorbells");
        for (at, bytes) in self.contents() {
            gpu.put(at, &bytes);
        }
        for (register, value) in self.registers() {
            gpu.set(register, value)?;
        }
        // Of each channel: entries written, entries executed, GP_GET.
        let mut state = vec![(0u32, 0u32, 0u32); self.channels.len()];
        let mut quiet = 0;
        loop {
            let mut left = false;
            for (c, channel) in self.channels.iter().enumerate() {
                let Channel {
                    entries, blocks, ..
                } = channel;
                let (written, executed, get) = &mut state[c];
                let now = gpu.get(at::channel(c, at::GP_GET))?;
                let gone = (now + entries - *get) % entries;
                (*executed, *get) = (*executed + gone, now);
                quiet = if gone != 0 { 0 } else { quiet };
                left |= (*executed as usize) < blocks.len();
                let free = entries - 1 - (*written - *executed);
                let more = (blocks.len() as u32 - *written).min(free);
                if more == 0 || rng.gen_range(0..100) >= self.eager {
                    continue;
                }
                let more = rng.gen_range(1..=more);
                if more == free {
                    cover.saw("full ring");
                }
                if *written != *executed {
                    cover.saw("doorbell while it works");
                }
                for n in *written..*written + more {
                    let (address, words) = blocks[n as usize];
                    let place = RINGS + 64 * c as u32 + 8 * (n % entries);
                    gpu.put(place, &bytes(&[address, words]));
                }
                if *written / entries != (*written + more) / entries {
                    cover.saw("wrap");
                }
                *written += more;
                gpu.set(at::channel(c, at::GP_PUT), *written % entries)?;
            }
            let status = gpu.get(at::STATUS)?;
            if status & 0b1000 != 0 {
                told(Told::take(gpu)?);
            }
            if status & 0b0110 != 0 {
                let error = [at::TASK_ERROR, at::TASK_ERROR_ADDRESS, at::TASK_ERROR_TASK];
                let error = error.map(|register| gpu.get(register));
                return Err(format!("STATUS {status:#x}, {error:x?}"));
            }
            if !left && status == 0 {
                return Ok(());
            }
            let cycles = rng.gen_range(1..300);
            quiet += cycles;
            if quiet > PATIENCE {
                let mut text = format!("it hangs: STATUS {:#x}", gpu.get(at::STATUS)?);
                for c in 0..self.size.channels {
                    let [get, put, status] = [at::GP_GET, at::GP_PUT, at::CHANNEL_STATUS]
                        .map(|register| gpu.get(at::channel(c, register)));
                    let (get, put, status) = (get?, put?, status?);
                    text +=
                        &format!("; channel {c}: GP_GET {get}, GP_PUT {put}, STATUS {status:#x}");
                }
                return Err(text);
            }
            gpu.go_on(cycles)?;
        }
    }
}
