//! CSRs: what a thread reads, as a word for all lanes and what a lane adds to it;
//! the table of each warp's place in the grid.
//!
//! Spec: `docs/spec/isa.md`, *CSRs*; `docs/spec/datapath.md`, DATA-050 to DATA-053.
//!
//! # Parameters
//! `NW` warps, `WI` = log2 NW, `WA` = WI + 4, `W` threads per warp.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high; the cycle counter becomes 0 |
//! | `launch_valid`, `launch_warp`, `launch_block` | in | 1, WI, WI | a warp is launched as this block of the CTA at `cta_*` |
//! | `cta_number`, `cta_first`, `cta_warp`, `cta_x`, `cta_y`, `cta_z` | in | 32, 32, 32, 16, 16, 16 | the CTA that is being launched: its number, the grid's number of its thread 0 and of its first warp, its place |
//! | `grid_x` … `grid_z`, `group_x` … `group_z`, `cta_threads`, `grid_threads` | in | 16 each, 32, 32 | shape of the grid in CTAs, of a CTA in threads; threads of a CTA, of the grid |
//! | `number`, `warp`, `active`, `counter` | in | 12, WI, W, 32 | which CSR, for which warp; its active mask; value of the scheduler's counter |
//! | `has_float` | in | 1 | `fflags`, `frm`, `fcsr` exist (ISA-041); a constant |
//! | `value`, `adds_lane`, `is_level`, `float_csr`, `exists` | out | 32, 1, 1, 2, 1 | word; the thread's number in the warp is added; it is `wlevel`; 1 `fflags`, 2 `frm`, 3 `fcsr`, 0 none of them; there is such a CSR |
//! | `first`, `launch_first` | out | 32 | the grid's number of lane 0 of the warp, of the launched one |
//! | `select_number`, `select_warp` | in | 12, WI | CSR of the instruction that comes next |
//! | `is_counter`, `counter_select` | out | 1, WA | it is a counter of the scheduler, and which |
//!
//! # Cycle behaviour
//! Combinational, but for the table and the cycle counter.
//!
//! # Errors
//! `exists` = 0.

use crate::hdl::*;
use crate::prim::LutRam;

#[module(requires(NW == 1 << WI, WA == WI + 4, W.is_power_of_two()))]
pub struct Csr<const NW: usize, const WI: usize, const WA: usize, const W: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub launch_valid: Signal<In, Bit>,
    pub launch_warp: Signal<In, Bits<WI>>,
    pub launch_block: Signal<In, Bits<WI>>,
    pub cta_number: Signal<In, Bits<32>>,
    pub cta_first: Signal<In, Bits<32>>,
    pub cta_warp: Signal<In, Bits<32>>,
    pub cta_threads: Signal<In, Bits<32>>,
    pub cta_x: Signal<In, Bits<32>>,
    pub cta_y: Signal<In, Bits<32>>,
    pub cta_z: Signal<In, Bits<32>>,
    pub grid_x: Signal<In, Bits<32>>,
    pub grid_y: Signal<In, Bits<32>>,
    pub grid_z: Signal<In, Bits<32>>,
    pub group_x: Signal<In, Bits<32>>,
    pub group_y: Signal<In, Bits<32>>,
    pub group_z: Signal<In, Bits<32>>,
    pub grid_threads: Signal<In, Bits<32>>,
    pub number: Signal<In, Bits<12>>,
    pub warp: Signal<In, Bits<WI>>,
    pub active: Signal<In, Bits<W>>,
    pub counter: Signal<In, Bits<32>>,
    pub has_float: Signal<In, Bit>,
    pub value: Signal<Out, Bits<32>>,
    pub adds_lane: Signal<Out, Bit>,
    pub is_level: Signal<Out, Bit>,
    pub float_csr: Signal<Out, Bits<2>>,
    pub exists: Signal<Out, Bit>,
    pub first: Signal<Out, Bits<32>>,
    pub launch_first: Signal<Out, Bits<32>>,
    pub select_number: Signal<In, Bits<12>>,
    pub select_warp: Signal<In, Bits<WI>>,
    pub is_counter: Signal<Out, Bit>,
    pub counter_select: Signal<Out, Bits<WA>>,
    // By warp.
    firsts: LutRam<Bits<32>, WI>,
    ctas: LutRam<Bits<32>, WI>,
    warps: LutRam<Bits<32>, WI>,
    xs: LutRam<Bits<32>, WI>,
    ys: LutRam<Bits<32>, WI>,
    zs: LutRam<Bits<32>, WI>,
    blocks: LutRam<Bits<WI>, WI>,
    cycles: DFF<Bits<32>>,
    cycles_high: DFF<Bits<32>>,
    // Combinational.
    block_threads: Signal<Local, Bits<32>>,
    wide_block: Signal<Local, Bits<32>>,
    low_active: Signal<Local, Bits<32>>,
    high_active: Signal<Local, Bits<32>>,
    low: Signal<Local, Bits<8>>,
    is_timer: Signal<Local, Bit>,
    is_own: Signal<Local, Bit>,
    is_scheduler: Signal<Local, Bit>,
    index: Signal<Local, Bits<4>>,
    whose: Signal<Local, Bits<WI>>,
    #[value(u64::from(W.trailing_zeros()).into())]
    lane_bits: Constant<Bits<6>>,
    #[value(1.into())]
    one: Constant<Bits<32>>,
    #[value(0.into())]
    zero: Constant<Bits<32>>,
    #[value((W as u64).into())]
    width: Constant<Bits<32>>,
    #[value(0xcd.into())]
    counters: Constant<Bits<8>>,
    #[value(0xce.into())]
    scheduler_counters: Constant<Bits<8>>,
    #[value(4.into())]
    index_bits: Constant<Bits<3>>,
    #[value(8.into())]
    index_instret: Constant<Bits<4>>,
    #[value(9.into())]
    index_low: Constant<Bits<4>>,
    #[value(10.into())]
    index_high: Constant<Bits<4>>,
}

#[part(Csr<NW, WI, WA, W>)]
fn update(&mut self) {
    // ---- Table.
    self.wide_block.next = bit_cast::<32, WI>(self.launch_block.val());
    self.block_threads.next = self.wide_block.val() << self.lane_bits.val();
    spread!(self.*.write_enable <- self.launch_valid: firsts, ctas, warps, xs, ys, zs, blocks);
    spread!(self.*.write_address <- self.launch_warp: firsts, ctas, warps, xs, ys, zs, blocks);
    self.launch_first.next = self.cta_first.val() + self.block_threads.val();
    self.firsts.write_data.next = self.launch_first.val();
    self.ctas.write_data.next = self.cta_number.val();
    self.warps.write_data.next = self.cta_warp.val() + self.wide_block.val();
    self.xs.write_data.next = self.cta_x.val();
    self.ys.write_data.next = self.cta_y.val();
    self.zs.write_data.next = self.cta_z.val();
    self.blocks.write_data.next = self.launch_block.val();
    spread!(self.*.read_address <- self.warp: firsts, ctas, warps, xs, ys, zs, blocks);
    self.first.next = self.firsts.read_data.val();

    // ---- Cycles.
    // ISA-013.
    self.cycles.d.next = self.cycles.q.val() + self.one.val();
    if self.cycles.q.val().all() {
        self.cycles_high.d.next = self.cycles_high.q.val() + self.one.val();
    }

    // ---- Values.
    self.low_active.next = bit_cast::<32, W>(self.active.val());
    self.high_active.next = self.zero.val();
    for _h in 0..(W / 64) {
        self.low_active.next = self.active.val().get_bits::<32>(0);
        self.high_active.next = self.active.val().get_bits::<32>(32);
    }
    self.value.next = self.zero.val();
    self.adds_lane.next = false;
    self.is_level.next = false;
    self.exists.next = false;
    self.float_csr.next = 0.into();
    if self.has_float.val() & (self.number.val() < 4) & self.number.val().any() {
        self.exists.next = true;
        self.float_csr.next = self.number.val().get_bits::<2>(0);
    }
    if self.number.val() == 0x800 {
        self.exists.next = true;
        self.is_level.next = true;
    }
    if self.number.val() == 0xC00 {
        self.exists.next = true;
        self.value.next = self.cycles.q.val();
    }
    if self.number.val() == 0xC01 {
        self.exists.next = true;
        self.value.next = self.cycles.q.val();
    }
    if self.number.val() == 0xC02 {
        self.exists.next = true;
        self.value.next = self.counter.val();
    }
    if self.number.val() == 0xC80 {
        self.exists.next = true;
        self.value.next = self.cycles_high.q.val();
    }
    if self.number.val() == 0xC81 {
        self.exists.next = true;
        self.value.next = self.cycles_high.q.val();
    }
    if self.number.val() == 0xC82 {
        self.exists.next = true;
    }
    if self.number.val() == 0xCC0 {
        self.exists.next = true;
        self.value.next = self.firsts.read_data.val();
        self.adds_lane.next = true;
    }
    if self.number.val() == 0xF14 {
        self.exists.next = true;
        self.value.next = self.firsts.read_data.val();
        self.adds_lane.next = true;
    }
    if self.number.val() == 0xCC1 {
        self.exists.next = true;
        self.adds_lane.next = true;
    }
    if self.number.val() == 0xCC2 {
        self.exists.next = true;
        self.value.next = self.warps.read_data.val();
    }
    if self.number.val() == 0xCC3 {
        self.exists.next = true;
        self.value.next = self.ctas.read_data.val();
    }
    if self.number.val() == 0xCC4 {
        self.exists.next = true;
        self.value.next = self.grid_threads.val();
    }
    if self.number.val() == 0xCC5 {
        self.exists.next = true;
        self.value.next = self.low_active.val();
    }
    if self.number.val() == 0xCC6 {
        self.exists.next = true;
        self.value.next = self.high_active.val();
    }
    if self.number.val() == 0xCC7 {
        self.exists.next = true;
        self.value.next = self.width.val();
    }
    if self.number.val() == 0xCC8 {
        self.exists.next = true;
        self.value.next = bit_cast::<32, WI>(self.blocks.read_data.val()) << self.lane_bits.val();
        self.adds_lane.next = true;
    }
    if self.number.val() == 0xCC9 {
        self.exists.next = true;
        self.value.next = bit_cast::<32, WI>(self.blocks.read_data.val());
    }
    if self.number.val() == 0xCCA {
        self.exists.next = true;
        self.value.next = self.cta_threads.val();
    }
    if self.number.val() == 0xCF0 {
        self.exists.next = true;
        self.value.next = self.xs.read_data.val();
    }
    if self.number.val() == 0xCF1 {
        self.exists.next = true;
        self.value.next = self.ys.read_data.val();
    }
    if self.number.val() == 0xCF2 {
        self.exists.next = true;
        self.value.next = self.zs.read_data.val();
    }
    if self.number.val() == 0xCF4 {
        self.exists.next = true;
        self.value.next = self.grid_x.val();
    }
    if self.number.val() == 0xCF5 {
        self.exists.next = true;
        self.value.next = self.grid_y.val();
    }
    if self.number.val() == 0xCF6 {
        self.exists.next = true;
        self.value.next = self.grid_z.val();
    }
    if self.number.val() == 0xCF8 {
        self.exists.next = true;
        self.value.next = self.group_x.val();
    }
    if self.number.val() == 0xCF9 {
        self.exists.next = true;
        self.value.next = self.group_y.val();
    }
    if self.number.val() == 0xCFA {
        self.exists.next = true;
        self.value.next = self.group_z.val();
    }
    if (self.number.val().get_bits::<8>(4) == 0xCD) | (self.number.val().get_bits::<8>(4) == 0xCE) {
        self.value.next = self.counter.val();
    }
    if (self.number.val().get_bits::<8>(4) == 0xCD)
        & (self.number.val().get_bits::<4>(0) < 9)
        & (self.number.val().get_bits::<4>(0) != 6)
    {
        self.exists.next = true;
    }
    if (self.number.val().get_bits::<8>(4) == 0xCE) & (self.number.val().get_bits::<4>(0) < 7) {
        self.exists.next = true;
    }

    // ---- Counters of the scheduler: reasons 0 to 3 and 4 to 7 of all warps stand behind warps 0 to 3.
    self.low.next = self.select_number.val().get_bits::<8>(4);
    self.is_timer.next = self.select_number.val() == 0xC02;
    self.is_own.next = self.low.val() == self.counters.val();
    self.is_scheduler.next = self.low.val() == self.scheduler_counters.val();
    self.is_counter.next = self.is_timer.val() | self.is_own.val() | self.is_scheduler.val();
    self.index.next = self.select_number.val().get_bits::<4>(0);
    self.whose.next = self.select_warp.val();
    if self.is_timer.val() {
        self.index.next = self.index_instret.val();
    }
    if self.is_scheduler.val() {
        self.whose.next = bit_cast::<WI, 2>(self.select_number.val().get_bits::<2>(0));
        self.index.next = self.index_low.val();
        if self.select_number.val().get_bit(2) {
            self.index.next = self.index_high.val();
        }
    }
    self.counter_select.next = (bit_cast::<WA, WI>(self.whose.val()) << self.index_bits.val())
        | bit_cast::<WA, 4>(self.index.val());

    if self.reset.val() {
        spread!(self.*.d <- self.zero: cycles, cycles_high);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        const NUMBERS: [u64; 20] = [
            0, 1, 2, 3, 0x800, 0xc00, 0xc02, 0xc80, 0xcc0, 0xcc1, 0xcc2, 0xcc3, 0xcc8, 0xcc9,
            0xcd0, 0xcd6, 0xce4, 0xcf1, 0xcf8, 0xf14,
        ];
        crate::stimulus::check_with_memories(
            "csr",
            Csr::<4, 2, 6, 4>::default,
            2000,
            |u, rng, t| {
                u.reset.next = t < 2;
                u.launch_valid.next = rng.flip();
                u.launch_warp.next = rng.bits();
                u.launch_block.next = rng.bits();
                for port in [
                    &mut u.cta_number,
                    &mut u.cta_first,
                    &mut u.cta_warp,
                    &mut u.cta_threads,
                    &mut u.cta_x,
                    &mut u.cta_y,
                    &mut u.cta_z,
                    &mut u.grid_x,
                    &mut u.grid_y,
                    &mut u.grid_z,
                    &mut u.group_x,
                    &mut u.group_y,
                    &mut u.group_z,
                    &mut u.grid_threads,
                    &mut u.counter,
                ] {
                    port.next = rng.bits();
                }
                let mut number = || match rng.chance(7, 8) {
                    true => NUMBERS[rng.below(20) as usize],
                    false => rng.below(1 << 12),
                };
                u.number.next = number().into();
                u.select_number.next = number().into();
                u.warp.next = rng.bits();
                u.select_warp.next = rng.bits();
                u.active.next = rng.bits();
                u.has_float.next = rng.flip();
            },
            |u, level| u.clock.next = level.into(),
        );
    }
}
