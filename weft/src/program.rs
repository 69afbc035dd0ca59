//! Reads programs: assembly sources and ELF executables.

use crate::cc;
use crate::cli::CompileArgs;
use anyhow::{bail, ensure, Context, Result};
use std::path::{Path, PathBuf};
use weft_cc::lines::Lines;
use weft_isa::{Instr, Program};

/// Entry for sources that have `kernel` but no `_start`.
const START: (&str, &str) = ("kernels/start.asm", include_str!("../../kernels/start.asm"));

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Elf,
    Assembly,
}

/// What kind of program a file is, by its first bytes and its name.
pub fn kind(path: &Path, bytes: &[u8]) -> Option<Kind> {
    if bytes.starts_with(b"\x7fELF") {
        return Some(Kind::Elf);
    }
    let extension = path.extension()?.to_str()?;
    ["s", "S", "asm"]
        .contains(&extension)
        .then_some(Kind::Assembly)
}

/// A program, and what is known of its source.
pub struct Loaded {
    pub program: Program,
    pub lines: Lines,
}

/// Makes a program of files: an ELF executable, assembly sources, or C, C++ and what goes with it, which is compiled.
pub fn load_all(files: &[PathBuf], compile: &CompileArgs) -> Result<Loaded> {
    let of_elf = |elf: &[u8], name: &str| -> Result<Loaded> {
        let program = weft_isa::elf::load_elf(elf).with_context(|| name.to_string())?;
        Ok(Loaded {
            program,
            lines: Lines::of_elf(elf),
        })
    };
    let name = files[0].display().to_string();
    if files.iter().any(|file| weft_cc::build::is_source(file)) {
        return of_elf(&cc::build(files, compile)?.elf, &name);
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

/// The barrier instruction with the lowest address, if the program has any in its code. Data among the code may look like one.
pub fn first_barrier(program: &Program) -> Option<(u32, Instr)> {
    let (start, end) = program.text;
    let words = program.segments.iter().flat_map(|segment| {
        let skip = (segment.address.wrapping_neg() % 4) as usize;
        let bytes = segment.bytes.get(skip..).unwrap_or_default();
        let first = segment.address + skip as u32;
        let words = bytes.chunks_exact(4).enumerate();
        words.map(move |(n, b)| {
            (
                first + 4 * n as u32,
                u32::from_le_bytes([b[0], b[1], b[2], b[3]]),
            )
        })
    });
    let code = words.filter(|(pc, _)| (start..end).contains(pc));
    let mut instrs = code.filter_map(|(pc, word)| Some((pc, weft_isa::decode(word).ok()?)));
    instrs.find(|(_, instr)| matches!(instr, Instr::Barrier { .. }))
}

const UNKNOWN: &str =
    "neither C (.c), C++ (.cc, .cpp, .cxx), an assembly source (.s, .S, .asm) nor an ELF executable";

/// Loads a program file.
pub fn load(path: &Path) -> Result<Program> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).with_context(|| name.clone())?;
    match kind(path, &bytes) {
        Some(Kind::Elf) => weft_isa::elf::load_elf(&bytes).with_context(|| name),
        Some(Kind::Assembly) => {
            let text =
                String::from_utf8(bytes).with_context(|| format!("{name}: not a text file"))?;
            assemble(&name, &text)
        }
        None => bail!("{name}: neither an ELF executable nor an assembly source (.s, .S, .asm)"),
    }
}

/// Assembles a source, with the entry for C kernels where it is needed.
pub fn assemble(name: &str, text: &str) -> Result<Program> {
    assemble_all(&[(name, text)])
}

/// The same of several.
fn assemble_all(sources: &[(&str, &str)]) -> Result<Program> {
    let program = weft_isa::assemble_files(sources)?;
    let symbol = |name: &str| program.symbols.contains_key(name);
    if symbol("kernel") && !symbol("_start") {
        return Ok(weft_isa::assemble_files(&[sources, &[START]].concat())?);
    }
    Ok(program)
}
