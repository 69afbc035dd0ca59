//! Of the champions that contend, the one that goes first.
//!
//! Spec: `docs/spec/scheduler.md`, SCHED-015 and 018.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `contends` | in | 4 | groups whose champion could go |
//! | `rank`, `not_rank` | in | 52 each | places of the champions, 13 bits per group, group 0 lowest; inverted |
//! | `wins` | out | 4 | one-hot, or 0 if none contends: the group with the largest rank, of equal ones the lowest |
//!
//! # Cycle behaviour
//! Combinational.
//!
//! Written in Verilog of its own: two ranks are compared by the carry of one addition. A comparison would invert one side before the carry chain, a gate more
//! behind the memories that the ranks come from. Above its rank stands whether a champion contends, so nothing but the carries is left to be looked at.
//!
//! # Errors
//! None.

use crate::hdl::*;

#[derive(LogicBlock, Clone, Debug, Default)]
pub struct Foremost {
    pub contends: Signal<In, Bits<4>>,
    pub rank: Signal<In, Bits<52>>,
    pub not_rank: Signal<In, Bits<52>>,
    pub wins: Signal<Out, Bits<4>>,
}

impl Logic for Foremost {
    fn update(&mut self) {
        let place = |all: Bits<52>, group: usize| all.get_bits::<13>(13 * group).to_u64();
        let (rank, not_rank) = (self.rank.val(), self.not_rank.val());
        let contends = self.contends.val();
        // `h` is of a higher group.
        let overtakes = |h: usize, g: usize| {
            let above = u64::from(contends.get_bit(h)) << 13 | place(rank, h);
            let below = u64::from(!contends.get_bit(g)) << 13 | place(not_rank, g);
            above + below > 0x3FFF
        };
        let wins = |&g: &usize| {
            contends.get_bit(g)
                && (0..g).all(|h| overtakes(g, h))
                && (g + 1..4).all(|h| !overtakes(h, g))
        };
        self.wins.next = (0..4).filter(wins).fold(0u64, |set, g| set | 1 << g).into();
    }
    fn connect(&mut self) {
        self.wins.connect();
    }
    fn hdl(&self) -> Verilog {
        Verilog::Custom(
            "\
// Bit 4 g + h, g < h: h overtakes g.
reg [15:0] overtakes;

always @(*) begin : compare
   integer g, h;
   reg [14:0] sum;
   overtakes = 16'd0;
   for (g = 0; g < 4; g = g + 1)
      for (h = g + 1; h < 4; h = h + 1) begin
         sum = {1'b0, contends[h], rank[13 * h +: 13]} + {1'b0, ~contends[g], not_rank[13 * g +: 13]};
         overtakes[4 * g + h] = sum[14];
      end
end

always @(*) begin : choose
   integer g, h;
   reg [3:0] behind;
   for (g = 0; g < 4; g = g + 1) begin
      behind[g] = contends[g];
      for (h = 0; h < g; h = h + 1) behind[h] = overtakes[4 * h + g];
      for (h = g + 1; h < 4; h = h + 1) behind[h] = ~overtakes[4 * g + h];
      wins[g] = &behind;
   end
end
"
            .into(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_rtl::Rng;

    /// Ranks of few values, so that they are often equal.
    fn drive(u: &mut Foremost, rng: &mut Rng) -> [u64; 4] {
        let ranks = from_fn(|_| [0, 1, 0x1FFF, 0x1000][rng.below(4) as usize] ^ rng.below(2));
        let all = |of: fn(u64) -> u64| {
            (0..4).fold(Bits::<52>::from(0u64), |all, g| {
                all | bit_cast::<52, 13>(of(ranks[g]).into()) << (13 * g) as u64
            })
        };
        u.contends.next = rng.bits();
        u.rank.next = all(|rank| rank);
        u.not_rank.next = all(|rank| !rank & 0x1FFF);
        ranks
    }

    #[test]
    fn verilog_agrees() {
        let drive = |u: &mut Foremost, rng: &mut Rng, _| {
            drive(u, rng);
        };
        weft_rtl::check_module("weft_foremost", Foremost::default, 3000, drive, None).unwrap();
    }

    #[test]
    fn the_largest_rank_wins_of_equal_ones_the_lowest_group() {
        let mut u = Foremost::default();
        let mut rng = Rng::new(1, "foremost");
        for _ in 0..3000 {
            let ranks = drive(&mut u, &mut rng);
            let contends = u.contends.next.to_u64();
            weft_rtl::settle(&mut u);
            let those = (0..4).filter(|g| contends >> g & 1 != 0);
            let best = those.max_by_key(|&g| (ranks[g], 4 - g));
            let wins = best.map_or(0, |g| 1u64 << g);
            assert_eq!(u.wins.val().to_u64(), wins, "{ranks:x?} {contends:b}");
        }
    }
}
