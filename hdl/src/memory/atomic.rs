//! What an AMO writes.
//!
//! Spec: `docs/spec/memory.md`, *Operations*.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `operation` | in | 4 | 0 add, 1 swap, 2 xor, 3 or, 4 and, 5 min, 6 max, 7 minu, 8 maxu |
//! | `old`, `operand` | in | 32, 32 | word in memory, rs2 |
//! | `result` | out | 32 | |
//! | `changes` | out | 1 | it is another word than `old` |
//!
//! # Cycle behaviour
//! Combinational: an adder, a comparison and a multiplexer. `changes` waits for no sum.
//!
//! # Errors
//! None; other operations write the operand.

use crate::hdl::*;

#[module]
pub struct Atomic {
    pub operation: Signal<In, Bits<4>>,
    pub old: Signal<In, Bits<32>>,
    pub operand: Signal<In, Bits<32>>,
    pub result: Signal<Out, Bits<32>>,
    pub changes: Signal<Out, Bit>,
    flipped: Signal<Local, Bits<32>>,
    flipped_operand: Signal<Local, Bits<32>>,
    below: Signal<Local, Bit>,
    // Minimum, maximum: the old word is the one.
    keeps: Signal<Local, Bit>,
    // Bits that the operand has and the old word has not, and the other way round.
    gained: Signal<Local, Bits<32>>,
    lost: Signal<Local, Bits<32>>,
    #[value(0x8000_0000u64.into())]
    sign: Constant<Bits<32>>,
}

#[part(Atomic)]
fn update(&mut self) {
    // Signed comparison: with the sign bits turned over.
    self.flipped.next = self.old.val();
    self.flipped_operand.next = self.operand.val();
    if (self.operation.val() == 5) | (self.operation.val() == 6) {
        self.flipped.next = self.old.val() ^ self.sign.val();
        self.flipped_operand.next = self.operand.val() ^ self.sign.val();
    }
    self.below.next = self.flipped.val() < self.flipped_operand.val();
    self.keeps.next = (((self.operation.val() == 5) | (self.operation.val() == 7))
        & self.below.val())
        | (((self.operation.val() == 6) | (self.operation.val() == 8)) & !self.below.val());
    self.result.next = self.operand.val();
    if self.operation.val() == 0 {
        self.result.next = self.old.val() + self.operand.val();
    } else if self.operation.val() == 2 {
        self.result.next = self.old.val() ^ self.operand.val();
    } else if self.operation.val() == 3 {
        self.result.next = self.old.val() | self.operand.val();
    } else if self.operation.val() == 4 {
        self.result.next = self.old.val() & self.operand.val();
    } else if self.keeps.val() {
        self.result.next = self.old.val();
    }
    self.gained.next = self.operand.val() & !self.old.val();
    self.lost.next = self.old.val() & !self.operand.val();
    self.changes.next = !self.keeps.val() & (self.gained.val().any() | self.lost.val().any());
    if (self.operation.val() == 0) | (self.operation.val() == 2) {
        self.changes.next = self.operand.val().any();
    } else if self.operation.val() == 3 {
        self.changes.next = self.gained.val().any();
    } else if self.operation.val() == 4 {
        self.changes.next = self.lost.val().any();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the page, and against its own Verilog.
    #[test]
    fn verilog_agrees() {
        let mut before: Option<(u64, u32, u32)> = None;
        weft_rtl::check_module(
            "atomic",
            Atomic::default,
            4000,
            |u, rng, _| {
                if let Some((operation, old, operand)) = before.take() {
                    weft_rtl::settle(u);
                    let want = match operation {
                        0 => old.wrapping_add(operand),
                        2 => old ^ operand,
                        3 => old | operand,
                        4 => old & operand,
                        5 => (old as i32).min(operand as i32) as u32,
                        6 => (old as i32).max(operand as i32) as u32,
                        7 => old.min(operand),
                        8 => old.max(operand),
                        _ => operand,
                    };
                    assert_eq!(
                        u.result.val().to_u64(),
                        u64::from(want),
                        "{operation} {old:#x} {operand:#x}"
                    );
                    assert_eq!(
                        u.changes.val(),
                        want != old,
                        "{operation} {old:#x} {operand:#x}"
                    );
                }
                let edges = [0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF];
                let [old, operand] = [(); 2].map(|()| match rng.below(6) {
                    5 => rng.next() as u32,
                    i => edges[i as usize],
                });
                let operation = rng.below(9);
                u.operation.next = operation.into();
                u.old.next = u64::from(old).into();
                u.operand.next = u64::from(operand).into();
                before = Some((operation, old, operand));
            },
            None,
        )
        .unwrap();
    }
}
