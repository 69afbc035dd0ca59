//! Round robin: grants the lowest bit above the one granted last, or else the lowest of all.
//!
//! # Parameters
//! `N`: bits, 4, 8 or 16; `I` = log2 N.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high: bit 0 is the next one |
//! | `among` | in | N | late |
//! | `taken` | out | N | one-hot: of those `among`, the first in the cyclic sequence after the last one; 0 if there are none. |
//! | `any`, `place` | out | 1, I | there is one in `taken`; its number; undefined if there is none |
//! | `marks` | in | N | |
//! | `marked` | out | 4 | some bit is 1: `taken` is one of the `marks`. (The rest of the way is left to whoever takes it.) |
//!
//! # Cycle behaviour
//! At the edge the one that is chosen becomes the last one, if there is any.
//!
//! In groups of four: which group it is, and which one of each group it would be, are found side by side.
//! The last one's group comes first with what is above the last one in it, and last with the rest.
//!
//! Written in Verilog of its own.
//!
//! # Errors
//! None at run time. `Default` panics when the parameters do not fit.

use crate::hdl::*;

#[cell(requires((4..=16).contains(&N), N == 1 << I))]
#[derive(Clone, Debug)]
pub struct Rota<const N: usize, const I: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub among: Signal<In, Bits<N>>,
    pub taken: Signal<Out, Bits<N>>,
    pub any: Signal<Out, Bit>,
    pub place: Signal<Out, Bits<I>>,
    pub marks: Signal<In, Bits<N>>,
    pub marked: Signal<Out, Bits<4>>,
    // The last one.
    #[init(N - 1)]
    _last: usize,
}

impl<const N: usize, const I: usize> Rota<N, I> {
    fn next(&self) -> Option<usize> {
        let among = self.among.val().to_u64();
        let mut sequence = (1..=N).map(|n| (self._last + n) % N);
        sequence.find(|&i| among >> i & 1 == 1)
    }
}

/// The or of some bits: a tree, and not a chain.
fn or(bits: &[String]) -> String {
    match bits {
        [] => "1'b0".into(),
        _ => format!("(|{{{}}})", bits.join(", ")),
    }
}

/// It finds which group of four it is, `group`, and which one of each group it would be, `lowest`.
fn sequence(n: usize) -> String {
    let groups = n / 4;
    let (last, top) = (groups - 1, n - 1);
    let mut text = format!(
        "\
// The last one: its group, the groups above it, and which of 1 to 3 are above it in a group.
reg [{last}:0] here;
reg [{last}:0] higher;
reg [3:1] later;
wire [{last}:0] some;
wire [{last}:0] rest;
wire [{last}:0] ahead = some & higher;
wire [{last}:0] first_ahead;
wire [{last}:0] first_some;
wire [{last}:0] group;
wire [{last}:0] group_above;
wire [3:1] next_later;
// Nobody comes behind the highest bit of a group.
// verilator lint_off UNUSEDSIGNAL
wire [{top}:0] since;
// verilator lint_on UNUSEDSIGNAL
// In a group that is chosen there is one: if it is none of the first three, it is the last.
wire [{top}:0] lowest;

"
    );
    for g in 0..groups {
        let at = 4 * g;
        let f = |i: usize| format!("since[{}]", at + i);
        let below =
            |signal: &str| or(&(0..g).map(|h| format!("{signal}[{h}]")).collect::<Vec<_>>());
        text += &format!(
            "\
assign some[{g}] = |among[{three}:{at}];
assign rest[{g}] = here[{g}] & (|(among[{three}:{one}] & later));
assign since[{three}:{at}] = among[{three}:{at}] & ({{later, 1'b0}} | {{4{{~rest[{g}]}}}});
assign lowest[{at}] = {f0};
assign lowest[{one}] = {f1} & ~{f0};
assign lowest[{two}] = {f2} & ~({f1} | {f0});
assign lowest[{three}] = ~({f2} | {f1} | {f0});
assign first_ahead[{g}] = ahead[{g}] & ~{ahead_below};
assign first_some[{g}] = some[{g}] & ~{some_below};
assign group[{g}] = (here[{g}] & (|rest)) | (~(|rest) & (first_ahead[{g}] | (first_some[{g}] & ~(|ahead))));
assign group_above[{g}] = {group_below};
",
            one = at + 1,
            two = at + 2,
            three = at + 3,
            f0 = f(0),
            f1 = f(1),
            f2 = f(2),
            ahead_below = below("ahead"),
            some_below = below("some"),
            group_below = below("group"),
        );
    }
    // Of four bits one is lowest, even if there is none.
    for i in 1..4 {
        let lower = |at: usize| {
            let lower: Vec<_> = (0..i).map(|k| format!("since[{}]", at + k)).collect();
            lower.join(" | ")
        };
        let lower = or(&in_groups(n, &lower));
        text += &format!("assign next_later[{i}] = {lower};\n");
    }
    text + &format!(
        "
initial here = {groups}'d0;
initial higher = {groups}'d0;
initial later = 3'd0;

always @(posedge clock)
   if (reset) begin
      here <= {groups}'d0;
      higher <= {groups}'d0;
      later <= 3'd0;
   end else if (|group) begin
      here <= group;
      higher <= group_above;
      later <= next_later;
   end

"
    )
}

/// Of each group whether it is taken and some of its bits are 1.
fn in_groups(n: usize, bits: &dyn Fn(usize) -> String) -> Vec<String> {
    let of_group = |g| format!("(group[{g}] & ({}))", bits(4 * g));
    (0..n / 4).map(of_group).collect()
}

impl<const N: usize, const I: usize> Logic for Rota<N, I> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            if let Some(one) = self.next() {
                self._last = one;
            }
            if self.reset.val() {
                self._last = N - 1;
            }
        }
        let taken = self.next();
        // One bit per group.
        let marked = taken.filter(|&i| self.marks.val().to_u64() >> i & 1 == 1);
        self.taken.next = taken.map_or(0, |i| 1u64 << i).into();
        self.any.next = taken.is_some();
        self.place.next = (taken.unwrap_or(2) as u64).into();
        self.marked.next = marked.map_or(0u64, |i| 1 << (i / 4)).into();
    }
    fn connect(&mut self) {
        self.taken.connect();
        self.any.connect();
        self.place.connect();
        self.marked.connect();
    }
    fn hdl(&self) -> Verilog {
        let mut text = sequence(N);
        text += "\nalways @(*) begin\n";
        for i in 0..N {
            text += &format!("   taken[{i}] = lowest[{i}] & group[{}];\n", i / 4);
        }
        text += "   any = (|group);\n";
        // Bits 0 and 1 of the number are those of the one, the others those of the group.
        let odd = |at| format!("lowest[{}] | lowest[{}]", at + 1, at + 3);
        let mut number = vec![or(&in_groups(N, &odd)), "~next_later[2]".into()];
        for b in 0..N.ilog2() - 2 {
            let groups = (0..N / 4).filter(|g| g >> b & 1 == 1);
            let groups: Vec<_> = groups.map(|g| format!("group[{g}]")).collect();
            number.push(or(&groups));
        }
        for (b, bit) in number.iter().enumerate() {
            text += &format!("   place[{b}] = {bit};\n");
        }
        let marks = |at: usize| {
            let ones = (at..at + 4).map(|i| format!("(lowest[{i}] & marks[{i}])"));
            ones.collect::<Vec<_>>().join(" | ")
        };
        let marked = in_groups(N, &marks);
        for b in 0..4 {
            let bit = marked.get(b).map_or("1'b0", String::as_str);
            text += &format!("   marked[{b}] = {bit};\n");
        }
        text += "end\n";
        Verilog::Custom(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_rtl::Rng;

    fn check<const N: usize, const I: usize>(cycles: usize) {
        weft_rtl::check_module(
            "rota",
            Rota::<N, I>::default,
            cycles,
            |u, rng: &mut Rng, t| {
                // Many, few or none.
                let density = rng.below(4);
                u.among.next = (0..density).fold(rng.bits(), |among, _| among & rng.bits());
                u.marks.next = rng.bits();
                u.reset.next = t == 0 || rng.chance(1, 100);
            },
            Some(|u, level| u.clock.next = level.into()),
        )
        .unwrap();
    }

    #[test]
    fn verilog_agrees() {
        check::<4, 2>(1000);
        check::<8, 3>(2000);
        check::<16, 4>(3000);
    }

    #[test]
    fn each_has_its_turn() {
        let mut b = weft_rtl::Bench::new(Rota::<16, 4>::default(), |u, level| {
            u.clock.next = level.into()
        });
        b.uut.among.next = 0b1000_0000_0110_0001u64.into();
        b.uut.marks.next = 0x8000u64.into();
        for want in [0, 5, 6, 15, 0, 5] {
            b.settle();
            assert_eq!(b.uut.place.val().index(), want);
            assert_eq!(b.uut.taken.val().to_u64(), 1 << want);
            assert_eq!(b.uut.marked.val().any(), want == 15);
            b.edge();
        }
        b.uut.among.next = 0u64.into();
        b.settle();
        assert!(!b.uut.any.val());
        assert_eq!(b.uut.taken.val().to_u64(), 0);
        b.edge();
        // Nobody had a turn.
        b.uut.among.next = 0xFFFFu64.into();
        b.settle();
        assert_eq!(b.uut.place.val().index(), 6);
    }
}
