//! What kernels take on an FPGA: cycles times the period of the slowest block, beside what nothing can beat and beside
//! another core on the same FPGA.

use super::area::BLOCKS;
use super::report::Area;
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

const LATENCIES: [u32; 3] = [20, 100, 300];

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

/// Bytes of a beat at the memory port.
pub const BEAT: u64 = Shape::TINY.data as u64 / 8;

/// All settings, one after the other; `done` gets each as soon as it is there. Needs Verilator.
pub fn measure(full: bool, done: &mut dyn FnMut(Setting) -> Result<()>) -> Result<()> {
    let kernels = (compared()?, large()?);
    for (shape, _) in SIZES.into_iter().filter(|(_, long)| full || !long) {
        for latency in LATENCIES {
            let mut setting = Setting::new(shape, latency);
            println!("{}, memory latency {latency}", setting.shape());
            let small = everything(shape, latency);
            let mut wide = SmOptions {
                cycles: Some(u64::MAX),
                ..small.clone()
            };
            wide.machine.memory = LARGE_MEMORY;
            let small = kernels.0.iter().map(|of| (of, &small));
            let wide = kernels.1.iter().map(|of| (of, &wide));
            for (of, o) in small.chain(wide) {
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

/// The blocks of the SM of this size, if all have been placed; the slowest first.
pub fn blocks<'a>(area: &'a [Area], setting: &Setting) -> Option<Vec<&'a Area>> {
    let size = (setting.warps, setting.threads, setting.lanes);
    let placed = |name: &str| {
        area.iter().find(|a| {
            let block = a.block.as_ref();
            let of = |lanes| (a.warps, a.threads, lanes) == size;
            a.unit == "weft_sm" && block.is_some_and(|b| b.name == name && of(b.lanes))
        })
    };
    let mut blocks = BLOCKS.into_iter().map(placed).collect::<Option<Vec<_>>>()?;
    blocks.sort_by(|a, b| a.fmax_mhz.median.total_cmp(&b.fmax_mhz.median));
    Some(blocks)
}

/// Nanoseconds of a cycle: of the slowest block.
pub fn period(area: &[Area], setting: &Setting) -> Option<f64> {
    let slowest = *blocks(area, setting)?.first()?;
    Some(1000.0 / slowest.fmax_mhz.median)
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

    /// Every kernel that is measured has a roofline.
    #[test]
    fn kernels_have_traffic() {
        for of in compared().unwrap().iter().chain(&large().unwrap()) {
            let traffic = traffic(of.kernel.name, of.size.unwrap());
            assert!(traffic.is_some(), "{}", of.kernel.name);
        }
    }
}
