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
//! | `fore`, `stored` | in | window of the warp |
//! | `at_base`, `spills`, `evicts`, `fills` | in | what `Locate` found |
//! | `job_tokens` | out | tokens of a job in passing, or of a write back |
//! | `job_chunk`, `job_left` | out | the job has as many tokens as scratch places; or as these, when they are fewer |
//! | `job_lead`, `job_ends` | out | number of the job's first token; of the one behind its last |
//! | `job_at`, `job_area`, `job_down`, `job_writes` | out | first scratch place, how places wrap, they count down; to memory |
//! | `copied` | out | recentering: no token is left to copy |
//!
//! # Errors
//! None.

use super::code;
use crate::hdl::*;

#[derive(LogicBlock)]
pub struct Job<const K: usize, const B: usize, const R: usize> {
    pub mode: Signal<In, Bits<3>>,
    pub scans: Signal<In, Bit>,
    pub k: Signal<In, Bits<10>>,
    pub at: Signal<In, Bits<R>>,
    pub fore: Signal<In, Bits<R>>,
    pub stored: Signal<In, Bits<10>>,
    pub at_base: Signal<In, Bit>,
    pub spills: Signal<In, Bit>,
    pub evicts: Signal<In, Bit>,
    pub fills: Signal<In, Bit>,
    pub job_tokens: Signal<Out, Bits<R>>,
    pub job_chunk: Signal<Out, Bit>,
    pub job_left: Signal<Out, Bits<10>>,
    pub job_lead: Signal<Out, Bits<10>>,
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
    beyond_stored: Signal<Local, Bits<10>>,
    beyond_k: Signal<Local, Bits<10>>,
    stored_low: Signal<Local, Bits<R>>,
    // Constants.
    mode_fetch: Constant<Bits<3>>,
    mode_write_back: Constant<Bits<3>>,
    mode_copy_read: Constant<Bits<3>>,
    mode_copy_write: Constant<Bits<3>>,
    area_front: Constant<Bits<2>>,
    area_back: Constant<Bits<2>>,
    area_scratch: Constant<Bits<2>>,
    one_token: Constant<Bits<10>>,
    one_place: Constant<Bits<R>>,
    scratch_first: Constant<Bits<R>>,
    spill_tokens: Constant<Bits<R>>,
    evict_tokens: Constant<Bits<R>>,
    spill_limit: Constant<Bits<10>>,
    spill_lead: Constant<Bits<10>>,
}

impl<const K: usize, const B: usize, const R: usize> Default for Job<K, B, R> {
    fn default() -> Self {
        let (front, back) = (K as u64, B as u64);
        block!({
            mode, scans, k, at, fore, stored, at_base, spills, evicts, fills, job_tokens, job_chunk, job_left, job_lead, job_ends, job_at, job_area, job_down, job_writes, copied, fetches, writes_back, copies, wide_fore, beyond_stored, beyond_k, stored_low,
        } {
            mode_fetch: Constant::new(code::MODE_FETCH.into()),
            mode_write_back: Constant::new(code::MODE_WRITE_BACK.into()),
            mode_copy_read: Constant::new(code::MODE_COPY_READ.into()),
            mode_copy_write: Constant::new(code::MODE_COPY_WRITE.into()),
            area_front: Constant::new(code::AREA_FRONT.into()),
            area_back: Constant::new(code::AREA_BACK.into()),
            area_scratch: Constant::new(code::AREA_SCRATCH.into()),
            one_token: Constant::new(1.into()),
            one_place: Constant::new(1.into()),
            scratch_first: Constant::new((front + back).into()),
            spill_tokens: Constant::new((front / 2).into()),
            evict_tokens: Constant::new((back / 2).max(1).into()),
            spill_limit: Constant::new((front / 2).into()),
            spill_lead: Constant::new((front / 2 - 1).into()),
        })
    }
}

impl<const K: usize, const B: usize, const R: usize> Logic for Job<K, B, R> {
    #[hdl_gen]
    fn update(&mut self) {
        self.fetches.next = self.mode.val() == self.mode_fetch.val();
        self.writes_back.next = self.mode.val() == self.mode_write_back.val();
        self.copies.next = (self.mode.val() == self.mode_copy_read.val())
            | (self.mode.val() == self.mode_copy_write.val());
        self.wide_fore.next = bit_cast::<10, R>(self.fore.val());
        self.beyond_stored.next = self.wide_fore.val() + self.stored.val();

        // ---- How many tokens.
        self.copied.next = self.k.val() == self.stored.val();
        self.stored_low.next = bit_cast::<R, 10>(self.stored.val());
        self.job_tokens.next = self.spill_tokens.val();
        if self.fills.val() & (self.stored.val() < self.spill_limit.val()) {
            self.job_tokens.next = self.stored_low.val();
        }
        if self.evicts.val() {
            self.job_tokens.next = self.evict_tokens.val();
        }
        if self.writes_back.val() {
            self.job_tokens.next = self.one_place.val();
        }
        self.job_chunk.next = self.fetches.val() | self.copies.val();
        self.beyond_k.next = self.beyond_stored.val() - self.k.val();
        self.job_left.next = self.stored.val() - self.k.val();
        if self.fetches.val() {
            self.job_left.next = self.beyond_k.val() + self.one_token.val();
            if self.scans.val() {
                self.job_left.next = self.k.val() - self.wide_fore.val();
            }
        }

        // ---- Which tokens, where.
        self.job_lead.next = self.wide_fore.val() + self.one_token.val();
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
            self.job_lead.next = self.wide_fore.val() - self.spill_lead.val();
        }
        if self.evicts.val() {
            self.job_lead.next = self.beyond_stored.val() + self.one_token.val();
            self.job_area.next = self.area_back.val();
        }
        if self.fetches.val() | self.writes_back.val() {
            self.job_lead.next = self.k.val();
            self.job_area.next = self.area_scratch.val();
            if self.scans.val() & self.fetches.val() {
                self.job_lead.next = self.k.val() + self.one_token.val();
            }
        }
        if self.writes_back.val() {
            self.job_at.next = self.at.val();
        }
        if self.copies.val() {
            self.job_area.next = self.area_scratch.val();
            self.job_lead.next = self.wide_fore.val() + self.k.val() + self.one_token.val();
            if self.at_base.val() {
                self.job_lead.next = self.beyond_k.val() + self.one_token.val();
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
