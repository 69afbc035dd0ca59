//! Pipelined multiplier of one lane: 32 × 32 bits, low or high word, each operand signed or not.
//!
//! Spec: `docs/spec/datapath.md`, DATA-031.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `a`, `b` | in | 32 | operands |
//! | `code` | in | 2 | 0 mul, 1 mulh, 2 mulhsu, 3 mulhu |
//! | `result` | out | 32 | of the operands of two cycles before |
//!
//! # Cycle behaviour
//! Every cycle takes operands. The first register holds them, the second one the product, as the DSP blocks of FPGAs
//! have them.
//!
//! # Errors
//! None.

use crate::hdl::*;

#[cell]
#[derive(Clone, Debug)]
pub struct Multiply {
    pub clock: Signal<In, Clock>,
    pub a: Signal<In, Bits<32>>,
    pub b: Signal<In, Bits<32>>,
    pub code: Signal<In, Bits<2>>,
    pub result: Signal<Out, Bits<32>>,
    _operands: (u64, u64, u64),
    _product: (u64, u64),
}

impl Logic for Multiply {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            let (a, b, code) = self._operands;
            let extend = |x: u64, signed: bool| match signed {
                true => i128::from(x as u32 as i32),
                false => i128::from(x),
            };
            let product = extend(a, code == 1 || code == 2) * extend(b, code == 1);
            self._product = (product as u64, code);
            self._operands = (
                self.a.val().to_u64(),
                self.b.val().to_u64(),
                self.code.val().to_u64(),
            );
        }
        let (product, code) = self._product;
        let word = if code == 0 { product } else { product >> 32 };
        self.result.next = (word & 0xffff_ffff).into();
    }
    fn connect(&mut self) {
        self.result.connect();
    }
    fn hdl(&self) -> Verilog {
        Verilog::Custom(
            "\
reg signed [32:0] first;
reg signed [32:0] second;
reg high;
reg signed [65:0] product;
reg product_high;
wire unused = &{1'b0, product[65:64]};

initial begin
   first = 33'd0;
   second = 33'd0;
   high = 1'b0;
   product = 66'd0;
   product_high = 1'b0;
end

always @(posedge clock) begin
   first <= {a[31] & (code == 2'd1 || code == 2'd2), a};
   second <= {b[31] & (code == 2'd1), b};
   high <= code != 2'd0;
   product <= first * second;
   product_high <= high;
end

always @(*) result = product_high ? product[63:32] : product[31:0];
"
            .into(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_rtl::Rng;

    fn drive(u: &mut Multiply, rng: &mut Rng) {
        const EDGES: [u64; 6] = [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0xffff];
        let mut operand = || match rng.flip() {
            true => EDGES[rng.below(6) as usize],
            false => rng.below(1 << 32),
        };
        u.a.next = operand().into();
        u.b.next = operand().into();
        u.code.next = rng.below(4).into();
    }

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "multiply",
            Multiply::default,
            2000,
            |u, rng, _| drive(u, rng),
            Some(|u, level| u.clock.next = level.into()),
        )
        .unwrap();
    }

    /// DATA-031.
    #[test]
    fn products_come_two_cycles_later() {
        let mut b =
            weft_rtl::Bench::new(Multiply::default(), |u, level| u.clock.next = level.into());
        let mut rng = Rng::new(1, "multiply");
        let mut due = [0u32; 2];
        for t in 0..3000 {
            drive(&mut b.uut, &mut rng);
            b.settle();
            let (a, c) = (b.uut.a.val().to_u64() as u32, b.uut.b.val().to_u64() as u32);
            let (signed_a, signed_c) = (i64::from(a as i32), i64::from(c as i32));
            let word = match b.uut.code.val().to_u64() {
                0 => a.wrapping_mul(c),
                1 => ((signed_a * signed_c) >> 32) as u32,
                2 => ((i128::from(signed_a) * i128::from(c)) >> 32) as u32,
                _ => ((u64::from(a) * u64::from(c)) >> 32) as u32,
            };
            if t > 2 {
                assert_eq!(b.uut.result.val().to_u64() as u32, due[0], "cycle {t}");
            }
            due = [due[1], word];
            b.edge();
        }
    }
}
