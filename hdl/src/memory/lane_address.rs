//! Windows and alignment: where one lane's access goes.
//!
//! Spec: `docs/spec/memory.md`, MEM-001 to MEM-007.
//!
//! # Parameters
//! `SB`: bits of a thread slot's number, log2 (NW × W).
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `address`, `size` | in | 32, 2 | virtual address; 0 byte, 1 half, 2 word |
//! | `slot` | in | SB | thread slot: warp × W + thread |
//! | `base` | in | 32 | scratchpad of the warp's CTA |
//! | `cfg_memory_base`, `cfg_memory_size`, `cfg_local_base`, `cfg_local_bytes`, `cfg_scratchpad_bytes` | in | 32 | of the launch |
//! | `misaligned`, `unmapped` | out | 1 | one of them at most |
//! | `on_chip` | out | 1 | scratchpad |
//! | `physical` | out | 32 | address in the scratchpad, or for the memory port |
//!
//! # Cycle behaviour
//! Combinational: one adder, and one comparison beside it.
//!
//! # Errors
//! `misaligned` and `unmapped`; then `physical` means nothing.

use crate::hdl::*;

#[module(requires((4..=12).contains(&SB)))]
pub struct LaneAddress<const SB: usize> {
    pub address: Signal<In, Bits<32>>,
    pub size: Signal<In, Bits<2>>,
    pub slot: Signal<In, Bits<SB>>,
    pub base: Signal<In, Bits<32>>,
    pub cfg_memory_base: Signal<In, Bits<32>>,
    pub cfg_memory_size: Signal<In, Bits<32>>,
    pub cfg_local_base: Signal<In, Bits<32>>,
    pub cfg_local_bytes: Signal<In, Bits<32>>,
    pub cfg_scratchpad_bytes: Signal<In, Bits<32>>,
    pub misaligned: Signal<Out, Bit>,
    pub unmapped: Signal<Out, Bit>,
    pub on_chip: Signal<Out, Bit>,
    pub physical: Signal<Out, Bits<32>>,
    is_local: Signal<Local, Bit>,
    odd: Signal<Local, Bit>,
    mapped: Signal<Local, Bit>,
    offset: Signal<Local, Bits<32>>,
    in_memory: Signal<Local, Bit>,
    in_local: Signal<Local, Bit>,
    in_scratchpad: Signal<Local, Bit>,
    in_its_window: Signal<Local, Bits<32>>,
    start: Signal<Local, Bits<32>>,
    word: Signal<Local, Bits<32>>,
    place: Signal<Local, Bits<32>>,
    low: Signal<Local, Bits<32>>,
    #[value(0xCu64.into())]
    local_window: Constant<Bits<4>>,
    #[value(0xDu64.into())]
    scratchpad_window: Constant<Bits<4>>,
    #[value(0x0FFF_FFFCu64.into())]
    in_window: Constant<Bits<32>>,
    #[value(3u64.into())]
    in_word: Constant<Bits<32>>,
    #[value((SB as u64).into())]
    word_shift: Constant<Bits<5>>,
    #[value(2u64.into())]
    place_shift: Constant<Bits<2>>,
    #[value(1u64.into())]
    half: Constant<Bits<2>>,
    #[value(2u64.into())]
    full: Constant<Bits<2>>,
    #[value(0u64.into())]
    zero: Constant<Bits<32>>,
}

#[part(LaneAddress<SB>)]
fn update(&mut self) {
    self.is_local.next = self.address.val().get_bits::<4>(28) == self.local_window.val();
    self.on_chip.next = self.address.val().get_bits::<4>(28) == self.scratchpad_window.val();
    self.low.next = self.address.val() & self.in_word.val();
    self.offset.next = self.address.val();
    self.start.next = self.zero.val();
    self.word.next = self.address.val() & self.in_window.val();
    self.place.next = bit_cast::<32, SB>(self.slot.val());
    if self.is_local.val() | self.on_chip.val() {
        self.offset.next = self.word.val() | self.low.val();
    }
    // Each limit by itself, so that no comparison waits for the window.
    self.in_its_window.next = self.word.val() | self.low.val();
    self.in_memory.next = (self.address.val() < self.cfg_memory_size.val())
        & (self.address.val().get_bits::<26>(6) >= self.cfg_memory_base.val().get_bits::<26>(6));
    self.in_local.next = self.in_its_window.val() < self.cfg_local_bytes.val();
    self.in_scratchpad.next = self.in_its_window.val() < self.cfg_scratchpad_bytes.val();
    self.mapped.next = self.in_memory.val();
    if self.is_local.val() {
        self.mapped.next = self.in_local.val();
    } else if self.on_chip.val() {
        self.mapped.next = self.in_scratchpad.val();
    }
    // Word k of thread slot s: k × slots + s (MEM-001).
    if self.is_local.val() {
        self.start.next = self.cfg_local_base.val();
        self.offset.next = (self.word.val() << self.word_shift.val())
            | (self.place.val() << self.place_shift.val())
            | self.low.val();
    } else if self.on_chip.val() {
        self.start.next = self.base.val();
    }
    self.physical.next = self.start.val() + self.offset.val();
    self.odd.next = ((self.size.val() == self.half.val()) & self.address.val().get_bit(0))
        | ((self.size.val() == self.full.val()) & self.low.val().any());
    self.misaligned.next = self.odd.val();
    self.unmapped.next = !self.odd.val() & !self.mapped.val();
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_rtl::{Bench, Rng};

    fn drive(u: &mut LaneAddress<9>, rng: &mut Rng) {
        let near = [
            0,
            0xFFC,
            0x2040,
            0x1_0000,
            0xC000_0000,
            0xC000_0400,
            0xD000_0000,
            0xD000_0100,
            0xE000_0000,
        ];
        let address = near[rng.below(9) as usize] + rng.below(64);
        u.address.next = if rng.flip() {
            (address.wrapping_sub(32) & 0xFFFF_FFFF).into()
        } else {
            rng.bits()
        };
        u.size.next = rng.below(3).into();
        u.slot.next = rng.bits();
        u.base.next = (rng.below(64) * 256).into();
        u.cfg_memory_base.next = 0x2040u64.into();
        u.cfg_memory_size.next = 0x1_0000u64.into();
        u.cfg_local_base.next = (rng.below(1000) * 64).into();
        u.cfg_local_bytes.next = 0x400u64.into();
        u.cfg_scratchpad_bytes.next = 0x100u64.into();
    }

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "lane_address",
            LaneAddress::<9>::default,
            1000,
            |u, rng, _| drive(u, rng),
            None,
        )
        .unwrap();
    }

    /// Every address of the page's table, with the edges of each window.
    #[test]
    fn windows() {
        let mut b = Bench::new(LaneAddress::<9>::default(), |_, _| {});
        let mut rng = Rng::new(1, "windows");
        let mut seen = [0; 4];
        for _ in 0..20_000 {
            drive(&mut b.uut, &mut rng);
            b.settle();
            let u = &b.uut;
            let address = u.address.val().to_u64();
            let (place, misaligned) = (
                address & 0x0FFF_FFFF,
                address % (1 << u.size.val().to_u64()) != 0,
            );
            let want = match address >> 28 {
                0xC if place < 0x400 => {
                    let word = place / 4 * 512 + u.slot.val().to_u64();
                    Some(u.cfg_local_base.val().to_u64() + 4 * word + place % 4)
                }
                0xD if place < 0x100 => Some(u.base.val().to_u64() + place),
                0xC | 0xD => None,
                _ => (0x2040..0x1_0000).contains(&address).then_some(address),
            };
            let at = format!("{address:#x} size {}", u.size.val().to_u64());
            assert_eq!(u.misaligned.val(), misaligned, "{at}");
            assert_eq!(u.unmapped.val(), !misaligned && want.is_none(), "{at}");
            if let (Some(want), false) = (want, misaligned) {
                assert_eq!(u.physical.val().to_u64(), want & 0xFFFF_FFFF, "{at}");
                assert_eq!(u.on_chip.val(), address >> 28 == 0xD, "{at}");
                seen[[0, 1, 2]
                    [(address >> 28 == 0xC) as usize + 2 * (address >> 28 == 0xD) as usize]] += 1;
            } else {
                seen[3] += 1;
            }
        }
        assert!(seen.iter().all(|&n| n > 500), "{seen:?}");
    }
}
