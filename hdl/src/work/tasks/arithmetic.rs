//! Product and quotient, bit by bit.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `start`, `divide`, `a`, `b` | in | 1, 1, 32, 32 | pulse: a × b, or a / b (b is not 0, and below 2^31) |
//! | `done` | out | 1 | pulse: the result is there, and stays |
//! | `result`, `rest`, `over` | out | 32, 32, 1 | product mod 2^32 or quotient; rest; the product is 2^32 or more |
//!
//! # Cycle behaviour
//! A product takes a cycle for each bit of b up to its highest 1, a quotient 32, and one more.
//!
//! # Errors
//! None.

use crate::hdl::*;

#[module]
pub struct Arithmetic {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub start: Signal<In, Bit>,
    pub divide: Signal<In, Bit>,
    pub a: Signal<In, Bits<32>>,
    pub b: Signal<In, Bits<32>>,
    pub done: Signal<Out, Bit>,
    pub result: Signal<Out, Bits<32>>,
    pub rest: Signal<Out, Bits<32>>,
    pub over: Signal<Out, Bit>,
    busy: DFF<Bit>,
    divides: DFF<Bit>,
    // a doubled, or dividend and quotient; b; sum, or rest.
    x: DFF<Bits<32>>,
    y: DFF<Bits<32>>,
    // b has no 1 left.
    is_out: DFF<Bit>,
    z: DFF<Bits<32>>,
    // a doubled has passed 2^32; so has the sum.
    lost: DFF<Bit>,
    too_large: DFF<Bit>,
    left: DFF<Bits<6>>,
    sum: Signal<Local, Bits<33>>,
    twice: Signal<Local, Bits<32>>,
    nearer: Signal<Local, Bits<32>>,
}

#[part(Arithmetic)]
fn update(&mut self) {
    self.done.next = false;
    self.sum.next = bit_cast::<33, 32>(self.z.q.val()) + bit_cast::<33, 32>(self.x.q.val());
    self.twice.next = (self.z.q.val() << 1) | bit_cast::<32, 1>(self.x.q.val().get_bits::<1>(31));
    self.nearer.next = self.twice.val() - self.y.q.val();
    if self.busy.q.val() & self.divides.q.val() {
        self.left.d.next = self.left.q.val() - 1;
        if self.left.q.val() == 0 {
            self.busy.d.next = false;
            self.done.next = true;
        } else if self.twice.val() >= self.y.q.val() {
            self.z.d.next = self.nearer.val();
            self.x.d.next = (self.x.q.val() << 1) | 1;
        } else {
            self.z.d.next = self.twice.val();
            self.x.d.next = self.x.q.val() << 1;
        }
    }
    if self.busy.q.val() & !self.divides.q.val() {
        if self.is_out.q.val() {
            self.busy.d.next = false;
            self.done.next = true;
        }
        if self.y.q.val().get_bit(0) {
            self.z.d.next = self.sum.val().get_bits::<32>(0);
            self.too_large.d.next =
                self.too_large.q.val() | self.lost.q.val() | self.sum.val().get_bit(32);
        }
        self.lost.d.next = self.lost.q.val() | self.x.q.val().get_bit(31);
        self.x.d.next = self.x.q.val() << 1;
        self.y.d.next = self.y.q.val() >> 1;
        self.is_out.d.next = !self.y.q.val().get_bits::<31>(1).any();
    }
    if self.start.val() {
        self.busy.d.next = true;
        self.divides.d.next = self.divide.val();
        self.x.d.next = self.a.val();
        self.y.d.next = self.b.val();
        self.is_out.d.next = !self.b.val().any();
        self.z.d.next = 0.into();
        self.lost.d.next = false;
        self.too_large.d.next = false;
        self.left.d.next = 32.into();
    }
    self.result.next = self.z.q.val();
    if self.divides.q.val() {
        self.result.next = self.x.q.val();
    }
    self.rest.next = self.z.q.val();
    self.over.next = self.too_large.q.val();
    if self.reset.val() {
        self.busy.d.next = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_multiplies_and_divides() {
        let mut b = weft_rtl::Bench::new(Arithmetic::default(), |u, level| {
            u.clock.next = level.into()
        });
        let sides = [
            0u64,
            1,
            2,
            3,
            7,
            65_535,
            65_536,
            0x1_0001,
            0x7fff_ffff,
            0xffff_ffff,
        ];
        for a in sides {
            for c in sides {
                for divide in [false, true] {
                    if divide && (c == 0 || c >> 31 != 0) {
                        continue;
                    }
                    b.uut.start.next = true;
                    b.uut.divide.next = divide;
                    b.uut.a.next = a.into();
                    b.uut.b.next = c.into();
                    b.edge();
                    b.uut.start.next = false;
                    b.settle();
                    let mut cycles = 0;
                    while !b.uut.done.val() {
                        b.edge();
                        cycles += 1;
                        assert!(cycles < 40, "{a} {c} {divide}");
                    }
                    let (result, rest) = (b.uut.result.val().to_u64(), b.uut.rest.val().to_u64());
                    b.edge();
                    if divide {
                        assert_eq!((result, rest), (a / c, a % c), "{a} / {c}");
                    } else {
                        assert_eq!(result, (a * c) & 0xffff_ffff, "{a} * {c}");
                        assert_eq!(b.uut.over.val(), (a * c) >> 32 != 0, "{a} * {c}");
                    }
                }
            }
        }
    }
}
