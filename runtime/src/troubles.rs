//! What has gone wrong, and whose it is.
//!
//! The GPU keeps the first fault, the first task error and the first error of each channel, and goes on.
//! Here each of them becomes that of its launch, and waits until somebody who waits for that launch, or for all, is told.
//! A launch that its channel cannot make is over: the stream goes on behind it.

use crate::device::Device;
use crate::error::{Error, Launch, Location};
use crate::gpu::Gpu;
use crate::state::{Flying, Repair, Troubles, ENTRIES};
use weft_sim::host::descriptor::{state, word};
use weft_sim::host::registers::at;
use weft_sim::host::Code;

impl Troubles {
    fn keep(&mut self, launch: Option<Launch>, error: Error) {
        if self.untold.iter().all(|(of, _)| *of != launch) {
            self.untold.push((launch, error));
        }
    }

    /// The oldest of those that are asked for; it is told once.
    pub(crate) fn tell(
        &mut self,
        mut whose: impl FnMut(Option<Launch>) -> bool,
    ) -> Result<(), Error> {
        match self.untold.iter().position(|(of, _)| whose(*of)) {
            Some(n) => Err(self.untold.remove(n).1),
            None => Ok(()),
        }
    }
}

impl<D: Device> Gpu<D> {
    /// Takes what has gone wrong out of the registers. True: a channel goes on that had stopped.
    ///
    /// # Errors
    /// The device is broken.
    pub(crate) fn collect(&mut self) -> Result<bool, Error> {
        // Before the registers: what a launch that is over has run into stands there by now (TASK-057, TASK-061).
        let come: Vec<u32> = (0..self.streams.len())
            .map(|stream| self.word(self.streams[stream].semaphore))
            .collect::<Result<_, _>>()?;
        let status = self.device.get(at::STATUS);
        if let Some(what) = self.device.broken() {
            return Err(Error::Broken(what.into()));
        }
        if status & 8 != 0 {
            self.collect_faults()?;
        }
        if status & 4 != 0 {
            let registers = [at::TASK_ERROR, at::TASK_ERROR_ADDRESS, at::TASK_ERROR_TASK];
            let [code, place, task] = registers.map(|register| self.device.get(register));
            self.device.set(at::TASK_ERROR, 0);
            let (launch, code) = (self.owner(task), code_of(code));
            let error = Error::Task {
                launch,
                code,
                place,
                task,
            };
            self.troubles.keep(launch, error);
        }
        if status & 2 != 0 {
            self.collect_channels();
        }
        for (stream, number) in come.into_iter().enumerate() {
            self.land(stream, number);
        }
        self.repair(status & 1 == 0)
    }

    fn collect_faults(&mut self) -> Result<(), Error> {
        let failures = self.device.failures();
        let new = failures[self.troubles.seen..].to_vec();
        self.troubles.seen = failures.len();
        for failure in &new {
            let launch = self.owner(failure.task);
            let error = self.failed(failure, launch);
            self.troubles.keep(launch, error);
        }
        if new.is_empty() {
            let task = self.device.get(at::FAULT_TASK);
            let launch = self.owner(task);
            match self.failed_by_registers(task, launch) {
                broken @ Error::Broken(_) => return Err(broken),
                error => self.troubles.keep(launch, error),
            }
        }
        self.device.set(at::FAULT, 0);
        Ok(())
    }

    fn collect_channels(&mut self) {
        for channel in 0..self.device.size().channels {
            let registers = [at::ERROR, at::ERROR_ENTRY, at::ERROR_ADDRESS];
            let registers = registers.map(|register| at::channel(channel, register));
            let [error, entry, place] = registers.map(|register| self.device.get(register));
            if error >> 31 == 0 {
                continue;
            }
            let control = at::channel(channel, at::CONTROL);
            self.device.set(control, at::CLEAR);
            let of_stream = self.streams.iter().position(|s| s.channel == channel);
            let of_queue = self.queues.iter().position(|q| q.channel() == channel);
            let launch = match (of_stream, of_queue) {
                (Some(stream), _) => Some(Launch {
                    stream,
                    number: self.streams[stream].entries[(entry % ENTRIES) as usize],
                }),
                (None, Some(queue)) => self.flying(|flying| flying.queue == Some(queue)),
                (None, None) => None,
            };
            let code = code_of(error);
            let place = match code <= Code::ShadowAddress {
                true => Location::Register(place),
                false => Location::Address(place),
            };
            let error = Error::Channel {
                launch,
                channel,
                entry,
                code,
                place,
            };
            self.troubles.keep(launch, error);
            let of_stream = of_stream
                .and(launch)
                .map(|launch| Repair::Stream(launch, entry));
            let repair = of_stream.or(of_queue.map(Repair::Queue));
            self.troubles.repairs.extend(repair);
        }
    }

    /// The oldest launch under way of which this is true.
    fn flying(&self, is: impl Fn(&Flying) -> bool) -> Option<Launch> {
        let streams = self.streams.iter().enumerate();
        let mut launches = streams.flat_map(|(stream, state)| {
            let launches = state.flying.iter();
            launches.map(move |flying| (stream, flying))
        });
        let (stream, flying) = launches.find(|(_, flying)| is(flying))?;
        let number = flying.number;
        Some(Launch { stream, number })
    }

    /// The launch that a descriptor belongs to: its own one, or that whose threads have it from their work queue.
    fn owner(&self, task: u32) -> Option<Launch> {
        let made = |queue: usize| self.queues[queue].has(task);
        self.flying(|flying| flying.task == task || flying.queue.is_some_and(made))
    }

    /// So many launches of a stream are over, and what has gone wrong in them has been collected, but for what the
    /// registers had no room for: STATE tells that (TASK-063).
    fn land(&mut self, stream: usize, come: u32) {
        let over = |flying: &Flying| come.wrapping_sub(flying.number) as i32 >= 0;
        while let Some(flying) = self.streams[stream].flying.front().filter(|f| over(f)) {
            let (number, task, kernel) = (flying.number, flying.task, flying.kernel);
            self.streams[stream].flying.pop_front();
            // One that was only counted tells how it ended the time before (TASK-027).
            let counted = self
                .word(task + 4 * word::NAMED)
                .is_ok_and(|named| named != 0);
            if !counted && self.word(task + 4 * word::STATE).ok() == Some(state::FAILED) {
                let launch = Launch { stream, number };
                // One that was killed before its first CTA has no fault.
                let error = match self.troubles.killed == Some(launch) {
                    true => self.was_killed(Some(launch), kernel),
                    false => Error::Failed {
                        launch,
                        kernel: self.name(kernel),
                    },
                };
                self.troubles.keep(Some(launch), error);
            }
        }
    }

    /// Lets channels go on that have stopped, as soon as nothing is under way that could still come to them.
    fn repair(&mut self, idle: bool) -> Result<bool, Error> {
        let mut done = false;
        for repair in std::mem::take(&mut self.troubles.repairs) {
            match repair {
                Repair::Queue(place) if idle => self.set_up(place)?,
                Repair::Stream(launch, entry) if self.is_next(launch)? => {
                    self.go_on_behind(launch, entry)?;
                }
                later => {
                    self.troubles.repairs.push(later);
                    continue;
                }
            }
            done = true;
        }
        Ok(done)
    }

    /// All launches before it are over.
    fn is_next(&mut self, launch: Launch) -> Result<bool, Error> {
        let come = self.word(self.streams[launch.stream].semaphore)?;
        Ok(come.wrapping_sub(launch.number - 1) as i32 >= 0)
    }

    /// HOST-081: its entries are left out, and it is over for whoever waits for it.
    fn go_on_behind(&mut self, launch: Launch, entry: u32) -> Result<(), Error> {
        let state = &self.streams[launch.stream];
        let (channel, semaphore, put) = (state.channel, state.semaphore, state.put);
        let of_it = |entry: u32| state.entries[entry as usize] == launch.number;
        let mut get = entry;
        while get != put && of_it(get) {
            get = (get + 1) % ENTRIES;
        }
        let flying = state.flying.iter().find(|f| f.number == launch.number);
        if let Some(queue) = flying.map(|flying| flying.queue) {
            self.put(semaphore, &[launch.number])?;
            queue.map_or(Ok(()), |place| self.set_up(place))?;
        }
        self.device.set(at::channel(channel, at::GP_GET), get);
        let control = at::channel(channel, at::CONTROL);
        self.device.set(control, at::ENABLE);
        Ok(())
    }

    /// Why a wait has no end: what has gone wrong in its stream, or else anywhere.
    pub(crate) fn why(&mut self, error: Error, stream: Option<usize>) -> Error {
        if !matches!(error, Error::Stuck(_)) {
            return error;
        }
        let here = |of: Option<Launch>| of.is_some_and(|of| Some(of.stream) == stream);
        let told = self.troubles.tell(here);
        let told = told.and_then(|()| self.troubles.tell(|_| true));
        told.err().unwrap_or(error)
    }
}

fn code_of(register: u32) -> Code {
    let code = Code::ALL
        .iter()
        .find(|&&code| code as u32 == register & 0xff);
    code.copied().unwrap_or(Code::Memory)
}
