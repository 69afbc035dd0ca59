//! The program that `weft run` runs: one file or several, compiled where need be.

use crate::cc;
use crate::cli::SourceArgs;
use crate::options::Load;
use crate::program::{assemble_all, kind, Kind};
use anyhow::{bail, ensure, Context, Result};
use std::path::PathBuf;
use weft_cc::lines::Lines;
use weft_isa::Program;

/// A program, and what is known of its source.
pub struct Loaded {
    pub program: Program,
    pub lines: Lines,
}

/// Makes a program of files: an ELF executable, assembly sources, or C, C++ and what goes with it, which is compiled
/// for what `--load` will give it.
pub fn load_all(files: &[PathBuf], compile: &SourceArgs, loads: &[Load]) -> Result<Loaded> {
    let of_elf = |elf: &[u8], name: &str| -> Result<Loaded> {
        let program = weft_isa::elf::load_elf(elf).with_context(|| name.to_string())?;
        Ok(Loaded {
            program,
            lines: Lines::of_elf(elf),
        })
    };
    let name = files[0].display().to_string();
    if files.iter().any(|file| weft_cc::build::is_source(file)) {
        return of_elf(&cc::build(files, compile, loads)?.elf, &name);
    }
    let mut sources = Vec::new();
    for file in files {
        let name = file.display().to_string();
        let bytes = std::fs::read(file).with_context(|| name.clone())?;
        match kind(file, &bytes) {
            Some(Kind::Elf) => {
                ensure!(
                    files.len() == 1,
                    "{name}: an executable is a whole program; give it alone"
                );
                return of_elf(&bytes, &name);
            }
            Some(Kind::Assembly) => {
                let text =
                    String::from_utf8(bytes).with_context(|| format!("{name}: not a text file"))?;
                sources.push((name, text));
            }
            None => bail!("{name}: {UNKNOWN}"),
        }
    }
    let sources: Vec<_> = sources
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let program = assemble_all(&sources)?;
    let symbols = program.symbols.iter().map(|(name, at)| (name.clone(), *at));
    let lines = Lines::of_symbols(symbols, program.text);
    Ok(Loaded { program, lines })
}

const UNKNOWN: &str =
    "neither C (.c), C++ (.cc, .cpp, .cxx), an assembly source (.s, .S, .asm) nor an ELF executable";
