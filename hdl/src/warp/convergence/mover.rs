//! Mover: carries tokens between the token memory on chip and the allocations in memory.
//!
//! Spec: `docs/spec/spill.md`, *Memory port*, SPILL-012, SPILL-032, SPILL-033.
//! It knows nothing of deques: a job is so many tokens from a position and a place on.
//!
//! # Parameters
//! By name, `hdl/src/sizes.rs`; FRONT, BACK and PLACE_BITS as in `locate.rs`.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `base_valid`, `base_warp`, `base_data` | in | 1, WI, 32 | base of this warp's allocation from now on |
//! | `job_valid`, `job_warp` | in | 1, WI | a job starts; the warp has none in flight |
//! | `job_writes`, `job_count` | in | 1, R | to memory; tokens, at least one |
//! | `job_head`, `job_lead`, `job_ends` | in | 10, 10, 1 | its first token is this one from the position `job_head`; or that one comes behind its last |
//! | `job_ring`, `job_at`, `job_area`, `job_down` | in | R, R, 2, 1 | place of the token at `job_head`; first scratch place; how places wrap, whether they count down |
//! | `read_at`, `token_tags`, `token_mask`, `token_pc` | out / in | TA; 8, W, 22 | token memory: the place to read, and what the former cycle's `read_at` held |
//! | `write_blocked` | in | 1 | the token memory is written by others in this cycle; late |
//! | `write`, `write_at`, `write_tags`, `write_mask`, `write_pc` | out | 1, TA, 8, W, 22 | token that came from memory |
//! | `poke_valid`, `poke_warp`, `poked` | in / out | 1, WI, 1 | `finished` shall name this warp; that is still to come |
//! | `finished`, `finished_warp` | out | 1, WI | pulse: all of the warp's job is done; early |
//! | `spill_*` | | | `docs/spec/spill.md` |
//!
//! # Cycle behaviour
//! A queue of jobs. One request per cycle while memory takes them;
//! the next job's first request follows the last of the one before
//! without a gap. Jobs of several warps may be in flight; responses are counted per warp.
//!
//! # Errors
//! None. `Default` panics when the parameters do not fit.

use super::{code, Place};
use crate::bundles::{SpillRequestPorts, SpillResponsePorts};
use crate::hdl::*;
use crate::prim::{BlockRam, LutRam, Successor};

#[module(
    requires(WARPS == 1 << WARP_BITS, WARP_COUNT_BITS == WARP_BITS + 1, TAG_BITS == WARP_BITS + PLACE_BITS, TOKEN_BITS == (if THREADS == 64 { 128 } else { 64 })),
    given(
        // docs/spec/spill.md, *Token in memory*.
        let [mask_shift, pc_shift, below_shift] = if THREADS == 64 {
            [8u64, 72, 104]
        } else {
            [4, 36, 58]
        };
    )
)]
pub struct Mover {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub base_valid: Signal<In, Bit>,
    pub base_warp: Signal<In, Bits<WARP_BITS>>,
    pub base_data: Signal<In, Bits<32>>,
    pub job_valid: Signal<In, Bit>,
    pub job_warp: Signal<In, Bits<WARP_BITS>>,
    pub job_writes: Signal<In, Bit>,
    pub job_count: Signal<In, Bits<PLACE_BITS>>,
    pub job_head: Signal<In, Bits<10>>,
    pub job_lead: Signal<In, Bits<10>>,
    pub job_ends: Signal<In, Bit>,
    pub job_ring: Signal<In, Bits<PLACE_BITS>>,
    pub job_at: Signal<In, Bits<PLACE_BITS>>,
    pub job_area: Signal<In, Bits<2>>,
    pub job_down: Signal<In, Bit>,
    pub read_at: Signal<Out, Bits<TAG_BITS>>,
    pub token_tags: Signal<In, Bits<8>>,
    pub token_mask: Signal<In, Bits<THREADS>>,
    pub token_pc: Signal<In, Bits<22>>,
    pub write_blocked: Signal<In, Bit>,
    pub write: Signal<Out, Bit>,
    pub write_at: Signal<Out, Bits<TAG_BITS>>,
    pub write_tags: Signal<Out, Bits<8>>,
    pub write_mask: Signal<Out, Bits<THREADS>>,
    pub write_pc: Signal<Out, Bits<22>>,
    pub poke_valid: Signal<In, Bit>,
    pub poke_warp: Signal<In, Bits<WARP_BITS>>,
    pub poked: Signal<Out, Bit>,
    pub finished: Signal<Out, Bit>,
    pub finished_warp: Signal<Out, Bits<WARP_BITS>>,
    pub spill_request: SpillRequestPorts,
    pub spill_response: SpillResponsePorts,
    // State: the job that started in the former cycle.
    j_valid: DFF<Bit>,
    j_warp: DFF<Bits<WARP_BITS>>,
    j_tags: DFF<Bits<4>>,
    j_count: DFF<Bits<PLACE_BITS>>,
    j_head: DFF<Bits<10>>,
    j_lead: DFF<Bits<10>>,
    j_ends: DFF<Bit>,
    j_ring: DFF<Bits<PLACE_BITS>>,
    j_at: DFF<Bits<PLACE_BITS>>,
    // State: jobs that wait, from `first` on, up to before `last`; the highest bit of these tells full from empty.
    queue_warp: LutRam<Bits<WARP_BITS>, WARP_BITS>,
    queue_tags: LutRam<Bits<4>, WARP_BITS>,
    queue_position: LutRam<Bits<10>, WARP_BITS>,
    queue_place: LutRam<Bits<PLACE_BITS>, WARP_BITS>,
    queue_count: LutRam<Bits<PLACE_BITS>, WARP_BITS>,
    first: DFF<Bits<WARP_COUNT_BITS>>,
    last: DFF<Bits<WARP_COUNT_BITS>>,
    // State: the request on offer, and how many requests of its job are left with it.
    offered: DFF<Bit>,
    // State: there has been a job; the last one's registers are below.
    begun: DFF<Bit>,
    warp: DFF<Bits<WARP_BITS>>,
    tags: DFF<Bits<4>>,
    position: DFF<Bits<10>>,
    place: DFF<Bits<PLACE_BITS>>,
    left: DFF<Bits<PLACE_BITS>>,
    // State by warp: where its allocation begins; requests of its job; responses to it, when there were some.
    base: BlockRam<32, WARP_BITS>,
    total: LutRam<Bits<PLACE_BITS>, WARP_BITS>,
    answered: LutRam<Bits<PLACE_BITS>, WARP_BITS>,
    answering: DFF<Bits<WARPS>>,
    // State: who has finished; who is to be named next.
    done: DFF<Bit>,
    done_warp: DFF<Bits<WARP_BITS>>,
    poke: DFF<Bit>,
    poke_for: DFF<Bits<WARP_BITS>>,
    // Combinational.
    job_tags: Signal<Local, Bits<4>>,
    wide_count: Signal<Local, Bits<10>>,
    first_token: Signal<Local, Bits<10>>,
    first_by: Signal<Local, Bits<10>>,
    first_low: Signal<Local, Bits<PLACE_BITS>>,
    place_of: Signal<Local, Bits<PLACE_BITS>>,
    step: Signal<Local, Bits<PLACE_BITS>>,
    first_position: Signal<Local, Bits<10>>,
    first_place: Signal<Local, Bits<PLACE_BITS>>,
    j_area: Signal<Local, Bits<2>>,
    at_last: Signal<Local, Bit>,
    takes: Signal<Local, Bit>,
    beyond_first: Successor<WARP_COUNT_BITS>,
    beyond_last: Successor<WARP_COUNT_BITS>,
    steps: Signal<Local, Bit>,
    next_warp: Signal<Local, Bits<WARP_BITS>>,
    next_tags: Signal<Local, Bits<4>>,
    next_place: Signal<Local, Bits<PLACE_BITS>>,
    next_area: Signal<Local, Bits<2>>,
    next_ring: Place<FRONT, BACK, PLACE_BITS>,
    next_at: Signal<Local, Bits<PLACE_BITS>>,
    area: Signal<Local, Bits<2>>,
    wide_position: Signal<Local, Bits<32>>,
    ring: Place<FRONT, BACK, PLACE_BITS>,
    wrapped: Signal<Local, Bits<PLACE_BITS>>,
    kind: Signal<Local, Bits<4>>,
    below: Signal<Local, Bits<4>>,
    mask_at: Signal<Local, Bits<TOKEN_BITS>>,
    pc_at: Signal<Local, Bits<TOKEN_BITS>>,
    below_at: Signal<Local, Bits<TOKEN_BITS>>,
    kind_m: Signal<Local, Bits<4>>,
    below_m: Signal<Local, Bits<4>>,
    response_taken: Signal<Local, Bit>,
    tag_high: Signal<Local, Bits<TAG_BITS>>,
    response_warp: Signal<Local, Bits<WARP_BITS>>,
    answers: Signal<Local, Bits<PLACE_BITS>>,
    answers_plus_1: Signal<Local, Bits<PLACE_BITS>>,
    complete: Signal<Local, Bit>,
    responding: Signal<Local, Bits<WARPS>>,
    // Constants.
    #[value(0.into())]
    no_jobs: Constant<Bits<WARP_COUNT_BITS>>,
    #[value(0.into())]
    no_places: Constant<Bits<PLACE_BITS>>,
    #[value(Bits::<PLACE_BITS>::mask())]
    one_less: Constant<Bits<PLACE_BITS>>,
    #[value(0.into())]
    no_tokens: Constant<Bits<10>>,
    #[value(1.into())]
    one: Constant<Bits<PLACE_BITS>>,
    #[value(1.into())]
    one_position: Constant<Bits<10>>,
    #[value(0.into())]
    no_bits: Constant<Bits<WARPS>>,
    #[value(1.into())]
    one_bit: Constant<Bits<WARPS>>,
    #[value(code::AREA_FRONT.into())]
    area_front: Constant<Bits<2>>,
    #[value(code::AREA_BACK.into())]
    area_back: Constant<Bits<2>>,
    #[value(code::AREA_SCRATCH.into())]
    area_scratch: Constant<Bits<2>>,
    #[value((PLACE_BITS as u64).into())]
    place_bits: Constant<Bits<4>>,
    #[value(1.into())]
    down_shift: Constant<Bits<4>>,
    #[value(2.into())]
    area_shift: Constant<Bits<4>>,
    #[value(4.into())]
    tag_shift: Constant<Bits<4>>,
    #[value(mask_shift.into())]
    mask_shift: Constant<Bits<7>>,
    #[value(pc_shift.into())]
    pc_shift: Constant<Bits<7>>,
    #[value(below_shift.into())]
    below_shift: Constant<Bits<7>>,
}

#[part(Mover)]
fn update(&mut self) {
    // ---- A job: tags {area, down, writes}.
    self.job_tags.next = (bit_cast::<4, 2>(self.job_area.val()) << self.area_shift.val())
        | (bit_cast::<4, 1>(self.job_down.val().into()) << self.down_shift.val())
        | bit_cast::<4, 1>(self.job_writes.val().into());
    carry!(self.j_*.d <- self.job_*: valid, warp, tags, count, head, lead, ends, ring, at);

    // ---- Its first position and place; it enters the queue.
    self.wide_count.next = bit_cast::<10, PLACE_BITS>(self.j_count.q.val());
    self.first_by.next = self.no_tokens.val();
    if self.j_ends.q.val() {
        self.first_by.next = self.wide_count.val();
    }
    self.first_token.next = self.j_lead.q.val() - self.first_by.val();
    self.first_position.next = self.j_head.q.val() + self.first_token.val();
    // Scratch places as they are; those of the rings by the number of the token.
    self.j_area.next = self.j_tags.q.val().get_bits::<2>(2);
    self.first_low.next = bit_cast::<PLACE_BITS, 10>(self.first_token.val());
    self.place_of.next = self.j_ring.q.val();
    if self.j_area.val() == self.area_scratch.val() {
        self.place_of.next = self.j_at.q.val();
        self.first_low.next = self.no_places.val();
        if self.j_tags.q.val().get_bit(1) {
            self.first_low.next = self.j_count.q.val() - self.one.val();
        }
    }
    self.first_place.next = self.place_of.val() + self.first_low.val();
    spread!(self.*.write_enable <- self.j_valid.q:
        queue_warp, queue_tags, queue_position, queue_place, queue_count,
    );
    self.queue_warp.write_address.next = self.last.q.val().get_bits::<WARP_BITS>(0);
    self.queue_tags.write_address.next = self.last.q.val().get_bits::<WARP_BITS>(0);
    self.queue_position.write_address.next = self.last.q.val().get_bits::<WARP_BITS>(0);
    self.queue_place.write_address.next = self.last.q.val().get_bits::<WARP_BITS>(0);
    self.queue_count.write_address.next = self.last.q.val().get_bits::<WARP_BITS>(0);
    carry!(self.queue_*.write_data <- self.j_*.q: warp, tags);
    carry!(self.queue_*.write_data <- self.first_*: position, place);
    self.queue_count.write_data.next = self.j_count.q.val();
    self.queue_warp.read_address.next = self.first.q.val().get_bits::<WARP_BITS>(0);
    self.queue_tags.read_address.next = self.first.q.val().get_bits::<WARP_BITS>(0);
    self.queue_position.read_address.next = self.first.q.val().get_bits::<WARP_BITS>(0);
    self.queue_place.read_address.next = self.first.q.val().get_bits::<WARP_BITS>(0);
    self.queue_count.read_address.next = self.first.q.val().get_bits::<WARP_BITS>(0);

    // ---- The next request: of the job on offer, or the first of the next job.
    // It is looked up when none is on offer: whether that one is taken is known late.
    self.at_last.next = self.left.q.val() == self.one.val();
    self.takes.next = !self.offered.q.val()
        & (!self.begun.q.val() | self.at_last.val())
        & (self.first.q.val() != self.last.q.val());
    self.steps.next = !self.offered.q.val() & self.begun.q.val() & !self.at_last.val();
    if self.takes.val() {
        self.begun.d.next = true;
    }
    carry!(self.next_* <- self.*.q: warp, tags, place);
    self.step.next = self.one.val();
    if self.tags.q.val().get_bit(1) {
        self.step.next = self.one_less.val();
    }
    if self.steps.val() {
        self.next_place.next = self.place.q.val() + self.step.val();
        self.position.d.next = self.position.q.val() + self.one_position.val();
        self.left.d.next = self.left.q.val() - self.one.val();
    }
    if self.takes.val() {
        carry!(self.next_* <- self.queue_*.read_data: warp, tags, place);
        self.position.d.next = self.queue_position.read_data.val();
        self.left.d.next = self.queue_count.read_data.val();
    }
    self.beyond_first.value.next = self.first.q.val();
    if self.takes.val() {
        self.first.d.next = self.beyond_first.after.val();
    }
    carry!(self.*.d <- self.next_*: warp, tags, place);
    self.offered.d.next = self.takes.val()
        | self.steps.val()
        | (self.offered.q.val() & !self.spill_request.ready.val());
    self.beyond_last.value.next = self.last.q.val();
    if self.j_valid.q.val() {
        self.last.d.next = self.beyond_last.after.val();
    }
    self.total.write_enable.next = self.takes.val();
    self.total.write_address.next = self.queue_warp.read_data.val();
    self.total.write_data.next = self.queue_count.read_data.val();

    // ---- Read its token and its base, for the cycle in which it is on offer.
    self.next_area.next = self.next_tags.val().get_bits::<2>(2);
    self.next_ring.number.next = self.next_place.val();
    self.next_at.next = self.next_place.val();
    if self.next_area.val() == self.area_front.val() {
        self.next_at.next = self.next_ring.front.val();
    }
    if self.next_area.val() == self.area_back.val() {
        self.next_at.next = self.next_ring.back.val();
    }
    self.read_at.next = (bit_cast::<TAG_BITS, WARP_BITS>(self.next_warp.val())
        << self.place_bits.val())
        | bit_cast::<TAG_BITS, PLACE_BITS>(self.next_at.val());
    carry!(self.base <- self: read_address = next_warp, write_enable = base_valid);
    carry!(self.base <- self: write_address = base_warp, write_data = base_data);

    // ---- The request on offer.
    self.area.next = self.tags.q.val().get_bits::<2>(2);
    self.ring.number.next = self.place.q.val();
    self.wrapped.next = self.place.q.val();
    if self.area.val() == self.area_front.val() {
        self.wrapped.next = self.ring.front.val();
    }
    if self.area.val() == self.area_back.val() {
        self.wrapped.next = self.ring.back.val();
    }
    self.wide_position.next = bit_cast::<32, 10>(self.position.q.val());
    self.spill_request.valid.next = self.offered.q.val();
    self.spill_request.write.next = self.tags.q.val().get_bit(0);
    self.spill_request.address.next = self.base.read_data.val() + self.wide_position.val();
    self.spill_request.tag.next = (bit_cast::<TAG_BITS, WARP_BITS>(self.warp.q.val())
        << self.place_bits.val())
        | bit_cast::<TAG_BITS, PLACE_BITS>(self.wrapped.val());
    self.spill_request.last.next = self.at_last.val();
    self.kind.next = self.token_tags.val().get_bits::<4>(0);
    self.below.next = self.token_tags.val().get_bits::<4>(4);
    self.spill_request.data.next = bit_cast::<TOKEN_BITS, 4>(self.kind.val())
        | (bit_cast::<TOKEN_BITS, THREADS>(self.token_mask.val()) << self.mask_shift.val())
        | (bit_cast::<TOKEN_BITS, 22>(self.token_pc.val()) << self.pc_shift.val())
        | (bit_cast::<TOKEN_BITS, 4>(self.below.val()) << self.below_shift.val());

    // ---- Responses: what was read goes to its place.
    self.spill_response.ready.next = !self.write_blocked.val();
    self.response_taken.next = self.spill_response.valid.val() & !self.write_blocked.val();
    self.write.next = self.response_taken.val() & !self.spill_response.write.val();
    self.write_at.next = self.spill_response.tag.val();
    self.mask_at.next = self.spill_response.data.val() >> self.mask_shift.val();
    self.pc_at.next = self.spill_response.data.val() >> self.pc_shift.val();
    self.below_at.next = self.spill_response.data.val() >> self.below_shift.val();
    self.kind_m.next = self.spill_response.data.val().get_bits::<4>(0);
    self.below_m.next = self.below_at.val().get_bits::<4>(0);
    self.write_mask.next = bit_cast::<THREADS, TOKEN_BITS>(self.mask_at.val());
    self.write_pc.next = bit_cast::<22, TOKEN_BITS>(self.pc_at.val());
    self.write_tags.next = (bit_cast::<8, 4>(self.below_m.val()) << self.tag_shift.val())
        | bit_cast::<8, 4>(self.kind_m.val());

    // ---- Responses are counted; the last one of a job finishes it.
    self.tag_high.next = self.spill_response.tag.val() >> self.place_bits.val();
    self.response_warp.next = bit_cast::<WARP_BITS, TAG_BITS>(self.tag_high.val());
    spread!(self.*.read_address <- self.response_warp: total, answered);
    self.answers.next = self.no_places.val();
    if self
        .answering
        .q
        .val()
        .get_bit(self.response_warp.val().index())
    {
        self.answers.next = self.answered.read_data.val();
    }
    self.answers_plus_1.next = self.answers.val() + self.one.val();
    self.complete.next =
        self.response_taken.val() & (self.answers_plus_1.val() == self.total.read_data.val());
    carry!(self.answered <- self: write_enable = response_taken, write_address = response_warp);
    self.answered.write_data.next = self.answers_plus_1.val();
    self.responding.next = self.no_bits.val();
    if self.response_taken.val() {
        self.responding.next = self.one_bit.val() << self.response_warp.val();
    }
    self.answering.d.next = self.answering.q.val() | self.responding.val();
    if self.complete.val() {
        self.answering.d.next = self.answering.q.val() & !self.responding.val();
    }
    self.done.d.next = self.complete.val() | self.poke.q.val();
    self.done_warp.d.next = self.poke_for.q.val();
    if self.complete.val() {
        self.done_warp.d.next = self.response_warp.val();
    } else {
        self.poke.d.next = false;
    }
    if self.poke_valid.val() {
        self.poke.d.next = true;
        self.poke_for.d.next = self.poke_warp.val();
    }
    carry!(self <- self.*.q: poked = poke, finished = done, finished_warp = done_warp);

    // ---- Reset wins.
    if self.reset.val() {
        spread!(self.*.d <- self.no_jobs: first, last);
        self.j_valid.d.next = false;
        self.offered.d.next = false;
        self.begun.d.next = false;
        self.answering.d.next = self.no_bits.val();
        self.done.d.next = false;
        self.poke.d.next = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stimulus::{check_with_memories, Memory};
    use weft_rtl::settle;

    type Small = Mover<4, 2, 3, 8, 4, 2, 3, 5, 64>;

    /// Random jobs of four warps, at most one per warp, against a slow memory: the same outputs as the Verilog, every
    /// job finishes, and every request carries the tag and the address that its job asks for.
    #[test]
    fn verilog_agrees() {
        let mut memory = Memory::default();
        let (mut busy, mut left) = ([false; 4], [0u64; 4]);
        let (mut jobs, mut finished, mut poked) = (0, 0, 0);
        check_with_memories(
            "weft_mover",
            Small::default,
            6000,
            |u, rng, t| {
                u.reset.next = t < 2;
                let warp = rng.below(4);
                u.base_valid.next = (2..6).contains(&t);
                u.base_warp.next = (t as u64 & 3).into();
                u.base_data.next = (t as u64 * 100).into();
                let job = t > 8 && !busy[warp as usize] && rng.chance(1, 3);
                let count = 1 + rng.below(4);
                u.job_valid.next = job;
                u.job_warp.next = warp.into();
                u.job_writes.next = rng.flip();
                u.job_head.next = (20 + rng.below(16)).into();
                u.job_lead.next = (4 + rng.below(16)).into();
                u.job_ends.next = rng.flip();
                u.job_ring.next = rng.bits();
                u.job_count.next = count.into();
                u.job_at.next = rng.bits();
                u.job_area.next = rng.below(3).into();
                u.job_down.next = rng.flip();
                let poke = t > 8 && !job && !busy[warp as usize] && rng.chance(1, 8);
                u.poke_valid.next = poke;
                u.poke_warp.next = warp.into();
                u.token_tags.next = rng.bits();
                u.token_mask.next = rng.bits();
                u.token_pc.next = rng.bits();
                u.write_blocked.next = rng.chance(1, 4);
                let answer = memory.answer(rng);
                u.spill_request.ready.next = rng.chance(3, 4);
                u.spill_response.valid.next = answer.is_some();
                let (write, tag, data) = answer.unwrap_or_default();
                u.spill_response.write.next = write;
                u.spill_response.tag.next = tag.into();
                u.spill_response.data.next = data.into();
                settle(u);
                if u.finished.val() {
                    finished += 1;
                    let warp = u.finished_warp.val().to_u64() as usize;
                    assert!(
                        busy[warp] && left[warp] == 0,
                        "{} answers are missing",
                        left[warp]
                    );
                    busy[warp] = false;
                }
                if u.spill_request.valid.val() && u.spill_request.ready.val() {
                    memory.request(
                        u.spill_request.write.val(),
                        u.spill_request.address.val().to_u64(),
                        u.spill_request.tag.val().to_u64(),
                        u.spill_request.data.val().to_u64(),
                    );
                }
                if answer.is_some() && u.spill_response.ready.val() {
                    left[(tag >> 3) as usize] -= 1;
                    memory.answered();
                }
                if job || poke {
                    busy[warp as usize] = true;
                    left[warp as usize] = if job { count } else { 0 };
                    jobs += u32::from(job);
                    poked += u32::from(poke);
                }
            },
            |u, level| u.clock.next = level.into(),
        );
        assert!(
            jobs > 500 && poked > 50,
            "thin run: jobs {jobs}, pokes {poked}"
        );
        assert!(
            finished + 8 >= jobs + poked,
            "of {jobs} jobs and {poked} pokes {finished} finished"
        );
    }
}
