//! Convergence unit: per-warp program counter, active mask, reasons and token deque.
//!
//! Spec: `docs/spec/convergence.md`, `docs/spec/spill.md`; ports as in `docs/spec/control.md`, and below.
//!
//! # Parameters
//! By name, `hdl/src/sizes.rs`: 2^PLACE_BITS > FRONT + BACK.
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
mod decide_stage;
mod decode;
mod eighths;
mod entry;
mod execute;
mod execute_stage;
mod job;
mod locate;
mod match_stage;
mod matching;
mod mover;
mod outcome;
mod parking;
mod part;
mod place;
mod policy;
mod read_stage;
mod registers;
mod spill;
mod stages;
mod state;

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
pub use stages::{DecideStage, ExecuteStage, MatchStage};

use crate::bundles::{
    ExceptionPorts, PolicyPorts, RetirePorts, SpillRequestPorts, SpillResponsePorts,
};
use crate::hdl::*;
use crate::ports::cause;
use crate::prim::{BlockRam, LutRam, SyncRam, WarpQueue};

#[module(
    requires(WARPS == 1 << WARP_BITS, WARP_COUNT_BITS == WARP_BITS + 1, 2 * THREADS == 1 << THREAD_COUNT_BITS, TAG_BITS == WARP_BITS + PLACE_BITS),
    kernel(
        read_stage::Reading, match_stage::Matching, decide_stage::Deciding,
        execute_stage::Executing, state::WriteBack, parking::Parking, outcome::Outcome
    )
)]
pub struct Convergence {
    /// Everything happens at its rising edge.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high.
    pub reset: Signal<In, Bit>,
    pub cfg: PolicyPorts,
    /// A warp starts; waits while that warp is busy.
    pub launch_valid: Signal<In, Bit>,
    /// It is taken.
    pub launch_ready: Signal<Out, Bit>,
    /// The warp.
    pub launch_warp: Signal<In, Bits<WARP_BITS>>,
    /// Its first address.
    pub launch_pc: Signal<In, Bits<22>>,
    /// Its threads, one at least.
    pub launch_mask: Signal<In, Bits<THREADS>>,
    /// Address of the first token of its allocation, in tokens.
    pub launch_base: Signal<In, Bits<32>>,
    /// Tokens of its allocation.
    pub launch_size: Signal<In, Bits<10>>,
    /// What an instruction turned out to be: exactly one per issue, any number of cycles later.
    pub resolve_valid: Signal<In, Bit>,
    /// It is taken.
    pub resolve_ready: Signal<Out, Bit>,
    /// Its warp.
    pub resolve_warp: Signal<In, Bits<WARP_BITS>>,
    /// Operation: `Op` in `hdl/ports`.
    pub resolve_op: Signal<In, Bits<4>>,
    /// Token type, or cause of a FAULT, or barrier operation.
    pub resolve_kind: Signal<In, Bits<4>>,
    /// The selected threads.
    pub resolve_mask: Signal<In, Bits<THREADS>>,
    /// Target, or address of a PUSH.
    pub resolve_target: Signal<In, Bits<22>>,
    /// `resolve_pc` counts, and not where the warp stands.
    pub resolve_moved: Signal<In, Bit>,
    /// Where the instruction stands.
    pub resolve_pc: Signal<In, Bits<22>>,
    pub retire: RetirePorts,
    pub exception: ExceptionPorts,
    /// Bit w: warp w is running.
    pub status_busy: Signal<Out, Bits<WARPS>>,
    /// Bit w: a job of warp w is in flight at the memory port (SPILL-032).
    pub status_moving: Signal<Out, Bits<WARPS>>,
    /// Pushes that were dropped since reset.
    pub status_dropped: Signal<Out, Bits<32>>,
    /// Recenterings since reset (SPILL-021).
    pub status_recentered: Signal<Out, Bits<32>>,
    pub spill_request: SpillRequestPorts,
    pub spill_response: SpillResponsePorts,
    /// An access to a register of a warp; holds until it is taken.
    pub config_valid: Signal<In, Bit>,
    /// It is taken.
    pub config_ready: Signal<Out, Bit>,
    /// Write, and not read.
    pub config_write: Signal<In, Bit>,
    /// The warp.
    pub config_warp: Signal<In, Bits<WARP_BITS>>,
    /// The register.
    pub config_register: Signal<In, Bits<4>>,
    /// What is written.
    pub config_data: Signal<In, Bits<32>>,
    /// Pulse, four cycles after the transfer.
    pub config_done: Signal<Out, Bit>,
    /// Value of the register before a write, with `config_done`.
    pub config_result: Signal<Out, Bits<32>>,
    /// Pulse: a warp becomes ready for issue.
    pub wake_valid: Signal<Out, Bit>,
    /// The warp.
    pub wake_warp: Signal<Out, Bits<WARP_BITS>>,
    // State: memories by warp.
    active: SyncRam<Bits<THREADS>, WARP_BITS>,
    // pc; address of the front token.
    pcs: SyncRam<Bits<44>, WARP_BITS>,
    front_tags: SyncRam<Bits<8>, WARP_BITS>,
    front_mask: SyncRam<Bits<THREADS>, WARP_BITS>,
    // Yields; backward transfers; random number; those of the transfers since a token was popped.
    counts: BlockRam<64, WARP_BITS>,
    size: SyncRam<Bits<10>, WARP_BITS>,
    base: BlockRam<32, WARP_BITS>,
    // State: reasons, inverted: so that EXIT, which a launch gives to all, is what a flip-flop is reset to.
    reason: [SyncRam<Bits<THREADS>, WARP_BITS>; 4],
    // Head, depth, tokens in memory; blocked.
    deque: LutRam<Bits<31>, WARP_BITS>,
    // What `Policy` says of the next operation: due, reached, reaches.
    dues: LutRam<Bits<5>, WARP_BITS>,
    fore: LutRam<Bits<PLACE_BITS>, WARP_BITS>,
    solid: LutRam<Bits<PLACE_BITS>, WARP_BITS>,
    taken: LutRam<Bits<PLACE_BITS>, WARP_BITS>,
    rear: LutRam<Bits<PLACE_BITS>, WARP_BITS>,
    rear_taken: LutRam<Bits<PLACE_BITS>, WARP_BITS>,
    ring: LutRam<Bits<PLACE_BITS>, WARP_BITS>,
    // State: where the token behind the front and the last one stand, for first passes and for further ones.
    front_place: LutRam<Bits<PLACE_BITS>, WARP_BITS>,
    last_place: LutRam<Bits<PLACE_BITS>, WARP_BITS>,
    further_front: LutRam<Bits<PLACE_BITS>, WARP_BITS>,
    further_last: LutRam<Bits<PLACE_BITS>, WARP_BITS>,
    // State: memory of the tokens behind the front, by {warp, place}, with a port for the pass and one for the mover.
    token_tags: BlockRam<8, TAG_BITS>,
    token_mask: BlockRam<THREADS, TAG_BITS>,
    token_pc: BlockRam<22, TAG_BITS>,
    mover_tags: BlockRam<8, TAG_BITS>,
    mover_mask: BlockRam<THREADS, TAG_BITS>,
    mover_pc: BlockRam<22, TAG_BITS>,
    // State: passes that wait for a job, by warp; the one that goes on next.
    parked_tags: BlockRam<32, WARP_BITS>,
    parked_mask: BlockRam<THREADS, WARP_BITS>,
    parked_target: BlockRam<22, WARP_BITS>,
    resumes: WarpQueue<WARPS, WARP_BITS, WARP_COUNT_BITS>,
    resuming: DFF<Bit>,
    resuming_warp: DFF<Bits<WARP_BITS>>,
    // State: running warps, warps with a job in flight, warps with a parked pass; counts.
    busy: DFF<Bits<WARPS>>,
    engaged: DFF<Bits<WARPS>>,
    moving: DFF<Bits<WARPS>>,
    waiting: DFF<Bits<WARPS>>,
    drops: DFF<Bits<32>>,
    recenters: DFF<Bits<32>>,
    // Registers between the stages.
    to_match: MatchStage<WARP_BITS, THREADS, PLACE_BITS>,
    to_decide: DecideStage<WARP_BITS, THREADS, THREAD_COUNT_BITS, PLACE_BITS>,
    to_execute: ExecuteStage<WARP_BITS, THREADS, PLACE_BITS>,
    // Combinational.
    entry: Entry<WARPS, WARP_BITS, THREADS, PLACE_BITS>,
    decode: Decode,
    part: Part<THREADS>,
    matching: Match<THREADS, THREAD_COUNT_BITS>,
    locate: Locate<FRONT, BACK, PLACE_BITS>,
    job: Job<FRONT, BACK, PLACE_BITS>,
    decide: Decide<THREADS, THREAD_COUNT_BITS>,
    pass: Execute<THREADS, PLACE_BITS>,
    spill: Spill<FRONT, BACK, PLACE_BITS>,
    writes: Writes,
    registers: Registers,
    policy: Policy,
    mover: Mover,
    r_k: Signal<Local, Bits<10>>,
    pc_now: Signal<Local, Bits<22>>,
    front_pc: Signal<Local, Bits<22>>,
    r_depth: Signal<Local, Bits<10>>,
    r_at: Signal<Local, Bits<PLACE_BITS>>,
    based: Signal<Local, Bit>,
    front_tag: Signal<Local, Bits<8>>,
    store_tag: Signal<Local, Bits<8>>,
    launch_random: Signal<Local, Bits<16>>,
    yields: Signal<Local, Bits<16>>,
    backward: Signal<Local, Bits<16>>,
    standstill: Signal<Local, Bits<16>>,
    random: Signal<Local, Bits<16>>,
    started: Signal<Local, Bits<WARPS>>,
    ended: Signal<Local, Bits<WARPS>>,
    launches: Signal<Local, Bit>,
    starts_job: Signal<Local, Bit>,
    moving_now: Signal<Local, Bit>,
    finished: Signal<Local, Bits<WARPS>>,
    job_started: Signal<Local, Bits<WARPS>>,
    parks: Signal<Local, Bit>,
    parked: Signal<Local, Bits<WARPS>>,
    resumed: Signal<Local, Bit>,
    again: Signal<Local, Bit>,
    asks: Signal<Local, Bit>,
    again_mode: Signal<Local, Bits<3>>,
    again_step: Signal<Local, Bits<3>>,
    again_op: Signal<Local, Bits<4>>,
    again_k: Signal<Local, Bits<10>>,
    again_at: Signal<Local, Bits<PLACE_BITS>>,
    settles: Signal<Local, Bit>,
    settled: Signal<Local, Bits<WARPS>>,
    resolved: Signal<Local, Bits<WARPS>>,
    parking: Signal<Local, Bits<32>>,
    resume_warp: Signal<Local, Bits<WARP_BITS>>,
    job_base: Signal<Local, Bits<10>>,
    write: Signal<Local, Bit>,
    stores: Signal<Local, Bit>,
    read_at: Signal<Local, Bits<TAG_BITS>>,
    store_at: Signal<Local, Bits<TAG_BITS>>,
    token_write: Signal<Local, Bit>,
    token_write_at: Signal<Local, Bits<TAG_BITS>>,
    token_write_tags: Signal<Local, Bits<8>>,
    token_write_mask: Signal<Local, Bits<THREADS>>,
    token_write_pc: Signal<Local, Bits<22>>,
    // Constants.
    #[value(1.into())]
    one_token: Constant<Bits<10>>,
    #[value(0.into())]
    no_threads: Constant<Bits<THREADS>>,
    #[value(1.into())]
    one_warp: Constant<Bits<WARPS>>,
    #[value(0.into())]
    no_warps: Constant<Bits<WARPS>>,
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
    #[value((PLACE_BITS as u64).into())]
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
            12_000,
            |u, rng, t| {
                u.reset.next = t < 2;
                u.cfg.yield_every.next = 2.into();
                u.cfg.forced_yield.next = 2.into();
                u.cfg.yield_random.next = t >= 9_000;
                u.cfg.yield_threshold.next = 0x8000.into();
                u.cfg.yield_seed.next = 5.into();
                u.cfg.path.next = (t as u64 / 3000).into();
                u.cfg.lanes.next = (1 + t as u64 / 6000).into();
                let launch = if t < 2 { None } else { datapath.launch(rng) };
                u.launch_valid.next = launch.is_some();
                let (warp, pc, mask) = launch.unwrap_or_default();
                u.launch_warp.next = (warp & 3).into();
                u.launch_pc.next = pc.into();
                // Half of the warps have one thread, so that some end by exits.
                let few = mask >> 20 & 1 == 1;
                let mask = if few { 1 << (mask & 7) } else { mask & 0xFF };
                u.launch_mask.next = mask.into();
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
