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

pub fn print(c: &Counters) {
    println!(
        "  {} warp instructions, {}; {} through channels, {} through the spawn ring, {} at the end of others",
        c.instructions,
        many(c.ctas, "CTA"),
        many(c.launches, "task"),
        c.spawns,
        c.dependents,
    );
    println!(
        "  {} commands in {} entries, {}",
        c.commands,
        c.entries,
        many(c.evictions, "eviction")
    );
    if let Some(cycles) = c.cycles {
        println!("  {cycles} cycles, those of the host's accesses included");
    }
}
