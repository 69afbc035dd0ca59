//! `weft disasm`, and the listing of `weft asm`.

use crate::cli::DisasmArgs;
use crate::program;
use anyhow::{ensure, Context, Result};
use std::collections::BTreeMap;
use std::io::Write;
use weft_isa::{Program, Segment};

pub fn run(args: &DisasmArgs) -> Result<()> {
    let bytes =
        weft_isa::files::read(&args.file).with_context(|| args.file.display().to_string())?;
    let program = match program::kind(&args.file, &bytes) {
        Some(_) => program::load(&args.file)?,
        None => flat(bytes, args.base).with_context(|| args.file.display().to_string())?,
    };
    print(&program)
}

/// A flat binary is code from its first to its last byte.
fn flat(bytes: Vec<u8>, base: u32) -> Result<Program> {
    let length = bytes.len();
    ensure!(length > 0, "the file is empty");
    ensure!(
        length % 4 == 0,
        "{length} bytes are not a number of whole instructions"
    );
    let end = u64::from(base) + length as u64;
    ensure!(
        end <= 1 << 24,
        "{length} bytes at {base:#x} reach beyond 16 MiB, where code must end"
    );
    Ok(Program {
        entry: base,
        segments: vec![Segment {
            address: base,
            bytes,
        }],
        symbols: BTreeMap::new(),
        text: (base, end as u32),
    })
}

/// Address, word and text of every instruction, with the symbols before theirs.
pub fn print(program: &Program) -> Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut labels: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
    for (name, &address) in &program.symbols {
        labels.entry(address).or_default().push(name);
    }
    let (start, end) = program.text;
    for segment in &program.segments {
        let words = segment
            .bytes
            .chunks_exact(4)
            .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        for (address, word) in (segment.address..).step_by(4).zip(words) {
            if !(start..end).contains(&address) {
                continue;
            }
            for name in labels.get(&address).into_iter().flatten() {
                writeln!(out, "{name}:")?;
            }
            let text = match weft_isa::decode(word) {
                Ok(instr) => weft_isa::disassemble(instr, address),
                Err(_) => format!(".word {word:#010x}"),
            };
            writeln!(out, "{address:8x}:  {word:08x}  {text}")?;
        }
    }
    out.flush()?;
    Ok(())
}
