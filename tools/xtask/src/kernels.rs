//! `kernels/*.s`, `kernels/masks/*.s`, and `kernels/nested/bfs.s` for the demo, are made from the `.c` beside them by a RISC-V GCC and checked
//! in, so that nobody else needs one; and so is `kernels/large/`, with room for more.

use anyhow::{bail, Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use weft_toolbox::{Tool, Toolbox};

/// Besides all in `kernels` and `kernels/masks`.
const NESTED: &str = "nested/bfs.c";

/// Made a second time, with this flag, into `kernels/large`.
const LARGE: [&str; 6] = [
    "vecadd",
    "saxpy",
    "sgemm",
    "transpose",
    "reduction",
    "stencil",
];
const LARGE_ROOM: &str = "-DROOM=65536";

const FLAGS: [&str; 9] = [
    "-march=rv32ima_zicsr",
    "-mabi=ilp32",
    "-mcmodel=medlow",
    "-O2",
    "-ffreestanding",
    "-fno-pic",
    "-msmall-data-limit=0",
    "-fno-asynchronous-unwind-tables",
    "-S",
];

/// Writes every kernel's assembly text.
pub fn write(toolbox: &Toolbox) -> Result<()> {
    let Some(gcc) = toolbox.riscv_gcc() else {
        bail!("riscv64-unknown-elf-gcc is not on PATH (Debian: apt-get install gcc-riscv64-unknown-elf)");
    };
    for Made {
        source,
        assembly,
        flags,
    } in made(toolbox)?
    {
        fs::write(&assembly, compile(&gcc, &source, &flags)?)
            .with_context(|| format!("writing {}", assembly.display()))?;
        println!(
            "{}",
            assembly
                .strip_prefix(toolbox.root())
                .unwrap_or(&assembly)
                .display()
        );
    }
    Ok(())
}

/// Compares the checked-in texts with what the compiler makes now. The line says what was done.
pub fn check(toolbox: &Toolbox) -> Result<String> {
    let Some(gcc) = toolbox.riscv_gcc() else {
        return Ok("kernels not compared: no riscv64-unknown-elf-gcc on PATH".into());
    };
    let (mut same, mut other_compiler, mut stale) = (0, Vec::new(), Vec::new());
    for Made {
        source,
        assembly,
        flags,
    } in made(toolbox)?
    {
        let name = assembly.strip_prefix(toolbox.root().join("kernels"));
        let name = name.unwrap_or(&assembly).display().to_string();
        let present = fs::read_to_string(&assembly).unwrap_or_default();
        let fresh = compile(&gcc, &source, &flags)?;
        if present == fresh {
            same += 1;
        } else if identity(&present).is_some() && identity(&present) != identity(&fresh) {
            other_compiler.push(name);
        } else {
            stale.push(name);
        }
    }
    if !stale.is_empty() {
        bail!(
            "not what the compiler makes of them: {}; run `cargo xtask kernels`",
            stale.join(", ")
        );
    }
    if other_compiler.is_empty() {
        Ok(format!("{same} kernels are up to date"))
    } else {
        let list = other_compiler.join(", ");
        Ok(format!("{same} kernels are up to date; made by another compiler than {} and not compared: {list}", gcc.version))
    }
}

/// A text in assembly, what it is made from, and the flags beside [`FLAGS`].
struct Made {
    source: PathBuf,
    assembly: PathBuf,
    flags: Vec<&'static str>,
}

fn made(toolbox: &Toolbox) -> Result<Vec<Made>> {
    let beside = |source: PathBuf| Made {
        assembly: source.with_extension("s"),
        // The headers are in `kernels`.
        flags: source
            .ends_with(NESTED)
            .then_some("-I..")
            .into_iter()
            .collect(),
        source,
    };
    let mut made: Vec<Made> = sources(toolbox)?.into_iter().map(beside).collect();
    let dir = toolbox.root().join("kernels");
    made.extend(LARGE.map(|name| Made {
        source: dir.join(name).with_extension("c"),
        assembly: dir.join("large").join(name).with_extension("s"),
        flags: vec![LARGE_ROOM],
    }));
    Ok(made)
}

fn sources(toolbox: &Toolbox) -> Result<Vec<PathBuf>> {
    let dir = toolbox.root().join("kernels");
    let mut sources = Vec::new();
    for folder in [dir.clone(), dir.join("masks")] {
        let entries =
            fs::read_dir(&folder).with_context(|| format!("reading {}", folder.display()))?;
        let files = entries.flatten().map(|entry| entry.path());
        sources.extend(files.filter(|file| file.extension().is_some_and(|e| e == "c")));
    }
    sources.sort();
    if sources.is_empty() {
        bail!("no *.c in {}", dir.display());
    }
    sources.push(dir.join(NESTED));
    Ok(sources)
}

/// The text for one kernel. The compiler runs in the kernel's directory, so no path gets into it.
fn compile(gcc: &Tool, source: &Path, flags: &[&str]) -> Result<String> {
    let name = source
        .file_name()
        .context("kernel without a name")?
        .to_string_lossy();
    let dir = source.parent().context("kernel without a directory")?;
    let flags: Vec<_> = FLAGS.iter().chain(flags).copied().collect();
    let output = gcc
        .command()
        .current_dir(dir)
        .args(&flags)
        .args([&*name, "-o", "-"])
        .output()?;
    if !output.status.success() {
        bail!(
            "{} {}:\n{}",
            gcc.name,
            source.display(),
            String::from_utf8_lossy(&output.stderr)
        );
    }
    let body = String::from_utf8(output.stdout)
        .with_context(|| format!("{name}: the compiler's output is not text"))?;
    Ok(format!(
        "# Made from {name} by `cargo xtask kernels`:\n# riscv64-unknown-elf-gcc {} {name}\n{body}",
        flags.join(" ")
    ))
}

/// The line in which the compiler names itself.
fn identity(assembly: &str) -> Option<&str> {
    assembly
        .lines()
        .find(|line| line.trim_start().starts_with(".ident"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compiler_names_itself() {
        let text = "kernel:\n\tret\n\t.ident\t\"GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0\"\n";
        assert_eq!(
            identity(text),
            Some("\t.ident\t\"GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0\"")
        );
        assert_eq!(identity("kernel:\n\tret\n"), None);
    }
}
