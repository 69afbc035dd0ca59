//! AXI4-Lite subordinate of the host: registers, channels, and the registers of task management behind it.
//!
//! Spec: `docs/spec/host.md`, *Registers*, HOST-013 to HOST-016, HOST-070, HOST-080 to HOST-082.
//!
//! # Parameters
//! `C` channels, 2 to 8; `CI` bits of the number of one.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `host_*` | | | AXI4-Lite, 12 bits of address |
//! | `open` | in | 1 | no step uses the words in this cycle |
//! | `hold` | out | 1 | the port uses them: no step goes on |
//! | `busy`, `step_channel`, `on_entry`, `ends` | in | 1, CI, 1, 1 | a step is under way, of this channel, that of an entry; it ends |
//! | `global_writes`, `global_reads`, `global_address`, `global_data`, `global_answer` | | 1, 1, 8, 32, 32 | registers that belong to no channel |
//! | `reg_write`, `reg_address`, `reg_data`, `reg_read_address`, `reg_read_data` | | 1, 12, 32, 12, 32 | of task management; read data one cycle after its address |
//! | `takes`, `channel`, `read`, `write`, `write_word`, `data`, `word` | | | words of a channel |
//! | `acts`, `act_*` | out | | what a write to a channel does (`channels.rs`) |
//! | `enabled` … `priority_0` | in | C | flags of the channels |
//! | `memory_end`, `thread_end` | in | 32 | registers |
//!
//! # Cycle behaviour
//! A write takes 9 cycles at most, a read 2, from the first open cycle on; between two of them the steps have one.
//! Steps and accesses are so one after the other: the response becomes valid in the cycle after the effect.
//! What is written to a channel in the middle of its step waits for the end of the step, but for a GP_PUT within the
//! ring that does not make the channel empty.
//! *Why:* an effect in the middle is so always that of a write before the step.
//!
//! # Errors
//! HOST-013 to HOST-015. The response is always OKAY.

use super::code;
use crate::hdl::*;

/// What the cycle does.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum Turn {
    Idle,
    /// A register that belongs to no channel, or to task management, is written; read; its data are there.
    Outer,
    Read,
    Answer,
    /// A channel is written: asks for NUMBER; takes it and asks for BASE, and so on.
    Number,
    Base,
    Get,
    Put,
    Shadow,
    Last,
    Act,
    /// An error: ERROR, ERROR_ENTRY, ERROR_ADDRESS.
    Error,
    ErrorEntry,
    ErrorAddress,
}

#[module(kernel(Begin, Turns))]
pub struct Port<const C: usize, const CI: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub host_awvalid: Signal<In, Bit>,
    pub host_awready: Signal<Out, Bit>,
    pub host_awaddr: Signal<In, Bits<12>>,
    pub host_wvalid: Signal<In, Bit>,
    pub host_wready: Signal<Out, Bit>,
    pub host_wdata: Signal<In, Bits<32>>,
    pub host_wstrb: Signal<In, Bits<4>>,
    pub host_bvalid: Signal<Out, Bit>,
    pub host_bready: Signal<In, Bit>,
    pub host_bresp: Signal<Out, Bits<2>>,
    pub host_arvalid: Signal<In, Bit>,
    pub host_arready: Signal<Out, Bit>,
    pub host_araddr: Signal<In, Bits<12>>,
    pub host_rvalid: Signal<Out, Bit>,
    pub host_rready: Signal<In, Bit>,
    pub host_rdata: Signal<Out, Bits<32>>,
    pub host_rresp: Signal<Out, Bits<2>>,
    pub open: Signal<In, Bit>,
    pub hold: Signal<Out, Bit>,
    pub busy: Signal<In, Bit>,
    pub step_channel: Signal<In, Bits<CI>>,
    pub on_entry: Signal<In, Bit>,
    pub ends: Signal<In, Bit>,
    pub global_writes: Signal<Out, Bit>,
    pub global_reads: Signal<Out, Bit>,
    pub global_address: Signal<Out, Bits<8>>,
    pub global_data: Signal<Out, Bits<32>>,
    pub global_answer: Signal<In, Bits<32>>,
    pub reg_write: Signal<Out, Bit>,
    pub reg_address: Signal<Out, Bits<12>>,
    pub reg_data: Signal<Out, Bits<32>>,
    pub reg_read_address: Signal<Out, Bits<12>>,
    pub reg_read_data: Signal<In, Bits<32>>,
    pub takes: Signal<Out, Bit>,
    pub channel: Signal<Out, Bits<CI>>,
    pub read: Signal<Out, Bits<4>>,
    pub write: Signal<Out, Bit>,
    pub write_word: Signal<Out, Bits<4>>,
    pub data: Signal<Out, Bits<32>>,
    pub word: Signal<In, Bits<32>>,
    pub acts: Signal<Out, Bit>,
    pub act_control: Signal<Out, Bit>,
    pub act_enabled: Signal<Out, Bit>,
    pub act_owner: Signal<Out, Bit>,
    pub act_priority: Signal<Out, Bits<4>>,
    pub act_clears: Signal<Out, Bit>,
    pub act_fails: Signal<Out, Bit>,
    pub act_drops: Signal<Out, Bit>,
    pub act_moves: Signal<Out, Bit>,
    pub act_empty: Signal<Out, Bit>,
    pub enabled: Signal<In, Bits<C>>,
    pub owner: Signal<In, Bits<C>>,
    pub begun: Signal<In, Bits<C>>,
    pub waits: Signal<In, Bits<C>>,
    pub waits_idle: Signal<In, Bits<C>>,
    pub failed: Signal<In, Bits<C>>,
    pub empty: Signal<In, Bits<C>>,
    pub priority_3: Signal<In, Bits<C>>,
    pub priority_2: Signal<In, Bits<C>>,
    pub priority_1: Signal<In, Bits<C>>,
    pub priority_0: Signal<In, Bits<C>>,
    pub memory_end: Signal<In, Bits<32>>,
    pub thread_end: Signal<In, Bits<32>>,
    // State: the channels of AXI4-Lite.
    aw: DFF<Bit>,
    aw_address: DFF<Bits<12>>,
    w: DFF<Bit>,
    w_data: DFF<Bits<32>>,
    w_whole: DFF<Bit>,
    b: DFF<Bit>,
    ar: DFF<Bit>,
    ar_address: DFF<Bits<12>>,
    r: DFF<Bit>,
    r_data: DFF<Bits<32>>,
    // State: what the cycle does; an access was in the cycle before; the last one was a write; a write waits for the
    // end of a step.
    turn: DFF<Turn>,
    rests: DFF<Bit>,
    wrote: DFF<Bit>,
    parked: DFF<Bit>,
    // State: of a write to a channel. The first check of an enable that failed.
    number: DFF<Bits<17>>,
    get: DFF<Bits<32>>,
    // Where at most what has been read may begin; bit 32: nowhere.
    room: DFF<Bits<33>>,
    equals: DFF<Bit>,
    beyond: DFF<Bit>,
    wrong: DFF<Bit>,
    found: DFF<Bit>,
    found_error: DFF<Bits<8>>,
    found_at: DFF<Bits<6>>,
    is_wrong: Signal<Local, Bit>,
    error: DFF<Bits<8>>,
    error_at: DFF<Bits<6>>,
    // Combinational.
    address: Signal<Local, Bits<12>>,
    of_channel: Signal<Local, Bit>,
    of_tasks: Signal<Local, Bit>,
    of_globals: Signal<Local, Bit>,
    which: Signal<Local, Bits<4>>,
    target: Signal<Local, Bits<CI>>,
    field: Signal<Local, Bits<4>>,
    is_enabled: Signal<Local, Bit>,
    is_owner: Signal<Local, Bit>,
    is_failed: Signal<Local, Bit>,
    new_owner: Signal<Local, Bit>,
    in_step: Signal<Local, Bit>,
    must_wait: Signal<Local, Bit>,
    can_write: Signal<Local, Bit>,
    can_read: Signal<Local, Bit>,
    starts: Signal<Local, Bit>,
    fails: Signal<Local, Bit>,
    fail_code: Signal<Local, Bits<8>>,
    fail_at: Signal<Local, Bits<6>>,
    over: Signal<Local, Bit>,
    out_of_ring: Signal<Local, Bit>,
    ring_bytes: Signal<Local, Bits<33>>,
    is_high: Signal<Local, Bit>,
    fits: Signal<Local, Bit>,
    wrong_shadow: Signal<Local, Bit>,
    control: Signal<Local, Bits<32>>,
    status: Signal<Local, Bits<32>>,
    // Constants.
    #[value(0u64.into())]
    zero: Constant<Bits<32>>,
    #[value(0u64.into())]
    first: Constant<Bits<CI>>,
    #[value((C as u64).into())]
    channels: Constant<Bits<4>>,
    #[value(2u64.into())]
    least: Constant<Bits<32>>,
    #[value(0x1_0000u64.into())]
    most: Constant<Bits<32>>,
    #[value(0x8000_0000u64.into())]
    valid_error: Constant<Bits<32>>,
    #[value(code::NUMBER.into())]
    k_number: Constant<Bits<8>>,
    #[value(code::RING_ADDRESS.into())]
    k_ring: Constant<Bits<8>>,
    #[value(code::GET_RANGE.into())]
    k_get: Constant<Bits<8>>,
    #[value(code::PUT_RANGE.into())]
    k_put: Constant<Bits<8>>,
    #[value(code::LOCKED.into())]
    k_locked: Constant<Bits<8>>,
    #[value(code::SHADOW_ADDRESS.into())]
    k_shadow: Constant<Bits<8>>,
}

/// The five channels; whose register it is, when its access begins, and what it compares.
pub struct Begin;

#[part(Port<C, CI>, Begin)]
fn update(&mut self) {
    // ---- The five channels: address and word may come in any order.
    self.host_awready.next = !self.aw.q.val();
    if self.host_awvalid.val() & !self.aw.q.val() {
        self.aw.d.next = true;
        self.aw_address.d.next = self.host_awaddr.val();
    }
    self.host_wready.next = !self.w.q.val();
    if self.host_wvalid.val() & !self.w.q.val() {
        self.w.d.next = true;
        self.w_data.d.next = self.host_wdata.val();
        self.w_whole.d.next = self.host_wstrb.val().all();
    }
    self.host_bvalid.next = self.b.q.val();
    self.host_bresp.next = 0.into();
    if self.host_bready.val() {
        self.b.d.next = false;
    }
    self.host_arready.next = !self.ar.q.val();
    if self.host_arvalid.val() & !self.ar.q.val() {
        self.ar.d.next = true;
        self.ar_address.d.next = self.host_araddr.val();
    }
    self.host_rvalid.next = self.r.q.val();
    self.host_rdata.next = self.r_data.q.val();
    self.host_rresp.next = 0.into();
    if self.host_rready.val() {
        self.r.d.next = false;
    }

    // ---- Whose register it is.
    self.address.next = self.aw_address.q.val();
    if (self.turn.q.val() == Turn::Read) | (self.turn.q.val() == Turn::Answer) {
        self.address.next = self.ar_address.q.val();
    }
    self.which.next = self.address.val().get_bits::<4>(6) - 4;
    self.field.next = self.address.val().get_bits::<4>(2);
    self.of_channel.next = !self.address.val().get_bits::<2>(10).any()
        & (self.address.val().get_bits::<4>(6) > 3)
        & (self.which.val() < self.channels.val())
        & !self.address.val().get_bits::<2>(0).any();
    self.target.next = self.first.val();
    if self.of_channel.val() {
        self.target.next = self.which.val().get_bits::<CI>(0);
    }
    self.of_tasks.next = self.address.val() > 0x2FF;
    self.of_globals.next = !self.address.val().get_bits::<4>(8).any();
    self.is_enabled.next = self.enabled.val().get_bit(self.target.val().index());
    self.is_owner.next = self.owner.val().get_bit(self.target.val().index());
    self.is_failed.next = self.failed.val().get_bit(self.target.val().index());
    self.new_owner.next = self.is_owner.val();
    if !self.is_enabled.val() {
        self.new_owner.next = self.w_data.q.val().get_bit(1);
    }

    // ---- An access begins in an open cycle. After one the steps have a cycle; reads and writes take turns.
    self.in_step.next = self.busy.val() & (self.step_channel.val() == self.target.val());
    self.must_wait.next = self.of_channel.val()
        & self.in_step.val()
        & (self.parked.q.val() | (self.field.val() != 3));
    if self.ends.val() {
        self.parked.d.next = false;
    }
    self.can_write.next =
        self.aw.q.val() & self.w.q.val() & !self.b.q.val() & !self.must_wait.val();
    self.can_read.next = self.ar.q.val() & !self.r.q.val();
    self.starts.next = (self.turn.q.val() == Turn::Idle)
        & self.open.val()
        & !self.rests.q.val()
        & (self.can_write.val() | self.can_read.val());
    self.hold.next = self.starts.val() | (self.turn.q.val() != Turn::Idle);
    self.rests.d.next = self.turn.q.val() != Turn::Idle;

    // ---- Registers elsewhere.
    self.global_address.next = self.address.val().get_bits::<8>(0);
    self.global_data.next = self.w_data.q.val();
    self.global_writes.next = false;
    self.global_reads.next = false;
    self.reg_write.next = false;
    carry!(self <- self.*.q:
        reg_address = aw_address, reg_data = w_data, reg_read_address = ar_address,
    );

    // ---- Registers of a channel that are put together from flags.
    self.control.next = bit_cast::<32, 1>(self.is_enabled.val().into())
        | (bit_cast::<32, 1>(self.is_owner.val().into()) << 1)
        | (bit_cast::<32, 1>(
            self.priority_0
                .val()
                .get_bit(self.target.val().index())
                .into(),
        ) << 4)
        | (bit_cast::<32, 1>(
            self.priority_1
                .val()
                .get_bit(self.target.val().index())
                .into(),
        ) << 5)
        | (bit_cast::<32, 1>(
            self.priority_2
                .val()
                .get_bit(self.target.val().index())
                .into(),
        ) << 6)
        | (bit_cast::<32, 1>(
            self.priority_3
                .val()
                .get_bit(self.target.val().index())
                .into(),
        ) << 7);
    self.status.next = bit_cast::<32, 1>(self.is_enabled.val().into())
        | (bit_cast::<32, 1>(self.empty.val().get_bit(self.target.val().index()).into()) << 1)
        | (bit_cast::<32, 1>(self.begun.val().get_bit(self.target.val().index()).into()) << 2)
        | (bit_cast::<32, 1>(self.waits.val().get_bit(self.target.val().index()).into()) << 3)
        | (bit_cast::<32, 1>(
            self.waits_idle
                .val()
                .get_bit(self.target.val().index())
                .into(),
        ) << 4)
        | (bit_cast::<32, 1>(self.is_failed.val().into()) << 5);

    // ---- What is compared with a word that has been read: the ring, or the shadow (HOST-015).
    // The room for it is known one cycle ahead.
    self.ring_bytes.next = bit_cast::<33, 17>(self.word.val().get_bits::<17>(0)) << 3;
    self.room.d.next = bit_cast::<33, 32>(self.memory_end.val()) - self.ring_bytes.val();
    if self.turn.q.val() == Turn::Shadow {
        self.room.d.next = bit_cast::<33, 32>(self.thread_end.val()) - 4;
    }
    self.is_high.next = self.word.val().get_bits::<20>(12).any();
    self.fits.next =
        !self.room.q.val().get_bit(32) & (self.word.val() <= self.room.q.val().get_bits::<32>(0));
    // But 0, which is no shadow.
    self.wrong_shadow.next = self.word.val().get_bits::<10>(2).any();
    if self.is_high.val() {
        self.wrong_shadow.next = !self.fits.val();
    }
    if self.word.val().get_bits::<2>(0).any() {
        self.wrong_shadow.next = true;
    }
    self.out_of_ring.next = self.word.val() >= bit_cast::<32, 17>(self.number.q.val());
}

/// An access: what each of its cycles does.
pub struct Turns;

#[part(Port<C, CI>, Turns)]
fn update(&mut self) {
    // ---- Usual values.
    self.takes.next = self.hold.val();
    self.channel.next = self.target.val();
    self.read.next = self.field.val();
    self.write.next = false;
    self.write_word.next = self.field.val();
    self.data.next = self.w_data.q.val();
    self.acts.next = false;
    self.act_control.next = false;
    self.act_enabled.next = self.is_enabled.val();
    self.act_owner.next = self.new_owner.val();
    self.act_priority.next = self.w_data.q.val().get_bits::<4>(4);
    self.act_clears.next = false;
    self.act_fails.next = false;
    self.act_drops.next = false;
    self.act_moves.next = false;
    self.act_empty.next = self.equals.q.val();
    self.fails.next = false;
    self.fail_code.next = self.error.q.val();
    self.fail_at.next = self.error_at.q.val();
    // What a word is found to be wrong by counts one cycle later, if it is the first.
    self.is_wrong.next = self.wrong.q.val() | self.found.q.val();
    self.found.d.next = false;
    if self.found.q.val() & !self.wrong.q.val() {
        self.wrong.d.next = true;
        carry!(self.*.d <- self.found_*.q: error, error_at = at);
        carry!(self.fail_* <- self.found_*.q: code = error, at);
    }
    self.over.next = false;

    match self.turn.q.val() {
        Turn::Idle => {
            if self.starts.val() {
                self.wrote.d.next = false;
                self.turn.d.next = Turn::Read;
                if self.can_write.val() & (!self.can_read.val() | !self.wrote.q.val()) {
                    self.wrote.d.next = true;
                    self.turn.d.next = Turn::Outer;
                    if self.of_channel.val() & self.w_whole.q.val() {
                        self.turn.d.next = Turn::Number;
                    }
                }
            }
        }
        Turn::Outer => {
            self.reg_write.next = self.w_whole.q.val() & self.of_tasks.val();
            self.global_writes.next = self.w_whole.q.val() & self.of_globals.val();
            self.over.next = true;
        }
        Turn::Read => {
            self.turn.d.next = Turn::Answer;
        }
        Turn::Answer => {
            self.r_data.d.next = self.zero.val();
            if self.of_globals.val() {
                self.global_reads.next = true;
                self.r_data.d.next = self.global_answer.val();
            }
            if self.of_tasks.val() {
                self.r_data.d.next = self.reg_read_data.val();
            }
            if self.of_channel.val() {
                if self.field.val() < 12 {
                    self.r_data.d.next = self.word.val();
                }
                if self.field.val() == 4 {
                    self.r_data.d.next = self.control.val();
                }
                if self.field.val() == 5 {
                    self.r_data.d.next = self.status.val();
                }
            }
            self.ar.d.next = false;
            self.r.d.next = true;
            self.turn.d.next = Turn::Idle;
        }
        Turn::Number => {
            self.read.next = 1.into();
            self.wrong.d.next = false;
            self.turn.d.next = Turn::Base;
        }
        Turn::Base => {
            self.number.d.next = self.word.val().get_bits::<17>(0);
            self.beyond.d.next = self.w_data.q.val() >= self.word.val();
            if (self.word.val() < self.least.val()) | (self.word.val() > self.most.val()) {
                self.found.d.next = true;
                self.found_error.d.next = self.k_number.val();
                self.found_at.d.next = 0x04.into();
            }
            self.read.next = 0.into();
            self.turn.d.next = Turn::Get;
        }
        Turn::Get => {
            if self.word.val().get_bits::<3>(0).any() | !self.is_high.val() | !self.fits.val() {
                self.found.d.next = true;
                self.found_error.d.next = self.k_ring.val();
                self.found_at.d.next = 0x00.into();
            }
            self.read.next = 2.into();
            self.turn.d.next = Turn::Put;
        }
        Turn::Put => {
            self.get.d.next = self.word.val();
            self.equals.d.next = self.w_data.q.val() == self.word.val();
            if self.out_of_ring.val() {
                self.found.d.next = true;
                self.found_error.d.next = self.k_get.val();
                self.found_at.d.next = 0x08.into();
            }
            self.read.next = 3.into();
            self.turn.d.next = Turn::Shadow;
        }
        Turn::Shadow => {
            if self.field.val() == 2 {
                self.equals.d.next = self.w_data.q.val() == self.word.val();
            }
            if self.out_of_ring.val() {
                self.found.d.next = true;
                self.found_error.d.next = self.k_put.val();
                self.found_at.d.next = 0x0C.into();
            }
            self.read.next = 9.into();
            self.turn.d.next = Turn::Last;
        }
        Turn::Last => {
            if self.new_owner.val() & self.wrong_shadow.val() {
                self.found.d.next = true;
                self.found_error.d.next = self.k_shadow.val();
                self.found_at.d.next = 0x24.into();
            }
            self.turn.d.next = Turn::Act;
        }
        Turn::Act => {
            self.acts.next = true;
            self.over.next = true;
            // BASE, NUMBER, GP_GET, SHADOW, LIMIT.
            if (self.field.val() < 3) | (self.field.val() == 9) | (self.field.val() == 10) {
                self.write.next = !self.is_enabled.val();
                self.act_moves.next = !self.is_enabled.val() & (self.field.val() == 2);
                self.act_drops.next = !self.is_enabled.val() & (self.field.val() == 2);
                self.fails.next = self.is_enabled.val();
                self.fail_code.next = self.k_locked.val();
                self.fail_at.next = bit_cast::<6, 4>(self.field.val()) << 2;
            }
            // GP_PUT.
            if self.field.val() == 3 {
                self.write.next = true;
                self.act_moves.next = true;
                if self.is_enabled.val() & self.beyond.q.val() {
                    self.write.next = false;
                    self.act_moves.next = false;
                    self.fails.next = true;
                    self.fail_code.next = self.k_put.val();
                    self.fail_at.next = 0x0C.into();
                }
                if self.in_step.val()
                    & (self.beyond.q.val() | (self.equals.q.val() & self.on_entry.val()))
                {
                    self.write.next = false;
                    self.act_moves.next = false;
                    self.fails.next = false;
                    self.over.next = false;
                    self.parked.d.next = true;
                    self.turn.d.next = Turn::Idle;
                }
            }
            // CONTROL.
            if self.field.val() == 4 {
                self.act_control.next = true;
                if self.w_data.q.val().get_bit(31) {
                    self.act_enabled.next = false;
                    self.act_clears.next = true;
                    self.write.next = true;
                    self.write_word.next = 6.into();
                    self.data.next = self.zero.val();
                } else if !self.w_data.q.val().get_bit(0) {
                    self.act_enabled.next = false;
                } else if !self.is_enabled.val() & !self.is_failed.val() {
                    self.act_enabled.next = !self.is_wrong.val();
                    self.fails.next = self.is_wrong.val();
                }
            }
            if self.fails.val() {
                self.over.next = false;
                self.error.d.next = self.fail_code.val();
                self.error_at.d.next = self.fail_at.val();
                self.turn.d.next = Turn::Error;
            }
        }
        Turn::Error => {
            self.write.next = true;
            self.write_word.next = 6.into();
            self.data.next = self.valid_error.val() | bit_cast::<32, 8>(self.error.q.val());
            self.turn.d.next = Turn::ErrorEntry;
        }
        Turn::ErrorEntry => {
            self.write.next = true;
            self.write_word.next = 7.into();
            self.data.next = self.get.q.val();
            self.turn.d.next = Turn::ErrorAddress;
        }
        Turn::ErrorAddress => {
            self.write.next = true;
            self.write_word.next = 8.into();
            self.data.next = bit_cast::<32, 6>(self.error_at.q.val());
            self.acts.next = true;
            self.act_fails.next = true;
            self.over.next = true;
        }
    }
    if self.over.val() {
        self.aw.d.next = false;
        self.w.d.next = false;
        self.b.d.next = true;
        self.turn.d.next = Turn::Idle;
    }
    if self.reset.val() {
        self.aw.d.next = false;
        self.w.d.next = false;
        self.b.d.next = false;
        self.ar.d.next = false;
        self.r.d.next = false;
        self.turn.d.next = Turn::Idle;
        self.rests.d.next = false;
        self.parked.d.next = false;
    }
}
