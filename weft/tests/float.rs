//! Kernels in float, `kernels/float/`, on the golden machine and on the SM in lockstep: what they compute, beside
//! double precision; and their cycles on every number of float lanes, beside the compiler's library.
//!
//! `WEFT_FLOAT=all` measures the first table of docs/spec/float.md (`cargo xtask long float-kernels`), `WEFT_FLOAT=vortex` what
//! stands beside Vortex there (`cargo xtask long float-vortex`).

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use weft_toolbox::Toolbox;

/// An input by symbol.
type Input = (&'static str, Vec<f32>);

struct Kernel {
    name: &'static str,
    inputs: Vec<Input>,
    /// For the compiler.
    flags: Vec<String>,
    /// In double precision.
    want: Vec<f64>,
    /// Largest difference, relative to the largest result.
    within: f64,
}

/// Numbers between -2 and 2, all of them exact in a few bits.
fn noise(count: usize, seed: u32) -> Vec<f32> {
    let mut state = seed;
    let next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((state >> 20) as f32 - 2048.0) / 1024.0
    };
    std::iter::repeat_with(next).take(count).collect()
}

fn saxpy() -> Kernel {
    let (x, y) = (noise(253, 1), noise(253, 2));
    let pairs = x.iter().zip(&y);
    Kernel {
        name: "saxpy",
        want: pairs
            .map(|(&x, &y)| 0.25 * f64::from(x) + f64::from(y))
            .collect(),
        inputs: vec![("x", x), ("y", y)],
        flags: Vec::new(),
        within: 1e-7,
    }
}

fn sgemm(edge: usize) -> Kernel {
    let (a, b) = (noise(edge * edge, 3), noise(edge * edge, 4));
    let product = |i: usize| {
        let of = |k: usize| f64::from(a[i / edge * edge + k]) * f64::from(b[k * edge + i % edge]);
        (0..edge).map(of).sum()
    };
    Kernel {
        name: "sgemm",
        want: (0..edge * edge).map(product).collect(),
        inputs: vec![("a", a), ("b", b)],
        flags: vec![format!("--cflag=-DEDGE={edge}")],
        within: 1e-6,
    }
}

fn stencil() -> Kernel {
    const WIDTH: usize = 19;
    const HEIGHT: usize = 13;
    let x = noise(WIDTH * HEIGHT, 5);
    let point = |i: usize| {
        let (row, column) = (i / WIDTH, i % WIDTH);
        let at =
            |down: usize, right: usize| f64::from(x[(row + down - 1) * WIDTH + column + right - 1]);
        if row == 0 || row == HEIGHT - 1 || column == 0 || column == WIDTH - 1 {
            return f64::from(x[i]);
        }
        0.25 * at(1, 1)
            + 0.125 * (at(1, 0) + at(1, 2) + at(0, 1) + at(2, 1))
            + 0.0625 * (at(0, 0) + at(0, 2) + at(2, 0) + at(2, 2))
    };
    Kernel {
        name: "stencil",
        want: (0..WIDTH * HEIGHT).map(point).collect(),
        inputs: vec![("x", x)],
        flags: Vec::new(),
        within: 1e-6,
    }
}

fn nbody() -> Kernel {
    let x = noise(4 * 29, 6);
    let bodies: Vec<[f64; 4]> = x
        .chunks_exact(4)
        .map(|b| [0, 1, 2, 3].map(|n| f64::from(b[n])))
        .collect();
    let mut want = Vec::new();
    for own in &bodies {
        let mut force = [0.0; 4];
        for other in &bodies {
            let d = [0, 1, 2].map(|n| other[n] - own[n]);
            let square = d.iter().map(|d| d * d).sum::<f64>() + f64::from(0.01f32);
            let factor = other[3] / (square * square.sqrt());
            (0..3).for_each(|n| force[n] += factor * d[n]);
        }
        want.extend(force);
    }
    Kernel {
        name: "nbody",
        want,
        inputs: vec![("x", x)],
        flags: Vec::new(),
        within: 1e-5,
    }
}

fn black_scholes() -> Kernel {
    let pairs = noise(2 * 61, 7);
    let x: Vec<f32> = pairs.iter().map(|n| 40.0 + 8.0 * n).collect();
    let (rate, volatility, years) = (0.02, 0.3, 0.5f64);
    let below = |d: f64| {
        let k = 1.0 / (1.0 + 0.2316419 * d.abs());
        let factors = [
            1.330274429,
            -1.821255978,
            1.781477937,
            -0.356563782,
            0.31938153,
        ];
        let sum = factors.iter().fold(0.0, |sum, factor| k * (factor + sum));
        let tail = 0.3989422804 * (-0.5 * d * d).exp() * sum;
        if d > 0.0 {
            1.0 - tail
        } else {
            tail
        }
    };
    let price = |option: &[f32]| {
        let (price, strike) = (f64::from(option[0]), f64::from(option[1]));
        let root = volatility * years.sqrt();
        let d1 = ((price / strike).ln() + (rate + 0.5 * volatility * volatility) * years) / root;
        price * below(d1) - strike * (-rate * years).exp() * below(d1 - root)
    };
    Kernel {
        name: "black_scholes",
        want: x.chunks_exact(2).map(price).collect(),
        inputs: vec![("x", x)],
        flags: Vec::new(),
        within: 1e-5,
    }
}

fn mandelbrot() -> Kernel {
    // All coordinates are exact in single precision; the orbits are computed in it, rounded as the kernel says.
    let turns = |i: u32| {
        let (cr, ci) = (
            (i % 16) as f32 * 0.1875 - 2.0,
            (i / 16) as f32 * 0.15625 - 1.25,
        );
        let (mut r, mut s, mut turns) = (0.0f64, 0.0f64, 0);
        while turns < 60 && r * r + s * s <= 4.0 {
            (r, s) = (r * r - s * s + f64::from(cr), 2.0 * r * s + f64::from(ci));
            turns += 1;
        }
        f64::from(turns)
    };
    Kernel {
        name: "mandelbrot",
        want: (0..256).map(turns).collect(),
        inputs: Vec::new(),
        flags: Vec::new(),
        within: 0.0,
    }
}

fn kernels() -> [Kernel; 6] {
    [
        saxpy(),
        sgemm(15),
        stencil(),
        nbody(),
        black_scholes(),
        mandelbrot(),
    ]
}

/// What a run came to.
struct Came {
    y: Vec<f32>,
    report: Value,
}

/// `weft run` of a kernel, with what says where.
fn run(kernel: &Kernel, how: &[&str]) -> Came {
    let folder = tempfile::tempdir().unwrap();
    let source =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../kernels/float/{}.c", kernel.name));
    let json = folder.path().join("report.json");
    let mut command = Command::new(env!("CARGO_BIN_EXE_weft"));
    command.arg("run").arg(&source).args(how);
    command.args(&kernel.flags);
    for (symbol, values) in &kernel.inputs {
        let file: PathBuf = folder.path().join(symbol);
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        std::fs::write(&file, bytes).unwrap();
        command
            .arg("--load")
            .arg(format!("{symbol}={}", file.display()));
    }
    command
        .arg("--dump")
        .arg(format!("y:{}:hex", kernel.want.len()));
    command.arg("--json").arg(&json);
    let output = command.output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{} {how:?}: {error}", kernel.name);
    let report: Value = serde_json::from_str(&std::fs::read_to_string(json).unwrap()).unwrap();
    let words = report["dump"][0]["words"].as_array().expect("words");
    let word = |v: &Value| f32::from_bits(v.as_u64().expect("a word") as u32);
    let y = words.iter().map(word).collect();
    Came { y, report }
}

fn check(kernel: &Kernel, how: &[&str]) -> Came {
    let came = run(kernel, how);
    let largest = kernel
        .want
        .iter()
        .fold(0.0f64, |most, want| most.max(want.abs()));
    for (i, (&got, want)) in came.y.iter().zip(&kernel.want).enumerate() {
        let off = (f64::from(got) - want).abs() / largest;
        assert!(
            off <= kernel.within,
            "{} {how:?}: y[{i}] is {got} and not {want}",
            kernel.name
        );
    }
    came
}

/// A compiler that makes float words: Zig, or a new GCC or Clang.
fn there_is_a_compiler() -> bool {
    let toolbox = Toolbox::here();
    let found = weft_cc::Compiler::choose(&toolbox, None, weft_cc::Float::Hard, &mut |_| ());
    if let Err(why) = &found {
        println!("SKIPPED: {why}; `cargo xtask setup` installs Zig");
    }
    found.is_ok()
}

#[test]
fn kernels_in_float_compute_what_they_say() {
    if !there_is_a_compiler() {
        return;
    }
    for kernel in kernels() {
        let size = ["--warps", "4", "--threads", "8", "--float", "hard"];
        let golden = check(&kernel, &size);
        let on_sm = ["--engine", "sm", "--lanes", "4", "--cta", "27"];
        let sm = check(&kernel, &[&size[..], &on_sm].concat());
        let bits = |y: &[f32]| y.iter().map(|y| y.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&golden.y), bits(&sm.y), "{}", kernel.name);
    }
}

/// The product of two matrices with an edge of 128, of which Vortex publishes cycles: with 16 KiB of data cache as its
/// core has, memory of 20 cycles.
#[test]
fn cycles_of_a_product_beside_vortex() {
    let asked = std::env::var("WEFT_FLOAT").is_ok_and(|what| what == "vortex");
    if !asked || !there_is_a_compiler() {
        return;
    }
    let kernel = sgemm(128);
    for (warps, threads) in [("4", "16"), ("8", "32")] {
        for lanes in ["2", "4"] {
            let size = [
                "--engine",
                "sm",
                "--bare",
                "--warps",
                warps,
                "--threads",
                "4",
            ];
            let cta = ["--lanes", "4", "--cta", threads, "--compiler", "zig"];
            let float = ["--float", "hard", "--float-lanes", lanes, "--cache", "16"];
            let limit = ["--memory-latency", "20", "--limit", "100000000"];
            let came = check(&kernel, &[&size[..], &cta, &float, &limit].concat());
            let cycles = came.report["sm"]["cycles"].as_u64().expect("cycles");
            println!("{warps} warps x 4, FLOAT = {lanes}: {cycles} cycles");
        }
    }
}

/// Cycles at 8 × 4 on 4 lanes, one CTA of all threads, memory of 20 cycles.
#[test]
fn cycles_by_float_lanes() {
    let all = std::env::var("WEFT_FLOAT").is_ok_and(|what| what == "all");
    if !all || !there_is_a_compiler() {
        return;
    }
    println!("| kernel | soft | FLOAT = 1 | 2 | 4 | soft / 2 | 2 / 4 |");
    for kernel in kernels() {
        let base = ["--engine", "sm", "--bare", "--warps", "8", "--threads", "4"];
        let cta = ["--lanes", "4", "--cta", "32", "--compiler", "zig"];
        let cycles = |float: &[&str]| {
            let how = [&base[..], &cta, float].concat();
            let came = check(&kernel, &how);
            came.report["sm"]["cycles"].as_u64().expect("cycles")
        };
        let soft = cycles(&["--float", "soft"]);
        let [one, two, four] =
            ["1", "2", "4"].map(|lanes| cycles(&["--float", "hard", "--float-lanes", lanes]));
        println!(
            "| {} | {soft} | {one} | {two} | {four} | {:.1} | {:.2} |",
            kernel.name,
            soft as f64 / two as f64,
            two as f64 / four as f64
        );
        assert!(soft > 2 * two, "{}", kernel.name);
    }
}
