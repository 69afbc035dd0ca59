//! Data cache: lines of memory between the load/store unit and the memory port.
//!
//! Spec: `docs/spec/memory.md`, *Data cache*, MEM-060 to MEM-067.
//!
//! # Parameters
//! `D` bits of a beat, `DS` = D / 8, `W` = D / 32; `E` places of the load/store unit, `EI` = log2 E; `SB`: log2 of the
//! sets, `N` = 2^SB; `TB` = 26 − SB bits of a tag; `BC` = max(1, log2 (512 / D)); `A` = SB + log2 (512 / D);
//! `Y` ways, 1, 2 or 4; `YB` = max(1, log2 Y).
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

#[rustfmt::skip]
#[module(
    requires(
        D == 8 * DS, D == 32 * W, E == 1 << EI, N == 1 << SB, TB + SB == 26,
        A == SB + (512 / D).trailing_zeros() as usize, BC == ((512 / D).trailing_zeros() as usize).max(1),
        YB == (Y.trailing_zeros() as usize).max(1), [1, 2, 4].contains(&Y)
    ),
    given(let beats = 512 / D as u64;),
    kernel(Request, Below, Above, UnderWay)
)]
pub struct Cache<
    const D: usize, const DS: usize, const W: usize, const E: usize, const EI: usize, const SB: usize,
    const N: usize, const TB: usize, const BC: usize, const A: usize, const Y: usize, const YB: usize,
> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub flush: Signal<In, Bit>,
    pub cfg_memory_size: Signal<In, Bits<32>>,
    pub ahead_line: Signal<Out, Bits<26>>,
    pub ahead_clear: Signal<In, Bit>,
    pub read_valid: Signal<In, Bit>,
    pub read_ready: Signal<Out, Bit>,
    pub read_id: Signal<In, Bits<EI>>,
    pub read_address: Signal<In, Bits<32>>,
    pub read_length: Signal<In, Bits<3>>,
    pub read_bypass: Signal<In, Bit>,
    pub read_regular: Signal<In, Bit>,
    pub beat_valid: Signal<Out, Bit>,
    pub beat_ready: Signal<In, Bit>,
    pub beat_id: Signal<Out, Bits<EI>>,
    pub beat_data: Signal<Out, Bits<D>>,
    pub beat_error: Signal<Out, Bit>,
    pub beat_last: Signal<Out, Bit>,
    pub write_valid: Signal<In, Bit>,
    pub write_ready: Signal<Out, Bit>,
    pub write_id: Signal<In, Bits<EI>>,
    pub write_address: Signal<In, Bits<32>>,
    pub write_length: Signal<In, Bits<3>>,
    pub write_data: Signal<In, Bits<D>>,
    pub write_strobes: Signal<In, Bits<DS>>,
    pub write_last: Signal<In, Bit>,
    pub down_read_valid: Signal<Out, Bit>,
    pub down_read_ready: Signal<In, Bit>,
    pub down_read_id: Signal<Out, Bits<EI>>,
    pub down_read_address: Signal<Out, Bits<32>>,
    pub down_read_length: Signal<Out, Bits<3>>,
    pub down_beat_valid: Signal<In, Bit>,
    pub down_beat_ready: Signal<Out, Bit>,
    pub down_beat_id: Signal<In, Bits<EI>>,
    pub down_beat_data: Signal<In, Bits<D>>,
    pub down_beat_error: Signal<In, Bit>,
    pub down_beat_last: Signal<In, Bit>,
    pub down_write_valid: Signal<Out, Bit>,
    pub down_write_ready: Signal<In, Bit>,
    pub down_write_id: Signal<Out, Bits<EI>>,
    pub down_write_address: Signal<Out, Bits<32>>,
    pub down_write_length: Signal<Out, Bits<3>>,
    pub down_write_data: Signal<Out, Bits<D>>,
    pub down_write_strobes: Signal<Out, Bits<DS>>,
    pub down_write_last: Signal<Out, Bit>,
    pub events: Signal<Out, Bits<8>>,
    pub regular: Signal<Out, Bit>,
    // State: the request that is looked at; a hit gives its beats; `stale`: what the memories gave is not to be used.
    s_valid: DFF<Bit>,
    s_write: DFF<Bit>,
    s_id: DFF<Bits<EI>>,
    s_address: DFF<Bits<32>>,
    s_beat: DFF<Bits<BC>>,
    s_left: DFF<Bits<3>>,
    s_bypass: DFF<Bit>,
    s_regular: DFF<Bit>,
    s_ahead: DFF<Bit>,
    s_retried: DFF<Bit>,
    s_length: DFF<Bits<3>>,
    s_data: DFF<Bits<D>>,
    s_strobes: DFF<Bits<DS>>,
    s_last: DFF<Bit>,
    streams: DFF<Bit>,
    stream_way: DFF<Bits<YB>>,
    stale: DFF<Bit>,
    // State: what was seen of it in the cycle before, if it was.
    looked: DFF<Bit>,
    seen_hit: DFF<Bit>,
    seen_way: DFF<Bits<YB>>,
    seen_same: DFF<Bit>,
    seen_ahead: DFF<Bit>,
    seen_all_held: DFF<Bit>,
    seen_victim: DFF<Bits<YB>>,
    // State: more beats of a burst of writes follow, the next one's place; a read was taken last.
    in_burst: DFF<Bit>,
    burst_beat: DFF<Bits<BC>>,
    read_was_last: DFF<Bit>,
    // State: the line after one that was read, which may be read ahead; one is on its way.
    next_valid: DFF<Bit>,
    next_line: DFF<Bits<26>>,
    ahead_fills: DFF<Bit>,
    // State: reads that were put aside: how many, where the next ones come from and go to, how many are to be tried again.
    aside: DFF<Bits<8>>,
    aside_first: DFF<Bits<EI>>,
    aside_last: DFF<Bits<EI>>,
    retries: DFF<Bits<8>>,
    // State: a beat for the load/store unit, and one behind it.
    o_valid: DFF<Bit>,
    o_id: DFF<Bits<EI>>,
    o_data: DFF<Bits<D>>,
    o_error: DFF<Bit>,
    o_last: DFF<Bit>,
    p_valid: DFF<Bit>,
    p_id: DFF<Bits<EI>>,
    p_data: DFF<Bits<D>>,
    p_error: DFF<Bit>,
    p_last: DFF<Bit>,
    // State per set: a line of it is under way, it is to be kept. The way that is next to give up a line.
    awaited: DFF<Bits<N>>,
    keeps: DFF<Bits<N>>,
    turn: DFF<Bits<YB>>,
    // State: cycles, for lines that nothing else makes anybody look at anew.
    age: DFF<Bits<16>>,
    // State per place: a line is under way, no beat of it has come, one had an error; a read past the cache is under way.
    fills: DFF<Bits<E>>,
    fresh: DFF<Bits<E>>,
    spoilt: DFF<Bits<E>>,
    past: DFF<Bits<E>>,
    // State per place: first and last beat that are wanted, set and way, next beat.
    firsts: LutRam<Bits<BC>, EI>,
    lasts: LutRam<Bits<BC>, EI>,
    sets: LutRam<Bits<SB>, EI>,
    ways_of: LutRam<Bits<YB>, EI>,
    beats: LutRam<Bits<BC>, EI>,
    // Reads that were put aside.
    aside_ids: LutRam<Bits<EI>, EI>,
    aside_addresses: LutRam<Bits<32>, EI>,
    aside_lengths: LutRam<Bits<3>, EI>,
    aside_regular: LutRam<Bits<1>, EI>,
    // Reads and writes on their way to memory.
    ar: ReadBuffer<EI>,
    aw: WriteBuffer<EI, D, DS>,
    #[many(Y)]
    ways: Vec<CacheWay<D, DS, SB, N, TB, A, W>>,
    // Combinational.
    set: Signal<Local, Bits<SB>>,
    tag: Signal<Local, Bits<TB>>,
    looks: Signal<Local, Bit>,
    is_awaited: Signal<Local, Bit>,
    hit: Signal<Local, Bit>,
    hit_way: Signal<Local, Bits<YB>>,
    hit_data: Signal<Local, Bits<D>>,
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
    past_bit: Signal<Local, Bits<E>>,
    past_end: Signal<Local, Bits<E>>,
    room: Signal<Local, Bit>,
    victim: Signal<Local, Bits<YB>>,
    next_turn: Signal<Local, Bits<YB>>,
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
    read_beat: Signal<Local, Bits<BC>>,
    aside_beat: Signal<Local, Bits<BC>>,
    write_beat: Signal<Local, Bits<BC>>,
    last_beat: Signal<Local, Bits<BC>>,
    length_beats: Signal<Local, Bits<BC>>,
    next_address: Signal<Local, Bits<32>>,
    come_address: Signal<Local, Bits<32>>,
    come_beat: Signal<Local, Bits<BC>>,
    comes_ahead: Signal<Local, Bit>,
    next_set: Signal<Local, Bits<SB>>,
    next_beat: Signal<Local, Bits<BC>>,
    next_place: Signal<Local, Bits<A>>,
    f_fills: Signal<Local, Bit>,
    f_set: Signal<Local, Bits<SB>>,
    f_way: Signal<Local, Bits<YB>>,
    f_beat: Signal<Local, Bits<BC>>,
    f_wanted: Signal<Local, Bit>,
    f_needs: Signal<Local, Bit>,
    f_takes: Signal<Local, Bit>,
    f_stores: Signal<Local, Bit>,
    f_ends: Signal<Local, Bit>,
    f_good: Signal<Local, Bit>,
    f_kept: Signal<Local, Bit>,
    f_last: Signal<Local, Bit>,
    push: Signal<Local, Bit>,
    push_id: Signal<Local, Bits<EI>>,
    push_data: Signal<Local, Bits<D>>,
    push_error: Signal<Local, Bit>,
    push_last: Signal<Local, Bit>,
    o_free: Signal<Local, Bit>,
    store_place: Signal<Local, Bits<A>>,
    store_data: Signal<Local, Bits<D>>,
    set_bit: Signal<Local, Bits<N>>,
    forget_bit: Signal<Local, Bits<N>>,
    f_set_bit: Signal<Local, Bits<N>>,
    id_bit: Signal<Local, Bits<E>>,
    f_id_bit: Signal<Local, Bits<E>>,
    end_bit: Signal<Local, Bits<E>>,
    bad_bit: Signal<Local, Bits<E>>,
    #[many(Y)]
    is_hit: Vec<Signal<Local, Bit>>,
    #[many(Y)]
    is_same: Vec<Signal<Local, Bit>>,
    #[many(Y)]
    fills_way: Vec<Signal<Local, Bit>>,
    #[many(Y)]
    changes_way: Vec<Signal<Local, Bit>>,
    #[init((0..Y).map(|y| Constant::new((y as u64).into())).collect())]
    way_number: Vec<Constant<Bits<YB>>>,
    #[value((Y as u64 - 1).into())]
    way_mask: Constant<Bits<YB>>,
    #[value(1u64.into())]
    one_way: Constant<Bits<YB>>,
    #[value(0u64.into())]
    no_way: Constant<Bits<YB>>,
    #[value(1u64.into())]
    one_set: Constant<Bits<N>>,
    #[value(Bits::default())]
    no_sets: Constant<Bits<N>>,
    #[value(1u64.into())]
    one_place: Constant<Bits<E>>,
    #[value((E as u64 - 1).into())]
    last_place: Constant<Bits<EI>>,
    #[value(0u64.into())]
    no_places: Constant<Bits<E>>,
    #[value(0.into())]
    no_place: Constant<Bits<EI>>,
    #[value(1u64.into())]
    one_beat: Constant<Bits<BC>>,
    #[value(0u64.into())]
    no_beat: Constant<Bits<BC>>,
    #[value((beats - 1).into())]
    beat_mask: Constant<Bits<BC>>,
    #[value(u64::from(beats.trailing_zeros()).into())]
    beat_bits: Constant<Bits<3>>,
    #[value(0xFFFF_FFC0u64.into())]
    line_mask: Constant<Bits<32>>,
    #[value((beats - 1).into())]
    whole_line: Constant<Bits<3>>,
    #[value(Bits::default())]
    no_data: Constant<Bits<D>>,
    #[value(Bits::default())]
    no_bytes: Constant<Bits<DS>>,
    #[value(!Bits::default())]
    all_bytes: Constant<Bits<DS>>,
}

/// A beat from memory; a request, and whether its line is there.
pub struct Request;

#[part(Cache<D, DS, W, E, EI, SB, N, TB, BC, A, Y, YB>, Request)]
fn update(&mut self) {
    // ---- Lines are forgotten when that is asked for, and when 65,536 cycles are over (MEM-064, ORDER-003).
    self.age.d.next = self.age.q.val() + 1;
    self.anew.next = self.flush.val() | self.age.q.val().all();
    // ---- A beat from memory: for whom, and where in its line.
    self.sets.read_address.next = self.down_beat_id.val();
    self.ways_of.read_address.next = self.down_beat_id.val();
    self.firsts.read_address.next = self.down_beat_id.val();
    self.lasts.read_address.next = self.down_beat_id.val();
    self.beats.read_address.next = self.down_beat_id.val();
    self.f_fills.next = self.fills.q.val().get_bit(self.down_beat_id.val().index());
    self.f_set.next = self.sets.read_data.val();
    self.f_way.next = self.ways_of.read_data.val();
    self.f_beat.next = self.beats.read_data.val();
    if self.fresh.q.val().get_bit(self.down_beat_id.val().index()) {
        self.f_beat.next = self.no_beat.val();
    }
    self.f_wanted.next = (self.f_beat.val() >= self.firsts.read_data.val())
        & (self.f_beat.val() <= self.lasts.read_data.val());
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
    self.beats.write_data.next = self.f_beat.val() + self.one_beat.val();

    // ---- The request: its line is there, or awaited, or asked for. `n` brings generics into an offset.
    self.set.next = self.s_address.q.val().get_bits::<SB>(6);
    for n in (6 + SB)..(7 + SB) {
        self.tag.next = self.s_address.q.val().get_bits::<TB>(n);
    }
    self.looks.next = self.s_valid.q.val() & !self.stale.q.val() & self.looked.q.val();
    self.is_awaited.next = self.awaited.q.val().get_bit(self.set.val().index());
    self.seen_hit.d.next = false;
    self.seen_way.d.next = self.no_way.val();
    self.seen_same.d.next = false;
    self.seen_ahead.d.next = false;
    self.seen_all_held.d.next = true;
    self.seen_victim.d.next = self.turn.q.val();
    for y in 0..Y {
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
    for y in 0..Y {
        if self.hit_way.val() == self.way_number[y].val() {
            self.hit_data.next = self.ways[y].data.val();
        }
    }
    self.waits.next = self.is_awaited.val() & self.same.val() & !self.hit.val();
    self.is_busy.next = self.fills.q.val().get_bit(self.s_id.q.val().index());
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

#[part(Cache<D, DS, W, E, EI, SB, N, TB, BC, A, Y, YB>, Below)]
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
    carry!(self.down_read_* <- self.ar.out_*: valid, id, address, length);
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
    self.aside_ids.read_address.next = self.aside_first.q.val();
    self.aside_addresses.read_address.next = self.aside_first.q.val();
    self.aside_lengths.read_address.next = self.aside_first.q.val();
    self.aside_regular.read_address.next = self.aside_first.q.val();
    for n in (6 + SB - A)..(7 + SB - A) {
        self.aside_beat.next =
            self.aside_addresses.read_data.val().get_bits::<BC>(n) & self.beat_mask.val();
        self.read_beat.next = self.read_address.val().get_bits::<BC>(n) & self.beat_mask.val();
        self.write_beat.next = self.write_address.val().get_bits::<BC>(n) & self.beat_mask.val();
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
            self.s_left.d.next = self.aside_lengths.read_data.val();
            self.s_length.d.next = self.aside_lengths.read_data.val();
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
    self.next_set.next = self.next_address.val().get_bits::<SB>(6);
    self.next_place.next = (bit_cast::<A, SB>(self.next_set.val()) << self.beat_bits.val())
        | bit_cast::<A, BC>(self.next_beat.val());
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

#[part(Cache<D, DS, W, E, EI, SB, N, TB, BC, A, Y, YB>, Above)]
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
    self.store_place.next = (bit_cast::<A, SB>(self.set.val()) << self.beat_bits.val())
        | bit_cast::<A, BC>(self.s_beat.q.val());
    self.store_data.next = self.s_data.q.val();
    if self.f_stores.val() {
        self.store_place.next = (bit_cast::<A, SB>(self.f_set.val()) << self.beat_bits.val())
            | bit_cast::<A, BC>(self.f_beat.val());
        self.store_data.next = self.down_beat_data.val();
    }
    for y in 0..Y {
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
        carry!(self.ways[y] <- self: kept_set = f_set, store_place);
        carry!(self.ways[y] <- self: store_data, store_bytes = no_bytes);
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

#[part(Cache<D, DS, W, E, EI, SB, N, TB, BC, A, Y, YB>, UnderWay)]
fn update(&mut self) {
    // ---- What is under way.
    self.length_beats.next = self.s_length.q.val().get_bits::<BC>(0);
    self.last_beat.next = self.s_beat.q.val() + self.length_beats.val();
    self.firsts.write_enable.next = self.fetches.val();
    self.lasts.write_enable.next = self.fetches.val();
    self.sets.write_enable.next = self.fetches.val();
    self.ways_of.write_enable.next = self.fetches.val();
    self.firsts.write_address.next = self.s_id.q.val();
    self.lasts.write_address.next = self.s_id.q.val();
    self.sets.write_address.next = self.s_id.q.val();
    self.ways_of.write_address.next = self.s_id.q.val();
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
    self.aside_ids.write_enable.next = self.puts_aside.val();
    self.aside_addresses.write_enable.next = self.puts_aside.val();
    self.aside_lengths.write_enable.next = self.puts_aside.val();
    self.aside_regular.write_enable.next = self.puts_aside.val();
    self.aside_ids.write_address.next = self.aside_last.q.val();
    self.aside_addresses.write_address.next = self.aside_last.q.val();
    self.aside_lengths.write_address.next = self.aside_last.q.val();
    self.aside_regular.write_address.next = self.aside_last.q.val();
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
        self.fills.d.next = self.no_places.val();
        self.past.d.next = self.no_places.val();
        self.aside.d.next = 0.into();
        self.aside_first.d.next = self.no_place.val();
        self.aside_last.d.next = self.no_place.val();
        self.retries.d.next = 0.into();
        self.next_valid.d.next = false;
        self.age.d.next = 0.into();
        self.turn.d.next = self.no_way.val();
    }
}

#[cfg(test)]
#[path = "cache_tests.rs"]
mod tests;
