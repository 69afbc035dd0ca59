//! Line cache: instruction lines between the core and the memory port.
//!
//! Spec: `docs/spec/memory.md`, *Line cache*, MEM-050 to MEM-052.
//!
//! # Parameters
//! By name, `hdl/src/sizes.rs`: LINES 16 at least.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset`, `flush` | in | 1 | `flush`: forgets all lines, those under way too |
//! | `cfg_memory_base`, `cfg_memory_size` | in | 32 | lines below the one, and from the other on, are outside (MEM-053) |
//! | `fetch_*`, `line_*` | | | of the core |
//! | `ahead_valid`, `ahead_line` | in | 1, 18 | pulse: a line that a warp will ask for (MEM-054) |
//! | `line_fault` | out | 2 | with `line_valid`: 1 the line is outside, 2 it came with an error |
//! | `memory_valid` / `memory_ready`, `memory_address` | out / in | 1, 32 | a line to read, in bytes |
//! | `beat_valid` / `beat_ready`, `beat_data`, `beat_error`, `beat_last` | in / out | 1, D, 1, 1 | its beats, lines in order |
//! | `idle` | out | 1 | nothing is under way |
//! | `count_access`, `count_miss` | out | 1 | pulses |
//!
//! # Cycle behaviour
//! ```text
//! cycle     t      t + 1      t + 2, t + 3    t + 4
//! hit       comes  looked up  its halves      line
//! ```
//! A bank of the memory has every HALF_BEATS'th beat, so half a line is read in a cycle at each width.
//! A line that is not there is written as it comes, and then read like the others. Directly mapped.
//! A request is looked up in the cycle after it came, and waits there when it cannot go, the next one at the port.
//! A request whose place is awaited waits. In the cycle of `ahead_valid` none is looked up.
//!
//! # Invariants
//! 1. One answer per request.
//!
//! # Errors
//! A line of which a beat came with an error is given as zeros (illegal instructions), and not kept; so is a line that
//! is outside, of which memory hears nothing. `line_fault` says which.
//! `Default` panics when the parameters do not fit.

use super::buffers::FetchBuffer;
use super::Join;
use crate::hdl::*;
use crate::prim::{BlockRam, LutRam};

#[module(requires(
    LINES == 1 << LINE_BITS, LINE_BITS >= 4, LINE_TAG_BITS + LINE_BITS == 18, BEATS * DATA == 512,
    LINE_HALF_BITS == LINE_BITS + 1, BEATS == 2 * HALF_BEATS, BEATS == 1 << BEAT_COUNT_BITS,
    FETCH_COUNT_BITS == FETCH_BITS + 1
))]
pub struct LineCache {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub flush: Signal<In, Bit>,
    pub cfg_memory_base: Signal<In, Bits<32>>,
    pub cfg_memory_size: Signal<In, Bits<32>>,
    pub fetch_valid: Signal<In, Bit>,
    pub fetch_ready: Signal<Out, Bit>,
    pub fetch_warp: Signal<In, Bits<WARP_BITS>>,
    pub fetch_line: Signal<In, Bits<18>>,
    pub ahead_valid: Signal<In, Bit>,
    pub ahead_line: Signal<In, Bits<18>>,
    pub line_valid: Signal<Out, Bit>,
    pub line_warp: Signal<Out, Bits<WARP_BITS>>,
    pub line_slot: Signal<Out, Bit>,
    pub line_data: Signal<Out, Bits<512>>,
    pub line_fault: Signal<Out, Bits<2>>,
    pub memory_valid: Signal<Out, Bit>,
    pub memory_ready: Signal<In, Bit>,
    pub memory_address: Signal<Out, Bits<32>>,
    pub beat_valid: Signal<In, Bit>,
    pub beat_ready: Signal<Out, Bit>,
    pub beat_data: Signal<In, Bits<DATA>>,
    pub beat_error: Signal<In, Bit>,
    pub beat_last: Signal<In, Bit>,
    pub idle: Signal<Out, Bit>,
    pub count_access: Signal<Out, Bit>,
    pub count_miss: Signal<Out, Bit>,
    // State per place: it has a line, one is awaited, which is to be kept; its tag.
    held: DFF<Bits<LINES>>,
    awaited: DFF<Bits<LINES>>,
    keeps: DFF<Bits<LINES>>,
    tags: LutRam<Bits<LINE_TAG_BITS>, LINE_BITS>,
    #[many(HALF_BEATS)]
    data: Vec<BlockRam<DATA, LINE_HALF_BITS>>,
    // State: a request that came, until it goes.
    fetches: FetchBuffer<WARP_BITS>,
    // State: lines under way, in order; the one for the memory port.
    miss_warps: LutRam<Bits<WARP_BITS>, FETCH_BITS>,
    miss_lines: LutRam<Bits<18>, FETCH_BITS>,
    first: DFF<Bits<FETCH_COUNT_BITS>>,
    last: DFF<Bits<FETCH_COUNT_BITS>>,
    // The first one of them is for nobody.
    for_nobody: DFF<Bit>,
    asks: DFF<Bit>,
    ask_line: DFF<Bits<18>>,
    // State: beats of the line that comes; one of them had an error; a line that has come and is to be read.
    come: DFF<Bits<BEAT_COUNT_BITS>>,
    spoilt: DFF<Bit>,
    arrived: DFF<Bit>,
    arrived_warp: DFF<Bits<WARP_BITS>>,
    arrived_line: DFF<Bits<18>>,
    arrived_bad: DFF<Bit>,
    // State: a line that is read, or given as zeros because of `read_fault`; its second half is next; a half is at the memory; it is the second one; the first one.
    reads: DFF<Bit>,
    read_warp: DFF<Bits<WARP_BITS>>,
    read_line: DFF<Bits<18>>,
    read_fault: DFF<Bits<2>>,
    second: DFF<Bit>,
    at_memory: DFF<Bit>,
    ends: DFF<Bit>,
    end_warp: DFF<Bits<WARP_BITS>>,
    end_slot: DFF<Bit>,
    end_fault: DFF<Bits<2>>,
    bad: DFF<Bit>,
    #[many(HALF_BEATS)]
    beats: Vec<DFF<Bits<DATA>>>,
    // Combinational.
    index: Signal<Local, Bits<LINE_BITS>>,
    tag: Signal<Local, Bits<LINE_TAG_BITS>>,
    fill_tag: Signal<Local, Bits<LINE_TAG_BITS>>,
    wide_line: Signal<Local, Bits<26>>,
    base_line: Signal<Local, Bits<26>>,
    end_line: Signal<Local, Bits<26>>,
    outside: Signal<Local, Bit>,
    waits: Signal<Local, Bit>,
    hits: Signal<Local, Bit>,
    left: Signal<Local, Bits<FETCH_COUNT_BITS>>,
    read_ends: Signal<Local, Bit>,
    read_free: Signal<Local, Bit>,
    takes_hit: Signal<Local, Bit>,
    takes_miss: Signal<Local, Bit>,
    takes_ahead: Signal<Local, Bit>,
    asks_now: Signal<Local, Bit>,
    ask_line_now: Signal<Local, Bits<18>>,
    ask_index: Signal<Local, Bits<LINE_BITS>>,
    wide_ahead: Signal<Local, Bits<26>>,
    ahead_index: Signal<Local, Bits<LINE_BITS>>,
    takes_beat: Signal<Local, Bit>,
    fills: Signal<Local, Bit>,
    replays: Signal<Local, Bit>,
    fill_line: Signal<Local, Bits<18>>,
    fill_index: Signal<Local, Bits<LINE_BITS>>,
    read_index: Signal<Local, Bits<LINE_BITS>>,
    come_bank: Signal<Local, Bits<BEAT_COUNT_BITS>>,
    fill_row: Signal<Local, Bits<LINE_HALF_BITS>>,
    read_row: Signal<Local, Bits<LINE_HALF_BITS>>,
    fill_good: Signal<Local, Bit>,
    next_held: Signal<Local, Bits<LINES>>,
    next_awaited: Signal<Local, Bits<LINES>>,
    next_keeps: Signal<Local, Bits<LINES>>,
    #[many(LINES)]
    kept: Vec<Signal<Local, Bit>>,
    #[many(HALF_BEATS)]
    half: Vec<Signal<Local, Bits<DATA>>>,
    joined: Join<BEATS, DATA, 512>,
    #[init((0..LINES).map(|n| Constant::new((n as u64).into())).collect())]
    number: Vec<Constant<Bits<LINE_BITS>>>,
    #[value(Bits::default())]
    none: Constant<Bits<LINES>>,
    #[value((1u64 << FETCH_BITS).into())]
    full: Constant<Bits<FETCH_COUNT_BITS>>,
    #[value(1u64.into())]
    one: Constant<Bits<FETCH_COUNT_BITS>>,
    #[value(0u64.into())]
    no_lines: Constant<Bits<FETCH_COUNT_BITS>>,
    #[value(1u64.into())]
    one_beat: Constant<Bits<BEAT_COUNT_BITS>>,
    #[value((HALF_BEATS as u64 - 1).into())]
    bank_mask: Constant<Bits<BEAT_COUNT_BITS>>,
    #[init((0..HALF_BEATS).map(|b| Constant::new((b as u64).into())).collect())]
    bank_number: Vec<Constant<Bits<BEAT_COUNT_BITS>>>,
    #[value(0u64.into())]
    no_beats: Constant<Bits<BEAT_COUNT_BITS>>,
    #[value((BEAT_COUNT_BITS as u64 - 1).into())]
    bank_bits: Constant<Bits<3>>,
    #[value(1u64.into())]
    second_half: Constant<Bits<LINE_HALF_BITS>>,
    #[value(Bits::default())]
    no_data: Constant<Bits<DATA>>,
    #[value(0u64.into())]
    good: Constant<Bits<2>>,
    #[value(1u64.into())]
    is_outside: Constant<Bits<2>>,
    #[value(2u64.into())]
    is_broken: Constant<Bits<2>>,
}

#[part(LineCache)]
fn update(&mut self) {
    // ---- A request: its line is there, or awaited, or asked for.
    // The line is a sum in the supply, and whether the request goes hangs on all the tags: a register is between them.
    carry!(self.fetches <- self: reset, in_valid = fetch_valid, in_warp = fetch_warp, in_line = fetch_line);
    carry!(self <- self.fetches: fetch_ready = in_ready, ask_line_now = out_line);
    self.index.next = self.fetches.out_line.val().get_bits::<LINE_BITS>(0);
    // `n` brings a generic into an offset.
    for n in LINE_BITS..(LINE_BITS + 1) {
        self.tag.next = self.fetches.out_line.val().get_bits::<LINE_TAG_BITS>(n);
        self.fill_tag.next = self.miss_lines.read_data.val().get_bits::<LINE_TAG_BITS>(n);
    }
    self.tags.read_address.next = self.index.val();
    // A line outside needs no memory: zeros are read, as a hit is.
    self.wide_line.next = bit_cast::<26, 18>(self.fetches.out_line.val());
    self.end_line.next = self.cfg_memory_size.val().get_bits::<26>(6);
    self.base_line.next = self.cfg_memory_base.val().get_bits::<26>(6);
    self.outside.next = (self.wide_line.val() < self.base_line.val())
        | (self.wide_line.val() >= self.end_line.val());
    self.hits.next = self.outside.val()
        | (self.held.q.val().get_bit(self.index.val().index())
            & (self.tags.read_data.val() == self.tag.val()));
    self.waits.next = self.awaited.q.val().get_bit(self.index.val().index());
    self.left.next = self.last.q.val() - self.first.q.val();
    self.read_ends.next = self.reads.q.val() & self.second.q.val();
    self.read_free.next = !self.reads.q.val() | self.read_ends.val();
    self.replays.next = self.arrived.q.val() & self.read_free.val();
    // A beat goes first: hits that follow each other would keep it, and data behind it, from coming for ever.
    self.takes_hit.next = self.fetches.out_valid.val()
        & !self.ahead_valid.val()
        & self.hits.val()
        & self.read_free.val()
        & !self.arrived.q.val()
        & !self.beat_valid.val()
        & !self.flush.val();
    self.takes_miss.next = self.fetches.out_valid.val()
        & !self.ahead_valid.val()
        & !self.hits.val()
        & !self.waits.val()
        & (self.left.val() != self.full.val())
        & (!self.asks.q.val() | self.memory_ready.val())
        & !self.flush.val();
    self.fetches.out_ready.next = self.takes_hit.val() | self.takes_miss.val();
    // ---- A line ahead, for nobody: the only one under way, in a place that is free.
    self.wide_ahead.next = bit_cast::<26, 18>(self.ahead_line.val());
    self.ahead_index.next = self.ahead_line.val().get_bits::<LINE_BITS>(0);
    self.takes_ahead.next = self.ahead_valid.val()
        & (self.wide_ahead.val() >= self.base_line.val())
        & (self.wide_ahead.val() < self.end_line.val())
        & !self.held.q.val().get_bit(self.ahead_index.val().index())
        & !self.left.val().any()
        & !self.flush.val();
    carry!(self <- self: ask_index = index);
    if self.ahead_valid.val() {
        carry!(self <- self: ask_line_now = ahead_line, ask_index = ahead_index);
    }
    self.asks_now.next = self.takes_miss.val() | self.takes_ahead.val();
    self.count_access.next = self.takes_hit.val() | self.takes_miss.val();
    self.count_miss.next = self.takes_miss.val();
    // ---- To memory.
    self.memory_valid.next = self.asks.q.val();
    self.memory_address.next = bit_cast::<32, 18>(self.ask_line.q.val()) << 6;
    if self.memory_ready.val() {
        self.asks.d.next = false;
    }
    spread!(self.*.write_enable <- self.asks_now: miss_warps, miss_lines);
    self.miss_warps.write_address.next = self.last.q.val().get_bits::<FETCH_BITS>(0);
    self.miss_lines.write_address.next = self.last.q.val().get_bits::<FETCH_BITS>(0);
    self.miss_warps.write_data.next = self.fetches.out_warp.val();
    self.miss_lines.write_data.next = self.ask_line_now.val();
    if self.asks_now.val() {
        self.asks.d.next = true;
        self.ask_line.d.next = self.ask_line_now.val();
        self.last.d.next = self.last.q.val() + self.one.val();
    }
    // ---- From memory: beats are written.
    self.miss_warps.read_address.next = self.first.q.val().get_bits::<FETCH_BITS>(0);
    self.miss_lines.read_address.next = self.first.q.val().get_bits::<FETCH_BITS>(0);
    self.fill_line.next = self.miss_lines.read_data.val();
    self.fill_index.next = self.fill_line.val().get_bits::<LINE_BITS>(0);
    // The one before is read first: it may have the same place.
    self.beat_ready.next = !self.arrived.q.val() & !self.reads.q.val();
    self.takes_beat.next = self.beat_valid.val() & self.beat_ready.val();
    self.fills.next = self.takes_beat.val() & self.beat_last.val();
    self.come_bank.next = self.come.q.val() & self.bank_mask.val();
    self.fill_row.next = (bit_cast::<LINE_HALF_BITS, LINE_BITS>(self.fill_index.val()) << 1)
        | bit_cast::<LINE_HALF_BITS, BEAT_COUNT_BITS>(self.come.q.val() >> self.bank_bits.val());
    for b in 0..HALF_BEATS {
        self.data[b].write_enable.next =
            self.takes_beat.val() & (self.come_bank.val() == self.bank_number[b].val());
        carry!(self.data[b] <- self: write_address = fill_row, write_data = beat_data);
    }
    carry!(self.tags <- self: write_enable = fills, write_address = fill_index);
    self.tags.write_data.next = self.fill_tag.val();
    if self.takes_beat.val() {
        self.come.d.next = self.come.q.val() + self.one_beat.val();
        self.spoilt.d.next = self.spoilt.q.val() | self.beat_error.val();
    }
    self.fill_good.next = !self.spoilt.q.val() & !self.beat_error.val();
    if self.replays.val() {
        self.arrived.d.next = false;
    }
    if self.fills.val() {
        self.come.d.next = self.no_beats.val();
        self.spoilt.d.next = false;
        self.first.d.next = self.first.q.val() + self.one.val();
        self.arrived.d.next = !self.for_nobody.q.val();
        self.for_nobody.d.next = false;
        self.arrived_warp.d.next = self.miss_warps.read_data.val();
        self.arrived_line.d.next = self.fill_line.val();
        self.arrived_bad.d.next = !self.fill_good.val();
    }
    if self.takes_ahead.val() {
        self.for_nobody.d.next = true;
    }
    // ---- A line is read.
    if self.read_free.val() {
        self.reads.d.next = self.replays.val() | self.takes_hit.val();
        self.second.d.next = false;
        carry!(self.read_*.d <- self.fetches.out_*: warp, line);
        self.read_fault.d.next = self.good.val();
        if self.outside.val() {
            self.read_fault.d.next = self.is_outside.val();
        }
        if self.arrived.q.val() {
            carry!(self.read_*.d <- self.arrived_*.q: warp, line);
            self.read_fault.d.next = self.good.val();
            if self.arrived_bad.q.val() {
                self.read_fault.d.next = self.is_broken.val();
            }
        }
    } else {
        self.second.d.next = true;
    }
    self.read_index.next = self.read_line.q.val().get_bits::<LINE_BITS>(0);
    self.read_row.next = bit_cast::<LINE_HALF_BITS, LINE_BITS>(self.read_index.val()) << 1;
    if self.second.q.val() {
        self.read_row.next = self.read_row.val() | self.second_half.val();
    }
    self.at_memory.d.next = self.reads.q.val();
    self.ends.d.next = self.read_ends.val();
    self.end_warp.d.next = self.read_warp.q.val();
    self.end_slot.d.next = self.read_line.q.val().get_bit(0);
    self.end_fault.d.next = self.read_fault.q.val();
    self.bad.d.next = self.read_fault.q.val().any();
    // The half that was read first waits for the second one.
    for n in HALF_BEATS..(HALF_BEATS + 1) {
        for b in 0..HALF_BEATS {
            carry!(self.data[b] <- self: read_address = read_row);
            self.half[b].next = self.data[b].read_data.val();
            if self.bad.q.val() {
                self.half[b].next = self.no_data.val();
            }
            self.beats[b].d.next = self.half[b].val();
            self.joined.each[b].next = self.beats[b].q.val();
            self.joined.each[b + n].next = self.half[b].val();
        }
    }
    carry!(self <- self.*.q:
        line_valid = ends, line_warp = end_warp, line_slot = end_slot, line_fault = end_fault,
    );
    self.line_data.next = self.joined.whole.val();
    self.idle.next = !self.left.val().any()
        & !self.fetches.out_valid.val()
        & !self.arrived.q.val()
        & !self.reads.q.val()
        & !self.at_memory.q.val();
    // ---- Places.
    carry!(self.next_* <- self.*.q: held, awaited, keeps);
    for n in 0..LINES {
        self.kept[n].next = self.fill_good.val() & self.keeps.q.val().get_bit(n);
        if self.asks_now.val() & (self.ask_index.val() == self.number[n].val()) {
            self.next_held.next = self.next_held.val().replace_bit(n, false);
            self.next_awaited.next = self.next_awaited.val().replace_bit(n, true);
            self.next_keeps.next = self.next_keeps.val().replace_bit(n, true);
        }
        if self.fills.val() & (self.fill_index.val() == self.number[n].val()) {
            self.next_held.next = self.next_held.val().replace_bit(n, self.kept[n].val());
            self.next_awaited.next = self.next_awaited.val().replace_bit(n, false);
        }
    }
    if self.flush.val() {
        self.next_held.next = self.none.val();
        self.next_keeps.next = self.none.val();
    }
    if self.reset.val() {
        self.next_held.next = self.none.val();
        self.next_awaited.next = self.none.val();
        spread!(self.*.d <- self.no_lines: first, last);
        self.asks.d.next = false;
        self.for_nobody.d.next = false;
        self.come.d.next = self.no_beats.val();
        self.spoilt.d.next = false;
        self.arrived.d.next = false;
        self.reads.d.next = false;
        self.at_memory.d.next = false;
        self.ends.d.next = false;
    }
    carry!(self.*.d <- self.next_*: held, awaited, keeps);
}
#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, VecDeque};
    use weft_rtl::{Bench, Rng};

    /// Memory behind the port: lines in order, gaps between beats. Line `BROKEN` is answered with errors.
    #[derive(Default)]
    struct Memory {
        asked: VecDeque<u64>,
        beat: u64,
        version: u64,
    }
    const BROKEN: u64 = FIRST + 0x23;
    /// The lowest line, and the end of memory: lines from 37 of them on are outside.
    const FIRST: u64 = 0x46;
    const BASE: u64 = 64 * FIRST;
    const END: u64 = 64 * (FIRST + 37);

    /// Lines that are asked for: the lowest ones, and up to some behind the end; now and then a place far away.
    fn line(rng: &mut Rng, most: u64) -> u64 {
        match rng.chance(1, 8) {
            true => [0, 1, FIRST - 1, FIRST + 37, 0x2_0040, 0x3_ffff][rng.below(6) as usize],
            false => FIRST + rng.below(most),
        }
    }

    fn word(line: u64, i: u64, version: u64) -> u64 {
        (line * 16 + i).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32 ^ version
    }

    fn drive<const D: usize, const BC: usize, const NB: usize, const HB: usize>(
        u: &mut LineCache<2, D, 4, 16, 14, BC, NB, HB, 5, 2, 3>,
        rng: &mut Rng,
        memory: &Memory,
        fetch: Option<(u64, u64)>,
    ) {
        u.fetch_valid.next = fetch.is_some();
        let (warp, line) = fetch.unwrap_or((0, 0));
        u.fetch_warp.next = warp.into();
        u.fetch_line.next = line.into();
        // Mostly what may be asked for next.
        u.ahead_valid.next = rng.chance(1, 12);
        let ahead = if rng.flip() {
            line
        } else {
            FIRST + rng.below(40)
        };
        u.ahead_line.next = ahead.into();
        u.cfg_memory_base.next = BASE.into();
        u.cfg_memory_size.next = END.into();
        u.memory_ready.next = rng.flip();
        u.beat_valid.next = false;
        if let Some(&line) = memory.asked.front().filter(|_| rng.chance(2, 3)) {
            let per = D as u64 / 32;
            let mut data = Bits::<D>::default();
            for i in 0..per {
                let word = word(line, memory.beat * per + i, memory.version);
                for bit in (0..32).filter(|bit| word >> bit & 1 == 1) {
                    data = data.replace_bit(32 * i as usize + bit, true);
                }
            }
            u.beat_valid.next = true;
            u.beat_data.next = data;
            u.beat_error.next = line == BROKEN && memory.beat + 1 == NB as u64;
            u.beat_last.next = memory.beat + 1 == NB as u64;
        }
    }

    fn follows<const D: usize, const BC: usize, const NB: usize, const HB: usize>() {
        let mut b = Bench::new(
            LineCache::<2, D, 4, 16, 14, BC, NB, HB, 5, 2, 3>::default(),
            |u, level| u.clock.next = level.into(),
        );
        let mut rng = Rng::new(crate::stimulus::given("SEED", 1), "line_cache");
        let mut memory = Memory::default();
        // Requests that wait for their answer, by warp and slot.
        let mut due: BTreeMap<(u64, u64), u64> = BTreeMap::new();
        let mut fetch = None;
        let (mut answers, mut misses, mut bad, mut outside, mut flushes) = (0, 0, 0, 0, 0);
        let mut resets = crate::stimulus::Resets::new(100);
        // The last 300 cycles are for what is under way then: eight lines at most.
        for t in 0..4200u64 {
            // A reset, of the memory too; behind it the instructions are others.
            let reset = t < 2 || t < 3900 && resets.now(&mut rng, !memory.asked.is_empty());
            b.uut.reset.next = reset;
            if reset {
                b.edge();
                due.clear();
                fetch = None;
                memory.asked.clear();
                memory.beat = 0;
                memory.version += 1;
                continue;
            }
            // A flush, and other instructions, while nothing is under way.
            let flush = due.is_empty() && fetch.is_none() && rng.chance(1, 20);
            b.uut.flush.next = flush;
            if flush {
                memory.version += 1;
                flushes += 1;
            } else if fetch.is_none() && rng.chance(1, 2) && t % 500 < 400 && t < 3900 {
                let most = if rng.flip() { 8 } else { 40 };
                let (warp, line) = (rng.below(4), line(&mut rng, most));
                fetch = Some((warp, line)).filter(|_| !due.contains_key(&(warp, line & 1)));
            }
            drive(&mut b.uut, &mut rng, &memory, fetch);
            b.settle();
            let u = &b.uut;
            assert!(!u.idle.val() || due.is_empty(), "cycle {t}");
            // MEM-054: nobody's request is looked up with it; it is under way until it has come.
            if u.ahead_valid.val() {
                assert!(!u.count_access.val() && !u.count_miss.val());
            }
            misses += u64::from(u.count_miss.val());
            assert!(!u.idle.val() || memory.asked.is_empty(), "cycle {t}");
            if let Some((warp, line)) = fetch.filter(|_| u.fetch_ready.val()) {
                due.insert((warp, line & 1), line);
                fetch = None;
            }
            if u.beat_valid.val() && u.beat_ready.val() {
                memory.beat += 1;
                if u.beat_last.val() {
                    memory.beat = 0;
                    memory.asked.pop_front();
                }
            }
            if u.memory_valid.val() && u.memory_ready.val() {
                let at = u.memory_address.val().to_u64();
                assert!((64 * FIRST..END).contains(&at), "cycle {t}: {at:#x}");
                memory.asked.push_back(at / 64);
            }
            if u.line_valid.val() {
                let at = (u.line_warp.val().to_u64(), u64::from(u.line_slot.val()));
                let line = due.remove(&at).expect("a request");
                answers += 1;
                let inside = (64 * FIRST..END).contains(&(64 * line));
                let fault = match (inside, line) {
                    (false, _) => 1,
                    (true, BROKEN) => 2,
                    _ => 0,
                };
                assert_eq!(u.line_fault.val().to_u64(), fault, "cycle {t}: {line:#x}");
                bad += u64::from(fault == 2);
                outside += u64::from(fault == 1);
                for i in 0..16 {
                    let want = if fault != 0 {
                        0
                    } else {
                        word(line, i, memory.version)
                    };
                    assert_eq!(
                        u.line_data.val().get_bits::<32>(32 * i as usize).to_u64(),
                        want,
                        "cycle {t}"
                    );
                }
            }
            b.edge();
        }
        resets.check("line_cache");
        crate::stimulus::has_met(
            answers > 200 && misses > 50 && answers > misses && bad > 0 && outside > 20 && flushes > 2,
            format!("answers {answers}, misses {misses}, bad {bad}, outside {outside}, flushes {flushes}"),
        );
        assert!(due.is_empty());
    }

    /// MEM-050: hits that follow each other do not hold up a line that comes.
    #[test]
    fn hits_give_way_to_beats() {
        let mut b = Bench::new(
            LineCache::<2, 64, 4, 16, 14, 3, 8, 4, 5, 2, 3>::default(),
            |u, level| u.clock.next = level.into(),
        );
        let mut fetched = vec![];
        let mut wanted = vec![0x43u64, 0x45];
        let (mut asked, mut beat, mut hits) = (0, 0, 0);
        for t in 0..400u64 {
            let u = &mut b.uut;
            u.reset.next = t < 2;
            u.cfg_memory_base.next = 0x1000.into();
            u.cfg_memory_size.next = 0x2000.into();
            // Line 0x43 as often as it goes, from when it is there; line 0x45 once.
            let line = match (fetched.is_empty(), wanted.first()) {
                (false, None) => Some(0x43),
                (false, Some(0x45)) | (true, Some(0x43)) => wanted.first().copied(),
                _ => None,
            };
            u.fetch_valid.next = t >= 2 && line.is_some();
            u.fetch_line.next = line.unwrap_or(0).into();
            u.fetch_warp.next = 0.into();
            u.ahead_valid.next = false;
            u.ahead_line.next = 0.into();
            u.memory_ready.next = true;
            // The memory takes its time for line 0x45.
            u.beat_valid.next = asked > 0 && (fetched.is_empty() || hits > 4);
            u.beat_data.next = 7.into();
            u.beat_last.next = beat == 7;
            b.settle();
            let u = &b.uut;
            if u.fetch_valid.val() && u.fetch_ready.val() {
                hits += u64::from(wanted.is_empty());
                if !wanted.is_empty() {
                    wanted.remove(0);
                }
            }
            asked += u64::from(u.memory_valid.val());
            if u.beat_valid.val() && u.beat_ready.val() {
                beat = (beat + 1) % 8;
                asked -= u64::from(beat == 0);
            }
            if u.line_valid.val() {
                fetched.push(u.line_slot.val());
            }
            b.edge();
            if asked == 0 && wanted.is_empty() && hits > 4 {
                return;
            }
        }
        panic!("line 0x45 does not come: {hits} hits go before it");
    }

    /// MEM-050: a line that is there, and one that is outside, come four cycles after their request, and one every two.
    fn hits_take_four_cycles<const D: usize, const BC: usize, const NB: usize, const HB: usize>() {
        let mut b = Bench::new(
            LineCache::<2, D, 4, 16, 14, BC, NB, HB, 5, 2, 3>::default(),
            |u, level| u.clock.next = level.into(),
        );
        let (mut beats, mut asked, mut taken, mut came) = (0, 0, vec![], vec![]);
        for t in 0..120u64 {
            let u = &mut b.uut;
            u.reset.next = t < 2;
            u.cfg_memory_base.next = 0x1000.into();
            u.cfg_memory_size.next = 0x2000.into();
            // Line 0x44 until it is there; then it, one that is outside, and it again, as fast as they are taken.
            let there = beats == NB as u64 && came.len() == 1;
            let next = if taken.len() == 2 { 0x3 } else { 0x44 };
            u.fetch_valid.next =
                t >= 2 && (taken.is_empty() || (there || came.len() > 1) && taken.len() < 4);
            u.fetch_line.next = next.into();
            u.fetch_warp.next = 1.into();
            u.ahead_valid.next = false;
            u.ahead_line.next = 0.into();
            u.memory_ready.next = true;
            u.beat_valid.next = asked > 0 && beats < NB as u64;
            u.beat_last.next = beats + 1 == NB as u64;
            b.settle();
            let u = &b.uut;
            if u.fetch_valid.val() && u.fetch_ready.val() {
                taken.push(t);
            }
            asked += u64::from(u.memory_valid.val());
            beats += u64::from(u.beat_valid.val() && u.beat_ready.val());
            if u.line_valid.val() {
                came.push(t);
            }
            b.edge();
        }
        let first = taken[1];
        assert_eq!(taken[1..], [first, first + 2, first + 4], "{D}");
        assert_eq!(came[1..], [first + 4, first + 6, first + 8], "{D}");
    }

    #[test]
    fn hits_take_as_long_at_each_width() {
        hits_take_four_cycles::<64, 3, 8, 4>();
        hits_take_four_cycles::<128, 2, 4, 2>();
        hits_take_four_cycles::<256, 1, 2, 1>();
    }

    #[test]
    fn follows_the_specification() {
        follows::<64, 3, 8, 4>();
        follows::<128, 2, 4, 2>();
        follows::<256, 1, 2, 1>();
    }

    fn agrees<const D: usize, const BC: usize, const NB: usize, const HB: usize>(name: &str) {
        let mut memory = Memory::default();
        crate::stimulus::check_with_memories(
            name,
            LineCache::<2, D, 4, 16, 14, BC, NB, HB, 5, 2, 3>::default,
            1000,
            |u, rng, t| {
                u.reset.next = t < 2;
                u.flush.next = rng.chance(1, 100);
                // What was transferred in the cycle before.
                if t > 2 && u.memory_valid.val() && u.memory_ready.val() {
                    memory.asked.push_back(u.memory_address.val().to_u64() / 64);
                }
                let fetch = (rng.flip() && t > 2).then(|| (rng.below(4), line(rng, 24)));
                drive(u, rng, &memory, fetch);
                weft_rtl::settle(u);
                if t > 2 && u.beat_valid.val() && u.beat_ready.val() {
                    memory.beat += 1;
                    if u.beat_last.val() {
                        memory.beat = 0;
                        memory.asked.pop_front();
                    }
                }
            },
            |u, level| u.clock.next = level.into(),
        );
    }

    #[test]
    fn verilog_agrees() {
        agrees::<64, 3, 8, 4>("weft_line_cache");
        agrees::<256, 1, 2, 1>("weft_line_cache_wide");
    }
}
