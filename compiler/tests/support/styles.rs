//! The seven kernels of `kernels/masks/`, from C and by hand, with what they are given.

use super::judge::{Inputs, Subject};
use super::kernels::root;

/// Threads that the kernels have room for.
const ROOM: u32 = 512;

/// Name, and words per thread at `out`.
pub const KERNELS: [(&str, u32); 7] = [
    ("fn0", 1),
    ("nested", 1),
    ("loop_break", 1),
    ("short_circuit", 1),
    ("mandelbrot", 1),
    ("spmv", 1),
    ("bitonic", 16),
];

/// GCC's -O2 code of the C in `kernels/masks`.
pub fn from_c(name: &str) -> Subject {
    subject(name, &format!("{name}.s"))
}

/// The same in tokens (`token`), execution masks (`exec`) or predicated (`pred`).
pub fn by_hand(name: &str, style: &str) -> Subject {
    subject(name, &format!("{name}_{style}.asm"))
}

fn subject(name: &str, file: &str) -> Subject {
    let path = root().join("kernels/masks").join(file);
    let words = KERNELS.iter().find(|(own, _)| *own == name);
    let (_, words) = words.expect("one of the kernels");
    let source = std::fs::read_to_string(path).expect("a kernel");
    let mut inputs = inputs(name);
    inputs.retain(|(symbol, _)| {
        let mut lines = source.lines();
        lines.any(|line| line.starts_with(&format!("{symbol}:")))
    });
    Subject {
        name: file.into(),
        source,
        inputs,
        outputs: vec![("out".into(), 4 * words * 32)],
        waits: false,
    }
}

/// A number for a place of a stream, as `weft bench --only masks` has it.
fn random(n: u32, stream: u32) -> u32 {
    let mut x = n.wrapping_mul(0x9e37_79b9) ^ stream.wrapping_mul(0x85eb_ca6b);
    for _ in 0..3 {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    x
}

fn inputs(name: &str) -> Inputs {
    let bytes = |words: Vec<u32>| words.into_iter().flat_map(u32::to_le_bytes).collect();
    let length = |row: u32| match random(row, 4) % 8 {
        0 => 24,
        n => n,
    };
    let ends = (0..=ROOM).scan(0, |end, row| {
        let start = *end;
        *end += length(row);
        Some(start)
    });
    let rows: Vec<u32> = ends.collect();
    let entries = || 0..rows[ROOM as usize];
    let all: Vec<(&str, Vec<u32>)> = match name {
        "spmv" => vec![
            ("columns", entries().map(|n| random(n, 5) % ROOM).collect()),
            ("values", entries().map(|n| random(n, 6) % 100).collect()),
            ("x", (0..ROOM).map(|n| random(n, 7) % 100).collect()),
            ("rows", rows.clone()),
        ],
        "bitonic" => vec![("out", (0..16 * ROOM).map(|n| random(n, 9) % 1000).collect())],
        _ => [("a", 1), ("b", 2), ("c", 3)]
            .map(|(symbol, stream)| {
                let of = |t| random(t + 1, stream) % 256;
                (symbol, (0..ROOM).map(of).collect())
            })
            .to_vec(),
    };
    let named = all
        .into_iter()
        .map(|(name, words)| (name.to_string(), bytes(words)));
    named.collect()
}
