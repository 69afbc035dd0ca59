//! Host front end: reads the entries of the channels' rings, and executes their commands.
//!
//! Spec: `docs/spec/host.md`.
//!
//! | module | what it is |
//! |---|---|
//! | [`port`] | AXI4-Lite subordinate; what the host may do to a channel |
//! | [`registers`] | registers that belong to no channel, counters, interrupts |
//! | [`channels`] | state of the channels |
//! | [`choice`] | which channel has the next step |
//! | [`step`] | steps: entries and commands |
//! | [`command`] | first word of a command |
//! | [`reach`] | addresses that may be said |
//! | [`window`] | the domain of a channel, and what that reaches |
//! | [`polls`] | channels that wait before they read a semaphore again |
//!
//! # Parameters
//! `C` channels, 2 to 8; `CI` bits of the number of one; `CA` = CI + 4; `S` SMs; `T` task slots; `NW` warps of an SM,
//! `W` threads of a warp, `L` lanes, `KIB` of scratchpad (these five are only shown).
//!
//! # Ports
//! As in the tables of the page, *Ports of the front end*.
//!
//! # Cycle behaviour
//! One step at a time. After a reset, 2^CA cycles go by before the first access.
//!
//! # Invariants
//! 1. A request to memory, a launch, a forget is held until it is taken or answered.
//!
//! # Errors
//! HOST-080. `Default` panics when the parameters do not fit.

pub mod channels;
pub mod choice;
mod code;
pub mod command;
pub mod polls;
pub mod port;
pub mod reach;
pub mod registers;
pub mod step;
pub mod window;

use crate::hdl::*;
use channels::Channels;
use polls::Polls;
use port::Port;
use registers::Registers;
use step::Step;
use window::ChannelWindow;

clocked!(Host<C, CI, CA, S, T, NW, W, L, KIB>);

#[derive(LogicBlock)]
pub struct Host<
    const C: usize,
    const CI: usize,
    const CA: usize,
    const S: usize,
    const T: usize,
    const NW: usize,
    const W: usize,
    const L: usize,
    const KIB: usize,
> {
    /// Everything happens at its rising edge.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high, for one cycle at least.
    pub reset: Signal<In, Bit>,
    /// AXI4-Lite: a write address.
    pub host_awvalid: Signal<In, Bit>,
    /// It is taken.
    pub host_awready: Signal<Out, Bit>,
    /// Byte address of a register.
    pub host_awaddr: Signal<In, Bits<12>>,
    /// A word to write.
    pub host_wvalid: Signal<In, Bit>,
    /// It is taken.
    pub host_wready: Signal<Out, Bit>,
    /// The word.
    pub host_wdata: Signal<In, Bits<32>>,
    /// 15, else the write has no effect.
    pub host_wstrb: Signal<In, Bits<4>>,
    /// The write is over.
    pub host_bvalid: Signal<Out, Bit>,
    /// The host takes that.
    pub host_bready: Signal<In, Bit>,
    /// Always OKAY.
    pub host_bresp: Signal<Out, Bits<2>>,
    /// A read address.
    pub host_arvalid: Signal<In, Bit>,
    /// It is taken.
    pub host_arready: Signal<Out, Bit>,
    /// Byte address of a register.
    pub host_araddr: Signal<In, Bits<12>>,
    /// A word that was read.
    pub host_rvalid: Signal<Out, Bit>,
    /// The host takes it.
    pub host_rready: Signal<In, Bit>,
    /// The word.
    pub host_rdata: Signal<Out, Bits<32>>,
    /// Always OKAY.
    pub host_rresp: Signal<Out, Bits<2>>,
    /// INTERRUPT & INTERRUPT_ENABLE is not 0.
    pub host_interrupt: Signal<Out, Bit>,
    /// A word is to be read or written; holds until it is taken.
    pub memory_request: Signal<Out, Bit>,
    /// It is written.
    pub memory_write: Signal<Out, Bit>,
    /// Byte address, a multiple of 4.
    pub memory_address: Signal<Out, Bits<32>>,
    /// What is written.
    pub memory_data: Signal<Out, Bits<32>>,
    /// Requests that follow at once, for the words behind it in its line (HOST-071).
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
    pub launch_request: Signal<Out, Bit>,
    /// Address of the descriptor.
    pub launch_descriptor: Signal<Out, Bits<32>>,
    /// The command lies wholly at or above THREAD_END (HOST-002).
    pub launch_private: Signal<Out, Bit>,
    /// The domain of the channel (HOST-004).
    pub launch_domain: Signal<Out, Bits<3>>,
    /// Pulse: it is accepted or refused.
    pub launch_done: Signal<In, Bit>,
    /// 0: accepted; else what is wrong (TASK-030).
    pub launch_code: Signal<In, Bits<8>>,
    /// Where it is wrong.
    pub launch_place: Signal<In, Bits<32>>,
    /// MEMBAR with a flag; holds until `forget_done`.
    pub forget_request: Signal<Out, Bit>,
    /// Lines of instructions are to be forgotten.
    pub forget_instructions: Signal<Out, Bit>,
    /// Lines of data are to be forgotten.
    pub forget_data: Signal<Out, Bit>,
    /// Pulse: all SMs have forgotten them.
    pub forget_done: Signal<In, Bit>,
    /// Pulse: the host writes a register from 0x300 on.
    pub reg_write: Signal<Out, Bit>,
    /// Its address.
    pub reg_address: Signal<Out, Bits<12>>,
    /// Its new value.
    pub reg_data: Signal<Out, Bits<32>>,
    /// A register from 0x300 on that the host reads.
    pub reg_read_address: Signal<Out, Bits<12>>,
    /// Its value, one cycle later.
    pub reg_read_data: Signal<In, Bits<32>>,
    /// MEMORY_END.
    pub memory_end: Signal<Out, Bits<32>>,
    /// THREAD_END.
    pub thread_end: Signal<Out, Bits<32>>,
    /// MEMORY_TIMEOUT.
    pub memory_timeout: Signal<Out, Bits<32>>,
    /// The memory has not answered for so long (GPU-060): for STATUS.
    pub memory_lost: Signal<In, Bit>,
    /// Pulse: what waits for it is given up, and INTERRUPT [19].
    pub memory_given_up: Signal<In, Bit>,
    /// TIME: cycles since reset.
    pub now: Signal<Out, Bits<64>>,
    /// TASK-080; 0 while a launch is asked for.
    pub idle: Signal<In, Bit>,
    /// For STATUS: tasks in slots.
    pub tasks_in_slots: Signal<In, Bits<4>>,
    /// For STATUS: a list is not empty.
    pub tasks_listed: Signal<In, Bit>,
    /// For STATUS: TASK_ERROR is valid.
    pub task_error: Signal<In, Bit>,
    /// For STATUS: FAULT is valid.
    pub fault: Signal<In, Bit>,
    /// Pulse: INTERRUPT [16].
    pub interrupt_task_error: Signal<In, Bit>,
    /// Pulse: INTERRUPT [17].
    pub interrupt_fault: Signal<In, Bit>,
    /// Pulse: INTERRUPT [18].
    pub interrupt_complete: Signal<In, Bit>,
    /// Pulse: SPAWNS counts.
    pub count_spawn: Signal<In, Bit>,
    /// Pulse: DEPENDENTS counts.
    pub count_dependent: Signal<In, Bit>,
    /// Pulse: CTAS counts.
    pub count_start: Signal<In, Bit>,
    /// Pulse: CTAS_DONE counts.
    pub count_end: Signal<In, Bit>,
    /// Pulse: EVICTIONS counts.
    pub count_evict: Signal<In, Bit>,
    /// Pulse: TASKS_DONE counts.
    pub count_complete: Signal<In, Bit>,
    /// A step is over (HOST-090).
    pub trace_valid: Signal<Out, Bit>,
    /// The channel.
    pub trace_channel: Signal<Out, Bits<CI>>,
    /// A command; else an entry.
    pub trace_command: Signal<Out, Bit>,
    /// GP_GET.
    pub trace_get: Signal<Out, Bits<32>>,
    /// Address of the entry or command.
    pub trace_address: Signal<Out, Bits<32>>,
    /// Its first word, 0 if it could not be read.
    pub trace_word: Signal<Out, Bits<32>>,
    /// 0 executed, 1 waits, 2 error.
    pub trace_result: Signal<Out, Bits<2>>,
    /// 0, or what is wrong.
    pub trace_code: Signal<Out, Bits<8>>,
    port: Port<C, CI>,
    window: ChannelWindow<CI>,
    // Of all but the port and the registers that belong to no channel.
    inner_reset: Signal<Local, Bit>,
    registers: Registers<C, CI, S, T, NW, W, L, KIB>,
    channels: Channels<C, CI, CA>,
    polls: Polls<C, CI>,
    step: Step<CI>,
}

impl<
        const C: usize,
        const CI: usize,
        const CA: usize,
        const S: usize,
        const T: usize,
        const NW: usize,
        const W: usize,
        const L: usize,
        const KIB: usize,
    > Default for Host<C, CI, CA, S, T, NW, W, L, KIB>
{
    fn default() -> Self {
        assert!(
            (1..=4).contains(&S) && (1..=8).contains(&T),
            "Host: {S} SMs, {T} task slots"
        );
        block!({
            clock, reset, host_awvalid, host_awready, host_awaddr, host_wvalid, host_wready, host_wdata, host_wstrb,
            host_bvalid, host_bready, host_bresp, host_arvalid, host_arready, host_araddr, host_rvalid, host_rready,
            host_rdata, host_rresp, host_interrupt, memory_request, memory_write, memory_address, memory_data, memory_more, memory_ready,
            memory_done, memory_error, memory_read, launch_request, launch_descriptor, launch_private, launch_domain, launch_done,
            launch_code, launch_place, forget_request, forget_instructions, forget_data, forget_done, reg_write,
            reg_address, reg_data, reg_read_address, reg_read_data, memory_end, thread_end, memory_timeout, memory_lost, memory_given_up, inner_reset, now, idle, tasks_in_slots,
            tasks_listed, task_error, fault, interrupt_task_error, interrupt_fault, interrupt_complete, count_spawn,
            count_dependent, count_start, count_end, count_evict, count_complete, trace_valid, trace_channel,
            trace_command, trace_get, trace_address, trace_word, trace_result, trace_code, port, window, registers, channels,
            polls, step,
        } {})
    }
}

impl<
        const C: usize,
        const CI: usize,
        const CA: usize,
        const S: usize,
        const T: usize,
        const NW: usize,
        const W: usize,
        const L: usize,
        const KIB: usize,
    > Logic for Host<C, CI, CA, S, T, NW, W, L, KIB>
{
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, port, window, registers, channels, polls, step);
        self.port.reset.next = self.reset.val();
        self.inner_reset.next = self.reset.val() | self.memory_given_up.val();
        self.window.reset.next = self.inner_reset.val();
        self.registers.reset.next = self.reset.val();
        self.channels.reset.next = self.inner_reset.val();
        self.polls.reset.next = self.inner_reset.val();
        self.step.reset.next = self.inner_reset.val();
        self.port.host_awvalid.next = self.host_awvalid.val();
        self.port.host_awaddr.next = self.host_awaddr.val();
        self.port.host_wvalid.next = self.host_wvalid.val();
        self.port.host_wdata.next = self.host_wdata.val();
        self.port.host_wstrb.next = self.host_wstrb.val();
        self.port.host_bready.next = self.host_bready.val();
        self.port.host_arvalid.next = self.host_arvalid.val();
        self.port.host_araddr.next = self.host_araddr.val();
        self.port.host_rready.next = self.host_rready.val();
        self.port.reg_read_data.next = self.reg_read_data.val();
        self.host_awready.next = self.port.host_awready.val();
        self.host_wready.next = self.port.host_wready.val();
        self.host_bvalid.next = self.port.host_bvalid.val();
        self.host_bresp.next = self.port.host_bresp.val();
        self.host_arready.next = self.port.host_arready.val();
        self.host_rvalid.next = self.port.host_rvalid.val();
        self.host_rdata.next = self.port.host_rdata.val();
        self.host_rresp.next = self.port.host_rresp.val();
        self.reg_write.next = self.port.reg_write.val();
        self.reg_address.next = self.port.reg_address.val();
        self.reg_data.next = self.port.reg_data.val();
        self.reg_read_address.next = self.port.reg_read_address.val();
        self.step.memory_ready.next = self.memory_ready.val();
        self.step.memory_done.next = self.memory_done.val();
        self.step.memory_error.next = self.memory_error.val();
        self.step.memory_read.next = self.memory_read.val();
        self.step.launch_done.next = self.launch_done.val();
        self.step.launch_code.next = self.launch_code.val();
        self.step.launch_place.next = self.launch_place.val();
        self.step.forget_done.next = self.forget_done.val();
        self.step.idle.next = self.idle.val();
        self.memory_request.next = self.step.memory_request.val();
        self.memory_write.next = self.step.memory_write.val();
        self.memory_address.next = self.step.memory_address.val();
        self.memory_data.next = self.step.memory_data.val();
        self.memory_more.next = self.step.memory_more.val();
        self.launch_request.next = self.step.launch_request.val();
        self.launch_descriptor.next = self.step.launch_descriptor.val();
        self.launch_private.next = self.step.launch_private.val();
        self.forget_request.next = self.step.forget_request.val();
        self.forget_instructions.next = self.step.forget_instructions.val();
        self.forget_data.next = self.step.forget_data.val();
        self.trace_valid.next = self.step.trace_valid.val();
        self.trace_channel.next = self.step.trace_channel.val();
        self.trace_command.next = self.step.trace_command.val();
        self.trace_get.next = self.step.trace_get.val();
        self.trace_address.next = self.step.trace_address.val();
        self.trace_word.next = self.step.trace_word.val();
        self.trace_result.next = self.step.trace_result.val();
        self.trace_code.next = self.step.trace_code.val();
        self.registers.idle.next = self.idle.val();
        self.registers.task_error.next = self.task_error.val();
        self.registers.fault.next = self.fault.val();
        self.registers.tasks_in_slots.next = self.tasks_in_slots.val();
        self.registers.tasks_listed.next = self.tasks_listed.val();
        self.registers.interrupt_task_error.next = self.interrupt_task_error.val();
        self.registers.interrupt_fault.next = self.interrupt_fault.val();
        self.registers.interrupt_complete.next = self.interrupt_complete.val();
        self.registers.count_spawn.next = self.count_spawn.val();
        self.registers.count_dependent.next = self.count_dependent.val();
        self.registers.count_start.next = self.count_start.val();
        self.registers.count_end.next = self.count_end.val();
        self.registers.count_evict.next = self.count_evict.val();
        self.registers.count_complete.next = self.count_complete.val();

        // ---- Registers.
        self.registers.writes.next = self.port.global_writes.val();
        self.registers.reads.next = self.port.global_reads.val();
        self.registers.address.next = self.port.global_address.val();
        self.registers.data.next = self.port.global_data.val();
        self.registers.channel_failed.next = self.channels.failed.val().any();
        self.registers.step_channel.next = self.step.channel.val();
        self.registers.port_channel.next = self.port.channel.val();
        self.registers.commands.next = self.step.sets_interrupt.val();
        self.registers.fails_step.next = self.step.end_fails.val();
        self.registers.fails_port.next = self.port.act_fails.val();
        self.registers.count_command.next = self.step.count_command.val();
        self.registers.count_entry.next = self.step.count_entry.val();
        self.registers.count_launch.next = self.step.count_launch.val();
        self.host_interrupt.next = self.registers.requests.val();
        self.memory_end.next = self.registers.memory_end.val();
        self.thread_end.next = self.registers.thread_end.val();
        self.memory_timeout.next = self.registers.memory_timeout.val();
        self.registers.memory_lost.next = self.memory_lost.val();
        self.registers.memory_given_up.next = self.memory_given_up.val();
        self.now.next = bit_cast::<64, 32>(self.registers.now.val())
            | (bit_cast::<64, 32>(self.registers.now_high.val()) << 32);

        // ---- The host port.
        self.port.open.next = self.step.open.val() & !self.channels.clears.val();
        self.port.busy.next = self.step.busy.val();
        self.port.step_channel.next = self.step.channel.val();
        self.port.on_entry.next = self.step.on_entry.val();
        self.port.ends.next = self.step.ends.val();
        self.port.global_answer.next = self.registers.answer.val();
        self.port.word.next = self.channels.word.val();
        self.port.memory_end.next = self.registers.memory_end.val();
        self.port.thread_end.next = self.registers.thread_end.val();
        self.port.enabled.next = self.channels.enabled.val();
        self.port.owner.next = self.channels.owner.val();
        self.port.begun.next = self.channels.begun.val();
        self.port.waits.next = self.channels.waits.val();
        self.port.waits_idle.next = self.channels.waits_idle.val();
        self.port.failed.next = self.channels.failed.val();
        self.port.empty.next = self.channels.empty.val();
        self.port.priority_3.next = self.channels.priority_3.val();
        self.port.priority_2.next = self.channels.priority_2.val();
        self.port.priority_1.next = self.channels.priority_1.val();
        self.port.priority_0.next = self.channels.priority_0.val();

        // ---- Channels.
        self.channels.step_channel.next = self.step.channel.val();
        self.channels.step_read.next = self.step.read.val();
        self.channels.step_write.next = self.step.write.val();
        self.channels.step_write_word.next = self.step.write_word.val();
        self.channels.step_data.next = self.step.data.val();
        self.channels.port_takes.next = self.port.takes.val();
        self.channels.port_channel.next = self.port.channel.val();
        self.channels.port_read.next = self.port.read.val();
        self.channels.port_write.next = self.port.write.val();
        self.channels.port_write_word.next = self.port.write_word.val();
        self.channels.port_data.next = self.port.data.val();
        self.channels.ends.next = self.step.ends.val();
        self.channels.end_inside.next = self.step.end_inside.val();
        self.channels.end_waits.next = self.step.end_waits.val();
        self.channels.end_waits_idle.next = self.step.end_waits_idle.val();
        self.channels.end_fails.next = self.step.end_fails.val();
        self.channels.end_moves.next = self.step.end_moves.val();
        self.channels.end_empty.next = self.step.end_empty.val();
        self.channels.takes.next = self.step.takes.val();
        self.channels.acts.next = self.port.acts.val();
        self.channels.act_control.next = self.port.act_control.val();
        self.channels.act_enabled.next = self.port.act_enabled.val();
        self.channels.act_owner.next = self.port.act_owner.val();
        self.channels.act_priority.next = self.port.act_priority.val();
        self.channels.act_clears.next = self.port.act_clears.val();
        self.channels.act_fails.next = self.port.act_fails.val();
        self.channels.act_drops.next = self.port.act_drops.val();
        self.channels.act_moves.next = self.port.act_moves.val();
        self.channels.act_empty.next = self.port.act_empty.val();
        self.channels.polls_pending.next = self.polls.pending.val();
        self.channels.idle.next = self.idle.val();
        self.polls.now.next = self.registers.now.val();
        self.polls.sets.next = self.step.sets_poll.val();
        self.polls.channel.next = self.step.channel.val();
        self.polls.cycles.next = self.registers.poll.val();

        // ---- The window of the channel that has the step.
        self.window.write.next = self.port.reg_write.val();
        self.window.address.next = self.port.reg_address.val();
        self.window.data.next = self.port.reg_data.val();
        self.window.thread_end.next = self.registers.thread_end.val();
        self.window.channel.next = self.step.channel.val();
        self.launch_domain.next = self.window.domain_id.val();

        // ---- Steps.
        self.step.any.next = self.channels.any.val();
        self.step.place.next = self.channels.place.val();
        self.step.is_inside.next = self
            .channels
            .begun
            .val()
            .get_bit(self.step.channel.val().index());
        self.step.is_waiting.next = self
            .channels
            .waits
            .val()
            .get_bit(self.step.channel.val().index());
        self.step.is_owner.next = self
            .channels
            .owner
            .val()
            .get_bit(self.step.channel.val().index());
        self.step.hold.next = self.port.hold.val();
        self.step.word.next = self.channels.word.val();
        self.step.memory_end.next = self.registers.memory_end.val();
        self.step.thread_end.next = self.registers.thread_end.val();
        self.step.window_base.next = self.window.window_base.val();
        self.step.window_end.next = self.window.window_end.val();
        self.step.timeout.next = self.registers.timeout.val();
        self.step.now.next = self.registers.now.val();
        self.step.now_high.next = self.registers.now_high.val();
    }
}
