//! The checkers can fail: a scripted control plane with one defect at a time has to be reported, and without a defect it has
//! to pass.

mod support;

use support::{Breakage, Scripted};
use weft_hdl::Config;
use weft_testbench::case::{case_seed, Case};
use weft_testbench::cosim::run_case;
use weft_testbench::lockstep::Failure;
use weft_testbench::monitor::{Rule, Violation};
use weft_testbench::report::RunError;
use weft_testbench::timing::{Latency, Timing};

const SIZE: Config = Config {
    warps: 4,
    threads: 4,
};

fn case(index: u64) -> Case {
    let mut case = Case::draw(case_seed(11, index), &[SIZE]);
    case.config.machine.grid = Some(16);
    case.config.reset = true;
    case.config.watchdog.hang = 2_000;
    // Lanes that make queues: several warps wait to be issued.
    case.config.timing = Timing {
        latency: Latency::Random(3),
        issue_stall: 60,
        resolve_gap: 20,
    };
    case
}

/// The first failure that the defect leads to within 40 programs.
fn failure(breakage: Breakage) -> Option<Failure> {
    (0..40).find_map(|index| {
        let mut control = Scripted::new(SIZE, breakage, 30);
        match run_case(&mut control, &case(index), None, None) {
            Ok(_) => None,
            Err(RunError::Failure(failure)) => Some(failure),
            Err(other) => panic!("{breakage:?}: {other}"),
        }
    })
}

fn reported(breakage: Breakage) -> Failure {
    failure(breakage).unwrap_or_else(|| panic!("{breakage:?} was not noticed"))
}

fn rule(breakage: Breakage) -> Rule {
    match reported(breakage) {
        Failure::Protocol(Violation { rule, .. }) => rule,
        other => panic!("{breakage:?}: {other}"),
    }
}

fn mismatch(breakage: Breakage) -> Vec<&'static str> {
    match reported(breakage) {
        Failure::Mismatch(m) => m.fields,
        other => panic!("{breakage:?}: {other}"),
    }
}

#[test]
fn a_control_plane_without_a_defect_passes() {
    if let Some(failure) = failure(Breakage::None) {
        panic!("{failure}");
    }
}

#[test]
fn issue_rules() {
    assert_eq!(rule(Breakage::OfferChanges), Rule::IssueUnstable);
    assert_eq!(rule(Breakage::IssueTwice), Rule::IssueInFlight);
    assert_eq!(rule(Breakage::IssueIdle), Rule::IssueIdleWarp);
    assert_eq!(rule(Breakage::IssueWrongPlace), Rule::IssueWrongPlace);
    assert_eq!(rule(Breakage::IssueWrongMask), Rule::IssueWrongPlace);
    assert_eq!(rule(Breakage::NewestFirst), Rule::Starvation);
}

#[test]
fn retire_rules() {
    assert_eq!(rule(Breakage::RetireTwice), Rule::RetireNotInFlight);
    assert_eq!(rule(Breakage::RetireWrongOp), Rule::RetireWrongOperation);
    assert_eq!(rule(Breakage::RetireDone), Rule::RetireInconsistent);
    assert_eq!(rule(Breakage::DroppedNext), Rule::RetireInconsistent);
    assert_eq!(rule(Breakage::StrayException), Rule::ExceptionNotInFlight);
}

#[test]
fn status_rules() {
    assert_eq!(rule(Breakage::BusyBit), Rule::StatusBusy);
    assert_eq!(rule(Breakage::DroppedCount), Rule::StatusDropped);
}

#[test]
fn a_warp_that_is_never_offered_again_hangs_the_run() {
    let failure = reported(Breakage::LoseWarp);
    assert!(
        matches!(&failure, Failure::Hang(stuck) if !stuck.warps.is_empty()),
        "{failure}"
    );
    let failure = reported(Breakage::Hang);
    assert!(matches!(&failure, Failure::Hang(_)), "{failure}");
    assert!(failure.to_string().contains("warp 0 at 0x"), "{failure}");
}

#[test]
fn wrong_records_are_mismatches() {
    assert_eq!(mismatch(Breakage::NextMask), ["next mask"]);
    assert_eq!(mismatch(Breakage::Front), ["front below bits"]);
}

#[test]
fn a_mismatch_shows_both_records_and_the_history() {
    let Failure::Mismatch(m) = reported(Breakage::NextMask) else {
        panic!()
    };
    assert!(!m.history.is_empty() && m.history.len() <= 20);
    let text = m.to_string();
    for part in [
        "hardware and model differ in next mask",
        "hardware:",
        "model:",
        "resolve:",
        "before that:",
    ] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn a_launch_of_a_running_warp_is_noticed() {
    use weft_testbench::script::{Script, Select};
    use weft_testbench::session::{Launch, Levels, Session};
    let mut control = Scripted::new(SIZE, Breakage::LaunchBusy, 0);
    let levels = Levels {
        ..Levels::default()
    };
    let mut session = Session::new(&mut control, SIZE, levels, Timing::default(), 0, false);
    let mut endless = Script::default().branch(Select::All, 0);
    let launch = Launch {
        warp: 1,
        pc: 0,
        mask: 0xf,
    };
    session.launch(launch);
    session.launch(launch);
    let violation = (0..20)
        .find_map(|_| session.cycle(&mut endless).err())
        .expect("a violation");
    assert_eq!(violation.rule, Rule::LaunchBusy);
}
