//! The lanes of a pass that are served as one access: those of the line of the lowest lane that is left.
//!
//! Spec: `docs/spec/memory.md`, MEM-010.
//!
//! # Parameters
//! `L` lanes, a power of two, 4 at least; `LI` = log2 L; `LN` = 26 L.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `left` | in | L | lanes that have not been served |
//! | `on_chip` | in | L | the lane accesses the scratchpad |
//! | `lines` | in | LN | physical addresses, bits 31 … 6 |
//! | `alone` | in | 1 | one lane after the other (LR, SC) |
//! | `alone_on_chip` | in | 1 | those of the scratchpad one after the other (LR, SC, AMO) |
//! | `lead` | out | LI | lowest lane that is left |
//! | `lead_on_chip`, `line` | out | 1, 26 | of that lane |
//! | `group` | out | L | lanes that are served: of the scratchpad all, of memory those of the line |
//! | `rest` | out | 1 | others remain |
//!
//! # Cycle behaviour
//! Combinational.
//!
//! # Errors
//! None at run time. `Default` panics when the parameters do not fit.

use crate::hdl::*;
use crate::prim::FirstOne;

#[module(requires(L == 1 << LI, LN == 26 * L))]
pub struct Gather<const L: usize, const LI: usize, const LN: usize> {
    pub left: Signal<In, Bits<L>>,
    pub on_chip: Signal<In, Bits<L>>,
    pub lines: Signal<In, Bits<LN>>,
    pub alone: Signal<In, Bit>,
    pub alone_on_chip: Signal<In, Bit>,
    pub lead: Signal<Out, Bits<LI>>,
    pub lead_on_chip: Signal<Out, Bit>,
    pub line: Signal<Out, Bits<26>>,
    pub group: Signal<Out, Bits<L>>,
    pub rest: Signal<Out, Bit>,
    first: FirstOne<L, LI>,
    #[many(L)]
    each: Vec<Signal<Local, Bits<26>>>,
    #[many(L)]
    is_lead: Vec<Signal<Local, Bit>>,
    #[many(L)]
    along: Vec<Signal<Local, Bit>>,
    #[many(L)]
    joins: Vec<Signal<Local, Bit>>,
    others: Signal<Local, Bits<L>>,
    #[init((0..L).map(|l| Constant::new((l as u64).into())).collect())]
    number: Vec<Constant<Bits<LI>>>,
    #[value(0u64.into())]
    no_line: Constant<Bits<26>>,
    #[value(0u64.into())]
    no_lanes: Constant<Bits<L>>,
}

#[part(Gather<L, LI, LN>)]
fn update(&mut self) {
    self.first.bits.next = self.left.val();
    self.lead.next = self.first.place.val();
    self.line.next = self.no_line.val();
    self.lead_on_chip.next = false;
    for l in 0..L {
        self.each[l].next = self.lines.val().get_bits::<26>(26 * l);
        self.is_lead[l].next = self.first.place.val() == self.number[l].val();
        if self.is_lead[l].val() {
            self.line.next = self.line.val() | self.each[l].val();
            self.lead_on_chip.next = self.lead_on_chip.val() | self.on_chip.val().get_bit(l);
        }
    }
    self.group.next = self.no_lanes.val();
    for l in 0..L {
        self.along[l].next = !self.alone.val()
            & !self.on_chip.val().get_bit(l)
            & (self.each[l].val() == self.line.val());
        if self.lead_on_chip.val() {
            self.along[l].next = !self.alone_on_chip.val() & self.on_chip.val().get_bit(l);
        }
        self.joins[l].next =
            self.left.val().get_bit(l) & (self.is_lead[l].val() | self.along[l].val());
        self.group.next = self.group.val().replace_bit(l, self.joins[l].val());
    }
    self.others.next = self.left.val() & !self.group.val();
    self.rest.next = self.others.val().any();
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the page, and against its own Verilog.
    #[test]
    fn verilog_agrees() {
        let mut before: Option<(u64, u64, [u64; 8], [bool; 2])> = None;
        weft_rtl::check_module(
            "gather",
            Gather::<8, 3, 208>::default,
            2000,
            |u, rng, _| {
                if let Some((left, on_chip, lines, alone)) = before.take() {
                    weft_rtl::settle(u);
                    if left != 0 {
                        let lead = left.trailing_zeros() as usize;
                        let of = |l: usize| {
                            (
                                on_chip >> l & 1,
                                if on_chip >> l & 1 == 1 { 0 } else { lines[l] },
                            )
                        };
                        let group = (0..8).filter(|&l| {
                            let alone = alone[usize::from(on_chip >> lead & 1 == 1)];
                            left >> l & 1 == 1 && (l == lead || !alone && of(l) == of(lead))
                        });
                        let group = group.fold(0, |all, l| all | 1u64 << l);
                        assert_eq!(u.lead.val().index(), lead);
                        assert_eq!(u.lead_on_chip.val(), on_chip >> lead & 1 == 1);
                        assert_eq!(u.group.val().to_u64(), group);
                        assert_eq!(u.rest.val(), group != left);
                        assert_eq!(u.line.val().to_u64(), lines[lead]);
                    }
                }
                let lines: [u64; 8] = std::array::from_fn(|_| {
                    if rng.chance(1, 8) {
                        rng.below(1 << 26)
                    } else {
                        rng.below(2)
                    }
                });
                let left = rng.below(256);
                let on_chip = if rng.flip() { 0 } else { rng.below(256) };
                // Loads and stores, LR and SC, AMO.
                let alone = [[false; 2], [false; 2], [true; 2], [false, true]];
                let alone = alone[rng.below(4) as usize];
                let mut all = Bits::<208>::default();
                for (l, line) in lines.iter().enumerate() {
                    for bit in (0..26).filter(|bit| line >> bit & 1 == 1) {
                        all = all.replace_bit(26 * l + bit, true);
                    }
                }
                u.left.next = left.into();
                u.on_chip.next = on_chip.into();
                u.lines.next = all;
                [u.alone.next, u.alone_on_chip.next] = alone;
                before = Some((left, on_chip, lines, alone));
            },
            None,
        )
        .unwrap();
    }
}
