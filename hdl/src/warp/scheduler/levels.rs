//! Levels of the warps that touch the order: of the one that issues, and of the one that is launched.
//!
//! Spec: `docs/spec/scheduler.md`, SCHED-012.
//!
//! # Parameters
//! `WI` = log2 of the number of warps NW, 2 at least; `WH` = WI - 1; `LB` level bits.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset`, `clear` | in | 1, WH | synchronous, active high; takes all values while `reset` is 1 for NW / 2 cycles |
//! | `level_valid`, `level_warp`, `level_value` | in | 1, WI, LB | level write |
//! | `aim_warp` | in | WI | the warp that may issue in the next cycle |
//! | `issue_level`, `above_issue` | out | LB, LB | level of the former cycle's `aim_warp`, before this cycle's level write; 1 more, 0 for the highest; from registers |
//! | `launch_warp` / `launch_level` | in / out | WI / LB | level of the former cycle's `launch_warp`, before this cycle's level write; from a register |
//!
//! # Cycle behaviour
//! The picker compares the levels of all warps and keeps them in registers;
//! here they lie again, in memories, so that those of two warps are looked up
//! rather than selected from all.
//!
//! # Errors
//! None at run time. `Default` panics when the parameters do not fit.

use crate::hdl::*;
use crate::prim::LutRam;

#[module(requires(WI == WH + 1, WH >= 1))]
pub struct Levels<const WI: usize, const WH: usize, const LB: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub clear: Signal<In, Bits<WH>>,
    pub level_valid: Signal<In, Bit>,
    pub level_warp: Signal<In, Bits<WI>>,
    pub level_value: Signal<In, Bits<LB>>,
    pub aim_warp: Signal<In, Bits<WI>>,
    pub issue_level: Signal<Out, Bits<LB>>,
    pub above_issue: Signal<Out, Bits<LB>>,
    pub launch_warp: Signal<In, Bits<WI>>,
    pub launch_level: Signal<Out, Bits<LB>>,
    // State: of even and odd warps, for the aim and for launches.
    aimed0: LutRam<Bits<LB>, WH>,
    aimed1: LutRam<Bits<LB>, WH>,
    // State: one more than these.
    above0: LutRam<Bits<LB>, WH>,
    above1: LutRam<Bits<LB>, WH>,
    launched0: LutRam<Bits<LB>, WH>,
    launched1: LutRam<Bits<LB>, WH>,
    // State: level of the warp that may issue, and 1 more; of the one that was launched.
    issues: DFF<Bits<LB>>,
    higher: DFF<Bits<LB>>,
    launches: DFF<Bits<LB>>,
    // Combinational.
    issued: Signal<Local, Bits<LB>>,
    above_issued: Signal<Local, Bits<LB>>,
    level_above: Signal<Local, Bits<LB>>,
    store_above: Signal<Local, Bits<LB>>,
    writes0: Signal<Local, Bit>,
    writes1: Signal<Local, Bit>,
    write_at: Signal<Local, Bits<WH>>,
    store: Signal<Local, Bits<LB>>,
    aim_at: Signal<Local, Bits<WH>>,
    launch_at: Signal<Local, Bits<WH>>,
    // Constants.
    #[value(0.into())]
    no_level: Constant<Bits<LB>>,
    #[value(1.into())]
    one: Constant<Bits<LB>>,
}

#[part(Levels<WI, WH, LB>)]
fn update(&mut self) {
    // Write, or clear.
    self.writes0.next =
        (self.level_valid.val() & !self.level_warp.val().get_bit(0)) | self.reset.val();
    self.writes1.next =
        (self.level_valid.val() & self.level_warp.val().get_bit(0)) | self.reset.val();
    self.write_at.next = self.level_warp.val().get_bits::<WH>(1);
    self.store.next = self.level_value.val();
    self.level_above.next = self.level_value.val() + self.one.val();
    self.store_above.next = self.level_above.val();
    if self.reset.val() {
        self.write_at.next = self.clear.val();
        self.store.next = self.no_level.val();
        self.store_above.next = self.one.val();
    }
    carry!(self.above0 <- self: write_enable = writes0, write_address = write_at);
    self.above0.write_data.next = self.store_above.val();
    carry!(self.above1 <- self: write_enable = writes1, write_address = write_at);
    self.above1.write_data.next = self.store_above.val();
    carry!(self.aimed0 <- self: write_enable = writes0, write_address = write_at);
    self.aimed0.write_data.next = self.store.val();
    carry!(self.aimed1 <- self: write_enable = writes1, write_address = write_at);
    self.aimed1.write_data.next = self.store.val();
    carry!(self.launched0 <- self: write_enable = writes0, write_address = write_at);
    self.launched0.write_data.next = self.store.val();
    carry!(self.launched1 <- self: write_enable = writes1, write_address = write_at);
    self.launched1.write_data.next = self.store.val();
    // Aim: what is written in this cycle counts at the issue.
    self.aim_at.next = self.aim_warp.val().get_bits::<WH>(1);
    spread!(self.*.read_address <- self.aim_at: aimed0, aimed1, above0, above1);
    self.issued.next = self.aimed0.read_data.val();
    self.above_issued.next = self.above0.read_data.val();
    if self.aim_warp.val().get_bit(0) {
        self.issued.next = self.aimed1.read_data.val();
        self.above_issued.next = self.above1.read_data.val();
    }
    if self.level_valid.val() & (self.level_warp.val() == self.aim_warp.val()) {
        self.issued.next = self.level_value.val();
        self.above_issued.next = self.level_above.val();
    }
    self.issues.d.next = self.issued.val();
    self.higher.d.next = self.above_issued.val();
    self.issue_level.next = self.issues.q.val();
    self.above_issue.next = self.higher.q.val();
    // Launch.
    self.launch_at.next = self.launch_warp.val().get_bits::<WH>(1);
    spread!(self.*.read_address <- self.launch_at: launched0, launched1);
    self.launches.d.next = self.launched0.read_data.val();
    if self.launch_warp.val().get_bit(0) {
        self.launches.d.next = self.launched1.read_data.val();
    }
    if self.level_valid.val() & (self.level_warp.val() == self.launch_warp.val()) {
        self.launches.d.next = self.level_value.val();
    }
    self.launch_level.next = self.launches.q.val();
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_rtl::{Bench, Rng};

    type Small = Levels<3, 2, 2>;

    /// A reset of 4 cycles, later ones too; in it nothing is asked.
    fn drive(u: &mut Small, rng: &mut Rng, t: usize) {
        u.reset.next = t % 500 < 4;
        u.clear.next = (t as u64 % 4).into();
        u.level_valid.next = t % 500 >= 4 && rng.chance(1, 2);
        u.level_warp.next = rng.bits();
        u.level_value.next = rng.bits();
        u.aim_warp.next = rng.bits();
        u.launch_warp.next = rng.bits();
    }

    #[test]
    fn verilog_agrees() {
        crate::stimulus::check_with_memories(
            "weft_levels",
            Small::default,
            2000,
            drive,
            |u, level| u.clock.next = level.into(),
        );
    }

    #[test]
    fn levels_are_those_written_last() {
        let mut b = Bench::new(Small::default(), |u, level| u.clock.next = level.into());
        let mut rng = Rng::new(1, "levels");
        let mut level = [0u64; 8];
        let (mut aimed, mut launched, mut at_once) = (0, 0, 0);
        for t in 0..3000usize {
            drive(&mut b.uut, &mut rng, t);
            b.settle();
            let u = &b.uut;
            if t % 500 > 4 {
                assert_eq!(u.issue_level.val().to_u64(), level[aimed], "cycle {t}");
                let above = (level[aimed] + 1) % 4;
                assert_eq!(u.above_issue.val().to_u64(), above, "cycle {t}");
                assert_eq!(u.launch_level.val().to_u64(), level[launched], "cycle {t}");
            }
            aimed = u.aim_warp.val().index();
            launched = u.launch_warp.val().index();
            if u.reset.val() {
                level = [0; 8];
            } else if u.level_valid.val() {
                let written = u.level_warp.val().index();
                at_once += u32::from(written == aimed);
                level[written] = u.level_value.val().to_u64();
            }
            b.edge();
        }
        assert!(at_once > 100, "thin run: {at_once}");
    }
}
