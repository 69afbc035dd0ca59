//! To the memory port and back: reads, writes, beats, responses.

use super::Lsu;
use crate::hdl::*;

/// Reads, writes, beats, responses.
pub struct Port;

#[part(Lsu, Port)]
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
    carry!(self.read_* <- self.ar.out_*: valid, id, address, length, bypass, regular);
    carry!(self <- self.completion: fence_over, acquired);
    self.lines.ahead_line.next = self.ahead_line.val();
    self.ahead_clear.next = self.lines.ahead_clear.val();
    // and writes: those of atomics go between stores.
    carry!(self.store_beat <- self.x.*.q: lanes, offsets, values = data, size);
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
    carry!(self.aw <- self.store_beat: in_data = beat, in_strobes = strobes);
    self.aw.in_last.next = self.is_last_beat.val();
    if self.modifies.val() {
        carry!(self.aw.in_* <- self.modify.modify_*:
            id = place, address, length, data, strobes, last,
        );
    }
    self.modify.modify_ready.next = self.aw.in_ready.val() & !self.streams.q.val();
    self.aw.out_ready.next = self.write_ready.val();
    carry!(self.write_* <- self.aw.out_*: valid, id, address, length, data, strobes, last);
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
    carry!(self.replies.open_* <- self.x.*.q: slot, lanes);
    self.replies.open_address.next = self.x_lead_address.val();
    self.replies.open_atomic.next = self.x.amo.q.val();
    carry!(self.replies <- self: beat_valid, beat_id, beat_data, beat_error, beat_last);
    self.beat_ready.next = self.replies.beat_ready.val();
    self.align.beat_valid.next = self.replies.out_valid.val();
    self.replies.out_ready.next = self.align.beat_ready.val();
    carry!(self.align.beat_* <- self.replies.out_*: slot, lanes, data, word, last, error, address);
    carry!(self.lines <- self.replies: read_over, read_place);
    // of AMOs, whose words change,
    self.modify.open.next = self.reads_now.val() & self.x.amo.q.val();
    carry!(self.modify.open_* <- self.lines: place);
    carry!(self.modify.open_* <- self.x.*.q: slot, lanes, operands = data, offsets, line);
    self.modify.open_operation.next = self.x.op.q.val().get_bits::<4>(0);
    carry!(self.modify <- self: open_first = first_word, open_end = end_word);
    self.modify.open_length.next = self.burst.val().get_bits::<3>(0);
    carry!(self.modify.beat_* <- self.replies:
        comes = atomic_comes, place = read_place, data = out_data, word = out_word,
        error = out_error, last = atomic_last,
    );
    // and write responses.
    carry!(self.completion <- self: ack_valid, ack_error);
    carry!(self <- self.completion: ack_ready);
    self.lines.write_over.next = self.completion.write_over.val();
    self.lines.write_place.next = self.ack_id.val();
    self.completion.ack_at.next = (bit_cast::<WRITE_BITS, MISS_BITS>(self.ack_id.val()) << 2)
        | bit_cast::<WRITE_BITS, 2>(self.lines.write_turn.val());
    self.exclusive.over.next = self.completion.write_over.val();
    self.exclusive.over_at.next = (bit_cast::<WRITE_BITS, MISS_BITS>(self.ack_id.val()) << 2)
        | bit_cast::<WRITE_BITS, 2>(self.lines.write_turn.val());
    carry!(self.in_flight <- self.completion: write_over, write_warp);
}
