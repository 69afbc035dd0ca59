//! The seven kernels of `kernels/masks/` from C, lowered in three styles, beside those written by hand.

use crate::run::{run, Run};
use crate::support::compilers::compilers;
use crate::support::judge::Subject;
use crate::support::kernels::root;
use weft_compiler::{compile, Options};

/// Threads that the kernels have room for.
const ROOM: u32 = 512;

/// Name, words per thread at `out`, and what a thread does with `t`, as C.
const KERNELS: [(&str, u32, &str); 7] = [
    (
        "fn0",
        1,
        "out[t] = a[t] > b[t] ? a[t] * a[t] - b[t] : b[t] * b[t] - a[t];",
    ),
    (
        "nested",
        1,
        "int x = a[t], y = b[t], r;
    if (x > y) { if (x & 1) r = 3 * x; else r = x + y; }
    else { if (y & 1) r = 5 * y; else r = y - x; }
    out[t] = r;",
    ),
    (
        "loop_break",
        1,
        "int sum = 0, y = b[t];
    for (int n = a[t] & 31; n != 0; n--) { sum += y; y = 5 * y + 3; if ((sum & 15) == 0) break; }
    out[t] = sum;",
    ),
    (
        "short_circuit",
        1,
        "int x = a[t], y = b[t], z = c[t];
    if ((x > 64 && y > 64) || z > 200) out[t] = (x + y) * z; else out[t] = x - z;",
    ),
    (
        "mandelbrot",
        1,
        "int cx = (a[t] - 128) << 4, cy = (b[t] - 128) << 4, x = 0, y = 0, n = 0;
    while (n < 24) {
        int xx = x * x >> 10, yy = y * y >> 10;
        if (xx + yy >= 4096) break;
        y = (x * y >> 9) + cy; x = xx - yy + cx; n++;
    }
    out[t] = n;",
    ),
    (
        "spmv",
        1,
        "unsigned sum = 0;
    for (unsigned n = rows[t]; n < rows[t + 1]; n++) sum += values[n] * x[columns[n]];
    out[t] = sum;",
    ),
    (
        "bitonic",
        16,
        "int *own = out + 16 * t;
    for (int k = 2; k <= 16; k *= 2)
        for (int j = k / 2; j > 0; j /= 2)
            for (int i = 0; i < 16; i++) {
                int l = i ^ j;
                if (l <= i) continue;
                int p = own[i], q = own[l];
                if ((q < p) != ((i & k) != 0)) { own[i] = q; own[l] = p; }
            }",
    ),
];

/// A kernel in all styles: written by hand, and by the compiler.
pub struct Style {
    pub name: &'static str,
    pub by_hand: Vec<(&'static str, Run)>,
    pub from_c: Vec<(&'static str, Run)>,
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

fn inputs(name: &str) -> Vec<(String, Vec<u8>)> {
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

fn declarations(name: &str) -> &'static str {
    match name {
        "spmv" => "unsigned rows[513], columns[4096], values[4096], x[512], out[512];",
        "bitonic" => "int out[8192];",
        _ => "int a[1024], b[1024], c[1024], out[1024];",
    }
}

pub fn measure() -> Result<Vec<Style>, String> {
    let Some(compiler) = compilers().into_iter().next() else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    for (name, words, body) in KERNELS {
        let subject = |source: String| Subject {
            name: format!("{name}.s"),
            source,
            inputs: inputs(name),
            outputs: vec![("out".into(), 4 * words * 32)],
            waits: false,
        };
        let mut by_hand = Vec::new();
        for style in ["token", "exec", "pred"] {
            let path = root().join(format!("kernels/masks/{name}_{style}.asm"));
            let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
            by_hand.push((style, run(&subject(text.clone()), &text, 1)?));
        }
        let c = format!(
            "{}\nvoid kernel(unsigned t, unsigned threads) {{\n    {body}\n}}\n",
            declarations(name)
        );
        let plain = subject(compiler.compile(&c, "-O2", &std::env::temp_dir())?);
        let mut from_c = Vec::new();
        for (way, lower) in crate::kernels::WAYS {
            let options = Options {
                lower,
                whole: true,
                ..Options::default()
            };
            let output = compile(&plain.source, &plain.name, &options);
            let assembly = output.map_err(|e| e.to_string())?.assembly;
            from_c.push((way, run(&plain, &assembly, 1)?));
        }
        for (way, run) in by_hand.iter().chain(&from_c) {
            if run.outputs != by_hand[0].1.outputs {
                return Err(format!("{name}, {way}: not what the others compute"));
            }
        }
        found.push(Style {
            name,
            by_hand,
            from_c,
        });
    }
    Ok(found)
}
