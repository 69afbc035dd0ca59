//! The tokens of the core as clients of the memory port.
//!
//! Spec: `docs/spec/memory.md`, *Memory port*, MEM-043 and MEM-045, and `docs/spec/spill.md`.
//!
//! # Parameters
//! `D` bits of a beat, 64 to 512; `DS` = D / 8; `M` bits of a token, 64 or 128; `TA` bits of a tag;
//! `F`: log2 of the tokens read, and of those written, under way; `FC` = F + 1.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `request_*`, `response_*` | | | `spill_request_*`, `spill_response_*` of the core |
//! | `error` | out | 1 | pulse: an access was answered with an error |
//! | `read_valid` / `read_ready`, `read_address` | out / in | 1, 32 | a token to read, in bytes |
//! | `read_length` | out | 3 | beats of a token, less one |
//! | `beat_valid` / `beat_ready`, `beat_data`, `beat_error` | in / out | 1, D, 1 | beats, in the order of the reads |
//! | `write_valid` / `write_ready`, `write_address`, `write_data`, `write_strobes`, `write_last` | out / in | 1, 32, D, DS, 1 | a beat to write |
//! | `ack_valid` / `ack_ready`, `ack_error` | in / out | 1, 1 | write responses, in the order of the writes |
//!
//! # Cycle behaviour
//! A request goes on in the same cycle, if there is room and none of the other direction is under way (SM-031).
//! A response comes in the cycle after its last beat; reads and writes take turns.
//!
//! # Errors
//! `error`. `Default` panics when the parameters do not fit.

use super::Join;
use crate::hdl::*;
use crate::prim::LutRam;

#[derive(LogicBlock)]
pub struct TokenPort<
    const D: usize,
    const DS: usize,
    const M: usize,
    const TA: usize,
    const F: usize,
    const FC: usize,
> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub request_valid: Signal<In, Bit>,
    pub request_ready: Signal<Out, Bit>,
    pub request_write: Signal<In, Bit>,
    pub request_address: Signal<In, Bits<32>>,
    pub request_data: Signal<In, Bits<M>>,
    pub request_tag: Signal<In, Bits<TA>>,
    pub response_valid: Signal<Out, Bit>,
    pub response_ready: Signal<In, Bit>,
    pub response_write: Signal<Out, Bit>,
    pub response_tag: Signal<Out, Bits<TA>>,
    pub response_data: Signal<Out, Bits<M>>,
    pub error: Signal<Out, Bit>,
    pub read_valid: Signal<Out, Bit>,
    pub read_ready: Signal<In, Bit>,
    pub read_address: Signal<Out, Bits<32>>,
    pub read_length: Signal<Out, Bits<3>>,
    pub beat_valid: Signal<In, Bit>,
    pub beat_ready: Signal<Out, Bit>,
    pub beat_data: Signal<In, Bits<D>>,
    pub beat_error: Signal<In, Bit>,
    pub write_valid: Signal<Out, Bit>,
    pub write_ready: Signal<In, Bit>,
    pub write_address: Signal<Out, Bits<32>>,
    pub write_data: Signal<Out, Bits<D>>,
    pub write_strobes: Signal<Out, Bits<DS>>,
    pub write_last: Signal<Out, Bit>,
    pub ack_valid: Signal<In, Bit>,
    pub ack_ready: Signal<Out, Bit>,
    pub ack_error: Signal<In, Bit>,
    // State: reads and writes under way, in order: tag, place in the line in words of 64 bits.
    read_tags: LutRam<Bits<TA>, F>,
    read_places: LutRam<Bits<3>, F>,
    write_tags: LutRam<Bits<TA>, F>,
    first_read: DFF<Bits<FC>>,
    last_read: DFF<Bits<FC>>,
    first_write: DFF<Bits<FC>>,
    last_write: DFF<Bits<FC>>,
    // State: the second beat of a token is due, to be written or read; the first one that was read.
    second_out: DFF<Bit>,
    second_in: DFF<Bit>,
    half: DFF<Bits<64>>,
    // State: the response; the last one was a write's.
    shows: DFF<Bit>,
    is_write: DFF<Bit>,
    tag: DFF<Bits<TA>>,
    data: DFF<Bits<M>>,
    failed: DFF<Bit>,
    // Combinational.
    address: Signal<Local, Bits<32>>,
    reads_left: Signal<Local, Bits<FC>>,
    writes_left: Signal<Local, Bits<FC>>,
    read_room: Signal<Local, Bit>,
    write_room: Signal<Local, Bit>,
    reads: Signal<Local, Bit>,
    writes: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
    token: Vec<Signal<Local, Bits<64>>>,
    place: Signal<Local, Bits<3>>,
    here: Vec<Signal<Local, Bit>>,
    strobes: Signal<Local, Bits<DS>>,
    beat: Join<DS, 8, D>,
    at: Signal<Local, Bits<3>>,
    low: Signal<Local, Bits<64>>,
    high: Signal<Local, Bits<64>>,
    free: Signal<Local, Bit>,
    reads_now: Signal<Local, Bit>,
    acks_now: Signal<Local, Bit>,
    is_whole: Signal<Local, Bit>,
    // Constants.
    byte_shift: Constant<Bits<3>>,
    high_shift: Constant<Bits<7>>,
    full: Constant<Bits<FC>>,
    one: Constant<Bits<FC>>,
    none: Constant<Bits<FC>>,
    in_beat: Constant<Bits<3>>,
    of_token: Constant<Bits<3>>,
    number: Vec<Constant<Bits<3>>>,
    odd: Vec<Constant<Bit>>,
    two_beats: Constant<Bit>,
    wide: Constant<Bit>,
    beats: Constant<Bits<3>>,
    no_strobes: Constant<Bits<DS>>,
    zero: Constant<Bits<64>>,
}

impl<
        const D: usize,
        const DS: usize,
        const M: usize,
        const TA: usize,
        const F: usize,
        const FC: usize,
    > Default for TokenPort<D, DS, M, TA, F, FC>
{
    fn default() -> Self {
        assert!(
            D == 8 * DS
                && D.is_power_of_two()
                && (64..=512).contains(&D)
                && (M == 64 || M == 128)
                && FC == F + 1,
            "TokenPort<{D}, {DS}, {M}, {TA}, {F}, {FC}>"
        );
        let words = D as u64 / 64;
        block!({
            clock, reset, request_valid, request_ready, request_write, request_address, request_data, request_tag,
            response_valid, response_ready, response_write, response_tag, response_data, error, read_valid,
            read_ready, read_address, read_length, beat_valid, beat_ready, beat_data, beat_error, write_valid,
            write_ready, write_address, write_data, write_strobes, write_last, ack_valid, ack_ready, ack_error,
            read_tags, read_places, write_tags, first_read, last_read, first_write, last_write, second_out,
            second_in, half, shows, is_write, tag, data, failed, address, reads_left, writes_left, read_room,
            write_room, reads, writes, ends, place, strobes, beat, at, low, high, free, reads_now, acks_now,
            is_whole,
        } {
            token: (0..2).map(|_| Default::default()).collect(),
            here: (0..words).map(|_| Default::default()).collect(),
            byte_shift: Constant::new((if M == 64 { 3u64 } else { 4 }).into()),
            high_shift: Constant::new((if M == 64 { 0u64 } else { 64 }).into()),
            full: Constant::new((1u64 << F).into()),
            one: Constant::new(1u64.into()),
            none: Constant::new(0u64.into()),
            in_beat: Constant::new((words - 1).into()),
            of_token: Constant::new(((words - 1) & !(M as u64 / 64 - 1)).into()),
            number: (0..words).map(|k| Constant::new((k & !(M as u64 / 64 - 1)).into())).collect(),
            odd: (0..words).map(|k| Constant::new(M == 128 && k % 2 == 1)).collect(),
            two_beats: Constant::new(M > D),
            wide: Constant::new(M == 128),
            beats: Constant::new(u64::from(M > D).into()),
            no_strobes: Constant::new(Bits::default()),
            zero: Constant::new(0u64.into()),
        })
    }
}

impl<
        const D: usize,
        const DS: usize,
        const M: usize,
        const TA: usize,
        const F: usize,
        const FC: usize,
    > Logic for TokenPort<D, DS, M, TA, F, FC>
{
    #[part]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            first_read,
            last_read,
            first_write,
            last_write,
            second_out,
            second_in,
            half
        );
        dff_setup!(self, clock, shows, is_write, tag, data, failed);
        clock!(self, clock, read_tags, read_places, write_tags);
        // ---- Requests.
        self.address.next = self.request_address.val() << self.byte_shift.val();
        self.reads_left.next = self.last_read.q.val() - self.first_read.q.val();
        self.writes_left.next = self.last_write.q.val() - self.first_write.q.val();
        // Two tokens may lie in one line, so reads and writes are never on their way together (SM-031).
        self.read_room.next =
            (self.reads_left.val() != self.full.val()) & !self.writes_left.val().any();
        self.write_room.next =
            (self.writes_left.val() != self.full.val()) & !self.reads_left.val().any();
        self.read_valid.next =
            self.request_valid.val() & !self.request_write.val() & self.read_room.val();
        carry!(self.read_* <- self: address, length = beats);
        self.reads.next = self.read_valid.val() & self.read_ready.val();
        self.write_valid.next =
            self.request_valid.val() & self.request_write.val() & self.write_room.val();
        self.write_address.next = self.address.val();
        self.writes.next = self.write_valid.val() & self.write_ready.val();
        self.ends.next = !self.two_beats.val() | self.second_out.q.val();
        self.write_last.next = self.ends.val();
        if self.writes.val() {
            self.second_out.d.next = !self.ends.val();
        }
        self.request_ready.next = self.reads.val() | (self.writes.val() & self.ends.val());
        for h in 0..(M / 64) {
            self.token[h].next = self.request_data.val().get_bits::<64>(64 * h);
        }
        for h in (M / 64)..2 {
            self.token[h].next = self.zero.val();
        }
        self.place.next = self.address.val().get_bits::<3>(3) & self.of_token.val();
        self.strobes.next = self.no_strobes.val();
        for k in 0..(D / 64) {
            self.here[k].next = self.place.val() == self.number[k].val();
        }
        for i in 0..DS {
            self.strobes.next = self.strobes.val().replace_bit(i, self.here[i / 8].val());
        }
        for k in 0..(D / 64) {
            for b in 0..8 {
                self.beat.each[8 * k + b].next = self.token[0].val().get_bits::<8>(8 * b);
                if self.wide.val() & (self.second_out.q.val() | self.odd[k].val()) {
                    self.beat.each[8 * k + b].next = self.token[1].val().get_bits::<8>(8 * b);
                }
            }
        }
        self.write_data.next = self.beat.whole.val();
        self.write_strobes.next = self.strobes.val();
        self.read_tags.write_enable.next = self.reads.val();
        self.read_tags.write_address.next = self.last_read.q.val().get_bits::<F>(0);
        self.read_tags.write_data.next = self.request_tag.val();
        self.read_places.write_enable.next = self.reads.val();
        self.read_places.write_address.next = self.last_read.q.val().get_bits::<F>(0);
        self.read_places.write_data.next = self.place.val();
        self.write_tags.write_enable.next = self.writes.val() & self.ends.val();
        self.write_tags.write_address.next = self.last_write.q.val().get_bits::<F>(0);
        self.write_tags.write_data.next = self.request_tag.val();
        if self.reads.val() {
            self.last_read.d.next = self.last_read.q.val() + self.one.val();
        }
        if self.writes.val() & self.ends.val() {
            self.last_write.d.next = self.last_write.q.val() + self.one.val();
        }
        // ---- Responses.
        self.free.next = !self.shows.q.val() | self.response_ready.val();
        self.reads_now.next = self.free.val()
            & self.beat_valid.val()
            & (self.is_write.q.val() | !self.ack_valid.val());
        self.acks_now.next = self.free.val() & self.ack_valid.val() & !self.reads_now.val();
        self.beat_ready.next = self.reads_now.val();
        self.ack_ready.next = self.acks_now.val();
        self.read_tags.read_address.next = self.first_read.q.val().get_bits::<F>(0);
        self.read_places.read_address.next = self.first_read.q.val().get_bits::<F>(0);
        self.write_tags.read_address.next = self.first_write.q.val().get_bits::<F>(0);
        self.at.next = self.read_places.read_data.val();
        self.low.next = self.zero.val();
        self.high.next = self.zero.val();
        for k in 0..(D / 64) {
            if self.at.val() == self.number[k].val() {
                if self.odd[k].val() {
                    self.high.next = self.beat_data.val().get_bits::<64>(64 * k);
                } else {
                    self.low.next = self.beat_data.val().get_bits::<64>(64 * k);
                }
            }
        }
        if self.two_beats.val() {
            self.high.next = self.low.val();
            self.low.next = self.half.q.val();
        }
        self.is_whole.next = !self.two_beats.val() | self.second_in.q.val();
        if self.free.val() {
            self.shows.d.next = (self.reads_now.val() & self.is_whole.val()) | self.acks_now.val();
            self.failed.d.next = (self.reads_now.val() & self.beat_error.val())
                | (self.acks_now.val() & self.ack_error.val());
        } else {
            self.failed.d.next = false;
        }
        if self.reads_now.val() {
            self.half.d.next = self.beat_data.val().get_bits::<64>(0);
            self.second_in.d.next = !self.is_whole.val();
            self.is_write.d.next = false;
            self.tag.d.next = self.read_tags.read_data.val();
            self.data.d.next = bit_cast::<M, 64>(self.low.val())
                | (bit_cast::<M, 64>(self.high.val()) << self.high_shift.val());
            if self.is_whole.val() {
                self.first_read.d.next = self.first_read.q.val() + self.one.val();
            }
        }
        if self.acks_now.val() {
            self.is_write.d.next = true;
            self.tag.d.next = self.write_tags.read_data.val();
            self.first_write.d.next = self.first_write.q.val() + self.one.val();
        }
        self.response_valid.next = self.shows.q.val();
        self.response_write.next = self.is_write.q.val();
        carry!(self <- self.*.q: response_tag = tag, response_data = data, error = failed);
        if self.reset.val() {
            carry!(self.*.d <- self:
                first_read = none, last_read = none, first_write = none, last_write = none,
            );
            self.second_out.d.next = false;
            self.second_in.d.next = false;
            self.shows.d.next = false;
            self.failed.d.next = false;
            self.is_write.d.next = false;
        }
    }
}
