//! Programs and operations for one requirement each, in lockstep on the hardware.

mod common;

use common::{all, levels, operate, Events, KINDS, TINY};
use weft_ports::control::{barrier, cause, Op};
use weft_sim::Event;
use weft_testbench::dut::{self, OpenOptions, RtlKind};
use weft_testbench::lanes::{Lanes, Resolve};
use weft_testbench::lockstep::{Failure, Watchdog};
use weft_testbench::monitor::Monitor;
use weft_testbench::report::{RunError, RunReport};
use weft_testbench::run::{run_program, Engine};
use weft_testbench::run_config::RunConfig;
use weft_testbench::script::{Script, Select};
use weft_testbench::session::{self, Launch, Session, Surroundings, Trap};

fn config(grid: u32) -> RunConfig {
    let mut config = RunConfig::for_size(TINY);
    config.machine.grid = Some(grid);
    config.machine.memory = 0x1_0000;
    config.machine.stack = 16;
    config.watchdog = Watchdog {
        hang: 1_000,
        livelock: 20_000,
    };
    config
}

fn program(text: &str) -> weft_isa::Program {
    weft_isa::assemble(text, "test.s").unwrap_or_else(|e| panic!("{e}"))
}

/// Runs in lockstep on every simulation and checks each report.
fn run(text: &str, config: &RunConfig, check: impl Fn(&RunReport)) {
    for kind in KINDS {
        let report = run_program(&program(text), config, Engine::Lockstep(kind), &mut [])
            .unwrap_or_else(|e| panic!("{}: {e}", kind.name()));
        check(&report);
    }
}

fn word(report: &RunReport, address: u32) -> u32 {
    report.memory.read_u32(address).expect("mapped")
}

const SPIN: &str = "
    li s0, 0x8000
    li s2, 1
    ssy owner
try:
    amoswap.w t1, s2, (s0)
    bnez t1, taken
    sync owner
taken:
    yield
    j try
owner:
    lw t1, 4(s0)
    addi t1, t1, 1
    sw t1, 4(s0)
    amoswap.w zero, zero, (s0)
    exit
";

#[test]
fn a_lock_taken_behind_its_sync_is_released_with_yielding() {
    for (yield_every, forced_yield) in [(1, 0), (3, 0), (0, 16)] {
        let mut config = config(16);
        config.machine.yield_every = yield_every;
        config.machine.forced_yield = forced_yield;
        run(SPIN, &config, |report| assert_eq!(word(report, 0x8004), 16));
    }
}

#[test]
fn a_lock_taken_behind_its_sync_livelocks_without_yielding() {
    let mut config = config(4);
    (config.machine.yield_every, config.machine.forced_yield) = (0, 0);
    for kind in KINDS {
        let error = run_program(&program(SPIN), &config, Engine::Lockstep(kind), &mut [])
            .expect_err("a livelock");
        let RunError::Failure(Failure::Livelock(stuck)) = &error else {
            panic!("{error}")
        };
        assert_eq!(stuck.warps.len(), 1);
        let text = error.to_string();
        assert!(
            text.contains("warp 0 at 0x10") && text.contains("lately at"),
            "{text}"
        );
    }
}

#[test]
fn nested_regions_breaks_and_calls_agree_with_threads_alone() {
    let text = "
        mv s0, a0
        li s1, 0
        pbk done
    head:
        addi s1, s1, 1
        ssy meet
        andi t0, s1, 1
        beqz t0, even
        add s0, s0, s1
        sync meet
    even:
        slt t1, a0, s1
        brk.nez t1, done
        xori s0, s0, 5
        sync meet
    meet:
        slti t2, s1, 9
        bnez t2, head
        brk done
    done:
        pcal back
        jal ra, double
    back:
        slli t0, a0, 2
        li t1, 0x8000
        add t1, t1, t0
        sw s0, 0(t1)
        exit
    double:
        andi t0, a0, 1
        bnez t0, odd
        add s0, s0, s0
        wret ra
    odd:
        wret ra
    ";
    let mut config = config(14);
    config.oracle = true;
    run(text, &config, |report| {
        assert_eq!(report.oracle_agrees, Some(true));
        assert_eq!(report.threads.len(), 14);
        assert!(report.stats.total.divergences > 0);
        assert!(report.stats.simd_efficiency > 0.5);
    });
}

#[test]
fn a_fault_stops_its_warp_and_no_other() {
    let text = "
        csrr t0, wwarp
        addi t0, t0, -2
        bnez t0, fine
        andi t1, a0, 3
        slti t1, t1, 2
        bnez t1, fine
        lw t0, 0(zero)
    fine:
        slli t0, a0, 2
        li t1, 0x8000
        add t1, t1, t0
        li t2, 7
        sw t2, 0(t1)
        exit
    ";
    let mut config = config(16);
    config.oracle = true;
    run(text, &config, |report| {
        assert_eq!(report.faults.len(), 1);
        let fault = &report.faults[0];
        assert_eq!((fault.warp, fault.thread), (2, 10));
        assert!(fault.cause.contains("unmapped"), "{}", fault.cause);
        assert_eq!(report.oracle_agrees, None);
        let stored = (0..16)
            .filter(|n| word(report, 0x8000 + 4 * n) == 7)
            .count();
        // The two other threads of the warp may have been first.
        assert!(stored == 12 || stored == 14, "{stored}");
    });
}

#[test]
fn observers_see_the_same_events_on_every_engine() {
    let text = "
        ssy end
        andi t0, a0, 1
        bnez t0, end_of_odd
        sync end
    end_of_odd:
        sync end
    end:
        exit
    ";
    let config = config(4);
    let trace = |engine| {
        let mut events = Events::default();
        run_program(&program(text), &config, engine, &mut [&mut events])
            .unwrap_or_else(|e| panic!("{e}"));
        events.0
    };
    let golden = trace(Engine::Golden);
    assert!(golden.iter().any(|r| r.event == Event::Leave) && golden.iter().any(|r| r.done));
    for kind in KINDS {
        assert_eq!(trace(Engine::Rtl(kind)), golden);
        assert_eq!(trace(Engine::Lockstep(kind)), golden);
    }
}

#[test]
fn waves_are_written_on_request() {
    let folder = tempfile::tempdir().expect("a folder");
    for kind in KINDS {
        let path = folder.path().join(kind.name()).join("run.vcd");
        let config = RunConfig {
            wave: Some(path.clone()),
            ..config(4)
        };
        run_program(&program("exit"), &config, Engine::Rtl(kind), &mut [])
            .unwrap_or_else(|e| panic!("{e}"));
        let waves = std::fs::read_to_string(&path).expect("a file");
        assert!(waves.contains("issue_valid"), "{}", kind.name());
        // The clock runs: many time stamps.
        assert!(
            waves.lines().filter(|l| l.starts_with('#')).count() > 10,
            "{}",
            kind.name()
        );
    }
}

#[test]
fn a_size_that_nobody_simulates_is_an_error() {
    let mut config = config(4);
    config.machine.warps = 5;
    for kind in [RtlKind::RustHdl, RtlKind::Verilated] {
        let error = run_program(&program("exit"), &config, Engine::Rtl(kind), &mut [])
            .expect_err("no such size");
        assert!(matches!(error, RunError::Dut(_)), "{error}");
    }
}

// Operations without a program.

#[test]
fn wrong_operations_are_exceptions_with_their_cause() {
    let (push, leave) = (Op::Push as u8, Op::Leave as u8);
    let cases = [
        (push, 10, cause::ILLEGAL_TYPE),
        (push, 13, cause::ILLEGAL_TYPE),
        (push, 15, cause::ILLEGAL_TYPE),
        (leave, 14, cause::ILLEGAL_TYPE),
        (Op::LeaveIndirect as u8, 12, cause::ILLEGAL_TYPE),
        (Op::Barrier as u8, 4, cause::ILLEGAL_TYPE),
        (Op::Barrier as u8, 15, cause::ILLEGAL_TYPE),
        (9, 0, cause::ILLEGAL_OP),
        (12, 0, cause::ILLEGAL_OP),
        (15, 0, cause::ILLEGAL_OP),
        (Op::Mask as u8, 3, cause::ILLEGAL_OP),
        (Op::Mask as u8, 15, cause::ILLEGAL_OP),
        (Op::Fault as u8, 7, cause::BREAKPOINT),
        (Op::Fault as u8, 13, 13),
    ];
    for kind in KINDS {
        for (op, token, want) in cases {
            let script = Script::default().next().raw(op, token, Select::All, 3);
            let (_, traps) = operate(kind, script, &[all(1)], levels(1, 0));
            assert_eq!(
                traps,
                [Trap {
                    warp: 1,
                    pc: 1,
                    cause: want
                }],
                "op {op} type {token}"
            );
        }
    }
}

#[test]
fn a_slot_is_free_again_after_the_end_and_after_an_exception() {
    // The warps leave tokens, counters and reasons behind; the next launch must not see them.
    let script = Script::default()
        .push(0, 6)
        .branch(Select::LowerHalf, 3)
        .raw(Op::Fault as u8, 4, Select::All, 0)
        .yield_()
        .push(2, 9)
        .exit();
    let launches: Vec<Launch> = [0xf, 0x3, 0xe, 0x1, 0xf, 0x9]
        .map(|mask| Launch { mask, ..all(2) })
        .to_vec();
    for kind in KINDS {
        let (records, traps) = operate(kind, script.clone(), &launches, levels(2, 1));
        let ends = traps.len() + records.iter().filter(|r| r.done).count();
        assert_eq!(ends, launches.len());
    }
}

#[test]
fn exit_of_some_threads_lets_the_others_go_on() {
    let script = Script::default()
        .raw(Op::Exit as u8, 0, Select::Mask(0b0101), 0)
        .next()
        .exit();
    for kind in KINDS {
        let (records, _) = operate(kind, script.clone(), &[all(0)], levels(1, 0));
        let masks: Vec<u64> = records.iter().map(|r| r.next_mask).collect();
        assert_eq!(masks, [0b1010, 0b1010, 0], "{}", kind.name());
    }
}

/// A script, and one WAKE of warp 0 as soon as `when` says so.
struct Woken {
    script: Script,
    when: fn(&Monitor) -> bool,
    wake: Option<(u64, u32)>,
    /// After so many a RETRY goes on.
    retries: u32,
}

impl Lanes for Woken {
    fn resolve(&mut self, warp: usize, pc: u32, active: u64) -> Resolve {
        let resolve = self.script.resolve(warp, pc, active);
        if (resolve.op, resolve.kind) != RETRY {
            return resolve;
        }
        match self.retries.checked_sub(1) {
            Some(left) => self.retries = left,
            None => return Resolve::default(),
        }
        resolve
    }

    fn wake(&mut self, monitor: &Monitor) -> Option<(usize, Resolve)> {
        let (mask, target) = self.wake.filter(|_| (self.when)(monitor))?;
        self.wake = None;
        let (op, kind) = (Op::Barrier as u8, barrier::WAKE);
        let wake = Resolve {
            op,
            kind,
            mask,
            target,
        };
        Some((0, wake))
    }
}

const SLEEP: (u8, u8) = (Op::Barrier as u8, barrier::SLEEP);
const RETRY: (u8, u8) = (Op::Barrier as u8, barrier::RETRY);

#[test]
fn a_barrier_within_a_region_keeps_its_tokens() {
    let script = Script::default()
        .push(0, 6)
        .branch(Select::LowerHalf, 3)
        .raw(SLEEP.0, SLEEP.1, Select::All, 0)
        .raw(SLEEP.0, SLEEP.1, Select::All, 0)
        .next()
        .leave(0, Select::All, 6)
        .exit();
    for kind in KINDS {
        let lanes = Woken {
            script: script.clone(),
            when: |monitor| monitor.blocked(0),
            wake: Some((0xf, 5)),
            retries: 0,
        };
        let (records, _) = operate(kind, lanes, &[all(0)], levels(1, 0));
        let seen: Vec<_> = records
            .iter()
            .map(|r| (r.pc, r.next_mask, r.depth))
            .collect();
        let blocked = (2, 0, 1);
        let want = [
            (0, 0xf, 1),
            (1, 0x3, 2),
            (3, 0xc, 1),
            blocked,
            (2, 0xf, 1),
            (5, 0xf, 0),
            (6, 0, 0),
        ];
        assert_eq!(seen, want, "{}", kind.name());
    }
}

#[test]
fn threads_woken_beside_others_wait_for_their_turn() {
    let script = Script::default()
        .raw(SLEEP.0, SLEEP.1, Select::LowerHalf, 0)
        .next()
        .raw(RETRY.0, RETRY.1, Select::Lowest, 0);
    for kind in KINDS {
        let lanes = Woken {
            script: script.clone(),
            when: |monitor| monitor.ready(0).is_some_and(|(pc, _)| pc == 1),
            wake: Some((0xf, 2)),
            retries: 1,
        };
        let (records, _) = operate(kind, lanes, &[all(0)], levels(1, 1));
        let seen: Vec<_> = records
            .iter()
            .map(|r| (r.pc, r.next_mask, r.depth))
            .collect();
        // Thread 2 enters the token of threads 0 and 1, which have been woken to the place where it is.
        let want = [(0, 0xc, 0), (1, 0xc, 1), (1, 0xc, 1), (2, 0x8, 1)];
        assert_eq!(seen[..4], want, "{}", kind.name());
        assert!(records.iter().any(|r| r.pc == 2 && r.mask == 0x7));
    }
}

#[test]
fn a_blocked_warp_issues_four_cycles_after_its_wake() {
    for kind in KINDS {
        let mut opened = dut::open(kind, TINY, &OpenOptions::default()).expect("a design");
        session::reset(opened.control.as_mut());
        let around = around(0, false);
        let mut session = Session::new(opened.control.as_mut(), TINY, levels(0, 0), &around);
        session.launch(all(0));
        let mut lanes = Woken {
            script: Script::default().raw(SLEEP.0, SLEEP.1, Select::All, 0),
            when: |monitor| monitor.blocked(0),
            wake: Some((0x5, 9)),
            retries: 0,
        };
        let (mut woken, mut issued) = (None, None);
        for cycle in 0..40 {
            let happened = session.cycle(&mut lanes).unwrap_or_else(|e| panic!("{e}"));
            if happened.resolved.is_some() && lanes.wake.is_none() && woken.is_none() {
                woken = Some(cycle);
            } else if happened.issued.is_some() && woken.is_some() && issued.is_none() {
                issued = Some(cycle);
            }
        }
        assert_eq!(woken.map(|at| at + 4), issued, "{}", kind.name());
        assert!(woken.is_some(), "{}", kind.name());
    }
}

#[test]
fn pc_arithmetic_wraps_at_22_bits() {
    const LAST: u32 = (1 << 22) - 1;
    let lanes = |_warp: usize, pc: u32, mask: u64| Resolve {
        op: if pc == LAST {
            Op::Next as u8
        } else {
            Op::Exit as u8
        },
        mask,
        ..Resolve::default()
    };
    for kind in KINDS {
        let launch = Launch {
            pc: LAST,
            mask: 0x1,
            ..all(3)
        };
        let (records, _) = operate(kind, lanes, &[launch], levels(0, 0));
        assert_eq!(
            (records[0].pc, records[0].next_pc),
            (LAST, 0),
            "{}",
            kind.name()
        );
        assert!(records[1].done);
    }
}

fn around(seed: u64, noise: bool) -> Surroundings {
    Surroundings {
        seed,
        noise,
        ..Surroundings::default()
    }
}

#[test]
fn a_reset_in_the_middle_leaves_nothing_behind() {
    let script = Script::default()
        .push(0, 9)
        .branch(Select::LowerHalf, 3)
        .next()
        .push(1, 8)
        .branch(Select::All, 1);
    for kind in KINDS {
        for cut in 3..40 {
            let mut opened = dut::open(kind, TINY, &OpenOptions::default()).expect("a design");
            let control = opened.control.as_mut();
            session::reset(control);
            let mut busy = Session::new(control, TINY, levels(1, 2), &around(cut, true));
            (0..4).for_each(|warp| busy.launch(all(warp)));
            let mut lanes = script.clone();
            for _ in 0..cut {
                busy.cycle(&mut lanes).unwrap_or_else(|e| panic!("{e}"));
            }
            drop(busy);
            session::reset(control);
            let quiet = control.settle(&weft_ports::control::Inputs::default());
            assert_eq!(
                (
                    quiet.status_busy,
                    quiet.status_dropped,
                    quiet.status_recentered,
                    quiet.issue_valid,
                    quiet.retire_valid,
                    quiet.spill_request_valid,
                    quiet.config_done
                ),
                (0, 0, 0, false, false, false, false)
            );
            let mut again = Session::new(control, TINY, levels(0, 0), &around(0, false));
            again.launch(Launch {
                pc: 5,
                mask: 0x6,
                ..all(1)
            });
            let mut records = Vec::new();
            while !again.finished() {
                records.extend(
                    again
                        .cycle(&mut Script::default())
                        .unwrap_or_else(|e| panic!("{e}"))
                        .retired,
                );
                assert!(again.cycle_number() < 100);
            }
            assert_eq!(records.len(), 1);
            assert!(records[0].done && records[0].mask == 0x6 && records[0].pc == 5);
        }
    }
}
