//! Seeded random programs that each thread runs alike alone and in a warp.

mod barriers;
mod chaotic;
mod float;
mod knobs;
mod listing;
mod masked;
mod source;
mod structured;
mod windows;
mod writer;

pub use knobs::Knobs;
pub use source::{load_constant, Condition, Item, Label, Source, BASE, NOP};
pub use windows::{LOCAL_BYTES, MOST_THREADS, SCRATCH_BYTES, SCRATCH_SHARED};
pub use writer::{OWN_BASE, OWN_SIZE, SHARED_BASE, SHARED_WORDS};

use crate::seed::Rng;
use weft_isa::Instr;

/// A random program of this shape.
pub fn generate(knobs: &Knobs, rng: &mut Rng) -> Source {
    if knobs.masked {
        return masked::generate(knobs, rng);
    }
    let mut source = Source::default();
    let end = source.label();
    let mut w = writer::Writer {
        source,
        rng,
        knobs,
        end,
        targets: vec![end],
        phases: 0,
    };
    w.prologue();
    if knobs.windows != 0 {
        w.clear_windows();
    }
    match knobs.structured {
        true => structured::write(&mut w),
        false => chaotic::write(&mut w),
    }
    w.source.place(end);
    w.source.op(Instr::Exit);
    w.source
}

/// Bytes of a thread's stack, which no generated program uses; the stacks lie above the threads' own words.
pub const STACK: u32 = 16;

/// Bytes of memory that a generated program needs for a grid of this many threads.
pub fn memory_size(threads: u32) -> u32 {
    (OWN_BASE + threads * (OWN_SIZE + STACK)).next_multiple_of(0x1_0000)
}
