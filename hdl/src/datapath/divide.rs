//! Division and remainder: one unit for all lanes, one bit per cycle, one thread after the other.
//!
//! Spec: `docs/spec/datapath.md`, DATA-032.
//!
//! # Parameters
//! `WI`: log2 warps; `L` lanes, `LW` = 32 L; `PB` bits of a part's number; `LI` bits of a lane's number.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `pass_valid`, `pass_first`, `pass_last` | in | 1 | a pass; the first and the last one of its instruction |
//! | `pass_warp`, `pass_part`, `pass_rd`, `pass_code`, `pass_mask` | in | WI, PB, 6, 2, L | code: 0 div, 1 divu, 2 rem, 3 remu |
//! | `a`, `b` | in | LW | dividends and divisors, lane 0 lowest |
//! | `free` | out | 1 | idle: an instruction may be sent |
//! | `result_valid` / `result_ready`, `result_warp`, `result_part`, `result_rd`, `result_mask`, `result_data` | out / in | 1, WI, PB, 5, L, LW | a row |
//! | `complete_valid` / `complete_ready`, `complete_warp`, `complete_rd` | out / in | 1, WI, 6 | the instruction is complete; its rows have been taken before |
//!
//! # Cycle behaviour
//! Takes the passes of one instruction, one per cycle, and keeps their operands.
//! Then for each pass: 10, 18, 26 or 34 cycles per thread of its mask, by the bytes of its dividend, and its row is
//! offered.
//!
//! # Invariants
//! A pass is sent only to an idle unit, or behind the first one of its instruction.
//!
//! # Errors
//! None. Division by zero: quotient all ones, remainder the dividend; overflow: the dividend, remainder 0.

use crate::hdl::*;
use crate::prim::LutRam;

#[module(requires(LW == 32 * L, L == 1 << LI))]
pub struct Divide<
    const WI: usize,
    const L: usize,
    const LW: usize,
    const PB: usize,
    const LI: usize,
> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub pass_valid: Signal<In, Bit>,
    pub pass_first: Signal<In, Bit>,
    pub pass_last: Signal<In, Bit>,
    pub pass_warp: Signal<In, Bits<WI>>,
    pub pass_part: Signal<In, Bits<PB>>,
    pub pass_rd: Signal<In, Bits<6>>,
    pub pass_code: Signal<In, Bits<2>>,
    pub pass_mask: Signal<In, Bits<L>>,
    pub a: Signal<In, Bits<LW>>,
    pub b: Signal<In, Bits<LW>>,
    pub free: Signal<Out, Bit>,
    pub result_valid: Signal<Out, Bit>,
    pub result_ready: Signal<In, Bit>,
    pub result_warp: Signal<Out, Bits<WI>>,
    pub result_part: Signal<Out, Bits<PB>>,
    pub result_rd: Signal<Out, Bits<5>>,
    pub result_mask: Signal<Out, Bits<L>>,
    pub result_data: Signal<Out, Bits<LW>>,
    pub complete_valid: Signal<Out, Bit>,
    pub complete_ready: Signal<In, Bit>,
    pub complete_warp: Signal<Out, Bits<WI>>,
    pub complete_rd: Signal<Out, Bits<6>>,
    // The passes of the instruction.
    dividends: LutRam<Bits<LW>, PB>,
    divisors: LutRam<Bits<LW>, PB>,
    masks: LutRam<Bits<L>, PB>,
    parts: LutRam<Bits<PB>, PB>,
    // State: an instruction is there; all its passes are there; how many but one; which one it is at.
    open: DFF<Bit>,
    full: DFF<Bit>,
    last: DFF<Bits<PB>>,
    fill: DFF<Bits<PB>>,
    at: DFF<Bits<PB>>,
    warp: DFF<Bits<WI>>,
    rd: DFF<Bits<6>>,
    code: DFF<Bits<2>>,
    // State: a lane is loaded (0), divided (1), put away (2); the row is offered (3); complete (4).
    step: DFF<Bits<3>>,
    lane: DFF<Bits<LI>>,
    count: DFF<Bits<6>>,
    remainder: DFF<Bits<32>>,
    quotient: DFF<Bits<32>>,
    divisor: DFF<Bits<32>>,
    negate: DFF<Bit>,
    row: DFF<Bits<LW>>,
    // Combinational.
    place: Signal<Local, Bits<PB>>,
    index: Signal<Local, Bits<16>>,
    raw_a: Signal<Local, Bits<LW>>,
    raw_b: Signal<Local, Bits<LW>>,
    first: Signal<Local, Bits<32>>,
    second: Signal<Local, Bits<32>>,
    is_signed: Signal<Local, Bit>,
    a_negative: Signal<Local, Bit>,
    b_negative: Signal<Local, Bit>,
    absolute_a: Signal<Local, Bits<32>>,
    absolute_b: Signal<Local, Bits<32>>,
    shifted: Signal<Local, Bits<33>>,
    rest: Signal<Local, Bits<33>>,
    fits: Signal<Local, Bit>,
    chosen: Signal<Local, Bits<32>>,
    answer: Signal<Local, Bits<32>>,
    placed: Signal<Local, Bits<LW>>,
    last_lane: Signal<Local, Bit>,
    next_place: Signal<Local, Bits<PB>>,
    #[value(0.into())]
    zero: Constant<Bits<32>>,
    #[value(0.into())]
    no_row: Constant<Bits<LW>>,
    #[value(0.into())]
    no_lane: Constant<Bits<LI>>,
    #[value(1.into())]
    one_lane: Constant<Bits<LI>>,
    #[value((L as u64 - 1).into())]
    end_lane: Constant<Bits<LI>>,
    #[value(0.into())]
    no_part: Constant<Bits<PB>>,
    #[value(1.into())]
    one_part: Constant<Bits<PB>>,
}

#[part(Divide<WI, L, LW, PB, LI>)]
fn update(&mut self) {
    // ---- Passes come in.
    self.free.next = !self.open.q.val();
    self.place.next = self.fill.q.val();
    if self.pass_first.val() {
        self.place.next = self.no_part.val();
    }
    self.next_place.next = self.place.val() + self.one_part.val();
    spread!(self.*.write_enable <- self.pass_valid: dividends, divisors, masks, parts);
    spread!(self.*.write_address <- self.place: dividends, divisors, masks, parts);
    self.dividends.write_data.next = self.a.val();
    self.divisors.write_data.next = self.b.val();
    self.masks.write_data.next = self.pass_mask.val();
    self.parts.write_data.next = self.pass_part.val();
    if self.pass_valid.val() {
        self.open.d.next = true;
        carry!(self.*.d <- self: fill = next_place, last = place, warp = pass_warp, rd = pass_rd);
        self.code.d.next = self.pass_code.val();
        if self.pass_last.val() {
            self.full.d.next = true;
            self.step.d.next = 0.into();
            carry!(self.*.d <- self.no_*: lane, at = part, row);
        }
    }

    // ---- One thread's operands, without their signs.
    spread!(self.*.read_address <- self.at.q: dividends, divisors, masks, parts);
    self.index.next = bit_cast::<16, LI>(self.lane.q.val()) << 5;
    self.raw_a.next = self.dividends.read_data.val() >> self.index.val();
    self.raw_b.next = self.divisors.read_data.val() >> self.index.val();
    self.first.next = self.raw_a.val().get_bits::<32>(0);
    self.second.next = self.raw_b.val().get_bits::<32>(0);
    self.is_signed.next = !self.code.q.val().get_bit(0);
    self.a_negative.next = self.is_signed.val() & self.first.val().get_bit(31);
    self.b_negative.next = self.is_signed.val() & self.second.val().get_bit(31);
    self.absolute_a.next = self.first.val();
    if self.a_negative.val() {
        self.absolute_a.next = self.zero.val() - self.first.val();
    }
    self.absolute_b.next = self.second.val();
    if self.b_negative.val() {
        self.absolute_b.next = self.zero.val() - self.second.val();
    }

    // ---- One bit: does the divisor fit into what is left?
    self.shifted.next = (bit_cast::<33, 32>(self.remainder.q.val()) << 1)
        | bit_cast::<33, 1>(self.quotient.q.val().get_bits::<1>(31));
    self.rest.next = self.shifted.val() - bit_cast::<33, 32>(self.divisor.q.val());
    self.fits.next = !self.rest.val().get_bit(32);
    // (The remainder is below the divisor, so 32 bits hold it.
    // By zero everything fits: the quotient is all ones, the remainder the dividend.)
    self.chosen.next = self.quotient.q.val();
    if self.code.q.val().get_bit(1) {
        self.chosen.next = self.remainder.q.val();
    }
    self.answer.next = self.chosen.val();
    if self.negate.q.val() {
        self.answer.next = self.zero.val() - self.chosen.val();
    }
    self.placed.next = bit_cast::<LW, 32>(self.answer.val()) << self.index.val();
    self.last_lane.next = self.lane.q.val() == self.end_lane.val();

    if self.full.q.val() {
        if self.step.q.val() == 0 {
            self.remainder.d.next = self.zero.val();
            self.quotient.d.next = self.absolute_a.val();
            self.divisor.d.next = self.absolute_b.val();
            self.count.d.next = 31.into();
            // Upper bytes that are 0 give no bit of the quotient, unless everything fits.
            if self.second.val().any() {
                if !self.absolute_a.val().get_bits::<24>(8).any() {
                    self.quotient.d.next = self.absolute_a.val() << 24;
                    self.count.d.next = 7.into();
                } else if !self.absolute_a.val().get_bits::<16>(16).any() {
                    self.quotient.d.next = self.absolute_a.val() << 16;
                    self.count.d.next = 15.into();
                } else if !self.absolute_a.val().get_bits::<8>(24).any() {
                    self.quotient.d.next = self.absolute_a.val() << 8;
                    self.count.d.next = 23.into();
                }
            }
            self.negate.d.next = self.a_negative.val();
            if !self.code.q.val().get_bit(1) {
                self.negate.d.next =
                    (self.a_negative.val() ^ self.b_negative.val()) & self.second.val().any();
            }
            self.step.d.next = 1.into();
            if !self
                .masks
                .read_data
                .val()
                .get_bit(self.lane.q.val().index())
            {
                self.step.d.next = 0.into();
                self.lane.d.next = self.lane.q.val() + self.one_lane.val();
                if self.last_lane.val() {
                    self.step.d.next = 3.into();
                }
            }
        }
        if self.step.q.val() == 1 {
            self.remainder.d.next = self.shifted.val().get_bits::<32>(0);
            if self.fits.val() {
                self.remainder.d.next = self.rest.val().get_bits::<32>(0);
            }
            self.quotient.d.next =
                (self.quotient.q.val() << 1) | bit_cast::<32, 1>(self.fits.val().into());
            self.count.d.next = self.count.q.val() - 1;
            if self.count.q.val() == 0 {
                self.step.d.next = 2.into();
            }
        }
        if self.step.q.val() == 2 {
            self.row.d.next = self.row.q.val() | self.placed.val();
            self.lane.d.next = self.lane.q.val() + self.one_lane.val();
            self.step.d.next = 0.into();
            if self.last_lane.val() {
                self.step.d.next = 3.into();
            }
        }
        if (self.step.q.val() == 3) & self.result_ready.val() {
            carry!(self.*.d <- self.no_*: row, lane);
            self.at.d.next = self.at.q.val() + self.one_part.val();
            self.step.d.next = 0.into();
            if self.at.q.val() == self.last.q.val() {
                self.step.d.next = 4.into();
            }
        }
        if (self.step.q.val() == 4) & self.complete_ready.val() {
            self.full.d.next = false;
            self.open.d.next = false;
            self.step.d.next = 0.into();
        }
    }

    // ---- Results.
    self.result_valid.next = self.full.q.val() & (self.step.q.val() == 3);
    self.result_warp.next = self.warp.q.val();
    self.result_part.next = self.parts.read_data.val();
    self.result_rd.next = self.rd.q.val().get_bits::<5>(0);
    self.result_mask.next = self.masks.read_data.val();
    self.result_data.next = self.row.q.val();
    self.complete_valid.next = self.full.q.val() & (self.step.q.val() == 4);
    carry!(self.complete_* <- self.*.q: warp, rd);

    if self.reset.val() {
        self.open.d.next = false;
        self.full.d.next = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stimulus::{given, has_met, Resets};
    use weft_rtl::{Bench, Rng};

    /// 4 lanes, 2 parts.
    type Small = Divide<2, 4, 128, 1, 2>;

    fn operand(rng: &mut Rng) -> u32 {
        const EDGES: [u32; 6] = [0, 1, u32::MAX, 0x8000_0000, 0x7fff_ffff, 7];
        match rng.flip() {
            true => EDGES[rng.below(6) as usize],
            false => rng.below(1 << 32) as u32,
        }
    }

    fn row(words: &[u32; 4]) -> Bits<128> {
        let mut row = Bits::default();
        for (n, word) in words.iter().enumerate() {
            for bit in 0..32 {
                row = row.replace_bit(32 * n + bit, word >> bit & 1 == 1);
            }
        }
        row
    }

    fn quotient(code: u64, a: u32, b: u32) -> u32 {
        let (signed_a, signed_b) = (a as i32, b as i32);
        match code {
            0 if b == 0 => u32::MAX,
            0 => signed_a.wrapping_div(signed_b) as u32,
            1 => a.checked_div(b).unwrap_or(u32::MAX),
            2 if b == 0 => a,
            2 => signed_a.wrapping_rem(signed_b) as u32,
            _ => a.checked_rem(b).unwrap_or(a),
        }
    }

    #[test]
    fn verilog_agrees() {
        crate::stimulus::check_with_memories(
            "divide",
            Small::default,
            4000,
            |u, rng, t| {
                u.reset.next = t < 2;
                let sends = t > 2 && u.free.val() && rng.flip();
                u.pass_valid.next = sends;
                u.pass_first.next = true;
                u.pass_last.next = true;
                u.pass_warp.next = rng.bits();
                u.pass_part.next = rng.bits();
                u.pass_rd.next = rng.bits();
                u.pass_code.next = rng.bits();
                u.pass_mask.next = rng.bits();
                u.a.next = row(&std::array::from_fn(|_| operand(rng)));
                u.b.next = row(&std::array::from_fn(|_| operand(rng)));
                u.result_ready.next = rng.flip();
                u.complete_ready.next = rng.flip();
            },
            |u, level| u.clock.next = level.into(),
        );
    }

    /// DATA-032: instructions of one or two passes; each gives its rows, and then it is complete.
    /// Behind a reset, also in the middle of one, there is none.
    #[test]
    fn rows_hold_quotients_and_remainders() {
        let mut b = Bench::new(Small::default(), |u, level| u.clock.next = level.into());
        let mut rng = Rng::new(given("SEED", 1), "divide");
        let mut resets = Resets::new(400);
        b.uut.reset.next = true;
        b.edge();
        b.uut.reset.next = false;
        for n in 0..100u64 {
            let code = n % 4;
            let passes = 1 + n as usize / 4 % 2;
            let mut sent = Vec::new();
            for part in 0..passes {
                let a: [u32; 4] = std::array::from_fn(|_| operand(&mut rng));
                let c: [u32; 4] = std::array::from_fn(|_| operand(&mut rng));
                let mask = 1 + rng.below(15);
                let u = &mut b.uut;
                u.pass_valid.next = true;
                u.pass_first.next = part == 0;
                u.pass_last.next = part + 1 == passes;
                u.pass_warp.next = (n % 4).into();
                u.pass_part.next = (part as u64).into();
                u.pass_rd.next = 37.into();
                u.pass_code.next = code.into();
                u.pass_mask.next = mask.into();
                u.a.next = row(&a);
                u.b.next = row(&c);
                b.settle();
                assert!(part > 0 || b.uut.free.val());
                b.edge();
                sent.push((mask, a, c));
            }
            b.uut.pass_valid.next = false;
            b.uut.result_ready.next = true;
            b.uut.complete_ready.next = true;
            let mut rows = 0;
            for cycle in 0.. {
                assert!(cycle < 400, "instruction {n}");
                let reset = resets.now(&mut rng, rows < passes);
                b.uut.reset.next = reset;
                if reset {
                    // The next one begins in the next cycle.
                    b.edge();
                    b.uut.reset.next = false;
                    break;
                }
                b.settle();
                if b.uut.result_valid.val() {
                    let (mask, a, c) = sent[rows];
                    assert_eq!(b.uut.result_mask.val().to_u64(), mask);
                    assert_eq!(b.uut.result_part.val().to_u64(), rows as u64);
                    for lane in (0..4).filter(|lane| mask >> lane & 1 == 1) {
                        let word =
                            b.uut.result_data.val().get_bits::<32>(32 * lane).to_u64() as u32;
                        assert_eq!(
                            word,
                            quotient(code, a[lane], c[lane]),
                            "{:#x} {code} {:#x}",
                            a[lane],
                            c[lane]
                        );
                    }
                    rows += 1;
                }
                if b.uut.complete_valid.val() {
                    assert_eq!(rows, passes);
                    b.edge();
                    break;
                }
                b.edge();
            }
        }
        println!("divide: {} resets in a division", resets.busy);
        has_met(resets.busy > 5, "resets");
    }
}
