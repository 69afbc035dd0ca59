//! `weft synth --board ulx3s --sm`: a `weft_sm` on a board, with memory of block RAM, a kernel in it, and the result
//! that the golden machine comes to.
//!
//! Spec: `docs/spec/board.md`, BOARD-050 to BOARD-055. The hardware around the SM is `hdl/board/sm_board.v`.

use crate::program;
use anyhow::{ensure, Context, Result};
use std::fmt::Write as _;
use weft_generate::Verilog;
use weft_isa::Program;
use weft_sim::{Config, Launch};
use weft_synth::Board;
use weft_testbench::sm::{grid, verilated, Shape, SmOptions};

/// What stands around the SM.
const AROUND: &str = include_str!("../../../hdl/board/sm_board.v");
/// Where the contents of the memory are put into it.
const IMAGE: &str = "  // @IMAGE@\n";
/// BOARD-050: the kernel; the source before it gives its result a double word of its own.
const SOURCES: [(&str, &str); 2] = [
    ("aligned", ".bss\n.align 3\n"),
    (
        "collatz_tokens.s",
        include_str!("../../../kernels/collatz_tokens.s"),
    ),
];
/// Its result, a word per thread.
const RESULT: &str = "steps";
/// End of global memory.
const MEMORY: u32 = 0x8000;
const CTAS: u32 = 2;
/// Large modules that are mapped apart from each other.
pub const BLOCKS: [&str; 4] = [
    "weft_sm_compute_core",
    "weft_sm_compute_datapath",
    "weft_sm_compute_memory_side",
    "weft_sm_launcher",
];
const MHZ: u32 = 1_000_000;
/// About what the PLL's oscillator is to have, in MHz.
const OSCILLATOR: u32 = 600;
/// Bits per second.
const BAUD: u32 = 115_200;

/// The SM, its program, and how it is launched.
struct Test {
    program: Program,
    options: SmOptions,
    result: u32,
    words: u32,
    golden: u32,
}

/// BOARD-053: what a result comes to.
pub fn total(words: impl IntoIterator<Item = u32>) -> u32 {
    let add = |total: u32, word| total.rotate_left(1).wrapping_add(word);
    words.into_iter().fold(0, add)
}

fn test(shape: Shape) -> Result<Test> {
    let program = program::assemble_all(&SOURCES)?;
    let result = program.symbols.get(RESULT).copied();
    let result = result.context("the kernel has no result")?;
    let all = (shape.warps * shape.threads) as u32;
    let options = SmOptions {
        shape,
        launch: Launch {
            grid: [CTAS, 1, 1],
            // The last warp is partial.
            cta: [all - 1, 1, 1],
            arguments: 0,
            scratchpad: 0,
            local: 64,
        },
        machine: Config {
            memory: MEMORY,
            tokens: shape.threads + 10,
            ..Config::default()
        },
        ..SmOptions::default()
    };
    let words = CTAS * (all - 1);
    ensure!(
        result % 8 == 0 && words % 2 == 0,
        "{RESULT} at {result:#x}, {words} words: not whole double words"
    );
    let ran = grid::golden(&program, &options, &mut |_| ())?;
    ensure!(ran.faults.is_empty(), "the kernel faults on the model");
    let bytes = ran.memory.slice(result..result + 4 * words);
    let bytes = bytes.context("the result is not in memory")?;
    let word = |b: &[u8]| u32::from_le_bytes([b[0], b[1], b[2], b[3]]);
    let golden = total(bytes.chunks_exact(4).map(word));
    Ok(Test {
        program,
        options,
        result,
        words,
        golden,
    })
}

/// Name of the top module.
pub fn top(board: Board) -> String {
    format!("weft_{board}_sm")
}

/// BOARD-055: the frequencies in MHz that the PLL makes of the board's 25 MHz are multiples of STEP.
const STEP: u32 = 5;
const SLOWEST: u32 = 10;
const FASTEST: u32 = 200;

/// BOARD-055: a PLL between the board's clock and the SM's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pll {
    divide: u32,
    multiply: u32,
    output: u32,
}

impl Pll {
    /// For so many MHz.
    ///
    /// # Errors
    /// When it does not make them.
    fn new(board: Board, mhz: u32) -> Result<Self> {
        ensure!(
            (SLOWEST..=FASTEST).contains(&mhz) && mhz % STEP == 0,
            "--clock {mhz}: the PLL of {board} makes multiples of {STEP} MHz, from {SLOWEST} to {FASTEST}"
        );
        Ok(Self {
            divide: board.clock_hz() / (STEP * MHZ),
            multiply: mhz / STEP,
            // The oscillator goes at 400 to 800 MHz.
            output: (OSCILLATOR + mhz / 2) / mhz,
        })
    }
}

/// The top and all below it; the SM's clock is the board's, or what a PLL makes of it in MHz.
pub fn text(board: Board, shape: Shape, mhz: Option<u32>) -> Result<String> {
    let pll = mhz.map(|mhz| Pll::new(board, mhz)).transpose()?;
    let hertz = mhz.map_or(board.clock_hz(), |mhz| mhz * MHZ);
    let test = test(shape)?;
    let sm = weft_generate::verilog(&verilated::design(shape)?)?;
    let around = AROUND.replacen(IMAGE, &image(&test.program), 1);
    Ok(sm.bundle() + "\n" + &wrapper(board, &sm, &test, (pll, hertz)) + "\n" + &around)
}

/// The program in memory; what has no contents is 0.
fn image(program: &Program) -> String {
    let mut text = String::from("  initial begin\n");
    for segment in &program.segments {
        let (first, skip) = (segment.address / 8, segment.address as usize % 8);
        let bytes = [vec![0; skip], segment.bytes.clone()].concat();
        for (n, eight) in bytes.chunks(8).enumerate() {
            let number = eight.iter().rev().fold(0u64, |n, &b| n << 8 | u64::from(b));
            let at = first + n as u32;
            writeln!(text, "    words[{at}] = 64'h{number:016x};").expect("a string");
        }
    }
    text + "  end\n"
}

/// The top: SM and what is around it, port by port; a PLL if there is one, and the frequency of the SM's clock.
fn wrapper(board: Board, sm: &Verilog, test: &Test, (pll, hertz): (Option<Pll>, u32)) -> String {
    let options = &test.options;
    let (launch, shape) = (&options.launch, options.shape);
    let of = |port: &str| sm.ports.iter().find(|p| p.name == port);
    let id = of("axi_awid").map_or(1, |p| p.width);
    let policy = options.machine.policy();
    let yields = u32::from(policy.forced_yield) | u32::from(policy.yield_every) << 16;
    let parameters = [
        ("A", (options.physical() / 8).next_power_of_two().ilog2()),
        ("ID", id as u32),
        ("DIVIDER", hertz / BAUD),
        ("ENTRY", test.program.entry),
        ("GRID", launch.grid[0]),
        ("CTA", launch.cta[0]),
        ("LOCAL", launch.local),
        ("LOCAL_BASE", options.local_base()),
        ("TOKEN_BASE", options.token_base() / shape.token()),
        ("TOKENS", options.machine.tokens as u32),
        ("MEMORY", options.machine.memory),
        ("YIELD", yields),
        ("PATH", policy.path.code().into()),
        ("RESULT", test.result),
        ("WORDS", test.words),
        ("GOLDEN", test.golden),
    ];
    let parameters = parameters.map(|(name, value)| format!(".{name}(32'd{value})"));
    // Bursts are always INCR, of full beats (SM-030).
    let both = |name: &str| {
        (name.starts_with("axi_") || name.starts_with("host_"))
            && !name.ends_with("size")
            && !name.ends_with("burst")
    };
    let (mut wires, mut pins) = (String::new(), String::new());
    for port in sm.ports.iter().filter(|p| both(&p.name)) {
        let (name, top) = (&port.name, port.width - 1);
        writeln!(wires, "  wire [{top}:0] {name};").expect("a string");
        write!(pins, ",\n    .{name}({name})").expect("a string");
    }
    let clock = match pll {
        None => "  wire fast = clock;\n  wire locked = 1;\n".to_string(),
        Some(Pll {
            divide,
            multiply,
            output,
        }) => format!(
            "  wire fast, locked;\n  weft_sm_clock #(.DIVIDE({divide}), .MULTIPLY({multiply}), .OUTPUT({output})) faster \
             (.clock(clock), .fast(fast), .locked(locked));\n"
        ),
    };
    let top = top(board);
    let parameters = parameters.join(", ");
    format!(
        "module {top} (input wire clock, input wire button, output wire led_pass, output wire led_fail,\n  \
         output wire led_beat, output wire uart_tx);\n{clock}  wire sm_reset;\n{wires}  \
         weft_sm sm (\n    .clock(fast), .reset(sm_reset){pins}\n  );\n  \
         weft_sm_board #({parameters}) around (\n    .clock(fast), .locked(locked), .button(button),\n    \
         .led_pass(led_pass), .led_fail(led_fail), .led_beat(led_beat), .uart_tx(uart_tx), .sm_reset(sm_reset){pins}\n  );\nendmodule\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// BOARD-050, BOARD-053: the result of the model is that of the same count here, on every size.
    #[test]
    fn the_total_is_that_of_the_steps() {
        for shape in [Shape::TINY, Shape::COMPACT, Shape::SMALL, Shape::DEFAULT] {
            let steps = |thread: u32| {
                let (mut value, mut count) = (u64::from(thread) + 1, 0);
                while value != 1 {
                    value = if value % 2 == 1 {
                        3 * value + 1
                    } else {
                        value / 2
                    };
                    count += 1;
                }
                count
            };
            let test = test(shape).unwrap();
            assert_eq!(test.golden, total((0..test.words).map(steps)), "{shape}");
        }
    }

    /// BOARD-055: what the data sheet of the ECP5 allows, and the frequency that was asked for.
    #[test]
    fn the_pll_makes_what_was_asked_for() {
        let board = Board::Ulx3s;
        for mhz in (SLOWEST..=FASTEST).step_by(STEP as usize) {
            let Pll {
                divide,
                multiply,
                output,
            } = Pll::new(board, mhz).unwrap();
            assert_eq!(25 * multiply, mhz * divide, "{mhz}");
            assert!((400..=800).contains(&(mhz * output)), "{mhz}: {output}");
            assert!([divide, multiply, output]
                .iter()
                .all(|n| (1..=128).contains(n)));
            // The phase detector's frequency.
            assert!(25_000 / divide >= 3_125, "{mhz}");
        }
        for mhz in [0, 5, 12, 51, 205, u32::MAX] {
            let error = Pll::new(board, mhz).unwrap_err().to_string();
            assert!(
                error.contains("multiples of 5 MHz, from 10 to 200"),
                "{error}"
            );
        }
    }

    #[test]
    fn the_image_is_the_program() {
        let text = image(&test(Shape::TINY).unwrap().program);
        assert!(
            AROUND.contains(IMAGE) && text.contains("words[512] = 64'h"),
            "{text}"
        );
    }
}
