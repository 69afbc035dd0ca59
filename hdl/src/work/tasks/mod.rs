//! `weft_tasks`: task management and work distribution.
//! Does one job at a time. A round-robin arbiter chooses the next one, so no job starves.
//!
//! Spec and ports: `docs/spec/tasks.md`.
//!
//! | file | what it is |
//! |---|---|
//! | [`reader`], [`check`], [`arithmetic`] | a descriptor is read and checked, and what its CTAs need is worked out |
//! | [`naming`] | whether it waits for others that name it |
//! | [`lists`], [`table`] | pending tasks, and their places in private memory |
//! | [`slots`] | tasks in slots: rank, eviction, completion |
//! | [`placement`], [`starter`] | where a CTA goes, and what its SM is told |
//! | [`looker`] | PUT and OPEN of queues |
//! | [`limit`] | which tasks in slots are to be killed |
//! | [`completion`] | the writes at the end of a task |
//! | [`spawn`] | launches by threads |
//! | [`registers`] | registers, first error, first fault |
//! | `wires`, `outside`, `turns`, `steps` | the kernel: who has memory and RAM, ports, whose turn it is, and what it does |
//!
//! # Parameters
//! By name, `hdl/src/sizes.rs`: `SLOTS` 1 to 8, `SMS` 1 to 8. `MIX` = 1: CTAs of several tasks share an SM (TASK-056).
//!
//! # Cycle behaviour
//! Of what is due the next one in a round has its turn, and begins in the cycle behind that in which it is due and nothing is under way:
//! the end of a CTA, a fault, LAUNCH, completion, return, load, eviction, start, a queue that gives up its slot, the
//! spawn ring, PUT and OPEN, idle, a task that is to be killed. Descriptors of tasks in slots are in a block RAM, 32 words
//! each; a ninth row is for descriptors that are only inserted.
//!
//! # Invariants
//! Requests of memory under way are all reads or all writes, and but for lines there is one at a time (TASK-110).
//!
//! # Errors
//! TASK-030, TASK-031. `Default` panics when the parameters are not as above.

pub mod arithmetic;
pub mod check;
pub mod completion;
pub mod limit;
pub mod lists;
pub mod looker;
pub mod naming;
mod outside;
pub mod placement;
pub mod reader;
pub mod registers;
pub mod slots;
pub mod spawn;
pub mod starter;
mod steps;
pub mod table;
mod turns;
mod wires;

use crate::hdl::*;
use crate::prim::{FirstOne, Rota, SyncRam};
use crate::work::windows::{WindowRegisters, Windows};
use arithmetic::Arithmetic;
use completion::Completion;
use limit::Limit;
use lists::Lists;
use looker::Looker;
use placement::Placement;
use reader::Reader;
use registers::Registers;
use slots::Slots;
use spawn::Spawn;
use starter::Starter;
use std::array::from_fn;
use table::Table;

/// Kinds of `trace_kind` (TASK-090).
pub mod kind {
    pub const INSERT: u64 = 0;
    pub const LOAD: u64 = 1;
    pub const START: u64 = 2;
    pub const END: u64 = 3;
    pub const EVICT: u64 = 4;
    pub const RETURN: u64 = 5;
    pub const COMPLETE: u64 = 6;
    pub const LOST: u64 = 7;
    pub const KILL: u64 = 8;
    pub const NAME: u64 = 9;
}

/// What the cycle does.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum At {
    /// Nothing is under way: whose turn is it?
    Choose,
    /// A descriptor is read; linked; it is inserted, and then maybe loaded (TASK-045).
    Read,
    Link,
    Inserted,
    Loaded,
    /// One is loaded from its list.
    Load,
    /// The lowest rank is looked for; it is evicted.
    Victim,
    Evict,
    /// The first in rank is looked for, its slot known, a CTA of it started.
    Rank,
    Aim,
    Start,
    /// A task returns to its list.
    Return,
    Returned,
    /// A task is complete: its writes; its dependent is inserted; it is over.
    Complete,
    Write,
    Completed,
    /// PUT and OPEN.
    Look,
    Looked,
    /// A CTA has ended: its slot is known, its place is free, of a queue PUT and OPEN are read.
    End,
    Free,
    EndLooks,
    Ended,
    /// A fault: its slot is known.
    Fault,
    Faulted,
    /// The spawn ring is looked at.
    Spawn,
    /// What was read from its list leaves its place.
    Take,
    /// A task is killed.
    Kill,
    /// Who has the turn begins.
    Go,
}

#[module(
    requires(
        (1..=8).contains(&SLOTS),
        (1..=8).contains(&SMS),
        WARPS < 256,
        THREADS.is_power_of_two() && THREADS <= 64,
        SCRATCHPAD_BYTES.is_power_of_two() && SCRATCHPAD_BYTES >= 128,
        MIX <= 1
    ),
    kernel(
        wires::Memory,
        wires::Shared,
        outside::Slot,
        outside::Sms,
        outside::Said,
        turns::Turns,
        steps::Insert,
        steps::Run,
        steps::Ends
    )
)]
pub struct Tasks {
    /// Everything happens at its rising edge.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high, for one cycle at least.
    pub reset: Signal<In, Bit>,
    /// A word is to be read or written; holds until it is taken.
    pub memory_request: Signal<Out, Bit>,
    /// It is written.
    pub memory_write: Signal<Out, Bit>,
    /// Byte address, a multiple of 4.
    pub memory_address: Signal<Out, Bits<32>>,
    /// What is written.
    pub memory_data: Signal<Out, Bits<32>>,
    /// Requests that follow at once, for the words behind it in its line (TASK-110).
    pub memory_more: Signal<Out, Bits<4>>,
    /// The request is taken in this cycle.
    pub memory_ready: Signal<In, Bit>,
    /// Pulse, in a later cycle: the response to the oldest request without one.
    pub memory_done: Signal<In, Bit>,
    /// It is an error.
    pub memory_error: Signal<In, Bit>,
    /// The word that was read.
    pub memory_read: Signal<In, Bits<32>>,
    /// LAUNCH of a channel; holds until `launch_done`.
    pub launch_request: Signal<In, Bit>,
    /// Address of the descriptor.
    pub launch_descriptor: Signal<In, Bits<32>>,
    /// The command lies wholly at or above THREAD_END (HOST-002).
    pub launch_private: Signal<In, Bit>,
    /// The domain of the channel (HOST-004).
    pub launch_domain: Signal<In, Bits<3>>,
    /// Pulse: it is accepted or refused.
    pub launch_done: Signal<Out, Bit>,
    /// 0: accepted; else what is wrong (TASK-030).
    pub launch_code: Signal<Out, Bits<8>>,
    /// Where it is wrong.
    pub launch_place: Signal<Out, Bits<32>>,
    /// TASK-080; 0 while a launch is asked for.
    pub idle: Signal<Out, Bit>,
    /// Pulse: the host writes a register from 0x300 on.
    pub reg_write: Signal<In, Bit>,
    /// Its address.
    pub reg_address: Signal<In, Bits<12>>,
    /// Its new value.
    pub reg_data: Signal<In, Bits<32>>,
    /// A register from 0x300 on that the host reads.
    pub reg_read_address: Signal<In, Bits<12>>,
    /// Its value, one cycle later.
    pub reg_read_data: Signal<Out, Bits<32>>,
    /// MEMORY_END.
    pub memory_end: Signal<In, Bits<32>>,
    /// THREAD_END.
    pub thread_end: Signal<In, Bits<32>>,
    /// TIME: cycles since reset.
    pub now: Signal<In, Bits<64>>,
    /// For STATUS: tasks in slots.
    pub tasks_in_slots: Signal<Out, Bits<4>>,
    /// For STATUS: a list is not empty.
    pub tasks_listed: Signal<Out, Bit>,
    /// For STATUS: TASK_ERROR is valid.
    pub task_error: Signal<Out, Bit>,
    /// For STATUS: FAULT is valid.
    pub fault: Signal<Out, Bit>,
    /// Pulse: INTERRUPT [16].
    pub interrupt_task_error: Signal<Out, Bit>,
    /// Pulse: INTERRUPT [17].
    pub interrupt_fault: Signal<Out, Bit>,
    /// Pulse: INTERRUPT [18].
    pub interrupt_complete: Signal<Out, Bit>,
    /// Pulse: SPAWNS counts.
    pub count_spawn: Signal<Out, Bit>,
    /// Pulse: DEPENDENTS counts.
    pub count_dependent: Signal<Out, Bit>,
    /// Pulse: CTAS counts.
    pub count_start: Signal<Out, Bit>,
    /// Pulse: CTAS_DONE counts.
    pub count_end: Signal<Out, Bit>,
    /// Pulse: EVICTIONS counts.
    pub count_evict: Signal<Out, Bit>,
    /// Pulse: TASKS_DONE counts.
    pub count_complete: Signal<Out, Bit>,
    // To the SMs.
    /// A word of the CTA that this SM gets next (TASK-100).
    pub word_valid: [Signal<Out, Bit>; SMS],
    /// Which word.
    pub word_index: Signal<Out, Bits<5>>,
    /// The word.
    pub word: Signal<Out, Bits<32>>,
    /// The CTA starts; holds until it is taken.
    pub cta_valid: [Signal<Out, Bit>; SMS],
    /// The SM takes it.
    pub cta_ready: [Signal<In, Bit>; SMS],
    /// The place that it gets.
    pub cta_place: Signal<Out, Bits<4>>,
    /// All that runs there is to end (TASK-133); until it has.
    pub cta_kill: [Signal<Out, Bit>; SMS],
    /// A CTA has ended, with the responses of all its writes (TASK-057); holds until it is taken.
    pub end_valid: [Signal<In, Bit>; SMS],
    /// It is taken.
    pub end_ready: [Signal<Out, Bit>; SMS],
    /// The place of the CTA.
    pub end_place: [Signal<In, Bits<4>>; SMS],
    /// A thread of it had a fault.
    pub end_failed: [Signal<In, Bit>; SMS],
    /// A thread has a fault; before the end of its CTA, holds until it is taken.
    pub report_valid: [Signal<In, Bit>; SMS],
    /// It is taken.
    pub report_ready: [Signal<Out, Bit>; SMS],
    /// The place of the CTA.
    pub report_place: [Signal<In, Bits<4>>; SMS],
    /// The warp of the CTA (TASK-064).
    pub report_warp: [Signal<In, Bits<8>>; SMS],
    /// The thread of the warp.
    pub report_thread: [Signal<In, Bits<6>>; SMS],
    /// Cause, as in MEM-023.
    pub report_cause: [Signal<In, Bits<4>>; SMS],
    /// Byte address of the instruction.
    pub report_pc: [Signal<In, Bits<32>>; SMS],
    /// The address that it wanted.
    pub report_address: [Signal<In, Bits<32>>; SMS],
    /// A step is over (TASK-090).
    pub trace_valid: Signal<Out, Bit>,
    /// Which step.
    pub trace_kind: Signal<Out, Bits<4>>,
    /// Its descriptor.
    pub trace_task: Signal<Out, Bits<32>>,
    /// The task slot.
    pub trace_slot: Signal<Out, Bits<3>>,
    /// 0, or what is wrong.
    pub trace_code: Signal<Out, Bits<8>>,
    /// Where.
    pub trace_place: Signal<Out, Bits<32>>,
    /// 0 channel, 1 spawn ring, 2 dependent.
    pub trace_source: Signal<Out, Bits<2>>,
    /// The SM.
    pub trace_sm: Signal<Out, Bits<SM_BITS>>,
    /// Number of the CTA.
    pub trace_cta: Signal<Out, Bits<32>>,
    /// First position of its entries.
    pub trace_position: Signal<Out, Bits<32>>,
    /// How many entries it has.
    pub trace_entries: Signal<Out, Bits<32>>,
    /// It has failed; a return goes to the head; it was killed by KILL.
    pub trace_flag: Signal<Out, Bit>,
    reader: Reader,
    math: Arithmetic,
    lists: Lists,
    pending: Table,
    slots: Slots<SLOTS>,
    placement: Placement<SMS, SM_BITS, SM_PLACE_BITS>,
    starter: Starter,
    looker: Looker,
    completion: Completion,
    spawn: Spawn,
    registers: Registers<SMS, SM_BITS, SM_REGISTER_BITS, SM_REGISTERS>,
    windows: WindowRegisters,
    // Of who names a descriptor; of the task that starts.
    window_of_source: Windows,
    window_of_task: Windows,
    limit: Limit<SLOTS>,
    // Words of descriptors: slot or 8, word.
    words: SyncRam<Bits<32>, 9>,
    // What is under way, and whose turn it is.
    step: DFF<At>,
    whose: Rota<16, 4>,
    turn: DFF<Bits<4>>,
    accepted: DFF<Bit>,
    // The descriptor that is inserted or loaded, its source, and whether who names it lies above THREAD_END.
    named: DFF<Bits<32>>,
    source: DFF<Bits<2>>,
    high: DFF<Bit>,
    // The domain of who names it.
    domain_id: DFF<Bits<3>>,
    again: DFF<Bit>,
    // It is loaded as soon as it is inserted, into `slot`.
    direct: DFF<Bit>,
    // Its first CTA is made ready before it is inserted.
    early: DFF<Bit>,
    // It goes to the head of its list, and to which: what threads launch is bounded (TASK-025).
    bounded: Signal<Local, Bit>,
    new_level: Signal<Local, Bits<4>>,
    new_head: Signal<Local, Bit>,
    code: DFF<Bits<8>>,
    place: DFF<Bits<32>>,
    slot: DFF<Bits<3>>,
    // A return goes to the head of its list.
    at_head: DFF<Bit>,
    // SM and place of a CTA that has ended or faulted, and its number.
    from_sm: DFF<Bits<SM_BITS>>,
    from_place: DFF<Bits<4>>,
    // The SMs that the last end and the last fault were of.
    last_end: DFF<Bits<SM_BITS>>,
    last_fault: DFF<Bits<SM_BITS>>,
    cta: DFF<Bits<32>>,
    failed: DFF<Bit>,
    // Who ranks first fits nowhere; nobody is to be evicted: until something changes.
    stuck: DFF<Bit>,
    content: DFF<Bit>,
    // Idle has been found out.
    rested: DFF<Bit>,
    spawn_due: DFF<Bit>,
    look_due: DFF<Bits<8>>,
    poll_timer: DFF<Bits<16>>,
    // Combinational.
    ask: Signal<Local, Bit>,
    ask_write: Signal<Local, Bit>,
    ask_address: Signal<Local, Bits<32>>,
    ask_data: Signal<Local, Bits<32>>,
    streams: Signal<Local, Bit>,
    taken: Signal<Local, Bit>,
    told: Signal<Local, Bit>,
    reads: Signal<Local, Bit>,
    due: Signal<Local, Bits<16>>,
    goes_direct: Signal<Local, Bit>,
    ahead: Signal<Local, Bit>,
    comes: Signal<Local, Bit>,
    row: Signal<Local, Bits<4>>,
    word_at: Signal<Local, Bits<5>>,
    write_at: Signal<Local, Bits<5>>,
    changed: Signal<Local, Bit>,
    an_end: Signal<Local, Bit>,
    end_sm: Signal<Local, Bits<SM_BITS>>,
    its_end_place: Signal<Local, Bits<4>>,
    its_end_failed: Signal<Local, Bit>,
    a_fault: Signal<Local, Bit>,
    fault_sm: Signal<Local, Bits<SM_BITS>>,
    its_fault_place: Signal<Local, Bits<4>>,
    its_cause: Signal<Local, Bits<4>>,
    its_thread: Signal<Local, Bits<6>>,
    its_warp: Signal<Local, Bits<8>>,
    its_word: Signal<Local, Bits<32>>,
    its_pc: Signal<Local, Bits<32>>,
    its_address: Signal<Local, Bits<32>>,
    looks: Signal<Local, Bits<8>>,
    slot_bit: Signal<Local, Bits<8>>,
    error: Signal<Local, Bit>,
    ended: Signal<Local, Bit>,
    faulted: Signal<Local, Bit>,
    found_sm: Signal<Local, Bits<SM_BITS>>,
    told_sm: Signal<Local, Bits<SM_BITS>>,
    empty: Signal<Local, Bit>,
    wide_first: Signal<Local, Bits<32>>,
    #[init(from_fn(|s| Constant::new((s as u64).into())))]
    sm_ids: [Constant<Bits<SM_BITS>>; SMS],
    // Wider than a number of an SM, so that none of them is the largest: no comparison is of no effect.
    #[init(from_fn(|s| Constant::new((s as u64).into())))]
    sm_numbers: [Constant<Bits<4>>; SMS],
    latest_end: Signal<Local, Bits<4>>,
    latest_fault: Signal<Local, Bits<4>>,
    #[value(MIX == 1)]
    k_mix: Constant<Bit>,
    #[value((WARPS as u64).into())]
    k_warps: Constant<Bits<8>>,
    #[value(((WARPS * THREADS) as u64).into())]
    k_threads: Constant<Bits<32>>,
    #[value((SCRATCHPAD_BYTES as u64).into())]
    k_scratch: Constant<Bits<32>>,
    #[value((THREADS as u64 - 1).into())]
    k_warp_round: Constant<Bits<32>>,
    #[value(u64::from(THREADS.ilog2()).into())]
    k_warp_bits: Constant<Bits<3>>,
    #[value((SCRATCHPAD_BYTES as u64 / 32 - 1).into())]
    k_granule_round: Constant<Bits<32>>,
    #[value(u64::from((SCRATCHPAD_BYTES / 32).ilog2()).into())]
    k_granule_bits: Constant<Bits<4>>,
    look_first: FirstOne<8, 3>,
}
