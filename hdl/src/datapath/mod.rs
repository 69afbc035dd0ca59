//! Datapath: executes what the core issues, for all threads of a warp, on L lanes.
//!
//! Spec: `docs/spec/datapath.md`, DATA-020 to DATA-022; ports of the core: `docs/spec/core.md`;
//! trace: `docs/spec/sm.md`.
//!
//! # Parameters
//! By name, `hdl/src/sizes.rs`. A row of the register file has WARP_BITS + 5 + log2 PARTS bits at most (SUBV-053).
//!
//! # Cycle behaviour
//! ```text
//! cycle      0          1          2           3           4           5
//! pass       H          R          O           X           V and B
//!            head,      rows are   operands    result      the threads are heard;
//!            row number addressed  are chosen              row is written
//! done                  here, also of products
//! product    H          R          O           M1          M2          B
//! float      H          R          O           in the float unit; its row comes when it is there
//! division   H          R          O           in the divider
//! access     H          R          O           X           at the port of the load/store unit
//! resolve    H          R          O           X           V           offered
//! ```
//! Passes never wait between H and B. `done` is given in the cycle after H: an instruction that reads the result is in
//! R no earlier than seven cycles after H; the row is written after four, that of a product after five.
//! At `trace_done*` it is given four cycles later, when the rows are written.
//!
//! # Names
//! `h`, `r`, `o`, `x`, `v`, `m1`, `m2`, `b`: registers of the stage of that letter (`stages`); `w`: those of a row of
//! divider or load/store unit, which is written in the cycle of B, too; `a`, `p`, `f`, `i`: an access, a level of the
//! program, a fault, an INIT on their way out; `asked`, `found`, `told`: a question to the mask unit, a fault that is
//! found here, one that the load/store unit tells. A signal `x_…` is made in X.
//!
//! # Parts
//! | part | what it does |
//! |---|---|
//! | `launch` | warps that start; words that are decoded for the scheduler |
//! | `passes` | H: the oldest instruction, what is asked before its passes, rows of a pass |
//! | `operands` | R, O and X: operands and results, lane by lane |
//! | `outcome` | X and V: what a control instruction turned out to be |
//! | `faults` | who has a fault, and when it is shown |
//! | `units` | O and X: passes for multiplier, divider, float unit, load/store unit |
//! | `results` | B: rows are written; instructions that are done |
//! | `trace` | what the trace shows; reset |
//!
//! Beside it [`masks`] (`weft_masks`) and [`wavefront`] (`weft_wavefront`), tops of their own.
//!
//! # Errors
//! `fault_*`, and FAULT at `resolve_*`.

mod control;
mod csr;
pub mod decode;
mod divide;
mod early;
mod faults;
pub mod float;
mod issue_queue;
mod lane;
mod launch;
pub mod masks;
mod mode;
mod multiply;
mod operands;
mod outcome;
mod pass_decoder;
mod passes;
mod results;
mod sequencer;
mod stages;
mod trace;
mod units;
pub mod wavefront;
mod written;

use crate::bundles::{DonePorts, FaultPorts, InitPorts, ModePorts, RowPorts};
use crate::datapath::masks::Masks;
use crate::datapath::wavefront::Wavefront;
use crate::hdl::*;
use crate::prim::{BlockRam, FirstOne, LutRam, Pack};
use crate::warp::barrier::code as barrier_code;
use crate::warp::convergence::code;
use control::Control;
use csr::Csr;
use decode::Decode;
use divide::Divide;
use early::Early;
use float::Float;
use issue_queue::IssueQueue;
use lane::Lane;
use multiply::Multiply;
use pass_decoder::PassDecoder;
use sequencer::Sequencer;
use stages::{
    AccessStage, AnswerStage, DoneStage, ExecuteStage, FaultStage, FoundStage, HeadStage,
    InitStage, LateRowStage, LevelStage, OperandStage, ProductStage, QuestionStage, ReadStage,
    RowStage, ToldStage, VerdictStage,
};
use written::Written;

#[module(
    requires(
        WARPS == 1 << WARP_BITS, COUNTER_BITS == WARP_BITS + 4, THREADS == 1 << THREAD_BITS,
        THREAD_COUNT_BITS == THREAD_BITS + 1, LANES == 1 << LANE_BITS, ROW_WIDTH == 32 * LANES,
        PARTS * LANES == THREADS, PARTS <= 2 && PART_BITS == 1 || PARTS == 1 << PART_BITS,
        WARP_PART_BITS == WARP_BITS + PART_BITS, REGISTER_BITS <= WARP_BITS + 5 + THREAD_BITS - LANE_BITS,
        REGISTER_BITS >= 5 + THREAD_BITS - LANE_BITS, THREAD_REGISTER_BITS == WARP_BITS + THREAD_BITS + 5,
        HAS_FLOAT <= 1, FLOAT_LANES * TURNS == LANES, TURNS <= 2 && TURN_BITS == 1 || TURNS == 1 << TURN_BITS
    ),
    kernel(
        launch::Launch, passes::Head, passes::Ask, passes::Beside, mode::Mode, passes::AddressRows, operands::Read,
        operands::Operands, operands::Choice, operands::Lanes, outcome::Verdict, outcome::Outcome, mode::Loops,
        faults::Faults, units::Units, results::Results, results::Done, trace::Trace, trace::Reset
    )
)]
pub struct Datapath {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub cfg_threshold: Signal<In, Bits<9>>,
    pub cfg_force: Signal<In, Bits<2>>,
    pub cfg_shared_from: Signal<In, Bits<6>>,
    pub cache_valid: Signal<In, Bit>,
    pub cache_miss: Signal<In, Bit>,
    pub cache_regular: Signal<In, Bit>,
    pub issue_valid: Signal<In, Bit>,
    pub issue_warp: Signal<In, Bits<WARP_BITS>>,
    pub issue_pc: Signal<In, Bits<22>>,
    pub issue_mask: Signal<In, Bits<THREADS>>,
    pub issue_word: Signal<In, Bits<32>>,
    pub issue_decoded: Signal<In, Bits<23>>,
    pub running: Signal<In, Bits<WARPS>>,
    pub kill: Signal<In, Bit>,
    pub token_error: Signal<In, Bit>,
    pub token_error_warp: Signal<In, Bits<WARP_BITS>>,
    pub line_valid: Signal<In, Bit>,
    pub line_warp: Signal<In, Bits<WARP_BITS>>,
    pub line_slot: Signal<In, Bit>,
    pub line_fault: Signal<In, Bits<2>>,
    pub decode_word0: Signal<In, Bits<32>>,
    pub decode_word1: Signal<In, Bits<32>>,
    pub decode0: Signal<Out, Bits<23>>,
    pub decode1: Signal<Out, Bits<23>>,
    pub done0: DonePorts,
    pub done1: DonePorts,
    pub unit_ready: Signal<Out, Bits<5>>,
    pub counter_select: Signal<Out, Bits<COUNTER_BITS>>,
    pub counter_value: Signal<In, Bits<32>>,
    pub program_valid: Signal<Out, Bit>,
    pub program_warp: Signal<Out, Bits<WARP_BITS>>,
    pub program_level: Signal<Out, Bits<4>>,
    pub op_valid: Signal<In, Bit>,
    pub op_ready: Signal<In, Bit>,
    pub op_code: Signal<In, Bits<4>>,
    pub op_warp: Signal<In, Bits<WARP_BITS>>,
    pub op_cta: Signal<In, Bits<4>>,
    pub op_block: Signal<In, Bits<WARP_BITS>>,
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
    pub retire_warp: Signal<In, Bits<WARP_BITS>>,
    pub exception_valid: Signal<In, Bit>,
    pub exception_warp: Signal<In, Bits<WARP_BITS>>,
    pub exception_cause: Signal<In, Bits<4>>,
    pub resolve_valid: Signal<Out, Bit>,
    pub resolve_ready: Signal<In, Bit>,
    pub resolve_warp: Signal<Out, Bits<WARP_BITS>>,
    pub resolve_op: Signal<Out, Bits<4>>,
    pub resolve_kind: Signal<Out, Bits<4>>,
    pub resolve_mask: Signal<Out, Bits<THREADS>>,
    pub resolve_target: Signal<Out, Bits<22>>,
    pub resolve_pc: Signal<Out, Bits<22>>,
    pub resolve_active: Signal<Out, Bits<THREADS>>,
    pub resolve_id: Signal<Out, Bits<3>>,
    pub resolve_word: Signal<Out, Bits<32>>,
    /// Pulse: instruction lines are to be forgotten (DATA-047).
    pub forget_text: Signal<Out, Bit>,
    pub access_valid: Signal<Out, Bit>,
    pub access_ready: Signal<In, Bit>,
    pub access_warp: Signal<Out, Bits<WARP_BITS>>,
    pub access_part: Signal<Out, Bits<PART_BITS>>,
    pub access_pc: Signal<Out, Bits<22>>,
    pub access_first: Signal<Out, Bit>,
    pub access_last: Signal<Out, Bit>,
    pub access_op: Signal<Out, Bits<5>>,
    pub access_size: Signal<Out, Bits<2>>,
    pub access_signed: Signal<Out, Bit>,
    pub access_order: Signal<Out, Bits<2>>,
    pub access_uses_rd: Signal<Out, Bit>,
    pub access_rd: Signal<Out, Bits<5>>,
    pub access_mask: Signal<Out, Bits<LANES>>,
    pub access_address: Signal<Out, Bits<ROW_WIDTH>>,
    pub access_data: Signal<Out, Bits<ROW_WIDTH>>,
    pub access_regular: Signal<Out, Bit>,
    pub result_valid: Signal<In, Bit>,
    pub result_ready: Signal<Out, Bit>,
    pub result_warp: Signal<In, Bits<WARP_BITS>>,
    pub result_part: Signal<In, Bits<PART_BITS>>,
    pub result_rd: Signal<In, Bits<5>>,
    pub result_mask: Signal<In, Bits<LANES>>,
    pub result_data: Signal<In, Bits<ROW_WIDTH>>,
    pub complete_valid: Signal<In, Bit>,
    pub complete_ready: Signal<Out, Bit>,
    pub complete_warp: Signal<In, Bits<WARP_BITS>>,
    pub complete_uses_rd: Signal<In, Bit>,
    pub complete_rd: Signal<In, Bits<5>>,
    pub access_fault_valid: Signal<In, Bit>,
    pub access_fault_ready: Signal<Out, Bit>,
    pub access_fault_warp: Signal<In, Bits<WARP_BITS>>,
    pub access_fault_thread: Signal<In, Bits<6>>,
    pub access_fault_pc: Signal<In, Bits<22>>,
    pub access_fault_number: Signal<In, Bits<16>>,
    pub access_fault_cause: Signal<In, Bits<4>>,
    pub access_fault_address: Signal<In, Bits<32>>,
    pub slots_free: Signal<In, Bits<5>>,
    pub pending: Signal<In, Bits<WARPS>>,
    pub init: InitPorts,
    pub write: RowPorts,
    pub faulted: Signal<Out, Bits<WARPS>>,
    pub fault: FaultPorts,
    pub select: ModePorts,
    pub trace_done0: DonePorts,
    pub trace_done1: DonePorts,
    pub busy: Signal<Out, Bit>,
    // Cells.
    decoder0: Decode,
    decoder1: Decode,
    early: Early,
    of_head: Decode,
    of_pass: PassDecoder,
    queue: IssueQueue<WARP_BITS, THREADS, 4>,
    sequencer: Sequencer<THREADS, LANES, PARTS, PART_BITS>,
    masks: Masks<WARPS, WARP_BITS, COUNTER_BITS, THREADS, THREAD_BITS, THREAD_COUNT_BITS>,
    wavefront: Wavefront<WARPS, THREADS, THREAD_BITS, THREAD_REGISTER_BITS>,
    rows: Wavefront<WARPS, THREADS, THREAD_BITS, THREAD_REGISTER_BITS>,
    csr: Csr<WARPS, WARP_BITS, COUNTER_BITS, THREADS>,
    written: Written<WARP_BITS, PART_BITS, WARP_PART_BITS>,
    control: Control<WARPS, WARP_BITS, THREADS>,
    divide: Divide<WARP_BITS, LANES, ROW_WIDTH, PARTS, PART_BITS>,
    #[many(HAS_FLOAT)]
    floats: Vec<Float<WARP_BITS, LANES, ROW_WIDTH, PART_BITS, FLOAT_LANES, TURNS, TURN_BITS>>,
    faulter: FirstOne<THREADS, THREAD_BITS>,
    pack_address: Pack<LANES, ROW_WIDTH>,
    pack_second: Pack<LANES, ROW_WIDTH>,
    pack_first: Pack<LANES, ROW_WIDTH>,
    pack_data: Pack<LANES, ROW_WIDTH>,
    pack_write: Pack<LANES, ROW_WIDTH>,
    #[many(LANES)]
    first: Vec<BlockRam<32, REGISTER_BITS>>,
    #[many(LANES)]
    second: Vec<BlockRam<32, REGISTER_BITS>>,
    #[many(LANES)]
    lanes: Vec<Lane>,
    #[many(LANES)]
    times: Vec<Multiply>,
    #[many(LANES)]
    levels: Vec<LutRam<Bits<4>, WARP_PART_BITS>>,
    // Instructions of its predicated block that a warp has still to issue.
    blocks: LutRam<Bits<4>, WARP_BITS>,
    inits: LutRam<Bits<WARP_BITS>, WARP_BITS>,
    // Warps whose registers are to be set, in order.
    init_head: DFF<Bits<WARP_BITS>>,
    init_tail: DFF<Bits<WARP_BITS>>,
    init_count: DFF<Bits<8>>,
    // Warps in a sub-vector loop, and where it ends (SUBV-050).
    in_loop: DFF<Bits<WARPS>>,
    loop_ends: LutRam<Bits<22>, WARP_BITS>,
    // Warps that have faulted (SM-022).
    dead: DFF<Bits<WARPS>>,
    // Warps whose fault waits for the accesses before it (SM-013), and that fault.
    held: DFF<Bits<WARPS>>,
    held_threads: LutRam<Bits<6>, WARP_BITS>,
    // Those threads again, for the one that is told.
    told_threads: LutRam<Bits<6>, WARP_BITS>,
    held_pcs: LutRam<Bits<22>, WARP_BITS>,
    held_causes: LutRam<Bits<4>, WARP_BITS>,
    held_addresses: LutRam<Bits<32>, WARP_BITS>,
    held_numbers: LutRam<Bits<16>, WARP_BITS>,
    held_found: LutRam<Bits<1>, WARP_BITS>,
    held_first: FirstOne<WARPS, WARP_BITS>,
    // All warps are to be killed (SM-034); cycles without a pass, 15 at most; warps whose registers are not set yet.
    killing: DFF<Bit>,
    still: DFF<Bits<4>>,
    starting: DFF<Bits<WARPS>>,
    // Warps that an access of their tokens has spoilt, or that are killed, until that is held as their fault; where each
    // has issued last.
    spoilt: DFF<Bits<WARPS>>,
    spoilt_first: FirstOne<WARPS, WARP_BITS>,
    issued_pcs: LutRam<Bits<22>, WARP_BITS>,
    // What is wrong with the line that came last into each of a warp's two slots (DATA-046).
    line_faults0: LutRam<Bits<2>, WARP_BITS>,
    line_faults1: LutRam<Bits<2>, WARP_BITS>,
    // Decoded words.
    d0: DFF<Bits<23>>,
    d1: DFF<Bits<23>>,
    // What was asked: the mask unit's answer, the scheduler's counter, the selected mode.
    got: AnswerStage<THREADS>,
    // The leader's word; the bits that passes have collected.
    lead: DFF<Bits<32>>,
    acc: DFF<Bits<THREADS>>,
    h: HeadStage,
    asked: QuestionStage<WARP_BITS, THREADS>,
    r: ReadStage<WARP_BITS, THREADS, LANES, PART_BITS>,
    o: OperandStage<WARP_BITS, THREADS, LANES, PART_BITS, REGISTER_BITS>,
    x: ExecuteStage<WARP_BITS, THREADS, LANES, PART_BITS, REGISTER_BITS>,
    v: VerdictStage<WARP_BITS, THREADS, LANES, PART_BITS>,
    found: FoundStage<WARP_BITS, THREADS>,
    told: ToldStage<WARP_BITS>,
    m1: ProductStage<WARP_BITS, LANES, PART_BITS, REGISTER_BITS>,
    m2: ProductStage<WARP_BITS, LANES, PART_BITS, REGISTER_BITS>,
    b: RowStage<WARP_BITS, LANES, PART_BITS, REGISTER_BITS>,
    w: LateRowStage<WARP_BITS, LANES, ROW_WIDTH, PART_BITS>,
    // Instructions on their way to the load/store unit.
    a: AccessStage<WARP_BITS, LANES, ROW_WIDTH, PART_BITS>,
    on_way: DFF<Bits<6>>,
    // Cycles until the float unit takes the next pass.
    turning: DFF<Bits<2>>,
    p: LevelStage<WARP_BITS>,
    // An instruction of lanes or multiplier is done.
    d: DoneStage<WARP_BITS>,
    // One of the load/store unit is.
    l: DoneStage<WARP_BITS>,
    // Trace.
    i: InitStage<WARP_BITS>,
    f: FaultStage<WARP_BITS>,
    // Accesses of the warp were pending one, two and three cycles ago; in one of the last four.
    late: DFF<Bits<WARPS>>,
    later: DFF<Bits<WARPS>>,
    latest: DFF<Bits<WARPS>>,
    lately_was: DFF<Bits<WARPS>>,
    // Something stood at the load/store unit's port a cycle ago.
    stood: DFF<Bit>,
    #[always]
    #[many(4)]
    t0_valid: Vec<DFF<Bit>>,
    #[always]
    #[many(4)]
    t0_warp: Vec<DFF<Bits<WARP_BITS>>>,
    #[always]
    #[many(4)]
    t0_rd: Vec<DFF<Bits<6>>>,
    #[always]
    #[many(4)]
    t1_valid: Vec<DFF<Bit>>,
    #[always]
    #[many(4)]
    t1_warp: Vec<DFF<Bits<WARP_BITS>>>,
    #[always]
    #[many(4)]
    t1_rd: Vec<DFF<Bits<6>>>,
    // Combinational.
    launches: Signal<Local, Bit>,
    known: Signal<Local, Bit>,
    of_next: Signal<Local, Bit>,
    of_same: Signal<Local, Bit>,
    next_left: Signal<Local, Bits<4>>,
    block_writes: Signal<Local, Bit>,
    block_word: Signal<Local, Bits<4>>,
    divides_now: Signal<Local, Bit>,
    places: Signal<Local, Bits<6>>,
    one_less: Signal<Local, Bits<6>>,
    is_set: Signal<Local, Bit>,
    keeps_now: Signal<Local, Bit>,
    a_word: Signal<Local, Bits<32>>,
    b_word: Signal<Local, Bits<32>>,
    b_chosen: Signal<Local, Bits<LANES>>,
    b_written: Signal<Local, Bit>,
    row_mask: Signal<Local, Bits<LANES>>,
    row_writes: Signal<Local, Bit>,
    row_lane: Signal<Local, Bit>,
    coming: Signal<Local, Bit>,
    head_warp: Signal<Local, Bits<WARP_BITS>>,
    is_init: Signal<Local, Bit>,
    base: Signal<Local, Bits<THREAD_REGISTER_BITS>>,
    result_base: Signal<Local, Bits<THREAD_REGISTER_BITS>>,
    lane_part: Signal<Local, Bits<THREAD_BITS>>,
    result_part_number: Signal<Local, Bits<THREAD_BITS>>,
    h_ends_loop: Signal<Local, Bit>,
    h_regular: Signal<Local, Bit>,
    enters_loop: Signal<Local, Bit>,
    asks_mode: Signal<Local, Bit>,
    resolves: Signal<Local, Bit>,
    leaves: Signal<Local, Bits<WARPS>>,
    enters: Signal<Local, Bits<WARPS>>,
    h_done: Signal<Local, Bit>,
    h_rd: Signal<Local, Bits<6>>,
    pipe_done: Signal<Local, Bit>,
    pipe_warp: Signal<Local, Bits<WARP_BITS>>,
    pipe_rd: Signal<Local, Bits<6>>,
    divide_done: Signal<Local, Bit>,
    memory_done: Signal<Local, Bit>,
    divide_takes: Signal<Local, Bit>,
    memory_takes: Signal<Local, Bit>,
    starts_access: Signal<Local, Bit>,
    sends_access: Signal<Local, Bit>,
    next_way: Signal<Local, Bits<6>>,
    way_more: Signal<Local, Bits<6>>,
    way_less: Signal<Local, Bits<6>>,
    init_value: Signal<Local, Bits<32>>,
    init_lane: Signal<Local, Bit>,
    final_o: Signal<Local, Bit>,
    o_uses1: Signal<Local, Bit>,
    o_uses2: Signal<Local, Bit>,
    part_base: Signal<Local, Bits<32>>,
    part_number: Signal<Local, Bits<7>>,
    byte_pc: Signal<Local, Bits<32>>,
    own_place: Signal<Local, Bits<32>>,
    target: Signal<Local, Bits<32>>,
    scalar_b: Signal<Local, Bits<32>>,
    takes_b: Signal<Local, Bit>,
    lowest: Signal<Local, Bits<LANES>>,
    negative: Signal<Local, Bits<LANES>>,
    leader_sum: Signal<Local, Bits<32>>,
    leader_other: Signal<Local, Bits<32>>,
    leader_level: Signal<Local, Bits<4>>,
    leader_word: Signal<Local, Bits<32>>,
    taken_bits: Signal<Local, Bits<LANES>>,
    wide_bits: Signal<Local, Bits<THREADS>>,
    wide_mask: Signal<Local, Bits<THREADS>>,
    placed: Signal<Local, Bits<THREADS>>,
    placed_mask: Signal<Local, Bits<THREADS>>,
    old_acc: Signal<Local, Bits<THREADS>>,
    new_acc: Signal<Local, Bits<THREADS>>,
    some_acc: Signal<Local, Bit>,
    some_active: Signal<Local, Bit>,
    breaks: Signal<Local, Bit>,
    is_nop: Signal<Local, Bit>,
    goes_there: Signal<Local, Bit>,
    bad: Signal<Local, Bit>,
    csr_writes: Signal<Local, Bit>,
    csr_bad: Signal<Local, Bit>,
    illegal: Signal<Local, Bit>,
    control_fault: Signal<Local, Bit>,
    verdict_fault: Signal<Local, Bit>,
    found_here: Signal<Local, Bit>,
    starts: Signal<Local, Bits<WARPS>>,
    csr_fault: Signal<Local, Bit>,
    x_dead: Signal<Local, Bit>,
    lately: Signal<Local, Bits<WARPS>>,
    shows_held: Signal<Local, Bit>,
    held_next: Signal<Local, Bits<WARPS>>,
    ends_held: Signal<Local, Bits<WARPS>>,
    x_line_fault: Signal<Local, Bits<2>>,
    no_word: Signal<Local, Bit>,
    access_fault: Signal<Local, Bit>,
    spoils: Signal<Local, Bits<WARPS>>,
    spoilt_now: Signal<Local, Bit>,
    spoilt_bit: Signal<Local, Bits<WARPS>>,
    thread_held: Signal<Local, Bits<6>>,
    holds: Signal<Local, Bit>,
    held_written: Signal<Local, Bits<WARP_BITS>>,
    ahead: Signal<Local, Bits<16>>,
    goes_before: Signal<Local, Bit>,
    kills: Signal<Local, Bits<WARPS>>,
    revives: Signal<Local, Bits<WARPS>>,
    push_mask: Signal<Local, Bits<THREADS>>,
    b_next: Signal<Local, Bit>,
    keeps_port: Signal<Local, Bit>,
    from_lanes: Signal<Local, Bit>,
    w_next: Signal<Local, Bit>,
    w_next_warp: Signal<Local, Bits<WARP_BITS>>,
    w_next_part: Signal<Local, Bits<PART_BITS>>,
    w_next_rd: Signal<Local, Bits<5>>,
    memory_rd: Signal<Local, Bits<6>>,
    may_float: Signal<Local, Bit>,
    float_free: Signal<Local, Bit>,
    float_idle: Signal<Local, Bit>,
    floats_now: Signal<Local, Bit>,
    float_valid: Signal<Local, Bit>,
    float_takes: Signal<Local, Bit>,
    float_warp: Signal<Local, Bits<WARP_BITS>>,
    float_part: Signal<Local, Bits<PART_BITS>>,
    float_rd: Signal<Local, Bits<5>>,
    float_mask: Signal<Local, Bits<LANES>>,
    float_data: Signal<Local, Bits<ROW_WIDTH>>,
    float_complete: Signal<Local, Bit>,
    float_complete_warp: Signal<Local, Bits<WARP_BITS>>,
    float_complete_rd: Signal<Local, Bits<6>>,
    float_done: Signal<Local, Bit>,
    one_level: Signal<Local, Bits<4>>,
    sets_level: Signal<Local, Bit>,
    init_next: Signal<Local, Bits<8>>,
    result_row: Signal<Local, Bits<REGISTER_BITS>>,
    uses_units: Signal<Local, Bit>,
    #[many(LANES)]
    rs1: Vec<Signal<Local, Bits<32>>>,
    #[many(LANES)]
    rs2: Vec<Signal<Local, Bits<32>>>,
    #[many(LANES)]
    number: Vec<Signal<Local, Bits<32>>>,
    #[many(LANES)]
    level: Vec<Signal<Local, Bits<4>>>,
    sets_rounding: Signal<Local, Bit>,
    rounding_bits: Signal<Local, Bits<LANES>>,
    #[many(LANES)]
    rounding: Vec<Signal<Local, Bits<3>>>,
    #[many(LANES)]
    operand: Vec<Signal<Local, Bits<4>>>,
    #[many(LANES)]
    new_level: Vec<Signal<Local, Bits<4>>>,
    #[many(LANES)]
    value: Vec<Signal<Local, Bits<32>>>,
    #[many(LANES)]
    row_word: Vec<Signal<Local, Bits<32>>>,
    // Constants.
    #[value(barrier_code::LAUNCH.into())]
    code_launch: Constant<Bits<4>>,
    #[value(u64::from(crate::ports::cause::RECENTER).into())]
    cause_recenter: Constant<Bits<4>>,
    #[value(u64::from(crate::ports::cause::ILLEGAL_INSTRUCTION).into())]
    cause_illegal: Constant<Bits<4>>,
    #[value(u64::from(crate::ports::cause::MISALIGNED).into())]
    cause_misaligned: Constant<Bits<4>>,
    #[value(u64::from(crate::ports::cause::BREAKPOINT).into())]
    cause_breakpoint: Constant<Bits<4>>,
    #[value(u64::from(crate::ports::cause::FETCH).into())]
    cause_fetch: Constant<Bits<4>>,
    #[value(u64::from(crate::ports::cause::KILLED).into())]
    cause_killed: Constant<Bits<4>>,
    #[value(u64::from(crate::ports::cause::TOKEN_BUS).into())]
    cause_token_bus: Constant<Bits<4>>,
    #[value(0.into())]
    no_thread: Constant<Bits<6>>,
    #[value(u64::from(crate::ports::cause::FETCH_BUS).into())]
    cause_fetch_bus: Constant<Bits<4>>,
    #[value(code::OP_NEXT.into())]
    op_next: Constant<Bits<4>>,
    #[value(code::OP_PUSH.into())]
    op_push: Constant<Bits<4>>,
    #[value(code::OP_MASK.into())]
    op_mask: Constant<Bits<4>>,
    #[value(code::MASK_SET.into())]
    kind_set: Constant<Bits<4>>,
    #[value(code::MASK_JUMP.into())]
    kind_jump: Constant<Bits<4>>,
    #[value(code::MASK_SUBV_START.into())]
    kind_loop: Constant<Bits<4>>,
    #[value(code::KIND_SYNC.into())]
    kind_sync: Constant<Bits<4>>,
    #[value((LANE_BITS as u64).into())]
    lane_bits: Constant<Bits<3>>,
    #[value((PART_BITS as u64).into())]
    place_bits: Constant<Bits<3>>,
    #[value(true)]
    regular: Constant<Bit>,
    #[value(HAS_FLOAT == 1)]
    has_float: Constant<Bit>,
    #[value((TURNS as u64 - 1).into())]
    more_turns: Constant<Bits<2>>,
    #[init((0..WARP_BITS).map(|b| Constant::new((b as u64).into())).collect())]
    warp_bit: Vec<Constant<Bits<4>>>,
    #[init((0..LANES).map(|i| Constant::new((i as u64).into())).collect())]
    lane_number: Vec<Constant<Bits<32>>>,
    #[value(0.into())]
    zero: Constant<Bits<32>>,
    #[value(2.into())]
    two: Constant<Bits<3>>,
    #[value(0xffff_fffe_u64.into())]
    even: Constant<Bits<32>>,
    #[value(0.into())]
    no_rows: Constant<Bits<THREAD_REGISTER_BITS>>,
    #[value(0.into())]
    no_lanes: Constant<Bits<LANES>>,
    #[value(0.into())]
    no_threads: Constant<Bits<THREADS>>,
    #[value(0.into())]
    no_warps: Constant<Bits<WARPS>>,
    #[value(1.into())]
    one_warp: Constant<Bits<WARPS>>,
    #[value(1.into())]
    one_place: Constant<Bits<WARP_BITS>>,
    #[value(0.into())]
    no_place: Constant<Bits<WARP_BITS>>,
    #[value(0.into())]
    no_level: Constant<Bits<4>>,
    #[value(0.into())]
    no_part: Constant<Bits<THREAD_BITS>>,
    #[value(7.into())]
    five_uses: Constant<Bits<3>>,
    #[value(6.into())]
    kind_data: Constant<Bits<3>>,
    #[value(7.into())]
    kind_other: Constant<Bits<3>>,
    #[value(1.into())]
    function_launch: Constant<Bits<4>>,
    #[value(2.into())]
    register_sp: Constant<Bits<5>>,
    #[value(10.into())]
    register_a0: Constant<Bits<5>>,
    #[value(11.into())]
    register_a1: Constant<Bits<5>>,
    #[value(12.into())]
    register_a2: Constant<Bits<5>>,
}
