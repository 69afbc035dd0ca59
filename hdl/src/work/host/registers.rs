//! Registers of the host port that belong to no channel; cycle counter, event counters, interrupts.
//!
//! Spec: `docs/spec/host.md`, *Registers*.
//!
//! # Parameters
//! `C` channels, `CI` bits of the number of one; `S` SMs; `T` task slots; `NW` warps of an SM, `W` threads of a warp,
//! `L` lanes, `KIB` of scratchpad.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `writes`, `address`, `data` | in | 1, 8, 32 | a register is written |
//! | `reads`, `answer` | in, out | 1, 32 | register `address` is read; combinational |
//! | `memory_end`, `thread_end`, `poll`, `timeout`, `memory_timeout` | out | 32, 32, 16, 32, 32 | registers; `poll` is 1 at least |
//! | `memory_lost`, `memory_given_up` | in | 1 | for STATUS; pulse, for INTERRUPT |
//! | `now`, `now_high` | out | 32 | cycles since reset |
//! | `idle`, `channel_failed`, `task_error`, `fault`, `tasks_in_slots`, `tasks_listed` | in | | for STATUS |
//! | `commands`, `fails_step`, `fails_port` with a channel each | in | | INTERRUPT was executed; a step, or what the host wrote, ended in an error |
//! | `interrupt_*`, `count_*` | in | 1 | pulses |
//! | `requests` | out | 1 | INTERRUPT & INTERRUPT_ENABLE is not 0; from a register |
//!
//! # Cycle behaviour
//! A bit of INTERRUPT that is set and cleared in the same cycle is set.
//!
//! # Errors
//! None.

use crate::hdl::*;

#[derive(LogicBlock)]
pub struct Registers<
    const C: usize,
    const CI: usize,
    const S: usize,
    const T: usize,
    const NW: usize,
    const W: usize,
    const L: usize,
    const KIB: usize,
> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub writes: Signal<In, Bit>,
    pub address: Signal<In, Bits<8>>,
    pub data: Signal<In, Bits<32>>,
    pub reads: Signal<In, Bit>,
    pub answer: Signal<Out, Bits<32>>,
    pub memory_end: Signal<Out, Bits<32>>,
    pub thread_end: Signal<Out, Bits<32>>,
    pub poll: Signal<Out, Bits<16>>,
    pub timeout: Signal<Out, Bits<32>>,
    pub memory_timeout: Signal<Out, Bits<32>>,
    pub memory_lost: Signal<In, Bit>,
    pub memory_given_up: Signal<In, Bit>,
    pub now: Signal<Out, Bits<32>>,
    pub now_high: Signal<Out, Bits<32>>,
    pub idle: Signal<In, Bit>,
    pub channel_failed: Signal<In, Bit>,
    pub task_error: Signal<In, Bit>,
    pub fault: Signal<In, Bit>,
    pub tasks_in_slots: Signal<In, Bits<4>>,
    pub tasks_listed: Signal<In, Bit>,
    pub step_channel: Signal<In, Bits<CI>>,
    pub port_channel: Signal<In, Bits<CI>>,
    pub commands: Signal<In, Bit>,
    pub fails_step: Signal<In, Bit>,
    pub fails_port: Signal<In, Bit>,
    pub interrupt_task_error: Signal<In, Bit>,
    pub interrupt_fault: Signal<In, Bit>,
    pub interrupt_complete: Signal<In, Bit>,
    pub count_command: Signal<In, Bit>,
    pub count_entry: Signal<In, Bit>,
    pub count_launch: Signal<In, Bit>,
    pub count_spawn: Signal<In, Bit>,
    pub count_dependent: Signal<In, Bit>,
    pub count_start: Signal<In, Bit>,
    pub count_end: Signal<In, Bit>,
    pub count_evict: Signal<In, Bit>,
    pub count_complete: Signal<In, Bit>,
    pub requests: Signal<Out, Bit>,
    // Registers.
    pending: DFF<Bits<20>>,
    enable: DFF<Bits<32>>,
    line: DFF<Bit>,
    end_of_memory: DFF<Bits<32>>,
    end_of_threads: DFF<Bits<32>>,
    poll_cycles: DFF<Bits<16>>,
    tries: DFF<Bits<32>>,
    patience: DFF<Bits<32>>,
    time_low: DFF<Bits<32>>,
    time_high: DFF<Bits<32>>,
    held: DFF<Bits<32>>,
    is_held: DFF<Bit>,
    counters: Vec<DFF<Bits<32>>>,
    // Combinational.
    counts: Signal<Local, Bits<9>>,
    cleared: Signal<Local, Bits<20>>,
    kept: Signal<Local, Bits<20>>,
    set_command: Signal<Local, Bits<20>>,
    set_step: Signal<Local, Bits<20>>,
    set_port: Signal<Local, Bits<20>>,
    set_tasks: Signal<Local, Bits<20>>,
    shown: Signal<Local, Bits<32>>,
    active: Signal<Local, Bit>,
    offset: Signal<Local, Bits<8>>,
    number: Signal<Local, Bits<8>>,
    // Constants.
    identity: Constant<Bits<32>>,
    size: Constant<Bits<32>>,
    sm_size: Constant<Bits<32>>,
    zero: Constant<Bits<32>>,
    one: Constant<Bits<32>>,
    no_bits: Constant<Bits<20>>,
    one_bit: Constant<Bits<20>>,
    error_bit: Constant<Bits<20>>,
    usual_poll: Constant<Bits<16>>,
    least_poll: Constant<Bits<16>>,
}

impl<
        const C: usize,
        const CI: usize,
        const S: usize,
        const T: usize,
        const NW: usize,
        const W: usize,
        const L: usize,
        const KIB: usize,
    > Default for Registers<C, CI, S, T, NW, W, L, KIB>
{
    fn default() -> Self {
        let sizes = |a: usize, b: usize, c: usize, d: usize| {
            Constant::new((a as u64 | (b as u64) << 8 | (c as u64) << 16 | (d as u64) << 24).into())
        };
        block!({
            clock, reset, writes, address, data, reads, answer, memory_end, thread_end, poll, timeout, memory_timeout, memory_lost, memory_given_up, now, now_high,
            idle, channel_failed, task_error, fault, tasks_in_slots, tasks_listed, step_channel, port_channel, commands,
            fails_step, fails_port, interrupt_task_error, interrupt_fault, interrupt_complete, count_command,
            count_entry, count_launch, count_spawn, count_dependent, count_start, count_end, count_evict,
            count_complete, requests, pending, enable, line, end_of_memory, end_of_threads, poll_cycles, tries, patience,
            time_low, time_high, held, is_held, counts, cleared, kept, set_command, set_step, set_port, set_tasks,
            shown, active, offset, number,
        } {
            counters: (0..9).map(|_| Default::default()).collect(),
            identity: Constant::new(0x5747_5055u64.into()),
            size: sizes(C, S, T, 1),
            sm_size: sizes(NW, W, L, KIB),
            zero: Constant::new(0u64.into()),
            one: Constant::new(1u64.into()),
            no_bits: Constant::new(0u64.into()),
            one_bit: Constant::new(1u64.into()),
            error_bit: Constant::new(0x100u64.into()),
            usual_poll: Constant::new(16u64.into()),
            least_poll: Constant::new(1u64.into()),
        })
    }
}

impl<
        const C: usize,
        const CI: usize,
        const S: usize,
        const T: usize,
        const NW: usize,
        const W: usize,
        const L: usize,
        const KIB: usize,
    > Logic for Registers<C, CI, S, T, NW, W, L, KIB>
{
    #[part]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            pending,
            enable,
            line,
            end_of_memory,
            end_of_threads,
            poll_cycles,
            tries,
            patience,
            time_low,
            time_high,
            held,
            is_held
        );
        self.time_low.d.next = self.time_low.q.val() + self.one.val();
        if self.time_low.q.val().all() {
            self.time_high.d.next = self.time_high.q.val() + self.one.val();
        }

        // ---- Counters.
        self.counts.next = bit_cast::<9, 1>(self.count_command.val().into())
            | (bit_cast::<9, 1>(self.count_entry.val().into()) << 1)
            | (bit_cast::<9, 1>(self.count_launch.val().into()) << 2)
            | (bit_cast::<9, 1>(self.count_spawn.val().into()) << 3)
            | (bit_cast::<9, 1>(self.count_dependent.val().into()) << 4)
            | (bit_cast::<9, 1>(self.count_start.val().into()) << 5)
            | (bit_cast::<9, 1>(self.count_end.val().into()) << 6)
            | (bit_cast::<9, 1>(self.count_evict.val().into()) << 7)
            | (bit_cast::<9, 1>(self.count_complete.val().into()) << 8);
        for i in 0..9 {
            self.counters[i].clock.next = self.clock.val();
            self.counters[i].d.next = self.counters[i].q.val();
            if self.counts.val().get_bit(i) {
                self.counters[i].d.next = self.counters[i].q.val() + self.one.val();
            }
        }

        // ---- Writes.
        self.cleared.next = self.no_bits.val();
        if self.writes.val() {
            if self.address.val() == 0x10 {
                self.cleared.next = self.data.val().get_bits::<20>(0);
            }
            if self.address.val() == 0x14 {
                self.enable.d.next = self.data.val();
            }
            if self.address.val() == 0x18 {
                self.end_of_memory.d.next = self.data.val();
            }
            if self.address.val() == 0x1C {
                self.end_of_threads.d.next = self.data.val();
            }
            if self.address.val() == 0x20 {
                self.poll_cycles.d.next = self.data.val().get_bits::<16>(0);
            }
            if self.address.val() == 0x24 {
                self.tries.d.next = self.data.val();
            }
            if self.address.val() == 0x54 {
                self.patience.d.next = self.data.val();
            }
        }

        // ---- Interrupts.
        self.set_command.next = self.no_bits.val();
        if self.commands.val() {
            self.set_command.next = self.one_bit.val() << self.step_channel.val();
        }
        self.set_step.next = self.no_bits.val();
        if self.fails_step.val() {
            self.set_step.next = self.error_bit.val() << self.step_channel.val();
        }
        self.set_port.next = self.no_bits.val();
        if self.fails_port.val() {
            self.set_port.next = self.error_bit.val() << self.port_channel.val();
        }
        self.set_tasks.next = (bit_cast::<20, 1>(self.interrupt_task_error.val().into()) << 16)
            | (bit_cast::<20, 1>(self.interrupt_fault.val().into()) << 17)
            | (bit_cast::<20, 1>(self.interrupt_complete.val().into()) << 18)
            | (bit_cast::<20, 1>(self.memory_given_up.val().into()) << 19);
        self.kept.next = self.pending.q.val() & !self.cleared.val();
        self.pending.d.next = self.kept.val()
            | self.set_command.val()
            | self.set_step.val()
            | self.set_port.val()
            | self.set_tasks.val();
        self.shown.next = bit_cast::<32, 20>(self.pending.q.val());
        self.active.next = (self.shown.val() & self.enable.q.val()) != 0;
        self.line.d.next = self.active.val();
        self.requests.next = self.line.q.val();

        // ---- Reads.
        self.answer.next = self.zero.val();
        if self.address.val() == 0x00 {
            self.answer.next = self.identity.val();
        }
        if self.address.val() == 0x04 {
            self.answer.next = self.size.val();
        }
        if self.address.val() == 0x08 {
            self.answer.next = self.sm_size.val();
        }
        if self.address.val() == 0x0C {
            self.answer.next = (bit_cast::<32, 1>(self.channel_failed.val().into()) << 1)
                | (bit_cast::<32, 1>(self.task_error.val().into()) << 2)
                | (bit_cast::<32, 1>(self.fault.val().into()) << 3)
                | (bit_cast::<32, 1>(self.memory_lost.val().into()) << 4)
                | (bit_cast::<32, 4>(self.tasks_in_slots.val()) << 8)
                | (bit_cast::<32, 1>(self.tasks_listed.val().into()) << 16);
            if !self.idle.val() {
                self.answer.next = self.one.val()
                    | (bit_cast::<32, 1>(self.channel_failed.val().into()) << 1)
                    | (bit_cast::<32, 1>(self.task_error.val().into()) << 2)
                    | (bit_cast::<32, 1>(self.fault.val().into()) << 3)
                    | (bit_cast::<32, 1>(self.memory_lost.val().into()) << 4)
                    | (bit_cast::<32, 4>(self.tasks_in_slots.val()) << 8)
                    | (bit_cast::<32, 1>(self.tasks_listed.val().into()) << 16);
            }
        }
        if self.address.val() == 0x10 {
            self.answer.next = self.shown.val();
        }
        if self.address.val() == 0x14 {
            self.answer.next = self.enable.q.val();
        }
        if self.address.val() == 0x18 {
            self.answer.next = self.end_of_memory.q.val();
        }
        if self.address.val() == 0x1C {
            self.answer.next = self.end_of_threads.q.val();
        }
        if self.address.val() == 0x20 {
            self.answer.next = bit_cast::<32, 16>(self.poll_cycles.q.val());
        }
        if self.address.val() == 0x24 {
            self.answer.next = self.tries.q.val();
        }
        if self.address.val() == 0x54 {
            self.answer.next = self.patience.q.val();
        }
        if self.address.val() == 0x28 {
            self.answer.next = self.time_low.q.val();
            if self.reads.val() {
                self.held.d.next = self.time_high.q.val();
                self.is_held.d.next = true;
            }
        }
        if self.address.val() == 0x2C {
            self.answer.next = self.time_high.q.val();
            if self.is_held.q.val() {
                self.answer.next = self.held.q.val();
            }
            if self.reads.val() {
                self.is_held.d.next = false;
            }
        }
        // Counters from 0x30 on: what is below wraps to numbers above them.
        self.offset.next = self.address.val() - 0x30;
        for i in 0..9 {
            self.number.next = i.to_bits();
            if self.offset.val() == (self.number.val() << 2) {
                self.answer.next = self.counters[i].q.val();
            }
        }
        carry!(self <- self.*.q:
            memory_end = end_of_memory, thread_end = end_of_threads, poll = poll_cycles,
        );
        if !self.poll_cycles.q.val().any() {
            self.poll.next = self.least_poll.val();
        }
        self.timeout.next = self.tries.q.val();
        carry!(self <- self.*.q: memory_timeout = patience, now = time_low, now_high = time_high);

        if self.reset.val() {
            self.pending.d.next = self.no_bits.val();
            self.enable.d.next = self.zero.val();
            self.line.d.next = false;
            carry!(self.*.d <- self:
                end_of_memory = zero, end_of_threads = zero, poll_cycles = usual_poll,
                tries = zero, patience = zero, time_low = zero, time_high = zero,
            );
            self.is_held.d.next = false;
            for i in 0..9 {
                self.counters[i].d.next = self.zero.val();
            }
        }
    }
}
