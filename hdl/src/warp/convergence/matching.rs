//! First step of a pass: what the operands, the state and the front token say about each other. Combinational.
//!
//! Spec: `docs/spec/convergence.md`. Comparisons and reductions over the threads are made here, but for those with the
//! token at hand: its memory is slow, so only a first step of them.
//!
//! # Parameters
//! `W` threads per warp; `P` = log2 (2 W) = bits of a thread count.
//!
//! # Ports
//! | Port | Dir | Meaning |
//! |---|---|---|
//! | `run` .. `scanning` | in | what `Decode` says |
//! | `kind`, `selected`, `target`, `k` | in | operands; number of the token at hand |
//! | `blocked` | in | the warp is blocked (CONV-151) |
//! | `lowest`, `others_any` | in | lowest part of those selected; any in other parts (CONV-121) |
//! | `size_new` | in | allocation of a launch |
//! | `free`, `left` | in | tokens that the allocation still has room for; tokens from the one at hand to the last |
//! | `active` .. `front_below` | in | state of the warp |
//! | `token_kind`, `token_mask`, `token_pc` | in | the token at hand |
//! | `chosen` | out | `selected`; of a WAKE those of them that sleep (CONV-154); of a SET those of them that it may turn on (CONV-111); of a SUBV_START the active ones |
//! | `d` | out | the selected active threads |
//! | `group` | out | threads that the pass is about: the active ones; of LEAVE, RETRY, PART, EXIT and SLEEP *d*, of a SET the active ones that are not selected, of a WAKE `chosen`, of a PART the selected ones but for their lowest part |
//! | `comes` | out | who becomes active if somebody does: of a launch, a SET or a WAKE `chosen`, of a PART the lowest part of those selected, else those who wake when the front token is popped |
//! | `is_unallocated` | out | a launch with too few tokens |
//! | `vacant` | out | an operation begins with nobody active (CONV-110) |
//! | `selected_any`, `d_some`, `rest_any` | out | any selected thread; any of *d*, the selected active threads (WAKE, SET: of `chosen`), in each quarter of the warp; any other active thread (WAKE: the warp is not blocked; PART: any other selected one) |
//! | `after`, `fall`, `falls` | out | pc + 1; where the threads not selected go (also: resume address of a yield); a branch or LEAVE goes there too, and all stay together |
//! | `front_hit`, `front_clear` | out | the front token catches threads of `d` (CONV-042); is passed and loses `d` (CONV-041) |
//! | `have_front`, `front_last`, `k_last` | out | there is a front token; no deeper token than the front can match; there is none deeper than Tk |
//! | `token_same`, `token_yield` | out | Tk has the type of the operation; is a YIELD token |
//! | `caught_groups`, `uncaught_groups`, `apart_groups` | out | threads of `d` that Tk names, of the group that it does not (but for PART); bits of its address that differ from the target: in every eighth place for eight |
//! | `resume_groups` | out | bits of the address of Tk that differ from `fall`: likewise |
//! | `front_resumes` | out | the front is a YIELD token that resumes there |
//! | `front_leaves` | out | the front token does not name all of the group (but for PART and WAKE) |
//! | `live_any`, `waiting_any`, `asleep_any`, `masked_any` | out | anybody who wakes when the front token is popped; anybody left who waits (CONV-070), who sleeps (CONV-151), who is masked (CONV-113) |
//! | `front_parts` | out | the front is a SUBV token (CONV-122) |
//! | `d_low`, `d_high`, `rest_low`, `rest_high` | out | threads of the two groups (CONV-011), in each half of the warp |
//! | `enters`, `drops`, `below` | out | a software push enters; is dropped; below bits of what enters at the front (CONV-030, 031) |
//! | `k_any`, `k_first` | out | k ≥ 1; k = 1 |
//! | `begins` | out | a yield begins at the last token |
//! | `counts` | out | one more backward transfer (CONV-055) |
//!
//! # Errors
//! None.

use super::{code, Eighths};
use crate::hdl::*;
use crate::prim::PopCount;

#[cell(requires((4..=64).contains(&W), 2 * W == 1 << P))]
pub struct Match<const W: usize, const P: usize> {
    pub run: Signal<In, Bit>,
    pub starting: Signal<In, Bit>,
    pub is_launch: Signal<In, Bit>,
    pub is_config: Signal<In, Bit>,
    pub is_leave: Signal<In, Bit>,
    pub is_yield: Signal<In, Bit>,
    pub is_send: Signal<In, Bit>,
    pub is_wake: Signal<In, Bit>,
    pub is_set: Signal<In, Bit>,
    pub is_parting: Signal<In, Bit>,
    pub is_part: Signal<In, Bit>,
    pub is_exit: Signal<In, Bit>,
    pub is_sleep: Signal<In, Bit>,
    pub calls: Signal<In, Bit>,
    pub scanning: Signal<In, Bit>,
    pub transfers: Signal<In, Bit>,
    pub stays: Signal<In, Bit>,
    pub pushes: Signal<In, Bit>,
    pub pushed: Signal<In, Bit>,
    pub kind: Signal<In, Bits<4>>,
    pub selected: Signal<In, Bits<W>>,
    pub target: Signal<In, Bits<22>>,
    pub k: Signal<In, Bits<10>>,
    pub left: Signal<In, Bits<10>>,
    pub active: Signal<In, Bits<W>>,
    pub reason: [Signal<In, Bits<W>>; 4],
    pub pc: Signal<In, Bits<22>>,
    pub front_kind: Signal<In, Bits<4>>,
    pub front_mask: Signal<In, Bits<W>>,
    pub front_pc: Signal<In, Bits<22>>,
    pub front_below: Signal<In, Bits<4>>,
    pub depth: Signal<In, Bits<10>>,
    pub free: Signal<In, Bits<10>>,
    pub size_new: Signal<In, Bits<10>>,
    pub blocked: Signal<In, Bit>,
    pub lowest: Signal<In, Bits<W>>,
    pub others_any: Signal<In, Bit>,
    pub is_unallocated: Signal<Out, Bit>,
    pub vacant: Signal<Out, Bit>,
    pub chosen: Signal<Out, Bits<W>>,
    pub d: Signal<Out, Bits<W>>,
    pub group: Signal<Out, Bits<W>>,
    pub comes: Signal<Out, Bits<W>>,
    pub selected_any: Signal<Out, Bit>,
    pub d_some: [Signal<Out, Bit>; 4],
    pub rest_any: Signal<Out, Bit>,
    pub after: Signal<Out, Bits<22>>,
    pub fall: Signal<Out, Bits<22>>,
    pub front_hit: Signal<Out, Bit>,
    pub front_clear: Signal<Out, Bit>,
    pub k_any: Signal<Out, Bit>,
    pub k_first: Signal<Out, Bit>,
    pub front_leaves: Signal<Out, Bit>,
    pub front_last: Signal<Out, Bit>,
    pub front_resumes: Signal<Out, Bit>,
    pub have_front: Signal<Out, Bit>,
    pub k_last: Signal<Out, Bit>,
    pub begins: Signal<Out, Bit>,
    pub live_any: Signal<Out, Bit>,
    pub waiting_any: Signal<Out, Bit>,
    pub asleep_any: Signal<Out, Bit>,
    pub masked_any: Signal<Out, Bit>,
    pub front_parts: Signal<Out, Bit>,
    pub drops: Signal<Out, Bit>,
    pub below: Signal<Out, Bits<4>>,
    pub token_kind: Signal<In, Bits<4>>,
    pub token_mask: Signal<In, Bits<W>>,
    pub token_pc: Signal<In, Bits<22>>,
    pub token_same: Signal<Out, Bit>,
    pub token_yield: Signal<Out, Bit>,
    pub caught_groups: Signal<Out, Bits<W>>,
    pub uncaught_groups: Signal<Out, Bits<W>>,
    pub apart_groups: Signal<Out, Bits<22>>,
    pub resume_groups: Signal<Out, Bits<22>>,
    front_yield: Signal<Local, Bit>,
    pub jumps: Signal<In, Bit>,
    pub falls: Signal<Out, Bit>,
    pub counts: Signal<Out, Bit>,
    pub enters: Signal<Out, Bit>,
    pub d_low: Signal<Out, Bits<P>>,
    pub d_high: Signal<Out, Bits<P>>,
    pub rest_low: Signal<Out, Bits<P>>,
    pub rest_high: Signal<Out, Bits<P>>,
    // Cells.
    count_d: PopCount<W, P>,
    count_rest: PopCount<W, P>,
    // Combinational.
    token_away: Eighths<22>,
    live: Signal<Local, Bits<W>>,
    early: Signal<Local, Bits<W>>,
    whole: Signal<Local, Bits<W>>,
    taken: Signal<Local, Bits<W>>,
    taken_any: Signal<Local, Bit>,
    rest: Signal<Local, Bits<W>>,
    redundant: Signal<Local, Bit>,
    deeper: Signal<Local, Bit>,
    is_short: Signal<Local, Bit>,
    front_same: Signal<Local, Bit>,
    front_there: Signal<Local, Bit>,
    front_after: Signal<Local, Bit>,
    push_there: Signal<Local, Bit>,
    front_caught: Signal<Local, Bits<W>>,
    front_uncaught: Signal<Local, Bits<W>>,
    front_match: Signal<Local, Bits<W>>,
    unexited: Signal<Local, Bits<W>>,
    sleepers: Signal<Local, Bits<W>>,
    maskers: Signal<Local, Bits<W>>,
    waiting: Signal<Local, Bits<W>>,
    token_caught: Eighths<W>,
    token_uncaught: Eighths<W>,
    token_apart: Eighths<22>,
    // Constants.
    #[value(code::KIND_SYNC.into())]
    kind_sync: Constant<Bits<4>>,
    #[value(code::KIND_CALL.into())]
    kind_call: Constant<Bits<4>>,
    #[value(code::KIND_DIV.into())]
    kind_div: Constant<Bits<4>>,
    #[value(code::KIND_YIELD.into())]
    kind_yield: Constant<Bits<4>>,
    #[value(code::KIND_EXIT.into())]
    kind_exit: Constant<Bits<4>>,
    #[value(code::KIND_BARRIER.into())]
    kind_barrier: Constant<Bits<4>>,
    #[value(code::KIND_MASKED.into())]
    kind_masked: Constant<Bits<4>>,
    #[value(code::KIND_SUBV.into())]
    kind_subv: Constant<Bits<4>>,
    #[value(0.into())]
    no_kind: Constant<Bits<4>>,
    #[value(1.into())]
    below_sync: Constant<Bits<4>>,
    #[value(2.into())]
    below_div: Constant<Bits<4>>,
    #[value(4.into())]
    below_call: Constant<Bits<4>>,
    #[value(8.into())]
    below_yield: Constant<Bits<4>>,
    #[value(0.into())]
    no_threads: Constant<Bits<W>>,
    #[init(std::array::from_fn(|i| { Constant::new((((1u64 << (W / 4)) - 1) << (i * W / 4)).into()) }))]
    quarter: [Constant<Bits<W>>; 4],
    #[value(Bits::<W>::mask())]
    all_threads: Constant<Bits<W>>,
    #[value(1.into())]
    one_token: Constant<Bits<10>>,
    #[value((W as u64).into())]
    width: Constant<Bits<10>>,
    #[value(u64::from(W.ilog2()).into())]
    width_bits: Constant<Bits<4>>,
    #[value(1.into())]
    one_place: Constant<Bits<1>>,
    #[value(1.into())]
    one_pc: Constant<Bits<22>>,
}

impl<const W: usize, const P: usize> Logic for Match<W, P> {
    #[part]
    fn update(&mut self) {
        self.is_unallocated.next = self.is_launch.val()
            & (!(self.size_new.val() >> self.width_bits.val()).any()
                | (self.size_new.val() == self.width.val()));
        self.vacant.next = self.run.val()
            & self.starting.val()
            & !self.active.val().any()
            & !self.is_config.val()
            & !self.is_wake.val();

        // ---- Threads and addresses.
        // Who is active has the reason EXIT, so a reason tells without asking who is active.
        self.sleepers.next = self.all_threads.val();
        self.maskers.next = self.all_threads.val();
        for i in 0..4 {
            if self.kind_masked.val().get_bit(i) {
                self.maskers.next = self.maskers.val() & self.reason[i].val();
            } else {
                self.maskers.next = self.maskers.val() & !self.reason[i].val();
            }
            if self.kind_barrier.val().get_bit(i) {
                self.sleepers.next = self.sleepers.val() & self.reason[i].val();
            } else {
                self.sleepers.next = self.sleepers.val() & !self.reason[i].val();
            }
        }
        self.chosen.next = self.selected.val();
        if self.is_wake.val() {
            self.chosen.next = self.selected.val() & self.sleepers.val();
        }
        if self.is_set.val() {
            self.chosen.next = self.selected.val() & (self.active.val() | self.maskers.val());
        }
        if self.is_parting.val() {
            self.chosen.next = self.active.val();
        }
        self.taken.next = self.selected.val() & self.active.val();
        self.taken_any.next = self.taken.val().any();
        self.rest.next = self.active.val() & !self.selected.val();
        self.d.next = self.taken.val();
        self.early.next = self.active.val();
        if self.is_leave.val() | self.is_send.val() | self.is_exit.val() | self.is_sleep.val() {
            self.early.next = self.taken.val();
        }
        if self.is_set.val() {
            self.early.next = self.rest.val();
        }
        // Whom a WAKE chooses comes late, and neither a LEAVE nor a push asks for that.
        self.whole.next = self.early.val();
        if self.is_wake.val() {
            self.whole.next = self.chosen.val();
        }
        self.group.next = self.whole.val();
        if self.is_part.val() {
            self.group.next = self.selected.val() & !self.lowest.val();
        }
        self.rest_any.next = self.rest.val().any();
        if self.is_wake.val() {
            self.rest_any.next = !self.blocked.val();
        }
        if self.is_part.val() {
            self.rest_any.next = self.others_any.val();
        }
        self.selected_any.next = self.selected.val().any();
        self.after.next = self.pc.val() + self.one_pc.val();
        self.fall.next = self.after.val();
        if self.stays.val() {
            self.fall.next = self.pc.val();
        }
        if self.is_wake.val() {
            self.fall.next = self.target.val();
        }
        self.falls.next = (self.target.val() == self.after.val()) & !self.jumps.val();
        self.k_any.next = self.k.val().any();
        self.k_first.next = self.k.val() == self.one_token.val();
        self.have_front.next = self.depth.val().any();

        // ---- Count backward transfers (CONV-055).
        self.counts.next =
            self.transfers.val() & self.taken_any.val() & (self.target.val() <= self.pc.val());

        // ---- Search the front token (CONV-040 to 042).
        self.front_same.next = self.front_kind.val() == self.kind.val();
        self.front_there.next = self.front_pc.val() == self.target.val();
        self.front_yield.next = self.front_kind.val() == self.kind_yield.val();
        self.front_caught.next = self.taken.val() & self.front_mask.val();
        self.front_uncaught.next = self.early.val() & !self.front_mask.val();
        self.front_resumes.next = self.front_yield.val() & (self.front_pc.val() == self.fall.val());
        self.front_leaves.next = self.front_uncaught.val().any();
        self.front_hit.next = self.is_leave.val()
            & self.starting.val()
            & self.have_front.val()
            & self.front_same.val()
            & self.front_there.val()
            & self.front_caught.val().any();
        self.front_clear.next = self.is_leave.val()
            & self.starting.val()
            & self.front_same.val()
            & !self.front_there.val();
        self.deeper.next = (self.depth.val() >> self.one_place.val()).any();
        self.front_last.next = !self.deeper.val()
            | self.front_yield.val()
            | ((self.kind.val() == self.kind_sync.val()) & !self.front_below.val().get_bit(0))
            | ((self.kind.val() == self.kind_call.val()) & !self.front_below.val().get_bit(2));
        self.token_same.next = self.token_kind.val() == self.kind.val();
        self.token_yield.next = self.token_kind.val() == self.kind_yield.val();
        self.token_caught.bits.next = self.taken.val() & self.token_mask.val();
        self.token_uncaught.bits.next = self.whole.val() & !self.token_mask.val();
        self.token_apart.bits.next = self.token_pc.val() ^ self.target.val();
        self.caught_groups.next = self.token_caught.groups.val();
        self.uncaught_groups.next = self.token_uncaught.groups.val();
        self.token_away.bits.next = self.token_pc.val() ^ self.fall.val();
        self.resume_groups.next = self.token_away.groups.val();
        self.apart_groups.next = self.token_apart.groups.val();
        self.k_last.next = !self.deeper.val() | (self.left.val() == self.one_token.val());

        // ---- Who would wake if the front token were popped (CONV-070)? Threads just caught by it come on top.
        self.front_match.next = self.all_threads.val();
        self.unexited.next = self.no_threads.val();
        for i in 0..4 {
            if self.front_kind.val().get_bit(i) {
                self.front_match.next = self.front_match.val() & self.reason[i].val();
            } else {
                self.front_match.next = self.front_match.val() & !self.reason[i].val();
            }
            if self.kind_exit.val().get_bit(i) {
                self.unexited.next = self.unexited.val() | !self.reason[i].val();
            } else {
                self.unexited.next = self.unexited.val() | self.reason[i].val();
            }
        }
        self.waiting.next = self.unexited.val() & !self.sleepers.val() & !self.maskers.val();
        self.masked_any.next = self.maskers.val().any();
        self.front_parts.next = self.front_kind.val() == self.kind_subv.val();
        self.asleep_any.next = self.sleepers.val().any();
        self.waiting_any.next = self.waiting.val().any() | self.is_leave.val();
        self.live.next = self.front_mask.val() & self.front_match.val();
        self.live_any.next = self.live.val().any();
        self.comes.next = self.live.val();
        if self.is_launch.val() | self.is_set.val() | self.is_wake.val() {
            self.comes.next = self.chosen.val();
        }
        if self.is_part.val() {
            self.comes.next = self.lowest.val();
        }
        for i in 0..4 {
            self.d_some[i].next = (self.taken.val() & self.quarter[i].val()).any();
            if self.is_wake.val() | self.is_set.val() {
                self.d_some[i].next = (self.chosen.val() & self.quarter[i].val()).any();
            }
        }

        // ---- Split (CONV-010, CONV-011).
        self.count_d.bits.next = self.taken.val();
        self.count_rest.bits.next = self.rest.val();
        carry!(self.d_* <- self.count_d: low, high);
        carry!(self.rest_* <- self.count_rest: low, high);

        // ---- Push (CONV-030, CONV-031).
        self.front_after.next = self.front_pc.val() == self.after.val();
        self.push_there.next = self.front_there.val();
        if self.calls.val() {
            self.push_there.next = self.front_after.val();
        }
        self.redundant.next = self.have_front.val()
            & self.front_same.val()
            & self.push_there.val()
            & !self.front_leaves.val();
        self.is_short.next = !(self.free.val() >> self.width_bits.val()).any()
            | (self.free.val() == self.width.val());
        self.enters.next = self.pushes.val() & !self.redundant.val() & !self.is_short.val();
        // A call is resolved in its second pass when its threads part ways, SUBV_START always: what became of its push
        // can still be told.
        self.drops.next = self.pushed.val() & !self.redundant.val() & self.is_short.val();
        self.below.next = self.front_below.val();
        if self.front_kind.val() == self.kind_sync.val() {
            self.below.next = self.below.val() | self.below_sync.val();
        }
        if self.front_kind.val() == self.kind_div.val() {
            self.below.next = self.below.val() | self.below_div.val();
        }
        if self.front_kind.val() == self.kind_call.val() {
            self.below.next = self.below.val() | self.below_call.val();
        }
        if self.front_yield.val() {
            self.below.next = self.below.val() | self.below_yield.val();
        }
        if !self.have_front.val() {
            self.below.next = self.no_kind.val();
        }

        // ---- Yield (CONV-050, CONV-051); the resume address is `fall`.
        self.begins.next = self.is_yield.val() & self.have_front.val() & !self.scanning.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random state and operands: also states that no program reaches, since every signal must agree.
    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "match",
            Match::<8, 4>::default,
            3000,
            |u, rng, _| {
                u.run.next = rng.flip();
                u.starting.next = rng.flip();
                u.is_launch.next = rng.flip();
                u.is_config.next = rng.flip();
                u.is_leave.next = rng.flip();
                u.is_yield.next = rng.flip();
                u.is_send.next = rng.flip();
                u.is_wake.next = rng.flip();
                u.is_set.next = rng.flip();
                u.is_parting.next = rng.flip();
                u.is_part.next = rng.flip();
                u.is_exit.next = rng.flip();
                u.is_sleep.next = rng.flip();
                u.calls.next = rng.flip();
                u.scanning.next = rng.flip();
                u.transfers.next = rng.flip();
                u.stays.next = rng.flip();
                u.jumps.next = rng.flip();
                u.pushes.next = rng.flip();
                u.pushed.next = rng.flip();
                u.blocked.next = rng.flip();
                u.lowest.next = rng.bits();
                u.others_any.next = rng.flip();
                u.kind.next = if rng.flip() {
                    rng.below(4).into()
                } else {
                    rng.bits()
                };
                u.selected.next = rng.bits();
                u.target.next = rng.below(3).into();
                u.token_kind.next = rng.bits();
                u.token_mask.next = rng.bits();
                u.token_pc.next = rng.below(3).into();
                u.k.next = rng.below(4).into();
                u.left.next = rng.below(4).into();
                u.active.next = if rng.chance(1, 4) {
                    0.into()
                } else {
                    rng.bits()
                };
                let asleep = rng.bits::<8>();
                for (i, r) in u.reason.iter_mut().enumerate() {
                    let barrier = if code::KIND_BARRIER >> i & 1 == 1 {
                        asleep
                    } else {
                        0.into()
                    };
                    r.next = barrier | (rng.bits::<8>() & !asleep);
                }
                u.pc.next = rng.below(3).into();
                u.front_kind.next = if rng.flip() { 0.into() } else { rng.bits() };
                u.front_mask.next = rng.bits();
                u.front_pc.next = rng.below(3).into();
                u.front_below.next = rng.bits();
                u.depth.next = rng.below(10).into();
                u.free.next = rng.below(20).into();
                u.size_new.next = rng.below(16).into();
            },
            None,
        )
        .unwrap();
    }
}
