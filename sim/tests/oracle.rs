//! The oracle at barriers: every thread alone, up to the next one (`docs/spec/barrier.md`, BAR-110 to BAR-113).

mod common;

use common::{alone, assembled, run, run_as_alone, small};
use weft_sim::barrier::{Kind, Late, Mutation, Word};
use weft_sim::{Config, Limits, Machine, Memory, Oracle, OracleOutcome, Outcome, Watchdog};

fn config(warps: usize, threads: usize) -> Config {
    Config {
        warps,
        threads,
        tokens: 2 * threads + 8,
        memory: 0x4_0000,
        ..small()
    }
}

fn outcome(source: &str, config: &Config) -> OracleOutcome {
    let program = assembled(source);
    let oracle = Oracle::new(&program, config).unwrap();
    oracle.run(100_000).expect("no faults")
}

fn silent(source: &str, config: &Config) -> String {
    match outcome(source, config) {
        OracleOutcome::Silent(why) => why,
        other => panic!("{other:?}"),
    }
}

/// G6: the sum of n² + 1, in a tree with barriers; threads that went on alone came to 1.
#[test]
fn a_tree_of_sums_is_right() {
    let source = include_str!("../../kernels/bar_reduce.asm");
    for (warps, threads, grid) in [(4, 8, 16), (1, 4, 1), (2, 4, 7), (4, 8, 31), (8, 4, 29)] {
        let config = Config {
            grid: Some(grid),
            ..config(warps, threads)
        };
        let program = assembled(source);
        let memory = alone(&program, &config).memory;
        let sum = memory.read_u32(program.symbols["sum"]).unwrap();
        assert_eq!(sum, (0..grid).map(|n| n * n + 1).sum::<u32>(), "{grid}");
        run_as_alone(source, &config);
    }
}

/// Threads of one CTA wait for each other, those of another do not.
#[test]
fn ctas_have_barriers_of_their_own() {
    let source = "_start: la s0, cells\n slli t0, a0, 2\n add s0, s0, t0\n sw a0, 0(s0)\n bar.sync 0\n \
                  xori t1, a0, 3\n slli t1, t1, 2\n la s1, cells\n add s1, s1, t1\n lw s2, 0(s1)\n exit\n .data\ncells: .zero 64";
    let two = Config {
        cta_warps: Some(1),
        ..config(4, 4)
    };
    run_as_alone(source, &two);
    // With one CTA over both, thread n of the first waits for the second as well.
    run_as_alone(source, &config(4, 4));
}

#[test]
fn kernels_with_barriers_come_out_as_on_the_golden_machine() {
    let kernels = [
        include_str!("../../kernels/bar_reduce.asm"),
        include_str!("../../kernels/bar_compact.asm"),
        include_str!("../../kernels/bar_pipeline.asm"),
        include_str!("../../kernels/bar_bump.asm"),
    ];
    for source in kernels {
        let program = assembled(source);
        let config = config(4, 8);
        let golden = run(source, &config);
        assert_eq!(golden.outcome, Outcome::Done);
        let alone = alone(&program, &config);
        let end = 0x1000..config.memory;
        assert!(golden.machine.memory().slice(end.clone()) == alone.memory.slice(end));
    }
}

/// Who comes first makes the groups: two orders of the threads come to the same, and the result says so.
#[test]
fn groups_that_do_not_matter_are_judged_and_told() {
    for word in [
        Word::default().with_condition(2).with_count(3),
        Word::default().with_condition(3).with_timeout(2),
        Word::default()
            .with_condition(4)
            .with_count(2)
            .with_late(Late::Invalidates),
        Word::default()
            .with_condition(4)
            .with_kind(Kind::Section)
            .with_late(Late::Runs),
    ] {
        let bottom = if word.is_section() {
            "bar.bot 2"
        } else {
            "nop"
        };
        let source = format!(
            "_start: li t0, {}\n bar.top 2, t0\n {bottom}\n addi s0, a0, 3\n exit",
            word.0 as i32
        );
        let config = Config {
            grid: Some(6),
            ..config(2, 4)
        };
        let OracleOutcome::Finished(result) = outcome(&source, &config) else {
            panic!("{:#x}", word.0)
        };
        let why = result.orders.expect("a doubt");
        assert!(why.contains("`bar.top 2, t0` of thread 0"), "{why}");
        assert_eq!(result.threads[5].registers[8], 8);
        // A thread that is alone in its CTA meets nobody in any order.
        let one = Config {
            grid: Some(1),
            ..config
        };
        let OracleOutcome::Finished(result) = outcome(&source, &one) else {
            panic!("{:#x}", word.0)
        };
        assert_eq!(result.orders, None);
    }
}

/// Numbers drawn in a section of the first that come: the order of arrival is the outcome.
#[test]
fn groups_that_matter_are_not_judged() {
    let word = Word::default()
        .with_condition(2)
        .with_count(2)
        .with_kind(Kind::Section);
    let source = format!(
        "_start: li t0, {}\n la s1, next\n bar.top 2, t0\n lw s0, 0(s1)\n addi t1, s0, 1\n sw t1, 0(s1)\n bar.bot 2\n exit\n .data\nnext: .word 0",
        word.0
    );
    let why = silent(&source, &config(2, 4));
    assert!(why.contains("the first that come"), "{why}");
}

#[test]
fn what_time_decides_is_not_judged() {
    let skips = Word::default()
        .with_condition(4)
        .with_count(2)
        .with_kind(Kind::Section)
        .with_late(Late::Skips);
    let skip = format!(
        "_start: li t0, {}\n bar.top 1, t0\n bar.bot 1\n exit",
        skips.0
    );
    let why = silent(&skip, &config(2, 4));
    assert!(why.contains("skips the section"), "{why}");
    let why = silent("_start: bar.reset 3\n exit", &config(2, 4));
    assert!(
        why.contains("reset") && why.contains("`bar.reset 3`"),
        "{why}"
    );
}

#[test]
fn a_hang_names_who_waits_where() {
    let source = "_start: beqz a0, out\n bar.sync 0\n exit\nout: bar.sync 0\n exit";
    let OracleOutcome::Hung(waiting) = outcome(source, &config(1, 4)) else {
        panic!("it hangs")
    };
    let lines: Vec<_> = waiting.iter().map(ToString::to_string).collect();
    assert_eq!(lines.len(), 4);
    assert_eq!(
        lines[0],
        "thread 0 waits at 0x100c, barrier 0: 1 of 4 arrivals"
    );
    assert_eq!(
        lines[1],
        "thread 1 waits at 0x1004, barrier 0: in use elsewhere, or its phase does not end"
    );
}

#[test]
fn bad_use_is_told_and_the_threads_go_on() {
    let nested =
        "_start: li t0, 0x4000\n bar.top 1, t0\n bar.top 2, t0\n bar.bot 1\n li s0, 4\n exit";
    let outside = "_start: bar.bot 1\n li s0, 4\n exit";
    let count = "_start: li t0, 0x1009\n bar.top 1, t0\n li s0, 4\n exit";
    for (source, what) in [
        (nested, "NESTED"),
        (outside, "NOT_HOLDING"),
        (count, "COUNT"),
    ] {
        let OracleOutcome::Finished(result) = outcome(source, &config(2, 4)) else {
            panic!("{what}")
        };
        let misuse = result.misuse.unwrap();
        assert!(
            misuse.contains(what) && misuse.contains("thread 0"),
            "{misuse}"
        );
        assert!(result.threads.iter().all(|t| t.registers[8] == 4));
    }
}

/// Random numbers that grow from one seed.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % n
    }
}

/// Phases in which threads tell each other something, with a barrier between telling and being told.
fn random(seed: u64) -> (String, Config) {
    let draw = &mut Draw(seed ^ 0x9e37_79b9_7f4a_7c15);
    let (warps, threads) = [(1, 4), (2, 4), (4, 4), (2, 8), (3, 8)][draw.below(5) as usize];
    let grid = 1 + draw.below((warps * threads) as u64) as u32;
    let mut text =
        String::from("_start: addi s0, a0, 1\n la s1, cells\n slli t0, a0, 2\n add s2, s1, t0\n");
    let mut phase = 0;
    for n in 0..2 + draw.below(5) {
        let id = draw.below(6);
        // All of the CTA: by condition 0, by arrivals, by participants.
        let all = |draw: &mut Draw, id: u64| match draw.below(4) {
            0 => format!(" li t0, {}\n bar.top {id}, t0\n", 1 << 11),
            1 => format!(" li t0, {}\n bar.top {id}, t0\n", 2 << 11),
            _ => format!(" bar.sync {id}\n"),
        };
        let far = 1 + draw.below(5);
        let read = format!(
            " addi t1, a0, {far}\n remu t1, t1, a1\n slli t1, t1, 2\n add t1, t1, s1\n lw t2, 0(t1)\n \
             slli t3, s0, 2\n add s0, s0, t3\n add s0, s0, t2\n"
        );
        let body = " la t4, total\n lw t1, 0(t4)\n slli t2, t1, 1\n add t1, t1, t2\n add t1, t1, s0\n sw t1, 0(t4)\n add s0, s0, t1\n";
        let bottom = if draw.below(2) == 0 {
            "bar.bot"
        } else {
            "bar.bot.nb"
        };
        let section = ((1 + draw.below(2)) << 14) + (draw.below(2) << 16);
        match draw.below(8) {
            0 | 1 => text += &format!(" sw s0, 0(s2)\n{}{read}", all(draw, id)),
            2 => {
                text += &format!(
                    " sw s0, 0(s2)\n li t0, 0\n bar.arrive 7, t0\n xori s0, s0, 9\n li t1, {}\n bar.wait 7, t1\n{read}",
                    phase & 1
                );
                phase += 1;
            }
            3 => text += &format!(" li t0, {section}\n bar.top {id}, t0\n{body} {bottom} {id}\n"),
            4 => {
                text += &format!(
                    " andi t1, s0, 1\n li t0, {section}\n bar.top.nez {id}, t1, t0\n beqz t1, 1f\n{body} {bottom} {id}\n1:\n"
                )
            }
            5 => {
                text += &format!(
                    " sw s0, 0(s2)\n andi t1, a0, {}\n li t0, 0\n bar.top.nez {id}, t1, t0\n beqz t1, 1f\n{read}1:\n",
                    1 + draw.below(3)
                )
            }
            // Who does not take part comes again while the others still wait.
            6 => {
                text += &format!(
                    " andi s6, a0, {}\n mv s5, s2\n li s4, 2\n2: beqz s6, 3f\n sw s0, 0(s5)\n3: li t0, 0\n \
                     bar.top.nez {id}, s6, t0\n beqz s6, 3f\n addi t1, a0, {far}\n remu t1, t1, a1\n slli t1, t1, 2\n \
                     add t1, t1, s5\n slli t2, a0, 2\n sub t1, t1, t2\n lw t2, 0(t1)\n add s0, s0, t2\n\
                     3: addi s5, s5, 256\n addi s4, s4, -1\n bnez s4, 2b\n",
                    1 + draw.below(3)
                )
            }
            _ if n > 0 => {
                let word = Word::default()
                    .with_condition(3 + draw.below(2) as u32)
                    .with_count(draw.below(3) as u32)
                    .with_timeout(1)
                    .with_late(Late::Invalidates);
                let leaves = draw.below(u64::from(grid) + 3);
                text += &format!(
                    " li t0, {}\n bar.top 6, t0\n li t1, {leaves}\n bne a0, t1, 1f\n exit\n1:\n",
                    word.0 as i32
                )
            }
            _ => {}
        }
        // Nobody tells anything new before all have been told.
        text += &all(draw, (id + 1) % 6);
    }
    text += " sw s0, 0(s2)\n exit\n .data\ntotal: .word 1\ncells: .zero 512";
    let path = weft_sim::PathPolicy::ALL[draw.below(3) as usize];
    let config = Config {
        grid: Some(grid),
        path,
        yield_every: draw.below(3) as u16,
        ..config(warps, threads)
    };
    (text, config)
}

/// `None`: the oracle does not judge it. Else what differs on a golden machine with this departure.
fn difference(seed: u64, mutation: Option<Mutation>) -> Option<Result<(), String>> {
    let (source, config) = random(seed);
    let program = assembled(&source);
    let oracle = Oracle::new(&program, &config).unwrap();
    let expected = match oracle.run(100_000).expect("no faults") {
        OracleOutcome::Finished(result) => result,
        OracleOutcome::Silent(_) => return None,
        other => panic!("seed {seed}: {other:?}\n{source}"),
    };
    assert_eq!(expected.misuse.filter(|what| !what.contains("COUNT")), None);
    let mut machine = Machine::new(&program, &config).unwrap();
    if let Some(mutation) = mutation {
        machine = machine.with_barrier_mutation(mutation);
    }
    let limits = Limits {
        watchdog: Some(Watchdog { instructions: 5000 }),
        ..Limits::default()
    };
    let ran = machine.run(&limits, |_| ());
    let whole = |memory: &Memory| memory.slice(0x1000..config.memory).map(<[u8]>::to_vec);
    let threads = 0..config.grid_size() as usize;
    let thread = |n: usize| *machine.thread(n / config.threads, n % config.threads);
    Some(if ran != Outcome::Done {
        Err(format!("{ran:?}"))
    } else if whole(machine.memory()) != whole(&expected.memory) {
        Err("memory".into())
    } else if threads.map(thread).ne(expected.threads) {
        Err("threads".into())
    } else {
        Ok(())
    })
}

#[test]
fn random_programs_with_barriers_come_out_as_on_the_golden_machine() {
    let mut judged = 0;
    for seed in 0..600 {
        match difference(seed, None) {
            None => {}
            Some(Ok(())) => judged += 1,
            Some(Err(what)) => panic!("seed {seed}: {what}\n{}", random(seed).0),
        }
    }
    assert!(judged >= 450, "only {judged} judged");
}

/// A golden machine whose barriers depart from the page is told from every thread alone.
#[test]
fn departures_of_the_golden_machine_are_noticed() {
    let noticed = |mutation| {
        let differs = |&seed: &u64| matches!(difference(seed, Some(mutation)), Some(Err(_)));
        (0..600).find(differs)
    };
    for mutation in [
        Mutation::SeenIgnored,
        Mutation::PhaseStays,
        Mutation::TwoInside,
        Mutation::HighestFirst,
        Mutation::WrongPhase,
        Mutation::ExitStillCounts,
    ] {
        assert!(noticed(mutation).is_some(), "{mutation:?} is not noticed");
    }
}
