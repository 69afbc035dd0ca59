//! Sums of a binary tree: a task for each node, and a task behind its children.

use super::{right, words, By, Took};
use crate::{Device, Error, Gpu, Grid};

/// Words of `struct node`, and where its value is.
const NODE: u32 = 6;
const VALUE: u32 = 3;
const NONE: u32 = u32::MAX;

/// Nodes by number, the root first; a child's number is above that of its parent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    children: Vec<[u32; 2]>,
    values: Vec<u32>,
}

impl Tree {
    /// Nodes that each say a number of a parent before them: that one, or the next of those behind it that has room.
    pub fn of(parents: &[u32]) -> Tree {
        let count = parents.len() + 1;
        let mut children = vec![[NONE; 2]; count];
        for (node, &parent) in (1u32..).zip(parents) {
            let room = |at: &u32| children[*at as usize].contains(&NONE);
            let at = (parent % node..node).find(room).expect("the last one");
            let place = usize::from(children[at as usize][0] != NONE);
            children[at as usize][place] = node;
        }
        // A child alone is now and then the second one.
        for (node, pair) in children.iter_mut().enumerate() {
            if node % 3 == 1 {
                pair.swap(0, 1);
            }
        }
        let values = (0..count as u32).map(|n| n.wrapping_mul(0x9e37_79b9));
        Tree {
            children,
            values: values.collect(),
        }
    }

    /// Each node has one child.
    pub fn path(nodes: u32) -> Tree {
        Tree::of(&(0..nodes - 1).collect::<Vec<_>>())
    }

    pub fn nodes(&self) -> u32 {
        self.children.len() as u32
    }

    /// Nodes with children.
    pub fn inner(&self) -> u32 {
        let inner = self.children.iter().filter(|pair| **pair != [NONE; 2]);
        inner.count() as u32
    }

    /// Nodes with two.
    pub fn forks(&self) -> u32 {
        let forks = self.children.iter().filter(|pair| !pair.contains(&NONE));
        forks.count() as u32
    }

    fn of_node(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let there = self.children[node].iter().filter(|&&child| child != NONE);
        there.map(|&child| child as usize)
    }

    /// Of each node what all below it and itself have.
    pub fn sums(&self) -> Vec<u32> {
        let mut sums = self.values.clone();
        for node in (0..sums.len()).rev() {
            let below = self.of_node(node).map(|child| sums[child]);
            sums[node] = below.fold(sums[node], u32::wrapping_add);
        }
        sums
    }

    /// Nodes by how far they are from the root.
    fn levels(&self) -> Vec<Vec<usize>> {
        let mut levels = vec![vec![0]];
        loop {
            let last = levels.last().into_iter().flatten();
            let next: Vec<usize> = last.flat_map(|&node| self.of_node(node)).collect();
            if next.is_empty() {
                return levels;
            }
            levels.push(next);
        }
    }
}

/// Adds up, and compares. `elf`: of kernels/nested/tree.c; `one`: threads launch the children of a node one after the other.
pub fn run<D: Device>(
    gpu: &mut Gpu<D>,
    elf: &[u8],
    tree: &Tree,
    by: By,
    one: bool,
) -> Result<Took, Error> {
    let module = gpu.load_elf(elf)?;
    let stream = gpu.stream()?;
    let count = tree.nodes();
    let nodes = gpu.allocate(4 * NODE * count)?;
    let queue = match by {
        By::Threads => Some(gpu.work_queue(4, 3 * count)?),
        By::Host => None,
    };
    let address = queue.map_or(0, |queue| queue.address());
    let job = words(gpu, &[address, nodes.address(), one.into(), 0])?;
    let filled = tree.children.iter().zip(&tree.values);
    let filled = filled.flat_map(|(&[a, b], &value)| [job.address(), a, b, value, 0, 0]);
    gpu.write_words(nodes, 0, &filled.collect::<Vec<_>>())?;
    let grid = |node: usize| {
        let arguments = nodes.address() + 4 * NODE * node as u32;
        Grid::of(1, 1).with_arguments(arguments)
    };
    let mut took = Took::default();
    if queue.is_some() {
        gpu.launch(stream, module.entry(), &grid(0))?;
        gpu.synchronize()?;
        (took.waits, took.host_launches) = (1, 1);
    } else {
        let sum = gpu.symbol(module, "sum")?;
        for level in tree.levels().into_iter().rev() {
            for node in level {
                gpu.launch(stream, sum, &grid(node))?;
                took.host_launches += 1;
            }
            gpu.synchronize()?;
            took.waits += 1;
        }
    }
    let found = gpu.read_words(nodes, 0, NODE * count)?;
    let values = found.chunks_exact(NODE as usize);
    let values: Vec<u32> = values.map(|node| node[VALUE as usize]).collect();
    right(values == tree.sums(), "the sums of tree.c")?;
    took.refused = gpu.read_words(job, 3, 1)?[0];
    took.counters = gpu.counters();
    Ok(took)
}
