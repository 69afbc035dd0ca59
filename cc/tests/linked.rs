//! Programs that stock linkers make with their defaults, without `weft cc`: GNU ld and lld.

mod common;

use common::{families, Program};
use std::path::{Path, PathBuf};
use std::process::Command;
use weft_cc::{Compiler, Family};
use weft_isa::LoadError;
use weft_toolbox::Toolbox;

/// Addresses beyond the reach of one instruction, so that the linker makes them relative to gp.
const KERNEL: &str = "unsigned pad[300] = {1}, result[8] = {7};\n\
                      void kernel(unsigned t, unsigned n) { result[t & 7] = pad[0] + t + n; pad[t + 8] = t; }\n";

/// As kernels/start.asm: gp is not set.
const START: &str = ".globl _start\n_start:\n call kernel\n ecall\n";

struct Linked {
    dir: tempfile::TempDir,
    compiler: Compiler,
}

impl Linked {
    fn new(family: Family) -> Linked {
        let compiler = Compiler::find(&Toolbox::here(), family).expect("it is there");
        Linked {
            dir: tempfile::tempdir().unwrap(),
            compiler,
        }
    }

    fn object(&self, name: &str, text: &str) -> PathBuf {
        let source = self.dir.path().join(name);
        let object = self.dir.path().join(format!("{name}.o"));
        std::fs::write(&source, text).unwrap();
        let mut command = self.compiler.command();
        command.args(["-O1", "-ffreestanding", "-fno-pic", "-c"]);
        done(command.arg(&source).arg("-o").arg(&object));
        object
    }

    /// By GCC's linker, or by lld.
    fn link(&self, objects: &[PathBuf], options: &[&str]) -> Vec<u8> {
        let output = self.dir.path().join("program.elf");
        let mut command = match self.compiler.family {
            Family::Gcc => {
                let mut command = self.compiler.command();
                command.arg("-nostdlib");
                command.args(options.iter().map(|o| format!("-Wl,{o}")));
                command
            }
            _ => {
                let mut command = self.compiler.tool.command();
                command.arg("ld.lld").args(options);
                command
            }
        };
        done(command.args(objects).arg("-o").arg(&output));
        std::fs::read(output).unwrap()
    }
}

fn done(command: &mut Command) {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}\n{said}");
}

/// GCC's linker and lld; Clang has no linker of its own.
fn linkers() -> impl Iterator<Item = Linked> {
    let linkers = families().into_iter().filter(|f| *f != Family::Clang);
    linkers.map(Linked::new)
}

fn options(linked: &Linked) -> Vec<Vec<&'static str>> {
    match linked.compiler.family {
        Family::Gcc => vec![vec![], vec!["-Ttext=0x1000"], vec!["--no-relax"]],
        _ => vec![vec![], vec!["--image-base=0x1000"], vec!["--relax-gp"]],
    }
}

/// What `llvm-objcopy --strip-sections` leaves: no section headers.
fn without_sections(elf: &[u8]) -> Vec<u8> {
    let mut elf = elf.to_vec();
    // e_shoff; e_shnum and e_shstrndx.
    elf[32..36].fill(0);
    elf[48..52].fill(0);
    elf
}

/// F24, CC-040
#[test]
fn programs_linked_with_the_defaults_run() {
    for linked in linkers() {
        let objects = [
            linked.object("start.s", START),
            linked.object("kernel.c", KERNEL),
        ];
        for options in options(&linked) {
            let program = Program::of(linked.link(&objects, &options));
            let run = program.run(2, 4, 8);
            let want: Vec<u32> = (0..8).map(|t| 1 + t + 8).collect();
            let family = linked.compiler.family;
            assert_eq!(run.words("result", 8), want, "{family:?} {options:?}");
        }
    }
}

/// F27: symbols are gone with the sections, so nobody knows gp.
#[test]
fn programs_without_section_headers_run() {
    for linked in linkers() {
        let objects = [
            linked.object("start.s", START),
            linked.object("kernel.c", KERNEL),
        ];
        for options in options(&linked) {
            let mut options = options;
            if linked.compiler.family == Family::Gcc {
                options.push("--no-relax");
            }
            options.retain(|o| *o != "--relax-gp");
            let whole = linked.link(&objects, &options);
            let bare = weft_isa::elf::load_elf(&without_sections(&whole)).unwrap();
            let mut program = Program::of(whole);
            let at = program.program.symbols["result"];
            assert!(bare.symbols.is_empty() && bare.entry == program.program.entry);
            program.program = bare;
            program.program.symbols.insert("result".into(), at);
            let want: Vec<u32> = (0..8).map(|t| 1 + t + 8).collect();
            assert_eq!(program.run(2, 4, 8).words("result", 8), want, "{options:?}");
        }
    }
}

/// CC-041
#[test]
fn a_missing_entry_and_constructors_are_told() {
    for linked in linkers() {
        let load = |objects: &[PathBuf]| weft_isa::elf::load_elf(&linked.link(objects, &[]));
        let kernel = linked.object("kernel.c", KERNEL);
        let error = load(&[kernel]).unwrap_err();
        assert!(matches!(error, LoadError::NoEntry { .. }), "{error}");
        assert!(error.to_string().contains("weft cc"), "{error}");

        let made =
            "volatile unsigned n;\n__attribute__((constructor)) void make(void) { n = 1; }\n\
                    void kernel(unsigned t, unsigned n) {}\n";
        let objects = [
            linked.object("start.s", START),
            linked.object("made.c", made),
        ];
        let error = load(&objects).unwrap_err();
        assert_eq!(error, LoadError::Constructors);
        let knows = format!("{START}.globl __weft_constructors\n__weft_constructors:\n");
        let objects = [
            linked.object("start.s", &knows),
            linked.object("made.c", made),
        ];
        load(&objects).unwrap();
    }
}

/// An object of one compiler in a program of another.
#[test]
fn objects_and_archives_are_linked_as_they_are() {
    let families = families();
    for (family, other) in families.iter().zip(families.iter().rev()) {
        let linked = Linked::new(*other);
        let object = linked.object("half.c", "unsigned half(unsigned x) { return x / 2; }\n");
        let main = "unsigned half(unsigned), out[8];\nvoid kernel(unsigned t, unsigned n) { out[t] = half(t); }\n";
        let path: &Path = &object;
        let program = Program::build_with(*family, &[("main.c", main)], &[path], &[]);
        assert_eq!(
            program.run(1, 8, 8).words("out", 8),
            [0, 0, 1, 1, 2, 2, 3, 3],
            "{family:?} with {other:?}"
        );
    }
}
