//! The last part of `weft demo`: a kernel that launches kernels, on `weft_gpu` under Verilator, beside the same work
//! launched by the host.

use crate::{kernels, program};
use anyhow::Result;
use serde::Serialize;
use std::cell::RefCell;
use std::rc::Rc;
use weft_driver::nested::bfs::{self, Graph};
use weft_driver::nested::{By, Took};
use weft_driver::{Device, Golden, Gpu};
use weft_isa::Program;
use weft_sim::host::Size;
use weft_testbench::dut::RtlKind;
use weft_testbench::gpu::device::{design, TINY};
use weft_testbench::gpu::{Caches, Cycle, GpuOptions, VerilatedGpu};
use weft_testbench::rtl::{self, library::Wanted};
use weft_testbench::tasks::device::kind;

/// The kernel, and a value for gp: of that a linker makes use, and here is none.
const SOURCES: [(&str, &str); 2] = [
    (
        "kernels/nested/bfs.s",
        include_str!("../../kernels/nested/bfs.s"),
    ),
    ("gp", "\t.data\n__global_pointer$:\n\t.word\t0\n"),
];
/// Entries of the work queue.
const RING: u32 = 16;

/// Who launched, and what it took.
#[derive(Serialize)]
pub struct Row {
    children_by: &'static str,
    host_launches: u32,
    waits: u32,
    tasks: u32,
    ctas: u32,
    warp_instructions: u64,
    cycles: u64,
    /// Cycles from the last instruction of a grid to the first of the next one, the mean.
    between_grids: f64,
    pub as_it_must_be: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    finding: Option<String>,
}

/// Makes the model of the hardware.
pub fn prepare() -> Result<()> {
    let wanted = Wanted {
        kind: RtlKind::Verilated,
        design: design(&TINY, &Caches::default())?,
        breakable: false,
        waves: false,
    };
    Ok(rtl::library::prepare(&[wanted])?)
}

/// When nothing was issued because a grid had ended and the next one had not begun.
#[derive(Default)]
struct Pauses {
    last: Option<u64>,
    started: bool,
    cycles: Vec<u64>,
}

impl Pauses {
    fn see(&mut self, number: u64, cycle: &Cycle) {
        self.started |= cycle.task.is_some_and(|step| step.kind == kind::START);
        if cycle.issues.iter().any(Option::is_some) {
            if std::mem::take(&mut self.started) {
                self.cycles.extend(self.last.map(|last| number - last));
            }
            self.last = Some(number);
        }
    }

    fn mean(&self) -> f64 {
        self.cycles.iter().sum::<u64>() as f64 / self.cycles.len().max(1) as f64
    }
}

/// On the hardware by the host and by threads, shown and compared with the golden GPU.
pub fn run() -> Result<Vec<Row>> {
    let program = program::assemble_all(&SOURCES)?;
    let graph = Graph {
        rows: kernels::input_words("bfs", "rows"),
        columns: kernels::input_words("bfs", "columns"),
    };
    let Size {
        warps,
        threads,
        lanes,
        ..
    } = TINY;
    println!(
        "Kernels that launch kernels, on weft_gpu (generated Verilog under Verilator): one SM of {warps} warps x {threads} threads on \
         {lanes} lanes.\nBreadth-first search among {} people, a grid for each frontier; compared with plain Rust and the golden GPU\n",
        graph.rows.len() - 1
    );
    println!(
        "{:<12} {:>13} {:>6} {:>6} {:>6} {:>8} {:>8} {:>14}  ending",
        "launched by",
        "host launches",
        "waits",
        "tasks",
        "CTAs",
        "instr.",
        "cycles",
        "between grids"
    );
    let mut rows = Vec::new();
    for by in [By::Host, By::Threads] {
        let row = one(&program, &graph, by)?;
        let ending = match row.as_it_must_be {
            true => "done; model and result equal",
            false => "WRONG, see below",
        };
        println!(
            "{:<12} {:>13} {:>6} {:>6} {:>6} {:>8} {:>8} {:>14.0}  {ending}",
            row.children_by,
            row.host_launches,
            row.waits,
            row.tasks,
            row.ctas,
            row.warp_instructions,
            row.cycles,
            row.between_grids
        );
        rows.push(row);
    }
    foot(&rows);
    Ok(rows)
}

fn one(program: &Program, graph: &Graph, by: By) -> Result<Row> {
    let options = GpuOptions::default();
    let mut hardware = VerilatedGpu::open(&options)?;
    let pauses = Rc::new(RefCell::new(Pauses::default()));
    let seen = pauses.clone();
    hardware.observe(move |number, cycle| seen.borrow_mut().see(number, cycle));
    let took = search(hardware, program, graph, by);
    let golden = search(Golden::new(TINY, options.memory), program, graph, by)?;
    let work = |took: &Took| {
        (
            took.host_launches,
            took.counters.tasks_done,
            took.counters.ctas,
        )
    };
    let (took, finding) = match took {
        Ok(took) if work(&took) == work(&golden) => (took, None),
        Ok(took) => (
            took,
            Some(format!(
                "launches, tasks and CTAs {:?}, on the golden GPU {:?}",
                work(&took),
                work(&golden)
            )),
        ),
        Err(error) => (Took::default(), Some(error.to_string())),
    };
    let between_grids = pauses.borrow().mean();
    Ok(Row {
        children_by: match by {
            By::Host => "the host",
            By::Threads => "threads",
        },
        host_launches: took.host_launches,
        waits: took.waits,
        tasks: took.counters.tasks_done,
        ctas: took.counters.ctas,
        warp_instructions: took.counters.instructions,
        cycles: took.counters.cycles.unwrap_or_default(),
        between_grids,
        as_it_must_be: finding.is_none(),
        finding,
    })
}

fn search<D: Device>(
    device: D,
    program: &Program,
    graph: &Graph,
    by: By,
) -> Result<Took, weft_driver::Error> {
    let mut gpu = Gpu::open(device)?;
    let module = gpu.load_program(program)?;
    bfs::search(&mut gpu, module, graph, 0, by, RING)
}

fn foot(rows: &[Row]) {
    println!(
        "\nbetween grids: cycles from the last instruction of a grid to the first of the next one, the mean."
    );
    if let [host, threads] = rows {
        let further = u64::from(host.waits.saturating_sub(threads.waits)).max(1);
        let each = threads.cycles.saturating_sub(host.cycles).div_ceil(further);
        println!(
            "This host looks at its semaphore all the time and needs no time itself. \
             Threads are faster than one that needs\n{each} cycles for each of {further} further waits."
        );
    }
    for row in rows {
        if let Some(finding) = &row.finding {
            eprintln!("\nlaunched by {}: {finding}", row.children_by);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_is_from_the_last_instruction_to_the_first_behind_a_start() {
        let issue = |number| {
            let mut cycle = Cycle::default();
            cycle.issues[0] = Some((0, 0x1000));
            (number, cycle)
        };
        let start = |number| {
            let task = weft_testbench::tasks::device::Step {
                kind: kind::START,
                task: 0,
                slot: 0,
                code: 0,
                place: 0,
                source: 0,
                sm: 0,
                cta: 0,
                position: 0,
                entries: 0,
                flag: false,
            };
            (
                number,
                Cycle {
                    task: Some(task),
                    ..Cycle::default()
                },
            )
        };
        let mut pauses = Pauses::default();
        // Before the first grid there is none to wait for.
        for (number, cycle) in [
            start(5),
            issue(10),
            issue(30),
            start(40),
            issue(100),
            issue(200),
            start(250),
            issue(260),
        ] {
            pauses.see(number, &cycle);
        }
        assert_eq!(pauses.cycles, [70, 60]);
        assert_eq!(pauses.mean(), 65.0);
    }

    /// The text that is checked in does the work on the golden GPU, by either way, and a wrong graph is noticed there.
    #[test]
    fn the_search_is_right_on_the_golden_gpu() {
        let program = program::assemble_all(&SOURCES).unwrap();
        let graph = Graph {
            rows: kernels::input_words("bfs", "rows"),
            columns: kernels::input_words("bfs", "columns"),
        };
        for (by, tasks) in [(By::Host, 4), (By::Threads, 5)] {
            let took = search(Golden::new(TINY, 1 << 20), &program, &graph, by).unwrap();
            assert_eq!(took.counters.tasks_done, tasks);
        }
        let mut broken = program.clone();
        let level = broken.symbols["weft_body_level"];
        let segment = broken.segments.iter_mut();
        let mut segment = segment.filter(|s| s.range().contains(&level));
        let segment = segment.next().unwrap();
        let at = (level - segment.address) as usize;
        // exit
        segment.bytes[at..at + 4].copy_from_slice(&0x0000_205bu32.to_le_bytes());
        assert!(search(Golden::new(TINY, 1 << 20), &broken, &graph, By::Host).is_err());
    }
}
