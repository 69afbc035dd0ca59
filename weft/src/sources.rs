//! The program that `weft run` runs: one file or several, compiled where need be.

use crate::cc;
use crate::cli::SourceArgs;
use crate::options::Load;
use crate::program::{assemble_all, kind, Kind};
use anyhow::{bail, ensure, Context, Result};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use weft_cc::lines::Lines;
use weft_isa::Program;

/// A program, and what is known of its source.
pub struct Loaded {
    pub program: Program,
    pub lines: Lines,
    /// Bytes of what symbols name, where the file says so.
    pub sizes: BTreeMap<String, u32>,
    /// `None`: nothing was compiled.
    pub compiled: Option<Compiled>,
}

/// How a program was made of C and C++.
#[derive(Serialize)]
pub struct Compiled {
    /// Its name and version.
    compiler: String,
    /// What was said to it beside what every program gets (CC-002).
    options: Vec<String>,
    /// Floating point is done by functions of the compiler's library.
    soft_float: bool,
}

impl Compiled {
    fn new(compiler: String, options: Vec<String>, program: &Program) -> Compiled {
        let helpers = ["add", "sub", "mul", "div"]
            .map(|operation| ["sf3", "df3"].map(|kind| format!("__{operation}{kind}")));
        let soft_float = helpers
            .iter()
            .flatten()
            .any(|name| program.symbols.contains_key(name));
        Compiled {
            compiler,
            options,
            soft_float,
        }
    }

    /// A line of the summary.
    pub fn print(&self) {
        let float = match self.soft_float {
            true => "; with soft float: some hundred instructions for an operation",
            false => "",
        };
        println!(
            "  {:<20} {} {}{float}",
            "compiled by",
            self.compiler,
            self.options.join(" ")
        );
    }
}

/// Makes a program of files: an ELF executable, assembly sources, or C, C++ and what goes with it, which is compiled
/// for what `--load` will give it.
pub fn load_all(files: &[PathBuf], compile: &SourceArgs, loads: &[Load]) -> Result<Loaded> {
    let of_elf = |elf: &[u8], name: &str| -> Result<Loaded> {
        let program = weft_isa::elf::load_elf(elf).with_context(|| name.to_string())?;
        Ok(Loaded {
            program,
            lines: Lines::of_elf(elf),
            sizes: weft_isa::elf::sizes(elf),
            compiled: None,
        })
    };
    let name = files[0].display().to_string();
    if files.iter().any(|file| weft_cc::opencl::is_source(file)) {
        bail!("{name}: a kernel in OpenCL C wants arguments: `cargo weft cl run {name} --global N --arg ...`");
    }
    if files.iter().any(|file| weft_cc::build::is_source(file)) {
        let built = cc::build(files, compile, loads)?;
        let loaded = of_elf(&built.elf, &name)?;
        let compiled = Compiled::new(built.compiler, cc::options(compile), &loaded.program);
        return Ok(Loaded {
            compiled: Some(compiled),
            ..loaded
        });
    }
    let mut sources = Vec::new();
    for file in files {
        let name = file.display().to_string();
        let bytes = weft_isa::files::read(file).with_context(|| name.clone())?;
        match kind(file, &bytes) {
            Some(Kind::Elf) => {
                ensure!(
                    files.len() == 1,
                    "{name}: an executable is a whole program; give it alone"
                );
                return of_elf(&bytes, &name);
            }
            Some(Kind::Assembly) => {
                let text =
                    String::from_utf8(bytes).with_context(|| format!("{name}: not a text file"))?;
                sources.push((name, text));
            }
            None => bail!("{name}: {UNKNOWN}"),
        }
    }
    let sources: Vec<_> = sources
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let program = assemble_all(&sources)?;
    let symbols = program.symbols.iter().map(|(name, at)| (name.clone(), *at));
    let lines = Lines::of_symbols(symbols, program.text);
    Ok(Loaded {
        program,
        lines,
        sizes: BTreeMap::new(),
        compiled: None,
    })
}

const UNKNOWN: &str =
    "neither C (.c), C++ (.cc, .cpp, .cxx), an assembly source (.s, .S, .asm) nor an ELF executable";
