//! Writes the result as text to a serial line: `PASS 0123ABCD` or `FAIL 0123ABCD`, carriage return, line feed;
//! 8 bits, no parity, 1 stop bit.
//!
//! Spec: `docs/spec/board.md`, BOARD-042.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `start` | in | 1 | write a line; ignored while one is being written |
//! | `pass`, `number` | in | 1, 32 | what it says; taken at the start |
//! | `tx` | out | 1 | serial line; high when idle |
//!
//! # Cycle behaviour
//! A bit takes `divider` cycles.
//!
//! # Errors
//! None.

use crate::hdl::*;

/// Bits of the cycle counter.
const TICKS: usize = 12;

#[derive(LogicBlock)]
pub struct Uart {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub start: Signal<In, Bit>,
    pub pass: Signal<In, Bit>,
    pub number: Signal<In, Bits<32>>,
    pub tx: Signal<Out, Bit>,
    // State: place of the next character, while there is one.
    busy: DFF<Bit>,
    place: DFF<Bits<4>>,
    passed: DFF<Bit>,
    digits: DFF<Bits<32>>,
    // State: the frame, inverted and lowest bit first, so that zeros are an idle line.
    frame: DFF<Bits<10>>,
    left: DFF<Bits<4>>,
    ticks: DFF<Bits<TICKS>>,
    // Combinational.
    tick: Signal<Local, Bit>,
    digit: Signal<Local, Bits<4>>,
    character: Signal<Local, Bits<8>>,
    inverted: Signal<Local, Bits<8>>,
    is_digit: Signal<Local, Bit>,
    // Constants.
    last_tick: Constant<Bits<TICKS>>,
    no_ticks: Constant<Bits<TICKS>>,
    one_tick: Constant<Bits<TICKS>>,
    no_bits: Constant<Bits<4>>,
    one: Constant<Bits<4>>,
    frame_bits: Constant<Bits<4>>,
    first_place: Constant<Bits<4>>,
    space: Constant<Bits<4>>,
    return_place: Constant<Bits<4>>,
    last_place: Constant<Bits<4>>,
    nine: Constant<Bits<4>>,
    passes: [Constant<Bits<8>>; 4],
    fails: [Constant<Bits<8>>; 4],
    places: [Constant<Bits<4>>; 4],
    blank: Constant<Bits<8>>,
    carriage_return: Constant<Bits<8>>,
    line_feed: Constant<Bits<8>>,
    zero_digit: Constant<Bits<8>>,
    ten_digit: Constant<Bits<8>>,
}

impl Uart {
    /// # Panics
    /// When the counter cannot hold the divider.
    pub fn new(divider: u64) -> Self {
        assert!(
            (2..1 << TICKS).contains(&divider),
            "Uart: divider = {divider}, legal 2..{}",
            1 << TICKS
        );
        let letters = |word: &[u8; 4]| word.map(|letter| Constant::new(u64::from(letter).into()));
        block!({
            clock, reset, start, pass, number, tx, busy, place, passed, digits, frame, left, ticks,
            tick, digit, character, inverted, is_digit,
        } {
            last_tick: Constant::new((divider - 1).into()),
            no_ticks: Constant::new(0.into()),
            one_tick: Constant::new(1.into()),
            no_bits: Constant::new(0.into()),
            one: Constant::new(1.into()),
            frame_bits: Constant::new(10.into()),
            first_place: Constant::new(0.into()),
            space: Constant::new(4.into()),
            return_place: Constant::new(13.into()),
            last_place: Constant::new(14.into()),
            nine: Constant::new(9.into()),
            passes: letters(b"PASS"),
            fails: letters(b"FAIL"),
            places: from_fn(|i| Constant::new((i as u64).into())),
            blank: Constant::new(u64::from(b' ').into()),
            carriage_return: Constant::new(u64::from(b'\r').into()),
            line_feed: Constant::new(u64::from(b'\n').into()),
            zero_digit: Constant::new(u64::from(b'0').into()),
            ten_digit: Constant::new(u64::from(b'A' - 10).into()),
        })
    }
}

impl Logic for Uart {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, busy, place, passed, digits, frame, left, ticks);
        // The next character.
        self.digit.next = self.digits.q.val().get_bits::<4>(28);
        self.is_digit.next = false;
        self.character.next = bit_cast::<8, 4>(self.digit.val()) + self.zero_digit.val();
        if self.digit.val() > self.nine.val() {
            self.character.next = bit_cast::<8, 4>(self.digit.val()) + self.ten_digit.val();
        }
        if self.place.q.val() > self.space.val() {
            self.is_digit.next = true;
        }
        for i in 0..4 {
            if self.place.q.val() == self.places[i].val() {
                self.character.next = self.fails[i].val();
                if self.passed.q.val() {
                    self.character.next = self.passes[i].val();
                }
            }
        }
        if self.place.q.val() == self.space.val() {
            self.character.next = self.blank.val();
        }
        if self.place.q.val() == self.return_place.val() {
            self.character.next = self.carriage_return.val();
        }
        if self.place.q.val() == self.last_place.val() {
            self.character.next = self.line_feed.val();
        }
        self.inverted.next = !self.character.val();
        // Bit by bit.
        self.tick.next = self.ticks.q.val() == self.last_tick.val();
        self.ticks.d.next = self.ticks.q.val() + self.one_tick.val();
        if self.tick.val() {
            self.ticks.d.next = self.no_ticks.val();
            if self.left.q.val() != self.no_bits.val() {
                self.left.d.next = self.left.q.val() - self.one.val();
                self.frame.d.next = self.frame.q.val() >> 1;
            } else if self.busy.q.val() {
                // Start bit, character, stop bit.
                self.frame.d.next = (bit_cast::<10, 8>(self.inverted.val()) << 1)
                    | bit_cast::<10, 1>(self.busy.q.val().into());
                self.left.d.next = self.frame_bits.val();
                self.place.d.next = self.place.q.val() + self.one.val();
                if self.is_digit.val() {
                    self.digits.d.next = self.digits.q.val() << 4;
                }
                if self.place.q.val() == self.last_place.val() {
                    self.busy.d.next = false;
                }
            }
        }
        self.tx.next = !self.frame.q.val().get_bit(0);
        if self.start.val() & !self.busy.q.val() {
            self.busy.d.next = true;
            self.place.d.next = self.first_place.val();
            self.passed.d.next = self.pass.val();
            self.digits.d.next = self.number.val();
        }
        // Reset wins.
        if self.reset.val() {
            self.busy.d.next = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_rtl::Bench;

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "weft_uart",
            || Uart::new(3),
            1500,
            |u, rng, t| {
                u.reset.next = t < 2;
                u.start.next = rng.chance(1, 100);
                u.pass.next = rng.flip();
                u.number.next = rng.bits();
            },
            Some(|u: &mut Uart, level| u.clock.next = level.into()),
        )
        .unwrap();
    }

    /// BOARD-042: two lines, the second asked for while the first is written and again afterwards.
    #[test]
    fn writes_lines() {
        const DIVIDER: usize = 5;
        let mut b = Bench::new(Uart::new(DIVIDER as u64), |u, level| {
            u.clock.next = level.into()
        });
        let mut levels = Vec::new();
        for t in 0..2000 {
            b.uut.reset.next = t < 2;
            b.uut.start.next = [10, 100, 1000].contains(&t);
            b.uut.pass.next = t < 500;
            b.uut.number.next = if t < 500 { 0x0192_BAF3 } else { 0xFFFF_0000 }.into();
            b.edge();
            levels.push(b.uut.tx.val());
        }
        let mut text = String::new();
        let mut at = 0;
        while let Some(start) = levels[at..].iter().position(|level| !level) {
            let bit = |n: usize| levels.get(at + start + n * DIVIDER + DIVIDER / 2).copied();
            assert_eq!((bit(0), bit(9)), (Some(false), Some(true)), "frame");
            let byte = (0..8).fold(0, |byte, n| byte | u8::from(bit(n + 1).unwrap()) << n);
            text.push(byte.into());
            at += start + 9 * DIVIDER + DIVIDER / 2;
        }
        assert_eq!(text, "PASS 0192BAF3\r\nFAIL FFFF0000\r\n");
    }
}
