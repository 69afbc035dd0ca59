//! Reads programs: assembly sources and ELF executables.

use anyhow::{bail, Context, Result};
use std::path::Path;
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

/// Loads a program file.
pub fn load(path: &Path) -> Result<Program> {
    let name = path.display().to_string();
    let bytes = weft_isa::files::read(path).with_context(|| name.clone())?;
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

/// The barrier instruction with the lowest address, if the program has any in its code.
/// Data among the code may look like one.
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
