//! Places between blocks, so that no ready is known later in a cycle than a register: reads, writes, passes, fetches.
//!
//! Spec: `docs/spec/memory.md`.
//!
//! # Parameters
//! `EI` bits of an ID; `D` bits of a beat, `DS` = D / 8; `H` bits of a pass besides its lanes' addresses and data,
//! which are `LW` bits each.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high: empty |
//! | `in_valid` / `in_ready`, `in_*` | in / out | 1 and the fields | what comes |
//! | `out_valid` / `out_ready`, `out_*` | out / in | 1 and the fields | what goes |
//!
//! # Cycle behaviour
//! `in_ready` is a register. One comes and one goes in each cycle; of fetches in every second one.
//! A read and a write are out in the cycle after they came; a pass is out in the cycle in which it comes, and
//! waits here when it is not taken. A fetch is out in the cycle after it came, and the next one comes when it has gone.
//!
//! # Errors
//! None.

use crate::hdl::*;

/// Reads on their way to cache or memory port.
#[module]
pub struct ReadBuffer<const EI: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub in_valid: Signal<In, Bit>,
    pub in_ready: Signal<Out, Bit>,
    pub in_id: Signal<In, Bits<EI>>,
    pub in_address: Signal<In, Bits<32>>,
    pub in_length: Signal<In, Bits<3>>,
    pub in_bypass: Signal<In, Bit>,
    pub in_regular: Signal<In, Bit>,
    pub out_valid: Signal<Out, Bit>,
    pub out_ready: Signal<In, Bit>,
    pub out_id: Signal<Out, Bits<EI>>,
    pub out_address: Signal<Out, Bits<32>>,
    pub out_length: Signal<Out, Bits<3>>,
    pub out_bypass: Signal<Out, Bit>,
    pub out_regular: Signal<Out, Bit>,
    // State: the first place, the second one.
    full: DFF<Bit>,
    waits: DFF<Bit>,
    id: DFF<Bits<EI>>,
    address: DFF<Bits<32>>,
    length: DFF<Bits<3>>,
    bypass: DFF<Bit>,
    regular: DFF<Bit>,
    next_id: DFF<Bits<EI>>,
    next_address: DFF<Bits<32>>,
    next_length: DFF<Bits<3>>,
    next_bypass: DFF<Bit>,
    next_regular: DFF<Bit>,
    // Combinational.
    free: Signal<Local, Bit>,
    takes: Signal<Local, Bit>,
}

#[part(ReadBuffer<EI>)]
fn update(&mut self) {
    self.in_ready.next = !self.waits.q.val();
    self.takes.next = self.in_valid.val() & !self.waits.q.val();
    self.free.next = !self.full.q.val() | self.out_ready.val();
    self.out_valid.next = self.full.q.val();
    carry!(self.out_* <- self.*.q: id, address, length, bypass, regular);
    if !self.waits.q.val() {
        carry!(self.next_*.d <- self.in_*: id, address, length, bypass, regular);
    }
    if self.free.val() {
        self.full.d.next = self.waits.q.val() | self.in_valid.val();
        self.waits.d.next = false;
        carry!(self.*.d <- self.in_*: id, address, length, bypass, regular);
        if self.waits.q.val() {
            carry!(self.*.d <- self.next_*.q: id, address, length, bypass, regular);
        }
    } else if self.takes.val() {
        self.waits.d.next = true;
    }
    if self.reset.val() {
        self.full.d.next = false;
        self.waits.d.next = false;
    }
}

/// Beats that are written, on their way.
#[module]
pub struct WriteBuffer<const EI: usize, const D: usize, const DS: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub in_valid: Signal<In, Bit>,
    pub in_ready: Signal<Out, Bit>,
    pub in_id: Signal<In, Bits<EI>>,
    pub in_address: Signal<In, Bits<32>>,
    pub in_length: Signal<In, Bits<3>>,
    pub in_data: Signal<In, Bits<D>>,
    pub in_strobes: Signal<In, Bits<DS>>,
    pub in_last: Signal<In, Bit>,
    pub out_valid: Signal<Out, Bit>,
    pub out_ready: Signal<In, Bit>,
    pub out_id: Signal<Out, Bits<EI>>,
    pub out_address: Signal<Out, Bits<32>>,
    pub out_length: Signal<Out, Bits<3>>,
    pub out_data: Signal<Out, Bits<D>>,
    pub out_strobes: Signal<Out, Bits<DS>>,
    pub out_last: Signal<Out, Bit>,
    // State: the first place, the second one.
    full: DFF<Bit>,
    waits: DFF<Bit>,
    id: DFF<Bits<EI>>,
    address: DFF<Bits<32>>,
    length: DFF<Bits<3>>,
    data: DFF<Bits<D>>,
    strobes: DFF<Bits<DS>>,
    last: DFF<Bit>,
    next_id: DFF<Bits<EI>>,
    next_address: DFF<Bits<32>>,
    next_length: DFF<Bits<3>>,
    next_data: DFF<Bits<D>>,
    next_strobes: DFF<Bits<DS>>,
    next_last: DFF<Bit>,
    // Combinational.
    free: Signal<Local, Bit>,
    takes: Signal<Local, Bit>,
}

#[part(WriteBuffer<EI, D, DS>)]
fn update(&mut self) {
    self.in_ready.next = !self.waits.q.val();
    self.takes.next = self.in_valid.val() & !self.waits.q.val();
    self.free.next = !self.full.q.val() | self.out_ready.val();
    self.out_valid.next = self.full.q.val();
    carry!(self.out_* <- self.*.q: id, address, length, data, strobes, last);
    if !self.waits.q.val() {
        carry!(self.next_*.d <- self.in_*: id, address, length, data, strobes, last);
    }
    if self.free.val() {
        self.full.d.next = self.waits.q.val() | self.in_valid.val();
        self.waits.d.next = false;
        carry!(self.*.d <- self.in_*: id, address, length, data, strobes, last);
        if self.waits.q.val() {
            carry!(self.*.d <- self.next_*.q: id, address, length, data, strobes, last);
        }
    } else if self.takes.val() {
        self.waits.d.next = true;
    }
    if self.reset.val() {
        self.full.d.next = false;
        self.waits.d.next = false;
    }
}

/// The pass that the load/store unit did not take.
#[module]
pub struct PassBuffer<const H: usize, const LW: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub in_valid: Signal<In, Bit>,
    pub in_ready: Signal<Out, Bit>,
    pub in_head: Signal<In, Bits<H>>,
    pub in_address: Signal<In, Bits<LW>>,
    pub in_data: Signal<In, Bits<LW>>,
    pub out_valid: Signal<Out, Bit>,
    pub out_ready: Signal<In, Bit>,
    pub out_head: Signal<Out, Bits<H>>,
    pub out_address: Signal<Out, Bits<LW>>,
    pub out_data: Signal<Out, Bits<LW>>,
    // State: what waits.
    waits: DFF<Bit>,
    head: DFF<Bits<H>>,
    address: DFF<Bits<LW>>,
    data: DFF<Bits<LW>>,
}

#[part(PassBuffer<H, LW>)]
fn update(&mut self) {
    self.in_ready.next = !self.waits.q.val();
    self.out_valid.next = self.waits.q.val() | self.in_valid.val();
    self.waits.d.next = self.out_valid.val() & !self.out_ready.val();
    carry!(self.out_* <- self.*.q: head, address, data);
    if !self.waits.q.val() {
        self.head.d.next = self.in_head.val();
        self.out_head.next = self.in_head.val();
        self.address.d.next = self.in_address.val();
        self.out_address.next = self.in_address.val();
        self.data.d.next = self.in_data.val();
        self.out_data.next = self.in_data.val();
    }
    if self.reset.val() {
        self.waits.d.next = false;
    }
}

/// Requests of instruction lines, on their way to the line cache.
#[module]
pub struct FetchBuffer<const WI: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub in_valid: Signal<In, Bit>,
    pub in_ready: Signal<Out, Bit>,
    pub in_warp: Signal<In, Bits<WI>>,
    pub in_line: Signal<In, Bits<18>>,
    pub out_valid: Signal<Out, Bit>,
    pub out_ready: Signal<In, Bit>,
    pub out_warp: Signal<Out, Bits<WI>>,
    pub out_line: Signal<Out, Bits<18>>,
    // State: what waits.
    waits: DFF<Bit>,
    warp: DFF<Bits<WI>>,
    line: DFF<Bits<18>>,
}

#[part(FetchBuffer<WI>)]
fn update(&mut self) {
    self.in_ready.next = !self.waits.q.val();
    self.out_valid.next = self.waits.q.val();
    carry!(self.out_* <- self.*.q: warp, line);
    self.waits.d.next =
        (self.waits.q.val() & !self.out_ready.val()) | (!self.waits.q.val() & self.in_valid.val());
    if !self.waits.q.val() {
        carry!(self.*.d <- self.in_*: warp, line);
    }
    if self.reset.val() {
        self.waits.d.next = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;

    /// What comes goes, once and in order; whoever is ready does not wait, and there is room for two.
    #[test]
    fn writes_keep_their_order() {
        let mut places = VecDeque::<u64>::new();
        let (mut number, mut most) = (0u64, 0);
        weft_rtl::check_module(
            "write_buffer",
            WriteBuffer::<3, 64, 8>::default,
            3000,
            |u, rng, t| {
                u.reset.next = t < 2;
                let eager = t / 50 % 3;
                u.in_valid.next = t >= 2 && (eager == 0 || rng.flip());
                u.out_ready.next = eager == 1 || rng.flip();
                u.in_address.next = number.into();
                u.in_data.next = (number * 3).into();
                u.in_last.next = number % 2 == 1;
                if t < 2 {
                    return;
                }
                weft_rtl::settle(u);
                let room = places.len() < 2;
                assert_eq!(u.in_ready.val(), room, "cycle {t}");
                assert_eq!(u.out_valid.val(), !places.is_empty(), "cycle {t}");
                if let Some(&first) = places.front() {
                    assert_eq!(u.out_address.val(), Bits::from(first), "cycle {t}");
                    assert_eq!(u.out_data.val(), Bits::from(first * 3), "cycle {t}");
                    assert_eq!(u.out_last.val(), first % 2 == 1, "cycle {t}");
                    if u.out_ready.val() {
                        places.pop_front();
                    }
                }
                if u.in_valid.val() && room {
                    places.push_back(number);
                    number += 1;
                }
                most = most.max(places.len());
            },
            Some(|u, level| u.clock.next = level.into()),
        )
        .unwrap();
        assert!(
            number > 1000 && most == 2,
            "{number} writes, {most} at most"
        );
    }
}
