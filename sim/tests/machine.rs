//! The reference machine: launch, faults, order of threads, counters, watchdog.

mod common;

use common::{assembled, run, run_as_alone, small};
use weft_sim::{
    Config, ConfigError, Event, FaultCause, Limits, Machine, Mutation, Oracle, OracleOutcome,
    Outcome, Part, DIV, EXIT,
};

#[test]
fn threads_start_with_their_number_the_grid_and_a_stack() {
    let config = Config {
        warps: 3,
        grid: Some(6),
        ..small()
    };
    let machine = Machine::new(&assembled("_start: exit"), &config).unwrap();
    for number in 0..6 {
        let mut expected = [0; 32];
        expected[2] = 0x8000 - 256 * number;
        expected[10] = number;
        expected[11] = 6;
        assert_eq!(
            machine
                .thread(number as usize / 4, number as usize % 4)
                .registers,
            expected
        );
    }
    assert_eq!(machine.warp(1).active(), 0b0011, "a partial warp");
    assert_eq!(machine.reason(1, 2), Some(EXIT));
    assert!(!machine.is_runnable(2), "a warp without threads");
}

#[test]
fn the_program_starts_at_its_entry_and_has_to_fit() {
    let program = assembled("first: nop\n.globl _start\n_start: exit");
    let machine = Machine::new(&program, &small()).unwrap();
    assert_eq!(machine.warp(0).pc(), 0x1004 / 4);
    let big = Config {
        threads: 5,
        ..small()
    };
    assert_eq!(
        Machine::new(&program, &big).err(),
        Some(ConfigError::Threads(5))
    );
    let tight = Config {
        memory: 0x1010,
        stack: 16,
        threads: 4,
        grid: Some(1),
        ..small()
    };
    assert!(matches!(
        Machine::new(&program, &tight).err(),
        Some(ConfigError::Overlap { .. })
    ));
    assert!(matches!(
        Oracle::new(&program, &tight).err(),
        Some(ConfigError::Overlap { .. })
    ));
}

#[test]
fn a_fault_stops_its_warp_and_names_the_place_and_the_others_run_on() {
    // Thread 5 reads from an odd address; thread 4, below it, has acted.
    let source = "
_start: addi t0, a0, -5
        seqz t0, t0
        la   t1, data
        sw   t1, 0(t1)
        add  t1, t1, t0
        slli t2, a0, 2
        addi s1, a0, 1
bad:    lw   s0, 0(t1)
        exit
        .data
data:   .word 0
";
    let config = Config {
        warps: 3,
        ..small()
    };
    let run = run(source, &config);
    let Outcome::Faulted(faults) = &run.outcome else {
        panic!("{:?}", run.outcome)
    };
    let [fault] = &faults[..] else {
        panic!("{faults:?}")
    };
    let bad = run.program.symbols["bad"];
    let address = run.program.symbols["data"] + 1;
    assert_eq!(
        (fault.warp, fault.thread, fault.lane, fault.pc),
        (1, 5, 1, bad)
    );
    assert_eq!(
        (fault.cause, fault.cause.code()),
        (FaultCause::Misaligned { address }, 5)
    );
    let expected =
        format!("warp 1, thread 5 (lane 1), pc {bad:#010x}: misaligned access to {address:#010x}");
    assert_eq!(fault.to_string(), expected);
    let loaded = |lane: usize| run.machine.thread(1, lane).registers[8];
    assert_eq!((loaded(0), loaded(1), loaded(2)), (address - 1, 0, 0));
    assert!(run.machine.warp(0).is_done() && run.machine.warp(2).is_done());
    assert!(!run.machine.is_runnable(1) && run.machine.is_finished());
    assert_eq!(run.machine.faults(), &faults[..]);
    assert_eq!(
        Oracle::new(&run.program, &config)
            .unwrap()
            .run(100)
            .unwrap_err(),
        *fault
    );
}

#[test]
fn every_kind_of_fault_is_reported() {
    let cases = [
        ("_start: ebreak", FaultCause::Breakpoint, 7),
        (
            "_start: .word 0xffffffff",
            FaultCause::IllegalInstruction(0xffff_ffff),
            4,
        ),
        (
            "_start: csrrw x0, wtid, a0",
            FaultCause::IllegalInstruction(0xcc05_1073),
            4,
        ),
        (
            "_start: li t0, 0x100\n jr t0",
            FaultCause::Fetch { address: 0x100 },
            9,
        ),
        (
            "_start: lui t0, 0x1000\n jr t0",
            FaultCause::Fetch {
                address: 0x100_0000,
            },
            9,
        ),
        (
            "_start: lw t0, 0(x0)",
            FaultCause::Unmapped { address: 0 },
            6,
        ),
        (
            "_start: sw t0, 0(sp)",
            FaultCause::Unmapped { address: 0x8000 },
            6,
        ),
        (
            "_start: li t0, 0x1002\n jr t0",
            FaultCause::Misaligned { address: 0x1002 },
            5,
        ),
    ];
    for (source, cause, code) in cases {
        let run = run(
            source,
            &Config {
                grid: Some(1),
                ..small()
            },
        );
        let Outcome::Faulted(faults) = &run.outcome else {
            panic!("{source}: {:?}", run.outcome)
        };
        assert_eq!(
            (faults[0].cause, faults[0].cause.code(), faults[0].thread),
            (cause, code, 0),
            "{source}"
        );
    }
}

/// ISA-020, in the machine and alone.
#[test]
fn a_thread_stays_in_its_own_stack() {
    // What the program reaches, by how much too far, and who: memory ends at 0x8000, stacks have 256 bytes.
    let cases = [
        // The last word of the own stack is still its own.
        ("addi sp, sp, -256\n sw a0, 0(sp)\n exit", None),
        (
            "addi sp, sp, -256\n addi sp, sp, -4\n exit",
            Some((0x7efc, 4, 0)),
        ),
        (
            "li t0, 1200\n sub sp, sp, t0\n exit",
            Some((0x8000 - 1200, 944, 0)),
        ),
        ("li t0, -272\n add sp, t0, sp\n exit", Some((0x7ef0, 16, 0))),
        // Only the last thread: there is no stack below its own.
        (
            "li t0, 3\n bne a0, t0, 1f\n addi sp, sp, -257\n1: exit",
            Some((0x7bff, 1, 3)),
        ),
        // Through any register, into the stack below.
        ("mv s0, sp\n sw a0, -260(s0)\n exit", Some((0x7efc, 4, 0))),
        ("mv s0, sp\n lbu t0, -257(s0)\n exit", Some((0x7eff, 1, 0))),
        (
            "addi s0, sp, -512\n amoadd.w t0, t0, (s0)\n exit",
            Some((0x7e00, 256, 0)),
        ),
        // Threads above may have shown what is on their stack; below all stacks lie data.
        (
            "beqz a0, 1f\n li t0, 0x7f00\n lw t0, 0(t0)\n1: li t0, 0x7000\n sw t0, 0(t0)\n exit",
            None,
        ),
        // A program that uses sp for something else.
        ("li sp, 64\n addi sp, sp, -80\n exit", None),
    ];
    for (body, expected) in cases {
        let run = run(&format!("_start: {body}"), &small());
        let alone = Oracle::new(&run.program, &small()).unwrap().run(1000);
        let Some((address, over, thread)) = expected else {
            assert_eq!(run.outcome, Outcome::Done, "{body}");
            assert!(matches!(alone, Ok(OracleOutcome::Finished(_))), "{body}");
            continue;
        };
        let Outcome::Faulted(faults) = &run.outcome else {
            panic!("{body}: {:?}", run.outcome)
        };
        let cause = FaultCause::Stack { address, over };
        assert_eq!(
            (faults[0].cause, faults[0].thread),
            (cause, thread),
            "{body}"
        );
        assert_eq!(cause.code(), 8);
        assert_eq!(alone.unwrap_err(), faults[0], "{body}");
    }
}

/// The second half of a grid of 16 threads and CTAs of one warp.
#[test]
fn a_machine_can_run_a_part_of_a_grid() {
    let config = Config {
        warps: 2,
        cta_warps: Some(1),
        part: Some(Part {
            thread: 8,
            cta: 2,
            grid: 16,
            full: 4,
        }),
        ..small()
    };
    let source = "_start: csrr s0, wtid\n csrr s1, wcta\n csrr s2, wwarp\n csrr s3, wsize\n exit";
    let run = run_as_alone(source, &config);
    for local in 0..8 {
        let thread = run.machine.thread(local / 4, local % 4).registers;
        let (number, warp) = (8 + local as u32, 2 + local as u32 / 4);
        assert_eq!((thread[10], thread[11]), (number, 16));
        assert_eq!(thread[2], 0x8000 - 256 * number);
        assert_eq!(thread[8..10], [number, warp]);
        assert_eq!(thread[18..20], [warp, 16]);
    }
    let wrong = Config {
        part: Some(Part {
            thread: 12,
            cta: 3,
            grid: 16,
            full: 4,
        }),
        ..config
    };
    let error = Machine::new(&run.program, &wrong).unwrap_err();
    assert!(matches!(error, ConfigError::Part(_)), "{error}");
}

#[test]
fn a_fetch_fault_names_the_lowest_active_thread_and_the_fetch_address() {
    let run = run(
        "_start: beqz a0, ok\n li t0, 0x7000\n jr t0\nok: exit",
        &small(),
    );
    let Outcome::Faulted(faults) = &run.outcome else {
        panic!("{:?}", run.outcome)
    };
    assert_eq!((faults[0].thread, faults[0].pc), (1, 0x7000));
    assert_eq!(
        faults[0].cause,
        FaultCause::IllegalInstruction(0),
        "data are fetched and decoded"
    );
}

#[test]
fn within_one_instruction_threads_act_in_ascending_order() {
    let run = run(
        "
_start: la   s0, data
        li   t0, 1
        amoadd.w s1, t0, (s0)
        sw   a0, 4(s0)
        lr.w s2, (s0)
        sc.w s3, a0, (s0)
        exit
        .data
data:   .word 10, 0
",
        &small(),
    );
    assert_eq!(run.outcome, Outcome::Done);
    assert_eq!(run.register(9), [10, 11, 12, 13], "tickets");
    assert_eq!(
        run.machine
            .memory()
            .read_u32(run.program.symbols["data"] + 4),
        Ok(3),
        "the highest writes last"
    );
    assert_eq!(
        run.register(19),
        [0, 1, 1, 1],
        "the first SC ends the others' reservations"
    );
    assert_eq!(run.word("data"), 0);
}

#[test]
fn an_indirect_jump_is_completed_by_the_leaders_group_only() {
    let run = run_as_alone(
        "
_start: la   t0, one
        la   t1, two
        andi t2, a0, 1
        beqz t2, go
        mv   t0, t1
go:     jalr t0, 0(t0)      # overwrites its own base
one:    csrr s0, instret
        exit
two:    nop
        csrr s0, instret
        exit
",
        &small(),
    );
    let go = run.label("go");
    let jumps: Vec<u64> = run
        .records
        .iter()
        .filter(|r| r.pc == go && r.event == Event::Indirect)
        .map(|r| r.mask)
        .collect();
    assert!(jumps.len() >= 2);
    assert_eq!(run.register(5), [4 * go + 4; 4]);
}

#[test]
fn with_call_tokens_plain_calls_and_returns_are_calls_and_leaves() {
    let source = "
_start: la   s1, low
        srli t1, a0, 1
        slli t1, t1, 3
        add  s1, s1, t1     # high for threads 2 and 3
call:   jalr ra, 0(s1)
back:   rdinstret s0
        jal  t0, leaf       # x5 is a link register, too
        exit
low:    addi s2, s2, 1
ret_1:  ret
high:   addi s2, s2, 2
ret_2:  ret
leaf:   jr   t0
";
    let events = |run: &common::Run, label: &str| {
        let pc = run.label(label);
        let here = run.records.iter().filter(|r| r.pc == pc);
        here.map(|r| (r.event, r.mask)).collect::<Vec<_>>()
    };
    let config = Config {
        call_tokens: true,
        ..small()
    };
    let run = run_as_alone(source, &config);
    assert_eq!(
        events(&run, "call"),
        [(Event::Call, 0b1111), (Event::Call, 0b1100)]
    );
    assert_eq!(events(&run, "ret_1"), [(Event::LeaveIndirect, 0b0011)]);
    assert_eq!(events(&run, "ret_2"), [(Event::LeaveIndirect, 0b1100)]);
    assert_eq!(events(&run, "back"), [(Event::Next, 0b1111)]);
    assert_eq!(events(&run, "leaf"), [(Event::LeaveIndirect, 0b1111)]);
    assert_eq!(
        run.register(8),
        [8; 4],
        "threads 2 and 3 have completed the call once"
    );
    let stats = run.machine.stats().total;
    assert_eq!((stats.pushes, stats.redundant_pushes), (3, 1));
    let instret = (0..4).map(|lane| run.machine.thread(0, lane).instret);
    assert_eq!(instret.sum::<u64>(), stats.thread_instructions);

    let off = run_as_alone(source, &small());
    assert!(events(&off, "call").iter().all(|e| e.0 == Event::Indirect));
    assert_eq!(events(&off, "back").len(), 2);
    assert_eq!(off.machine.stats().total.pushes, 0);
}

#[test]
fn warps_may_have_64_threads() {
    let config = Config {
        warps: 2,
        threads: 64,
        tokens: 65,
        grid: Some(127),
        stack: 16,
        ..small()
    };
    let run = run_as_alone(
        "
_start: slti t0, a0, 40
        csrr s3, wwidth
        csrr s4, wlane
        ssy  join
        beqz t0, join_high
        sync join
join_high:
        sync join
join:   exit
",
        &config,
    );
    let all = u64::MAX;
    assert_eq!(
        run.masks_at("join"),
        [all >> 1, all],
        "warp 1 does not diverge"
    );
    let last = run.machine.thread(1, 62).registers;
    assert_eq!((last[19], last[20]), (64, 62));
    let masks = common::run("_start: csrr s0, wmask\n csrr s1, wmaskh\n exit", &config);
    let of = |warp| {
        let registers = masks.machine.thread(warp, 0).registers;
        (registers[8], registers[9])
    };
    assert_eq!((of(0), of(1)), ((!0, !0), (!0, !0 >> 1)));
}

#[test]
fn the_yield_policy_by_chance_reaches_every_warp() {
    let source = "
_start: andi t0, a0, 1
        beqz t0, even
        yield
        yield
        yield
        exit
even:   yield
        yield
        exit
";
    let fired = |seed, threshold| {
        let config = Config {
            warps: 8,
            yield_random: true,
            yield_threshold: threshold,
            yield_seed: seed,
            ..small()
        };
        let stats = run_as_alone(source, &config).machine.stats();
        stats
            .warps
            .iter()
            .map(|w| w.yields_fired)
            .collect::<Vec<_>>()
    };
    assert_eq!(fired(1, 0), [0; 8]);
    assert_eq!(fired(1, 0x8000), fired(1, 0x8000), "repeatable");
    assert_ne!(fired(1, 0x8000), fired(2, 0x8000), "the seed counts");
    let half = fired(1, 0x8000);
    assert!(half.iter().any(|n| *n != half[0]), "{half:?}");
}

#[test]
fn recenterings_are_counted_for_each_warp_and_for_the_machine() {
    let config = Config {
        warps: 2,
        tokens: 9,
        ..small()
    };
    let source =
        "_start: ssy a\n ssy b\n ssy c\n ssy d\n ssy e\na: nop\nb: nop\nc: nop\nd: nop\ne: exit";
    let stats = run_as_alone(source, &config).machine.stats();
    let counts: Vec<u64> = stats.warps.iter().map(|w| w.recentered).collect();
    assert_eq!((counts, stats.total.recentered), (vec![1, 1], 2));
}

#[test]
fn threads_outside_the_leaders_group_do_not_fault_before_their_turn() {
    let source = "
_start: la   t0, good
        beqz a0, go
        li   t0, 0x2002
go:     jr   t0
good:   addi s0, s0, 1
        exit
";
    let ran = run(
        source,
        &Config {
            yield_every: 0,
            ..small()
        },
    );
    let Outcome::Faulted(faults) = &ran.outcome else {
        panic!("{:?}", ran.outcome)
    };
    assert_eq!(
        (faults[0].thread, faults[0].cause),
        (1, FaultCause::Misaligned { address: 0x2002 })
    );
    assert_eq!(
        ran.machine.thread(0, 0).registers[8],
        1,
        "thread 0 had ended by then"
    );
}

#[test]
fn the_active_mask_and_the_lane_can_be_read() {
    let config = Config {
        warps: 2,
        grid: Some(7),
        ..small()
    };
    let run = run(
        "
_start: csrr s0, wmask
        csrr s1, wlane
        csrr s2, wwarp
        csrr s3, wsize
        csrr s4, wwidth
        andi t0, a0, 1
        beqz t0, even
        exit
even:   csrr s5, wmask
        exit
",
        &config,
    );
    assert_eq!(run.outcome, Outcome::Done);
    let thread = run.machine.thread(1, 2).registers;
    assert_eq!(
        [thread[8], thread[9], thread[18], thread[19], thread[20]],
        [0b0111, 2, 1, 7, 4]
    );
    assert_eq!(thread[21], 0b0101);
}

#[test]
fn a_store_into_the_text_is_seen_by_the_next_instruction() {
    let run = run_as_alone(
        "
_start: la   t0, patch
        la   t1, new
        lw   t2, 0(t1)
        sw   t2, 0(t0)
patch:  li   s0, 1
        exit
new:    li   s0, 2
",
        &small(),
    );
    assert_eq!(run.register(8), [2; 4]);
}

#[test]
fn a_forced_yield_is_a_record_of_its_own() {
    let run = run_as_alone(
        "
_start: addi s0, a0, 2
loop:   addi s0, s0, -1
        bnez s0, loop
        exit
",
        &Config {
            forced_yield: 2,
            ..small()
        },
    );
    let forced: Vec<_> = run
        .records
        .iter()
        .filter(|r| r.event == Event::ForcedYield)
        .collect();
    assert!(!forced.is_empty());
    assert_eq!(forced.len() as u64, run.machine.stats().total.forced_yields);
    for pair in run.records.windows(2) {
        assert_eq!(
            (pair[0].next_pc, pair[0].next_mask),
            (pair[1].pc, pair[1].mask)
        );
    }
    let instructions = run.records.len() - forced.len();
    assert_eq!(
        instructions as u64,
        run.machine.stats().total.warp_instructions
    );
}

#[test]
fn each_record_continues_the_one_before() {
    let run = run_as_alone(
        "_start: andi t0,a0,2\n beqz t0, a\n nop\na: yield\n exit",
        &small(),
    );
    for pair in run.records.windows(2) {
        assert_eq!(
            (pair[0].next_pc, pair[0].next_mask),
            (pair[1].pc, pair[1].mask)
        );
    }
    assert!(run.records.last().unwrap().done);
}

#[test]
fn the_deque_and_the_reasons_can_be_looked_at() {
    let program = assembled("_start: ssy join\n andi t0, a0, 1\n beqz t0, join\n nop\njoin: exit");
    let mut machine = Machine::new(&program, &small()).unwrap();
    for _ in 0..3 {
        machine.step(0).unwrap();
    }
    let kinds: Vec<(u8, u64)> = machine.tokens(0).iter().map(|t| (t.kind, t.mask)).collect();
    assert_eq!(kinds, [(DIV, 0b1010), (0, 0b1111)]);
    assert_eq!(
        (machine.reason(0, 0), machine.reason(0, 1)),
        (None, Some(DIV))
    );
}

#[test]
fn counters_add_up() {
    let config = Config {
        warps: 2,
        ..small()
    };
    let run = run_as_alone(
        "_start: andi t0, a0, 1\n beqz t0, even\n nop\n exit\neven: exit",
        &config,
    );
    let stats = run.machine.stats();
    let one = stats.warps[0];
    assert_eq!(
        (one.warp_instructions, one.thread_instructions),
        (5, 4 * 2 + 2 + 2 * 2)
    );
    assert_eq!((one.divergences, one.deepest_deque), (1, 1));
    assert_eq!(stats.total.warp_instructions, 10);
    assert_eq!(stats.simd_efficiency, 28.0 / 40.0);
    let instret: u64 = (0..8)
        .map(|n| run.machine.thread(n / 4, n % 4).instret)
        .sum();
    assert_eq!(instret, stats.total.thread_instructions);
}

#[test]
fn the_watchdog_barks_only_without_progress() {
    let spin = |store: &str| {
        format!("_start: la t0, data\n li t1, 3000\nloop: addi t1, t1, -1\n {store}\n bnez t1, loop\n exit\n.data\ndata: .word 0")
    };
    assert!(matches!(
        run(&spin("nop"), &small()).outcome,
        Outcome::Livelock(_)
    ));
    assert_eq!(run(&spin("sw t1, 0(t0)"), &small()).outcome, Outcome::Done);
    assert!(
        matches!(
            run(&spin("sw x0, 0(t0)"), &small()).outcome,
            Outcome::Livelock(_)
        ),
        "a store of the same value is no progress"
    );
}

#[test]
fn the_end_of_a_thread_is_progress() {
    // Each thread spins 700 times, one after the other; together more than the watchdog's 2,000.
    let source = "
_start: mv   t0, a0
wait:   li   t1, 230
loop:   addi t1, t1, -1
        bnez t1, loop
        addi t0, t0, -1
        bgez t0, wait
        exit
";
    assert_eq!(run(source, &small()).outcome, Outcome::Done);
}

#[test]
fn a_run_can_be_limited_and_continued() {
    let program = assembled("_start: li t0, 100\nloop: addi t0, t0, -1\n bnez t0, loop\n exit");
    let mut machine = Machine::new(&program, &small()).unwrap();
    let limits = Limits {
        instructions: Some(50),
        ..Limits::default()
    };
    assert_eq!(machine.run(&limits, |_| {}), Outcome::OutOfInstructions);
    assert_eq!(machine.stats().total.warp_instructions, 50);
    assert_eq!(machine.run(&Limits::default(), |_| {}), Outcome::Done);
    assert_eq!(machine.stats().total.warp_instructions, 202);
}

#[test]
fn the_watchdog_reports_every_running_warp() {
    let config = Config {
        warps: 3,
        ..small()
    };
    let run = run(
        "_start: csrr t0, wwarp\n beqz t0, out\nspin: j spin\nout: exit",
        &config,
    );
    let Outcome::Livelock(spinning) = run.outcome else {
        panic!("{:?}", run.outcome)
    };
    let warps: Vec<(usize, u64)> = spinning.iter().map(|s| (s.warp, s.active)).collect();
    assert_eq!(warps, [(1, 0b1111), (2, 0b1111)]);
    assert_eq!(spinning[0].pcs, [run.program.symbols["spin"]]);
}

#[test]
fn the_oracle_says_which_thread_cannot_end_alone() {
    let program = assembled("_start: la t0, flag\n bnez a0, set\nwait: lw t1, 0(t0)\n beqz t1, wait\n exit\nset: sw a0, 0(t0)\n exit\n.data\nflag: .word 0");
    let outcome = Oracle::new(&program, &small()).unwrap().run(1000).unwrap();
    let OracleOutcome::Unfinished { thread, pc } = outcome else {
        panic!("{outcome:?}")
    };
    assert_eq!(thread, 0);
    assert!(pc >= program.symbols["wait"] && pc < program.symbols["set"]);
}

#[test]
#[should_panic(expected = "LOST_THREADS")]
fn conv_071_the_model_panics_when_threads_are_lost() {
    let machine = Machine::new(&assembled(MERGE), &small()).unwrap();
    machine
        .with_mutation(Mutation::SkipMergeMask)
        .run(&Limits::default(), |_| {});
}

const MERGE: &str = "_start: andi t0, a0, 1\n beqz t0, even\n nop\neven: yield\n exit";

#[test]
#[should_panic(expected = "not running")]
fn a_warp_that_is_done_cannot_step() {
    let mut machine = Machine::new(&assembled("_start: exit"), &small()).unwrap();
    machine.step(0).unwrap();
    let _ = machine.step(0);
}
