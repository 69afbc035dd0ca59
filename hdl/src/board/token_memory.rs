//! Token memory behind the memory port of a control plane: block RAM, one request per cycle, answered in the next one
//! or later.
//!
//! Spec: `docs/spec/spill.md`, *Memory port*.
//!
//! # Parameters
//! `M`: bits of a token; `TA`: bits of a tag; `A`: bits of an address that count (2^A tokens).
//!
//! # Ports
//! Those of the memory port, seen from the memory.
//!
//! # Cycle behaviour
//! A request is taken when no response waits, or the one that waits is taken. It is answered in the next cycle.
//!
//! # Errors
//! None. Upper bits of the address are ignored.

use crate::hdl::*;
use crate::prim::BlockRam;

#[derive(LogicBlock)]
pub struct TokenMemory<const M: usize, const TA: usize, const A: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub request_valid: Signal<In, Bit>,
    pub request_ready: Signal<Out, Bit>,
    pub request_write: Signal<In, Bit>,
    pub request_address: Signal<In, Bits<32>>,
    pub request_data: Signal<In, Bits<M>>,
    pub request_tag: Signal<In, Bits<TA>>,
    pub response_valid: Signal<Out, Bit>,
    pub response_ready: Signal<In, Bit>,
    pub response_write: Signal<Out, Bit>,
    pub response_tag: Signal<Out, Bits<TA>>,
    pub response_data: Signal<Out, Bits<M>>,
    tokens: BlockRam<M, A>,
    // State: the request that is being answered.
    open: DFF<Bit>,
    write: DFF<Bit>,
    tag: DFF<Bits<TA>>,
    address: DFF<Bits<A>>,
    // Combinational.
    advance: Signal<Local, Bit>,
    taken: Signal<Local, Bit>,
}

impl<const M: usize, const TA: usize, const A: usize> Default for TokenMemory<M, TA, A> {
    fn default() -> Self {
        block!({
            clock, reset, request_valid, request_ready, request_write, request_address, request_data,
            request_tag, response_valid, response_ready, response_write, response_tag,
            response_data, tokens, open, write, tag, address, advance, taken,
        } {})
    }
}

impl<const M: usize, const TA: usize, const A: usize> Logic for TokenMemory<M, TA, A> {
    #[part]
    fn update(&mut self) {
        dff_setup!(self, clock, open, write, tag, address);
        clock!(self, clock, tokens);
        self.advance.next = !self.open.q.val() | self.response_ready.val();
        self.request_ready.next = self.advance.val();
        self.taken.next = self.request_valid.val() & self.advance.val();
        // A word that was read stays: it is read again until it is taken.
        self.tokens.read_address.next = self.address.q.val();
        self.tokens.write_enable.next = self.taken.val() & self.request_write.val();
        self.tokens.write_address.next = self.request_address.val().get_bits::<A>(0);
        self.tokens.write_data.next = self.request_data.val();
        if self.advance.val() {
            self.open.d.next = self.request_valid.val();
            carry!(self.*.d <- self.request_*: write, tag);
            self.address.d.next = self.request_address.val().get_bits::<A>(0);
            self.tokens.read_address.next = self.request_address.val().get_bits::<A>(0);
        }
        carry!(self <- self.*.q: response_valid = open, response_write = write, response_tag = tag);
        self.response_data.next = self.tokens.read_data.val();
        // Reset wins.
        if self.reset.val() {
            self.open.d.next = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use weft_rtl::{Bench, Rng};

    type Small = TokenMemory<64, 4, 4>;

    fn drive(u: &mut Small, rng: &mut Rng, reset: bool) {
        u.reset.next = reset;
        u.request_valid.next = !reset && rng.chance(3, 4);
        u.request_write.next = rng.flip();
        u.request_address.next = rng.below(32).into();
        u.request_data.next = rng.bits();
        u.request_tag.next = rng.bits();
        u.response_ready.next = rng.chance(3, 4);
    }

    #[test]
    fn verilog_agrees() {
        crate::stimulus::check_with_memories(
            "token_memory",
            Small::default,
            600,
            |u, rng, t| {
                drive(u, rng, t < 2);
                // Every token is written before it is read: contents are undefined at power-up.
                if (2..40).contains(&t) {
                    u.request_write.next = true;
                    u.request_valid.next = true;
                    u.response_ready.next = true;
                    u.request_address.next = (t as u64).into();
                }
            },
            |u, level| u.clock.next = level.into(),
        );
    }

    /// Every request is answered once, in order, with its tag, and reads give what was written last.
    #[test]
    fn answers_like_a_memory() {
        let mut b = Bench::new(Small::default(), |u, level| u.clock.next = level.into());
        let mut rng = Rng::new(1, "token_memory");
        let mut words: BTreeMap<u64, Bits<64>> = BTreeMap::new();
        let mut open = None;
        let (mut reads, mut held) = (0, 0);
        for t in 0..5000 {
            drive(&mut b.uut, &mut rng, t < 2);
            b.settle();
            let u = &b.uut;
            assert_eq!(u.response_valid.val(), open.is_some(), "cycle {t}");
            if let Some((write, tag, data)) = open {
                assert_eq!((u.response_write.val(), u.response_tag.val()), (write, tag));
                if let (false, Some(data)) = (write, data) {
                    assert_eq!(u.response_data.val(), data, "cycle {t}");
                    reads += 1;
                }
                held += u32::from(!u.response_ready.val());
                if u.response_ready.val() {
                    open = None;
                }
            }
            if u.request_valid.val() && u.request_ready.val() {
                let address = u.request_address.val().to_u64() & 15;
                let write = u.request_write.val();
                let data = words.get(&address).copied();
                open = Some((write, u.request_tag.val(), data));
                if write {
                    words.insert(address, u.request_data.val());
                }
            }
            b.edge();
        }
        assert!(reads > 500 && held > 200, "reads {reads}, held {held}");
    }
}
