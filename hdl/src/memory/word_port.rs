//! AXI4 manager of the word requests of `weft_host` and `weft_tasks`.
//!
//! Spec: `docs/spec/gpu.md`, GPU-020 to GPU-022.
//!
//! # Parameters
//! `D` bits of a beat, `DS` = D / 8, `N` = D / 32 words, `NB` = log2 N.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `memory_*` | | | requests of words, and their responses (TASK-110) |
//! | `axi_*` | | | AXI4: AR, R, AW, W, B; of one ID, beats of INCR bursts, each write of one beat |
//!
//! # Cycle behaviour
//! Requests of one line are one burst: the first one asks for all its words, the others are taken one in each cycle.
//! A second burst is asked for while the first is under way. A write is a transaction of one beat; the next one is taken
//! when this one's address and beat are.
//! Responses pass one register.
//!
//! # Invariants
//! 1. `axi_arvalid`, `axi_awvalid`, `axi_wvalid` stay, with what they go with, until they are taken.
//! 2. A word is told behind the cycle in which its request is taken, because a beat is two cycles behind its address.
//!
//! # Errors
//! Of a beat for its words, of a write for it: `memory_error`.

use super::Join;
use crate::hdl::*;

#[module(requires(D == 8 * DS, D == 32 * N, N == 1 << NB, N >= 2, N <= 16))]
pub struct WordPort<const D: usize, const DS: usize, const N: usize, const NB: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub memory_request: Signal<In, Bit>,
    pub memory_write: Signal<In, Bit>,
    pub memory_address: Signal<In, Bits<32>>,
    pub memory_data: Signal<In, Bits<32>>,
    pub memory_more: Signal<In, Bits<4>>,
    pub memory_ready: Signal<Out, Bit>,
    pub memory_done: Signal<Out, Bit>,
    pub memory_error: Signal<Out, Bit>,
    pub memory_read: Signal<Out, Bits<32>>,
    pub axi_arvalid: Signal<Out, Bit>,
    pub axi_arready: Signal<In, Bit>,
    pub axi_araddr: Signal<Out, Bits<32>>,
    pub axi_arlen: Signal<Out, Bits<8>>,
    pub axi_rvalid: Signal<In, Bit>,
    pub axi_rready: Signal<Out, Bit>,
    pub axi_rdata: Signal<In, Bits<D>>,
    pub axi_rresp: Signal<In, Bits<2>>,
    pub axi_awvalid: Signal<Out, Bit>,
    pub axi_awready: Signal<In, Bit>,
    pub axi_awaddr: Signal<Out, Bits<32>>,
    pub axi_wvalid: Signal<Out, Bit>,
    pub axi_wready: Signal<In, Bit>,
    pub axi_wdata: Signal<Out, Bits<D>>,
    pub axi_wstrb: Signal<Out, Bits<DS>>,
    pub axi_bvalid: Signal<In, Bit>,
    pub axi_bready: Signal<Out, Bit>,
    pub axi_bresp: Signal<In, Bits<2>>,
    // A read address.
    ar: DFF<Bit>,
    ar_address: DFF<Bits<32>>,
    ar_length: DFF<Bits<4>>,
    // Requests of the newest burst that are still to be taken.
    rest: DFF<Bits<4>>,
    // The burst whose words come, and the one behind it: words that are to come, and the place of the next one in its line.
    left: DFF<Bits<5>>,
    at: DFF<Bits<4>>,
    next_left: DFF<Bits<5>>,
    next_at: DFF<Bits<4>>,
    // A write: its address, its beat; writes without a response.
    aw: DFF<Bit>,
    aw_address: DFF<Bits<32>>,
    w: DFF<Bit>,
    w_data: DFF<Bits<32>>,
    writes: DFF<Bits<5>>,
    // The response.
    done: DFF<Bit>,
    error: DFF<Bit>,
    word: DFF<Bits<32>>,
    // Combinational.
    asks: Signal<Local, Bit>,
    follows: Signal<Local, Bit>,
    sends: Signal<Local, Bit>,
    words: Signal<Local, Bits<5>>,
    first: Signal<Local, Bits<5>>,
    last: Signal<Local, Bits<5>>,
    place: Signal<Local, Bits<4>>,
    tells: Signal<Local, Bit>,
    found: Signal<Local, Bits<32>>,
    left_now: Signal<Local, Bits<5>>,
    w_place: Signal<Local, Bits<4>>,
    here: Signal<Local, Bit>,
    beat: Join<N, 32, D>,
    strobes: Join<N, 4, DS>,
    #[value((N as u64 - 1).into())]
    in_beat: Constant<Bits<4>>,
    #[value((N as u64 - 1).into())]
    word_mask: Constant<Bits<5>>,
    #[value((NB as u64).into())]
    beat_shift: Constant<Bits<3>>,
    #[value((!(DS as u64 - 1) & 0xffff_ffff).into())]
    aligned: Constant<Bits<32>>,
    #[init((0..N as u64).map(|n| Constant::new(n.into())).collect())]
    number: Vec<Constant<Bits<4>>>,
}

#[part(WordPort<D, DS, N, NB>)]
fn update(&mut self) {
    // ---- A burst of reads: asked for by its first request.
    self.asks.next = self.memory_request.val()
        & !self.memory_write.val()
        & !self.rest.q.val().any()
        & !self.ar.q.val()
        & !self.next_left.q.val().any()
        & !self.writes.q.val().any();
    self.follows.next =
        self.memory_request.val() & !self.memory_write.val() & self.rest.q.val().any();
    self.words.next = bit_cast::<5, 4>(self.memory_more.val()) + 1;
    self.first.next = bit_cast::<5, 4>(self.memory_address.val().get_bits::<4>(2));
    self.last.next = ((self.first.val() & self.word_mask.val())
        + bit_cast::<5, 4>(self.memory_more.val()))
        >> self.beat_shift.val();
    if self.axi_arready.val() {
        self.ar.d.next = false;
    }
    if self.asks.val() {
        self.ar.d.next = true;
        self.ar_address.d.next = self.memory_address.val() & self.aligned.val();
        self.ar_length.d.next = self.last.val().get_bits::<4>(0);
        self.rest.d.next = self.memory_more.val();
    }
    if self.follows.val() {
        self.rest.d.next = self.rest.q.val() - 1;
    }
    self.axi_arvalid.next = self.ar.q.val();
    self.axi_araddr.next = self.ar_address.q.val();
    self.axi_arlen.next = bit_cast::<8, 4>(self.ar_length.q.val());

    // ---- Its words: one in each cycle, the beat stands until the last of its words.
    self.tells.next = self.axi_rvalid.val() & self.left.q.val().any();
    self.place.next = self.at.q.val() & self.in_beat.val();
    self.found.next = self.axi_rdata.val().get_bits::<32>(0);
    for n in 0..N {
        if self.place.val() == self.number[n].val() {
            self.found.next = self.axi_rdata.val().get_bits::<32>(32 * n);
        }
    }
    self.axi_rready.next =
        self.tells.val() & ((self.place.val() == self.in_beat.val()) | (self.left.q.val() == 1));
    self.left_now.next = self.left.q.val();
    if self.tells.val() {
        self.left_now.next = self.left.q.val() - 1;
        self.at.d.next = self.at.q.val() + 1;
    }
    self.left.d.next = self.left_now.val();
    if !self.left_now.val().any() {
        carry!(self.*.d <- self.next_*.q: left, at);
        self.next_left.d.next = 0.into();
    }
    if self.asks.val() {
        if self.left_now.val().any() {
            self.next_left.d.next = self.words.val();
            self.next_at.d.next = self.first.val().get_bits::<4>(0);
        } else {
            self.left.d.next = self.words.val();
            self.at.d.next = self.first.val().get_bits::<4>(0);
        }
    }

    // ---- Writes.
    self.sends.next = self.memory_request.val()
        & self.memory_write.val()
        & !self.aw.q.val()
        & !self.w.q.val()
        & !self.left.q.val().any()
        & !self.writes.q.val().get_bit(4);
    if self.axi_awready.val() {
        self.aw.d.next = false;
    }
    if self.axi_wready.val() {
        self.w.d.next = false;
    }
    if self.sends.val() {
        self.aw.d.next = true;
        self.w.d.next = true;
        self.aw_address.d.next = self.memory_address.val();
        self.w_data.d.next = self.memory_data.val();
    }
    self.axi_awvalid.next = self.aw.q.val();
    self.axi_awaddr.next = self.aw_address.q.val() & self.aligned.val();
    self.w_place.next = self.aw_address.q.val().get_bits::<4>(2) & self.in_beat.val();
    for n in 0..N {
        self.here.next = self.w_place.val() == self.number[n].val();
        self.beat.each[n].next = self.w_data.q.val();
        self.strobes.each[n].next = 0.into();
        if self.here.val() {
            self.strobes.each[n].next = 15.into();
        }
    }
    self.axi_wvalid.next = self.w.q.val();
    self.axi_wdata.next = self.beat.whole.val();
    self.axi_wstrb.next = self.strobes.whole.val();
    self.axi_bready.next = true;
    if self.sends.val() & !self.axi_bvalid.val() {
        self.writes.d.next = self.writes.q.val() + 1;
    }
    if self.axi_bvalid.val() & !self.sends.val() {
        self.writes.d.next = self.writes.q.val() - 1;
    }

    // ---- Requests and responses.
    self.memory_ready.next = self.asks.val() | self.follows.val() | self.sends.val();
    self.done.d.next = self.tells.val() | self.axi_bvalid.val();
    self.word.d.next = self.found.val();
    self.error.d.next = self.axi_rresp.val().get_bit(1);
    if self.axi_bvalid.val() {
        self.error.d.next = self.axi_bresp.val().get_bit(1);
    }
    carry!(self.memory_* <- self.*.q: done, error, read = word);

    if self.reset.val() {
        self.ar.d.next = false;
        self.rest.d.next = 0.into();
        self.left.d.next = 0.into();
        self.next_left.d.next = 0.into();
        self.aw.d.next = false;
        self.w.d.next = false;
        self.writes.d.next = 0.into();
        self.done.d.next = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{HashMap, VecDeque};
    use weft_rtl::Rng;

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "word_port",
            WordPort::<128, 16, 4, 2>::default,
            3000,
            |u, rng: &mut Rng, t| {
                u.memory_request.next = rng.chance(1, 2);
                u.memory_write.next = rng.chance(1, 3);
                u.memory_address.next = rng.bits();
                u.memory_data.next = rng.bits();
                u.memory_more.next = rng.bits();
                u.axi_arready.next = rng.chance(1, 2);
                u.axi_rvalid.next = rng.chance(1, 2);
                u.axi_rdata.next = rng.bits();
                u.axi_rresp.next = rng.bits();
                u.axi_awready.next = rng.chance(1, 2);
                u.axi_wready.next = rng.chance(1, 2);
                u.axi_bvalid.next = rng.chance(1, 5);
                u.axi_bresp.next = rng.bits();
                u.reset.next = t == 0;
            },
            Some(|u, level| u.clock.next = level.into()),
        )
        .unwrap();
    }

    /// What a bus with this width does with requests of a line, of words and of writes; each response is the right one,
    /// behind its request, in order, and no beat is asked for that nobody wants.
    fn requests_are_answered<const D: usize, const DS: usize, const N: usize, const NB: usize>() {
        let mut b = weft_rtl::Bench::new(WordPort::<D, DS, N, NB>::default(), |u, level| {
            u.clock.next = level.into()
        });
        let mut rng = Rng::new(crate::stimulus::given("SEED", 5), "word_port");
        b.uut.reset.next = true;
        b.edge();
        b.uut.reset.next = false;
        let mut memory: HashMap<u64, u64> = HashMap::new();
        let word = |memory: &HashMap<u64, u64>, address: u64| {
            *memory.get(&address).unwrap_or(&(address * 3 + 7))
        };
        // Requests that are to be made: write, address, data, more; those without a response, and when they were taken.
        let mut requests: VecDeque<(bool, u64, u64, u64)> = VecDeque::new();
        let mut open: VecDeque<(bool, u64, u64)> = VecDeque::new();
        // Bursts: address of the next beat, beats left. Writes whose address, and whose beat, has come.
        let mut bursts: VecDeque<(u64, u64)> = VecDeque::new();
        let (mut addresses, mut beats) = (VecDeque::new(), VecDeque::new());
        let mut acks = 0u64;
        let (mut answered, mut ahead) = (0, false);
        let mut resets = crate::stimulus::Resets::new(150);
        for t in 0..6000u64 {
            // A reset, of what is behind the port too: what has no response by then is never answered.
            let reset = resets.now(&mut rng, !open.is_empty());
            b.uut.reset.next = reset;
            if reset {
                b.edge();
                requests.clear();
                open.clear();
                bursts.clear();
                addresses.clear();
                beats.clear();
                acks = 0;
                b.uut.axi_rvalid.next = false;
                continue;
            }
            if requests.is_empty() && (open.is_empty() || (open.len() < 17 && !open[0].0)) {
                let line = 64 * rng.below(4);
                let first = rng.below(16);
                let more = rng.below(16 - first);
                let write = open.is_empty() && rng.chance(1, 3);
                for n in 0..=more {
                    let data = t << 8 | n;
                    requests.push_back((write, line + 4 * (first + n), data, more - n));
                }
            }
            let request = requests.front().copied();
            b.uut.memory_request.next = request.is_some();
            if let Some((write, address, data, more)) = request {
                b.uut.memory_write.next = write;
                b.uut.memory_address.next = address.into();
                b.uut.memory_data.next = data.into();
                b.uut.memory_more.next = more.into();
            }
            b.uut.axi_arready.next = rng.chance(1, 2);
            b.uut.axi_awready.next = rng.chance(1, 2);
            b.uut.axi_wready.next = rng.chance(1, 2);
            // A beat that is offered stands.
            let beat = bursts.front().copied();
            let offered = b.uut.axi_rvalid.val() && !b.uut.axi_rready.val();
            b.uut.axi_rvalid.next = beat.is_some() && (offered || rng.chance(2, 3));
            if let Some((address, _)) = beat {
                let mut data = Bits::<D>::default();
                for n in 0..N {
                    let value = word(&memory, address + 4 * n as u64);
                    for bit in (0..32).filter(|bit| value >> bit & 1 == 1) {
                        data = data.replace_bit(32 * n + bit, true);
                    }
                }
                b.uut.axi_rdata.next = data;
                b.uut.axi_rresp.next = (2 * u64::from(address % 256 >= 192)).into();
            }
            let ack = acks > 0 && rng.chance(1, 3);
            b.uut.axi_bvalid.next = ack;
            b.uut.axi_bresp.next = 0.into();
            b.settle();
            if b.uut.memory_done.val() {
                let (write, address, data) = open.pop_front().expect("a response to nothing");
                let failed = !write && address % 256 >= 192 / DS as u64 * DS as u64;
                assert_eq!(b.uut.memory_error.val(), failed, "{address:#x}");
                if !write {
                    assert_eq!(b.uut.memory_read.val().to_u64(), data, "{address:#x}");
                }
                answered += 1;
            }
            ahead |= bursts.len() == 2;
            if b.uut.memory_request.val() && b.uut.memory_ready.val() {
                let (write, address, data, _) = requests.pop_front().unwrap();
                let data = if write { data } else { word(&memory, address) };
                open.push_back((write, address, data));
            }
            if b.uut.axi_arvalid.val() && b.uut.axi_arready.val() {
                let address = b.uut.axi_araddr.val().to_u64();
                let length = b.uut.axi_arlen.val().to_u64();
                assert_eq!(address % DS as u64, 0);
                assert_eq!(
                    address / 64,
                    (address + DS as u64 * length) / 64,
                    "a line is left"
                );
                bursts.push_back((address, length + 1));
            }
            if b.uut.axi_rvalid.val() && b.uut.axi_rready.val() {
                let (address, left) = bursts.pop_front().unwrap();
                if left > 1 {
                    bursts.push_front((address + DS as u64, left - 1));
                }
            }
            if b.uut.axi_awvalid.val() && b.uut.axi_awready.val() {
                addresses.push_back(b.uut.axi_awaddr.val().to_u64());
            }
            if b.uut.axi_wvalid.val() && b.uut.axi_wready.val() {
                let strobes = b.uut.axi_wstrb.val();
                let places: Vec<_> = (0..DS).filter(|&n| strobes.get_bit(n)).collect();
                assert!(places.len() == 4 && places[0] % 4 == 0 && places[3] == places[0] + 3);
                let data = b.uut.axi_wdata.val();
                let bit = |bit: &usize| data.get_bit(8 * places[0] + bit);
                let value: u64 = (0..32).filter(bit).map(|bit| 1 << bit).sum();
                beats.push_back((places[0] as u64, value));
            }
            acks -= u64::from(ack);
            while !addresses.is_empty() && !beats.is_empty() {
                let (address, (place, data)) =
                    (addresses.pop_front().unwrap(), beats.pop_front().unwrap());
                memory.insert(address + place, data);
                acks += 1;
            }
            b.edge();
        }
        resets.check("word_port");
        crate::stimulus::has_met(answered > 1500 && ahead, answered);
    }

    #[test]
    fn requests_are_answered_at_each_width() {
        requests_are_answered::<64, 8, 2, 1>();
        requests_are_answered::<128, 16, 4, 2>();
        requests_are_answered::<512, 64, 16, 4>();
    }
}
