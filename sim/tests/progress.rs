//! Forward progress (CONV-095): how many yields of its warp a thread waits at most before it runs again.
//!
//! The lock kernels, programs that reach the bounds, and random programs, on the golden model.
//! `cargo test -p weft-sim --test progress -- --nocapture` prints the longest waits.

mod common;

use common::{assembled, small};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fmt::Write;
use weft_isa::Program;
use weft_sim::{Config, Machine, Mutation, PathPolicy, EXIT, YIELD};

/// The longest waits of any thread, in fired yields of its warp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Waits {
    /// While its token was in the front part of the deque: it had diverged, or waited at a convergence point.
    front: u64,
    /// After it had yielded itself; that yield does not count.
    back: u64,
    /// From one completed instruction to the next; a yield of its own counts.
    between: u64,
}

impl Waits {
    /// Of CONV-095, for W threads.
    fn bounds(threads: usize) -> Waits {
        let w = threads as u64;
        Waits {
            front: w - 1,
            back: w * (w - 1) / 2,
            between: w * (w - 1) / 2 + 1,
        }
    }

    fn longest(self, other: Waits) -> Waits {
        Waits {
            front: self.front.max(other.front),
            back: self.back.max(other.back),
            between: self.between.max(other.between),
        }
    }
}

/// Where a thread stands.
#[derive(Clone, Copy)]
struct Thread {
    /// Reason why it is off, and yields fired until it went off.
    off: Option<(u8, u64)>,
    /// Instructions it has completed, and yields fired before the latest.
    completed: (u64, u64),
}

/// Runs all warps in turn to the end, and gives the longest waits.
///
/// # Errors
/// A thread waits longer than the bound for its token, or the program does not end within the limit of operations.
fn longest_waits(machine: &mut Machine, limit: u64) -> Result<Waits, String> {
    let Config { warps, threads, .. } = *machine.config();
    let bounds = Waits::bounds(threads);
    let mut waits = Waits::default();
    let new = Thread {
        off: None,
        completed: (0, 0),
    };
    let mut all = vec![vec![new; threads]; warps];
    let fired = |machine: &Machine, warp: usize| {
        let counters = machine.warp(warp).counters();
        counters.yields_fired + counters.forced_yields
    };
    let mut operations = 0;
    while !machine.is_finished() {
        for (warp, threads) in all.iter_mut().enumerate() {
            if !machine.is_runnable(warp) {
                continue;
            }
            operations += 1;
            if operations > limit {
                return Err(format!("not finished after {limit} operations; {waits:?}"));
            }
            let before = fired(machine, warp);
            let record = machine.step(warp).map_err(|fault| fault.to_string())?;
            let after = fired(machine, warp);
            let active = machine.warp(warp).active();
            for (lane, thread) in threads.iter_mut().enumerate() {
                let is = |mask: u64| mask >> lane & 1 != 0;
                let instret = machine.thread(warp, lane).instret;
                if instret != thread.completed.0 {
                    waits.between = waits.between.max(before - thread.completed.1);
                    thread.completed = (instret, before);
                }
                if is(record.mask) && !is(active) {
                    let reason = machine.reason(warp, lane).filter(|&reason| reason != EXIT);
                    thread.off = reason.map(|reason| (reason, after));
                }
                let Some((reason, since)) = thread.off else {
                    continue;
                };
                let (longest, bound) = match reason {
                    YIELD => (&mut waits.back, bounds.back),
                    _ => (&mut waits.front, bounds.front),
                };
                *longest = (*longest).max(after - since);
                if *longest > bound {
                    return Err(format!(
                        "warp {warp}, lane {lane} waits for more than {bound} yields, off for reason {reason}"
                    ));
                }
                if is(active) {
                    thread.off = None;
                }
            }
        }
    }
    Ok(waits)
}

/// When yields fire: at yield instructions, by the counter of backward transfers, at both.
fn policies() -> [(&'static str, Config); 6] {
    let policy = |name, yield_every, forced_yield| {
        let config = Config {
            yield_every,
            forced_yield,
            ..small()
        };
        (name, config)
    };
    [
        policy("always", 1, 0),
        policy("every third", 3, 0),
        policy("forced 1", 0, 1),
        policy("forced 4", 0, 4),
        policy("both", 2, 7),
        (
            "random 1/4",
            Config {
                yield_random: true,
                yield_threshold: 1 << 14,
                yield_seed: 1,
                forced_yield: 0,
                ..small()
            },
        ),
    ]
}

/// Contents of a symbol.
type Input = (&'static str, &'static [u8]);

const START: (&str, &str) = ("start.asm", include_str!("../../kernels/start.asm"));
const TEXT: Input = ("text", include_bytes!("../../kernels/data/gettysburg"));
const ROWS: Input = ("rows", include_bytes!("../../kernels/data/karate_rows.txt"));
const COLUMNS: Input = (
    "columns",
    include_bytes!("../../kernels/data/karate_columns.txt"),
);

const LOCK_KERNELS: [(&str, &str, &[Input]); 3] = [
    ("lockht.s", include_str!("../../kernels/lockht.s"), &[TEXT]),
    (
        "lclist.s",
        include_str!("../../kernels/lclist.s"),
        &[ROWS, COLUMNS],
    ),
    (
        "rangelock.s",
        include_str!("../../kernels/rangelock.s"),
        &[TEXT],
    ),
];

/// A text as it is; of a file of numbers the words.
fn bytes_of(&(symbol, contents): &Input) -> Vec<u8> {
    if symbol == TEXT.0 {
        return contents.to_vec();
    }
    let lines = std::str::from_utf8(contents).unwrap().lines();
    let numbers = lines.flat_map(|line| line.split('#').next().unwrap().split_whitespace());
    numbers
        .flat_map(|number| number.parse::<u32>().unwrap().to_le_bytes())
        .collect()
}

fn print_head(what: &str) {
    println!("longest waits, in fired yields of the warp, of the most that may be");
    println!(
        "{what:<20} {:<12} {:>9} {:>12} {:>12} {:>8}",
        "yields", "front", "back", "between", "deepest"
    );
}

fn print_row(what: &str, policy: &str, waits: Waits, threads: usize, deepest: usize) {
    let bounds = Waits::bounds(threads);
    println!(
        "{what:<20} {policy:<12} {:>3} of {:>2} {:>5} of {:>3} {:>5} of {:>3} {deepest:>8}",
        waits.front, bounds.front, waits.back, bounds.back, waits.between, bounds.between
    );
}

#[test]
fn no_thread_of_a_lock_kernel_waits_longer_than_the_bound() {
    print_head("kernel");
    for (name, source, inputs) in LOCK_KERNELS {
        let program = weft_isa::assemble_files(&[(name, source), START]).unwrap();
        for (warps, threads) in [(1, 4), (4, 8), (2, 32)] {
            let bounds = Waits::bounds(threads);
            for (policy, config) in policies() {
                let (mut waits, mut deepest) = (Waits::default(), 0);
                for path in PathPolicy::ALL {
                    let config = Config {
                        warps,
                        threads,
                        tokens: 2 * threads,
                        path,
                        memory: 1 << 20,
                        stack: 1024,
                        ..config.clone()
                    };
                    let mut machine = Machine::new(&program, &config).unwrap();
                    for input in inputs {
                        let (address, bytes) = (program.symbols[input.0], bytes_of(input));
                        machine.memory_mut().write_bytes(address, &bytes).unwrap();
                    }
                    let measured = longest_waits(&mut machine, 10_000_000)
                        .unwrap_or_else(|message| panic!("{name} {config:?}: {message}"));
                    waits = waits.longest(measured);
                    deepest = deepest.max(machine.stats().total.deepest_deque);
                }
                print_row(
                    &format!("{name} {warps} x {threads}"),
                    policy,
                    waits,
                    threads,
                    deepest,
                );
                assert!(waits.between <= bounds.between, "{name} {config:?}");
            }
        }
    }
}

/// Thread W - 2 yields last but one. Each of the others is ahead of it with a token of its own, but for thread W - 1,
/// which yields last and joins the first of them.
/// Whoever runs then yields where the next token is, one thread after the
/// other: 1, 2 … W - 1 yields.
fn patient_thread(threads: usize) -> String {
    let mut source = "
_start: csrr s1, wwidth
        addi t0, s1, -1
        sltu t1, a0, t0
        neg  t1, t1
        and  s0, a0, t1         # where the thread yields next
apart:  la   t0, stubs          # in the order of their numbers (taken first)
        slli t1, a0, 2
        add  t0, t0, t1
        jr   t0
go:     addi t0, s1, -2
        beq  a0, t0, patient
        la   t0, points
        slli t1, s0, 3
        add  t0, t0, t1
        jr   t0
again:  addi s0, s0, 1
        addi t0, s1, -1
        bne  s0, t0, apart
        exit
patient:
        yield
        exit
"
    .to_string();
    source += "stubs:\n";
    source += &"        j go\n".repeat(threads);
    source += "points:\n";
    source += &"        yield\n        j again\n".repeat(threads);
    source
}

/// Thread 0 waits at the convergence point for all others, who yield one by one.
fn gathering(threads: usize) -> String {
    let mut source = "
_start: ssy  done
        la   t0, stubs
        slli t1, a0, 2
        add  t0, t0, t1
        jr   t0
others: yield
done:   exit
stubs:  sync done
"
    .to_string();
    source += &"        j others\n".repeat(threads - 1);
    source
}

#[test]
fn both_bounds_are_reached() {
    for threads in [4, 8, 16, 32, 64] {
        let config = Config {
            threads,
            tokens: 2 * threads,
            path: PathPolicy::TakenFirst,
            ..small()
        };
        let run = |source: &str| {
            let mut machine = Machine::new(&assembled(source), &config).unwrap();
            longest_waits(&mut machine, 1_000_000).unwrap()
        };
        let bounds = Waits::bounds(threads);
        assert_eq!(run(&gathering(threads)).front, bounds.front);
        let patient = run(&patient_thread(threads));
        assert_eq!(
            (patient.back, patient.between),
            (bounds.back, bounds.between)
        );
    }
}

/// Thread 0 sets the flag that the others wait for; they run first.
const FLAG: &str = "
_start: la   s0, flag
        bnez a0, wait
        sw   s0, 0(s0)
        exit
wait:   yield
        lw   t0, 0(s0)
        beqz t0, wait
        exit
        .data
flag:   .word 0
";

#[test]
fn a_thread_that_waits_too_long_is_noticed() {
    let config = Config {
        path: PathPolicy::TakenFirst,
        ..small()
    };
    let machine = Machine::new(&assembled(FLAG), &config).unwrap();
    let waits = longest_waits(&mut machine.clone(), 1000).unwrap();
    assert_eq!((waits.front, waits.back), (1, 0));
    let mut to_the_front = machine.with_mutation(Mutation::LifoYield);
    let error = longest_waits(&mut to_the_front, 1000).unwrap_err();
    assert_eq!(
        error,
        "warp 0, lane 0 waits for more than 3 yields, off for reason 13"
    );
}

/// The last thread sets a flag, the others wait for it; all go through one indirect jump.
/// Did the forced yield come between the jump of the leader's group and that of the others, then they would be sent
/// away each time before they execute anything (CONV-056).
#[test]
fn a_forced_yield_at_an_indirect_jump_does_not_starve_the_other_threads() {
    let source = "
_start: la   s0, flag
        la   t0, spin
        la   t1, set
        sub  t1, t1, t0
        addi t2, a1, -1
        sltu t2, a0, t2
        addi t2, t2, -1
        and  t1, t1, t2         # 0 for all threads but the last
        add  t0, t0, t1
        j    jump
spin:   lw   t2, 0(s0)
        beqz t2, back
        exit
jump:   jr   t0
back:   j    jump
set:    sw   s0, 0(s0)
        exit
        .data
flag:   .word 0
";
    let run = |path, grid, forced_yield| {
        let config = Config {
            grid: Some(grid),
            path,
            yield_every: 0,
            forced_yield,
            ..small()
        };
        let mut machine = Machine::new(&assembled(source), &config).unwrap();
        longest_waits(&mut machine, 10_000).map(drop)
    };
    for (path, grid) in [
        (PathPolicy::FallThroughFirst, 2),
        (PathPolicy::SmallerFirst, 3),
    ] {
        assert_eq!(run(path, grid, 2), Ok(()));
        run(path, grid, 1).unwrap();
    }
}

/// Alone, thread 1 ends. Thread 0 never does, but it must not keep the other from its turn (CONV-022).
#[test]
fn a_leader_that_jumps_to_itself_does_not_starve_the_other_threads() {
    let source = "
_start: la   t0, jump
        slli t1, a0, 2
        add  t0, t0, t1
jump:   jr   t0
        exit
";
    for forced_yield in [1, 16] {
        let config = Config {
            grid: Some(2),
            forced_yield,
            ..small()
        };
        let mut machine = Machine::new(&assembled(source), &config).unwrap();
        let error = longest_waits(&mut machine, 10_000).unwrap_err();
        assert!(error.starts_with("not finished"), "{error}");
        assert_eq!(machine.reason(0, 1), Some(EXIT));
    }
}

/// Short programs of slots with a transfer of every kind between any of them.
/// One that may go backward uses up a one of the thread's random bits, so every thread ends.
fn random_program(rng: &mut ChaCha8Rng, indirect: bool) -> Program {
    let slots = rng.gen_range(3..12);
    let hot: [usize; 3] = std::array::from_fn(|_| rng.gen_range(0..=slots));
    let (factor, offset): (u32, u32) = (rng.gen(), rng.gen());
    let mut source = format!(
        "
_start: li   t0, {factor}
        li   s0, {offset}
        mul  t0, t0, a0
        srli t1, t0, 11
        xor  s0, s0, t0
        xor  s0, s0, t1
"
    );
    for slot in 0..slots {
        let mut any = || match rng.gen_bool(0.7) {
            true => *hot.choose(rng).unwrap(),
            false => rng.gen_range(0..=slots),
        };
        let (one, other) = (any(), any().max(slot + 1));
        let kind = rng.gen_range(0..2);
        let bit = "        andi t0, s0, 1\n        srli s0, s0, 1\n";
        let body = match rng.gen_range(0..if indirect { 20 } else { 17 }) {
            0..=3 => format!("push {kind}, L{one}"),
            4..=6 => format!("leave.nez {kind}, t0, L{one}"),
            7 => format!("leave {kind}, L{other}"),
            8..=10 => format!("bnez t0, L{one}"),
            11 => format!("beqz t0, L{other}"),
            12..=15 => "yield".to_string(),
            16 => format!("beqz t0, L{}\n        exit", slot + 1),
            _ => format!(
                "la t1, L{other}\n        la t2, L{one}\n        sub t2, t2, t1\n        neg t0, t0\n        \
                 and t2, t2, t0\n        add t1, t1, t2\n        jr t1"
            ),
        };
        writeln!(source, "L{slot}:\n{bit}        {body}").unwrap();
    }
    writeln!(source, "L{slots}:\n        exit").unwrap();
    assembled(&source)
}

#[test]
fn no_thread_of_a_random_program_waits_longer_than_the_bound() {
    const PROGRAMS: u64 = 1000;
    print_head("random programs");
    for (what, indirect) in [("direct", false), ("indirect too", true)] {
        for threads in [4, 8, 32] {
            for (policy, config) in policies() {
                let (mut waits, mut deepest) = (Waits::default(), 0);
                for seed in 0..PROGRAMS {
                    let mut rng = ChaCha8Rng::seed_from_u64(seed);
                    let config = Config {
                        threads,
                        tokens: 2 * threads,
                        path: *PathPolicy::ALL.choose(&mut rng).unwrap(),
                        ..config.clone()
                    };
                    let program = random_program(&mut rng, indirect);
                    let mut machine = Machine::new(&program, &config).unwrap();
                    let measured = longest_waits(&mut machine, 1_000_000)
                        .unwrap_or_else(|message| panic!("seed {seed} {config:?}: {message}"));
                    waits = waits.longest(measured);
                    deepest = deepest.max(machine.stats().total.deepest_deque);
                }
                print_row(
                    &format!("{what}, 1 x {threads}"),
                    policy,
                    waits,
                    threads,
                    deepest,
                );
                if !indirect {
                    assert!(waits.between <= Waits::bounds(threads).between, "{policy}");
                }
                assert!(
                    waits.front > 0 && waits.back > 0,
                    "thin run: {policy} {waits:?}"
                );
            }
        }
    }
}
