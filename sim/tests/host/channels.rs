//! HOST-020 to HOST-063: commands, semaphores, priorities, waiting.

use crate::bench::*;
use weft_sim::host::descriptor::word;
use weft_sim::host::front::command::{self, header};
use weft_sim::host::registers::{at, Code};
use weft_sim::host::{Descriptor, Outcome};

/// HOST-032, HOST-034, HOST-060.
#[test]
pub fn an_acquire_waits_and_holds_nobody_up() {
    let mut bench = Bench::new(SIZE);
    bench.open(0, 4, 0);
    bench.open(1, 4, 0);
    let semaphore = bench.shared(4);
    let waits = bench.submit(0, &[&acquire(semaphore, 7)[..], &NOP].concat());
    let others = [0, 1, 2].map(|_| bench.submit(1, &NOP));
    bench.settle();
    assert_eq!(
        (bench.commands(0), bench.commands(1)),
        (vec![], others.to_vec())
    );
    assert_eq!(bench.channel(0, at::CHANNEL_STATUS), 0b1101);
    for value in [1, 6, 8, u32::MAX] {
        bench.put(semaphore, &[value]);
        bench.settle();
        assert_eq!(bench.commands(0), [], "{value} is not 7");
    }
    bench.submit(1, &release(semaphore, 7));
    bench.settle();
    assert_eq!(bench.commands(0), [waits, waits + 12]);
    assert_eq!(bench.word(semaphore), 7, "an acquire changes nothing");
}

/// HOST-030.
#[test]
pub fn at_least_is_circular() {
    let cases = [
        (5, 5, true),
        (6, 5, true),
        (4, 5, false),
        (2, 0xffff_fffe, true),
        (0xffff_fffe, 2, false),
        (0x8000_0004, 5, true),
        (0x8000_0005, 5, false),
    ];
    for (value, wanted, passes) in cases {
        let mut bench = Bench::new(SIZE);
        bench.open(0, 4, 0);
        let semaphore = bench.shared(4);
        bench.put(semaphore, &[value]);
        bench.submit(0, &at_least(semaphore, wanted));
        bench.settle();
        assert_eq!(bench.commands(0).len() == 1, passes, "{value} for {wanted}");
    }
}

/// HOST-061, HOST-063.
#[test]
pub fn a_release_with_time_writes_the_time_and_the_value() {
    let mut bench = Bench::new(SIZE);
    bench.open(0, 4, 0);
    let semaphore = bench.shared(16);
    bench.put(semaphore, &[9; 4]);
    bench.submit(0, &NOP);
    bench.submit(
        0,
        &[
            header(command::SEM_RELEASE, command::WITH_TIME),
            semaphore,
            3,
        ],
    );
    bench.settle();
    let words = [0, 4, 8, 12].map(|n| bench.word(semaphore + n));
    assert_eq!((words[0], words[1], words[3]), (3, 0, 0));
    assert!((1..=bench.read(at::TIME)).contains(&words[2]));
}

/// HOST-062, TASK-080.
#[test]
pub fn wait_for_idle_and_release_after_idle_wait_for_tasks_of_all_channels() {
    for words in [
        WAIT_FOR_IDLE.to_vec(),
        release_after_idle(0x3000, 1).to_vec(),
    ] {
        let mut bench = Bench::new(SIZE);
        bench.open(0, 4, 0);
        bench.open(1, 4, 0);
        // Three tasks for two slots: one stays in its list.
        for _ in 0..3 {
            let task = bench.descriptor(&Descriptor::default());
            bench.submit(1, &launch(task));
        }
        bench.advance();
        let block = bench.submit(0, &words);
        bench.advance();
        assert_eq!(bench.channel(0, at::CHANNEL_STATUS), 0b1_0101);
        for _ in 0..3 {
            assert_eq!(bench.commands(0), []);
            assert_eq!(bench.read(at::STATUS) & 1, 1);
            bench.end(0);
            bench.advance();
        }
        assert_eq!(bench.commands(0), [block]);
        assert_eq!(bench.read(at::STATUS), 0);
    }
}

/// HOST-033.
#[test]
pub fn the_highest_priority_has_every_step_it_can_use() {
    let mut bench = Bench::new(SIZE);
    for (channel, priority) in [(0, 1), (1, 15), (2, 15), (3, 0)] {
        bench.open(channel, 8, 0);
        bench.set(channel, at::CONTROL, priority << 4 | at::ENABLE);
        for _ in 0..3 {
            bench.submit(channel, &NOP);
        }
    }
    let order: Vec<usize> = std::iter::from_fn(|| bench.front())
        .map(|step| step.channel)
        .collect();
    let expected = [[1, 2].repeat(6), vec![0; 6], vec![3; 6]].concat();
    assert_eq!(order, expected);
}

/// HOST-037: three wait and read again at once, two of high priority; the third one is read when its value comes.
#[test]
pub fn who_waits_reads_whatever_its_priority() {
    let mut bench = Bench::new(SIZE);
    let semaphores = bench.shared(12);
    for (channel, priority) in [(0, 15), (1, 15), (2, 0)] {
        bench.open(channel, 4, 0);
        bench.set(channel, at::CONTROL, priority << 4 | at::ENABLE);
        bench.submit(channel, &acquire(semaphores + 4 * channel as u32, 1));
    }
    for _ in 0..6 {
        bench.front();
    }
    bench.put(semaphores + 8, &[1]);
    let reads = [0, 1, 2].map(|_| {
        bench.front.poll_all();
        bench.front().expect("three that are ready").channel
    });
    assert_eq!(reads, [0, 1, 2]);
    assert_eq!(bench.channel(2, at::GP_GET), 1);
}

/// HOST-033, HOST-036: two that work have their turns beside one that reads again and again, whatever its priority.
#[test]
pub fn reads_do_not_turn_the_round_of_the_others() {
    let mut bench = Bench::new(SIZE);
    let semaphore = bench.shared(4);
    for (channel, priority) in [(0, 15), (1, 3), (2, 3)] {
        bench.open(channel, 8, 0);
        bench.set(channel, at::CONTROL, priority << 4 | at::ENABLE);
    }
    bench.submit(0, &acquire(semaphore, 1));
    for _ in 0..2 {
        bench.front();
    }
    for _ in 0..4 {
        bench.submit(1, &NOP);
        bench.submit(2, &NOP);
    }
    let steps: Vec<usize> = (0..8)
        .map(|_| {
            bench.front.poll_all();
            bench.front().expect("three that are ready").channel
        })
        .collect();
    assert_eq!(steps, [1, 0, 2, 0, 1, 0, 2, 0]);
}

/// HOST-034, HOST-081.
#[test]
pub fn an_acquire_times_out() {
    for timeout in [1, 2, 5] {
        let mut bench = Bench::new(SIZE);
        bench.write(at::TIMEOUT, timeout);
        bench.open(0, 4, 0);
        let semaphore = bench.shared(4);
        bench.submit(0, &acquire(semaphore, 1));
        bench.front();
        for n in 1..=timeout {
            assert_eq!(bench.error(0), None);
            bench.front.poll_all();
            let step = bench.front().unwrap();
            assert_eq!(step.outcome == Outcome::Waits, n < timeout);
        }
        let error = Some((Code::AcquireTimeout as u32, 0, semaphore));
        assert_eq!(bench.error(0), error);
        // Cleared, and enabled again: it is executed from its first command on.
        bench.set(0, at::CONTROL, at::CLEAR);
        bench.set(0, at::CONTROL, at::ENABLE);
        bench.put(semaphore, &[1]);
        bench.settle();
        assert_eq!(
            (bench.commands(0).len(), bench.channel(0, at::GP_GET)),
            (1, 1)
        );
    }
}

#[test]
pub fn interrupts_say_which_channel() {
    let mut bench = Bench::new(SIZE);
    bench.open(2, 4, 0);
    bench.submit(2, &[header(command::INTERRUPT, 0)]);
    let task = bench.descriptor(&Descriptor {
        interrupt: true,
        ..Descriptor::default()
    });
    bench.submit(2, &launch(task));
    bench.submit(2, &[0]);
    bench.settle();
    let bits = 1 << 2 | 1 << 10 | at::INTERRUPT_COMPLETION;
    assert_eq!(bench.read(at::INTERRUPT), bits);
    bench.write(at::INTERRUPT, 1 << 10);
    assert_eq!(bench.read(at::INTERRUPT), bits & !(1 << 10));
}

#[test]
pub fn a_membar_is_executed() {
    let mut bench = Bench::new(SIZE);
    bench.open(0, 4, 0);
    let block = bench.submit(0, &[header(command::MEMBAR, 3)]);
    bench.settle();
    assert_eq!(bench.commands(0), [block]);
}

/// HOST-021, HOST-035.
#[test]
pub fn a_gpu_owned_channel_gives_its_entries_back() {
    for number in [2, 3, 4, 5] {
        let mut bench = Bench::new(SIZE);
        let ring = bench.shared(8 * number);
        let shadow = bench.shared(4);
        let semaphores = bench.shared(4 * 64);
        let blocks: Vec<u32> = (0..20)
            .map(|n| {
                let block = bench.shared(12);
                bench.put(block, &acquire(semaphores + 4 * n, 1));
                block
            })
            .collect();
        bench.put(ring, &[blocks[0], 3]);
        for (offset, value) in [
            (at::BASE, ring),
            (at::NUMBER, number),
            (at::GP_GET, 0),
            (at::GP_PUT, number - 1),
            (at::SHADOW, shadow),
            (at::LIMIT, number - 1),
            (at::CONTROL, at::ENABLE | at::OWNER_GPU),
        ] {
            bench.set(0, offset, value);
        }
        for n in 0..19 {
            bench.settle();
            assert_eq!(bench.channel(0, at::DONE), n, "it waits at acquire {n}");
            // The next entry is written before the one before it passes.
            let next = ring + 8 * ((n + 1) % number);
            bench.put(next, &[blocks[n as usize + 1], 3]);
            bench.put(semaphores + 4 * n, &[1]);
            bench.settle();
            assert_eq!(bench.word(shadow), number + n);
            assert_eq!(bench.channel(0, at::LIMIT), number + n);
            let (get, put) = (bench.channel(0, at::GP_GET), bench.channel(0, at::GP_PUT));
            assert_eq!((put + 1) % number, get, "it stays full");
        }
        assert_eq!(bench.error(0), None);
    }
}

#[test]
pub fn counters_count() {
    let mut bench = Bench::new(SIZE);
    bench.open(0, 8, 0);
    let last = bench.descriptor(&Descriptor::default());
    let task = bench.descriptor(&Descriptor {
        grid: [2, 3, 1],
        dependent: last,
        ..Descriptor::default()
    });
    bench.submit(0, &[NOP[0], NOP[0]]);
    bench.submit(0, &launch(task));
    bench.settle();
    let counts = [
        (at::COMMANDS, 3),
        (at::ENTRIES, 2),
        (at::LAUNCHES, 1),
        (at::DEPENDENTS, 1),
        (at::CTAS, 7),
        (at::CTAS_DONE, 7),
        (at::TASKS_DONE, 2),
        (at::SPAWNS, 0),
        (at::sm(0, at::SM_CTAS_DONE), 7),
        (at::ID, 0x5747_5055),
        (at::SIZE, 0x0102_0104),
        (at::SM_SIZE, 0x0404_0404),
    ];
    for (address, count) in counts {
        assert_eq!(bench.read(address), count, "{address:#x}");
    }
    assert_eq!(bench.word(task + 4 * word::STATE), 0);
}
