//! The job of the memory port that a pass may start: which tokens, how many, where. Combinational; beside `decide.rs`.
//!
//! Spec: `docs/spec/spill.md`, SPILL-020, SPILL-032 to 034.
//!
//! # Parameters
//! As of `Locate`.
//!
//! # Ports
//! | Port | Dir | Meaning |
//! |---|---|---|
//! | `mode`, `scans`, `k`, `at` | in | pass; it scans from the back; number and place of the token at hand |
//! | `fore`, `stored`, `rear` | in | window of the warp |
//! | `left` | in | tokens from the one at hand to the last, in FETCH |
//! | `at_base`, `spills`, `evicts`, `fills` | in | what `Locate` found |
//! | `job_count` | out | tokens of the job |
//! | `lead_of`, `lead_by`, `lead_more` | out | number of the job's first token: the sum of the three |
//! | `job_ends` | out | that is the number of the one behind its last token |
//! | `job_at`, `job_area`, `job_down`, `job_writes` | out | first scratch place, how places wrap, they count down; to memory |
//! | `copied` | out | recentering: no token is left to copy |
//!
//! # Errors
//! None.

use super::code;
use crate::hdl::*;

#[cell(given(let (front, back) = (K as u64, B as u64);))]
pub struct Job<const K: usize, const B: usize, const R: usize> {
    pub mode: Signal<In, Bits<3>>,
    pub scans: Signal<In, Bit>,
    pub k: Signal<In, Bits<10>>,
    pub at: Signal<In, Bits<R>>,
    pub fore: Signal<In, Bits<R>>,
    pub stored: Signal<In, Bits<10>>,
    pub rear: Signal<In, Bits<R>>,
    pub left: Signal<In, Bits<10>>,
    pub at_base: Signal<In, Bit>,
    pub spills: Signal<In, Bit>,
    pub evicts: Signal<In, Bit>,
    pub fills: Signal<In, Bit>,
    pub job_count: Signal<Out, Bits<R>>,
    pub lead_of: Signal<Out, Bits<R>>,
    pub lead_by: Signal<Out, Bits<10>>,
    pub lead_more: Signal<Out, Bit>,
    pub job_ends: Signal<Out, Bit>,
    pub job_at: Signal<Out, Bits<R>>,
    pub job_area: Signal<Out, Bits<2>>,
    pub job_down: Signal<Out, Bit>,
    pub job_writes: Signal<Out, Bit>,
    pub copied: Signal<Out, Bit>,
    // Combinational.
    fetches: Signal<Local, Bit>,
    writes_back: Signal<Local, Bit>,
    copies: Signal<Local, Bit>,
    wide_fore: Signal<Local, Bits<10>>,
    wide_rear: Signal<Local, Bits<10>>,
    few_stored: Signal<Local, Bit>,
    left_of: Signal<Local, Bits<10>>,
    left_by: Signal<Local, Bits<10>>,
    job_left: Signal<Local, Bits<10>>,
    left_low: Signal<Local, Bits<R>>,
    left_few: Signal<Local, Bit>,
    stored_low: Signal<Local, Bits<R>>,
    // Constants.
    #[value(code::MODE_FETCH.into())]
    mode_fetch: Constant<Bits<3>>,
    #[value(code::MODE_WRITE_BACK.into())]
    mode_write_back: Constant<Bits<3>>,
    #[value(code::MODE_COPY_READ.into())]
    mode_copy_read: Constant<Bits<3>>,
    #[value(code::MODE_COPY_WRITE.into())]
    mode_copy_write: Constant<Bits<3>>,
    #[value(code::AREA_FRONT.into())]
    area_front: Constant<Bits<2>>,
    #[value(code::AREA_BACK.into())]
    area_back: Constant<Bits<2>>,
    #[value(code::AREA_SCRATCH.into())]
    area_scratch: Constant<Bits<2>>,
    #[value(0.into())]
    no_tokens: Constant<Bits<10>>,
    #[value(0.into())]
    no_places: Constant<Bits<R>>,
    #[value(((1u64 << R) - front - back).into())]
    scratch_places: Constant<Bits<R>>,
    #[value((R as u64).into())]
    place_bits: Constant<Bits<4>>,
    #[value(1.into())]
    one_place: Constant<Bits<R>>,
    #[value((front + back).into())]
    scratch_first: Constant<Bits<R>>,
    #[value((front / 2).into())]
    spill_tokens: Constant<Bits<R>>,
    #[value((back / 2).max(1).into())]
    evict_tokens: Constant<Bits<R>>,
    #[value(u64::from((front / 2).ilog2()).into())]
    limit_bits: Constant<Bits<4>>,
    #[value(((1 << 10) - front / 2).into())]
    spilled: Constant<Bits<10>>,
}

impl<const K: usize, const B: usize, const R: usize> Logic for Job<K, B, R> {
    #[part]
    fn update(&mut self) {
        self.fetches.next = self.mode.val() == self.mode_fetch.val();
        self.writes_back.next = self.mode.val() == self.mode_write_back.val();
        self.copies.next = (self.mode.val() == self.mode_copy_read.val())
            | (self.mode.val() == self.mode_copy_write.val());
        self.wide_fore.next = bit_cast::<10, R>(self.fore.val());
        self.wide_rear.next = bit_cast::<10, R>(self.rear.val());

        // ---- How many tokens.
        self.copied.next = self.k.val() == self.stored.val();
        self.stored_low.next = bit_cast::<R, 10>(self.stored.val());
        self.job_count.next = self.spill_tokens.val();
        self.few_stored.next = !(self.stored.val() >> self.limit_bits.val()).any();
        if self.fills.val() & self.few_stored.val() {
            self.job_count.next = self.stored_low.val();
        }
        if self.evicts.val() {
            self.job_count.next = self.evict_tokens.val();
        }
        if self.writes_back.val() {
            self.job_count.next = self.one_place.val();
        }
        // One subtraction for all kinds of jobs.
        self.left_of.next = self.stored.val();
        self.left_by.next = self.k.val();
        if self.fetches.val() {
            self.left_of.next = self.left.val();
            self.left_by.next = self.wide_rear.val();
            if self.scans.val() {
                self.left_of.next = self.k.val();
                self.left_by.next = self.wide_fore.val();
            }
        }
        self.job_left.next = self.left_of.val() - self.left_by.val();
        self.left_low.next = bit_cast::<R, 10>(self.job_left.val());
        self.left_few.next = !(self.job_left.val() >> self.place_bits.val()).any()
            & (self.left_low.val() < self.scratch_places.val());
        if self.fetches.val() | self.copies.val() {
            self.job_count.next = self.scratch_places.val();
            if self.left_few.val() {
                self.job_count.next = self.left_low.val();
            }
        }

        // ---- Which tokens, where.
        // Upwards, the first token is the one behind the front ring, or so many further on.
        self.lead_of.next = self.fore.val();
        self.lead_by.next = self.no_tokens.val();
        self.lead_more.next = true;
        self.job_area.next = self.area_front.val();
        self.job_at.next = self.scratch_first.val();
        self.job_writes.next = self.spills.val()
            | self.evicts.val()
            | self.writes_back.val()
            | (self.mode.val() == self.mode_copy_write.val());
        self.job_down.next = self.fetches.val() & self.scans.val();
        // A scan goes to the front; upwards, the rearmost tokens are copied first.
        self.job_ends.next = self.job_down.val() | (self.copies.val() & self.at_base.val());
        if self.spills.val() {
            self.lead_by.next = self.spilled.val();
        }
        if self.evicts.val() {
            self.lead_by.next = self.stored.val();
            self.job_area.next = self.area_back.val();
        }
        if self.fetches.val() | self.writes_back.val() {
            carry!(self <- self:
                lead_of = no_places, lead_by = k, lead_more = job_down, job_area = area_scratch,
            );
        }
        if self.writes_back.val() {
            self.job_at.next = self.at.val();
        }
        if self.copies.val() {
            self.job_area.next = self.area_scratch.val();
            self.lead_by.next = self.k.val();
            if self.at_base.val() {
                self.lead_by.next = self.job_left.val();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random windows: also such as no program reaches, since every signal must agree.
    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "job",
            Job::<4, 2, 3>::default,
            3000,
            |u, rng, _| {
                u.mode.next = rng.bits();
                u.scans.next = rng.flip();
                u.k.next = rng.below(12).into();
                u.at.next = rng.bits();
                u.fore.next = rng.below(5).into();
                u.stored.next = if rng.flip() {
                    0.into()
                } else {
                    rng.below(8).into()
                };
                u.rear.next = rng.below(3).into();
                u.left.next = rng.below(16).into();
                u.at_base.next = rng.flip();
                // At most one.
                let one = rng.below(6);
                u.spills.next = one == 0;
                u.evicts.next = one == 1;
                u.fills.next = one == 2;
            },
            None,
        )
        .unwrap();
    }
}
