//! The memory behind the spill port, and the checker of the port's rules (docs/spec/spill.md, memory port).

use crate::rule::Rule;
use crate::seed::{stream, Rng};
pub use crate::spill::Request;
use crate::timing::Latency;
use crate::window::Places;
use rand::Rng as _;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use weft_generate::Config;
use weft_ports::control::{Inputs, Outputs};
use weft_sim::{Token, EXIT};

/// How the token memory behaves. Probabilities are percentages per cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MemoryTiming {
    /// From a request to its response; at least one cycle, whatever is drawn.
    pub latency: Latency,
    /// `spill_request_ready` is low.
    pub request_stall: u32,
    /// A response that is due is not presented yet.
    pub response_stall: u32,
    /// Of several responses that are due, any may come first; else the one that is due for the longest time.
    pub any_order: bool,
}

impl Default for MemoryTiming {
    fn default() -> Self {
        MemoryTiming::fixed(1)
    }
}

impl MemoryTiming {
    pub fn fixed(cycles: u32) -> MemoryTiming {
        MemoryTiming {
            latency: Latency::Fixed(cycles),
            request_stall: 0,
            response_stall: 0,
            any_order: false,
        }
    }

    /// For a random program.
    pub fn draw(rng: &mut Rng) -> MemoryTiming {
        let latency = match rng.gen_range(0..6) {
            0 | 1 => Latency::Fixed(1),
            2 => Latency::Fixed(20),
            3 => Latency::Fixed(200),
            _ => Latency::Random(rng.gen_range(1..=200)),
        };
        let percent = |rng: &mut Rng| [0, 0, 0, 10, 50, 80][rng.gen_range(0..6)];
        MemoryTiming {
            latency,
            request_stall: percent(rng),
            response_stall: percent(rng),
            any_order: rng.gen_bool(0.5),
        }
    }

    /// Cycles that one access takes at most, roughly: for watchdogs.
    pub fn slowness(&self) -> u64 {
        let (Latency::Fixed(cycles) | Latency::Random(cycles)) = self.latency;
        let stall = |percent: u32| 100 / u64::from(100 - percent.min(99));
        u64::from(cycles.max(1)) + stall(self.request_stall) + stall(self.response_stall)
    }
}

#[derive(Clone, Copy, Debug)]
struct Response {
    write: bool,
    tag: u16,
    data: u128,
}

/// A word per address. A word that nobody has written holds garbage.
pub struct TokenMemory {
    timing: MemoryTiming,
    words: HashMap<u32, u128>,
    /// All bits of a word.
    word: u128,
    /// With the cycle from which on they may be answered.
    pending: Vec<(u64, Request)>,
    presented: Option<Response>,
    cycle: u64,
    latency: Rng,
    stalls: Rng,
    order: Rng,
    garbage: Rng,
}

impl TokenMemory {
    pub fn new(timing: MemoryTiming, threads: usize, seed: u64) -> TokenMemory {
        TokenMemory {
            timing,
            words: HashMap::new(),
            word: u128::MAX >> if threads == 64 { 0 } else { 64 },
            pending: Vec::new(),
            presented: None,
            cycle: 0,
            latency: stream(seed, "memory latency"),
            stalls: stream(seed, "memory stalls"),
            order: stream(seed, "memory order"),
            garbage: stream(seed, "memory garbage"),
        }
    }

    /// Access from outside, at once.
    pub fn load(&mut self, address: u32) -> u128 {
        let (garbage, word) = (&mut self.garbage, self.word);
        *self
            .words
            .entry(address)
            .or_insert_with(|| garbage.gen::<u128>() & word)
    }

    /// Access from outside, at once.
    pub fn store(&mut self, address: u32, data: u128) {
        self.words.insert(address, data & self.word);
    }

    /// These words hold garbage from now on.
    pub fn forget(&mut self, base: u32, words: u32) {
        self.words
            .retain(|address, _| address.wrapping_sub(base) >= words);
    }

    /// Before the ports settle: what the memory says in this cycle.
    pub fn drive(&mut self, inputs: &mut Inputs) {
        inputs.spill_request_ready = !percent(&mut self.stalls, self.timing.request_stall);
        if self.presented.is_none() && !percent(&mut self.stalls, self.timing.response_stall) {
            self.presented = self.due();
        }
        inputs.spill_response_valid = self.presented.is_some();
        if let Some(response) = self.presented {
            inputs.spill_response_write = response.write;
            inputs.spill_response_tag = response.tag;
            inputs.spill_response_data = response.data;
        }
    }

    /// Takes one access that is due, and carries it out.
    fn due(&mut self) -> Option<Response> {
        let cycle = self.cycle;
        let due = |(at, _): &&(u64, Request)| *at <= cycle;
        let count = self.pending.iter().filter(due).count();
        if count == 0 {
            return None;
        }
        let index = match self.timing.any_order {
            true => {
                let nth = self.order.gen_range(0..count);
                let due = self.pending.iter().enumerate().filter(|(_, p)| due(p));
                due.map(|(index, _)| index).nth(nth)?
            }
            false => {
                let all = self.pending.iter().enumerate();
                all.min_by_key(|(index, (at, _))| (*at, *index))?.0
            }
        };
        let (_, request) = self.pending.remove(index);
        let data = match request.write {
            true => {
                self.store(request.address, request.data);
                // Of no meaning for a write.
                self.garbage.gen::<u128>() & self.word
            }
            false => self.load(request.address),
        };
        Some(Response {
            write: request.write,
            tag: request.tag,
            data,
        })
    }

    /// At the clock edge: the transfers of this cycle.
    pub fn edge(&mut self, inputs: &Inputs, outputs: &Outputs) {
        if inputs.spill_response_valid && outputs.spill_response_ready {
            self.presented = None;
        }
        if let Some(request) = Request::offered(outputs).filter(|_| inputs.spill_request_ready) {
            let latency = match self.timing.latency {
                Latency::Fixed(cycles) => cycles.max(1),
                Latency::Random(most) => self.latency.gen_range(1..=most.max(1)),
            };
            self.pending
                .push((self.cycle + u64::from(latency), request));
        }
        self.cycle += 1;
    }
}

/// First addresses of `warps` separate allocations of `size` tokens each, anywhere in the address space.
pub fn allocations(warps: usize, size: usize, seed: u64) -> Vec<u32> {
    let mut rng = stream(seed, "token allocations");
    let gaps: Vec<u32> = (0..warps).map(|_| rng.gen_range(0..4)).collect();
    let total = gaps.iter().map(|gap| gap + size as u32).sum::<u32>();
    let mut next = rng.gen_range(0..=u32::MAX - total);
    let mut bases = Vec::new();
    for gap in gaps {
        bases.push(next + gap);
        next += gap + size as u32;
    }
    // Not in the order of the warps.
    for n in (1..warps).rev() {
        bases.swap(n, rng.gen_range(0..=n));
    }
    bases
}

fn percent(rng: &mut Rng, chance: u32) -> bool {
    chance != 0 && rng.gen_range(0..100) < chance
}

/// The allocation of a warp: `size` words from `base` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allocation {
    pub base: u32,
    pub size: u16,
}

impl Allocation {
    pub fn holds(&self, address: u32) -> bool {
        address.wrapping_sub(self.base) < u32::from(self.size)
    }
}

/// Rules of the memory port. It knows no tokens, only accesses.
pub struct Checker {
    places: Places,
    /// W
    width: usize,
    /// By warp, since its latest launch.
    allocations: Vec<Option<Allocation>>,
    /// Warps that have stopped for RECENTER.
    stopped: u64,
    offered: Option<Request>,
    /// The latest request of a burst that goes on.
    burst: Option<Request>,
    /// By tag.
    outstanding: HashMap<u16, Request>,
    response: Option<(bool, u16, u128)>,
}

type Broken = (Rule, String);

impl Checker {
    pub fn new(config: Config) -> Checker {
        Checker {
            places: Places::of(config),
            width: config.threads,
            allocations: vec![None; config.warps],
            stopped: 0,
            offered: None,
            burst: None,
            outstanding: HashMap::new(),
            response: None,
        }
    }

    pub fn launched(&mut self, warp: usize, allocation: Allocation) {
        self.allocations[warp] = Some(allocation);
    }

    /// SPILL-023: nothing of this warp may be under way.
    pub fn stop(&mut self, warp: usize) -> Result<(), Broken> {
        let mut of_warp = self.outstanding.values();
        if let Some(request) = of_warp.find(|r| self.places.warp(r.tag) == warp) {
            let detail = format!("warp {warp} stops, {request:x?} is outstanding");
            return Err((Rule::SpillWhileStopped, detail));
        }
        self.stopped |= 1 << warp;
        Ok(())
    }

    pub fn resume(&mut self, warp: usize) {
        self.stopped &= !(1 << warp);
    }

    /// Nothing is under way.
    pub fn idle(&self) -> bool {
        self.outstanding.is_empty() && self.offered.is_none()
    }

    /// Requests of this warp that have no response yet.
    pub fn outstanding(&self, warp: usize) -> usize {
        let tags = self.outstanding.keys();
        tags.filter(|tag| self.places.warp(**tag) == warp).count()
    }

    /// Once per cycle with the settled ports, before the edge.
    pub fn cycle(&mut self, i: &Inputs, o: &Outputs) -> Result<(), Broken> {
        self.response(i, o)?;
        self.request(i, o)
    }

    fn response(&mut self, i: &Inputs, o: &Outputs) -> Result<(), Broken> {
        let now = i.spill_response_valid.then_some((
            i.spill_response_write,
            i.spill_response_tag,
            i.spill_response_data,
        ));
        if self.response.is_some_and(|before| now != Some(before)) {
            let detail = format!("response {:x?}, now {now:x?}", self.response);
            return Err((Rule::Testbench, detail));
        }
        self.response = now.filter(|_| !o.spill_response_ready);
        let Some((write, tag, _)) = now else {
            return Ok(());
        };
        match self.outstanding.get(&tag) {
            Some(request) if request.write == write => {
                if o.spill_response_ready {
                    self.outstanding.remove(&tag);
                }
                Ok(())
            }
            request => {
                let detail = format!("response for tag {tag:#x}, requested {request:x?}");
                Err((Rule::Testbench, detail))
            }
        }
    }

    fn request(&mut self, i: &Inputs, o: &Outputs) -> Result<(), Broken> {
        let now = Request::offered(o);
        if self.offered.is_some_and(|before| now != Some(before)) {
            let detail = format!("offered {:x?}, now {now:x?}", self.offered);
            return Err((Rule::SpillUnstable, detail));
        }
        self.offered = now.filter(|_| !i.spill_request_ready);
        let Some(request) = now else {
            return Ok(());
        };
        let broken = |rule, detail: String| Err((rule, format!("{request:x?}: {detail}")));
        let warp = self.places.warp(request.tag);
        match self.allocations.get(warp).copied().flatten() {
            None => {
                let detail = format!("warp {warp} was never launched");
                return broken(Rule::SpillOutside, detail);
            }
            Some(allocation) if !allocation.holds(request.address) => {
                let detail = format!("warp {warp} has {allocation:x?}");
                return broken(Rule::SpillOutside, detail);
            }
            Some(_) => {}
        }
        if self.stopped >> warp & 1 != 0 {
            let detail = format!("warp {warp} has stopped for its driver");
            return broken(Rule::SpillWhileStopped, detail);
        }
        if let Some(before) = self.burst {
            let next = Request {
                address: before.address.wrapping_add(1),
                ..before
            };
            let (next_warp, rises) = (self.places.warp(before.tag), next.address);
            if (request.write, warp, request.address) != (next.write, next_warp, rises) {
                return broken(Rule::SpillBurst, format!("in a burst after {before:x?}"));
            }
        }
        if request.write && !self.is_token(request.data) {
            return broken(Rule::SpillData, "not the form of a token".to_string());
        }
        if !i.spill_request_ready {
            return Ok(());
        }
        if let Some(other) = self.outstanding.get(&request.tag) {
            return broken(Rule::SpillTag, format!("outstanding {other:x?}"));
        }
        let overlaps = |r: &&Request| r.address == request.address && (r.write || request.write);
        if let Some(other) = self.outstanding.values().find(overlaps) {
            return broken(Rule::SpillOverlap, format!("outstanding {other:x?}"));
        }
        self.burst = (!request.last).then_some(request);
        self.outstanding.insert(request.tag, request);
        Ok(())
    }

    /// A token of this width, with zeros where the form has zeros, and of a type that a token can have.
    fn is_token(&self, data: u128) -> bool {
        Token::from_bits(data, self.width).is_some_and(|token| token.kind != EXIT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Config = Config::new(4, 4, 2, 1);

    fn request(write: bool, address: u32, tag: u16) -> Outputs {
        Outputs {
            spill_request_valid: true,
            spill_request_write: write,
            spill_request_address: address,
            spill_request_tag: tag,
            spill_request_last: true,
            spill_request_data: 0x35,
            spill_response_ready: true,
            ..Outputs::default()
        }
    }

    fn quiet() -> Outputs {
        Outputs {
            spill_response_ready: true,
            ..Outputs::default()
        }
    }

    /// Offers these accesses one after the other; gives (tag, data, cycle) of the responses.
    fn responses(memory: &mut TokenMemory, offers: &[Outputs]) -> Vec<(u16, u128, u64)> {
        let (mut seen, mut next) = (Vec::new(), 0);
        for cycle in 0..2_000 {
            let mut inputs = Inputs::default();
            memory.drive(&mut inputs);
            let outputs = offers.get(next).copied().unwrap_or(quiet());
            if inputs.spill_response_valid {
                seen.push((inputs.spill_response_tag, inputs.spill_response_data, cycle));
            }
            next += usize::from(outputs.spill_request_valid && inputs.spill_request_ready);
            memory.edge(&inputs, &outputs);
        }
        assert_eq!(next, offers.len());
        seen
    }

    #[test]
    fn what_was_written_is_read_and_the_rest_is_garbage() {
        let mut memory = TokenMemory::new(MemoryTiming::fixed(1), 4, 1);
        let seen = responses(&mut memory, &[request(true, 9, 1), request(false, 9, 2)]);
        assert_eq!(seen.iter().map(|r| r.0).collect::<Vec<_>>(), [1, 2]);
        assert_eq!((seen[1].1, seen[0].2, seen[1].2), (0x35, 1, 2));
        let garbage = memory.load(10);
        assert_eq!(memory.load(10), garbage);
        assert!(garbage != 0 && garbage >> 64 == 0);
        memory.store(10, 7);
        memory.forget(10, 1);
        assert_eq!(memory.load(9), 0x35);
        assert_ne!(memory.load(10), 7);
        assert_ne!(
            TokenMemory::new(MemoryTiming::fixed(1), 64, 1).load(0) >> 64,
            0
        );
    }

    #[test]
    fn allocations_are_separate() {
        for seed in 0..50 {
            let mut bases = allocations(8, 33, seed);
            bases.sort_unstable();
            assert!(bases.windows(2).all(|w| w[1] - w[0] >= 33), "{bases:?}");
            assert!(bases[7].checked_add(33).is_some());
        }
    }

    #[test]
    fn a_fixed_latency_keeps_the_order_and_a_random_one_does_not() {
        let offers: Vec<_> = (0..16).map(|n| request(false, n, n as u16)).collect();
        let mut memory = TokenMemory::new(MemoryTiming::fixed(20), 4, 1);
        let seen = responses(&mut memory, &offers);
        assert!(seen
            .iter()
            .enumerate()
            .all(|(n, r)| r.0 == n as u16 && r.2 == n as u64 + 20));
        let troublesome = MemoryTiming {
            latency: Latency::Random(30),
            request_stall: 50,
            response_stall: 80,
            any_order: true,
        };
        let mut memory = TokenMemory::new(troublesome, 4, 1);
        let seen = responses(&mut memory, &offers);
        let tags: Vec<_> = seen.iter().map(|r| r.0).collect();
        let mut sorted = tags.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..16).collect::<Vec<_>>(), "one response each");
        assert_ne!(tags, sorted);
        assert!(troublesome.slowness() > 30 && MemoryTiming::fixed(200).slowness() >= 200);
    }

    /// Offers these requests in one cycle each; the rule that breaks.
    fn broken(offers: &[Outputs]) -> Option<Rule> {
        let mut checker = Checker::new(SIZE);
        checker.launched(0, Allocation { base: 100, size: 5 });
        checker.launched(1, Allocation { base: 200, size: 9 });
        let inputs = Inputs {
            spill_request_ready: true,
            ..Inputs::default()
        };
        let mut all = offers.iter();
        all.find_map(|o| checker.cycle(&inputs, o).err().map(|(rule, _)| rule))
    }

    fn tag(warp: usize, place: u16) -> u16 {
        Places::of(SIZE).tag(warp, place)
    }

    #[test]
    fn accesses_stay_in_the_allocation_of_their_warp() {
        let at = |warp: usize, address| broken(&[request(false, address, tag(warp, 0))]);
        assert_eq!((at(0, 100), at(0, 104), at(1, 208)), (None, None, None));
        for (warp, address) in [(0, 99), (0, 105), (1, 100), (1, 209), (2, 100)] {
            assert_eq!(at(warp, address), Some(Rule::SpillOutside));
        }
    }

    #[test]
    fn bursts_rise_by_one_and_end() {
        let burst = |second| {
            let mut first = request(true, 101, tag(0, 0));
            first.spill_request_last = false;
            broken(&[first, quiet(), second])
        };
        assert_eq!(burst(request(true, 102, tag(0, 1))), None);
        assert_eq!(burst(request(true, 103, tag(0, 1))), Some(Rule::SpillBurst));
        assert_eq!(
            burst(request(false, 102, tag(0, 1))),
            Some(Rule::SpillBurst)
        );
        assert_eq!(burst(request(true, 202, tag(1, 1))), Some(Rule::SpillBurst));
    }

    #[test]
    fn tags_and_addresses_under_way_are_not_used_again() {
        let then = |second| broken(&[request(true, 101, tag(0, 0)), second]);
        assert_eq!(then(request(false, 102, tag(0, 0))), Some(Rule::SpillTag));
        assert_eq!(
            then(request(false, 101, tag(0, 1))),
            Some(Rule::SpillOverlap)
        );
        assert_eq!(
            then(request(true, 101, tag(0, 1))),
            Some(Rule::SpillOverlap)
        );
        let read = |o: Outputs| broken(&[request(false, 101, tag(0, 0)), o]);
        assert_eq!(
            read(request(true, 101, tag(0, 1))),
            Some(Rule::SpillOverlap)
        );
        assert_eq!(read(request(false, 101, tag(0, 1))), None);
    }

    #[test]
    fn a_response_frees_tag_and_address() {
        let mut checker = Checker::new(SIZE);
        checker.launched(0, Allocation { base: 100, size: 5 });
        let mut inputs = Inputs {
            spill_request_ready: true,
            ..Inputs::default()
        };
        let offer = request(true, 101, tag(0, 0));
        checker.cycle(&inputs, &offer).expect("legal");
        assert_eq!((checker.outstanding(0), checker.idle()), (1, false));
        inputs.spill_response_valid = true;
        inputs.spill_response_tag = tag(0, 0);
        assert_eq!(
            checker.cycle(&inputs, &quiet()).map_err(|(rule, _)| rule),
            Err(Rule::Testbench),
            "a read's response to a write"
        );
        let mut checker = Checker::new(SIZE);
        checker.launched(0, Allocation { base: 100, size: 5 });
        inputs.spill_response_valid = false;
        checker.cycle(&inputs, &offer).expect("legal");
        inputs.spill_response_valid = true;
        inputs.spill_response_write = true;
        checker.cycle(&inputs, &quiet()).expect("legal");
        assert!(checker.idle());
    }

    #[test]
    fn requests_hold_until_they_are_taken() {
        let mut checker = Checker::new(SIZE);
        checker.launched(0, Allocation { base: 100, size: 5 });
        let offer = request(true, 101, tag(0, 0));
        checker.cycle(&Inputs::default(), &offer).expect("legal");
        let mut other = offer;
        other.spill_request_data = 0x45;
        for changed in [quiet(), other] {
            let mut checker = Checker::new(SIZE);
            checker.launched(0, Allocation { base: 100, size: 5 });
            checker.cycle(&Inputs::default(), &offer).expect("legal");
            let rule = checker.cycle(&Inputs::default(), &changed);
            assert_eq!(rule.map_err(|(rule, _)| rule), Err(Rule::SpillUnstable));
        }
    }

    #[test]
    fn a_stopped_warp_leaves_the_port_alone() {
        let mut checker = Checker::new(SIZE);
        checker.launched(0, Allocation { base: 100, size: 5 });
        let inputs = Inputs {
            spill_request_ready: true,
            ..Inputs::default()
        };
        checker.stop(0).expect("nothing outstanding");
        let rule = checker.cycle(&inputs, &request(true, 101, tag(0, 0)));
        assert_eq!(rule.map_err(|(rule, _)| rule), Err(Rule::SpillWhileStopped));
        checker.resume(0);
        let mut checker = Checker::new(SIZE);
        checker.launched(0, Allocation { base: 100, size: 5 });
        checker
            .cycle(&inputs, &request(true, 101, tag(0, 0)))
            .expect("legal");
        let rule = checker.stop(0).map_err(|(rule, _)| rule);
        assert_eq!(rule, Err(Rule::SpillWhileStopped));
    }

    #[test]
    fn writes_are_tokens() {
        let write = |data| {
            let mut offer = request(true, 101, tag(0, 0));
            offer.spill_request_data = data;
            broken(&[offer])
        };
        assert_eq!(write(0x35), None);
        // Type EXIT; a mask beyond W; bits that are zero.
        for data in [0x3f, 0x105, 1 << 62 | 0x35, 1 << 64 | 0x35] {
            assert_eq!(write(data), Some(Rule::SpillData), "{data:#x}");
        }
    }
}
