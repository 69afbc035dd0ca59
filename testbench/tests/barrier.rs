//! The barrier unit: random episodes in lockstep with the model, latencies, known bug shapes, and that departures are
//! noticed.

#[path = "common/environment.rs"]
mod environment;

use environment::number;
use weft_sim::barrier::{EventKind, Kind as Of, Mutation, OpCode, State, VerdictKind, Word};
use weft_testbench::barrier::cover::Cover;
use weft_testbench::barrier::device::{Kind, Size, SIZES};
use weft_testbench::barrier::directed::Bench;
use weft_testbench::barrier::episode::{run, Episode, Options, Summary};
use weft_testbench::case::case_seed;

/// The fixed seed of these tests. `SEED=n` runs others.
fn seed() -> u64 {
    number("SEED", 1)
}

/// Cycles of an episode, but for its closing.
const EPISODE: u64 = 6_000;

/// What the tests compare with the model.
const DEVICE: Kind = Kind::Verilog;

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
    number("EPISODES", 200)
}

#[test]
fn random_episodes_agree() {
    let (cover, sum) = episodes(DEVICE, SIZES, count());
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
        kind: DEVICE,
        artefacts: Some(artefacts()),
        ..Options::default()
    };
    if let Err(failure) = run(episode, &options, None) {
        panic!("{failure}");
    }
}

/// The last wake of a barrier that becomes INVALID, and then other slots first (BAR-084): the checker once complained,
/// though the unit was right.
#[test]
fn invalid_behind_other_slots() {
    let options = Options {
        kind: DEVICE,
        artefacts: Some(artefacts()),
        ..Options::default()
    };
    let episode = Episode {
        size: Size::new(32, 32),
        seed: 10_174_854_292_179_124_693,
        cycles: EPISODE,
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
        match noticed(Size::new(4, 4), &options, 600) {
            Some((passed, text)) => println!("{mutation:?}: after {passed} episodes: {text}"),
            None => unnoticed.push(mutation),
        }
    }
    assert!(unnoticed.is_empty(), "not noticed: {unnoticed:?}");
}

/// The lockstep notices each; what is against a rule of its own, the monitors notice alone.
#[test]
fn every_fault_of_the_verilog_is_noticed() {
    use weft_testbench::rtl::faults;
    const BY_RULES: &[&str] = &[
        "descends", "pair", "beside", "intrudes", "recount", "twice", "lost", "taken", "polls",
        "stuck", "orphan", "hasty", "sleepy", "named", "queues",
    ];
    let faults = faults::prepare(faults::of(weft_generate::Unit::Barrier)).expect("broken copies");
    assert!(faults.len() >= 12, "{faults:?}");
    let names: Vec<_> = faults
        .iter()
        .map(|(_, fault)| fault.name.as_str())
        .collect();
    assert!(BY_RULES.iter().all(|name| names.contains(name)));
    let mut unnoticed = Vec::new();
    for (design, fault) in faults {
        let (name, breaks) = (fault.name.as_str(), fault.breaks.as_str());
        let size = Size::new(design.value("warps"), design.value("threads"));
        for monitors_only in [false, true] {
            let options = Options {
                kind: Kind::Fault(name),
                monitors_only,
                ..Options::default()
            };
            let by = match monitors_only {
                true => "monitors alone",
                false => "lockstep",
            };
            match noticed(size, &options, 40) {
                Some((passed, text)) => println!("{name}, {by}: after {passed} episodes: {text}"),
                None if monitors_only && !BY_RULES.contains(&name) => {
                    println!("{name}, {by}: keeps the rules")
                }
                None if !monitors_only && fails_directed(name) => {
                    println!("{name}, {by}: a directed test fails")
                }
                None => unnoticed.push((name, by, breaks)),
            }
        }
    }
    assert!(unnoticed.is_empty(), "not noticed: {unnoticed:?}");
}

/// What few random episodes get to: directed tests that a fault does not pass.
fn fails_directed(name: &'static str) -> bool {
    let test: fn(Kind) = match name {
        "minimum" | "forgets" => late_threads_pass,
        "favours" => slots_take_turns,
        "queues" => simple_barriers_go_on,
        "rushes" => slots_and_releases_take_turns,
        _ => return false,
    };
    std::panic::catch_unwind(|| test(Kind::Fault(name))).is_err()
}

fn bench(warps: usize, threads: usize) -> Bench {
    bench_of(DEVICE, warps, threads)
}

fn bench_of(kind: Kind, warps: usize, threads: usize) -> Bench {
    Bench::new(kind, Size::new(warps, threads)).expect("a design")
}

/// Printed: cycles at the ports, everything ready, nothing else going on. The bounds are those that were measured.
#[test]
fn latencies() {
    let full = u64::from(u32::MAX);
    let section = Word::ALL.with_kind(Of::Section);
    // 16 warps that arrive as a whole: held, and let go together.
    let mut b = bench(16, 32);
    b.launch(0, 0, 16, 512, 32);
    (0..16).for_each(|warp| b.top(warp, full, 0, Word::ALL, 0x10));
    b.settle();
    let last = b.taken().expect("an operation");
    assert_eq!(
        b.when(last, |p| p.wake.is_some()),
        [0; 0],
        "nobody was asleep"
    );
    let held = b.when(0, |p| p.hold == 0x7fff);
    let released = held.last().expect("15 warps were held") + 1;
    println!(
        "last arrival taken -> all 16 warps go on: {} cycles",
        released - last
    );
    assert!(released - last <= 8);
    // The same in two parts each: asleep, and woken one warp after the other.
    let mut b = bench(16, 32);
    b.launch(0, 0, 16, 512, 32);
    for warp in 0..16 {
        b.top(warp, full & 0x5555_5555, 0, Word::ALL, 0x10);
        b.top(warp, full & 0xaaaa_aaaa, 0, Word::ALL, 0x10);
    }
    b.settle();
    let last = b.taken().expect("an operation");
    let wakes = b.when(last, |p| p.wake.is_some());
    println!(
        "last arrival taken -> first wake: {} cycles",
        wakes[0] - last
    );
    println!("first -> last of 16 wakes: {} cycles", wakes[15] - wakes[0]);
    assert_eq!(wakes.len(), 16);
    assert!(wakes[0] - last <= 4 && wakes[15] - wakes[0] <= 30);
    // A section.
    let mut b = bench(16, 32);
    b.launch(0, 0, 2, 64, 32);
    b.top(0, full, 0, section, 0x10);
    b.top(1, full, 0, section, 0x10);
    b.settle();
    let last = b.taken().expect("an operation");
    let turn = b.first(last, |p| p.wake.is_some()).expect("it happens");
    println!("last arrival taken -> first turn: {} cycles", turn - last);
    assert!(turn - last <= 5);
    for code in [OpCode::Bottom, OpCode::BottomNb] {
        let wake = b
            .log
            .iter()
            .rev()
            .find_map(|(_, p)| p.wake)
            .expect("a turn");
        b.op(code, wake.warp, wake.mask, 0, 0x20);
        b.settle();
        let last = b.taken().expect("an operation");
        let next = b.first(last, |p| p.wake.is_some()).expect("it happens");
        println!("{code:?} taken -> next turn: {} cycles", next - last);
        assert!(next - last <= 6);
    }
}

#[test]
fn a_reused_slot_starts_with_phase_0() {
    let mut b = bench(4, 4);
    b.launch(3, 0, 1, 4, 4);
    b.op(OpCode::Arrive, 0, 0xf, 2, 0x10);
    b.op(OpCode::Arrive, 0, 0x3, 2, 0x10);
    b.op(OpCode::Exit, 0, 0xf, 0, 0x20);
    b.launch(3, 1, 1, 4, 4);
    b.give(weft_sim::barrier::Op {
        code: OpCode::Wait,
        warp: 1,
        active: 0xf,
        id: 2,
        pc: 0x30,
        ..Default::default()
    });
    b.settle();
    let last = b
        .log
        .iter()
        .rev()
        .find_map(|(_, p)| p.verdict)
        .expect("a verdict");
    assert_eq!((last.kind, last.mask), (VerdictKind::Retry, 0xf));
}

/// Of a CTA of four warps so many are launched; the first two come to a barrier of all, and are held.
fn two_warps_wait(launched: usize) -> Bench {
    let mut b = bench(4, 4);
    b.launch(0, 0, launched, 16, 4);
    b.top(0, 0xf, 0, Word::ALL, 0x10);
    b.top(1, 0xf, 0, Word::ALL, 0x10);
    b.settle();
    assert_eq!(b.lockstep().judge().unit().state(0, 0), State::Static);
    assert_eq!(held(&b), 3);
    b
}

/// BAR-090: a STATIC barrier whose only sleepers are held warps is IDLE at once, and nothing wakes them but the end of
/// `hold`.
#[test]
fn a_reset_lets_held_warps_go_at_once() {
    let mut b = two_warps_wait(4);
    let before = b.now();
    b.op(OpCode::Reset, 2, 0xf, 0, 0x20);
    b.settle();
    assert_eq!(b.lockstep().judge().unit().state(0, 0), State::Idle);
    assert_eq!(held(&b), 0);
    assert!(b.when(before, |p| p.wake.is_some()).is_empty());
    let idle = b.when(before, |p| {
        p.event.is_some_and(|e| e.kind == EventKind::Idle)
    });
    assert_eq!(idle.len(), 1);
}

#[test]
fn warps_that_are_not_launched_yet_are_waited_for() {
    two_warps_wait(2);
}

#[test]
fn a_count_that_changes_under_a_late_arrival_does_not_count() {
    let mut b = bench(4, 4);
    b.launch(0, 0, 4, 16, 4);
    for (warp, count) in [(0, 3), (1, 2), (2, 9)] {
        b.top(
            warp,
            1,
            0,
            Word::ALL.with_condition(2).with_count(count),
            0x10,
        );
    }
    b.settle();
    let fires = b.when(0, |p| p.event.is_some_and(|e| e.kind == EventKind::Fire));
    assert_eq!(fires.len(), 1);
    assert!(fires[0] > b.taken().expect("an operation"));
}

/// BAR-023, BAR-033: by a minimum count as by a timeout, until all threads of the CTA have come.
#[test]
fn late_threads_pass_whatever_opened_the_barrier() {
    late_threads_pass(DEVICE);
}

fn late_threads_pass(kind: Kind) {
    use weft_sim::barrier::Late;
    for (first, last) in [(3, EventKind::Fire), (1, EventKind::Timeout)] {
        let mut b = bench_of(kind, 4, 4);
        b.launch(0, 0, 4, 16, 4);
        let word = Word::ALL
            .with_condition(4)
            .with_count(4)
            .with_late(Late::Invalidates);
        b.top(0, first, 0, word, 0x10);
        b.top(1, first, 0, word, 0x10);
        b.run(600);
        let opened = |b: &Bench| b.when(0, |p| p.event.is_some_and(|e| e.kind == last)).len();
        assert_eq!(opened(&b), 1, "{last:?}");
        let state = |b: &Bench| b.lockstep().judge().unit().state(0, 0);
        assert_eq!(state(&b), State::Invalid, "{last:?}");
        let since = b.now();
        b.top(2, 0xf, 0, word, 0x10);
        b.top(3, 0x7, 0, word, 0x10);
        b.top(0, 0xf & !first, 0, word, 0x10);
        b.top(1, 0xf & !first, 0, word, 0x10);
        b.settle();
        let all = |b: &Bench| {
            let verdicts = b.log.iter().filter(|(n, _)| *n > since);
            verdicts.filter_map(|(_, p)| p.verdict).collect::<Vec<_>>()
        };
        let (verdicts, next) = (all(&b), VerdictKind::Next);
        assert_eq!(verdicts.len(), 4, "{last:?}");
        assert!(verdicts.iter().all(|v| v.kind == next), "{verdicts:?}");
        assert_eq!(b.log.last().expect("a cycle").1.hold, 0);
        assert_eq!(state(&b), State::Invalid, "one thread is missing");
        b.top(3, 0x8, 0, word, 0x10);
        b.settle();
        let idle = b.when(since, |p| {
            p.event.is_some_and(|e| e.kind == EventKind::Idle)
        });
        assert_eq!((idle.len(), state(&b)), (1, State::Idle), "{last:?}");
    }
}

/// A section that is complete with so many arrivals of threads that participate.
fn section_of(count: u32) -> Word {
    Word::ALL
        .with_kind(Of::Section)
        .with_condition(2)
        .with_count(count)
}

/// The warps that have been woken since, in order.
fn woken(b: &Bench, since: u64) -> Vec<usize> {
    let wakes = b.log.iter().filter(|(n, _)| *n >= since);
    wakes.filter_map(|(_, p)| p.wake).map(|w| w.warp).collect()
}

/// BAR-061, BAR-104: behind an exclusive section three others take slots 0, 1 and 2 at once; slot 0 was the last one.
#[test]
fn slots_of_one_priority_take_turns() {
    slots_take_turns(DEVICE);
}

fn slots_take_turns(kind: Kind) {
    let mut b = bench_of(kind, 4, 4);
    b.launch(0, 0, 4, 16, 4);
    let section = section_of(1);
    b.top(3, 1, 3, section.exclusive(), 0x10);
    b.settle();
    (0..3).for_each(|warp| b.top(warp, 1, warp, section, 0x20));
    b.settle();
    let since = b.now();
    b.op(OpCode::BottomNb, 3, 1, 3, 0x18);
    b.settle();
    let order = woken(&b, since);
    assert_eq!(order, [1, 2, 0]);
}

/// BAR-060, BAR-061: warps 0 and 1 are at four sections, and all threads of warp 0 inside; then it is killed.
/// Barriers 0 and 1 have priority 3, barrier 2 has 2. Barrier 3 is the last to be complete: the verdict about it waits,
/// and `change` may change the priorities meanwhile. The threads of warp 1 in the order of their turns.
fn turns_after(kind: Kind, priority: u16, change: impl Fn(&mut Bench)) -> Vec<u64> {
    let mut b = bench_of(kind, 4, 4);
    b.priority = 3 | 3 << 2 | 2 << 4 | priority << 6;
    b.launch(0, 0, 2, 8, 4);
    let two = section_of(2);
    for id in 0..3 {
        (0..2).for_each(|warp| b.top(warp, 1 << id, id, two, 0x10));
    }
    b.top(0, 8, 3, two, 0x10);
    b.settle();
    b.verdict_ready = false;
    b.top(1, 8, 3, two, 0x10);
    change(&mut b);
    b.verdict_ready = true;
    b.settle();
    // All four can have a turn at once. The first two wakes wait, so that the others can for long.
    let since = b.now();
    b.op(OpCode::Kill, 0, 0, 0, 0);
    for _ in 0..2 {
        b.wake_ready = false;
        b.run(100);
        b.wake_ready = true;
        b.run(1);
    }
    b.settle();
    let wakes = b.log.iter().filter(|(n, p)| *n >= since && p.wake_ready);
    let wakes = wakes.filter_map(|(_, p)| p.wake);
    wakes.map(|w| w.mask).collect()
}

/// BAR-061: a priority that changes while the verdict waits counts: the judge took the one of the arrival.
#[test]
fn priorities_count_when_the_slot_is_taken() {
    let to = |priority: u16| {
        move |b: &mut Bench| {
            b.run(100);
            b.priority = b.priority & 0x3f | priority << 6;
            b.run(100);
        }
    };
    assert_eq!(turns_after(DEVICE, 1, to(1)), [1, 2, 4, 8]);
    assert_eq!(turns_after(DEVICE, 3, to(3)), [1, 2, 8, 4]);
    assert_eq!(turns_after(DEVICE, 1, to(3)), [1, 2, 8, 4]);
    assert_eq!(turns_after(DEVICE, 3, to(1)), [1, 2, 4, 8]);
    // It takes its slot with the event, one cycle behind the transfer of the verdict.
    let counts = |late: u64| {
        let order = turns_after(DEVICE, 1, |b| {
            b.run(100);
            b.verdict_ready = true;
            b.run(late);
            b.priority |= 3 << 6;
            b.run(1);
        });
        order == [1, 2, 8, 4]
    };
    assert_eq!([0, 1, 2, 3].map(counts), [true, true, false, false]);
}

/// BAR-061: of two sections that wait in the queue behind an exclusive one, priorities change. Who has the first turn
/// when those are `before`, and `after` from this cycle on: after the exclusive one has left, or long before.
fn first_turn(before: u16, after: u16, late: Option<u64>) -> usize {
    let mut b = bench(4, 4);
    b.priority = before;
    b.launch(0, 0, 4, 16, 4);
    let section = section_of(1);
    b.top(0, 1, 0, section.exclusive(), 0x10);
    b.settle();
    (1..3).for_each(|warp| b.top(warp, 1, warp, section, 0x20));
    b.settle();
    if late.is_none() {
        b.priority = after;
        b.run(100);
    }
    let since = b.now();
    b.op(OpCode::BottomNb, 0, 1, 0, 0x18);
    while b.first(since, |p| p.event.is_some()).is_none() {
        b.run(1);
    }
    if let Some(late) = late {
        b.run(late - 1);
        b.priority = after;
    }
    b.settle();
    let order = woken(&b, since);
    assert!(order == [1, 2] || order == [2, 1], "{order:?}");
    order[0]
}

#[test]
fn priorities_change_in_the_queue() {
    let of = |first: u16, second: u16| first << 2 | second << 4;
    assert_eq!(first_turn(of(0, 3), of(3, 0), None), 1);
    assert_eq!(first_turn(of(3, 0), of(0, 3), None), 2);
    // One cycle behind the event the first one takes its slot, two later the second.
    let first = [1, 2, 3].map(|late| first_turn(of(0, 1), of(3, 1), Some(late)));
    assert_eq!(first, [1, 2, 2]);
    let second = [2, 3, 4].map(|late| first_turn(of(1, 0), of(1, 3), Some(late)));
    assert_eq!(second, [2, 2, 1]);
}

/// BAR-062: the thread inside an exclusive section waits for one that sleeps at a simple barrier;
/// a section waits in front of both.
#[test]
fn simple_barriers_go_on_beside_an_exclusive_section() {
    simple_barriers_go_on(DEVICE);
}

fn simple_barriers_go_on(kind: Kind) {
    let mut b = bench_of(kind, 4, 4);
    b.launch(0, 0, 2, 8, 4);
    b.launch(1, 2, 2, 8, 4);
    let two = Word::ALL.with_condition(2).with_count(2);
    let section = section_of(1);
    b.top(0, 1, 0, section.exclusive(), 0x10);
    b.settle();
    b.top(1, 1, 1, section, 0x20);
    b.settle();
    let warps = |b: &Bench, since| {
        let wakes = b.log.iter().filter(|(n, _)| *n >= since);
        let wakes = wakes.filter_map(|(_, p)| p.wake);
        wakes.map(|w| (w.warp, w.mask, w.pc)).collect::<Vec<_>>()
    };
    // Of its own CTA, of another one, and whom a reset lets go.
    for (warp, other, pc) in [(1, 0, 0x30), (2, 3, 0x40)] {
        let since = b.now();
        b.top(warp, 2, 2, two, pc);
        b.top(other, 2, 2, two, pc);
        b.settle();
        assert_eq!(warps(&b, since), [(warp, 2, pc + 1)]);
    }
    let since = b.now();
    b.top(3, 4, 3, section.with_count(9), 0x50);
    b.op(OpCode::Reset, 2, 1, 3, 0x60);
    b.settle();
    assert_eq!(warps(&b, since), [(3, 4, 0x50)]);
    // Then it leaves, and the other one begins.
    let since = b.now();
    b.op(OpCode::BottomNb, 0, 1, 0, 0x18);
    b.settle();
    assert_eq!(warps(&b, since), [(1, 1, 0x21)]);
}

/// BAR-062, BAR-093: eight barriers whose timers run out one behind the other;
/// all die, and their CTA slot is used again.
#[test]
fn a_new_cta_does_not_inherit_releases() {
    let mut b = bench(4, 4);
    b.launch(1, 0, 2, 8, 4);
    let word = Word::ALL.with_condition(3).with_timeout(2);
    for id in 0..8 {
        b.top(id / 4, 1 << (id % 4), id, word, 0x10);
    }
    while b.when(0, |p| p.expired.is_some()).len() < 8 {
        b.run(1);
    }
    let since = b.now();
    b.op(OpCode::Kill, 0, 0, 0, 0);
    b.op(OpCode::Kill, 1, 0, 0, 0);
    b.launch(1, 0, 1, 4, 4);
    b.top(0, 3, 7, Word::ALL.with_condition(2).with_count(4), 0x20);
    b.top(0, 12, 7, Word::ALL.with_condition(2).with_count(4), 0x20);
    b.settle();
    let launched =
        |p: &weft_sim::barrier::Ports| p.taken().is_some_and(|op| op.code == OpCode::Launch);
    let launch = b.first(since, launched).expect("a launch");
    let idle = |p: &weft_sim::barrier::Ports| p.event.is_some_and(|e| e.kind == EventKind::Idle);
    let ends = b.when(0, idle);
    let before = ends.iter().filter(|&&n| n < launch + 4).count();
    assert!(before < 7, "{before} of 8 were served before");
    assert_eq!(
        ends.len(),
        before + 1,
        "and no other but that of the new CTA"
    );
    let wakes = b.when(launch, |p| p.wake.is_some());
    assert_eq!(wakes.len(), 1);
}

/// BAR-062: three sections that can go, and a barrier with sleepers in three warps.
#[test]
fn slots_and_those_who_are_let_go_take_turns() {
    slots_and_releases_take_turns(DEVICE);
}

fn slots_and_releases_take_turns(kind: Kind) {
    let mut b = bench_of(kind, 4, 4);
    b.launch(0, 0, 4, 16, 4);
    let section = section_of(1);
    let four = Word::ALL.with_condition(2).with_count(4);
    for warp in 0..3 {
        b.top(warp, 8, 4, four, 0x30);
    }
    b.top(3, 1, 3, section.exclusive(), 0x10);
    b.settle();
    // They wait for the exclusive one, and take slots at once when it leaves; the sleepers are let go just then.
    (0..3).for_each(|warp| b.top(warp, 1, warp, section, 0x20));
    b.settle();
    let since = b.now();
    b.op(OpCode::BottomNb, 3, 1, 3, 0x18);
    b.top(3, 8, 4, four, 0x30);
    b.settle();
    let wakes = b.log.iter().filter(|(n, _)| *n >= since);
    let order: Vec<_> = wakes.filter_map(|(_, p)| p.wake).map(|w| w.pc).collect();
    assert_eq!(order.len(), 6);
    let alternate = order.windows(2).all(|pair| pair[0] != pair[1]);
    assert!(alternate, "{order:x?}");
}

#[test]
fn threads_that_exit_release_those_who_wait() {
    let mut b = bench(4, 4);
    b.launch(0, 0, 3, 12, 4);
    b.top(0, 0xf, 0, Word::ALL, 0x10);
    b.top(1, 0x5, 0, Word::ALL, 0x10);
    b.op(OpCode::Exit, 2, 0x3, 0, 0x20);
    b.op(OpCode::Exit, 1, 0xa, 0, 0x20);
    b.settle();
    assert_eq!(b.log.last().expect("a cycle").1.hold, 1);
    b.op(OpCode::Exit, 2, 0xc, 0, 0x20);
    b.settle();
    assert_eq!(b.log.last().expect("a cycle").1.hold, 0);
    let wake = b
        .log
        .iter()
        .rev()
        .find_map(|(_, p)| p.wake)
        .expect("a wake");
    assert_eq!((wake.warp, wake.mask, wake.pc), (1, 0x5, 0x11));
}

#[test]
fn arrive_and_wait_1024_times_with_random_delays() {
    use rand::Rng as _;
    let mut rng = weft_testbench::seed::stream(seed(), "delays");
    let mut b = bench(4, 4);
    b.launch(0, 0, 2, 8, 4);
    b.settle();
    for round in 0..1_024u64 {
        let parity = if round % 2 == 0 { 0 } else { 0xf };
        let mut wait = |b: &mut Bench, warp| {
            b.give(weft_sim::barrier::Op {
                code: OpCode::Wait,
                warp,
                active: 0xf,
                mask: parity,
                id: 5,
                pc: 0x40,
                ..Default::default()
            });
            let from = b.now();
            while b.when(from, |p| p.verdict.is_some()).is_empty() {
                b.run(1);
            }
            b.run(rng.gen_range(1..6));
            let last = b
                .log
                .iter()
                .rev()
                .find_map(|(_, p)| p.verdict)
                .expect("a verdict");
            b.log.clear();
            last.kind
        };
        let first = (round % 3 == 0) as usize;
        b.op(OpCode::Arrive, first, 0xf, 5, 0x30);
        b.settle();
        assert_eq!(wait(&mut b, first), VerdictKind::Retry, "round {round}");
        b.op(OpCode::Arrive, 1 - first, 0xf, 5, 0x30);
        b.settle();
        assert_eq!(wait(&mut b, first), VerdictKind::Next, "round {round}");
        assert_eq!(wait(&mut b, 1 - first), VerdictKind::Next, "round {round}");
    }
}

#[test]
fn the_seventeenth_barrier_waits_for_a_slot() {
    let mut b = bench(4, 4);
    let section = section_of(1);
    // CTAs of one thread each cannot be at 17 barriers: four CTAs of a warp, 4 threads at 4 barriers each, then one
    // more.
    for cta in 0..4 {
        b.launch(cta, cta, 1, 4, 4);
        for id in 0..4 {
            b.top(cta, 1 << id, id, section, 0x10);
        }
    }
    b.settle();
    assert_eq!(b.when(0, |p| p.wake.is_some()).len(), 16);
    // A thread leaves without waiting, and opens the seventeenth.
    b.op(OpCode::BottomNb, 0, 1, 0, 0x20);
    b.top(0, 1, 7, section, 0x30);
    b.settle();
    assert_eq!(b.when(0, |p| p.wake.is_some()).len(), 17);
}

fn wait(b: &mut Bench, warp: usize, mask: u64, id: usize) {
    b.give(weft_sim::barrier::Op {
        code: OpCode::Wait,
        warp,
        active: mask,
        id,
        pc: 0x40,
        ..Default::default()
    });
    b.settle();
}

fn last_verdict(b: &Bench) -> (u64, weft_sim::barrier::Verdict) {
    let mut log = b.log.iter().rev();
    log.find_map(|(n, p)| p.verdict.map(|v| (*n, v)))
        .expect("a verdict")
}

fn held(b: &Bench) -> u64 {
    b.log.last().expect("a cycle").1.hold
}

/// BAR-083, BAR-084: what lets a warp go that waits awake, and what does not; in which cycle.
#[test]
fn who_waits_awake_is_held_until_its_cta_changes() {
    let mut b = bench(4, 4);
    b.launch(0, 0, 3, 12, 4);
    b.launch(1, 3, 1, 4, 4);
    let one = Word::ALL.with_condition(1);
    let arrive = |b: &mut Bench, warp, mask, id, word| {
        b.give(weft_sim::barrier::Op {
            code: OpCode::Arrive,
            warp,
            active: mask,
            id,
            word,
            pc: 0x50,
            ..Default::default()
        });
        b.settle();
    };
    let asks = |b: &mut Bench| {
        wait(b, 0, 0xf, 5);
        let (at, verdict) = last_verdict(b);
        assert_eq!((verdict.kind, verdict.mask), (VerdictKind::Retry, 0xf));
        let since = b.when(at, |p| p.hold == 1);
        assert_eq!(since.first(), Some(&(at + 2)), "verdict in {at}");
        assert_eq!(held(b), 1);
    };
    asks(&mut b);
    // Another CTA; an arrival that completes nothing; a verdict RETRY of somebody else.
    arrive(&mut b, 3, 0xf, 5, one.with_count(4));
    arrive(&mut b, 1, 0x1, 5, one.with_count(5));
    assert_eq!(held(&b), 1);
    wait(&mut b, 2, 0xf, 6);
    assert_eq!(held(&b), 5);
    // An event of another barrier of the CTA: both ask again.
    let from = b.now();
    arrive(&mut b, 1, 0x1, 6, one.with_count(1));
    let fire = b.first(from, |p| p.event.is_some()).expect("an event");
    assert_eq!(b.first(from, |p| p.hold == 0), Some(fire + 1));
    wait(&mut b, 2, 0xf, 6);
    assert_eq!(last_verdict(&b).1.kind, VerdictKind::Next);
    asks(&mut b);
    // Threads that end; a killed warp.
    let from = b.now();
    b.op(OpCode::Exit, 1, 0x8, 0, 0x60);
    b.settle();
    let at = last_verdict(&b).0;
    assert_eq!(b.first(from, |p| p.hold == 0), Some(at + 3));
    asks(&mut b);
    b.op(OpCode::Kill, 2, 0, 0, 0);
    b.settle();
    assert_eq!(held(&b), 0);
    asks(&mut b);
    // What it waits for.
    arrive(&mut b, 1, 0x7, 5, one.with_count(5));
    assert_eq!(held(&b), 1);
    arrive(&mut b, 1, 0x1, 5, one.with_count(5));
    assert_eq!(held(&b), 0);
    wait(&mut b, 0, 0xf, 5);
    assert_eq!(last_verdict(&b).1.kind, VerdictKind::Next);
}

/// BAR-082: two groups of a warp, one beside sleepers, and a wake that lets only its own warp go.
#[test]
fn groups_of_a_warp_wait_together() {
    let mut b = bench(4, 4);
    b.launch(0, 0, 3, 12, 4);
    wait(&mut b, 0, 0x3, 5);
    assert_eq!(held(&b), 0, "two threads can go");
    wait(&mut b, 0, 0xc, 6);
    assert_eq!(held(&b), 1);
    // A section with a thread of warp 1 and one of warp 2; the first one is through.
    let two = section_of(2);
    b.top(1, 0x1, 0, two, 0x10);
    b.top(2, 0x1, 0, two, 0x10);
    b.settle();
    wait(&mut b, 1, 0xe, 5);
    assert_eq!(
        held(&b),
        0,
        "the thread inside can go, and the CTA has changed"
    );
    b.op(OpCode::Bottom, 1, 0x1, 0, 0x20);
    b.settle();
    wait(&mut b, 1, 0xe, 5);
    wait(&mut b, 0, 0x3, 5);
    wait(&mut b, 0, 0xc, 6);
    assert_eq!(held(&b), 3);
    // The group ends: the wake lets warp 1 go, the event warp 0.
    let from = b.now();
    b.op(OpCode::Bottom, 2, 0x1, 0, 0x20);
    b.settle();
    let wake = b.first(from, |p| p.wake.is_some_and(|w| w.warp == 1));
    let idle = b.first(from, |p| p.event.is_some());
    let falls = |bit: u64| b.first(from, |p| p.hold & bit == 0);
    assert_eq!(falls(2), wake.map(|n| n + 1));
    assert_eq!(falls(1), idle.map(|n| n + 1));
    assert!(falls(2) < falls(1));
}
