//! Reads programs: assembly sources and ELF executables.

use anyhow::{bail, Context, Result};
use std::path::Path;
use weft_isa::Program;

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
pub fn assemble_all(sources: &[(&str, &str)]) -> Result<Program> {
    let program = weft_isa::assemble_files(sources)?;
    let symbol = |name: &str| program.symbols.contains_key(name);
    if symbol("kernel") && !symbol("_start") {
        return Ok(weft_isa::assemble_files(&[sources, &[START]].concat())?);
    }
    Ok(program)
}
