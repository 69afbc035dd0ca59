//! Stops, steps and threads that are ahead, without GDB (DEBUG-010 to DEBUG-024).

use std::cell::RefCell;
use std::rc::Rc;
use weft_debug::session::{Resume, Write};
use weft_debug::thread::Thread;
use weft_debug::watch::{Kind, Watch};
use weft_debug::work::Grid;
use weft_debug::{Session, Stop, Work};
use weft_sim::{Config, FaultCause, Launch, Limits, Machine, Memory, Record};

type Said = Rc<RefCell<Vec<String>>>;

fn config(warps: usize, grid: Option<u32>) -> Config {
    Config {
        warps,
        threads: 4,
        grid,
        memory: 1 << 20,
        ..Config::default()
    }
}

fn session_of(text: &str, grid: Grid) -> (Session, Said) {
    let program = weft_isa::assemble(text, "p.s").unwrap();
    let said = Said::default();
    let hears = Rc::clone(&said);
    let say = Box::new(move |line: &str| hears.borrow_mut().push(line.into()));
    let session = Session::new(Work { program, grid }, Some(1000), say).unwrap();
    (session, said)
}

fn session(text: &str, warps: usize) -> Session {
    session_of(text, Grid::Parts(vec![config(warps, None)])).0
}

fn label(text: &str, name: &str) -> u32 {
    weft_isa::assemble(text, "p.s").unwrap().symbols[name]
}

/// Goes on until something stops it.
fn go(session: &mut Session, resume: Resume) -> Stop {
    session.resume(resume);
    let mut stops = (0..200_000).filter_map(|_| session.advance());
    stops.next().expect("it stops")
}

fn cont(session: &mut Session) -> Stop {
    go(session, Resume::default())
}

/// As GDB does it behind a breakpoint: one thread alone.
fn step_alone(session: &mut Session, number: u32) -> Stop {
    let resume = Resume {
        step: Some(number),
        alone: Some(number),
        ..Resume::default()
    };
    go(session, resume)
}

fn step(session: &mut Session, number: u32) -> Stop {
    let resume = Resume {
        step: Some(number),
        ..Resume::default()
    };
    go(session, resume)
}

fn at(warp: usize, lane: usize) -> Thread {
    Thread { warp, lane }
}

/// Odd threads go to `odd`; every thread stores what it has come to.
const DIVERGES: &str = "
_start: andi t0, a0, 1
    slli t2, a0, 2
    lui t3, 0x20
    add t2, t2, t3
    bnez t0, odd
    addi t1, a0, 100
    j store
odd: addi t1, a0, 200
    addi t1, t1, 7
store: sw t1, 0(t2)
    exit
";

/// DEBUG-020: each active thread, and nobody else.
#[test]
fn a_breakpoint_is_told_for_each_active_thread() {
    let mut session = session(DIVERGES, 2);
    session.set_breakpoint(label(DIVERGES, "odd"));
    let stops: Vec<_> = (0..5).map(|_| cont(&mut session)).collect();
    let told = [(0, 1), (0, 3), (1, 1), (1, 3)];
    let mut all: Vec<_> = told.map(|(w, l)| Stop::Break(at(w, l))).into();
    all.push(Stop::Exit(0));
    assert_eq!(stops, all);
}

/// DEBUG-021, DEBUG-024: whoever is stepped to its end is shown there once more; alone behind its last instruction.
#[test]
fn a_thread_that_ends_is_shown_where_it_ended() {
    for alone in [false, true] {
        let mut session = session(DIVERGES, 1);
        let store = label(DIVERGES, "store");
        session.set_breakpoint(store);
        let mut stop = cont(&mut session);
        while stop != Stop::Break(at(0, 1)) {
            stop = cont(&mut session);
        }
        session.leave();
        let go = if alone { step_alone } else { step };
        let end = if alone { store + 8 } else { store + 4 };
        for place in [store + 4, end] {
            assert_eq!(go(&mut session, 1), Stop::Step(at(0, 1)));
            assert_eq!((session.pc(at(0, 1)), session.is_alive(1)), (place, true));
        }
        assert_eq!(cont(&mut session), Stop::Exit(0));
    }
}

/// DEBUG-021: a breakpoint at the instruction with which threads end, stepped over by each alone, as GDB does when its
/// condition is false: it is told once for each, and the program ends.
#[test]
fn a_breakpoint_where_threads_end_is_told_once() {
    let mut session = session(DIVERGES, 1);
    let exit = label(DIVERGES, "store") + 4;
    session.set_breakpoint(exit);
    let mut told = Vec::new();
    loop {
        match cont(&mut session) {
            Stop::Break(thread) => {
                told.push(thread);
                session.clear_breakpoint(exit);
                let number = thread.lane as u32;
                assert_eq!(step_alone(&mut session, number), Stop::Step(thread));
                session.set_breakpoint(exit);
                assert_ne!(session.pc(thread), exit);
            }
            stop => {
                assert_eq!(stop, Stop::Exit(0));
                break;
            }
        }
    }
    told.sort_by_key(|thread| thread.lane);
    assert_eq!(told, [0, 1, 2, 3].map(|lane| at(0, lane)));
}

/// Threads that return to different places share a return: each is told of it once.
#[test]
fn a_jump_of_some_threads_tells_nobody_twice() {
    let text = "_start: andi t0, a0, 1\n la t1, one\n beqz t0, meet\n la t1, two\nmeet: nop\nback: jr t1\none: exit\ntwo: exit\n";
    let mut session = session(text, 1);
    session.set_breakpoint(label(text, "back"));
    let mut numbers = Vec::new();
    while let Stop::Break(thread) = cont(&mut session) {
        numbers.push(thread.lane);
    }
    numbers.sort_unstable();
    assert_eq!(numbers, [0, 1, 2, 3]);
}

/// DEBUG-021: whoever is stepped alone is ahead, the others stand; then all come to what they come to undisturbed.
#[test]
fn a_thread_alone_goes_ahead_and_the_others_follow() {
    let mut session = session(DIVERGES, 2);
    let odd = label(DIVERGES, "odd");
    session.set_breakpoint(odd);
    assert_eq!(cont(&mut session), Stop::Break(at(0, 1)));
    assert_eq!(step_alone(&mut session, 1), Stop::Step(at(0, 1)));
    let pcs = |session: &Session| [at(0, 1), at(0, 3)].map(|t| session.pc(t));
    assert_eq!(pcs(&session), [odd + 4, odd]);
    let t1 = |session: &Session, t| session.seen_by(t).thread(t.warp, t.lane).registers[6];
    assert_eq!([at(0, 1), at(0, 3)].map(|t| t1(&session, t)), [201, 0]);
    // Twice more: up to its store, which the others do not see.
    for _ in 0..2 {
        assert_eq!(step_alone(&mut session, 1), Stop::Step(at(0, 1)));
    }
    let word = |session: &Session, t: Thread| {
        let mut bytes = [0; 4];
        let machine = session.seen_by(t);
        machine.bytes(t.warp, t.lane, 0x20004, &mut bytes).unwrap();
        u32::from_le_bytes(bytes)
    };
    assert_eq!([at(0, 1), at(0, 3)].map(|t| word(&session, t)), [208, 0]);
    assert_eq!(cont(&mut session), Stop::Break(at(0, 3)));
    assert_eq!(cont(&mut session), Stop::Break(at(1, 1)));
    session.clear_breakpoint(odd);
    assert_eq!(cont(&mut session), Stop::Exit(0));
    assert_eq!(session.into_memory(), undisturbed(DIVERGES));
}

/// What the machine alone leaves behind.
fn undisturbed(text: &str) -> Contents {
    let program = weft_isa::assemble(text, "p.s").unwrap();
    let mut machine = Machine::new(&program, &config(2, None)).unwrap();
    machine.run(&Limits::default(), |_: &Record| ());
    Contents(machine.memory().slice(0x1000..1 << 20).unwrap().to_vec())
}

#[derive(Debug)]
struct Contents(Vec<u8>);

impl PartialEq<Contents> for Memory {
    fn eq(&self, other: &Contents) -> bool {
        self.slice(0x1000..1 << 20) == Some(&other.0)
    }
}

/// Threads are stepped in many orders, alone and with the others: nothing comes to anything else.
#[test]
fn stepping_changes_no_result() {
    for seed in 0..12u32 {
        let mut session = session(DIVERGES, 2);
        session.set_breakpoint(label(DIVERGES, "odd"));
        let mut n = seed.wrapping_mul(2_654_435_761) | 1;
        for _ in 0..40 {
            n = n.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let alive = session.alive();
            let number = alive[(n >> 8) as usize % alive.len()];
            let stop = match n >> 29 {
                0..=2 => step_alone(&mut session, number),
                3..=6 => step(&mut session, number),
                _ => cont(&mut session),
            };
            if matches!(stop, Stop::Exit(_)) {
                break;
            }
        }
        session.leave();
        if !session.has_ended() {
            assert_eq!(cont(&mut session), Stop::Exit(0), "seed {seed}");
        }
        assert_eq!(session.into_memory(), undisturbed(DIVERGES), "seed {seed}");
    }
}

/// A step of a thread that is off lets the others go on until it is its turn.
#[test]
fn a_thread_that_is_off_is_stepped_when_it_is_on_again() {
    let mut session = session(DIVERGES, 1);
    session.set_breakpoint(label(DIVERGES, "odd"));
    assert_eq!(cont(&mut session), Stop::Break(at(0, 1)));
    session.leave();
    let before = session.pc(at(0, 0));
    assert_eq!(step(&mut session, 0), Stop::Step(at(0, 0)));
    assert_eq!(session.pc(at(0, 0)), before + 4);
    // Alone it would be the same, and thread 1 would stand; it has ended.
    assert_eq!(session.alive(), [0, 2]);
}

/// DEBUG-023
#[test]
fn what_is_written_counts_also_ahead() {
    for alone in [false, true] {
        let mut session = session(DIVERGES, 2);
        session.set_breakpoint(label(DIVERGES, "odd"));
        cont(&mut session);
        if alone {
            step_alone(&mut session, 1);
        }
        session.write(at(0, 1), Write::Register(6, 1000)).unwrap();
        session.write(at(0, 3), Write::Register(10, 5)).unwrap();
        session
            .write(at(0, 1), Write::Memory(0x20100, vec![9]))
            .unwrap();
        session.leave();
        assert_eq!(cont(&mut session), Stop::Exit(0));
        let memory = session.into_memory();
        let words = [0x20004, 0x2000c, 0x20100].map(|a| memory.read_u32(a).unwrap());
        // Not ahead, the write stands before the instruction that overwrites it.
        assert_eq!(words, [if alone { 1007 } else { 208 }, 212, 9]);
    }
}

/// DEBUG-022
#[test]
fn a_watchpoint_names_thread_and_address() {
    let mut session = session(DIVERGES, 2);
    let watch = Watch::new(Kind::Write, 0x20008, 8);
    session.set_watch(watch.clone());
    session.set_watch(Watch::new(Kind::Read, 0x20000, 64));
    let stops: Vec<_> = (0..3).map(|_| cont(&mut session)).collect();
    let hit = |stop: &Stop| match stop {
        Stop::Watch(hit) => Some((hit.thread, hit.watch.clone())),
        _ => None,
    };
    let hits: Vec<_> = stops.iter().map(hit).collect();
    let one = |lane| Some((at(0, lane), watch.clone()));
    assert_eq!(hits, [one(3), one(2), None], "{stops:?}");
    assert_eq!(stops[2], Stop::Exit(0));
}

#[test]
fn reads_and_atomics_are_watched() {
    let text = "_start: lui t0, 0x20\n lw t1, 0(t0)\n amoadd.w t2, a0, (t0)\n exit\n";
    for (kind, hits) in [(Kind::Read, 8), (Kind::Write, 4), (Kind::Either, 8)] {
        let mut session = session(text, 1);
        session.set_watch(Watch::new(kind, 0x20002, 1));
        let mut all = Vec::new();
        loop {
            match cont(&mut session) {
                Stop::Watch(hit) => all.push(hit.thread.lane),
                Stop::Exit(0) => break,
                other => panic!("{other:?}"),
            }
        }
        let lanes: Vec<_> = (0..hits).map(|n| n % 4).collect();
        assert_eq!(all, lanes, "{kind:?}");
    }
}

#[test]
fn a_fault_names_its_thread_and_the_others_go_on() {
    let text = "_start: li t0, 2\n bne a0, t0, 1f\n sw a0, 0(x0)\n1: exit\n";
    let (mut session, said) = session_of(text, Grid::Parts(vec![config(2, None)]));
    let stop = cont(&mut session);
    let cause = FaultCause::Unmapped { address: 0 };
    assert_eq!(stop, Stop::Fault(at(0, 2), cause));
    assert!(
        said.borrow()[0].starts_with("thread 2 (warp 0, lane 2) has faulted: access to unmapped")
    );
    assert_eq!(session.pc(at(0, 2)), label(text, "_start") + 8);
    assert_eq!(cont(&mut session), Stop::Exit(1));
}

/// A thread that faults when it is stepped alone: that is told once.
#[test]
fn a_fault_ahead_is_told_once() {
    let text = "_start: sw a0, 0(x0)\n exit\n";
    let mut session = session(text, 1);
    let cause = FaultCause::Unmapped { address: 0 };
    assert_eq!(step_alone(&mut session, 0), Stop::Fault(at(0, 0), cause));
    assert_eq!(cont(&mut session), Stop::Exit(1));
}

#[test]
fn a_hang_and_a_livelock_are_stops() {
    let hang = "_start: bnez a0, 1f\n exit\n1: li t0, 0\n bar.wait 1, t0\n exit\n";
    let spin = "_start: j _start\n";
    let (mut session, said) = session_of(hang, Grid::Parts(vec![config(1, None)]));
    let stop = cont(&mut session);
    assert!(
        matches!(stop, Stop::Hang(t) if t.warp == 0 && t.lane > 0),
        "{stop:?}"
    );
    assert!(
        said.borrow()[0].starts_with("nothing goes on:\nwarp 0"),
        "{said:?}"
    );
    // It stays so.
    assert!(matches!(cont(&mut session), Stop::Hang(_)));
    let (mut session, said) = session_of(spin, Grid::Parts(vec![config(1, None)]));
    assert_eq!(cont(&mut session), Stop::Spins(at(0, 0)));
    assert!(
        said.borrow()[0].starts_with("a livelock is suspected"),
        "{said:?}"
    );
    assert_eq!(cont(&mut session), Stop::Spins(at(0, 0)));
    assert!(matches!(session.interrupt(), Stop::Interrupt(_)));
}

/// DEBUG-025: three CTAs of six threads on warps of four; then the same by machines without windows.
#[test]
fn ctas_run_one_after_the_other() {
    let launch = Launch {
        grid: [3, 1, 1],
        cta: [6, 1, 1],
        ..Launch::default()
    };
    let (mut session, said) = session_of(DIVERGES, Grid::Launch(config(2, None), launch));
    session.set_breakpoint(label(DIVERGES, "odd"));
    let mut numbers = Vec::new();
    while let Stop::Break(thread) = cont(&mut session) {
        numbers.push(session.number(thread));
        assert_eq!(session.find(session.number(thread)), Some(thread));
    }
    assert_eq!(numbers, [1, 3, 5, 7, 9, 11, 13, 15, 17]);
    assert_eq!(said.borrow().len(), 3);
    assert_eq!(said.borrow()[2], "CTA 2 of 3 begins: threads 12 to 17");
    assert!(session.find(5).is_none() && session.find(18).is_none());
    let memory = session.into_memory();
    let words: Vec<u32> = (0..19)
        .map(|n| memory.read_u32(0x20000 + 4 * n).unwrap())
        .collect();
    let of = |n: u32| n + [100, 207][n as usize % 2];
    let mut all: Vec<u32> = (0..18).map(of).collect();
    all.push(0);
    assert_eq!(words, all);
}
