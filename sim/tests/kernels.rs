//! The kernels with barriers on the golden machine; what must come out is worked out here.

use weft_sim::{Config, Limits, Machine, Outcome, PathPolicy, Watchdog};

struct Ran {
    machine: Machine,
    program: weft_isa::Program,
}

impl Ran {
    fn words(&self, symbol: &str, count: usize) -> Vec<u32> {
        let at = self.program.symbols[symbol];
        let bytes = self.machine.memory().slice(at..at + 4 * count as u32);
        let bytes = bytes.expect("mapped").chunks_exact(4);
        bytes
            .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            .collect()
    }

    fn threads(&self) -> usize {
        self.machine.config().grid_size() as usize
    }
}

const SHAPES: [(usize, usize, Option<u32>); 6] = [
    (1, 4, None),
    (4, 8, None),
    (16, 32, None),
    (4, 32, Some(101)),
    (8, 4, Some(30)),
    (3, 64, None),
];

fn text() -> Vec<u8> {
    let mut text = include_bytes!("../../kernels/data/gettysburg").to_vec();
    text.truncate(2048);
    text
}

/// Runs a kernel in many shapes and under many policies.
fn run(source: &str, check: impl Fn(&Ran, &str)) {
    run_where(source, |_| true, check);
}

fn run_where(source: &str, fits: impl Fn(&Config) -> bool, check: impl Fn(&Ran, &str)) {
    let program = weft_isa::assemble(source, "kernel.asm").unwrap_or_else(|e| panic!("{e}"));
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
                let mut machine = Machine::new(&program, &config).expect("a valid shape");
                if let Some(&at) = program.symbols.get("text") {
                    machine
                        .memory_mut()
                        .write_bytes(at, &text())
                        .expect("mapped");
                }
                let limits = Limits {
                    watchdog: Some(Watchdog {
                        instructions: 200_000,
                    }),
                    instructions: Some(20_000_000),
                };
                let outcome = machine.run(&limits, |_| {});
                let shape = format!(
                    "{warps}x{threads} {grid:?} {path:?} yield {yield_every} {forced_yield}"
                );
                assert_eq!(outcome, Outcome::Done, "{shape}");
                assert_eq!(machine.barrier_errors(), [], "{shape}");
                let ran = Ran {
                    machine,
                    program: program.clone(),
                };
                check(&ran, &shape);
            }
        }
    }
}

fn letters() -> Vec<u8> {
    let letters = text().into_iter().filter(u8::is_ascii_alphabetic);
    letters.collect()
}

#[test]
fn compaction_equals_the_sequential_result() {
    run(
        include_str!("../../kernels/bar_compact.asm"),
        |ran, shape| {
            let expected = letters();
            assert_eq!(ran.words("length", 1)[0], expected.len() as u32, "{shape}");
            let at = ran.program.symbols["letters"];
            let found = ran.machine.memory().slice(at..at + expected.len() as u32);
            assert!(found == Some(&expected[..]), "{shape}");
        },
    );
}

#[test]
fn histogram_in_a_section_loses_nothing() {
    run(
        include_str!("../../kernels/bar_histogram.asm"),
        |ran, shape| {
            let mut expected = vec![0u32; 26];
            for letter in letters() {
                expected[usize::from(letter.to_ascii_lowercase() - b'a')] += 1;
            }
            assert_eq!(ran.words("counts", 26), expected, "{shape}");
        },
    );
}

#[test]
fn reduction_with_bar_sync() {
    run(
        include_str!("../../kernels/bar_reduce.asm"),
        |ran, shape| {
            let n = ran.threads() as u32;
            let expected: u32 = (0..n).map(|t| t * t + 1).sum();
            assert_eq!(ran.words("sum", 1), [expected], "{shape}");
        },
    );
}

#[test]
fn pipeline_with_arrive_and_wait() {
    // Both warps have to be there as a whole.
    let fits = |c: &Config| c.warps >= 2 && c.grid_size() as usize >= 2 * c.threads;
    run_where(
        include_str!("../../kernels/bar_pipeline.asm"),
        fits,
        |ran, shape| {
            let config = ran.machine.config();
            let squares: u32 = (0..32).map(|r| r * r).sum();
            let expected: Vec<u32> = (1..=config.threads as u32).map(|l| l * squares).collect();
            assert_eq!(ran.words("sums", config.threads), expected, "{shape}");
        },
    );
}

#[test]
fn resource_under_exclusive_sections() {
    run(
        include_str!("../../kernels/bar_resource.asm"),
        |ran, shape| {
            let n = ran.threads();
            let log = ran.words("log", 2 * n);
            assert!(log.chunks(2).all(|pair| pair[0] == pair[1]), "{shape}");
            for odd in [0, 1] {
                let order: Vec<u32> = log
                    .chunks(2)
                    .map(|p| p[0])
                    .filter(|t| t % 2 == odd)
                    .collect();
                let expected: Vec<u32> = (0..n as u32).filter(|t| t % 2 == odd).collect();
                assert_eq!(order, expected, "{shape}");
            }
        },
    );
}

#[test]
fn speed_bump_never_stops_anybody() {
    const ARRAY: [u32; 16] = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3];
    run(include_str!("../../kernels/bar_bump.asm"), |ran, shape| {
        let sum = |t: usize| ARRAY[..=t % 16].iter().sum::<u32>();
        let expected: Vec<u32> = (0..ran.threads()).map(sum).collect();
        assert_eq!(ran.words("sums", ran.threads()), expected, "{shape}");
    });
}
