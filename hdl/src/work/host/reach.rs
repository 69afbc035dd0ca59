//! Whether some bytes of memory are within reach of what says so.
//!
//! Spec: `docs/spec/host.md`, HOST-002.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `address`, `bytes` | in | 32, 20 | what is to be reached |
//! | `is_private` | in | 1 | who says so lies wholly at or above THREAD_END |
//! | `memory_end` | in | 32 | register |
//! | `window_base`, `window_end` | in | 32 | what who is not private reaches |
//! | `ok` | out | 1 | it lies at or above 0x1000, and within the window or, of who is private, below MEMORY_END; combinational |
//!
//! # Errors
//! None.

use crate::hdl::*;

#[module]
pub struct Reach {
    pub address: Signal<In, Bits<32>>,
    pub bytes: Signal<In, Bits<20>>,
    pub is_private: Signal<In, Bit>,
    pub memory_end: Signal<In, Bits<32>>,
    pub window_base: Signal<In, Bits<32>>,
    pub window_end: Signal<In, Bits<32>>,
    pub ok: Signal<Out, Bit>,
    limit: Signal<Local, Bits<33>>,
    after: Signal<Local, Bits<33>>,
    high_enough: Signal<Local, Bit>,
}

#[part(Reach)]
fn update(&mut self) {
    self.limit.next = bit_cast::<33, 32>(self.window_end.val());
    self.high_enough.next = self.address.val() >= self.window_base.val();
    if self.is_private.val() {
        self.limit.next = bit_cast::<33, 32>(self.memory_end.val());
        self.high_enough.next = true;
    }
    self.after.next = bit_cast::<33, 32>(self.address.val()) + bit_cast::<33, 20>(self.bytes.val());
    self.ok.next = self.address.val().get_bits::<20>(12).any()
        & self.high_enough.val()
        & (self.after.val() <= self.limit.val());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Edges of both ends, and addresses that run over the top of 32 bits.
    const EDGES: [u64; 10] = [
        0,
        0xFFC,
        0x1000,
        0x1004,
        0xFFC0,
        0x1_0000,
        0x1_0040,
        0xFFFF_FFC0,
        0xFFFF_FFFC,
        0x8000_0000,
    ];

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "reach",
            Reach::default,
            500,
            |u, rng, _| {
                u.address.next = EDGES[rng.below(10) as usize].into();
                u.bytes.next =
                    [0u64, 4, 16, 0x3C, 0x40, 0x44, 0x3_FFFC][rng.below(7) as usize].into();
                u.is_private.next = rng.chance(1, 2);
                u.window_base.next = EDGES[rng.below(10) as usize].into();
                u.window_end.next = EDGES[rng.below(10) as usize].into();
                u.memory_end.next = EDGES[rng.below(10) as usize].into();
            },
            None,
        )
        .unwrap();
    }

    #[test]
    fn the_last_byte_counts() {
        let mut u = Reach::default();
        u.connect_all();
        u.window_base.next = 0x2000u64.into();
        u.window_end.next = 0x1_0000u64.into();
        u.memory_end.next = 0xFFFF_FFC0u64.into();
        let cases = [
            (0x2000u64, 4u64, false, true),
            (0x1FFC, 8, false, false),
            (0x1FFC, 8, true, true),
            (0xFFC, 8, false, false),
            (0xFFFC, 4, false, true),
            (0xFFFC, 5, false, false),
            (0xFFFC, 5, true, true),
            (0xFFFF_FFBC, 4, true, true),
            (0xFFFF_FFC0, 4, true, false),
            (0xFFFF_FFFC, 0x3_FFFC, true, false),
        ];
        for (address, bytes, private, ok) in cases {
            u.address.next = address.into();
            u.bytes.next = bytes.into();
            u.is_private.next = private;
            weft_rtl::settle(&mut u);
            assert_eq!(u.ok.val(), ok, "{address:#x} {bytes} {private}");
        }
    }
}
