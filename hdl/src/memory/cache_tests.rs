//! The data cache between a random load/store unit, which keeps to MEM-013, and a random memory.
//!
//! The memory changes when it answers a write, and is looked at when the first beat of a read is answered.
//! So what passed something on the way, or was kept when it should not be, gives a wrong beat.
//! If it is calm, lines are changed by others without a flush: then a read gives old or new beats until one past the cache has
//! shown the new ones, or until one of them has been given (ORDER-031).

use super::*;
use crate::stimulus::has_met;
use std::collections::VecDeque;
use weft_rtl::{Bench, Rng};

const LINES: u64 = 14;
/// A beat of this line is read with an error; writes of the other one are answered with errors and change nothing.
const BAD_READ: u64 = 5;
const BAD_WRITE: u64 = 9;

#[derive(Clone, Copy, Default, PartialEq, Debug)]
enum Place {
    #[default]
    Free,
    /// A read: its line, beats from … to ….
    Read(u64, u64, u64),
    /// A write that has no response.
    Write(u64),
}

struct Fetch {
    id: usize,
    line: u64,
    beat: u64,
    last: u64,
    seen: Option<Vec<u8>>,
}

/// A write on its way: place, line, bytes with their places in the line.
struct Change {
    id: usize,
    line: u64,
    bytes: Vec<(usize, u8)>,
    whole: bool,
}

/// A burst at the client's write port.
struct Burst {
    id: usize,
    line: u64,
    first: u64,
    beat: u64,
    last: u64,
}

fn line_of(address: u64) -> u64 {
    address / 64
}

fn packed<const N: usize>(bytes: &[u8]) -> Bits<N> {
    let mut bits = Bits::<N>::default();
    for i in (0..N).filter(|i| bytes[i / 8] >> (i % 8) & 1 == 1) {
        bits = bits.replace_bit(i, true);
    }
    bits
}

fn bytes<const N: usize>(bits: &Bits<N>) -> Vec<u8> {
    (0..N / 8)
        .map(|k| (0..8).fold(0, |b, i| b | u8::from(bits.get_bit(8 * k + i)) << i))
        .collect()
}

/// Counts of `events`. `calm`: few lines, which are seldom forgotten, but changed by others without a word.
fn follows<
    const D: usize,
    const DS: usize,
    const W: usize,
    const SB: usize,
    const N: usize,
    const TB: usize,
    const BC: usize,
    const A: usize,
    const Y: usize,
    const YB: usize,
>(
    name: &str,
    calm: bool,
) -> [u64; 8] {
    let mut b = Bench::new(
        Cache::<D, DS, W, 8, 3, SB, N, TB, BC, A, Y, YB>::default(),
        |u, level| u.clock.next = level.into(),
    );
    let mut rng = Rng::new(crate::stimulus::given("SEED", 1), name);
    let beats = 64 / DS as u64;
    let mut memory: Vec<Vec<u8>> = (0..LINES)
        .map(|_| (0..64).map(|_| rng.below(256) as u8).collect())
        .collect();
    let mut places = [Place::Free; 8];
    let mut read: Option<(usize, bool)> = None;
    let mut burst: Option<(Burst, Vec<u8>, u64)> = None;
    let mut fetches: VecDeque<Fetch> = VecDeque::new();
    let mut changes: VecDeque<Change> = VecDeque::new();
    let mut offered: Option<usize> = None;
    let mut events = [0u64; 8];
    // What a line was before others changed it, while it may still be seen; and what the read of each place may see.
    let mut old: Vec<Option<Vec<u8>>> = vec![None; LINES as usize];
    let mut seen_by: [Option<Vec<u8>>; 8] = Default::default();
    let mut past = [false; 8];
    let (mut reads, mut external, mut resets) = (0, 0, 0);
    let (mut stale, mut shown) = (0, 0);
    for t in 0..7_000u64 {
        let quiet = t % 1000 > 700;
        // ---- A reset, which forgets all that is under way on both sides.
        let reset = t < 2 || rng.chance(1, 600);
        if reset {
            resets += 1;
            places = [Place::Free; 8];
            (read, burst, offered) = (None, None, None);
            fetches.clear();
            changes.clear();
            old.fill(None);
        }
        // ---- The client: a read or a write in a free place, to a line that it may have now.
        let free = places.iter().position(|p| *p == Place::Free);
        let line = rng.below(if calm { 5 } else { LINES });
        let first = rng.below(beats);
        let last = first + rng.below(beats - first);
        let other_write = places.contains(&Place::Write(line));
        let other_read = places
            .iter()
            .any(|p| matches!(p, Place::Read(l, ..) if *l == line));
        if let Some(id) = free.filter(|_| !quiet && !reset) {
            if read.is_none() && rng.chance(1, 2) && !other_write {
                places[id] = Place::Read(line, first, last);
                past[id] = rng.chance(1, 6);
                read = Some((id, past[id]));
                seen_by[id] = old[line as usize].clone().filter(|_| !past[id]);
            } else if burst.is_none()
                && rng.chance(1, 3)
                && t % 1000 < 500
                && !other_write
                && !other_read
                && old[line as usize].is_none()
            {
                places[id] = Place::Write(line);
                let beat = first;
                let bytes = (0..DS).map(|_| rng.below(256) as u8).collect();
                burst = Some((
                    Burst {
                        id,
                        line,
                        first,
                        beat,
                        last,
                    },
                    bytes,
                    rng.below(1 << 32),
                ));
            }
        }
        // ---- Somebody else changes a line that the client does not use; then the cache has to forget it.
        let used = |l: u64| {
            places.iter().any(|p| match p {
                Place::Read(line, ..) | Place::Write(line) => *line == l,
                Place::Free => false,
            })
        };
        let mut flush = false;
        let often = if calm { 1000 } else { 60 };
        if !reset && rng.chance(1, often) && !used(line) {
            memory[line as usize][rng.below(64) as usize] ^= 0x55;
            flush = true;
            external += 1;
        } else if calm && !reset && rng.chance(1, 8) && !used(line) && old[line as usize].is_none()
        {
            let bytes = &mut memory[line as usize];
            old[line as usize] = Some(bytes.clone());
            bytes.iter_mut().for_each(|byte| *byte ^= 0x55);
        }
        // ---- Answers of the memory.
        if changes.front().is_some_and(|c| c.whole) && rng.chance(1, 8) {
            let change = changes.pop_front().unwrap();
            if change.line == BAD_WRITE {
                flush = true;
            } else {
                for (at, byte) in change.bytes {
                    memory[change.line as usize][at] = byte;
                }
            }
            places[change.id] = Place::Free;
        }
        if flush {
            old.fill(None);
        }
        if offered.is_none() && !fetches.is_empty() && rng.chance(1, 2) {
            let at = rng.below(fetches.len() as u64) as usize;
            let id = fetches[at].id;
            offered = fetches.iter().position(|f| f.id == id);
            let fetch = &mut fetches[offered.unwrap()];
            fetch
                .seen
                .get_or_insert(memory[fetch.line as usize].clone());
        }
        let u = &mut b.uut;
        u.reset.next = reset;
        u.flush.next = flush;
        u.cfg_memory_size.next = (LINES * 64).into();
        u.ahead_clear.next = true;
        u.read_valid.next = read.is_some();
        if let Some((id, bypass)) = read {
            let Place::Read(line, first, last) = places[id] else {
                unreachable!()
            };
            u.read_id.next = (id as u64).into();
            u.read_address.next = (line * 64 + first * DS as u64).into();
            u.read_length.next = (last - first).into();
            u.read_bypass.next = bypass;
        }
        u.write_valid.next = burst.is_some();
        if let Some((w, data, strobes)) = &burst {
            u.write_id.next = (w.id as u64).into();
            u.write_address.next = (w.line * 64 + w.first * DS as u64).into();
            u.write_length.next = (w.last - w.first).into();
            u.write_data.next = packed(data);
            u.write_strobes.next = packed(&strobes.to_le_bytes());
            u.write_last.next = w.beat == w.last;
        }
        u.beat_ready.next = rng.chance(3, 4);
        u.down_read_ready.next = rng.chance(1, 2);
        u.down_write_ready.next = rng.chance(1, 2);
        u.down_beat_valid.next = offered.is_some();
        if let Some(at) = offered {
            let f = &fetches[at];
            let from = f.beat as usize * DS;
            u.down_beat_id.next = (f.id as u64).into();
            u.down_beat_data.next = packed(&f.seen.as_ref().unwrap()[from..from + DS]);
            u.down_beat_error.next = f.line == BAD_READ && f.beat == beats - 1;
            u.down_beat_last.next = f.beat == f.last;
        }
        b.settle();
        // Of the load/store unit, in the same cycle.
        let line = b.uut.ahead_line.val().to_u64();
        b.uut.ahead_clear.next = places.iter().all(|p| *p != Place::Write(line));
        b.settle();
        let u = &b.uut;
        if !reset {
            let happened = u.events.val().to_u64();
            (0..8).for_each(|i| events[i] += happened >> i & 1);
            // ---- A beat for the client.
            if u.beat_valid.val() && u.beat_ready.val() {
                let id = u.beat_id.val().to_u64() as usize;
                let Place::Read(line, beat, last) = places[id] else {
                    panic!("cycle {t}: a beat for place {id}: {:?}", places[id]);
                };
                let from = beat as usize * DS;
                let want = &memory[line as usize][from..from + DS];
                let got = bytes(&u.beat_data.val());
                let before = seen_by[id].as_ref().map(|old| &old[from..from + DS]);
                match before == Some(&got[..]) {
                    true => stale += 1,
                    false => assert_eq!(got, want, "cycle {t}: beat {beat} of line {line}"),
                }
                // Whoever asks behind that sees nothing older.
                if got == want && beat == last {
                    shown += u64::from(past[id] && old[line as usize].is_some());
                    old[line as usize] = None;
                }
                assert_eq!(u.beat_last.val(), beat == last, "cycle {t}");
                let error = line == BAD_READ && beat == beats - 1;
                assert_eq!(u.beat_error.val(), error, "cycle {t}");
                places[id] = match beat == last {
                    true => Place::Free,
                    false => Place::Read(line, beat + 1, last),
                };
                reads += u64::from(beat == last);
            }
            // ---- The memory takes requests. SM-031.
            if let Some(at) = offered.filter(|_| u.down_beat_ready.val()) {
                fetches[at].beat += 1;
                if fetches[at].beat > fetches[at].last {
                    fetches.remove(at);
                }
                offered = None;
            }
            if u.down_read_valid.val() && u.down_read_ready.val() {
                let address = u.down_read_address.val().to_u64();
                let (line, beat) = (line_of(address), address % 64 / DS as u64);
                assert!(
                    changes.iter().all(|c| c.line != line),
                    "cycle {t}: a read of {line}"
                );
                fetches.push_back(Fetch {
                    id: u.down_read_id.val().to_u64() as usize,
                    line,
                    beat,
                    last: beat + u.down_read_length.val().to_u64(),
                    seen: None,
                });
            }
            if u.down_write_valid.val() && u.down_write_ready.val() {
                let address = u.down_write_address.val().to_u64();
                let line = line_of(address);
                assert!(
                    fetches.iter().all(|f| f.line != line),
                    "cycle {t}: a write of {line}"
                );
                if changes.back().is_none_or(|c| c.whole) {
                    let id = u.down_write_id.val().to_u64() as usize;
                    let (bytes, whole) = (Vec::new(), false);
                    changes.push_back(Change {
                        id,
                        line,
                        bytes,
                        whole,
                    });
                }
                let change = changes.back_mut().unwrap();
                let at = change
                    .bytes
                    .iter()
                    .filter(|(at, _)| *at == usize::MAX)
                    .count();
                let from = (address % 64) as usize + at * DS;
                let (data, strobes) = (bytes(&u.down_write_data.val()), u.down_write_strobes.val());
                for i in (0..DS).filter(|&i| strobes.get_bit(i)) {
                    change.bytes.push((from + i, data[i]));
                }
                change.bytes.push((usize::MAX, 0));
                change.whole = u.down_write_last.val();
                if change.whole {
                    change.bytes.retain(|(at, _)| *at != usize::MAX);
                }
            }
            // ---- The client's requests are taken.
            if read.is_some() && u.read_ready.val() {
                read = None;
            }
            if burst.is_some() && u.write_ready.val() {
                let (mut w, mut data, _) = burst.take().unwrap();
                if w.beat != w.last {
                    w.beat += 1;
                    data.iter_mut()
                        .for_each(|byte| *byte = rng.below(256) as u8);
                    burst = Some((w, data, rng.below(1 << 32)));
                }
            }
            if t % 1000 == 999 {
                assert!(
                    fetches.is_empty() && changes.is_empty(),
                    "cycle {t}: the memory is busy"
                );
                assert_eq!(places, [Place::Free; 8], "cycle {t}");
            }
        }
        b.edge();
    }
    println!("{name}: {reads} reads, {external} lines changed by others, {resets} resets, events {events:?}");
    println!("{name}: {stale} beats older than memory; {shown} atomics showed that a line was");
    match calm {
        true => has_met(stale > 0 && shown > 0, format!("{name}: older lines")),
        false => has_met(reads > 400 && external > 20 && resets > 5, name),
    }
    events
}

/// MEM-060 to MEM-067, at three shapes; every event is seen.
#[test]
fn follows_the_specification() {
    let a = follows::<64, 8, 2, 2, 4, 24, 3, 5, 2, 1>("two ways", false);
    let b = follows::<256, 32, 8, 3, 8, 23, 1, 4, 1, 1>("one way", false);
    let c = follows::<128, 16, 4, 1, 2, 25, 2, 3, 4, 2>("four ways", false);
    for i in 0..8 {
        has_met(
            [a, b, c].iter().all(|events| events[i] > 3),
            format!("event {i}"),
        );
    }
}

/// ORDER-031, ORDER-032: what others change without a word is seen late, but nothing older behind it.
#[test]
fn older_lines_are_never_seen_behind_newer_ones() {
    follows::<64, 8, 2, 2, 4, 24, 3, 5, 2, 1>("calm", true);
}

/// The Verilog does the same as rust-hdl's simulation, under traffic that no rule binds.
#[test]
fn verilog_agrees() {
    crate::stimulus::check_with_memories(
        "weft_cache",
        Cache::<64, 8, 2, 8, 3, 2, 4, 24, 3, 5, 2, 1>::default,
        1500,
        |u, rng, t| {
            u.reset.next = t < 2;
            u.flush.next = rng.chance(1, 50);
            u.cfg_memory_size.next = 0x800u64.into();
            u.ahead_clear.next = rng.flip();
            u.read_valid.next = t > 2 && rng.flip();
            u.read_id.next = rng.bits();
            u.read_address.next = (rng.below(64) * 64 + rng.below(8) * 8).into();
            u.read_length.next = 0u64.into();
            u.read_bypass.next = rng.chance(1, 4);
            u.write_valid.next = t > 2 && rng.flip();
            u.write_id.next = rng.bits();
            u.write_address.next = (rng.below(64) * 64 + rng.below(8) * 8).into();
            u.write_length.next = 0u64.into();
            u.write_data.next = rng.bits();
            u.write_strobes.next = rng.bits();
            u.write_last.next = true;
            u.beat_ready.next = rng.flip();
            u.down_read_ready.next = rng.flip();
            u.down_write_ready.next = rng.flip();
            u.down_beat_valid.next = t > 8 && rng.flip();
            u.down_beat_id.next = rng.bits();
            u.down_beat_data.next = rng.bits();
            u.down_beat_error.next = rng.chance(1, 10);
            u.down_beat_last.next = rng.chance(1, 4);
        },
        |u, level| u.clock.next = level.into(),
    );
}
