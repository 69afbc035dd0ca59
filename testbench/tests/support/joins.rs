//! Descriptors that are named several times before they are inserted (TASK-027, TASK-028), in lockstep with the model.

use super::{
    bench, grid, launch, queue, rests, steps, taking, with_places, A, B, C, D, ONE, THREE,
};
use weft_sim::host::descriptor::word;
use weft_sim::host::registers::at;
use weft_sim::host::{Descriptor, Queue, Start};
use weft_testbench::tasks::bench::{Plan, PLACES, SPAWN_BASE, THREAD_END};
use weft_testbench::tasks::device::kind::{
    COMPLETE, EVICT, INSERT, KILL, LOAD, NAME, RETURN, START,
};
use weft_testbench::tasks::device::Fault;
use weft_testbench::tasks::sms::{Act, Life};
use weft_testbench::tasks::{Bench, Device};

/// The continuation.
const JOIN: u32 = 0x2800;

fn join(predecessors: u32) -> Descriptor {
    Descriptor {
        predecessors,
        ..grid(1)
    }
}

fn before(next: u32) -> Descriptor {
    Descriptor {
        dependent: next,
        ..grid(1)
    }
}

/// LAUNCH of what stands there: its code and place.
fn again(bench: &mut Bench, address: u32) -> (u8, u32) {
    let (code, place) = bench.run(address, &[]).unwrap_or_else(|e| panic!("{e}"));
    (code, place)
}

fn named(bench: &Bench, task: u32) -> u32 {
    bench.word(task + 4 * word::NAMED)
}

fn tasks_of(bench: &Bench, kind: u64) -> Vec<u32> {
    steps(bench, kind).into_iter().map(|s| s.0).collect()
}

fn with_ring(bench: &mut Bench) {
    bench.set(at::SPAWN_BASE, SPAWN_BASE).unwrap();
    bench.set(at::SPAWN_NUMBER, 8).unwrap();
}

/// A task of which the threads do this.
fn acting(task: u32, acts: Vec<(u64, Act)>) -> Plan {
    Box::new(move |start: &Start, _| Life {
        cycles: 20,
        acts: match start.task == task {
            true => acts.clone(),
            false => Vec::new(),
        },
        ..Life::default()
    })
}

/// The last of n inserts, none is as good as one, and the descriptor is as before: it is used again, without a word written.
#[test]
fn the_last_of_n_inserts() {
    let mut bench = bench(THREE, taking(20));
    for n in [0, 1, 2, 3, 7] {
        bench.place(JOIN, &join(n).words());
        for round in 0..2 {
            let starts = steps(&bench, START).len();
            for k in 1..n {
                assert_eq!(again(&mut bench, JOIN).0, 0);
                rests(&mut bench);
                assert_eq!(named(&bench, JOIN), k, "{n}, round {round}");
                assert_eq!(bench.word(JOIN + 4 * word::STATE), 0);
                assert_eq!(steps(&bench, START).len(), starts);
            }
            again(&mut bench, JOIN);
            rests(&mut bench);
            assert_eq!(named(&bench, JOIN), 0);
            assert_eq!(steps(&bench, START).len(), starts + 1);
        }
    }
}

/// The most that there is; one more is refused in either word.
#[test]
fn sixteen_bits_count() {
    let mut bench = bench(ONE, taking(20));
    let mut words = join(65_535).words();
    words[word::NAMED as usize] = 65_532;
    bench.place(JOIN, &words);
    for k in [65_533, 65_534] {
        assert_eq!(again(&mut bench, JOIN).0, 0);
        assert_eq!(named(&bench, JOIN), k);
    }
    again(&mut bench, JOIN);
    rests(&mut bench);
    assert_eq!(
        (named(&bench, JOIN), tasks_of(&bench, START)),
        (0, vec![JOIN])
    );
    // Named more often than it is said: it is inserted.
    words[word::NAMED as usize] = 65_535;
    bench.place(JOIN, &words);
    again(&mut bench, JOIN);
    rests(&mut bench);
    assert_eq!((named(&bench, JOIN), steps(&bench, START).len()), (0, 2));
    for number in [word::PREDECESSORS, word::NAMED] {
        let mut wrong = join(2).words();
        wrong[number as usize] = 65_536;
        let said = bench.run(JOIN, &wrong).unwrap();
        assert_eq!(said, (41, JOIN + 4 * number));
        assert_eq!(bench.word(JOIN + 4 * number), 65_536);
    }
}

/// By a channel, by the spawn ring, as a dependent, whoever is last; a task that runs twice names it twice.
#[test]
fn whoever_is_last() {
    for last in 0..3 {
        let acts = vec![(1, Act::Spawn(JOIN))];
        let mut bench = bench(ONE, acting(B, acts));
        with_ring(&mut bench);
        bench.place(JOIN, &join(4).words());
        bench.place(A, &before(JOIN).words());
        bench.place(B, &grid(1).words());
        // A twice, B, and JOIN itself.
        let mut order = vec![A, A, B, JOIN];
        order.rotate_left(last);
        for (k, task) in order.into_iter().enumerate() {
            assert_eq!(
                tasks_of(&bench, START)
                    .iter()
                    .filter(|t| **t == JOIN)
                    .count(),
                0
            );
            assert_eq!(named(&bench, JOIN), k as u32);
            again(&mut bench, task);
            rests(&mut bench);
        }
        let starts = tasks_of(&bench, START);
        assert_eq!(starts.iter().filter(|t| **t == JOIN).count(), 1);
        assert_eq!(starts.last(), Some(&JOIN));
        assert_eq!(tasks_of(&bench, NAME), [JOIN; 3]);
        assert_eq!(bench.get(at::TASK_ERRORS).unwrap(), 0);
    }
}

/// TASK-028: a thread forks; it adds, before it launches, for what it launches: the continuation comes behind all of it,
/// whoever is over first.
#[test]
fn a_thread_forks_and_adds() {
    for (parent, child) in [(20, 600), (600, 20)] {
        let plan = move |start: &Start, _: &mut _| Life {
            cycles: if start.task == A { parent } else { child },
            acts: match start.task {
                A => vec![
                    (1, Act::Add(JOIN + 4 * word::PREDECESSORS, 1)),
                    (2, Act::Spawn(B)),
                    (3, Act::Add(JOIN + 4 * word::PREDECESSORS, 1)),
                    (4, Act::Spawn(C)),
                ],
                // One that counts adds for another one.
                C => vec![
                    (1, Act::Add(JOIN + 4 * word::PREDECESSORS, 1)),
                    (2, Act::Spawn(D)),
                ],
                _ => Vec::new(),
            },
            ..Life::default()
        };
        let mut bench = bench(THREE, Box::new(plan));
        with_ring(&mut bench);
        bench.place(JOIN, &join(1).words());
        for task in [B, C, D] {
            bench.place(task, &before(JOIN).words());
        }
        launch(&mut bench, A, &before(JOIN));
        rests(&mut bench);
        let starts = tasks_of(&bench, START);
        assert_eq!(starts.len(), 5);
        assert_eq!(starts.last(), Some(&JOIN));
        let over = tasks_of(&bench, COMPLETE);
        assert_eq!(over.last(), Some(&JOIN));
        assert_eq!(tasks_of(&bench, NAME), [JOIN; 3]);
        assert_eq!(bench.word(JOIN + 4 * word::PREDECESSORS), 4);
    }
}

/// Every naming is checked, and what is refused has not been named.
#[test]
fn each_naming_is_checked() {
    let mut bench = bench(ONE, taking(20));
    bench.place(JOIN, &join(3).words());
    for k in 0..3 {
        for (number, value, code) in [
            (word::HEADER, 0x5600_0001, 33),
            (word::CTA, 17, 36),
            (word::COMPLETION, THREAD_END, 39),
            (31, 1, 41),
            (word::STATE, 1, 47),
        ] {
            let right = bench.word(JOIN + 4 * number);
            bench.store(JOIN + 4 * number, value);
            assert_eq!(again(&mut bench, JOIN), (code, JOIN + 4 * number));
            assert_eq!(named(&bench, JOIN), k);
            bench.store(JOIN + 4 * number, right);
        }
        // A channel of another domain does not reach it, now or the last time.
        bench.set(at::domain(3, at::WINDOW_END), JOIN).unwrap();
        bench.launch_by(JOIN, false, 3).unwrap();
        while bench.launches() {
            bench.cycle().unwrap();
        }
        assert_eq!(bench.launched.last().unwrap().1, 32);
        assert_eq!(named(&bench, JOIN), k);
        assert_eq!(again(&mut bench, JOIN).0, 0);
    }
    rests(&mut bench);
    assert_eq!(tasks_of(&bench, START), [JOIN]);
}

/// Who names it last decides the domain, and whether it is of threads.
#[test]
fn the_last_one_decides_whose_it_is() {
    for (first, last, limit) in [(2, 5, 0x2f00), (5, 2, 0x3000)] {
        let mut bench = bench(ONE, taking(20));
        bench.set(at::domain(2, at::WINDOW_END), 0x3000).unwrap();
        bench.set(at::domain(5, at::WINDOW_END), 0x2f00).unwrap();
        bench.place(JOIN, &join(2).words());
        for domain in [first, last] {
            bench.launch_by(JOIN, false, domain).unwrap();
            while bench.launches() {
                bench.cycle().unwrap();
            }
        }
        while bench.sms[0].ctas.is_empty() {
            bench.cycle().unwrap();
        }
        assert_eq!(bench.sms[0].ctas[0].words[24], limit);
        rests(&mut bench);
    }
}

/// TASK-023: who is only counted needs no place; the last one is refused and may be repeated, as often as it takes.
#[test]
fn a_full_table_refuses_the_last_one_alone() {
    for number in [0, 2, 3] {
        let mut bench = bench(ONE, taking(3_000));
        with_places(&mut bench, number);
        launch(&mut bench, A, &grid(1));
        for n in 1..number {
            launch(&mut bench, A + 128 * n, &grid(1));
        }
        bench.place(JOIN, &join(3).words());
        for k in [1, 2] {
            assert_eq!(again(&mut bench, JOIN).0, 0);
            assert_eq!(named(&bench, JOIN), k);
        }
        for _ in 0..3 {
            assert_eq!(again(&mut bench, JOIN), (48, JOIN));
            assert_eq!(named(&bench, JOIN), 2);
        }
        while again(&mut bench, JOIN).0 == 48 {
            bench.cycle().unwrap();
        }
        rests(&mut bench);
        assert_eq!(
            (named(&bench, JOIN), tasks_of(&bench, START).last()),
            (0, Some(&JOIN))
        );
        assert_eq!(bench.get(at::TASK_ERRORS).unwrap(), 0);
    }
}

/// A dependent that finds no place is lost, as TASK-031 says; it has been named as often as before.
#[test]
fn a_dependent_that_finds_no_place_is_told() {
    let mut bench = bench(ONE, taking(100));
    with_places(&mut bench, 0);
    bench.place(JOIN, &join(2).words());
    bench.place(A, &before(JOIN).words());
    for _ in 0..2 {
        again(&mut bench, A);
        rests(&mut bench);
        assert_eq!(named(&bench, JOIN), 1);
    }
    assert_eq!(bench.get(at::TASK_ERROR).unwrap(), 1 << 31 | 48);
    assert_eq!(bench.get(at::TASK_ERROR_TASK).unwrap(), JOIN);
    // It is loaded at once, as nothing else is there.
    again(&mut bench, JOIN);
    rests(&mut bench);
    assert_eq!(tasks_of(&bench, START), [A, A, JOIN]);
}

/// TASK-132: of two predecessors one is killed: the join is never inserted, and the GPU is idle all the same (TASK-080).
#[test]
fn who_is_killed_names_nobody() {
    let plan = |start: &Start, _: &mut _| Life {
        cycles: if start.task == B { Life::ENDLESS } else { 20 },
        ..Life::default()
    };
    let mut bench = bench(THREE, Box::new(plan));
    bench.place(JOIN, &join(2).words());
    launch(&mut bench, A, &before(JOIN));
    launch(&mut bench, B, &before(JOIN));
    while tasks_of(&bench, COMPLETE) != [A] {
        bench.cycle().unwrap();
    }
    bench.set(at::KILL, B).unwrap();
    rests(&mut bench);
    bench.set(at::KILL, 0).unwrap();
    assert_eq!(tasks_of(&bench, KILL), [B]);
    let states = [A, B, JOIN].map(|task| bench.word(task + 4 * word::STATE));
    assert_eq!((states, named(&bench, JOIN)), ([0, 3, 0], 1));
    assert_eq!(tasks_of(&bench, NAME), [JOIN]);
    // One that has failed names it.
    launch(&mut bench, C, &before(JOIN));
    rests(&mut bench);
    assert_eq!(tasks_of(&bench, START), [A, B, C, JOIN]);
}

#[test]
fn who_has_failed_names_it() {
    let plan = |start: &Start, _: &mut _| Life {
        cycles: 20,
        fault: (start.task == A).then_some(Fault {
            cause: 5,
            ..Fault::default()
        }),
        ..Life::default()
    };
    let mut bench = bench(ONE, Box::new(plan));
    bench.place(JOIN, &join(2).words());
    for task in [A, B] {
        launch(&mut bench, task, &before(JOIN));
        rests(&mut bench);
    }
    assert_eq!(bench.word(A + 4 * word::STATE), 3);
    assert_eq!(tasks_of(&bench, START), [A, B, JOIN]);
}

/// A predecessor that is evicted meanwhile names it once; the continuation is a queue.
#[test]
fn a_queue_behind_a_task_that_was_evicted() {
    let mut bench = bench(ONE, taking(700));
    let queue = Descriptor {
        predecessors: 2,
        ..queue(Queue {
            each: 2,
            put: 5,
            ..Queue::default()
        })
    };
    bench.place(JOIN, &queue.words());
    let wide = Descriptor {
        grid: [4, 1, 1],
        ..before(JOIN)
    };
    launch(&mut bench, A, &wide);
    while steps(&bench, START).len() < 2 {
        bench.cycle().unwrap();
    }
    let high = Descriptor {
        level: 3,
        ..before(JOIN)
    };
    launch(&mut bench, B, &high);
    rests(&mut bench);
    assert_eq!(
        [EVICT, RETURN].map(|kind| steps(&bench, kind).len()),
        [1, 1]
    );
    assert_eq!(tasks_of(&bench, NAME), [JOIN]);
    let entries = bench
        .steps
        .iter()
        .filter(|s| s.kind == START && s.task == JOIN);
    let entries: Vec<_> = entries.map(|s| (s.position, s.entries)).collect();
    assert_eq!(entries, [(0, 2), (2, 2), (4, 1)]);
    assert_eq!(tasks_of(&bench, COMPLETE), [B, A, JOIN]);
}

/// More joins wait than there are slots, places, and places of CTAs together: they take none.
#[test]
fn joins_that_wait_take_no_room() {
    let mut bench = bench(ONE, taking(5));
    with_places(&mut bench, 2);
    // Each of a chain waits for the one before it, and for a LAUNCH.
    let at = |n: u32| 0x2000 + 128 * n;
    let all = 30;
    for n in 0..all {
        let next = if n + 1 < all { at(n + 1) } else { 0 };
        let task = Descriptor {
            predecessors: 2,
            ..before(next)
        };
        bench.place(at(n), &task.words());
        assert_eq!(again(&mut bench, at(n)).0, 0);
    }
    rests(&mut bench);
    assert_eq!(steps(&bench, START).len(), 0);
    again(&mut bench, at(0));
    rests(&mut bench);
    let expected: Vec<_> = (0..all).map(at).collect();
    assert_eq!(tasks_of(&bench, START), expected);
}

/// The table of the page: what a naming costs that is counted, and the last one, with a memory of 20 cycles.
#[test]
fn cycles_from_the_last_naming_to_the_first_cta() {
    let device = Device::open(super::Shape { slots: 4, ..ONE }, None, 1).expect("weft_tasks");
    let mut bench = Bench::new(device, 1, 20, taking(100));
    bench.plain = true;
    bench.set(at::sm(0, at::LOCAL_LIMIT), 4096).unwrap();
    with_places(&mut bench, PLACES);
    rests(&mut bench);
    bench.place(JOIN, &join(3).words());
    bench.place(A, &before(JOIN).words());
    let from = bench.cycle;
    again(&mut bench, JOIN);
    let counted = *bench.times.last().unwrap() - from;
    rests(&mut bench);
    // By a parent: its last CTA has ended, the join is counted, the parent is complete.
    let over = |bench: &Bench, kind: u64, task: u32| {
        let all = bench.steps.iter().zip(&bench.times);
        let mut of_it = all.filter(|(s, _)| s.kind == kind && s.task == task);
        *of_it.next_back().expect("it is done").1
    };
    again(&mut bench, A);
    rests(&mut bench);
    let end = over(&bench, super::END, A);
    let by_parent = over(&bench, NAME, JOIN) - end;
    let complete = over(&bench, COMPLETE, A) - end;
    // The last one, as a dependent.
    bench.taken = None;
    again(&mut bench, A);
    while steps(&bench, START).iter().filter(|s| s.0 == A).count() < 2 {
        bench.cycle().unwrap();
    }
    bench.taken = None;
    rests(&mut bench);
    let end = over(&bench, super::END, A);
    let inserted = over(&bench, INSERT, JOIN) - end;
    let loaded = over(&bench, LOAD, JOIN) - end;
    let taken = bench.taken.unwrap() - end;
    // And by LAUNCH.
    again(&mut bench, JOIN);
    again(&mut bench, JOIN);
    rests(&mut bench);
    bench.taken = None;
    let from = bench.cycle;
    again(&mut bench, JOIN);
    rests(&mut bench);
    let [last_inserted, last_loaded] = [INSERT, LOAD].map(|kind| over(&bench, kind, JOIN) - from);
    println!(
        "the last LAUNCH to INSERT {last_inserted}, LOAD {last_loaded}, CTA {}",
        bench.taken.unwrap() - from
    );
    println!(
        "LAUNCH to NAME {counted} cycles; END of a parent to NAME {by_parent}, COMPLETE {complete}; to INSERT of the join {inserted}, \
         LOAD {loaded}, CTA {taken}"
    );
    assert!(by_parent < complete && inserted < loaded && loaded < taken);
}
