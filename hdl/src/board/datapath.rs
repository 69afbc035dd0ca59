//! Datapath of the self-test: answers every issued instruction with the operation that stands at its pc in the program.
//!
//! Spec: `docs/spec/board.md`, BOARD-010 to 013.
//!
//! # Parameters
//! `WI`: log2 of the number of warps; `W`: threads per warp, at most 32.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `seed_enable`, `seed_warp` | in | 1, WI | this warp gets its first random number |
//! | `issue_*`, `resolve_*` | | | those of `weft_control` |
//!
//! # Cycle behaviour
//! Resolves in the cycle after the issue; takes the next instruction in the cycle in which the former one is resolved.
//!
//! # Errors
//! None.

use super::program::{program, BASE, SEED};
use super::rom::Rom;
use crate::hdl::*;
use crate::prim::BlockRam;

#[derive(LogicBlock)]
pub struct Datapath<const WI: usize, const W: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub seed_enable: Signal<In, Bit>,
    pub seed_warp: Signal<In, Bits<WI>>,
    pub issue_valid: Signal<In, Bit>,
    pub issue_ready: Signal<Out, Bit>,
    pub issue_warp: Signal<In, Bits<WI>>,
    pub issue_pc: Signal<In, Bits<22>>,
    pub issue_mask: Signal<In, Bits<W>>,
    pub resolve_valid: Signal<Out, Bit>,
    pub resolve_ready: Signal<In, Bit>,
    pub resolve_warp: Signal<Out, Bits<WI>>,
    pub resolve_op: Signal<Out, Bits<4>>,
    pub resolve_kind: Signal<Out, Bits<4>>,
    pub resolve_mask: Signal<Out, Bits<W>>,
    pub resolve_target: Signal<Out, Bits<22>>,
    steps: Rom<16, 6>,
    /// Random number of each warp.
    random: BlockRam<32, WI>,
    // State: the instruction that is being resolved.
    open: DFF<Bit>,
    warp: DFF<Bits<WI>>,
    place: DFF<Bits<6>>,
    mask: DFF<Bits<W>>,
    // Combinational.
    advance: Signal<Local, Bit>,
    number: Signal<Local, Bits<32>>,
    step_1: Signal<Local, Bits<32>>,
    step_2: Signal<Local, Bits<32>>,
    step_3: Signal<Local, Bits<32>>,
    seed: Signal<Local, Bits<32>>,
    half: Signal<Local, Bits<W>>,
    other_half: Signal<Local, Bits<W>>,
    negative: Signal<Local, Bits<W>>,
    lowest: Signal<Local, Bits<W>>,
    select: Signal<Local, Bits<2>>,
    target: Signal<Local, Bits<6>>,
    // Constants.
    zero: Constant<Bits<W>>,
    base: Constant<Bits<22>>,
    first_seed: Constant<Bits<32>>,
    some: Constant<Bits<2>>,
    few: Constant<Bits<2>>,
    group: Constant<Bits<2>>,
}

impl<const WI: usize, const W: usize> Default for Datapath<WI, W> {
    fn default() -> Self {
        assert!((1..=32).contains(&W), "Datapath: W = {W}, legal 1..=32");
        let words = program().iter().map(|step| step.word()).collect();
        block!({
            clock, reset, seed_enable, seed_warp, issue_valid, issue_ready, issue_warp, issue_pc,
            issue_mask, resolve_valid, resolve_ready, resolve_warp, resolve_op, resolve_kind,
            resolve_mask, resolve_target, random, open, warp, place, mask, advance, number, step_1,
            step_2, step_3, seed, half, other_half, negative, lowest, select, target,
        } {
            steps: Rom::new(words),
            zero: Constant::new(0.into()),
            base: Constant::new(BASE.into()),
            first_seed: Constant::new(SEED.into()),
            some: Constant::new(1.into()),
            few: Constant::new(2.into()),
            group: Constant::new(3.into()),
        })
    }
}

impl<const WI: usize, const W: usize> Logic for Datapath<WI, W> {
    #[part]
    fn update(&mut self) {
        dff_setup!(self, clock, open, warp, place, mask);
        clock!(self, clock, steps, random);
        self.advance.next = !self.open.q.val() | self.resolve_ready.val();
        self.issue_ready.next = self.advance.val();
        self.steps.address.next = self.place.q.val();
        self.random.read_address.next = self.warp.q.val();
        if self.advance.val() {
            self.open.d.next = self.issue_valid.val();
            self.warp.d.next = self.issue_warp.val();
            self.place.d.next = self.issue_pc.val().get_bits::<6>(0);
            self.mask.d.next = self.issue_mask.val();
            self.steps.address.next = self.issue_pc.val().get_bits::<6>(0);
            self.random.read_address.next = self.issue_warp.val();
        }
        // The next random number (xorshift), and the threads that this one selects.
        self.number.next = self.random.read_data.val();
        self.step_1.next = self.number.val() ^ (self.number.val() << 13);
        self.step_2.next = self.step_1.val() ^ (self.step_1.val() >> 17);
        self.step_3.next = self.step_2.val() ^ (self.step_2.val() << 5);
        self.half.next = self.number.val().get_bits::<W>(0);
        self.other_half.next = self.step_2.val().get_bits::<W>(0);
        self.negative.next = self.zero.val() - self.mask.q.val();
        self.lowest.next = self.mask.q.val() & self.negative.val();
        self.select.next = self.steps.data.val().get_bits::<2>(8);
        self.resolve_mask.next = self.mask.q.val();
        if self.select.val() == self.some.val() {
            self.resolve_mask.next = self.half.val();
        }
        if self.select.val() == self.few.val() {
            self.resolve_mask.next = self.half.val() & self.other_half.val();
        }
        if self.select.val() == self.group.val() {
            self.resolve_mask.next = self.half.val() | self.lowest.val();
        }
        self.resolve_valid.next = self.open.q.val();
        self.resolve_warp.next = self.warp.q.val();
        self.resolve_op.next = self.steps.data.val().get_bits::<4>(0);
        self.resolve_kind.next = self.steps.data.val().get_bits::<4>(4);
        self.target.next = self.steps.data.val().get_bits::<6>(10);
        self.resolve_target.next = bit_cast::<22, 6>(self.target.val()) | self.base.val();
        // Remember.
        self.seed.next = self.first_seed.val()
            ^ (bit_cast::<32, WI>(self.seed_warp.val()) << 3)
            ^ (bit_cast::<32, WI>(self.seed_warp.val()) << 17);
        self.random.write_enable.next =
            self.seed_enable.val() | (self.open.q.val() & self.resolve_ready.val());
        self.random.write_address.next = self.warp.q.val();
        self.random.write_data.next = self.step_3.val();
        if self.seed_enable.val() {
            carry!(self.random <- self: write_address = seed_warp, write_data = seed);
        }
        // Reset wins.
        if self.reset.val() {
            self.open.d.next = false;
        }
    }
}
