//! Who a thread is: what threads of grids and CTAs of three dimensions, of odd sizes, read of their numbers (ISA-012, and
//! a0, a1 of SM-012), beside plain Rust.

use super::{program, task};
use weft_sim::host::Descriptor;
use weft_sim::memory::MEMORY_BASE;
use weft_testbench::gpu::device::TINY;
use weft_testbench::gpu::program::run;
use weft_testbench::gpu::GpuOptions;

/// A record of this many words for each thread.
const RECORD: u32 = 32;
const DATA: u32 = 0x1_1000;
const LANES: u32 = TINY.lanes as u32;

/// Grids and CTAs: one thread, a lane less than a warp has, a lane more, a whole SM.
const SHAPES: [([u32; 3], [u32; 3]); 7] = [
    ([3, 2, 2], [5, 1, 1]),
    ([2, 3, 2], [1, 1, 1]),
    ([2, 1, 3], [1, LANES - 1, 1]),
    ([1, 3, 2], [1, 1, LANES + 1]),
    ([3, 1, 1], [2, 3, 1]),
    ([1, 1, 5], [3, 1, 3]),
    ([2, 2, 1], [2, 2, LANES]),
];

type Number = fn(&Thread) -> u32;

/// Number of a CSR, and what is in it.
const NUMBERS: [(u32, Number); 21] = [
    (0xCC0, |t| t.number()),
    (0xF14, |t| t.number()),
    (0xCC1, |t| t.lane()),
    (0xCC2, |t| t.cta() * t.warps() + t.warp()),
    (0xCC3, |t| t.cta()),
    (0xCC4, |t| t.size() * t.grid.iter().product::<u32>()),
    (0xCC5, |t| t.mask()),
    (0xCC6, |_| 0),
    (0xCC7, |_| LANES),
    (0xCC8, |t| t.thread),
    (0xCC9, |t| t.warp()),
    (0xCCA, |t| t.size()),
    (0xCF0, |t| t.place[0]),
    (0xCF1, |t| t.place[1]),
    (0xCF2, |t| t.place[2]),
    (0xCF4, |t| t.grid[0]),
    (0xCF5, |t| t.grid[1]),
    (0xCF6, |t| t.grid[2]),
    (0xCF8, |t| t.dim[0]),
    (0xCF9, |t| t.dim[1]),
    (0xCFA, |t| t.dim[2]),
];

/// A thread, by its CTA's place and its number there.
struct Thread {
    grid: [u32; 3],
    dim: [u32; 3],
    place: [u32; 3],
    thread: u32,
}

impl Thread {
    fn size(&self) -> u32 {
        self.dim.iter().product()
    }

    fn cta(&self) -> u32 {
        let [x, y, z] = self.place;
        x + self.grid[0] * (y + self.grid[1] * z)
    }

    fn warps(&self) -> u32 {
        self.size().div_ceil(LANES)
    }

    fn warp(&self) -> u32 {
        self.thread / LANES
    }

    fn lane(&self) -> u32 {
        self.thread % LANES
    }

    fn number(&self) -> u32 {
        self.cta() * self.size() + self.thread
    }

    /// Lanes of its warp that have a thread.
    fn mask(&self) -> u32 {
        let threads = (self.size() - self.warp() * LANES).min(LANES);
        (1 << threads) - 1
    }

    /// A record is found by the numbers that are in it.
    fn record(&self) -> Vec<u32> {
        let all = NUMBERS.iter().map(|(_, number)| number(self));
        let of_a = [
            self.number(),
            self.size() * self.grid.iter().product::<u32>(),
        ];
        of_a.into_iter().chain(all).collect()
    }
}

/// The threads of a grid, in order, by six nested loops.
fn threads(grid: [u32; 3], dim: [u32; 3]) -> Vec<Thread> {
    let mut all = Vec::new();
    for z in 0..grid[2] {
        for y in 0..grid[1] {
            for x in 0..grid[0] {
                let mut thread = 0;
                for _ in 0..dim[2] {
                    for _ in 0..dim[1] {
                        for _ in 0..dim[0] {
                            all.push(Thread {
                                grid,
                                dim,
                                place: [x, y, z],
                                thread,
                            });
                            thread += 1;
                        }
                    }
                }
            }
        }
    }
    all
}

/// Each thread stores its record at the place of its number, and a word that only counts who has been there.
fn kernel() -> String {
    let mut text = format!(
        "_start: slli t0, a0, 7\n add t0, t0, a2\n li t2, 1\n addi t1, t0, {}\n \
         amoadd.w x0, t2, (t1)\n sw a0, 0(t0)\n sw a1, 4(t0)\n",
        4 * (RECORD - 1)
    );
    for (n, (csr, _)) in (2..).zip(NUMBERS) {
        text += &format!(" csrr t1, {csr}\n sw t1, {}(t0)\n", 4 * n);
    }
    text + " ecall\n"
}

/// Hardware, golden GPU, and plain Rust.
pub fn are_right(fault: Option<&str>) -> Result<(), String> {
    for (grid, cta) in SHAPES {
        let what = |e| format!("a grid of {grid:?} CTAs of {cta:?}: {e}");
        let host = program(&kernel());
        let of = Descriptor {
            grid,
            cta,
            ..task(host.kernel("_start"), 1, 1, DATA)
        };
        let host = host.launch(&of);
        run(&host, &GpuOptions::default(), fault).map_err(what)?;
        // The hardware left the same bytes.
        let memory = host.golden().map_err(what)?;
        let word = |at: u32| {
            let from = (at - MEMORY_BASE) as usize;
            u32::from_le_bytes(memory[from..from + 4].try_into().expect("four bytes"))
        };
        let all = threads(grid, cta);
        for (at, thread) in (DATA..).step_by(4 * RECORD as usize).zip(&all) {
            let wanted = thread.record();
            let is: Vec<u32> = (0..wanted.len() as u32).map(|n| word(at + 4 * n)).collect();
            let times = word(at + 4 * (RECORD - 1));
            if is != wanted || times != 1 {
                return Err(what(format!("{is:?}, {times} times, not {wanted:?}")));
            }
        }
        let end = DATA + 4 * RECORD * all.len() as u32;
        if (end..end + 4 * RECORD).step_by(4).any(|at| word(at) != 0) {
            return Err(what("more threads than there are".into()));
        }
    }
    Ok(())
}
