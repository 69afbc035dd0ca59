//! One lane: addition, logic, shifts and comparisons of one thread.
//!
//! Spec: `docs/spec/datapath.md`, DATA-030.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `a`, `b` | in | 32 | operands |
//! | `alu` | in | 4 | bits 2..0: add, sll, slt, sltu, xor, srl, or, and (funct3); bit 3: subtract, shift arithmetically |
//! | `result` | out | 32 | |
//! | `sum` | out | 32 | a + b, or a − b where the function subtracts or compares |
//! | `x`, `y` | in | 32 | what is compared |
//! | `compare` | in | 3 | funct3 of a branch |
//! | `holds` | out | 1 | x compares so with y |
//! | `nonzero` | out | 1 | x is not 0 |
//!
//! # Cycle behaviour
//! Combinational.
//!
//! # Errors
//! None.

use crate::hdl::*;

#[module]
pub struct Lane {
    pub a: Signal<In, Bits<32>>,
    pub b: Signal<In, Bits<32>>,
    pub alu: Signal<In, Bits<4>>,
    pub result: Signal<Out, Bits<32>>,
    pub sum: Signal<Out, Bits<32>>,
    pub x: Signal<In, Bits<32>>,
    pub y: Signal<In, Bits<32>>,
    pub compare: Signal<In, Bits<3>>,
    pub holds: Signal<Out, Bit>,
    pub nonzero: Signal<Out, Bit>,
    code: Signal<Local, Bits<3>>,
    subtracts: Signal<Local, Bit>,
    addend: Signal<Local, Bits<32>>,
    carry: Signal<Local, Bits<32>>,
    wide_a: Signal<Local, Bits<33>>,
    wide_b: Signal<Local, Bits<33>>,
    difference: Signal<Local, Bits<33>>,
    below: Signal<Local, Bit>,
    amount: Signal<Local, Bits<5>>,
    forward: Signal<Local, Bits<32>>,
    turned: [Signal<Local, Bits<32>>; 6],
    back: Signal<Local, Bits<32>>,
    x_flip: Signal<Local, Bits<33>>,
    y_flip: Signal<Local, Bits<33>>,
    gap: Signal<Local, Bits<33>>,
    equal: Signal<Local, Bit>,
    less: Signal<Local, Bit>,
    #[value(0.into())]
    zero: Constant<Bits<32>>,
    #[value(1.into())]
    one: Constant<Bits<32>>,
    #[value(0x8000_0000_u64.into())]
    top: Constant<Bits<33>>,
    #[init(from_fn(|i| Constant::new((0xffff_ffff_u64 << (32 - (1 << i)) & 0xffff_ffff).into())))]
    ones: [Constant<Bits<32>>; 5],
    #[init(from_fn(|i| Constant::new((1u64 << i).into())))]
    step: [Constant<Bits<5>>; 5],
}

#[part(Lane)]
fn update(&mut self) {
    self.code.next = self.alu.val().get_bits::<3>(0);

    // ---- Sum.
    self.subtracts.next = (self.alu.val() == 8) | (self.code.val() == 2) | (self.code.val() == 3);
    self.addend.next = self.b.val();
    self.carry.next = self.zero.val();
    if self.subtracts.val() {
        self.addend.next = !self.b.val();
        self.carry.next = self.one.val();
    }
    self.sum.next = self.a.val() + self.addend.val() + self.carry.val();

    // ---- Comparison for slt and sltu: with the upper bits turned, signed numbers order as unsigned ones.
    self.wide_a.next = bit_cast::<33, 32>(self.a.val());
    self.wide_b.next = bit_cast::<33, 32>(self.b.val());
    if self.code.val() == 2 {
        self.wide_a.next = self.wide_a.val() ^ self.top.val();
        self.wide_b.next = self.wide_b.val() ^ self.top.val();
    }
    self.difference.next = self.wide_a.val() - self.wide_b.val();
    self.below.next = self.difference.val().get_bit(32);

    // ---- Shifts: to the right; what goes to the left is mirrored before and behind.
    self.amount.next = self.b.val().get_bits::<5>(0);
    self.forward.next = self.a.val();
    if self.code.val() == 1 {
        for i in 0..32 {
            self.forward.next = self
                .forward
                .val()
                .replace_bit(i, self.a.val().get_bit(31 - i));
        }
    }
    self.turned[0].next = self.forward.val();
    for i in 0..5 {
        self.turned[i + 1].next = self.turned[i].val();
        if self.amount.val().get_bit(i) {
            self.turned[i + 1].next = self.turned[i].val() >> self.step[i].val();
            if self.alu.val().get_bit(3) & self.a.val().get_bit(31) {
                self.turned[i + 1].next = self.turned[i + 1].val() | self.ones[i].val();
            }
        }
    }
    self.back.next = self.turned[5].val();
    if self.code.val() == 1 {
        for i in 0..32 {
            self.back.next = self
                .back
                .val()
                .replace_bit(i, self.turned[5].val().get_bit(31 - i));
        }
    }

    // ---- Result.
    self.result.next = self.sum.val();
    if (self.code.val() == 1) | (self.code.val() == 5) {
        self.result.next = self.back.val();
    }
    if (self.code.val() == 2) | (self.code.val() == 3) {
        self.result.next = self.zero.val();
        if self.below.val() {
            self.result.next = self.one.val();
        }
    }
    if self.code.val() == 4 {
        self.result.next = self.a.val() ^ self.b.val();
    }
    if self.code.val() == 6 {
        self.result.next = self.a.val() | self.b.val();
    }
    if self.code.val() == 7 {
        self.result.next = self.a.val() & self.b.val();
    }

    // ---- Branches compare what they read.
    self.x_flip.next = bit_cast::<33, 32>(self.x.val());
    self.y_flip.next = bit_cast::<33, 32>(self.y.val());
    if !self.compare.val().get_bit(1) {
        self.x_flip.next = self.x_flip.val() ^ self.top.val();
        self.y_flip.next = self.y_flip.val() ^ self.top.val();
    }
    self.gap.next = self.x_flip.val() - self.y_flip.val();
    self.equal.next = self.x.val() == self.y.val();
    self.less.next = self.gap.val().get_bit(32);
    self.holds.next = self.equal.val();
    if self.compare.val().get_bit(2) {
        self.holds.next = self.less.val();
    }
    if self.compare.val().get_bit(0) {
        self.holds.next = !self.holds.val();
    }
    self.nonzero.next = self.x.val().any();
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_rtl::Rng;

    /// Edges and anything.
    fn operand(rng: &mut Rng) -> u64 {
        const EDGES: [u64; 8] = [
            0,
            1,
            31,
            32,
            0x7fff_ffff,
            0x8000_0000,
            0xffff_ffff,
            0xffff_fffe,
        ];
        match rng.flip() {
            true => EDGES[rng.below(8) as usize],
            false => rng.below(1 << 32),
        }
    }

    fn drive(u: &mut Lane, rng: &mut Rng) {
        u.a.next = operand(rng).into();
        u.b.next = operand(rng).into();
        u.x.next = operand(rng).into();
        u.y.next = operand(rng).into();
        u.alu.next = [0u64, 1, 2, 3, 4, 5, 6, 7, 8, 13][rng.below(10) as usize].into();
        u.compare.next = [0u64, 1, 4, 5, 6, 7][rng.below(6) as usize].into();
    }

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module("lane", Lane::default, 2000, |u, rng, _| drive(u, rng), None)
            .unwrap();
    }

    /// DATA-030.
    #[test]
    fn results_are_those_of_rv32i() {
        let mut u = Lane::default();
        u.connect_all();
        let mut rng = Rng::new(1, "lane");
        for _ in 0..4000 {
            drive(&mut u, &mut rng);
            weft_rtl::settle(&mut u);
            let (a, b) = (u.a.val().to_u64() as u32, u.b.val().to_u64() as u32);
            let (signed_a, signed_b) = (a as i32, b as i32);
            let result = match u.alu.val().to_u64() {
                0 => a.wrapping_add(b),
                1 => a << (b & 31),
                2 => u32::from(signed_a < signed_b),
                3 => u32::from(a < b),
                4 => a ^ b,
                5 => a >> (b & 31),
                6 => a | b,
                7 => a & b,
                8 => a.wrapping_sub(b),
                _ => (signed_a >> (b & 31)) as u32,
            };
            let alu = u.alu.val().to_u64();
            assert_eq!(
                u.result.val().to_u64() as u32,
                result,
                "{a:#x} {alu} {b:#x}"
            );
            let (x, y) = (u.x.val().to_u64() as u32, u.y.val().to_u64() as u32);
            let compare = u.compare.val().to_u64();
            let less = if compare < 6 {
                (x as i32) < y as i32
            } else {
                x < y
            };
            let holds = (if compare < 4 { x == y } else { less }) ^ (compare & 1 == 1);
            assert_eq!(u.holds.val(), holds, "{x:#x} {compare} {y:#x}");
            assert_eq!(u.nonzero.val(), x != 0);
        }
    }
}
