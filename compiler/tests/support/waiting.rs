//! Programs whose threads wait for one another (`kernels/waiting`), and what they take with `--lower none`, with `auto`,
//! and with yields by hand.

use super::compilers::Compiler;
use super::judge::assemble;
use super::kernels::root;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;
use weft_compiler::{compile, Lower, Mutation, Options};
use weft_sim::{Config, Limits, Machine, Outcome};

/// Warp instructions that no program that ends takes.
pub const LIMIT: u64 = 1_000_000;

/// COMP-116: how much more than the better of nothing and of yields by hand `auto` may take.
pub const FACTOR: f64 = 1.05;

/// What the gate lets pass: that factor is not met by all of them (docs/spec/compiler.md, *What it wins*).
pub const GATE: f64 = 1.2;

/// Orders of the warps that are drawn at first: which thread gets a lock is another one in each of them, and so is what a
/// run takes.
pub const ORDERS: u64 = 16;

/// As many are drawn at most until the mean is away from what is allowed.
pub const MOST_ORDERS: u64 = 512;

/// By so many of its standard errors it has to be.
pub const ERRORS: f64 = 4.0;

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
        program: &(String, String),
        compiler: &Compiler,
        level: &str,
        folder: &Path,
    ) -> Result<Compiled, String> {
        Compiled::broken(program, compiler, level, folder, None)
    }

    /// By a compiler that departs from the rules.
    pub fn broken(
        (name, text): &(String, String),
        compiler: &Compiler,
        level: &str,
        folder: &Path,
        mutation: Option<Mutation>,
    ) -> Result<Compiled, String> {
        let include = format!("-I{}", root().join("kernels/waiting").display());
        let assembly =
            |more: &[&str]| compiler.run(text, level, &[&[&*include], more].concat(), folder);
        let none = assembly(&[])?;
        let options = Options {
            lower: Lower::Auto,
            mutation,
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

    /// Runs it in the three ways, with odd grids: the last warp is not full. In drawn orders until it is clear on which
    /// side of `allowed` it is.
    pub fn measure(&self, width: usize, allowed: f64) -> Taken {
        let run = |assembly: &str| self.run(assembly, width, None);
        let [none, auto, by_hand] = [&self.none, &self.auto, &self.by_hand].map(|a| run(a));
        // Waiting without a yield may take a million in each order.
        let lasts = |none: u64| by_hand.as_ref().is_ok_and(|hand| none > 4 * hand);
        let ends = none.as_ref().is_ok_and(|&none| !lasts(none));
        let orders = |assembly| Orders::new(self, width, assembly);
        let plain = ends.then(|| orders(&self.none)).into_iter();
        let others = plain.chain([orders(&self.by_hand)]).collect();
        let mean = judge(orders(&self.auto), others, allowed);
        Taken {
            none,
            auto,
            by_hand,
            mean,
        }
    }

    /// By the turns of the machine, or with a warp drawn for each instruction.
    fn run(&self, assembly: &str, width: usize, order: Option<u64>) -> Result<u64, String> {
        let program = assemble(&self.name, assembly)?;
        let config = Config {
            warps: 2,
            threads: width,
            grid: Some(2 * width as u32 - 1),
            memory: 1 << 20,
            ..Config::default()
        };
        let mut machine = Machine::new(&program, &config).map_err(|e| e.to_string())?;
        match order {
            None => by_turns(&mut machine)?,
            Some(seed) => by_lot(&mut machine, seed)?,
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

fn by_turns(machine: &mut Machine) -> Result<(), String> {
    let limits = Limits {
        instructions: Some(LIMIT),
        ..Limits::default()
    };
    match machine.run(&limits, |_| ()) {
        Outcome::Done => Ok(()),
        other => Err(format!("{other:?}")),
    }
}

fn by_lot(machine: &mut Machine, seed: u64) -> Result<(), String> {
    let mut lot = ChaCha8Rng::seed_from_u64(seed);
    for _ in 0..LIMIT {
        if machine.is_finished() {
            return Ok(());
        }
        let first = usize::from(lot.gen::<bool>());
        let mut both = [first, 1 - first].into_iter();
        let warp = both.find(|&warp| machine.is_runnable(warp));
        let warp = warp.ok_or("no warp can go on")?;
        machine.step(warp).map_err(|fault| fault.to_string())?;
    }
    Err("a million instructions are not enough".into())
}

/// What a program takes in one drawn order after the other.
struct Orders<'a> {
    compiled: &'a Compiled,
    width: usize,
    assembly: &'a str,
    taken: Vec<f64>,
}

impl<'a> Orders<'a> {
    fn new(compiled: &'a Compiled, width: usize, assembly: &'a str) -> Orders<'a> {
        Orders {
            compiled,
            width,
            assembly,
            taken: Vec::new(),
        }
    }

    /// Mean of the first `count` orders, and its standard error; `None` if one does not end.
    fn mean(&mut self, count: u64) -> Option<(f64, f64)> {
        for seed in self.taken.len() as u64 + 1..=count {
            let taken = self.compiled.run(self.assembly, self.width, Some(seed));
            self.taken.push(taken.ok()? as f64);
        }
        let count = count as f64;
        let mean = self.taken.iter().sum::<f64>() / count;
        let squares = self.taken.iter().map(|taken| (taken - mean).powi(2));
        Some((mean, (squares.sum::<f64>() / (count - 1.0) / count).sqrt()))
    }
}

/// COMP-116: more orders until the share is away from what is allowed, or there are enough.
fn judge(mut auto: Orders, mut others: Vec<Orders>, allowed: f64) -> Option<Judged> {
    let mut orders = ORDERS;
    loop {
        let mine = auto.mean(orders)?;
        let means = others.iter_mut().flat_map(|other| other.mean(orders));
        let better = means.min_by(|a, b| a.0.total_cmp(&b.0))?;
        let share = mine.0 / better.0;
        let error = share * (mine.1 / mine.0).hypot(better.1 / better.0);
        if (share - allowed).abs() > ERRORS * error || orders >= MOST_ORDERS {
            return Some(Judged {
                share,
                error,
                orders,
            });
        }
        orders *= 2;
    }
}

/// What `auto` takes of the better one of the others, in the mean of drawn orders.
#[derive(Clone, Copy, Debug)]
pub struct Judged {
    pub share: f64,
    /// Its standard error.
    pub error: f64,
    pub orders: u64,
}

/// Warp instructions, or why it did not end well.
#[derive(Debug)]
pub struct Taken {
    pub none: Result<u64, String>,
    pub auto: Result<u64, String>,
    pub by_hand: Result<u64, String>,
    mean: Option<Judged>,
}

impl Taken {
    /// What `auto` takes of the better one of the others by the turns of the machine; `None` if one of the runs that have
    /// to end does not.
    pub fn share(&self) -> Option<f64> {
        let auto = *self.auto.as_ref().ok()?;
        let better = [&self.none, &self.by_hand];
        let better = better.into_iter().flatten().min()?;
        Some(auto as f64 / *better as f64)
    }

    /// The same in the mean of the drawn orders.
    pub fn mean(&self) -> Option<Judged> {
        self.mean.filter(|_| self.auto.is_ok())
    }
}
