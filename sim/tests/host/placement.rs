//! TASK-020 to TASK-080: lists, slots, eviction, places of CTAs, queues, completion, spawn ring.

use crate::bench::*;
use weft_sim::host::descriptor::{state, word};
use weft_sim::host::gpu::Event;
use weft_sim::host::registers::{at, Code};
use weft_sim::host::tasks::{CtaFault, Source};
use weft_sim::host::{Descriptor, Queue, Size, TaskStep};

fn level(level: u8) -> Descriptor {
    Descriptor {
        level,
        ..Descriptor::default()
    }
}

/// Launches through channel 0.
fn launched<const N: usize>(bench: &mut Bench, descriptors: [Descriptor; N]) -> [u32; N] {
    if bench.channel(0, at::NUMBER) == 0 {
        bench.open(0, 64, 0);
    }
    descriptors.map(|descriptor| {
        let task = bench.descriptor(&descriptor);
        bench.submit(0, &launch(task));
        task
    })
}

/// Only the front end goes on.
fn insert(bench: &mut Bench) {
    while bench.front().is_some() {}
}

/// TASK-021, TASK-040.
#[test]
pub fn the_highest_list_goes_first_and_each_in_order() {
    let mut bench = with_slots_taken();
    let head = |level| Descriptor {
        level,
        head: true,
        ..Descriptor::default()
    };
    let tasks = [
        level(3),
        level(15),
        level(3),
        head(3),
        level(0),
        head(15),
        level(3),
    ];
    let [a, b, c, d, e, f, g] = launched(&mut bench, tasks);
    insert(&mut bench);
    bench.settle();
    assert_eq!(bench.loads()[2..], [f, b, d, a, c, g, e]);
    for task in [a, b, c, d, e, f, g] {
        assert_eq!(bench.word(task + 4 * word::STATE), state::FREE);
    }
}

/// TASK-012, TASK-042, TASK-044.
#[test]
pub fn a_higher_level_evicts_at_a_cta_boundary_and_no_cta_is_lost() {
    let size = Size { slots: 1, ..SIZE };
    let mut bench = Bench::new(size);
    let low = Descriptor {
        grid: [2, 3, 1],
        cta: [8, 1, 1],
        ..level(1)
    };
    let [a, b] = launched(&mut bench, [low, low]);
    bench.advance();
    assert_eq!(bench.starts(), [(a, 0), (a, 1)], "two fit at once");
    let [c] = launched(&mut bench, [level(2)]);
    bench.advance();
    assert_eq!(bench.read(at::EVICTIONS), 1);
    bench.end(1);
    bench.advance();
    assert_eq!(bench.starts().len(), 2, "it starts no more");
    bench.end(0);
    bench.advance();
    assert_eq!(bench.starts().last(), Some(&(c, 0)));
    assert_eq!(bench.word(a + 4 * word::STATE), state::PENDING);
    bench.settle();
    let rest = (2..6).map(|cta| (a, cta)).chain((0..6).map(|cta| (b, cta)));
    let expected: Vec<_> = [(a, 0), (a, 1), (c, 0)].into_iter().chain(rest).collect();
    assert_eq!(bench.starts(), expected, "a goes on before b");
}

/// A task that threads can write, launched by a command that they can write.
fn of_threads(bench: &mut Bench, descriptor: &Descriptor) -> u32 {
    let (task, block) = (bench.shared(128), bench.shared(64));
    bench.put(task, &descriptor.words());
    let words = launch(task);
    bench.put(block, &words);
    bench.submit_block(0, block, words.len() as u32);
    task
}

/// Slots are taken by two tasks, which wait.
fn with_slots_taken() -> Bench {
    let mut bench = Bench::new(SIZE);
    launched(&mut bench, [level(15), level(15)]);
    bench.advance();
    bench
}

/// TASK-022: a write of TABLE_NUMBER is checked.
#[test]
pub fn the_table_lies_in_private_memory() {
    let mut bench = Bench::new(SIZE);
    for (base, number, place) in [
        (TABLE + 64, 4, at::TABLE_BASE),
        (THREAD_END - 128, 4, at::TABLE_BASE),
        (MEMORY_END - 256, 3, at::TABLE_BASE),
        (TABLE, 1, at::TABLE_NUMBER),
        (TABLE, 65_537, at::TABLE_NUMBER),
    ] {
        bench.write(at::TASK_ERROR, 0);
        bench.write(at::TABLE_BASE, base);
        bench.write(at::TABLE_NUMBER, number);
        assert_eq!(bench.read(at::TASK_ERROR), 1 << 31 | Code::Table as u32);
        assert_eq!(bench.read(at::TASK_ERROR_ADDRESS), place);
        assert_eq!(bench.read(at::TABLE_NUMBER), 0);
    }
    bench.write(at::TABLE_BASE, MEMORY_END - 256);
    bench.write(at::TABLE_NUMBER, 2);
    assert_eq!(bench.read(at::TABLE_NUMBER), 2);
    bench.write(at::TABLE_BASE, TABLE);
    assert_eq!(bench.read(at::TABLE_NUMBER), 0, "checked anew");
}

/// TASK-023: one place is kept; without a table nothing waits.
#[test]
pub fn a_full_table_is_told() {
    for (number, fit) in [(0, 0), (2, 1), (5, 4)] {
        let mut bench = Bench::new(SIZE);
        bench.write(at::TABLE_BASE, TABLE);
        bench.write(at::TABLE_NUMBER, number);
        launched(&mut bench, [level(15), level(15)]);
        bench.advance();
        for _ in 0..fit {
            launched(&mut bench, [level(3)]);
            bench.advance();
        }
        let [over] = launched(&mut bench, [level(3)]);
        bench.advance();
        assert_eq!(bench.channel(0, at::ERROR), 1 << 31 | 48, "{number} places");
        assert_eq!(bench.channel(0, at::ERROR_ADDRESS), over);
        // The host takes the error away, and the launch is made again.
        bench.end(0);
        bench.advance();
        bench.set(0, at::CONTROL, at::CLEAR);
        bench.set(0, at::CONTROL, at::ENABLE);
        bench.settle();
        assert_eq!(bench.read(at::TASKS_DONE), 3 + fit);
    }
}

/// TASK-024: what threads have in the table is limited; the host's is not.
#[test]
pub fn threads_have_so_many_places() {
    let mut bench = with_slots_taken();
    bench.write(at::THREAD_LIMIT, 2);
    let [.., over] = [0, 1, 2].map(|_| {
        let task = of_threads(&mut bench, &level(0));
        bench.advance();
        task
    });
    assert_eq!(
        bench.channel(0, at::ERROR),
        1 << 31 | Code::ThreadLimit as u32
    );
    assert_eq!(bench.channel(0, at::ERROR_ADDRESS), over);
    bench.set(0, at::CONTROL, at::CLEAR);
    let put = bench.channel(0, at::GP_PUT);
    bench.set(0, at::GP_GET, put);
    bench.set(0, at::CONTROL, at::ENABLE);
    launched(&mut bench, [level(0), level(0)]);
    bench.advance();
    assert_eq!(bench.channel(0, at::ERROR), 0);
    bench.settle();
    assert_eq!(bench.read(at::TASKS_DONE), 6);
}

/// TASK-025: what threads launch is of a bounded level, and does not go to the head there.
#[test]
pub fn the_level_of_threads_is_bounded() {
    let mut bench = with_slots_taken();
    bench.write(at::THREAD_LEVEL, 3);
    let [host] = launched(&mut bench, [level(3)]);
    let head = |level| Descriptor {
        level,
        head: true,
        ..Descriptor::default()
    };
    let [high, same, low, lower] =
        [head(15), head(3), head(2), head(2)].map(|task| of_threads(&mut bench, &task));
    insert(&mut bench);
    bench.settle();
    let loads = bench.loads();
    assert_eq!(loads[2..], [host, high, same, lower, low]);
}

#[test]
pub fn an_equal_level_does_not_evict() {
    let size = Size { slots: 1, ..SIZE };
    let mut bench = Bench::new(size);
    let low = Descriptor {
        grid: [4, 1, 1],
        cta: [16, 1, 1],
        ..level(2)
    };
    launched(&mut bench, [low, level(2)]);
    bench.settle();
    assert_eq!(bench.read(at::EVICTIONS), 0);
}

/// TASK-042.
#[test]
pub fn the_youngest_of_the_lowest_level_is_evicted() {
    let mut bench = Bench::new(SIZE);
    let long = Descriptor {
        grid: [9, 1, 1],
        cta: [8, 1, 1],
        ..level(1)
    };
    let [_, younger] = launched(&mut bench, [long, long]);
    bench.advance();
    launched(&mut bench, [level(9)]);
    bench.advance();
    let evicted = bench.events.iter().find_map(|event| match event {
        Event::Task(TaskStep::Evict { task, .. }) => Some(*task),
        _ => None,
    });
    assert_eq!(evicted, Some(younger));
}

/// TASK-055.
#[test]
pub fn ctas_go_where_most_warps_are_free() {
    let size = Size { sms: 3, ..SIZE };
    let mut bench = Bench::new(size);
    let two = Descriptor {
        grid: [4, 1, 1],
        cta: [8, 1, 1],
        ..Descriptor::default()
    };
    launched(&mut bench, [two, Descriptor::default()]);
    bench.advance();
    let sms: Vec<usize> = bench.running.iter().map(|start| start.sm).collect();
    assert_eq!(sms, [0, 1, 2, 0, 1]);
}

/// TASK-050, TASK-055, TASK-057.
#[test]
pub fn a_cta_waits_for_warps_and_nobody_passes_it() {
    let mut bench = Bench::new(SIZE);
    let wide = |threads, ctas| Descriptor {
        grid: [ctas, 1, 1],
        cta: [threads, 1, 1],
        ..Descriptor::default()
    };
    // One warp; then all four; then one.
    let [a, b] = launched(&mut bench, [wide(1, 1), wide(13, 2)]);
    let [c] = launched(
        &mut bench,
        [Descriptor {
            level: 0,
            ..wide(1, 1)
        }],
    );
    bench.advance();
    assert_eq!(bench.starts(), [(a, 0)]);
    bench.end(0);
    bench.advance();
    assert_eq!(bench.starts(), [(a, 0), (b, 0)]);
    assert_eq!(bench.read(at::sm(0, at::OCCUPANCY)), 32 << 16 | 1);
    bench.settle();
    assert_eq!(bench.starts(), [(a, 0), (b, 0), (b, 1), (c, 0)]);
}

/// TASK-055.
#[test]
pub fn scratchpad_is_given_in_adjacent_granules() {
    // Granules of 128 bytes.
    let mut bench = Bench::new(SIZE);
    let scratchpad = |bytes| Descriptor {
        scratchpad: bytes,
        ..Descriptor::default()
    };
    bench.set(0, at::NUMBER, 0);
    launched(&mut bench, [scratchpad(1024), scratchpad(1028)]);
    bench.advance();
    let places: Vec<u32> = bench.running.iter().map(|start| start.scratchpad).collect();
    assert_eq!(places, [0, 1024]);
    assert_eq!(bench.read(at::sm(0, at::OCCUPANCY)), 15 << 16 | 2 << 8 | 2);
    // The first 8 are free again, but 20 in a row are not.
    bench.end(0);
    let [large] = launched(&mut bench, [scratchpad(2560)]);
    bench.advance();
    assert_eq!(bench.running.len(), 1);
    bench.end(0);
    bench.advance();
    assert_eq!(bench.starts().last(), Some(&(large, 0)));
    let [whole, none] = launched(&mut bench, [scratchpad(4096), scratchpad(0)]);
    bench.settle();
    let last = bench.starts();
    assert_eq!(last[last.len() - 2..], [(whole, 0), (none, 0)]);
}

/// TASK-055.
#[test]
pub fn sixteen_ctas_at_most_on_an_sm() {
    let size = Size { warps: 32, ..SIZE };
    let mut bench = Bench::new(size);
    let many = Descriptor {
        grid: [20, 1, 1],
        ..Descriptor::default()
    };
    launched(&mut bench, [many]);
    bench.advance();
    assert_eq!(bench.running.len(), 16);
    bench.settle();
    assert_eq!(bench.starts().len(), 20);
}

/// TASK-056.
#[test]
pub fn without_mix_an_sm_has_ctas_of_one_task() {
    let size = Size {
        mix: false,
        sms: 2,
        ..SIZE
    };
    let mut bench = Bench::new(size);
    let [a, b] = launched(&mut bench, [Descriptor::default(), Descriptor::default()]);
    let [c] = launched(&mut bench, [level(0)]);
    bench.advance();
    assert_eq!(bench.starts(), [(a, 0), (b, 0)]);
    assert_eq!(
        bench.running.iter().map(|s| s.sm).collect::<Vec<_>>(),
        [0, 1]
    );
    bench.end(1);
    bench.advance();
    assert_eq!(bench.starts().last(), Some(&(c, 0)));
}

fn queue(put: u32, get: u32, each: u32, open: u32) -> Descriptor {
    Descriptor {
        grid: [0; 3],
        queue: Some(Queue {
            ring: 0x8000,
            entry: 4,
            entries: 8,
            each,
            put,
            get,
            open,
            ..Queue::default()
        }),
        ..Descriptor::default()
    }
}

/// First position and number of entries of each CTA.
fn parts(bench: &Bench) -> Vec<(u32, u32)> {
    let part = |event: &Event| match event {
        Event::Task(TaskStep::Start(start)) => Some((start.first, start.entries)),
        _ => None,
    };
    bench.events.iter().filter_map(part).collect()
}

/// TASK-010, TASK-011, TASK-051, TASK-053.
#[test]
pub fn a_queue_has_a_cta_for_its_entries() {
    let mut bench = Bench::new(SIZE);
    let [task] = launched(&mut bench, [queue(2, 0xffff_fffd, 2, 0)]);
    bench.settle();
    assert_eq!(parts(&bench), [(0xffff_fffd, 2), (0xffff_ffff, 2), (1, 1)]);
    assert_eq!(bench.word(task + 4 * word::GET), 2);
    assert_eq!(bench.starts(), [(task, 0), (task, 1), (task, 2)]);
    assert_eq!(bench.word(task + 4 * word::STATE), state::FREE);
}

/// TASK-052, TASK-060.
#[test]
pub fn work_is_written_to_a_queue_while_it_runs() {
    let mut bench = Bench::new(SIZE);
    let [task] = launched(&mut bench, [queue(1, 0, 4, 0)]);
    bench.advance();
    // The CTA writes three more before it ends.
    bench.put(task + 4 * word::PUT, &[4]);
    bench.settle();
    assert_eq!(parts(&bench), [(0, 1), (1, 3)]);
    assert_eq!(bench.read(at::TASKS_DONE), 1);
}

/// TASK-043, TASK-060.
#[test]
pub fn an_open_queue_does_not_complete_and_gives_up_its_slot() {
    let mut bench = Bench::new(SIZE);
    let tasks = launched(&mut bench, [queue(0, 0, 1, 1), queue(0, 0, 1, 1)]);
    bench.settle();
    assert_eq!(bench.read(at::TASKS_DONE), 0);
    assert_eq!(bench.read(at::STATUS), 0x201);
    let [grid] = launched(&mut bench, [Descriptor::default()]);
    for _ in 0..100 {
        bench.front();
        bench.task();
        bench.tasks.look_at_queues(&bench.memory);
    }
    assert_eq!(bench.starts(), [(grid, 0)]);
    for task in tasks {
        bench.put(task + 4 * word::OPEN, &[0]);
    }
    bench.settle();
    assert_eq!((bench.read(at::TASKS_DONE), bench.read(at::STATUS)), (3, 0));
}

/// TASK-061, TASK-062.
#[test]
pub fn completion_writes_state_semaphore_and_dependent() {
    let mut bench = Bench::new(SIZE);
    let semaphore = bench.shared(16);
    let second = bench.descriptor(&Descriptor {
        completion: semaphore,
        value: 8,
        ..Descriptor::default()
    });
    let [first] = launched(
        &mut bench,
        [Descriptor {
            grid: [3, 1, 1],
            completion: semaphore,
            with_time: true,
            value: 7,
            dependent: second,
            ..Descriptor::default()
        }],
    );
    bench.advance();
    for _ in 0..3 {
        assert_eq!(bench.word(semaphore), 0);
        assert_eq!(bench.word(first + 4 * word::STATE), state::ACTIVE);
        bench.end(0);
        bench.task();
    }
    assert_eq!(bench.word(semaphore), 7);
    assert_ne!(bench.word(semaphore + 8), 0, "a time");
    assert_eq!(bench.word(first + 4 * word::STATE), state::FREE);
    bench.settle();
    assert_eq!(bench.word(semaphore), 8);
    assert_eq!(bench.starts().last(), Some(&(second, 0)));
    // A free task is launched again.
    bench.submit(0, &launch(first));
    bench.settle();
    assert_eq!(bench.read(at::TASKS_DONE), 4);
}

/// TASK-063.
#[test]
pub fn a_failed_cta_is_reported_and_the_task_completes() {
    let mut bench = Bench::new(SIZE);
    let semaphore = bench.shared(4);
    let [task] = launched(
        &mut bench,
        [Descriptor {
            grid: [2, 1, 1],
            completion: semaphore,
            value: 1,
            ..Descriptor::default()
        }],
    );
    bench.advance();
    let fault = CtaFault {
        warp: 3,
        thread: 2,
        cause: 6,
        pc: 0x1234,
        address: 0x40,
    };
    let start = bench.running.remove(1);
    bench
        .tasks
        .end(&bench.memory, start.sm, start.place, Some(fault));
    bench.settle();
    assert_eq!(bench.word(task + 4 * word::STATE), state::FAILED);
    assert_eq!(bench.word(semaphore), 1);
    let registers = [
        at::FAULT,
        at::FAULT_PC,
        at::FAULT_ADDRESS,
        at::FAULT_CTA,
        at::FAULT_TASK,
    ];
    let said = registers.map(|address| bench.read(address));
    assert_eq!(said, [0x8003_0206, 0x1234, 0x40, 1, task]);
    assert_eq!(bench.read(at::INTERRUPT), at::INTERRUPT_FAULT);
    assert_eq!(bench.read(at::STATUS), 8);
    bench.write(at::FAULT, 0);
    assert_eq!(bench.read(at::STATUS), 0);
    // It may be used again.
    bench.submit(0, &launch(task));
    bench.settle();
    assert_eq!(bench.error(0), None);
}

/// TASK-070, TASK-071, TASK-080.
#[test]
pub fn threads_launch_through_the_spawn_ring() {
    for number in [1, 2, 3] {
        let mut bench = Bench::new(SIZE);
        let ring = bench.shared(4 * number + 4);
        bench.write(at::SPAWN_BASE, ring);
        bench.write(at::SPAWN_NUMBER, number);
        bench.open(0, 4, 0);
        bench.submit(0, &WAIT_FOR_IDLE);
        let tasks: Vec<u32> = (0..5)
            .map(|_| bench.descriptor(&Descriptor::default()))
            .collect();
        let mut waited = false;
        for (ticket, &task) in tasks.iter().enumerate() {
            let slot = ring + 4 * (ticket as u32 % number);
            bench.put(ring + 4 * number, &[ticket as u32 + 1]);
            // The ticket is taken: not idle, whatever the ring says.
            while bench.word(slot) != 0 {
                waited = true;
                bench.task();
            }
            bench.put(slot, &[task]);
            assert!(!bench.is_idle());
        }
        assert!(waited || number > 3);
        bench.settle();
        assert_eq!(bench.loads(), tasks);
        assert_eq!(bench.read(at::SPAWNS), 5);
        assert_eq!(bench.commands(0).len(), 1);
        assert_eq!(bench.read(at::TASK_ERRORS), 0);
        (0..number).for_each(|n| assert_eq!(bench.word(ring + 4 * n), 0));
    }
}

/// TASK-031.
#[test]
pub fn bad_launches_by_threads_are_task_errors() {
    let mut bench = Bench::new(SIZE);
    let ring = bench.shared(12);
    bench.write(at::SPAWN_BASE, ring);
    bench.write(at::SPAWN_NUMBER, 2);
    let private = bench.private(128);
    bench.put(private, &Descriptor::default().words());
    bench.put(ring, &[private, 0x2004, 2]);
    bench.settle();
    let inserts = bench.events.iter().filter(|event| {
        let source = Source::Spawn;
        matches!(event, Event::Task(TaskStep::Insert { source: s, wrong: Some(_), .. }) if *s == source)
    });
    assert_eq!(inserts.count(), 2);
    let code = 1 << 31 | Code::DescriptorAddress as u32;
    assert_eq!(
        (bench.read(at::TASK_ERROR), bench.read(at::TASK_ERRORS)),
        (code, 2)
    );
    assert_eq!(bench.read(at::TASK_ERROR_TASK), private);
    assert_eq!(bench.read(at::TASKS_DONE), 0);
}

/// TASK-072.
#[test]
pub fn a_lost_ticket_is_reported_and_the_ring_goes_on() {
    let mut bench = Bench::new(SIZE);
    let ring = bench.shared(16);
    bench.write(at::SPAWN_BASE, ring);
    bench.write(at::SPAWN_NUMBER, 3);
    let task = bench.descriptor(&Descriptor::default());
    // The owner of ticket 0 has ended.
    bench.put(ring, &[0, task, 0, 2]);
    bench.settle();
    assert!(bench.is_idle());
    assert_eq!(bench.read(at::TASK_ERROR), 1 << 31 | Code::SpawnLost as u32);
    assert_eq!((bench.loads(), bench.word(ring + 4)), (vec![], 0));
    bench.put(ring + 8, &[task, 3]);
    bench.settle();
    assert_eq!(bench.loads(), [task]);
}

/// TASK-070.
#[test]
pub fn the_spawn_ring_is_checked() {
    let cases = [
        (0x2002, 1, at::SPAWN_BASE),
        (0xffc, 1, at::SPAWN_BASE),
        (THREAD_END - 4, 1, at::SPAWN_BASE),
        (0xffff_fffc, 2, at::SPAWN_BASE),
        (0x2000, 65_537, at::SPAWN_NUMBER),
    ];
    for (base, number, place) in cases {
        let mut bench = Bench::new(SIZE);
        bench.write(at::SPAWN_BASE, base);
        bench.write(at::SPAWN_NUMBER, number);
        let error = (
            bench.read(at::TASK_ERROR),
            bench.read(at::TASK_ERROR_ADDRESS),
        );
        assert_eq!(error, (1 << 31 | Code::SpawnRing as u32, place));
        assert_eq!(bench.read(at::SPAWN_NUMBER), 0);
    }
}

/// TASK-130 to TASK-132: by LIMIT_MAX, which bounds a longer limit, and by KILL, also one that is pending; the dependent of
/// neither is launched, and CTAs that were not started are not.
#[test]
pub fn a_killed_task_starts_nothing_more_and_has_failed() {
    let mut bench = Bench::new(SIZE);
    let dependent = bench.shared(128);
    bench.put(dependent, &Descriptor::default().words());
    let tasks = launched(
        &mut bench,
        [9, 0, 0].map(|limit| Descriptor {
            grid: [3, 1, 1],
            cta: [8, 1, 1],
            limit,
            dependent,
            ..Descriptor::default()
        }),
    );
    bench.write(at::LIMIT_MAX, 2);
    // Two slots: the third task is pending.
    bench.write(at::KILL, tasks[2]);
    bench.advance();
    bench.write(at::LIMIT_MAX, 0);
    let all: Vec<u32> = bench.running.iter().map(|start| start.task).collect();
    assert_eq!(all, [tasks[0], tasks[0]]);
    bench.tasks.set_clock(3 * at::LIMIT_UNIT - 1);
    bench.advance();
    assert!(!bench.tasks.is_killed(0));
    bench.tasks.set_clock(3 * at::LIMIT_UNIT);
    bench.settle();
    let started = |bench: &Bench, task: u32| {
        let starts = bench.events.iter();
        let of_it =
            |event: &&Event| matches!(event, Event::Task(TaskStep::Start(s)) if s.task == task);
        starts.filter(of_it).count()
    };
    let states = tasks.map(|task| bench.word(task + 4 * word::STATE));
    assert_eq!(states, [state::FAILED, state::FREE, state::FAILED]);
    assert_eq!(tasks.map(|task| started(&bench, task)), [2, 3, 0]);
    // Only that of the task which was not killed.
    let counts = [at::DEPENDENTS, at::TASK_ERRORS].map(|register| bench.read(register));
    assert_eq!(counts, [1, 0]);
}
