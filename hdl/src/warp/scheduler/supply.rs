//! Instruction supply: two lines per warp, fetched ahead, and two instructions per pass for the decoder.
//!
//! Spec: `docs/spec/supply.md`.
//!
//! # Parameters
//! `NW` warps, 4, 8 or 16; `WI` = log2 NW; `WH` = WI - 1; `A` = WI + 1, row address of the line memory: {warp, slot}.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high, for NW / 2 cycles at least |
//! | `start`, `start_valid`, `start_warp`, `start_pc` | in | NW, 1, WI, 22 | the warp goes on here, one-hot or 0, and as a number; not while it is in the pipeline, unless it was predicted |
//! | `predict`, `predict_warp`, `predict_pc` | in | NW, WI, 22 | a start of this warp is to be expected here; one-hot or 0, and as a number; registers |
//! | `stop`, `stop_valid`, `stop_warp` | in | NW, 1, WI | nothing more of this warp is selected or pushed; one-hot or 0, and as a number |
//! | `flush` | in | 1 | forget all lines; only while no warp runs or is in the pipeline, and no line is awaited. Takes NW / 2 cycles, in which nothing is selected |
//! | `room` | in | NW | the warp's decoded queue takes two more |
//! | `wants` | out | NW | there is more to decode; from a register |
//! | `fetch_valid`, `fetch_warp`, `fetch_line` | out | 1, WI, 18 | request of a line; registers, the line one addition behind them |
//! | `fetch_ready` | in | 1 | it is taken in this cycle; early |
//! | `line_valid`, `line_warp`, `line_slot`, `line_data` | in | 1, WI, 1, 512 | a line that was asked for; taken at once |
//! | `decode_word0`, `decode_word1` | out | 32, 32 | the word that is next, and the one at the odd address of its pair (the same from an odd address); undefined when no pass is there |
//! | `words`, `words_warp` | out | NW, WI | the warp whose words are there, or for which there are none, and which comes to the push in the next cycle; from registers |
//! | `push_valid`, `push_warp`, `push_pc` | out | 1, WI, 22 | one cycle after the words: next address to decode; registers; also when the warp does not run |
//! | `push_runs`, `push` | out | 1, NW | it runs; the warp, one-hot, or 0 if no pass is there or it does not run; registers |
//! | `push_count`, `push_last` | in | 2, 1 | answer in the same cycle: how many are pushed (1 or 2, from an odd address 1; of no meaning if the warp does not run), and one of them is `control`; late |
//! | `push_forgets` | in | 1 | likewise: that one is of class 3; late |
//!
//! # Cycle behaviour
//! ```text
//! cycle          0       1       2       3       4
//! warp 3         select  look    words   push    select
//! warp 4 (miss)          select  look    words   (stuck until its line comes)
//! fetch_*                                4
//! decode_word*                   3
//! push_*                                 3
//!
//! predict        5
//! warp 5                 look    words   push    select
//! start_*                        5
//! ```
//! One warp per stage; a warp is in the pipeline at most once, so one warp alone gets a pass every fourth cycle.
//! A predicted warp takes the place of the selected one if there is none, and leaves in words unless its start comes in
//! that cycle.
//!
//! # Invariants
//! 1. What is `awaited` and `held` of the slots lies in memories, each with one writer.
//!    A slot is awaited if it was asked for and answered unequally often:
//!    a bit each, turned over by every request (`asks`) and every response (`answers_look` and its copy
//!    `answers_line`). It is `held` if it is not awaited and was asked for since the last flush, which `asks` says, too
//!    (SUPPLY-020 to 022). Reset and flush clear them, a row of each half per cycle; a look behind a forgetful push
//!    clears the latter two bits, so a line that is awaited meanwhile is not held when it comes (SUPPLY-061).
//! 2. Only an awaited slot gets a response; while a flush clears nothing is awaited, looked at or requested
//!    (SUPPLY-060).
//! 3. A warp is in look at most every third cycle, so that what look finds is remembered one cycle later: requests in
//!    `asks` and the tags, and
//!    that the warp may pass again in `ready` (SUPPLY-010, 020).
//! 4. A line that is read for a hit is not written in the same cycle: it is held, a written one awaited (SUPPLY-022).
//! 5. A warp is `ready` if it wants, is not stuck, and is not in the pipeline.
//!    `stuck` (SUPPLY-022) is kept nowhere: a warp that wants, is not ready and
//!    not in the pipeline is stuck. So any response makes its warp ready, but for one in look, or with a hit in words.
//! 6. The tail of a warp is the start address while `fresh`, else the word in `tails` (SUPPLY-040, SUPPLY-060).
//! 7. A predicted warp does not want, so what its look finds makes it neither ready nor stuck (SUPPLY-070).
//!
//! # Errors
//! None at run time. `Default` panics when the parameters do not fit each other.

use crate::bundles::FetchPorts;
use crate::hdl::*;
use crate::prim::{ClearedRam, LineRam, LutRam, Rota};

#[module(requires(NW == 1 << WI, WI == WH + 1, A == WI + 1, (4..=16).contains(&NW)))]
pub struct Supply<const NW: usize, const WI: usize, const WH: usize, const A: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub start: Signal<In, Bits<NW>>,
    pub start_valid: Signal<In, Bit>,
    pub start_warp: Signal<In, Bits<WI>>,
    pub start_pc: Signal<In, Bits<22>>,
    pub predict: Signal<In, Bits<NW>>,
    pub predict_warp: Signal<In, Bits<WI>>,
    pub predict_pc: Signal<In, Bits<22>>,
    pub stop: Signal<In, Bits<NW>>,
    pub stop_valid: Signal<In, Bit>,
    pub stop_warp: Signal<In, Bits<WI>>,
    pub flush: Signal<In, Bit>,
    pub room: Signal<In, Bits<NW>>,
    pub wants: Signal<Out, Bits<NW>>,
    pub fetch: FetchPorts<WI>,
    pub line_valid: Signal<In, Bit>,
    pub line_warp: Signal<In, Bits<WI>>,
    pub line_slot: Signal<In, Bit>,
    pub line_data: Signal<In, Bits<512>>,
    pub decode_word0: Signal<Out, Bits<32>>,
    pub decode_word1: Signal<Out, Bits<32>>,
    pub words: Signal<Out, Bits<NW>>,
    pub words_warp: Signal<Out, Bits<WI>>,
    pub push_valid: Signal<Out, Bit>,
    pub push_runs: Signal<Out, Bit>,
    pub push: Signal<Out, Bits<NW>>,
    pub push_warp: Signal<Out, Bits<WI>>,
    pub push_pc: Signal<Out, Bits<22>>,
    pub push_count: Signal<In, Bits<2>>,
    pub push_last: Signal<In, Bit>,
    pub push_forgets: Signal<In, Bit>,
    // State per warp. A tail is in `starts` while `fresh`, else in `tails`.
    more: DFF<Bits<NW>>,
    fresh: DFF<Bits<NW>>,
    // Its lines are forgotten in its next look (SUPPLY-061).
    stale: DFF<Bits<NW>>,
    starts: LutRam<Bits<22>, WI>,
    tails: LutRam<Bits<22>, WI>,
    // State per slot, the even lines and the odd ones.
    // Bits of `asks`: slots 0 and 1 asked for an odd number of times, and since the last flush.
    asks: ClearedRam<4, WI, WH>,
    answers_look: ClearedRam<2, WI, WH>,
    answers_line: ClearedRam<2, WI, WH>,
    tags0: LutRam<Bits<17>, WI>,
    tags1: LutRam<Bits<17>, WI>,
    lines: LineRam<A>,
    // State: a flush clears; the row that it, or reset, clears in this cycle; it is not the last one.
    sweeping: DFF<Bit>,
    row_left: DFF<Bits<WH>>,
    rows_left: DFF<Bit>,
    // State: who was selected last.
    rota: Rota<NW, WI>,
    // State: the request; of the line of the tail, or of the next one.
    fetch_valid_r: DFF<Bit>,
    fetch_warp_r: DFF<Bits<WI>>,
    fetch_here: DFF<Bits<18>>,
    fetch_next: DFF<Bit>,
    // State: invariant 5.
    ready: DFF<Bits<NW>>,
    // Stage look. The sets are empty or hold the warp of the stage.
    l_valid: DFF<Bit>,
    l_warp: DFF<Bits<WI>>,
    l_set: DFF<Bits<NW>>,
    l_fresh: DFF<Bits<4>>,
    l_predicted: DFF<Bit>,
    l_pc: DFF<Bits<22>>,
    // Stage words, also after a miss, and what look has found.
    w_valid: DFF<Bit>,
    w_predicted: DFF<Bit>,
    w_warp: DFF<Bits<WI>>,
    w_set: DFF<Bits<NW>>,
    w_sticks: DFF<Bit>,
    w_request0: DFF<Bit>,
    w_request1: DFF<Bit>,
    w_stale: DFF<Bit>,
    w_asks: DFF<Bits<4>>,
    w_pc: DFF<Bits<22>>,
    // Stage push.
    p_valid: DFF<Bit>,
    p_runs: DFF<Bit>,
    p_warp: DFF<Bits<WI>>,
    p_set: DFF<Bits<NW>>,
    p_pc: DFF<Bits<22>>,
    // Select, combinational.
    among: Signal<Local, Bits<NW>>,
    next_ready: Signal<Local, Bits<NW>>,
    selected: Signal<Local, Bits<NW>>,
    predicts: Signal<Local, Bit>,
    // Look, combinational.
    is_fresh: Signal<Local, Bit>,
    is_stale: Signal<Local, Bit>,
    tail: Signal<Local, Bits<22>>,
    slot: Signal<Local, Bit>,
    tag: Signal<Local, Bits<17>>,
    tag0: Signal<Local, Bits<17>>,
    tag1: Signal<Local, Bits<17>>,
    differs: Signal<Local, Bits<17>>,
    carries: Signal<Local, Bits<17>>,
    expected: Signal<Local, Bits<17>>,
    match0: Signal<Local, Bit>,
    match1: Signal<Local, Bit>,
    waiting0: Signal<Local, Bit>,
    waiting1: Signal<Local, Bit>,
    held0: Signal<Local, Bit>,
    held1: Signal<Local, Bit>,
    asked: Signal<Local, Bits<4>>,
    waiting: Signal<Local, Bits<2>>,
    hit: Signal<Local, Bit>,
    own_waiting: Signal<Local, Bit>,
    free: Signal<Local, Bit>,
    second_half: Signal<Local, Bit>,
    asks_line: Signal<Local, Bit>,
    open0: Signal<Local, Bit>,
    open1: Signal<Local, Bit>,
    miss0: Signal<Local, Bit>,
    miss1: Signal<Local, Bit>,
    ahead0: Signal<Local, Bit>,
    ahead1: Signal<Local, Bit>,
    request0: Signal<Local, Bit>,
    request1: Signal<Local, Bit>,
    answered_here: Signal<Local, Bit>,
    row: Signal<Local, Bits<A>>,
    line_row: Signal<Local, Bits<A>>,
    // Words, combinational.
    line: Signal<Local, Bits<18>>,
    requested_tag: Signal<Local, Bits<18>>,
    w_away: Signal<Local, Bits<NW>>,
    w_answered: Signal<Local, Bit>,
    known: Signal<Local, Bits<4>>,
    turned: Signal<Local, Bits<4>>,
    w_wants: Signal<Local, Bit>,
    w_meets: Signal<Local, Bit>,
    met: Signal<Local, Bits<NW>>,
    w_runs: Signal<Local, Bit>,
    w_stops: Signal<Local, Bit>,
    pair: Signal<Local, Bits<64>>,
    // Push, start, stop, response: sets of at most one warp.
    next_pair: Signal<Local, Bits<21>>,
    next_tail: Signal<Local, Bits<22>>,
    ended: Signal<Local, Bits<NW>>,
    still_wants: Signal<Local, Bits<NW>>,
    back: Signal<Local, Bits<NW>>,
    free_again: Signal<Local, Bits<NW>>,
    // Response, flush.
    turns_over: Signal<Local, Bits<2>>,
    answers: Signal<Local, Bits<2>>,
    answers_warp: Signal<Local, Bits<NW>>,
    clearing: Signal<Local, Bit>,
    sweeps: Signal<Local, Bit>,
    swept: Signal<Local, Bit>,
    // Constants.
    #[value(0.into())]
    none: Constant<Bits<NW>>,
    #[value(1.into())]
    one: Constant<Bits<NW>>,
    #[value((u64::MAX >> (64 - NW)).into())]
    all: Constant<Bits<NW>>,
    #[value(0b0001.into())]
    turns0: Constant<Bits<4>>,
    #[value(0b0010.into())]
    turns1: Constant<Bits<4>>,
    #[value(0b0100.into())]
    since0: Constant<Bits<4>>,
    #[value(0b1000.into())]
    since1: Constant<Bits<4>>,
    #[value(0b01.into())]
    slot0: Constant<Bits<2>>,
    #[value(0b10.into())]
    slot1: Constant<Bits<2>>,
    #[value(1.into())]
    one_row: Constant<Bits<WH>>,
    #[value((NW as u64 / 2 - 1).into())]
    last_row: Constant<Bits<WH>>,
    #[value(1.into())]
    one_pair: Constant<Bits<21>>,
    #[value(1.into())]
    odd: Constant<Bits<22>>,
}

#[part(Supply<NW, WI, WH, A>)]
fn update(&mut self) {
    // Flush: one row after the other.
    self.sweeps.next = self.flush.val() | (self.sweeping.q.val() & self.rows_left.q.val());
    self.swept.next = self.sweeping.q.val() & !self.rows_left.q.val();
    self.rows_left.d.next = self.flush.val() | (self.row_left.q.val() != self.one_row.val());
    self.clearing.next = self.reset.val() | self.sweeping.q.val();
    self.sweeping.d.next = self.sweeps.val();
    self.row_left.d.next = self.row_left.q.val() - self.one_row.val();
    if self.flush.val() {
        self.row_left.d.next = self.last_row.val();
    }
    // Select: the first behind the last one, else the first of all.
    self.rota.reset.next = self.reset.val();
    self.among.next = self.ready.q.val() & self.room.val();
    self.rota.among.next = self.among.val();
    self.rota.marks.next = self.fresh.q.val();
    self.selected.next = self.rota.taken.val();
    self.l_warp.d.next = self.rota.place.val();
    self.l_set.d.next = self.selected.val();
    self.l_fresh.d.next = self.rota.marked.val();
    // Or, if there is none, the one that will be started.
    self.predicts.next = self.predict.val().any();
    self.l_valid.d.next = self.rota.any.val() | self.predicts.val();
    self.l_predicted.d.next = !self.rota.any.val();
    if !self.rota.any.val() {
        self.l_warp.d.next = self.predict_warp.val();
        self.l_set.d.next = self.predict.val();
    }
    self.l_pc.d.next = self.predict_pc.val();
    // Where the warp is, and what was asked for and answered.
    self.is_fresh.next = self.l_fresh.q.val().any();
    spread!(self.*.read_address <- self.l_warp.q: tags0, tags1, asks, starts, tails);
    self.tail.next = self.tails.read_data.val();
    if self.is_fresh.val() {
        self.tail.next = self.starts.read_data.val();
    }
    if self.l_predicted.q.val() {
        self.tail.next = self.l_pc.q.val();
    }
    self.slot.next = self.tail.val().get_bit(4);
    self.tag.next = self.tail.val().get_bits::<17>(5);
    // A response turns its slot's bit over.
    self.turns_over.next = self.slot0.val();
    if self.line_slot.val() {
        self.turns_over.next = self.slot1.val();
    }
    // Look: the slots.
    self.asks.reset.next = self.clearing.val();
    self.asks.clear.next = self.row_left.q.val();
    self.answers_look.reset.next = self.clearing.val();
    carry!(self.answers_look <- self.*.q: clear = row_left, read_address = l_warp);
    self.asked.next = self.asks.read_data.val();
    self.tag0.next = self.tags0.read_data.val();
    self.tag1.next = self.tags1.read_data.val();
    self.waiting.next =
        self.asks.read_data.val().get_bits::<2>(0) ^ self.answers_look.read_data.val();
    self.waiting0.next = self.waiting.val().get_bit(0);
    self.waiting1.next = self.waiting.val().get_bit(1);
    // What is forgotten is not held; what is awaited then will not be when it comes.
    self.is_stale.next = (self.stale.q.val() & self.l_set.q.val()).any();
    self.held0.next = self.asked.val().get_bit(2) & !self.waiting0.val() & !self.is_stale.val();
    self.held1.next = self.asked.val().get_bit(3) & !self.waiting1.val() & !self.is_stale.val();
    // Look: slot 0 is compared with tag + slot (the line itself or the next one), slot 1 with tag.
    // t + s = k without a carry chain: bit i of t ^ k is the carry into it, and given that the lower bits agree,
    // the carry out of it is t & !k.
    self.differs.next = self.tag.val() ^ self.tag0.val();
    self.carries.next = self.tag.val() & !self.tag0.val();
    self.expected.next = (self.carries.val() << 1) | bit_cast::<17, 1>(self.slot.val().into());
    self.match0.next = self.held0.val() & (self.differs.val() == self.expected.val());
    self.match1.next = self.held1.val() & (self.tag.val() == self.tag1.val());
    self.hit.next = self.match0.val();
    self.own_waiting.next = self.waiting0.val();
    if self.slot.val() {
        self.hit.next = self.match1.val();
        self.own_waiting.next = self.waiting1.val();
    }
    // Look: request for a slot, of the line itself after a miss, of the next one from the second half of a line.
    // The matches come last, so the rest is known before.
    self.second_half.next = self.tail.val().get_bit(3);
    self.free.next = !self.fetch_valid_r.q.val() | self.fetch.ready.val();
    self.asks_line.next = self.l_valid.q.val() & !self.l_predicted.q.val() & self.free.val();
    self.open0.next = self.asks_line.val() & !self.waiting0.val();
    self.open1.next = self.asks_line.val() & !self.waiting1.val();
    self.miss0.next = self.open0.val() & !self.slot.val();
    self.miss1.next = self.open1.val() & self.slot.val();
    self.ahead0.next = self.open0.val() & (!self.slot.val() | self.second_half.val());
    self.ahead1.next = self.open1.val() & (self.slot.val() | self.second_half.val());
    self.request0.next = self.miss0.val() & !self.match0.val();
    self.request1.next = self.miss1.val() & !self.match1.val();
    if self.match1.val() {
        self.request0.next = self.ahead0.val() & !self.match0.val();
    }
    if self.match0.val() {
        self.request1.next = self.ahead1.val() & !self.match1.val();
    }
    // A free register takes what may be a request, and `fetch_valid_r` says whether it is.
    // request0 | request1 | (fetch_valid_r & !fetch_ready), by matches.
    self.fetch_valid_r.d.next = self.miss0.val() | self.miss1.val() | !self.free.val();
    if self.match0.val() {
        self.fetch_valid_r.d.next = self.ahead1.val() | !self.free.val();
    }
    if self.match1.val() {
        self.fetch_valid_r.d.next = self.ahead0.val() | !self.free.val();
    }
    if self.match0.val() & self.match1.val() {
        self.fetch_valid_r.d.next = !self.free.val();
    }
    if self.free.val() {
        self.fetch_warp_r.d.next = self.l_warp.q.val();
        self.fetch_here.d.next = bit_cast::<18, 22>(self.tail.val() >> 4);
        self.fetch_next.d.next = self.hit.val();
    }
    self.line.next = self.fetch_here.q.val() + bit_cast::<18, 1>(self.fetch_next.q.val().into());
    carry!(self.fetch <- self.*.q: valid = fetch_valid_r, warp = fetch_warp_r);
    self.fetch.line.next = self.line.val();
    // Lines: a response is written, the line of the tail is read.
    self.row.next =
        (bit_cast::<A, WI>(self.l_warp.q.val()) << 1) | bit_cast::<A, 1>(self.slot.val().into());
    self.line_row.next = (bit_cast::<A, WI>(self.line_warp.val()) << 1)
        | bit_cast::<A, 1>(self.line_slot.val().into());
    carry!(self.lines <- self:
        write_enable = line_valid, write_line = line_row, write_data = line_data, read_line = row,
    );
    self.lines.read_word.next = self.tail.val().get_bits::<3>(1);
    self.answers_line.reset.next = self.clearing.val();
    self.answers_line.clear.next = self.row_left.q.val();
    self.answers_line.read_address.next = self.line_warp.val();
    self.answers.next = self.answers_line.read_data.val() ^ self.turns_over.val();
    carry!(self.answers_look <- self: write_enable = line_valid, write_address = line_warp);
    self.answers_look.write_data.next = self.answers.val();
    carry!(self.answers_line <- self: write_enable = line_valid, write_address = line_warp);
    self.answers_line.write_data.next = self.answers.val();
    // What look has found is remembered one cycle later: no line comes sooner.
    // A warp without a hit sticks, unless a line of it comes in this very cycle.
    self.answered_here.next = self.line_valid.val() & (self.line_warp.val() == self.l_warp.q.val());
    self.w_sticks.d.next = (self.own_waiting.val() | self.free.val()) & !self.answered_here.val();
    self.w_valid.d.next = self.hit.val() & self.l_valid.q.val();
    carry!(self.w_*.d <- self: request0, request1, stale = is_stale);
    carry!(self.w_*.d <- self.l_*.q: predicted, warp, set);
    self.w_pc.d.next = self.tail.val();
    // Words: what was asked for.
    self.w_asks.d.next = self.asked.val();
    // A request turns the lower bit over and sets the upper one.
    self.known.next = self.w_asks.q.val();
    if self.w_stale.q.val() {
        self.known.next = self.w_asks.q.val() & (self.turns0.val() | self.turns1.val());
    }
    self.turned.next = self.known.val();
    if self.w_request0.q.val() {
        self.turned.next = (self.known.val() ^ self.turns0.val()) | self.since0.val();
    }
    if self.w_request1.q.val() {
        self.turned.next = (self.known.val() ^ self.turns1.val()) | self.since1.val();
    }
    self.asks.write_enable.next =
        self.w_request0.q.val() | self.w_request1.q.val() | self.w_stale.q.val();
    self.asks.write_address.next = self.w_warp.q.val();
    self.asks.write_data.next = self.turned.val();
    self.requested_tag.next = self.line.val() >> 1;
    carry!(self.tags0 <- self.*.q: write_enable = w_request0, write_address = w_warp);
    self.tags0.write_data.next = bit_cast::<17, 18>(self.requested_tag.val());
    carry!(self.tags1 <- self.*.q: write_enable = w_request1, write_address = w_warp);
    self.tags1.write_data.next = bit_cast::<17, 18>(self.requested_tag.val());
    // Words.
    self.pair.next = self.lines.read_data.val();
    self.decode_word0.next = self.pair.val().get_bits::<32>(0);
    if self.w_pc.q.val().get_bit(0) {
        self.decode_word0.next = self.pair.val().get_bits::<32>(32);
    }
    self.decode_word1.next = self.pair.val().get_bits::<32>(32);
    carry!(self.p_*.d <- self.w_*.q: warp);
    // A warp that was selected wanted more then. It does in push, unless it has been stopped since.
    // One that was predicted is started there in this very cycle.
    self.w_meets.next = self.start_valid.val()
        & (self.start_warp.val() == self.w_warp.q.val())
        & (self.start_pc.val() == self.w_pc.q.val());
    self.w_wants.next = (self.more.q.val() & self.w_set.q.val()).any();
    if self.w_predicted.q.val() {
        self.w_wants.next = self.w_meets.val();
    }
    self.w_stops.next = self.stop_valid.val() & (self.stop_warp.val() == self.w_warp.q.val());
    self.w_runs.next = self.w_valid.q.val() & self.w_wants.val() & !self.w_stops.val();
    self.p_valid.d.next = self.w_valid.q.val() & (!self.w_predicted.q.val() | self.w_meets.val());
    self.p_runs.d.next = self.w_runs.val();
    self.p_set.d.next = self.none.val();
    if self.w_runs.val() {
        self.p_set.d.next = self.w_set.q.val();
    }
    self.p_pc.d.next = self.w_pc.q.val();
    // Push: behind the even word comes the odd one, behind both the next pair.
    carry!(self <- self.*.q: words = w_set, words_warp = w_warp, push_valid = p_valid);
    carry!(self <- self.*.q: push_runs = p_runs, push = p_set, push_warp = p_warp, push_pc = p_pc);
    self.next_pair.next = self.p_pc.q.val().get_bits::<21>(1) + self.one_pair.val();
    self.next_tail.next = bit_cast::<22, 21>(self.next_pair.val()) << 1;
    if !self.push_count.val().get_bit(1) & !self.p_pc.q.val().get_bit(0) {
        self.next_tail.next = self.p_pc.q.val() | self.odd.val();
    }
    carry!(self.tails <- self.*.q: write_enable = p_runs, write_address = p_warp);
    self.tails.write_data.next = self.next_tail.val();
    self.ended.next = self.none.val();
    if self.push_last.val() {
        self.ended.next = self.p_set.q.val();
    }
    // A look forgets; a push is of no warp in look.
    self.stale.d.next = self.stale.q.val() & !self.l_set.q.val();
    if self.push_forgets.val() {
        self.stale.d.next = (self.stale.q.val() & !self.l_set.q.val()) | self.p_set.q.val();
    }
    carry!(self.starts <- self: write_enable = start_valid, write_address = start_warp);
    self.starts.write_data.next = self.start_pc.val();
    // Remember.
    self.wants.next = self.more.q.val();
    self.still_wants.next = self.more.q.val() & !self.ended.val() & !self.stop.val();
    self.more.d.next = self.still_wants.val() | self.start.val();
    // Ready again: after words, unless there is a hit or the warp sticks; after push; when a line has come;
    // after a flush.
    self.answers_warp.next = self.none.val();
    if self.line_valid.val() {
        self.answers_warp.next = self.one.val() << self.line_warp.val();
    }
    if self.swept.val() {
        self.answers_warp.next = self.all.val();
    }
    self.w_answered.next = self.line_valid.val() & (self.line_warp.val() == self.w_warp.q.val());
    self.w_away.next = self.none.val();
    if self.w_valid.q.val() | (self.w_sticks.q.val() & !self.w_answered.val()) {
        self.w_away.next = self.w_set.q.val();
    }
    self.back.next =
        self.ready.q.val() | self.w_set.q.val() | self.p_set.q.val() | self.answers_warp.val();
    self.free_again.next =
        self.back.val() & self.still_wants.val() & !self.l_set.q.val() & !self.w_away.val();
    // Started in words, it goes on to the push.
    self.met.next = self.none.val();
    if self.w_predicted.q.val() & self.w_valid.q.val() & self.w_meets.val() {
        self.met.next = self.w_set.q.val();
    }
    self.next_ready.next =
        (self.free_again.val() & !self.selected.val()) | (self.start.val() & !self.met.val());
    self.fresh.d.next = (self.fresh.q.val() & !self.p_set.q.val()) | self.start.val();
    if self.sweeps.val() {
        self.next_ready.next = self.none.val();
    }
    self.ready.d.next = self.next_ready.val();
    // Reset wins.
    if self.reset.val() {
        self.sweeping.d.next = false;
        self.row_left.d.next = self.row_left.q.val() - self.one_row.val();
        carry!(self.*.d <- self: more = none, ready = none, fresh = none, stale = none);
        self.fetch_valid_r.d.next = false;
        self.l_valid.d.next = false;
        self.l_set.d.next = self.none.val();
        self.w_valid.d.next = false;
        self.w_set.d.next = self.none.val();
        self.w_sticks.d.next = false;
        self.w_request0.d.next = false;
        self.w_request1.d.next = false;
        self.w_stale.d.next = false;
        self.p_valid.d.next = false;
        self.p_runs.d.next = false;
        self.p_set.d.next = self.none.val();
    }
}

#[cfg(test)]
mod tests;
