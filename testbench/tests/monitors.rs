//! The checkers can fail: a scripted control plane with one defect at a time has to be reported, and without a defect
//! it has to pass.

mod support;

use support::{Breakage, Scripted};
use weft_generate::Config;
use weft_testbench::case::{case_seed, Case};
use weft_testbench::cosim::run_case;
use weft_testbench::lockstep::Failure;
use weft_testbench::memory::MemoryTiming;
use weft_testbench::monitor::{Rule, Violation};
use weft_testbench::ops::random_operations;
use weft_testbench::report::RunError;
use weft_testbench::script::{Script, Select};
use weft_testbench::session::{Launch, Levels, Recenter, Session, Surroundings};
use weft_testbench::timing::{Latency, Timing};

const SIZE: Config = Config::new(4, 4, 4, 2);

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
    case.config.tokens = MemoryTiming {
        latency: Latency::Random(5),
        request_stall: 50,
        response_stall: 20,
        any_order: true,
    };
    case.config.accesses = 20;
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
fn it_passes_with_random_operations_too() {
    for size in [SIZE, Config::new(4, 8, 2, 1), Config::new(4, 64, 8, 2)] {
        for index in 0..100 {
            let seed = case_seed(12, index);
            let mut control = Scripted::new(size, Breakage::None, 0);
            if let Err(failure) = random_operations(&mut control, size, seed, 300, None, None) {
                panic!("{size}, operations seed {seed}: {failure}");
            }
        }
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

/// The first failure that the defect leads to within 100 runs of operations.
fn of_operations(breakage: Breakage) -> Rule {
    let failure = (0..100).find_map(|index| {
        let mut control = Scripted::new(SIZE, breakage, 5);
        random_operations(&mut control, SIZE, case_seed(13, index), 300, None, None).err()
    });
    match failure {
        Some(Failure::Protocol(Violation { rule, .. })) => rule,
        other => panic!("{breakage:?}: {other:?}"),
    }
}

#[test]
fn wake_rules() {
    assert_eq!(of_operations(Breakage::IssueBlocked), Rule::IssueIdleWarp);
    assert_eq!(
        of_operations(Breakage::ResolveEngaged),
        Rule::ResolveEngaged
    );
    assert_eq!(of_operations(Breakage::WakeMoves), Rule::WakeMoves);
    assert_eq!(
        of_operations(Breakage::WakeWrongOp),
        Rule::RetireWrongOperation
    );
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
fn memory_port_rules() {
    assert_eq!(rule(Breakage::SpillChanges), Rule::SpillUnstable);
    assert_eq!(rule(Breakage::SpillOutside), Rule::SpillOutside);
    assert_eq!(rule(Breakage::SpillWrongWarp), Rule::SpillOutside);
    assert_eq!(rule(Breakage::SpillJumps), Rule::SpillBurst);
    assert_eq!(rule(Breakage::SpillSameTag), Rule::SpillTag);
    assert_eq!(rule(Breakage::SpillNoToken), Rule::SpillData);
}

#[test]
fn recentering_rules() {
    assert_eq!(rule(Breakage::StopsUnasked), Rule::RecenterStop);
    assert_eq!(rule(Breakage::ResumesAlone), Rule::EndedWhileStopped);
    assert_eq!(rule(Breakage::StoredWrong), Rule::ConfigResult);
}

#[test]
fn recenterings_are_counted() {
    // The driver sees each of them; without one, only the sum can be compared.
    let of = |recenter| {
        (0..40).find_map(|index| {
            let mut case = case(index);
            case.config.recenter = recenter;
            let mut control = Scripted::new(SIZE, Breakage::RecenteredCount, 0);
            run_case(&mut control, &case, None, None).err()
        })
    };
    let text = |error: Option<RunError>| error.expect("a failure").to_string();
    assert!(text(of(Recenter::Driver)).contains("status_recentered"));
    let text = text(of(Recenter::Hardware));
    assert!(
        text.contains("the hardware has recentered 0 times"),
        "{text}"
    );
}

#[test]
fn configuration_port_rules() {
    assert_eq!(rule(Breakage::ConfigLate), Rule::ConfigDone);
    assert_eq!(rule(Breakage::ConfigWrong), Rule::ConfigResult);
}

fn first_violation(breakage: Breakage, launches: &[Launch]) -> Option<Rule> {
    let mut control = Scripted::new(SIZE, breakage, 0);
    let around = Surroundings::default();
    let mut session = Session::new(&mut control, SIZE, Levels::default(), &around);
    launches.iter().for_each(|launch| session.launch(*launch));
    let mut endless = Script::default().branch(Select::All, 0);
    (0..20).find_map(|_| session.cycle(&mut endless).err().map(|v| v.rule))
}

const LAUNCH: Launch = Launch {
    warp: 1,
    pc: 0,
    mask: 0xf,
    base: 0,
    size: 5,
};

#[test]
fn a_launch_of_a_running_warp_is_noticed() {
    let rule = first_violation(Breakage::LaunchBusy, &[LAUNCH, LAUNCH]);
    assert_eq!(rule, Some(Rule::LaunchBusy));
}

#[test]
fn a_launch_is_refused_for_the_right_cause() {
    let small = Launch { size: 4, ..LAUNCH };
    assert_eq!(first_violation(Breakage::None, &[small, LAUNCH]), None);
    let rule = first_violation(Breakage::RefusesWrongly, &[small]);
    assert_eq!(rule, Some(Rule::Refusal));
}
