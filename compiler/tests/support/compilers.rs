//! Stock compilers for RISC-V that are installed.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A compiler and how it is called.
#[derive(Clone, Debug)]
pub struct Compiler {
    pub name: String,
    command: String,
    arguments: Vec<&'static str>,
}

pub const LEVELS: [&str; 5] = ["-O0", "-O1", "-O2", "-O3", "-Os"];

/// Those that are installed.
pub fn compilers() -> Vec<Compiler> {
    let gcc = vec!["-mcmodel=medlow", "-msmall-data-limit=0"];
    let clang = vec![
        "--target=riscv32-unknown-elf",
        "-mno-relax",
        "-mno-global-merge",
    ];
    let mut known = vec![("gcc", "riscv64-unknown-elf-gcc".to_string(), gcc)];
    known.extend(
        ["clang", "clang-19", "clang-16"].map(|name| ("clang", name.to_string(), clang.clone())),
    );
    // Zig's wheel, where `cargo xtask setup` puts it.
    if let Some(zig) = zig() {
        let arguments = [&["clang"], &clang[..]].concat();
        known.push(("zig", zig.to_string_lossy().into_owned(), arguments));
    }
    let mut found: Vec<Compiler> = Vec::new();
    for (name, command, arguments) in known {
        let asked = if name == "zig" {
            "version"
        } else {
            "--version"
        };
        let works = Command::new(&command)
            .arg(asked)
            .output()
            .is_ok_and(|o| o.status.success());
        if works && found.iter().all(|c| c.name != name) {
            found.push(Compiler {
                name: name.into(),
                command,
                arguments,
            });
        }
    }
    found
}

fn zig() -> Option<PathBuf> {
    let libraries = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.tools/venv/lib");
    let versions = std::fs::read_dir(libraries).ok()?.flatten();
    let mut found = versions.map(|v| v.path().join("site-packages/ziglang/zig"));
    found.find(|path| path.exists())
}

impl Compiler {
    /// Assembly of a C source, without a debugger's sections.
    pub fn compile(&self, c: &str, level: &str, folder: &Path) -> Result<String, String> {
        self.run(c, level, &[], folder)
    }

    pub fn run(
        &self,
        c: &str,
        level: &str,
        more: &[&str],
        folder: &Path,
    ) -> Result<String, String> {
        let (source, target) = (folder.join("program.c"), folder.join("program.s"));
        std::fs::write(&source, c).map_err(|e| e.to_string())?;
        let (mode, arguments) = match self.arguments.first() {
            Some(&"clang") => self.arguments.split_at(1),
            _ => self.arguments.split_at(0),
        };
        // Zig's Clang does not find its own headers.
        let headers = Path::new(&self.command)
            .with_file_name("lib")
            .join("include");
        let own = headers.join("stdatomic.h").is_file();
        let own = own.then(|| ["-isystem".into(), headers]);
        let output = Command::new(&self.command)
            .args(mode)
            .args(own.into_iter().flatten())
            .args([
                "-march=rv32ima_zicsr",
                "-mabi=ilp32",
                "-ffreestanding",
                "-fno-pic",
                "-w",
            ])
            .args(["-fno-asynchronous-unwind-tables", "-S", level])
            .args(arguments)
            .arg("-I")
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels"))
            .args(more)
            .arg(&source)
            .arg("-o")
            .arg(&target)
            .output()
            .map_err(|e| e.to_string())?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        std::fs::read_to_string(&target).map_err(|e| e.to_string())
    }
}
