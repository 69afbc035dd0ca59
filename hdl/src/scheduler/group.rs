//! A group of warps at a picker of two steps: its champion, and where that stands in the order of all warps.
//!
//! Spec: `docs/spec/scheduler.md`, SCHED-016 to 018.
//!
//! # Parameters
//! `S` warps, a power of two, 2 to 16; `SI` = log2 S; `LB` level bits, 4 at most.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset`, `clear` | in | 1, SI | synchronous, active high; `clear` takes all values while `reset` is 1 |
//! | `candidates` | in | S | late |
//! | `by_order`, `single` | in | 1, S | 1: the champion is found by the order; 0: it is `single`, one-hot or 0; late |
//! | `greedy`, `above` | in | S, S | this warp, if it is one of this group, stands before all of its level; those of a higher level |
//! | `wins` | in | 1 | the champion is granted in this cycle; late |
//! | `class0`, `class1`, `class2` | in | S each | bits of the classes of the first instructions |
//! | `touches`, `touched`, `touched_at`, `touched_level`, `front` | in | 1, S, SI, LB, S | a warp of this group is touched: one-hot, its number, its level, and those that go before all others of the group |
//! | `stamp`, `turns` | in | 6, 1 | number of the touch in its turn; it is the first of a turn, in whatever group |
//! | `champion`, `number` | out | S, SI | one-hot or 0, from a register; its number |
//! | `kind` | out | 3 | its class; 7 without one |
//! | `rank` | out | 13 | its place: of two champions the one with the larger rank goes first, with equal ones that of the lower group; undefined without one |
//!
//! # Cycle behaviour
//! ```text
//! cycle         0         1         2
//! candidates    3, 5      3, 5      5
//! champion      -         3         5      5 stands behind 3
//! wins          0         1         1
//! ```
//! The champion of the next cycle is chosen while it turns out whether this one's is granted: one that stays is beaten by a candidate that stands before it.
//!
//! # Invariants
//! 1. Within a group the order is one bit per pair; between groups it is level, turn and stamp of each warp's last touch. Both say the same.
//! 2. A warp that was not touched in this turn or the one before is old: its stamp counts for nothing.
//!
//! # Errors
//! None at run time. `Default` panics when the parameters do not fit.

use crate::hdl::*;
use crate::prim::{Flags, LutRam, Order};

#[derive(LogicBlock)]
pub struct Group<const S: usize, const SI: usize, const LB: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub clear: Signal<In, Bits<SI>>,
    pub candidates: Signal<In, Bits<S>>,
    pub by_order: Signal<In, Bit>,
    pub single: Signal<In, Bits<S>>,
    pub greedy: Signal<In, Bits<S>>,
    pub above: Signal<In, Bits<S>>,
    pub wins: Signal<In, Bit>,
    pub class0: Signal<In, Bits<S>>,
    pub class1: Signal<In, Bits<S>>,
    pub class2: Signal<In, Bits<S>>,
    pub touches: Signal<In, Bit>,
    pub touched: Signal<In, Bits<S>>,
    pub touched_at: Signal<In, Bits<SI>>,
    pub touched_level: Signal<In, Bits<LB>>,
    pub front: Signal<In, Bits<S>>,
    pub stamp: Signal<In, Bits<6>>,
    pub turns: Signal<In, Bit>,
    pub champion: Signal<Out, Bits<S>>,
    pub number: Signal<Out, Bits<SI>>,
    pub kind: Signal<Out, Bits<3>>,
    pub rank: Signal<Out, Bits<13>>,
    order: Order<S>,
    chosen: DFF<Bits<S>>,
    // State: level of each warp; the stamp of its last touch; whether that was in this turn, in the one before.
    level: LutRam<Bits<LB>, SI>,
    stamps: LutRam<Bits<6>, SI>,
    recent: DFF<Bits<S>>,
    past: Flags<S>,
    // Combinational.
    rivals: Signal<Local, Bits<S>>,
    first: Signal<Local, Bits<S>>,
    stays: Signal<Local, Bit>,
    favors: Signal<Local, Bit>,
    favors_next: Signal<Local, Bit>,
    lacks: Signal<Local, Bits<3>>,
    at: Signal<Local, Bits<SI>>,
    is_greedy: Signal<Local, Bit>,
    is_recent: Signal<Local, Bit>,
    is_past: Signal<Local, Bit>,
    earlier: Signal<Local, Bit>,
    is_old: Signal<Local, Bit>,
    since: Signal<Local, Bits<6>>,
    moved: Signal<Local, Bits<S>>,
    // Constants.
    none: Constant<Bits<S>>,
    number_of: Vec<Constant<Bits<SI>>>,
    no_number: Constant<Bits<SI>>,
    no_level: Constant<Bits<LB>>,
    no_stamp: Constant<Bits<6>>,
}

impl<const S: usize, const SI: usize, const LB: usize> Default for Group<S, SI, LB> {
    fn default() -> Self {
        assert!(
            S == 1 << SI && (2..=16).contains(&S) && (1..=4).contains(&LB),
            "Group<{S}, {SI}, {LB}>"
        );
        block!({
            clock, reset, clear, candidates, by_order, single, greedy, above, wins, class0, class1, class2, touches, touched, touched_at, touched_level, front, stamp, turns,
            champion, number, kind, rank, order, chosen, level, stamps, recent, past, rivals, first, stays, favors, favors_next, lacks, at, is_greedy, is_recent, is_past,
            earlier, is_old, since, moved,
        } {
            none: Constant::new(0.into()),
            number_of: (0..S as u64).map(|i| Constant::new(i.into())).collect(),
            no_number: Constant::new(0.into()),
            no_level: Constant::new(0.into()),
            no_stamp: Constant::new(0.into()),
        })
    }
}

impl<const S: usize, const SI: usize, const LB: usize> Logic for Group<S, SI, LB> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, chosen, recent);
        clock!(self, clock, order, level, stamps, past);

        // ---- The next champion, if this one goes on, and if it is granted.
        self.order.reset.next = self.reset.val();
        self.order.moves.next = self.touches.val();
        self.order.front.next = self.front.val();
        self.rivals.next = self.candidates.val() & !self.chosen.q.val();
        self.order.among.next = self.rivals.val();
        self.first.next = self.rivals.val() & !self.order.beaten.val();
        self.stays.next =
            (self.chosen.q.val() & self.candidates.val() & !self.order.beaten.val()).any();
        self.favors.next = (self.candidates.val() & self.greedy.val()).any()
            & !(self.candidates.val() & self.above.val()).any();
        self.favors_next.next = (self.rivals.val() & self.greedy.val()).any()
            & !(self.rivals.val() & self.above.val()).any();
        self.chosen.d.next = self.first.val();
        if self.wins.val() {
            if self.favors_next.val() {
                self.chosen.d.next = self.greedy.val();
            }
        } else if self.favors.val() {
            self.chosen.d.next = self.greedy.val();
        } else if self.stays.val() {
            self.chosen.d.next = self.chosen.q.val();
        }
        if !self.by_order.val() {
            self.chosen.d.next = self.single.val();
        }

        // ---- This one: what it is, and where it stands.
        self.champion.next = self.chosen.q.val();
        // Inverted twice, so that it is 7 without one.
        self.lacks.next = bit_cast::<3, 1>((self.chosen.q.val() & !self.class0.val()).any().into())
            | (bit_cast::<3, 1>((self.chosen.q.val() & !self.class1.val()).any().into()) << 1)
            | (bit_cast::<3, 1>((self.chosen.q.val() & !self.class2.val()).any().into()) << 2);
        self.kind.next = !self.lacks.val();
        self.at.next = self.no_number.val();
        for i in 0..S {
            if self.chosen.q.val().get_bit(i) {
                self.at.next = self.at.val() | self.number_of[i].val();
            }
        }
        self.number.next = self.at.val();
        self.level.read_address.next = self.at.val();
        self.stamps.read_address.next = self.at.val();
        self.is_greedy.next = (self.chosen.q.val() & self.greedy.val()).any();
        self.is_recent.next = (self.chosen.q.val() & self.recent.q.val()).any();
        self.is_past.next = (self.chosen.q.val() & self.past.q.val()).any();
        self.earlier.next = !self.is_recent.val();
        self.is_old.next = !self.is_recent.val() & !self.is_past.val();
        self.since.next = !self.stamps.read_data.val();
        if self.is_old.val() {
            self.since.next = self.no_stamp.val();
        }
        self.rank.next = (bit_cast::<13, LB>(self.level.read_data.val()) << 9)
            | (bit_cast::<13, 1>(self.is_greedy.val().into()) << 8)
            | (bit_cast::<13, 1>(self.earlier.val().into()) << 7)
            | (bit_cast::<13, 1>(self.is_old.val().into()) << 6)
            | bit_cast::<13, 6>(self.since.val());

        // ---- A touch.
        self.level.write_enable.next = self.touches.val() | self.reset.val();
        self.level.write_address.next = self.touched_at.val();
        self.level.write_data.next = self.touched_level.val();
        self.stamps.write_enable.next = self.touches.val();
        self.stamps.write_address.next = self.touched_at.val();
        self.stamps.write_data.next = self.stamp.val();
        self.moved.next = self.none.val();
        if self.touches.val() {
            self.moved.next = self.touched.val();
        }
        // Who is recent may be past as well, and counts as recent.
        self.recent.d.next = self.recent.q.val() | self.moved.val();
        self.past.enable.next = self.none.val();
        self.past.data.next = self.recent.q.val();
        if self.turns.val() {
            self.recent.d.next = self.moved.val();
            self.past.enable.next = !self.none.val();
        }

        // ---- Reset wins.
        if self.reset.val() {
            self.chosen.d.next = self.none.val();
            self.recent.d.next = self.none.val();
            self.past.enable.next = !self.none.val();
            self.past.data.next = self.none.val();
            self.level.write_address.next = self.clear.val();
            self.level.write_data.next = self.no_level.val();
        }
    }
}
