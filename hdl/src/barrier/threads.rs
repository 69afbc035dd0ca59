//! State of the threads: a row of nine planes per warp.
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
//! | `live`, `asleep`, `in_section`, `done`, `late`, `odd` | out | W each | the row |
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
//! | `evicts` | in | 1 | nobody is inside `id` |
//!
//! # Cycle behaviour
//! The row in the same cycle; a change from the next one on. At most one of the changes (and what goes with it) at a time.
//!
//! # Invariants
//! 1. A thread that is not live is nothing else either.
//! 2. Nobody is both asleep and inside.
//!
//! # Errors
//! None.

use crate::hdl::*;
use crate::prim::LutRam;

#[derive(LogicBlock)]
pub struct Threads<const WI: usize, const W: usize> {
    pub clock: Signal<In, Clock>,
    pub warp: Signal<In, Bits<WI>>,
    pub id: Signal<In, Bits<3>>,
    pub live: Signal<Out, Bits<W>>,
    pub asleep: Signal<Out, Bits<W>>,
    pub in_section: Signal<Out, Bits<W>>,
    pub done: Signal<Out, Bits<W>>,
    pub late: Signal<Out, Bits<W>>,
    pub odd: Signal<Out, Bits<W>>,
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
    insides: LutRam<Bits<W>, WI>,
    dones: LutRam<Bits<W>, WI>,
    lates: LutRam<Bits<W>, WI>,
    odds: LutRam<Bits<W>, WI>,
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
    inside_set: Signal<Local, Bits<W>>,
    inside_clear: Signal<Local, Bits<W>>,
    done_set: Signal<Local, Bits<W>>,
    done_clear: Signal<Local, Bits<W>>,
    late_set: Signal<Local, Bits<W>>,
    late_clear: Signal<Local, Bits<W>>,
    odd_set: Signal<Local, Bits<W>>,
    odd_clear: Signal<Local, Bits<W>>,
    id_clear: Signal<Local, Bits<W>>,
    wakes: Signal<Local, Bit>,
    resets: Signal<Local, Bit>,
    dozes: Signal<Local, Bit>,
    finishes: Signal<Local, Bit>,
    in_time: Signal<Local, Bit>,
    calms: Signal<Local, Bit>,
    goes: Signal<Local, Bit>,
    // Constants.
    none: Constant<Bits<W>>,
}

impl<const WI: usize, const W: usize> Default for Threads<WI, W> {
    fn default() -> Self {
        block!({
            clock, warp, id, live, asleep, in_section, done, late, odd, here, mask, active, starts,
            ends, arrives, arrives_late, turns, leaves, sleeps, strays, settles, releases, evicts,
            lives, asleeps, insides, dones, lates, odds, id0, id1, id2, want0, want1, want2, at_id,
            writes, releasing, evicting, settling, live_set, live_clear, asleep_set, asleep_clear,
            inside_set, inside_clear, done_set, done_clear, late_set, late_clear, odd_set,
            odd_clear, id_clear, wakes, resets, dozes, finishes, in_time, calms, goes,
        } {
            none: Constant::new(0.into()),
        })
    }
}

impl<const WI: usize, const W: usize> Logic for Threads<WI, W> {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, lives, asleeps, insides, dones, lates, odds, id0, id1, id2);
        self.lives.read_address.next = self.warp.val();
        self.asleeps.read_address.next = self.warp.val();
        self.insides.read_address.next = self.warp.val();
        self.dones.read_address.next = self.warp.val();
        self.lates.read_address.next = self.warp.val();
        self.odds.read_address.next = self.warp.val();
        self.id0.read_address.next = self.warp.val();
        self.id1.read_address.next = self.warp.val();
        self.id2.read_address.next = self.warp.val();
        self.lives.write_address.next = self.warp.val();
        self.asleeps.write_address.next = self.warp.val();
        self.insides.write_address.next = self.warp.val();
        self.dones.write_address.next = self.warp.val();
        self.lates.write_address.next = self.warp.val();
        self.odds.write_address.next = self.warp.val();
        self.id0.write_address.next = self.warp.val();
        self.id1.write_address.next = self.warp.val();
        self.id2.write_address.next = self.warp.val();

        // ---- The row.
        self.live.next = self.lives.read_data.val();
        self.asleep.next = self.asleeps.read_data.val();
        self.in_section.next = self.insides.read_data.val();
        self.done.next = self.dones.read_data.val();
        self.late.next = self.lates.read_data.val();
        self.odd.next = self.odds.read_data.val();
        self.want0.next = self.none.val() - bit_cast::<W, 1>(self.id.val().get_bit(0).into());
        self.want1.next = self.none.val() - bit_cast::<W, 1>(self.id.val().get_bit(1).into());
        self.want2.next = self.none.val() - bit_cast::<W, 1>(self.id.val().get_bit(2).into());
        self.at_id.next = !((self.id0.read_data.val() ^ self.want0.val())
            | (self.id1.read_data.val() ^ self.want1.val())
            | (self.id2.read_data.val() ^ self.want2.val()));
        self.here.next = self.at_id.val();

        // ---- Whom which change is for.
        self.wakes.next = self.turns.val() | self.releases.val() | self.ends.val();
        self.goes.next = self.leaves.val() | self.ends.val();
        self.resets.next = self.arrives.val() | self.releases.val() | self.ends.val();
        self.dozes.next = self.arrives.val() | self.sleeps.val();
        self.finishes.next = self.sleeps.val() | self.strays.val();
        self.in_time.next = (self.arrives.val() & !self.arrives_late.val()) | self.ends.val();
        self.calms.next = self.arrives.val() | self.ends.val();
        self.releasing.next =
            (self.none.val() - bit_cast::<W, 1>(self.releases.val().into())) & self.at_id.val();
        self.evicting.next =
            (self.none.val() - bit_cast::<W, 1>(self.evicts.val().into())) & self.at_id.val();
        self.settling.next = (self.none.val() - bit_cast::<W, 1>(self.settles.val().into()))
            & self.active.val()
            & !self.dones.read_data.val();
        self.live_set.next =
            (self.none.val() - bit_cast::<W, 1>(self.starts.val().into())) & self.mask.val();
        self.live_clear.next =
            (self.none.val() - bit_cast::<W, 1>(self.ends.val().into())) & self.mask.val();
        self.asleep_set.next =
            (self.none.val() - bit_cast::<W, 1>(self.dozes.val().into())) & self.mask.val();
        self.asleep_clear.next =
            (self.none.val() - bit_cast::<W, 1>(self.wakes.val().into())) & self.mask.val();
        self.inside_set.next =
            (self.none.val() - bit_cast::<W, 1>(self.turns.val().into())) & self.mask.val();
        self.inside_clear.next = ((self.none.val() - bit_cast::<W, 1>(self.goes.val().into()))
            & self.mask.val())
            | self.evicting.val();
        self.done_set.next =
            (self.none.val() - bit_cast::<W, 1>(self.finishes.val().into())) & self.mask.val();
        self.done_clear.next = ((self.none.val() - bit_cast::<W, 1>(self.resets.val().into()))
            & self.mask.val())
            | (self.releasing.val() & self.odds.read_data.val());
        self.late_set.next =
            (self.none.val() - bit_cast::<W, 1>(self.arrives_late.val().into())) & self.mask.val();
        self.late_clear.next = ((self.none.val() - bit_cast::<W, 1>(self.in_time.val().into()))
            & self.mask.val())
            | self.releasing.val();
        self.odd_set.next =
            (self.none.val() - bit_cast::<W, 1>(self.strays.val().into())) & self.mask.val();
        self.odd_clear.next = ((self.none.val() - bit_cast::<W, 1>(self.calms.val().into()))
            & self.mask.val())
            | self.settling.val();
        self.id_clear.next =
            (self.none.val() - bit_cast::<W, 1>(self.arrives.val().into())) & self.mask.val();

        // ---- The row after it.
        self.writes.next = self.starts.val()
            | self.ends.val()
            | self.arrives.val()
            | self.turns.val()
            | self.leaves.val()
            | self.settles.val()
            | self.releases.val()
            | self.evicts.val();
        self.lives.write_enable.next = self.writes.val();
        self.asleeps.write_enable.next = self.writes.val();
        self.insides.write_enable.next = self.writes.val();
        self.dones.write_enable.next = self.writes.val();
        self.lates.write_enable.next = self.writes.val();
        self.odds.write_enable.next = self.writes.val();
        self.id0.write_enable.next = self.arrives.val();
        self.id1.write_enable.next = self.arrives.val();
        self.id2.write_enable.next = self.arrives.val();
        self.lives.write_data.next =
            (self.lives.read_data.val() & !self.live_clear.val()) | self.live_set.val();
        self.asleeps.write_data.next =
            (self.asleeps.read_data.val() & !self.asleep_clear.val()) | self.asleep_set.val();
        self.insides.write_data.next =
            (self.insides.read_data.val() & !self.inside_clear.val()) | self.inside_set.val();
        self.dones.write_data.next =
            (self.dones.read_data.val() & !self.done_clear.val()) | self.done_set.val();
        self.lates.write_data.next =
            (self.lates.read_data.val() & !self.late_clear.val()) | self.late_set.val();
        self.odds.write_data.next =
            (self.odds.read_data.val() & !self.odd_clear.val()) | self.odd_set.val();
        self.id0.write_data.next = (self.id0.read_data.val() & !self.id_clear.val())
            | (self.id_clear.val() & self.want0.val());
        self.id1.write_data.next = (self.id1.read_data.val() & !self.id_clear.val())
            | (self.id_clear.val() & self.want1.val());
        self.id2.write_data.next = (self.id2.read_data.val() & !self.id_clear.val())
            | (self.id_clear.val() & self.want2.val());
    }
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
