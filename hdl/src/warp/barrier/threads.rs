//! State of the threads: a row of seven planes per warp.
//!
//! Spec: `docs/spec/barrier.md`, thread state.
//!
//! # Parameters
//! `WI` = log2 of the warps; `W` threads per warp.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `warp`, `id` | in | WI, 3 | row; barrier id |
//! | `live`, `asleep` | out | W each | the row |
//! | `gone` | out | W | who sleeps is done; who is awake is odd |
//! | `noted` | out | W | who sleeps is late; who is awake is done, if odd, else inside |
//! | `in_section` | out | W | noted and not gone: of those who are awake |
//! | `here` | out | W | threads whose barrier is `id` |
//! | `mask` | in | W | whom the change is for |
//! | `starts` | in | 1 | they are launched |
//! | `ends` | in | 1 | they end |
//! | `arrives`, `arrives_late` | in | 1, 1 | they sleep at `id`; they wait for the end of the group |
//! | `turns` | in | 1 | they wake and are inside |
//! | `leaves` | in | 1 | they are not inside any more; further |
//! | `sleeps` | in | 1 | with `leaves`: they sleep, done |
//! | `strays` | in | 1 | with `leaves`: they are odd and done |
//! | `settles`, `active` | in | 1, W | active threads that are not done are not odd any more |
//! | `releases` | in | 1 | they wake; odd threads of `id` are not done, and none waits for the end of the group any more |
//! | `evicts` | in | 1 | nobody is inside `id`, and whether who sleeps there is late does not count any more |
//!
//! # Cycle behaviour
//! The row in the same cycle; a change from the next one on.
//! At most one of the changes (and what goes with it) at a time.
//!
//! # Invariants
//! 1. A thread that is not live is nothing else either.
//! 2. Nobody is both asleep and inside, or asleep and odd; whoever sleeps done is not noted.
//! 3. Nobody is inside `id` when threads of it are released.
//!
//! # Errors
//! None.

use crate::hdl::*;
use crate::prim::LutRam;

#[module]
pub struct Threads<const WI: usize, const W: usize> {
    pub clock: Signal<In, Clock>,
    pub warp: Signal<In, Bits<WI>>,
    pub id: Signal<In, Bits<3>>,
    pub live: Signal<Out, Bits<W>>,
    pub asleep: Signal<Out, Bits<W>>,
    pub in_section: Signal<Out, Bits<W>>,
    pub gone: Signal<Out, Bits<W>>,
    pub noted: Signal<Out, Bits<W>>,
    pub here: Signal<Out, Bits<W>>,
    pub mask: Signal<In, Bits<W>>,
    pub active: Signal<In, Bits<W>>,
    pub starts: Signal<In, Bit>,
    pub ends: Signal<In, Bit>,
    pub arrives: Signal<In, Bit>,
    pub arrives_late: Signal<In, Bit>,
    pub turns: Signal<In, Bit>,
    pub leaves: Signal<In, Bit>,
    pub sleeps: Signal<In, Bit>,
    pub strays: Signal<In, Bit>,
    pub settles: Signal<In, Bit>,
    pub releases: Signal<In, Bit>,
    pub evicts: Signal<In, Bit>,
    // State.
    lives: LutRam<Bits<W>, WI>,
    asleeps: LutRam<Bits<W>, WI>,
    gones: LutRam<Bits<W>, WI>,
    notes: LutRam<Bits<W>, WI>,
    id0: LutRam<Bits<W>, WI>,
    id1: LutRam<Bits<W>, WI>,
    id2: LutRam<Bits<W>, WI>,
    // Combinational: the id, in every bit; who is there; masks of the changes, and what is set for them.
    want0: Signal<Local, Bits<W>>,
    want1: Signal<Local, Bits<W>>,
    want2: Signal<Local, Bits<W>>,
    at_id: Signal<Local, Bits<W>>,
    writes: Signal<Local, Bit>,
    releasing: Signal<Local, Bits<W>>,
    evicting: Signal<Local, Bits<W>>,
    settling: Signal<Local, Bits<W>>,
    live_set: Signal<Local, Bits<W>>,
    live_clear: Signal<Local, Bits<W>>,
    asleep_set: Signal<Local, Bits<W>>,
    asleep_clear: Signal<Local, Bits<W>>,
    gone_set: Signal<Local, Bits<W>>,
    gone_clear: Signal<Local, Bits<W>>,
    note_set: Signal<Local, Bits<W>>,
    note_clear: Signal<Local, Bits<W>>,
    wakes: Signal<Local, Bit>,
    dozes: Signal<Local, Bit>,
    moves: Signal<Local, Bit>,
    goes: Signal<Local, Bit>,
    comes: Signal<Local, Bit>,
    notes_it: Signal<Local, Bit>,
    drops_it: Signal<Local, Bit>,
    // Constants.
    #[value(0.into())]
    none: Constant<Bits<W>>,
}

#[part(Threads<WI, W>)]
fn update(&mut self) {
    spread!(self.*.read_address <- self.warp: lives, asleeps, gones, notes, id0, id1, id2);
    spread!(self.*.write_address <- self.warp: lives, asleeps, gones, notes, id0, id1, id2);

    // ---- The row.
    self.live.next = self.lives.read_data.val();
    self.asleep.next = self.asleeps.read_data.val();
    self.gone.next = self.gones.read_data.val();
    self.noted.next = self.notes.read_data.val();
    self.in_section.next = self.notes.read_data.val() & !self.gones.read_data.val();
    self.want0.next = self.none.val() - bit_cast::<W, 1>(self.id.val().get_bit(0).into());
    self.want1.next = self.none.val() - bit_cast::<W, 1>(self.id.val().get_bit(1).into());
    self.want2.next = self.none.val() - bit_cast::<W, 1>(self.id.val().get_bit(2).into());
    self.at_id.next = !((self.id0.read_data.val() ^ self.want0.val())
        | (self.id1.read_data.val() ^ self.want1.val())
        | (self.id2.read_data.val() ^ self.want2.val()));
    self.here.next = self.at_id.val();

    // ---- Whom which change is for.
    self.wakes.next = self.turns.val() | self.releases.val() | self.ends.val();
    self.dozes.next = self.arrives.val() | self.sleeps.val();
    // (Whoever arrives, wakes, leaves or ends is first nothing else.)
    self.moves.next = !self.settles.val() & !self.evicts.val();
    self.goes.next = self.sleeps.val() | self.strays.val();
    self.comes.next = self.moves.val() & !self.goes.val();
    self.notes_it.next = self.arrives_late.val() | self.turns.val() | self.strays.val();
    self.drops_it.next = self.moves.val() & !self.notes_it.val();
    self.releasing.next =
        (self.none.val() - bit_cast::<W, 1>(self.releases.val().into())) & self.at_id.val();
    self.evicting.next = (self.none.val() - bit_cast::<W, 1>(self.evicts.val().into()))
        & self.at_id.val()
        & !self.gones.read_data.val();
    self.settling.next = (self.none.val() - bit_cast::<W, 1>(self.settles.val().into()))
        & self.active.val()
        & !self.notes.read_data.val();
    self.live_set.next =
        (self.none.val() - bit_cast::<W, 1>(self.starts.val().into())) & self.mask.val();
    self.live_clear.next =
        (self.none.val() - bit_cast::<W, 1>(self.ends.val().into())) & self.mask.val();
    self.asleep_set.next =
        (self.none.val() - bit_cast::<W, 1>(self.dozes.val().into())) & self.mask.val();
    self.asleep_clear.next =
        (self.none.val() - bit_cast::<W, 1>(self.wakes.val().into())) & self.mask.val();
    self.gone_set.next =
        (self.none.val() - bit_cast::<W, 1>(self.goes.val().into())) & self.mask.val();
    self.gone_clear.next = ((self.none.val() - bit_cast::<W, 1>(self.comes.val().into()))
        & self.mask.val())
        | self.settling.val();
    self.note_set.next =
        (self.none.val() - bit_cast::<W, 1>(self.notes_it.val().into())) & self.mask.val();
    self.note_clear.next = ((self.none.val() - bit_cast::<W, 1>(self.drops_it.val().into()))
        & self.mask.val())
        | self.releasing.val()
        | self.evicting.val();

    // ---- The row after it.
    self.writes.next = self.starts.val()
        | self.ends.val()
        | self.arrives.val()
        | self.turns.val()
        | self.leaves.val()
        | self.settles.val()
        | self.releases.val()
        | self.evicts.val();
    spread!(self.*.write_enable <- self.writes: lives, asleeps, gones, notes);
    spread!(self.*.write_enable <- self.arrives: id0, id1, id2);
    self.lives.write_data.next =
        (self.lives.read_data.val() & !self.live_clear.val()) | self.live_set.val();
    self.asleeps.write_data.next =
        (self.asleeps.read_data.val() & !self.asleep_clear.val()) | self.asleep_set.val();
    self.gones.write_data.next =
        (self.gones.read_data.val() & !self.gone_clear.val()) | self.gone_set.val();
    self.notes.write_data.next =
        (self.notes.read_data.val() & !self.note_clear.val()) | self.note_set.val();
    self.id0.write_data.next =
        (self.id0.read_data.val() & !self.mask.val()) | (self.want0.val() & self.mask.val());
    self.id1.write_data.next =
        (self.id1.read_data.val() & !self.mask.val()) | (self.want1.val() & self.mask.val());
    self.id2.write_data.next =
        (self.id2.read_data.val() & !self.mask.val()) | (self.want2.val() & self.mask.val());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        crate::stimulus::check_with_memories(
            "weft_barrier_threads",
            Threads::<2, 4>::default,
            3000,
            |u, rng, t| {
                u.warp.next = rng.bits();
                u.id.next = rng.bits();
                u.mask.next = if t < 4 { 15.into() } else { rng.bits() };
                u.active.next = rng.bits();
                let what = if t < 4 { 1 } else { rng.below(12) };
                u.starts.next = what == 0;
                u.ends.next = what == 1;
                u.arrives.next = what == 2 || what == 3;
                u.arrives_late.next = what == 3;
                u.turns.next = what == 4;
                u.leaves.next = (5..8).contains(&what);
                u.sleeps.next = what == 6;
                u.strays.next = what == 7;
                u.settles.next = what == 8;
                u.releases.next = what == 9;
                u.evicts.next = what == 10;
            },
            |u, level| u.clock.next = level.into(),
        );
    }
}
