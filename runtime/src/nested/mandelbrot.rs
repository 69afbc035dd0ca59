//! The Mandelbrot set by Mariani and Silver: an entry of a queue task for each square.

use super::{cta, right, words, By, Took};
use crate::{Device, Error, Gpu, Grid};
use weft_sim::host::Queue;

const FRACTION: u32 = 12;
const SMALLEST: u32 = 8;

/// What is to be seen; all in fixed point.
#[derive(Clone, Copy, Debug)]
pub struct Picture {
    /// Points of a side, a multiple of 8 of at most 128.
    pub side: u32,
    pub left: i32,
    pub top: i32,
    pub step: i32,
    /// Iterations.
    pub most: u32,
}

impl Picture {
    /// The whole set.
    pub fn whole(side: u32) -> Picture {
        Picture {
            side,
            left: -2 << FRACTION,
            top: -(3 << FRACTION) / 2,
            step: (3 << FRACTION) / side as i32,
            most: 64,
        }
    }

    fn iterate(&self, x: u32, y: u32) -> u32 {
        let (cr, ci) = (
            self.left + x as i32 * self.step,
            self.top + y as i32 * self.step,
        );
        let (mut zr, mut zi) = (0i32, 0i32);
        for n in 0..self.most {
            let (rr, ii) = ((zr * zr) >> FRACTION, (zi * zi) >> FRACTION);
            if rr + ii > 4 << FRACTION {
                return n;
            }
            zi = ((zr * zi) >> (FRACTION - 1)) + ci;
            zr = rr - ii + cr;
        }
        self.most
    }

    /// As Mariani and Silver do it.
    fn draw(&self, x: u32, y: u32, size: u32, values: &mut [u32]) {
        let border = |n: &u32| {
            let (dx, dy) = (n % size, n / size);
            dx == 0 || dy == 0 || dx == size - 1 || dy == size - 1
        };
        let first = self.iterate(x, y);
        let mut points = (0..size * size).filter(border);
        let same = points.all(|n| self.iterate(x + n % size, y + n / size) == first);
        if !same && size > SMALLEST {
            let half = size / 2;
            for (dx, dy) in [(0, 0), (half, 0), (0, half), (half, half)] {
                self.draw(x + dx, y + dy, half, values);
            }
            return;
        }
        for n in 0..size * size {
            let (px, py) = (x + n % size, y + n / size);
            values[(py * self.side + px) as usize] = match same {
                true => first,
                false => self.iterate(px, py),
            };
        }
    }
}

/// Draws, and compares. `elf`: of kernels/nested/mandelbrot.c; `ring`: entries of the queue.
pub fn run<D: Device>(
    gpu: &mut Gpu<D>,
    elf: &[u8],
    picture: &Picture,
    by: By,
    ring: u32,
) -> Result<Took, Error> {
    let module = gpu.load_elf(elf)?;
    let stream = gpu.stream()?;
    let cta = cta(gpu);
    let Picture {
        side,
        left,
        top,
        step,
        most,
    } = *picture;
    let values = gpu.allocate(4 * side * side)?;
    let mut lists = [
        gpu.allocate(4 * side * side)?,
        gpu.allocate(4 * side * side)?,
    ];
    let entries = gpu.allocate(4 * ring)?;
    gpu.write_words(lists[0], 0, &[side << 24])?;
    gpu.write_words(entries, 0, &[side << 24])?;
    let fields = [
        0,
        values.address(),
        side,
        left as u32,
        top as u32,
        step as u32,
        most,
        0,
        0,
        0,
        0,
        0,
    ];
    let object = words(gpu, &fields)?;
    let mut took = Took::default();
    match by {
        By::Threads => {
            let queue = Queue {
                ring: entries.address(),
                entry: 4,
                entries: ring,
                each: 1,
                reserve: 1,
                put: 1,
                ..Queue::default()
            };
            let grid = Grid::of_queue(queue, cta);
            let grid = grid.with_arguments(object.address()).with_scratchpad(64);
            let task = gpu.task(module.entry(), &grid)?;
            gpu.write_words(object, 0, &[task.address()])?;
            gpu.launch_task(stream, task)?;
            gpu.synchronize()?;
            (took.waits, took.host_launches) = (1, 1);
        }
        By::Host => {
            let mut count = 1;
            while count > 0 {
                gpu.write_words(object, 7, &[lists[0].address(), lists[1].address(), 0])?;
                let grid = Grid::of(count, cta).with_scratchpad(64);
                let grid = grid.with_arguments(object.address());
                gpu.launch(stream, module.entry(), &grid)?;
                gpu.synchronize()?;
                took.waits += 1;
                took.host_launches += 1;
                count = gpu.read_words(object, 9, 1)?[0];
                lists.reverse();
            }
        }
    }
    let found = gpu.read_words(values, 0, side * side)?;
    let mut expected = vec![0; (side * side) as usize];
    picture.draw(0, 0, side, &mut expected);
    took.refused = gpu.read_words(object, 10, 1)?[0];
    // A square without a place in the ring is computed, not filled.
    let same = |n: u32| {
        let value = found[n as usize];
        let computed = took.refused > 0 && value == picture.iterate(n % side, n / side);
        value == expected[n as usize] || computed
    };
    right((0..side * side).all(same), "the picture of mandelbrot.c")?;
    took.counters = gpu.counters();
    Ok(took)
}
