//! Helpers of several tests.
#![allow(dead_code)] // each test uses its part

use std::path::{Path, PathBuf};
use std::process::Command;

use weft_isa::Program;

pub const TOOLS: &str = "riscv64-unknown-elf-";

/// Runs a GNU tool; `None`, with a printed line, when it is not installed.
///
/// # Panics
/// When the tool reports an error.
pub fn gnu(tool: &str, arguments: &[&str]) -> Option<String> {
    let name = format!("{TOOLS}{tool}");
    let Ok(output) = Command::new(&name).args(arguments).output() else {
        println!("SKIPPED: {name} is not installed");
        return None;
    };
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name} {arguments:?}\n{errors}");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

pub fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

pub fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Bytes of the segment at the address.
pub fn bytes_at(program: &Program, address: u32, length: usize) -> Vec<u8> {
    let segment = program
        .segments
        .iter()
        .rfind(|segment| segment.address <= address)
        .unwrap_or_else(|| panic!("nothing at {address:#x}"));
    let start = (address - segment.address) as usize;
    segment.bytes[start..start + length].to_vec()
}

/// Words of .text.
pub fn words(program: &Program) -> Vec<u32> {
    let (start, end) = program.text;
    let bytes = bytes_at(program, start, (end - start) as usize);
    bytes
        .chunks(4)
        .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
        .collect()
}

/// The layout of our assembler, for GNU ld.
pub const LINKER_SCRIPT: &str = "
ENTRY(_start)
SECTIONS {
  . = 0x1000;
  .text : ALIGN(16) { *(.text .text.*) }
  .rodata : ALIGN(16) { *(.rodata .rodata.* .srodata .srodata.*) }
  .data : ALIGN(16) { __data_start = .; *(.data .data.* .sdata .sdata.*) }
  .bss : ALIGN(16) { __bss_start = .; *(.bss .bss.* .sbss .sbss.* COMMON) }
  _end = .;
  __global_pointer$ = __data_start + 0x800;
}
";

/// Assembles and links with the GNU tools, without linker relaxation; gives the ELF file.
pub fn gnu_link(folder: &Path, files: &[(&str, &str)]) -> Option<Vec<u8>> {
    let path = |name: &str| folder.join(name).to_str().unwrap().to_string();
    std::fs::write(path("weft.ld"), LINKER_SCRIPT).unwrap();
    let mut objects = Vec::new();
    for (name, source) in files {
        let source = format!(".option norelax\n{source}\n");
        std::fs::write(path(name), source).unwrap();
        let object = path(&format!("{name}.o"));
        let march = "-march=rv32ima_zicsr_zifencei_zihintpause_zfinx";
        gnu("as", &[march, "-mabi=ilp32", &path(name), "-o", &object])?;
        objects.push(object);
    }
    let (script, output) = (path("weft.ld"), path("program.elf"));
    let mut arguments = vec![
        "-melf32lriscv",
        "--no-relax",
        "--no-warn-rwx-segments",
        "-T",
        &script,
        "-o",
        &output,
    ];
    arguments.extend(objects.iter().map(String::as_str));
    gnu("ld", &arguments)?;
    Some(std::fs::read(output).unwrap())
}
