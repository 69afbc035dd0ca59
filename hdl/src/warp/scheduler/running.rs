//! Who waits for what, who runs; ports and counters.
//!
//! Kernel of the scheduler, parts 3 and 4.

use super::Scheduler;
use crate::bundles::FetchPorts;
use crate::hdl::*;

/// What each warp waits for, a bit per warp.
pub struct Waits;

#[part(Scheduler<NW, WI, WH, WA, SB, W, LB, DUAL>, Waits)]
fn update(&mut self) {
    // ---- Who waits for what.
    self.push_check_bit.next = self.no_warps.val();
    if self.push_checks.val() {
        self.push_check_bit.next = self.push_bit.val();
    }
    self.waiting.reset.next = self.reset.val();
    self.waiting.clear.next = self.scoreboard.clear.val();
    carry!(self.waiting <- self: issue_check = next_there, issuing);
    carry!(self.waiting <- self.*.q: issue = issues, issue_warp = i_warp);
    carry!(self.waiting <- self: issue_instruction = next, issue_rd = next_waits_rd);
    carry!(self.waiting.issue_* <- self.next_waits_*: rs1, rs2);
    carry!(self.waiting <- self:
        push_alone, push_check = push_checks, push_check_bit, push_warp, push_instruction = pushed,
    );
    carry!(self.waiting.push_* <- self.pushed_hazard: rd, rs1, rs2);
    carry!(self.waiting <- self:
        done0_valid, done0_warp, done0_rd, done1_valid, done1_warp, done1_rd,
    );
    carry!(self.waiting <- self.scoreboard:
        issue_full = filled, push_full = push_filled, push_flies, left0_any, left0_many, left1_any,
        left1_many,
    );
    carry!(self.scoreboard <- self:
        done0_valid, done0_warp, done0_rd, done1_valid, done1_warp, done1_rd,
    );
    carry!(self.scoreboard <- self.waiting: done0_of = done0_before, done1_of = done1_before);
    // Whether its unit will be free is found for the class that it has then.
    self.pushed_usable.next = self
        .ahead
        .val()
        .get_bit(self.pushed.val().get_bits::<3>(0).index());
    self.will_use.next = self.no_warps.val();
    for i in 0..NW {
        if self.push_check_bit.val().get_bit(i) {
            self.class[i].d.next = self.pushed.val().get_bits::<3>(0);
            if self.pushed_usable.val() {
                self.will_use.next = self.will_use.val() | self.bit[i].val();
            }
        } else if self.issues.q.val().get_bit(i) {
            self.class[i].d.next = self.next.val().get_bits::<3>(0);
            if self.next_usable.val() {
                self.will_use.next = self.will_use.val() | self.bit[i].val();
            }
        } else if self.may_use.val().get_bit(i) {
            self.will_use.next = self.will_use.val() | self.bit[i].val();
        }
    }
    // Who is granted now is no candidate in the next cycle.
    self.usable.d.next = self.will_use.val() & !self.granted.val();
}

/// Starts and stops, which win; supply, ports, counters.
pub struct Running;

#[part(Scheduler<NW, WI, WH, WA, SB, W, LB, DUAL>, Running)]
fn update(&mut self) {
    // ---- Start and stop; they win.
    self.start_bit.next = self.no_warps.val();
    if self.start_valid.val() {
        self.start_bit.next = self.one_warp.val() << self.start_warp.val();
    }
    carry!(self.queue <- self: start_valid, start_warp, start_pc);
    self.running.d.next = (self.running.q.val() | self.start_bit.val()) & !self.stop_bit.val();
    self.present_issue.next = self.present.q.val() & !self.issues.q.val();
    if self.next_there.val() {
        self.present_issue.next = self.present.q.val() | self.issues.q.val();
    }
    // Behind an issue of the same warp there is one, that which is left or that which is pushed.
    self.push_queues.next = self.no_warps.val();
    if self.push_alone.val() | self.push_same.val() {
        self.push_queues.next = self.push_bit.val();
    }
    self.present.d.next =
        (self.present_issue.val() | self.push_queues.val()) & !self.stop_bit.val();
    self.room_left.next = self.left.val() < self.few.val();
    // An issue takes no room. What is pushed for that warp in the same cycle goes before it.
    self.room_issue.next = self.room.q.val();
    if self.room_left.val() {
        self.room_issue.next = self.room.q.val() | self.issues.q.val();
    }
    self.room_push.next = self.room_issue.val() & !self.push_bit.val();
    if self.queue.push_few.val() {
        self.room_push.next = self.room_push.val() | self.push_bit.val();
    }
    self.room.d.next = self.room_push.val() | self.start_bit.val();
    carry!(self.mask <- self: write_enable = start_valid, write_address = start_warp);
    self.mask.write_data.next = self.start_mask.val();
    self.mask.read_address.next = self.i_warp.q.val();

    // ---- Supply.
    carry!(self.supply <- self: start = start_bit, start_valid, start_warp, start_pc);
    self.predict_bit.next = self.no_warps.val();
    if self.predict_valid.val() {
        self.predict_bit.next = self.one_warp.val() << self.predict_warp.val();
    }
    carry!(self.supply <- self: predict = predict_bit, predict_warp, predict_pc);
    carry!(self.supply <- self: stop = stop_bit, stop_valid, stop_warp, flush);
    self.supply.room.next = self.room.q.val();
    carry!(self.supply.line_* <- self.line: valid, warp, slot, data);
    FetchPorts::<WI>::link(&mut self.fetch, &mut self.supply.fetch);
    carry!(self <- self.supply: decode_word0, decode_word1);
    carry!(self.p_*.d <- self.supply.decode_*: word0, word1);

    // ---- Out.
    self.o_valid.d.next = self.issuing.val();
    self.o_warp.d.next = self.i_warp.q.val();
    carry!(self.o_*.d <- self: first, second, other);
    carry!(self.issue_* <- self.o_*.q: valid, warp);
    self.issue_pc.next = self.queue.first_pc.val();
    self.issue_mask.next = self.mask.read_data.val();
    self.issue_word.next = self.queue.first_word.val();
    self.issue_decoded.next = self.o_first.q.val();
    self.second_valid.next = self.o_second.q.val();
    self.second_word.next = self.queue.other_word.val();
    self.second_decoded.next = self.o_other.q.val();
    self.status_running.next = self.running.q.val();
    self.status_flight.next = self.scoreboard.flight.val();

    // ---- Counters.
    self.counters.running.next = self.running.q.val();
    self.counters.wants.next = self.supply.wants.val();
    self.counters.held.next = self.hold.val();
    self.counters.present.next = self.present.q.val();
    self.counters.blocked.next = self.blocked.val();
    self.counters.usable.next = self.usable.q.val();
    carry!(self.counters <- self.counter: clear, hold);
    carry!(self.counters <- self: second, issued = issuing);
    self.counters.issued_warp.next = self.i_warp.q.val();
    self.counters.select.next = self.counter.select.val();
    self.counter.value.next = self.counters.value.val();

    // ---- Reset wins.
    if self.reset.val() {
        spread!(self.*.d <- self.no_warps: running, present, room);
        self.i_valid.d.next = false;
        self.issues.d.next = self.no_warps.val();
        self.launched.d.next = false;
        self.o_valid.d.next = false;
        self.o_second.d.next = false;
    }
}
