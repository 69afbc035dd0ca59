//! Loader for statically linked RISC-V executables.

use std::collections::BTreeMap;

use object::elf::{self, FileHeader32, ProgramHeader32, SectionHeader32};
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader, SectionTable, Sym};
use object::LittleEndian;

use crate::{Program, Segment, IMAGE_BASE, IMAGE_LIMIT};

const LE: LittleEndian = LittleEndian;
type Header = FileHeader32<LittleEndian>;

/// Why a file cannot be loaded as an executable.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    #[error("not an ELF file")]
    NotElf,
    #[error("a 64-bit ELF file; compile with -march=rv32ima_zicsr -mabi=ilp32")]
    Not32Bit,
    #[error("a big-endian ELF file")]
    BigEndian,
    #[error("machine {0} instead of RISC-V (243)")]
    Machine(u16),
    #[error("not an executable (ELF type {0}); link it statically at {IMAGE_BASE:#x}")]
    NotExecutable(u16),
    #[error("a dynamically linked executable; link with -static")]
    Dynamic,
    #[error("compressed instructions; compile and link with -march=rv32ima_zicsr")]
    Compressed,
    #[error("a floating-point calling convention; compile and link with -mabi=ilp32")]
    FloatAbi,
    #[error("the reduced register set of RV32E; compile and link with -mabi=ilp32")]
    ReducedRegisters,
    #[error("segment {start:#x} to {end:#x} lies outside {IMAGE_BASE:#x} to {IMAGE_LIMIT:#x}")]
    OutsideMemory { start: u64, end: u64 },
    #[error("segments overlap at {0:#x}")]
    Overlap(u32),
    #[error("nothing executable to load")]
    NoCode,
    #[error("entry point {0:#x} is not an instruction of the program")]
    Entry(u32),
    #[error("damaged ELF file: {0}")]
    Damaged(String),
}

impl From<object::read::Error> for LoadError {
    fn from(error: object::read::Error) -> LoadError {
        LoadError::Damaged(error.to_string())
    }
}

/// Reads a statically linked 32-bit little-endian RISC-V executable without compressed
/// instructions. Loadable segments keep their virtual addresses; memory beyond their file contents
/// is zero. What a linker puts below 0x1000 beside the program (its own headers) is left out.
///
/// # Errors
/// See [`LoadError`]. Any file is refused or loaded; none panics.
pub fn load_elf(bytes: &[u8]) -> Result<Program, LoadError> {
    let header = checked_header(bytes)?;
    let sections = header.sections(LE, bytes)?;
    let segments = load_segments(header, &sections, bytes)?;
    let text = text_range(header, &sections, bytes)?;
    let entry = header.e_entry(LE);
    if entry % 4 != 0 || !(text.0..text.1).contains(&entry) {
        return Err(LoadError::Entry(entry));
    }
    Ok(Program {
        entry,
        segments,
        symbols: symbols(&sections, bytes)?,
        text,
    })
}

/// The file header, when it is of the kind that this machine runs.
fn checked_header(bytes: &[u8]) -> Result<&Header, LoadError> {
    match bytes {
        [0x7F, b'E', b'L', b'F', class, data, ..] => {
            if *class == elf::ELFCLASS64 {
                return Err(LoadError::Not32Bit);
            }
            if *data == elf::ELFDATA2MSB {
                return Err(LoadError::BigEndian);
            }
        }
        _ => return Err(LoadError::NotElf),
    }
    let header = Header::parse(bytes)?;
    if header.e_machine(LE) != elf::EM_RISCV {
        return Err(LoadError::Machine(header.e_machine(LE)));
    }
    check_flags(header.e_flags(LE))?;
    match header.e_type(LE) {
        elf::ET_EXEC => Ok(header),
        elf::ET_DYN => Err(LoadError::Dynamic),
        other => Err(LoadError::NotExecutable(other)),
    }
}

fn check_flags(flags: u32) -> Result<(), LoadError> {
    if flags & elf::EF_RISCV_RVC != 0 {
        return Err(LoadError::Compressed);
    }
    if flags & elf::EF_RISCV_RVE != 0 {
        return Err(LoadError::ReducedRegisters);
    }
    if flags & elf::EF_RISCV_FLOAT_ABI_QUAD != 0 {
        return Err(LoadError::FloatAbi);
    }
    Ok(())
}

type Sections<'data> = SectionTable<'data, Header>;

fn load_segments(
    header: &Header,
    sections: &Sections,
    bytes: &[u8],
) -> Result<Vec<Segment>, LoadError> {
    let mut segments = Vec::new();
    for segment in header.program_headers(LE, bytes)? {
        match segment.p_type(LE) {
            elf::PT_INTERP | elf::PT_DYNAMIC => return Err(LoadError::Dynamic),
            elf::PT_LOAD if segment.p_memsz(LE) > 0 => {
                segments.push(load_segment(segment, sections, bytes)?);
            }
            _ => {}
        }
    }
    segments.retain(|segment| !segment.bytes.is_empty());
    segments.sort_by_key(|segment| segment.address);
    for pair in segments.windows(2) {
        if pair[0].address as usize + pair[0].bytes.len() > pair[1].address as usize {
            return Err(LoadError::Overlap(pair[1].address));
        }
    }
    Ok(segments)
}

fn load_segment(
    segment: &ProgramHeader32<LittleEndian>,
    sections: &Sections,
    bytes: &[u8],
) -> Result<Segment, LoadError> {
    let start = u64::from(segment.p_vaddr(LE));
    let end = start + u64::from(segment.p_memsz(LE));
    let below_base = start < IMAGE_BASE.into();
    if end > IMAGE_LIMIT.into() || below_base && !is_only_headers(sections, start) {
        return Err(LoadError::OutsideMemory { start, end });
    }
    let contents = segment.data(LE, bytes).map_err(|()| {
        LoadError::Damaged(format!("the segment at {start:#x} reaches beyond the file"))
    })?;
    let size = (end - start) as usize;
    if contents.len() > size {
        let message = format!("the segment at {start:#x} is larger in the file than in memory");
        return Err(LoadError::Damaged(message));
    }
    let mut memory = contents.to_vec();
    memory.resize(size, 0);
    let below = u64::from(IMAGE_BASE).saturating_sub(start).min(end - start);
    memory.drain(..below as usize);
    Ok(Segment {
        address: (start + below) as u32,
        bytes: memory,
    })
}

/// No section of the program lies between `start` and the first mapped address.
fn is_only_headers(sections: &Sections, start: u64) -> bool {
    let is_allocated = |section: &&SectionHeader32<LittleEndian>| {
        section.sh_flags(LE) & elf::SHF_ALLOC != 0 && section.sh_size(LE) > 0
    };
    let mut allocated = sections.iter().filter(is_allocated).peekable();
    allocated.peek().is_some()
        && allocated.all(|section| {
            let (first, size) = (
                u64::from(section.sh_addr(LE)),
                u64::from(section.sh_size(LE)),
            );
            first >= IMAGE_BASE.into() || first + size <= start
        })
}

/// From the first to the last byte of executable sections; without sections, of executable
/// segments.
fn text_range(header: &Header, sections: &Sections, bytes: &[u8]) -> Result<(u32, u32), LoadError> {
    let is_code = elf::SHF_ALLOC | elf::SHF_EXECINSTR;
    let mut ranges: Vec<(u32, u32)> = sections
        .iter()
        .filter(|section| section.sh_flags(LE) & is_code == is_code)
        .map(|section| (section.sh_addr(LE), section.sh_size(LE)))
        .collect();
    if sections.is_empty() {
        let segments = header.program_headers(LE, bytes)?.iter();
        let loads = segments.filter(|segment| segment.p_type(LE) == elf::PT_LOAD);
        let code = loads.filter(|segment| segment.p_flags(LE) & elf::PF_X != 0);
        ranges = code
            .map(|segment| (segment.p_vaddr(LE), segment.p_memsz(LE)))
            .collect();
    }
    ranges.retain(|&(_, size)| size > 0);
    let start = ranges
        .iter()
        .map(|&(address, _)| address)
        .min()
        .ok_or(LoadError::NoCode)?;
    let ends = ranges
        .iter()
        .map(|&(address, size)| u64::from(address) + u64::from(size));
    let end = ends.max().unwrap_or(0);
    if start < IMAGE_BASE || end > IMAGE_LIMIT.into() {
        return Err(LoadError::OutsideMemory {
            start: start.into(),
            end,
        });
    }
    Ok((start, end as u32))
}

/// Labels of functions, objects and assembly code; global ones win over local ones of that name.
fn symbols(sections: &Sections, bytes: &[u8]) -> Result<BTreeMap<String, u32>, LoadError> {
    let table = sections.symbols(LE, bytes, elf::SHT_SYMTAB)?;
    let mut symbols = BTreeMap::new();
    for bind_local in [false, true] {
        for symbol in table.iter() {
            let is_local = symbol.st_bind() == elf::STB_LOCAL;
            let section = symbol.st_shndx(LE);
            let is_label = [elf::STT_NOTYPE, elf::STT_FUNC, elf::STT_OBJECT]
                .contains(&symbol.st_type())
                && section != elf::SHN_UNDEF;
            if !is_label || is_local != bind_local {
                continue;
            }
            let name = String::from_utf8_lossy(table.symbol_name(LE, symbol)?).into_owned();
            if !name.is_empty() && !name.starts_with(".L") && !name.starts_with('$') {
                symbols.entry(name).or_insert(symbol.st_value(LE));
            }
        }
    }
    Ok(symbols)
}
