//! The kernels of `kernels/nested` on `weft_gpu` under Verilator: launched by threads, and by the host in a loop.
//!
//! `cargo run --release -p weft-testbench --example nested_on_hardware` shows a table.
//! Each result is checked against plain Rust.
//! The GPU has one SM of 4 warps of 8 threads on 8 lanes, and a memory of 20 cycles.
//! The host's memory accesses cost nothing, its register accesses a few cycles each.

use std::path::{Path, PathBuf};
use weft_cc::{build, Compiler, Family, Options};
use weft_driver::nested::{bfs, mandelbrot, quadtree, quicksort, tree, By, Took};
use weft_driver::Gpu;
use weft_testbench::gpu::{GpuOptions, VerilatedGpu};
use weft_toolbox::Toolbox;

type Failure = Box<dyn std::error::Error>;
type Run<'a> = &'a dyn Fn(&mut Gpu<VerilatedGpu>, By) -> Result<Took, weft_driver::Error>;

fn kernels() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels")
}

fn main() -> Result<(), Failure> {
    let toolbox = Toolbox::here();
    let there = |family: &&Family| Compiler::find(&toolbox, **family).is_some();
    let family = Family::ALL.iter().find(there);
    let family = family.ok_or("no compiler for RISC-V is installed: `cargo xtask setup`")?;
    let built = |name: &str| {
        let options = Options {
            compiler: Some(family.name().into()),
            ..Options::default()
        };
        let file = kernels().join("nested").join(format!("{name}.c"));
        build(&toolbox, &[file], &options, &mut |_| {}).map(|built| built.elf)
    };
    // Numbers of a linear congruential generator, always the same.
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 8
    };
    let numbers: Vec<i32> = (0..300).map(|_| next() as i32).collect();
    let points: Vec<(u32, u32)> = (0..200).map(|_| (next() % 65_536, next() % 256)).collect();
    let graph = karate()?;
    let picture = mandelbrot::Picture::whole(32);
    let sums = tree::Tree::of(&(0..60).map(|_| next()).collect::<Vec<u32>>());
    let [bfs_elf, sort_elf, quad_elf, set_elf, tree_elf] = [
        built("bfs")?,
        built("quicksort")?,
        built("quadtree")?,
        built("mandelbrot")?,
        built("tree")?,
    ];
    println!("| kernel | children by | host launches | waits | tasks | CTAs | warp instructions | cycles | ratio |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    both("bfs, 34 vertices", &|gpu, by| {
        bfs::run(gpu, &bfs_elf, &graph, 0, by, 64)
    })?;
    both("quicksort, 300", &|gpu, by| {
        quicksort::run(gpu, &sort_elf, &numbers, by, 256)
    })?;
    both("quadtree, 200 points", &|gpu, by| {
        quadtree::run(gpu, &quad_elf, &points, 8, by)
    })?;
    both("mandelbrot, 32 x 32", &|gpu, by| {
        mandelbrot::run(gpu, &set_elf, &picture, by, 1024)
    })?;
    both("tree, 61 nodes", &|gpu, by| {
        tree::run(gpu, &tree_elf, &sums, by, false)
    })
}

/// Two lines of the table; the ratio is of cycles, to those of the host's way.
fn both(kernel: &str, run: Run) -> Result<(), Failure> {
    let host = run(&mut gpu()?, By::Host)?;
    let threads = run(&mut gpu()?, By::Threads)?;
    let cycles = |took: &Took| took.counters.cycles.unwrap_or_default();
    for (by, took) in [("host", host), ("threads", threads)] {
        let c = took.counters;
        println!(
            "| {kernel} | {by} | {} | {} | {} | {} | {} | {} | {:.2} |",
            took.host_launches,
            took.waits,
            c.tasks_done,
            c.ctas,
            c.instructions,
            cycles(&took),
            cycles(&took) as f64 / cycles(&host) as f64
        );
    }
    Ok(())
}

fn karate() -> Result<bfs::Graph, Failure> {
    let read = |name: &str| -> Result<Vec<u32>, Failure> {
        let text = std::fs::read_to_string(kernels().join("data").join(name))?;
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let numbers = lines.flat_map(str::split_whitespace);
        Ok(numbers.map(str::parse).collect::<Result<_, _>>()?)
    };
    Ok(bfs::Graph {
        rows: read("karate_rows.txt")?,
        columns: read("karate_columns.txt")?,
    })
}

fn gpu() -> Result<Gpu<VerilatedGpu>, Failure> {
    let size = weft_sim::host::Size {
        sms: 1,
        warps: 4,
        threads: 8,
        lanes: 8,
        ..Default::default()
    };
    let options = GpuOptions {
        memory: 4 << 20,
        ..GpuOptions::default()
    };
    Ok(Gpu::open(VerilatedGpu::open_copy(size, &options, None)?)?)
}
