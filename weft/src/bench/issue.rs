//! How many instructions per cycle the whole core issues, and why not more.
//!
//! Kernels whose work grows with the grid, and two made here, with 1 to 16 warps on one partition, every policy, single
//! and dual issue; on two and four partitions under age.
//! Then what one warp alone does from an issue to its next one.

use super::around::{options, MEMORY, RESOLVE};
use super::report::{Issue, IssueRow, Lone, PartitionRow};
use crate::kernels::{self, Kernel};
use crate::{demo, program};
use anyhow::{anyhow, ensure, Context, Result};
use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use weft_isa::Program;
use weft_sim::Config;
use weft_testbench::core::{run_program, CoreOptions, CoreReport, Counters, Pick, Width};
use weft_testbench::memory::MemoryTiming;
use weft_testbench::run_config::RunConfig;
use weft_testbench::timing::Latency;

/// Warps and threads of a partition, and how many warps have work.
const CORE: (usize, usize) = (16, 32);
const COUNTS: &[usize] = &[1, 2, 4, 8, 16];
/// The cores of several partitions, and how many warps have work.
const PARTITIONS: [(Width, &[usize]); 2] = [(Width::Two, &[16, 32]), (Width::Four, &[16, 32, 64])];

/// Kernels in which every thread, or every warp, has work of its own.
const SCALING: [&str; 8] = [
    "spin_lock",
    "nested",
    "calls",
    "recursion",
    "collatz",
    "collatz_tokens",
    "bar_compact",
    "bar_reduce",
];

/// Issue of one partition.
const OF_ONE_WARP: [Width; 2] = [Width::Single, Width::Dual];

/// A program of the bench.
pub struct Workload {
    pub name: &'static str,
    program: Program,
    kernel: Option<&'static Kernel>,
}

impl Workload {
    fn assembled(name: &'static str, text: &str) -> Result<Workload> {
        Ok(Workload {
            name,
            program: program::assemble(name, text)?,
            kernel: None,
        })
    }
}

/// Instructions in the body of the loops, and how often they run.
const BODY: usize = 96;
const ROUNDS: usize = 12;

/// Additions that do not depend on each other.
fn additions() -> String {
    let mut text = format!("    .globl _start\n_start:\n    li s0, {ROUNDS}\nloop:\n");
    for n in 0..BODY {
        let _ = writeln!(text, "    addi x{}, a0, {n}", 12 + n % 16);
    }
    text + "    addi s0, s0, -1\n    bnez s0, loop\n    exit\n"
}

/// In turns an addition and a load or store: what is loaded is added four loads later, and every fourth access is a
/// store.
fn mixed() -> String {
    let mut text = format!(
        "    .globl _start\n_start:\n    li s0, {ROUNDS}\n    la s1, place\n    slli t0, a0, 2\n    add s1, s1, t0\nloop:\n"
    );
    for n in 0..BODY / 2 {
        let (sum, loaded, new) = (12 + n % 6, 18 + (n + 4) % 8, 18 + n % 8);
        let _ = writeln!(text, "    add x{sum}, a0, x{loaded}");
        let _ = match n % 4 {
            3 => writeln!(text, "    sw a0, 0(s1)"),
            _ => writeln!(text, "    lw x{new}, 0(s1)"),
        };
    }
    text += "    addi s0, s0, -1\n    bnez s0, loop\n    exit\n";
    let room = 4 * kernels::MOST_THREADS;
    text + &format!("    .bss\n    .align 2\nplace:\n    .zero {room}\n")
}

fn workloads() -> Result<Vec<Workload>> {
    let mut all = vec![
        Workload::assembled("additions", &additions())?,
        Workload::assembled("additions+memory", &mixed())?,
    ];
    for name in SCALING {
        let kernel = kernels::find(name).with_context(|| format!("no kernel {name}"))?;
        all.push(Workload {
            name: kernel.name,
            program: demo::build(kernel)?,
            kernel: Some(kernel),
        });
    }
    Ok(all)
}

/// Shares of the cycles from the first launch to the end; what was counted before and after that was idle.
fn shares(counters: &Counters, cycles: u64) -> [f64; 6] {
    let mut reasons = counters.reasons.map(u64::from);
    let around = u64::from(counters.cycles()).saturating_sub(cycles);
    reasons[5] = reasons[5].saturating_sub(around);
    let all = reasons.iter().sum::<u64>().max(1);
    reasons.map(|n| n as f64 / all as f64)
}

fn run_once(
    workload: &Workload,
    (room, threads): (usize, usize),
    warps: usize,
    options: &CoreOptions,
) -> Result<CoreReport> {
    let grid = (warps * threads) as u32;
    let config = RunConfig {
        machine: Config {
            warps: room,
            threads,
            grid: Some(grid),
            memory: 16 << 20,
            ..Config::default()
        },
        tokens: MemoryTiming::fixed(MEMORY),
        ..RunConfig::default()
    };
    let what = || {
        let Workload { name, .. } = workload;
        format!("{name}, {warps} warps of {room}x{threads}, {options:?}")
    };
    let report = run_program(&workload.program, &config, options).with_context(what)?;
    let cta = &report.ctas[0];
    ensure!(
        !cta.failed,
        "{}: the program has failed: {:?}",
        what(),
        cta.faults
    );
    if let Some(kernel) = workload.kernel {
        let ran = Config {
            warps,
            ..config.machine.clone()
        };
        kernel
            .check_memory(&workload.program, &ran, &cta.memory)
            .map_err(|wrong| anyhow!("{}: {wrong}", what()))?;
    }
    Ok(report)
}

fn row(
    workload: &Workload,
    size: (usize, usize),
    warps: usize,
    policy: Pick,
    width: Width,
) -> Result<IssueRow> {
    let report = run_once(workload, size, warps, &options(width, policy, RESOLVE))?;
    Ok(IssueRow {
        program: workload.name.into(),
        warps,
        policy: policy.name().into(),
        width: 1 + usize::from(width.is_dual()),
        ipc: report.ipc,
        cycles: report.cycles,
        instructions: report.issued,
        two: report.dual_cycles,
        shares: shares(&report.counters, report.cycles),
    })
}

/// All numbers of warps, policies and widths, in this order.
fn rows(workload: &Workload, size: (usize, usize), counts: &[usize]) -> Result<Vec<IssueRow>> {
    let mut wanted = Vec::new();
    for &warps in counts {
        for policy in Pick::ALL {
            wanted.extend(OF_ONE_WARP.map(|width| (warps, policy, width)));
        }
    }
    all_of(&wanted, |&(warps, policy, width)| {
        row(workload, size, warps, policy, width)
    })
}

/// The same on several partitions, under age.
fn partition_rows(
    workload: &Workload,
    (each, threads): (usize, usize),
    cores: &[(Width, &[usize])],
) -> Result<Vec<PartitionRow>> {
    let wanted: Vec<_> = cores
        .iter()
        .flat_map(|&(width, counts)| counts.iter().map(move |&warps| (width, warps)))
        // Kernels have room for so many threads.
        .filter(|&(_, warps)| {
            workload.kernel.is_none() || warps * threads <= kernels::MOST_THREADS as usize
        })
        .collect();
    all_of(&wanted, |&(width, warps)| {
        let partitions = width.partitions();
        let size = (each * partitions, threads);
        let report = run_once(workload, size, warps, &options(width, Pick::Age, RESOLVE))?;
        Ok(PartitionRow {
            program: workload.name.into(),
            partitions,
            warps,
            ipc: report.ipc,
            cycles: report.cycles,
            instructions: report.issued,
            several: report.dual_cycles,
        })
    })
}

/// As many at once as there are processors; in their order.
fn all_of<W: Sync, T: Send>(
    wanted: &[W],
    measure: impl Fn(&W) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        // The longest ones first.
        while let Some(left) = wanted
            .len()
            .checked_sub(1 + next.fetch_add(1, Ordering::Relaxed))
        {
            done.push((left, measure(&wanted[left])));
        }
        done
    };
    let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let mut done = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..processors).map(|_| scope.spawn(work)).collect();
        let results = workers.into_iter().map(|w| w.join().expect("no panic"));
        results.flatten().collect::<Vec<_>>()
    });
    done.sort_by_key(|(n, _)| *n);
    done.into_iter().map(|(_, row)| row).collect()
}

const TURNS: u32 = 200;

/// A loop whose body is `repeat` times `piece`; `@` in it is its number.
fn turns(piece: &str, repeat: usize) -> String {
    let mut text = format!(
        "    .globl _start\n_start:\n    li s0, {TURNS}\n    la s1, place\n    j loop\n    .align 7\nloop:\n    addi s0, s0, -1\n"
    );
    for n in 0..repeat {
        text += &piece.replace('@', &n.to_string());
    }
    text + "    bnez s0, loop\n    exit\n    .bss\n    .align 2\nplace:\n    .zero 64\n"
}

/// What it is, its text (one or more instructions), instructions that count, and the numbers of them that are compared.
const PIECES: &[(&str, &str, u32, [usize; 2])] = &[
    ("independent additions", "    addi x1@, a0, 1\n", 1, [2, 10]),
    (
        "additions and loads in turns",
        "    addi x2@, a0, 1\n    lw x1@, 0(s1)\n",
        2,
        [2, 6],
    ),
    (
        "branch, not taken",
        "    bne a0, a0, on@\non@:\n",
        1,
        [2, 10],
    ),
    (
        "branch, taken, same line",
        "    beq a0, a0, on@\n    nop\non@:\n",
        1,
        [2, 6],
    ),
    (
        "branch, taken, a line that must be fetched",
        "    beq a0, a0, on@\n    .align 7\non@:\n",
        1,
        [4, 12],
    ),
    (
        "SSY and SYNC, mean of the two",
        "    ssy on@\n    sync on@\non@:\n",
        2,
        [2, 6],
    ),
];

/// Issue to issue of one warp alone: what every further piece adds to the turn of a loop.
fn lone(size: (usize, usize)) -> Result<Vec<Lone>> {
    let mut all = Vec::new();
    for &(what, piece, counts, repeats) in PIECES {
        let [few, many] = repeats.map(|repeat| Workload::assembled(what, &turns(piece, repeat)));
        let (few, many) = (few?, many?);
        let control = !piece.contains("addi");
        for width in OF_ONE_WARP {
            for resolve in [1, RESOLVE] {
                if resolve != 1 && !control {
                    continue;
                }
                let options = CoreOptions {
                    // Nothing but the core.
                    latencies: [4, 6, 20, 4, 4].map(Latency::Fixed),
                    ..options(width, Pick::Age, resolve)
                };
                let cycles = |workload| run_once(workload, size, 1, &options).map(|r| r.cycles);
                let more = cycles(&many)? as f64 - cycles(&few)? as f64;
                let pieces = TURNS * counts * (repeats[1] - repeats[0]) as u32;
                all.push(Lone {
                    what: what.into(),
                    width: 1 + usize::from(width.is_dual()),
                    resolve,
                    cycles: more / f64::from(pieces),
                });
            }
        }
    }
    Ok(all)
}

fn percent(shares: &[f64; 6]) -> String {
    shares.iter().fold(String::new(), |mut text, share| {
        let _ = write!(text, "{:>5.0}", 100.0 * share);
        text
    })
}

fn print_head((warps, threads): (usize, usize)) {
    println!("core of {warps} warps x {threads} threads; cycles: addition 4, multiplication 6, load and store 0 to 40, resolve {RESOLVE}, memory of lines and of tokens {MEMORY}");
    println!("IPC = instructions issued per cycle, from the first launch to the last end; then % of the cycles by reason:");
    println!("ISSUE, UNIT (not free, or granted already), HAZARD (a register is awaited), FETCH, CONTROL (a resolve is awaited), IDLE\n");
    let reasons = "   ISS UNIT  HAZ  FET  CON IDLE";
    println!(
        "{:<17}{:>5}  {:<19}{:>6}{reasons}   {:>6}{reasons}",
        "program", "warps", "policy", "IPC 1", "IPC 2"
    );
}

fn print_rows(rows: &[IssueRow]) {
    for pair in rows.chunks(2) {
        let [one, two] = pair else { continue };
        println!(
            "{:<17}{:>5}  {:<19}{:>6.3} {}   {:>6.3} {}",
            one.program,
            one.warps,
            one.policy,
            one.ipc,
            percent(&one.shares),
            two.ipc,
            percent(&two.shares)
        );
    }
    println!();
}

fn print_partitions(rows: &[PartitionRow]) {
    for row in rows {
        println!(
            "{:<17}{:>5}  {} partitions, IPC {:.3}",
            row.program, row.warps, row.partitions, row.ipc
        );
    }
    println!();
}

pub fn measure() -> Result<Issue> {
    print_head(CORE);
    let (mut all, mut partitions) = (Vec::new(), Vec::new());
    for workload in workloads()? {
        let rows = rows(&workload, CORE, COUNTS)?;
        print_rows(&rows);
        all.extend(rows);
        let rows = partition_rows(&workload, CORE, &PARTITIONS)?;
        print_partitions(&rows);
        partitions.extend(rows);
    }
    let lone = lone(CORE)?;
    println!("one warp alone, cycles from an issue to the next one");
    for l in &lone {
        println!(
            "  {:<44} width {}, resolve after {}: {:.2}",
            l.what, l.width, l.resolve, l.cycles
        );
    }
    println!();
    Ok(Issue {
        warps: CORE.0,
        threads: CORE.1,
        reasons: Counters::REASONS.map(Into::into).to_vec(),
        rows: all,
        partitions,
        lone_warp: lone,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_assemble_and_fit_their_lines() {
        assert_eq!(workloads().unwrap().len(), 2 + SCALING.len());
        for (what, piece, _, repeats) in PIECES {
            for repeat in repeats {
                let text = turns(piece, *repeat);
                Workload::assembled(what, &text).unwrap();
                let instructions = text[text.find("loop:\n").unwrap()..]
                    .lines()
                    .filter(|line| line.starts_with("    ") && !line.trim().starts_with('.'))
                    .count();
                // `exit` may stand in the next line.
                assert!(instructions <= 17, "{what}: {instructions}");
            }
        }
    }

    #[test]
    fn cycles_around_the_run_do_not_count() {
        let counters = Counters {
            reasons: [40, 10, 20, 5, 5, 120],
            ..Counters::default()
        };
        assert_eq!(shares(&counters, 100), [0.4, 0.1, 0.2, 0.05, 0.05, 0.2]);
        assert_eq!(shares(&Counters::default(), 0), [0.0; 6]);
    }

    #[test]
    fn shares_add_up() {
        let workload = Workload::assembled("additions+memory", &mixed()).unwrap();
        let rows = rows(&workload, (4, 4), &[1, 4]).unwrap();
        assert_eq!(rows.len(), 12);
        for row in &rows {
            assert!((row.shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            assert_eq!(row.width == 1, row.two == 0, "{row:?}");
            let instructions = row.shares[0] * row.cycles as f64 + row.two as f64;
            assert!(
                (instructions - row.instructions as f64).abs() < 2.0,
                "{row:?}"
            );
        }
        let cores: [(Width, &[usize]); 2] = [(Width::Two, &[1, 8]), (Width::Four, &[1, 16])];
        let rows = partition_rows(&workload, (4, 4), &cores).unwrap();
        assert_eq!(rows.len(), 4);
        for row in &rows {
            assert_eq!(row.warps == 1, row.several == 0, "{row:?}");
            let most = if row.warps == 1 {
                0.4
            } else {
                row.partitions as f64
            };
            assert!(row.ipc < most, "{row:?}");
        }
        assert!(lone((4, 4)).unwrap().iter().all(|l| l.cycles > 0.0));
    }
}
