//! `weft_float` against the golden model's arithmetic: edges with edges in every mode, random operands that come near
//! what is hard, and the order of what it gives (docs/spec/float.md).

#[path = "common/environment.rs"]
mod environment;

use environment::number;
use rand::Rng as _;
use std::sync::Arc;
use std::time::Instant;
use weft_testbench::case::case_seed;
use weft_testbench::float::bench::{passes, Bench, Count, Pace};
use weft_testbench::float::code::{self, ALL, MODES};
use weft_testbench::float::cosim::{cosim, mixed, run, triple, SHAPES};
use weft_testbench::float::cover::Cover;
use weft_testbench::float::device::{Device, Inputs, Shape};
use weft_testbench::float::operands::edges;
use weft_testbench::float::words::{Sweep, CODES};
use weft_testbench::float::Pass;
use weft_testbench::rtl::faults::{self, Fault};
use weft_testbench::rtl::sliced::Gates;
use weft_testbench::seed::stream;

// A row in one, two and four turns.
const WIDE: Shape = SHAPES[0];
const HALF: Shape = SHAPES[1];
const QUARTER: Shape = SHAPES[2];

fn modes(code: u8) -> &'static [u8] {
    match code::rounds(code) {
        true => &MODES,
        false => &[7],
    }
}

/// Every code in every mode over all edges; fused ones over so many of their triples.
fn over_edges(bench: &mut Bench, shape: Shape, triples: usize, seed: u64) -> Result<(), String> {
    let edges = edges();
    assert!(edges.len() >= 100);
    let mut rng = stream(seed, "float edges");
    for code in 0..ALL {
        for &mode in modes(code) {
            let all: Vec<[u32; 3]> = match code::operands(code) {
                1 => edges.iter().map(|&a| [a, 0, 0]).collect(),
                2 => {
                    let pairs = edges
                        .iter()
                        .flat_map(|&a| edges.iter().map(move |&b| (a, b)));
                    pairs.map(|(a, b)| [a, b, 0x7f80_0000]).collect()
                }
                _ => {
                    let mut edge = || edges[rng.gen_range(0..edges.len())];
                    (0..triples).map(|_| [edge(), edge(), edge()]).collect()
                }
            };
            bench.run(passes(shape, code, mode, all), Pace::FULL)?;
        }
    }
    Ok(())
}

/// So many random operands of every code, of divisions and roots `slow`, in all modes in turn.
fn aimed_at(
    bench: &mut Bench,
    shape: Shape,
    (words, slow): (u64, u64),
    seed: u64,
) -> Result<(), String> {
    let edges = edges();
    let mut rng = stream(seed, "float operands");
    for code in 0..ALL {
        let modes = modes(code);
        for &mode in modes {
            let words = if code::is_slow(code) { slow } else { words } / modes.len() as u64;
            let all = (0..words).map(|_| triple(&mut rng, code, &edges));
            bench.run(passes(shape, code, mode, all), Pace::FULL)?;
        }
    }
    Ok(())
}

/// Four lanes: 2,048 words in a pass.
const GATES: Shape = Shape {
    lanes: 4,
    float: 4,
    parts: 1,
};

/// Passes of words in steps of `stride` from `first` on, for the codes with one operand; how many words that were.
fn every_word(gates: &Arc<Gates>, shape: Shape, stride: u64, first: u64) -> Result<u64, String> {
    let jobs = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let part = |job: u64| {
        let mut sweep = Sweep::new(shape, gates);
        let codes = CODES.into_iter().map(|code| {
            let all = Sweep::passes(shape, code);
            // Of roots there are a 256th of the words.
            let stride = if code == code::ROOT {
                stride.div_ceil(256)
            } else {
                stride
            };
            let passes = (first % stride..all).step_by(stride as usize);
            let words = sweep.run(code, passes.skip(job as usize).step_by(jobs as usize))?;
            println!("code {code}, part {job} of {jobs}: {words} words");
            Ok(words)
        });
        codes.sum::<Result<u64, String>>()
    };
    std::thread::scope(|scope| {
        let parts: Vec<_> = (0..jobs)
            .map(|job| scope.spawn(move || part(job)))
            .collect();
        let done = parts.into_iter().map(|part| part.join().expect("a part"));
        done.sum()
    })
}

/// All paces, with resets or without.
fn in_order(bench: &mut Bench, shape: Shape, count: usize, seed: u64) -> Result<(), String> {
    for (n, (sends, takes, refuses, resets)) in [
        (8, 8, 0, 0),
        (8, 3, 60, 0),
        (2, 8, 0, 0),
        (5, 5, 10, 0),
        (8, 1, 100, 0),
        (6, 6, 30, 150),
    ]
    .into_iter()
    .enumerate()
    {
        let pace = Pace {
            sends,
            takes,
            refuses,
            resets,
        };
        bench.run(mixed(shape, count, seed + n as u64), pace)?;
    }
    Ok(())
}

fn told(bench: &Bench, shape: Shape, since: Instant) -> Count {
    let count = bench.count;
    println!(
        "{} words; {shape:?}: {count:?}, {:.1} s",
        count.words,
        since.elapsed().as_secs_f64()
    );
    count
}

/// FLOAT-020 to FLOAT-022, FLOAT-030 to FLOAT-042.
#[test]
fn every_code_over_edges_and_random_operands() {
    let since = Instant::now();
    let mut bench = Bench::new(WIDE, None, 1).expect("a model");
    over_edges(&mut bench, WIDE, 40_000, 1).unwrap_or_else(|e| panic!("{e}"));
    let words = number("WEFT_FLOAT_WORDS", 120_000);
    let slow = number("WEFT_FLOAT_SLOW", words / 8);
    aimed_at(&mut bench, WIDE, (words, slow), 1).unwrap_or_else(|e| panic!("{e}"));
    let count = told(&bench, WIDE, since);
    assert!(count.words > 2_000_000, "{count:?}");
}

/// FLOAT-022, FLOAT-032, FLOAT-041.
#[test]
fn words_of_codes_with_one_operand() {
    let since = Instant::now();
    let gates = Sweep::gates(GATES, None).expect("gates");
    let made = since.elapsed().as_secs_f64();
    let stride = number("WEFT_FLOAT_STRIDE", 1_021);
    let first = number("WEFT_FLOAT_FIRST", 5);
    let words = every_word(&gates, GATES, stride, first).unwrap_or_else(|e| panic!("{e}"));
    let all = since.elapsed().as_secs_f64();
    println!("{words} words, {all:.1} s, {made:.1} s of them for the gates");
    assert!(words > 5 * ((1 << 32) / stride), "{words}");
}

/// The sweep finds what is wrong, and says of which word.
#[test]
fn a_sweep_finds_a_broken_copy() {
    let gates = Sweep::gates(HALF, Some("negative")).expect("gates");
    let error = every_word(&gates, HALF, 1_021, 5).expect_err("it is broken");
    let signed = format!("code {}, mode ", code::TO_SIGNED);
    assert!(error.starts_with(&signed), "{error}");
}

/// FLOAT-050 to FLOAT-055: order, masks, destinations, completions, backpressure, resets, in one, two and four turns.
#[test]
fn passes_come_back_once_and_in_order() {
    for shape in [WIDE, HALF, QUARTER] {
        let since = Instant::now();
        let mut bench = Bench::new(shape, None, 2).expect("a model");
        in_order(&mut bench, shape, 2_500, 2).unwrap_or_else(|e| panic!("{shape:?}: {e}"));
        let count = told(&bench, shape, since);
        assert!(
            count.most >= 15 && count.resets > 10 && count.refused > 1_000,
            "{count:?}"
        );
    }
}

/// FLOAT-051: a pass in every FN cycles, where its third operands leave it.
#[test]
fn a_pass_begins_as_soon_as_the_one_before_has_had_its_turns() {
    for shape in [WIDE, HALF, QUARTER] {
        let mut bench = Bench::new(shape, None, 3).expect("a model");
        let begin = bench.count.cycles;
        let all = (0..400 * shape.lanes as u32).map(|n| [n << 12, n, n]);
        bench
            .run(passes(shape, 4, 0, all), Pace::FULL)
            .unwrap_or_else(|e| panic!("{e}"));
        let cycles = bench.count.cycles - begin;
        assert!(cycles <= 400 * shape.turns() + 20, "{shape:?}: {cycles}");
    }
}

/// FLOAT-054: from an empty unit. A subnormal operand is shifted to its place first.
#[test]
fn rows_come_after_so_many_cycles() {
    for shape in [WIDE, HALF, QUARTER] {
        let turns = shape.turns();
        for (code, a, b, due) in [
            (0, 0x3f80_0001, 0x4049_0fdb, 8 + turns),
            (21, 1, 0, 8 + turns),
            (code::DIVIDE, 0x3f80_0000, 0x4049_0fdb, 8 + turns * 29),
            (
                code::DIVIDE,
                0x0000_0001,
                0x4049_0fdb,
                8 + turns * (29 + 23),
            ),
            (code::DIVIDE, 0x4049_0fdb, 0x0040_0000, 8 + turns * 30),
            // The root of an even power of two, and of an odd one.
            (code::ROOT, 0x3f80_0000, 0, 8 + turns * 29),
            (code::ROOT, 0x4000_0000, 0, 8 + turns * 30),
        ] {
            let mut device = Device::open(shape, None, 1).expect("a model");
            let row = |word| vec![word; shape.lanes];
            let pass = Pass {
                code,
                rounding: 0,
                warp: 1,
                part: 0,
                rd: 33,
                last: true,
                mask: (1 << shape.lanes) - 1,
                rows: [row(a), row(b), row(0)],
            };
            let nothing = row(0);
            let mut cycle = |reset, pass: Option<&Pass>| {
                device.put(&Inputs {
                    reset,
                    pass,
                    rows: [&nothing, &nothing],
                    ..Inputs::default()
                });
                let out = device.outputs();
                device.edge();
                out
            };
            cycle(true, None);
            assert!(cycle(false, Some(&pass)).idle);
            let cycles = (1..400).find(|_| cycle(false, None).result.is_some());
            assert_eq!(cycles, Some(due), "{shape:?}, code {code}, {a:#x}");
        }
    }
}

/// Random programs meet every instruction in every mode, and all that operands and passes may come to.
#[test]
fn random_programs_are_equal_and_meet_everything() {
    let mut cover = Cover::default();
    for index in 0..12 {
        cosim(6, index, &mut cover).unwrap_or_else(|e| panic!("program {index}: {e}"));
    }
    assert_eq!(cover.missing(), Vec::<&str>::new());
}

#[test]
fn every_fault_of_the_verilog_is_noticed() {
    let copies = faults::prepare(faults::of(weft_generate::Unit::Float)).expect("broken copies");
    let mut unnoticed = Vec::new();
    for (_, Fault { name, breaks, .. }) in copies {
        let mut cover = Cover::default();
        let found = (0..6).try_for_each(|index| {
            let program = run(HALF, Some(name), case_seed(4, index), &mut cover);
            program.map_err(|e| format!("program {index}: {e}"))
        });
        match found {
            Err(error) => println!("{name}: {error}"),
            Ok(()) => unnoticed.push(format!("{name}: {breaks}")),
        }
    }
    assert_eq!(unnoticed, Vec::<String>::new());
}
