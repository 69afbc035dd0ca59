//! Signature of a retire trace: one number for each warp, added up when the warp has ended.
//!
//! Spec: `docs/spec/board.md`, BOARD-020 to 022.
//!
//! # Parameters
//! `WI`: log2 of the number of warps; `W`: threads per warp, at most 32.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `clear_enable`, `clear_warp` | in | 1, WI | the number of this warp becomes 0 |
//! | `retire_*` | in | | those of `weft_control` |
//! | `total` | out | 32 | sum of the numbers of all warps, each time one has ended |
//!
//! # Cycle behaviour
//! An operation is in `total` 3 cycles after it has retired. Operations of one warp are at least 2 cycles apart.
//!
//! # Errors
//! None.

use crate::hdl::*;
use crate::prim::BlockRam;

#[derive(LogicBlock)]
pub struct Signature<const WI: usize, const W: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub clear_enable: Signal<In, Bit>,
    pub clear_warp: Signal<In, Bits<WI>>,
    pub retire_valid: Signal<In, Bit>,
    pub retire_warp: Signal<In, Bits<WI>>,
    pub retire_op: Signal<In, Bits<4>>,
    pub retire_pc: Signal<In, Bits<22>>,
    pub retire_next_pc: Signal<In, Bits<22>>,
    pub retire_next_mask: Signal<In, Bits<W>>,
    pub retire_done: Signal<In, Bit>,
    pub retire_depth: Signal<In, Bits<10>>,
    pub retire_front_kind: Signal<In, Bits<4>>,
    pub retire_front_mask: Signal<In, Bits<W>>,
    pub retire_front_pc: Signal<In, Bits<22>>,
    pub retire_front_below: Signal<In, Bits<4>>,
    pub retire_dropped: Signal<In, Bit>,
    pub total: Signal<Out, Bits<32>>,
    numbers: BlockRam<32, WI>,
    // State: the operation in the cycle after it has retired: what is always in it, and what the front token adds.
    seen: DFF<Bit>,
    warp: DFF<Bits<WI>>,
    done: DFF<Bit>,
    own: DFF<Bits<32>>,
    front: DFF<Bits<32>>,
    has_front: DFF<Bit>,
    // State: what it comes to, one cycle later.
    folded: DFF<Bit>,
    folded_warp: DFF<Bits<WI>>,
    folded_done: DFF<Bit>,
    fold: DFF<Bits<32>>,
    // State.
    sum: DFF<Bits<32>>,
    // Combinational.
    goes_on: Signal<Local, Bits<32>>,
    lies: Signal<Local, Bits<32>>,
    stands: Signal<Local, Bits<32>>,
    active: Signal<Local, Bits<32>>,
    waiting: Signal<Local, Bits<32>>,
    address: Signal<Local, Bits<32>>,
    number: Signal<Local, Bits<32>>,
    turned: Signal<Local, Bits<32>>,
    // Constants.
    zero: Constant<Bits<32>>,
}

impl<const WI: usize, const W: usize> Default for Signature<WI, W> {
    fn default() -> Self {
        assert!((1..=32).contains(&W), "Signature: W = {W}, legal 1..=32");
        block!({
            clock, reset, clear_enable, clear_warp, retire_valid, retire_warp, retire_op, retire_pc,
            retire_next_pc, retire_next_mask, retire_done, retire_depth, retire_front_kind,
            retire_front_mask, retire_front_pc, retire_front_below, retire_dropped, total, numbers,
            seen, warp, done, own, front, has_front, folded, folded_warp, folded_done, fold, sum,
            goes_on, lies, stands, active, waiting, address, number, turned,
        } {
            zero: Constant::new(0.into()),
        })
    }
}

impl<const WI: usize, const W: usize> Logic for Signature<WI, W> {
    #[part]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            seen,
            warp,
            done,
            own,
            front,
            has_front,
            folded,
            folded_warp,
            folded_done,
            fold,
            sum
        );
        clock!(self, clock, numbers);
        // Folded into 32 bits; what is not meaningful is zero.
        self.goes_on.next = (bit_cast::<32, 22>(self.retire_next_pc.val()) << 10)
            | (bit_cast::<32, 1>(self.retire_dropped.val().into()) << 1);
        self.active.next = bit_cast::<32, W>(self.retire_next_mask.val());
        if self.retire_done.val() {
            self.goes_on.next = bit_cast::<32, 1>(self.retire_done.val().into());
            self.active.next = self.zero.val();
        }
        self.stands.next = (bit_cast::<32, 10>(self.retire_depth.val()) << 26)
            | (bit_cast::<32, 4>(self.retire_op.val()) << 22)
            | bit_cast::<32, 22>(self.retire_pc.val());
        self.lies.next = (bit_cast::<32, 4>(self.retire_front_kind.val()) << 6)
            | (bit_cast::<32, 4>(self.retire_front_below.val()) << 2);
        self.waiting.next = bit_cast::<32, W>(self.retire_front_mask.val());
        self.address.next = bit_cast::<32, 22>(self.retire_front_pc.val());
        self.seen.d.next = self.retire_valid.val();
        carry!(self.*.d <- self.retire_*: warp, done);
        self.own.d.next = self.stands.val()
            ^ ((self.goes_on.val() << 7) | (self.goes_on.val() >> 25))
            ^ ((self.active.val() << 13) | (self.active.val() >> 19));
        self.front.d.next = ((self.lies.val() << 7) | (self.lies.val() >> 25))
            ^ ((self.waiting.val() << 21) | (self.waiting.val() >> 11))
            ^ ((self.address.val() << 27) | (self.address.val() >> 5));
        self.has_front.d.next = self.retire_depth.val().any() & !self.retire_done.val();
        self.folded.d.next = self.seen.q.val();
        carry!(self.*.d <- self.*.q: folded_warp = warp, folded_done = done, fold = own);
        if self.has_front.q.val() {
            self.fold.d.next = self.own.q.val() ^ self.front.q.val();
        }
        // The warp's number turns by one bit and gains it.
        self.numbers.read_address.next = self.warp.q.val();
        self.turned.next =
            (self.numbers.read_data.val() << 1) | (self.numbers.read_data.val() >> 31);
        self.number.next = self.turned.val() + self.fold.q.val();
        self.numbers.write_enable.next = self.folded.q.val() | self.clear_enable.val();
        self.numbers.write_address.next = self.folded_warp.q.val();
        self.numbers.write_data.next = self.number.val();
        if self.clear_enable.val() {
            carry!(self.numbers <- self: write_address = clear_warp, write_data = zero);
        }
        if self.folded.q.val() & self.folded_done.q.val() {
            self.sum.d.next = self.sum.q.val() + self.number.val();
        }
        self.total.next = self.sum.q.val();
        // Reset wins.
        if self.reset.val() {
            self.seen.d.next = false;
            self.folded.d.next = false;
            self.sum.d.next = self.zero.val();
        }
    }
}
