//! Convergence unit: per-warp program counter, active mask, reasons and token deque.
//!
//! Spec: `docs/spec/convergence.md`, `docs/spec/spill.md`; ports as in `docs/spec/control.md`, and below.
//!
//! # Parameters
//! `NW` warps and `W` threads per warp, powers of two;
//! `K` and `B` places of the front and the back ring of the token window; `M` = 64 bits of a
//! token in memory, 128 for W = 64. Derived: `WI` = log2 NW; `WC` = WI + 1; `P` = log2 (2 W);
//! `R` bits of a place, 2^R > K + B; `TA` = WI + R.
//!
//! # Ports beyond those of the control plane
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `wake_valid`, `wake_warp` | out | 1, WI | pulse: this warp may issue again, from `retire_next_pc` with `retire_next_mask`; late |
//!
//! # Cycle behaviour
//! Four stages. *Read*: a resolve, a launch, a configuration access or a further pass of an operation addresses the
//! state memories of its warp and one token. *Match* (`matching.rs`, `locate.rs`): comparisons with the state.
//! *Decide* (`decide.rs`): comparisons with the token; what is to
//! happen. *Execute* (`execute.rs`, `spill.rs`): results are written back and the outcome is shown in the same cycle.
//! ```text
//! cycle      0        1        2        3        4
//! resolve    warp 5
//! read       warp 5
//! match               warp 5
//! decide                       warp 5
//! execute                               warp 5            retire, wake
//! issue                                          warp 5   one pass: the next issue comes 4 cycles after the resolve
//! ```
//! A further pass enters *read* in the cycle after *execute*, ahead of new resolves: it costs its own warp 4 cycles and
//! the others one slot.
//! A pass that has to wait for the memory port is *parked*; when the warp's job has ended it enters *read* again.
//! Meanwhile other warps go on.
//!
//! # State
//! Everything that grows with warps × threads lies in memories.
//! The front token T0 stands with the warp's state, the tokens of the window in the
//! token memory (`locate.rs`), the others in the warp's allocation, which `mover.rs` reads and writes.
//! A pass sees T0 and one more token.
//!
//! # Invariants
//! 1. A warp has at most one operation in flight: a resolve waits while its warp is engaged (a WAKE may come at any
//!    time). So no pass ever reads state that another pass still has to write. (A configuration access has the
//!    pipeline for itself.)
//! 2. At most one pass per cycle asks for another one, and it is taken up in the next cycle: nothing has to be queued.
//! 3. A warp has at most one job in flight, and no pass uses or writes the places of its tokens meanwhile: what it
//!    reads of a place that is written just then is not defined.
//!    So whether there is a job is asked when the token is read;
//!    that it has ended by then may be missed, which costs a pass.
//!
//! # Errors
//! `exception_*`; the warp's slot becomes free, unless the cause is RECENTER.
//! `Default` panics when a derived parameter does not fit.

pub mod code;
mod decide;
mod decode;
mod eighths;
mod entry;
mod execute;
mod job;
mod locate;
mod matching;
mod mover;
mod part;
mod place;
mod policy;
mod registers;
mod spill;

pub use decide::Decide;
pub use decode::Decode;
pub use eighths::Eighths;
pub use entry::Entry;
pub use execute::Execute;
pub use job::Job;
pub use locate::Locate;
pub use matching::Match;
pub use mover::Mover;
pub use part::Part;
pub use place::Place;
pub use policy::Policy;
pub use registers::{Registers, Writes};
pub use spill::Spill;

use crate::bundles::{
    ExceptionPorts, PolicyPorts, RetirePorts, SpillRequestPorts, SpillResponsePorts,
};
use crate::hdl::*;
use crate::ports::cause;
use crate::prim::{BlockRam, LutRam, SyncRam, WarpQueue};

#[module(requires(NW == 1 << WI, WC == WI + 1, 2 * W == 1 << P, TA == WI + R))]
pub struct Convergence<
    const NW: usize,
    const WI: usize,
    const WC: usize,
    const W: usize,
    const P: usize,
    const K: usize,
    const B: usize,
    const R: usize,
    const TA: usize,
    const M: usize,
> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub cfg: PolicyPorts,
    pub launch_valid: Signal<In, Bit>,
    pub launch_ready: Signal<Out, Bit>,
    pub launch_warp: Signal<In, Bits<WI>>,
    pub launch_pc: Signal<In, Bits<22>>,
    pub launch_mask: Signal<In, Bits<W>>,
    pub launch_base: Signal<In, Bits<32>>,
    pub launch_size: Signal<In, Bits<10>>,
    pub resolve_valid: Signal<In, Bit>,
    pub resolve_ready: Signal<Out, Bit>,
    pub resolve_warp: Signal<In, Bits<WI>>,
    pub resolve_op: Signal<In, Bits<4>>,
    pub resolve_kind: Signal<In, Bits<4>>,
    pub resolve_mask: Signal<In, Bits<W>>,
    pub resolve_target: Signal<In, Bits<22>>,
    pub resolve_moved: Signal<In, Bit>,
    pub resolve_pc: Signal<In, Bits<22>>,
    pub retire: RetirePorts<WI, W>,
    pub exception: ExceptionPorts<WI>,
    pub status_busy: Signal<Out, Bits<NW>>,
    pub status_moving: Signal<Out, Bits<NW>>,
    pub status_dropped: Signal<Out, Bits<32>>,
    pub status_recentered: Signal<Out, Bits<32>>,
    pub spill_request: SpillRequestPorts<M, TA>,
    pub spill_response: SpillResponsePorts<M, TA>,
    pub config_valid: Signal<In, Bit>,
    pub config_ready: Signal<Out, Bit>,
    pub config_write: Signal<In, Bit>,
    pub config_warp: Signal<In, Bits<WI>>,
    pub config_register: Signal<In, Bits<4>>,
    pub config_data: Signal<In, Bits<32>>,
    pub config_done: Signal<Out, Bit>,
    pub config_result: Signal<Out, Bits<32>>,
    pub wake_valid: Signal<Out, Bit>,
    pub wake_warp: Signal<Out, Bits<WI>>,
    // State: memories by warp.
    active: SyncRam<Bits<W>, WI>,
    // pc; address of the front token.
    pcs: SyncRam<Bits<44>, WI>,
    front_tags: SyncRam<Bits<8>, WI>,
    front_mask: SyncRam<Bits<W>, WI>,
    // Yields; backward transfers; random number; those of the transfers since a token was popped.
    counts: BlockRam<64, WI>,
    size: SyncRam<Bits<10>, WI>,
    base: BlockRam<32, WI>,
    // State: reasons, inverted: so that EXIT, which a launch gives to all, is what a flip-flop is reset to.
    reason: [SyncRam<Bits<W>, WI>; 4],
    // Head, depth, tokens in memory; blocked.
    deque: LutRam<Bits<31>, WI>,
    // What `Policy` says of the next operation: due, reached, reaches.
    dues: LutRam<Bits<5>, WI>,
    fore: LutRam<Bits<R>, WI>,
    solid: LutRam<Bits<R>, WI>,
    taken: LutRam<Bits<R>, WI>,
    rear: LutRam<Bits<R>, WI>,
    rear_taken: LutRam<Bits<R>, WI>,
    ring: LutRam<Bits<R>, WI>,
    // State: where the token behind the front and the last one stand, for first passes and for further ones.
    front_place: LutRam<Bits<R>, WI>,
    last_place: LutRam<Bits<R>, WI>,
    further_front: LutRam<Bits<R>, WI>,
    further_last: LutRam<Bits<R>, WI>,
    // State: memory of the tokens behind the front, by {warp, place}, with a port for the pass and one for the mover.
    token_tags: BlockRam<8, TA>,
    token_mask: BlockRam<W, TA>,
    token_pc: BlockRam<22, TA>,
    mover_tags: BlockRam<8, TA>,
    mover_mask: BlockRam<W, TA>,
    mover_pc: BlockRam<22, TA>,
    // State: passes that wait for a job, by warp; the one that goes on next.
    parked_tags: BlockRam<32, WI>,
    parked_mask: BlockRam<W, WI>,
    parked_target: BlockRam<22, WI>,
    resumes: WarpQueue<NW, WI, WC>,
    resuming: DFF<Bit>,
    resuming_warp: DFF<Bits<WI>>,
    // State: running warps, warps with a job in flight, warps with a parked pass; counts.
    busy: DFF<Bits<NW>>,
    engaged: DFF<Bits<NW>>,
    moving: DFF<Bits<NW>>,
    waiting: DFF<Bits<NW>>,
    drops: DFF<Bits<32>>,
    recenters: DFF<Bits<32>>,
    // Pipeline register between read and match.
    c_valid: DFF<Bit>,
    c_warp: DFF<Bits<WI>>,
    c_op: DFF<Bits<4>>,
    c_step: DFF<Bits<3>>,
    c_mode: DFF<Bits<3>>,
    c_kind: DFF<Bits<4>>,
    c_selected: DFF<Bits<W>>,
    c_target: DFF<Bits<22>>,
    c_lowest: DFF<Bits<W>>,
    c_others_any: DFF<Bit>,
    c_k: DFF<Bits<10>>,
    c_at: DFF<Bits<R>>,
    c_data: DFF<Bits<32>>,
    c_moved: DFF<Bit>,
    c_moving: DFF<Bit>,
    c_new_size: DFF<Bits<10>>,
    c_blocked: DFF<Bit>,
    c_due: DFF<Bit>,
    c_reached: DFF<Bits<2>>,
    c_reaches: DFF<Bits<2>>,
    c_head: DFF<Bits<10>>,
    c_depth: DFF<Bits<10>>,
    c_fore: DFF<Bits<R>>,
    c_solid: DFF<Bits<R>>,
    c_taken: DFF<Bits<R>>,
    c_rear: DFF<Bits<R>>,
    c_rear_taken: DFF<Bits<R>>,
    c_stored: DFF<Bits<10>>,
    c_ring: DFF<Bits<R>>,
    c_run: DFF<Bit>,
    c_starting: DFF<Bit>,
    c_is_launch: DFF<Bit>,
    c_is_config: DFF<Bit>,
    c_is_fault: DFF<Bit>,
    c_is_illegal_op: DFF<Bit>,
    c_is_illegal_kind: DFF<Bit>,
    c_is_leave: DFF<Bit>,
    c_is_branch: DFF<Bit>,
    c_is_yield: DFF<Bit>,
    c_is_sleep: DFF<Bit>,
    c_is_send: DFF<Bit>,
    c_is_wake: DFF<Bit>,
    c_is_push: DFF<Bit>,
    c_is_call: DFF<Bit>,
    c_is_unwind: DFF<Bit>,
    c_is_exit: DFF<Bit>,
    c_is_next: DFF<Bit>,
    c_is_set: DFF<Bit>,
    c_is_jump: DFF<Bit>,
    c_is_parting: DFF<Bit>,
    c_is_part: DFF<Bit>,
    c_is_forced: DFF<Bit>,
    c_is_mask: DFF<Bit>,
    c_calls: DFF<Bit>,
    c_scans: DFF<Bit>,
    c_scanning: DFF<Bit>,
    c_plain: DFF<Bit>,
    c_transfers: DFF<Bit>,
    c_jumps: DFF<Bit>,
    c_stays: DFF<Bit>,
    c_pushes: DFF<Bit>,
    c_pushed: DFF<Bit>,
    c_steps_random: DFF<Bit>,
    // Pipeline register between match and decide: the pass, the state, what was found.
    m_valid: DFF<Bit>,
    m_warp: DFF<Bits<WI>>,
    m_op: DFF<Bits<4>>,
    m_step: DFF<Bits<3>>,
    m_mode: DFF<Bits<3>>,
    m_kind: DFF<Bits<4>>,
    m_selected: DFF<Bits<W>>,
    m_d: DFF<Bits<W>>,
    m_group: DFF<Bits<W>>,
    m_target: DFF<Bits<22>>,
    m_k: DFF<Bits<10>>,
    m_at: DFF<Bits<R>>,
    m_new_size: DFF<Bits<10>>,
    m_head: DFF<Bits<10>>,
    m_depth: DFF<Bits<10>>,
    m_fore: DFF<Bits<R>>,
    m_rear: DFF<Bits<R>>,
    m_stored: DFF<Bits<10>>,
    m_left: DFF<Bits<10>>,
    m_ring: DFF<Bits<R>>,
    m_was_moving: DFF<Bit>,
    m_run: DFF<Bit>,
    m_blocked: DFF<Bit>,
    m_active: DFF<Bits<W>>,
    m_pc: DFF<Bits<22>>,
    m_front_kind: DFF<Bits<4>>,
    m_front_mask: DFF<Bits<W>>,
    m_front_pc: DFF<Bits<22>>,
    m_front_below: DFF<Bits<4>>,
    m_size: DFF<Bits<10>>,
    m_token_kind: DFF<Bits<4>>,
    m_token_same: DFF<Bit>,
    m_token_yield: DFF<Bit>,
    m_token_mask: DFF<Bits<W>>,
    m_token_pc: DFF<Bits<22>>,
    m_token_below: DFF<Bits<4>>,
    m_is_launch: DFF<Bit>,
    m_is_config: DFF<Bit>,
    m_is_unallocated: DFF<Bit>,
    m_is_fault: DFF<Bit>,
    m_is_illegal_op: DFF<Bit>,
    m_is_illegal_kind: DFF<Bit>,
    m_is_leave: DFF<Bit>,
    m_is_branch: DFF<Bit>,
    m_is_yield: DFF<Bit>,
    m_is_sleep: DFF<Bit>,
    m_is_send: DFF<Bit>,
    m_is_wake: DFF<Bit>,
    m_is_push: DFF<Bit>,
    m_is_call: DFF<Bit>,
    m_is_unwind: DFF<Bit>,
    m_is_exit: DFF<Bit>,
    m_is_next: DFF<Bit>,
    m_is_set: DFF<Bit>,
    m_is_jump: DFF<Bit>,
    m_is_parting: DFF<Bit>,
    m_is_part: DFF<Bit>,
    m_vacant: DFF<Bit>,
    m_starting: DFF<Bit>,
    m_selected_any: DFF<Bit>,
    #[always]
    m_d_some: [DFF<Bit>; 4],
    m_reached: DFF<Bits<2>>,
    m_reaches: DFF<Bits<2>>,
    m_rest_any: DFF<Bit>,
    m_after: DFF<Bits<22>>,
    m_fall: DFF<Bits<22>>,
    m_jumps: DFF<Bit>,
    m_front_hit: DFF<Bit>,
    m_front_clear: DFF<Bit>,
    m_k_any: DFF<Bit>,
    m_k_first: DFF<Bit>,
    m_front_leaves: DFF<Bit>,
    m_front_last: DFF<Bit>,
    m_front_resumes: DFF<Bit>,
    m_have_front: DFF<Bit>,
    m_k_last: DFF<Bit>,
    m_due: DFF<Bit>,
    m_begins: DFF<Bit>,
    m_comes: DFF<Bits<W>>,
    m_live_any: DFF<Bit>,
    m_waiting_any: DFF<Bit>,
    m_asleep_any: DFF<Bit>,
    m_masked_any: DFF<Bit>,
    m_front_parts: DFF<Bit>,
    m_drops: DFF<Bit>,
    m_below: DFF<Bits<4>>,
    m_steps_random: DFF<Bit>,
    m_fore_any: DFF<Bit>,
    m_t1_absent: DFF<Bit>,
    m_tk_absent: DFF<Bit>,
    m_at_scratch: DFF<Bit>,
    m_then_k: DFF<Bits<10>>,
    m_then_at: DFF<Bits<R>>,
    m_then_here: DFF<Bit>,
    m_front_full: DFF<Bit>,
    m_back_full: DFF<Bit>,
    m_at_base: DFF<Bit>,
    m_at_bound: DFF<Bit>,
    m_front_at: DFF<Bits<R>>,
    m_back_at: DFF<Bits<R>>,
    m_back_joins: DFF<Bit>,
    m_new_head: DFF<Bits<10>>,
    m_spills: DFF<Bit>,
    m_evicts: DFF<Bit>,
    m_fills: DFF<Bit>,
    m_solid_now: DFF<Bits<R>>,
    m_taken_now: DFF<Bits<R>>,
    m_rear_taken_now: DFF<Bits<R>>,
    m_is_forced: DFF<Bit>,
    m_is_mask: DFF<Bit>,
    m_calls: DFF<Bit>,
    m_d_low: DFF<Bits<P>>,
    m_d_high: DFF<Bits<P>>,
    m_rest_low: DFF<Bits<P>>,
    m_rest_high: DFF<Bits<P>>,
    m_enters: DFF<Bit>,
    m_counts: DFF<Bit>,
    #[always]
    m_reason: [DFF<Bits<W>>; 4],
    m_caught_groups: DFF<Bits<W>>,
    m_uncaught_groups: DFF<Bits<W>>,
    m_apart_groups: DFF<Bits<22>>,
    m_resume_groups: DFF<Bits<22>>,
    m_falls: DFF<Bit>,
    m_scans: DFF<Bit>,
    // Pipeline register between decide and execute: the pass, the state, what is to happen.
    e_valid: DFF<Bit>,
    e_warp: DFF<Bits<WI>>,
    e_op: DFF<Bits<4>>,
    e_step: DFF<Bits<3>>,
    e_mode: DFF<Bits<3>>,
    e_kind: DFF<Bits<4>>,
    e_selected: DFF<Bits<W>>,
    e_d: DFF<Bits<W>>,
    e_group: DFF<Bits<W>>,
    e_target: DFF<Bits<22>>,
    e_k: DFF<Bits<10>>,
    e_at: DFF<Bits<R>>,
    e_new_size: DFF<Bits<10>>,
    e_head: DFF<Bits<10>>,
    e_fore: DFF<Bits<R>>,
    e_rear: DFF<Bits<R>>,
    e_stored: DFF<Bits<10>>,
    e_ring: DFF<Bits<R>>,
    e_was_moving: DFF<Bit>,
    e_moving: DFF<Bit>,
    e_run: DFF<Bit>,
    e_active: DFF<Bits<W>>,
    e_pc: DFF<Bits<22>>,
    e_front_kind: DFF<Bits<4>>,
    e_front_mask: DFF<Bits<W>>,
    e_front_pc: DFF<Bits<22>>,
    e_front_below: DFF<Bits<4>>,
    e_size: DFF<Bits<10>>,
    e_base: DFF<Bits<32>>,
    e_token_kind: DFF<Bits<4>>,
    e_token_mask: DFF<Bits<W>>,
    e_token_pc: DFF<Bits<22>>,
    e_token_below: DFF<Bits<4>>,
    #[always]
    e_reason: [DFF<Bits<W>>; 4],
    e_is_launch: DFF<Bit>,
    e_is_config: DFF<Bit>,
    e_sets_head: DFF<Bit>,
    e_sets_yields: DFF<Bit>,
    e_sets_transfers: DFF<Bit>,
    e_sets_random: DFF<Bit>,
    e_resumes: DFF<Bit>,
    e_after: DFF<Bits<22>>,
    e_fall: DFF<Bits<22>>,
    e_comes: DFF<Bits<W>>,
    e_below: DFF<Bits<4>>,
    e_fore_any: DFF<Bit>,
    e_then_at: DFF<Bits<R>>,
    e_then_here: DFF<Bit>,
    e_new_head: DFF<Bits<10>>,
    e_spills: DFF<Bit>,
    e_evicts: DFF<Bit>,
    e_fills: DFF<Bit>,
    e_job_count: DFF<Bits<R>>,
    e_lead_of: DFF<Bits<R>>,
    e_lead_by: DFF<Bits<10>>,
    e_lead_more: DFF<Bit>,
    e_job_ends: DFF<Bit>,
    e_job_at: DFF<Bits<R>>,
    e_job_area: DFF<Bits<2>>,
    e_job_down: DFF<Bit>,
    e_job_writes: DFF<Bit>,
    e_copied: DFF<Bit>,
    e_solid_now: DFF<Bits<R>>,
    e_taken_now: DFF<Bits<R>>,
    e_rear_taken_now: DFF<Bits<R>>,
    e_back_joins: DFF<Bit>,
    e_then_k: DFF<Bits<10>>,
    e_front_at: DFF<Bits<R>>,
    e_back_at: DFF<Bits<R>>,
    e_follows: DFF<Bit>,
    e_parts_next: DFF<Bit>,
    e_waits_behind: DFF<Bit>,
    e_pops_on: DFF<Bit>,
    e_yields: DFF<Bits<16>>,
    e_yields_full: DFF<Bit>,
    e_clears_yields: DFF<Bit>,
    e_counts_yield: DFF<Bit>,
    e_have_front: DFF<Bit>,
    e_depth: DFF<Bits<10>>,
    e_backward: DFF<Bits<16>>,
    e_backward_full: DFF<Bit>,
    e_clears_backward: DFF<Bit>,
    e_counts_backward: DFF<Bit>,
    e_standstill: DFF<Bits<16>>,
    e_next_random: DFF<Bits<16>>,
    e_next_blocked: DFF<Bit>,
    e_pc_from: DFF<Bits<3>>,
    e_front_from: DFF<Bits<2>>,
    e_push_from: DFF<Bits<3>>,
    e_store_from: DFF<Bits<2>>,
    e_takes: DFF<Bit>,
    e_takes_live: DFF<Bit>,
    e_by_token: DFF<Bit>,
    e_by_front: DFF<Bit>,
    e_stops_caught: DFF<Bit>,
    e_stops: DFF<Bit>,
    e_names_side: DFF<Bit>,
    e_owes_side: DFF<Bit>,
    e_d_first: DFF<Bit>,
    e_new_kind: DFF<Bits<4>>,
    e_push_front: DFF<Bit>,
    e_push_back: DFF<Bit>,
    e_pop: DFF<Bit>,
    e_store: DFF<Bit>,
    e_blocked: DFF<Bit>,
    e_again: DFF<Bit>,
    e_again_step: DFF<Bits<3>>,
    e_again_mode: DFF<Bits<3>>,
    e_forcible: DFF<Bits<2>>,
    e_goes_ready: DFF<Bit>,
    e_done: DFF<Bit>,
    e_dropped: DFF<Bit>,
    e_exception: DFF<Bit>,
    e_cause: DFF<Bits<4>>,
    e_pop_behind: DFF<Bit>,
    // Combinational.
    entry: Entry<NW, WI, W, R>,
    decode: Decode,
    part: Part<W>,
    matching: Match<W, P>,
    locate: Locate<K, B, R>,
    job: Job<K, B, R>,
    decide: Decide<W, P>,
    pass: Execute<W, R>,
    spill: Spill<K, B, R>,
    writes: Writes,
    registers: Registers,
    policy: Policy,
    mover: Mover<NW, WI, WC, W, K, B, R, TA, M>,
    r_k: Signal<Local, Bits<10>>,
    pc_now: Signal<Local, Bits<22>>,
    front_pc: Signal<Local, Bits<22>>,
    r_depth: Signal<Local, Bits<10>>,
    r_at: Signal<Local, Bits<R>>,
    based: Signal<Local, Bit>,
    front_tag: Signal<Local, Bits<8>>,
    store_tag: Signal<Local, Bits<8>>,
    launch_random: Signal<Local, Bits<16>>,
    yields: Signal<Local, Bits<16>>,
    backward: Signal<Local, Bits<16>>,
    standstill: Signal<Local, Bits<16>>,
    random: Signal<Local, Bits<16>>,
    started: Signal<Local, Bits<NW>>,
    ended: Signal<Local, Bits<NW>>,
    launches: Signal<Local, Bit>,
    starts_job: Signal<Local, Bit>,
    moving_now: Signal<Local, Bit>,
    finished: Signal<Local, Bits<NW>>,
    job_started: Signal<Local, Bits<NW>>,
    parks: Signal<Local, Bit>,
    parked: Signal<Local, Bits<NW>>,
    resumed: Signal<Local, Bit>,
    again: Signal<Local, Bit>,
    asks: Signal<Local, Bit>,
    again_mode: Signal<Local, Bits<3>>,
    again_step: Signal<Local, Bits<3>>,
    again_op: Signal<Local, Bits<4>>,
    again_k: Signal<Local, Bits<10>>,
    again_at: Signal<Local, Bits<R>>,
    settles: Signal<Local, Bit>,
    settled: Signal<Local, Bits<NW>>,
    resolved: Signal<Local, Bits<NW>>,
    parking: Signal<Local, Bits<32>>,
    resume_warp: Signal<Local, Bits<WI>>,
    job_base: Signal<Local, Bits<10>>,
    write: Signal<Local, Bit>,
    stores: Signal<Local, Bit>,
    read_at: Signal<Local, Bits<TA>>,
    store_at: Signal<Local, Bits<TA>>,
    token_write: Signal<Local, Bit>,
    token_write_at: Signal<Local, Bits<TA>>,
    token_write_tags: Signal<Local, Bits<8>>,
    token_write_mask: Signal<Local, Bits<W>>,
    token_write_pc: Signal<Local, Bits<22>>,
    // Constants.
    #[value(1.into())]
    one_token: Constant<Bits<10>>,
    #[value(0.into())]
    no_threads: Constant<Bits<W>>,
    #[value(1.into())]
    one_warp: Constant<Bits<NW>>,
    #[value(0.into())]
    no_warps: Constant<Bits<NW>>,
    #[value(1.into())]
    one_count: Constant<Bits<32>>,
    #[value(0.into())]
    no_count: Constant<Bits<32>>,
    #[value(0.into())]
    zero_count: Constant<Bits<16>>,
    #[value(1.into())]
    one_random: Constant<Bits<16>>,
    #[value(16.into())]
    backward_shift: Constant<Bits<6>>,
    #[value(32.into())]
    random_shift: Constant<Bits<6>>,
    #[value(48.into())]
    standstill_shift: Constant<Bits<6>>,
    #[value((R as u64).into())]
    place_bits: Constant<Bits<4>>,
    #[value(4.into())]
    tag_shift: Constant<Bits<4>>,
    #[value(22.into())]
    pc_shift: Constant<Bits<5>>,
    #[value(10.into())]
    depth_shift: Constant<Bits<5>>,
    #[value(20.into())]
    stored_shift: Constant<Bits<5>>,
    #[value(30.into())]
    blocked_shift: Constant<Bits<5>>,
    #[value(1.into())]
    reached_shift: Constant<Bits<2>>,
    #[value(3.into())]
    reaches_shift: Constant<Bits<2>>,
    #[value(4.into())]
    step_shift: Constant<Bits<5>>,
    #[value(7.into())]
    mode_shift: Constant<Bits<5>>,
    #[value(10.into())]
    kind_shift: Constant<Bits<5>>,
    #[value(14.into())]
    k_shift: Constant<Bits<5>>,
    #[value(24.into())]
    at_shift: Constant<Bits<5>>,
    #[value(5.into())]
    seed_shift: Constant<Bits<4>>,
    #[value(10.into())]
    seed_shift_2: Constant<Bits<4>>,
    #[value(1.into())]
    half: Constant<Bits<1>>,
    #[value(u64::from(cause::RECENTER).into())]
    cause_recenter: Constant<Bits<4>>,
}

impl<
        const NW: usize,
        const WI: usize,
        const WC: usize,
        const W: usize,
        const P: usize,
        const K: usize,
        const B: usize,
        const R: usize,
        const TA: usize,
        const M: usize,
    > kernel::Part for Convergence<NW, WI, WC, W, P, K, B, R, TA, M>
{
    #[hdl_gen]
    fn update(&mut self) {
        // ---- Read: what enters, the state of its warp, and one token.
        self.entry.reset.next = self.reset.val();
        self.entry.taken.next = self.busy.q.val() | self.moving.q.val();
        self.entry.busy.next = self.busy.q.val();
        self.entry.engaged.next = self.engaged.q.val();
        self.entry.empty.next = !self.c_valid.q.val()
            & !self.m_valid.q.val()
            & !self.e_valid.q.val()
            & !self.mover.poked.val();
        self.entry.launch_valid.next = self.launch_valid.val();
        self.entry.launch_warp.next = self.launch_warp.val();
        self.entry.launch_pc.next = self.launch_pc.val();
        self.entry.launch_mask.next = self.launch_mask.val();
        self.entry.launch_base.next = self.launch_base.val();
        self.entry.launch_size.next = self.launch_size.val();
        self.entry.resolve_valid.next = self.resolve_valid.val();
        self.entry.resolve_warp.next = self.resolve_warp.val();
        self.entry.resolve_op.next = self.resolve_op.val();
        self.entry.resolve_kind.next = self.resolve_kind.val();
        self.entry.resolve_mask.next = self.resolve_mask.val();
        self.entry.resolve_target.next = self.resolve_target.val();
        self.entry.resolve_moved.next = self.resolve_moved.val();
        self.entry.resolve_pc.next = self.resolve_pc.val();
        self.entry.config_valid.next = self.config_valid.val();
        self.entry.config_write.next = self.config_write.val();
        self.entry.config_warp.next = self.config_warp.val();
        self.entry.config_register.next = self.config_register.val();
        self.entry.config_data.next = self.config_data.val();
        self.launch_ready.next = self.entry.launch_ready.val();
        self.resolve_ready.next = self.entry.resolve_ready.val();
        self.config_ready.next = self.entry.config_ready.val();
        self.deque.read_address.next = self.entry.warp.val();
        self.dues.read_address.next = self.entry.warp.val();
        self.r_depth.next = self.deque.read_data.val().get_bits::<10>(10);
        self.fore.read_address.next = self.entry.warp.val();
        self.solid.read_address.next = self.entry.warp.val();
        self.taken.read_address.next = self.entry.warp.val();
        self.rear.read_address.next = self.entry.warp.val();
        self.rear_taken.read_address.next = self.entry.warp.val();
        self.ring.read_address.next = self.entry.warp.val();
        self.front_place.read_address.next = self.resolve_warp.val();
        self.last_place.read_address.next = self.resolve_warp.val();
        self.further_front.read_address.next = self.entry.further_warp.val();
        self.further_last.read_address.next = self.entry.further_warp.val();
        // A first pass looks at the token behind the front, a yield at the last one;
        // a search goes on from its own place.
        self.r_k.next = self.entry.k.val();
        self.r_at.next = self.front_place.read_data.val();
        if self.entry.further.val() {
            self.r_at.next = self.further_front.read_data.val();
        }
        if self.entry.from_back.val() {
            self.r_k.next = self.r_depth.val() - self.one_token.val();
            self.r_at.next = self.last_place.read_data.val();
            if self.entry.further.val() {
                self.r_at.next = self.further_last.read_data.val();
            }
        }
        if self.entry.goes_on.val() {
            self.r_at.next = self.entry.at.val();
        }
        self.read_at.next = (bit_cast::<TA, WI>(self.entry.warp.val()) << self.place_bits.val())
            | bit_cast::<TA, R>(self.r_at.val());
        self.active.read_address.next = self.entry.warp.val();
        self.pcs.read_address.next = self.entry.warp.val();
        self.front_tags.read_address.next = self.entry.warp.val();
        self.front_mask.read_address.next = self.entry.warp.val();
        self.size.read_address.next = self.entry.warp.val();
        // Asked for a cycle later.
        self.base.read_address.next = self.c_warp.q.val();
        self.counts.read_address.next = self.c_warp.q.val();
        for i in 0..4 {
            self.reason[i].read_address.next = self.entry.warp.val();
        }
        self.token_tags.read_address.next = self.read_at.val();
        self.token_mask.read_address.next = self.read_at.val();
        self.token_pc.read_address.next = self.read_at.val();
        self.decode.op.next = self.entry.op.val();
        self.decode.step.next = self.entry.step.val();
        self.decode.mode.next = self.entry.mode.val();
        self.decode.kind.next = self.entry.kind.val();
        self.c_run.d.next = self.decode.run.val();
        self.c_starting.d.next = self.decode.starting.val();
        self.c_is_launch.d.next = self.decode.is_launch.val();
        self.c_is_config.d.next = self.decode.is_config.val();
        self.c_is_fault.d.next = self.decode.is_fault.val();
        self.c_is_illegal_op.d.next = self.decode.is_illegal_op.val();
        self.c_is_illegal_kind.d.next = self.decode.is_illegal_kind.val();
        self.c_is_leave.d.next = self.decode.is_leave.val();
        self.c_is_branch.d.next = self.decode.is_branch.val();
        self.c_is_yield.d.next = self.decode.is_yield.val();
        self.c_is_sleep.d.next = self.decode.is_sleep.val();
        self.c_is_send.d.next = self.decode.is_send.val();
        self.c_is_wake.d.next = self.decode.is_wake.val();
        self.c_is_push.d.next = self.decode.is_push.val();
        self.c_is_call.d.next = self.decode.is_call.val();
        self.c_is_unwind.d.next = self.decode.is_unwind.val();
        self.c_is_exit.d.next = self.decode.is_exit.val();
        self.c_is_next.d.next = self.decode.is_next.val();
        self.c_is_set.d.next = self.decode.is_set.val();
        self.c_is_jump.d.next = self.decode.is_jump.val();
        self.c_is_parting.d.next = self.decode.is_parting.val();
        self.c_is_part.d.next = self.decode.is_part.val();
        self.c_is_forced.d.next = self.decode.is_forced.val();
        self.c_is_mask.d.next = self.decode.is_mask.val();
        self.c_calls.d.next = self.decode.calls.val();
        self.c_scans.d.next = self.decode.scans.val();
        self.c_scanning.d.next = self.decode.scanning.val();
        self.c_plain.d.next = self.decode.plain.val();
        self.c_transfers.d.next = self.decode.transfers.val();
        self.c_jumps.d.next = self.decode.jumps.val();
        self.c_stays.d.next = self.decode.stays.val();
        self.c_pushes.d.next = self.decode.pushes.val();
        self.c_pushed.d.next = self.decode.pushed.val();
        self.c_steps_random.d.next = self.decode.steps_random.val();
        self.c_valid.d.next = self.entry.valid.val();
        self.c_warp.d.next = self.entry.warp.val();
        self.c_op.d.next = self.entry.op.val();
        self.c_step.d.next = self.entry.step.val();
        self.c_mode.d.next = self.entry.mode.val();
        self.c_kind.d.next = self.entry.kind.val();
        self.c_selected.d.next = self.entry.selected.val();
        self.c_target.d.next = self.entry.target.val();
        // PART is always a further pass.
        self.part.bits.next = self.entry.further_mask.val();
        self.part.cfg_lanes.next = self.cfg.lanes.val();
        self.c_lowest.d.next = self.part.lowest.val();
        self.c_others_any.d.next = self.part.others_any.val();
        self.c_k.d.next = self.r_k.val();
        self.c_at.d.next = self.r_at.val();
        self.c_data.d.next = self.entry.data.val();
        self.c_moving.d.next = self.moving.q.val().get_bit(self.entry.warp.val().index());
        self.c_moved.d.next = self.entry.moved.val();
        self.c_new_size.d.next = self.entry.size.val();
        self.c_blocked.d.next = self.deque.read_data.val().get_bit(30);
        self.c_due.d.next = self.dues.read_data.val().get_bit(0);
        self.c_reached.d.next = self.dues.read_data.val().get_bits::<2>(1);
        self.c_reaches.d.next = self.dues.read_data.val().get_bits::<2>(3);
        self.c_head.d.next = self.deque.read_data.val().get_bits::<10>(0);
        self.c_depth.d.next = self.r_depth.val();
        self.c_fore.d.next = self.fore.read_data.val();
        self.c_solid.d.next = self.solid.read_data.val();
        self.c_taken.d.next = self.taken.read_data.val();
        self.c_rear.d.next = self.rear.read_data.val();
        self.c_rear_taken.d.next = self.rear_taken.read_data.val();
        self.c_stored.d.next = self.deque.read_data.val().get_bits::<10>(20);
        self.c_ring.d.next = self.ring.read_data.val();

        // ---- Match.
        // Nothing reads the base of an idle warp: it need not wait for the launch to be carried out.
        self.based.next = self.c_valid.q.val() & self.c_is_launch.q.val();
        self.base.write_enable.next = self.based.val();
        self.base.write_address.next = self.c_warp.q.val();
        self.base.write_data.next = self.c_data.q.val();
        self.matching.run.next = self.c_run.q.val();
        self.matching.starting.next = self.c_starting.q.val();
        self.matching.is_launch.next = self.c_is_launch.q.val();
        self.matching.is_config.next = self.c_is_config.q.val();
        self.matching.is_leave.next = self.c_is_leave.q.val();
        self.matching.is_yield.next = self.c_is_yield.q.val();
        self.matching.is_send.next = self.c_is_send.q.val();
        self.matching.is_wake.next = self.c_is_wake.q.val();
        self.matching.is_set.next = self.c_is_set.q.val();
        self.matching.is_parting.next = self.c_is_parting.q.val();
        self.matching.is_part.next = self.c_is_part.q.val();
        self.matching.is_exit.next = self.c_is_exit.q.val();
        self.matching.is_sleep.next = self.c_is_sleep.q.val();
        self.matching.calls.next = self.c_calls.q.val();
        self.matching.scanning.next = self.c_scanning.q.val();
        self.matching.transfers.next = self.c_transfers.q.val();
        self.matching.stays.next = self.c_stays.q.val();
        self.matching.pushes.next = self.c_pushes.q.val();
        self.matching.pushed.next = self.c_pushed.q.val();
        self.matching.token_kind.next = self.token_tags.read_data.val().get_bits::<4>(0);
        self.matching.token_mask.next = self.token_mask.read_data.val();
        self.matching.token_pc.next = self.token_pc.read_data.val();
        self.matching.jumps.next = self.c_jumps.q.val();
        self.matching.kind.next = self.c_kind.q.val();
        self.matching.selected.next = self.c_selected.q.val();
        self.matching.target.next = self.c_target.q.val();
        self.matching.k.next = self.c_k.q.val();
        self.matching.depth.next = self.c_depth.q.val();
        self.matching.size_new.next = self.c_new_size.q.val();
        self.matching.active.next = self.active.read_data.val();
        // The warp has moved on since its latest operation, if the resolve says so.
        self.pc_now.next = self.pcs.read_data.val().get_bits::<22>(0);
        self.front_pc.next = self.pcs.read_data.val().get_bits::<22>(22);
        if self.c_moved.q.val() {
            self.pc_now.next = self.c_data.q.val().get_bits::<22>(0);
        }
        self.matching.pc.next = self.pc_now.val();
        self.matching.front_mask.next = self.front_mask.read_data.val();
        self.matching.front_pc.next = self.front_pc.val();
        self.matching.free.next = self.locate.free.val();
        self.matching.left.next = self.locate.left.val();
        self.matching.front_kind.next = self.front_tags.read_data.val().get_bits::<4>(0);
        self.matching.front_below.next = self.front_tags.read_data.val().get_bits::<4>(4);
        self.matching.blocked.next = self.c_blocked.q.val();
        self.matching.lowest.next = self.c_lowest.q.val();
        self.matching.others_any.next = self.c_others_any.q.val();
        for i in 0..4 {
            self.matching.reason[i].next = !self.reason[i].read_data.val();
            self.m_reason[i].d.next = self.reason[i].read_data.val();
            self.m_d_some[i].d.next = self.matching.d_some[i].val();
        }
        self.locate.scans.next = self.c_scans.q.val();
        self.locate.plain.next = self.c_plain.q.val();
        self.locate.size.next = self.size.read_data.val();
        self.locate.moving.next = self.c_moving.q.val();
        self.locate.mode.next = self.c_mode.q.val();
        self.locate.k.next = self.c_k.q.val();
        self.locate.at.next = self.c_at.q.val();
        self.locate.head.next = self.c_head.q.val();
        self.locate.depth.next = self.c_depth.q.val();
        self.locate.fore.next = self.c_fore.q.val();
        self.locate.solid.next = self.c_solid.q.val();
        self.locate.taken.next = self.c_taken.q.val();
        self.locate.rear.next = self.c_rear.q.val();
        self.locate.rear_taken.next = self.c_rear_taken.q.val();
        self.locate.stored.next = self.c_stored.q.val();
        self.locate.ring.next = self.c_ring.q.val();
        self.m_valid.d.next = self.c_valid.q.val();
        self.m_warp.d.next = self.c_warp.q.val();
        self.m_op.d.next = self.c_op.q.val();
        self.m_step.d.next = self.c_step.q.val();
        self.m_mode.d.next = self.c_mode.q.val();
        self.m_kind.d.next = self.c_kind.q.val();
        self.m_selected.d.next = self.matching.chosen.val();
        self.m_caught_groups.d.next = self.matching.caught_groups.val();
        self.m_uncaught_groups.d.next = self.matching.uncaught_groups.val();
        self.m_apart_groups.d.next = self.matching.apart_groups.val();
        self.m_resume_groups.d.next = self.matching.resume_groups.val();
        self.m_falls.d.next = self.matching.falls.val();
        self.m_d.d.next = self.matching.d.val();
        self.m_group.d.next = self.matching.group.val();
        self.m_target.d.next = self.c_target.q.val();
        self.m_k.d.next = self.c_k.q.val();
        self.m_at.d.next = self.c_at.q.val();
        self.m_new_size.d.next = self.c_new_size.q.val();
        self.m_head.d.next = self.c_head.q.val();
        self.m_depth.d.next = self.c_depth.q.val();
        self.m_fore.d.next = self.c_fore.q.val();
        self.m_rear.d.next = self.c_rear.q.val();
        self.m_stored.d.next = self.c_stored.q.val();
        self.m_left.d.next = self.locate.left.val();
        self.m_ring.d.next = self.c_ring.q.val();
        self.m_was_moving.d.next = self.c_moving.q.val();
        self.m_run.d.next = self.c_run.q.val();
        self.m_blocked.d.next = self.c_blocked.q.val();
        self.m_active.d.next = self.active.read_data.val();
        self.m_pc.d.next = self.pc_now.val();
        self.m_front_kind.d.next = self.front_tags.read_data.val().get_bits::<4>(0);
        self.m_front_mask.d.next = self.front_mask.read_data.val();
        self.m_front_pc.d.next = self.front_pc.val();
        self.m_front_below.d.next = self.front_tags.read_data.val().get_bits::<4>(4);
        self.m_size.d.next = self.size.read_data.val();
        self.m_token_kind.d.next = self.token_tags.read_data.val().get_bits::<4>(0);
        self.m_token_same.d.next = self.matching.token_same.val();
        self.m_token_yield.d.next = self.matching.token_yield.val();
        self.m_token_mask.d.next = self.token_mask.read_data.val();
        self.m_token_pc.d.next = self.token_pc.read_data.val();
        self.m_token_below.d.next = self.token_tags.read_data.val().get_bits::<4>(4);
        self.m_is_launch.d.next = self.c_is_launch.q.val();
        self.m_is_config.d.next = self.c_is_config.q.val();
        self.m_is_unallocated.d.next = self.matching.is_unallocated.val();
        self.m_is_fault.d.next = self.c_is_fault.q.val();
        self.m_is_illegal_op.d.next = self.c_is_illegal_op.q.val();
        self.m_is_illegal_kind.d.next = self.c_is_illegal_kind.q.val();
        self.m_is_leave.d.next = self.c_is_leave.q.val();
        self.m_is_branch.d.next = self.c_is_branch.q.val();
        self.m_is_yield.d.next = self.c_is_yield.q.val();
        self.m_is_sleep.d.next = self.c_is_sleep.q.val();
        self.m_is_send.d.next = self.c_is_send.q.val();
        self.m_is_wake.d.next = self.c_is_wake.q.val();
        self.m_is_push.d.next = self.c_is_push.q.val();
        self.m_is_call.d.next = self.c_is_call.q.val();
        self.m_is_unwind.d.next = self.c_is_unwind.q.val();
        self.m_is_exit.d.next = self.c_is_exit.q.val();
        self.m_is_next.d.next = self.c_is_next.q.val();
        self.m_is_set.d.next = self.c_is_set.q.val();
        self.m_is_jump.d.next = self.c_is_jump.q.val();
        self.m_is_parting.d.next = self.c_is_parting.q.val();
        self.m_is_part.d.next = self.c_is_part.q.val();
        self.m_vacant.d.next = self.matching.vacant.val();
        self.m_starting.d.next = self.c_starting.q.val();
        self.m_selected_any.d.next = self.matching.selected_any.val();
        self.m_reached.d.next = self.c_reached.q.val();
        self.m_reaches.d.next = self.c_reaches.q.val();
        self.m_rest_any.d.next = self.matching.rest_any.val();
        self.m_after.d.next = self.matching.after.val();
        self.m_fall.d.next = self.matching.fall.val();
        self.m_jumps.d.next = self.c_jumps.q.val();
        self.m_front_hit.d.next = self.matching.front_hit.val();
        self.m_front_clear.d.next = self.matching.front_clear.val();
        self.m_k_any.d.next = self.matching.k_any.val();
        self.m_k_first.d.next = self.matching.k_first.val();
        self.m_front_leaves.d.next = self.matching.front_leaves.val();
        self.m_front_last.d.next = self.matching.front_last.val();
        self.m_front_resumes.d.next = self.matching.front_resumes.val();
        self.m_have_front.d.next = self.matching.have_front.val();
        self.m_k_last.d.next = self.matching.k_last.val();
        self.m_due.d.next = self.c_due.q.val();
        self.m_begins.d.next = self.matching.begins.val();
        self.m_comes.d.next = self.matching.comes.val();
        self.m_live_any.d.next = self.matching.live_any.val();
        self.m_waiting_any.d.next = self.matching.waiting_any.val();
        self.m_asleep_any.d.next = self.matching.asleep_any.val();
        self.m_masked_any.d.next = self.matching.masked_any.val();
        self.m_front_parts.d.next = self.matching.front_parts.val();
        self.m_drops.d.next = self.matching.drops.val();
        self.m_below.d.next = self.matching.below.val();
        self.m_steps_random.d.next = self.c_steps_random.q.val();
        self.m_fore_any.d.next = self.locate.fore_any.val();
        self.m_t1_absent.d.next = self.locate.t1_absent.val();
        self.m_tk_absent.d.next = self.locate.tk_absent.val();
        self.m_at_scratch.d.next = self.locate.at_scratch.val();
        self.m_then_k.d.next = self.locate.then_k.val();
        self.m_then_at.d.next = self.locate.then_at.val();
        self.m_then_here.d.next = self.locate.then_here.val();
        self.m_front_full.d.next = self.locate.front_full.val();
        self.m_back_full.d.next = self.locate.back_full.val();
        self.m_at_base.d.next = self.locate.at_base.val();
        self.m_at_bound.d.next = self.locate.at_bound.val();
        self.m_front_at.d.next = self.locate.front_at.val();
        self.m_back_at.d.next = self.locate.back_at.val();
        self.m_back_joins.d.next = self.locate.back_joins.val();
        self.m_new_head.d.next = self.locate.new_head.val();
        self.m_spills.d.next = self.locate.spills.val();
        self.m_evicts.d.next = self.locate.evicts.val();
        self.m_fills.d.next = self.locate.fills.val();
        self.m_solid_now.d.next = self.locate.solid_now.val();
        self.m_taken_now.d.next = self.locate.taken_now.val();
        self.m_rear_taken_now.d.next = self.locate.rear_taken_now.val();
        self.m_is_forced.d.next = self.c_is_forced.q.val();
        self.m_is_mask.d.next = self.c_is_mask.q.val();
        self.m_calls.d.next = self.c_calls.q.val();
        self.m_d_low.d.next = self.matching.d_low.val();
        self.m_d_high.d.next = self.matching.d_high.val();
        self.m_rest_low.d.next = self.matching.rest_low.val();
        self.m_rest_high.d.next = self.matching.rest_high.val();
        self.m_enters.d.next = self.matching.enters.val();
        self.m_counts.d.next = self.matching.counts.val();
        self.m_scans.d.next = self.c_scans.q.val();

        // ---- Decide.
        // CONV-052: three copies of the warp number.
        self.yields.next = self.counts.read_data.val().get_bits::<16>(0);
        self.backward.next = self.counts.read_data.val().get_bits::<16>(16);
        self.random.next = self.counts.read_data.val().get_bits::<16>(32);
        self.standstill.next = self.counts.read_data.val().get_bits::<16>(48);
        self.launch_random.next = self.cfg.yield_seed.val()
            ^ bit_cast::<16, WI>(self.m_warp.q.val())
            ^ (bit_cast::<16, WI>(self.m_warp.q.val()) << self.seed_shift.val())
            ^ (bit_cast::<16, WI>(self.m_warp.q.val()) << self.seed_shift_2.val());
        if self.launch_random.val() == self.zero_count.val() {
            self.launch_random.next = self.one_random.val();
        }
        for i in 0..4 {
            self.decide.d_some[i].next = self.m_d_some[i].q.val();
        }
        self.decide.caught_groups.next = self.m_caught_groups.q.val();
        self.decide.uncaught_groups.next = self.m_uncaught_groups.q.val();
        self.decide.apart_groups.next = self.m_apart_groups.q.val();
        self.decide.resume_groups.next = self.m_resume_groups.q.val();
        self.decide.falls.next = self.m_falls.q.val();
        self.decide.kind.next = self.m_kind.q.val();
        self.decide.is_launch.next = self.m_is_launch.q.val();
        self.decide.is_unallocated.next = self.m_is_unallocated.q.val();
        self.decide.is_fault.next = self.m_is_fault.q.val();
        self.decide.is_illegal_op.next = self.m_is_illegal_op.q.val();
        self.decide.is_illegal_kind.next = self.m_is_illegal_kind.q.val();
        self.decide.is_leave.next = self.m_is_leave.q.val();
        self.decide.is_branch.next = self.m_is_branch.q.val();
        self.decide.is_yield.next = self.m_is_yield.q.val();
        self.decide.is_sleep.next = self.m_is_sleep.q.val();
        self.decide.is_send.next = self.m_is_send.q.val();
        self.decide.is_wake.next = self.m_is_wake.q.val();
        self.decide.is_push.next = self.m_is_push.q.val();
        self.decide.is_call.next = self.m_is_call.q.val();
        self.decide.is_unwind.next = self.m_is_unwind.q.val();
        self.decide.is_exit.next = self.m_is_exit.q.val();
        self.decide.is_next.next = self.m_is_next.q.val();
        self.decide.is_set.next = self.m_is_set.q.val();
        self.decide.is_jump.next = self.m_is_jump.q.val();
        self.decide.is_parting.next = self.m_is_parting.q.val();
        self.decide.is_part.next = self.m_is_part.q.val();
        self.decide.is_forced.next = self.m_is_forced.q.val();
        self.decide.is_mask.next = self.m_is_mask.q.val();
        self.decide.calls.next = self.m_calls.q.val();
        self.decide.vacant.next = self.m_vacant.q.val();
        self.decide.starting.next = self.m_starting.q.val();
        self.decide.selected_any.next = self.m_selected_any.q.val();
        self.decide.reached.next = self.m_reached.q.val();
        self.decide.reaches.next = self.m_reaches.q.val();
        self.decide.rest_any.next = self.m_rest_any.q.val();
        self.decide.jumps.next = self.m_jumps.q.val();
        self.decide.front_hit.next = self.m_front_hit.q.val();
        self.decide.front_clear.next = self.m_front_clear.q.val();
        self.decide.front_last.next = self.m_front_last.q.val();
        self.decide.k_last.next = self.m_k_last.q.val();
        self.decide.k_any.next = self.m_k_any.q.val();
        self.decide.k_first.next = self.m_k_first.q.val();
        self.decide.front_resumes.next = self.m_front_resumes.q.val();
        self.decide.live_any.next = self.m_live_any.q.val();
        self.decide.front_leaves.next = self.m_front_leaves.q.val();
        self.decide.waiting_any.next = self.m_waiting_any.q.val();
        self.decide.asleep_any.next = self.m_asleep_any.q.val();
        self.decide.masked_any.next = self.m_masked_any.q.val();
        self.decide.front_parts.next = self.m_front_parts.q.val();
        self.decide.d_low.next = self.m_d_low.q.val();
        self.decide.d_high.next = self.m_d_high.q.val();
        self.decide.rest_low.next = self.m_rest_low.q.val();
        self.decide.rest_high.next = self.m_rest_high.q.val();
        self.decide.enters.next = self.m_enters.q.val();
        self.decide.drops.next = self.m_drops.q.val();
        self.decide.due.next = self.m_due.q.val();
        self.decide.begins.next = self.m_begins.q.val();
        self.decide.steps_random.next = self.m_steps_random.q.val();
        self.decide.launch_random.next = self.launch_random.val();
        self.decide.counts.next = self.m_counts.q.val();
        self.decide.was_blocked.next = self.m_blocked.q.val();
        self.decide.depth.next = self.m_depth.q.val();
        self.decide.have_front.next = self.m_have_front.q.val();
        self.decide.random.next = self.random.val();
        self.decide.token_same.next = self.m_token_same.q.val();
        self.decide.token_yield.next = self.m_token_yield.q.val();
        self.decide.token_below.next = self.m_token_below.q.val();
        self.decide.t1_absent.next = self.m_t1_absent.q.val();
        self.decide.tk_absent.next = self.m_tk_absent.q.val();
        self.decide.at_scratch.next = self.m_at_scratch.q.val();
        self.decide.then_here.next = self.m_then_here.q.val();
        self.decide.front_full.next = self.m_front_full.q.val();
        self.decide.back_full.next = self.m_back_full.q.val();
        self.decide.at_base.next = self.m_at_base.q.val();
        self.decide.at_bound.next = self.m_at_bound.q.val();
        self.decide.cfg_path.next = self.cfg.path.val();
        self.job.mode.next = self.m_mode.q.val();
        self.job.scans.next = self.m_scans.q.val();
        self.job.k.next = self.m_k.q.val();
        self.job.at.next = self.m_at.q.val();
        self.job.fore.next = self.m_fore.q.val();
        self.job.stored.next = self.m_stored.q.val();
        self.job.rear.next = self.m_rear.q.val();
        self.job.left.next = self.m_left.q.val();
        self.job.at_base.next = self.m_at_base.q.val();
        self.job.spills.next = self.m_spills.q.val();
        self.job.evicts.next = self.m_evicts.q.val();
        self.job.fills.next = self.m_fills.q.val();
        self.e_valid.d.next = self.m_valid.q.val();
        self.e_warp.d.next = self.m_warp.q.val();
        self.e_op.d.next = self.m_op.q.val();
        self.e_step.d.next = self.m_step.q.val();
        self.e_mode.d.next = self.m_mode.q.val();
        self.e_kind.d.next = self.m_kind.q.val();
        self.e_selected.d.next = self.m_selected.q.val();
        self.e_d.d.next = self.m_d.q.val();
        self.e_group.d.next = self.m_group.q.val();
        self.e_comes.d.next = self.m_comes.q.val();
        self.e_target.d.next = self.m_target.q.val();
        self.e_k.d.next = self.m_k.q.val();
        self.e_at.d.next = self.m_at.q.val();
        self.e_new_size.d.next = self.m_new_size.q.val();
        self.e_head.d.next = self.m_head.q.val();
        self.e_fore.d.next = self.m_fore.q.val();
        self.e_rear.d.next = self.m_rear.q.val();
        self.e_stored.d.next = self.m_stored.q.val();
        self.e_ring.d.next = self.m_ring.q.val();
        self.e_was_moving.d.next = self.m_was_moving.q.val();
        self.e_moving.d.next = self.moving.q.val().get_bit(self.m_warp.q.val().index())
            & !(self.mover.finished.val()
                & (self.mover.finished_warp.val() == self.m_warp.q.val()));
        self.e_run.d.next = self.m_run.q.val();
        self.e_active.d.next = self.m_active.q.val();
        if self.m_is_launch.q.val() {
            self.e_active.d.next = self.no_threads.val();
        }
        self.e_pc.d.next = self.m_pc.q.val();
        self.e_front_kind.d.next = self.m_front_kind.q.val();
        self.e_front_mask.d.next = self.m_front_mask.q.val();
        self.e_front_pc.d.next = self.m_front_pc.q.val();
        self.e_front_below.d.next = self.m_front_below.q.val();
        self.e_size.d.next = self.m_size.q.val();
        self.e_base.d.next = self.base.read_data.val();
        self.e_token_kind.d.next = self.m_token_kind.q.val();
        self.e_token_mask.d.next = self.m_token_mask.q.val();
        self.e_token_pc.d.next = self.m_token_pc.q.val();
        self.e_token_below.d.next = self.m_token_below.q.val();
        for i in 0..4 {
            self.e_reason[i].d.next = self.m_reason[i].q.val();
            if self.m_is_launch.q.val() {
                self.e_reason[i].d.next = self.no_threads.val();
            }
        }
        self.e_is_launch.d.next = self.m_is_launch.q.val();
        self.e_is_config.d.next = self.m_is_config.q.val();
        self.writes.access.next = self.m_valid.q.val() & self.m_is_config.q.val();
        self.writes.writing.next = self.m_step.q.val().any();
        self.writes.number.next = self.m_kind.q.val();
        self.e_sets_head.d.next = self.writes.sets_head.val();
        self.e_sets_yields.d.next = self.writes.sets_yields.val();
        self.e_sets_transfers.d.next = self.writes.sets_transfers.val();
        self.e_sets_random.d.next = self.writes.sets_random.val();
        self.e_resumes.d.next = self.writes.resumes.val();
        self.e_after.d.next = self.m_after.q.val();
        self.e_fall.d.next = self.m_fall.q.val();
        self.e_below.d.next = self.m_below.q.val();
        self.e_fore_any.d.next = self.m_fore_any.q.val();
        self.e_then_at.d.next = self.m_then_at.q.val();
        self.e_then_here.d.next = self.m_then_here.q.val();
        self.e_new_head.d.next = self.m_new_head.q.val();
        self.e_spills.d.next = self.m_spills.q.val();
        self.e_evicts.d.next = self.m_evicts.q.val();
        self.e_fills.d.next = self.m_fills.q.val();
        self.e_job_count.d.next = self.job.job_count.val();
        self.e_lead_of.d.next = self.job.lead_of.val();
        self.e_lead_by.d.next = self.job.lead_by.val();
        self.e_lead_more.d.next = self.job.lead_more.val();
        self.e_job_ends.d.next = self.job.job_ends.val();
        self.e_job_at.d.next = self.job.job_at.val();
        self.e_job_area.d.next = self.job.job_area.val();
        self.e_job_down.d.next = self.job.job_down.val();
        self.e_job_writes.d.next = self.job.job_writes.val();
        self.e_copied.d.next = self.job.copied.val();
        self.e_solid_now.d.next = self.m_solid_now.q.val();
        self.e_taken_now.d.next = self.m_taken_now.q.val();
        self.e_rear_taken_now.d.next = self.m_rear_taken_now.q.val();
        self.e_back_joins.d.next = self.m_back_joins.q.val();
        self.e_depth.d.next = self.m_depth.q.val();
        self.e_then_k.d.next = self.m_then_k.q.val();
        self.e_front_at.d.next = self.m_front_at.q.val();
        self.e_back_at.d.next = self.m_back_at.q.val();
        self.e_follows.d.next = self.decide.follows.val();
        self.e_parts_next.d.next = self.decide.parts_next.val();
        self.e_waits_behind.d.next = self.decide.waits_behind.val();
        self.e_pops_on.d.next = self.decide.pops_on.val();
        self.e_yields.d.next = self.yields.val();
        self.e_yields_full.d.next = self.yields.val().all();
        self.e_clears_yields.d.next = self.decide.clears_yields.val();
        self.e_counts_yield.d.next = self.decide.counts_yield.val();
        self.e_have_front.d.next = self.m_have_front.q.val();
        self.e_backward.d.next = self.backward.val();
        self.e_backward_full.d.next = self.backward.val().all();
        self.e_clears_backward.d.next = self.decide.clears_backward.val();
        self.e_counts_backward.d.next = self.decide.counts_backward.val();
        self.e_standstill.d.next = self.standstill.val();
        self.e_next_random.d.next = self.decide.next_random.val();
        self.e_next_blocked.d.next = self.decide.next_blocked.val();
        self.e_pc_from.d.next = self.decide.pc_from.val();
        self.e_front_from.d.next = self.decide.front_from.val();
        self.e_push_from.d.next = self.decide.push_from.val();
        self.e_store_from.d.next = self.decide.store_from.val();
        self.e_takes.d.next = self.decide.takes.val();
        self.e_takes_live.d.next = self.decide.takes_live.val();
        self.e_by_token.d.next = self.decide.by_token.val();
        self.e_by_front.d.next = self.decide.by_front.val();
        self.e_stops_caught.d.next = self.decide.stops_caught.val();
        self.e_stops.d.next = self.decide.stops.val();
        self.e_names_side.d.next = self.decide.names_side.val();
        self.e_owes_side.d.next = self.decide.owes_side.val();
        self.e_d_first.d.next = self.decide.d_first.val();
        self.e_new_kind.d.next = self.decide.new_kind.val();
        self.e_push_front.d.next = self.decide.push_front.val();
        self.e_push_back.d.next = self.decide.push_back.val();
        self.e_pop.d.next = self.decide.pop.val();
        self.e_store.d.next = self.decide.store.val();
        self.e_blocked.d.next = self.decide.blocked.val();
        self.e_again.d.next = self.decide.again.val();
        self.e_again_step.d.next = self.decide.again_step.val();
        self.e_again_mode.d.next = self.decide.again_mode.val();
        self.e_forcible.d.next = self.decide.forcible.val();
        self.e_goes_ready.d.next = self.decide.goes_ready.val();
        self.e_done.d.next = self.decide.done.val();
        self.e_dropped.d.next = self.decide.dropped.val();
        self.e_exception.d.next = self.decide.exception.val();
        self.e_cause.d.next = self.decide.cause.val();
        self.e_pop_behind.d.next = self.decide.pop_behind.val();

        // ---- Execute.
        self.pass.op.next = self.e_op.q.val();
        self.pass.is_launch.next = self.e_is_launch.q.val();
        self.pass.selected.next = self.e_selected.q.val();
        self.pass.d.next = self.e_d.q.val();
        self.pass.group.next = self.e_group.q.val();
        self.pass.comes.next = self.e_comes.q.val();
        self.pass.active.next = self.e_active.q.val();
        self.pass.pc.next = self.e_pc.q.val();
        self.pass.target.next = self.e_target.q.val();
        self.pass.fall.next = self.e_fall.q.val();
        self.pass.after.next = self.e_after.q.val();
        self.pass.below.next = self.e_below.q.val();
        self.pass.front_kind.next = self.e_front_kind.q.val();
        self.pass.front_mask.next = self.e_front_mask.q.val();
        self.pass.front_pc.next = self.e_front_pc.q.val();
        self.pass.front_below.next = self.e_front_below.q.val();
        self.pass.token_kind.next = self.e_token_kind.q.val();
        self.pass.token_mask.next = self.e_token_mask.q.val();
        self.pass.token_pc.next = self.e_token_pc.q.val();
        self.pass.token_below.next = self.e_token_below.q.val();
        self.pass.pc_from.next = self.e_pc_from.q.val();
        self.pass.front_from.next = self.e_front_from.q.val();
        self.pass.push_from.next = self.e_push_from.q.val();
        self.pass.store_from.next = self.e_store_from.q.val();
        self.pass.takes.next = self.e_takes.q.val();
        self.pass.takes_live.next = self.e_takes_live.q.val();
        self.pass.by_token.next = self.e_by_token.q.val();
        self.pass.by_front.next = self.e_by_front.q.val();
        self.pass.stops_caught.next = self.e_stops_caught.q.val();
        self.pass.stops.next = self.e_stops.q.val();
        self.pass.names_side.next = self.e_names_side.q.val();
        self.pass.owes_side.next = self.e_owes_side.q.val();
        self.pass.d_first.next = self.e_d_first.q.val();
        self.pass.new_kind.next = self.e_new_kind.q.val();
        self.pass.push_front.next = self.e_push_front.q.val();
        self.pass.pop.next = self.e_pop.q.val();
        self.pass.forcible.next = self.e_forcible.q.val();
        self.pass.goes_ready.next = self.e_goes_ready.q.val();
        self.pass.done.next = self.e_done.q.val();
        self.pass.run.next = self.e_run.q.val();
        self.pass.is_config.next = self.e_is_config.q.val();
        self.pass.depth.next = self.e_depth.q.val();
        self.pass.have_front.next = self.e_have_front.q.val();
        self.pass.push_back.next = self.e_push_back.q.val();
        self.pass.pop_behind.next = self.e_pop_behind.q.val();
        self.pass.exception.next = self.e_exception.q.val();
        self.pass.token_at.next = self.e_at.q.val();
        self.pass.front_at.next = self.e_front_at.q.val();
        self.pass.back_at.next = self.e_back_at.q.val();
        self.pass.parts_next.next = self.e_parts_next.q.val();
        self.pass.waits_behind.next = self.e_waits_behind.q.val();
        self.pass.pops_on.next = self.e_pops_on.q.val();
        self.pass.repeats.next = self.e_again.q.val();
        self.pass.repeat_step.next = self.e_again_step.q.val();
        self.pass.repeat_mode.next = self.e_again_mode.q.val();
        for i in 0..4 {
            self.pass.reason[i].next = !self.e_reason[i].q.val();
        }
        // The job that was in flight when the pass was read may have ended by now.
        self.moving_now.next = self.e_moving.q.val()
            & !(self.mover.finished.val()
                & (self.mover.finished_warp.val() == self.e_warp.q.val()));
        self.spill.mode.next = self.e_mode.q.val();
        self.spill.k.next = self.e_k.q.val();
        self.spill.at.next = self.e_at.q.val();
        self.spill.then_at.next = self.e_then_at.q.val();
        self.spill.then_here.next = self.e_then_here.q.val();
        self.spill.head.next = self.e_head.q.val();
        self.spill.fore.next = self.e_fore.q.val();
        self.spill.solid.next = self.e_solid_now.q.val();
        self.spill.taken.next = self.e_taken_now.q.val();
        self.spill.rear.next = self.e_rear.q.val();
        self.spill.rear_taken.next = self.e_rear_taken_now.q.val();
        self.spill.stored.next = self.e_stored.q.val();
        self.spill.ring.next = self.e_ring.q.val();
        self.spill.depth.next = self.e_depth.q.val();
        self.spill.fore_any.next = self.e_fore_any.q.val();
        self.spill.new_head.next = self.e_new_head.q.val();
        self.spill.copied.next = self.e_copied.q.val();
        self.spill.spills.next = self.e_spills.q.val();
        self.spill.evicts.next = self.e_evicts.q.val();
        self.spill.fills.next = self.e_fills.q.val();
        self.spill.job_count.next = self.e_job_count.q.val();
        self.spill.lead_of.next = self.e_lead_of.q.val();
        self.spill.lead_by.next = self.e_lead_by.q.val();
        self.spill.lead_more.next = self.e_lead_more.q.val();
        self.spill.was_moving.next = self.e_was_moving.q.val();
        self.spill.moving.next = self.moving_now.val();
        self.spill.blocked.next = self.e_blocked.q.val();
        self.spill.launches.next = self.e_is_launch.q.val();
        self.spill.launch_head.next = self.e_new_size.q.val() >> self.half.val();
        self.spill.sets_head.next = self.e_sets_head.q.val();
        self.spill.head_data.next = self.e_target.q.val().get_bits::<10>(0);
        self.spill.push_front.next = self.e_push_front.q.val();
        self.spill.have_front.next = self.e_have_front.q.val();
        self.spill.push_back.next = self.e_push_back.q.val();
        self.spill.back_joins.next = self.e_back_joins.q.val();
        self.spill.back_at.next = self.e_back_at.q.val();
        self.spill.pop.next = self.e_pop.q.val();
        self.spill.pop_behind.next = self.e_pop_behind.q.val();
        self.spill.cfg_recenter.next = self.cfg.recenter.val();
        self.config_done.next = self.e_valid.q.val() & self.e_is_config.q.val();
        self.registers.number.next = self.e_kind.q.val();
        self.registers.head.next = self.e_head.q.val();
        self.registers.depth.next = self.e_depth.q.val();
        // Nothing else asks for the lead of a job when a register is read.
        self.registers.lead.next = self.spill.job_lead.val();
        self.registers.stored.next = self.e_stored.q.val();
        self.registers.base.next = self.e_base.q.val();
        self.registers.size.next = self.e_size.q.val();
        self.registers.yields.next = self.e_yields.q.val();
        self.registers.backward.next = self.e_backward.q.val();
        self.registers.random.next = self.e_next_random.q.val();
        self.config_result.next = self.registers.result.val();
        self.policy.yields.next = self.e_yields.q.val();
        self.policy.yields_full.next = self.e_yields_full.q.val();
        self.policy.clears_yields.next = self.e_clears_yields.q.val();
        self.policy.counts_yield.next = self.e_counts_yield.q.val();
        self.policy.sets_yields.next = self.e_sets_yields.q.val();
        self.policy.backward.next = self.e_backward.q.val();
        self.policy.backward_full.next = self.e_backward_full.q.val();
        self.policy.clears_backward.next = self.e_clears_backward.q.val();
        self.policy.counts_backward.next = self.e_counts_backward.q.val();
        self.policy.standstill.next = self.e_standstill.q.val();
        self.policy.pops.next = self.e_pop.q.val();
        self.policy.sets_transfers.next = self.e_sets_transfers.q.val();
        self.policy.random.next = self.e_next_random.q.val();
        self.policy.sets_random.next = self.e_sets_random.q.val();
        self.policy.value.next = self.e_target.q.val().get_bits::<16>(0);
        self.policy.cfg_yield_every.next = self.cfg.yield_every.val();
        self.policy.cfg_forced_yield.next = self.cfg.forced_yield.val();
        self.policy.cfg_yield_random.next = self.cfg.yield_random.val();
        self.policy.cfg_yield_threshold.next = self.cfg.yield_threshold.val();

        // ---- Write back.
        self.write.next = self.e_valid.q.val();
        self.front_tag.next = (bit_cast::<8, 4>(self.pass.next_front_below.val())
            << self.tag_shift.val())
            | bit_cast::<8, 4>(self.pass.next_front_kind.val());
        self.deque.write_enable.next = self.write.val();
        self.deque.write_address.next = self.e_warp.q.val();
        self.deque.write_data.next = bit_cast::<31, 10>(self.spill.next_head.val())
            | (bit_cast::<31, 10>(self.pass.next_depth.val()) << self.depth_shift.val())
            | (bit_cast::<31, 10>(self.spill.next_stored.val()) << self.stored_shift.val())
            | (bit_cast::<31, 1>(self.e_next_blocked.q.val().into()) << self.blocked_shift.val());
        self.dues.write_enable.next = self.write.val();
        self.dues.write_address.next = self.e_warp.q.val();
        self.dues.write_data.next = bit_cast::<5, 1>(self.policy.due.val().into())
            | (bit_cast::<5, 2>(self.policy.reached.val()) << self.reached_shift.val())
            | (bit_cast::<5, 2>(self.policy.reaches.val()) << self.reaches_shift.val());
        self.active.write_enable.next = self.write.val();
        self.active.write_address.next = self.e_warp.q.val();
        self.active.write_data.next = self.pass.next_active.val();
        self.pcs.write_enable.next = self.write.val();
        self.pcs.write_address.next = self.e_warp.q.val();
        self.pcs.write_data.next = bit_cast::<44, 22>(self.pass.next_pc.val())
            | (bit_cast::<44, 22>(self.pass.next_front_pc.val()) << self.pc_shift.val());
        self.front_tags.write_enable.next = self.write.val();
        self.front_tags.write_address.next = self.e_warp.q.val();
        self.front_tags.write_data.next = self.front_tag.val();
        self.front_mask.write_enable.next = self.write.val();
        self.front_mask.write_address.next = self.e_warp.q.val();
        self.front_mask.write_data.next = self.pass.next_front_mask.val();
        self.counts.write_enable.next = self.write.val();
        self.counts.write_address.next = self.e_warp.q.val();
        self.counts.write_data.next = bit_cast::<64, 16>(self.policy.next_yields.val())
            | (bit_cast::<64, 16>(self.policy.next_backward.val()) << self.backward_shift.val())
            | (bit_cast::<64, 16>(self.policy.next_random.val()) << self.random_shift.val())
            | (bit_cast::<64, 16>(self.policy.next_standstill.val())
                << self.standstill_shift.val());
        self.launches.next = self.e_valid.q.val() & self.e_is_launch.q.val();
        self.size.write_enable.next = self.launches.val();
        self.size.write_address.next = self.e_warp.q.val();
        self.size.write_data.next = self.e_new_size.q.val();
        self.fore.write_enable.next = self.write.val();
        self.fore.write_address.next = self.e_warp.q.val();
        self.fore.write_data.next = self.spill.next_fore.val();
        self.solid.write_enable.next = self.write.val();
        self.solid.write_address.next = self.e_warp.q.val();
        self.solid.write_data.next = self.spill.next_solid.val();
        self.taken.write_enable.next = self.write.val();
        self.taken.write_address.next = self.e_warp.q.val();
        self.taken.write_data.next = self.spill.next_taken.val();
        self.rear.write_enable.next = self.write.val();
        self.rear.write_address.next = self.e_warp.q.val();
        self.rear.write_data.next = self.spill.next_rear.val();
        self.rear_taken.write_enable.next = self.write.val();
        self.rear_taken.write_address.next = self.e_warp.q.val();
        self.rear_taken.write_data.next = self.spill.next_rear_taken.val();
        self.ring.write_enable.next = self.write.val();
        self.ring.write_address.next = self.e_warp.q.val();
        self.ring.write_data.next = self.spill.next_ring.val();
        self.front_place.write_enable.next = self.write.val();
        self.front_place.write_address.next = self.e_warp.q.val();
        self.front_place.write_data.next = self.spill.front_place.val();
        self.further_front.write_enable.next = self.write.val();
        self.further_front.write_address.next = self.e_warp.q.val();
        self.further_front.write_data.next = self.spill.front_place.val();
        self.last_place.write_enable.next = self.write.val();
        self.last_place.write_address.next = self.e_warp.q.val();
        self.last_place.write_data.next = self.spill.last_place.val();
        self.further_last.write_enable.next = self.write.val();
        self.further_last.write_address.next = self.e_warp.q.val();
        self.further_last.write_data.next = self.spill.last_place.val();
        for i in 0..4 {
            self.reason[i].write_enable.next = self.write.val();
            self.reason[i].write_address.next = self.e_warp.q.val();
            self.reason[i].write_data.next = !self.pass.next_reason[i].val();
        }
        // Tokens: from this pass, or else from memory.
        self.stores.next = self.write.val() & self.e_store.q.val();
        self.store_at.next = (bit_cast::<TA, WI>(self.e_warp.q.val()) << self.place_bits.val())
            | bit_cast::<TA, R>(self.pass.store_at.val());
        self.store_tag.next = (bit_cast::<8, 4>(self.pass.store_below.val())
            << self.tag_shift.val())
            | bit_cast::<8, 4>(self.pass.store_kind.val());
        self.token_write.next = self.stores.val() | self.mover.write.val();
        self.token_write_at.next = self.mover.write_at.val();
        self.token_write_tags.next = self.mover.write_tags.val();
        self.token_write_mask.next = self.mover.write_mask.val();
        self.token_write_pc.next = self.mover.write_pc.val();
        if self.stores.val() {
            self.token_write_at.next = self.store_at.val();
            self.token_write_tags.next = self.store_tag.val();
            self.token_write_mask.next = self.pass.store_mask.val();
            self.token_write_pc.next = self.pass.store_pc.val();
        }
        self.token_tags.write_enable.next = self.token_write.val();
        self.token_tags.write_address.next = self.token_write_at.val();
        self.token_tags.write_data.next = self.token_write_tags.val();
        self.token_mask.write_enable.next = self.token_write.val();
        self.token_mask.write_address.next = self.token_write_at.val();
        self.token_mask.write_data.next = self.token_write_mask.val();
        self.token_pc.write_enable.next = self.token_write.val();
        self.token_pc.write_address.next = self.token_write_at.val();
        self.token_pc.write_data.next = self.token_write_pc.val();
        self.mover_tags.write_enable.next = self.token_write.val();
        self.mover_tags.write_address.next = self.token_write_at.val();
        self.mover_tags.write_data.next = self.token_write_tags.val();
        self.mover_mask.write_enable.next = self.token_write.val();
        self.mover_mask.write_address.next = self.token_write_at.val();
        self.mover_mask.write_data.next = self.token_write_mask.val();
        self.mover_pc.write_enable.next = self.token_write.val();
        self.mover_pc.write_address.next = self.token_write_at.val();
        self.mover_pc.write_data.next = self.token_write_pc.val();

        // ---- Jobs of the memory port.
        self.starts_job.next = self.e_valid.q.val() & self.spill.job.val();
        self.job_base.next = self.e_head.q.val();
        if self.spill.job_moved.val() {
            self.job_base.next = self.e_new_head.q.val();
        }
        self.mover.reset.next = self.reset.val();
        self.mover.base_valid.next = self.based.val();
        self.mover.base_warp.next = self.c_warp.q.val();
        self.mover.base_data.next = self.c_data.q.val();
        self.mover.job_valid.next = self.starts_job.val();
        self.mover.job_warp.next = self.e_warp.q.val();
        self.mover.job_writes.next = self.e_job_writes.q.val();
        self.mover.job_count.next = self.e_job_count.q.val();
        self.mover.job_head.next = self.job_base.val();
        self.mover.job_lead.next = self.spill.job_lead.val();
        self.mover.job_ends.next = self.e_job_ends.q.val();
        self.mover.job_ring.next = self.e_ring.q.val();
        self.mover.job_at.next = self.e_job_at.q.val();
        self.mover.job_area.next = self.e_job_area.q.val();
        self.mover.job_down.next = self.e_job_down.q.val();
        self.mover_tags.read_address.next = self.mover.read_at.val();
        self.mover_mask.read_address.next = self.mover.read_at.val();
        self.mover_pc.read_address.next = self.mover.read_at.val();
        self.mover.token_tags.next = self.mover_tags.read_data.val();
        self.mover.token_mask.next = self.mover_mask.read_data.val();
        self.mover.token_pc.next = self.mover_pc.read_data.val();
        self.mover.write_blocked.next = self.stores.val();
        self.mover.poke_valid.next = self.e_resumes.q.val();
        self.mover.poke_warp.next = self.e_warp.q.val();
        SpillRequestPorts::<M, TA>::link(&mut self.spill_request, &mut self.mover.spill_request);
        SpillResponsePorts::<M, TA>::link(&mut self.spill_response, &mut self.mover.spill_response);

        // ---- A further pass: at once, or when the job has ended.
        self.again.next = self.e_valid.q.val() & (self.pass.again.val() | self.spill.again.val());
        // Whether there is one comes late: a parked pass already waits when there may be one.
        self.asks.next = self.e_valid.q.val()
            & (self.e_again.q.val()
                | self.e_parts_next.q.val()
                | self.e_waits_behind.q.val()
                | self.e_pops_on.q.val()
                | self.e_forcible.q.val().get_bit(0)
                | !self.e_run.q.val());
        self.parks.next = self.e_valid.q.val() & self.spill.parks.val();
        self.again_op.next = self.e_op.q.val();
        self.again_step.next = self.e_step.q.val();
        self.again_mode.next = self.spill.again_mode.val();
        self.again_k.next = self.spill.again_k.val();
        self.again_at.next = self.spill.again_at.val();
        if self.e_run.q.val() {
            self.again_op.next = self.pass.again_op.val();
            self.again_step.next = self.pass.again_step.val();
            self.again_mode.next = self.pass.again_mode.val();
            self.again_k.next = self.e_k.q.val();
            self.again_at.next = self.e_at.q.val();
            if self.e_follows.q.val() {
                self.again_k.next = self.e_then_k.q.val();
                self.again_at.next = self.e_then_at.q.val();
            }
        }
        self.parking.next = bit_cast::<32, 4>(self.e_op.q.val())
            | (bit_cast::<32, 3>(self.again_step.val()) << self.step_shift.val())
            | (bit_cast::<32, 3>(self.again_mode.val()) << self.mode_shift.val())
            | (bit_cast::<32, 4>(self.e_kind.q.val()) << self.kind_shift.val())
            | (bit_cast::<32, 10>(self.again_k.val()) << self.k_shift.val())
            | (bit_cast::<32, R>(self.again_at.val()) << self.at_shift.val());
        self.parked_tags.write_enable.next = self.parks.val();
        self.parked_tags.write_address.next = self.e_warp.q.val();
        self.parked_tags.write_data.next = self.parking.val();
        self.parked_mask.write_enable.next = self.parks.val();
        self.parked_mask.write_address.next = self.e_warp.q.val();
        self.parked_mask.write_data.next = self.e_selected.q.val();
        self.parked_target.write_enable.next = self.parks.val();
        self.parked_target.write_address.next = self.e_warp.q.val();
        self.parked_target.write_data.next = self.e_target.q.val();
        self.finished.next = self.no_warps.val();
        if self.mover.finished.val() {
            self.finished.next = self.one_warp.val() << self.mover.finished_warp.val();
        }
        self.job_started.next = self.no_warps.val();
        if self.starts_job.val() {
            self.job_started.next = self.one_warp.val() << self.e_warp.q.val();
        }
        self.parked.next = self.no_warps.val();
        if self.parks.val() {
            self.parked.next = self.one_warp.val() << self.e_warp.q.val();
        }
        self.moving.d.next = (self.moving.q.val() & !self.finished.val()) | self.job_started.val();
        self.waiting.d.next = (self.waiting.q.val() & !self.finished.val()) | self.parked.val();
        self.resumed.next = self.mover.finished.val()
            & self
                .waiting
                .q
                .val()
                .get_bit(self.mover.finished_warp.val().index());
        self.resumes.reset.next = self.reset.val();
        self.resumes.wake_valid.next = self.resumed.val();
        self.resumes.wake_warp.next = self.mover.finished_warp.val();
        // The next one is looked up only when there is none: what is late then ends in a register.
        self.resumes.pick_take.next = !self.resuming.q.val();
        self.resume_warp.next = self.resuming_warp.q.val();
        if self.resuming.q.val() {
            self.resuming.d.next = self.asks.val() | self.entry.closed.val();
        } else {
            self.resume_warp.next = self.resumes.pick_warp.val();
            self.resuming.d.next = self.resumes.pick_valid.val();
        }
        self.resuming_warp.d.next = self.resume_warp.val();
        self.parked_tags.read_address.next = self.resume_warp.val();
        self.parked_mask.read_address.next = self.resume_warp.val();
        self.parked_target.read_address.next = self.resume_warp.val();
        self.entry.again_valid.next = self.again.val()
            | (self.resuming.q.val() & !self.asks.val() & !self.entry.closed.val());
        self.entry.again_warp.next = self.resuming_warp.q.val();
        self.entry.again_op.next = self.parked_tags.read_data.val().get_bits::<4>(0);
        self.entry.again_step.next = self.parked_tags.read_data.val().get_bits::<3>(4);
        self.entry.again_mode.next = self.parked_tags.read_data.val().get_bits::<3>(7);
        self.entry.again_kind.next = self.parked_tags.read_data.val().get_bits::<4>(10);
        self.entry.again_mask.next = self.parked_mask.read_data.val();
        self.entry.again_target.next = self.parked_target.read_data.val();
        self.entry.again_k.next = self.parked_tags.read_data.val().get_bits::<10>(14);
        self.entry.again_at.next = self.parked_tags.read_data.val().get_bits::<R>(24);
        if self.asks.val() {
            self.entry.again_warp.next = self.e_warp.q.val();
            self.entry.again_op.next = self.again_op.val();
            self.entry.again_step.next = self.again_step.val();
            self.entry.again_mode.next = self.again_mode.val();
            self.entry.again_kind.next = self.e_kind.q.val();
            self.entry.again_mask.next = self.pass.again_mask.val();
            self.entry.again_target.next = self.e_target.q.val();
            self.entry.again_k.next = self.again_k.val();
            self.entry.again_at.next = self.again_at.val();
        }

        // ---- Outcome.
        self.wake_valid.next = self.e_valid.q.val() & self.pass.ready.val();
        self.wake_warp.next = self.e_warp.q.val();
        self.retire.valid.next = self.e_valid.q.val() & self.pass.retire.val();
        self.retire.warp.next = self.e_warp.q.val();
        self.retire.op.next = self.e_op.q.val();
        self.retire.pc.next = self.e_pc.q.val();
        self.retire.next_pc.next = self.pass.next_pc.val();
        self.retire.next_mask.next = self.pass.next_active.val();
        self.retire.done.next = self.e_done.q.val();
        self.retire.blocked.next = self.e_next_blocked.q.val();
        self.retire.depth.next = self.pass.next_depth.val();
        self.retire.front_kind.next = self.pass.next_front_kind.val();
        self.retire.front_mask.next = self.pass.next_front_mask.val();
        self.retire.front_pc.next = self.pass.next_front_pc.val();
        self.retire.front_below.next = self.pass.next_front_below.val();
        self.retire.dropped.next = self.e_dropped.q.val();
        self.exception.valid.next =
            self.e_valid.q.val() & (self.e_exception.q.val() | self.spill.stops.val());
        self.exception.warp.next = self.e_warp.q.val();
        self.exception.pc.next = self.e_pc.q.val();
        if self.e_is_launch.q.val() {
            self.exception.pc.next = self.e_target.q.val();
        }
        self.exception.cause.next = self.e_cause.q.val();
        if self.spill.stops.val() {
            self.exception.cause.next = self.cause_recenter.val();
        }
        if self.retire.valid.val() & self.e_dropped.q.val() {
            self.drops.d.next = self.drops.q.val() + self.one_count.val();
        }
        self.status_dropped.next = self.drops.q.val();
        if self.e_valid.q.val() & self.spill.recenters.val() {
            self.recenters.d.next = self.recenters.q.val() + self.one_count.val();
        }
        self.status_recentered.next = self.recenters.q.val();
        // An empty launch mask starts nothing.
        self.started.next = self.no_warps.val();
        if self.entry.launch_taken.val() & self.launch_mask.val().any() {
            self.started.next = self.one_warp.val() << self.launch_warp.val();
        }
        self.ended.next = self.no_warps.val();
        if self.e_valid.q.val() & (self.e_done.q.val() | self.e_exception.q.val()) {
            self.ended.next = self.one_warp.val() << self.e_warp.q.val();
        }
        self.busy.d.next = (self.busy.q.val() & !self.ended.val()) | self.started.val();
        self.status_busy.next = self.busy.q.val();
        self.resolved.next = self.no_warps.val();
        if self.entry.resolve_taken.val() {
            self.resolved.next = self.one_warp.val() << self.resolve_warp.val();
        }
        self.settles.next = self.pass.ready.val()
            | self.e_done.q.val()
            | self.e_exception.q.val()
            | (self.pass.retire.val() & !self.pass.again.val());
        self.settled.next = self.no_warps.val();
        if self.e_valid.q.val() & self.settles.val() {
            self.settled.next = self.one_warp.val() << self.e_warp.q.val();
        }
        self.engaged.d.next =
            (self.engaged.q.val() & !self.settled.val()) | self.started.val() | self.resolved.val();
        self.status_moving.next = self.moving.q.val();

        // ---- Reset wins.
        if self.reset.val() {
            self.c_valid.d.next = false;
            self.m_valid.d.next = false;
            self.e_valid.d.next = false;
            self.resuming.d.next = false;
            self.busy.d.next = self.no_warps.val();
            self.engaged.d.next = self.no_warps.val();
            self.moving.d.next = self.no_warps.val();
            self.waiting.d.next = self.no_warps.val();
            self.drops.d.next = self.no_count.val();
            self.recenters.d.next = self.no_count.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stimulus::{check_with_memories, Datapath, Memory};
    use weft_rtl::settle;

    type Small = Convergence<4, 2, 3, 8, 4, 4, 2, 3, 5, 64>;

    /// Lint, export, `-Wall`, and the same outputs as its Verilog while four warps run random operations.
    #[test]
    fn verilog_agrees() {
        let mut datapath = Datapath::default();
        let mut memory = Memory::default();
        let (mut dones, mut exceptions, mut dropped, mut forced) = (0, 0, 0, 0);
        check_with_memories(
            "weft_convergence",
            Small::default,
            16_000,
            |u, rng, t| {
                u.reset.next = t < 2;
                u.cfg.yield_every.next = 2.into();
                u.cfg.forced_yield.next = 2.into();
                u.cfg.yield_random.next = t >= 12_000;
                u.cfg.yield_threshold.next = 0x8000.into();
                u.cfg.yield_seed.next = 5.into();
                u.cfg.path.next = (t as u64 / 4000).into();
                u.cfg.lanes.next = (1 + t as u64 / 8000).into();
                let launch = if t < 2 { None } else { datapath.launch(rng) };
                u.launch_valid.next = launch.is_some();
                let (warp, pc, mask) = launch.unwrap_or_default();
                u.launch_warp.next = (warp & 3).into();
                u.launch_pc.next = pc.into();
                u.launch_mask.next = (mask & 0xFF).into();
                u.launch_base.next = ((warp & 3) * 64).into();
                u.launch_size.next = (8 + mask % 16).into();
                let offer = if t < 2 { None } else { datapath.offer(rng) };
                u.resolve_valid.next = offer.is_some();
                let r = offer.unwrap_or_default();
                u.resolve_warp.next = r.warp.into();
                u.resolve_op.next = r.op.into();
                u.resolve_kind.next = r.kind.into();
                u.resolve_mask.next = (r.mask & 0xFF).into();
                u.resolve_target.next = r.target.into();
                u.resolve_moved.next = rng.chance(1, 8);
                u.resolve_pc.next = rng.below(8).into();
                u.config_valid.next = rng.chance(1, 16);
                u.config_warp.next = rng.bits();
                u.config_register.next = rng.below(9).into();
                let answer = memory.answer(rng);
                u.spill_request.ready.next = rng.chance(3, 4);
                u.spill_response.valid.next = answer.is_some();
                let (write, tag, data) = answer.unwrap_or_default();
                u.spill_response.write.next = write;
                u.spill_response.tag.next = tag.into();
                u.spill_response.data.next = data.into();
                settle(u);
                if u.spill_request.valid.val() && u.spill_request.ready.val() {
                    memory.request(
                        u.spill_request.write.val(),
                        u.spill_request.address.val().to_u64(),
                        u.spill_request.tag.val().to_u64(),
                        u.spill_request.data.val().to_u64(),
                    );
                }
                if answer.is_some() && u.spill_response.ready.val() {
                    memory.answered();
                }
                if launch.is_some() && u.launch_ready.val() {
                    datapath.launched();
                }
                if offer.is_some() && u.resolve_ready.val() {
                    datapath.taken();
                }
                if u.wake_valid.val() {
                    datapath.issued(u.wake_warp.val().to_u64());
                }
                dones += u32::from(u.retire.valid.val() && u.retire.done.val());
                dropped += u32::from(u.retire.valid.val() && u.retire.dropped.val());
                forced += u32::from(u.retire.valid.val() && u.retire.op.val().to_u64() == 9);
                exceptions += u32::from(u.exception.valid.val());
            },
            |u, level| u.clock.next = level.into(),
        );
        assert!(
            dones > 2 && exceptions > 5 && dropped > 5 && forced > 5,
            "thin run: done {dones}, exceptions {exceptions}, dropped {dropped}, forced {forced}"
        );
        assert!(
            memory.reads > 50 && memory.writes > 50,
            "thin run: {memory:?}"
        );
    }
}
