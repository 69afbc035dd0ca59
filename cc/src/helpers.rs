//! The compiler's own library, 32-bit: soft float, 64-bit division. `__mulsf3`, `__udivdi3` and their like.

use crate::compiler::{Compiler, Family, MABI};
use crate::runtime::Runtime;
use crate::Error;
use object::read::archive::ArchiveFile;
use std::fs;
use std::path::{Path, PathBuf};
use weft_toolbox::{Tool, Toolbox};

/// libgcc of the right kind, or compiler-rt. `None` where neither is there: it matters only to programs that need it.
pub(crate) fn library(
    compiler: &Compiler,
    toolbox: &Toolbox,
    runtime: &Runtime,
) -> Result<Option<PathBuf>, Error> {
    let gcc = match compiler.family {
        Family::Gcc => Some(compiler.clone()),
        Family::Clang => Compiler::find(toolbox, Family::Gcc),
        Family::Zig => None,
    };
    if let Some(library) = gcc.and_then(|gcc| libgcc(&gcc)) {
        return Ok(Some(library));
    }
    match toolbox.zig() {
        Some(zig) => compiler_rt(&zig, compiler, toolbox, runtime).map(Some),
        None => Ok(None),
    }
}

/// CC-004. Asked with -march=rv32im: for the rv32ima_zicsr that everything is compiled for, Debian's GCC 12 has no
/// library, and names the 64-bit one.
fn libgcc(gcc: &Compiler) -> Option<PathBuf> {
    let mut command = gcc.tool.command();
    command.args(["-march=rv32im", MABI, "-print-libgcc-file-name"]);
    let output = command.output().ok()?;
    let path = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    is_for_rv32(&path).then_some(path)
}

/// The first object in the archive is 32-bit RISC-V.
fn is_for_rv32(path: &Path) -> bool {
    let Ok(bytes) = fs::read(path) else {
        return false;
    };
    let Ok(archive) = ArchiveFile::parse(&*bytes) else {
        return false;
    };
    let contents = archive
        .members()
        .flatten()
        .flat_map(|m| m.data(&*bytes).ok());
    let mut objects = contents.filter(|data| data.starts_with(b"\x7fELF") && data.len() > 20);
    // Class, then machine.
    objects.next().is_some_and(|o| o[4] == 1 && o[18] == 243)
}

/// Zig has the sources of its compiler-rt, and compiles them once.
fn compiler_rt(
    zig: &Tool,
    compiler: &Compiler,
    toolbox: &Toolbox,
    runtime: &Runtime,
) -> Result<PathBuf, Error> {
    let library = runtime.made("compiler_rt.a", (&zig.version, &zig.path));
    if is_for_rv32(&library) {
        return Ok(library);
    }
    let source = zig.path.with_file_name("lib");
    let dir = tempfile::tempdir_in(toolbox.tools_dir()).map_err(crate::error::io("compiler-rt"))?;
    let made = dir.path().join("compiler_rt.a");
    let mut command = zig.command();
    command.current_dir(dir.path());
    command.args(["build-lib", "-target", "riscv32-freestanding-none"]);
    command.args(["-mcpu=generic_rv32+m+a+zicsr", "-OReleaseSmall", "-fstrip"]);
    command.args([
        "-ffunction-sections",
        "-fdata-sections",
        "--name",
        "compiler_rt",
    ]);
    command.arg(format!("-femit-bin={}", made.display()));
    command.arg(source.join("compiler_rt.zig"));
    let fail = |why: String| {
        Error::Helpers(
            compiler.title(),
            "soft float and 64-bit division".into(),
            why,
        )
    };
    let output = command.output().map_err(|error| fail(error.to_string()))?;
    if !output.status.success() {
        return Err(fail(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let bytes = fs::read(&made).map_err(|error| fail(error.to_string()))?;
    crate::runtime::write_whole(&library, &bytes)?;
    Ok(library)
}
