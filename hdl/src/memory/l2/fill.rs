//! A line that comes from memory to be held in the L2.
//!
//! Spec: `docs/spec/l2.md`, SHARED-020 to SHARED-023.
//!
//! # Parameters
//! `SB`: log2 of the sets; `Y` ways; `IO` bits of an ID; `BC` = log2 (512 / D) bits of the number of a beat.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset`, `forget` | in | 1 | synchronous, active high; what comes is not held |
//! | `looked` | in | 26 | the line that is looked up |
//! | `same`, `kept` | out | 1 | it is this one; it will be held, as far as is known |
//! | `taken` | out | Y | its way, if it is in the set of `looked` |
//! | `claims`, `way`, `id` | in | 1, Y, IO | from now on this is `looked`, in this way, asked for with this ID |
//! | `live` | out | 1 | it is used |
//! | `drops` | in | 1 | if it is `looked`, it is not held |
//! | `beat_valid`, `beat_id`, `beat_bad`, `beat_last` | in | 1, IO, 1, 1 | a beat has come from memory |
//! | `mine` | out | 1 | it is one of this line |
//! | `place`, `set`, `into` | out | BC, SB, Y | its number, set and way |
//! | `done` | out | 1 | with its last beat: the line is held from now on |
//!
//! # Cycle behaviour
//! Outputs are combinational. Of one ID one line at a time is `live` and comes.
//!
//! # Errors
//! A line of which a beat has come with an error is not held. `Default` panics when the parameters do not fit.

use crate::hdl::*;

#[module]
pub struct L2Fill<const SB: usize, const Y: usize, const IO: usize, const BC: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub forget: Signal<In, Bit>,
    pub looked: Signal<In, Bits<26>>,
    pub same: Signal<Out, Bit>,
    pub kept: Signal<Out, Bit>,
    pub taken: Signal<Out, Bits<Y>>,
    pub claims: Signal<In, Bit>,
    pub way: Signal<In, Bits<Y>>,
    pub id: Signal<In, Bits<IO>>,
    pub live: Signal<Out, Bit>,
    pub drops: Signal<In, Bit>,
    pub beat_valid: Signal<In, Bit>,
    pub beat_id: Signal<In, Bits<IO>>,
    pub beat_bad: Signal<In, Bit>,
    pub beat_last: Signal<In, Bit>,
    pub mine: Signal<Out, Bit>,
    pub place: Signal<Out, Bits<BC>>,
    pub set: Signal<Out, Bits<SB>>,
    pub into: Signal<Out, Bits<Y>>,
    pub done: Signal<Out, Bit>,
    // State: it is used; it will be held; which line, whither, of whom; beats that have come.
    lives: DFF<Bit>,
    keeps: DFF<Bit>,
    line: DFF<Bits<26>>,
    goes: DFF<Bits<Y>>,
    asked: DFF<Bits<IO>>,
    beats: DFF<Bits<BC>>,
    // Combinational.
    in_set: Signal<Local, Bit>,
    #[value(1u64.into())]
    one: Constant<Bits<BC>>,
    #[value(0u64.into())]
    first: Constant<Bits<BC>>,
    #[value(0u64.into())]
    no_way: Constant<Bits<Y>>,
}

#[part(L2Fill<SB, Y, IO, BC>)]
fn update(&mut self) {
    self.live.next = self.lives.q.val();
    self.kept.next = self.keeps.q.val();
    self.same.next = self.lives.q.val() & (self.line.q.val() == self.looked.val());
    self.set.next = self.line.q.val().get_bits::<SB>(0);
    self.into.next = self.goes.q.val();
    self.place.next = self.beats.q.val();
    self.in_set.next = self.lives.q.val() & (self.set.val() == self.looked.val().get_bits::<SB>(0));
    self.taken.next = self.no_way.val();
    if self.in_set.val() {
        self.taken.next = self.goes.q.val();
    }
    self.mine.next =
        self.lives.q.val() & self.beat_valid.val() & (self.beat_id.val() == self.asked.q.val());
    if self.forget.val() | (self.drops.val() & self.same.val()) {
        self.keeps.d.next = false;
    }
    self.done.next = false;
    if self.mine.val() {
        self.beats.d.next = self.beats.q.val() + self.one.val();
        if self.beat_bad.val() {
            self.keeps.d.next = false;
        }
        if self.beat_last.val() {
            self.lives.d.next = false;
            self.done.next = self.keeps.q.val() & !self.beat_bad.val();
        }
    }
    if self.claims.val() {
        self.lives.d.next = true;
        self.keeps.d.next = true;
        carry!(self.*.d <- self: line = looked, goes = way, asked = id, beats = first);
    }
    if self.reset.val() {
        self.lives.d.next = false;
    }
}
