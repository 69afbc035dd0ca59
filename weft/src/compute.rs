//! The kernels of an SM's table: dense and sparse arithmetic, sorting, sums; in sizes of any kind and on several CTAs.
//! Sources, inputs, and what must come out, worked out here without any engine.

use crate::engines::run_sm;
use crate::image;
use crate::kernels::{self, Kernel, Outputs};
use anyhow::{anyhow, Context, Result as Anyhow};
use std::sync::LazyLock;
use weft_isa::Program;
use weft_sim::{Config, Launch};
use weft_testbench::sm::lockstep::Blind;
use weft_testbench::sm::{grid, Shape, SmError, SmOptions};
use weft_testbench::timing::Latency;

/// Words of an input or an output, and of the guards before and behind.
const ROOM: u32 = 1024;
const GUARD: u32 = 4;
/// In place of ROOM in the texts of `kernels/large`.
const LARGE_ROOM: u32 = 64 * 1024;
const PEOPLE: u32 = 34;

const NOISE: &[u8] = include_bytes!("../../kernels/data/noise");
const ROWS: &[u8] = include_bytes!("../../kernels/data/karate_rows.txt");
const COLUMNS: &[u8] = include_bytes!("../../kernels/data/karate_columns.txt");

/// A kernel, and what its `size` means.
pub struct Compute {
    pub kernel: Kernel,
    /// Largest size.
    pub most: u32,
    /// Words of a vector or a matrix.
    room: u32,
}

/// Words of a result with its guards.
const RESULT: &[(&str, u32)] = &[("result", 4 * (ROOM + 2 * GUARD))];
const LARGE_RESULT: &[(&str, u32)] = &[("result", 4 * (LARGE_ROOM + 2 * GUARD))];
const SUMS: &[(&str, u32)] = &[("sum", 4), ("largest", 4)];

const A: &[(&str, &str, &[u8])] = &[("a", "noise", NOISE)];
const A_AND_B: &[(&str, &str, &[u8])] = &[("a", "noise", NOISE), ("b", "noise", NOISE)];

macro_rules! kernel {
    ($name:literal, $shows:literal, $inputs:expr, $outputs:expr, $most:expr, $race_free:expr, $check:ident) => {
        kernel!(
            $name,
            concat!("../../kernels/", $name, ".s"),
            ROOM,
            $shows,
            $inputs,
            $outputs,
            $most,
            $race_free,
            $check
        )
    };
    ($name:literal, $file:expr, $room:expr, $shows:literal, $inputs:expr, $outputs:expr, $most:expr, $race_free:expr, $check:ident) => {
        Compute {
            kernel: Kernel {
                name: $name,
                shows: $shows,
                source: (concat!($name, ".s"), include_str!($file)),
                inputs: $inputs,
                outputs: $outputs,
                race_free: $race_free,
                order_dependent: &[],
                check: $check,
            },
            most: $most,
            room: $room,
        }
    };
}

pub const COMPUTE: &[Compute] = &[
    kernel!(
        "vecadd",
        "sum of two vectors",
        A_AND_B,
        RESULT,
        ROOM,
        true,
        vecadd
    ),
    kernel!("saxpy", "k a + b", A_AND_B, RESULT, ROOM, true, saxpy),
    kernel!(
        "sgemm",
        "product of matrices",
        A_AND_B,
        RESULT,
        32,
        true,
        sgemm
    ),
    kernel!(
        "transpose",
        "tiles in the scratchpad",
        A,
        RESULT,
        32,
        true,
        transpose
    ),
    kernel!(
        "reduction",
        "sum in a tree, and atomics",
        A,
        SUMS,
        ROOM,
        false,
        reduction
    ),
    kernel!(
        "spmv",
        "sparse matrix times vector",
        &[
            ("rows", "karate_rows.txt", ROWS),
            ("columns", "karate_columns.txt", COLUMNS),
            ("x", "noise", NOISE)
        ],
        &[("result", 4 * (PEOPLE + 2 * GUARD))],
        PEOPLE,
        true,
        spmv
    ),
    kernel!(
        "bitonic",
        "bitonic sort in the scratchpad",
        A,
        RESULT,
        ROOM,
        true,
        bitonic
    ),
    kernel!("stencil", "five points", A, RESULT, 32, true, stencil),
];

macro_rules! large {
    ($name:literal, $shows:literal, $inputs:expr, $outputs:expr, $most:expr, $race_free:expr, $check:ident) => {
        kernel!(
            $name,
            concat!("../../kernels/large/", $name, ".s"),
            LARGE_ROOM,
            $shows,
            $inputs,
            $outputs,
            $most,
            $race_free,
            $check
        )
    };
}

/// With room for vectors of 64 Ki and squares of 256.
const LARGE: &[Compute] = &[
    large!(
        "vecadd",
        "sum of two vectors",
        A_AND_B,
        LARGE_RESULT,
        LARGE_ROOM,
        true,
        vecadd
    ),
    large!(
        "saxpy",
        "k a + b",
        A_AND_B,
        LARGE_RESULT,
        LARGE_ROOM,
        true,
        saxpy
    ),
    large!(
        "reduction",
        "sum in a tree, and atomics",
        A,
        SUMS,
        LARGE_ROOM,
        false,
        reduction
    ),
    large!(
        "sgemm",
        "product of matrices",
        A_AND_B,
        LARGE_RESULT,
        256,
        true,
        sgemm
    ),
    large!(
        "transpose",
        "tiles in the scratchpad",
        A,
        LARGE_RESULT,
        256,
        true,
        transpose
    ),
    large!(
        "stencil",
        "five points",
        A,
        LARGE_RESULT,
        256,
        true,
        stencil
    ),
];

/// Bytes of scratchpad that they need, for CTAs of up to 1,024 threads.
pub const SCRATCHPAD: u32 = 4096;

impl Compute {
    /// The kernel for this size, its inputs in place.
    pub fn program(&self, size: u32) -> Result<Program, String> {
        let mut program = with_inputs(&self.kernel)?;
        if self.room > ROOM {
            let bytes: Vec<u8> = noises().iter().flat_map(|n| n.to_le_bytes()).collect();
            for (symbol, ..) in self.kernel.inputs {
                put(&mut program, symbol, &bytes)?;
            }
        }
        put(&mut program, "size", &size.to_le_bytes())?;
        Ok(program)
    }

    /// In place with this size.
    fn launched(&'static self, size: u32) -> Anyhow<Launched> {
        let kernel = &self.kernel;
        let program = self.program(size);
        let program = program.map_err(|e| anyhow!("{}: {e}", kernel.name))?;
        Ok(Launched {
            kernel,
            program,
            size: Some(size),
        })
    }
}

/// Kernels without a size: each has the inputs that it has for all engines.
const WHOLE: [&str; 2] = ["histogram", "bfs"];

fn put(program: &mut Program, symbol: &str, bytes: &[u8]) -> Result<(), String> {
    let place = symbol.parse().map_err(|e| format!("{symbol}: {e}"))?;
    image::overlay(program, &place, bytes).map_err(|e| format!("{e:?}"))
}

/// The kernel with its inputs in place.
fn with_inputs(kernel: &Kernel) -> Result<Program, String> {
    let (file, text) = kernel.source;
    let mut program = crate::program::assemble(file, text).map_err(|e| format!("{e:?}"))?;
    for (symbol, file, contents) in kernel.inputs {
        put(
            &mut program,
            symbol,
            &crate::data::memory_bytes(file, contents)?,
        )?;
    }
    Ok(program)
}

/// A kernel in place, as the demo and the bench launch it.
pub struct Launched {
    pub kernel: &'static Kernel,
    pub program: Program,
    /// `None`: its whole input.
    pub size: Option<u32>,
}

/// All kernels that are launched: those with a size, then those without.
pub fn launched() -> Anyhow<Vec<Launched>> {
    let mut all = Vec::new();
    for of in COMPUTE {
        let size = if of.most == of.room {
            1000
        } else {
            of.most - 1
        };
        all.push(of.launched(size)?);
    }
    for name in WHOLE {
        let kernel = kernels::find(name).with_context(|| format!("no kernel {name}"))?;
        let program = with_inputs(kernel).map_err(|e| anyhow!("{name}: {e}"))?;
        all.push(Launched {
            kernel,
            program,
            size: None,
        });
    }
    Ok(all)
}

/// Those that other cores were compared with, in the sizes in which they were.
pub fn compared() -> Anyhow<Vec<Launched>> {
    let sizes = [("vecadd", 992), ("saxpy", 992), ("sgemm", 32)];
    let of = |(name, size)| {
        let of = COMPUTE.iter().find(|of| of.kernel.name == name);
        of.with_context(|| format!("no kernel {name}"))?
            .launched(size)
    };
    sizes.into_iter().map(of).collect()
}

/// Vectors of 64 Ki and squares of 64: much longer than their launch.
pub fn large() -> Anyhow<Vec<Launched>> {
    let size = |of: &Compute| if of.most == of.room { of.most } else { 64 };
    LARGE.iter().map(|of| of.launched(size(of))).collect()
}

impl Launched {
    /// Whether memory holds what must come out.
    ///
    /// # Errors
    /// What is wrong in it.
    pub fn check(&self, o: &SmOptions, memory: &weft_sim::Memory) -> Result<(), String> {
        let config = o.launch.config(&grid::machine(o));
        let config = config.map_err(|e| e.to_string())?;
        self.kernel.check_memory(&self.program, &config, memory)
    }
}

/// Bytes of global memory that [`launched`] and [`compared`] need, and that [`large`] do.
const MEMORY: u32 = 0x1_0000;
pub const LARGE_MEMORY: u32 = 0x10_0000;

/// What runs it: so many CTAs of so many threads.
pub fn options(shape: Shape, ctas: u32, threads: u32, latency: u32) -> SmOptions {
    let mut options = SmOptions {
        shape,
        launch: Launch {
            grid: [ctas, 1, 1],
            cta: [threads, 1, 1],
            scratchpad: SCRATCHPAD,
            ..Launch::default()
        },
        machine: Config {
            memory: MEMORY,
            ..Config::default()
        },
        instructions: 10_000_000,
        cycles: Some(50_000_000),
        ..SmOptions::default()
    };
    options.axi.latency = Latency::Fixed(latency);
    options
}

/// `weft demo --sm`: each kernel on golden machine, oracle and, if this build has it, the SM, with a line for each.
/// True when all results are right.
pub fn demo(shape: Shape, (ctas, threads): (u32, u32), latency: u32) -> Anyhow<bool> {
    let mut fine = true;
    println!(
        "SM {shape}, {} KiB of data cache, {ctas} CTAs of {threads} threads, memory latency {latency}",
        shape.data_cache
    );
    println!(
        "{:<10} {:>6} {:>9} {:>9} {:>8} {:>6} {:>7} {:>6}  results",
        "kernel", "size", "golden", "oracle", "cycles", "ipc", "loads", "hits"
    );
    for of in launched()? {
        let program = &of.program;
        let size = of.size.map_or("-".into(), |size| size.to_string());
        let o = options(shape, ctas, threads, latency);
        let mut findings = Vec::new();
        let mut check = |engine: &str, memory: &weft_sim::Memory| {
            findings.extend(of.check(&o, memory).err().map(|e| format!("{engine}: {e}")));
        };
        let golden = grid::golden(program, &o, &mut |_| ())?;
        check("golden", &golden.memory);
        let alone = grid::oracle(program, &o)?;
        check("oracle", &alone.memory);
        let alone = alone.thread_instructions.to_string();
        let [mut cycles, mut ipc, mut reads, mut hits] = [(); 4].map(|()| String::from("-"));
        let on_sm = SmOptions {
            oracle: of.kernel.race_free,
            ..o.clone()
        };
        match run_sm(program, &on_sm, &mut Blind) {
            Ok(report) => {
                check("sm", &report.memory);
                cycles = report.cycles.to_string();
                let rate = report.seen.issued as f64 / report.cycles.max(1) as f64;
                ipc = format!("{rate:.3}");
                if shape.data_cache > 0 {
                    let c = &report.cache;
                    reads = c.reads().to_string();
                    hits = format!("{:.0} %", 100.0 * c.hits as f64 / c.reads().max(1) as f64);
                }
            }
            // Without Verilator.
            Err(SmError::Dut(_)) => {}
            Err(error) => findings.push(format!("sm: {error}")),
        }
        let came = if findings.is_empty() {
            "right"
        } else {
            "WRONG"
        };
        println!(
            "{:<10} {size:>6} {:>9} {alone:>9} {cycles:>8} {ipc:>6} {reads:>7} {hits:>6}  {came}",
            of.kernel.name, golden.warp_instructions
        );
        fine &= findings.is_empty();
        findings
            .iter()
            .for_each(|f| eprintln!("{}: {f}", of.kernel.name));
    }
    Ok(fine)
}

/// The noise, which begins as the file does: xorshift32.
fn noises() -> &'static [u32] {
    static NOISES: LazyLock<Vec<u32>> = LazyLock::new(|| {
        let next = |n: &u32| {
            let n = n ^ n << 13;
            let n = n ^ n >> 17;
            Some(n ^ n << 5)
        };
        let words = std::iter::successors(Some(0x9e37_79b9), next);
        words.skip(1).take(LARGE_ROOM as usize).collect()
    });
    &NOISES
}

/// Word n of it.
fn noise(n: u32) -> u32 {
    noises()[n as usize]
}

fn size(o: &Outputs) -> Result<u32, String> {
    Ok(o.words("size", 1)?[0])
}

/// Guards are as they were, the first words as expected, and what lies behind them is untouched.
fn result(o: &Outputs, expected: &[u32]) -> Result<(), String> {
    let words = o.all("result")?;
    for (at, &word) in words.iter().enumerate() {
        let n = at.checked_sub(GUARD as usize);
        let right = n.and_then(|n| expected.get(n)).copied().unwrap_or(0);
        if word != right {
            return Err(match n.filter(|n| *n < expected.len()) {
                Some(n) => format!("element {n} is {word:#x}, must be {right:#x}"),
                None => format!("guard word {at} of `result` is {word:#x}"),
            });
        }
    }
    Ok(())
}

fn vecadd(o: &Outputs) -> Result<(), String> {
    let n = size(o)?;
    // b is a, from its end.
    let room = o.all("result")?.len() as u32 - 2 * GUARD;
    let sum = |i: u32| noise(i).wrapping_add(noise(room - 1 - i));
    result(o, &(0..n).map(sum).collect::<Vec<_>>())
}

fn saxpy(o: &Outputs) -> Result<(), String> {
    let n = size(o)?;
    // b is a.
    let y = |i: u32| 2_654_435_762u32.wrapping_mul(noise(i));
    result(o, &(0..n).map(y).collect::<Vec<_>>())
}

/// Of a square of this edge, row by row.
fn square(n: u32, element: impl Fn(u32, u32) -> u32) -> Vec<u32> {
    let places = (0..n).flat_map(|y| (0..n).map(move |x| (y, x)));
    places.map(|(y, x)| element(y, x)).collect()
}

fn sgemm(o: &Outputs) -> Result<(), String> {
    let n = size(o)?;
    let element = |y, x| {
        let products = (0..n).map(|k| noise(y * n + k).wrapping_mul(noise(k * n + x)));
        products.fold(0, u32::wrapping_add)
    };
    result(o, &square(n, element))
}

fn transpose(o: &Outputs) -> Result<(), String> {
    let n = size(o)?;
    result(o, &square(n, |y, x| noise(x * n + y)))
}

fn stencil(o: &Outputs) -> Result<(), String> {
    let n = size(o)?;
    let at = |y: Option<u32>, x: Option<u32>| match (y, x) {
        (Some(y), Some(x)) if y < n && x < n => noise(y * n + x),
        _ => 0,
    };
    let element = |y: u32, x: u32| {
        let around = [
            at(Some(y), x.checked_sub(1)),
            at(Some(y), Some(x + 1)),
            at(y.checked_sub(1), Some(x)),
            at(Some(y + 1), Some(x)),
        ];
        let own = at(Some(y), Some(x)).wrapping_mul(4);
        around.into_iter().fold(own, u32::wrapping_sub)
    };
    result(o, &square(n, element))
}

fn reduction(o: &Outputs) -> Result<(), String> {
    let n = size(o)?;
    let sum = (0..n).map(noise).fold(0, u32::wrapping_add);
    let largest = (0..n).map(noise).max().unwrap_or(0);
    let seen = (o.words("sum", 1)?[0], o.words("largest", 1)?[0]);
    match seen == (sum, largest) {
        true => Ok(()),
        false => Err(format!("{seen:x?}, must be {:x?}", (sum, largest))),
    }
}

fn spmv(o: &Outputs) -> Result<(), String> {
    let list = |file, contents| -> Result<Vec<u32>, String> {
        let bytes = crate::data::memory_bytes(file, contents)?;
        let words = bytes.chunks_exact(4);
        Ok(words
            .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            .collect())
    };
    let (rows, columns) = (list("rows.txt", ROWS)?, list("columns.txt", COLUMNS)?);
    let row = |i: u32| {
        let of = rows[i as usize] as usize..rows[i as usize + 1] as usize;
        let product = |&j: &u32| (i + 2 * j + 1).wrapping_mul(noise(j));
        columns[of].iter().map(product).fold(0, u32::wrapping_add)
    };
    let y: Vec<u32> = (0..size(o)?).map(row).collect();
    result(o, &y)
}

fn bitonic(o: &Outputs) -> Result<(), String> {
    let mut words: Vec<u32> = (0..size(o)?).map(noise).collect();
    words.chunks_mut(64).for_each(<[u32]>::sort_unstable);
    result(o, &words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(of: &Compute, program: &Program, o: &SmOptions) {
        let config = o.launch.config(&grid::machine(o)).unwrap();
        let name = of.kernel.name;
        let right = |memory, engine: &str| {
            let checked = of.kernel.check_memory(program, &config, memory);
            let launch = &o.launch;
            checked.unwrap_or_else(|e| panic!("{name} on {engine}, {launch:?}: {e}"));
        };
        let golden =
            grid::golden(program, o, &mut |_| ()).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(golden.faults.is_empty(), "{name}: {:?}", golden.faults);
        right(&golden.memory, "the golden machine");
        let alone = grid::oracle(program, o).unwrap_or_else(|e| panic!("{name}: {e}"));
        right(&alone.memory, "the oracle");
    }

    #[test]
    fn results_are_right_in_sizes_of_any_kind() {
        let w = Shape::SMALL.threads as u32;
        for of in COMPUTE {
            for size in [0, 1, w - 1, w, w + 1, 13, 31] {
                let program = of.program(size.min(of.most)).unwrap();
                let (ctas, threads) = [(1, 1), (1, w - 1), (3, w + 1)][size as usize % 3];
                check(of, &program, &options(Shape::SMALL, ctas, threads, 20));
            }
            let program = of.program(of.most).unwrap();
            check(of, &program, &options(Shape::SMALL, 2, 5 * w + 3, 20));
        }
    }

    #[test]
    fn the_noise_begins_as_its_file_does() {
        let words = noises().iter().flat_map(|n| n.to_le_bytes());
        assert!(words.take(NOISE.len()).eq(NOISE.iter().copied()));
        assert_eq!(NOISE.len(), 4 * ROOM as usize);
    }

    #[test]
    fn results_with_more_room_are_right() {
        let threads = Shape::SMALL.threads as u32;
        for of in LARGE {
            for size in [1, 2 * threads + 1, 61] {
                let program = of.program(size).unwrap();
                let mut o = options(Shape::SMALL, 2, 3 * threads - 1, 20);
                o.machine.memory = LARGE_MEMORY;
                check(of, &program, &o);
            }
        }
    }

    /// Whatever the launch: kernels without a size share all work out among the threads that there are.
    #[test]
    fn results_of_whole_inputs_are_right_on_any_grid() {
        let w = Shape::SMALL.threads as u32;
        for name in WHOLE {
            let kernel = kernels::find(name).unwrap();
            let program = with_inputs(kernel).unwrap();
            for (ctas, threads) in [(1, 1), (1, w - 1), (3, w + 1), (2, 5 * w + 3)] {
                let o = options(Shape::SMALL, ctas, threads, 20);
                let config = o.launch.config(&grid::machine(&o)).unwrap();
                let golden = grid::golden(&program, &o, &mut |_| ()).unwrap();
                assert!(golden.faults.is_empty(), "{name}: {:?}", golden.faults);
                for memory in [golden.memory, grid::oracle(&program, &o).unwrap().memory] {
                    let checked = kernel.check_memory(&program, &config, &memory);
                    checked.unwrap_or_else(|e| panic!("{name}, {ctas} x {threads}: {e}"));
                }
            }
        }
    }

    /// The checks fail where one word differs, a guard word included.
    #[test]
    fn a_wrong_word_is_noticed() {
        for of in COMPUTE
            .iter()
            .filter(|of| of.kernel.outputs[0].0 == "result")
        {
            let program = of.program(9).unwrap();
            let o = options(Shape::SMALL, 1, 8, 20);
            let mut memory = grid::golden(&program, &o, &mut |_| ()).unwrap().memory;
            let config = o.launch.config(&grid::machine(&o)).unwrap();
            for word in [0, GUARD + 4, of.kernel.outputs[0].1 / 4 - 1] {
                let at = program.symbols["result"] + 4 * word;
                let right = memory.read_u32(at).unwrap();
                memory.write_bytes(at, &(right ^ 1).to_le_bytes()).unwrap();
                let checked = of.kernel.check_memory(&program, &config, &memory);
                assert!(checked.is_err(), "{} word {word}", of.kernel.name);
                memory.write_bytes(at, &right.to_le_bytes()).unwrap();
            }
        }
    }
}
