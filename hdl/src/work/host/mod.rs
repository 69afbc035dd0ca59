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
            (1..=8).contains(&S) && (1..=8).contains(&T),
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
    #[part]
    fn update(&mut self) {
        clock!(self, clock, port, window, registers, channels, polls, step);
        self.port.reset.next = self.reset.val();
        self.inner_reset.next = self.reset.val() | self.memory_given_up.val();
        self.window.reset.next = self.inner_reset.val();
        self.registers.reset.next = self.reset.val();
        spread!(self.*.reset <- self.inner_reset: channels, polls, step);
        carry!(self.port <- self:
            host_awvalid, host_awaddr, host_wvalid, host_wdata, host_wstrb, host_bready,
            host_arvalid, host_araddr, host_rready, reg_read_data,
        );
        carry!(self <- self.port:
            host_awready, host_wready, host_bvalid, host_bresp, host_arready, host_rvalid,
            host_rdata, host_rresp, reg_write, reg_address, reg_data, reg_read_address,
        );
        carry!(self.step <- self: memory_ready, memory_done, memory_error, memory_read);
        carry!(self.step <- self: launch_done, launch_code, launch_place, forget_done, idle);
        carry!(self <- self.step:
            memory_request, memory_write, memory_address, memory_data, memory_more, launch_request,
            launch_descriptor, launch_private, forget_request, forget_instructions, forget_data,
            trace_valid, trace_channel, trace_command, trace_get, trace_address, trace_word,
            trace_result, trace_code,
        );
        carry!(self.registers <- self:
            idle, task_error, fault, tasks_in_slots, tasks_listed, interrupt_task_error,
            interrupt_fault, interrupt_complete, count_spawn, count_dependent, count_start,
            count_end, count_evict, count_complete,
        );

        // ---- Registers.
        carry!(self.registers <- self.port.global_*: writes, reads, address, data);
        self.registers.channel_failed.next = self.channels.failed.val().any();
        self.registers.step_channel.next = self.step.channel.val();
        self.registers.port_channel.next = self.port.channel.val();
        carry!(self.registers <- self.step: commands = sets_interrupt, fails_step = end_fails);
        self.registers.fails_port.next = self.port.act_fails.val();
        carry!(self.registers <- self.step: count_command, count_entry, count_launch);
        self.host_interrupt.next = self.registers.requests.val();
        carry!(self <- self.registers: memory_end, thread_end, memory_timeout);
        carry!(self.registers <- self: memory_lost, memory_given_up);
        self.now.next = bit_cast::<64, 32>(self.registers.now.val())
            | (bit_cast::<64, 32>(self.registers.now_high.val()) << 32);

        // ---- The host port.
        self.port.open.next = self.step.open.val() & !self.channels.clears.val();
        carry!(self.port <- self.step: busy, step_channel = channel, on_entry, ends);
        self.port.global_answer.next = self.registers.answer.val();
        self.port.word.next = self.channels.word.val();
        carry!(self.port <- self.registers: memory_end, thread_end);
        carry!(self.port <- self.channels: enabled, owner, begun, waits, waits_idle, failed, empty);
        carry!(self.port <- self.channels: priority_3, priority_2, priority_1, priority_0);

        // ---- Channels.
        carry!(self.channels.step_* <- self.step: channel, read, write, write_word, data);
        carry!(self.channels.port_* <- self.port: takes, channel, read, write, write_word, data);
        carry!(self.channels <- self.step:
            ends, end_inside, end_waits, end_waits_idle, end_fails, end_moves, end_empty, takes,
        );
        carry!(self.channels <- self.port: acts, act_control, act_enabled, act_owner, act_priority);
        carry!(self.channels <- self.port: act_clears, act_fails, act_drops, act_moves, act_empty);
        self.channels.polls_pending.next = self.polls.pending.val();
        self.channels.idle.next = self.idle.val();
        self.polls.now.next = self.registers.now.val();
        carry!(self.polls <- self.step: sets = sets_poll, channel);
        self.polls.cycles.next = self.registers.poll.val();

        // ---- The window of the channel that has the step.
        carry!(self.window <- self.port.reg_*: write, address, data);
        self.window.thread_end.next = self.registers.thread_end.val();
        self.window.channel.next = self.step.channel.val();
        self.launch_domain.next = self.window.domain_id.val();

        // ---- Steps.
        carry!(self.step <- self.channels: any, place);
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
        carry!(self.step <- self.registers: memory_end, thread_end);
        carry!(self.step <- self.window: window_base, window_end);
        carry!(self.step <- self.registers: timeout, now, now_high);
    }
}
