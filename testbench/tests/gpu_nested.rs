//! The kernels of `kernels/nested` on `weft_gpu`: work made by threads, and by the host, both checked against plain Rust
//! (`cargo run --release -p weft-testbench --example nested_on_hardware` has larger inputs, and a table).
//! Skipped by name where there is no compiler.

use std::path::Path;
use weft_cc::each;
use weft_driver::nested::{bfs, mandelbrot, quadtree, quicksort, tree, By, Took};
use weft_driver::{Error, Gpu, Settings};
use weft_testbench::gpu::device::TINY;
use weft_testbench::gpu::{GpuOptions, VerilatedGpu};

/// The program of a kernel by one compiler: the golden model runs those of all (`runtime/tests/nested.rs`).
fn built(name: &str) -> Option<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels/nested");
    let family = each::families().into_iter().next()?;
    Some(each::built(family, &folder.join(format!("{name}.c"))))
}

/// By the host and by threads; threads launch all but the first.
fn both(name: &str, run: impl Fn(&mut Gpu<VerilatedGpu>, &[u8], By) -> Result<Took, Error>) {
    let Some(elf) = built(name) else {
        return;
    };
    let [host, threads] = [By::Host, By::Threads].map(|by| {
        let device = VerilatedGpu::open_copy(TINY, &GpuOptions::default(), None);
        let mut gpu = Gpu::open(device.expect("weft_gpu")).expect("a GPU");
        run(&mut gpu, &elf, by).unwrap_or_else(|e| panic!("{name} by {by:?}: {e}"))
    });
    assert!(host.host_launches > 1, "{name}: {host:?}");
    assert_eq!(threads.host_launches, 1, "{name}: {threads:?}");
    assert!(threads.counters.ctas > 1, "{name}: {threads:?}");
}

#[test]
fn breadth_first_search() {
    // A ring of seven with a chord, and two vertices that nobody reaches.
    let ring: Vec<(u32, u32)> = (0..7)
        .map(|v| (v, (v + 1) % 7))
        .chain([(0, 3), (7, 8)])
        .collect();
    let graph = bfs::Graph::of(9, &ring);
    both("bfs", |gpu, elf, by| bfs::run(gpu, elf, &graph, 0, by, 16));
}

#[test]
fn quick_sort() {
    let numbers: Vec<i32> = (0..61).map(|i| (i * 37 % 61 - 30) * (i % 5 - 1)).collect();
    both("quicksort", |gpu, elf, by| {
        quicksort::run(gpu, elf, &numbers, by, 64)
    });
}

#[test]
fn adaptive_quadtree() {
    let points: Vec<(u32, u32)> = (0..37)
        .map(|i| (i * i * 977 % 65_536, i * 7919 % 256))
        .collect();
    both("quadtree", |gpu, elf, by| {
        quadtree::run(gpu, elf, &points, 8, by)
    });
}

#[test]
fn mandelbrot_by_mariani_and_silver() {
    let picture = mandelbrot::Picture::whole(16);
    both("mandelbrot", |gpu, elf, by| {
        mandelbrot::run(gpu, elf, &picture, by, 1024)
    });
}

/// TASK-027: with one SM, of which no two tasks share it, and two places: a path deeper than slots, places and places of
/// CTAs together, and a tree with forks. A thread that waited for its child would wait for ever (TASK-056).
#[test]
fn sums_of_trees() {
    let path = tree::Tree::path(40);
    let bushy = tree::Tree::of(&[0, 0, 1, 1, 2, 2, 3, 9, 9, 4, 8]);
    for tree in [&bushy, &path] {
        both("tree", |gpu, elf, by| tree::run(gpu, elf, tree, by, false));
    }
    let Some(elf) = built("tree") else {
        return;
    };
    let settings = Settings {
        places: 2,
        ..Settings::default()
    };
    for tree in [bushy, path] {
        let device = VerilatedGpu::open_copy(TINY, &GpuOptions::default(), None);
        let mut gpu = Gpu::open_with(device.expect("weft_gpu"), settings).expect("a GPU");
        let took = tree::run(&mut gpu, &elf, &tree, By::Threads, true);
        let took = took.unwrap_or_else(|e| panic!("one after the other: {e}"));
        let tasks = tree.nodes() + tree.inner() + tree.forks();
        assert_eq!((took.refused, took.counters.tasks_done), (0, tasks));
    }
}
