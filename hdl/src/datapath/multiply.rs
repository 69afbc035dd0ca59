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
//! Every cycle takes operands. The first register holds them, the second one the product, as the DSP blocks of FPGAs have them.
//!
//! # Errors
//! None.

use crate::hdl::*;

#[derive(LogicBlock, Clone, Debug, Default)]
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
