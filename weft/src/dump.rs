//! What goes into memory before a run, and what is shown of it behind: `--load` and `--dump`.

use crate::options::{Dump, Load, Shown};
use crate::{data, image};
use anyhow::{bail, Context, Result};
use serde::Serialize;
use weft_isa::Program;
use weft_sim::memory::MEMORY_BASE;
use weft_sim::{Config, Memory};

#[derive(Clone, Serialize)]
pub struct DumpReport {
    place: String,
    address: u32,
    #[serde(rename = "as")]
    shown: Shown,
    words: Vec<u32>,
}

/// Puts the files into the program's memory.
pub fn load_data(program: &mut Program, loads: &[Load]) -> Result<()> {
    for load in loads {
        let option = || format!("--load {}={}", load.place, load.file.display());
        // The symbol first: a file cannot make up for a place that does not exist.
        image::resolve(program, &load.place).with_context(option)?;
        let bytes = contents(load).with_context(option)?;
        image::overlay(program, &load.place, &bytes).with_context(option)?;
    }
    Ok(())
}

/// The bytes that a file puts into memory.
pub fn contents(load: &Load) -> Result<Vec<u8>> {
    let contents = std::fs::read(&load.file)?;
    let name = load.file.display().to_string();
    data::memory_bytes(&name, &contents).map_err(anyhow::Error::msg)
}

/// Address of what is to be dumped; it must lie in memory.
pub fn locate(program: &Program, dump: &Dump, config: &Config) -> Result<u32> {
    let option = || format!("--dump {}:{}", dump.place, dump.words);
    let address = image::resolve(program, &dump.place).with_context(option)?;
    let end = u64::from(address) + 4 * u64::from(dump.words);
    if address < MEMORY_BASE || end > u64::from(config.memory) {
        bail!(
            "{}: {address:#x}..{end:#x} lies outside memory {MEMORY_BASE:#x}..{:#x}",
            option(),
            config.memory
        );
    }
    Ok(address)
}

pub fn read(dump: &Dump, address: u32, memory: &Memory) -> DumpReport {
    let bytes = memory
        .slice(address..address + 4 * dump.words)
        .unwrap_or_default();
    let words = bytes
        .chunks_exact(4)
        .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
        .collect();
    DumpReport {
        place: dump.place.to_string(),
        address,
        shown: dump.shown,
        words,
    }
}

pub fn print_dump(dump: &DumpReport) {
    println!("{} at {:#x}:", dump.place, dump.address);
    for (line, words) in dump.words.chunks(8).enumerate() {
        let words: Vec<_> = words
            .iter()
            .map(|w| format!("{:>10}", dump.shown.word(*w)))
            .collect();
        println!("  [{:>4}] {}", 8 * line, words.join(" "));
    }
}
