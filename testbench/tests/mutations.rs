//! The random tests can fail: every deliberate departure of the golden model, and every deliberately broken copy of the
//! Verilog, is noticed within a bounded number of programs.

use std::panic::{catch_unwind, AssertUnwindSafe};
use weft_generate::{Config, Unit};
use weft_sim::Mutation;
use weft_testbench::cosim::{cosim, CosimOptions};
use weft_testbench::dut::{self, OpenOptions, RtlKind};
use weft_testbench::lockstep::Failure;
use weft_testbench::ops::random_operations;
use weft_testbench::report::RunError;
use weft_testbench::rtl::faults::{self, Fault};

const PROGRAMS: u64 = 200;
const TINY: Config = Config::new(4, 4, 2, 1);

fn quick(mutation: Option<Mutation>) -> CosimOptions {
    CosimOptions {
        mutation,
        waves: false,
        minimise: 0,
        artefacts: env!("CARGO_TARGET_TMPDIR").into(),
        ..CosimOptions::default()
    }
}

/// The wrong model may also panic where it loses threads; that counts as noticed.
fn quietly<T>(f: impl FnOnce() -> T) -> Result<T, ()> {
    catch_unwind(AssertUnwindSafe(f)).map_err(|_| ())
}

#[test]
fn every_mutation_of_the_model_is_noticed() {
    let mut unnoticed = Vec::new();
    let mut design =
        dut::open(RtlKind::Verilated, TINY, &OpenOptions::default()).expect("a design");
    // There is no `.save` of a register into itself in programs; `mask_unit.rs` and the model's own tests have one.
    let masks = Mutation::MASKS.into_iter();
    let masks = masks.filter(|m| *m != Mutation::SaveWritesFirst);
    for mutation in Mutation::ALL.into_iter().chain(masks) {
        // They are quick, and reach what hardly any instruction asks for, or none.
        let mut operations = |seed| {
            let control = design.control.as_mut();
            random_operations(control, TINY, seed, 300, Some(mutation), None).is_err()
        };
        let programs = || cosim(1, PROGRAMS, &quick(Some(mutation)), &mut |_| ());
        let noticed = (0..PROGRAMS).any(&mut operations) || !matches!(quietly(programs), Ok(Ok(_)));
        if !noticed {
            unnoticed.push(mutation);
        }
    }
    assert!(
        unnoticed.is_empty(),
        "not noticed within {PROGRAMS} programs and runs of operations: {unnoticed:?}"
    );
}

#[test]
fn every_fault_of_the_verilog_is_noticed() {
    let faults = faults::prepare(faults::of(Unit::Control)).expect("broken copies");
    assert!(faults.len() >= 3, "{faults:?}");
    for (_, Fault { name, breaks, .. }) in faults {
        let options = CosimOptions {
            fault: Some(name.to_string()),
            ..quick(None)
        };
        let failure = match cosim(1, PROGRAMS, &options, &mut |_| ()) {
            Err(failure) => failure,
            Ok(_) => {
                let seed = noticed_by_operations(name).unwrap_or_else(|| {
                    panic!("fault `{name}` ({breaks}) was not noticed within {PROGRAMS} programs and runs of operations")
                });
                println!("{name}: noticed after {seed} runs of operations");
                continue;
            }
        };
        assert!(
            matches!(failure.error, RunError::Failure(_)),
            "fault `{name}`: {failure}"
        );
        println!(
            "{name}: noticed after {} programs: {}",
            failure.passed,
            first_line(&failure)
        );
    }
}

/// What programs hardly ask for: the first seed of random operations that shows the fault.
fn noticed_by_operations(fault: &str) -> Option<u64> {
    let mut design = dut::open_fault(fault, None).expect("a design");
    let size = design.config;
    (0..PROGRAMS).find(|&seed| {
        let control = design.control.as_mut();
        random_operations(control, size, seed, 300, None, None).is_err()
    })
}

fn first_line(failure: &weft_testbench::cosim::CosimFailure) -> String {
    failure
        .error
        .to_string()
        .lines()
        .next()
        .unwrap_or_default()
        .to_string()
}

/// A failure leaves a replay line, a listing, waves, and a program that is much smaller and still fails.
#[test]
fn a_failure_is_reported_with_everything_needed() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut options = quick(Some(Mutation::KeepPassedTokens));
    options.artefacts = folder.path().join("waves");
    (options.waves, options.minimise) = (true, 2_000);
    options.sizes = vec![TINY];
    let failure = cosim(3, PROGRAMS, &options, &mut |_| ()).expect_err("a failure");
    let RunError::Failure(Failure::Mismatch(_)) = &failure.error else {
        panic!("{failure}")
    };

    let replay = format!(
        "cargo weft cosim --seed 3 --programs 1 --first {}",
        failure.index
    );
    assert!(failure.replay.starts_with(&replay), "{}", failure.replay);
    options.first = failure.index;
    let again = cosim(3, 1, &options, &mut |_| ()).expect_err("the same failure");
    assert_eq!(again.error.to_string(), failure.error.to_string());

    let waves = std::fs::read_to_string(failure.waves.as_ref().expect("waves")).expect("a file");
    assert!(waves.contains("$enddefinitions") && waves.contains("retire_valid"));
    let (path, left) = failure.minimised.as_ref().expect("a smaller program");
    assert!(*left <= 30, "{left} instructions left");
    let text = std::fs::read_to_string(path).expect("a file");
    assert!(text.contains("leave"), "{text}");
    weft_isa::assemble(&text, "minimised.s").unwrap_or_else(|e| panic!("{e}\n{text}"));
}
