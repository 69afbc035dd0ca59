//! Programs whose threads wait for one another (`kernels/waiting`), and what they take with `--lower none`, with `auto`,
//! and with yields by hand.

use super::compilers::Compiler;
use super::judge::assemble;
use super::kernels::root;
use std::path::Path;
use weft_compiler::{compile, Lower, Options};
use weft_sim::{Config, Limits, Machine, Outcome};

/// Warp instructions that no program that ends takes.
pub const LIMIT: u64 = 1_000_000;

/// How much more than the better of nothing and of yields by hand `auto` may take.
pub const FACTOR: f64 = 1.05;

/// What the gate lets pass: that factor is not met by all of them yet (docs/spec/compiler.md, *What it wins*).
pub const GATE: f64 = 1.4;

/// Threads of a warp.
pub const WIDTHS: [usize; 4] = [4, 8, 16, 32];

/// Name and text.
pub fn programs() -> Vec<(String, String)> {
    let folder = root().join("kernels/waiting");
    let entries = std::fs::read_dir(&folder)
        .expect("kernels/waiting")
        .flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "c"));
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let name = path.file_stem().expect("a name").to_string_lossy();
        (
            name.into_owned(),
            std::fs::read_to_string(path).expect("a text"),
        )
    };
    paths.iter().map(read).collect()
}

/// A program as one compiler writes it, with and without yields.
pub struct Compiled {
    name: String,
    pub none: String,
    pub auto: String,
    by_hand: String,
}

impl Compiled {
    pub fn new(
        (name, text): &(String, String),
        compiler: &Compiler,
        level: &str,
        folder: &Path,
    ) -> Result<Compiled, String> {
        let include = format!("-I{}", root().join("kernels/waiting").display());
        let assembly =
            |more: &[&str]| compiler.run(text, level, &[&[&*include], more].concat(), folder);
        let none = assembly(&[])?;
        let options = Options {
            lower: Lower::Auto,
            ..Options::default()
        };
        let auto = compile(&none, name, &options).map_err(|e| e.to_string())?;
        Ok(Compiled {
            name: name.clone(),
            auto: auto.assembly,
            by_hand: assembly(&["-DBY_HAND"])?,
            none,
        })
    }

    /// Runs it in the three ways, with odd grids: the last warp is not full.
    pub fn measure(&self, width: usize) -> Taken {
        let run = |assembly: &str| self.run(assembly, width);
        Taken {
            none: run(&self.none),
            auto: run(&self.auto),
            by_hand: run(&self.by_hand),
        }
    }

    fn run(&self, assembly: &str, width: usize) -> Result<u64, String> {
        let program = assemble(&self.name, assembly)?;
        let config = Config {
            warps: 2,
            threads: width,
            grid: Some(2 * width as u32 - 1),
            memory: 1 << 20,
            ..Config::default()
        };
        let mut machine = Machine::new(&program, &config).map_err(|e| e.to_string())?;
        let limits = Limits {
            instructions: Some(LIMIT),
            ..Limits::default()
        };
        match machine.run(&limits, |_| ()) {
            Outcome::Done => {}
            other => return Err(format!("{other:?}")),
        }
        let words = |symbol: &str| {
            let at = *program.symbols.get(symbol)?;
            machine.memory().slice(at..at + 16)
        };
        let (result, wanted) = (words("result"), words("wanted"));
        match result == wanted && wanted.is_some_and(|w| w.iter().any(|&byte| byte != 0)) {
            true => Ok(machine.stats().total.warp_instructions),
            false => Err(format!("{result:?} is not {wanted:?}")),
        }
    }
}

/// Warp instructions, or why it did not end well.
#[derive(Debug)]
pub struct Taken {
    pub none: Result<u64, String>,
    pub auto: Result<u64, String>,
    pub by_hand: Result<u64, String>,
}

impl Taken {
    /// What `auto` takes of the better one of the others; `None` if one of the runs that have to end does not.
    pub fn share(&self) -> Option<f64> {
        let auto = *self.auto.as_ref().ok()?;
        let better = [&self.none, &self.by_hand];
        let better = better.into_iter().flatten().min()?;
        Some(auto as f64 / *better as f64)
    }
}
