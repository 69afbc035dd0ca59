//! Lines under way: an access to memory waits for those that it must not pass.
//!
//! Spec: `docs/spec/memory.md`, MEM-012, MEM-013.
//!
//! # Parameters
//! `E` places, 8 at least, a power of two; `EI` = log2 E. A place is an AXI ID.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `ask_line`, `ask_kind` | in | 26, 2 | an access: 0 read, 1 store, 2 atomic |
//! | `advance`, `next_line` | in | 1, 26 | `ask_line` of the next cycle is this one; without `advance` it stays |
//! | `room` | out | 1 | it may go now |
//! | `place`, `turn` | out | EI, 2 | its place, and its number among the stores of the place |
//! | `take` | in | 1 | it goes; only with `room` |
//! | `read_over`, `read_place` | in | 1, EI | last beat of a read has come |
//! | `write_over`, `write_place` / `write_turn` | in / out | 1, EI / 2 | a write response has come / of which of the place's stores |
//! | `ahead_line` / `ahead_clear` | in / out | 26 / 1 | a line / no write to it is under way |
//! | `idle` | out | 1 | nothing is under way |
//!
//! # Cycle behaviour
//! `room`, `place` and `turn` are combinational from `ask_kind`; which places have the line of `ask_line` is a register,
//! which is right from the first `advance` on. What ends in a cycle makes room in the next one.
//! A store to a line whose stores are under way joins their place, so that one ID keeps their order; three at most.
//!
//! # Invariants
//! 1. No two places have the same line, but for reads.
//! 2. A place is given again only when all that it had under way has been answered.
//!
//! # Errors
//! None at run time. `Default` panics when the parameters do not fit.

use crate::hdl::*;
use crate::prim::FirstOne;

#[module(requires(E == 1 << EI, (8..=64).contains(&E)))]
pub struct Lines<const E: usize, const EI: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub ask_line: Signal<In, Bits<26>>,
    pub ask_kind: Signal<In, Bits<2>>,
    pub advance: Signal<In, Bit>,
    pub next_line: Signal<In, Bits<26>>,
    pub room: Signal<Out, Bit>,
    pub place: Signal<Out, Bits<EI>>,
    pub turn: Signal<Out, Bits<2>>,
    pub take: Signal<In, Bit>,
    pub read_over: Signal<In, Bit>,
    pub read_place: Signal<In, Bits<EI>>,
    pub write_over: Signal<In, Bit>,
    pub write_place: Signal<In, Bits<EI>>,
    pub write_turn: Signal<Out, Bits<2>>,
    pub ahead_line: Signal<In, Bits<26>>,
    pub ahead_clear: Signal<Out, Bit>,
    pub idle: Signal<Out, Bit>,
    // State per place: used, by writes, by stores, which another one may follow; its line, which is that of `ask_line`;
    // stores sent and answered, modulo 4.
    used: DFF<Bits<E>>,
    equals: DFF<Bits<E>>,
    writes: DFF<Bits<E>>,
    stores: DFF<Bits<E>>,
    follows: DFF<Bits<E>>,
    #[always]
    #[many(E)]
    line: Vec<DFF<Bits<26>>>,
    #[always]
    #[many(E)]
    sent: Vec<DFF<Bits<2>>>,
    #[always]
    #[many(E)]
    answered: Vec<DFF<Bits<2>>>,
    // Combinational.
    reads: Signal<Local, Bit>,
    is_write: Signal<Local, Bit>,
    next_used: Signal<Local, Bits<E>>,
    next_equals: Signal<Local, Bits<E>>,
    again: Signal<Local, Bit>,
    #[many(E)]
    comes: Vec<Signal<Local, Bit>>,
    #[many(E)]
    will_equal: Vec<Signal<Local, Bit>>,
    next_writes: Signal<Local, Bits<E>>,
    next_stores: Signal<Local, Bits<E>>,
    next_follows: Signal<Local, Bits<E>>,
    #[many(E)]
    is_over: Vec<Signal<Local, Bit>>,
    #[many(E)]
    will_follow: Vec<Signal<Local, Bit>>,
    #[many(E)]
    will_follow_this: Vec<Signal<Local, Bit>>,
    #[many(E)]
    joins: Vec<Signal<Local, Bit>>,
    #[many(E)]
    clashes: Vec<Signal<Local, Bit>>,
    plain: Signal<Local, Bit>,
    #[many(E)]
    same: Vec<Signal<Local, Bit>>,
    #[many(E)]
    under_way: Vec<Signal<Local, Bits<2>>>,
    clash: Signal<Local, Bits<E>>,
    joined_at: Signal<Local, Bits<E>>,
    unused: Signal<Local, Bits<E>>,
    #[many(E)]
    takes: Vec<Signal<Local, Bit>>,
    #[many(E)]
    over: Vec<Signal<Local, Bit>>,
    free: FirstOne<E, EI>,
    joined: FirstOne<E, EI>,
    #[init((0..E).map(|e| Constant::new((e as u64).into())).collect())]
    number: Vec<Constant<Bits<EI>>>,
    #[value(0u64.into())]
    kind_read: Constant<Bits<2>>,
    #[value(1u64.into())]
    kind_store: Constant<Bits<2>>,
    #[value(1u64.into())]
    first: Constant<Bits<2>>,
    #[value(2u64.into())]
    two: Constant<Bits<2>>,
    #[value(0u64.into())]
    none: Constant<Bits<2>>,
    #[value(0u64.into())]
    nothing: Constant<Bits<E>>,
}

#[part(Lines<E, EI>)]
fn update(&mut self) {
    for e in 0..E {
        carry!(self.*[e].d <- self.*[e].q: line, sent, answered);
    }
    // ---- Who waits for whom.
    self.reads.next = self.ask_kind.val() == self.kind_read.val();
    self.is_write.next = !self.reads.val();
    self.plain.next = self.ask_kind.val() == self.kind_store.val();
    self.clash.next = self.nothing.val();
    self.joined_at.next = self.nothing.val();
    for e in 0..E {
        self.under_way[e].next = self.sent[e].q.val() - self.answered[e].q.val();
        self.same[e].next = self.used.q.val().get_bit(e) & self.equals.q.val().get_bit(e);
        self.joins[e].next =
            self.same[e].val() & self.plain.val() & self.follows.q.val().get_bit(e);
        self.clashes[e].next = self.same[e].val()
            & (self.writes.q.val().get_bit(e) | !self.reads.val())
            & !(self.plain.val() & self.follows.q.val().get_bit(e));
        self.clash.next = self.clash.val().replace_bit(e, self.clashes[e].val());
        self.joined_at.next = self.joined_at.val().replace_bit(e, self.joins[e].val());
    }
    self.ahead_clear.next = true;
    for e in 0..E {
        if self.used.q.val().get_bit(e)
            & self.writes.q.val().get_bit(e)
            & (self.line[e].q.val() == self.ahead_line.val())
        {
            self.ahead_clear.next = false;
        }
    }
    self.unused.next = !self.used.q.val();
    self.free.bits.next = self.unused.val();
    self.joined.bits.next = self.joined_at.val();
    self.room.next = !self.clash.val().any() & (self.joined.any.val() | self.free.any.val());
    self.place.next = self.free.place.val();
    if self.joined.any.val() {
        self.place.next = self.joined.place.val();
    }
    self.turn.next = self.none.val();
    self.write_turn.next = self.none.val();
    for e in 0..E {
        if self.place.val() == self.number[e].val() {
            self.turn.next = self.sent[e].q.val();
        }
        if self.write_place.val() == self.number[e].val() {
            self.write_turn.next = self.answered[e].q.val();
        }
    }
    // ---- What goes and what is over.
    carry!(self.next_* <- self.*.q: used, writes, stores, follows);
    for e in 0..E {
        self.takes[e].next = self.take.val() & (self.place.val() == self.number[e].val());
        self.over[e].next = self.read_over.val() & (self.read_place.val() == self.number[e].val());
        // Whether a store may follow, if none is taken here in this cycle, and if one is: what is taken is known last.
        self.is_over[e].next =
            self.write_over.val() & (self.write_place.val() == self.number[e].val());
        self.will_follow[e].next = self.stores.q.val().get_bit(e)
            & (self.is_over[e].val() | !self.under_way[e].val().all());
        self.will_follow_this[e].next = self.plain.val()
            & (self.is_over[e].val() | (self.under_way[e].val() != self.two.val()));
        self.next_follows.next = self
            .next_follows
            .val()
            .replace_bit(e, self.will_follow[e].val());
        if self.is_over[e].val() {
            self.answered[e].d.next = self.answered[e].q.val() + self.first.val();
            if (self.under_way[e].val() == self.first.val()) & !self.takes[e].val() {
                self.over[e].next = true;
            }
        }
        if self.over[e].val() {
            self.next_used.next = self.next_used.val().replace_bit(e, false);
        }
        if self.takes[e].val() {
            self.next_used.next = self.next_used.val().replace_bit(e, true);
            self.line[e].d.next = self.ask_line.val();
            self.next_writes.next = self.next_writes.val().replace_bit(e, self.is_write.val());
            self.next_stores.next = self.next_stores.val().replace_bit(e, self.plain.val());
            self.next_follows.next = self
                .next_follows
                .val()
                .replace_bit(e, self.will_follow_this[e].val());
            if !self.reads.val() {
                self.sent[e].d.next = self.sent[e].q.val() + self.first.val();
            }
        }
    }
    // ---- Whose line will be asked for: compared before it is known who goes.
    self.again.next = self.ask_line.val() == self.next_line.val();
    self.next_equals.next = self.nothing.val();
    for e in 0..E {
        self.comes[e].next = self.line[e].q.val() == self.next_line.val();
        self.will_equal[e].next = self.equals.q.val().get_bit(e) | self.takes[e].val();
        if self.advance.val() {
            self.will_equal[e].next = self.comes[e].val();
            if self.takes[e].val() {
                self.will_equal[e].next = self.again.val();
            }
        }
        self.next_equals.next = self
            .next_equals
            .val()
            .replace_bit(e, self.will_equal[e].val());
    }
    self.equals.d.next = self.next_equals.val();
    self.idle.next = !self.used.q.val().any();
    if self.reset.val() {
        self.next_used.next = self.nothing.val();
        for e in 0..E {
            spread!(self.*[e].d <- self.none: sent, answered);
        }
    }
    carry!(self.*.d <- self.next_*: used, writes, stores, follows);
}
