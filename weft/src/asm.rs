//! `weft asm`.

use crate::cli::AsmArgs;
use crate::{disasm, outputs, program};
use anyhow::{ensure, Result};

pub fn run(args: &AsmArgs) -> Result<()> {
    let program = program::load(&args.source)?;
    outputs::distinct(&[("-o", args.output.as_deref())], &[("", &args.source)])?;
    let Some(path) = &args.output else {
        return disasm::print(&program);
    };
    let start = program.segments.first().map_or(0, |s| s.address);
    let end = program
        .segments
        .last()
        .map_or(0, |s| s.address as usize + s.bytes.len());
    let size = end - start as usize;
    ensure!(size > 0, "{}: the program is empty", args.source.display());
    let mut flat = vec![0; size];
    for segment in &program.segments {
        let at = (segment.address - start) as usize;
        flat[at..at + segment.bytes.len()].copy_from_slice(&segment.bytes);
    }
    outputs::write("-o", path, flat)?;
    println!(
        "{}: {size} bytes for address {start:#x}, entry {:#x}",
        path.display(),
        program.entry
    );
    Ok(())
}
