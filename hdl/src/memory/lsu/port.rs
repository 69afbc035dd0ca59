//! To the memory port and back: reads, writes, beats, responses.

use super::Lsu;
use crate::hdl::*;

/// Reads, writes, beats, responses.
pub struct Port;

#[rustfmt::skip]
impl<
    const NW: usize, const WI: usize, const W: usize, const WT: usize, const SB: usize, const L: usize,
    const LI: usize, const LW: usize, const LO: usize, const LN: usize, const CB: usize, const PB: usize,
    const PC: usize, const PS: usize, const QI: usize, const QC: usize, const H: usize, const E: usize,
    const EI: usize, const ES: usize, const T: usize, const TI: usize, const A: usize, const D: usize,
    const DS: usize, const FC: usize,
> kernel::Part<Port>
    for Lsu<NW, WI, W, WT, SB, L, LI, LW, LO, LN, CB, PB, PC, PS, QI, QC, H, E, EI, ES, T, TI, A, D, DS, FC>
{
    #[hdl_gen]
    fn update(&mut self) {
        // ---- To the memory port: reads, in the order in which they were placed (ORDER-033),
        self.burst_address.next = (bit_cast::<32, 26>(self.x.line.q.val()) << 6)
            | (bit_cast::<32, 4>(self.first_word.val()) << 2);
        self.ar.in_valid.next = self.reads_now.val();
        self.ar.in_id.next = self.lines.place.val();
        self.ar.in_address.next = self.burst_address.val();
        self.ar.in_length.next = self.burst.val().get_bits::<3>(0);
        self.ar.in_bypass.next = self.x.amo.q.val() | self.x.reserves.q.val();
        self.ar.in_regular.next = self.x.regular.q.val();
        self.ar.out_ready.next = self.read_ready.val();
        self.read_valid.next = self.ar.out_valid.val();
        self.read_id.next = self.ar.out_id.val();
        self.read_address.next = self.ar.out_address.val();
        self.read_length.next = self.ar.out_length.val();
        self.read_bypass.next = self.ar.out_bypass.val();
        self.read_regular.next = self.ar.out_regular.val();
        self.fence_over.next = self.completion.fence_over.val();
        self.acquired.next = self.completion.acquired.val();
        self.lines.ahead_line.next = self.ahead_line.val();
        self.ahead_clear.next = self.lines.ahead_clear.val();
        // and writes: those of atomics go between stores.
        self.store_beat.lanes.next = self.x.lanes.q.val();
        self.store_beat.offsets.next = self.x.offsets.q.val();
        self.store_beat.values.next = self.x.data.q.val();
        self.store_beat.size.next = self.x.size.q.val();
        self.store_beat.word.next = self.beat_at.q.val();
        self.aw.in_valid.next = self.modifies.val() | self.wants_stream.val();
        self.aw.in_id.next = self.lines.place.val();
        if self.streams.q.val() {
            self.aw.in_id.next = self.stream_place.q.val();
        }
        self.written_address.next = (bit_cast::<32, 26>(self.x.line.q.val()) << 6)
            | (bit_cast::<32, 4>(self.x.first_word.q.val()) << 2);
        self.aw.in_address.next = self.written_address.val();
        self.aw.in_length.next = self.x.burst.q.val();
        self.aw.in_data.next = self.store_beat.beat.val();
        self.aw.in_strobes.next = self.store_beat.strobes.val();
        self.aw.in_last.next = self.is_last_beat.val();
        if self.modifies.val() {
            self.aw.in_id.next = self.replies.modify_place.val();
            self.aw.in_address.next = self.replies.modify_address.val();
            self.aw.in_length.next = 0.into();
            self.aw.in_data.next = self.replies.modify_data.val();
            self.aw.in_strobes.next = self.replies.modify_strobes.val();
            self.aw.in_last.next = true;
        }
        self.replies.modify_ready.next = self.aw.in_ready.val() & !self.streams.q.val();
        self.aw.out_ready.next = self.write_ready.val();
        self.write_valid.next = self.aw.out_valid.val();
        self.write_id.next = self.aw.out_id.val();
        self.write_address.next = self.aw.out_address.val();
        self.write_length.next = self.aw.out_length.val();
        self.write_data.next = self.aw.out_data.val();
        self.write_strobes.next = self.aw.out_strobes.val();
        self.write_last.next = self.aw.out_last.val();
        if self.streams_now.val() {
            self.streams.d.next = !self.is_last_beat.val();
            self.beat_at.d.next = self.beat_at.q.val() + self.beat_step.val();
            if self.begins_stream.val() {
                self.stream_place.d.next = self.lines.place.val();
            }
        }

        // ---- From the memory port: beats,
        self.replies.open.next = self.reads_now.val();
        self.replies.open_place.next = self.lines.place.val();
        self.replies.open_word.next = self.first_word.val();
        self.replies.open_slot.next = self.x.slot.q.val();
        self.replies.open_lanes.next = self.x.lanes.q.val();
        self.replies.open_address.next = self.x_lead_address.val();
        self.replies.open_atomic.next = self.x.amo.q.val();
        self.replies.open_operation.next = self.x.op.q.val().get_bits::<4>(0);
        self.replies.open_operand.next = self.x_operand.val();
        self.replies.open_target.next =
            (bit_cast::<32, 26>(self.x.line.q.val()) << 6) | bit_cast::<32, 6>(self.x_offset.val());
        self.replies.beat_valid.next = self.beat_valid.val();
        self.replies.beat_id.next = self.beat_id.val();
        self.replies.beat_data.next = self.beat_data.val();
        self.replies.beat_error.next = self.beat_error.val();
        self.replies.beat_last.next = self.beat_last.val();
        self.beat_ready.next = self.replies.beat_ready.val();
        self.align.beat_valid.next = self.replies.out_valid.val();
        self.replies.out_ready.next = self.align.beat_ready.val();
        self.align.beat_slot.next = self.replies.out_slot.val();
        self.align.beat_lanes.next = self.replies.out_lanes.val();
        self.align.beat_data.next = self.replies.out_data.val();
        self.align.beat_word.next = self.replies.out_word.val();
        self.align.beat_last.next = self.replies.out_last.val();
        self.align.beat_error.next = self.replies.out_error.val();
        self.align.beat_address.next = self.replies.out_address.val();
        self.lines.read_over.next = self.replies.read_over.val();
        self.lines.read_place.next = self.replies.read_place.val();
        // and write responses; an atomic that writes nothing counts as one.
        self.ack_place.next = self.ack_id.val();
        self.completion.ack_valid.next = self.ack_valid.val();
        self.completion.ack_error.next = self.ack_error.val();
        self.ack_ready.next = self.completion.ack_ready.val();
        if self.replies.dropped.val() {
            self.ack_place.next = self.replies.dropped_place.val();
            self.completion.ack_valid.next = true;
            self.completion.ack_error.next = false;
            self.ack_ready.next = false;
        }
        self.replies.drop_ready.next = self.completion.ack_ready.val();
        self.lines.write_over.next = self.completion.write_over.val();
        self.lines.write_place.next = self.ack_place.val();
        self.completion.ack_at.next = (bit_cast::<ES, EI>(self.ack_place.val()) << 2)
            | bit_cast::<ES, 2>(self.lines.write_turn.val());
        self.exclusive.over.next = self.completion.write_over.val();
        self.exclusive.over_at.next = (bit_cast::<ES, EI>(self.ack_place.val()) << 2)
            | bit_cast::<ES, 2>(self.lines.write_turn.val());
        self.in_flight.write_over.next = self.completion.write_over.val();
        self.in_flight.write_warp.next = self.completion.write_warp.val();
    }
}
