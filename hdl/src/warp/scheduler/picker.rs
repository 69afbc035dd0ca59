//! Picker of one step: of all candidates, the warp that goes.
//!
//! Spec: `docs/spec/scheduler.md`, SCHED-010 to 014.
//!
//! # Parameters
//! `NW` warps, a power of two, 16 at most; `WI` = log2 NW; `LB` level bits.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `in_turn`, `was_in_turn`, `greedy_first` | in | 1 each | loose round robin; it was so in the cycle before; greedy then oldest |
//! | `ready` | in | NW | who could go, but for the grant of the cycle before; late |
//! | `issuing`, `issue`, `issue_warp` | in | 1, NW, WI | this warp issues in this cycle; one-hot or 0, and as a number: touch, greedy warp |
//! | `issue_level`, `above_issue` | in | LB, LB | level of the warp that issues, before this cycle's level write; 1 more, 0 for the highest |
//! | `level_valid`, `level_warp`, `level_value` | in | 1, WI, LB | level write; not while `in_turn` or `was_in_turn` is 1 |
//! | `launch_valid`, `launch_warp`, `launch_level` | in | 1, WI, LB | a warp was launched in the cycle before; its level, before this cycle's level write |
//! | `granted` | out | NW | one-hot: the grant of the cycle before, or 0; from a register |
//!
//! # Cycle behaviour
//! One grant per cycle. The order of the warps is one bit per pair, so that a candidate is compared with all others at
//! once: three levels of logic, not a chain of comparators.
//!
//! # Invariants
//! The order is total: exactly one candidate has no candidate before it.
//!
//! # Errors
//! None at run time. `Default` panics when `WI` does not fit `NW`.

use super::lower::Lower;
use super::touch::Touch;
use crate::hdl::*;
use crate::prim::Order;

#[module(requires(NW == 1 << WI, NW <= 16))]
pub struct Picker<const NW: usize, const WI: usize, const LB: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub in_turn: Signal<In, Bit>,
    pub was_in_turn: Signal<In, Bit>,
    pub greedy_first: Signal<In, Bit>,
    pub ready: Signal<In, Bits<NW>>,
    pub issuing: Signal<In, Bit>,
    pub issue: Signal<In, Bits<NW>>,
    pub issue_warp: Signal<In, Bits<WI>>,
    pub issue_level: Signal<In, Bits<LB>>,
    pub above_issue: Signal<In, Bits<LB>>,
    pub level_valid: Signal<In, Bit>,
    pub level_warp: Signal<In, Bits<WI>>,
    pub level_value: Signal<In, Bits<LB>>,
    pub launch_valid: Signal<In, Bit>,
    pub launch_warp: Signal<In, Bits<WI>>,
    pub launch_level: Signal<In, Bits<LB>>,
    pub granted: Signal<Out, Bits<NW>>,
    // State: the grant of the cycle before.
    grant: DFF<Bits<NW>>,
    order: Order<NW>,
    touch: Touch<WI, LB>,
    compare: Lower<NW, LB>,
    #[many(NW)]
    level: Vec<DFF<Bits<LB>>>,
    // State: the greedy warp; those that stand above it; whether it issued one, two cycles before.
    greedy: DFF<Bits<NW>>,
    higher: DFF<Bits<NW>>,
    greedy_1: DFF<Bit>,
    greedy_2: DFF<Bit>,
    // Combinational.
    candidates: Signal<Local, Bits<NW>>,
    prefers: Signal<Local, Bit>,
    others: Signal<Local, Bits<NW>>,
    touched: Signal<Local, Bits<NW>>,
    lower: Signal<Local, Bits<NW>>,
    behind: Signal<Local, Bits<NW>>,
    #[many(LB)]
    level_bit: Vec<Signal<Local, Bits<NW>>>,
    higher_number: Signal<Local, Bits<NW>>,
    issues_greedy: Signal<Local, Bit>,
    takes_over: Signal<Local, Bit>,
    // Constants.
    #[init((0..NW).map(|i| Constant::new((1u64 << i).into())).collect())]
    bit: Vec<Constant<Bits<NW>>>,
    #[init((0..NW as u64).map(|i| Constant::new(i.into())).collect())]
    number: Vec<Constant<Bits<WI>>>,
    #[value(1.into())]
    one: Constant<Bits<NW>>,
    #[value(0.into())]
    none: Constant<Bits<NW>>,
    #[value(0.into())]
    no_level: Constant<Bits<LB>>,
}

#[part(Picker<NW, WI, LB>)]
fn update(&mut self) {
    // ---- Grant.
    self.granted.next = self.grant.q.val();
    self.candidates.next = self.ready.val() & !self.grant.q.val();
    self.order.among.next = self.candidates.val();
    self.others.next = self.candidates.val() & !self.order.beaten.val();
    self.prefers.next = self.greedy_first.val()
        & (self.candidates.val() & self.greedy.q.val()).any()
        & !(self.candidates.val() & self.higher.q.val()).any();
    self.grant.d.next = self.others.val();
    if self.prefers.val() {
        self.grant.d.next = self.greedy.q.val();
    }

    // ---- Touch.
    carry!(self.touch <- self:
        greedy_first, issuing, issue_warp, issue_level, above_issue, level_valid, level_warp,
        level_value, launch_valid, launch_warp, launch_level,
    );
    self.touched.next = self.one.val() << self.touch.warp.val();
    for b in 0..LB {
        self.level_bit[b].next = self.none.val();
    }
    self.higher_number.next = self.none.val();
    for i in 1..NW {
        if self.number[i].val() > self.touch.warp.val() {
            self.higher_number.next = self.higher_number.val() | self.bit[i].val();
        }
    }
    for i in 0..NW {
        for b in 0..LB {
            self.level_bit[b].next = self.level_bit[b]
                .val()
                .replace_bit(i, self.level[i].q.val().get_bit(b));
        }
        if self.level_valid.val() & self.touched.val().get_bit(i) {
            self.level[i].d.next = self.level_value.val();
        }
    }
    for b in 0..LB {
        self.compare.bits[b].next = self.level_bit[b].val();
    }
    self.compare.level.next = self.touch.level.val();
    self.lower.next = self.compare.lower.val();

    // Those of its level and above go before all others;
    // so does the warp itself if its level rises, and if not, it goes behind them.
    // Before those of a lower level it stands anyway.
    // Under loose round robin none is lower, and those of a higher number go before the others.
    self.behind.next = self.touched.val();
    if self.in_turn.val() {
        self.behind.next = !self.higher_number.val();
    }
    self.order.front.next = !(self.behind.val() ^ self.lower.val());

    // ---- Loose round robin: every issue sets the order anew; there are no levels.
    self.order.reset.next = self.reset.val() | (self.in_turn.val() & !self.was_in_turn.val());
    self.order.moves.next = self.touch.touches.val();
    self.order.ascending.next = self.was_in_turn.val();
    if self.in_turn.val() {
        for i in 0..NW {
            self.level[i].d.next = self.no_level.val();
        }
    }

    // ---- Greedy warp.
    self.issues_greedy.next = self.issuing.val() & (self.issue.val() & self.greedy.q.val()).any();
    self.takes_over.next = self.issuing.val()
        & !self.issues_greedy.val()
        & !self.greedy_1.q.val()
        & !self.greedy_2.q.val()
        & !self.level_valid.val()
        & !self.launch_valid.val();
    self.greedy_1.d.next = self.issues_greedy.val() | self.takes_over.val();
    self.greedy_2.d.next = self.greedy_1.q.val();
    if self.takes_over.val() {
        self.greedy.d.next = self.issue.val();
        // None is above the highest level.
        self.higher.d.next = self.none.val();
        if self.above_issue.val().any() {
            self.higher.d.next = !self.lower.val();
        }
    }
    if !self.greedy_first.val() {
        self.greedy.d.next = self.none.val();
        self.greedy_1.d.next = false;
        self.greedy_2.d.next = false;
    }

    // ---- Reset wins.
    if self.reset.val() {
        spread!(self.*.d <- self.none: grant, greedy, higher);
        self.greedy_1.d.next = false;
        self.greedy_2.d.next = false;
        for i in 0..NW {
            self.level[i].d.next = self.no_level.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_rtl::{Bench, Rng};

    type Small = Picker<8, 3, 2>;

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "weft_picker",
            Small::default,
            4000,
            |u, rng, t| {
                drive(u, rng, t < 2, (t as u64 / 200) % 3);
            },
            Some(|u, level| u.clock.next = level.into()),
        )
        .unwrap();
    }

    /// Random candidates, and issues of any warp.
    fn drive(u: &mut Small, rng: &mut Rng, reset: bool, policy: u64) {
        u.reset.next = reset;
        u.was_in_turn.next = u.in_turn.next;
        u.in_turn.next = policy == 1;
        u.greedy_first.next = policy == 2;
        let in_turn = u.in_turn.next || u.was_in_turn.next;
        u.ready.next = rng.bits();
        u.issue_warp.next = rng.bits();
        u.issuing.next = rng.flip();
        u.issue.next = if u.issuing.next {
            1u64 << u.issue_warp.next.to_u64()
        } else {
            0
        }
        .into();
        u.level_valid.next = !in_turn && rng.chance(1, 10);
        u.level_warp.next = rng.bits();
        u.level_value.next = rng.bits();
        u.launch_valid.next = rng.chance(1, 10);
        u.launch_warp.next = rng.bits();
        u.launch_level.next = rng.bits();
        u.issue_level.next = rng.bits();
        u.above_issue.next = u.issue_level.next + 1;
    }

    /// Cycles in which all that is granted issues, with random candidates: `order` is what they are granted by,
    /// `issued` changes it.
    fn grants(policy: u64, issued: impl Fn(&mut Vec<u64>, u64)) {
        let mut b = Bench::new(Small::default(), |u, level| u.clock.next = level.into());
        let mut rng = Rng::new(1, "picker");
        b.uut.reset.next = true;
        b.uut.in_turn.next = policy == 1;
        b.uut.greedy_first.next = policy == 2;
        b.uut.was_in_turn.next = policy == 1;
        for _ in 0..2 {
            b.settle();
            b.edge();
        }
        b.uut.reset.next = false;
        let mut order: Vec<u64> = (0..8).collect();
        let (mut former, mut latest, mut grants) = (0u64, 0u64, 0);
        for t in 0..3000 {
            let ready = rng.below(256);
            b.uut.ready.next = (ready & !former).into();
            b.uut.issue.next = former.into();
            b.uut.issue_warp.next = u64::from(former.trailing_zeros() % 8).into();
            b.uut.issuing.next = former != 0;
            b.settle();
            assert_eq!(b.uut.granted.val().to_u64(), latest, "cycle {t}");
            let candidates = ready & !latest & !former;
            let next = order.iter().find(|&&w| candidates >> w & 1 != 0);
            let next = next.map_or(0, |w| 1 << w);
            if former != 0 {
                issued(&mut order, u64::from(former.trailing_zeros()));
            }
            b.edge();
            (former, latest) = (latest, next);
            grants += u32::from(next != 0);
        }
        assert!(grants > 2000, "{grants}");
    }

    /// SCHED-011, SCHED-012: with levels equal, the one that issued longest ago.
    #[test]
    fn age_grants_the_one_that_issued_longest_ago() {
        grants(0, |order, warp| {
            order.retain(|&w| w != warp);
            order.push(warp);
        });
    }

    /// SCHED-011, SCHED-013: the next one behind that which issued last.
    #[test]
    fn loose_round_robin_grants_the_next_one_in_turn() {
        grants(1, |order, warp| {
            *order = (1..=8).map(|step| (warp + step) % 8).collect();
        });
    }
}
