//! Ranks 3 and 4 of a lane: the addend comes to its place, and is added to the product.
//!
//! Spec: `docs/spec/float.md`, FLOAT-030 and FLOAT-033.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `field`, `shift`, `exponent`, `alone`, `sticks`, `subtracts`, `sign`, `field_sign`, `whole`, `mode` | in | 32, 7, 11, 1, 1, 1, 1, 1, 1, 3 | of rank 2 |
//! | `product` | in | 48 | of rank 3: its highest place is bit 49 of the window |
//! | `size` | out | 78 | the window: the sum, without its sign |
//! | `lost` | out | 1 | and something below it |
//! | `limit` | out | 78 | bit that comes to the top where the exponent forbids to move further; 0 if it does not |
//! | `exponent_out` | out | 11 | biased exponent of bit 77 of the window |
//! | `sign_out`, `zero_sign` | out | 1 | of the sum; of the sum if it is 0 |
//! | `whole_out`, `mode_out` | out | 1, 3 | as they came |
//!
//! # Cycle behaviour
//! Every cycle takes operands; outputs are of those of two cycles before, of the `product` of one cycle before.
//!
//! # Invariants
//! Two bits below the product are kept: one that is not normalised may come to the top from there.
//! What is lost below them is lost of the addend, so a difference in which the product is larger is less by it.
//!
//! # Errors
//! None.

use crate::hdl::*;

#[module]
pub struct Sum {
    pub clock: Signal<In, Clock>,
    pub field: Signal<In, Bits<32>>,
    pub shift: Signal<In, Bits<7>>,
    pub exponent: Signal<In, Bits<11>>,
    pub alone: Signal<In, Bit>,
    pub sticks: Signal<In, Bit>,
    pub subtracts: Signal<In, Bit>,
    pub sign: Signal<In, Bit>,
    pub field_sign: Signal<In, Bit>,
    pub whole: Signal<In, Bit>,
    pub mode: Signal<In, Bits<3>>,
    pub product: Signal<In, Bits<48>>,
    pub size: Signal<Out, Bits<78>>,
    pub lost: Signal<Out, Bit>,
    pub limit: Signal<Out, Bits<78>>,
    pub exponent_out: Signal<Out, Bits<11>>,
    pub sign_out: Signal<Out, Bit>,
    pub zero_sign: Signal<Out, Bit>,
    pub whole_out: Signal<Out, Bit>,
    pub mode_out: Signal<Out, Bits<3>>,
    // Rank 3.
    #[always]
    addend3: DFF<Bits<78>>,
    #[always]
    lost3: DFF<Bit>,
    #[always]
    exponent3: DFF<Bits<11>>,
    #[always]
    alone3: DFF<Bit>,
    #[always]
    sticks3: DFF<Bit>,
    #[always]
    subtracts3: DFF<Bit>,
    #[always]
    sign3: DFF<Bit>,
    #[always]
    field_sign3: DFF<Bit>,
    #[always]
    whole3: DFF<Bit>,
    #[always]
    mode3: DFF<Bits<3>>,
    // Rank 4.
    #[always]
    size4: DFF<Bits<78>>,
    #[always]
    lost4: DFF<Bit>,
    #[always]
    limit4: DFF<Bits<78>>,
    #[always]
    exponent4: DFF<Bits<11>>,
    #[always]
    sign4: DFF<Bit>,
    #[always]
    zero_sign4: DFF<Bit>,
    #[always]
    whole4: DFF<Bit>,
    #[always]
    mode4: DFF<Bits<3>>,
    // Combinational.
    wide: Signal<Local, Bits<110>>,
    moved: Signal<Local, Bits<110>>,
    beside: Signal<Local, Bits<78>>,
    second: Signal<Local, Bits<79>>,
    total: Signal<Local, Bits<79>>,
    positive: Signal<Local, Bits<78>>,
    turned: Signal<Local, Bits<78>>,
    back: Signal<Local, Bit>,
    exact: Signal<Local, Bit>,
    places: Signal<Local, Bits<7>>,
    #[value(0.into())]
    nothing: Constant<Bits<78>>,
    #[init(Constant::new(Bits::<78>::default().replace_bit(77, true)))]
    highest: Constant<Bits<78>>,
    #[value(1.into())]
    one: Constant<Bits<11>>,
}

#[part(Sum)]
fn update(&mut self) {
    // ---- Rank 3.
    self.wide.next = bit_cast::<110, 32>(self.field.val()) << 77;
    self.moved.next = self.wide.val() >> self.shift.val();
    self.addend3.d.next = self.moved.val().get_bits::<78>(32);
    self.lost3.d.next = self.moved.val().get_bits::<32>(0).any();
    carry!(self.*.d <- self:
        exponent3 = exponent, alone3 = alone, sticks3 = sticks, subtracts3 = subtracts,
        sign3 = sign, field_sign3 = field_sign, whole3 = whole, mode3 = mode,
    );

    // ---- Rank 4: sum or difference.
    self.beside.next = bit_cast::<78, 48>(self.product.val()) << 2;
    if self.alone3.q.val() {
        self.beside.next = bit_cast::<78, 1>(self.sticks3.q.val().into());
    }
    self.second.next = bit_cast::<79, 78>(self.beside.val());
    if self.subtracts3.q.val() {
        self.second.next = !self.second.val();
    }
    self.total.next = bit_cast::<79, 78>(self.addend3.q.val())
        + self.second.val()
        + bit_cast::<79, 1>(self.subtracts3.q.val().into());
    self.positive.next = self.total.val().get_bits::<78>(0);
    self.back.next = self.subtracts3.q.val() & self.total.val().get_bit(78);
    self.exact.next = !self.lost3.q.val();
    self.turned.next = !self.positive.val();
    self.size4.d.next = self.positive.val();
    if self.back.val() {
        self.size4.d.next = self.turned.val() + bit_cast::<78, 1>(self.exact.val().into());
    }
    self.lost4.d.next = self.lost3.q.val();
    self.sign4.d.next = self.sign3.q.val();
    if self.subtracts3.q.val() & !self.back.val() {
        self.sign4.d.next = self.field_sign3.q.val();
    }
    self.zero_sign4.d.next = self.sign3.q.val();
    if self.subtracts3.q.val() {
        self.zero_sign4.d.next = self.mode3.q.val() == 2;
    }

    // ---- Rank 4: how far the exponent lets it move.
    self.places.next = self.exponent3.q.val().get_bits::<7>(0);
    self.exponent4.d.next = self.exponent3.q.val() + self.one.val();
    self.limit4.d.next = self.highest.val() >> self.places.val();
    if self.exponent3.q.val().get_bits::<3>(7).any() {
        self.limit4.d.next = self.nothing.val();
    }
    self.whole4.d.next = self.whole3.q.val();
    self.mode4.d.next = self.mode3.q.val();
    carry!(self <- self.*.q: size = size4, lost = lost4, limit = limit4, exponent_out = exponent4);
    self.sign_out.next = self.sign4.q.val();
    carry!(self <- self.*.q: zero_sign = zero_sign4, whole_out = whole4, mode_out = mode4);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "weft_float_sum",
            Sum::default,
            2000,
            |u, rng, _| {
                u.field.next = rng.bits();
                u.shift.next = rng.below(79).into();
                u.exponent.next = rng.below(100).into();
                u.alone.next = rng.chance(1, 4);
                u.sticks.next = rng.flip();
                u.subtracts.next = rng.flip();
                u.sign.next = rng.flip();
                u.field_sign.next = rng.flip();
                u.whole.next = rng.flip();
                u.mode.next = rng.bits();
                u.product.next = rng.bits();
            },
            Some(|u, level| u.clock.next = level.into()),
        )
        .unwrap();
    }
}
