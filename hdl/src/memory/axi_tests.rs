//! The memory port between three random clients and a random memory.

use super::*;
use crate::stimulus::has_met;
use std::collections::{BTreeMap, VecDeque};
use weft_rtl::{Bench, Rng};

/// A transaction at a client, and later at the memory.
#[derive(Clone, Debug, PartialEq)]
struct Burst {
    id: u64,
    address: u64,
    /// Writes: data and strobes of each beat.
    beats: Vec<(Vec<u64>, u64)>,
    length: u64,
}

/// What is in a word of 64 bits.
fn content(address: u64) -> u64 {
    address.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ address
}

fn is_broken(address: u64) -> bool {
    address >> 6 & 15 == 7
}

fn to_bits<const N: usize>(words: &[u64]) -> Bits<N> {
    let mut bits = Bits::<N>::default();
    for i in (0..N).filter(|i| words[i / 64] >> (i % 64) & 1 == 1) {
        bits = bits.replace_bit(i, true);
    }
    bits
}

fn words_of<const N: usize>(bits: Bits<N>) -> Vec<u64> {
    (0..N / 64)
        .map(|k| bits.get_bits::<64>(64 * k).to_u64())
        .collect()
}

/// What must not change while `valid` waits for `ready`.
type Held = (bool, u64, u64, u64, Vec<u64>);

/// Waiting requests of a client: since when.
#[derive(Default)]
struct World<const D: usize> {
    reads: VecDeque<Burst>,
    writes: VecDeque<Burst>,
    written: usize,
    /// Reads of the load/store unit by ID: address of the next beat, beats left; writes by ID.
    data_reads: BTreeMap<u64, (u64, u64)>,
    data_writes: BTreeMap<u64, VecDeque<u64>>,
    lines: VecDeque<(u64, u64)>,
    line: Option<u64>,
    token: Option<(bool, u64, u64, Vec<u64>)>,
    token_reads: VecDeque<(u64, u64)>,
    token_writes: VecDeque<(u64, u64)>,
    /// At the memory: reads by ID in order with the beats that have come; write addresses; beats;
    /// writes without response.
    at_memory: BTreeMap<u64, VecDeque<(Burst, u64)>>,
    aw: VecDeque<Burst>,
    w: VecDeque<(Vec<u64>, u64, bool)>,
    whole: BTreeMap<u64, VecDeque<Burst>>,
    /// Writes as they are to arrive, in order, by ID.
    expected: BTreeMap<u64, VecDeque<Burst>>,
    offered_r: Option<u64>,
    offered_b: Option<u64>,
    held: [Option<Held>; 3],
    counts: [usize; 8],
    errors: usize,
    waited: [u64; 5],
}

fn follows<const D: usize, const DS: usize, const M: usize>(name: &str) {
    let mut b = Bench::new(
        MemoryPort::<D, DS, 3, 4, M, 8, 2, 3>::default(),
        |u, level| u.clock.next = level.into(),
    );
    let mut rng = Rng::new(crate::stimulus::given("SEED", 1), name);
    let mut x = World::<D>::default();
    let step = DS as u64;
    let most = 512 / D as u64;
    let token_bytes = M as u64 / 8;
    let mut tag = 0;
    let mut resets = crate::stimulus::Resets::new(120);
    for t in 0..1500u64 {
        // A reset, of clients and memory too.
        let busy = !(x.at_memory.is_empty() && x.aw.is_empty() && x.whole.is_empty());
        let reset = t < 2 || t < 1200 && resets.now(&mut rng, busy);
        b.uut.reset.next = reset;
        if reset {
            b.edge();
            x = World {
                counts: x.counts,
                errors: x.errors,
                ..World::default()
            };
            continue;
        }
        let busy = t < 1200;
        let smooth = t % 1000 < 300;
        // ---- The clients' wishes.
        if busy && x.reads.is_empty() && rng.flip() {
            let id = rng.below(8);
            let address = rng.below(64) * 64 + rng.below(most) * step;
            let length = rng.below((64 - address % 64) / step);
            if !x.data_reads.contains_key(&id) {
                x.reads.push_back(Burst {
                    id,
                    address,
                    beats: vec![],
                    length,
                });
            }
        }
        if busy
            && x.writes.is_empty()
            && x.data_writes.values().map(VecDeque::len).sum::<usize>() < 48
            && rng.flip()
        {
            let address = rng.below(64) * 64 + rng.below(most) * step;
            let length = rng.below((64 - address % 64) / step);
            let beats = (0..=length)
                .map(|_| {
                    (
                        (0..D / 64).map(|_| rng.next()).collect(),
                        rng.next() & (u64::MAX >> (64 - DS)),
                    )
                })
                .collect();
            x.writes.push_back(Burst {
                id: rng.below(8),
                address,
                beats,
                length,
            });
        }
        if busy && x.line.is_none() && x.lines.len() < 4 && rng.flip() {
            x.line = Some(rng.below(64) * 64);
        }
        if busy && x.token.is_none() && rng.flip() {
            tag = (tag + 1) % 256;
            x.token = Some((
                rng.flip(),
                rng.below(256),
                tag,
                (0..M / 64).map(|_| rng.next()).collect(),
            ));
        }
        let u = &mut b.uut;
        u.read_valid.next = false;
        if let Some(r) = x.reads.front() {
            u.read_valid.next = true;
            u.read_id.next = r.id.into();
            u.read_address.next = r.address.into();
            u.read_length.next = r.length.into();
            u.read_bypass.next = r.id % 2 == 1;
        }
        u.write_valid.next = false;
        if let Some(w) = x.writes.front() {
            let (data, strobes) = &w.beats[x.written];
            u.write_valid.next = true;
            u.write_id.next = w.id.into();
            u.write_address.next = w.address.into();
            u.write_length.next = w.length.into();
            u.write_data.next = to_bits(data);
            u.write_strobes.next = to_bits(&[*strobes]);
            u.write_last.next = x.written as u64 == w.length;
        }
        u.line_valid.next = x.line.is_some();
        u.line_address.next = x.line.unwrap_or(0).into();
        u.spill_request_valid.next = false;
        if let Some((write, address, tag, data)) = &x.token {
            u.spill_request_valid.next = true;
            u.spill_request_write.next = *write;
            u.spill_request_address.next = (*address).into();
            u.spill_request_tag.next = (*tag).into();
            u.spill_request_data.next = to_bits(data);
        }
        u.beat_ready.next = smooth || rng.chance(2, 3);
        u.ack_ready.next = smooth || rng.chance(2, 3);
        u.line_beat_ready.next = smooth || rng.chance(2, 3);
        u.spill_response_ready.next = smooth || rng.chance(2, 3);
        // ---- The memory: beats of any ID, in any order.
        u.m_axi.arready.next = smooth || rng.flip();
        u.m_axi.awready.next = smooth || rng.flip();
        u.m_axi.wready.next = smooth || rng.flip();
        if x.offered_r.is_none() && !x.at_memory.is_empty() && (smooth || rng.flip()) {
            let any = rng.below(x.at_memory.len() as u64) as usize;
            x.offered_r = x.at_memory.keys().nth(any).copied();
        }
        u.m_axi.rvalid.next = x.offered_r.is_some();
        if let Some(id) = x.offered_r {
            let (burst, come) = &x.at_memory[&id][0];
            let at = burst.address + come * step;
            u.m_axi.rid.next = id.into();
            u.m_axi.rdata.next = to_bits(
                &(0..D as u64 / 64)
                    .map(|k| content(at + 8 * k))
                    .collect::<Vec<_>>(),
            );
            u.m_axi.rresp.next = (if is_broken(at) { 2u64 } else { 0 }).into();
            u.m_axi.rlast.next = *come == burst.length;
        }
        if x.offered_b.is_none() && !x.whole.is_empty() && (smooth || rng.flip()) {
            let any = rng.below(x.whole.len() as u64) as usize;
            x.offered_b = x.whole.keys().nth(any).copied();
        }
        u.m_axi.bvalid.next = x.offered_b.is_some();
        if let Some(id) = x.offered_b {
            u.m_axi.bid.next = id.into();
            u.m_axi.bresp.next = (if is_broken(x.whole[&id][0].address) {
                3u64
            } else {
                0
            })
            .into();
        }
        b.settle();
        let u = &b.uut;
        // ---- AXI: what is valid stays.
        let ar = (
            u.m_axi.arvalid.val(),
            u.m_axi.arid.val().to_u64(),
            u.m_axi.araddr.val().to_u64(),
            u.m_axi.arlen.val().to_u64(),
            vec![],
        );
        if ar.0 {
            let past = ar.1 < 8 && ar.1 % 2 == 1;
            assert_eq!(u.past.val(), past, "cycle {t}: {ar:x?}");
        }
        let aw = (
            u.m_axi.awvalid.val(),
            u.m_axi.awid.val().to_u64(),
            u.m_axi.awaddr.val().to_u64(),
            u.m_axi.awlen.val().to_u64(),
            vec![],
        );
        let strobes = words_of::<64>(u.m_axi.wstrb.val().to_u64().into())[0];
        let w = (
            u.m_axi.wvalid.val(),
            strobes,
            u64::from(u.m_axi.wlast.val()),
            0,
            words_of(u.m_axi.wdata.val()),
        );
        let ready = [
            u.m_axi.arready.val(),
            u.m_axi.awready.val(),
            u.m_axi.wready.val(),
        ];
        for (i, now) in [ar.clone(), aw.clone(), w.clone()].into_iter().enumerate() {
            if let Some(before) = x.held[i].take() {
                assert_eq!(
                    before, now,
                    "cycle {t}: channel {i} changed while it waited"
                );
            }
            x.held[i] = Some(now).filter(|now| now.0 && !ready[i]);
        }
        assert_eq!(u.m_axi.arsize.val().to_u64(), step.trailing_zeros() as u64);
        // ---- What the memory gets.
        if ar.0 && ready[0] {
            assert!(
                ar.2 % step == 0 && ar.2 % 64 + (ar.3 + 1) * step <= 64,
                "cycle {t}: {ar:?}"
            );
            let burst = Burst {
                id: ar.1,
                address: ar.2,
                beats: vec![],
                length: ar.3,
            };
            // SM-031, of tokens.
            let writes = x.whole.contains_key(&9) || x.aw.iter().any(|w| w.id == 9);
            assert!(
                ar.1 != 9 || !writes,
                "cycle {t}: a token is read beside a write"
            );
            x.at_memory.entry(ar.1).or_default().push_back((burst, 0));
        }
        if aw.0 && ready[1] {
            let reads = x.at_memory.contains_key(&9);
            assert!(
                aw.1 != 9 || !reads,
                "cycle {t}: a token is written beside a read"
            );
            x.aw.push_back(Burst {
                id: aw.1,
                address: aw.2,
                beats: vec![],
                length: aw.3,
            });
        }
        if w.0 && ready[2] {
            x.w.push_back((w.4, w.1, w.2 == 1));
        }
        while let Some(burst) = x.aw.front().filter(|burst| x.w.len() as u64 > burst.length) {
            let mut burst = burst.clone();
            x.aw.pop_front();
            for i in 0..=burst.length {
                let (data, strobes, last) = x.w.pop_front().unwrap();
                assert_eq!(last, i == burst.length, "cycle {t}");
                burst.beats.push((data, strobes));
            }
            let want = x.expected.get_mut(&burst.id).and_then(VecDeque::pop_front);
            assert_eq!(Some(&burst), want.as_ref(), "cycle {t}");
            x.whole.entry(burst.id).or_default().push_back(burst);
        }
        if u.m_axi.rvalid.val() && u.m_axi.rready.val() {
            let id = x.offered_r.take().unwrap();
            let queue = x.at_memory.get_mut(&id).unwrap();
            queue[0].1 += 1;
            if queue[0].1 > queue[0].0.length {
                queue.pop_front();
            }
            if queue.is_empty() {
                x.at_memory.remove(&id);
            }
        }
        if u.m_axi.bvalid.val() && u.m_axi.bready.val() {
            let id = x.offered_b.take().unwrap();
            let queue = x.whole.get_mut(&id).unwrap();
            queue.pop_front();
            if queue.is_empty() {
                x.whole.remove(&id);
            }
        }
        // ---- What the clients get.
        if u.beat_valid.val() && u.beat_ready.val() {
            let id = u.beat_id.val().to_u64();
            let (address, left) = x.data_reads[&id];
            let want: Vec<u64> = (0..D as u64 / 64)
                .map(|k| content(address + 8 * k))
                .collect();
            assert_eq!(words_of(u.beat_data.val()), want, "cycle {t}");
            assert_eq!(u.beat_error.val(), is_broken(address), "cycle {t}");
            assert_eq!(u.beat_last.val(), left == 0, "cycle {t}");
            if left == 0 {
                x.data_reads.remove(&id);
                x.counts[0] += 1;
            } else {
                x.data_reads.insert(id, (address + step, left - 1));
            }
        }
        if u.ack_valid.val() && u.ack_ready.val() {
            let id = u.ack_id.val().to_u64();
            let address = x.data_writes.get_mut(&id).unwrap().pop_front().unwrap();
            assert_eq!(u.ack_error.val(), is_broken(address), "cycle {t}");
            x.counts[1] += 1;
        }
        if u.line_beat_valid.val() && u.line_beat_ready.val() {
            let (address, come) = x.lines.front_mut().unwrap();
            let want: Vec<u64> = (0..D as u64 / 64)
                .map(|k| content(*address + *come * step + 8 * k))
                .collect();
            assert_eq!(words_of(u.line_beat_data.val()), want, "cycle {t}");
            assert_eq!(u.line_beat_error.val(), is_broken(*address));
            *come += 1;
            assert_eq!(u.line_beat_last.val(), *come == most, "cycle {t}");
            if *come == most {
                x.lines.pop_front();
                x.counts[2] += 1;
            }
        }
        x.errors += usize::from(u.spill_error.val());
        if u.spill_response_valid.val() && u.spill_response_ready.val() {
            let write = u.spill_response_write.val();
            let (address, tag) = if write {
                &mut x.token_writes
            } else {
                &mut x.token_reads
            }
            .pop_front()
            .unwrap();
            assert_eq!(u.spill_response_tag.val().to_u64(), tag, "cycle {t}");
            if !write {
                let want: Vec<u64> = (0..M as u64 / 64)
                    .map(|k| content(address * token_bytes + 8 * k))
                    .collect();
                assert_eq!(
                    words_of(u.spill_response_data.val()),
                    want,
                    "cycle {t}: token {address}"
                );
            }
            x.counts[3 + usize::from(write)] += 1;
        }
        // ---- What the port takes. Nobody waits while others are served over and over.
        let taken = [
            u.read_valid.val() && u.read_ready.val(),
            u.write_valid.val() && u.write_ready.val(),
            u.line_valid.val() && u.line_ready.val(),
            u.spill_request_valid.val() && u.spill_request_ready.val(),
        ];
        let wants = [
            u.read_valid.val(),
            u.write_valid.val(),
            u.line_valid.val(),
            u.spill_request_valid.val(),
        ];
        for i in 0..4 {
            x.waited[i] = if wants[i] && !taken[i] {
                x.waited[i] + 1
            } else {
                0
            };
            assert!(x.waited[i] < 300, "cycle {t}: client {i} waits");
        }
        if taken[0] {
            let r = x.reads.pop_front().unwrap();
            x.data_reads.insert(r.id, (r.address, r.length));
        }
        if taken[1] {
            x.written += 1;
            if u.write_last.val() {
                let w = x.writes.pop_front().unwrap();
                x.written = 0;
                x.data_writes.entry(w.id).or_default().push_back(w.address);
                x.expected.entry(w.id).or_default().push_back(w);
            }
        }
        if taken[2] {
            x.lines.push_back((x.line.take().unwrap(), 0));
        }
        if taken[3] {
            let (write, address, tag, data) = x.token.take().unwrap();
            if write {
                x.token_writes.push_back((address, tag));
                let at = address * token_bytes;
                let beats = (at / step..(at + token_bytes).div_ceil(step)).map(|beat| {
                    // Bytes of the token in this beat; the others are free.
                    let strobes = (0..step)
                        .filter(|i| (at..at + token_bytes).contains(&(beat * step + i)))
                        .fold(0, |all, i| all | 1u64 << i);
                    let words = (0..step / 8)
                        .map(|k| data[((beat * step + 8 * k) / 8) as usize % data.len()])
                        .collect();
                    (words, strobes)
                });
                let beats: Vec<_> = beats.collect();
                let length = beats.len() as u64 - 1;
                x.expected.entry(9).or_default().push_back(Burst {
                    id: 9,
                    address: at & !(step - 1),
                    beats,
                    length,
                });
            } else {
                x.token_reads.push_back((address, tag));
            }
        }
        let left = x.data_reads.len() + x.lines.len() + x.token_reads.len() + x.token_writes.len();
        if left == 0 && x.data_writes.values().all(VecDeque::is_empty) && !busy && t > 1450 {
            assert!(u.idle.val(), "cycle {t}");
        }
        if u.idle.val() {
            assert!(
                x.at_memory.is_empty() && x.aw.is_empty() && x.w.is_empty() && x.whole.is_empty(),
                "cycle {t}"
            );
        }
        b.edge();
    }
    println!("{name}: {:?}, errors {}", x.counts, x.errors);
    resets.check(name);
    has_met(x.counts[..5].iter().all(|&n| n >= 10) && x.errors > 2, name);
    assert!(b.uut.idle.val());
}

#[test]
fn follows_the_specification() {
    follows::<64, 8, 64>("narrow");
    follows::<64, 8, 128>("two beats");
    follows::<128, 16, 64>("two tokens");
    follows::<256, 32, 128>("wide");
}

#[test]
fn verilog_agrees() {
    fn agrees<const D: usize, const DS: usize, const M: usize>(name: &str) {
        crate::stimulus::check_with_memories(
            name,
            MemoryPort::<D, DS, 3, 4, M, 8, 2, 3>::default,
            600,
            |u, rng, t| {
                u.reset.next = t < 2;
                u.read_valid.next = rng.flip();
                u.read_id.next = rng.bits();
                u.read_address.next = rng.bits();
                u.read_length.next = rng.bits();
                u.read_bypass.next = rng.flip();
                u.write_valid.next = rng.flip();
                u.write_id.next = rng.bits();
                u.write_address.next = rng.bits();
                u.write_data.next = rng.bits();
                u.write_strobes.next = rng.bits();
                u.write_last.next = rng.flip();
                u.line_valid.next = rng.flip();
                u.line_address.next = rng.bits();
                u.spill_request_valid.next = rng.flip();
                u.spill_request_write.next = rng.flip();
                u.spill_request_address.next = rng.bits();
                u.spill_request_data.next = rng.bits();
                u.spill_request_tag.next = rng.bits();
                u.beat_ready.next = rng.flip();
                u.ack_ready.next = rng.flip();
                u.line_beat_ready.next = rng.flip();
                u.spill_response_ready.next = rng.flip();
                u.m_axi.arready.next = rng.flip();
                u.m_axi.awready.next = rng.flip();
                u.m_axi.wready.next = rng.flip();
                u.m_axi.rvalid.next = rng.flip();
                u.m_axi.rid.next = rng.bits();
                u.m_axi.rdata.next = rng.bits();
                u.m_axi.rresp.next = rng.bits();
                u.m_axi.rlast.next = rng.flip();
                u.m_axi.bvalid.next = rng.flip();
                u.m_axi.bid.next = rng.bits();
                u.m_axi.bresp.next = rng.bits();
            },
            |u, level| u.clock.next = level.into(),
        );
    }
    agrees::<64, 8, 64>("weft_memory_port");
    agrees::<256, 32, 128>("weft_memory_port_wide");
}
