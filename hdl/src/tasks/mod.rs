//! `weft_tasks`: task management and work distribution.
//! What there is to do is done one after the other; whose turn it is goes round, so nothing is put off for ever.
//!
//! Spec and ports: `docs/spec/tasks.md`.
//!
//! | file | what it is |
//! |---|---|
//! | [`reader`], [`check`], [`arithmetic`] | a descriptor is read and checked, and what its CTAs need is worked out |
//! | [`lists`] | pending tasks |
//! | [`slots`] | tasks in slots: rank, eviction, completion |
//! | [`placement`], [`starter`] | where a CTA goes, and what its SM is told |
//! | [`looker`] | PUT and OPEN of queues |
//! | [`completion`] | the writes at the end of a task |
//! | [`spawn`] | launches by threads |
//! | [`registers`] | registers, first error, first fault |
//!
//! # Parameters
//! `T` slots, 1 to 8; `S` SMs, 1 to 4; `NW` warps of an SM, `W` threads of a warp; `SCRATCH` bytes of an SM's scratchpad;
//! `MIX` = 1: CTAs of several tasks share an SM (TASK-056).
//!
//! # Cycle behaviour
//! Each cycle in which nothing is under way looks at one thing that could be due (`turn`), and does it if it is:
//! the end of a CTA, a fault, LAUNCH, completion, return, load, eviction, start, a queue that gives up its slot, the
//! spawn ring, PUT and OPEN, idle. Descriptors of tasks in slots are in a block RAM, 32 words each; a ninth row is for
//! descriptors that are inserted.
//!
//! # Invariants
//! One read or write of memory is under way at a time.
//!
//! # Errors
//! TASK-030, TASK-031. `Default` panics when the parameters are not as above.

pub mod arithmetic;
pub mod check;
pub mod completion;
pub mod lists;
pub mod looker;
pub mod placement;
pub mod reader;
pub mod registers;
pub mod slots;
pub mod spawn;
pub mod starter;

use crate::hdl::*;
use crate::prim::SyncRam;
use arithmetic::Arithmetic;
use completion::Completion;
use lists::Lists;
use looker::Looker;
use placement::Placement;
use reader::Reader;
use registers::Registers;
use slots::Slots;
use spawn::Spawn;
use starter::Starter;
use std::array::from_fn;

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
}

#[derive(LogicBlock)]
pub struct Tasks<
    const T: usize,
    const S: usize,
    const NW: usize,
    const W: usize,
    const SCRATCH: usize,
    const MIX: usize,
> {
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
    /// The request is taken in this cycle.
    pub memory_ready: Signal<In, Bit>,
    /// Pulse, in a later cycle: the response to the request.
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
    pub word_valid: [Signal<Out, Bit>; S],
    /// Which word.
    pub word_index: Signal<Out, Bits<5>>,
    /// The word.
    pub word: Signal<Out, Bits<32>>,
    /// The CTA starts; holds until it is taken.
    pub cta_valid: [Signal<Out, Bit>; S],
    /// The SM takes it.
    pub cta_ready: [Signal<In, Bit>; S],
    /// The place that it gets.
    pub cta_place: Signal<Out, Bits<4>>,
    /// A CTA has ended, with the responses of all its writes (TASK-057); holds until it is taken.
    pub end_valid: [Signal<In, Bit>; S],
    /// It is taken.
    pub end_ready: [Signal<Out, Bit>; S],
    /// The place of the CTA.
    pub end_place: [Signal<In, Bits<4>>; S],
    /// A thread of it had a fault.
    pub end_failed: [Signal<In, Bit>; S],
    /// A thread has a fault; before the end of its CTA, holds until it is taken.
    pub report_valid: [Signal<In, Bit>; S],
    /// It is taken.
    pub report_ready: [Signal<Out, Bit>; S],
    /// The place of the CTA.
    pub report_place: [Signal<In, Bits<4>>; S],
    /// The slot of the warp.
    pub report_slot: [Signal<In, Bits<8>>; S],
    /// The thread of the warp.
    pub report_thread: [Signal<In, Bits<6>>; S],
    /// Cause, as in MEM-023.
    pub report_cause: [Signal<In, Bits<4>>; S],
    /// Byte address of the instruction.
    pub report_pc: [Signal<In, Bits<32>>; S],
    /// The address that it wanted.
    pub report_address: [Signal<In, Bits<32>>; S],
    /// A step is over (TASK-090).
    pub trace_valid: Signal<Out, Bit>,
    /// Which step.
    pub trace_kind: Signal<Out, Bits<3>>,
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
    pub trace_sm: Signal<Out, Bits<2>>,
    /// Number of the CTA.
    pub trace_cta: Signal<Out, Bits<32>>,
    /// First position of its entries.
    pub trace_position: Signal<Out, Bits<32>>,
    /// How many entries it has.
    pub trace_entries: Signal<Out, Bits<32>>,
    /// It has failed; a return goes to the head.
    pub trace_flag: Signal<Out, Bit>,
    reader: Reader,
    math: Arithmetic,
    lists: Lists,
    slots: Slots<T>,
    placement: Placement<S>,
    starter: Starter,
    looker: Looker,
    completion: Completion,
    spawn: Spawn,
    registers: Registers<S>,
    // Words of descriptors: slot or 8, word.
    words: SyncRam<Bits<32>, 9>,
    // What is under way: states of the kernel below. Whose turn it is.
    step: DFF<Bits<5>>,
    turn: DFF<Bits<4>>,
    accepted: DFF<Bit>,
    // The descriptor that is inserted or loaded, its source, and whether who names it lies above THREAD_END.
    named: DFF<Bits<32>>,
    source: DFF<Bits<2>>,
    high: DFF<Bit>,
    again: DFF<Bit>,
    code: DFF<Bits<8>>,
    place: DFF<Bits<32>>,
    slot: DFF<Bits<3>>,
    // A return goes to the head of its list.
    at_head: DFF<Bit>,
    started: DFF<Bits<32>>,
    // SM and place of a CTA that has ended or faulted, and its number.
    from_sm: DFF<Bits<2>>,
    from_place: DFF<Bits<4>>,
    cta: DFF<Bits<32>>,
    failed: DFF<Bit>,
    // Who ranks first fits nowhere; nobody is to be evicted: until something changes.
    stuck: DFF<Bit>,
    content: DFF<Bit>,
    // Idle has been found out.
    rested: DFF<Bit>,
    spawn_due: DFF<Bit>,
    look_due: DFF<Bits<8>>,
    timer: DFF<Bits<16>>,
    // Combinational.
    ask: Signal<Local, Bit>,
    ask_write: Signal<Local, Bit>,
    ask_address: Signal<Local, Bits<32>>,
    ask_data: Signal<Local, Bits<32>>,
    told: Signal<Local, Bit>,
    row: Signal<Local, Bits<4>>,
    word_at: Signal<Local, Bits<5>>,
    write_at: Signal<Local, Bits<5>>,
    changed: Signal<Local, Bit>,
    an_end: Signal<Local, Bit>,
    end_sm: Signal<Local, Bits<2>>,
    its_end_place: Signal<Local, Bits<4>>,
    its_end_failed: Signal<Local, Bit>,
    a_fault: Signal<Local, Bit>,
    fault_sm: Signal<Local, Bits<2>>,
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
    found_sm: Signal<Local, Bits<2>>,
    empty: Signal<Local, Bit>,
    wide_first: Signal<Local, Bits<32>>,
    sm_ids: [Constant<Bits<2>>; S],
    k_mix: Constant<Bit>,
    k_warps: Constant<Bits<8>>,
    k_threads: Constant<Bits<32>>,
    k_scratch: Constant<Bits<32>>,
    k_warp_round: Constant<Bits<32>>,
    k_warp_bits: Constant<Bits<3>>,
    k_granule_round: Constant<Bits<32>>,
    k_granule_bits: Constant<Bits<4>>,
    look_first: crate::prim::FirstOne<8, 3>,
}

impl<
        const T: usize,
        const S: usize,
        const NW: usize,
        const W: usize,
        const SCRATCH: usize,
        const MIX: usize,
    > Default for Tasks<T, S, NW, W, SCRATCH, MIX>
{
    fn default() -> Self {
        assert!(
            (1..=8).contains(&T)
                && (1..=4).contains(&S)
                && NW < 256
                && W.is_power_of_two()
                && W <= 64
                && MIX <= 1,
            "Tasks<{T}, {S}, {NW}, {W}, {SCRATCH}, {MIX}>"
        );
        let granule = SCRATCH / 32;
        assert!(
            SCRATCH.is_power_of_two() && granule >= 4,
            "Tasks: {SCRATCH} bytes of scratchpad"
        );
        block!({
            clock, reset, memory_request, memory_write, memory_address, memory_data, memory_ready, memory_done,
            memory_error, memory_read, launch_request, launch_descriptor, launch_private, launch_done, launch_code,
            launch_place, idle, reg_write, reg_address, reg_data, reg_read_address, reg_read_data, memory_end,
            thread_end, now, tasks_in_slots, tasks_listed, task_error, fault, interrupt_task_error,
            interrupt_fault, interrupt_complete, count_spawn, count_dependent, count_start, count_end, count_evict,
            count_complete, word_index, word, cta_place, trace_valid, trace_kind, trace_task, trace_slot,
            trace_code, trace_place, trace_source, trace_sm, trace_cta, trace_position, trace_entries, trace_flag,
            reader, math, lists, slots, placement, starter, looker, completion, spawn, registers, words, step, turn,
            accepted, named, source, high, again, code, place, slot, at_head, started, from_sm, from_place, cta,
            failed, stuck, content, rested, spawn_due, look_due, timer, ask, ask_write, ask_address, ask_data, told,
            row, word_at, write_at, changed, an_end, end_sm, its_end_place, its_end_failed, a_fault, fault_sm,
            its_fault_place, its_cause, its_thread, its_warp, its_word, its_pc, its_address, looks, slot_bit, error, ended, faulted, found_sm, empty,
            wide_first, look_first,
        } {
            word_valid: from_fn(|_| Default::default()),
            cta_valid: from_fn(|_| Default::default()),
            cta_ready: from_fn(|_| Default::default()),
            end_valid: from_fn(|_| Default::default()),
            end_ready: from_fn(|_| Default::default()),
            end_place: from_fn(|_| Default::default()),
            end_failed: from_fn(|_| Default::default()),
            report_valid: from_fn(|_| Default::default()),
            report_ready: from_fn(|_| Default::default()),
            report_place: from_fn(|_| Default::default()),
            report_slot: from_fn(|_| Default::default()),
            report_thread: from_fn(|_| Default::default()),
            report_cause: from_fn(|_| Default::default()),
            report_pc: from_fn(|_| Default::default()),
            report_address: from_fn(|_| Default::default()),
            sm_ids: from_fn(|s| Constant::new((s as u64).into())),
            k_mix: Constant::new(MIX == 1),
            k_warps: Constant::new((NW as u64).into()),
            k_threads: Constant::new(((NW * W) as u64).into()),
            k_scratch: Constant::new((SCRATCH as u64).into()),
            k_warp_round: Constant::new((W as u64 - 1).into()),
            k_warp_bits: Constant::new(u64::from(W.ilog2()).into()),
            k_granule_round: Constant::new((granule as u64 - 1).into()),
            k_granule_bits: Constant::new(u64::from(granule.ilog2()).into()),
        })
    }
}

impl<
        const T: usize,
        const S: usize,
        const NW: usize,
        const W: usize,
        const SCRATCH: usize,
        const MIX: usize,
    > Logic for Tasks<T, S, NW, W, SCRATCH, MIX>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clock, step, turn, accepted, named, source, high, again, code, place, slot,
            at_head, started, from_sm, from_place, cta, failed, stuck, content, rested, spawn_due,
            look_due, timer
        );
        clock!(
            self, clock, reader, math, lists, slots, placement, starter, looker, completion, spawn,
            registers, words
        );
        self.reader.reset.next = self.reset.val();
        self.math.reset.next = self.reset.val();
        self.lists.reset.next = self.reset.val();
        self.slots.reset.next = self.reset.val();
        self.placement.reset.next = self.reset.val();
        self.starter.reset.next = self.reset.val();
        self.looker.reset.next = self.reset.val();
        self.completion.reset.next = self.reset.val();
        self.spawn.reset.next = self.reset.val();
        self.registers.reset.next = self.reset.val();

        // ---- Memory: at most one of them asks.
        self.ask.next = self.reader.ask.val()
            | self.lists.ask.val()
            | self.starter.ask.val()
            | self.looker.ask.val()
            | self.completion.ask.val()
            | self.spawn.ask.val();
        self.ask_write.next = self.reader.ask_write.val();
        self.ask_address.next = self.reader.ask_address.val();
        self.ask_data.next = self.reader.ask_data.val();
        if self.lists.ask.val() {
            self.ask_write.next = true;
            self.ask_address.next = self.lists.ask_address.val();
            self.ask_data.next = self.lists.ask_data.val();
        }
        if self.starter.ask.val() {
            self.ask_write.next = true;
            self.ask_address.next = self.starter.ask_address.val();
            self.ask_data.next = self.starter.ask_data.val();
        }
        if self.looker.ask.val() {
            self.ask_write.next = false;
            self.ask_address.next = self.looker.ask_address.val();
        }
        if self.completion.ask.val() {
            self.ask_write.next = true;
            self.ask_address.next = self.completion.ask_address.val();
            self.ask_data.next = self.completion.ask_data.val();
        }
        if self.spawn.ask.val() {
            self.ask_write.next = self.spawn.ask_write.val();
            self.ask_address.next = self.spawn.ask_address.val();
            self.ask_data.next = 0.into();
        }
        self.memory_request.next = self.ask.val() & !self.accepted.q.val();
        self.memory_write.next = self.ask_write.val();
        self.memory_address.next = self.ask_address.val();
        self.memory_data.next = self.ask_data.val();
        if self.memory_request.val() & self.memory_ready.val() {
            self.accepted.d.next = true;
        }
        self.told.next = self.accepted.q.val() & self.memory_done.val();
        if self.told.val() {
            self.accepted.d.next = false;
        }
        self.reader.told.next = self.told.val();
        self.reader.told_error.next = self.memory_error.val();
        self.reader.told_data.next = self.memory_read.val();
        self.lists.told.next = self.told.val();
        self.lists.told_error.next = self.memory_error.val();
        self.starter.told.next = self.told.val();
        self.starter.told_error.next = self.memory_error.val();
        self.looker.told.next = self.told.val();
        self.looker.told_error.next = self.memory_error.val();
        self.looker.told_data.next = self.memory_read.val();
        self.completion.told.next = self.told.val();
        self.completion.told_error.next = self.memory_error.val();
        self.spawn.told.next = self.told.val();
        self.spawn.told_error.next = self.memory_error.val();
        self.spawn.told_data.next = self.memory_read.val();

        // ---- RAM of descriptors: of the one that is inserted row 8, else that of the slot.
        self.row.next = bit_cast::<4, 3>(self.slot.q.val());
        if self.step.q.val() == 1 {
            self.row.next = 8.into();
        }
        self.word_at.next = self.starter.ram_read_at.val();
        if (self.step.q.val() == 1) | (self.step.q.val() == 4) {
            self.word_at.next = self.reader.ram_read_at.val();
        }
        if self.step.q.val() == 8 {
            self.word_at.next = 26.into();
        }
        if (self.step.q.val() == 11) | (self.step.q.val() == 12) {
            self.word_at.next = self.completion.ram_read_at.val();
        }
        if (self.step.q.val() == 14) | (self.step.q.val() == 18) {
            self.word_at.next = self.looker.ram_read_at.val();
        }
        self.words.read_address.next =
            (bit_cast::<9, 4>(self.row.val()) << 5) | bit_cast::<9, 5>(self.word_at.val());
        self.write_at.next = self.reader.ram_write_at.val();
        self.words.write_data.next = self.reader.ram_write_data.val();
        if self.starter.ram_write.val() {
            self.write_at.next = self.starter.ram_write_at.val();
            self.words.write_data.next = self.starter.ram_write_data.val();
        }
        if self.looker.ram_write.val() {
            self.write_at.next = self.looker.ram_write_at.val();
            self.words.write_data.next = self.looker.ram_write_data.val();
        }
        self.words.write_enable.next = self.reader.ram_write.val()
            | self.starter.ram_write.val()
            | self.looker.ram_write.val();
        self.words.write_address.next =
            (bit_cast::<9, 4>(self.row.val()) << 5) | bit_cast::<9, 5>(self.write_at.val());
        self.reader.ram_data.next = self.words.read_data.val();
        self.starter.ram_data.next = self.words.read_data.val();
        self.looker.ram_data.next = self.words.read_data.val();
        self.completion.ram_data.next = self.words.read_data.val();

        // ---- Arithmetic.
        self.math.start.next = self.reader.math_start.val() | self.spawn.math_start.val();
        self.math.divide.next = self.reader.math_divide.val() | self.spawn.math_start.val();
        self.math.a.next = self.reader.math_a.val();
        self.math.b.next = self.reader.math_b.val();
        if self.spawn.math_start.val() {
            self.math.a.next = self.spawn.math_a.val();
            self.math.b.next = self.spawn.math_b.val();
        }
        self.reader.math_done.next = self.math.done.val();
        self.reader.math_result.next = self.math.result.val();
        self.reader.math_rest.next = self.math.rest.val();
        self.reader.math_over.next = self.math.over.val();
        self.spawn.math_done.next = self.math.done.val();
        self.spawn.math_rest.next = self.math.rest.val();

        // ---- Settings.
        self.reader.again.next = self.again.q.val();
        self.reader.high.next = self.high.q.val();
        self.reader.address.next = self.named.q.val();
        self.reader.memory_end.next = self.memory_end.val();
        self.reader.thread_end.next = self.thread_end.val();
        self.reader.local_limit.next = self.registers.local_limit.val();
        self.reader.most_threads.next = self.k_threads.val();
        self.reader.most_scratchpad.next = self.k_scratch.val();
        self.reader.warp_round.next = self.k_warp_round.val();
        self.reader.warp_bits.next = self.k_warp_bits.val();
        self.reader.granule_round.next = self.k_granule_round.val();
        self.reader.granule_bits.next = self.k_granule_bits.val();
        self.spawn.set_base.next = self.reg_write.val() & (self.reg_address.val() == 0x380);
        self.spawn.set_number.next = self.reg_write.val() & (self.reg_address.val() == 0x384);
        self.spawn.data.next = self.reg_data.val();
        self.spawn.thread_end.next = self.thread_end.val();
        self.registers.write.next = self.reg_write.val();
        self.registers.address.next = self.reg_address.val();
        self.registers.data.next = self.reg_data.val();
        self.registers.read_address.next = self.reg_read_address.val();
        self.reg_read_data.next = self.registers.read_data.val();
        self.registers.spawn_base.next = self.spawn.base.val();
        self.registers.spawn_number.next = self.spawn.number.val();
        self.placement.show.next = self.registers.show.val();
        self.registers.occupancy.next = self.placement.occupancy.val();
        self.placement.mix.next = self.k_mix.val();
        self.placement.all_warps.next = self.k_warps.val();
        self.completion.now.next = self.now.val();

        // ---- The slot at hand.
        self.slots.at.next = self.slot.q.val();
        self.slots.load.next = false;
        self.slots.new_task.next = self.named.q.val();
        self.slots.new_level.next = self.reader.level.val();
        self.slots.new_queue.next = self.reader.queue.val();
        self.slots.new_left.next = self.reader.left.val();
        self.slots.new_open.next = self.reader.open.val();
        self.slots.new_failed.next = self.reader.failed.val();
        self.slots.start.next = false;
        self.slots.ended.next = false;
        self.slots.end_failed.next = self.failed.q.val();
        self.slots.evict.next = false;
        self.slots.free.next = false;
        self.slots.look.next = false;
        self.slots.set_left.next = self.looker.left.val();
        self.slots.set_open.next = self.looker.open.val();
        self.slots.set_broken.next = self.looker.broken.val();
        self.slots.scan.next = false;
        self.starter.descriptor.next = self.slots.descriptor.val();
        self.starter.queue.next = self.slots.queue.val();
        self.looker.descriptor.next = self.slots.descriptor.val();
        self.completion.descriptor.next = self.slots.descriptor.val();
        self.completion.failed.next = self.slots.failed.val();
        self.reader.start.next = false;
        self.starter.start.next = false;
        self.looker.start.next = false;
        self.completion.start.next = false;
        self.spawn.start.next = false;
        self.spawn.may.next = self.step.q.val() == 0;
        self.spawn.tickets.next = self.rested.q.val();

        // A new descriptor is linked with zeros, one that returns with what it has done.
        self.lists.start.next = false;
        self.lists.descriptor.next = self.named.q.val();
        self.lists.level.next = self.reader.level.val();
        self.lists.at_head.next = self.reader.head.val();
        self.lists.started.next = 0.into();
        self.lists.failed.next = false;
        if (self.step.q.val() == 9) | (self.step.q.val() == 10) {
            self.lists.descriptor.next = self.slots.descriptor.val();
            self.lists.level.next = self.slots.level.val();
            self.lists.at_head.next = self.at_head.q.val();
            self.lists.started.next = self.started.q.val();
            self.lists.failed.next = self.slots.failed.val();
        }
        self.lists.pop.next = false;
        self.lists.link.next = self.reader.link.val();
        self.lists.clear.next = false;

        // ---- SMs.
        self.placement.seek.next = self.starter.seek.val();
        self.placement.slot.next = self.slot.q.val();
        self.placement.warps.next = self.starter.warps.val();
        self.placement.granules.next = self.starter.granules.val();
        self.placement.number.next = self.starter.number.val();
        self.placement.take.next = self.starter.take.val();
        self.placement.free.next = false;
        self.placement.at_sm.next = self.from_sm.q.val();
        self.placement.at_place.next = self.from_place.q.val();
        self.starter.sought.next = self.placement.idle.val();
        self.starter.found.next = self.placement.found.val();
        self.found_sm.next = self.placement.sm.val();
        self.registers.sm.next = self.found_sm.val();
        if self.step.q.val() == 19 {
            self.registers.sm.next = self.from_sm.q.val();
        }
        self.registers.setting_at.next = self.starter.setting_at.val();
        self.starter.setting.next = self.registers.setting.val();
        self.wide_first.next = bit_cast::<32, 5>(self.placement.first.val());
        self.starter.scratchpad.next = self.wide_first.val() << self.k_granule_bits.val();
        self.starter.thread_end.next = self.thread_end.val();
        self.starter.cta_ready.next = false;
        self.word_index.next = self.starter.word_index.val();
        self.word.next = self.starter.word.val();
        self.cta_place.next = self.placement.place.val();
        self.an_end.next = false;
        self.end_sm.next = 0.into();
        self.its_end_place.next = 0.into();
        self.its_end_failed.next = false;
        self.a_fault.next = false;
        self.fault_sm.next = 0.into();
        self.its_fault_place.next = 0.into();
        self.its_cause.next = 0.into();
        self.its_thread.next = 0.into();
        self.its_warp.next = 0.into();
        self.its_pc.next = 0.into();
        self.its_address.next = 0.into();
        self.ended.next = false;
        self.faulted.next = false;
        if self.step.q.val() == 19 {
            self.ended.next = true;
        }
        if self.step.q.val() == 21 {
            self.faulted.next = true;
        }
        for s in 0..S {
            self.word_valid[s].next =
                self.starter.word_valid.val() & (self.found_sm.val() == self.sm_ids[s].val());
            self.cta_valid[s].next =
                self.starter.cta_valid.val() & (self.found_sm.val() == self.sm_ids[s].val());
            if self.cta_valid[s].val() & self.cta_ready[s].val() {
                self.starter.cta_ready.next = true;
            }
            if self.end_valid[s].val() {
                self.an_end.next = true;
                self.end_sm.next = self.sm_ids[s].val();
                self.its_end_place.next = self.end_place[s].val();
                self.its_end_failed.next = self.end_failed[s].val();
            }
            if self.report_valid[s].val() {
                self.a_fault.next = true;
                self.fault_sm.next = self.sm_ids[s].val();
                self.its_fault_place.next = self.report_place[s].val();
            }
            self.end_ready[s].next =
                self.ended.val() & (self.from_sm.q.val() == self.sm_ids[s].val());
            self.report_ready[s].next =
                self.faulted.val() & (self.from_sm.q.val() == self.sm_ids[s].val());
            if self.from_sm.q.val() == self.sm_ids[s].val() {
                self.its_cause.next = self.report_cause[s].val();
                self.its_thread.next = self.report_thread[s].val();
                self.its_warp.next = self.report_slot[s].val();
                self.its_pc.next = self.report_pc[s].val();
                self.its_address.next = self.report_address[s].val();
            }
        }

        self.its_word.next = bit_cast::<32, 4>(self.its_cause.val())
            | (bit_cast::<32, 6>(self.its_thread.val()) << 8)
            | (bit_cast::<32, 8>(self.its_warp.val()) << 16)
            | (bit_cast::<32, 2>(self.from_sm.q.val()) << 24);

        // ---- Polls.
        self.slot_bit.next = bits::<8>(1) << self.slot.q.val();
        self.looks.next = self.look_due.q.val() & self.slots.queues.val();
        self.look_first.bits.next = self.looks.val();
        self.timer.d.next = self.timer.q.val() - 1;
        if self.timer.q.val() <= 1 {
            self.timer.d.next = self.registers.poll.val();
            self.look_due.d.next = self.look_due.q.val() | self.slots.queues.val();
            if self.placement.runs.val() {
                self.spawn_due.d.next = true;
            }
        }

        // ---- What is said when a step is over.
        self.trace_valid.next = false;
        self.trace_kind.next = 0.into();
        self.trace_task.next = self.slots.descriptor.val();
        self.trace_slot.next = self.slot.q.val();
        self.trace_code.next = self.code.q.val();
        self.trace_place.next = self.place.q.val();
        self.trace_source.next = self.source.q.val();
        self.trace_sm.next = self.from_sm.q.val();
        self.trace_cta.next = self.cta.q.val();
        self.trace_position.next = self.starter.position.val();
        self.trace_entries.next = self.starter.entries.val();
        self.trace_flag.next = self.failed.q.val();
        self.launch_done.next = false;
        self.launch_code.next = self.code.q.val();
        self.launch_place.next = self.place.q.val();
        self.interrupt_fault.next = false;
        self.interrupt_complete.next = false;
        self.count_spawn.next = false;
        self.count_dependent.next = false;
        self.count_start.next = false;
        self.count_end.next = false;
        self.count_evict.next = false;
        self.count_complete.next = false;
        self.error.next = false;
        self.registers.error_code.next = self.code.q.val();
        self.registers.error_place.next = self.place.q.val();
        self.registers.error_task.next = self.slots.descriptor.val();
        self.registers.ended.next = false;
        self.registers.fault.next = false;
        self.registers.fault_word.next = self.its_word.val();
        self.registers.fault_pc.next = self.its_pc.val();
        self.registers.fault_address.next = self.its_address.val();
        self.registers.fault_cta.next = self.cta.q.val();
        self.registers.fault_task.next = self.slots.descriptor.val();
        self.changed.next = false;
        self.empty.next = !self.lists.any.val()
            & !self.slots.some.val()
            & !self.placement.runs.val()
            & !self.an_end.val()
            & !self.a_fault.val();

        // ---- Whose turn it is.
        if self.step.q.val() == 0 {
            self.turn.d.next = self.turn.q.val() + 1;
            if self.turn.q.val() == 11 {
                self.turn.d.next = 0.into();
            }
            // A CTA has ended.
            if (self.turn.q.val() == 0) & self.an_end.val() {
                self.from_sm.d.next = self.end_sm.val();
                self.from_place.d.next = self.its_end_place.val();
                self.failed.d.next = self.its_end_failed.val();
                self.step.d.next = 16.into();
            }
            if (self.turn.q.val() == 1) & self.a_fault.val() {
                self.from_sm.d.next = self.fault_sm.val();
                self.from_place.d.next = self.its_fault_place.val();
                self.step.d.next = 20.into();
            }
            // LAUNCH.
            if (self.turn.q.val() == 2) & self.launch_request.val() {
                self.named.d.next = self.launch_descriptor.val();
                self.source.d.next = 0.into();
                self.high.d.next = self.launch_private.val();
                self.again.d.next = false;
                self.step.d.next = 15.into();
            }
            // A task is complete.
            if (self.turn.q.val() == 3) & self.slots.over.val() {
                self.slot.d.next = self.slots.over_slot.val();
                self.step.d.next = 11.into();
            }
            // An evicted task returns.
            if (self.turn.q.val() == 4) & self.slots.gone.val() {
                self.slot.d.next = self.slots.gone_slot.val();
                self.at_head.d.next = true;
                self.step.d.next = 8.into();
            }
            // Load.
            if (self.turn.q.val() == 5) & self.lists.any.val() & self.slots.empty.val() {
                self.slot.d.next = self.slots.empty_slot.val();
                self.named.d.next = self.lists.first.val();
                self.high.d.next = true;
                self.again.d.next = true;
                self.step.d.next = 15.into();
            }
            // Is anybody to be evicted?
            if (self.turn.q.val() == 6)
                & self.lists.any.val()
                & !self.slots.empty.val()
                & !self.slots.leaving.val()
                & !self.content.q.val()
            {
                self.slots.scan.next = true;
                self.step.d.next = 5.into();
            }
            // Is there a CTA to start?
            if (self.turn.q.val() == 7) & self.slots.ready.val() & !self.stuck.q.val() {
                self.slots.scan.next = true;
                self.step.d.next = 6.into();
            }
            // A queue without work gives up its slot.
            if (self.turn.q.val() == 8)
                & self.slots.rests.val()
                & self.lists.any.val()
                & !self.slots.empty.val()
            {
                self.slot.d.next = self.slots.rests_slot.val();
                self.at_head.d.next = false;
                self.step.d.next = 8.into();
            }
            // The spawn ring.
            if (self.turn.q.val() == 9) & self.spawn_due.q.val() {
                self.spawn_due.d.next = false;
                self.rested.d.next = false;
                if self.spawn.on.val() {
                    self.spawn.start.next = true;
                    self.step.d.next = 22.into();
                }
            }
            // PUT and OPEN.
            if (self.turn.q.val() == 10) & self.look_first.any.val() {
                self.slot.d.next = self.look_first.place.val();
                self.step.d.next = 13.into();
            }
            // Nothing at all: the ring says whether that is so.
            if (self.turn.q.val() == 11)
                & self.empty.val()
                & !self.rested.q.val()
                & !self.launch_request.val()
                & !self.spawn_due.q.val()
            {
                self.rested.d.next = true;
                self.spawn.start.next = true;
                self.step.d.next = 22.into();
            }
        }

        // ---- Insertion and load: 15 begins, 1 and 4 read, 2 links, 3 is over.
        if self.step.q.val() == 15 {
            self.reader.start.next = true;
            self.step.d.next = 1.into();
            if self.again.q.val() {
                self.step.d.next = 4.into();
            }
        }
        if (self.step.q.val() == 1) & self.reader.done.val() {
            self.code.d.next = self.reader.code.val();
            self.place.d.next = self.reader.place.val();
            self.step.d.next = 3.into();
            if !self.reader.code.val().any() {
                self.lists.start.next = true;
                self.step.d.next = 2.into();
            }
        }
        if (self.step.q.val() == 2) & self.lists.done.val() {
            self.step.d.next = 3.into();
            if self.lists.error.val() {
                self.code.d.next = 53.into();
                self.place.d.next = self.lists.place.val();
            }
        }
        if self.step.q.val() == 3 {
            self.changed.next = true;
            self.trace_valid.next = true;
            self.trace_task.next = self.named.q.val();
            self.registers.error_task.next = self.named.q.val();
            self.step.d.next = 0.into();
            if self.source.q.val() == 0 {
                self.launch_done.next = true;
            } else {
                self.error.next = self.code.q.val().any();
            }
            if self.source.q.val() == 1 {
                self.count_spawn.next = !self.code.q.val().any();
            }
            if self.source.q.val() == 2 {
                self.count_dependent.next = !self.code.q.val().any();
                self.step.d.next = 23.into();
            }
        }
        if (self.step.q.val() == 4) & self.reader.done.val() {
            self.changed.next = true;
            self.step.d.next = 0.into();
            self.trace_valid.next = true;
            self.trace_kind.next = 1.into();
            self.trace_task.next = self.named.q.val();
            self.trace_code.next = self.reader.code.val();
            self.trace_place.next = self.reader.place.val();
            self.registers.error_code.next = self.reader.code.val();
            self.registers.error_place.next = self.reader.place.val();
            self.registers.error_task.next = self.named.q.val();
            self.error.next = self.reader.code.val().any();
            self.slots.load.next = !self.reader.code.val().any();
            self.lists.clear.next = self.reader.list_lost.val();
            self.lists.pop.next = !self.reader.list_lost.val();
        }

        // ---- 5: eviction.
        if (self.step.q.val() == 5) & self.slots.scanned.val() {
            self.step.d.next = 0.into();
            self.content.d.next = true;
            if self.slots.victim.val() & (self.lists.highest.val() > self.slots.victim_level.val())
            {
                self.slot.d.next = self.slots.victim_slot.val();
                self.step.d.next = 24.into();
            }
        }
        if self.step.q.val() == 24 {
            self.slots.evict.next = true;
            self.changed.next = true;
            self.trace_valid.next = true;
            self.trace_kind.next = 4.into();
            self.count_evict.next = true;
            self.step.d.next = 0.into();
        }

        // ---- 6, 25, 7: start.
        if (self.step.q.val() == 6) & self.slots.scanned.val() {
            self.slot.d.next = self.slots.turn_slot.val();
            self.step.d.next = 25.into();
        }
        if self.step.q.val() == 25 {
            self.starter.start.next = true;
            self.step.d.next = 7.into();
        }
        if (self.step.q.val() == 7) & self.starter.done.val() {
            self.step.d.next = 0.into();
            self.stuck.d.next = !self.starter.started.val();
            if self.starter.started.val() {
                self.changed.next = true;
                self.slots.start.next = true;
                self.slots.set_left.next = self.starter.left.val();
                self.trace_valid.next = true;
                self.trace_kind.next = 2.into();
                self.trace_sm.next = self.found_sm.val();
                self.trace_cta.next = self.starter.number.val();
                self.count_start.next = true;
                self.error.next = self.starter.error.val();
                self.registers.error_code.next = 53.into();
                self.registers.error_place.next = self.starter.ask_address.val();
            }
        }

        // ---- 8 to 10: return.
        if self.step.q.val() == 8 {
            self.step.d.next = 26.into();
        }
        if self.step.q.val() == 26 {
            self.started.d.next = self.words.read_data.val();
            self.step.d.next = 9.into();
        }
        if self.step.q.val() == 9 {
            self.lists.start.next = true;
            self.step.d.next = 10.into();
        }
        if (self.step.q.val() == 10) & self.lists.done.val() {
            self.changed.next = true;
            self.slots.free.next = true;
            self.trace_valid.next = true;
            self.trace_kind.next = 5.into();
            self.trace_flag.next = self.at_head.q.val();
            self.error.next = self.lists.error.val();
            self.registers.error_code.next = 53.into();
            self.registers.error_place.next = self.lists.place.val();
            self.step.d.next = 0.into();
        }

        // ---- 11, 12, 23: completion, with the dependent between.
        if self.step.q.val() == 11 {
            self.completion.start.next = true;
            self.step.d.next = 12.into();
        }
        if (self.step.q.val() == 12) & self.completion.done.val() {
            self.error.next = self.completion.error.val();
            self.registers.error_code.next = 53.into();
            self.registers.error_place.next = self.completion.place.val();
            self.step.d.next = 23.into();
            if self.completion.dependent.val().any() {
                self.named.d.next = self.completion.dependent.val();
                self.source.d.next = 2.into();
                self.high.d.next = self.slots.descriptor.val() >= self.thread_end.val();
                self.again.d.next = false;
                self.step.d.next = 15.into();
            }
        }
        if self.step.q.val() == 23 {
            self.changed.next = true;
            self.slots.free.next = true;
            self.trace_valid.next = true;
            self.trace_kind.next = 6.into();
            self.trace_flag.next = self.slots.failed.val();
            self.interrupt_complete.next = self.completion.interrupts.val();
            self.count_complete.next = true;
            self.step.d.next = 0.into();
        }

        // ---- 13, 14: PUT and OPEN.
        if self.step.q.val() == 13 {
            self.looker.start.next = true;
            self.look_due.d.next = self.look_due.q.val() & !self.slot_bit.val();
            self.step.d.next = 14.into();
        }
        if ((self.step.q.val() == 14) | (self.step.q.val() == 18)) & self.looker.done.val() {
            self.slots.look.next = true;
            self.error.next = self.looker.broken.val();
            self.registers.error_code.next = self.looker.code.val();
            self.registers.error_place.next = self.looker.place.val();
            self.changed.next = true;
            self.step.d.next = 0.into();
            if self.step.q.val() == 18 {
                self.step.d.next = 19.into();
            }
        }

        // ---- 16 to 19: the end of a CTA. Its slot is known first.
        if (self.step.q.val() == 16) | (self.step.q.val() == 20) {
            self.slot.d.next = self.placement.its_slot.val();
            self.cta.d.next = self.placement.its_number.val();
            self.step.d.next = self.step.q.val() + 1;
        }
        if (self.step.q.val() == 17) & self.placement.idle.val() {
            self.placement.free.next = true;
            self.slots.ended.next = true;
            self.step.d.next = 19.into();
            if self.slots.queue.val() & !self.slots.broken.val() {
                self.looker.start.next = true;
                self.look_due.d.next = self.look_due.q.val() & !self.slot_bit.val();
                self.step.d.next = 18.into();
            }
        }
        if self.step.q.val() == 19 {
            self.changed.next = true;
            self.registers.ended.next = true;
            self.trace_valid.next = true;
            self.trace_kind.next = 3.into();
            self.count_end.next = true;
            self.spawn_due.d.next = true;
            self.step.d.next = 0.into();
        }

        // ---- 20, 21: a fault.
        if self.step.q.val() == 21 {
            self.registers.fault.next = true;
            self.interrupt_fault.next = true;
            self.step.d.next = 0.into();
        }

        // ---- 22: the spawn ring.
        if (self.step.q.val() == 22) & self.spawn.done.val() {
            self.step.d.next = 0.into();
            if self.spawn.found.val() {
                self.spawn_due.d.next = true;
                self.rested.d.next = false;
                self.named.d.next = self.spawn.descriptor.val();
                self.source.d.next = 1.into();
                self.high.d.next = false;
                self.again.d.next = false;
                self.step.d.next = 15.into();
            }
            if self.spawn.lost.val() {
                self.rested.d.next = false;
                self.error.next = true;
                self.trace_valid.next = true;
                self.trace_kind.next = 7.into();
                self.registers.error_code.next = 52.into();
                self.registers.error_place.next = 0x380.into();
                self.registers.error_task.next = 0.into();
            }
        }

        // ---- Something is different: what could not be done may be possible now, and it is not idle.
        if self.changed.val() {
            self.content.d.next = false;
            self.stuck.d.next = false;
            self.rested.d.next = false;
        }
        if self.spawn.changed.val() {
            self.rested.d.next = false;
        }
        // No other error comes while nothing is under way.
        if self.spawn.error.val() {
            self.error.next = true;
            self.registers.error_code.next = 51.into();
            self.registers.error_place.next = self.spawn.place.val();
            self.registers.error_task.next = 0.into();
        }
        self.registers.error.next = self.error.val();
        self.interrupt_task_error.next = self.error.val();
        self.idle.next = self.rested.q.val()
            & (self.step.q.val() == 0)
            & self.empty.val()
            & !self.spawn_due.q.val()
            & !self.spawn.asks.val()
            & !self.launch_request.val();
        self.tasks_in_slots.next = self.slots.count.val();
        self.tasks_listed.next = self.lists.any.val();
        self.task_error.next = self.registers.task_error.val();
        self.fault.next = self.registers.has_fault.val();

        if self.reset.val() {
            self.step.d.next = 0.into();
            self.turn.d.next = 0.into();
            self.accepted.d.next = false;
            self.stuck.d.next = false;
            self.content.d.next = false;
            self.rested.d.next = false;
            self.spawn_due.d.next = false;
            self.look_due.d.next = 0.into();
            self.timer.d.next = 0.into();
        }
    }
}
