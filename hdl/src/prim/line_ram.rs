//! Memory with a wide write port and a narrow, registered read port on one clock: a line of 512 bits in, one of its
//! eight 64-bit words out.
//!
//! # Parameters
//! `A`: address bits (2^A lines).
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `write_enable`, `write_line`, `write_data` | in | 1, A, 512 | written at the edge that ends the cycle |
//! | `read_line`, `read_word` | in | A, 3 | |
//! | `read_data` | out | 64 | bits 64 i + 63 … 64 i of the line, i = `read_word`, addressed in the former cycle |
//!
//! # Cycle behaviour
//! Read latency 1. A write is seen by reads addressed in the next cycle or later.
//! A read of a line that is written in the same cycle gives anything
//! (in simulation the word as it was before): with this freedom block RAM needs no logic around it, and its ports of
//! different widths no multiplexer.
//! Up to 16 lines are left to the mapper: LUT RAM where there is some, a memory for each word of a line and a selection
//! before the read register, in place of 16 block RAMs that would be nearly empty.
//! Contents are undefined at power-up.
//!
//! # Errors
//! None.

use crate::hdl::*;

#[cell(requires((1..=12).contains(&A)))]
#[derive(Clone, Debug)]
pub struct LineRam<const A: usize> {
    pub clock: Signal<In, Clock>,
    pub write_enable: Signal<In, Bit>,
    pub write_line: Signal<In, Bits<A>>,
    pub write_data: Signal<In, Bits<512>>,
    pub read_line: Signal<In, Bits<A>>,
    pub read_word: Signal<In, Bits<3>>,
    pub read_data: Signal<Out, Bits<64>>,
    #[init(vec![Bits::default(); 1 << A])]
    _lines: Vec<Bits<512>>,
}

impl<const A: usize> Logic for LineRam<A> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            let line = &self._lines[self.read_line.val().index()];
            self.read_data.next = line.get_bits::<64>(64 * self.read_word.val().index());
            if self.write_enable.val() {
                self._lines[self.write_line.val().index()] = self.write_data.val();
            }
        }
    }
    fn connect(&mut self) {
        self.read_data.connect();
    }
    fn hdl(&self) -> Verilog {
        let mut text = format!(
            "\
{kind}
reg [63:0] mem [0:{last}];

always @(posedge clock) begin
   read_data <= mem[{{read_line, read_word}}];
   if (write_enable) begin
",
            kind = super::kind_of(A <= 4),
            last = (8usize << A) - 1
        );
        for i in 0..8 {
            text += &format!(
                "      mem[{{write_line, 3'd{i}}}] <= write_data[{}:{}];\n",
                64 * i + 63,
                64 * i
            );
        }
        Verilog::Custom(text + "   end\nend\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        crate::stimulus::check_with_memories(
            "line_ram",
            LineRam::<2>::default,
            400,
            |u, rng, t| {
                // Every line is written before it is read: contents are undefined at power-up.
                u.write_enable.next = t < 4 || rng.flip();
                u.write_line.next = if t < 4 { (t as u64).into() } else { rng.bits() };
                u.write_data.next = rng.bits();
                u.read_line.next = if t < 4 { 0.into() } else { rng.bits() };
                u.read_word.next = rng.bits();
            },
            |u, level| u.clock.next = level.into(),
        );
    }

    /// Above 16 lines, of block RAM only.
    #[test]
    fn verilog_agrees_above_16_lines() {
        crate::stimulus::check_with_memories(
            "line_ram_long",
            LineRam::<5>::default,
            400,
            |u, rng, t| {
                u.write_enable.next = t < 32 || rng.flip();
                u.write_line.next = if t < 32 {
                    (t as u64).into()
                } else {
                    rng.bits()
                };
                u.write_data.next = rng.bits();
                u.read_line.next = if t < 32 { 0.into() } else { rng.bits() };
                u.read_word.next = rng.bits();
            },
            |u, level| u.clock.next = level.into(),
        );
    }

    /// Word i of a line is its bits 64 i and up, from the cycle after the write on.
    #[test]
    fn words_stand_in_their_order() {
        let mut b = weft_rtl::Bench::new(LineRam::<2>::default(), |u, level| {
            u.clock.next = level.into()
        });
        let mut rng = weft_rtl::Rng::new(1, "line_ram");
        let line: Bits<512> = rng.bits();
        b.uut.write_enable.next = true;
        b.uut.write_line.next = 3.into();
        b.uut.write_data.next = line;
        b.edge();
        b.uut.write_line.next = 2.into();
        b.uut.write_data.next = rng.bits();
        b.uut.read_line.next = 3.into();
        for i in 0..8usize {
            b.uut.read_word.next = (i as u64).into();
            b.edge();
            assert_eq!(b.uut.read_data.val(), line.get_bits::<64>(64 * i));
        }
    }
}
