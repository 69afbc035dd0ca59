//! HOST-010 to HOST-016: the edges of the ring, and doorbells at any time.

use crate::bench::*;
use weft_sim::host::registers::{at, Code};
use weft_sim::host::Outcome;

const SIZES: [u32; 6] = [2, 3, 4, 5, 1023, 1024];

/// HOST-010, HOST-011, HOST-012, HOST-031.
#[test]
pub fn every_entry_is_executed_once_and_in_order_round_the_ring() {
    for number in SIZES {
        for get in [0, 1, number - 1] {
            let mut bench = Bench::new(SIZE);
            let base = bench.open(0, number, get);
            let blocks = [bench.block(&NOP), bench.block(&NOP), bench.block(&NOP)];
            // More than twice round, in batches of up to a full ring.
            let (mut put, mut expected) = (get, Vec::new());
            let mut left = 2 * number + 3;
            let mut batch = number - 1;
            while left > 0 {
                for _ in 0..batch.min(left) {
                    let block = blocks[(left % 3) as usize];
                    bench.put(base + 8 * put, &[block, 1]);
                    expected.push(block);
                    put = (put + 1) % number;
                    left -= 1;
                }
                bench.set(0, at::GP_PUT, put);
                bench.settle();
                assert_eq!(bench.channel(0, at::GP_GET), put, "n = {number}");
                batch = (batch + 1) % number;
                batch = batch.max(1);
            }
            assert_eq!(bench.commands(0), expected, "n = {number}");
            assert_eq!(bench.error(0), None);
            assert_eq!(bench.channel(0, at::DONE), 2 * number + 3);
        }
    }
}

/// HOST-013.
#[test]
pub fn a_doorbell_that_changes_nothing_does_nothing() {
    let mut bench = Bench::new(SIZE);
    bench.open(0, 4, 2);
    bench.set(0, at::GP_PUT, 2);
    bench.settle();
    assert_eq!(bench.commands(0), []);
    let block = bench.submit(0, &NOP);
    bench.set(0, at::GP_PUT, 3);
    bench.set(0, at::GP_PUT, 3);
    bench.settle();
    assert_eq!(bench.commands(0), [block]);
}

/// HOST-013.
#[test]
pub fn the_last_of_two_doorbells_counts() {
    let mut bench = Bench::new(SIZE);
    let base = bench.open(0, 5, 0);
    let block = bench.block(&NOP);
    (0..5).for_each(|n| bench.put(base + 8 * n, &[block, 1]));
    bench.set(0, at::GP_PUT, 1);
    bench.set(0, at::GP_PUT, 4);
    bench.settle();
    assert_eq!(bench.commands(0).len(), 4);
}

/// HOST-013, HOST-080, HOST-081.
#[test]
pub fn a_put_beyond_the_ring_stops_the_channel_and_is_not_taken() {
    for number in SIZES {
        for put in [number, number + 1, u32::MAX] {
            let mut bench = Bench::new(SIZE);
            bench.open(0, number, 0);
            bench.open(1, 4, 0);
            bench.set(0, at::GP_PUT, put);
            assert_eq!(bench.error(0), Some((Code::PutRange as u32, 0, at::GP_PUT)));
            assert_eq!(bench.channel(0, at::GP_PUT), 0);
            assert_eq!(bench.channel(0, at::CONTROL) & at::ENABLE, 0);
            let block = bench.submit(1, &NOP);
            bench.settle();
            assert_eq!(bench.commands(1), [block]);
            // The host clears it, and goes on.
            bench.set(0, at::CONTROL, at::CLEAR);
            assert_eq!(bench.error(0), None);
            bench.set(0, at::CONTROL, at::ENABLE);
            let block = bench.submit(0, &NOP);
            bench.settle();
            assert_eq!(bench.commands(0), [block]);
        }
    }
}

/// HOST-014.
#[test]
pub fn registers_of_a_channel_that_runs_are_locked() {
    for offset in [at::BASE, at::NUMBER, at::GP_GET, at::SHADOW, at::LIMIT] {
        let mut bench = Bench::new(SIZE);
        bench.open(0, 4, 1);
        let before = bench.channel(0, offset);
        bench.set(0, offset, before + 8);
        assert_eq!(bench.error(0), Some((Code::Locked as u32, 1, offset)));
        assert_eq!(bench.channel(0, offset), before);
    }
    let mut bench = Bench::new(SIZE);
    bench.open(0, 4, 1);
    bench.set(0, at::CONTROL, at::ENABLE | at::OWNER_GPU);
    assert_eq!(bench.channel(0, at::CONTROL), at::ENABLE);
}

/// HOST-015, HOST-082.
#[test]
pub fn enabling_checks_the_ring() {
    let cases = [
        (at::NUMBER, 0, Code::Number),
        (at::NUMBER, 1, Code::Number),
        (at::NUMBER, 65_537, Code::Number),
        (at::BASE, THREAD_END + 4, Code::RingAddress),
        (at::BASE, 0xff8, Code::RingAddress),
        (at::BASE, MEMORY_END - 24, Code::RingAddress),
        (at::BASE, 0xffff_fff8, Code::RingAddress),
        (at::GP_GET, 4, Code::GetRange),
        (at::GP_PUT, 4, Code::PutRange),
        (at::SHADOW, 0x2002, Code::ShadowAddress),
        (at::SHADOW, THREAD_END, Code::ShadowAddress),
        (at::SHADOW, 0xffc, Code::ShadowAddress),
    ];
    for (offset, value, code) in cases {
        let mut bench = Bench::new(SIZE);
        bench.open(0, 4, 0);
        bench.set(0, at::CONTROL, 0);
        bench.set(0, offset, value);
        bench.set(0, at::CONTROL, at::ENABLE | at::OWNER_GPU);
        assert_eq!(
            bench.error(0),
            Some((code as u32, bench.channel(0, at::GP_GET), offset))
        );
        // Not before the error is cleared.
        bench.set(0, at::CONTROL, at::ENABLE | at::OWNER_GPU);
        assert_eq!(bench.channel(0, at::CONTROL) & at::ENABLE, 0);
    }
}

/// HOST-016.
#[test]
pub fn a_channel_that_is_disabled_stops_before_its_next_command() {
    let mut bench = Bench::new(SIZE);
    bench.open(0, 4, 0);
    let block = bench.submit(0, &[NOP[0], NOP[0], NOP[0]]);
    bench.front();
    bench.front();
    bench.set(0, at::CONTROL, 0);
    bench.settle();
    assert_eq!(bench.commands(0), [block]);
    bench.set(0, at::CONTROL, at::ENABLE);
    bench.settle();
    assert_eq!(bench.commands(0), [block, block + 4, block + 8]);
    assert_eq!(bench.channel(0, at::GP_GET), 1);
}

/// HOST-016.
#[test]
pub fn a_written_get_drops_the_block() {
    let mut bench = Bench::new(SIZE);
    bench.open(0, 4, 0);
    let first = bench.submit(0, &[NOP[0], NOP[0]]);
    let second = bench.submit(0, &NOP);
    bench.front();
    bench.front();
    bench.set(0, at::CONTROL, 0);
    bench.set(0, at::GP_GET, 1);
    bench.set(0, at::CONTROL, at::ENABLE);
    bench.settle();
    assert_eq!(bench.commands(0), [first, second]);
}

/// HOST-013.
#[test]
pub fn a_put_that_is_taken_back_lets_the_ring_run_round() {
    let mut bench = Bench::new(SIZE);
    let base = bench.open(0, 3, 0);
    let block = bench.block(&NOP);
    (0..3).for_each(|n| bench.put(base + 8 * n, &[block, 1]));
    bench.set(0, at::GP_PUT, 1);
    bench.front();
    bench.set(0, at::GP_PUT, 0);
    bench.settle();
    assert_eq!(bench.commands(0).len(), 3);
}

/// HOST-013, HOST-021.
#[test]
pub fn a_doorbell_in_every_state_of_the_channel() {
    // Before each step of a block, while it waits, and when it is over.
    for when in 0..8 {
        let mut bench = Bench::new(SIZE);
        bench.open(0, 4, 3);
        let semaphore = bench.shared(4);
        let block = bench.submit(0, &acquire(semaphore, 1));
        let mut more = 0;
        for step in 0..8 {
            if step == when {
                more = bench.submit(0, &NOP);
            }
            if step == 4 {
                bench.put(semaphore, &[1]);
            }
            bench.front.poll_all();
            bench.front();
        }
        bench.settle();
        assert_eq!(bench.commands(0), [block, more], "at step {when}");
    }
}

#[test]
pub fn a_task_completes_while_the_next_is_launched() {
    let mut bench = Bench::new(SIZE);
    bench.open(0, 2, 0);
    let tasks = [0, 1].map(|_| bench.descriptor(&Default::default()));
    bench.submit(0, &launch(tasks[0]));
    bench.advance();
    bench.submit(0, &[&launch(tasks[1])[..], &WAIT_FOR_IDLE].concat());
    bench.front();
    bench.end(0);
    let step = bench.front().unwrap();
    assert_eq!(step.outcome, Outcome::Executed);
    bench.settle();
    assert_eq!(bench.starts(), [(tasks[0], 0), (tasks[1], 0)]);
    assert_eq!(bench.channel(0, at::GP_GET), 0);
    assert_eq!(bench.read(at::STATUS), 0);
}
