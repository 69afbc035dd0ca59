//! A time-out at the memory: what waits for an answer does not wait for ever.
//!
//! Spec: `docs/spec/gpu.md`, GPU-060 to GPU-062.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `patience` | in | 32 | MEMORY_TIMEOUT, 0: for ever |
//! | `asks` | in | 1 | a request is offered |
//! | `asked_read`, `asked_write` | in | 1 | a read, a write address is taken |
//! | `moves` | in | 1 | a request, a beat or a response is taken |
//! | `told_read`, `told_write` | in | 1 | the last beat of a read, the response of a write is taken |
//! | `gives_up` | out | 1 | pulse: all is forgotten that waits for the memory |
//! | `lost` | out | 1 | that has been so since `reset`: nothing goes to the memory or comes from it |
//!
//! # Cycle behaviour
//! A cycle counts in which a transaction is under way or offered and nothing moves. `gives_up` and `lost`
//! come from registers.
//!
//! # Errors
//! None. At most 1,023 transactions are counted.

use crate::hdl::*;

#[module]
pub struct BusWatch {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub patience: Signal<In, Bits<32>>,
    pub asks: Signal<In, Bit>,
    pub asked_read: Signal<In, Bit>,
    pub asked_write: Signal<In, Bit>,
    pub moves: Signal<In, Bit>,
    pub told_read: Signal<In, Bit>,
    pub told_write: Signal<In, Bit>,
    pub gives_up: Signal<Out, Bit>,
    pub lost: Signal<Out, Bit>,
    reads: DFF<Bits<10>>,
    writes: DFF<Bits<10>>,
    waited: DFF<Bits<32>>,
    over: DFF<Bit>,
    is_lost: DFF<Bit>,
    waits: Signal<Local, Bit>,
}

#[part(BusWatch)]
fn update(&mut self) {
    if self.asked_read.val() & !self.told_read.val() {
        self.reads.d.next = self.reads.q.val() + 1;
    }
    if self.told_read.val() & !self.asked_read.val() {
        self.reads.d.next = self.reads.q.val() - 1;
    }
    if self.asked_write.val() & !self.told_write.val() {
        self.writes.d.next = self.writes.q.val() + 1;
    }
    if self.told_write.val() & !self.asked_write.val() {
        self.writes.d.next = self.writes.q.val() - 1;
    }
    self.waits.next = (self.reads.q.val().any() | self.writes.q.val().any() | self.asks.val())
        & !self.moves.val()
        & self.patience.val().any();
    self.waited.d.next = 0.into();
    self.over.d.next = false;
    if self.waits.val() {
        self.waited.d.next = self.waited.q.val() + 1;
        self.over.d.next = self.waited.q.val() == self.patience.val();
    }
    if self.over.q.val() {
        self.is_lost.d.next = true;
        self.reads.d.next = 0.into();
        self.writes.d.next = 0.into();
        self.waited.d.next = 0.into();
        self.over.d.next = false;
    }
    self.gives_up.next = self.over.q.val();
    self.lost.next = self.is_lost.q.val() | self.over.q.val();
    if self.reset.val() {
        self.reads.d.next = 0.into();
        self.writes.d.next = 0.into();
        self.waited.d.next = 0.into();
        self.over.d.next = false;
        self.is_lost.d.next = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_rtl::Bench;

    fn bench(patience: u64) -> Bench<BusWatch> {
        let mut b = Bench::new(BusWatch::default(), |u, level| u.clock.next = level.into());
        b.uut.reset.next = true;
        b.edge();
        b.uut.reset.next = false;
        b.uut.patience.next = patience.into();
        b.settle();
        b
    }

    /// Cycles until it gives up, of at most a hundred.
    fn wait(b: &mut Bench<BusWatch>) -> Option<u64> {
        for t in 0..100 {
            b.settle();
            if b.uut.gives_up.val() {
                assert!(b.uut.lost.val());
                b.edge();
                b.settle();
                assert!(!b.uut.gives_up.val() && b.uut.lost.val());
                return Some(t);
            }
            b.edge();
        }
        None
    }

    fn read(b: &mut Bench<BusWatch>, asked: bool, told: bool) {
        b.uut.asked_read.next = asked;
        b.uut.told_read.next = told;
        b.uut.moves.next = true;
        b.edge();
        b.uut.asked_read.next = false;
        b.uut.told_read.next = false;
        b.uut.moves.next = false;
        b.settle();
    }

    /// GPU-060: of what is under way, of what is only offered, and of neither; 0 is for ever.
    #[test]
    fn who_waits_too_long_is_given_up() {
        let mut b = bench(7);
        assert_eq!(wait(&mut b), None);
        read(&mut b, true, false);
        read(&mut b, true, true);
        assert_eq!(wait(&mut b), Some(8));
        // What was under way is forgotten.
        assert_eq!(wait(&mut b), None);
        b.uut.asks.next = true;
        assert_eq!(wait(&mut b), Some(8));
        let mut b = bench(7);
        read(&mut b, true, false);
        for _ in 0..20 {
            (0..6).for_each(|_| b.edge());
            b.uut.moves.next = true;
            b.edge();
            b.uut.moves.next = false;
            b.settle();
            assert!(!b.uut.lost.val());
        }
        read(&mut b, false, true);
        assert_eq!(wait(&mut b), None);
        let mut b = bench(0);
        read(&mut b, true, false);
        assert_eq!(wait(&mut b), None);
    }

    #[test]
    fn verilog_agrees() {
        crate::stimulus::check_with_memories(
            "bus_watch",
            BusWatch::default,
            2000,
            |u, rng, t| {
                u.reset.next = t < 2 || rng.chance(1, 100);
                u.patience.next = rng.below(6).into();
                u.asks.next = rng.flip();
                u.asked_read.next = rng.chance(1, 4);
                u.asked_write.next = rng.chance(1, 4);
                u.told_read.next = rng.chance(1, 4);
                u.told_write.next = rng.chance(1, 4);
                u.moves.next = rng.chance(1, 4);
            },
            |u, level| u.clock.next = level.into(),
        );
    }
}
