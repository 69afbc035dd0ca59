//! Each field of each structure wrong, one by one: code, place, and nobody else is hurt (HOST-080, TASK-030).

use crate::bench::*;
use weft_sim::host::descriptor::word;
use weft_sim::host::front::command::{self, header};
use weft_sim::host::registers::{at, Code};
use weft_sim::host::{Descriptor, Queue};
use Code::*;

/// Submits a block that ends in an error, and looks at everything that must be so then.
fn stops(bench: &mut Bench, words: &[u32], code: Code, place: impl Fn(u32) -> u32) {
    let block = bench.submit(0, words);
    stops_at(bench, code, place(block));
}

fn stops_at(bench: &mut Bench, code: Code, place: u32) {
    let get = bench.channel(0, at::GP_GET);
    let before = bench.memory.slice(0x1000..MEMORY_END).unwrap().to_vec();
    bench.settle();
    let error = bench.error(0);
    assert_eq!(error, Some((code as u32, get, place)), "{code:?}");
    assert_eq!(bench.channel(0, at::GP_GET), get, "{code:?}");
    assert_eq!(bench.channel(0, at::CHANNEL_STATUS) & 0b10_0111, 0b10_0000);
    assert_eq!(bench.read(at::STATUS), 2, "{code:?}: nothing was launched");
    assert_eq!(bench.read(at::INTERRUPT), 1 << 8);
    let after = bench.memory.slice(0x1000..MEMORY_END).unwrap();
    assert!(before == after, "{code:?}: nothing is written");
    // Another channel does not notice.
    bench.open(1, 4, 0);
    let block = bench.submit(1, &NOP);
    bench.settle();
    assert_eq!(bench.commands(1).last(), Some(&block));
    bench.set(1, at::CONTROL, 0);
    // Left out by the host, the channel goes on.
    bench.set(0, at::CONTROL, at::CLEAR);
    let number = bench.channel(0, at::NUMBER);
    bench.set(0, at::GP_GET, (get + 1) % number);
    bench.set(0, at::CONTROL, at::ENABLE);
    let block = bench.submit(0, &NOP);
    bench.settle();
    assert_eq!(bench.commands(0).last(), Some(&block));
    assert_eq!(bench.error(0), None);
}

fn opened() -> Bench {
    let mut bench = Bench::new(SIZE);
    bench.open(0, 4, 3);
    bench
}

/// HOST-020.
#[test]
pub fn entries() {
    let cases = [
        ([THREAD_END + 0x1000, 0x1_0001], EntryReserved, 4),
        ([THREAD_END + 0x1000, 0x8000_0001], EntryReserved, 4),
        ([THREAD_END + 0x1000, 0], EntryLength, 4),
        ([THREAD_END + 0x1002, 1], BlockAddress, 0),
        ([0, 1], BlockAddress, 0),
        ([0xffc, 1], BlockAddress, 0),
        ([MEMORY_END, 1], BlockAddress, 0),
        ([MEMORY_END - 4, 2], BlockAddress, 0),
        ([0xffff_fffc, 2], BlockAddress, 0),
    ];
    for (entry, code, word) in cases {
        let mut bench = opened();
        let at = bench.channel(0, at::BASE) + 8 * 3;
        bench.put(at, &entry);
        bench.set(0, at::GP_PUT, 0);
        stops_at(&mut bench, code, at + word);
    }
}

/// HOST-030.
#[test]
pub fn commands() {
    let release = header(command::SEM_RELEASE, 0);
    let cases: [(&[u32], Code, u32); 22] = [
        (&[0], CommandSize, 0),
        (&[7 | 1 << 16], CommandUnknown, 0),
        (&[0xff | 1 << 16], CommandUnknown, 0),
        (&[header(command::NOP, 0) | 1 << 24], CommandUnknown, 0),
        (&[header(command::NOP, 0) | 1 << 31], CommandUnknown, 0),
        (&[command::NOP | 2 << 16, 0], CommandSize, 0),
        (&[command::LAUNCH | 1 << 16], CommandSize, 0),
        (&[header(command::LAUNCH, 0)], CommandSize, 0),
        (&[release, 0x3000], CommandSize, 0),
        (&[header(command::NOP, 1)], CommandFlags, 0),
        (&[header(command::LAUNCH, 1), 0x3000], CommandFlags, 0),
        (&[header(command::WAIT_FOR_IDLE, 1)], CommandFlags, 0),
        (
            &[header(command::SEM_ACQUIRE, 2), 0x3000, 0],
            CommandFlags,
            0,
        ),
        (
            &[header(command::SEM_RELEASE, 4), 0x3000, 0],
            CommandFlags,
            0,
        ),
        (&[header(command::MEMBAR, 4)], CommandFlags, 0),
        (&[header(command::INTERRUPT, 0x80)], CommandFlags, 0),
        (&[release, 0x3002, 1], SemAddress, 4),
        (&[release, 0xffc, 1], SemAddress, 4),
        (&[release, MEMORY_END, 1], SemAddress, 4),
        (
            &[header(command::SEM_ACQUIRE, 0), 0xffff_fffc, 1],
            SemAddress,
            4,
        ),
        (&[header(command::SEM_RELEASE, 2), 0x3008, 1], SemAddress, 4),
        (
            &[header(command::SEM_RELEASE, 2), MEMORY_END - 8, 1],
            SemAddress,
            4,
        ),
    ];
    for (words, code, at) in cases {
        stops(&mut opened(), words, code, |block| block + at);
    }
    // Behind others in its block.
    let mut bench = opened();
    let block = bench.submit(0, &[NOP[0], 0]);
    bench.settle();
    assert_eq!(bench.error(0), Some((CommandSize as u32, 3, block + 4)));
    assert_eq!(bench.commands(0), [block]);
}

/// A grid of which every field is right.
fn grid() -> Descriptor {
    Descriptor {
        grid: [2, 1, 1],
        cta: [4, 2, 1],
        ..Descriptor::default()
    }
}

fn queue() -> Descriptor {
    Descriptor {
        grid: [0; 3],
        queue: Some(Queue {
            ring: 0x8000,
            entry: 8,
            entries: 4,
            each: 2,
            ..Queue::default()
        }),
        ..grid()
    }
}

/// Number of the word, what it becomes, and what is said of it at which word.
type Case = (u32, u32, Code, u32);

#[rustfmt::skip]
fn of_both(words: &[u32; 32]) -> Vec<Case> {
    let header = words[0];
    let mut cases = vec![
        (0, 0, DescriptorHeader, 0),
        (0, header & 0x00ff_ffff, DescriptorHeader, 0),
        (0, header ^ 1 << 24, DescriptorHeader, 0),
        (0, header & !3, DescriptorHeader, 0),
        (0, header | 3, DescriptorHeader, 0),
        (0, header | 3 << 8, DescriptorHeader, 0),
        (1, 0x1002, DescriptorPc, 1),
        (1, 0xffc, DescriptorPc, 1),
        (1, THREAD_END, DescriptorPc, 1),
        (1, 1 << 24, DescriptorPc, 1),
        (5, 0, DescriptorCta, 5),
        (6, 0, DescriptorCta, 6),
        (7, 0, DescriptorCta, 7),
        (5, 17, DescriptorCta, 5),
        (6, 17, DescriptorCta, 6),
        (7, 0x1_0000, DescriptorCta, 7),
        (7, 3, DescriptorCta, 7),
        (9, 2, DescriptorScratchpad, 9),
        (9, 4100, DescriptorScratchpad, 9),
        (10, 8, DescriptorLocal, 10),
        (10, 4112, DescriptorLocal, 10),
        (12, 2, DescriptorCompletion, 12),
        (12, 0x3002, DescriptorCompletion, 12),
        (12, 0x3005, DescriptorCompletion, 12),
        (12, 0xffc, DescriptorCompletion, 12),
        (12, 1, DescriptorCompletion, 12),
        (12, THREAD_END, DescriptorCompletion, 12),
        (14, 0x3020, DescriptorDependent, 14),
        (14, 0x40, DescriptorDependent, 14),
        (14, THREAD_END - 64, DescriptorDependent, 14),
        (14, THREAD_END, DescriptorDependent, 14),
        (28, 1, DescriptorReserved, 28),
        (31, 1 << 31, DescriptorReserved, 31),
        (25, 1, DescriptorBusy, 25),
        (25, 2, DescriptorBusy, 25),
        (25, 4, DescriptorBusy, 25),
    ];
    let domain = 12..15;
    let reserved = (10..24).filter(|bit| !domain.contains(bit));
    cases.extend(reserved.map(|bit| (0, header | 1 << bit, DescriptorHeader, 0)));
    cases
}

fn refused(descriptor: &Descriptor, cases: Vec<Case>) {
    for (number, value, code, at) in cases {
        let mut bench = opened();
        let task = bench.descriptor(descriptor);
        assert_ne!(bench.word(task + 4 * number), value);
        bench.put(task + 4 * number, &[value]);
        stops(&mut bench, &launch(task), code, |_| task + 4 * at);
    }
}

#[test]
pub fn fields_of_a_grid() {
    let mut cases = of_both(&grid().words());
    cases.extend((2..5).map(|n| (n, 0, DescriptorGrid, n)));
    cases.extend((2..5).map(|n| (n, 65_536, DescriptorGrid, n)));
    cases.extend((16..24).map(|n| (n, 1, DescriptorReserved, n)));
    refused(&grid(), cases);
    let large = Descriptor {
        grid: [65_535, 65_535, 1],
        cta: [1; 3],
        ..grid()
    };
    refused(
        &large,
        vec![(4, 2, DescriptorGrid, 4), (5, 2, DescriptorGrid, 4)],
    );
}

#[test]
pub fn fields_of_a_queue() {
    let mut cases = of_both(&queue().words());
    cases.extend((2..5).map(|n| (n, 1, DescriptorGrid, n)));
    cases.extend([
        (16, 0x8002, QueueRing, 16),
        (16, 0xff0, QueueRing, 16),
        (16, THREAD_END - 28, QueueRing, 16),
        (16, 0xffff_fffc, QueueRing, 16),
        (17, 0, QueueEntry, 17),
        (17, 6, QueueEntry, 17),
        (17, 4100, QueueEntry, 17),
        (18, 0, QueueEntries, 18),
        (18, 1, QueueEntries, 18),
        (18, 3, QueueEntries, 18),
        (18, 131_072, QueueEntries, 18),
        (19, 0, QueueEach, 19),
        (19, 5, QueueEach, 19),
        (21, 5, QueuePointers, 22),
        (22, 1, QueuePointers, 22),
    ]);
    refused(&queue(), cases);
}

#[test]
pub fn a_task_does_not_depend_on_itself() {
    let mut bench = opened();
    let task = bench.descriptor(&grid());
    bench.put(task + 4 * word::DEPENDENT, &[task]);
    stops(&mut bench, &launch(task), DescriptorDependent, |_| {
        task + 56
    });
}

#[test]
pub fn addresses_of_descriptors() {
    for address in [0, 0x40, 0x3020, MEMORY_END - 64, MEMORY_END, 0xffff_ffc0] {
        let mut bench = opened();
        stops(&mut bench, &launch(address), DescriptorAddress, |_| address);
    }
}

/// HOST-002, QUEUE-050.
#[test]
pub fn what_threads_can_write_reaches_only_what_threads_can_write() {
    // A ring, a block and a descriptor below THREAD_END, each with an address above.
    let mut bench = Bench::new(SIZE);
    let private = bench.private(128);
    bench.put(private, &[&NOP[..], &[0; 31]].concat());
    let ring = bench.shared(32);
    bench.put(ring, &[private, 1]);
    let set = [
        (at::BASE, ring),
        (at::NUMBER, 4),
        (at::GP_PUT, 1),
        (at::CONTROL, at::ENABLE),
    ];
    set.into_iter()
        .for_each(|(offset, value)| bench.set(0, offset, value));
    bench.settle();
    assert_eq!(bench.error(0), Some((BlockAddress as u32, 0, ring)));
    let sayings: [(Vec<u32>, Code); 3] = [
        (release(private, 1).to_vec(), SemAddress),
        (acquire(private, 1).to_vec(), SemAddress),
        (launch(private).to_vec(), DescriptorAddress),
    ];
    for (words, code) in sayings {
        let mut bench = opened();
        let block = bench.shared(12);
        bench.put(block, &words);
        let entry = bench.channel(0, at::BASE) + 8 * 3;
        bench.put(entry, &[block, words.len() as u32]);
        bench.set(0, at::GP_PUT, 0);
        let place = if code == SemAddress {
            block + 4
        } else {
            private
        };
        stops_at(&mut bench, code, place);
    }
    // The same from private memory is right.
    let mut bench = opened();
    let private = bench.private(64);
    bench.submit(0, &release(private, 5));
    let completion = Descriptor {
        completion: private + 16,
        value: 6,
        ..grid()
    };
    let task = bench.private(128);
    bench.put(task, &completion.words());
    bench.submit(0, &launch(task));
    bench.settle();
    assert_eq!((bench.word(private), bench.word(private + 16)), (5, 6));
}

/// HOST-001, HOST-003.
#[test]
pub fn memory_that_ends_before_the_host_says_so() {
    let mut bench = opened();
    bench.write(at::MEMORY_END, MEMORY_END + 0x1000);
    let words = release(MEMORY_END, 1);
    stops(&mut bench, &words, Memory, |_| MEMORY_END);
    stops(&mut bench, &launch(MEMORY_END), TaskMemory, |_| MEMORY_END);
}

/// TASK-012: all words of a descriptor that waits are written over, but for PUT, RESERVE, OPEN: it runs as it was.
#[test]
pub fn what_is_written_over_a_pending_task_means_nothing() {
    // Slots are taken, so that it stays in its list for a while.
    for number in (0..32).filter(|n| !(word::RESERVE..word::PUT + 1).contains(n)) {
        let mut bench = Bench::new(SIZE);
        bench.open(0, 8, 0);
        let semaphore = bench.shared(64);
        let last = Descriptor {
            completion: semaphore,
            value: 7,
            ..Descriptor::default()
        };
        let tasks = [grid(), grid(), last, grid()].map(|task| bench.descriptor(&task));
        for task in tasks {
            bench.submit(0, &launch(task));
        }
        bench.advance();
        bench.put(tasks[2] + 4 * number, &[0xdead_beef]);
        bench.settle();
        assert_eq!(bench.read(at::TASK_ERRORS), 0, "word {number}");
        assert_eq!(bench.read(at::TASKS_DONE), 4, "word {number}");
        assert_eq!(bench.word(semaphore), 7, "word {number}");
    }
}

/// TASK-051, TASK-052.
#[test]
pub fn a_queue_whose_put_runs_away_is_stopped() {
    let mut bench = opened();
    let open = Queue {
        put: 1,
        open: 1,
        ..queue().queue.unwrap()
    };
    let task = bench.descriptor(&Descriptor {
        queue: Some(open),
        ..queue()
    });
    bench.submit(0, &launch(task));
    bench.advance();
    bench.put(task + 4 * word::PUT, &[6]);
    bench.settle();
    assert_eq!(bench.read(at::TASK_ERROR), 1 << 31 | QueuePointers as u32);
    assert_eq!(
        (bench.starts(), bench.read(at::TASKS_DONE)),
        (vec![(task, 0)], 1)
    );
}
