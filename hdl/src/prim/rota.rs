//! The next one in turn, and who had the last turn: the lowest bit above the last one, or else the lowest of all.
//!
//! # Parameters
//! `N`: bits, a power of two from 4 to 64; `I` = log2 N.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high: bit 0 is the next one |
//! | `among` | in | N | late |
//! | `first` | out | N | one-hot: of those `among`, the first in the cyclic sequence after the last one; 0 if there are none |
//! | `taken` | out | N | `first`, or from 32 bits on `first` of the cycle before |
//! | `gone` | out | N | 0, or from 32 bits on `taken` |
//! | `any`, `place` | out | 1, I | there is one in `taken`; its number; undefined if there is none |
//! | `marks` | in | N | |
//! | `marked` | out | 4 | some bit is 1: `taken` is one of the `marks`. (The rest of the way is left to whoever takes it.) |
//!
//! # Cycle behaviour
//! `first` is combinational. At the edge `taken` becomes the last one, if there is any: from 32 bits on the choice of one cycle does not wait for all that
//! follows from the one before, and whoever asks takes `gone` away from `among`.
//!
//! In groups of four: which group it is, and which one of each group it would be, are found side by side. The last one's group comes first with what is
//! above the last one in it, and last with the rest.
//!
//! Written in Verilog of its own.
//!
//! # Errors
//! None at run time. `Default` panics when the parameters do not fit.

use crate::hdl::*;

#[derive(LogicBlock, Clone, Debug)]
pub struct Rota<const N: usize, const I: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub among: Signal<In, Bits<N>>,
    pub first: Signal<Out, Bits<N>>,
    pub taken: Signal<Out, Bits<N>>,
    pub gone: Signal<Out, Bits<N>>,
    pub any: Signal<Out, Bit>,
    pub place: Signal<Out, Bits<I>>,
    pub marks: Signal<In, Bits<N>>,
    pub marked: Signal<Out, Bits<4>>,
    _last: usize,
    _was: Option<usize>,
}

/// A choice of so many counts a cycle later.
pub const fn is_late(bits: usize) -> bool {
    bits >= 32
}

impl<const N: usize, const I: usize> Default for Rota<N, I> {
    fn default() -> Self {
        assert!((4..=64).contains(&N) && N == 1 << I, "Rota<{N}, {I}>");
        Self {
            clock: Default::default(),
            reset: Default::default(),
            among: Default::default(),
            first: Default::default(),
            taken: Default::default(),
            gone: Default::default(),
            any: Default::default(),
            place: Default::default(),
            marks: Default::default(),
            marked: Default::default(),
            _last: N - 1,
            _was: None,
        }
    }
}

impl<const N: usize, const I: usize> Rota<N, I> {
    fn next(&self) -> Option<usize> {
        let among = self.among.val().to_u64();
        let mut sequence = (1..=N).map(|n| (self._last + n) % N);
        sequence.find(|&i| among >> i & 1 == 1)
    }
    fn taken(&self) -> Option<usize> {
        match is_late(N) {
            true => self._was,
            false => self.next(),
        }
    }
}

impl<const N: usize, const I: usize> Logic for Rota<N, I> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            let next = self.next();
            self._last = self.taken().unwrap_or(self._last);
            self._was = next;
            if self.reset.val() {
                self._was = None;
                self._last = N - 1;
            }
        }
        let next = self.next();
        let taken = self.taken();
        let set = |one: Option<usize>| one.map_or(0, |i| 1u64 << i);
        // The groups in turn over the four bits.
        let marked = taken.filter(|&i| self.marks.val().to_u64() >> i & 1 == 1);
        let none = if is_late(N) { 0 } else { 2 };
        self.first.next = set(next).into();
        self.taken.next = set(taken).into();
        self.gone.next = set(taken.filter(|_| is_late(N))).into();
        self.any.next = taken.is_some();
        self.place.next = (taken.unwrap_or(none) as u64).into();
        self.marked.next = marked.map_or(0u64, |i| 1 << (i / 4 % 4)).into();
    }
    fn connect(&mut self) {
        self.first.connect();
        self.taken.connect();
        self.gone.connect();
        self.any.connect();
        self.place.connect();
        self.marked.connect();
    }
    fn hdl(&self) -> Verilog {
        let groups = N / 4;
        let last = groups - 1;
        // The or of some bits.
        let or = |bits: Vec<String>| match bits.is_empty() {
            true => "1'b0".to_string(),
            // A tree, and not a chain.
            false => format!("(|{{{}}})", bits.join(", ")),
        };
        let of_groups = |chosen: &dyn Fn(usize) -> bool, bit: &dyn Fn(usize) -> String| {
            or((0..groups).filter(|&g| chosen(g)).map(bit).collect())
        };
        let mut text = format!(
            "\
// The last one: its group, the groups above it, and which of 1 to 3 are above it in a group.
reg [{last}:0] here;
reg [{last}:0] above;
reg [3:1] later;
wire [{last}:0] some;
wire [{last}:0] rest;
wire [{last}:0] ahead = some & above;
wire [{last}:0] first_ahead;
wire [{last}:0] first_some;
wire [{last}:0] group;
wire [{top}:0] from;
// In a group that is chosen there is one: if it is none of the first three, it is the last.
wire [{top}:0] lowest;

initial here = {groups}'d0;
initial above = {groups}'d0;
initial later = 3'd0;

",
            top = N - 1,
        );
        for g in 0..groups {
            let at = 4 * g;
            let f = |i: usize| format!("from[{}]", at + i);
            text += &format!(
                "\
assign some[{g}] = |among[{three}:{at}];
assign rest[{g}] = here[{g}] & (|(among[{three}:{one}] & later));
assign from[{three}:{at}] = among[{three}:{at}] & ({{later, 1'b0}} | {{4{{~rest[{g}]}}}});
assign lowest[{at}] = {f0};
assign lowest[{one}] = {f1} & ~{f0};
assign lowest[{two}] = {f2} & ~({f1} | {f0});
assign lowest[{three}] = ~({f2} | {f1} | {f0});
assign first_ahead[{g}] = ahead[{g}] & ~{ahead_below};
assign first_some[{g}] = some[{g}] & ~{some_below};
assign group[{g}] = (here[{g}] & (|rest)) | (~(|rest) & (first_ahead[{g}] | (first_some[{g}] & ~(|ahead))));
",
                one = at + 1,
                two = at + 2,
                three = at + 3,
                f0 = f(0),
                f1 = f(1),
                f2 = f(2),
                ahead_below = of_groups(&|h| h < g, &|h| format!("ahead[{h}]")),
                some_below = of_groups(&|h| h < g, &|h| format!("some[{h}]")),
            );
        }
        // What is taken: its group and, given that, which one of the group; or all at once from a register.
        text += &match is_late(N) {
            false => format!(
                "\
wire [{last}:0] group_taken = group;
wire [{top}:0] one_taken = lowest;
",
                top = N - 1,
            ),
            true => {
                let was: Vec<_> = (0..groups)
                    .map(|g| {
                        let (at, three) = (4 * g, 4 * g + 3);
                        format!("   was[{three}:{at}] = one_taken[{three}:{at}] & {{4{{group_taken[{g}]}}}};\n")
                    })
                    .collect();
                format!(
                    "\
// The choice of the cycle before: its group, and the one of each group.
reg [{last}:0] group_taken;
reg [{top}:0] one_taken;
reg [{top}:0] was;

initial group_taken = {groups}'d0;
initial one_taken = {N}'d0;

always @(posedge clock) begin
   group_taken <= group & {{{groups}{{~reset}}}};
   one_taken <= lowest;
end

always @(*) begin
{}end

",
                    was.concat(),
                    top = N - 1,
                )
            }
        };
        text += &format!(
            "wire [{last}:0] group_above;\nwire [{last}:0] marked_of;\nwire [3:1] next_later;\n"
        );
        for g in 0..groups {
            let (at, three) = (4 * g, 4 * g + 3);
            let below = of_groups(&|h| h < g, &|h| format!("group_taken[{h}]"));
            text += &format!(
                "\
assign group_above[{g}] = {below};
assign marked_of[{g}] = group_taken[{g}] & (|(one_taken[{three}:{at}] & marks[{three}:{at}]));
"
            );
        }
        let in_groups = |bit: &dyn Fn(usize) -> String| {
            of_groups(&|_| true, &|g| {
                format!("(group_taken[{g}] & ({}))", bit(4 * g))
            })
        };
        let odd = in_groups(&|at| format!("one_taken[{}] | one_taken[{}]", at + 1, at + 3));
        let second_half = in_groups(&|at| format!("one_taken[{}] | one_taken[{}]", at + 2, at + 3));
        // Of four bits one is lowest, even if there is none.
        let (bits, upper, taken, gone, any) = match is_late(N) {
            true => (
                "one_taken",
                second_half,
                "was",
                "was".into(),
                "|group_taken",
            ),
            false => (
                "from",
                "~next_later[2]".into(),
                "first",
                format!("{N}'d0"),
                "|some",
            ),
        };
        for i in 1..4 {
            let lower = |at: usize| {
                let lower: Vec<_> = (0..i).map(|k| format!("{bits}[{}]", at + k)).collect();
                lower.join(" | ")
            };
            text += &format!("assign next_later[{i}] = {};\n", in_groups(&lower));
        }
        text += "
always @(*) begin
";
        for g in 0..groups {
            let (at, three) = (4 * g, 4 * g + 3);
            text +=
                &format!("   first[{three}:{at}] = lowest[{three}:{at}] & {{4{{group[{g}]}}}};\n");
        }
        text += &format!("   place[0] = {odd};\n   place[1] = {upper};\n");
        for b in 2..I {
            let bits = of_groups(&|g| g >> (b - 2) & 1 == 1, &|g| format!("group_taken[{g}]"));
            text += &format!("   place[{b}] = {bits};\n");
        }
        for b in 0..4 {
            let bits = of_groups(&|g| g % 4 == b, &|g| format!("marked_of[{g}]"));
            text += &format!("   marked[{b}] = {bits};\n");
        }
        text += &format!(
            "\
end

always @(*) begin
   taken = {taken};
   gone = {gone};
   any = {any};
end

always @(posedge clock)
   if (reset) begin
      here <= {groups}'d0;
      above <= {groups}'d0;
      later <= 3'd0;
   end else if (any) begin
      here <= group_taken;
      above <= group_above;
      later <= next_later;
   end
"
        );
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
        check::<32, 5>(4000);
        check::<64, 6>(4000);
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
            assert_eq!(b.uut.first.val().to_u64(), 1 << want);
            assert_eq!(b.uut.marked.val().any(), want == 15);
            b.edge();
        }
        b.uut.among.next = 0u64.into();
        b.settle();
        assert!(!b.uut.any.val());
        assert_eq!(b.uut.first.val().to_u64(), 0);
        b.edge();
        // Nobody had a turn.
        b.uut.among.next = 0xFFFFu64.into();
        b.settle();
        assert_eq!(b.uut.place.val().index(), 6);
    }
}
