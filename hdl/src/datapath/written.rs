//! Which registers of a warp's part have been written since its launch: the others read as 0, whatever their rows hold.
//!
//! Spec: `docs/spec/datapath.md`, DATA-023.
//!
//! # Parameters
//! `WI`: bits of a warp; `PB`: bits of a part; `A` = WI + PB.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `warp`, `part`, `rs1`, `rs2` | in | WI, PB, 5, 5 | the pass whose rows are addressed |
//! | `has_rs1`, `has_rs2` | out | 1 | that register has been written |
//! | `write`, `write_warp`, `write_part`, `write_rd` | in | 1, WI, PB, 5 | a row is written |
//! | `write_begins` | in | 1 | it is the first one of a launch: the part has no other |
//! | `write_whole` | out | 1 | nothing was there: the row is written for all lanes; also when `write` is 0 |
//!
//! # Cycle behaviour
//! Both answers come in the same cycle. A write counts from the next cycle on.
//!
//! # Errors
//! None. Before the first row of a launch nothing is known of a part.

use crate::hdl::*;
use crate::prim::LutRam;

#[module(requires(A == WI + PB))]
pub struct Written<const WI: usize, const PB: usize, const A: usize> {
    pub clock: Signal<In, Clock>,
    pub warp: Signal<In, Bits<WI>>,
    pub part: Signal<In, Bits<PB>>,
    pub rs1: Signal<In, Bits<5>>,
    pub rs2: Signal<In, Bits<5>>,
    pub has_rs1: Signal<Out, Bit>,
    pub has_rs2: Signal<Out, Bit>,
    pub write: Signal<In, Bit>,
    pub write_warp: Signal<In, Bits<WI>>,
    pub write_part: Signal<In, Bits<PB>>,
    pub write_rd: Signal<In, Bits<5>>,
    pub write_begins: Signal<In, Bit>,
    pub write_whole: Signal<Out, Bit>,
    // State, twice: a bit for each register of a part.
    for_pass: LutRam<Bits<32>, A>,
    for_row: LutRam<Bits<32>, A>,
    // Combinational.
    pass_at: Signal<Local, Bits<A>>,
    row_at: Signal<Local, Bits<A>>,
    of_pass: Signal<Local, Bits<32>>,
    so_far: Signal<Local, Bits<32>>,
    then: Signal<Local, Bits<32>>,
    #[value((PB as u64).into())]
    part_bits: Constant<Bits<3>>,
    #[value(1.into())]
    one: Constant<Bits<32>>,
    #[value(0.into())]
    none: Constant<Bits<32>>,
}

#[part(Written<WI, PB, A>)]
fn update(&mut self) {
    self.pass_at.next = (bit_cast::<A, WI>(self.warp.val()) << self.part_bits.val())
        | bit_cast::<A, PB>(self.part.val());
    carry!(self.for_pass <- self: read_address = pass_at);
    carry!(self <- self.for_pass: of_pass = read_data);
    self.has_rs1.next = self.of_pass.val().get_bit(self.rs1.val().index());
    self.has_rs2.next = self.of_pass.val().get_bit(self.rs2.val().index());

    self.row_at.next = (bit_cast::<A, WI>(self.write_warp.val()) << self.part_bits.val())
        | bit_cast::<A, PB>(self.write_part.val());
    carry!(self.for_row <- self: read_address = row_at);
    carry!(self <- self.for_row: so_far = read_data);
    if self.write_begins.val() {
        carry!(self <- self: so_far = none);
    }
    self.write_whole.next = !self.so_far.val().get_bit(self.write_rd.val().index());
    self.then.next = self.so_far.val() | (self.one.val() << self.write_rd.val());
    spread!(self.*.write_enable <- self.write: for_pass, for_row);
    spread!(self.*.write_address <- self.row_at: for_pass, for_row);
    spread!(self.*.write_data <- self.then: for_pass, for_row);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use weft_rtl::{Bench, Rng};

    /// Four warps of two parts.
    type Small = Written<2, 1, 3>;

    /// A cycle: in the first eight of them each part begins.
    fn drive(u: &mut Small, rng: &mut Rng, t: usize) {
        let place = if t < 8 { t as u64 } else { rng.below(8) };
        u.warp.next = rng.bits();
        u.part.next = rng.bits();
        u.rs1.next = rng.bits();
        u.rs2.next = rng.bits();
        u.write.next = t < 8 || rng.chance(3, 4);
        u.write_warp.next = (place >> 1).into();
        u.write_part.next = (place & 1).into();
        u.write_rd.next = rng.bits();
        u.write_begins.next = t < 8 || rng.chance(1, 40);
    }

    #[test]
    fn verilog_agrees() {
        crate::stimulus::check_with_memories(
            "weft_written",
            Small::default,
            2000,
            drive,
            |u, level| u.clock.next = level.into(),
        );
    }

    /// DATA-023, against a set of what was written.
    #[test]
    fn what_was_written_since_the_launch_is_known() {
        let mut b = Bench::new(Small::default(), |u, level| u.clock.next = level.into());
        let mut rng = Rng::new(1, "written");
        let mut there: [BTreeSet<u64>; 8] = Default::default();
        let (mut found, mut missing, mut whole, mut again) = (0, 0, 0, 0);
        for t in 0..6000 {
            drive(&mut b.uut, &mut rng, t);
            b.settle();
            let u = &b.uut;
            let place = |warp: u64, part: u64| (2 * warp + part) as usize;
            let at = place(u.write_warp.val().to_u64(), u.write_part.val().to_u64());
            let rd = u.write_rd.val().to_u64();
            if t >= 8 {
                let known = &there[place(u.warp.val().to_u64(), u.part.val().to_u64())];
                for (register, has) in [(&u.rs1, &u.has_rs1), (&u.rs2, &u.has_rs2)] {
                    let is = known.contains(&register.val().to_u64());
                    assert_eq!(has.val(), is, "cycle {t}");
                    *(if is { &mut found } else { &mut missing }) += 1;
                }
            }
            if u.write_begins.val() {
                if u.write.val() {
                    there[at].clear();
                }
                assert!(u.write_whole.val(), "cycle {t}");
            } else {
                let is = there[at].contains(&rd);
                assert_eq!(u.write_whole.val(), !is, "cycle {t}");
                *(if is { &mut again } else { &mut whole }) += 1;
            }
            if u.write.val() {
                there[at].insert(rd);
            }
            b.edge();
        }
        assert!(
            [found, missing, whole, again].iter().all(|&n| n > 500),
            "{found} {missing} {whole} {again}"
        );
    }
}
