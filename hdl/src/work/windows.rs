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

impl kernel::Part for Windows {
    #[hdl_gen]
    fn update(&mut self) {
        self.writes.next = self.write.val()
            & (self.address.val().get_bits::<5>(7) == 8)
            & !self.address.val().get_bits::<2>(0).any();
        self.field.next = self.address.val().get_bits::<2>(2);
        self.row.next = self.address.val().get_bits::<3>(4);
        self.row_bit.next = bits::<8>(1) << self.row.val();
        self.bases.write_enable.next = self.writes.val() & (self.field.val() == 0);
        self.bases.write_address.next = self.row.val();
        self.bases.write_data.next = self.data.val();
        self.ends.write_enable.next = self.writes.val() & (self.field.val() == 1);
        self.ends.write_address.next = self.row.val();
        self.ends.write_data.next = self.data.val();
        self.locals.write_enable.next = self.writes.val() & (self.field.val() == 2);
        self.locals.write_address.next = self.row.val();
        self.locals.write_data.next = self.data.val();
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
        self.bases.read_address.next = self.domain_id.val();
        self.ends.read_address.next = self.domain_id.val();
        self.locals.read_address.next = self.domain_id.val();
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

impl kernel::Part for WindowRegisters {
    #[hdl_gen]
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
}
