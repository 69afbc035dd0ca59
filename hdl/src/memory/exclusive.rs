//! Atomic operations under way: AMOs and SCs whose write has no response.
//!
//! Spec: `docs/spec/gpu.md`, GPU-051.
//!
//! # Parameters
//! `ES` bits of the number of a write under way; `FC` bits of a count of them.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `sent`, `sent_at`, `sent_atomic` | in | 1, ES, 1 | a write begins, under this number; it is that of an AMO or SC |
//! | `over`, `over_at` | in | 1, ES | a write has its response |
//! | `busy` | out | 1 | some are under way |
//!
//! # Cycle behaviour
//! `busy` comes from a counter: what happens in a cycle shows in the next one.
//!
//! # Errors
//! None.

use crate::hdl::*;
use crate::prim::LutRam;

#[module]
pub struct Exclusive<const ES: usize, const FC: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub sent: Signal<In, Bit>,
    pub sent_at: Signal<In, Bits<ES>>,
    pub sent_atomic: Signal<In, Bit>,
    pub over: Signal<In, Bit>,
    pub over_at: Signal<In, Bits<ES>>,
    pub busy: Signal<Out, Bit>,
    // Per write whether it is an atomic's; how many are under way.
    atomic: LutRam<Bits<1>, ES>,
    count: DFF<Bits<FC>>,
    begins: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
    #[value(1u64.into())]
    one: Constant<Bits<FC>>,
    #[value(0u64.into())]
    none: Constant<Bits<FC>>,
}

#[part(Exclusive<ES, FC>)]
fn update(&mut self) {
    carry!(self.atomic <- self: write_enable = sent, write_address = sent_at);
    self.atomic.write_data.next = self.sent_atomic.val().into();
    self.atomic.read_address.next = self.over_at.val();
    self.begins.next = self.sent.val() & self.sent_atomic.val();
    self.ends.next = self.over.val() & self.atomic.read_data.val().any();
    if self.begins.val() & !self.ends.val() {
        self.count.d.next = self.count.q.val() + self.one.val();
    } else if self.ends.val() & !self.begins.val() {
        self.count.d.next = self.count.q.val() - self.one.val();
    }
    self.busy.next = self.count.q.val().any();
    if self.reset.val() {
        self.count.d.next = self.none.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        let mut writes = std::collections::BTreeMap::new();
        weft_rtl::check_module(
            "exclusive",
            Exclusive::<4, 6>::default,
            2000,
            |u, rng, t| {
                if t > 1 {
                    weft_rtl::settle(u);
                    let busy = writes.values().any(|atomic| *atomic);
                    assert_eq!(u.busy.val(), busy, "cycle {t}");
                }
                u.reset.next = t < 2;
                u.sent.next = false;
                u.over.next = false;
                if t < 2 {
                    return;
                }
                let more = if t / 100 % 2 == 0 { 2 } else { 4 };
                let over: Vec<u64> = writes.keys().copied().collect();
                if !over.is_empty() && rng.chance(1, 3) {
                    let one = over[rng.below(over.len() as u64) as usize];
                    u.over.next = true;
                    u.over_at.next = one.into();
                    writes.remove(&one);
                }
                let at = rng.below(16);
                if !over.contains(&at) && rng.chance(1, more) {
                    let atomic = rng.chance(1, 3);
                    u.sent.next = true;
                    u.sent_at.next = at.into();
                    u.sent_atomic.next = atomic;
                    writes.insert(at, atomic);
                }
            },
            Some(|u, level| u.clock.next = level.into()),
        )
        .unwrap();
    }
}
