//! Which warp is granted, and what it is aimed at.
//!
//! Kernel of the scheduler, part 1.

use super::Scheduler;
use crate::hdl::*;

/// The candidate of this cycle, and the row of the one that is granted (SCHED-010 to 013).
pub struct Pick;

#[part(Scheduler<NW, WI, WH, WA, SB, W, LB, DUAL>, Pick)]
fn update(&mut self) {
    spread!(self.*.reset <- self.reset: scoreboard, queue);
    self.queue.clear.next = self.scoreboard.clear.val();
    spread!(self.*.reset <- self.reset: supply, counters);

    // ---- Pick.
    self.free.next = bit_cast::<8, 5>(self.unit_free.val());
    self.slow.next = bit_cast::<8, 5>(self.cfg_slow.val());
    self.blocked.next = self.waiting.blocked.val();
    self.ahead.next = bit_cast::<8, 5>(self.unit_ahead.val());
    self.may_use.next = self.no_warps.val();
    for i in 0..NW {
        if self.ahead.val().get_bit(self.class[i].q.val().index()) {
            self.may_use.next = self.may_use.val() | self.bit[i].val();
        }
    }
    self.ready.next =
        self.present.q.val() & self.usable.q.val() & !self.hold.val() & !self.blocked.val();
    spread!(self <- self.no_warps: class0, class1, class2);
    for i in 0..NW {
        self.class0.next = self
            .class0
            .val()
            .replace_bit(i, self.class[i].q.val().get_bit(0));
        self.class1.next = self
            .class1
            .val()
            .replace_bit(i, self.class[i].q.val().get_bit(1));
        self.class2.next = self
            .class2
            .val()
            .replace_bit(i, self.class[i].q.val().get_bit(2));
    }
    // Loose round robin has no levels.
    self.in_turn.next = self.cfg_policy.val() == self.round_robin.val();
    self.greedy_first.next = self.cfg_policy.val() == self.greedy_oldest.val();
    self.was_in_turn.d.next = self.in_turn.val();
    self.sets_level.next = self.level_valid.val() & !self.in_turn.val() & !self.was_in_turn.q.val();
    // A launch touches one cycle later, when its level has been looked up.
    self.launched.d.next = self.start_valid.val() & self.start_launch.val();
    self.launched_warp.d.next = self.start_warp.val();
    self.issuing.next = self.i_valid.q.val();
    carry!(self.picker <- self: reset, in_turn, greedy_first);
    self.picker.was_in_turn.next = self.was_in_turn.q.val();
    carry!(self.picker <- self: ready, issuing);
    carry!(self.picker <- self.*.q: issue = issues, issue_warp = i_warp);
    carry!(self.picker <- self.levels: issue_level, above_issue);
    carry!(self.picker <- self: level_valid = sets_level, level_warp, level_value);
    carry!(self.picker <- self.*.q: launch_valid = launched, launch_warp = launched_warp);
    self.picker.launch_level.next = self.levels.launch_level.val();
    self.granted.next = self.picker.granted.val();
    self.levels.reset.next = self.reset.val() | self.in_turn.val();
    self.levels.clear.next = self.scoreboard.clear.val();
    carry!(self.levels <- self:
        level_valid = sets_level, level_warp, level_value, launch_warp = start_warp,
    );

    // ---- Aim.
    self.aim_warp.next = self.no_warp.val();
    for b in 0..WI {
        self.aim_warp.next = self
            .aim_warp
            .val()
            .replace_bit(b, (self.granted.val() & self.numbers_with[b].val()).any());
    }
    self.granted_of.next = bit_cast::<3, 1>((self.granted.val() & self.class0.val()).any().into())
        | (bit_cast::<3, 1>((self.granted.val() & self.class1.val()).any().into()) << 1)
        | (bit_cast::<3, 1>((self.granted.val() & self.class2.val()).any().into()) << 2);
    self.granted_class.next = self.no_classes.val();
    if self.granted.val().any() {
        self.granted_class.next = self.one_class.val() << self.granted_of.val();
    }
    self.levels.aim_warp.next = self.aim_warp.val();
    carry!(self.queue <- self: aim = granted, aim_warp);
    // A warp that is stopped now does not run in the issue stage.
    self.stop_bit.next = self.no_warps.val();
    if self.stop_valid.val() {
        self.stop_bit.next = self.one_warp.val() << self.stop_warp.val();
    }
    self.goes.next = (self.granted.val() & self.running.q.val()).any()
        & !(self.stop_valid.val() & (self.stop_warp.val() == self.aim_warp.val()));
    self.i_valid.d.next = self.goes.val();
    // Not by `goes`, which is later.
    self.issues.d.next = self.granted.val() & self.running.q.val() & !self.stop_bit.val();
    self.i_warp.d.next = self.aim_warp.val();
}
