//! Heads of the queues, looked up for the champion of each group while it turns out which of them is granted.
//!
//! Spec: `docs/spec/scheduler.md`, SCHED-015 and 020.
//!
//! # Parameters
//! `NW` warps, 32 (with 64 warps, half of them); `WI` = log2 NW; `WH` = WI - 1; `GI` bits of a number in a group, 4 at most.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset`, `clear` | in | 1, WH | synchronous, active high; `clear` takes all values while `reset` is 1 |
//! | `issuing`, `issue_warp`, `by_issue` | in | 1, WI, 3 | new word of the issue for this warp |
//! | `starting`, `start_warp`, `by_start` | in | 1, WI, 3 | new word of the start; the head is the exclusive or of both words |
//! | `numbers` | in | 16 | numbers of the champions in their groups, 4 bits each, group 0 lowest |
//! | `wins` | in | 4 | the group whose champion is granted in this cycle, one-hot or 0; late |
//! | `head` | out | 3 | head of the warp that was granted in the cycle before, 0 if none was; a gate behind registers |
//!
//! # Cycle behaviour
//! A word that is written is read from the next cycle on.
//!
//! # Errors
//! None at run time. `Default` panics when the parameters do not fit.

use super::tournament::{groups, pairs};
use crate::hdl::*;
use crate::prim::LutRam;

#[derive(LogicBlock)]
pub struct Heads<const NW: usize, const WI: usize, const WH: usize, const GI: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub clear: Signal<In, Bits<WH>>,
    pub issuing: Signal<In, Bit>,
    pub issue_warp: Signal<In, Bits<WI>>,
    pub by_issue: Signal<In, Bits<3>>,
    pub starting: Signal<In, Bit>,
    pub start_warp: Signal<In, Bits<WI>>,
    pub by_start: Signal<In, Bits<3>>,
    pub numbers: Signal<In, Bits<16>>,
    pub wins: Signal<In, Bits<4>>,
    pub head: Signal<Out, Bits<3>>,
    // State: a word of each warp per group and writer.
    issued: Vec<LutRam<Bits<3>, GI>>,
    started: Vec<LutRam<Bits<3>, GI>>,
    // State: head of the champion that was granted, if it is of this pair of groups.
    granted: Vec<DFF<Bits<3>>>,
    // Combinational.
    issue_at: Signal<Local, Bits<GI>>,
    issue_high: Signal<Local, Bits<WI>>,
    issue_group: Signal<Local, Bits<2>>,
    issue_store: Signal<Local, Bits<3>>,
    start_at: Signal<Local, Bits<GI>>,
    start_high: Signal<Local, Bits<WI>>,
    start_group: Signal<Local, Bits<2>>,
    start_store: Signal<Local, Bits<3>>,
    // Constants.
    group_shift: Constant<Bits<WI>>,
    number: Vec<Constant<Bits<2>>>,
    zero: Constant<Bits<3>>,
}

impl<const NW: usize, const WI: usize, const WH: usize, const GI: usize> Default
    for Heads<NW, WI, WH, GI>
{
    fn default() -> Self {
        assert!(
            NW == 1 << WI && WI == WH + 1 && groups(NW) > 1 && NW == 4 << GI,
            "Heads<{NW}, {WI}, {WH}, {GI}>"
        );
        block!({
            clock, reset, clear, issuing, issue_warp, by_issue, starting, start_warp, by_start, numbers, wins, head,
            issue_at, issue_high, issue_group, issue_store, start_at, start_high, start_group, start_store,
        } {
            issued: (0..groups(NW)).map(|_| Default::default()).collect(),
            started: (0..groups(NW)).map(|_| Default::default()).collect(),
            granted: (0..pairs(NW)).map(|_| Default::default()).collect(),
            group_shift: Constant::new((GI as u64).into()),
            number: (0..groups(NW) as u64).map(|g| Constant::new(g.into())).collect(),
            zero: Constant::new(0.into()),
        })
    }
}

impl<const NW: usize, const WI: usize, const WH: usize, const GI: usize> Logic
    for Heads<NW, WI, WH, GI>
{
    #[hdl_gen]
    fn update(&mut self) {
        self.issue_high.next = self.issue_warp.val() >> self.group_shift.val();
        self.issue_group.next = bit_cast::<2, WI>(self.issue_high.val());
        self.issue_at.next = self.issue_warp.val().get_bits::<GI>(0);
        self.issue_store.next = self.by_issue.val();
        self.start_high.next = self.start_warp.val() >> self.group_shift.val();
        self.start_group.next = bit_cast::<2, WI>(self.start_high.val());
        self.start_at.next = self.start_warp.val().get_bits::<GI>(0);
        self.start_store.next = self.by_start.val();
        if self.reset.val() {
            self.issue_at.next = self.clear.val().get_bits::<GI>(0);
            self.issue_store.next = self.zero.val();
            self.start_at.next = self.clear.val().get_bits::<GI>(0);
            self.start_store.next = self.zero.val();
        }
        for g in 0..groups(NW) {
            self.issued[g].clock.next = self.clock.val();
            self.issued[g].write_enable.next = self.reset.val()
                | (self.issuing.val() & (self.issue_group.val() == self.number[g].val()));
            self.issued[g].write_address.next = self.issue_at.val();
            self.issued[g].write_data.next = self.issue_store.val();
            self.issued[g].read_address.next = self.numbers.val().get_bits::<GI>(4 * g);
            self.started[g].clock.next = self.clock.val();
            self.started[g].write_enable.next = self.reset.val()
                | (self.starting.val() & (self.start_group.val() == self.number[g].val()));
            self.started[g].write_address.next = self.start_at.val();
            self.started[g].write_data.next = self.start_store.val();
            self.started[g].read_address.next = self.numbers.val().get_bits::<GI>(4 * g);
        }
        self.head.next = self.zero.val();
        for p in 0..pairs(NW) {
            self.head.next = self.head.val() | self.granted[p].q.val();
        }
        for p in 0..pairs(NW) {
            self.granted[p].clock.next = self.clock.val();
            self.granted[p].d.next = self.zero.val();
            if self.wins.val().get_bit(2 * p) {
                self.granted[p].d.next =
                    self.issued[2 * p].read_data.val() ^ self.started[2 * p].read_data.val();
            }
            if self.wins.val().get_bit(2 * p + 1) {
                self.granted[p].d.next = self.issued[2 * p + 1].read_data.val()
                    ^ self.started[2 * p + 1].read_data.val();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_rtl::{Bench, Rng};

    type Small = Heads<32, 5, 4, 3>;

    fn drive(u: &mut Small, rng: &mut Rng, t: usize) {
        u.reset.next = t < 16;
        u.clear.next = (t as u64 % 16).into();
        u.issuing.next = rng.flip();
        u.issue_warp.next = rng.bits();
        u.by_issue.next = rng.bits();
        u.starting.next = rng.chance(1, 3);
        u.start_warp.next = rng.bits();
        u.by_start.next = rng.bits();
        u.numbers.next = rng.bits();
        u.wins.next = if rng.flip() { 1 << rng.below(4) } else { 0u64 }.into();
    }

    #[test]
    fn verilog_agrees() {
        crate::stimulus::check_with_memories(
            "weft_heads",
            Small::default,
            3000,
            drive,
            |u, level| u.clock.next = level.into(),
        );
    }

    #[test]
    fn the_head_is_both_words_of_the_granted_champion() {
        let mut b = Bench::new(Small::default(), |u, level| u.clock.next = level.into());
        let mut rng = Rng::new(1, "heads");
        let (mut issued, mut started) = ([0; 32], [0; 32]);
        let mut granted = 0;
        for t in 0..2000 {
            drive(&mut b.uut, &mut rng, t);
            b.settle();
            let u = &b.uut;
            if t >= 16 {
                assert_eq!(u.head.val().to_u64(), granted, "cycle {t}");
            }
            let wins = u.wins.val().to_u64();
            granted = (0..4).find(|g| wins >> g & 1 != 0).map_or(0, |g| {
                let number = u.numbers.val().to_u64() >> (4 * g) & 7;
                let warp = (8 * g + number) as usize;
                issued[warp] ^ started[warp]
            });
            if t >= 16 && u.issuing.val() {
                issued[u.issue_warp.val().to_u64() as usize] = u.by_issue.val().to_u64();
            }
            if t >= 16 && u.starting.val() {
                started[u.start_warp.val().to_u64() as usize] = u.by_start.val().to_u64();
            }
            b.edge();
        }
    }
}
