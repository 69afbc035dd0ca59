//! Product of two mantissas, 24 × 24 bits.
//!
//! Spec: `docs/spec/float.md`, FLOAT-030.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `a`, `b` | in | 24 | mantissas |
//! | `product` | out | 48 | of those of three cycles before |
//!
//! # Cycle behaviour
//! Every cycle takes operands. The first register holds them, the second and the third one the product, so that DSP
//! blocks find their own registers.
//!
//! # Errors
//! None.

use crate::hdl::*;

#[cell]
#[derive(Clone, Debug)]
pub struct Product {
    pub clock: Signal<In, Clock>,
    pub a: Signal<In, Bits<24>>,
    pub b: Signal<In, Bits<24>>,
    pub product: Signal<Out, Bits<48>>,
    _operands: (u64, u64),
    _first: u64,
    _second: u64,
}

impl Logic for Product {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self._second = self._first;
            self._first = self._operands.0 * self._operands.1;
            self._operands = (self.a.val().to_u64(), self.b.val().to_u64());
        }
        self.product.next = self._second.into();
    }
    fn connect(&mut self) {
        self.product.connect();
    }
    fn hdl(&self) -> Verilog {
        Verilog::Custom(
            "\
reg [23:0] first;
reg [23:0] second;
reg [47:0] whole;
reg [47:0] late;

initial begin
   first = 24'd0;
   second = 24'd0;
   whole = 48'd0;
   late = 48'd0;
end

always @(posedge clock) begin
   first <= a;
   second <= b;
   whole <= first * second;
   late <= whole;
end

always @(*) product = late;
"
            .into(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_rtl::Rng;

    fn drive(u: &mut Product, rng: &mut Rng) {
        let mut operand = || match rng.below(4) {
            0 => 0xff_ffff,
            1 => 0x80_0000 >> rng.below(24),
            _ => rng.below(1 << 24),
        };
        u.a.next = operand().into();
        u.b.next = operand().into();
    }

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "weft_float_product",
            Product::default,
            1000,
            |u, rng, _| drive(u, rng),
            Some(|u, level| u.clock.next = level.into()),
        )
        .unwrap();
    }

    /// FLOAT-030.
    #[test]
    fn products_come_three_cycles_later() {
        let clock: weft_rtl::ClockFn<Product> = |u, level| u.clock.next = level.into();
        let mut b = weft_rtl::Bench::new(Product::default(), clock);
        let mut rng = Rng::new(1, "product");
        let mut due = [0u64; 3];
        for t in 0..2000 {
            drive(&mut b.uut, &mut rng);
            b.settle();
            let product = b.uut.a.val().to_u64() * b.uut.b.val().to_u64();
            if t > 3 {
                assert_eq!(b.uut.product.val().to_u64(), due[0], "cycle {t}");
            }
            due = [due[1], due[2], product];
            b.edge();
        }
    }
}
