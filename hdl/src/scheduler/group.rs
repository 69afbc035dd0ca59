//! A group of warps at a picker of three steps: its champion, and where that stands in the order of all warps.
//!
//! Spec: `docs/spec/scheduler.md`, SCHED-016 to 018.
//!
//! # Parameters
//! `S` warps, a power of two, 2 to 16; `SI` = log2 S; `LB` level bits, 4 at most; `TURNS`: 1 if the picker takes turns with another one.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset`, `clear` | in | 1, SI | synchronous, active high; `clear` takes all values while `reset` is 1 |
//! | `candidates`, `ready` | in | S, S | late; with `TURNS`, the candidates of the next cycle; late |
//! | `may_move` | in | 1 | the champion may become another one: always 1, or with `TURNS` every second time at most |
//! | `greedy`, `greedy_at`, `greedy_kind`, `above` | in | S, SI, 3, S | this warp, if it is one of this group, stands before all of its level; its number and class; those of a higher level |
//! | `greedy_ends` | in | 1 | this warp is greedy no more in the next cycle, or another one is, which is not a champion then |
//! | `wins` | in | 1 | the champion is granted in this cycle; late |
//! | `class0`, `class1`, `class2` | in | S each | bits of the classes of the first instructions |
//! | `touches`, `touched`, `touched_at`, `touched_level`, `front` | in | 1, S, SI, LB, S | a warp of this group is touched: one-hot, its number, its level, and those that go before all others of the group |
//! | `stamp`, `turns` | in | 6, 1 | number of the touch in its turn; it is the first of a turn, in whatever group |
//! | `in_turn`, `was_in_turn` | in | 1, 1 | loose round robin: there are no levels, and nothing is remembered between groups; it was chosen in the cycle before |
//! | `restarts` | in | 1 | the order becomes that of the numbers |
//! | `last_moves`, `holds_last`, `behind_last`, `higher` | in | 1, 1, 1, S | under loose round robin a warp issued; it is one of this group; this group stands behind its group; those of a higher number in a group |
//! | `champion`, `number` | out | S, SI | one-hot or 0, from a register; its number |
//! | `kind` | out | 3 | its class; 7 without one |
//! | `rank`, `not_rank` | out | 13, 13 | its place: of two champions the one with the larger rank goes first, with equal ones that of the lower group; inverted; undefined without one |
//!
//! # Cycle behaviour
//! ```text
//! cycle         0         1         2
//! candidates    3, 5      3, 5      5
//! champion      -         3         5      5 stands behind 3
//! wins          0         1         1
//! ```
//! The champion of the next cycle is chosen while it turns out whether this one's is granted: one that stays is beaten by a candidate that stands before it.
//! All of its place that is not looked up by its number is in registers, too, so that the comparison of the groups begins behind registers and memories.
//!
//! # Invariants
//! 1. Within a group the order is one bit per pair; between groups it is level, turn and stamp of each warp's last touch. Both say the same of warps that were
//!    touched in this turn or the one before.
//! 2. The memories of inverted levels and stamps are the inverse of the others.
//!
//! # Errors
//! None at run time. `Default` panics when the parameters do not fit.

use crate::hdl::*;
use crate::prim::{LutRam, Order};

#[derive(LogicBlock)]
pub struct Group<const S: usize, const SI: usize, const LB: usize, const TURNS: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub clear: Signal<In, Bits<SI>>,
    pub candidates: Signal<In, Bits<S>>,
    pub ready: Signal<In, Bits<S>>,
    pub greedy: Signal<In, Bits<S>>,
    pub greedy_at: Signal<In, Bits<SI>>,
    pub above: Signal<In, Bits<S>>,
    pub greedy_ends: Signal<In, Bit>,
    pub greedy_kind: Signal<In, Bits<3>>,
    pub wins: Signal<In, Bit>,
    pub may_move: Signal<In, Bit>,
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
    pub in_turn: Signal<In, Bit>,
    pub was_in_turn: Signal<In, Bit>,
    pub restarts: Signal<In, Bit>,
    pub last_moves: Signal<In, Bit>,
    pub holds_last: Signal<In, Bit>,
    pub behind_last: Signal<In, Bit>,
    pub higher: Signal<In, Bits<S>>,
    pub champion: Signal<Out, Bits<S>>,
    pub number: Signal<Out, Bits<SI>>,
    pub kind: Signal<Out, Bits<3>>,
    pub rank: Signal<Out, Bits<13>>,
    pub not_rank: Signal<Out, Bits<13>>,
    order: Order<S>,
    // State, of halves that take turns: who could follow, found while the champion stays.
    ripe_rivals: DFF<Bits<S>>,
    // State: the champion, one-hot or 0; its number; its class, 7 without one.
    chosen: DFF<Bits<S>>,
    at: DFF<Bits<SI>>,
    of_kind: DFF<Bits<3>>,
    // State: it is greedy.
    is_greedy: DFF<Bit>,
    // State: it has become the champion in the cycle before; whether it is marked, if so, and if not.
    is_new: DFF<Bit>,
    new_marked: DFF<Bit>,
    held_marked: DFF<Bit>,
    // State: level of each warp and the stamp of its last touch, both also inverted.
    level: LutRam<Bits<LB>, SI>,
    not_level: LutRam<Bits<LB>, SI>,
    stamps: LutRam<Bits<6>, SI>,
    not_stamps: LutRam<Bits<6>, SI>,
    // State: the last touch of these was in this turn; under loose round robin: these stand behind the warp that issued last.
    marks: DFF<Bits<S>>,
    // Combinational.
    rivals: Signal<Local, Bits<S>>,
    first: Signal<Local, Bits<S>>,
    goes_on: Signal<Local, Bit>,
    stays: Signal<Local, Bit>,
    greedy_rival: Signal<Local, Bit>,
    rival_above: Signal<Local, Bit>,
    favors_rival: Signal<Local, Bit>,
    holds: Signal<Local, Bit>,
    follows: Signal<Local, Bits<S>>,
    first_lacks: Signal<Local, Bits<3>>,
    follows_kind: Signal<Local, Bits<3>>,
    first_at: Signal<Local, Bits<SI>>,
    follows_at: Signal<Local, Bits<SI>>,
    is_above: Signal<Local, Bit>,
    moves_on: Signal<Local, Bit>,
    next_marks: Signal<Local, Bits<S>>,
    not_greedy: Signal<Local, Bit>,
    is_marked: Signal<Local, Bit>,
    not_marked: Signal<Local, Bit>,
    is_next: Signal<Local, Bit>,
    not_next: Signal<Local, Bit>,
    writes: Signal<Local, Bit>,
    store_at: Signal<Local, Bits<SI>>,
    store_level: Signal<Local, Bits<LB>>,
    store_stamp: Signal<Local, Bits<6>>,
    moved: Signal<Local, Bits<S>>,
    flat: Signal<Local, Bit>,
    // Constants.
    in_turns: Constant<Bit>,
    none: Constant<Bits<S>>,
    number_of: Vec<Constant<Bits<SI>>>,
    no_number: Constant<Bits<SI>>,
    no_level: Constant<Bits<LB>>,
    no_stamp: Constant<Bits<6>>,
    no_more_levels: Constant<Bits<13>>,
}

impl<const S: usize, const SI: usize, const LB: usize, const TURNS: usize> Default
    for Group<S, SI, LB, TURNS>
{
    fn default() -> Self {
        assert!(
            S == 1 << SI && (2..=16).contains(&S) && (1..=4).contains(&LB),
            "Group<{S}, {SI}, {LB}>"
        );
        block!({
            clock, reset, clear, candidates, ready, ripe_rivals, greedy, greedy_at, above, greedy_ends, greedy_kind, wins, may_move, class0, class1, class2, touches, touched, touched_at, touched_level, front, stamp, turns, in_turn, was_in_turn, restarts,
            last_moves, holds_last, behind_last, higher, champion, number, kind, rank, not_rank, order, chosen, level, not_level, stamps, not_stamps, marks, rivals, first, goes_on, stays, greedy_rival, rival_above,
            favors_rival, holds, follows, of_kind, first_lacks, follows_kind, first_at, follows_at, at, is_greedy, not_greedy, is_new, new_marked, held_marked, is_marked, not_marked, is_next, not_next, is_above, moves_on, next_marks, writes, store_at, store_level, store_stamp, moved, flat,
        } {
            in_turns: Constant::new(TURNS == 1),
            none: Constant::new(0.into()),
            number_of: (0..S as u64).map(|i| Constant::new(i.into())).collect(),
            no_number: Constant::new(0.into()),
            no_level: Constant::new(0.into()),
            no_stamp: Constant::new(0.into()),
            no_more_levels: Constant::new(((0xF << LB & 0xFu64) << 8).into()),
        })
    }
}

impl<const S: usize, const SI: usize, const LB: usize, const TURNS: usize> Logic
    for Group<S, SI, LB, TURNS>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, chosen, at, of_kind, marks);
        dff_setup!(self, clock, ripe_rivals);
        dff_setup!(self, clock, is_greedy, is_new, new_marked, held_marked);
        clock!(self, clock, order, level, not_level, stamps, not_stamps);

        // ---- Marks.
        self.moved.next = self.none.val();
        if self.touches.val() {
            self.moved.next = self.touched.val();
        }
        self.next_marks.next = self.marks.q.val() | self.moved.val();
        if self.turns.val() {
            self.next_marks.next = self.moved.val();
        }
        if self.in_turn.val() {
            self.next_marks.next = self.marks.q.val();
            if self.last_moves.val() {
                self.next_marks.next = self.none.val();
                if self.behind_last.val() {
                    self.next_marks.next = !self.none.val();
                }
                if self.holds_last.val() {
                    self.next_marks.next = self.higher.val();
                }
            }
        }
        if self.reset.val() | (self.in_turn.val() ^ self.was_in_turn.val()) {
            self.next_marks.next = self.none.val();
        }
        self.marks.d.next = self.next_marks.val();

        // ---- The next champion: of the rivals, if this one is granted; if not it stays, unless a rival stands before it.
        self.order.reset.next = self.reset.val() | self.restarts.val();
        self.order.moves.next = self.touches.val();
        self.order.front.next = self.front.val();
        self.order.ascending.next = self.was_in_turn.val();
        self.ripe_rivals.d.next = self.ready.val() & !self.chosen.q.val();
        self.rivals.next = self.candidates.val() & !self.chosen.q.val();
        if self.in_turns.val() {
            self.rivals.next = self.ripe_rivals.q.val();
        }
        self.order.among.next = self.rivals.val();
        self.first.next = self.rivals.val() & !self.order.beaten.val();
        self.goes_on.next = (self.chosen.q.val() & self.candidates.val()).any();
        self.stays.next =
            self.goes_on.val() & !(self.chosen.q.val() & self.order.beaten.val()).any();
        // The greedy warp goes first, unless one above it is there; either may be the champion.
        self.is_above.next = (self.chosen.q.val() & self.above.val()).any();
        self.greedy_rival.next = (self.rivals.val() & self.greedy.val()).any();
        self.rival_above.next = (self.rivals.val() & self.above.val()).any();
        self.favors_rival.next = self.greedy_rival.val() & !self.rival_above.val();
        // One that is above it stays before it.
        self.holds.next = (self.stays.val() & (!self.favors_rival.val() | self.is_above.val()))
            | (self.is_greedy.q.val() & self.goes_on.val() & !self.rival_above.val());
        self.first_at.next = self.no_number.val();
        for i in 0..S {
            if self.first.val().get_bit(i) {
                self.first_at.next = self.first_at.val() | self.number_of[i].val();
            }
        }
        // Inverted twice, so that it is 7 without one.
        self.first_lacks.next =
            bit_cast::<3, 1>((self.first.val() & !self.class0.val()).any().into())
                | (bit_cast::<3, 1>((self.first.val() & !self.class1.val()).any().into()) << 1)
                | (bit_cast::<3, 1>((self.first.val() & !self.class2.val()).any().into()) << 2);
        self.follows.next = self.first.val();
        self.follows_at.next = self.first_at.val();
        self.follows_kind.next = !self.first_lacks.val();
        if self.favors_rival.val() {
            self.follows.next = self.greedy.val();
            self.follows_at.next = self.greedy_at.val();
            self.follows_kind.next = self.greedy_kind.val();
        }
        // `wins` is late. Who follows does not depend on it.
        self.moves_on.next = self.may_move.val() & (self.wins.val() | !self.holds.val());
        if self.moves_on.val() {
            self.chosen.d.next = self.follows.val();
            self.at.d.next = self.follows_at.val();
            self.of_kind.d.next = self.follows_kind.val();
            self.is_greedy.d.next = self.favors_rival.val();
        }
        if self.greedy_ends.val() {
            self.is_greedy.d.next = false;
        }
        self.is_new.d.next = self.moves_on.val();
        self.held_marked.d.next = (self.chosen.q.val() & self.next_marks.val()).any();
        self.new_marked.d.next = (self.first.val() & self.next_marks.val()).any();
        if self.favors_rival.val() {
            self.new_marked.d.next = (self.greedy.val() & self.next_marks.val()).any();
        }

        // ---- This one: what it is, and where it stands.
        self.champion.next = self.chosen.q.val();
        self.kind.next = self.of_kind.q.val();
        self.number.next = self.at.q.val();
        self.level.read_address.next = self.at.q.val();
        self.not_level.read_address.next = self.at.q.val();
        self.stamps.read_address.next = self.at.q.val();
        self.not_stamps.read_address.next = self.at.q.val();
        self.not_greedy.next = !self.is_greedy.q.val();
        self.is_marked.next = self.held_marked.q.val();
        if self.is_new.q.val() {
            self.is_marked.next = self.new_marked.q.val();
        }
        self.not_marked.next = !self.is_marked.val();
        self.is_next.next = self.is_marked.val() & self.was_in_turn.val();
        self.not_next.next = !self.is_next.val();
        self.rank.next = (bit_cast::<13, 1>(self.is_next.val().into()) << 12)
            | (bit_cast::<13, LB>(self.level.read_data.val()) << 8)
            | (bit_cast::<13, 1>(self.is_greedy.q.val().into()) << 7)
            | (bit_cast::<13, 1>(self.not_marked.val().into()) << 6)
            | bit_cast::<13, 6>(self.not_stamps.read_data.val());
        self.not_rank.next = self.no_more_levels.val()
            | (bit_cast::<13, 1>(self.not_next.val().into()) << 12)
            | (bit_cast::<13, LB>(self.not_level.read_data.val()) << 8)
            | (bit_cast::<13, 1>(self.not_greedy.val().into()) << 7)
            | (bit_cast::<13, 1>(self.is_marked.val().into()) << 6)
            | bit_cast::<13, 6>(self.stamps.read_data.val());

        // ---- A touch.
        // Loose round robin forgets.
        self.flat.next = self.reset.val() | self.in_turn.val();
        self.writes.next = self.touches.val() | self.flat.val();
        self.store_at.next = self.touched_at.val();
        self.store_level.next = self.touched_level.val();
        self.store_stamp.next = self.stamp.val();
        if self.flat.val() {
            self.store_at.next = self.clear.val();
            self.store_level.next = self.no_level.val();
            self.store_stamp.next = self.no_stamp.val();
        }
        self.level.write_enable.next = self.writes.val();
        self.level.write_address.next = self.store_at.val();
        self.level.write_data.next = self.store_level.val();
        self.not_level.write_enable.next = self.writes.val();
        self.not_level.write_address.next = self.store_at.val();
        self.not_level.write_data.next = !self.store_level.val();
        self.stamps.write_enable.next = self.writes.val();
        self.stamps.write_address.next = self.store_at.val();
        self.stamps.write_data.next = self.store_stamp.val();
        self.not_stamps.write_enable.next = self.writes.val();
        self.not_stamps.write_address.next = self.store_at.val();
        self.not_stamps.write_data.next = !self.store_stamp.val();

        // ---- Reset wins. The class is 7 a cycle later.
        if self.reset.val() {
            self.chosen.d.next = self.none.val();
        }
    }
}
