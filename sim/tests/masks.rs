//! `docs/spec/masks.md`, `docs/spec/subvector.md` and CONV-110 to CONV-123, requirement by requirement.

mod common;

use std::collections::BTreeMap;
use std::panic::{catch_unwind, AssertUnwindSafe};

use common::{run, run_as_alone, run_mutated, small};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use weft_isa::{Instr, Mask, MaskCond, MaskInstr, MaskOp};
use weft_sim::convergence::{Operation, Warp};
use weft_sim::policy::Policy;
use weft_sim::{
    Config, Event, Fault, FaultCause, Force, Machine, MaskEffect, Masks, Mutation, Oracle,
    OracleOutcome, Outcome, PathPolicy, Record, Thread, DIV, EXIT, MASKED, SUBV, YIELD,
};

const SYNC: u8 = 0;
const PC: u32 = 0x1100;

// The mask unit, every instruction against its table row, bit by bit.

fn m(number: u8) -> Mask {
    Mask::register(number).unwrap()
}

/// Threads with these values in x5, for masks as operands.
fn threads(width: usize, ones: u64) -> Vec<Thread> {
    let thread = |lane| {
        let mut thread = Thread::default();
        thread.registers[5] = ((ones >> lane & 1) * 0x80) as u32;
        thread
    };
    (0..width).map(thread).collect()
}

/// A unit with these values in m0, m1 …
fn unit(width: usize, values: &[u64]) -> Masks {
    let mut unit = Masks::new(width);
    let all = u64::MAX >> (64 - width);
    for (number, &value) in values.iter().enumerate() {
        let set = MaskInstr::Set {
            md: m(number as u8),
            rs1: 5,
        };
        let effect = unit.execute(set, PC, all, &mut threads(width, value));
        assert_eq!(effect, Ok(MaskEffect::Next));
    }
    unit
}

/// The truth table of docs/spec/masks.md: result for (a, b) = 00, 01, 10, 11.
const TRUTH: [(MaskOp, [u64; 4]); 8] = [
    (MaskOp::And, [0, 0, 0, 1]),
    (MaskOp::Or, [0, 1, 1, 1]),
    (MaskOp::Xor, [0, 1, 1, 0]),
    (MaskOp::Andn, [0, 0, 1, 0]),
    (MaskOp::Nand, [1, 1, 1, 0]),
    (MaskOp::Nor, [1, 0, 0, 0]),
    (MaskOp::Xnor, [1, 0, 0, 1]),
    (MaskOp::Orn, [1, 0, 1, 1]),
];

fn bitwise(table: [u64; 4], a: u64, b: u64, width: usize) -> u64 {
    (0..width).fold(0, |mask, bit| {
        mask | table[(2 * (a >> bit & 1) + (b >> bit & 1)) as usize] << bit
    })
}

/// One unit in one state: every instruction, compared with what the page says.
/// MASK-010 to 015: all bits of the destination, scc, `.save` with md = ms, one value for all active threads, registers
/// as they were before, "all ones" of W bits, a branch of the whole warp.
fn check(width: usize, active: u64, a: u64, b: u64) {
    let go = |instr, ones| {
        let (mut unit, mut lanes) = (unit(width, &[a, b]), threads(width, ones));
        let effect = unit.execute(instr, PC, active, &mut lanes).unwrap();
        (unit, lanes, effect)
    };
    let exec = Mask::EXEC;
    for (op, table) in TRUTH {
        for (ma, left) in [(m(0), a), (m(1), b), (exec, active)] {
            for (mb, right) in [(m(0), a), (m(1), b), (exec, active)] {
                let result = bitwise(table, left, right, width);
                let (after, _, effect) = go(
                    MaskInstr::Logic {
                        op,
                        md: m(2),
                        ma,
                        mb,
                    },
                    0,
                );
                assert_eq!(effect, MaskEffect::Next);
                assert_eq!(after.registers()[..4], [a, b, result, 0], "{op:?}");
                assert_eq!(after.condition(), result != 0, "{op:?}");
                let (after, _, effect) = go(
                    MaskInstr::Logic {
                        op,
                        md: exec,
                        ma,
                        mb,
                    },
                    0,
                );
                assert_eq!(effect, MaskEffect::Set(result), "{op:?}");
                assert_eq!(after.registers()[..3], [a, b, 0]);
                assert_eq!(after.condition(), result != 0, "{op:?}");
            }
        }
        for (md, ms, source) in [(m(2), m(0), a), (m(0), m(0), a), (m(2), exec, active)] {
            let result = bitwise(table, source, active, width);
            let (after, _, effect) = go(MaskInstr::Save { op, md, ms }, 0);
            assert_eq!(
                effect,
                MaskEffect::Set(result),
                "{op:?}.save {md:?}, {ms:?}"
            );
            assert_eq!(after.registers()[usize::from(md.number())], active);
            assert_eq!(after.condition(), result != 0, "{op:?}.save");
        }
    }
    let all = u64::MAX >> (64 - width);
    for (ms, mask) in [(m(0), a), (exec, active)] {
        for (cond, taken) in [
            (MaskCond::Zero, mask == 0),
            (MaskCond::NonZero, mask != 0),
            (MaskCond::Ones, mask == all),
            (MaskCond::NotOnes, mask != all),
        ] {
            let branch = MaskInstr::Branch {
                cond,
                ms,
                offset: -0x40,
            };
            let expected = [MaskEffect::Next, MaskEffect::Jump(PC - 0x40)][usize::from(taken)];
            let (after, _, effect) = go(branch, 0);
            assert_eq!(effect, expected, "{cond:?} of {mask:#x}");
            assert_eq!(after, unit(width, &[a, b]), "a branch changes nothing");
        }
        let first = (0..width as u32).find(|&bit| mask >> bit & 1 != 0);
        let count = (0..width).filter(|&bit| mask >> bit & 1 != 0).count();
        for (instr, value) in [
            (
                MaskInstr::Get {
                    rd: 7,
                    ms,
                    high: false,
                },
                mask as u32,
            ),
            (
                MaskInstr::Get {
                    rd: 7,
                    ms,
                    high: true,
                },
                (mask >> 32) as u32,
            ),
            (MaskInstr::Count { rd: 7, ms }, count as u32),
            (MaskInstr::First { rd: 7, ms }, first.unwrap_or(u32::MAX)),
            (MaskInstr::Condition { rd: 7 }, u32::from(b != 0)),
        ] {
            let (after, lanes, effect) = go(instr, a);
            assert_eq!((effect, after), (MaskEffect::Next, unit(width, &[a, b])));
            for (lane, thread) in lanes.iter().enumerate() {
                let expected = if active >> lane & 1 != 0 { value } else { 0 };
                assert_eq!(thread.registers[7], expected, "{instr:?} in lane {lane}");
            }
        }
    }
    // x5 is nonzero in the threads of a.
    let (after, _, _) = go(MaskInstr::Set { md: m(1), rs1: 5 }, a);
    assert_eq!(
        (after.registers()[1], after.condition()),
        (a & active, a & active != 0)
    );
    for high in [false, true] {
        let (mut after, mut lanes) = (unit(width, &[a, b]), threads(width, a));
        let word = |lane: usize| 0xa5c3_9600u32.rotate_left(lane as u32);
        (0..width).for_each(|lane| lanes[lane].registers[5] = word(lane));
        let put = MaskInstr::Put {
            md: m(1),
            rs1: 5,
            high,
        };
        after.execute(put, PC, active, &mut lanes).unwrap();
        let shift = if high { 32 } else { 0 };
        let expected = match active {
            0 => b,
            _ => {
                let kept = b & !(0xffff_ffff << shift);
                (kept | u64::from(word(active.trailing_zeros() as usize)) << shift) & all
            }
        };
        assert_eq!(after.registers()[1], expected);
        assert_eq!(after.condition(), expected != 0);
    }
}

/// MASK-010 to 015.
#[test]
fn every_mask_operation_exhaustively_at_w_4() {
    for active in 0..16 {
        for a in 0..16 {
            for b in 0..16 {
                check(4, active, a, b);
            }
        }
    }
}

#[test]
fn every_mask_operation_at_random_at_w_32_and_64() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for width in [32, 64] {
        let all = u64::MAX >> (64 - width);
        let mut random = || match rng.gen_range(0..8) {
            0 => 0,
            1 => all,
            2 => 1 << rng.gen_range(0..width),
            3 => rng.gen::<u64>() & rng.gen::<u64>() & rng.gen::<u64>() & all,
            _ => rng.gen::<u64>() & all,
        };
        for _ in 0..1000 {
            let (active, a, b) = (random(), random(), random());
            check(width, active, a, b);
        }
    }
}

/// MASK-011, MASK-015.
#[test]
fn mask_011_branches_on_the_scalar_condition() {
    for (value, condition) in [(false, false), (false, true), (true, false), (true, true)] {
        let mut unit = unit(4, &[u64::from(condition)]);
        let branch = MaskInstr::BranchCondition { value, offset: 8 };
        let effect = unit.execute(branch, PC, 15, &mut threads(4, 0));
        let expected = [MaskEffect::Next, MaskEffect::Jump(PC + 8)];
        assert_eq!(effect, Ok(expected[usize::from(value == condition)]));
    }
    let mut unit = unit(4, &[0]);
    let branch = |offset| MaskInstr::BranchCondition {
        value: false,
        offset,
    };
    let mut go = |offset| unit.execute(branch(offset), PC, 15, &mut threads(4, 0));
    assert_eq!(go(2), Err(FaultCause::Misaligned { address: PC + 2 }));
    assert_eq!(
        go(-0x1104),
        Err(FaultCause::Fetch {
            address: 0xffff_fffc
        })
    );
}

/// MASK-030.
#[test]
fn mask_030_a_block_guards_as_many_instructions_as_it_says() {
    for count in 1..=8 {
        let mut unit = unit(4, &[0b0110]);
        let predicate = MaskInstr::Predicate { ms: m(0), count };
        unit.execute(predicate, PC, 15, &mut threads(4, 0)).unwrap();
        for _ in 0..count {
            let fence = Instr::Fence { fields: 0xff };
            assert_eq!(unit.write_mask(fence, 0b0101), Some(0b0100));
        }
        assert_eq!(unit.write_mask(Instr::Yield, 0b0101), Some(0b0101));
    }
}

// The convergence unit.

/// W = 8 on 4 lanes, all threads active at pc 100; every YIELD fires, no forced yields.
fn warp() -> Warp {
    warp_with(0)
}

fn warp_with(forced_yield: u16) -> Warp {
    let policy = Policy {
        yield_every: 1,
        forced_yield,
        lanes: 4,
        ..Policy::default()
    };
    Warp::launch(0, 8, 16, policy, 100, 0xff).unwrap()
}

fn set(selected: u64) -> Operation {
    Operation::Set { selected }
}
fn jump(target: u32) -> Operation {
    Operation::Jump { target }
}
fn subv(target: u32) -> Operation {
    Operation::SubVector { target }
}
fn branch(selected: u64, target: u32) -> Operation {
    Operation::Branch { selected, target }
}
fn exit(selected: u64) -> Operation {
    Operation::Exit { selected }
}
fn sync(selected: u64, target: u32) -> Operation {
    Operation::Leave {
        kind: SYNC,
        selected,
        target,
    }
}

trait Drive {
    fn go(&mut self, operation: Operation) -> Record;
    fn run(&mut self, script: &[Operation]) -> (u32, u64);
    fn tokens(&self) -> Vec<(u8, u64, u32)>;
}

impl Drive for Warp {
    fn go(&mut self, operation: Operation) -> Record {
        self.apply(operation).expect("a legal operation")
    }
    /// pc and active mask after the script.
    fn run(&mut self, script: &[Operation]) -> (u32, u64) {
        for operation in script {
            self.go(*operation);
        }
        (self.pc(), self.active())
    }
    fn tokens(&self) -> Vec<(u8, u64, u32)> {
        let tokens = self.deque().iter();
        tokens.map(|t| (t.kind, t.mask, t.address)).collect()
    }
}

/// The departures make something else retire.
fn assert_noticed(warp: &Warp, script: &[Operation], mutations: &[Mutation]) {
    let run = |mut w: Warp| {
        let step = |operation: &Operation| w.apply(*operation).map(|r| (r, *w.registers()));
        script.iter().map(step).collect::<Vec<_>>()
    };
    for &mutation in mutations {
        let expected = run(warp.clone());
        let mutated = catch_unwind(AssertUnwindSafe(|| {
            run(warp.clone().with_mutation(mutation))
        }));
        assert!(
            mutated.is_err() || mutated.unwrap() != expected,
            "{mutation:?}"
        );
    }
}

#[test]
fn conv_110_without_active_threads_everything_but_mask_is_next() {
    let mut w = warp();
    w.run(&[branch(0xf0, 50), set(0)]); // the others wait behind a DIV token
    let before = w.tokens();
    let operations = [
        Operation::Next,
        branch(0xff, 7),
        Operation::Indirect {
            selected: 0xff,
            target: 7,
        },
        Operation::Push {
            kind: SYNC,
            address: 7,
        },
        Operation::Push {
            kind: 12,
            address: 7,
        },
        sync(0xff, 7),
        Operation::LeaveIndirect {
            kind: 3,
            selected: 0xff,
            target: 7,
        },
        Operation::Yield,
        exit(0xff),
        Operation::Call {
            selected: 0xff,
            target: 7,
        },
        subv(7),
        Operation::Sleep { selected: 0xff },
        Operation::Retry { selected: 0xff },
        Operation::Part { selected: 0xff },
    ];
    for operation in operations {
        let pc = w.pc();
        let record = w.go(operation);
        assert_eq!(
            (record.next_pc, record.next_mask, record.done),
            (pc + 1, 0, false)
        );
        assert_eq!(w.tokens(), before, "{operation:?}");
    }
    assert_eq!((w.registers().yields, w.registers().transfers), (0, 1));
    assert!(!w.forced_yield_due());
    assert_noticed(
        &warp(),
        &[set(0), Operation::Yield],
        &[Mutation::EmptyMaskActs],
    );
}

/// MASK-020.
#[test]
fn conv_111_set_switches_off_and_on_and_nothing_else() {
    let mut w = warp();
    assert_eq!(w.run(&[set(0b0110_0110)]), (101, 0b0110_0110));
    assert_eq!(w.waiting_for(MASKED), 0b1001_1001);
    // 1 and 2 part, 5 ends; a SET of everybody wakes the masked ones only.
    w.run(&[exit(1 << 5), branch(0b0000_0110, 50)]);
    let parted = w.waiting_for(DIV);
    let active = w.active();
    assert_eq!(w.run(&[set(0xff)]).1, active | 0b1001_1001);
    assert_eq!((w.waiting_for(MASKED), w.waiting_for(DIV)), (0, parted));
    assert_eq!(w.reason(5), Some(EXIT));
    // Restoring some of them.
    w.run(&[set(0)]);
    assert_eq!(w.active(), 0);
    assert_eq!(w.run(&[set(0b1000_0001)]).1, 0b1000_0001);
    let script = [set(0x0f), branch(0x03, 50), set(0xff)];
    assert_noticed(
        &warp(),
        &script,
        &[Mutation::SetWakesAnyReason, Mutation::SetNeverWakes],
    );
}

#[test]
fn conv_111_switching_everybody_off_does_not_unwind() {
    let mut w = warp();
    w.run(&[branch(0xf0, 50), set(0)]);
    assert_eq!((w.active(), w.tokens().len()), (0, 1));
    assert_noticed(
        &warp(),
        &[branch(0xf0, 50), set(0)],
        &[Mutation::SetUnwinds],
    );
}

#[test]
fn conv_112_jump_takes_the_whole_warp_and_is_not_counted() {
    let mut w = warp_with(1);
    assert_eq!(w.run(&[jump(40)]), (40, 0xff));
    assert_eq!(w.registers().transfers, 0);
    assert_eq!(w.run(&[set(0), jump(30)]), (30, 0));
    let script = [jump(40), set(0), jump(30)];
    assert_noticed(
        &warp(),
        &script,
        &[Mutation::JumpNeedsThreads, Mutation::JumpsAreCounted],
    );
}

/// MASK-022, MASK-044.
#[test]
fn conv_113_masked_threads_ride_on_alone_after_the_others_have_ended() {
    let mut w = warp();
    let script = [
        Operation::Push {
            kind: SYNC,
            address: 90,
        },
        set(0x0f),
        exit(0x0f),
        Operation::Next,
        set(0xf0),
        sync(0xff, 90),
    ];
    w.run(&script[..3]);
    assert_eq!((w.pc(), w.active(), w.is_done()), (103, 0, false));
    // The token is kept, and catches those who come back.
    assert_eq!(w.tokens(), [(SYNC, 0xff, 90)]);
    assert_eq!(w.run(&script[3..5]), (105, 0xf0));
    assert_eq!(w.run(&script[5..]), (90, 0xf0));
    assert!(w.go(exit(0xff)).done);
    assert_noticed(&warp(), &script, &[Mutation::MaskedDropTokens]);
}

#[test]
fn conv_113_threads_that_wait_for_tokens_go_first() {
    let mut w = warp();
    let script = [
        branch(0x03, 50),
        set(0x01),
        exit(0xff),
        exit(0xff),
        set(0xff),
        exit(0xff),
    ];
    w.run(&script[..3]); // thread 0 has ended, 1 is masked
    assert_eq!((w.pc(), w.active()), (101, 0xfc));
    w.run(&script[3..4]);
    assert_eq!((w.pc(), w.active(), w.is_done()), (102, 0, false));
    w.run(&script[4..]);
    assert!(w.is_done());
    assert_noticed(&warp(), &script, &[Mutation::MaskedRunBeforeTokens]);
}

#[test]
fn conv_151_with_sleepers_and_masked_threads_the_warp_blocks() {
    let sleep = |selected| Operation::Sleep { selected };
    // Whoever is the last to go, MASKED threads do not run on while others sleep.
    for last in [sleep(0x0c), exit(0x0c)] {
        let mut w = warp();
        let push = Operation::Push {
            kind: SYNC,
            address: 90,
        };
        w.run(&[push, set(0x0f), sleep(0x03)]);
        let record = w.go(last);
        assert_eq!(
            (record.next_pc, record.next_mask, record.done, record.depth),
            (0, 0, false, 1)
        );
        assert!(w.is_blocked());
        let record = w.wake(0x03, 60).unwrap();
        assert_eq!((record.next_pc, record.next_mask), (60, 0x03));
        assert!(!w.is_blocked());
        assert_eq!(w.run(&[set(0xff)]), (61, 0xf3));
    }
}

#[test]
fn conv_154_a_wake_does_not_touch_a_warp_that_runs_without_active_threads() {
    let mut w = warp();
    w.run(&[Operation::Sleep { selected: 0x03 }, set(0)]);
    assert!(!w.is_blocked());
    assert_eq!((w.pc(), w.active()), (102, 0));
    let record = w.wake(0x01, 60).unwrap();
    assert_eq!((record.next_pc, record.next_mask), (102, 0));
    assert_eq!(w.tokens(), [(YIELD, 0x01, 60)]);
    // A restore does not wake the sleeper or the one that waits now.
    assert_eq!(w.run(&[set(0xff)]), (103, 0xfc));
    assert_eq!(w.run(&[exit(0xff)]), (60, 0x01));
    w.run(&[exit(0xff)]);
    assert!(w.is_blocked());
    w.wake(0x02, 70).unwrap();
    assert_eq!(w.run(&[]), (70, 0x02));
}

/// MASK-042.
#[test]
fn mask_042_a_barrier_inside_a_masked_region() {
    // Warp 1 comes late; the odd threads are off, and do not arrive.
    let source = "
        _start:
            la s0, cells
            slli t0, a0, 2
            add s0, s0, t0
            andi t1, a0, 1
            xori t1, t1, 1
            mset m0, t1
            li t2, 4
            li t3, 20
            li t4, 8
            blt a0, t4, 1f
        2:  addi t3, t3, -1
            bnez t3, 2b
        1:  mand.save m1, m0
            li t5, 1
            bar.sync 0
            sw t5, 0(s0)
            mrestore m1
            exit
        .data
        cells: .zero 64";
    let config = Config {
        warps: 2,
        threads: 8,
        tokens: 32,
        ..small()
    };
    // All live threads of the CTA are meant: it hangs, and says who waits.
    let hung = run(source, &config);
    let Outcome::Hung(stuck) = hung.outcome else {
        panic!("{:?}", hung.outcome);
    };
    let (masked, asleep): (Vec<_>, Vec<_>) = stuck
        .iter()
        .partition(|s| s.waits == weft_sim::Waits::Masked);
    let threads = |list: Vec<&weft_sim::Stuck>| list.iter().map(|s| s.thread).collect::<Vec<_>>();
    assert_eq!(threads(asleep), [0, 2, 4, 6, 8, 10, 12, 14]);
    assert_eq!(threads(masked), [1, 3, 5, 7, 9, 11, 13, 15]);
    // Meant are only those who are on.
    let source = source.replace("bar.sync 0", "li t6, WORD\n bar.top 0, t6");
    let source = source.replace("WORD", &format!("{}", 1 << 11 | 8));
    let run = run(&source, &config);
    assert_eq!(run.outcome, Outcome::Done);
    // Where nobody is on a barrier is nothing.
    let nobody = "
        _start:
            mclr m0
            mand.save m1, m0
            bar.sync 0
            bar.bot 0
            mrestore m1
            exit";
    let run = self::run(nobody, &config);
    assert_eq!(run.outcome, Outcome::Done);
    assert_eq!(run.machine.barrier_errors(), []);
}

/// SUBV-001.
#[test]
fn conv_120_parts_go_one_after_the_other_and_meet_at_the_end() {
    let mut w = warp();
    let script = [
        subv(110),
        Operation::Next,
        sync(0xff, 110),
        Operation::Next,
        sync(0xff, 110),
    ];
    assert_eq!(w.run(&script[..1]), (101, 0x0f));
    assert_eq!(w.tokens(), [(SUBV, 0xf0, 101), (SYNC, 0xff, 110)]);
    assert_eq!(w.run(&script[1..3]), (101, 0xf0));
    assert_eq!(w.tokens(), [(SYNC, 0xff, 110)]);
    assert_eq!(w.run(&script[3..]), (110, 0xff));
    assert_eq!(w.tokens(), []);
    let mutations = [Mutation::SubVectorWithoutSync, Mutation::HighestPartFirst];
    assert_noticed(&warp(), &script, &mutations);
}

/// SUBV-002 to SUBV-004: no SUBV token for one part; without its SYNC token the parts go on apart.
#[test]
fn conv_120_one_part_needs_no_subv_token_and_a_push_may_be_dropped() {
    let mut w = warp();
    w.run(&[set(0xa0), subv(110)]);
    assert_eq!((w.active(), w.tokens()), (0xa0, vec![(SYNC, 0xa0, 110)]));
    // The same address again: redundant.
    w.run(&[subv(110)]);
    assert_eq!(w.tokens(), [(SYNC, 0xa0, 110)]);
    let mut full = warp();
    for n in 0..8 {
        full.go(Operation::Push {
            kind: 1,
            address: n,
        });
    }
    let record = full.go(subv(110));
    assert!(record.dropped);
    assert_eq!(
        (record.next_mask, full.tokens()[0]),
        (0x0f, (SUBV, 0xf0, 109))
    );
    // Without its token the loop's end is a plain branch.
    assert_eq!(full.run(&[sync(0xff, 110)]), (110, 0x0f));
}

/// SUBV-001, SUBV-002: parts without an active thread are left out.
#[test]
fn conv_122_a_token_of_several_parts_stays_until_the_last() {
    let policy = Policy {
        lanes: 4,
        ..Policy::default()
    };
    let launch = || Warp::launch(0, 16, 32, policy, 100, 0xf3f7).unwrap();
    let mut w = launch();
    let script = [
        subv(110),
        sync(0xffff, 110),
        exit(0x0010),
        sync(0xffff, 110),
    ];
    assert_eq!(w.run(&script[..1]), (101, 0x0007));
    assert_eq!(w.run(&script[1..2]), (101, 0x00f0));
    assert_eq!(w.tokens(), [(SUBV, 0xf300, 101), (SYNC, 0xf3f7, 110)]);
    assert_eq!(w.run(&script[2..]), (101, 0x0300));
    assert_eq!(w.tokens()[0], (SUBV, 0xf000, 101));
    assert_noticed(&launch(), &script, &[Mutation::SubVectorWakesAllParts]);
}

/// SUBV-005: what S3 [79]–[88] does with EXEC_LO, EXEC_HI and S0, for all execution masks of 2 × 4 threads.
#[test]
fn subv_005_two_parts_run_as_exec_lo_exec_hi_and_s0_say() {
    const BODY: usize = 3;
    for exec in 1..256u64 {
        // The source's machine: EXEC before each instruction of the body.
        let (mut lo, mut hi, mut expected) = (exec & 15, exec >> 4, Vec::new());
        let mut s0;
        if lo == 0 {
            s0 = lo; // high only
        } else {
            (s0, hi) = (hi, 0); // low first: both passes, or low only
        }
        loop {
            expected.extend([hi << 4 | lo; BODY]);
            if hi != 0 {
                lo = s0; // end of second pass, or high only
                break;
            }
            if s0 == 0 {
                break; // low only
            }
            (hi, s0, lo) = (s0, lo, 0); // second pass
        }
        assert_eq!(hi << 4 | lo, exec, "the source restores EXEC");
        // Ours.
        let policy = Policy {
            lanes: 4,
            ..Policy::default()
        };
        let mut w = Warp::launch(0, 8, 16, policy, 100, exec).unwrap();
        w.go(subv(101 + BODY as u32));
        let mut seen = Vec::new();
        while w.pc() < 101 + BODY as u32 {
            seen.push(w.active());
            let last = w.pc() == 100 + BODY as u32;
            w.go(if last {
                sync(0xff, 101 + BODY as u32)
            } else {
                Operation::Next
            });
        }
        assert_eq!((&seen, w.active()), (&expected, exec), "EXEC = {exec:#x}");
    }
}

/// CONV-110 to CONV-123 on random operations: invariants, and every departure is noticed.
#[test]
fn random_operations_keep_the_warp_consistent_and_notice_departures() {
    let run = |seed, mutation: Option<Mutation>| {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let policy = Policy {
            yield_every: rng.gen_range(0..3),
            forced_yield: *[0, 1, 3].choose(&mut rng).unwrap(),
            path: *PathPolicy::ALL.choose(&mut rng).unwrap(),
            lanes: *[2, 4, 8].choose(&mut rng).unwrap(),
            ..Policy::default()
        };
        let launch = || {
            let w = Warp::launch(0, 8, 18, policy, 20, 0xff).unwrap();
            mutation.map_or(w.clone(), |m| w.with_mutation(m))
        };
        let (mut w, mut seen) = (launch(), Vec::new());
        for _ in 0..200 {
            let result = match w.forced_yield_due() {
                true => w.forced_yield(),
                false => w.apply(random_operation(&mut rng, w.pc())),
            };
            seen.push((result, *w.registers()));
            if result.is_err() {
                break;
            }
            if mutation.is_none() {
                assert_eq!(w.is_done(), w.ended() == 0xff);
                assert!(w.deque().depth() <= 18);
            }
            if w.is_done() {
                w = launch();
            }
        }
        seen
    };
    let (mut empty, mut parts, mut rides) = (0, 0, 0);
    for seed in 0..500 {
        let seen = run(seed, None);
        assert!(seen.iter().all(|(r, _)| r.is_ok()), "seed {seed}");
        for (record, _) in seen {
            let r = record.unwrap();
            empty += u32::from(r.next_mask == 0 && !r.done);
            rides +=
                u32::from(r.event == Event::Exit && r.mask != 0 && r.next_mask == 0 && !r.done);
            parts += u32::from(r.front.is_some_and(|t| t.kind == SUBV));
        }
    }
    assert!(
        empty > 5000 && parts > 500 && rides > 100,
        "thin: {empty} {parts} {rides}"
    );
    let of_the_unit = &Mutation::MASKS[..11];
    assert_eq!(of_the_unit.last(), Some(&Mutation::SubVectorWakesAllParts));
    for &mutation in of_the_unit {
        let noticed = (0..500).any(|seed| {
            let mutated = catch_unwind(AssertUnwindSafe(|| run(seed, Some(mutation))));
            mutated.map_or(true, |seen| seen != run(seed, None))
        });
        assert!(noticed, "{mutation:?}");
    }
}

fn random_operation(rng: &mut ChaCha8Rng, pc: u32) -> Operation {
    let selected = rng.gen::<u64>() & 0xff & if rng.gen() { u64::MAX } else { rng.gen() };
    let target = pc.saturating_sub(2) + rng.gen_range(0..5);
    match rng.gen_range(0..20) {
        0..=4 => set(selected),
        5 => set(0xff),
        6 => set(0),
        7 => jump(target),
        8..=9 => subv(target),
        10..=11 => Operation::Push {
            kind: SYNC,
            address: target,
        },
        12..=13 => sync(selected, target),
        14..=15 => branch(selected, target),
        16 => Operation::Yield,
        17 => exit(if rng.gen() { selected } else { 0xff }),
        18 => Operation::Indirect { selected, target },
        _ => Operation::Next,
    }
}

// Programs.

const FN0: &str = "
_start: li   s0, 3
        slt  t0, s0, a0
        mset m1, t0
        mand.save m0, m1
        mbz  exec, else
        mul  s1, a0, a0
then:   sub  s1, s1, s0
else:   mandn exec, m0, exec
        mbz  exec, join
        mul  s1, s0, s0
other:  sub  s1, s1, a0
join:   mrestore m0
        exit";

#[test]
fn if_and_else_with_an_exec_mask() {
    let eight = Config {
        threads: 8,
        tokens: 16,
        ..small()
    };
    let run = run_as_alone(FN0, &eight);
    assert_eq!(run.masks_at("then"), [0xf0]);
    assert_eq!(run.masks_at("other"), [0x0f]);
    assert_eq!(run.register(9), [9, 8, 7, 6, 13, 22, 33, 46]);
    // With nobody in one of them its code is skipped.
    let run = run_as_alone(
        FN0,
        &Config {
            grid: Some(3),
            ..eight
        },
    );
    assert_eq!(
        (run.masks_at("then"), run.masks_at("other")),
        (vec![], vec![0x07])
    );
}

/// MASK-021.
#[test]
fn mask_021_without_the_skip_branch_the_warp_runs_on_as_no_ops() {
    let source = FN0
        .replace("mbz  exec, else", "nop")
        .replace("mbz  exec, join", "nop");
    let config = Config {
        grid: Some(3),
        ..small()
    };
    let run = run_as_alone(&source, &config);
    assert_eq!(run.masks_at("then"), [0]);
    assert_eq!(run.register(9)[..3], [9, 8, 7]);
}

/// MASK-021.
#[test]
fn mask_021_jal_jumps_and_nothing_else_acts_without_active_threads() {
    let source = "
_start: mclr exec
        li   s2, 1
        sw   s2, 0(zero)
        jal  ra, over
        ebreak
over:   beqz zero, away
        ssy  away
        yield
        exit
        mset m1, a1
        mput m2, a1
        mones m3
        mmov exec, m3
        mscc s3
        exit
away:   ebreak";
    let run = run_as_alone(source, &small());
    assert_eq!(
        (run.register(18), run.register(19)),
        (vec![0; 4], vec![1; 4])
    );
    assert_eq!(run.register(1), [0; 4], "no link is written");
    assert_eq!(run.machine.masks(0).registers()[1..4], [0, 0, 15]);
}

/// MASK-022.
#[test]
fn mask_022_a_program_that_never_restores_runs_into_what_follows() {
    let run = run("_start: mclr exec\n exit\n end: .word 0", &small());
    let fault = Fault {
        warp: 0,
        thread: 0,
        lane: 0,
        pc: run.program.symbols["end"],
        cause: FaultCause::IllegalInstruction(0),
    };
    assert_eq!(run.outcome, Outcome::Faulted(vec![fault]));
}

/// MASK-023.
#[test]
fn mask_023_a_fault_without_active_threads_names_the_lowest_masked_one() {
    let source = "_start: beqz a0, quit\n mclr exec\n .word 0\n quit: exit";
    let run = run(
        source,
        &Config {
            path: PathPolicy::TakenFirst,
            ..small()
        },
    );
    let Outcome::Faulted(faults) = run.outcome else {
        panic!()
    };
    assert_eq!((faults[0].lane, faults[0].pc), (1, 0x1008));
}

/// MASK-030, MASK-032.
#[test]
fn mask_030_threads_outside_the_write_mask_do_nothing_at_all() {
    let source = "
_start: andi t0, a0, 1
        mset m2, t0
        lui  t1, 0x80000            # not mapped
        beqz t0, 1f
        la   t1, word
1:      sync join
join:   mpred m2, 3
        addi s2, s2, 5
        amoadd.w s3, a1, (t1)
        sw   a0, 4(t1)
        addi s4, s4, 1
        exit
        .data
word:   .word 0, 0";
    let run = run_as_alone(
        source,
        &Config {
            yield_every: 0,
            ..small()
        },
    );
    assert_eq!(run.register(18), [0, 5, 0, 5]);
    assert_eq!(run.register(20), [1; 4]);
    assert_eq!(run.word("word"), 8);
    let thread = |lane| run.machine.thread(0, lane).instret;
    assert_eq!(thread(2) + 2, thread(1), "MASK-032: but for the la");
}

/// MASK-031.
#[test]
fn mask_031_only_data_instructions_stand_in_a_block() {
    for (instr, word) in [
        ("beqz a0, .", 0x0005_0063),
        ("mset m1, a0", 0x0005_40db),
        ("mpred m1, 1", 0x0010_e05b),
        ("ssy .", 0x0000_000b),
        ("subv.start .", 0x0000_060b),
        ("yield", 0x0000_105b),
        ("exit", 0x0000_205b),
        ("jal .", 0x0000_00ef),
    ] {
        let source = format!("_start: mpred m0, 2\n nop\n {instr}\n exit");
        let run = run(&source, &small());
        let Outcome::Faulted(faults) = run.outcome else {
            panic!("{instr}")
        };
        assert_eq!(
            faults[0].cause,
            FaultCause::IllegalInstruction(word),
            "{instr}"
        );
        let alone = Oracle::new(&run.program, &small()).unwrap().run(100);
        assert_eq!(
            alone.err().map(|f| f.cause),
            Some(faults[0].cause),
            "{instr}"
        );
    }
}

/// MASK-040.
#[test]
fn mask_040_a_divergent_branch_inside_a_masked_region() {
    let source = "
_start: andi t0, a0, 1
        mset m1, t0
        mand.save m0, m1            # 1 and 3
        ssy  join
        li   t1, 1
        beq  a0, t1, one
        li   s2, 30
        sync join
one:    li   s2, 10
        sync join
join:   addi s2, s2, 1
inside: mandn exec, m0, exec
        li   s2, 2
        mrestore m0
        exit";
    let run = run_as_alone(source, &small());
    assert_eq!(run.masks_at("inside"), [0b1010]);
    assert_eq!(run.register(18), [2, 11, 2, 31]);
}

/// MASK-041.
#[test]
fn mask_041_a_yield_inside_a_masked_region_goes_on_with_the_same_threads() {
    let source = "
_start: andi t0, a0, 1
        ssy  quit                   # a token, so that the yield fires
        mset m1, t0
        mand.save m0, m1
        yield
inside: addi s2, s2, 1
        mrestore m0
        addi s2, s2, 1
        sync quit
quit:   exit";
    let run = run_as_alone(source, &small());
    assert_eq!(run.masks_at("inside"), [0b1010]);
    assert_eq!(run.register(18), [1, 2, 1, 2]);
    assert_eq!(run.machine.stats().total.yields_fired, 1);
}

/// MASK-060, the other way round: what the rule forbids does go wrong, and is seen: the registers are the warp's
/// (MASK-001).
#[test]
fn mask_060_groups_that_yield_inside_regions_disturb_each_other() {
    let source = "
_start: andi t0, a0, 1
        beqz t0, 1f
1:      ssy  quit
        srli t1, a0, 1
        beqz t0, even
odd:    mset m1, t1
        mand.save m0, m1
        yield
        mrestore m0
        addi s2, s2, 1
        sync quit
even:   mset m1, t1
        mand.save m0, m1
        mrestore m0
        addi s2, s2, 1
        sync quit
quit:   exit";
    let run = run(
        source,
        &Config {
            path: PathPolicy::FallThroughFirst,
            ..small()
        },
    );
    assert!(!matches!(run.outcome, Outcome::Done), "{:?}", run.outcome);
}

/// MASK-043, SUBV-004, SUBV-010.
#[test]
fn mask_043_a_sub_vector_loop_inside_a_masked_region_and_the_other_way_round() {
    let source = "
_start: andi t0, a0, 1
        mset m1, t0
        mand.save m0, m1
        subv.start end
part:   addi s2, s2, 1
        sync end
end:    mrestore m0
        subv.start last
        srli t0, a0, 1
        andi t0, t0, 1
        mset m1, t0
        mand.save m0, m1
mask:   addi s2, s2, 2
        mrestore m0
        sync last
last:   exit";
    let config = Config {
        threads: 8,
        tokens: 16,
        lanes: Some(4),
        ..small()
    };
    let run = run_as_alone(source, &config);
    assert_eq!(run.masks_at("part"), [0x0a, 0xa0]);
    assert_eq!(run.masks_at("mask"), [0x0c, 0xc0]);
    assert_eq!(run.masks_at("last"), [0xff]);
}

/// MASK-070.
#[test]
fn mask_070_an_instruction_takes_a_cycle_for_each_part_that_it_has_threads_in() {
    let config = Config {
        threads: 16,
        tokens: 32,
        lanes: Some(4),
        ..small()
    };
    let passes = |source: &str, grid| {
        let config = Config {
            grid: Some(grid),
            ..config.clone()
        };
        run(source, &config).machine.stats().total.passes
    };
    assert_eq!(passes("_start: nop\n exit", 16), 8);
    assert_eq!(passes("_start: nop\n exit", 9), 6);
    assert_eq!(passes("_start: mclr m0\n exit", 16), 5);
    assert_eq!(
        passes("_start: mclr m0\n mpred m0, 1\n nop\n exit", 16),
        1 + 1 + 1 + 4
    );
    let masked = "_start: mclr exec\n nop\n mones m0\n mmov exec, m0\n exit";
    assert_eq!(passes(masked, 16), 4 + 4);
    // SUBV-030: parts one after the other cost the same.
    assert_eq!(
        passes("_start: subv.start 1f\n nop\n sync 1f\n 1: exit", 16),
        4 + 4 + 4 + 4
    );
}

#[test]
fn subv_013_auto_obeys_the_force_bits() {
    let source = "_start: subv.auto end\n part: nop\n sync end\n end: exit";
    for (subvector, masks) in [
        (Force::Measured, vec![0xff]),
        (Force::Regular, vec![0xff]),
        (Force::SubVector, vec![0x0f, 0xf0]),
    ] {
        let config = Config {
            threads: 8,
            tokens: 16,
            lanes: Some(4),
            subvector,
            ..small()
        };
        assert_eq!(run_as_alone(source, &config).masks_at("part"), masks);
    }
}

#[test]
fn subv_014_in_regular_mode_the_regions_around_a_loop_stay_together() {
    let source = "
_start: ssy  join
        andi t0, a0, 1
        beqz t0, even
        subv.auto end
        addi s2, s2, 1
        sync end
end:    sync join
even:   sync join
join:   exit";
    let config = Config {
        subvector: Force::Regular,
        ..small()
    };
    assert_eq!(run_as_alone(source, &config).masks_at("join"), [0b1111]);
}

/// W = 8 on 4 lanes, registers from x24 on shared.
fn sharing() -> Config {
    Config {
        threads: 8,
        tokens: 16,
        lanes: Some(4),
        shared_from: 24,
        ..small()
    }
}

#[test]
fn subv_020_shared_registers_work_within_a_part() {
    let source = "
_start: subv.start end
        slli s8, a0, 1
        addi s2, s8, 1
        sync end
end:    exit";
    let run = run_as_alone(source, &sharing());
    assert_eq!(run.register(18), [1, 3, 5, 7, 9, 11, 13, 15]);
}

#[test]
fn subv_023_misuse_of_shared_registers_is_an_error() {
    let outside = |register| FaultCause::SharedRegister {
        register,
        inside: false,
    };
    let stale = |register| FaultCause::SharedRegister {
        register,
        inside: true,
    };
    for (source, lane, cause) in [
        ("_start: addi s8, zero, 1\n exit", 0, outside(24)),
        ("_start: add s2, s2, t6\n exit", 0, outside(31)),
        (
            "_start: subv.start end\n mv s2, s9\n sync end\n end: exit",
            0,
            stale(25),
        ),
        (
            "_start: subv.start end\n li s9, 1\n sync end\n end: mv s2, s9\n exit",
            0,
            outside(25),
        ),
        // Another part overwrites it during a yield.
        (
            "_start: subv.start end\n mv s9, a0\n yield\n mv s2, s9\n sync end\n end: exit",
            0,
            stale(25),
        ),
        ("_start: mset m0, s9\n exit", 0, outside(25)),
    ] {
        let run = run(source, &sharing());
        let Outcome::Faulted(faults) = run.outcome else {
            panic!("{source}")
        };
        assert_eq!((faults[0].lane, faults[0].cause), (lane, cause), "{source}");
    }
    let text = stale(25).to_string();
    assert_eq!(
        text,
        "shared register x25 does not hold a value of this part"
    );
    assert_eq!(
        outside(25).to_string(),
        "shared register x25 outside sub-vector mode"
    );
}

// Random programs: every thread does what it does alone.

fn random_case(seed: u64) -> (String, Config) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (warps, threads) = *[(1, 4), (2, 4), (1, 8), (2, 16), (1, 32), (1, 64)]
        .choose(&mut rng)
        .unwrap();
    let lanes = threads >> rng.gen_range(0..3);
    let grid = rng
        .gen_bool(0.3)
        .then(|| rng.gen_range(1..=(warps * threads) as u32));
    let config = Config {
        warps,
        threads,
        grid,
        memory: 0x8000,
        stack: 16,
        yield_every: rng.gen_range(0..3),
        forced_yield: 0,
        path: *PathPolicy::ALL.choose(&mut rng).unwrap(),
        lanes: Some(lanes.max(2)),
        subvector: [Force::Regular, Force::SubVector][rng.gen_range(0..2)],
        ..Config::default()
    };
    let mut draw = |n| rng.gen_range(0..n);
    (weft_sim::masked::program(&mut draw), config)
}

/// What a mask instruction met, for the coverage.
type Seen = BTreeMap<(&'static str, &'static str, &'static str), u64>;

fn difference(seed: u64, mutation: Option<Mutation>, seen: &mut Seen) -> Result<(), String> {
    let (source, config) = random_case(seed);
    let program = common::assembled(&source);
    let expected = match Oracle::new(&program, &config).unwrap().run(200_000) {
        Ok(OracleOutcome::Finished(result)) => result,
        other => panic!("seed {seed}: {other:?}\n{source}"),
    };
    let mut machine = Machine::new(&program, &config).unwrap();
    if let Some(mutation) = mutation {
        machine = machine.with_mutation(mutation);
    }
    let mut steps = 0;
    while !machine.is_finished() {
        for warp in 0..config.warps {
            if !machine.is_runnable(warp) {
                continue;
            }
            note(&machine, warp, seen);
            let step = catch_unwind(AssertUnwindSafe(|| machine.step(warp)));
            step.map_err(|_| "panic".to_string())?
                .map_err(|fault| fault.to_string())?;
            steps += 1;
            if steps > 2_000_000 {
                return Err("not finished".into());
            }
        }
    }
    for (number, want) in expected.threads.iter().enumerate() {
        let got = machine.thread(number / config.threads, number % config.threads);
        if got != want {
            return Err(format!(
                "thread {number}: {got:x?}, alone {want:x?}\n{source}\n{config:?}"
            ));
        }
    }
    let all = 0x1000..config.memory;
    match machine.memory().slice(all.clone()) == expected.memory.slice(all) {
        true => Ok(()),
        false => Err("memory differs".into()),
    }
}

/// Mask instruction × divergence state × pass.
fn note(machine: &Machine, warp: usize, seen: &mut Seen) {
    let control = machine.warp(warp);
    let word = machine.memory().read_u32(control.pc() * 4);
    let Ok(Ok(Instr::Mask(instr))) = word.map(weft_isa::decode) else {
        return;
    };
    let what = match instr {
        MaskInstr::Logic { md: Mask::EXEC, .. } => "set exec",
        MaskInstr::Logic { op, .. } => op.name(),
        MaskInstr::Save { .. } => "save",
        MaskInstr::Set { .. } => "mset",
        MaskInstr::Branch { .. } => "branch",
        MaskInstr::BranchCondition { .. } => "branch scc",
        MaskInstr::Predicate { .. } => "mpred",
        _ => return,
    };
    let masked = control.waiting_for(MASKED) != 0;
    let waiting = control.active() | control.ended() | control.waiting_for(MASKED);
    let parted = waiting.count_ones() < machine.config().threads as u32;
    let state = match (control.active() == 0, masked, parted) {
        (true, _, false) => "nobody on",
        (true, _, true) => "nobody on, others wait",
        (false, false, false) => "whole",
        (false, true, false) => "some masked",
        (false, false, true) => "others wait",
        (false, true, true) => "some masked, others wait",
    };
    let lanes = machine.config().lanes();
    let part = control.active().checked_shr(lanes as u32).unwrap_or(0) == 0;
    let pass = match (lanes == machine.config().threads, part) {
        (true, _) => "one pass",
        (false, true) => "first part only",
        (false, false) if control.waiting_for(SUBV) != 0 => "a part, others wait",
        (false, false) => "several passes",
    };
    *seen.entry((what, state, pass)).or_default() += 1;
}

#[test]
fn programs_with_masks_do_in_every_thread_what_it_does_alone() {
    let mut seen = Seen::new();
    let programs = match std::env::var("WEFT_PROGRAMS") {
        Ok(text) => text.parse().unwrap(),
        Err(_) => 3000,
    };
    for seed in 0..programs {
        if let Err(message) = difference(seed, None, &mut seen) {
            let (source, config) = random_case(seed);
            panic!("seed {seed}: {message}\n{source}\n{config:?}");
        }
    }
    let thin: Vec<_> = seen.iter().filter(|(_, &count)| count < 20).collect();
    println!(
        "{programs} programs, {} kinds of situation: {seen:?}",
        seen.len()
    );
    // 13 instructions in 6 states and 4 kinds of pass;
    // with nobody on there is no part, and a ballot has nothing to count.
    assert!(
        seen.len() - thin.len() >= 180,
        "{} of {}, thin: {thin:?}",
        seen.len() - thin.len(),
        seen.len()
    );
}

#[test]
fn programs_with_masks_notice_departures() {
    // Who goes first, and whether tokens are kept, changes no result.
    let silent = [
        Mutation::JumpsAreCounted,
        Mutation::MaskedDropTokens,
        Mutation::HighestPartFirst,
        Mutation::SubVectorWakesAllParts,
        // Skips only.
        Mutation::JumpNeedsThreads,
        // The datapath asks for nothing else then.
        Mutation::EmptyMaskActs,
        // There is no `.save` of a register into itself.
        Mutation::SaveWritesFirst,
    ];
    for mutation in Mutation::MASKS {
        let noticed =
            (0..1000).find(|&seed| difference(seed, Some(mutation), &mut Seen::new()).is_err());
        println!("{mutation:?}: {noticed:?}");
        assert_eq!(
            noticed.is_none(),
            silent.contains(&mutation),
            "{mutation:?}"
        );
    }
}

/// The departures of the mask unit that programs need not notice, or only by what they read.
#[test]
fn directed_programs_notice_departures_of_the_mask_unit() {
    let saves = "_start: mset m1, a0\n mand.save m1, m1\n mscc s2\n mget s3, exec\n mones m2\n mmov exec, m2\n exit";
    let ballot = "_start: mones m1\n mset m0, a0\n mmov exec, m0\n mset m1, a0\n mget s2, m1\n mones m2\n mmov exec, m2\n exit";
    for (source, mutation) in [
        (saves, Mutation::SaveWritesFirst),
        (saves, Mutation::SaveClearsCondition),
        (ballot, Mutation::BallotKeepsOthers),
    ] {
        let registers = |mutation| {
            let run = run_mutated(source, &small(), mutation);
            assert_eq!(run.outcome, Outcome::Done);
            (run.register(18), run.register(19))
        };
        assert_ne!(registers(Some(mutation)), registers(None), "{mutation:?}");
    }
}
