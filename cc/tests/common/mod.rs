//! Builds a program and runs it.
#![allow(dead_code)] // each test uses its part

use std::path::{Path, PathBuf};
use weft_cc::console::{self, Console, Words};
use weft_cc::lines::Lines;
use weft_cc::lower::{Form, Lower, Lowering, SubVector};
use weft_cc::{build, Error, Family, Float, Options};
use weft_compiler::Mutation;
use weft_sim::{Config, Limits, Machine, Memory, Oracle, OracleOutcome, Outcome};
use weft_toolbox::Toolbox;

pub use weft_cc::each::families;

/// The next random number.
pub fn xorshift(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

pub struct Program {
    pub elf: Vec<u8>,
    pub program: weft_isa::Program,
    /// What it runs on has float.
    pub hard_float: bool,
}

fn float(flags: &[&str]) -> Float {
    let named = flags.iter().find_map(|f| f.strip_prefix("float="));
    named.map_or(Float::Soft, |word| word.parse().unwrap())
}

pub fn try_build(
    family: Family,
    files: &[(&str, &str)],
    more: &[&Path],
    flags: &[&str],
) -> Result<Vec<u8>, Error> {
    let dir = tempfile::tempdir().unwrap();
    let paths: Vec<PathBuf> = files
        .iter()
        .map(|(name, _)| dir.path().join(name))
        .collect();
    for (path, (_, text)) in paths.iter().zip(files) {
        std::fs::write(path, text).unwrap();
    }
    let lower = flags.iter().find_map(|f| f.strip_prefix("lower="));
    let console = flags.iter().find_map(|f| f.strip_prefix("console="));
    let heap = flags.iter().find_map(|f| f.strip_prefix("heap="));
    let value = |name: &str| flags.iter().find_map(|f| f.strip_prefix(name));
    let parts = value("parts=").map(|parts| {
        let (threads, lanes) = parts.split_once('/').unwrap();
        (threads.parse().unwrap(), lanes.parse().unwrap())
    });
    let options = Options {
        float: float(flags),
        compiler: Some(family.name().into()),
        flags: flags
            .iter()
            .filter(|f| f.starts_with('-'))
            .map(|f| f.to_string())
            .collect(),
        lowering: Lowering {
            lower: lower.map_or(Lower::Auto, |l| l.parse().unwrap()),
            // As `weft cc` has it.
            whole: files.len() == 1 && more.is_empty(),
            subvector: value("subvector=").map_or(SubVector::Off, |s| s.parse().unwrap()),
            form: value("form=").map_or(Form::default(), |f| f.parse().unwrap()),
            parts,
            mutation: flags.contains(&"relaxed").then_some(Mutation::Relaxed),
            ..Lowering::default()
        },
        console: console.map(|n| n.parse().unwrap()),
        heap: heap.map(|n| n.parse().unwrap()),
        ..Options::default()
    };
    let paths = [paths, more.iter().map(|path| path.into()).collect()].concat();
    build(&Toolbox::here(), &paths, &options, &mut |_| {}).map(|built| built.elf)
}

impl Program {
    pub fn build(family: Family, files: &[(&str, &str)], flags: &[&str]) -> Program {
        Program::build_with(family, files, &[], flags)
    }

    /// With files that are there already.
    pub fn build_with(
        family: Family,
        files: &[(&str, &str)],
        more: &[&Path],
        flags: &[&str],
    ) -> Program {
        let elf = try_build(family, files, more, flags).unwrap_or_else(|error| {
            let said = error.output().unwrap_or_default();
            panic!("{family:?} {flags:?}: {error}\n{said}")
        });
        Program {
            hard_float: float(flags) == Float::Hard,
            ..Program::of(elf)
        }
    }

    pub fn of(elf: Vec<u8>) -> Program {
        let program = weft_isa::elf::load_elf(&elf).unwrap_or_else(|error| panic!("{error}"));
        Program {
            elf,
            program,
            hard_float: false,
        }
    }

    /// What is said of files that make no program.
    pub fn refused(family: Family, files: &[(&str, &str)]) -> String {
        Program::refused_with(family, files, &[])
    }

    pub fn refused_with(family: Family, files: &[(&str, &str)], flags: &[&str]) -> String {
        let error = try_build(family, files, &[], flags).expect_err("no program");
        format!("{error}\n{}", error.output().unwrap_or_default())
    }

    pub fn lines(&self) -> Lines {
        Lines::of_elf(&self.elf)
    }

    /// On the golden machine; where no thread faults, compared with the oracle.
    pub fn run(&self, warps: usize, threads: usize, grid: u32) -> Run<'_> {
        self.run_on(warps, threads, grid, true)
    }

    /// Threads that wait for one another cannot run alone.
    pub fn run_together(&self, warps: usize, threads: usize, grid: u32) -> Run<'_> {
        self.run_on(warps, threads, grid, false)
    }

    fn run_on(&self, warps: usize, threads: usize, grid: u32, oracle: bool) -> Run<'_> {
        let config = Config {
            warps,
            threads,
            grid: Some(grid),
            float: self.hard_float,
            ..Config::default()
        };
        let mut machine = Machine::new(&self.program, &config).unwrap();
        let outcome = machine.run(
            &Limits {
                instructions: Some(50_000_000),
                ..Limits::default()
            },
            |_| {},
        );
        let faults: Vec<u32> = machine.faults().iter().map(|f| f.pc).collect();
        assert!(
            matches!(outcome, Outcome::Done | Outcome::Faulted(_)),
            "{outcome:?}"
        );
        if oracle && faults.is_empty() {
            let oracle = Oracle::new(&self.program, &config)
                .unwrap()
                .run(100_000_000)
                .unwrap();
            let OracleOutcome::Finished(result) = oracle else {
                panic!("the oracle does not end");
            };
            let mapped = weft_sim::memory::MEMORY_BASE..config.memory;
            assert!(
                result.memory.slice(mapped.clone()) == machine.memory().slice(mapped),
                "memory as that of the threads alone"
            );
        }
        Run {
            program: &self.program,
            memory: machine.memory().clone(),
            faults,
            grid,
        }
    }
}

pub struct Run<'a> {
    program: &'a weft_isa::Program,
    memory: Memory,
    faults: Vec<u32>,
    grid: u32,
}

struct View<'a>(&'a Memory);
impl Words for View<'_> {
    fn word(&self, address: u32) -> Option<u32> {
        self.0.read_u32(address).ok()
    }
}

impl Run<'_> {
    /// Program counters of the faults.
    pub fn faults(&self) -> Vec<u32> {
        self.faults.clone()
    }

    pub fn words(&self, symbol: &str, count: u32) -> Vec<u32> {
        let at = self.program.symbols[symbol];
        (0..count)
            .map(|n| self.memory.read_u32(at + 4 * n).unwrap())
            .collect()
    }

    pub fn bytes(&self, symbol: &str, count: u32) -> Vec<u8> {
        let at = self.program.symbols[symbol];
        let bytes = self.memory.slice(at..at + count);
        bytes.expect("within memory").to_vec()
    }

    pub fn console(&self) -> Console {
        let at = self.program.symbols[console::SYMBOLS[0]];
        let image = weft_cc::console::Image(self.program);
        console::read(&image, &View(&self.memory), at, self.grid).expect("a console")
    }

    pub fn printed(&self) -> String {
        let console = self.console();
        assert_eq!((console.lost, &console.damaged), (0, &Vec::new()));
        String::from_utf8(console.text).unwrap()
    }
}
