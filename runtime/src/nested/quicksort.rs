//! Quicksort: a task for each part.

use super::{cta, right, words, By, Took};
use crate::{Device, Error, Gpu, Grid};

/// Sorts, and compares. `elf`: of kernels/nested/quicksort.c; `ring`: entries of the work queue.
pub fn run<D: Device>(
    gpu: &mut Gpu<D>,
    elf: &[u8],
    numbers: &[i32],
    by: By,
    ring: u32,
) -> Result<Took, Error> {
    let module = gpu.load_elf(elf)?;
    let stream = gpu.stream()?;
    let cta = cta(gpu);
    let count = numbers.len() as u32;
    let numbers: Vec<u32> = numbers.iter().map(|&n| n as u32).collect();
    let array = words(gpu, &numbers)?;
    let other = words(gpu, &numbers)?;
    let most = count.max(1);
    let parts = gpu.allocate(12 * most)?;
    let mut queue = match by {
        By::Threads => Some(gpu.work_queue(ring, most)?),
        By::Host => None,
    };
    let root = words(
        gpu,
        &[
            queue.map_or(0, |queue| queue.address()),
            array.address(),
            other.address(),
            parts.address(),
            1,
            most,
            0,
        ],
    )?;
    gpu.write_words(parts, 0, &[root.address(), 0, count])?;
    let kernel = gpu.symbol(module, "sort")?;
    let grid = |part: u32| {
        let arguments = parts.address() + 12 * part;
        Grid::of(1, cta)
            .with_arguments(arguments)
            .with_scratchpad(16)
    };
    let mut took = Took::default();
    match &mut queue {
        Some(queue) => {
            gpu.launch_with(stream, queue, kernel, &grid(0), 1)?;
            gpu.synchronize()?;
            (took.waits, took.host_launches) = (1, 1);
        }
        None => {
            let mut done = 0;
            let mut found = 1;
            while done < found {
                for part in done..found {
                    gpu.launch(stream, kernel, &grid(part))?;
                    took.host_launches += 1;
                }
                gpu.synchronize()?;
                took.waits += 1;
                (done, found) = (found, gpu.read_words(root, 4, 1)?[0].min(most));
            }
        }
    }
    let mut expected: Vec<i32> = numbers.iter().map(|&n| n as i32).collect();
    expected.sort_unstable();
    let sorted = gpu.read_words(array, 0, count)?;
    let sorted: Vec<i32> = sorted.into_iter().map(|n| n as i32).collect();
    right(sorted == expected, "the order of quicksort.c")?;
    took.refused = gpu.read_words(root, 6, 1)?[0];
    took.counters = gpu.counters();
    Ok(took)
}
