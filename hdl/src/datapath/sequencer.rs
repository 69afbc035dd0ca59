//! Sequencer: splits the oldest instruction into passes, one per cycle, and asks first what has to be known before.
//!
//! Spec: `docs/spec/datapath.md`, DATA-010 to DATA-016; `docs/spec/sm.md`, SM-010, SM-012.
//!
//! # Parameters
//! `W` threads per warp, `L` lanes, `NP` = W / L parts, `PB` = max(1, log2 NP).
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `head_valid`, `head_mask` | in | 1, W | the oldest instruction, its active mask |
//! | `init_valid` | in | 1 | registers of a warp are to be set (goes first) |
//! | `is_control`, `is_mask`, `is_ballot`, `is_counter`, `is_auto` | in | 1 | what the head is; of a word that is no instruction only `is_control` |
//! | `unit`, `leader`, `fused` | in | 3, 2, 1 | as in `Decode` |
//! | `in_block`, `dead` | in | 1 | its warp is in a predicated block; has faulted |
//! | `mul_ahead`, `memory_free`, `divide_free`, `float_free` | in | 1 | a product comes to the write port with what the lanes begin now; the unit takes an instruction; the float unit takes a pass |
//! | `got_write` | in | W | answer of the mask unit: threads that write |
//! | `pass_valid`, `pass_mode` | out | 1, 2 | a pass: 0 that executes, 1 that reads the leader's word, 2 that collects a ballot, 3 that sets a register |
//! | `pass_first`, `pass_last`, `pass_part`, `pass_mask` | out | 1, 1, PB, L | |
//! | `pass_register` | out | 5 | mode 3: the register |
//! | `pass_third` | out | 1 | mode 0: the pass reads the third operand for the one behind it, and nothing else |
//! | `pass_blocked` | out | 1 | not allowed in a predicated block |
//! | `asks` | out | 1 | the question to mask unit, mode selector or counters goes out in this cycle |
//! | `catches` | out | 1 | its answer is there |
//! | `take` | out | 1 | the head's last pass |
//! | `ignores` | out | 1 | the head is dropped: its warp has faulted |
//! | `init_take` | out | 1 | the last register of the warp is set |
//!
//! # Cycle behaviour
//! Most instructions: a pass per part, beginning in the cycle in which they are the head.
//! What needs a word of the leader or a ballot sends passes for
//! that first (stage 0); what needs an answer waits until that word or ballot is there (1), asks (from stage 0 or 1)
//! and waits (2); then come its passes (3).
//! Where rs3 is an operand each part has two passes: the first one reads rs3.
//! Behind INIT no instruction begins for three cycles, so that it reads what INIT has written.
//!
//! # Errors
//! None.

use crate::hdl::*;

#[module(requires(W == L * NP, NP <= 1 << PB))]
pub struct Sequencer<const W: usize, const L: usize, const NP: usize, const PB: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub head_valid: Signal<In, Bit>,
    pub head_mask: Signal<In, Bits<W>>,
    pub init_valid: Signal<In, Bit>,
    pub is_control: Signal<In, Bit>,
    pub is_mask: Signal<In, Bit>,
    pub is_ballot: Signal<In, Bit>,
    pub is_counter: Signal<In, Bit>,
    pub is_auto: Signal<In, Bit>,
    pub unit: Signal<In, Bits<3>>,
    pub leader: Signal<In, Bits<2>>,
    pub fused: Signal<In, Bit>,
    pub in_block: Signal<In, Bit>,
    pub dead: Signal<In, Bit>,
    pub mul_ahead: Signal<In, Bit>,
    pub memory_free: Signal<In, Bit>,
    pub divide_free: Signal<In, Bit>,
    pub float_free: Signal<In, Bit>,
    pub got_write: Signal<In, Bits<W>>,
    pub pass_valid: Signal<Out, Bit>,
    pub pass_mode: Signal<Out, Bits<2>>,
    pub pass_first: Signal<Out, Bit>,
    pub pass_last: Signal<Out, Bit>,
    pub pass_part: Signal<Out, Bits<PB>>,
    pub pass_mask: Signal<Out, Bits<L>>,
    pub pass_empty: Signal<Out, Bit>,
    pub pass_register: Signal<Out, Bits<5>>,
    pub pass_third: Signal<Out, Bit>,
    pub pass_blocked: Signal<Out, Bit>,
    pub asks: Signal<Out, Bit>,
    pub catches: Signal<Out, Bit>,
    pub take: Signal<Out, Bit>,
    pub ignores: Signal<Out, Bit>,
    pub init_take: Signal<Out, Bit>,
    pub is_init: Signal<Out, Bit>,
    // State: stage, cycles to wait, parts whose pass has begun, the instruction has begun, it is INIT, its register;
    // the third operand of the next part has been read.
    stage: DFF<Bits<2>>,
    wait_timer: DFF<Bits<3>>,
    parts_done: DFF<Bits<NP>>,
    begun: DFF<Bit>,
    init_now: DFF<Bit>,
    number_set: DFF<Bits<5>>,
    third_read: DFF<Bit>,
    // State: cycles until the rows of INIT are written.
    settling: DFF<Bits<2>>,
    // Combinational.
    blocked: Signal<Local, Bit>,
    some_active: Signal<Local, Bit>,
    needs_passes: Signal<Local, Bit>,
    needs_answer: Signal<Local, Bit>,
    write_mask: Signal<Local, Bits<W>>,
    some_write: Signal<Local, Bit>,
    part_bits: [Signal<Local, Bits<L>>; NP],
    parts: Signal<Local, Bits<NP>>,
    left: Signal<Local, Bits<NP>>,
    negative: Signal<Local, Bits<NP>>,
    lowest: Signal<Local, Bits<NP>>,
    after: Signal<Local, Bits<NP>>,
    last_part: Signal<Local, Bit>,
    comes: Signal<Local, Bit>,
    goes: Signal<Local, Bit>,
    final_pass: Signal<Local, Bit>,
    moves: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
    delay: Signal<Local, Bits<3>>,
    #[value(0.into())]
    no_parts: Constant<Bits<NP>>,
    #[value((u64::MAX >> (64 - W)).into())]
    all_threads: Constant<Bits<W>>,
    #[init(from_fn(|p| Constant::new((p as u64).into())))]
    number: [Constant<Bits<PB>>; NP],
    #[value(0.into())]
    no_threads: Constant<Bits<L>>,
    #[value(0.into())]
    first_part: Constant<Bits<PB>>,
    #[value(2.into())]
    register_sp: Constant<Bits<5>>,
    #[value(10.into())]
    register_a0: Constant<Bits<5>>,
    #[value(12.into())]
    register_a2: Constant<Bits<5>>,
}

#[part(Sequencer<W, L, NP, PB>)]
fn update(&mut self) {
    // ---- Whose turn it is.
    self.is_init.next = self.init_valid.val();
    if self.begun.q.val() {
        self.is_init.next = self.init_now.q.val();
    }
    self.some_active.next = self.head_mask.val().any();
    self.blocked.next = self.in_block.val() & self.is_control.val();
    self.pass_blocked.next = self.blocked.val();
    self.comes.next = self.head_valid.val() & !self.settling.q.val().any();
    self.ignores.next =
        self.dead.val() & !self.begun.q.val() & self.comes.val() & !self.is_init.val();
    self.needs_passes.next = !self.blocked.val()
        & ((self.leader.val().any() & self.some_active.val())
            | (self.is_mask.val() & self.is_ballot.val()));
    self.needs_answer.next = !self.blocked.val()
        & (self.in_block.val()
            | self.is_mask.val()
            | self.is_counter.val()
            | (self.is_auto.val() & self.some_active.val()));

    // ---- The parts that have threads to do it.
    self.write_mask.next = self.head_mask.val();
    if self.in_block.val() & !self.blocked.val() {
        self.write_mask.next = self.got_write.val();
    }
    if self.is_init.val() {
        self.write_mask.next = self.all_threads.val();
    }
    self.some_write.next = self.write_mask.val().any();
    self.parts.next = self.no_parts.val();
    // `n` brings a generic into index arithmetic.
    for n in L..(L + 1) {
        for p in 0..NP {
            self.part_bits[p].next = self.write_mask.val().get_bits::<L>(n * p);
            self.parts.next = self
                .parts
                .val()
                .replace_bit(p, self.part_bits[p].val().any());
        }
    }
    self.left.next = self.parts.val() & !self.parts_done.q.val();
    self.negative.next = self.no_parts.val() - self.left.val();
    self.lowest.next = self.left.val() & self.negative.val();
    self.after.next = self.left.val() & !self.lowest.val();
    self.last_part.next = !self.after.val().any();
    self.pass_part.next = self.first_part.val();
    self.pass_mask.next = self.no_threads.val();
    for p in 0..NP {
        if self.lowest.val().get_bit(p) {
            self.pass_part.next = self.number[p].val();
            self.pass_mask.next = self.part_bits[p].val();
        }
    }
    self.pass_empty.next = !self.some_write.val();
    self.pass_first.next = !self.parts_done.q.val().any();
    self.pass_register.next = self.number_set.q.val();

    // ---- Whether something can go in this cycle.
    self.goes.next = (self.comes.val() | self.is_init.val()) & !self.ignores.val();
    if self.dead.val() & !self.begun.q.val() & !self.is_init.val() {
        self.goes.next = false;
    }

    // ---- Stages.
    self.pass_valid.next = false;
    self.pass_mode.next = 0.into();
    self.pass_third.next = false;
    self.pass_last.next = self.last_part.val();
    self.asks.next = false;
    self.catches.next = false;
    self.final_pass.next = false;
    self.moves.next = false;
    self.ends.next = false;
    self.delay.next = 0.into();
    if self.is_mask.val() | self.in_block.val() {
        self.delay.next = 2.into();
    }
    if self.is_counter.val() {
        self.delay.next = 2.into();
    }
    self.init_take.next = false;
    if self.settling.q.val().any() {
        self.settling.d.next = self.settling.q.val() - 1;
    }
    if self.goes.val() {
        if self.is_init.val() {
            self.pass_valid.next = !self.mul_ahead.val();
            self.pass_mode.next = 3.into();
            self.moves.next = !self.mul_ahead.val();
            self.init_now.d.next = true;
            if self.last_part.val() & !self.mul_ahead.val() {
                self.number_set.d.next = self.number_set.q.val() + 1;
                if self.number_set.q.val() == self.register_sp.val() {
                    self.number_set.d.next = self.register_a0.val();
                }
                if self.number_set.q.val() == self.register_a2.val() {
                    self.number_set.d.next = self.register_sp.val();
                    self.init_take.next = true;
                    self.settling.d.next = 3.into();
                }
            }
        } else if (self.stage.q.val() == 0) & self.needs_passes.val() {
            self.pass_valid.next = true;
            self.pass_mode.next = 2.into();
            self.moves.next = true;
            if !self.is_ballot.val() | !self.is_mask.val() {
                self.pass_mode.next = 1.into();
                self.pass_last.next = true;
            }
            if self.pass_last.val() {
                // The passes behind find the leader's word in its register.
                self.stage.d.next = 3.into();
                if self.needs_answer.val() {
                    self.stage.d.next = 1.into();
                    self.wait_timer.d.next = 2.into();
                    if self.is_ballot.val() {
                        self.wait_timer.d.next = 3.into();
                    }
                }
            }
        } else if ((self.stage.q.val() == 0) & self.needs_answer.val())
            | ((self.stage.q.val() == 1) & (self.wait_timer.q.val() == 0))
        {
            self.asks.next = true;
            self.stage.d.next = 2.into();
            self.wait_timer.d.next = self.delay.val();
        } else if self.stage.q.val() == 2 {
            if self.wait_timer.q.val() == 0 {
                self.catches.next = true;
                self.stage.d.next = 3.into();
            }
        } else if (self.stage.q.val() == 0) | (self.stage.q.val() == 3) {
            self.final_pass.next = true;
        }
    }
    if self.final_pass.val() {
        // The result of a multiplication and that of an addition a cycle later come to the write port together.
        self.pass_valid.next = !self.mul_ahead.val() | self.unit.val().any();
        if self.pass_first.val() & !self.pass_empty.val() {
            if (self.unit.val() == 2) & !self.memory_free.val() {
                self.pass_valid.next = false;
            }
            if (self.unit.val() == 3) & !self.divide_free.val() {
                self.pass_valid.next = false;
            }
        }
        if self.fused.val() & !self.third_read.q.val() & !self.pass_empty.val() {
            self.pass_third.next = self.pass_valid.val();
            self.third_read.d.next = self.pass_valid.val();
        } else {
            if (self.unit.val() == 4) & !self.float_free.val() & !self.pass_empty.val() {
                self.pass_valid.next = false;
            }
            if self.pass_valid.val() {
                self.third_read.d.next = false;
            }
        }
        self.moves.next = self.pass_valid.val() & !self.pass_third.val();
        self.ends.next = self.moves.val() & self.last_part.val();
    }
    if self.wait_timer.q.val().any() {
        self.wait_timer.d.next = self.wait_timer.q.val() - 1;
    }
    self.take.next = self.ends.val() | self.ignores.val();
    if self.moves.val() {
        self.parts_done.d.next = self.parts_done.q.val() | self.lowest.val();
        if self.pass_last.val() {
            self.parts_done.d.next = self.no_parts.val();
        }
    }
    if self.goes.val() & (self.moves.val() | self.pass_third.val() | self.asks.val()) {
        self.begun.d.next = true;
        if !self.is_init.val() {
            self.init_now.d.next = false;
        }
    }
    if self.ends.val() {
        self.stage.d.next = 0.into();
        self.begun.d.next = false;
    }
    if self.init_take.val() {
        self.begun.d.next = false;
    }
    if self.reset.val() {
        self.stage.d.next = 0.into();
        self.wait_timer.d.next = 0.into();
        self.parts_done.d.next = self.no_parts.val();
        self.begun.d.next = false;
        self.third_read.d.next = false;
        self.settling.d.next = 0.into();
        self.number_set.d.next = self.register_sp.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_rtl::{Bench, Rng};

    /// 8 threads on 2 lanes.
    type Small = Sequencer<8, 2, 4, 2>;

    /// An instruction; it holds until it is taken.
    fn draw(u: &mut Small, rng: &mut Rng) {
        u.head_mask.next = if rng.chance(7, 8) {
            rng.bits()
        } else {
            0.into()
        };
        let is_control = rng.flip();
        let is_mask = is_control && rng.chance(1, 3);
        u.is_control.next = is_control;
        u.is_mask.next = is_mask;
        u.is_ballot.next = is_mask && rng.flip();
        u.is_counter.next = !is_control && rng.chance(1, 6);
        u.is_auto.next = is_control && !is_mask && rng.chance(1, 6);
        let unit = if is_control { 0 } else { rng.below(5) };
        u.unit.next = unit.into();
        u.fused.next = unit == 4 && rng.flip();
        u.leader.next = if is_control {
            rng.below(3).into()
        } else {
            0.into()
        };
        u.in_block.next = rng.chance(1, 6);
        u.dead.next = rng.chance(1, 16);
    }

    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "sequencer",
            Small::default,
            4000,
            |u, rng, t| {
                u.reset.next = t < 2;
                if u.take.val() || t < 4 {
                    draw(u, rng);
                }
                u.head_valid.next = rng.chance(7, 8);
                u.init_valid.next = rng.chance(1, 64);
                u.mul_ahead.next = rng.chance(1, 4);
                u.memory_free.next = rng.chance(3, 4);
                u.divide_free.next = rng.chance(3, 4);
                u.float_free.next = rng.chance(3, 4);
                u.got_write.next = rng.bits();
            },
            Some(|u, level| u.clock.next = level.into()),
        )
        .unwrap();
    }

    /// DATA-010: a pass for each part with a thread in its mask, lowest first, and at least one.
    #[test]
    fn passes_are_the_parts_with_threads() {
        let mut b = Bench::new(Small::default(), |u: &mut Small, level| {
            u.clock.next = level.into();
        });
        b.uut.reset.next = true;
        b.edge();
        b.uut.reset.next = false;
        b.uut.memory_free.next = true;
        b.uut.divide_free.next = true;
        for mask in 0..256u64 {
            b.uut.head_valid.next = true;
            b.uut.head_mask.next = mask.into();
            let parts: Vec<u64> = (0..4).filter(|p| mask >> (2 * p) & 3 != 0).collect();
            let expected = if parts.is_empty() { vec![0] } else { parts };
            let mut seen = Vec::new();
            loop {
                b.settle();
                let u = &b.uut;
                assert!(u.pass_valid.val(), "{mask:#x}");
                let part = u.pass_part.val().to_u64();
                assert_eq!(
                    u.pass_mask.val().to_u64(),
                    mask >> (2 * part) & 3,
                    "{mask:#x}"
                );
                assert_eq!(u.pass_first.val(), seen.is_empty());
                seen.push(part);
                let (last, take) = (u.pass_last.val(), u.take.val());
                assert_eq!(last, take);
                b.edge();
                if take {
                    break;
                }
            }
            assert_eq!(seen, expected, "{mask:#x}");
        }
    }

    /// DATA-017: with three operands each part has two passes, the first one for the third of them; and the second one
    /// waits until the float unit takes it.
    #[test]
    fn the_third_operand_goes_first() {
        let mut b = Bench::new(Small::default(), |u: &mut Small, level| {
            u.clock.next = level.into();
        });
        b.uut.reset.next = true;
        b.edge();
        b.uut.reset.next = false;
        b.uut.head_valid.next = true;
        b.uut.unit.next = 4.into();
        b.uut.fused.next = true;
        let mut rng = Rng::new(1, "third");
        let mut waited = 0;
        for mask in 0..256u64 {
            b.uut.head_mask.next = mask.into();
            let parts: Vec<u64> = (0..4).filter(|p| mask >> (2 * p) & 3 != 0).collect();
            // Without threads there is nothing to read (DATA-016).
            let mut expected: Vec<_> = parts
                .iter()
                .flat_map(|&p| [(p, true), (p, false)])
                .collect();
            if expected.is_empty() {
                expected.push((0, false));
            }
            let mut seen = Vec::new();
            loop {
                let free = rng.flip();
                b.uut.float_free.next = free;
                b.settle();
                let u = &b.uut;
                let third = u.pass_third.val();
                if u.pass_valid.val() {
                    assert!(third || free || mask == 0, "{mask:#x}");
                    seen.push((u.pass_part.val().to_u64(), third));
                } else {
                    assert!(!third && !free, "{mask:#x}");
                    waited += 1;
                }
                let take = u.take.val();
                b.edge();
                if take {
                    break;
                }
            }
            assert_eq!(seen, expected, "{mask:#x}");
        }
        assert!(waited > 100, "{waited}");
    }
}
