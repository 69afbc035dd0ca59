//! Lanes' data as one beat of a write burst.
//!
//! Spec: `docs/spec/memory.md`, MEM-011.
//!
//! # Parameters
//! `L` lanes; `LW` = 32 L; `LO` = 6 L; `D` bits of a beat, 64 to 512; `DS` = D / 8.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `lanes` | in | L | that store |
//! | `offsets` | in | LO | their places in the line, in bytes |
//! | `values`, `size` | in | LW, 2 | what they store; 0 byte, 1 half, 2 word |
//! | `word` | in | 4 | first word of the beat in the line, a multiple of D / 32 |
//! | `beat`, `strobes` | out | D, DS | bytes without strobe are 0 |
//!
//! # Cycle behaviour
//! Combinational. Of lanes that store to the same byte the highest one's stays.
//!
//! # Errors
//! None at run time. `Default` panics when the parameters do not fit.

use super::store_lane::StoreLane;
use super::Join;
use crate::hdl::*;

#[module(requires(LW == 32 * L, LO == 6 * L, D == 8 * DS, (64..=512).contains(&D), D.is_power_of_two()), given(let words = D / 32;))]
pub struct StoreBeat<
    const L: usize,
    const LW: usize,
    const LO: usize,
    const D: usize,
    const DS: usize,
> {
    pub lanes: Signal<In, Bits<L>>,
    pub offsets: Signal<In, Bits<LO>>,
    pub values: Signal<In, Bits<LW>>,
    pub size: Signal<In, Bits<2>>,
    pub word: Signal<In, Bits<4>>,
    pub beat: Signal<Out, Bits<D>>,
    pub strobes: Signal<Out, Bits<DS>>,
    #[many(L)]
    offset: Vec<Signal<Local, Bits<6>>>,
    #[many(L)]
    place: Vec<Signal<Local, Bits<4>>>,
    #[many(L)]
    lane: Vec<StoreLane>,
    #[many(L)]
    here: Vec<Signal<Local, Bit>>,
    // One per lane and word of the beat.
    #[many(L * words)]
    stores: Vec<Signal<Local, Bits<4>>>,
    #[many(DS)]
    merged: Vec<Signal<Local, Bits<8>>>,
    written: Signal<Local, Bits<DS>>,
    joined: Join<DS, 8, D>,
    #[init((0..words).map(|w| Constant::new((w as u64).into())).collect())]
    number: Vec<Constant<Bits<4>>>,
    #[value((16 - words as u64).into())]
    beat_mask: Constant<Bits<4>>,
    #[value((words as u64 - 1).into())]
    word_mask: Constant<Bits<4>>,
    #[value(0u64.into())]
    no_bytes: Constant<Bits<4>>,
    #[value(Bits::default())]
    no_strobes: Constant<Bits<DS>>,
    #[value(0u64.into())]
    no_data: Constant<Bits<8>>,
}

#[part(StoreBeat<L, LW, LO, D, DS>)]
fn update(&mut self) {
    for l in 0..L {
        self.offset[l].next = self.offsets.val().get_bits::<6>(6 * l);
        self.place[l].next = self.offset[l].val().get_bits::<4>(2);
        self.here[l].next = self.lanes.val().get_bit(l)
            & ((self.place[l].val() & self.beat_mask.val()) == self.word.val());
        self.lane[l].data.next = self.values.val().get_bits::<32>(32 * l);
        self.lane[l].size.next = self.size.val();
        self.lane[l].at_byte.next = self.offset[l].val().get_bits::<2>(0);
    }
    // `n` brings the words of a beat into index arithmetic.
    for n in (D / 32)..(D / 32 + 1) {
        for l in 0..L {
            for w in 0..(D / 32) {
                self.stores[n * l + w].next = self.no_bytes.val();
                if self.here[l].val()
                    & ((self.place[l].val() & self.word_mask.val()) == self.number[w].val())
                {
                    self.stores[n * l + w].next = self.lane[l].bytes.val();
                }
            }
        }
    }
    self.written.next = self.no_strobes.val();
    for n in (D / 32)..(D / 32 + 1) {
        for w in 0..(D / 32) {
            for b in 0..4 {
                self.merged[4 * w + b].next = self.no_data.val();
                for l in 0..L {
                    if self.stores[n * l + w].val().get_bit(b) {
                        self.merged[4 * w + b].next = self.lane[l].value.val().get_bits::<8>(8 * b);
                        self.written.next = self.written.val().replace_bit(4 * w + b, true);
                    }
                }
                self.joined.each[4 * w + b].next = self.merged[4 * w + b].val();
            }
        }
    }
    self.beat.next = self.joined.whole.val();
    self.strobes.next = self.written.val();
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lanes, their offsets and values, size, first word of the beat.
    type Case = (u64, [u64; 4], [u64; 4], u64, usize);

    fn check<const D: usize, const DS: usize>(name: &str) {
        let mut before: Option<Case> = None;
        weft_rtl::check_module(
            name,
            StoreBeat::<4, 128, 24, D, DS>::default,
            1000,
            |u, rng, _| {
                if let Some((lanes, offsets, values, size, word)) = before.take() {
                    weft_rtl::settle(u);
                    let mut line = [None; 64];
                    for l in (0..4).filter(|l| lanes >> l & 1 == 1) {
                        for byte in 0..1 << size {
                            line[offsets[l] as usize + byte] = Some(values[l] >> (8 * byte) & 255);
                        }
                    }
                    for (i, want) in line[4 * word..4 * word + DS].iter().enumerate() {
                        assert_eq!(u.strobes.val().get_bit(i), want.is_some());
                        assert_eq!(
                            u.beat.val().get_bits::<8>(8 * i).to_u64(),
                            want.unwrap_or(0)
                        );
                    }
                }
                let size = rng.below(3);
                let spread = [4, 64][rng.below(2) as usize];
                let offsets: [u64; 4] = std::array::from_fn(|_| rng.below(spread) >> size << size);
                let values: [u64; 4] = std::array::from_fn(|_| rng.next() & 0xFFFF_FFFF);
                let word = rng.below(16) as usize / (DS / 4) * (DS / 4);
                let lanes = rng.below(16);
                u.lanes.next = lanes.into();
                u.offsets.next = (0..4).fold(0, |all, l| all | offsets[l] << (6 * l)).into();
                let mut all = Bits::<128>::default();
                for (l, value) in values.iter().enumerate() {
                    for bit in (0..32).filter(|bit| value >> bit & 1 == 1) {
                        all = all.replace_bit(32 * l + bit, true);
                    }
                }
                u.values.next = all;
                u.size.next = size.into();
                u.word.next = (word as u64).into();
                before = Some((lanes, offsets, values, size, word));
            },
            None,
        )
        .unwrap();
    }

    /// Against the page, and against its own Verilog.
    #[test]
    fn verilog_agrees() {
        check::<64, 8>("store_beat_64");
        check::<512, 64>("store_beat_512");
    }
}
