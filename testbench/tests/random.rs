//! Random programs and random operations in lockstep.

#[path = "common/environment.rs"]
mod environment;
mod support;

use environment::{number, sizes};
use support::{Breakage, Scripted};
use weft_generate::Config;
use weft_testbench::case::{case_seed, Case};
use weft_testbench::cosim::{cosim, run_case, CosimOptions, CosimReport};
use weft_testbench::cover::Cover;
use weft_testbench::cross::Bin;
use weft_testbench::dut::{self, OpenOptions, RtlKind};
use weft_testbench::ops::random_operations;

/// The fixed seed of these tests. `SEED=n` runs others.
fn seed() -> u64 {
    number("SEED", 1)
}

/// Programs of the long test. `PROGRAMS=n` runs another number.
fn programs() -> u64 {
    number("PROGRAMS", 10_000)
}

fn run(kind: RtlKind, sizes: &[Config], programs: u64) -> CosimReport {
    let artefacts = env!("CARGO_TARGET_TMPDIR").into();
    let options = CosimOptions {
        kind,
        sizes: sizes.to_vec(),
        artefacts,
        ..CosimOptions::default()
    };
    let report = cosim(seed(), programs, &options, &mut |_| ())
        .unwrap_or_else(|failure| panic!("{failure}"));
    assert_eq!(report.programs, programs);
    assert!(
        report.oracle_compared * 10 > programs * 8,
        "only {} of {programs} with the oracle",
        report.oracle_compared
    );
    report
}

#[test]
fn verilated_hardware_agrees_on_random_programs() {
    for &size in sizes() {
        let report = run(RtlKind::Verilated, &[size], 60);
        assert!(
            report.deepest_deque > size.threads,
            "{size}: deepest deque {}",
            report.deepest_deque
        );
    }
}

#[test]
fn rust_hdl_simulation_agrees_on_random_programs() {
    let report = run(
        RtlKind::RustHdl,
        &[Config::new(4, 4, 2, 1), Config::new(4, 8, 4, 2)],
        2,
    );
    assert!(report.cycles > 1_000, "{} cycles", report.cycles);
}

fn operations(kind: RtlKind, size: Config, runs: u64, length: u64) {
    let mut opened = dut::open(kind, size, &OpenOptions::default()).expect("a design");
    for index in 0..runs {
        let seed = case_seed(seed(), index);
        let result = random_operations(opened.control.as_mut(), size, seed, length, None, None);
        if let Err(failure) = result {
            panic!("{} {size}, operations seed {seed}: {failure}", kind.name());
        }
    }
}

#[test]
fn verilated_hardware_agrees_on_random_operations() {
    for &size in sizes() {
        operations(RtlKind::Verilated, size, 60, 40 * size.threads as u64);
    }
}

#[test]
fn rust_hdl_simulation_agrees_on_random_operations() {
    operations(RtlKind::RustHdl, Config::new(4, 4, 2, 1), 3, 150);
}

/// Every mask operation in every state of the warp and with every kind of parts;
/// what is left out is listed with its reason in `mask_cross.rs`.
fn assert_masks_covered(cover: &Cover) {
    assert_eq!(cover.masks.wrong(), [], "hit, but impossible");
    assert_eq!(cover.masks.missing(), [], "not hit");
}

/// On the fixed seeds the generator reaches every bin, at every width. No hardware is needed for that.
#[test]
fn the_fixed_seeds_cover_everything() {
    let mut all = Cover::default();
    for threads in [4, 8, 16, 32, 64] {
        let size = Config::new(4, threads, 4, 2);
        let mut control = Scripted::new(size, Breakage::None, 0);
        let mut cover = Cover::default();
        for index in 0..150 {
            let mut case = Case::draw(case_seed(1, index), &[size]);
            case.config.reset = true;
            if let Err(e) = run_case(&mut control, &case, None, Some(&mut cover)) {
                panic!("{threads} threads, program {index}: {e}");
            }
        }
        // No instruction lets threads sleep.
        for index in 0..60 {
            let seed = case_seed(1, index);
            random_operations(&mut control, size, seed, 300, None, Some(&mut cover))
                .unwrap_or_else(|e| panic!("{threads} threads, operations seed {seed}: {e}"));
        }
        // At every width at least this much.
        assert!(
            cover.missing().len() <= 6,
            "{threads} threads: {:?}\n{cover}",
            cover.missing()
        );
        all.add(&cover);
    }
    println!("{all}");
    assert_masks_covered(&all);
    assert!(all.missing().is_empty(), "not covered: {:?}", all.missing());
}

/// On the hardware, programs and operations of the fixed seed reach every bin, and every place where a match can lie in
/// every state of the token window. What is left out is listed with its reason in `cross.rs`.
#[test]
#[ignore = "takes minutes, which the gate does not have: run it with `-- --ignored`"]
fn programs_cover_the_token_window() {
    let operations = || {
        let mut cover = Cover::default();
        for &size in dut::SIZES.iter().filter(|s| s.threads <= 8) {
            let mut opened =
                dut::open(RtlKind::Verilated, size, &OpenOptions::default()).expect("a design");
            for index in 0..8_000 {
                let (seed, length) = (case_seed(seed(), index), 40 * size.threads as u64);
                let design = opened.control.as_mut();
                random_operations(design, size, seed, length, None, Some(&mut cover))
                    .unwrap_or_else(|e| panic!("{size}, operations seed {seed}: {e}"));
            }
        }
        cover
    };
    let cover = std::thread::scope(|scope| {
        let operations = scope.spawn(operations);
        let mut cover = run(RtlKind::Verilated, &[], programs()).cover;
        cover.add(&operations.join().expect("all agree"));
        cover
    });
    println!("{cover}");
    assert_masks_covered(&cover);
    let names = |bins: Vec<Bin>| bins.iter().map(Bin::to_string).collect::<Vec<_>>();
    assert_eq!(cover.missing(), [""; 0]);
    assert_eq!(names(cover.cross.wrong()), [""; 0], "hit, but impossible");
    assert_eq!(names(cover.cross.missing()), [""; 0], "not hit");
}
