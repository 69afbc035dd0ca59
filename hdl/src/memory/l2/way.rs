//! A way of the L2: per set a tag, and whether its line is held.
//!
//! Spec: `docs/spec/l2.md`.
//!
//! # Parameters
//! `SB`: log2 of the sets, `N` = 2^SB; `TB` = 26 − SB bits of a tag.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `forget` | in | 1 | no line is held any more |
//! | `next_set` | in | SB | what `same` is about in the next cycle |
//! | `set`, `tag` | in | SB, TB | the line that is looked up; `set` is the former cycle's `next_set` |
//! | `same`, `held` | out | 1 | the set has this tag; its line is held |
//! | `claims` | in | 1 | the set gets the tag, and its line is not held |
//! | `drops` | in | 1 | the line of `set` is not held any more, though `keeps` says so in this cycle |
//! | `keeps`, `kept_set` | in | 1, SB | the line of this set is held from now on |
//!
//! # Cycle behaviour
//! A tag that is written in the cycle in which it is read is undefined (`BlockRam`); its line is not held then.
//!
//! # Errors
//! None at run time. `Default` panics when the parameters do not fit.

use crate::hdl::*;
use crate::prim::BlockRam;

#[module(requires(N == 1 << SB, TB + SB == 26))]
pub struct L2Way<const SB: usize, const N: usize, const TB: usize> {
    pub clock: Signal<In, Clock>,
    pub forget: Signal<In, Bit>,
    pub next_set: Signal<In, Bits<SB>>,
    pub set: Signal<In, Bits<SB>>,
    pub tag: Signal<In, Bits<TB>>,
    pub same: Signal<Out, Bit>,
    pub held: Signal<Out, Bit>,
    pub claims: Signal<In, Bit>,
    pub drops: Signal<In, Bit>,
    pub keeps: Signal<In, Bit>,
    pub kept_set: Signal<In, Bits<SB>>,
    // State per set: its line is held, its tag.
    holds: DFF<Bits<N>>,
    tags: BlockRam<TB, SB>,
    // Combinational.
    cleared: Signal<Local, Bits<N>>,
    kept: Signal<Local, Bits<N>>,
    next_holds: Signal<Local, Bits<N>>,
    #[value(1u64.into())]
    one: Constant<Bits<N>>,
    #[value(Bits::default())]
    none: Constant<Bits<N>>,
}

#[part(L2Way<SB, N, TB>)]
fn update(&mut self) {
    carry!(self.tags <- self:
        read_address = next_set, write_enable = claims, write_address = set, write_data = tag,
    );
    self.same.next = self.tags.read_data.val() == self.tag.val();
    self.held.next = self.holds.q.val().get_bit(self.set.val().index());
    self.cleared.next = self.none.val();
    if self.claims.val() | self.drops.val() {
        self.cleared.next = self.one.val() << self.set.val();
    }
    self.kept.next = self.none.val();
    if self.keeps.val() {
        self.kept.next = self.one.val() << self.kept_set.val();
    }
    self.next_holds.next = (self.holds.q.val() | self.kept.val()) & !self.cleared.val();
    if self.forget.val() {
        self.next_holds.next = self.none.val();
    }
    self.holds.d.next = self.next_holds.val();
}
