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
//! | `taken` | out | N | one-hot: of those `among`, the first in the cyclic sequence after the last one; 0 if there are none. From 32 bits on: of the cycle before, from registers |
//! | `any`, `place` | out | 1, I | there is one in `taken`; its number; undefined if there is none |
//! | `marks` | in | N | |
//! | `marked` | out | 4 | some bit is 1: `taken` is one of the `marks`. (The rest of the way is left to whoever takes it.) |
//!
//! # Cycle behaviour
//! At the edge the one that is chosen becomes the last one, if there is any.
//!
//! From 32 bits on even and odd ones take turns, the even ones in the cycle after a reset, and each half has a sequence of its own: the choice of one cycle
//! does not wait for all that follows from the one before, and can never be the same one.
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
    pub taken: Signal<Out, Bits<N>>,
    pub any: Signal<Out, Bit>,
    pub place: Signal<Out, Bits<I>>,
    pub marks: Signal<In, Bits<N>>,
    pub marked: Signal<Out, Bits<4>>,
    // The last one of each sequence, whose turn it is, and the choice of the cycle before.
    _last: Vec<usize>,
    _turn: usize,
    _was: Option<usize>,
}

/// Of so many bits even and odd ones take turns, and the choice is there a cycle later.
pub const fn is_late(bits: usize) -> bool {
    bits >= 32
}

/// Sequences of so many bits.
const fn halves(bits: usize) -> usize {
    1 + is_late(bits) as usize
}

/// The last ones after a reset.
fn none_yet(bits: usize) -> Vec<usize> {
    (bits - halves(bits)..bits).collect()
}

impl<const N: usize, const I: usize> Default for Rota<N, I> {
    fn default() -> Self {
        assert!((4..=64).contains(&N) && N == 1 << I, "Rota<{N}, {I}>");
        Self {
            clock: Default::default(),
            reset: Default::default(),
            among: Default::default(),
            taken: Default::default(),
            any: Default::default(),
            place: Default::default(),
            marks: Default::default(),
            marked: Default::default(),
            _last: none_yet(N),
            _turn: 0,
            _was: None,
        }
    }
}

impl<const N: usize, const I: usize> Rota<N, I> {
    fn next(&self) -> Option<usize> {
        let among = self.among.val().to_u64();
        let step = halves(N);
        let mut sequence = (1..=N / step).map(|n| (self._last[self._turn] + n * step) % N);
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

/// A sequence of `n` bits, `{p}candidates`. It finds which group of four it is, `{p}group`, and which one of each group it would be, `{p}lowest`; what is taken of it is
/// `{p}group_taken` and `{p}one_taken`, at once or a cycle later if it is the turn number `late`.
fn sequence(p: &str, n: usize, late: Option<usize>) -> String {
    let groups = n / 4;
    let (last, top) = (groups - 1, n - 1);
    let mut text = format!(
        "\
// The last one: its group, the groups above it, and which of 1 to 3 are above it in a group.
reg [{last}:0] {p}here;
reg [{last}:0] {p}above;
reg [3:1] {p}later;
wire [{last}:0] {p}some;
wire [{last}:0] {p}rest;
wire [{last}:0] {p}ahead = {p}some & {p}above;
wire [{last}:0] {p}first_ahead;
wire [{last}:0] {p}first_some;
wire [{last}:0] {p}group;
wire [{last}:0] {p}group_above;
wire [3:1] {p}next_later;
wire [{top}:0] {p}from;
// In a group that is chosen there is one: if it is none of the first three, it is the last.
wire [{top}:0] {p}lowest;
"
    );
    text += &match late {
        None => format!(
            "\
wire [{last}:0] {p}group_taken = {p}group;
wire [{top}:0] {p}one_taken = {p}lowest;

"
        ),
        Some(turn) => {
            let ones: Vec<_> = (0..groups)
                .rev()
                .map(|g| {
                    let (high, low) = (format!("{p}high[{g}]"), format!("{p}low[{g}]"));
                    format!("{high} & {low}, {high} & ~{low}, ~{high} & {low}, ~{high} & ~{low}")
                })
                .collect();
            format!(
                "\
// The choice of the cycle before: the group, and the number of the one of each.
reg [{last}:0] {p}group_taken;
reg [{last}:0] {p}high;
reg [{last}:0] {p}low;
wire [{top}:0] {p}one_taken = {{{ones}}};
integer {p}g;

initial {p}group_taken = {groups}'d0;
initial {p}high = {groups}'d0;
initial {p}low = {groups}'d0;

always @(posedge clock) begin
   if (reset || turn != 1'd{turn}) {p}group_taken <= {groups}'d0;
   else {p}group_taken <= {p}group;
   for ({p}g = 0; {p}g < {groups}; {p}g = {p}g + 1) begin
      {p}high[{p}g] <= {p}lowest[4 * {p}g + 2] | {p}lowest[4 * {p}g + 3];
      {p}low[{p}g] <= {p}lowest[4 * {p}g + 1] | {p}lowest[4 * {p}g + 3];
   end
end

",
                ones = ones.join(", ")
            )
        }
    };
    for g in 0..groups {
        let at = 4 * g;
        let f = |i: usize| format!("{p}from[{}]", at + i);
        let below = |signal: &str| {
            or(&(0..g)
                .map(|h| format!("{p}{signal}[{h}]"))
                .collect::<Vec<_>>())
        };
        text += &format!(
            "\
assign {p}some[{g}] = |{p}candidates[{three}:{at}];
assign {p}rest[{g}] = {p}here[{g}] & (|({p}candidates[{three}:{one}] & {p}later));
assign {p}from[{three}:{at}] = {p}candidates[{three}:{at}] & ({{{p}later, 1'b0}} | {{4{{~{p}rest[{g}]}}}});
assign {p}lowest[{at}] = {f0};
assign {p}lowest[{one}] = {f1} & ~{f0};
assign {p}lowest[{two}] = {f2} & ~({f1} | {f0});
assign {p}lowest[{three}] = ~({f2} | {f1} | {f0});
assign {p}first_ahead[{g}] = {p}ahead[{g}] & ~{ahead_below};
assign {p}first_some[{g}] = {p}some[{g}] & ~{some_below};
assign {p}group[{g}] = ({p}here[{g}] & (|{p}rest)) | (~(|{p}rest) & ({p}first_ahead[{g}] | ({p}first_some[{g}] & ~(|{p}ahead))));
assign {p}group_above[{g}] = {taken_below};
",
            one = at + 1,
            two = at + 2,
            three = at + 3,
            f0 = f(0),
            f1 = f(1),
            f2 = f(2),
            ahead_below = below("ahead"),
            some_below = below("some"),
            taken_below = below("group_taken"),
        );
    }
    if late.is_some() {
        // Not by the number that all groups have in common: that would lie on the way to the place.
        for (i, bits) in [(1, "{h} | {l}"), (2, "{h}"), (3, "{h} & {l}")] {
            let lower = |at: usize| {
                let [h, l] = ["high", "low"].map(|bits| format!("{p}{bits}[{}]", at / 4));
                format!("~({})", bits.replace("{h}", &h).replace("{l}", &l))
            };
            let lower = or(&in_groups(p, n, &lower));
            text += &format!("assign {p}next_later[{i}] = {lower};\n");
        }
    } else {
        // Of four bits one is lowest, even if there is none.
        for i in 1..4 {
            let lower = |at: usize| {
                let lower: Vec<_> = (0..i).map(|k| format!("{p}from[{}]", at + k)).collect();
                lower.join(" | ")
            };
            let lower = or(&in_groups(p, n, &lower));
            text += &format!("assign {p}next_later[{i}] = {lower};\n");
        }
    }
    text + &format!(
        "
initial {p}here = {groups}'d0;
initial {p}above = {groups}'d0;
initial {p}later = 3'd0;

always @(posedge clock)
   if (reset) begin
      {p}here <= {groups}'d0;
      {p}above <= {groups}'d0;
      {p}later <= 3'd0;
   end else if (|{p}group_taken) begin
      {p}here <= {p}group_taken;
      {p}above <= {p}group_above;
      {p}later <= {p}next_later;
   end

"
    )
}

/// Of each group that bit of the number of its one, if it is taken.
fn numbers(p: &str, n: usize, bits: &str) -> Vec<String> {
    in_groups(p, n, &|at| format!("{p}{bits}[{}]", at / 4))
}

/// Of each group whether it is taken and some of its bits are 1.
fn in_groups(p: &str, n: usize, bits: &dyn Fn(usize) -> String) -> Vec<String> {
    let of_group = |g| format!("({p}group_taken[{g}] & ({}))", bits(4 * g));
    (0..n / 4).map(of_group).collect()
}

impl<const N: usize, const I: usize> Logic for Rota<N, I> {
    fn update(&mut self) {
        let next = self.next();
        if self.clock.pos_edge() {
            if let Some(one) = next {
                self._last[self._turn] = one;
            }
            self._was = next;
            self._turn = (self._turn + 1) % halves(N);
            if self.reset.val() {
                self._was = None;
                self._turn = 0;
                self._last = none_yet(N);
            }
        }
        let taken = match is_late(N) {
            true => self._was,
            false => self.next(),
        };
        // The groups in turn over the four bits.
        let marked = taken.filter(|&i| self.marks.val().to_u64() >> i & 1 == 1);
        let none = if is_late(N) { 0 } else { 2 };
        self.taken.next = taken.map_or(0, |i| 1u64 << i).into();
        self.any.next = taken.is_some();
        self.place.next = (taken.unwrap_or(none) as u64).into();
        self.marked.next = marked.map_or(0u64, |i| 1 << (i / halves(N) / 4 % 4)).into();
    }
    fn connect(&mut self) {
        self.taken.connect();
        self.any.connect();
        self.place.connect();
        self.marked.connect();
    }
    fn hdl(&self) -> Verilog {
        let late = is_late(N);
        let n = N / halves(N);
        // The sequences, and the number of the bit that is their number `i`.
        let sequences: &[(&str, usize)] = match late {
            true => &[("even_", 0), ("odd_", 1)],
            false => &[("", 0)],
        };
        let bit = |i: usize, turn: usize| i * halves(N) + turn;
        let mut text = String::new();
        if late {
            text += "\
reg turn;

initial turn = 1'b0;

always @(posedge clock) turn <= ~turn & ~reset;

";
        }
        for &(p, turn) in sequences {
            let bits: Vec<_> = (0..n)
                .rev()
                .map(|i| format!("among[{}]", bit(i, turn)))
                .collect();
            text += &format!(
                "wire [{}:0] {p}candidates = {{{}}};\n",
                n - 1,
                bits.join(", ")
            );
            text += &sequence(p, n, late.then_some(turn));
        }
        // Or of what all sequences give.
        let of_all = |bits: &dyn Fn(&str, usize) -> Vec<String>| {
            let bits: Vec<_> = sequences
                .iter()
                .flat_map(|&(p, turn)| bits(p, turn))
                .collect();
            or(&bits)
        };
        text += "\nalways @(*) begin\n";
        for &(p, turn) in sequences {
            for i in 0..n {
                text += &format!(
                    "   taken[{}] = {p}one_taken[{i}] & {p}group_taken[{}];\n",
                    bit(i, turn),
                    i / 4
                );
            }
        }
        let any = of_all(&|p, _| vec![format!("(|{p}group_taken)")]);
        text += &format!("   any = {any};\n");
        // Of the number in its sequence: bits 0 and 1 are those of the one, the others those of the group.
        let mut number = match late {
            true => vec![
                "|odd_group_taken".to_string(),
                of_all(&|p, _| numbers(p, n, "low")),
                of_all(&|p, _| numbers(p, n, "high")),
            ],
            false => {
                let odd = |at| format!("one_taken[{}] | one_taken[{}]", at + 1, at + 3);
                vec![or(&in_groups("", n, &odd)), "~next_later[2]".into()]
            }
        };
        for b in 0..n.ilog2() - 2 {
            number.push(of_all(&|p, _| {
                let groups = (0..n / 4).filter(|g| g >> b & 1 == 1);
                groups.map(|g| format!("{p}group_taken[{g}]")).collect()
            }));
        }
        for (b, bit) in number.iter().enumerate() {
            text += &format!("   place[{b}] = {bit};\n");
        }
        for b in 0..4 {
            let marked = of_all(&|p, turn| {
                let marks = |at: usize| {
                    let ones = (at..at + 4)
                        .map(|i| format!("({p}one_taken[{i}] & marks[{}])", bit(i, turn)));
                    ones.collect::<Vec<_>>().join(" | ")
                };
                let groups = in_groups(p, n, &marks).into_iter().enumerate();
                groups
                    .filter(|(g, _)| g % 4 == b)
                    .map(|(_, bit)| bit)
                    .collect()
            });
            text += &format!("   marked[{b}] = {marked};\n");
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

    #[test]
    fn halves_take_turns() {
        let mut b = weft_rtl::Bench::new(Rota::<32, 5>::default(), |u, level| {
            u.clock.next = level.into()
        });
        // 0, 5, 6, 15 and 30, from a reset on; each is there a cycle later.
        b.uut.among.next = 0x4000_8061u64.into();
        let turns = [0, 5, 6, 15, 30, 5, 0, 15, 6, 5];
        for t in 0..=turns.len() {
            b.uut.reset.next = t == 0;
            b.settle();
            let want = if t > 1 { 1u64 << turns[t - 2] } else { 0 };
            assert_eq!(b.uut.taken.val().to_u64(), want, "cycle {t}");
            b.edge();
        }
    }
}
