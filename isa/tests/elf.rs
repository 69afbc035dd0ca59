//! The ELF loader, on hand-made files (always) and on linked ones (with the GNU tools).

mod common;

use common::{bytes_at, data, gnu, read, words};
use weft_isa::*;

/// A hand-made executable: header, one program header per segment, contents, and optionally
/// sections: null, .text over the first segment, .symtab, .strtab.
#[derive(Clone)]
struct Elf {
    class: u8,
    endian: u8,
    kind: u16,
    machine: u16,
    flags: u32,
    entry: u32,
    /// (type, address, flags, contents, size in memory)
    segments: Vec<(u32, u32, u32, Vec<u8>, u32)>,
    /// (name, value, info)
    symbols: Vec<(&'static str, u32, u8)>,
}

const LOAD: u32 = 1;
const R_X: u32 = 5;
const RW_: u32 = 6;

impl Elf {
    fn executable() -> Elf {
        let code = [0x0000_0013u32, 0x0000_205B]
            .iter()
            .flat_map(|word| word.to_le_bytes());
        Elf {
            class: 1,
            endian: 1,
            kind: 2,
            machine: 243,
            flags: 0,
            entry: 0x1000,
            segments: vec![
                (LOAD, 0x1000, R_X, code.collect(), 8),
                (LOAD, 0x2000, RW_, vec![7], 16),
            ],
            symbols: Vec::new(),
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let count = self.segments.len();
        let contents = 52 + 32 * count;
        let mut file = Vec::new();
        file.extend([0x7F, b'E', b'L', b'F', self.class, self.endian, 1, 0]);
        file.extend([0; 8]);
        let half = |file: &mut Vec<u8>, value: u16| file.extend(value.to_le_bytes());
        let word = |file: &mut Vec<u8>, value: u32| file.extend(value.to_le_bytes());
        half(&mut file, self.kind);
        half(&mut file, self.machine);
        let size: usize = self.segments.iter().map(|segment| segment.3.len()).sum();
        let (sections, section_count) = match self.symbols.is_empty() {
            true => (0, 0),
            false => (contents + size, 4),
        };
        for value in [1, self.entry, 52, sections as u32, self.flags] {
            word(&mut file, value);
        }
        let names = if section_count > 0 { 3 } else { 0 };
        for value in [52, 32, count as u16, 40, section_count, names] {
            half(&mut file, value);
        }
        let mut offset = contents as u32;
        for (kind, address, flags, bytes, memory) in &self.segments {
            let size = bytes.len() as u32;
            for value in [*kind, offset, *address, *address, size, *memory, *flags, 4] {
                word(&mut file, value);
            }
            offset += size;
        }
        for segment in &self.segments {
            file.extend(&segment.3);
        }
        if !self.symbols.is_empty() {
            file.extend(self.section_table(contents as u32, sections as u32));
        }
        file
    }

    fn section_table(&self, contents: u32, start: u32) -> Vec<u8> {
        let (mut names, mut table) = (vec![0u8], vec![0u8; 16]);
        for (name, value, info) in &self.symbols {
            table.extend((names.len() as u32).to_le_bytes());
            table.extend(value.to_le_bytes());
            table.extend([0, 0, 0, 0, *info, 0, 1, 0]);
            names.extend(name.bytes());
            names.push(0);
        }
        let (_, address, _, code, _) = &self.segments[0];
        let after = start + 4 * 40;
        let size = code.len() as u32;
        let headers = [
            [0; 10],
            [0, 1, 6, *address, contents, size, 0, 0, 4, 0],
            [0, 2, 0, 0, after, table.len() as u32, 3, 1, 4, 16],
            [
                0,
                3,
                0,
                0,
                after + table.len() as u32,
                names.len() as u32,
                0,
                0,
                1,
                0,
            ],
        ];
        let headers = headers.into_iter().flatten().flat_map(u32::to_le_bytes);
        headers.chain(table).chain(names).collect()
    }

    fn load(&self) -> Result<Program, LoadError> {
        load_elf(&self.bytes())
    }
}

#[test]
fn segments_entry_and_text_are_loaded() {
    let program = Elf::executable().load().unwrap();
    assert_eq!((program.entry, program.text), (0x1000, (0x1000, 0x1008)));
    assert_eq!(words(&program), [0x13, 0x205B]);
    let data = Segment {
        address: 0x2000,
        bytes: [vec![7], vec![0; 15]].concat(),
    };
    assert_eq!(program.segments[1], data);
}

#[test]
fn symbols_are_labels_and_global_ones_win() {
    let mut elf = Elf::executable();
    let (local, global, function, section) = (0x00, 0x10, 0x12, 0x03);
    elf.symbols = vec![
        ("main", 0x1004, local),
        ("$x", 0x1000, local),
        (".L1", 0x1000, local),
        ("file.c", 0x1000, section),
        ("_start", 0x1000, global),
        ("main", 0x1000, function),
        ("here", 0x1004, local),
    ];
    let symbols: Vec<(String, u32)> = elf.load().unwrap().symbols.into_iter().collect();
    let expected = [("_start", 0x1000), ("here", 0x1004), ("main", 0x1000)];
    assert_eq!(
        symbols,
        expected.map(|(name, address)| (name.to_string(), address))
    );
}

#[test]
fn wrong_files_have_their_own_errors() {
    let changed = |change: fn(&mut Elf)| {
        let mut elf = Elf::executable();
        change(&mut elf);
        elf.load().unwrap_err()
    };
    assert_eq!(changed(|elf| elf.class = 2), LoadError::Not32Bit);
    assert_eq!(changed(|elf| elf.endian = 2), LoadError::BigEndian);
    assert_eq!(changed(|elf| elf.machine = 40), LoadError::Machine(40));
    assert_eq!(changed(|elf| elf.kind = 1), LoadError::NotExecutable(1));
    assert_eq!(changed(|elf| elf.kind = 3), LoadError::Dynamic);
    assert_eq!(changed(|elf| elf.segments[1].0 = 3), LoadError::Dynamic);
    assert_eq!(changed(|elf| elf.flags = 1), LoadError::Compressed);
    assert_eq!(changed(|elf| elf.flags = 2), LoadError::FloatAbi);
    assert_eq!(changed(|elf| elf.flags = 4), LoadError::FloatAbi);
    assert_eq!(changed(|elf| elf.flags = 8), LoadError::ReducedRegisters);
    assert_eq!(changed(|elf| elf.entry = 0x1002), LoadError::Entry(0x1002));
    assert_eq!(changed(|elf| elf.entry = 0x2000), LoadError::Entry(0x2000));
    assert_eq!(
        changed(|elf| elf.segments[1].1 = 0x1004),
        LoadError::Overlap(0x1004)
    );
    assert_eq!(changed(|elf| elf.segments[0].2 = 4), LoadError::NoCode);
    assert_eq!(
        changed(|elf| elf.segments[1].1 = 0xFF_FFF8),
        LoadError::OutsideMemory {
            start: 0xFF_FFF8,
            end: 0x100_0008
        }
    );
    assert_eq!(
        changed(|elf| elf.segments[1].1 = 0xFFFF_FFFC),
        LoadError::OutsideMemory {
            start: 0xFFFF_FFFC,
            end: 0x1_0000_000C
        }
    );
    assert_eq!(
        changed(|elf| elf.segments[1].1 = 0x800),
        LoadError::OutsideMemory {
            start: 0x800,
            end: 0x810
        }
    );
    assert!(matches!(
        changed(|elf| elf.segments[0].4 = 4),
        LoadError::Damaged(_)
    ));
    // Sections say that there is code, but no segment loads it: there is none, or the table says 65,535 and means
    // what its first section does not tell.
    for segments in [0u16, 0xFFFF] {
        let mut elf = Elf::executable();
        elf.symbols = vec![("_start", 0x1000, 2)];
        let mut bytes = elf.bytes();
        bytes[44..46].copy_from_slice(&segments.to_le_bytes());
        assert_eq!(load_elf(&bytes).unwrap_err(), LoadError::NoCode);
    }
    assert_eq!(load_elf(b"#!/bin/sh").unwrap_err(), LoadError::NotElf);
    assert_eq!(load_elf(b"").unwrap_err(), LoadError::NotElf);
    let text = changed(|elf| elf.flags = 1).to_string();
    assert_eq!(
        text,
        "compressed instructions; compile and link with -march=rv32ima_zicsr"
    );
}

#[test]
fn headers_below_the_program_are_left_out() {
    let mut elf = Elf::executable();
    elf.symbols = vec![("_start", 0x1000, 0x10)];
    // One segment from 0xFF8, as a linker makes it; its section starts at 0x1000.
    let code = elf.segments[0].3.clone();
    elf.segments.push((LOAD, 0xFE0, 4, vec![0xEE; 32], 32));
    assert_eq!(
        elf.load().unwrap().segments[0],
        Segment {
            address: 0x1000,
            bytes: code
        }
    );
}

#[test]
fn damaged_files_are_refused_without_panic() {
    let mut elf = Elf::executable();
    elf.symbols = vec![("_start", 0x1000, 0x10)];
    let file = elf.bytes();
    for length in 0..file.len() {
        let _ = load_elf(&file[..length]);
    }
    for position in 0..file.len() {
        for value in [0, 1, 0x7F, 0x80, 0xFF] {
            let mut damaged = file.clone();
            damaged[position] = value;
            let _ = load_elf(&damaged);
        }
    }
}

#[test]
fn linked_programs_load() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let source = data("atomics.s").to_str().unwrap().to_string();
    let object = path("atomics.o");
    let march = "-march=rv32ima_zicsr_zifencei";
    let Some(_) = gnu("as", &[march, "-mabi=ilp32", &source, "-o", &object]) else {
        return;
    };
    // With the linker's own script: headers in the first segment, linker relaxation.
    for text_address in ["0x1000", "0x10000"] {
        let output = path("program.elf");
        let base = format!("-Ttext={text_address}");
        gnu("ld", &["-melf32lriscv", &base, "-o", &output, &object])
            .expect("as is there, so is ld");
        let program = Program::load(&output).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(format!("{:#x}", program.text.0), text_address);
        assert_eq!(program.entry, program.symbols["_start"]);
        assert!(program
            .segments
            .iter()
            .all(|segment| segment.address >= 0x1000));
        for word in words(&program) {
            assert!(decode(word).is_ok(), "{word:#010x}");
        }
        let histogram = program.symbols["histogram"];
        assert_eq!(bytes_at(&program, histogram, 64), [0; 64]);
    }
}

#[test]
fn files_load_by_content_and_extension() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let source = read(&data("switch.s"));
    for name in ["a.s", "a.S", "a.asm"] {
        let program = Program::load(write(name, source.as_bytes())).unwrap();
        assert_eq!(program, assemble(&source, "a.s").unwrap());
    }
    // An executable is one whatever its name.
    let elf = Elf::executable();
    assert_eq!(
        Program::load(write("b.s", &elf.bytes())).unwrap(),
        elf.load().unwrap()
    );

    let fails = |name: &str, bytes: &[u8]| Program::load(write(name, bytes)).unwrap_err();
    assert!(matches!(
        fails("c.txt", b"nop"),
        FileError::UnknownFormat { .. }
    ));
    assert!(matches!(fails("c.s", b"\xFF"), FileError::NotText { .. }));
    assert!(matches!(
        fails("c.elf", b"\x7FELF\x02\x01"),
        FileError::Elf {
            error: LoadError::Not32Bit,
            ..
        }
    ));
    let missing = Program::load(folder.path().join("missing.s")).unwrap_err();
    assert!(matches!(missing, FileError::Read { .. }));
    match fails("d.s", b"nop\nnoop\n") {
        FileError::Assembly(errors) => {
            let error = &errors.errors()[0];
            assert!(error.file().ends_with("d.s"), "{errors}");
            assert_eq!(
                (error.line(), error.help()),
                (2, Some("did you mean `nop`?"))
            );
        }
        other => panic!("{other}"),
    }
}

/// One segment that begins with the headers of the file, as linkers make it, and no section headers: what `strip`
/// leaves.
#[test]
fn headers_are_left_out_without_section_headers_as_well() {
    let file = |padding: u8, filler: usize| {
        let mut elf = Elf::executable();
        elf.segments.truncate(1);
        let code = elf.segments[0].3.clone();
        elf.segments[0].3 = [vec![padding; filler], code].concat();
        elf.segments[0].4 = elf.segments[0].3.len() as u32;
        let mut bytes = elf.bytes();
        let size = bytes.len() as u32;
        let below = size - 8;
        // Offset, address, physical address, size in the file and in memory.
        for (at, value) in [(4, 0), (8, 0x1000 - below), (16, size), (20, size)] {
            bytes[52 + at..52 + at + 4].copy_from_slice(&value.to_le_bytes());
        }
        bytes
    };
    for filler in [0, 12] {
        let program = load_elf(&file(0, filler)).unwrap();
        assert_eq!((program.text, program.entry), ((0x1000, 0x1008), 0x1000));
        assert_eq!(words(&program), [0x13, 0x205B]);
    }
    // What stands there is not only headers.
    assert_eq!(
        load_elf(&file(1, 12)).unwrap_err(),
        LoadError::OutsideMemory {
            start: 0x1000 - 0x60,
            end: 0x1008
        }
    );
}

#[test]
fn a_missing_entry_is_told() {
    let (label, function) = (0x10, 0x12);
    let with = |entry: u32, symbols: &[(&'static str, u32, u8)]| {
        let mut elf = Elf::executable();
        (elf.entry, elf.symbols) = (entry, symbols.to_vec());
        elf.load().map(|program| program.entry)
    };
    let told = |at: &str| Err(LoadError::NoEntry { at: at.into() });
    // lld leaves it 0, GNU ld takes the beginning of .text.
    assert_eq!(with(0, &[("kernel", 0x1004, function)]), told("nowhere"));
    let helper = [("helper", 0x1000, function), ("kernel", 0x1004, function)];
    assert_eq!(with(0x1000, &helper), told("at `helper`"));
    assert_eq!(
        with(0x1000, &[("kernel", 0x1000, function)]),
        told("at `kernel`")
    );
    let start = [("kernel", 0x1004, function), ("_start", 0x1000, label)];
    assert_eq!(with(0x1000, &start), Ok(0x1000));
    // An entry by another name.
    let own = [("kernel", 0x1000, function), ("entry", 0x1004, label)];
    assert_eq!(with(0x1004, &own), Ok(0x1004));
    assert_eq!(with(0x1000, &[("begin", 0x1000, label)]), Ok(0x1000));
}

#[test]
fn constructors_that_nobody_runs_are_refused() {
    let (label, start) = (0x10, ("_start", 0x1000, 0x10));
    let with = |symbols: &[(&'static str, u32, u8)]| {
        let mut elf = Elf::executable();
        elf.symbols = symbols.to_vec();
        elf.load().map(|_| ())
    };
    let array = [
        ("__init_array_start", 0x2000, label),
        ("__init_array_end", 0x2004, label),
    ];
    let refused = Err(LoadError::Constructors);
    assert_eq!(with(&[&array[..], &[start]].concat()), refused);
    for runner in ["__weft_constructors", "__libc_init_array"] {
        let symbols = [&array[..], &[start, (runner, 0x1004, label)]].concat();
        assert_eq!(with(&symbols), Ok(()));
    }
    let empty = [array[0], ("__init_array_end", 0x2000, label), start];
    assert_eq!(with(&empty), Ok(()));
}

/// ISA-030
#[test]
fn the_linkers_symbol_is_the_global_pointer() {
    let mut elf = Elf::executable();
    assert_eq!(elf.load().unwrap().global_pointer(), 0);
    elf.symbols = vec![
        ("__global_pointer$", 0x2800, 0x10),
        ("_start", 0x1000, 0x10),
    ];
    assert_eq!(elf.load().unwrap().global_pointer(), 0x2800);
}
