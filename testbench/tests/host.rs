//! The host front end: random programs in lockstep with the model, and that departures and broken copies are noticed.

#[path = "common/environment.rs"]
mod environment;

use environment::number;
use weft_sim::host::Mutation;
use weft_testbench::host::bench::{HostSize, Setup};
use weft_testbench::host::cosim::{cosim, program, setup};
use weft_testbench::host::cover::Cover;
use weft_testbench::host::program::{run, Program};
use weft_testbench::rtl::faults;

/// The fixed seed of these tests. `SEED=n` runs others.
fn seed() -> u64 {
    number("SEED", 1)
}

/// `PROGRAMS=N` for more.
#[test]
fn random_programs_agree() {
    let mut cover = Cover::default();
    for index in 0..number("PROGRAMS", 40) {
        if let Err(failure) = cosim(seed(), index, &mut cover) {
            panic!("{failure}");
        }
    }
    println!("{cover}");
    assert_eq!(cover.missing(), [""; 0], "not covered");
}

/// `PROGRAM=CHANNELS:SEED:CYCLES`: one program again. Without it: a short one.
#[test]
fn replay() {
    let asked = std::env::var("PROGRAM").ok();
    let program: Program = asked
        .as_deref()
        .unwrap_or("5:1:1000")
        .parse()
        .expect("a program");
    let wave = std::env::var_os("WAVE");
    let setup = Setup {
        wave: wave.as_deref().map(std::path::Path::new),
        ..setup(program)
    };
    if let Err(failure) = run(program, &setup, &mut Cover::default()) {
        panic!("{failure}");
    }
}

/// The first program of these that fails.
fn noticed(programs: u64, change: impl Fn(Setup<'static>) -> Setup<'static>) -> Option<u64> {
    (0..programs).find(|&index| {
        let program = program(seed(), index, &[5]);
        run(program, &change(setup(program)), &mut Cover::default()).is_err()
    })
}

/// Departures of the model: the hardware is right, so they differ.
#[test]
fn departures_of_the_model_are_noticed() {
    let all = [
        Mutation::WrapsByMask,
        Mutation::PutIsNotChecked,
        Mutation::GetIsNotLocked,
        Mutation::ReachIsNotChecked,
        Mutation::LastCommandIsLost,
        Mutation::EntryIsSkipped,
        Mutation::PriorityIsReversed,
        Mutation::RoundIsUnfair,
        Mutation::NobodyGivesWay,
        Mutation::WaitersGoByPriority,
        Mutation::RoundIsShared,
        Mutation::AnyValueAcquires,
        Mutation::AtLeastIsUnsigned,
        Mutation::NeverTimesOut,
        Mutation::PutIsNotRecycled,
        Mutation::ShadowIsNotWritten,
        Mutation::ReleaseDoesNotWait,
        Mutation::ErrorsGoOn,
        Mutation::WindowsAreOne,
    ];
    for mutation in all {
        let change = |setup| Setup {
            mutation: Some(mutation),
            ..setup
        };
        let found = noticed(20, change);
        println!("{mutation:?}: program {found:?}");
        assert!(found.is_some(), "{mutation:?} is not noticed");
    }
}

#[test]
fn broken_copies_are_noticed() {
    for (_, fault) in faults::prepare(faults::of(weft_generate::Unit::Host)).expect("broken copies")
    {
        let change = |setup| Setup {
            fault: Some(&fault.name),
            ..setup
        };
        let found = noticed(20, change);
        println!("{}: program {found:?}", fault.name);
        assert!(found.is_some(), "{}: {}", fault.name, fault.breaks);
    }
}

mod directed {
    use super::*;
    use weft_sim::host::front::command::{self, header};
    use weft_sim::host::registers::at;
    use weft_sim::host::{Code, Outcome, Step};
    use weft_testbench::host::bench::DESCRIPTORS;
    use weft_testbench::host::bench::{Access, Bench, Happening, MEMORY, THREAD_END};
    use weft_testbench::host::program::descriptor;

    const RING: u32 = 0x2000;
    const BLOCKS: u32 = 0x4000;
    const SEMAPHORE: u32 = 0x7000;
    const NOP: u32 = header(command::NOP, 0);

    fn bench(channels: usize) -> Bench {
        let setup = Setup {
            latency: (20, 0),
            ..Setup::default()
        };
        Bench::new(HostSize(channels), &setup).expect("a design")
    }

    fn settle(bench: &mut Bench) {
        if let Err(error) = bench.settle(300) {
            panic!("{error}");
        }
    }

    /// A channel with its ring at this address.
    fn open(bench: &mut Bench, channel: usize, base: u32, number: u32, get: u32, control: u32) {
        let values = [
            (at::BASE, base),
            (at::NUMBER, number),
            (at::GP_GET, get),
            (at::GP_PUT, get),
            (at::CONTROL, control | at::ENABLE),
        ];
        for (offset, value) in values {
            bench.set(channel, offset, value);
        }
    }

    fn steps(bench: &mut Bench) -> Vec<Step> {
        let step = |h: Happening| match h {
            Happening::Step { step, .. } => Some(step),
            _ => None,
        };
        bench.happened.drain(..).filter_map(step).collect()
    }

    /// In the hardware's registers, which are read, and in the model's.
    fn told(bench: &mut Bench, channel: usize) -> (u32, u32, u32) {
        for offset in [at::ERROR, at::ERROR_ENTRY, at::ERROR_ADDRESS] {
            bench.host(Access::Read(at::channel(channel, offset)));
        }
        settle(bench);
        error(bench, channel)
    }

    /// In the model's registers.
    fn error(bench: &mut Bench, channel: usize) -> (u32, u32, u32) {
        let code = bench.register(channel, at::ERROR);
        assert!(code == 0 || code >> 31 == 1, "{code:#x}");
        (
            code & 0xff,
            bench.register(channel, at::ERROR_ENTRY),
            bench.register(channel, at::ERROR_ADDRESS),
        )
    }

    /// Rings of two entries, of powers of two and of their neighbours: one entry over the wrap, a full ring in one
    /// doorbell, the same GP_PUT twice, GP_PUT = GP_GET, and beyond the ring.
    #[test]
    fn doorbells() {
        for number in [2, 3, 4, 5, 1023, 1024] {
            let mut bench = bench(5);
            for index in 0..number {
                bench.poke(RING + 8 * index, &[BLOCKS + 4 * index, 1]);
                bench.poke(BLOCKS + 4 * index, &[NOP]);
            }
            open(&mut bench, 1, RING, number, number - 1, 0);
            bench.set(1, at::GP_PUT, 0);
            bench.set(1, at::GP_PUT, 0);
            settle(&mut bench);
            let gets = |bench: &mut Bench| -> Vec<u32> {
                let all = steps(bench);
                assert!(
                    all.iter().all(|s| s.outcome == Outcome::Executed),
                    "{all:?}"
                );
                let commands = all.iter().filter(|s| s.is_command);
                commands.map(|s| (s.address - BLOCKS) / 4).collect()
            };
            assert_eq!(gets(&mut bench), [number - 1], "n = {number}");
            assert_eq!(bench.register(1, at::GP_GET), 0);
            // All but one, then the last and the first again: a wrap in the middle of a batch.
            bench.set(1, at::GP_PUT, number - 1);
            settle(&mut bench);
            let all: Vec<u32> = (0..number - 1).collect();
            assert_eq!(gets(&mut bench), all, "n = {number}");
            bench.set(1, at::GP_PUT, 1 % number);
            settle(&mut bench);
            let wrapped: Vec<u32> = if number == 2 {
                vec![]
            } else {
                vec![number - 1, 0]
            };
            assert_eq!(gets(&mut bench), wrapped, "n = {number}");
            // Empty stays empty.
            let get = bench.register(1, at::GP_GET);
            bench.set(1, at::GP_PUT, get);
            settle(&mut bench);
            assert_eq!(gets(&mut bench), [0; 0]);
            // Beyond: the register keeps what it had, the other channel goes on.
            open(&mut bench, 0, RING, number, 0, 0);
            bench.set(1, at::GP_PUT, number);
            bench.set(0, at::GP_PUT, 1);
            settle(&mut bench);
            assert_eq!(
                error(&mut bench, 1),
                (Code::PutRange as u32, get, at::GP_PUT)
            );
            assert_eq!(bench.register(1, at::GP_PUT), get);
            assert_eq!(gets(&mut bench), [0]);
            // Any value is kept while it is disabled, and found by enable.
            bench.set(1, at::CONTROL, at::CLEAR);
            bench.set(1, at::GP_PUT, u32::MAX);
            bench.set(1, at::CONTROL, at::ENABLE);
            settle(&mut bench);
            assert_eq!(
                error(&mut bench, 1),
                (Code::PutRange as u32, get, at::GP_PUT)
            );
            for address in [at::channel(1, at::ERROR), at::channel(1, at::ERROR_ADDRESS)] {
                bench.host(Access::Read(address));
            }
            settle(&mut bench);
        }
    }

    /// GP_PUT is taken back to GP_GET in the middle of the entry: the ring runs round once (HOST-013).
    #[test]
    fn a_doorbell_that_is_taken_back() {
        let mut bench = bench(5);
        for index in 0..3 {
            bench.poke(RING + 8 * index, &[BLOCKS, 2]);
        }
        bench.poke(BLOCKS, &[NOP, NOP]);
        open(&mut bench, 0, RING, 3, 0, 0);
        bench.set(0, at::GP_PUT, 1);
        while steps(&mut bench).iter().all(|s| s.is_command) {
            bench.step().expect("it agrees");
        }
        bench.set(0, at::GP_PUT, 0);
        settle(&mut bench);
        assert_eq!(bench.register(0, at::DONE), 3);
        assert_eq!(bench.register(0, at::GP_GET), 0);
    }

    /// Each error of an entry or a command: code, place; nothing of the command is done, the other channel goes on, and
    /// the host can leave the entry out.
    #[test]
    fn every_error_has_its_code_and_place() {
        let sem = |code, flags, at: u32| vec![header(code, flags), at, 7];
        let one = |words: Vec<u32>| (None, words);
        let entry = |word1: u32, at: u32| (Some([at, word1]), vec![NOP]);
        let acquire = |at| sem(command::SEM_ACQUIRE, 0, at);
        let timed = |at| sem(command::SEM_RELEASE, command::WITH_TIME, at);
        let hole = MEMORY + 0x40;
        // The words of an entry, if it is not the right one, and those of its block.
        type EntryAndBlock = (Option<[u32; 2]>, Vec<u32>);
        // In memory of threads, then private; entry, words of the block; code, place beside entry, block or elsewhere.
        #[rustfmt::skip]
        let cases: Vec<(bool, EntryAndBlock, Code, u32)> = vec![
            (false, entry(0x1_0001, BLOCKS), Code::EntryReserved, RING + 4),
            (false, entry(0, BLOCKS), Code::EntryLength, RING + 4),
            (false, entry(1, BLOCKS + 2), Code::BlockAddress, RING),
            (false, entry(1, 0xFFC), Code::BlockAddress, RING),
            (false, entry(2, THREAD_END - 4), Code::BlockAddress, RING),
            (false, entry(1, THREAD_END), Code::BlockAddress, RING),
            (true, entry(0x201, MEMORY + 0x800), Code::BlockAddress, THREAD_END),
            (false, entry(1, 0xFFFF_FFFC), Code::BlockAddress, RING),
            (false, one(vec![0]), Code::CommandSize, BLOCKS),
            (false, one(vec![7 | 1 << 16]), Code::CommandUnknown, BLOCKS),
            (false, one(vec![NOP | 1 << 24]), Code::CommandUnknown, BLOCKS),
            (false, one(vec![NOP | 1 << 17]), Code::CommandSize, BLOCKS),
            (false, one(vec![header(command::LAUNCH, 0)]), Code::CommandSize, BLOCKS),
            (false, one(vec![header(command::SEM_ACQUIRE, 0), SEMAPHORE]), Code::CommandSize, BLOCKS),
            (false, one(vec![NOP | 1 << 8]), Code::CommandFlags, BLOCKS),
            (false, one(sem(command::SEM_ACQUIRE, 2, SEMAPHORE)), Code::CommandFlags, BLOCKS),
            (false, one(acquire(SEMAPHORE + 2)), Code::SemAddress, BLOCKS + 4),
            (false, one(acquire(0xFFC)), Code::SemAddress, BLOCKS + 4),
            (false, one(acquire(THREAD_END)), Code::SemAddress, BLOCKS + 4),
            (false, one(timed(SEMAPHORE + 4)), Code::SemAddress, BLOCKS + 4),
            (true, one(timed(MEMORY + 0xFF8)), Code::SemAddress, THREAD_END + 0x104),
            (true, one(acquire(hole)), Code::Memory, hole),
            (true, one(sem(command::SEM_RELEASE, 0, hole)), Code::Memory, hole),
            (true, one(timed(hole)), Code::Memory, hole + 4),
            (true, entry(1, hole), Code::Memory, hole),
            (false, one(vec![header(command::LAUNCH, 0), DESCRIPTORS.start + 32]), Code::DescriptorAddress, DESCRIPTORS.start + 32),
            (false, one(vec![header(command::LAUNCH, 0), SEMAPHORE]), Code::DescriptorHeader, SEMAPHORE),
            (false, one(vec![header(command::LAUNCH, 0), DESCRIPTORS.start]), Code::DescriptorBusy, DESCRIPTORS.start + 100),
        ];
        let mut bench = bench(5);
        bench.host(Access::Write(at::MEMORY_END, MEMORY + 0x1000));
        let mut busy = descriptor();
        busy[25] = 1;
        bench.poke(DESCRIPTORS.start, &busy);
        for (private, (entry, words), code, place) in cases {
            let (ring, block) = match private {
                false => (RING, BLOCKS),
                true => (THREAD_END, THREAD_END + 0x100),
            };
            bench.poke(ring, &entry.unwrap_or([block, words.len() as u32]));
            bench.poke(ring + 8, &[BLOCKS, 1]);
            bench.poke(block, &words);
            let other = BLOCKS + 0x1000;
            bench.poke(RING + 0x100, &[other, 1]);
            bench.poke(other, &[NOP]);
            open(&mut bench, 0, ring, 3, 0, 0);
            open(&mut bench, 1, RING + 0x100, 3, 0, 0);
            bench.set(0, at::GP_PUT, 2);
            bench.set(1, at::GP_PUT, 1);
            settle(&mut bench);
            let what = format!("{code:?} by {entry:x?} {words:x?}");
            assert_eq!(told(&mut bench, 0), (code as u32, 0, place), "{what}");
            assert_eq!(bench.register(0, at::CONTROL) & 1, 0, "{what}");
            assert_eq!(bench.register(1, at::GP_GET), 1, "{what}");
            assert_eq!(error(&mut bench, 1).0, 0, "{what}");
            // Enabling has no effect until the host has cleared it; then the entry is left out.
            bench.set(0, at::CONTROL, at::ENABLE);
            settle(&mut bench);
            assert_eq!(bench.register(0, at::CONTROL) & 1, 0, "{what}");
            bench.poke(BLOCKS, &[NOP]);
            bench.set(0, at::CONTROL, at::CLEAR);
            bench.set(0, at::GP_GET, 1);
            bench.set(0, at::CONTROL, at::ENABLE);
            settle(&mut bench);
            assert_eq!(
                bench.register(0, at::GP_GET),
                2,
                "{what}: {:?}",
                error(&mut bench, 0)
            );
            for channel in 0..2 {
                bench.set(channel, at::CONTROL, 0);
            }
        }
    }

    /// HOST-080: what lies behind the memory, word by word: the entry, the second and the third word of a command, a
    /// semaphore's words, and the shadow, to which nothing but an executed entry goes.
    #[test]
    fn words_behind_the_memory_are_told() {
        let mut bench = bench(5);
        bench.host(Access::Write(at::MEMORY_END, MEMORY + 0x1000));
        let (ring, block) = (THREAD_END, THREAD_END + 0x100);
        let launch = vec![header(command::LAUNCH, 0)];
        let acquire = vec![header(command::SEM_ACQUIRE, 0), block];
        let cases = [
            (MEMORY + 0x100, block, vec![NOP], MEMORY + 0x100),
            (ring, MEMORY - 4, launch, MEMORY),
            (ring, MEMORY - 8, acquire, MEMORY),
        ];
        for (ring, block, words, place) in cases {
            if ring < MEMORY {
                bench.poke(ring, &[block, 3]);
            }
            bench.poke(block, &words);
            open(&mut bench, 0, ring, 3, 0, 0);
            bench.set(0, at::GP_PUT, 1);
            settle(&mut bench);
            let told = error(&mut bench, 0);
            assert_eq!(
                told,
                (Code::Memory as u32, 0, place),
                "{words:x?} at {block:#x}"
            );
            bench.set(0, at::CONTROL, at::CLEAR);
        }
        bench.host(Access::Write(at::THREAD_END, MEMORY + 0x1000));
        bench.poke(RING, &[BLOCKS, 1]);
        bench.poke(BLOCKS, &[NOP]);
        bench.set(1, at::SHADOW, MEMORY + 0x40);
        open(&mut bench, 1, RING, 3, 0, at::OWNER_GPU);
        bench.set(1, at::GP_PUT, 1);
        settle(&mut bench);
        assert_eq!(told(&mut bench, 1), (Code::Memory as u32, 0, MEMORY + 0x40));
        for offset in [at::GP_GET, at::GP_PUT, at::LIMIT, at::DONE] {
            bench.host(Access::Read(at::channel(1, offset)));
        }
        settle(&mut bench);
        assert_eq!(
            (bench.register(1, at::GP_GET), bench.register(1, at::DONE)),
            (0, 0)
        );
    }

    /// What enable checks, in its order, and what is locked.
    #[test]
    fn registers_are_checked() {
        let mut bench = bench(5);
        let right = [
            (at::BASE, RING),
            (at::NUMBER, 4),
            (at::GP_GET, 1),
            (at::GP_PUT, 1),
            (at::SHADOW, SEMAPHORE),
        ];
        let cases = [
            (at::NUMBER, 1, Code::Number),
            (at::NUMBER, 0x1_0001, Code::Number),
            (at::BASE, RING + 4, Code::RingAddress),
            (at::BASE, 0xFF8, Code::RingAddress),
            (at::BASE, MEMORY - 24, Code::RingAddress),
            (at::GP_GET, 4, Code::GetRange),
            (at::GP_PUT, 4, Code::PutRange),
            (at::SHADOW, SEMAPHORE + 1, Code::ShadowAddress),
            (at::SHADOW, THREAD_END, Code::ShadowAddress),
            (at::SHADOW, 0x800, Code::ShadowAddress),
        ];
        let gpu = at::ENABLE | at::OWNER_GPU;
        for (i, &(offset, value, code)) in cases.iter().enumerate() {
            for (register, usual) in right {
                bench.set(2, register, if register == offset { value } else { usual });
            }
            // What comes later in the order may be wrong as well.
            if i < 5 {
                bench.set(2, at::GP_PUT, 70_000);
            }
            bench.set(2, at::CONTROL, gpu);
            settle(&mut bench);
            let get = if offset == at::GP_GET { value } else { 1 };
            assert_eq!(
                told(&mut bench, 2),
                (code as u32, get, offset),
                "{offset:#x} = {value:#x}"
            );
            bench.set(2, at::CONTROL, at::CLEAR);
        }
        // The last ones that are right.
        for (offset, value) in [
            (at::BASE, MEMORY - 32),
            (at::BASE, 0x1000),
            (at::SHADOW, THREAD_END - 4),
            (at::SHADOW, 0x1000),
        ] {
            for (register, usual) in right {
                bench.set(2, register, if register == offset { value } else { usual });
            }
            bench.set(2, at::CONTROL, gpu);
            settle(&mut bench);
            assert_eq!(told(&mut bench, 2).0, 0, "{offset:#x} = {value:#x}");
            assert_eq!(bench.register(2, at::CONTROL) & 1, 1);
            bench.set(2, at::CONTROL, 0);
        }
        for offset in [at::BASE, at::NUMBER, at::GP_GET, at::SHADOW, at::LIMIT] {
            for (register, usual) in right {
                bench.set(2, register, usual);
            }
            bench.set(2, at::CONTROL, gpu);
            bench.set(2, offset, 3);
            settle(&mut bench);
            let was = right.iter().find(|r| r.0 == offset).map_or(0, |r| r.1);
            assert_eq!(told(&mut bench, 2), (Code::Locked as u32, 1, offset));
            assert_eq!(bench.register(2, offset), was, "{offset:#x}");
            bench.set(2, at::CONTROL, at::CLEAR);
        }
    }

    /// HOST-033: the highest first, those of one priority in turn; who waits holds nobody up.
    #[test]
    fn priorities_and_turns() {
        let mut bench = bench(5);
        let priorities = [3, 9, 9, 0, 15];
        // Nobody runs before the last doorbell: a memory that is slow, and a step at a time.
        bench.poke(BLOCKS, &[NOP, NOP]);
        let acquire = [header(command::SEM_ACQUIRE, 0), SEMAPHORE, 1];
        bench.poke(BLOCKS + 0x100, &acquire);
        for c in 0..5 {
            let (at, length) = if c == 4 {
                (BLOCKS + 0x100, 3)
            } else {
                (BLOCKS, 2)
            };
            bench.poke(RING + 0x40 * c, &[at, length]);
        }
        for (c, priority) in priorities.iter().enumerate() {
            open(&mut bench, c, RING + 0x40 * c as u32, 3, 0, priority << 4);
            bench.set(c, at::CONTROL, 0);
            bench.set(c, at::GP_PUT, 1);
        }
        for (c, priority) in priorities.iter().enumerate().rev() {
            bench.set(c, at::CONTROL, priority << 4 | at::ENABLE);
        }
        bench.host(Access::Write(at::POLL, 0xFFFF));
        settle(&mut bench);
        let channels: Vec<usize> = steps(&mut bench).iter().map(|s| s.channel).collect();
        // Channel 4 steps first, as it is enabled first: entry, acquire; the others when they can.
        let of = |c| channels.iter().filter(|&&x| x == c).count();
        assert_eq!(
            [of(0), of(1), of(2), of(3), of(4)],
            [3, 3, 3, 3, 2],
            "{channels:?}"
        );
        let last = |c| channels.iter().rposition(|&x| x == c);
        assert!(
            last(3) > last(0) && last(0) > last(1) && last(0) > last(2),
            "{channels:?}"
        );
    }

    /// HOST-037: three channels wait, and POLL is shorter than a read. The third one, of the lowest priority, is read all
    /// the same, and goes on when its value has come.
    #[test]
    fn nobody_waits_for_ever() {
        let mut bench = bench(5);
        bench.host(Access::Write(at::POLL, 1));
        for (c, priority) in [(1, 15), (3, 15), (4, 0)] {
            let c_32 = c as u32;
            let acquire = [header(command::SEM_ACQUIRE, 0), SEMAPHORE + 4 * c_32, 1];
            bench.poke(BLOCKS + 0x100 * c_32, &acquire);
            bench.poke(RING + 0x40 * c_32, &[BLOCKS + 0x100 * c_32, 3]);
            open(&mut bench, c, RING + 0x40 * c_32, 2, 0, priority << 4);
            bench.set(c, at::GP_PUT, 1);
        }
        bench.run(2000).expect("it agrees");
        let reads = steps(&mut bench);
        let last: Vec<usize> = reads.iter().rev().take(9).map(|s| s.channel).collect();
        assert!(reads
            .iter()
            .all(|s| s.outcome == Outcome::Waits || !s.is_command));
        for c in [1, 3, 4] {
            assert_eq!(last.iter().filter(|&&x| x == c).count(), 3, "{last:?}");
        }
        bench.poke(SEMAPHORE + 16, &[1]);
        bench.run(300).expect("it agrees");
        assert_eq!(bench.register(4, at::GP_GET), 1);
        assert_eq!(bench.register(1, at::GP_GET), 0);
    }

    /// An acquire reads as often as TIMEOUT says, POLL cycles apart, and is an error then; one that is released in time
    /// passes.
    #[test]
    fn acquires_wait_and_time_out() {
        let mut bench = bench(5);
        bench.poke(RING, &[BLOCKS, 3]);
        bench.poke(BLOCKS, &[header(command::SEM_ACQUIRE, 1), SEMAPHORE, 5]);
        bench.host(Access::Write(at::POLL, 200));
        bench.host(Access::Write(at::TIMEOUT, 4));
        open(&mut bench, 0, RING, 2, 0, 0);
        bench.set(0, at::GP_PUT, 1);
        bench.poke(SEMAPHORE, &[4]);
        settle(&mut bench);
        bench.run(1000).expect("it agrees");
        assert_eq!(
            error(&mut bench, 0),
            (Code::AcquireTimeout as u32, 0, SEMAPHORE)
        );
        let all = steps(&mut bench);
        assert_eq!(all.iter().filter(|s| s.is_command).count(), 4);
        // The count begins anew with enable.
        bench.set(0, at::CONTROL, at::CLEAR);
        bench.set(0, at::CONTROL, at::ENABLE);
        bench.run(600).expect("it agrees");
        assert_eq!(error(&mut bench, 0).0, 0);
        bench.poke(SEMAPHORE, &[0x7FFF_FFFF]);
        bench.run(300).expect("it agrees");
        assert_eq!(bench.register(0, at::GP_GET), 1);
    }

    /// HOST-035: each entry of a GPU-owned channel gives its place back, in memory first.
    #[test]
    fn places_are_given_back() {
        for (shadow, number) in [(SEMAPHORE, 2), (SEMAPHORE, 5), (0, 5)] {
            let mut bench = bench(5);
            for index in 0..number {
                bench.poke(RING + 8 * index, &[BLOCKS, 3]);
            }
            bench.poke(
                BLOCKS,
                &[header(command::SEM_ACQUIRE, 0), SEMAPHORE + 16, 1],
            );
            bench.poke(SEMAPHORE + 16, &[1]);
            bench.set(0, at::SHADOW, shadow);
            bench.set(0, at::LIMIT, 100 + number - 1);
            bench.set(0, at::NUMBER, number);
            bench.set(0, at::BASE, RING);
            bench.set(0, at::GP_PUT, number - 1);
            bench.set(0, at::CONTROL, at::ENABLE | at::OWNER_GPU);
            // Stopped by the semaphore after some entries; without a shadow by GP_PUT.
            while bench.register(0, at::DONE) < number - 1 {
                bench.step().expect("it agrees");
            }
            bench.poke(SEMAPHORE + 16, &[0]);
            bench.run(2000).expect("it agrees");
            let done = bench.register(0, at::DONE);
            let get = bench.register(0, at::GP_GET);
            assert_eq!(get, done % number);
            if shadow == 0 {
                assert_eq!(
                    (done, bench.register(0, at::GP_PUT)),
                    (number - 1, number - 1)
                );
            } else {
                assert_eq!(bench.peek(shadow), 100 + number - 1 + done);
                assert_eq!(bench.register(0, at::LIMIT), 100 + number - 1 + done);
                assert_eq!(bench.register(0, at::GP_PUT), (get + number - 1) % number);
            }
        }
    }

    /// What a launch costs: from the doorbell to the request to task management, and to the release behind it, with a
    /// memory of 20 cycles.
    #[test]
    fn cycles_from_a_doorbell_to_its_launch() {
        let mut bench = bench(5);
        bench.poke(DESCRIPTORS.start, &descriptor());
        bench.poke(RING, &[BLOCKS, 5]);
        let release = [
            header(command::SEM_RELEASE, command::AFTER_IDLE),
            SEMAPHORE,
            9,
        ];
        bench.poke(BLOCKS, &[header(command::LAUNCH, 0), DESCRIPTORS.start]);
        bench.poke(BLOCKS + 8, &release);
        open(&mut bench, 1, RING, 2, 0, 0);
        settle(&mut bench);
        bench.set(1, at::GP_PUT, 1);
        let doorbell = bench.cycle;
        while !bench.in_launch() {
            bench.step().expect("it agrees");
        }
        let launch = bench.cycle - doorbell;
        settle(&mut bench);
        let mut cycles = Vec::new();
        for happening in bench.happened.drain(..) {
            if let Happening::Step { step, cycle } = happening {
                assert_eq!(step.outcome, Outcome::Executed);
                cycles.push(cycle - doorbell);
            }
        }
        println!("doorbell to LAUNCH asked for {launch}; to entry, LAUNCH, SEM_RELEASE executed {cycles:?} cycles");
        assert_eq!(cycles.len(), 3);
        assert_eq!(bench.peek(SEMAPHORE), 9);
    }
}
