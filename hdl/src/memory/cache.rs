//! Data cache: lines of memory between the load/store unit and the memory port.
//!
//! Spec: `docs/spec/memory.md`, *Data cache*, MEM-060 to MEM-067.
//!
//! # Parameters
//! By name, `hdl/src/sizes.rs`: WAYS 1, 2 or 4.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `flush` | in | 1 | forgets all lines, those under way too |
//! | `cfg_memory_size` | in | 32 | end of what may be read ahead, a multiple of 64 |
//! | `ahead_line` / `ahead_clear` | out / in | 26, 1 | a line that could be read ahead / no write to it is without response, in the same cycle |
//! | `read_*`, `beat_*`, `write_*` | | | of the load/store unit; `read_bypass`: of an AMO or LR, past the cache; `read_regular`: of an instruction in regular mode |
//! | `down_read_*`, `down_beat_*`, `down_write_*` | | | of the memory port |
//! | `events` | out | 8 | pulses: 0 a read hits, 1 misses and is fetched, 2 goes past because of another line of its set; 3 a beat of a write hits; 4 a read is put aside until its line has come; 5 a held line makes room; 6 a line with an error has come; 7 a line is read ahead |
//! | `regular` | out | 1 | `read_regular` of the read of events 0 to 2 |
//!
//! # Cycle behaviour
//! ```text
//! cycle     t       t + 1   t + 2                                     t + 3
//! hit       taken   tags    first beat                                first beat is out; then a beat per cycle
//! miss      taken   tags                                              at the memory port
//! write     taken   tags    the line, if it is held, is changed       at the memory port
//! ```
//! A read that waits for its line is put aside, E of them at most, and tried again when a line has come. A write that
//! waits for a line holds up what is behind it, but no beat from memory.
//! One request goes on in every second cycle, but for the beats of a hit.
//!
//! # Invariants
//! 1. A set has at most one line under way.
//! 2. A cached line equals what the memory had when the line was read, with the writes of this cache since then.
//!
//! # Errors
//! A line of which a beat comes with an error is not kept. `Default` panics when the parameters do not fit.

use super::buffers::{ReadBuffer, WriteBuffer};
use super::cache_way::CacheWay;
use crate::hdl::*;
use crate::prim::LutRam;

#[module(
    requires(
        DATA == 8 * STROBES, DATA == 32 * BEAT_WORDS, MISSES == 1 << MISS_BITS, SETS == 1 << SET_BITS,
        SET_TAG_BITS + SET_BITS == 26, SET_BEAT_BITS == SET_BITS + (512 / DATA).trailing_zeros() as usize,
        BEAT_COUNT_BITS == ((512 / DATA).trailing_zeros() as usize).max(1),
        WAY_BITS == (WAYS.trailing_zeros() as usize).max(1), [1, 2, 4].contains(&WAYS)
    ),
    given(let beats = 512 / DATA as u64;),
    kernel(Request, Below, Above, UnderWay)
)]
pub struct Cache {
    #[flat]
    pub ports: CachePorts,
    // State: the request that is looked at; a hit gives its beats; `stale`: what the memories gave is not to be used.
    s_valid: DFF<Bit>,
    s_write: DFF<Bit>,
    s_id: DFF<Bits<MISS_BITS>>,
    s_address: DFF<Bits<32>>,
    s_beat: DFF<Bits<BEAT_COUNT_BITS>>,
    s_left: DFF<Bits<3>>,
    s_bypass: DFF<Bit>,
    s_regular: DFF<Bit>,
    s_ahead: DFF<Bit>,
    s_retried: DFF<Bit>,
    s_length: DFF<Bits<3>>,
    s_data: DFF<Bits<DATA>>,
    s_strobes: DFF<Bits<STROBES>>,
    s_last: DFF<Bit>,
    streams: DFF<Bit>,
    stream_way: DFF<Bits<WAY_BITS>>,
    stale: DFF<Bit>,
    // State: what was seen of it in the cycle before, if it was.
    looked: DFF<Bit>,
    seen_hit: DFF<Bit>,
    seen_way: DFF<Bits<WAY_BITS>>,
    seen_same: DFF<Bit>,
    seen_awaited: DFF<Bit>,
    seen_busy: DFF<Bit>,
    seen_ahead: DFF<Bit>,
    seen_all_held: DFF<Bit>,
    seen_victim: DFF<Bits<WAY_BITS>>,
    // State: more beats of a burst of writes follow, the next one's place; a read was taken last.
    in_burst: DFF<Bit>,
    burst_beat: DFF<Bits<BEAT_COUNT_BITS>>,
    read_was_last: DFF<Bit>,
    // State: the line after one that was read, which may be read ahead; one is on its way.
    next_valid: DFF<Bit>,
    next_line: DFF<Bits<26>>,
    ahead_fills: DFF<Bit>,
    // State: reads that were put aside: how many, where the next ones come from and go to, how many are to be tried again.
    aside: DFF<Bits<8>>,
    aside_first: DFF<Bits<MISS_BITS>>,
    aside_last: DFF<Bits<MISS_BITS>>,
    retries: DFF<Bits<8>>,
    // State: a beat for the load/store unit, and one behind it.
    o_valid: DFF<Bit>,
    o_id: DFF<Bits<MISS_BITS>>,
    o_data: DFF<Bits<DATA>>,
    o_error: DFF<Bit>,
    o_last: DFF<Bit>,
    p_valid: DFF<Bit>,
    p_id: DFF<Bits<MISS_BITS>>,
    p_data: DFF<Bits<DATA>>,
    p_error: DFF<Bit>,
    p_last: DFF<Bit>,
    // State per set: a line of it is under way, it is to be kept. The way that is next to give up a line.
    awaited: DFF<Bits<SETS>>,
    keeps: DFF<Bits<SETS>>,
    turn: DFF<Bits<WAY_BITS>>,
    // State: cycles, for lines that nothing else makes anybody look at anew.
    age: DFF<Bits<16>>,
    // State per place: a line is under way, no beat of it has come, one had an error, its next beat is wanted; a read past
    // the cache is under way.
    fills: DFF<Bits<MISSES>>,
    fresh: DFF<Bits<MISSES>>,
    spoilt: DFF<Bits<MISSES>>,
    wanted: DFF<Bits<MISSES>>,
    past: DFF<Bits<MISSES>>,
    // State per place: first and last beat that are wanted, set and way, next beat.
    firsts: LutRam<Bits<BEAT_COUNT_BITS>, MISS_BITS>,
    lasts: LutRam<Bits<BEAT_COUNT_BITS>, MISS_BITS>,
    sets: LutRam<Bits<SET_BITS>, MISS_BITS>,
    ways_of: LutRam<Bits<WAY_BITS>, MISS_BITS>,
    beats: LutRam<Bits<BEAT_COUNT_BITS>, MISS_BITS>,
    // Reads that were put aside.
    aside_ids: LutRam<Bits<MISS_BITS>, MISS_BITS>,
    aside_addresses: LutRam<Bits<32>, MISS_BITS>,
    aside_lengths: LutRam<Bits<3>, MISS_BITS>,
    aside_regular: LutRam<Bits<1>, MISS_BITS>,
    // Reads and writes on their way to memory.
    ar: ReadBuffer<MISS_BITS>,
    aw: WriteBuffer<MISS_BITS, DATA, STROBES>,
    #[many(WAYS)]
    ways: Vec<CacheWay<DATA, STROBES, SET_BITS, SETS, SET_TAG_BITS, SET_BEAT_BITS, BEAT_WORDS>>,
    // Combinational.
    set: Signal<Local, Bits<SET_BITS>>,
    tag: Signal<Local, Bits<SET_TAG_BITS>>,
    looks: Signal<Local, Bit>,
    is_awaited: Signal<Local, Bit>,
    hit: Signal<Local, Bit>,
    hit_way: Signal<Local, Bits<WAY_BITS>>,
    hit_data: Signal<Local, Bits<DATA>>,
    same: Signal<Local, Bit>,
    waits: Signal<Local, Bit>,
    is_busy: Signal<Local, Bit>,
    hits: Signal<Local, Bit>,
    misses: Signal<Local, Bit>,
    passes: Signal<Local, Bit>,
    puts_aside: Signal<Local, Bit>,
    anew: Signal<Local, Bit>,
    gives_way: Signal<Local, Bit>,
    forgets: Signal<Local, Bit>,
    drops: Signal<Local, Bit>,
    keeps_line: Signal<Local, Bit>,
    retry: Signal<Local, Bit>,
    retakes: Signal<Local, Bit>,
    next_aside: Signal<Local, Bits<8>>,
    next_retries: Signal<Local, Bits<8>>,
    one_more: Signal<Local, Bits<8>>,
    one_less: Signal<Local, Bits<8>>,
    less_retries: Signal<Local, Bits<8>>,
    evicts: Signal<Local, Bit>,
    spoils: Signal<Local, Bit>,
    all_held: Signal<Local, Bit>,
    is_past: Signal<Local, Bit>,
    may_read_ahead: Signal<Local, Bit>,
    in_memory: Signal<Local, Bit>,
    fetches_ahead: Signal<Local, Bit>,
    wants_more: Signal<Local, Bit>,
    hit_ahead: Signal<Local, Bit>,
    takes_ahead: Signal<Local, Bit>,
    asks: Signal<Local, Bit>,
    f_ahead: Signal<Local, Bit>,
    line_after: Signal<Local, Bits<26>>,
    past_bit: Signal<Local, Bits<MISSES>>,
    past_end: Signal<Local, Bits<MISSES>>,
    room: Signal<Local, Bit>,
    victim: Signal<Local, Bits<WAY_BITS>>,
    next_turn: Signal<Local, Bits<WAY_BITS>>,
    may_send: Signal<Local, Bit>,
    may_go: Signal<Local, Bit>,
    leaves_anyway: Signal<Local, Bit>,
    leaves_hit: Signal<Local, Bit>,
    leaves_awaited: Signal<Local, Bit>,
    leaves_other: Signal<Local, Bit>,
    sends_hit: Signal<Local, Bit>,
    ends_hit: Signal<Local, Bit>,
    reads_past: Signal<Local, Bit>,
    fetches: Signal<Local, Bit>,
    read_goes: Signal<Local, Bit>,
    write_may: Signal<Local, Bit>,
    writes_now: Signal<Local, Bit>,
    changes: Signal<Local, Bit>,
    s_leaves: Signal<Local, Bit>,
    s_free: Signal<Local, Bit>,
    picks_write: Signal<Local, Bit>,
    takes_read: Signal<Local, Bit>,
    takes_write: Signal<Local, Bit>,
    read_beat: Signal<Local, Bits<BEAT_COUNT_BITS>>,
    aside_beat: Signal<Local, Bits<BEAT_COUNT_BITS>>,
    write_beat: Signal<Local, Bits<BEAT_COUNT_BITS>>,
    last_beat: Signal<Local, Bits<BEAT_COUNT_BITS>>,
    length_beats: Signal<Local, Bits<BEAT_COUNT_BITS>>,
    next_address: Signal<Local, Bits<32>>,
    come_address: Signal<Local, Bits<32>>,
    come_beat: Signal<Local, Bits<BEAT_COUNT_BITS>>,
    comes_ahead: Signal<Local, Bit>,
    next_set: Signal<Local, Bits<SET_BITS>>,
    next_beat: Signal<Local, Bits<BEAT_COUNT_BITS>>,
    next_place: Signal<Local, Bits<SET_BEAT_BITS>>,
    f_fills: Signal<Local, Bit>,
    f_set: Signal<Local, Bits<SET_BITS>>,
    f_way: Signal<Local, Bits<WAY_BITS>>,
    f_beat: Signal<Local, Bits<BEAT_COUNT_BITS>>,
    f_wanted: Signal<Local, Bit>,
    next_f_beat: Signal<Local, Bits<BEAT_COUNT_BITS>>,
    next_f_wanted: Signal<Local, Bit>,
    first_wanted: Signal<Local, Bit>,
    wanted_bit: Signal<Local, Bits<MISSES>>,
    f_needs: Signal<Local, Bit>,
    f_takes: Signal<Local, Bit>,
    f_stores: Signal<Local, Bit>,
    f_ends: Signal<Local, Bit>,
    f_good: Signal<Local, Bit>,
    f_kept: Signal<Local, Bit>,
    f_last: Signal<Local, Bit>,
    push: Signal<Local, Bit>,
    push_id: Signal<Local, Bits<MISS_BITS>>,
    push_data: Signal<Local, Bits<DATA>>,
    push_error: Signal<Local, Bit>,
    push_last: Signal<Local, Bit>,
    o_free: Signal<Local, Bit>,
    store_place: Signal<Local, Bits<SET_BEAT_BITS>>,
    store_data: Signal<Local, Bits<DATA>>,
    set_bit: Signal<Local, Bits<SETS>>,
    forget_bit: Signal<Local, Bits<SETS>>,
    f_set_bit: Signal<Local, Bits<SETS>>,
    id_bit: Signal<Local, Bits<MISSES>>,
    f_id_bit: Signal<Local, Bits<MISSES>>,
    end_bit: Signal<Local, Bits<MISSES>>,
    bad_bit: Signal<Local, Bits<MISSES>>,
    #[many(WAYS)]
    is_hit: Vec<Signal<Local, Bit>>,
    #[many(WAYS)]
    is_same: Vec<Signal<Local, Bit>>,
    #[many(WAYS)]
    fills_way: Vec<Signal<Local, Bit>>,
    #[many(WAYS)]
    changes_way: Vec<Signal<Local, Bit>>,
    #[init((0..WAYS).map(|y| Constant::new((y as u64).into())).collect())]
    way_number: Vec<Constant<Bits<WAY_BITS>>>,
    #[value((WAYS as u64 - 1).into())]
    way_mask: Constant<Bits<WAY_BITS>>,
    #[value(1u64.into())]
    one_way: Constant<Bits<WAY_BITS>>,
    #[value(0u64.into())]
    no_way: Constant<Bits<WAY_BITS>>,
    #[value(1u64.into())]
    one_set: Constant<Bits<SETS>>,
    #[value(Bits::default())]
    no_sets: Constant<Bits<SETS>>,
    #[value(1u64.into())]
    one_place: Constant<Bits<MISSES>>,
    #[value((MISSES as u64 - 1).into())]
    last_place: Constant<Bits<MISS_BITS>>,
    #[value(0u64.into())]
    no_places: Constant<Bits<MISSES>>,
    #[value(0.into())]
    no_place: Constant<Bits<MISS_BITS>>,
    #[value(1u64.into())]
    one_beat: Constant<Bits<BEAT_COUNT_BITS>>,
    #[value(0u64.into())]
    no_beat: Constant<Bits<BEAT_COUNT_BITS>>,
    #[value((beats - 1).into())]
    beat_mask: Constant<Bits<BEAT_COUNT_BITS>>,
    #[value(u64::from(beats.trailing_zeros()).into())]
    beat_bits: Constant<Bits<3>>,
    #[value(0xFFFF_FFC0u64.into())]
    line_mask: Constant<Bits<32>>,
    #[value((beats - 1).into())]
    whole_line: Constant<Bits<3>>,
    #[value(Bits::default())]
    no_data: Constant<Bits<DATA>>,
    #[value(Bits::default())]
    no_bytes: Constant<Bits<STROBES>>,
    #[value(!Bits::default())]
    all_bytes: Constant<Bits<STROBES>>,
}

/// A beat from memory; a request, and whether its line is there.
pub struct Request;

#[part(Cache, Request)]
fn update(&mut self) {
    // ---- Lines are forgotten when that is asked for, and when 65,536 cycles are over (MEM-064, ORDER-003).
    self.age.d.next = self.age.q.val() + 1;
    self.anew.next = self.flush.val() | self.age.q.val().all();
    // ---- A beat from memory: for whom, and where in its line.
    spread!(self.*.read_address <- self.down_beat_id: sets, ways_of, firsts, lasts, beats);
    self.f_fills.next = self.fills.q.val().get_bit(self.down_beat_id.val().index());
    self.f_set.next = self.sets.read_data.val();
    self.f_way.next = self.ways_of.read_data.val();
    self.f_beat.next = self.beats.read_data.val();
    if self.fresh.q.val().get_bit(self.down_beat_id.val().index()) {
        self.f_beat.next = self.no_beat.val();
    }
    // Whether somebody wants it was known before it came: the next request hangs on that.
    self.f_wanted.next = self.wanted.q.val().get_bit(self.down_beat_id.val().index());
    self.next_f_beat.next = self.f_beat.val() + self.one_beat.val();
    self.next_f_wanted.next = (self.next_f_beat.val() >= self.firsts.read_data.val())
        & (self.next_f_beat.val() <= self.lasts.read_data.val());
    self.f_needs.next = self.down_beat_valid.val() & (!self.f_fills.val() | self.f_wanted.val());
    self.room.next = !self.p_valid.q.val();
    // Also one that nobody wants waits for room: who wants it is known late.
    self.down_beat_ready.next = self.room.val();
    self.f_takes.next = self.down_beat_valid.val() & self.down_beat_ready.val();
    self.f_stores.next = self.f_takes.val() & self.f_fills.val();
    self.f_ends.next = self.f_stores.val() & self.down_beat_last.val();
    self.f_good.next =
        !self.down_beat_error.val() & !self.spoilt.q.val().get_bit(self.down_beat_id.val().index());
    self.f_kept.next = self.f_ends.val()
        & self.f_good.val()
        & self.keeps.q.val().get_bit(self.f_set.val().index());
    self.f_ahead.next =
        self.ahead_fills.q.val() & (self.down_beat_id.val() == self.last_place.val());
    self.f_last.next = self.down_beat_last.val();
    if self.f_fills.val() {
        self.f_last.next = self.f_beat.val() == self.lasts.read_data.val();
    }
    carry!(self.beats <- self: write_enable = f_takes, write_address = down_beat_id);
    carry!(self.beats <- self: write_data = next_f_beat);

    // ---- The request: its line is there, or awaited, or asked for. `n` brings generics into an offset.
    self.set.next = self.s_address.q.val().get_bits::<SET_BITS>(6);
    for n in (6 + SET_BITS)..(7 + SET_BITS) {
        self.tag.next = self.s_address.q.val().get_bits::<SET_TAG_BITS>(n);
    }
    self.looks.next = self.s_valid.q.val() & !self.stale.q.val() & self.looked.q.val();
    // Only a beat that ends its line could change these two, and then it is looked at anew.
    self.seen_awaited.d.next = self.awaited.q.val().get_bit(self.set.val().index());
    self.seen_busy.d.next = self.fills.q.val().get_bit(self.s_id.q.val().index());
    carry!(self <- self.seen_*.q: is_awaited = awaited, is_busy = busy);
    self.seen_hit.d.next = false;
    self.seen_way.d.next = self.no_way.val();
    self.seen_same.d.next = false;
    self.seen_ahead.d.next = false;
    self.seen_all_held.d.next = true;
    self.seen_victim.d.next = self.turn.q.val();
    for y in 0..WAYS {
        carry!(self.ways[y] <- self: set, tag);
        self.is_hit[y].next = self.ways[y].same.val() & self.ways[y].held.val();
        self.is_same[y].next = self.ways[y].same.val() & !self.ways[y].held.val();
        if self.is_hit[y].val() {
            self.seen_hit.d.next = true;
            self.seen_way.d.next = self.way_number[y].val();
            self.seen_ahead.d.next = self.ways[y].ahead.val();
        }
        if self.is_same[y].val() {
            self.seen_same.d.next = true;
        }
        if !self.ways[y].held.val() {
            self.seen_victim.d.next = self.way_number[y].val();
            self.seen_all_held.d.next = false;
        }
    }
    // A hit that has begun goes on, whatever becomes of its line.
    self.hit.next = self.seen_hit.q.val() | self.streams.q.val();
    self.hit_way.next = self.seen_way.q.val();
    if self.streams.q.val() {
        self.hit_way.next = self.stream_way.q.val();
    }
    carry!(self <- self.seen_*.q: same, hit_ahead = ahead, all_held, victim);
    self.hit_data.next = self.no_data.val();
    for y in 0..WAYS {
        if self.hit_way.val() == self.way_number[y].val() {
            self.hit_data.next = self.ways[y].data.val();
        }
    }
    self.waits.next = self.is_awaited.val() & self.same.val() & !self.hit.val();
    self.asks.next = self.looks.val() & !self.s_write.q.val() & !self.s_ahead.q.val();
    // Reads that were put aside go before one that came behind them (ORDER-032).
    self.gives_way.next =
        self.retries.q.val().any() & !self.s_retried.q.val() & !self.streams.q.val();
    self.may_send.next = self.asks.val()
        & !self.s_bypass.q.val()
        & !self.gives_way.val()
        & self.room.val()
        & !self.f_needs.val();
    self.sends_hit.next = self.may_send.val() & self.hit.val();
    self.ends_hit.next = self.sends_hit.val() & !self.s_left.q.val().any();
    // Past the cache: atomics, and what finds another line of its set under way.
    self.reads_past.next = self.asks.val()
        & (self.s_bypass.q.val() | (!self.hit.val() & self.is_awaited.val() & !self.same.val()))
        & self.ar.in_ready.val()
        & !self.is_busy.val();
    // The line after one that was read, if no write to it is without response.
    self.is_past.next = self.past.q.val().get_bit(self.s_id.q.val().index());
    self.ahead_line.next = self.s_address.q.val().get_bits::<26>(6);
    self.in_memory.next = self.s_address.q.val() < self.cfg_memory_size.val();
    self.may_read_ahead.next = self.ahead_clear.val() & self.in_memory.val() & !self.is_past.val();
    self.fetches_ahead.next = self.looks.val()
        & self.s_ahead.q.val()
        & self.may_read_ahead.val()
        & !self.hit.val()
        & !self.is_awaited.val()
        & self.ar.in_ready.val()
        & !self.is_busy.val();
    self.fetches.next = (self.asks.val()
        & !self.s_bypass.q.val()
        & !self.hit.val()
        & !self.is_awaited.val()
        & self.ar.in_ready.val()
        & !self.is_busy.val())
        | self.fetches_ahead.val();
    self.read_goes.next = self.reads_past.val() | self.fetches.val();
    // What an atomic reads is newer than its line here, or than the one that is on its way (MEM-061).
    self.forgets.next = self.reads_past.val() & self.s_bypass.q.val();
    self.drops.next = self.forgets.val() & self.hit.val();
    self.keeps_line.next =
        self.f_kept.val() & !(self.forgets.val() & (self.f_set.val() == self.set.val()));
    self.write_may.next = self.looks.val()
        & self.s_write.q.val()
        & !self.waits.val()
        & !(self.hit.val() & self.f_stores.val());
    self.writes_now.next = self.write_may.val() & self.aw.in_ready.val();
    self.changes.next = self.writes_now.val() & self.hit.val();
    // What waits for its line is put aside, so that it holds up nobody.
    self.puts_aside.next = self.asks.val()
        & !self.s_bypass.q.val()
        & ((!self.hit.val() & self.waits.val()) | (self.hit.val() & self.gives_way.val()));
    // Whether it leaves, for each of what its line may be: that is known last.
    self.may_go.next = self.ar.in_ready.val() & !self.is_busy.val();
    self.leaves_anyway.next = (self.looks.val() & self.s_ahead.q.val())
        | (self.asks.val() & self.s_bypass.q.val() & self.may_go.val());
    self.leaves_hit.next = self.leaves_anyway.val()
        | (self.asks.val() & !self.s_bypass.q.val() & self.gives_way.val())
        | (self.may_send.val() & !self.s_left.q.val().any())
        | (self.looks.val() & self.s_write.q.val() & self.aw.in_ready.val() & !self.f_stores.val());
    self.leaves_awaited.next =
        self.leaves_anyway.val() | (self.asks.val() & !self.s_bypass.q.val());
    self.leaves_other.next = self.leaves_anyway.val()
        | (self.asks.val() & self.may_go.val())
        | (self.looks.val() & self.s_write.q.val() & self.aw.in_ready.val());
    self.s_leaves.next = self.leaves_other.val();
    if self.is_awaited.val() & self.same.val() {
        self.s_leaves.next = self.leaves_awaited.val();
    }
    if self.hit.val() {
        self.s_leaves.next = self.leaves_hit.val();
    }
    self.misses.next = self.fetches.val() & !self.s_ahead.q.val();
    self.hits.next = self.sends_hit.val() & !self.streams.q.val();
    self.passes.next = self.reads_past.val() & !self.s_bypass.q.val();
    self.evicts.next = self.fetches.val() & self.all_held.val();
    self.spoils.next = self.f_ends.val() & !self.f_good.val();
    self.regular.next = self.s_regular.q.val();
    self.events.next = bit_cast::<8, 1>(self.hits.val().into())
        | (bit_cast::<8, 1>(self.misses.val().into()) << 1)
        | (bit_cast::<8, 1>(self.passes.val().into()) << 2)
        | (bit_cast::<8, 1>(self.changes.val().into()) << 3)
        | (bit_cast::<8, 1>(self.puts_aside.val().into()) << 4)
        | (bit_cast::<8, 1>(self.evicts.val().into()) << 5)
        | (bit_cast::<8, 1>(self.spoils.val().into()) << 6)
        | (bit_cast::<8, 1>(self.fetches_ahead.val().into()) << 7);
}

/// What is read ahead; reads and writes to memory; the next request.
pub struct Below;

#[part(Cache, Below)]
fn update(&mut self) {
    // ---- What may be read ahead: the line after one that was fetched, or read ahead and is now read.
    self.wants_more.next = self.misses.val() | (self.hits.val() & self.hit_ahead.val());
    self.line_after.next = self.s_address.q.val().get_bits::<26>(6) + 1;

    // ---- To memory: reads, and writes as they are.
    carry!(self.ar <- self: reset, in_valid = read_goes);
    carry!(self.ar.in_* <- self.s_*.q: id, address, length);
    if self.fetches.val() {
        self.ar.in_address.next = self.s_address.q.val() & self.line_mask.val();
        self.ar.in_length.next = self.whole_line.val();
    }
    carry!(self.ar.in_* <- self.s_*.q: bypass, regular);
    self.ar.out_ready.next = self.down_read_ready.val();
    carry!(self.down_read_* <- self.ar.out_*: valid, id, address, length, bypass);
    carry!(self.aw <- self: reset, in_valid = write_may);
    carry!(self.aw.in_* <- self.s_*.q: id, address, length, data, strobes, last);
    self.aw.out_ready.next = self.down_write_ready.val();
    carry!(self.down_write_* <- self.aw.out_*: valid, id, address, length, data, strobes, last);

    // ---- The next request: reads and writes take turns.
    self.s_free.next = !self.s_valid.q.val() | self.s_leaves.val();
    self.retry.next = self.retries.q.val().any();
    self.retakes.next = self.retry.val() & self.s_free.val();
    self.picks_write.next = self.write_valid.val()
        & (!self.read_valid.val() | self.read_was_last.q.val())
        & !self.retry.val();
    self.takes_write.next = self.picks_write.val() & self.s_free.val();
    self.takes_read.next =
        self.read_valid.val() & !self.picks_write.val() & !self.retry.val() & self.s_free.val();
    self.comes_ahead.next = self.next_valid.q.val()
        & !self.retry.val()
        & !self.read_valid.val()
        & !self.write_valid.val();
    self.takes_ahead.next = self.comes_ahead.val() & self.s_free.val();
    self.write_ready.next = self.takes_write.val();
    self.read_ready.next = self.s_free.val() & !self.picks_write.val() & !self.retry.val();
    spread!(self.*.read_address <- self.aside_first.q:
        aside_ids, aside_addresses, aside_lengths, aside_regular,
    );
    for n in (6 + SET_BITS - SET_BEAT_BITS)..(7 + SET_BITS - SET_BEAT_BITS) {
        self.aside_beat.next = self
            .aside_addresses
            .read_data
            .val()
            .get_bits::<BEAT_COUNT_BITS>(n)
            & self.beat_mask.val();
        self.read_beat.next =
            self.read_address.val().get_bits::<BEAT_COUNT_BITS>(n) & self.beat_mask.val();
        self.write_beat.next =
            self.write_address.val().get_bits::<BEAT_COUNT_BITS>(n) & self.beat_mask.val();
    }
    if self.in_burst.q.val() {
        self.write_beat.next = self.burst_beat.q.val();
    }
    carry!(self.come_* <- self.read_*: address, beat);
    if self.picks_write.val() {
        carry!(self.come_* <- self.write_*: address, beat);
    }
    if self.retry.val() {
        self.come_address.next = self.aside_addresses.read_data.val();
        self.come_beat.next = self.aside_beat.val();
    }
    if self.comes_ahead.val() {
        self.come_address.next = bit_cast::<32, 26>(self.next_line.q.val()) << 6;
        self.come_beat.next = self.no_beat.val();
    }
    carry!(self.next_* <- self.s_*.q: address, beat);
    if self.s_free.val() {
        self.s_valid.d.next = self.takes_read.val()
            | self.takes_write.val()
            | self.takes_ahead.val()
            | self.retakes.val();
        self.s_ahead.d.next = self.takes_ahead.val();
        self.s_retried.d.next = self.retry.val();
        self.s_write.d.next = self.picks_write.val();
        carry!(self.s_*.d <- self.read_*: id, left = length, length, bypass, regular);
        carry!(self.s_*.d <- self.write_*: data, strobes, last);
        self.streams.d.next = false;
        carry!(self.next_* <- self.come_*: address, beat);
        if self.picks_write.val() {
            carry!(self.s_*.d <- self.write_*: id, length);
        }
        if self.retry.val() {
            self.s_id.d.next = self.aside_ids.read_data.val();
            spread!(self.*.d <- self.aside_lengths.read_data: s_left, s_length);
            self.s_bypass.d.next = false;
            self.s_regular.d.next = self.aside_regular.read_data.val().get_bit(0);
        }
        if self.comes_ahead.val() {
            self.s_id.d.next = self.last_place.val();
            self.s_bypass.d.next = false;
        }
    } else if self.sends_hit.val() {
        self.next_beat.next = self.s_beat.q.val() + self.one_beat.val();
        self.s_left.d.next = self.s_left.q.val() - 1;
        self.streams.d.next = true;
        self.stream_way.d.next = self.hit_way.val();
    }
    carry!(self.s_*.d <- self.next_*: address, beat);
    if self.takes_read.val() {
        self.read_was_last.d.next = true;
    }
    if self.takes_write.val() {
        self.read_was_last.d.next = false;
        self.in_burst.d.next = !self.write_last.val();
        self.burst_beat.d.next = self.write_beat.val() + self.one_beat.val();
    }
    if self.takes_ahead.val() {
        self.next_valid.d.next = false;
    }
    if self.wants_more.val() {
        self.next_valid.d.next = true;
        self.next_line.d.next = self.line_after.val();
    }
    self.next_set.next = self.next_address.val().get_bits::<SET_BITS>(6);
    self.next_place.next = (bit_cast::<SET_BEAT_BITS, SET_BITS>(self.next_set.val())
        << self.beat_bits.val())
        | bit_cast::<SET_BEAT_BITS, BEAT_COUNT_BITS>(self.next_beat.val());
    // What was written in the cycle in which it was read.
    self.stale.d.next = self.fetches.val() | self.drops.val() | self.f_ends.val();
    // What is known of a request stays so until a line comes or all are forgotten.
    self.looked.d.next = self.s_valid.q.val()
        & !self.s_leaves.val()
        & !self.stale.q.val()
        & !self.f_ends.val()
        & !self.anew.val();
}

/// Beats for the load/store unit; lines that are written.
pub struct Above;

#[part(Cache, Above)]
fn update(&mut self) {
    // ---- Beats for the load/store unit: from memory, or of a hit.
    self.push.next = (self.f_needs.val() & self.room.val()) | self.sends_hit.val();
    self.push_id.next = self.s_id.q.val();
    self.push_data.next = self.hit_data.val();
    self.push_error.next = false;
    self.push_last.next = self.ends_hit.val();
    if self.f_needs.val() {
        carry!(self.push_* <- self.down_beat_*: id, data, error);
        self.push_last.next = self.f_last.val();
    }
    carry!(self.beat_* <- self.o_*.q: valid, id, data, error, last);
    self.o_free.next = !self.o_valid.q.val() | self.beat_ready.val();
    if self.o_free.val() {
        self.o_valid.d.next = self.push.val() | self.p_valid.q.val();
        carry!(self.o_*.d <- self.push_*: id, data, error, last);
        self.p_valid.d.next = false;
        if self.p_valid.q.val() {
            carry!(self.o_*.d <- self.p_*.q: id, data, error, last);
        }
    } else if self.push.val() {
        self.p_valid.d.next = true;
        carry!(self.p_*.d <- self.push_*: id, data, error, last);
    }

    // ---- Lines: a beat from memory goes before a write.
    self.store_place.next = (bit_cast::<SET_BEAT_BITS, SET_BITS>(self.set.val())
        << self.beat_bits.val())
        | bit_cast::<SET_BEAT_BITS, BEAT_COUNT_BITS>(self.s_beat.q.val());
    self.store_data.next = self.s_data.q.val();
    if self.f_stores.val() {
        self.store_place.next = (bit_cast::<SET_BEAT_BITS, SET_BITS>(self.f_set.val())
            << self.beat_bits.val())
            | bit_cast::<SET_BEAT_BITS, BEAT_COUNT_BITS>(self.f_beat.val());
        self.store_data.next = self.down_beat_data.val();
    }
    for y in 0..WAYS {
        self.fills_way[y].next = self.f_way.val() == self.way_number[y].val();
        self.changes_way[y].next =
            self.changes.val() & (self.hit_way.val() == self.way_number[y].val());
        self.ways[y].forget.next = self.anew.val() | self.reset.val();
        carry!(self.ways[y] <- self: next_set, next_place);
        // A line that is dropped: its tag is written again, and nothing is held there.
        self.ways[y].claims.next = (self.fetches.val()
            & (self.victim.val() == self.way_number[y].val()))
            | (self.drops.val() & (self.hit_way.val() == self.way_number[y].val()));
        self.ways[y].keeps.next = self.keeps_line.val() & self.fills_way[y].val();
        self.ways[y].keeps_ahead.next =
            self.keeps_line.val() & self.f_ahead.val() & self.fills_way[y].val();
        self.ways[y].uses.next = self.hits.val() & (self.hit_way.val() == self.way_number[y].val());
        carry!(self.ways[y] <- self:
            kept_set = f_set, store_place, store_data, store_bytes = no_bytes,
        );
        if self.changes_way[y].val() {
            self.ways[y].store_bytes.next = self.s_strobes.q.val();
        }
        if self.f_stores.val() & self.fills_way[y].val() {
            self.ways[y].store_bytes.next = self.all_bytes.val();
        }
    }
    self.next_turn.next = self.turn.q.val() + self.one_way.val();
    if self.fetches.val() {
        self.turn.d.next = self.next_turn.val() & self.way_mask.val();
    }
}

/// Lines under way; reads that were put aside; reset.
pub struct UnderWay;

#[part(Cache, UnderWay)]
fn update(&mut self) {
    // ---- What is under way.
    self.length_beats.next = self.s_length.q.val().get_bits::<BEAT_COUNT_BITS>(0);
    self.last_beat.next = self.s_beat.q.val() + self.length_beats.val();
    spread!(self.*.write_enable <- self.fetches: firsts, lasts, sets, ways_of);
    spread!(self.*.write_address <- self.s_id.q: firsts, lasts, sets, ways_of);
    self.firsts.write_data.next = self.s_beat.q.val();
    self.lasts.write_data.next = self.last_beat.val();
    // Of a line that is read ahead nobody wants a beat.
    if self.s_ahead.q.val() {
        self.firsts.write_data.next = self.one_beat.val();
        self.lasts.write_data.next = self.no_beat.val();
    }
    if self.fetches.val() & (self.s_id.q.val() == self.last_place.val()) {
        self.ahead_fills.d.next = self.s_ahead.q.val();
    }
    self.sets.write_data.next = self.set.val();
    self.ways_of.write_data.next = self.victim.val();
    // ---- Reads that were put aside: all of them are tried again when a line has come.
    spread!(self.*.write_enable <- self.puts_aside:
        aside_ids, aside_addresses, aside_lengths, aside_regular,
    );
    spread!(self.*.write_address <- self.aside_last.q:
        aside_ids, aside_addresses, aside_lengths, aside_regular,
    );
    self.aside_ids.write_data.next = self.s_id.q.val();
    self.aside_addresses.write_data.next = self.s_address.q.val();
    self.aside_lengths.write_data.next = self.s_length.q.val();
    self.aside_regular.write_data.next = self.s_regular.q.val().into();
    // Each number is there before it is known which one it is. A hit that gives way is put aside for one that is
    // tried again in the same cycle.
    self.one_more.next = self.aside.q.val() + 1;
    self.one_less.next = self.aside.q.val() - 1;
    self.less_retries.next = self.retries.q.val() - 1;
    self.next_aside.next = self.aside.q.val();
    if self.puts_aside.val() & !self.retakes.val() {
        self.next_aside.next = self.one_more.val();
    }
    if self.retakes.val() & !self.puts_aside.val() {
        self.next_aside.next = self.one_less.val();
    }
    if self.puts_aside.val() {
        self.aside_last.d.next = self.aside_last.q.val() + 1;
    }
    if self.retakes.val() {
        self.aside_first.d.next = self.aside_first.q.val() + 1;
    }
    self.next_retries.next = self.retries.q.val();
    if self.retakes.val() & !(self.puts_aside.val() & self.hit.val()) {
        self.next_retries.next = self.less_retries.val();
    }
    if self.f_ends.val() {
        self.next_retries.next = self.next_aside.val();
    }
    carry!(self.*.d <- self.next_*: retries, aside);
    self.set_bit.next = self.no_sets.val();
    self.id_bit.next = self.no_places.val();
    if self.fetches.val() {
        self.set_bit.next = self.one_set.val() << self.set.val();
        self.id_bit.next = self.one_place.val() << self.s_id.q.val();
    }
    self.past_bit.next = self.no_places.val();
    if self.reads_past.val() {
        self.past_bit.next = self.one_place.val() << self.s_id.q.val();
    }
    self.past_end.next = self.no_places.val();
    if self.f_takes.val() & !self.f_fills.val() & self.down_beat_last.val() {
        self.past_end.next = self.one_place.val() << self.down_beat_id.val();
    }
    self.past.d.next = (self.past.q.val() & !self.past_end.val()) | self.past_bit.val();
    carry!(self <- self:
        f_set_bit = no_sets, end_bit = no_places, f_id_bit = no_places, bad_bit = no_places,
    );
    if self.f_takes.val() {
        self.f_id_bit.next = self.one_place.val() << self.down_beat_id.val();
    }
    self.wanted_bit.next = self.no_places.val();
    self.first_wanted.next = !self.s_ahead.q.val() & (self.s_beat.q.val() == self.no_beat.val());
    if self.first_wanted.val() {
        self.wanted_bit.next = self.id_bit.val();
    }
    if self.next_f_wanted.val() {
        self.wanted_bit.next = self.wanted_bit.val() | self.f_id_bit.val();
    }
    self.wanted.d.next =
        (self.wanted.q.val() & !self.f_id_bit.val() & !self.id_bit.val()) | self.wanted_bit.val();
    if self.f_stores.val() & self.down_beat_error.val() {
        self.bad_bit.next = self.f_id_bit.val();
    }
    if self.f_ends.val() {
        self.f_set_bit.next = self.one_set.val() << self.f_set.val();
        self.end_bit.next = self.f_id_bit.val();
    }
    self.awaited.d.next = (self.awaited.q.val() & !self.f_set_bit.val()) | self.set_bit.val();
    self.forget_bit.next = self.no_sets.val();
    if self.forgets.val() & self.is_awaited.val() & self.same.val() {
        self.forget_bit.next = self.one_set.val() << self.set.val();
    }
    self.keeps.d.next = (self.keeps.q.val() & !self.forget_bit.val()) | self.set_bit.val();
    self.fills.d.next = (self.fills.q.val() & !self.end_bit.val()) | self.id_bit.val();
    self.fresh.d.next = (self.fresh.q.val() & !self.f_id_bit.val()) | self.id_bit.val();
    self.spoilt.d.next = (self.spoilt.q.val() & !self.id_bit.val()) | self.bad_bit.val();
    if self.anew.val() {
        self.keeps.d.next = self.no_sets.val();
    }
    if self.reset.val() {
        self.s_valid.d.next = false;
        self.stale.d.next = false;
        self.looked.d.next = false;
        self.in_burst.d.next = false;
        self.o_valid.d.next = false;
        self.p_valid.d.next = false;
        self.awaited.d.next = self.no_sets.val();
        spread!(self.*.d <- self.no_places: fills, past);
        self.aside.d.next = 0.into();
        spread!(self.*.d <- self.no_place: aside_first, aside_last);
        self.retries.d.next = 0.into();
        self.next_valid.d.next = false;
        self.age.d.next = 0.into();
        self.turn.d.next = self.no_way.val();
    }
}

#[cfg(test)]
#[path = "cache_tests.rs"]
mod tests;
