//! Adaptive quadtree: a task for each square that is divided.

use super::{cta, right, words, By, Took};
use crate::{Device, Error, Gpu, Grid};
use std::collections::BTreeMap;

const BITS: u32 = 16;
/// Words of `struct node`.
const NODE: u32 = 7;

/// A square: its corner and its level.
type Square = (u32, u32, u32);

/// Which points are in the leaves of the tree, by square.
fn divided(
    points: &[(u32, u32)],
    most: usize,
    square: Square,
    of: Vec<u32>,
    leaves: &mut BTreeMap<Square, Vec<u32>>,
) {
    let (x, y, level) = square;
    // The root is always divided.
    if level > 0 && (of.len() <= most || level == BITS) {
        leaves.insert(square, of);
        return;
    }
    let half = 1 << (BITS - 1 - level);
    for (dx, dy) in [(0, 0), (half, 0), (0, half), (half, half)] {
        let quarter = (x + dx, y + dy, level + 1);
        let inside = |&point: &u32| {
            let (px, py) = points[point as usize];
            let square = [(px, quarter.0), (py, quarter.1)];
            square
                .iter()
                .all(|(p, corner)| (*corner..corner + half).contains(p))
        };
        let points_of = of.iter().copied().filter(inside).collect();
        divided(points, most, quarter, points_of, leaves);
    }
}

/// Divides, and compares. `elf`: of kernels/nested/quadtree.c; `most`: points of a leaf.
pub fn run<D: Device>(
    gpu: &mut Gpu<D>,
    elf: &[u8],
    points: &[(u32, u32)],
    most: u32,
    by: By,
) -> Result<Took, Error> {
    let module = gpu.load_elf(elf)?;
    let stream = gpu.stream()?;
    let cta = cta(gpu);
    let count = points.len() as u32;
    let [x, y] = [0, 1].map(|n| points.iter().map(|p| [p.0, p.1][n]).collect::<Vec<u32>>());
    let (x, y) = (words(gpu, &x)?, words(gpu, &y)?);
    let numbers: Vec<u32> = (0..count).collect();
    let order = [words(gpu, &numbers)?, words(gpu, &numbers)?];
    let node_most = 4 * count + 64;
    let nodes = gpu.allocate(4 * NODE * node_most)?;
    let queue = match by {
        By::Threads => Some(gpu.work_queue(4, node_most)?),
        By::Host => None,
    };
    let tree = words(
        gpu,
        &[
            queue.map_or(0, |queue| queue.address()),
            x.address(),
            y.address(),
            order[0].address(),
            order[1].address(),
            nodes.address(),
            1,
            node_most,
            most,
            0,
        ],
    )?;
    gpu.write_words(nodes, 0, &[tree.address(), 0, 0, 0, 0, count, 0])?;
    let divide = gpu.symbol(module, "divide")?;
    let grid = |node: u32| {
        let arguments = nodes.address() + 4 * NODE * node;
        Grid::of(1, cta)
            .with_arguments(arguments)
            .with_scratchpad(64)
    };
    let mut took = Took::default();
    let mut done = 0;
    let mut found = 1;
    while done < found {
        for node in done..found {
            let [level, size] = [3, 5].map(|word| gpu.read_words(nodes, NODE * node + word, 1));
            let (level, size) = (level?[0], size?[0]);
            if node == 0 || size > most && level < BITS {
                gpu.launch(stream, divide, &grid(node))?;
                took.host_launches += 1;
            }
        }
        gpu.synchronize()?;
        took.waits += 1;
        let all = gpu.read_words(tree, 6, 1)?[0].min(node_most);
        // Threads have done the rest.
        (done, found) = if queue.is_some() {
            (all, all)
        } else {
            (found, all)
        };
    }
    let all = gpu.read_words(nodes, 0, NODE * found)?;
    let mut leaves = BTreeMap::new();
    for node in all.chunks_exact(NODE as usize).filter(|node| node[6] == 0) {
        let [x, y, level, first, count] = std::array::from_fn(|n| node[n + 1]);
        let mut points = gpu.read_words(order[(level & 1) as usize], first, count)?;
        points.sort_unstable();
        leaves.insert((x, y, level), points);
    }
    let mut expected = BTreeMap::new();
    divided(points, most as usize, (0, 0, 0), numbers, &mut expected);
    right(leaves == expected, "the tree of quadtree.c")?;
    took.refused = gpu.read_words(tree, 9, 1)?[0];
    took.counters = gpu.counters();
    Ok(took)
}
