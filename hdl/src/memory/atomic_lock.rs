//! Whose atomic operations go now, and which managers' writes wait for that.
//!
//! Spec: `docs/spec/gpu.md`, GPU-050 to GPU-055.
//!
//! # Parameters
//! `N` managers, 3 to 10: S = N − 2 SMs, and two others before them; `M` = 8, or 16 with more than eight; `MB` = log2 M.
//!
//! # Ports
//! Bit i is that of manager i.
//!
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `wants` | in | M | an LR, SC or AMO of the SM stands to take effect |
//! | `placed` | in | M | it does now; or an SC fails |
//! | `busy` | in | M | atomic writes of the SM have no response |
//! | `may` | out | M | its LR, SC and AMO may take effect |
//! | `waits` | in | M | the manager offers a write address |
//! | `taken` | in | M | it is taken |
//! | `answered` | in | M | a write of the manager gets its response |
//! | `held` | out | M | the manager's write addresses are not taken |
//!
//! # Cycle behaviour
//! `may` comes from registers; `held` from registers, `wants` and `busy`. Nothing is lost when an SM has its turn already
//! and no write of another manager is under way: an atomic operation goes in the cycle in which it could go alone.
//!
//! # Invariants
//! 1. At most one SM may. 2. While it may and wants, or is busy, no write of another manager is taken.
//! 3. It may only while no write of another manager is under way.
//!
//! # Errors
//! 255 writes of a manager under way at most. `Default` panics when the parameters do not fit.

use crate::hdl::*;
use crate::prim::Rota;

#[module(requires((3..=10).contains(&N), N <= M, M == 1 << MB))]
pub struct AtomicLock<const N: usize, const M: usize, const MB: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub wants: Signal<In, Bits<M>>,
    pub placed: Signal<In, Bits<M>>,
    pub busy: Signal<In, Bits<M>>,
    pub may: Signal<Out, Bits<M>>,
    pub waits: Signal<In, Bits<M>>,
    pub taken: Signal<In, Bits<M>>,
    pub answered: Signal<In, Bits<M>>,
    pub held: Signal<Out, Bits<M>>,
    // State: whose turn it is; writes under way of each manager.
    turn: DFF<Bits<M>>,
    #[always]
    #[many(N)]
    under_way: Vec<DFF<Bits<8>>>,
    // State: the turn has had a first one, has had its cycles, is over; then writes pass, of these managers at least.
    went: DFF<Bit>,
    over: DFF<Bit>,
    passes: DFF<Bit>,
    left: DFF<Bits<M>>,
    window: DFF<Bits<4>>,
    next: Rota<M, MB>,
    // Combinational.
    mine: Signal<Local, Bits<M>>,
    others: Signal<Local, Bits<M>>,
    flies: Signal<Local, Bits<M>>,
    flying: Signal<Local, Bit>,
    foreign: Signal<Local, Bit>,
    own_want: Signal<Local, Bit>,
    own_busy: Signal<Local, Bit>,
    other_write: Signal<Local, Bit>,
    other_want: Signal<Local, Bit>,
    goes: Signal<Local, Bit>,
    idles: Signal<Local, Bit>,
    moves: Signal<Local, Bit>,
    full: Signal<Local, Bit>,
    one_more: Signal<Local, Bit>,
    one_less: Signal<Local, Bit>,
    #[value(4u64.into())]
    first: Constant<Bits<M>>,
    #[value(0u64.into())]
    nobody: Constant<Bits<M>>,
    #[value(0u64.into())]
    none: Constant<Bits<8>>,
    #[value(1u64.into())]
    one: Constant<Bits<8>>,
    #[value(0u64.into())]
    start: Constant<Bits<4>>,
    #[value(1u64.into())]
    step: Constant<Bits<4>>,
}

#[part(AtomicLock<N, M, MB>)]
fn update(&mut self) {
    // ---- Writes under way.
    self.flies.next = self.nobody.val();
    for i in 0..N {
        self.one_more.next = self.taken.val().get_bit(i);
        self.one_less.next = self.answered.val().get_bit(i);
        self.under_way[i].d.next = self.under_way[i].q.val();
        if self.one_more.val() & !self.one_less.val() {
            self.under_way[i].d.next = self.under_way[i].q.val() + self.one.val();
        } else if self.one_less.val() & !self.one_more.val() {
            self.under_way[i].d.next = self.under_way[i].q.val() - self.one.val();
        }
        if self.reset.val() {
            self.under_way[i].d.next = self.none.val();
        }
        self.flying.next = self.under_way[i].q.val().any();
        self.flies.next = self.flies.val().replace_bit(i, self.flying.val());
    }

    // ---- Whose turn it is.
    self.mine.next = self.turn.q.val();
    self.others.next = !self.mine.val();
    self.foreign.next = (self.flies.val() & self.others.val()).any();
    self.own_want.next = (self.wants.val() & self.mine.val()).any();
    self.own_busy.next = (self.busy.val() & self.mine.val()).any();
    self.other_want.next = (self.wants.val() & self.others.val()).any();
    self.other_write.next = (self.waits.val() & self.others.val()).any();
    self.goes.next = !self.passes.q.val() & !self.over.q.val() & !self.foreign.val();
    self.may.next = self.nobody.val();
    if self.goes.val() {
        self.may.next = self.mine.val();
    }
    self.held.next = self.nobody.val();
    if !self.passes.q.val() & (self.own_want.val() | self.own_busy.val()) {
        self.held.next = self.others.val();
    }

    // ---- The turn ends, writes pass, the next turn begins.
    self.full.next = self.window.q.val().all();
    self.moves.next = false;
    self.idles.next = false;
    if self.passes.q.val() {
        self.left.d.next = self.left.q.val() & !self.taken.val();
        if !self.full.val() {
            self.window.d.next = self.window.q.val() + self.step.val();
        }
        if !self.left.q.val().any() & (self.full.val() | !self.other_write.val()) {
            self.passes.d.next = false;
            self.moves.next = true;
        }
    } else {
        if self.goes.val() & !self.full.val() {
            self.window.d.next = self.window.q.val() + self.step.val();
        }
        if (self.placed.val() & self.mine.val()).any() {
            self.went.d.next = true;
        }
        if self.went.q.val() & self.full.val() & (self.other_want.val() | self.other_write.val()) {
            self.over.d.next = true;
        }
        self.idles.next = !self.own_want.val()
            & !self.own_busy.val()
            & !self.other_want.val()
            & !self.other_write.val();
        if self.idles.val() {
            self.window.d.next = self.start.val();
            self.went.d.next = false;
        }
        if !self.own_busy.val() {
            if self.over.q.val() {
                self.passes.d.next = true;
                self.left.d.next = (self.waits.val() & self.others.val()) & !self.taken.val();
                self.window.d.next = self.start.val();
            } else if !self.own_want.val() & self.other_want.val() {
                self.moves.next = true;
            }
        }
    }
    carry!(self.next <- self: reset, marks = nobody, among = nobody);
    if self.moves.val() {
        self.next.among.next = self.wants.val();
        self.went.d.next = false;
        self.over.d.next = false;
        self.window.d.next = self.start.val();
        if self.next.any.val() {
            self.turn.d.next = self.next.taken.val();
        }
    }
    if self.reset.val() {
        self.turn.d.next = self.first.val();
        self.went.d.next = false;
        self.over.d.next = false;
        self.passes.d.next = false;
        self.left.d.next = self.nobody.val();
        self.window.d.next = self.start.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::array::from_fn;
    use weft_rtl::{Bench, Rng};

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "atomic_lock",
            AtomicLock::<5, 8, 3>::default,
            3000,
            |u, rng: &mut Rng, t| {
                u.wants.next = (rng.next() & rng.next() & 0x1C).into();
                u.placed.next = rng.bits();
                u.busy.next = (rng.next() & rng.next() & 0x1C).into();
                u.waits.next = (rng.next() & rng.next() & 0x1F).into();
                u.taken.next = (1u64 << rng.below(10) & 0x1F).into();
                u.answered.next = (1u64 << rng.below(10) & 0x1F).into();
                u.reset.next = t < 2 || rng.chance(1, 300);
            },
            Some(|u, level| u.clock.next = level.into()),
        )
        .unwrap();
        weft_rtl::check_module(
            "atomic_lock_of_ten",
            AtomicLock::<10, 16, 4>::default,
            2000,
            |u, rng: &mut Rng, t| {
                u.wants.next = (rng.next() & rng.next() & 0x3FC).into();
                u.placed.next = rng.bits();
                u.busy.next = (rng.next() & rng.next() & rng.next() & 0x3FC).into();
                u.waits.next = (rng.next() & rng.next() & 0x3FF).into();
                u.taken.next = (1u64 << rng.below(16) & 0x3FF).into();
                u.answered.next = (1u64 << rng.below(16) & 0x3FF).into();
                u.reset.next = t < 2 || rng.chance(1, 300);
            },
            Some(|u, level| u.clock.next = level.into()),
        )
        .unwrap();
    }

    /// Managers, of which all but two do atomic operations, behind an arbiter that takes a write address per cycle.
    struct World<const N: usize, const M: usize, const MB: usize> {
        bench: Bench<AtomicLock<N, M, MB>>,
        rng: Rng,
        /// Of each manager: since when it wants, and offers a write; writes under way; atomic ones, when they are over.
        wants: [Option<u64>; N],
        waits: [Option<u64>; N],
        flies: [Vec<u64>; N],
        busy: [Vec<u64>; N],
        /// Longest time of each, and how many.
        longest: [u64; 2],
        placed: [u64; N],
        taken: [u64; N],
        /// Cycles in which somebody wants, and nothing else is to be waited for.
        stuck: u64,
        /// What may be placed is, at once.
        eager: bool,
    }

    impl<const N: usize, const M: usize, const MB: usize> World<N, M, MB> {
        /// Percent per cycle that an SM wants, that a manager writes; most cycles of a write.
        fn run(seed: u64, wants: [u64; N], writes: [u64; N], latency: u64, eager: bool) -> Self {
            let bench = Bench::new(AtomicLock::<N, M, MB>::default(), |u, level| {
                u.clock.next = level.into()
            });
            let mut world = World {
                bench,
                rng: Rng::new(seed, "atomic lock"),
                wants: [None; N],
                waits: [None; N],
                flies: from_fn(|_| Vec::new()),
                busy: from_fn(|_| Vec::new()),
                longest: [0; 2],
                placed: [0; N],
                taken: [0; N],
                stuck: 0,
                eager,
            };
            world.bench.uut.reset.next = true;
            world.bench.edge();
            world.bench.uut.reset.next = false;
            for t in 0..6000 {
                world.cycle(t, wants, writes, latency);
            }
            world
        }

        fn cycle(&mut self, t: u64, wants: [u64; N], writes: [u64; N], latency: u64) {
            for i in 0..N {
                if i >= 2 && self.wants[i].is_none() && self.rng.below(100) < wants[i] {
                    self.wants[i] = Some(t);
                }
                if self.waits[i].is_none() && self.rng.below(100) < writes[i] {
                    self.waits[i] = Some(t);
                }
            }
            let bits = |some: [bool; N]| (0..N).fold(0, |all, i| all | u64::from(some[i]) << i);
            let u = &mut self.bench.uut;
            u.wants.next = bits(self.wants.map(|w| w.is_some())).into();
            u.waits.next = bits(self.waits.map(|w| w.is_some())).into();
            u.busy.next = bits(from_fn(|i| !self.busy[i].is_empty())).into();
            let earliest = |i: &usize| self.flies[*i].iter().copied().min();
            let answered = (0..N).filter(|i| earliest(i).is_some_and(|due| due <= t));
            let answered = answered.min_by_key(earliest);
            u.answered.next = answered.map_or(0, |i| 1u64 << i).into();
            self.bench.settle();
            let may = self.bench.uut.may.val().to_u64();
            let held = self.bench.uut.held.val().to_u64();
            // Invariants 1 to 3.
            assert!(may.count_ones() <= 1 && may & 3 == 0, "cycle {t}: {may:#b}");
            for i in 2..N {
                let goes = may >> i & 1 == 1;
                let others = (0..N).filter(|&o| o != i);
                if goes && self.wants[i].is_some() || !self.busy[i].is_empty() {
                    let all = (1 << N) - 1;
                    assert_eq!(held & all, all & !(1 << i), "cycle {t}: {i}");
                }
                if goes {
                    assert!(
                        others.clone().all(|o| self.flies[o].is_empty()),
                        "cycle {t}"
                    );
                    assert!(others.clone().all(|o| self.busy[o].is_empty()), "cycle {t}");
                }
            }
            // The SM that may places one, mostly at once; its write comes later.
            let due = t + 1 + self.rng.below(latency);
            let mut placed = 0;
            if let Some(i) = (2..N).find(|&i| may >> i & 1 == 1 && self.wants[i].is_some()) {
                if self.eager || self.rng.chance(3, 4) {
                    self.longest[0] = self.longest[0].max(t - self.wants[i].take().unwrap_or(t));
                    self.busy[i].push(due + latency);
                    self.placed[i] += 1;
                    placed = 1 << i;
                }
            }
            let waits = self.waits.iter().any(|w| w.is_some());
            let flies = |of: &[Vec<u64>; N]| of.iter().any(|f| !f.is_empty());
            let wants = self.wants.iter().any(|w| w.is_some());
            let alone = wants && !waits && !flies(&self.flies) && !flies(&self.busy);
            self.stuck = if alone { self.stuck + 1 } else { 0 };
            assert!(self.stuck < 60, "cycle {t}: nobody goes on");
            // The arbiter takes one that is not held, of which it is the turn.
            let first = self.rng.below(N as u64) as usize;
            let mut order = (0..N).map(|n| (first + n) % N);
            let taken = order.find(|&i| held >> i & 1 == 0 && self.waits[i].is_some());
            if let Some(i) = taken {
                self.longest[1] = self.longest[1].max(t - self.waits[i].take().unwrap_or(t));
                self.taken[i] += 1;
            }
            let u = &mut self.bench.uut;
            u.placed.next = placed.into();
            u.taken.next = taken.map_or(0, |i| 1u64 << i).into();
            if let Some(i) = answered {
                let earliest = self.flies[i].iter().copied().min();
                let one = self.flies[i].iter().position(|&due| Some(due) == earliest);
                self.flies[i].remove(one.expect("it is due"));
            }
            if let Some(i) = taken {
                self.flies[i].push(due);
            }
            self.busy
                .iter_mut()
                .for_each(|busy| busy.retain(|&d| d > t));
            self.bench.edge();
        }
    }

    type OfFive = World<5, 8, 3>;
    type OfTen = World<10, 16, 4>;

    /// Everybody who often wants or writes does, and none waits for longer than a few turns.
    fn nobody_waits_long<const N: usize, const M: usize, const MB: usize>(
        loads: &[([u64; N], [u64; N])],
    ) {
        let (mut placed, mut taken) = ([0; N], [0; N]);
        for (seed, latency) in [(1, 1), (2, 20), (3, 60)] {
            for &(wants, writes) in loads {
                let world = World::<N, M, MB>::run(seed, wants, writes, latency, false);
                // A turn: sixteen cycles, two latencies of what is under way, a pause with a write of each.
                let turn = 16 + 2 * latency + 16 + N as u64 * (latency + 2) + 20;
                let [longest_want, longest_write] = world.longest;
                let most = N as u64 * turn;
                assert!(longest_want <= most, "{longest_want} of {turn}");
                assert!(longest_write <= most, "{longest_write} of {turn}");
                for i in 0..N {
                    let (all, least) = (&world, if N > 8 { 2 } else { 10 });
                    assert!(
                        wants[i] < 3 || all.placed[i] > least,
                        "{i}: {:?}",
                        all.placed
                    );
                    assert!(
                        writes[i] < 3 || all.taken[i] > least,
                        "{i}: {:?}",
                        all.taken
                    );
                    placed[i] += all.placed[i];
                    taken[i] += all.taken[i];
                }
            }
        }
        println!("atomic operations {placed:?}, writes {taken:?}");
    }

    /// All want all the time, SMs and other writers: nobody waits for longer than a few turns.
    #[test]
    fn nobody_starves() {
        nobody_waits_long::<5, 8, 3>(&[
            ([0, 0, 100, 100, 100], [100; 5]),
            ([0, 0, 100, 100, 100], [0; 5]),
            ([0, 0, 100, 0, 0], [3, 3, 0, 50, 0]),
            ([0, 0, 3, 3, 100], [1, 1, 1, 100, 1]),
            ([0, 0, 1, 1, 1], [1; 5]),
            ([0, 0, 40, 40, 0], [1, 0, 1, 1, 1]),
        ]);
        fn of_all<const N: usize>(often: u64) -> [u64; N] {
            from_fn(|i| if i < 2 { 0 } else { often })
        }
        // As many as their number can name, and one more.
        nobody_waits_long::<8, 8, 3>(&[(of_all(100), [100; 8]), (of_all(1), [1; 8])]);
        nobody_waits_long::<9, 16, 4>(&[(of_all(100), [100; 9]), (of_all(1), [1; 9])]);
        nobody_waits_long::<10, 16, 4>(&[
            (of_all(100), [100; 10]),
            (of_all(100), [0; 10]),
            (
                [0, 0, 100, 0, 0, 0, 0, 0, 0, 100],
                [1, 1, 0, 0, 0, 0, 0, 50, 50, 1],
            ),
            (of_all(1), [1; 10]),
        ]);
    }

    /// One SM, nobody writes: an atomic operation goes in the cycle in which it is wanted, always.
    #[test]
    fn alone_it_costs_nothing() {
        let world = OfFive::run(5, [0, 0, 30, 0, 0], [0, 0, 50, 0, 0], 20, true);
        assert!(world.longest[0] == 0 && world.placed[2] > 300);
        let only = |often| from_fn(|i| if i == 2 { often } else { 0 });
        let world = OfTen::run(5, only(30), only(50), 20, true);
        assert!(world.longest[0] == 0 && world.placed[2] > 300);
    }
}
