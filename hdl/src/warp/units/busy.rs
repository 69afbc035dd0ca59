//! One unit of one class: how long it is busy after an instruction.
//!
//! Spec: `docs/spec/scheduler.md`, *Functional units*.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `interval` | in | 4 | cycles from one instruction to the next: 0 or 1, or an even number (an odd one counts as the next even one) |
//! | `odd`, `next_odd` | in | 1, 1 | phase of this cycle and of the next one |
//! | `granted` | in | 1 | it was granted in the cycle before; late |
//! | `open`, `will_open` | out | 1, 1 | it may be granted in this cycle, from a register; in the next one |
//! | `slow` | out | 1 | interval above 1 |
//!
//! # Cycle behaviour
//! What follows with and without a grant is found side by side; the grant chooses.
//!
//! # Errors
//! None.

use crate::hdl::*;

#[module]
pub struct Busy {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub interval: Signal<In, Bits<4>>,
    pub odd: Signal<In, Bit>,
    pub next_odd: Signal<In, Bit>,
    pub granted: Signal<In, Bit>,
    pub open: Signal<Out, Bit>,
    pub will_open: Signal<Out, Bit>,
    pub slow: Signal<Out, Bit>,
    // State: pairs of cycles that it is busy still.
    left: DFF<Bits<3>>,
    is_open: DFF<Bit>,
    // Combinational.
    half: Signal<Local, Bits<3>>,
    is_slow: Signal<Local, Bit>,
    start: Signal<Local, Bits<3>>,
    fewer: Signal<Local, Bits<3>>,
    calm: Signal<Local, Bits<3>>,
    its_phase: Signal<Local, Bit>,
    opens: Signal<Local, Bit>,
    // Constants.
    #[value(0.into())]
    none: Constant<Bits<3>>,
    #[value(1.into())]
    one: Constant<Bits<3>>,
}

#[part(Busy)]
fn update(&mut self) {
    self.half.next = self.interval.val().get_bits::<3>(1);
    self.is_slow.next = self.half.val().any();
    self.slow.next = self.is_slow.val();
    // An even interval is over one pair of cycles earlier than the odd one above it.
    self.start.next = self.none.val();
    if self.is_slow.val() {
        self.start.next = self.half.val();
        if !self.interval.val().get_bit(0) {
            self.start.next = self.half.val() - self.one.val();
        }
    }
    self.fewer.next = self.left.q.val() - self.one.val();
    self.calm.next = self.left.q.val();
    if self.odd.val() & self.left.q.val().any() {
        self.calm.next = self.fewer.val();
    }
    if self.reset.val() {
        self.calm.next = self.none.val();
    }
    self.its_phase.next = !self.is_slow.val() | !self.next_odd.val();
    self.left.d.next = self.calm.val();
    self.opens.next = self.its_phase.val() & !self.calm.val().any();
    if self.granted.val() & !self.reset.val() {
        self.left.d.next = self.start.val();
        self.opens.next = self.its_phase.val() & !self.start.val().any();
    }
    self.is_open.d.next = self.opens.val();
    self.will_open.next = self.opens.val();
    self.open.next = self.is_open.q.val();
}
