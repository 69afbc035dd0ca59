//! `weft cl kernels`: the kernels of `kernels/opencl` on both devices, by the program in `python/suite`, which compares their
//! results with numpy.

use super::env::PYTHON;
use super::page;
use crate::cli::ClKernelsArgs;
use anyhow::{Context, Result};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use weft_toolbox::{Group, Toolbox};

/// True when all results are right.
pub fn run(args: &ClKernelsArgs) -> Result<bool> {
    if let Some(book) = &args.book {
        page::ready(book, "kernels")?;
    }
    let toolbox = Toolbox::here();
    if toolbox.pytest().is_none() {
        toolbox.install(Group::Pytest, &mut |line| eprintln!("{line}"))?;
    }
    let python = toolbox.pytest().context("there is no Python with numpy")?;
    let library = PYTHON.path(args.as_it_is)?;
    let site = tempfile::tempdir().context("a folder for the package")?;
    assemble(
        &site.path().join("weft"),
        &toolbox.root().join("python/package/weft"),
        &library,
    )?;
    let table = site.path().join("table");
    let mut command = Command::new(&python.path);
    command.arg(toolbox.root().join("python/suite/table.py"));
    command
        .arg("--golden-size")
        .arg(args.golden_size.to_string());
    command
        .arg("--verilated-size")
        .arg(args.verilated_size.to_string());
    for name in &args.only {
        command.args(["--only", name]);
    }
    if args.device.is_some() {
        command.args(["--device", "golden"]);
    }
    if args.book.is_some() {
        command.arg("--table").arg(&table);
    }
    command
        .env("PYTHONPATH", site.path())
        .env("PYTHONDONTWRITEBYTECODE", "1");
    let status = command.status().context("starting Python")?;
    if let Some(book) = &args.book {
        let text = std::fs::read_to_string(&table).context("Python has written no table")?;
        page::put(book, "kernels", &format!("{}\n\n{text}", page::today()))?;
    }
    Ok(status.success())
}

/// The package as an installed one looks, with the extension module in it.
fn assemble(package: &Path, sources: &Path, library: &Path) -> Result<()> {
    let what = || sources.display().to_string();
    std::fs::create_dir(package).with_context(what)?;
    for file in std::fs::read_dir(sources).with_context(what)? {
        let file = file.with_context(what)?;
        symlink(file.path(), package.join(file.file_name())).with_context(what)?;
    }
    symlink(library, package.join("_native.so")).with_context(what)
}
