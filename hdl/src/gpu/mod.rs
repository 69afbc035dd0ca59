//! The whole GPU: host front end, task management, SMs, and the arbiter in front of their memory. Wiring only.
//!
//! Spec and ports: `docs/spec/gpu.md`, and the pages of its blocks.
//!
//! # Parameters
//! The list `Gpu` of `hdl/src/sizes.rs`.
//!
//! # Cycle behaviour
//! MEMBAR is answered in the cycle after it is asked for, in which all SMs forget the lines (GPU-032).
//!
//! # Errors
//! As its blocks; `Default` panics when the parameters do not fit.

pub mod sm;

use crate::bundles::*;
use crate::hdl::*;
use crate::memory::arbiter::Arbiter;
use crate::memory::atomic_lock::AtomicLock;
use crate::memory::bus_watch::BusWatch;
use crate::memory::l2::port::L2Port;
use crate::memory::l2::L2;
use crate::memory::word_port::WordPort;
use crate::prim::Rota;
use crate::work::host::Host;
use crate::work::tasks::Tasks;
use sm::GpuSm;

/// Parts of the kernel.
pub struct Front;
pub struct Sms;
pub struct Memory;
pub struct Shared;

#[module(
    requires(
        MANAGERS == SMS + 2, MANAGER_ID_BITS == ID_BITS + MANAGER_BITS, SCRATCHPAD_BYTES == 1024 * SCRATCHPAD, HAS_L2 <= 1,
        L2_PORTS == SMS * HAS_L2
    ),
    kernel(Front, Sms, Memory, Shared)
)]
pub struct Gpu {
    /// Everything happens at its rising edge.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high, for one cycle at least.
    pub reset: Signal<In, Bit>,
    /// AXI4-Lite subordinate: registers of `docs/spec/host.md` and `tasks.md`.
    pub host: LitePorts<12>,
    /// INTERRUPT & INTERRUPT_ENABLE is not 0.
    pub host_interrupt: Signal<Out, Bit>,
    /// The memory of all (GPU-010).
    pub axi: AxiPorts<MANAGER_ID_BITS, DATA, STROBES>,
    /// A step of a channel is over (HOST-090).
    pub step_valid: Signal<Out, Bit>,
    /// The channel.
    pub step_channel: Signal<Out, Bits<CHANNEL_BITS>>,
    /// A command; else an entry.
    pub step_command: Signal<Out, Bit>,
    /// GP_GET.
    pub step_get: Signal<Out, Bits<32>>,
    /// Address of the entry or command.
    pub step_address: Signal<Out, Bits<32>>,
    /// Its first word, 0 if it could not be read.
    pub step_word: Signal<Out, Bits<32>>,
    /// 0 executed, 1 waits, 2 error.
    pub step_result: Signal<Out, Bits<2>>,
    /// 0, or what is wrong.
    pub step_code: Signal<Out, Bits<8>>,
    /// A step of task management is over (TASK-090).
    pub task_valid: Signal<Out, Bit>,
    /// Which step.
    pub task_kind: Signal<Out, Bits<4>>,
    /// Its descriptor.
    pub task_task: Signal<Out, Bits<32>>,
    /// The task slot.
    pub task_slot: Signal<Out, Bits<3>>,
    /// 0, or what is wrong.
    pub task_code: Signal<Out, Bits<8>>,
    /// Where it is wrong.
    pub task_place: Signal<Out, Bits<32>>,
    /// 0 channel, 1 spawn ring, 2 dependent.
    pub task_source: Signal<Out, Bits<2>>,
    /// Number of the SM.
    pub task_sm: Signal<Out, Bits<SM_BITS>>,
    /// Number of the CTA.
    pub task_cta: Signal<Out, Bits<32>>,
    /// First position of its entries.
    pub task_position: Signal<Out, Bits<32>>,
    /// How many entries it has.
    pub task_entries: Signal<Out, Bits<32>>,
    /// It has failed; a return goes to the head.
    pub task_flag: Signal<Out, Bit>,
    /// This SM issues an instruction.
    pub issue_valid: [Signal<Out, Bit>; SMS],
    /// Its warp.
    pub issue_warp: [Signal<Out, Bits<WARP_BITS>>; SMS],
    /// Its byte address / 4.
    pub issue_pc: [Signal<Out, Bits<22>>; SMS],
    /// SHARED-051: a line is given; one is asked for and will be held; will not; a shorter read; one that waits.
    #[many(HAS_L2)]
    pub l2_events: Vec<Signal<Out, Bits<5>>>,
    front: Host<
        CHANNELS,
        CHANNEL_BITS,
        CHANNEL_WORD_BITS,
        SMS,
        SLOTS,
        WARPS,
        THREADS,
        LANES,
        SCRATCHPAD,
    >,
    #[sizes(MIX = 0)]
    tasks: Tasks,
    front_words: WordPort<DATA, STROBES, BEAT_WORDS, BEAT_WORD_BITS>,
    task_words: WordPort<DATA, STROBES, BEAT_WORDS, BEAT_WORD_BITS>,
    arbiter: Arbiter<MANAGERS, DATA, STROBES, ID_BITS, MANAGER_ID_BITS, MANAGER_MASK, MANAGER_BITS>,
    lock: AtomicLock<MANAGERS, MANAGER_MASK, MANAGER_BITS>,
    watch: BusWatch,
    sms: [GpuSm; SMS],
    // Lines that the SMs share, or nothing of them (SHARED-001, SHARED-002).
    #[many(HAS_L2)]
    #[sizes(L2_FILLS = 16)]
    l2: Vec<L2>,
    #[many(L2_PORTS)]
    l2_ports: Vec<L2Port<DATA, BEATS, ID_BITS, MANAGER_ID_BITS>>,
    #[many(HAS_L2)]
    l2_turns: Vec<Rota<MANAGER_MASK, MANAGER_BITS>>,
    #[many(HAS_L2)]
    l2_among: Vec<Signal<Local, Bits<MANAGER_MASK>>>,
    #[many(HAS_L2)]
    l2_passing: Vec<Signal<Local, Bit>>,
    #[many(HAS_L2)]
    l2_starts: Vec<Signal<Local, Bit>>,
    #[many(HAS_L2)]
    l2_gives: Vec<Signal<Local, Bit>>,
    // The lines are forgotten in this cycle.
    forgets: DFF<Bit>,
    // All but the host port and its registers begins anew.
    inner_reset: Signal<Local, Bit>,
    // The memory answers, as far as is known; what is taken at its port: both addresses, a word, a beat, a response.
    answers: Signal<Local, Bit>,
    read_taken: Signal<Local, Bit>,
    write_taken: Signal<Local, Bit>,
    word_taken: Signal<Local, Bit>,
    beat_taken: Signal<Local, Bit>,
    response_taken: Signal<Local, Bit>,
    forgets_data: Signal<Local, Bit>,
    forgets_text: Signal<Local, Bit>,
    wants: Signal<Local, Bits<MANAGER_MASK>>,
    placed: Signal<Local, Bits<MANAGER_MASK>>,
    busy: Signal<Local, Bits<MANAGER_MASK>>,
    #[value(0u64.into())]
    nobody: Constant<Bits<MANAGER_MASK>>,
    #[value(0.into())]
    id: Constant<Bits<ID_BITS>>,
}

#[part(Gpu, Front)]
fn update(&mut self) {
    self.inner_reset.next = self.reset.val() | self.watch.gives_up.val();
    self.front.reset.next = self.reset.val();
    self.tasks.reset.next = self.inner_reset.val();
    self.front.host_awvalid.next = self.host.awvalid.val();
    self.host.awready.next = self.front.host_awready.val();
    carry!(self.front.host_* <- self.host: awaddr, wvalid);
    self.host.wready.next = self.front.host_wready.val();
    carry!(self.front.host_* <- self.host: wdata, wstrb);
    self.host.bvalid.next = self.front.host_bvalid.val();
    self.front.host_bready.next = self.host.bready.val();
    self.host.bresp.next = self.front.host_bresp.val();
    self.front.host_arvalid.next = self.host.arvalid.val();
    self.host.arready.next = self.front.host_arready.val();
    self.front.host_araddr.next = self.host.araddr.val();
    self.host.rvalid.next = self.front.host_rvalid.val();
    self.front.host_rready.next = self.host.rready.val();
    carry!(self.host <- self.front.host_*: rdata, rresp);
    self.host_interrupt.next = self.front.host_interrupt.val();
    carry!(self.tasks <- self.front:
        launch_request, launch_descriptor, launch_private, launch_domain, reg_write, reg_address,
        reg_data, reg_read_address, memory_end, thread_end, now,
    );
    carry!(self.front <- self.tasks:
        launch_done, launch_code, launch_place, reg_read_data, idle, tasks_in_slots, tasks_listed,
        task_error, fault, interrupt_task_error, interrupt_fault, interrupt_complete, count_spawn,
        count_dependent, count_start, count_end, count_evict, count_complete,
    );
    self.forgets.d.next =
        self.front.forget_request.val() & !self.forgets.q.val() & !self.reset.val();
    self.front.forget_done.next = self.forgets.q.val();
    self.forgets_data.next = self.forgets.q.val() & self.front.forget_data.val();
    self.forgets_text.next = self.forgets.q.val() & self.front.forget_instructions.val();
    carry!(self.step_* <- self.front.trace_*:
        valid, channel, command, get, address, word, result, code,
    );
    carry!(self.task_* <- self.tasks.trace_*:
        valid, kind, task, slot, code, place, source, sm, cta, position, entries, flag,
    );
}

#[part(Gpu, Sms)]
fn update(&mut self) {
    for s in 0..SMS {
        self.sms[s].reset.next = self.inner_reset.val();
        carry!(self.sms[s].forget_* <- self.forgets_*: data, text);
        self.sms[s].word_valid.next = self.tasks.word_valid[s].val();
        carry!(self.sms[s] <- self.tasks: word_index, word);
        self.sms[s].cta_valid.next = self.tasks.cta_valid[s].val();
        self.sms[s].cta_place.next = self.tasks.cta_place.val();
        carry!(self.sms[s] <- self.tasks.*[s]: cta_kill, end_ready, report_ready);
        carry!(self.tasks.*[s] <- self.sms[s]:
            cta_ready, end_valid, end_place, end_failed, report_valid, report_place,
            report_warp, report_thread, report_cause, report_pc, report_address,
        );
        carry!(self.*[s] <- self.sms[s]: issue_valid, issue_warp, issue_pc);
    }
}

#[part(Gpu, Memory)]
fn update(&mut self) {
    spread!(self.*.reset <- self.inner_reset: front_words, task_words, arbiter, lock);
    carry!(self.lock <- self.arbiter: waits, taken, answered);
    self.arbiter.held.next = self.lock.held.val();
    spread!(self <- self.nobody: wants, placed, busy);
    for s in 0..SMS {
        self.wants.next = self
            .wants
            .val()
            .replace_bit(s + 2, self.sms[s].atomic.wants.val());
        self.placed.next = self
            .placed
            .val()
            .replace_bit(s + 2, self.sms[s].atomic.placed.val());
        self.busy.next = self
            .busy
            .val()
            .replace_bit(s + 2, self.sms[s].atomic.busy.val());
        self.sms[s].atomic.may.next = self.lock.may.val().get_bit(s + 2);
        self.sms[s].atomic.snoop_valid.next = self.arbiter.snoop_valid.val().get_bit(s + 2);
        self.sms[s].atomic.snoop_line.next = self.arbiter.snoop_line.val();
    }
    carry!(self.lock <- self: wants, placed, busy);
    // ---- The memory, as long as it answers (GPU-060).
    self.watch.reset.next = self.reset.val();
    self.watch.patience.next = self.front.memory_timeout.val();
    self.watch.asks.next = self.arbiter.m_axi.arvalid.val()
        | self.arbiter.m_axi.awvalid.val()
        | self.arbiter.m_axi.wvalid.val();
    self.answers.next = !self.watch.lost.val();
    self.read_taken.next =
        self.arbiter.m_axi.arvalid.val() & self.axi.arready.val() & self.answers.val();
    self.write_taken.next =
        self.arbiter.m_axi.awvalid.val() & self.axi.awready.val() & self.answers.val();
    self.word_taken.next =
        self.arbiter.m_axi.wvalid.val() & self.axi.wready.val() & self.answers.val();
    self.beat_taken.next =
        self.axi.rvalid.val() & self.arbiter.m_axi.rready.val() & self.answers.val();
    self.response_taken.next =
        self.axi.bvalid.val() & self.arbiter.m_axi.bready.val() & self.answers.val();
    for v in 0..HAS_L2 {
        self.response_taken.next =
            self.axi.bvalid.val() & self.l2[v].b_mready.val() & self.answers.val();
    }
    carry!(self.watch <- self: asked_read = read_taken, asked_write = write_taken);
    self.watch.told_read.next = self.beat_taken.val() & self.axi.rlast.val();
    self.watch.told_write.next = self.response_taken.val();
    self.watch.moves.next = self.read_taken.val()
        | self.write_taken.val()
        | self.word_taken.val()
        | self.beat_taken.val()
        | self.response_taken.val();
    carry!(self.front.memory_* <- self.watch: lost, given_up = gives_up);
    self.axi.arvalid.next = self.arbiter.m_axi.arvalid.val() & self.answers.val();
    carry!(self.axi <- self.arbiter.m_axi: arid, araddr, arlen, arsize, arburst);
    self.axi.rready.next = self.arbiter.m_axi.rready.val() | self.watch.lost.val();
    self.axi.awvalid.next = self.arbiter.m_axi.awvalid.val() & self.answers.val();
    carry!(self.axi <- self.arbiter.m_axi: awid, awaddr, awlen, awsize, awburst);
    self.axi.wvalid.next = self.arbiter.m_axi.wvalid.val() & self.answers.val();
    carry!(self.axi <- self.arbiter.m_axi: wdata, wstrb, wlast);
    self.axi.bready.next = self.arbiter.m_axi.bready.val() | self.watch.lost.val();
    self.arbiter.m_axi.arready.next = self.axi.arready.val() & self.answers.val();
    self.arbiter.m_axi.rvalid.next = self.axi.rvalid.val() & self.answers.val();
    carry!(self.arbiter.m_axi <- self.axi: rid, rdata, rresp, rlast);
    self.arbiter.m_axi.awready.next = self.axi.awready.val() & self.answers.val();
    self.arbiter.m_axi.wready.next = self.axi.wready.val() & self.answers.val();
    self.arbiter.m_axi.bvalid.next = self.axi.bvalid.val() & self.answers.val();
    carry!(self.arbiter.m_axi <- self.axi: bid, bresp);
    carry!(self.front_words <- self.front:
        memory_request, memory_write, memory_address, memory_data, memory_more,
    );
    carry!(self.front <- self.front_words: memory_ready, memory_done, memory_error, memory_read);
    carry!(self.task_words <- self.tasks:
        memory_request, memory_write, memory_address, memory_data, memory_more,
    );
    carry!(self.tasks <- self.task_words: memory_ready, memory_done, memory_error, memory_read);
    self.arbiter.s_arvalid[0].next = self.front_words.axi_arvalid.val();
    self.arbiter.s_arid[0].next = self.id.val();
    carry!(self.arbiter.s_*[0] <- self.front_words.axi_*: araddr, arlen, rready, awvalid);
    self.arbiter.s_awid[0].next = self.id.val();
    self.arbiter.s_awaddr[0].next = self.front_words.axi_awaddr.val();
    self.arbiter.s_awlen[0].next = 0.into();
    carry!(self.arbiter.s_*[0] <- self.front_words.axi_*: wvalid, wdata, wstrb);
    self.arbiter.s_wlast[0].next = true;
    self.arbiter.s_bready[0].next = self.front_words.axi_bready.val();
    carry!(self.front_words.axi_* <- self.arbiter.s_*[0]: arready, rvalid);
    carry!(self.front_words.axi_* <- self.arbiter.s_*: rdata, rresp);
    carry!(self.front_words.axi_* <- self.arbiter.s_*[0]: awready, wready, bvalid);
    self.front_words.axi_bresp.next = self.arbiter.s_bresp.val();
    self.arbiter.s_arvalid[1].next = self.task_words.axi_arvalid.val();
    self.arbiter.s_arid[1].next = self.id.val();
    carry!(self.arbiter.s_*[1] <- self.task_words.axi_*: araddr, arlen, rready, awvalid);
    self.arbiter.s_awid[1].next = self.id.val();
    self.arbiter.s_awaddr[1].next = self.task_words.axi_awaddr.val();
    self.arbiter.s_awlen[1].next = 0.into();
    carry!(self.arbiter.s_*[1] <- self.task_words.axi_*: wvalid, wdata, wstrb);
    self.arbiter.s_wlast[1].next = true;
    self.arbiter.s_bready[1].next = self.task_words.axi_bready.val();
    carry!(self.task_words.axi_* <- self.arbiter.s_*[1]: arready, rvalid);
    carry!(self.task_words.axi_* <- self.arbiter.s_*: rdata, rresp);
    carry!(self.task_words.axi_* <- self.arbiter.s_*[1]: awready, wready, bvalid);
    self.task_words.axi_bresp.next = self.arbiter.s_bresp.val();
    for s in 0..SMS {
        carry!(self.arbiter.s_*[s + 2] <- self.sms[s].axi:
            arvalid, arid, araddr, arlen, rready, awvalid, awid, awaddr, awlen, wvalid, wdata,
            wstrb, wlast, bready,
        );
        carry!(self.sms[s].axi <- self.arbiter.s_*[s + 2]: arready, rvalid);
        carry!(self.sms[s].axi <- self.arbiter.s_*: rid, rdata, rresp, rlast);
        carry!(self.sms[s].axi <- self.arbiter.s_*[s + 2]: awready, wready, bvalid);
        carry!(self.sms[s].axi <- self.arbiter.s_*: bid, bresp);
    }
}

#[part(Gpu, Shared)]
fn update(&mut self) {
    for v in 0..HAS_L2 {
        self.l2[v].reset.next = self.inner_reset.val();
        // ---- SHARED-040: a task comes into its slot, a CTA of a queue starts; MEMBAR.
        self.l2_starts[v].next = self.tasks.trace_valid.val()
            & ((self.tasks.trace_kind.val() == 1)
                | ((self.tasks.trace_kind.val() == 2) & self.tasks.trace_entries.val().any()));
        self.l2[v].forget.next =
            self.l2_starts[v].val() | self.forgets_data.val() | self.forgets_text.val();
        carry!(self.l2_turns[v] <- self: reset = inner_reset, marks = nobody);
        self.l2_among[v].next = self.nobody.val();
        if self.l2[v].takes.val() {
            for s in 0..L2_PORTS {
                self.l2_among[v].next = self.l2_among[v]
                    .val()
                    .replace_bit(s, self.l2_ports[s].asks.val());
            }
        }
        self.l2_turns[v].among.next = self.l2_among[v].val();
        self.l2[v].asked.next = self.l2_turns[v].taken.val();
        carry!(self.l2[v].asked_* <- self.l2_ports[0]: line, id, whole, later);
        for s in 1..L2_PORTS {
            if self.l2_turns[v].taken.val().get_bit(s) {
                carry!(self.l2[v].asked_* <- self.l2_ports[s]: line, id, whole, later);
            }
        }
        self.l2[v].beat_valid.next = self.beat_taken.val();
        carry!(self.l2[v] <- self.axi:
            beat_id = rid, beat_data = rdata, beat_resp = rresp, beat_last = rlast,
        );
        self.l2[v].write_valid.next = self.arbiter.snoop_valid.val().any();
        self.l2[v].write_id.next = self.arbiter.m_axi.awid.val();
        self.l2[v].write_line.next = self.arbiter.snoop_line.val();
        self.l2[v].b_mvalid.next = self.axi.bvalid.val() & self.answers.val();
        carry!(self.l2[v] <- self.axi: b_mid = bid, b_mresp = bresp);
        self.l2[v].b_sready.next = self.arbiter.m_axi.bready.val();
        self.axi.bready.next = self.l2[v].b_mready.val() | self.watch.lost.val();
        carry!(self.arbiter.m_axi <- self.l2[v]: bvalid = b_svalid, bid = b_sid, bresp = b_sresp);
    }
    for s in 0..L2_PORTS {
        self.l2_ports[s].reset.next = self.inner_reset.val();
        self.l2_ports[s].number.next = s.to_bits();
        carry!(self.l2_ports[s].s_* <- self.sms[s]: past);
        carry!(self.l2_ports[s].s_* <- self.sms[s].axi: arvalid, arid, araddr, arlen, rready);
        carry!(self.sms[s].axi <- self.l2_ports[s].s_*: arready, rvalid, rid, rdata, rresp, rlast);
        carry!(self.arbiter.s_*[s + 2] <- self.l2_ports[s].m_*:
            arvalid, arid, araddr, arlen, rready,
        );
        carry!(self.l2_ports[s].m_* <- self.arbiter.s_*[s + 2]: arready, rvalid);
        carry!(self.l2_ports[s].m_* <- self.arbiter.s_*: rid, rdata, rresp, rlast);
    }
    for v in 0..HAS_L2 {
        self.l2_passing[v].next = false;
        self.l2_gives[v].next = false;
        for s in 0..L2_PORTS {
            self.l2_ports[s].looked.next = self.l2[v].looked_line.val();
            if self.l2_ports[s].passing.val() {
                self.l2_passing[v].next = true;
            }
            if self.l2_ports[s].takes.val() {
                self.l2_gives[v].next = true;
            }
            self.l2_ports[s].granted.next = self.l2_turns[v].taken.val().get_bit(s);
            self.l2_ports[s].goes.next = self.l2[v].goes.val().get_bit(s);
            self.l2_ports[s].again.next = self.l2[v].again.val().get_bit(s);
            self.l2_ports[s].hit.next = self.l2[v].hit.val().get_bit(s);
            self.l2_ports[s].whole_line.next = self.l2[v].whole_line.val();
        }
        self.l2[v].passing.next = self.l2_passing[v].val();
        // A line that stands behind another one is looked up again, and given once.
        self.l2_events[v].next = self.l2[v]
            .events
            .val()
            .replace_bit(0, self.l2_gives[v].val());
    }
}
