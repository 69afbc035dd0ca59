//! The L2 between random SMs and a random memory, whose lines have versions.
//!
//! A write makes a new version of a line, at some time between its address and its response; so does the host, past the
//! L2. What a read gives is no older than what it must see (`docs/spec/l2.md`), and never of another line.

use super::rig::Rig;
use crate::hdl::*;
use crate::stimulus::has_met;
use std::collections::VecDeque;
use weft_rtl::{Bench, Rng};

const LINES: u64 = 20;
/// Beats of this line come with an error.
const BAD: u64 = 7;
const EI: u64 = 3;
const TEXT: u64 = 1 << EI;
const TOKEN: u64 = TEXT + 1;

struct Read {
    sm: usize,
    id: u64,
    line: u64,
    first: u64,
    next: u64,
    last: u64,
    /// Of an LR or AMO.
    past: bool,
    number: u64,
    /// The oldest version that it may see, and the one that it has seen.
    floor: u64,
    version: Option<u64>,
}

/// A read that the memory has taken.
struct Fetch {
    sm: usize,
    id: u64,
    line: u64,
    next: u64,
    last: u64,
    version: Option<u64>,
}

struct Write {
    id: u64,
    line: u64,
    version: u64,
    landed: bool,
}

#[derive(Default)]
struct Memory {
    /// Versions: the newest, the one that is there, and the one whose response all have.
    newest: Vec<u64>,
    landed: Vec<u64>,
    answered: Vec<u64>,
    fetches: VecDeque<Fetch>,
    writes: VecDeque<Write>,
}

impl Memory {
    /// What is read of a line later is not older.
    fn look(&mut self, at: usize) {
        for n in 0..=at {
            let landed = &self.landed;
            let line = self.fetches[at].line;
            let fetch = &mut self.fetches[n];
            if fetch.line == line && fetch.version.is_none() {
                fetch.version = Some(landed[line as usize]);
            }
        }
    }

    /// Writes of one ID come in their order.
    fn land(&mut self, at: usize) {
        let id = self.writes[at].id;
        for write in self.writes.iter_mut().take(at + 1) {
            if write.id == id && !write.landed {
                write.landed = true;
                let landed = &mut self.landed[write.line as usize];
                *landed = write.version.max(*landed);
            }
        }
    }
}

fn beat_of<const D: usize>(line: u64, version: u64, beat: u64) -> Bits<D> {
    let low: Bits<D> = (version << 16 | line << 8 | beat).into();
    // Something in the high bits, too.
    low | (Bits::<D>::from(line ^ version) << (D as u64 - 16))
}

/// Counts of `events`, and of stale lines that were given.
fn follows<
    const S: usize,
    const MB: usize,
    const M: usize,
    const IO: usize,
    const A: usize,
    const D: usize,
    const NB: usize,
    const BC: usize,
    const SB: usize,
    const N: usize,
    const TB: usize,
    const Y: usize,
    const YB: usize,
    const PB: usize,
    const F: usize,
>(
    name: &str,
) -> [u64; 6] {
    let mut b = Bench::new(
        Rig::<S, MB, M, IO, A, D, NB, BC, SB, N, TB, Y, YB, PB, F>::default(),
        |u, level| u.clock.next = level.into(),
    );
    let mut rng = Rng::new(crate::stimulus::given("SEED", 1), name);
    let beats = NB as u64;
    let mut memory = Memory {
        newest: vec![1; LINES as usize],
        landed: vec![1; LINES as usize],
        answered: vec![1; LINES as usize],
        ..Memory::default()
    };
    let mut forgotten = vec![1; LINES as usize];
    let mut asked: Vec<Option<Read>> = (0..S).map(|_| None).collect();
    let mut reads: Vec<Read> = Vec::new();
    let mut history: Vec<(usize, u64, u64, u64)> = Vec::new();
    // What each SM was offered and has not taken; the beat and the response that the memory offers.
    let mut stood: Vec<Option<(u64, Bits<D>, bool)>> = vec![None; S];
    let mut beat: Option<usize> = None;
    let mut response: Option<usize> = None;
    let mut late: VecDeque<(u64, u64)> = VecDeque::new();
    let mut events = [0; 6];
    let (mut number, mut errors, mut resets) = (0, 0, 0);
    for t in 0..crate::stimulus::given("CYCLES", 4_500) {
        let reset = t < 2 || rng.chance(1, 900);
        let forget = rng.chance(1, 150);
        let (greedy, slow) = (t / 500 % 2 == 0, t / 1000 % 3 == 2);
        // A few lines that are written often, or many; one SM whose addresses hardly go to memory.
        let lines = if t / 700 % 2 == 0 { 3 } else { LINES };
        let starved = (t / 350) % (2 * S as u64);
        b.uut.reset.next = reset;
        b.uut.forget.next = forget;
        if reset {
            resets += 1;
            memory.fetches.clear();
            for n in 0..memory.writes.len() {
                memory.land(n);
            }
            memory.writes.clear();
            late.clear();
            reads.clear();
            history.clear();
            (beat, response) = (None, None);
            stood.fill(None);
            asked.iter_mut().for_each(|a| *a = None);
            memory.answered = memory.landed.clone();
            forgotten = memory.landed.clone();
        }
        // ---- SMs ask.
        for (sm, asks) in asked.iter_mut().enumerate() {
            if asks.is_none() && !reset && rng.chance(if greedy { 2 } else { 1 }, 3) {
                let used = |id: u64| reads.iter().filter(|r| r.sm == sm && r.id == id).count();
                let id = rng.below(TOKEN + 1);
                let free = match id {
                    TEXT => used(id) < 4,
                    TOKEN => true,
                    _ => used(id) == 0,
                };
                let short = id == TOKEN || id != TEXT && rng.chance(1, 5);
                let first = if short { rng.below(beats) } else { 0 };
                let last = if short { first } else { beats - 1 };
                let line = rng.below(lines);
                // An LR or AMO, of a whole line, too.
                let past = id < TEXT && rng.chance(1, 6);
                if free {
                    number += 1;
                    let read = Read {
                        sm,
                        id,
                        line,
                        first,
                        next: first,
                        last,
                        past,
                        number,
                        floor: 0,
                        version: None,
                    };
                    *asks = Some(read);
                }
            }
            b.uut.s_arvalid[sm].next = asks.is_some();
            if let Some(read) = asks.as_ref() {
                b.uut.s_arid[sm].next = read.id.into();
                b.uut.s_araddr[sm].next = (read.line * 64 + read.first * 64 / beats).into();
                b.uut.s_arlen[sm].next = (read.last - read.first).into();
                b.uut.s_past[sm].next = read.past;
            }
            b.uut.s_rready[sm].next = greedy || rng.chance(1, 2);
            b.uut.m_arready[sm].next = false;
            b.uut.m_rvalid[sm].next = false;
        }
        // ---- One address goes to memory, and one beat comes from there.
        let taker = rng.below(S as u64) as usize;
        b.uut.m_arready[taker].next =
            (!slow || rng.chance(1, 4)) && (taker as u64 != starved || rng.chance(1, 20));
        if beat.is_none() && !memory.fetches.is_empty() && rng.chance(if slow { 1 } else { 3 }, 4) {
            let at = rng.below(memory.fetches.len() as u64) as usize;
            let of = (memory.fetches[at].sm, memory.fetches[at].id);
            beat = memory.fetches.iter().position(|f| (f.sm, f.id) == of);
            memory.look(beat.unwrap());
        }
        if let Some(at) = beat {
            let fetch = &memory.fetches[at];
            b.uut.m_rvalid[fetch.sm].next = true;
            b.uut.m_rid.next = fetch.id.into();
            b.uut.m_rdata.next = beat_of(fetch.line, fetch.version.unwrap(), fetch.next);
            b.uut.m_rlast.next = fetch.next == fetch.last;
            b.uut.m_rresp.next = if fetch.line == BAD {
                2.into()
            } else {
                0.into()
            };
        }
        if !memory.fetches.is_empty() && rng.chance(1, 3) {
            let at = rng.below(memory.fetches.len() as u64) as usize;
            memory.look(at);
        }
        // ---- Writes: a store of an SM, one of a token, of the front end. Stores of one ID are of one line.
        let id = match rng.below(8) {
            0 => rng.below(2) << 4,
            1 => (2 + rng.below(S as u64)) << 4 | TOKEN,
            _ => (2 + rng.below(S as u64)) << 4 | rng.below(TEXT),
        };
        let before = memory.writes.iter().find(|w| w.id == id);
        let is_store = id >> 4 > 1 && id & TEXT == 0;
        let line = match before.filter(|_| is_store) {
            Some(write) => write.line,
            None => rng.below(lines),
        };
        let many = memory.writes.iter().filter(|w| w.id == id).count() >= 3;
        let writes = !reset && !many && rng.chance(1, 12);
        b.uut.write_valid.next = writes;
        b.uut.write_id.next = id.into();
        b.uut.write_line.next = line.into();
        if response.is_none() && !memory.writes.is_empty() && rng.chance(1, 6) {
            let at = rng.below(memory.writes.len() as u64) as usize;
            let id = memory.writes[at].id;
            response = memory.writes.iter().position(|w| w.id == id);
            memory.land(response.unwrap());
        }
        b.uut.b_mvalid.next = response.is_some();
        if let Some(at) = response {
            b.uut.b_mid.next = memory.writes[at].id.into();
        }
        b.uut.b_sready.next = rng.chance(2, 3);
        if !memory.writes.is_empty() && rng.chance(1, 6) {
            let at = rng.below(memory.writes.len() as u64) as usize;
            memory.land(at);
        }
        // ---- The host writes past the L2.
        if rng.chance(1, 100) {
            let line = rng.below(LINES) as usize;
            memory.newest[line] += 1;
            memory.landed[line] = memory.newest[line];
        }

        b.settle();
        for (n, event) in events.iter_mut().take(5).enumerate() {
            *event += u64::from(b.uut.events.val().get_bit(n) && !reset);
        }
        for (sm, stands) in stood.iter_mut().enumerate() {
            // ---- What was offered stays.
            let offered = b.uut.s_rvalid[sm].val().then(|| {
                let (id, data) = (b.uut.s_rid[sm].val().to_u64(), b.uut.s_rdata[sm].val());
                (id, data, b.uut.s_rlast[sm].val())
            });
            assert!(
                stands.is_none() || *stands == offered || reset,
                "{name} {t}: SM {sm} a beat is taken back"
            );
            *stands = offered.filter(|_| !b.uut.s_rready[sm].val() && !reset);
            let Some((id, data, last)) = offered.filter(|_| b.uut.s_rready[sm].val() && !reset)
            else {
                continue;
            };
            let at = reads.iter().position(|r| r.sm == sm && r.id == id);
            let at = at.unwrap_or_else(|| {
                panic!("{name} {t}: SM {sm}: beat of {id}, which has not asked")
            });
            let read = &mut reads[at];
            let error = b.uut.s_rresp[sm].val().get_bit(1);
            assert_eq!(
                error,
                read.line == BAD,
                "{name} {t}: SM {sm} line {}",
                read.line
            );
            errors += u64::from(error);
            let version = (data.get_bits::<32>(16)).to_u64();
            let line = read.line;
            assert_eq!(
                data,
                beat_of(line, version, read.next),
                "{name} {t}: SM {sm} line {line}"
            );
            assert_eq!(
                *read.version.get_or_insert(version),
                version,
                "{name} {t}: SM {sm} line {line} is torn"
            );
            assert!(
                version >= read.floor,
                "{name} {t}: SM {sm} line {line}: {version}, and {} was there",
                read.floor
            );
            assert!(
                version <= memory.newest[line as usize],
                "{name} {t}: SM {sm} line {line}"
            );
            events[5] += u64::from(version < memory.landed[line as usize]);
            assert_eq!(
                last,
                read.next == read.last,
                "{name} {t}: SM {sm} line {line}"
            );
            read.next += 1;
            if last {
                let read = reads.remove(at);
                for &(of, line, number, seen) in &history {
                    let (later, earlier) = match number < read.number {
                        true => (version, seen),
                        false => (seen, version),
                    };
                    let same = of == sm && line == read.line;
                    assert!(
                        !same || later >= earlier,
                        "{name} {t}: SM {sm} line {line}: {earlier} before {later}"
                    );
                }
                history.push((sm, line, read.number, version));
                if history.len() > 60 {
                    history.remove(0);
                }
            }
        }
        for (sm, asks) in asked.iter_mut().enumerate() {
            if b.uut.s_arready[sm].val() && !reset {
                if let Some(mut read) = asks.take() {
                    let line = read.line as usize;
                    read.floor = memory.answered[line].max(forgotten[line]);
                    if read.past || read.last - read.first + 1 < beats {
                        read.floor = memory.landed[line];
                    }
                    reads.push(read);
                }
            }
            if b.uut.m_arvalid[sm].val() && b.uut.m_arready[sm].val() && !reset {
                let line = b.uut.m_araddr[sm].val().to_u64() / 64;
                let next = b.uut.m_araddr[sm].val().to_u64() % 64 * beats / 64;
                let last = next + b.uut.m_arlen[sm].val().to_u64();
                let id = b.uut.m_arid[sm].val().to_u64();
                memory.fetches.push_back(Fetch {
                    sm,
                    id,
                    line,
                    next,
                    last,
                    version: None,
                });
            }
            if let Some(at) = beat {
                let taken = memory.fetches[at].sm == sm && b.uut.m_rready[sm].val() && !reset;
                if taken {
                    beat = None;
                    memory.fetches[at].next += 1;
                    if memory.fetches[at].next > memory.fetches[at].last {
                        memory.fetches.remove(at);
                    }
                }
            }
        }
        // ---- Responses: who has one sees what was written.
        if b.uut.b_svalid.val() && b.uut.b_sready.val() && !reset {
            let id = b.uut.b_sid.val().to_u64();
            let at = late.iter().position(|(of, _)| *of == id);
            let at = at.unwrap_or_else(|| panic!("{name} {t}: a response to {id:x}"));
            let (_, line_version) = late.remove(at).unwrap();
            let (line, version) = ((line_version >> 32) as usize, line_version & 0xffff_ffff);
            memory.answered[line] = memory.answered[line].max(version);
        }
        if response.is_some() && b.uut.b_mready.val() && !reset {
            let write = memory.writes.remove(response.take().unwrap()).unwrap();
            late.push_back((write.id, write.line << 32 | write.version));
        }
        if writes {
            memory.newest[line as usize] += 1;
            let version = memory.newest[line as usize];
            memory.writes.push_back(Write {
                id,
                line,
                version,
                landed: false,
            });
        }
        if forget {
            for (old, landed) in forgotten.iter_mut().zip(&memory.landed) {
                *old = *landed.max(old);
            }
        }
        b.edge();
    }
    has_met(
        errors > 20 && resets > 3,
        format_args!("{name}: {errors} errors, {resets} resets"),
    );
    events
}

#[test]
fn follows_the_specification() {
    let all = [
        follows::<1, 3, 8, 7, 6, 64, 8, 3, 1, 2, 25, 1, 1, 1, 1>("1 SM, 1 way, 2 sets"),
        follows::<2, 3, 8, 7, 6, 64, 8, 3, 2, 4, 24, 2, 1, 3, 4>("2 SMs, 2 ways"),
        follows::<3, 3, 8, 7, 6, 128, 4, 2, 1, 2, 25, 4, 2, 3, 3>("3 SMs, 4 ways"),
        follows::<4, 3, 8, 7, 6, 256, 2, 1, 3, 8, 23, 1, 1, 3, 5>("4 SMs, beats of 256"),
        follows::<5, 3, 8, 7, 6, 64, 8, 3, 1, 2, 25, 8, 3, 4, 16>("5 SMs, 8 ways"),
        follows::<8, 4, 16, 8, 7, 64, 8, 3, 1, 2, 25, 4, 2, 3, 16>("8 SMs, 4 ways"),
    ];
    for (n, what) in ["hits", "held", "not held", "short", "again", "stale"]
        .iter()
        .enumerate()
    {
        let counts: Vec<u64> = all.iter().map(|events| events[n]).collect();
        has_met(
            counts.iter().sum::<u64>() > 100,
            format_args!("{what}: {counts:?}"),
        );
    }
}

#[test]
fn verilog_agrees() {
    crate::stimulus::check_with_memories(
        "l2",
        Rig::<3, 3, 8, 7, 6, 64, 8, 3, 1, 2, 25, 2, 1, 2, 3>::default,
        2000,
        |u, rng: &mut Rng, t| {
            for s in 0..3 {
                u.s_arvalid[s].next = t > 1 && rng.chance(1, 2);
                u.s_arid[s].next = rng.below(10).into();
                u.s_araddr[s].next = (rng.below(12) << 6).into();
                u.s_arlen[s].next = if rng.chance(1, 8) { 0.into() } else { 7.into() };
                u.s_past[s].next = rng.chance(1, 8);
                u.s_rready[s].next = rng.chance(3, 4);
                u.m_arready[s].next = rng.chance(1, 2);
                u.m_rvalid[s].next = false;
            }
            u.m_rvalid[rng.below(3) as usize].next = t > 1 && rng.chance(1, 2);
            u.m_rid.next = rng.below(10).into();
            u.m_rdata.next = rng.bits();
            u.m_rresp.next = if rng.chance(1, 20) {
                2.into()
            } else {
                0.into()
            };
            u.m_rlast.next = rng.chance(1, 8);
            u.write_valid.next = t > 1 && rng.chance(1, 8);
            u.write_id.next = rng.below(5 << 4).into();
            u.write_line.next = rng.below(12).into();
            u.b_mvalid.next = t > 1 && rng.chance(1, 8);
            u.b_mid.next = rng.below(5 << 4).into();
            u.b_mresp.next = rng.bits();
            u.b_sready.next = rng.chance(2, 3);
            u.forget.next = rng.chance(1, 100);
            u.reset.next = t < 2 || rng.chance(1, 900);
        },
        |u, level| u.clock.next = level.into(),
    );
}
