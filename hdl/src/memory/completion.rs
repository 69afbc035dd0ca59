//! Instructions that are complete, fences that wait, and faults.
//!
//! Spec: `docs/spec/memory.md`, MEM-014, MEM-016.
//!
//! # Parameters
//! `NW` warps, `WI` = log2 NW; `ES` bits of the number of a write under way.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `park`, `park_warp`, `park_acquires` | in | 1, WI, 1 | a fence waits, or what is behind an acquire |
//! | `under_way` | in | NW | the warp has accesses that are not over, but for those that wait |
//! | `parked` | out | NW | the warp has a fence that waits, or an acquire that is not over |
//! | `fence_over`, `acquired` | out | 1, 1 | pulses: a fence is complete; an acquire is over |
//! | `load_valid` / `load_ready`, `load_warp`, `load_uses_rd`, `load_rd`, `load_pc`, `load_number`, `load_bad`, `load_thread`, `load_cause`, `load_address` | in / out | 1, WI, 1, 5, 22, 16, 1, 6, 4, 32 | an instruction with rows is complete, and its fault |
//! | `store_valid` / `store_room`, `store_warp`, `store_pc`, `store_number`, `store_bad`, `store_thread`, `store_cause`, `store_address` | in / out | 1, WI, 22, 16, 1, 6, 4, 32 | an instruction without; only with room |
//! | `sent`, `sent_at`, `sent_warp`, `sent_pc`, `sent_number`, `sent_thread`, `sent_address` | in | 1, ES, WI, 22, 16, 6, 32 | a write goes to the port: lowest thread served by it |
//! | `ack_valid` / `ack_ready`, `ack_at`, `ack_error` | in / out | 1, ES, 1 | its response |
//! | `write_over`, `write_warp` | out | 1, WI | a response was taken |
//! | `complete_*`, `access_fault_*` | | | of the page |
//!
//! # Cycle behaviour
//! What is complete in cycle t is offered in t + 1, after its fault; with rows and without a fault, and when nothing
//! stands at the port, in t. A fence is, in the cycle after the last of its warp's accesses was over.
//! Fences and instructions with rows take turns; stores come after them.
//! What stands at the port leaves it empty for a cycle: room does not depend on `complete_ready`.
//!
//! # Invariants
//! 1. A fault of an instruction is offered before its completion, but for that of a write response.
//!
//! # Errors
//! None at run time. `Default` panics when the parameters do not fit.

use crate::hdl::*;
use crate::prim::{FirstOne, LutRam};

#[module(requires(NW == 1 << WI))]
pub struct Completion<const NW: usize, const WI: usize, const ES: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub park: Signal<In, Bit>,
    pub park_warp: Signal<In, Bits<WI>>,
    pub park_acquires: Signal<In, Bit>,
    pub under_way: Signal<In, Bits<NW>>,
    pub parked: Signal<Out, Bits<NW>>,
    pub fence_over: Signal<Out, Bit>,
    pub acquired: Signal<Out, Bit>,
    pub load_valid: Signal<In, Bit>,
    pub load_ready: Signal<Out, Bit>,
    pub load_warp: Signal<In, Bits<WI>>,
    pub load_uses_rd: Signal<In, Bit>,
    pub load_rd: Signal<In, Bits<5>>,
    pub load_pc: Signal<In, Bits<22>>,
    pub load_number: Signal<In, Bits<16>>,
    pub load_bad: Signal<In, Bit>,
    pub load_thread: Signal<In, Bits<6>>,
    pub load_cause: Signal<In, Bits<4>>,
    pub load_address: Signal<In, Bits<32>>,
    pub store_valid: Signal<In, Bit>,
    pub store_room: Signal<Out, Bit>,
    pub store_warp: Signal<In, Bits<WI>>,
    pub store_pc: Signal<In, Bits<22>>,
    pub store_number: Signal<In, Bits<16>>,
    pub store_bad: Signal<In, Bit>,
    pub store_thread: Signal<In, Bits<6>>,
    pub store_cause: Signal<In, Bits<4>>,
    pub store_address: Signal<In, Bits<32>>,
    pub sent: Signal<In, Bit>,
    pub sent_at: Signal<In, Bits<ES>>,
    pub sent_warp: Signal<In, Bits<WI>>,
    pub sent_pc: Signal<In, Bits<22>>,
    pub sent_number: Signal<In, Bits<16>>,
    pub sent_thread: Signal<In, Bits<6>>,
    pub sent_address: Signal<In, Bits<32>>,
    pub ack_valid: Signal<In, Bit>,
    pub ack_ready: Signal<Out, Bit>,
    pub ack_at: Signal<In, Bits<ES>>,
    pub ack_error: Signal<In, Bit>,
    pub write_over: Signal<Out, Bit>,
    pub write_warp: Signal<Out, Bits<WI>>,
    pub complete_valid: Signal<Out, Bit>,
    pub complete_ready: Signal<In, Bit>,
    pub complete_warp: Signal<Out, Bits<WI>>,
    pub complete_uses_rd: Signal<Out, Bit>,
    pub complete_rd: Signal<Out, Bits<5>>,
    pub access_fault_valid: Signal<Out, Bit>,
    pub access_fault_ready: Signal<In, Bit>,
    pub access_fault_warp: Signal<Out, Bits<WI>>,
    pub access_fault_thread: Signal<Out, Bits<6>>,
    pub access_fault_pc: Signal<Out, Bits<22>>,
    pub access_fault_number: Signal<Out, Bits<16>>,
    pub access_fault_cause: Signal<Out, Bits<4>>,
    pub access_fault_address: Signal<Out, Bits<32>>,
    // State: fences, those for which nothing is under way any more; acquires; what stands at the port, and whether its
    // fault is still to be reported; whose turn it was.
    waits: DFF<Bits<NW>>,
    are_over: DFF<Bits<NW>>,
    // One of them is.
    any_over: DFF<Bit>,
    acquires: DFF<Bits<NW>>,
    valid: DFF<Bit>,
    bad: DFF<Bit>,
    warp: DFF<Bits<WI>>,
    uses_rd: DFF<Bit>,
    rd: DFF<Bits<5>>,
    pc: DFF<Bits<22>>,
    instruction: DFF<Bits<16>>,
    thread: DFF<Bits<6>>,
    cause: DFF<Bits<4>>,
    address: DFF<Bits<32>>,
    was_fence: DFF<Bit>,
    // State: a fault that a write response told.
    late: DFF<Bit>,
    holds_late: DFF<Bit>,
    late_warp: DFF<Bits<WI>>,
    late_pc: DFF<Bits<22>>,
    late_number: DFF<Bits<16>>,
    late_thread: DFF<Bits<6>>,
    late_address: DFF<Bits<32>>,
    // State per write under way.
    warps: LutRam<Bits<WI>, ES>,
    pcs: LutRam<Bits<22>, ES>,
    instructions: LutRam<Bits<16>, ES>,
    threads: LutRam<Bits<6>, ES>,
    addresses: LutRam<Bits<32>, ES>,
    // Combinational.
    free: Signal<Local, Bit>,
    over: Signal<Local, Bits<NW>>,
    acquires_over: Signal<Local, Bits<NW>>,
    first: FirstOne<NW, WI>,
    next_waits: Signal<Local, Bits<NW>>,
    next_over: Signal<Local, Bits<NW>>,
    next_acquires: Signal<Local, Bits<NW>>,
    takes_fence: Signal<Local, Bit>,
    takes_load: Signal<Local, Bit>,
    fence_first: Signal<Local, Bit>,
    straight: Signal<Local, Bit>,
    faults: Signal<Local, Bit>,
    acked: Signal<Local, Bit>,
    #[init((0..NW).map(|w| Constant::new((w as u64).into())).collect())]
    number: Vec<Constant<Bits<WI>>>,
    #[value(0u64.into())]
    no_warps: Constant<Bits<NW>>,
    #[value(u64::from(crate::ports::cause::BUS).into())]
    bus: Constant<Bits<4>>,
}

#[part(Completion<NW, WI, ES>)]
fn update(&mut self) {
    // ---- What stands at the ports. The fault of an instruction goes before that of a write response.
    self.faults.next = self.valid.q.val() & self.bad.q.val();
    self.over.next = self.waits.q.val() & !self.under_way.val();
    self.first.bits.next = self.are_over.q.val();
    self.fence_first.next =
        self.any_over.q.val() & (!self.was_fence.q.val() | !self.load_valid.val());
    // One with rows and without a fault goes straight to its port when nothing stands there.
    self.straight.next = !self.valid.q.val()
        & !self.fence_first.val()
        & self.load_valid.val()
        & !self.load_bad.val();
    self.complete_valid.next = (self.valid.q.val() & !self.bad.q.val()) | self.straight.val();
    carry!(self.complete_* <- self.*.q: warp, uses_rd, rd);
    if self.straight.val() {
        carry!(self.complete_* <- self.load_*: warp, uses_rd, rd);
    }
    self.access_fault_valid.next = self.faults.val() | self.late.q.val();
    carry!(self.access_fault_* <- self.late_*.q: warp, thread, pc, number);
    self.access_fault_cause.next = self.bus.val();
    self.access_fault_address.next = self.late_address.q.val();
    if !self.holds_late.q.val() & self.faults.val() {
        carry!(self.access_fault_* <- self.*.q:
            warp, thread, pc, number = instruction, cause, address,
        );
    }
    // What has been shown stays until it is taken.
    self.holds_late.d.next = self.late.q.val()
        & !self.access_fault_ready.val()
        & (self.holds_late.q.val() | !self.faults.val());
    if self.access_fault_ready.val() {
        if self.faults.val() & !self.holds_late.q.val() {
            self.bad.d.next = false;
        } else {
            self.late.d.next = false;
        }
    }
    // Not whether it is taken now: that is known late, and the next pass would hang on it.
    self.free.next = !self.valid.q.val();
    if self.complete_ready.val() & !self.bad.q.val() {
        self.valid.d.next = false;
    }
    // ---- The next one.
    self.takes_fence.next = self.free.val() & self.fence_first.val();
    self.load_ready.next = self.free.val() & !self.takes_fence.val();
    self.takes_load.next = self.load_valid.val() & self.load_ready.val();
    self.store_room.next = self.free.val() & !self.any_over.q.val() & !self.load_valid.val();
    if self.free.val() {
        self.valid.d.next = self.takes_fence.val()
            | (self.takes_load.val() & !(self.straight.val() & self.complete_ready.val()))
            | self.store_valid.val();
        self.bad.d.next = false;
        self.uses_rd.d.next = false;
        if self.takes_fence.val() {
            self.warp.d.next = self.first.place.val();
            self.was_fence.d.next = true;
        } else if self.takes_load.val() {
            self.was_fence.d.next = false;
            carry!(self.*.d <- self.load_*:
                warp, uses_rd, rd, pc, instruction = number, bad, thread, cause, address,
            );
        } else {
            carry!(self.*.d <- self.store_*:
                warp, pc, instruction = number, bad, thread, cause, address,
            );
        }
    }
    // ---- Fences (ORDER-010).
    self.parked.next = self.waits.q.val() | self.acquires.q.val();
    self.fence_over.next = self.takes_fence.val();
    self.next_waits.next = self.waits.q.val();
    self.next_over.next = self.over.val();
    // An acquire is complete by its rows; here it only holds back what is behind it.
    self.acquires_over.next = self.acquires.q.val() & !self.under_way.val();
    self.acquired.next = self.acquires_over.val().any();
    self.next_acquires.next = self.acquires.q.val() & !self.acquires_over.val();
    for w in 0..NW {
        if self.takes_fence.val() & (self.first.place.val() == self.number[w].val()) {
            self.next_waits.next = self.next_waits.val().replace_bit(w, false);
            self.next_over.next = self.next_over.val().replace_bit(w, false);
        }
        if self.park.val() & (self.park_warp.val() == self.number[w].val()) {
            if self.park_acquires.val() {
                self.next_acquires.next = self.next_acquires.val().replace_bit(w, true);
            } else {
                self.next_waits.next = self.next_waits.val().replace_bit(w, true);
            }
        }
    }
    // ---- Writes and their responses.
    spread!(self.*.write_enable <- self.sent: warps, pcs, instructions, threads, addresses);
    spread!(self.*.write_address <- self.sent_at: warps, pcs, instructions, threads, addresses);
    self.warps.write_data.next = self.sent_warp.val();
    self.pcs.write_data.next = self.sent_pc.val();
    self.instructions.write_data.next = self.sent_number.val();
    self.threads.write_data.next = self.sent_thread.val();
    self.addresses.write_data.next = self.sent_address.val();
    spread!(self.*.read_address <- self.ack_at: warps, pcs, instructions, threads, addresses);
    self.ack_ready.next = !self.late.q.val();
    self.acked.next = self.ack_valid.val() & !self.late.q.val();
    self.write_over.next = self.acked.val();
    self.write_warp.next = self.warps.read_data.val();
    if self.acked.val() & self.ack_error.val() {
        self.late.d.next = true;
        self.late_warp.d.next = self.warps.read_data.val();
        self.late_pc.d.next = self.pcs.read_data.val();
        self.late_number.d.next = self.instructions.read_data.val();
        self.late_thread.d.next = self.threads.read_data.val();
        self.late_address.d.next = self.addresses.read_data.val();
    }
    if self.reset.val() {
        spread!(self <- self.no_warps: next_waits, next_over, next_acquires);
        self.valid.d.next = false;
        self.late.d.next = false;
        self.holds_late.d.next = false;
    }
    carry!(self.*.d <- self.next_*: waits, are_over = over, acquires);
    self.any_over.d.next = self.next_over.val().any();
}
