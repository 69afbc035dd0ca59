//! Levels of the warps, read by groups: what a touch compares with.
//!
//! Spec: `docs/spec/scheduler.md`, SCHED-012.
//!
//! # Parameters
//! `S` warps of a group, four groups; `LB` level bits, 4 at most.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `group` | in | 2 | the group that is read |
//! | `bit3` .. `bit0` | out | S each | bits of its warps' levels, bit i of each of warp i; in the same cycle |
//! | `write`, `write_group`, `write_level` | in | S, 2, LB | these warps of this group get this level |
//!
//! # Cycle behaviour
//! What is written is read from the next cycle on. Contents are undefined at power-up.
//!
//! Written in Verilog of its own: a memory for each number in a group, a word per group.
//!
//! # Errors
//! None.

use crate::hdl::*;

#[derive(LogicBlock, Clone, Debug)]
pub struct GroupLevels<const S: usize, const LB: usize> {
    pub clock: Signal<In, Clock>,
    pub group: Signal<In, Bits<2>>,
    pub bit3: Signal<Out, Bits<S>>,
    pub bit2: Signal<Out, Bits<S>>,
    pub bit1: Signal<Out, Bits<S>>,
    pub bit0: Signal<Out, Bits<S>>,
    pub write: Signal<In, Bits<S>>,
    pub write_group: Signal<In, Bits<2>>,
    pub write_level: Signal<In, Bits<LB>>,
    _levels: Vec<[u64; 4]>,
}

impl<const S: usize, const LB: usize> Default for GroupLevels<S, LB> {
    fn default() -> Self {
        assert!((1..=4).contains(&LB), "GroupLevels<{S}, {LB}>");
        Self {
            clock: Default::default(),
            group: Default::default(),
            bit3: Default::default(),
            bit2: Default::default(),
            bit1: Default::default(),
            bit0: Default::default(),
            write: Default::default(),
            write_group: Default::default(),
            write_level: Default::default(),
            _levels: vec![[0; 4]; S],
        }
    }
}

impl<const S: usize, const LB: usize> Logic for GroupLevels<S, LB> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            for i in 0..S {
                if self.write.val().get_bit(i) {
                    self._levels[i][self.write_group.val().index()] =
                        self.write_level.val().to_u64();
                }
            }
        }
        let group = self.group.val().index();
        let bit = |b: u32| -> Bits<S> {
            (0..S)
                .fold(0, |all, i| all | (self._levels[i][group] >> b & 1) << i)
                .into()
        };
        let bits = [bit(0), bit(1), bit(2), bit(3)];
        self.bit0.next = bits[0];
        self.bit1.next = bits[1];
        self.bit2.next = bits[2];
        self.bit3.next = bits[3];
    }
    fn connect(&mut self) {
        self.bit3.connect();
        self.bit2.connect();
        self.bit1.connect();
        self.bit0.connect();
    }
    fn hdl(&self) -> Verilog {
        let mut text = String::new();
        for i in 0..S {
            text += &format!(
                "\
reg [{top}:0] level{i} [0:3];
wire [3:0] read{i} = {{{zeros}level{i}[group]}};

always @(posedge clock) if (write[{i}]) level{i}[write_group] <= write_level;

",
                top = LB - 1,
                zeros = if LB < 4 {
                    format!("{}'d0, ", 4 - LB)
                } else {
                    String::new()
                },
            );
        }
        text += "always @(*) begin\n";
        for b in 0..4 {
            let bits: Vec<_> = (0..S).rev().map(|i| format!("read{i}[{b}]")).collect();
            text += &format!("   bit{b} = {{{}}};\n", bits.join(", "));
        }
        text += "end\n";
        Verilog::Custom(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_agrees() {
        crate::stimulus::check_with_memories(
            "weft_group_levels",
            GroupLevels::<8, 3>::default,
            1000,
            |u, rng, t| {
                // All are written before they are read.
                u.write_group.next = if t < 4 { (t as u64).into() } else { rng.bits() };
                u.write.next = if t < 4 { 255u64.into() } else { rng.bits() };
                u.write_level.next = rng.bits();
                u.group.next = if t < 5 {
                    (t.max(1) as u64 - 1).into()
                } else {
                    rng.bits()
                };
            },
            |u, level| u.clock.next = level.into(),
        );
    }
}
