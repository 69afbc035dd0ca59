//! What is read and told of a GPU when a run is over.

use weft_driver::{Counters, Device};
use weft_sim::memory::MEMORY_BASE;
use weft_sim::Memory;

/// The device's whole memory.
pub fn memory_of(device: &mut impl Device) -> Memory {
    let end = device.memory_end();
    let mut bytes = vec![0; (end - MEMORY_BASE) as usize];
    let mut memory = Memory::new(end);
    if device.read(MEMORY_BASE, &mut bytes) {
        memory
            .write_bytes(MEMORY_BASE, &bytes)
            .expect("two memories of one size");
    }
    memory
}

pub fn many(number: u32, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

/// What a GPU counts, a line each.
pub fn lines(c: &Counters) -> Vec<String> {
    let mut lines = vec![
        format!(
            "{} warp instructions, {}; {} through channels, {} through the spawn ring, {} at the end of others",
            c.instructions,
            many(c.ctas, "CTA"),
            many(c.launches, "task"),
            c.spawns,
            c.dependents,
        ),
        format!(
            "{} commands in {} entries, {}",
            c.commands,
            c.entries,
            many(c.evictions, "eviction")
        ),
    ];
    let cycles = c
        .cycles
        .map(|n| format!("{n} cycles, those of the host's accesses included"));
    lines.extend(cycles);
    lines
}
