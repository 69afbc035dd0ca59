//! What goes into memory before a run, and what is shown and kept of it behind: `--load`, `--dump`, `--save`.

use crate::cli::RunArgs;
use crate::options::{Dump, Load, Place, Save, Shown};
use crate::{files, image, outputs};
use anyhow::{bail, Context, Result};
use serde::Serialize;
use std::collections::BTreeMap;
use weft_isa::Program;
use weft_sim::memory::MEMORY_BASE;
use weft_sim::Memory;

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
    let contents = weft_isa::files::read(&load.file)?;
    files::loaded(load, &contents).map_err(anyhow::Error::msg)
}

/// What is wanted of the memory behind a run, found before it.
pub struct Wanted<'a> {
    dumps: Vec<Spot<'a>>,
    saves: Vec<(Spot<'a>, &'a Save)>,
}

struct Spot<'a> {
    dump: &'a Dump,
    address: u32,
    bytes: u32,
}

impl<'a> Wanted<'a> {
    /// `sizes`: bytes of what symbols name, where the file says so; else all up to the next symbol is theirs.
    pub fn of(
        args: &'a RunArgs,
        program: &Program,
        sizes: &BTreeMap<String, u32>,
        memory: u32,
    ) -> Result<Wanted<'a>> {
        let spot = |dump, option| locate(program, sizes, dump, memory).context(option);
        let dumps = args.dump.iter().map(|d| spot(d, format!("--dump {d}")));
        let saves = args.save.iter().map(|save| {
            let option = format!("--save {}={}", save.what, save.file.display());
            Ok((spot(&save.what, option)?, save))
        });
        Ok(Wanted {
            dumps: dumps.collect::<Result<_>>()?,
            saves: saves.collect::<Result<_>>()?,
        })
    }

    pub fn read(&self, memory: &Memory) -> Vec<DumpReport> {
        self.dumps.iter().map(|spot| spot.read(memory)).collect()
    }

    /// Writes the files; what could not be written.
    pub fn save(&self, memory: &Memory) -> Vec<anyhow::Error> {
        let write = |(spot, save): &(Spot, &Save)| {
            let name = save.file.display().to_string();
            let contents = files::file_of(&name, spot.bytes_of(memory), spot.dump.shown);
            outputs::write("--save", &save.file, contents).err()
        };
        self.saves.iter().filter_map(write).collect()
    }
}

/// It must lie in memory.
fn locate<'a>(
    program: &Program,
    sizes: &BTreeMap<String, u32>,
    dump: &'a Dump,
    memory: u32,
) -> Result<Spot<'a>> {
    let address = image::resolve(program, &dump.place)?;
    let bytes = match (dump.words, &dump.place) {
        (Some(words), _) => 4 * words,
        (None, Place::Address(_)) => unreachable!("refused with the option"),
        (None, Place::Symbol(name)) => match sizes.get(name) {
            Some(bytes) => *bytes,
            None => image::extent(program, address).with_context(|| {
                format!("how much `{name}` is, is not known: write {name}:WORDS")
            })?,
        },
    };
    let end = u64::from(address) + u64::from(bytes);
    if address < MEMORY_BASE || end > u64::from(memory) {
        bail!("{address:#x}..{end:#x} lies outside memory {MEMORY_BASE:#x}..{memory:#x}");
    }
    Ok(Spot {
        dump,
        address,
        bytes,
    })
}

impl Spot<'_> {
    fn bytes_of<'m>(&self, memory: &'m Memory) -> &'m [u8] {
        let end = self.address + self.bytes;
        memory.slice(self.address..end).unwrap_or_default()
    }

    /// Of the last word maybe not all bytes are its own.
    fn read(&self, memory: &Memory) -> DumpReport {
        let word = |b: &[u8]| {
            let byte = |n| b.get(n).copied().unwrap_or(0);
            u32::from_le_bytes(std::array::from_fn(byte))
        };
        DumpReport {
            place: self.dump.place.to_string(),
            address: self.address,
            shown: self.dump.shown,
            words: self.bytes_of(memory).chunks(4).map(word).collect(),
        }
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
