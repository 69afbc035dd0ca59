//! The kernels of `kernels/nested` on the golden model: launched by threads, and by the host in a loop.
//!
//! `cargo run -p weft-driver --example nested`. The model has no clock: what is counted are launches and the host's
//! waits.

use std::path::Path;
use weft_cc::{build, Compiler, Family, Options};
use weft_driver::nested::{bfs, mandelbrot, quadtree, quicksort, tree, By, Took};
use weft_driver::{Error, Golden, Gpu};
use weft_sim::host::Size;
use weft_toolbox::Toolbox;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let kernels = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels");
    let toolbox = Toolbox::here();
    let there = |family: &&Family| Compiler::find(&toolbox, **family).is_some();
    let family = Family::ALL.iter().find(there);
    let family = family.ok_or("no compiler for RISC-V is installed: `cargo xtask setup`")?;
    let built = |name: &str| {
        let options = Options {
            compiler: Some(family.name().into()),
            ..Options::default()
        };
        let file = kernels.join("nested").join(format!("{name}.c"));
        build(&toolbox, &[file], &options, &mut |_| {}).map(|built| built.elf)
    };
    let [bfs_elf, sort_elf, quad_elf, set_elf, tree_elf] = [
        built("bfs")?,
        built("quicksort")?,
        built("quadtree")?,
        built("mandelbrot")?,
        built("tree")?,
    ];
    println!(
        "{:<24} {:<8} {:>9} {:>6} {:>9} {:>8} {:>9} {:>8} {:>12}",
        "kernel",
        "children",
        "launches",
        "waits",
        "commands",
        "tasks",
        "CTAs",
        "no room",
        "instructions"
    );
    for by in [By::Threads, By::Host] {
        // Numbers of a linear congruential generator, always the same.
        let mut state = 1u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 8
        };
        let numbers: Vec<i32> = (0..4000).map(|_| next() as i32).collect();
        let links: Vec<(u32, u32)> = (0..2000).map(|_| (next() % 2000, next() % 2000)).collect();
        let points: Vec<(u32, u32)> = (0..2000).map(|_| (next() % 65_536, next() % 256)).collect();
        let graph = bfs::Graph::of(2000, &links);
        let picture = mandelbrot::Picture::whole(128);
        show(
            "bfs, 2,000 vertices",
            by,
            bfs::run(&mut gpu()?, &bfs_elf, &graph, links[0].0, by, 64)?,
        );
        show(
            "quicksort, 4,000",
            by,
            quicksort::run(&mut gpu()?, &sort_elf, &numbers, by, 1024)?,
        );
        show(
            "quadtree, 2,000 points",
            by,
            quadtree::run(&mut gpu()?, &quad_elf, &points, 8, by)?,
        );
        show(
            "mandelbrot, 128 x 128",
            by,
            mandelbrot::run(&mut gpu()?, &set_elf, &picture, by, 4096)?,
        );
        let parents: Vec<u32> = (0..1000).map(|_| next()).collect();
        let sums = tree::Tree::of(&parents);
        let one = tree::run(&mut gpu()?, &tree_elf, &sums, by, true)?;
        show("tree, 1,001 nodes", by, one);
    }
    Ok(())
}

fn gpu() -> Result<Gpu<Golden>, Error> {
    let size = Size {
        sms: 2,
        ..Size::default()
    };
    Gpu::open(Golden::new(size, 8 << 20))
}

fn show(kernel: &str, by: By, took: Took) {
    let c = took.counters;
    let children = match by {
        By::Threads => "threads",
        By::Host => "host",
    };
    println!(
        "{kernel:<24} {children:<8} {:>9} {:>6} {:>9} {:>8} {:>9} {:>8} {:>12}",
        took.host_launches,
        took.waits,
        c.commands,
        c.tasks_done,
        c.ctas,
        took.refused,
        c.instructions
    );
}
