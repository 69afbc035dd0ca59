//! What kernels take on an FPGA: cycles times the period of the whole SM in its board top, beside what nothing can beat and
//! beside another core on the same FPGA.

use super::area::{BLOCKS, WHOLE};
use super::report::Block;
use super::sm::{everything, row, run, Setting, SmRow};
use crate::compute::{compared, large, LARGE_MEMORY};
use anyhow::Result;
use weft_testbench::sm::{Shape, SmOptions};

/// Sizes, and whether they are measured only with `--full`.
const SIZES: [(Shape, bool); 5] = [
    (Shape::TINY, false),
    (Shape::COMPACT, false),
    (Shape::SMALL, true),
    (Shape::DEFAULT, true),
    (Shape::WIDE, true),
];

/// Cycles of the memory, in the same way.
const LATENCIES: [(u32, bool); 3] = [(20, false), (100, false), (300, true)];

/// Vortex (vortexgpgpu/vortex, February 2025), 4 warps of 4 threads without float, caches of 16 KiB, a memory 64 bytes
/// wide: its SystemVerilog under the same Verilator, the same assembly text of the same kernels, results compared word by
/// word. Kernel, size, latency of the memory, cycles.
pub const VORTEX: [(&str, u32, u32, u64); 6] = [
    ("vecadd", 992, 20, 6_855),
    ("saxpy", 992, 20, 6_438),
    ("sgemm", 32, 20, 141_296),
    ("vecadd", 992, 100, 17_095),
    ("saxpy", 992, 100, 11_798),
    ("sgemm", 32, 100, 151_637),
];

/// Its longest path on the ECP5 by an estimate over the mapped netlist, which was not placed.
pub const VORTEX_PERIOD_NS: f64 = 12.4;

/// No kernel takes so many cycles.
const MOST_CYCLES: u64 = 100_000_000;

/// Bytes of a beat at the memory port.
pub const BEAT: u64 = Shape::TINY.data as u64 / 8;

/// All settings, one after the other; `done` gets each as soon as it is there. Needs Verilator.
pub fn measure(full: bool, done: &mut dyn FnMut(Setting) -> Result<()>) -> Result<()> {
    let kernels = (compared()?, large()?);
    for (shape, _) in SIZES.into_iter().filter(|(_, long)| full || !long) {
        for (latency, _) in LATENCIES.into_iter().filter(|(_, long)| full || !long) {
            let mut setting = Setting::new(shape, latency);
            println!("{}, memory latency {latency}", setting.shape());
            let small = everything(shape, latency);
            // A sum of 64 Ki words stores nothing before its end.
            let mut room = SmOptions {
                cycles: Some(MOST_CYCLES),
                livelock: MOST_CYCLES,
                ..small.clone()
            };
            room.machine.memory = LARGE_MEMORY;
            let compared = kernels.0.iter().map(|of| (of, &small));
            let large = kernels.1.iter().map(|of| (of, &room));
            for (of, o) in compared.chain(large) {
                let row = row(of, &run(of, o)?);
                let size = row.size.unwrap_or_default();
                println!("  {:<10}{size:>7}{:>10} cycles", row.kernel, row.cycles);
                setting.rows.push(row);
            }
            done(setting)?;
        }
    }
    Ok(())
}

/// Bytes that a kernel must read and write: each word of an input and of a result once.
fn traffic(kernel: &str, size: u32) -> Option<(u64, u64)> {
    let size = u64::from(size);
    let square = size * size;
    let (read, written) = match kernel {
        "vecadd" | "saxpy" => (2 * size, size),
        "reduction" => (size, 0),
        "sgemm" => (2 * square, square),
        "transpose" | "stencil" => (square, square),
        _ => return None,
    };
    Some((4 * read, 4 * written))
}

/// The roofline: cycles that nothing can beat with these lanes and this port. Every lane works in every cycle, or every
/// cycle has a beat, in either direction.
pub fn roofline(setting: &Setting, row: &SmRow) -> Option<u64> {
    let (read, written) = traffic(&row.kernel, row.size?)?;
    let lanes = row.thread_instructions.div_ceil(setting.lanes as u64);
    Some(lanes.max(read.div_ceil(BEAT)).max(written.div_ceil(BEAT)))
}

/// What has been placed of the SM of this size: the whole of it first, then its blocks.
pub fn placed<'a>(all: &'a [Block], of: &Setting) -> Vec<&'a Block> {
    let size = (of.warps, of.threads, of.lanes);
    let same = |b: &&Block| (b.warps, b.threads, b.lanes) == size;
    let placed = |name: &str| all.iter().filter(same).find(|b| b.name == name);
    [WHOLE]
        .into_iter()
        .chain(BLOCKS)
        .filter_map(placed)
        .collect()
}

/// Nanoseconds of a cycle: of the whole. A path through several blocks is in none of them.
pub fn period(all: &[Block], of: &Setting) -> Option<f64> {
    let first = *placed(all, of).first()?;
    (first.name == WHOLE).then_some(1000.0 / first.mhz)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(kernel: &'static str, size: u32, thread_instructions: u64) -> SmRow {
        SmRow {
            kernel: kernel.into(),
            size: Some(size),
            cycles: 100_000,
            instructions: 0,
            thread_instructions,
            by_reason: Vec::new(),
            accesses: 0,
            lines: 0,
            transfers: 0,
            reads: 0,
            hits: 0,
        }
    }

    #[test]
    fn the_roofline_is_the_larger_of_lanes_and_beats() {
        let setting = |shape| Setting::new(shape, 20);
        // Nine instructions per element, eight bytes to read: on four lanes the lanes, on 32 the port.
        let vecadd = row("vecadd", 1000, 9000);
        assert_eq!(roofline(&setting(Shape::TINY), &vecadd), Some(2250));
        assert_eq!(roofline(&setting(Shape::WIDE), &vecadd), Some(1000));
        // What a kernel writes does not hold up what it reads.
        let transpose = row("transpose", 31, 0);
        assert_eq!(roofline(&setting(Shape::WIDE), &transpose), Some(481));
        assert_eq!(roofline(&setting(Shape::WIDE), &row("bfs", 1, 9)), None);
    }

    /// A size of which only blocks have been placed has no clock.
    #[test]
    fn the_period_is_that_of_the_whole() {
        let block = |name: &'static str, mhz| Block {
            name: name.into(),
            warps: 4,
            threads: 4,
            lanes: 4,
            mhz,
            lut4: None,
            ff: None,
            bram: None,
            path: None,
            commit: String::new(),
        };
        let mut all: Vec<Block> = BLOCKS.map(|name| block(name, 100.0)).into();
        all.push(block(WHOLE, 50.0));
        let (tiny, compact) = (
            Setting::new(Shape::TINY, 20),
            Setting::new(Shape::COMPACT, 20),
        );
        assert_eq!(period(&all, &tiny), Some(20.0));
        assert_eq!(period(&all, &compact), None);
        assert_eq!(period(&all[..BLOCKS.len()], &tiny), None);
    }

    /// Every kernel that is measured has a roofline.
    #[test]
    fn kernels_have_traffic() {
        for of in compared().unwrap().iter().chain(&large().unwrap()) {
            let traffic = traffic(of.kernel.name, of.size.unwrap());
            assert!(traffic.is_some(), "{}", of.kernel.name);
        }
    }
}
