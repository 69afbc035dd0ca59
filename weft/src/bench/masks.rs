//! The same kernels with tokens, with an execution mask and predicated; regular against sub-vector mode.
//!
//! The styles on 32 lanes run on `weft_core`; everything on fewer lanes, and the modes, on the golden model under the
//! simple clock of [`weft_sim::timing`]. Every output is compared with what the inputs say, and with the oracle.

use super::around::{options, MEMORY, RESOLVE};
use crate::program;
use anyhow::{anyhow, bail, ensure, Context, Result};
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use weft_isa::Program;
use weft_sim::timing::Timing;
use weft_sim::{CacheShape, Config, Force, Machine, Memory, Oracle, OracleOutcome, RegisterFile};
use weft_testbench::bench::Name;
use weft_testbench::core::{self, Pick, Width};
use weft_testbench::memory::MemoryTiming;
use weft_testbench::run_config::RunConfig;

/// Threads per warp, and warps where there are several.
pub const WIDTH: usize = 32;
pub const WARPS: usize = 16;

/// W / L = 4.
pub const LANES: usize = 8;

const STYLES: [&str; 3] = ["token", "exec", "pred"];

/// A line that ends so is left out for the variant without skip branches.
const SKIP: &str = "# skip";

struct Kernel {
    name: &'static str,
    /// In the order of [`STYLES`].
    sources: [&'static str; 3],
    /// Symbols and the words that they get.
    inputs: fn() -> Vec<(&'static str, Vec<u32>)>,
    /// Words that each thread leaves at `out`.
    words: u32,
    /// What thread `t` leaves there.
    expected: fn(t: u32) -> Vec<u32>,
}

macro_rules! sources {
    ($name:literal) => {
        [
            include_str!(concat!("../../../kernels/masks/", $name, "_token.asm")),
            include_str!(concat!("../../../kernels/masks/", $name, "_exec.asm")),
            include_str!(concat!("../../../kernels/masks/", $name, "_pred.asm")),
        ]
    };
}

const KERNELS: [Kernel; 7] = [
    Kernel {
        name: "fn0",
        sources: sources!("fn0"),
        inputs: three_numbers,
        words: 1,
        expected: |t| {
            vec![with_numbers(
                t,
                |a, b, _| if a > b { a * a - b } else { b * b - a },
            )]
        },
    },
    Kernel {
        name: "nested",
        sources: sources!("nested"),
        inputs: three_numbers,
        words: 1,
        expected: |t| {
            vec![with_numbers(t, |a, b, _| match (a > b, a & 1, b & 1) {
                (true, 1, _) => 3 * a,
                (true, _, _) => a + b,
                (false, _, 1) => 5 * b,
                (false, _, _) => b - a,
            })]
        },
    },
    Kernel {
        name: "loop_break",
        sources: sources!("loop_break"),
        inputs: three_numbers,
        words: 1,
        expected: |t| vec![with_numbers(t, loop_break)],
    },
    Kernel {
        name: "short_circuit",
        sources: sources!("short_circuit"),
        inputs: three_numbers,
        words: 1,
        expected: |t| {
            let value = |a, b, c| {
                if a > 64 && b > 64 || c > 200 {
                    (a + b) * c
                } else {
                    a - c
                }
            };
            vec![with_numbers(t, value)]
        },
    },
    Kernel {
        name: "mandelbrot",
        sources: sources!("mandelbrot"),
        inputs: three_numbers,
        words: 1,
        expected: |t| vec![with_numbers(t, mandelbrot)],
    },
    Kernel {
        name: "spmv",
        sources: sources!("spmv"),
        inputs: matrix,
        words: 1,
        expected: |t| vec![product(t)],
    },
    Kernel {
        name: "bitonic",
        sources: sources!("bitonic"),
        inputs: || vec![("out", (0..16 * MOST).map(|n| random(n, 9) % 1000).collect())],
        words: 16,
        expected: |t| {
            let mut numbers: Vec<u32> = (0..16).map(|n| random(16 * t + n, 9) % 1000).collect();
            numbers.sort_unstable();
            numbers
        },
    },
];

/// Most threads.
const MOST: u32 = (WIDTH * WARPS) as u32;

/// A number for a place of a stream.
fn random(n: u32, stream: u32) -> u32 {
    let mut x = n.wrapping_mul(0x9e37_79b9) ^ stream.wrapping_mul(0x85eb_ca6b);
    for _ in 0..3 {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    x
}

/// a, b and c of a thread.
fn numbers(t: u32) -> [u32; 3] {
    [1, 2, 3].map(|stream| random(t + 1, stream) % 256)
}

fn three_numbers() -> Vec<(&'static str, Vec<u32>)> {
    let all = |at: usize| (0..MOST).map(|t| numbers(t)[at]).collect();
    vec![("a", all(0)), ("b", all(1)), ("c", all(2))]
}

fn with_numbers(t: u32, value: impl Fn(i32, i32, i32) -> i32) -> u32 {
    let [a, b, c] = numbers(t).map(|n| n as i32);
    value(a, b, c) as u32
}

fn loop_break(a: i32, mut b: i32, _: i32) -> i32 {
    let mut sum = 0i32;
    for _ in 0..a & 31 {
        sum = sum.wrapping_add(b);
        b = b.wrapping_mul(5).wrapping_add(3);
        if sum & 15 == 0 {
            break;
        }
    }
    sum
}

fn mandelbrot(a: i32, b: i32, _: i32) -> i32 {
    let (cx, cy) = ((a - 128) << 4, (b - 128) << 4);
    let (mut x, mut y, mut n) = (0i32, 0i32, 0);
    while n < 24 {
        let (xx, yy) = ((x * x) >> 10, (y * y) >> 10);
        if xx + yy >= 4096 {
            break;
        }
        (x, y) = (xx - yy + cx, ((x * y) >> 9) + cy);
        n += 1;
    }
    n
}

/// Entries of a row: few in most, many in some.
fn row_length(row: u32) -> u32 {
    match random(row, 4) % 8 {
        0 => 24,
        n => n,
    }
}

fn row_start(row: u32) -> u32 {
    (0..row).map(row_length).sum()
}

fn entry(n: u32) -> (u32, u32) {
    (random(n, 5) % MOST, random(n, 6) % 100)
}

fn matrix() -> Vec<(&'static str, Vec<u32>)> {
    let entries = 0..row_start(MOST);
    vec![
        ("rows", (0..=MOST).map(row_start).collect()),
        ("columns", entries.clone().map(|n| entry(n).0).collect()),
        ("values", entries.map(|n| entry(n).1).collect()),
        ("x", (0..MOST).map(|n| random(n, 7) % 100).collect()),
    ]
}

fn product(row: u32) -> u32 {
    let entries = row_start(row)..row_start(row + 1);
    let term = |n| entry(n).1 * (random(entry(n).0, 7) % 100);
    entries.map(term).sum()
}

/// One line of the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StyleRow {
    pub kernel: Name,
    pub style: Name,
    /// With the branches over code that nobody runs; tokens have them always.
    pub skip: bool,
    /// Warp instructions of one warp.
    pub instructions: u64,
    pub simd_efficiency: f64,
    /// Instructions of 16 warps, and what they come to on 8 lanes in parts of a warp with a thread that is on.
    pub warps_instructions: u64,
    pub warps_parts: u64,
    /// Cycles of a lone warp, and of 16: on `weft_core` with 32 lanes, and on the model's clock with 8.
    pub one_warp: u64,
    pub warps: u64,
    pub one_warp_narrow: u64,
    pub warps_narrow: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModeRow {
    pub kernel: Name,
    pub mode: Force,
    pub cycles: u64,
    pub accesses: u64,
    pub misses: u64,
    /// Parts of a warp that were on the lanes.
    pub parts: u64,
    /// Rows of the register file that a warp takes, and warps for which 512 rows have room.
    pub rows: u32,
    pub resident: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MasksReport {
    /// Cycles for which a missing cache line takes the memory.
    pub beat: u64,
    pub styles: Vec<StyleRow>,
    pub modes: Vec<ModeRow>,
}

impl MasksReport {
    pub fn measure() -> Result<MasksReport> {
        let mut styles = Vec::new();
        for kernel in &KERNELS {
            for (style, source) in STYLES.into_iter().zip(kernel.sources) {
                for skip in [true, false] {
                    if skip || source.lines().any(is_skip) {
                        let row = style_row(kernel, style, source, skip);
                        styles.push(row.with_context(|| format!("{}_{style}", kernel.name))?);
                    }
                }
            }
        }
        let mut modes = Vec::new();
        for kernel in &MODE_KERNELS {
            for mode in [Force::Regular, Force::SubVector, Force::Measured] {
                modes.push(mode_row(kernel, mode).with_context(|| kernel.name)?);
            }
        }
        Ok(MasksReport {
            beat: Timing::default().beat,
            styles,
            modes,
        })
    }

    /// Loss of the measured choice against the better mode, per kernel.
    pub fn losses(&self) -> Vec<(Name, f64)> {
        let loss = |rows: &[ModeRow]| {
            let better = rows[0].cycles.min(rows[1].cycles);
            (
                rows[0].kernel.clone(),
                rows[2].cycles as f64 / better as f64 - 1.0,
            )
        };
        self.modes.chunks(3).map(loss).collect()
    }

    /// Name, value and unit; less is better in all.
    pub fn figures(&self) -> Vec<(String, f64, &'static str)> {
        let mut all = Vec::new();
        for r in &self.styles {
            let name = format!(
                "{}, {}{}",
                r.kernel,
                r.style,
                if r.skip { "" } else { ", no skips" }
            );
            for (what, value, unit) in [
                ("", r.instructions, "instructions"),
                (", 1 warp, all lanes", r.one_warp, "cycles"),
                (", 16 warps, all lanes", r.warps, "cycles"),
                (", 1 warp, few lanes", r.one_warp_narrow, "cycles"),
                (", 16 warps, few lanes", r.warps_narrow, "cycles"),
            ] {
                all.push((format!("{name}{what}"), value as f64, unit));
            }
        }
        for r in &self.modes {
            let name = format!("{}, {}", r.kernel, mode_name(r.mode));
            all.push((name.clone(), r.cycles as f64, "cycles"));
            all.push((name.clone(), r.accesses as f64, "accesses"));
            all.push((name, r.misses as f64, "misses"));
        }
        all
    }

    pub fn text(&self) -> String {
        let mut text = format!(
            "Styles, {WIDTH} threads per warp: instructions of a warp, SIMD efficiency, cycles of 1 and {WARPS} warps:\n\
             on {WIDTH} lanes of weft_core, on {LANES} on the model's clock\n\
             kernel         style  skip  instr.  effic.   1 × 32 L  {WARPS} × 32 L    1 × {LANES} L  {WARPS} × {LANES} L\n"
        );
        for r in &self.styles {
            let skip = match (&*r.style, r.skip) {
                ("token", _) => "",
                (_, true) => "yes",
                (_, false) => "no",
            };
            let _ = writeln!(
                text,
                "{:<14} {:<6} {:<4} {:>7} {:>7.2} {:>10} {:>10} {:>10} {:>9}",
                r.kernel,
                r.style,
                skip,
                r.instructions,
                r.simd_efficiency,
                r.one_warp,
                r.warps,
                r.one_warp_narrow,
                r.warps_narrow
            );
        }
        let _ = writeln!(
            text,
            "\nModes, {} warps of {WIDTH} threads on {LANES} lanes, cache of {} bytes\n\
             kernel         mode            cycles  accesses    misses  rows  resident in {FILE} rows",
            MODE_WARPS,
            CACHE.bytes()
        );
        for r in &self.modes {
            let mode = mode_name(r.mode);
            let _ = writeln!(
                text,
                "{:<14} {:<12} {:>9} {:>9} {:>9} {:>5} {:>9}",
                r.kernel, mode, r.cycles, r.accesses, r.misses, r.rows, r.resident
            );
        }
        for (kernel, loss) in self.losses() {
            let _ = writeln!(
                text,
                "{kernel}: the measured choice is {:+.1} % from the better mode",
                100.0 * loss
            );
        }
        text
    }
}

pub fn mode_name(mode: Force) -> &'static str {
    match mode {
        Force::Regular => "regular",
        Force::SubVector => "sub-vector",
        Force::Measured => "measured",
    }
}

fn is_skip(line: &str) -> bool {
    line.trim_end().ends_with(SKIP)
}

/// The source without its skip branches; a label in front of one stays.
fn without_skips(source: &str) -> String {
    let line = |line: &str| match (is_skip(line), line.split_once(':')) {
        (true, Some((label, _))) => format!("{label}:\n"),
        (true, None) => String::new(),
        (false, _) => format!("{line}\n"),
    };
    source.lines().map(line).collect()
}

fn style_config(warps: usize, lanes: usize) -> Config {
    Config {
        warps,
        threads: WIDTH,
        lanes: Some(lanes),
        stack: 256,
        forced_yield: 0,
        memory: 1 << 20,
        ..Config::default()
    }
}

fn style_row(kernel: &Kernel, style: &'static str, source: &str, skip: bool) -> Result<StyleRow> {
    let text = match skip {
        true => source.to_string(),
        false => without_skips(source),
    };
    let program = program::assemble(kernel.name, &text)?;
    let run = |warps, lanes| -> Result<(u64, weft_sim::Stats)> {
        let config = style_config(warps, lanes);
        let (threads, timing) = (config.grid_size(), Timing::default());
        let out = kernel.words * threads;
        let (cycles, machine) = run(&program, &config, &(kernel.inputs)(), &timing, out)?;
        let expected: Vec<u32> = (0..threads).flat_map(kernel.expected).collect();
        let found = words(&program, machine.memory(), "out", out)?;
        ensure!(found == expected, "out is not what the inputs say");
        Ok((cycles, machine.stats()))
    };
    let (_, stats) = run(1, WIDTH)?;
    let (_, of_warps) = run(WARPS, WIDTH)?;
    let (warps_narrow, of_narrow) = run(WARPS, LANES)?;
    Ok(StyleRow {
        kernel: kernel.name.into(),
        style: style.into(),
        skip,
        instructions: stats.total.warp_instructions,
        simd_efficiency: stats.simd_efficiency,
        one_warp: on_core(kernel, &program, 1)?,
        warps_instructions: of_warps.total.warp_instructions,
        warps_parts: of_narrow.total.passes,
        warps: on_core(kernel, &program, WARPS)?,
        one_warp_narrow: run(1, LANES)?.0,
        warps_narrow,
    })
}

/// Cycles on `weft_core`, 16 × 32, of which so many warps have work; under age, with the bench's latencies (`issue`).
fn on_core(kernel: &Kernel, program: &Program, warps: usize) -> Result<u64> {
    let machine = style_config(WARPS, WIDTH);
    let threads = (warps * WIDTH) as u32;
    let segment = |(symbol, values): (&str, Vec<u32>)| -> Result<weft_isa::Segment> {
        Ok(weft_isa::Segment {
            address: address(program, symbol)?,
            bytes: values.iter().flat_map(|v| v.to_le_bytes()).collect(),
        })
    };
    let config = RunConfig {
        machine: Config {
            grid: Some(threads),
            ..machine
        },
        data: (kernel.inputs)()
            .into_iter()
            .map(segment)
            .collect::<Result<_>>()?,
        tokens: MemoryTiming::fixed(MEMORY),
        ..RunConfig::default()
    };
    let options = options(Width::Single, Pick::Age, RESOLVE);
    let report = core::run_program(program, &config, &options)?;
    let cta = &report.ctas[0];
    ensure!(!cta.failed, "the program has failed: {:?}", cta.faults);
    let found = words(program, &cta.memory, "out", kernel.words * threads)?;
    let expected: Vec<u32> = (0..threads).flat_map(kernel.expected).collect();
    ensure!(
        found == expected,
        "out on the core is not what the inputs say"
    );
    Ok(report.cycles)
}

/// Runs on the model under the clock, and requires the oracle to agree on the first `out` words at `out`.
fn run(
    program: &Program,
    config: &Config,
    inputs: &[(&str, Vec<u32>)],
    timing: &Timing,
    out: u32,
) -> Result<(u64, Machine)> {
    let mut machine = Machine::new(program, config)?;
    let mut oracle = Oracle::new(program, config)?;
    for memory in [machine.memory_mut(), oracle.memory_mut()] {
        for (symbol, values) in inputs {
            let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
            memory
                .write_bytes(address(program, symbol)?, &bytes)
                .map_err(|cause| anyhow!("{symbol}: {cause}"))?;
        }
    }
    let cycles = timing.run(&mut machine).map_err(|fault| anyhow!(fault))?;
    let alone = match oracle.run(10_000_000).map_err(|fault| anyhow!(fault))? {
        OracleOutcome::Finished(result) => result,
        other => bail!("alone: {other:?}"),
    };
    let found = words(program, machine.memory(), "out", out)?;
    let expected = words(program, &alone.memory, "out", out)?;
    ensure!(found == expected, "out is not what the threads do alone");
    Ok((cycles, machine))
}

fn address(program: &Program, symbol: &str) -> Result<u32> {
    let address = program.symbols.get(symbol);
    address
        .copied()
        .with_context(|| format!("no symbol {symbol}"))
}

fn words(program: &Program, memory: &Memory, symbol: &str, count: u32) -> Result<Vec<u32>> {
    let at = address(program, symbol)?;
    let word = |n| {
        memory
            .read_u32(at + 4 * n)
            .map_err(|cause| anyhow!("{symbol}: {cause}"))
    };
    (0..count).map(word).collect()
}

/// A kernel of the comparison of modes.
struct ModeKernel {
    name: &'static str,
    source: &'static str,
    /// First shared register.
    shared_from: u8,
}

const MODE_WARPS: usize = 4;

/// Rows of L words in the register file.
const FILE: u32 = 512;

const CACHE: CacheShape = CacheShape {
    line: 64,
    sets: 16,
    ways: 4,
};

const MODE_KERNELS: [ModeKernel; 3] = [
    ModeKernel {
        name: "own_blocks",
        source: include_str!("../../../kernels/masks/own_blocks.asm"),
        shared_from: 32,
    },
    ModeKernel {
        name: "one_table",
        source: include_str!("../../../kernels/masks/one_table.asm"),
        shared_from: 32,
    },
    ModeKernel {
        name: "registers",
        source: include_str!("../../../kernels/masks/registers.asm"),
        shared_from: 16,
    },
];

fn mode_config(kernel: &ModeKernel, mode: Force) -> Config {
    Config {
        shared_from: kernel.shared_from,
        subvector: mode,
        cache: Some(CACHE),
        ..style_config(MODE_WARPS, LANES)
    }
}

fn mode_inputs() -> [(&'static str, Vec<u32>); 1] {
    [("data", (0..16384).map(|n| random(n, 8)).collect())]
}

fn mode_row(kernel: &ModeKernel, mode: Force) -> Result<ModeRow> {
    let program = program::assemble(kernel.name, kernel.source)?;
    let config = mode_config(kernel, mode);
    let file = RegisterFile {
        parts: (WIDTH / LANES) as u32,
        shared_from: kernel.shared_from.into(),
    };
    let timing = Timing {
        resident: file.resident(FILE) as usize,
        ..Timing::default()
    };
    let out = config.grid_size();
    let (cycles, machine) = run(&program, &config, &mode_inputs(), &timing, out)?;
    let cache = machine.cache().context("there is a cache")?;
    Ok(ModeRow {
        kernel: kernel.name.into(),
        mode,
        cycles,
        accesses: cache.accesses,
        misses: cache.misses,
        parts: machine.stats().total.passes,
        rows: file.rows(),
        resident: file.resident(FILE),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_testbench::wavefront::{device::Kind, judge::Cover};
    use weft_testbench::{dut::RtlKind, lockstep::Watchdog, run};

    /// In lockstep of `weft_control` and model, and every thread alone: they agree on the first words at `out`.
    /// (Not on the instructions completed: a warp executes what some of its threads would skip.)
    fn on_hardware(
        program: &Program,
        machine: Config,
        inputs: &[(&str, Vec<u32>)],
        out: u32,
        wavefront: Option<Kind>,
    ) -> (Vec<u32>, Option<Cover>) {
        let segment = |(symbol, values): &(&str, Vec<u32>)| weft_isa::Segment {
            address: address(program, symbol).unwrap(),
            bytes: values.iter().flat_map(|v| v.to_le_bytes()).collect(),
        };
        let config = RunConfig {
            machine,
            data: inputs.iter().map(segment).collect(),
            noise: true,
            wavefront,
            watchdog: Watchdog {
                hang: 10_000,
                livelock: u64::MAX,
            },
            ..RunConfig::default()
        };
        let engines = [
            run::Engine::Lockstep(RtlKind::Verilated),
            run::Engine::Oracle,
        ];
        let mut done = None;
        let [found, alone] = engines.map(|engine| {
            let report = run::run_program(program, &config, engine, &mut []);
            let report = report.unwrap_or_else(|e| panic!("{e}"));
            assert!(report.faults.is_empty());
            done = done.take().or(report.wavefront);
            words(program, &report.memory, "out", out).unwrap()
        });
        assert_eq!(found, alone);
        (found, done)
    }

    #[test]
    fn all_styles_agree_on_the_hardware() {
        for kernel in &KERNELS {
            for source in kernel.sources {
                for text in [source.to_string(), without_skips(source)] {
                    let program = program::assemble(kernel.name, &text).unwrap();
                    let config = style_config(WARPS, LANES);
                    let threads = config.grid_size();
                    let out = kernel.words * threads;
                    let found = on_hardware(&program, config, &(kernel.inputs)(), out, None).0;
                    let expected: Vec<u32> = (0..threads).flat_map(kernel.expected).collect();
                    assert_eq!(found, expected, "{}", kernel.name);
                }
            }
        }
    }

    #[test]
    fn both_modes_agree_on_the_hardware() {
        for kernel in &MODE_KERNELS {
            let program = program::assemble(kernel.name, kernel.source).unwrap();
            let outs = [Force::Regular, Force::SubVector].map(|mode| {
                let config = mode_config(kernel, mode);
                let out = config.grid_size();
                on_hardware(&program, config, &mode_inputs(), out, None).0
            });
            assert_eq!(outs[0], outs[1], "{}", kernel.name);
        }
    }

    /// `subv.auto` asks the Verilog of `weft_wavefront`, which hears of the accesses of the datapath's cache;
    /// all registers stand in a file of rows that it addresses.
    /// Its answers are the model's, and the outputs those of the forced modes.
    #[test]
    fn the_measured_mode_agrees_on_the_hardware() {
        for (n, kernel) in MODE_KERNELS.iter().enumerate() {
            let program = program::assemble(kernel.name, kernel.source).unwrap();
            let run = |mode| {
                let config = mode_config(kernel, mode);
                let (out, wavefront) = (config.grid_size(), Some(Kind::Verilog));
                let (out, cover) = on_hardware(&program, config, &mode_inputs(), out, wavefront);
                (out, cover.expect("a wavefront unit"))
            };
            let (found, cover) = run(Force::Measured);
            println!("{}: {cover}", kernel.name);
            let (asked, selected) = (cover.answers(), cover.subvector);
            assert!(cover.accesses > 10_000 && cover.mapped > 10_000 && cover.misused == 0);
            match n {
                // Sub-vector mode pays nearly always; never.
                0 | 2 => assert!(selected * 10 > asked * 8, "{}: {cover}", kernel.name),
                _ => assert!(selected == 0 && cover.decided(false) > 100, "{cover}"),
            }
            // Shared registers, in all segments.
            if kernel.shared_from < 32 {
                let (forced, cover) = run(Force::SubVector);
                assert_eq!(found, forced, "{}", kernel.name);
                assert_eq!(cover.answers(), cover.subvector);
            }
        }
    }

    #[test]
    fn styles_agree_and_the_measured_mode_is_near_the_better_one() {
        let report = MasksReport::measure().unwrap();
        // Three styles, two of them without skip branches too; spmv has none.
        assert_eq!(report.styles.len(), 7 * 5 - 2);
        for (kernel, loss) in report.losses() {
            assert!(loss < 0.05, "{kernel}: {loss}");
        }
        // Each mode wins somewhere.
        let cycles = |row: usize| report.modes[row].cycles;
        assert!(cycles(1) < cycles(0), "own_blocks");
        assert!(cycles(3) < cycles(4), "one_table");
        assert!(cycles(7) < cycles(6), "registers");
    }

    /// The macros of weft.h in C, compiled at -O2.
    #[test]
    fn c_kernels_can_be_written_in_every_style() {
        let program =
            program::assemble("styles.s", include_str!("../../../kernels/styles.s")).unwrap();
        let config = Config {
            warps: 4,
            threads: WIDTH,
            forced_yield: 0,
            ..Config::default()
        };
        let inputs = [
            ("a", three_numbers().swap_remove(0).1),
            ("b", three_numbers().swap_remove(1).1),
        ];
        let mut machine = Machine::new(&program, &config).unwrap();
        for (symbol, values) in inputs {
            let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
            let at = address(&program, symbol).unwrap();
            machine.memory_mut().write_bytes(at, &bytes).unwrap();
        }
        Timing::default().run(&mut machine).unwrap();
        let expected: Vec<u32> = (0..128).flat_map(KERNELS[0].expected).collect();
        for symbol in ["with_tokens", "with_exec", "predicated"] {
            let found = words(&program, machine.memory(), symbol, 128).unwrap();
            assert_eq!(found, expected, "{symbol}");
        }
    }

    #[test]
    fn skips_are_left_out_and_their_labels_kept() {
        let source = "a: mbz m1, b # skip\n mbz m2, b # skip\nb: nop\n";
        assert_eq!(without_skips(source), "a:\nb: nop\n");
    }
}
