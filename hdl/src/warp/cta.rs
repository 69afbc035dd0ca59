//! Launch and retirement of CTAs.
//!
//! Spec: `docs/spec/cta.md`.
//!
//! # Parameters
//! `NW` warps and `W` threads per warp, powers of two, 4 at least; `WI` = log2 NW, `WC` = WI + 1, `FB` = WI + 4;
//! `LB` level bits.
//!
//! # Ports
//! Those of the page. `where_*` is combinational;
//! `cta_ready`, `cta_refused`, `launch_*`, `level_*`, `cta_done*` come from registers
//! or stand one adder behind them. `launch_ready`, `program_valid` and `ended_*` may be late.
//!
//! # Cycle behaviour
//! ```text
//! cycle           0      1      2      3      4      5      6         (all slots free, one block)
//! cta             taken  -      -      -      -      -      -
//! refused         -      here   -      -      -      -      -
//! warp slot 0     -      -      look   count  -      look   place
//! launch, level   -      -      -      -      -      -      -      from cycle 7 on
//!
//! ended           t      owner t + 1   count t + 2   cta_done t + 3
//! ```
//! Warp slots are looked at one per cycle, first to count the free ones, then to place blocks on them. CTA slots are looked at beside
//! the count. The mask of a last block that is not full is made from a full one by shifting, W − 1 cycles at most.
//! Where an ended warp needs a table's write port, placing waits.
//!
//! # Invariants
//! 1. No warp slot is launched that belongs to a CTA, or that was not free when it was looked at (CTA-011).
//! 2. Nothing of a CTA is launched before there is room for all of it (CTA-010).
//! 3. One `cta_done` per CTA that was not refused (CTA-030).
//!
//! # Errors
//! `cta_refused`, as on the page. `Default` panics when the parameters do not fit each other.

use crate::hdl::*;
use crate::prim::{LutRam, SyncRam};

#[module(requires(NW >= 4, NW == 1 << WI, WC == WI + 1, FB == WI + 4, (4..=64).contains(&W), W.is_power_of_two(), NW * W <= 4096))]
pub struct Cta<
    const NW: usize,
    const WI: usize,
    const WC: usize,
    const FB: usize,
    const W: usize,
    const LB: usize,
> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub cfg_level_mix: Signal<In, Bits<2>>,
    pub cfg_token_base: Signal<In, Bits<32>>,
    pub cfg_token_size: Signal<In, Bits<10>>,
    pub cta_valid: Signal<In, Bit>,
    pub cta_ready: Signal<Out, Bit>,
    pub cta_pc: Signal<In, Bits<22>>,
    pub cta_threads: Signal<In, Bits<12>>,
    pub cta_level: Signal<In, Bits<LB>>,
    pub cta_id: Signal<In, Bits<16>>,
    pub cta_refused: Signal<Out, Bit>,
    pub cta_refused_id: Signal<Out, Bits<16>>,
    pub cta_done: Signal<Out, Bit>,
    pub cta_done_id: Signal<Out, Bits<16>>,
    pub cta_done_slot: Signal<Out, Bits<4>>,
    pub cta_done_failed: Signal<Out, Bit>,
    pub launch_valid: Signal<Out, Bit>,
    pub launch_ready: Signal<In, Bit>,
    pub launch_warp: Signal<Out, Bits<WI>>,
    pub launch_pc: Signal<Out, Bits<22>>,
    pub launch_mask: Signal<Out, Bits<W>>,
    pub launch_base: Signal<Out, Bits<32>>,
    pub launch_size: Signal<Out, Bits<10>>,
    pub launch_cta: Signal<Out, Bits<4>>,
    pub launch_block: Signal<Out, Bits<WI>>,
    pub launch_threads: Signal<Out, Bits<12>>,
    pub level_valid: Signal<Out, Bit>,
    pub level_warp: Signal<Out, Bits<WI>>,
    pub level_value: Signal<Out, Bits<LB>>,
    pub program_valid: Signal<In, Bit>,
    pub program_warp: Signal<In, Bits<WI>>,
    pub program_level: Signal<In, Bits<LB>>,
    pub ended_valid: Signal<In, Bit>,
    pub ended_warp: Signal<In, Bits<WI>>,
    pub ended_failed: Signal<In, Bit>,
    pub status_occupied: Signal<In, Bits<NW>>,
    pub where_warp: Signal<In, Bits<WI>>,
    pub where_cta: Signal<Out, Bits<4>>,
    pub where_block: Signal<Out, Bits<WI>>,
    pub where_first: Signal<Out, Bits<12>>,
    pub find_cta: Signal<In, Bits<4>>,
    pub find_block: Signal<In, Bits<WI>>,
    pub find_warp: Signal<Out, Bits<WI>>,
    // State: after reset the tables are cleared; then a CTA is at hand (`busy`), and in its first cycle it is checked.
    clearing: DFF<Bit>,
    busy: DFF<Bit>,
    check: DFF<Bit>,
    // State: there are warp slots enough; `slot` is a free CTA slot; blocks are placed;
    // the last one is at the launch port.
    enough: DFF<Bit>,
    found: DFF<Bit>,
    placing: DFF<Bit>,
    all_out: DFF<Bit>,
    // State: the CTA at hand; its last block, and the threads of that one until the mask is made (0 for W).
    pc: DFF<Bits<22>>,
    threads: DFF<Bits<12>>,
    level: DFF<Bits<LB>>,
    id: DFF<Bits<16>>,
    last: DFF<Bits<WI>>,
    rest: DFF<Bits<12>>,
    // State: block to count or to place, CTA slot, next warp slot to look at, and the one that has been looked at.
    block: DFF<Bits<WI>>,
    slot: DFF<Bits<4>>,
    scan: DFF<Bits<WI>>,
    seen: DFF<Bit>,
    seen_warp: DFF<Bits<WI>>,
    seen_free: DFF<Bit>,
    // State: what stands at the ports.
    launches: DFF<Bit>,
    launch_slot: DFF<Bits<WI>>,
    launch_of: DFF<Bits<WI>>,
    mask: DFF<Bits<W>>,
    sets: DFF<Bit>,
    sets_warp: DFF<Bits<WI>>,
    sets_value: DFF<Bits<LB>>,
    done: DFF<Bit>,
    done_id: DFF<Bits<16>>,
    done_slot: DFF<Bits<4>>,
    done_failed: DFF<Bit>,
    // State: an ended warp, one and two cycles ago.
    ended_1: DFF<Bit>,
    ended_1_warp: DFF<Bits<WI>>,
    ended_1_failed: DFF<Bit>,
    ended_2: DFF<Bit>,
    ended_2_slot: DFF<Bits<4>>,
    ended_2_failed: DFF<Bit>,
    // State per warp slot: it belongs to a CTA; this CTA slot (twice), block and level.
    owned: LutRam<Bits<1>, WI>,
    owner: LutRam<Bits<4>, WI>,
    owner_copy: LutRam<Bits<4>, WI>,
    blocks: LutRam<Bits<WI>, WI>,
    levels: LutRam<Bits<LB>, WI>,
    // State per CTA slot: used and warps that have not ended, less one; one of them has failed; id.
    left: LutRam<Bits<WC>, 4>,
    failed: LutRam<Bits<1>, 4>,
    ids: LutRam<Bits<16>, 4>,
    // State per CTA slot and block: warp slot.
    found_at: SyncRam<Bits<WI>, FB>,
    // Combinational.
    taken: Signal<Local, Bit>,
    full: Signal<Local, Bits<12>>,
    part: Signal<Local, Bits<12>>,
    no_part: Signal<Local, Bit>,
    last_wide: Signal<Local, Bits<12>>,
    refused: Signal<Local, Bit>,
    looks: Signal<Local, Bit>,
    free_here: Signal<Local, Bit>,
    is_last: Signal<Local, Bit>,
    begins: Signal<Local, Bit>,
    room: Signal<Local, Bit>,
    mask_ready: Signal<Local, Bit>,
    places: Signal<Local, Bit>,
    shifts: Signal<Local, Bit>,
    goes_on: Signal<Local, Bit>,
    next_rest: Signal<Local, Bits<12>>,
    owned_at: Signal<Local, Bits<WI>>,
    place: Signal<Local, Bits<FB>>,
    left_at: Signal<Local, Bits<4>>,
    left_of: Signal<Local, Bits<WI>>,
    left_next: Signal<Local, Bits<WI>>,
    left_top: Signal<Local, Bits<WC>>,
    left_used: Signal<Local, Bit>,
    left_any: Signal<Local, Bit>,
    writes_slot: Signal<Local, Bit>,
    has_failed: Signal<Local, Bit>,
    set_failed: Signal<Local, Bit>,
    from_program: Signal<Local, Bits<LB>>,
    from_cta: Signal<Local, Bits<LB>>,
    upper_base: Signal<Local, Bits<22>>,
    // Constants.
    #[value((WI as u64).into())]
    warp_bits: Constant<Bits<3>>,
    #[value(u64::from(W.trailing_zeros()).into())]
    thread_bits: Constant<Bits<4>>,
    #[value((W as u64 - 1).into())]
    thread_mask: Constant<Bits<12>>,
    #[value((NW as u64 * W as u64).min(4095).into())]
    limit: Constant<Bits<12>>,
    #[value(1.into())]
    one_thread: Constant<Bits<12>>,
    #[value(0.into())]
    no_warp: Constant<Bits<WI>>,
    #[value(1.into())]
    one_warp: Constant<Bits<WI>>,
    #[value(0.into())]
    no_slot: Constant<Bits<4>>,
    #[value(1.into())]
    one_slot: Constant<Bits<4>>,
    #[value(0.into())]
    no_level: Constant<Bits<LB>>,
    #[value(0.into())]
    no_threads: Constant<Bits<W>>,
}

#[part(Cta<NW, WI, WC, FB, W, LB>)]
fn update(&mut self) {
    // ---- Take a CTA, and check it in the next cycle.
    self.cta_ready.next = !self.busy.q.val() & !self.clearing.q.val();
    self.taken.next = self.cta_valid.val() & self.cta_ready.val();
    self.check.d.next = self.taken.val();
    self.full.next = self.threads.q.val() >> self.thread_bits.val();
    self.part.next = self.threads.q.val() & self.thread_mask.val();
    self.no_part.next = !self.part.val().any();
    self.last_wide.next = self.full.val() - bit_cast::<12, 1>(self.no_part.val().into());
    self.refused.next = self.check.q.val()
        & (!self.threads.q.val().any() | (self.threads.q.val() > self.limit.val()));
    self.cta_refused.next = self.refused.val();
    self.cta_refused_id.next = self.id.q.val();

    // ---- Look at the warp slots, one per cycle.
    self.looks.next = self.busy.q.val() & !self.check.q.val();
    self.owned.read_address.next = self.scan.q.val();
    self.free_here.next = !self.owned.read_data.val().get_bit(0)
        & !self
            .status_occupied
            .val()
            .get_bit(self.scan.q.val().index());
    self.is_last.next = self.block.q.val() == self.last.q.val();
    // Place a block: in front of it the launch port is free, and nothing else wants the write ports or the level
    // port.
    self.room.next = !self.launches.q.val() | self.launch_ready.val();
    self.mask_ready.next = !self.is_last.val() | !self.rest.q.val().any();
    self.places.next = self.placing.q.val()
        & !self.all_out.q.val()
        & self.seen.q.val()
        & self.seen_free.q.val()
        & self.mask_ready.val()
        & self.room.val()
        & !self.ended_1.q.val()
        & !self.program_valid.val();
    self.goes_on.next = !self.seen.q.val()
        | !self.placing.q.val()
        | !self.seen_free.q.val()
        | self.places.val()
        | self.clearing.q.val();
    if self.goes_on.val() {
        self.seen.d.next = self.looks.val();
        self.seen_warp.d.next = self.scan.q.val();
        self.seen_free.d.next = self.free_here.val();
        self.scan.d.next = self.scan.q.val() + self.one_warp.val();
    }
    // Count.
    if self.looks.val() & self.seen.q.val() & !self.placing.q.val() & !self.enough.q.val() {
        if self.seen_warp.q.val().all() {
            self.block.d.next = self.no_warp.val();
        }
        if self.seen_free.q.val() {
            if self.is_last.val() {
                self.enough.d.next = true;
            } else if !self.seen_warp.q.val().all() {
                self.block.d.next = self.block.q.val() + self.one_warp.val();
            }
        }
    }
    // Look at the CTA slots, when no ended warp does.
    self.left_at.next = self.slot.q.val();
    if self.ended_2.q.val() {
        self.left_at.next = self.ended_2_slot.q.val();
    }
    self.left.read_address.next = self.left_at.val();
    self.left_of.next = self.left.read_data.val().get_bits::<WI>(0);
    self.left_top.next = self.left.read_data.val() >> self.warp_bits.val();
    self.left_used.next = self.left_top.val().any();
    if self.looks.val() & !self.found.q.val() & !self.ended_2.q.val() {
        if self.left_used.val() {
            self.slot.d.next = self.slot.q.val() + self.one_slot.val();
        } else {
            self.found.d.next = true;
        }
    }
    // Room for all of it: begin to place.
    self.begins.next =
        self.enough.q.val() & self.found.q.val() & !self.placing.q.val() & !self.ended_2.q.val();
    if self.begins.val() {
        self.placing.d.next = true;
        self.seen.d.next = false;
        spread!(self.*.d <- self.no_warp: scan, block);
    }

    // ---- Launch port.
    self.next_rest.next = self.rest.q.val() + self.one_thread.val();
    self.shifts.next = self.placing.q.val()
        & self.is_last.val()
        & !self.launches.q.val()
        & self.rest.q.val().any();
    if self.shifts.val() {
        self.mask.d.next = self.mask.q.val() >> 1;
        self.rest.d.next = self.next_rest.val() & self.thread_mask.val();
    }
    if self.launch_ready.val() {
        self.launches.d.next = false;
        if self.launches.q.val() & self.all_out.q.val() {
            self.busy.d.next = false;
        }
    }
    if self.places.val() {
        self.launches.d.next = true;
        self.launch_slot.d.next = self.seen_warp.q.val();
        self.launch_of.d.next = self.block.q.val();
        self.block.d.next = self.block.q.val() + self.one_warp.val();
        self.all_out.d.next = self.is_last.val();
    }
    carry!(self <- self.*.q: launch_valid = launches, launch_warp = launch_slot, launch_cta = slot);
    self.launch_block.next = self.launch_of.q.val();
    carry!(self.launch_* <- self.*.q: threads, pc, mask);
    self.upper_base.next =
        self.cfg_token_base.val().get_bits::<22>(10) + bit_cast::<22, WI>(self.launch_slot.q.val());
    self.launch_base.next = (bit_cast::<32, 22>(self.upper_base.val()) << 10)
        | bit_cast::<32, 10>(self.cfg_token_base.val().get_bits::<10>(0));
    self.launch_size.next = self.cfg_token_size.val();

    // ---- Level port: the program's goes first.
    self.levels.read_address.next = self.program_warp.val();
    self.from_program.next = self.no_level.val();
    self.from_cta.next = self.no_level.val();
    self.sets.d.next = self.program_valid.val() | self.places.val();
    self.sets_warp.d.next = self.seen_warp.q.val();
    if self.cfg_level_mix.val().get_bit(1) {
        self.from_cta.next = self.level.q.val();
    }
    if self.program_valid.val() {
        self.sets_warp.d.next = self.program_warp.val();
        if self.cfg_level_mix.val().get_bit(0) {
            self.from_program.next = self.program_level.val();
        }
        if self.cfg_level_mix.val().get_bit(1) {
            self.from_cta.next = self.levels.read_data.val();
        }
    }
    self.sets_value.d.next = self.from_program.val();
    if self.from_cta.val() > self.from_program.val() {
        self.sets_value.d.next = self.from_cta.val();
    }
    carry!(self <- self.*.q: level_valid = sets, level_warp = sets_warp, level_value = sets_value);

    // ---- Tables of the warp slots.
    self.owned_at.next = self.seen_warp.q.val();
    if self.ended_1.q.val() {
        self.owned_at.next = self.ended_1_warp.q.val();
    }
    self.owned.write_enable.next = self.places.val() | self.ended_1.q.val() | self.clearing.q.val();
    self.owned.write_address.next = self.owned_at.val();
    self.owned.write_data.next = self.places.val().into();
    self.owner.write_enable.next = self.places.val();
    carry!(self.owner <- self.*.q: write_address = seen_warp, write_data = slot);
    self.owner_copy.write_enable.next = self.places.val();
    carry!(self.owner_copy <- self.*.q: write_address = seen_warp, write_data = slot);
    self.blocks.write_enable.next = self.places.val();
    carry!(self.blocks <- self.*.q: write_address = seen_warp, write_data = block);
    self.levels.write_enable.next = self.places.val();
    carry!(self.levels <- self.*.q: write_address = seen_warp, write_data = level);
    self.found_at.write_enable.next = self.places.val();
    self.place.next = (bit_cast::<FB, 4>(self.slot.q.val()) << self.warp_bits.val())
        | bit_cast::<FB, WI>(self.block.q.val());
    self.found_at.write_address.next = self.place.val();
    self.found_at.write_data.next = self.seen_warp.q.val();
    spread!(self.*.read_address <- self.where_warp: owner_copy, blocks);
    self.where_cta.next = self.owner_copy.read_data.val();
    self.where_block.next = self.blocks.read_data.val();
    self.where_first.next =
        bit_cast::<12, WI>(self.blocks.read_data.val()) << self.thread_bits.val();
    self.found_at.read_address.next = (bit_cast::<FB, 4>(self.find_cta.val())
        << self.warp_bits.val())
        | bit_cast::<FB, WI>(self.find_block.val());
    self.find_warp.next = self.found_at.read_data.val();

    // ---- Ended warps: whose it was, then one less of these.
    self.ended_1.d.next = self.ended_valid.val();
    carry!(self.ended_1_*.d <- self.ended_*: warp, failed);
    self.owner.read_address.next = self.ended_1_warp.q.val();
    self.ended_2.d.next = self.ended_1.q.val();
    self.ended_2_slot.d.next = self.owner.read_data.val();
    self.ended_2_failed.d.next = self.ended_1_failed.q.val();
    self.left_any.next = self.begins.val() | (self.ended_2.q.val() & self.left_of.val().any());
    self.left_next.next = self.last.q.val();
    if self.ended_2.q.val() {
        self.left_next.next = self.left_of.val() - self.one_warp.val();
    }
    self.writes_slot.next = self.begins.val() | self.ended_2.q.val() | self.clearing.q.val();
    carry!(self.left <- self: write_enable = writes_slot, write_address = left_at);
    self.left.write_data.next = bit_cast::<WC, WI>(self.left_next.val())
        | (bit_cast::<WC, 1>(self.left_any.val().into()) << self.warp_bits.val());
    self.failed.read_address.next = self.left_at.val();
    self.has_failed.next = self.failed.read_data.val().get_bit(0) | self.ended_2_failed.q.val();
    self.set_failed.next = self.has_failed.val() & self.ended_2.q.val();
    carry!(self.failed <- self: write_enable = writes_slot, write_address = left_at);
    self.failed.write_data.next = self.set_failed.val().into();
    self.ids.write_enable.next = self.begins.val();
    carry!(self.ids <- self.*.q: write_address = slot, write_data = id);
    self.ids.read_address.next = self.ended_2_slot.q.val();
    self.done.d.next = self.ended_2.q.val() & !self.left_of.val().any();
    self.done_id.d.next = self.ids.read_data.val();
    self.done_slot.d.next = self.ended_2_slot.q.val();
    self.done_failed.d.next = self.has_failed.val();
    carry!(self.cta_* <- self.*.q: done, done_id, done_slot, done_failed);

    // ---- A new CTA; clearing; reset wins.
    if self.taken.val() {
        self.busy.d.next = true;
        carry!(self.*.d <- self.cta_*: pc, threads, level, id);
        self.mask.d.next = !self.no_threads.val();
    }
    if self.check.q.val() {
        self.last.d.next = bit_cast::<WI, 12>(self.last_wide.val());
        carry!(self.*.d <- self: rest = part, block = no_warp, slot = no_slot, scan = no_warp);
        self.seen.d.next = false;
        self.enough.d.next = false;
        self.found.d.next = false;
        self.placing.d.next = false;
        self.all_out.d.next = false;
    }
    if self.refused.val() {
        self.busy.d.next = false;
    }
    if self.clearing.q.val() {
        self.slot.d.next = self.slot.q.val() + self.one_slot.val();
        if self.seen_warp.q.val().all() & self.slot.q.val().all() {
            self.clearing.d.next = false;
        }
    }
    if self.reset.val() {
        self.clearing.d.next = true;
        self.busy.d.next = false;
        self.check.d.next = false;
        self.enough.d.next = false;
        self.placing.d.next = false;
        self.slot.d.next = self.no_slot.val();
        self.scan.d.next = self.one_warp.val();
        self.seen_warp.d.next = self.no_warp.val();
        self.launches.d.next = false;
        self.sets.d.next = false;
        self.done.d.next = false;
        self.ended_1.d.next = false;
        self.ended_2.d.next = false;
    }
}

#[cfg(test)]
mod tests;
