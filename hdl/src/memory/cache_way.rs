//! A way of the data cache: per set a tag, whether its line is held, and the line.
//!
//! Spec: `docs/spec/memory.md`, *Data cache*.
//!
//! # Parameters
//! `D` bits of a beat, `DS` = D / 8; `SB`: log2 of the sets, `N` = 2^SB; `TB` bits of a tag; `A` bits of a beat's place.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `forget` | in | 1 | no line is held any more |
//! | `next_set`, `next_place` | in | SB, A | what `same` and `data` are about in the next cycle |
//! | `set`, `tag` | in | SB, TB | the request; `set` is the former cycle's `next_set` |
//! | `same`, `held` | out | 1 | the set has this tag; its line is held |
//! | `data` | out | D | the beat at the former cycle's `next_place` |
//! | `claims` | in | 1 | the set gets the tag, and its line is not held |
//! | `keeps`, `keeps_ahead`, `kept_set` | in | 1, 1, SB | the line of this set is held from now on; it was read ahead |
//! | `ahead`, `uses` | out, in | 1, 1 | nobody has read the line of `set` that was read ahead; somebody reads it |
//! | `store_bytes`, `store_place`, `store_data` | in | DS, A, D | bytes of a beat are written |
//!
//! # Cycle behaviour
//! Tag and beat that are written in the cycle in which they are read are undefined (`BlockRam`, `ByteRam`).
//!
//! # Errors
//! None at run time. `Default` panics when the parameters do not fit.

use super::{ByteRam, Join};
use crate::hdl::*;
use crate::prim::BlockRam;

#[module(requires(N == 1 << SB, D == 8 * DS, D == 32 * W))]
pub struct CacheWay<
    const D: usize,
    const DS: usize,
    const SB: usize,
    const N: usize,
    const TB: usize,
    const A: usize,
    const W: usize,
> {
    pub clock: Signal<In, Clock>,
    pub forget: Signal<In, Bit>,
    pub next_set: Signal<In, Bits<SB>>,
    pub next_place: Signal<In, Bits<A>>,
    pub set: Signal<In, Bits<SB>>,
    pub tag: Signal<In, Bits<TB>>,
    pub same: Signal<Out, Bit>,
    pub held: Signal<Out, Bit>,
    pub data: Signal<Out, Bits<D>>,
    pub claims: Signal<In, Bit>,
    pub keeps: Signal<In, Bit>,
    pub keeps_ahead: Signal<In, Bit>,
    pub kept_set: Signal<In, Bits<SB>>,
    pub ahead: Signal<Out, Bit>,
    pub uses: Signal<In, Bit>,
    pub store_bytes: Signal<In, Bits<DS>>,
    pub store_place: Signal<In, Bits<A>>,
    pub store_data: Signal<In, Bits<D>>,
    // State per set: its line is held, its tag, its line.
    holds: DFF<Bits<N>>,
    aheads: DFF<Bits<N>>,
    tags: BlockRam<TB, SB>,
    #[many(W)]
    words: Vec<ByteRam<A>>,
    // Combinational.
    joined: Join<W, 32, D>,
    next_holds: Signal<Local, Bits<N>>,
    claimed: Signal<Local, Bits<N>>,
    kept: Signal<Local, Bits<N>>,
    used: Signal<Local, Bits<N>>,
    next_aheads: Signal<Local, Bits<N>>,
    #[value(1u64.into())]
    one: Constant<Bits<N>>,
    #[value(Bits::default())]
    none: Constant<Bits<N>>,
}

#[part(CacheWay<D, DS, SB, N, TB, A, W>)]
fn update(&mut self) {
    carry!(self.tags <- self:
        read_address = next_set, write_enable = claims, write_address = set, write_data = tag,
    );
    self.same.next = self.tags.read_data.val() == self.tag.val();
    self.held.next = self.holds.q.val().get_bit(self.set.val().index());
    for w in 0..W {
        carry!(self.words[w] <- self: read_address = next_place, write_address = store_place);
        self.words[w].write_data.next = self.store_data.val().get_bits::<32>(32 * w);
        self.words[w].write_bytes.next = self.store_bytes.val().get_bits::<4>(4 * w);
        self.joined.each[w].next = self.words[w].read_data.val();
    }
    self.data.next = self.joined.whole.val();
    self.claimed.next = self.none.val();
    if self.claims.val() {
        self.claimed.next = self.one.val() << self.set.val();
    }
    self.kept.next = self.none.val();
    if self.keeps.val() {
        self.kept.next = self.one.val() << self.kept_set.val();
    }
    self.used.next = self.none.val();
    if self.uses.val() {
        self.used.next = self.one.val() << self.set.val();
    }
    self.next_holds.next = (self.holds.q.val() & !self.claimed.val()) | self.kept.val();
    self.ahead.next = self.aheads.q.val().get_bit(self.set.val().index());
    self.next_aheads.next = self.aheads.q.val() & !self.used.val() & !self.kept.val();
    if self.keeps_ahead.val() {
        self.next_aheads.next = self.next_aheads.val() | self.kept.val();
    }
    self.aheads.d.next = self.next_aheads.val();
    if self.forget.val() {
        self.next_holds.next = self.none.val();
    }
    self.holds.d.next = self.next_holds.val();
}
