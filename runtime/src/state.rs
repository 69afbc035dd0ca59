//! What a GPU keeps of its memory, streams, work queues and errors. What is done with it stands in the modules of these.

use crate::error::{Error, Launch};
use crate::room::Room;
use std::collections::VecDeque;

/// Memory of the GPU that threads reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffer {
    pub(crate) address: u32,
    pub(crate) bytes: u32,
}

impl Buffer {
    pub fn address(&self) -> u32 {
        self.address
    }

    /// Bytes.
    pub fn size(&self) -> u32 {
        self.bytes
    }
}

/// A part of the memory, for programs and buffers that nobody outside of it reaches.
/// What is in none is in the common part, whose programs reach all that threads reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Domain(pub(crate) u8);

impl Domain {
    /// The common part.
    pub const COMMON: Domain = Domain(0);
}

/// What threads reach of the memory.
pub(crate) struct Space {
    /// Begin and end.
    pub window: (u32, u32),
    pub room: Room,
}

/// A number of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream(pub(crate) usize);

/// Entries of a stream's ring.
pub(crate) const ENTRIES: u32 = 64;

/// What is kept of a stream.
pub(crate) struct StreamState {
    pub(crate) channel: usize,
    pub(crate) ring: u32,
    pub(crate) blocks: u32,
    pub(crate) tasks: u32,
    pub(crate) semaphore: u32,
    pub(crate) put: u32,
    pub(crate) launches: u32,
    /// The launch that each entry is a part of, or comes before.
    pub(crate) entries: [u32; ENTRIES as usize],
    /// Launches of which nobody has seen yet that they are over, oldest first.
    pub(crate) flying: VecDeque<Flying>,
}

/// A launch that has been submitted.
#[derive(Clone, Debug)]
pub(crate) struct Flying {
    pub(crate) number: u32,
    pub(crate) kernel: u32,
    /// Its descriptor.
    pub(crate) task: u32,
    /// Place in [`crate::Gpu`] of the queue that its threads make work with.
    pub(crate) queue: Option<usize>,
}

/// A GPU-owned channel with all that belongs to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkQueue {
    /// Place among those of the GPU.
    pub(crate) place: usize,
    pub(crate) channel: usize,
    /// All of it; `struct weft_queue` comes first.
    pub(crate) objects: Buffer,
    pub(crate) number: u32,
    pub(crate) tasks: u32,
    /// Descriptor of the launch by the CPU.
    pub(crate) task: u32,
    pub(crate) round: u32,
}

/// What has gone wrong and nobody has been told of yet.
#[derive(Default)]
pub(crate) struct Troubles {
    /// Of a launch the first that was seen, and the first of what belongs to no launch of the host.
    pub(crate) untold: Vec<(Option<Launch>, Error)>,
    /// Failures that the device knows of and that have been looked at.
    pub(crate) seen: usize,
    pub(crate) repairs: Vec<Repair>,
    /// Whom [`crate::Gpu::kill`] is killing.
    pub(crate) killed: Option<Launch>,
}

/// What is to be done before a channel goes on.
pub(crate) enum Repair {
    /// The launch will not be: its stream goes on behind it. The entry is where it stopped.
    Stream(Launch, u32),
    /// The round of the queue that stands there is over.
    Queue(usize),
}
