//! Datapath: executes what the core issues, for all threads of a warp, on L lanes.
//!
//! Spec: `docs/spec/datapath.md`, DATA-020 to DATA-022; ports of the core: `docs/spec/core.md`;
//! trace: `docs/spec/sm.md`.
//!
//! # Parameters
//! `NW` warps, `WI` = log2 NW, `WA` = WI + 4; `W` threads per warp, `I` = log2 W, `C` = I + 1;
//! `L` lanes, `LI` = log2 L, `LW` = 32 L; `NP` = W / L parts, `PB` = max(1, log2 NP), `LA` = WI + PB;
//! `RA` = WI + 5 + log2 NP: bits of a row's number; `RB` = WI + I + 5.
//!
//! # Cycle behaviour
//! ```text
//! cycle      0          1           2            3           4           5
//! pass       H          R           X            B
//!            head,      rows are    operands,    row is
//!            row number addressed   result       written
//! done       here, but for multiplications
//! product    H          R           X, done      M1          M2          B
//! access     H          R           X            at the port of the load/store unit
//! resolve    H          R           X            offered
//! ```
//! Passes never wait between H and B. `done` is given in H: an instruction that reads the result is in R no earlier
//! than five cycles later, and the row is written after three.
//! At `trace_done*` it is given three cycles later, when the rows are written.
//!
//! # Errors
//! `fault_*`, and FAULT at `resolve_*`.

mod control;
mod csr;
pub mod decode;
mod divide;
mod issue_queue;
mod lane;
mod multiply;
mod sequencer;

use crate::barrier::code as barrier_code;
use crate::convergence::code;
use crate::hdl::*;
use crate::masks::Masks;
use crate::prim::{BlockRam, FirstOne, LutRam, Pack};
use crate::wavefront::Wavefront;
use control::Control;
use csr::Csr;
use decode::Decode;
use divide::Divide;
use issue_queue::IssueQueue;
use lane::Lane;
use multiply::Multiply;
use sequencer::Sequencer;

#[derive(LogicBlock)]
pub struct Datapath<
    const NW: usize,
    const WI: usize,
    const WA: usize,
    const W: usize,
    const I: usize,
    const C: usize,
    const L: usize,
    const LI: usize,
    const LW: usize,
    const NP: usize,
    const PB: usize,
    const LA: usize,
    const RA: usize,
    const RB: usize,
> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub cfg_threshold: Signal<In, Bits<9>>,
    pub cfg_force: Signal<In, Bits<2>>,
    pub cfg_shared_from: Signal<In, Bits<6>>,
    pub cache_valid: Signal<In, Bit>,
    pub cache_miss: Signal<In, Bit>,
    pub issue_valid: Signal<In, Bit>,
    pub issue_warp: Signal<In, Bits<WI>>,
    pub issue_pc: Signal<In, Bits<22>>,
    pub issue_mask: Signal<In, Bits<W>>,
    pub issue_word: Signal<In, Bits<32>>,
    pub decode_word0: Signal<In, Bits<32>>,
    pub decode_word1: Signal<In, Bits<32>>,
    pub decode0: Signal<Out, Bits<23>>,
    pub decode1: Signal<Out, Bits<23>>,
    pub done0_valid: Signal<Out, Bit>,
    pub done0_warp: Signal<Out, Bits<WI>>,
    pub done0_rd: Signal<Out, Bits<6>>,
    pub done1_valid: Signal<Out, Bit>,
    pub done1_warp: Signal<Out, Bits<WI>>,
    pub done1_rd: Signal<Out, Bits<6>>,
    pub unit_ready: Signal<Out, Bits<5>>,
    pub counter_select: Signal<Out, Bits<WA>>,
    pub counter_value: Signal<In, Bits<32>>,
    pub program_valid: Signal<Out, Bit>,
    pub program_warp: Signal<Out, Bits<WI>>,
    pub program_level: Signal<Out, Bits<4>>,
    pub op_valid: Signal<In, Bit>,
    pub op_ready: Signal<In, Bit>,
    pub op_code: Signal<In, Bits<4>>,
    pub op_warp: Signal<In, Bits<WI>>,
    pub op_cta: Signal<In, Bits<4>>,
    pub op_block: Signal<In, Bits<WI>>,
    pub cta_number: Signal<In, Bits<32>>,
    pub cta_first: Signal<In, Bits<32>>,
    pub cta_warp: Signal<In, Bits<32>>,
    pub cta_threads: Signal<In, Bits<32>>,
    pub cta_x: Signal<In, Bits<32>>,
    pub cta_y: Signal<In, Bits<32>>,
    pub cta_z: Signal<In, Bits<32>>,
    pub grid_x: Signal<In, Bits<32>>,
    pub grid_y: Signal<In, Bits<32>>,
    pub grid_z: Signal<In, Bits<32>>,
    pub group_x: Signal<In, Bits<32>>,
    pub group_y: Signal<In, Bits<32>>,
    pub group_z: Signal<In, Bits<32>>,
    pub grid_threads: Signal<In, Bits<32>>,
    pub arguments: Signal<In, Bits<32>>,
    pub stack_top: Signal<In, Bits<32>>,
    pub retire_valid: Signal<In, Bit>,
    pub retire_warp: Signal<In, Bits<WI>>,
    pub exception_valid: Signal<In, Bit>,
    pub exception_warp: Signal<In, Bits<WI>>,
    pub exception_cause: Signal<In, Bits<4>>,
    pub resolve_valid: Signal<Out, Bit>,
    pub resolve_ready: Signal<In, Bit>,
    pub resolve_warp: Signal<Out, Bits<WI>>,
    pub resolve_op: Signal<Out, Bits<4>>,
    pub resolve_kind: Signal<Out, Bits<4>>,
    pub resolve_mask: Signal<Out, Bits<W>>,
    pub resolve_target: Signal<Out, Bits<22>>,
    pub resolve_pc: Signal<Out, Bits<22>>,
    pub resolve_active: Signal<Out, Bits<W>>,
    pub resolve_id: Signal<Out, Bits<3>>,
    pub resolve_word: Signal<Out, Bits<32>>,
    pub access_valid: Signal<Out, Bit>,
    pub access_ready: Signal<In, Bit>,
    pub access_warp: Signal<Out, Bits<WI>>,
    pub access_part: Signal<Out, Bits<PB>>,
    pub access_pc: Signal<Out, Bits<22>>,
    pub access_first: Signal<Out, Bit>,
    pub access_last: Signal<Out, Bit>,
    pub access_op: Signal<Out, Bits<5>>,
    pub access_size: Signal<Out, Bits<2>>,
    pub access_signed: Signal<Out, Bit>,
    pub access_uses_rd: Signal<Out, Bit>,
    pub access_rd: Signal<Out, Bits<5>>,
    pub access_mask: Signal<Out, Bits<L>>,
    pub access_address: Signal<Out, Bits<LW>>,
    pub access_data: Signal<Out, Bits<LW>>,
    pub result_valid: Signal<In, Bit>,
    pub result_ready: Signal<Out, Bit>,
    pub result_warp: Signal<In, Bits<WI>>,
    pub result_part: Signal<In, Bits<PB>>,
    pub result_rd: Signal<In, Bits<5>>,
    pub result_mask: Signal<In, Bits<L>>,
    pub result_data: Signal<In, Bits<LW>>,
    pub complete_valid: Signal<In, Bit>,
    pub complete_ready: Signal<Out, Bit>,
    pub complete_warp: Signal<In, Bits<WI>>,
    pub complete_uses_rd: Signal<In, Bit>,
    pub complete_rd: Signal<In, Bits<5>>,
    pub access_fault_valid: Signal<In, Bit>,
    pub access_fault_ready: Signal<Out, Bit>,
    pub access_fault_warp: Signal<In, Bits<WI>>,
    pub access_fault_thread: Signal<In, Bits<6>>,
    pub access_fault_pc: Signal<In, Bits<22>>,
    pub access_fault_number: Signal<In, Bits<16>>,
    pub access_fault_cause: Signal<In, Bits<4>>,
    pub access_fault_address: Signal<In, Bits<32>>,
    pub slots_free: Signal<In, Bits<5>>,
    pub pending: Signal<In, Bits<NW>>,
    pub init_valid: Signal<Out, Bit>,
    pub init_warp: Signal<Out, Bits<WI>>,
    pub init_first: Signal<Out, Bits<32>>,
    pub init_cta: Signal<Out, Bits<4>>,
    pub write_valid: Signal<Out, Bit>,
    pub write_warp: Signal<Out, Bits<WI>>,
    pub write_part: Signal<Out, Bits<PB>>,
    pub write_rd: Signal<Out, Bits<5>>,
    pub write_mask: Signal<Out, Bits<L>>,
    pub write_data: Signal<Out, Bits<LW>>,
    pub faulted: Signal<Out, Bits<NW>>,
    pub fault_valid: Signal<Out, Bit>,
    pub fault_warp: Signal<Out, Bits<WI>>,
    pub fault_thread: Signal<Out, Bits<6>>,
    pub fault_pc: Signal<Out, Bits<22>>,
    pub fault_cause: Signal<Out, Bits<4>>,
    pub fault_address: Signal<Out, Bits<32>>,
    pub trace_done0_valid: Signal<Out, Bit>,
    pub trace_done0_warp: Signal<Out, Bits<WI>>,
    pub trace_done0_rd: Signal<Out, Bits<6>>,
    pub trace_done1_valid: Signal<Out, Bit>,
    pub trace_done1_warp: Signal<Out, Bits<WI>>,
    pub trace_done1_rd: Signal<Out, Bits<6>>,
    pub busy: Signal<Out, Bit>,
    // Cells.
    decoder0: Decode,
    decoder1: Decode,
    of_head: Decode,
    of_pass: Decode,
    queue: IssueQueue<WI, W, 4>,
    sequencer: Sequencer<W, L, NP, PB>,
    masks: Masks<NW, WI, WA, W, I, C>,
    wavefront: Wavefront<NW, W, I, RB>,
    rows: Wavefront<NW, W, I, RB>,
    csr: Csr<NW, WI, WA, W>,
    control: Control<NW, WI, W>,
    divide: Divide<WI, L, LW, PB, LI>,
    faulter: FirstOne<W, I>,
    pack_address: Pack<L, LW>,
    pack_second: Pack<L, LW>,
    pack_first: Pack<L, LW>,
    pack_write: Pack<L, LW>,
    first: Vec<BlockRam<32, RA>>,
    second: Vec<BlockRam<32, RA>>,
    lanes: Vec<Lane>,
    times: Vec<Multiply>,
    levels: Vec<LutRam<Bits<4>, LA>>,
    // Instructions of its predicated block that a warp has still to issue.
    blocks: LutRam<Bits<4>, WI>,
    inits: LutRam<Bits<WI>, WI>,
    // Warps whose registers are to be set, in order.
    init_head: DFF<Bits<WI>>,
    init_tail: DFF<Bits<WI>>,
    init_count: DFF<Bits<8>>,
    // Warps that have faulted (SM-022).
    dead: DFF<Bits<NW>>,
    // Warps whose fault waits for the accesses before it (SM-013), and that fault.
    held: DFF<Bits<NW>>,
    held_threads: LutRam<Bits<6>, WI>,
    held_pcs: LutRam<Bits<22>, WI>,
    held_causes: LutRam<Bits<4>, WI>,
    held_addresses: LutRam<Bits<32>, WI>,
    held_numbers: LutRam<Bits<16>, WI>,
    held_found: LutRam<Bits<1>, WI>,
    held_first: FirstOne<NW, WI>,
    // Decoded words.
    d0: DFF<Bits<23>>,
    d1: DFF<Bits<23>>,
    // What was asked: the mask unit's answer, the scheduler's counter, the selected mode.
    got_set: DFF<Bit>,
    got_taken: DFF<Bit>,
    got_mask: DFF<Bits<W>>,
    got_word: DFF<Bits<32>>,
    got_write: DFF<Bits<W>>,
    got_counter: DFF<Bits<32>>,
    got_auto: DFF<Bit>,
    // The leader's word; the bits that passes have collected.
    lead: DFF<Bits<32>>,
    acc: DFF<Bits<W>>,
    // R: the pass whose rows are addressed.
    r_valid: DFF<Bit>,
    r_mode: DFF<Bits<2>>,
    r_first: DFF<Bit>,
    r_last: DFF<Bit>,
    r_part: DFF<Bits<PB>>,
    r_mask: DFF<Bits<L>>,
    r_empty: DFF<Bit>,
    r_blocked: DFF<Bit>,
    r_divides: DFF<Bit>,
    r_register: DFF<Bits<5>>,
    r_warp: DFF<Bits<WI>>,
    r_pc: DFF<Bits<22>>,
    r_active: DFF<Bits<W>>,
    r_word: DFF<Bits<32>>,
    // X: the pass whose operands are there.
    x_valid: DFF<Bit>,
    x_mode: DFF<Bits<2>>,
    x_first: DFF<Bit>,
    x_last: DFF<Bit>,
    x_part: DFF<Bits<PB>>,
    x_mask: DFF<Bits<L>>,
    x_empty: DFF<Bit>,
    x_blocked: DFF<Bit>,
    x_divides: DFF<Bit>,
    x_register: DFF<Bits<5>>,
    x_warp: DFF<Bits<WI>>,
    x_pc: DFF<Bits<22>>,
    x_active: DFF<Bits<W>>,
    x_word: DFF<Bits<32>>,
    x_row: DFF<Bits<RA>>,
    x_scalar: DFF<Bits<32>>,
    x_adds_lane: DFF<Bit>,
    x_is_level: DFF<Bit>,
    x_exists: DFF<Bit>,
    // Multiplier.
    m1_valid: DFF<Bit>,
    m1_warp: DFF<Bits<WI>>,
    m1_part: DFF<Bits<PB>>,
    m1_rd: DFF<Bits<5>>,
    m1_mask: DFF<Bits<L>>,
    m1_row: DFF<Bits<RA>>,
    m2_valid: DFF<Bit>,
    m2_warp: DFF<Bits<WI>>,
    m2_part: DFF<Bits<PB>>,
    m2_rd: DFF<Bits<5>>,
    m2_mask: DFF<Bits<L>>,
    m2_row: DFF<Bits<RA>>,
    // B: a row of lanes or multiplier.
    b_valid: DFF<Bit>,
    b_shown: DFF<Bit>,
    b_warp: DFF<Bits<WI>>,
    b_part: DFF<Bits<PB>>,
    b_rd: DFF<Bits<5>>,
    b_mask: DFF<Bits<L>>,
    b_row: DFF<Bits<RA>>,
    // … and one of divider or load/store unit.
    w_valid: DFF<Bit>,
    w_warp: DFF<Bits<WI>>,
    w_part: DFF<Bits<PB>>,
    w_rd: DFF<Bits<5>>,
    w_mask: DFF<Bits<L>>,
    w_data: DFF<Bits<LW>>,
    // A pass for the load/store unit; instructions on their way there.
    a_valid: DFF<Bit>,
    a_warp: DFF<Bits<WI>>,
    a_part: DFF<Bits<PB>>,
    a_pc: DFF<Bits<22>>,
    a_first: DFF<Bit>,
    a_last: DFF<Bit>,
    a_op: DFF<Bits<5>>,
    a_size: DFF<Bits<2>>,
    a_signed: DFF<Bit>,
    a_rd: DFF<Bits<6>>,
    a_mask: DFF<Bits<L>>,
    a_address: DFF<Bits<LW>>,
    a_data: DFF<Bits<LW>>,
    on_way: DFF<Bits<6>>,
    // The level that the program sets.
    p_valid: DFF<Bit>,
    p_warp: DFF<Bits<WI>>,
    p_level: DFF<Bits<4>>,
    // Trace.
    i_valid: DFF<Bit>,
    i_warp: DFF<Bits<WI>>,
    i_first: DFF<Bits<32>>,
    i_cta: DFF<Bits<4>>,
    f_valid: DFF<Bit>,
    // Accesses of the warp were pending in the last four cycles.
    late: DFF<Bits<NW>>,
    later: DFF<Bits<NW>>,
    latest: DFF<Bits<NW>>,
    last_late: DFF<Bits<NW>>,
    f_warp: DFF<Bits<WI>>,
    f_thread: DFF<Bits<6>>,
    f_pc: DFF<Bits<22>>,
    f_cause: DFF<Bits<4>>,
    f_address: DFF<Bits<32>>,
    b_data: Vec<DFF<Bits<32>>>,
    t0_valid: Vec<DFF<Bit>>,
    t0_warp: Vec<DFF<Bits<WI>>>,
    t0_rd: Vec<DFF<Bits<6>>>,
    t1_valid: Vec<DFF<Bit>>,
    t1_warp: Vec<DFF<Bits<WI>>>,
    t1_rd: Vec<DFF<Bits<6>>>,
    // Combinational.
    launches: Signal<Local, Bit>,
    in_block: Signal<Local, Bit>,
    block_left: Signal<Local, Bits<4>>,
    head_warp: Signal<Local, Bits<WI>>,
    is_init: Signal<Local, Bit>,
    base: Signal<Local, Bits<RB>>,
    result_base: Signal<Local, Bits<RB>>,
    lane_part: Signal<Local, Bits<I>>,
    result_part_number: Signal<Local, Bits<I>>,
    h_done: Signal<Local, Bit>,
    h_rd: Signal<Local, Bits<6>>,
    x_done: Signal<Local, Bit>,
    pipe_done: Signal<Local, Bit>,
    pipe_warp: Signal<Local, Bits<WI>>,
    pipe_rd: Signal<Local, Bits<6>>,
    divide_done: Signal<Local, Bit>,
    memory_done: Signal<Local, Bit>,
    divide_takes: Signal<Local, Bit>,
    memory_takes: Signal<Local, Bit>,
    starts_access: Signal<Local, Bit>,
    sends_access: Signal<Local, Bit>,
    next_way: Signal<Local, Bits<6>>,
    init_value: Signal<Local, Bits<32>>,
    init_lane: Signal<Local, Bit>,
    final_x: Signal<Local, Bit>,
    x_uses1: Signal<Local, Bit>,
    x_uses2: Signal<Local, Bit>,
    part_base: Signal<Local, Bits<32>>,
    part_number: Signal<Local, Bits<7>>,
    byte_pc: Signal<Local, Bits<32>>,
    link: Signal<Local, Bits<32>>,
    jump: Signal<Local, Bits<32>>,
    target: Signal<Local, Bits<32>>,
    scalar_b: Signal<Local, Bits<32>>,
    takes_b: Signal<Local, Bit>,
    lowest: Signal<Local, Bits<L>>,
    negative: Signal<Local, Bits<L>>,
    leader_sum: Signal<Local, Bits<32>>,
    leader_other: Signal<Local, Bits<32>>,
    leader_level: Signal<Local, Bits<4>>,
    leader_word: Signal<Local, Bits<32>>,
    taken_bits: Signal<Local, Bits<L>>,
    wide_bits: Signal<Local, Bits<W>>,
    wide_mask: Signal<Local, Bits<W>>,
    placed: Signal<Local, Bits<W>>,
    placed_mask: Signal<Local, Bits<W>>,
    old_acc: Signal<Local, Bits<W>>,
    new_acc: Signal<Local, Bits<W>>,
    some_acc: Signal<Local, Bit>,
    some_active: Signal<Local, Bit>,
    is_jal: Signal<Local, Bit>,
    is_nop: Signal<Local, Bit>,
    goes_there: Signal<Local, Bit>,
    low_bad: Signal<Local, Bit>,
    high_bad: Signal<Local, Bit>,
    bad: Signal<Local, Bit>,
    csr_writes: Signal<Local, Bit>,
    csr_bad: Signal<Local, Bit>,
    control_ends: Signal<Local, Bit>,
    illegal: Signal<Local, Bit>,
    control_fault: Signal<Local, Bit>,
    x_fault: Signal<Local, Bit>,
    csr_fault: Signal<Local, Bit>,
    x_dead: Signal<Local, Bit>,
    lately: Signal<Local, Bits<NW>>,
    shows_held: Signal<Local, Bit>,
    held_next: Signal<Local, Bits<NW>>,
    ends_held: Signal<Local, Bits<NW>>,
    x_cause: Signal<Local, Bits<4>>,
    x_address: Signal<Local, Bits<32>>,
    access_fault: Signal<Local, Bit>,
    held_read: Signal<Local, Bits<WI>>,
    held_written: Signal<Local, Bits<WI>>,
    ahead: Signal<Local, Bits<16>>,
    goes_before: Signal<Local, Bit>,
    kills: Signal<Local, Bits<NW>>,
    revives: Signal<Local, Bits<NW>>,
    push_op: Signal<Local, Bits<4>>,
    push_kind: Signal<Local, Bits<4>>,
    push_mask: Signal<Local, Bits<W>>,
    b_next: Signal<Local, Bit>,
    from_lanes: Signal<Local, Bit>,
    w_next: Signal<Local, Bit>,
    w_next_warp: Signal<Local, Bits<WI>>,
    w_next_part: Signal<Local, Bits<PB>>,
    w_next_rd: Signal<Local, Bits<5>>,
    memory_rd: Signal<Local, Bits<6>>,
    may_access: Signal<Local, Bit>,
    may_divide: Signal<Local, Bit>,
    one_level: Signal<Local, Bits<4>>,
    sets_level: Signal<Local, Bit>,
    init_next: Signal<Local, Bits<8>>,
    result_row: Signal<Local, Bits<RA>>,
    uses_units: Signal<Local, Bit>,
    op_function: Signal<Local, Bits<4>>,
    rs1: Vec<Signal<Local, Bits<32>>>,
    rs2: Vec<Signal<Local, Bits<32>>>,
    number: Vec<Signal<Local, Bits<32>>>,
    level: Vec<Signal<Local, Bits<4>>>,
    operand: Vec<Signal<Local, Bits<4>>>,
    new_level: Vec<Signal<Local, Bits<4>>>,
    value: Vec<Signal<Local, Bits<32>>>,
    row_word: Vec<Signal<Local, Bits<32>>>,
    // Constants.
    code_launch: Constant<Bits<4>>,
    cause_recenter: Constant<Bits<4>>,
    op_next: Constant<Bits<4>>,
    op_push: Constant<Bits<4>>,
    op_mask: Constant<Bits<4>>,
    kind_set: Constant<Bits<4>>,
    kind_jump: Constant<Bits<4>>,
    kind_sync: Constant<Bits<4>>,
    lane_bits: Constant<Bits<3>>,
    place_bits: Constant<Bits<3>>,
    regular: Constant<Bit>,
    warp_bit: Vec<Constant<Bits<4>>>,
    lane_number: Vec<Constant<Bits<32>>>,
    zero: Constant<Bits<32>>,
    two: Constant<Bits<3>>,
    even: Constant<Bits<32>>,
    no_rows: Constant<Bits<RB>>,
    no_lanes: Constant<Bits<L>>,
    no_threads: Constant<Bits<W>>,
    no_warps: Constant<Bits<NW>>,
    one_warp: Constant<Bits<NW>>,
    one_place: Constant<Bits<WI>>,
    no_place: Constant<Bits<WI>>,
    no_level: Constant<Bits<4>>,
    no_part: Constant<Bits<I>>,
    five_uses: Constant<Bits<3>>,
    kind_data: Constant<Bits<3>>,
    kind_other: Constant<Bits<3>>,
    function_launch: Constant<Bits<4>>,
    register_sp: Constant<Bits<5>>,
    register_a0: Constant<Bits<5>>,
    register_a1: Constant<Bits<5>>,
    register_a2: Constant<Bits<5>>,
}

impl<
        const NW: usize,
        const WI: usize,
        const WA: usize,
        const W: usize,
        const I: usize,
        const C: usize,
        const L: usize,
        const LI: usize,
        const LW: usize,
        const NP: usize,
        const PB: usize,
        const LA: usize,
        const RA: usize,
        const RB: usize,
    > Default for Datapath<NW, WI, WA, W, I, C, L, LI, LW, NP, PB, LA, RA, RB>
{
    fn default() -> Self {
        assert!(
            NW == 1 << WI
                && WA == WI + 4
                && W == 1 << I
                && C == I + 1
                && L == 1 << LI
                && LW == 32 * L
                && NP * L == W
                && (NP <= 2 && PB == 1 || NP == 1 << PB)
                && LA == WI + PB
                && RA == WI + 5 + I - LI
                && RB == WI + I + 5,
            "Datapath<{NW}, {WI}, {WA}, {W}, {I}, {C}, {L}, {LI}, {LW}, {NP}, {PB}, {LA}, {RA}, {RB}>"
        );
        block!({
            clock, reset, cfg_threshold, cfg_force, cfg_shared_from, cache_valid, cache_miss, issue_valid,
            issue_warp, issue_pc, issue_mask, issue_word, decode_word0, decode_word1, decode0, decode1,
            done0_valid, done0_warp, done0_rd, done1_valid, done1_warp, done1_rd, unit_ready, counter_select,
            counter_value, program_valid, program_warp, program_level, op_valid, op_ready, op_code, op_warp,
            op_cta, op_block, cta_number, cta_first, cta_warp, cta_threads, cta_x, cta_y, cta_z, grid_x,
            grid_y, grid_z, group_x, group_y, group_z, grid_threads, arguments, stack_top, retire_valid,
            retire_warp, exception_valid, exception_warp, exception_cause, resolve_valid, resolve_ready,
            resolve_warp, resolve_op, resolve_kind, resolve_mask, resolve_target, resolve_pc, resolve_active,
            resolve_id, resolve_word, access_valid, access_ready, access_warp, access_part, access_pc,
            access_first, access_last, access_op, access_size, access_signed, access_uses_rd, access_rd,
            access_mask, access_address, access_data, result_valid, result_ready, result_warp, result_part,
            result_rd, result_mask, result_data, complete_valid, complete_ready, complete_warp,
            complete_uses_rd, complete_rd, access_fault_valid, access_fault_ready, access_fault_warp,
            access_fault_thread, access_fault_pc, access_fault_number, access_fault_cause, access_fault_address, slots_free,
            pending, init_valid, init_warp, init_first, init_cta, write_valid, write_warp, write_part,
            write_rd, write_mask, write_data, faulted, fault_valid, fault_warp, fault_thread, fault_pc, fault_cause,
            fault_address, trace_done0_valid, trace_done0_warp, trace_done0_rd, trace_done1_valid,
            trace_done1_warp, trace_done1_rd, busy, decoder0, decoder1, of_head, of_pass, queue, sequencer,
            masks, wavefront, rows, csr, control, divide, faulter, pack_address, pack_second, pack_first,
            pack_write, blocks, inits, init_head, init_tail, init_count, dead, held, held_threads, held_pcs,
            held_causes, held_addresses, held_numbers, held_found, held_first, d0, d1, got_set, got_taken,
            got_mask, got_word, got_write, got_counter, got_auto, lead, acc, r_valid, r_mode, r_first, r_last,
            r_part, r_mask, r_empty, r_blocked, r_divides, r_register, r_warp, r_pc, r_active, r_word,
            x_valid, x_mode, x_first, x_last, x_part, x_mask, x_empty, x_blocked, x_divides, x_register,
            x_warp, x_pc, x_active, x_word, x_row, x_scalar, x_adds_lane, x_is_level, x_exists, m1_valid,
            m1_warp, m1_part, m1_rd, m1_mask, m1_row, m2_valid, m2_warp, m2_part, m2_rd, m2_mask, m2_row,
            b_valid, b_shown, b_warp, b_part, b_rd, b_mask, b_row, w_valid, w_warp, w_part, w_rd, w_mask,
            w_data, a_valid, a_warp, a_part, a_pc, a_first, a_last, a_op, a_size, a_signed, a_rd, a_mask,
            a_address, a_data, on_way, p_valid, p_warp, p_level, i_valid, i_warp, i_first, i_cta, late, later,
            latest, last_late, f_valid,
            f_warp, f_thread, f_pc, f_cause, f_address, launches, in_block, block_left, head_warp, is_init,
            base, result_base, lane_part, result_part_number, h_done, h_rd, x_done, pipe_done, pipe_warp,
            pipe_rd, divide_done, memory_done, divide_takes, memory_takes, starts_access, sends_access,
            next_way, init_value, init_lane, final_x, x_uses1, x_uses2, part_base, part_number, byte_pc, link,
            jump, target, scalar_b, takes_b, lowest, negative, leader_sum, leader_other, leader_level,
            leader_word, taken_bits, wide_bits, wide_mask, placed, placed_mask, old_acc, new_acc, some_acc,
            some_active, is_jal, is_nop, goes_there, low_bad, high_bad, bad, csr_writes, csr_bad,
            control_ends, illegal, control_fault, x_fault, csr_fault, x_dead, lately, shows_held,
            held_next, ends_held, x_cause, x_address, access_fault, held_read,
            held_written, ahead, goes_before, kills, revives,
            push_op, push_kind, push_mask, b_next, from_lanes, w_next, w_next_warp, w_next_part, w_next_rd,
            memory_rd, may_access, may_divide, one_level, sets_level, init_next, result_row, uses_units,
            op_function,
        } {
            first: (0..L).map(|_| Default::default()).collect(),
            second: (0..L).map(|_| Default::default()).collect(),
            lanes: (0..L).map(|_| Default::default()).collect(),
            times: (0..L).map(|_| Default::default()).collect(),
            levels: (0..L).map(|_| Default::default()).collect(),
            b_data: (0..L).map(|_| Default::default()).collect(),
            t0_valid: (0..3).map(|_| Default::default()).collect(),
            t0_warp: (0..3).map(|_| Default::default()).collect(),
            t0_rd: (0..3).map(|_| Default::default()).collect(),
            t1_valid: (0..3).map(|_| Default::default()).collect(),
            t1_warp: (0..3).map(|_| Default::default()).collect(),
            t1_rd: (0..3).map(|_| Default::default()).collect(),
            rs1: (0..L).map(|_| Default::default()).collect(),
            rs2: (0..L).map(|_| Default::default()).collect(),
            number: (0..L).map(|_| Default::default()).collect(),
            level: (0..L).map(|_| Default::default()).collect(),
            operand: (0..L).map(|_| Default::default()).collect(),
            new_level: (0..L).map(|_| Default::default()).collect(),
            value: (0..L).map(|_| Default::default()).collect(),
            row_word: (0..L).map(|_| Default::default()).collect(),
            code_launch: Constant::new(barrier_code::LAUNCH.into()),
            cause_recenter: Constant::new(u64::from(crate::ports::cause::RECENTER).into()),
            op_next: Constant::new(code::OP_NEXT.into()),
            op_push: Constant::new(code::OP_PUSH.into()),
            op_mask: Constant::new(code::OP_MASK.into()),
            kind_set: Constant::new(code::MASK_SET.into()),
            kind_jump: Constant::new(code::MASK_JUMP.into()),
            kind_sync: Constant::new(code::KIND_SYNC.into()),
            lane_bits: Constant::new((LI as u64).into()),
            place_bits: Constant::new((PB as u64).into()),
            regular: Constant::new(true),
            warp_bit: (0..WI).map(|b| Constant::new((b as u64).into())).collect(),
            lane_number: (0..L).map(|i| Constant::new((i as u64).into())).collect(),
            zero: Constant::new(0.into()),
            two: Constant::new(2.into()),
            even: Constant::new(0xffff_fffe_u64.into()),
            no_rows: Constant::new(0.into()),
            no_lanes: Constant::new(0.into()),
            no_threads: Constant::new(0.into()),
            no_warps: Constant::new(0.into()),
            one_warp: Constant::new(1.into()),
            one_place: Constant::new(1.into()),
            no_place: Constant::new(0.into()),
            no_level: Constant::new(0.into()),
            no_part: Constant::new(0.into()),
            five_uses: Constant::new(7.into()),
            kind_data: Constant::new(6.into()),
            kind_other: Constant::new(7.into()),
            function_launch: Constant::new(1.into()),
            register_sp: Constant::new(2.into()),
            register_a0: Constant::new(10.into()),
            register_a1: Constant::new(11.into()),
            register_a2: Constant::new(12.into()),
        })
    }
}

impl<
        const NW: usize,
        const WI: usize,
        const WA: usize,
        const W: usize,
        const I: usize,
        const C: usize,
        const L: usize,
        const LI: usize,
        const LW: usize,
        const NP: usize,
        const PB: usize,
        const LA: usize,
        const RA: usize,
        const RB: usize,
    > Logic for Datapath<NW, WI, WA, W, I, C, L, LI, LW, NP, PB, LA, RA, RB>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            init_head,
            init_tail,
            init_count,
            dead,
            held,
            d0,
            d1,
            got_set,
            got_taken,
            got_mask,
            got_word,
            got_write,
            got_counter,
            got_auto,
            lead,
            acc,
            r_valid,
            r_mode,
            r_first,
            r_last,
            r_part,
            r_mask,
            r_empty,
            r_blocked,
            r_divides,
            r_register,
            r_warp,
            r_pc,
            r_active,
            r_word,
            x_valid,
            x_mode,
            x_first,
            x_last,
            x_part,
            x_mask,
            x_empty,
            x_blocked,
            x_divides,
            x_register,
            x_warp,
            x_pc,
            x_active,
            x_word,
            x_row,
            x_scalar,
            x_adds_lane,
            x_is_level,
            x_exists,
            m1_valid,
            m1_warp,
            m1_part,
            m1_rd,
            m1_mask,
            m1_row,
            m2_valid,
            m2_warp,
            m2_part,
            m2_rd,
            m2_mask,
            m2_row,
            b_valid,
            b_shown,
            b_warp,
            b_part,
            b_rd,
            b_mask,
            b_row,
            w_valid,
            w_warp,
            w_part,
            w_rd,
            w_mask,
            w_data,
            a_valid,
            a_warp,
            a_part,
            a_pc,
            a_first,
            a_last,
            a_op,
            a_size,
            a_signed,
            a_rd,
            a_mask,
            a_address,
            a_data,
            on_way,
            p_valid,
            p_warp,
            p_level,
            i_valid,
            i_warp,
            i_first,
            i_cta,
            late,
            later,
            latest,
            last_late,
            f_valid,
            f_warp,
            f_thread,
            f_pc,
            f_cause,
            f_address
        );
        clock!(
            self,
            clock,
            queue,
            sequencer,
            masks,
            wavefront,
            rows,
            csr,
            control,
            divide,
            blocks,
            inits,
            held_threads,
            held_pcs,
            held_causes,
            held_addresses,
            held_numbers,
            held_found
        );
        self.queue.reset.next = self.reset.val();
        self.sequencer.reset.next = self.reset.val();
        self.masks.reset.next = self.reset.val();
        self.wavefront.reset.next = self.reset.val();
        self.rows.reset.next = self.reset.val();
        self.csr.reset.next = self.reset.val();
        self.control.reset.next = self.reset.val();
        self.divide.reset.next = self.reset.val();

        // ---- Decoded words for the scheduler.
        self.decoder0.word.next = self.decode_word0.val();
        self.decoder1.word.next = self.decode_word1.val();
        self.d0.d.next = self.decoder0.decoded.val();
        self.d1.d.next = self.decoder1.decoded.val();
        self.decode0.next = self.d0.q.val();
        self.decode1.next = self.d1.q.val();

        // ---- Launches: the warp's place in the grid, and INIT.
        self.launches.next = self.op_valid.val()
            & self.op_ready.val()
            & (self.op_code.val() == self.code_launch.val());
        self.csr.launch_valid.next = self.launches.val();
        self.csr.launch_warp.next = self.op_warp.val();
        self.csr.launch_block.next = self.op_block.val();
        self.csr.cta_number.next = self.cta_number.val();
        self.csr.cta_first.next = self.cta_first.val();
        self.csr.cta_warp.next = self.cta_warp.val();
        self.csr.cta_threads.next = self.cta_threads.val();
        self.csr.cta_x.next = self.cta_x.val();
        self.csr.cta_y.next = self.cta_y.val();
        self.csr.cta_z.next = self.cta_z.val();
        self.csr.grid_x.next = self.grid_x.val();
        self.csr.grid_y.next = self.grid_y.val();
        self.csr.grid_z.next = self.grid_z.val();
        self.csr.group_x.next = self.group_x.val();
        self.csr.group_y.next = self.group_y.val();
        self.csr.group_z.next = self.group_z.val();
        self.csr.grid_threads.next = self.grid_threads.val();
        self.inits.write_enable.next = self.launches.val();
        self.inits.write_address.next = self.init_tail.q.val();
        self.inits.write_data.next = self.op_warp.val();
        self.inits.read_address.next = self.init_head.q.val();
        self.init_next.next = self.init_count.q.val();
        if self.launches.val() {
            self.init_tail.d.next = self.init_tail.q.val() + self.one_place.val();
            self.init_next.next = self.init_next.val() + 1;
        }
        if self.sequencer.init_take.val() {
            self.init_head.d.next = self.init_head.q.val() + self.one_place.val();
            self.init_next.next = self.init_next.val() - 1;
        }
        self.init_count.d.next = self.init_next.val();

        // ---- H: the oldest instruction and its next pass.
        self.queue.issue_valid.next = self.issue_valid.val();
        self.queue.issue_warp.next = self.issue_warp.val();
        self.queue.issue_pc.next = self.issue_pc.val();
        self.queue.issue_mask.next = self.issue_mask.val();
        self.queue.issue_word.next = self.issue_word.val();
        self.queue.take.next = self.sequencer.take.val();
        self.of_head.word.next = self.queue.head_word.val();
        self.is_init.next = self.sequencer.is_init.val();
        self.head_warp.next = self.queue.head_warp.val();
        if self.is_init.val() {
            self.head_warp.next = self.inits.read_data.val();
        }
        self.blocks.read_address.next = self.queue.head_warp.val();
        self.block_left.next = self.blocks.read_data.val();
        self.in_block.next = self.block_left.val().any();
        self.sequencer.head_valid.next = self.queue.head_valid.val();
        self.sequencer.head_mask.next = self.queue.head_mask.val();
        self.sequencer.init_valid.next = self.init_count.q.val().any();
        self.sequencer.is_control.next = self.of_head.decoded.val().get_bit(3);
        self.sequencer.is_legal.next = self.of_head.legal.val();
        self.sequencer.is_mask.next = self.of_head.mask.val();
        self.sequencer.is_ballot.next = self.of_head.mask_kind.val() == 1;
        self.sequencer.is_counter.next = self.of_head.csr.val() & self.csr.is_counter.val();
        self.sequencer.is_auto.next = self.of_head.by_mode.val();
        self.sequencer.unit.next = self.of_head.unit.val();
        self.sequencer.leader.next = self.of_head.leader.val();
        self.sequencer.in_block.next = self.in_block.val();
        self.sequencer.dead.next = self
            .dead
            .q
            .val()
            .get_bit(self.queue.head_warp.val().index());
        self.sequencer.mul_ahead.next = self.x_valid.q.val()
            & (self.x_mode.q.val() == 0)
            & (self.of_pass.unit.val() == 1)
            & !self.x_empty.q.val();
        self.may_access.next = bit_cast::<6, 5>(self.slots_free.val()) > self.on_way.q.val();
        self.sequencer.memory_free.next = self.may_access.val();
        self.may_divide.next =
            self.divide.free.val() & !self.r_divides.q.val() & !self.x_divides.q.val();
        self.sequencer.divide_free.next = self.may_divide.val();
        self.sequencer.got_write.next = self.got_write.q.val();

        // ---- What is asked before: mask unit, counters (CORE-019), mode.
        self.csr.select_number.next = self.queue.head_word.val().get_bits::<12>(20);
        self.csr.select_warp.next = self.queue.head_warp.val();
        self.counter_select.next = self.csr.counter_select.val();
        self.masks.op_valid.next = (self.sequencer.asks.val()
            & (self.of_head.mask.val() | self.in_block.val()))
            | self.sequencer.init_take.val();
        self.masks.op_warp.next = self.head_warp.val();
        self.masks.op_kind.next = self.of_head.mask_kind.val();
        self.op_function.next = self.of_head.mask_function.val();
        if self.in_block.val() {
            self.masks.op_kind.next = self.kind_data.val();
        }
        if self.is_init.val() {
            self.masks.op_kind.next = self.kind_other.val();
            self.op_function.next = self.function_launch.val();
        }
        self.masks.op_function.next = self.op_function.val();
        self.masks.op_md.next = self.of_head.mask_md.val();
        self.masks.op_ma.next = self.of_head.mask_ma.val();
        self.masks.op_mb.next = self.of_head.mask_mb.val();
        self.masks.op_exec.next = self.queue.head_mask.val();
        self.masks.op_ballot.next = self.acc.q.val();
        self.masks.op_word.next = self.lead.q.val();
        if self.masks.result_valid.val() {
            self.got_set.d.next = self.masks.result_set.val();
            self.got_taken.d.next = self.masks.result_taken.val();
            self.got_mask.d.next = self.masks.result_mask.val();
            self.got_word.d.next = self.masks.result_word.val();
            self.got_write.d.next = self.masks.result_write.val();
        }
        if self.sequencer.catches.val() {
            self.got_counter.d.next = self.counter_value.val();
            self.got_auto.d.next = self.wavefront.answer_subvector.val();
        }
        self.blocks.write_enable.next = (self.sequencer.take.val()
            & !self.sequencer.ignores.val()
            & (self.in_block.val()
                | (self.of_head.mask.val() & (self.of_head.mask_kind.val() == 5))))
            | self.sequencer.init_take.val();
        self.blocks.write_address.next = self.head_warp.val();
        self.blocks.write_data.next = self.block_left.val() - 1;
        if !self.in_block.val() {
            self.blocks.write_data.next = self.of_head.mask_function.val() + 1;
        }
        if self.is_init.val() {
            self.blocks.write_data.next = self.no_level.val();
        }

        // ---- Rows: of the pass, and of a result of divider or load/store unit.
        self.w_next_warp.next = self.result_warp.val();
        self.w_next_part.next = self.result_part.val();
        self.w_next_rd.next = self.result_rd.val();
        if self.divide.result_valid.val() {
            self.w_next_warp.next = self.divide.result_warp.val();
            self.w_next_part.next = self.divide.result_part.val();
            self.w_next_rd.next = self.divide.result_rd.val();
        }
        self.base.next = self.no_rows.val();
        self.result_base.next = self.no_rows.val();
        for b in 0..WI {
            if self.head_warp.val().get_bit(b) {
                self.base.next =
                    self.base.val() + (self.wavefront.warp_rows.val() << self.warp_bit[b].val());
            }
            if self.w_next_warp.val().get_bit(b) {
                self.result_base.next =
                    self.result_base.val() + (self.rows.warp_rows.val() << self.warp_bit[b].val());
            }
        }
        self.wavefront.cfg_threshold.next = self.cfg_threshold.val();
        self.wavefront.cfg_force.next = self.cfg_force.val();
        self.wavefront.cfg_lanes.next = self.lane_bits.val();
        self.wavefront.cfg_shared_from.next = self.cfg_shared_from.val();
        self.wavefront.access_valid.next = self.cache_valid.val();
        self.wavefront.access_miss.next = self.cache_miss.val();
        self.wavefront.access_regular.next = self.regular.val();
        self.wavefront.ask_valid.next = self.sequencer.asks.val() & self.of_head.by_mode.val();
        self.wavefront.map_valid.next = self.sequencer.pass_valid.val();
        self.wavefront.map_uses.next = self.five_uses.val();
        self.wavefront.map_subvector.next = self.regular.val();
        self.lane_part.next = bit_cast::<I, PB>(self.sequencer.pass_part.val());
        self.wavefront.map_part.next = self.lane_part.val();
        self.wavefront.map_base.next = self.base.val();
        self.wavefront.map_rs1.next = self.queue.head_word.val().get_bits::<5>(15);
        self.wavefront.map_rs2.next = self.queue.head_word.val().get_bits::<5>(20);
        self.wavefront.map_rd.next = self.queue.head_word.val().get_bits::<5>(7);
        if self.is_init.val() {
            self.wavefront.map_rd.next = self.sequencer.pass_register.val();
        }

        // ---- To R.
        self.uses_units.next = !self.sequencer.pass_empty.val();
        self.r_valid.d.next = self.sequencer.pass_valid.val();
        self.r_mode.d.next = self.sequencer.pass_mode.val();
        self.r_first.d.next = self.sequencer.pass_first.val();
        self.r_last.d.next = self.sequencer.pass_last.val();
        self.r_part.d.next = self.sequencer.pass_part.val();
        self.r_mask.d.next = self.sequencer.pass_mask.val();
        self.r_empty.d.next = self.sequencer.pass_empty.val();
        self.r_blocked.d.next = self.sequencer.pass_blocked.val();
        self.r_divides.d.next = self.sequencer.pass_valid.val()
            & (self.sequencer.pass_mode.val() == 0)
            & (self.of_head.unit.val() == 3)
            & self.uses_units.val();
        self.r_register.d.next = self.sequencer.pass_register.val();
        self.r_warp.d.next = self.head_warp.val();
        self.r_pc.d.next = self.queue.head_pc.val();
        self.r_active.d.next = self.queue.head_mask.val();
        self.r_word.d.next = self.queue.head_word.val();

        // ---- R: rows are addressed; the word that all lanes share.
        self.csr.number.next = self.r_word.q.val().get_bits::<12>(20);
        self.csr.warp.next = self.r_warp.q.val();
        self.csr.active.next = self.r_active.q.val();
        self.csr.counter.next = self.got_counter.q.val();
        self.init_value.next = self.zero.val();
        self.init_lane.next = false;
        if self.r_register.q.val() == self.register_sp.val() {
            self.init_value.next = self.stack_top.val();
        }
        if self.r_register.q.val() == self.register_a0.val() {
            self.init_value.next = self.csr.first.val();
            self.init_lane.next = true;
        }
        if self.r_register.q.val() == self.register_a1.val() {
            self.init_value.next = self.grid_threads.val();
        }
        if self.r_register.q.val() == self.register_a2.val() {
            self.init_value.next = self.arguments.val();
        }
        self.x_valid.d.next = self.r_valid.q.val();
        self.x_mode.d.next = self.r_mode.q.val();
        self.x_first.d.next = self.r_first.q.val();
        self.x_last.d.next = self.r_last.q.val();
        self.x_part.d.next = self.r_part.q.val();
        self.x_mask.d.next = self.r_mask.q.val();
        self.x_empty.d.next = self.r_empty.q.val();
        self.x_blocked.d.next = self.r_blocked.q.val();
        self.x_divides.d.next = self.r_divides.q.val();
        self.x_register.d.next = self.r_register.q.val();
        self.x_warp.d.next = self.r_warp.q.val();
        self.x_pc.d.next = self.r_pc.q.val();
        self.x_active.d.next = self.r_active.q.val();
        self.x_word.d.next = self.r_word.q.val();
        self.x_row.d.next = self.wavefront.row_rd.val().get_bits::<RA>(0);
        self.x_scalar.d.next = self.csr.value.val();
        self.x_adds_lane.d.next = self.csr.adds_lane.val();
        self.x_is_level.d.next = self.csr.is_level.val();
        self.x_exists.d.next = self.csr.exists.val();
        if self.r_mode.q.val() == 3 {
            self.x_scalar.d.next = self.init_value.val();
            self.x_adds_lane.d.next = self.init_lane.val();
            self.x_is_level.d.next = false;
        }

        // ---- X: operands.
        self.of_pass.word.next = self.x_word.q.val();
        self.final_x.next = self.x_valid.q.val() & (self.x_mode.q.val() == 0);
        self.x_uses1.next = self.of_pass.decoded.val().get_bit(16);
        self.x_uses2.next = self.of_pass.decoded.val().get_bit(22);
        self.byte_pc.next = bit_cast::<32, 22>(self.x_pc.q.val()) << self.two.val();
        self.link.next = self.byte_pc.val() + 4;
        self.jump.next = self.byte_pc.val() + self.of_pass.imm.val();
        self.target.next = self.jump.val();
        if self.of_pass.leader.val() == 1 {
            self.target.next = self.lead.q.val();
        }
        self.scalar_b.next = self.of_pass.imm.val();
        self.takes_b.next = self.of_pass.b_imm.val();
        if self.of_pass.csr.val() | (self.x_mode.q.val() == 3) {
            self.scalar_b.next = self.x_scalar.q.val();
            self.takes_b.next = true;
        }
        if self.of_pass.mask.val()
            & (self.of_pass.mask_kind.val() == 3)
            & (self.x_mode.q.val() != 3)
        {
            self.scalar_b.next = self.got_word.q.val();
            self.takes_b.next = true;
        }
        if self.of_pass.leader.val() == 1 {
            self.takes_b.next = true;
        }
        self.part_base.next = bit_cast::<32, PB>(self.x_part.q.val()) << self.lane_bits.val();
        self.part_number.next = bit_cast::<7, PB>(self.x_part.q.val()) << self.lane_bits.val();
        self.csr_writes.next = (self.x_word.q.val().get_bits::<2>(12) == 1)
            | self.x_word.q.val().get_bits::<5>(15).any();
        self.csr_bad.next =
            !self.x_exists.q.val() | (self.csr_writes.val() & !self.x_is_level.q.val());
        self.sets_level.next = self.final_x.val()
            & self.of_pass.csr.val()
            & self.x_is_level.q.val()
            & self.csr_writes.val();
        self.negative.next = self.no_lanes.val() - self.x_mask.q.val();
        self.lowest.next = self.x_mask.q.val() & self.negative.val();
        self.leader_sum.next = self.zero.val();
        self.leader_other.next = self.zero.val();
        self.leader_level.next = self.no_level.val();
        self.taken_bits.next = self.no_lanes.val();
        for i in 0..L {
            self.first[i].clock.next = self.clock.val();
            self.second[i].clock.next = self.clock.val();
            self.times[i].clock.next = self.clock.val();
            self.levels[i].clock.next = self.clock.val();
            self.first[i].read_address.next = self.wavefront.row_rs1.val().get_bits::<RA>(0);
            self.second[i].read_address.next = self.wavefront.row_rs2.val().get_bits::<RA>(0);
            self.rs1[i].next = self.zero.val();
            if self.x_uses1.val() {
                self.rs1[i].next = self.first[i].read_data.val();
            }
            self.rs2[i].next = self.zero.val();
            if self.x_uses2.val() {
                self.rs2[i].next = self.second[i].read_data.val();
            }
            self.number[i].next = self.part_base.val() | self.lane_number[i].val();

            // Levels (CORE-019).
            self.levels[i].read_address.next = (bit_cast::<LA, WI>(self.x_warp.q.val())
                << self.place_bits.val())
                | bit_cast::<LA, PB>(self.x_part.q.val());
            self.levels[i].write_address.next = (bit_cast::<LA, WI>(self.x_warp.q.val())
                << self.place_bits.val())
                | bit_cast::<LA, PB>(self.x_part.q.val());
            self.level[i].next = self.levels[i].read_data.val();
            self.operand[i].next = self.rs1[i].val().get_bits::<4>(0);
            if self.x_word.q.val().get_bit(14) {
                self.operand[i].next = self.x_word.q.val().get_bits::<4>(15);
            }
            self.new_level[i].next = self.operand[i].val();
            if self.x_word.q.val().get_bit(13) {
                self.new_level[i].next = self.level[i].val() | self.operand[i].val();
                if self.x_word.q.val().get_bit(12) {
                    self.new_level[i].next = self.level[i].val() & !self.operand[i].val();
                }
            }
            self.levels[i].write_enable.next = (self.sets_level.val()
                & self.x_mask.q.val().get_bit(i))
                | (self.x_valid.q.val() & (self.x_mode.q.val() == 3));
            self.levels[i].write_data.next = self.new_level[i].val();
            if self.x_mode.q.val() == 3 {
                self.levels[i].write_data.next = self.no_level.val();
            }

            // The lane.
            self.lanes[i].alu.next = self.of_pass.alu.val();
            self.lanes[i].a.next = self.rs1[i].val();
            if self.of_pass.a_pc.val() {
                self.lanes[i].a.next = self.byte_pc.val();
            }
            self.one_level.next = self.level[i].val();
            if self.of_pass.csr.val() {
                self.lanes[i].a.next = self.zero.val();
                if self.x_is_level.q.val() {
                    self.lanes[i].a.next = bit_cast::<32, 4>(self.one_level.val());
                }
            }
            if self.x_mode.q.val() == 3 {
                self.lanes[i].alu.next = self.no_level.val();
                self.lanes[i].a.next = self.zero.val();
            }
            if self.x_adds_lane.q.val() & (self.of_pass.csr.val() | (self.x_mode.q.val() == 3)) {
                self.lanes[i].a.next = self.number[i].val();
            }
            self.lanes[i].b.next = self.rs2[i].val();
            if self.takes_b.val() {
                self.lanes[i].b.next = self.scalar_b.val();
            }
            self.lanes[i].x.next = self.rs1[i].val();
            self.lanes[i].y.next = self.rs2[i].val();
            self.lanes[i].compare.next = self.x_word.q.val().get_bits::<3>(12);
            self.value[i].next = self.lanes[i].result.val();
            if self.of_pass.links.val() & (self.x_mode.q.val() != 3) {
                self.value[i].next = self.link.val();
            }
            self.times[i].a.next = self.rs1[i].val();
            self.times[i].b.next = self.rs2[i].val();
            self.times[i].code.next = self.of_pass.alu.val().get_bits::<2>(0);
            self.pack_address.words[i].next = self.lanes[i].sum.val();
            self.pack_first.words[i].next = self.rs1[i].val();
            self.pack_second.words[i].next = self.rs2[i].val();

            // What it says of its thread.
            if self.lowest.val().get_bit(i) {
                self.leader_sum.next = self.leader_sum.val() | self.lanes[i].sum.val();
                self.leader_other.next = self.leader_other.val() | self.rs2[i].val();
                self.leader_level.next = self.leader_level.val() | self.new_level[i].val();
            }
            if self.x_mask.q.val().get_bit(i) {
                if self.of_pass.condition.val() == 1 {
                    self.taken_bits.next = self.taken_bits.val().replace_bit(i, true);
                }
                if (self.of_pass.condition.val() == 2) & self.lanes[i].nonzero.val() {
                    self.taken_bits.next = self.taken_bits.val().replace_bit(i, true);
                }
                if (self.of_pass.condition.val() == 3) & !self.lanes[i].nonzero.val() {
                    self.taken_bits.next = self.taken_bits.val().replace_bit(i, true);
                }
                if (self.of_pass.condition.val() == 4) & self.lanes[i].holds.val() {
                    self.taken_bits.next = self.taken_bits.val().replace_bit(i, true);
                }
                if (self.of_pass.condition.val() == 5) & self.rs1[i].val().get_bit(0) {
                    self.taken_bits.next = self.taken_bits.val().replace_bit(i, true);
                }
                if (self.of_pass.condition.val() == 6)
                    & (self.lanes[i].sum.val().get_bits::<31>(1)
                        == self.lead.q.val().get_bits::<31>(1))
                {
                    self.taken_bits.next = self.taken_bits.val().replace_bit(i, true);
                }
            }
        }
        self.leader_word.next = self.leader_other.val();
        if self.of_pass.leader.val() == 1 {
            self.leader_word.next = self.leader_sum.val();
            // A mask word keeps its lowest bit; that of an address does not count.
            if !self.of_pass.mask.val() {
                self.leader_word.next = self.leader_sum.val() & self.even.val();
            }
        }
        if self.x_valid.q.val() & (self.x_mode.q.val() == 1) {
            self.lead.d.next = self.leader_word.val();
        }

        // ---- X: what the passes have collected.
        self.wide_bits.next = bit_cast::<W, L>(self.taken_bits.val());
        self.wide_mask.next = bit_cast::<W, L>(self.x_mask.q.val());
        self.placed.next = self.wide_bits.val() << self.part_number.val();
        self.placed_mask.next = self.wide_mask.val() << self.part_number.val();
        self.old_acc.next = self.acc.q.val();
        if self.x_first.q.val() {
            self.old_acc.next = self.no_threads.val();
        }
        self.new_acc.next = self.old_acc.val() | self.placed.val();
        if self.x_valid.q.val() & ((self.x_mode.q.val() == 0) | (self.x_mode.q.val() == 2)) {
            self.acc.d.next = self.new_acc.val();
        }

        // ---- X: what a control instruction turned out to be; there are no call tokens (DATA-045).
        self.some_acc.next = self.new_acc.val().any();
        self.some_active.next = self.x_active.q.val().any();
        self.is_jal.next = self.of_pass.links.val() & (self.of_pass.leader.val() == 0);
        self.illegal.next = !self.of_pass.legal.val() | self.x_blocked.q.val();
        self.is_nop.next = !self.some_active.val() & !self.of_pass.mask.val() & !self.is_jal.val();
        self.goes_there.next =
            self.of_pass.has_target.val() & (self.some_acc.val() | self.is_jal.val());
        if self.of_pass.mask.val() {
            self.goes_there.next = self.of_pass.has_target.val() & self.got_taken.q.val();
        }
        self.low_bad.next = self.target.val().get_bits::<2>(0).any();
        self.high_bad.next = self.target.val().get_bits::<8>(24).any();
        self.bad.next = self.goes_there.val() & (self.low_bad.val() | self.high_bad.val());
        self.control_ends.next =
            self.final_x.val() & self.x_last.q.val() & self.of_pass.decoded.val().get_bit(3);
        if self.x_blocked.q.val() {
            self.control_ends.next = self.final_x.val() & self.x_last.q.val();
        }
        self.x_cause.next = 4.into();
        self.x_address.next = self.x_word.q.val();
        self.control_fault.next = self.illegal.val();
        if !self.illegal.val() {
            if self.bad.val() {
                self.control_fault.next = true;
                self.x_address.next = self.target.val();
                self.x_cause.next = 6.into();
                if self.low_bad.val() {
                    self.x_cause.next = 5.into();
                }
            }
            if self.of_pass.breakpoint.val() & self.some_active.val() {
                self.control_fault.next = true;
                self.x_cause.next = 7.into();
                self.x_address.next = self.byte_pc.val();
            }
        }
        self.push_op.next = self.of_pass.op.val();
        self.push_kind.next = self.of_pass.kind.val();
        self.push_mask.next = self.new_acc.val();
        if self.of_pass.by_mode.val() & !self.got_auto.q.val() {
            self.push_op.next = self.op_push.val();
            self.push_kind.next = self.kind_sync.val();
        }
        if self.of_pass.mask.val() {
            self.push_op.next = self.op_next.val();
            if self.got_set.q.val() {
                self.push_op.next = self.op_mask.val();
                self.push_kind.next = self.kind_set.val();
                self.push_mask.next = self.got_mask.q.val();
            }
            if self.got_taken.q.val() {
                self.push_op.next = self.op_mask.val();
                self.push_kind.next = self.kind_jump.val();
            }
        }
        if self.is_nop.val() {
            self.push_op.next = self.op_next.val();
        }
        if self.is_jal.val() & !self.some_active.val() {
            self.push_op.next = self.op_mask.val();
            self.push_kind.next = self.kind_jump.val();
        }
        self.control.push_valid.next = self.control_ends.val() & !self.control_fault.val();
        self.control.push_warp.next = self.x_warp.q.val();
        self.control.push_op.next = self.push_op.val();
        self.control.push_kind.next = self.push_kind.val();
        self.control.push_mask.next = self.push_mask.val();
        self.control.push_target.next = self.target.val().get_bits::<22>(2);
        self.control.push_pc.next = self.x_pc.q.val();
        self.control.push_active.next = self.x_active.q.val();
        self.control.push_id.next = self.x_word.q.val().get_bits::<3>(7);
        self.control.push_word.next = self.lead.q.val();
        self.control.begin_valid.next = self.sequencer.init_take.val();
        self.control.begin_warp.next = self.head_warp.val();
        self.control.dead.next = self.dead.q.val();
        // The fault of a late write comes behind the end of its write.
        self.late.d.next = self.pending.val();
        self.later.d.next = self.late.q.val();
        self.latest.d.next = self.later.q.val();
        self.last_late.d.next = self.latest.q.val();
        self.lately.next = self.pending.val()
            | self.late.q.val()
            | self.later.q.val()
            | self.latest.q.val()
            | self.last_late.q.val();
        if self.access_fault_valid.val() {
            self.lately.next = !self.no_warps.val();
        }
        self.control.pending.next = self.lately.val();
        self.control.retire_valid.next = self.retire_valid.val();
        self.control.retire_warp.next = self.retire_warp.val();
        self.control.exception_valid.next =
            self.exception_valid.val() & (self.exception_cause.val() != self.cause_recenter.val());
        self.control.exception_warp.next = self.exception_warp.val();
        self.resolve_valid.next = self.control.resolve_valid.val();
        self.control.resolve_ready.next = self.resolve_ready.val();
        self.resolve_warp.next = self.control.resolve_warp.val();
        self.resolve_op.next = self.control.resolve_op.val();
        self.resolve_kind.next = self.control.resolve_kind.val();
        self.resolve_mask.next = self.control.resolve_mask.val();
        self.resolve_target.next = self.control.resolve_target.val();
        self.resolve_pc.next = self.control.resolve_pc.val();
        self.resolve_active.next = self.control.resolve_active.val();
        self.resolve_id.next = self.control.resolve_id.val();
        self.resolve_word.next = self.control.resolve_word.val();

        // ---- Faults. One that is found here is held until the accesses before it are over: theirs goes before it.
        self.x_dead.next = self.dead.q.val().get_bit(self.x_warp.q.val().index());
        self.csr_fault.next = self.final_x.val()
            & self.of_pass.csr.val()
            & self.csr_bad.val()
            & self.x_first.q.val()
            & self.x_mask.q.val().any();
        self.x_fault.next = ((self.control_ends.val() & self.control_fault.val())
            | self.csr_fault.val())
            & !self.x_dead.val();
        self.faulter.bits.next = self.x_active.q.val();
        if self.bad.val() & !self.illegal.val() & !self.of_pass.mask.val() {
            self.faulter.bits.next = self.new_acc.val();
        }
        if self.csr_fault.val() {
            self.faulter.bits.next = self.placed_mask.val();
        }
        // That of an access is held, too, and gives way to one of an earlier instruction or a lower thread;
        // one that was found here gives way to any.
        self.held_read.next = self.held_first.place.val();
        if self.access_fault_valid.val() {
            self.held_read.next = self.access_fault_warp.val();
        }
        self.ahead.next = self.access_fault_number.val() - self.held_numbers.read_data.val();
        self.goes_before.next = self.held_found.read_data.val().any()
            | self.ahead.val().get_bit(15)
            | (!self.ahead.val().any()
                & (self.access_fault_thread.val() < self.held_threads.read_data.val()));
        self.access_fault_ready.next = !self.x_fault.val();
        self.access_fault.next = self.access_fault_valid.val()
            & !self.x_fault.val()
            & (!self
                .dead
                .q
                .val()
                .get_bit(self.access_fault_warp.val().index())
                | (self
                    .held
                    .q
                    .val()
                    .get_bit(self.access_fault_warp.val().index())
                    & self.goes_before.val()));
        self.held_written.next = self.access_fault_warp.val();
        self.held_threads.write_data.next = self.access_fault_thread.val();
        self.held_pcs.write_data.next = self.access_fault_pc.val();
        self.held_causes.write_data.next = self.access_fault_cause.val();
        self.held_addresses.write_data.next = self.access_fault_address.val();
        self.held_numbers.write_data.next = self.access_fault_number.val();
        if self.x_fault.val() {
            self.held_written.next = self.x_warp.q.val();
            self.held_threads.write_data.next = bit_cast::<6, I>(self.faulter.place.val());
            self.held_pcs.write_data.next = self.x_pc.q.val();
            self.held_causes.write_data.next = self.x_cause.val();
            self.held_addresses.write_data.next = self.x_address.val();
        }
        self.held_found.write_data.next = self.x_fault.val().into();
        self.held_threads.write_enable.next = self.x_fault.val() | self.access_fault.val();
        self.held_pcs.write_enable.next = self.x_fault.val() | self.access_fault.val();
        self.held_causes.write_enable.next = self.x_fault.val() | self.access_fault.val();
        self.held_addresses.write_enable.next = self.x_fault.val() | self.access_fault.val();
        self.held_numbers.write_enable.next = self.x_fault.val() | self.access_fault.val();
        self.held_found.write_enable.next = self.x_fault.val() | self.access_fault.val();
        self.held_threads.write_address.next = self.held_written.val();
        self.held_pcs.write_address.next = self.held_written.val();
        self.held_causes.write_address.next = self.held_written.val();
        self.held_addresses.write_address.next = self.held_written.val();
        self.held_numbers.write_address.next = self.held_written.val();
        self.held_found.write_address.next = self.held_written.val();
        self.held_threads.read_address.next = self.held_read.val();
        self.held_pcs.read_address.next = self.held_read.val();
        self.held_causes.read_address.next = self.held_read.val();
        self.held_addresses.read_address.next = self.held_read.val();
        self.held_numbers.read_address.next = self.held_read.val();
        self.held_found.read_address.next = self.held_read.val();
        // With nothing at its port the load/store unit holds no fault of an access that is over.
        self.held_first.bits.next = self.held.q.val() & !self.lately.val();
        self.shows_held.next = self.held_first.any.val()
            & !self.a_valid.q.val()
            & !self.complete_valid.val()
            & !self.access_fault_valid.val();
        self.f_valid.d.next = self.shows_held.val();
        self.f_warp.d.next = self.held_first.place.val();
        self.f_thread.d.next = self.held_threads.read_data.val();
        self.f_pc.d.next = self.held_pcs.read_data.val();
        self.f_cause.d.next = self.held_causes.read_data.val();
        self.f_address.d.next = self.held_addresses.read_data.val();
        self.control.fault_valid.next = self.shows_held.val();
        self.control.fault_warp.next = self.held_first.place.val();
        self.control.fault_pc.next = self.held_pcs.read_data.val();
        self.control.fault_cause.next = self.held_causes.read_data.val();
        self.kills.next = self.no_warps.val();
        self.ends_held.next = self.no_warps.val();
        if self.shows_held.val() {
            self.ends_held.next = self.one_warp.val() << self.held_first.place.val();
        }
        self.held_next.next = self.held.q.val();
        if self.x_fault.val() | self.access_fault.val() {
            self.kills.next = self.one_warp.val() << self.held_written.val();
            self.held_next.next =
                self.held.q.val() | (self.one_warp.val() << self.held_written.val());
        }
        if self.exception_valid.val() & (self.exception_cause.val() != self.cause_recenter.val()) {
            self.kills.next = self.kills.val() | (self.one_warp.val() << self.exception_warp.val());
            self.ends_held.next =
                self.ends_held.val() | (self.one_warp.val() << self.exception_warp.val());
        }
        self.held.d.next = self.held_next.val() & !self.ends_held.val();
        self.revives.next = self.no_warps.val();
        if self.sequencer.init_take.val() {
            self.revives.next = self.one_warp.val() << self.head_warp.val();
        }
        self.dead.d.next = (self.dead.q.val() & !self.revives.val()) | self.kills.val();

        // ---- X: to multiplier, divider, load/store unit, scheduler.
        // Without threads there is no product, and the port may be another row's (DATA-016, DATA-022).
        self.m1_valid.d.next = self.final_x.val()
            & !self.x_empty.q.val()
            & (self.of_pass.unit.val() == 1)
            & self.of_pass.decoded.val().get_bit(10);
        self.m1_warp.d.next = self.x_warp.q.val();
        self.m1_part.d.next = self.x_part.q.val();
        self.m1_rd.d.next = self.of_pass.decoded.val().get_bits::<5>(5);
        self.m1_mask.d.next = self.x_mask.q.val();
        self.m1_row.d.next = self.x_row.q.val();
        self.m2_valid.d.next = self.m1_valid.q.val();
        self.m2_warp.d.next = self.m1_warp.q.val();
        self.m2_part.d.next = self.m1_part.q.val();
        self.m2_rd.d.next = self.m1_rd.q.val();
        self.m2_mask.d.next = self.m1_mask.q.val();
        self.m2_row.d.next = self.m1_row.q.val();
        self.divide.pass_valid.next = self.x_divides.q.val();
        self.divide.pass_first.next = self.x_first.q.val();
        self.divide.pass_last.next = self.x_last.q.val();
        self.divide.pass_warp.next = self.x_warp.q.val();
        self.divide.pass_part.next = self.x_part.q.val();
        self.divide.pass_rd.next = self.of_pass.decoded.val().get_bits::<6>(5);
        self.divide.pass_code.next = self.of_pass.alu.val().get_bits::<2>(0);
        self.divide.pass_mask.next = self.x_mask.q.val();
        self.divide.a.next = self.pack_first.row.val();
        self.divide.b.next = self.pack_second.row.val();
        self.a_valid.d.next = (self.a_valid.q.val() & !self.access_ready.val())
            | (self.final_x.val() & (self.of_pass.unit.val() == 2) & !self.x_empty.q.val());
        if self.final_x.val() {
            self.a_warp.d.next = self.x_warp.q.val();
            self.a_part.d.next = self.x_part.q.val();
            self.a_pc.d.next = self.x_pc.q.val();
            self.a_first.d.next = self.x_first.q.val();
            self.a_last.d.next = self.x_last.q.val();
            self.a_op.d.next = self.of_pass.access_op.val();
            self.a_size.d.next = self.of_pass.access_size.val();
            self.a_signed.d.next = self.of_pass.access_signed.val();
            self.a_rd.d.next = self.of_pass.decoded.val().get_bits::<6>(5);
            self.a_mask.d.next = self.x_mask.q.val();
            // What was begun behind a fault accesses nothing, so that no fault of its own goes before that one.
            if self.x_dead.val() {
                self.a_mask.d.next = self.no_lanes.val();
            }
            self.a_address.d.next = self.pack_address.row.val();
            self.a_data.d.next = self.pack_second.row.val();
        }
        self.access_valid.next = self.a_valid.q.val();
        self.access_warp.next = self.a_warp.q.val();
        self.access_part.next = self.a_part.q.val();
        self.access_pc.next = self.a_pc.q.val();
        self.access_first.next = self.a_first.q.val();
        self.access_last.next = self.a_last.q.val();
        self.access_op.next = self.a_op.q.val();
        self.access_size.next = self.a_size.q.val();
        self.access_signed.next = self.a_signed.q.val();
        self.access_uses_rd.next = self.a_rd.q.val().get_bit(5);
        self.access_rd.next = self.a_rd.q.val().get_bits::<5>(0);
        self.access_mask.next = self.a_mask.q.val();
        self.access_address.next = self.a_address.q.val();
        self.access_data.next = self.a_data.q.val();
        self.starts_access.next = self.sequencer.pass_valid.val()
            & (self.sequencer.pass_mode.val() == 0)
            & self.sequencer.pass_first.val()
            & (self.of_head.unit.val() == 2)
            & self.uses_units.val();
        self.sends_access.next =
            self.a_valid.q.val() & self.access_ready.val() & self.a_last.q.val();
        self.next_way.next = self.on_way.q.val();
        if self.starts_access.val() {
            self.next_way.next = self.next_way.val() + 1;
        }
        if self.sends_access.val() {
            self.next_way.next = self.next_way.val() - 1;
        }
        self.on_way.d.next = self.next_way.val();
        self.p_valid.d.next = self.sets_level.val()
            & self.x_first.q.val()
            & self.x_mask.q.val().any()
            & !self.csr_bad.val();
        self.p_warp.d.next = self.x_warp.q.val();
        self.p_level.d.next = self.leader_level.val();
        self.program_valid.next = self.p_valid.q.val();
        self.program_warp.next = self.p_warp.q.val();
        self.program_level.next = self.p_level.q.val();
        // Early enough that the queue need not stand (SM-011, DATA-011, DATA-015).
        self.unit_ready.next = 0.into();
        if self.queue.room.val() {
            self.unit_ready.next = 19.into();
            if self.may_access.val() {
                self.unit_ready.next = self.unit_ready.val() | 4;
            }
            if self.may_divide.val() {
                self.unit_ready.next = self.unit_ready.val() | 8;
            }
        }

        // ---- To B: lanes or multiplier.
        self.from_lanes.next = (self.final_x.val()
            & (self.of_pass.unit.val() == 0)
            & self.of_pass.decoded.val().get_bit(10)
            & !self.illegal.val()
            & !self.bad.val()
            & (!self.of_pass.csr.val() | !self.csr_bad.val()))
            | (self.x_valid.q.val() & (self.x_mode.q.val() == 3));
        self.b_next.next = self.from_lanes.val() | self.m2_valid.q.val();
        self.b_valid.d.next = self.b_next.val();
        self.b_shown.d.next = self.x_mode.q.val() != 3;
        self.b_warp.d.next = self.x_warp.q.val();
        self.b_part.d.next = self.x_part.q.val();
        self.b_rd.d.next = self.of_pass.decoded.val().get_bits::<5>(5);
        self.b_mask.d.next = self.x_mask.q.val();
        if self.of_pass.condition.val() == 6 {
            self.b_mask.d.next = self.taken_bits.val();
        }
        if self.x_mode.q.val() == 3 {
            self.b_mask.d.next = self.x_mask.q.val();
        }
        self.b_row.d.next = self.x_row.q.val();
        if self.m2_valid.q.val() {
            self.b_shown.d.next = true;
            self.b_warp.d.next = self.m2_warp.q.val();
            self.b_part.d.next = self.m2_part.q.val();
            self.b_rd.d.next = self.m2_rd.q.val();
            self.b_mask.d.next = self.m2_mask.q.val();
            self.b_row.d.next = self.m2_row.q.val();
        }
        for i in 0..L {
            self.b_data[i].clock.next = self.clock.val();
            self.b_data[i].d.next = self.value[i].val();
            if self.m2_valid.q.val() {
                self.b_data[i].d.next = self.times[i].result.val();
            }
        }

        // ---- To W: divider or load/store unit, when lanes and multiplier leave the port.
        self.divide_takes.next = self.divide.result_valid.val() & !self.b_next.val();
        self.divide.result_ready.next = self.divide_takes.val();
        self.memory_takes.next =
            self.result_valid.val() & !self.b_next.val() & !self.divide.result_valid.val();
        self.result_ready.next = !self.b_next.val() & !self.divide.result_valid.val();
        self.w_next.next = self.divide_takes.val() | self.memory_takes.val();
        self.w_valid.d.next = self.w_next.val();
        self.w_warp.d.next = self.w_next_warp.val();
        self.w_part.d.next = self.w_next_part.val();
        self.w_rd.d.next = self.w_next_rd.val();
        self.w_mask.d.next = self.result_mask.val();
        self.w_data.d.next = self.result_data.val();
        if self.divide.result_valid.val() {
            self.w_mask.d.next = self.divide.result_mask.val();
            self.w_data.d.next = self.divide.result_data.val();
        }

        self.rows.cfg_threshold.next = self.cfg_threshold.val();
        self.rows.cfg_force.next = self.cfg_force.val();
        self.rows.cfg_lanes.next = self.lane_bits.val();
        self.rows.cfg_shared_from.next = self.cfg_shared_from.val();
        self.rows.access_valid.next = false;
        self.rows.access_miss.next = false;
        self.rows.access_regular.next = false;
        self.rows.ask_valid.next = false;
        self.rows.map_valid.next = self.w_next.val();
        self.rows.map_uses.next = self.five_uses.val();
        self.rows.map_subvector.next = self.regular.val();
        self.rows.map_base.next = self.result_base.val();
        self.result_part_number.next = bit_cast::<I, PB>(self.w_next_part.val());
        self.rows.map_part.next = self.result_part_number.val();
        self.rows.map_rs1.next = self.w_next_rd.val();
        self.rows.map_rs2.next = self.w_next_rd.val();
        self.rows.map_rd.next = self.w_next_rd.val();

        // ---- B: the row is written.
        self.result_row.next = self.rows.row_rd.val().get_bits::<RA>(0);
        for i in 0..L {
            self.first[i].write_enable.next = (self.b_valid.q.val()
                & self.b_mask.q.val().get_bit(i))
                | (self.w_valid.q.val() & self.w_mask.q.val().get_bit(i));
            self.second[i].write_enable.next = (self.b_valid.q.val()
                & self.b_mask.q.val().get_bit(i))
                | (self.w_valid.q.val() & self.w_mask.q.val().get_bit(i));
            self.row_word[i].next = self.w_data.q.val().get_bits::<32>(32 * i);
            self.first[i].write_address.next = self.result_row.val();
            self.second[i].write_address.next = self.result_row.val();
            if self.b_valid.q.val() {
                self.row_word[i].next = self.b_data[i].q.val();
                self.first[i].write_address.next = self.b_row.q.val();
                self.second[i].write_address.next = self.b_row.q.val();
            }
            self.first[i].write_data.next = self.row_word[i].val();
            self.second[i].write_data.next = self.row_word[i].val();
            self.pack_write.words[i].next = self.row_word[i].val();
        }
        self.write_valid.next = self.w_valid.q.val();
        self.write_warp.next = self.w_warp.q.val();
        self.write_part.next = self.w_part.q.val();
        self.write_rd.next = self.w_rd.q.val();
        self.write_mask.next = self.w_mask.q.val();
        if self.b_valid.q.val() {
            self.write_valid.next = self.b_shown.q.val() & self.b_mask.q.val().any();
            self.write_warp.next = self.b_warp.q.val();
            self.write_part.next = self.b_part.q.val();
            self.write_rd.next = self.b_rd.q.val();
            self.write_mask.next = self.b_mask.q.val();
        }
        self.write_data.next = self.pack_write.row.val();

        // ---- Instructions that are done: of the lanes in H, of the multiplier in X;
        // then those of the divider and the load/store unit.
        self.h_rd.next = self.of_head.decoded.val().get_bits::<6>(5);
        self.h_done.next = self.sequencer.take.val()
            & (self.sequencer.ignores.val()
                | (self.of_head.unit.val() == 0)
                | self.sequencer.pass_empty.val());
        self.x_done.next = self.final_x.val()
            & self.x_last.q.val()
            & (self.of_pass.unit.val() == 1)
            & !self.x_empty.q.val();
        self.pipe_done.next = self.h_done.val() | self.x_done.val();
        self.pipe_warp.next = self.queue.head_warp.val();
        self.pipe_rd.next = self.h_rd.val();
        if self.x_done.val() {
            self.pipe_warp.next = self.x_warp.q.val();
            self.pipe_rd.next = self.of_pass.decoded.val().get_bits::<6>(5);
        }
        self.divide_done.next = self.divide.complete_valid.val()
            & !(self.pipe_done.val()
                & (self.pipe_warp.val().get_bit(0) == self.divide.complete_warp.val().get_bit(0)));
        self.divide.complete_ready.next = self.divide_done.val();
        self.memory_done.next = self.complete_valid.val()
            & !(self.pipe_done.val()
                & (self.pipe_warp.val().get_bit(0) == self.complete_warp.val().get_bit(0)))
            & !(self.divide.complete_valid.val()
                & (self.divide.complete_warp.val().get_bit(0)
                    == self.complete_warp.val().get_bit(0)));
        self.complete_ready.next = self.memory_done.val();
        self.done0_valid.next = false;
        self.done0_warp.next = self.pipe_warp.val();
        self.done0_rd.next = self.pipe_rd.val();
        self.done1_valid.next = false;
        self.done1_warp.next = self.pipe_warp.val();
        self.done1_rd.next = self.pipe_rd.val();
        self.memory_rd.next = bit_cast::<6, 5>(self.complete_rd.val());
        if self.complete_uses_rd.val() {
            self.memory_rd.next = self.memory_rd.val() | 32;
        }
        if self.memory_done.val() {
            if self.complete_warp.val().get_bit(0) {
                self.done1_valid.next = true;
                self.done1_warp.next = self.complete_warp.val();
                self.done1_rd.next = self.memory_rd.val();
            } else {
                self.done0_valid.next = true;
                self.done0_warp.next = self.complete_warp.val();
                self.done0_rd.next = self.memory_rd.val();
            }
        }
        if self.divide_done.val() {
            if self.divide.complete_warp.val().get_bit(0) {
                self.done1_valid.next = true;
                self.done1_warp.next = self.divide.complete_warp.val();
                self.done1_rd.next = self.divide.complete_rd.val();
            } else {
                self.done0_valid.next = true;
                self.done0_warp.next = self.divide.complete_warp.val();
                self.done0_rd.next = self.divide.complete_rd.val();
            }
        }
        if self.pipe_done.val() {
            if self.pipe_warp.val().get_bit(0) {
                self.done1_valid.next = true;
                self.done1_warp.next = self.pipe_warp.val();
                self.done1_rd.next = self.pipe_rd.val();
            } else {
                self.done0_valid.next = true;
                self.done0_warp.next = self.pipe_warp.val();
                self.done0_rd.next = self.pipe_rd.val();
            }
        }

        // ---- Trace.
        for i in 0..3 {
            self.t0_valid[i].clock.next = self.clock.val();
            self.t0_warp[i].clock.next = self.clock.val();
            self.t0_rd[i].clock.next = self.clock.val();
            self.t1_valid[i].clock.next = self.clock.val();
            self.t1_warp[i].clock.next = self.clock.val();
            self.t1_rd[i].clock.next = self.clock.val();
        }
        self.t0_valid[0].d.next = self.done0_valid.val() & !self.reset.val();
        self.t0_warp[0].d.next = self.done0_warp.val();
        self.t0_rd[0].d.next = self.done0_rd.val();
        self.t1_valid[0].d.next = self.done1_valid.val() & !self.reset.val();
        self.t1_warp[0].d.next = self.done1_warp.val();
        self.t1_rd[0].d.next = self.done1_rd.val();
        for i in 1..3 {
            self.t0_valid[i].d.next = self.t0_valid[i - 1].q.val() & !self.reset.val();
            self.t0_warp[i].d.next = self.t0_warp[i - 1].q.val();
            self.t0_rd[i].d.next = self.t0_rd[i - 1].q.val();
            self.t1_valid[i].d.next = self.t1_valid[i - 1].q.val() & !self.reset.val();
            self.t1_warp[i].d.next = self.t1_warp[i - 1].q.val();
            self.t1_rd[i].d.next = self.t1_rd[i - 1].q.val();
        }
        self.trace_done0_valid.next = self.t0_valid[2].q.val();
        self.trace_done0_warp.next = self.t0_warp[2].q.val();
        self.trace_done0_rd.next = self.t0_rd[2].q.val();
        self.trace_done1_valid.next = self.t1_valid[2].q.val();
        self.trace_done1_warp.next = self.t1_warp[2].q.val();
        self.trace_done1_rd.next = self.t1_rd[2].q.val();
        self.i_valid.d.next = self.launches.val() & !self.reset.val();
        self.i_warp.d.next = self.op_warp.val();
        self.i_first.d.next = self.csr.launch_first.val();
        self.i_cta.d.next = self.op_cta.val();
        self.init_valid.next = self.i_valid.q.val();
        self.init_warp.next = self.i_warp.q.val();
        self.init_first.next = self.i_first.q.val();
        self.init_cta.next = self.i_cta.q.val();
        self.faulted.next = self.dead.q.val();
        self.fault_valid.next = self.f_valid.q.val();
        self.fault_warp.next = self.f_warp.q.val();
        self.fault_thread.next = self.f_thread.q.val();
        self.fault_pc.next = self.f_pc.q.val();
        self.fault_cause.next = self.f_cause.q.val();
        self.fault_address.next = self.f_address.q.val();
        self.busy.next = self.control.busy.val()
            | !self.queue.empty.val()
            | self.init_count.q.val().any()
            | self.r_valid.q.val()
            | self.x_valid.q.val()
            | self.m1_valid.q.val()
            | self.m2_valid.q.val()
            | self.b_valid.q.val()
            | self.w_valid.q.val()
            | self.a_valid.q.val()
            | self.f_valid.q.val()
            | self.held.q.val().any()
            | !self.divide.free.val();

        // ---- Reset wins.
        if self.reset.val() {
            self.init_head.d.next = self.no_place.val();
            self.init_tail.d.next = self.no_place.val();
            self.init_count.d.next = 0.into();
            self.dead.d.next = self.no_warps.val();
            self.held.d.next = self.no_warps.val();
            self.r_valid.d.next = false;
            self.x_valid.d.next = false;
            self.r_divides.d.next = false;
            self.x_divides.d.next = false;
            self.m1_valid.d.next = false;
            self.m2_valid.d.next = false;
            self.b_valid.d.next = false;
            self.w_valid.d.next = false;
            self.a_valid.d.next = false;
            self.on_way.d.next = 0.into();
            self.p_valid.d.next = false;
            self.f_valid.d.next = false;
        }
    }
}
