//! What is free on the SMs, and where a CTA goes (TASK-055, TASK-056).
//!
//! # Parameters
//! `S` SMs, 1 to 8; `SB` bits of the number of one; `PB` = SB + 4: of a place of one.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `mix`, `all_warps` | in | 1, 8 | CTAs of several tasks may share an SM; NW |
//! | `seek`, `slot`, `warps`, `granules`, `number` | in | 1, 3, 8, 6, 32 | pulse: where does a CTA of this slot fit? All but `seek` hold |
//! | `found`, `sm`, `place`, `first` | out | 1, SB, 4, 5 | behind a seek: it fits, there, from this granule on |
//! | `take` | in | 1 | pulse: it goes there, with this number |
//! | `free`, `at_sm`, `at_place` | in | 1, SB, 4 | pulse: the CTA there has ended. The last two hold |
//! | `its_slot`, `its_number` | out | 3, 32 | of the CTA at `at_*`; not while it seeks |
//! | `killed` / `stops` | in / out | 8 / 1 | slots whose task is killed; by SM: it runs CTAs of such a one, a cycle later (TASK-133) |
//! | `idle` | out | 1 | seek, take or free is over |
//! | `runs` | out | 1 | a CTA runs |
//! | `show`, `occupancy` | in / out | SB / 32 | the OCCUPANCY register of an SM |
//!
//! # Cycle behaviour
//! A seek takes two cycles for each SM, and as many as it has granules where they are looked for.
//! Taking and freeing flip one granule per cycle.
//!
//! # Invariants
//! A place, a warp and a granule belong to one CTA at a time.
//!
//! # Errors
//! None at run time. `Default` panics when the parameters do not fit.

use crate::hdl::*;
use crate::prim::{FirstOne, LutRam};

#[module(requires((1..=8).contains(&S), S <= 1 << SB, PB == SB + 4))]
pub struct Placement<const S: usize, const SB: usize, const PB: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub mix: Signal<In, Bit>,
    pub all_warps: Signal<In, Bits<8>>,
    pub seek: Signal<In, Bit>,
    pub slot: Signal<In, Bits<3>>,
    pub warps: Signal<In, Bits<8>>,
    pub granules: Signal<In, Bits<6>>,
    pub number: Signal<In, Bits<32>>,
    pub found: Signal<Out, Bit>,
    pub sm: Signal<Out, Bits<SB>>,
    pub place: Signal<Out, Bits<4>>,
    pub first: Signal<Out, Bits<5>>,
    pub take: Signal<In, Bit>,
    pub free: Signal<In, Bit>,
    pub at_sm: Signal<In, Bits<SB>>,
    pub at_place: Signal<In, Bits<4>>,
    pub its_slot: Signal<Out, Bits<3>>,
    pub its_number: Signal<Out, Bits<32>>,
    pub killed: Signal<In, Bits<8>>,
    pub stops: [Signal<Out, Bit>; S],
    pub idle: Signal<Out, Bit>,
    pub runs: Signal<Out, Bit>,
    pub show: Signal<In, Bits<SB>>,
    pub occupancy: Signal<Out, Bits<32>>,
    // By SM: places and granules that are taken, how many CTAs, warps and granules there are, and whose they are.
    places: [DFF<Bits<16>>; S],
    taken: [DFF<Bits<32>>; S],
    ctas: [DFF<Bits<8>>; S],
    used_warps: [DFF<Bits<8>>; S],
    used_granules: [DFF<Bits<8>>; S],
    owners: [DFF<Bits<3>>; S],
    // By SM and place: slot [2:0], warps [10:3], first granule [15:11], granules [21:16]; number of the CTA.
    records: LutRam<Bits<22>, PB>,
    numbers: LutRam<Bits<32>, PB>,
    stop: [DFF<Bit>; S],
    // 0 waits, 1 looks at an SM, 2 looks for granules there, 3 flips granules.
    step: DFF<Bits<2>>,
    at: DFF<Bits<SB>>,
    runs_of: DFF<Bits<32>>,
    left: DFF<Bits<6>>,
    best: DFF<Bit>,
    best_sm: DFF<Bits<SB>>,
    best_place: DFF<Bits<4>>,
    best_first: DFF<Bits<5>>,
    best_free: DFF<Bits<8>>,
    flip_at: DFF<Bits<5>>,
    free_place: FirstOne<16, 4>,
    free_granule: FirstOne<32, 5>,
    // Combinational: of the SM at hand.
    of: Signal<Local, Bits<SB>>,
    of_places: Signal<Local, Bits<16>>,
    of_taken: Signal<Local, Bits<32>>,
    of_ctas: Signal<Local, Bits<8>>,
    of_warps: Signal<Local, Bits<8>>,
    of_owner: Signal<Local, Bits<3>>,
    free_warps: Signal<Local, Bits<8>>,
    fits: Signal<Local, Bit>,
    place_bit: Signal<Local, Bits<16>>,
    granule_bit: Signal<Local, Bits<32>>,
    shows_ctas: Signal<Local, Bits<8>>,
    shows_warps: Signal<Local, Bits<8>>,
    shows_granules: Signal<Local, Bits<8>>,
    record: Signal<Local, Bits<22>>,
    record_at: Signal<Local, Bits<PB>>,
    best_at: Signal<Local, Bits<PB>>,
    its_warps: Signal<Local, Bits<8>>,
    its_granules: Signal<Local, Bits<8>>,
    new_granules: Signal<Local, Bits<8>>,
    any: Signal<Local, Bit>,
    owner_bits: [Signal<Local, Bits<8>>; S],
    #[value((S as u64 - 1).into())]
    last: Constant<Bits<SB>>,
    #[value(32.into())]
    all_granules: Constant<Bits<8>>,
}

#[part(Placement<S, SB, PB>)]
fn update(&mut self) {
    // ---- The SM at hand.
    self.of.next = self.at.q.val();
    self.of_places.next = 0.into();
    self.of_taken.next = 0.into();
    self.of_ctas.next = 0.into();
    self.of_warps.next = 0.into();
    self.of_owner.next = 0.into();
    self.shows_ctas.next = 0.into();
    self.shows_warps.next = 0.into();
    self.shows_granules.next = 0.into();
    self.any.next = false;
    for s in 0..S {
        if self.of.val().index() == s {
            carry!(self.of_* <- self.*[s].q:
                places, taken, ctas, warps = used_warps, owner = owners,
            );
        }
        if self.show.val().index() == s {
            self.shows_ctas.next = self.ctas[s].q.val();
            self.shows_warps.next = self.all_warps.val() - self.used_warps[s].q.val();
            self.shows_granules.next = self.all_granules.val() - self.used_granules[s].q.val();
        }
        if self.ctas[s].q.val().any() {
            self.any.next = true;
        }
        // Of an SM that several tasks share nobody else is to be hit.
        self.owner_bits[s].next = bits::<8>(1) << self.owners[s].q.val();
        self.stop[s].d.next = self.ctas[s].q.val().any()
            & (self.killed.val() & self.owner_bits[s].val()).any()
            & !self.mix.val();
        self.stops[s].next = self.stop[s].q.val();
    }
    self.runs.next = self.any.val();
    self.occupancy.next = bit_cast::<32, 8>(self.shows_ctas.val())
        | (bit_cast::<32, 8>(self.shows_warps.val()) << 8)
        | (bit_cast::<32, 8>(self.shows_granules.val()) << 16);
    self.free_place.bits.next = !self.of_places.val();
    self.free_granule.bits.next = self.runs_of.q.val();
    self.free_warps.next = self.all_warps.val() - self.of_warps.val();
    self.fits.next = self.free_place.any.val()
        & (self.free_warps.val() >= self.warps.val())
        & (self.mix.val() | !self.of_ctas.val().any() | (self.of_owner.val() == self.slot.val()))
        & (!self.best.q.val() | (self.free_warps.val() > self.best_free.q.val()));

    // ---- Seek.
    if self.step.q.val() == 1 {
        // They count only if it fits.
        self.runs_of.d.next = !self.of_taken.val();
        self.left.d.next = self.granules.val();
        if !self.granules.val().any() {
            self.runs_of.d.next = 1.into();
        }
        if self.fits.val() {
            self.step.d.next = 2.into();
        } else {
            self.at.d.next = self.at.q.val() + 1;
            if self.at.q.val() == self.last.val() {
                self.step.d.next = 0.into();
            }
        }
    }
    if self.step.q.val() == 2 {
        // A 1 stands where as many free granules follow as have been counted.
        if self.left.q.val() > 1 {
            self.left.d.next = self.left.q.val() - 1;
            self.runs_of.d.next = !self.of_taken.val() & (self.runs_of.q.val() >> 1);
        } else {
            if self.free_granule.any.val() {
                self.best.d.next = true;
                self.best_sm.d.next = self.at.q.val();
                self.best_place.d.next = self.free_place.place.val();
                self.best_first.d.next = self.free_granule.place.val();
                self.best_free.d.next = self.free_warps.val();
            }
            self.at.d.next = self.at.q.val() + 1;
            self.step.d.next = 1.into();
            if self.at.q.val() == self.last.val() {
                self.step.d.next = 0.into();
            }
        }
    }
    if self.seek.val() {
        self.step.d.next = 1.into();
        self.at.d.next = 0.into();
        self.best.d.next = false;
    }

    // ---- Records.
    self.best_at.next = (bit_cast::<PB, SB>(self.best_sm.q.val()) << 4)
        | bit_cast::<PB, 4>(self.best_place.q.val());
    self.record_at.next =
        (bit_cast::<PB, SB>(self.at_sm.val()) << 4) | bit_cast::<PB, 4>(self.at_place.val());
    spread!(self.*.read_address <- self.record_at: records, numbers);
    self.record.next = self.records.read_data.val();
    self.its_slot.next = self.record.val().get_bits::<3>(0);
    self.its_number.next = self.numbers.read_data.val();
    self.its_warps.next = self.record.val().get_bits::<8>(3);
    self.its_granules.next = bit_cast::<8, 6>(self.record.val().get_bits::<6>(16));
    self.new_granules.next = bit_cast::<8, 6>(self.granules.val());
    carry!(self.records <- self: write_enable = take, write_address = best_at);
    self.records.write_data.next = bit_cast::<22, 3>(self.slot.val())
        | (bit_cast::<22, 8>(self.warps.val()) << 3)
        | (bit_cast::<22, 5>(self.best_first.q.val()) << 11)
        | (bit_cast::<22, 6>(self.granules.val()) << 16);
    carry!(self.numbers <- self: write_enable = take, write_address = best_at, write_data = number);

    // ---- Take and free.
    self.place_bit.next = bits::<16>(1) << self.best_place.q.val();
    if self.free.val() {
        self.place_bit.next = bits::<16>(1) << self.at_place.val();
    }
    self.granule_bit.next = bits::<32>(1) << self.flip_at.q.val();
    for s in 0..S {
        if self.take.val() & (self.best_sm.q.val().index() == s) {
            self.places[s].d.next = self.places[s].q.val() | self.place_bit.val();
            self.ctas[s].d.next = self.ctas[s].q.val() + 1;
            self.used_warps[s].d.next = self.used_warps[s].q.val() + self.warps.val();
            self.used_granules[s].d.next = self.used_granules[s].q.val() + self.new_granules.val();
            self.owners[s].d.next = self.slot.val();
        }
        if self.free.val() & (self.at_sm.val().index() == s) {
            self.places[s].d.next = self.places[s].q.val() & !self.place_bit.val();
            self.ctas[s].d.next = self.ctas[s].q.val() - 1;
            self.used_warps[s].d.next = self.used_warps[s].q.val() - self.its_warps.val();
            self.used_granules[s].d.next = self.used_granules[s].q.val() - self.its_granules.val();
        }
        if (self.step.q.val() == 3) & self.left.q.val().any() & (self.at.q.val().index() == s) {
            self.taken[s].d.next = self.taken[s].q.val() ^ self.granule_bit.val();
        }
    }
    if self.step.q.val() == 3 {
        self.flip_at.d.next = self.flip_at.q.val() + 1;
        self.left.d.next = self.left.q.val() - 1;
        if !self.left.q.val().any() {
            self.step.d.next = 0.into();
        }
    }
    if self.take.val() {
        self.step.d.next = 3.into();
        self.at.d.next = self.best_sm.q.val();
        self.flip_at.d.next = self.best_first.q.val();
        self.left.d.next = self.granules.val();
    }
    if self.free.val() {
        self.step.d.next = 3.into();
        self.at.d.next = self.at_sm.val();
        self.flip_at.d.next = self.record.val().get_bits::<5>(11);
        self.left.d.next = self.record.val().get_bits::<6>(16);
    }

    self.idle.next = self.step.q.val() == 0;
    carry!(self <- self.*.q: found = best, sm = best_sm, place = best_place, first = best_first);
    if self.reset.val() {
        self.step.d.next = 0.into();
        for s in 0..S {
            self.places[s].d.next = 0.into();
            self.taken[s].d.next = 0.into();
            self.ctas[s].d.next = 0.into();
            self.stop[s].d.next = false;
            self.used_warps[s].d.next = 0.into();
            self.used_granules[s].d.next = 0.into();
        }
    }
}
