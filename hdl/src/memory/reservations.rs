//! Reservations of LR and SC.
//!
//! Spec: `docs/spec/memory.md`, MEM-015.
//!
//! # Parameters
//! `WI`: log2 of the warps; `W` threads of a warp, `WT` = log2 W; `SB` = WI + WT.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `forget`, `forget_warp` | in | 1, WI | the warp's reservations end: it is another one's |
//! | `room` | out | 1 | `reserve` and `ends` may be 1 |
//! | `warp`, `thread`, `line`, `word`, `on_chip` | in | WI, WT, 26, 4, 1 | an access |
//! | `reserve` | in | 1 | it is an LR that takes effect now |
//! | `ends` | in | 1 | it is an SC that takes effect now |
//! | `changes` | in | 1 | it writes now |
//! | `snoop_valid`, `snoop_line` | in | 1, 26 | another manager writes to this line |
//! | `holds` | out | 1 | its thread has a reservation of its word; of an access that has stood for two cycles |
//!
//! # Cycle behaviour
//! A line has a version, which each write to it moves; so does the scratchpad.
//! LR keeps the version, and `holds`, a register, says that it is the same: in the third cycle of an access, with all
//! that others have written until then.
//! What others write moves a part of the version of its own, and the version is the sum: so both may write at a time.
//! Lines share 64 versions by the lowest twelve bits of their number, so that a write to another line may end a
//! reservation.
//!
//! # Errors
//! A reservation that has lasted for exactly 2^32 writes to lines of its version is taken to hold.

use crate::hdl::*;
use crate::prim::{BlockRam, LutRam};

#[module(requires(W == 1 << WT, SB == WI + WT))]
pub struct Reservations<const WI: usize, const W: usize, const WT: usize, const SB: usize> {
    pub clock: Signal<In, Clock>,
    pub forget: Signal<In, Bit>,
    pub forget_warp: Signal<In, Bits<WI>>,
    pub room: Signal<Out, Bit>,
    pub warp: Signal<In, Bits<WI>>,
    pub thread: Signal<In, Bits<WT>>,
    pub line: Signal<In, Bits<26>>,
    pub word: Signal<In, Bits<4>>,
    pub on_chip: Signal<In, Bit>,
    pub reserve: Signal<In, Bit>,
    pub ends: Signal<In, Bit>,
    pub changes: Signal<In, Bit>,
    pub snoop_valid: Signal<In, Bit>,
    pub snoop_line: Signal<In, Bits<26>>,
    pub holds: Signal<Out, Bit>,
    // State per warp: threads that have a reservation. Per thread: version and word. Per version its value.
    held: LutRam<Bits<W>, WI>,
    kept: BlockRam<63, SB>,
    versions: LutRam<Bits<32>, 6>,
    foreign: LutRam<Bits<32>, 6>,
    foreign_again: LutRam<Bits<32>, 6>,
    on_chip_version: DFF<Bits<32>>,
    // State, of the access of the cycle before: its version, whether another manager moves it then; it has its
    // reservation.
    version_before: DFF<Bits<32>>,
    was_moved: DFF<Bit>,
    kept_all: DFF<Bit>,
    // Combinational.
    slot: Signal<Local, Bits<SB>>,
    hash: Signal<Local, Bits<6>>,
    snoop_hash: Signal<Local, Bits<6>>,
    moved: Signal<Local, Bits<32>>,
    key: Signal<Local, Bits<31>>,
    version: Signal<Local, Bits<32>>,
    one_thread: Signal<Local, Bits<W>>,
    next_held: Signal<Local, Bits<W>>,
    is_held: Signal<Local, Bit>,
    same: Signal<Local, Bit>,
    is_moved: Signal<Local, Bit>,
    #[value(1u64.into())]
    first_thread: Constant<Bits<W>>,
    #[value(0u64.into())]
    no_threads: Constant<Bits<W>>,
    #[value((WT as u64).into())]
    thread_bits: Constant<Bits<3>>,
    #[value(1u64.into())]
    one: Constant<Bits<32>>,
}

#[part(Reservations<WI, W, WT, SB>)]
fn update(&mut self) {
    self.slot.next = (bit_cast::<SB, WI>(self.warp.val()) << self.thread_bits.val())
        | bit_cast::<SB, WT>(self.thread.val());
    self.hash.next = self.line.val().get_bits::<6>(0) ^ self.line.val().get_bits::<6>(6);
    self.key.next = (bit_cast::<31, 26>(self.line.val()) << 5)
        | (bit_cast::<31, 4>(self.word.val()) << 1)
        | bit_cast::<31, 1>(self.on_chip.val().into());
    // Versions.
    self.versions.read_address.next = self.hash.val();
    self.versions.write_enable.next = self.changes.val() & !self.on_chip.val();
    self.versions.write_address.next = self.hash.val();
    self.versions.write_data.next = self.versions.read_data.val() + self.one.val();
    self.snoop_hash.next =
        self.snoop_line.val().get_bits::<6>(0) ^ self.snoop_line.val().get_bits::<6>(6);
    self.foreign_again.read_address.next = self.snoop_hash.val();
    self.moved.next = self.foreign_again.read_data.val() + self.one.val();
    carry!(self.foreign_again <- self: write_enable = snoop_valid, write_address = snoop_hash);
    self.foreign_again.write_data.next = self.moved.val();
    carry!(self.foreign <- self: read_address = hash, write_enable = snoop_valid);
    carry!(self.foreign <- self: write_address = snoop_hash, write_data = moved);
    self.version.next = self.versions.read_data.val() + self.foreign.read_data.val();
    if self.on_chip.val() {
        self.version.next = self.on_chip_version.q.val();
        if self.changes.val() {
            self.on_chip_version.d.next = self.on_chip_version.q.val() + self.one.val();
        }
    }
    // What a thread has reserved.
    carry!(self.kept <- self: read_address = slot, write_enable = reserve, write_address = slot);
    self.kept.write_data.next =
        (bit_cast::<63, 31>(self.key.val()) << 32) | bit_cast::<63, 32>(self.version.val());
    self.held.read_address.next = self.warp.val();
    self.one_thread.next = self.first_thread.val() << self.thread.val();
    self.is_held.next = (self.held.read_data.val() & self.one_thread.val()).any();
    self.next_held.next = self.held.read_data.val() & !self.one_thread.val();
    if self.reserve.val() {
        self.next_held.next = self.held.read_data.val() | self.one_thread.val();
    }
    self.held.write_enable.next = self.reserve.val() | self.ends.val() | self.forget.val();
    carry!(self.held <- self: write_address = warp, write_data = next_held);
    if self.forget.val() {
        carry!(self.held <- self: write_address = forget_warp, write_data = no_threads);
    }
    self.room.next = !self.forget.val();
    self.same.next = (self.kept.read_data.val().get_bits::<31>(32) == self.key.val())
        & (self.kept.read_data.val().get_bits::<32>(0) == self.version_before.q.val());
    // What another manager writes now moves the version behind this cycle.
    self.is_moved.next =
        self.snoop_valid.val() & (self.snoop_hash.val() == self.hash.val()) & !self.on_chip.val();
    self.version_before.d.next = self.version.val();
    self.was_moved.d.next = self.is_moved.val();
    self.kept_all.d.next =
        self.is_held.val() & self.same.val() & !self.was_moved.q.val() & !self.is_moved.val();
    self.holds.next = self.kept_all.q.val();
}
