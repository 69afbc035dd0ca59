//! The warp scheduler: random cycles in lockstep with the model, shares, progress, and that departures are noticed.

#[path = "common/environment.rs"]
mod environment;

use environment::number;
use weft_sim::issue::{Decoded, Mutation};
use weft_testbench::case::case_seed;
use weft_testbench::issue::cover::Cover;
use weft_testbench::issue::device::{Kind, Size, SIZES};
use weft_testbench::issue::directed::{Answer, Bench};
use weft_testbench::issue::episode::{run, Episode, Options};

/// The fixed seed of these tests. `SEED=n` runs others.
fn seed() -> u64 {
    number("SEED", 1)
}

/// Cycles of an episode, but for the reading of the counters at its end.
const EPISODE: u64 = 5_000;
/// Cycles in all, over all sizes.
const CYCLES: u64 = 1_000_000;

/// What the tests compare with the model.
const DEVICE: Kind = Kind::Verilog;

fn artefacts() -> &'static std::path::Path {
    std::path::Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// Every episode of these sizes; the first failure ends it.
fn episodes(kind: Kind, sizes: &[Size], count: u64) -> Cover {
    let mut all = Cover::default();
    let options = Options {
        kind,
        artefacts: Some(artefacts()),
        ..Options::default()
    };
    for index in 0..count {
        for &size in sizes {
            let episode = Episode {
                size,
                seed: case_seed(seed(), index) ^ size.warps as u64,
                cycles: EPISODE,
            };
            if let Err(failure) = run(episode, &options, Some(&mut all)) {
                panic!("{failure}");
            }
        }
    }
    all
}

#[test]
fn a_million_random_cycles_agree() {
    let each = CYCLES.div_ceil(EPISODE * SIZES.len() as u64);
    // Two threads: the larger sizes take most of the time.
    let (small, large): (Vec<Size>, Vec<Size>) = SIZES.iter().partition(|s| s.warps < 16);
    let all = std::thread::scope(|scope| {
        let other = scope.spawn(|| episodes(DEVICE, &large, each));
        let mut all = episodes(DEVICE, &small, each);
        match other.join() {
            Ok(cover) => all.add(&cover),
            Err(panic) => std::panic::resume_unwind(panic),
        }
        all
    });
    println!("{} cycles\n{all}", each * EPISODE * SIZES.len() as u64);
    assert_eq!(all.missing(), [""; 0], "not covered");
    assert_eq!(all.wrong(), [""; 0], "hit, but impossible");
}

/// `EPISODE=16x32d:SEED:CYCLES`: one episode again. Without it: a short one.
#[test]
fn replay() {
    let asked = std::env::var("EPISODE").ok();
    let episode: Episode = asked
        .as_deref()
        .unwrap_or("4x4d:1:1000")
        .parse()
        .expect("an episode");
    let options = Options {
        kind: DEVICE,
        artefacts: Some(artefacts()),
        ..Options::default()
    };
    if let Err(failure) = run(episode, &options, None) {
        panic!("{failure}");
    }
}

/// A warp alone issues every third cycle; three fill every cycle.
#[test]
fn a_warp_issues_again_after_three_cycles() {
    for count in 1..=3 {
        let mut bench = Bench::new(DEVICE, Size::new(16, 32, false), 0).expect("a design");
        for warp in 0..count {
            bench.launch(warp, 0x100 * warp as u32);
        }
        let mut issues = 0;
        for cycle in 0..150 {
            let issued = bench.step(&mut |_| unreachable!("no control operation"));
            let issued = issued.unwrap_or_else(|e| panic!("{count} run: {e}"));
            if cycle >= 60 {
                issues += issued.len();
            }
        }
        assert_eq!(issues, 30 * count, "{count} run");
    }
}

/// 16 warps, each ready again L cycles after its issue: under age all get the same.
#[test]
fn shares_are_equal() {
    let size = Size::new(16, 32, false);
    let dependent = Decoded {
        rd: Some(1),
        rs1: Some(1),
        ..Decoded::default()
    };
    for latency in 1..=40 {
        let mut bench = Bench::new(DEVICE, size, 0).expect("a design");
        bench.latencies(latency, 0);
        // Warps that run through the same lines at the same time, on without an end.
        for pc in 0..40_000 {
            bench.instruction(pc, dependent);
        }
        for warp in 0..size.warps {
            bench.launch(warp, 0);
        }
        let mut issues = vec![0; size.warps];
        for cycle in 0..6_000 {
            let issued = bench.step(&mut |_| unreachable!("no control operation"));
            for i in issued.unwrap_or_else(|e| panic!("latency {latency}: {e}")) {
                if cycle >= 1_000 {
                    issues[i.warp] += 1;
                }
            }
        }
        let (least, most) = (issues.iter().min(), issues.iter().max());
        let (least, most) = (least.expect("warps"), most.expect("warps"));
        assert!(
            most - least <= 1 && *least > 0,
            "latency {latency}: shares {issues:?}"
        );
    }
}

/// 15 warps poll a flag, with loads and control operations; one computes for a while and sets it.
/// Greedy then oldest gives no such guarantee: there the age is that of the launch, and warps launched later wait for
/// ever behind enough that poll.
#[test]
fn polling_warps_let_the_other_one_go_on() {
    const WORK: u32 = 0x100;
    const STEPS: u32 = 200;
    let load = Decoded {
        class: 2,
        rd: Some(1),
        ..Decoded::default()
    };
    let step = Decoded {
        rd: Some(2),
        rs1: Some(2),
        ..Decoded::default()
    };
    let branch = Decoded {
        control: true,
        rs1: Some(1),
        ..Decoded::default()
    };
    for (policy, setter) in [
        (0, 0),
        (0, 7),
        (0, 15),
        (1, 0),
        (1, 7),
        (1, 15),
        (3, 15),
        (2, 0),
    ] {
        {
            let mut bench = Bench::new(DEVICE, Size::new(16, 32, true), policy).expect("a design");
            bench.latencies(3, 1);
            bench.instruction(0, load);
            bench.instruction(1, branch);
            for n in 0..STEPS {
                bench.instruction(WORK + n, step);
            }
            bench.instruction(WORK + STEPS, branch);
            for warp in 0..16 {
                bench.launch(warp, if warp == setter { WORK } else { 0 });
            }
            let (mut flag, mut ended, mut polls) = (false, 0, 0);
            while ended < 16 {
                let issued = bench.step(&mut |i| {
                    flag |= i.pc == WORK + STEPS;
                    polls += u64::from(i.pc == 1);
                    match flag {
                        true => {
                            ended += 1;
                            Answer::Exit
                        }
                        false => Answer::Goto(0),
                    }
                });
                issued.unwrap_or_else(|e| panic!("policy {policy}: {e}"));
                // 16 warps share the issue port; a step of the chain takes some cycles of its own.
                let limit = u64::from(STEPS) * 24 + 500;
                assert!(
                    bench.cycle() < limit,
                    "policy {policy}, setter {setter}: not done after {limit} cycles"
                );
            }
            assert!(polls > 100, "{polls}");
        }
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

/// The size of these copies.
const MUTATED: Size = Size::new(4, 4, true);

#[test]
fn every_mutation_of_the_model_is_noticed() {
    let mut unnoticed = Vec::new();
    let sound = Options {
        kind: Kind::Model,
        ..Options::default()
    };
    assert_eq!(noticed(MUTATED, &sound, 10), None);
    for mutation in Mutation::ALL {
        let options = Options {
            kind: Kind::Model,
            mutation: Some(mutation),
            ..Options::default()
        };
        match noticed(MUTATED, &options, 40) {
            Some((passed, text)) => println!("{mutation:?}: after {passed} episodes: {text}"),
            None => unnoticed.push(mutation),
        }
    }
    assert!(unnoticed.is_empty(), "not noticed: {unnoticed:?}");
}

/// What is against a rule of its own, and not only different from the model, the monitors notice alone.
#[test]
fn the_monitors_notice_violations_without_the_model() {
    let expected = [
        Mutation::UnitFreeIgnored,
        Mutation::GrantedTwiceRunning,
        Mutation::SecondIgnoresDependence,
        Mutation::SecondIgnoresSlow,
        Mutation::Rs2HazardIgnored,
        Mutation::DrainIgnored,
        Mutation::FlightUnlimited,
        Mutation::StopDoesNotFlush,
        Mutation::WrongSlot,
        Mutation::ControlDoesNotStopSupply,
    ];
    let mut unnoticed = Vec::new();
    for mutation in Mutation::ALL {
        let options = Options {
            kind: Kind::Mutated(mutation),
            monitors_only: true,
            ..Options::default()
        };
        match noticed(MUTATED, &options, 40) {
            Some((passed, text)) => println!("{mutation:?}: after {passed} episodes: {text}"),
            None if expected.contains(&mutation) => unnoticed.push(mutation),
            None => println!("{mutation:?}: keeps the rules"),
        }
    }
    assert!(unnoticed.is_empty(), "not noticed: {unnoticed:?}");
}

#[test]
fn every_fault_of_the_verilog_is_noticed() {
    use weft_testbench::rtl::faults;
    let mut unnoticed = Vec::new();
    let faults =
        faults::prepare(faults::of(weft_generate::Unit::Scheduler)).expect("broken copies");
    assert!(faults.len() >= 10, "{faults:?}");
    for (design, fault) in faults {
        let (name, breaks) = (fault.name.as_str(), fault.breaks.as_str());
        let dual = design.value("dual") == 1;
        let size = Size::new(design.value("warps"), design.value("threads"), dual);
        let options = Options {
            kind: Kind::Fault(name),
            ..Options::default()
        };
        match noticed(size, &options, 40) {
            Some((passed, text)) => println!("{name}: after {passed} episodes: {text}"),
            None => unnoticed.push((name, breaks)),
        }
    }
    assert!(unnoticed.is_empty(), "not noticed: {unnoticed:?}");
}

/// A failure comes with a line that replays it, and with waves.
#[test]
fn a_failure_is_reported_with_everything_needed() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = Options {
        mutation: Some(Mutation::AgeTouchForgotten),
        artefacts: Some(folder.path()),
        ..Options::default()
    };
    let fails = |seed| {
        let episode = Episode {
            size: Size::new(4, 4, true),
            seed,
            cycles: EPISODE,
        };
        run(episode, &options, None).err()
    };
    let failure = (1..20).find_map(fails).expect("a failure");
    let text = failure.replay();
    let again = text
        .strip_prefix("EPISODE=")
        .and_then(|t| t.split(' ').next());
    let again: Episode = again.expect("an episode").parse().expect("an episode");
    let second = run(again, &options, None).expect_err("the same failure");
    assert_eq!(
        (second.cycle, &second.trouble),
        (failure.cycle, &failure.trouble)
    );
    let waves = std::fs::read_to_string(failure.waves.as_ref().expect("waves")).expect("a file");
    assert!(waves.contains("$enddefinitions") && waves.contains("issue_valid"));
}
