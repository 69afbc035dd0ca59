//! The kernels with barriers: on the golden machine in many shapes, and on the whole core `weft_core` in lockstep;
//! the right results.

mod common;

use common::kernels::{Kernel, BARRIER_KERNELS};
use common::{assembled, data};
use weft_sim::{Config, Limits, Machine, Outcome, PathPolicy, Watchdog};

/// Warps, threads per warp, grid.
const SHAPES: [(usize, usize, Option<u32>); 6] = [
    (1, 4, None),
    (4, 8, None),
    (16, 32, None),
    (4, 32, Some(101)),
    (8, 4, Some(30)),
    (3, 64, None),
];

fn kernel(name: &str) -> &'static Kernel {
    let mut all = BARRIER_KERNELS.iter();
    all.find(|k| k.name == name).expect("a kernel of that name")
}

/// In many shapes and under many policies.
fn on_the_golden_machine(name: &str, fits: impl Fn(&Config) -> bool) {
    let kernel = kernel(name);
    let program = assembled(kernel);
    for (warps, threads, grid) in SHAPES {
        for path in PathPolicy::ALL {
            for (yield_every, forced_yield) in [(1, 1024), (0, 0), (0, 7)] {
                let config = Config {
                    warps,
                    threads,
                    grid,
                    path,
                    yield_every,
                    forced_yield,
                    stack: 256,
                    memory: 1 << 20,
                    ..Config::default()
                };
                if !fits(&config) {
                    continue;
                }
                let shape = format!(
                    "{name}: {warps}x{threads} {grid:?} {path:?} yield {yield_every} {forced_yield}"
                );
                let mut machine = Machine::new(&program, &config).expect("a valid shape");
                for (symbol, file, contents) in kernel.inputs {
                    let bytes = data::memory_bytes(file, contents).expect("data of a kernel");
                    let at = program.symbols[*symbol];
                    machine
                        .memory_mut()
                        .write_bytes(at, &bytes)
                        .expect("mapped");
                }
                let limits = Limits {
                    watchdog: Some(Watchdog {
                        instructions: 200_000,
                    }),
                    instructions: Some(20_000_000),
                    ..Limits::default()
                };
                let outcome = machine.run(&limits, |_| {});
                assert_eq!(outcome, Outcome::Done, "{shape}");
                kernel
                    .check_memory(&program, &config, machine.memory())
                    .unwrap_or_else(|wrong| panic!("{shape}: {wrong}"));
            }
        }
    }
}

#[test]
fn compaction_equals_the_sequential_result() {
    on_the_golden_machine("bar_compact", |_| true);
}

#[test]
fn histogram_in_a_section_loses_nothing() {
    on_the_golden_machine("bar_histogram", |_| true);
}

#[test]
fn reduction_with_bar_sync() {
    on_the_golden_machine("bar_reduce", |_| true);
}

#[test]
fn pipeline_with_arrive_and_wait() {
    // Both warps have to be there as a whole.
    on_the_golden_machine("bar_pipeline", |c| {
        c.warps >= 2 && c.grid_size() as usize >= 2 * c.threads
    });
}

#[test]
fn resource_under_exclusive_sections() {
    on_the_golden_machine("bar_resource", |_| true);
}

#[test]
fn barriers_in_c() {
    on_the_golden_machine("bar_blocks", |_| true);
}

#[test]
fn speed_bump_never_stops_anybody() {
    on_the_golden_machine("bar_bump", |_| true);
}

mod core {
    use super::*;
    use common::{assembled_as, run_on_the_core};
    use weft_isa::Program;
    use weft_sim::{Cache, CacheShape};
    use weft_testbench::core::{CoreReport, Pick, Width};

    /// Four lines of the 23 that `bar_bump` walks over.
    const CACHE: CacheShape = CacheShape {
        line: 64,
        sets: 1,
        ways: 4,
    };

    fn run(kernel: &Kernel, program: &Program, width: Width, policy: Pick) -> CoreReport {
        run_on_the_core(kernel, program, Some(CACHE), (width, policy))
    }

    fn all(width: Width) {
        for (kernel, policy) in BARRIER_KERNELS.iter().zip(Pick::ALL.into_iter().cycle()) {
            run(kernel, &assembled(kernel), width, policy);
        }
    }

    #[test]
    fn kernels_on_16x32_single() {
        all(Width::Single);
    }

    #[test]
    fn kernels_on_16x32_dual() {
        all(Width::Dual);
    }

    #[test]
    fn kernels_on_16x32_two() {
        all(Width::Two);
    }

    /// [84]: what the impatient barrier is for.
    #[test]
    fn speed_bump_keeps_lines_together() {
        let bump = kernel("bar_bump");
        let text = bump.source.1;
        let smooth = text.replace("bar.top 6, s1", "nop");
        assert_ne!(smooth, text);
        let smooth = assembled_as(bump, &smooth);
        for policy in Pick::FAIR {
            let with = run(bump, &assembled(bump), Width::Single, policy);
            let without = run(bump, &smooth, Width::Single, policy);
            let counts = |r: &CoreReport| {
                let cache = r.ctas[0].cache.as_ref();
                cache.map_or((0, 0), |c: &Cache| (c.misses, c.accesses))
            };
            let ((misses, accesses), (others, same)) = (counts(&with), counts(&without));
            println!(
                "{}: misses {misses} with the bump and {others} without, of {accesses} accesses; cycles {} and {}",
                policy.name(),
                with.cycles,
                without.cycles
            );
            assert_eq!(accesses, same);
            assert!(2 * misses < others, "{misses} and {others}");
        }
    }
}
