//! The windows of domains: which memory the threads of a task reach.
//!
//! Spec: `docs/spec/host.md`, HOST-004.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `write`, `address`, `data` | in | 1, 12, 32 | pulse: a register from 0x300 on is written |
//! | `thread_end` | in | 32 | THREAD_END |
//! | `domain_id` | in | 3 | |
//! | `window_base`, `window_end` | out | 32 | its window, as it counts |
//! | `local_offset` | out | 32 | its LOCAL_OFFSET |
//!
//! # Cycle behaviour
//! What comes out is combinational. A write counts from the next cycle on.
//!
//! # Errors
//! None.

use crate::hdl::*;
use crate::prim::LutRam;

#[module]
pub struct Windows {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub write: Signal<In, Bit>,
    pub address: Signal<In, Bits<12>>,
    pub data: Signal<In, Bits<32>>,
    pub thread_end: Signal<In, Bits<32>>,
    pub domain_id: Signal<In, Bits<3>>,
    pub window_base: Signal<Out, Bits<32>>,
    pub window_end: Signal<Out, Bits<32>>,
    pub local_offset: Signal<Out, Bits<32>>,
    bases: LutRam<Bits<32>, 3>,
    ends: LutRam<Bits<32>, 3>,
    locals: LutRam<Bits<32>, 3>,
    // By domain: its register is not 0.
    has_base: DFF<Bits<8>>,
    has_end: DFF<Bits<8>>,
    has_local: DFF<Bits<8>>,
    writes: Signal<Local, Bit>,
    field: Signal<Local, Bits<2>>,
    row: Signal<Local, Bits<3>>,
    row_bit: Signal<Local, Bits<8>>,
    domain_bit: Signal<Local, Bits<8>>,
}

#[part(Windows)]
fn update(&mut self) {
    self.writes.next = self.write.val()
        & (self.address.val().get_bits::<5>(7) == 8)
        & !self.address.val().get_bits::<2>(0).any();
    self.field.next = self.address.val().get_bits::<2>(2);
    self.row.next = self.address.val().get_bits::<3>(4);
    self.row_bit.next = bits::<8>(1) << self.row.val();
    self.bases.write_enable.next = self.writes.val() & (self.field.val() == 0);
    carry!(self.bases <- self: write_address = row, write_data = data);
    self.ends.write_enable.next = self.writes.val() & (self.field.val() == 1);
    carry!(self.ends <- self: write_address = row, write_data = data);
    self.locals.write_enable.next = self.writes.val() & (self.field.val() == 2);
    carry!(self.locals <- self: write_address = row, write_data = data);
    if self.writes.val() {
        if self.field.val() == 0 {
            self.has_base.d.next = self.has_base.q.val() & !self.row_bit.val();
            if self.data.val().any() {
                self.has_base.d.next = self.has_base.q.val() | self.row_bit.val();
            }
        }
        if self.field.val() == 1 {
            self.has_end.d.next = self.has_end.q.val() & !self.row_bit.val();
            if self.data.val().any() {
                self.has_end.d.next = self.has_end.q.val() | self.row_bit.val();
            }
        }
        if self.field.val() == 2 {
            self.has_local.d.next = self.has_local.q.val() & !self.row_bit.val();
            if self.data.val().any() {
                self.has_local.d.next = self.has_local.q.val() | self.row_bit.val();
            }
        }
    }

    self.domain_bit.next = bits::<8>(1) << self.domain_id.val();
    spread!(self.*.read_address <- self.domain_id: bases, ends, locals);
    self.window_base.next = 0x1000.into();
    if (self.has_base.q.val() & self.domain_bit.val()).any() {
        self.window_base.next = self.bases.read_data.val();
    }
    self.window_end.next = self.thread_end.val();
    if (self.has_end.q.val() & self.domain_bit.val()).any() {
        self.window_end.next = self.ends.read_data.val();
    }
    self.local_offset.next = 0.into();
    if (self.has_local.q.val() & self.domain_bit.val()).any() {
        self.local_offset.next = self.locals.read_data.val();
    }

    if self.reset.val() {
        self.has_base.d.next = 0.into();
        self.has_end.d.next = 0.into();
        self.has_local.d.next = 0.into();
    }
}

/// What the host reads of them: each register as it was written.
#[module]
pub struct WindowRegisters {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub write: Signal<In, Bit>,
    pub address: Signal<In, Bits<12>>,
    pub data: Signal<In, Bits<32>>,
    pub read_address: Signal<In, Bits<12>>,
    /// One cycle later; 0: not a register of these.
    pub read_data: Signal<Out, Bits<32>>,
    /// SPAWN_DOMAIN.
    pub spawn: Signal<Out, Bits<3>>,
    shown: LutRam<Bits<32>, 5>,
    written: DFF<Bits<32>>,
    of_channels: DFF<Bits<32>>,
    of_spawn: DFF<Bits<3>>,
    answer: DFF<Bits<32>>,
    writes: Signal<Local, Bit>,
    row_bit: Signal<Local, Bits<32>>,
    read_bit: Signal<Local, Bits<32>>,
    reads: Signal<Local, Bits<32>>,
    #[value(0x7777_7777u64.into())]
    k_domains: Constant<Bits<32>>,
}

#[part(WindowRegisters)]
fn update(&mut self) {
    self.writes.next = self.write.val()
        & (self.address.val().get_bits::<5>(7) == 8)
        & !self.address.val().get_bits::<2>(0).any()
        & (self.address.val().get_bits::<2>(2) != 3);
    self.row_bit.next = bits::<32>(1) << self.address.val().get_bits::<5>(2);
    self.shown.write_enable.next = self.writes.val();
    self.shown.write_address.next = self.address.val().get_bits::<5>(2);
    self.shown.write_data.next = self.data.val();
    if self.writes.val() {
        self.written.d.next = self.written.q.val() | self.row_bit.val();
    }
    if self.write.val() & (self.address.val() == 0x480) {
        self.of_channels.d.next = self.data.val() & self.k_domains.val();
    }
    if self.write.val() & (self.address.val() == 0x484) {
        self.of_spawn.d.next = self.data.val().get_bits::<3>(0);
    }
    self.spawn.next = self.of_spawn.q.val();

    self.shown.read_address.next = self.read_address.val().get_bits::<5>(2);
    self.read_bit.next = bits::<32>(1) << self.read_address.val().get_bits::<5>(2);
    self.reads.next = 0.into();
    if (self.read_address.val().get_bits::<5>(7) == 8)
        & (self.written.q.val() & self.read_bit.val()).any()
        & !self.read_address.val().get_bits::<2>(0).any()
    {
        self.reads.next = self.shown.read_data.val();
    }
    if self.read_address.val() == 0x480 {
        self.reads.next = self.of_channels.q.val();
    }
    if self.read_address.val() == 0x484 {
        self.reads.next = bit_cast::<32, 3>(self.of_spawn.q.val());
    }
    self.answer.d.next = self.reads.val();
    self.read_data.next = self.answer.q.val();

    if self.reset.val() {
        self.written.d.next = 0.into();
        self.of_channels.d.next = 0.into();
        self.of_spawn.d.next = 0.into();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_rtl::{Bench, Rng};

    const THREAD_END: u64 = 0x8_0000;

    /// A register at one of the addresses of domains, or beside them.
    fn address(rng: &mut Rng) -> u64 {
        match rng.below(8) {
            0 => 0x3F0 + rng.below(16),
            1 => 0x480 + 4 * rng.below(3),
            2 => 0x400 + rng.below(128),
            _ => 0x400 + 4 * rng.below(32),
        }
    }

    /// HOST-004, against a table of what was written.
    #[test]
    fn what_is_not_written_counts_as_all() {
        let mut b = Bench::new(Windows::default(), |u, level| u.clock.next = level.into());
        let mut rng = Rng::new(1, "windows");
        let mut table = [[0; 3]; 8];
        b.uut.thread_end.next = THREAD_END.into();
        for t in 0..4000 {
            let reset = t == 0 || rng.chance(1, 200);
            let (at, data) = (address(&mut rng), [0, rng.below(THREAD_END)]);
            let data = data[rng.below(2) as usize];
            let write = rng.flip();
            let domain = rng.below(8) as usize;
            b.uut.reset.next = reset;
            b.uut.write.next = write;
            b.uut.address.next = at.into();
            b.uut.data.next = data.into();
            b.uut.domain_id.next = (domain as u64).into();
            b.settle();
            let or = |value: u64, other: u64| if value == 0 { other } else { value };
            let [base, end, local] = table[domain];
            if t > 0 {
                assert_eq!(b.uut.window_base.val().to_u64(), or(base, 0x1000));
                assert_eq!(b.uut.window_end.val().to_u64(), or(end, THREAD_END));
                assert_eq!(b.uut.local_offset.val().to_u64(), local);
            }
            b.edge();
            if write && (0x400..0x480).contains(&at) && at % 4 == 0 && at % 16 != 12 {
                table[(at / 16 % 8) as usize][(at / 4 % 4) as usize] = data;
            }
            if reset {
                table = [[0; 3]; 8];
            }
        }
    }

    #[test]
    fn verilog_agrees() {
        crate::stimulus::check_with_memories(
            "windows",
            Windows::default,
            1000,
            |u, rng, t| {
                u.reset.next = t < 2 || rng.chance(1, 100);
                u.write.next = rng.flip();
                u.address.next = address(rng).into();
                u.data.next = [0u64, 0x4000, 0x1_0000][rng.below(3) as usize].into();
                u.thread_end.next = THREAD_END.into();
                u.domain_id.next = rng.bits();
            },
            |u, level| u.clock.next = level.into(),
        );
        crate::stimulus::check_with_memories(
            "window_registers",
            WindowRegisters::default,
            1000,
            |u, rng, t| {
                u.reset.next = t < 2 || rng.chance(1, 100);
                u.write.next = rng.flip();
                u.address.next = address(rng).into();
                u.data.next = rng.bits();
                u.read_address.next = address(rng).into();
            },
            |u, level| u.clock.next = level.into(),
        );
    }
}
