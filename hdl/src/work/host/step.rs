//! Steps: an entry, or a command, of one channel after the other is read, checked and executed.
//!
//! Spec: `docs/spec/host.md`, HOST-020 to HOST-035, HOST-060 to HOST-063, HOST-071, HOST-072, HOST-080, HOST-090.
//!
//! # Parameters
//! `CI` bits of the number of a channel.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `any`, `place`, `takes` | in, in, out | 1, CI, 1 | channel `place` can do a step, and does one |
//! | `is_inside`, `is_waiting`, `is_owner` | in | 1 | flags of channel `channel` |
//! | `hold` | in | 1 | the host port has the words: nothing goes on from an `open` cycle |
//! | `open` | out | 1 | the words are not in use, and no step ends in this cycle |
//! | `busy`, `channel`, `on_entry` | out | 1, CI, 1 | a step is under way, of this channel; it is that of an entry |
//! | `read`, `write`, `write_word`, `data`, `word` | | | words of the channel (`channels.rs`) |
//! | `ends`, `end_*` | out | | the step is over, and what the flags become |
//! | `sets_poll` | out | 1 | the channel does not read its semaphore for a time |
//! | `sets_interrupt` | out | 1 | INTERRUPT was executed |
//! | `count_command`, `count_entry`, `count_launch` | out | 1 | pulses |
//! | `memory_*` | | | memory port |
//! | `launch_*`, `forget_*` | | | launch, and lines to forget |
//! | `idle` | in | 1 | TASK-080 |
//! | `memory_end`, `thread_end`, `timeout`, `now`, `now_high` | in | 32 | registers |
//! | `window_base`, `window_end` | in | 32 | the window of the channel's domain |
//! | `trace_*` | out | | HOST-090 |
//!
//! # Cycle behaviour
//! The words of an entry are asked for one after the other, and so are three of a command, or what is left of the block;
//! else one request to memory is under way at a time. A request leaves in the cycle after the one that makes it.
//! An entry takes 10 cycles and the reads; a command 8 to 10, the reads, and what it does; the last one of a block 7
//! more, and in a GPU-owned channel with a shadow a write.
//!
//! # Parts
//! `Ask` here; the states in `read` (`Choose` to `Third`), `execute` (`Execute` to `Released`) and `advance` (`Advance`
//! to `ErrorAddress`).
//!
//! # Errors
//! HOST-080.

mod advance;
mod execute;
mod read;

use super::code;
use super::command::Command;
use super::reach::Reach;
use crate::hdl::*;

/// What the cycle does.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum At {
    /// Waits for a channel that is ready.
    Choose,
    /// Asks for GP_GET; takes it; takes the place; takes what is left of the block, and asks for the first word.
    Start,
    Get,
    Place,
    Left,
    /// Waits for the answer of memory.
    Memory,
    /// The words are there: the first, second, third is checked.
    First,
    Second,
    Third,
    Execute,
    /// Waits for task management; for the SMs.
    Launch,
    Forget,
    /// The semaphore is there; how often it was read in vain comes, and counts.
    Compare,
    Count,
    Failed,
    /// Words of a release: the one before is written.
    Low,
    High,
    Value,
    Released,
    /// The command is executed: the next one, or the entry is over.
    Advance,
    Block,
    Rest,
    /// SHADOW; NUMBER; LIMIT, and the shadow is written; then LIMIT, GP_PUT, which comes first, DONE, GP_GET move on.
    Shadow,
    Number,
    Limit,
    Recycle,
    MoveLimit,
    Put,
    MovePut,
    MoveDone,
    MoveGet,
    /// It has to wait.
    Waits,
    /// An error: ERROR, ERROR_ENTRY, ERROR_ADDRESS.
    Error,
    ErrorEntry,
    ErrorAddress,
}

#[module(kernel(Ask, read::Read, execute::Execute, advance::Advance))]
pub struct Step<const CI: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub any: Signal<In, Bit>,
    pub place: Signal<In, Bits<CI>>,
    pub takes: Signal<Out, Bit>,
    pub is_inside: Signal<In, Bit>,
    pub is_waiting: Signal<In, Bit>,
    pub is_owner: Signal<In, Bit>,
    pub hold: Signal<In, Bit>,
    pub open: Signal<Out, Bit>,
    pub busy: Signal<Out, Bit>,
    pub channel: Signal<Out, Bits<CI>>,
    pub on_entry: Signal<Out, Bit>,
    pub read: Signal<Out, Bits<4>>,
    pub write: Signal<Out, Bit>,
    pub write_word: Signal<Out, Bits<4>>,
    pub data: Signal<Out, Bits<32>>,
    pub word: Signal<In, Bits<32>>,
    pub ends: Signal<Out, Bit>,
    pub end_inside: Signal<Out, Bit>,
    pub end_waits: Signal<Out, Bit>,
    pub end_waits_idle: Signal<Out, Bit>,
    pub end_fails: Signal<Out, Bit>,
    pub end_moves: Signal<Out, Bit>,
    pub end_empty: Signal<Out, Bit>,
    pub sets_poll: Signal<Out, Bit>,
    pub sets_interrupt: Signal<Out, Bit>,
    pub count_command: Signal<Out, Bit>,
    pub count_entry: Signal<Out, Bit>,
    pub count_launch: Signal<Out, Bit>,
    pub memory_request: Signal<Out, Bit>,
    pub memory_write: Signal<Out, Bit>,
    pub memory_address: Signal<Out, Bits<32>>,
    pub memory_data: Signal<Out, Bits<32>>,
    pub memory_more: Signal<Out, Bits<4>>,
    pub memory_ready: Signal<In, Bit>,
    pub memory_done: Signal<In, Bit>,
    pub memory_error: Signal<In, Bit>,
    pub memory_read: Signal<In, Bits<32>>,
    pub launch_request: Signal<Out, Bit>,
    pub launch_descriptor: Signal<Out, Bits<32>>,
    pub launch_private: Signal<Out, Bit>,
    pub launch_done: Signal<In, Bit>,
    pub launch_code: Signal<In, Bits<8>>,
    pub launch_place: Signal<In, Bits<32>>,
    pub forget_request: Signal<Out, Bit>,
    pub forget_instructions: Signal<Out, Bit>,
    pub forget_data: Signal<Out, Bit>,
    pub forget_done: Signal<In, Bit>,
    pub idle: Signal<In, Bit>,
    pub memory_end: Signal<In, Bits<32>>,
    pub thread_end: Signal<In, Bits<32>>,
    pub window_base: Signal<In, Bits<32>>,
    pub window_end: Signal<In, Bits<32>>,
    pub timeout: Signal<In, Bits<32>>,
    pub now: Signal<In, Bits<32>>,
    pub now_high: Signal<In, Bits<32>>,
    pub trace_valid: Signal<Out, Bit>,
    pub trace_channel: Signal<Out, Bits<CI>>,
    pub trace_command: Signal<Out, Bit>,
    pub trace_get: Signal<Out, Bits<32>>,
    pub trace_address: Signal<Out, Bits<32>>,
    pub trace_word: Signal<Out, Bits<32>>,
    pub trace_result: Signal<Out, Bits<2>>,
    pub trace_code: Signal<Out, Bits<8>>,
    command: Command,
    reach: Reach,
    // State: of the step.
    at: DFF<At>,
    current: DFF<Bits<CI>>,
    in_block: DFF<Bit>,
    again: DFF<Bit>,
    get: DFF<Bits<32>>,
    source_at: DFF<Bits<32>>,
    left: DFF<Bits<16>>,
    to: DFF<Bits<32>>,
    word_0: DFF<Bits<32>>,
    word_1: DFF<Bits<32>>,
    word_2: DFF<Bits<32>>,
    // The word that comes next; words that could not be read.
    got: DFF<Bits<2>>,
    error_0: DFF<Bit>,
    error_1: DFF<Bit>,
    error_2: DFF<Bit>,
    for_idle: DFF<Bit>,
    number: DFF<Bits<17>>,
    recycles: DFF<Bit>,
    shadow: DFF<Bits<32>>,
    is_empty: DFF<Bit>,
    // The word of the cycle before; block or semaphore, as they came, are within reach.
    old: DFF<Bits<32>>,
    next_get: DFF<Bits<32>>,
    is_within: DFF<Bit>,
    error: DFF<Bits<8>>,
    error_at: DFF<Bits<32>>,
    stamp_low: DFF<Bits<32>>,
    stamp_high: DFF<Bits<32>>,
    // State: a request to memory, its answer, and where the step goes on then.
    asks: DFF<Bit>,
    // Words behind it that are asked for next; answers that come before the last one.
    more: DFF<Bits<2>>,
    waits: DFF<Bits<2>>,
    m_write: DFF<Bit>,
    m_address: DFF<Bits<32>>,
    m_data: DFF<Bits<32>>,
    answered: DFF<Bit>,
    m_error: DFF<Bit>,
    m_word: DFF<Bits<32>>,
    then: DFF<At>,
    // State: others are asked.
    launches: DFF<Bit>,
    forgets: DFF<Bit>,
    replied: DFF<Bit>,
    reply_code: DFF<Bits<8>>,
    reply_place: DFF<Bits<32>>,
    // Combinational.
    fetches: Signal<Local, Bit>,
    line_left: Signal<Local, Bits<4>>,
    words: Signal<Local, Bits<2>>,
    size: Signal<Local, Bits<16>>,
    second: Signal<Local, Bits<32>>,
    third: Signal<Local, Bits<32>>,
    is_private: Signal<Local, Bit>,
    bytes: Signal<Local, Bits<20>>,
    after: Signal<Local, Bits<32>>,
    wrapped: Signal<Local, Bits<32>>,
    put_next: Signal<Local, Bits<32>>,
    difference: Signal<Local, Bits<32>>,
    passes: Signal<Local, Bit>,
    tried: Signal<Local, Bits<32>>,
    rest: Signal<Local, Bits<16>>,
    span: Signal<Local, Bits<32>>,
    result: Signal<Local, Bits<2>>,
    shown: Signal<Local, Bits<8>>,
    // Constants.
    #[value(0u64.into())]
    no_word: Constant<Bits<32>>,
    #[value(1u64.into())]
    one_word: Constant<Bits<32>>,
    #[value(0u64.into())]
    no_code: Constant<Bits<8>>,
    #[value(0x8000_0000u64.into())]
    valid_error: Constant<Bits<32>>,
    #[value(code::ENTRY_RESERVED.into())]
    k_reserved: Constant<Bits<8>>,
    #[value(code::ENTRY_LENGTH.into())]
    k_length: Constant<Bits<8>>,
    #[value(code::BLOCK_ADDRESS.into())]
    k_block: Constant<Bits<8>>,
    #[value(code::SEM_ADDRESS.into())]
    k_semaphore: Constant<Bits<8>>,
    #[value(code::ACQUIRE_TIMEOUT.into())]
    k_timeout: Constant<Bits<8>>,
    #[value(code::MEMORY.into())]
    k_memory: Constant<Bits<8>>,
}

/// Those who are asked, and what the states compare; the usual values.
pub struct Ask;

#[part(Step<CI>, Ask)]
fn update(&mut self) {
    // ---- Those who are asked.
    self.memory_request.next = self.asks.q.val();
    carry!(self.memory_* <- self.m_*.q: write, address, data);
    // As many of the words that follow as are in its line.
    self.line_left.next = !self.m_address.q.val().get_bits::<4>(2);
    self.memory_more.next = bit_cast::<4, 2>(self.more.q.val());
    if bit_cast::<4, 2>(self.more.q.val()) > self.line_left.val() {
        self.memory_more.next = self.line_left.val();
    }
    if self.asks.q.val() & self.memory_ready.val() {
        self.more.d.next = self.more.q.val() - 1;
        self.m_address.d.next = self.m_address.q.val() + 4;
        if !self.more.q.val().any() {
            self.more.d.next = 0.into();
            self.m_address.d.next = self.m_address.q.val();
            self.asks.d.next = false;
        }
    }
    self.fetches.next = self.then.q.val() == At::First;
    if self.memory_done.val() {
        self.waits.d.next = self.waits.q.val() - 1;
        if !self.waits.q.val().any() {
            self.waits.d.next = 0.into();
            self.answered.d.next = true;
        }
        carry!(self.m_*.d <- self.memory_*: error, word = read);
        self.got.d.next = self.got.q.val() + 1;
        if self.fetches.val() & (self.got.q.val() == 0) {
            self.error_0.d.next = self.memory_error.val();
            self.word_0.d.next = self.memory_read.val();
        }
        if self.fetches.val() & (self.got.q.val() == 1) {
            self.error_1.d.next = self.memory_error.val();
            self.word_1.d.next = self.memory_read.val();
        }
        if self.fetches.val() & (self.got.q.val() == 2) {
            self.error_2.d.next = self.memory_error.val();
            self.word_2.d.next = self.memory_read.val();
        }
    }
    self.second.next = self.source_at.q.val() + 4;
    self.third.next = self.source_at.q.val() + 8;
    self.is_private.next = self.source_at.q.val() >= self.thread_end.val();
    self.launch_request.next = self.launches.q.val();
    self.launch_descriptor.next = self.word_1.q.val();
    self.launch_private.next = self.is_private.val();
    if self.launch_done.val() {
        self.launches.d.next = false;
        self.replied.d.next = true;
        carry!(self.reply_*.d <- self.launch_*: code, place);
    }
    carry!(self.command <- self.*.q: word = word_0, left);
    self.forget_request.next = self.forgets.q.val();
    self.forget_instructions.next = self.command.flag_0.val();
    self.forget_data.next = self.command.flag_1.val();
    if self.forget_done.val() {
        self.forgets.d.next = false;
        self.replied.d.next = true;
    }

    // ---- What is compared: the block of an entry, or a semaphore, is within reach.
    carry!(self.reach <- self: is_private, memory_end, window_base, window_end);
    self.reach.address.next = self.word_0.q.val();
    self.bytes.next = bit_cast::<20, 16>(self.word_1.q.val().get_bits::<16>(0));
    self.reach.bytes.next = self.bytes.val() << 2;
    if self.in_block.q.val() {
        self.reach.address.next = self.word_1.q.val();
        self.reach.bytes.next = 4.into();
        if self.command.releases.val() & self.command.flag_1.val() {
            self.reach.bytes.next = 16.into();
        }
    }
    self.difference.next = self.m_word.q.val() - self.word_2.q.val();
    self.passes.next = !self.difference.val().any();
    if self.command.flag_0.val() {
        self.passes.next = !self.difference.val().get_bit(31);
    }
    self.old.d.next = self.word.val();
    self.is_within.d.next = self.reach.ok.val();
    self.tried.next = self.one_word.val();
    if self.again.q.val() {
        self.tried.next = self.old.q.val() + self.one_word.val();
    }
    self.rest.next = self.left.q.val() - bit_cast::<16, 2>(self.command.size.val());
    self.span.next = bit_cast::<32, 2>(self.command.size.val()) << 2;
    // The entry behind the one that is read, or that is executed (HOST-010).
    self.after.next = self.get.q.val() + self.one_word.val();
    self.wrapped.next = self.after.val();
    if self.after.val() == bit_cast::<32, 17>(self.number.q.val()) {
        self.wrapped.next = self.no_word.val();
    }
    self.next_get.d.next = self.wrapped.val();
    self.put_next.next = self.old.q.val() + self.one_word.val();
    if self.put_next.val() == bit_cast::<32, 17>(self.number.q.val()) {
        self.put_next.next = self.no_word.val();
    }
    if !self.recycles.q.val() {
        self.put_next.next = self.old.q.val();
    }

    // Words behind the first one that are read with it: of an entry one, of a command as many as it may have.
    self.size.next = self.word.val().get_bits::<16>(0);
    self.words.next = 2.into();
    if self.size.val() < 3 {
        self.words.next = self.size.val().get_bits::<2>(0) - 1;
    }
    if !self.in_block.q.val() {
        self.words.next = 1.into();
    }

    // ---- Usual values.
    self.takes.next = false;
    self.open.next = false;
    self.busy.next = true;
    self.channel.next = self.current.q.val();
    self.on_entry.next = !self.in_block.q.val();
    self.read.next = 0.into();
    self.write.next = false;
    self.write_word.next = 0.into();
    self.data.next = self.no_word.val();
    self.ends.next = false;
    self.end_inside.next = true;
    self.end_waits.next = false;
    self.end_waits_idle.next = false;
    self.end_fails.next = false;
    self.end_moves.next = false;
    self.end_empty.next = self.is_empty.q.val();
    self.sets_poll.next = false;
    self.sets_interrupt.next = false;
    self.count_command.next = false;
    self.count_entry.next = false;
    self.count_launch.next = false;
    self.result.next = 0.into();
    self.shown.next = self.no_code.val();
}
