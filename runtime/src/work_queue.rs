//! The GPU-owned channel: what threads make work with (docs/spec/queue.md).

use crate::device::Device;
use crate::error::Error;
use crate::gpu::{Buffer, Gpu};
use crate::stream::{Grid, Stream};
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

/// A GPU-owned channel with all that belongs to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkQueue {
    channel: usize,
    /// All of it; `struct weft_queue` comes first.
    objects: Buffer,
    /// Descriptor of the launch by the CPU.
    task: u32,
    x: u32,
    y: u32,
    round: u32,
}

impl WorkQueue {
    /// Address of `struct weft_queue`, for threads.
    pub fn address(&self) -> u32 {
        self.objects.address()
    }

    /// The channel that it stands on.
    pub fn channel(&self) -> usize {
        self.channel
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
        // Struct, X, Y and the first block; ring; semaphores; blocks; descriptors.
        let sizes = [
            4 * word::WORDS + 64,
            8 * number,
            4 * number,
            BLOCK * number,
            128 * tasks,
        ];
        let sizes = sizes.map(|bytes| bytes.next_multiple_of(64));
        let objects = self.allocate(sizes.iter().sum())?;
        let mut next = objects.address();
        let [queue, ring, semaphores, blocks, descriptors] = sizes.map(|bytes| {
            let at = next;
            next += bytes;
            at
        });
        let x = queue + 4 * word::WORDS;
        let (y, first) = (x + 4, x + 16);
        let (spawn, spawn_number) = self.spawn;
        let fields = [
            ring,
            number,
            semaphores,
            blocks,
            1,
            number - 1,
            x,
            y,
            0,
            0,
            descriptors,
            tasks,
            0,
            spawn,
            spawn_number,
            0,
        ];
        self.put(queue, &fields)?;
        self.put(first, &[header(command::SEM_ACQUIRE, 0), x, 1])?;
        self.put(ring, &[first, 3])?;
        let registers = [
            (at::BASE, ring),
            (at::NUMBER, number),
            (at::GP_GET, 0),
            (at::GP_PUT, number - 1),
            (at::SHADOW, queue + 4 * word::SHADOW),
            (at::LIMIT, number - 1),
            (at::CONTROL, at::ENABLE | at::OWNER_GPU),
        ];
        for (offset, value) in registers {
            self.device.set(at::channel(channel, offset), value);
        }
        let task = self.take_private(128)?;
        Ok(WorkQueue {
            channel,
            objects,
            task,
            x,
            y,
            round: 0,
        })
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
        // One round at a time: the round before writes and reads the same words.
        let descriptor = self.checked(queue.task, &grid.descriptor(kernel))?;
        let before = self.launches(stream);
        self.wait_for(stream.0, before)?;
        queue.round += 1;
        let round = queue.round;
        let address = queue.address();
        self.put(address + 4 * word::ROUND, &[round])?;
        self.put(address + 4 * word::OPEN, &[open])?;
        self.put(address + 4 * word::TASK_NEXT, &[0])?;
        self.put(queue.task, &descriptor)?;
        let words = [
            &[header(command::LAUNCH, 0), queue.task][..],
            &[header(command::WAIT_FOR_IDLE, 0)],
            &[header(command::SEM_RELEASE, 0), queue.x, round],
            &[header(command::SEM_ACQUIRE, 0), queue.y, round],
            &self.next_release(stream.0),
        ];
        self.submit(stream.0, &words.concat())
    }

    /// A descriptor that threads reach, such as that of a queue that they write to.
    /// Launch it with [`Gpu::launch_task`].
    pub fn task(&mut self, kernel: u32, grid: &Grid) -> Result<Buffer, Error> {
        let task = self.allocate(128)?;
        let written = self
            .checked(task.address(), &grid.descriptor(kernel))
            .and_then(|words| self.write_words(task, 0, &words));
        if let Err(error) = written {
            self.free(task)?;
            return Err(error);
        }
        Ok(task)
    }

    /// Launches it behind what the stream has to do already.
    /// The stream goes on when the GPU is idle: what threads reach must not
    /// release a stream's semaphore (HOST-002).
    pub fn launch_task(&mut self, stream: Stream, task: Buffer) -> Result<(), Error> {
        let before = self.after(stream.0, self.launches(stream));
        let words = [
            &before[..],
            &[header(command::LAUNCH, 0), task.address()],
            &[header(command::WAIT_FOR_IDLE, 0)],
            &self.next_release(stream.0),
        ];
        self.submit(stream.0, &words.concat())
    }
}
