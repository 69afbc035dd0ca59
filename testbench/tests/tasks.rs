//! `weft_tasks` in lockstep with its model (docs/spec/tasks.md).
//!
//! `TASKS_SEED`, `TASKS_EPISODES` choose other random episodes.
//! `TASKS_FAULTS=all`, or names with commas between, chooses other broken copies.

use std::collections::BTreeMap;
use weft_generate::Unit;
use weft_sim::host::descriptor::word;
use weft_sim::host::registers::at;
use weft_sim::host::{Descriptor, Mutation, Queue, Start};
use weft_testbench::rtl::faults;
use weft_testbench::tasks::bench::{
    Plan, Wrong, MEMORY, MEMORY_END, PLACES, SPAWN_BASE, TABLE, THREAD_END,
};
use weft_testbench::tasks::cosim::SHAPES;
use weft_testbench::tasks::device::kind::{
    COMPLETE, END, EVICT, INSERT, LOAD, LOST, RETURN, START,
};
use weft_testbench::tasks::device::Fault;
use weft_testbench::tasks::random::{episode, Options};
use weft_testbench::tasks::sms::{Act, Life};
use weft_testbench::tasks::{Bench, Cover, Device, Shape};

const ONE: Shape = SHAPES[1];

/// The broken copies are made of it.
const THREE: Shape = SHAPES[0];

/// Warps for twice as many CTAs as an SM has places.
const WIDE: Shape = Shape { warps: 32, ..ONE };

const A: u32 = 0x2000;
const B: u32 = 0x2080;
const C: u32 = 0x2100;
const D: u32 = 0x2180;

fn bench(shape: Shape, plan: Plan) -> Bench {
    let device = Device::open(shape, None, 1).expect("weft_tasks");
    let mut bench = Bench::new(device, 1, 10, plan);
    for sm in 0..shape.sms {
        bench.set(at::sm(sm, at::LOCAL_LIMIT), 4096).unwrap();
    }
    with_places(&mut bench, PLACES);
    bench
}

/// A table of so many places.
fn with_places(bench: &mut Bench, number: u32) {
    bench.set(at::TABLE_BASE, TABLE).unwrap();
    bench.set(at::TABLE_NUMBER, number).unwrap();
}

/// All CTAs take so many cycles.
fn taking(cycles: u64) -> Plan {
    Box::new(move |_, _| Life {
        cycles,
        ..Life::default()
    })
}

/// A queue of eight words, for CTAs of four threads.
fn queue(queue: Queue) -> Descriptor {
    Descriptor {
        grid: [0; 3],
        cta: [4, 1, 1],
        queue: Some(Queue {
            ring: 0x4000,
            entry: 4,
            entries: 8,
            ..queue
        }),
        ..Descriptor::default()
    }
}

fn grid(ctas: u32) -> Descriptor {
    Descriptor {
        grid: [ctas, 1, 1],
        cta: [8, 1, 1],
        ..Descriptor::default()
    }
}

fn rests(bench: &mut Bench) {
    bench.rest().unwrap_or_else(|e| panic!("{e}"));
    bench.check_registers().unwrap_or_else(|e| panic!("{e}"));
}

fn launch(bench: &mut Bench, address: u32, task: &Descriptor) {
    let (code, place) = bench
        .run(address, &task.words())
        .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(code, 0, "at {place:#x}");
}

/// The steps of a kind: descriptor and CTA number.
fn steps(bench: &Bench, kind: u64) -> Vec<(u32, u32)> {
    let all = bench.steps.iter().filter(|s| s.kind == kind);
    all.map(|s| (s.task, s.cta)).collect()
}

/// The diagram of the page.
#[test]
fn a_higher_level_evicts_and_no_cta_is_lost() {
    let mut bench = bench(ONE, taking(1_500));
    launch(&mut bench, A, &grid(4));
    while steps(&bench, START).len() < 2 {
        bench.cycle().unwrap();
    }
    launch(
        &mut bench,
        B,
        &Descriptor {
            level: 3,
            ..grid(1)
        },
    );
    rests(&mut bench);
    let kinds: Vec<_> = bench.steps.iter().map(|s| (s.kind, s.task)).collect();
    let expected = [
        (0, A),
        (1, A),
        (2, A),
        (2, A),
        (0, B),
        (4, A),
        (3, A),
        (3, A),
        (5, A),
        (1, B),
        (2, B),
        (3, B),
        (6, B),
        (1, A),
        (2, A),
        (2, A),
        (3, A),
        (3, A),
        (6, A),
    ];
    assert_eq!(kinds, expected);
    assert_eq!(
        steps(&bench, START),
        [(A, 0), (A, 1), (B, 0), (A, 2), (A, 3)]
    );
}

/// TASK-055: sixteen CTAs of one warp have places 0 to 15. The seventeenth waits until one has ended, though sixteen warps
/// are free, and gets its place.
fn sixteen_places(fault: Option<&str>) -> Result<(), String> {
    let wrong = |e: Wrong| e.to_string();
    let device = Device::open(WIDE, fault, 1).map_err(|e| e.to_string())?;
    let mut bench = Bench::new(device, 1, 10, taking(3_000));
    bench.set(at::sm(0, at::LOCAL_LIMIT), 4096).map_err(wrong)?;
    let small = Descriptor {
        cta: [4, 1, 1],
        ..grid(20)
    };
    bench.run(A, &small.words()).map_err(wrong)?;
    let running = |bench: &Bench| -> BTreeMap<u64, u32> {
        let all = bench.sms[0].ctas.iter();
        all.map(|cta| (cta.place, cta.words[14])).collect()
    };
    let mut full = BTreeMap::new();
    while steps(&bench, END).is_empty() {
        bench.cycle().map_err(wrong)?;
        if steps(&bench, START).len() == 16 && full.is_empty() {
            full = running(&bench);
            // Running CTAs, free warps, free granules.
            let occupancy = bench.get(at::sm(0, at::OCCUPANCY)).map_err(wrong)?;
            if occupancy != 32 << 16 | 16 << 8 | 16 {
                return Err(format!("OCCUPANCY {occupancy:#x}"));
            }
        }
    }
    let started = steps(&bench, START).len();
    if started != 16 || !full.keys().copied().eq(0..16) {
        return Err(format!("{started} are started, {full:?} runs"));
    }
    let ended = steps(&bench, END)[0].1;
    while steps(&bench, START).len() < 17 {
        bench.cycle().map_err(wrong)?;
    }
    let place = running(&bench).into_iter().find(|(_, cta)| *cta == 16);
    if place.map(|(place, _)| full[&place]) != Some(ended) {
        return Err(format!("CTA {ended} of {full:?} has ended: {place:?}"));
    }
    bench.rest().map_err(wrong)?;
    match steps(&bench, START).len() {
        20 => Ok(()),
        all => Err(format!("{all} CTAs")),
    }
}

#[test]
fn an_sm_has_sixteen_places() {
    sixteen_places(None).unwrap();
}

#[test]
fn copies_with_other_places_are_noticed() {
    let mut copies = faults::chosen(faults::of(Unit::Tasks), "TASKS_FAULTS", "all");
    copies.retain(|(design, _)| design.value("warps") == WIDE.warps);
    for (_, fault) in faults::prepare(copies).expect("broken copies") {
        let found = sixteen_places(Some(&fault.name));
        println!("{}: {found:?}", fault.name);
        assert!(found.is_err(), "{}: {}", fault.name, fault.breaks);
    }
}

#[test]
fn head_goes_first_and_places_in_a_grid_go_on_after_an_eviction() {
    let mut bench = bench(ONE, taking(300));
    let plane = Descriptor {
        grid: [3, 2, 2],
        cta: [16, 1, 1],
        ..grid(1)
    };
    launch(&mut bench, A, &plane);
    for (address, head, level) in [
        (B, false, 0),
        (C, false, 0),
        (D, true, 0),
        (0x2200, false, 9),
    ] {
        launch(
            &mut bench,
            address,
            &Descriptor {
                head,
                level,
                ..grid(1)
            },
        );
    }
    rests(&mut bench);
    let loads: Vec<_> = steps(&bench, LOAD)
        .into_iter()
        .map(|(task, _)| task)
        .collect();
    // An evicted task goes to the head of its list.
    assert_eq!(loads, [A, 0x2200, A, D, B, C]);
    let of_a: Vec<_> = steps(&bench, START)
        .into_iter()
        .filter(|s| s.0 == A)
        .collect();
    assert_eq!(of_a, (0..12).map(|n| (A, n)).collect::<Vec<_>>());
}

/// TASK-030: each field wrong, one by one: code and place; nothing is written, and what is right goes on.
#[test]
fn every_wrong_field_is_named() {
    let mut bench = bench(THREE, taking(20));
    let right = grid(1).words();
    let queue = Descriptor {
        grid: [0; 3],
        queue: Some(Queue {
            ring: 0x4000,
            entry: 8,
            entries: 16,
            each: 4,
            put: 3,
            ..Queue::default()
        }),
        ..grid(1)
    };
    let queue = queue.words();
    let grids: &[(usize, u32, u8, usize)] = &[
        (0, 0x5600_0001, 33, 0),
        (0, 0x5700_0000, 33, 0),
        (0, 0x5700_0003, 33, 0),
        (0, 0x5700_0301, 33, 0),
        (0, 0x5700_0401, 33, 0),
        (0, 0x5780_0001, 33, 0),
        (1, 0x1002, 34, 1),
        (1, 0xffc, 34, 1),
        (1, THREAD_END, 34, 1),
        (1, 0x0100_0000, 34, 1),
        (2, 0, 35, 2),
        (3, 65_536, 35, 3),
        (4, 0, 35, 4),
        (5, 0, 36, 5),
        (6, 17, 36, 6),
        (7, 0x8000_0001, 36, 7),
        (6, 3, 36, 7),
        (9, 2, 37, 9),
        (9, 1028, 37, 9),
        (10, 8, 38, 10),
        (10, 4112, 38, 10),
        (12, 0x3002, 39, 12),
        (12, 0x3005, 39, 12),
        (12, 1, 39, 12),
        (12, 0xffc, 39, 12),
        (12, THREAD_END, 39, 12),
        (12, THREAD_END + 1, 39, 12),
        (14, 0x2420, 40, 14),
        (14, A, 40, 14),
        (14, THREAD_END - 64, 40, 14),
        (14, 0x40, 40, 14),
        (16, 4, 41, 16),
        (23, 1, 41, 23),
        (28, 1, 41, 28),
        (24, 0x1_0000, 41, 24),
        (24, 1 << 31, 41, 24),
        (26, 0x1_0000, 41, 26),
        (26, 1 << 31, 41, 26),
        (27, 1, 41, 27),
        (31, 1 << 31, 41, 31),
        (25, 1, 47, 25),
        (25, 2, 47, 25),
        (25, 4, 47, 25),
    ];
    let queues: &[(usize, u32, u8, usize)] = &[
        (2, 1, 35, 2),
        (4, 1, 35, 4),
        (16, 0x4001, 42, 16),
        (16, 0xff0, 42, 16),
        (16, THREAD_END - 124, 42, 16),
        (17, 0, 43, 17),
        (17, 6, 43, 17),
        (17, 4100, 43, 17),
        (18, 0, 44, 18),
        (18, 1, 44, 18),
        (18, 12, 44, 18),
        (18, 1 << 17, 44, 18),
        (19, 0, 45, 19),
        (19, 17, 45, 19),
        (22, 4, 46, 22),
        (22, 3u32.wrapping_sub(17), 46, 22),
        (24, 0x1_0001, 41, 24),
        (26, 0x2_0000, 41, 26),
        (30, 5, 41, 30),
        (25, 7, 47, 25),
    ];
    let all = grids
        .iter()
        .map(|case| (right, case))
        .chain(queues.iter().map(|case| (queue, case)));
    for (mut words, &(number, value, code, place)) in all {
        words[number] = value;
        let said = bench
            .run(A, &words)
            .unwrap_or_else(|e| panic!("word {number} = {value:#x}: {e}"));
        assert_eq!(
            said,
            (code, A + 4 * place as u32),
            "word {number} = {value:#x}"
        );
    }
    let mut large = right;
    large[2..5].copy_from_slice(&[65_535, 65_535, 2]);
    assert_eq!(bench.run(A, &large).unwrap(), (35, A + 16));
    for wrong in [A + 4, 0x40, 0xffff_ffc0, MEMORY_END] {
        assert_eq!(bench.run(wrong, &[]).unwrap(), (32, wrong));
    }
    // Beside the border, and where there is no memory though it is said to be.
    bench.place(THREAD_END - 64, &right);
    bench.launch(THREAD_END - 64, false).unwrap();
    while bench.launches() {
        bench.cycle().unwrap();
    }
    assert_eq!(bench.launched.last().unwrap().1, 32);
    assert_eq!(bench.run(MEMORY - 64, &right).unwrap(), (53, MEMORY));
    // All was dropped, and what is right still runs.
    launch(&mut bench, A, &grid(2));
    rests(&mut bench);
    assert_eq!(steps(&bench, START).len(), 2);
}

/// TASK-012: what is written over a task that waits, or that was evicted and waits again, means nothing, whatever the word;
/// so it is with its link, the CTAs that have been started and whether one has failed, which stand where no thread writes.
#[test]
fn what_is_written_over_a_pending_task_means_nothing() {
    for number in 0..32 {
        for value in [0, D, u32::MAX] {
            let plan = move |start: &Start, _: &mut _| Life {
                cycles: 800,
                acts: match start.task {
                    D => vec![
                        (5, Act::Write(A + 4 * number, value)),
                        (5, Act::Write(B + 4 * number, value)),
                    ],
                    _ => Vec::new(),
                },
                ..Life::default()
            };
            let mut bench = bench(ONE, Box::new(plan));
            launch(&mut bench, A, &grid(4));
            for task in [B, C] {
                launch(&mut bench, task, &grid(1));
            }
            while steps(&bench, START).len() < 2 {
                bench.cycle().unwrap();
            }
            let high = Descriptor {
                level: 3,
                ..grid(1)
            };
            launch(&mut bench, D, &high);
            rests(&mut bench);
            let starts = [(A, 0), (A, 1), (D, 0), (A, 2), (A, 3), (B, 0), (C, 0)];
            assert_eq!(steps(&bench, START), starts, "word {number} is {value:#x}");
            assert_eq!(bench.get(at::TASK_ERRORS).unwrap(), 0);
        }
    }
}

/// TASK-022: both registers are checked.
#[test]
fn a_table_that_does_not_fit_is_told() {
    let mut bench = bench(ONE, taking(20));
    for (base, number, place) in [
        (TABLE + 64, 2, at::TABLE_BASE),
        (THREAD_END - 128, 2, at::TABLE_BASE),
        (MEMORY_END - 128, 2, at::TABLE_BASE),
        (0xffff_ff80, 65_536, at::TABLE_BASE),
        (TABLE, 1, at::TABLE_NUMBER),
        (TABLE, 65_537, at::TABLE_NUMBER),
        (TABLE, 0x2_0002, at::TABLE_NUMBER),
    ] {
        bench.set(at::TABLE_BASE, base).unwrap();
        bench.set(at::TABLE_NUMBER, number).unwrap();
        assert_eq!(bench.get(at::TASK_ERROR).unwrap(), 1 << 31 | 49);
        assert_eq!(bench.get(at::TASK_ERROR_ADDRESS).unwrap(), place);
        assert_eq!(bench.get(at::TASK_ERROR_TASK).unwrap(), 0);
        assert_eq!(bench.get(at::TABLE_NUMBER).unwrap(), 0);
        bench.set(at::TASK_ERROR, 0).unwrap();
    }
    with_places(&mut bench, 2);
    assert_eq!(bench.get(at::TABLE_NUMBER).unwrap(), 2);
    bench.set(at::TABLE_BASE, TABLE).unwrap();
    assert_eq!(bench.get(at::TABLE_NUMBER).unwrap(), 0);
    rests(&mut bench);
}

/// TASK-023: with n places, n − 1 tasks wait; one more is refused, and so is a dependent; what is loaded at once needs none.
#[test]
fn a_full_table_refuses() {
    for number in [0, 2, 3, 8] {
        let mut bench = bench(ONE, taking(3_000));
        with_places(&mut bench, number);
        bench.place(0x2f00, &grid(1).words());
        let first = Descriptor {
            dependent: 0x2f00,
            ..grid(1)
        };
        launch(&mut bench, A, &first);
        let fit = number.saturating_sub(1);
        for n in 0..fit {
            launch(&mut bench, B + 128 * n, &grid(1));
        }
        let over = B + 128 * fit;
        for _ in 0..2 {
            let refused = bench.run(over, &grid(1).words()).unwrap();
            assert_eq!(refused, (48, over), "{number} places");
            assert_eq!(bench.word(over + 4 * word::STATE), 0);
        }
        rests(&mut bench);
        assert_eq!(steps(&bench, START).len() as u32, 1 + fit);
        assert_eq!(bench.get(at::TASK_ERROR).unwrap(), 1 << 31 | 48);
        assert_eq!(bench.get(at::TASK_ERROR_TASK).unwrap(), 0x2f00);
        assert_eq!(bench.get(at::TASK_ERRORS).unwrap(), 1);
        // All places are free again.
        launch(&mut bench, A, &grid(1));
        for n in 0..fit {
            launch(&mut bench, B + 128 * n, &grid(1));
        }
        rests(&mut bench);
    }
}

/// TASK-040: while a list always has a task, places are used again and again, with tasks in two lists.
#[test]
fn places_are_used_again() {
    let mut bench = bench(ONE, taking(10));
    with_places(&mut bench, 4);
    launch(&mut bench, A, &grid(1));
    for n in 0..40 {
        let task = Descriptor {
            level: [3, 5, 3, 0][n as usize % 4],
            head: n % 3 == 0,
            arguments: n,
            ..grid(1)
        };
        let address = 0x2100 + 128 * (n % 16);
        while bench.run(address, &task.words()).unwrap().0 == 48 {
            bench.cycle().unwrap();
        }
        if n % 8 == 0 {
            bench.launch(0x2f00, false).unwrap();
        }
    }
    rests(&mut bench);
    assert!(
        bench.cover.count("a place is used again") > 10,
        "{}",
        bench.cover
    );
}

/// TASK-023: two tasks return, and but one place is free: the load of the one in between comes first.
#[test]
fn a_return_leaves_the_last_place_to_a_load() {
    let shape = Shape { slots: 2, ..THREE };
    let open = Descriptor {
        level: 1,
        ..queue(Queue {
            each: 3,
            open: 1,
            ..Queue::default()
        })
    };
    let mut returns = 0;
    for wait in (0..400).step_by(7) {
        let mut bench = bench(shape, taking(250));
        with_places(&mut bench, 2);
        launch(&mut bench, A, &grid(9));
        launch(&mut bench, B, &open);
        for _ in 0..wait {
            bench.cycle().unwrap();
        }
        let high = Descriptor {
            level: 3,
            ..grid(1)
        };
        launch(&mut bench, C, &high);
        while steps(&bench, COMPLETE).is_empty() {
            bench.cycle().unwrap();
        }
        bench.store(B + 4 * word::OPEN, 0);
        rests(&mut bench);
        assert_eq!(steps(&bench, START).iter().filter(|s| s.0 == A).count(), 9);
        assert_eq!(steps(&bench, COMPLETE).len(), 3);
        let all = [EVICT, RETURN].map(|kind| steps(&bench, kind).len());
        returns += usize::from(all[0] > 0 && all[1] > 1);
    }
    assert!(returns > 0);
}

/// TASK-024, TASK-025: of what threads launch, so many wait, at so high a level; the host's launches find room.
#[test]
fn threads_have_their_places_and_their_level() {
    let plan = |start: &Start, _: &mut _| Life {
        cycles: 2_500,
        acts: match start.task {
            A => (0..5)
                .map(|n| (100 * u64::from(n), Act::Spawn(0x2400 + 128 * n)))
                .collect(),
            _ => Vec::new(),
        },
        ..Life::default()
    };
    let mut bench = bench(ONE, Box::new(plan));
    with_places(&mut bench, 5);
    bench.set(at::SPAWN_BASE, SPAWN_BASE).unwrap();
    bench.set(at::SPAWN_NUMBER, 8).unwrap();
    bench.set(at::THREAD_LIMIT, 3).unwrap();
    bench.set(at::THREAD_LEVEL, 4).unwrap();
    for n in 0..5 {
        let child = Descriptor {
            level: [15, 4, 9, 3, 3][n as usize],
            head: true,
            ..grid(1)
        };
        bench.place(0x2400 + 128 * n, &child.words());
    }
    let level = |level| Descriptor { level, ..grid(1) };
    bench.place(A, &level(5).words());
    bench.launch(A, true).unwrap();
    while steps(&bench, INSERT).len() < 6 {
        bench.cycle().unwrap();
    }
    let refused = bench
        .steps
        .iter()
        .filter(|s| s.kind == INSERT && s.code != 0);
    let refused: Vec<_> = refused.map(|s| (s.code, s.task)).collect();
    assert_eq!(refused, [(50, 0x2580), (50, 0x2600)]);
    // One more of the host, in private memory; one by a command that threads can write is refused.
    bench.place(0x5100, &level(4).words());
    bench.place(0x2700, &level(0).words());
    for (address, private, code) in [(0x2700, false, 50), (0x5100, true, 0)] {
        bench.launch(address, private).unwrap();
        while bench.launches() {
            bench.cycle().unwrap();
        }
        assert_eq!(bench.launched.last().unwrap().1, code);
    }
    rests(&mut bench);
    let starts: Vec<_> = steps(&bench, START).iter().map(|s| s.0).collect();
    assert_eq!(starts, [A, 0x2400, 0x2480, 0x2500, 0x5100]);
}

/// HOST-002, TASK-025: what threads launch does not lie where no thread writes, and nor does its dependent; a task of the
/// host in private memory has such a dependent.
#[test]
fn threads_launch_nothing_in_private_memory() {
    let plan = |start: &Start, _: &mut _| Life {
        cycles: 10,
        acts: match start.task {
            A => vec![(1, Act::Spawn(0x5100)), (2, Act::Spawn(B))],
            _ => Vec::new(),
        },
        ..Life::default()
    };
    let mut bench = bench(ONE, Box::new(plan));
    bench.set(at::SPAWN_BASE, SPAWN_BASE).unwrap();
    bench.set(at::SPAWN_NUMBER, 8).unwrap();
    let with = |dependent| Descriptor {
        dependent,
        ..grid(1)
    };
    bench.place(0x5100, &grid(1).words());
    bench.place(B, &with(0x5100).words());
    launch(&mut bench, A, &grid(1));
    rests(&mut bench);
    let wrong = bench
        .steps
        .iter()
        .filter(|s| s.kind == INSERT && s.code != 0);
    let wrong: Vec<_> = wrong.map(|s| (s.code, s.task, s.place)).collect();
    assert_eq!(wrong, [(32, 0x5100, 0x5100), (40, B, B + 56)]);
    bench.place(0x5200, &with(0x5100).words());
    bench.launch(0x5200, true).unwrap();
    rests(&mut bench);
    let starts: Vec<_> = steps(&bench, START).iter().map(|s| s.0).collect();
    assert_eq!(starts, [A, 0x5200, 0x5100]);
}

/// TASK-043, TASK-051, TASK-060: a queue takes what is written while it runs, gives up its slot, and closes.
#[test]
fn a_queue_takes_what_comes() {
    let plan = |start: &Start, _: &mut _| Life {
        cycles: 40,
        acts: match start.cta {
            2 => vec![(5, Act::Put(A, 2))],
            _ => Vec::new(),
        },
        ..Life::default()
    };
    let mut bench = bench(ONE, Box::new(plan));
    let start = 0u32.wrapping_sub(3);
    let queue = Descriptor {
        cta: [16, 1, 1],
        completion: 0x3000,
        value: 5,
        ..queue(Queue {
            each: 3,
            put: start.wrapping_add(7),
            get: start,
            open: 1,
            ..Queue::default()
        })
    };
    launch(&mut bench, A, &queue);
    while steps(&bench, START).len() < 4 {
        bench.cycle().unwrap();
    }
    let taken: Vec<_> = bench
        .steps
        .iter()
        .filter(|s| s.kind == START)
        .map(|s| (s.position, s.entries))
        .collect();
    assert_eq!(taken[0], (start, 3));
    assert_eq!(taken[1], (start.wrapping_add(3), 3));
    assert_eq!(
        (taken[2], taken[3]),
        ((start.wrapping_add(6), 1), (start.wrapping_add(7), 2))
    );
    // Nothing to do: it gives its slot to another task, and comes back.
    launch(&mut bench, B, &grid(1));
    while steps(&bench, COMPLETE).is_empty() {
        bench.cycle().unwrap();
    }
    assert_eq!((steps(&bench, COMPLETE)[0].0, bench.word(0x3000)), (B, 0));
    bench.store(A + 4 * word::OPEN, 0);
    rests(&mut bench);
    assert_eq!(
        (bench.word(0x3000), bench.word(A + 4 * word::GET)),
        (5, start.wrapping_add(9))
    );
}

/// TASK-056: a thread sets STATE of an active descriptor to 0 and launches it again, with other words. Its CTAs and those of
/// before share no SM: CTA 1 goes beside CTA 0, though more warps are free on the other SM.
#[test]
fn a_descriptor_in_two_slots_is_two_tasks() {
    let mut bench = bench(THREE, taking(3_000));
    let small = Descriptor {
        cta: [4, 1, 1],
        ..grid(1)
    };
    launch(&mut bench, A, &small);
    while steps(&bench, START).is_empty() {
        bench.cycle().unwrap();
    }
    launch(&mut bench, A, &grid(2));
    rests(&mut bench);
    let starts = bench.steps.iter().filter(|s| s.kind == START);
    let starts: Vec<_> = starts.map(|s| (s.slot, s.sm, s.task, s.cta)).collect();
    assert_eq!(starts, [(0, 0, A, 0), (1, 1, A, 0), (1, 1, A, 1)]);
    assert_eq!(steps(&bench, COMPLETE).len(), 2);
}

/// TASK-052: PUT and OPEN are read for one slot at a time, also if two have one descriptor. OPEN becomes 0 between the two
/// reads, before that of the one slot or of the other, which so is complete first.
#[test]
fn a_queue_in_two_slots_is_looked_at_for_each() {
    let queue = queue(Queue {
        each: 3,
        open: 1,
        ..Queue::default()
    });
    let mut first = Vec::new();
    for looks in 0..4 {
        let mut bench = bench(THREE, taking(40));
        launch(&mut bench, A, &queue);
        launch(&mut bench, A, &queue);
        let both = |bench: &Bench| bench.cover.count("of a descriptor in two slots");
        let from = both(&bench);
        while both(&bench) < from + 4 + looks {
            bench.cycle().unwrap();
        }
        bench.store(A + 4 * word::OPEN, 0);
        rests(&mut bench);
        let over = bench.steps.iter().filter(|s| s.kind == COMPLETE);
        let slots: Vec<_> = over.map(|s| s.slot).collect();
        assert_eq!(slots.len(), 2);
        first.push(slots[0]);
    }
    assert!(first.contains(&0) && first.contains(&1), "{first:?}");
}

/// TASK-062, TASK-063: chains of dependents, a failed CTA, the time.
#[test]
fn dependents_follow_and_failures_tell() {
    let plan = |start: &Start, _: &mut _| Life {
        cycles: 10,
        fault: (start.task == B && start.cta == 1).then_some(Fault {
            place: 0,
            warp: 3,
            thread: 2,
            cause: 5,
            pc: 0x1234,
            address: 0xdead_0000,
        }),
        ..Life::default()
    };
    let mut bench = bench(ONE, Box::new(plan));
    bench.place(C, &grid(1).words());
    let second = Descriptor {
        dependent: C,
        completion: 0x3010,
        value: 9,
        ..grid(3)
    };
    bench.place(B, &second.words());
    let first = Descriptor {
        dependent: B,
        completion: 0x3000,
        with_time: true,
        value: 8,
        ..grid(2)
    };
    launch(&mut bench, A, &first);
    rests(&mut bench);
    let states = [A, B, C].map(|task| bench.word(task + 4 * word::STATE));
    assert_eq!(states, [0, 3, 0]);
    assert_eq!((bench.word(0x3000), bench.word(0x3010)), (8, 9));
    assert_eq!(
        bench.get(at::FAULT).unwrap(),
        1 << 31 | 3 << 16 | 2 << 8 | 5
    );
    assert_eq!(bench.get(at::FAULT_CTA).unwrap(), 1);
    assert_eq!(bench.get(at::FAULT_TASK).unwrap(), B);
}

/// What a launch costs, with a memory of 20 cycles: the table of the page.
#[test]
fn cycles_from_a_launch_to_its_first_cta() {
    let shape = Shape { slots: 4, ..ONE };
    let device = Device::open(shape, None, 1).expect("weft_tasks");
    let mut bench = Bench::new(device, 1, 20, taking(100));
    bench.plain = true;
    bench.set(at::sm(0, at::LOCAL_LIMIT), 4096).unwrap();
    with_places(&mut bench, PLACES);
    rests(&mut bench);
    bench.steps.clear();
    bench.times.clear();
    let from = bench.cycle;
    launch(&mut bench, A, &grid(1));
    rests(&mut bench);
    let over = |kind: u64| {
        let step = bench.steps.iter().position(|s| s.kind == kind);
        bench.times[step.expect("it is done")] - from
    };
    let (told, taken) = (bench.told.unwrap() - from, bench.taken.unwrap() - from);
    println!(
        "LAUNCH to INSERT {}, LOAD {}, first word for the SM {told}, CTA {taken} cycles; END to COMPLETE {}",
        over(INSERT),
        over(LOAD),
        over(COMPLETE) - over(END)
    );
    assert!(taken <= over(START) && over(LOAD) < over(START));
}

/// TASK-070 to TASK-072.
#[test]
fn threads_launch_and_a_lost_ticket_is_told() {
    let plan = |start: &Start, _: &mut _| Life {
        cycles: 10,
        acts: match start.task {
            A => vec![
                (1, Act::Spawn(B)),
                (2, Act::Spawn(C)),
                (3, Act::Spawn(D)),
                (4, Act::Spawn(0x24)),
            ],
            C => vec![(5, Act::Lose)],
            _ => Vec::new(),
        },
        ..Life::default()
    };
    let mut bench = bench(ONE, Box::new(plan));
    for (base, number, place) in [
        (2, 4, at::SPAWN_BASE),
        (0xffc, 4, at::SPAWN_BASE),
        (THREAD_END - 16, 4, at::SPAWN_BASE),
        (SPAWN_BASE, 65_537, at::SPAWN_NUMBER),
    ] {
        bench.set(at::SPAWN_BASE, base).unwrap();
        bench.set(at::SPAWN_NUMBER, number).unwrap();
        assert_eq!(bench.get(at::TASK_ERROR).unwrap(), 1 << 31 | 51);
        assert_eq!(bench.get(at::TASK_ERROR_ADDRESS).unwrap(), place);
        assert_eq!(bench.get(at::SPAWN_NUMBER).unwrap(), 0);
        bench.set(at::TASK_ERROR, 0).unwrap();
    }
    bench.set(at::SPAWN_BASE, SPAWN_BASE).unwrap();
    bench.set(at::SPAWN_NUMBER, 3).unwrap();
    [B, C, D]
        .into_iter()
        .for_each(|task| bench.place(task, &grid(1).words()));
    launch(
        &mut bench,
        A,
        &Descriptor {
            level: 2,
            ..grid(1)
        },
    );
    rests(&mut bench);
    let loads: Vec<_> = steps(&bench, LOAD)
        .into_iter()
        .map(|(task, _)| task)
        .collect();
    assert_eq!(loads, [A, B, C, D]);
    assert_eq!(bench.get(at::TASK_ERROR).unwrap(), 1 << 31 | 32);
    // The ticket that C's thread has lost.
    assert_eq!(bench.steps.iter().filter(|s| s.kind == LOST).count(), 1);
    assert_eq!(bench.get(at::TASK_ERRORS).unwrap(), 6);
}

fn number(name: &str, default: u64) -> u64 {
    let given = std::env::var(name).ok();
    given.map_or(default, |n| {
        n.parse().unwrap_or_else(|_| panic!("{name}={n}"))
    })
}

fn options(seed: u64) -> Options {
    Options {
        seed,
        cycles: 12_000,
        mutation: None,
    }
}

/// What random episodes must have shown; the other codes are tried by hand.
const WANTED: &[&str] = &[
    "a spawn ring below memory",
    "a misaligned spawn ring",
    "a spawn ring whose TICKET is beyond reach",
    "the last spawn ring",
    "the first spawn ring",
    "a spawn ring at the end of all addresses",
    "LAUNCH: code 0",
    "LAUNCH: code 32",
    "LAUNCH: code 34",
    "LAUNCH: code 35",
    "LAUNCH: code 36",
    "LAUNCH: code 37",
    "LAUNCH: code 38",
    "LAUNCH: code 39",
    "LAUNCH: code 41",
    "LAUNCH: code 42",
    "LAUNCH: code 45",
    "LAUNCH: code 46",
    "LAUNCH: code 47",
    "LAUNCH: code 53",
    "spawn: code 0",
    "spawn: code 32",
    "spawn: code 47",
    "dependent: code 0",
    "dependent: code 47",
    "load: code 0",
    "LAUNCH: code 48",
    "LAUNCH: code 50",
    "spawn: code 48",
    "spawn: code 50",
    "dependent: code 48",
    "LAUNCH: counted",
    "spawn: counted",
    "dependent: counted",
    "LAUNCH: the last of several",
    "spawn: the last of several",
    "dependent: the last of several",
    "named by others than at first",
    "refused when it is named last",
    "LAUNCH of what waits for more",
    "a thread adds a predecessor",
    "a task that was written over in its list",
    "a place is read",
    "a place is used again",
    "a table that does not fit",
    "START",
    "START of a queue, all",
    "START of a queue, fewer",
    "END",
    "END, failed",
    "EVICT",
    "RETURN to the head",
    "RETURN to the tail",
    "COMPLETE",
    "COMPLETE, failed",
    "LOST",
    "fault",
    "goes on after an eviction",
    "scratchpad not at 0",
    "on SM 1",
    "on SM 6",
    "completion with time",
    "PUT and OPEN are read",
    "a private LAUNCH",
    "loaded at once",
    "a reset with something under way",
    "KILL, by the host",
    "KILL, its time is over",
    "KILL of a task that is evicted",
    "levels that differ in the lowest bit are in slots",
    "as much local memory as the SM with the least of it has",
];

#[test]
fn random_episodes_agree() {
    let (first, episodes) = (number("TASKS_SEED", 1), number("TASKS_EPISODES", 60));
    let mut cover = Cover::default();
    for seed in first..first + episodes {
        let shape = match seed % 8 {
            0 | 4 => ONE,
            3 => many_sms::SEVEN,
            _ => THREE,
        };
        let device = Device::open(shape, None, seed as u32).expect("weft_tasks");
        let covered = episode(device, &options(seed));
        let covered = covered.unwrap_or_else(|e| {
            panic!("TASKS_SEED={seed} TASKS_EPISODES=1 cargo test -p weft-testbench --test tasks random: {e}")
        });
        cover.add(&covered);
    }
    println!("{cover}");
    if episodes >= 60 {
        assert_eq!(cover.missing(WANTED.iter().copied()), [""; 0]);
    }
}

/// Departures of the model are noticed, so the bench looks at what they are about.
/// (A model that would start more than the hardware does is not asked; what the hardware must not start, the stand-ins
/// for the SMs notice.)
#[test]
fn departures_of_the_model_are_noticed() {
    let departures = [
        Mutation::HeadIsTail,
        Mutation::BusyIsNotChecked,
        Mutation::FirstNamesAlone,
        Mutation::OneMoreIsCounted,
        Mutation::NamedStays,
        Mutation::RefusedIsForgotten,
        Mutation::CountedNeedsAPlace,
        Mutation::LowestListFirst,
        Mutation::ThreadsHaveNoLimit,
        Mutation::LevelIsNotBounded,
        Mutation::NobodyIsEvicted,
        Mutation::ReturnsToTheTail,
        Mutation::EvictionLosesACta,
        Mutation::EvictionRepeatsACta,
        Mutation::PutIsReadOnce,
        Mutation::GetIsNotWritten,
        Mutation::ScratchpadIsNotCounted,
        Mutation::SmsAreShared,
        Mutation::CompletionIsEarly,
        Mutation::DependentIsForgotten,
        Mutation::FailureIsForgotten,
        Mutation::SpawnSlotStays,
        Mutation::LostTicketIsSilent,
        Mutation::ReachIsNotChecked,
        Mutation::LimitIsNotBounded,
        Mutation::KilledGoesOn,
        Mutation::KilledIsNotFailed,
        Mutation::KilledLaunches,
        Mutation::WindowsAreOne,
        Mutation::HeaderChooses,
        Mutation::DependentsAreOfDomainZero,
    ];
    for mutation in departures {
        let noticed = (1..60).find(|&seed| {
            let device = Device::open(THREE, None, seed as u32).expect("weft_tasks");
            let options = Options {
                mutation: Some(mutation),
                ..options(seed)
            };
            episode(device, &options).is_err()
        });
        println!("{mutation:?}: seed {noticed:?}");
        assert!(noticed.is_some(), "{mutation:?} is not noticed");
    }
}

#[test]
fn broken_copies_are_noticed() {
    let mut copies = faults::chosen(faults::of(Unit::Tasks), "TASKS_FAULTS", "all");
    copies.retain(|(design, _)| design.value("sms") == THREE.sms);
    for (_, fault) in faults::prepare(copies).expect("broken copies") {
        let noticed = (1..200).find_map(|seed| {
            let device = Device::open(THREE, Some(&fault.name), seed as u32).expect("weft_tasks");
            let error = episode(device, &options(seed)).err()?;
            Some((seed, error.to_string()))
        });
        let Some((seed, error)) = noticed else {
            panic!("`{}` is not noticed: {}", fault.name, fault.breaks);
        };
        println!(
            "{}: seed {seed}, {}",
            fault.name,
            error.lines().next().unwrap_or_default()
        );
    }
}

#[path = "support/joins.rs"]
mod joins;
#[path = "support/many_sms.rs"]
mod many_sms;
