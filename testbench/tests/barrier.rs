//! The barrier unit: random episodes in lockstep with the model, latencies, known bug shapes, and that departures are noticed.

use weft_sim::barrier::Mutation;
use weft_testbench::barrier::cover::Cover;
use weft_testbench::barrier::device::{Kind, Size};
use weft_testbench::barrier::episode::{run, Episode, Options, Summary};
use weft_testbench::case::case_seed;

/// The fixed seed of these tests. `SEED=n` runs others.
fn seed() -> u64 {
    std::env::var("SEED")
        .ok()
        .map_or(1, |s| s.parse().expect("SEED is a number"))
}

/// Cycles of an episode, but for its closing.
const EPISODE: u64 = 6_000;

fn sizes() -> Vec<Size> {
    let all = weft_hdl::BARRIERS.iter();
    all.map(|&(warps, threads)| Size::new(warps, threads))
        .collect()
}

/// What the tests compare with the model: the Verilog, where it is there.
fn device() -> Kind {
    match cfg!(feature = "verilated") {
        true => Kind::Verilog,
        false => Kind::Model,
    }
}

fn artefacts() -> &'static std::path::Path {
    std::path::Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// Every episode of these sizes; the first failure ends it.
fn episodes(kind: Kind, sizes: &[Size], count: u64) -> (Cover, Summary) {
    let mut all = Cover::default();
    let mut sum = Summary::default();
    let options = Options {
        kind,
        artefacts: Some(artefacts()),
        mutation: std::env::var_os("NOBODY").map(|_| Mutation::NobodyArrives),
        ..Options::default()
    };
    for index in 0..count {
        for &size in sizes {
            let episode = Episode {
                size,
                seed: case_seed(seed(), index) ^ size.warps as u64,
                cycles: EPISODE,
            };
            match run(episode, &options, Some(&mut all)) {
                Ok(one) => {
                    sum.cycles += one.cycles;
                    sum.verdicts += one.verdicts;
                    sum.wakes += one.wakes;
                    sum.turns += one.turns;
                    sum.ctas += one.ctas;
                }
                Err(failure) => panic!("{failure}"),
            }
        }
    }
    (all, sum)
}

fn count() -> u64 {
    let asked = std::env::var("EPISODES").ok();
    asked.map_or(60, |n| n.parse().expect("EPISODES is a number"))
}

#[test]
fn random_episodes_agree() {
    let (cover, sum) = episodes(device(), &sizes(), count());
    println!("{sum:?}\n{cover}");
    assert_eq!(cover.missing(), [""; 0], "not covered");
    assert_eq!(cover.wrong(), [""; 0], "hit, but impossible");
}

/// The bench itself: the model with a timing of its own.
#[test]
fn the_model_agrees_with_itself() {
    let small = [Size::new(4, 4), Size::new(4, 8), Size::new(16, 32)];
    let (cover, sum) = episodes(Kind::Model, &small, count());
    println!("{sum:?}\n{cover}");
}

/// `EPISODE=16x32:SEED:CYCLES`: one episode again. Without it: a short one.
#[test]
fn replay() {
    let asked = std::env::var("EPISODE").ok();
    let episode: Episode = asked
        .as_deref()
        .unwrap_or("4x4:1:1000")
        .parse()
        .expect("an episode");
    let options = Options {
        kind: device(),
        artefacts: Some(artefacts()),
        mutation: std::env::var_os("NOBODY").map(|_| Mutation::NobodyArrives),
        ..Options::default()
    };
    if let Err(failure) = run(episode, &options, None) {
        panic!("{failure}");
    }
}

/// Episodes until one fails; how many passed before, and what it said.
fn noticed(size: Size, options: &Options, count: u64) -> Option<(u64, String)> {
    (0..count).find_map(|index| {
        let episode = Episode {
            size,
            seed: case_seed(1, index),
            cycles: EPISODE,
        };
        let failure = run(episode, options, None).err()?;
        Some((index, failure.trouble.to_string()))
    })
}

#[test]
fn every_mutation_of_the_model_is_noticed() {
    let mut unnoticed = Vec::new();
    for mutation in Mutation::ALL {
        let options = Options {
            kind: Kind::Mutated(mutation),
            ..Options::default()
        };
        match noticed(Size::new(4, 4), &options, 60) {
            Some((passed, text)) => println!("{mutation:?}: after {passed} episodes: {text}"),
            None => unnoticed.push(mutation),
        }
    }
    assert!(unnoticed.is_empty(), "not noticed: {unnoticed:?}");
}
