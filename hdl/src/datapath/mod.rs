//! Datapath: executes what the core issues, for all threads of a warp, on L lanes.
//!
//! Spec: `docs/spec/datapath.md`, DATA-020 to DATA-022; ports of the core: `docs/spec/core.md`;
//! trace: `docs/spec/sm.md`.
//!
//! # Parameters
//! `NW` warps, `WI` = log2 NW, `WA` = WI + 4; `W` threads per warp, `I` = log2 W, `C` = I + 1;
//! `L` lanes, `LI` = log2 L, `LW` = 32 L; `NP` = W / L parts, `PB` = max(1, log2 NP), `LA` = WI + PB;
//! `RA`: bits of a row's number, at most WI + 5 + log2 NP (SUBV-053); `RB` = WI + I + 5;
//! `FU`: 1 with a float unit, else 0; `FL` float lanes, `FN` = L / FL turns of a pass there, `FB` = max(1, log2 FN).
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

#[rustfmt::skip]
#[module(
    requires(
        NW == 1 << WI, WA == WI + 4, W == 1 << I, C == I + 1, L == 1 << LI, LW == 32 * L, NP * L == W,
        NP <= 2 && PB == 1 || NP == 1 << PB, LA == WI + PB, RA <= WI + 5 + I - LI, RA >= 5 + I - LI, RB == WI + I + 5,
        FU <= 1, FL * FN == L, FN <= 2 && FB == 1 || FN == 1 << FB
    ),
    kernel(
        launch::Launch, passes::Head, passes::Ask, passes::Beside, mode::Mode, passes::AddressRows, operands::Read,
        operands::Operands, operands::Choice, operands::Lanes, outcome::Verdict, outcome::Outcome, mode::Loops,
        faults::Faults, units::Units, results::Results, results::Done, trace::Trace, trace::Reset
    )
)]
pub struct Datapath<
    const NW: usize, const WI: usize, const WA: usize, const W: usize, const I: usize, const C: usize, const L: usize,
    const LI: usize, const LW: usize, const NP: usize, const PB: usize, const LA: usize, const RA: usize,
    const RB: usize, const FU: usize, const FL: usize, const FN: usize, const FB: usize,
> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub cfg_threshold: Signal<In, Bits<9>>,
    pub cfg_force: Signal<In, Bits<2>>,
    pub cfg_shared_from: Signal<In, Bits<6>>,
    pub cache_valid: Signal<In, Bit>,
    pub cache_miss: Signal<In, Bit>,
    pub cache_regular: Signal<In, Bit>,
    pub issue_valid: Signal<In, Bit>,
    pub issue_warp: Signal<In, Bits<WI>>,
    pub issue_pc: Signal<In, Bits<22>>,
    pub issue_mask: Signal<In, Bits<W>>,
    pub issue_word: Signal<In, Bits<32>>,
    pub issue_decoded: Signal<In, Bits<23>>,
    pub running: Signal<In, Bits<NW>>,
    pub kill: Signal<In, Bit>,
    pub token_error: Signal<In, Bit>,
    pub token_error_warp: Signal<In, Bits<WI>>,
    pub line_valid: Signal<In, Bit>,
    pub line_warp: Signal<In, Bits<WI>>,
    pub line_slot: Signal<In, Bit>,
    pub line_fault: Signal<In, Bits<2>>,
    pub decode_word0: Signal<In, Bits<32>>,
    pub decode_word1: Signal<In, Bits<32>>,
    pub decode0: Signal<Out, Bits<23>>,
    pub decode1: Signal<Out, Bits<23>>,
    pub done0: DonePorts<WI>,
    pub done1: DonePorts<WI>,
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
    /// Pulse: instruction lines are to be forgotten (DATA-047).
    pub forget_text: Signal<Out, Bit>,
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
    pub access_order: Signal<Out, Bits<2>>,
    pub access_uses_rd: Signal<Out, Bit>,
    pub access_rd: Signal<Out, Bits<5>>,
    pub access_mask: Signal<Out, Bits<L>>,
    pub access_address: Signal<Out, Bits<LW>>,
    pub access_data: Signal<Out, Bits<LW>>,
    pub access_regular: Signal<Out, Bit>,
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
    pub init: InitPorts<WI>,
    pub write: RowPorts<WI, PB, L, LW>,
    pub faulted: Signal<Out, Bits<NW>>,
    pub fault: FaultPorts<WI>,
    pub select: ModePorts<WI>,
    pub trace_done0: DonePorts<WI>,
    pub trace_done1: DonePorts<WI>,
    pub busy: Signal<Out, Bit>,
    // Cells.
    decoder0: Decode,
    decoder1: Decode,
    early: Early,
    of_head: Decode,
    of_pass: PassDecoder,
    queue: IssueQueue<WI, W, 4>,
    sequencer: Sequencer<W, L, NP, PB>,
    masks: Masks<NW, WI, WA, W, I, C>,
    wavefront: Wavefront<NW, W, I, RB>,
    rows: Wavefront<NW, W, I, RB>,
    csr: Csr<NW, WI, WA, W>,
    control: Control<NW, WI, W>,
    divide: Divide<WI, L, LW, PB, LI>,
    #[many(FU)]
    floats: Vec<Float<WI, L, LW, PB, FL, FN, FB>>,
    faulter: FirstOne<W, I>,
    pack_address: Pack<L, LW>,
    pack_second: Pack<L, LW>,
    pack_first: Pack<L, LW>,
    pack_data: Pack<L, LW>,
    pack_write: Pack<L, LW>,
    #[many(L)]
    first: Vec<BlockRam<32, RA>>,
    #[many(L)]
    second: Vec<BlockRam<32, RA>>,
    #[many(L)]
    lanes: Vec<Lane>,
    #[many(L)]
    times: Vec<Multiply>,
    #[many(L)]
    levels: Vec<LutRam<Bits<4>, LA>>,
    // Instructions of its predicated block that a warp has still to issue.
    blocks: LutRam<Bits<4>, WI>,
    inits: LutRam<Bits<WI>, WI>,
    // Warps whose registers are to be set, in order.
    init_head: DFF<Bits<WI>>,
    init_tail: DFF<Bits<WI>>,
    init_count: DFF<Bits<8>>,
    // Warps in a sub-vector loop, and where it ends (SUBV-050).
    in_loop: DFF<Bits<NW>>,
    loop_ends: LutRam<Bits<22>, WI>,
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
    // All warps are to be killed (SM-034); cycles without a pass, 15 at most; warps whose registers are not set yet.
    killing: DFF<Bit>,
    still: DFF<Bits<4>>,
    starting: DFF<Bits<NW>>,
    // Warps that an access of their tokens has spoilt, or that are killed, until that is held as their fault; where each
    // has issued last.
    spoilt: DFF<Bits<NW>>,
    spoilt_first: FirstOne<NW, WI>,
    issued_pcs: LutRam<Bits<22>, WI>,
    // What is wrong with the line that came last into each of a warp's two slots (DATA-046).
    line_faults0: LutRam<Bits<2>, WI>,
    line_faults1: LutRam<Bits<2>, WI>,
    // Decoded words.
    d0: DFF<Bits<23>>,
    d1: DFF<Bits<23>>,
    // What was asked: the mask unit's answer, the scheduler's counter, the selected mode.
    got: AnswerStage<W>,
    // The leader's word; the bits that passes have collected.
    lead: DFF<Bits<32>>,
    acc: DFF<Bits<W>>,
    h: HeadStage,
    asked: QuestionStage<WI, W>,
    r: ReadStage<WI, W, L, PB>,
    o: OperandStage<WI, W, L, PB, RA>,
    x: ExecuteStage<WI, W, L, PB, RA>,
    v: VerdictStage<WI, W, L, PB>,
    found: FoundStage<WI, W>,
    told: ToldStage<WI>,
    m1: ProductStage<WI, L, PB, RA>,
    m2: ProductStage<WI, L, PB, RA>,
    b: RowStage<WI, L, PB, RA>,
    w: LateRowStage<WI, L, LW, PB>,
    // Instructions on their way to the load/store unit.
    a: AccessStage<WI, L, LW, PB>,
    on_way: DFF<Bits<6>>,
    // Cycles until the float unit takes the next pass.
    turning: DFF<Bits<2>>,
    p: LevelStage<WI>,
    // An instruction of lanes or multiplier is done.
    d: DoneStage<WI>,
    // Trace.
    i: InitStage<WI>,
    f: FaultStage<WI>,
    // Accesses of the warp were pending in the last four cycles.
    late: DFF<Bits<NW>>,
    later: DFF<Bits<NW>>,
    latest: DFF<Bits<NW>>,
    last_late: DFF<Bits<NW>>,
    // Something stood at the load/store unit's port a cycle ago.
    stood: DFF<Bit>,
    #[always]
    #[many(4)]
    t0_valid: Vec<DFF<Bit>>,
    #[always]
    #[many(4)]
    t0_warp: Vec<DFF<Bits<WI>>>,
    #[always]
    #[many(4)]
    t0_rd: Vec<DFF<Bits<6>>>,
    #[always]
    #[many(4)]
    t1_valid: Vec<DFF<Bit>>,
    #[always]
    #[many(4)]
    t1_warp: Vec<DFF<Bits<WI>>>,
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
    b_chosen: Signal<Local, Bits<L>>,
    b_written: Signal<Local, Bit>,
    coming: Signal<Local, Bit>,
    head_warp: Signal<Local, Bits<WI>>,
    is_init: Signal<Local, Bit>,
    base: Signal<Local, Bits<RB>>,
    result_base: Signal<Local, Bits<RB>>,
    lane_part: Signal<Local, Bits<I>>,
    result_part_number: Signal<Local, Bits<I>>,
    h_ends_loop: Signal<Local, Bit>,
    h_regular: Signal<Local, Bit>,
    enters_loop: Signal<Local, Bit>,
    asks_mode: Signal<Local, Bit>,
    resolves: Signal<Local, Bit>,
    leaves: Signal<Local, Bits<NW>>,
    enters: Signal<Local, Bits<NW>>,
    h_done: Signal<Local, Bit>,
    h_rd: Signal<Local, Bits<6>>,
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
    starts: Signal<Local, Bits<NW>>,
    csr_fault: Signal<Local, Bit>,
    x_dead: Signal<Local, Bit>,
    lately: Signal<Local, Bits<NW>>,
    shows_held: Signal<Local, Bit>,
    held_next: Signal<Local, Bits<NW>>,
    ends_held: Signal<Local, Bits<NW>>,
    x_line_fault: Signal<Local, Bits<2>>,
    no_word: Signal<Local, Bit>,
    access_fault: Signal<Local, Bit>,
    spoils: Signal<Local, Bits<NW>>,
    spoilt_now: Signal<Local, Bit>,
    spoilt_bit: Signal<Local, Bits<NW>>,
    held_read: Signal<Local, Bits<WI>>,
    held_written: Signal<Local, Bits<WI>>,
    ahead: Signal<Local, Bits<16>>,
    goes_before: Signal<Local, Bit>,
    kills: Signal<Local, Bits<NW>>,
    revives: Signal<Local, Bits<NW>>,
    push_mask: Signal<Local, Bits<W>>,
    b_next: Signal<Local, Bit>,
    keeps_port: Signal<Local, Bit>,
    from_lanes: Signal<Local, Bit>,
    w_next: Signal<Local, Bit>,
    w_next_warp: Signal<Local, Bits<WI>>,
    w_next_part: Signal<Local, Bits<PB>>,
    w_next_rd: Signal<Local, Bits<5>>,
    memory_rd: Signal<Local, Bits<6>>,
    may_float: Signal<Local, Bit>,
    float_free: Signal<Local, Bit>,
    float_idle: Signal<Local, Bit>,
    floats_now: Signal<Local, Bit>,
    float_valid: Signal<Local, Bit>,
    float_takes: Signal<Local, Bit>,
    float_warp: Signal<Local, Bits<WI>>,
    float_part: Signal<Local, Bits<PB>>,
    float_rd: Signal<Local, Bits<5>>,
    float_mask: Signal<Local, Bits<L>>,
    float_data: Signal<Local, Bits<LW>>,
    float_complete: Signal<Local, Bit>,
    float_complete_warp: Signal<Local, Bits<WI>>,
    float_complete_rd: Signal<Local, Bits<6>>,
    float_done: Signal<Local, Bit>,
    one_level: Signal<Local, Bits<4>>,
    sets_level: Signal<Local, Bit>,
    init_next: Signal<Local, Bits<8>>,
    result_row: Signal<Local, Bits<RA>>,
    uses_units: Signal<Local, Bit>,
    #[many(L)]
    rs1: Vec<Signal<Local, Bits<32>>>,
    #[many(L)]
    rs2: Vec<Signal<Local, Bits<32>>>,
    #[many(L)]
    number: Vec<Signal<Local, Bits<32>>>,
    #[many(L)]
    level: Vec<Signal<Local, Bits<4>>>,
    sets_rounding: Signal<Local, Bit>,
    rounding_bits: Signal<Local, Bits<L>>,
    #[many(L)]
    rounding: Vec<Signal<Local, Bits<3>>>,
    #[many(L)]
    operand: Vec<Signal<Local, Bits<4>>>,
    #[many(L)]
    new_level: Vec<Signal<Local, Bits<4>>>,
    #[many(L)]
    value: Vec<Signal<Local, Bits<32>>>,
    #[many(L)]
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
    #[value((LI as u64).into())]
    lane_bits: Constant<Bits<3>>,
    #[value((PB as u64).into())]
    place_bits: Constant<Bits<3>>,
    #[value(true)]
    regular: Constant<Bit>,
    #[value(FU == 1)]
    has_float: Constant<Bit>,
    #[value((FN as u64 - 1).into())]
    more_turns: Constant<Bits<2>>,
    #[init((0..WI).map(|b| Constant::new((b as u64).into())).collect())]
    warp_bit: Vec<Constant<Bits<4>>>,
    #[init((0..L).map(|i| Constant::new((i as u64).into())).collect())]
    lane_number: Vec<Constant<Bits<32>>>,
    #[value(0.into())]
    zero: Constant<Bits<32>>,
    #[value(2.into())]
    two: Constant<Bits<3>>,
    #[value(0xffff_fffe_u64.into())]
    even: Constant<Bits<32>>,
    #[value(0.into())]
    no_rows: Constant<Bits<RB>>,
    #[value(0.into())]
    no_lanes: Constant<Bits<L>>,
    #[value(0.into())]
    no_threads: Constant<Bits<W>>,
    #[value(0.into())]
    no_warps: Constant<Bits<NW>>,
    #[value(1.into())]
    one_warp: Constant<Bits<NW>>,
    #[value(1.into())]
    one_place: Constant<Bits<WI>>,
    #[value(0.into())]
    no_place: Constant<Bits<WI>>,
    #[value(0.into())]
    no_level: Constant<Bits<4>>,
    #[value(0.into())]
    no_part: Constant<Bits<I>>,
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
