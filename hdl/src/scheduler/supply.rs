//! Instruction supply: two lines per warp, fetched ahead, and two instructions per pass for the decoder.
//!
//! Spec: `docs/spec/supply.md`.
//!
//! # Parameters
//! `NW` warps, a power of two from 4 to 64; `WI` = log2 NW; `A` = WI + 1, row address of the line memory: {warp, slot}.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `start_valid`, `start_warp`, `start_pc` | in | 1, WI, 22 | the warp goes on here; not while it is in the pipeline |
//! | `stop_valid`, `stop_warp` | in | 1, WI | nothing more of this warp is selected |
//! | `flush` | in | 1 | forget all lines; only while no warp runs and no line is awaited |
//! | `runs` | in | NW | the warp runs and is not stopped in this cycle |
//! | `room` | in | NW | the warp's decoded queue takes two more; kept by the scheduler |
//! | `wants` | out | NW | there is more to decode; from a register |
//! | `fetch_valid`, `fetch_warp`, `fetch_line` | out | 1, WI, 18 | request of a line; registers |
//! | `fetch_ready` | in | 1 | it is taken in this cycle; early |
//! | `line_valid`, `line_warp`, `line_slot`, `line_data` | in | 1, WI, 1, 512 | a line that was asked for; taken at once |
//! | `decode_word0`, `decode_word1` | out | 32, 32 | words at the even and the odd address; undefined when no pass is there |
//! | `words`, `words_warp` | out | NW, WI | the warp whose words are there, or for which there are none, and which comes to the push in the next cycle; from registers |
//! | `push_valid`, `push_warp`, `push_pc` | out | 1, WI, 22 | one cycle after the words: next address to decode; registers; also when the warp does not run |
//! | `push_runs`, `push` | out | 1, NW | it runs; the warp then, else 0; registers |
//! | `push_count`, `push_last` | in | 2, 1 | answer in the same cycle: how many are pushed (1 or 2, from an odd address 1; of no meaning if the warp does not run), and one of them is `control`; late |
//!
//! # Cycle behaviour
//! ```text
//! cycle          0       1       2       3       4
//! warp 3         select  look    words   push    select
//! warp 4 (miss)          select  look    -       (stuck until its line comes)
//! fetch_*                                4
//! decode_word*                   3
//! push_*                                 3
//! ```
//! One warp per stage; a warp is in the pipeline at most once, so one warp alone gets a pass every fourth cycle.
//!
//! # Invariants
//! 1. A slot is not both `held` and `awaited`; only an awaited slot gets a response (SUPPLY-020, SUPPLY-021).
//! 2. A warp is in look in no two cycles running, so that what look finds is entered into the sets `held`, `awaited` and `stuck`
//!    one cycle later; `w_busy` stands for it in between (SUPPLY-010).
//! 3. A line that is read for a hit is not written in the same cycle: it is `held`, a written one `awaited` (SUPPLY-022).
//! 4. A `stuck` warp awaits at least one line (SUPPLY-022), starts and stops aside.
//! 5. The tail of a warp is the start address while `fresh`, else the word in `tails` (SUPPLY-040, SUPPLY-060).
//!
//! # Errors
//! None at run time. `Default` panics when the parameters do not fit each other.

use crate::hdl::*;
use crate::prim::{FirstOne, InTurn, LineRam, LutRam};

/// The warps for which something holds.
fn set_of<const NW: usize>(holds: impl Fn(usize) -> bool) -> Constant<Bits<NW>> {
    let warps = (0..NW).filter(|&w| holds(w));
    Constant::new(warps.fold(0.into(), |set: Bits<NW>, w| set.replace_bit(w, true)))
}

#[derive(LogicBlock)]
pub struct Supply<const NW: usize, const WI: usize, const A: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub start_valid: Signal<In, Bit>,
    pub start_warp: Signal<In, Bits<WI>>,
    pub start_pc: Signal<In, Bits<22>>,
    pub stop_valid: Signal<In, Bit>,
    pub stop_warp: Signal<In, Bits<WI>>,
    pub flush: Signal<In, Bit>,
    pub runs: Signal<In, Bits<NW>>,
    pub room: Signal<In, Bits<NW>>,
    pub wants: Signal<Out, Bits<NW>>,
    pub fetch_valid: Signal<Out, Bit>,
    pub fetch_ready: Signal<In, Bit>,
    pub fetch_warp: Signal<Out, Bits<WI>>,
    pub fetch_line: Signal<Out, Bits<18>>,
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
    // State per warp. A tail is in `starts` while `fresh`, else in `tails`.
    more: DFF<Bits<NW>>,
    stuck: DFF<Bits<NW>>,
    fresh: DFF<Bits<NW>>,
    starts: LutRam<Bits<22>, WI>,
    tails: LutRam<Bits<22>, WI>,
    // State per slot, the even lines and the odd ones.
    held0: DFF<Bits<NW>>,
    held1: DFF<Bits<NW>>,
    awaited0: DFF<Bits<NW>>,
    awaited1: DFF<Bits<NW>>,
    tags0: LutRam<Bits<17>, WI>,
    tags1: LutRam<Bits<17>, WI>,
    lines: LineRam<A>,
    // State: the warps behind the one selected last.
    behind: DFF<Bits<NW>>,
    // State: the request.
    fetch_valid_r: DFF<Bit>,
    fetch_warp_r: DFF<Bits<WI>>,
    fetch_line_r: DFF<Bits<18>>,
    // State: warps that want, are not stuck, and are in neither look nor push.
    ready: DFF<Bits<NW>>,
    // Stage look. The sets are empty or hold the warp of the stage.
    l_valid: DFF<Bit>,
    l_warp: DFF<Bits<WI>>,
    l_set: DFF<Bits<NW>>,
    l_fresh: DFF<Bits<4>>,
    // Stage words, and what look has found: `w_set` also after a miss.
    w_valid: DFF<Bit>,
    w_warp: DFF<Bits<WI>>,
    w_set: DFF<Bits<NW>>,
    w_stays: DFF<Bit>,
    w_request0: DFF<Bit>,
    w_request1: DFF<Bit>,
    w_pc: DFF<Bits<22>>,
    // Stage push.
    p_valid: DFF<Bit>,
    p_runs: DFF<Bit>,
    p_warp: DFF<Bits<WI>>,
    p_set: DFF<Bits<NW>>,
    p_pc: DFF<Bits<22>>,
    // Select, combinational.
    able: Signal<Local, Bits<NW>>,
    ahead: Signal<Local, Bits<NW>>,
    turn: InTurn<NW>,
    first_able: FirstOne<NW, WI>,
    first_ahead: FirstOne<NW, WI>,
    selected: Signal<Local, Bits<NW>>,
    selected_warp: Signal<Local, Bits<WI>>,
    selected_fresh: Signal<Local, Bits<NW>>,
    quarters_fresh: Signal<Local, Bits<4>>,
    // Look, combinational.
    tail: Signal<Local, Bits<22>>,
    slot: Signal<Local, Bit>,
    tag: Signal<Local, Bits<17>>,
    next_tag: Signal<Local, Bits<17>>,
    differs: Signal<Local, Bits<17>>,
    carries: Signal<Local, Bits<17>>,
    expected: Signal<Local, Bits<17>>,
    match0: Signal<Local, Bit>,
    match1: Signal<Local, Bit>,
    waiting0: Signal<Local, Bit>,
    waiting1: Signal<Local, Bit>,
    hit: Signal<Local, Bit>,
    own_waiting: Signal<Local, Bit>,
    free: Signal<Local, Bit>,
    second_half: Signal<Local, Bit>,
    open0: Signal<Local, Bit>,
    open1: Signal<Local, Bit>,
    miss0: Signal<Local, Bit>,
    miss1: Signal<Local, Bit>,
    ahead0: Signal<Local, Bit>,
    ahead1: Signal<Local, Bit>,
    request_slot: Signal<Local, Bit>,
    request0: Signal<Local, Bit>,
    request1: Signal<Local, Bit>,
    answered_here: Signal<Local, Bit>,
    row: Signal<Local, Bits<A>>,
    line_row: Signal<Local, Bits<A>>,
    // Words, combinational.
    w_hit: Signal<Local, Bits<NW>>,
    w_runs: Signal<Local, Bits<NW>>,
    w_busy: Signal<Local, Bits<NW>>,
    w_stuck: Signal<Local, Bits<NW>>,
    asked0: Signal<Local, Bits<NW>>,
    asked1: Signal<Local, Bits<NW>>,
    pair: Signal<Local, Bits<64>>,
    // Push, start, stop, response: sets of at most one warp.
    next_pair: Signal<Local, Bits<21>>,
    next_tail: Signal<Local, Bits<22>>,
    ended: Signal<Local, Bits<NW>>,
    still_wants: Signal<Local, Bits<NW>>,
    still_stuck: Signal<Local, Bits<NW>>,
    starting: Signal<Local, Bits<NW>>,
    stopping: Signal<Local, Bits<NW>>,
    answered: Signal<Local, Bits<NW>>,
    answered0: Signal<Local, Bits<NW>>,
    answered1: Signal<Local, Bits<NW>>,
    // Constants.
    none: Constant<Bits<NW>>,
    one: Constant<Bits<NW>>,
    quarter_of: [Constant<Bits<NW>>; 4],
    no_quarter: Constant<Bits<4>>,
    one_pair: Constant<Bits<21>>,
    odd: Constant<Bits<22>>,
}

impl<const NW: usize, const WI: usize, const A: usize> Default for Supply<NW, WI, A> {
    fn default() -> Self {
        assert!(
            NW == 1 << WI && A == WI + 1 && (4..=64).contains(&NW),
            "Supply<{NW}, {WI}, {A}>"
        );
        block!({
            clock, reset, start_valid, start_warp, start_pc, stop_valid, stop_warp, flush, runs, room,
            fetch_valid, fetch_ready, fetch_warp, fetch_line, line_valid, line_warp, line_slot,
            line_data, decode_word0, decode_word1, words, words_warp, push_valid, push_runs, push, push_warp, push_pc, push_count,
            push_last, wants, more, ready, stuck, fresh, starts, tails, held0, held1, awaited0,
            awaited1, tags0, tags1, lines, behind, fetch_valid_r, fetch_warp_r, fetch_line_r,
            l_valid, l_warp, l_set, l_fresh, w_valid, w_warp, w_set, w_stays, w_request0, w_request1, w_pc, p_valid, p_runs, p_warp, p_set, p_pc,
            able, ahead, turn, first_able, first_ahead, selected, selected_warp, selected_fresh, quarters_fresh, tail, slot, tag,
            next_tag, differs, carries, expected, match0, match1, waiting0, waiting1, hit,
            own_waiting, answered_here, w_hit, w_runs, w_busy, w_stuck, asked0, asked1, free, second_half, open0, open1, miss0, miss1, ahead0, ahead1, request_slot, request0, request1,             row, line_row, pair, next_pair, next_tail, ended, still_wants, still_stuck,
            starting, stopping, answered, answered0, answered1,
        } {
            none: Constant::new(0.into()),
            one: Constant::new(1.into()),
            quarter_of: from_fn(|i| set_of(|w| w * 4 / NW == i)),
            no_quarter: Constant::new(0.into()),
            one_pair: Constant::new(1.into()),
            odd: Constant::new(1.into()),
        })
    }
}

impl<const NW: usize, const WI: usize, const A: usize> Logic for Supply<NW, WI, A> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, more, ready, stuck, fresh, held0, held1, awaited0, awaited1);
        dff_setup!(
            self,
            clock,
            behind,
            fetch_valid_r,
            fetch_warp_r,
            fetch_line_r
        );
        dff_setup!(self, clock, l_valid, l_warp, l_set, l_fresh, w_valid, w_warp, w_set, w_pc);
        dff_setup!(self, clock, w_stays, w_request0, w_request1);
        dff_setup!(self, clock, p_valid, p_runs, p_warp, p_set, p_pc);
        clock!(self, clock, starts, tails, tags0, tags1, lines);
        // Starts, stops and responses as sets.
        self.starting.next = self.none.val();
        if self.start_valid.val() {
            self.starting.next = self.one.val() << self.start_warp.val();
        }
        self.stopping.next = self.none.val();
        if self.stop_valid.val() {
            self.stopping.next = self.one.val() << self.stop_warp.val();
        }
        self.answered.next = self.none.val();
        if self.line_valid.val() {
            self.answered.next = self.one.val() << self.line_warp.val();
        }
        self.answered0.next = self.answered.val();
        self.answered1.next = self.none.val();
        if self.line_slot.val() {
            self.answered0.next = self.none.val();
            self.answered1.next = self.answered.val();
        }
        // Select: the first behind the last one, else the first of all.
        self.w_hit.next = self.none.val();
        if self.w_valid.q.val() {
            self.w_hit.next = self.w_set.q.val();
        }
        self.w_busy.next = self.none.val();
        if self.w_stays.q.val() {
            self.w_busy.next = self.w_set.q.val();
        }
        self.able.next = self.ready.q.val() & self.room.val() & !self.w_busy.val();
        self.ahead.next = self.able.val() & self.behind.q.val();
        self.turn.among.next = self.able.val();
        self.turn.after.next = self.behind.q.val();
        self.selected.next = self.turn.first.val();
        // The number along other ways, which are shorter than those through the set.
        self.first_able.bits.next = self.able.val();
        self.first_ahead.bits.next = self.ahead.val();
        self.selected_warp.next = self.first_able.place.val();
        if self.first_ahead.any.val() {
            self.selected_warp.next = self.first_ahead.place.val();
        }
        self.l_valid.d.next = self.able.val().any();
        self.l_warp.d.next = self.selected_warp.val();
        self.l_set.d.next = self.selected.val();
        // A quarter of the warps per bit: the rest of the way is left to look.
        self.selected_fresh.next = self.selected.val() & self.fresh.q.val();
        self.quarters_fresh.next = self.no_quarter.val();
        for i in 0..4 {
            self.quarters_fresh.next = self.quarters_fresh.val().replace_bit(
                i,
                (self.selected_fresh.val() & self.quarter_of[i].val()).any(),
            );
        }
        self.l_fresh.d.next = self.quarters_fresh.val();
        if self.able.val().any() {
            self.behind.d.next = self.turn.behind.val();
        }
        // Look: where the warp is.
        self.starts.read_address.next = self.l_warp.q.val();
        self.tails.read_address.next = self.l_warp.q.val();
        self.tail.next = self.tails.read_data.val();
        if self.l_fresh.q.val().any() {
            self.tail.next = self.starts.read_data.val();
        }
        self.slot.next = self.tail.val().get_bit(4);
        self.tag.next = self.tail.val().get_bits::<17>(5);
        // Look: slot 0 is compared with tag + slot (the line itself or the next one), slot 1 with tag.
        // t + s = k without a carry chain: bit i of t ^ k is the carry into it, and given that the lower bits agree, the carry out of it is t & !k.
        self.tags0.read_address.next = self.l_warp.q.val();
        self.tags1.read_address.next = self.l_warp.q.val();
        self.differs.next = self.tag.val() ^ self.tags0.read_data.val();
        self.carries.next = self.tag.val() & !self.tags0.read_data.val();
        self.expected.next = (self.carries.val() << 1) | bit_cast::<17, 1>(self.slot.val().into());
        self.match0.next = (self.held0.q.val() & self.l_set.q.val()).any()
            & (self.differs.val() == self.expected.val());
        self.match1.next = (self.held1.q.val() & self.l_set.q.val()).any()
            & (self.tag.val() == self.tags1.read_data.val());
        self.waiting0.next = (self.awaited0.q.val() & self.l_set.q.val()).any();
        self.waiting1.next = (self.awaited1.q.val() & self.l_set.q.val()).any();
        self.hit.next = self.match0.val();
        self.own_waiting.next = self.waiting0.val();
        if self.slot.val() {
            self.hit.next = self.match1.val();
            self.own_waiting.next = self.waiting1.val();
        }
        // Look: request for a slot, of the line itself after a miss, of the next one from the second half of a line.
        // The matches come last, so the rest is known before.
        self.second_half.next = self.tail.val().get_bit(3);
        self.free.next = !self.fetch_valid_r.q.val() | self.fetch_ready.val();
        self.open0.next = self.l_valid.q.val() & self.free.val() & !self.waiting0.val();
        self.open1.next = self.l_valid.q.val() & self.free.val() & !self.waiting1.val();
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
        self.request_slot.next = self.slot.val() ^ self.hit.val();
        self.next_tag.next = self.tag.val() + bit_cast::<17, 1>(self.slot.val().into());
        self.tags0.write_enable.next = self.request0.val();
        self.tags0.write_address.next = self.l_warp.q.val();
        self.tags0.write_data.next = self.next_tag.val();
        self.tags1.write_enable.next = self.request1.val();
        self.tags1.write_address.next = self.l_warp.q.val();
        self.tags1.write_data.next = self.tag.val();
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
            self.fetch_line_r.d.next = bit_cast::<18, 17>(self.next_tag.val()) << 1;
            if !(self.slot.val() & self.match1.val()) {
                self.fetch_line_r.d.next = (bit_cast::<18, 17>(self.tag.val()) << 1)
                    | bit_cast::<18, 1>(self.request_slot.val().into());
            }
        }
        self.fetch_valid.next = self.fetch_valid_r.q.val();
        self.fetch_warp.next = self.fetch_warp_r.q.val();
        self.fetch_line.next = self.fetch_line_r.q.val();
        // Lines: a response is written, the line of the tail is read.
        self.row.next = (bit_cast::<A, WI>(self.l_warp.q.val()) << 1)
            | bit_cast::<A, 1>(self.slot.val().into());
        self.line_row.next = (bit_cast::<A, WI>(self.line_warp.val()) << 1)
            | bit_cast::<A, 1>(self.line_slot.val().into());
        self.lines.write_enable.next = self.line_valid.val();
        self.lines.write_line.next = self.line_row.val();
        self.lines.write_data.next = self.line_data.val();
        self.lines.read_line.next = self.row.val();
        self.lines.read_word.next = self.tail.val().get_bits::<3>(1);
        // What look has found is entered into the sets one cycle later: no warp is in look in two cycles running, and no line comes sooner.
        // A warp that sticks counts as `stuck` at once, unless a line of it comes in this very cycle.
        self.answered_here.next =
            self.line_valid.val() & (self.line_warp.val() == self.l_warp.q.val());
        self.w_stays.d.next = self.hit.val()
            | ((self.own_waiting.val() | self.free.val()) & !self.answered_here.val());
        self.w_valid.d.next = self.hit.val();
        self.w_request0.d.next = self.request0.val();
        self.w_request1.d.next = self.request1.val();
        self.w_warp.d.next = self.l_warp.q.val();
        self.w_set.d.next = self.l_set.q.val();
        self.w_pc.d.next = self.tail.val();
        // Words: the sets.
        self.w_stuck.next = self.none.val();
        if self.w_stays.q.val() & !self.w_valid.q.val() {
            self.w_stuck.next = self.w_set.q.val();
        }
        self.asked0.next = self.none.val();
        if self.w_request0.q.val() {
            self.asked0.next = self.w_set.q.val();
        }
        self.asked1.next = self.none.val();
        if self.w_request1.q.val() {
            self.asked1.next = self.w_set.q.val();
        }
        // Words.
        self.pair.next = self.lines.read_data.val();
        self.decode_word0.next = self.pair.val().get_bits::<32>(0);
        self.decode_word1.next = self.pair.val().get_bits::<32>(32);
        self.p_valid.d.next = self.w_valid.q.val();
        self.p_warp.d.next = self.w_warp.q.val();
        self.w_runs.next = self.w_set.q.val() & self.runs.val();
        self.p_runs.d.next = self.w_valid.q.val() & self.w_runs.val().any();
        self.p_set.d.next = self.w_hit.val() & self.runs.val();
        self.p_pc.d.next = self.w_pc.q.val();
        // Push: behind the even word comes the odd one, behind both the next pair.
        self.words.next = self.w_set.q.val();
        self.words_warp.next = self.w_warp.q.val();
        self.push_valid.next = self.p_valid.q.val();
        self.push_runs.next = self.p_runs.q.val();
        self.push.next = self.p_set.q.val();
        self.push_warp.next = self.p_warp.q.val();
        self.push_pc.next = self.p_pc.q.val();
        self.next_pair.next = self.p_pc.q.val().get_bits::<21>(1) + self.one_pair.val();
        self.next_tail.next = bit_cast::<22, 21>(self.next_pair.val()) << 1;
        if !self.push_count.val().get_bit(1) & !self.p_pc.q.val().get_bit(0) {
            self.next_tail.next = self.p_pc.q.val() | self.odd.val();
        }
        self.tails.write_enable.next = self.p_runs.q.val();
        self.tails.write_address.next = self.p_warp.q.val();
        self.tails.write_data.next = self.next_tail.val();
        self.ended.next = self.none.val();
        if self.push_last.val() {
            self.ended.next = self.p_set.q.val();
        }
        self.starts.write_enable.next = self.start_valid.val();
        self.starts.write_address.next = self.start_warp.val();
        self.starts.write_data.next = self.start_pc.val();
        // Remember.
        self.wants.next = self.more.q.val();
        self.still_wants.next =
            (self.more.q.val() & !self.ended.val() & !self.stopping.val()) | self.starting.val();
        self.still_stuck.next =
            (self.stuck.q.val() | self.w_stuck.val()) & !self.answered.val() & !self.starting.val();
        self.more.d.next = self.still_wants.val();
        self.stuck.d.next = self.still_stuck.val();
        self.ready.d.next = self.still_wants.val()
            & !self.still_stuck.val()
            & !self.selected.val()
            & !self.w_hit.val();
        self.fresh.d.next = (self.fresh.q.val() & !self.p_set.q.val()) | self.starting.val();
        self.held0.d.next = (self.held0.q.val() & !self.asked0.val()) | self.answered0.val();
        self.held1.d.next = (self.held1.q.val() & !self.asked1.val()) | self.answered1.val();
        self.awaited0.d.next = (self.awaited0.q.val() | self.asked0.val()) & !self.answered0.val();
        self.awaited1.d.next = (self.awaited1.q.val() | self.asked1.val()) & !self.answered1.val();
        // Flush and reset win.
        if self.flush.val() | self.reset.val() {
            self.held0.d.next = self.none.val();
            self.held1.d.next = self.none.val();
        }
        if self.reset.val() {
            self.more.d.next = self.none.val();
            self.ready.d.next = self.none.val();
            self.stuck.d.next = self.none.val();
            self.fresh.d.next = self.none.val();
            self.awaited0.d.next = self.none.val();
            self.awaited1.d.next = self.none.val();
            self.behind.d.next = self.none.val();
            self.fetch_valid_r.d.next = false;
            self.l_valid.d.next = false;
            self.l_set.d.next = self.none.val();
            self.w_valid.d.next = false;
            self.w_set.d.next = self.none.val();
            self.w_stays.d.next = false;
            self.w_request0.d.next = false;
            self.w_request1.d.next = false;
            self.p_valid.d.next = false;
            self.p_runs.d.next = false;
            self.p_set.d.next = self.none.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;
    use weft_rtl::{Bench, Rng};

    const WARPS: usize = 8;
    type Small = Supply<8, 3, 4>;

    /// Instruction memory; every flush shows another one.
    fn word(address: u32, epoch: u64) -> u32 {
        let mixed =
            (u64::from(address) ^ (epoch << 40)).wrapping_mul(0x9E37_79B9_7F4A_7C15_u64) >> 32;
        (mixed ^ (mixed >> 15)) as u32
    }

    fn is_control(word: u32) -> bool {
        word.is_multiple_of(7)
    }

    /// What goes in during one cycle.
    #[derive(Clone, Debug, Default)]
    struct Inputs {
        reset: bool,
        start: Option<(usize, u32)>,
        stop: Option<usize>,
        flush: bool,
        room: [bool; WARPS],
        ready: bool,
        /// Warp, slot, and the words.
        line: Option<(usize, usize, [u32; 16])>,
        /// The scheduler's answer; anything when nothing is pushed.
        count: u32,
        last: bool,
    }

    /// How often what happened.
    #[derive(Clone, Debug, Default)]
    struct Seen {
        hits: u32,
        misses: u32,
        prefetches: u32,
        prefetches_over_the_end: u32,
        stuck_on_awaited: u32,
        register_busy: u32,
        freed_at_once: u32,
        other_line_came: u32,
        tails_over_the_end: u32,
    }

    /// `docs/spec/supply.md` as it is written.
    #[derive(Clone, Debug)]
    struct Model {
        wants: [bool; WARPS],
        passing: [bool; WARPS],
        stuck: [bool; WARPS],
        tail: [u32; WARPS],
        held: [[bool; 2]; WARPS],
        awaited: [[bool; 2]; WARPS],
        tag: [[u32; 2]; WARPS],
        lines: [[[u32; 16]; 2]; WARPS],
        last: usize,
        fetch: Option<(usize, u32)>,
        look: Option<usize>,
        words: Option<(usize, u32, [u32; 2])>,
        push: Option<(usize, u32, [u32; 2])>,
        seen: Seen,
    }

    impl Model {
        fn new(seen: Seen) -> Self {
            Self {
                wants: Default::default(),
                passing: Default::default(),
                stuck: Default::default(),
                tail: Default::default(),
                held: Default::default(),
                awaited: Default::default(),
                tag: Default::default(),
                lines: Default::default(),
                last: WARPS - 1,
                fetch: None,
                look: None,
                words: None,
                push: None,
                seen,
            }
        }

        /// SUPPLY-021.
        fn request(&mut self, w: usize, line: u32) {
            let slot = (line & 1) as usize;
            self.fetch = Some((w, line));
            self.held[w][slot] = false;
            self.awaited[w][slot] = true;
            self.tag[w][slot] = line >> 1;
        }

        fn cycle(&mut self, i: &Inputs) {
            let now = self.clone();
            let has = |w: usize, line: u32| {
                let slot = (line & 1) as usize;
                now.held[w][slot] && now.tag[w][slot] == line >> 1
            };
            // SUPPLY-010.
            let cyclic = (1..=WARPS).map(|n| (now.last + n) % WARPS);
            self.look = cyclic
                .into_iter()
                .find(|&w| now.wants[w] && i.room[w] && !now.passing[w] && !now.stuck[w]);
            if let Some(w) = self.look {
                self.passing[w] = true;
                self.last = w;
            }
            // SUPPLY-020.
            let free = now.fetch.is_none() || i.ready;
            if i.ready {
                self.fetch = None;
            }
            self.words = None;
            if let Some(w) = now.look {
                let a = now.tail[w];
                let line = a >> 4;
                let slot = (line & 1) as usize;
                if has(w, line) {
                    self.seen.hits += 1;
                    let pair = (a & 14) as usize;
                    let words = now.lines[w][slot];
                    self.words = Some((w, a, [words[pair], words[pair + 1]]));
                    let next = (line + 1) % (1 << 18);
                    if a >> 3 & 1 == 1 && !has(w, next) && !now.awaited[w][1 - slot] && free {
                        self.seen.prefetches += 1;
                        self.seen.prefetches_over_the_end += u32::from(next == 0);
                        self.request(w, next);
                    }
                } else {
                    self.seen.misses += 1;
                    if now.awaited[w][slot] {
                        self.stuck[w] = true;
                        self.seen.stuck_on_awaited += 1;
                        self.seen.freed_at_once += u32::from(i.line.is_some_and(|l| l.0 == w));
                    } else if free {
                        self.request(w, line);
                        self.stuck[w] = true;
                    } else {
                        self.seen.register_busy += 1;
                    }
                    self.passing[w] = false;
                }
            }
            // SUPPLY-022.
            if let Some((w, slot, words)) = i.line {
                assert!(now.awaited[w][slot] && !now.held[w][slot], "protocol");
                self.held[w][slot] = true;
                self.awaited[w][slot] = false;
                self.stuck[w] = false;
                self.lines[w][slot] = words;
                let wanted = now.tail[w] >> 4;
                self.seen.other_line_came += u32::from(
                    now.stuck[w]
                        && now.tag[w][slot] != wanted >> 1
                        && (wanted & 1) as usize == slot,
                );
            }
            // SUPPLY-030.
            self.push = now.words;
            // SUPPLY-040.
            if let Some((w, a, _)) = now.push {
                self.tail[w] = (a + i.count) % (1 << 22);
                self.seen.tails_over_the_end += u32::from(self.tail[w] < a);
                if i.last {
                    self.wants[w] = false;
                }
                self.passing[w] = false;
            }
            // SUPPLY-060.
            if let Some((w, pc)) = i.start {
                assert!(!now.passing[w], "protocol: start of a passing warp");
                self.wants[w] = true;
                self.stuck[w] = false;
                self.tail[w] = pc;
            }
            if let Some(w) = i.stop {
                self.wants[w] = false;
            }
            if i.flush {
                self.held = Default::default();
            }
            if i.reset {
                *self = Model::new(self.seen.clone());
            }
        }
    }

    /// What the scheduler knows of a warp: the queue holds "is `control`".
    #[derive(Clone, Debug, Default)]
    struct Warp {
        running: bool,
        waits: bool,
        queue: VecDeque<bool>,
        may_start: usize,
    }

    /// The model with a scheduler, an instruction memory and somebody who starts and stops.
    struct Traffic {
        model: Model,
        warps: Vec<Warp>,
        /// Lines on the way: warp, line.
        memory: Vec<(usize, u32)>,
        epoch: u64,
        flushes: u32,
        dropped: u32,
        pushed: u32,
        pairs: u32,
    }

    impl Traffic {
        fn new() -> Self {
            Self {
                model: Model::new(Seen::default()),
                warps: vec![Warp::default(); WARPS],
                memory: Vec::new(),
                epoch: 0,
                flushes: 0,
                dropped: 0,
                pushed: 0,
                pairs: 0,
            }
        }

        fn place(rng: &mut Rng) -> u32 {
            let line = match rng.below(8) {
                0 => rng.below(1 << 18),
                1 | 2 => (1 << 18) - 1 - rng.below(2),
                _ => rng.below(4),
            };
            let at = if rng.flip() {
                rng.below(16)
            } else {
                12 + rng.below(4)
            };
            (line * 16 + at) as u32
        }

        /// Drives one cycle and lets the model take it.
        fn drive(&mut self, u: &mut Small, rng: &mut Rng, t: usize) {
            // Moods: how busy memory and the units are; now and then everything is stopped, for a flush.
            let mood = t / 256;
            let draining = t % 1024 >= 960;
            let pace = [1, 4, 16][mood % 3];
            let issue = [2, 6, 16][mood / 3 % 3];
            let mut i = Inputs {
                reset: t < 2,
                ready: rng.chance([16, 8, 2][mood / 9 % 3], 16),
                count: rng.below(4) as u32,
                last: rng.flip(),
                ..Default::default()
            };
            for (w, warp) in self.warps.iter().enumerate() {
                i.room[w] = warp.queue.len() <= 2 && rng.chance(15, 16);
            }
            let any = rng.below(WARPS as u64) as usize;
            let warp = &self.warps[any];
            if t >= 2 && (warp.waits || !warp.running && t >= warp.may_start) && !draining {
                i.start = rng.chance(3, 4).then(|| (any, Self::place(rng)));
            }
            let any = rng.below(WARPS as u64) as usize;
            if self.warps[any].running
                && i.start.is_none_or(|s| s.0 != any)
                && rng.chance(if draining { 16 } else { 1 }, 32)
            {
                i.stop = Some(any);
            }
            i.flush = rng.chance(1, 4)
                && self.warps.iter().all(|w| !w.running)
                && self.model.awaited.iter().flatten().all(|&a| !a);
            if !self.memory.is_empty() && rng.chance(pace, 16) {
                let (w, line) = self
                    .memory
                    .swap_remove(rng.below(self.memory.len() as u64) as usize);
                let words = from_fn(|n| word(line * 16 + n as u32, self.epoch));
                i.line = Some((w, (line & 1) as usize, words));
            }
            if let (Some(request), true) = (self.model.fetch, i.ready) {
                self.memory.push(request);
            }
            // The answer to the push.
            let mut pushed = Vec::new();
            if let Some((w, a, words)) = self.model.push {
                if self.warps[w].running {
                    let first = (a & 1) as usize;
                    assert_eq!(words[first], word(a, self.epoch), "not the word at {a:#x}");
                    pushed.push(is_control(words[first]));
                    if first == 0 && !pushed[0] {
                        assert_eq!(words[1], word(a + 1, self.epoch), "after {a:#x}");
                        pushed.push(is_control(words[1]));
                    }
                    self.pairs += u32::from(pushed.len() == 2);
                    self.pushed += 1;
                } else {
                    self.dropped += 1;
                }
                i.count = pushed.len() as u32;
                i.last = pushed.contains(&true);
            }
            // The scheduler, in the order of its rules.
            for warp in &mut self.warps {
                if warp.running && !warp.queue.is_empty() && rng.chance(issue, 16) {
                    warp.waits |= warp.queue.pop_front().unwrap();
                }
            }
            if let Some((w, ..)) = self.model.push {
                self.warps[w].queue.extend(&pushed);
                assert!(self.warps[w].queue.len() <= 4);
            }
            if let Some((w, _)) = i.start {
                assert!(self.warps[w].queue.is_empty());
                self.warps[w].running = true;
                self.warps[w].waits = false;
            }
            if let Some(w) = i.stop {
                self.warps[w] = Warp {
                    may_start: t + 4,
                    ..Default::default()
                };
            }
            if i.flush {
                self.epoch += 1;
                self.flushes += 1;
            }
            // Before the push, `running` after this cycle's stop.
            u.runs.next = (0..WARPS)
                .fold(0u64, |set, w| set | u64::from(self.warps[w].running) << w)
                .into();
            Self::apply(u, rng, &i);
            self.model.cycle(&i);
        }

        fn apply(u: &mut Small, rng: &mut Rng, i: &Inputs) {
            let (start_warp, start_pc) = i.start.unwrap_or((rng.below(8) as usize, 5));
            u.reset.next = i.reset;
            u.start_valid.next = i.start.is_some();
            u.start_warp.next = (start_warp as u64).into();
            u.start_pc.next = u64::from(start_pc).into();
            u.stop_valid.next = i.stop.is_some();
            u.stop_warp.next = (i.stop.unwrap_or(rng.below(8) as usize) as u64).into();
            u.flush.next = i.flush;
            u.room.next = (0..WARPS)
                .fold(0u64, |set, w| set | u64::from(i.room[w]) << w)
                .into();
            u.fetch_ready.next = i.ready;
            u.line_valid.next = i.line.is_some();
            u.push_count.next = u64::from(i.count).into();
            u.push_last.next = i.last;
            if let Some((w, slot, words)) = i.line {
                u.line_warp.next = (w as u64).into();
                u.line_slot.next = slot == 1;
                let mut data = Bits::<512>::default();
                for (n, word) in words.iter().enumerate() {
                    for b in 0..32 {
                        data = data.replace_bit(32 * n + b, word >> b & 1 == 1);
                    }
                }
                u.line_data.next = data;
            }
        }
    }

    #[test]
    fn verilog_agrees() {
        let mut traffic = Traffic::new();
        crate::stimulus::check_with_memories(
            "weft_supply",
            Small::default,
            3000,
            |u, rng, t| traffic.drive(u, rng, t),
            |u, level| u.clock.next = level.into(),
        );
        assert!(traffic.pushed > 300, "thin run: {}", traffic.pushed);
    }

    /// SUPPLY-010 to SUPPLY-060.
    #[test]
    fn every_cycle_is_as_specified() {
        let mut b = Bench::new(Small::default(), |u, level| u.clock.next = level.into());
        let mut rng = Rng::new(1, "supply");
        let mut traffic = Traffic::new();
        for t in 0..30_000 {
            let Model {
                fetch, words, push, ..
            } = traffic.model.clone();
            traffic.drive(&mut b.uut, &mut rng, t);
            b.settle();
            let u = &b.uut;
            let got = (
                u.fetch_warp.val().index(),
                u.fetch_line.val().index() as u32,
            );
            assert_eq!(u.fetch_valid.val().then_some(got), fetch, "cycle {t}");
            if let Some((_, _, words)) = words {
                assert_eq!(
                    [&u.decode_word0, &u.decode_word1].map(|w| w.val().to_u64() as u32),
                    words,
                    "cycle {t}"
                );
            }
            let got = (u.push_warp.val().index(), u.push_pc.val().index() as u32);
            assert_eq!(
                u.push_valid.val().then_some(got),
                push.map(|(w, a, _)| (w, a)),
                "cycle {t}"
            );
            b.edge();
        }
        let seen = &traffic.model.seen;
        let (flushes, dropped, pairs) = (traffic.flushes, traffic.dropped, traffic.pairs);
        let text = format!("{seen:?}, flushes {flushes}, dropped {dropped}, pairs {pairs}");
        assert!(seen.hits > 3000 && seen.misses > 1000, "{text}");
        assert!(seen.prefetches > 300, "{text}");
        assert!(seen.prefetches_over_the_end > 5, "{text}");
        assert!(seen.stuck_on_awaited > 100, "{text}");
        assert!(seen.register_busy > 100, "{text}");
        assert!(seen.freed_at_once > 5, "{text}");
        assert!(seen.other_line_came > 5, "{text}");
        assert!(seen.tails_over_the_end > 5, "{text}");
        assert!(flushes > 5 && dropped > 20 && pairs > 300, "{text}");
    }
}
