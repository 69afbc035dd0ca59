//! The registers from 0x300 on (`docs/spec/tasks.md`, *Registers*), but those of the spawn ring.
//!
//! # Parameters
//! `S` SMs, 1 to 8; `SB` bits of the number of one; `RB` = SB + 2: of one of the `R` registers of all.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `write`, `address`, `data` | in | 1, 12, 32 | pulse: a write |
//! | `read_address` / `read_data` | in / out | 12 / 32 | one cycle later |
//! | `spawn_base`, `spawn_number`, `limit_most`, `kill` | in | 32 | shown |
//! | `show` / `occupancy` | out / in | SB / 32 | of an SM |
//! | `poll` | out | 16 | SPAWN_POLL |
//! | `local_limit` | out | 32 | the smallest LOCAL_LIMIT; S + 1 cycles behind a write of one |
//! | `sm`, `setting_at` / `setting` | in / out | SB, 2 / 32 | LOCAL_BASE … TOKEN_SIZE of an SM; not behind such a write |
//! | `ended` | in | 1 | pulse: a CTA of `sm` has ended |
//! | `error`, `error_code`, `error_place`, `error_task` | in | 1, 8, 32, 32 | pulse: a task error |
//! | `fault`, `fault_word`, `fault_pc`, `fault_address`, `fault_cta`, `fault_task` | in | 1, 32 | pulse: a fault |
//! | `task_error`, `has_fault` | out | 1 | valid |
//!
//! # Cycle behaviour
//! An error or a fault in the cycle of a clear is kept.
//!
//! # Errors
//! None at run time. `Default` panics when the parameters do not fit.

use crate::hdl::*;
use crate::prim::LutRam;

#[module(requires((1..=8).contains(&S), S <= 1 << SB, RB == SB + 2, R == 1 << RB))]
pub struct Registers<const S: usize, const SB: usize, const RB: usize, const R: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub write: Signal<In, Bit>,
    pub address: Signal<In, Bits<12>>,
    pub data: Signal<In, Bits<32>>,
    pub read_address: Signal<In, Bits<12>>,
    pub read_data: Signal<Out, Bits<32>>,
    pub spawn_base: Signal<In, Bits<32>>,
    pub spawn_number: Signal<In, Bits<32>>,
    pub limit_most: Signal<In, Bits<32>>,
    pub kill: Signal<In, Bits<32>>,
    pub show: Signal<Out, Bits<SB>>,
    pub occupancy: Signal<In, Bits<32>>,
    pub poll: Signal<Out, Bits<16>>,
    pub local_limit: Signal<Out, Bits<32>>,
    pub sm: Signal<In, Bits<SB>>,
    pub setting_at: Signal<In, Bits<2>>,
    pub setting: Signal<Out, Bits<32>>,
    pub ended: Signal<In, Bit>,
    pub error: Signal<In, Bit>,
    pub error_code: Signal<In, Bits<8>>,
    pub error_place: Signal<In, Bits<32>>,
    pub error_task: Signal<In, Bits<32>>,
    pub fault: Signal<In, Bit>,
    pub fault_word: Signal<In, Bits<32>>,
    pub fault_pc: Signal<In, Bits<32>>,
    pub fault_address: Signal<In, Bits<32>>,
    pub fault_cta: Signal<In, Bits<32>>,
    pub fault_task: Signal<In, Bits<32>>,
    pub task_error: Signal<Out, Bit>,
    pub has_fault: Signal<Out, Bit>,
    // Four of each SM, for the host and for task management; which have been written since reset.
    shown: LutRam<Bits<32>, RB>,
    used: LutRam<Bits<32>, RB>,
    written: DFF<Bits<R>>,
    limit: DFF<Bits<32>>,
    measures: DFF<Bit>,
    measured: DFF<Bits<SB>>,
    its_poll: DFF<Bits<16>>,
    answer: DFF<Bits<32>>,
    dones: [DFF<Bits<32>>; S],
    e_valid: DFF<Bit>,
    e_code: DFF<Bits<8>>,
    e_place: DFF<Bits<32>>,
    e_task: DFF<Bits<32>>,
    errors: DFF<Bits<32>>,
    f_valid: DFF<Bit>,
    f_word: DFF<Bits<32>>,
    f_pc: DFF<Bits<32>>,
    f_address: DFF<Bits<32>>,
    f_cta: DFF<Bits<32>>,
    f_task: DFF<Bits<32>>,
    // Combinational.
    of_sm: Signal<Local, Bit>,
    row: Signal<Local, Bits<RB>>,
    row_bit: Signal<Local, Bits<R>>,
    read_row: Signal<Local, Bits<RB>>,
    read_bit: Signal<Local, Bits<R>>,
    read_of_sm: Signal<Local, Bit>,
    setting_row: Signal<Local, Bits<RB>>,
    limit_row: Signal<Local, Bits<RB>>,
    of_limit: Signal<Local, Bits<RB>>,
    used_row: Signal<Local, Bits<RB>>,
    used_bit: Signal<Local, Bits<R>>,
    value: Signal<Local, Bits<32>>,
    its_done: Signal<Local, Bits<32>>,
    reads: Signal<Local, Bits<32>>,
    clears_error: Signal<Local, Bit>,
    clears_fault: Signal<Local, Bit>,
    #[value((S as u64 - 1).into())]
    last: Constant<Bits<SB>>,
    // Wider than the number in an address: of eight SMs each is there.
    #[value((S as u64).into())]
    number: Constant<Bits<4>>,
}

#[part(Registers<S, SB, RB, R>)]
fn update(&mut self) {
    // ---- LOCAL_BASE, LOCAL_LIMIT, TOKEN_BASE, TOKEN_SIZE of each SM: 0x500 + 0x20 s + 4 n,
    // and those of SMs 0 to 3 at 0x300 + 0x20 s + 4 n, too, where bit 7 is 0.
    self.of_sm.next = ((self.address.val().get_bits::<4>(8) == 5)
        | (self.address.val().get_bits::<5>(7) == 6))
        & !self.address.val().get_bit(4)
        & (bit_cast::<4, 3>(self.address.val().get_bits::<3>(5)) < self.number.val());
    self.row.next = (bit_cast::<RB, SB>(self.address.val().get_bits::<SB>(5)) << 2)
        | bit_cast::<RB, 2>(self.address.val().get_bits::<2>(2));
    self.row_bit.next = bits::<R>(1) << self.row.val();
    self.shown.write_enable.next = self.write.val() & self.of_sm.val();
    carry!(self.shown <- self: write_address = row, write_data = data);
    self.used.write_enable.next = self.write.val() & self.of_sm.val();
    carry!(self.used <- self: write_address = row, write_data = data);

    // The smallest limit.
    // One expression: what the memory shows at this row comes into the process below, and must not begin there.
    self.setting_row.next =
        (bit_cast::<RB, SB>(self.sm.val()) << 2) | bit_cast::<RB, 2>(self.setting_at.val());
    self.limit_row.next = (bit_cast::<RB, SB>(self.measured.q.val()) << 2) | 1;
    self.of_limit.next = 0 - bit_cast::<RB, 1>(self.measures.q.val().into());
    self.used_row.next = (self.setting_row.val() & !self.of_limit.val())
        | (self.limit_row.val() & self.of_limit.val());
    self.used_bit.next = bits::<R>(1) << self.used_row.val();
    self.used.read_address.next = self.used_row.val();
    self.value.next = 0.into();
    if (self.written.q.val() & self.used_bit.val()).any() {
        self.value.next = self.used.read_data.val();
    }
    self.setting.next = self.value.val();
    if self.measures.q.val() {
        if (self.value.val() < self.limit.q.val()) | (self.measured.q.val() == 0) {
            self.limit.d.next = self.value.val();
        }
        self.measured.d.next = self.measured.q.val() + 1;
        if self.measured.q.val() == self.last.val() {
            self.measures.d.next = false;
        }
    }
    if self.write.val() & self.of_sm.val() {
        self.written.d.next = self.written.q.val() | self.row_bit.val();
        self.measures.d.next = true;
        self.measured.d.next = 0.into();
    }
    self.local_limit.next = self.limit.q.val();

    if self.write.val() & (self.address.val() == 0x388) {
        self.its_poll.d.next = self.data.val().get_bits::<16>(0);
    }
    self.poll.next = self.its_poll.q.val();

    // ---- CTAs of each SM.
    self.show.next = self.read_address.val().get_bits::<SB>(5);
    self.its_done.next = 0.into();
    for s in 0..S {
        if self.ended.val() & (self.sm.val().index() == s) {
            self.dones[s].d.next = self.dones[s].q.val() + 1;
        }
        if self.show.val().index() == s {
            self.its_done.next = self.dones[s].q.val();
        }
    }

    // ---- The first error, the first fault.
    self.clears_error.next = self.write.val() & (self.address.val() == 0x390);
    self.clears_fault.next = self.write.val() & (self.address.val() == 0x3A0);
    if self.clears_error.val() {
        self.e_valid.d.next = false;
    }
    if self.clears_fault.val() {
        self.f_valid.d.next = false;
    }
    if self.error.val() {
        self.errors.d.next = self.errors.q.val() + 1;
        if !self.e_valid.q.val() | self.clears_error.val() {
            carry!(self.e_*.d <- self.error_*: code, place, task);
        }
        self.e_valid.d.next = true;
    }
    if self.fault.val() {
        if !self.f_valid.q.val() | self.clears_fault.val() {
            carry!(self.f_*.d <- self.fault_*: word, pc, address, cta, task);
        }
        self.f_valid.d.next = true;
    }
    self.task_error.next = self.e_valid.q.val();
    self.has_fault.next = self.f_valid.q.val();

    // ---- Reads.
    self.read_of_sm.next = ((self.read_address.val().get_bits::<4>(8) == 5)
        | (self.read_address.val().get_bits::<5>(7) == 6))
        & (bit_cast::<4, 3>(self.read_address.val().get_bits::<3>(5)) < self.number.val());
    self.read_row.next = (bit_cast::<RB, SB>(self.read_address.val().get_bits::<SB>(5)) << 2)
        | bit_cast::<RB, 2>(self.read_address.val().get_bits::<2>(2));
    self.read_bit.next = bits::<R>(1) << self.read_row.val();
    self.shown.read_address.next = self.read_row.val();
    self.reads.next = 0.into();
    if self.read_of_sm.val() {
        if !self.read_address.val().get_bit(4) & (self.written.q.val() & self.read_bit.val()).any()
        {
            self.reads.next = self.shown.read_data.val();
        }
        if self.read_address.val().get_bits::<5>(0) == 0x10 {
            self.reads.next = self.occupancy.val();
        }
        if self.read_address.val().get_bits::<5>(0) == 0x14 {
            self.reads.next = self.its_done.val();
        }
    }
    if self.read_address.val() == 0x380 {
        self.reads.next = self.spawn_base.val();
    }
    if self.read_address.val() == 0x384 {
        self.reads.next = self.spawn_number.val();
    }
    if self.read_address.val() == 0x388 {
        self.reads.next = bit_cast::<32, 16>(self.its_poll.q.val());
    }
    if self.e_valid.q.val() {
        if self.read_address.val() == 0x390 {
            self.reads.next = bit_cast::<32, 8>(self.e_code.q.val()) | 0x8000_0000_u64;
        }
        if self.read_address.val() == 0x394 {
            self.reads.next = self.e_place.q.val();
        }
        if self.read_address.val() == 0x398 {
            self.reads.next = self.e_task.q.val();
        }
    }
    if self.read_address.val() == 0x39C {
        self.reads.next = self.errors.q.val();
    }
    if self.f_valid.q.val() {
        if self.read_address.val() == 0x3A0 {
            self.reads.next = self.f_word.q.val() | 0x8000_0000_u64;
        }
        if self.read_address.val() == 0x3A4 {
            self.reads.next = self.f_pc.q.val();
        }
        if self.read_address.val() == 0x3A8 {
            self.reads.next = self.f_address.q.val();
        }
        if self.read_address.val() == 0x3AC {
            self.reads.next = self.f_cta.q.val();
        }
        if self.read_address.val() == 0x3B0 {
            self.reads.next = self.f_task.q.val();
        }
    }
    if self.read_address.val() == 0x3C0 {
        self.reads.next = self.limit_most.val();
    }
    if self.read_address.val() == 0x3C4 {
        self.reads.next = self.kill.val();
    }
    self.answer.d.next = self.reads.val();
    self.read_data.next = self.answer.q.val();

    if self.reset.val() {
        self.written.d.next = 0.into();
        self.limit.d.next = 0.into();
        self.measures.d.next = false;
        self.its_poll.d.next = 16.into();
        self.e_valid.d.next = false;
        self.errors.d.next = 0.into();
        self.f_valid.d.next = false;
        for s in 0..S {
            self.dones[s].d.next = 0.into();
        }
    }
}
