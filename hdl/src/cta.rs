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

#[derive(LogicBlock)]
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
    warp_bits: Constant<Bits<3>>,
    thread_bits: Constant<Bits<4>>,
    thread_mask: Constant<Bits<12>>,
    limit: Constant<Bits<12>>,
    one_thread: Constant<Bits<12>>,
    no_warp: Constant<Bits<WI>>,
    one_warp: Constant<Bits<WI>>,
    no_slot: Constant<Bits<4>>,
    one_slot: Constant<Bits<4>>,
    no_level: Constant<Bits<LB>>,
    no_threads: Constant<Bits<W>>,
}

impl<
        const NW: usize,
        const WI: usize,
        const WC: usize,
        const FB: usize,
        const W: usize,
        const LB: usize,
    > Default for Cta<NW, WI, WC, FB, W, LB>
{
    fn default() -> Self {
        assert!(
            NW >= 4
                && NW == 1 << WI
                && WC == WI + 1
                && FB == WI + 4
                && (4..=64).contains(&W)
                && W.is_power_of_two()
                && NW * W <= 4096,
            "Cta<{NW}, {WI}, {WC}, {FB}, {W}, {LB}>"
        );
        block!({
            clock, reset, cfg_level_mix, cfg_token_base, cfg_token_size, cta_valid, cta_ready,
            cta_pc, cta_threads, cta_level, cta_id, cta_refused, cta_refused_id, cta_done,
            cta_done_id, cta_done_slot, cta_done_failed, launch_valid, launch_ready, launch_warp,
            launch_pc, launch_mask, launch_base, launch_size, launch_cta, launch_block, launch_threads, level_valid, level_warp, level_value,
            program_valid, program_warp, program_level, ended_valid, ended_warp, ended_failed,
            status_occupied, where_warp, where_cta, where_block, where_first, find_cta, find_block,
            find_warp, clearing, busy, check, enough, found, placing, all_out, pc, threads, level,
            id, last, rest, block, slot, scan, seen, seen_warp, seen_free, launches, launch_slot, launch_of,
            mask, sets, sets_warp, sets_value, done, done_id, done_slot, done_failed, ended_1,
            ended_1_warp, ended_1_failed, ended_2, ended_2_slot, ended_2_failed, owned, owner,
            owner_copy, blocks, levels, left, failed, ids, found_at, taken, full, part, no_part,
            last_wide, refused, looks, free_here, is_last, begins, room, mask_ready, places, shifts,
            goes_on, next_rest, owned_at, place, left_at, left_of, left_next, left_top, left_used, left_any,
            writes_slot, has_failed, set_failed, from_program, from_cta, upper_base,
        } {
            warp_bits: Constant::new((WI as u64).into()),
            thread_bits: Constant::new(u64::from(W.trailing_zeros()).into()),
            thread_mask: Constant::new((W as u64 - 1).into()),
            limit: Constant::new((NW as u64 * W as u64).min(4095).into()),
            one_thread: Constant::new(1.into()),
            no_warp: Constant::new(0.into()),
            one_warp: Constant::new(1.into()),
            no_slot: Constant::new(0.into()),
            one_slot: Constant::new(1.into()),
            no_level: Constant::new(0.into()),
            no_threads: Constant::new(0.into()),
        })
    }
}

impl<
        const NW: usize,
        const WI: usize,
        const WC: usize,
        const FB: usize,
        const W: usize,
        const LB: usize,
    > Logic for Cta<NW, WI, WC, FB, W, LB>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, clearing, busy, check, enough, found, placing, all_out, pc);
        dff_setup!(self, clock, threads, level, id, last, rest, block, slot, scan, seen, seen_warp);
        dff_setup!(
            self,
            clock,
            seen_free,
            launches,
            launch_slot,
            launch_of,
            mask,
            sets,
            sets_warp
        );
        dff_setup!(
            self,
            clock,
            sets_value,
            done,
            done_id,
            done_slot,
            done_failed,
            ended_1
        );
        dff_setup!(
            self,
            clock,
            ended_1_warp,
            ended_1_failed,
            ended_2,
            ended_2_slot
        );
        dff_setup!(self, clock, ended_2_failed);
        clock!(self, clock, owned, owner, owner_copy, blocks, levels, left, failed, ids, found_at);

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
        self.begins.next = self.enough.q.val()
            & self.found.q.val()
            & !self.placing.q.val()
            & !self.ended_2.q.val();
        if self.begins.val() {
            self.placing.d.next = true;
            self.seen.d.next = false;
            self.scan.d.next = self.no_warp.val();
            self.block.d.next = self.no_warp.val();
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
        self.launch_valid.next = self.launches.q.val();
        self.launch_warp.next = self.launch_slot.q.val();
        self.launch_cta.next = self.slot.q.val();
        self.launch_block.next = self.launch_of.q.val();
        self.launch_threads.next = self.threads.q.val();
        self.launch_pc.next = self.pc.q.val();
        self.launch_mask.next = self.mask.q.val();
        self.upper_base.next = self.cfg_token_base.val().get_bits::<22>(10)
            + bit_cast::<22, WI>(self.launch_slot.q.val());
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
        self.level_valid.next = self.sets.q.val();
        self.level_warp.next = self.sets_warp.q.val();
        self.level_value.next = self.sets_value.q.val();

        // ---- Tables of the warp slots.
        self.owned_at.next = self.seen_warp.q.val();
        if self.ended_1.q.val() {
            self.owned_at.next = self.ended_1_warp.q.val();
        }
        self.owned.write_enable.next =
            self.places.val() | self.ended_1.q.val() | self.clearing.q.val();
        self.owned.write_address.next = self.owned_at.val();
        self.owned.write_data.next = self.places.val().into();
        self.owner.write_enable.next = self.places.val();
        self.owner.write_address.next = self.seen_warp.q.val();
        self.owner.write_data.next = self.slot.q.val();
        self.owner_copy.write_enable.next = self.places.val();
        self.owner_copy.write_address.next = self.seen_warp.q.val();
        self.owner_copy.write_data.next = self.slot.q.val();
        self.blocks.write_enable.next = self.places.val();
        self.blocks.write_address.next = self.seen_warp.q.val();
        self.blocks.write_data.next = self.block.q.val();
        self.levels.write_enable.next = self.places.val();
        self.levels.write_address.next = self.seen_warp.q.val();
        self.levels.write_data.next = self.level.q.val();
        self.found_at.write_enable.next = self.places.val();
        self.place.next = (bit_cast::<FB, 4>(self.slot.q.val()) << self.warp_bits.val())
            | bit_cast::<FB, WI>(self.block.q.val());
        self.found_at.write_address.next = self.place.val();
        self.found_at.write_data.next = self.seen_warp.q.val();
        self.owner_copy.read_address.next = self.where_warp.val();
        self.blocks.read_address.next = self.where_warp.val();
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
        self.ended_1_warp.d.next = self.ended_warp.val();
        self.ended_1_failed.d.next = self.ended_failed.val();
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
        self.left.write_enable.next = self.writes_slot.val();
        self.left.write_address.next = self.left_at.val();
        self.left.write_data.next = bit_cast::<WC, WI>(self.left_next.val())
            | (bit_cast::<WC, 1>(self.left_any.val().into()) << self.warp_bits.val());
        self.failed.read_address.next = self.left_at.val();
        self.has_failed.next = self.failed.read_data.val().get_bit(0) | self.ended_2_failed.q.val();
        self.set_failed.next = self.has_failed.val() & self.ended_2.q.val();
        self.failed.write_enable.next = self.writes_slot.val();
        self.failed.write_address.next = self.left_at.val();
        self.failed.write_data.next = self.set_failed.val().into();
        self.ids.write_enable.next = self.begins.val();
        self.ids.write_address.next = self.slot.q.val();
        self.ids.write_data.next = self.id.q.val();
        self.ids.read_address.next = self.ended_2_slot.q.val();
        self.done.d.next = self.ended_2.q.val() & !self.left_of.val().any();
        self.done_id.d.next = self.ids.read_data.val();
        self.done_slot.d.next = self.ended_2_slot.q.val();
        self.done_failed.d.next = self.has_failed.val();
        self.cta_done.next = self.done.q.val();
        self.cta_done_id.next = self.done_id.q.val();
        self.cta_done_slot.next = self.done_slot.q.val();
        self.cta_done_failed.next = self.done_failed.q.val();

        // ---- A new CTA; clearing; reset wins.
        if self.taken.val() {
            self.busy.d.next = true;
            self.pc.d.next = self.cta_pc.val();
            self.threads.d.next = self.cta_threads.val();
            self.level.d.next = self.cta_level.val();
            self.id.d.next = self.cta_id.val();
            self.mask.d.next = !self.no_threads.val();
        }
        if self.check.q.val() {
            self.last.d.next = bit_cast::<WI, 12>(self.last_wide.val());
            self.rest.d.next = self.part.val();
            self.block.d.next = self.no_warp.val();
            self.slot.d.next = self.no_slot.val();
            self.scan.d.next = self.no_warp.val();
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
}

crate::hdl::clocked!(Cta<NW, WI, WC, FB, W, LB>);

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;
    use weft_rtl::{Bench, Rng};

    const LB: usize = 4;
    const BASE: u64 = 0xFFFF_8155;
    const SIZE: u64 = 700;

    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    struct Offer {
        pc: u64,
        threads: u64,
        level: u64,
        id: u64,
    }

    /// Inputs of one cycle.
    #[derive(Clone, Debug, Default)]
    struct Cycle {
        offer: Option<Offer>,
        mix: u64,
        launch_ready: bool,
        program: Option<(usize, u64)>,
        ended: Option<(usize, bool)>,
        occupied: u64,
        where_warp: usize,
        find: (u64, u64),
    }

    /// What is around the unit: CTAs to run, and warps that run, set their levels and end.
    struct Environment {
        warps: usize,
        threads: usize,
        cycle: Cycle,
        running: Vec<bool>,
        /// Cycles for which a slot stays occupied after its warp has ended.
        occupied: Vec<u64>,
        small: bool,
        ready_rate: u64,
        end_rate: u64,
        /// Warps that end in a row.
        burst: u64,
        next_id: u64,
    }

    impl Environment {
        fn new(warps: usize, threads: usize) -> Environment {
            Environment {
                warps,
                threads,
                cycle: Cycle::default(),
                running: vec![false; warps],
                occupied: vec![0; warps],
                small: false,
                ready_rate: 8,
                end_rate: 1,
                burst: 0,
                next_id: 0,
            }
        }

        fn offer(&mut self, rng: &mut Rng) -> Offer {
            let (n, w) = (self.warps as u64, self.threads as u64);
            self.next_id += 1;
            let threads = match rng.below(if self.small { 4 } else { 12 }) {
                0 | 1 if self.small => 1 + rng.below(w),
                0..=2 => 1 + rng.below(2 * w),
                3 if self.small => w,
                3 => [0, n * w + 1, 4095, 0][rng.below(4) as usize],
                4 => n * w,
                5 => n * w - rng.below(w),
                6 | 7 => w * (1 + rng.below(n)),
                8 | 9 => 1 + rng.below(n * w / 4),
                _ => 1 + rng.below(n * w),
            };
            Offer {
                pc: rng.below(1 << 22),
                threads,
                level: rng.below(1 << LB),
                id: self.next_id & 0xFFFF,
            }
        }

        /// The next cycle, given the state of the ports: a CTA would be taken; this warp is on launch.
        fn next(&mut self, rng: &mut Rng, ready: bool, launch: Option<usize>) -> Cycle {
            if rng.chance(1, 1000) {
                self.small = rng.flip();
                self.ready_rate = [1, 4, 8, 8][rng.below(4) as usize];
                self.end_rate = [0, 1, 1, 4, 20][rng.below(5) as usize];
                self.cycle.mix = rng.below(4);
            }
            if self.end_rate > 0 && rng.chance(1, 200) {
                self.burst = 1 + rng.below(2 * self.warps as u64);
            }
            let running: Vec<usize> = (0..self.warps).filter(|&w| self.running[w]).collect();
            let any = |rng: &mut Rng| running[rng.below(running.len() as u64) as usize];
            let c = &mut self.cycle;
            c.program = None;
            c.ended = None;
            if !running.is_empty() {
                if rng.chance(1, 4) {
                    c.program = Some((any(rng), rng.below(1 << LB)));
                }
                if rng.chance(self.end_rate, 64) || self.burst > 0 {
                    self.burst = self.burst.saturating_sub(1);
                    c.ended = Some((any(rng), rng.chance(1, 16)));
                }
            }
            if let Some((warp, _)) = c.ended {
                self.running[warp] = false;
                self.occupied[warp] = if rng.flip() { rng.below(40) } else { 0 };
                // A warp that has ended sets no level any more.
                c.program = c.program.filter(|p| p.0 != warp);
            }
            c.occupied = 0;
            for w in 0..self.warps {
                // While a warp runs, its slot may be occupied or not.
                if if self.running[w] {
                    rng.flip()
                } else {
                    self.occupied[w] > 0
                } {
                    c.occupied |= 1 << w;
                }
                self.occupied[w] = self.occupied[w].saturating_sub(1);
            }
            c.launch_ready = rng.chance(self.ready_rate, 8);
            if let Some(warp) = launch.filter(|_| c.launch_ready) {
                self.running[warp] = true;
            }
            c.where_warp = rng.below(self.warps as u64) as usize;
            c.find = (rng.below(16), rng.below(self.warps as u64));
            if self.cycle.offer.is_none() && rng.chance(1, 3) {
                self.cycle.offer = Some(self.offer(rng));
            }
            let cycle = self.cycle.clone();
            if ready {
                self.cycle.offer = None;
            }
            cycle
        }
    }

    /// `Cta`, whatever its size, for the environment.
    macro_rules! drive {
        ($u:expr, $rng:expr, $environment:expr, $reset:expr) => {{
            let launch = $u
                .launch_valid
                .val()
                .then(|| $u.launch_warp.val().to_u64() as usize);
            let ready = $u.cta_ready.val() && !$reset;
            let c = $environment.next($rng, ready, launch.filter(|_| !$reset));
            let offer = c.offer.unwrap_or_default();
            $u.reset.next = $reset;
            $u.cfg_level_mix.next = c.mix.into();
            $u.cfg_token_base.next = BASE.into();
            $u.cfg_token_size.next = SIZE.into();
            $u.cta_valid.next = c.offer.is_some();
            $u.cta_pc.next = offer.pc.into();
            $u.cta_threads.next = offer.threads.into();
            $u.cta_level.next = offer.level.into();
            $u.cta_id.next = offer.id.into();
            $u.launch_ready.next = c.launch_ready;
            $u.program_valid.next = c.program.is_some();
            $u.program_warp.next = (c.program.unwrap_or_default().0 as u64).into();
            $u.program_level.next = c.program.unwrap_or_default().1.into();
            $u.ended_valid.next = c.ended.is_some();
            $u.ended_warp.next = (c.ended.unwrap_or_default().0 as u64).into();
            $u.ended_failed.next = c.ended.unwrap_or_default().1;
            $u.status_occupied.next = c.occupied.into();
            $u.where_warp.next = (c.where_warp as u64).into();
            $u.find_cta.next = c.find.0.into();
            $u.find_block.next = c.find.1.into();
            c
        }};
    }

    #[test]
    fn verilog_agrees() {
        let mut environment = Environment::new(8, 8);
        crate::stimulus::check_with_memories(
            "weft_cta",
            Cta::<8, 3, 4, 7, 8, LB>::default,
            4000,
            |u, rng, t| {
                drive!(u, rng, environment, t < 2);
            },
            |u, level| u.clock.next = level.into(),
        );
    }

    /// A CTA that was taken.
    #[derive(Clone, Debug)]
    struct Run {
        cta: Offer,
        blocks: u64,
        slot: u64,
        /// Warp slot of each block that was launched.
        warps: Vec<usize>,
        ended: u64,
        failed: bool,
        /// Warp and CTA slots that have been free ever since it was taken.
        free: (u64, u64),
    }

    fn mixed(mix: u64, program: u64, cta: u64) -> u64 {
        match mix {
            0 => 0,
            1 => program,
            2 => cta,
            _ => program.max(cta),
        }
    }

    fn follows<
        const NW: usize,
        const WI: usize,
        const WC: usize,
        const FB: usize,
        const W: usize,
    >(
        cycles: u64,
    ) {
        let mut b = Bench::new(Cta::<NW, WI, WC, FB, W, LB>::default(), |u, level| {
            u.clock.next = level.into()
        });
        let mut rng = Rng::new(1, "cta");
        let mut environment = Environment::new(NW, W);
        // The CTA that is being placed, and the cycle in which it was taken.
        let mut current: Option<(Run, u64)> = None;
        let mut runs: Vec<Run> = Vec::new();
        // Which run each warp slot belongs to (by id), its block, and the CTA's level.
        let mut owner: Vec<Option<(u64, u64, u64)>> = vec![None; NW];
        let mut done: VecDeque<(Run, u64)> = VecDeque::new();
        let mut refused: Option<u64> = None;
        let mut find: Option<u64> = None;
        let mut level: Option<(usize, u64)> = None;
        let mut last_mix = 0;
        let mut was_launch = false;
        let mut last_done = 0;
        let mut last_ended = (0, 0);
        let mut idle = 0u64;
        let mut seen = std::collections::BTreeMap::<&str, u64>::new();
        let mut saw =
            |what: &'static str, yes: bool| *seen.entry(what).or_default() += u64::from(yes);
        for t in 0..cycles {
            let c = drive!(b.uut, &mut rng, environment, t < 2);
            b.settle();
            if t < 2 {
                b.edge();
                continue;
            }
            // Refused ones, in the next cycle.
            assert_eq!(b.uut.cta_refused.val(), refused.is_some(), "cycle {t}");
            if let Some(id) = refused.take() {
                assert_eq!(b.uut.cta_refused_id.val().to_u64(), id, "cycle {t}");
            }
            // Done ones, in order and in time.
            if b.uut.cta_done.val() {
                let (run, _) = done.pop_front().expect("done of nothing");
                assert_eq!(b.uut.cta_done_id.val().to_u64(), run.cta.id, "cycle {t}");
                assert_eq!(b.uut.cta_done_slot.val().to_u64(), run.slot, "cycle {t}");
                assert_eq!(b.uut.cta_done_failed.val(), run.failed, "cycle {t}");
                saw("failed", run.failed);
                saw("not failed", !run.failed);
                saw("done in consecutive cycles", last_done + 1 == t);
                last_done = t;
            }
            assert!(done.iter().all(|d| t <= d.1 + 4), "cycle {t}: late");
            // A launch: the next block of the CTA at hand.
            let launch = b.uut.launch_valid.val();
            let new = launch && !was_launch;
            if new {
                let warp = b.uut.launch_warp.val().to_u64() as usize;
                let (run, _) = current.as_mut().expect("launch of nothing");
                let block = run.warps.len() as u64;
                let is_free = |w: usize| owner[w].is_none() && c.occupied >> w & 1 == 0;
                if block == 0 {
                    // All or nothing.
                    let free = (0..NW).filter(|&w| is_free(w)).count() as u64;
                    assert!(free >= run.blocks, "cycle {t}");
                }
                assert!(
                    block < run.blocks && is_free(warp),
                    "cycle {t}: {warp}, {run:?}"
                );
                assert!(run.warps.last().is_none_or(|&w| w < warp), "cycle {t}");
                b.uut.where_warp.next = (warp as u64).into();
                b.settle();
                let slot = b.uut.where_cta.val().to_u64();
                b.uut.where_warp.next = (c.where_warp as u64).into();
                b.settle();
                // In ascending order: none that was free all the time is left out.
                let before = run.warps.last().map_or(0, |&w| w + 1);
                assert!(
                    (before..warp).all(|w| run.free.0 >> w & 1 == 0),
                    "cycle {t}"
                );
                if block == 0 {
                    let used = |slot| {
                        runs.iter()
                            .chain(done.iter().map(|d| &d.0))
                            .any(|r: &Run| r.slot == slot)
                    };
                    assert!(!used(slot), "cycle {t}");
                    saw("a CTA slot above 0", slot > 0);
                    saw("the last CTA slot", slot == 15);
                    assert!((0..slot).all(|s| run.free.1 >> s & 1 == 0), "cycle {t}");
                    run.slot = slot;
                }
                assert_eq!(slot, run.slot, "cycle {t}");
                saw(
                    "beside an ended warp of a CTA that runs",
                    runs.iter().any(|r| r.warps.contains(&warp)),
                );
                run.warps.push(warp);
                owner[warp] = Some((run.cta.id, block, run.cta.level));
                // Its level was set in the cycle before.
                assert!(level.is_none(), "cycle {t}: program first");
                level = Some((warp, mixed(last_mix, 0, run.cta.level)));
                saw("mix 0", last_mix == 0);
                saw("mix 1", last_mix == 1);
                saw("mix 2", last_mix == 2);
                saw("mix 3", last_mix == 3);
            }
            if launch {
                let warp = b.uut.launch_warp.val().to_u64() as usize;
                let (run, _) = current.as_ref().expect("launch of nothing");
                assert_eq!(run.warps.last(), Some(&warp), "cycle {t}");
                let is_last = run.warps.len() as u64 == run.blocks;
                let threads = if is_last {
                    run.cta.threads - (run.blocks - 1) * W as u64
                } else {
                    W as u64
                };
                assert_eq!(
                    b.uut.launch_mask.val().to_u64(),
                    (1 << threads) - 1,
                    "cycle {t}"
                );
                assert_eq!(b.uut.launch_pc.val().to_u64(), run.cta.pc, "cycle {t}");
                let base = (BASE + 1024 * warp as u64) & 0xFFFF_FFFF;
                assert_eq!(b.uut.launch_base.val().to_u64(), base, "cycle {t}");
                assert_eq!(b.uut.launch_size.val().to_u64(), SIZE, "cycle {t}");
                let block = run.warps.len() as u64 - 1;
                assert_eq!(b.uut.launch_cta.val().to_u64(), run.slot, "cycle {t}");
                assert_eq!(b.uut.launch_block.val().to_u64(), block, "cycle {t}");
                let threads = b.uut.launch_threads.val().to_u64();
                assert_eq!(threads, run.cta.threads, "cycle {t}");
                saw("last block full", is_last && threads == W as u64);
                saw("last block not full", is_last && threads < W as u64);
                saw("launch waits", !c.launch_ready);
                saw("all warps", run.blocks == NW as u64);
            }
            was_launch = launch && !c.launch_ready;
            // Levels: the program's in the next cycle, a launch's with it.
            assert_eq!(b.uut.level_valid.val(), level.is_some(), "cycle {t}");
            if let Some((warp, value)) = level.take() {
                assert_eq!(b.uut.level_warp.val().to_u64(), warp as u64, "cycle {t}");
                assert_eq!(b.uut.level_value.val().to_u64(), value, "cycle {t}");
            }
            if let Some((warp, program)) = c.program {
                let (_, _, of_cta) = owner[warp].expect("it runs");
                level = Some((warp, mixed(c.mix, program, of_cta)));
                saw(
                    "the level of the CTA counts",
                    c.mix == 3 && of_cta > program,
                );
                saw(
                    "the level of the program counts",
                    c.mix == 3 && of_cta < program,
                );
            }
            last_mix = c.mix;
            // Mappings.
            let all = || {
                current
                    .iter()
                    .map(|r| &r.0)
                    .chain(&runs)
                    .chain(done.iter().map(|d| &d.0))
            };
            if let Some((id, block, _)) = owner[c.where_warp] {
                let run = all().find(|r| r.cta.id == id).expect("it runs");
                assert_eq!(b.uut.where_cta.val().to_u64(), run.slot, "cycle {t}");
                assert_eq!(b.uut.where_block.val().to_u64(), block, "cycle {t}");
                assert_eq!(
                    b.uut.where_first.val().to_u64(),
                    block * W as u64,
                    "cycle {t}"
                );
                saw("where", true);
            }
            if let Some(warp) = find.take() {
                assert_eq!(b.uut.find_warp.val().to_u64(), warp, "cycle {t}");
                saw("found", true);
            }
            if let Some(run) = all().find(|r| r.slot == c.find.0 && !r.warps.is_empty()) {
                find = run.warps.get(c.find.1 as usize).map(|&w| w as u64);
                saw(
                    "found after its end",
                    find.is_some_and(|w| owner[w as usize].is_none_or(|o| o.0 != run.cta.id)),
                );
            }
            let used = |slot| {
                let runs = runs.iter().chain(done.iter().map(|d| &d.0));
                runs.into_iter().any(|r: &Run| r.slot == slot)
            };
            let free_slots = (0..16).filter(|&s| !used(s)).fold(0, |all, s| all | 1 << s);
            let is_free = |w: &usize| owner[*w].is_none() && c.occupied >> w & 1 == 0;
            let free_warps = (0..NW).filter(is_free).fold(0, |all, w| all | 1 << w);
            if let Some((run, _)) = &mut current {
                run.free = (run.free.0 & free_warps, run.free.1 & free_slots);
            }
            // Take.
            let ready = b.uut.cta_ready.val();
            assert!(!ready || current.is_none(), "cycle {t}");
            idle = if ready || current.is_some() {
                0
            } else {
                idle + 1
            };
            assert!(idle < 40, "cycle {t}: not ready");
            let transferred = launch && c.launch_ready;
            if let Some((run, since)) =
                current.take_if(|(run, _)| transferred && run.warps.len() as u64 == run.blocks)
            {
                saw("waited for long", t - since > 10 * NW as u64);
                saw("one block", run.blocks == 1);
                runs.push(run);
            }
            if let Some((run, since)) = &current {
                let free = (0..NW).filter(|&w| owner[w].is_none()).count() as u64;
                let unoccupied = (0..NW)
                    .filter(|&w| owner[w].is_none() && c.occupied >> w & 1 == 0)
                    .count() as u64;
                let waits = run.warps.is_empty() && t - since > 3 * NW as u64 + 20;
                saw("waits for warp slots", waits && free < run.blocks);
                saw(
                    "waits for occupied slots",
                    run.warps.is_empty() && free >= run.blocks && unoccupied < run.blocks,
                );
                saw(
                    "waits for a CTA slot",
                    run.warps.is_empty() && unoccupied >= run.blocks && runs.len() == 16,
                );
            }
            if let Some(cta) = c.offer.filter(|_| ready) {
                if cta.threads == 0 || cta.threads > (NW * W) as u64 {
                    refused = Some(cta.id);
                    saw("refused: none", cta.threads == 0);
                    saw("refused: too many", cta.threads > 0);
                } else {
                    let run = Run {
                        cta,
                        blocks: cta.threads.div_ceil(W as u64),
                        slot: 99,
                        warps: Vec::new(),
                        ended: 0,
                        failed: false,
                        free: (u64::MAX, u64::MAX),
                    };
                    current = Some((run, t));
                }
            }
            // Ends.
            if let Some((warp, failed)) = c.ended {
                let (id, ..) = owner[warp].take().expect("it runs");
                let placed = current.iter_mut().map(|r| &mut r.0);
                let run = placed
                    .chain(&mut runs)
                    .find(|r| r.cta.id == id)
                    .expect("it runs");
                run.ended += 1;
                run.failed |= failed;
                saw(
                    "ended while others are placed",
                    run.warps.len() as u64 != run.blocks,
                );
                saw(
                    "ended in consecutive cycles, same CTA",
                    last_ended == (t - 1, id),
                );
                last_ended = (t, id);
                if let Some(i) = runs.iter().position(|r| r.ended == r.blocks) {
                    done.push_back((runs.swap_remove(i), t));
                }
            }
            b.edge();
        }
        println!("{NW} x {W}: {seen:#?}");
        for (what, times) in seen {
            // Sixteen CTAs at once need more than sixteen warps.
            let never = NW <= 16 && (what == "waits for a CTA slot" || what == "the last CTA slot");
            assert!(never || times >= 5, "{what}: {times}");
        }
    }

    /// All of the page, in 8 warp slots.
    #[test]
    fn it_follows_the_specification() {
        follows::<8, 3, 4, 7, 8>(60_000);
    }

    /// More warp slots than CTA slots.
    #[test]
    fn it_follows_the_specification_with_32_warps() {
        follows::<32, 5, 6, 9, 4>(100_000);
    }
}
