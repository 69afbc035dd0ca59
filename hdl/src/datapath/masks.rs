//! `weft_masks`: mask registers, mask operations, scalar condition and predicated blocks of all warps.
//!
//! Spec: `docs/spec/masks.md`. Part of the datapath: it computes which threads are to be on;
//! `weft_convergence` switches them.
//!
//! # Parameters
//! `NW` warps, a power of two from 4 to 32; `WI` = log2 NW; `WA` = WI + 4; `W` threads per warp, 4 to 64; `I` = log2 W;
//! `C` = I + 1.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `op_valid`, `op_warp` | in | 1, WI | an instruction; those of one warp are three cycles apart at least |
//! | `op_kind` | in | 3 | 0 LOGIC, 1 BALLOT, 2 PUT, 3 READ, 4 BRANCH, 5 PREDICATE, 6 DATA, 7 OTHER |
//! | `op_function` | in | 4 | LOGIC: operation, bit 3 = `.save`; PUT: bit 0 = high; READ: 0 low, 1 high, 2 count, 3 first, 4 scc; BRANCH: condition, bit 2 = on scc; PREDICATE: count - 1; OTHER: 1 = launch |
//! | `op_md`, `op_ma`, `op_mb` | in | 4 | mask operands, 8 = exec. PUT: ma = md |
//! | `op_exec` | in | W | active mask |
//! | `op_ballot` | in | W | BALLOT: threads whose rs1 is not 0 |
//! | `op_word` | in | 32 | PUT: rs1 of the lowest active thread |
//! | `result_valid`, `result_warp` | out | 1, WI | two cycles after `op_valid`; the others belong to it |
//! | `result_illegal` | out | 1 | not allowed in a predicated block; nothing has changed |
//! | `result_set`, `result_mask` | out | 1, W | LOGIC to exec: the threads that are to be on (CONV-111) |
//! | `result_taken` | out | 1 | BRANCH: go there (CONV-112) |
//! | `result_word` | out | 32 | READ: rd |
//! | `result_write` | out | W | DATA: the write mask |
//!
//! # Cycle behaviour
//! ```text
//! cycle         0          1          2          3          4          5
//! op_*        mset m1   (another)  (another)  mand m2,m1  (another)  (another)
//! result_*       -          -       of mset       -          -       of mand
//! m1            old        old       old        new
//! ```
//! Cycle 0 reads the mask registers and the warp's state and decides what the instruction may do, cycle 1 chooses the
//! two operands, inverted where the operation asks for it, cycle 2 computes and writes.
//! What every kind computes is one operation on two masks:
//!
//! | kind | first operand | second operand | what is made of it |
//! |---|---|---|---|
//! | LOGIC | ma | mb; `.save`: exec | the operation |
//! | BALLOT | all threads | ballot and exec | both |
//! | PUT | the word, and md's other half | all threads | both |
//! | READ | ms, of low and high half the one asked for; scc as a mask of one bit | all threads | the word, count or place of the first operand |
//! | BRANCH | ms, inverted for "all ones"; scc as above | all threads | both; is anything left? |
//! | PREDICATE | ms | all threads | both, kept as the warp's ninth mask |
//! | DATA | the ninth mask; outside a block all threads | exec | both |
//!
//! # Invariants
//! Each memory has one writer. A mask register reads 0 until it is written after the warp's launch.
//! No word is read in the cycle in which it is written: the words of a warp are written two cycles after they are read,
//! and read next three cycles after.
//!
//! # Errors
//! Only `result_illegal`. `Default` panics when the parameters do not fit.

use crate::hdl::*;
use crate::prim::{BlockRam, FirstOne, LutRam, Ones};

#[module(
    requires(
        NW == 1 << WI, (4..=32).contains(&NW), WA == WI + 4, (4..=64).contains(&W), W == 1 << I,
        C == I + 1
    ),
    given(let all = u64::MAX >> (64 - W); let low = all & 0xffff_ffff;)
)]
pub struct Masks<
    const NW: usize,
    const WI: usize,
    const WA: usize,
    const W: usize,
    const I: usize,
    const C: usize,
> {
    /// Everything happens at its rising edge.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high.
    pub reset: Signal<In, Bit>,
    /// An instruction of a warp; those of one warp are three cycles apart at least.
    pub op_valid: Signal<In, Bit>,
    /// Its warp.
    pub op_warp: Signal<In, Bits<WI>>,
    /// 0 LOGIC, 1 BALLOT, 2 PUT, 3 READ, 4 BRANCH, 5 PREDICATE, 6 DATA, 7 OTHER.
    pub op_kind: Signal<In, Bits<3>>,
    /// Which one of its kind (`docs/spec/masks.md`).
    pub op_function: Signal<In, Bits<4>>,
    /// Mask that is written; 8 is exec.
    pub op_md: Signal<In, Bits<4>>,
    /// First mask operand.
    pub op_ma: Signal<In, Bits<4>>,
    /// Second mask operand.
    pub op_mb: Signal<In, Bits<4>>,
    /// Active threads.
    pub op_exec: Signal<In, Bits<W>>,
    /// BALLOT: threads whose rs1 is not 0.
    pub op_ballot: Signal<In, Bits<W>>,
    /// PUT: rs1 of the lowest active thread.
    pub op_word: Signal<In, Bits<32>>,
    /// Two cycles after `op_valid`; the others belong to it.
    pub result_valid: Signal<Out, Bit>,
    /// The warp.
    pub result_warp: Signal<Out, Bits<WI>>,
    /// Not allowed in a predicated block (MASK-031); nothing has changed.
    pub result_illegal: Signal<Out, Bit>,
    /// LOGIC to exec: `result_mask` counts (CONV-111).
    pub result_set: Signal<Out, Bit>,
    /// The threads that are to be on.
    pub result_mask: Signal<Out, Bits<W>>,
    /// BRANCH: the warp goes to the target (CONV-112).
    pub result_taken: Signal<Out, Bit>,
    /// READ: rd.
    pub result_word: Signal<Out, Bits<32>>,
    /// DATA: the threads that write (MASK-030).
    pub result_write: Signal<Out, Bits<W>>,
    // State: m0 to m7 of every warp and the mask that guards its block, for each operand.
    registers_a: BlockRam<W, WA>,
    registers_b: BlockRam<W, WA>,
    // State per warp: registers that have been written; scc;
    // in a block (bit 3), and how many of its instructions follow the next.
    written: LutRam<Bits<8>, WI>,
    condition: LutRam<Bits<1>, WI>,
    left: LutRam<Bits<4>, WI>,
    // Pipeline, cycle 1: operands but for what the memories say, and how these come in.
    c_valid: DFF<Bit>,
    c_warp: DFF<Bits<WI>>,
    c_exec: DFF<Bits<W>>,
    c_given_a: DFF<Bits<W>>,
    c_given_b: DFF<Bits<W>>,
    c_low: DFF<Bit>,
    c_high: DFF<Bit>,
    c_b: DFF<Bit>,
    c_invert_a: DFF<Bit>,
    c_invert_b: DFF<Bit>,
    // … what is done with them: the result inverted, or exclusive or
    c_invert: DFF<Bit>,
    c_differ: DFF<Bit>,
    // … a branch where something is left; as word the first operand, how many it has, or its lowest
    c_odd: DFF<Bit>,
    c_pass: DFF<Bit>,
    c_count: DFF<Bit>,
    c_first: DFF<Bit>,
    // … and what is written or told.
    c_illegal: DFF<Bit>,
    c_set: DFF<Bit>,
    c_branch: DFF<Bit>,
    c_save: DFF<Bit>,
    c_put: DFF<Bit>,
    c_writes: DFF<Bit>,
    c_tests: DFF<Bit>,
    c_predicate: DFF<Bit>,
    c_launch: DFF<Bit>,
    c_steps: DFF<Bit>,
    c_number: DFF<Bits<3>>,
    c_written: DFF<Bits<8>>,
    c_left: DFF<Bits<4>>,
    // Pipeline, cycle 2: the operands, and the same.
    r_valid: DFF<Bit>,
    r_warp: DFF<Bits<WI>>,
    r_exec: DFF<Bits<W>>,
    r_a: DFF<Bits<W>>,
    r_b: DFF<Bits<W>>,
    r_invert: DFF<Bit>,
    r_differ: DFF<Bit>,
    r_odd: DFF<Bit>,
    r_pass: DFF<Bit>,
    r_count: DFF<Bit>,
    r_first: DFF<Bit>,
    r_illegal: DFF<Bit>,
    r_set: DFF<Bit>,
    r_branch: DFF<Bit>,
    r_save: DFF<Bit>,
    r_stores: DFF<Bit>,
    r_marks: DFF<Bit>,
    r_tests: DFF<Bit>,
    r_steps: DFF<Bit>,
    r_predicate: DFF<Bit>,
    r_number: DFF<Bits<3>>,
    r_written: DFF<Bits<8>>,
    r_left: DFF<Bits<4>>,
    // Combinational, cycle 0.
    is_logic: Signal<Local, Bit>,
    is_ballot: Signal<Local, Bit>,
    is_put: Signal<Local, Bit>,
    is_read: Signal<Local, Bit>,
    is_branch: Signal<Local, Bit>,
    is_predicate: Signal<Local, Bit>,
    is_data: Signal<Local, Bit>,
    launch: Signal<Local, Bit>,
    operation: Signal<Local, Bits<3>>,
    save: Signal<Local, Bit>,
    in_block: Signal<Local, Bit>,
    refused: Signal<Local, Bit>,
    acts: Signal<Local, Bit>,
    number_a: Signal<Local, Bits<3>>,
    number_b: Signal<Local, Bits<3>>,
    wide_a: Signal<Local, Bits<WA>>,
    wide_b: Signal<Local, Bits<WA>>,
    read_warp: Signal<Local, Bits<WA>>,
    reads_scc: Signal<Local, Bit>,
    no_low: Signal<Local, Bit>,
    no_high: Signal<Local, Bit>,
    takes_a: Signal<Local, Bit>,
    exec_a: Signal<Local, Bit>,
    given_low: Signal<Local, Bit>,
    given_high: Signal<Local, Bit>,
    register_a: Signal<Local, Bit>,
    narrow_word: Signal<Local, Bits<W>>,
    given: Signal<Local, Bits<W>>,
    scc: Signal<Local, Bit>,
    given_a: Signal<Local, Bits<W>>,
    given_b: Signal<Local, Bits<W>>,
    count_down: Signal<Local, Bits<4>>,
    // Combinational, cycle 1.
    chosen_a: Signal<Local, Bits<W>>,
    chosen_b: Signal<Local, Bits<W>>,
    nobody_puts: Signal<Local, Bit>,
    writes: Signal<Local, Bit>,
    // Combinational, cycle 2.
    result: Signal<Local, Bits<W>>,
    some: Signal<Local, Bit>,
    write_number: Signal<Local, Bits<WA>>,
    write_warp: Signal<Local, Bits<WA>>,
    ones: Ones<W, C>,
    first: FirstOne<W, I>,
    low_word: Signal<Local, Bits<32>>,
    wide_count: Signal<Local, Bits<32>>,
    wide_place: Signal<Local, Bits<32>>,
    found_word: Signal<Local, Bits<32>>,
    // Constants.
    #[value(4.into())]
    register_bits: Constant<Bits<3>>,
    #[value(8.into())]
    guard_register: Constant<Bits<WA>>,
    #[value(32.into())]
    half_bits: Constant<Bits<6>>,
    #[value(low.into())]
    low_half: Constant<Bits<W>>,
    #[value((all & !low).into())]
    high_half: Constant<Bits<W>>,
    #[value(0.into())]
    nobody: Constant<Bits<W>>,
    #[value(1.into())]
    one_register: Constant<Bits<8>>,
    #[value(0.into())]
    no_registers: Constant<Bits<8>>,
    #[value(0.into())]
    no_number: Constant<Bits<3>>,
    #[value(0.into())]
    none: Constant<Bits<4>>,
    #[value(1.into())]
    one: Constant<Bits<4>>,
    #[value(8.into())]
    block: Constant<Bits<4>>,
    #[value(0.into())]
    no_word: Constant<Bits<32>>,
    #[value(0xffff_ffff_u64.into())]
    no_lane: Constant<Bits<32>>,
    #[value(0.into())]
    kind_logic: Constant<Bits<3>>,
    #[value(1.into())]
    kind_ballot: Constant<Bits<3>>,
    #[value(2.into())]
    kind_put: Constant<Bits<3>>,
    #[value(3.into())]
    kind_read: Constant<Bits<3>>,
    #[value(4.into())]
    kind_branch: Constant<Bits<3>>,
    #[value(5.into())]
    kind_predicate: Constant<Bits<3>>,
    #[value(6.into())]
    kind_data: Constant<Bits<3>>,
    #[value(7.into())]
    kind_other: Constant<Bits<3>>,
    #[value(1.into())]
    op_or: Constant<Bits<3>>,
    #[value(2.into())]
    op_xor: Constant<Bits<3>>,
    #[value(3.into())]
    op_andn: Constant<Bits<3>>,
    #[value(4.into())]
    op_nand: Constant<Bits<3>>,
    #[value(5.into())]
    op_nor: Constant<Bits<3>>,
    #[value(6.into())]
    op_xnor: Constant<Bits<3>>,
    #[value(7.into())]
    op_orn: Constant<Bits<3>>,
    #[value(0.into())]
    read_low: Constant<Bits<3>>,
    #[value(1.into())]
    read_high: Constant<Bits<3>>,
    #[value(2.into())]
    read_count: Constant<Bits<3>>,
    #[value(3.into())]
    read_first: Constant<Bits<3>>,
}

#[part(Masks<NW, WI, WA, W, I, C>)]
fn update(&mut self) {
    // ---- Cycle 0: what may happen.
    self.is_logic.next = self.op_kind.val() == self.kind_logic.val();
    self.is_ballot.next = self.op_kind.val() == self.kind_ballot.val();
    self.is_put.next = self.op_kind.val() == self.kind_put.val();
    self.is_read.next = self.op_kind.val() == self.kind_read.val();
    self.is_branch.next = self.op_kind.val() == self.kind_branch.val();
    self.is_predicate.next = self.op_kind.val() == self.kind_predicate.val();
    self.is_data.next = self.op_kind.val() == self.kind_data.val();
    self.launch.next =
        (self.op_kind.val() == self.kind_other.val()) & self.op_function.val().get_bit(0);
    self.operation.next = self.op_function.val().get_bits::<3>(0);
    self.save.next = self.is_logic.val() & self.op_function.val().get_bit(3);
    spread!(self.*.read_address <- self.op_warp: written, condition, left);
    self.in_block.next = self.left.read_data.val().get_bit(3);
    self.refused.next = self.in_block.val() & !self.is_data.val() & !self.launch.val();
    self.acts.next = self.op_valid.val() & !self.reset.val() & !self.refused.val();
    self.c_valid.d.next = self.op_valid.val() & !self.reset.val();
    self.c_illegal.d.next = self.op_valid.val() & !self.reset.val() & self.refused.val();
    self.c_set.d.next =
        self.acts.val() & self.is_logic.val() & (self.save.val() | self.op_md.val().get_bit(3));
    self.c_branch.d.next = self.acts.val() & self.is_branch.val();
    self.c_predicate.d.next = self.acts.val() & self.is_predicate.val();
    self.c_launch.d.next = self.acts.val() & self.launch.val();
    self.c_tests.d.next =
        self.acts.val() & (self.is_logic.val() | self.is_ballot.val() | self.is_put.val());
    self.c_writes.d.next = self.acts.val()
        & (self.is_logic.val() | self.is_ballot.val() | self.is_put.val())
        & (self.save.val() | !self.op_md.val().get_bit(3));
    carry!(self.c_*.d <- self: save, put = is_put, warp = op_warp, exec = op_exec);
    self.c_written.d.next = self.written.read_data.val();
    self.c_number.d.next = self.op_md.val().get_bits::<3>(0);
    // Instructions left: a block begins, or one of its instructions is counted. The last one leaves bit 3 at 0.
    self.c_steps.d.next =
        self.acts.val() & (self.in_block.val() | self.launch.val() | self.is_predicate.val());
    self.count_down.next = self.left.read_data.val() - self.one.val();
    self.c_left.d.next = self.count_down.val();
    if self.is_predicate.val() {
        self.c_left.d.next = self.block.val() | bit_cast::<4, 3>(self.operation.val());
    }
    if self.launch.val() {
        self.c_left.d.next = self.none.val();
    }

    // ---- Which registers are read; what guards a block in place of the first operand.
    self.number_a.next = self.op_ma.val().get_bits::<3>(0);
    self.number_b.next = self.op_mb.val().get_bits::<3>(0);
    self.read_warp.next = bit_cast::<WA, WI>(self.op_warp.val()) << self.register_bits.val();
    self.wide_a.next = bit_cast::<WA, 3>(self.number_a.val());
    if self.is_data.val() {
        self.wide_a.next = self.guard_register.val();
    }
    self.wide_b.next = bit_cast::<WA, 3>(self.number_b.val());
    self.registers_a.read_address.next = self.read_warp.val() | self.wide_a.val();
    self.registers_b.read_address.next = self.read_warp.val() | self.wide_b.val();

    // ---- First operand: from a register, exec, the word or scc; a half of it may be left out.
    self.reads_scc.next =
        (self.is_read.val() | self.is_branch.val()) & self.op_function.val().get_bit(2);
    self.no_low.next = self.is_read.val() & (self.operation.val() == self.read_high.val());
    self.no_high.next = self.is_read.val() & (self.operation.val() == self.read_low.val());
    self.takes_a.next =
        (self.is_logic.val() | self.is_read.val() | self.is_branch.val()) & !self.reads_scc.val();
    self.exec_a.next = self.takes_a.val() & self.op_ma.val().get_bit(3);
    self.given_low.next = self.exec_a.val() & !self.no_low.val();
    self.given_high.next = self.exec_a.val() & !self.no_high.val();
    self.register_a.next = (self.takes_a.val() | self.is_put.val() | self.is_predicate.val())
        & !self.op_ma.val().get_bit(3)
        & self
            .written
            .read_data
            .val()
            .get_bit(self.number_a.val().index());
    self.c_low.d.next = self.register_a.val() & !self.no_low.val();
    self.c_high.d.next = self.register_a.val() & !self.no_high.val();
    self.narrow_word.next = bit_cast::<W, 32>(self.op_word.val());
    self.given.next = self.op_exec.val();
    if self.is_put.val() {
        self.given.next = self.narrow_word.val();
        for _h in 0..(W / 64) {
            self.given.next =
                self.narrow_word.val() | (self.narrow_word.val() << self.half_bits.val());
        }
        self.given_low.next = !self.op_function.val().get_bit(0);
        self.given_high.next = self.op_function.val().get_bit(0);
        self.c_low.d.next = self.register_a.val() & self.op_function.val().get_bit(0);
        self.c_high.d.next = self.register_a.val() & !self.op_function.val().get_bit(0);
    }
    if self.is_data.val() {
        spread!(self.*.d <- self.in_block: c_low, c_high);
    }
    self.scc.next = self.reads_scc.val() & self.condition.read_data.val().get_bit(0);
    self.given_a.next = bit_cast::<W, 1>(self.scc.val().into());
    if self.given_low.val() {
        self.given_a.next = self.given_a.val() | (self.given.val() & self.low_half.val());
    }
    if self.given_high.val() {
        self.given_a.next = self.given_a.val() | (self.given.val() & self.high_half.val());
    }
    self.c_given_a.d.next = self.given_a.val();

    // ---- Second operand: from a register, exec or the ballot.
    self.given_b.next = self.nobody.val();
    if (self.is_logic.val() & (self.save.val() | self.op_mb.val().get_bit(3))) | self.is_data.val()
    {
        self.given_b.next = self.op_exec.val();
    }
    if self.is_ballot.val() {
        self.given_b.next = self.op_ballot.val() & self.op_exec.val();
    }
    self.c_given_b.d.next = self.given_b.val();
    self.c_b.d.next = self.is_logic.val()
        & !self.save.val()
        & !self.op_mb.val().get_bit(3)
        & self
            .written
            .read_data
            .val()
            .get_bit(self.number_b.val().index());

    // ---- The operation: and or exclusive or of operands that may be inverted, inverted or not.
    self.c_invert_a.d.next = self.is_logic.val()
        & ((self.operation.val() == self.op_or.val())
            | (self.operation.val() == self.op_nor.val())
            | (self.operation.val() == self.op_orn.val()));
    if self.is_branch.val() {
        self.c_invert_a.d.next = self.op_function.val().get_bit(1);
    }
    if self.is_data.val() {
        self.c_invert_a.d.next = !self.in_block.val();
    }
    if self.is_ballot.val() {
        self.c_invert_a.d.next = true;
    }
    self.c_invert_b.d.next = !self.is_ballot.val() & !self.is_data.val();
    if self.is_logic.val() {
        self.c_invert_b.d.next = (self.operation.val() == self.op_or.val())
            | (self.operation.val() == self.op_andn.val())
            | (self.operation.val() == self.op_nor.val())
            | (self.operation.val() == self.op_xnor.val());
    }
    self.c_invert.d.next = self.is_logic.val()
        & ((self.operation.val() == self.op_or.val())
            | (self.operation.val() == self.op_nand.val())
            | (self.operation.val() == self.op_orn.val()));
    self.c_differ.d.next = self.is_logic.val()
        & ((self.operation.val() == self.op_xor.val())
            | (self.operation.val() == self.op_xnor.val()));
    self.c_odd.d.next = self.op_function.val().get_bit(0);
    self.c_pass.d.next = !self.op_function.val().get_bit(1);
    self.c_count.d.next = self.operation.val() == self.read_count.val();
    self.c_first.d.next = self.operation.val() == self.read_first.val();

    // ---- Cycle 1: operands.
    self.chosen_a.next = self.c_given_a.q.val();
    if self.c_low.q.val() {
        self.chosen_a.next =
            self.chosen_a.val() | (self.registers_a.read_data.val() & self.low_half.val());
    }
    if self.c_high.q.val() {
        self.chosen_a.next =
            self.chosen_a.val() | (self.registers_a.read_data.val() & self.high_half.val());
    }
    self.r_a.d.next = self.chosen_a.val();
    if self.c_invert_a.q.val() {
        self.r_a.d.next = !self.chosen_a.val();
    }
    self.chosen_b.next = self.c_given_b.q.val();
    if self.c_b.q.val() {
        self.chosen_b.next = self.c_given_b.q.val() | self.registers_b.read_data.val();
    }
    self.r_b.d.next = self.chosen_b.val();
    if self.c_invert_b.q.val() {
        self.r_b.d.next = !self.chosen_b.val();
    }
    self.r_valid.d.next = self.c_valid.q.val() & !self.reset.val();
    self.r_illegal.d.next = self.c_illegal.q.val() & !self.reset.val();
    self.r_set.d.next = self.c_set.q.val() & !self.reset.val();
    self.r_branch.d.next = self.c_branch.q.val() & !self.reset.val();
    carry!(self.r_*.d <- self.c_*.q:
        warp, exec, invert, differ, odd, pass, count, first, save, predicate, number,
    );
    if self.c_predicate.q.val() {
        self.r_number.d.next = self.no_number.val();
    }
    carry!(self.r_*.d <- self.c_*.q: left, steps);
    // Without active threads there is no word to put. A launch forgets everything.
    self.nobody_puts.next = self.c_put.q.val() & !self.c_exec.q.val().any();
    self.writes.next = self.c_writes.q.val() & !self.nobody_puts.val();
    self.r_stores.d.next = self.writes.val() | self.c_predicate.q.val();
    self.r_marks.d.next = self.writes.val() | self.c_launch.q.val();
    self.r_tests.d.next = (self.c_tests.q.val() & !self.nobody_puts.val()) | self.c_launch.q.val();
    self.r_written.d.next =
        self.c_written.q.val() | (self.one_register.val() << self.c_number.q.val());
    if self.c_launch.q.val() {
        self.r_written.d.next = self.no_registers.val();
    }

    // ---- Cycle 2: results that are masks.
    self.result.next = self.r_a.q.val() & self.r_b.q.val();
    if self.r_invert.q.val() {
        self.result.next = !self.result.val();
    }
    if self.r_differ.q.val() {
        self.result.next = self.r_a.q.val() ^ self.r_b.q.val();
    }
    self.some.next = self.result.val().any();
    carry!(self.result_* <- self.r_*.q: valid, warp, illegal, set);
    self.result_mask.next = self.result.val();
    self.result_write.next = self.result.val();
    self.result_taken.next = self.r_branch.q.val() & (!self.some.val() ^ self.r_odd.q.val());

    // ---- Writes.
    self.write_number.next = bit_cast::<WA, 3>(self.r_number.q.val());
    if self.r_predicate.q.val() {
        self.write_number.next = self.write_number.val() | self.guard_register.val();
    }
    self.write_warp.next = bit_cast::<WA, WI>(self.r_warp.q.val()) << self.register_bits.val();
    spread!(self.*.write_enable <- self.r_stores.q: registers_a, registers_b);
    self.registers_a.write_address.next = self.write_warp.val() | self.write_number.val();
    self.registers_b.write_address.next = self.write_warp.val() | self.write_number.val();
    spread!(self.*.write_data <- self.result: registers_a, registers_b);
    if self.r_save.q.val() {
        spread!(self.*.write_data <- self.r_exec.q: registers_a, registers_b);
    }
    carry!(self.written <- self.*.q: write_enable = r_marks, write_address = r_warp);
    self.written.write_data.next = self.r_written.q.val();
    carry!(self.condition <- self.*.q: write_enable = r_tests, write_address = r_warp);
    self.condition.write_data.next = self.some.val().into();
    carry!(self.left <- self.*.q: write_enable = r_steps, write_address = r_warp);
    self.left.write_data.next = self.r_left.q.val();

    // ---- Words.
    spread!(self.*.bits <- self.r_a.q: ones, first);
    self.wide_count.next = bit_cast::<32, C>(self.ones.count.val());
    self.wide_place.next = bit_cast::<32, I>(self.first.place.val());
    self.low_word.next = bit_cast::<32, W>(self.r_a.q.val());
    self.found_word.next = self.no_word.val();
    if self.r_pass.q.val() {
        self.found_word.next = self.low_word.val();
        for _h in 0..(W / 64) {
            self.found_word.next = self.low_word.val() | self.r_a.q.val().get_bits::<32>(32);
        }
    }
    if self.r_count.q.val() {
        self.found_word.next = self.found_word.val() | self.wide_count.val();
    }
    if self.r_first.q.val() {
        self.found_word.next = self.found_word.val() | self.wide_place.val();
    }
    if self.r_first.q.val() & !self.first.any.val() {
        self.found_word.next = self.no_lane.val();
    }
    self.result_word.next = self.found_word.val();
}

crate::simulation::word_ports! { Masks<NW, WI, WA, W, I, C>:
    reset op_valid op_warp op_kind op_function op_md op_ma op_mb op_exec op_ballot op_word;
    result_valid result_warp result_illegal result_set result_mask result_taken result_word result_write
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_ports::masks::Inputs;
    use weft_rtl::Rng;

    fn drive<
        const NW: usize,
        const WI: usize,
        const WA: usize,
        const W: usize,
        const I: usize,
        const C: usize,
    >(
        u: &mut Masks<NW, WI, WA, W, I, C>,
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

    /// Random instructions; those of one warp are three cycles apart. `before`: the warps of the two cycles before.
    fn random(rng: &mut Rng, before: [u64; 2], threads: usize) -> Inputs {
        let all = u64::MAX >> (64 - threads);
        let mut mask = || match rng.below(4) {
            0 => 0,
            1 => all,
            _ => rng.next() & all,
        };
        let (exec, ballot) = (mask(), mask());
        let others: Vec<u64> = (0..4).filter(|warp| !before.contains(warp)).collect();
        let warp = others[rng.below(others.len() as u64) as usize];
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
        const I: usize,
        const C: usize,
    >() {
        let mut before = [0; 2];
        crate::stimulus::check_with_memories(
            "weft_masks",
            Masks::<NW, WI, WA, W, I, C>::default,
            4000,
            |u, rng, t| {
                u.reset.next = t < 2;
                let inputs = random(rng, before, W);
                before = [before[1], inputs.warp];
                drive(u, &inputs);
            },
            |u, level| u.clock.next = level.into(),
        );
    }

    #[test]
    fn verilog_agrees_with_4_threads() {
        verilog_agrees::<4, 2, 6, 4, 2, 3>();
    }

    #[test]
    fn verilog_agrees_with_32_threads() {
        verilog_agrees::<4, 2, 6, 32, 5, 6>();
    }

    #[test]
    fn verilog_agrees_with_64_threads() {
        verilog_agrees::<4, 2, 6, 64, 6, 7>();
    }
}
