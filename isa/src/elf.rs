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
    #[error(
        "no entry: the linker has found no `_start` and begins {at}; link with `weft cc`, or write WEFT_START(kernel) \
         (weft.h) in one file"
    )]
    NoEntry { at: String },
    #[error(
        "constructors (.init_array) that nothing would run; `weft cc` links a program that runs them. A start file of your own \
         that runs them defines the symbol `{RUNS_CONSTRUCTORS}`"
    )]
    Constructors,
    #[error("damaged ELF file: {0}")]
    Damaged(String),
}

/// Defined where `.init_array` is gone through; newlib's is the other one that is known.
const RUNS_CONSTRUCTORS: &str = "__weft_constructors";
const RUN_BY: [&str; 2] = [RUNS_CONSTRUCTORS, "__libc_init_array"];

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
    if entry == 0 {
        let at = "nowhere".into();
        return Err(LoadError::NoEntry { at });
    }
    if entry % 4 != 0 || !(text.0..text.1).contains(&entry) {
        return Err(LoadError::Entry(entry));
    }
    let holds = |segment: &Segment| {
        let at = entry.checked_sub(segment.address);
        at.is_some_and(|at| (at as usize) < segment.bytes.len())
    };
    // A section without a segment is not loaded.
    if !segments.iter().any(holds) {
        return Err(LoadError::NoCode);
    }
    let symbols = symbols(&sections, bytes)?;
    check_entry(entry, text.0, &symbols)?;
    check_constructors(&sections, &symbols)?;
    Ok(Program {
        entry,
        segments,
        symbols,
        text,
    })
}

/// Bytes of what the symbols of a file name, where it says so.
pub fn sizes(file: &[u8]) -> BTreeMap<String, u32> {
    let sizes = || {
        let header = Header::parse(file).ok()?;
        let sections = header.sections(LE, file).ok()?;
        let names = sections.symbols(LE, file, elf::SHT_SYMTAB).ok()?;
        let sized = names.iter().filter(|symbol| symbol.st_size(LE) > 0);
        let of = |symbol: &elf::Sym32<LittleEndian>| {
            let name = names.symbol_name(LE, symbol).ok()?;
            let name = String::from_utf8_lossy(name).into_owned();
            Some((name, symbol.st_size(LE)))
        };
        Some(sized.filter_map(of).collect())
    };
    sizes().unwrap_or_default()
}

/// CC-041. A program in C of which the linker has only warned that it has no `_start`: it begins at the first function,
/// which would return to nowhere. An entry of another name stands at an address that is no other symbol's.
fn check_entry(entry: u32, text: u32, symbols: &BTreeMap<String, u32>) -> Result<(), LoadError> {
    if symbols.contains_key("_start") || !symbols.contains_key("kernel") {
        return Ok(());
    }
    let at_entry = symbols.iter().filter(|(_, &address)| address == entry);
    let names: Vec<_> = at_entry.map(|(name, _)| name.as_str()).collect();
    if !names.contains(&"kernel") && entry != text {
        return Ok(());
    }
    let at = match names.first() {
        Some(name) => format!("at `{name}`"),
        None => format!("at {entry:#x}"),
    };
    Err(LoadError::NoEntry { at })
}

fn check_constructors(
    sections: &Sections,
    symbols: &BTreeMap<String, u32>,
) -> Result<(), LoadError> {
    let address = |name: &str| symbols.get(name).copied();
    let by_symbols = address("__init_array_start") < address("__init_array_end");
    let is_constructors = |section: &SectionHeader32<LittleEndian>| {
        let is_named = sections.section_name(LE, section) == Ok(b".ctors");
        let is_array = [elf::SHT_INIT_ARRAY, elf::SHT_PREINIT_ARRAY].contains(&section.sh_type(LE));
        (is_array || is_named) && section.sh_size(LE) > 0
    };
    let has_some = by_symbols || sections.iter().any(is_constructors);
    if has_some && !RUN_BY.iter().any(|name| symbols.contains_key(*name)) {
        return Err(LoadError::Constructors);
    }
    Ok(())
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
                segments.push(load_segment(header, segment, sections, bytes)?);
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
    header: &Header,
    segment: &ProgramHeader32<LittleEndian>,
    sections: &Sections,
    bytes: &[u8],
) -> Result<Segment, LoadError> {
    let start = u64::from(segment.p_vaddr(LE));
    let end = start + u64::from(segment.p_memsz(LE));
    let below_base = start < IMAGE_BASE.into();
    let only_headers = || match sections.is_empty() {
        true => has_only_headers(header, segment, bytes),
        false => is_only_headers(sections, start),
    };
    if end > IMAGE_LIMIT.into() || below_base && !only_headers() {
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

/// CC-040. Without section headers: below the first mapped address the segment has the headers of the file, and behind
/// them zeros.
fn has_only_headers(
    header: &Header,
    segment: &ProgramHeader32<LittleEndian>,
    bytes: &[u8],
) -> bool {
    let headers = u64::from(header.e_phoff(LE))
        + u64::from(header.e_phentsize(LE)) * u64::from(header.e_phnum(LE));
    let below = u64::from(IMAGE_BASE - segment.p_vaddr(LE)).min(segment.p_filesz(LE).into());
    let rest = bytes.get(headers.min(below) as usize..below as usize);
    segment.p_offset(LE) == 0 && rest.is_some_and(|rest| rest.iter().all(|byte| *byte == 0))
}

/// From the first to the last byte of executable sections;
/// without sections, whole words of executable segments from the
/// first mapped address on.
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
        let whole_words = |segment: &ProgramHeader32<LittleEndian>| {
            let start = u64::from(segment.p_vaddr(LE));
            let end = start + u64::from(segment.p_memsz(LE));
            let (start, end) = (start.next_multiple_of(4).max(IMAGE_BASE.into()), end & !3);
            (start as u32, end.saturating_sub(start) as u32)
        };
        ranges = code.map(whole_words).collect();
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
