//! Token window, second half of a pass: the window afterwards, the job to start, and the passes that serve the window
//! only. Combinational.
//!
//! Spec: `docs/spec/spill.md`, SPILL-020 to 033. `locate.rs` has made all comparisons.
//!
//! # Parameters
//! As `Locate`.
//!
//! # Ports
//! | Port | Dir | Meaning |
//! |---|---|---|
//! | `mode`, `k`, `at`, `then_*` | in | pass; the token at hand; where the next one stands |
//! | `head` .. `ring`, `fore_any`, `new_head`, `copied` | in | window of the warp |
//! | `spills`, `evicts`, `fills`, `job_count`, `lead_*` | in | what `Locate` and `Job` propose |
//! | `was_moving`, `moving` | in | a job of the warp was in flight when `Locate` looked; is now |
//! | `blocked`, `launches`, `launch_head`, `sets_head`, `head_data` | in | the pass cannot be carried out yet; launch; configuration write |
//! | `push_front`, `have_front`, `push_back`, `back_joins`, `pop`, `pop_behind` | in | what `Execute` does; `pop_behind`: a token stood behind the popped one |
//! | `cfg_recenter` | in | the driver moves tokens (SPILL-023) |
//! | `back_at`, `depth` | in | where a token pushed at the back goes; tokens of the warp |
//! | `next_*` | out | window afterwards |
//! | `front_place`, `last_place` | out | place afterwards of the token behind the front, of the last one; it counts only if that is at hand |
//! | `job`, `job_lead` | out | start the job; number of its first token |
//! | `job_moved` | out | its positions count from `new_head` |
//! | `again`, `parks` | out | the step goes on: in the next cycle, or when the job has ended |
//! | `again_mode`, `again_k`, `again_at` | out | how |
//! | `recenters`, `stops` | out | a recentering begins; the driver has to do it |
//!
//! # Errors
//! None.

use super::{code, Place};
use crate::hdl::*;

#[cell]
pub struct Spill<const K: usize, const B: usize, const R: usize> {
    pub mode: Signal<In, Bits<3>>,
    pub k: Signal<In, Bits<10>>,
    pub at: Signal<In, Bits<R>>,
    pub then_at: Signal<In, Bits<R>>,
    pub then_here: Signal<In, Bit>,
    pub head: Signal<In, Bits<10>>,
    pub fore: Signal<In, Bits<R>>,
    pub solid: Signal<In, Bits<R>>,
    pub taken: Signal<In, Bits<R>>,
    pub rear: Signal<In, Bits<R>>,
    pub rear_taken: Signal<In, Bits<R>>,
    pub stored: Signal<In, Bits<10>>,
    pub ring: Signal<In, Bits<R>>,
    pub depth: Signal<In, Bits<10>>,
    pub fore_any: Signal<In, Bit>,
    pub new_head: Signal<In, Bits<10>>,
    pub copied: Signal<In, Bit>,
    pub spills: Signal<In, Bit>,
    pub evicts: Signal<In, Bit>,
    pub fills: Signal<In, Bit>,
    pub job_count: Signal<In, Bits<R>>,
    pub lead_of: Signal<In, Bits<R>>,
    pub lead_by: Signal<In, Bits<10>>,
    pub lead_more: Signal<In, Bit>,
    pub was_moving: Signal<In, Bit>,
    pub moving: Signal<In, Bit>,
    pub blocked: Signal<In, Bit>,
    pub launches: Signal<In, Bit>,
    pub launch_head: Signal<In, Bits<10>>,
    pub sets_head: Signal<In, Bit>,
    pub head_data: Signal<In, Bits<10>>,
    pub push_front: Signal<In, Bit>,
    pub have_front: Signal<In, Bit>,
    pub push_back: Signal<In, Bit>,
    pub back_joins: Signal<In, Bit>,
    pub back_at: Signal<In, Bits<R>>,
    pub pop: Signal<In, Bit>,
    pub pop_behind: Signal<In, Bit>,
    pub cfg_recenter: Signal<In, Bit>,
    pub next_head: Signal<Out, Bits<10>>,
    pub next_fore: Signal<Out, Bits<R>>,
    pub next_solid: Signal<Out, Bits<R>>,
    pub next_taken: Signal<Out, Bits<R>>,
    pub next_rear: Signal<Out, Bits<R>>,
    pub next_rear_taken: Signal<Out, Bits<R>>,
    pub next_stored: Signal<Out, Bits<10>>,
    pub next_ring: Signal<Out, Bits<R>>,
    pub front_place: Signal<Out, Bits<R>>,
    pub last_place: Signal<Out, Bits<R>>,
    pub job: Signal<Out, Bit>,
    pub job_lead: Signal<Out, Bits<10>>,
    pub job_moved: Signal<Out, Bit>,
    pub again: Signal<Out, Bit>,
    pub parks: Signal<Out, Bit>,
    pub again_mode: Signal<Out, Bits<3>>,
    pub again_k: Signal<Out, Bits<10>>,
    pub again_at: Signal<Out, Bits<R>>,
    pub recenters: Signal<Out, Bit>,
    pub stops: Signal<Out, Bit>,
    // Combinational.
    starts: Signal<Local, Bit>,
    wide_tokens: Signal<Local, Bits<10>>,
    wide_lead: Signal<Local, Bits<10>>,
    lead_left: Signal<Local, Bits<11>>,
    lead_right: Signal<Local, Bits<11>>,
    lead_sum: Signal<Local, Bits<11>>,
    fore_0: Signal<Local, Bits<R>>,
    solid_0: Signal<Local, Bits<R>>,
    taken_0: Signal<Local, Bits<R>>,
    rear_0: Signal<Local, Bits<R>>,
    tokens_by: Signal<Local, Bits<R>>,
    stored_by: Signal<Local, Bits<10>>,
    stored_left: Signal<Local, Bits<11>>,
    stored_right: Signal<Local, Bits<11>>,
    stored_sum: Signal<Local, Bits<11>>,
    fore_then: Signal<Local, Bits<R>>,
    fore_by: Signal<Local, Bits<R>>,
    rear_by: Signal<Local, Bits<R>>,
    head_by: Signal<Local, Bits<10>>,
    ring_by: Signal<Local, Bits<R>>,
    grows_fore: Signal<Local, Bit>,
    grows_rear: Signal<Local, Bit>,
    shrinks_fore: Signal<Local, Bit>,
    shrinks_rear: Signal<Local, Bit>,
    no_tokens_stored: Signal<Local, Bit>,
    fore_few: Signal<Local, Bit>,
    second_by: Signal<Local, Bits<R>>,
    second: Place<K, B, R>,
    second_rear: Signal<Local, Bit>,
    last: Place<K, B, R>,
    goes_on: Signal<Local, Bit>,
    waits: Signal<Local, Bit>,
    // Constants.
    #[value(code::MODE_RUN.into())]
    mode_run: Constant<Bits<3>>,
    #[value(code::MODE_WAIT.into())]
    mode_wait: Constant<Bits<3>>,
    #[value(code::MODE_FETCH.into())]
    mode_fetch: Constant<Bits<3>>,
    #[value(code::MODE_WRITE_BACK.into())]
    mode_write_back: Constant<Bits<3>>,
    #[value(code::MODE_RECENTER.into())]
    mode_recenter: Constant<Bits<3>>,
    #[value(code::MODE_COPY_READ.into())]
    mode_copy_read: Constant<Bits<3>>,
    #[value(code::MODE_COPY_WRITE.into())]
    mode_copy_write: Constant<Bits<3>>,
    #[value(0.into())]
    none: Constant<Bits<R>>,
    #[value(1.into())]
    one: Constant<Bits<R>>,
    #[value(2.into())]
    two: Constant<Bits<R>>,
    #[value(0.into())]
    none_stored: Constant<Bits<10>>,
    #[value(1.into())]
    one_position: Constant<Bits<10>>,
    #[value(Bits::<10>::mask())]
    one_position_less: Constant<Bits<10>>,
    #[value(1.into())]
    carry: Constant<Bits<11>>,
    #[value(1.into())]
    one_bit: Constant<Bits<1>>,
    #[value(Bits::<R>::mask())]
    one_less: Constant<Bits<R>>,
}

impl<const K: usize, const B: usize, const R: usize> Logic for Spill<K, B, R> {
    #[part]
    fn update(&mut self) {
        // ---- A job in passing: its tokens change sides at once;
        // the places stay taken, or are not solid, until it has ended.
        self.starts.next =
            (self.spills.val() | self.evicts.val() | self.fills.val()) & !self.blocked.val();
        self.wide_tokens.next = bit_cast::<10, R>(self.job_count.val());
        self.tokens_by.next = self.job_count.val();
        self.stored_by.next = self.wide_tokens.val();
        if self.spills.val() {
            self.tokens_by.next = self.none.val() - self.job_count.val();
        }
        if self.fills.val() {
            self.stored_by.next = !self.wide_tokens.val();
        }
        // One addition with a carry: to take some away is to add the complement and one.
        self.stored_left.next = (bit_cast::<11, 10>(self.stored.val()) << self.one_bit.val())
            | bit_cast::<11, 1>(self.fills.val().into());
        self.stored_right.next = (bit_cast::<11, 10>(self.stored_by.val()) << self.one_bit.val())
            | bit_cast::<11, 1>(self.fills.val().into());
        self.stored_sum.next = self.stored_left.val() + self.stored_right.val();
        self.fore_then.next = self.fore.val() + self.tokens_by.val();
        carry!(self <- self: fore_0 = fore, solid_0 = solid, taken_0 = taken, rear_0 = rear);
        self.next_stored.next = self.stored.val();
        if self.starts.val() {
            self.next_stored.next = self.stored_sum.val().get_bits::<10>(1);
            if self.evicts.val() {
                self.rear_0.next = self.rear.val() - self.job_count.val();
            } else {
                self.fore_0.next = self.fore_then.val();
                if self.spills.val() {
                    self.solid_0.next = self.fore_then.val();
                } else {
                    self.taken_0.next = self.fore_then.val();
                }
            }
        }

        // ---- Tokens that come and go.
        self.grows_fore.next = (self.push_front.val() & self.have_front.val())
            | (self.push_back.val() & self.back_joins.val());
        self.grows_rear.next = self.push_back.val() & !self.back_joins.val();
        self.shrinks_fore.next = self.pop.val() & self.pop_behind.val() & self.fore_any.val();
        self.shrinks_rear.next = self.pop.val() & self.pop_behind.val() & !self.fore_any.val();
        self.fore_by.next = self.none.val();
        if self.grows_fore.val() {
            self.fore_by.next = self.one.val();
        }
        if self.shrinks_fore.val() {
            self.fore_by.next = self.one_less.val();
        }
        self.rear_by.next = self.none.val();
        if self.grows_rear.val() {
            self.rear_by.next = self.one.val();
        }
        if self.shrinks_rear.val() {
            self.rear_by.next = self.one_less.val();
        }
        self.next_fore.next = self.fore_0.val() + self.fore_by.val();
        self.next_solid.next = self.solid_0.val() + self.fore_by.val();
        self.next_taken.next = self.taken_0.val() + self.fore_by.val();
        self.next_rear.next = self.rear_0.val() + self.rear_by.val();
        self.next_rear_taken.next = self.rear_taken.val() + self.rear_by.val();
        self.head_by.next = self.none_stored.val();
        self.ring_by.next = self.none.val();
        if self.push_front.val() {
            self.head_by.next = self.one_position_less.val();
            self.ring_by.next = self.one_less.val();
        }
        if self.pop.val() {
            self.head_by.next = self.one_position.val();
            self.ring_by.next = self.one.val();
        }
        self.next_head.next = self.head.val() + self.head_by.val();
        self.next_ring.next = self.ring.val() + self.ring_by.val();

        // ---- Where the token behind the front and the last one will stand: asked now, since the next pass has no time
        // to.
        // If the former is at hand, it is in the back ring if nothing is left before that.
        self.no_tokens_stored.next = !self.stored.val().any();
        self.fore_few.next = !self.fore_any.val() | (self.fore.val() == self.one.val());
        self.second_by.next = self.one.val();
        self.second_rear.next =
            !self.fore_any.val() & self.no_tokens_stored.val() & !self.back_joins.val();
        if self.pop.val() {
            self.second_by.next = self.two.val();
            self.second_rear.next = self.fore_few.val() & self.no_tokens_stored.val();
        }
        if self.push_front.val() {
            self.second_by.next = self.none.val();
            self.second_rear.next = false;
        }
        self.second.number.next = self.ring.val() + self.second_by.val();
        self.front_place.next = self.second.front.val();
        if self.second_rear.val() {
            self.front_place.next = self.second.back.val();
        }
        self.last.number.next =
            self.ring.val() + bit_cast::<R, 10>(self.depth.val()) - self.one.val();
        self.last_place.next = self.last.front.val();
        if self.rear.val().any() {
            self.last_place.next = self.last.back.val();
        }
        if self.push_back.val() {
            self.last_place.next = self.back_at.val();
        }

        // ---- Passes that serve the window. With a job in flight they wait for its end;
        // it may have ended since `Locate` looked.
        self.goes_on.next = !self.was_moving.val();
        self.waits.next = self.was_moving.val() & self.moving.val();
        // One addition with a carry.
        self.wide_lead.next = bit_cast::<10, R>(self.lead_of.val());
        self.lead_left.next =
            (bit_cast::<11, 10>(self.wide_lead.val()) << self.one_bit.val()) | self.carry.val();
        self.lead_right.next = (bit_cast::<11, 10>(self.lead_by.val()) << self.one_bit.val())
            | bit_cast::<11, 1>(self.lead_more.val().into());
        self.lead_sum.next = self.lead_left.val() + self.lead_right.val();
        self.job_lead.next = self.lead_sum.val().get_bits::<10>(1);
        self.job.next = self.starts.val();
        self.job_moved.next = false;
        self.again.next = false;
        self.parks.next = false;
        self.again_mode.next = self.mode_run.val();
        carry!(self.again_* <- self: k, at);
        self.recenters.next = false;
        self.stops.next = false;
        if self.mode.val() != self.mode_run.val() {
            self.again.next = true;
            if !self.goes_on.val() {
                if self.mode.val() != self.mode_wait.val() {
                    self.again_mode.next = self.mode.val();
                }
                self.again.next = !self.waits.val();
                self.parks.next = self.waits.val();
            } else if self.mode.val() == self.mode_wait.val() {
                // The job that makes room, if one does; then the step is tried once more.
                self.again.next = !self.starts.val();
                self.parks.next = self.starts.val();
            } else if self.mode.val() == self.mode_fetch.val() {
                self.again_at.next = self.then_at.val();
                self.again.next = self.then_here.val();
                self.parks.next = !self.then_here.val();
                self.job.next = !self.then_here.val();
            } else if self.mode.val() == self.mode_write_back.val() {
                self.job.next = true;
            } else if self.mode.val() == self.mode_recenter.val() {
                self.recenters.next = true;
                self.again_k.next = self.none_stored.val();
                if self.cfg_recenter.val() {
                    self.stops.next = true;
                    self.again.next = false;
                    self.parks.next = true;
                } else if self.no_tokens_stored.val() {
                    self.next_head.next = self.new_head.val();
                } else {
                    self.again_mode.next = self.mode_copy_read.val();
                }
            } else if self.mode.val() == self.mode_copy_read.val() {
                if self.copied.val() {
                    self.next_head.next = self.new_head.val();
                } else {
                    self.job.next = true;
                    self.again.next = false;
                    self.parks.next = true;
                    self.again_mode.next = self.mode_copy_write.val();
                }
            } else {
                self.job.next = true;
                self.job_moved.next = true;
                self.again.next = false;
                self.parks.next = true;
                self.again_mode.next = self.mode_copy_read.val();
                self.again_k.next = self.k.val() + self.wide_tokens.val();
            }
        }

        // ---- Launch; configuration.
        if self.launches.val() {
            carry!(self <- self:
                next_head = launch_head, next_fore = none, next_solid = none, next_taken = none,
                next_rear = none, next_rear_taken = none, next_stored = none_stored,
                next_ring = none,
            );
        }
        if self.sets_head.val() {
            self.next_head.next = self.head_data.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random findings: also such as no program reaches, since every signal must agree.
    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "spill",
            Spill::<4, 2, 3>::default,
            4000,
            |u, rng, _| {
                u.mode.next = rng.bits();
                u.k.next = rng.bits();
                u.at.next = rng.bits();
                u.then_at.next = rng.bits();
                u.then_here.next = rng.flip();
                u.head.next = rng.bits();
                u.fore.next = rng.bits();
                u.solid.next = rng.bits();
                u.taken.next = rng.bits();
                u.rear.next = rng.bits();
                u.rear_taken.next = rng.bits();
                u.stored.next = rng.bits();
                u.ring.next = rng.bits();
                u.depth.next = rng.bits();
                u.fore_any.next = rng.flip();
                u.new_head.next = rng.bits();
                u.copied.next = rng.flip();
                u.spills.next = rng.flip();
                u.evicts.next = rng.flip();
                u.fills.next = rng.flip();
                u.job_count.next = rng.bits();
                u.lead_of.next = rng.bits();
                u.lead_by.next = rng.bits();
                u.lead_more.next = rng.flip();
                u.was_moving.next = rng.flip();
                u.moving.next = rng.flip();
                u.blocked.next = rng.flip();
                u.launches.next = rng.chance(1, 8);
                u.launch_head.next = rng.bits();
                u.sets_head.next = rng.chance(1, 8);
                u.head_data.next = rng.bits();
                u.push_front.next = rng.flip();
                u.have_front.next = rng.flip();
                u.push_back.next = rng.flip();
                u.back_joins.next = rng.flip();
                u.back_at.next = rng.bits();
                u.pop.next = rng.flip();
                u.pop_behind.next = rng.flip();
                u.cfg_recenter.next = rng.flip();
            },
            None,
        )
        .unwrap();
    }
}
