//! Random programs of passes, by seed and number.

use super::bench::{passes, Bench, Pace};
use super::code::{self, ALL, MODES};
use super::cover::Cover;
use super::device::Shape;
use super::operands::{aimed, alone, edges};
use super::Pass;
use crate::case::case_seed;
use crate::seed::{stream, Rng};
use rand::seq::SliceRandom as _;
use rand::Rng as _;

/// In turn: a row in one, two and four turns.
pub const SHAPES: [Shape; 3] = [
    Shape {
        lanes: 8,
        float: 8,
        parts: 1,
    },
    Shape {
        lanes: 4,
        float: 2,
        parts: 2,
    },
    Shape {
        lanes: 4,
        float: 1,
        parts: 4,
    },
];

const SIGN: u32 = 1 << 31;

/// Passes of each of the first runs of a program, which are of any code.
const MIXED: usize = 200;
/// Rows of each run of one code.
const ROWS: usize = 12;

/// The program of this number, beside the golden model's arithmetic.
///
/// # Errors
/// What is different, and when; or the design cannot be made.
pub fn cosim(seed: u64, index: u64, cover: &mut Cover) -> Result<(), String> {
    let shape = SHAPES[index as usize % SHAPES.len()];
    run(shape, None, case_seed(seed, index), cover).map_err(|e| format!("{shape:?}, {e}"))
}

/// A program on this size: passes of any code at several paces, then each code by itself.
///
/// # Errors
/// As [`cosim`].
pub fn run(shape: Shape, fault: Option<&str>, seed: u64, cover: &mut Cover) -> Result<(), String> {
    let mut bench = Bench::new(shape, fault, seed).map_err(|e| e.to_string())?;
    let mut rng = stream(seed, "float program");
    let done = programs(&mut bench, shape, &mut rng, cover);
    cover.add(&bench.count);
    done
}

fn programs(
    bench: &mut Bench,
    shape: Shape,
    rng: &mut Rng,
    cover: &mut Cover,
) -> Result<(), String> {
    for _ in 0..4 {
        let pace = pace(rng);
        let passes = mixed(shape, MIXED, rng.gen());
        bench.run(passes.inspect(|pass| cover.see(pass)), pace)?;
    }
    let edges = edges();
    for code in 0..ALL {
        let mode = match code::rounds(code) {
            true => MODES[rng.gen_range(0..MODES.len())],
            false => 0,
        };
        let all = (0..ROWS * shape.lanes).map(|_| triple(rng, code, &edges));
        let all: Vec<_> = all.collect();
        let passes = passes(shape, code, mode, all);
        bench.run(passes.inspect(|pass| cover.see(pass)), Pace::FULL)?;
    }
    Ok(())
}

/// Operands near what is hard for this code.
pub fn triple(rng: &mut Rng, code: u8, edges: &[u32]) -> [u32; 3] {
    let operands = code::operands(code);
    if operands == 1 {
        return [alone(rng), 0, 0];
    }
    let [a, b, c] = aimed(rng, edges);
    let first = if rng.gen() { a } else { b };
    match (operands, rng.gen_range(0..16)) {
        (2, 0) => [0, 0, 0].map(|zero| zero | rng.gen::<u32>() & SIGN),
        (2, 1) => [a, a ^ rng.gen::<u32>() & SIGN, 0],
        (2, 2) => [*edges.choose(rng).expect("some"), b, 0],
        // A sum of two is near what its addend is aimed at.
        (2, _) if code < code::PRODUCT => [first, c, 0],
        _ => [a, b, c],
    }
}

/// Both sides eager or slow, with pauses and resets or without.
fn pace(rng: &mut Rng) -> Pace {
    Pace {
        sends: rng.gen_range(2..=8),
        takes: rng.gen_range(1..=8),
        refuses: [0, 0, 30, 100][rng.gen_range(0..4)],
        resets: [0, 0, 150][rng.gen_range(0..3)],
    }
}

/// Passes of any code, one after the other: masks with holes, destinations or none, instructions of any number of parts.
pub fn mixed(shape: Shape, count: usize, seed: u64) -> impl Iterator<Item = Pass> {
    let mut rng = stream(seed, "float passes");
    let edges = edges();
    (0..count).map(move |_| {
        let code = match rng.gen_range(0..8) {
            0..=2 => rng.gen_range(0..4),
            _ => rng.gen_range(0..ALL),
        };
        let triples: Vec<_> = (0..shape.lanes).map(|_| aimed(&mut rng, &edges)).collect();
        let rd = match rng.gen_range(0..4) {
            // x0 and none: bit 5 is not set, whatever stands beside it.
            0 => rng.gen_range(0..32),
            _ => 32 | rng.gen_range(1..32),
        };
        Pass {
            code,
            rounding: MODES[rng.gen_range(0..MODES.len())],
            warp: rng.gen_range(0..4),
            part: rng.gen_range(0..shape.parts.max(2) as u64),
            rd,
            last: rng.gen(),
            mask: rng.gen_range(1..1 << shape.lanes),
            rows: [0, 1, 2].map(|n| triples.iter().map(|triple| triple[n]).collect()),
        }
    })
}
