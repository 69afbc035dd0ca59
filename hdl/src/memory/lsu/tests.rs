//! The load/store unit under random traffic, against a map of bytes.
//!
//! The reference does what the page says at each `effect_*`, and foresees from it every row, completion and fault.
//! The memory behind the port changes a byte only when it answers the write, and looks at a byte only when it answers
//! the read, in any order of places, so that an access that passed another one would be found out.

use super::*;
use crate::stimulus::{given, has_met, Resets};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use weft_rtl::{Bench, Rng};

/// 4 warps of 8 threads on 4 lanes, 64 bits.
type Tiny = Lsu<
    4,
    2,
    8,
    3,
    5,
    4,
    2,
    128,
    24,
    104,
    4,
    1,
    3,
    1,
    5,
    6,
    48,
    8,
    3,
    5,
    8,
    3,
    6,
    64,
    8,
    7,
    3,
    2,
    6,
>;

const WARPS: usize = 4;
const THREADS: usize = 8;
const LANES: usize = 4;
const MEMORY_BASE: u64 = 0x1080;
const MEMORY_SIZE: u64 = 0x2_0000;
const LOCAL_BASE: u64 = 0x1_0000;
const LOCAL_BYTES: u64 = 0x40;
const SCRATCHPAD_BYTES: u64 = 0x80;
/// Reads and writes of this line are answered with an error.
const BROKEN: u64 = 0x3000;
/// Of this line every second beat that is read, and no write.
const TORN: u64 = 0x3040;
/// The writes of this line, and no read.
const REFUSED: u64 = 0x3080;

fn unreadable(at: u64) -> bool {
    at & !63 == BROKEN || at & !63 == TORN && at & 8 != 0
}

fn unwritable(at: u64) -> bool {
    matches!(at & !63, BROKEN | REFUSED)
}

/// 16 warps of 32 threads on 8 lanes, 16 KiB of scratchpad.
type Default16 = Lsu<
    16,
    4,
    32,
    5,
    9,
    8,
    3,
    256,
    48,
    208,
    5,
    2,
    4,
    2,
    6,
    7,
    55,
    16,
    4,
    6,
    16,
    4,
    9,
    64,
    8,
    8,
    3,
    2,
    7,
>;

/// `OUT=directory` keeps the Verilog.
fn exports<B: Block>(mut block: B, name: &str) {
    block.connect_all();
    let verilog = weft_rtl::export(&block, name).unwrap();
    let report = weft_rtl::verilator_lint(&verilog).unwrap();
    assert!(report.is_clean(), "{}", report.messages.join("\n"));
    if let Ok(directory) = std::env::var("OUT") {
        std::fs::write(format!("{directory}/{name}.v"), verilog.bundle()).unwrap();
    }
}

#[test]
fn sizes_export() {
    exports(Tiny::default(), "weft_lsu_tiny");
    exports(Default16::default(), "weft_lsu_default");
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Op {
    Load,
    Store,
    Fence,
    Reserve,
    Conditional,
    Amo(u64),
}

impl Op {
    fn code(self) -> u64 {
        match self {
            Op::Load => 0,
            Op::Store => 1,
            Op::Fence => 2,
            Op::Reserve => 4,
            Op::Conditional => 5,
            Op::Amo(n) => 16 + n,
        }
    }
    fn has_row(self) -> bool {
        !matches!(self, Op::Store | Op::Fence)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Lane {
    /// Not of the instruction.
    #[default]
    Off,
    Waits,
    /// It took effect; what its register gets.
    Effect(u64),
    /// It does not take effect: cause.
    Bad(u64),
}

/// An instruction from its first pass to its completion.
#[derive(Clone, Debug)]
struct Instruction {
    op: Op,
    size: u32,
    signed: bool,
    /// 1 it releases, 2 it acquires.
    order: u64,
    rd: Option<u64>,
    pc: u64,
    address: [u64; THREADS],
    data: [u64; THREADS],
    lanes: [Lane; THREADS],
    /// Parts whose row has been taken, or that have none.
    rows: [bool; THREADS / LANES],
    /// Threads whose result is nobody's concern: served by a response with an error, or of bytes that nobody has written
    /// since the reset.
    errors: Vec<usize>,
    unknown: Vec<usize>,
    /// Its fault was reported.
    reported: bool,
}

impl Instruction {
    /// The fault that it has to report before it completes: thread, cause.
    fn fault(&self) -> Option<(usize, u64)> {
        (0..THREADS).find_map(|t| match self.lanes[t] {
            Lane::Bad(cause) => Some((t, cause)),
            _ if self.errors.contains(&t) => Some((t, 10)),
            _ => None,
        })
    }
}

/// Where a byte is: window, and number in it. Local memory is one per thread.
fn place(warp: usize, thread: usize, address: u64, base: u64) -> Result<u64, u64> {
    let offset = address & 0x0FFF_FFFF;
    match address >> 28 {
        0xC if offset < LOCAL_BYTES => {
            let slot = (warp * THREADS + thread) as u64;
            Ok(LOCAL_BASE + (offset / 4 * (WARPS * THREADS) as u64 + slot) * 4 + offset % 4)
        }
        0xD if offset < SCRATCHPAD_BYTES => Ok(0xD000_0000 + base + offset),
        0xC | 0xD => Err(6),
        _ if (MEMORY_BASE..MEMORY_SIZE).contains(&address) => Ok(address),
        _ => Err(6),
    }
}

fn amo(operation: u64, old: u64, operand: u64) -> u64 {
    let (a, b) = (old as u32, operand as u32);
    u64::from(match operation {
        0 => a.wrapping_add(b),
        1 => b,
        2 => a ^ b,
        3 => a | b,
        4 => a & b,
        5 => (a as i32).min(b as i32) as u32,
        6 => (a as i32).max(b as i32) as u32,
        7 => a.min(b),
        _ => a.max(b),
    })
}

/// A burst at the memory.
#[derive(Clone, Debug)]
struct Burst {
    id: u64,
    address: u64,
    beats: u64,
    /// Cycle of the answer.
    due: u64,
    /// Writes: bytes.
    bytes: Vec<(u64, u64)>,
}

#[derive(Default)]
struct Counts {
    effects: usize,
    shared: usize,
    faults: usize,
    late: usize,
    succeeded: usize,
    failed: usize,
    most_lines: usize,
    rows: usize,
    fences: usize,
    /// Effects of instructions behind a fence whose completion stands at its port.
    behind: usize,
    /// Acquires and releases that took effect, first accesses behind an acquire.
    ordered: usize,
    behind_acquires: usize,
    amos: Amos,
    /// Beats that waited; the cycles that the present one has, and most of them.
    beats_waited: usize,
    beat_waits: usize,
    longest_wait: usize,
}

/// Accesses of AMOs to memory.
#[derive(Default)]
struct Amos {
    /// By their lanes less one.
    lanes: [usize; LANES],
    /// Two or more lanes at one word; all of four.
    meet: usize,
    all_meet: usize,
    /// A pass in so many lines, less one.
    lines: [usize; LANES],
    /// It writes no word, as none has changed.
    still: usize,
    /// Some of its words, all of them could not be read; its write was refused.
    torn: usize,
    unread: usize,
    refused: usize,
}

impl Amos {
    fn add(&mut self, other: &Amos) {
        for l in 0..LANES {
            self.lanes[l] += other.lanes[l];
            self.lines[l] += other.lines[l];
        }
        self.meet += other.meet;
        self.all_meet += other.all_meet;
        self.still += other.still;
        self.torn += other.torn;
        self.unread += other.unread;
        self.refused += other.refused;
    }
}

/// Which instruction of a warp that is `offered` now is complete, if any can be.
/// `fence`: a fence was over in the cycle before. `sent`: whether all its passes were taken; `writes`: whether a write of
/// the warp has no response.
/// Of instructions without rd any may be meant: the first one that can be complete.
fn complete(
    flight: &[Instruction],
    rd: Option<u64>,
    fence: bool,
    sent: impl Fn(&Instruction) -> bool,
    writes: bool,
) -> Option<usize> {
    let placed = |i: &Instruction| !i.lanes.contains(&Lane::Waits) && i.rows.iter().all(|&r| r);
    (0..flight.len()).find(|&n| {
        let i = &flight[n];
        // What a fence waits for (MEM-014).
        let waits = fence && (writes || !flight[..n].iter().all(placed));
        let told = i.fault().is_none() || i.reported;
        i.rd == rd && fence == (i.op == Op::Fence) && sent(i) && !waits && placed(i) && told
    })
}

struct World {
    bench: Bench<Tiny>,
    rng: Rng,
    /// What the effects so far have left, and what the memory holds.
    order: BTreeMap<u64, u64>,
    memory: BTreeMap<u64, u64>,
    /// Instructions of each warp, in program order.
    flight: [Vec<Instruction>; WARPS],
    /// Passes that are to be offered, and the one on offer.
    passes: VecDeque<(usize, usize, usize, bool, bool)>,
    reads: Vec<Burst>,
    /// Reads whose beats come: beats that have come.
    answering: Vec<(Burst, u64)>,
    writes: Vec<Burst>,
    beats: Vec<(u64, u64)>,
    /// Writes that have taken effect and whose fault may come: warp, pc, thread.
    late: Vec<(usize, u64, usize)>,
    reservations: BTreeMap<(usize, usize), u64>,
    /// Where each thread had one last, also before a reset.
    reserved: BTreeMap<(usize, usize), u64>,
    /// Bytes of the scratchpad that have what they had before a reset, or anything.
    unknown: BTreeSet<u64>,
    resets: Resets,
    /// Warps whose writes to a line have no response yet, in order, and the bytes that they write.
    writers: BTreeMap<u64, VecDeque<(usize, BTreeSet<u64>)>>,
    /// Instructions are AMOs, mostly.
    amos: bool,
    /// What stands at the port of completions: warp, pc. Whether a fence was over in the cycle before.
    offered: Option<(usize, u64)>,
    fence_over: bool,
    /// Of each warp: pc of its latest acquire that has acted, with nothing behind it yet; its latest row or response.
    acquire: [Option<u64>; WARPS],
    answered: [u64; WARPS],
    /// The latest pulse.
    acquired: u64,
    /// By hand instead of at random: instructions of warps, and for how many cycles a fence that is complete is not taken.
    script: Option<VecDeque<(usize, Instruction)>>,
    stands: u64,
    counts: Counts,
    next_pc: u64,
    /// `next_pc` at the latest reset.
    before_reset: u64,
    base: [u64; WARPS],
    latency: u64,
}

impl World {
    fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed, "lsu");
        let latency = [1, 4, 30][rng.below(3) as usize];
        Self {
            bench: Bench::new(Tiny::default(), |u, level| u.clock.next = level.into()),
            rng,
            order: BTreeMap::new(),
            memory: BTreeMap::new(),
            flight: Default::default(),
            passes: VecDeque::new(),
            reads: vec![],
            answering: vec![],
            writes: vec![],
            beats: vec![],
            late: vec![],
            reservations: BTreeMap::new(),
            reserved: BTreeMap::new(),
            unknown: BTreeSet::new(),
            resets: Resets::new(120),
            writers: BTreeMap::new(),
            amos: false,
            offered: None,
            fence_over: false,
            acquire: [None; WARPS],
            answered: [0; WARPS],
            acquired: 0,
            script: None,
            stands: 0,
            counts: Counts::default(),
            next_pc: 0,
            before_reset: 0,
            base: [0, 0x100, 0x180, 0x280],
            latency,
        }
    }

    /// What a byte holds before anything is written: something that depends on its place;
    /// in the scratchpad 0, as in the simulator.
    fn initial(at: u64) -> u64 {
        if at >= 0xD000_0000 {
            return 0;
        }
        (at.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) & 255
    }

    fn read(map: &BTreeMap<u64, u64>, at: u64, bytes: u64) -> u64 {
        let byte = |i| {
            map.get(&(at + i))
                .copied()
                .unwrap_or_else(|| Self::initial(at + i))
        };
        (0..bytes).fold(0, |all, i| all | byte(i) << (8 * i))
    }

    fn invent(&mut self, warp: usize) -> Instruction {
        let rng = &mut self.rng;
        let op = match rng.below(20) {
            n if self.amos && n < 14 => Op::Amo(rng.below(9)),
            0..=7 => Op::Load,
            8..=13 => Op::Store,
            14 => Op::Fence,
            15 => Op::Reserve,
            16 => Op::Conditional,
            _ => Op::Amo(rng.below(9)),
        };
        let size = if matches!(op, Op::Load | Op::Store) {
            rng.below(3) as u32
        } else {
            2
        };
        // Few lines, so that accesses meet. Conditionals mostly go where the thread has a reservation.
        let window = [0x1FC0, 0x2000, 0xC000_0000, 0xD000_0000];
        let wrong = [BROKEN, TORN, TORN, REFUSED];
        let wild = rng.chance(1, 25);
        let spread = if rng.flip() { 16 } else { 128 };
        let stride = rng.chance(1, 3);
        let kind = rng.below(if self.amos { 30 } else { 60 }) as usize;
        let mut address = [0; THREADS];
        for (t, address) in address.iter_mut().enumerate() {
            let window = match kind {
                0..=3 => wrong[kind],
                // Three of these, too.
                4..=6 => [0x1FC0, 0x2000, 0x2040, 0x2080][t * 5 % 7 % 4],
                7..=40 => window[kind % 4],
                _ => window[rng.below(4) as usize],
            };
            let limit = if window >= 0xC000_0000 { 0x40 } else { spread };
            let offset = if stride {
                (t as u64) << size
            } else {
                rng.below(limit)
            };
            *address = (window + offset) >> size << size;
            if wild && rng.chance(1, 4) {
                *address = [
                    0x10,
                    0x2001,
                    0x2002,
                    0xC000_0040,
                    0xD000_0080,
                    MEMORY_SIZE,
                    0xFFFF_FFFC,
                ][rng.below(7) as usize];
            }
            if op == Op::Conditional && rng.chance(3, 4) {
                *address = self.reserved.get(&(warp, t)).copied().unwrap_or(*address);
            }
        }
        // All at one word.
        if matches!(op, Op::Amo(_)) && !wild && rng.chance(1, 6) {
            address = [address[0]; THREADS];
        }
        let active = if rng.chance(1, 20) {
            0
        } else if rng.flip() {
            255
        } else {
            rng.below(256)
        };
        let mut lanes = [Lane::Off; THREADS];
        for t in (0..THREADS).filter(|t| active >> t & 1 == 1 && op != Op::Fence) {
            let bad = if address[t] % (1 << size) != 0 {
                Some(5)
            } else {
                place(warp, t, address[t], self.base[warp]).err()
            };
            lanes[t] = bad.map_or(Lane::Waits, Lane::Bad);
        }
        let taken: Vec<u64> = self.flight[warp].iter().filter_map(|i| i.rd).collect();
        let rd = (1..8)
            .find(|rd| !taken.contains(rd))
            .filter(|_| op.has_row() && !rng.chance(1, 10));
        self.next_pc += 1;
        Instruction {
            op,
            size,
            signed: rng.flip(),
            order: match op {
                Op::Reserve | Op::Conditional | Op::Amo(_) if rng.flip() => rng.below(4),
                _ => 0,
            },
            rd,
            pc: self.next_pc,
            address,
            data: from_fn(|_| rng.next() & 0xFFFF_FFFF),
            lanes,
            rows: Default::default(),
            errors: vec![],
            unknown: vec![],
            reported: false,
        }
    }

    fn issue(&mut self) {
        let warp = self.rng.below(WARPS as u64) as usize;
        if self.flight[warp].len() >= 4 || self.passes.len() > 2 {
            return;
        }
        let one = self.invent(warp);
        self.enqueue(warp, one);
    }

    fn enqueue(&mut self, warp: usize, mut one: Instruction) {
        let part_of = |p: usize| (p * LANES..(p + 1) * LANES).collect::<Vec<_>>();
        let mut parts: Vec<usize> = (0..THREADS / LANES)
            .filter(|&p| part_of(p).iter().any(|&t| one.lanes[t] != Lane::Off))
            .collect();
        if parts.is_empty() {
            parts.push(0);
        }
        for p in 0..THREADS / LANES {
            // Rows that do not come.
            one.rows[p] =
                one.rd.is_none() || !part_of(p).iter().any(|&t| one.lanes[t] == Lane::Waits);
        }
        let pc = one.pc as usize;
        self.flight[warp].push(one);
        for (i, &p) in parts.iter().enumerate() {
            self.passes
                .push_back((warp, pc, p, i == 0, i + 1 == parts.len()));
        }
    }

    fn drive(&mut self, t: u64, busy: bool) {
        if let Some(script) = &mut self.script {
            if let Some((warp, one)) = script.pop_front() {
                self.enqueue(warp, one);
            }
        } else if busy && self.rng.chance(3, 4) {
            self.issue();
        }
        let is_fence = |(warp, pc): (usize, u64)| {
            let mut flight = self.flight[warp].iter();
            flight.any(|i| i.pc == pc && i.op == Op::Fence)
        };
        let stands = self.stands > 0 && (self.fence_over || self.offered.is_some_and(is_fence));
        self.stands -= u64::from(stands);
        let u = &mut self.bench.uut;
        u.access_valid.next = false;
        if let Some(&(warp, pc, part, first, last)) = self.passes.front() {
            let one = self.flight[warp]
                .iter()
                .find(|i| i.pc == pc as u64)
                .unwrap();
            u.access_valid.next = true;
            u.access_warp.next = (warp as u64).into();
            u.access_part.next = (part as u64).into();
            u.access_pc.next = one.pc.into();
            u.access_first.next = first;
            u.access_last.next = last;
            u.access_op.next = one.op.code().into();
            u.access_size.next = u64::from(one.size).into();
            u.access_signed.next = one.signed;
            u.access_order.next = one.order.into();
            u.access_uses_rd.next = one.rd.is_some();
            u.access_rd.next = one.rd.unwrap_or(0).into();
            let mut mask = 0u64;
            let (mut address, mut data) = (Bits::<128>::default(), Bits::<128>::default());
            for l in 0..LANES {
                let t = part * LANES + l;
                mask |= u64::from(one.lanes[t] != Lane::Off) << l;
                for bit in 0..32 {
                    address = address.replace_bit(32 * l + bit, one.address[t] >> bit & 1 == 1);
                    data = data.replace_bit(32 * l + bit, one.data[t] >> bit & 1 == 1);
                }
            }
            u.access_mask.next = mask.into();
            u.access_address.next = address;
            u.access_data.next = data;
        }
        // Back-pressure.
        let slow = self.latency > 1;
        u.result_ready.next = !slow || self.rng.chance(2, 3);
        u.complete_ready.next = (!slow || self.rng.chance(2, 3)) && !stands;
        u.access_fault_ready.next = self.rng.flip();
        u.read_ready.next = !slow || self.rng.chance(2, 3);
        u.write_ready.next = !slow || self.rng.chance(2, 3);
        // A beat of some burst. What is offered may change before it is taken.
        u.beat_valid.next = false;
        if !slow || self.rng.chance(3, 4) {
            if self.answering.len() < 3 {
                if let Some(any) = self.reads.iter().position(|r| r.due <= t) {
                    self.answering.push((self.reads.swap_remove(any), 0));
                }
            }
            if !self.answering.is_empty() {
                let any = self.rng.below(self.answering.len() as u64) as usize;
                self.answering.swap(0, any);
                let (burst, come) = &self.answering[0];
                let at = burst.address + 8 * come;
                u.beat_valid.next = true;
                u.beat_id.next = burst.id.into();
                u.beat_data.next = Self::read(&self.memory, at, 8).into();
                u.beat_error.next = unreadable(at);
                u.beat_last.next = come + 1 == burst.beats;
            }
        }
        // A response of a write: the first one of its place.
        u.ack_valid.next = false;
        if let Some(any) = self.writes.iter().position(|w| w.due <= t) {
            let id = self.writes[any].id;
            let first = self.writes.iter().position(|w| w.id == id).unwrap();
            let one = self.writes.remove(first);
            u.ack_valid.next = true;
            u.ack_id.next = id.into();
            u.ack_error.next = unwritable(one.address);
            self.writes.insert(0, one);
        }
    }

    fn effect(&mut self, t: u64) {
        let u = &self.bench.uut;
        let (warp, part) = (u.effect.warp.val().index(), u.effect.part.val().index());
        let (code, mask) = (u.effect.op.val().to_u64(), u.effect.mask.val().to_u64());
        assert!(mask != 0, "cycle {t}");
        // One access, one line.
        let lane = mask.trailing_zeros() as usize;
        let address = u.effect.address.val().get_bits::<32>(32 * lane).to_u64();
        let at = place(warp, part * LANES + lane, address, self.base[warp]).unwrap();
        let mut writers = self.writers.values().flatten();
        let waits = writers.any(|(writer, _)| *writer == warp);
        self.counts.shared += usize::from(mask.count_ones() > 1);
        // What it writes, which may be no byte; a write that is refused leaves what was there.
        let mut writes = false;
        let mut bytes_written = BTreeSet::new();
        let line = (at & !63)..(at & !63) + 64;
        let kept: Vec<_> = match unwritable(at) {
            true => line.map(|at| (at, self.order.get(&at).copied())).collect(),
            false => vec![],
        };
        let mut words = vec![];
        for l in (0..LANES).filter(|l| mask >> l & 1 == 1) {
            self.counts.effects += 1;
            let thread = part * LANES + l;
            let address = u.effect.address.val().get_bits::<32>(32 * l).to_u64();
            let data = u.effect.data.val().get_bits::<32>(32 * l).to_u64();
            // Program order: the first instruction of the warp in which this thread waits.
            let due = self.flight[warp]
                .iter()
                .position(|i| i.lanes[thread] == Lane::Waits)
                .unwrap_or_else(|| {
                    panic!("cycle {t}: no effect is due: warp {warp}, thread {thread}")
                });
            let (before, from_it) = self.flight[warp].split_at_mut(due);
            let one = &mut from_it[0];
            // Behind a fence nothing takes effect before it is complete (MEM-014).
            for fence in before.iter().filter(|i| i.op == Op::Fence) {
                assert_eq!(
                    self.offered,
                    Some((warp, fence.pc)),
                    "cycle {t}: before a fence is complete: {one:?}"
                );
                self.counts.behind += 1;
            }
            // Acquires, releases and LR come behind all that their warp has done (ORDER-020),
            let begins = !one.lanes.iter().any(|lane| matches!(lane, Lane::Effect(_)));
            let over = !waits && before.iter().all(|i| i.rows.iter().all(|&row| row));
            assert!(
                one.order == 0 && one.op != Op::Reserve || !begins || over,
                "cycle {t}: before what its warp did is over: {one:?}, behind {before:?}"
            );
            self.counts.ordered += usize::from(one.order != 0 && begins);
            // and nothing comes behind an acquire before it is over, and lines have been forgotten since (ORDER-021).
            if self.acquire[warp].is_some_and(|pc| pc != one.pc) {
                let forgotten = self.acquired > self.answered[warp];
                assert!(
                    over && forgotten,
                    "cycle {t}: an acquire is not over: {one:?}"
                );
                self.acquire[warp] = None;
                self.counts.behind_acquires += 1;
            }
            if one.order & 2 != 0 {
                self.acquire[warp] = Some(one.pc);
            }
            let failed = code == 6;
            assert_eq!(
                if failed { 5 } else { code },
                one.op.code(),
                "cycle {t}: {one:?}"
            );
            assert_eq!(
                (address, data),
                (one.address[thread], one.data[thread]),
                "cycle {t}"
            );
            let lowest = at;
            let at = place(warp, thread, address, self.base[warp]).unwrap();
            // One access is of one line (MEM-010).
            let together = at >> 6 == lowest >> 6 || at.min(lowest) >= 0xD000_0000;
            assert!(together, "cycle {t}: {at:#x} with {lowest:#x}");
            let bytes = 1 << one.size;
            let old = Self::read(&self.order, at, bytes);
            let unknown = (at..at + bytes).any(|byte| self.unknown.contains(&byte));
            let mut written = None;
            let mut result = 0;
            match one.op {
                Op::Load | Op::Reserve => {
                    result = old;
                    let sign = 1 << (8 * bytes - 1);
                    if one.signed && one.size < 2 && old & sign != 0 {
                        result = (old | !(2 * sign - 1)) & 0xFFFF_FFFF;
                    }
                    if one.op == Op::Reserve {
                        self.reservations.insert((warp, thread), at);
                        self.reserved.insert((warp, thread), address);
                    }
                }
                Op::Store => written = Some(data),
                Op::Amo(n) => {
                    result = old;
                    written = Some(amo(n, old, data));
                }
                Op::Conditional => {
                    result = u64::from(failed);
                    let holds = self.reservations.remove(&(warp, thread)) == Some(at);
                    assert!(failed || holds, "cycle {t}: SC without a reservation");
                    written = (!failed).then_some(data);
                    self.counts.succeeded += usize::from(!failed);
                    self.counts.failed += usize::from(failed && holds);
                }
                Op::Fence => panic!("cycle {t}: a fence takes no effect"),
            }
            // Where the read cannot be done an AMO writes no byte, but its burst goes.
            let is_amo = matches!(one.op, Op::Amo(_));
            let unread = unreadable(at);
            words.push((at, unread));
            writes |= is_amo;
            if let Some(data) = written.filter(|_| !(unread && is_amo)) {
                let computed = unknown && is_amo;
                writes = true;
                for i in 0..bytes {
                    // A word that an AMO leaves as it was is not written.
                    if !is_amo || data != old {
                        bytes_written.insert(at + i);
                    }
                    self.order.insert(at + i, data >> (8 * i) & 255);
                    if !computed {
                        self.unknown.remove(&(at + i));
                    }
                }
                let word = at & !3;
                self.reservations
                    .retain(|&(w, th), &mut held| held != word || (w, th) == (warp, thread));
            }
            if unread && (one.op == Op::Load || one.op == Op::Reserve || is_amo) {
                one.errors.push(thread);
            }
            if unknown && one.op != Op::Conditional {
                one.unknown.push(thread);
            }
            one.lanes[thread] = Lane::Effect(result);
        }
        if code >= 16 && at < 0xD000_0000 {
            self.count_amo(warp, part, &words);
        }
        if writes && at < 0xD000_0000 {
            let unread = code >= 16 && words.iter().all(|word| word.1);
            self.counts.amos.still += usize::from(bytes_written.is_empty() && !unread);
            if unwritable(at) {
                // One write fails as a whole, and its lowest thread is told.
                let thread = part * LANES + lane;
                let mut flight = self.flight[warp].iter().rev();
                let acted = |i: &&Instruction| matches!(i.lanes[thread], Lane::Effect(_));
                let pc = flight.find(acted).expect("it acted").pc;
                self.late.push((warp, pc, thread));
                self.counts.amos.refused += usize::from(code >= 16);
            }
            let writers = self.writers.entry(at >> 6).or_default();
            writers.push_back((warp, bytes_written));
        }
        for (at, byte) in kept {
            match byte {
                Some(byte) => self.order.insert(at, byte),
                None => self.order.remove(&at),
            };
        }
    }

    /// An access of an AMO: its words, and whether each could not be read.
    fn count_amo(&mut self, warp: usize, part: usize, words: &[(u64, bool)]) {
        let amos = &mut self.counts.amos;
        let different: BTreeSet<u64> = words.iter().map(|word| word.0).collect();
        amos.lanes[words.len() - 1] += 1;
        amos.meet += usize::from(different.len() < words.len());
        amos.all_meet += usize::from(different.len() == 1 && words.len() == LANES);
        let unread = words.iter().filter(|word| word.1).count();
        amos.torn += usize::from(unread > 0 && unread < words.len());
        amos.unread += usize::from(unread == words.len());
        // The last access of its pass: how many lines there were.
        let threads = part * LANES..(part + 1) * LANES;
        let mut flight = self.flight[warp].iter().rev();
        let acts = |i: &&Instruction| {
            let mut lanes = i.lanes[threads.clone()].iter();
            matches!(i.op, Op::Amo(_)) && lanes.any(|lane| matches!(lane, Lane::Effect(_)))
        };
        let one = flight.find(acts).expect("it acts");
        let waits = threads.clone().any(|t| one.lanes[t] == Lane::Waits);
        let at = |t| place(warp, t, one.address[t], self.base[warp]);
        let of = |t: &usize| matches!(one.lanes[*t], Lane::Effect(_));
        let lines = threads.filter(of).filter_map(|t| at(t).ok());
        let lines: BTreeSet<u64> = lines.map(|at| at >> 6).collect();
        let on_chip = lines.iter().any(|line| *line >= 0xD000_0000 >> 6);
        if !waits && !on_chip {
            amos.lines[lines.len() - 1] += 1;
        }
    }

    fn outputs(&mut self, t: u64) {
        // What happened before: effects come in their order.
        if self.bench.uut.effect.valid.val() {
            self.effect(t);
        }
        if self.bench.uut.acquired.val() {
            self.acquired = t;
        }
        for warp in 0..WARPS {
            let waits = self.flight[warp].iter().any(|i| {
                i.lanes.contains(&Lane::Waits) && !self.passes.iter().any(|p| p.1 as u64 == i.pc)
            });
            assert!(
                !waits || self.bench.uut.pending.val().get_bit(warp),
                "cycle {t}: warp {warp} has something pending"
            );
        }
        let u = &self.bench.uut;
        if u.access_valid.val() && u.access_ready.val() {
            self.passes.pop_front();
        }
        if u.read_valid.val() && u.read_ready.val() {
            let burst = Burst {
                id: u.read_id.val().to_u64(),
                address: u.read_address.val().to_u64(),
                beats: u.read_length.val().to_u64() + 1,
                due: t + 1 + self.rng.below(self.latency),
                bytes: vec![],
            };
            assert!(
                burst.address % 8 == 0 && burst.address % 64 + 8 * burst.beats <= 64,
                "cycle {t}: {burst:?}"
            );
            let same = |b: &Burst| b.id == burst.id;
            let used = self.reads.iter().any(same)
                || self.answering.iter().any(|(b, _)| same(b))
                || self.writes.iter().any(same);
            assert!(!used, "cycle {t}: place {} is used", burst.id);
            self.reads.push(burst);
        }
        if u.write_valid.val() && u.write_ready.val() {
            let address = u.write_address.val().to_u64();
            let at = (address & !7) + 8 * (self.beats.len() as u64 / 8);
            for i in 0..8 {
                let strobe = u.write_strobes.val().get_bit(i as usize);
                let byte = u.write_data.val().get_bits::<8>(8 * i as usize).to_u64();
                self.beats
                    .push((if strobe { at + i } else { u64::MAX }, byte));
            }
            let beats = u.write_length.val().to_u64() + 1;
            assert_eq!(
                u.write_last.val(),
                self.beats.len() as u64 == 8 * beats,
                "cycle {t}"
            );
            if u.write_last.val() {
                let bytes = std::mem::take(&mut self.beats);
                self.writes.push(Burst {
                    id: u.write_id.val().to_u64(),
                    address,
                    beats,
                    due: t + 1 + self.rng.below(self.latency),
                    bytes: bytes
                        .into_iter()
                        .filter(|&(at, _)| at != u64::MAX)
                        .collect(),
                });
            }
        }
        self.counts.most_lines = self
            .counts
            .most_lines
            .max(self.reads.len() + self.answering.len() + self.writes.len());
        if u.beat_valid.val() && !u.beat_ready.val() {
            self.counts.beats_waited += usize::from(self.counts.beat_waits == 0);
            self.counts.beat_waits += 1;
            self.counts.longest_wait = self.counts.longest_wait.max(self.counts.beat_waits);
        } else {
            self.counts.beat_waits = 0;
        }
        if u.beat_valid.val() && u.beat_ready.val() {
            self.answering[0].1 += 1;
            if u.beat_last.val() {
                self.answering.swap_remove(0);
            }
        }
        if u.ack_valid.val() && u.ack_ready.val() {
            let one = self.writes.remove(0);
            let writers = self.writers.get_mut(&(one.address >> 6)).unwrap();
            let (warp, bytes) = writers.pop_front().expect("a write");
            self.answered[warp] = t;
            // As many strobes as bytes that are written.
            let strobes: BTreeSet<u64> = one.bytes.iter().map(|byte| byte.0).collect();
            assert_eq!(strobes, bytes, "cycle {t}: {one:x?}");
            if !unwritable(one.address) {
                self.memory.extend(one.bytes);
            }
        }
        if u.access_fault_valid.val() && u.access_fault_ready.val() {
            let warp = u.access_fault_warp.val().index();
            let thread = u.access_fault_thread.val().index();
            let (pc, cause) = (
                u.access_fault_pc.val().to_u64(),
                u.access_fault_cause.val().to_u64(),
            );
            // Its instructions come in the order of their pc.
            let number = u.access_fault_number.val().to_u64();
            assert_eq!(number, (pc - self.before_reset) & 0xFFFF, "cycle {t}");
            let one = self.flight[warp].iter_mut().find(|i| i.pc == pc);
            let due = one.filter(|i| !i.reported && i.fault() == Some((thread, cause)));
            if let Some(one) = due {
                assert_eq!(
                    u.access_fault_address.val().to_u64(),
                    one.address[thread],
                    "cycle {t}"
                );
                one.reported = true;
                self.counts.faults += 1;
            } else {
                let at = self.late.iter().position(|&one| one == (warp, pc, thread));
                let at = at.unwrap_or_else(|| {
                    panic!("cycle {t}: a fault of warp {warp}, thread {thread}, pc {pc}")
                });
                assert_eq!(cause, 10, "cycle {t}");
                self.late.remove(at);
                self.counts.late += 1;
            }
        }
        if u.result_valid.val() && u.result_ready.val() {
            let (warp, part) = (u.result_warp.val().index(), u.result_part.val().index());
            let rd = u.result_rd.val().to_u64();
            let one = self.flight[warp]
                .iter_mut()
                .find(|i| i.rd == Some(rd))
                .expect("an instruction");
            assert!(!one.rows[part], "cycle {t}: a row twice: {one:?}");
            one.rows[part] = true;
            self.answered[warp] = t;
            self.counts.rows += 1;
            for l in 0..LANES {
                let thread = part * LANES + l;
                let written = u.result_mask.val().get_bit(l);
                match one.lanes[thread] {
                    Lane::Effect(value) => {
                        assert!(written, "cycle {t}: lane {l} of {one:?}");
                        if !one.errors.contains(&thread) && !one.unknown.contains(&thread) {
                            let got = u.result_data.val().get_bits::<32>(32 * l).to_u64();
                            assert_eq!(
                                got, value,
                                "cycle {t}: warp {warp} thread {thread} of {one:?}"
                            );
                        }
                    }
                    Lane::Waits => panic!("cycle {t}: no effect yet: {one:?}"),
                    _ => assert!(!written, "cycle {t}: lane {l} of {one:?}"),
                }
            }
        }
        self.completions(t);
    }

    /// What is complete is judged in the cycle in which it is first offered, whenever it is taken: behind a fence others
    /// act meanwhile.
    fn completions(&mut self, t: u64) {
        let u = &self.bench.uut;
        let fence = std::mem::replace(&mut self.fence_over, u.fence_over.val());
        if !u.complete_valid.val() {
            assert!(!fence, "cycle {t}: a fence is over and not complete");
            assert_eq!(
                self.offered, None,
                "cycle {t}: it was offered and not taken"
            );
            return;
        }
        let warp = u.complete_warp.val().index();
        let has_rd = u.complete_uses_rd.val();
        let rd = has_rd.then(|| u.complete_rd.val().to_u64());
        let flight = &self.flight[warp];
        let at = if let Some((its_warp, pc)) = self.offered {
            let at = flight.iter().position(|i| (its_warp, i.pc) == (warp, pc));
            at.filter(|&n| flight[n].rd == rd && !fence)
        } else {
            let sent = |i: &Instruction| {
                let mut passes = self.passes.iter();
                !passes.any(|p| (p.0, p.1 as u64) == (warp, i.pc))
            };
            let mut writers = self.writers.values().flatten();
            let writes = writers.any(|(writer, _)| *writer == warp);
            complete(flight, rd, fence, sent, writes)
        };
        let at = at.unwrap_or_else(|| {
            panic!("cycle {t}: nothing of warp {warp} is complete (fence: {fence}): {flight:?}")
        });
        self.counts.fences += usize::from(fence);
        self.offered = Some((warp, flight[at].pc));
        if u.complete_ready.val() {
            self.offered = None;
            self.flight[warp].remove(at);
        }
    }

    /// A reset of one cycle, of the memory too: it keeps its bytes, and writes without a response are not done.
    /// The scratchpad has any.
    fn reset(&mut self) {
        self.bench.uut.reset.next = true;
        self.bench.edge();
        self.bench.uut.reset.next = false;
        self.bench.uut.access_valid.next = false;
        self.bench.uut.beat_valid.next = false;
        self.bench.uut.ack_valid.next = false;
        self.flight = Default::default();
        self.passes.clear();
        self.reads.clear();
        self.answering.clear();
        self.writes.clear();
        self.beats.clear();
        self.late.clear();
        self.reservations.clear();
        self.writers.clear();
        self.acquire = [None; WARPS];
        self.offered = None;
        self.fence_over = false;
        self.before_reset = self.next_pc;
        self.order = self.memory.clone();
        self.unknown = (0xD000_0000..0xD000_0400).collect();
    }

    fn run(&mut self, cycles: u64) {
        let mut quiet = 0;
        let mut began = 0;
        for t in 0.. {
            let busy = t < cycles;
            let under_way = !self.flight.iter().all(Vec::is_empty);
            if t == 0 || busy && self.resets.now(&mut self.rng, under_way) {
                self.reset();
                began = t + 1;
                continue;
            }
            if t < began + WARPS as u64 {
                let u = &mut self.bench.uut;
                u.cfg_memory_base.next = MEMORY_BASE.into();
                u.cfg_memory_size.next = MEMORY_SIZE.into();
                u.cfg_local_base.next = LOCAL_BASE.into();
                u.cfg_local_bytes.next = LOCAL_BYTES.into();
                u.cfg_scratchpad_bytes.next = SCRATCHPAD_BYTES.into();
                u.atomic.may.next = true;
                u.start_valid.next = true;
                let warp = t - began;
                u.start_warp.next = warp.into();
                u.start_base.next = self.base[warp as usize].into();
                self.bench.edge();
                continue;
            }
            self.bench.uut.start_valid.next = false;
            self.drive(t, busy);
            self.bench.settle();
            self.outputs(t);
            self.bench.edge();
            let over = !busy
                && self.passes.is_empty()
                && self.flight.iter().all(Vec::is_empty)
                && self.late.is_empty()
                && self.writes.is_empty();
            quiet = if over { quiet + 1 } else { 0 };
            if quiet > 200 {
                break;
            }
            assert!(
                t < cycles + 30_000,
                "it does not end: {:?} late {:?}",
                self.flight,
                self.late
            );
        }
        let (u, c) = (&self.bench.uut, &self.counts);
        println!(
            "{} instructions in {} cycles, latency {}: effects {}, faults {}, late {}",
            self.next_pc,
            self.bench.cycle(),
            self.latency,
            c.effects,
            c.faults,
            c.late
        );
        assert_eq!(
            u.pending.val().to_u64(),
            0,
            "under way {:#x}",
            u.in_flight.under_way.val()
        );
        assert!(self.reads.is_empty() && self.writes.is_empty() && self.answering.is_empty());
        let mut writers = self.writers.values();
        assert!(writers.all(VecDeque::is_empty), "a write that did not go");
        self.order
            .retain(|&at, _| at < 0xD000_0000 && at & !63 != BROKEN);
        for (&at, &byte) in &self.order {
            assert_eq!(Self::read(&self.memory, at, 1), byte, "byte {at:#x}");
        }
    }
}

/// `SEED`, `SEEDS` and `CYCLES` ask for other and longer runs.
#[test]
fn follows_the_specification() {
    let mut all = Counts::default();
    let mut resets = Resets::new(1);
    let (first, seeds, cycles) = (given("SEED", 4), given("SEEDS", 2), given("CYCLES", 500));
    for seed in first..first + seeds {
        println!("SEED={seed} SEEDS=1 CYCLES={cycles}");
        let mut world = World::new(seed);
        world.run(cycles);
        resets.add(&world.resets);
        let c = world.counts;
        all.effects += c.effects;
        all.shared += c.shared;
        all.faults += c.faults;
        all.late += c.late;
        all.succeeded += c.succeeded;
        all.failed += c.failed;
        all.rows += c.rows;
        all.fences += c.fences;
        all.behind += c.behind;
        all.ordered += c.ordered;
        all.behind_acquires += c.behind_acquires;
        all.most_lines = all.most_lines.max(c.most_lines);
    }
    println!(
        "effects {}, of several lanes {}, rows {}, faults {}, late {}, SC {} of {}, bursts {}, fences {}, effects behind one \
         that is not taken {}, acquires and releases {}, accesses behind an acquire {}",
        all.effects,
        all.shared,
        all.rows,
        all.faults,
        all.late,
        all.succeeded,
        all.succeeded + all.failed,
        all.most_lines,
        all.fences,
        all.behind,
        all.ordered,
        all.behind_acquires
    );
    resets.check("lsu");
    let effects = (seeds * cycles / 5) as usize;
    has_met(
        all.effects > effects && all.shared > effects / 10 && all.rows > effects / 10,
        "effects and rows",
    );
    has_met(
        all.faults > 0 && all.most_lines >= 8 && all.fences > 0,
        "faults, lines and fences",
    );
    has_met(
        all.ordered > 3 && all.behind_acquires > 0,
        "acquires and releases",
    );
}

/// MEM-010, MEM-011, MEM-016, MEM-017 of AMOs, as often as each is met; `SEED`, `SEEDS` and `CYCLES` as above.
#[test]
fn amos_of_a_pass_go_together() {
    let mut all = Amos::default();
    let mut late = 0;
    let (first, seeds, cycles) = (given("SEED", 1), given("SEEDS", 2), given("CYCLES", 800));
    for seed in first..first + seeds {
        println!("SEED={seed} SEEDS=1 CYCLES={cycles}");
        let mut world = World::new(seed);
        world.amos = true;
        world.resets = Resets::new(u64::MAX);
        world.run(cycles);
        all.add(&world.counts.amos);
        late += world.counts.late;
    }
    println!(
        "accesses by lanes {:?}, passes by lines {:?}, with lanes at one word {}, all {}, no word changed {}, some words \
         unread {}, all {}, writes refused {}, faults of writes {late}",
        all.lanes, all.lines, all.meet, all.all_meet, all.still, all.torn, all.unread, all.refused
    );
    has_met(
        all.lanes.iter().chain(&all.lines).all(|&n| n > 1),
        "one to all lanes, one to as many lines",
    );
    has_met(all.meet > 10 && all.all_meet > 1, "lanes at one word");
    has_met(all.still > 1, "accesses that change no word");
    has_met(
        all.torn > 1 && all.unread > 1 && all.refused > 1 && late > 1,
        "errors",
    );
}

/// An instruction of some threads, with their addresses.
fn by_hand(op: Op, pc: u64, rd: Option<u64>, threads: &[(usize, u64)]) -> Instruction {
    let (mut address, mut lanes) = ([0; THREADS], [Lane::Off; THREADS]);
    for &(thread, its) in threads {
        (address[thread], lanes[thread]) = (its, Lane::Waits);
    }
    Instruction {
        op,
        size: 2,
        signed: false,
        order: 0,
        rd,
        pc,
        address,
        data: from_fn(|t| t as u64 + 1),
        lanes,
        rows: Default::default(),
        errors: vec![],
        unknown: vec![],
        reported: false,
    }
}

/// MEM-014: a fence is complete when its completion is offered. Until that is taken, others of its warp act behind it.
#[test]
fn others_act_behind_a_fence_that_stands() {
    let mut world = World::new(1);
    world.latency = 30;
    world.resets = Resets::new(u64::MAX);
    world.stands = 100;
    let script = [
        by_hand(Op::Store, 1, None, &[(0, 0x2000), (5, 0x2100)]),
        by_hand(Op::Load, 2, Some(1), &[(1, 0x2040)]),
        by_hand(Op::Fence, 3, None, &[]),
        by_hand(Op::Load, 4, Some(2), &[(2, 0x2000), (3, 0x2100)]),
        by_hand(Op::Amo(0), 5, Some(3), &[(4, 0xD000_0000)]),
        // Its last access waits: its own completion has no room yet.
        by_hand(Op::Store, 6, None, &[(2, 0x2000), (6, 0x2080)]),
    ];
    world.next_pc = script.len() as u64;
    world.script = Some(script.map(|one| (1, one)).into());
    world.run(50);
    let counts = &world.counts;
    assert_eq!((world.stands, counts.fences, counts.effects), (0, 1, 8));
    assert_eq!(counts.behind, 4, "what is behind the fence acts");
}

/// MEM-010, MEM-016 to MEM-018: a pass in one line, in two, in as many as there are lanes; two lanes and all lanes at
/// one word; a mask with holes; a beat with an error, a line with errors, a write that is refused, a write without a byte
/// as no word could be read; lanes that fault between others.
#[test]
fn amos_by_hand() {
    let mut world = World::new(2);
    world.latency = 30;
    world.resets = Resets::new(u64::MAX);
    let all = |at: fn(u64) -> u64| [0, 1, 2, 3].map(|t| (t as usize, at(t)));
    let mut script = vec![
        by_hand(Op::Amo(0), 1, Some(1), &all(|t| 0x2000 + 4 * t)),
        by_hand(Op::Amo(0), 2, Some(2), &all(|t| 0x2000 + 0x3C * (t & 1))),
        by_hand(Op::Amo(1), 3, Some(3), &all(|t| 0x2020 + 0x40 * (t & 1))),
        by_hand(Op::Amo(0), 4, Some(4), &all(|t| 0x2000 + 0x40 * t)),
        by_hand(Op::Amo(0), 5, Some(1), &all(|_| 0x2008)),
        by_hand(Op::Amo(1), 6, Some(2), &all(|_| 0x2008)),
        by_hand(
            Op::Amo(7),
            7,
            Some(3),
            &[(1, 0x2008), (3, 0x200C), (6, 0x2008)],
        ),
        by_hand(Op::Amo(0), 8, None, &all(|_| 0x2010)),
        by_hand(Op::Amo(0), 9, Some(4), &all(|t| TORN + 4 * t)),
        by_hand(Op::Amo(0), 10, Some(5), &all(|t| BROKEN + 4 * t)),
        by_hand(Op::Amo(0), 11, Some(6), &all(|t| REFUSED + 4 * (t / 2))),
        by_hand(Op::Amo(2), 12, Some(7), &all(|t| 0x2008 + 4 * (t / 2))),
        by_hand(Op::Amo(0), 13, Some(1), &all(|t| TORN + 8 + 4 * (t % 2))),
    ];
    // Thread 1 is misaligned, thread 2 outside.
    script[11].address[1] = 0x2009;
    script[11].lanes[1] = Lane::Bad(5);
    script[11].address[2] = 0x10;
    script[11].lanes[2] = Lane::Bad(6);
    world.script = Some(script.into_iter().map(|one| (0, one)).collect());
    world.run(300);
    let (counts, amos) = (&world.counts, &world.counts.amos);
    // Accesses of one, two, three and four lanes; passes in one, two and four lines.
    assert_eq!(amos.lanes, [5, 4, 0, 9], "accesses by lanes");
    assert_eq!(amos.lines, [12, 1, 0, 1], "passes by lines");
    assert_eq!((amos.meet, amos.all_meet), (8, 3));
    assert_eq!((amos.torn, amos.unread, amos.refused), (1, 2, 2));
    assert_eq!(amos.still, 1, "the smaller word stays");
    assert_eq!((counts.faults, counts.late), (4, 2));
    // They add up.
    let word = |at| World::read(&world.memory, at, 4);
    let initial = |at| (0..4).fold(0, |all, i| all | World::initial(at + i) << (8 * i));
    let sum = |at, of: &[u64]| (of.iter().fold(initial(at), |sum, n| sum + n)) & 0xFFFF_FFFF;
    assert_eq!(word(0x2010), sum(0x2010, &[1, 2, 3, 4]));
    assert_eq!(word(0x2000), sum(0x2000, &[1, 1, 3, 1]));
    assert_eq!(word(TORN), sum(TORN, &[1]), "its beat was good");
    assert_eq!(word(TORN + 8), initial(TORN + 8), "its beat was not");
}

/// Beats wait for one lane of an AMO at a time, though four of them follow each other.
#[test]
fn beats_and_lanes_take_turns() {
    let mut world = World::new(3);
    world.latency = 2;
    world.resets = Resets::new(u64::MAX);
    let all = |at: u64, stride: u64| [0, 1, 2, 3].map(|t| (t as usize, at + stride * t));
    let amo = |n: u64| by_hand(Op::Amo(0), n, Some(n), &all(0x2000 + 64 * n, 4));
    let load = |n: u64| by_hand(Op::Load, n, Some(n), &all(0x2200 + 64 * n, 16));
    let both = (1..8).flat_map(|n| [(0, amo(n)), (1, load(n))]);
    world.script = Some(both.collect());
    world.run(400);
    let counts = &world.counts;
    assert_eq!(counts.effects, 2 * 7 * LANES);
    assert!(counts.beats_waited > 3, "{}", counts.beats_waited);
    assert!(counts.longest_wait <= 2, "{} cycles", counts.longest_wait);
}

/// The judge of MEM-014 itself: a fence is not complete while a write has no response, a row has not come or an access
/// before it waits.
#[test]
fn a_fence_waits() {
    let mut flight = vec![
        by_hand(Op::Load, 1, Some(1), &[(0, 0x2000)]),
        by_hand(Op::Fence, 2, None, &[]),
    ];
    flight[1].rows = [true; THREADS / LANES];
    let fence = |flight: &[Instruction], writes| complete(flight, None, true, |_| true, writes);
    assert_eq!(fence(&flight, false), None, "an access waits");
    flight[0].lanes[0] = Lane::Effect(0);
    assert_eq!(fence(&flight, false), None, "a row has not come");
    flight[0].rows = [true; THREADS / LANES];
    assert_eq!(fence(&flight, true), None, "a write has no response");
    assert_eq!(fence(&flight, false), Some(1));
    let other = complete(&flight, None, false, |_| true, false);
    assert_eq!(other, None, "no fence is over");
}

/// Against its own Verilog, whatever comes at its ports.
#[test]
fn verilog_agrees() {
    crate::stimulus::check_with_memories(
        "weft_lsu",
        Tiny::default,
        400,
        |u, rng, t| {
            u.reset.next = t < 2;
            u.cfg_memory_base.next = MEMORY_BASE.into();
            u.cfg_memory_size.next = MEMORY_SIZE.into();
            u.cfg_local_base.next = LOCAL_BASE.into();
            u.cfg_local_bytes.next = LOCAL_BYTES.into();
            u.cfg_scratchpad_bytes.next = SCRATCHPAD_BYTES.into();
            u.start_valid.next = t < 8 || rng.chance(1, 30);
            u.start_warp.next = rng.bits();
            u.start_base.next = (rng.below(8) * 64).into();
            u.access_valid.next = t > 8 && rng.chance(1, 3);
            u.access_warp.next = rng.bits();
            u.access_part.next = rng.bits();
            u.access_pc.next = rng.bits();
            u.access_first.next = true;
            u.access_last.next = true;
            u.access_op.next = [0, 0, 0, 1, 1, 2, 4, 5, 16, 22][rng.below(10) as usize].into();
            u.access_size.next = 2u64.into();
            u.access_order.next = rng.bits();
            u.access_uses_rd.next = rng.flip();
            u.access_rd.next = rng.bits();
            u.access_mask.next = rng.bits();
            let (mut address, data) = (Bits::<128>::default(), rng.bits());
            for l in 0..LANES {
                let one = [0x2000, 0xC000_0000, 0xD000_0000, 0x10][rng.below(4) as usize]
                    + rng.below(12) * 4;
                for bit in (0..32).filter(|bit| one >> bit & 1 == 1) {
                    address = address.replace_bit(32 * l + bit, true);
                }
            }
            u.access_address.next = address;
            u.access_data.next = data;
            u.result_ready.next = rng.flip();
            u.complete_ready.next = rng.flip();
            u.access_fault_ready.next = rng.flip();
            u.read_ready.next = rng.flip();
            u.write_ready.next = rng.flip();
            u.beat_valid.next = rng.flip();
            u.beat_id.next = rng.bits();
            u.beat_data.next = rng.bits();
            u.beat_last.next = rng.flip();
            u.beat_error.next = rng.chance(1, 10);
            u.ack_valid.next = rng.flip();
            u.ack_id.next = rng.bits();
            u.ack_error.next = rng.chance(1, 10);
            u.atomic.may.next = rng.flip();
            u.atomic.snoop_valid.next = rng.chance(1, 4);
            u.atomic.snoop_line.next = (0x2000 / 64 + rng.below(2)).into();
        },
        |u, level| u.clock.next = level.into(),
    );
}
