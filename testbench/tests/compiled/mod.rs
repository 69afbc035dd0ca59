//! Programs that the compiler has lowered, on `weft_sm` in lockstep: random C programs through stock compilers, and
//! random graphs straight as assembly (COMP-114). Shared by the test and by `--example c_programs`.

#[allow(dead_code)]
#[path = "../../../compiler/tests/support/c_programs.rs"]
pub mod c_programs;
#[allow(dead_code)]
#[path = "../../../compiler/tests/support/graphs.rs"]
pub mod graphs;
pub mod seen;

use rand::Rng as _;
use seen::{Seen, Witness};
use std::collections::HashMap;
use std::path::Path;
use weft_cc::{Compiler, Family};
use weft_compiler::{compile, Form, Lower, Options, SubVector};
use weft_isa::{assemble_files, Program};
use weft_sim::{Config, Launch, PathPolicy};
use weft_testbench::case::{case_seed, draw_tokens};
use weft_testbench::seed::stream;
use weft_testbench::sm::grid;
use weft_testbench::sm::verilated::run_copy;
use weft_testbench::sm::{Shape, SmOptions};

/// What a call may change is the same in all threads at the end.
/// *Why:* old values that atomics gave, and nobody reads, stand there, and another order of the threads gives others.
const START: &str = "
    .globl _start
_start:
    call kernel
    li t0, 0; li t1, 0; li t2, 0; li t3, 0; li t4, 0; li t5, 0; li t6, 0
    li a0, 0; li a1, 0; li a2, 0; li a3, 0; li a4, 0; li a5, 0; li a6, 0; li a7, 0
    ecall
";

/// Bytes of local memory of a thread: calls at -O0, recursive ones, fill some thousand.
const LOCAL: u32 = 8192;

/// Cycles that an instruction of a thread may take, on the slowest memory that is drawn and with nobody beside it: a
/// program of which the longest that is let in takes longer hangs.
const CYCLES: u64 = 1_000;

/// Where a program comes from.
#[derive(Clone, Copy)]
pub enum Origin<'a> {
    C(&'a Compiler, &'static str),
    Graph,
}

impl Origin<'_> {
    fn outputs(self) -> Vec<(&'static str, u32)> {
        match self {
            Origin::C(..) => c_programs::OUTPUTS.to_vec(),
            Origin::Graph => vec![graphs::OUTPUT],
        }
    }

    /// Options of the line that runs it again.
    fn arguments(self) -> String {
        match self {
            Origin::C(compiler, level) => {
                format!(
                    "--programs 1 --compiler {} --level {level}",
                    compiler.family.name()
                )
            }
            Origin::Graph => "--graphs 1 --programs 0".into(),
        }
    }
}

/// What is done, and where.
#[derive(Clone)]
pub struct Plan {
    pub seed: u64,
    pub shape: Shape,
    pub lowers: Vec<Lower>,
    /// Programs of which all threads together execute more are left out.
    pub instructions: u64,
    /// A broken copy of the SM.
    pub fault: Option<&'static str>,
}

/// What has gone wrong, and the line that runs it again.
#[derive(Debug)]
pub struct Failure {
    pub error: String,
    pub replay: String,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}\n  again: {}", self.error, self.replay)
    }
}

/// What many programs add up to.
#[derive(Default)]
pub struct Totals {
    pub programs: u64,
    /// Not compiled, too long, or too deep for the stack.
    pub left_out: u64,
    pub runs: u64,
    /// Lowered to what has run already.
    pub alike: u64,
    pub cycles: u64,
    pub instructions: u64,
    pub seen: Seen,
}

/// The compilers that are there.
pub fn compilers() -> Vec<Compiler> {
    let toolbox = weft_toolbox::Toolbox::here();
    let there = |family| Compiler::find(&toolbox, family);
    Family::ALL.into_iter().filter_map(there).collect()
}

/// Assembly of a C program, or what the compiler says.
fn assembly(compiler: &Compiler, level: &str, c: &str, folder: &Path) -> Result<String, String> {
    let (source, target) = (folder.join("program.c"), folder.join("program.s"));
    std::fs::write(&source, c).map_err(|e| e.to_string())?;
    let usual: &[&str] = match compiler.family {
        Family::Gcc => &["-mcmodel=medlow", "-msmall-data-limit=0"],
        Family::Clang | Family::Zig => &["-mno-relax"],
    };
    let mut command = compiler.command();
    command.args([
        "-ffreestanding",
        "-fno-pic",
        "-w",
        "-fno-asynchronous-unwind-tables",
    ]);
    command.args(usual).args(["-S", level]).arg(&source);
    let output = command
        .arg("-o")
        .arg(&target)
        .output()
        .map_err(|e| e.to_string())?;
    match output.status.success() {
        true => std::fs::read_to_string(&target).map_err(|e| e.to_string()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// Everything around program `index`, whatever it is compiled and lowered with.
fn surroundings(plan: &Plan, index: u64) -> (SmOptions, SubVector, Form) {
    let seed = case_seed(plan.seed, index);
    let rng = &mut stream(seed, "compiled programs");
    let (width, room) = (
        plan.shape.threads as u32,
        (plan.shape.warps * plan.shape.threads) as u32,
    );
    let cta = [
        width - 1,
        width,
        width + 1,
        2 * width - 1,
        room,
        rng.gen_range(1..=room),
    ];
    let launch = Launch {
        grid: [[1, 1, 2, 3][rng.gen_range(0..4)], 1, 1],
        cta: [cta[rng.gen_range(0..cta.len())], 1, 1],
        local: LOCAL,
        ..Launch::default()
    };
    let machine = Config {
        tokens: draw_tokens(rng, plan.shape.threads),
        memory: 1 << 18,
        yield_every: [0, 1, 2, 7][rng.gen_range(0..4)],
        forced_yield: [0, 1, 5, 50, 1024][rng.gen_range(0..5)],
        path: PathPolicy::ALL[rng.gen_range(0..PathPolicy::ALL.len())],
        ..Config::default()
    };
    let form = [Form::Mode, Form::Measured, Form::Copies, Form::Loop][rng.gen_range(0..4)];
    let subvector = [SubVector::Off, SubVector::Threshold(5)][usize::from(rng.gen_bool(0.4))];
    let options = SmOptions {
        launch,
        machine,
        oracle: true,
        cycles: Some(CYCLES * plan.instructions),
        livelock: CYCLES * plan.instructions,
        instructions: plan.instructions,
        ..SmOptions::draw(seed, plan.shape)
    };
    (options, subvector, form)
}

/// What the symbols hold at the end.
fn outputs(program: &Program, origin: Origin, memory: &weft_sim::Memory) -> Vec<Vec<u8>> {
    let read = |(symbol, bytes): (&str, u32)| {
        let at = program.symbols[symbol];
        memory
            .slice(at..at + bytes)
            .expect("it lies in memory")
            .to_vec()
    };
    origin.outputs().into_iter().map(read).collect()
}

fn assembled(name: &str, text: &str) -> Result<Program, String> {
    let files = [(name, text), ("start.s", START)];
    assemble_files(&files).map_err(|errors| errors.to_string())
}

/// Program `index` of the plan in every lowering. Gives the first failure.
pub fn check(
    plan: &Plan,
    index: u64,
    origin: Origin,
    folder: &Path,
    totals: &mut Totals,
) -> Result<(), Failure> {
    let mut source = String::new();
    let seed = case_seed(plan.seed, index);
    let text = match origin {
        Origin::C(compiler, level) => {
            source = c_programs::random(seed);
            assembly(compiler, level, &source, folder)
        }
        Origin::Graph => Ok(graphs::random(seed).source()),
    };
    let (options, subvector, form) = surroundings(plan, index);
    let alone = text.and_then(|text| {
        let program = assembled("program.s", &text)?;
        let run = grid::oracle(&program, &options).map_err(|e| e.to_string())?;
        Ok((text, program, run))
    });
    // What the assembler does not know is caught by the compiler's own tests.
    let (text, program, alone) = match alone {
        Ok((.., run)) if run.thread_instructions > plan.instructions => {
            totals.left_out += 1;
            return Ok(());
        }
        Ok(all) => all,
        Err(_) => {
            totals.left_out += 1;
            return Ok(());
        }
    };
    totals.programs += 1;
    let want = outputs(&program, origin, &alone.memory);
    let mut ran: HashMap<String, Lower> = HashMap::new();
    for &lower in &plan.lowers {
        let mut options = options.clone();
        if lower == Lower::Masks {
            // A forced yield may leave a loop inside a masked region, and so may threads whose token is dropped
            // (MASK-060).
            options.machine.forced_yield = 0;
            options.machine.tokens = options.machine.tokens.max(2 * plan.shape.threads + 32);
        }
        let how = Options {
            lower,
            // None is what the stock compiler has made.
            subvector: if lower == Lower::None {
                SubVector::Off
            } else {
                subvector
            },
            form,
            lanes: plan.shape.lanes as u32,
            threads: plan.shape.threads as u32,
            ..Options::default()
        };
        let failed = |error: String| {
            Failure {
            error: format!("program {index}, {lower}, {}: {error}", plan.shape),
            replay: format!(
                "cargo run --release -p weft-testbench --example c_programs -- --seed {} --first {index} {} --lower {lower} --size {}",
                plan.seed, origin.arguments(), plan.shape
            ),
        }
        };
        let lowered = compile(&text, "program.s", &how).map_err(|e| failed(e.to_string()))?;
        if ran.contains_key(&lowered.assembly) {
            totals.alike += 1;
            continue;
        }
        let program = assembled("program.s", &lowered.assembly).map_err(failed)?;
        let mut witness = Witness::new(&program);
        let report = run_copy(&program, &options, plan.fault, &mut witness);
        let report = report.map_err(|e| failed(e.to_string()))?;
        if outputs(&program, origin, &report.memory) != want {
            return Err(failed(
                "it computes something else than before it was lowered".into(),
            ));
        }
        if report.oracle_agrees != Some(true) {
            return Err(failed(
                "the end was not compared with every thread alone".into(),
            ));
        }
        ran.insert(lowered.assembly, lower);
        totals.runs += 1;
        totals.cycles += report.cycles;
        totals.instructions += report.seen.issued;
        let irreducible = lowered.report.functions.iter().any(|f| f.irreducible);
        totals.seen.note(
            plan.shape,
            lower,
            &options,
            &witness,
            irreducible,
            source.contains("goto"),
        );
    }
    Ok(())
}
