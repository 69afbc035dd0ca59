//! The GPU-owned channel: what threads make work with (docs/spec/queue.md).

use crate::device::Device;
use crate::error::Error;
use crate::gpu::Gpu;
pub use crate::state::WorkQueue;
use crate::state::{Buffer, Domain, Flying, Stream};
use crate::stream::Grid;
use weft_sim::host::descriptor::word::NAMED;
use weft_sim::host::front::command::{self, header};
use weft_sim::host::registers::at;

/// Words of `struct weft_queue` (QUEUE-001).
mod word {
    pub const SHADOW: u32 = 5;
    pub const ROUND: u32 = 8;
    pub const OPEN: u32 = 9;
    pub const TASK_NEXT: u32 = 12;
    pub const WORDS: u32 = 16;
}

/// Bytes of the block of an entry (QUEUE-002).
const BLOCK: u32 = 32;

impl WorkQueue {
    /// Address of `struct weft_queue`, for threads.
    pub fn address(&self) -> u32 {
        self.objects.address()
    }

    /// The channel that it stands on.
    pub fn channel(&self) -> usize {
        self.channel
    }

    /// Semaphores X and Y.
    fn x(&self) -> u32 {
        self.address() + 4 * word::WORDS
    }

    fn y(&self) -> u32 {
        self.x() + 4
    }

    /// A descriptor that its threads have from it.
    pub(crate) fn has(&self, task: u32) -> bool {
        (self.address()..self.address() + self.objects.size()).contains(&task)
    }

    /// Bytes of the struct, X, Y and the first block; ring; semaphores; blocks; descriptors.
    fn sizes(number: u32, tasks: u32) -> [u32; 5] {
        let sizes = [
            4 * word::WORDS + 64,
            8 * number,
            4 * number,
            BLOCK * number,
            128 * tasks,
        ];
        sizes.map(|bytes| bytes.next_multiple_of(64))
    }
}

impl<D: Device> Gpu<D> {
    /// QUEUE-010, QUEUE-050: a GPU-owned channel, in memory that threads reach, of `number` entries, and `tasks`
    /// descriptors for threads.
    pub fn work_queue(&mut self, number: u32, tasks: u32) -> Result<WorkQueue, Error> {
        if !(3..=65_536).contains(&number) || tasks > 1 << 20 {
            return Err(Error::QueueSize(number));
        }
        let channel = self.channel()?;
        let objects = self.allocate(WorkQueue::sizes(number, tasks).iter().sum())?;
        let task = self.take_private(128)?;
        let queue = WorkQueue {
            place: self.queues.len(),
            channel,
            objects,
            number,
            tasks,
            task,
            round: 0,
        };
        self.queues.push(queue);
        self.set_up(queue.place)?;
        Ok(queue)
    }

    /// QUEUE-010: also behind an error, when nothing of it runs any more; the round that was is over then.
    pub(crate) fn set_up(&mut self, place: usize) -> Result<(), Error> {
        let of = self.queues[place];
        let (number, round) = (of.number, of.round);
        let mut next = of.address();
        let [queue, ring, semaphores, blocks, descriptors] = WorkQueue::sizes(number, of.tasks)
            .map(|bytes| {
                let at = next;
                next += bytes;
                at
            });
        let first = of.x() + 16;
        let (spawn, spawn_number) = self.spawn;
        let fields = [
            ring,
            number,
            semaphores,
            blocks,
            1,
            number - 1,
            of.x(),
            of.y(),
            round,
            0,
            descriptors,
            of.tasks,
            0,
            spawn,
            spawn_number,
            0,
        ];
        self.put(queue, &fields)?;
        self.put(of.x(), &[round, round])?;
        self.put(semaphores, &vec![0; number as usize])?;
        self.put(first, &[header(command::SEM_ACQUIRE, 0), of.x(), round + 1])?;
        self.put(ring, &[first, 3])?;
        let registers = [
            (at::CONTROL, at::CLEAR),
            (at::BASE, ring),
            (at::NUMBER, number),
            (at::GP_GET, 0),
            (at::GP_PUT, number - 1),
            (at::SHADOW, queue + 4 * word::SHADOW),
            (at::LIMIT, number - 1),
            (at::CONTROL, at::ENABLE | at::OWNER_GPU),
        ];
        for (offset, value) in registers {
            self.device.set(at::channel(of.channel, offset), value);
        }
        Ok(())
    }

    /// QUEUE-011: launches a kernel whose threads make work, behind what the stream has to do;
    /// the stream goes on when all of that work is over, too. `open`: pieces of work that the launch is (QUEUE-042).
    pub fn launch_with(
        &mut self,
        stream: Stream,
        queue: &mut WorkQueue,
        kernel: u32,
        grid: &Grid,
        open: u32,
    ) -> Result<(), Error> {
        let grid = grid.is_alone()?;
        // One round at a time: the round before writes and reads the same words.
        let descriptor = self.checked(queue.task, &grid.descriptor(kernel))?;
        let number = self.next(stream)?;
        self.settle(stream.0, number - 1)?;
        self.settle_queue(queue.place)?;
        let round = queue.round + 1;
        queue.round = round;
        self.queues[queue.place].round = round;
        let address = queue.address();
        self.put(address + 4 * word::ROUND, &[round])?;
        self.put(address + 4 * word::OPEN, &[open])?;
        self.put(address + 4 * word::TASK_NEXT, &[0])?;
        self.put(queue.task, &descriptor)?;
        let words = [
            &[header(command::LAUNCH, 0), queue.task][..],
            &[header(command::WAIT_FOR_IDLE, 0)],
            &[header(command::SEM_RELEASE, 0), queue.x(), round],
            &[header(command::SEM_ACQUIRE, 0), queue.y(), round],
            &self.release(stream.0, number),
        ];
        let flying = Flying {
            number,
            kernel,
            task: queue.task,
            queue: Some(queue.place),
        };
        self.submit(stream.0, &words.concat(), Some(flying))
    }

    /// Waits for the launch of the round before, whichever stream it is of.
    fn settle_queue(&mut self, place: usize) -> Result<(), Error> {
        let flying = self.streams.iter().enumerate().find_map(|(stream, state)| {
            let uses = state.flying.iter().rev().find(|f| f.queue == Some(place));
            uses.map(|launch| (stream, launch.number))
        });
        flying.map_or(Ok(()), |(stream, number)| self.settle(stream, number))
    }

    /// A descriptor that threads reach, such as that of a queue that they write to.
    /// Launch it with [`Gpu::launch_task`], or let others name it ([`Grid::before`]).
    ///
    /// # Errors
    /// [`Error::TaskInDomain`]: it would be launched with the reach of whoever names it.
    pub fn task(&mut self, kernel: u32, grid: &Grid) -> Result<Buffer, Error> {
        if self.current != Domain::COMMON || self.domain_at(kernel) != Domain::COMMON {
            return Err(Error::TaskInDomain);
        }
        let task = self.allocate(128)?;
        // Threads may add to its predecessors, and 0 counts as 1 (TASK-028).
        let grid = grid.after(grid.predecessors.max(1));
        let written = self
            .checked(task.address(), &grid.descriptor(kernel))
            .and_then(|words| self.write_words(task, 0, &words));
        if let Err(error) = written {
            self.free(task)?;
            return Err(error);
        }
        Ok(task)
    }

    /// How many of its predecessors have named it since it ran last (TASK-027).
    pub fn named(&mut self, task: Buffer) -> Result<u32, Error> {
        Ok(self.read_words(task, NAMED, 1)?[0])
    }

    /// Launches it behind what the stream has to do already; of one with several predecessors this is one of them
    /// ([`Grid::after`]), and the last of them runs it.
    /// The stream goes on when the GPU is idle: what threads reach must not
    /// release a stream's semaphore (HOST-002).
    pub fn launch_task(&mut self, stream: Stream, task: Buffer) -> Result<(), Error> {
        let number = self.next(stream)?;
        let kernel = self.word(task.address() + 4)?;
        let words = [
            &self.after(stream.0, number - 1)[..],
            &[header(command::LAUNCH, 0), task.address()],
            &[header(command::WAIT_FOR_IDLE, 0)],
            &self.release(stream.0, number),
        ];
        let flying = Flying {
            number,
            kernel,
            task: task.address(),
            queue: None,
        };
        self.submit(stream.0, &words.concat(), Some(flying))
    }
}
