//! For tests of programs in C: each by every compiler that is there (CONTRIBUTING.md).

use crate::{build, Compiler, Family, Options};
use std::path::Path;
use weft_toolbox::Toolbox;

/// The compilers that are there, Zig's last; the others are named.
///
/// # Panics
/// There is none, in the gate: it installs Zig.
pub fn families() -> Vec<Family> {
    let toolbox = Toolbox::here();
    let there = |family: &Family| {
        let found = Compiler::find(&toolbox, *family).is_some();
        if !found {
            println!("SKIPPED: {} is not installed", family.name());
        }
        found
    };
    let found: Vec<_> = Family::ALL.into_iter().filter(there).collect();
    assert!(
        !found.is_empty() || std::env::var_os("CI").is_none(),
        "no compiler for RISC-V: `cargo xtask setup`"
    );
    found
}

/// The program of a file by one of them.
///
/// # Panics
/// It is not compiled.
pub fn built(family: Family, file: &Path) -> Vec<u8> {
    built_with(family, file, Options::default())
}

/// The same with these options, whatever compiler they name.
///
/// # Panics
/// It is not compiled.
pub fn built_with(family: Family, file: &Path, options: Options) -> Vec<u8> {
    let options = Options {
        compiler: Some(family.name().into()),
        ..options
    };
    let built = build(&Toolbox::here(), &[file.into()], &options, &mut |_| {});
    let built = built.unwrap_or_else(|error| {
        let said = error.output().unwrap_or_default();
        panic!("{} {}: {error}\n{said}", family.name(), file.display())
    });
    built.elf
}
