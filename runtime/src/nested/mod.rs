//! The kernels of `kernels/nested` and their hosts: the same work launched by threads, and by the host in a loop.
//!
//! Each run checks its results against plain Rust before it says anything.
//! `cargo run -p weft-driver --example nested` shows a table.

pub mod bfs;
pub mod mandelbrot;
pub mod quadtree;
pub mod quicksort;
pub mod tree;

use crate::{Buffer, Counters, Device, Error, Gpu};

/// Who launches the children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    Threads,
    Host,
}

/// What a run took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Took {
    /// Times that the host waited for the GPU.
    pub waits: u32,
    /// Launches by the host, its doorbells.
    pub host_launches: u32,
    /// Launches by threads that found no room.
    pub refused: u32,
    pub counters: Counters,
}

/// What plain Rust says to a result.
pub(crate) fn right(right: bool, what: &'static str) -> Result<(), Error> {
    match right {
        true => Ok(()),
        false => Err(Error::Wrong(what)),
    }
}

/// Threads of a CTA of these kernels: 32, or what an SM has room for.
pub(crate) fn cta<D: Device>(gpu: &mut Gpu<D>) -> u32 {
    let size = gpu.device().size();
    (size.warps * size.threads).min(32) as u32
}

/// Memory for words, with these in it.
pub(crate) fn words<D: Device>(gpu: &mut Gpu<D>, words: &[u32]) -> Result<Buffer, Error> {
    let buffer = gpu.allocate(4 * words.len() as u32)?;
    gpu.write_words(buffer, 0, words)?;
    Ok(buffer)
}
