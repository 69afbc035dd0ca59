//! Tops for boards: a self-test of the control plane with its result on LEDs and on a serial line.
//!
//! Spec: `docs/spec/board.md`, BOARD-040 to 042. Pins: `constraints/`.
//!
//! # Parameters
//! As `SelfTest`.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `clock` | in | 1 | the board's |
//! | `button` | in | 1 | runs the test again |
//! | `led_pass`, `led_fail` | out | 1 | result; neither is lit while the test runs |
//! | `led_beat` | out | 1 | blinks with the clock |
//! | `uart_tx` | out | 1 | the result as text, again and again |
//!
//! # Cycle behaviour
//! The test starts 64 cycles after configuration. The result is written when the test ends and every 2^24 cycles.
//!
//! # Errors
//! Those of the control plane light `led_fail`.

mod datapath;
mod rom;
mod self_test;
mod signature;
mod token_memory;
pub use token_memory::TokenMemory;
mod uart;

pub use weft_ports::board::program;

use crate::hdl::*;
use self_test::SelfTest;
use uart::Uart;

/// Bits per second of the serial line.
pub const BAUD: u32 = 115_200;

/// What a top depends on besides its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wiring {
    /// Frequency of the clock.
    pub clock_hz: u32,
    /// The button is low when it is pressed.
    pub button_low: bool,
    /// The LEDs of the result are lit when low.
    pub result_low: bool,
    /// The LED that blinks is lit when low.
    pub beat_low: bool,
}

#[derive(LogicBlock)]
pub struct Board<
    const NW: usize,
    const WI: usize,
    const WC: usize,
    const W: usize,
    const P: usize,
    const K: usize,
    const B: usize,
    const R: usize,
    const TA: usize,
    const M: usize,
    const A: usize,
> {
    pub clock: Signal<In, Clock>,
    pub button: Signal<In, Bit>,
    pub led_pass: Signal<Out, Bit>,
    pub led_fail: Signal<Out, Bit>,
    pub led_beat: Signal<Out, Bit>,
    pub uart_tx: Signal<Out, Bit>,
    test: SelfTest<NW, WI, WC, W, P, K, B, R, TA, M, A>,
    writer: Uart,
    // State: zero after configuration; the button through two registers.
    awake: DFF<Bits<6>>,
    pressed: DFF<Bit>,
    pressed_late: DFF<Bit>,
    restart: DFF<Bit>,
    beat: DFF<Bits<24>>,
    was_over: DFF<Bit>,
    passed: DFF<Bit>,
    // Combinational.
    reset: Signal<Local, Bit>,
    says: Signal<Local, Bit>,
    failed: Signal<Local, Bit>,
    // Constants.
    one_awake: Constant<Bits<6>>,
    one_beat: Constant<Bits<24>>,
    button_low: Constant<Bit>,
    result_low: Constant<Bit>,
    beat_low: Constant<Bit>,
}

impl<
        const NW: usize,
        const WI: usize,
        const WC: usize,
        const W: usize,
        const P: usize,
        const K: usize,
        const B: usize,
        const R: usize,
        const TA: usize,
        const M: usize,
        const A: usize,
    > Board<NW, WI, WC, W, P, K, B, R, TA, M, A>
{
    /// A top whose test passes with this signature.
    pub fn new(wiring: Wiring, golden: u32) -> Self {
        block!({
            clock, button, led_pass, led_fail, led_beat, uart_tx, awake, pressed, pressed_late,
            restart, beat, was_over, passed, reset, says, failed,
        } {
            test: SelfTest::new(golden),
            writer: Uart::new(u64::from(wiring.clock_hz / BAUD)),
            one_awake: Constant::new(1.into()),
            one_beat: Constant::new(1.into()),
            button_low: Constant::new(wiring.button_low),
            result_low: Constant::new(wiring.result_low),
            beat_low: Constant::new(wiring.beat_low),
        })
    }
}

impl<
        const NW: usize,
        const WI: usize,
        const WC: usize,
        const W: usize,
        const P: usize,
        const K: usize,
        const B: usize,
        const R: usize,
        const TA: usize,
        const M: usize,
        const A: usize,
    > Logic for Board<NW, WI, WC, W, P, K, B, R, TA, M, A>
{
    #[part]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            awake,
            pressed,
            pressed_late,
            restart,
            beat,
            was_over,
            passed
        );
        clock!(self, clock, test, writer);
        // Reset: after configuration, and by the button.
        if !self.awake.q.val().all() {
            self.awake.d.next = self.awake.q.val() + self.one_awake.val();
        }
        self.pressed.d.next = self.button.val() ^ self.button_low.val();
        self.pressed_late.d.next = self.pressed.q.val();
        self.restart.d.next = self.pressed_late.q.val() | !self.awake.q.val().all();
        self.reset.next = self.restart.q.val() | !self.awake.q.val().all();
        spread!(self.*.reset <- self.reset: test, writer);
        // Result.
        self.beat.d.next = self.beat.q.val() + self.one_beat.val();
        self.was_over.d.next = self.test.over.val() & !self.reset.val();
        self.passed.d.next = self.test.pass.val();
        self.says.next = self.was_over.q.val() & self.passed.q.val();
        self.failed.next = self.was_over.q.val() & !self.passed.q.val();
        self.led_pass.next = self.says.val() ^ self.result_low.val();
        self.led_fail.next = self.failed.val() ^ self.result_low.val();
        self.led_beat.next = self.beat.q.val().get_bit(23) ^ self.beat_low.val();
        carry!(self.writer <- self.test: pass, number = total);
        self.writer.start.next =
            self.test.over.val() & (!self.was_over.q.val() | self.beat.q.val().all());
        self.uart_tx.next = self.writer.tx.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIRING: Wiring = Wiring {
        clock_hz: 1_000_000,
        button_low: true,
        result_low: true,
        beat_low: false,
    };

    /// Lint, export, `-Wall`, and the same outputs as its Verilog, from configuration through the first rounds and a
    /// press of the button. (To the end, with the right signature: `weft/tests/board.rs`.)
    #[test]
    fn verilog_agrees() {
        crate::stimulus::check_with_memories(
            "weft_board",
            || Board::<4, 2, 3, 4, 3, 4, 2, 3, 5, 64, 8>::new(WIRING, 0),
            1500,
            |u, _, t| u.button.next = !(1000..1010).contains(&t),
            |u, level| u.clock.next = level.into(),
        );
    }
}
