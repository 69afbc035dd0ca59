//! Streams: launches one after the other, each on a CPU-owned channel of its own; events between streams.
//!
//! Launch k of a stream is the block SEM_ACQUIRE s, k − 1; LAUNCH d, and the completion of d writes k to s.
//! So s says how far the stream has come, to the host as well as to other streams.

use crate::device::Device;
use crate::error::{Error, Launch};
use crate::gpu::{Gpu, Module};
pub use crate::state::Stream;
use crate::state::{Buffer, Flying, StreamState, ENTRIES};
use std::collections::VecDeque;
use weft_sim::host::front::command::{self, header};
use weft_sim::host::registers::at;
use weft_sim::host::{Descriptor, Queue};

/// Words of an entry's block.
const BLOCK: u32 = 16;

/// A point in a stream: so many launches of it are over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    pub stream: Stream,
    /// They are counted from 1.
    pub launches: u32,
}

/// What is launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// CTAs along x, y and z.
    pub ctas: [u32; 3],
    /// Threads of a CTA along x, y and z.
    pub threads: [u32; 3],
    /// a2 of every thread.
    pub arguments: u32,
    /// Bytes of scratchpad of a CTA.
    pub scratchpad: u32,
    /// Bytes of local memory of a thread, a multiple of 16.
    pub local: u32,
    /// 0 to 15, 15 first.
    pub level: u8,
    /// Forced yield, `yield_every` and `cfg_path`, as in a descriptor (docs/spec/tasks.md).
    pub forced_yield: u16,
    pub yield_every: u16,
    pub path: u8,
    /// Cycles for which its CTAs may run, 0: for ever; rounded up to units of 1,024 (TASK-130).
    pub limit: u64,
    /// How often a task is named before it runs, 0 or 1: once; more only of what [`Gpu::task`] makes (TASK-027).
    pub predecessors: u32,
    /// The task of [`Gpu::task`] that this one names when it is over: its address, 0: none.
    pub dependent: u32,
    /// In place of a grid: a queue of work.
    pub queue: Option<Queue>,
}

impl Grid {
    /// One dimension.
    pub fn of(ctas: u32, threads: u32) -> Grid {
        Grid {
            ctas: [ctas, 1, 1],
            threads: [threads, 1, 1],
            arguments: 0,
            scratchpad: 0,
            local: 1024,
            level: 0,
            forced_yield: 1024,
            yield_every: 1,
            path: 0,
            limit: 0,
            predecessors: 0,
            dependent: 0,
            queue: None,
        }
    }

    /// CTAs for the entries of a queue.
    pub fn of_queue(queue: Queue, threads: u32) -> Grid {
        Grid {
            queue: Some(queue),
            ..Grid::of(0, threads)
        }
    }

    pub fn with_arguments(self, arguments: u32) -> Grid {
        Grid { arguments, ..self }
    }

    pub fn with_scratchpad(self, scratchpad: u32) -> Grid {
        Grid { scratchpad, ..self }
    }

    /// It is killed when it takes longer than so many cycles.
    pub fn with_limit(self, limit: u64) -> Grid {
        Grid { limit, ..self }
    }

    /// It runs behind so many others, each of which names it: [`Grid::before`], [`Gpu::launch_task`], or a thread.
    pub fn after(self, predecessors: u32) -> Grid {
        Grid {
            predecessors,
            ..self
        }
    }

    /// When it is over it names this task; if it is killed, it does not.
    pub fn before(self, task: Buffer) -> Grid {
        Grid {
            dependent: task.address(),
            ..self
        }
    }

    /// What a stream launches runs behind nothing but the stream.
    pub(crate) fn is_alone(&self) -> Result<&Grid, Error> {
        match self.predecessors {
            0 | 1 => Ok(self),
            many => Err(Error::Predecessors(many)),
        }
    }

    pub(crate) fn descriptor(&self, kernel: u32) -> Descriptor {
        Descriptor {
            pc: kernel,
            grid: if self.queue.is_some() {
                [0; 3]
            } else {
                self.ctas
            },
            cta: self.threads,
            arguments: self.arguments,
            scratchpad: self.scratchpad,
            local: self.local,
            level: self.level,
            forced_yield: self.forced_yield,
            yield_every: self.yield_every,
            path: self.path,
            limit: units(self.limit),
            predecessors: self.predecessors,
            dependent: self.dependent,
            queue: self.queue,
            ..Descriptor::default()
        }
    }
}

/// Units of LIMIT that so many cycles are.
fn units(cycles: u64) -> u32 {
    u32::try_from(cycles.div_ceil(at::LIMIT_UNIT)).unwrap_or(u32::MAX)
}

impl<D: Device> Gpu<D> {
    /// From now on the CTAs of no task run for more than so many cycles, whoever launches it; 0: as each itself says
    /// (TASK-130).
    pub fn limit_all(&mut self, cycles: u64) {
        self.device.set(at::LIMIT_MAX, units(cycles));
    }

    /// Kills what a stream has to do up to an event, one launch after the other, and waits until it is over
    /// ([`Error::Killed`] tells whoever waits for it). Launches that are over by then are as they are. What threads have
    /// launched by themselves goes on.
    ///
    /// # Errors
    /// The wait was ended before.
    pub fn kill(&mut self, event: Event) -> Result<(), Error> {
        let Event { stream, launches } = event;
        while let Some(flying) = self.streams[stream.0].flying.front() {
            let (number, task) = (flying.number, flying.task);
            if launches.wrapping_sub(number) as i32 <= -1 {
                break;
            }
            let launch = Launch {
                stream: stream.0,
                number,
            };
            self.troubles.killed = Some(launch);
            self.device.set(at::KILL, task);
            let settled = self.settle(stream.0, number);
            self.device.set(at::KILL, 0);
            let collected = settled.and_then(|()| self.collect());
            self.troubles.killed = None;
            collected?;
        }
        Ok(())
    }

    /// A channel that is free.
    pub(crate) fn channel(&mut self) -> Result<usize, Error> {
        let all = self.device.size().channels;
        if self.channels == all {
            return Err(Error::NoChannel(all));
        }
        self.channels += 1;
        Ok(self.channels - 1)
    }

    /// CC-011: the constructors of a program that `weft cc` has linked, before anything of it can be launched.
    pub(crate) fn construct(&mut self, module: Module) -> Result<(), Error> {
        let address = |name: &str| self.symbol(module, name).ok();
        let some = address("__init_array_start") < address("__init_array_end");
        let Some(constructors) = address("__weft_construct").filter(|_| some) else {
            return Ok(());
        };
        // A channel is not used up by it: the stream is the first one that is asked for.
        let stream = match self.streams.is_empty() {
            true => {
                let stream = self.new_stream()?;
                self.spare = Some(stream);
                stream
            }
            false => Stream(0),
        };
        let grid = Grid {
            local: self.settings.local,
            ..Grid::of(1, 1)
        };
        self.launch(stream, constructors, &grid)?;
        self.wait(self.record(stream))
    }

    /// A new stream.
    pub fn stream(&mut self) -> Result<Stream, Error> {
        match self.spare.take() {
            Some(stream) => Ok(stream),
            None => self.new_stream(),
        }
    }

    pub(crate) fn new_stream(&mut self) -> Result<Stream, Error> {
        let channel = self.channel()?;
        let state = StreamState {
            channel,
            ring: self.take_private(8 * ENTRIES)?,
            blocks: self.take_private(4 * BLOCK * ENTRIES)?,
            tasks: self.take_private(128 * ENTRIES)?,
            semaphore: self.take_private(16)?,
            put: 0,
            launches: 0,
            entries: [0; ENTRIES as usize],
            flying: VecDeque::new(),
        };
        self.put(state.semaphore, &[0; 4])?;
        let registers = [
            (at::BASE, state.ring),
            (at::NUMBER, ENTRIES),
            (at::GP_GET, 0),
            (at::GP_PUT, 0),
            (at::CONTROL, at::ENABLE),
        ];
        for (offset, value) in registers {
            self.device.set(at::channel(channel, offset), value);
        }
        self.streams.push(state);
        Ok(Stream(self.streams.len() - 1))
    }

    /// Launches a kernel behind what the stream has to do already; does not wait.
    ///
    /// # Errors
    /// It is not launched.
    pub fn launch(&mut self, stream: Stream, kernel: u32, grid: &Grid) -> Result<(), Error> {
        let grid = grid.is_alone()?;
        let number = self.next(stream)?;
        // The descriptor of so many launches ago is used again.
        if let Some(old) = number.checked_sub(ENTRIES) {
            self.settle(stream.0, old)?;
        }
        let state = &self.streams[stream.0];
        let task = state.tasks + 128 * ((number - 1) % ENTRIES);
        let descriptor = Descriptor {
            completion: state.semaphore,
            value: number,
            ..grid.descriptor(kernel)
        };
        let descriptor = self.checked(task, &descriptor)?;
        self.put(task, &descriptor)?;
        let words = [
            &self.after(stream.0, number - 1)[..],
            &[header(command::LAUNCH, 0), task],
        ];
        let flying = Flying {
            number,
            kernel,
            task,
            queue: None,
        };
        self.submit(stream.0, &words.concat(), Some(flying))
    }

    /// The number of the launch that comes next.
    ///
    /// # Errors
    /// What was to come before it has gone wrong.
    pub(crate) fn next(&mut self, stream: Stream) -> Result<u32, Error> {
        let number = self.streams[stream.0].launches + 1;
        let launch = Launch {
            stream: stream.0,
            number,
        };
        self.troubles.tell(|of| of == Some(launch))?;
        Ok(number)
    }

    /// The command that waits for a launch of the stream.
    pub(crate) fn after(&self, stream: usize, launches: u32) -> [u32; 3] {
        let acquire = header(command::SEM_ACQUIRE, command::AT_LEAST);
        [acquire, self.streams[stream].semaphore, launches]
    }

    /// The command that says that a launch is over.
    pub(crate) fn release(&self, stream: usize, number: u32) -> [u32; 3] {
        let semaphore = self.streams[stream].semaphore;
        [header(command::SEM_RELEASE, 0), semaphore, number]
    }

    /// Writes block and entry, and rings the doorbell; a launch counts from then on.
    pub(crate) fn submit(
        &mut self,
        stream: usize,
        words: &[u32],
        launch: Option<Flying>,
    ) -> Result<(), Error> {
        assert!(words.len() <= BLOCK as usize, "a block has {BLOCK} words");
        let StreamState {
            channel,
            ring,
            blocks,
            put,
            ..
        } = self.streams[stream];
        let next = (put + 1) % ENTRIES;
        let get = at::channel(channel, at::GP_GET);
        self.wait_until("a stream is full", |gpu| Ok(gpu.device.get(get) != next))?;
        let block = blocks + 4 * BLOCK * put;
        self.put(block, words)?;
        self.put(ring + 8 * put, &[block, words.len() as u32])?;
        let state = &mut self.streams[stream];
        state.put = next;
        state.entries[put as usize] = state.launches + 1;
        if let Some(launch) = launch {
            state.launches = launch.number;
            state.flying.push_back(launch);
        }
        self.device.set(at::channel(channel, at::GP_PUT), next);
        Ok(())
    }

    /// What the stream has to do so far.
    pub fn record(&self, stream: Stream) -> Event {
        Event {
            stream,
            launches: self.streams[stream.0].launches,
        }
    }

    /// Has it happened?
    pub fn happened(&mut self, event: Event) -> Result<bool, Error> {
        let there = self.word(self.streams[event.stream.0].semaphore)?;
        Ok(there.wrapping_sub(event.launches) as i32 >= 0)
    }

    /// Waits for an event.
    ///
    /// # Errors
    /// A launch of this stream up to there has failed, and no wait has told it yet; all of these launches are over. Or the
    /// wait was ended before.
    pub fn wait(&mut self, event: Event) -> Result<(), Error> {
        self.wait_for(event.stream.0, event.launches)
    }

    /// The stream goes on only when the event has happened; does not wait itself.
    pub fn wait_in(&mut self, stream: Stream, event: Event) -> Result<(), Error> {
        let words = self.after(event.stream.0, event.launches);
        self.submit(stream.0, &words, None)
    }

    /// Waits until so many launches are over, and tells what is wrong with one of them.
    pub(crate) fn wait_for(&mut self, stream: usize, launches: u32) -> Result<(), Error> {
        self.settle(stream, launches)?;
        let those = |of: Launch| of.stream == stream && of.number <= launches;
        self.troubles.tell(|of| of.is_some_and(those))
    }

    /// Waits until so many launches are over, whether they have failed or not.
    pub(crate) fn settle(&mut self, stream: usize, launches: u32) -> Result<(), Error> {
        let event = Event {
            stream: Stream(stream),
            launches,
        };
        let what = format!("launch {launches} of stream {stream}");
        let waited = self.wait_until(&what, |gpu| gpu.happened(event));
        waited.map_err(|error| self.why(error, Some(stream)))
    }
}
