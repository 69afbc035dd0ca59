//! The memory behind the AXI4 manager, and the monitor of the rules of that port.
//!
//! A write changes the memory at some time before its response, and a read looks at it at some time before its first
//! beat: so data that pass each other on the way come out wrong, and the lockstep sees it.

use super::ports::{Address, Manager, ReadBeat, Response, Subordinate, WriteBeat, LINE};
use crate::seed::{stream, Rng};
use crate::timing::Latency;
use rand::Rng as _;
use serde::{Deserialize, Serialize};
use std::collections::{HashSet, VecDeque};

/// How the memory behaves. Probabilities are percentages per cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AxiTiming {
    /// Cycles from the last beat of a request to its response.
    pub latency: Latency,
    /// Each `ready` of the memory is low.
    pub stall: u32,
    /// A response that is due is not offered yet.
    pub gap: u32,
    /// Responses of different IDs overtake each other.
    pub any_order: bool,
    /// Beats of reads with different IDs are mixed.
    pub interleave: bool,
}

impl Default for AxiTiming {
    fn default() -> AxiTiming {
        AxiTiming {
            latency: Latency::Fixed(20),
            stall: 0,
            gap: 0,
            any_order: false,
            interleave: false,
        }
    }
}

impl AxiTiming {
    pub fn draw(rng: &mut Rng) -> AxiTiming {
        let percent = |rng: &mut Rng| [0, 0, 0, 10, 40, 80][rng.gen_range(0..6)];
        AxiTiming {
            latency: match rng.gen_range(0..6) {
                0 => Latency::Fixed(1),
                1 => Latency::Fixed(rng.gen_range(2..30)),
                2 | 3 => Latency::Random(rng.gen_range(1..40)),
                _ => Latency::Random(rng.gen_range(40..300)),
            },
            stall: percent(rng),
            gap: percent(rng),
            any_order: rng.gen_bool(0.7),
            interleave: rng.gen_bool(0.5),
        }
    }

    pub fn slowness(&self) -> u64 {
        let (Latency::Fixed(n) | Latency::Random(n)) = self.latency;
        u64::from(n) + 8 * u64::from(100 / (100 - self.stall.min(95)))
    }
}

/// How often something happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AxiCounts {
    pub reads: u64,
    pub writes: u64,
    pub bytes_read: u64,
    pub bytes_written: u64,
    /// Responses that came before that of an older request.
    pub overtakings: u64,
    pub errors: u64,
    pub most_reads: u64,
    pub most_writes: u64,
}

#[derive(Clone, Debug)]
struct Read {
    request: Address,
    due: u64,
    /// When the memory is looked at; then the bytes.
    looks: u64,
    data: Option<Vec<u8>>,
    sent: u32,
    number: u64,
}

#[derive(Clone, Debug)]
struct Write {
    request: Address,
    beats: Vec<WriteBeat>,
    /// Of the response, once the last beat is there.
    due: Option<u64>,
    lands: u64,
    landed: bool,
    number: u64,
}

pub struct AxiMemory {
    bytes: Vec<u8>,
    /// Lines that answer with an error: begin addresses.
    bad: Vec<u32>,
    /// Instruction lines are read here, which pass writes: what of such a line is text does not change (SM-024).
    text: std::ops::Range<u32>,
    /// Bits of an ID below the number of its manager.
    id_bits: Option<u32>,
    /// Managers from 2 on share lines (SHARED-050).
    shared: bool,
    timing: AxiTiming,
    /// It takes nothing and answers nothing any more.
    silent: bool,
    beat: u32,
    rng: Rng,
    cycle: u64,
    reads: VecDeque<Read>,
    writes: VecDeque<Write>,
    /// Beats that came before their address.
    early: VecDeque<WriteBeat>,
    before: (Manager, Subordinate),
    offered: Subordinate,
    /// Requests that the offered responses answer.
    number: u64,
    pub counts: AxiCounts,
}

/// Most beats that are taken before their address.
const EARLY: usize = 4;
/// Lines that are fetched ahead of the last instruction, at most.
const AHEAD: u32 = 4;
/// The manager of SM 0, behind the front end and task management.
const FIRST_SM: u16 = 2;
/// Most requests of a kind.
const MOST: usize = 64;

impl AxiMemory {
    /// Forgets all that is under way, as it does with whoever is at its port.
    pub fn reset(&mut self) {
        self.reads.clear();
        self.writes.clear();
        self.early.clear();
        (self.before, self.offered) = Default::default();
        self.silent = false;
    }

    /// From now on it takes nothing and answers nothing, until it is reset.
    pub fn fall_silent(&mut self) {
        self.silent = true;
    }

    /// `beat`: bytes of a beat.
    pub fn new(bytes: Vec<u8>, beat: u32, timing: AxiTiming, seed: u64) -> AxiMemory {
        AxiMemory {
            bytes,
            bad: Vec::new(),
            text: 0..0,
            id_bits: None,
            shared: false,
            timing,
            silent: false,
            beat,
            rng: stream(seed, "axi memory"),
            cycle: 0,
            reads: VecDeque::new(),
            writes: VecDeque::new(),
            early: VecDeque::new(),
            before: Default::default(),
            offered: Subordinate::default(),
            number: 0,
            counts: AxiCounts::default(),
        }
    }

    /// These lines answer with errors, and keep what they hold.
    pub fn with_bad_lines(mut self, lines: &[u32]) -> AxiMemory {
        self.set_bad_lines(lines);
        self
    }

    /// As [`AxiMemory::with_bad_lines`], from now on.
    pub fn set_bad_lines(&mut self, lines: &[u32]) {
        self.bad = lines.to_vec();
    }

    /// Instructions are at these addresses, and are fetched up to some lines ahead.
    pub fn with_text(mut self, (start, end): (u32, u32)) -> AxiMemory {
        self.text = start / LINE..end.div_ceil(LINE) + AHEAD;
        self
    }

    /// Several managers are behind the port, each with IDs of so many bits (GPU-010): the order of accesses of a line
    /// is asked of each of them alone, and not of its reads of instructions, whose ID is the lower one of its last two.
    pub fn with_managers(mut self, id_bits: u32) -> AxiMemory {
        self.id_bits = Some(id_bits);
        self
    }

    /// What one SM reads may be given to another one: of reads of a line by any of them what ORDER-033 says of one's
    /// (SHARED-050).
    pub fn with_shared_lines(mut self) -> AxiMemory {
        self.shared = true;
        self
    }

    /// A read and a write that SM-031 forbids to pass each other, if they are of one line.
    fn ordered(&self, read: &Address, write: &Address) -> bool {
        let line = read.address / LINE;
        if line != write.address / LINE || self.text.contains(&line) {
            return false;
        }
        self.id_bits.is_none_or(|bits| {
            let (read, write) = (u32::from(read.id), u32::from(write.id));
            let instructions = read % (1 << bits) == 1 << (bits - 1);
            read >> bits == write >> bits && !instructions
        })
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    /// Nothing is on its way.
    pub fn idle(&self) -> bool {
        self.reads.is_empty() && self.no_write()
    }

    pub fn no_write(&self) -> bool {
        self.writes.is_empty() && self.early.is_empty()
    }

    /// For messages.
    pub fn under_way(&self) -> String {
        let reads: Vec<_> = self.reads.iter().map(|r| r.request.address).collect();
        let writes: Vec<_> = self.writes.iter().map(|w| w.request.address).collect();
        format!("reads of {reads:x?}, writes of {writes:x?}")
    }

    fn ready(&mut self) -> bool {
        self.timing.stall == 0 || self.rng.gen_range(0..100) >= self.timing.stall
    }

    /// What the memory drives in this cycle.
    pub fn drive(&mut self) -> Subordinate {
        if self.silent {
            self.offered = Subordinate::default();
            return self.offered;
        }
        let before = self.before;
        let mut out = Subordinate {
            aw_ready: self.writes.len() < MOST && self.ready(),
            w_ready: self.early.len() < EARLY && self.ready(),
            ar_ready: self.reads.len() < MOST && self.ready(),
            ..Subordinate::default()
        };
        // What is offered stays.
        let held = before.1.b.valid && !before.0.b_ready;
        out.b = match held {
            true => before.1.b,
            false => self.next_write_response(),
        };
        let held = before.1.r.valid && !before.0.r_ready;
        out.r = match held {
            true => before.1.r,
            false => self.next_read_beat(),
        };
        self.offered = out;
        out
    }

    fn waits(&mut self) -> bool {
        self.timing.gap != 0 && self.rng.gen_range(0..100) < self.timing.gap
    }

    /// Of requests in order: the first of each ID.
    fn firsts(ids: impl Iterator<Item = u16>) -> Vec<usize> {
        let mut seen = HashSet::new();
        let first = ids.enumerate().filter(|(_, id)| seen.insert(*id));
        first.map(|(n, _)| n).collect()
    }

    fn choose(&mut self, from: Vec<usize>) -> Option<usize> {
        match from.is_empty() {
            true => None,
            false if self.timing.any_order => Some(from[self.rng.gen_range(0..from.len())]),
            false => Some(from[0]),
        }
    }

    fn next_write_response(&mut self) -> Response {
        let cycle = self.cycle;
        if self.writes.is_empty() {
            self.waits();
            return Response::default();
        }
        let firsts = Self::firsts(self.writes.iter().map(|w| w.request.id));
        let due = |&n: &usize| self.writes[n].due.is_some_and(|due| due <= cycle);
        let due: Vec<usize> = match self.timing.any_order {
            true => firsts.into_iter().filter(due).collect(),
            false => firsts.into_iter().take(1).filter(due).collect(),
        };
        if self.waits() {
            return Response::default();
        }
        let Some(n) = self.choose(due) else {
            return Response::default();
        };
        self.land(n);
        let request = self.writes[n].request;
        Response {
            valid: true,
            id: request.id,
            resp: self.resp(&request),
        }
    }

    fn resp(&self, request: &Address) -> u8 {
        let line = request.address & !(LINE - 1);
        match self.bad.contains(&line) {
            true => 2,
            false => 0,
        }
    }

    fn next_read_beat(&mut self) -> ReadBeat {
        let cycle = self.cycle;
        if self.reads.is_empty() {
            self.waits();
            return ReadBeat::default();
        }
        let firsts = Self::firsts(self.reads.iter().map(|r| r.request.id));
        let started = firsts.iter().copied().find(|&n| self.reads[n].sent > 0);
        let due = |&n: &usize| self.reads[n].due <= cycle;
        let due: Vec<usize> = match started {
            Some(n) if !self.timing.interleave => vec![n],
            _ if self.timing.any_order => firsts.into_iter().filter(due).collect(),
            _ => firsts.into_iter().take(1).filter(due).collect(),
        };
        if self.waits() {
            return ReadBeat::default();
        }
        let Some(n) = self.choose(due) else {
            return ReadBeat::default();
        };
        self.look(n);
        let resp = self.resp(&self.reads[n].request);
        let read = &self.reads[n];
        let (beat, sent) = (self.beat as usize, read.sent as usize);
        let mut data = [0; 64];
        let all = read.data.as_deref().unwrap_or_default();
        let bytes = &all[sent * beat..(sent + 1) * beat];
        match resp {
            0 => data[..beat].copy_from_slice(bytes),
            // What comes with an error means nothing.
            _ => self.rng.fill(&mut data[..beat]),
        }
        let read = &self.reads[n];
        ReadBeat {
            valid: true,
            id: read.request.id,
            resp,
            data,
            last: read.sent == u32::from(read.request.len),
        }
    }

    /// Of one manager's reads of a line those that came before have been looked at (ORDER-033).
    fn look(&mut self, n: usize) {
        let most = if self.shared { FIRST_SM } else { u16::MAX };
        let manager = |read: &Read| self.id_bits.map(|bits| (read.request.id >> bits).min(most));
        let of = |read: &Read| (read.request.address / LINE, manager(read));
        let before = self
            .reads
            .range(..n)
            .position(|read| read.data.is_none() && of(read) == of(&self.reads[n]));
        if let Some(before) = before {
            self.look(before);
            return self.look(n);
        }
        let read = &mut self.reads[n];
        if read.data.is_none() {
            let from = read.request.address as usize;
            let length = (usize::from(read.request.len) + 1) * self.beat as usize;
            read.data = Some(self.bytes[from..from + length].to_vec());
        }
    }

    /// The write changes the memory; those of its ID before it have done so.
    fn land(&mut self, n: usize) {
        let id = self.writes[n].request.id;
        for earlier in 0..n {
            let write = &self.writes[earlier];
            if write.request.id == id && !write.landed {
                self.land(earlier);
            }
        }
        let write = &mut self.writes[n];
        if std::mem::replace(&mut write.landed, true) {
            return;
        }
        let line = write.request.address & !(LINE - 1);
        if self.bad.contains(&line) {
            return;
        }
        let mut at = write.request.address as usize;
        for beat in &write.beats {
            for byte in 0..self.beat as usize {
                if beat.strobe >> byte & 1 != 0 {
                    self.bytes[at + byte] = beat.data[byte];
                }
            }
            at += self.beat as usize;
        }
    }

    /// What the manager has done in this cycle.
    pub fn edge(&mut self, manager: &Manager) -> Result<(), String> {
        if self.silent {
            self.cycle += 1;
            return Ok(());
        }
        let offered = self.offered;
        self.stable(manager)?;
        // Things happen in memory before what comes now.
        let cycle = self.cycle;
        for n in 0..self.writes.len() {
            let write = &self.writes[n];
            if write.due.is_some() && !write.landed && write.lands <= cycle {
                self.land(n);
            }
        }
        for n in 0..self.reads.len() {
            if self.reads[n].looks <= cycle {
                self.look(n);
            }
        }
        if offered.b.valid && manager.b_ready {
            let n = self
                .writes
                .iter()
                .position(|w| w.request.id == offered.b.id);
            let write = n.and_then(|n| self.writes.remove(n));
            let write = write.ok_or("bench: a response to no write")?;
            let older = self.writes.iter().any(|w| w.number < write.number);
            self.counts.overtakings += u64::from(older);
            self.counts.errors += u64::from(offered.b.resp != 0);
        }
        if offered.r.valid && manager.r_ready {
            let n = self.reads.iter().position(|r| r.request.id == offered.r.id);
            let n = n.ok_or("bench: data for no read")?;
            self.reads[n].sent += 1;
            if offered.r.last {
                let read = self.reads.remove(n).ok_or("bench: no read")?;
                let older = self.reads.iter().any(|r| r.number < read.number);
                self.counts.overtakings += u64::from(older);
                self.counts.errors += u64::from(offered.r.resp != 0);
            }
        }
        if manager.aw.valid && offered.aw_ready {
            self.write_request(manager.aw)?;
        }
        if manager.w.valid && offered.w_ready {
            self.write_beat(manager.w)?;
        }
        if manager.ar.valid && offered.ar_ready {
            self.read_request(manager.ar)?;
        }
        self.before = (*manager, offered);
        self.cycle += 1;
        Ok(())
    }

    /// AXI: what is valid stays as it is until it is taken.
    fn stable(&self, now: &Manager) -> Result<(), String> {
        let (was, offered) = &self.before;
        let changed = [
            ("aw", was.aw.valid && !offered.aw_ready && was.aw != now.aw),
            ("w", was.w.valid && !offered.w_ready && was.w != now.w),
            ("ar", was.ar.valid && !offered.ar_ready && was.ar != now.ar),
        ];
        match changed.iter().find(|(_, changed)| *changed) {
            Some((channel, _)) => Err(format!(
                "AXI: {channel} changed before it was taken: {was:x?}, then {now:x?}"
            )),
            None => Ok(()),
        }
    }

    /// SM-030, and that there is memory.
    fn legal(&self, request: &Address, what: &str) -> Result<(), String> {
        let length = (u32::from(request.len) + 1) * self.beat;
        let end = u64::from(request.address) + u64::from(length);
        let line = request.address / LINE;
        let broken = if request.burst != 1 && request.len != 0 {
            "no INCR burst"
        } else if 1u32 << request.size != self.beat {
            "narrow beats"
        } else if request.address % self.beat != 0 {
            "not aligned to its first beat"
        } else if (end - 1) / u64::from(LINE) != u64::from(line) {
            "crosses the end of its line"
        } else if self.id_bits.is_none() && request.address < weft_sim::memory::MEMORY_BASE {
            "below the lowest address that is mapped"
        } else if end > self.bytes.len() as u64 {
            "outside the memory"
        } else {
            return Ok(());
        };
        Err(format!("AXI: {what} {request:x?}: {broken}"))
    }

    fn write_request(&mut self, request: Address) -> Result<(), String> {
        self.legal(&request, "write")?;
        let line = request.address / LINE;
        if self
            .reads
            .iter()
            .any(|r| self.ordered(&r.request, &request))
        {
            return Err(format!(
                "SM-031: a write to line {:#x} while a read of it is on its way",
                line * LINE
            ));
        }
        self.number += 1;
        self.counts.writes += 1;
        self.writes.push_back(Write {
            request,
            beats: Vec::new(),
            due: None,
            lands: 0,
            landed: false,
            number: self.number,
        });
        self.counts.most_writes = self.counts.most_writes.max(self.writes.len() as u64);
        while let Some(beat) = self.early.pop_front() {
            if !self.take_beat(beat)? {
                self.early.push_front(beat);
                break;
            }
        }
        Ok(())
    }

    fn write_beat(&mut self, beat: WriteBeat) -> Result<(), String> {
        if self.beat < 64 && beat.strobe >> self.beat != 0 {
            return Err(format!("AXI: strobes {:#x} beyond the data", beat.strobe));
        }
        if !self.early.is_empty() || !self.take_beat(beat)? {
            self.early.push_back(beat);
        }
        Ok(())
    }

    /// False: it belongs to no write that is there.
    fn take_beat(&mut self, beat: WriteBeat) -> Result<bool, String> {
        let due = self.draw();
        let cycle = self.cycle;
        let open = self.writes.iter_mut().find(|w| w.due.is_none());
        let Some(write) = open else {
            return Ok(false);
        };
        write.beats.push(beat);
        let complete = write.beats.len() == usize::from(write.request.len) + 1;
        if beat.last != complete {
            return Err(format!(
                "AXI: WLAST is {} at beat {} of {:x?}",
                beat.last,
                write.beats.len(),
                write.request
            ));
        }
        self.counts.bytes_written += u64::from(beat.strobe.count_ones());
        if complete {
            write.due = Some(due);
            write.lands = self.rng.gen_range(cycle..=due);
        }
        Ok(true)
    }

    fn draw(&mut self) -> u64 {
        let cycles = match self.timing.latency {
            Latency::Fixed(n) => n,
            Latency::Random(n) => self.rng.gen_range(0..=n),
        };
        self.cycle + u64::from(cycles.max(1))
    }

    fn read_request(&mut self, request: Address) -> Result<(), String> {
        self.legal(&request, "read")?;
        let line = request.address / LINE;
        if self
            .writes
            .iter()
            .any(|w| self.ordered(&request, &w.request))
        {
            return Err(format!(
                "SM-031: a read of line {:#x} while a write to it has no response",
                line * LINE
            ));
        }
        self.number += 1;
        self.counts.reads += 1;
        self.counts.bytes_read += u64::from((u32::from(request.len) + 1) * self.beat);
        let due = self.draw();
        let looks = self.rng.gen_range(self.cycle + 1..=due);
        self.reads.push_back(Read {
            request,
            due,
            looks,
            data: None,
            sent: 0,
            number: self.number,
        });
        self.counts.most_reads = self.counts.most_reads.max(self.reads.len() as u64);
        Ok(())
    }
}
