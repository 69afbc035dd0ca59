//! docs/spec/queue.md on the bench: what threads do in the GPU-owned channel, step by step and in any order.

use crate::bench::*;
use rand::prelude::*;
use rand_chacha::ChaCha8Rng;
use weft_sim::host::registers::{at, Code};
use weft_sim::host::Descriptor;

/// The objects of QUEUE-001 to QUEUE-003, and S2's set-up (QUEUE-010).
struct Ring {
    bench: Bench,
    number: u32,
    entries: u32,
    semaphores: u32,
    blocks: u32,
    shadow: u32,
    soft: u32,
    x: u32,
    y: u32,
}

impl Ring {
    fn new(number: u32) -> Ring {
        let mut bench = Bench::new(SIZE);
        let [entries, semaphores, blocks, shadow, x, first] =
            [8 * number, 4 * number, 32 * number, 4, 8, 12].map(|bytes| bench.shared(bytes));
        bench.put(first, &acquire(x, 1));
        bench.put(entries, &[first, 3]);
        bench.put(shadow, &[number - 1]);
        let registers = [
            (at::BASE, entries),
            (at::NUMBER, number),
            (at::GP_PUT, number - 1),
            (at::SHADOW, shadow),
            (at::LIMIT, number - 1),
            (at::CONTROL, at::ENABLE | at::OWNER_GPU),
        ];
        for (offset, value) in registers {
            bench.set(0, offset, value);
        }
        Ring {
            bench,
            number,
            entries,
            semaphores,
            blocks,
            shadow,
            soft: 1,
            x,
            y: x + 4,
        }
    }

    fn has_room(&self, s: u32, n: u32) -> bool {
        s + n < self.bench.word(self.shadow)
    }

    fn entry(&mut self, position: u32, words: &[u32]) {
        let at = position % self.number;
        let block = self.blocks + 32 * at;
        // QUEUE-021: what stood here has been executed.
        let get = self.bench.channel(0, at::DONE);
        assert!(
            position < get + self.number,
            "{position} overwrites, GP_GET is {get}"
        );
        self.bench.put(block, words);
        self.bench
            .put(self.entries + 8 * at, &[block, words.len() as u32]);
    }

    /// QUEUE-020, step 4.
    fn fill(&mut self, s: u32, tasks: &[u32]) {
        for (position, &task) in (s..).zip(tasks) {
            self.entry(position, &launch(task));
        }
        let last = s + tasks.len() as u32;
        let semaphore = self.semaphores + 4 * (last % self.number);
        self.entry(last, &acquire(semaphore, last + 1));
    }

    /// Step 5.
    fn release(&mut self, s: u32) {
        let semaphore = self.semaphores + 4 * ((s - 1) % self.number);
        self.bench.put(semaphore, &[s]);
    }

    /// QUEUE-040.
    fn close(&mut self, round: u32) {
        let s = self.soft;
        self.soft += 1;
        let words = [
            &WAIT_FOR_IDLE[..],
            &release(self.y, round),
            &acquire(self.x, round + 1),
        ];
        self.entry(s, &words.concat());
        self.release(s);
    }

    fn tasks(&mut self, count: u32) -> Vec<u32> {
        (0..count)
            .map(|_| self.bench.descriptor(&Descriptor::default()))
            .collect()
    }
}

/// QUEUE-020, QUEUE-021, QUEUE-022: groups of any size, written and released in any order, in rings of any size.
#[test]
fn groups_are_launched_once_and_in_ring_order_whoever_is_done_first() {
    for number in [4, 5, 8, 13] {
        for seed in 0..20 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut ring = Ring::new(number);
            ring.bench.put(ring.x, &[1]);
            // Taken and not filled; filled and not released.
            let mut taken: Vec<(u32, Vec<u32>)> = Vec::new();
            let mut filled: Vec<u32> = Vec::new();
            let mut expected = Vec::new();
            // Nothing but X guards the first group: QUEUE-023.
            let first = ring.tasks(1);
            expected.extend(&first);
            ring.fill(1, &first);
            ring.soft = 3;
            let mut turns = 0;
            while expected.len() < 60 || !taken.is_empty() || !filled.is_empty() {
                turns += 1;
                assert!(turns < 100_000, "n = {number}, seed {seed}: no room");
                match rng.gen_range(0..4) {
                    // QUEUE-030, QUEUE-033: the positions are the thread's, room or not, until they are filled.
                    0 if expected.len() < 60 && taken.len() < 4 => {
                        let tasks = rng.gen_range(1..=(number - 3).min(4));
                        let tasks = ring.tasks(tasks);
                        expected.extend(&tasks);
                        let s = ring.soft;
                        ring.soft += tasks.len() as u32 + 1;
                        taken.push((s, tasks));
                    }
                    1 if !taken.is_empty() => {
                        let n = rng.gen_range(0..taken.len());
                        let (s, tasks) = &taken[n];
                        if ring.has_room(*s, tasks.len() as u32) {
                            let (s, tasks) = taken.remove(n);
                            ring.fill(s, &tasks);
                            filled.push(s);
                        }
                    }
                    2 if !filled.is_empty() => {
                        let n = rng.gen_range(0..filled.len());
                        let s = filled.remove(n);
                        ring.release(s);
                    }
                    _ => ring.bench.settle(),
                }
            }
            ring.bench.settle();
            assert_eq!(ring.bench.loads(), expected, "n = {number}, seed {seed}");
            assert_eq!(ring.bench.error(0), None);
        }
    }
}

/// QUEUE-031, QUEUE-032: the diagram *A full ring*.
#[test]
fn a_thread_that_finds_no_room_is_told_and_nothing_changes() {
    let mut ring = Ring::new(4);
    let tasks = ring.tasks(2);
    ring.fill(1, &tasks[..1]);
    ring.release(1);
    assert!(!ring.has_room(3, 1));
    ring.bench.put(ring.x, &[1]);
    ring.bench.settle();
    assert!(ring.has_room(3, 1));
    ring.fill(3, &tasks[1..]);
    ring.release(3);
    ring.bench.settle();
    assert_eq!(ring.bench.loads(), tasks);
    assert_eq!(ring.bench.word(ring.shadow), 3 + 4);
}

/// QUEUE-011, QUEUE-040, QUEUE-041: X and Y hand over for round after round, round the ring.
#[test]
fn the_cpu_goes_on_when_the_round_is_closed_and_all_is_idle() {
    let mut ring = Ring::new(5);
    ring.bench.open(1, 8, 0);
    for round in 1..=6 {
        let [parent, child] = [0, 1].map(|_| ring.bench.descriptor(&Descriptor::default()));
        let (x, y) = (ring.x, ring.y);
        let words = [
            &launch(parent)[..],
            &WAIT_FOR_IDLE,
            &release(x, round),
            &acquire(y, round),
            &NOP,
        ];
        let block = ring.bench.submit(1, &words.concat());
        ring.bench.advance();
        // The parent runs; its thread adds the child.
        assert_eq!(ring.bench.starts().last(), Some(&(parent, 0)));
        let s = ring.soft;
        ring.soft += 2;
        ring.fill(s, &[child]);
        ring.release(s);
        ring.bench.advance();
        assert_eq!(
            ring.bench.starts().last(),
            Some(&(parent, 0)),
            "X is not there"
        );
        ring.bench.end(0);
        ring.bench.advance();
        assert_eq!(ring.bench.starts().last(), Some(&(child, 0)));
        // The child's thread closes, and then ends.
        ring.close(round);
        ring.bench.advance();
        assert_eq!(ring.bench.word(y), round - 1, "the child still runs");
        ring.bench.end(0);
        ring.bench.advance();
        assert_eq!(ring.bench.word(y), round);
        assert_eq!(
            ring.bench.commands(1).last(),
            Some(&(block + 36)),
            "round {round}"
        );
    }
}

/// QUEUE-022, QUEUE-051: who takes positions and does not release them is reported, if a time-out is set.
#[test]
fn a_thread_that_never_releases_is_reported() {
    let mut ring = Ring::new(8);
    ring.bench.write(at::TIMEOUT, 10);
    ring.bench.put(ring.x, &[1]);
    let tasks = ring.tasks(1);
    ring.fill(1, &tasks);
    for _ in 0..12 {
        ring.bench.settle();
    }
    let (code, entry, place) = ring.bench.error(0).unwrap();
    assert_eq!((code, entry), (Code::AcquireTimeout as u32, 2));
    assert_eq!(place, ring.semaphores + 8);
}
