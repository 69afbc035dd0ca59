//! A program at another place than the one that it was linked for (HOST-113), by the relocations that its linker has kept.

use object::elf::{self, FileHeader32};
use object::read::elf::{FileHeader, SectionHeader, Sym};
use object::LittleEndian;
use weft_isa::Program;

const LE: LittleEndian = LittleEndian;

/// Programs move by multiples of it: so the low twelve bits of an address stay, wherever an instruction has them.
pub(crate) const STEP: u32 = 4096;

/// Opcode of `auipc`; a linker may have made `lui` of it.
const AUIPC: u32 = 0x17;

/// The program `by` bytes further on, or before when it wraps. `None`: the file does not say what must change, or something
/// would have to change of which this knows nothing.
pub(crate) fn moved(file: &[u8], program: &Program, by: u32) -> Option<Program> {
    let header = FileHeader32::<LittleEndian>::parse(file).ok()?;
    let sections = header.sections(LE, file).ok()?;
    let names = sections.symbols(LE, file, elf::SHT_SYMTAB).ok()?;
    let mut moved = program.clone();
    let mut is_told = false;
    for section in sections.iter() {
        let Some((relocations, _)) = section.rela(LE, file).ok()? else {
            continue;
        };
        let target = sections.section(section.info_link(LE)).ok()?;
        if target.sh_flags(LE) & elf::SHF_ALLOC == 0 {
            continue;
        }
        is_told = true;
        for relocation in relocations {
            let symbol = object::SymbolIndex(relocation.r_sym(LE) as usize);
            // Symbol 0 is none; what is not defined is 0 wherever the program stands.
            let (section, fixed) = match symbol.0 {
                0 => (elf::SHN_UNDEF, true),
                _ => {
                    let symbol = names.symbol(symbol).ok()?;
                    (symbol.st_shndx(LE), is_elsewhere(symbol))
                }
            };
            let stays = section == elf::SHN_UNDEF || section == elf::SHN_ABS || fixed;
            match relocation.r_type(LE) {
                // A word, or the high bits of `lui`, which are those of the word.
                elf::R_RISCV_32 | elf::R_RISCV_HI20 if !stays => {
                    let word = word_at(&mut moved, relocation.r_offset.get(LE))?;
                    *word = u32::from_le_bytes(*word).wrapping_add(by).to_le_bytes();
                }
                elf::R_RISCV_32 | elf::R_RISCV_HI20 => {}
                // What lld leaves of an access that it made relative to zero.
                elf::R_RISCV_64 if stays => {}
                // From pc to what stays, as a weak name that nothing defines: the high bits of `auipc` change.
                elf::R_RISCV_PCREL_HI20 if stays => {
                    let word = word_at(&mut moved, relocation.r_offset.get(LE))?;
                    let instruction = u32::from_le_bytes(*word);
                    if instruction & 0x7F == AUIPC {
                        *word = instruction.wrapping_sub(by).to_le_bytes();
                    }
                }
                // From pc: what it names must move with it.
                elf::R_RISCV_BRANCH
                | elf::R_RISCV_JAL
                | elf::R_RISCV_CALL
                | elf::R_RISCV_CALL_PLT
                | elf::R_RISCV_PCREL_HI20
                    if !stays => {}
                // A call of a weak name that nothing defines, as of `kernel` where all kernels have names: lld makes it a
                // jump to itself, GNU ld one to 0 from no register.
                elf::R_RISCV_JAL | elf::R_RISCV_CALL | elf::R_RISCV_CALL_PLT
                    if section == elf::SHN_UNDEF => {}
                // The low bits, a difference, or nothing.
                elf::R_RISCV_PCREL_LO12_I
                | elf::R_RISCV_PCREL_LO12_S
                | elf::R_RISCV_NONE
                | elf::R_RISCV_LO12_I
                | elf::R_RISCV_LO12_S
                | elf::R_RISCV_GPREL_I
                | elf::R_RISCV_GPREL_S
                | elf::R_RISCV_ALIGN
                | elf::R_RISCV_TPREL_HI20..=elf::R_RISCV_TPREL_ADD
                | elf::R_RISCV_RELAX
                | elf::R_RISCV_ADD8..=elf::R_RISCV_SUB64
                | elf::R_RISCV_SUB6..=elf::R_RISCV_SET32 => {}
                _ => return None,
            }
        }
    }
    if !is_told {
        return None;
    }
    let fixed = names
        .iter()
        .filter(|symbol| symbol.st_shndx(LE) == elf::SHN_ABS || is_elsewhere(symbol));
    let fixed: Vec<_> = fixed
        .filter_map(|s| names.symbol_name(LE, s).ok())
        .collect();
    for (name, address) in &mut moved.symbols {
        if !fixed.contains(&name.as_bytes()) {
            *address = address.wrapping_add(by);
        }
    }
    for segment in &mut moved.segments {
        segment.address = segment.address.wrapping_add(by);
    }
    moved.entry = moved.entry.wrapping_add(by);
    moved.text = (moved.text.0.wrapping_add(by), moved.text.1.wrapping_add(by));
    Some(moved)
}

/// A thread's own variable, by its distance, or one in a CTA's scratchpad: neither stands in the image.
fn is_elsewhere(symbol: &elf::Sym32<LittleEndian>) -> bool {
    symbol.st_type() == elf::STT_TLS || symbol.st_value(LE) >= weft_sim::space::LOCAL
}

/// The four bytes that stand at an address of the program, as it was linked.
fn word_at(program: &mut Program, address: u32) -> Option<&mut [u8; 4]> {
    let mut segments = program.segments.iter_mut();
    segments.find_map(|segment| {
        let offset = address.checked_sub(segment.address)? as usize;
        let bytes = segment.bytes.get_mut(offset..offset.checked_add(4)?)?;
        bytes.try_into().ok()
    })
}
