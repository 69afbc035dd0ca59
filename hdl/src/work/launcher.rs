//! Launcher: a grid descriptor comes in through AXI4-Lite registers; its CTAs go to the core, one after the other;
//! how it ended is read back.
//!
//! Spec: `docs/spec/memory.md`, *Launcher*, MEM-020 to MEM-023; `docs/spec/subvector.md`, SUBV-053 and SUBV-054.
//!
//! # Parameters
//! `NW` warps, `WI` = log2 NW; `W` threads per warp, `I` = log2 W; `L` lanes; `SCRATCH`: bytes of the scratchpad;
//! `RA`: log2 of the rows of the register file.
//!
//! # Ports
//! `host`: AXI4-Lite subordinate. `launch`: what the rest of the SM is told and tells (`LauncherPorts`).
//!
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `busy`, `done` | out | 1, 1 | STATUS |
//!
//! # Cycle behaviour
//! A launch takes about 220 cycles before its first CTA: six multiplications, bit by bit, and the bases of 16 places in
//! the scratchpad.
//! It is over when all CTAs have ended and nothing has been `active` for 40 cycles.
//!
//! # Invariants
//! A place in the scratchpad belongs to one CTA at a time.
//!
//! # Errors
//! MEM-022: a launch is refused. FAULT: the first fault since the clear.

use crate::bundles::{LauncherPorts, LitePorts};
use crate::hdl::*;
use crate::prim::{FirstOne, LutRam};
use crate::warp::barrier::code as barrier_code;

#[rustfmt::skip]
#[module(
    requires(
        NW == 1 << WI, W == 1 << I, W % L == 0, 1 << RA <= 32 * NW * W / L, 1 << RA >= 32 * W / L, NW <= 64,
        NW * W <= 4096, RA <= 17
    ),
    kernel(Writes, Reads, Prepare, Start, Outcome)
)]
pub struct Launcher<
    const NW: usize, const WI: usize, const W: usize, const I: usize, const L: usize, const SCRATCH: usize,
    const RA: usize,
> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub host: LitePorts<8>,
    pub launch: LauncherPorts<NW, WI>,
    pub busy: Signal<Out, Bit>,
    pub done: Signal<Out, Bit>,
    // Registers, as the host reads them, at bits 6 to 2 of their addresses; of LEVEL and from MODE on, whether they have
    // been written since the reset, at bits 4 to 2.
    settings: LutRam<Bits<32>, 5>,
    known: DFF<Bits<8>>,
    // What a launch makes of them.
    entry: DFF<Bits<22>>,
    grid_x_size: DFF<Bits<32>>,
    grid_y_size: DFF<Bits<32>>,
    grid_z_size: DFF<Bits<32>>,
    group_x_size: DFF<Bits<32>>,
    group_y_size: DFF<Bits<32>>,
    group_z_size: DFF<Bits<32>>,
    argument: DFF<Bits<32>>,
    scratchpad: DFF<Bits<32>>,
    local_size: DFF<Bits<32>>,
    local_at: DFF<Bits<32>>,
    token_at: DFF<Bits<32>>,
    token_room: DFF<Bits<10>>,
    bad_tokens: DFF<Bit>,
    memory_end: DFF<Bits<32>>,
    level: DFF<Bits<4>>,
    level_mix: DFF<Bits<2>>,
    policy: DFF<Bits<2>>,
    yields: DFF<Bits<32>>,
    path: DFF<Bits<2>>,
    yield_random: DFF<Bit>,
    bad_mode: DFF<Bit>,
    miss_threshold: DFF<Bits<9>>,
    mode_force: DFF<Bits<2>>,
    shared_from: DFF<Bits<6>>,
    priorities: DFF<Bits<16>>,
    randoms: DFF<Bits<32>>,
    // State.
    aw_full: DFF<Bit>,
    aw_address: DFF<Bits<8>>,
    w_full: DFF<Bit>,
    w_word: DFF<Bits<32>>,
    w_strobes: DFF<Bits<4>>,
    b_full: DFF<Bit>,
    r_full: DFF<Bit>,
    r_word: DFF<Bits<32>>,
    running: DFF<Bit>,
    // The launch is killed (MEM-024); a CTA is offered and not taken.
    killed: DFF<Bit>,
    stands: DFF<Bit>,
    is_done: DFF<Bit>,
    failed: DFF<Bit>,
    refused: DFF<Bit>,
    f_valid: DFF<Bit>,
    f_word: DFF<Bits<32>>,
    f_pc: DFF<Bits<32>>,
    f_address: DFF<Bits<32>>,
    f_cta: DFF<Bits<32>>,
    cycles: DFF<Bits<32>>,
    cycles_high: DFF<Bits<32>>,
    ended: DFF<Bits<32>>,
    step: DFF<Bits<4>>,
    factor: DFF<Bits<32>>,
    shifted: DFF<Bits<32>>,
    product: DFF<Bits<32>>,
    threads: DFF<Bits<13>>,
    blocks: DFF<Bits<8>>,
    all_threads: DFF<Bits<32>>,
    // A CTA's part of the scratchpad, in whole 16 bytes; the place that is made, and where it ends.
    rounded: DFF<Bits<32>>,
    slot: DFF<Bits<5>>,
    slot_base: DFF<Bits<32>>,
    slot_end: DFF<Bits<32>>,
    slots: DFF<Bits<16>>,
    // Rows of the register file that no warp has yet, warps for which there is room, and the slots that they get.
    // The rows of a warp; no more warps fit, and whether they are too few: of the cycle before.
    rows_left: DFF<Bits<18>>,
    room: DFF<Bits<8>>,
    resident_slots: DFF<Bits<NW>>,
    warp_rows: DFF<Bits<18>>,
    rows_full: DFF<Bit>,
    bad_rows: DFF<Bit>,
    // Cycles until the next CTA's sums and comparisons stand.
    settle: DFF<Bits<2>>,
    quiet: DFF<Bits<6>>,
    // CTAs are left; the core has taken one.
    more: DFF<Bit>,
    begun: DFF<Bit>,
    // Of the CTA that was taken last; number: how many have been.
    x: DFF<Bits<32>>,
    y: DFF<Bits<32>>,
    z: DFF<Bits<32>>,
    number: DFF<Bits<32>>,
    first: DFF<Bits<32>>,
    first_warp: DFF<Bits<32>>,
    // The next values, and whether they are behind the last ones.
    after_x: DFF<Bits<32>>,
    after_y: DFF<Bits<32>>,
    after_z: DFF<Bits<32>>,
    last_x: DFF<Bit>,
    last_y: DFF<Bit>,
    last_z: DFF<Bit>,
    now_number: DFF<Bits<32>>,
    now_base: DFF<Bits<32>>,
    // Bases of the places in the scratchpad; the number of the CTA of each warp.
    bases: LutRam<Bits<32>, 4>,
    owners: LutRam<Bits<32>, WI>,
    free: FirstOne<16, 4>,
    // Combinational.
    writes: Signal<Local, Bit>,
    sets: Signal<Local, Bit>,
    index: Signal<Local, Bits<3>>,
    bad_token_word: Signal<Local, Bit>,
    bad_mode_word: Signal<Local, Bit>,
    starts: Signal<Local, Bit>,
    clears: Signal<Local, Bit>,
    kills: Signal<Local, Bit>,
    launches: Signal<Local, Bit>,
    next_product: Signal<Local, Bits<32>>,
    next_shifted: Signal<Local, Bits<32>>,
    wide_threads: Signal<Local, Bits<32>>,
    wide_blocks: Signal<Local, Bits<32>>,
    all_blocks: Signal<Local, Bits<13>>,
    too_many: Signal<Local, Bit>,
    is_refused: Signal<Local, Bit>,
    fits: Signal<Local, Bit>,
    own: Signal<Local, Bits<18>>,
    own_rows: Signal<Local, Bits<18>>,
    rows_fit: Signal<Local, Bit>,
    counts_rows: Signal<Local, Bit>,
    slot_bit: Signal<Local, Bits<16>>,
    takes: Signal<Local, Bit>,
    is_last: Signal<Local, Bit>,
    offers: Signal<Local, Bit>,
    taken_bit: Signal<Local, Bits<16>>,
    freed_bit: Signal<Local, Bits<16>>,
    reads: Signal<Local, Bit>,
    at: Signal<Local, Bits<5>>,
    is_setting: Signal<Local, Bit>,
    is_usual: Signal<Local, Bit>,
    answer: Signal<Local, Bits<32>>,
    size_word: Signal<Local, Bits<32>>,
    status_word: Signal<Local, Bits<32>>,
    fault_word: Signal<Local, Bits<32>>,
    own_fault: Signal<Local, Bit>,
    strange: Signal<Local, Bit>,
    is_busy: Signal<Local, Bit>,
    // Constants.
    #[value(barrier_code::LAUNCH.into())]
    k_code_launch: Constant<Bits<4>>,
    #[value(0x5745_4654_u64.into())]
    k_identity: Constant<Bits<32>>,
    #[value((((NW | W << 8 | L << 16) as u64) | (((1u64 << RA) * L as u64 / (32 * W as u64)) << 24)).into())]
    k_size: Constant<Bits<32>>,
    #[value(0.into())]
    k_zero: Constant<Bits<32>>,
    #[value(1.into())]
    k_one: Constant<Bits<32>>,
    #[value(1.into())]
    k_one_warp: Constant<Bits<8>>,
    #[value(0.into())]
    k_no_warps: Constant<Bits<8>>,
    #[value(0.into())]
    k_no_warp_slots: Constant<Bits<NW>>,
    #[value(1.into())]
    k_first_slot: Constant<Bits<NW>>,
    #[value(((NW * W) as u64).into())]
    k_room: Constant<Bits<32>>,
    #[value((SCRATCH as u64).into())]
    k_scratch: Constant<Bits<32>>,
    #[value(0xc000_0000_u64.into())]
    k_local_window: Constant<Bits<32>>,
    #[value((I as u64).into())]
    k_lane_bits: Constant<Bits<3>>,
    #[value((W as u64 - 1).into())]
    k_part_block: Constant<Bits<13>>,
    #[value((1u64 << RA).into())]
    k_rows: Constant<Bits<18>>,
    #[value(u64::from((W / L).trailing_zeros()).into())]
    k_part_bits: Constant<Bits<3>>,
    #[value(32.into())]
    k_registers: Constant<Bits<18>>,
    #[value((NW as u64).into())]
    k_warps: Constant<Bits<8>>,
    #[value(0x2000_0040_u64.into())]
    k_usual_modes: Constant<Bits<32>>,
    #[value(32.into())]
    k_all_registers: Constant<Bits<6>>,
    #[value(64.into())]
    k_usual_threshold: Constant<Bits<9>>,
    #[value(1.into())]
    k_one_register: Constant<Bits<8>>,
    #[value(1.into())]
    k_one_slot: Constant<Bits<16>>,
    #[value(0.into())]
    k_no_slots: Constant<Bits<16>>,
    #[value(40.into())]
    k_quiet_cycles: Constant<Bits<6>>,
    #[value(0xffff_fff0_u64.into())]
    k_low_bits: Constant<Bits<32>>,
    #[value((W as u64).into())]
    k_threads_of_warp: Constant<Bits<10>>,
}

/// Registers are written.
pub struct Writes;

#[part(Launcher<NW, WI, W, I, L, SCRATCH, RA>, Writes)]
fn update(&mut self) {
    // ---- Writes: address and word may come in any order.
    self.host.awready.next = !self.aw_full.q.val();
    self.host.wready.next = !self.w_full.q.val();
    if self.host.awvalid.val() & !self.aw_full.q.val() {
        self.aw_full.d.next = true;
        self.aw_address.d.next = self.host.awaddr.val();
    }
    if self.host.wvalid.val() & !self.w_full.q.val() {
        self.w_full.d.next = true;
        self.w_word.d.next = self.host.wdata.val();
        self.w_strobes.d.next = self.host.wstrb.val();
    }
    self.host.bvalid.next = self.b_full.q.val();
    self.host.bresp.next = 0.into();
    if self.b_full.q.val() & self.host.bready.val() {
        self.b_full.d.next = false;
    }
    self.writes.next = self.aw_full.q.val() & self.w_full.q.val() & !self.b_full.q.val();
    self.is_busy.next = self.running.q.val();
    self.launches.next = false;
    self.clears.next = false;
    self.kills.next = false;
    self.index.next = self.aw_address.q.val().get_bits::<3>(2);
    self.sets.next = self.writes.val()
        & self.w_strobes.q.val().all()
        & !self.aw_address.q.val().get_bit(7)
        & !self.aw_address.q.val().get_bits::<2>(0).any()
        & !self.is_busy.val();
    self.settings.write_enable.next = self.sets.val();
    self.settings.write_address.next = self.aw_address.q.val().get_bits::<5>(2);
    self.settings.write_data.next = self.w_word.q.val();
    if self.sets.val() & (self.aw_address.q.val().get_bits::<2>(5) == 2) {
        self.known.d.next = self.known.q.val() | (self.k_one_register.val() << self.index.val());
    }
    // An SM has nobody who could move tokens for it (SPILL-023); there are three paths, and three policies.
    self.bad_mode_word.next = self.w_word.q.val().get_bit(2)
        | self.w_word.q.val().get_bits::<28>(4).any()
        | self.w_word.q.val().get_bits::<2>(0).all();
    self.bad_token_word.next = self.w_word.q.val().get_bits::<22>(10).any();
    if self.writes.val() {
        self.aw_full.d.next = false;
        self.w_full.d.next = false;
        self.b_full.d.next = true;
        if self.w_strobes.q.val().all() {
            if self.aw_address.q.val() == 0x08 {
                self.launches.next = self.w_word.q.val().get_bit(0) & !self.is_busy.val();
                self.clears.next = self.w_word.q.val().get_bit(1);
                self.kills.next = self.w_word.q.val().get_bit(2) & self.is_busy.val();
            }
            if (self.aw_address.q.val() == 0x10) & !self.is_busy.val() {
                self.entry.d.next = self.w_word.q.val().get_bits::<22>(2);
            }
            if (self.aw_address.q.val() == 0x14) & !self.is_busy.val() {
                self.grid_x_size.d.next = self.w_word.q.val();
            }
            if (self.aw_address.q.val() == 0x18) & !self.is_busy.val() {
                self.grid_y_size.d.next = self.w_word.q.val();
            }
            if (self.aw_address.q.val() == 0x1C) & !self.is_busy.val() {
                self.grid_z_size.d.next = self.w_word.q.val();
            }
            if (self.aw_address.q.val() == 0x20) & !self.is_busy.val() {
                self.group_x_size.d.next = self.w_word.q.val();
            }
            if (self.aw_address.q.val() == 0x24) & !self.is_busy.val() {
                self.group_y_size.d.next = self.w_word.q.val();
            }
            if (self.aw_address.q.val() == 0x28) & !self.is_busy.val() {
                self.group_z_size.d.next = self.w_word.q.val();
            }
            if (self.aw_address.q.val() == 0x2C) & !self.is_busy.val() {
                self.argument.d.next = self.w_word.q.val();
            }
            if (self.aw_address.q.val() == 0x30) & !self.is_busy.val() {
                self.scratchpad.d.next = self.w_word.q.val();
            }
            if (self.aw_address.q.val() == 0x34) & !self.is_busy.val() {
                self.local_size.d.next = self.w_word.q.val();
            }
            if (self.aw_address.q.val() == 0x38) & !self.is_busy.val() {
                self.local_at.d.next = self.w_word.q.val();
            }
            if (self.aw_address.q.val() == 0x3C) & !self.is_busy.val() {
                self.token_at.d.next = self.w_word.q.val();
            }
            if (self.aw_address.q.val() == 0x40) & !self.is_busy.val() {
                self.token_room.d.next = self.w_word.q.val().get_bits::<10>(0);
                self.bad_tokens.d.next = self.bad_token_word.val();
            }
            if (self.aw_address.q.val() == 0x44) & !self.is_busy.val() {
                self.memory_end.d.next = self.w_word.q.val();
            }
            if (self.aw_address.q.val() == 0x48) & !self.is_busy.val() {
                self.level.d.next = self.w_word.q.val().get_bits::<4>(0);
                self.level_mix.d.next = self.w_word.q.val().get_bits::<2>(8);
                self.policy.d.next = self.w_word.q.val().get_bits::<2>(16);
            }
            if (self.aw_address.q.val() == 0x4C) & !self.is_busy.val() {
                self.yields.d.next = self.w_word.q.val();
            }
            if (self.aw_address.q.val() == 0x50) & !self.is_busy.val() {
                self.path.d.next = self.w_word.q.val().get_bits::<2>(0);
                self.yield_random.d.next = self.w_word.q.val().get_bit(3);
                self.bad_mode.d.next = self.bad_mode_word.val();
            }
            if (self.aw_address.q.val() == 0x54) & !self.is_busy.val() {
                self.miss_threshold.d.next = self.w_word.q.val().get_bits::<9>(0);
                self.mode_force.d.next = self.w_word.q.val().get_bits::<2>(16);
                self.shared_from.d.next = self.w_word.q.val().get_bits::<6>(24);
            }
            if (self.aw_address.q.val() == 0x58) & !self.is_busy.val() {
                self.priorities.d.next = self.w_word.q.val().get_bits::<16>(0);
            }
            if (self.aw_address.q.val() == 0x5C) & !self.is_busy.val() {
                self.randoms.d.next = self.w_word.q.val();
            }
        }
    }
}

/// Registers are read.
pub struct Reads;

#[part(Launcher<NW, WI, W, I, L, SCRATCH, RA>, Reads)]
fn update(&mut self) {
    // ---- Reads.
    self.size_word.next = self.k_size.val();
    self.status_word.next = bit_cast::<32, 1>(self.running.q.val().into())
        | (bit_cast::<32, 1>(self.is_done.q.val().into()) << 1)
        | (bit_cast::<32, 1>(self.failed.q.val().into()) << 2)
        | (bit_cast::<32, 1>(self.refused.q.val().into()) << 3);
    self.answer.next = self.k_zero.val();
    if self.host.araddr.val() == 0x00 {
        self.answer.next = self.k_identity.val();
    }
    if self.host.araddr.val() == 0x04 {
        self.answer.next = self.size_word.val();
    }
    if self.host.araddr.val() == 0x0C {
        self.answer.next = self.status_word.val();
    }
    if self.host.araddr.val() == 0x60 {
        self.answer.next = self.f_word.q.val();
    }
    if self.host.araddr.val() == 0x64 {
        self.answer.next = self.f_pc.q.val();
    }
    if self.host.araddr.val() == 0x68 {
        self.answer.next = self.f_address.q.val();
    }
    if self.host.araddr.val() == 0x6C {
        self.answer.next = self.f_cta.q.val();
    }
    if self.host.araddr.val() == 0x70 {
        self.answer.next = self.cycles.q.val();
    }
    if self.host.araddr.val() == 0x74 {
        self.answer.next = self.cycles_high.q.val();
    }
    if self.host.araddr.val() == 0x78 {
        self.answer.next = self.ended.q.val();
    }
    if self.host.araddr.val() == 0x7C {
        self.answer.next = bit_cast::<32, 8>(self.room.q.val());
    }
    self.at.next = self.host.araddr.val().get_bits::<5>(2);
    self.settings.read_address.next = self.at.val();
    self.is_setting.next = !self.host.araddr.val().get_bit(7)
        & !self.host.araddr.val().get_bits::<2>(0).any()
        & (self.at.val() >= 4)
        & (self.at.val() < 24);
    // What a reset has set, and nobody has written since.
    self.is_usual.next = ((self.at.val() == 18) | (self.at.val() >= 20))
        & !self
            .known
            .q
            .val()
            .get_bit(self.at.val().get_bits::<3>(0).index());
    if self.is_setting.val() {
        self.answer.next = self.settings.read_data.val();
        if self.is_usual.val() {
            self.answer.next = self.k_zero.val();
            if self.at.val() == 21 {
                self.answer.next = self.k_usual_modes.val();
            }
        }
    }
    self.host.arready.next = !self.r_full.q.val();
    self.reads.next = self.host.arvalid.val() & !self.r_full.q.val();
    if self.r_full.q.val() & self.host.rready.val() {
        self.r_full.d.next = false;
    }
    if self.reads.val() {
        self.r_full.d.next = true;
        self.r_word.d.next = self.answer.val();
    }
    carry!(self.host <- self.*.q: rvalid = r_full, rdata = r_word);
    self.host.rresp.next = 0.into();
}

/// A launch is prepared, step by step.
pub struct Prepare;

#[part(Launcher<NW, WI, W, I, L, SCRATCH, RA>, Prepare)]
fn update(&mut self) {
    // ---- Preparation: step 1 to 6 multiply the six sizes, 7 makes places in the scratchpad, 8 waits for the count of
    // warps that have rows, and forgets instruction lines (SM-024), 9 runs.
    self.next_product.next = self.product.q.val();
    if self.factor.q.val().get_bit(0) {
        self.next_product.next = self.product.q.val() + self.shifted.q.val();
    }
    self.next_shifted.next = self.shifted.q.val() << 1;
    // Of the product as it stands, so a CTA that is too large is found out a cycle later.
    self.too_many.next = self.product.q.val() > self.k_room.val();
    // Places in the scratchpad: the end of the next one is known when that of the last one is.
    self.rounded.d.next = (self.scratchpad.q.val() + 15) & self.k_low_bits.val();
    self.fits.next = self.slot_end.q.val() <= self.k_scratch.val();
    self.all_blocks.next =
        (self.threads.q.val() + self.k_part_block.val()) >> self.k_lane_bits.val();
    self.wide_threads.next = bit_cast::<32, 13>(self.threads.q.val());
    self.wide_blocks.next = bit_cast::<32, 8>(self.blocks.q.val());
    self.slot_bit.next = self.k_one_slot.val() << self.slot.q.val();
    self.is_refused.next = false;

    // ---- Warps that the register file has room for: a warp takes F x P + 32 - F rows (SUBV-021), from step 1 on.
    self.own.next = bit_cast::<18, 6>(self.shared_from.q.val());
    self.own_rows.next = self.own.val() << self.k_part_bits.val();
    self.warp_rows.d.next = self.own_rows.val() + self.k_registers.val() - self.own.val();
    self.rows_fit.next = (self.warp_rows.q.val() <= self.rows_left.q.val())
        & (self.room.q.val() != self.k_warps.val());
    self.rows_full.d.next = !self.rows_fit.val();
    self.counts_rows.next = self.running.q.val()
        & self.step.q.val().any()
        & (self.step.q.val() < 9)
        & self.rows_fit.val();
    self.bad_rows.d.next = !self.shared_from.q.val().any()
        | (self.shared_from.q.val() > self.k_all_registers.val())
        | (self.blocks.q.val() > self.room.q.val());
    if self.counts_rows.val() {
        self.rows_left.d.next = self.rows_left.q.val() - self.warp_rows.q.val();
        self.room.d.next = self.room.q.val() + self.k_one_warp.val();
        self.resident_slots.d.next = (self.resident_slots.q.val() << 1) | self.k_first_slot.val();
    }
    self.launch.flush.next = false;
    self.bases.write_enable.next = false;
    self.bases.write_address.next = self.slot.q.val().get_bits::<4>(0);
    self.bases.write_data.next = self.slot_base.q.val();
    if self.launches.val() {
        self.running.d.next = true;
        self.is_done.d.next = false;
        self.refused.d.next = false;
        spread!(self.*.d <- self.k_zero: cycles, cycles_high, ended);
        self.step.d.next = 1.into();
        self.factor.d.next = self.group_x_size.q.val();
        self.shifted.d.next = self.k_one.val();
        self.product.d.next = self.k_zero.val();
        self.slot.d.next = 0.into();
        carry!(self.*.d <- self:
            slot_base = k_zero, slots = k_no_slots, rows_left = k_rows, room = k_no_warps,
            resident_slots = k_no_warp_slots,
        );
        self.more.d.next = true;
        self.begun.d.next = false;
        carry!(self.*.d <- self: x = k_zero, y = k_zero, z = k_zero, number = k_zero);
        spread!(self.*.d <- self.k_zero: first, first_warp);
    }
    if self.running.q.val() {
        self.cycles.d.next = self.cycles.q.val() + self.k_one.val();
        if self.cycles.q.val().all() {
            self.cycles_high.d.next = self.cycles_high.q.val() + self.k_one.val();
        }
    }
    if self.running.q.val() & (self.step.q.val() < 7) {
        self.slot_end.d.next = self.rounded.q.val();
        // A CTA is small, so its products never get long.
        if (self.step.q.val() < 4) & self.too_many.val() {
            self.is_refused.next = true;
        }
        if self.factor.q.val().any() {
            carry!(self.*.d <- self.next_*: product, shifted);
            self.factor.d.next = self.factor.q.val() >> 1;
            if (self.step.q.val() < 4) & (self.factor.q.val() > self.k_room.val()) {
                self.is_refused.next = true;
            }
        } else {
            if !self.product.q.val().any() {
                self.is_refused.next = true;
            }
            self.step.d.next = self.step.q.val() + 1;
            self.shifted.d.next = self.product.q.val();
            self.product.d.next = self.k_zero.val();
            if self.step.q.val() == 1 {
                self.factor.d.next = self.group_y_size.q.val();
            }
            if self.step.q.val() == 2 {
                self.factor.d.next = self.group_z_size.q.val();
            }
            if self.step.q.val() == 3 {
                self.threads.d.next = self.product.q.val().get_bits::<13>(0);
                self.factor.d.next = self.grid_x_size.q.val();
            }
            if self.step.q.val() == 4 {
                self.factor.d.next = self.grid_y_size.q.val();
            }
            if self.step.q.val() == 5 {
                self.factor.d.next = self.grid_z_size.q.val();
            }
            if self.step.q.val() == 6 {
                self.all_threads.d.next = self.product.q.val();
                self.blocks.d.next = self.all_blocks.val().get_bits::<8>(0);
                if (self.scratchpad.q.val() > self.k_scratch.val())
                    | self.local_size.q.val().get_bits::<4>(0).any()
                    | self.local_at.q.val().get_bits::<6>(0).any()
                    | self.bad_tokens.q.val()
                    | (self.token_room.q.val() <= self.k_threads_of_warp.val())
                    | self.bad_mode.q.val()
                    | self.policy.q.val().all()
                {
                    self.is_refused.next = true;
                }
            }
        }
    }
    if self.running.q.val() & (self.step.q.val() == 7) {
        if self.fits.val() {
            self.bases.write_enable.next = true;
            self.slots.d.next = self.slots.q.val() | self.slot_bit.val();
        }
        self.slot_base.d.next = self.slot_end.q.val();
        self.slot_end.d.next = self.slot_end.q.val() + self.rounded.q.val();
        self.slot.d.next = self.slot.q.val() + 1;
        if !self.fits.val() | (self.slot.q.val() == 15) {
            self.step.d.next = 8.into();
        }
    }
    if self.running.q.val() & (self.step.q.val() == 8) & self.rows_full.q.val() {
        self.is_refused.next = self.bad_rows.q.val();
        self.launch.flush.next = true;
        self.step.d.next = 9.into();
        self.quiet.d.next = self.k_quiet_cycles.val();
    }
    if self.is_refused.val() {
        self.running.d.next = false;
        self.is_done.d.next = true;
        self.refused.d.next = true;
        self.step.d.next = 0.into();
    }
}

/// CTAs go to the core; the end; what a launch of a warp needs.
pub struct Start;

#[part(Launcher<NW, WI, W, I, L, SCRATCH, RA>, Start)]
fn update(&mut self) {
    // ---- CTAs go to the core, in ascending order.
    self.free.bits.next = self.slots.q.val();
    self.is_last.next =
        self.begun.q.val() & self.last_x.q.val() & self.last_y.q.val() & self.last_z.q.val();
    self.offers.next = self.running.q.val()
        & (!self.killed.q.val() | self.stands.q.val())
        & (self.step.q.val() == 9)
        & self.more.q.val()
        & !self.is_last.val()
        & self.free.any.val()
        & !self.settle.q.val().any();
    self.launch.cta_valid.next = self.offers.val();
    self.launch.cta_pc.next = self.entry.q.val();
    self.launch.cta_threads.next = self.threads.q.val().get_bits::<12>(0);
    self.launch.cta_level.next = self.level.q.val();
    self.launch.cta_id.next = bit_cast::<16, 4>(self.free.place.val());
    self.bases.read_address.next = self.free.place.val();
    self.takes.next = self.offers.val() & self.launch.cta_ready.val();
    self.stands.d.next = self.offers.val() & !self.launch.cta_ready.val();
    // Sums and comparisons stand three cycles behind a take: x, one more, whether that is the last one.
    self.after_x.d.next = self.x.q.val() + self.k_one.val();
    self.after_y.d.next = self.y.q.val() + self.k_one.val();
    self.after_z.d.next = self.z.q.val() + self.k_one.val();
    self.last_x.d.next = self.after_x.q.val() == self.grid_x_size.q.val();
    self.last_y.d.next = self.after_y.q.val() == self.grid_y_size.q.val();
    self.last_z.d.next = self.after_z.q.val() == self.grid_z_size.q.val();
    if self.settle.q.val().any() {
        self.settle.d.next = self.settle.q.val() - 1;
    }
    self.taken_bit.next = self.k_no_slots.val();
    self.freed_bit.next = self.k_no_slots.val();
    if self.takes.val() {
        self.taken_bit.next = self.k_one_slot.val() << self.free.place.val();
        self.now_number.d.next = self.number.q.val();
        self.now_base.d.next = self.bases.read_data.val();
        self.number.d.next = self.number.q.val() + self.k_one.val();
        self.settle.d.next = 2.into();
        self.begun.d.next = true;
    }
    // The first one has all of them 0.
    if self.takes.val() & self.begun.q.val() {
        self.first.d.next = self.first.q.val() + self.wide_threads.val();
        self.first_warp.d.next = self.first_warp.q.val() + self.wide_blocks.val();
        self.x.d.next = self.after_x.q.val();
        if self.last_x.q.val() {
            self.x.d.next = self.k_zero.val();
            self.y.d.next = self.after_y.q.val();
            if self.last_y.q.val() {
                self.y.d.next = self.k_zero.val();
                self.z.d.next = self.after_z.q.val();
            }
        }
    }
    if self.launch.cta_done.val() {
        self.freed_bit.next =
            self.k_one_slot.val() << self.launch.cta_done_id.val().get_bits::<4>(0);
        self.ended.d.next = self.ended.q.val() + self.k_one.val();
        if self.launch.cta_done_failed.val() {
            self.failed.d.next = true;
        }
    }
    if self.running.q.val() & (self.step.q.val() == 9) {
        self.slots.d.next = (self.slots.q.val() & !self.taken_bit.val()) | self.freed_bit.val();
        if (self.killed.q.val() & !self.offers.val())
            | (self.is_last.val() & !self.settle.q.val().any())
        {
            self.more.d.next = false;
        }
    }

    // ---- The end: nothing of the launch is in flight any more.
    if self.running.q.val() & (self.step.q.val() == 9) {
        self.quiet.d.next = self.quiet.q.val() - 1;
        if self.more.q.val()
            | (self.ended.q.val() != self.number.q.val())
            | self.launch.active.val()
        {
            self.quiet.d.next = self.k_quiet_cycles.val();
        } else if !self.quiet.q.val().any() {
            self.running.d.next = false;
            self.is_done.d.next = true;
            self.step.d.next = 0.into();
        }
    }

    // ---- What a warp's launch has to do with it.
    self.starts.next = self.launch.op_valid.val()
        & self.launch.op_ready.val()
        & (self.launch.op_code.val() == self.k_code_launch.val());
    self.launch.start_valid.next = self.starts.val();
    self.launch.start_warp.next = self.launch.op_warp.val();
    self.launch.start_base.next = self.now_base.q.val();
    self.owners.write_enable.next = self.starts.val();
    self.owners.write_address.next = self.launch.op_warp.val();
    self.owners.write_data.next = self.now_number.q.val();
}

/// Faults; ports; reset.
pub struct Outcome;

#[part(Launcher<NW, WI, W, I, L, SCRATCH, RA>, Outcome)]
fn update(&mut self) {
    // ---- Faults: the first one since the clear. What the core finds by itself has no thread and no address.
    self.strange.next = self.launch.exception_valid.val()
        & self.launch.exception_cause.val().any()
        & ((self.launch.exception_cause.val() < 4) | (self.launch.exception_cause.val() == 15));
    self.own_fault.next = self.launch.fault_valid.val() | self.strange.val();
    self.owners.read_address.next = self.launch.fault_warp.val();
    self.fault_word.next = bit_cast::<32, 4>(self.launch.fault_cause.val())
        | (bit_cast::<32, 6>(self.launch.fault_thread.val()) << 8)
        | (bit_cast::<32, WI>(self.launch.fault_warp.val()) << 16);
    if !self.launch.fault_valid.val() {
        self.owners.read_address.next = self.launch.exception_warp.val();
        self.fault_word.next = bit_cast::<32, 4>(self.launch.exception_cause.val())
            | (bit_cast::<32, WI>(self.launch.exception_warp.val()) << 16);
    }
    if self.own_fault.val() & !self.f_valid.q.val() {
        self.f_valid.d.next = true;
        self.f_word.d.next = self.fault_word.val() | 0x8000_0000_u64;
        self.f_pc.d.next = bit_cast::<32, 22>(self.launch.exception_pc.val()) << 2;
        self.f_address.d.next = self.k_zero.val();
        self.f_cta.d.next = self.owners.read_data.val();
        if self.launch.fault_valid.val() {
            self.f_pc.d.next = bit_cast::<32, 22>(self.launch.fault_pc.val()) << 2;
            self.f_address.d.next = self.launch.fault_address.val();
        }
    }
    if self.clears.val() {
        self.f_valid.d.next = false;
        carry!(self.*.d <- self:
            f_word = k_zero, f_pc = k_zero, f_address = k_zero, f_cta = k_zero,
        );
        self.failed.d.next = false;
        if !self.running.q.val() & !self.launches.val() {
            self.is_done.d.next = false;
            self.refused.d.next = false;
        }
    }

    // ---- A kill.
    if self.kills.val() {
        self.killed.d.next = true;
        self.failed.d.next = true;
    }
    if self.launches.val() {
        self.killed.d.next = false;
    }
    self.launch.kill.next = self.running.q.val() & self.killed.q.val();

    // ---- Ports.
    self.busy.next = self.running.q.val();
    self.done.next = self.is_done.q.val();
    carry!(self.launch.cfg_* <- self.*.q: level_mix, policy, token_base = token_at);
    carry!(self.launch <- self.*.q: cfg_token_size = token_room, cfg_slots = resident_slots);
    self.launch.cfg_forced_yield.next = self.yields.q.val().get_bits::<16>(0);
    self.launch.cfg_yield_every.next = self.yields.q.val().get_bits::<16>(16);
    carry!(self.launch.cfg_* <- self.*.q: path, yield_random);
    self.launch.cfg_yield_threshold.next = self.randoms.q.val().get_bits::<16>(0);
    self.launch.cfg_yield_seed.next = self.randoms.q.val().get_bits::<16>(16);
    carry!(self.launch <- self.*.q: cfg_priority = priorities, cfg_miss_threshold = miss_threshold);
    carry!(self.launch.cfg_* <- self.*.q: mode_force, shared_from);
    self.launch.cfg_memory_base.next = 0x1000.into();
    carry!(self.launch <- self.*.q: cfg_memory_size = memory_end, cfg_local_base = local_at);
    self.launch.cfg_local_bytes.next = self.local_size.q.val();
    carry!(self.launch <- self.*.q: cfg_scratchpad_bytes = scratchpad, cta_number = now_number);
    carry!(self.launch.cta_* <- self.*.q: first, warp = first_warp, x, y, z);
    self.launch.cta_size.next = self.wide_threads.val();
    carry!(self.launch <- self.*.q:
        grid_x = grid_x_size, grid_y = grid_y_size, grid_z = grid_z_size, group_x = group_x_size,
        group_y = group_y_size, group_z = group_z_size, grid_threads = all_threads,
        arguments = argument,
    );
    self.launch.stack_top.next = self.k_local_window.val() + self.local_size.q.val();

    if self.reset.val() {
        self.aw_full.d.next = false;
        self.w_full.d.next = false;
        self.b_full.d.next = false;
        self.r_full.d.next = false;
        self.running.d.next = false;
        self.killed.d.next = false;
        self.stands.d.next = false;
        self.is_done.d.next = false;
        self.failed.d.next = false;
        self.refused.d.next = false;
        self.f_valid.d.next = false;
        self.f_word.d.next = self.k_zero.val();
        self.step.d.next = 0.into();
        self.known.d.next = 0.into();
        self.miss_threshold.d.next = self.k_usual_threshold.val();
        self.mode_force.d.next = 0.into();
        self.shared_from.d.next = self.k_all_registers.val();
        self.level.d.next = 0.into();
        self.level_mix.d.next = 0.into();
        self.policy.d.next = 0.into();
        self.path.d.next = 0.into();
        self.yield_random.d.next = false;
        self.bad_mode.d.next = false;
        self.priorities.d.next = 0.into();
        self.settle.d.next = 0.into();
        self.randoms.d.next = self.k_zero.val();
    }
}
