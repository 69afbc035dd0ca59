//! MASK, one requirement at a time, in lockstep on the hardware (docs/spec/masks.md, *What holds*,
//! CONV-110 to 123).

mod common;

use common::{all, levels, operate, KINDS};
use std::collections::VecDeque;
use weft_ports::control::{barrier, Op};
use weft_testbench::lanes::{Lanes, Resolve};
use weft_testbench::monitor::Monitor;
use weft_testbench::script::{Script, Select};
use weft_testbench::session::Levels;

/// Where the warp was, then pc, mask and tokens with which it goes on; 0 and 0 when it is done or blocked.
type Seen = (u32, u32, u64, usize);

fn check(lanes: impl Lanes + Clone, levels: Levels, want: &[Seen]) {
    for kind in KINDS {
        let (records, traps) = operate(kind, lanes.clone(), &[all(0)], levels);
        let seen: Vec<Seen> = records
            .iter()
            .map(|r| (r.pc, r.next_pc, r.next_mask, r.depth))
            .collect();
        assert_eq!(seen, want, "{}", kind.name());
        assert!(traps.is_empty() && records.last().unwrap().done);
    }
}

/// Parts of so many threads.
fn parts(lanes: u8) -> Levels {
    let mut levels = levels(1, 0);
    levels.policy.lanes = lanes;
    levels
}

/// MASK-020, MASK-021.
#[test]
fn a_restore_wakes_only_masked_threads_and_nothing_acts_without_active_ones() {
    let script = Script::default()
        .raw(Op::Exit as u8, 0, Select::Mask(0b1000), 0)
        .branch(Select::Lowest, 3)
        .jump(7)
        .set(Select::Exactly(0b1110))
        // Reserved: an exception, if anybody were active.
        .push(13, 0)
        .jump(6)
        .set(Select::Exactly(0xf))
        .exit();
    let want = [
        (0, 1, 0x7, 0),
        (1, 3, 0x1, 1),
        (3, 4, 0, 1),
        (4, 5, 0, 1),
        (5, 6, 0, 1),
        // 1 and 2 wait for their turn, 3 has ended.
        (6, 7, 0x1, 1),
        (7, 2, 0x6, 0),
        (2, 7, 0x6, 0),
        (7, 0, 0, 0),
    ];
    check(script, levels(1, 0), &want);
}

/// MASK-040.
#[test]
fn mask_040_a_divergent_branch_inside_a_masked_region() {
    let script = Script::default()
        .push(0, 5)
        .set(Select::Mask(0b0111))
        .branch(Select::Lowest, 4)
        .next()
        .leave(0, Select::All, 5)
        .set(Select::Exactly(0xf))
        .exit();
    let want = [
        (0, 1, 0xf, 1),
        (1, 2, 0x7, 1),
        (2, 4, 0x1, 2),
        (4, 3, 0x6, 1),
        (3, 4, 0x6, 1),
        // The token names thread 3, which is masked and stays off.
        (4, 5, 0x7, 0),
        (5, 6, 0xf, 0),
        (6, 0, 0, 0),
    ];
    check(script, levels(1, 0), &want);
}

/// MASK-041.
#[test]
fn mask_041_a_yield_inside_a_masked_region() {
    let script = Script::default()
        .branch(Select::Mask(0b1100), 5)
        .exit()
        .next()
        .next()
        .next()
        .set(Select::Mask(0b0100))
        .yield_()
        .set(Select::Exactly(0xf))
        .exit();
    let want = [
        (0, 5, 0xc, 1),
        (5, 6, 0x4, 1),
        (6, 1, 0x3, 1),
        // 0 and 1 end beside a masked thread: the one that has yielded goes on.
        (1, 7, 0x4, 0),
        (7, 8, 0xc, 0),
        (8, 0, 0, 0),
    ];
    check(script, levels(1, 0), &want);
}

/// A script, and WAKEs of warp 0, each as soon as `when` says so.
#[derive(Clone)]
struct Woken {
    script: Script,
    when: fn(&Monitor) -> bool,
    wakes: VecDeque<(u64, u32)>,
}

impl Lanes for Woken {
    fn resolve(&mut self, warp: usize, pc: u32, active: u64) -> Resolve {
        self.script.resolve(warp, pc, active)
    }

    fn wake(&mut self, monitor: &Monitor) -> Option<(usize, Resolve)> {
        if !(self.when)(monitor) {
            return None;
        }
        let (mask, target) = self.wakes.pop_front()?;
        let wake = Resolve {
            op: Op::Barrier as u8,
            kind: barrier::WAKE,
            mask,
            target,
        };
        Some((0, wake))
    }
}

/// MASK-042.
#[test]
fn mask_042_a_barrier_inside_a_masked_region() {
    let script = Script::default()
        .set(Select::Mask(0b0111))
        .raw(Op::Barrier as u8, barrier::SLEEP, Select::All, 0)
        .exit()
        .exit()
        .set(Select::Exactly(0xf))
        .exit();
    let lanes = Woken {
        script,
        when: |monitor| monitor.blocked(0),
        wakes: VecDeque::from([(0x8, 2), (0x9, 2), (0x6, 3)]),
    };
    let want = [
        (0, 1, 0x7, 0),
        (1, 0, 0, 0),
        // Thread 3 does not sleep.
        (1, 0, 0, 0),
        (1, 2, 0x1, 0),
        (2, 0, 0, 0),
        (2, 3, 0x6, 0),
        // Only thread 3 is left, and masked: the warp runs on.
        (3, 4, 0, 0),
        (4, 5, 0x8, 0),
        (5, 0, 0, 0),
    ];
    check(lanes, levels(1, 0), &want);
}

#[test]
fn conv_154_threads_woken_beside_a_warp_that_runs_on_without_active_ones_wait_for_their_turn() {
    let script = Script::default()
        .raw(Op::Barrier as u8, barrier::SLEEP, Select::Lowest, 0)
        .set(Select::Nobody)
        .next()
        .set(Select::Exactly(0xe))
        .exit();
    let lanes = Woken {
        script,
        when: |monitor| monitor.ready(0) == Some((2, 0)),
        wakes: VecDeque::from([(0xf, 4)]),
    };
    let want = [
        (0, 1, 0xe, 0),
        (1, 2, 0, 0),
        (2, 2, 0, 1),
        (2, 3, 0, 1),
        (3, 4, 0xe, 1),
        (4, 4, 0x1, 0),
        (4, 0, 0, 0),
    ];
    check(lanes, levels(1, 0), &want);
}

#[test]
fn conv_122_a_sub_vector_loop_runs_part_by_part() {
    let script = Script::default()
        .subv_start(3)
        .next()
        .leave(0, Select::All, 3)
        .exit();
    let want = [
        (0, 1, 0x3, 2),
        (1, 2, 0x3, 2),
        (2, 1, 0xc, 1),
        (1, 2, 0xc, 1),
        (2, 3, 0xf, 0),
        (3, 0, 0, 0),
    ];
    check(script.clone(), parts(2), &want);
    let want = [
        (0, 1, 0x1, 2),
        (1, 2, 0x1, 2),
        (2, 1, 0x2, 2),
        (1, 2, 0x2, 2),
        (2, 1, 0x4, 2),
        (1, 2, 0x4, 2),
        (2, 1, 0x8, 1),
        (1, 2, 0x8, 1),
        (2, 3, 0xf, 0),
        (3, 0, 0, 0),
    ];
    check(script.clone(), parts(1), &want);
    let want = [(0, 1, 0xf, 1), (1, 2, 0xf, 1), (2, 3, 0xf, 0), (3, 0, 0, 0)];
    for lanes in [4, 0] {
        check(script.clone(), parts(lanes), &want);
    }
}

/// MASK-043.
#[test]
fn mask_043_a_sub_vector_loop_inside_a_masked_region_and_the_other_way_round() {
    let script = Script::default()
        .set(Select::Mask(0b1011))
        .subv_start(4)
        // In each part but one thread goes on.
        .set(Select::Mask(0b1001))
        .leave(0, Select::All, 4)
        .set(Select::Exactly(0xf))
        .exit();
    let want = [
        (0, 1, 0xb, 0),
        (1, 2, 0x3, 2),
        (2, 3, 0x1, 2),
        (3, 2, 0x8, 1),
        (2, 3, 0x8, 1),
        (3, 4, 0x9, 0),
        (4, 5, 0xf, 0),
        (5, 0, 0, 0),
    ];
    check(script, parts(2), &want);
}

#[test]
fn a_slot_that_starts_again_is_not_blocked_any_more() {
    let script = Script::default()
        .raw(Op::Barrier as u8, barrier::SLEEP, Select::All, 0)
        .push(15, 0);
    for kind in KINDS {
        // A blocked warp ends by the fault of a thread that was woken;
        // what runs on in its slot afterwards is not blocked.
        let lanes = Woken {
            script: script.clone(),
            when: |monitor| monitor.blocked(0),
            wakes: VecDeque::from([(0x1, 1), (0x1, 1)]),
        };
        let (records, traps) = operate(kind, lanes, &[all(0), all(0)], levels(1, 0));
        assert_eq!((records.len(), traps.len()), (4, 2), "{}", kind.name());
    }
}
