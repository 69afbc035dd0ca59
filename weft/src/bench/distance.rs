//! Cycles from an issue to the next one on the SM, by loops of one instruction.

use super::sm::{without_cache, Distance, Setting};
use crate::compute::options;
use crate::engines::run_sm;
use crate::program::assemble;
use anyhow::{ensure, Context, Result};
use weft_testbench::sm::lockstep::Blind;
use weft_testbench::sm::Shape;

/// Cycles of the memory.
pub const LATENCY: u32 = 20;

const SHAPE: Shape = Shape::TINY;

/// One instruction, as often as a loop is to have it.
struct Piece {
    what: &'static str,
    /// `@` in it is its number.
    text: &'static str,
    /// The numbers of them that are compared.
    repeats: [usize; 2],
    warps: usize,
    cache: bool,
    /// Of Vortex, as it was measured beside the kernels (`super::time::VORTEX`).
    vortex: &'static str,
}

impl Piece {
    const fn of(what: &'static str, text: &'static str, vortex: &'static str) -> Piece {
        Piece {
            what,
            text,
            repeats: [2, 10],
            warps: 1,
            cache: true,
            vortex,
        }
    }
}

/// s3 and s4 hold the address of the thread's own word in memory and in the scratchpad, and that is what these words hold.
const PIECES: &[Piece] = &[
    Piece::of("independent additions", "    addi x2@, a0, 1\n", "6"),
    Piece::of(
        "addition that uses the one before",
        "    addi t1, t1, 1\n",
        "8",
    ),
    Piece::of(
        "multiplication that uses the one before",
        "    mul t1, t1, a3\n",
        "10",
    ),
    Piece::of("branch, not taken", "    bne a0, a0, on@\non@:\n", "15"),
    Piece::of("branch, taken", "    beq a0, a0, on@\non@:\n", "15"),
    Piece::of("jump", "    j on@\non@:\n", "15"),
    Piece::of(
        "load that hits, used by the next one",
        "    lw s3, 0(s3)\n",
        "16",
    ),
    Piece {
        cache: false,
        ..Piece::of(
            "load from memory, used by the next one",
            "    lw s3, 0(s3)\n",
            "–",
        )
    },
    Piece::of(
        "load from the scratchpad, used by the next one",
        "    lw s4, 0(s4)\n",
        "–",
    ),
    Piece::of(
        "division of four threads, dividend of 31 bits",
        "    divu t1, a2, a3\n",
        "28 to 34",
    ),
    Piece::of(
        "division of four threads, dividend of 10 bits",
        "    divu t1, a4, a3\n",
        "28 to 34",
    ),
    Piece {
        warps: 4,
        ..Piece::of(
            "store of one of four warps into one line",
            "    sw a0, 0(s3)\n",
            "1.5",
        )
    },
    Piece::of(
        "global atomic of four threads on one word",
        "    amoadd.w zero, a0, (s1)\n",
        "–",
    ),
];

const TURNS: u32 = 100;

/// A loop whose body is `repeat` times the piece.
fn text(piece: &Piece, repeat: usize) -> String {
    let mut text = format!(
        "    .globl _start
_start:
    li s0, {TURNS}
    la s1, place
    slli t0, a0, 2
    add s3, s1, t0
    sw s3, 0(s3)
    li s4, 0xD0000000
    add s4, s4, t0
    sw s4, 0(s4)
    li a2, 0x7FFFFFFF
    li a3, 7
    li a4, 1000
    j loop
    .align 6
loop:
    addi s0, s0, -1
"
    );
    for n in 0..repeat {
        text += &piece.text.replace('@', &n.to_string());
    }
    text + "    bnez s0, loop\n    ecall\n    .bss\n    .align 6\nplace:\n    .zero 64\n"
}

/// What every further piece adds to the turn of a loop. Needs Verilator.
pub fn measure() -> Result<Vec<Distance>> {
    let setting = Setting::new(SHAPE, LATENCY);
    println!(
        "{}, memory latency {LATENCY}: cycles from an issue to the next one",
        setting.shape()
    );
    let mut all = Vec::new();
    for piece in PIECES {
        let shape = if piece.cache {
            SHAPE
        } else {
            without_cache(SHAPE)
        };
        let o = options(shape, 1, (piece.warps * SHAPE.threads) as u32, LATENCY);
        let mut cycles = [0.0; 2];
        for (cycles, repeat) in cycles.iter_mut().zip(piece.repeats) {
            let program = assemble(piece.what, &text(piece, repeat))?;
            let report = run_sm(&program, &o, &mut Blind).with_context(|| piece.what)?;
            ensure!(report.fault.is_none(), "{}: a fault", piece.what);
            *cycles = report.cycles as f64;
        }
        let more = TURNS as usize * piece.warps * (piece.repeats[1] - piece.repeats[0]);
        let distance = Distance {
            what: piece.what.into(),
            cycles: (cycles[1] - cycles[0]) / more as f64,
        };
        println!("  {:<50}{:>6.1}", distance.what, distance.cycles);
        all.push(distance);
    }
    Ok(all)
}

/// The same of Vortex, 4 warps × 4 threads, memory of the same latency.
pub fn of_vortex(what: &str) -> &'static str {
    let piece = PIECES.iter().find(|piece| piece.what == what);
    piece.map_or("–", |piece| piece.vortex)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_assemble() {
        for piece in PIECES {
            for repeat in piece.repeats {
                assemble(piece.what, &text(piece, repeat)).unwrap();
            }
        }
    }
}
