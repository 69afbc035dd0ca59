//! The bench of the SM against a stand-in: it must accept what keeps to the pages and notice each departure.

use weft_isa::{assemble, Program};
use weft_sim::{Config, Launch};
use weft_testbench::seed::stream;
use weft_testbench::sm::cosim::draw;
use weft_testbench::sm::lockstep::Blind;
use weft_testbench::sm::memory::AxiTiming;
use weft_testbench::sm::session::Session;
use weft_testbench::sm::standin::{StandIn, Wrong};
use weft_testbench::sm::{Shape, SmError, SmOptions, SmReport};

/// Everything that threads do without waiting for each other, each in words of its own; and atomics on a shared one.
const MIXED: &str = "
    csrr  t0, wtid
    slli  t1, t0, 5
    li    s0, 0x4000
    add   s0, s0, t1        # 32 bytes of its own
    addi  sp, sp, -16
    sw    t0, 0(sp)         # local memory
    sb    t0, 5(sp)
    lw    s1, 0(sp)
    lbu   s2, 5(sp)
    mul   s3, s1, s2
    li    t2, 7
    rem   s4, t0, t2
    sw    s3, 0(s0)
    sh    s4, 4(s0)
    sb    s1, 7(s0)
    lh    s5, 4(s0)
    lb    s6, 7(s0)
    lhu   s7, 6(s0)
    csrr  t3, wthread
    slli  t3, t3, 2
    li    t4, 0xd0000000
    add   t4, t4, t3
    sw    t0, 0(t4)         # scratchpad
    lw    s8, 0(t4)
    li    t5, 0x3000
    amoadd.w x0, t0, (t5)
    addi  t6, s0, 8
    amoswap.w s9, t2, (t6)
    lr.w  s10, (t6)
    sc.w  s11, s10, (t6)
    sc.w  a3, s10, (t6)     # fails
    fence
    csrr  a4, wctax
    csrr  a5, wblock
    csrr  a6, cycle
    li    a6, 0
    li    t5, 0
    andi  a7, t0, 3
loop:
    beqz  a7, out
    addi  a7, a7, -1
    jal   ra, loop
out:
    li    ra, 0
    sw    a4, 16(s0)
    exit
";

const BARRIERS: &str = "
    csrr  t0, wthread
    slli  t1, t0, 2
    li    t2, 0xd0000000
    add   t2, t2, t1
    sw    t0, 0(t2)
    bar.sync 0
    csrr  t3, wctasize
    addi  t3, t3, -1
    sub   t3, t3, t0
    slli  t3, t3, 2
    li    t2, 0xd0000000
    add   t2, t2, t3
    lw    t4, 0(t2)         # what the other end has written
    csrr  t5, wtid
    slli  t5, t5, 2
    li    t6, 0x4000
    add   t6, t6, t5
    sw    t4, 0(t6)
    exit
";

fn options(seed: u64, shape: Shape, launch: Launch) -> SmOptions {
    SmOptions {
        launch,
        machine: Config {
            memory: 0x1_0000,
            tokens: 80,
            ..Config::default()
        },
        cycles: Some(2_000_000),
        oracle: true,
        // The stand-in shows no data cache, and has no priorities.
        priority: 0,
        ..SmOptions::draw(
            seed,
            Shape {
                data_cache: 0,
                ..shape
            },
        )
    }
}

fn grid(ctas: [u32; 3], threads: [u32; 3]) -> Launch {
    Launch {
        grid: ctas,
        cta: threads,
        scratchpad: 4 * threads.iter().product::<u32>(),
        local: 64,
        ..Launch::default()
    }
}

fn run(
    program: &Program,
    o: &SmOptions,
    wrong: Option<Wrong>,
) -> (Result<SmReport, SmError>, bool) {
    let mut device = StandIn::new(o.shape, program, &o.machine, wrong);
    let mut blind = Blind;
    let report = Session::new(&mut device, program, o, &mut blind).and_then(Session::run);
    (report, device.departed())
}

fn accepted(program: &Program, o: &SmOptions) -> SmReport {
    match run(program, o, None).0 {
        Ok(report) => report,
        Err(e) => panic!("{} seed {}: {e}", o.shape, o.seed),
    }
}

fn assembled(text: &str) -> Program {
    assemble(text, "test").unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn an_sm_that_keeps_to_the_pages_is_accepted_in_any_surroundings() {
    let program = assembled(MIXED);
    let shapes = [Shape::TINY, Shape::SMALL, Shape::of(4, 16, 4)];
    for seed in 0..12 {
        let shape = Shape {
            data: [64, 128, 256, 512][seed as usize % 4],
            ..shapes[seed as usize % 3]
        };
        let w = shape.threads as u32;
        let threads = [1, w - 1, w, w + 1, 2 * w + 3][seed as usize % 5];
        let launch = grid([2, 1 + seed as u32 % 2, 2], [threads, 1, 1]);
        let report = accepted(&program, &options(seed, shape, launch));
        assert_eq!(report.oracle_agrees, Some(true));
        let s = report.seen;
        let all = u64::from(launch.total());
        assert_eq!(s.loads, 6 * all);
        assert_eq!((s.sc, s.sc_failed), (2 * all, all));
        assert_eq!(s.local, 4 * all);
        assert_eq!(s.scratchpad, 2 * all);
        assert_eq!(s.ctas, u64::from(launch.ctas()));
        assert!(s.counters_read > 0 && s.fences > 0 && s.rows > 0);
    }
}

#[test]
fn barriers_of_several_ctas_are_judged() {
    let program = assembled(BARRIERS);
    for (seed, threads) in [1, 5, 8, 9, 17].into_iter().enumerate() {
        let mut o = options(seed as u64, Shape::SMALL, grid([3, 1, 1], [threads, 1, 1]));
        // Alone nobody waits for the other end.
        o.oracle = false;
        let report = accepted(&program, &o);
        for thread in 0..3 * threads {
            let other = threads - 1 - thread % threads;
            assert_eq!(report.memory.read_u32(0x4000 + 4 * thread), Ok(other));
        }
    }
}

/// A load whose threads share a line, a load and a store with a line per thread, and one of the scratchpad.
const LINES: &str = "
    li    t1, 0x4000
    slli  t0, a0, 2
    add   t0, t1, t0
    lw    t2, 0(t0)
    slli  t0, a0, 6
    add   t0, t1, t0
    lw    t2, 0(t0)
    sw    t2, 0(t0)
    li    t1, 0xd0000000
    lw    t2, 0(t1)
    exit
";

#[test]
fn lines_and_issues_are_counted() {
    let program = assembled(LINES);
    let mut o = options(2, Shape::TINY, grid([1, 1, 1], [4, 1, 1]));
    let seen = accepted(&program, &o).seen;
    assert_eq!((seen.accesses, seen.lines), (3, 1 + 4 + 4));
    assert_eq!(seen.reasons.issue, seen.issued);
    (o.lockstep, o.oracle) = (false, false);
    assert_eq!(accepted(&program, &o).seen.issued, seen.issued);
}

/// A launch in which each departure has an occasion, and what it runs.
fn occasion(wrong: Wrong) -> (String, SmOptions) {
    let launch = grid([2, 1, 1], [13, 1, 1]);
    let mut o = options(7, Shape::SMALL, launch);
    o.axi = AxiTiming {
        stall: 30,
        ..AxiTiming::default()
    };
    let text = match wrong {
        Wrong::LostFault | Wrong::FaultThread | Wrong::FaultAddress | Wrong::HostFault => {
            "csrr t0, wctax\n beqz t0, out\n li t1, 0x2001\n lw t2, 0(t1)\nout: exit\n".to_string()
        }
        Wrong::EffectLate => {
            "csrr t0, wlane\n li t5, 0x3000\n addi t0, t0, 1\n amoadd.w a3, t0, (t5)\n exit\n"
                .to_string()
        }
        _ => MIXED.to_string(),
    };
    o.oracle = false;
    (text, o)
}

#[test]
fn each_departure_is_noticed() {
    let mut unseen = Vec::new();
    for wrong in Wrong::ALL {
        let (text, o) = occasion(wrong);
        let program = assembled(&text);
        accepted(&program, &o);
        let (result, departed) = run(&program, &o, Some(wrong));
        let departed = departed || wrong == Wrong::LongBurst;
        match result {
            Err(error) if departed => println!("{wrong:?}: {error}\n"),
            _ => unseen.push((wrong, departed)),
        }
    }
    assert!(unseen.is_empty(), "not noticed (departed?): {unseen:?}");
}

#[test]
fn faults_of_each_kind_are_reported_with_their_place() {
    let cases = [
        ("li t1, 0x2002\n lw t2, 0(t1)\n", 5, 0x2002),
        ("li t1, 0x800\n sw t1, 0(t1)\n", 6, 0x800),
        ("li t1, 0xc0000040\n sw t1, 0(t1)\n", 6, 0xc000_0040),
        ("li t1, 0xd0000020\n lb t1, 0(t1)\n", 6, 0xd000_0020),
        ("li t1, 0x10000\n amoadd.w t1, t1, (t1)\n", 6, 0x1_0000),
        ("ebreak\n", 7, 0x1008),
        (".word 0\n", 4, 0),
        ("csrw cycle, t1\n", 4, 0xc003_1073),
        ("jr zero\n", 9, 0),
        ("li t1, 0x10000\n jr t1\n", 9, 0x1_0000),
        ("li t1, 0xd0000000\n jr t1\n", 9, 0xd000_0000),
    ];
    for (text, cause, address) in cases {
        let program = assembled(&format!("csrr t0, wctax\n beqz t0, out\n{text}out: exit\n"));
        let launch = Launch {
            local: 64,
            scratchpad: 32,
            ..grid([3, 1, 1], [8, 1, 1])
        };
        let report = accepted(&program, &options(3, Shape::SMALL, launch));
        let fault = report.fault.expect("it is reported");
        assert_eq!((fault.cause, fault.address), (cause, address), "{text}");
        assert_eq!(report.seen.faults, 2, "{text}");
    }
}

#[test]
fn random_surroundings_come_from_the_seed() {
    let draw = |seed| format!("{:?}", SmOptions::draw(seed, Shape::SMALL));
    assert_eq!(draw(1), draw(1));
    let different: std::collections::BTreeSet<_> = (0..20).map(draw).collect();
    assert_eq!(different.len(), 20);
    let _ = stream(1, "sm");
}

#[test]
fn random_programs_run_on_the_stand_in() {
    let mut all = weft_testbench::sm::report::Seen::default();
    let mut compared = 0;
    for (index, shape) in
        (0..40).map(|n| (n / 2, [Shape::TINY, Shape::SMALL.float(4)][n as usize % 2]))
    {
        // It shows no data cache.
        let shape = Shape {
            data_cache: 0,
            ..shape
        };
        let case = draw(1, index, shape);
        // It has no timers, no priorities, no random numbers by slot, and knows no errors of the memory.
        if case.knobs.barriers != 0 {
            continue;
        }
        let o = SmOptions {
            bad_lines: Vec::new(),
            priority: 0,
            machine: Config {
                yield_random: false,
                ..case.options.machine.clone()
            },
            ..case.options.clone()
        };
        let report = run(&case.source.program(), &o, None).0;
        let report = report.unwrap_or_else(|e| panic!("program {index}, {}: {e}", case.describe()));
        compared += u64::from(report.oracle_agrees == Some(true));
        all.add(&report.seen);
    }
    assert!(compared > 5, "{compared}");
    // What its surroundings cannot bring about.
    let not_here = [
        "counters_read",
        "sc_spurious",
        "barriers",
        "sleeps",
        "wakes",
        "late_faults",
        "fetch_errors",
        "fetches_outside",
        // It divides at once, and none of these few programs divides in several parts.
        "divisions_beside",
        "divisions_of_parts",
        "ignored",
        // None of these few programs has a `subv.auto` with a thread on.
        "modes_asked",
        "modes_subvector",
        "decided_regular",
        "decided_subvector",
        "reads_uncounted",
    ];
    for (name, count) in all.rows_of_table() {
        assert!(
            count > 0 || not_here.contains(&name),
            "{name} never occurred"
        );
    }
}
