//! Kernels in each lowering: warp instructions and SIMD efficiency; and how long a compilation takes.
//!
//! ```sh
//! cargo run --release -p weft-compiler --example measure
//! ```

#[path = "../tests/support/mod.rs"]
mod support;

use std::time::Instant;
use support::judge::{together, Subject};
use support::kernels::race_free;
use weft_compiler::{compile, Lower, Options};
use weft_sim::timing::Timing;
use weft_sim::{Config, Machine};

fn main() {
    println!("warp instructions and SIMD efficiency, cycles of a lone warp of 32 threads (3 per instruction, 13 after a jump)");
    print!("{:20}", "kernel");
    Lower::ALL
        .into_iter()
        .rev()
        .for_each(|lower| print!("{:>30}", lower.to_string()));
    println!();
    for subject in race_free() {
        print!("{:20}", subject.name);
        for lower in Lower::ALL.into_iter().rev() {
            print!("{:>30}", row(&subject, lower));
        }
        println!();
    }
    compile_time();
}

fn row(subject: &Subject, lower: Lower) -> String {
    let config = Config {
        warps: 1,
        threads: 32,
        memory: 1 << 22,
        ..Config::default()
    };
    let options = Options {
        lower,
        ..Options::default()
    };
    let text = compile(&subject.source, &subject.name, &options)
        .expect("a kernel")
        .assembly;
    let run = match together(subject, &text, &config, 100_000_000) {
        Ok((run, _)) => run,
        Err(error) => return error.chars().take(25).collect(),
    };
    let program = support::judge::assemble(&subject.name, &text).expect("a kernel");
    let mut machine = Machine::new(&program, &config).expect("a machine");
    for (symbol, bytes) in &subject.inputs {
        machine
            .memory_mut()
            .write_bytes(program.symbols[symbol], bytes)
            .expect("room");
    }
    let cycles = Timing::default().run(&mut machine).expect("no fault");
    format!(
        "{} {:.2} {cycles}",
        run.stats.total.warp_instructions, run.stats.simd_efficiency
    )
}

/// The committed samples together, as often as it takes for 1,000 lines; and each alone.
fn compile_time() {
    let folder = support::kernels::root().join("compiler/tests/data");
    let mut worst: f64 = 0.0;
    for entry in std::fs::read_dir(folder).expect("samples").flatten() {
        let text = std::fs::read_to_string(entry.path()).expect("text");
        let lines = text.lines().count();
        for lower in Lower::ALL {
            let start = Instant::now();
            compile(
                &text,
                "sample.s",
                &Options {
                    lower,
                    ..Options::default()
                },
            )
            .expect("a sample");
            let time = start.elapsed().as_secs_f64();
            println!(
                "{:30} {lines:5} lines, --lower {lower:9} {:6.1} ms, {:6.1} ms for 1,000 lines",
                entry.file_name().to_string_lossy(),
                1e3 * time,
                1e6 * time / lines as f64
            );
            worst = worst.max(time / lines as f64);
        }
    }
    println!("worst: {:.3} s for 1,000 lines", 1e3 * worst);
}
