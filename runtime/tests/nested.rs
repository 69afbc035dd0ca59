//! The kernels of `kernels/nested`, on the golden model: work made by threads, beside the same work launched by the
//! host. Skipped by name where there is no compiler.

use rand::prelude::*;
use rand_chacha::ChaCha8Rng;
use std::path::{Path, PathBuf};
use weft_cc::each;
use weft_driver::nested::{bfs, mandelbrot, quadtree, quicksort, tree, By};
use weft_driver::{Golden, Gpu, Settings};
use weft_sim::host::Size;

fn kernels() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels")
}

/// The program of a kernel by every compiler that is there.
fn built(name: &str) -> Vec<Vec<u8>> {
    let file = kernels().join("nested").join(format!("{name}.c"));
    let built = |family| each::built(family, &file);
    each::families().into_iter().map(built).collect()
}

fn gpu(sms: usize) -> Gpu<Golden> {
    gpu_with(sms, settings())
}

fn settings() -> Settings {
    Settings {
        limit: Some(100_000_000),
        ..Settings::default()
    }
}

fn gpu_with(sms: usize, settings: Settings) -> Gpu<Golden> {
    let size = Size {
        sms,
        warps: 4,
        threads: 8,
        lanes: 8,
        ..Size::default()
    };
    Gpu::open_with(Golden::new(size, 4 << 20), settings).unwrap()
}

fn karate() -> bfs::Graph {
    let read = |name: &str| {
        let text = std::fs::read_to_string(kernels().join("data").join(name)).unwrap();
        let numbers = text.lines().filter(|line| !line.starts_with('#'));
        let numbers = numbers.flat_map(str::split_whitespace);
        numbers.map(|n| n.parse().unwrap()).collect()
    };
    bfs::Graph {
        rows: read("karate_rows.txt"),
        columns: read("karate_columns.txt"),
    }
}

fn random_graph(vertices: u32, seed: u64) -> bfs::Graph {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let links: Vec<(u32, u32)> = (0..vertices)
        .map(|_| (rng.gen_range(0..vertices), rng.gen_range(0..vertices)))
        .collect();
    bfs::Graph::of(vertices, &links)
}

/// QUEUE-042: the last piece of work closes, so that the host's one wait ends.
#[test]
fn breadth_first_search() {
    for elf in built("bfs") {
        // A single vertex, a path longer than the ring, a real graph, a large one.
        let path: Vec<(u32, u32)> = (0..40).map(|n| (n, n + 1)).collect();
        let graphs = [
            bfs::Graph::of(1, &[]),
            bfs::Graph::of(41, &path),
            karate(),
            random_graph(1000, 1),
        ];
        for graph in &graphs {
            for ring in [4, 5, 64] {
                let took = bfs::run(&mut gpu(2), &elf, graph, 0, By::Threads, ring).unwrap();
                let host = bfs::run(&mut gpu(2), &elf, graph, 0, By::Host, ring).unwrap();
                // One launch by the host, and a child for each of the host's other way.
                assert_eq!((took.host_launches, took.waits), (1, 1));
                assert_eq!(took.counters.tasks_done, 1 + host.host_launches);
                assert_eq!(host.counters.tasks_done, host.host_launches);
            }
        }
    }
}

#[test]
fn quick_sort() {
    for elf in built("quicksort") {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let inputs = [
            vec![3, 1, 2],
            (0..100).collect(),
            vec![7; 50],
            (0..777).map(|_| rng.gen_range(-1000..1000)).collect(),
            (0..2000).map(|_| rng.gen()).collect::<Vec<i32>>(),
        ];
        for numbers in &inputs {
            for ring in [4, 7, 256] {
                let took = quicksort::run(&mut gpu(2), &elf, numbers, By::Threads, ring).unwrap();
                assert_eq!((took.host_launches, took.waits), (1, 1));
                if ring == 4 && numbers.len() == 2000 {
                    assert!(took.refused > 0, "the small ring is full at times");
                }
            }
            quicksort::run(&mut gpu(2), &elf, numbers, By::Host, 4).unwrap();
        }
    }
}

#[test]
fn adaptive_quadtree() {
    for elf in built("quadtree") {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut points = |count: usize, most: u32| -> Vec<(u32, u32)> {
            let mut one = || rng.gen_range(0..most) * rng.gen_range(0..most) % most;
            (0..count).map(|_| (one(), one())).collect()
        };
        // One point, twenty in one place, and a crowd in a corner.
        let inputs = [
            points(1, 1),
            vec![(7, 65_535); 20],
            points(300, 1 << 16),
            points(900, 3000),
        ];
        for (points, most) in inputs.iter().zip([1, 4, 1, 8]) {
            let took = quadtree::run(&mut gpu(2), &elf, points, most, By::Threads).unwrap();
            let host = quadtree::run(&mut gpu(2), &elf, points, most, By::Host).unwrap();
            assert_eq!((took.host_launches, took.waits, took.refused), (1, 1, 0));
            assert_eq!(took.counters.spawns, host.host_launches - 1);
        }
    }
}

#[test]
fn mandelbrot_by_mariani_and_silver() {
    for elf in built("mandelbrot") {
        for (side, ring) in [(8, 256), (32, 128), (64, 1024), (64, 128)] {
            let picture = mandelbrot::Picture::whole(side);
            let took = mandelbrot::run(&mut gpu(2), &elf, &picture, By::Threads, ring).unwrap();
            let host = mandelbrot::run(&mut gpu(2), &elf, &picture, By::Host, ring).unwrap();
            assert_eq!((took.host_launches, took.waits), (1, 1));
            if took.refused == 0 {
                assert_eq!(took.counters.ctas, host.counters.ctas);
            }
        }
        // A ring in which nothing has room: the first square does everything itself.
        let picture = mandelbrot::Picture::whole(16);
        let took = mandelbrot::run(&mut gpu(1), &elf, &picture, By::Threads, 64).unwrap();
        assert_eq!((took.refused, took.counters.ctas), (4, 1));
    }
}

/// TASK-027: parents that do not wait, on any number of SMs, with a tree deeper than there are slots, places of CTAs and, one
/// child after the other, places of the table; a task for each node, one behind the children of each, and one between
/// them.
#[test]
fn sums_of_trees() {
    for elf in built("tree") {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut random =
            |nodes: u32| -> Vec<u32> { (1..nodes).map(|n| rng.gen_range(0..n)).collect() };
        let trees = [
            tree::Tree::of(&[]),
            tree::Tree::path(300),
            tree::Tree::of(&random(200)),
            tree::Tree::of(&[0; 120]),
        ];
        for (n, tree) in trees.iter().enumerate() {
            let (nodes, inner) = (tree.nodes(), tree.inner());
            for sms in [1, 3] {
                let took = tree::run(&mut gpu(sms), &elf, tree, By::Threads, false).unwrap();
                assert_eq!((took.refused, took.host_launches, took.waits), (0, 1, 1));
                assert_eq!(
                    took.counters.tasks_done,
                    nodes + inner,
                    "tree {n}, {sms} SMs"
                );
                assert_eq!(took.counters.spawns, nodes - 1);
                // Each task but the root's names one; and each join of two is counted once at least.
                assert_eq!(
                    took.counters.dependents,
                    nodes - 1 + inner - u32::from(inner > 0)
                );

                let settings = Settings {
                    places: 2,
                    ..settings()
                };
                let mut small = gpu_with(sms, settings);
                let took = tree::run(&mut small, &elf, tree, By::Threads, true).unwrap();
                assert_eq!(took.refused, 0);
                assert_eq!(took.counters.tasks_done, nodes + inner + tree.forks());
            }
            let host = tree::run(&mut gpu(2), &elf, tree, By::Host, false).unwrap();
            assert_eq!(host.host_launches, nodes);
            assert_eq!(host.counters.dependents, 0);
        }
    }
}
