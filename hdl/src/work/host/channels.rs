//! State of the channels: words in a memory, flags in registers; which channel has the next step.
//!
//! Spec: `docs/spec/host.md`, *Registers*, HOST-032, HOST-073.
//!
//! # Parameters
//! `C` channels, 2 to 8; `CI` bits of the number of one; `CA` = CI + 4.
//!
//! # Words of a channel
//! | Number | Word |
//! |---|---|
//! | 0 … 3, 6 … 11 | registers of the host port, at four times the number: BASE, NUMBER, GP_GET, GP_PUT; ERROR, ERROR_ENTRY, ERROR_ADDRESS, SHADOW, LIMIT, DONE |
//! | 4, 5 | of the block that the channel is inside of: address of the next command, words from there |
//! | 12 | reads in vain of the acquire at which it waits |
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `step_*` | in | | of the steps: channel; number of the word that is read, and written with `step_write` |
//! | `port_*` | in | | of the host port in the same way, while `port_takes` |
//! | `word` | out | 32 | what stood at the former cycle's address before that cycle |
//! | `ends`, `end_*` | in | | the step is over: the channel is inside a block, waits, waits for idle, has an error; with `end_moves` its ring is empty or not |
//! | `acts`, `act_*` | in | | the host has written to channel `port_channel`: `act_control` CONTROL, with what it becomes; `act_fails` it has an error; `act_drops` GP_GET; `act_empty` the ring is empty or not, with `act_moves` |
//! | `polls_pending`, `idle` | in | C, 1 | who does not read a semaphore yet; TASK-080 |
//! | `takes` | in | 1 | channel `place` has a step |
//! | `any`, `place` | out | 1, CI | a channel is ready, and which one is next |
//! | `enabled`, `owner`, `begun`, `waits`, `waits_idle`, `failed`, `empty`, `priority_3` … `priority_0` | out | C | flags, from registers |
//! | `clears` | out | 1 | after reset, while the words become 0: no other access |
//!
//! # Cycle behaviour
//! Word and address: latency 1. After a reset the words are 0 within 2^CA cycles.
//!
//! # Errors
//! None at run time. `Default` panics when the parameters do not fit.

use super::choice::Choice;
use crate::hdl::*;
use crate::prim::SyncRam;

#[module(requires(CA == CI + 4))]
pub struct Channels<const C: usize, const CI: usize, const CA: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub step_channel: Signal<In, Bits<CI>>,
    pub step_read: Signal<In, Bits<4>>,
    pub step_write: Signal<In, Bit>,
    pub step_write_word: Signal<In, Bits<4>>,
    pub step_data: Signal<In, Bits<32>>,
    pub port_takes: Signal<In, Bit>,
    pub port_channel: Signal<In, Bits<CI>>,
    pub port_read: Signal<In, Bits<4>>,
    pub port_write: Signal<In, Bit>,
    pub port_write_word: Signal<In, Bits<4>>,
    pub port_data: Signal<In, Bits<32>>,
    pub word: Signal<Out, Bits<32>>,
    pub ends: Signal<In, Bit>,
    pub end_inside: Signal<In, Bit>,
    pub end_waits: Signal<In, Bit>,
    pub end_waits_idle: Signal<In, Bit>,
    pub end_fails: Signal<In, Bit>,
    pub end_moves: Signal<In, Bit>,
    pub end_empty: Signal<In, Bit>,
    pub acts: Signal<In, Bit>,
    pub act_control: Signal<In, Bit>,
    pub act_enabled: Signal<In, Bit>,
    pub act_owner: Signal<In, Bit>,
    pub act_priority: Signal<In, Bits<4>>,
    pub act_clears: Signal<In, Bit>,
    pub act_fails: Signal<In, Bit>,
    pub act_drops: Signal<In, Bit>,
    pub act_moves: Signal<In, Bit>,
    pub act_empty: Signal<In, Bit>,
    pub polls_pending: Signal<In, Bits<C>>,
    pub idle: Signal<In, Bit>,
    pub takes: Signal<In, Bit>,
    pub any: Signal<Out, Bit>,
    pub place: Signal<Out, Bits<CI>>,
    pub enabled: Signal<Out, Bits<C>>,
    pub owner: Signal<Out, Bits<C>>,
    pub begun: Signal<Out, Bits<C>>,
    pub waits: Signal<Out, Bits<C>>,
    pub waits_idle: Signal<Out, Bits<C>>,
    pub failed: Signal<Out, Bits<C>>,
    pub empty: Signal<Out, Bits<C>>,
    pub priority_3: Signal<Out, Bits<C>>,
    pub priority_2: Signal<Out, Bits<C>>,
    pub priority_1: Signal<Out, Bits<C>>,
    pub priority_0: Signal<Out, Bits<C>>,
    pub clears: Signal<Out, Bit>,
    words: SyncRam<Bits<32>, CA>,
    choice: Choice<C, CI>,
    // State.
    clearing: DFF<Bit>,
    clear_at: DFF<Bits<CA>>,
    is_enabled: DFF<Bits<C>>,
    is_owner: DFF<Bits<C>>,
    is_inside: DFF<Bits<C>>,
    is_waiting: DFF<Bits<C>>,
    is_waiting_idle: DFF<Bits<C>>,
    is_failed: DFF<Bits<C>>,
    is_filled: DFF<Bits<C>>,
    // The last step has left its channel waiting at an acquire.
    after_wait: DFF<Bit>,
    // Priorities have changed in the cycle before.
    settles: DFF<Bit>,
    bit_3: DFF<Bits<C>>,
    bit_2: DFF<Bits<C>>,
    bit_1: DFF<Bits<C>>,
    bit_0: DFF<Bits<C>>,
    // Combinational.
    channel: Signal<Local, Bits<CI>>,
    who: Signal<Local, Bits<C>>,
    others: Signal<Local, Bits<C>>,
    // Constants.
    #[value(0u64.into())]
    none: Constant<Bits<C>>,
    #[value(1u64.into())]
    one: Constant<Bits<C>>,
    #[value(0u64.into())]
    first: Constant<Bits<CA>>,
    #[value(0u64.into())]
    zero: Constant<Bits<32>>,
}

#[part(Channels<C, CI, CA>)]
fn update(&mut self) {
    // ---- Words.
    self.words.read_address.next = (bit_cast::<CA, CI>(self.step_channel.val()) << 4)
        | bit_cast::<CA, 4>(self.step_read.val());
    self.words.write_address.next = (bit_cast::<CA, CI>(self.step_channel.val()) << 4)
        | bit_cast::<CA, 4>(self.step_write_word.val());
    carry!(self.words <- self: write_enable = step_write, write_data = step_data);
    self.channel.next = self.step_channel.val();
    if self.port_takes.val() {
        self.words.read_address.next = (bit_cast::<CA, CI>(self.port_channel.val()) << 4)
            | bit_cast::<CA, 4>(self.port_read.val());
        self.words.write_address.next = (bit_cast::<CA, CI>(self.port_channel.val()) << 4)
            | bit_cast::<CA, 4>(self.port_write_word.val());
        carry!(self.words <- self: write_enable = port_write, write_data = port_data);
        self.channel.next = self.port_channel.val();
    }
    if self.clearing.q.val() {
        self.words.write_address.next = self.clear_at.q.val();
        self.words.write_enable.next = true;
        self.words.write_data.next = self.zero.val();
        self.clear_at.d.next = self.clear_at.q.val() + 1;
        if self.clear_at.q.val().all() {
            self.clearing.d.next = false;
        }
    }
    self.word.next = self.words.read_data.val();
    self.clears.next = self.clearing.q.val();

    // ---- Flags. Steps and the host port do not end in the same cycle.
    self.who.next = self.one.val() << self.channel.val();
    self.others.next = !self.who.val();
    if self.ends.val() {
        self.is_inside.d.next = self.is_inside.q.val() & self.others.val();
        if self.end_inside.val() {
            self.is_inside.d.next = self.is_inside.q.val() | self.who.val();
        }
        self.is_waiting.d.next = self.is_waiting.q.val() & self.others.val();
        if self.end_waits.val() {
            self.is_waiting.d.next = self.is_waiting.q.val() | self.who.val();
        }
        self.is_waiting_idle.d.next = self.is_waiting_idle.q.val() & self.others.val();
        self.after_wait.d.next = self.end_waits.val() & !self.end_fails.val();
        if self.end_waits_idle.val() {
            self.is_waiting_idle.d.next = self.is_waiting_idle.q.val() | self.who.val();
        }
        if self.end_moves.val() {
            self.is_filled.d.next = self.is_filled.q.val() | self.who.val();
            if self.end_empty.val() {
                self.is_filled.d.next = self.is_filled.q.val() & self.others.val();
            }
        }
    }
    if self.acts.val() {
        if self.act_moves.val() {
            self.is_filled.d.next = self.is_filled.q.val() | self.who.val();
            if self.act_empty.val() {
                self.is_filled.d.next = self.is_filled.q.val() & self.others.val();
            }
        }
        if self.act_control.val() {
            self.is_enabled.d.next = self.is_enabled.q.val() & self.others.val();
            if self.act_enabled.val() {
                self.is_enabled.d.next = self.is_enabled.q.val() | self.who.val();
                // The count begins anew (HOST-034); nothing changes for one that was enabled already.
                self.is_waiting.d.next =
                    self.is_waiting.q.val() & (self.others.val() | self.is_enabled.q.val());
            }
            self.is_owner.d.next = self.is_owner.q.val() & self.others.val();
            if self.act_owner.val() {
                self.is_owner.d.next = self.is_owner.q.val() | self.who.val();
            }
            self.bit_3.d.next = self.bit_3.q.val() & self.others.val();
            if self.act_priority.val().get_bit(3) {
                self.bit_3.d.next = self.bit_3.q.val() | self.who.val();
            }
            self.bit_2.d.next = self.bit_2.q.val() & self.others.val();
            if self.act_priority.val().get_bit(2) {
                self.bit_2.d.next = self.bit_2.q.val() | self.who.val();
            }
            self.bit_1.d.next = self.bit_1.q.val() & self.others.val();
            if self.act_priority.val().get_bit(1) {
                self.bit_1.d.next = self.bit_1.q.val() | self.who.val();
            }
            self.bit_0.d.next = self.bit_0.q.val() & self.others.val();
            if self.act_priority.val().get_bit(0) {
                self.bit_0.d.next = self.bit_0.q.val() | self.who.val();
            }
            if self.act_clears.val() {
                self.is_failed.d.next = self.is_failed.q.val() & self.others.val();
            }
        }
        if self.act_drops.val() {
            self.is_inside.d.next = self.is_inside.q.val() & self.others.val();
            self.is_waiting.d.next = self.is_waiting.q.val() & self.others.val();
            self.is_waiting_idle.d.next = self.is_waiting_idle.q.val() & self.others.val();
        }
    }
    // An error stops the channel (HOST-080).
    if (self.ends.val() & self.end_fails.val()) | (self.acts.val() & self.act_fails.val()) {
        self.is_failed.d.next = self.is_failed.q.val() | self.who.val();
        self.is_enabled.d.next = self.is_enabled.q.val() & self.others.val();
        self.is_inside.d.next = self.is_inside.q.val() & self.others.val();
        self.is_waiting.d.next = self.is_waiting.q.val() & self.others.val();
        self.is_waiting_idle.d.next = self.is_waiting_idle.q.val() & self.others.val();
    }
    if self.reset.val() {
        self.clearing.d.next = true;
        carry!(self.*.d <- self:
            clear_at = first, is_enabled = none, is_owner = none, is_inside = none,
            is_waiting = none, is_waiting_idle = none,
        );
        self.after_wait.d.next = false;
        carry!(self.*.d <- self: is_failed = none, is_filled = none, bit_3 = none, bit_2 = none);
        spread!(self.*.d <- self.none: bit_1, bit_0);
    }
    carry!(self <- self.is_*.q: enabled, owner, begun = inside);
    carry!(self <- self.*.q: waits = is_waiting, waits_idle = is_waiting_idle, failed = is_failed);
    self.empty.next = !self.is_filled.q.val();
    self.priority_3.next = self.bit_3.q.val();
    self.priority_2.next = self.bit_2.q.val();
    self.priority_1.next = self.bit_1.q.val();
    self.priority_0.next = self.bit_0.q.val();

    // ---- Who is ready (HOST-032).
    self.choice.reset.next = self.reset.val();
    self.choice.ready.next = self.is_enabled.q.val()
        & (self.is_inside.q.val() | self.is_filled.q.val())
        & !(self.is_waiting.q.val() & self.polls_pending.val());
    if !self.idle.val() {
        self.choice.ready.next = self.is_enabled.q.val()
            & (self.is_inside.q.val() | self.is_filled.q.val())
            & !((self.is_waiting.q.val() & self.polls_pending.val())
                | self.is_waiting_idle.q.val());
    }
    carry!(self.choice <- self.*.q: waits = is_waiting, after_wait);
    self.choice.priority_3.next = self.bit_3.q.val();
    self.choice.priority_2.next = self.bit_2.q.val();
    self.choice.priority_1.next = self.bit_1.q.val();
    self.choice.priority_0.next = self.bit_0.q.val();
    self.choice.takes.next = self.takes.val();
    // What a write of CONTROL has changed counts for the choice one cycle later.
    self.settles.d.next = self.acts.val() & self.act_control.val();
    self.any.next = self.choice.any.val() & !self.settles.q.val();
    self.place.next = self.choice.place.val();
}
