//! `weft_masks`: mask registers, mask operations, scalar condition and predicated blocks of all warps.
//!
//! Spec: `docs/spec/masks.md`. Part of the datapath: it computes which threads are to be on; `weft_convergence` switches them.
//!
//! # Parameters
//! `NW` warps, a power of two from 4 to 32; `WI` = log2 NW; `WA` = WI + 3; `W` threads per warp, 4 to 64; `C` = log2 W + 1.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `op_valid`, `op_warp` | in | 1, WI | an instruction; those of one warp are two cycles apart at least |
//! | `op_kind` | in | 3 | 0 LOGIC, 1 BALLOT, 2 PUT, 3 READ, 4 BRANCH, 5 PREDICATE, 6 DATA, 7 OTHER |
//! | `op_function` | in | 4 | LOGIC: operation, bit 3 = `.save`; PUT: bit 0 = high; READ: 0 low, 1 high, 2 count, 3 first, 4 scc; BRANCH: condition, bit 2 = on scc; PREDICATE: count - 1; OTHER: 1 = launch |
//! | `op_md`, `op_ma`, `op_mb` | in | 4 | mask operands, 8 = exec. PUT: ma = md |
//! | `op_exec` | in | W | active mask |
//! | `op_ballot` | in | W | BALLOT: threads whose rs1 is not 0 |
//! | `op_word` | in | 32 | PUT: rs1 of the lowest active thread |
//! | `result_valid`, `result_warp` | out | 1, WI | one cycle after `op_valid`; the others belong to it |
//! | `result_illegal` | out | 1 | not allowed in a predicated block; nothing has changed |
//! | `result_set`, `result_mask` | out | 1, W | LOGIC to exec: the threads that are to be on (CONV-111) |
//! | `result_taken` | out | 1 | BRANCH: go there (CONV-112) |
//! | `result_word` | out | 32 | READ: rd |
//! | `result_write` | out | W | DATA: the write mask |
//!
//! # Cycle behaviour
//! ```text
//! cycle         0          1          2          3
//! op_*        mset m1   (another)  mand m2,m1  (another)
//! result_*       -       of mset                of mand
//! m1            old        old       new
//! ```
//! Cycle 0 reads the mask registers and the warp's state into registers, cycle 1 computes and writes.
//!
//! # Invariants
//! Each memory has one writer. A mask register reads 0 until it is written after the warp's launch.
//!
//! # Errors
//! Only `result_illegal`. `Default` panics when the parameters do not fit.

use crate::hdl::*;
use crate::prim::{LutRam, PopCount};
use weft_rtl::Bench;

/// Where a mask operand stands: a cell of its own, so that the two reads behind each other are no loop for simulators.
#[derive(LogicBlock)]
pub struct MaskAddress<const WI: usize, const WA: usize> {
    pub warp: Signal<In, Bits<WI>>,
    /// The operand, and what is read in its place if `guarded`.
    pub operand: Signal<In, Bits<4>>,
    pub guard: Signal<In, Bits<3>>,
    pub guarded: Signal<In, Bit>,
    pub number: Signal<Out, Bits<3>>,
    pub address: Signal<Out, Bits<WA>>,
    wide_warp: Signal<Local, Bits<WA>>,
    wide_number: Signal<Local, Bits<WA>>,
    register_bits: Constant<Bits<2>>,
}

impl<const WI: usize, const WA: usize> Default for MaskAddress<WI, WA> {
    fn default() -> Self {
        block!({ warp, operand, guard, guarded, number, address, wide_warp, wide_number } {
            register_bits: Constant::new(3.into()),
        })
    }
}

impl<const WI: usize, const WA: usize> Logic for MaskAddress<WI, WA> {
    #[hdl_gen]
    fn update(&mut self) {
        self.number.next = self.operand.val().get_bits::<3>(0);
        if self.guarded.val() {
            self.number.next = self.guard.val();
        }
        self.wide_warp.next = bit_cast::<WA, WI>(self.warp.val()) << self.register_bits.val();
        self.wide_number.next = bit_cast::<WA, 3>(self.number.val());
        self.address.next = self.wide_warp.val() | self.wide_number.val();
    }
}

#[derive(LogicBlock)]
pub struct Masks<const NW: usize, const WI: usize, const WA: usize, const W: usize, const C: usize>
{
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub op_valid: Signal<In, Bit>,
    pub op_warp: Signal<In, Bits<WI>>,
    pub op_kind: Signal<In, Bits<3>>,
    pub op_function: Signal<In, Bits<4>>,
    pub op_md: Signal<In, Bits<4>>,
    pub op_ma: Signal<In, Bits<4>>,
    pub op_mb: Signal<In, Bits<4>>,
    pub op_exec: Signal<In, Bits<W>>,
    pub op_ballot: Signal<In, Bits<W>>,
    pub op_word: Signal<In, Bits<32>>,
    pub result_valid: Signal<Out, Bit>,
    pub result_warp: Signal<Out, Bits<WI>>,
    pub result_illegal: Signal<Out, Bit>,
    pub result_set: Signal<Out, Bit>,
    pub result_mask: Signal<Out, Bits<W>>,
    pub result_taken: Signal<Out, Bit>,
    pub result_word: Signal<Out, Bits<32>>,
    pub result_write: Signal<Out, Bits<W>>,
    // State: m0 to m7 of every warp, for each operand.
    registers_a: LutRam<Bits<W>, WA>,
    registers_b: LutRam<Bits<W>, WA>,
    // State per warp: registers that have been written; scc; instructions left in the block; its register.
    written: LutRam<Bits<8>, WI>,
    condition: LutRam<Bits<1>, WI>,
    left: LutRam<Bits<4>, WI>,
    guard: LutRam<Bits<3>, WI>,
    // Pipeline: what cycle 0 read.
    valid: DFF<Bit>,
    warp: DFF<Bits<WI>>,
    kind: DFF<Bits<3>>,
    selected: DFF<Bits<4>>,
    md: DFF<Bits<4>>,
    a: DFF<Bits<W>>,
    b: DFF<Bits<W>>,
    exec: DFF<Bits<W>>,
    ballot: DFF<Bits<W>>,
    word: DFF<Bits<32>>,
    was_written: DFF<Bits<8>>,
    scc: DFF<Bit>,
    block_left: DFF<Bits<4>>,
    block_guard: DFF<Bits<3>>,
    // Combinational, cycle 0.
    at_a: MaskAddress<WI, WA>,
    at_b: MaskAddress<WI, WA>,
    is_data: Signal<Local, Bit>,
    // Combinational, cycle 1.
    operation: Signal<Local, Bits<3>>,
    save: Signal<Local, Bit>,
    to_exec: Signal<Local, Bit>,
    in_block: Signal<Local, Bit>,
    launch: Signal<Local, Bit>,
    acts: Signal<Local, Bit>,
    right: Signal<Local, Bits<W>>,
    not_a: Signal<Local, Bits<W>>,
    not_right: Signal<Local, Bits<W>>,
    combined: Signal<Local, Bits<W>>,
    narrow_word: Signal<Local, Bits<W>>,
    result: Signal<Local, Bits<W>>,
    has_result: Signal<Local, Bit>,
    some: Signal<Local, Bit>,
    writes: Signal<Local, Bit>,
    write_low: Signal<Local, Bits<3>>,
    wide_write: Signal<Local, Bits<WA>>,
    write_warp: Signal<Local, Bits<WA>>,
    md_bit: Signal<Local, Bits<8>>,
    next_left: Signal<Local, Bits<4>>,
    a_zero: Signal<Local, Bit>,
    a_ones: Signal<Local, Bit>,
    holds: Signal<Local, Bit>,
    ones: PopCount<W, C>,
    wide_count: Signal<Local, Bits<32>>,
    minus_a: Signal<Local, Bits<W>>,
    lowest: Signal<Local, Bits<W>>,
    first: Signal<Local, Bits<32>>,
    // Constants.
    register_bits: Constant<Bits<2>>,
    half_bits: Constant<Bits<6>>,
    low_half: Constant<Bits<W>>,
    high_half: Constant<Bits<W>>,
    index_bit: Vec<Constant<Bits<W>>>,
    nobody: Constant<Bits<W>>,
    one_register: Constant<Bits<8>>,
    no_registers: Constant<Bits<8>>,
    no_register: Constant<Bits<3>>,
    none: Constant<Bits<4>>,
    one: Constant<Bits<4>>,
    no_word: Constant<Bits<32>>,
    no_lane: Constant<Bits<32>>,
    kind_logic: Constant<Bits<3>>,
    kind_ballot: Constant<Bits<3>>,
    kind_put: Constant<Bits<3>>,
    kind_branch: Constant<Bits<3>>,
    kind_predicate: Constant<Bits<3>>,
    kind_data: Constant<Bits<3>>,
    kind_other: Constant<Bits<3>>,
    op_or: Constant<Bits<3>>,
    op_xor: Constant<Bits<3>>,
    op_andn: Constant<Bits<3>>,
    op_nand: Constant<Bits<3>>,
    op_nor: Constant<Bits<3>>,
    op_xnor: Constant<Bits<3>>,
    op_orn: Constant<Bits<3>>,
    read_high: Constant<Bits<4>>,
    read_count: Constant<Bits<4>>,
    read_first: Constant<Bits<4>>,
    read_scc: Constant<Bits<4>>,
}

impl<const NW: usize, const WI: usize, const WA: usize, const W: usize, const C: usize> Default
    for Masks<NW, WI, WA, W, C>
{
    fn default() -> Self {
        assert!(
            NW == 1 << WI && (4..=32).contains(&NW) && WA == WI + 3 && W == 1 << (C - 1),
            "Masks<{NW}, {WI}, {WA}, {W}, {C}>"
        );
        let all = u64::MAX >> (64 - W);
        let low = all & 0xffff_ffff;
        // Bit i of the number of a thread, for the threads that have it.
        let with_bit = |bit: usize| {
            let threads = (0..W).filter(|thread| thread >> bit & 1 != 0);
            threads.fold(0u64, |mask, thread| mask | 1 << thread)
        };
        block!({
            clock, reset, op_valid, op_warp, op_kind, op_function, op_md, op_ma, op_mb, op_exec,
            op_ballot, op_word, result_valid, result_warp, result_illegal, result_set, result_mask,
            result_taken, result_word, result_write, registers_a, registers_b, written, condition,
            left, guard, valid, warp, kind, selected, md, a, b, exec, ballot, word, was_written, scc,
            block_left, block_guard, at_a, at_b, is_data, operation,
            save, to_exec, in_block, launch, acts, right, not_a, not_right, combined, narrow_word,
            result, has_result, some, writes, write_low, wide_write, write_warp, md_bit, next_left,
            a_zero, a_ones, holds, ones, wide_count, minus_a, lowest, first,
        } {
            register_bits: Constant::new(3.into()),
            half_bits: Constant::new(32.into()),
            low_half: Constant::new(low.into()),
            high_half: Constant::new((all & !low).into()),
            index_bit: (0..C - 1).map(|bit| Constant::new(with_bit(bit).into())).collect(),
            nobody: Constant::new(0.into()),
            one_register: Constant::new(1.into()),
            no_registers: Constant::new(0.into()),
            no_register: Constant::new(0.into()),
            none: Constant::new(0.into()),
            one: Constant::new(1.into()),
            no_word: Constant::new(0.into()),
            no_lane: Constant::new(0xffff_ffff_u64.into()),
            kind_logic: Constant::new(0.into()),
            kind_ballot: Constant::new(1.into()),
            kind_put: Constant::new(2.into()),
            kind_branch: Constant::new(4.into()),
            kind_predicate: Constant::new(5.into()),
            kind_data: Constant::new(6.into()),
            kind_other: Constant::new(7.into()),
            op_or: Constant::new(1.into()),
            op_xor: Constant::new(2.into()),
            op_andn: Constant::new(3.into()),
            op_nand: Constant::new(4.into()),
            op_nor: Constant::new(5.into()),
            op_xnor: Constant::new(6.into()),
            op_orn: Constant::new(7.into()),
            read_high: Constant::new(1.into()),
            read_count: Constant::new(2.into()),
            read_first: Constant::new(3.into()),
            read_scc: Constant::new(4.into()),
        })
    }
}

impl<const NW: usize, const WI: usize, const WA: usize, const W: usize, const C: usize> Logic
    for Masks<NW, WI, WA, W, C>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, valid, warp, kind, selected, md, a, b);
        dff_setup!(self, clock, exec, ballot, word, was_written, scc);
        dff_setup!(self, clock, block_left, block_guard);
        clock!(self, clock, registers_a, registers_b, written);
        clock!(self, clock, condition, left, guard);

        // ---- Cycle 0: reads.
        self.written.read_address.next = self.op_warp.val();
        self.condition.read_address.next = self.op_warp.val();
        self.left.read_address.next = self.op_warp.val();
        self.guard.read_address.next = self.op_warp.val();
        // What guards a block is read in place of the first operand.
        self.is_data.next = self.op_kind.val() == self.kind_data.val();
        self.at_a.warp.next = self.op_warp.val();
        self.at_a.operand.next = self.op_ma.val();
        self.at_a.guard.next = self.guard.read_data.val();
        self.at_a.guarded.next = self.is_data.val();
        self.registers_a.read_address.next = self.at_a.address.val();
        self.at_b.warp.next = self.op_warp.val();
        self.at_b.operand.next = self.op_mb.val();
        self.at_b.guard.next = self.no_register.val();
        self.at_b.guarded.next = false;
        self.registers_b.read_address.next = self.at_b.address.val();
        self.a.d.next = self.nobody.val();
        if self
            .written
            .read_data
            .val()
            .get_bit(self.at_a.number.val().index())
        {
            self.a.d.next = self.registers_a.read_data.val();
        }
        if self.op_ma.val().get_bit(3) & !self.is_data.val() {
            self.a.d.next = self.op_exec.val();
        }
        self.b.d.next = self.nobody.val();
        if self
            .written
            .read_data
            .val()
            .get_bit(self.at_b.number.val().index())
        {
            self.b.d.next = self.registers_b.read_data.val();
        }
        if self.op_mb.val().get_bit(3) {
            self.b.d.next = self.op_exec.val();
        }
        self.valid.d.next = self.op_valid.val() & !self.reset.val();
        self.warp.d.next = self.op_warp.val();
        self.kind.d.next = self.op_kind.val();
        self.selected.d.next = self.op_function.val();
        self.md.d.next = self.op_md.val();
        if self.op_kind.val() == self.kind_predicate.val() {
            self.md.d.next = self.op_ma.val();
        }
        self.exec.d.next = self.op_exec.val();
        self.ballot.d.next = self.op_ballot.val();
        self.word.d.next = self.op_word.val();
        self.was_written.d.next = self.written.read_data.val();
        self.scc.d.next = self.condition.read_data.val().get_bit(0);
        self.block_left.d.next = self.left.read_data.val();
        self.block_guard.d.next = self.guard.read_data.val();

        // ---- Cycle 1: what may happen.
        self.operation.next = self.selected.q.val().get_bits::<3>(0);
        self.save.next =
            (self.kind.q.val() == self.kind_logic.val()) & self.selected.q.val().get_bit(3);
        self.launch.next =
            (self.kind.q.val() == self.kind_other.val()) & self.selected.q.val().get_bit(0);
        self.in_block.next = self.block_left.q.val().any() & !self.launch.val();
        self.result_illegal.next =
            self.valid.q.val() & self.in_block.val() & (self.kind.q.val() != self.kind_data.val());
        self.acts.next = self.valid.q.val() & !self.result_illegal.val();

        // ---- Logic; with .save the right operand is exec.
        self.right.next = self.b.q.val();
        if self.save.val() {
            self.right.next = self.exec.q.val();
        }
        self.not_a.next = !self.a.q.val();
        self.not_right.next = !self.right.val();
        self.combined.next = self.a.q.val() & self.right.val();
        if self.operation.val() == self.op_or.val() {
            self.combined.next = self.a.q.val() | self.right.val();
        }
        if self.operation.val() == self.op_xor.val() {
            self.combined.next = self.a.q.val() ^ self.right.val();
        }
        if self.operation.val() == self.op_andn.val() {
            self.combined.next = self.a.q.val() & self.not_right.val();
        }
        if self.operation.val() == self.op_nand.val() {
            self.combined.next = self.not_a.val() | self.not_right.val();
        }
        if self.operation.val() == self.op_nor.val() {
            self.combined.next = self.not_a.val() & self.not_right.val();
        }
        if self.operation.val() == self.op_xnor.val() {
            self.combined.next = self.a.q.val() ^ self.not_right.val();
        }
        if self.operation.val() == self.op_orn.val() {
            self.combined.next = self.a.q.val() | self.not_right.val();
        }

        // ---- Results that are masks.
        self.narrow_word.next = bit_cast::<W, 32>(self.word.q.val());
        self.result.next = self.combined.val();
        self.has_result.next = self.kind.q.val() == self.kind_logic.val();
        if self.kind.q.val() == self.kind_ballot.val() {
            self.result.next = self.ballot.q.val() & self.exec.q.val();
            self.has_result.next = true;
        }
        if self.kind.q.val() == self.kind_put.val() {
            self.has_result.next = self.exec.q.val().any();
            self.result.next = (self.a.q.val() & self.high_half.val()) | self.narrow_word.val();
            if self.selected.q.val().get_bit(0) {
                self.result.next = self.a.q.val();
                for _h in 0..(W / 64) {
                    self.result.next = (self.a.q.val() & self.low_half.val())
                        | (self.narrow_word.val() << self.half_bits.val());
                }
            }
        }
        self.some.next = self.result.val().any();
        self.to_exec.next = self.save.val() | self.md.q.val().get_bit(3);
        self.result_set.next =
            self.acts.val() & self.to_exec.val() & (self.kind.q.val() == self.kind_logic.val());
        self.result_mask.next = self.result.val();

        // ---- Writes. A launch forgets everything.
        self.writes.next = self.acts.val()
            & self.has_result.val()
            & (self.save.val() | !self.md.q.val().get_bit(3));
        self.write_low.next = self.md.q.val().get_bits::<3>(0);
        self.wide_write.next = bit_cast::<WA, 3>(self.write_low.val());
        self.write_warp.next = bit_cast::<WA, WI>(self.warp.q.val()) << self.register_bits.val();
        self.registers_a.write_enable.next = self.writes.val();
        self.registers_b.write_enable.next = self.writes.val();
        self.registers_a.write_address.next = self.write_warp.val() | self.wide_write.val();
        self.registers_b.write_address.next = self.write_warp.val() | self.wide_write.val();
        self.registers_a.write_data.next = self.result.val();
        self.registers_b.write_data.next = self.result.val();
        if self.save.val() {
            self.registers_a.write_data.next = self.exec.q.val();
            self.registers_b.write_data.next = self.exec.q.val();
        }
        self.md_bit.next = self.one_register.val() << self.write_low.val();
        self.written.write_enable.next = self.writes.val() | (self.acts.val() & self.launch.val());
        self.written.write_address.next = self.warp.q.val();
        self.written.write_data.next = self.was_written.q.val() | self.md_bit.val();
        self.condition.write_enable.next =
            self.acts.val() & (self.has_result.val() | self.launch.val());
        self.condition.write_address.next = self.warp.q.val();
        self.condition.write_data.next = self.some.val().into();
        // Instructions left: a block begins, or one of its instructions is counted.
        self.next_left.next = self.block_left.q.val() - self.one.val();
        self.left.write_enable.next = self.acts.val()
            & (self.in_block.val()
                | self.launch.val()
                | (self.kind.q.val() == self.kind_predicate.val()));
        self.left.write_address.next = self.warp.q.val();
        self.left.write_data.next = self.next_left.val();
        if self.kind.q.val() == self.kind_predicate.val() {
            self.left.write_data.next = self.selected.q.val() + self.one.val();
        }
        self.guard.write_enable.next =
            self.acts.val() & (self.kind.q.val() == self.kind_predicate.val());
        self.guard.write_address.next = self.warp.q.val();
        self.guard.write_data.next = self.write_low.val();
        if self.launch.val() {
            self.written.write_data.next = self.no_registers.val();
            self.condition.write_data.next = false.into();
            self.left.write_data.next = self.none.val();
        }

        // ---- The write mask.
        self.result_write.next = self.exec.q.val();
        if self.in_block.val() {
            self.result_write.next = self.exec.q.val() & self.a.q.val();
        }

        // ---- Branches.
        self.a_zero.next = !self.a.q.val().any();
        self.a_ones.next = self.a.q.val().all();
        self.holds.next = self.a_zero.val();
        if self.selected.q.val().get_bit(1) {
            self.holds.next = self.a_ones.val();
        }
        if self.selected.q.val().get_bit(2) {
            self.holds.next = !self.scc.q.val();
        }
        self.result_taken.next = self.acts.val()
            & (self.kind.q.val() == self.kind_branch.val())
            & (self.holds.val() ^ self.selected.q.val().get_bit(0));

        // ---- Words.
        self.ones.bits.next = self.a.q.val();
        self.wide_count.next = bit_cast::<32, C>(self.ones.count.val());
        self.minus_a.next = self.nobody.val() - self.a.q.val();
        self.lowest.next = self.a.q.val() & self.minus_a.val();
        self.first.next = self.no_word.val();
        for i in 0..(C - 1) {
            if (self.lowest.val() & self.index_bit[i].val()).any() {
                self.first.next = self.first.val().replace_bit(i, true);
            }
        }
        if self.a_zero.val() {
            self.first.next = self.no_lane.val();
        }
        self.result_word.next = bit_cast::<32, W>(self.a.q.val());
        if self.selected.q.val() == self.read_high.val() {
            self.result_word.next = self.no_word.val();
            for _h in 0..(W / 64) {
                self.result_word.next = self.a.q.val().get_bits::<32>(32);
            }
        }
        if self.selected.q.val() == self.read_count.val() {
            self.result_word.next = self.wide_count.val();
        }
        if self.selected.q.val() == self.read_first.val() {
            self.result_word.next = self.first.val();
        }
        if self.selected.q.val() == self.read_scc.val() {
            self.result_word.next = bit_cast::<32, 1>(self.scc.q.val().into());
        }
        self.result_valid.next = self.valid.q.val();
        self.result_warp.next = self.warp.q.val();
    }
}

/// An instruction at the ports `op_*`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    pub valid: bool,
    pub warp: u64,
    pub kind: u64,
    pub function: u64,
    pub md: u64,
    pub ma: u64,
    pub mb: u64,
    pub exec: u64,
    pub ballot: u64,
    pub word: u64,
}

/// The ports `result_*`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    pub valid: bool,
    pub warp: u64,
    pub illegal: bool,
    pub set: bool,
    pub mask: u64,
    pub taken: bool,
    pub word: u64,
    pub write: u64,
}

/// The block in rust-hdl's simulator: one call per cycle.
pub trait Simulation {
    fn cycle(&mut self, inputs: &Inputs) -> Outputs;
}

/// `weft_masks` for 4 warps of `threads` threads; `None` when that size is not built.
pub fn simulate(threads: usize) -> Option<Box<dyn Simulation>> {
    Some(match threads {
        4 => Box::new(Simulated(bench::<4, 2, 5, 4, 3>())),
        32 => Box::new(Simulated(bench::<4, 2, 5, 32, 6>())),
        64 => Box::new(Simulated(bench::<4, 2, 5, 64, 7>())),
        _ => return None,
    })
}

struct Simulated<B: Block>(Bench<B>);

fn bench<const NW: usize, const WI: usize, const WA: usize, const W: usize, const C: usize>(
) -> Bench<Masks<NW, WI, WA, W, C>> {
    let mut bench = Bench::new(
        Masks::default(),
        |u: &mut Masks<NW, WI, WA, W, C>, level| u.clock.next = level.into(),
    );
    bench.uut.reset.next = true;
    bench.edge();
    bench.uut.reset.next = false;
    bench
}

fn drive<const NW: usize, const WI: usize, const WA: usize, const W: usize, const C: usize>(
    u: &mut Masks<NW, WI, WA, W, C>,
    i: &Inputs,
) {
    u.op_valid.next = i.valid;
    u.op_warp.next = i.warp.into();
    u.op_kind.next = i.kind.into();
    u.op_function.next = i.function.into();
    u.op_md.next = i.md.into();
    u.op_ma.next = i.ma.into();
    u.op_mb.next = i.mb.into();
    u.op_exec.next = i.exec.into();
    u.op_ballot.next = i.ballot.into();
    u.op_word.next = i.word.into();
}

impl<const NW: usize, const WI: usize, const WA: usize, const W: usize, const C: usize> Simulation
    for Simulated<Masks<NW, WI, WA, W, C>>
{
    fn cycle(&mut self, inputs: &Inputs) -> Outputs {
        drive(&mut self.0.uut, inputs);
        self.0.settle();
        let u = &self.0.uut;
        let outputs = Outputs {
            valid: u.result_valid.val(),
            warp: u.result_warp.val().to_u64(),
            illegal: u.result_illegal.val(),
            set: u.result_set.val(),
            mask: u.result_mask.val().to_u64(),
            taken: u.result_taken.val(),
            word: u.result_word.val().to_u64(),
            write: u.result_write.val().to_u64(),
        };
        self.0.edge();
        outputs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_rtl::Rng;

    /// Random instructions; those of one warp are two cycles apart.
    fn random(rng: &mut Rng, before: u64, threads: usize) -> Inputs {
        let all = u64::MAX >> (64 - threads);
        let mut mask = || match rng.below(4) {
            0 => 0,
            1 => all,
            _ => rng.next() & all,
        };
        let (exec, ballot) = (mask(), mask());
        let warp = (before + 1 + rng.below(3)) % 4;
        let kind = rng.below(8);
        Inputs {
            valid: rng.chance(7, 8),
            warp,
            kind,
            function: match kind {
                5 => rng.below(8),
                7 => u64::from(rng.chance(1, 2)),
                _ => rng.below(16),
            },
            md: rng.below(9),
            ma: rng.below(9),
            mb: rng.below(9),
            exec,
            ballot,
            word: rng.below(1 << 32),
        }
    }

    fn verilog_agrees<
        const NW: usize,
        const WI: usize,
        const WA: usize,
        const W: usize,
        const C: usize,
    >() {
        let mut before = 0;
        crate::stimulus::check_with_memories(
            "weft_masks",
            Masks::<NW, WI, WA, W, C>::default,
            4000,
            |u, rng, t| {
                u.reset.next = t < 2;
                let inputs = random(rng, before, W);
                before = inputs.warp;
                drive(u, &inputs);
            },
            |u, level| u.clock.next = level.into(),
        );
    }

    #[test]
    fn verilog_agrees_with_4_threads() {
        verilog_agrees::<4, 2, 5, 4, 3>();
    }

    #[test]
    fn verilog_agrees_with_32_threads() {
        verilog_agrees::<4, 2, 5, 32, 6>();
    }

    #[test]
    fn verilog_agrees_with_64_threads() {
        verilog_agrees::<4, 2, 5, 64, 7>();
    }
}
