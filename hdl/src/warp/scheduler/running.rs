//! Who waits for what, who runs; ports and counters.
//!
//! Kernel of the scheduler, parts 3 and 4.

use super::Scheduler;
use crate::bundles::FetchPorts;
use crate::hdl::*;

/// What each warp waits for, a bit per warp.
pub struct Waits;

impl<
        const NW: usize,
        const WI: usize,
        const WH: usize,
        const WA: usize,
        const SB: usize,
        const W: usize,
        const LB: usize,
        const DUAL: usize,
    > kernel::Part<Waits> for Scheduler<NW, WI, WH, WA, SB, W, LB, DUAL>
{
    #[hdl_gen]
    fn update(&mut self) {
        // ---- Who waits for what.
        self.push_check_bit.next = self.no_warps.val();
        if self.push_checks.val() {
            self.push_check_bit.next = self.push_bit.val();
        }
        self.waiting.reset.next = self.reset.val();
        self.waiting.clear.next = self.scoreboard.clear.val();
        self.waiting.issue_check.next = self.next_there.val();
        self.waiting.issuing.next = self.issuing.val();
        self.waiting.issue.next = self.issues.q.val();
        self.waiting.issue_warp.next = self.i_warp.q.val();
        self.waiting.issue_instruction.next = self.next.val();
        self.waiting.issue_rd.next = self.next_waits_rd.val();
        self.waiting.issue_rs1.next = self.next_waits_rs1.val();
        self.waiting.issue_rs2.next = self.next_waits_rs2.val();
        self.waiting.push_alone.next = self.push_alone.val();
        self.waiting.push_check.next = self.push_checks.val();
        self.waiting.push_check_bit.next = self.push_check_bit.val();
        self.waiting.push_warp.next = self.push_warp.val();
        self.waiting.push_instruction.next = self.pushed.val();
        self.waiting.push_rd.next = self.pushed_hazard.rd.val();
        self.waiting.push_rs1.next = self.pushed_hazard.rs1.val();
        self.waiting.push_rs2.next = self.pushed_hazard.rs2.val();
        self.waiting.done0_valid.next = self.done0_valid.val();
        self.waiting.done0_warp.next = self.done0_warp.val();
        self.waiting.done0_rd.next = self.done0_rd.val();
        self.waiting.done1_valid.next = self.done1_valid.val();
        self.waiting.done1_warp.next = self.done1_warp.val();
        self.waiting.done1_rd.next = self.done1_rd.val();
        self.waiting.issue_full.next = self.scoreboard.filled.val();
        self.waiting.push_full.next = self.scoreboard.push_filled.val();
        self.waiting.push_flies.next = self.scoreboard.push_flies.val();
        self.waiting.left0_any.next = self.scoreboard.left0_any.val();
        self.waiting.left0_many.next = self.scoreboard.left0_many.val();
        self.waiting.left1_any.next = self.scoreboard.left1_any.val();
        self.waiting.left1_many.next = self.scoreboard.left1_many.val();
        self.scoreboard.done0_valid.next = self.done0_valid.val();
        self.scoreboard.done0_warp.next = self.done0_warp.val();
        self.scoreboard.done0_rd.next = self.done0_rd.val();
        self.scoreboard.done1_valid.next = self.done1_valid.val();
        self.scoreboard.done1_warp.next = self.done1_warp.val();
        self.scoreboard.done1_rd.next = self.done1_rd.val();
        self.scoreboard.done0_of.next = self.waiting.done0_before.val();
        self.scoreboard.done1_of.next = self.waiting.done1_before.val();
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
}

/// Starts and stops, which win; supply, ports, counters.
pub struct Running;

impl<
        const NW: usize,
        const WI: usize,
        const WH: usize,
        const WA: usize,
        const SB: usize,
        const W: usize,
        const LB: usize,
        const DUAL: usize,
    > kernel::Part<Running> for Scheduler<NW, WI, WH, WA, SB, W, LB, DUAL>
{
    #[hdl_gen]
    fn update(&mut self) {
        // ---- Start and stop; they win.
        self.start_bit.next = self.no_warps.val();
        if self.start_valid.val() {
            self.start_bit.next = self.one_warp.val() << self.start_warp.val();
        }
        self.queue.start_valid.next = self.start_valid.val();
        self.queue.start_warp.next = self.start_warp.val();
        self.queue.start_pc.next = self.start_pc.val();
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
        self.mask.write_enable.next = self.start_valid.val();
        self.mask.write_address.next = self.start_warp.val();
        self.mask.write_data.next = self.start_mask.val();
        self.mask.read_address.next = self.i_warp.q.val();

        // ---- Supply.
        self.supply.start.next = self.start_bit.val();
        self.supply.start_valid.next = self.start_valid.val();
        self.supply.start_warp.next = self.start_warp.val();
        self.supply.start_pc.next = self.start_pc.val();
        self.supply.stop.next = self.stop_bit.val();
        self.supply.stop_valid.next = self.stop_valid.val();
        self.supply.stop_warp.next = self.stop_warp.val();
        self.supply.flush.next = self.flush.val();
        self.supply.room.next = self.room.q.val();
        self.supply.line_valid.next = self.line.valid.val();
        self.supply.line_warp.next = self.line.warp.val();
        self.supply.line_slot.next = self.line.slot.val();
        self.supply.line_data.next = self.line.data.val();
        FetchPorts::<WI>::link(&mut self.fetch, &mut self.supply.fetch);
        self.decode_word0.next = self.supply.decode_word0.val();
        self.decode_word1.next = self.supply.decode_word1.val();
        self.p_word0.d.next = self.supply.decode_word0.val();
        self.p_word1.d.next = self.supply.decode_word1.val();

        // ---- Out.
        self.o_valid.d.next = self.issuing.val();
        self.o_warp.d.next = self.i_warp.q.val();
        self.o_first.d.next = self.first.val();
        self.o_second.d.next = self.second.val();
        self.o_other.d.next = self.other.val();
        self.issue_valid.next = self.o_valid.q.val();
        self.issue_warp.next = self.o_warp.q.val();
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
        self.counters.clear.next = self.counter.clear.val();
        self.counters.hold.next = self.counter.hold.val();
        self.counters.second.next = self.second.val();
        self.counters.issued.next = self.issuing.val();
        self.counters.issued_warp.next = self.i_warp.q.val();
        self.counters.select.next = self.counter.select.val();
        self.counter.value.next = self.counters.value.val();

        // ---- Reset wins.
        if self.reset.val() {
            self.running.d.next = self.no_warps.val();
            self.present.d.next = self.no_warps.val();
            self.room.d.next = self.no_warps.val();
            self.i_valid.d.next = false;
            self.issues.d.next = self.no_warps.val();
            self.launched.d.next = false;
            self.o_valid.d.next = false;
            self.o_second.d.next = false;
        }
    }
}
