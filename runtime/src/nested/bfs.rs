//! Breadth-first search: a grid for each frontier.

use super::{cta, right, words, By, Took};
use crate::{Device, Error, Gpu, Grid, Module};

const FAR: u32 = u32::MAX;

/// A graph in compressed sparse rows.
#[derive(Clone, Debug)]
pub struct Graph {
    pub rows: Vec<u32>,
    pub columns: Vec<u32>,
}

impl Graph {
    /// Of pairs, in both directions.
    pub fn of(vertices: u32, links: &[(u32, u32)]) -> Graph {
        let mut columns: Vec<Vec<u32>> = vec![Vec::new(); vertices as usize];
        for &(a, b) in links {
            columns[a as usize].push(b);
            columns[b as usize].push(a);
        }
        let rows = columns.iter().scan(0, |end, to| {
            *end += to.len() as u32;
            Some(*end)
        });
        Graph {
            rows: std::iter::once(0).chain(rows).collect(),
            columns: columns.concat(),
        }
    }

    fn vertices(&self) -> u32 {
        self.rows.len() as u32 - 1
    }

    /// How far each vertex is from one.
    pub fn distances(&self, source: u32) -> Vec<u32> {
        let mut distance = vec![FAR; self.vertices() as usize];
        distance[source as usize] = 0;
        let mut queue = std::collections::VecDeque::from([source]);
        while let Some(v) = queue.pop_front() {
            let [begin, end] = [0, 1].map(|n| self.rows[v as usize + n] as usize);
            for &to in &self.columns[begin..end] {
                if distance[to as usize] == FAR {
                    distance[to as usize] = distance[v as usize] + 1;
                    queue.push_back(to);
                }
            }
        }
        distance
    }
}

/// Searches, and compares. `elf`: of kernels/nested/bfs.c; `ring`: entries of the work queue.
pub fn run<D: Device>(
    gpu: &mut Gpu<D>,
    elf: &[u8],
    graph: &Graph,
    source: u32,
    by: By,
    ring: u32,
) -> Result<Took, Error> {
    let module = gpu.load_elf(elf)?;
    search(gpu, module, graph, source, by, ring)
}

/// [`run`] of a program that is there.
pub fn search<D: Device>(
    gpu: &mut Gpu<D>,
    module: Module,
    graph: &Graph,
    source: u32,
    by: By,
    ring: u32,
) -> Result<Took, Error> {
    let stream = gpu.stream()?;
    let cta = cta(gpu);
    let vertices = graph.vertices();
    let rows = words(gpu, &graph.rows)?;
    let columns = words(gpu, &graph.columns)?;
    let mut start = vec![FAR; vertices as usize];
    start[source as usize] = 0;
    let distance = words(gpu, &start)?;
    let frontiers = [words(gpu, &start)?, words(gpu, &start)?];
    gpu.write_words(frontiers[0], 0, &[source])?;
    let mut queue = match by {
        By::Threads => Some(gpu.work_queue(ring, vertices)?),
        By::Host => None,
    };
    let job = words(
        gpu,
        &[
            queue.map_or(0, |queue| queue.address()),
            rows.address(),
            columns.address(),
            distance.address(),
            frontiers[0].address(),
            frontiers[1].address(),
            1,
            0,
            0,
            0,
            cta,
        ],
    )?;
    let mut took = Took::default();
    let arguments = job.address();
    match &mut queue {
        Some(queue) => {
            let grid = Grid::of(1, 1).with_arguments(arguments);
            gpu.launch_with(stream, queue, module.entry(), &grid, 1)?;
            gpu.synchronize()?;
            (took.waits, took.host_launches) = (1, 1);
        }
        None => {
            let kernel = gpu.symbol(module, "level")?;
            let mut count = 1u32;
            let mut depth = 0;
            while count > 0 {
                // As the last thread of a level does it.
                let ctas = count.div_ceil(cta);
                gpu.write_words(job, 7 - (depth & 1), &[0])?;
                gpu.write_words(job, 8, &[depth, ctas * cta])?;
                let grid = Grid::of(ctas, cta).with_arguments(arguments);
                gpu.launch(stream, kernel, &grid)?;
                gpu.synchronize()?;
                depth += 1;
                count = gpu.read_words(job, 6 + (depth & 1), 1)?[0];
                took.waits += 1;
                took.host_launches += 1;
            }
        }
    }
    let found = gpu.read_words(distance, 0, vertices)?;
    right(found == graph.distances(source), "distances of bfs.c")?;
    took.counters = gpu.counters();
    Ok(took)
}
