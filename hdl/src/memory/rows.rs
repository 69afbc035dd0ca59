//! Rows under way: the results of loads and atomics, and the instructions that they belong to.
//!
//! Spec: `docs/spec/memory.md`, MEM-012, MEM-019.
//!
//! # Parameters
//! `L` lanes; `LW` = 32 L; `CB` bits of a count of accesses, log2 L + 2; `T` rows, a power of two, 4 to 16;
//! `TI` = log2 T; `WI` and `PB` bits of a warp and of a part; `PC` bits of a count of passes, PB + 2.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `open_room`, `open_more` | out | 1, 1 | a slot is free; and another one |
//! | `open`, `open_first`, `open_last`, `open_warp`, `open_part`, `open_pc`, `open_number`, `open_uses_rd`, `open_rd`, `open_mask` | in | 1, 1, 1, WI, PB, 22, 16, 1, 5, L | a pass begins, first and last of its instruction; lanes that get a value |
//! | `open_slot`, `open_leader` | out | TI | its slot, and that of its instruction: the slot of the first pass |
//! | `begins`, `placed`, `at_slot` | in | 1, 1, TI | an access of the row begins; the last one has begun (before, with or without one) |
//! | `over`, `over_slot` | in | 1, TI | an access of the row is over; its values come in this cycle at the latest |
//! | `write_lanes`, `write_slot`, `write_data` | in | L, TI, LW | values |
//! | `result_valid` / `result_ready`, `result_warp`, `result_part`, `result_rd`, `result_mask`, `result_data` | out / in | 1, WI, PB, 5, L, LW | a row for the registers |
//! | `row_over`, `row_warp` | out | 1, WI | a row is over, wanted or not |
//! | `done_valid` / `done_ready`, `done_slot`, `done_warp`, `done_pc`, `done_number`, `done_uses_rd`, `done_rd` | out / in | 1, TI, WI, 22, 16, 1, 5 | an instruction: all its rows are over |
//!
//! # Cycle behaviour
//! ```text
//! cycle     t      t + 1    t + 2
//! over      last   result   done
//! ```
//! Rows that are ready take turns, and so do instructions. Slots are given from 0 up.
//!
//! # Invariants
//! 1. A slot is given again only when its row, and if it is an instruction's slot the instruction, is over.
//!
//! # Errors
//! None at run time. `Default` panics when the parameters do not fit.

use super::Join;
use crate::hdl::*;
use crate::prim::{FirstOne, LutRam, Rota};

#[module(requires(LW == 32 * L, 1 << (CB - 2) == L, T == 1 << TI, (4..=16).contains(&T), PC == PB + 2))]
pub struct Rows<
    const L: usize,
    const LW: usize,
    const CB: usize,
    const T: usize,
    const TI: usize,
    const WI: usize,
    const PB: usize,
    const PC: usize,
> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub open_room: Signal<Out, Bit>,
    pub open_more: Signal<Out, Bit>,
    pub open: Signal<In, Bit>,
    pub open_first: Signal<In, Bit>,
    pub open_last: Signal<In, Bit>,
    pub open_warp: Signal<In, Bits<WI>>,
    pub open_part: Signal<In, Bits<PB>>,
    pub open_pc: Signal<In, Bits<22>>,
    pub open_number: Signal<In, Bits<16>>,
    pub open_uses_rd: Signal<In, Bit>,
    pub open_rd: Signal<In, Bits<5>>,
    pub open_mask: Signal<In, Bits<L>>,
    pub open_slot: Signal<Out, Bits<TI>>,
    pub open_leader: Signal<Out, Bits<TI>>,
    pub begins: Signal<In, Bit>,
    pub placed: Signal<In, Bit>,
    pub at_slot: Signal<In, Bits<TI>>,
    pub over: Signal<In, Bit>,
    pub over_slot: Signal<In, Bits<TI>>,
    pub write_lanes: Signal<In, Bits<L>>,
    pub write_slot: Signal<In, Bits<TI>>,
    pub write_data: Signal<In, Bits<LW>>,
    pub result_valid: Signal<Out, Bit>,
    pub result_ready: Signal<In, Bit>,
    pub result_warp: Signal<Out, Bits<WI>>,
    pub result_part: Signal<Out, Bits<PB>>,
    pub result_rd: Signal<Out, Bits<5>>,
    pub result_mask: Signal<Out, Bits<L>>,
    pub result_data: Signal<Out, Bits<LW>>,
    pub row_over: Signal<Out, Bit>,
    pub row_warp: Signal<Out, Bits<WI>>,
    pub done_valid: Signal<Out, Bit>,
    pub done_ready: Signal<In, Bit>,
    pub done_slot: Signal<Out, Bits<TI>>,
    pub done_warp: Signal<Out, Bits<WI>>,
    pub done_pc: Signal<Out, Bits<22>>,
    pub done_number: Signal<Out, Bits<16>>,
    pub done_uses_rd: Signal<Out, Bit>,
    pub done_rd: Signal<Out, Bits<5>>,
    // State per slot: used, has values for a register, at the result port or over, an instruction's; accesses, and one for those to come.
    used: DFF<Bits<T>>,
    wants: DFF<Bits<T>>,
    shown: DFF<Bits<T>>,
    leads: DFF<Bits<T>>,
    #[always]
    #[many(T)]
    accesses: Vec<DFF<Bits<CB>>>,
    // State per slot of an instruction: its last pass has begun, it is at the done port; rows that are not over.
    whole: DFF<Bits<T>>,
    leaving: DFF<Bits<T>>,
    #[always]
    #[many(T)]
    left: Vec<DFF<Bits<PC>>>,
    // State: slot of the instruction that was opened last; what stands at the two ports.
    current: DFF<Bits<TI>>,
    shows: DFF<Bit>,
    shown_slot: DFF<Bits<TI>>,
    shown_wanted: DFF<Bit>,
    done: DFF<Bit>,
    done_at: DFF<Bits<TI>>,
    // State per slot.
    warps: LutRam<Bits<WI>, TI>,
    parts: LutRam<Bits<PB>, TI>,
    names: LutRam<Bits<5>, TI>,
    masks: LutRam<Bits<L>, TI>,
    leaders: LutRam<Bits<TI>, TI>,
    #[many(L)]
    values: Vec<LutRam<Bits<32>, TI>>,
    // State per slot of an instruction.
    lead_warps: LutRam<Bits<WI>, TI>,
    lead_pcs: LutRam<Bits<22>, TI>,
    lead_numbers: LutRam<Bits<16>, TI>,
    lead_uses: LutRam<Bits<1>, TI>,
    lead_names: LutRam<Bits<5>, TI>,
    // Combinational.
    unused: Signal<Local, Bits<T>>,
    free: FirstOne<T, TI>,
    slot: Signal<Local, Bits<TI>>,
    some: Signal<Local, Bit>,
    others: Signal<Local, Bit>,
    leader: Signal<Local, Bits<TI>>,
    opens_lead: Signal<Local, Bit>,
    #[many(T)]
    ready: Vec<Signal<Local, Bit>>,
    #[many(T)]
    over_lead: Vec<Signal<Local, Bit>>,
    #[many(T)]
    more: Vec<Signal<Local, Bits<CB>>>,
    #[many(T)]
    is_begun: Vec<Signal<Local, Bit>>,
    #[many(T)]
    is_placed: Vec<Signal<Local, Bit>>,
    #[many(T)]
    is_over: Vec<Signal<Local, Bit>>,
    #[many(T)]
    settled: Vec<Signal<Local, Bit>>,
    #[many(T)]
    still: Vec<Signal<Local, Bits<CB>>>,
    #[many(T)]
    untaken: Vec<Signal<Local, Bits<PC>>>,
    to_show: Signal<Local, Bits<T>>,
    to_leave: Signal<Local, Bits<T>>,
    next_row: Rota<T, TI>,
    next_done: Rota<T, TI>,
    next_wanted: Signal<Local, Bit>,
    taken: Signal<Local, Bit>,
    leaves: Signal<Local, Bit>,
    taken_lead: Signal<Local, Bit>,
    next_used: Signal<Local, Bits<T>>,
    next_wants: Signal<Local, Bits<T>>,
    next_shown: Signal<Local, Bits<T>>,
    next_leads: Signal<Local, Bits<T>>,
    next_whole: Signal<Local, Bits<T>>,
    next_leaving: Signal<Local, Bits<T>>,
    joined: Join<L, 32, LW>,
    #[init((0..T).map(|t| Constant::new((t as u64).into())).collect())]
    number: Vec<Constant<Bits<TI>>>,
    #[value(0u64.into())]
    none: Constant<Bits<T>>,
    #[value(0u64.into())]
    no_access: Constant<Bits<CB>>,
    #[value(1u64.into())]
    one_access: Constant<Bits<CB>>,
    #[value(2u64.into())]
    two_accesses: Constant<Bits<CB>>,
    #[value(0u64.into())]
    no_row: Constant<Bits<PC>>,
    #[value(1u64.into())]
    one_row: Constant<Bits<PC>>,
}

#[part(Rows<L, LW, CB, T, TI, WI, PB, PC>)]
fn update(&mut self) {
    // ---- A pass begins.
    self.unused.next = !self.used.q.val();
    self.free.bits.next = self.unused.val();
    self.open_room.next = self.free.any.val();
    self.some.next = false;
    self.others.next = false;
    for t in 0..T {
        self.others.next = self.others.val() | (self.some.val() & self.unused.val().get_bit(t));
        self.some.next = self.some.val() | self.unused.val().get_bit(t);
    }
    self.open_more.next = self.others.val();
    self.slot.next = self.free.place.val();
    self.leader.next = self.current.q.val();
    if self.open_first.val() {
        self.leader.next = self.slot.val();
    }
    carry!(self.open_* <- self: slot, leader);
    self.opens_lead.next = self.open.val() & self.open_first.val();
    if self.opens_lead.val() {
        self.current.d.next = self.slot.val();
    }
    spread!(self.*.write_enable <- self.open: warps, parts, names, masks, leaders);
    spread!(self.*.write_enable <- self.opens_lead:
        lead_warps, lead_pcs, lead_numbers, lead_uses, lead_names,
    );
    spread!(self.*.write_address <- self.slot:
        warps, parts, names, masks, leaders, lead_warps, lead_pcs, lead_numbers, lead_uses,
        lead_names,
    );
    self.warps.write_data.next = self.open_warp.val();
    self.parts.write_data.next = self.open_part.val();
    self.names.write_data.next = self.open_rd.val();
    self.masks.write_data.next = self.open_mask.val();
    self.leaders.write_data.next = self.leader.val();
    self.lead_warps.write_data.next = self.open_warp.val();
    self.lead_pcs.write_data.next = self.open_pc.val();
    self.lead_numbers.write_data.next = self.open_number.val();
    self.lead_uses.write_data.next = self.open_uses_rd.val().into();
    self.lead_names.write_data.next = self.open_rd.val();
    // ---- Values.
    for l in 0..L {
        self.values[l].write_enable.next = self.write_lanes.val().get_bit(l);
        self.values[l].write_address.next = self.write_slot.val();
        self.values[l].write_data.next = self.write_data.val().get_bits::<32>(32 * l);
        self.values[l].read_address.next = self.shown_slot.q.val();
        self.joined.each[l].next = self.values[l].read_data.val();
    }
    // ---- The row at the result port.
    spread!(self.*.read_address <- self.shown_slot.q: warps, parts, names, masks, leaders);
    self.result_warp.next = self.warps.read_data.val();
    self.result_part.next = self.parts.read_data.val();
    self.result_rd.next = self.names.read_data.val();
    self.result_mask.next = self.masks.read_data.val();
    self.result_data.next = self.joined.whole.val();
    // Whether it is wanted was known before it was shown.
    self.result_valid.next = self.shows.q.val() & self.shown_wanted.q.val();
    self.taken.next = self.shows.q.val() & (!self.shown_wanted.q.val() | self.result_ready.val());
    self.row_over.next = self.taken.val();
    self.row_warp.next = self.warps.read_data.val();
    // ---- The instruction at the done port.
    spread!(self.*.read_address <- self.done_at.q:
        lead_warps, lead_pcs, lead_numbers, lead_uses, lead_names,
    );
    self.done_valid.next = self.done.q.val();
    self.done_slot.next = self.done_at.q.val();
    self.done_warp.next = self.lead_warps.read_data.val();
    self.done_pc.next = self.lead_pcs.read_data.val();
    self.done_number.next = self.lead_numbers.read_data.val();
    self.done_uses_rd.next = self.lead_uses.read_data.val().any();
    self.done_rd.next = self.lead_names.read_data.val();
    self.leaves.next = self.done.q.val() & self.done_ready.val();
    // ---- What is left of each, with this cycle's.
    for t in 0..T {
        self.is_begun[t].next = self.begins.val() & (self.at_slot.val() == self.number[t].val());
        self.is_placed[t].next = self.placed.val() & (self.at_slot.val() == self.number[t].val());
        self.is_over[t].next = self.over.val() & (self.over_slot.val() == self.number[t].val());
        self.more[t].next = self.no_access.val();
        if self.is_begun[t].val() {
            self.more[t].next = self.one_access.val();
        }
        if self.is_placed[t].val() {
            self.more[t].next = self.more[t].val() - self.one_access.val();
        }
        if self.is_over[t].val() {
            self.more[t].next = self.more[t].val() - self.one_access.val();
        }
        self.still[t].next = self.accesses[t].q.val() + self.more[t].val();
        // None is left: without the sum, which would be late.
        self.settled[t].next = self.accesses[t].q.val() == self.no_access.val();
        if self.is_begun[t].val() {
            self.settled[t].next = ((self.accesses[t].q.val() == self.no_access.val())
                & (self.is_placed[t].val() != self.is_over[t].val()))
                | ((self.accesses[t].q.val() == self.one_access.val())
                    & self.is_placed[t].val()
                    & self.is_over[t].val());
        } else if self.is_placed[t].val() & self.is_over[t].val() {
            self.settled[t].next = self.accesses[t].q.val() == self.two_accesses.val();
        } else if self.is_placed[t].val() | self.is_over[t].val() {
            self.settled[t].next = self.accesses[t].q.val() == self.one_access.val();
        }
        self.untaken[t].next = self.left[t].q.val();
        if self.taken.val() & (self.leaders.read_data.val() == self.number[t].val()) {
            self.untaken[t].next = self.left[t].q.val() - self.one_row.val();
        }
    }
    // ---- The next ones.
    self.to_show.next = self.none.val();
    self.to_leave.next = self.none.val();
    for t in 0..T {
        self.ready[t].next = self.used.q.val().get_bit(t)
            & !self.shown.q.val().get_bit(t)
            & self.settled[t].val()
            & (!self.shows.q.val() | self.taken.val());
        self.to_show.next = self.to_show.val().replace_bit(t, self.ready[t].val());
        self.over_lead[t].next = self.used.q.val().get_bit(t)
            & self.leads.q.val().get_bit(t)
            & self.whole.q.val().get_bit(t)
            & !self.leaving.q.val().get_bit(t)
            & !self.untaken[t].val().any()
            & (!self.done.q.val() | self.leaves.val());
        self.to_leave.next = self.to_leave.val().replace_bit(t, self.over_lead[t].val());
    }
    carry!(self.next_row <- self: reset, among = to_show, marks = none);
    carry!(self.next_done <- self: reset, among = to_leave, marks = none);
    self.next_wanted.next = (self.next_row.taken.val() & self.wants.q.val()).any();
    if !self.shows.q.val() | self.taken.val() {
        self.shows.d.next = self.next_row.any.val();
        self.shown_slot.d.next = self.next_row.place.val();
        self.shown_wanted.d.next = self.next_wanted.val();
    }
    if !self.done.q.val() | self.leaves.val() {
        self.done.d.next = self.next_done.any.val();
        self.done_at.d.next = self.next_done.place.val();
    }
    self.taken_lead.next = self.leads.q.val().get_bit(self.shown_slot.q.val().index());
    // ---- What changes.
    carry!(self.next_* <- self.*.q: used, wants);
    self.next_shown.next = self.shown.q.val() | self.next_row.taken.val();
    carry!(self.next_* <- self.*.q: leads, whole);
    self.next_leaving.next = self.leaving.q.val() | self.next_done.taken.val();
    for t in 0..T {
        self.accesses[t].d.next = self.still[t].val();
        self.left[t].d.next = self.untaken[t].val();
        if self.open.val() & (self.leader.val() == self.number[t].val()) {
            self.left[t].d.next = self.untaken[t].val() + self.one_row.val();
        }
        if self.taken.val()
            & !self.taken_lead.val()
            & (self.shown_slot.q.val() == self.number[t].val())
        {
            self.next_used.next = self.next_used.val().replace_bit(t, false);
        }
        if self.leaves.val() & (self.done_at.q.val() == self.number[t].val()) {
            self.next_used.next = self.next_used.val().replace_bit(t, false);
        }
        if self.open.val() & (self.leader.val() == self.number[t].val()) {
            self.next_whole.next = self.next_whole.val().replace_bit(t, self.open_last.val());
        }
        if self.open.val() & (self.slot.val() == self.number[t].val()) {
            self.next_used.next = self.next_used.val().replace_bit(t, true);
            self.next_wants.next = self
                .next_wants
                .val()
                .replace_bit(t, self.open_uses_rd.val() & self.open_mask.val().any());
            self.next_shown.next = self.next_shown.val().replace_bit(t, false);
            self.next_leads.next = self.next_leads.val().replace_bit(t, self.open_first.val());
            self.next_leaving.next = self.next_leaving.val().replace_bit(t, false);
            self.accesses[t].d.next = self.one_access.val();
            if self.open_first.val() {
                self.left[t].d.next = self.one_row.val();
            }
        }
    }
    if self.reset.val() {
        self.next_used.next = self.none.val();
        self.shows.d.next = false;
        self.done.d.next = false;
    }
    carry!(self.*.d <- self.next_*: used, wants, shown, leads, whole, leaving);
}
